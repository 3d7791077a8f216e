/* Tests a session with one source map, and scripts that do not refer to the map: for which of them the map is used, and
 * how the result states this. */
#include "core/text/buffer.h"
#include "tests/session/catalog/script_help.h"

#include "core/text/scan.h"

/* A test case. `stacks` lists the files of the frames, separated by blanks; "||" begins another stack. A file may have
 * "0x" before it: the frame has an address in the file's bytecode. After it, a file may have a position, such as ":7:9"
 * (otherwise 1:1), or "=" and a debug id. `wanted` has a letter for each frame: o the only map is used; n the map is
 * found by name; i by debug id; c by contents; - no map is used; . no map is needed. */
struct row {
    /* reason: part of the first reason that a frame has; NULL: no frame has a reason */
    const char *why, *files[4], *stacks, *wanted, *reason;
};

static bool ends_in_number(framemap_str *text)
{
    size_t end = text->size;
    while (end > 0 && fm_is_digit(text->data[end - 1])) end--;
    if (end == text->size || end == 0 || text->data[end - 1] != ':') return false;
    *text = fm_str_slice(*text, 0, end - 1);
    return true;
}

static bool is_place(framemap_str file) { return ends_in_number(&file) && ends_in_number(&file); }

static void put_stack_row(struct fm_buf *out, framemap_str file)
{
    const bool bytecode = fm_str_starts(file, FM_STR("0x"));
    if (bytecode) file = fm_str_from(file, 2);
    fm_buf_printf(out, "    at t (%s%.*s%s)\n", bytecode ? "address at " : "", (int)file.size, file.data,
                  is_place(file) ? "" : ":1:1");
}

static void put_stacks(struct fm_buf *out, const char *stacks)
{
    struct fm_scan s = fm_scan_of(framemap_str_of(stacks));
    framemap_str word;
    fm_buf_printf(out, "Error: first\n");
    for (fm_scan_blanks(&s); fm_scan_word(&s, &word); fm_scan_blanks(&s)) {
        if (fm_str_equal(word, FM_STR("||")))
            fm_buf_printf(out, "the log goes on\nError: next\n");
        else
            put_stack_row(out, word);
    }
}

static char letter_of(const framemap_frame *frame)
{
    if (frame->status == FRAMEMAP_FRAME_NOT_NEEDED) return '.';
    switch (frame->matched_by) {
    case FRAMEMAP_MATCH_ONLY_MAP: return 'o';
    case FRAMEMAP_MATCH_NAME: return 'n';
    case FRAMEMAP_MATCH_DEBUG_ID: return 'i';
    case FRAMEMAP_MATCH_CONTENT: return 'c';
    case FRAMEMAP_MATCH_NONE: return '-';
    default: return '?';
    }
}

/* Writes a letter for the status of each frame, and the first reason; empty: no frame has a reason. */
static void outcome(framemap_session *session, framemap_str text, char got[32], char reason[400])
{
    framemap_trace_list list;
    framemap_error error = {0};
    size_t size = 0;
    reason[0] = 0;
    must_ok(framemap_trace_parse(text, NULL, &list, &error), &error);
    must_ok(framemap_session_restore_traces(session, &list, FRAMEMAP_DEMANGLE_DEFAULT, NULL, &error), &error);
    for (size_t t = 0; t < list.count; t++)
        for (size_t f = 0; f < list.traces[t].frame_count && size < 31; f++) {
            const framemap_frame *frame = &list.traces[t].frames[f];
            got[size++] = letter_of(frame);
            if (reason[0] == 0 && frame->reason) snprintf(reason, 400, "%s", frame->reason);
            if (frame->matched_by != FRAMEMAP_MATCH_NONE && frame->status == FRAMEMAP_FRAME_MISSING_SYMBOLS)
                fail_msg("%.*s: a frame without symbols was matched", (int)frame->raw.size, frame->raw.data);
        }
    got[size] = 0;
    framemap_trace_list_free(&list);
}

static bool check_row(const struct row *row)
{
    struct folder folder;
    struct warnings warnings = {0};
    struct fm_heap heap;
    struct fm_buf text;
    char got[32], reason[400];
    folder_make(&folder);
    for (size_t f = 0; f < COUNT_OF(row->files) && row->files[f]; f++) put_described(&folder, row->files[f]);
    framemap_session *session = open_folder(folder.path, NULL, &warnings);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    put_stacks(&text, row->stacks);
    outcome(session, fm_buf_view(&text), got, reason);
    bool ok = strcmp(got, row->wanted) == 0 && (row->reason ? strstr(reason, row->reason) != NULL : reason[0] == 0);
    if (!ok) print_error("%s: %s, not %s: %s\n", row->why, got, row->wanted, reason);
    fm_buf_free(&text);
    framemap_session_close(session);
    remove_tree(folder.path);
    return ok;
}

static void check_all(const struct row *rows, size_t count)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) wrong += !check_row(&rows[i]);
    assert_int_equal(wrong, 0);
}

/* Tests a map that names no script, neither in its members nor by its own file name. */
static void code_that_is_not_the_apps(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"an extension of Chrome", {"a.map"}, "chrome-extension://abcdefgh/content.js", "-", "browser extension"},
        {"of Firefox", {"a.map"}, "moz-extension://a-b/content.js", "-", "browser extension"},
        {"of Safari", {"a.map"}, "safari-web-extension://A-B/content.js", "-", "browser extension"},
        {"Firefox's own", {"a.map"}, "resource://gre/modules/b.js", "-", "browser extension"},
        {"a page", {"a.map"}, "https://shop.example/index.html", "-", "extension or a page"},
        {"a page without a name", {"a.map"}, "https://shop.example/", "-", "extension or a page"},
        {"a page of a single-page app",
         {"a.map"},
         "https://shop.example/cart/checkout?step=2",
         "-",
         "extension or a page"},
        {"a page of a phone's app", {"a.map"}, "file:///android_asset/www/index.html", "-", "extension or a page"},
        {"a blob", {"a.map"}, "blob:https://shop.example/12345678-9abc", "-", "while the program ran"},
        {"text in the address", {"a.map"}, "data:text/javascript,f()", "-", "while the program ran"},
        {"a string", {"a.map"}, "evalmachine.<anonymous>", "-", "while the program ran"},
        {"a string of Chrome's console", {"a.map"}, "https://shop.example/a+b.js VM123", "o-", "while the program ran"},
        {"a string of Node's command line", {"a.map"}, "[eval]", "-", "while the program ran"},
        {"a module that webpack gave to eval",
         {"a.map"},
         "webpack-internal:///./src/a.js",
         "-",
         "build with devtool 'source-map'"},
        {"Node's own, Hermes' own",
         {"a.map"},
         "node:internal/modules/loader InternalBytecode.js 0xInternalBytecode.js",
         "...",
         NULL},
        {"WebAssembly", {"a.map"}, "https://shop.example/a.wasm", "-", "none of the given source maps"},
        {"beside the app's own script they do not count",
         {"a.map"},
         "https://shop.example/app.js chrome-extension://abcdefgh/content.js https://shop.example/",
         "o--",
         "browser extension"},
    };
    check_all(rows, COUNT_OF(rows));
}

static void maps_that_state_their_script(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"`file`, another script",
         {"a.map file=main.js"},
         "https://shop.example/app.js",
         "-",
         "says that it belongs to another"},
        {"on the disk, too", {"a.map file=main.js"}, "/srv/app.js", "-", "says that it belongs to another"},
        {"`file`, with folders",
         {"a.map file=static/js/main.js"},
         "https://shop.example/app.js",
         "-",
         "says that it belongs to another"},
        {"`file`, the script's own", {"a.map file=main.js"}, "https://shop.example/main.js", "n", NULL},
        {"`file` as it was before a hash was put into the name",
         {"a.map file=main.js"},
         "https://x/main.3f2a9c1b.js",
         "n",
         NULL},
        {"`file` with the hash, the script without", {"a.map file=main.3f2a9c1b.js"}, "https://x/main.js", "o", NULL},
        {"two builds of one script", {"a.map file=main.3f2a9c1b.js"}, "https://x/main.00aa11bb.js", "-", "another"},
        {"`file` before minifying", {"a.map file=app.js"}, "https://x/app.min.js", "o", NULL},
        {"`file` of a style sheet", {"a.map file=app.css"}, "/srv/app.js", "-", "says that it belongs to another"},
        {"an empty `file` states nothing", {"a.map file="}, "/srv/app.js", "o", NULL},
        {"nor does the name of a stream", {"a.map file=<stdout>"}, "/srv/app.js", "o", NULL},
        {"an index keeps `file`", {"a.fmx file=main.js"}, "/srv/app.js", "-", "says that it belongs to another"},
        {"an index of a map that states nothing", {"a.fmx"}, "/srv/app.js", "o", NULL},
        {"the script beside it",
         {"main.js.map", "main.js script"},
         "/srv/app.js",
         "-",
         "says that it belongs to another"},
        {"the script that names it",
         {"a.map", "js/main.js url=../a.map"},
         "/srv/app.js",
         "-",
         "says that it belongs to another"},
        {"the script that it is inside of", {"main.js inline"}, "/srv/app.js", "-", "says that it belongs to another"},
        {"which may have a hash by now", {"main.js inline"}, "https://x/main.3f2a9c1b.js", "n", NULL},
        {"one of two copies states it", {"a.map as=x", "b.map as=x file=main.js"}, "/srv/app.js", "-", "source maps"},
    };
    check_all(rows, COUNT_OF(rows));
}

static void maps_that_are_named_for_a_script(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"another host's", {"main.js.map"}, "https://tags.example/gtm.js?id=GTM-1", "-", "is that of another script"},
        {"another one of the app's",
         {"main.js.map"},
         "https://shop.example/vendor.js",
         "-",
         "is that of another script"},
        {"a bundler's other file, on the disk",
         {"main.js.map"},
         "/srv/vendor.3f2a9c1b.js",
         "-",
         "is that of another script"},
        {"both with a hash",
         {"main.00aa11bb.js.map"},
         "https://x/vendor.3f2a9c1b.js",
         "-",
         "is that of another script"},
        {"a library of Node's",
         {"main.js.map"},
         "/srv/node_modules/express/lib/router.js",
         "-",
         "is that of another script"},
        {"a file of the disk may be called otherwise", {"main.js.map"}, "/srv/app.js", "o", NULL},
        {"and a bundle of a phone", {"main.js.map"}, "app:///index.android.bundle", "o", NULL},
        {"a map of no script's name", {"upload-1.map"}, "https://shop.example/app.js", "o", NULL},
        {"an index of a map with a name",
         {"x.fmx of=main.js.map"},
         "https://shop.example/app.js",
         "-",
         "is that of another script"},
        {"another platform's bundle",
         {"index.android.bundle.map"},
         "/var/x/main.jsbundle",
         "-",
         "is that of another script"},
        {"the other way round", {"main.jsbundle.map"}, "0xindex.android.bundle", "-", "is that of another script"},
        {"a developer's server, another platform",
         {"index.android.bundle.map"},
         "http://localhost:8081/index.bundle?platform=ios&dev=false",
         "-",
         "is that of another script"},
        {"a chunk with a number, which is no module of a bundle in parts",
         {"main.js.map"},
         "https://x/12.js",
         "-",
         "is that of another script"},
        {"an extension's address with a map of its name",
         {"content.js.map"},
         "chrome-extension://abcdefgh/content.js",
         "n",
         NULL},
    };
    check_all(rows, COUNT_OF(rows));
}

static void several_scripts(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"two of one stack", {"a.map"}, "https://x/app.js https://y/lib.js", "--", "several scripts"},
        {"one with two queries", {"a.map"}, "https://x/app.js?v=1 https://x/app.js?v=2", "oo", NULL},
        {"two builds", {"a.map"}, "https://x/app.3f2a9c1b.js https://x/app.00aa11bb.js", "--", "several scripts"},
        {"one that the map is named for goes before others",
         {"app.min.js.map"},
         "/srv/app.js /srv/lib.js",
         "o-",
         "several scripts"},
        {"a later stack changes nothing",
         {"a.map"},
         "https://x/app.js || https://y/gtm.js",
         "o-",
         "another script earlier in this text"},
        {"an earlier one counts",
         {"a.map"},
         "https://x/app.js || https://y/gtm.js https://x/app.js",
         "o-o",
         "another script earlier in this text"},
        {"an earlier one of several does not",
         {"a.map"},
         "https://x/app.js https://y/lib.js || https://x/app.js",
         "--o",
         "several scripts"},
        {"a later one that finds its map", {"app.js.map"}, "/srv/lib.js || /srv/app.js", "on", NULL},
        {"an earlier one that found it",
         {"app.js.map"},
         "/srv/app.js || /srv/lib.js",
         "n-",
         "none of the given source maps"},
        {"a line that the map does not have", {"a.map"}, "https://x/app.js:7:3", "-", "outside of the lines"},
        {"one row of three", {"a.map"}, "/app.js /app.js:7:3 /app.js", "ooo", "no segment on that line"},
        {"two rows of three", {"a.map"}, "/app.js /app.js:7:3 /app.js:8:3", "---", "outside of the lines"},
        {"a script that the map covers and one that it does not",
         {"a.map"},
         "/app.js /lib.js:7:3",
         "o-",
         "outside of the lines"},
        {"bytecode", {"a.map hermes"}, "0xindex.android.bundle", "o", NULL},
        {"rows of text and a map of bytecode", {"a.map hermes"}, "/app.js", "-", "for bytecode"},
        {"a reporter's rows of bytecode", {"a.map hermes"}, "index.android.bundle", "o", NULL},
        {"two maps", {"a.map", "b.map"}, "/app.js", "-", "none of the given source maps"},
    };
    check_all(rows, COUNT_OF(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_that_is_not_the_apps),
        cmocka_unit_test(maps_that_state_their_script),
        cmocka_unit_test(maps_that_are_named_for_a_script),
        cmocka_unit_test(several_scripts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
