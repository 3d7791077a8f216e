/* Strings with escaped line ends, each piece of which is a line of its own: "stack":"a.b: c\n\tat a.b.d(…)\n". Called
 * by lines.c to parse and by the files of output/ to print. */
#ifndef FM_FORMATS_SCAN_ESCAPED_STRINGS_H
#define FM_FORMATS_SCAN_ESCAPED_STRINGS_H

#include "core/text/buffer.h"
#include "formats/scan/string_list.h"

/* An iterator over the pieces of a physical line: the lines within its strings. */
struct fm_pieces {
    const char *at, *end; /* `at`: start of the next piece; NULL if the current line has no pieces */
    /* number of backslashes of an escaped line end in the current string: 1, or 2 for JSON in JSON, or 4 one level
     * deeper; 0: outside of strings */
    unsigned run;
    /* the quote that strings of the line have: '"', or the one that Node prints around a string of several lines */
    char quote;
    framemap_str eol; /* the last escaped line end */
    /* The next piece (a line within a string), if it is a stack of a single row; absent otherwise. */
    framemap_str row;
    bool is_element; /* `row`, or the string of several lines, is an element of a list with a line for each element */
    bool is_record;  /* `row` is the line of a log record (record_line.h) */
    struct fm_string_list list; /* the next list of strings, or the one that `at` is in */
    bool has_rows;              /* the line may have strings that are single rows: `row`, an element, or a list */
    bool is_syslog;             /* the line ends are "#012" of rsyslog; `run` is 0 */
};

/* Whether a physical line is divided into pieces; if so, starts the iterator. A line is divided if it contains escaped
 * line ends, a list of strings that are the lines of a stack (string_list.h), or a stack of a single row as a member of
 * JSON ("stack":"f@https://a.b/main.js:1:2"). Takes linear time. */
bool fm_pieces_begin(framemap_str line, struct fm_pieces *pieces);
/* Does what fm_pieces_begin does, for a line without a backslash. Such a line can only have a stack of a single row, or
 * be an element of a list of rows, as the line  "#0 0x1 in f a.c:1",  is. */
bool fm_pieces_begin_row(framemap_str line, struct fm_pieces *pieces);
/* Whether the line is a message of several lines that rsyslog wrote as one, with "#012" for line ends and "#011" for
 * tabs; if so, starts the iterator. */
bool fm_pieces_begin_syslog(framemap_str line, struct fm_pieces *pieces);
/* Whether a line begins with a quote, as an element of a list does. */
bool fm_pieces_may_be_element(framemap_str line);
/* Returns the next piece, a line within a string. *begins: the piece is the first of several lines in a string. Returns
 * false at the end of the physical line. */
bool fm_pieces_next(struct fm_pieces *pieces, framemap_str *piece, bool *begins);
/* Appends text, escaped as in a string whose escaped line ends have `run` backslashes. With run 0, appends the text
 * unchanged. */
void fm_pieces_put(struct fm_buf *out, framemap_str text, unsigned run);
/* Returns the size of the escaped tabs and blanks at the start of a piece, which is a line within a string. */
size_t fm_pieces_blanks(framemap_str piece);

/* --- finding the line that contains a byte of the text, for printing --- */

/* One line of the text, or one piece of a line with an escaped string. Offsets are those in the whole text. */
struct fm_extent {
    uint64_t from, to; /* start and end of the line or piece, without its line end */
    uint64_t after;    /* offset after the line end; equal to `to` if there is none */
    framemap_str eol;  /* the line end that ends the line or piece */
    /* how many backslashes an escaped line end has in the string that contains this line; 0: it is in no escaped
     * string */
    unsigned run;
    bool is_piece; /* this is a piece of a physical line: a line within a string */
};

/* An iterator over lines of a part of a text, in ascending order. */
struct fm_extents {
    framemap_str text;                 /* the part of the whole text that is in memory */
    uint64_t base;                     /* offset of `text` in the whole text */
    size_t physical_from, physical_to; /* the current physical line in the part, without line end */
    struct fm_pieces pieces;
    struct fm_extent extent;
    bool any;
};
/* Returns the line that contains the byte at `offset`, which must be in the iterator's text. Valid until the next
 * call. Offsets must ascend. All calls together take time linear in that text. */
const struct fm_extent *fm_extents_at(struct fm_extents *extents, uint64_t offset);

#endif
