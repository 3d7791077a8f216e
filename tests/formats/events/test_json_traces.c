/* Tests that framemap's own JSON output can be read as traces: every member that is read, lines that are skipped, and
 * each prefix of a valid file. */
#include "tests/formats/formats_help.h"

#define HEAD "{\"t\":\"head\",\"schema\":\"framemap/2\",\"framemap\":\"0.2.0\"}\n"
#define IMAGES                                                                                                      \
    "{\"t\":\"images\",\"report\":0,\"images\":[{\"name\":\"App\",\"path\":\"/a/App\",\"id\":\"0011223344556677\"," \
    "\"arch\":\"arm64\",\"load\":\"0x100000000\",\"size\":4096}]}\n"
#define TRACE                                                                                                         \
    "{\"t\":\"trace\",\"n\":3,\"report\":0,\"log\":{\"time\":\"1\",\"pid\":2,\"tag\":\"T\"},\"process\":{\"name\":"   \
    "\"p\",\"pid\":5,"                                                                                                \
    "\"os\":\"ios\"},\"thread\":{\"id\":\"4\",\"name\":\"w\",\"crashed\":true},\"exception\":{\"type\":\"E\",\"type_" \
    "raw\":\"a\","                                                                                                    \
    "\"message\":\"m\\nn\",\"raw\":\"E: "                                                                             \
    "m\",\"signal\":{\"number\":11,\"name\":\"SIGSEGV\",\"code\":-6,\"address\":\"0x4\"}},"                           \
    "\"registers\":{\"pc\":\"0x10\",\"lr\":\"0xffffffffffffffff\"},\"frames\":["
#define RESTORED                                                                                                      \
    "{\"n\":0,\"index\":7,\"kind\":\"native\",\"status\":\"ok\",\"module\":\"App\",\"module_path\":\"/a/App\","       \
    "\"address\":{\"value\":\"0x100000010\",\"mode\":\"absolute\",\"load\":\"0x100000000\",\"lookup\":"               \
    "\"0x10000000f\"},"                                                                                               \
    "\"from\":\"symbols\",\"source\":[{\"function\":\"f(int)\",\"file\":\"a.c\",\"line\":7,\"column\":3,\"inlined\":" \
    "true},"                                                                                                          \
    "{\"function\":\"g\",\"symbol\":\"_g\",\"offset\":4}]}"
#define PRINTED                                                                                                    \
    "{\"n\":1,\"kind\":\"java\",\"status\":\"missing-symbols\",\"printed\":{\"class\":\"a.b\",\"function\":\"c\"," \
    "\"file\":\"SourceFile\",\"line\":1},\"from\":\"printed\",\"source\":[{\"class\":\"a.b\"}]}"
#define MARKER "{\"n\":2,\"kind\":\"marker\",\"marker\":\"async-gap\",\"status\":\"not-needed\"}"
#define END "],\"elided\":2}\n"

static const char whole[] = HEAD IMAGES TRACE RESTORED "," PRINTED "," MARKER END
                                                       "{\"t\":\"trace\",\"n\":4,\"report\":0,\"part_of\":3,\"role\":"
                                                       "\"cause\",\"frames\":[{\"kind\":\"js\",\"from\":\"none\"}]}\n"
                                                       "{\"t\":\"end\",\"bytes\":1}\n";

#define SAME(got, want) assert_true(fm_str_equal((got), FM_STR(want)))

static void frames_of(const framemap_trace *trace)
{
    const framemap_frame *f = trace->frames;
    assert_int_equal(trace->frame_count, 4);
    SAME(f[0].function, "f(int)");
    SAME(f[0].file, "a.c");
    assert_int_equal(f[0].line, 7);
    assert_int_equal(f[0].column, 3);
    assert_true(f[0].inlined && f[0].return_address && f[0].has_load_address);
    assert_int_equal(f[0].index, 7);
    assert_int_equal(f[0].address, 0x100000010);
    SAME(f[0].module, "App");
    SAME(f[0].id, "0011223344556677"); /* this id is not in the frame, but in the list of images */
    SAME(f[1].function, "g");
    SAME(f[1].symbol, "_g");
    assert_int_equal(f[1].function_offset, 4);
    assert_int_equal(f[1].status, FRAMEMAP_FRAME_NOT_NEEDED);
    SAME(f[2].class_name, "a.b");
    SAME(f[2].function, "c");
    assert_int_equal(f[2].kind, FRAMEMAP_KIND_JAVA);
    /* When this file was written, the symbols did not have the frame. Other symbols may have it, so it is to be
     * restored again. */
    assert_int_equal(f[2].status, FRAMEMAP_FRAME_RAW);
    assert_int_equal(f[3].marker, FRAMEMAP_MARKER_ASYNC_GAP);
}

static void every_member(void **state)
{
    struct parsed parsed;
    (void)state;
    parse(&parsed, text_of(whole));
    assert_int_equal(parsed.count, 2);
    const framemap_trace *trace = &parsed.traces[0];
    SAME(trace->format, "json");
    SAME(trace->thread_id, "4");
    SAME(trace->thread_name, "w");
    assert_true(trace->crashed && trace->lists_images);
    SAME(trace->exception_type, "E");
    SAME(trace->exception_message, "m\nn");
    assert_int_equal(trace->signal.number, 11);
    assert_int_equal(trace->signal.code, -6);
    assert_int_equal(trace->signal.address, 4);
    SAME(trace->process_name, "p");
    assert_int_equal(trace->process_id, 5);
    SAME(trace->log.tag, "T");
    assert_int_equal(trace->register_count, 2);
    assert_true(trace->registers[1].value == UINT64_MAX);
    assert_int_equal(trace->elided, 2);
    assert_int_equal(trace->image_count, 1);
    frames_of(trace);
    assert_int_equal(parsed.traces[1].role, FRAMEMAP_ROLE_CAUSE);
    assert_int_equal(parsed.traces[1].part_of, trace->number);
    parsed_free(&parsed);
}

/* Tests lines that are not records, and records that cannot be read. */
static void what_is_skipped(void **state)
{
    static const char *const lines[] = {HEAD,
                                        "{\"t\":\"trace\",\"n\":0}\n",
                                        "{\"t\":\"trace\",\"frames\":[]}\n",
                                        "{\"t\":\"trace\",\"frames\":{}}\n",
                                        "{\"t\":\"trace\",\"frames\":[1,\"x\",null]}\n",
                                        "{\"t\":\"trace\",\"frames\":[{]}\n",
                                        "{\"t\":\"trace\",\n",
                                        "x {\"t\":\"trace\",\"frames\":[{\"kind\":\"js\"}]}\n",
                                        "{\"t\":\"images\",\"images\":3}\n",
                                        "{\"t\":\"end\",\"bytes\":0}\n"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct parsed parsed;
        parse(&parsed, text_of(lines[i]));
        if (parsed.count) fail_msg("%s: %zu traces", lines[i], parsed.count);
        parsed_free(&parsed);
    }
}

/* Tests a JSON document in which the records are elements of a list. */
static void within_a_document(void **state)
{
    static const char text[] = "{\"schema\":\"framemap/2\",\"framemap\":\"0.2.0\",\"records\":[\n" TRACE PRINTED
                               "]}\n," TRACE PRINTED "]}\n,{\"t\":\"end\",\"bytes\":1}\n]}\n";
    struct parsed parsed;
    (void)state;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 2);
    parsed_free(&parsed);
}

static void each_prefix(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof whole; size++) {
        struct parsed parsed;
        parse(&parsed, fm_str(whole, size));
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        assert_true(parsed.count <= 2);
        parsed_free(&parsed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_member), cmocka_unit_test(what_is_skipped),
                                       cmocka_unit_test(within_a_document), cmocka_unit_test(each_prefix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
