#include "tests/formats/formats_help.h"
#include "tests/testing.h"

#define SHOP "Shop arm64  <8C17697F2E8439E5B491FCF5169106FF> /a/Shop.app/Shop"

static const struct text_case texts[] = {
    {"report", "titles, rows and images are cut from one another; text before them stays",
     "Sent from my phone: Incident Identifier: 1-2 Process: Shop [7] Code Type: ARM-64 (Native) Exception Type: "
     "EXC_BAD_ACCESS (SIGSEGV) Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000010 Triggered by Thread: 1 "
     "Thread 0 name: Dispatch queue: com.apple.main-thread Thread 0: 0 libsystem_kernel.dylib 0x1b5e2d42c "
     "mach_msg2_trap + 8 1 Shop 0x100005010 0x100000000 + 20496 Thread 1 Crashed: 0 Shop 0x100005000 0x100000000 + "
     "20480 1 libsystem_pthread.dylib 0x1c8f0ec0c _pthread_start + 136 Thread 1 crashed with ARM Thread State "
     "(64-bit): "
     "x0: 0x0000000000000000 x1: 0x0000000000000001 Binary Images: 0x100000000 - 0x10000ffff " SHOP " 0x1b5e26000 - "
     "0x1b5e5ffff libsystem_kernel.dylib arm64e <1ff7a2fb9f2837b7af39344206a322bd> /usr/lib/system/x.dylib\n",
     "apple-one-line 1 thread:Dispatch queue: com.apple.main-thread arch:arm64\n"
     "#0 m:libsystem_kernel.dylib absolute:0x1b5e2d42c load:0x1b5e26000 id:1ff7a2fb9f2837b7af39344206a322bd "
     "arch:arm64 f:mach_msg2_trap+8\n"
     "#1 m:Shop absolute:0x100005010 load:0x100000000 return id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"
     "apple-one-line 1 thread:1 exception:EXC_BAD_ACCESS (SIGSEGV) arch:arm64 crashed\n"
     "#0 m:Shop absolute:0x100005000 load:0x100000000 id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"
     "#1 m:libsystem_pthread.dylib absolute:0x1c8f0ec0c return arch:arm64 f:_pthread_start+136\n"},
    {"exception", "rows below __exceptionPreprocess have return addresses, and the text before names the exception",
     "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'out' *** First throw call stack: ( 0 "
     "CoreFoundation 0x00007fff23e3cf0e __exceptionPreprocess + 350 1 libobjc.A.dylib 0x00007fff50ba89b2 "
     "objc_exception_throw + 48 2 Shop 0x000000010fc06cc8 Shop + 27848 )\n",
     "apple-one-line 1 exception:'NSRangeException', reason: 'out' crashed\n"
     "#0 m:CoreFoundation absolute:0x7fff23e3cf0e return f:__exceptionPreprocess+350\n"
     "#1 m:libobjc.A.dylib absolute:0x7fff50ba89b2 return f:objc_exception_throw+48\n"
     "#2 m:Shop absolute:0x10fc06cc8 load:0x10fc00000 return\n"},
    {"titles above", "only the rows below them were joined",
     "Thread 0 Crashed:\n0 libsystem_kernel.dylib 0x1825e0bc4 mach_absolute_time + 4 1 Shop 0x10116d5c0 (null) 2 "
     "libdyld.dylib 0x1824d256c start + 4\nThread 1:\n\n0 a.dylib 0x1825e0bc4 f + 4 1 a.dylib 0x182a8fce4 g + 304\n"
     "none\n0 a.dylib 0x1825e0bc4 f + 4 1 a.dylib 0x182a8fce4 g + 304\n",
     "apple-one-line 2 thread:0 crashed\n#0 m:libsystem_kernel.dylib absolute:0x1825e0bc4 f:mach_absolute_time+4\n"
     "#1 m:Shop absolute:0x10116d5c0 return\n#2 m:libdyld.dylib absolute:0x1824d256c return f:start+4\n"
     "apple-one-line 5 thread:1\n#0 m:a.dylib absolute:0x1825e0bc4 f:f+4\n#1 m:a.dylib absolute:0x182a8fce4 return "
     "f:g+304\napple-one-line 7\n#0 m:a.dylib absolute:0x1825e0bc4 f:f+4\n"
     "#1 m:a.dylib absolute:0x182a8fce4 return f:g+304\n"},
    {"string", "the exception and the last row end with their strings, rows with commas",
     "{\"error\":\"uncaught: due to uncaught exception 'A'\",\"stack\":\"0   CoreFoundation  0x000000019da34f20 f + "
     "164,1   My App  0x00000001062c6cc8 0x1062c0000 + 27848\",\"n\":1}\n",
     "apple-one-line 1 exception:'A' crashed\n#0 m:CoreFoundation absolute:0x19da34f20 f:f+164\n"
     "#1 m:My App absolute:0x1062c6cc8 load:0x1062c0000 return\n"},
    {"text after a row", "a row ends after its distance and groups",
     "0 libc++abi.dylib 0x1b5e26cf8 std::terminate() (in libc++abi.dylib) + 44 1 Shop 0x1062c6cc8 0x1062c0000 + 27848 "
     "(main + 4) and then 2 more, see + 5\n",
     "apple-one-line 1\n#0 m:libc++abi.dylib absolute:0x1b5e26cf8 f:std::terminate()+44\n"
     "#1 m:Shop absolute:0x1062c6cc8 load:0x1062c0000 return f:main+4\n"},
    {"symbols", "rows without distances have a place, an index is repeated for an inlined function",
     "0 libsystem_c.dylib 0x19ec9eba0 abort + 180 1 Shop 0x1062c6cc8 inner() (Cart.swift:7) 1 Shop 0x1062c6cc8 outer() "
     "(Cart.swift:21) 2 Shop 0x1062c6cd8 main + 4 (main.swift:3) [inlined]\n",
     "apple-one-line 1\n#0 m:libsystem_c.dylib absolute:0x19ec9eba0 f:abort+180\n"
     "#1 m:Shop absolute:0x1062c6cc8 return f:inner() at:Cart.swift:7 not-needed\n"
     "#1 m:Shop absolute:0x1062c6cc8 return f:outer() at:Cart.swift:21 not-needed\n"
     "#2 m:Shop absolute:0x1062c6cd8 return f:main+4 at:main.swift:3 not-needed\n"},
    {"one row", "it is not a stack on one line, but a row", "0   libobjc.A.dylib  0x00000001958db2b8 f + 60\n",
     "apple-symbols 1\n#0 m:libobjc.A.dylib absolute:0x1958db2b8 return f:f+60\n"},
    {"numbers", "rows count up",
     "libx.dylib: 3 App 0x1062c6cc8 a + 1 7 App 0x1062c6cc8 a + 1 9 App 0x1062c6cc8 b + 1\n", ""},
    {"members", "a message that repeats the frames of an event is not the stack",
     "{\"frames\":[],\"m\":\"0 a.dylib 0x1b5e26cf8 f + 1 1 Shop 0x1062c6cc8 g + 2\"}\n", ""},
};
static const struct text_case looks[] = {
    {"lines", "each frame gets a line, and the text between them stays",
     "crash: Thread 0: 0 a.dylib 0x200005000 f + 8 1 App 0x100005000 0x100000000 + 20480 Thread 1: 0 a.dylib "
     "0x200005000 "
     "f + 8 1 a.dylib 0x200005000 f + 8 end\n",
     "crash: Thread 0: \n0 a.dylib 0x200005000 inner(int) (a.cc:7)\n0 a.dylib 0x200005000 outer() (a.cc:21)\n"
     "1 App 0x100005000 inner(int) (a.cc:7)\n1 App 0x100005000 outer() (a.cc:21)\n Thread 1: \n"
     "0 a.dylib 0x200005000 inner(int) (a.cc:7)\n0 a.dylib 0x200005000 outer() (a.cc:21)\n"
     "1 a.dylib 0x200005000 inner(int) (a.cc:7)\n1 a.dylib 0x200005000 outer() (a.cc:21)\n end\n"},
    {"string", "no line end gets into a string",
     "{\"s\":\"0 a.dylib 0x200005000 f + 8, 1 App 0x100005000 0x100000000 + 20480\"}\n",
     "{\"s\":\"0 a.dylib 0x200005000 inner(int) (a.cc:7), 0 a.dylib 0x200005000 outer() (a.cc:21), "
     "1 App 0x100005000 inner(int) (a.cc:7), 1 App 0x100005000 outer() (a.cc:21)\"}\n"},
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
}

/* Tests every prefix of a good line. */
static void test_prefixes(void **state)
{
    (void)state;
    const framemap_str text = text_of(texts[0].text);
    for (size_t size = 0; size < text.size; size += TEST_STEP) {
        struct parsed parsed;
        parse(&parsed, fm_str(text.data, size));
        parsed_free(&parsed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks),
                                       cmocka_unit_test(test_prefixes)};
    return cmocka_run_group_tests_name("formats apple-one-line", tests, NULL, NULL);
}
