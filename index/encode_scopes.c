/* Scopes, the hash that finds them by name, and their ranges. */
#include "core/fault.h"
#include "index/bits.h"
#include "index/model.h"

#define HASH_SCOPES_LEAST 16 /* fewer are found as fast by bisection */
#define HASH_GROWTH_MOST 3   /* times that the table is doubled when a key needs too many probes */

static void range_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct fm_plan *plan = context;
    fields[RANGE_FIRST] = plan->ranges[i].first;
    fields[RANGE_SPOT] = plan->ranges[i].spot;
}

/* Every scope has one range: then a scope's number is its range's, and need not be kept. */
static bool one_range_each(const struct fm_plan *plan)
{
    if (plan->range_count - 1 != plan->scope_count) return false;
    for (size_t i = 0; i < plan->scope_count; i++)
        if (plan->scopes[i].range != i) return false;
    return true;
}

struct scope_rows {
    struct fm_plan *plan;
    bool numbered, one_each;
};

static void scope_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct scope_rows *rows = context;
    const struct fm_scope_plan *scope = &rows->plan->scopes[i];
    if (rows->numbered)
        fields[SCOPE_KEY] = rows->plan->builder->scope_numbers[scope->old];
    else
        fields[SCOPE_KEY] = fm_put_scope_key(rows->plan, scope->old, &fields[SCOPE_KEY_SIZE]);
    fields[SCOPE_RANGE] = rows->one_each ? 0 : scope->range;
    fields[SCOPE_UNIT] = scope->unit;
}

static void slot_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const uint32_t *slots = context;
    fields[HASH_SCOPE] = slots[i];
}

/* false: some key would need more probes than a reader makes. */
static bool fill_slots(const struct fm_plan *plan, uint32_t *slots, size_t capacity)
{
    memset(slots, 0, capacity * sizeof *slots);
    for (size_t i = 0; i < plan->scope_count; i++) {
        const framemap_str key = fm_pool_text(&plan->builder->scope_keys, plan->scopes[i].old);
        size_t at = (size_t)fm_hash64(key.data, key.size, 0) & (capacity - 1);
        unsigned probes = 1;
        for (; slots[at] != 0 && probes < FMX_PROBES_MOST; probes++) at = (at + 1) & (capacity - 1);
        if (slots[at] != 0) return false;
        slots[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Without a hash, which keys chosen to collide may prevent, readers bisect. */
static bool write_hash(struct fm_plan *plan)
{
    size_t capacity = 1;
    while (capacity < plan->scope_count + plan->scope_count / 2) capacity *= 2;
    for (unsigned tries = 0; tries <= HASH_GROWTH_MOST; tries++, capacity *= 2) {
        uint32_t *slots = fm_heap_zalloc(plan->heap, capacity, sizeof *slots);
        if (slots == NULL) return false;
        const bool filled = fill_slots(plan, slots, capacity);
        const bool ok = !filled || fm_sheet_write(&plan->sheets[FMX_SCOPE_HASH], capacity, slot_row, slots);
        fm_heap_free(plan->heap, slots, capacity * sizeof *slots);
        if (filled || !ok) return ok;
    }
    return true;
}

framemap_status fm_encode_scopes(struct fm_plan *plan, framemap_error *error)
{
    struct scope_rows rows = {plan, plan->builder->keys == FM_SCOPE_NUMBERED, one_range_each(plan)};
    bool ok = fm_sheet_write(&plan->sheets[FMX_SCOPES], plan->scope_count, scope_row, &rows) &&
              fm_sheet_write(&plan->sheets[FMX_RANGES], plan->range_count, range_row, plan);
    if (ok && !rows.numbered && plan->scope_count >= HASH_SCOPES_LEAST) ok = write_hash(plan);
    return ok ? FRAMEMAP_OK : fm_fault_memory(error);
}
