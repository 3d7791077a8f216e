/* Tests messages of failed checks above stacks of several formats. */
#include "tests/formats/formats_help.h"

static const struct {
    const char *name, *text, *want; /* want: "FORMAT TYPE|MESSAGE" of each trace */
} texts[] = {
    {"Chromium",
     "[12:34:0101/120000.123456:FATAL:widget.cc(12)] Check failed: is_visible_. \n"
     "#0 0x55d5cb4a2b52 base::debug::CollectStackTrace()\n#1 0x55d5cb48cfe3 logging::LogMessage::~LogMessage()\n",
     "sanitizer Check failed|is_visible_.\n"},
    {"Chromium on macOS",
     "Received signal 6\n0   Shop Framework   0x0000000123e0fe58 base::debug::CollectStackTrace(void**) + 28\n\n\n\n\n"
     "Received signal 4 ILL_ILLOPN 000000000018\n0   Shop Framework   0x0000000123e0fe58 f() + 28\n",
     "apple-symbols SIGABRT|\napple-symbols ILL_ILLOPN|\n"},
    {"V8",
     "#\n# Fatal error in ../../src/objects/map.cc, line 318\n# Debug check failed: IsMap(obj).\n#\n#\n#\n"
     "#FailureMessage Object: 0x7ffd5b2a4a30\n==== C stack trace ====\n\n"
     "    /out/d8(v8::base::debug::StackTrace::StackTrace()+0x13) [0x7f5d2f1a2c33]\n"
     "    /out/libv8.so(+0x3b9e5d) [0x7f5d2f1a0e5d]\n",
     "glibc Debug check failed|IsMap(obj).\n"},
    {"V8, a message without a check",
     "#\n# Fatal error in a.cc, line 3\n# unreachable code\n#\n#\n#\n#FailureMessage Object: 0x7ffd5b2a4a30\n"
     "==== C stack trace ====\n\n 1: 0xb29b0f4\n 2: 0xb29b0f8\n",
     "chromium Fatal error|unreachable code\n"},
    {"glog",
     "F0101 12:00:00.000000    12 cart.cc:12] Check failed: a == b (1 vs. 2) \n*** Check failure stack trace: ***\n"
     "    @     0x7f1b1f2b6700  google::LogMessage::Fail()\n    @     0x55d0c5fe1a2b  cart::add(int)\n",
     "glog Check failed|a == b (1 vs. 2)\n"},
    {"glog, a message that is no check",
     "F0101 12:00:00.000000    12 cart.cc:12] no cart\n*** Check failure stack trace: ***\n"
     "    @     0x7f1b1f2b6700  google::LogMessage::Fail()\n\n"
     "  F20240621 18:13:05.760556 1405182 cart.cc:16] gone: x\n      @     0x55cdc2475130\n"
     "E0101 12:00:00.000000    12 cart.cc:12] an error\n\n\n\n    @     0x7f1b1f2b6700  f()\n",
     "glog Fatal error|no cart\nglog Fatal error|gone: x\nglog |\n"},
    {"glog in another log",
     "web-1  | 2024-01-01T10:00:00.1234567Z F0101 12:00:00.000000    12 cart.cc:12] no cart\n"
     "web-1  | 2024-01-01T10:00:00.1234567Z *** Check failure stack trace: ***\n"
     "web-1  | 2024-01-01T10:00:00.1234567Z     @     0x7f1b1f2b6700  google::LogMessage::Fail()\n",
     "glog Fatal error|no cart\n"},
    {"Redis",
     "[8761] 18 Apr 21:35:45 #     Redis 2.4.14 crashed by signal: 11\n[8761] 18 Apr 21:35:45 # --- STACK TRACE\n"
     "[8761] 18 Apr 21:35:45 # /bin/redis-server(dictFind+0xa4) [0x40f194]\n\n\n\n"
     "7:M 14 Apr 15:52:14.396 # Redis 4.0.11 crashed by signal: 55\n"
     "7:M 14 Apr 15:52:14.396 # Accessing address: 0x8\n------ STACK TRACE ------\n"
     "/bin/redis-server *:6379(f+0x48)[0xaaab792573e0]\n",
     "glibc SIGSEGV|Redis 2.4.14 crashed by signal: 11\nglibc Fatal error|Redis 4.0.11 crashed by signal: 55\n"},
    {"ClickHouse",
     "2018.05.10 14:48:11.467048 [ 4085 ] <Error> BaseDaemon: (from thread 7) Received signal Segmentation fault "
     "(11).\n"
     "2018.05.10 14:48:11.467059 [ 4085 ] <Error> BaseDaemon: Address: 0x1b\n"
     "2018.05.10 14:48:11.468212 [ 4085 ] <Error> BaseDaemon: 1. /lib64/libc.so.6(+0x14bcd0) [0x7f838c192cd0]\n",
     "glibc Segmentation fault|Received signal Segmentation fault (11).\n"},
    {"Envoy",
     "[2019-02-13 08:25:01.213][2186][critical][backtrace] a/backtrace.h:125] Caught Segmentation fault, suspect "
     "faulting address 0x8\n[2019-02-13 08:25:01.213][2186][critical][backtrace] a/backtrace.h:117] thr<2186> #0 "
     "0x91782b (unknown)\n\n\n\n\n\n"
     "[2019-03-28 15:43:04.786][89][critical][backtrace] [a/backtrace.h:81] Caught Aborted, suspect faulting address "
     "0x7\n[2019-03-28 15:43:04.790][89][critical][backtrace] [a/backtrace.h:73] #1: A::f() [0xb78bd5]\n"
     "[2019-03-28 15:43:04.790][89][critical][backtrace] [a/backtrace.h:73] #2: A::g() [0xb78bd6]\n",
     "sanitizer Segmentation fault|Caught Segmentation fault, suspect faulting address 0x8\n"
     "glibc Aborted|Caught Aborted, suspect faulting address 0x7\n"},
    {"MySQL",
     "11:40:21 UTC - mysqld got signal 11 ;\nThis could be because you hit a bug.\n\na=1\n\n\n\n\n\n\n\n\n\n\n\n\n"
     "stack_bottom = 0 thread_stack 0x80000\n/usr/sbin/mysqld(f+0x2c)[0x55f48c960d9c]\n\n"
     "210226 15:49:51 [ERROR] /usr/sbin/mariadbd got signal 99 ;\n\n\n\n\n\n\n\n\n\n\n"
     "stack_bottom = 0x1 thread_stack 0x2\n/usr/sbin/mysqld(f+0x2c)[0x55f48c960d9c]\n\n"
     "mysqld got signal 11 ;\n\n\n\n\n\n\n\n\n\n\n\nx\n/usr/sbin/mysqld(f+0x2c)[0x55f48c960d9c]\n",
     "glibc SIGSEGV|mysqld got signal 11\nglibc Fatal error|/usr/sbin/mariadbd got signal 99\nglibc |\n"},
    {"sanitizers, without the process",
     "AddressSanitizer: CHECK failed: a.cpp:190 \"((old)) == (7)\" (0x1, 0x2) (tid=4)\n    #0 0x55d2d2f97f31 in f()\n\n"
     "an AddressSanitizer: x\n    #0 0x55d2d2f97f32 in f()\n",
     "sanitizer CHECK failed|CHECK failed: a.cpp:190 \"((old)) == (7)\" (0x1, 0x2) (tid=4)\nsanitizer |\n"},
    {"glog, without its message",
     "*** Check failure stack trace: ***\n    @     0x7f1b1f2b6700  google::LogMessage::Fail()\n",
     "glog Check failure|\n"},
    {"a message belongs to the first stack below it",
     "F0101 12:00:00.000000    12 cart.cc:12] Check failed: x\n/bin/a(main+0x1) [0x55d0c5fe1a2b]\n\nother\n"
     "#0 0x55d5cb4a2b52 f()\n",
     "glibc Check failed|x\nsanitizer |\n"},
    {"Chromium's checks of debug builds and for security",
     "[12:34:0101/120000:FATAL:cart.cc(12)] DCHECK failed: !is_closed_.\n#0 0x55d5cb4a2b52 <unknown>\n"
     "#1 0x55d5cb4a2b53 <unknown>\n\n"
     "[1:1:0101/120000:FATAL:till.cpp(8)] Security CHECK failed: a.compare(b) <= 0. \n#0 0x55d5cb4a2b52 f()\n",
     "sanitizer DCHECK failed|!is_closed_.\nsanitizer Security CHECK failed|a.compare(b) <= 0.\n"},
    {"Chromium's fatal messages that are no checks",
     "[0101/120000.771719:FATAL:till.cc(58)] NOTREACHED hit. no till\n#0 0x55d5cb4a2b52 f()\n"
     "#1 0x55d5cb4a2b53 f()\n\n"
     "[FATAL:cart.cc:12] check(owner == kNone)\n#0 0x55d5cb4a2b52 f()\n",
     "sanitizer Fatal error|NOTREACHED hit. no till\nsanitizer Fatal error|check(owner == kNone)\n"},
    {"V8, an error at run time",
     "#\n# Runtime error in a.cc, line 3\n#\n# args[0]->IsCart()\n\n==== C stack trace ====\n\n 1: 0xb29b0f4\n"
     " 2: 0xb29b0f8\n",
     "chromium Runtime error|args[0]->IsCart()\n"},
    {"V8, out of memory without a place",
     "#\n# Fatal process out of memory: Zone\n#\n==== C stack trace ====\n\n 1: 0xb29b0f4\n 2: 0xb29b0f8\n",
     "chromium Fatal error|Fatal process out of memory: Zone\n"},
    {"a level that is not fatal, and other text with the word",
     "[12:34:0101/120000:ERROR:cart.cc(12)] DCHECK is off\nFATAL: see [3] below\n#0 0x55d5cb4a2b52 f()\n",
     "sanitizer |\n"},
    {"other text with these words", "the Check failed: twice\nCheck failedly\n#0 0x55d5cb4a2b52 f()\n",
     "sanitizer |\n"},
    {"Electron on macOS",
     "Received signal 11 SEGV_MAPERR 000000000018\n0   Electron Framework   0x0000000112d6a1b9 v8::internal::Foo + "
     "1234\n"
     "1   dyld   0x00007ff80a1b2dfd start + 29\n[end of stack trace]\n",
     "apple-symbols SEGV_MAPERR|\n"},
};

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct parsed parsed;
        struct fm_buf got;
        parse(&parsed, text_of(texts[i].text));
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        fm_buf_init(&got, &parsed.heap);
        for (size_t t = 0; t < parsed.count; t++) {
            const framemap_trace *trace = &parsed.traces[t];
            fm_buf_printf(&got, "%.*s %.*s|%.*s\n", (int)trace->format.size, trace->format.data,
                          (int)trace->exception_type.size, trace->exception_type.data ? trace->exception_type.data : "",
                          (int)trace->exception_message.size,
                          trace->exception_message.data ? trace->exception_message.data : "");
            if (trace->exception_type.size) assert_true(trace->crashed);
        }
        same_text(texts[i].name, "the exceptions", fm_buf_view(&got), text_of(texts[i].want));
        fm_buf_free(&got);
        parsed_free(&parsed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests_name("failed checks", tests, NULL, NULL);
}
