#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

static const framemap_frame chain[] = {
    {.function = {"inner(int)", 10},
     .symbol = {"_Z5inneri", 9},
     .file = {"src/a.cc", 8},
     .line = 7,
     .column = 3,
     .inlined = true},
    {.function = {"outer()", 7}, .symbol = {"_Z5outerv", 9}, .file = {"src/a.cc", 8}, .line = 21}};
static const framemap_frame_list other = {chain + 1, 1};

static void check(framemap_trace *trace, const char *want)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(fm_formats_print((framemap_str){NULL, 0}, trace, 1, "json", &heap, gather, &out, NULL),
                     FRAMEMAP_OK);
    same_text(want, "JSON", fm_buf_view(&out), text_of(want));
    fm_buf_free(&out);
}

/* The object of docs/formats.md, member by member. */
static void test_shape(void **state)
{
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE,
                            .status = FRAMEMAP_FRAME_OK,
                            .index = 0,
                            .raw = FM_STR("    #00 pc 4f0c4"),
                            .module = FM_STR("libapp.so"),
                            .id = FM_STR("77e6f9"),
                            .has_address = true,
                            .address = 0x4f0c4,
                            .restored = {chain, 2}};
    framemap_trace trace = {.format = FM_STR("android-tombstone"),
                            .thread = FM_STR("main"),
                            .exception = FM_STR("signal 6"),
                            .line = 12,
                            .frames = &frame,
                            .frame_count = 1};
    (void)state;
    check(&trace, "{\"format\":\"android-tombstone\",\"thread\":\"main\",\"exception\":\"signal 6\",\"line\":12,"
                  "\"frames\":[{\"index\":0,\"raw\":\"    #00 pc "
                  "4f0c4\",\"kind\":\"native\",\"status\":\"ok\",\"module\":\"libapp.so\",\"id\":\"77e6f9\","
                  "\"address\":\"0x4f0c4\","
                  "\"frames\":[{\"function\":\"inner(int)\",\"symbol\":\"_Z5inneri\",\"file\":\"src/"
                  "a.cc\",\"line\":7,\"column\":3,\"inlined\":true},"
                  "{\"function\":\"outer()\",\"symbol\":\"_Z5outerv\",\"file\":\"src/a.cc\",\"line\":21}]}]}\n");
}

static void test_absent(void **state)
{
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE,
                            .status = FRAMEMAP_FRAME_MISSING_SYMBOLS,
                            .index = -1,
                            .raw = FM_STR("a \"b\"\t\xff")};
    framemap_trace trace = {.format = FM_STR("glibc"), .frames = &frame, .frame_count = 1};
    (void)state;
    check(&trace, "{\"format\":\"glibc\",\"frames\":[{\"raw\":\"a "
                  "\\\"b\\\"\\t\xEF\xBF\xBD\",\"kind\":\"native\",\"status\":\"missing-symbols\"}]}\n");
}

/* A reason that begins with a machine-readable word is also given by that word. */
static void test_why(void **state)
{
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE,
                            .status = FRAMEMAP_FRAME_MISSING_SYMBOLS,
                            .reason = "over-memory: too big",
                            .index = -1,
                            .raw = FM_STR("r")};
    framemap_trace trace = {.format = FM_STR("x"), .frames = &frame, .frame_count = 1};
    (void)state;
    check(&trace, "{\"format\":\"x\",\"frames\":[{\"raw\":\"r\",\"kind\":\"native\",\"status\":\"missing-symbols\","
                  "\"why\":\"over-memory\",\"reason\":\"over-memory: too big\"}]}\n");
}

/* A frame that needs no symbols gives its function and location itself; one with several answers lists the others. */
static void test_found_and_ambiguous(void **state)
{
    framemap_frame frames[] = {{.kind = FRAMEMAP_KIND_NATIVE,
                                .status = FRAMEMAP_FRAME_NOT_NEEDED,
                                .index = 1,
                                .raw = FM_STR("r"),
                                .function = FM_STR("f"),
                                .file = FM_STR("a.c"),
                                .line = 3},
                               {.kind = FRAMEMAP_KIND_NATIVE,
                                .status = FRAMEMAP_FRAME_AMBIGUOUS,
                                .index = 2,
                                .raw = FM_STR("r"),
                                .restored = {chain, 1},
                                .alternatives = &other,
                                .alternative_count = 1}};
    framemap_trace trace = {.format = FM_STR("x"), .frames = frames, .frame_count = 2};
    (void)state;
    check(&trace, "{\"format\":\"x\",\"frames\":[{\"index\":1,\"raw\":\"r\",\"kind\":\"native\",\"status\":\"not-"
                  "needed\",\"frames\":[{\"function\":\"f\",\"file\":\"a.c\",\"line\":3}]},"
                  "{\"index\":2,\"raw\":\"r\",\"kind\":\"native\",\"status\":\"ambiguous\","
                  "\"frames\":[{\"function\":\"inner(int)\",\"symbol\":\"_Z5inneri\",\"file\":\"src/"
                  "a.cc\",\"line\":7,\"column\":3,\"inlined\":true}],"
                  "\"alternatives\":[[{\"function\":\"outer()\",\"symbol\":\"_Z5outerv\",\"file\":\"src/"
                  "a.cc\",\"line\":21}]]}]}\n");
}

/* Java frames keep their printed strings; hidden ones are marked; classes outside of frames are listed separately, and
 * replaced in the exception. */
static void test_java(void **state)
{
    static const char exception[] = "a.b: class a.c";
    static const framemap_frame source[] = {
        {.class_name = {"x.Y", 3}, .function = {"f", 1}, .symbol = {"void f()", 8}, .file = {"Y.kt", 4}, .line = 7}};
    framemap_frame frames[] = {{.kind = FRAMEMAP_KIND_JAVA,
                                .status = FRAMEMAP_FRAME_OK,
                                .index = -1,
                                .raw = FM_STR("at a.b.c(PG:1)"),
                                .class_name = FM_STR("a.b"),
                                .function = FM_STR("c"),
                                .file = FM_STR("PG"),
                                .line = 1,
                                .restored = {source, 1}},
                               {.kind = FRAMEMAP_KIND_JAVA,
                                .status = FRAMEMAP_FRAME_OK,
                                .reason = "why",
                                .index = -1,
                                .raw = FM_STR("at a.b.d()"),
                                .class_name = FM_STR("a.b"),
                                .function = FM_STR("d")}};
    framemap_mention mentions[] = {{.raw = {exception, 3}, .exception = true, .restored = FM_STR("x.Fault")},
                                   {.raw = {exception + 11, 3}, .restored = FM_STR("x.Y")},
                                   {.raw = FM_STR("a.d"), .before_frame = 2}};
    framemap_trace trace = {.format = FM_STR("java"),
                            .exception = FM_STR(""),
                            .line = 2,
                            .frames = frames,
                            .frame_count = 2,
                            .mentions = mentions,
                            .mention_count = 3};
    trace.exception = (framemap_str){exception, sizeof exception - 1};
    (void)state;
    check(&trace,
          "{\"format\":\"java\",\"exception\":\"x.Fault: class x.Y\",\"line\":2,\"frames\":["
          "{\"raw\":\"at "
          "a.b.c(PG:1)\",\"kind\":\"java\",\"status\":\"ok\",\"class\":\"a.b\",\"function\":\"c\",\"file\":\"PG\","
          "\"line\":1,"
          "\"frames\":[{\"class\":\"x.Y\",\"function\":\"f\",\"symbol\":\"void f()\",\"file\":\"Y.kt\",\"line\":7}]},"
          "{\"raw\":\"at "
          "a.b.d()\",\"kind\":\"java\",\"status\":\"ok\",\"reason\":\"why\",\"class\":\"a.b\",\"function\":\"d\","
          "\"hidden\":true}],"
          "\"classes\":[{\"raw\":\"a.b\",\"class\":\"x.Fault\",\"exception\":true},{\"raw\":\"a.c\",\"class\":\"x.Y\"},"
          "{\"raw\":\"a.d\",\"before\":2}]}\n");
}

/* JavaScript frames give the source of their function name, and source lines if requested. */
static void test_script(void **state)
{
    static const framemap_frame source[] = {{.function = {"deep", 4},
                                             .function_origin = FRAMEMAP_FUNCTION_CALLER,
                                             .name = {"x", 1},
                                             .file = {"a.ts", 4},
                                             .line = 2,
                                             .column = 3,
                                             .ignored = true,
                                             .context = {"one\r\n  \"two\"", 12},
                                             .context_line = 1}};
    framemap_frame frame = {.kind = FRAMEMAP_KIND_JS,
                            .status = FRAMEMAP_FRAME_OK,
                            .index = -1,
                            .raw = FM_STR("at a.js:1:9"),
                            .file = FM_STR("a.js"),
                            .line = 1,
                            .column = 9,
                            .restored = {source, 1}};
    framemap_trace trace = {.format = FM_STR("js-v8"), .line = 1, .frames = &frame, .frame_count = 1};
    (void)state;
    check(&trace, "{\"format\":\"js-v8\",\"line\":1,\"frames\":[{\"raw\":\"at "
                  "a.js:1:9\",\"kind\":\"js\",\"status\":\"ok\",\"file\":\"a.js\",\"line\":1,\"column\":9,"
                  "\"frames\":[{\"function\":\"deep\",\"function_from\":\"caller\",\"name\":\"x\",\"file\":\"a.ts\","
                  "\"line\":2,\"column\":3,\"ignored\":true,"
                  "\"context\":{\"line\":1,\"lines\":[\"one\",\"  \\\"two\\\"\"]}}]}]}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shape),  cmocka_unit_test(test_java),
                                       cmocka_unit_test(test_script), cmocka_unit_test(test_absent),
                                       cmocka_unit_test(test_why),    cmocka_unit_test(test_found_and_ambiguous)};
    return cmocka_run_group_tests_name("formats json", tests, NULL, NULL);
}
