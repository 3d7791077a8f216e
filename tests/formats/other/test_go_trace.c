#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"panic on Windows", "the code of an exception instead of a signal",
     "panic: runtime error: invalid memory address\n[signal 0xc0000005 code=0x0 addr=0x58 pc=0xfd8100]\n\n"
     "goroutine 1 [running]:\nmain.f()\n\t/app/main.go:12 +0x1d\n",
     "go line:5 lines:2 thread:1 state:running type:panic message:runtime error: invalid memory address "
     "signal:EXCEPTION_ACCESS_VIOLATION crashed\n  f:main.f +:29 at:/app/main.go l:12\n"},
    {"panic", "the first goroutine has the exception; two lines are one row",
     "panic: runtime error: index out of range [5] with length 3 [recovered]\n[signal SIGSEGV: segmentation violation "
     "code=0x1 addr=0x8 pc=0x5da137]\n\ngoroutine 1 [running, locked to thread]:\nmain.(*T).run(0xc00001, {0x1, "
     "0x2})\n\t/app/main.go:12 +0x1d\nmain.gen[...](...)\n\tC:/a b/main.go:5\ncreated by main.start in goroutine "
     "7\n\t/app/main.go:40 +0x9a\n\ngoroutine 7 [chan receive, 5 minutes]:\nmain.f()\n\t/app/f.s:3 +0x10\nexit status "
     "2\n",
     "go line:5 lines:6 thread:1 state:running, locked to thread type:panic message:runtime error: index out of range "
     "[5] with length 3 [recovered] signal:SIGSEGV crashed\n  f:main.(*T).run +:29 at:/app/main.go l:12\n  "
     "f:main.gen[...] at:C:/a b/main.go l:5 inlined\n  f:main.start +:154 at:/app/main.go l:40\ngo line:13 lines:2 "
     "thread:7 state:chan receive, 5 minutes\n  f:main.f +:16 at:/app/f.s l:3\n"},
    {"fatal error", "the runtime's own stack; registers; tabs lost; frames left out",
     "fatal error: stack overflow\n\nruntime stack:\nruntime.throw(0x60f619, 0xe)\n/go/src/runtime/panic.go:619 "
     "+0x81\n\n"
     "goroutine 34 gp=0xc0 m=0 mp=0x11 [running]:\nmain.rec(0x1)\n/app/main.go:9 +0x2c fp=0xc44 sp=0xc40 pc=0x5031ac\n"
     "...additional frames elided...\nmain.main()\n/app/main.go:3 +0x1\n...23 frames elided...\n",
     "go line:4 lines:2 thread:runtime\n  f:runtime.throw +:129 at:/go/src/runtime/panic.go l:619\ngo line:8 lines:6 "
     "thread:34 state:running type:fatal error message:stack overflow crashed\n  f:main.rec +:44 at:/app/main.go l:9 "
     "a:5255596\n  elided\n  f:main.main +:1 at:/app/main.go l:3\n  elided n:23\n"},
    {"race", "stacks of one report",
     "==================\nWARNING: DATA RACE\nRead at 0x00c0 by goroutine 8:\n  main.f()\n      /app/m.go:18 "
     "+0x33\n\nPrevious write at 0x00c0 by main goroutine:\n  main.main()\n      /app/m.go:19 +0x3\n\nGoroutine 8 "
     "(running) created at:\n  main.main()\n      /app/m.go:20 +0x4\n==================\n",
     "go line:4 lines:2 thread:8 type:WARNING: DATA RACE\n  f:main.f +:51 at:/app/m.go l:18\ngo line:8 lines:2 "
     "thread:main goroutine type:WARNING: DATA RACE previous-access of 0\n  f:main.main +:3 at:/app/m.go l:19\ngo "
     "line:12 lines:2 thread:8 type:WARNING: DATA RACE thread-created of 0\n  f:main.main +:4 at:/app/m.go l:20\n"},
    {"a signal in code of C", "also below the report of a race, which has ended",
     "==================\nWARNING: DATA RACE\nRead at 0x00c0 by goroutine 8:\n  main.f()\n      /app/m.go:18 +0x33\n"
     "==================\nSIGSEGV: segmentation violation\nPC=0x4a1b2c m=0 sigcode=1 addr=0x10\nsignal arrived during "
     "cgo execution\n\ngoroutine 1 gp=0xc0 m=0 mp=0x5f [syscall]:\nmain._Cfunc_f()\n\t_cgo_gotypes.go:39 +0x3f\n\n"
     "goroutine 9 [select]:\nmain.g()\n\t/app/m.go:3 +0x1\n",
     "go line:4 lines:2 thread:8 type:WARNING: DATA RACE\n  f:main.f +:51 at:/app/m.go l:18\n"
     "go line:12 lines:2 thread:1 state:syscall type:SIGSEGV message:segmentation violation signal:SIGSEGV "
     "crashed\n"
     "  f:main._Cfunc_f +:63 at:_cgo_gotypes.go l:39\ngo line:16 lines:2 thread:9 state:select\n"
     "  f:main.g +:1 at:/app/m.go l:3\n"},
    {"without a title", "a distance or a tab makes a row sure",
     "main.run(0x1)\n/app/main.go:12 +0x1d\nx\nx\nx\nx\nx\nx\nx\nx\nx\ngithub.com/a/b.(*C).Do\n\t/src/c.go:7\nmain."
     "main\n\t/src/m.go:9\n",
     "go line:1 lines:2\n  f:main.run +:29 at:/app/main.go l:12\ngo line:12 lines:4\n  f:github.com/a/b.(*C).Do "
     "at:/src/c.go l:7\n  f:main.main at:/src/m.go l:9\n"},
    {"in JSON", "each line of a log has a stack of its own",
     "{\"stacktrace\":\"main.run\\n\\t/app/m.go:12\\nmain.main\\n\\t/app/m.go:3\"}\n{\"stacktrace\":\"main.g\\n\\t/app/"
     "m.go:15\"}\n",
     "go line:1\n  f:main.run at:/app/m.go l:12\n  f:main.main at:/app/m.go l:3\ngo line:2\n  f:main.g at:/app/m.go "
     "l:15\n"},
    {"recovered", "frameworks print the position first; a frame without a package",
     "panic recovered:\nGET / HTTP/1.1\n\nruntime error: bad index\n/go/src/runtime/panic.go:260 (0x1043a77)\n"
     "\tpanicmem: panic(memoryError)\n/app/h.go:33 (0x14c2b3c)\n\t(*H).Get: return h.q()\n/app/s.s:1 (0x20)\n\n\n\n"
     "\n\n\n\n\n\n\npanic: x\n\ngoroutine 1 [running]:\npanic(0x1, 0x2)\n\t/go/src/runtime/panic.go:464 +0x3\n",
     "go line:5 lines:5 type:runtime error message:bad index\n  f:panicmem at:/go/src/runtime/panic.go l:260 "
     "a:17054327\n  f:(*H).Get at:/app/h.go l:33 a:21769020\n  at:/app/s.s l:1 a:32\n"
     "go line:23 lines:2 thread:1 state:running type:panic message:x crashed\n  f:panic +:3 "
     "at:/go/src/runtime/panic.go l:464\n"},
    {"recovered, any message", "the line above the rows is the message if a line announces it",
     "2026/11/21 10:00:00 [Recovery] 2026/11/21 - 10:00:00 panic recovered:\nGET /cart HTTP/1.1\nHost: a.b\n\n\n"
     "no cart: 7\n/app/h.go:33 (0x14c2b3c)\n\t(*H).Get: return h.q()\n\n\n\n\n\n\n\n\n\n\n"
     "no cart: 7\n/app/h.go:34 (0x14c2b40)\n",
     "go line:7 lines:2 type:panic message:no cart: 7\n  f:(*H).Get at:/app/h.go l:33 a:21769020\n"
     "go line:20\n  at:/app/h.go l:34 a:21769024\n"},
    {"HTTP/2", "its server has a name of its own",
     "2026/11/21 10:00:00 http2: panic serving 10.0.0.1:53212: bad cart\ngoroutine 5 [running]:\nmain.f(0x1)\n"
     "\t/app/main.go:12 +0x1d\n",
     "go line:3 lines:2 thread:5 state:running type:panic message:bad cart\n  f:main.f +:29 at:/app/main.go l:12\n"},
    {"servers", "they log the stack of a panic and go on",
     "2026/11/21 10:00:00 http: panic serving [::1]:53212: runtime error: bad: x\ngoroutine 5 [running]:\n"
     "main.f(0x1)\n\t/app/main.go:12 +0x1d\n\n\n\n\n\n\n\n\n\n"
     "E1110 10:00:00.123456       1 runtime.go:78] Observed a panic: \"no\" (x)\ngoroutine 6 [running]:\nmain.g(...)\n"
     "\t/app/main.go:13\n\n\n\n\n\n\n\n\n\n"
     "E1110 10:00:00.123456       1 panic.go:262] \"Observed a panic\" panic=\"no\" stacktrace=<\n\tgoroutine 7 "
     "[running]:\n\tmain.h()\n\t\t/app/main.go:14 +0x1\n >\n",
     "go line:3 lines:2 thread:5 state:running type:panic message:runtime error: bad: x\n  f:main.f +:29 "
     "at:/app/main.go l:12\ngo line:16 lines:2 thread:6 state:running type:panic message:\"no\" (x)\n  f:main.g "
     "at:/app/main.go l:13 inlined\ngo line:29 lines:2 thread:7 state:running type:panic message:no\n  f:main.h +:1 "
     "at:/app/main.go l:14\n"},
    {"servers, quotes", "a quote in the message, and one at the end of the line",
     "E1110 10:00:00.123456       1 panic.go:262] \"Observed a panic\" panic=\"no \\\"x\\\" y\"\n"
     "goroutine 7 [running]:\nmain.h()\n\t/app/main.go:14 +0x1\n",
     "go line:3 lines:2 thread:7 state:running type:panic message:no \\\"x\\\" y\n  f:main.h +:1 at:/app/main.go "
     "l:14\n"},
    {"servers, far above", "a later stack has another reason",
     "http: panic serving [::1]:53212: bad\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\ngoroutine 7 [running]:\nmain.h()\n"
     "\t/app/main.go:14 +0x1\n",
     "go line:13 lines:2 thread:7 state:running\n  f:main.h +:1 at:/app/main.go l:14\n"},
    {"near misses", "logs and prose",
     "panic: no rows\ngoroutine 1 [running]:\n2026/11/21 10:00:00 main.go:42: listening on :8080\nsee main.go:12\nthe "
     "file\n\t/app/main.go:12 +0x1d\ngoroutine 5 [select]\n",
     ""},
};

OTHER_TESTS("formats go", texts)
