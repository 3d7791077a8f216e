/* An opened index: its tables and how to reach a field. Every access checks its row; the shape of the tables was
 * checked at open. */
#ifndef FM_INDEX_READ_TABLE_TABLES_H
#define FM_INDEX_READ_TABLE_TABLES_H

#include "index/format/bits.h"
#include "index/format/function_range_groups.h"
#include "index/format/layout.h"
#include "index/read/table/lazy_table.h"
#include "index/read/table/string_decoder.h"
#include "index/read/view.h"

struct fm_packed {
    const unsigned char *data;
    uint64_t count, size;      /* rows, bytes */
    uint64_t mask[FMX_FIELDS]; /* of each field; its width in bits beside it */
    uint32_t row_bits;
    uint16_t at[FMX_FIELDS]; /* bit of each field in a row */
    uint8_t width[FMX_FIELDS];
};

/* A stretch of the line that a position falls into. */
struct fm_spot {
    uint64_t spot;
    uint64_t first, begin; /* the range's first position and its spot */
    uint64_t end;          /* spot behind the range */
    uint64_t next;         /* position where the scope's next range begins, or UINT64_MAX */
    unsigned unit;
};
/* The image's longest range, which most positions fall into, as finding reads it. */
struct fm_main {
    uint64_t first, positions; /* those up to the next range; 0: there is no such range */
    uint64_t begin, last;      /* its first spot, and how far behind it the last one is */
    unsigned unit;
};
#define FM_RANGES_FEW 8u

/* What an opened index works out as it is asked: the one part that changes, by any thread. */
struct fm_kept {
    struct fm_lazy_table paths; /* by file: joined paths */
    struct fm_lazy_table names; /* by function: readable names */
    struct fm_frames frames;
    struct fm_lazy_table more;        /* by node: struct fm_view_more */
    struct fm_lazy_table whole_names; /* by node: readable names that are not the function's alone */
    struct fm_lazy_table
        aliases; /* by node: readable spellings of its aliases, as many as `more` has, and their texts */
};

struct fm_view {
    struct fm_view_face face; /* first: fm_view_face */
    struct fm_heap *heap;
    struct fm_kept *kept;
    framemap_str bytes;
    struct fm_packed tables[FMX_SECTION_END];
    uint64_t position_count;
    struct fm_string_table
        *sorted_texts; /* NULL: there are none. What it keeps grows while the view is used, by any thread */
    uint64_t node_count, root_count;
    unsigned function_width; /* of a function's code */
    unsigned details_from;   /* of a row of details: the field of the class */
    unsigned version, shift, node_width, text_width;
    uint8_t address_bits, flags;
    bool one_range_each;
    struct fm_main main;
    struct fm_spot
        few[FM_RANGES_FEW]; /* all of the image's ranges, in their order, where they are no more than these */
    unsigned few_count;
    /* lookup_fast.c */
    bool has_bmi2;                 /* the CPU: asked once */
    uint64_t read_end, common_end; /* of blocks' places: one before them can be read to see if it has the common shape,
                                      and has room for that shape */
};

/* row < count, which the caller has checked. Not for positions. */
static inline uint64_t fm_field(const struct fm_packed *table, uint64_t row, unsigned field)
{
    const uint64_t bit = row * table->row_bits + table->at[field];
    return fm_load64(table->data + (bit >> 3)) >> (bit & 7) & table->mask[field];
}
/* That of the first, which stands where its row begins. */
static inline uint64_t fm_first_field(const struct fm_packed *table, uint64_t row)
{
    const uint64_t bit = row * table->row_bits;
    return fm_load64(table->data + (bit >> 3)) >> (bit & 7) & table->mask[0];
}
/* The same for fields that hold positions, spots or scope numbers, which may have all 64 bits. */
static inline uint64_t fm_field_wide(const struct fm_packed *table, uint64_t row, unsigned field)
{
    if (table->width[field] <= 57) return fm_field(table, row, field);
    return fm_bits_get_wide(table->data, row * table->row_bits + table->at[field], table->width[field]);
}
/* A row of which several fields are read: where it is, worked out once. */
struct fm_row {
    const struct fm_packed *table;
    uint64_t bit;
};
static inline struct fm_row fm_row_at(const struct fm_packed *table, uint64_t row)
{
    return (struct fm_row){table, row * table->row_bits};
}
static inline uint64_t fm_row_field(struct fm_row row, unsigned field)
{
    const uint64_t bit = row.bit + row.table->at[field];
    return fm_load64(row.table->data + (bit >> 3)) >> (bit & 7) & row.table->mask[field];
}

/* The same, for rows of which is known that they have 57 bits at most: `whole`, a constant. They are read by one load.
 */
struct fm_word_row {
    struct fm_row row;
    uint64_t word;
    bool whole;
};
static inline struct fm_word_row fm_word_row_at(const struct fm_packed *table, uint64_t number, bool whole)
{
    const struct fm_row row = fm_row_at(table, number);
    return (struct fm_word_row){row, whole ? fm_bits_from(table->data, row.bit) : 0, whole};
}
static inline uint64_t fm_word_row_field(struct fm_word_row row, unsigned field)
{
    const struct fm_packed *table = row.row.table;
    return row.whole ? row.word >> table->at[field] & table->mask[field] : fm_row_field(row.row, field);
}

/* Asks memory for a row that will be read soon; of any number. */
static inline void fm_prefetch_row(const struct fm_packed *table, uint64_t row)
{
    if (row < table->count) fm_prefetch(table->data + (row * table->row_bits >> 3));
}
/* The same for a byte of a section of bytes. */
static inline void fm_prefetch_bytes(const struct fm_packed *table, uint64_t at)
{
    if (at < table->size) fm_prefetch(table->data + at);
}

/* A text of STRINGS, absent where it is outside. */
static inline framemap_str fm_view_text(const struct fm_view *view, uint64_t at, uint64_t size)
{
    const struct fm_packed *strings = &view->tables[FMX_STRINGS];
    if (at == 0 || at + size > strings->count) return (framemap_str){NULL, 0}; /* fields of 57 bits: no overflow */
    return (framemap_str){(const char *)strings->data + at, (size_t)size};
}
/* The text that a pair of fields tells. */
static inline framemap_str fm_text_field(const struct fm_view *view, const struct fm_packed *table, uint64_t row,
                                         unsigned field)
{
    return fm_view_text(view, fm_field(table, row, field), fm_field(table, row, field + 1));
}
static inline framemap_str fm_row_text(const struct fm_view *view, struct fm_row row, unsigned field)
{
    return fm_view_text(view, fm_row_field(row, field), fm_row_field(row, field + 1));
}
/* End of the strings that the texts of a table's field point to, at least `end`. */
static inline uint64_t fm_texts_end(const struct fm_packed *table, unsigned field, uint64_t end)
{
    for (uint64_t i = 0; i < table->count; i++) {
        const uint64_t at = fm_field(table, i, field), size = fm_field(table, i, field + 1);
        if (size <= UINT64_MAX - at && at + size > end) end = at + size;
    }
    return end;
}

/* --- sorted texts --- */

/* Reads the section SYMBOLS. false: damaged. */
bool fm_string_table_symbols(const unsigned char *data, uint64_t size, struct fm_fsst_symbols *out);
/* A sorted text by its number, valid as long as the view. CORRUPT (no such text, too), MEMORY. */
framemap_status fm_string_entry_open(const struct fm_view *view, uint64_t text, framemap_str *out);
/* Where a group stands in STRINGS, and how many texts it has; group < count. false: damaged. */
bool fm_sorted_group_extent(const struct fm_view *view, uint64_t group, uint64_t *begin, uint64_t *end,
                            uint32_t *count);

/* The same, fast where it was asked for before. */
static inline framemap_status fm_string_entry(const struct fm_view *view, uint64_t text, framemap_str *out)
{
    const uint64_t group = text >> FM_SORTED_GROUP_BITS, row = text & (FM_SORTED_GROUP - 1);
    if (group >= view->tables[FMX_SORTED_TEXTS].count) return fm_string_entry_open(view, text, out);
    const struct fm_sorted_group *found = fm_lazy_table_get(&view->sorted_texts->memo, group);
    if (found == NULL || row >= found->count) return fm_string_entry_open(view, text, out);
    const uint32_t begin = row == 0 ? 0 : found->ends[row - 1];
    *out = (framemap_str){found->bytes + begin, found->ends[row] - begin};
    return FRAMEMAP_OK;
}

/* The text that a row tells, of those tables whose texts are sorted from version 2 on. CORRUPT, MEMORY. */
static inline framemap_status fm_record_text(const struct fm_view *view, struct fm_row row, unsigned field,
                                             framemap_str *out)
{
    if (view->version == FMX_VERSION_PLAIN) {
        *out = fm_row_text(view, row, field);
        return FRAMEMAP_OK;
    }
    const uint64_t code = fm_row_field(row, field);
    *out = (framemap_str){NULL, 0};
    return code == 0 ? FRAMEMAP_OK : fm_string_entry(view, code - 1, out);
}
/* A text of TEXTS by its code, absent for none. */
static inline framemap_status fm_text_code(const struct fm_view *view, uint64_t code, framemap_str *out)
{
    const struct fm_packed *texts = &view->tables[FMX_TEXTS];
    *out = (framemap_str){NULL, 0};
    return code - 1 >= texts->count ? FRAMEMAP_OK : fm_record_text(view, fm_row_at(texts, code - 1), TEXT_AT, out);
}

/* --- the class form --- */

static inline bool fm_is_classes(const struct fm_view *view) { return (view->flags & FMX_FLAG_CLASSES) != 0; }
/* Checks of an opened index that take no time. false: damaged. */
bool fm_classes_open(const struct fm_view *view);

/* --- the segment form --- */

static inline bool fm_is_segments(const struct fm_view *view) { return (view->flags & FMX_FLAG_SEGMENTS) != 0; }
/* Checks of an opened index that take no time. false: damaged. */
bool fm_segments_open(const struct fm_view *view);
/* Lines of the generated text, up to the last one that has segments. */
uint64_t fm_segment_lines(const struct fm_view *view);

/* --- name_cache.c: what is worked out once --- */

void fm_kept_open(struct fm_view *view);
void fm_kept_close(struct fm_view *view);
void fm_kept_frames_open(struct fm_view *view);
void fm_kept_frames_close(struct fm_view *view);

/* --- scopes --- */

/* The ranges of a scope: rows [first, end) of RANGES. false: damaged. */
bool fm_scope_ranges(const struct fm_view *view, uint64_t scope, uint64_t *first, uint64_t *end);
enum fm_spot_result {
    FM_SPOT_FOUND,
    FM_SPOT_BEFORE /* the scope's first position; out->next is it */,
    FM_SPOT_DAMAGED
};
/* Where a position of a scope falls. */
enum fm_spot_result fm_spot_find(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_spot *out);
/* The spot of a position that is in the range, or behind its end and before the next one. */
static inline uint64_t fm_spot_of(const struct fm_spot *range, uint64_t position)
{
    const uint64_t behind = (position - range->first) >> range->unit, most = range->end - range->begin - 1;
    return range->begin + (behind < most ? behind : most);
}
/* When an index is opened: finds the image's scope and its longest range, among a bounded number. */
void fm_scopes_open(struct fm_view *view);
/* The position of a spot of that range; where it is at or behind the range's end, the next range's begin. */
static inline uint64_t fm_spot_position(const struct fm_spot *spot, uint64_t at)
{
    return at >= spot->end ? spot->next : spot->first + ((at - spot->begin) << spot->unit);
}

/* When an index is opened. */
void fm_find_open(struct fm_view *view);

/* --- blocks --- */

struct fm_block {
    const unsigned char *data;                        /* of BLOCKS */
    uint64_t rows_at, lows_at, contexts_at, names_at; /* bits from data */
    uint64_t uppers, upper_counts; /* the word of upper parts, where upper_bits is not 0, and fm_count_bytes of it */
    uint64_t end;                  /* byte behind the block */
    uint32_t rows, contexts, names, node_base;
    unsigned flags, row_bits, context_bits;
    unsigned shift, upper_bits, lower_bits;
    unsigned index_width, name_width, line_width, col_width, file_width, node_width, base_width;
    bool follows;
};
/* Reads a bucket's block. false: damaged. */
bool fm_block_open(const struct fm_view *view, uint64_t bucket, struct fm_block *out);
/* Low bits of a row, 0 for row 0. row < rows. */
uint64_t fm_block_low(const struct fm_block *block, uint32_t row);
/* A row and where it begins and ends: spots of the bucket. */
struct fm_block_span {
    uint32_t row;
    uint64_t begin, end;
};
/* The last row that begins at or before a spot of the bucket; row 0 covers its first. */
struct fm_block_span fm_block_find(const struct fm_block *block, uint64_t low);
/* What a row says: place_count and entry of a hit that was zeroed. false: damaged. */
bool fm_block_entry(const struct fm_view *view, const struct fm_block *block, uint32_t row, struct fm_hit *out);
/* The number of a root among roots. false: not a root, or damaged. */
bool fm_node_root(const struct fm_view *view, uint64_t node, uint64_t *root);

/* Places of a group of alternatives: rows [first, end) of PLACES. false: damaged. */
bool fm_group_places(const struct fm_view *view, uint64_t group, uint64_t *first, uint64_t *end);
/* The row in WIDES of a wide node. false: damaged. */
bool fm_wide_row(const struct fm_view *view, uint64_t node, uint64_t *out);
/* A line that grows with the position: it stays at the greatest number there is, and an unknown one stays unknown. */
static inline uint32_t fm_line_follow(uint32_t line1, uint64_t more)
{
    return line1 == 0 ? 0 : more > UINT32_MAX - line1 ? UINT32_MAX : line1 + (uint32_t)more;
}
/* What is known of a function beside its name. false: nothing, or there is no such function. Field DETAIL_x stands at
 * view->details_from + DETAIL_x. */
bool fm_function_details(const struct fm_view *view, uint64_t function, struct fm_row *out);
/* What a node is: a root, of that number, or a row of NODES (of version 1 it is that as well). */
struct fm_node_kind {
    bool known, is_root;
    uint64_t root;
    struct fm_row row;
};
struct fm_node_kind fm_node_kind(const struct fm_view *view, uint64_t node);
/* What is known of the root of such a node, which is known. false: damaged. */
bool fm_function_range_open(const struct fm_view *view, const struct fm_node_kind *kind, struct fm_function_range *out);
/* The row in NODES of a node. false: a root, or damaged. */
bool fm_node_row(const struct fm_view *view, uint64_t node, struct fm_row *out);
/* The function of a node, a number beyond all functions for none; node < node_count. */
uint64_t fm_node_function(const struct fm_view *view, uint64_t node);

#endif
