#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"sampled and evented", "equal samples in a row are one trace; a frame that closes after another ends no stack",
     "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[{\"name\""
     ":\"a\",\"file\":\"a.c\",\"line\":3,\"col\":2},{\"name\":\"b\\u0021\"},{\"name\":\"c\"}]},\n"
     " \"profiles\":[{\"type\":\"sampled\",\"samples\":[[0,1],[0,1],[2],[9],[]],\"weights\":[1,2,3]},\n"
     "  {\"type\":\"evented\",\"events\":[{\"type\":\"O\",\"frame\":0,\"at\":0},{\"type\":\"O\",\"frame\":1,\"at\":1},{"
     "\"type\":\"C\",\"frame\":1,\"at\":2},{\"type\":\"C\",\"frame\":0,\"at\":3},{\"type\":\"C\",\"frame\":0,\"at\":3},"
     "{\""
     "type\":\"O\",\"frame\":2,\"at\":4},{\"type\":\"C\",\"frame\":2,\"at\":5}]}]}\n",
     "speedscope line:1 lines:3 outermost first\n"
     "  f:a at:a.c l:3 col:2\n"
     "  f:b! n:3\n"
     "speedscope line:1 lines:3 outermost first\n"
     "  f:c n:3\n"
     "speedscope line:1 lines:3 outermost first\n"
     "  f:a at:a.c l:3 col:2\n"
     "  f:b!\n"
     "speedscope line:1 lines:3 outermost first\n"
     "  f:c\n"},
    {"V8", "a list and a tree; nodes without samples have hits",
     "{\n"
     "  \"nodes\": [\n"
     "    {\"id\": 1, \"callFrame\": {\"functionName\": \"(root)\", \"url\": \"\", \"lineNumber\": -1, \"columnN"
     "umber\": -1}, \"hitCount\": 0, \"children\": [2]},\n"
     "    {\"id\": 2, \"callFrame\": {\"functionName\": \"run\", \"url\": \"file:///a.js\", \"lineNumber\": 6, "
     "\"columnNumber\": 0}, \"hitCount\": 2}\n"
     "  ]\n"
     "}\n"
     "{\"head\":{\"functionName\":\"(root)\",\"url\":\"\",\"lineNumber\":0,\"bailoutReason\":\"\",\"id\":1,\"childre"
     "n\":[{\"functionName\":\"f\",\"url\":\"a.js\",\"lineNumber\":7,\"id\":2,\"children\":[{\"functionName\":\"g\","
     "\"id\":3,\"children\":[]}]},{\"functionName\":\"h\",\"id\":4,\"children\":[]}]},\"samples\":[3,2,3,4,9]}\n",
     "v8-cpuprofile line:1 lines:6 outermost first\n"
     "  f:(root)\n"
     "  f:run at:file:///a.js l:7 col:1 n:2\n"
     "v8-cpuprofile line:7 outermost first\n"
     "  f:(root)\n"
     "  f:f at:a.js l:7\n"
     "  f:g n:2\n"
     "v8-cpuprofile line:7 outermost first\n"
     "  f:(root)\n"
     "  f:f at:a.js l:7 n:1\n"
     "v8-cpuprofile line:7 outermost first\n"
     "  f:(root)\n"
     "  f:h n:1\n"},
    {"Chrome", "chunks of nodes, frames by id",
     "{\"metadata\":{},\"traceEvents\":[{\"name\":\"ProfileChunk\",\"ph\":\"P\",\"id\":\"0x1\",\"pid\":7,\"ts\":1,\"ar"
     "gs\":{\"data\":{\"cpuProfile\":{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}}],\"sample"
     "s\":[1]}}}},\n"
     "{\"name\":\"ProfileChunk\",\"ph\":\"P\",\"id\":\"0x1\",\"pid\":7,\"ts\":2,\"args\":{\"data\":{\"cpuProfile\":{"
     "\"no"
     "des\":[{\"id\":2,\"parent\":1,\"callFrame\":{\"functionName\":\"run\",\"url\":\"a.js\",\"lineNumber\":0,\"col"
     "umnNumber\":6}}],\"samples\":[2,2,1]}}}}],\n"
     "\"stackFrames\":{\"5\":{\"name\":\"x\",\"parent\":\"6\"},\"6\":{\"name\":\"y\",\"parent\":5}},\"samples\":[{"
     "\"sf\":"
     "5}]}\n"
     "[\n"
     "{\"name\":\"a\",\"ph\":\"X\",\"pid\":1,\"ts\":2,\"cat\":\"b\"}\n"
     "]\n",
     "chrome-trace line:1 lines:3 outermost first\n"
     "  f:(root) n:2\n"
     "chrome-trace line:1 lines:3 outermost first\n"
     "  f:(root)\n"
     "  f:run at:a.js l:1 col:7 n:2\n"
     "chrome-trace line:1 lines:3 outermost first\n"
     "  f:y\n"
     "  f:x n:1\n"},
    {"Firefox", "columns, and rows with a schema",
     "{\"meta\":{\"preprocessedProfileVersion\":47},\"threads\":[{\"samples\":{\"stack\":[1,null,1,0]},\"sta"
     "ckTable\":{\"prefix\":[null,0],\"frame\":[0,1]},\"frameTable\":{\"func\":[0,1],\"line\":[null,7],\"colu"
     "mn\":[null,3]},\"funcTable\":{\"name\":[0,1],\"fileName\":[null,2]},\"stringArray\":[\"main\",\"run\",\"a"
     ".js\"]}]}\n"
     "{\"meta\":{\"version\":27},\"threads\":[{\"samples\":{\"schema\":{\"stack\":0},\"data\":[[1]]},\"stackTabl"
     "e\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[null,0],[0,1]]},\"frameTable\":{\"schema\":{\"locat"
     "ion\":0,\"line\":3},\"data\":[[0],[1,null,null,7]]},\"stringTable\":[\"main\",\"run (a.js:7:3)\"]}]}\n",
     "firefox-profile line:1 outermost first\n"
     "  f:main\n"
     "  f:run at:a.js l:7 col:3 n:2\n"
     "firefox-profile line:1 outermost first\n"
     "  f:main n:1\n"
     "firefox-profile line:2 outermost first\n"
     "  f:main\n"
     "  f:run at:a.js l:7 col:3 n:1\n"},
    {"weights of Firefox", "each sample has one; what is no whole number counts once",
     "{\"meta\":{\"preprocessedProfileVersion\":48},\"threads\":[{\"samples\":{\"stack\":[1,0,1,0],\"weight\":[5,0,7,1."
     "5]"
     "},\"stackTable\":{\"prefix\":[null,0],\"frame\":[0,1]},\"frameTable\":{\"func\":[0,1]},\"funcTable\":{\"name\":[0"
     ",1]},\"stringArray\":[\"main\",\"run\"]}]}\n",
     "firefox-profile line:1 outermost first\n"
     "  f:main\n"
     "  f:run n:12\n"
     "firefox-profile line:1 outermost first\n"
     "  f:main n:1\n"},
    {"Hermes", "the file is in the name only",
     "{\"traceEvents\":[],\"samples\":[{\"sf\":3}],\"stackFrames\":{\"2\":{\"name\":\"f(main.jsbundle:1:24)\","
     "\"line\":\"1\",\"column\":\"24\"},\"3\":{\"name\":\"g(x:1:2)\",\"line\":\"5\",\"column\":\"6\","
     "\"parent\":2}}}\n",
     "chrome-trace line:1 outermost first\n"
     "  f:f at:main.jsbundle l:1 col:24\n"
     "  f:g(x:1:2) l:5 col:6 n:1\n"},
    {"newer tables of Firefox", "tables of all threads, callers as offsets, files in a table of sources",
     "{\"meta\":{\"preprocessedProfileVersion\":68},\"shared\":{\"stackTable\":{\"frame\":[0,1,2,2],"
     "\"prefixOffset\":[0,1,2,9]},\"frameTable\":{\"func\":[0,1,2],\"line\":[null,7,8]},\"funcTable\":{"
     "\"name\":[0,1,2],\"source\":[null,0,9]},\"sources\":{\"filename\":[3]},"
     "\"stringArray\":[\"main\",\"run\",\"end\",\"a.js\"]},"
     "\"threads\":[{\"samples\":{\"stack\":[1,2,3]}}]}\n",
     "firefox-profile line:1 outermost first\n"
     "  f:main\n"
     "  f:run at:a.js l:7 n:1\n"
     "firefox-profile line:1 outermost first\n"
     "  f:main\n"
     "  f:end l:8 n:1\n"
     "firefox-profile line:1 outermost first\n"
     "  f:end l:8 n:1\n"},
    {"recordings of Firefox's developer tools", "the profile is a member, and has profiles of other processes",
     "{\"label\":\"a\",\"profile\":{\"meta\":{\"version\":9},\"threads\":[{\"samples\":{\"schema\":{\"stack\":0},"
     "\"data\":[[0]]},\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[null,0]]},"
     "\"frameTable\":{\"schema\":{\"location\":0},\"data\":[[0]]},\"stringTable\":[\"main\"]}],"
     "\"processes\":[{\"meta\":{},\"threads\":[{\"samples\":{\"schema\":{\"stack\":0},\"data\":[[0]]},"
     "\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[null,0]]},"
     "\"frameTable\":{\"schema\":{\"location\":0},\"data\":[[0]]},\"stringTable\":[\"child\"]}]}]}}\n",
     "firefox-profile line:1 outermost first\n"
     "  f:main n:1\n"
     "firefox-profile line:1 outermost first\n"
     "  f:child n:1\n"},
    {"near misses", "other documents, and broken ones",
     "{\"callFrame\":1}\n"
     "{\"traceEvents\":[{\"name\":\"a\",\"ph\":\"X\"}]}\n"
     "{\"meta\":{},\"threads\":[],\"stackTable\":1}\n"
     "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"profiles\":[]}\n"
     "{\"nodes\":[{\"callFrame\":{}\n"
     "}\n",
     ""},
};

OTHER_TESTS("formats profiles", texts)
