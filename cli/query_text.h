/* Parses the locations that `framemap lookup` takes as text into queries. */
#ifndef FM_CLI_QUERY_TEXT_H
#define FM_CLI_QUERY_TEXT_H

#include <framemap/framemap.h>

enum fm_query_text_kind {
    FM_QUERY_TEXT_BAD = 0,
    FM_QUERY_TEXT_ADDRESS,  /* 0xADDR: linked address */
    FM_QUERY_TEXT_OFFSET,   /* +0xOFF: offset from the start of the image */
    FM_QUERY_TEXT_SECTION,  /* SECTION:0xOFF: offset in a section */
    FM_QUERY_TEXT_LINE,     /* LINE:COL, both from 1 (with zero_columns, the column from 0) */
    FM_QUERY_TEXT_FUNCTION, /* FUNCTION+OFFSET, SEGMENT:FUNCTION+OFFSET: in bytecode; decimal numbers from 0 */
    FM_QUERY_TEXT_MEMBER    /* one of the forms Class.method:LINE, Class.method, Class, Class.method(FILE:LINE) */
};

/* Sets scope, scope_number, position, address_kind, no_position and printed_file of the query, borrowed from the text.
 * zero_columns: the column of LINE:COL counts from 0. For FM_QUERY_TEXT_SECTION, the scope is a section name that the
 * caller must resolve. */
enum fm_query_text_kind fm_query_text_parse(framemap_str text, bool zero_columns, framemap_query *query);

/* Parses a text that consists of hexadecimal or decimal digits without a prefix. Returns false for any other text or
 * more than 64 bits. */
bool fm_parse_hex(framemap_str text, uint64_t *out);
bool fm_parse_dec(framemap_str text, uint64_t *out);

#endif
