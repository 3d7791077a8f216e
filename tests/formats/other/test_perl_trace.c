#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"confess", "the position of the innermost frame is in the line of the message",
     "no cart at lib/Shop.pm line 12, <STDIN> line 3.\n"
     "\tShop::load(\"a\", HASH(0x55d0)) called at bin/app.pl line 20\n"
     "\teval {...} called at bin/app.pl line 19\n"
     "\tmain::run(1) called at bin/app.pl line 30\n",
     "perl line:1 lines:4 message:no cart\n"
     "  at:lib/Shop.pm l:12\n"
     "  f:Shop::load at:bin/app.pl l:20\n"
     "  f:eval {...} at:bin/app.pl l:19\n"
     "  f:main::run at:bin/app.pl l:30\n"},
    {"near misses", "prose",
     "I was called at home line 5\n"
     "x (y called at z\n"
     "no cart at lib/Shop.pm line 12.\n",
     ""},
};

OTHER_TESTS("formats perl", texts)
