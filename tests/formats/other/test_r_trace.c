#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"calls", "with a file, of typed code, on several lines, without a name",
     "> f(1)\n"
     "Error in h(x, y) : no cart\n"
     "> traceback()\n"
     "5: stop(\"no cart\") at cart.R#12\n"
     "4: h(x,\n"
     "       y) at cart.R#7\n"
     "3: (function (x) g(x))(1)\n"
     "2: base::print(x) at #1\n"
     "1: f(1)\n"
     "> traceback()\n"
     "No traceback available\n",
     "r line:4 lines:6 message:no cart\n"
     "  i:5 f:stop at:cart.R l:12\n"
     "  i:4 f:h\n"
     "  i:3 f:(function (x) g(x))(1)\n"
     "  i:2 f:base::print l:1\n"
     "  i:1 f:f\n"},
    {"prompts", "an error without a call", "Error: no cart\nR> traceback()\n1: stop(\"no cart\")\n",
     "r line:3 message:no cart\n  i:1 f:stop\n"},
    {"near misses", "the command alone, rows without it",
     "use traceback() to see it\n1: f(1)\n> traceback()\n1: x\n\n2 f(1)\n", ""},
};

OTHER_TESTS("formats r", texts)
