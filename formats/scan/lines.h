/* A text cut into lines, each split once from what loggers and mailers put around it. */
#ifndef FM_FORMATS_SCAN_LINES_H
#define FM_FORMATS_SCAN_LINES_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* Where in a physical line of escaped strings the next piece begins; see escaped_strings.c. */
struct fm_pieces {
    const char *at, *end; /* at NULL: the line at hand is a plain one */
    unsigned run; /* backslashes of an escaped line end of the string at hand: 1, 2 where JSON stands in JSON, 4 once
                     more; 0: in no string */
    framemap_str eol; /* the escaped line end that was read last */
};

struct fm_lines {
    framemap_str text;
    size_t at;
    uint64_t number1;
    struct fm_pieces pieces;
};

/* The next line; false at the end of the text. A line longer than FM_LIMIT_LINE has an empty body: readers pass it
 * over. In a line that holds a string with escaped line ends ("\n", also doubly escaped) each piece between them is a
 * line of its own, of the same number; its text begins behind the opening quote and ends before the closing one, and
 * what stands between strings is a line too. */
bool fm_lines_next(struct fm_lines *lines, struct fm_line *out);
/* Goes on at a later place, where a line begins, of which `passed` lines are in front. */
void fm_lines_skip(struct fm_lines *lines, size_t at, uint64_t passed);

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

/* Bytes that a log prefix takes at the start of a line: logcat (threadtime, brief, time, tag, process, thread, both of
 * Android Studio), ISO and NSLog times, kernel, syslog, glog. 0 when there is none. lacks: what the line is known to
 * lack (enum fm_lacks), or 0. */
size_t fm_log_prefix(framemap_str line, unsigned lacks);

/* The same with quoting, colours and a byte order mark before it: where a line's body begins. */
size_t fm_line_prefix(framemap_str line, unsigned lacks);

/* --- escaped strings --- */

/* Whether a physical line holds escaped line ends that part lines: then *pieces walks it. Linear. */
bool fm_pieces_begin(framemap_str line, struct fm_pieces *pieces);
/* The next piece; *begins: it is the first of a string of several lines. false: the line is over. */
bool fm_pieces_next(struct fm_pieces *pieces, framemap_str *piece, bool *begins);
/* Escapes text as it must stand within a string of that kind. run 0: copied as it is. */
void fm_pieces_put(struct fm_buf *out, framemap_str text, unsigned run);
/* Bytes of escaped tabs and blanks at the start of a piece. */
size_t fm_pieces_blanks(framemap_str piece);

#endif
