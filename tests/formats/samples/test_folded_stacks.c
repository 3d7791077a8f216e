#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"sorted", "two adjacent lines of one process with different depths",
     "main;render;paint 3\nmain;io 1\nworker;io;read 2.5\n",
     "folded line:1 outermost first\n  f:main\n  f:render\n  f:paint n:3\n"
     "folded line:2 outermost first\n  f:main\n  f:io n:1\n"
     "folded line:3 outermost first\n  f:worker\n  f:io\n  f:read\n"},
    {"words", "a line with one of the words anywhere",
     "some log\nmore\nmore\nmore\nmore\nmore\ndd;[unknown];read;sys_read_[k] 10\n"
     "a;Main.run_[j];Main.step_[i] 7 9\nafter\n",
     "folded line:7 outermost first\n  f:dd\n  f:[unknown]\n  f:read\n  f:sys_read_[k] n:10\n"
     "folded line:8 outermost first\n  f:a\n  f:Main.run_[j]\n  f:Main.step_[i] inlined n:7\n"},
    {"comments", "comments and blank lines are passed over, names hold blanks",
     "# by a tool\n\nmy app;void f(int, char const*) 1\nmy app;g(unsigned int);h 2\n\nmy app;k 4\n",
     "folded line:3 outermost first\n  f:my app\n  f:void f(int, char const*) n:1\n"
     "folded line:4 outermost first\n  f:my app\n  f:g(unsigned int)\n  f:h n:2\n"
     "folded line:6 outermost first\n  f:my app\n  f:k n:4\n"},
    {"one depth", "three lines of one process", "a;b 1\na;c 2\na;d 3\n",
     "folded line:1 outermost first\n  f:a\n  f:b n:1\nfolded line:2 outermost first\n  f:a\n  f:c n:2\nfolded line:3 "
     "outermost first\n  f:a\n  f:d n:3\n"},
    {"an end", "two other lines end it", "a;b 1\na;c;d 2\nx\ny\na;e 3\n",
     "folded line:1 outermost first\n  f:a\n  f:b n:1\nfolded line:2 outermost first\n  f:a\n  f:c\n  f:d n:2\n"},
    {"one line", "could be anything", "a;b 1\n", ""},
    {"two lines", "of one depth could be anything", "a;b 1\na;c 2\n", ""},
    {"tables", "values are numbers, or empty", "a;1;x 1\na;2;x;y 2\na;;z 3\n2024-01-01 10:00:00;a 3\n", ""},
    {"prose", "has blanks after semicolons", "one; two; three 3\none; two 4\none; two; four; five 5\n", ""},
    {"far below", "lines without such a word count at the start only", "1\n2\n3\n4\n5\n6\na;b 1\na;b;c 2\na;b;c;d 3\n",
     ""},
    {"paths", "lists and requests", "PATH=/bin;/usr/bin\ntext/html;charset=utf-8 200\nx;y\n", ""},
};

OTHER_TESTS("formats folded", texts)
