/* Line dispatcher: offers the lines of a text to the parsers. Decides which parser is offered which line, which
 * lines are skipped (prefilter.h), and when a stack is over. It works on a text that arrives in parts; the results
 * do not depend on where the text is cut. Called by format_registry.c and text_stream.c; must not know any format.
 * dispatch_lanes.h ends open stacks, dispatch_leads.h finds how much of the text may be passed on. */
#ifndef FM_FORMATS_SCAN_DISPATCH_H
#define FM_FORMATS_SCAN_DISPATCH_H

#include "formats/scan/dispatch_lanes.h"
#include "formats/scan/dispatch_leads.h"

/* Zeroes *dispatch and prepares it for the text's first part. parsers: the table of parsers, which must outlive the
 * dispatcher. A line that one parser has taken as a frame is not offered to parsers later in the table. Returns false
 * if out of memory. */
bool fm_dispatch_open(struct fm_dispatch *dispatch, struct fm_heap *heap, struct fm_arena *arena,
                      const struct fm_parser_table *parsers, enum fm_prefilter_use use, uint64_t hold,
                      uint64_t hold_documents);
void fm_dispatch_close(struct fm_dispatch *dispatch);
/* Starts another text, independent of the one before: open stacks are discarded, the parsers' tables are kept. */
void fm_dispatch_restart(struct fm_dispatch *dispatch);

/* Sets the part of the text that is in memory: `text`, whose offset in the whole text is `base`. Bytes that were parsed
 * already are unchanged, but may be at another address, or no longer in memory. */
void fm_dispatch_window(struct fm_dispatch *dispatch, framemap_str text, uint64_t base);
/* Parses whole lines up to offset `end` of the whole text, which must be the end of a line or of the text. */
void fm_dispatch_parse(struct fm_dispatch *dispatch, uint64_t end);
/* Skips text up to offset `end` without parsing it, because it is part of a line that is too long. lines: number of
 * line ends in the skipped text. */
void fm_dispatch_pass(struct fm_dispatch *dispatch, uint64_t end, uint64_t lines);

#endif
