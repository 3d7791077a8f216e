#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"traces", "labels, inlined functions, positions",
     "File: app\n"
     "Type: cpu\n"
     "-----------+-------------------------------------------------------\n"
     "      key1:  tag1\n"
     "        1s   main.run (inline)\n"
     "             main.(*T).main /app/main.go:12\n"
     "             00000000004a0b20 main.main /app/main.go:3\n"
     "-----------+-------------------------------------------------------\n"
     "        12   a b\n"
     "             c\n"
     "-----------+-------------------------------------------------------\n",
     "pprof-traces line:5 lines:3\n"
     "  f:main.run inlined\n"
     "  f:main.(*T).main at:/app/main.go l:12\n"
     "  f:main.main at:/app/main.go l:3 a:4852512\n"
     "pprof-traces line:9 lines:2\n"
     "  f:a b n:12\n"
     "  f:c\n"},
    {"near misses", "other tables",
     "-----------+---------\n"
     " name      | value\n"
     "-----------+---- x\n"
     "   10ms   f\n",
     ""},
};

OTHER_TESTS("formats pprof-traces", texts)
