/* Implements framemap_sourcemap_write: opens the maps and writes the members of the result in order. `mappings` is
 * written before `sources` and `names`, because the numbers of sources and names are assigned while it is written. */
#include "session/map_write/map_write_inner.h"

#include "api/index_handle.h"
#include "api/option_structs.h"
#include "core/error.h"
#include "core/limits.h"

/* Writes a debug id with dashes; maps have ids with dashes, indexes have ids without. */
static void write_id(struct fm_buf *out, framemap_str id)
{
    static const size_t ends[] = {8, 12, 16, 20, 32};
    if (id.size != 32) return;
    fm_buf_str(out, FM_STR(",\"debugId\":\""));
    for (size_t i = 0, from = 0; i < sizeof ends / sizeof *ends; from = ends[i++]) {
        if (from > 0) fm_buf_byte(out, '-');
        fm_buf_str(out, fm_str_slice(id, from, ends[i]));
    }
    fm_buf_byte(out, '"');
}

static void write_head(struct fm_convert *convert)
{
    const struct fm_view *view = convert->maps[0].view;
    framemap_str text;
    fm_buf_str(&convert->out, FM_STR("{\"version\":3"));
    if (fm_view_attribute(view, FM_STR("file"), &text)) {
        fm_buf_str(&convert->out, FM_STR(",\"file\":"));
        fm_buf_json(&convert->out, text);
    }
    if (fm_view_attribute(view, FM_STR("debug_id"), &text)) write_id(&convert->out, text);
}

static framemap_status write_map(struct fm_convert *convert)
{
    write_head(convert);
    framemap_status status = fm_convert_mappings(convert);
    if (status == FRAMEMAP_OK) status = fm_convert_ranges(convert);
    if (status == FRAMEMAP_OK) status = fm_convert_sources(convert);
    if (status == FRAMEMAP_OK) status = fm_convert_scopes(convert);
    if (status == FRAMEMAP_OK) status = fm_convert_names(convert);
    if (status == FRAMEMAP_OK) status = fm_convert_functions(convert);
    if (status == FRAMEMAP_OK) status = fm_convert_offsets(convert);
    fm_buf_str(&convert->out, FM_STR("}\n"));
    return status == FRAMEMAP_OK ? fm_convert_flush(convert, 0) : status;
}

/* --- the maps --- */

static framemap_status take_map(struct fm_convert *convert, uint32_t number, const framemap_index *index)
{
    struct fm_convert_map *map = &convert->maps[number];
    struct fm_segments_about segments;
    struct fm_view_about about;
    if (index == NULL) return fm_error_set(convert->error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    fm_view_about(index->view, &about);
    map->view = index->view;
    map->name = about.name;
    if (!fm_view_segments(index->view, &segments)) {
        fm_error_set(convert->error, FRAMEMAP_E_ARGUMENT, "not a source map, but a file of kind %.*s",
                     (int)(about.kind.size < 24 ? about.kind.size : 24), about.kind.data);
        fm_error_where(convert->error, about.name);
        return FRAMEMAP_E_ARGUMENT;
    }
    if (segments.source_count >= FM_VIEW_NONE || segments.name_count >= FM_VIEW_NONE)
        return fm_convert_damaged(convert, "a source");
    if (!fm_view_attribute(index->view, FM_STR("file"), &map->file)) map->file = (framemap_str){NULL, 0};
    map->source_count = (uint32_t)segments.source_count;
    map->name_count = (uint32_t)segments.name_count;
    return FRAMEMAP_OK;
}

static uint32_t *numbers(struct fm_convert *convert, uint32_t count, int fill)
{
    uint32_t *made = fm_heap_zalloc(convert->heap, (size_t)count + 1, sizeof *made);
    if (made && fill) memset(made, fill, count * sizeof *made);
    return made;
}

/* Allocates the tables indexed by source and by name that are needed to compose maps. */
static framemap_status take_numbers(struct fm_convert *convert, struct fm_convert_map *map)
{
    if (map->source_count > FM_LIMIT_MAP_ENTRIES || map->name_count > FM_LIMIT_MAP_ENTRIES)
        return fm_error_set(convert->error, FRAMEMAP_E_LIMIT, "a map has more than %lu sources or names",
                            (unsigned long)FM_LIMIT_MAP_ENTRIES);
    map->steps = numbers(convert, map->source_count, 0);
    map->sources = numbers(convert, map->source_count, 0xFF);
    map->names = numbers(convert, map->name_count, 0xFF);
    return map->steps && map->sources && map->names ? FRAMEMAP_OK : fm_error_memory(convert->error);
}

static framemap_status take_maps(struct fm_convert *convert, const framemap_index *index,
                                 const framemap_sourcemap_options *options)
{
    if (options->step_count > 0 && options->steps == NULL)
        return fm_error_set(convert->error, FRAMEMAP_E_ARGUMENT, "steps is NULL, but step_count is not 0");
    if (options->step_count > FM_LIMIT_MAP_STEPS)
        return fm_error_set(convert->error, FRAMEMAP_E_ARGUMENT, "there can be up to %lu earlier maps",
                            (unsigned long)FM_LIMIT_MAP_STEPS);
    convert->maps = fm_heap_zalloc(convert->heap, options->step_count + 1, sizeof *convert->maps);
    if (convert->maps == NULL) return fm_error_memory(convert->error);
    convert->map_count = (uint32_t)options->step_count + 1;
    framemap_status status = take_map(convert, 0, index);
    for (uint32_t i = 1; status == FRAMEMAP_OK && i < convert->map_count; i++) {
        status = fm_str_check(options->steps[i - 1].source, "the source of a step", convert->error);
        if (status == FRAMEMAP_OK) status = take_map(convert, i, options->steps[i - 1].map);
    }
    if (!fm_convert_composes(convert)) return status;
    for (uint32_t i = 0; status == FRAMEMAP_OK && i < convert->map_count; i++)
        status = take_numbers(convert, &convert->maps[i]);
    return status == FRAMEMAP_OK ? fm_convert_link(convert, options->steps) : status;
}

/* Determines whether the map is for bytecode. Refuses the map of a bundle of several segments: each segment has lines
 * of its own, and one regular map cannot distinguish the lines of different segments. */
static framemap_status look_at_offsets(struct fm_convert *convert)
{
    struct fm_view_offsets list;
    for (uint64_t i = 0; fm_view_offsets_at(convert->maps[0].view, i, &list); i++) {
        if (list.kind == FM_OFFSETS_FUNCTIONS) convert->bytecode = true;
        if (list.kind == FM_OFFSETS_SEGMENTS && list.count > 0)
            return fm_error_set(
                convert->error, FRAMEMAP_E_UNSUPPORTED,
                "the map is of a bundle of several segments, whose lines one regular map cannot distinguish");
    }
    return FRAMEMAP_OK;
}

static void free_map(const struct fm_convert *convert, struct fm_convert_map *map)
{
    fm_heap_free(convert->heap, map->steps, ((size_t)map->source_count + 1) * sizeof *map->steps);
    fm_heap_free(convert->heap, map->sources, ((size_t)map->source_count + 1) * sizeof *map->sources);
    fm_heap_free(convert->heap, map->names, ((size_t)map->name_count + 1) * sizeof *map->names);
}

static void free_all(struct fm_convert *convert)
{
    for (uint32_t i = 0; i < convert->map_count; i++) free_map(convert, &convert->maps[i]);
    fm_heap_free(convert->heap, convert->maps, convert->map_count * sizeof *convert->maps);
    fm_convert_refs_free(&convert->sources, convert->heap);
    fm_convert_refs_free(&convert->names, convert->heap);
    fm_heap_free(convert->heap, convert->texts, convert->text_capacity * sizeof *convert->texts);
    fm_buf_free(&convert->out);
}

/* Warns of build steps whose maps returned no position; such a map certainly belongs to another build. (A map of
 * another build may also return positions, which are then meaningless.) */
static void warn_of_strangers(const struct fm_convert *convert, const framemap_sourcemap_options *options)
{
    framemap_error warning;
    if (options->warning == NULL) return;
    for (uint32_t i = 1; i < convert->map_count; i++) {
        const struct fm_convert_map *map = &convert->maps[i];
        if (map->asked == 0 || map->known > 0) continue;
        fm_error_set(&warning, FRAMEMAP_E_MISMATCH,
                     "this map has none of the %llu positions that were looked up in it; it may be of another build",
                     (unsigned long long)map->asked);
        fm_error_where(&warning, map->name);
        options->warning(options->context, &warning);
    }
}

framemap_status framemap_sourcemap_write(const framemap_index *map, const framemap_sourcemap_options *options,
                                         framemap_write write, void *context, framemap_error *error)
{
    framemap_sourcemap_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (map == NULL || write == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    struct fm_heap heap;
    fm_heap_init(&heap, given.allocator, given.max_memory);
    struct fm_convert convert = {.heap = &heap, .error = error, .write = write, .context = context};
    convert.key = fm_hash_key(&convert);
    fm_buf_init(&convert.out, &heap);
    fm_table_init(&convert.sources.table, &heap);
    fm_table_init(&convert.names.table, &heap);
    status = take_maps(&convert, map, &given);
    if (status == FRAMEMAP_OK) status = look_at_offsets(&convert);
    if (status == FRAMEMAP_OK) status = write_map(&convert);
    if (status == FRAMEMAP_OK) warn_of_strangers(&convert, &given);
    free_all(&convert);
    return fm_heap_fault(&heap, status, error);
}
