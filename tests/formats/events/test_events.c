#include "formats/object_edit.h"
#include "tests/formats/formats_help.h"
#include "tests/testing.h"

static const struct text_case cases[] = {
    {"sentry, JavaScript", "callers come first; scripts are found by abs_path",
     "{\"platform\":\"javascript\",\"exception\":{\"values\":[{\"type\":\"Error\",\"value\":\"no\",\"stacktrace\":"
     "{\"frames\":[\n{\"function\":\"a\",\"filename\":\"/x.js\",\"abs_path\":\"https://h/x.js\",\"lineno\":1,"
     "\"colno\":2},\n{\"function\":\"b\",\"abs_path\":\"native\"}]}}]}}\n",
     "sentry-event 2 exception:Error\n#1 f:a at:https://h/x.js:1:2\n#0 f:b at:native not-needed\n"},
    {"sentry, native", "ids and load addresses are in debug_meta; an ELF debug id is the begin of a build id",
     "{\"exception\":{\"values\":[{\"type\":\"SIGSEGV\",\"thread_id\":7,\"stacktrace\":{\"frames\":["
     "{\"instruction_addr\":\"0x1020\"},{\"instruction_addr\":\"0x1010\",\"package\":\"/d/liba.so\"}]}}]},"
     "\"debug_meta\":{\"images\":[{\"type\":\"elf\",\"debug_id\":\"04030201-0605-0807-090a-0b0c0d0e0f10\","
     "\"image_addr\":\"0x1000\",\"image_size\":64,\"code_file\":\"/d/liba.so\"}]}}\n",
     "sentry-event 1 thread:7 exception:SIGSEGV\n"
     "#1 m:liba.so absolute:0x1020 load:0x1000 return id:0102030405060708090a0b0c0d0e0f10\n"
     "#0 m:liba.so absolute:0x1010 load:0x1000 id:0102030405060708090a0b0c0d0e0f10\n"},
    {"sentry, Flutter", "the image has no size, so that it goes on to the next one",
     "{\"exception\":{\"values\":[{\"type\":\"StateError\",\"stacktrace\":{\"frames\":[{\"platform\":\"native\","
     "\"instruction_addr\":\"0x3010\"},{\"platform\":\"native\",\"instruction_addr\":\"0x2010\"}]}}]},\"debug_meta\":"
     "{\"images\":[{\"type\":\"elf\",\"code_id\":\"0102030405060708\",\"image_addr\":\"0x1000\",\"code_file\":"
     "\"libapp.so\"},{\"type\":\"elf\",\"code_id\":\"0908070605040302\",\"image_addr\":\"0x3000\","
     "\"image_size\":16,\"code_file\":\"libb.so\"}]}}\n",
     "sentry-event 1 exception:StateError\n#1 absolute:0x3010 return\n"
     "#0 m:libapp.so absolute:0x2010 load:0x1000 id:0102030405060708\n"},
    {"sentry, addresses from where an image starts",
     "calls in WebAssembly, with whole ids or 16 bytes and a digit; no "
     "such image; a native image, with or without a load address",
     "{\"platform\":\"javascript\",\"exception\":{\"values\":[{\"type\":\"RuntimeError\",\"stacktrace\":{\"frames\":["
     "{\"platform\":\"native\",\"filename\":\"https://h/a.wasm\",\"function\":\"run\",\"instruction_addr\":\"0x7d\","
     "\"addr_mode\":\"rel:1\"},{\"platform\":\"native\",\"instruction_addr\":\"0x61\",\"addr_mode\":\"rel:2\"},"
     "{\"instruction_addr\":\"0x62\",\"addr_mode\":\"rel:5\"},{\"instruction_addr\":\"0x63\",\"addr_mode\":\"rel:\"},"
     "{\"instruction_addr\":\"0x1010\",\"addr_mode\":\"abs\"},"
     "{\"instruction_addr\":\"0x14\",\"addr_mode\":\"rel:3\"}]}}]},\"debug_meta\":{\"images\":["
     "{\"type\":\"sourcemap\"},{\"type\":\"wasm\",\"code_id\":\"b408f9b870bec1b89a4eaa0cf5a114babaeb5e0d\","
     "\"code_file\":\"https://h/a.wasm\",\"debug_id\":\"b408f9b870bec1b89a4eaa0cf5a114ba0\"},"
     "{\"type\":\"wasm\",\"code_file\":\"b.wasm\",\"debug_id\":\"b408f9b870bec1b89a4eaa0cf5a114ba0\"},"
     "{\"type\":\"macho\",\"code_file\":\"/d/App\",\"debug_id\":\"4c4c4443-5555-3144-a11e-42e74ae5843a\","
     "\"image_addr\":\"0x1000\",\"image_size\":64}]}}\n",
     "sentry-event 1 exception:RuntimeError\n"
     "#5 m:a.wasm linked:0x7d id:b408f9b870bec1b89a4eaa0cf5a114babaeb5e0d f:run at:https://h/a.wasm\n"
     "#4 m:b.wasm linked:0x61 id:b408f9b870bec1b89a4eaa0cf5a114ba\n"
     "#3 absolute:0x62 return\n#2 absolute:0x63 return\n"
     "#1 m:App absolute:0x1010 load:0x1000 return id:4c4c444355553144a11e42e74ae5843a\n"
     "#0 m:App image:0x14 load:0x1000 id:4c4c444355553144a11e42e74ae5843a\n"},
    {"sentry, Java", "a renamed class, and one with its own name",
     "{\"platform\":\"java\",\"threads\":{\"values\":[{\"id\":1,\"name\":\"main\",\"crashed\":true,\"stacktrace\":"
     "{\"frames\":[{\"module\":\"android.os.Looper\",\"function\":\"loop\",\"filename\":\"Looper.java\",\"lineno\":"
     "288},{\"module\":\"a.b\",\"function\":\"c\",\"filename\":\"SourceFile\",\"lineno\":4}]}}]}}\n",
     "sentry-event 1 thread:main crashed\n#1 c:android.os.Looper f:loop at:Looper.java:288 not-needed\n"
     "#0 c:a.b f:c at:SourceFile:4\n"},
    {"Grafana Faro", "Sentry's names, but the innermost frame is the first",
     "{\"exceptions\":[{\"type\":\"TypeError\",\"value\":\"no\",\"stacktrace\":{\"frames\":[{\"filename\":"
     "\"https://h/x.js\",\"function\":\"inner\",\"lineno\":1,\"colno\":2},{\"filename\":\"https://h/x.js\","
     "\"function\":\"outer\",\"lineno\":1,\"colno\":9}]}}],\"meta\":{\"sdk\":{\"name\":\"faro-core\"}}}\n",
     "error-event 1 exception:TypeError\n#0 f:inner at:https://h/x.js:1:2\n#1 f:outer at:https://h/x.js:1:9\n"},
    {"stacktrace.js", "a frame without a function; its row as text stays",
     "{\"message\":\"no\",\"stack\":[{\"functionName\":\"inner\",\"fileName\":\"https://h/x.js\",\"lineNumber\":1,"
     "\"columnNumber\":2,\"source\":\"    at inner (https://h/x.js:1:2)\"},{\"fileName\":\"https://h/x.js\","
     "\"lineNumber\":1,\"columnNumber\":9}]}\n[{\"functionName\":\"f\",\"fileName\":\"https://h/"
     "x.js\",\"lineNumber\":3,"
     "\"columnNumber\":4}]\n",
     "error-event 1 exception:no\n#0 f:inner at:https://h/x.js:1:2\n#1 at:https://h/x.js:1:9\n"
     "error-event 2\n#0 f:f at:https://h/x.js:3:4\n"},
    {"MongoDB", "until 4.2 frames have no address; images by where they start, the program has no path",
     "----- BEGIN BACKTRACE -----\n{\"backtrace\":[{\"b\":\"5561B6CD8000\",\"o\":\"203B4CA\",\"s\":\"_ZN4cart3addEi\"},"
     "{\"b\":\"7F5D53000000\",\"o\":\"76DB\"}],\"processInfo\":{ \"mongodbVersion\" : \"3.6.3\", \"somap\" : [ "
     "{ \"b\" : \"5561B6CD8000\", \"elfType\" : 3, \"buildId\" : \"0102030405060708\" }, { \"b\" : "
     "\"7F5D53000000\", \"path\" : \"/lib/libc.so.6\", \"elfType\" : 3, \"buildId\" : \"A1A2A3A4A5A6A7A8\" } ] }}\n"
     "-----  END BACKTRACE  -----\n",
     "error-event 2\n"
     "#0 m:0102030405060708 absolute:0x5561b8d134ca load:0x5561b6cd8000 id:0102030405060708 f:_ZN4cart3addEi\n"
     "#1 m:libc.so.6 absolute:0x7f5d530076db load:0x7f5d53000000 return id:a1a2a3a4a5a6a7a8\n"},
    {"MongoDB's JSON", "since 4.4; the demangled name is preferred",
     "2023-09-18 15:21:21 {\"t\":{\"$date\":\"2023-09-18T13:21:21.915+00:00\"},\"s\":\"I\",  \"c\":\"CONTROL\",  "
     "\"id\":31380,   \"ctx\":\"initandlisten\",\"msg\":\"BACKTRACE\",\"attr\":{\"bt\":{\"backtrace\":["
     "{\"a\":\"5609CC4000E4\",\"b\":\"5609C75C7000\",\"o\":\"4E390E4\",\"s\":\"_ZN4cart3addEi\",\"C\":\"cart::add(int)"
     "\","
     "\"s+\":\"1F4\"},{\"a\":\"7F0FBB43B520\",\"b\":\"7F0FBB3F9000\",\"o\":\"42520\",\"s\":\"__sigaction\",\"s+\":"
     "\"50\"}],"
     "\"processInfo\":{\"somap\":[{\"b\":\"7F0FBB3F9000\",\"path\":\"/lib/libc.so.6\",\"elfType\":3,\"buildId\":"
     "\"A1A2A3A4A5A6A7A8\"}]}}},\"tags\":[]}\n",
     "error-event 1\n"
     "#0 absolute:0x5609cc4000e4 load:0x5609c75c7000 f:cart::add(int)\n"
     "#1 m:libc.so.6 absolute:0x7f0fbb43b520 load:0x7f0fbb3f9000 return id:a1a2a3a4a5a6a7a8 f:__sigaction\n"},
    {"bugsnag, Android", "class and method are one member; the type of the exception is a class",
     "{\"events\":[{\"exceptions\":[{\"errorClass\":\"a.d\",\"message\":\"m\",\"type\":\"android\",\"stacktrace\":["
     "{\"method\":\"a.b.c\",\"file\":\"SourceFile\",\"lineNumber\":4}]}]}]}\n",
     "bugsnag-event 1 exception:a.d\n#0 c:a.b f:c at:SourceFile:4\n! exception:a.d before:0\n"},
    {"bugsnag, cocoa", "addresses with the UUID of their image",
     "{\"stacktrace\":[{\"frameAddress\":\"0x1010\",\"loadAddress\":\"0x1000\",\"machoFile\":\"App\",\"machoUUID\":"
     "\"4C4C4443-5555-3144-A11E-42E74AE5843A\"}]}\n",
     "bugsnag-event 1\n#0 m:App absolute:0x1010 load:0x1000 id:4c4c444355553144a11e42e74ae5843a\n"},
    {"measure", "names of members of its own",
     "{\"exceptions\":[{\"type\":\"a.x\",\"message\":\"m\",\"frames\":[{\"class_name\":\"a.b\",\"method_name\":\"c\","
     "\"file_name\":\"SourceFile\",\"line_num\":3}]}]}\n",
     "measure-event 1 exception:a.x\n#0 c:a.b f:c at:SourceFile:3\n! exception:a.x before:0\n"},
    {"measure, iOS", "addresses without 0x, also those that have decimal digits only; images are in the exception",
     "{\"exception\":{\"exceptions\":[{\"type\":\"E\",\"frames\":[{\"symbol_address\":\"0000000000001010\","
     "\"binary_name\":\"App\",\"binary_address\":\"1000\",\"offset\":16},{\"symbol_address\":\"000000000000102c\","
     "\"binary_name\":\"App\",\"binary_address\":\"0000000000001000\"}]}],\"binary_images\":[{\"name\":\"App\","
     "\"path\":"
     "\"/d/App\",\"start_addr\":\"0000000000001000\",\"end_addr\":\"0000000000002000\","
     "\"uuid\":\"4c4c444355553144a11e42e74ae5843a\"}]}}\n",
     "measure-event 1 exception:E\n#0 m:App absolute:0x1010 load:0x1000 id:4c4c444355553144a11e42e74ae5843a\n"
     "#1 m:App absolute:0x102c load:0x1000 return id:4c4c444355553144a11e42e74ae5843a\n"},
    {"measure, Flutter", "addresses of calls in the one image, which has no name",
     "{\"exception\":{\"exceptions\":[{\"type\":\"E\",\"frames\":[{\"instruction_address\":\"0x1010\"},"
     "{\"instruction_address\":\"0x102c\"}]}],\"binary_images\":[{\"uuid\":\"0102030405060708\",\"base_addr\":\"1000\"}"
     "]}}\n",
     "measure-event 1 exception:E\n#0 m:0102030405060708 absolute:0x1010 load:0x1000 id:0102030405060708\n"
     "#1 m:0102030405060708 absolute:0x102c load:0x1000 id:0102030405060708\n"},
    {"crashlytics", "symbol is class and method",
     "{\"exceptions\":[{\"type\":\"a.x\",\"frames\":[{\"symbol\":\"a.b.c\",\"file\":\"SourceFile\",\"line\":3,"
     "\"owner\":\"DEVELOPER\"}]}]}\n",
     "crashlytics-export 1 exception:a.x\n#0 c:a.b f:c at:SourceFile:3\n! exception:a.x before:0\n"},
    {"CDP", "lines and columns count from 0",
     "{\"exceptionDetails\":{\"text\":\"Uncaught\",\"stackTrace\":{\"callFrames\":[{\"functionName\":\"f\","
     "\"scriptId\":\"3\",\"url\":\"https://h/a.js\",\"lineNumber\":0,\"columnNumber\":41}]}}}\n",
     "cdp-call-frames 1 exception:Uncaught\n#0 f:f at:https://h/a.js:1:42\n"},
    {"React Native", "a list of frames",
     "{\"name\":\"TypeError\",\"message\":\"m\",\"stack\":[{\"methodName\":\"f\",\"file\":\"index.bundle\","
     "\"lineNumber\":1,\"column\":42}]}\n",
     "react-native-frames 1 exception:TypeError\n#0 f:f at:index.bundle:1:42\n"},
    {"rust-minidump", "addresses are those of calls; functions that were inlined are frames of their own",
     "{\n\"crash_info\":{\"type\":\"SIGSEGV / SEGV_MAPERR\",\"address\":\"0x10\",\"crashing_thread\":0},\n"
     "\"modules\":[{\"base_addr\":\"0x1000\",\"end_addr\":\"0x2000\",\"filename\":\"app\",\"debug_id\":"
     "\"4C4C444355553144A11E42E74AE5843A0\"},{\"base_addr\":null}],\n"
     "\"pid\":7,\"system_info\":{\"os\":\"Linux\",\"cpu_arch\":\"amd64\"},\n"
     "\"threads\":[{\"thread_name\":\"main\",\"frames\":[{\"frame\":0,\"function\":null,\"function_offset\":null,"
     "\"missing_symbols\":true,\"module\":\"app\",\"module_offset\":\"0x10\",\"offset\":\"0x1010\",\"trust\":"
     "\"context\"},{\"frame\":1,\"function\":\"f\",\"function_offset\":\"0x4\",\"file\":\"a.rs\",\"line\":3,"
     "\"inlines\":[{\"function\":\"g\",\"file\":\"b.rs\",\"line\":5}],\"module\":\"app\",\"offset\":"
     "\"0x1020\",\"trust\":\"cfi\"}]},{\"thread_name\":null,\"frames\":[{\"frame\":0,\"offset\":\"0x30\","
     "\"module\":null,\"missing_symbols\":true}]}]\n}\n",
     "minidump-json 5 thread:main exception:SIGSEGV / SEGV_MAPERR arch:x86_64 crashed\n"
     "#0 m:app absolute:0x1010 load:0x1000 id:4c4c444355553144a11e42e74ae5843a0\n"
     "- f:g at:b.rs:5 not-needed\n"
     "#1 m:app absolute:0x1020 load:0x1000 id:4c4c444355553144a11e42e74ae5843a0 f:f+4 at:a.rs:3 not-needed\n"
     "minidump-json 5 arch:x86_64\n#0 absolute:0x30\n"},
    {"KSCrash", "images, exception and system are members of the document; a name may be absent",
     "{\n\"binary_images\":[{\"image_addr\":4096,\"image_size\":4096,\"name\":\"/d/App\",\"uuid\":"
     "\"4C4C4443-5555-3144-A11E-42E74AE5843A\"}],\n"
     "\"crash\":{\"error\":{\"type\":\"mach\",\"address\":16,\"mach\":{\"exception_name\":\"EXC_BAD_ACCESS\"},"
     "\"signal\":{\"name\":\"SIGSEGV\"}},\n\"threads\":[{\"backtrace\":{\"contents\":["
     "{\"object_name\":\"App\",\"object_addr\":4096,\"symbol_name\":\"<redacted>\",\"instruction_addr\":4112},"
     "{\"object_name\":\"App\",\"object_addr\":4096,\"instruction_addr\":4128}]},\"index\":0,\"crashed\":true},\n"
     "{\"backtrace\":{\"contents\":[{\"instruction_addr\":48}]},\"index\":1,\"name\":\"w\",\"crashed\":false}]},\n"
     "\"system\":{\"system_name\":\"iOS\",\"system_version\":\"17.1\"}}\n",
     "error-event 4 thread:0 exception:EXC_BAD_ACCESS crashed\n"
     "#0 m:App absolute:0x1010 load:0x1000 id:4c4c444355553144a11e42e74ae5843a\n"
     "#1 m:App absolute:0x1020 load:0x1000 return id:4c4c444355553144a11e42e74ae5843a\n"
     "error-event 5 thread:w\n#0 absolute:0x30\n"},
    {"KSCrash, a stack of React Native", "the app gave it with the error, which is that of the thread, too",
     "{\"crash\":{\"threads\":[{\"backtrace\":{\"contents\":[{\"instruction_addr\":4112}]},\"crashed\":true}],\n"
     "\"error\":{\"type\":\"user\",\"reason\":\"no\",\"user_reported\":{\"name\":\"CartError\",\"backtrace\":["
     "{\"lineNumber\":12,\"file\":\"index.ios.bundle\",\"methodName\":\"value\",\"column\":939}]}}}}\n",
     "error-event 1 exception:CartError crashed\n#0 absolute:0x1010\n"
     "react-native-frames 2 exception:CartError\n#0 f:value at:index.ios.bundle:12:939\n"},
    {"KSCrash, a crash of its own", "images and system are those of the report that was being written, if not its own",
     "{\"recrash_report\":{\"binary_images\":[{\"image_addr\":4096,\"image_size\":4096,\"name\":\"/d/App\",\"uuid\":"
     "\"4C4C4443-5555-3144-A11E-42E74AE5843A\"}],\"crash\":{\"error\":{\"type\":\"signal\",\"signal\":{\"name\":"
     "\"SIGSEGV\"}},\"threads\":[{\"backtrace\":{\"contents\":[{\"instruction_addr\":4112}]},\"crashed\":true}]}},\n"
     "\"crash\":{\"error\":{\"type\":\"signal\",\"signal\":{\"name\":\"SIGBUS\"}},\"crashed_thread\":{\"backtrace\":"
     "{\"contents\":[{\"instruction_addr\":4128}]},\"crashed\":true}}}\n"
     "{\"crash\":{\"error\":{\"type\":\"signal\",\"signal\":{\"name\":\"SIGILL\"}},"
     "\"threads\":[{\"crashed\":true,\"backtrace\":{\"contents\":[{\"instruction_addr\":48}]}}]},\n"
     "\"recrash_report\":{\"crash\":{\"error\":{\"type\":\"signal\",\"signal\":{\"name\":\"SIGFPE\"}},"
     "\"crashed_thread\":{\"crashed\":true,\"backtrace\":{\"contents\":[{\"instruction_addr\":64}]}}}}}\n",
     "error-event 1 exception:SIGSEGV crashed\n"
     "#0 m:App absolute:0x1010 load:0x1000 id:4c4c444355553144a11e42e74ae5843a\n"
     "error-event 2 exception:SIGBUS crashed\n"
     "#0 m:App absolute:0x1020 load:0x1000 id:4c4c444355553144a11e42e74ae5843a\n"
     "error-event 3 exception:SIGILL crashed\n#0 absolute:0x30\n"
     "error-event 4 exception:SIGFPE crashed\n#0 absolute:0x40\n"},
    {"Node's report", "both stacks, far below its start; addresses are described in all forms",
     "{\n"
     "  \"header\": {\n"
     "    \"reportVersion\": 3,\n"
     "    \"event\": \"e\",\n"
     "    \"networkInterfaces\": [\n"
     "      {\n"
     "        \"name\": \"lo\"\n"
     "      },\n"
     "      {\n"
     "        \"name\": \"lo\"\n"
     "      },\n"
     "      {\n"
     "        \"name\": \"lo\"\n"
     "      },\n"
     "      {\n"
     "        \"name\": \"lo\"\n"
     "      },\n"
     "      {\n"
     "        \"name\": \"lo\"\n"
     "      },\n"
     "      {\n"
     "        \"name\": \"lo\"\n"
     "      },\n"
     "      {\n"
     "        \"name\": \"lo\"\n"
     "      }\n"
     "    ]\n"
     "  },\n"
     "  \"javascriptStack\": {\n"
     "    \"message\": \"Error: none left\",\n"
     "    \"stack\": [\n"
     "      \"at load (/srv/cart.js:3:9)\",\n"
     "      \"at node:internal/main:7:1\"\n"
     "    ]\n"
     "  },\n"
     "  \"nativeStack\": [\n"
     "    {\n"
     "      \"pc\": \"0x0000000000c8b2a1\",\n"
     "      \"symbol\": \"f(int) [node]\"\n"
     "    },\n"
     "    {\n"
     "      \"pc\": \"0x00007f1d2cab0fd0\",\n"
     "      \"symbol\": \" [/usr/lib/libc.so.6]\"\n"
     "    },\n"
     "    {\n"
     "      \"pc\": \"0x00007ff71adf1729\",\n"
     "      \"symbol\": \"v8::f+10873 [d:\\\\a\\\\b.cc]:L12\"\n"
     "    },\n"
     "    {\n"
     "      \"pc\": \"0x00007ff71adf1730\",\n"
     "      \"symbol\": \"\"\n"
     "    }\n"
     "  ]\n"
     "}\n",
     "js-v8 32 exception:Error: none left\n"
     "- f:load at:/srv/cart.js:3:9\n"
     "- at:node:internal/main:7:1 not-needed\n"
     "error-event 37\n#0 m:node absolute:0xc8b2a1 return f:f(int)\n"
     "#1 m:libc.so.6 absolute:0x7f1d2cab0fd0 return\n"
     "#2 absolute:0x7ff71adf1729 return f:v8::f+10873 at:d:\\a\\b.cc:12 not-needed\n#3 absolute:0x7ff71adf1730 "
     "return\n"},
    {"ABRT", "a report with the stacks, far below its start; frames without an id; scripts",
     "{\n\"ureport_version\": 2,\n\"os\": {\n\"name\": \"fedora\"\n},\n\"problem\": {\n\"executable\":\n"
     "\"/usr/bin/my app\",\n\"signal\": 11,\n\"stacktrace\": [\n{\n\"frames\": [ { \"address\": 87654,\n"
     "\"build_id\":\n\"92ebaf825e4f492952c45189cb9ffc6541f8599b\",\n\"build_id_offset\": 5734,\n\"function_name\":\n"
     "\"poll\",\n\"file_name\":\n\"/lib64/libc.so.6\"\n}\n]\n},\n{\n\"crash_thread\": true,\n\"frames\": [\n{\n"
     "\"address\": 4112,\n\"build_id_offset\": 4112\n},\n{\n\"address\": 87654,\n"
     "\"build_id\": \"92ebaf825e4f492952c45189cb9ffc6541f8599b\",\n\"build_id_offset\": 5734\n}\n]\n}\n]\n}\n}\n"
     "{ \"exception_name\": \"My::Error\", \"stacktrace\": [ { \"file_name\": \"/a.rb\", \"file_line\": 13,\n"
     "\"function_name\": \"f\" } ] }\n",
     "error-event 12\n"
     "#0 m:libc.so.6 absolute:0x15666 load:0x14000 id:92ebaf825e4f492952c45189cb9ffc6541f8599b f:poll\n"
     "error-event 26 exception:SIGSEGV crashed\n"
     "#0 absolute:0x1010\n"
     "#1 absolute:0x15666 load:0x14000 return id:92ebaf825e4f492952c45189cb9ffc6541f8599b\n"
     "error-event 40 exception:My::Error\n"
     "#0 f:f at:/a.rb:13 not-needed\n"},
    {"documents of two lines", "a document is not the one above",
     "{\"crash\":{\"error\":{\"type\":\"signal\",\"signal\":{\"name\":\"SIGILL\"}},\"threads\":[{\"crashed\":true,"
     "\"backtrace\":{\"contents\":[{\"instruction_addr\":48}]}}]},\n\"x\":1}\n"
     "{\"crash\":{\"error\":{\"type\":\"signal\",\"signal\":{\"name\":\"SIGFPE\"}},\"threads\":[{\"crashed\":true,"
     "\"backtrace\":{\"contents\":[{\"instruction_addr\":64}]}}]},\n\"y\":2}\n",
     "error-event 1 exception:SIGILL crashed\n#0 absolute:0x30\nerror-event 3 exception:SIGFPE crashed\n"
     "#0 absolute:0x40\n"},
    {"KSCrash, exceptions", "of Objective-C, of C++, and one that the application reports",
     "{\"crash\":{\"error\":{\"type\":\"nsexception\",\"nsexception\":{\"name\":\"NSRangeException\",\"reason\":"
     "\"far\"}},"
     "\"threads\":[{\"crashed\":true,\"backtrace\":{\"contents\":[{\"instruction_addr\":48}]}}]}}\n"
     "{\"crash\":{\"error\":{\"type\":\"cpp_exception\",\"reason\":\"bad\",\"cpp_exception\":{\"name\":\"mine\"}},"
     "\"threads\":[{\"crashed\":true,\"backtrace\":{\"contents\":[{\"instruction_addr\":48}]}}]}}\n"
     "{\"crash\":{\"error\":{\"type\":\"user\",\"reason\":\"r\",\"user_reported\":{\"name\":\"told\"}},"
     "\"threads\":[{\"crashed\":true,\"backtrace\":{\"contents\":[{\"instruction_addr\":48}]}}]}}\n",
     "error-event 1 exception:NSRangeException crashed\n#0 absolute:0x30\n"
     "error-event 2 exception:mine crashed\n#0 absolute:0x30\n"
     "error-event 3 exception:told crashed\n#0 absolute:0x30\n"},
    {"KSCrash, neither a signal nor an exception", "the kind of the error is its name",
     "{\"crash\":{\"error\":{\"type\":\"deadlock\",\"address\":0,\"mach\":{\"exception\":0},\"signal\":{\"signal\":0}},"
     "\"threads\":[{\"crashed\":true,\"backtrace\":{\"contents\":[{\"instruction_addr\":48}]}}]}}\n",
     "error-event 1 exception:deadlock crashed\n#0 absolute:0x30\n"},
    {"Swift", "each frame has the kind of its address; what the compiler made has a file without a line",
     "{ \"timestamp\": \"2030\", \"kind\": \"crashReport\", \"description\": \"Illegal instruction\", "
     "\"faultAddress\": \"0x1010\", \"platform\": \"Linux (Some 3)\", \"architecture\": \"x86_64\", \"threads\": ["
     "{ \"name\": \"shop\", \"crashed\": true, \"frames\": ["
     "{ \"kind\": \"programCounter\", \"address\": \"0x1010\", \"inlined\": true, \"symbol\": \"<unknown>\", "
     "\"offset\": 0, \"description\": \"<unknown>\", \"image\": \"shop\" }, "
     "{ \"kind\": \"programCounter\", \"address\": \"0x1010\" }, "
     "{ \"kind\": \"returnAddress\", \"address\": \"0x1020\" }, "
     "{ \"kind\": \"asyncResumePoint\", \"address\": \"0x1030\", \"symbol\": \"f\", \"offset\": 0, \"image\": "
     "\"shop\", \"sourceLocation\": { \"file\": \"//<compiler-generated>\", \"line\": 0, \"column\": 0 } }, "
     "{ \"kind\": \"returnAddress\", \"address\": \"0x1040\", \"symbol\": \"g\", \"offset\": 4, \"image\": "
     "\"shop\", \"sourceLocation\": { \"file\": \"/a.swift\", \"line\": 3, \"column\": 7 } }, "
     "{ \"kind\": \"truncated\" } ] } ], \"images\": [ { \"name\": \"shop\", \"buildId\": "
     "\"0102030405060708090a0b0c0d0e0f1011121314\", \"path\": \"/srv/shop\", \"baseAddress\": \"0x1000\", "
     "\"endOfText\": \"0x2000\" } ] }\n",
     "error-event 1 thread:shop exception:Illegal instruction arch:x86_64 crashed\n"
     "#0 m:shop absolute:0x1010 load:0x1000 id:0102030405060708090a0b0c0d0e0f1011121314\n"
     "#1 m:shop absolute:0x1010 load:0x1000 id:0102030405060708090a0b0c0d0e0f1011121314\n"
     "#2 m:shop absolute:0x1020 load:0x1000 return id:0102030405060708090a0b0c0d0e0f1011121314\n"
     "#3 m:shop absolute:0x1030 load:0x1000 id:0102030405060708090a0b0c0d0e0f1011121314 f:f "
     "at://<compiler-generated> not-needed\n"
     "#4 m:shop absolute:0x1040 load:0x1000 return id:0102030405060708090a0b0c0d0e0f1011121314 f:g at:/a.swift:3:7 "
     "not-needed\n#5 skipped not-needed\n"},
    {"React Native alone", "the document is the list",
     "[{\"methodName\":\"f\",\"file\":\"index.bundle\",\"lineNumber\":1,\"column\":42}]\n",
     "react-native-frames 1\n#0 f:f at:index.bundle:1:42\n"},
    {"bugsnag, NDK", "the file is the library, the line is its address",
     "{\"stacktrace\":[{\"frameAddress\":\"0x1010\",\"loadAddress\":\"0x1000\",\"file\":\"/d/"
     "liba.so\",\"lineNumber\":16,"
     "\"method\":\"0x10\",\"codeIdentifier\":\"0102030405060708\"}]}\n",
     "bugsnag-event 1\n#0 m:liba.so absolute:0x1010 load:0x1000 id:0102030405060708\n"},
    {"Rollbar", "callers come first; classes have a member of their own",
     "{\"data\":{\"body\":{\"trace\":{\"frames\":[{\"filename\":\"https://h/"
     "a.js\",\"lineno\":1,\"colno\":2,\"method\":\"f\"},"
     "{\"filename\":\"SourceFile\",\"lineno\":3,\"method\":\"a\",\"class_name\":\"a.b\"}]}}}}\n",
     "error-event 1\n#1 f:f at:https://h/a.js:1:2\n#0 c:a.b f:a at:SourceFile:3\n"},
    {"Rollbar's exception", "it is an object next to the frames, before or after them",
     "{\"trace\":{\"exception\":{\"class\":\"a.x\",\"message\":\"m\"},\"frames\":[{\"filename\":\"SourceFile\","
     "\"lineno\":3,\"method\":\"a\",\"class_name\":\"a.b\"}]}}\n"
     "{\"trace\":{\"frames\":[{\"filename\":\"https://h/a.js\",\"lineno\":1,\"colno\":2,\"method\":\"f\"}],"
     "\"exception\":{\"class\":\"TypeError\"}}}\n",
     "error-event 1 exception:a.x\n#0 c:a.b f:a at:SourceFile:3\n! exception:a.x before:0\n"
     "error-event 2 exception:TypeError\n#0 f:f at:https://h/a.js:1:2\n"},
    {"New Relic, Android", "the document has the exception of the thread that crashed",
     "{\"platform\":\"Android\",\"exception\":{\"name\":\"a.x\",\"cause\":\"m\"},\"threads\":[{\"crashed\":true,"
     "\"threadNumber\":1,\"threadId\":\"main\",\"stack\":[{\"fileName\":\"SourceFile\",\"className\":\"a.b\","
     "\"methodName\":\"c\",\"lineNumber\":3},{\"className\":\"a.d\",\"methodName\":\"e\",\"lineNumber\":-2}]},"
     "{\"crashed\":false,\"threadNumber\":2,\"threadId\":\"GC\",\"stack\":[{\"className\":\"a.f\","
     "\"methodName\":\"g\",\"lineNumber\":7}]}]}\n",
     "error-event 1 thread:main exception:a.x crashed\n#0 c:a.b f:c at:SourceFile:3\n#1 c:a.d f:e\n"
     "! exception:a.x before:0\nerror-event 1 thread:GC\n#0 c:a.f f:g:7\n"},
    {"New Relic, iOS", "addresses, the images of the document, the signal if there is no exception",
     "{\"exception\":{\"name\":null,\"cause\":null,\"signalInfo\":{\"faultAddress\":\"0x10\",\"signalName\":"
     "\"SIGSEGV\"}},"
     "\"threads\":[{\"crashed\":true,\"threadNumber\":0,\"threadId\":null,\"stack\":[{\"instructionPointer\":"
     "\"0x104222010\","
     "\"symbolInfo\":{\"symbolStartAddr\":\"0x0\",\"symbolName\":null}},{\"instructionPointer\":\"0x1a2000020\","
     "\"symbolInfo\":{\"symbolStartAddr\":\"0x1a2000000\",\"symbolName\":\"start\"}}]},{\"crashed\":false,"
     "\"threadNumber\":1,"
     "\"stack\":[{\"instructionPointer\":\"0x104222030\"}]}],\"libraries\":[{\"baseAddress\":\"0x104222000\","
     "\"imageName\":\"/v/Shop\",\"imageSize\":32768,\"imageUuid\":\"8C17697F2E8439E5B491FCF5169106FF\","
     "\"codeType\":{\"arch\":\"arm64\"}}]}\n",
     "error-event 1 thread:0 exception:SIGSEGV crashed\n"
     "#0 m:Shop absolute:0x104222010 load:0x104222000 id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"
     "#1 absolute:0x1a2000020 return f:start\nerror-event 1 thread:1\n"
     "#0 m:Shop absolute:0x104222030 load:0x104222000 id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"},
    {"Application Insights", "the column of a script is in its row; an exception that caused the one before it",
     "{\"exceptions\":[{\"id\":1,\"typeName\":\"TypeError\",\"message\":\"m\",\"parsedStack\":[{\"level\":0,\"method\":"
     "\"f\","
     "\"assembly\":\"at f (https://h/a.js:1:2)\",\"fileName\":\"https://h/a.js\",\"line\":1},{\"level\":1,"
     "\"method\":\"<no_method>\",\"assembly\":\"at https://h/a.js:1:9\",\"fileName\":\"https://h/a.js\",\"line\":1}]},"
     "{\"id\":2,\"outerId\":1,\"type\":\"A.BException\",\"parsedStack\":[{\"assembly\":\"A, Version=1.0.0.0\","
     "\"method\":\"A.B.C\",\"level\":0,\"line\":3,\"fileName\":\"C:\\\\a.cs\"}]}]}\n",
     "error-event 1 exception:TypeError\n#0 f:f at:https://h/a.js:1:2\n#1 at:https://h/a.js:1:9\n"
     "error-event 1 exception:A.BException\n#0 f:A.B.C at:C:\\a.cs:3 not-needed\n"},
    {"Log4j", "pretty-printed, as its JSON layout writes it if nothing else is asked for",
     "{\n  \"level\" : \"ERROR\",\n  \"message\" : \"failed\",\n  \"thrown\" : {\n    \"name\" : \"a.x\",\n"
     "    \"message\" : \"m\",\n    \"extendedStackTrace\" : [ {\n      \"class\" : \"a.b\",\n      \"method\" : "
     "\"c\",\n"
     "      \"file\" : \"SourceFile\",\n      \"line\" : 3,\n      \"exact\" : true\n    } ]\n  }\n}\n",
     "error-event 7 exception:a.x\n#0 c:a.b f:c at:SourceFile:3\n! exception:a.x before:0\n"},
    {"App Center", "the names of Java's StackTraceElement",
     "{\"exception\":{\"type\":\"a.x\",\"frames\":[{\"className\":\"a.b\",\"methodName\":\"c\",\"lineNumber\":3,"
     "\"fileName\":\"SourceFile\"}]}}\n",
     "error-event 1 exception:a.x\n#0 c:a.b f:c at:SourceFile:3\n! exception:a.x before:0\n"},
    {"Raygun", "both spellings; the class of a script's frame is its position",
     "{\"Details\":{\"Error\":{\"ClassName\":\"Error\",\"StackTrace\":[{\"LineNumber\":1,\"ColumnNumber\":2,"
     "\"ClassName\":"
     "\"line 1, column 2\",\"FileName\":\"https://h/a.js\",\"MethodName\":\"f\"}]}}}\n"
     "{\"details\":{\"error\":{\"stackTrace\":[{\"lineNumber\":3,\"className\":\"A.B\",\"fileName\":\"B.cs\","
     "\"methodName\":\"c()\"}]}}}\n",
     "error-event 1 exception:Error\n#0 f:f at:https://h/a.js:1:2\n"
     "error-event 2\n#0 f:c() at:B.cs:3 not-needed\n"},
    {"Backtrace", "the exception is in the document, for the thread at fault; frames of Android have no file",
     "{\"lang\":\"java\",\"classifiers\":[\"a.b.Fault\"],\"attributes\":{\"error.message\":\"no\"},\"threads\":{\"1\":{"
     "\"name\":\"main\",\"fault\":true,\"stack\":[{\"funcName\":\"a.b.c\",\"line\":7,\"sourceCode\":\"x\"}]},\"2\":{"
     "\"name\":\"pool\",\"fault\":false,\"stack\":[{\"funcName\":\"d.e.f\",\"line\":0}]}}}\n"
     "{\"classifiers\":[],\"threads\":{\"main\":{\"name\":\"main\",\"fault\":true,\"stack\":[{\"funcName\":\"f\","
     "\"library\":\"https://h/a.js\",\"line\":1,\"column\":2,\"debug_identifier\":"
     "\"1a2b3c4d-0000-4000-8000-00000000000f\"}]}}}\n",
     "error-event 1 thread:main exception:a.b.Fault crashed\n#0 c:a.b f:c:7\n! exception:a.b.Fault before:0\n"
     "error-event 1 thread:pool\n#0 c:d.e f:f\n"
     "error-event 2 thread:main crashed\n#0 id:1a2b3c4d00004000800000000000000f f:f at:https://h/a.js:1:2\n"},
    {"Honeybadger and Airbrake", "numbers may be strings",
     "{\"error\":{\"class\":\"E\",\"backtrace\":[{\"number\":\"1\",\"column\":\"2\",\"file\":\"https://h/"
     "a.js\",\"method\":"
     "\"f\"},{\"number\":\"4\",\"file\":\"a.rb\",\"method\":\"g\"}]}}\n"
     "{\"errors\":[{\"type\":\"E\",\"backtrace\":[{\"file\":\"https://h/"
     "a.js\",\"line\":1,\"column\":2,\"function\":\"f\"}]}]}"
     "\n",
     "error-event 1 exception:E\n#0 f:f at:https://h/a.js:1:2\n#1 f:g at:a.rb:4 not-needed\n"
     "error-event 2 exception:E\n#0 f:f at:https://h/a.js:1:2\n"},
    {"Elastic APM", "the names of Sentry's members, but not its order",
     "{\"error\":{\"exception\":{\"type\":\"a.x\",\"stacktrace\":[{\"filename\":\"SourceFile\",\"classname\":\"a.b\","
     "\"function\":\"c\",\"lineno\":3,\"library_frame\":false},{\"filename\":\"a.js\",\"abs_path\":\"https://h/"
     "a.js\",\"lineno\":1,"
     "\"colno\":2}]}}}\n",
     "error-event 1 exception:a.x\n#0 c:a.b f:c at:SourceFile:3\n#1 at:https://h/a.js:1:2\n! exception:a.x before:0\n"},
    {"Elastic APM's span", "its type is what was measured, not an exception's",
     "{\"span\":{\"name\":\"SELECT FROM carts\",\"type\":\"db.sql.query\",\"duration\":3.5,\"stacktrace\":[{"
     "\"filename\":\"SourceFile\",\"classname\":\"a.b\",\"function\":\"c\",\"lineno\":3,\"library_frame\":false}]}}\n",
     "error-event 1\n#0 c:a.b f:c at:SourceFile:3\n"},
    {"a profile", "its stacks count the frames, so they stay",
     "{\"profile\":{\"frames\":[{\"filename\":\"https://h/a.js\",\"lineno\":1,\"colno\":2}],\"stacks\":[[0]]}}\n", ""},
    {"NDJSON", "each record is a document; records without stacks pass",
     "{\"a\":1}\n{\"stack\":[{\"methodName\":\"f\",\"file\":\"a.js\",\"lineNumber\":1,\"column\":4}]}\n{\"frames\":[]}"
     "\n"
     "{\"stack\":[{\"methodName\":\"g\",\"file\":\"a.js\",\"lineNumber\":2,\"column\":5}]}\n",
     "react-native-frames 2\n#0 f:f at:a.js:1:4\nreact-native-frames 4\n#0 f:g at:a.js:2:5\n"},
    {"other documents", "lists that are no frames",
     "{\"frames\":[1,2,3],\"stack\":[{\"x\":1}],\"stacktrace\":\"none\"}\n", ""},
    {"broken", "not JSON, cut, or nested without end",
     "{\"frames\":[{\"lineno\":1,}]}\n{\"stack\":[{\"methodName\":\"f\"\n{\"frames\":[[[[[[[[{\"lineno\":1}]]]]]]]]}\n",
     ""}};

static void test_read(void **state)
{
    (void)state;
    check_texts(cases, COUNT_OF(cases));
}

/* Ten lines that are put before the text of each case. All parsers are offered the first lines of a text, so the line
 * with the keys must come later. That line begins in the middle of a pair or a list. */
#define ABOVE "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
#define FRAMES_OF_ONE "\"stacktrace\":{\"frames\":[{\"module\":\"a.b\",\"function\":\"c\",\"lineno\":3}]}}\nbelow\n"
static const struct text_case broken_lines[] = {
    {"before a comma", "the comma-first style", ABOVE "{\"type\":\"E\"\n," FRAMES_OF_ONE,
     "sentry-event 12 exception:E\n#0 c:a.b f:c:3\n"},
    {"before a colon", "the key is on the line above", ABOVE "{\"type\"\n:\"E\"," FRAMES_OF_ONE,
     "sentry-event 12 exception:E\n#0 c:a.b f:c:3\n"},
    {"before a closing brace", "what follows the brace is on the same line",
     ABOVE "{\"type\":\"E\",\"user\":{\"id\":7\n}," FRAMES_OF_ONE, "sentry-event 12 exception:E\n#0 c:a.b f:c:3\n"},
    {"before a closing bracket", "as above", ABOVE "{\"type\":\"E\",\"tags\":[7\n]," FRAMES_OF_ONE,
     "sentry-event 12 exception:E\n#0 c:a.b f:c:3\n"},
    {"before a number", "no writer breaks lines there: not a line of an event",
     ABOVE "{\"type\":\"E\",\"id\":\n7," FRAMES_OF_ONE, ""},
    {"metrickit, before a comma", "the same for other documents",
     ABOVE "{\"a\":1\n,\"crashDiagnostics\":[{\"callStackTree\":{\"callStacks\":[{\"callStackRootFrames\":[{"
           "\"binaryName\":\"App\",\"address\":4364303220}]}]}}]}\nbelow\n",
     "metrickit 12\n- m:App absolute:0x10421fb74 unknown-image\n"},
    {"apple-ips, before a comma", "the same for other documents",
     ABOVE "{\"bug_type\":\"309\"\n,\"threads\":[{\"id\":1,\"frames\":[{\"imageOffset\":16,\"imageIndex\":0}]}],"
           "\"usedImages\":[{\"base\":4096,\"size\":64,\"name\":\"App\",\"path\":\"/App\"}]}\nbelow\n",
     "apple-ips 12 thread:0\n#0 m:App absolute:0x1010 load:0x1000\n"}};

#define SENTRY_FRAMES "{\"frames\":[{\"module\":\"a.b\",\"function\":\"c\",\"lineno\":3}]}"
#define SENTRY_VALUE(type, ids) "{\"type\":\"" type "\",\"mechanism\":{" ids "},\"stacktrace\":" SENTRY_FRAMES "}"
#define SENTRY_VALUES(low, mid, high)                                                                                  \
    "{\"exception\":{\"values\":[" SENTRY_VALUE("L", low) "," SENTRY_VALUE("M", mid) "," SENTRY_VALUE("H", high) "]}}" \
                                                                                                                 "\n"

/* want: for each exception of an event, the number of the trace whose exception it caused; "-": it caused none */
static const struct {
    const char *name, *text, *want;
} causes[] = {
    {"one after the other: threads of Bugsnag's are none",
     "{\"exceptions\":[{\"errorClass\":\"a.High\",\"stacktrace\":[{\"method\":\"f\",\"lineNumber\":1}]},"
     "{\"errorClass\":\"a.Mid\",\"stacktrace\":[{\"method\":\"g\",\"lineNumber\":2}]},"
     "{\"errorClass\":\"a.Low\",\"stacktrace\":[{\"method\":\"g\",\"lineNumber\":2}]}],"
     "\"threads\":[{\"id\":7,\"stacktrace\":[{\"method\":\"h\",\"lineNumber\":3}]}]}\n",
     "-01-"},
    {"within each other, as App Center, Raygun and Elastic APM have them; two of one exception",
     "{\"exception\":{\"type\":\"a.High\",\"frames\":[{\"className\":\"a.B\",\"methodName\":\"f\"}],"
     "\"innerExceptions\":[{\"type\":\"a.Low\",\"frames\":[{\"className\":\"a.B\",\"methodName\":\"g\"}]},"
     "{\"type\":\"a.Other\",\"frames\":[{\"className\":\"a.B\",\"methodName\":\"h\"}]}]}}\n",
     "-00"},
    {"Rollbar's, Airbrake's and Honeybadger's: one after the other",
     "{\"trace_chain\":[{\"frames\":[{\"method\":\"f\",\"lineno\":1}],\"exception\":{\"class\":\"A\"}},"
     "{\"frames\":[{\"method\":\"g\",\"lineno\":1}],\"exception\":{\"class\":\"B\"}}]}\n"
     "{\"errors\":[{\"type\":\"A\",\"backtrace\":[{\"function\":\"f\",\"line\":1}]},"
     "{\"type\":\"B\",\"backtrace\":[{\"function\":\"f\",\"line\":1}]}]}\n"
     "{\"error\":{\"class\":\"A\",\"backtrace\":[{\"method\":\"f\",\"number\":1}],\"causes\":["
     "{\"class\":\"B\",\"backtrace\":[{\"method\":\"f\",\"number\":1}]},"
     "{\"class\":\"C\",\"backtrace\":[{\"method\":\"f\",\"number\":1}]}]}}\n",
     "-0-2-45"},
    {"events of one payload",
     "{\"events\":[{\"exceptions\":[{\"errorClass\":\"A\",\"stacktrace\":[{\"method\":\"f\",\"lineNumber\":1}]}]},"
     "{\"exceptions\":[{\"errorClass\":\"B\",\"stacktrace\":[{\"method\":\"f\",\"lineNumber\":1}]}]}]}\n",
     "--"},
    {"Sentry's, which precede; in a group, ids say which is which", SENTRY_VALUES("", "", ""), "12-"},
    {"with ids in one line",
     SENTRY_VALUES("\"exception_id\":2,\"parent_id\":1", "\"exception_id\":1,\"parent_id\":0", "\"exception_id\":0"),
     "12-"},
    {"two of a group",
     SENTRY_VALUES("\"exception_id\":2,\"parent_id\":0", "\"exception_id\":1,\"parent_id\":0", "\"exception_id\":0"),
     "22-"},
    {"ids that are none of the list",
     SENTRY_VALUES("\"parent_id\":7", "\"exception_id\":1,\"parent_id\":0", "\"exception_id\":0"), "-2-"},
    {"a list of others",
     "[{\"type\":\"A\",\"stacktrace\":" SENTRY_FRAMES "},{\"type\":\"B\",\"stacktrace\":" SENTRY_FRAMES "}]\n", "--"},
};

static void test_causes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(causes); i++) {
        struct parsed parsed;
        char got[9] = {0};
        parse(&parsed, text_of(causes[i].text));
        for (size_t t = 0; t < parsed.count && t < sizeof got - 1; t++) {
            const framemap_trace *trace = &parsed.traces[t];
            got[t] = trace->role == FRAMEMAP_ROLE_CAUSE ? (char)('0' + trace->part_of) : '-';
        }
        same_text(causes[i].name, "the causes", text_of(got), text_of(causes[i].want));
        parsed_free(&parsed);
    }
}

/* Checks a pretty-printed event whose list of images is far from the frames. The id in the first lines shows that the
 * text is an event. */
static void test_early_key(void **state)
{
    (void)state;
    char text[4096];
    size_t size = (size_t)snprintf(text, sizeof text, "{\n  \"event_id\": \"0102\",\n  \"tags\": {\n");
    for (unsigned i = 0; i < 60; i++) size += (size_t)snprintf(text + size, sizeof text - size, "    \"t%u\": 1,\n", i);
    snprintf(text + size, sizeof text - size,
             "    \"last\": 1\n  },\n  \"exception\": {\"values\": [{\"stacktrace\": {\n    \"frames\": [\n"
             "      {\"instruction_addr\": \"0x1010\", \"package\": \"/d/liba.so\"}\n    ]}}]},\n  \"debug_meta\": "
             "{\"images\": [\n"
             "    {\"type\": \"elf\", \"code_file\": \"/d/liba.so\", \"code_id\": \"0102030405060708\", "
             "\"image_addr\": \"0x1000\", \"image_size\": 256}\n  ]}\n}\n");
    struct parsed parsed;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 1);
    assert_int_equal(parsed.traces[0].frame_count, 1);
    same_text("early key", "the id", parsed.traces[0].frames[0].id, text_of("0102030405060708"));
    parsed_free(&parsed);
}

/* Checks a pretty-printed report of KSCrash whose list of images is far from the frames, too. The report has no id at
 * its start, so it is recognized by its name. */
static void test_early_name(void **state)
{
    (void)state;
    char text[4096];
    size_t size = (size_t)snprintf(text, sizeof text,
                                   "{\n  \"report\": {\n    \"process_name\": \"Shop\",\n    \"type\": "
                                   "\"standard\"\n  },\n  \"process\": {\n");
    for (unsigned i = 0; i < 60; i++) size += (size_t)snprintf(text + size, sizeof text - size, "    \"t%u\": 1,\n", i);
    snprintf(
        text + size, sizeof text - size,
        "    \"last\": 1\n  },\n  \"crash\": {\"error\": {\"type\": \"signal\", \"signal\": {\"name\": \"SIGABRT\"}},\n"
        "  \"threads\": [{\"crashed\": true, \"backtrace\": {\n    \"contents\": [\n"
        "      {\"instruction_addr\": 4112, \"object_addr\": 4096, \"object_name\": \"Shop\"}\n    ]}}]},\n"
        "  \"binary_images\": [\n    {\"name\": \"/b/Shop\", \"image_addr\": 4096, \"image_size\": 256, "
        "\"uuid\": \"01020304-0506-0708-090A-0B0C0D0E0F10\"}\n  ]\n}\n");
    struct parsed parsed;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 1);
    same_text("early name", "the id", parsed.traces[0].frames[0].id, text_of("0102030405060708090a0b0c0d0e0f10"));
    same_text("early name", "the exception", parsed.traces[0].exception, text_of("SIGABRT"));
    parsed_free(&parsed);
}

/* Checks the members of a report of KSCrash that no other parser's test compares. */
static void test_kscrash(void **state)
{
    (void)state;
    struct parsed parsed;
    parse(&parsed,
          text_of(
              "{\"crash\":{\"error\":{\"type\":\"mach\",\"address\":16,\"mach\":{\"exception_name\":\"EXC_BAD_ACCESS\","
              "\"code_name\":\"KERN_INVALID_ADDRESS\"},\"signal\":{\"name\":\"SIGSEGV\"}},\"threads\":["
              "{\"backtrace\":{\"contents\":[{\"instruction_addr\":4112}]},\"index\":0,\"crashed\":true,"
              "\"dispatch_queue\":\"com.apple.main-thread\"},{\"backtrace\":{\"contents\":[{\"instruction_addr\":48}]},"
              "\"index\":1,\"crashed\":false}]}}\n"));
    assert_int_equal(parsed.count, 2);
    same_text("KSCrash", "the queue", parsed.traces[0].thread_queue, text_of("com.apple.main-thread"));
    same_text("KSCrash", "the kind", parsed.traces[0].mach_type, text_of("EXC_BAD_ACCESS"));
    same_text("KSCrash", "the code", parsed.traces[0].mach_codes, text_of("KERN_INVALID_ADDRESS"));
    assert_int_equal(parsed.traces[1].thread_queue.size, 0);
    assert_int_equal(parsed.traces[1].mach_type.size, 0);
    parsed_free(&parsed);
}

/* Insignificant lines may be skipped or not: the same stacks are found in a text. */
static void test_broken_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(broken_lines); i++) {
        const struct text_case *row = &broken_lines[i / 2];
        const enum fm_prefilter_use use = i % 2 ? FM_PREFILTER_ALWAYS : FM_PREFILTER_NEVER;
        struct parsed parsed = {.traces = NULL};
        struct fm_buf got;
        fm_heap_init(&parsed.heap, NULL, 0);
        fm_arena_init(&parsed.arena, &parsed.heap);
        assert_int_equal(fm_formats_parse_prefiltered(text_of(row->text), NULL, use, &parsed.arena, &parsed.traces,
                                                      &parsed.count, &parsed.error),
                         FRAMEMAP_OK);
        fm_buf_init(&got, &parsed.heap);
        describe(&got, parsed.traces, parsed.count);
        same_text(row->name, i % 2 ? "read with the prefilter" : "read", fm_buf_view(&got), text_of(row->want));
        fm_buf_free(&got);
        parsed_free(&parsed);
    }
}

static const struct text_case looks[] = {
    {"New Relic, iOS", "framemap's members are added",
     "{\"threads\":[{\"threadNumber\":0,\"stack\":[{\"instructionPointer\":\"0x1000\",\"symbolInfo\":{\"symbolName\":"
     "\"a\"}}]}]}"
     "\n",
     "{\"threads\":[{\"threadNumber\":0,\"stack\":[{\"instructionPointer\":\"0x1000\",\"symbolInfo\":{\"symbolName\":"
     "\"a\"},"
     "\"function\":\"inner(int)\",\"file\":\"src/a.cc\",\"line\":7},{\"instructionPointer\":\"0x1000\",\"symbolInfo\":{"
     "\"symbolName\":\"a\"},\"function\":\"outer()\",\"file\":\"src/a.cc\",\"line\":21}]}]}\n"},
    {"Node", "framemap's members are added, also in a pretty-printed list",
     "{\"nativeStack\": [\n  {\n    \"pc\": \"0x0000000000001000\",\n    \"symbol\": \" [node]\"\n  }\n]}\n",
     "{\"nativeStack\": [\n  {\n    \"pc\": \"0x0000000000001000\",\n    \"symbol\": \" [node]\",\n    \"function\": "
     "\"inner(int)\",\n    \"file\": \"src/a.cc\",\n    \"line\": 7\n  }, {\n    \"pc\": \"0x0000000000001000\",\n    "
     "\"symbol\": \" [node]\",\n    \"function\": \"outer()\",\n    \"file\": \"src/a.cc\",\n    \"line\": 21\n  "
     "}\n]}\n"},
    {"Application Insights", "its own members, not those of Log4j",
     "{\"parsedStack\":[{\"level\":0,\"method\":\"f\",\"assembly\":\"at f "
     "(a.js:1:2)\",\"fileName\":\"a.js\",\"line\":1}]}\n",
     "{\"parsedStack\":[{\"level\":0,\"method\":\"inner(int)\",\"assembly\":\"at f "
     "(a.js:1:2)\",\"fileName\":\"src/a.cc\","
     "\"line\":7},{\"level\":0,\"method\":\"outer()\",\"assembly\":\"at f (a.js:1:2)\",\"fileName\":\"src/a.cc\","
     "\"line\":21}]}\n"},
};

static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, COUNT_OF(looks), fm_test_chain, 2);
}

static void check_edit(const char *raw, const struct fm_edit *edits, size_t count, const char *want)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    fm_object_edit(&out, text_of(raw), edits, count);
    same_text(raw, "edited", fm_buf_view(&out), text_of(want));
    fm_buf_free(&out);
}

static void test_edit(void **state)
{
    (void)state;
    const struct fm_edit edits[] = {{.name = FM_STR("a"), .kind = FM_EDIT_TEXT, .text = FM_STR("x\"")},
                                    {.name = FM_STR("n"), .kind = FM_EDIT_NUMBER, .number = 7},
                                    {.name = FM_STR("z"), .kind = FM_EDIT_NULL},
                                    {.name = FM_STR("k"), .kind = FM_EDIT_TRUE, .adds_only = true}};
    check_edit("{\"a\":1, \"z\" : {\"a\":2}, \"k\":0}", edits, 4, "{\"a\":\"x\\\"\", \"z\" : null, \"k\":0, \"n\":7}");
    check_edit("{\n  \"n\": 1.50e0\n}", edits, 4, "{\n  \"n\": 7,\"a\": \"x\\\"\",\"k\": true\n}");
    check_edit("{}", edits, 4, "{\"a\":\"x\\\"\",\"n\":7,\"k\":true}");
    check_edit("[1]", edits, 4, "[1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read),         cmocka_unit_test(test_causes),
                                       cmocka_unit_test(test_early_key),    cmocka_unit_test(test_early_name),
                                       cmocka_unit_test(test_broken_lines), cmocka_unit_test(test_edit),
                                       cmocka_unit_test(test_looks),        cmocka_unit_test(test_kscrash)};
    return cmocka_run_group_tests_name("formats events", tests, NULL, NULL);
}
