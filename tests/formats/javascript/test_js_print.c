/* Tests how restored JavaScript frames are printed: with colours, with source lines, in strings; and that the output
 * can be parsed again. */
#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

#include "core/mapfile.h"
#include "tests/testing.h"
#include <dirent.h>
#include <stdlib.h>

#define CAPTURES FM_SOURCE_DIR "/corpus/javascript/stacks"

#define CONTEXT "function deepest() {\n\tthrow \"\\\\\";\n\n}"
static const framemap_frame with_context[] = {{.kind = FRAMEMAP_KIND_JS,
                                               .function = {"deepest", 7},
                                               .file = {"src/a.ts", 8},
                                               .line = 10,
                                               .column = 3,
                                               .context = {CONTEXT, sizeof CONTEXT - 1},
                                               .context_line = 9}};

static const struct text_case contexts[] = {
    {"V8", "numbers right-aligned, the frame's own line marked", "    at t (main.js:1:2)\n    at u (main.js:1:9)\n",
     "    at deepest (src/a.ts:10:3)\n           9 | function deepest() {\n        > 10 | \tthrow \"\\\\\";\n          "
     "11 |\n          12 "
     "| }\n"
     "    at deepest (src/a.ts:10:3)\n           9 | function deepest() {\n        > 10 | \tthrow \"\\\\\";\n          "
     "11 |\n          12 "
     "| }\n"},
    {"SpiderMonkey", "after a prefix", "E/x( 1): t@https://h/main.js:1:2\r\n",
     "E/x( 1): deepest@src/a.ts:10:3\r\nE/x( 1):        9 | function deepest() {\r\nE/x( 1):     > 10 | \tthrow "
     "\"\\\\\";\r\nE/x( 1):      "
     " 11 |\r\nE/x( 1):       12 | }\r\n"},
    {"JSON", "a string stays one", "{\"stack\":\"Error: x\\n    at t (main.js:1:2)\\n    at u (main.js:1:9)\"}\n",
     "{\"stack\":\"Error: x\\n    at deepest (src/a.ts:10:3)\\n           9 | function deepest() {\\n        > 10 |  "
     "throw "
     "\\\"\\\\\\\\\\\";\\n          11 |\\n          12 | }"
     "\\n    at deepest (src/a.ts:10:3)\\n           9 | function deepest() {\\n        > 10 |  throw "
     "\\\"\\\\\\\\\\\";\\n          11 "
     "|\\n          12 | }\"}\n"},
};

/* A restored frame without a function name. It is for texts in which a position is printed as members of a JSON
 * object. */
static const framemap_frame place_alone[] = {
    {.kind = FRAMEMAP_KIND_JS, .file = {"src/a.ts", 8}, .line = 7, .column = 3}};
static const struct text_case members[] = {
    {"Capacitor", "the members get other values",
     "E/Capacitor: JavaScript Error: {\"type\":\"js.error\",\"error\":{\"message\":\"Uncaught Error: "
     "no\",\"url\":\"https://localhost/a.js\",\"line\":1,\"col\":54,\"errorObject\":\"{}\"}}\n",
     "E/Capacitor: JavaScript Error: {\"type\":\"js.error\",\"error\":{\"message\":\"Uncaught Error: "
     "no\",\"url\":\"src/a.ts\",\"line\":7,\"col\":3,\"errorObject\":\"{}\"}}\n"},
    {"Safari", "an error in JSON", "{\"line\":1,\"column\":54,\"sourceURL\":\"https://localhost/a.js\",\"x\":1}\n",
     "{\"line\":7,\"column\":3,\"sourceURL\":\"src/a.ts\",\"x\":1}\n"},
};

static const struct text_case fields[] = {
    {"Capacitor on iOS", "the position gets the name; the URL above it stays",
     "\xE2\x9A\xA1  Error: x\n\xE2\x9A\xA1  URL: capacitor://localhost/main.js\n\xE2\x9A\xA1  main.js:1:2\n",
     "\xE2\x9A\xA1  Error: x\n\xE2\x9A\xA1  URL: capacitor://localhost/main.js\n\xE2\x9A\xA1  deepest at "
     "src/a.ts:7:3\n"},
    {"Expo", "the row becomes one of V8's", "at main.js:1:2 in t\n", "at deepest (src/a.ts:7:3)\n"},
    {"Chrome's number of a script", "it gives way with the file", "    at t (VM28 main.js:1:2)\n",
     "    at deepest (src/a.ts:7:3)\n"},
    {"Node's console", "the quotes and what follows them stay", "    '    at t (main.js:1:2)\\n' +\n",
     "    '    at deepest (src/a.ts:7:3)\\n' +\n"},
    {"WeChat", "its words stay", "    at t (main.js:1:2)(env: Windows,mp; lib: 3.17.0)\n",
     "    at deepest (src/a.ts:7:3)(env: Windows,mp; lib: 3.17.0)\n"},
    {"NativeScript", "the parts stay fields",
     "System.err: \tFrame: function:'t', file:'file:///app/a.js', line: 1, column: 2\n"
     "System.err: \tFrame: function:'', file:'file:///app/a.js', line: 1, column: 2\n",
     "System.err: \tFrame: function:'deepest', file:'src/a.ts', line: 7, column: 3\n"
     "System.err: \tFrame: function:'deepest', file:'src/a.ts', line: 7, column: 3\n"},
    {"NativeScript's first row", "it has no \"at\", and gets none",
     "JS: t(file:///app/a.js:1:2\nat t(file:///app/a.js:1:2)\n",
     "JS: deepest(src/a.ts:7:3\nat deepest(src/a.ts:7:3)\n"},
};

static void test_context(void **state)
{
    (void)state;
    check_looks(contexts, sizeof contexts / sizeof *contexts, with_context, 1);
}

#define ESC "\033["
#define ARROW "\xE2\x86\x90["
static const framemap_frame source[] = {
    {.kind = FRAMEMAP_KIND_JS, .function = {"deepest", 7}, .file = {"src/a.ts", 8}, .line = 7, .column = 3}};

static const struct text_case colours[] = {
    {"Deno", "names and places in colours",
     "    at " ESC "0m" ESC "1m" ESC "3mt" ESC "0m (" ESC "0m" ESC "36mfile:///u.mjs" ESC "0m:" ESC "0m" ESC "33m1" ESC
     "0m:" ESC "0m" ESC "33m20" ESC "0m)\n",
     "    at " ESC "0m" ESC "1m" ESC "3mdeepest" ESC "0m (" ESC "0m" ESC "36msrc/a.ts:7:3" ESC "0m)\n"},
    {"Bun", "the words in colours, too",
     ESC "0m      " ESC "2mat " ESC "0m" ESC "1mt" ESC "0m" ESC "2m (" ESC "0m" ESC "36m/u.mjs" ESC "0m" ESC "2m:" ESC
         "33m1" ESC "0m" ESC "2m:" ESC "33m24" ESC "0m" ESC "2m)" ESC "0m\n",
     ESC "0m      " ESC "2mat " ESC "0m" ESC "1mdeepest" ESC "0m" ESC "2m (" ESC "0m" ESC "36msrc/a.ts:7:3" ESC "0m" ESC
         "2m)" ESC "0m\n"},
    {"Node", "a package's folder underlined", "    at t (/srv/node_modules/" ESC "4mpkg" ESC "24m/main.js:1:2)\n",
     "    at deepest (src/a.ts:7:3)\n"},
    {"Node, all of a row", "grey", ESC "90m    at t (/srv/main.js:1:2)" ESC "39m\n",
     ESC "90m    at deepest (src/a.ts:7:3)" ESC "39m\n"},
    {"Node on Windows", "an arrow for each escape character",
     ARROW "90m    at t (C:\\a\\main.js:1:2)" ARROW "39m {\n    at t (C:\\a\\" ARROW "4mpkg" ARROW
           "24m\\main.js:1:2)\n",
     ARROW "90m    at deepest (src/a.ts:7:3)" ARROW "39m {\n    at deepest (src/a.ts:7:3)\n"},
};

static void test_colours(void **state)
{
    (void)state;
    check_looks(colours, sizeof colours / sizeof *colours, source, 1);
    check_looks(fields, sizeof fields / sizeof *fields, source, 1);
    check_looks(members, sizeof members / sizeof *members, place_alone, 1);
}

static const struct text_case forms[] = {
    {"hard blanks", "blanks in their place in a replaced row alone",
     "Error:\xC2\xA0x\n\xC2\xA0\xC2\xA0 at\xC2\xA0t\xC2\xA0(main.js:1:2)\n",
     "Error:\xC2\xA0x\n   at deepest (src/a.ts:7:3)\n"},
    {"an entity", "those outside of replaced parts stay", "    at async t (main.js?a=1&amp;b:1:2)\n",
     "    at async deepest (src/a.ts:7:3)\n"},
    {"Safari's extension", "the plain form", "Error: x\n at t@safari-extension:(//A/main.js:1:2)\n",
     "Error: x\n at deepest (src/a.ts:7:3)\n"},
    {"the same without a name", "gets one", "Error: x\n at safari-extension:(//A/main.js:1:2)\n",
     "Error: x\n at deepest (src/a.ts:7:3)\n"},
    {"one line", "a line for each", "Error: x at t (main.js:1:2) at t (main.js:1:3)\nnext\n",
     "Error: x \nat deepest (src/a.ts:7:3)\nat deepest (src/a.ts:7:3)\n\nnext\n"},
    {"the console's tree", "blanks stay", "t\t@\tmain.js:1:2\n", "deepest\t@\tsrc/a.ts:7:3\n"},
    {"a line at the left", "it stays", "  \xE2\x94\x82 at t (main.js:1:2)\n",
     "  \xE2\x94\x82 at deepest (src/a.ts:7:3)\n"},
    {"the console's tree, WebAssembly", "the mark stays", "$a::b<T, U>::c @ app.wasm:0x36\n",
     "$deepest @ src/a.ts:7:3\n"},
    {"iOS", "red box", "TypeError: x\n\nt\n    main.js @ 1:12\n", "TypeError: x\n\ndeepest\n    src/a.ts:7:3\n"},
    {"V8's dump", "name and place within the row",
     "==== JS stack trace =========\n    1: a(aka a) [0x42f] [https://a.b/m.js:~1] [pc=0x26](this=0x1 <Object>,2)\n",
     "==== JS stack trace =========\n"
     "    1: deepest(aka a) [0x42f] [src/a.ts:7] [pc=0x26](this=0x1 <Object>,2)\n"},
    {"Opera", "line alone", "  Line 4 of inline#1 script in http://h/a.js\n",
     "  Line 7 of linked script src/a.ts: In function deepest\n"},
    {"Opera 11", "columns", "called from line 15, column 3 in http://h/a.js:\n",
     "called from line 7, column 3 in deepest in src/a.ts:\n"},
    {"console", "of a WebView", "http://h/a.js: Line 1 : Uncaught Error: x\n",
     "deepest at src/a.ts:7:3 : Uncaught Error: x\n"},
    {"Expo", "no \"at\"", "Call Stack\n  t (address at index.android.bundle:1:1234)\n",
     "Call Stack\n  deepest (src/a.ts:7:3)\n"},
    {"Safari's console", "tabs", "[Error] TypeError: x\n\tt (main.js:1:2)\n",
     "[Error] TypeError: x\n\tdeepest (src/a.ts:7:3)\n"},
    {"Node's numbered rows", "the number stays",
     "----- JavaScript stack trace -----\n\n1: t (main.js:1:2)\n2: main.js:1:2\n",
     "----- JavaScript stack trace -----\n\n1: deepest (src/a.ts:7:3)\n2: deepest (src/a.ts:7:3)\n"},
    {"Vitest", "with a name", "Error: x\n \xE2\x9D\xAF t main.js:1:12\n",
     "Error: x\n \xE2\x9D\xAF deepest src/a.ts:7:3\n"},
    {"Vitest, nameless", "a name is added", "Error: x\n \xE2\x9D\xAF main.js:1:12\n",
     "Error: x\n \xE2\x9D\xAF deepest src/a.ts:7:3\n"},
    {"the red box", "two lines", "TypeError: x\n\nt\n    main.jsbundle:1:12345\n",
     "TypeError: x\n\ndeepest\n    src/a.ts:7:3\n"},
    {"a sign with blanks", "the layout stays", "at t @  http://h/main.js:1:4287\n", "at deepest @  src/a.ts:7:3\n"},
    {"Firefox' console", "a blank; its cause", "Uncaught Error: x\n    async*t https://h/main.js:1:2\n",
     "Uncaught Error: x\n    async*deepest src/a.ts:7:3\n"},
    {"JavaScriptCore without a name", "gets a sign", "f@[native code]\nhttp://h/main.js:34:25\n",
     "deepest@src/a.ts:7:3\ndeepest@src/a.ts:7:3\n"},
    {"WebView", "what closes the message stays",
     "    at ji (https://h/app.js:75:12479)\", source: https://h/app.js (75)\n",
     "    at deepest (src/a.ts:7:3)\", source: https://h/app.js (75)\n"},
    {"tag", "stays before each", "E ReactNativeJS: f@https://h/a.js:1:2\n", "E ReactNativeJS: deepest@src/a.ts:7:3\n"},
    {"unknown prefix", "so does another", "f@a.js:1:2\n[javascript] g@a.js:3:4\n",
     "deepest@src/a.ts:7:3\n[javascript] deepest@src/a.ts:7:3\n"},
    {"WebAssembly", "an address no more", "    at m.t (wasm://wasm/m-33df:wasm-function[2]:0x3a)\n",
     "    at deepest (src/a.ts:7:3)\n"},
};

static void test_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct parsed parsed;
        struct fm_buf out;
        parse(&parsed, text_of(forms[i].text));
        if (parsed.count == 0) fail_msg("%s: no stack", forms[i].name);
        for (size_t f = 0; f < parsed.traces[0].frame_count; f++) restore(&parsed.traces[0].frames[f], source, 1);
        assert_int_equal(print_as(&parsed, text_of(forms[i].text), "text", &out), FRAMEMAP_OK);
        same_text(forms[i].name, "the restored text", fm_buf_view(&out), text_of(forms[i].want));
        fm_buf_free(&out);
        parsed_free(&parsed);
    }
}

/* Checks that no text is lost if memory runs out while colours are removed or lines are escaped: an error is
 * returned. */
static bool print_all(const framemap_allocator *allocator, void *context)
{
    static const char text[] = "    at " ESC "1mt" ESC "0m (" ESC "36mmain.js" ESC
                               "0m:1:2)\n{\"s\":\"Error: x\\n    at t (main.js:1:2)\\n    at u (main.js:1:9)\"}\n";
    struct parsed parsed;
    struct fm_buf out;
    bool done = false;
    (void)context;
    parse_as(&parsed, text_of(text), NULL, allocator);
    if (parsed.status == FRAMEMAP_OK) {
        assert_int_equal(parsed.count, 2);
        for (size_t t = 0; t < parsed.count; t++) restore(&parsed.traces[t].frames[0], with_context, 1);
        framemap_status status = print_as(&parsed, text_of(text), "text", &out);
        assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY ||
                    /* IO: the receiver of the output, which is part of the test, ran out of memory */
                    status == FRAMEMAP_E_IO);
        done = status == FRAMEMAP_OK;
        fm_buf_free(&out);
    }
    parsed_free(&parsed);
    return done;
}

static void test_memory_failures(void **state)
{
    (void)state;
    assert_true(sweep_allocations(print_all, NULL) > 5);
}

/* --- parsing the printed text again --- */

static const char *const names[] = {"deepest",    "Runner.run",  "Cart#add",        "new Cart",
                                    "get total",  "<anonymous>", "each$argument_1", "a.b.c.d",
                                    "handler(x)", "P.#p",        "\xE5\x90\x8D",    ""};
static const char *const files[] = {"src/a.ts",
                                    "webpack://app/./src/a b.tsx?1234",
                                    "../src/(group)/[id]/page.tsx",
                                    "/srv/x@1.2/a.js",
                                    "C:\\src\\a.ts",
                                    "node_modules/p/index.mjs",
                                    "a.vue"};
#define NAMES (sizeof names / sizeof *names)
#define FILES (sizeof files / sizeof *files)

struct again {
    framemap_frame sources[NAMES * FILES];
    size_t frames, texts;
};

static size_t pick(size_t number) { return number * 7 % (NAMES * FILES); }

/* Checks that two parses have the same frames in the same order. If a frame of the first parse was restored, the second
 * has the frame's original position; all other frames are equal. */
static void compare(const char *path, const struct parsed *first, const struct parsed *second, struct again *all,
                    framemap_str text)
{
    size_t t = 0, f = 0, number = 0;
    for (size_t i = 0; i < first->count; i++)
        for (size_t k = 0; k < first->traces[i].frame_count; k++, f++) {
            const framemap_frame *was = &first->traces[i].frames[k];
            while (t < second->count && f == second->traces[t].frame_count) f = 0, t++;
            if (t == second->count)
                fail_msg("%s: %.*s is no row any more in\n%.*s", path, (int)was->raw.size, was->raw.data,
                         (int)text.size, text.data);
            const framemap_frame *is = &second->traces[t].frames[f];
            bool restored = was->restored.count != 0;
            const framemap_frame *want = restored ? &all->sources[pick(number++)] : was;
            same_text(path, "the file read again", is->file, want->file);
            same_number(path, "the line read again", is->line, want->line);
            if (!(restored && fm_str_find(was->raw, FM_STR(" > ")) != FM_NOT_FOUND))
                same_number(path, "the column read again", is->column, want->column);
            all->frames++;
        }
}

static void read_again(const char *path, struct again *all)
{
    struct fm_mapfile text;
    struct parsed first, second;
    struct fm_buf out, back;
    size_t number = 0;
    assert_int_equal(fm_mapfile_open(path, &text, NULL), FRAMEMAP_OK);
    parse(&first, text.bytes);
    for (size_t t = 0; t < first.count; t++)
        for (size_t f = 0; f < first.traces[t].frame_count; f++) {
            framemap_frame *frame = &first.traces[t].frames[f];
            if (frame->kind == FRAMEMAP_KIND_JS && frame->status == FRAMEMAP_FRAME_RAW)
                restore(frame, &all->sources[pick(number++)], 1);
        }
    assert_int_equal(print_as(&first, text.bytes, "text", &out), FRAMEMAP_OK);
    parse(&second, fm_buf_view(&out));
    compare(path, &first, &second, all, fm_buf_view(&out));
    assert_int_equal(print_as(&second, fm_buf_view(&out), "text", &back), FRAMEMAP_OK);
    same_text(path, "the restored text that comes back", fm_buf_view(&back), fm_buf_view(&out));
    all->texts++;
    fm_buf_free(&back);
    fm_buf_free(&out);
    parsed_free(&second);
    parsed_free(&first);
    fm_mapfile_close(&text);
}

/* Reads every text in a folder. Returns false if there is no such folder. */
static bool read_folder(const char *path, struct again *all)
{
    DIR *folder = opendir(path);
    if (!folder) return false;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char file[2048];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (fm_str_ends(text_of(file), FM_STR(".txt"))) read_again(file, all);
    }
    closedir(folder);
    return true;
}

static void read_cases(struct again *all)
{
    static const char *const folders[] = {"sourcemap/stacks",
                                          "stacks/js_v8",
                                          "stacks/js_firefox",
                                          "stacks/js_safari",
                                          "stacks/js_hermes",
                                          "stacks/js_other",
                                          "sourcemap/bundles/react-esbuild",
                                          "sourcemap/bundles/mid-esbuild",
                                          "sourcemap/bundles/rn-plain-hermes",
                                          "sourcemap/bundles/utf16-esbuild",
                                          "sourcemap/bundles/rxjs-tsc-terser",
                                          "sourcemap/bundles/concat-index-nested"};
    const char *root = getenv("FRAMEMAP_CASES");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", root ? root : FM_SOURCE_DIR "/../shared/cases", folders[i]);
        if (!read_folder(path, all)) print_message("skipped: %s\n", folders[i]);
    }
}

static void test_read_again(void **state)
{
    (void)state;
    struct again all = {.frames = 0};
    for (size_t i = 0; i < NAMES * FILES; i++)
        all.sources[i] = (framemap_frame){.kind = FRAMEMAP_KIND_JS,
                                          .function = text_of(names[i % NAMES]),
                                          .function_origin = FRAMEMAP_FUNCTION_TEXT,
                                          .file = text_of(files[i / NAMES]),
                                          .line = (uint32_t)(i + 1),
                                          .column = (uint32_t)(i * 3 + 1)};
    read_folder(CAPTURES, &all);
    assert_true(all.texts >= 14);
    read_cases(&all);
    print_message("%zu texts, %zu frames read again\n", all.texts, all.frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_context), cmocka_unit_test(test_colours),
                                       cmocka_unit_test(test_forms), cmocka_unit_test(test_memory_failures),
                                       cmocka_unit_test(test_read_again)};
    return cmocka_run_group_tests_name("formats js print", tests, NULL, NULL);
}
