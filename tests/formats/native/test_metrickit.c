#include "tests/formats/formats_help.h"

#define ID "\"binaryUUID\":\"9E8D8DE6-EEC1-3199-8720-9ED68EE3F967\""
#define IDS " id:9e8d8de6eec1319987209ed68ee3f967"

static const struct text_case texts[] = {
    {"thread", "the root is the innermost frame and exact; its own members may follow those of its callers",
     "{\"callStacks\":[{\"threadAttributed\":true,\"callStackRootFrames\":[{" ID
     ",\"offsetIntoBinaryTextSegment\":16,\"sampleCount\":1,\"subFrames\":[{" ID
     ",\"offsetIntoBinaryTextSegment\":32,\"binaryName\":\"B\",\"address\":4364288032}],\"binaryName\":\"A\","
     "\"address\":4364288016}]}],\"callStackPerThread\":true}\n",
     "metrickit 1 thread:0 crashed\n- m:A absolute:0x10421c010 load:0x10421c000" IDS
     "\n- m:B absolute:0x10421c020 load:0x10421c000 return" IDS "\n"},
    {"load address", "the field holds it in reports of iOS 14 and 15",
     "{\n  \"timeStampEnd\" : \"x\",\n  \"crashDiagnostics\" : [ {\n    \"callStackTree\" : {\n      \"callStacks\" : "
     "[ {\n"
     "        \"callStackRootFrames\" : [ { " ID ", \"offsetIntoBinaryTextSegment\" : 4364288000, \"binaryName\" : "
     "\"A\", \"address\" : 4364288016 } ]\n      } ],\n      \"callStackPerThread\" : true\n    },\n"
     "    \"diagnosticMetaData\" : { \"signal\" : 11, \"exceptionType\" : 1, \"platformArchitecture\" : \"arm64\" }\n"
     "  } ]\n}\n",
     "metrickit 6 thread:0 exception:EXC_BAD_ACCESS arch:arm64\n"
     "- m:A absolute:0x10421c010 load:0x10421c000" IDS " arch:arm64\n"},
    {"samples", "each path to a leaf is a stack, outermost first where a thread begins",
     "{\"callStackTree\":{\"callStackPerThread\":false,\"callStacks\":[{\"callStackRootFrames\":[{\"binaryName\":"
     "\"dyld\","
     "\"address\":4096,\"offsetIntoBinaryTextSegment\":1,\"subFrames\":[{\"binaryName\":\"A\",\"address\":4112},"
     "{\"binaryName\":\"A\",\"address\":4128}]}]}]}}\n",
     "metrickit 1\n- m:dyld absolute:0x1000 load:0xfff return\n- m:A absolute:0x1010 unknown-image\n"
     "metrickit 1\n- m:dyld absolute:0x1000 load:0xfff return\n- m:A absolute:0x1020 unknown-image\n"},
    {"no address", "the offset alone",
     "{\"callStacks\":[{\"callStackRootFrames\":[{" ID
     ",\"offsetIntoBinaryTextSegment\":16},{\"binaryName\":\"A\"}]}]}\n",
     "metrickit 1\n- image:0x10" IDS "\n"},
    {"in a string", "collectors of OpenTelemetry keep a tree as text; another tree of the document follows",
     "{\"a\":\"{\\\"callStacks\\\":[{\\\"callStackRootFrames\\\":[{\\\"binaryName\\\":\\\"A\\\",\\\"address\\\":4112,"
     "\\\"offsetIntoBinaryTextSegment\\\":16}]}],\\n\\\"callStackPerThread\\\":true}\",\"b\":{\"callStacks\":[{"
     "\"callStackRootFrames\":[{\"binaryName\":\"B\",\"address\":4128,\"offsetIntoBinaryTextSegment\":32}]}]}}\n",
     "metrickit 1 thread:0\n- m:A absolute:0x1010 load:0x1000\nmetrickit 1\n- m:B absolute:0x1020 load:0x1000\n"},
    {"no trees", "",
     "{\"crashDiagnostics\":[]}\n{\"callStackTree\":{}}\n{\"callStacks\":1}\n{\"timeStampEnd\":\"x\"}\n"
     "{\"a\":\"\\\"callStacks\\\"\"}\n{\"a\":\"{\\\"callStacks\\\":[\\u0020]}\"}\n",
     ""},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}

static void test_members(void **state)
{
    static const char text[] =
        "{\"crashDiagnostics\":[{\"callStackTree\":{\"callStacks\":[{\"threadAttributed\":true,\"callStackRootFrames\":"
        "["
        "{\"address\":4096,\"sampleCount\":3}]}],\"callStackPerThread\":true},\"diagnosticMetaData\":{\"signal\":6,"
        "\"osVersion\":\"iPhone OS 17.1\",\"pid\":12,\"objectiveCexceptionReason\":{\"composedMessage\":\"no\"}}}]}\n";
    struct parsed parsed;
    (void)state;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 1);
    const framemap_trace *trace = &parsed.traces[0];
    same_text("members", "system", trace->os_version, FM_STR("iPhone OS 17.1"));
    same_text("members", "signal", trace->signal.name, FM_STR("SIGABRT"));
    same_text("members", "message", trace->exception_message, FM_STR("no"));
    assert_true(trace->crashed && trace->has_process_id && trace->process_id == 12);
    assert_true(trace->frames[0].extra && trace->frames[0].extra->has_count && trace->frames[0].extra->count == 3);
    parsed_free(&parsed);
}

/* Tests a stack that has the greatest number of frames that the system reports. */
static void test_depth(void **state)
{
    enum { DEPTH = 600 };
    struct fm_heap heap;
    struct fm_buf text;
    struct parsed parsed;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR("{\"callStacks\":[{\"callStackRootFrames\":[{\"address\":1"));
    for (unsigned i = 1; i < DEPTH; i++) fm_buf_printf(&text, ",\"subFrames\":[{\"address\":%u", i + 1);
    for (unsigned i = 1; i < DEPTH; i++) fm_buf_str(&text, FM_STR("}]"));
    fm_buf_str(&text, FM_STR("}]}]}\n"));
    parse(&parsed, fm_buf_view(&text));
    assert_int_equal(parsed.count, 1);
    assert_int_equal(parsed.traces[0].frame_count, DEPTH);
    assert_int_equal(parsed.traces[0].frames[DEPTH - 1].address, DEPTH);
    parsed_free(&parsed);
    fm_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_members),
                                       cmocka_unit_test(test_depth)};
    return cmocka_run_group_tests_name("formats metrickit", tests, NULL, NULL);
}
