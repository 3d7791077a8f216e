/* Which source each earlier map has written. */
#include "session/convert_job.h"

#include "core/fault.h"

/* How well a source is called what is wanted. */
enum fit { FIT_NONE, FIT_NAME, FIT_END, FIT_WHOLE };

static bool ends_so(framemap_str address, framemap_str end)
{
    return address.size > end.size && fm_str_ends(address, end) && (end.data[0] == '/' || address.data[address.size - end.size - 1] == '/');
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

struct search {
    struct fm_convert *convert;
    uint32_t step;
    enum fit best;
    framemap_str address; /* of the best */
    bool several;         /* that are called so, with different addresses */
};

static void look_at(struct search *search, const struct fm_view_source *source, enum fit fit)
{
    if (fit == FIT_NONE || fit < search->best) return;
    const bool same = fit == search->best && fm_str_equal(source->address, search->address);
    search->several = fit == search->best && (search->several || !same);
    search->best = fit;
    search->address = source->address;
}

/* Of the sources that no step has taken yet: the best fit, or, wanted absent, any. */
static framemap_status find(struct search *search, framemap_str wanted)
{
    struct fm_view_source source;
    search->best = FIT_NONE;
    search->several = false;
    for (uint32_t m = 0; m < search->step; m++) {
        const struct fm_convert_map *map = &search->convert->maps[m];
        for (uint32_t i = 0; i < map->source_count; i++) {
            if (map->steps[i] != 0) continue;
            if (!fm_view_source(map->view, i, &source)) return fm_convert_damaged(search->convert, "a source");
            look_at(search, &source, wanted.data == NULL ? FIT_NAME : fit_source(&source, wanted));
        }
    }
    return FRAMEMAP_OK;
}

/* All sources of that address lead into the step: an index map can have one several times. */
static framemap_status take(struct search *search)
{
    const framemap_str address = search->address;
    struct fm_view_source source;
    for (uint32_t m = 0; m < search->step; m++) {
        struct fm_convert_map *map = &search->convert->maps[m];
        for (uint32_t i = 0; i < map->source_count; i++) {
            if (map->steps[i] != 0) continue;
            if (!fm_view_source(map->view, i, &source)) return fm_convert_damaged(search->convert, "a source");
            if (fm_str_equal(source.address, address)) map->steps[i] = search->step;
        }
    }
    return FRAMEMAP_OK;
}

static framemap_status where(const struct search *search, framemap_status status)
{
    fm_fault_where(search->convert->error, search->convert->maps[search->step].name);
    return status;
}

static framemap_status link_named(struct search *search, framemap_str wanted)
{
    const framemap_status status = find(search, wanted);
    if (status != FRAMEMAP_OK) return status;
    framemap_error *error = search->convert->error;
    const int size = (int)(wanted.size < 100 ? wanted.size : 100);
    if (search->best == FIT_NONE)
        return where(search, fm_fault(error, FRAMEMAP_E_ARGUMENT, "no later map has a source '%.*s' that is free", size, wanted.data));
    if (search->several)
        return where(search,
                     fm_fault(error, FRAMEMAP_E_ARGUMENT, "several sources are called '%.*s': give the whole address", size, wanted.data));
    return take(search);
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

/* By what the map says of itself, else by what is left over. */
static framemap_status link_by_itself(struct search *search)
{
    const struct fm_convert_map *map = &search->convert->maps[search->step];
    const framemap_str wanted[] = {map->file, without_ending(map->name), {NULL, 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (i < 2 && wanted[i].size == 0) continue;
        const framemap_status status = find(search, wanted[i]);
        if (status != FRAMEMAP_OK) return status;
        if (search->best != FIT_NONE && !search->several) return take(search);
    }
    framemap_error *error = search->convert->error;
    if (search->best == FIT_NONE)
        return where(search, fm_fault(error, FRAMEMAP_E_MISMATCH, "the later maps have no source left that this map could be of"));
    return where(search,
                 fm_fault(error, FRAMEMAP_E_MISMATCH, "which source of the later maps this map is of can't be told: name the source"));
}

framemap_status fm_convert_link(struct fm_convert *convert, const framemap_map_step *given)
{
    framemap_status status = FRAMEMAP_OK;
    for (unsigned named = 2; named-- > 0;)
        for (uint32_t i = 1; status == FRAMEMAP_OK && i < convert->map_count; i++) {
            struct search search = {.convert = convert, .step = i};
            const framemap_str source = given[i - 1].source;
            if ((source.size > 0) != (named == 1)) continue;
            status = named == 1 ? link_named(&search, source) : link_by_itself(&search);
        }
    return status;
}
