/* A table of packed rows, as the sections of an index are: fields of any number of bits, row after row. The
 * shape of a table was checked when the index was opened; callers check row numbers. */
#ifndef FM_INDEX_READ_TABLE_PACKED_TABLE_H
#define FM_INDEX_READ_TABLE_PACKED_TABLE_H

#include "core/cpu.h"
#include "index/format/bits.h"
#include "index/format/layout.h"

#include <stdbool.h>

struct fm_packed {
    const unsigned char *data;
    uint64_t count, size;      /* count: number of rows; size: bytes */
    uint64_t mask[FMX_FIELDS]; /* mask for each field, as wide as the field */
    uint32_t row_bits;
    uint16_t at[FMX_FIELDS]; /* bit offset of each field in a row */
    uint8_t width[FMX_FIELDS];
};

/* Returns a field of at most 57 bits. The caller has checked that row < count. */
static inline uint64_t fm_field(const struct fm_packed *table, uint64_t row, unsigned field)
{
    const uint64_t bit = row * table->row_bits + table->at[field];
    return fm_load64(table->data + (bit >> 3)) >> (bit & 7) & table->mask[field];
}
/* Returns the first field of a row. */
static inline uint64_t fm_first_field(const struct fm_packed *table, uint64_t row)
{
    const uint64_t bit = row * table->row_bits;
    return fm_load64(table->data + (bit >> 3)) >> (bit & 7) & table->mask[0];
}
/* Returns a field of up to 64 bits, such as a position or the number of a scope. */
static inline uint64_t fm_field_wide(const struct fm_packed *table, uint64_t row, unsigned field)
{
    if (table->width[field] <= 57) return fm_field(table, row, field);
    return fm_bits_get_wide(table->data, row * table->row_bits + table->at[field], table->width[field]);
}
/* Returns the first row of [begin, end) whose field is above `most`, or `end`; rows ascend by that field. Binary
 * search. wide: the field may have more than 57 bits; a constant for the compiler, since the check costs as much as the
 * search. */
static inline uint64_t fm_first_above(const struct fm_packed *table, uint64_t begin, uint64_t end, unsigned field,
                                      uint64_t most, bool wide)
{
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        const uint64_t found = wide ? fm_field_wide(table, middle, field) : fm_field(table, middle, field);
        if (found <= most)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}
/* A row, for reading several of its fields. */
struct fm_table_row {
    const struct fm_packed *table;
    uint64_t bit;
};
static inline struct fm_table_row fm_table_row_at(const struct fm_packed *table, uint64_t row)
{
    return (struct fm_table_row){table, row * table->row_bits};
}
static inline uint64_t fm_table_row_field(struct fm_table_row row, unsigned field)
{
    const uint64_t bit = row.bit + row.table->at[field];
    return fm_load64(row.table->data + (bit >> 3)) >> (bit & 7) & row.table->mask[field];
}

/* A row for fm_word_row_field, which reads the same fields as fm_table_row_field. If `whole` (a compile-time constant)
 * is set, rows have at most 57 bits and are read with one load. */
struct fm_word_row {
    struct fm_table_row row;
    uint64_t word;
    bool whole;
};
static inline struct fm_word_row fm_word_row_at(const struct fm_packed *table, uint64_t number, bool whole)
{
    const struct fm_table_row row = fm_table_row_at(table, number);
    return (struct fm_word_row){row, whole ? fm_bits_from(table->data, row.bit) : 0, whole};
}
static inline uint64_t fm_word_row_field(struct fm_word_row row, unsigned field)
{
    const struct fm_packed *table = row.row.table;
    return row.whole ? row.word >> table->at[field] & table->mask[field] : fm_table_row_field(row.row, field);
}

/* Prefetches a row; any number is allowed. */
static inline void fm_prefetch_row(const struct fm_packed *table, uint64_t row)
{
    if (row < table->count) fm_prefetch(table->data + (row * table->row_bits >> 3));
}
/* Prefetches the bytes at an offset in a section of bytes; any offset is allowed. */
static inline void fm_prefetch_bytes(const struct fm_packed *table, uint64_t at)
{
    if (at < table->size) fm_prefetch(table->data + at);
}

#endif
