/* Tests that a session restores JavaScript frames whose maps are found. */
#include "core/text/buffer.h"
#include "tests/session/restore/restore_help.h"

#include "api/index_handle.h"
#include "core/text/scan.h"
#include "resolve/javascript/source_content.h"

/* --- making maps by hand --- */

/* A segment of a map; lines and columns count from 0. source -1: the segment has no source; name -1: it has no name. */
struct made_segment {
    int line, column, source, source_line, source_column, name;
};

static void put_vlq(struct fm_buf *out, int value)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned rest = value < 0 ? (unsigned)-value << 1 | 1 : (unsigned)value << 1;
    do {
        const unsigned digit = rest & 31;
        rest >>= 5;
        fm_buf_byte(out, digits[digit | (rest ? 32u : 0u)]);
    } while (rest);
}

static void put_mappings(struct fm_buf *out, const struct made_segment *segments, size_t count)
{
    struct made_segment last = {0};
    int name = 0;
    for (size_t i = 0; i < count; i++) {
        const struct made_segment *s = &segments[i];
        if (i && s->line == last.line) fm_buf_byte(out, ',');
        for (; last.line < s->line; last.line++, last.column = 0) fm_buf_byte(out, ';');
        put_vlq(out, s->column - last.column);
        last.column = s->column;
        if (s->source < 0) continue;
        put_vlq(out, s->source - last.source);
        put_vlq(out, s->source_line - last.source_line);
        put_vlq(out, s->source_column - last.source_column);
        last.source = s->source;
        last.source_line = s->source_line;
        last.source_column = s->source_column;
        if (s->name >= 0) put_vlq(out, s->name - name);
        if (s->name >= 0) name = s->name;
    }
}

/* Writes a source map. head, tail: the members before and after the member `mappings`. */
static void put_map(const struct folder *folder, const char *name, const char *head,
                    const struct made_segment *segments, size_t count, const char *tail)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    fm_buf_printf(&out, "{\"version\":3,%s,\"mappings\":\"", head);
    put_mappings(&out, segments, count);
    fm_buf_printf(&out, "\"%s}", tail);
    put_file(folder, name, fm_buf_view(&out));
    fm_buf_free(&out);
}

/* Segments of a map in which boom at a.ts:5 is called by run at a.ts:9, run by the code at a.ts:14, and that code by
 * forEach. */
static const struct made_segment one_line[] = {{0, 0, 0, 0, 0, -1},  {0, 10, 0, 4, 8, -1},  {0, 20, 0, 8, 4, 0},
                                               {0, 30, 0, 13, 2, 1}, {0, 40, -1, 0, 0, -1}, {0, 50, 0, 13, 9, 2},
                                               {0, 60, 1, 1, 0, 3}};
static const char one_line_head[] = "\"sources\":[\"src/a.ts\",\"node_modules/"
                                    "b.js\",null],\"names\":[\"boom\",\"run\",\"call\",\"lib\"],\"ignoreList\":[1],"
                                    "\"sourcesContent\":[\"1\\n2\\n3\\nfunction boom() {\\n  throw new "
                                    "Error\\r\\n}\\n7\\n8\\n9\\n10\\n11\\n12\\n13\\n14\"]";

struct bench {
    struct folder one, two, mixed, parts;
    framemap_session *with_one, *with_two, *with_mixed, *with_parts, *without;
};

/* Writes the map of a React Native bundle that consists of several parts ("segments"). In the main part, modules 0 and
 * 2 are at lines 4 and 7. In the part with number 3, module 1 is at line 3. Line 1 of each part is startup code. */
static void put_parts(const struct folder *folder)
{
    static const struct made_segment first[] = {{0, 0, 0, 0, 0, -1}, {4, 2, 0, 100, 0, -1}, {7, 2, 0, 200, 0, 0}};
    static const struct made_segment third[] = {{0, 0, 0, 300, 0, -1}, {3, 2, 0, 400, 0, -1}};
    struct fm_heap heap;
    struct fm_buf tail;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&tail, &heap);
    fm_buf_printf(&tail, ",\"x_facebook_offsets\":[4,null,7],\"x_facebook_segments\":{\"3\":{\"version\":3,\"sources\":"
                         "[\"/app/late.js\"],\"names\":[],"
                         "\"x_facebook_offsets\":[null,3],\"mappings\":\"");
    put_mappings(&tail, third, COUNT_OF(third));
    fm_buf_printf(&tail, "\"}}");
    fm_buf_byte(&tail, '\0');
    put_map(folder, "main.jsbundle.map", "\"sources\":[\"/app/index.js\"],\"names\":[\"early\"]", first,
            COUNT_OF(first), tail.data);
    fm_buf_free(&tail);
}

static int set_up(void **state)
{
    static struct bench bench;
    static const struct made_image app = {
        .name = "libapp.so", .id = "11223344aabbccdd11223344aabbccdd11223344", .arch = "arm64", .functions = {"main"}};
    memset(&bench, 0, sizeof bench);
    folder_make(&bench.one);
    folder_make(&bench.two);
    folder_make(&bench.mixed);
    folder_make(&bench.parts);
    put_map(&bench.one, "main.js.map", one_line_head, one_line, COUNT_OF(one_line), "");
    put_map(&bench.two, "main.js.map", one_line_head, one_line, COUNT_OF(one_line), "");
    put_map(&bench.two, "other.js.map", "\"sources\":[\"o.ts\"],\"names\":[]", one_line, 2, "");
    put_map(&bench.mixed, "web/main.js.map", one_line_head, one_line, COUNT_OF(one_line), "");
    put_index(&bench.mixed, "libapp.so.fmx", &app);
    put_file(&bench.mixed, "mapping.txt", FM_STR("shop.Main -> a.b:\n    5:5:void open(int):13:13 -> a\n"));
    put_parts(&bench.parts);
    bench.with_one = open_on(bench.one.path, NULL);
    bench.with_two = open_on(bench.two.path, NULL);
    bench.with_mixed = open_on(bench.mixed.path, NULL);
    bench.with_parts = open_on(bench.parts.path, NULL);
    bench.without = open_on(NULL, NULL);
    *state = &bench;
    return bench.with_one && bench.with_two && bench.with_mixed && bench.with_parts && bench.without ? 0 : -1;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    framemap_session *const sessions[] = {bench->with_one, bench->with_two, bench->with_mixed, bench->with_parts,
                                          bench->without};
    for (size_t i = 0; i < COUNT_OF(sessions); i++) framemap_session_close(sessions[i]);
    remove_tree(bench->one.path);
    remove_tree(bench->two.path);
    remove_tree(bench->mixed.path);
    remove_tree(bench->parts.path);
    return 0;
}

/* --- testing whole texts and their restored form --- */

#define AT(row) "    at " row "\n"

static void one_map(void **state)
{
    struct bench *bench = *state;
    static const struct restore_row rows[] = {
        {"functions are told by the frames that called them, the last one by nobody",
         "Error: no\n" AT("t (https://x.org/main.js:1:11)") AT("e (https://x.org/main.js:1:21)")
             AT("https://x.org/main.js:1:31"),
         "Error: no\n" AT("boom (src/a.ts:5:9)") AT("run (src/a.ts:9:5)") AT("src/a.ts:14:3"), 3, 3, NULL},
        {"an engine that counts columns likewise and prints nothing for a name",
         "t@https://x.org/main.js:1:11\n@https://x.org/main.js:1:21\nforEach@[native code]\n",
         "boom@src/a.ts:5:9\n@src/a.ts:9:5\nforEach@[native code]\n", 2, 2, NULL},
        {"Firefox says itself what is called without a name",
         "t@https://x.org/main.js:1:11\ne@https://x.org/main.js:1:21\nu/<@https://x.org/main.js:1:31\n",
         "boom@src/a.ts:5:9\nrun@src/a.ts:9:5\nu/<@src/a.ts:14:3\n", 3, 3, NULL},
        {"what waits has not called", AT("t (/app/main.js:1:11)") AT("async e (/app/main.js:1:21)"),
         AT("t (src/a.ts:5:9)") AT("async e (src/a.ts:9:5)"), 2, 2, NULL},
        {"nor has the place that evaluates a string, of whose row it alone is restored",
         AT("t (/app/main.js:1:11)") AT("eval (eval at e (/app/main.js:1:21), <anonymous>:1:1)")
             AT("e (/app/main.js:1:21)"),
         AT("t (src/a.ts:5:9)") AT("eval (eval at e (src/a.ts:9:5), <anonymous>:1:1)") AT("e (src/a.ts:9:5)"), 3, 3,
         NULL},
        {"nor has it where a builtin stands between",
         AT("t (/app/main.js:1:11)") AT("Array.forEach (<anonymous>)") AT("e (/app/main.js:1:21)"),
         AT("t (src/a.ts:5:9)") AT("Array.forEach (<anonymous>)") AT("e (src/a.ts:9:5)"), 2, 2, NULL},
        {"a function without a name was called by a parameter's",
         AT("/app/main.js:1:11") AT("<anonymous> (/app/main.js:1:21)") AT("u (/app/main.js:1:31)"),
         AT("src/a.ts:5:9") AT("<anonymous> (src/a.ts:9:5)") AT("u (src/a.ts:14:3)"), 3, 3, NULL},
        {"a private method, which minifiers rename", AT("#t (/app/main.js:1:11)") AT("e (/app/main.js:1:21)"),
         AT("boom (src/a.ts:5:9)") AT("e (src/a.ts:9:5)"), 2, 2, NULL},
        {"a name that no minifier makes",
         AT("start (/app/main.js:1:11)") AT("run (/app/main.js:1:21)") AT("u (/app/main.js:1:31)"),
         AT("start (src/a.ts:5:9)") AT("run (src/a.ts:9:5)") AT("u (src/a.ts:14:3)"), 3, 3, NULL},
        {"a property keeps its name",
         AT("Object.t [as go] (/app/main.js:1:11)") AT("new e (/app/main.js:1:21)") AT("u (/app/main.js:1:31)"),
         AT("Object.t [as go] (src/a.ts:5:9)") AT("new run (src/a.ts:9:5)") AT("u (src/a.ts:14:3)"), 3, 3, NULL},
        {"\"call\" is a way of calling", AT("t (/app/main.js:1:11)") AT("e (/app/main.js:1:51)"),
         AT("t (src/a.ts:5:9)") AT("e (src/a.ts:14:10)"), 2, 2, NULL},
        {"a column between two segments", AT("t (/app/main.js:1:16)"), AT("t (src/a.ts:5:9)"), 1, 1, NULL},
        {"code of no source", AT("t (/app/main.js:1:41)"), NULL, 1, 0, "belonging to no source"},
        {"a line that the map does not have", AT("t (/app/main.js:7:41)"), NULL, 1, 0, "no segment on that line"},
        {"a row without a column", AT("t (https://x.org/main.js:1)"), NULL, 1, 0, "no column"},
        {"rows without a file take the only map", "Error: x, stack:\nt@1:10\ne@1:20\n",
         "Error: x, stack:\nboom@src/a.ts:5:9\ne@src/a.ts:9:5\n", 2, 2, NULL},
        {"a script of another name takes the only map", AT("t (/app/app.js:1:11)") AT("e (/app/app.js?v=2:1:21)"),
         AT("boom (src/a.ts:5:9)") AT("e (src/a.ts:9:5)"), 2, 2, NULL},
        {"two scripts can't both be what one map is of", AT("t (/app/app.js:1:11)") AT("e (/app/lib.js:1:21)"), NULL, 2,
         0, "several scripts"},
        {"pages with scripts in them are not what a map is of",
         AT("t (https://x.org/:1:11)") AT("e (https://x.org/shop/?v=2:1:21)"), NULL, 2, 0, "extension or a page"},
        {"an address takes no map of text, even if that has one line", AT("t (address at /app/main.js:1:10)"), NULL, 1,
         0, "compiled to bytecode"},
        {"nor the only map", AT("t (address at /data/index.android.bundle:1:10)"), NULL, 1, 0, "compiled to bytecode"},
        {"a module of WebAssembly takes no map of scripts",
         AT("t (wasm://wasm/main-33df18de:wasm-function[1]:0x14)") AT("e (https://x.org/a.wasm:wasm-function[1]:0x14)")
             AT("main.wasm:0x14") AT("e (33df18de:0x14)"),
         NULL, 4, 0, "neither this WebAssembly module"},
        {"where one found its map the other has none", AT("t (/app/main.js:1:11)") AT("e (/app/lib.js:1:21)"),
         AT("t (src/a.ts:5:9)") AT("e (/app/lib.js:1:21)"), 2, 1, "none of the given source maps"},
        {"rows that were restored before are left alone", AT("boom (src/a.ts:5:9)") AT("src/a.ts:14:3"), NULL, 0, 0,
         NULL},
        {"beside rows that were not", AT("boom (src/a.ts:5:9)") AT("t (/app/app.js:1:11)"),
         AT("boom (src/a.ts:5:9)") AT("t (src/a.ts:5:9)"), 1, 1, NULL},
        {"what people write is no script that a map is of",
         AT("f (file:///app/other.ts:5:9)") AT("g (/app/App.vue:5:9)"), NULL, 0, 0, NULL},
        {"but on a developer's server it is",
         AT("f (http://localhost:5173/src/App.vue?t=1:5:9)") AT("g (http://localhost:5173/src/App.tsx:5:9)"), NULL, 2,
         0, "is that of another script"},
        {"scripts of the engine are nobody's", AT("Module._compile (node:internal/modules/cjs/loader:1521:14)"), NULL,
         0, 0, NULL},
        {"sources in webpack's and Turbopack's maps, as an engine that reads maps prints them",
         AT("f (webpack://app/./src/b.js?199c:5:9)") AT("o (webpack:///webpack/bootstrap:1:11)")
             AT("g (turbopack:///[project]/b.js:5:9)"),
         NULL, 0, 0, NULL},
        {"a module that webpack gave to eval, whatever its language", AT("f (webpack-internal:///./src/b.ts:1:11)"),
         NULL, 1, 0, "build with devtool 'source-map'"},
        {"one of the devtool that writes no map",
         AT("f (webpack:///./src/b.js?:1:11)") AT("g (webpack://app/./src/App.vue?./loader.js??ref--0:1:11)"), NULL, 2,
         0, "build with devtool 'source-map'"},
    };
    check_all_restored(bench->with_one, rows, COUNT_OF(rows));
}

/* Writes maps like those of Hermes compilers of 2020, which have no list of functions. Each map has up to 300 segments,
 * two bytes apart. In text.bundle.map, the distance of two segments is only one character. */
static void put_columns(const struct folder *folder)
{
    struct made_segment rows[300];
    for (size_t i = 0; i < COUNT_OF(rows); i++) rows[i] = (struct made_segment){0, 2 * (int)i, 0, (int)i, 3, -1};
    put_map(folder, "old.bundle.map", "\"sources\":[\"a.ts\"],\"names\":[]", rows, COUNT_OF(rows), "");
    put_map(folder, "few.bundle.map", "\"sources\":[\"a.ts\"],\"names\":[]", rows, 255, "");
    rows[299].line = 1;
    put_map(folder, "lines.bundle.map", "\"sources\":[\"a.ts\"],\"names\":[]", rows, COUNT_OF(rows), "");
    rows[299] = (struct made_segment){0, 2 * 298 + 1, 0, 299, 3, -1};
    put_map(folder, "text.bundle.map", "\"sources\":[\"a.ts\"],\"names\":[]", rows, COUNT_OF(rows), "");
}

static void addresses_or_columns(void **state)
{
    static const struct restore_row rows[] = {
        {"bytecode", AT("t (address at old.bundle:1:14)") AT("u (address at old.bundle:1:21)"),
         AT("t (a.ts:8:4)") AT("u (a.ts:11:4)"), 2, 2, NULL},
        {"too few columns to know", AT("t (address at few.bundle:1:14)"), NULL, 1, 0, "compiled to bytecode"},
        {"several lines", AT("t (address at lines.bundle:1:14)"), NULL, 1, 0, "compiled to bytecode"},
        {"text", AT("t (address at text.bundle:1:14)"), NULL, 1, 0, "compiled to bytecode"},
        {"columns of any of them", AT("t (few.bundle:1:15)") AT("u (text.bundle:1:22)"),
         AT("t (a.ts:8:4)") AT("u (a.ts:11:4)"), 2, 2, NULL},
    };
    struct folder folder;
    (void)state;
    folder_make(&folder);
    put_columns(&folder);
    framemap_session *session = session_on(folder.path);
    check_all_restored(session, rows, COUNT_OF(rows));
    framemap_session_close(session);
    remove_tree(folder.path);
}

static void two_maps(void **state)
{
    struct bench *bench = *state;
    static const struct restore_row rows[] = {
        {"each script has its own", AT("t (/app/main.js:1:11)") AT("e (/app/other.js:1:11)"),
         AT("t (src/a.ts:5:9)") AT("e (o.ts:5:9)"), 2, 2, NULL},
        {"a third one has none", AT("t (/app/third.js:1:11)"), NULL, 1, 0, "none of the given source maps"},
    };
    check_all_restored(bench->with_two, rows, COUNT_OF(rows));
}

static void bundles_in_parts(void **state)
{
    struct bench *bench = *state;
    static const struct restore_row rows[] = {
        {"a module", "f@2.js:1:3\ng@0.js:1:3\n", "f@/app/index.js:201:1\ng@/app/index.js:101:1\n", 2, 2, NULL},
        {"a module that names what it calls", "h@0.js:1:3\nf@2.js:1:3\n",
         "early@/app/index.js:101:1\nf@/app/index.js:201:1\n", 2, 2, NULL},
        {"a segment, and a module of it", "f@seg-3.js:1:1\ng@seg-3_1.js:1:3\n",
         "f@/app/late.js:301:1\ng@/app/late.js:401:1\n", 2, 2, NULL},
        {"the startup code, beside a module", "g@0.js:1:3\nf@/var/x/main.jsbundle:1:1\n",
         "g@/app/index.js:101:1\nf@/app/index.js:1:1\n", 2, 2, NULL},
        {"an address in the bytecode of the bundle", AT("g (address at main.jsbundle:1:3)"), NULL, 1, 0,
         "compiled to bytecode"},
        {"a module that is no part of it", "f@1.js:1:3\n", NULL, 1, 0, "no such module"},
        {"a line after the main part, where the lines of segment 3 follow", "f@2.js:2:3\n", NULL, 1, 0,
         "past the last"},
        {"the same in the bundle's own lines", "g@0.js:1:3\nf@/var/x/main.jsbundle:9:3\n",
         "g@/app/index.js:101:1\nf@/var/x/main.jsbundle:9:3\n", 2, 1, "past the last"},
        {"a line after the last segment", "f@seg-3.js:5:1\n", NULL, 1, 0, "past the last"},
        {"a segment that is no part of it", "f@seg-2_1.js:1:3\n", NULL, 1, 0, "no such segment"},
    };
    check_all_restored(bench->with_parts, rows, COUNT_OF(rows));
}

/* Restores a log with crashes of three platforms. */
static void mixed_platforms(void **state)
{
    struct bench *bench = *state;
    static const struct restore_row row = {
        "three platforms in one log",
        "    #00 pc 0000000000010105  /data/app/libapp.so (main+5) (BuildId: "
        "11223344aabbccdd11223344aabbccdd11223344)\n"
        "java.lang.Error: x\n\tat a.b.a(SourceFile:5)\nError: x\n" AT("t (https://x.org/main.js:1:11)")
            AT("https://x.org/main.js:1:21"),
        "    #00 pc 0000000000010105  /data/app/libapp.so (main+5) (BuildId: 11223344aabbccdd11223344aabbccdd11223344) "
        "src/libapp.so.c:10:1\n"
        "java.lang.Error: x\n\tat shop.Main.open(Main.java:13)\nError: x\n" AT("boom (src/a.ts:5:9)")
            AT("src/a.ts:9:5"),
        4,
        4,
        NULL};
    check_restored(bench->with_mixed, &row);
}

static void list_missing(void *context, const framemap_missing *missing)
{
    assert_int_equal(missing->kind, FRAMEMAP_KIND_JS);
    fm_buf_printf(context, "%.*s %llu %s\n", (int)missing->name.size, missing->name.data,
                  (unsigned long long)missing->frames, missing->reason);
}

/* Lists each missing script once, with its name without the query. */
static void missing_maps(void **state)
{
    struct bench *bench = *state;
    static const char text[] = AT("a (https://x.org/js/main.js?v=1:1:11)") AT("b (https://x.org/js/main.js?v=2:1:11)")
        AT("c (https://x.org/lib.js#x:1:11)") "Error: x, stack:\nt@1:10\n";
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    framemap_restore_summary summary;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    framemap_session_missing(bench->without, NULL, NULL);
    must_ok(framemap_session_restore(bench->without, FM_STR(text), NULL, gather, &out, &summary, &error), &error);
    assert_str(fm_buf_view(&out), text);
    assert_int_equal(summary.unmapped, 4);
    fm_buf_clear(&out);
    framemap_session_missing(bench->without, list_missing, &out);
    assert_true(fm_str_starts(fm_buf_view(&out), FM_STR("main.js 2 ")));
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("\nlib.js 1 ")) != FM_NOT_FOUND);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("\nsource map 1 ")) != FM_NOT_FOUND);
    fm_buf_free(&out);
}

/* --- testing what a restored frame contains --- */

static framemap_trace_list restored(framemap_session *session, const char *text)
{
    framemap_trace_list list;
    framemap_error error = {0};
    must_ok(framemap_trace_parse(framemap_str_of(text), NULL, &list, &error), &error);
    must_ok(framemap_session_restore_traces(session, &list, FRAMEMAP_DEMANGLE_DEFAULT, NULL, &error), &error);
    return list;
}

static void origins(void **state)
{
    struct bench *bench = *state;
    framemap_trace_list list =
        restored(bench->with_one, AT("t (/main.js:1:11)") AT("Object.e (/main.js:1:21)")
                                      AT("<anonymous> (/main.js:1:61)") AT("Array.map (<anonymous>)"));
    static const struct {
        framemap_function_origin origin;
        const char *function, *name;
        bool ignored;
    } want[] = {{FRAMEMAP_FUNCTION_CALLER, "boom", "", false},
                {FRAMEMAP_FUNCTION_PRINTED, "Object.e", "boom", false},
                {FRAMEMAP_FUNCTION_NONE, "", "lib", true}};
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        const framemap_frame *frame = &list.traces[0].frames[i].restored.frames[0];
        assert_int_equal(frame->function_origin, want[i].origin);
        assert_str(frame->function, want[i].function);
        assert_str(frame->name, want[i].name);
        assert_int_equal(frame->ignored, want[i].ignored);
        assert_int_equal(frame->context.size, 0); /* no source lines were requested, so the frame has no source lines */
    }
    assert_int_equal(list.traces[0].frames[3].status, FRAMEMAP_FRAME_NOT_NEEDED);
    framemap_trace_list_free(&list);
    list = restored(bench->with_one, AT("Object.e (/main.js:1:21)"));
    assert_int_equal(list.traces[0].frames[0].restored.frames[0].function_origin, FRAMEMAP_FUNCTION_PRINTED);
    assert_str(list.traces[0].frames[0].restored.frames[0].function, "Object.e");
    framemap_trace_list_free(&list);
}

/* If the script is available, the names of its functions are used. If a function has no name there, the printed name is
 * kept, even if the map has a name for it at the call. */
static void names_of_the_text(void **state)
{
    static const char script[] = "(function(){function t(){throw 1}[0].map(function(){t()})})();\n";
    static const struct made_segment segments[] = {{0, 0, 0, 0, 0, -1},  {0, 12, 0, 4, 0, -1}, {0, 21, 0, 4, 9, 0},
                                                   {0, 25, 0, 5, 2, -1}, {0, 33, 0, 7, 0, -1}, {0, 41, 0, 7, 4, 1},
                                                   {0, 53, 0, 8, 2, 2}};
    struct folder folder;
    (void)state;
    folder_make(&folder);
    put_file(&folder, "s.js", FM_STR(script));
    put_map(&folder, "s.js.map", "\"sources\":[\"src/s.ts\"],\"names\":[\"thrower\",\"callback\",\"thrown\"]", segments,
            COUNT_OF(segments), "");
    framemap_session *session = session_on(folder.path);
    framemap_trace_list list = restored(session, AT("t (/s.js:1:26)") AT("u (/s.js:1:54)") AT("u (/s.js:1:42)"));
    const framemap_frame *first = &list.traces[0].frames[0].restored.frames[0],
                         *second = &list.traces[0].frames[1].restored.frames[0];
    assert_str(first->function, "thrower");
    assert_int_equal(first->function_origin, FRAMEMAP_FUNCTION_TEXT);
    /* the map has the name "callback" for the caller's parameter, which is not used */
    assert_str(second->function, "u");
    assert_int_equal(second->function_origin, FRAMEMAP_FUNCTION_PRINTED);
    framemap_trace_list_free(&list);
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* Three frames have the same position, but different names. Each has the name of the call in the frame below, if there
 * is such a frame. */
static void one_place_of_two_names(void **state)
{
    struct bench *bench = *state;
    framemap_trace_list list =
        restored(bench->with_one, AT("t (/main.js:1:11)") AT("e (/main.js:1:21)") AT("t (/main.js:1:11)")
                                      AT("e (/main.js:1:31)") AT("t (/main.js:1:11)"));
    static const char *const want[] = {"boom", "e", "run", "e", "t"};
    for (size_t i = 0; i < COUNT_OF(want); i++)
        assert_str(list.traces[0].frames[i].restored.frames[0].function, want[i]);
    framemap_trace_list_free(&list);
}

static framemap_str restore_json(framemap_session *session, const char *text, uint32_t context, uint64_t first_line,
                                 struct fm_buf *out)
{
    framemap_error error = {0};
    const framemap_restore_options options = {
        .size = sizeof options, .output = "json", .context = context, .first_line = first_line};
    must_ok(framemap_session_restore(session, framemap_str_of(text), &options, gather, out, NULL, &error), &error);
    return fm_buf_view(out);
}

static void context(void **state)
{
    struct bench *bench = *state;
    static const struct {
        uint32_t around;
        const char *text, *want;
    } rows[] = {{1, AT("t (/main.js:1:11)"),
                 "\"context\":{\"line\":4,\"text\":\"function boom() {\\n  throw new Error\\r\\n}\"}"},
                {100, AT("t (/main.js:1:1)"),
                 "\"context\":{\"line\":1,\"text\":\"1\\n2\\n3\\nfunction boom() {\\n  throw new "
                 "Error\\r\\n}\\n7\\n8\\n9\\n10\\n"
                 "11\\n12\\n13\\n14\"}"},
                {1, AT("t (/main.js:1:31)"), "\"context\":{\"line\":13,\"text\":\"13\\n14\"}"},
                /* the map does not contain the text of the source */
                {1, AT("t (/main.js:1:61)"), "\"ignored\":true}]"},
                {0, AT("t (/main.js:1:11)"), "\"line\":5,\"column\":9}]"}};
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fm_buf_clear(&out);
        const framemap_str got = restore_json(bench->with_one, rows[i].text, rows[i].around, 0, &out);
        if (fm_str_find(got, framemap_str_of(rows[i].want)) == FM_NOT_FOUND)
            fail_msg("%zu: %.*s", i, (int)got.size, got.data);
    }
    fm_buf_clear(&out);
    assert_true(fm_str_find(restore_json(bench->with_one, "x\n" AT("t (/main.js:1:11)"), 0, 41, &out),
                            FM_STR("\"line\":42,")) != FM_NOT_FOUND);
    fm_buf_free(&out);
}

/* Compares the two functions that return the lines around a frame, for every line and for several numbers of lines. */
static void context_of_one_question(void **state)
{
    (void)state;
    static const char *const texts[] = {"a\\nb\\r\\nc\\rd", "a\\n", "\\n\\n", "\\r\\n", "x"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char text[256];
        framemap_error error = {0};
        framemap_bytes bytes = {0};
        framemap_index *index = NULL;
        struct fm_heap heap;
        struct fm_source_texts sources;
        const framemap_build_options options = {.size = sizeof options, .keep_sources = true};
        snprintf(text, sizeof text,
                 "{\"version\":3,\"sources\":[\"s\"],\"sourcesContent\":[\"%s\"],\"names\":[],\"mappings\":\"AAAA\"}",
                 texts[i]);
        must_ok(framemap_index_build(framemap_str_of(text), FM_STR("s.map"), &options, &bytes, &error), &error);
        must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
        fm_heap_init(&heap, NULL, 0);
        fm_source_texts_open(&sources, index->view, &heap);
        /* the first few queries walk over all sources, later ones use a table of the sources */
        for (unsigned asked = 0; asked < 20; asked++) {
            bool has;
            assert_true(fm_source_texts_has(&sources, asked % 2 ? FM_STR("t") : FM_STR("s"), &has));
            assert_int_equal(has, asked % 2 == 0);
        }
        for (uint32_t line = 0; line < 7; line++)
            for (uint32_t around = 0; around < 6; around++) {
                framemap_frame a = {.file = FM_STR("s"), .line = line}, b = a;
                assert_true(fm_source_texts_context(&sources, &a, around));
                fm_source_context(index->view, &b, around);
                assert_true(fm_str_equal(a.context, b.context));
                assert_int_equal(a.context_line, b.context_line);
                assert_true(a.context_line <= line);
            }
        fm_source_texts_close(&sources);
        framemap_index_close(index);
        framemap_bytes_free(&bytes);
    }
}

/* --- testing whole stacks --- */

/* Tests two hundred thousand frames at two positions. Each position is looked up, and its function is named,
 * only once. */
static void a_stack_overflow(void **state)
{
    struct bench *bench = *state;
    struct fm_heap heap;
    struct fm_buf text, out;
    framemap_error error = {0};
    framemap_restore_summary summary;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&out, &heap);
    for (unsigned i = 0; i < 200000; i++) fm_buf_printf(&text, AT("e (/main.js:1:%u)"), 11 + 10 * (i % 2));
    must_ok(framemap_session_restore(bench->with_one, fm_buf_view(&text), NULL, gather, &out, &summary, &error),
            &error);
    assert_int_equal(summary.restored, 200000);
    fm_buf_free(&text);
    fm_buf_free(&out);
}

/* Restored frames are in the memory of the list of traces, so they can be printed after the session and its indexes are
 * closed. */
static void a_list_outlives_its_session(void **state)
{
    struct bench *bench = *state;
    static const char text[] = AT("t (/main.js:1:11)") AT("e (/main.js:1:21)");
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    framemap_session *session = open_on(bench->one.path, NULL);
    framemap_trace_list list = restored(session, text);
    framemap_session_close(session);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    must_ok(framemap_trace_print(FM_STR(text), list.traces, list.count, "text", gather, &out, &error), &error);
    assert_str(fm_buf_view(&out), AT("boom (src/a.ts:5:9)") AT("e (src/a.ts:9:5)"));
    fm_buf_free(&out);
    framemap_trace_list_free(&list);
}

static bool restore_all(const framemap_allocator *allocator, void *context)
{
    const struct bench *bench = context;
    static const char text[] = "Error: no\n" AT("t (/main.js:1:11)") AT("e (/other.js:1:11)")
        AT("e (/third.js:1:11)") "\n\nError: x, stack:\nt@1:10\ne@1:20\n";
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    framemap_session *session = open_on(bench->two.path, allocator);
    if (session == NULL) return false;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    const framemap_restore_options options = {.size = sizeof options, .output = "json", .context = 2};
    framemap_status status =
        framemap_session_restore(session, framemap_str_of(text), &options, gather, &out, NULL, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
    fm_buf_free(&out);
    framemap_session_close(session);
    return status == FRAMEMAP_OK;
}

static void out_of_memory(void **state) { sweep_allocations(restore_all, *state); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_map),
                                       cmocka_unit_test(addresses_or_columns),
                                       cmocka_unit_test(two_maps),
                                       cmocka_unit_test(bundles_in_parts),
                                       cmocka_unit_test(mixed_platforms),
                                       cmocka_unit_test(missing_maps),
                                       cmocka_unit_test(origins),
                                       cmocka_unit_test(names_of_the_text),
                                       cmocka_unit_test(one_place_of_two_names),
                                       cmocka_unit_test(context),
                                       cmocka_unit_test(context_of_one_question),
                                       cmocka_unit_test(a_stack_overflow),
                                       cmocka_unit_test(a_list_outlives_its_session),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
