#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"report", "images at the end serve all threads; the row after _sigtramp is exact",
     "Process:             App [7]\nCode Type:           ARM-64 (Native)\nException Type:  EXC_BAD_ACCESS "
     "(SIGSEGV)\nTriggered by Thread:  1\n\n"
     "Thread 0 name:  Dispatch queue: com.apple.main-thread\nThread 0:\n0   App  \t0x0000000100005000 0x100000000 + "
     "20480\n1   App  \t0x0000000100005010 main + 16\n\n"
     "Thread 1 Crashed:\n0   libsystem_kernel.dylib  0x0000000200000010 __kill + 8\n1   libplatform.dylib  "
     "0x0000000200000020 _sigtramp + 52\n2   com.b.App  0x0000000100006000 0x100000000 + 24576\n3   App  "
     "0x0000000100007000 0x100000000 + 28672\n\n"
     "Thread 1 crashed with ARM Thread State (64-bit):\n    x0: 0x0000000000000000   x1: 0x0000000000000001\n\nBinary "
     "Images:\n"
     "       0x100000000 -        0x10000ffff +My App arm64  <8C17697F2E8439E5B491FCF5169106FF> /a/b c/My App\n"
     "       0x200000000 -        0x20000ffff libsystem_kernel.dylib (1.0 - 2) <1ff7a2fb9f2837b7af39344206a322bd> "
     "/usr/lib/x\n",
     "apple-crash 8 thread:Dispatch queue: com.apple.main-thread arch:arm64\n"
     "#0 m:App absolute:0x100005000 load:0x100000000 id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"
     "#1 m:App absolute:0x100005010 load:0x100000000 return id:8c17697f2e8439e5b491fcf5169106ff arch:arm64 f:main+16\n"
     "apple-crash 12 thread:1 exception:EXC_BAD_ACCESS (SIGSEGV) arch:arm64 crashed\n"
     "#0 m:libsystem_kernel.dylib absolute:0x200000010 load:0x200000000 id:1ff7a2fb9f2837b7af39344206a322bd arch:arm64 "
     "f:__kill+8\n"
     "#1 m:libplatform.dylib absolute:0x200000020 load:0x200000000 return id:1ff7a2fb9f2837b7af39344206a322bd "
     "arch:arm64 f:_sigtramp+52\n"
     "#2 m:com.b.App absolute:0x100006000 load:0x100000000 id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"
     "#3 m:App absolute:0x100007000 load:0x100000000 return id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"},
    {"hex list", "all are return addresses, placed by range",
     "Last Exception Backtrace:\n(0x100000010 0x30)\n\nBinary Images:\n0x100000000 - 0x100000fff App arm64 "
     "<8c17697f2e8439e5b491fcf5169106ff> /a/App\n",
     "apple-crash 2 thread:Last Exception Backtrace crashed\n#0 m:App absolute:0x100000010 load:0x100000000 return "
     "id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"
     "#1 absolute:0x30 return unknown-image\n"},
    {"no addresses", "some tools leave them out: nothing to look up",
     "Last Exception Backtrace:\n0   CoreFoundation    __exceptionPreprocess + 124\n1   App    App + 16\n",
     "apple-crash 2 thread:Last Exception Backtrace crashed\n#0 m:CoreFoundation return f:__exceptionPreprocess+124 "
     "malformed\n#1 m:App image:0x10 return\n"},
    {"glitch", "iOS 13 wrote the image distance into the name",
     "Thread 0:\n0   App   0x0000000100001010 foo+ 4112 (bar:) + 4\n",
     "apple-crash 2 thread:0\n#0 m:App absolute:0x100001010 load:0x100000000 f:foo(bar:)+4\n"},
    {"Instabug", "a load address alone, names of threads before the colon, images without an end",
     "Thread 0 Crashed:\n\n0    Shop            0x100895fdc     0x100890000\n1    Shop            0x100895fe0     "
     "0x10089\n\n"
     "Thread 1 Unknown:\n\n0    libsystem_kernel.dylib     0x1d63ffa90     __workq_kernreturn + 8\n"
     "1    Shop            0x100896000     0x100890000\n\n"
     "Thread 2 com.x.JavaScript:\n\n0    hermes          0x1037fd390     run\n\n"
     "Binary Images:\n\n0x1d63fa000     libsystem_kernel.dylib     arm64e     E2F84645-2905-31EF-8EC7-3CC19C3CDDB3 \n"
     "0x100890000     Shop                       arm64      8C17697F-2E84-39E5-B491-FCF5169106FF \n",
     "apple-crash 3 thread:0 crashed\n"
     "#0 m:Shop absolute:0x100895fdc load:0x100890000 id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"
     "#1 m:Shop absolute:0x100895fe0 load:0x100890000 return id:8c17697f2e8439e5b491fcf5169106ff arch:arm64 f:0x10089\n"
     "apple-crash 8 thread:1\n"
     "#0 m:libsystem_kernel.dylib absolute:0x1d63ffa90 load:0x1d63fa000 id:e2f84645290531ef8ec73cc19c3cddb3 "
     "arch:arm64e "
     "f:__workq_kernreturn+8\n"
     "#1 m:Shop absolute:0x100896000 load:0x100890000 return id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"
     "apple-crash 13 thread:com.x.JavaScript\n#0 m:hermes absolute:0x1037fd390 f:run\n"},
    {"wrapped rows", "a mail ended lines within them; other lines are not of a row",
     "Thread 0 Crashed:\n0   App   0x0000000100001010\n0x100000000 + 4112\n1   App   0x0000000100001020 0x100000000 +\n"
     "4128\n2   libobjc.A.dylib   0x0000000200000010 -[App\nrun:] + 144 (a.mm:496)\n3   c.dylib   0x0000000200000020 "
     "std::terminate(void\n(*)()) + 16\n4   c.dylib   0x0000000200000030\n_f(int) + 16\n5   c.dylib   "
     "0x0000000200000040 g + 268\n(b.c:7)\n6   c.dylib   0x0000000200000050 h + 268\n(in short)\n",
     "apple-crash 2 thread:0 crashed\n#0 m:App absolute:0x100001010 load:0x100000000\n"
     "#1 m:App absolute:0x100001020 load:0x100000000 return\n"
     "#2 m:libobjc.A.dylib absolute:0x200000010 return f:-[App run:]+144 at:a.mm:496 not-needed\n"
     "#3 m:c.dylib absolute:0x200000020 return f:std::terminate(void (*)())+16\n"
     "#4 m:c.dylib absolute:0x200000030 return f:_f(int)+16\n"
     "#5 m:c.dylib absolute:0x200000040 return f:g+268 at:b.c:7 not-needed\n"
     "#6 m:c.dylib absolute:0x200000050 return f:h+268\n"},
    {"Instabug's queues", "between the number and the colon",
     "Thread 0 Queue 1: com.apple.main-thread (serial):\n\n0    Shop      0x100895fdc     f + 8\n\n"
     "Thread 2 Queue 1: x\n0    Shop      0x100895fdc     f + 8\n",
     "apple-crash 3 thread:com.apple.main-thread\n#0 m:Shop absolute:0x100895fdc f:f+8\n"
     "apple-symbols 6\n#0 m:Shop absolute:0x100895fdc return f:f+8\n"},
    {"rows with what atos prints in place of addresses", "the module is there twice; what has another one is no row",
     "Thread 0 Crashed:\n0   libobjc.A.dylib   0x00000001995dbee4 objc_exception_throw + 56\n"
     "1   My Shop   \tuncaught(int) (in My Shop) (runtime.m:1131)\n2   Shop   load (in App) (a.m:3)\n"
     "3   Shop   \tload (in Shop) + 4\n",
     "apple-crash 2 thread:0 crashed\n#0 m:libobjc.A.dylib absolute:0x1995dbee4 f:objc_exception_throw+56\n"
     "#1 m:My Shop return f:uncaught(int) at:runtime.m:1131 not-needed\n#3 m:Shop return f:load+4 malformed\n"},
    {"a name alone", "the other title of the thread is missing",
     "Thread 8 name: com.x.JavaScript\n0   hermes     0x103218744         run\n"
     "1   App   0x0000000100001010 0x100000000 + 4112\n",
     "apple-crash 2 thread:com.x.JavaScript\n#0 m:hermes absolute:0x103218744 f:run\n"
     "#1 m:App absolute:0x100001010 load:0x100000000 return\n"},
    {"registers below a thread", "they are no title of a thread",
     "Thread 3:\n0   App   0x0000000100001010 0x100000000 + 4112\n\nThread 3 crashed with ARM Thread State (64-bit):\n"
     "    x0: 0x0000000000000000\n0   App   0x0000000100001020 0x100000000 + 4128\n",
     "apple-crash 2 thread:3\n#0 m:App absolute:0x100001010 load:0x100000000\n"
     "apple-symbols 6\n#0 m:App absolute:0x100001020 load:0x100000000 return\n"},
    {"kscrash", "load address and symbol at once",
     "Thread 0 Crashed:\n0   App   0x0000f6d9 0x8000 + 30425 (-[Crasher throw] + 101)\n",
     "apple-crash 2 thread:0 crashed\n#0 m:App absolute:0xf6d9 load:0x8000 f:-[Crasher throw]+101\n"},
    {"deadlock", "KSCrash found neither an exception nor a signal",
     "Exception Type:  0 (0)\nException Codes: 0x00000000 at 0x00000000\nCrashed Thread:  0\n\n"
     "Application main thread deadlocked\n\nThread 0 Crashed:\n0   App   0x0000f6d9 0x8000 + 30425 (f + 101)\n",
     "apple-crash 8 thread:0 exception:MainThreadDeadlock crashed\n#0 m:App absolute:0xf6d9 load:0x8000 f:f+101\n"},
    {"Sentry", "titles of threads without a colon, and with a name directly above the rows; distances are left out",
     "Exception Type: EXC_CRASH (SIGABRT)\nCrashed Thread: 2\n\nThread 1\n"
     "0   libc.dylib    0x100001010         __kill\n1   App    0x200001020         run\n\n"
     "Thread 4 name: com.example.events\n0   libc.dylib    0x100001030         wait\n\n"
     "Thread 2 Crashed:\n0   App    0x200001040         run\n\nThread 3\n\n\n\n",
     "apple-crash 5 thread:1\n#0 m:libc.dylib absolute:0x100001010 f:__kill\n#1 m:App absolute:0x200001020 return "
     "f:run\n"
     "apple-crash 9 thread:com.example.events\n#0 m:libc.dylib absolute:0x100001030 f:wait\n"
     "apple-crash 12 thread:2 exception:EXC_CRASH (SIGABRT) crashed\n#0 m:App absolute:0x200001040 f:run\n"},
    {"Sentry, a named thread that crashed", "its title is one line; so the words at its end are not part of the name",
     "Thread 9\n0   libc.dylib    0x100001010         __kill\n\n"
     "Thread 10 name: io.flutter.1.ui Crashed:\n0   App    0x200001040         run\n1   App    0x200001050         "
     "go\n\n"
     "Thread 11 name: io.flutter.raster\n0   libc.dylib    0x100001030         wait\n",
     "apple-crash 5 thread:io.flutter.1.ui crashed\n#0 m:App absolute:0x200001040 f:run\n"
     "#1 m:App absolute:0x200001050 return f:go\n"
     "apple-crash 9 thread:io.flutter.raster\n#0 m:libc.dylib absolute:0x100001030 f:wait\n"},
    {"prose", "a thread without a colon outside of a report", "Thread 1\n0   App    0x200001020         run\n", ""},
    {"two reports", "each has its own images",
     "Process: A [1]\nThread 0:\n0 A 0x0000000100000010 a + 1\nBinary Images:\n0x100000000 - 0x100000fff A arm64 "
     "<00000000000000000000000000000001> /A\n"
     "Process: B [2]\nThread 0:\n0 A 0x0000000100000010 a + 1\nBinary Images:\n0x100000000 - 0x100000fff A arm64 "
     "<00000000000000000000000000000002> /A\n",
     "apple-crash 3 thread:0\n#0 m:A absolute:0x100000010 load:0x100000000 id:00000000000000000000000000000001 "
     "arch:arm64 f:a+1\n"
     "apple-crash 8 thread:0\n#0 m:A absolute:0x100000010 load:0x100000000 id:00000000000000000000000000000002 "
     "arch:arm64 f:a+1\n"},
    {"untitled rows", "rows before images are a thread: the top one is exact",
     "0 App 0x0000000100000010 a + 1\n1 App 0x0000000100000020 b + 1\n0x100000000 - 0x100001000 App (7.5) "
     "<00000000000000000000000000000001> App\n",
     "apple-crash 1\n#0 m:App absolute:0x100000010 load:0x100000000 id:00000000000000000000000000000001 f:a+1\n"
     "#1 m:App absolute:0x100000020 load:0x100000000 return id:00000000000000000000000000000001 f:b+1\n"},
    {"signed pointer", "authentication bits hide the image; the address stays as printed",
     "Thread 0:\n0 ??? 0x003be30100000010 ???\nBinary Images:\n0x100000000 - 0x100000fff App arm64e "
     "<00000000000000000000000000000001> /App\n",
     "apple-crash 2 thread:0\n#0 m:App absolute:0x3be30100000010 id:00000000000000000000000000000001 arch:arm64e\n"},
    {"image without id", "counts where rows are expected",
     "Thread 0:\n0 App 0x0000000100000010 a + 1\n\nBinary Images:\n0x100000000 - 0x100000fff App /x/App\n",
     "apple-crash 2 thread:0\n#0 m:App absolute:0x100000010 load:0x100000000 f:a+1\n"},
    {"registers", "the state after a thread is no stack",
     "Thread 0:\n0 App 0x0000000100000010 a + 1\n\nThread 0 crashed with X86 Thread State (64-bit):\n  rax: "
     "0x0000000000000001  rbx: 0x0000000000000002\n",
     "apple-crash 2 thread:0\n#0 m:App absolute:0x100000010 f:a+1\n"},
};
static const struct text_case looks[] = {
    {"chain", "symbolicatecrash's look", "Thread 0:\r\n0   App  \t0x0000000100005000 0x100000000 + 20480\r\n",
     "Thread 0:\r\n0   App  \t0x0000000100005000 inner(int) (a.cc:7)\r\n0   App  \t0x0000000100005000 outer() "
     "(a.cc:21)\r\n"},
};
static const struct text_case wrapped_looks[] = {
    {"wrapped", "the two lines are one row", "Thread 0:\n0   App  0x0000000100005000\n0x100000000 + 20480\nx\n",
     "Thread 0:\n0   App  0x0000000100005000 inner(int) (a.cc:7)\n0   App  0x0000000100005000 outer() (a.cc:21)\nx\n"},
};
static const struct text_case symbol_looks[] = {
    {"symbol", "distance in decimal", "Thread 0:\n0   App  0x0000000100005000 0x100000000 + 20480\n",
     "Thread 0:\n0   App  0x0000000100005000 outer() + 24\n"},
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
    check_looks(wrapped_looks, sizeof wrapped_looks / sizeof *wrapped_looks, fm_test_chain, 2);
    check_looks(symbol_looks, sizeof symbol_looks / sizeof *symbol_looks, fm_test_symbol, 1);
}

/* Tests the members of a trace, besides its frames, that are read from a report. */
static void test_members(void **state)
{
    static const char text[] =
        "Process:         My Shop [12]\nCode Type:       ARM-64 (Native)\nOS Version:      iPhone OS 14.5.1 (18E212)\n"
        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Subtype: KERN_INVALID_ADDRESS at 0x0000000000000010\n"
        "Termination Reason: SIGNAL 11 Segmentation fault: 11\nTriggered by Thread:  1\n\n"
        "Application Specific Information:\nabort() called\nagain\n\n"
        "Thread 0:: worker  Dispatch queue: q.r\n0   Shop   0x0000000104224010 0x104222000 + 8208\n\n"
        "Thread 1 Crashed:: Dispatch queue: com.apple.main-thread\n0   Shop   0x0000000104224010 0x104222000 + 8208\n\n"
        "Thread 1 crashed with ARM Thread State (64-bit):\n    x0: 0x0000000000000001   x1: 0xffffffffffffffff\n"
        "    pc: 0x0000000000000003 esr: 0x56000080  Address size fault\n\nBinary Images:\n"
        "0x104222000 - 0x104229fff Shop arm64  <01d2a9d51f8a35c892287c7cca13c5fc> /var/Shop.app/Shop\n";
    struct parsed parsed;
    (void)state;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 2);
    const framemap_trace *first = &parsed.traces[0], *trace = &parsed.traces[1];
    const struct {
        const char *what;
        framemap_str got, want;
    } strings[] = {{"process", trace->process_name, FM_STR("My Shop")},
                   {"system", trace->os_version, FM_STR("iPhone OS 14.5.1 (18E212)")},
                   {"thread", trace->thread_id, FM_STR("1")},
                   {"queue", trace->thread_queue, FM_STR("com.apple.main-thread")},
                   {"name", trace->thread_name, FM_STR("")},
                   {"other name", first->thread_name, FM_STR("worker")},
                   {"other queue", first->thread_queue, FM_STR("q.r")},
                   {"other exception", first->exception_type, FM_STR("")},
                   {"type", trace->exception_type, FM_STR("EXC_BAD_ACCESS")},
                   {"codes", trace->mach_codes, FM_STR("KERN_INVALID_ADDRESS at 0x0000000000000010")},
                   {"signal", trace->signal.name, FM_STR("SIGSEGV")},
                   {"abort message", trace->abort_message, FM_STR("abort() called\nagain")},
                   {"register", trace->registers[2].name, FM_STR("pc")},
                   {"path", trace->frames[0].module_path, FM_STR("/var/Shop.app/Shop")}};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        same_text("members", strings[i].what, strings[i].got, strings[i].want);
    assert_true(trace->has_process_id && trace->process_id == 12 && trace->crashed && !first->crashed);
    assert_true(trace->signal.has_number && trace->signal.number == 11);
    assert_true(trace->signal.has_address && trace->signal.address == 16);
    assert_int_equal(trace->register_count, 4);
    assert_true(trace->registers[1].value == UINT64_MAX && trace->registers[2].value == 3);
    assert_true(trace->frames[0].has_image && trace->frames[0].image == 0);
    parsed_free(&parsed);
}

/* Tests why the system ended a process, if it was not for a signal. */
static void test_termination(void **state)
{
    static const struct {
        const char *header, *want;
    } reasons[] = {
        {"Termination Reason: FRONTBOARD 2343432205 \n<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:a\n"
         "ProcessState: Running\n\"Elapsed (seconds): 3.658, 41% CPU\"\n) reportType:CrashLog>\nTriggered by Thread:  "
         "0\n",
         "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:a\nProcessState: Running\n"
         "\"Elapsed (seconds): 3.658, 41% CPU\"\n) reportType:CrashLog>"},
        {"Termination Reason:    Namespace DYLD, Code 1 Library missing\nLibrary not loaded: @rpath/a.dylib\n"
         "Reason: tried: '/a' (no such file)\n\nTriggered by Thread:  0\n",
         "Namespace DYLD, Code 1 Library missing\nLibrary not loaded: @rpath/a.dylib\nReason: tried: '/a' (no such "
         "file)"},
        {"Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d\nTriggered by Thread:  0\n",
         "Namespace SPRINGBOARD, Code 0x8badf00d"},
        {"Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d\n"
         "Termination Description: SPRINGBOARD, scene-create watchdog: a<b>:1 | ProcessState: Running\n",
         "SPRINGBOARD, scene-create watchdog: a<b>:1 | ProcessState: Running"},
        {"Termination Reason: SIGNAL 9 Killed: 9\n<RBSTerminateContext| x>\n", ""},
        {"Termination Reason: FRONTBOARD 2\n\nApplication Specific Information:\nabort() called\n\n",
         "abort() called"}};
    (void)state;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        char text[1024];
        struct parsed parsed;
        (void)snprintf(text, sizeof text,
                       "Exception Type:  EXC_CRASH (SIGKILL)\n%s\nThread 0 Crashed:\n"
                       "0   Shop   0x0000000104224010 0x104222000 + 8208\n",
                       reasons[i].header);
        parse(&parsed, text_of(text));
        assert_int_equal(parsed.count, 1);
        same_text("termination", reasons[i].header, parsed.traces[0].abort_message, text_of(reasons[i].want));
        parsed_free(&parsed);
    }
}

/* Tests signals and their codes, as PLCrashReporter prints them, and the reason of an Objective-C exception. */
static void test_signals(void **state)
{
    static const char text[] =
        "Exception Type:  SIGSEGV\nException Codes: SEGV_MAPERR at 0x8\nApplication Specific Information:\n"
        "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'it's out'\n\nThread 0 Crashed:\n"
        "0   Shop   0x0000000104224010 0x104222000 + 8208\n";
    struct parsed parsed;
    (void)state;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 1);
    const framemap_trace *trace = &parsed.traces[0];
    same_text("signals", "signal", trace->signal.name, FM_STR("SIGSEGV"));
    same_text("signals", "code", trace->signal.code_name, FM_STR("SEGV_MAPERR"));
    same_text("signals", "type", trace->exception_type, FM_STR("SIGSEGV"));
    same_text("signals", "mach", trace->mach_type, FM_STR(""));
    same_text("signals", "message", trace->exception_message, FM_STR("it's out"));
    assert_true(trace->signal.has_address && trace->signal.address == 8);
    parsed_free(&parsed);
}

static const struct text_case models[] = {
    {"information", "its lines are one slice of the text, unless a line is a copy without colours",
     "Process: App [12]\nException Type: EXC_CRASH (SIGABRT)\nApplication Specific Information:\nabort() "
     "called\nmore\n\n"
     "Thread 0 Crashed:\n0   App   0x0000000102bca2a4 0x102bc4000 + 25252\n"
     "Process: App [13]\nException Type: EXC_CRASH (SIGABRT)\nApplication Specific Information:\nabort() called\n"
     "\x1b[31mmore\x1b[0m words\n\nThread 0 Crashed:\n0   App   0x0000000102bca2a4 0x102bc4000 + 25252\n",
     "apple-crash pid:12 process:App tid:0 type:EXC_CRASH abort:abort() called\nmore frames:1\n"
     "apple-crash pid:13 process:App tid:0 type:EXC_CRASH abort:abort() called frames:1\n"},
    {"information of any bytes", "its lines may begin with bytes that no other line of a report begins with",
     "Process: App [12]\nException Type: EXC_CRASH (SIGABRT)\nApplication Specific Information:\nFatal error: x\n"
     "/var/a.node\n[a]\n\nThread 0 Crashed:\n0   App   0x0000000102bca2a4 0x102bc4000 + 25252\n",
     "apple-crash pid:12 process:App tid:0 type:EXC_CRASH abort:Fatal error: x\n/var/a.node\n[a] frames:1\n"},
};

static void test_models(void **state)
{
    (void)state;
    check_models(models, sizeof models / sizeof *models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models),  cmocka_unit_test(test_texts),
                                       cmocka_unit_test(test_looks),   cmocka_unit_test(test_members),
                                       cmocka_unit_test(test_signals), cmocka_unit_test(test_termination)};
    return cmocka_run_group_tests_name("formats apple-crash", tests, NULL, NULL);
}
