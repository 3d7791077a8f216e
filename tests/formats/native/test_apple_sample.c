#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"sample", "each path to a leaf is a stack; leaves are exact",
     "Process:         Shop [12]\nCode Type:       ARM64\n\nCall graph:\n"
     "    24 Thread_7   DispatchQueue_1: com.apple.main-thread  (serial)\n"
     "    + 24 start  (in dyld) + 462  [0x111e8b51e]\n"
     "    +   20 ???  (in Shop)  load address 0x10cd17000 + 0x3e30  [0x10cd1ae30]\n"
     "    +   ! 19 main  (in Shop) + 12  [0x10cd1ad9a]  main.cc:27\n"
     "    +   4 -[A b: c:]  (in Shop (old)) + 4,8,...  [0x10cd1adef,0x10cd1adf3,...]\n"
     "    3 Thread_8: worker\n      3 ???  [0x10]\n",
     "apple-sample 6 thread:com.apple.main-thread arch:arm64\n"
     "- m:dyld absolute:0x111e8b51e return arch:arm64 f:start+462\n"
     "- m:Shop absolute:0x10cd1ae30 load:0x10cd17000 return arch:arm64\n"
     "- m:Shop absolute:0x10cd1ad9a arch:arm64 f:main+12 at:main.cc:27 not-needed\n"
     "apple-sample 6 thread:com.apple.main-thread arch:arm64\n"
     "- m:dyld absolute:0x111e8b51e return arch:arm64 f:start+462\n"
     "- m:Shop (old) absolute:0x10cd1adef arch:arm64 f:-[A b: c:]+4\n"
     "apple-sample 11 thread:worker arch:arm64\n- m:??? absolute:0x10 arch:arm64 unknown-image\n"},
    {"images", "they follow the graph",
     "    24 Thread_7\n    24 ???  (in Shop)  load address 0x1000 + 0x10  [0x1010]\n\nBinary Images:\n"
     "            0x1000 -             0x1fff +Shop (0) <01D2A9D5-1F8A-35C8-9228-7C7CCA13C5FC> /a/Shop\n",
     "apple-sample 2 thread:7\n- m:Shop absolute:0x1010 load:0x1000 id:01d2a9d51f8a35c892287c7cca13c5fc\n"},
    {"spindump of Mac OS X 10.6", "a word before the image",
     "  User stack:\n    9 ??? (in Shop + 32) [0x2020]\n      9 f + 1 (in libx.dylib) [0x3030]\n",
     "apple-spindump 2\n- m:Shop absolute:0x2020 load:0x2000 return\n- m:libx.dylib absolute:0x3030 f:f+1\n"},
    {"spindump", "kernel frames, states, places; a signal interrupts at an exact address",
     "Process:          Shop [12]\nArchitecture:     x86_64\n\n"
     "  Thread 0x3316    DispatchQueue \"com.apple.main-thread\"(1)    Thread name \"ui\"    9 samples (1-9)\n"
     "  9  start + 1 (libdyld.dylib + 16) [0x1010]\n    8  main + 294 (main.cc:276,6 in Shop (1) + 32) [0x10e020]\n"
     "     *8  ??? (kernel + 1) [0xffffff8000200001] (running)\n    1    ??? [0x4800047383]\n",
     "apple-spindump 5 thread:ui arch:x86_64\n- m:libdyld.dylib absolute:0x1010 load:0x1000 return arch:x86_64 "
     "f:start+1\n"
     "- m:Shop (1) absolute:0x10e020 load:0x10e000 return arch:x86_64 f:main+294 at:main.cc:276:6 not-needed\n"
     "- m:kernel absolute:0xffffff8000200001 load:0xffffff8000200000 arch:x86_64\n"
     "apple-spindump 5 thread:ui arch:x86_64\n- m:libdyld.dylib absolute:0x1010 load:0x1000 return arch:x86_64 "
     "f:start+1\n"
     "- m:??? absolute:0x4800047383 arch:x86_64 unknown-image\n"},
    {"heaviest stack", "rows without an indent call the next",
     "Heaviest stack for the main thread of the target process:\n  9  start + 1 (dyld + 16) [0x1010]\n"
     "  9  ??? (Shop + 32) [0x2020]\n",
     "apple-spindump 2 thread:Heaviest stack for the main thread of the target process\n"
     "- m:dyld absolute:0x1010 load:0x1000 return f:start+1\n"
     "- m:Shop absolute:0x2020 load:0x2000\n"},
    {"disk writes", "rows may have no address; each process has a graph",
     "Command: Shop\nHeaviest stack for the target process:\n  11  ??? (dyld + 16)\n  11  f + 1 (Shop + 32)\n\n"
     "Powerstats for:   Shop [12]\n  9  start + 1 (dyld + 16) [0x1010]\n    9  <Kernel mode>\n",
     "apple-spindump 3 thread:Heaviest stack for the target process\n- m:dyld image:0x10 return\n"
     "- m:Shop image:0x20 f:f+1\napple-spindump 7\n- m:dyld absolute:0x1010 load:0x1000 f:start+1\n"},
    {"near misses", "counts, brackets and parentheses of other texts",
     "12 apples (in all) [0x]\n3 f  (in App)\n7  items (x + 1)\n1  ??? [0x10]\n2 a [0x10] b\n", ""},
};
static const struct text_case sample_looks[] = {
    {"sample", "the load address gives way to the name",
     "    24 ???  (in Shop)  load address 0x1000 + 0x10  [0x1010]\n    + ! 3 ???  (in Shop) + 4,8,...  "
     "[0x10,0x14,...]\n",
     "    24 outer()  (in Shop)  [0x1010]  a.cc:21\n    + ! 3 outer()  (in Shop)  [0x10,0x14,...]  a.cc:21\n"},
};
static const struct text_case symbol_looks[] = {
    {"sample", "without a file", "    24 ???  (in Shop)  load address 0x1000 + 0x10  [0x1010]\n",
     "    24 outer()  (in Shop) + 24  [0x1010]\n"},
    {"spindump", "without a file", "  *9  ??? (Shop + 32) [0x2020] (running)\n",
     "  *9  outer() + 24 (Shop + 32) [0x2020] (running)\n"},
};
static const struct text_case spindump_looks[] = {
    {"spindump", "the place precedes the image",
     "  9    ??? (Shop + 32) [0x2020] 1-9\n    9  f + 1 (b.cc:1 in Shop + 48) [0x2030]\n",
     "  9    outer() (a.cc:21 in Shop + 32) [0x2020] 1-9\n    9  outer() (a.cc:21 in Shop + 48) [0x2030]\n"},
};

/* In a call graph of `sample`, callers are above the functions that they call, so an inlined function is printed below
 * the function into which it was inlined. */
static void test_inlined(void **state)
{
    static const char text[] = "    24 ???  (in Shop)  load address 0x1000 + 0x10  [0x1010]\n";
    struct parsed parsed;
    struct fm_buf out;
    (void)state;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 1);
    restore(&parsed.traces[0].frames[0], fm_test_chain, 2);
    assert_int_equal(print_as(&parsed, text_of(text), "text", &out), FRAMEMAP_OK);
    same_text("inlined", "the restored text", fm_buf_view(&out),
              FM_STR("    24 outer()  (in Shop)  [0x1010]  a.cc:21\n    24 inner(int)  (in Shop)  [0x1010]  a.cc:7\n"));
    fm_buf_free(&out);
    parsed_free(&parsed);
}

static void test_looks(void **state)
{
    (void)state;
    check_looks(sample_looks, sizeof sample_looks / sizeof *sample_looks, &fm_test_chain[1], 1);
    check_looks(spindump_looks, sizeof spindump_looks / sizeof *spindump_looks, &fm_test_chain[1], 1);
    check_looks(symbol_looks, sizeof symbol_looks / sizeof *symbol_looks, fm_test_symbol, 1);
}

static void test_members(void **state)
{
    static const char text[] = "Process: Shop [12]\nOS Version: macOS 12.4\n    24 Thread_7   DispatchQueue_1: q  "
                               "(serial)\n    24 f  (in Shop) + 1  [0x1010]\n";
    struct parsed parsed;
    (void)state;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 1);
    const framemap_trace *trace = &parsed.traces[0];
    same_text("members", "process", trace->process_name, FM_STR("Shop"));
    same_text("members", "system", trace->os_version, FM_STR("macOS 12.4"));
    same_text("members", "queue", trace->thread_queue, FM_STR("q"));
    same_text("members", "thread", trace->thread_id, FM_STR("7"));
    assert_true(trace->has_process_id && trace->process_id == 12);
    assert_true(trace->frames[0].extra && trace->frames[0].extra->count == 24);
    parsed_free(&parsed);
}

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks),
                                       cmocka_unit_test(test_inlined), cmocka_unit_test(test_members)};
    return cmocka_run_group_tests_name("formats apple-sample", tests, NULL, NULL);
}
