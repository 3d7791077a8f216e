/* An opened index: its tables and how to reach a field. Every access checks its row; the shape of the tables was
 * checked at open. */
#ifndef FM_INDEX_READ_TABLE_TABLES_H
#define FM_INDEX_READ_TABLE_TABLES_H

#include "index/read/table/packed_table.h"
#include "index/read/view.h"

/* A stretch of the line that a position falls into. */
struct fm_axis_position {
    uint64_t spot;
    uint64_t first, begin; /* the range's first position and its spot */
    uint64_t end;          /* spot behind the range */
    uint64_t next;         /* position where the scope's next range begins, or UINT64_MAX */
    unsigned unit;
};
/* The image's longest range, which most positions fall into, as finding reads it. */
struct fm_longest_range {
    uint64_t first, positions; /* those up to the next range; 0: there is no such range */
    uint64_t begin, last;      /* its first spot, and how far behind it the last one is */
    unsigned unit;
};
#define FM_RANGES_FEW 8u

struct fm_name_cache;
struct fm_string_table;

struct fm_view {
    struct fm_view_face face; /* first: fm_view_face */
    struct fm_heap *heap;
    struct fm_name_cache *cache; /* made while the view is used, by any thread */
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
    struct fm_longest_range main;
    struct fm_axis_position
        few[FM_RANGES_FEW]; /* all of the image's ranges, in their order, where they are no more than these */
    unsigned few_count;
    /* lookup_fast.c */
    bool has_bmi2;                 /* the CPU: asked once */
    uint64_t read_end, common_end; /* of blocks' places: one before them can be read to see if it has the common shape,
                                      and has room for that shape */
};

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
static inline framemap_str fm_table_row_text(const struct fm_view *view, struct fm_table_row row, unsigned field)
{
    return fm_view_text(view, fm_table_row_field(row, field), fm_table_row_field(row, field + 1));
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

/* The form of the index. */
static inline bool fm_is_classes(const struct fm_view *view) { return (view->flags & FMX_FLAG_CLASSES) != 0; }
static inline bool fm_is_segments(const struct fm_view *view) { return (view->flags & FMX_FLAG_SEGMENTS) != 0; }

#endif
