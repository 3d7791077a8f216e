#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"traceback", "outermost first, source and carets between",
     "x\nTraceback (most recent call last):\n  File \"/app/a.py\", line 7, in <module>\n    run(1)\n    ^^^^^^\n"
     "  File \"/app/b c.py\", line 3, in K.run\n    return f(\n           ~^\nlib.errors.BadInput: no: such\nx\n",
     "python line:3 lines:4 type:lib.errors.BadInput message:no: such outermost first\n  f:<module> at:/app/a.py l:7\n "
     " f:K.run "
     "at:/app/b c.py l:3\n"},
    {"recursion", "a row for many",
     "Traceback (most recent call last):\n  File \"a.py\", line 2, in rec\n    rec()\n  [Previous line repeated 997 "
     "more "
     "times]\nRecursionError: maximum recursion depth exceeded\n",
     "python line:2 lines:3 type:RecursionError message:maximum recursion depth exceeded outermost first\n  f:rec "
     "at:a.py l:2\n  "
     "repeated n:997\n"},
    {"chain", "the first is the cause of the second; a string in the source is no exception",
     "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError\n\nThe above exception was the "
     "direct "
     "cause of the following exception:\n\nTraceback (most recent call last):\n  File \"a.py\", line 3, in g\n    "
     "raise "
     "Bad(\"bad\\nsecond\") from e\nBad: bad\nsecond\n\nDuring handling of the above exception, another exception "
     "occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 5, in h\nValueError: x\n",
     "python line:2 type:KeyError cause of 1 outermost first\n  f:f at:a.py l:1\npython line:8 type:Bad message:bad "
     "cause of 2 outermost first\n  f:g "
     "at:a.py l:3\npython line:16 type:ValueError message:x outermost first\n  f:h at:a.py l:5\n"},
    {"strings with escapes", "of the source and in the message",
     "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    print(\"a\\n\", x[\"Bad: b\\n\"])\n"
     "  File \"a.py\", line 3, in g\n    int(x)\nValueError: invalid literal for int() with base 10: 'abc\\n'\n",
     "python line:2 lines:3 type:ValueError message:invalid literal for int() with base 10: 'abc\\n' outermost first\n"
     "  f:f at:a.py l:1\n  f:g at:a.py l:3\n"},
    {"group", "each exception of a group follows a rail",
     "  + Exception Group Traceback (most recent call last):\n  |   File \"a.py\", line 9, in <module>\n  |     raise "
     "g\n"
     "  | ExceptionGroup: many (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | Traceback (most "
     "recent "
     "call last):\n    |   File \"a.py\", line 4, in f\n    |     1/x\n    | ZeroDivisionError: division by zero\n    "
     "+------------------------------------\n",
     "python line:2 type:ExceptionGroup message:many (1 sub-exception) outermost first\n  f:<module> at:a.py "
     "l:9\npython line:7 "
     "type:ZeroDivisionError message:division by zero cause of 0 outermost first\n  f:f at:a.py l:4\n"},
    {"groups", "within each other; a sentence within one; what follows is not caused by the last exception of a group",
     "  + Exception Group Traceback (most recent call last):\n  |   File \"a.py\", line 1, in a\n  | ExceptionGroup: x "
     "(1 "
     "sub-exception)\n  +-+---------------- 1 ----------------\n    | Exception Group Traceback (most recent call "
     "last):\n    |   File \"a.py\", line 2, in b\n    | ExceptionGroup: y (2 sub-exceptions)\n    +-+---------------- "
     "1 "
     "----------------\n      | Traceback (most recent call last):\n      |   File \"a.py\", line 3, in c\n      | "
     "KeyError: 'k'\n      | \n      | The above exception was the direct cause of the following exception:\n      | \n"
     "      | Traceback (most recent call last):\n      |   File \"a.py\", line 4, in d\n      | ValueError: v\n"
     "      +---------------- 2 ----------------\n      | Traceback (most recent call last):\n      |   File \"a.py\", "
     "line 5, in e\n      | OSError: o\n      +------------------------------------\n\nDuring handling of the above "
     "exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 6, in f\n"
     "TypeError: t\n    | Traceback (most recent call last):\n    |   File \"a.py\", line 7, in g\n    | OSError: p\n",
     "python line:2 type:ExceptionGroup message:x (1 sub-exception) outermost first\n  f:a at:a.py l:1\n"
     "python line:6 type:ExceptionGroup message:y (2 sub-exceptions) cause of 0 outermost first\n  f:b at:a.py l:2\n"
     "python line:10 type:KeyError message:'k' cause of 3 outermost first\n  f:c at:a.py l:3\n"
     "python line:16 type:ValueError message:v cause of 1 outermost first\n  f:d at:a.py l:4\n"
     "python line:20 type:OSError message:o cause of 1 outermost first\n  f:e at:a.py l:5\n"
     "python line:27 type:TypeError message:t outermost first\n  f:f at:a.py l:6\n"
     "python line:30 type:OSError message:p outermost first\n  f:g at:a.py l:7\n"},
    {"groups that are closed",
     "a traceback with a rail below the last line of a group belongs to it only after a sentence",
     "  + Exception Group Traceback (most recent call last):\n  |   File \"a.py\", line 1, in a\n  | ExceptionGroup: x "
     "(2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | Exception Group Traceback (most recent call "
     "last):\n    |   File \"a.py\", line 2, in b\n    | ExceptionGroup: y (1 sub-exception)\n    +-+---------------- "
     "1 ----------------\n      | KeyError: 'k'\n      +------------------------------------\n    | \n    | The above "
     "exception was the direct cause of the following exception:\n    | \n    | Traceback (most recent call last):\n"
     "    |   File \"a.py\", line 3, in c\n    | OSError: o\n    +---------------- 2 ----------------\n    | Traceback "
     "(most recent call last):\n    |   File \"a.py\", line 4, in d\n    | ValueError: v\n"
     "    +------------------------------------\n    | Traceback (most recent call last):\n    |   File \"a.py\", line "
     "5, "
     "in e\n    | TypeError: t\n",
     "python line:2 type:ExceptionGroup message:x (2 sub-exceptions) outermost first\n  f:a at:a.py l:1\n"
     "python line:6 type:ExceptionGroup message:y (1 sub-exception) cause of 2 outermost first\n  f:b at:a.py l:2\n"
     "python line:15 type:OSError message:o cause of 0 outermost first\n  f:c at:a.py l:3\n"
     "python line:19 type:ValueError message:v cause of 0 outermost first\n  f:d at:a.py l:4\n"
     "python line:23 type:TypeError message:t outermost first\n  f:e at:a.py l:5\n"},
    {"faulthandler", "innermost first, a trace for each thread",
     "Fatal Python error: Segmentation fault\n\nThread 0x00007f01 (most recent call first):\n  File "
     "\"/l/threading.py\", "
     "line 5 in wait\n  ...\n\nCurrent thread 0x00007f02 [main] (most recent call first):\n  File \"<string>\", line 1 "
     "in "
     "<module>\n\nExtension modules: a\n",
     "python line:4 lines:2 thread:0x00007f01 type:Fatal Python error message:Segmentation fault\n  f:wait "
     "at:/l/threading.py l:5\n  skipped\npython line:8 thread:main type:Fatal Python error message:Segmentation fault "
     "crashed\n  f:<module> at:<string> l:1\n"},
    {"syntax error", "without a title, and with one",
     "  File \"b.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n\nTraceback (most recent call "
     "last):\n  File \"a.py\", line 2, in <module>\n    import b\n  File \"b.py\", line 1\n    def f(:\n          "
     "^\nSyntaxError: invalid syntax\n",
     "python line:1 type:SyntaxError message:invalid syntax outermost first\n  at:b.py l:1\npython line:7 lines:3 "
     "type:SyntaxError "
     "message:invalid syntax outermost first\n  f:<module> at:a.py l:2\n  at:b.py l:1\n"},
    {"lost indents", "source at the left is no exception, a name of one is",
     "Traceback (most recent call last):\nFile \"a.py\", line 2, in f\nreturn\nFile \"a.py\", line 4, in g\nx\n"
     "ValueError\n",
     "python line:2 lines:3 type:ValueError outermost first\n  f:f at:a.py l:2\n  f:g at:a.py l:4\n"},
    {"in JSON, and in a log", "escaped line ends; logcat",
     "{\"exc\":\"Traceback (most recent call last):\\n  File \\\"a.py\\\", line 2, in f\\n    x\\nValueError: y\"}\n"
     "11-21 10:00:00.123  12  13 E python  : Traceback (most recent call last):\n"
     "11-21 10:00:00.123  12  13 E python  :   File \"c.py\", line 8, in g\n"
     "11-21 10:00:00.123  12  13 E python  : OSError: [Errno 2] No such file\n",
     "python line:1 type:ValueError message:y outermost first\n  f:f at:a.py l:2\npython line:3 type:OSError "
     "message:[Errno 2] No such "
     "file outermost first\n  f:g at:c.py l:8\n"},
    {"exception above", "as some handlers print it; a line of a log after the rows is none",
     " === Uncaught exception: ===\nValueError: bad\nTraceback (most recent call last):\n  File \"a.py\", line 2, in "
     "f\nINFO: done\n",
     "python line:4 type:ValueError message:bad outermost first\n  f:f at:a.py l:2\n"},
    {"exception above, in a log", "as AWS Lambda prints it",
     "[ERROR] KeyError: 'x'\nTraceback (most recent call last):\n  File \"a.py\", line 2, in f\nEND RequestId: 0123\n",
     "python line:3 type:KeyError message:'x' outermost first\n  f:f at:a.py l:2\n"},
    {"no title", "traceback.print_stack, and a traceback whose title is lost",
     "x\n  File \"a.py\", line 9, in <module>\n    f()\n  File \"a.py\", line 2, in f\n    print_stack()\ndone\n"
     "  File \"b.py\", line 3, in g\n    h()\n  File \"b.py\", line 4, in h\nValueError: x\nx\nx\nx\n"
     "  File \"c.py\", line 3, in alone\nValueError: x\n",
     "python line:2 lines:3 outermost first\n  f:<module> at:a.py l:9\n  f:f at:a.py l:2\n"
     "python line:7 lines:3 type:ValueError message:x outermost first\n  f:g at:b.py l:3\n  f:h at:b.py l:4\n"},
    {"stacks", "those of logging and asyncio have no exception",
     "Stack (most recent call last):\n  File \"a.py\", line 2, in f\n    log()\ndone\nKeyError: x\n",
     "python line:2 outermost first\n  f:f at:a.py l:2\n"},
    {"Starlark", "columns",
     "ERROR: /w/BUILD:3:1: Traceback (most recent call last):\n\tFile \"/w/BUILD\", line 3, column 11, in "
     "<toplevel>\n\t\tf()\n\tFile \"/w/a.bzl\", line 7, column 9, in f\n\t\tfail(\"x\")\nError in fail: x\n",
     "python line:2 lines:3 outermost first\n  f:<toplevel> at:/w/BUILD l:3 col:11\n  f:f at:/w/a.bzl l:7 col:9\n"},
    {"AWS Lambda", "a list of strings, whose error is in members next to it",
     "{\"errorMessage\": \"division by zero\", \"errorType\": \"ZeroDivisionError\", \"requestId\": \"3f\", "
     "\"stackTrace\": [\"  File \\\"/var/task/app.py\\\", line 5, in handler\\n    return load(x)\\n\", \"  File "
     "\\\"/var/task/app.py\\\", line 12, in load\\n    return 1 / x\\n\"]}\n",
     "python line:1 type:ZeroDivisionError message:division by zero outermost first\n"
     "  f:handler at:/var/task/app.py l:5\n"
     "  f:load at:/var/task/app.py l:12\n"},
    {"AWS Lambda, pretty-printed", "each string on a line of its own, members below, twice",
     "{\n"
     "    \"stackTrace\": [\n"
     "        \"  File \\\"/var/task/app.py\\\", line 5, in handler\\n    load()\\n\",\n"
     "        \"  File \\\"/var/task/app.py\\\", line 12, in load\\n    return x['\\\"']\\n\"\n"
     "    ],\n"
     "    \"errorType\": \"Missing\",\n"
     "    \"errorMessage\": \"no \\\"name\\\"\"\n"
     "}\n"
     "{\n"
     "    \"stackTrace\": [\n"
     "        \"  File \\\"/var/task/app.py\\\", line 5, in handler\\n    load()\\n\",\n"
     "        \"  File \\\"/var/task/app.py\\\", line 12, in load\\n    return x['\\\"']\\n\"\n"
     "    ],\n"
     "    \"errorType\": \"Missing\",\n"
     "    \"errorMessage\": \"no \\\"name\\\"\"\n"
     "}\n",
     "python line:3 lines:2 type:Missing message:no \"name\" outermost first\n"
     "  f:handler at:/var/task/app.py l:5\n"
     "  f:load at:/var/task/app.py l:12\n"
     "python line:11 lines:2 type:Missing message:no \"name\" outermost first\n"
     "  f:handler at:/var/task/app.py l:5\n"
     "  f:load at:/var/task/app.py l:12\n"},
    {"single rows in JSON", "each record of a log is a stack of its own, also without a list",
     "{\"level\":\"ERROR\",\"stackTrace\":[\"  File \\\"a.py\\\", line 5, in f\\n    "
     "g()\\n\"],\"errorType\":\"ValueError\"}\n"
     "{\"level\":\"ERROR\",\"stackTrace\":[\"  File \\\"a.py\\\", line 5, in f\\n    "
     "g()\\n\"],\"errorType\":\"ValueError\"}\n"
     "{\"stack\":\"  File \\\"b.py\\\", line 7, in g\\n    h()\\n\"}\n",
     "python line:1 type:ValueError outermost first\n"
     "  f:f at:a.py l:5\n"
     "python line:2 type:ValueError outermost first\n"
     "  f:f at:a.py l:5\n"
     "python line:3 outermost first\n"
     "  f:g at:b.py l:7\n"},
    {"near misses", "rows without a title and indent, titles without rows, the other form of row",
     "File \"a.py\", line 2, in f\nValueError: x\nTraceback (most recent call last):\nnothing\n\nFatal Python error\n"
     "Thread 0x1 (most recent call first):\n  File \"a.py\", line 2, in f\n",
     ""},
};

OTHER_TESTS("formats python", texts)
