/* Tests of fm_resolve with positions of generated text, on a hand-made index of the segment form. */
#include "index/write/segment_builder.h"
#include "tests/resolve/resolve_help.h"
#include "tests/session/session_help.h"

/* The segments of a generated text that comes from four sources. Line 0 has code of two sources, line 1 is empty,
 * and line 2 has code of a source without a name. */
static const struct {
    const char *address;
    uint32_t flags;
} sources[] = {{"src/a.js", 0}, {"node_modules/b.js", FM_SOURCE_IGNORED}, {NULL, FM_SOURCE_UNKNOWN}};
static const char *const names[] = {"first", "second"};
static const struct fm_segment segments[] = {
    {0, 4, 0, 9, 2, FM_NONE},   {0, 10, 0, 10, 0, 1}, {0, 20, FM_NONE, 0, 0, FM_NONE}, {0, 30, 1, 0, 0, 0},
    {0, 40, 0, 99, 7, FM_NONE}, {2, 0, 2, 4, 5, 0},   {3, 0, FM_NONE, 0, 0, FM_NONE},
};

struct made {
    struct fm_heap heap;
    struct fm_builder *builder;
    framemap_error error;
};

static uint32_t text_of(struct made *made, const char *text)
{
    uint32_t number = FM_NONE;
    if (text) must_ok(fm_builder_string(made->builder, framemap_str_of(text), &number, &made->error), &made->error);
    return number;
}

static void add_sources(struct made *made)
{
    uint32_t number;
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        const uint32_t address = text_of(made, sources[i].address ? sources[i].address : "");
        must_ok(fm_builder_source(made->builder, address, FM_NONE, FM_NONE, sources[i].flags, &number, &made->error),
                &made->error);
        assert_int_equal(number, i);
    }
    for (size_t i = 0; i < COUNT_OF(names); i++)
        must_ok(fm_builder_segment_name(made->builder, framemap_str_of(names[i]), &number, &made->error), &made->error);
}

static void add_stretches(struct made *made)
{
    framemap_error *error = &made->error;
    struct fm_builder *builder = made->builder;
    must_ok(fm_builder_source_stretch(builder, 0, 9, 0, text_of(made, "outer"), FM_FUNCTION_MAP, error), error);
    must_ok(fm_builder_source_stretch(builder, 0, 10, 0, text_of(made, "inner"), FM_FUNCTION_MAP, error), error);
    must_ok(fm_builder_source_stretch(builder, 0, 90, 0, FM_NONE, FM_FUNCTION_MAP, error), error);
    /* The last function range of a source ends with the source: it does not continue into the next one. */
    must_ok(fm_builder_source_stretch(builder, 0, 200, 0, text_of(made, "last"), FM_FUNCTION_MAP, error), error);
    must_ok(fm_builder_generated_stretch(builder, 0, 0, text_of(made, "t"), FM_FUNCTION_TEXT, error), error);
    must_ok(fm_builder_generated_stretch(builder, 0, 12, text_of(made, "scoped"), FM_FUNCTION_SCOPES, error), error);
    must_ok(fm_builder_generated_stretch(builder, 0, 14, FM_NONE, FM_FUNCTION_SCOPES, error), error);
    must_ok(fm_builder_generated_stretch(builder, 0, 41, text_of(made, "t"), FM_FUNCTION_TEXT, error), error);
}

static framemap_bytes script_index(void)
{
    struct made made;
    struct fm_built built;
    const struct fm_builder_about about = {
        .kind = FM_STR("sourcemap"), .id = FM_STR("cafe"), .name = FM_STR("main.js.map")};
    memset(&made, 0, sizeof made);
    fm_heap_init(&made.heap, NULL, 0);
    must_ok(fm_builder_create(&made.heap, &made.builder, &made.error), &made.error);
    must_ok(fm_builder_about(made.builder, &about, &made.error), &made.error);
    fm_builder_segments_form(made.builder);
    add_sources(&made);
    must_ok(fm_builder_segments(made.builder, segments, COUNT_OF(segments), &made.error), &made.error);
    add_stretches(&made);
    must_ok(fm_builder_finish(made.builder, &built, &made.error), &made.error);
    fm_builder_free(made.builder);
    return (framemap_bytes){.data = built.data, .size = built.size};
}

static framemap_frame resolve_script(struct resolver *resolver, const framemap_query *query)
{
    const framemap_frame frame = resolve(resolver, query);
    assert_int_equal(frame.kind, FRAMEMAP_KIND_JS);
    assert_str(frame.id, "cafe");
    assert_str(frame.module, "main.js.map");
    assert_true((frame.status == FRAMEMAP_FRAME_OK) == (frame.reason == NULL));
    return frame;
}

#define NONE FRAMEMAP_FRAME_NO_MATCH
#define GOOD FRAMEMAP_FRAME_OK
#define PART FRAMEMAP_FRAME_SYMBOL

static void places(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        uint64_t line0, col0;
        framemap_frame_status status;
        const char *file, *name, *function;
        framemap_function_origin origin;
        uint32_t line, column;
        bool ignored;
    } rows[] = {
        {"before the line's first segment", 0, 3, NONE, "", "", "", 0, 0, 0, false},
        {"its begin", 0, 4, GOOD, "src/a.js", "", "outer", FRAMEMAP_FUNCTION_MAP, 10, 3, false},
        {"its last column", 0, 9, GOOD, "src/a.js", "", "outer", FRAMEMAP_FUNCTION_MAP, 10, 3, false},
        {"a name, and another function of the source", 0, 10, GOOD, "src/a.js", "second", "inner",
         FRAMEMAP_FUNCTION_MAP, 11, 1, false},
        {"scopes go before a function map", 0, 12, GOOD, "src/a.js", "second", "scoped", FRAMEMAP_FUNCTION_SCOPES, 11,
         1, false},
        {"where scopes know none, the function map", 0, 14, GOOD, "src/a.js", "second", "inner", FRAMEMAP_FUNCTION_MAP,
         11, 1, false},
        {"a segment without a source ends the previous one", 0, 25, NONE, "", "", "", 0, 0, 0, false},
        {"a source to pass over; functions of another source are not its own", 0, 30, GOOD, "node_modules/b.js",
         "first", "", 0, 1, 1, true},
        {"a stretch without a function", 0, 40, GOOD, "src/a.js", "", "", 0, 100, 8, false},
        {"what the text says, where nothing else is said", 0, 41, GOOD, "src/a.js", "", "t", FRAMEMAP_FUNCTION_TEXT,
         100, 8, false},
        {"the last segment has no end", 0, UINT64_MAX, GOOD, "src/a.js", "", "t", FRAMEMAP_FUNCTION_TEXT, 100, 8,
         false},
        {"a line does not go on with the line before", 1, 0, NONE, "", "", "", 0, 0, 0, false},
        {"a source without an address", 2, 3, PART, "", "first", "t", FRAMEMAP_FUNCTION_TEXT, 5, 6, false},
        {"a line of no source", 3, 0, NONE, "", "", "", 0, 0, 0, false},
        {"after the last line", 4, 0, NONE, "", "", "", 0, 0, 0, false},
        {"a line that no text has", UINT64_MAX, 0, NONE, "", "", "", 0, 0, 0, false},
    };
    struct resolver resolver;
    resolver_open(&resolver, script_index());
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.scope_number = rows[i].line0;
        query.position = rows[i].col0;
        const framemap_frame frame = resolve_script(&resolver, &query);
        if (frame.status != rows[i].status || frame.restored.count != (rows[i].status != NONE))
            fail_msg("%s: status %d", rows[i].why, (int)frame.status);
        if (frame.restored.count == 0) continue;
        const framemap_frame *at = &frame.restored.frames[0];
        if (at->line != rows[i].line || at->column != rows[i].column || at->ignored != rows[i].ignored)
            fail_msg("%s: line %u, column %u", rows[i].why, at->line, at->column);
        assert_str(at->file, rows[i].file);
        assert_str(at->name, rows[i].name);
        assert_str(at->function, rows[i].function);
        assert_int_equal(at->function_origin, rows[i].origin);
        assert_int_equal(at->status, rows[i].status);
    }
    resolver_close(&resolver);
}

static void reasons(void **state)
{
    (void)state;
    static const struct {
        uint64_t line0, col0;
        const char *scope;
        bool no_position;
    } rows[] = {
        {0, 3, NULL, false}, {0, 25, NULL, false}, {1, 0, NULL, false}, {0, 4, "main.js", false}, {0, 4, NULL, true}};
    const char *reasons[COUNT_OF(rows)];
    struct resolver resolver;
    resolver_open(&resolver, script_index());
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.scope_number = rows[i].line0;
        query.position = rows[i].col0;
        query.no_position = rows[i].no_position;
        if (rows[i].scope) query.scope = framemap_str_of(rows[i].scope);
        reasons[i] = resolve_script(&resolver, &query).reason;
        for (size_t k = 0; k < i; k++) assert_ptr_not_equal(reasons[i], reasons[k]);
    }
    resolver_close(&resolver);
}

/* Checks that addresses of bytecode are used as columns unchanged, and that return_address has no effect: frames are at
 * the call itself. */
static void addresses(void **state)
{
    (void)state;
    struct resolver resolver;
    resolver_open(&resolver, script_index());
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.position = 10;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.return_address = true;
    const framemap_frame frame = resolve_script(&resolver, &query);
    assert_int_equal(frame.restored.count, 1);
    assert_str(frame.restored.frames[0].name, "second");
    assert_true(frame.has_address && frame.address == 10);
    resolver_close(&resolver);
}

/* --- testing lack of memory, and damaged indexes --- */

static bool ask_with(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_frame frame = {.index = 77};
    framemap_error error = {0};
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.position = 10;
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    const framemap_status status = fm_resolve(context, &query, &arena, &frame, &error);
    assert_true(status == FRAMEMAP_OK || (status == FRAMEMAP_E_MEMORY && frame.index == 77));
    fm_arena_free(&arena);
    return status == FRAMEMAP_OK;
}

static void want_of_memory(void **state)
{
    (void)state;
    struct resolver resolver;
    resolver_open(&resolver, script_index());
    sweep_allocations(ask_with, resolver.view);
    resolver_close(&resolver);
}

/* Checks that an index with any byte changed gives wrong answers or none. */
static void damage(void **state)
{
    (void)state;
    framemap_bytes bytes = script_index();
    for (size_t i = 0; i < bytes.size; i++) {
        framemap_index *index;
        framemap_scratch *scratch;
        framemap_frame frame;
        framemap_error error;
        bytes.data[i] ^= 0xff;
        if (framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error) == FRAMEMAP_OK) {
            assert_int_equal(framemap_scratch_create(NULL, &scratch, &error), FRAMEMAP_OK);
            for (uint64_t place = 0; place < 200; place++) {
                framemap_query query = FRAMEMAP_QUERY_INIT;
                query.scope_number = place % 5;
                query.position = place / 5;
                const framemap_status status = framemap_resolve(index, &query, scratch, &frame, &error);
                assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_CORRUPT);
            }
            framemap_scratch_free(scratch);
            framemap_index_close(index);
        }
        bytes.data[i] ^= 0xff;
    }
    framemap_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(reasons), cmocka_unit_test(addresses),
                                       cmocka_unit_test(want_of_memory), cmocka_unit_test(damage)};
    return cmocka_run_group_tests_name("script", tests, NULL, NULL);
}
