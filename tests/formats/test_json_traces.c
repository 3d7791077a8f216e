#include "formats_help.h"

static const framemap_frame chain[] = {
    {.function = {"inner(int)", 10}, .symbol = {"_Z5inneri", 9}, .file = {"src/a.cc", 8}, .line = 7, .column = 3, .inlined = true},
    {.function = {"outer()", 7}, .symbol = {"_Z5outerv", 9}, .file = {"src/a.cc", 8}, .line = 21}};
static const framemap_frame_list other = {chain + 1, 1};

static void check(framemap_trace *trace, const char *want)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(fm_formats_print((framemap_str){NULL, 0}, trace, 1, "json", &heap, gather, &out, NULL), FRAMEMAP_OK);
    same_text(want, "JSON", fm_buf_view(&out), text_of(want));
    fm_buf_free(&out);
}

/* The object of docs/formats.md, member by member. */
static void test_shape(void **state)
{
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE, .status = FRAMEMAP_FRAME_OK, .index = 0, .raw = FM_STR("    #00 pc 4f0c4"), .module = FM_STR("libapp.so"),
                            .id = FM_STR("77e6f9"), .has_address = true, .address = 0x4f0c4, .restored = {chain, 2}};
    framemap_trace trace = {.format = FM_STR("android-tombstone"), .thread = FM_STR("main"), .exception = FM_STR("signal 6"), .line = 12, .frames = &frame, .frame_count = 1};
    (void)state;
    check(&trace,
          "{\"format\":\"android-tombstone\",\"thread\":\"main\",\"exception\":\"signal 6\",\"line\":12,"
          "\"frames\":[{\"index\":0,\"raw\":\"    #00 pc 4f0c4\",\"kind\":\"native\",\"status\":\"ok\",\"module\":\"libapp.so\",\"id\":\"77e6f9\",\"address\":\"0x4f0c4\","
          "\"frames\":[{\"function\":\"inner(int)\",\"symbol\":\"_Z5inneri\",\"file\":\"src/a.cc\",\"line\":7,\"column\":3,\"inlined\":true},"
          "{\"function\":\"outer()\",\"symbol\":\"_Z5outerv\",\"file\":\"src/a.cc\",\"line\":21}]}]}\n");
}

static void test_absent(void **state)
{
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE, .status = FRAMEMAP_FRAME_MISSING_SYMBOLS, .index = -1, .raw = FM_STR("a \"b\"\t\xff")};
    framemap_trace trace = {.format = FM_STR("glibc"), .frames = &frame, .frame_count = 1};
    (void)state;
    check(&trace, "{\"format\":\"glibc\",\"frames\":[{\"raw\":\"a \\\"b\\\"\\t\xEF\xBF\xBD\",\"kind\":\"native\",\"status\":\"missing-symbols\"}]}\n");
}

/* What needs no symbols says its function and place itself; what has several answers lists the others. */
static void test_found_and_ambiguous(void **state)
{
    framemap_frame frames[] = {
        {.kind = FRAMEMAP_KIND_NATIVE, .status = FRAMEMAP_FRAME_NOT_NEEDED, .index = 1, .raw = FM_STR("r"), .function = FM_STR("f"), .file = FM_STR("a.c"), .line = 3},
        {.kind = FRAMEMAP_KIND_NATIVE, .status = FRAMEMAP_FRAME_AMBIGUOUS, .index = 2, .raw = FM_STR("r"), .restored = {chain, 1}, .alternatives = &other, .alternative_count = 1}};
    framemap_trace trace = {.format = FM_STR("x"), .frames = frames, .frame_count = 2};
    (void)state;
    check(&trace,
          "{\"format\":\"x\",\"frames\":[{\"index\":1,\"raw\":\"r\",\"kind\":\"native\",\"status\":\"not-needed\",\"frames\":[{\"function\":\"f\",\"file\":\"a.c\",\"line\":3}]},"
          "{\"index\":2,\"raw\":\"r\",\"kind\":\"native\",\"status\":\"ambiguous\","
          "\"frames\":[{\"function\":\"inner(int)\",\"symbol\":\"_Z5inneri\",\"file\":\"src/a.cc\",\"line\":7,\"column\":3,\"inlined\":true}],"
          "\"alternatives\":[[{\"function\":\"outer()\",\"symbol\":\"_Z5outerv\",\"file\":\"src/a.cc\",\"line\":21}]]}]}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shape), cmocka_unit_test(test_absent), cmocka_unit_test(test_found_and_ambiguous)};
    return cmocka_run_group_tests_name("formats json", tests, NULL, NULL);
}
