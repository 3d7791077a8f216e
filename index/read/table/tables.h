/* The definition of an opened index, for the files of index/read, index/verify and index/split. The shape of the tables
 * was checked when the index was opened; every access checks its row. */
#ifndef FM_INDEX_READ_TABLE_TABLES_H
#define FM_INDEX_READ_TABLE_TABLES_H

#include "index/read/table/packed_table.h"
#include "index/read/view.h"

/* A range of the axis, on which all positions of an index follow each other, and the position that was looked up in
 * it. */
struct fm_axis_position {
    uint64_t axis_offset;
    uint64_t first, begin; /* the first position of the range, and its offset on the axis */
    uint64_t end;          /* offset on the axis of the end of the range */
    uint64_t next;         /* first position of the scope's next range, or UINT64_MAX */
    unsigned unit;
};
/* The longest range of the image. Most positions of the image are in this range, so the fast path tries it first. */
struct fm_longest_range {
    /* positions: how many positions there are from `first` to the start of the next range; 0: the image has no range */
    uint64_t first, positions;
    /* begin: first offset of the range on the axis of positions; last: last offset of the range, counted from
     * `begin` */
    uint64_t begin, last;
    unsigned unit;
};
#define FM_RANGES_FEW 8u

struct fm_view_cache;
struct fm_string_table;

struct fm_view {
    struct fm_view_face face; /* the first member, so that callers can use the view as an fm_view_face */
    struct fm_heap *heap;
    struct fm_view_cache *cache; /* caches, which any thread fills while the view is used */
    framemap_str bytes;
    struct fm_packed tables[FMX_SECTION_END];
    uint64_t position_count;
    struct fm_string_table *sorted_texts; /* sorted strings; NULL: none. Filled while the view is used, by any thread */
    uint64_t node_count, root_count;
    unsigned function_width; /* width of a function number in bits */
    unsigned details_from;   /* index of the first field with a function's details in a row */
    unsigned version, shift, node_width, text_width;
    uint8_t address_bits, flags;
    bool one_range_each;
    struct fm_longest_range main;
    struct fm_axis_position few[FM_RANGES_FEW]; /* all ranges of the image, in order, if there are few */
    unsigned few_count;
    /* Members for the fast path, lookup_fast.c. */
    bool has_bmi2; /* the CPU has the BMI2 instructions */
    /* Offsets in BLOCKS. A block that starts before read_end has enough bytes after its start to read its head. A block
     * of the common layout that starts before common_end is completely inside the section. */
    uint64_t read_end, common_end;
};

/* Returns a string of STRINGS; absent if it is outside the section. */
static inline framemap_str fm_view_text(const struct fm_view *view, uint64_t at, uint64_t size)
{
    const struct fm_packed *strings = &view->tables[FMX_STRINGS];
    if (at == 0 || at + size > strings->count)
        return (framemap_str){NULL, 0}; /* offset plus size cannot overflow, because fields have at most 57 bits */
    return (framemap_str){(const char *)strings->data + at, (size_t)size};
}
/* Returns the string that a pair of fields, offset and size, refers to. */
static inline framemap_str fm_text_field(const struct fm_view *view, const struct fm_packed *table, uint64_t row,
                                         unsigned field)
{
    return fm_view_text(view, fm_field(table, row, field), fm_field(table, row, field + 1));
}
/* Finds the row whose string is `key`, in a table sorted by a string that is given by a pair of fields, offset and
 * size. false: there is none. */
static inline bool fm_text_row(const struct fm_view *view, const struct fm_packed *table, unsigned field,
                               framemap_str key, uint64_t *row)
{
    for (uint64_t low = 0, high = table->count; low < high;) {
        const uint64_t middle = low + (high - low) / 2;
        const int order = fm_str_compare(fm_text_field(view, table, middle, field), key);
        if (order == 0) {
            *row = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
static inline framemap_str fm_table_row_text(const struct fm_view *view, struct fm_table_row row, unsigned field)
{
    return fm_view_text(view, fm_table_row_field(row, field), fm_table_row_field(row, field + 1));
}
/* Returns the greatest end of the strings that a pair of fields refers to in all rows; at least `end`. */
static inline uint64_t fm_texts_end(const struct fm_packed *table, unsigned field, uint64_t end)
{
    for (uint64_t i = 0; i < table->count; i++) {
        const uint64_t at = fm_field(table, i, field), size = fm_field(table, i, field + 1);
        if (size <= UINT64_MAX - at && at + size > end) end = at + size;
    }
    return end;
}

/* Whether an index has the class form or the segment form. */
static inline bool fm_is_classes(const struct fm_view *view) { return (view->flags & FMX_FLAG_CLASSES) != 0; }
static inline bool fm_is_segments(const struct fm_view *view) { return (view->flags & FMX_FLAG_SEGMENTS) != 0; }

#endif
