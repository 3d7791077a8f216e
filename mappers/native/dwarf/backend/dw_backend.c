/* The two DWARF backends, which dw_visitor.h declares. They share everything but the decoding of attributes: the fast
 * backend decodes them itself, the other one by libdwarf. So if their results differ, one of the backends decodes
 * attributes wrongly. */
#include "core/error.h"
#include "mappers/native/dwarf/backend/dw_claims.h"
#include "mappers/native/dwarf/backend/dw_walk.h"

static framemap_status read_scopes(struct fm_dw_worker *walk, uint32_t number, const uint64_t *entries, size_t count,
                                   struct fm_arena *arena, framemap_str *out, framemap_error *error)
{
    const struct fm_dw_unit_data *unit = fm_dw_entries_unit(walk->debug, walk->debug->claimed[number]);
    const uint64_t work = fm_dw_list_work(&walk->debug->sections, unit->end - unit->offset);

    return fm_dw_scopes_read(&walk->scopes, work, entries, count, arena, out, error);
}

static void close_image(struct fm_dw_debug *debug)
{
    if (debug == NULL) return;
    fm_heap_free(debug->heap, debug->claimed, debug->claimed_capacity * sizeof *debug->claimed);
    fm_dw_units_free(&debug->units);
    fm_heap_free(debug->heap, debug, sizeof *debug);
}

/* State for releasing pages while an image is opened: reading the first bytes of all units loads most pages of a mapped
 * section. */
struct page_release {
    const struct fm_image *image;
    const struct fm_mapper_host *host;
    uint32_t section;
};

static void release_pages_before(void *context, uint64_t offset)
{
    const struct page_release *passing = context;
    const uint64_t stored = passing->image->sections[passing->section].stored.size;

    passing->host->release_range(passing->host->input_context,
                                 (size_t)fm_image_stored_at(passing->image, passing->section),
                                 (size_t)(offset < stored ? offset : stored));
}

static framemap_status open_image(const struct fm_image *image, const struct fm_mapper_host *host,
                                  const struct fm_dw_open_callbacks *survey, bool library, struct fm_dw_debug **out,
                                  framemap_error *error)
{
    struct fm_dw_debug *debug = fm_heap_zalloc(host->heap, 1, sizeof *debug);

    *out = NULL;
    if (debug == NULL) return fm_error_memory(error);
    debug->image = image;
    debug->heap = host->heap;
    debug->library = library;
    framemap_status status = fm_dw_sections_load(image, &debug->sections, survey->fault, survey->context, error);
    fm_dw_units_init(&debug->units, debug->heap, &debug->sections);
    struct page_release passing = {image, host, fm_image_section(image, FM_STR(".debug_info"))};
    if (host->release_range != NULL && passing.section != UINT32_MAX &&
        fm_image_stored_at(image, passing.section) > 0) {
        debug->units.passed = release_pages_before;
        debug->units.passed_context = &passing;
    }
    if (status == FRAMEMAP_OK) status = fm_dw_claims_list(debug, host, survey, error);
    debug->units.passed = NULL;
    if (status == FRAMEMAP_OK)
        *out = debug;
    else
        close_image(debug);
    return status;
}

static framemap_status open_fast(const struct fm_image *image, const struct fm_mapper_host *host,
                                 const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                 framemap_error *error)
{
    return open_image(image, host, survey, false, out, error);
}

static framemap_status open_libdwarf(const struct fm_image *image, const struct fm_mapper_host *host,
                                     const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                     framemap_error *error)
{
    *out = NULL;
    if (!fm_dw_library_available())
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED,
                            "this framemap was built without libdwarf: choose the reader \"%s\", which is the default",
                            fm_dw_fast.name);
    return open_image(image, host, survey, true, out, error);
}

const struct fm_dw_backend fm_dw_fast = {.name = "fast",
                                         .threads = true,
                                         .open = open_fast,
                                         .close = close_image,
                                         .worker = fm_dw_worker_make,
                                         .worker_free = fm_dw_worker_free,
                                         .walk = fm_dw_walk_unit,
                                         .scopes = read_scopes};

const struct fm_dw_backend fm_dw_libdwarf = {.name = "libdwarf",
                                             .threads = false,
                                             .open = open_libdwarf,
                                             .close = close_image,
                                             .worker = fm_dw_worker_make,
                                             .worker_free = fm_dw_worker_free,
                                             .walk = fm_dw_walk_unit,
                                             .scopes = read_scopes};

const struct fm_dw_backend *fm_dw_backend_named(const char *name)
{
    if (name == NULL || strcmp(name, fm_dw_fast.name) == 0) return &fm_dw_fast;
    return strcmp(name, fm_dw_libdwarf.name) == 0 ? &fm_dw_libdwarf : NULL;
}
