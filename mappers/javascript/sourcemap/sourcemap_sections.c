/* Flattens the nested sections of an index map, without recursion. See sourcemap_sections.h. */
#include "mappers/javascript/sourcemap/sourcemap_sections.h"

#include "core/error.h"
#include "mappers/javascript/sourcemap/sourcemap_sort.h"

/* An array of sections that is being read; levels form a stack. */
struct section_level {
    struct fm_json_walk walk;
    struct fm_sourcemap_position base, last;
    size_t from; /* index, in the list of maps, of the first map that belongs to the section that was read last */
    bool some;
};

struct flattening {
    struct fm_heap *heap;
    struct fm_sourcemap_faults *faults;
    struct fm_sourcemap_sections *out;
    struct section_level levels[FM_LIMIT_MAP_NESTING];
    unsigned depth;
    bool unordered;
};

static framemap_status sections_push(struct flattening *f, framemap_str array, struct fm_sourcemap_position base)
{
    if (f->depth == FM_LIMIT_MAP_NESTING)
        return fm_error_set(f->faults->error, FRAMEMAP_E_LIMIT, "index maps are nested deeper than %u levels",
                            (unsigned)FM_LIMIT_MAP_NESTING);
    struct section_level *level = &f->levels[f->depth];
    *level = (struct section_level){.base = base, .from = f->out->count};
    fm_json_walk_init(&level->walk, array);
    if (!fm_json_walk_open(&level->walk, FM_JSON_ARRAY))
        return fm_sourcemap_refuse(f->faults, array.data, "\"sections\" is not an array");
    f->depth++;
    return FRAMEMAP_OK;
}

static framemap_status offset_part(struct flattening *f, const struct fm_json_piece *offset, const char *key,
                                   uint64_t *out)
{
    struct fm_json_walk walk;
    struct fm_json_piece name, value, found = {.raw = {NULL, 0}};
    int64_t number;
    *out = 0;
    fm_json_walk_init(&walk, offset->raw);
    (void)fm_json_walk_open(&walk, FM_JSON_OBJECT);
    while (fm_json_walk_next(&walk, &name, &value))
        if (fm_json_piece_equals(&name, framemap_str_of(key))) found = value;
    if (!fm_json_piece_integer(&found, &number) || number < 0)
        return fm_sourcemap_fault(f->faults, FM_SOURCEMAP_RULE_SECTION_OFFSET, offset->raw.data);
    *out = (uint64_t)number;
    return FRAMEMAP_OK;
}

/* Reads the position of a section in the whole text. In the first line of the enclosing map, the section's column is
 * relative to the column where that map starts. */
static framemap_status section_position(struct flattening *f, const struct section_level *level,
                                        const struct fm_json_piece *offset, struct fm_sourcemap_position *out)
{
    uint64_t line, col;
    framemap_status status = offset_part(f, offset, "line", &line);
    if (status == FRAMEMAP_OK) status = offset_part(f, offset, "column", &col);
    if (status != FRAMEMAP_OK) return status;
    *out = (struct fm_sourcemap_position){level->base.line0 + line, line == 0 ? level->base.col0 + col : col};
    if (out->line0 <= FM_SOURCEMAP_POSITION_MAX && out->col0 <= FM_SOURCEMAP_POSITION_MAX) return FRAMEMAP_OK;
    return fm_error_at(f->faults->error, FRAMEMAP_E_LIMIT, (uint64_t)(offset->raw.data - f->faults->begin),
                       "a section of the source map starts at a line or column of 2^32 - 1 or more");
}

/* Ends the previous section where this one starts, and checks their order. */
static framemap_status section_order_check(struct flattening *f, struct section_level *level,
                                           struct fm_sourcemap_position begin, const char *at)
{
    framemap_status status = FRAMEMAP_OK;
    if (level->some && fm_sourcemap_position_less(begin, level->last)) {
        status = fm_sourcemap_fault(f->faults, FM_SOURCEMAP_RULE_SECTION_ORDER, at);
        f->unordered = true;
    } else if (level->some && !fm_sourcemap_position_less(level->last, begin)) {
        status = fm_sourcemap_fault(f->faults, FM_SOURCEMAP_RULE_SECTION_OVERLAP, at);
    }
    for (size_t i = level->from; i < f->out->count; i++)
        if (fm_sourcemap_position_less(begin, f->out->list[i].limit)) f->out->list[i].limit = begin;
    level->from = f->out->count;
    level->last = begin;
    level->some = true;
    return status;
}

static framemap_status add_map(struct flattening *f, struct fm_sourcemap_position begin, framemap_str map)
{
    struct fm_json_walk walk;
    struct fm_sourcemap_members members;
    fm_json_walk_init(&walk, map);
    if (fm_sourcemap_members_read(&walk, &members) && fm_sourcemap_has(&members, FM_SOURCEMAP_MEMBER_SECTIONS))
        return sections_push(f, members.at[FM_SOURCEMAP_MEMBER_SECTIONS].raw, begin);
    if (!FM_GROW(f->heap, f->out->list, f->out->capacity, f->out->count + 1)) return fm_error_memory(f->faults->error);
    f->out->list[f->out->count++] = (struct fm_sourcemap_section){begin, {UINT64_MAX, UINT64_MAX}, map};
    return FRAMEMAP_OK;
}

static framemap_status read_section(struct flattening *f, struct section_level *level,
                                    const struct fm_json_piece *element)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, value, offset = {.raw = {NULL, 0}}, map = {.raw = {NULL, 0}};
    struct fm_sourcemap_position begin;
    bool has_url = false;

    fm_json_walk_init(&walk, element->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT))
        return fm_sourcemap_fault(f->faults, FM_SOURCEMAP_RULE_SECTION_ELEMENT, element->raw.data);
    while (fm_json_walk_next(&walk, &key, &value)) {
        if (fm_json_piece_equals(&key, FM_STR("offset"))) offset = value;
        if (fm_json_piece_equals(&key, FM_STR("map"))) map = value;
        has_url = has_url || fm_json_piece_equals(&key, FM_STR("url"));
    }
    if (!fm_json_piece_is(&offset, FM_JSON_OBJECT))
        return fm_sourcemap_refuse(f->faults, element->raw.data, "a section has no \"offset\" object");
    if (!fm_json_piece_is(&map, FM_JSON_OBJECT))
        return fm_sourcemap_refuse(f->faults, element->raw.data,
                                   has_url ? "a section names its map by \"url\", which is not read: put that map in "
                                             "its place, as \"map\""
                                           : "a section has no \"map\" object");
    framemap_status status = section_position(f, level, &offset, &begin);
    if (status == FRAMEMAP_OK) status = section_order_check(f, level, begin, element->raw.data);
    return status == FRAMEMAP_OK ? add_map(f, begin, map.raw) : status;
}

/* Sorts sections that were out of order, and sets the end of each section to the start of the next one. */
static framemap_status order(struct flattening *f)
{
    struct fm_sourcemap_sections *all = f->out;
    const size_t keys_size = 2 * all->count * sizeof(struct fm_sourcemap_key),
                 list_size = all->capacity * sizeof *all->list;
    struct fm_sourcemap_key *keys = fm_heap_zalloc(f->heap, 2 * all->count, sizeof *keys);
    struct fm_sourcemap_section *sorted = fm_heap_resize(f->heap, NULL, 0, list_size);
    if (keys != NULL && sorted != NULL) {
        for (size_t i = 0; i < all->count; i++)
            keys[i] = (struct fm_sourcemap_key){all->list[i].begin.line0 << 32 | all->list[i].begin.col0, (uint32_t)i};
        fm_sourcemap_sort(keys, keys + all->count, all->count);
        for (size_t i = 0; i < all->count; i++) {
            sorted[i] = all->list[keys[i].which];
            sorted[i].limit = (struct fm_sourcemap_position){UINT64_MAX, UINT64_MAX};
            if (i > 0) sorted[i - 1].limit = sorted[i].begin;
        }
        fm_heap_free(f->heap, all->list, list_size);
        all->list = sorted;
        sorted = NULL;
        f->unordered = false;
    }
    fm_heap_free(f->heap, sorted, list_size);
    fm_heap_free(f->heap, keys, keys_size);
    return f->unordered ? fm_error_memory(f->faults->error) : FRAMEMAP_OK;
}

framemap_status fm_sourcemap_sections_read(framemap_str array, struct fm_sourcemap_position begin, struct fm_heap *heap,
                                           struct fm_sourcemap_faults *faults, struct fm_sourcemap_sections *out)
{
    struct flattening f = {.heap = heap, .faults = faults, .out = out};
    struct fm_json_piece element;
    framemap_status status = sections_push(&f, array, begin);
    while (status == FRAMEMAP_OK && f.depth > 0) {
        struct section_level *level = &f.levels[f.depth - 1];
        if (fm_json_walk_next(&level->walk, NULL, &element))
            status = read_section(&f, level, &element);
        else
            f.depth--;
    }
    return status == FRAMEMAP_OK && f.unordered ? order(&f) : status;
}

void fm_sourcemap_sections_free(struct fm_sourcemap_sections *sections, struct fm_heap *heap)
{
    fm_heap_free(heap, sections->list, sections->capacity * sizeof *sections->list);
}
