/* Packs fields to a bit buffer, and rows to tables whose fields have the width of their greatest value. */
#include "index/write/table_writer.h"
#include "core/cpu.h"
#include "index/write/bit_writer.h"
#include <string.h>

void fm_bit_buffer_free(struct fm_bit_buffer *buffer)
{
    fm_heap_free(buffer->heap, buffer->data, buffer->capacity);
    *buffer = (struct fm_bit_buffer){.heap = buffer->heap};
}

/* Reserves `more` bytes plus the nine that one store can touch. New memory is zeroed, since fields are or-ed in. */
static bool bit_buffer_reserve(struct fm_bit_buffer *buffer, size_t more)
{
    const size_t used = (size_t)fm_bit_buffer_bytes(buffer), before = buffer->capacity;
    if (buffer->failed) return false;
    if (used + more + 9 <= before) return true;
    if (more > SIZE_MAX / 4 || used > SIZE_MAX / 4 ||
        !FM_GROW(buffer->heap, buffer->data, buffer->capacity, used + more + 9)) {
        buffer->failed = true;
        return false;
    }
    memset(buffer->data + before, 0, buffer->capacity - before);
    return true;
}

void fm_bit_buffer_put(struct fm_bit_buffer *buffer, uint64_t value, unsigned width)
{
    if (!bit_buffer_reserve(buffer, 8)) return;
    unsigned char *p = buffer->data + (buffer->bits >> 3);
    const unsigned shift = (unsigned)(buffer->bits & 7);
    value &= fm_bits_mask(width);
    fm_store64(p, fm_load64(p) | value << shift);
    if (shift + width > 64) p[8] = (unsigned char)(value >> (64 - shift));
    buffer->bits += width;
}

void fm_bit_buffer_align(struct fm_bit_buffer *buffer) { buffer->bits = (buffer->bits + 7) & ~UINT64_C(7); }

void fm_bit_buffer_put_bytes(struct fm_bit_buffer *buffer, const void *data, size_t size)
{
    if (size == 0 || !bit_buffer_reserve(buffer, size)) return;
    memcpy(buffer->data + (buffer->bits >> 3), data, size);
    buffer->bits += (uint64_t)size * 8;
}

static unsigned rows_at_once(uint64_t left) { return left < FM_ROWS_AT_ONCE ? (unsigned)left : FM_ROWS_AT_ONCE; }

/* Sets the width of each field from all rows; returns the sum of the widths. */
static unsigned measure_rows(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context)
{
    struct fm_columns columns = {{{0}}}, most = {{{0}}};
    for (uint64_t at = 0; at < count; at += FM_ROWS_AT_ONCE) {
        /* In the last batch, unused rows keep values of earlier rows, which were measured already. */
        rows(context, at, rows_at_once(count - at), &columns);
        for (unsigned f = 0; f < FMX_FIELDS; f++)
            for (unsigned i = 0; i < FM_ROWS_AT_ONCE; i++) most.of[f][i] |= columns.of[f][i];
    }
    unsigned sum = 0;
    for (unsigned f = 0; f < FMX_FIELDS; f++) {
        for (unsigned i = 1; i < FM_ROWS_AT_ONCE; i++) most.of[f][0] |= most.of[f][i];
        const unsigned need = fm_bits_for(most.of[f][0]);
        if (need > output->widths[f]) output->widths[f] = (uint8_t)need;
        sum += output->widths[f];
    }
    if (sum > 0) return sum;
    /* a row has at least one bit, so that its size limits the number of rows that a file can claim */
    return output->widths[0] = 1;
}

/* Groups of fields that are written as one number: as many neighbouring fields as fit FIELD_GROUP_BITS. Fields of width
 * 0 are left out. */
struct field_groups {
    unsigned field_count, fields[FMX_FIELDS], shifts[FMX_FIELDS]; /* shifts: bit offset of the field in its group */
    /* For each of `count` groups: the index in `fields` of its first field, the index after its last field, and its
     * size in bits. */
    unsigned count, firsts[FMX_FIELDS], ends[FMX_FIELDS], widths[FMX_FIELDS];
    uint64_t sum; /* sum of the widths: bits of a row */
};
#define FIELD_GROUP_BITS 56u

static struct field_groups plan_field_groups(const uint8_t widths[FMX_FIELDS])
{
    struct field_groups field_groups = {0};
    for (unsigned f = 0; f < FMX_FIELDS; f++) {
        if (widths[f] == 0) continue;
        field_groups.sum += widths[f];
        if (field_groups.count == 0 || field_groups.widths[field_groups.count - 1] + widths[f] > FIELD_GROUP_BITS)
            field_groups.firsts[field_groups.count++] = f;
        field_groups.shifts[field_groups.field_count] = field_groups.widths[field_groups.count - 1];
        field_groups.fields[field_groups.field_count++] = f;
        field_groups.widths[field_groups.count - 1] += widths[f];
        field_groups.ends[field_groups.count - 1] = field_groups.field_count;
    }
    return field_groups;
}

/* Adds a field of several rows to the numbers of its group. It is not inlined, so that compilers vectorise this loop
 * and do not merge the loops of several fields. */
static FM_APART void add_column(const uint64_t from[FM_ROWS_AT_ONCE], unsigned shift, uint64_t to[FM_ROWS_AT_ONCE])
{
    for (unsigned i = 0; i < FM_ROWS_AT_ONCE; i++) to[i] |= from[i] << shift;
}

/* Joins the fields of each group to one number, in place of its first field. */
static void join_fields(const struct field_groups *field_groups, struct fm_columns *columns)
{
    for (unsigned s = 0, f = 0; s < field_groups->count; s++)
        for (f++; f < field_groups->ends[s]; f++)
            add_column(columns->of[field_groups->fields[f]], field_groups->shifts[f],
                       columns->of[field_groups->firsts[s]]);
}

static void put_row_range(struct fm_bit_writer *writer, const struct field_groups *field_groups, uint64_t from,
                          uint64_t to, fm_output_rows rows, void *context)
{
    struct fm_columns columns = {{{0}}};
    /* a local copy of the bit writer stays in registers, while stores through `at` could alias *writer */
    struct fm_bit_writer own = *writer;
    for (uint64_t at = from; at < to; at += FM_ROWS_AT_ONCE) {
        const unsigned count = rows_at_once(to - at), field_group_count = field_groups->count;
        rows(context, at, count, &columns);
        join_fields(field_groups, &columns);
        for (unsigned i = 0; i < count; i++)
            for (unsigned s = 0; s < field_group_count; s++)
                fm_bit_writer_put_wide(&own, columns.of[field_groups->firsts[s]][i], field_groups->widths[s]);
    }
    *writer = own;
}

/* Packs all rows. A bit writer stores up to 8 bytes more than its fields take. After the last rows, these bytes may
 * belong to another section, so the last rows are packed to a local buffer first. */
static void put_table_rows(const struct fm_output_section *output, fm_output_rows rows, void *context,
                           unsigned char *to)
{
    /* room for two rows, and for twice the bytes of one store, since stores write whole words */
    unsigned char last[2 * 8 * FMX_FIELDS + 2 * 8];
    struct fm_bit_writer writer = {.at = to};
    const struct field_groups field_groups = plan_field_groups(output->widths);
    const uint64_t bytes = (field_groups.sum * output->count + 7) / 8,
                   whole = bytes > 8 ? (bytes - 8) * 8 / field_groups.sum : 0;
    put_row_range(&writer, &field_groups, 0, whole, rows, context);
    to = writer.at;
    writer.at = last;
    put_row_range(&writer, &field_groups, whole, output->count, rows, context);
    memcpy(to, last, (size_t)(fm_bit_writer_end(&writer) - last));
}

bool fm_output_section_put(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context)
{
    struct fm_bit_buffer *bits = &output->bits;
    uint64_t sum = 0;
    for (unsigned f = 0; f < FMX_FIELDS; f++) sum += output->widths[f];
    output->count = count;
    if (bits->failed || count > (SIZE_MAX - 16) / 64 / FMX_FIELDS) return false;
    const size_t size = (size_t)((sum * count + 7) / 8) + 8;
    bits->data = fm_heap_resize(bits->heap, NULL, 0, size);
    if (bits->data == NULL) return false;
    bits->capacity = size;
    bits->bits = sum * count;
    put_table_rows(output, rows, context, bits->data);
    return true;
}

bool fm_output_section_write(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context)
{
    measure_rows(output, count, rows, context);
    return fm_output_section_put(output, count, rows, context);
}

static void fill_rows(void *context, const struct fm_output_section *output, unsigned char *to)
{
    put_table_rows(output, output->rows, context, to);
}

void fm_output_section_plan(struct fm_output_section *output, uint64_t count, fm_output_rows rows, void *context)
{
    if (count == 0) return;
    output->bits.bits = measure_rows(output, count, rows, context) * count;
    output->count = count;
    output->fill = fill_rows;
    output->context = context;
    output->rows = rows;
}
