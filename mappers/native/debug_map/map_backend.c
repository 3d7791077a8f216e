/* Opens the object files of a debug map, and walks their units. See map_backend.h. */
#include "mappers/native/debug_map/map_backend.h"

#include "core/error.h"
#include "core/limits.h"
#include "mappers/native/debug_map/map_object.h"
#include "mappers/native/dwarf/dw_companion.h"

#include <inttypes.h>
#include <stdio.h>

/* A unit of an object file, or the code of an object file that was not found. */
struct map_unit {
    uint32_t object, number; /* number: of the unit, for the backend of the object file */
};

struct map_debug {
    struct fm_heap *heap;
    struct fm_arena arena;
    const struct fm_dw_backend *reader; /* of the object files */
    struct fm_map_object *objects;
    size_t object_count, missing;
    const struct fm_map_object *first_missing;
    struct map_unit *units;
    size_t unit_count, unit_capacity;
    uint64_t stored_bytes, inflated_bytes; /* of all object files */
    bool inflated_too_much;                /* the rest is not read */
};

struct map_worker {
    struct map_debug *debug;
    struct fm_dw_worker *worker; /* of the object file `object`; NULL: none */
    uint32_t object;
    uint32_t number; /* of the unit in the image */
    const struct fm_dw_visitor *to;
    struct fm_address_mover mover;
    uint64_t skipped; /* entered functions that are not reported, since they have no code */
    bool no_memory;   /* in needs_function, which cannot report it */
};

/* The structs of the interface are those of this backend. */
static struct fm_dw_debug *as_debug(struct map_debug *debug) { return (struct fm_dw_debug *)(void *)debug; }
static struct map_debug *debug_of(struct fm_dw_debug *debug) { return (struct map_debug *)(void *)debug; }
static struct fm_dw_worker *as_worker(struct map_worker *worker) { return (struct fm_dw_worker *)(void *)worker; }
static struct map_worker *worker_of(struct fm_dw_worker *worker) { return (struct map_worker *)(void *)worker; }

/* --- opening --- */

struct map_opening {
    struct map_debug *debug;
    const struct fm_image *image;
    struct fm_mapper_host host; /* of the object files: it gives them no companions of their own */
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
    struct map_debug *debug = opening->debug;
    struct fm_dw_claim own = {.number = (uint32_t)debug->unit_count,
                              .offset = claim->offset,
                              .end = claim->end,
                              .ranges = claim->ranges,
                              .range_count = claim->range_count,
                              .weak = claim->weak};

    if (!FM_GROW(debug->heap, debug->units, debug->unit_capacity, debug->unit_count + 1)) return false;
    debug->units[debug->unit_count++] = (struct map_unit){opening->object, number};
    return opening->to->claim(opening->to->context, &own);
}

/* A unit of which the linker kept nothing is not reported. */
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

/* The code of an object file without debug info: its claim has the lowest priority of all units. */
static framemap_status claim_missing(struct map_opening *opening, const struct fm_map_object *object)
{
    struct map_debug *debug = opening->debug;
    struct fm_dw_claim claim = {.weak = true};

    if (debug->missing++ == 0) debug->first_missing = object;
    if (!fm_map_object_code(object, &debug->arena, &claim)) return fm_error_memory(opening->error);
    return claim.range_count == 0 || add_unit(opening, 0, &claim) ? FRAMEMAP_OK : fm_error_memory(opening->error);
}

/* As for companions of other kinds: object files of a few bytes each that inflate to 64 MB would be a bomb. */
static void count_bytes(struct map_opening *opening, const struct fm_map_object *object)
{
    struct map_debug *debug = opening->debug;

    debug->stored_bytes += object->image.bytes.size;
    debug->inflated_bytes += fm_image_inflated_bytes(&object->image);
    if (debug->inflated_bytes <= fm_limit_inflated(debug->stored_bytes) || debug->inflated_too_much) return;
    debug->inflated_too_much = true;
    report(opening, FRAMEMAP_E_LIMIT, object->path,
           "the debug info of the object files inflates beyond 64 times their size; the rest is not read");
}

/* Opens one candidate. *taken: it is the object file that was linked. */
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

/* Whether an object file has code, and at one of the requested addresses if only some are to be compiled. */
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
    const struct map_debug *debug = opening->debug;
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

static framemap_status open_objects(struct map_debug *debug, const struct fm_image *image,
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

static void close_map(struct fm_dw_debug *opaque)
{
    struct map_debug *debug = debug_of(opaque);

    if (debug == NULL) return;
    for (size_t i = 0; i < debug->object_count; i++) {
        debug->reader->close(debug->objects[i].debug);
        fm_map_object_close(&debug->objects[i]);
    }
    fm_heap_free(debug->heap, debug->units, debug->unit_capacity * sizeof *debug->units);
    fm_arena_free(&debug->arena);
    fm_heap_free(debug->heap, debug, sizeof *debug);
}

static framemap_status open_map(const struct fm_dw_backend *reader, const struct fm_image *image,
                                const struct fm_mapper_host *host, const struct fm_dw_open_callbacks *survey,
                                struct fm_dw_debug **out, framemap_error *error)
{
    struct map_debug *debug = fm_heap_zalloc(host->heap, 1, sizeof *debug);

    *out = NULL;
    if (debug == NULL) return fm_error_memory(error);
    debug->heap = host->heap;
    debug->reader = reader;
    fm_arena_init(&debug->arena, host->heap);
    const framemap_status status = open_objects(debug, image, host, survey, error);
    if (status == FRAMEMAP_OK)
        *out = as_debug(debug);
    else
        close_map(as_debug(debug));
    return status;
}

/* --- walking --- */

static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    const struct map_worker *worker = context;
    struct fm_dw_unit own = *unit;

    own.number = worker->number;
    own.lines_in_functions = unit->has_functions; /* padding is not */
    return worker->to->unit(worker->to->context, &own);
}

static bool on_file(void *context, uint32_t number, framemap_str path)
{
    const struct map_worker *worker = context;
    return worker->to->file(worker->to->context, number, path);
}

static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct map_worker *worker = context;
    return fm_address_mover_rows(&worker->mover, worker->to, rows, count);
}

/* Nothing is reported of a function that the linker dropped. */
static bool needs_function(void *context, const struct fm_dw_range *ranges, size_t count)
{
    struct map_worker *worker = context;
    const struct fm_dw_visitor *to = worker->to;

    worker->no_memory = !fm_address_mover_ranges(&worker->mover, ranges, count);
    if (worker->no_memory) return true;
    if (worker->mover.count == 0) return false;
    return to->needs_function == NULL || to->needs_function(to->context, worker->mover.ranges, worker->mover.count);
}

static bool on_enter(void *context, const struct fm_dw_function *function)
{
    struct map_worker *worker = context;
    struct fm_dw_function own = *function;

    if (worker->no_memory || !fm_address_mover_ranges(&worker->mover, function->ranges, function->range_count))
        return false;
    if (worker->skipped > 0 || worker->mover.count == 0) {
        worker->skipped++;
        return true;
    }
    own.ranges = worker->mover.ranges;
    own.range_count = worker->mover.count;
    return worker->to->enter(worker->to->context, &own);
}

static bool on_leave(void *context)
{
    struct map_worker *worker = context;

    if (worker->skipped == 0) return worker->to->leave(worker->to->context);
    worker->skipped--;
    return true;
}

static void on_fault(void *context, const framemap_error *fault)
{
    const struct map_worker *worker = context;
    framemap_error named = *fault;

    named.where[0] = 0;
    fm_error_where(&named, worker->debug->objects[worker->object].path);
    worker->to->fault(worker->to->context, &named);
}

static bool on_unit_end(void *context)
{
    struct map_worker *worker = context;
    framemap_error fault = {0};

    if (worker->mover.spent) {
        fm_error_set(&fault, FRAMEMAP_E_LIMIT, "its entries claim the same code too often; some is left out");
        on_fault(worker, &fault);
    }
    return fm_address_mover_flush(&worker->mover, worker->to) && worker->to->unit_end(worker->to->context);
}

static framemap_status walk_missing(const struct map_worker *worker, const struct fm_map_object *object,
                                    framemap_error *error)
{
    const struct fm_dw_unit unit = {.number = worker->number, .split_file = object->path, .lacks_functions = true};
    const struct fm_dw_visitor *to = worker->to;

    if (to->unit != NULL && !to->unit(to->context, &unit)) return fm_error_memory(error);
    return to->unit_end == NULL || to->unit_end(to->context) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Workers are made for one object file: units are walked in about their order, so this happens seldom. */
static framemap_status use_object(struct map_worker *worker, uint32_t number, framemap_error *error)
{
    const struct fm_dw_backend *reader = worker->debug->reader;

    if (worker->worker != NULL && worker->object == number) return FRAMEMAP_OK;
    reader->worker_free(worker->worker);
    worker->worker = NULL;
    worker->object = number;
    return reader->worker(worker->debug->objects[number].debug, &worker->worker, error);
}

static framemap_status walk_map(struct fm_dw_worker *opaque, uint32_t number, const struct fm_dw_visitor *visitor,
                                framemap_error *error)
{
    struct map_worker *worker = worker_of(opaque);
    const struct map_unit unit = worker->debug->units[number];
    const struct fm_map_object *object = &worker->debug->objects[unit.object];
    const struct fm_dw_visitor own = {.context = worker,
                                      .unit = on_unit,
                                      .file = on_file,
                                      .rows = visitor->rows != NULL ? on_rows : NULL,
                                      .enter = visitor->enter != NULL ? on_enter : NULL,
                                      .leave = on_leave,
                                      .unit_end = on_unit_end,
                                      .fault = on_fault,
                                      .one_name = visitor->one_name,
                                      .needs_function = needs_function};

    worker->to = visitor;
    worker->number = number;
    if (object->debug == NULL) return walk_missing(worker, object, error);
    const framemap_status status = use_object(worker, unit.object, error);
    if (status != FRAMEMAP_OK) return status;
    fm_address_mover_begin(&worker->mover, object->moves);
    worker->skipped = 0;
    worker->no_memory = false;
    return worker->debug->reader->walk(worker->worker, unit.number, &own, error);
}

static framemap_status scopes_map(struct fm_dw_worker *opaque, uint32_t number, const uint64_t *entries, size_t count,
                                  struct fm_arena *arena, framemap_str *out, framemap_error *error)
{
    struct map_worker *worker = worker_of(opaque);
    const struct map_unit unit = worker->debug->units[number];
    const framemap_status status = use_object(worker, unit.object, error);

    if (status != FRAMEMAP_OK) return status;
    return worker->debug->reader->scopes(worker->worker, unit.number, entries, count, arena, out, error);
}

static void free_worker(struct fm_dw_worker *opaque)
{
    struct map_worker *worker = worker_of(opaque);

    if (worker == NULL) return;
    worker->debug->reader->worker_free(worker->worker);
    fm_address_mover_free(&worker->mover);
    fm_heap_free(worker->debug->heap, worker, sizeof *worker);
}

static framemap_status make_worker(struct fm_dw_debug *opaque, struct fm_dw_worker **out, framemap_error *error)
{
    struct map_debug *debug = debug_of(opaque);
    struct map_worker *worker = fm_heap_zalloc(debug->heap, 1, sizeof *worker);

    *out = as_worker(worker);
    if (worker == NULL) return fm_error_memory(error);
    worker->debug = debug;
    fm_address_mover_init(&worker->mover, debug->heap);
    return FRAMEMAP_OK;
}

/* --- the backends --- */

static framemap_status open_by_fast(const struct fm_image *image, const struct fm_mapper_host *host,
                                    const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                    framemap_error *error)
{
    return open_map(&fm_dw_fast, image, host, survey, out, error);
}

static framemap_status open_by_libdwarf(const struct fm_image *image, const struct fm_mapper_host *host,
                                        const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                        framemap_error *error)
{
    return open_map(&fm_dw_libdwarf, image, host, survey, out, error);
}

static const struct fm_dw_backend by_fast = {.name = "fast",
                                             .threads = true,
                                             .open = open_by_fast,
                                             .close = close_map,
                                             .worker = make_worker,
                                             .worker_free = free_worker,
                                             .walk = walk_map,
                                             .scopes = scopes_map};

static const struct fm_dw_backend by_libdwarf = {.name = "libdwarf",
                                                 .threads = false,
                                                 .open = open_by_libdwarf,
                                                 .close = close_map,
                                                 .worker = make_worker,
                                                 .worker_free = free_worker,
                                                 .walk = walk_map,
                                                 .scopes = scopes_map};

const struct fm_dw_backend *fm_map_backend_for(const struct fm_image *image, const struct fm_dw_backend *reader)
{
    if (image->has_debug_info || !fm_image_has_debug_map(image)) return reader;
    return reader == &fm_dw_libdwarf ? &by_libdwarf : &by_fast;
}
