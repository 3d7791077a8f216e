#include "tests/formats/formats_help.h"

#define HEADER \
    "{\"app_name\":\"Shop\",\"bug_type\":\"309\",\"os_version\":\"iPhone OS 17.1 (21B74)\",\"incident_id\":\"A-1\"}\n"
#define IMAGES                                                                                                        \
    "\"usedImages\":[{\"base\":4364288000,\"size\":32768,\"uuid\":\"01D2A9D5-1F8A-35C8-9228-7C7CCA13C5FC\","          \
    "\"arch\":\"arm64\",\"path\":\"\\/var\\/Shop.app\\/Shop\",\"name\":\"Shop\"},{\"base\":7516192768,\"size\":4096," \
    "\"path\":\"/usr/lib/libobjc.A.dylib\",\"uuid\":\"[REDACTED]\"},{\"size\":0,\"source\":\"A\",\"base\":0,"         \
    "\"uuid\":\"00000000-0000-0000-0000-000000000000\"}]"
#define SHOP_ID " id:01d2a9d51f8a35c892287c7cca13c5fc arch:arm64"

static const struct text_case texts[] = {
    {"report", "header, exception, threads and images; the top frame is exact",
     HEADER "{\n  \"procName\" : \"Shop\",\n  \"pid\" : 12,\n  \"cpuType\" : \"ARM-64\",\n"
            "  \"exception\" : {\"codes\":\"0x1, 0x0\",\"type\":\"EXC_BAD_ACCESS\",\"signal\":\"SIGSEGV\","
            "\"subtype\":\"KERN_INVALID_ADDRESS at 0x0000000000000010\"},\n"
            "  \"faultingThread\" : 1,\n"
            "  \"threads\" : [{\"id\":7,\"name\":\"worker\",\"frames\":[{\"imageOffset\":16,\"imageIndex\":1}]},\n"
            "    {\"triggered\":true,\"id\":8,\"queue\":\"com.apple.main-thread\",\"frames\":[\n"
            "      {\"imageOffset\":8208,\"imageIndex\":0},\n"
            "      {\"imageOffset\":24,\"symbol\":\"objc_msgSend\",\"symbolLocation\":8,\"imageIndex\":1},\n"
            "      {\"imageOffset\":18446744073709551615,\"imageIndex\":2}]}],\n  " IMAGES "\n}\n",
     "apple-ips 8 thread:worker arch:arm64\n#0 m:libobjc.A.dylib absolute:0x1c0000010 load:0x1c0000000\n"
     "apple-ips 10 thread:com.apple.main-thread exception:EXC_BAD_ACCESS (SIGSEGV) arch:arm64 crashed\n"
     "#0 m:Shop absolute:0x10421e010 load:0x10421c000" SHOP_ID "\n"
     "#1 m:libobjc.A.dylib absolute:0x1c0000018 load:0x1c0000000 return f:objc_msgSend+8\n"
     "#2 m:??? absolute:0xffffffffffffffff return unknown-image\n"},
    {"inlined frames", "all of a run are at one address, and need no symbols",
     "{\"threads\":[{\"frames\":[{\"imageOffset\":8208,\"symbol\":\"inner\",\"symbolLocation\":0,\"inline\":true,"
     "\"imageIndex\":0,\"sourceFile\":\"a.swift\",\"sourceLine\":7},{\"imageOffset\":8208,\"symbol\":\"outer\","
     "\"symbolLocation\":24,\"imageIndex\":0},{\"imageOffset\":8212,\"imageIndex\":0}]}]," IMAGES "}\n",
     "apple-ips 1 thread:0\n#0 m:Shop absolute:0x10421e010 load:0x10421c000" SHOP_ID
     " f:inner+0 at:a.swift:7 not-needed\n"
     "#1 m:Shop absolute:0x10421e010 load:0x10421c000" SHOP_ID " f:outer+24 not-needed\n"
     "#2 m:Shop absolute:0x10421e014 load:0x10421c000 return" SHOP_ID "\n"},
    {"exception", "all its addresses are return addresses; the frame after _sigtramp is exact",
     "{\"lastExceptionBacktrace\":[{\"imageOffset\":8208,\"imageIndex\":0}],\"threads\":[{\"frames\":["
     "{\"imageOffset\":1,\"imageIndex\":1},{\"imageOffset\":2,\"symbol\":\"_sigtramp\",\"imageIndex\":1},"
     "{\"imageOffset\":3,\"imageIndex\":1}]}],\"exception\":{\"type\":\"EXC_CRASH\"}," IMAGES "}\n",
     "apple-ips 1 thread:Last Exception Backtrace exception:EXC_CRASH crashed\n"
     "#0 m:Shop absolute:0x10421e010 load:0x10421c000 return" SHOP_ID "\n"
     "apple-ips 1 thread:0\n#0 m:libobjc.A.dylib absolute:0x1c0000001 load:0x1c0000000\n"
     "#1 m:libobjc.A.dylib absolute:0x1c0000002 load:0x1c0000000 return f:_sigtramp\n"
     "#2 m:libobjc.A.dylib absolute:0x1c0000003 load:0x1c0000000\n"},
    {"pretty", "one object that is header and report, and other names",
     "Report:\n{\n  \"app_name\" : \"Shop\",\n  \"bug_type\" : \"309\",\n  \"threads\" : [ {\n    \"frames\" : [ {\n"
     "      \"imageOffset\" : 16,\n      \"imageIndex\" : 0\n    } ]\n  } ],\n  \"binaryImages\" : [ {\n"
     "    \"base\" : 4096,\n    \"size\" : 8192,\n    \"path\" : \"/a/b/Shop\"\n  } ]\n}\n",
     "apple-ips 6 thread:0\n#0 m:Shop absolute:0x1010 load:0x1000\n"},
    {"translated", "the text above reports the same crash: it is reported once",
     "-------------------------------------\nTranslated Report (Full Report Below)\n"
     "-------------------------------------\n\nProcess: Shop [12]\n\nThread 0 Crashed:\n"
     "0   Shop   0x10421e010 0x10421c000 + 8208\n\nBinary Images:\n0x10421c000 - 0x104223fff Shop (1.0) "
     "<01d2a9d5-1f8a-35c8-9228-7c7cca13c5fc> /var/Shop\n\nEOF\n\n-----------\nFull Report\n-----------\n\n" HEADER
     "{\"threads\":[{\"triggered\":true,\"frames\":[{\"imageOffset\":8208,\"imageIndex\":0}]}]," IMAGES "}\n",
     "apple-ips 20 thread:0 crashed\n#0 m:Shop absolute:0x10421e010 load:0x10421c000" SHOP_ID "\n"},
    {"translated only", "the text alone is still a report",
     "Translated Report (Full Report Below)\nProcess: Shop [12]\nThread 0 Crashed:\n"
     "0   Shop   0x10421e010 0x10421c000 + 8208\n",
     "apple-crash 4 thread:0 crashed\n#0 m:Shop absolute:0x10421e010 load:0x10421c000\n"},
    {"older header", "the header alone, above a report as text",
     HEADER "Process: Shop [12]\nThread 0 Crashed:\n0   Shop   0x10421e010 0x10421c000 + 8208\n",
     "apple-crash 4 thread:0 crashed\n#0 m:Shop absolute:0x10421e010 load:0x10421c000\n"},
    {"other documents", "no frames, no images, not JSON",
     "{\"threads\":[{\"frames\":[{\"imageIndex\":0}]}]}\n{\"usedImages\":[]}\n{\"threads\":{}}\n"
     "{\"threads\":[{\"frames\":[{\"imageOffset\":-1}]}],\n\"usedImages\":[}]}\n{\"bug_type\":\"309\"}\n",
     ""},
    {"backtraces", "strings of rows, as callStackSymbols gives them",
     "{\"asiBacktraces\":[\"0   CoreFoundation   0x00000001c04df718 f + 160\\n1   Shop   0x000000010421e010 Shop + "
     "8208\"],"
     "\"threads\":[{\"frames\":[{\"imageOffset\":16,\"imageIndex\":1}]}]," IMAGES "}\n",
     "apple-symbols 1 thread:Application Specific Backtrace\n#0 m:CoreFoundation absolute:0x1c04df718 return f:f+160\n"
     "#1 m:Shop absolute:0x10421e010 load:0x10421c000 return" SHOP_ID "\n"
     "apple-ips 1 thread:0\n#0 m:libobjc.A.dylib absolute:0x1c0000010 load:0x1c0000000\n"},
    {"no images", "offsets alone are addresses in no image",
     "{\"threads\":[{\"frames\":[{\"imageOffset\":16,\"imageIndex\":0,\"sourceLine\":0}]}],\"usedImages\":[]}\n",
     "apple-ips 1 thread:0\n#0 m:??? absolute:0x10 unknown-image\n"},
};

static const struct text_case looks[] = {
    {"compact", "inlined functions become objects before it",
     "{\"threads\":[{\"frames\":[{\"imageOffset\":8208,\"imageIndex\":0}]}]," IMAGES "}\n",
     "{\"threads\":[{\"frames\":[{\"imageOffset\":8208,\"imageIndex\":0,\"symbol\":\"inner(int)\",\"symbolLocation\":0,"
     "\"sourceFile\":\"a.cc\",\"sourceLine\":7,\"inline\":true},{\"imageOffset\":8208,\"imageIndex\":0,\"symbol\":"
     "\"outer()\",\"sourceFile\":\"a.cc\",\"sourceLine\":21}]}]," IMAGES "}\n"},
    {"pretty", "members keep the style of the object, and their place",
     "{\n  \"threads\" : [ {\n    \"frames\" : [ {\n      \"symbol\" : \"\\\"x\\\"\",\n      \"symbolLocation\" : 5,\n"
     "      \"imageOffset\" : 8208,\n      \"imageIndex\" : 0\n    } ]\n  } ],\n  " IMAGES "\n}\n",
     "{\n  \"threads\" : [ {\n    \"frames\" : [ {\n      \"symbol\" : \"inner(int)\",\n      \"symbolLocation\" : 0,\n"
     "      \"imageOffset\" : 8208,\n      \"imageIndex\" : 0,\n      \"sourceFile\" : \"a.cc\",\n"
     "      \"sourceLine\" : 7,\n      \"inline\" : true\n    }, {\n      \"symbol\" : \"outer()\",\n"
     "      \"symbolLocation\" : 5,\n      \"imageOffset\" : 8208,\n      \"imageIndex\" : 0,\n"
     "      \"sourceFile\" : \"a.cc\",\n      \"sourceLine\" : 21\n    } ]\n  } ],\n  " IMAGES "\n}\n"},
};
static const struct text_case symbol_looks[] = {
    {"symbol", "without a file", "{\"threads\":[{\"frames\":[{\"imageOffset\":8208, \"imageIndex\":0}]}]," IMAGES "}\n",
     "{\"threads\":[{\"frames\":[{\"imageOffset\":8208, \"imageIndex\":0, \"symbol\":\"outer()\", "
     "\"symbolLocation\":24}]}]," IMAGES "}\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
    check_looks(symbol_looks, sizeof symbol_looks / sizeof *symbol_looks, fm_test_symbol, 1);
}

/* Tests the members of a trace, besides its frames, that are read from a report. */
static void test_members(void **state)
{
    static const char text[] = HEADER
        "{\"procName\":\"Shop\",\"pid\":12,\"termination\":{\"namespace\":\"SIGNAL\",\"code\":11},"
        "\"asi\":{\"libsystem_c.dylib\":[\"abort() called\",\"again\"],\"b\":[\"c\"]},"
        "\"exception\":{\"type\":\"EXC_BAD_ACCESS\",\"signal\":\"SIGSEGV\",\"codes\":\"0x1\","
        "\"subtype\":\"KERN_INVALID_ADDRESS at 0x10\"},\"exceptionReason\":{\"composed_message\":\"no\\n such\"},"
        "\"threads\":[{\"triggered\":true,\"name\":\"n\",\"queue\":\"q\",\"threadState\":{\"flavor\":\"ARM\","
        "\"x\":[{\"value\":1},{\"value\":18446744073709551615}],\"pc\":{\"value\":3}},\"frames\":["
        "{\"imageOffset\":8208,\"imageIndex\":0}]},{\"frames\":[{\"imageOffset\":1,\"imageIndex\":1}]}]," IMAGES "}\n";
    struct parsed parsed;
    (void)state;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 2);
    const framemap_trace *trace = &parsed.traces[0];
    const struct {
        const char *what;
        framemap_str got, want;
    } strings[] = {{"process", trace->process_name, FM_STR("Shop")},
                   {"system", trace->os_version, FM_STR("iPhone OS 17.1 (21B74)")},
                   {"thread", trace->thread_id, FM_STR("0")},
                   {"name", trace->thread_name, FM_STR("n")},
                   {"queue", trace->thread_queue, FM_STR("q")},
                   {"type", trace->exception_type, FM_STR("EXC_BAD_ACCESS")},
                   {"codes", trace->mach_codes, FM_STR("KERN_INVALID_ADDRESS at 0x10")},
                   {"signal", trace->signal.name, FM_STR("SIGSEGV")},
                   {"message", trace->exception_message, FM_STR("no\n such")},
                   {"abort message", trace->abort_message, FM_STR("abort() called\nagain\nc")},
                   {"register", trace->registers[1].name, FM_STR("x1")},
                   {"path", trace->frames[0].module_path, FM_STR("/var/Shop.app/Shop")},
                   {"path of an image", trace->images[1].path, FM_STR("/usr/lib/libobjc.A.dylib")},
                   {"the other thread", parsed.traces[1].exception_type, FM_STR("")}};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        same_text("members", strings[i].what, strings[i].got, strings[i].want);
    assert_true(trace->has_process_id && trace->process_id == 12 && trace->crashed && !parsed.traces[1].crashed);
    assert_true(trace->signal.has_number && trace->signal.number == 11);
    assert_true(trace->signal.has_address && trace->signal.address == 16);
    assert_int_equal(trace->register_count, 3);
    assert_true(trace->registers[1].value == UINT64_MAX && trace->registers[2].value == 3);
    assert_int_equal(parsed.traces[1].register_count, 0);
    assert_int_equal(trace->image_count, 3);
    assert_true(trace->frames[0].has_image && trace->frames[0].image == 0);
    assert_true(parsed.traces[1].frames[0].has_image && parsed.traces[1].frames[0].image == 1);
    parsed_free(&parsed);
}

/* Tests why the system ended a process, if it was not for a signal. */
static void test_termination(void **state)
{
    static const struct {
        const char *termination, *want;
    } reasons[] = {
        {"{\"namespace\":\"FRONTBOARD\",\"code\":2343432205,\"reasons\":[\"<RBSTerminateContext| domain:10>\",\"b\"],"
         "\"details\":[\"d\"]}",
         "<RBSTerminateContext| domain:10>\nb"},
        {"{\"namespace\":\"DYLD\",\"code\":1,\"indicator\":\"Library missing\",\"details\":[\"at launch\"]}",
         "at launch"},
        {"{\"namespace\":\"CODESIGNING\",\"code\":2,\"indicator\":\"Invalid Page\"}", "Invalid Page"},
        {"{\"namespace\":\"SIGNAL\",\"code\":9,\"indicator\":\"Killed: 9\"}", ""},
        {"[\"reasons\"]", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        char text[1024];
        struct parsed parsed;
        (void)snprintf(
            text, sizeof text,
            HEADER "{\"termination\":%s,\"exception\":{\"type\":\"EXC_CRASH\",\"signal\":\"SIGKILL\"},"
                   "\"threads\":[{\"triggered\":true,\"frames\":[{\"imageOffset\":1,\"imageIndex\":1}]}]," IMAGES "}\n",
            reasons[i].termination);
        parse(&parsed, text_of(text));
        assert_int_equal(parsed.count, 1);
        same_text("termination", reasons[i].termination, parsed.traces[0].abort_message, text_of(reasons[i].want));
        parsed_free(&parsed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks),
                                       cmocka_unit_test(test_members), cmocka_unit_test(test_termination)};
    return cmocka_run_group_tests_name("formats apple-ips", tests, NULL, NULL);
}
