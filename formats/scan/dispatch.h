/* Line dispatcher: offers the lines of a text to the parsers. Decides which parser is offered which line, and which
 * lines are skipped (prefilter.h). Called by format_registry.c; must not know any format. */
#ifndef FM_FORMATS_SCAN_DISPATCH_H
#define FM_FORMATS_SCAN_DISPATCH_H

#include "formats/scan/document.h"
#include "formats/scan/prefilter_use.h"

#define FM_PARSERS_MOST 64 /* a set of parsers is a 64-bit mask */

/* A format in use, with its zeroed state. */
struct fm_parser {
    const struct fm_format *format;
    void *state;
};

/* How a text is parsed. The result does not depend on it. */
struct fm_parse_plan {
    enum fm_prefilter_use prefilter;
    unsigned threads;
    size_t chunk_size; /* bytes that a thread scans at a time, if the text has at least two chunks and the prefilter is
                          used; otherwise the caller's thread parses the text alone */
};
#define FM_CHUNK_SIZE ((size_t)256 << 10)
#define FM_ONE_CHUNK SIZE_MAX

/* Parses all of a text. Parsers are in the order of the table; the first that takes a line as a frame keeps the others
 * from it. Sets doc->failed if out of memory. */
void fm_dispatch_text(const struct fm_parser *parsers, size_t count, framemap_str text,
                      const struct fm_parse_plan *plan, struct fm_document *doc);

#endif
