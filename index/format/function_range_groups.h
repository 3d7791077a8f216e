/* Function ranges (section ROOTS) in groups of 32, packed relative to what they have in common. docs/index-format.md
 * has the layout. */
#ifndef FM_INDEX_FORMAT_FUNCTION_RANGE_GROUPS_H
#define FM_INDEX_FORMAT_FUNCTION_RANGE_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#define FM_FUNCTION_RANGE_GROUP_BITS 5u
/* function ranges in a group; the last group may be shorter */
#define FM_FUNCTION_RANGE_GROUP (1u << FM_FUNCTION_RANGE_GROUP_BITS)

/* Widths of the fields in the head of a group, in this order. */
enum {
    FM_FUNCTION_RANGES_COUNT_WIDTH = 5, /* number of ranges less one */
    /* widths of three numbers: the least start in the group, the distance of another start from it, and a size */
    FM_FUNCTION_RANGES_WIDTH = 7,
    /* If this field is 1, the group has, in place of each size, the distance from the end of the range to the start
     * of the next range. */
    FM_FUNCTION_RANGES_GAPS_WIDTH = 1,
    /* Width of each of two masks of flags: the flags that differ between the ranges of the group, and the flags that
     * all of its ranges have. */
    FM_FUNCTION_RANGES_FLAGS_WIDTH = 3,
    /* If this field is 1, some functions of the group have only a name, and the numbers of these functions are
     * consecutive. */
    FM_FUNCTION_RANGES_BARE_WIDTH = 1,
    FM_FUNCTION_RANGES_HEAD_BITS = 5 + 3 * 7 + 1 + 3 + 3 + 1
};

struct fm_function_range {
    uint64_t begin, size, function; /* function: number of the function plus one, 0 for none */
    unsigned flags;                 /* bits FMX_ROOT_… */
};

#endif
