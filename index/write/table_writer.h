/* Writing packed fields (bits.h) into growing memory, and tables of them. */
#ifndef FM_INDEX_WRITE_TABLE_WRITER_H
#define FM_INDEX_WRITE_TABLE_WRITER_H

#include "core/heap.h"
#include "index/format/layout.h"

/* Zero-initialise with the heap set. A failed write sets `failed`, after which all writes do nothing: test once at the
 * end. */
struct fm_bit_buffer {
    struct fm_heap *heap;
    unsigned char *data;
    const unsigned char *borrowed; /* bytes of another, instead of data: for fm_output_sections_join only */
    size_t capacity;
    uint64_t bits;
    bool failed;
};
void fm_bit_buffer_free(struct fm_bit_buffer *packer);
void fm_bit_buffer_put(struct fm_bit_buffer *packer, uint64_t value, unsigned width);
/* Fills up to a whole byte. */
void fm_bit_buffer_align(struct fm_bit_buffer *packer);
/* From a whole byte on. */
void fm_bit_buffer_put_bytes(struct fm_bit_buffer *packer, const void *data, size_t size);
static inline uint64_t fm_bit_buffer_bytes(const struct fm_bit_buffer *packer) { return (packer->bits + 7) / 8; }

/* Rows of a table, some at once, by field: field f of the i-th is of[f][i]. Who packs them then takes a field of
 * several rows in one step. */
#define FM_ROWS_AT_ONCE 32u
struct fm_columns {
    uint64_t of[FMX_FIELDS][FM_ROWS_AT_ONCE];
};
/* Gives `count` rows, from `first` on; fields that a row has not are 0. All are asked for in turn, twice, and the
 * answers must be the same. */
typedef void (*fm_output_rows)(void *context, uint64_t first, unsigned count, struct fm_columns *out);

/* Defines NAME_rows of a NAME_row that gives the fields of one row, and becomes part of it. */
#define FM_OUTPUT_ROWS(name)                                                                       \
    static void name##_rows(void *context, uint64_t first, unsigned count, struct fm_columns *out) \
    {                                                                                              \
        fm_each_row(name##_row, context, first, count, out);                                       \
    }
static inline void fm_each_row(void (*row)(void *context, uint64_t row, uint64_t fields[FMX_FIELDS]), void *context,
                               uint64_t first, unsigned count, struct fm_columns *out)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t fields[FMX_FIELDS] = {0};
        row(context, first + i, fields);
        for (unsigned f = 0; f < FMX_FIELDS; f++) out->of[f][i] = fields[f];
    }
}

/* One section that is ready to be written out: as bytes, or by a call that writes them. */
struct fm_output_section {
    struct fm_bit_buffer bits;
    uint64_t count; /* rows; bytes for a section of bytes */
    uint8_t widths[FMX_FIELDS];
    void (*fill)(void *context, const struct fm_output_section *output,
                 unsigned char *to); /* NULL: `bits` has the bytes, else only their number */
    void (*done)(void *context); /* called when it is written, where it is not NULL: the source of the bytes may go */
    void *context;
    fm_output_rows rows; /* for the fill of fm_output_section_plan */
};
/* Packs count rows, each field as wide as its greatest value needs, and no narrower than `widths` says beforehand.
 * false: out of memory. */
bool fm_output_section_write(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context);

/* The same where `widths` says already what all rows need, which is a bit at least: each row is asked for once. */
bool fm_output_section_put(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context);

/* The same as fm_output_section_write, but the rows are packed by fm_output_sections_join, at their place: until then
 * the context must live. */
void fm_output_section_plan(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context);

/* What stands in the header beside sizes and checksums. */
struct fm_header {
    uint64_t base, positions;
    uint8_t shift, address_bits, flags;
};
/* Joins outputs (by section id; those of no rows are left out) behind header and directory. threads: 1 where a output's
 * `fill` or `done` has to do with another output's, which are called in the order of ids then. *data is of the heap.
 * false: out of memory. */
bool fm_output_sections_join(struct fm_heap *heap, const struct fm_output_section outputs[FMX_SECTION_END],
                             const struct fm_header *header, unsigned threads, unsigned char **data, size_t *size);

#endif
