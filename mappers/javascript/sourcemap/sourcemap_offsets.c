/* Reads x_facebook_offsets, the generated line at which each module of a RAM bundle starts, and
 * x_hermes_function_offsets, the address at which each function of a bytecode segment starts. */
#include "mappers/javascript/sourcemap/sourcemap_job.h"

#include "core/error.h"

struct offsets {
    struct fm_sourcemap_job *job;
    uint32_t *values;
    size_t count, capacity;
};

/* Appends the sum of an element of the map's list and of `add`. An element that is not a number leaves a hole. */
static framemap_status add_value(struct offsets *offsets, const struct fm_json_piece *element, uint64_t add)
{
    int64_t value;
    uint32_t stored = UINT32_MAX;
    framemap_status status = FRAMEMAP_OK;
    if (fm_json_piece_integer(element, &value) && value >= 0 && (uint64_t)value + add < UINT32_MAX)
        stored = (uint32_t)((uint64_t)value + add);
    else if (element->type != FM_JSON_NULL)
        status = fm_sourcemap_fault(offsets->job->faults, FM_SOURCEMAP_RULE_OFFSETS, element->raw.data);
    if (!FM_GROW(offsets->job->heap, offsets->values, offsets->capacity, offsets->count + 1))
        return fm_error_memory(offsets->job->error);
    offsets->values[offsets->count++] = stored;
    return status;
}

static framemap_status read_list(struct offsets *offsets, const struct fm_json_piece *list, enum fm_offsets_kind kind,
                                 uint32_t group, uint64_t add)
{
    struct fm_json_walk walk;
    struct fm_json_piece element;
    framemap_status status = FRAMEMAP_OK;
    offsets->count = 0;
    fm_json_walk_init(&walk, list->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_ARRAY))
        return fm_sourcemap_fault(offsets->job->faults, FM_SOURCEMAP_RULE_OFFSETS, list->raw.data);
    while (status == FRAMEMAP_OK && fm_json_walk_next(&walk, NULL, &element))
        status = add_value(offsets, &element, add);
    if (status != FRAMEMAP_OK) return status;
    return fm_builder_offsets(offsets->job->builder, kind, group, offsets->values, offsets->count, offsets->job->error);
}

/* Reads an object in which each key is the number of a bundle segment and each value a list. If a number occurs twice,
 * the first list counts. */
static framemap_status read_groups(struct offsets *offsets, const struct fm_json_piece *object, unsigned char *seen)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    uint32_t group;
    framemap_status status = FRAMEMAP_OK;
    fm_json_walk_init(&walk, object->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT))
        return fm_sourcemap_fault(offsets->job->faults, FM_SOURCEMAP_RULE_OFFSETS, object->raw.data);
    while (status == FRAMEMAP_OK && fm_json_walk_next(&walk, &key, &value)) {
        if (!fm_sourcemap_group_of(&key, &group) || (seen[group / 8] >> group % 8 & 1)) {
            status = fm_sourcemap_fault(offsets->job->faults, FM_SOURCEMAP_RULE_OFFSETS, key.raw.data);
            continue;
        }
        seen[group / 8] |= (unsigned char)(1u << group % 8);
        status = read_list(offsets, &value, FM_OFFSETS_FUNCTIONS, group, 0);
    }
    return status;
}

static framemap_status read_functions(struct offsets *offsets, const struct fm_json_piece *object)
{
    struct fm_heap *heap = offsets->job->heap;
    if (object->raw.data == NULL || object->type == FM_JSON_NULL) return FRAMEMAP_OK;
    unsigned char *seen = fm_heap_zalloc(heap, FM_SOURCEMAP_MAX_GROUPS / 8, 1);
    if (seen == NULL) return fm_error_memory(offsets->job->error);
    const framemap_status status = read_groups(offsets, object, seen);
    fm_heap_free(heap, seen, FM_SOURCEMAP_MAX_GROUPS / 8);
    return status;
}

framemap_status fm_sourcemap_read_offsets(struct fm_sourcemap_job *job, uint32_t group)
{
    const struct fm_json_piece *modules = &job->members.at[FM_SOURCEMAP_MEMBER_FACEBOOK_OFFSETS];
    struct offsets offsets = {.job = job};
    framemap_status status =
        group == 0 ? read_functions(&offsets, &job->members.at[FM_SOURCEMAP_MEMBER_HERMES_OFFSETS]) : FRAMEMAP_OK;
    if (status == FRAMEMAP_OK && modules->raw.data != NULL && modules->type != FM_JSON_NULL)
        status = read_list(&offsets, modules, FM_OFFSETS_MODULES, group, job->begin.line0);
    fm_heap_free(job->heap, offsets.values, offsets.capacity * sizeof *offsets.values);
    return status;
}
