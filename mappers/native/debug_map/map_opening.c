/* Opens the object files of a debug map and claims the addresses of their units. See map_opening.h. */
#include "mappers/native/debug_map/map_opening.h"

#include "core/error.h"
#include "core/limits.h"
#include "mappers/native/dwarf/dw_companion.h"

#include <inttypes.h>
#include <stdio.h>

struct map_opening {
    struct fm_map_debug *debug;
    const struct fm_image *image;
    struct fm_mapper_host host; /* the host that object files are opened with; it provides no companions for them */
    const struct fm_mapper_host *outer;
    const struct fm_dw_open_callbacks *to;
    struct fm_address_mover mover;
    uint32_t object;
    framemap_error *error;
};

static void report(const struct map_opening *opening, framemap_status code, framemap_str path, const char *what)
{
    framemap_error fault = {0};

    fm_error_set(&fault, code, "%s", what);
    fm_error_where(&fault, path);
    opening->to->fault(opening->to->context, &fault);
}

static void on_object_fault(void *context, const framemap_error *fault)
{
    const struct map_opening *opening = context;
    framemap_error named = *fault;

    named.where[0] = 0;
    fm_error_where(&named, opening->debug->objects[opening->object].path);
    opening->to->fault(opening->to->context, &named);
}

static bool add_unit(struct map_opening *opening, uint32_t number, const struct fm_dw_claim *claim)
{
    struct fm_map_debug *debug = opening->debug;
    struct fm_dw_claim own = {.number = (uint32_t)debug->unit_count,
                              .offset = claim->offset,
                              .end = claim->end,
                              .ranges = claim->ranges,
                              .range_count = claim->range_count,
                              .weak = claim->weak};

    if (!FM_GROW(debug->heap, debug->units, debug->unit_capacity, debug->unit_count + 1)) return false;
    debug->units[debug->unit_count++] = (struct fm_map_unit){opening->object, number};
    return opening->to->claim(opening->to->context, &own);
}

/* Passes on a claim. A unit of which the linker kept nothing is not reported. */
static bool on_claim(void *context, const struct fm_dw_claim *claim)
{
    struct map_opening *opening = context;
    struct fm_address_mover *mover = &opening->mover;
    struct fm_dw_claim live = *claim;

    if (!fm_address_mover_ranges(mover, claim->ranges, claim->range_count)) return false;
    live.ranges = mover->ranges;
    live.range_count = mover->count;
    return mover->count == 0 || add_unit(opening, claim->number, &live);
}

static framemap_status open_units(struct map_opening *opening, struct fm_map_object *object)
{
    const struct fm_dw_open_callbacks survey = {opening, on_claim, on_object_fault};

    fm_address_mover_begin(&opening->mover, object->moves);
    const framemap_status status =
        opening->debug->reader->open(&object->image, &opening->host, &survey, &object->debug, opening->error);
    if (opening->mover.spent)
        report(opening, FRAMEMAP_E_LIMIT, object->path,
               "its units claim the same code too often; some is without lines");
    const unsigned unapplied = fm_map_object_unapplied(object);
    if (status == FRAMEMAP_OK && unapplied > 0) {
        framemap_error fault = {0};
        fm_error_set(&fault, FRAMEMAP_E_UNSUPPORTED, "%u relocations of a type that is unknown for %s were skipped",
                     unapplied, object->image.arch);
        on_object_fault(opening, &fault);
    }
    return status;
}

/* Claims the code of an object file without debug info, with the lowest priority of all units. */
static framemap_status claim_missing(struct map_opening *opening, const struct fm_map_object *object)
{
    struct fm_map_debug *debug = opening->debug;
    struct fm_dw_claim claim = {.weak = true};

    if (debug->missing++ == 0) debug->first_missing = object;
    if (!fm_map_object_code(object, &debug->arena, &claim)) return fm_error_memory(opening->error);
    return claim.range_count == 0 || add_unit(opening, 0, &claim) ? FRAMEMAP_OK : fm_error_memory(opening->error);
}

/* Counts the bytes of an object file, and sets the limit of inflated bytes as for other companions: many object files
 * of a few bytes, each of which inflates to 64 MB, would be a decompression bomb. */
static void count_bytes(struct map_opening *opening, const struct fm_map_object *object)
{
    struct fm_map_debug *debug = opening->debug;

    debug->stored_bytes += object->image.bytes.size;
    debug->inflated_bytes += fm_image_inflated_bytes(&object->image);
    if (debug->inflated_bytes <= fm_limit_inflated(debug->stored_bytes) || debug->inflated_too_much) return;
    debug->inflated_too_much = true;
    report(opening, FRAMEMAP_E_LIMIT, object->path,
           "the debug info of the object files inflates beyond 64 times their size; the rest is not read");
}

/* Opens one candidate. *taken: whether it is the object file that was linked. */
static framemap_status try_object(struct map_opening *opening, struct fm_map_object *object, framemap_str bytes,
                                  bool *taken)
{
    const char *why = NULL;
    const framemap_status status =
        fm_map_object_open(object, opening->image, opening->debug->heap, bytes, &why, opening->error);

    *taken = status == FRAMEMAP_OK && why == NULL;
    if (status == FRAMEMAP_OK && why != NULL) report(opening, FRAMEMAP_E_MISMATCH, object->path, why);
    return status;
}

/* Whether one of the requested addresses, which are ascending, is in [low, low + size). */
static bool is_requested(const struct fm_mapper_host *host, uint64_t low, uint64_t size)
{
    size_t from = 0, to = host->position_count;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (host->positions[middle] < low)
            from = middle + 1;
        else
            to = middle;
    }
    return from < host->position_count && host->positions[from] - low < size;
}

/* Whether an object file has code, or, if only some addresses are requested, code at one of these. */
static bool is_needed(const struct map_opening *opening, const struct fm_map_object *object)
{
    const struct fm_mapper_host *host = opening->outer;

    for (size_t i = 0; i < object->function_count; i++) {
        const struct fm_debug_map_function *function = &object->functions[i];
        if (host->positions == NULL || function->size == 0) return true;
        if (is_requested(host, function->address, function->size)) return true;
    }
    return false;
}

static framemap_status find_object(struct map_opening *opening, struct fm_map_object *object)
{
    char modified[24];
    framemap_companion_request wanted = {
        .size = sizeof wanted, .kind = FRAMEMAP_COMPANION_OBJECT, .name = object->path};
    bool taken = false;
    framemap_str bytes;

    if (!is_needed(opening, object)) return FRAMEMAP_OK;
    snprintf(modified, sizeof modified, "%" PRIu64, object->modified);
    if (object->modified != 0) wanted.id = framemap_str_of(modified);
    for (unsigned attempt = 0; attempt < FM_LIMIT_COMPANION_TRIES && !taken; attempt++) {
        wanted.attempt = attempt;
        if (opening->debug->inflated_too_much || !fm_companion_get(opening->outer, &wanted, &bytes)) break;
        const framemap_status status = try_object(opening, object, bytes, &taken);
        if (status != FRAMEMAP_OK) return status;
    }
    if (!taken) return claim_missing(opening, object);
    const framemap_status status = open_units(opening, object);
    count_bytes(opening, object);
    return status;
}

static void warn_of_missing(const struct map_opening *opening)
{
    const struct fm_map_debug *debug = opening->debug;
    const struct fm_map_object *first = debug->first_missing;
    char modified[48] = "";
    framemap_error fault = {0};

    if (debug->missing == 0) return;
    if (first->modified != 0) snprintf(modified, sizeof modified, " (modified at %" PRIu64 ")", first->modified);
    fm_error_set(&fault, FRAMEMAP_E_UNSUPPORTED,
                 "the debug info of this image is in its object files, of which %zu of %zu were not found, or were "
                 "changed since: their code has no lines. The first is %.*s%s",
                 debug->missing, debug->object_count, (int)(first->path.size > 200 ? 200 : first->path.size),
                 first->path.data, modified);
    opening->to->fault(opening->to->context, &fault);
}

static framemap_status open_objects(struct fm_map_debug *debug, const struct fm_image *image,
                                    const struct fm_mapper_host *host, const struct fm_dw_open_callbacks *survey,
                                    framemap_error *error)
{
    struct map_opening opening = {
        .debug = debug, .image = image, .host = *host, .outer = host, .to = survey, .error = error};
    framemap_status status = fm_map_objects(image, &debug->arena, &debug->objects, &debug->object_count, error);

    opening.host.companion = NULL;
    opening.host.release_range = NULL;
    opening.host.companion_log = NULL;
    fm_address_mover_init(&opening.mover, debug->heap);
    for (size_t i = 0; i < debug->object_count && status == FRAMEMAP_OK; i++) {
        opening.object = (uint32_t)i;
        status = find_object(&opening, &debug->objects[i]);
    }
    if (status == FRAMEMAP_OK) warn_of_missing(&opening);
    fm_address_mover_free(&opening.mover);
    return status;
}

void fm_map_close(struct fm_map_debug *debug)
{
    if (debug == NULL) return;
    for (size_t i = 0; i < debug->object_count; i++) {
        debug->reader->close(debug->objects[i].debug);
        fm_map_object_close(&debug->objects[i]);
    }
    fm_heap_free(debug->heap, debug->units, debug->unit_capacity * sizeof *debug->units);
    fm_arena_free(&debug->arena);
    fm_heap_free(debug->heap, debug, sizeof *debug);
}

framemap_status fm_map_open(const struct fm_dw_backend *reader, const struct fm_image *image,
                            const struct fm_mapper_host *host, const struct fm_dw_open_callbacks *survey,
                            struct fm_map_debug **out, framemap_error *error)
{
    struct fm_map_debug *debug = fm_heap_zalloc(host->heap, 1, sizeof *debug);

    *out = NULL;
    if (debug == NULL) return fm_error_memory(error);
    debug->heap = host->heap;
    debug->reader = reader;
    fm_arena_init(&debug->arena, host->heap);
    const framemap_status status = open_objects(debug, image, host, survey, error);
    if (status == FRAMEMAP_OK)
        *out = debug;
    else
        fm_map_close(debug);
    return status;
}
