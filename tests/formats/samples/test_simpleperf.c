#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"report", "rows with files and without, the tree below one: its first line repeats the row",
     "Cmdline: /data/local/tmp/simpleperf record -g\n"
     "Arch: arm64\n"
     "Event: cpu-cycles (type 0, config 0)\n"
     "Samples: 3154\n"
     "Event count: 1234567\n"
     "\n"
     "Overhead  Command   Pid   Tid   Shared Object               Symbol\n"
     "83.54%    Thread-2  6885  6900  /data/app/lib/libdemo.so    libdemo.so[+1344]\n"
     "       |\n"
     "       -- libdemo.so[+1344]\n"
     "          |\n"
     "          |--50.00%-- libdemo.so[+13d0]\n"
     "          |           main\n"
     "          |\n"
     "           --33.54%-- foo(int, char const*)\n"
     "                      main\n"
     "\n"
     "16.11%    Thread-2  6885  6900  [kernel.kallsyms]           do_syscall_64\n"
     "0.01%     a b       6885  6900  /system/lib64/libc.so       __start_thread\n",
     "simpleperf 8 thread:6900 named:Thread-2 pid:6885\n"
     "- m:libdemo.so linked:0x1344 path:/data/app/lib/libdemo.so\n"
     "simpleperf 12 thread:6900 named:Thread-2 pid:6885\n- m:libdemo.so linked:0x13d0\n- f:main not-needed\n"
     "simpleperf 15 thread:6900 named:Thread-2 pid:6885\n- f:foo(int, char const*) not-needed\n- f:main not-needed\n"
     "simpleperf 18 thread:6900 named:Thread-2 pid:6885\n- m:[kernel.kallsyms] f:do_syscall_64 not-needed\n"
     "simpleperf 19 thread:6900 named:a b pid:6885\n"
     "- m:libc.so f:__start_thread not-needed path:/system/lib64/libc.so\n"},
    {"samples", "the first sample names its thread above the first address",
     "sample:\n"
     "  event_type: cpu-cycles\n"
     "  time: 24421123\n"
     "  event_count: 1\n"
     "  thread_id: 6900\n"
     "  thread_name: Thread-2\n"
     "  vaddr_in_file: 1344\n"
     "  file: /data/app/lib/libdemo.so\n"
     "  symbol: libdemo.so[+1344]\n"
     "  callchain:\n"
     "    vaddr_in_file: 13d0\n"
     "    file: /data/app/lib/libdemo.so\n"
     "    symbol: libdemo.so[+13d0]\n"
     "    vaddr_in_file: ffffffe5a1e3c094\n"
     "    file: [kernel.kallsyms]\n"
     "    symbol: [kernel.kallsyms][+ffffffe5a1e3c094]\n"
     "sample:\n"
     "  event_type: cpu-cycles\n"
     "  time: 24421124\n"
     "  event_count: 1\n"
     "  thread_id: 6901\n"
     "  thread_name: main\n"
     "  vaddr_in_file: c6cae\n"
     "  file: /apex/com.android.runtime/bin/linker64\n"
     "  symbol: *linker64[+c6cae]\n",
     "simpleperf 9 thread:6900 named:Thread-2\n- m:libdemo.so linked:0x1344 path:/data/app/lib/libdemo.so\n"
     "- m:libdemo.so linked:0x13d0 path:/data/app/lib/libdemo.so\n"
     "- m:[kernel.kallsyms] linked:0xffffffe5a1e3c094 not-needed\n"
     "simpleperf 25 thread:6901 named:main\n"
     "- m:linker64 linked:0xc6cae path:/apex/com.android.runtime/bin/linker64\n"},
    {"near misses", "titles without symbols, rows without titles",
     "Overhead  Command  Pid\n1.00%     a        1\n\n83.54%    Thread-2  6885  6900  liba.so[+10]\nsample:\n"
     "  file: a\n  symbol: b\n",
     ""},
};

static const struct text_case looks[] = {
    {"simpleperf", "the symbol is replaced", "  vaddr_in_file: 10\n  file: /l/a.so\n  symbol: a.so[+10]\n",
     "  vaddr_in_file: 10\n  file: /l/a.so\n  symbol: inner(int) (src/a.cc:7:3)\n  symbol: outer() (src/a.cc:21)\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats simpleperf", tests, NULL, NULL);
}
