/* Defines the reason of answers from which the limits left something out. */
#include "resolve/answer_limits.h"

const char fm_over_limit[] =
    "over-limit: the symbols give more for that position than one answer may hold; the rest is left out";
