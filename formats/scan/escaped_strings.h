/* Strings with escaped line ends, each piece of which is a line of its own: "stack":"a.b: c\n\tat a.b.d(…)\n". Called
 * by lines.c to parse and by output_text.c to print. */
#ifndef FM_FORMATS_SCAN_ESCAPED_STRINGS_H
#define FM_FORMATS_SCAN_ESCAPED_STRINGS_H

#include "core/text/text.h"

/* Where in a physical line of escaped strings the next piece begins; see escaped_strings.c. */
struct fm_pieces {
    const char *at, *end; /* at NULL: the line at hand is a plain one */
    unsigned run; /* backslashes of an escaped line end of the string at hand: 1, 2 where JSON stands in JSON, 4 once
                     more; 0: in no string */
    framemap_str eol; /* the escaped line end that was read last */
};

/* Whether a physical line holds escaped line ends that part lines: then *pieces walks it. Linear. */
bool fm_pieces_begin(framemap_str line, struct fm_pieces *pieces);
/* The next piece; *begins: it is the first of a string of several lines. false: the line is over. */
bool fm_pieces_next(struct fm_pieces *pieces, framemap_str *piece, bool *begins);
/* Escapes text as it must stand within a string of that kind. run 0: copied as it is. */
void fm_pieces_put(struct fm_buf *out, framemap_str text, unsigned run);
/* Bytes of escaped tabs and blanks at the start of a piece. */
size_t fm_pieces_blanks(framemap_str piece);

/* --- the line around a byte of the text, for printing --- */

/* One line as the printer needs it. */
struct fm_extent {
    size_t from, to;  /* of the line, or the piece, without its end */
    size_t after;     /* behind its end; equal to `to` where none follows */
    framemap_str eol; /* how a line ends here */
    unsigned run;     /* as in fm_pieces; 0: a plain line */
};
/* A walk over some lines of a text, in ascending order. */
struct fm_extents {
    framemap_str text;
    size_t physical_from, physical_to; /* the line at hand, without its end */
    struct fm_pieces pieces;
    struct fm_extent extent;
    bool any;
};
/* The line that a place of the text is in. Places must ascend. Linear in the text over all calls. */
const struct fm_extent *fm_extents_at(struct fm_extents *extents, size_t offset);

#endif
