#include "tests/formats/formats_help.h"

#include "core/limits.h"
#include "formats/scan/document.h"

/* If a stack outgrows its memory block, it is moved as a whole, so that its frames are contiguous and the earlier ones
 * are kept. */
static void test_frames_stand_in_a_row(void **state)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_line line = {.text = FM_STR("abc"), .body = FM_STR("abc"), .offset = 7, .number1 = 2, .text_number1 = 2};
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    struct fm_document doc = {.arena = &arena};
    static const size_t sizes[] = {1, 31, 40, 5000, 1, 9000, 3};
    static const char name[] = "test";
    for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++) {
        assert_non_null(fm_document_trace(&doc, name, &line));
        framemap_frame frame = FM_FRAME_INIT;
        for (size_t f = 0; f < sizes[t]; f++) {
            frame.address = t * 100000 + f;
            assert_non_null(fm_document_frame(&doc, &line, &frame));
        }
    }
    assert_null(fm_document_open(&doc, "other"));
    assert_ptr_equal(fm_document_open(&doc, name), &doc.traces[doc.trace_count - 1]);
    for (size_t t = 0; t < doc.trace_count; t++) {
        assert_int_equal(doc.traces[t].frame_count, sizes[t]);
        assert_int_equal(doc.traces[t].line, 2);
        for (size_t f = 0; f < sizes[t]; f++) assert_int_equal(doc.traces[t].frames[f].address, t * 100000 + f);
    }
    assert_int_equal(doc.traces[0].frames[0].raw_offset,
                     doc.traces[0].frames[0].raw.size ? (uint64_t)(line.body.data - line.text.data) + 7 : 0);
    fm_arena_free(&arena);
}

/* If a stack has more frames than the limit, it continues in another trace. */
static void test_limit(void **state)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_line line = {.text = FM_STR("abc"), .body = FM_STR("abc"), .number1 = 1, .text_number1 = 1};
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    struct fm_document doc = {.arena = &arena};
    framemap_frame frame = FM_FRAME_INIT;
    framemap_trace *trace = fm_document_trace(&doc, "test", &line);
    trace->thread = FM_STR("main");
    /* the test pretends that the trace has the greatest number of frames already */
    trace->frame_count = FM_LIMIT_FRAMES;
    assert_non_null(fm_document_frame(&doc, &line, &frame));
    assert_int_equal(doc.trace_count, 2);
    assert_int_equal(doc.traces[1].frame_count, 1);
    same_text("limit", "thread", doc.traces[1].thread, FM_STR("main"));
    fm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames_stand_in_a_row), cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests_name("formats document", tests, NULL, NULL);
}
