/* Roots in groups of 32, packed relative to what they have in common. docs/index-format.md has the layout. */
#ifndef FM_INDEX_FORMAT_FUNCTION_RANGE_GROUPS_H
#define FM_INDEX_FORMAT_FUNCTION_RANGE_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#define FM_FUNCTION_RANGE_GROUP_BITS 5u
#define FM_FUNCTION_RANGE_GROUP (1u << FM_FUNCTION_RANGE_GROUP_BITS) /* roots of a group, the last one excepted */

/* The head of a group, in this order. */
enum {
    FM_FUNCTION_RANGES_COUNT_WIDTH = 5, /* roots less one */
    FM_FUNCTION_RANGES_WIDTH = 7,       /* widths: of the least begin, of a begin, of a size */
    FM_FUNCTION_RANGES_GAPS_WIDTH = 1,  /* 1: sizes are told by how far the next begin is behind the end */
    FM_FUNCTION_RANGES_FLAGS_WIDTH = 3, /* which flags vary; which of the others all roots have */
    FM_FUNCTION_RANGES_BARE_WIDTH = 1, /* 1: some have functions of which only the name is known, one after the other */
    FM_FUNCTION_RANGES_HEAD_BITS = 5 + 3 * 7 + 1 + 3 + 3 + 1
};

struct fm_function_range {
    uint64_t begin, size, function; /* function: code */
    unsigned flags;                 /* FMX_ROOT_… */
};

#endif
