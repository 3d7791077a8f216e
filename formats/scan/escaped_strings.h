/* Strings with escaped line ends, each piece of which is a line of its own: "stack":"a.b: c\n\tat a.b.d(…)\n". Called
 * by lines.c to parse and by output_text.c to print. */
#ifndef FM_FORMATS_SCAN_ESCAPED_STRINGS_H
#define FM_FORMATS_SCAN_ESCAPED_STRINGS_H

#include "core/text/buffer.h"

/* An iterator over the pieces of a physical line. */
struct fm_pieces {
    const char *at, *end; /* next piece; at NULL: the current line has no pieces */
    unsigned run;     /* backslashes of an escaped line end in the current string: 1, 2 for JSON in JSON, 4 one level
     deeper; 0: outside of     strings */
    framemap_str eol; /* the last escaped line end */
};

/* Whether a physical line contains escaped line ends that divide it; if so, starts the iterator. Linear. */
bool fm_pieces_begin(framemap_str line, struct fm_pieces *pieces);
/* Returns the next piece; *begins: it is the first line of a string of several. Returns false at the end of the line.
 */
bool fm_pieces_next(struct fm_pieces *pieces, framemap_str *piece, bool *begins);
/* Appends text with the escapes of such a string. run 0: unchanged. */
void fm_pieces_put(struct fm_buf *out, framemap_str text, unsigned run);
/* Size of the escaped tabs and blanks at the start of a piece. */
size_t fm_pieces_blanks(framemap_str piece);

/* --- the line around a byte of the text, for printing --- */

/* One line, or one piece, of the text. */
struct fm_extent {
    size_t from, to;  /* without line end */
    size_t after;     /* after the line end; equal to `to` if there is none */
    framemap_str eol; /* the line end in use here */
    unsigned run;     /* as in fm_pieces; 0: not in an escaped string */
};
/* An iterator over some lines of a text, ascending. */
struct fm_extents {
    framemap_str text;
    size_t physical_from, physical_to; /* the current physical line, without line end */
    struct fm_pieces pieces;
    struct fm_extent extent;
    bool any;
};
/* The line that contains the byte at `offset`. Offsets must ascend. Linear in the text over all calls. */
const struct fm_extent *fm_extents_at(struct fm_extents *extents, size_t offset);

#endif
