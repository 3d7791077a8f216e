/* Tests how results are encoded as bytes for the answer cache, and decoded (session/cache/answer_pack.c). */
#include "session/cache/answer_pack.h"
#include "tests/session/restore/restore_help.h"

static const framemap_str aliases[] = {{"_Z1av", 5}, {"_Z1bv", 5}};
static const framemap_frame chain[] = {
    {.kind = FRAMEMAP_KIND_NATIVE,
     .status = FRAMEMAP_FRAME_OK,
     .index = -1,
     .function = {"inner(int)", 10},
     .name = {"place", 5},
     .file = {"src/a.c", 7},
     .line = UINT32_MAX,
     .column = 300,
     .declared_file = {"src/a.h", 7},
     .declared_line = 12,
     .artificial = true,
     .inlined = true},
    {.kind = FRAMEMAP_KIND_NATIVE, .status = FRAMEMAP_FRAME_SYMBOL, .index = -1, .inlined = true},
    {.kind = FRAMEMAP_KIND_NATIVE,
     .status = FRAMEMAP_FRAME_OK,
     .index = -1,
     .class_name = {"Class", 5},
     .function = {"outer()", 7},
     .symbol = {"_Z5outerv", 9},
     .file = {"src/a.c", 7},
     .line = 1,
     .declared_file = {"src/a.c", 7},
     .has_function_offset = true,
     .function_offset = UINT64_MAX,
     .function_size = 1,
     .aliases = aliases,
     .alias_count = COUNT_OF(aliases)},
};

static const framemap_frame java[] = {{.kind = FRAMEMAP_KIND_JAVA,
                                       .status = FRAMEMAP_FRAME_OK,
                                       .index = -1,
                                       .class_name = {"a.B", 3},
                                       .function = {"m", 1},
                                       .symbol = {"void m(int)", 11},
                                       .file = {"B.kt", 4},
                                       .line = 7}};
static const framemap_frame script[] = {{.kind = FRAMEMAP_KIND_JS,
                                         .status = FRAMEMAP_FRAME_OK,
                                         .index = -1,
                                         .function = {"f", 1},
                                         .function_origin = FRAMEMAP_FUNCTION_PRINTED,
                                         .file = {"a.ts", 4},
                                         .line = 1,
                                         .column = UINT32_MAX,
                                         .ignored = true}};
static const framemap_frame_list alternatives[] = {{java, 1}, {script, 1}, {chain, COUNT_OF(chain)}};

/* Compares a frame that fm_answer_unpack returned with the frame that was encoded, in all members that the JSON output
 * shows. */
static void assert_frame(const framemap_frame *got, const framemap_frame *want)
{
    const framemap_str *const gots[] = {&got->class_name, &got->function, &got->symbol,
                                        &got->name,       &got->file,     &got->declared_file},
                              *const wants[] = {&want->class_name, &want->function, &want->symbol,
                                                &want->name,       &want->file,     &want->declared_file};
    for (size_t i = 0; i < COUNT_OF(gots); i++) assert_true(fm_str_equal(*gots[i], *wants[i]));
    assert_true(got->kind == want->kind && got->status == want->status && got->index == want->index);
    assert_true(got->line == want->line && got->column == want->column && got->declared_line == want->declared_line);
    assert_true(got->artificial == want->artificial && got->inlined == want->inlined);
    assert_true(got->has_function_offset == want->has_function_offset);
    assert_true(got->function_offset == want->function_offset && got->function_size == want->function_size);
    assert_true(got->function_origin == want->function_origin && got->ignored == want->ignored);
    assert_int_equal(got->alias_count, want->alias_count);
    for (size_t i = 0; i < got->alias_count; i++) assert_true(fm_str_equal(got->aliases[i], want->aliases[i]));
}

static void assert_list(framemap_frame_list got, framemap_frame_list want)
{
    assert_int_equal(got.count, want.count);
    for (size_t i = 0; i < want.count; i++) assert_frame(&got.frames[i], &want.frames[i]);
}

static void a_result_is_the_same_after_packing(void **state)
{
    (void)state;
    const framemap_frame *root = &chain[COUNT_OF(chain) - 1];
    const framemap_frame results[] = {
        {.kind = FRAMEMAP_KIND_NATIVE,
         .status = FRAMEMAP_FRAME_OK,
         .index = -1,
         .restored = {chain, COUNT_OF(chain)},
         .has_function_offset = true,
         .function_offset = root->function_offset,
         .function_size = root->function_size,
         .aliases = aliases,
         .alias_count = COUNT_OF(aliases)},
        {.status = FRAMEMAP_FRAME_NO_MATCH, .index = -1, .reason = "the symbols have nothing at that position"},
        {.status = FRAMEMAP_FRAME_OK, .index = -1, .reason = "it is not to be shown"},
        {.status = FRAMEMAP_FRAME_NO_MATCH, .index = -1},
        {.kind = FRAMEMAP_KIND_JS,
         .status = FRAMEMAP_FRAME_SYMBOL,
         .index = -1,
         .reason = "over-limit: it is long",
         .restored = {script, COUNT_OF(script)},
         .over_limit = true},
        {.kind = FRAMEMAP_KIND_JAVA,
         .status = FRAMEMAP_FRAME_AMBIGUOUS,
         .index = -1,
         .reason = "there are several",
         .restored = {java, COUNT_OF(java)},
         .alternatives = alternatives,
         .alternative_count = COUNT_OF(alternatives)},
    };
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_answer_cache cache;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    fm_answer_cache_init(&cache, &heap, FM_ANSWER_LEAST);
    for (size_t r = 0; r < COUNT_OF(results); r++) {
        const struct fm_answer_key key = {.address = r};
        const struct fm_answer_store *store;
        struct fm_answer_writer writer;
        struct fm_answer_reader reader;
        struct fm_wire bytes;
        framemap_frame got;
        assert_true(fm_answer_can_pack(&results[r]));
        assert_true(fm_answer_writer_open(&cache, &key, &heap, &writer));
        fm_answer_pack(&results[r], &writer);
        fm_answer_writer_close(&writer);
        fm_answer_reader_open(&cache, &reader);
        assert_true(fm_answer_reader_find(&reader, &key, &bytes, &store));
        assert_true(fm_answer_unpack(&bytes, store, &arena, &got));
        assert_ptr_equal(bytes.at, bytes.end);
        assert_frame(&got, &results[r]);
        assert_int_equal(got.over_limit, results[r].over_limit);
        assert_int_equal(got.reason == NULL, results[r].reason == NULL);
        if (got.reason) assert_string_equal(got.reason, results[r].reason);
        assert_list(got.restored, results[r].restored);
        assert_int_equal(got.alternative_count, results[r].alternative_count);
        for (size_t i = 0; i < results[r].alternative_count; i++)
            assert_list(got.alternatives[i], results[r].alternatives[i]);
        fm_answer_reader_close(&cache, &reader);
    }
    fm_answer_cache_free(&cache);
    fm_arena_free(&arena);
}

static void some_results_are_not_packed(void **state)
{
    (void)state;
    enum { MANY = 300 };
    static framemap_frame frames[MANY];
    static framemap_frame_list lists[MANY];
    const framemap_frame results[] = {
        {.status = FRAMEMAP_FRAME_NO_MATCH, .reason = "no name", .has_function_offset = true},
        {.status = FRAMEMAP_FRAME_NO_MATCH, .reason = "no name", .function_size = 1},
        {.status = FRAMEMAP_FRAME_NO_MATCH, .reason = "no name", .aliases = aliases, .alias_count = 1},
        {.status = FRAMEMAP_FRAME_OK, .restored = {frames, MANY}},
        {.status = FRAMEMAP_FRAME_AMBIGUOUS,
         .restored = {frames, 1},
         .alternatives = lists,
         .alternative_count = COUNT_OF(lists)},
        {.status = FRAMEMAP_FRAME_AMBIGUOUS,
         .restored = {frames, 200},
         .alternatives = &(framemap_frame_list){frames, 200},
         .alternative_count = 1},
    };
    for (size_t r = 0; r < COUNT_OF(results); r++) assert_false(fm_answer_can_pack(&results[r]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_is_the_same_after_packing),
        cmocka_unit_test(some_results_are_not_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
