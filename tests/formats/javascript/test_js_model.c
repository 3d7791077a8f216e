/* Tests the members of JavaScript frames and traces besides names and positions: the parts of the error, causes,
 * evaluated code, WebAssembly, asynchronous and native functions. */
#include "tests/formats/formats_help.h"

static void describe_js(struct fm_buf *out, const framemap_frame *frame)
{
    const framemap_frame_extra *extra = frame->extra;
    if (frame->marker) {
        fm_buf_printf(out, "- %s", framemap_marker_name(frame->marker));
        if (extra && extra->has_count) fm_buf_printf(out, " count:%u", (unsigned)extra->count);
        fm_buf_byte(out, '\n');
        return;
    }
    fm_buf_printf(out, "- %.*s at %.*s:%u:%u", (int)frame->function.size,
                  frame->function.size ? frame->function.data : "", (int)frame->file.size,
                  frame->file.size ? frame->file.data : "", frame->line, frame->column);
    if (frame->is_async) fm_buf_str(out, FM_STR(" async"));
    if (frame->is_native) fm_buf_str(out, FM_STR(" native"));
    describe_part(out, "module", frame->module);
    if (extra && extra->has_wasm_function) fm_buf_printf(out, " wasm:%u", extra->wasm_function);
    if (extra && extra->eval_origin.size) {
        describe_part(out, "eval", extra->eval_file);
        fm_buf_printf(out, ":%u:%u", extra->eval_line, extra->eval_column);
        describe_part(out, "origin", extra->eval_origin);
    }
    fm_buf_byte(out, '\n');
}

static const struct text_case models[] = {
    {"message", "lines of a message, blank ones too",
     "Uncaught (in promise) AssertionError [ERR_ASSERTION]: Expected values to be equal:\n\n1 !== 2\n\n"
     "    at f (a.js:1:2)\n    at async g (a.js:3:4)\n",
     "js-v8 [AssertionError] [Expected values to be equal:\n\n1 !== 2]\n- f at a.js:1:2\n- g at a.js:3:4 async\n"},
    {"a diff in a message", "its marks belong to the message, unless the whole text is a diff",
     "AssertionError: not equal\n+ actual - expected\n\n+ 1\n- 2\n    at f (a.js:1:2)\n\n"
     "+Error: two\n+lines\n+    at f (a.js:1:2)\n",
     "js-v8 [AssertionError] [not equal\n+ actual - expected\n\n+ 1\n- 2]\n- f at a.js:1:2\n"
     "js-v8 [Error] [two\nlines]\n- f at a.js:1:2\n"},
    {"GNOME", "its titles, with GLib's in front and with words between; an error without words",
     "JS ERROR: TypeError: no cart\nf@a.js:1:2\ng@a.js:3:4\n\n\n"
     "(shop:12): Gjs-CRITICAL **: 10:00:00.123: JS ERROR: Exception in callback for signal: destroy: Error: gone\n"
     "f@a.js:1:2\ng@a.js:3:4\n",
     "js-spidermonkey [TypeError] [no cart]\n- f at a.js:1:2\n- g at a.js:3:4\n"
     "js-spidermonkey [Error] [gone]\n- f at a.js:1:2\n- g at a.js:3:4\n"},
    {"labels", "lines of a message, as V8 prints them; a class stays, and so does a label without an error above",
     "TypeError: no answer\nUrl: http://h\nCode: 401\n    at f (a.js:1:2)\n\n"
     "Error: earlier\nCartFault: none left\n    at f (a.js:1:2)\n\n"
     "TypeError: earlier\n\nx\nCode: 401\n    at f (a.js:1:2)\n",
     "js-v8 [TypeError] [no answer\nUrl: http://h\nCode: 401]\n- f at a.js:1:2\n"
     "js-v8 [CartFault] [none left]\n- f at a.js:1:2\n"
     "js-v8 [Code] [401]\n- f at a.js:1:2\n"},
    {"a coloured label", "the error's bracket, which the last line closes, is searched for in the error's own line",
     "\033[31m[TypeError: no answer\033[39m\nCode: 401]\n    at f (a.js:1:2)\n",
     "js-v8 [TypeError] [no answer\nCode: 401]\n- f at a.js:1:2\n"},
    {"a message's last line", "Deno names the module on a line that looks like a title; an error without a name stays",
     "error: Uncaught TypeError: no import\n  Importing: file:///b.js\n    at a.js:1:2\nx\n  Fault: two\n    at f "
     "(a.js:3:4)\n",
     "js-v8 [TypeError] [no import\n  Importing: file:///b.js]\n-  at a.js:1:2\njs-v8 [Fault] [two]\n- f at "
     "a.js:3:4\n"},
    {"not an error", "a string was thrown", "Uncaught out of stock\n    at f (a.js:1:2)\n",
     "js-v8 [] [out of stock]\n- f at a.js:1:2\n"},
    {"not an error, an object", "the brackets are those of its text",
     "Uncaught [object Object]\n    at f (a.js:1:2)\n[1:INFO:CONSOLE:1] \"Uncaught [object Promise]\", source: "
     "https://a.b/c.js (1)\n",
     "js-v8 [] [[object Object]]\n- f at a.js:1:2\njs-console [] [[object Promise]]\n-  at https://a.b/c.js:1:0\n"},
    {"a bracket at the end", "it is the message's if it is opened there, also below a title that is a bracket alone",
     "[TypeError: bad index [2]\n    at f (a.js:1:2)\n\n\n[TypeError: bad [object Object]]\n    at f (a.js:1:2)\n\n\n"
     "[Error: [object Object]\n    at f (a.js:1:2)\n\n\n[SyntaxError: Unexpected token [ in JSON]\n    at f "
     "(a.js:1:2)\n\n\n"
     "[Error: one of [ 1, 2 ]\n    at f (a.js:1:2)\n\n\nError: Uncaught [Error: bad [2]]\n    at f (a.js:1:2)\n",
     "js-v8 [TypeError] [bad index [2]]\n- f at a.js:1:2\njs-v8 [TypeError] [bad [object Object]]\n- f at a.js:1:2\n"
     "js-v8 [Error] [[object Object]]\n- f at a.js:1:2\njs-v8 [SyntaxError] [Unexpected token [ in JSON]\n- f at "
     "a.js:1:2\n"
     "js-v8 [Error] [one of [ 1, 2 ]]\n- f at a.js:1:2\njs-v8 [Error] [bad [2]]\n- f at a.js:1:2\n"},
    {"not an error, brackets", "no title is in them, after any words",
     "Uncaught (in promise) [object Object]\n    at f (a.js:1:2)\n\n\nUncaught [cart] failed\n    at f (a.js:1:2)\n\n\n"
     "Unhandled JS Exception: [object Object], js engine: hermes, stack:\nf@1:452701\n",
     "js-v8 [] [[object Object]]\n- f at a.js:1:2\njs-v8 [] [[cart] failed]\n- f at a.js:1:2\n"
     "js-jsc [] [[object Object]]\n- f at :1:452702\n"},
    {"React Native", "the message of a Java exception",
     "com.facebook.react.common.JavascriptException: TypeError: no, stack:\nf@1:452701\nvalue@12:1917\n",
     "js-jsc [TypeError] [no]\n- f at :1:452702\n- value at :12:1918\n"},
    {"React Native on iOS", "a message without a name, of old versions",
     "Terminating app due to uncaught exception 'RCTFatalException: Unhandled JS Exception: undefined is not an object "
     "(evaluating 'i.image')', reason: 'Unhandled JS Exception: undefined is not an object (evaluating 'i.image'), "
     "stack:\ne@695:2469\nvalue@695:2747\n",
     "js-jsc [] [undefined is not an object (evaluating 'i.image')]\n- e at :695:2470\n- value at :695:2748\n"},
    {"causes", "within the braces of the error that they caused",
     "Error: outer\n    at a (a.js:1:2) {\n  code: 1,\n  [cause]: TypeError: middle\n      at b (a.js:2:2)\n"
     "      ... 2 lines matching cause stack trace ...\n      at c (a.js:3:2) {\n    [cause]: Error: inner\n"
     "        at d (a.js:4:2)\n  }\n}\nError: another\n    at e (a.js:5:2)\n",
     "js-v8 [Error] [outer]\n- a at a.js:1:2\n"
     "js-v8 cause of 0 [TypeError] [middle]\n- b at a.js:2:2\n- elided count:2\n- c at a.js:3:2\n"
     "js-v8 cause of 1 [Error] [inner]\n- d at a.js:4:2\njs-v8 [Error] [another]\n- e at a.js:5:2\n"},
    {"errors of one", "AggregateError",
     "AggregateError: All promises were rejected\n    at f (a.js:1:2) {\n  [errors]: [\n    Error: one\n"
     "        at g (a.js:2:2),\n    Error: two\n        at h (a.js:3:2)\n  ]\n}\n",
     "js-v8 [AggregateError] [All promises were rejected]\n- f at a.js:1:2\n"
     "js-v8 cause of 0 [Error] [one]\n- g at a.js:2:2\njs-v8 cause of 0 [Error] [two]\n- h at a.js:3:2\n"},
    {"causes of Chrome", "without braces",
     "Error: outer\n    at a (a.js:1:2)\nCaused by: TypeError: inner\n    at b (a.js:2:2)\n",
     "js-v8 [Error] [outer]\n- a at a.js:1:2\njs-v8 cause of 0 [TypeError] [inner]\n- b at a.js:2:2\n"},
    {"Deno", "the source line that threw is not of the message",
     "error: Uncaught (in promise) TypeError: one\ntwo\n  if (x) throw new TypeError(m);\n               ^\n"
     "    at f (file:///m.ts:1:2)\nerror: Uncaught Error\nthrow new Error();\n      ^\n    at file:///m.ts:3:4\n"
     "TypeError: LINE 1\n  SELECT x\n         ^\n    at g (file:///m.ts:5:6)\n",
     "js-v8 [TypeError] [one\ntwo]\n- f at file:///m.ts:1:2\njs-v8 [Error] []\n-  at file:///m.ts:3:4\n"
     "js-v8 [TypeError] [LINE 1\n  SELECT x\n         ^]\n- g at file:///m.ts:5:6\n"},
    {"React Native, a wrapped error", "components of React may be between the error and the rows",
     "Exception com.facebook.react.common.JavascriptException: Invariant Violation: no text\n\nThis error is located "
     "at:\n    in Button\n    in d, stack:\n<unknown>@1:1192383\npr@1:1162111\n  at a.b.c (A.java:72)\n",
     "js-jsc [Invariant Violation] [no text\n\nThis error is located at:\n    in Button\n    in d]\n"
     "- <unknown> at :1:1192384\n- pr at :1:1162112\n"
     "java [com.facebook.react.common.JavascriptException] [Invariant Violation: no text\n\nThis error is located "
     "at:\n    in Button\n    in d, stack:\n<unknown>@1:1192383\npr@1:1162111]\n- c at A.java:72:0\n"},
    {"React Native's host", "a message of two lines, of which the last announces the stack",
     "W/unknown:BridgelessReact( 12): ReactHost{0}.handleHostException(message = \"TypeError: no\n"
     "W/unknown:BridgelessReact( 12): See https://h/d, js engine: hermes, stack:\n"
     "W/unknown:BridgelessReact( 12): f@1:123\n",
     "js-jsc [TypeError] [no\nSee https://h/d]\n- f at :1:124\n"},
    {"Datadog", "rows without a position have no parentheses",
     "SyntaxError: no\n  at JSON.parse @ <anonymous>\n  at load @ https://h/a.js:1:2\n  at Array.map @ undefined\n"
     "  at <anonymous> @ https://h/a.js:3:4\n\n\n\n\n\n\nwe met\nat noon @ undefined\nat home @ native\n",
     "js-v8 [SyntaxError] [no]\n- JSON.parse at <anonymous>:0:0\n- load at https://h/a.js:1:2\n- Array.map at :0:0\n"
     "- <anonymous> at https://h/a.js:3:4\n"},
    {"Expo", "its console prints errors in brackets, and the source after the message",
     " ERROR  [TypeError: Cannot read property 'a' of undefined] \n\nCode: Cart.tsx\n  12 |   const c = get();\n"
     "> 13 |   return c.a;\n     |            ^\n  14 | }\n\nCall Stack\n  Cart (src/Cart.tsx:13:12)\n\n\n\n\n\n\n\n"
     " ERROR  [Error: one\n* two [2]]\n\nCall Stack\n  Cart (src/Cart.tsx:13:12)\n\n\n\n\n\n\n\n"
     "TypeError: list[0]\nCode: 401\nx\n    at f (a.js:1:2)\n",
     "js-v8 [TypeError] [Cannot read property 'a' of undefined]\n- Cart at src/Cart.tsx:13:12\n"
     "js-v8 [Error] [one\n* two [2]]\n- Cart at src/Cart.tsx:13:12\n"
     "js-v8 [TypeError] [list[0]\nCode: 401\nx]\n- f at a.js:1:2\n"},
    {"Deno, a string", "an escaped line end in the source line does not end the search for the error, nor is it one",
     "error: Uncaught (in promise) Error: one\n  throw new Error(\"one\\ncart: Error: no\" + x);\n        ^\n"
     "    at f (file:///m.ts:1:2)\nx\n  throw g(\"a\\nTypeError: b\" + x);\n    at f (file:///m.ts:3:4)\n"
     "error: Uncaught Error: two\nconst t = 1; // TypeError: three\n   ^\n    at file:///m.ts:5:6\n",
     "js-v8 [Error] [one]\n- f at file:///m.ts:1:2\njs-v8 [] []\n- f at file:///m.ts:3:4\n"
     "js-v8 [Error] [two]\n-  at file:///m.ts:5:6\n"},
    {"causes of pino", "the same in lower case",
     "{\"err\":{\"stack\":\"Error: outer\\n    at a (a.js:1:2)\\ncaused by: TypeError: inner\\n    at b "
     "(a.js:2:2)\"}}\n",
     "js-v8 [Error] [outer]\n- a at a.js:1:2\njs-v8 cause of 0 [TypeError] [inner]\n- b at a.js:2:2\n"},
    {"evaluated", "V8, nested and named by itself",
     "Error: x\n    at f (eval at g (eval at h (a.js:1:2)), <anonymous>:3:4)\n"
     "    at k (eval at g (a.js:5:6), named.js:7:8)\n    at native (native)\n",
     "js-v8 [Error] [x]\n- f at a.js:1:2 eval:<anonymous>:3:4 origin:eval at g (eval at h (a.js:1:2))\n"
     "- k at named.js:7:8 eval:named.js:7:8 origin:eval at g (a.js:5:6)\n- native at native:0:0 native\n"},
    {"evaluated in words", "SpiderMonkey, and its causes",
     "f@a.js line 3 > eval line 1 > Function:4:5\nasync*g@https://h/a.js:1:2\npromise callback*@https://h/a.js:1:3\n",
     "js-spidermonkey [] []\n- f at a.js:3:0 eval:a.js line 3 > eval line 1 > Function:4:5 origin:a.js line 3\n"
     "- g at https://h/a.js:1:2 async\n-  at https://h/a.js:1:3 async\n"},
    {"WebAssembly", "V8 of two ages",
     "RuntimeError: unreachable\n    at m.f(int) (https://h/m.wasm:wasm-function[12]:0x2a)\n"
     "    at wasm-function[3]:29\n    at g (wasm://wasm/aec62a96:wasm-function[1]:0x2a)\n",
     "js-v8 [RuntimeError] [unreachable]\n- m.f(int) at https://h/m.wasm:1:0 module:m.wasm wasm:12\n"
     "-  at :1:0 wasm:3\n- g at wasm://wasm/aec62a96:1:0 module:aec62a96 wasm:1\n"},
    {"WebAssembly in Chromium's console", "no function is printed, and the script is before the error",
     "shop.tsx:12 RuntimeError: unreachable\n    at shop_bg.wasm:0x2d451\n    at f (33df18de:0x1a)\n"
     "    at g (shop.js:4:1)\n",
     "js-v8 [RuntimeError] [unreachable]\n-  at shop_bg.wasm:1:0 module:shop_bg.wasm\n"
     "- f at 33df18de:1:0 module:33df18de\n- g at shop.js:4:1\n"},
    {"WebAssembly of Safari", "no offsets, the index in the name",
     "<?>.wasm-function[2441]@[wasm code]\nwasm-stub@[wasm code]\nasync f@https://h/a.js:1:2\nforEach@[native code]\n"
     "eval code\nrun\nglobal code@https://h/a.js:3:4\n",
     "js-jsc [] []\n- <?>.wasm-function[2441] at [wasm code]:0:0 wasm:2441\n- wasm-stub at [wasm code]:0:0\n"
     "- f at https://h/a.js:1:2 async\n- forEach at [native code]:0:0 native\n- eval code at :0:0\n- run at :0:0\n"
     "- global code at https://h/a.js:3:4\n"},
    {"an error and its stack", "the first row is after the error, as Firefox logs it; each error begins a stack",
     "TypeError: can't access property \"a: b\", cart.x is null: #close@https://h/a.js:1:2\nemit@https://h/a.js:3:4\n"
     "log: CartError: cart: empty: pay@https://h/b.js:5:6\nemit@https://h/a.js:3:4\nRangeError: far: "
     "f@https://h/a.js:7:8\n",
     "js-spidermonkey [TypeError] [can't access property \"a: b\", cart.x is null]\n- #close at https://h/a.js:1:2\n"
     "- emit at https://h/a.js:3:4\njs-spidermonkey [CartError] [cart: empty]\n- pay at https://h/b.js:5:6\n"
     "- emit at https://h/a.js:3:4\njs-spidermonkey [RangeError] [far]\n- f at https://h/a.js:7:8\n"},
    {"quotes of Node's console", "they are not part of a name; nor is the line before the rows an error",
     "  stack: 'one@https://h/a.js:1:2'\n\n  Message: no\n  Stack:\n    f@https://h/a.js:3:4\n    "
     "'g@https://h/a.js:5:6',\n",
     "js-spidermonkey [] []\n- one at https://h/a.js:1:2\njs-spidermonkey [] []\n- f at https://h/a.js:3:4\n- g at "
     "https://h/a.js:5:6\n"},
    {"members of JSON", "the error is named next to the string, in the same object alone",
     "{\"name\":\"TypeError\",\"message\":\"x is "
     "\\\"null\\\"\",\"frames\":[\"[\",{\"message\":\"no\"}],\"stack\":\"f@https://h/a.js:1:2\\ng@https://h/"
     "a.js:3:4\"}\n"
     "{\"type\":\"log\",\"stack\":\"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\",\"msg\":\"b\",\"message\":\"Uncaught "
     "RangeError: far\",\"nested\":{\"message\":\"no\"}}\n"
     "{\"log\":\"{\\\"message\\\":\\\"one\\\",\\\"stack\\\":\\\"f@https://h/a.js:1:2\\\\ng@https://h/"
     "a.js:3:4\\\",\\\"name\\\":\\\"CartError\\\"}\"}\n"
     "{\"message\":\"outer\",\"errors\":[{\"message\":\"two\",\"stack\":\"f@https://h/a.js:1:2\\ng@https://h/"
     "a.js:3:4\"},{\"code\":1,\"stack\":\"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\"}]}\n",
     "js-spidermonkey [TypeError] [x is \"null\"]\n"
     "- f at https://h/a.js:1:2\n"
     "- g at https://h/a.js:3:4\n"
     "js-spidermonkey [RangeError] [far]\n"
     "- f at https://h/a.js:1:2\n"
     "- g at https://h/a.js:3:4\n"
     "js-spidermonkey [CartError] [one]\n"
     "- f at https://h/a.js:1:2\n"
     "- g at https://h/a.js:3:4\n"
     "js-spidermonkey [] [two]\n"
     "- f at https://h/a.js:1:2\n"
     "- g at https://h/a.js:3:4\n"
     "js-spidermonkey [] []\n"
     "- f at https://h/a.js:1:2\n"
     "- g at https://h/a.js:3:4\n"},
    {"members with dots", "an error's own message before that of the log",
     "{\"message\":\"log\",\"error.name\":\"TypeError\",\"error.message\":\"no\","
     "\"error.stack\":\"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\"}\n",
     "js-spidermonkey [TypeError] [no]\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"},
    {"other names of members", "of Splunk's spans, and of Bugsnag; names of Firefox's own errors",
     "{\"error.object\":\"TypeError\",\"error.message\":\"x\",\"error.stack\":\"f@https://h/a.js:1:2\"}\n"
     "{\"errorClass\":\"NS_ERROR_FAILURE\",\"stack\":\"f@https://h/a.js:1:2\"}\n",
     "js-spidermonkey [TypeError] [x]\n- f at https://h/a.js:1:2\n"
     "js-spidermonkey [NS_ERROR_FAILURE] []\n- f at https://h/a.js:1:2\n"},
    {"members on lines of their own", "the lines above are read",
     "{\n"
     "  \"name\": \"TypeError\",\n"
     "  \"message\": \"a\\nb\",\n"
     "  \"tags\": {\n"
     "    \"message\": \"no\"\n"
     "  },\n"
     "  \"stack\": \"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\"\n"
     "}\n",
     "js-spidermonkey [TypeError] [a\n"
     "b]\n"
     "- f at https://h/a.js:1:2\n"
     "- g at https://h/a.js:3:4\n"},
    {"members below", "they follow on lines of their own, in the same object alone; strings may have line ends",
     "{\n"
     "  \"stack\": \"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\",\n"
     "  \"tags\": {\n"
     "    \"message\": \"no\"\n"
     "  },\n"
     "  \"message\": \"a\\nb\",\n"
     "  \"name\": \"TypeError\"\n"
     "},\n"
     "{\n"
     "  \"stack\": \"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\"\n"
     "},\n"
     "{\n"
     "  \"message\": \"no\",\n"
     "  \"name\": \"RangeError\"\n"
     "}\n",
     "js-spidermonkey [TypeError] [a\nb]\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"
     "js-spidermonkey [] []\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"},
    {"attributes of OpenTelemetry", "before and after, on one line; other lists and values do not count",
     "{\"attributes\":[{\"key\":\"exception.type\",\"value\":{\"stringValue\":\"TypeError\"}},{\"key\":\"exception."
     "stacktrace\",\"value\":{\"stringValue\":\"f@https://h/a.js:1:2\\ng@https://h/"
     "a.js:3:4\"}},{\"key\":\"n\",\"value\":{\"intValue\":1}},{\"key\":\"exception.message\",\"value\":{"
     "\"stringValue\":\"x is null\"}}]}\n"
     "{\"attributes\":[{\"key\":\"exception.stacktrace\",\"value\":{\"stringValue\":\"f@https://h/a.js:1:2\\ng@https://"
     "h/a.js:3:4\"}},{\"key\":\"exception.message\",\"value\":{\"stringValue\":\"RangeError: "
     "far\"}}],\"exception.message\":\"no\"}\n"
     "{\"attributes\":[{\"key\":\"exception.type\",\"value\":{\"stringValue\":\"CartError\"}}],\"e\":[{\"key\":"
     "\"name\",\"value\":{\"name\":\"TypeError\",\"stringValue\":\"no\"}},{\"key\":\"exception.message\",\"value\":{"
     "\"stringValue\":\"inner\"}},{\"key\":\"exception.stacktrace\",\"value\":{\"stringValue\":\"f@https://h/"
     "a.js:1:2\\ng@https://h/a.js:3:4\"}}]}\n",
     "js-spidermonkey [TypeError] [x is null]\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"
     "js-spidermonkey [RangeError] [far]\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"
     "js-spidermonkey [] [inner]\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"},
    {"attributes on lines of their own", "above and below; a value may be the attribute's own",
     "[\n"
     "  {\"key\": \"exception.message\", \"value\": {\n"
     "    \"stringValue\": \"x is null\"\n"
     "  }},\n"
     "  {\n"
     "    \"key\": \"exception.stacktrace\",\n"
     "    \"value\": {\n"
     "      \"stringValue\": \"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\"\n"
     "    }\n"
     "  },\n"
     "  {\n"
     "    \"key\": \"exception.type\",\n"
     "    \"value\": {\n"
     "      \"stringValue\": \"TypeError\"\n"
     "    }\n"
     "  }\n"
     "]\n"
     "[\n"
     "  {\n"
     "    \"key\": \"exception.stacktrace\",\n"
     "    \"value\": \"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\"\n"
     "  }\n"
     "]\n"
     "[\n"
     "  {\n"
     "    \"key\": \"exception.type\",\n"
     "    \"value\": \"TypeError\"\n"
     "  }\n"
     "]\n",
     "js-spidermonkey [TypeError] [x is null]\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"
     "js-spidermonkey [] []\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"},
    {"attributes without wrappers", "as Jaeger and Embrace have them; without a key it is a member",
     "[{\"key\":\"exception.type\",\"type\":\"string\",\"value\":\"TypeError\"},{\"key\":\"exception.stacktrace\","
     "\"type\":\"string\",\"value\":\"f@https://h/a.js:1:2\\ng@https://h/"
     "a.js:3:4\"},{\"key\":\"exception.message\",\"type\":\"string\",\"value\":\"x is null\"}]\n"
     "{\"name\":\"TypeError\",\"value\":\"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\"}\n",
     "js-spidermonkey [TypeError] [x is null]\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"
     "js-spidermonkey [TypeError] []\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"},
    {"a report of tests", "tags and entities of XML around and in it; the last row has the end of its element",
     "<testcase>\n  <failure message=\"x\">TypeError: Can&apos;t read &quot;a&quot;\n    at f (https://h/a.js:1:2)\n"
     "    at g (https://h/a.js:3:4)</failure>\n</testcase>\n    <failure><![CDATA[RangeError: far\n"
     "    at f (https://h/a.js:1:2)\n    at g (https://h/a.js:3:4)]]></failure>\n",
     "js-v8 [TypeError] [Can't read \"a\"]\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"
     "js-v8 [RangeError] [far]\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"},
    {"a single row in JSON", "without a line end; each string is a stack of its own, and other members are none",
     "[{\"name\":\"TypeError\",\"message\":\"x\",\"stack\":\"f@https://h/a.js:1:2\"},{\"error.stack_trace\":"
     "\"    at g (https:\\/\\/h/a.js:3:4)\",\"error.type\":\"RangeError\"},{\"user\":\"h@https://h/a.js:5:6\"},"
     "{\"stack\":\"ssh me@h/a:1\",\"trace\":\"i@j:1:2\"}]\n"
     "  {\n    \"stack\": \"global code@https://h/a.js:1:2\",\n    \"name\": \"CartError\"\n  }\n"
     "[{\"key\":\"exception.type\",\"value\":{\"stringValue\":\"TypeError\"}},{\"key\":\"exception.stacktrace\","
     "\"value\":{\"stringValue\":\"f@https://h/a.js:1:2\"}}]\n",
     "js-spidermonkey [TypeError] [x]\n- f at https://h/a.js:1:2\n"
     "js-v8 [RangeError] []\n- g at https://h/a.js:3:4\n"
     "js-jsc [CartError] []\n- global code at https://h/a.js:1:2\n"
     "js-spidermonkey [TypeError] []\n- f at https://h/a.js:1:2\n"},
    {"extensions", "the scheme is apart from the file",
     "Error: no\n  at f@safari-extension:(//AB-12/c.js:1:2)\n  at safari-web-extension:(//AB-12/d.js:3:4)\n",
     "js-jsc [Error] [no]\n- f at safari-extension://AB-12/c.js:1:2\n-  at safari-web-extension://AB-12/d.js:3:4\n"},
    {"no position", "a chunk that was not loaded",
     "ChunkLoadError: Loading chunk a failed.\n  (error: https://h/a.js)\n    at (error: (/h/a.js))\n"
     "    at key(webpack/runtime/jsonp chunk loading:27:18)\n",
     "js-v8 [ChunkLoadError] [Loading chunk a failed.\n  (error: https://h/a.js)]\n-  at error: (/h/a.js):0:0\n"
     "- key at webpack/runtime/jsonp chunk loading:27:18\n"},
    {"no columns", "QuickJS and Duktape",
     "Error: x\n    at f (a.js:12)\n    at map (native)\n    at [anon] (b.js:3) strict preventsyield\n",
     "js-other [Error] [x]\n- f at a.js:12:0\n- map at native:0:0 native\n- [anon] at b.js:3:0\n"},
    {"no columns, sources", "Chrome's console shows the files of the source map",
     "TypeError: x\n    at Shop.load$1 (cart.dart:12)\n    at mounted (Cart.vue:31)\n\n\n\n\nsee\n    at home "
     "(a.txt:3)\n"
     "\n\n\n\nand\n    at the end (see cart.js:12)\n",
     "js-other [TypeError] [x]\n- Shop.load$1 at cart.dart:12:0\n- mounted at Cart.vue:31:0\n"},
    {"one line", "all of a stack",
     "TypeError: a at b is not a function at f (https://h/a.js:1:2) at Array.map (<anonymous>) at async g "
     "(eval at k (a.js:1:2), <anonymous>:3:4) at https://h/a.js:5:6\n",
     "js-one-line [TypeError] [a at b is not a function]\n- f at https://h/a.js:1:2\n- Array.map at <anonymous>:0:0\n"
     "- g at a.js:1:2 async eval:<anonymous>:3:4 origin:eval at k (a.js:1:2)\n-  at https://h/a.js:5:6\n"},
    {"one line, signs", "Firefox and Safari, with blanks or nothing between; ports, versions and arguments",
     "TypeError: a is undefined stack: f@https://h:80/a.js:1:2 https://h/vue@2.6/b.js:3:4 global "
     "code@https://h/c.js:5\n"
     "f@https://h/a.js:1:2@https://h/a.js:3:4g@https://h/a.js:5:6https://h/b.js:7:8forEach@[native "
     "code]k@h://x/y.js:9\n"
     "g(\"a b\",[object X])@file:///C:/a.html:9h()@file:///C:/a.html:16\n",
     "js-one-line [TypeError] [a is undefined]\n- f at https://h:80/a.js:1:2\n-  at https://h/vue@2.6/b.js:3:4\n"
     "- global code at https://h/c.js:5:0\njs-one-line [] []\n- f at https://h/a.js:1:2\n-  at https://h/a.js:3:4\n"
     "- g at https://h/a.js:5:6\n-  at https://h/b.js:7:8\n- forEach at [native code]:0:0 native\n- k at "
     "h://x/y.js:9:0\n"
     "js-one-line [] []\n- X]) at file:///C:/a.html:9:0\n- h() at file:///C:/a.html:16:0\n"},
    {"Karma", "it prints the place in the source first, then the one that it was made from",
     "TypeError: no\n    at A.<anonymous> (webpack:///src/a.ts:12:3 <- test.js:1234:56)\n"
     "    at webpack:///src/b.ts:7:1 <- test.js:99:1\n    at C (a <- b.js:1:2)\nError: b\nf@webpack:///src/c.js:1:2 <- "
     "test.js:3:4\n",
     "js-v8 [TypeError] [no]\n- A.<anonymous> at webpack:///src/a.ts:12:3\n-  at webpack:///src/b.ts:7:1\n"
     "- C at a <- b.js:1:2\njs-spidermonkey [Error] [b]\n- f at webpack:///src/c.js:1:2\n"},
    {"a URL with a sign", "it is no name",
     "Error: no\nhttps://h/vue@2.6.1/vue.js:1:2\nf@https://h/vue@2.6.1/vue.js:3:4\nhttps://h/vue@2.6.1/vue.js:5:6\n",
     "js-spidermonkey [Error] [no]\n-  at https://h/vue@2.6.1/vue.js:1:2\n- f at https://h/vue@2.6.1/vue.js:3:4\n"
     "-  at https://h/vue@2.6.1/vue.js:5:6\n"},
    {"call tree", "of Chrome's console",
     "a.js:1 Uncaught TypeError: no\nf\t@\ta.js:1\nPromise.then (async)\n(anonymous) @ (index):2\nawait in g\n"
     "new Foo @ VM12:3:4\nsetTimeout\nk @ b.js\n",
     "js-devtools [TypeError] [no]\n- f at a.js:1:0\n- async-gap\n- (anonymous) at (index):2:0\n- async-gap\n"
     "- new Foo at VM12:3:4\n- async-gap\n- k at b.js:0:0\n"},
    {"V8's dump", "frames of the engine, adaptors, without a place; native rows follow it",
     "<--- JS stacktrace --->\n\n==== JS stack trace =========================================\n\n    0: ExitFrame "
     "[pc: 0x142b7d9]\n"
     "Security context: 0x0dced9f008d1 <JSObject>\n"
     "    1: /* anonymous */ [0x42fa7f8ab49] [/home/u/my dir/t.js:~1] [pc=0x26f2c6e83bd0](this=0x042f <Object>,...\n"
     "    2: arguments adaptor frame: 3->2\n    3: forEach [00000109C2E06DF1](this=0x036cdad20831 <JSArray[442]>\n"
     "    4: emit(aka emit) [internal/async_hooks.js:121] [pc=0x10](this=0x18dbb0b8e921 <Map>)\n"
     "    5: new Cart [0x1] [C:\\app\\a.js:*979] [bytecode=0000013D offset=12](this=0x00ea4c18d5e1 <JSGlobal "
     "Object>)\n\n"
     "FATAL ERROR: x\n 6: 0xa18c70 node::Abort() [node]\n",
     "js-dump [] []\n"
     "- ExitFrame at :0:0\n"
     "-  at /home/u/my dir/t.js:1:0\n"
     "- forEach at :0:0\n"
     "- emit at internal/async_hooks.js:121:0\n"
     "- new Cart at C:\\app\\a.js:979:0\n"
     "chromium [FATAL ERROR] [x]\n"
     "- node::Abort() at :0:0 module:node\n"},
    {"V8's dump, near misses", "other lists", "==== JS stack trace ==\n\n1) a\n 1: f(x)\n", ""},
    {"Opera", "its layouts",
     "Statement on line 44: Type mismatch\nBacktrace:\n  Line 44 of linked script http://h/a.js\n    x.undef();\n"
     "  Line 4 of inline#1 script in http://h/b.js: In function bar\n    foo();\n",
     "js-opera [] [Type mismatch]\n-  at http://h/a.js:44:0\n- bar at http://h/b.js:4:0\n"},
    {"Opera 11", "with columns",
     "Error thrown at line 42, column 12 in <anonymous function: make>(x) in http://h/a.js:\n    x.undef();\n"
     "called from line 15, column 3 in http://h/a.js:\n    foo();\n",
     "js-opera [] []\n- <anonymous function: make>(x) at http://h/a.js:42:12\n-  at http://h/a.js:15:3\n"},
    {"consoles of WebViews", "errors of three, and a message",
     "[1121/100000.123:INFO:CONSOLE(12)] \"Uncaught TypeError: no\", source: https://h/a.js (12)\n"
     "[7:7:1121/100000.1:ERROR:CONSOLE:3] \"Uncaught out of stock\", source: https://h/a.js (3)\n"
     "[1121/100000.123:INFO:CONSOLE(12)] \"loaded\", source: https://h/a.js (12)\n"
     "file:///android_asset/a.js: Line 4 : Uncaught ReferenceError: x is not defined\n"
     "Uncaught SyntaxError: bad -- From line 9 of file:///android_asset/b.js\n"
     "E/Capacitor: JavaScript Error: {\"type\":\"js.error\",\"error\":{\"message\":\"Uncaught RangeError: "
     "far\",\"url\":"
     "\"https://localhost/c.js\",\"line\":1,\"col\":54,\"errorObject\":\"{}\"}}\n"
     "{\"type\":\"js.error\",\"error\":{\"message\":\"Script error.\",\"url\":\"\",\"line\":0,\"col\":0}}\n",
     "js-console [TypeError] [no]\n-  at https://h/a.js:12:0\njs-console [] [out of stock]\n-  at https://h/a.js:3:0\n"
     "js-console [ReferenceError] [x is not defined]\n-  at file:///android_asset/a.js:4:0\n"
     "js-console [SyntaxError] [bad]\n-  at file:///android_asset/b.js:9:0\n"
     "js-console [RangeError] [far]\n-  at https://localhost/c.js:1:54\n"},
    {"Capacitor on iOS", "an error at startup, whose URL is a line above; an error in JSON, without its message",
     "\xE2\x9A\xA1\xEF\xB8\x8F  ------ STARTUP JS ERROR ------\n\n\xE2\x9A\xA1\xEF\xB8\x8F  ReferenceError: Cannot "
     "access 'R'.\n"
     "\xE2\x9A\xA1\xEF\xB8\x8F  URL: capacitor://localhost/assets/index-Ceb.js\n\xE2\x9A\xA1\xEF\xB8\x8F  "
     "index-Ceb.js:199:27570\n\n\xE2\x9A\xA1\xEF\xB8\x8F  other.js:1:2\n"
     "\xE2\x9A\xA1\xEF\xB8\x8F  URL: x.js\n\xE2\x9A\xA1\xEF\xB8\x8F  other.js:1:2\n"
     "\xE2\x9A\xA1\xEF\xB8\x8F  [error] - ERROR "
     "{\"a\":[null],\"line\":1,\"column\":179909,\"sourceURL\":\"capacitor://localhost/main.js\"}\n"
     "\xE2\x9A\xA1\xEF\xB8\x8F  [error] - {}\n"
     "{\"stack\":\"f@https://h/a.js:1:2\\ng@https://h/a.js:3:4\",\"line\":1,\"column\":2,\"sourceURL\":"
     "\"https://h/a.js\"}\n",
     "js-console [ReferenceError] [Cannot access 'R'.]\n-  at capacitor://localhost/assets/index-Ceb.js:199:27570\n"
     "js-console [] []\n-  at capacitor://localhost/main.js:1:179909\n"
     "js-spidermonkey [] []\n- f at https://h/a.js:1:2\n- g at https://h/a.js:3:4\n"},
    {"addresses alone", "Safari and React Native print no name",
     "https://h/a.js:1:2\nf@https://h/a.js:3:4\nindex.android.bundle:29:955\n",
     "js-spidermonkey [] []\n-  at https://h/a.js:1:2\n- f at https://h/a.js:3:4\n- "
     " at index.android.bundle:29:955\n"},
    {"asynchronous place", "the word is before the place, and Edge's native code",
     "Error: x\n    at f (async http://h/a.js:1:2)\n    at map (native code)\n"
     "    at eval (eval at g (http://h/a.js:3:4))\n",
     "js-v8 [Error] [x]\n- f at http://h/a.js:1:2 async\n- map at native code:0:0 native\n"
     "- eval at http://h/a.js:3:4:0:0 origin:eval at g (http://h/a.js:3:4)\n"},
    {"native alone", "all that the engine left is its own", "error\n at Array.forEach (native)\n",
     "js-v8 [] []\n- Array.forEach at native:0:0 native\n"},
    {"two words", "the name of React's errors", "Invariant Violation: no\n    at f (a.js:1:2)\n",
     "js-v8 [Invariant Violation] [no]\n- f at a.js:1:2\n"},
    {"entities", "a stack that was copied from a page",
     "Error: x\n    at Foo.&lt;anonymous&gt; (http://h/a.js?b=1&amp;c=2:1:2)\n    at Array.map (&lt;anonymous&gt;)\n"
     "    at eval (eval at f (http://h/a.js:3:5), &lt;anonymous&gt;:1:1)\n",
     "js-v8 [Error] [x]\n- Foo.<anonymous> at http://h/a.js?b=1&c=2:1:2\n- Array.map at <anonymous>:0:0\n"
     "- eval at http://h/a.js:3:5 eval:<anonymous>:1:1 origin:eval at f (http://h/a.js:3:5)\n"},
    {"red box of iOS", "the place is apart from the file", "TypeError: no\nrender\n    App.js @ 12:3\n",
     "js-v8 [TypeError] [no]\n- render at App.js:12:3\n"},
    {"near misses", "prose and other tools",
     "meet me at home at 5:30\nuser @ host:22\nlook at a at b\nwrite to me @ home.org:1 now\n", ""},
};

static void test_models(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct parsed parsed;
        struct fm_buf got, back;
        const framemap_str text = text_of(models[i].text);
        parse(&parsed, text);
        fm_buf_init(&got, &parsed.heap);
        for (size_t t = 0; t < parsed.count; t++) {
            const framemap_trace *trace = &parsed.traces[t];
            fm_buf_str(&got, trace->format);
            if (trace->role)
                fm_buf_printf(&got, " %s of %u", framemap_role_name(trace->role), (unsigned)trace->part_of);
            fm_buf_str(&got, FM_STR(" ["));
            fm_buf_str(&got, trace->exception_type);
            fm_buf_str(&got, FM_STR("] ["));
            fm_buf_str(&got, trace->exception_message);
            fm_buf_str(&got, FM_STR("]\n"));
            for (size_t f = 0; f < trace->frame_count; f++) describe_js(&got, &trace->frames[f]);
        }
        same_text(models[i].name, "what was read", fm_buf_view(&got), text_of(models[i].want));
        assert_int_equal(print_as(&parsed, text, "text", &back), FRAMEMAP_OK);
        same_text(models[i].name, "the text that comes back", fm_buf_view(&back), text);
        fm_buf_free(&back);
        fm_buf_free(&got);
        parsed_free(&parsed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return cmocka_run_group_tests_name("formats javascript model", tests, NULL, NULL);
}
