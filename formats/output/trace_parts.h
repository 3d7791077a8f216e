/* Which parts a trace has, as bits: what a conversion may lose. Called by api/; it must not know targets. */
#ifndef FM_FORMATS_OUTPUT_TRACE_PARTS_H
#define FM_FORMATS_OUTPUT_TRACE_PARTS_H

#include <framemap/frame.h>

/* FRAMEMAP_PART_ bits. skips_rows: the output writes the rows of frames that are not restored as they are, so that
 * these lose nothing. */
uint32_t fm_trace_parts(const framemap_trace *trace, bool skips_rows);

#endif
