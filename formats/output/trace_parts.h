/* Which parts a trace has, as bits: what a conversion may lose. Called by api/; it must not know targets. */
#ifndef FM_FORMATS_OUTPUT_TRACE_PARTS_H
#define FM_FORMATS_OUTPUT_TRACE_PARTS_H

#include <framemap/frame.h>

/* The parts of a trace that are ignored. */
enum fm_parts_rule {
    FM_PARTS_ALL = 0,
    /* Frames that are not restored count for nothing: their rows are written unchanged and lose no part. */
    FM_PARTS_RESTORED = 1,
    FM_PARTS_MODULE_WITH_FILE = 2 /* the image of a frame counts only if it has a file, too */
};
/* Returns the parts that a trace has, as FRAMEMAP_PART_ bits. rules: bits of enum fm_parts_rule. */
uint32_t fm_trace_parts(const framemap_trace *trace, unsigned rules);
/* Whether a frame has an address that counts from an image without an id, and no other. */
bool fm_trace_lacks_ids(const framemap_trace *trace);
/* Whether a frame has an address, but not one that counts from its image (in_image) or that of the process, and the
 * text does not give the address of its image. */
bool fm_trace_lacks_addresses(const framemap_trace *trace, bool in_image);

#endif
