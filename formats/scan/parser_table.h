/* The parsers that texts are parsed with, and tables for the dispatcher: which parsers a line may be for, judged by
 * its bytes, and which needles the prefilter searches for. Made once from the rows of the formats, then constant:
 * dispatchers on any thread share one table. */
#ifndef FM_FORMATS_SCAN_PARSER_TABLE_H
#define FM_FORMATS_SCAN_PARSER_TABLE_H

#include "formats/scan/prefilter_tables.h"

struct fm_parser_table {
    const struct fm_format *formats[FM_PARSERS_MOST]; /* formats[i] has the parser with number i */
    size_t count;
    size_t states_size;                 /* bytes of the states of all parsers */
    size_t state_from[FM_PARSERS_MOST]; /* offset of each state, aligned for any type */

    /* The parsers that a line may be for, looked up by the line's first byte, by its last byte, and by its enum
     * fm_has bits. */
    struct fm_parser_set by_first[256], by_last[256], by_has[256];
    struct fm_parser_set starters; /* parsers with first_line_only set */
    /* for each value of fm_line.has: the parsers whose all_of may be met by such a line */
    struct fm_parser_set possible[256];
    struct fm_parser_set keepers;                    /* parsers with keeps_state set */
    struct fm_parser_set marked;                     /* parsers whose `marks` are not 0 */
    struct fm_parser_set document_readers;           /* parsers with reads_documents */
    struct fm_parser_set by_keeps[FM_KEEPS_ALL + 1]; /* parsers by the value of their `keeps` */

    struct fm_prefilter prefilter;
};

/* Fills the table. formats: in the order in which lines are offered, at most FM_PARSERS_MOST; the rows are borrowed. */
void fm_parser_table_init(struct fm_parser_table *table, const struct fm_format *const *formats, size_t count);

/* Returns the parsers that a line may be for, by its bytes. */
static inline struct fm_parser_set fm_parser_table_candidates(const struct fm_parser_table *table,
                                                              const struct fm_line *line)
{
    if (line->is_document) return table->document_readers;
    struct fm_parser_set any =
        fm_parsers_or(table->by_first[(unsigned char)line->first], table->by_last[(unsigned char)line->last]);
    any = fm_parsers_or(any, table->by_has[line->has]);
    if (line->offset == 0) any = fm_parsers_or(any, table->starters);
    return fm_parsers_and(any, table->possible[line->has]);
}

#endif
