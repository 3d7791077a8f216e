#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"traces", "counts of samples; the last row may be the thread",
     "--- Execution profile ---\nTotal samples       : 18\n\n--- 1040401 ns (23.04%), 1 sample\n"
     "  [ 0] A::f(oopDesc*, int*)\n  [ 1] shop.Cart.add_[j]\n  [ 2] java.lang.Thread.run\n\n"
     "--- 23166265278 ns (2.10%), 2240 samples\n  [ 0] [unknown_Java]\n  [ 1] a.b\n  [ 2] [my worker tid=12]\n\n"
     "     counter  percent  samples  top\n  [ 3] a.b\n",

     "async-profiler line:5 lines:3\n"
     "  i:0 f:A::f(oopDesc*, int*) n:1\n"
     "  i:1 f:shop.Cart.add_[j]\n"
     "  i:2 f:java.lang.Thread.run\n"
     "async-profiler line:10 lines:3 thread:my worker\n"
     "  i:0 f:[unknown_Java] n:2240\n"
     "  i:1 f:a.b\n"},
    {"old", "the title until version 1.3, ten rows and more",
     "Total: 47839 (56.23%)  samples: 3\n  [ 0] a\n  [ 1] b\n  [ 2] c\n  [ 3] d\n  [ 4] e\n  [ 5] f\n  [ 6] g\n"
     "  [ 7] h\n  [ 8] i\n  [ 9] j\n  [10] k\n  [12] l\n",

     "async-profiler line:2 lines:11\n"
     "  i:0 f:a n:3\n"
     "  i:1 f:b\n"
     "  i:2 f:c\n"
     "  i:3 f:d\n"
     "  i:4 f:e\n"
     "  i:5 f:f\n"
     "  i:6 f:g\n"
     "  i:7 f:h\n"
     "  i:8 f:i\n"
     "  i:9 f:j\n"
     "  i:10 f:k\n"},
    {"near misses", "other lists", "--- 12 items (3%), 4 kinds\n  [ 0] a\n--- 12 ns (3.00%), 4 samples\n\n\n  [ 0] a\n",
     ""},
};

OTHER_TESTS("formats async-profiler", texts)
