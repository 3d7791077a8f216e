/* A set of parsers, as a bit mask. Each parser in use has a number, its position in the dispatcher's list, and one bit
 * in the set. Used by the dispatcher, which computes with sets for each line, by the prefilter, by lanes.h and by
 * look_back.h. */
#ifndef FM_FORMATS_SCAN_PARSER_SET_H
#define FM_FORMATS_SCAN_PARSER_SET_H

#include "core/text/bits64.h"
#include <stdbool.h>
#include <stdint.h>

#define FM_PARSERS_MOST 128 /* maximum number of parsers in use: a set has one bit for each */

struct fm_parser_set {
    uint64_t low, high; /* low: bits of the parsers 0 to 63; high: bits of the parsers 64 to 127 */
};
#define FM_PARSERS_NONE ((struct fm_parser_set){0, 0})
#define FM_PARSERS_ALL ((struct fm_parser_set){UINT64_MAX, UINT64_MAX})

static inline struct fm_parser_set fm_parsers_or(struct fm_parser_set a, struct fm_parser_set b)
{
    return (struct fm_parser_set){a.low | b.low, a.high | b.high};
}
static inline struct fm_parser_set fm_parsers_and(struct fm_parser_set a, struct fm_parser_set b)
{
    return (struct fm_parser_set){a.low & b.low, a.high & b.high};
}
static inline void fm_parsers_include(struct fm_parser_set *set, struct fm_parser_set more)
{
    *set = fm_parsers_or(*set, more);
}
/* Returns the parsers of `a` that are not in `b`. */
static inline struct fm_parser_set fm_parsers_without(struct fm_parser_set a, struct fm_parser_set b)
{
    return (struct fm_parser_set){a.low & ~b.low, a.high & ~b.high};
}
static inline bool fm_parsers_any(struct fm_parser_set set) { return (set.low | set.high) != 0; }
static inline bool fm_parsers_equal(struct fm_parser_set a, struct fm_parser_set b)
{
    return a.low == b.low && a.high == b.high;
}
static inline bool fm_parsers_have(struct fm_parser_set set, unsigned parser)
{
    return ((parser < 64 ? set.low : set.high) >> parser % 64 & 1) != 0;
}
static inline void fm_parsers_add(struct fm_parser_set *set, unsigned parser)
{
    *(parser < 64 ? &set->low : &set->high) |= UINT64_C(1) << parser % 64;
}
static inline void fm_parsers_remove(struct fm_parser_set *set, unsigned parser)
{
    *(parser < 64 ? &set->low : &set->high) &= ~(UINT64_C(1) << parser % 64);
}
/* Returns the parser and all with a higher number. */
static inline struct fm_parser_set fm_parsers_from(unsigned parser)
{
    const uint64_t bits = UINT64_MAX << parser % 64;
    return parser < 64 ? (struct fm_parser_set){bits, UINT64_MAX} : (struct fm_parser_set){0, bits};
}
/* Removes the parser with the lowest number and returns it. The set must not be empty. */
static inline unsigned fm_parsers_take(struct fm_parser_set *set)
{
    uint64_t *bits = set->low ? &set->low : &set->high;
    const unsigned parser = fm_lowest_bit(*bits) + (set->low ? 0 : 64);
    *bits &= *bits - 1;
    return parser;
}

#endif
