#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"title", "kernel and user frames of one stack; addresses alone",
     "CPU     ID                    FUNCTION:NAME\n"
     "  8  35077                        :tick-60s\n"
     "\n"
     "\n"
     "              0x104d08831\n"
     "              libjvm.dylib`JavaCalls::call(JavaValue*, Thread*)+0x6ae\n"
     "              libc.so.1`_lwp_start\n"
     "                1\n"
     "\n"
     "              zfs`dmu_tx_assign+0x56\n"
     "\n"
     "              libc.so.1`__pwrite+0xa\n"
     "               12\n",
     "dtrace line:5 lines:3\n"
     " of another kind a:4375742513 n:1 needs symbols\n"
     " of another kind m:libjvm.dylib f:JavaCalls::call(JavaValue*, Thread*) +:1710\n"
     " of another kind m:libc.so.1 f:_lwp_start\n"
     "dtrace line:10 lines:3\n"
     " of another kind m:zfs f:dmu_tx_assign +:86 n:12\n"
     " of another kind m:libc.so.1 f:__pwrite +:10\n"},
    {"without a title", "a distance makes a row sure",
     "\t      libc.so.1`read+0xa\n"
     "              libc.so.1`_lwp_start\n"
     "                3\n",
     "dtrace line:1 lines:2\n"
     " of another kind m:libc.so.1 f:read +:10 n:3\n"
     " of another kind m:libc.so.1 f:_lwp_start\n"},
    {"near misses", "prose and shells",
     "see `f+0x10` there\n"
     "a `b`+0x1\n"
     "echo `date`\n"
     "0x104d08831\n",
     ""},
};

OTHER_TESTS("formats dtrace", texts)
