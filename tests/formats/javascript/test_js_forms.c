/* Tests forms of JavaScript stacks that no engine writes, but consoles, loggers and React Native do. */
#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

#include <stdlib.h>

static const struct text_case texts[] = {
    {"a column of CSV", "exports of logs: the last row is a row, and the further columns stay as they are",
     "1,\"Error: x\n    at f (https://a.example/b.js:1:20)\n    at g (https://a.example/b.js:1:40)\",\"next column\"\n"
     "2,\"Error: y\n    at h (https://a.example/b.js:1:60)\",next\n3,\"Error: z\n"
     "f@https://a.example/b.js:1:20\n@https://a.example/b.js:1:40\",,\n",
     "js-v8 2\n- f:f at:https://a.example/b.js:1:20\n- f:g at:https://a.example/b.js:1:40\n"
     "js-v8 5\n- f:h at:https://a.example/b.js:1:60\n"
     "js-spidermonkey 7\n- f:f at:https://a.example/b.js:1:20\n- at:https://a.example/b.js:1:40\n"},
    {"React Native's red box", "two lines a row; the blank between them is the box's",
     "Unhandled JS Exception: TypeError: undefined is not an object\n\nonPress\n    App.js:12:34\n<unknown>\n    "
     "main.jsbundle:1:12345\n\nnext words\n",
     "js-v8 4 exception:TypeError: undefined is not an object\n- f:onPress at:App.js:12:34\n- f:<unknown> "
     "at:main.jsbundle:1:12345\n"},
    {"an indented list of JSON", "the quotes are not parts of the message; a title without the mark at its end",
     "  \"stack\": [\n    \"TypeError: x is not a function\",\n    \"    at f (/srv/a.js:1:2)\",\n"
     "    \"    at g (/srv/b.js:3:4)\"\n  ],\n\n\n\"Error: \\\"\n    at f (/srv/a.js:1:2)\n",
     "js-v8 3 exception:TypeError: x is not a function\n"
     "- f:f at:/srv/a.js:1:2\n"
     "- f:g at:/srv/b.js:3:4\n"
     "js-v8 9 exception:Error: \\\"\n"
     "- f:f at:/srv/a.js:1:2\n"},
    {"red box without a type", "two frames show that it is one; the name of the second does not belong to the first",
     "undefined is not an object (evaluating 'a.b')\n"
     "\n"
     "render\n"
     "    App.js:12:9\n"
     "renderWithHooks\n"
     "    Renderer.js:9473:27\n"
     "<unknown>\n"
     "    index.js:5:3\n"
     "x\n",
     "js-v8 4\n"
     "- f:render at:App.js:12:9\n"
     "- f:renderWithHooks at:Renderer.js:9473:27\n"
     "- f:<unknown> at:index.js:5:3\n"},
    {"React Native's components", "the engine follows the last",
     " ERROR  TypeError: no\n"
     "\n"
     "This error is located at:\n"
     "    at App (http://localhost:8081/index.bundle?platform=ios:101:23)\n"
     "    at RCTView\n"
     "    at View (http://localhost:8081/index.bundle?platform=ios:45101:43), js engine: hermes\n",
     "js-v8 4 exception:TypeError: no\n"
     "- f:App at:http://localhost:8081/index.bundle?platform=ios:101:23\n"
     "- f:View at:http://localhost:8081/index.bundle?platform=ios:45101:43\n"},
    {"Vitest", "source may be between rows; its list of files, a command and prose are no rows",
     " FAIL  src/cart.test.ts > cart > adds\n"
     "TypeError: no\n"
     " ❯ new Cart src/cart.ts:3:9\n"
     "      1| export class Cart {\n"
     "      3|   constructor() { x.y(); }\n"
     "       |                   ^\n"
     "      4| }\n"
     " ❯ src/cart.test.ts:7:12\n"
     " ❯ node_modules/vitest/dist/index.js:10:3\n"
     "\n"
     "❯ npx vitest\n"
     " ❯ src/cart.test.ts (3 tests | 1 failed) 12ms\n"
     " ❯ see the file src/cart.ts:3:9\n"
     " ❯ src/cart.ts:3\n",
     "js-v8 3 exception:TypeError: no\n"
     "- f:new Cart at:src/cart.ts:3:9\n"
     "- at:src/cart.test.ts:7:12\n"
     "- at:node_modules/vitest/dist/index.js:10:3\n"},
    {"Wasmer", "modules with and without a name, an unknown offset; other brackets",
     "error: RuntimeError: unreachable\n"
     "    at core::panic::{{closure}} (<module>[12]:0x1a2b)\n"
     "    at <unnamed> (shop-1a.wasm[3]:0x44)\n"
     "    at main (<module>[0]:0xffffffff)\n"
     "\n"
     "\n"
     "\n"
     "at f (a[3]:0x44)\n"
     "at f (<module>[x]:0x44)\n",
     "js-v8 2 exception:RuntimeError: unreachable\n"
     "- m:<module> bytecode:0x1a2b f:core::panic::{{closure}} at:<module>:1\n"
     "- m:shop-1a.wasm bytecode:0x44 f:<unnamed> at:shop-1a.wasm:1\n"
     "- m:<module> f:main at:<module> not-needed\n"},
    {"two lines that are no red box", "nothing above tells of an error",
     "usage\n    app.js:1:2\n\nsee\n    lib/x.js:3:4\n", ""},
    {"Expo", "rows without \"at\" below their title; a parenthesis too many; files alone need nothing",
     " ERROR  Upload failed: [TypeError: Cannot read property 'show' of null]\n\nCall Stack\n  handleUpload "
     "(src\\screens\\Upload.tsx)\n  "
     "next (<native>)\n"
     "  value (address at index.android.bundle:1:1234)\n  App (App.tsx:12:5)\n  anonymous "
     "(http://10.0.2.2:8081/index.bundle//&platform=android:123:45)\n  tick (address at "
     "(InternalBytecode.js:1:1180)\nend (of it)\n",
     "hermes 4\n- f:handleUpload at:src\\screens\\Upload.tsx not-needed\n- f:next at:native not-needed\n"
     "- bytecode:0x4d2 f:value at:index.android.bundle:1:1234\n- f:App at:App.tsx:12:5\n"
     "- f:anonymous at:http://10.0.2.2:8081/index.bundle//&platform=android:123:45\n- bytecode:0x49c f:tick "
     "at:InternalBytecode.js:1:1180 "
     "not-needed\n"},
    {"words in parentheses", "nothing announces them", "  value (App.tsx:12:5)\n  next (main.js:1:2)\n", ""},
    {"React Native on Android, JavaScriptCore", "logcat's brief and threadtime forms; a module's file",
     "E/unknown:ReactNative(1234): com.facebook.react.common.JavascriptException: Error: no, "
     "stack:\nE/unknown:ReactNative(1234): "
     "value@1:123\n"
     "E/unknown:ReactNative(1234): <unknown>@12.js:1:5\n"
     "11-21 10:00:00.123  1234  1250 E AndroidRuntime: com.facebook.react.common.JavascriptException: Error: no, js "
     "engine: hermes, "
     "stack:\n"
     "11-21 10:00:00.123  1234  1250 E AndroidRuntime: onPress@1:1583859\n11-21 10:00:00.123  1234  1250 E "
     "AndroidRuntime: \n"
     "11-21 10:00:00.123  1234  1250 E AndroidRuntime: \tat a.b.c.d(SourceFile:3)\n",
     "js-jsc 2 exception:com.facebook.react.common.JavascriptException: Error: no\n- f:value:1:124\n- f:<unknown> "
     "at:12.js:1:6\n"
     "js-jsc 5 exception:com.facebook.react.common.JavascriptException: Error: no\n- f:onPress:1:1583860\n"
     "java 7 exception:com.facebook.react.common.JavascriptException: Error: no, js engine: hermes, stack:\n- c:a.b.c "
     "f:d at:SourceFile:3\n"
     "! exception:com.facebook.react.common.JavascriptException before:0\n"},
    {"React Native on iOS", "the last row closes a quote",
     "*** Terminating app due to uncaught exception 'RCTFatalException: Unhandled JS Exception: Error: no', reason: "
     "'Unhandled JS "
     "Exception: Error: no, stack:\n"
     "value@1:123\n<unknown>@seg-2.js:1:5\n@1:9'\n",
     "js-jsc 2 exception:Error: no\n- f:value:1:124\n- f:<unknown> at:seg-2.js:1:6\n-:1:10\n"},
    {"React Native's log", "on iOS",
     "2026-11-21 10:00:00.123 [error][tid:com.facebook.react.JavaScript] TypeError: "
     "no\nf@http://localhost:8081/index.bundle?platform=ios:1:2\n",
     "js-spidermonkey 2 exception:TypeError: no\n- f:f at:http://localhost:8081/index.bundle?platform=ios:1:2\n"},
    {"React Native's rows of bundles", "names without folders; the engine's code without a sign",
     "value@index.android.bundle:12:1917\n[native code]\nonPress@index.android.bundle:12:2336\n",
     "js-jsc 1\n- f:value at:index.android.bundle:12:1917\n- at:[native code] not-needed\n- f:onPress "
     "at:index.android.bundle:12:2336\n"},
    {"React Native's rows of modules", "in a stack a script without a path needs no sign, with a blank it is a text",
     "makeItThrow@1.js:11:5\n1.js:6:7\nsee 1.js:6:7\n",
     "js-spidermonkey 1\n- f:makeItThrow at:1.js:11:5\n- at:1.js:6:7\n"},
    {"React Native on Android", "a line of -1 is the engine's code, within the stack too",
     "com.facebook.react.common.JavascriptException: Error: no, "
     "stack:\nadd@12:345\nforEach@-1\n<unknown>@9:8\nvalue@-1\n",
     "js-jsc 2 exception:com.facebook.react.common.JavascriptException: Error: no\n- f:add:12:346\n"
     "- f:forEach not-needed\n- f:<unknown>:9:9\n- f:value not-needed\n"},
    {"Crashlytics", "no blank before the parenthesis",
     "Non-fatal Exception: JavaScriptError: no\n       at value(index.android.bundle:1:123)\n       at "
     ".next(index.android.bundle:1:9)\n",
     "js-v8 2\n- f:value at:index.android.bundle:1:123\n- f:.next at:index.android.bundle:1:9\n"},
    {"Sentry", "addresses of its own; \"?\" for no name",
     "TypeError: no\n  at ? (app:///main.jsbundle:1:2)\n  at f(app:///index.android.bundle:1:123)\n",
     "js-v8 2 exception:TypeError: no\n- f:? at:app:///main.jsbundle:1:2\n- f:f "
     "at:app:///index.android.bundle:1:123\n"},
    {"React's components, up to version 16", "with the source's own lines, or none",
     "Error: no\n\nThis error is located at:\n    in Price (created by Row)\n    in Row (at App.js:12)\n    in RCTView "
     "(at View.js:34)\n   "
     " in App\n    in Root (at src/index.js:3)\n",
     "js-v8 5 exception:Error: no\n- f:Row at:App.js:12 not-needed\n- f:RCTView at:View.js:34 not-needed\n- f:Root "
     "at:src/index.js:3 "
     "not-needed\n"},
    {"React's components since", "those of the host have no place, and end nothing",
     "The above error occurred in the <Price> component:\n\n    at Price (https://h/main.js:1:2)\n    at li\n    at "
     "div\n    at App "
     "(https://h/main.js:1:9)\n"
     "    at Root (<anonymous>)\n",
     "js-v8 3\n- f:Price at:https://h/main.js:1:2\n- f:App at:https://h/main.js:1:9\n- f:Root at:<anonymous> "
     "not-needed\n"},
    {"React's components in Firefox", "those of the host have a place that is none",
     "Price@https://h/main.js:1:2\nli@unknown:0:0\ndiv\nApp@https://h/main.js:1:9\n",
     "js-spidermonkey 1\n- f:Price at:https://h/main.js:1:2\n- f:li at:unknown not-needed\n- f:div not-needed\n"
     "- f:App at:https://h/main.js:1:9\n"},
    {"Chrome's console", "where the error is shown is before it; its tree of calls is a stack of its own",
     "main.js:1 Uncaught (in promise) TypeError: no\n    at f (main.js:1:2)\n    at g (main.js:1:9)\nf @ "
     "main.js:1\nawait in f "
     "(async)\n(anonymous) @ main.js:1\n",
     "js-v8 2 exception:TypeError: no\n- f:f at:main.js:1:2\n- f:g at:main.js:1:9\n"
     "js-devtools 4\n- f:f at:main.js:1\n- async-gap not-needed\n- f:(anonymous) at:main.js:1\n"},
    {"Expo's log", "the name is after the place; other words after a place are no name",
     "ERROR  TypeError: no\nat src/App.js:10:5 in App\nat [native code]:null in run\nat "
     "http://h:1/index.bundle?dev=false:10:9 in <global>\nat a.js:1:2 in the end\nat 10:30:05 in f\n",
     "js-v8 2 exception:TypeError: no\n- f:App at:src/App.js:10:5\n- f:run at:[native code] not-needed\n"
     "- f:<global> at:http://h:1/index.bundle?dev=false:10:9\n"},
    {"Angular", "words before the error, also of Ionic and Capacitor",
     "ERROR Error: Uncaught (in promise): TypeError: no\nf@http://h/a.js:1:2\n\n"
     "\xE2\x9A\xA1\xEF\xB8\x8F  [error] - ERROR Error: Uncaught (in promise): TypeError: no\nf@http://h/a.js:1:9\n",
     "js-spidermonkey 2 exception:TypeError: no\n- f:f at:http://h/a.js:1:2\n"
     "js-spidermonkey 5 exception:TypeError: no\n- f:f at:http://h/a.js:1:9\n"},
    {"a message that begins with Uncaught", "is no title before another error",
     "Error: Uncaught Exception.\n    at f (a.js:1:2)\n\nError: Uncaught [TypeError: no]\n    at f (a.js:1:2)\n",
     "js-v8 2 exception:Error: Uncaught Exception.\n- f:f at:a.js:1:2\n"
     "js-v8 5 exception:TypeError: no\n- f:f at:a.js:1:2\n"},
    {"Chrome's numbers of scripts", "before the file they are no part of it",
     "TypeError: no\n    at f (VM28 main.js:1:2)\n    at VM28 https://h/main.js:1:9\n    at g (VM28 :1:9)\nf @ VM28 "
     "main.js:1\n",
     "js-v8 2 exception:TypeError: no\n- f:f at:main.js:1:2\n- at:https://h/main.js:1:9\n- f:g at:VM28:1:9\n"
     "js-devtools 5\n- f:f at:main.js:1\n"},
    {"Node's console", "a string of several lines is one for each line",
     "{\n  code: 'E',\n  stack: 'Error: no\\n' +\n    '    at f (/d/main.js:1:2)\\n' +\n    `    at it's "
     "(/d/main.js:1:9)\\n` +\n    '    at async g (/d/main.js:3:4)',\n  level: 3\n}\n",
     "js-v8 4 exception:Error: no\n- f:f at:/d/main.js:1:2\n- f:it's at:/d/main.js:1:9\n- f:g at:/d/main.js:3:4\n"},
    {"NativeScript", "rows of Android with their parts as fields, and rows of iOS that are not closed",
     "TypeError: this.f is no function\nFile: \"file:///app/a.js, line: 1, column: 11\n\nStackTrace: \n"
     "\tFrame: function:'A.f', file:'file:///app/a.js', line: 1, column: 12\n"
     "    Frame: function:'', file:'<embedded>', line: 37, column: 9\nFrame: function:'f'\n"
     "-\n-\n-\nJS: f(file:///app/a.js:22:0\nat g(file:///app/b c.js:107:0\nat run([native code])\n",
     "js-v8 5 exception:TypeError: this.f is no function\n- f:A.f at:file:///app/a.js:1:12\n"
     "- at:<embedded>:37:9\n"
     "js-other 11\n- f:f at:file:///app/a.js:22\n- f:g at:file:///app/b c.js:107\n"
     "- f:run at:[native code] not-needed\n"},
    {"NativeScript from version 6 on", "the first row has no \"at\"; files without a path, positions without a column",
     "System.err: An uncaught Exception occurred on \"main\" thread.\nSystem.err: Error: no\nSystem.err: \n"
     "System.err: StackTrace:\nSystem.err: Cart.add(file: src/webpack:/shop/cart.ts:15:0)\n"
     "System.err:     at (file: src/webpack:/shop/zone.js:12:0)\nSystem.err:     at run(file: app/vendor.js:2:9)\n"
     "System.err:     at a.b.c(D.java:3)\n",
     "js-other 5 exception:Error: no\n- f:Cart.add at:file: src/webpack:/shop/cart.ts:15\n"
     "- at:file: src/webpack:/shop/zone.js:12\n- f:run at:file: app/vendor.js:2:9\njava 8\n- c:a.b f:c at:D.java:3\n"},
    {"NativeScript on iOS, fatal errors", "a line with \"at\" alone is no part of the message",
     "Fatal Exception: NativeScript encountered a fatal error: Uncaught TypeError: no\n at \n"
     "\tadd(file:///app/bundle.js:1:290)\n\tat onTap(file:///app/vendor.js:2:66)\n",
     "js-v8 3 exception:TypeError: no\n- f:add at:file:///app/bundle.js:1:290\n- f:onTap "
     "at:file:///app/vendor.js:2:66\n"},
    {"rows like NativeScript's first", "only above rows of NativeScript",
     "add(file:///app/bundle.js:1:290)\n\n\nshow me (file:///app/a.js:1:2)\nat f(file:///app/a.js:1:2)\n\n\n\n"
     "add(file:///app/bundle.js:1:290)\n    at f (https://a.b/main.js:1:2)\n",
     "js-v8 5\n- f:f at:file:///app/a.js:1:2\njs-v8 10\n- f:f at:https://a.b/main.js:1:2\n"},
    {"Titanium", "the tag of its handler, with thread and times, and in its tool's log",
     "[ERROR] TiExceptionHandler: (main) [37,2512] /app.js:4\n[ERROR] TiExceptionHandler: (main) [0,2512]     "
     "TypeError: "
     "no\n[ERROR] TiExceptionHandler: (main) [0,2512]         at Window.f (/app.js:4:23)\n"
     "[ERROR] TiExceptionHandler: (main) [1,2513]     a.b.C.d(Native Method)\n\n\n\n\n\n\n\n\n\n\n\n"
     "[ERROR] : TypeError: no\n[ERROR] :     at f (/app.js:4:23)\n",
     "js-v8 3 exception:TypeError: no\n- f:Window.f at:/app.js:4:23\njava 4\n- c:a.b.C f:d not-needed\n"
     "js-v8 17 exception:TypeError: no\n- f:f at:/app.js:4:23\n"},
    {"HarmonyOS",
     "name and message of the error are on lines of their own, with other lines between them and the stack",
     "Reason:TypeError\nError name:TypeError\nError message:Obj is not\na Valid object\nError code:401\nSourceCode:\n"
     "        a.b()\n        ^\nCannot get SourceMap info, dump raw stack:\nStacktrace:\n"
     "    at onPageShow (entry/src/main/ets/pages/Index.ets:7:13)\n-\n-\n-\n-\n-\n-\n-\n-\n"
     "Error name:Quit\nError message:x\nStacktrace:\nCannot get SourceMap info, dump raw stack:\n"
     "at anonymous (entry|entry|1.0.0|src/main/ets/Cart.ts:3:5)\n",
     "js-v8 11 exception:TypeError\n- f:onPageShow at:entry/src/main/ets/pages/Index.ets:7:13\n"
     "js-v8 24 exception:Quit\n- f:anonymous at:entry|entry|1.0.0|src/main/ets/Cart.ts:3:5\n"},
    {"NativeScript's log", "a word before each line",
     "System.err: Error: no\nSystem.err: File: \"a.js, line: 1, column: 1\nSystem.err: \n"
     "System.err: StackTrace: \nSystem.err:     Frame: function:'f', file:'a.js', line: 1, column: 2\n"
     "System.err:     at a.b.c(D.java:3)\nSystem.err: Caused by: a.b.F: x\nSystem.err:     at a.b.d(D.java:3)\n",
     "js-v8 5 exception:Error: no\n- f:f at:a.js:1:2\n"
     "java 6\n- c:a.b f:c at:D.java:3\njava 8 exception:a.b.F: x\n- c:a.b f:d at:D.java:3\n"
     "! exception:a.b.F before:0\n"},
    {"WeChat", "what it adds to the last row is no part of it",
     "TypeError: no\n    at f (http://h/a.js:1:2)\n    at g (http://h/a.js?v=3.17.0:1:9)(env: macOS,mp,2.01; lib: "
     "3.17.0)\n",
     "js-v8 2 exception:TypeError: no\n- f:f at:http://h/a.js:1:2\n- f:g at:http://h/a.js?v=3.17.0:1:9\n"},
    {"WeChat, no columns", "a file may have a query, or the mark of a restored one",
     "TypeError: no\n    at a.b (cart.js? [sm]:68)\n    at Main.js?t=x&v=3.4.3:1\n"
     "    at Function.Cr (Main.js?t=x&v=3.4.3:1)(env: Windows,mp,1.06; lib: 3.4.3)\n",
     "js-other 2 exception:TypeError: no\n- f:a.b at:cart.js? [sm]:68\n- at:Main.js?t=x&v=3.4.3:1\n"
     "- f:Function.Cr at:Main.js?t=x&v=3.4.3:1\n"},
    {"a question", "is no query", "    at a.b (cart.js? (old):68)\n    at the end (see cart.js? now:68)\n", ""},
    {"WeChat, its library", "the blank after a file is no part of it",
     "TypeError: no\nat https://lib/Main.js :1:2\nat o.emit (https://lib/Main.js :1:9)\n",
     "js-v8 2 exception:TypeError: no\n- at:https://lib/Main.js:1:2\n- f:o.emit at:https://lib/Main.js:1:9\n"},
    {"VS Code", "the class is before the error; words that are no error are its message",
     "Uncaught TypeError TypeError: no\n    at f (a.js:1:2)\n\nUncaught CartError Error: no\n    at f (a.js:1:2)\n\n"
     "Uncaught Error one: no\n    at f (a.js:1:2)\n",
     "js-v8 2 exception:TypeError: no\n- f:f at:a.js:1:2\njs-v8 5 exception:Error: no\n- f:f at:a.js:1:2\n"
     "js-v8 8 exception:Error one: no\n- f:f at:a.js:1:2\n"},
    {"React's components, the last one", "React Native adds its engine to the message that ends with them",
     "Error: no\n    in Cart (at App.js:12)\n    in App (at main.js:50), js engine: hermes\n    in App (at "
     "main.js:50), x\n",
     "js-v8 2 exception:Error: no\n"
     "- f:Cart at:App.js:12 not-needed\n"
     "- f:App at:main.js:50 not-needed\n"},
    {"Weex", "words in the place of files, below an error with what Weex prints before it; alone the words are no file",
     "ReportException : ReferenceError: x is not defined\n    at Object.<anonymous> ((weex):47:3)\n"
     "    at (weex):40:18\n\n"
     "reportJSException >>>> exception function:createInstance, exception:Exception: TypeError: no\n"
     "load@(global function):4404:30\n(global function):5155:61\ncreate@(weex framework):1:41085\n"
     "(weex framework):1:1776\nand more, so on:\n(global function):1:2\n(weex):1:2\nload@(local function):1:2\n",
     "js-v8 2 exception:ReferenceError: x is not defined\n- f:Object.<anonymous> at:(weex):47:3\n- at:(weex):40:18\n"
     "js-jsc 6 exception:TypeError: no\n- f:load at:(global function):4404:30\n- at:(global function):5155:61\n"
     "- f:create at:(weex framework):1:41085\n- at:(weex framework):1:1776\n"},
    {"uni-app", "what Weex prints before an error",
     "reportJSException >>>> exception function:createInstanceContext, exception:white screen cause create "
     "instanceContext failed,check js stack ->Uncaught TypeError: no\n at  (app-service.js:1:2)\n\n"
     "reportJSException >>>> exception function:g, exception:JavaScript execute error!Exception: TypeError: two\n"
     " at  (app-service.js:1:2)\n",
     "js-v8 2 exception:TypeError: no\n- at:app-service.js:1:2\njs-v8 5 exception:TypeError: two\n"
     "- at:app-service.js:1:2\n"},
    {"Emscripten, the error twice", "and before the first row of Firefox; commas of the message and the arguments stay",
     "exception thrown: RuntimeError: a, b,RuntimeError: a, b\n    at f (main.wasm:0x36)\n\n"
     "exception thrown: RuntimeError: a, b,shop::run(int, char)@http://h/a.wasm:wasm-function[3]:0x36\n"
     "dynCall_v@http://h/a.wasm:wasm-function[4]:0x3a\n",
     "js-v8 2 exception:RuntimeError: a, b\n- m:main.wasm bytecode:0x36 f:f at:main.wasm:1\n"
     "js-spidermonkey 4 exception:RuntimeError: a, b\n"
     "- m:a.wasm bytecode:0x36 f:shop::run(int, char) at:http://h/a.wasm:1\n"
     "- m:a.wasm bytecode:0x3a f:dynCall_v at:http://h/a.wasm:1\n"},
    {"emptied places", "Markdown took <anonymous> for a tag; below a row only, and with a blank",
     "    at f ()\nTypeError: no\n    at f (http://h/a.js:1:2)\n    at Generator.next ()\n    at new Promise ()\n"
     "    at g (http://h/a.js:1:9)\n    at h()\n",
     "js-v8 3 exception:TypeError: no\n- f:f at:http://h/a.js:1:2\n- f:Generator.next not-needed\n"
     "- f:new Promise not-needed\n- f:g at:http://h/a.js:1:9\n"},
    {"Emscripten", "what its handler prints before an error; a file and its line are no error",
     "Loader.js:12 exception thrown: RuntimeError: no\n    at f (main.js:1:2)\n\n"
     "Loader.js:12 it is seen\n    at f (main.js:1:2)\n",
     "js-v8 2 exception:RuntimeError: no\n- f:f at:main.js:1:2\njs-v8 5\n- f:f at:main.js:1:2\n"},
    {"Chrome's console, WebAssembly", "names of any kind after a mark; no other text has one",
     "$core::mem::take<T, U> @ app_bg.wasm:0xb75178\n$f @ app_bg.wasm:0x1\n__wbg_adapter @ app.js:244\n$f, see @ "
     "main.js:1\n",
     "js-devtools 1\n- m:app_bg.wasm bytecode:0xb75178 f:core::mem::take<T, U> at:app_bg.wasm:1\n- m:app_bg.wasm "
     "bytecode:0x1 f:f "
     "at:app_bg.wasm:1\n"
     "- f:__wbg_adapter at:app.js:244\n"},
    {"Safari's console", "a dash in the place of the sign; names of the engine are alone on a line",
     "[Error] TypeError: no\n\tf \xE2\x80\x94 main.js:1:2\n\t(anonymous function) \xE2\x80\x94 main.js:3\n\tmap\n"
     "\tpromiseReactionJob\n\tGlobal Code \xE2\x80\x94 main.js:1:9\nnone\n\nend\n",
     "js-devtools 2 exception:TypeError: no\n- f:f at:main.js:1:2\n- f:(anonymous function) at:main.js:3\n"
     "- f:map not-needed\n- f:promiseReactionJob not-needed\n- f:Global Code at:main.js:1:9\n- f:none not-needed\n"},
    {"dashes in prose", "a list of places, a sentence",
     "handleSubmit \xE2\x80\x94 src/Form.tsx:42\nsee the form \xE2\x80\x94 Form.tsx:42\nf \xE2\x80\x94 g\n\xE2\x80\x94 "
     "a.js:1:2\n",
     ""},
    {"a console's rows with their layout", "a sign with blanks around it",
     "Error: x\nat HTMLButtonElement.<anonymous> @  http://path/to/file.js:1:4287\n",
     "js-v8 2 exception:Error: x\n- f:HTMLButtonElement.<anonymous> at:http://path/to/file.js:1:4287\n"},
    {"Firefox' console", "a blank in place of the sign",
     "Uncaught TypeError: a is undefined\n    f https://h/main.js:1:2\n    <anonymous> https://h/main.js:1\n    "
     "async*g "
     "https://h/main.js:3:4\n",
     "js-spidermonkey 2 exception:TypeError: a is undefined\n- f:f at:https://h/main.js:1:2\n- f:<anonymous> "
     "at:https://h/main.js:1\n- f:g "
     "at:https://h/main.js:3:4\n"},
    {"Firefox' console, short names", "scripts without their address, below an error; prose is not a frame",
     "Uncaught TypeError: a is undefined\n    f app.js:12\n    promise callback*g/< lib.mjs:3:4\n    h app.wasm:0x36\n"
     "    see app.js:12\n\nloaded\n    f app.js:12\n",
     "js-spidermonkey 2 exception:TypeError: a is undefined\n- f:f at:app.js:12\n- f:g/< at:lib.mjs:3:4\n"
     "- m:app.wasm bytecode:0x36 f:h at:app.wasm:1\n"},
    {"Cocos Creator", "rows have numbers, and no columns",
     "ERROR: Uncaught TypeError: x is undefined, location: assets/main/index.js:0:0\nSTACK:\n"
     "[0]start@assets/main/index.js:12\n[1]anonymous@src/chunk.js:3:4\n[2]a.b@src/chunk.js:33\n",
     "js-spidermonkey 3 exception:TypeError: x is undefined, location: assets/main/index.js:0:0\n"
     "- f:start at:assets/main/index.js:12\n- f:anonymous at:src/chunk.js:3:4\n- f:a.b at:src/chunk.js:33\n"},
    {"NativeScript on iOS", "rows have numbers in four columns; the same with one blank is prose",
     "JavaScript stack trace:\n1   onTap@file:///app/bundle.js:293:42\n\t2   UIApplicationMain@[native code]\n"
     "\t10  @file:///app/bundle.js:155:16\n\t11  evaluate@:1:11\n\n\n\n\n\n\n\n\n\n"
     "1 f@file:///app/bundle.js:1:2\n1   a@b.example\n",
     "js-jsc 2\n- f:onTap at:file:///app/bundle.js:293:42\n- f:UIApplicationMain at:[native code] not-needed\n"
     "- at:file:///app/bundle.js:155:16\n- f:evaluate:1:12\n"},
    {"Firefox' console, causes of two words", "the name is after the star",
     "TypeError: a is undefined\n    f https://h/main.js:1\n    promise callback*g https://h/main.js:2\n"
     "    EventListener.handleEvent* https://h/main.js:3\n    see that* is https://h/main.js:4\n",
     "js-spidermonkey 2 exception:TypeError: a is undefined\n- f:f at:https://h/main.js:1\n"
     "- f:g at:https://h/main.js:2\n- at:https://h/main.js:3\n"},
    {"indented rows of two words", "the blank in a name is not the one before a place",
     "    TypeError: a is undefined\n    f@https://h/main.js:1:2\n    promise callback*g@https://h/main.js:2:3\n"
     "    async k@https://h/main.js:4:5\n    global code@https://h/main.js:3:4\n",
     "js-jsc 2 exception:TypeError: a is undefined\n- f:f at:https://h/main.js:1:2\n- f:g at:https://h/main.js:2:3\n"
     "- f:k at:https://h/main.js:4:5\n- f:global code at:https://h/main.js:3:4\n"},
    {"React Native's rows of Hermes", "the words of the place are not part of the name",
     "Fatal Exception: com.facebook.react.common.JavascriptException: TypeError: no, js engine: hermes, stack:\n"
     "anonymous (address at@1:1082033\napply@-1\n",
     "js-jsc 2 exception:com.facebook.react.common.JavascriptException: TypeError: no\n- f:anonymous:1:1082034\n"
     "- f:apply not-needed\n"},
    {"React Native's log on Android", "its tool draws a line at the left of all but the first line of a message",
     "[11:12:33] E | ReactNativeJS \xE2\x96\xB6 TypeError: no\n"
     "                             \xE2\x94\x82 at f (address at index.android.bundle:1:12)\n"
     "                             \xE2\x94\x82 at Screen (<anonymous>)\n"
     "                             \xE2\x94\x82 at g (main.js:1:2)\n",
     "hermes 2\n- bytecode:0xc f:f at:index.android.bundle:1:12\n- f:Screen at:<anonymous> not-needed\n- f:g "
     "at:main.js:1:2\n"},
    {"a message of dart2js", "its last line is no title",
     "main.dart.js:1 Uncaught NoSuchMethodError: method not found: 'call'\nReceiver: Closure\nArguments: [1, 2]\n"
     "    at Object.d (https://h/main.dart.js:1567:3)\n",
     "js-v8 4 exception:NoSuchMethodError: method not found: 'call'\n- f:Object.d at:https://h/main.dart.js:1567:3\n"
     "! exception:call before:0\n"},
    {"an error with properties", "a brace is before it",
     "{ AssertionError [ERR_ASSERTION]: no\n    at f (main.js:1:2)\n",
     "js-v8 2 exception:AssertionError [ERR_ASSERTION]: no\n- f:f at:main.js:1:2\n"},
    {"a log of several browsers", "each stack has the title above it alone; rows directly above are of no message",
     "Chrome 120.0 FAILED\n\tError: expected 1\n\t    at f (http://h/a.js:1:2)\nFirefox 115.0 FAILED\n\t"
     "g@http://h/a.js:3:4\n\nTypeError: no\nf@http://h/b.js:1:5\n    at g (http://h/b.js:2:3)\n",
     "js-v8 3 exception:Error: expected 1\n- f:f at:http://h/a.js:1:2\n"
     "js-spidermonkey 5\n- f:g at:http://h/a.js:3:4\n"
     "js-spidermonkey 8 exception:TypeError: no\n- f:f at:http://h/b.js:1:5\n"
     "js-v8 9 exception:TypeError: no\n- f:g at:http://h/b.js:2:3\n"},
    {"words before an address", "no error above", "    see https://h/main.js:1:2\n", ""},
    {"React Native's host", "what it puts before the error: the call, the exception of JNI, the state of the runtime",
     "11-21 10:00:00.123 W/unknown:BridgelessReact( 12): ReactHost{0}.handleHostException(message = \"[runtime not "
     "ready]: "
     "TypeError: no, stack:\n11-21 10:00:00.123 W/unknown:BridgelessReact( 12): f@1:123\n"
     "11-21 10:00:00.124 E/libc++abi( 12): terminating due to uncaught exception of type facebook::jni::JniException: "
     "com.facebook.react.common.JavascriptException: [runtime not ready]: Error: bad, stack:\n"
     "11-21 10:00:00.124 E/libc++abi( 12): g@1:124\n",
     "js-jsc 2 exception:TypeError: no\n- f:f:1:124\n"
     "js-jsc 4 exception:com.facebook.react.common.JavascriptException: [runtime not ready]: Error: bad\n- "
     "f:g:1:125\n"},
    {"prompts of shells", "a command that ends like a position",
     "root@ca001:/src/defs# 3 10:20:30\nuser@host:~/app$ date; 12:30:45\nme@box:/src/a b$ node x.js:1:2\n"
     "pi@raspberrypi:~ $ node a.js:1:2\n[user@host dir]$ node a.js:1:2\nme@box:~/a% node a.js:1:2\n",
     ""},
    {"an address of a log", "a line of a step of a job", "see\n    https://h/o/r/runs/676665822#step:6:570\n", ""},
    {"Safari's console, native", "functions of the engine are names alone",
     "[Error] Unhandled Promise Rejection: TypeError: no\n\tadd (cart.bundle.js:1:2347)\n\tforEach\n"
     "\tt (cart.bundle.js:1:998)\n\tpromiseReactionJob\n",
     "js-v8 2 exception:TypeError: no\n- f:add at:cart.bundle.js:1:2347\n- f:forEach not-needed\n"
     "- f:t at:cart.bundle.js:1:998\n"},
    {"Safari's console", "tabs, no \"at\"",
     "[Error] TypeError: undefined is not an object\n\tf (main.js:1:2345)\n\t(anonymous function) "
     "(main.js:1:20)\n\tGlobal Code "
     "(main.js:3)\n",
     "js-v8 2 exception:TypeError: undefined is not an object\n- f:f at:main.js:1:2345\n- f:(anonymous function) "
     "at:main.js:1:20\n- "
     "f:Global Code at:main.js:3\n"},
    {"Safari's console until version 8", "lines in words, no columns",
     "[Error] TypeError: no\n\tadd (cart.js, line 99)\n\t(anonymous function) (cart.js, line 8)\n"
     "[Log] total (cart.js, line 7)\n",
     "js-v8 2 exception:TypeError: no\n- f:add at:cart.js:99\n- f:(anonymous function) at:cart.js:8\n"},
    {"lines in words", "prose without a title", "see add (cart.js, line 99)\n\tadd (cart.js, line 99)\n", ""},
    {"Edge before Chromium", "three blanks, names of its own",
     "TypeError: no\n   at Anonymous function (http://h/a.js:47:21)\n   at f (eval code:1:18)\n   at eval code (eval "
     "code:4:18)\n   at "
     "Global code (http://h/a.js:32:9)\n",
     "js-other 2 exception:TypeError: no\n- f:Anonymous function at:http://h/a.js:47:21\n- f:f at:eval code:1:18 "
     "unknown-image\n- f:eval code "
     "at:eval code:4:18 unknown-image\n"
     "- f:Global code at:http://h/a.js:32:9\n"},
    {"Node's last words", "where it was thrown, the line, a mark",
     "/srv/app.js:12\n    throw new Error('x')\n          ^\n\nError: x\n    at f (/srv/app.js:12:11)\n\nNode.js "
     "v20.20.2\n",
     "js-v8 6 exception:Error: x\n- f:f at:/srv/app.js:12:11\n"},
    {"Node before 15", "its process and the kind of a warning are before the error",
     "(node:4242) UnhandledPromiseRejectionWarning: TypeError [ERR_X]: no\n    at f (/srv/app.js:12:11)\n"
     "(node:4242) [DEP0018] DeprecationWarning: x\n    at g (/srv/app.js:3:1)\n",
     "js-v8 2 exception:TypeError [ERR_X]: no\n- f:f at:/srv/app.js:12:11\n"
     "js-v8 4 exception:DeprecationWarning: x\n- f:g at:/srv/app.js:3:1\n"},
    {"rejections", "their reasons, as programs and frameworks print them; words of another script are no sign",
     "\xE2\xA8\xAF Error: one\n    at f (a.js:1:2)\n \xE2\xA8\xAF unhandledRejection: TypeError: two\n    at f "
     "(a.js:2:2)\n"
     "Unhandled Rejection at: Promise {\n  <rejected> Error: three\n      at f (a.js:3:2)\n} reason: Error: four\n"
     "    at f (a.js:4:2)\nUnhandled Rejection at: Promise { <pending> } reason: Error: five\n    at f (a.js:5:2)\n"
     "Unhandled rejection TypeError: six\n    at f (a.js:6:2)\nUnhandled error Error: seven\n    at f (a.js:7:2)\n"
     "\xD0\x90 Error: eight\n    at f (a.js:8:2)\n",
     "js-v8 2 exception:Error: one\n- f:f at:a.js:1:2\njs-v8 4 exception:TypeError: two\n- f:f at:a.js:2:2\n"
     "js-v8 7 exception:Error: three\n- f:f at:a.js:3:2\njs-v8 9 exception:Error: four\n- f:f at:a.js:4:2\n"
     "js-v8 11 exception:Error: five\n- f:f at:a.js:5:2\njs-v8 13 exception:TypeError: six\n- f:f at:a.js:6:2\n"
     "js-v8 15 exception:Error: seven\n- f:f at:a.js:7:2\njs-v8 17\n- f:f at:a.js:8:2\n"},
    {"AWS Lambda", "lines of a stack as strings of a list, on one line of the log",
     "2026-11-21T10:00:00.123Z\t01234567-89ab-cdef-0123-456789abcdef\tERROR\tInvoke Error "
     "\t{\"errorType\":\"TypeError\","
     "\"errorMessage\":\"no\",\"stack\":[\"TypeError: no\",\"    at Runtime.handler (file:///var/task/a.mjs:1:2)\","
     "\"    at g (/var/task/a.js:1:9)\"]}\n",
     "js-v8 1 exception:TypeError: no\n- f:Runtime.handler at:file:///var/task/a.mjs:1:2\n- f:g "
     "at:/var/task/a.js:1:9\n"},
    {"Node's report of a crash", "numbered rows below a title, one without a name",
     "----- JavaScript stack trace -----\n\n1: f (node:fs:950:15)\n2: Module.load (/srv/a.js:1:2)\n3: /srv/b.js:3:4\n"
     "4: of 5 parts: x:1:2\n",
     "js-v8 3\n- f:f at:node:fs:950:15 not-needed\n- f:Module.load at:/srv/a.js:1:2\n- at:/srv/b.js:3:4\n"},
    {"numbered lines", "no frames without the title", "1: f (/srv/a.js:1:2)\n2: g (/srv/a.js:3:4)\n", ""},
    {"Bun's own scripts", "no file, a place in one of them",
     "error: no\n      at f (/srv/a.js:1:2)\n      at forEach (1:11)\n      at processTicks (native:7:39)\n",
     "js-v8 2 exception:error: no\n- f:f at:/srv/a.js:1:2\n- f:forEach:1:11 not-needed\n- f:processTicks "
     "at:native:7:39 not-needed\n"},
    {"Bun's builtins", "\"unknown\" in place of a file, with a position in one of Bun's own scripts or without one",
     "Error: no\n    at f (/srv/a.js:1:2)\n    at sort (unknown)\n    at new K (unknown:1:11)\n    at g "
     "(/srv/a.js:3:4)\n",
     "js-v8 2 exception:Error: no\n- f:f at:/srv/a.js:1:2\n- f:sort at:unknown not-needed\n- f:new K at:unknown:1:11 "
     "not-needed\n- f:g at:/srv/a.js:3:4\n"},
    {"Hermes' code of no file", "its bytecode may still be the bundle's",
     "Error: no\n    at f (address at unknown:1:2770)\n",
     "hermes 2 exception:Error: no\n- bytecode:0xad2 f:f at:unknown:1:2770\n"},
    {"Deno's own scripts", "addresses of its extensions, and the name that evaluated code gives itself",
     "Error: no\n    at f (webpack-internal:///./a.ts, <anonymous>:18:19)\n    at runLoop (ext:core/01_core.js:405:7)\n"
     "    at g (eval at f (/srv/a.js:1:2), <anonymous>:3:4)\n",
     "js-v8 2 exception:Error: no\n- f:f at:webpack-internal:///./a.ts:18:19\n- f:runLoop at:ext:core/01_core.js:405:7 "
     "not-needed\n- f:g at:/srv/a.js:1:2\n"},
    {"an error in another", "suppressed ones too",
     "SuppressedError: two\n    at f (a.js:1:2) {\n  [error]: TypeError: one\n      at g (a.js:3:4),\n  [suppressed]: "
     "RangeError: zero\n   "
     "   at h (a.js:5:6)\n}\n",
     "js-v8 2 exception:SuppressedError: two\n- f:f at:a.js:1:2\njs-v8 4 exception:TypeError: one\n- f:g "
     "at:a.js:3:4\njs-v8 6 "
     "exception:RangeError: zero\n- f:h at:a.js:5:6\n"},
    {"lines of the source between rows", "as they are printed with --context, and by test runners",
     "Error: x\n    at f (src/a.ts:7:3)\n          6 | function f() {\n        > 7 |   me@there.js:1:2\n          8 "
     "|\n    at g "
     "(src/a.ts:9:1)\n",
     "js-v8 2 exception:Error: x\n- f:f at:src/a.ts:7:3\n- f:g at:src/a.ts:9:1\n"},
    {"the same between other rows", "code with a sign is no row",
     "f@src/a.ts:7:3\n      6 | at h (x.js:1:2)\n    > 7 |   me@there.js:1:2\ng@src/a.ts:9:1\n",
     "js-spidermonkey 1\n- f:f at:src/a.ts:7:3\n- f:g at:src/a.ts:9:1\n"},
    {"colours in records", "a server's, in Docker's log",
     "{\"log\":\"\\u001b[31mTypeError: x\\u001b[39m\\n\"}\n"
     "{\"log\":\"\\u001b[31m    at f (/app/a.js:1:2)\\u001b[39m\\n\"}\n"
     "{\"log\":\"    at \\u001b[36mg\\u001b[39m (/app/\\u001b[4mb\\u001b[24m.js:1:3)\\n\"}\n",
     "js-v8 2 exception:TypeError: x\n- f:f at:/app/a.js:1:2\n- f:g at:/app/b.js:1:3\n"},
    {"colours in a string", "a server's logger with JSON",
     "{\"m\":\"\\u001b[31mTypeError: x\\u001b[39m\\n\\u001b[90m    at f (/app/a.js:1:2)\\u001b[39m\\n    at "
     "\\u001b[36mg\\u001b[39m (/app/b.js:1:3)\"}\n",
     "js-v8 1 exception:TypeError: x\n- f:f at:/app/a.js:1:2\n- f:g at:/app/b.js:1:3\n"},
    {"colours after a prefix", "as rsyslog spells them",
     "Dec  2 10:00:00 h app[12]: #033[31mTypeError: x#033[39m\n"
     "Dec  2 10:00:00 h app[12]: #033[31m    at f (/app/a.js:1:2)#033[39m\n",
     "js-v8 2 exception:TypeError: x\n- f:f at:/app/a.js:1:2\n"},
};

/* Texts that log collectors write at the start of each line. */
static const struct text_case prefixes[] = {
    {"logcat", "React Native's console", "11-21 10:00:00.123  1234  1250 E ReactNativeJS: ", NULL},
    {"brief", "older", "E/ReactNativeJS( 1234): ", NULL},
    {"tag", "React Native's console without a process", "E/ReactNativeJS: ", NULL},
    {"cut", "threadtime without its begin", "E ReactNativeJS: ", NULL},
    {"cut, two blanks", "as Android Studio copies", "E  ReactNativeJS: ", NULL},
    {"colon in the tag", "React Native's own", "E/unknown:ReactNative: ", NULL},
    {"slash in the tag", "Capacitor's", "11-21 10:00:00.123  1234  1250 E Capacitor/Console: ", NULL},
    {"process", "logcat -v process", "E( 1234) ", NULL},
    {"journald", "short form", "Nov 21 10:00:00 host node[1234]: ", NULL},
    {"ISO", "with a zone", "2026-11-21T10:00:00.123456+02:00 ", NULL},
    {"docker", "with times", "2026-11-21T10:00:00.123456789Z ", NULL},
    {"Kubernetes", "as the node keeps it", "2026-11-21T10:00:00.123456789Z stderr F ", NULL},
    {"compose", "the service's name", "web-1  | ", NULL},
    {"PM2", "number and name", "0|app      | ", NULL},
    {"PM2, dated", "a time after the bar", "0|app  | 2026-11-21T10:00:00: ", NULL},
    {"brackets", "time and level", "[10:00:00.123] [ERROR] ", NULL},
    {"brackets, dated", "date, level, category", "[2026-11-21T10:00:00.123] [ERROR] default - ", NULL},
    {"date and level", "no brackets", "2026-11-21 10:00:00,123 ERROR ", NULL},
    {"electron-log", "date and level in brackets", "[2026-11-21 10:00:00.123] [error] ", NULL},
    {"quoted", "a mail", "> > ", NULL},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}

static void test_prefixes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        char text[512];
        const char *p = prefixes[i].text;
        snprintf(text, sizeof text,
                 "%sTypeError: no\n%s    at f (https://h/main.js:1:2)\n%s    at async main.js:1:9\n%sg@a/b.js:1:2\n", p,
                 p, p, p);
        const struct text_case row = {
            prefixes[i].name, prefixes[i].why, text,
            "js-v8 2 exception:TypeError: no\n- f:f at:https://h/main.js:1:2\n- at:main.js:1:9\n"
            "js-spidermonkey 4 exception:TypeError: no\n- f:g at:a/b.js:1:2\n"};
        check_texts(&row, 1);
    }
}

/* Every prefix of every text is printed unchanged. It is in a memory block of exactly its size, so that sanitizers
 * detect a read past its end. */
static void test_cuts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t size = 0; size <= strlen(texts[i].text); size++) {
            struct parsed parsed;
            struct fm_buf back;
            char *copy = malloc(size + !size);
            memcpy(copy, texts[i].text, size);
            parse(&parsed, fm_str(copy, size));
            assert_int_equal(parsed.status, FRAMEMAP_OK);
            assert_int_equal(print_as(&parsed, fm_str(copy, size), "text", &back), FRAMEMAP_OK);
            same_text(texts[i].name, "a prefix that comes back", fm_buf_view(&back), fm_str(texts[i].text, size));
            fm_buf_free(&back);
            parsed_free(&parsed);
            free(copy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_prefixes),
                                       cmocka_unit_test(test_cuts)};
    return cmocka_run_group_tests_name("formats js forms", tests, NULL, NULL);
}
