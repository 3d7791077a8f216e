#include "index/write/table_writer.h"
#include "core/cpu.h"
#include "index/write/bit_writer.h"
#include <string.h>

void fm_packer_free(struct fm_packer *packer)
{
    fm_heap_free(packer->heap, packer->data, packer->capacity);
    *packer = (struct fm_packer){.heap = packer->heap};
}

/* Room for some more bytes and the nine that one store touches; fresh memory is zeroed, since fields are or-ed in. */
static bool reserve(struct fm_packer *packer, size_t more)
{
    const size_t used = (size_t)fm_packer_bytes(packer), before = packer->capacity;
    if (packer->failed) return false;
    if (used + more + 9 <= before) return true;
    if (more > SIZE_MAX / 4 || used > SIZE_MAX / 4 ||
        !FM_GROW(packer->heap, packer->data, packer->capacity, used + more + 9)) {
        packer->failed = true;
        return false;
    }
    memset(packer->data + before, 0, packer->capacity - before);
    return true;
}

void fm_pack(struct fm_packer *packer, uint64_t value, unsigned width)
{
    if (!reserve(packer, 8)) return;
    unsigned char *p = packer->data + (packer->bits >> 3);
    const unsigned shift = (unsigned)(packer->bits & 7);
    value &= fm_bits_mask(width);
    fm_store64(p, fm_load64(p) | value << shift);
    if (shift + width > 64) p[8] = (unsigned char)(value >> (64 - shift));
    packer->bits += width;
}

void fm_pack_align(struct fm_packer *packer) { packer->bits = (packer->bits + 7) & ~UINT64_C(7); }

void fm_pack_bytes(struct fm_packer *packer, const void *data, size_t size)
{
    if (size == 0 || !reserve(packer, size)) return;
    memcpy(packer->data + (packer->bits >> 3), data, size);
    packer->bits += (uint64_t)size * 8;
}

static unsigned rows_at_once(uint64_t left) { return left < FM_ROWS_AT_ONCE ? (unsigned)left : FM_ROWS_AT_ONCE; }

/* Widths of the fields, by all rows; returns their sum. */
static unsigned measure_rows(struct fm_sheet *sheet, uint64_t count, fm_sheet_rows rows, void *context)
{
    struct fm_columns columns = {{{0}}}, most = {{{0}}};
    for (uint64_t at = 0; at < count; at += FM_ROWS_AT_ONCE) {
        rows(context, at, rows_at_once(count - at),
             &columns); /* behind the last ones stand some of before, which were measured */
        for (unsigned f = 0; f < FMX_FIELDS; f++)
            for (unsigned i = 0; i < FM_ROWS_AT_ONCE; i++) most.of[f][i] |= columns.of[f][i];
    }
    unsigned sum = 0;
    for (unsigned f = 0; f < FMX_FIELDS; f++) {
        for (unsigned i = 1; i < FM_ROWS_AT_ONCE; i++) most.of[f][0] |= most.of[f][i];
        const unsigned need = fm_bits_for(most.of[f][0]);
        if (need > sheet->widths[f]) sheet->widths[f] = (uint8_t)need;
        sum += sheet->widths[f];
    }
    if (sum > 0) return sum;
    return sheet->widths[0] =
               1; /* a row takes at least one bit, so that the bytes bound the rows that a file can claim */
}

/* How the fields of a sheet that take bits go to the pen: several of them as one number, as far as it takes them. */
struct strokes {
    unsigned field_count, fields[FMX_FIELDS], shifts[FMX_FIELDS]; /* shifts: in the stroke */
    unsigned count, firsts[FMX_FIELDS], ends[FMX_FIELDS],
        widths[FMX_FIELDS]; /* by stroke: first field, behind the last in `fields`, bits */
    uint64_t sum;           /* of all bits */
};
#define STROKE_BITS 56u

static struct strokes plan_strokes(const uint8_t widths[FMX_FIELDS])
{
    struct strokes strokes = {0};
    for (unsigned f = 0; f < FMX_FIELDS; f++) {
        if (widths[f] == 0) continue;
        strokes.sum += widths[f];
        if (strokes.count == 0 || strokes.widths[strokes.count - 1] + widths[f] > STROKE_BITS)
            strokes.firsts[strokes.count++] = f;
        strokes.shifts[strokes.field_count] = strokes.widths[strokes.count - 1];
        strokes.fields[strokes.field_count++] = f;
        strokes.widths[strokes.count - 1] += widths[f];
        strokes.ends[strokes.count - 1] = strokes.field_count;
    }
    return strokes;
}

/* By itself, so that compilers make vectors of it and do not take several fields in one loop. */
static FM_APART void add_column(const uint64_t from[FM_ROWS_AT_ONCE], unsigned shift, uint64_t to[FM_ROWS_AT_ONCE])
{
    for (unsigned i = 0; i < FM_ROWS_AT_ONCE; i++) to[i] |= from[i] << shift;
}

/* The fields of each stroke as one number, in the place of its first field. */
static void join_fields(const struct strokes *strokes, struct fm_columns *columns)
{
    for (unsigned s = 0, f = 0; s < strokes->count; s++)
        for (f++; f < strokes->ends[s]; f++)
            add_column(columns->of[strokes->fields[f]], strokes->shifts[f], columns->of[strokes->firsts[s]]);
}

static void pen_rows(struct fm_bit_writer *pen, const struct strokes *strokes, uint64_t from, uint64_t to,
                     fm_sheet_rows rows, void *context)
{
    struct fm_columns columns = {{{0}}};
    struct fm_bit_writer own = *pen; /* in registers: what is written could be anything, also the pen */
    for (uint64_t at = from; at < to; at += FM_ROWS_AT_ONCE) {
        const unsigned count = rows_at_once(to - at), stroke_count = strokes->count;
        rows(context, at, count, &columns);
        join_fields(strokes, &columns);
        for (unsigned i = 0; i < count; i++)
            for (unsigned s = 0; s < stroke_count; s++)
                fm_bit_writer_put_wide(&own, columns.of[strokes->firsts[s]][i], strokes->widths[s]);
    }
    *pen = own;
}

/* Packs the rows behind each other. A pen writes some bytes more than it has, which behind the last rows may be another
 * section's: they are packed apart. */
static void put_rows(const struct fm_sheet *sheet, fm_sheet_rows rows, void *context, unsigned char *to)
{
    unsigned char last[2 * 8 * FMX_FIELDS + 2 * 8]; /* two rows, and twice what a pen writes at once */
    struct fm_bit_writer pen = {.at = to};
    const struct strokes strokes = plan_strokes(sheet->widths);
    const uint64_t bytes = (strokes.sum * sheet->count + 7) / 8, whole = bytes > 8 ? (bytes - 8) * 8 / strokes.sum : 0;
    pen_rows(&pen, &strokes, 0, whole, rows, context);
    to = pen.at;
    pen.at = last;
    pen_rows(&pen, &strokes, whole, sheet->count, rows, context);
    memcpy(to, last, (size_t)(fm_bit_writer_end(&pen) - last));
}

bool fm_sheet_put(struct fm_sheet *sheet, uint64_t count, fm_sheet_rows rows, void *context)
{
    struct fm_packer *bits = &sheet->bits;
    uint64_t sum = 0;
    for (unsigned f = 0; f < FMX_FIELDS; f++) sum += sheet->widths[f];
    sheet->count = count;
    if (bits->failed || count > (SIZE_MAX - 16) / 64 / FMX_FIELDS) return false;
    const size_t size = (size_t)((sum * count + 7) / 8) + 8;
    bits->data = fm_heap_resize(bits->heap, NULL, 0, size);
    if (bits->data == NULL) return false;
    bits->capacity = size;
    bits->bits = sum * count;
    put_rows(sheet, rows, context, bits->data);
    return true;
}

bool fm_sheet_write(struct fm_sheet *sheet, uint64_t count, fm_sheet_rows rows, void *context)
{
    measure_rows(sheet, count, rows, context);
    return fm_sheet_put(sheet, count, rows, context);
}

static void fill_rows(void *context, const struct fm_sheet *sheet, unsigned char *to)
{
    put_rows(sheet, sheet->rows, context, to);
}

void fm_sheet_plan(struct fm_sheet *sheet, uint64_t count, fm_sheet_rows rows, void *context)
{
    if (count == 0) return;
    sheet->bits.bits = measure_rows(sheet, count, rows, context) * count;
    sheet->count = count;
    sheet->fill = fill_rows;
    sheet->context = context;
    sheet->rows = rows;
}
