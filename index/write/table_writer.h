/* Output of packed fields (bits.h): a growing bit buffer, and sections that are tables of packed rows. */
#ifndef FM_INDEX_WRITE_TABLE_WRITER_H
#define FM_INDEX_WRITE_TABLE_WRITER_H

#include "core/heap.h"
#include "index/format/layout.h"

/* A buffer of bits. Zero-initialise the struct and set `heap`. A failed write sets `failed`, after which writes do
 * nothing: check it once at the end. */
struct fm_bit_buffer {
    struct fm_heap *heap;
    unsigned char *data;
    const unsigned char *borrowed; /* bytes that the buffer does not own; fm_output_sections_join uses them instead of
                                      `data` */
    size_t capacity;
    uint64_t bits;
    bool failed;
};
void fm_bit_buffer_free(struct fm_bit_buffer *buffer);
void fm_bit_buffer_put(struct fm_bit_buffer *buffer, uint64_t value, unsigned width);
/* Pads with zeros to a whole byte. */
void fm_bit_buffer_align(struct fm_bit_buffer *buffer);
/* Appends bytes; the buffer must be at a whole byte. */
void fm_bit_buffer_put_bytes(struct fm_bit_buffer *buffer, const void *data, size_t size);
static inline uint64_t fm_bit_buffer_bytes(const struct fm_bit_buffer *buffer) { return (buffer->bits + 7) / 8; }

/* Rows of a table, in batches and by field: field f of the i-th row is of[f][i]. The packing loops then process a field
 * of several rows at a time. */
#define FM_ROWS_AT_ONCE 32u
struct fm_columns {
    uint64_t of[FMX_FIELDS][FM_ROWS_AT_ONCE];
};
/* Callback that provides `count` rows from number `first` on; unused fields are 0. Every row is requested twice, in
 * ascending order, and must be the same both times. */
typedef void (*fm_output_rows)(void *context, uint64_t first, unsigned count, struct fm_columns *out);

/* Defines NAME_rows, of type fm_output_rows, from NAME_row, which provides one row and is inlined. */
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

/* One section of the output: its bytes, or a callback that writes them. */
struct fm_output_section {
    struct fm_bit_buffer bits;
    uint64_t count; /* number of rows; for a section of bytes, number of bytes */
    uint8_t widths[FMX_FIELDS];
    /* Callback that writes the bytes of the section; `bits` then has only their number. NULL: `bits` has the bytes. */
    void (*fill)(void *context, const struct fm_output_section *output, unsigned char *to);
    /* called after the section was written, so that the source of its bytes can be freed; may be NULL */
    void (*done)(void *context);
    void *context;
    fm_output_rows rows; /* rows for the `fill` of fm_output_section_plan */
};
/* Packs `count` rows. Each field is as wide as its greatest value needs, and at least as wide as `widths`. false: out
 * of memory. */
bool fm_output_section_write(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context);

/* Packs rows as fm_output_section_write does, but requests each row only once: `widths` must be wide enough for all
 * rows, and not all 0. */
bool fm_output_section_put(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context);

/* Measures rows as fm_output_section_write does, but lets fm_output_sections_join pack them directly into the file; the
 * context must live until then. */
void fm_output_section_plan(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context);

/* Fields of the file header besides sizes and checksums. */
struct fm_header {
    uint64_t base, positions;
    uint8_t shift, address_bits, flags;
};
/* Joins the sections after header and directory. They are indexed by section id; empty ones are left out. threads: must
 * be 1 if a `fill` or `done` uses another section; these callbacks are then called in the order of ids. *data is
 * allocated from the heap. false: out of memory. */
bool fm_output_sections_join(struct fm_heap *heap, const struct fm_output_section outputs[FMX_SECTION_END],
                             const struct fm_header *header, unsigned threads, unsigned char **data, size_t *size);

#endif
