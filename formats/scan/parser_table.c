/* Implements parser_table.h: derives bit sets of parsers from the declarations of the formats: by first byte, by last
 * byte, and by the characters that occur in a line. Fills the prefilter (the search that skips most lines), and assigns
 * each parser its place in the memory for states. */
#include "formats/scan/parser_table.h"
#include "core/heap.h"

static void allow(struct fm_parser_set by_byte[256], const char *bytes, unsigned parser)
{
    for (; bytes && *bytes; bytes++) fm_parsers_add(&by_byte[(unsigned char)*bytes], parser);
}

/* Fills by_has and possible: each entry is made from the entry for a value with one bit less. wanting, needing: for
 * each bit of enum fm_has, the parsers with that bit in any_of, and those with it in all_of. */
static void index_by_has(struct fm_parser_table *table, struct fm_parser_set any, const struct fm_parser_set wanting[8],
                         const struct fm_parser_set needing[8])
{
    for (unsigned some = 0; some < 256; some++) {
        const unsigned rest = some & (some - 1), bit = some ? fm_lowest_bit(some) : 0;
        table->by_has[some] = some ? fm_parsers_or(table->by_has[rest], wanting[bit]) : any;
        table->possible[~some & 255] =
            some ? fm_parsers_without(table->possible[~rest & 255], needing[bit]) : FM_PARSERS_ALL;
    }
}

static void put(struct fm_parser_set by_bit[8], unsigned bits, unsigned parser)
{
    for (; bits; bits &= bits - 1) fm_parsers_add(&by_bit[fm_lowest_bit(bits)], parser);
}

static void index_by_bytes(struct fm_parser_table *table)
{
    struct fm_parser_set any = FM_PARSERS_NONE, wanting[8] = {{0, 0}}, needing[8] = {{0, 0}};
    for (unsigned i = 0; i < table->count; i++) {
        const struct fm_format *format = table->formats[i];
        allow(table->by_first, format->firsts, i);
        allow(table->by_last, format->lasts, i);
        if (format->first_line_only)
            fm_parsers_add(&table->starters, i);
        else if (!format->firsts && !format->lasts && !format->any_of)
            fm_parsers_add(&any, i);
        put(wanting, format->any_of, i);
        put(needing, format->all_of, i);
        if (format->keeps_state) fm_parsers_add(&table->keepers, i);
        if (format->reads_documents) fm_parsers_add(&table->document_readers, i);
        if (format->marks) fm_parsers_add(&table->marked, i);
        fm_parsers_add(&table->by_keeps[format->keeps], i);
    }
    index_by_has(table, any, wanting, needing);
}

static void place_states(struct fm_parser_table *table)
{
    const size_t unit = _Alignof(max_align_t);
    for (size_t i = 0; i < table->count; i++) {
        table->state_from[i] = table->states_size;
        table->states_size += (table->formats[i]->state_size + unit - 1) / unit * unit;
    }
}

void fm_parser_table_init(struct fm_parser_table *table, const struct fm_format *const *formats, size_t count)
{
    fm_clear(table, offsetof(struct fm_parser_table, prefilter));
    table->count = count;
    for (size_t i = 0; i < count; i++) table->formats[i] = formats[i];
    place_states(table);
    index_by_bytes(table);
    fm_prefilter_init(&table->prefilter);
    for (unsigned i = 0; i < count; i++) fm_prefilter_add(&table->prefilter, formats[i], i);
    fm_prefilter_finish(&table->prefilter);
}
