/* Parts that frame lines of several formats share: numbers, "(groups)", "FILE:LINE:COLUMN", "NAME+12", ids. Called by
 * the parsers. Every function is linear in its text and moves or writes on success only. */
#ifndef FM_FORMATS_ROW_PARTS_H
#define FM_FORMATS_ROW_PARTS_H

#include "core/text/buffer.h"
#include "formats/format.h"
#include "formats/row_entity.h"

enum fm_digits { FM_DIGITS_NONE, FM_DIGITS_FIT, FM_DIGITS_LONG };

/* Reads hex digits without a prefix. If there are more than 16, they are consumed, *out is unchanged, and the result
 * is FM_DIGITS_LONG. */
enum fm_digits fm_row_hex(struct fm_scan *s, uint64_t *out);
/* Reads "0x" and the hex digits after it; else like fm_row_hex. */
enum fm_digits fm_row_0xhex(struct fm_scan *s, uint64_t *out);
/* Reads the digits of an index. Returns false if there are none or more than nine. */
bool fm_row_index(struct fm_scan *s, int64_t *out);

/* Marks a frame as malformed: its line breaks the rules of its format, so it is not looked up. */
void fm_row_malformed(framemap_frame *frame, const char *reason);
#define FM_LONG_ADDRESS "the address has more than 16 hexadecimal digits"

/* Finds the parenthesis that the last byte closes. Returns false if the last byte is not ')' or nothing opens it. */
bool fm_row_open(framemap_str text, size_t *open);
/* Returns the number of opening minus number of closing parentheses. */
long fm_row_depth(framemap_str text);
/* Cuts the group off the end of "BEFORE (GROUP)": the last balanced parentheses, which a blank precedes. */
bool fm_row_group(framemap_str *text, framemap_str *group);
/* Splits "NAME+12" or "NAME + 12", or "NAME+0x1f" if hex is allowed. */
bool fm_row_distance(framemap_str text, bool hex, framemap_str *name, uint64_t *distance);
/* Parses "libdemo.so[+1344]", which simpleperf prints for a function without a name. *file: "libdemo.so"; *address:
 * the address 0x1344 as the file was linked. */
bool fm_row_place_in_file(framemap_str symbol, framemap_str *file, uint64_t *address);
/* Whether an address in a process and an offset in a mapped file, as a profiler's row has them, can belong together.
 * They do not in rows of the kernel: no file is mapped there, and perf prints the address a second time as the
 * offset. */
static inline bool fm_row_maps_file(uint64_t address, uint64_t offset)
{
    return offset <= address && address >> 63 == 0;
}
/* Splits "FILE:LINE" or "FILE:LINE:COLUMN", all of text. Line 0 means no line. */
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
/* Normalizes a build id or UUID to lower case without dashes: borrowed if it already is, else in memory of the
 * document. Returns false if it is not a hex id of 8 to 64 digits. */
bool fm_row_id(framemap_str text, struct fm_document *doc, framemap_str *out);

/* Joins the lines of a message with "\n": a copy in memory of the document, unless there is only one. Takes linear
 * time. */
framemap_str fm_row_join(struct fm_document *doc, const framemap_str *lines, size_t count);

/* Returns the text with its entities decoded: itself if it has none, else a copy in memory of the document. Takes
 * linear time. */
framemap_str fm_row_decoded(struct fm_document *doc, framemap_str text);

/* Marks a frame that has function, file and line as not needing symbols. */
void fm_row_mark_complete(framemap_frame *frame);

/* For printing a restored frame: fm_row_name returns its name, and fm_row_put_location writes "src/a.cc:7:3". */
framemap_str fm_row_name(const framemap_frame *frame);
void fm_row_put_location(struct fm_buf *out, const framemap_frame *frame);
/* Writes "FUNCTION at FILE:LINE:COLUMN", or "FUNCTION+0x1f". */
void fm_row_put_at(struct fm_buf *out, const framemap_frame *frame);

#endif
