/* The pieces that rows of stacks are made of, read from either end: numbers, "(groups)", "FILE:LINE:COLUMN", "NAME+12",
 * ids. Every function is linear in its text and moves or writes on success only. */
#ifndef FM_FORMATS_ROW_PARTS_H
#define FM_FORMATS_ROW_PARTS_H

#include "formats/format.h"

enum fm_digits { FM_DIGITS_NONE, FM_DIGITS_FIT, FM_DIGITS_LONG };

/* Hex digits without prefix; more than 16 are passed over and LONG, with *out untouched. */
enum fm_digits fm_row_hex(struct fm_scan *s, uint64_t *out);
/* The same behind "0x". */
enum fm_digits fm_row_0xhex(struct fm_scan *s, uint64_t *out);
/* Digits of an index: false when there are none or more than nine. */
bool fm_row_index(struct fm_scan *s, int64_t *out);

/* Makes a frame malformed: its line breaks the rules of its format, and nothing of it is looked up. */
void fm_row_malformed(framemap_frame *frame, const char *reason);
#define FM_LONG_ADDRESS "the address has more than 16 hexadecimal digits"

/* Where the parenthesis opens that the last byte closes. false: it is none, or nothing opens it. */
bool fm_row_open(framemap_str text, size_t *open);
/* How many more parentheses open in a text than close. */
long fm_row_depth(framemap_str text);
/* "BEFORE (GROUP)": cuts the last balanced group, which a blank precedes, off *text. */
bool fm_row_group(framemap_str *text, framemap_str *group);
/* "NAME+12" or "NAME + 12", "+0x1f" where hex is allowed: the name and the distance. */
bool fm_row_distance(framemap_str text, bool hex, framemap_str *name, uint64_t *distance);
/* "FILE:LINE" or "FILE:LINE:COLUMN", all of text. Line 0 is no line. */
bool fm_row_location(framemap_str text, framemap_str *file, uint32_t *line, uint32_t *column);
/* "FUNCTION at FILE:LINE:COLUMN" into the frame, which then needs nothing more; "FUNCTION" alone is its name. */
void fm_row_function_at(framemap_str text, framemap_frame *frame);
/* A build id or UUID in lower case without dashes: borrowed where it is so already, else in memory of the document.
 * false: no hex id of 8 to 64 digits. */
bool fm_row_id(framemap_str text, struct fm_document *doc, framemap_str *out);

/* A frame that has function, file and line wants no symbols. */
void fm_row_mark_complete(framemap_frame *frame);

/* Writing: the name of a restored frame; its "src/a.cc:7:3". */
framemap_str fm_row_name(const framemap_frame *frame);
void fm_row_put_location(struct fm_buf *out, const framemap_frame *frame);
/* "FUNCTION at FILE:LINE:COLUMN", or "FUNCTION+0x1f". */
void fm_row_put_at(struct fm_buf *out, const framemap_frame *frame);

#endif
