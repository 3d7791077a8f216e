/* Determines which parts a trace has, as FRAMEMAP_PART_ bits, because a conversion loses the parts that its target
 * cannot express. Called by api/; must not know any target. */
#ifndef FM_FORMATS_OUTPUT_TRACE_PARTS_H
#define FM_FORMATS_OUTPUT_TRACE_PARTS_H

#include <framemap/frame.h>

/* Which parts of a trace are ignored: bits of a mask. */
enum fm_parts_rule {
    FM_PARTS_ALL = 0,
    /* Frames that are not restored are ignored: their rows are written unchanged, so they lose no part. */
    FM_PARTS_RESTORED = 1,
    FM_PARTS_MODULE_WITH_FILE = 2 /* the image of a frame is ignored unless the frame has a file */
};
/* Returns the parts that a trace has, as FRAMEMAP_PART_ bits. rules: bits of enum fm_parts_rule. */
uint32_t fm_trace_parts(const framemap_trace *trace, unsigned rules);
/* Whether a frame's only address counts from the start of an image that has no id. */
bool fm_trace_lacks_ids(const framemap_trace *trace);
/* Whether a frame has an address that cannot be converted to the required kind, because the text does not state the
 * load address of its image. in_image: addresses that count from the image are required; otherwise addresses in the
 * process. */
bool fm_trace_lacks_addresses(const framemap_trace *trace, bool in_image);

#endif
