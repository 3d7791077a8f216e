/* Parses parts that frame lines of several formats share: numbers, "(groups)", "FILE:LINE:COLUMN", "NAME+12", ids.
 * Called by the parsers. Every function takes time linear in its text. A function moves a scan, or writes a result,
 * only on success. */
#ifndef FM_FORMATS_ROW_PARTS_H
#define FM_FORMATS_ROW_PARTS_H

#include "core/text/buffer.h"
#include "formats/format.h"
#include "formats/row_entity.h"

enum fm_digits { FM_DIGITS_NONE, FM_DIGITS_FIT, FM_DIGITS_LONG };

/* Reads hex digits without a prefix. If there are more than 16 digits, they are consumed, *out is unchanged, and the
 * result is FM_DIGITS_LONG. */
enum fm_digits fm_row_hex(struct fm_scan *s, uint64_t *out);
/* Reads "0x" and the hex digits after it; otherwise works like fm_row_hex. */
enum fm_digits fm_row_0xhex(struct fm_scan *s, uint64_t *out);
/* Reads the digits of an index. Returns false if there are no digits, or more than nine. */
bool fm_row_index(struct fm_scan *s, int64_t *out);

/* Marks a frame whose line violates the rules of its format as malformed, so that it is not looked up. */
void fm_row_malformed(framemap_frame *frame, const char *reason);
#define FM_LONG_ADDRESS "the address has more than 16 hexadecimal digits"

/* Finds the parenthesis that belongs to the closing one at the end of the text. Returns false if the last byte is not
 * ')', or if there is no such parenthesis. */
bool fm_row_open(framemap_str text, size_t *open);
/* Returns the number of opening parentheses minus the number of closing ones. */
long fm_row_depth(framemap_str text);
/* Cuts the group off the end of "BEFORE (GROUP)". The group is the last balanced pair of parentheses; a blank must
 * precede it. */
bool fm_row_group(framemap_str *text, framemap_str *group);
/* Cuts the number off the end of "NAME(12)". Returns false, with nothing changed, if the text does not end so. */
bool fm_row_name_number(framemap_str *text, framemap_str *number);
/* Splits "NAME+12" or "NAME + 12", or "NAME+0x1f" if hex is allowed. */
bool fm_row_distance(framemap_str text, bool hex, framemap_str *name, uint64_t *distance);
/* Parses "libdemo.so[+1344]", which simpleperf prints for a function without a name. *file: "libdemo.so"; *address:
 * 0x1344, the linked address. */
bool fm_row_place_in_file(framemap_str symbol, framemap_str *file, uint64_t *address);
/* Whether an address in a process and an offset in a mapped file, both from a profiler's row, can belong together. In
 * rows of the kernel they cannot: no file is mapped there, and perf prints the address a second time as the offset. */
static inline bool fm_row_maps_file(uint64_t address, uint64_t offset)
{
    return offset <= address && address >> 63 == 0;
}
/* Splits a text that consists of "FILE:LINE" or "FILE:LINE:COLUMN". Line 0 means no line. */
bool fm_row_location(framemap_str text, framemap_str *file, uint32_t *line, uint32_t *column);
/* Whether a text can be an identifier of C, such as "start_thread". more: further bytes that are allowed in it, such
 * as ".$". */
bool fm_row_is_name(framemap_str text, const char *more);
/* Splits the name of a frame in profiles of Hermes, "run(/a/b.js:7:3)". FUNCTION may be empty, and ends at the first
 * parenthesis. */
bool fm_row_hermes_name(framemap_str name, framemap_str *function, framemap_str *file, uint32_t *line,
                        uint32_t *column);
/* Parses "FUNCTION at FILE:LINE:COLUMN" into the frame, which is then complete; "FUNCTION" alone sets its name. */
void fm_row_function_at(framemap_str text, framemap_frame *frame);
/* Normalizes a build id or UUID to lower case without dashes. The result is borrowed if the id already has this form,
 * else it is in memory of the document. Returns false if the text is not a hex id of 8 to 64 digits. */
bool fm_row_id(framemap_str text, struct fm_document *doc, framemap_str *out);

/* Joins the lines of a message with "\n" in a copy in memory of the document. If there is only one line, returns that
 * line. Takes linear time. */
framemap_str fm_row_join(struct fm_document *doc, const framemap_str *lines, size_t count);

/* Returns the text with its entities decoded: the text itself if it has no entities, else a copy in memory of the
 * document. Takes linear time. */
framemap_str fm_row_decoded(struct fm_document *doc, framemap_str text);

/* Marks a frame that has function, file and line as not needing symbols. */
void fm_row_mark_complete(framemap_frame *frame);

/* These functions print restored frames: fm_row_name returns a frame's name, and fm_row_put_location writes
 * "src/a.cc:7:3". */
framemap_str fm_row_name(const framemap_frame *frame);
void fm_row_put_location(struct fm_buf *out, const framemap_frame *frame);
/* Begins the line of a further frame, after the line of an inlined one: ends the line before with eol, and writes the
 * text that precedes the row on its line. */
void fm_row_begin_line(struct fm_buf *out, framemap_str prefix, framemap_str eol);
/* Writes the restored frame as "FUNCTION at FILE:LINE:COLUMN", or as "FUNCTION+0x1f". */
void fm_row_put_at(struct fm_buf *out, const framemap_frame *frame);

#endif
