/* Tests stacks that engines printed for real bundles, and the results of Metro's own tool for its test data. */
#include "tests/session/restore/restore_help.h"
#include "tests/session/restore/sourcemap_help.h"

#include "core/text/scan.h"

struct capture {
    const char *folder, *stack, *map;
};

struct tally {
    size_t frames, bad;
};

static bool number_is(const struct document *row, int32_t object, const char *name, uint32_t got, int64_t first)
{
    const int64_t wanted = number_member(row, object, name);
    return wanted < 0 ? got == 0 : (int64_t)got == wanted + first;
}

/* Compares a frame with the expected one, whose line counts from 1 and whose column counts from 0. */
static bool is_as_expected(struct document *row, int32_t wanted, const framemap_frame *frame)
{
    if (frame->restored.count == 0)
        return fm_json_type(row->json, fm_json_get(row->json, wanted, "source")) == FM_JSON_NULL;
    const framemap_frame *got = &frame->restored.frames[0];
    const framemap_str enclosing = text_member(row, wanted, "enclosing");
    if (enclosing.size && (!same_text(got->function, enclosing) || got->function_origin != FRAMEMAP_FUNCTION_MAP))
        return false;
    return number_is(row, wanted, "line", got->line, 0) && number_is(row, wanted, "column", got->column, 1) &&
           same_text(got->file, text_member(row, wanted, "source")) &&
           same_text(got->name, text_member(row, wanted, "name"));
}

/* Whether a frame line is one for which trace-mapping, which made the expected results, gives a wrong position. In a
 * map with sections within a section, trace-mapping adds the column of the outer section to later lines as well. So it
 * misplaces the start of text without a source. */
static bool is_known(const struct capture *capture, framemap_str raw)
{
    return strcmp(capture->folder, "concat-index-nested") == 0 &&
           (fm_str_ends(raw, FM_STR("bundle.js:7:104)")) || fm_str_ends(raw, FM_STR("bundle.js:15:71292)")));
}

/* Returns the next frame in the list whose frame line is `raw`. */
static const framemap_frame *next_frame(const framemap_trace_list *list, size_t *trace, size_t *at, framemap_str raw)
{
    for (; *trace < list->count; ++*trace, *at = 0)
        while (*at < list->traces[*trace].frame_count) {
            const framemap_frame *frame = &list->traces[*trace].frames[(*at)++];
            if (fm_str_equal(frame->raw, raw)) return frame;
        }
    return NULL;
}

static void compare(const struct capture *capture, const framemap_trace_list *list, framemap_str expected,
                    struct tally *tally)
{
    struct document row;
    size_t trace = 0, at = 0, told = 0;
    fm_heap_init(&row.heap, NULL, 0);
    fm_arena_init(&row.arena, &row.heap);
    struct fm_scan s = fm_scan_of(expected);
    framemap_str line;
    while (fm_scan_line(&s, &line)) {
        if (line.size == 0) continue;
        assert_int_equal(fm_json_parse(line, &row.heap, &row.json, NULL), FRAMEMAP_OK);
        const int32_t wanted = fm_json_get(row.json, 0, "resolved");
        if (wanted >= 0 && fm_json_type(row.json, wanted) == FM_JSON_OBJECT) {
            const framemap_frame *frame = next_frame(list, &trace, &at, text_member(&row, 0, "raw"));
            tally->frames++;
            if (frame == NULL || (!is_as_expected(&row, wanted, frame) && !is_known(capture, frame->raw))) {
                tally->bad++;
                if (told++ < 3)
                    print_message("%s/%s: not so: %.*s\n", capture->folder, capture->stack, (int)line.size, line.data);
                if (frame == NULL) trace = at = 0;
            }
        }
        fm_json_free(row.json);
        fm_arena_reset(&row.arena);
    }
    fm_arena_free(&row.arena);
}

static void check_capture(const struct capture *capture, struct tally *tally)
{
    char path[3][1024];
    struct fm_mapfile text, expected;
    framemap_trace_list list;
    framemap_error error = {0};
    snprintf(path[0], sizeof path[0], "bundles/%s/%s", capture->folder, capture->map);
    snprintf(path[1], sizeof path[1], "bundles/%s/%s.txt", capture->folder, capture->stack);
    snprintf(path[2], sizeof path[2], "bundles/%s/%s.expected.jsonl", capture->folder, capture->stack);
    framemap_session *session = session_on(case_path(path[0]));
    must_ok(fm_mapfile_open(case_path(path[1]), &text, &error), &error);
    must_ok(fm_mapfile_open(case_path(path[2]), &expected, &error), &error);
    must_ok(framemap_trace_parse(text.bytes, NULL, &list, &error), &error);
    must_ok(framemap_session_restore_traces(session, &list, FRAMEMAP_DEMANGLE_DEFAULT, NULL, &error), &error);
    compare(capture, &list, expected.bytes, tally);
    framemap_trace_list_free(&list);
    fm_mapfile_close(&text);
    fm_mapfile_close(&expected);
    framemap_session_close(session);
}

static void every_capture(void **state)
{
    static const struct capture captures[] = {
        {"concat-index-nested", "stack.v8", "bundle.js.map"},
        {"lodash-terser", "stack.jsc", "bundle.js.map"},
        {"lodash-terser", "stack.spidermonkey", "bundle.js.map"},
        {"lodash-terser", "stack.v8", "bundle.js.map"},
        {"mid-esbuild", "stack.v8", "bundle.js.map"},
        {"react-esbuild", "stack.v8", "bundle.js.map"},
        {"rn-plain-hermes", "stack.hermes0.12", "index.android.bundle.hermes0.12.map"},
        {"rn-plain-hermes", "stack.hermes1.0-head", "index.android.bundle.hermes1.0-head.map"},
        {"rxjs-tsc-terser", "stack.jsc", "bundle.js.map"},
        {"rxjs-tsc-terser", "stack.spidermonkey", "bundle.js.map"},
        {"rxjs-tsc-terser", "stack.v8", "bundle.js.map"},
        {"rxjs-tsc", "stack.jsc", "bundle.js.map"},
        {"rxjs-tsc", "stack.spidermonkey", "bundle.js.map"},
        {"rxjs-tsc", "stack.v8", "bundle.js.map"},
        {"small-esbuild-inline", "stack.v8", "bundle.js"},
        {"small-esbuild", "stack.v8", "bundle.js.map"},
        {"small-webpack-cheap", "stack.v8", "main.js.map"},
        {"utf16-esbuild", "stack.jsc", "bundle.js.map"},
        {"utf16-esbuild", "stack.spidermonkey", "bundle.js.map"},
        {"utf16-esbuild", "stack.v8", "bundle.js.map"},
    };
    struct tally tally = {0, 0};
    (void)state;
    skip_without("bundles/INDEX.json");
    for (size_t i = 0; i < COUNT_OF(captures); i++) check_capture(&captures[i], &tally);
    print_message("%zu frames of %zu captures\n", tally.frames, COUNT_OF(captures));
    assert_true(tally.frames > 900);
    assert_int_equal(tally.bad, 0);
}

/* Compares framemap with the results of Metro's own tool for its test data. Each line of a result is
 * "FILE:LINE:FUNCTION" for a frame line. */
static void metro_fixtures(void **state)
{
    static const struct {
        const char *map, *stack, *want;
    } rows[] = {
        {"metro/testfile.ram.js.map", "metro/testfile.ram.stack", "metro/expected/ram.txt"},
        {"metro/with-function-map.js.map", "metro/with-function-map.stack", "metro/expected/function-map.txt"},
    };
    (void)state;
    skip_without("metro/testfile.ram.js.map");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_mapfile text, expected;
        framemap_trace_list list;
        framemap_error error = {0};
        framemap_session *session = session_on(case_path(rows[i].map));
        must_ok(fm_mapfile_open(case_path(rows[i].stack), &text, &error), &error);
        must_ok(fm_mapfile_open(case_path(rows[i].want), &expected, &error), &error);
        must_ok(framemap_trace_parse(text.bytes, NULL, &list, &error), &error);
        must_ok(framemap_session_restore_traces(session, &list, FRAMEMAP_DEMANGLE_DEFAULT, NULL, &error), &error);
        assert_int_equal(list.count, 1);
        struct fm_scan s = fm_scan_of(expected.bytes);
        framemap_str line;
        for (size_t f = 0; fm_scan_line(&s, &line); f++) {
            char got[1024];
            /* a line such as "1.js:6:7" alone is not a frame for framemap */
            if (f == list.traces[0].frame_count && f >= 4) break;
            assert_true(f < list.traces[0].frame_count);
            const framemap_frame *frame = &list.traces[0].frames[f];
            assert_int_equal(frame->restored.count, 1);
            const framemap_frame *source = &frame->restored.frames[0];
            const framemap_str name =
                source->function_origin == FRAMEMAP_FUNCTION_MAP ? source->function : source->name;
            snprintf(got, sizeof got, "%.*s:%u:%.*s", (int)source->file.size, source->file.data, (unsigned)source->line,
                     name.size ? (int)name.size : 4, name.size ? name.data : "null");
            assert_str(line, got);
        }
        framemap_trace_list_free(&list);
        fm_mapfile_close(&text);
        fm_mapfile_close(&expected);
        framemap_session_close(session);
    }
}

/* Compares framemap with the results of Metro's own tool for crash dumps of Hermes, in which frames consist of
 * functions and offsets. */
static void functions_of_bytecode(void **state)
{
    static const struct {
        const char *map, *function;
        uint64_t segment, offset;
        const char *file, *name;
        uint32_t line, column;
    } rows[] = {
        {"hermes.js.hbc.map", "50", 0, 58, "/js/node_modules/react-native/Libraries/polyfills/console.js",
         "columns.forEach$argument_0", 480, 22},
        {"hermes.js.hbc.map", "290", 0, 3, "/js/react-native-github/Libraries/Performance/Systrace.js", "setEnabled",
         101, 9},
        {"hermescjs.js.hbc.map", "270", 0, 12, "/js/react-native-github/Libraries/Utilities/createPerformanceLogger.js",
         "result.clearExceptTimespans", 160, 37},
        {"hermescjs.js.hbc.map", "3", 51, 4, "/js/RKJSModules/Apps/HermesModulesTest/HMTLazyFetched.js", "getValue", 13,
         3},
        {"hermescjs.js.hbc.map", "999999", 51, 4, NULL, NULL, 0, 0},
        {"hermescjs.js.hbc.map", "3", 52, 4, NULL, NULL, 0, 0},
        {"hermescjs.js.hbc.map", "3", 51, UINT32_MAX, NULL, NULL, 0, 0},
        {"hermescjs.js.hbc.map", "f", 51, 4, NULL, NULL, 0, 0},
    };
    (void)state;
    skip_without("metro/hermes.js.hbc.map");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char path[256];
        struct opened_map map;
        framemap_query query = FRAMEMAP_QUERY_INIT;
        framemap_frame frame;
        framemap_error error = {0};
        snprintf(path, sizeof path, "metro/%s", rows[i].map);
        must_ok(map_open(&map, case_path(path), false, &error), &error);
        query.scope = framemap_str_of(rows[i].function);
        query.scope_number = rows[i].segment;
        query.position = rows[i].offset;
        must_ok(framemap_resolve(map.index, &query, map.scratch, &frame, &error), &error);
        if (rows[i].file) {
            assert_int_equal(frame.restored.count, 1);
            assert_str(frame.restored.frames[0].file, rows[i].file);
            assert_str(frame.restored.frames[0].function, rows[i].name);
            assert_int_equal(frame.restored.frames[0].line, rows[i].line);
            assert_int_equal(frame.restored.frames[0].column, rows[i].column);
        } else {
            assert_int_equal(frame.status, FRAMEMAP_FRAME_NO_MATCH);
            assert_non_null(frame.reason);
        }
        map_close(&map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_capture), cmocka_unit_test(metro_fixtures),
                                       cmocka_unit_test(functions_of_bytecode)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
