/* Tests of js_position.h: lines of stacks are converted to positions of the generated text. The cases are bundles in
 * parts, bytecode, and line and column numbers at their limits. */
#include "tests/testing.h"

#include "index/write/segment_builder.h"
#include "resolve/javascript/js_position.h"

/* An index of two lines. Modules 0 and 2 of the bundle are at lines 10 and 30; segment 3 is at line 100, and its module
 * 1 at the greatest possible line. Segments 0 and 51 have functions of bytecode. */
struct made {
    struct fm_heap heap;
    struct fm_built built;
    struct fm_view *view;
};

/* ends0: line after the last one of segments 0 to 3; NULL: not known, as in older indexes. */
static void make(struct made *made, bool parts, bool functions, const uint32_t *ends0)
{
    static const uint32_t modules[] = {10, UINT32_MAX, 30}, late[] = {UINT32_MAX, UINT32_MAX - 2},
                          segments[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 100};
    static const uint32_t first[] = {0, 500}, far[] = {7};
    static const struct fm_segment rows[] = {{.line0 = 0, .source = FM_NONE, .name = FM_NONE},
                                             {.line0 = 1, .source = FM_NONE, .name = FM_NONE}};
    const struct fm_builder_about about = {.kind = FM_STR("sourcemap"), .name = FM_STR("main.jsbundle.map")};
    struct fm_builder *builder;
    framemap_error error = {0};
    fm_heap_init(&made->heap, NULL, 0);
    assert_int_equal(fm_builder_create(&made->heap, &builder, &error), FRAMEMAP_OK);
    assert_int_equal(fm_builder_about(builder, &about, &error), FRAMEMAP_OK);
    fm_builder_segments_form(builder);
    assert_int_equal(fm_builder_segments(builder, rows, COUNT_OF(rows), &error), FRAMEMAP_OK);
    if (parts) {
        assert_int_equal(fm_builder_offsets(builder, FM_OFFSETS_MODULES, 0, modules, COUNT_OF(modules), &error),
                         FRAMEMAP_OK);
        assert_int_equal(fm_builder_offsets(builder, FM_OFFSETS_MODULES, 3, late, COUNT_OF(late), &error), FRAMEMAP_OK);
        assert_int_equal(fm_builder_offsets(builder, FM_OFFSETS_SEGMENTS, 0, segments, COUNT_OF(segments), &error),
                         FRAMEMAP_OK);
    }
    if (ends0)
        assert_int_equal(fm_builder_offsets(builder, FM_OFFSETS_SEGMENTS, FM_OFFSETS_ENDS, ends0, 4, &error),
                         FRAMEMAP_OK);
    if (functions) {
        assert_int_equal(fm_builder_offsets(builder, FM_OFFSETS_FUNCTIONS, 0, first, COUNT_OF(first), &error),
                         FRAMEMAP_OK);
        assert_int_equal(fm_builder_offsets(builder, FM_OFFSETS_FUNCTIONS, 51, far, COUNT_OF(far), &error),
                         FRAMEMAP_OK);
    }
    assert_int_equal(fm_builder_finish(builder, &made->built, &error), FRAMEMAP_OK);
    fm_builder_free(builder);
    assert_int_equal(fm_view_open(fm_str(made->built.data, made->built.size), &made->heap, &made->view, &error),
                     FRAMEMAP_OK);
}

static void drop(struct made *made)
{
    fm_view_close(made->view);
    fm_heap_free(&made->heap, made->built.data, made->built.size);
}

static void rows(void **state)
{
    static const struct {
        const char *why, *file;
        uint32_t line1, column1;
        bool bytecode;
        uint64_t address;
        const char *reason; /* part of the reason why there is no position; NULL: there is one */
        uint32_t line0, col0;
    } table[] = {
        {"a row of the bundle itself", "/var/x/main.jsbundle", 1, 1, false, 0, NULL, 0, 0},
        {"numbers at their limit", "main.jsbundle", UINT32_MAX, UINT32_MAX, false, 0, NULL, UINT32_MAX - 1,
         UINT32_MAX - 1},
        {"no line", "main.jsbundle", 0, 5, false, 0, "no line", 0, 0},
        {"no column", "main.jsbundle", 5, 0, false, 0, "no column", 0, 0},
        {"a module", "2.js", 3, 7, false, 0, NULL, 32, 6},
        {"after a path", "/data/js-modules/0.js", 1, 1, false, 0, NULL, 10, 0},
        {"a hole", "1.js", 1, 1, false, 0, "no such module", 0, 0},
        {"after the last", "3.js", 1, 1, false, 0, "no such module", 0, 0},
        {"of 30 digits, which are a name", "111111111122222222223333333333.js", 1, 1, false, 0, NULL, 0, 0},
        {"a segment", "seg-3.js", 1, 1, false, 0, NULL, 100, 0},
        {"the first one has no number of its own", "seg-0.js", 2, 1, false, 0, NULL, 1, 0},
        {"a module of a segment", "seg-3_1.js", 2, 1, false, 0, NULL, UINT32_MAX - 1, 0},
        {"a line past all others", "seg-3_1.js", 4, 1, false, 0, "past the largest", 0, 0},
        {"no such segment", "seg-2.js", 1, 1, false, 0, "no such segment", 0, 0},
        {"nor one of 2^32", "seg-4294967296_1.js", 1, 1, false, 0, "no such segment", 0, 0},
        {"half a name", "seg-3_.js", 2, 1, false, 0, NULL, 1, 0},
        {"more than a name", "2.js.js", 2, 1, false, 0, NULL, 1, 0},
        {"an address", "index.android.bundle", 1, 0, true, 13916, NULL, 0, 13916},
        {"of a further segment", "index.android.bundle", 4, 0, true, 12, NULL, 100, 12},
        {"of one that has the line as it is", "index.android.bundle", 52, 0, true, 12, NULL, 51, 12},
        {"in a segment's own file", "seg-3.js", 1, 0, true, 12, NULL, 100, 12},
        {"an address past all others", "index.android.bundle", 1, 0, true, (uint64_t)UINT32_MAX + 1, "past the largest",
         0, 0},
    };
    struct made made;
    (void)state;
    make(&made, true, false, NULL);
    assert_true(fm_script_has_parts(made.view));
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct fm_generated_place place = {77, 77};
        const struct fm_printed_place row = {framemap_str_of(table[i].file), table[i].line1, table[i].column1,
                                             table[i].bytecode, table[i].address};
        const char *reason = fm_js_map_position(made.view, &row, &place);
        if (table[i].reason ? !reason || !strstr(reason, table[i].reason) : reason != NULL)
            fail_msg("%s: %s", table[i].why, reason ? reason : "a place");
        if (reason) continue;
        if (place.line0 != table[i].line0 || place.col0 != table[i].col0)
            fail_msg("%s: %u:%u", table[i].why, (unsigned)place.line0, (unsigned)place.col0);
    }
    drop(&made);
}

/* Checks a line after the end of a segment: it does not count as a line of the next segment. */
static void ends(void **state)
{
    static const struct {
        const char *file;
        uint32_t line1;
        bool bytecode;
        uint32_t line0; /* UINT32_MAX: the line is past the end */
    } table[] = {{"main.jsbundle", 40, false, 39},
                 {"main.jsbundle", 41, false, UINT32_MAX},
                 {"2.js", 10, false, 39},
                 {"2.js", 11, false, UINT32_MAX},
                 {"seg-3.js", 20, false, 119},
                 {"seg-3.js", 21, false, UINT32_MAX},
                 {"seg-3_1.js", 1, false, UINT32_MAX},
                 {"index.android.bundle", 4, true, 100},
                 {"index.android.bundle", 52, true, 51}};
    static const uint32_t ends0[] = {40, UINT32_MAX, UINT32_MAX, 120};
    struct made made;
    (void)state;
    make(&made, true, false, ends0);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct fm_generated_place place = {77, 77};
        const struct fm_printed_place row = {framemap_str_of(table[i].file), table[i].line1, 1, table[i].bytecode, 12};
        const char *reason = fm_js_map_position(made.view, &row, &place);
        if (table[i].line0 == UINT32_MAX ? !reason || !strstr(reason, "past the last") : place.line0 != table[i].line0)
            fail_msg("%s:%u: %s, %u", table[i].file, (unsigned)table[i].line1, reason ? reason : "a place",
                     (unsigned)place.line0);
    }
    drop(&made);
}

/* Checks that names such as "123.js" have no special meaning if the map does not consist of parts. */
static void a_bundle_in_one(void **state)
{
    struct made made;
    struct fm_generated_place place;
    const struct fm_printed_place row = {FM_STR("123.js"), 5, 6, false, 0};
    (void)state;
    make(&made, false, false, NULL);
    assert_true(fm_script_is_part(row.file) && !fm_script_has_parts(made.view));
    assert_null(fm_js_map_position(made.view, &row, &place));
    assert_true(place.line0 == 4 && place.col0 == 5);
    assert_false(fm_script_may_be_bytecode(made.view)); /* the map has two lines and no functions */
    drop(&made);
}

static void functions(void **state)
{
    static const struct {
        const char *scope;
        uint64_t segment, offset, position; /* position: the expected position; UINT64_MAX: no position is expected */
    } table[] = {{"0", 0, 12, 12},
                 {"1", 0, 12, 512},
                 {"0", 51, 4, 11},
                 {"2", 0, 0, UINT64_MAX},
                 {"0", 1, 0, UINT64_MAX},
                 {"0", (uint64_t)1 << 32, 0, UINT64_MAX},
                 {"x", 0, 0, UINT64_MAX},
                 {"1x", 0, 0, UINT64_MAX},
                 {"99999999999999999999", 0, 0, UINT64_MAX},
                 {"1", 0, UINT32_MAX, UINT64_MAX},
                 {"1", 0, UINT64_MAX, UINT64_MAX}};
    struct made made;
    (void)state;
    make(&made, false, true, NULL);
    assert_true(fm_script_may_be_bytecode(made.view));
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT, placed = FRAMEMAP_QUERY_INIT;
        query.scope = framemap_str_of(table[i].scope);
        query.scope_number = table[i].segment;
        query.position = table[i].offset;
        const char *reason = fm_js_function_position(made.view, &query, &placed);
        if ((reason == NULL) != (table[i].position != UINT64_MAX)) fail_msg("%zu: %s", i, reason ? reason : "a place");
        if (reason) continue;
        assert_int_equal(placed.position, table[i].position);
        assert_int_equal(placed.scope_number, table[i].segment);
        assert_int_equal(placed.scope.size, 0);
    }
    drop(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(ends),
                                       cmocka_unit_test(a_bundle_in_one), cmocka_unit_test(functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
