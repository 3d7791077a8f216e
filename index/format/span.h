/* One span of a renamed method: residual lines, the original lines that they map to, and the original member. The class
 * builder takes spans in this form, and line_tree.h orders them; files have a packed form (layout.h). */
#ifndef FM_INDEX_FORMAT_SPAN_H
#define FM_INDEX_FORMAT_SPAN_H

#include <stdint.h>

struct fm_span {
    int32_t residual_from, residual_to; /* residual lines, as stacks print them; residual_from <= residual_to */
    int32_t original_from, original_to;
    uint32_t member;
    /* On the first span of a part: the member returned for a frame without a line; unused on other spans. */
    uint32_t entry;
    uint32_t notes; /* number of the list of notes, or FM_NONE */
    uint32_t flags; /* FM_SPAN_… of flags.h */
};

#endif
