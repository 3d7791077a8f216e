#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"crash", "two threads",
     "\xF0\x9F\x92\xA3 Program crashed: Illegal instruction at 0x00007f01\n"
     "\n"
     "Thread 0 \"main\" crashed:\n"
     "\n"
     "0                    0x00007f01 load() + 31 in shop at /app/my cart.swift:2:15\n"
     "1 [ra] [inlined]     0x00007f02 run(in: String) in shop at /app/shop.swift:7\n"
     "2 [ra] [system]      0x00007f03 start + 2431 in dyld\n"
     "...\n"
     "3 [async]            0x00007f04 in shop\n"
     "\n"
     "Thread 1:\n"
     "\n"
     "0 0x00007f05 __wait + 8 in libsystem_kernel.dylib\n"
     "\n"
     "Registers:\n",
     "swift line:5 lines:5 thread:main type:Program crashed message:Illegal instruction at 0x0000"
     "7f01 crashed\n"
     "  i:0 m:shop f:load() +:31 at:/app/my cart.swift l:2 col:15 a:32513\n"
     "  i:1 m:shop f:run(in: String) at:/app/shop.swift l:7 a:32514 inlined\n"
     "  i:2 m:dyld f:start +:2431 a:32515\n"
     "  skipped\n"
     "  i:3 m:shop a:32516\n"
     "swift line:13 thread:1\n"
     "  i:0 m:libsystem_kernel.dylib f:__wait +:8 a:32517\n"},
    {"stars", "around the title where the output has no symbols, and no name",
     "*** Program crashed: Bad pointer dereference at 0x0000000000000000 ***\n"
     "Thread 9 crashed:\n"
     "0      0x00007f01 <unknown> in libc.so.6\n",
     "swift line:3 thread:9 type:Program crashed message:Bad pointer dereference at 0x0000000000000000 crashed\n"
     "  i:0 m:libc.so.6 a:32513\n"},
    {"near misses", "other threads",
     "Thread 0:\n"
     "0  x\n"
     "Thread 1:\n"
     "1 0x00007f05 a + 8 in b\n",
     ""},
};

OTHER_TESTS("formats swift", texts)
