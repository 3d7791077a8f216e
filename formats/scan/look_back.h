/* The last lines of a text, kept for the readers that look above a stack when it begins (format.h has their side). */
#ifndef FM_FORMATS_SCAN_LOOK_BACK_H
#define FM_FORMATS_SCAN_LOOK_BACK_H

#include "formats/format.h"

#define FM_KEPT                                                                                                    \
    32 /* a power of two: the line at hand, FM_ABOVE above it, and what stands between it and a line that a reader \
          took for pending */

/* A ring. Lines that were passed over are in it as places only: each is cut out of the text when a reader asks for it.
 */
struct fm_kept {
    framemap_str text;
    struct fm_line lines[FM_KEPT];
    uint32_t hidden[FM_KEPT]; /* readers that don't see the line when they look above: a bit each */
    uint64_t count;           /* lines that were in the ring; the next one is the line at hand */
};

static inline struct fm_line *fm_kept_next(struct fm_kept *kept) { return &kept->lines[kept->count % FM_KEPT]; }
/* Keeps the line at hand, which the caller has put there. */
static inline void fm_kept_add(struct fm_kept *kept, uint32_t hidden)
{
    kept->hidden[kept->count++ % FM_KEPT] = hidden;
}
/* Keeps lines that were passed over, all but the last FM_ABOVE of which nobody asks for. They end where the line at
 * `at` begins, which has that number. */
void fm_kept_pass(struct fm_kept *kept, uint64_t passed, size_t at, uint64_t number1);

#endif
