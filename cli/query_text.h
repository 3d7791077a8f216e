/* What `framemap lookup` is asked, as text, to a query. */
#ifndef FM_CLI_QUERY_TEXT_H
#define FM_CLI_QUERY_TEXT_H

#include <framemap/framemap.h>

enum fm_query_text_kind {
    FM_QUERY_TEXT_BAD = 0,
    FM_QUERY_TEXT_ADDRESS,  /* 0xADDR: as linked */
    FM_QUERY_TEXT_OFFSET,   /* +0xOFF: from the image's first byte */
    FM_QUERY_TEXT_SECTION,  /* SECTION:0xOFF */
    FM_QUERY_TEXT_LINE,     /* LINE:COL, both from 1, or the column from 0 */
    FM_QUERY_TEXT_FUNCTION, /* FUNCTION+OFFSET, SEGMENT:FUNCTION+OFFSET: in bytecode, all decimal from 0 */
    FM_QUERY_TEXT_MEMBER    /* Class.method:LINE, Class.method, Class, Class.method(FILE:LINE) */
};

/* zero_columns: of LINE:COL the column counts from 0. Fills scope, scope_number, position and address_kind; scope is
 * borrowed from the text. A section still has to be placed. */
enum fm_query_text_kind fm_query_text_parse(framemap_str text, bool zero_columns, framemap_query *query);

/* Hex digits without prefix, the whole text; false: not so, or more than 64 bits. */
bool fm_parse_hex(framemap_str text, uint64_t *out);
bool fm_parse_dec(framemap_str text, uint64_t *out);

#endif
