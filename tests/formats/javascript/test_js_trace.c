#include "core/text/buffer.h"
#include "formats/javascript/js_row.h"
#include "tests/formats/formats_help.h"

#include <ctype.h>
#include <stdlib.h>

static const struct text_case texts[] = {
    {"V8", "names of all kinds, builtins, the host's own scripts",
     "Uncaught TypeError: x is not a function\n    at t (https://a.b/main.js?v=1:1:17348)\n    at new <anonymous> "
     "(main.js:1:2)\n"
     "    at Object.thrower [as foo] (/s/a b/c (1).js:3:28)\n    at C:\\x\\y.js:4:5\n    at async f "
     "(file:///x.mjs:1:2)\n"
     "    at Array.map (<anonymous>)\n    at async Promise.all (index 0)\n    at node:internal/main:28:49\n    at #p "
     "(a.js:1:2) {\n",
     "js-v8 2 exception:TypeError: x is not a function\n- f:t at:https://a.b/main.js?v=1:1:17348\n- f:new <anonymous> "
     "at:main.js:1:2\n"
     "- f:Object.thrower [as foo] at:/s/a b/c (1).js:3:28\n- at:C:\\x\\y.js:4:5\n- f:f at:file:///x.mjs:1:2\n"
     "- f:Array.map at:<anonymous> not-needed\n- f:Promise.all at:index 0 not-needed\n- at:node:internal/main:28:49 "
     "not-needed\n- "
     "f:#p at:a.js:1:2\n"},
    {"Chrome's console", "it copies the index of a promise as if it were a path",
     "Error: x\n    at f (a.js:1:2)\n    at async Promise.all (:3000/index 3)\n    at g (a.js:1:9)\n",
     "js-v8 2 exception:Error: x\n- f:f at:a.js:1:2\n- f:Promise.all at::3000/index 3 not-needed\n- f:g at:a.js:1:9\n"},
    {"V8's hard names", "parentheses and colons in names and addresses",
     "    at a (b:1:2) (/x.js:23:65)\n    at stopHiding - secret - don't use this - v1 (/x.js:1:2)\n    at f "
     "(webpack-internal:///(rsc)/./app/page.js:1:2)\n"
     "    at m.go(int, a::b) (wasm://wasm/m-33df18de:wasm-function[2]:0x3a)\n    at "
     "wasm://wasm/e0f0e982:wasm-function[1]:0x36\n"
     "    at key(webpack/runtime/jsonp chunk loading:27:18)\n    at Error (native)\n",
     "js-v8 1\n- f:a (b:1:2) at:/x.js:23:65\n- f:stopHiding - secret - don't use this - v1 at:/x.js:1:2\n- f:f "
     "at:webpack-internal:///(rsc)/./app/page.js:1:2\n"
     "- m:m-33df18de bytecode:0x3a f:m.go(int, a::b) at:wasm://wasm/m-33df18de:1\n- m:e0f0e982 bytecode:0x36 "
     "at:wasm://wasm/e0f0e982:1\n"
     "- f:key at:webpack/runtime/jsonp chunk loading:27:18\n- f:Error at:native not-needed\n"},
    {"V8's modules", "an offset in a module of WebAssembly, but not in other things",
     "    at https://h/a.wasm:0x3a\n    at f (33df18de:0x3B)\n    at g (33df18d:0x3b)\n    at h (a.c:0x3b)\n",
     "js-v8 1\n- m:a.wasm bytecode:0x3a at:https://h/a.wasm:1\n- m:33df18de bytecode:0x3b f:f at:33df18de:1\n"},
    {"V8's eval", "where the string was evaluated; the code's own name where it gives itself one",
     "    at eval (eval at <anonymous> (eval at f (/x.js:38:27)), <anonymous>:1:1)\n    at g (eval at f (/x.js:1:2), "
     "named.js:3:4)\n"
     "    at eval (lodash.templateSources[0]:9:11)\n    at eval (<anonymous>)\n",
     "js-v8 1\n- f:eval at:/x.js:38:27\n- f:g at:named.js:3:4\n- f:eval at:lodash.templateSources[0]:9:11\n"
     "- f:eval at:<anonymous> not-needed\n"},
    {"first rows", "rows that are none alone belong to the stack that begins with them",
     "Error: x\n    at Error (native)\n    at f (a.js:1:2)\n",
     "js-v8 2 exception:Error: x\n- f:Error at:native not-needed\n- f:f at:a.js:1:2\n"},
    {"no name and no place", "old Node's, within a stack only",
     "    at <anonymous>\n\n\n\n    at f (a.js:1:2)\n    at <anonymous>\n    at process._tick (internal/x.js:1:2)\n",
     "js-v8 5\n- f:f at:a.js:1:2\n- at:<anonymous> not-needed\n- f:process._tick at:internal/x.js:1:2 not-needed\n"},
    {"causes", "each error is a stack of its own",
     "Error: out\n    at f (a.js:1:2) {\n  [cause]: RangeError: in\n      at g (a.js:3:4)\n}\n",
     "js-v8 2 exception:Error: out\n- f:f at:a.js:1:2\njs-v8 4 exception:RangeError: in\n- f:g at:a.js:3:4\n"},
    {"messages of several lines", "the nearest line with an error's name",
     "TypeError: one\ntwo: three\n    at f (a.js:1:2)\n", "js-v8 3 exception:TypeError: one\n- f:f at:a.js:1:2\n"},
    {"Hermes",
     "bytecode has an address, from 0, in a segment; the engine's own bytecode needs nothing; rows may be left out",
     "Error: x\n    at eval (:1:8)\n    at forEach (native)\n    at ?anon_0_a3 (address at "
     "index.android.bundle:1:4085)\n    ... skipping "
     "12 frames\n"
     "    at f (address at /var/a b/main.jsbundle:2:7)\n    at step (address at InternalBytecode.js:1:44276)\n    at g "
     "(a.js:1:2)\n",
     "hermes 2 exception:Error: x\n- f:eval:1:8 unknown-image\n- f:forEach at:native not-needed\n- bytecode:0xff5 "
     "f:?anon_0_a3 "
     "at:index.android.bundle:1:4085\n- skipped count:12 not-needed\n"
     "- bytecode:0x7 f:f at:/var/a b/main.jsbundle:2:7\n- bytecode:0xacf4 f:step at:InternalBytecode.js:1:44276 "
     "not-needed\n- "
     "f:g at:a.js:1:2\n"},
    {"WeChat on iOS", "rows of JavaScriptCore as those of V8, but some, and names of its callbacks",
     "MiniProgramError\nnull is not an object\nat canvas (pages/index.js:1:2)\nat <SelectorQuery callback function>\n"
     "at (WAService.js:2:3)\nforEach@[native code]\nat n (WAService.js:4:5)\nglobal code@\nnext@\n",
     "js-jsc 3 exception:MiniProgramError\n- f:canvas at:pages/index.js:1:2\n- at:WAService.js:2:3\n"
     "- f:forEach at:[native code] not-needed\n- f:n at:WAService.js:4:5\n- f:global code not-needed\n"
     "- f:next not-needed\n"},
    {"Hermes in Java", "both crash together, each row is of its own kind",
     "com.facebook.react.common.JavascriptException: TypeError: no\n    at Card (address at "
     "index.android.bundle:1:1583859)\n"
     "\tat a.b.c(SourceFile:1)\n",
     "hermes 2 exception:com.facebook.react.common.JavascriptException: TypeError: no\n- bytecode:0x182af3 f:Card "
     "at:index.android.bundle:1:1583859\n"
     "java 3 exception:com.facebook.react.common.JavascriptException: TypeError: no\n- c:a.b f:c at:SourceFile:1\n"
     "! exception:com.facebook.react.common.JavascriptException before:0\n"},
    {"SpiderMonkey", "inferred names, causes, evaluated code, '@' in names and addresses",
     "thrower@grammar.js:3:28\nZe/u</i<@https://unpkg.com/x@1.2.3/"
     "a.js:9:22348\na@b@grammar.js:24:61\nobj[\"@w\"]@http://h/@s/foo.js:4:9\n"
     "async*a2@grammar.js:49:76\npromise callback*p@https://h/a.js:1:2\n@grammar.js line 38 > eval line 1 > "
     "eval:1:1\n@<command "
     "line>:1:150\n"
     "@wasm.js line 21 > WebAssembly.Module:wasm-function[1]:0x36\n",
     "js-spidermonkey 1\n- f:thrower at:grammar.js:3:28\n- f:Ze/u</i< at:https://unpkg.com/x@1.2.3/a.js:9:22348\n- "
     "f:a@b "
     "at:grammar.js:24:61\n"
     "- f:obj[\"@w\"] at:http://h/@s/foo.js:4:9\n- f:a2 at:grammar.js:49:76\n- f:p at:https://h/a.js:1:2\n- "
     "at:grammar.js:38\n"
     "- at:<command line>:1:150\n- bytecode:0x36 at:wasm.js:21 unknown-image\n"},
    {"SpiderMonkey, indented", "a row and the one below it are no name and place of a red box",
     "Error: x\n    f@a.js:1:2\n    g@b.js:3:4\n    h@c.js:5:6\n",
     "js-spidermonkey 2 exception:Error: x\n- f:f at:a.js:1:2\n- f:g at:b.js:3:4\n- f:h at:c.js:5:6\n"},
    {"JavaScriptCore", "no place, no name, neither '@'; a trace is renamed when a row tells",
     "Derived@\nshow@grammar.js:2:35\neval@[native code]\nhttp://h/:34:25\neval code\nmodule code@main.jsbundle:1:2\n",
     "js-jsc 1\n- f:Derived not-needed\n- f:show at:grammar.js:2:35\n- f:eval at:[native code] not-needed\n- "
     "at:http://h/:34:25\n"
     "- f:eval code not-needed\n- f:module code at:main.jsbundle:1:2\n"},
    {"React Native's exception", "no file unless it is a module's; columns from 0 either way",
     "E/ReactNativeJS( 12): TypeError: no, stack:\nE/ReactNativeJS( 12): value@1:123\nE/ReactNativeJS( 12): "
     "@2:0\nE/ReactNativeJS( 12): "
     "f@seg-1_2.js:1:5\n",
     "js-jsc 2 exception:TypeError: no\n- f:value:1:124\n-:2:1\n- f:f at:seg-1_2.js:1:6\n"},
    {"WebView", "Chromium's log closes the message in its last row, and names the script",
     "I/chromium( 1234): [INFO:CONSOLE(75)] \"Uncaught (in promise) Error: x\nI/chromium( 1234):     at a "
     "(https://h/app.js:1:20)\n"
     "I/chromium( 1234):     at ji (https://h/app.js:75:12479)\", source: https://h/app.js (75)\n"
     "[1:2:1121/1.2:INFO:CONSOLE(1)] \"Error: y\n    at https://h/app.js:1:20\", source: https://h/app.js (1)\n",
     "js-v8 2 exception:Error: x\n- f:a at:https://h/app.js:1:20\n- f:ji at:https://h/app.js:75:12479\n"
     "js-v8 5 exception:Error: y\n- at:https://h/app.js:1:20\n"},
    {"Capacitor", "its console names the script in front",
     "E/Capacitor/Console: File: https://localhost/app.js - Line 1 - Msg: Error: x\nE/Capacitor/Console:     at a "
     "(https://localhost/app.js:1:20)\n",
     "js-v8 2 exception:Error: x\n- f:a at:https://localhost/app.js:1:20\n"},
    {"unknown prefixes", "are not of the name, which may have colons and brackets itself",
     "f@a.js:1:2\n[error][tid:main] [javascript] g@a.js:3:4\nMy tag: h@a.js:5:6\nobj[\"x: y\"]@a.js:7:8\n",
     "js-spidermonkey 1\n- f:f at:a.js:1:2\n- f:g at:a.js:3:4\n- f:h at:a.js:5:6\n- f:obj[\"x: y\"] at:a.js:7:8\n"},
    {"JSON", "escaped line ends; lists of strings",
     "{\"s\":\"Error: x\\n    at f (a.js:1:2)\\n    at b.js:3:4\"}\n\"    at f (a.js:1:2)\",\n",
     "js-v8 1 exception:Error: x\n- f:f at:a.js:1:2\n- at:b.js:3:4\njs-v8 2\n- f:f at:a.js:1:2\n"},
    {"prose", "words that look like rows",
     "at home (see x)\nat noon (12:30:45)\nat 12:30:45\nat 2024/01/02 12:30:45\nat "
     "a.b.c\nme@example.org:12:30\nme@12:30\nfoo@\n@media\n"
     "ssh git@host:22\nmeet at a.js:1:2\n@@ -1,2 +3,4 @@\n/node_modules/a@1.2/x.ts:1:2\nreact@18.2.0:1:2\nat Foo "
     "(native)\nx (address at "
     "y:1:2)\n",
     ""},
    {"others' rows", "Rust, C, Go, Swift are nobody's here; Mono's is its own",
     "             at /rustc/abc/library/core/src/panicking.rs:52:14\n    at main (a.c:5:3)\n    at ./x.swift:1:2\n"
     "  at Foo.Bar () [0x00001] in /x/y.cs:12\n\t/x/main.go:3:4\n",
     "dotnet 4\n- f:Foo.Bar ()+1 at:/x/y.cs:12 not-needed\n"},
    {"numbers that are none", "too long for any position",
     "    at f (a.js:1:99999999999)\n    at g (address at a.js:1:99999999999999999999999)\nf@a.js:99999999999:1\n", ""},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}

static const framemap_frame chain[] = {
    {.kind = FRAMEMAP_KIND_JS,
     .function = {"deepest", 7},
     .file = {"src/a b.ts", 10},
     .line = 7,
     .column = 3,
     .inlined = true},
    {.kind = FRAMEMAP_KIND_JS, .function = {"run", 3}, .file = {"src/main.ts", 11}, .line = 21}};

static const struct text_case looks[] = {
    {"V8", "what stands around stays", "E/x( 1):     at async t (main.js:1:2) {\r\n",
     "E/x( 1):     at async deepest (src/a b.ts:7:3) {\r\n"},
    {"V8 without a name", "gets one", "    at https://h/main.js:1:2\n", "    at deepest (src/a b.ts:7:3)\n"},
    {"Hermes", "a source is no address any more", "    at f (address at index.android.bundle:1:123)\n",
     "    at deepest (src/a b.ts:7:3)\n"},
    {"SpiderMonkey", "the cause", "async*t/r<@main.js:3:2\n", "async*deepest@src/a b.ts:7:3\n"},
    {"React Native", "the file is told now", "stack:\nt@1:123\n", "stack:\ndeepest@src/a b.ts:7:3\n"},
};

static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, chain, 1);
}

static void test_chains(void **state)
{
    (void)state;
    static const struct text_case rows[] = {{"inlined", "each on a row of its own", "    at t (main.js:1:2)\n",
                                             "    at deepest (src/a b.ts:7:3)\n    at run (src/main.ts:21)\n"}};
    struct parsed parsed;
    struct fm_buf out;
    parse(&parsed, text_of(rows[0].text));
    restore(&parsed.traces[0].frames[0], chain, 2);
    assert_int_equal(print_as(&parsed, text_of(rows[0].text), "text", &out), FRAMEMAP_OK);
    same_text(rows[0].name, "the restored text", fm_buf_view(&out), text_of(rows[0].want));
    fm_buf_free(&out);
    parsed_free(&parsed);
}

/* A case for restored names: each frame line is restored with one name, one file, line 5 and column 6. */
struct name_case {
    const char *why, *text, *function, *file, *want;
    framemap_function_origin origin;
};

static void check_names(const struct name_case *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const framemap_frame source = {.function = text_of(rows[i].function),
                                       .function_origin = rows[i].origin,
                                       .file = text_of(rows[i].file),
                                       .line = 5,
                                       .column = 6};
        struct parsed parsed;
        struct fm_buf out;
        parse(&parsed, text_of(rows[i].text));
        if (parsed.count == 0) fail_msg("%s: no stack", rows[i].why);
        restore(&parsed.traces[0].frames[0], &source, 1);
        assert_int_equal(print_as(&parsed, text_of(rows[i].text), "text", &out), FRAMEMAP_OK);
        same_text(rows[i].why, "the restored text", fm_buf_view(&out), text_of(rows[i].want));
        fm_buf_free(&out);
        parsed_free(&parsed);
    }
}

/* If the restored frame has no value for a part of the frame line, the part is kept as the engine printed it. */
static void test_names(void **state)
{
    (void)state;
    static const struct name_case rows[] = {
        {"no name is known", "    at new t (main.js:1:2)\n", "", "a.ts", "    at new t (a.ts:5:6)\n", 0},
        {"neither name", "    at main.js:1:2\n", "", "a.ts", "    at a.ts:5:6\n", 0},
        {"how it was called", "    at new t (main.js:1:2)\n", "Cart", "a.ts", "    at new Cart (a.ts:5:6)\n", 0},
        {"said already", "    at new t (main.js:1:2)\n", "new Cart", "a.ts", "    at new Cart (a.ts:5:6)\n", 0},
        {"a class is named by its constructor", "    at new t (main.js:1:2)\n", "Cart#constructor", "a.ts",
         "    at new Cart (a.ts:5:6)\n", 0},
        {"no file", "    at t (main.js:1:2)\n", "Cart", "", "    at Cart (main.js:1:2)\n", 0},
        {"no name after all", "@main.js:1:2\n", "", "a.ts", "@a.ts:5:6\n", 0},
        {"a type of the language", "    at Object.t (main.js:1:2)\n", "explode", "a.ts",
         "    at Object.explode (a.ts:5:6)\n", 0},
        {"a type, not a class", "    at Object.t (main.js:1:2)\n", "Tools.explode", "a.ts",
         "    at Object.explode (a.ts:5:6)\n", 0},
        {"a renamed class", "    at e.deepest (main.js:1:2)\n", "Deepest.deepest", "a.ts",
         "    at Deepest.deepest (a.ts:5:6)\n", 0},
        {"a renamed class, the source's is not known", "    at e.deepest (main.js:1:2)\n", "deepest", "a.ts",
         "    at deepest (a.ts:5:6)\n", 0},
        {"a class of the source, derived", "    at Derived.t (main.js:1:2)\n", "Base.init", "a.ts",
         "    at Derived.init (a.ts:5:6)\n", 0},
        {"a class that the bundler spells anew", "    at _Cart.t (main.js:1:2)\n", "Cart.add", "a.ts",
         "    at Cart.add (a.ts:5:6)\n", 0},
        {"a class that the bundler spells anew, by the map", "    at e.add (main.js:1:2)\n", "_Cart.add", "a.ts",
         "    at Cart.add (a.ts:5:6)\n", 0},
        {"a class of two, by the map", "    at e.add (main.js:1:2)\n", "Cart$1.add", "a.ts",
         "    at Cart.add (a.ts:5:6)\n", 0},
        {"an object of the source's own name", "    at e.add (main.js:1:2)\n", "pp$5.add", "a.ts",
         "    at pp$5.add (a.ts:5:6)\n", 0},
        {"the same, made", "    at new e (main.js:1:2)\n", "_Cart", "a.ts", "    at new Cart (a.ts:5:6)\n", 0},
        {"a class of a module, by Closure Compiler", "    at Cart$$module$src$shop.t (main.js:1:2)\n", "Cart.add",
         "a.js", "    at Cart.add (a.js:5:6)\n", 0},
        {"the same, of a class that inherits", "    at Cart$$module$src$shop.t (main.js:1:2)\n", "Base.add", "a.js",
         "    at Cart.add (a.js:5:6)\n", 0},
        {"a class of Closure Library's modules", "    at module$contents$shop$cart_Cart.t (main.js:1:2)\n", "Cart.add",
         "a.js", "    at Cart.add (a.js:5:6)\n", 0},
        {"an accessor that was renamed", "    at get t [as t] (main.js:1:2)\n", "get total", "a.ts",
         "    at get total [as total] (a.ts:5:6)\n", 0},
        {"no class, an underscore", "    at e._add (main.js:1:2)\n", "_add", "a.ts", "    at _add (a.ts:5:6)\n", 0},
        {"a private name of a class", "    at e.#a (main.js:1:2)\n", "Cart.#sum", "a.ts",
         "    at Cart.#sum (a.ts:5:6)\n", 0},
        {"a method by a function map", "    at e.a (main.js:1:2)\n", "Cart#add", "a.ts", "    at Cart#add (a.ts:5:6)\n",
         0},
        {"objects in objects", "    at module.exports.t (main.js:1:2)\n", "fuzz", "a.ts",
         "    at module.exports.fuzz (a.ts:5:6)\n", 0},
        {"the property is the name", "    at Function.wi [as map] (main.js:1:2)\n", "map", "a.ts",
         "    at Function.map (a.ts:5:6)\n", 0},
        {"the property is another", "    at Object.wi [as foo] (main.js:1:2)\n", "thrower", "a.ts",
         "    at Object.thrower [as foo] (a.ts:5:6)\n", 0},
        {"a waiting method", "    at async t.run (main.js:1:2)\n", "Runner.run", "a.ts",
         "    at async Runner.run (a.ts:5:6)\n", 0},
        {"the top of a module", "    at Object.<anonymous> (main.js:1:2)\n", "", "a.ts",
         "    at Object.<anonymous> (a.ts:5:6)\n", 0},
        {"the top of a module, by a function map", "    at Object.<anonymous> (main.js:1:2)\n", "<global>", "a.ts",
         "    at Object.<anonymous> (a.ts:5:6)\n", 0},
        {"a getter", "    at get total [as total] (main.js:1:2)\n", "Cart.total", "a.ts",
         "    at get total [as total] (a.ts:5:6)\n", 0},
        {"a getter, said already", "    at get t [as total] (main.js:1:2)\n", "get total", "a.ts",
         "    at get total [as total] (a.ts:5:6)\n", 0},
        {"a private name", "    at #e (main.js:1:2)\n", "Cart.#sum", "a.ts", "    at #sum (a.ts:5:6)\n", 0},
        {"printed words are kept whole", "    at Object.t [as map] (main.js:1:2)\n", "Object.t [as map]", "a.ts",
         "    at Object.t [as map] (a.ts:5:6)\n", FRAMEMAP_FUNCTION_PRINTED},
        {"no name, as Hermes says it", "    at anonymous (address at main.hbc:1:2)\n", "<anonymous>", "a.ts",
         "    at anonymous (a.ts:5:6)\n", FRAMEMAP_FUNCTION_MAP},
        {"no name, as V8 says it", "    at https://h/main.js:1:2\n", "<anonymous>", "a.ts", "    at a.ts:5:6\n",
         FRAMEMAP_FUNCTION_SCOPES},
        {"no name, as SpiderMonkey says it", "t/r<@https://h/main.js:1:2\n", "<anonymous>", "a.ts", "@a.ts:5:6\n",
         FRAMEMAP_FUNCTION_SCOPES},
        {"no method after all", "    at e.t (main.js:1:2)\n", "<anonymous>", "a.ts", "    at <anonymous> (a.ts:5:6)\n",
         FRAMEMAP_FUNCTION_SCOPES},
        {"a class, where there is no word for making", "e@https://h/main.js:1:2\n", "new Cart", "a.ts",
         "Cart@a.ts:5:6\n", FRAMEMAP_FUNCTION_TEXT},
        {"Hermes", "    at t (address at main.hbc:1:2)\n", "Cart#add", "a.ts", "    at Cart#add (a.ts:5:6)\n",
         FRAMEMAP_FUNCTION_MAP},
        {"SpiderMonkey's inferred names", "Ze/u</i<@https://h/main.js:1:2\n", "each", "a.ts", "each@a.ts:5:6\n", 0},
        {"JavaScriptCore's rows without a name", "f@a.js:1:2\nhttp://h/:34:25\n", "each", "a.ts",
         "each@a.ts:5:6\nhttp://h/:34:25\n", 0},
    };
    check_names(rows, sizeof rows / sizeof *rows);
}

/* In a frame of evaluated code, only the position of the call that evaluates the code is restored. */
static void test_evaluated(void **state)
{
    (void)state;
    static const struct name_case rows[] = {
        {"V8", "    at g (eval at t (main.js:1:2), <anonymous>:3:4)\n", "run", "a.ts",
         "    at g (eval at run (a.ts:5:6), <anonymous>:3:4)\n", FRAMEMAP_FUNCTION_TEXT},
        {"V8, nested", "    at eval (eval at <anonymous> (eval at t (/x (1).js:1:2)), <anonymous>:1:1)\n", "run",
         "a.ts", "    at eval (eval at <anonymous> (eval at run (a.ts:5:6)), <anonymous>:1:1)\n",
         FRAMEMAP_FUNCTION_SCOPES},
        {"a name by the caller is of the code, not of what evaluates it",
         "    at g (eval at t (main.js:1:2), <anonymous>:3:4)\n", "eval", "a.ts",
         "    at g (eval at t (a.ts:5:6), <anonymous>:3:4)\n", FRAMEMAP_FUNCTION_CALLER},
        {"code with a name of its own", "    at g (eval at t (main.js:1:2), own.js:3:4)\n", "run", "a.ts",
         "    at run (a.ts:5:6)\n", FRAMEMAP_FUNCTION_TEXT},
        {"SpiderMonkey", "async*t@main.js line 3 > eval line 1 > Function:1:2\n", "run", "a.ts",
         "async*t@a.ts line 5 > eval line 1 > Function:1:2\n", FRAMEMAP_FUNCTION_TEXT},
    };
    check_names(rows, sizeof rows / sizeof *rows);
}

/* Every prefix of every text is printed unchanged; it is parsed in a memory block of exactly its size. */
static void test_prefixes(void **state)
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

/* Each format finds the same stacks, whether it is the only format that parses, or all formats parse together. */
static void test_alone(void **state)
{
    (void)state;
    static const struct {
        const char *format, *text;
    } rows[] = {{"js-v8", "    at f (a.js:1:2)\n"},
                {"hermes", "    at f (address at a.hbc:1:2)\n"},
                {"js-spidermonkey", "f/<@a.js:1:2\n"},
                {"js-jsc", "f@a.js:1:2\ng@[native code]\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed parsed;
        parse_as(&parsed, text_of(rows[i].text), rows[i].format, NULL);
        assert_int_equal(parsed.count, 1);
        same_text(rows[i].format, "the format", parsed.traces[0].format, text_of(rows[i].format));
        parsed_free(&parsed);
    }
}

/* Tests lines of 60 KB that would take a quadratic parser noticeably long. */
static void test_long_lines(void **state)
{
    (void)state;
    static const char *const pieces[] = {"at ",
                                         "at (",
                                         " (",
                                         ")",
                                         "@",
                                         "@http:",
                                         "aaaaaaaaaaaaaaaaaaaaaaaa:",
                                         " line 1 > ",
                                         "), ",
                                         ":1",
                                         "*",
                                         "at f (a.js:1:2) ",
                                         "eval at (",
                                         ":wasm-function[1]",
                                         "... ",
                                         "f@a.js:1:2 ",
                                         "stack:",
                                         "\033[1m",
                                         "eval at f (eval at ",
                                         " @ ",
                                         " line 1 > eval line 2 > ",
                                         "Uncaught ",
                                         "[Error] ",
                                         "12 | ",
                                         "in A (at b.js:1) ",
                                         "Error: "};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        enum { LINE = 60000, LINES = 16 };
        static const char *const heads[] = {"", "at ", "@"}, *const ends[] = {"", ")", ":1:2"};
        size_t piece = strlen(pieces[i]), used = 0;
        char *text = malloc((LINE + 64) * LINES);
        for (size_t line = 0; line < LINES; line++) {
            const char *head = heads[line % 3], *end = ends[line / 3 % 3];
            used += (size_t)sprintf(text + used, "%s", head);
            for (size_t at = 0; at + piece < LINE; at += piece, used += piece) memcpy(text + used, pieces[i], piece);
            used += (size_t)sprintf(text + used, "%s\n", end);
        }
        struct parsed parsed;
        parse(&parsed, fm_str(text, used));
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        parsed_free(&parsed);
        free(text);
    }
}

/* The fast code for ordinary lines and the general code split a frame line into the same parts. To have a line split by
 * the general code, a byte is added to it. */
static void test_plain(void **state)
{
    static const char *const rows[] = {
        "    at f (https://a.b/c.js:1:2)",         "at new A.b [as c] (/home/a b/c.js:12:345)  {",
        "\tat async x (address at a.bundle:1:23)", "at async https://a.b/c.js:1:2,",
        "   at address at a.bundle:1:23",          "at f (c.js:4294967295:1)"};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fm_js_row plain, other;
        const framemap_str body = text_of(rows[i]);
        const bool is_row = fm_js_row_at(body, false, &plain);
        assert_true(is_row && plain.plain);
        for (size_t at = 0; at < plain.place.file.size; at++) {
            const size_t place = (size_t)(plain.place.file.data - body.data) + at;
            char *copy = malloc(body.size);
            memcpy(copy, body.data, body.size);
            copy[place] = '>';
            assert_true(fm_js_row_at(fm_str(copy, body.size), true, &other) && !other.plain);
            assert_true(other.head.size == plain.head.size && other.tail.size == plain.tail.size &&
                        other.where.size == plain.where.size);
            assert_true(fm_str_equal(other.function, plain.function) && other.place.file.size == plain.place.file.size);
            assert_true(other.place.target.size == plain.place.target.size && other.place.kind == plain.place.kind);
            assert_true(other.place.line1 == plain.place.line1 && other.place.column1 == plain.place.column1);
            assert_true(other.place.address == plain.place.address && other.engine == plain.engine &&
                        other.engine_is_sure == plain.engine_is_sure);
            free(copy);
        }
    }
}

/* Reference implementation: removes the sequences that set colours, which consist of "ESC [", digits and ';', and a
 * letter. Incomplete sequences are kept. */
static size_t plain_uncolour(framemap_str text, char *out)
{
    size_t size = 0;
    for (size_t at = 0; at < text.size;) {
        size_t end = at;
        if (text.size - at > 2 && text.data[at] == '\033' && text.data[at + 1] == '[')
            for (end = at + 2; end < text.size && (fm_is_digit(text.data[end]) || text.data[end] == ';'); end++);
        if (end > at && end < text.size && isalpha((unsigned char)text.data[end]))
            at = end + 1;
        else
            out[size++] = text.data[at++];
    }
    return size;
}

static void test_colours(void **state)
{
    enum { LONGEST = 48, ROUNDS = 60000 };
    static const char bytes[] = "\033\033\033[[[319;;mmAxyz (";
    char text[LONGEST], out[LONGEST], want[LONGEST];
    uint32_t random = 1;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t size = (size_t)round % (LONGEST + 1);
        for (size_t i = 0; i < size; i++)
            text[i] = bytes[((random = random * 1664525 + 1013904223) >> 8) % (sizeof bytes - 1)];
        const size_t wanted = plain_uncolour(fm_str(text, size), want), got = fm_js_uncolour(fm_str(text, size), out);
        assert_int_equal(got, wanted);
        assert_memory_equal(out, want, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_colours),    cmocka_unit_test(test_texts),
                                       cmocka_unit_test(test_looks),      cmocka_unit_test(test_chains),
                                       cmocka_unit_test(test_names),      cmocka_unit_test(test_evaluated),
                                       cmocka_unit_test(test_alone),      cmocka_unit_test(test_prefixes),
                                       cmocka_unit_test(test_long_lines), cmocka_unit_test(test_plain)};
    return cmocka_run_group_tests_name("formats js", tests, NULL, NULL);
}
