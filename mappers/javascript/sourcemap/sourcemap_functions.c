/* Reads x_facebook_sources: for each source, the functions at its positions. Numbers are encoded as in `mappings`, but
 * the grammar differs. A semicolon ends the entries of one line, however many lines follow. The first entry after it
 * has column, name and line, the other entries column and name; lines count from 1. The other entries may also have a
 * line, because Metro reads such entries (decodeFunctionMap), and its fixtures have a map without semicolons. */
#include "mappers/javascript/sourcemap/sourcemap_job.h"

#include "core/error.h"
#include "mappers/javascript/sourcemap/sourcemap_intervals.h"
#include "mappers/javascript/sourcemap/sourcemap_vlq.h"

struct function_map {
    struct fm_sourcemap_job *job;
    struct fm_sourcemap_intervals intervals;
    uint32_t *names; /* numbers of strings in the builder */
    size_t name_count, name_capacity;
    int64_t line1, col0, name;
};

static framemap_status function_map_read_names(struct function_map *map, const struct fm_json *json, int32_t array)
{
    framemap_status status = FRAMEMAP_OK;
    map->name_count = 0;
    for (int32_t at = fm_json_first(json, array); status == FRAMEMAP_OK && at >= 0; at = fm_json_next(json, at)) {
        framemap_str name = FM_STR("");
        const bool text = fm_json_type(json, at) == FM_JSON_STRING;
        if (text && !fm_json_string(json, at, &map->job->texts, &name)) return fm_error_memory(map->job->error);
        if (!FM_GROW(map->job->heap, map->names, map->name_capacity, map->name_count + 1))
            return fm_error_memory(map->job->error);
        status = fm_builder_string(map->job->builder, name, &map->names[map->name_count++], map->job->error);
    }
    return status;
}

static bool ends_entry(const char *at, const char *end) { return at == end || *at == ',' || *at == ';'; }

/* Reads one entry of a function map. false: the entry is malformed. */
static bool function_map_read_entry(struct function_map *map, const char **at, const char *end)
{
    int64_t deltas[3] = {0};
    unsigned count = 0;
    for (; !ends_entry(*at, end) && count < 3; count++)
        if (fm_sourcemap_vlq(at, end, &deltas[count]) != FM_SOURCEMAP_RULES) return false;
    if (!ends_entry(*at, end) || count < 2) return false;
    map->col0 += deltas[0];
    map->name += deltas[1];
    map->line1 += deltas[2];
    return map->line1 >= 1 && map->line1 <= FM_SOURCEMAP_POSITION_MAX && map->col0 >= 0 &&
           map->col0 <= FM_SOURCEMAP_POSITION_MAX;
}

static framemap_status add_entry(struct function_map *map)
{
    const bool known = map->name >= 0 && (uint64_t)map->name < map->name_count;
    const struct fm_sourcemap_interval interval = {(uint32_t)(map->line1 - 1), (uint32_t)map->col0,
                                                   known ? map->names[map->name] : FM_NONE};
    return fm_sourcemap_intervals_add(&map->intervals, interval) ? FRAMEMAP_OK : fm_error_memory(map->job->error);
}

/* Reads entries. Entries after a fault are dropped, because their numbers are relative to earlier ones. */
static framemap_status function_map_read_entries(struct function_map *map, framemap_str text, const char *where)
{
    const char *at = text.data, *end = text.data + text.size;
    map->line1 = 1;
    map->col0 = map->name = 0;
    while (at < end) {
        if (*at == ',' || *at == ';') {
            if (*at++ == ';') map->col0 = 0;
            continue;
        }
        if (!function_map_read_entry(map, &at, end))
            return fm_sourcemap_fault(map->job->faults, FM_SOURCEMAP_RULE_FUNCTION_MAP, where);
        const framemap_status status = add_entry(map);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

static framemap_status read_tokens(struct function_map *map, const struct fm_json *json, uint32_t source,
                                   const char *where)
{
    const int32_t object = fm_json_first(json, 0); /* only the first element has a meaning; later ones are reserved */
    framemap_str text;
    if (object < 0 || fm_json_type(json, object) == FM_JSON_NULL) return FRAMEMAP_OK;
    const int32_t mappings = fm_json_get(json, object, "mappings");
    if (fm_json_type(json, mappings) != FM_JSON_STRING)
        return fm_sourcemap_fault(map->job->faults, FM_SOURCEMAP_RULE_FUNCTION_MAP, where);
    if (!fm_json_string(json, mappings, &map->job->texts, &text)) return fm_error_memory(map->job->error);
    framemap_status status = function_map_read_names(map, json, fm_json_get(json, object, "names"));
    if (status == FRAMEMAP_OK) status = function_map_read_entries(map, text, where);
    if (status != FRAMEMAP_OK) return status;
    return fm_sourcemap_intervals_write(&map->intervals, map->job, map->job->source_base + source, FM_FUNCTION_MAP);
}

static framemap_status read_source(struct function_map *map, const struct fm_json_piece *element, uint32_t source)
{
    struct fm_json *json;
    if (element->type == FM_JSON_NULL) return FRAMEMAP_OK;
    if (element->type != FM_JSON_ARRAY)
        return fm_sourcemap_fault(map->job->faults, FM_SOURCEMAP_RULE_FUNCTION_MAP, element->raw.data);
    framemap_status status = fm_json_parse(element->raw, map->job->heap, &json, map->job->error);
    if (status != FRAMEMAP_OK) return status;
    status = read_tokens(map, json, source, element->raw.data);
    fm_json_free(json);
    fm_sourcemap_job_reset_texts(map->job);
    return status;
}

framemap_status fm_sourcemap_read_function_maps(struct fm_sourcemap_job *job)
{
    const struct fm_json_piece *list = &job->members.at[FM_SOURCEMAP_MEMBER_FACEBOOK_SOURCES];
    struct function_map map = {.job = job, .intervals = {.heap = job->heap}};
    struct fm_json_walk walk;
    struct fm_json_piece element;
    framemap_status status = FRAMEMAP_OK;

    if (list->raw.data == NULL || list->type == FM_JSON_NULL) return FRAMEMAP_OK;
    fm_json_walk_init(&walk, list->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_ARRAY))
        return fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_FUNCTION_MAP, list->raw.data);
    for (uint32_t i = 0; status == FRAMEMAP_OK && i < job->source_count && fm_json_walk_next(&walk, NULL, &element);
         i++)
        status = read_source(&map, &element, i);
    fm_heap_free(job->heap, map.names, map.name_capacity * sizeof *map.names);
    fm_sourcemap_intervals_free(&map.intervals);
    return status;
}
