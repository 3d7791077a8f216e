#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

static const char text[] = "before\r\n#00 pc 0001  /l/a.so\r\n#01 pc 0002  /l/a.so\r\nbetween\r\n#02 pc 0003  /l/a.so";

/* Only restored frames are changed; all other text, including line ends, stays the same. */
static void test_some_restored(void **state)
{
    struct parsed parsed;
    struct fm_buf out;
    (void)state;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 1);
    restore(&parsed.traces[0].frames[1], fm_test_chain, 2);
    assert_int_equal(print_as(&parsed, text_of(text), "text", &out), FRAMEMAP_OK);
    same_text("some", "text", fm_buf_view(&out),
              FM_STR("before\r\n#00 pc 0001  /l/a.so\r\n#01 pc 0002  /l/a.so (inner(int)) src/a.cc:7:3\r\n"
                     "#01 pc 0002  /l/a.so (outer()) src/a.cc:21\r\nbetween\r\n#02 pc 0003  /l/a.so"));
    fm_buf_free(&out);
    parsed_free(&parsed);
}

/* Tests traces that a caller has made or changed. Frames whose text is not in the input, or not in its order, are
 * skipped and not read. */
static void test_foreign_slices(void **state)
{
    static const struct {
        uint64_t offset;
        size_t size;
    } rows[] = {{0, 0}, {sizeof text, 4}, {UINT64_MAX, 4}, {4, UINT32_MAX}, {sizeof text - 2, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed parsed;
        struct fm_buf out;
        parse(&parsed, text_of(text));
        framemap_frame *frame = &parsed.traces[0].frames[1];
        restore(frame, fm_test_chain, 2);
        frame->raw_offset = rows[i].offset;
        frame->raw.size = rows[i].size;
        assert_int_equal(print_as(&parsed, text_of(text), "text", &out), FRAMEMAP_OK);
        same_text("foreign", "text", fm_buf_view(&out), text_of(text));
        fm_buf_free(&out);
        parsed_free(&parsed);
    }
}

/* Tests texts that exceed the output buffer, either within a frame or between frames. */
static void test_long_text(void **state)
{
    struct parsed parsed;
    struct fm_heap heap;
    struct fm_buf long_text, out;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&long_text, &heap);
    for (int i = 0; i < 4000; i++) fm_buf_printf(&long_text, "#%02d pc %04x  /l/a.so\n", i, i);
    for (int i = 0; i < 4000; i++) fm_buf_str(&long_text, FM_STR("some other text of a log, forty bytes long\n"));
    fm_buf_str(&long_text, FM_STR("#00 pc 0001  /l/a.so\n"));
    parse(&parsed, fm_buf_view(&long_text));
    assert_int_equal(parsed.count, 2);
    assert_int_equal(parsed.traces[0].frame_count, 4000);
    for (size_t i = 0; i < 4000; i++) restore(&parsed.traces[0].frames[i], fm_test_symbol, 1);
    assert_int_equal(print_as(&parsed, fm_buf_view(&long_text), "text", &out), FRAMEMAP_OK);
    assert_int_equal(out.size, long_text.size + 4000 * strlen(" (outer()+24)"));
    fm_buf_free(&out);
    fm_buf_free(&long_text);
    parsed_free(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_some_restored), cmocka_unit_test(test_foreign_slices),
                                       cmocka_unit_test(test_long_text)};
    return cmocka_run_group_tests_name("formats text", tests, NULL, NULL);
}
