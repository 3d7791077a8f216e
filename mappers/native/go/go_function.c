/* Reads functions of the table of a Go program. See go_function.h. */
#include "mappers/native/go/go_function.h"

#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/native/go/go_bytes.h"

/* --- reading a function's record --- */

/* Numbers of the pc-value table and of the function data that describe inlining: PCDATA_InlTreeIndex and
 * FUNCDATA_InlTree of golang src/runtime/funcdata.h. Versions of Go before 1.13 have others. */
enum { INLINE_VALUES = 2, INLINE_TREE = 3, INLINE_TREE_BEFORE_1_16 = 4 };

/* Returns the bytes of an inline tree. Since version 1.18 the record has the offset of the tree (UINT32_MAX: no tree),
 * before that version its address (0: no tree). */
static framemap_str read_tree(const struct fm_go_table *table, struct fm_byte_reader *r, unsigned data_count)
{
    const framemap_str none = {NULL, 0};
    const unsigned number = table->start.version == FM_GO_1_2 ? INLINE_TREE_BEFORE_1_16 : INLINE_TREE;

    if (number >= data_count) return none;
    if (table->start.version < FM_GO_1_18) {
        const uint64_t unaligned = (table->whole.size - fm_byte_reader_left(r)) % table->start.pointer_size;
        if (unaligned != 0) fm_byte_reader_skip(r, table->start.pointer_size - unaligned);
        fm_byte_reader_skip(r, (uint64_t)number * table->start.pointer_size);
        const uint64_t address = fm_read_uint(r, table->start.pointer_size);
        return address != 0 && !r->bad ? fm_go_bytes_at(table->image, address) : none;
    }
    fm_byte_reader_skip(r, number * 4u);
    const uint32_t offset = fm_read_u32(r);
    if (r->bad || offset >= table->inline_data.size) return none;
    return fm_str_from(table->inline_data, offset);
}

/* Reads the lists at the end of a record: offsets of pc-value tables, then the function data. */
static void read_inlining(const struct fm_go_table *table, struct fm_byte_reader *r, uint32_t value_count,
                          unsigned data_count, struct fm_go_function *out)
{
    if (!table->has_inlining || value_count <= INLINE_VALUES) return;
    fm_byte_reader_skip(r, INLINE_VALUES * 4u);
    out->inlined = fm_read_u32(r);
    fm_byte_reader_skip(r, ((uint64_t)value_count - INLINE_VALUES - 1) * 4);
    if (out->inlined != 0) out->tree = read_tree(table, r, data_count);
}

bool fm_go_function_read(const struct fm_go_table *table, uint32_t number, struct fm_go_function *out)
{
    struct fm_byte_reader r = fm_byte_reader_of(fm_go_table_record(table, number), table->image->big_endian);

    *out =
        (struct fm_go_function){.start = fm_go_table_start(table, number), .end = fm_go_table_start(table, number + 1)};
    /* the start of the function's code is skipped */
    fm_byte_reader_skip(&r, table->start.version >= FM_GO_1_18 ? 4 : table->start.pointer_size);
    out->name = fm_go_string(table->names, fm_read_u32(&r), FM_LIMIT_NAME);
    /* the size of the arguments, a frame size or address, and the table of frame sizes are skipped */
    fm_byte_reader_skip(&r, 3 * 4);
    out->files = fm_read_u32(&r);
    out->lines = fm_read_u32(&r);
    const uint32_t value_count = fm_read_u32(&r);
    if (table->start.version >= FM_GO_1_16) out->unit = fm_read_u32(&r);
    if (table->start.version >= FM_GO_1_20) out->start_line1 = fm_read_u32(&r);
    fm_byte_reader_skip(&r, 3); /* the kind of function, its flags and a byte of padding are skipped */
    const unsigned data_count = fm_read_u8(&r);
    const bool sound = !r.bad;
    if (sound) read_inlining(table, &r, value_count, data_count, out);
    if (out->start_line1 > INT32_MAX) out->start_line1 = 0;
    return sound;
}

/* --- finding the paths of files --- */

/* Returns entry `number` of a list of offsets; UINT32_MAX: there is no such entry. */
static uint32_t entry_of(const struct fm_go_table *table, framemap_str list, uint64_t number)
{
    struct fm_byte_reader r = fm_byte_reader_of(list, table->image->big_endian);

    fm_byte_reader_skip(&r, number * 4);
    const uint32_t entry = fm_read_u32(&r);
    return r.bad ? UINT32_MAX : entry;
}

uint32_t fm_go_file(const struct fm_go_table *table, const struct fm_go_function *function, int32_t number)
{
    if (number < 0) return FM_GO_NO_FILE;
    if (table->start.version >= FM_GO_1_16) {
        /* the linker generated this function, so it has no source file */
        if (function->unit == UINT32_MAX) return FM_GO_NO_FILE;
        return entry_of(table, table->units, (uint64_t)function->unit + (uint32_t)number);
    }
    if (number == 0 || (uint32_t)number >= table->file_count) return FM_GO_NO_FILE;
    return entry_of(table, table->files, (uint32_t)number);
}

framemap_str fm_go_path(const struct fm_go_table *table, uint32_t offset)
{
    return fm_go_string(table->start.version >= FM_GO_1_16 ? table->files : table->whole, offset, FM_LIMIT_PATH);
}

/* --- reading pc-value tables --- */

/* A cursor over a pc-value table. A step of the table has the difference to the value before it (-1 before the first
 * step), and the size of the code that has the new value. */
struct pc_values {
    struct fm_byte_reader r;
    uint64_t start, end; /* end: end of the code that has the value */
    /* number of steps that may still be read; at first the size of the function's code in bytes. A sound table has no
     * more steps, and a damaged table whose steps cover no code ends at this limit. */
    uint64_t steps_left;
    int32_t value;
    bool ended; /* the table has ended, so further code has the value -1 */
};

static struct pc_values pc_values_of(const struct fm_go_table *table, const struct fm_go_function *function,
                                     uint32_t offset)
{
    struct pc_values values = {.r = fm_byte_reader_of(table->values, table->image->big_endian),
                               .start = function->start,
                               .end = function->start,
                               .steps_left = function->end - function->start,
                               .value = -1,
                               .ended = offset == 0};

    fm_byte_reader_seek(&values.r, offset);
    return values;
}

/* Moves to the value at `address`, which must not be less than in earlier calls. A difference of 0 ends the table,
 * except in the first step. */
static void move_to(struct pc_values *values, uint64_t address, unsigned quantum)
{
    while (!values->ended && values->end <= address) {
        const uint32_t difference = (uint32_t)fm_read_uleb(&values->r);
        const uint64_t units = (uint32_t)fm_read_uleb(&values->r);
        const uint32_t change = difference & 1 ? ~(difference >> 1) : difference >> 1;
        values->ended = values->r.bad || (difference == 0 && values->end != values->start) || values->steps_left == 0;
        values->steps_left--;
        values->end += units * quantum;
        values->value = (int32_t)((uint32_t)values->value + change);
    }
    if (values->ended) values->value = -1;
}

static void lower_to_end(uint64_t *next, const struct pc_values *values)
{
    if (!values->ended && values->end < *next) *next = values->end;
}

static bool add_run(struct fm_go_runs *runs, struct fm_go_run run)
{
    const struct fm_go_run *last = runs->count > 0 ? &runs->items[runs->count - 1] : NULL;

    if (last != NULL && last->file == run.file && last->line1 == run.line1 && last->inlined == run.inlined) return true;
    if (!FM_GROW(runs->heap, runs->items, runs->capacity, runs->count + 1)) return false;
    runs->items[runs->count++] = run;
    return true;
}

bool fm_go_runs_read(const struct fm_go_table *table, const struct fm_go_function *function, struct fm_go_runs *out)
{
    struct pc_values files = pc_values_of(table, function, function->files);
    struct pc_values lines = pc_values_of(table, function, function->lines);
    struct pc_values inlined = pc_values_of(table, function, function->tree.size > 0 ? function->inlined : 0);
    uint64_t next;

    out->count = 0;
    out->end = function->lines == 0 ? function->end : function->start;
    for (uint64_t at = function->start; at < function->end; at = next) {
        move_to(&lines, at, table->start.quantum);
        move_to(&files, at, table->start.quantum);
        move_to(&inlined, at, table->start.quantum);
        if (lines.ended) break;
        next = function->end;
        lower_to_end(&next, &lines);
        lower_to_end(&next, &files);
        lower_to_end(&next, &inlined);
        const struct fm_go_run run = {at, fm_go_file(table, function, files.value),
                                      lines.value > 0 ? (uint32_t)lines.value : 0, inlined.value};
        if (!add_run(out, run)) return false;
        out->end = next;
    }
    return true;
}

void fm_go_runs_free(struct fm_go_runs *runs)
{
    fm_heap_free(runs->heap, runs->items, runs->capacity * sizeof *runs->items);
}

const struct fm_go_run *fm_go_runs_at(const struct fm_go_runs *runs, uint64_t address)
{
    size_t low = 0, high = runs->count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (runs->items[middle].low <= address)
            low = middle;
        else
            high = middle;
    }
    return &runs->items[low];
}
