/* Sorted strings in front-coded groups: each string stores only what differs from the one before it. Encoded by
 * string_encoder.c, decoded by string_decoder.c; docs/index-format.md describes the layout. */
#ifndef FM_INDEX_READ_TABLE_STRING_DECODER_H
#define FM_INDEX_READ_TABLE_STRING_DECODER_H

#include "index/format/fsst.h"
#include "index/read/table/lazy_table.h"
#include "index/read/table/tables.h"

/* The cache of sorted strings. The first few strings that are requested from a group are decoded alone, each in a tenth
 * of the time and memory that the group takes; after that the whole group is decoded. */
struct fm_string_table {
    struct fm_lazy_table memo;    /* decoded groups (struct fm_sorted_group), indexed by the number of the group */
    struct fm_lazy_table singles; /* decoded strings (struct fm_sorted_single), indexed by the number of the string */
    struct fm_fsst_symbols symbols;
};
struct fm_sorted_group {
    uint32_t count;
    uint32_t ends[FM_SORTED_GROUP]; /* end of each string in `bytes` */
    char bytes[];
};
struct fm_sorted_single {
    size_t size;
    char bytes[];
};

/* Reads the FSST symbol table, section SYMBOLS. false: damaged. */
bool fm_string_table_symbols(const unsigned char *data, uint64_t size, struct fm_fsst_symbols *out);
/* Prepare an empty cache, and free a cache. most: limit of its bytes. The symbols are not changed. */
void fm_string_table_open(struct fm_string_table *texts, struct fm_heap *heap, uint64_t groups, uint64_t most);
void fm_string_table_close(struct fm_string_table *texts);
/* Gets a sorted string by its number, valid as long as the view; decodes its whole group, so that all of the group is
 * checked. Errors: CORRUPT (also: no such string), MEMORY. */
framemap_status fm_string_entry_open(const struct fm_view *view, uint64_t text, framemap_str *out);
/* Gets the bytes of a group in STRINGS, and the number of its strings; group < count. false: damaged. */
bool fm_sorted_group_extent(const struct fm_view *view, uint64_t group, uint64_t *begin, uint64_t *end,
                            uint32_t *count);

/* Gets a sorted string as fm_string_entry_open does, but may decode that string alone; damage in the rest of its group
 * may then go unnoticed. */
framemap_status fm_string_entry_alone(const struct fm_view *view, uint64_t text, framemap_str *out);
/* Gets a sorted string as fm_string_entry_alone does, with a fast path if its group is cached. */
static inline framemap_status fm_string_entry(const struct fm_view *view, uint64_t text, framemap_str *out)
{
    const uint64_t group = text >> FM_SORTED_GROUP_BITS, row = text & (FM_SORTED_GROUP - 1);
    if (group >= view->tables[FMX_SORTED_TEXTS].count) return fm_string_entry_alone(view, text, out);
    const struct fm_sorted_group *found = fm_lazy_table_get(&view->sorted_texts->memo, group);
    if (found == NULL || row >= found->count) return fm_string_entry_alone(view, text, out);
    const uint32_t begin = row == 0 ? 0 : found->ends[row - 1];
    *out = (framemap_str){found->bytes + begin, found->ends[row] - begin};
    return FRAMEMAP_OK;
}

/* Gets the string of a row, for tables whose strings are sorted since format version 2. Errors: CORRUPT, MEMORY. */
static inline framemap_status fm_record_text(const struct fm_view *view, struct fm_table_row row, unsigned field,
                                             framemap_str *out)
{
    if (view->version == FMX_VERSION_PLAIN) {
        *out = fm_table_row_text(view, row, field);
        return FRAMEMAP_OK;
    }
    const uint64_t code = fm_table_row_field(row, field);
    *out = (framemap_str){NULL, 0};
    return code == 0 ? FRAMEMAP_OK : fm_string_entry(view, code - 1, out);
}
/* Gets a string of TEXTS by its code; absent for code 0. Errors: CORRUPT, MEMORY. */
static inline framemap_status fm_text_code(const struct fm_view *view, uint64_t code, framemap_str *out)
{
    const struct fm_packed *texts = &view->tables[FMX_TEXTS];
    *out = (framemap_str){NULL, 0};
    return code - 1 >= texts->count ? FRAMEMAP_OK
                                    : fm_record_text(view, fm_table_row_at(texts, code - 1), TEXT_AT, out);
}

#endif
