/* A text shown to readers, line by line: which reader is shown which line, and which lines are shown to none
 * (prefilter.h). */
#ifndef FM_FORMATS_SCAN_DISPATCH_H
#define FM_FORMATS_SCAN_DISPATCH_H

#include "formats/scan/document.h"

#define FM_PARSERS_MOST 32 /* at most: a bit of a word for each */

/* A format that reads, with its state, zeroed. */
struct fm_byte_reader {
    const struct fm_format *format;
    void *state;
};

/* How a text is read: what comes out is the same. */
struct fm_reading_plan {
    enum fm_passing passing;
    unsigned threads;
    size_t piece; /* bytes of a text that a thread takes at once, where it has two pieces and more; a text of which
                     nothing is passed over is read by the caller's thread alone */
};
#define FM_PIECE ((size_t)256 << 10)
#define FM_IN_ONE_PIECE SIZE_MAX

/* Reads all of a text. Of several readers the first that takes a line for its frame has it alone. doc->failed: out of
 * memory. */
void fm_read_text(const struct fm_byte_reader *readers, size_t count, framemap_str text,
                  const struct fm_reading_plan *plan, struct fm_document *doc);

#endif
