/* Implements breakpad_inlines.h: a sweep over the starts of the ranges, with one current range for each level. */
#include "mappers/native/breakpad/breakpad_inlines.h"

void fm_breakpad_inlines_init(struct fm_breakpad_inlines *inlines, struct fm_breakpad_batch *batch)
{
    inlines->batch = batch;
    inlines->keys = NULL;
    inlines->key_capacity = inlines->count = inlines->at = 0;
    inlines->depth = inlines->used = 0;
}

void fm_breakpad_inlines_free(struct fm_breakpad_inlines *inlines)
{
    fm_heap_free(inlines->batch->records->heap, inlines->keys, inlines->key_capacity * sizeof *inlines->keys);
}

/* Orders ranges that start at one address: outer calls first, then longer ranges last, because the last one counts. */
static int compare_ranges(const void *context, uint32_t a, uint32_t b)
{
    const struct fm_breakpad_records *records = context;
    const struct fm_breakpad_range *x = &records->ranges[a], *y = &records->ranges[b];
    const uint32_t outer = records->calls[x->call].level, inner = records->calls[y->call].level;
    if (outer != inner) return outer < inner ? -1 : 1;
    return x->size < y->size ? -1 : x->size > y->size;
}

static bool is_after(const struct fm_breakpad_records *records, struct fm_key a, struct fm_key b)
{
    return a.key != b.key ? a.key > b.key : compare_ranges(records, a.number, b.number) > 0;
}

/* Sorts the ranges of a function. Most functions have few, nearly in order, for which an insertion sort is faster. */
static bool sort_ranges(struct fm_breakpad_inlines *inlines, size_t first, size_t end)
{
    enum { MOST_MOVES = 16 };
    const struct fm_breakpad_records *records = inlines->batch->records;
    struct fm_key *keys;
    size_t count = 0;
    bool sorted = true;
    if (!FM_GROW(records->heap, inlines->keys, inlines->key_capacity, end - first)) return false;
    keys = inlines->keys;
    for (size_t i = first; i < end; i++) {
        const struct fm_key key = {records->ranges[i].address, (uint32_t)i};
        size_t at = count;
        if (records->ranges[i].size == 0) continue;
        while (sorted && at > 0 && count - at < MOST_MOVES && is_after(records, keys[at - 1], key)) at--;
        sorted = sorted && (at == 0 || !is_after(records, keys[at - 1], key));
        if (!sorted) at = count;
        memmove(keys + at + 1, keys + at, (count - at) * sizeof *keys);
        keys[at] = key;
        count++;
    }
    inlines->count = count;
    return sorted || fm_keys_sort(records->heap, keys, count, compare_ranges, records);
}

bool fm_breakpad_inlines_start(struct fm_breakpad_inlines *inlines, uint32_t root, size_t first, size_t end)
{
    enum { LEAST_LINKS = 4096, LINKS_PER_RANGE = 4 };
    inlines->root = root;
    inlines->at = inlines->count = 0;
    inlines->depth = inlines->used = 0;
    if (first == end) return true;
    /* Where ranges of inner levels go on over the end of an outer one, a change of the outer one changes the whole
     * chain. Well-formed files do not have that, so that each range is linked once. The limit keeps time and memory
     * proportional to the file. */
    inlines->links = LEAST_LINKS + LINKS_PER_RANGE * (end - first);
    return sort_ranges(inlines, first, end);
}

static const struct fm_breakpad_range *range_of(const struct fm_breakpad_inlines *inlines, uint32_t level)
{
    return &inlines->batch->records->ranges[inlines->levels[level].range];
}

/* Takes the ranges that start up to an address. The chain is cut at the lowest level that gets another range. */
static void take_ranges(struct fm_breakpad_inlines *inlines, uint64_t address)
{
    const struct fm_breakpad_records *records = inlines->batch->records;
    while (inlines->at < inlines->count && inlines->keys[inlines->at].key <= address) {
        const uint32_t number = inlines->keys[inlines->at++].number;
        const uint32_t level = records->calls[records->ranges[number].call].level;
        while (inlines->used <= level) inlines->levels[inlines->used++].range = UINT32_MAX;
        inlines->levels[level].range = number;
        if (level < inlines->depth) inlines->depth = level;
    }
}

/* Adds the call of the next level to the chain. *more: the level has a range at the address. */
static bool link_level(struct fm_breakpad_inlines *inlines, uint64_t address, bool *more)
{
    struct fm_breakpad_level *level = &inlines->levels[inlines->depth];
    const struct fm_breakpad_level *outer = inlines->depth > 0 ? level - 1 : NULL;
    *more = inlines->depth < inlines->used && level->range != UINT32_MAX && inlines->links > 0;
    if (!*more) return true;
    const struct fm_breakpad_range *range = range_of(inlines, inlines->depth);
    *more = address - range->address < range->size;
    if (!*more) return true;
    inlines->links--;
    level->end = range->address + range->size;
    if (outer != NULL && outer->end < level->end) level->end = outer->end;
    inlines->depth++;
    return fm_breakpad_batch_call(inlines->batch, outer != NULL ? outer->node : inlines->root,
                                  &inlines->batch->records->calls[range->call], &level->node);
}

bool fm_breakpad_inlines_at(struct fm_breakpad_inlines *inlines, uint64_t address, uint32_t *node, uint64_t *next)
{
    const size_t taken = inlines->at;
    bool more = true;
    while (inlines->depth > 0 && inlines->levels[inlines->depth - 1].end <= address) inlines->depth--;
    take_ranges(inlines, address);
    while (taken < inlines->at && more)
        if (!link_level(inlines, address, &more)) return false;
    const struct fm_breakpad_level *innermost = inlines->depth > 0 ? &inlines->levels[inlines->depth - 1] : NULL;
    *node = innermost != NULL ? innermost->node : inlines->root;
    if (innermost != NULL && innermost->end < *next) *next = innermost->end;
    if (inlines->at < inlines->count && inlines->keys[inlines->at].key < *next) *next = inlines->keys[inlines->at].key;
    return true;
}
