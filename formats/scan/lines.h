/* Splits a text into lines, and each line into log prefix and body. Called by dispatch.c, dispatch_leads.c,
 * document_traces.c, the output "text" and session/dart. */
#ifndef FM_FORMATS_SCAN_LINES_H
#define FM_FORMATS_SCAN_LINES_H

#include "formats/line.h"
#include "formats/scan/escaped_strings.h"
#include <framemap/frame.h>

struct fm_lines {
    framemap_str text; /* a part of the whole text */
    uint64_t base;     /* offset of `text` in the whole text */
    size_t at;         /* offset in `text` of the next line */
    uint64_t number1;  /* number of the last line that was read */
    struct fm_pieces pieces;
    framemap_str record; /* the last physical line if it has escaped strings; else {NULL, 0} */
};

/* Reads the next line; returns false at the end of the text. A line longer than FM_LIMIT_LINE has an empty body, so
 * parsers ignore it. A string with escaped line ends ("\n" or "\\n") is returned in pieces, each as a line with the
 * number of the physical line; its quotes are not included. The text between two strings is also returned as a line,
 * but not the text after a string that contains only one line. */
bool fm_lines_next(struct fm_lines *lines, struct fm_line *out);
/* Continues at a later line that starts at offset `at`. passed: number of lines that are skipped. */
void fm_lines_skip(struct fm_lines *lines, size_t at, uint64_t passed);

/* Sets the members of a physical line of which only text, offset and text_number1 are set. The line of a log record
 * (record_line.h) replaces the record, as fm_lines_next does it. */
void fm_line_cut_record(struct fm_line *line);

/* Whether a physical line may be a JSON document or a part of one: it begins with a bracket or a string. text: the
 * line, or its start. */
bool fm_line_may_be_json(framemap_str text);

/* Returns the number of bytes before the body of a line: quoting, colours, a byte order mark, and the log prefix
 * (log_prefix.h). has: enum fm_has of the line. Takes linear time. */
size_t fm_line_prefix(framemap_str line, unsigned has);
/* Reads the fields of a line's log prefix. */
void fm_line_log(const struct fm_line *line, framemap_log *out);

#endif
