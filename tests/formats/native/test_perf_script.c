#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"stacks", "names with blanks, brackets, positions below frames, inlined and unknown functions",
     "# captured on: today\nmy comm (x)  12/13 [002] 6544038.708352:    1001001 cycles:u:\n"
     "\t    7f5a1c0a1b2c main+0x1c (/usr/bin/my app)\n  a.c:7\n\t    7f5a1c0a1b2c inner (inlined)\n"
     "\tffffffff81000000 [unknown] ([kernel.kallsyms])\n\t     7f LazyCompile:~f x.js:1 (/tmp/perf-12.map)\n"
     "\t  6ce258d4c54 [unknown] ([unknown])\n\nswapper     0 [000] 1.000001: sched:sched_switch: prev=a (1)\n"
     "7f5a1c0a1b2c (/lib/libc.so.6 (deleted))\n",

     "perf-script 3 thread:13 named:my comm (x) process:my comm (x) pid:12\n"
     "- m:my app absolute:0x7f5a1c0a1b2c f:main+28 at:a.c:7 not-needed path:/usr/bin/my app\n"
     "- absolute:0x7f5a1c0a1b2c f:inner inlined\n"
     "- m:[kernel.kallsyms] absolute:0xffffffff81000000 return\n"
     "- m:perf-12.map absolute:0x7f return f:LazyCompile:~f x.js:1 path:/tmp/perf-12.map\n"
     "- m:[unknown] absolute:0x6ce258d4c54 return unknown-image\n"
     "perf-script 11 thread:0 named:swapper process:swapper\n"
     "- m:libc.so.6 absolute:0x7f5a1c0a1b2c path:/lib/libc.so.6\n"},
    {"one line", "without a call chain", "dd 29776 666709.771979: 10101010 cpu-clock: 414b3b fsnotify (/lib/vmlinux)\n",
     "perf-script 1 thread:29776 named:dd process:dd\n"
     "- m:vmlinux absolute:0x414b3b f:fsnotify path:/lib/vmlinux\n"},
    {"without times", "names with blanks, with and without a process",
     "java 3/3244 cpu-clock: \n\t 7f1e214c24d9 SpinPause (/lib/libjvm.so)\n\nmy comm 12 [000] cycles:u:\n  4005b1 main "
     "(/a)\n\nsee 12 clock\n 7f f (/a)\n",
     "perf-script 2 thread:3244 named:java process:java pid:3\n"
     "- m:libjvm.so absolute:0x7f1e214c24d9 f:SpinPause path:/lib/libjvm.so\n"
     "perf-script 5 thread:12 named:my comm process:my comm\n"
     "- m:a absolute:0x4005b1 f:main path:/a\n"},
    {"after times", "the columns of an event are not those of NSLog",
     "2026-01-02T10:00:00.1Z swapper     0 [012] 2281339.604067:   20834821 cycles:\n"
     "2026-01-02T10:00:00.1Z \t    7f5a1c0a1b2c f+0x1 (/lib/libc.so.6)\n",
     "perf-script 2 thread:0 named:swapper process:swapper\n"
     "- m:libc.so.6 absolute:0x7f5a1c0a1b2c f:f+1 path:/lib/libc.so.6\n"},
    {"offsets in files", "-F +dsoff; a name that ends alike keeps its end",
     "dd 7 1.500000: cycles:\n\t7f5a write+0x1 (/lib/libc.so.6+0x29d90)\n\t7f5b f (/a (deleted)+0x10)\n\t7f5c g "
     "(/lib/a+b)\n",
     "perf-script 2 thread:7 named:dd process:dd\n"
     "- m:libc.so.6 absolute:0x7f5a f:write+1 path:/lib/libc.so.6\n"
     "- m:a absolute:0x7f5b file:0x7f4b return f:f path:/a\n"
     "- m:a+b absolute:0x7f5c return f:g path:/lib/a+b\n"},
    {"offsets in files that are addresses", "the kernel is not a mapped file",
     "dd 7 1.500000: cycles:\n\tffffffff81000010 f (/boot/vmlinux+0xffffffff81000010)\n",
     "perf-script 2 thread:7 named:dd process:dd\n"
     "- m:vmlinux absolute:0xffffffff81000010 f:f path:/boot/vmlinux\n"},
    {"simpleperf's scripts",
     "a function without a name is a place in the file, at the call; one of another file is a name",
     "app 7 [003] 1.500000: cycles:\n\t7a1c3d44a4 liba.so[+44a4] (/d/base.apk!/lib/liba.so)\n\t7a1c3d445c "
     "liba.so[+445c] "
     "(/d/liba.so)\n\t7a1c3d445e liba.so[+445e] (/d/libb.so)\n\t7a1c3d445f g (/d/libb.so)\n",
     "perf-script 2 thread:7 named:app process:app\n"
     "- m:liba.so linked:0x44a4 path:/d/base.apk!/lib/liba.so abs:0x7a1c3d44a4\n- m:liba.so linked:0x445c "
     "path:/d/liba.so abs:0x7a1c3d445c\n"
     "- m:libb.so absolute:0x7a1c3d445e return f:liba.so[+445e] path:/d/libb.so\n"
     "- m:libb.so absolute:0x7a1c3d445f return f:g path:/d/libb.so\n"},
    {"mapped files", "of the process of the event; later ones of a file count",
     "a 12/12 1.000000: PERF_RECORD_MMAP2 12/12: [0x7f0000001000(0x2000) @ 0x1000 08:01 5 0]: r-xp /bin/a\n"
     "a 12/12 1.000001: PERF_RECORD_MMAP2 12/12: [0x7f0000004000(0x2000) @ 0x3000 08:01 5 0]: r--p /bin/a\n"
     "b 13/13 1.000002: PERF_RECORD_MMAP 13/13: [0x7f0000001000(0x1000) @ 0]: r-xp /bin/a\n"
     "x -1/0 0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x100) @ 0xffffffff81000000]: x [kernel]_text\n"
     "a 12/12 1.500000: cycles:\n\t7f0000001010 f (/bin/a)\n\t7f0000004010 g (/bin/a)\n\t7f0000001020 [unknown] "
     "(/bin/b)\n\t1030 h (/bin/a)\n\t1040 i (inlined)\n\n"
     "b 13 1.600000: cycles: 7f0000001010 f (/bin/a)\n"
     "c 14/15 1.700000: cycles: 7f0000002010 f (/bin/a)\n",
     "perf-script 6 thread:12 named:a process:a pid:12\n"
     "- m:a absolute:0x7f0000001010 file:0x7f0000000000 f:f path:/bin/a\n"
     "- m:a absolute:0x7f0000004010 return f:g path:/bin/a\n"
     "- m:b absolute:0x7f0000001020 return path:/bin/b\n"
     "- m:a file-offset:0x1030 return f:h path:/bin/a\n"
     "- absolute:0x1040 f:i inlined\n"
     "perf-script 12 thread:13 named:b process:b\n"
     "- m:a absolute:0x7f0000001010 file:0x7f0000001000 f:f path:/bin/a\n"
     "perf-script 13 thread:15 named:c process:c pid:14\n"
     "- m:a absolute:0x7f0000002010 file:0x7f0000000000 f:f path:/bin/a\n"},
    {"near misses", "logs with times",
     "worker 12 1.5: retry:\nnothing\ntook 12 1.5: s\n 7f f (/a)\na 1 2.3: x: y\nbeef (no)\n", ""},
};
static const struct text_case looks[] = {
    {"chain", "addresses and modules stay", "a 1 1.500000: cycles:\n\t7f5a main+0x1c (/usr/bin/app)\n\n",
     "a 1 1.500000: cycles:\n\t7f5a inner(int) at src/a.cc:7:3 (/usr/bin/app)\n\t7f5a outer() at src/a.cc:21 "
     "(/usr/bin/app)\n\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}
/* Tests a recording of a whole system with 2000 processes. All have loaded the same library, each at another address.
 * For the first process as well as for the last, the position of an address in the library must be computed with the
 * entry of that process. */
static void test_many_maps(void **state)
{
    enum { PROCESSES = 2000 };
    struct fm_heap heap;
    struct fm_buf text;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    for (unsigned i = 1; i <= PROCESSES; i++)
        fm_buf_printf(&text, "a %u/%u 1.000000: PERF_RECORD_MMAP2 %u/%u: [0x%x000(0x1000) @ 0 08:01 5 0]: r-xp /a.so\n",
                      i, i, i, i, i);
    fm_buf_printf(&text, "a 1/1 2.000000: cycles:\n\t1010 f (/a.so)\n\na %u/%u 2.000000: cycles:\n\t%x010 f (/a.so)\n",
                  PROCESSES, PROCESSES, PROCESSES);
    fm_buf_byte(&text, '\0');
    check_told(&(struct text_case){"many maps", "the first and the last process", text.data,
                                   "perf-script 2002 thread:1 named:a process:a pid:1\n"
                                   "- m:a.so absolute:0x1010 file:0x1000 f:f path:/a.so\n"
                                   "perf-script 2005 thread:2000 named:a process:a pid:2000\n"
                                   "- m:a.so absolute:0x7d0010 file:0x7d0000 f:f path:/a.so\n"},
               1);
    fm_buf_free(&text);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_many_maps),
                                       cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats perf script", tests, NULL, NULL);
}
