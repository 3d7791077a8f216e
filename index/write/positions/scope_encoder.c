/* Encodes scopes, the hash table that finds them by name, and their ranges. */
#include "core/error.h"
#include "index/write/model/builder_model.h"

#define HASH_SCOPES_LEAST 16 /* least number of scopes for a hash table; fewer are found as fast by binary search */

static void range_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct fm_plan *plan = context;
    fields[RANGE_FIRST] = plan->ranges[i].first;
    fields[RANGE_AXIS] = plan->ranges[i].axis_offset;
}
FM_OUTPUT_ROWS(range)

/* Whether every scope has exactly one range. Then the number of a scope equals the number of its range, and the field
 * for it is left out. */
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
FM_OUTPUT_ROWS(scope)

static void slot_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const uint32_t *slots = context;
    fields[HASH_SCOPE] = slots[i];
}
FM_OUTPUT_ROWS(slot)

static framemap_str scope_key(const void *context, size_t scope)
{
    const struct fm_plan *plan = context;
    return fm_string_pool_text(&plan->builder->scope_keys, plan->scopes[scope].old);
}

/* Writes the hash table, if it can be made: keys that are chosen to collide can prevent it, and readers then use binary
 * search. */
static bool write_hash(struct fm_plan *plan)
{
    uint32_t *slots;
    size_t capacity;
    if (!fm_fill_slots(plan->heap, plan->scope_count, plan->scope_count, scope_key, plan, &slots, &capacity))
        return false;
    const bool ok =
        capacity == 0 || fm_output_section_write(&plan->outputs[FMX_SCOPE_HASH], capacity, slot_rows, slots);
    fm_heap_free(plan->heap, slots, capacity * sizeof *slots);
    return ok;
}

framemap_status fm_encode_scopes(struct fm_plan *plan, framemap_error *error)
{
    struct scope_rows rows = {plan, plan->builder->keys == FM_SCOPE_NUMBERED, one_range_each(plan)};
    /* If only the last scope has ranges, and as many as there are scopes, the first range of every scope is 0. The
     * field would then have a width of 0, which means that each scope has one range, so it gets one bit. */
    if (!rows.one_each && plan->range_count - 1 == plan->scope_count) plan->outputs[FMX_SCOPES].widths[SCOPE_RANGE] = 1;
    bool ok = fm_output_section_write(&plan->outputs[FMX_SCOPES], plan->scope_count, scope_rows, &rows) &&
              fm_output_section_write(&plan->outputs[FMX_RANGES], plan->range_count, range_rows, plan);
    if (ok && !rows.numbered && plan->scope_count >= HASH_SCOPES_LEAST) ok = write_hash(plan);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}
