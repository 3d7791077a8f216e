/* Determines for each build step the source of the later maps that the step wrote. */
#include "session/map_write/map_write_inner.h"

#include "core/error.h"

/* How well the name of a source matches the given name: not at all, in the last part of the path, in the last parts of
 * the path, or as a whole. */
enum fit { FIT_NONE, FIT_NAME, FIT_END, FIT_WHOLE };

static bool ends_so(framemap_str address, framemap_str end)
{
    return address.size > end.size && fm_str_ends(address, end) &&
           (end.data[0] == '/' || address.data[address.size - end.size - 1] == '/');
}

static enum fit fit_text(framemap_str address, framemap_str wanted)
{
    if (address.size == 0 || wanted.size == 0) return FIT_NONE;
    if (fm_str_equal(address, wanted)) return FIT_WHOLE;
    if (ends_so(address, wanted) || ends_so(wanted, address)) return FIT_END;
    const framemap_str base = fm_str_basename(address);
    return base.size > 0 && fm_str_equal(base, fm_str_basename(wanted)) ? FIT_NAME : FIT_NONE;
}

static enum fit fit_source(const struct fm_view_source *source, framemap_str wanted)
{
    const enum fit address = fit_text(source->address, wanted), spelled = fit_text(source->spelled, wanted);
    return address > spelled ? address : spelled;
}

/* A source. It is listed under the last part of its address, or of its spelling in the map, since any path that matches
 * the source has the same last part. */
struct entry {
    uint32_t map, source;
    uint32_t next; /* next entry with the same last part; UINT32_MAX: there is no further entry */
    bool spelled;
};

struct links {
    struct fm_convert *convert;
    struct entry *list;
    size_t count, capacity;
    struct fm_table table;
};

static bool last_part(const struct links *links, const struct entry *entry, framemap_str *out)
{
    struct fm_view_source source;
    if (!fm_view_source(links->convert->maps[entry->map].view, entry->source, &source)) return false;
    *out = fm_str_basename(entry->spelled ? source.spelled : source.address);
    return true;
}

static bool same_part(const void *context, uint32_t id, const void *key)
{
    const struct links *links = context;
    framemap_str text;
    return last_part(links, &links->list[id], &text) && fm_str_equal(text, *(const framemap_str *)key);
}

static uint32_t first_called(const struct links *links, framemap_str part)
{
    return fm_table_find(&links->table, fm_hash_text(part, links->convert->key), same_part, links, &part);
}

static framemap_status add_entry(struct links *links, struct entry entry)
{
    framemap_str part;
    if (!last_part(links, &entry, &part)) return fm_convert_damaged(links->convert, "a source");
    const uint32_t head = first_called(links, part), number = (uint32_t)links->count;
    if (number >= UINT32_MAX - 1)
        return fm_error_set(links->convert->error, FRAMEMAP_E_LIMIT, "the maps have more than 2^31 sources");
    if (!FM_GROW(links->convert->heap, links->list, links->capacity, links->count + 1))
        return fm_error_memory(links->convert->error);
    if (head != UINT32_MAX) {
        entry.next = links->list[head].next;
        links->list[head].next = number;
    }
    links->list[links->count++] = entry;
    if (head == UINT32_MAX && !fm_table_add(&links->table, fm_hash_text(part, links->convert->key), number))
        return fm_error_memory(links->convert->error);
    return FRAMEMAP_OK;
}

static framemap_status add_source(struct links *links, uint32_t map, uint32_t number)
{
    struct fm_view_source source;
    framemap_status status = add_entry(links, (struct entry){map, number, UINT32_MAX, false});
    if (status != FRAMEMAP_OK || !fm_view_source(links->convert->maps[map].view, number, &source)) return status;
    if (fm_str_equal(fm_str_basename(source.address), fm_str_basename(source.spelled))) return FRAMEMAP_OK;
    return add_entry(links, (struct entry){map, number, UINT32_MAX, true});
}

/* --- finding the source that a step wrote --- */

struct source_search {
    struct links *links;
    struct fm_convert *convert;
    uint32_t step;
    enum fit best;
    framemap_str address; /* address of the best source */
    bool several;         /* several sources with this name have different addresses */
};

static void compare_source(struct source_search *search, const struct fm_view_source *source, enum fit fit)
{
    if (fit == FIT_NONE || fit < search->best) return;
    const bool same = fit == search->best && fm_str_equal(source->address, search->address);
    search->several = fit == search->best && (search->several || !same);
    search->best = fit;
    search->address = source->address;
}

static bool is_free(const struct source_search *search, const struct entry *entry)
{
    return entry->map < search->step && search->convert->maps[entry->map].steps[entry->source] == 0;
}

/* Finds the best match for a name among the sources that are not linked to a step yet. */
static framemap_status find_source(struct source_search *search, framemap_str wanted)
{
    const struct links *links = search->links;
    struct fm_view_source source;
    search->best = FIT_NONE;
    search->several = false;
    for (uint32_t i = first_called(links, fm_str_basename(wanted)); i != UINT32_MAX; i = links->list[i].next) {
        const struct entry *entry = &links->list[i];
        if (!is_free(search, entry)) continue;
        if (!fm_view_source(search->convert->maps[entry->map].view, entry->source, &source))
            return fm_convert_damaged(search->convert, "a source");
        compare_source(search, &source, fit_source(&source, wanted));
    }
    return FRAMEMAP_OK;
}

/* Finds the only source that is not linked to a step yet; if there is more than one, the error is that several
 * match. */
static framemap_status find_left(struct source_search *search)
{
    struct fm_view_source source;
    search->best = FIT_NONE;
    search->several = false;
    for (uint32_t m = 0; m < search->step; m++) {
        const struct fm_convert_map *map = &search->convert->maps[m];
        for (uint32_t i = 0; i < map->source_count && !search->several; i++) {
            if (map->steps[i] != 0) continue;
            if (!fm_view_source(map->view, i, &source)) return fm_convert_damaged(search->convert, "a source");
            compare_source(search, &source, FIT_NAME);
        }
    }
    return FRAMEMAP_OK;
}

/* Links all sources with the found address to the step, since an index map can list one source several times. */
static framemap_status claim_source(struct source_search *search)
{
    const struct links *links = search->links;
    struct fm_view_source source;
    for (uint32_t i = first_called(links, fm_str_basename(search->address)); i != UINT32_MAX; i = links->list[i].next) {
        const struct entry *entry = &links->list[i];
        struct fm_convert_map *map = &search->convert->maps[entry->map];
        if (!is_free(search, entry)) continue;
        if (!fm_view_source(map->view, entry->source, &source)) return fm_convert_damaged(search->convert, "a source");
        if (fm_str_equal(source.address, search->address)) map->steps[entry->source] = search->step;
    }
    return FRAMEMAP_OK;
}

static framemap_status where(const struct source_search *search, framemap_status status)
{
    fm_error_where(search->convert->error, search->convert->maps[search->step].name);
    return status;
}

static framemap_status link_named(struct source_search *search, framemap_str wanted)
{
    const framemap_status status = find_source(search, wanted);
    if (status != FRAMEMAP_OK) return status;
    framemap_error *error = search->convert->error;
    const int size = (int)(wanted.size < 100 ? wanted.size : 100);
    if (search->best == FIT_NONE)
        return where(search, fm_error_set(error, FRAMEMAP_E_ARGUMENT, "no later map has an unclaimed source '%.*s'",
                                          size, wanted.data));
    if (search->several)
        return where(search, fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                                          "several sources match '%.*s'; give the whole URL", size, wanted.data));
    return claim_source(search);
}

static framemap_str without_ending(framemap_str name)
{
    static const char *const endings[] = {".fmx", ".gz", ".map"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const framemap_str ending = framemap_str_of(endings[i]);
        if (fm_str_ends(name, ending)) name.size -= ending.size;
    }
    return name;
}

/* Links a map by the names that the map states. If these match no source, the only source that is left is used. */
static framemap_status link_by_itself(struct source_search *search)
{
    const struct fm_convert_map *map = &search->convert->maps[search->step];
    const framemap_str wanted[] = {map->file, without_ending(map->name)};
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; status == FRAMEMAP_OK && i < sizeof wanted / sizeof *wanted; i++) {
        if (wanted[i].size == 0) continue;
        status = find_source(search, wanted[i]);
        if (status == FRAMEMAP_OK && search->best != FIT_NONE && !search->several) return claim_source(search);
    }
    if (status == FRAMEMAP_OK) status = find_left(search);
    if (status != FRAMEMAP_OK) return status;
    if (search->best != FIT_NONE && !search->several) return claim_source(search);
    framemap_error *error = search->convert->error;
    if (search->best == FIT_NONE)
        return where(search,
                     fm_error_set(error, FRAMEMAP_E_MISMATCH, "no source of the later maps is left for this map"));
    return where(search,
                 fm_error_set(error, FRAMEMAP_E_MISMATCH,
                              "cannot determine which source of the later maps this map belongs to; give its name"));
}

static framemap_status link_all(struct links *links, const framemap_map_step *given)
{
    struct fm_convert *convert = links->convert;
    framemap_status status = FRAMEMAP_OK;
    for (unsigned named = 2; named-- > 0;)
        for (uint32_t i = 1; status == FRAMEMAP_OK && i < convert->map_count; i++) {
            struct source_search search = {.links = links, .convert = convert, .step = i};
            const framemap_str source = given[i - 1].source;
            if ((source.size > 0) != (named == 1)) continue;
            status = named == 1 ? link_named(&search, source) : link_by_itself(&search);
        }
    return status;
}

framemap_status fm_convert_link(struct fm_convert *convert, const framemap_map_step *given)
{
    struct links links = {.convert = convert};
    framemap_status status = FRAMEMAP_OK;
    fm_table_init(&links.table, convert->heap);
    for (uint32_t m = 0; m + 1 < convert->map_count; m++)
        for (uint32_t i = 0; status == FRAMEMAP_OK && i < convert->maps[m].source_count; i++)
            status = add_source(&links, m, i);
    if (status == FRAMEMAP_OK) status = link_all(&links, given);
    fm_heap_free(convert->heap, links.list, links.capacity * sizeof *links.list);
    fm_table_free(&links.table);
    return status;
}
