/* Lists the inlined calls of a function of a Go program. See go_inlining.h. */
#include "mappers/native/go/go_inlining.h"

#include "core/limits.h"
#include "mappers/native/go/go_bytes.h"

#include <string.h>

struct call_list {
    const struct fm_go_table *table;
    const struct fm_go_function *function;
    const struct fm_go_runs *runs;
    struct fm_go_calls *calls;
};

/* --- reading entries of the inline tree --- */

/* Reads an entry of version 1.20 and later. The entry has the address of an instruction of the caller. The source
 * position of this instruction is the position of the call, and the inlined call that the instruction belongs to is the
 * parent. */
static void read_entry(const struct call_list *list, struct fm_byte_reader *r, struct fm_go_call *out, int32_t *parent)
{
    fm_byte_reader_seek(r, (uint64_t)out->index * 16);
    fm_byte_reader_skip(r, 4); /* the kind of function and padding are skipped */
    out->name = fm_go_string(list->table->names, fm_read_u32(r), FM_LIMIT_NAME);
    const uint64_t at = (uint64_t)list->function->start + fm_read_u32(r);
    out->start_line1 = fm_read_u32(r);
    if (out->start_line1 > INT32_MAX) out->start_line1 = 0;
    if (at >= list->runs->end) r->bad = true;
    const struct fm_go_run *run = fm_go_runs_at(list->runs, at);
    out->call_file = run->file;
    out->call_line1 = run->line1;
    *parent = run->inlined;
}

/* Reads an entry of a version before 1.20, which has the position of the call and the index of its parent. */
static void read_old_entry(const struct call_list *list, struct fm_byte_reader *r, struct fm_go_call *out,
                           int32_t *parent)
{
    fm_byte_reader_seek(r, (uint64_t)out->index * 20);
    *parent = (int16_t)fm_read_u16(r);
    fm_byte_reader_skip(r, 2); /* the kind of function and padding are skipped */
    out->call_file = fm_go_file(list->table, list->function, (int32_t)fm_read_u32(r));
    out->call_line1 = fm_read_u32(r);
    out->name = fm_go_string(list->table->names, fm_read_u32(r), FM_LIMIT_NAME);
    if (out->call_line1 > INT32_MAX) out->call_line1 = 0;
}

/* Reads an entry of the inline tree, whose index is set. Returns false if the entry is not sound. A parent must precede
 * the calls that are inlined into it, so that there is no cycle. */
static bool read_call(const struct call_list *list, struct fm_go_call *out, int32_t *parent)
{
    struct fm_byte_reader r = fm_byte_reader_of(list->function->tree, list->table->image->big_endian);

    if (list->table->start.version >= FM_GO_1_20)
        read_entry(list, &r, out, parent);
    else
        read_old_entry(list, &r, out, parent);
    return !r.bad && out->name.size > 0 && *parent >= -1 && (int64_t)*parent < (int64_t)out->index;
}

/* --- listing the calls --- */

/* Returns the element of `slots` for an entry of the inline tree. NULL when out of memory. */
static uint32_t *slot_of(struct fm_go_calls *calls, uint32_t index)
{
    const size_t count = calls->slot_count;

    if (index >= count) {
        if (!FM_GROW(calls->heap, calls->slots, calls->slot_capacity, (size_t)index + 1)) return NULL;
        fm_clear(calls->slots + count, (calls->slot_capacity - count) * sizeof *calls->slots);
        calls->slot_count = calls->slot_capacity;
    }
    return &calls->slots[index];
}

/* Adds a call to the list of calls that are inlined into `parent`; FM_NONE: into the function itself. */
static void add_to_parent(struct fm_go_calls *calls, uint32_t call, uint32_t parent)
{
    uint32_t *first = parent == FM_NONE ? &calls->first : &calls->items[parent].first_inner;

    calls->items[call].parent = parent;
    calls->items[call].next = *first;
    *first = call;
}

/* Adds an entry of the inline tree, and all entries into which it is inlined, directly or not, as far as they are not
 * listed yet. Returns false when out of memory. */
static bool add_chain(const struct call_list *list, int32_t index)
{
    struct fm_go_calls *calls = list->calls;
    /* most calls of a sound tree: each has at least one byte of code, its own or of a call inlined into it */
    const uint64_t most = list->function->end - list->function->start;
    uint32_t inner = FM_NONE;

    while (index >= 0) {
        struct fm_go_call call = {.index = (uint32_t)index, .parent = FM_NONE, .first_inner = FM_NONE, .next = FM_NONE};
        const uint32_t number = (uint32_t)calls->count;
        if ((uint32_t)index < calls->slot_count && calls->slots[index] != 0) {
            if (inner != FM_NONE) add_to_parent(calls, inner, calls->slots[index] - 1);
            return true;
        }
        calls->damaged = !read_call(list, &call, &index) || number >= most;
        if (calls->damaged) return true;
        uint32_t *slot = slot_of(calls, call.index);
        if (slot == NULL || !FM_GROW(calls->heap, calls->items, calls->capacity, calls->count + 1)) return false;
        calls->items[calls->count++] = call;
        *slot = number + 1;
        if (inner != FM_NONE) add_to_parent(calls, inner, number);
        inner = number;
    }
    if (inner != FM_NONE) add_to_parent(calls, inner, FM_NONE);
    return true;
}

/* Sets the ranges of all calls: each run belongs to its innermost call. */
static bool list_ranges(const struct call_list *list)
{
    struct fm_go_calls *calls = list->calls;
    const struct fm_go_runs *runs = list->runs;
    size_t first = 0;

    if (!FM_GROW(calls->heap, calls->ranges, calls->range_capacity, runs->count)) return false;
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->items[i].inlined >= 0) calls->items[calls->slots[runs->items[i].inlined] - 1].range_count++;
    }
    for (size_t i = 0; i < calls->count; i++) {
        calls->items[i].first_range = first;
        first += calls->items[i].range_count;
        calls->items[i].range_count = 0;
    }
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->items[i].inlined < 0) continue;
        struct fm_go_call *call = &calls->items[calls->slots[runs->items[i].inlined] - 1];
        const uint64_t high = i + 1 < runs->count ? runs->items[i + 1].low : runs->end;
        calls->ranges[call->first_range + call->range_count++] = (struct fm_dw_range){runs->items[i].low, high};
    }
    return true;
}

bool fm_go_calls_read(const struct fm_go_table *table, const struct fm_go_function *function,
                      const struct fm_go_runs *runs, struct fm_go_calls *out)
{
    const struct call_list list = {table, function, runs, out};
    bool good = true;

    out->count = 0;
    out->first = FM_NONE;
    out->damaged = false;
    for (size_t i = 0; i < runs->count && good && !out->damaged; i++) good = add_chain(&list, runs->items[i].inlined);
    if (good && !out->damaged) good = list_ranges(&list);
    for (size_t i = 0; i < out->count; i++) out->slots[out->items[i].index] = 0;
    if (out->damaged) out->count = 0;
    if (out->damaged) out->first = FM_NONE;
    return good;
}

void fm_go_calls_free(struct fm_go_calls *calls)
{
    fm_heap_free(calls->heap, calls->items, calls->capacity * sizeof *calls->items);
    fm_heap_free(calls->heap, calls->slots, calls->slot_capacity * sizeof *calls->slots);
    fm_heap_free(calls->heap, calls->ranges, calls->range_capacity * sizeof *calls->ranges);
}
