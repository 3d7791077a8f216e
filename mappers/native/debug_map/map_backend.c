/* Walks the units of the object files of a debug map; map_opening.c opens them. See map_backend.h. */
#include "mappers/native/debug_map/map_backend.h"

#include "core/error.h"
#include "mappers/native/debug_map/map_opening.h"

struct map_worker {
    struct fm_map_debug *debug;
    struct fm_dw_worker *worker; /* worker of the object file `object`; NULL: no object file is open */
    uint32_t object;
    uint32_t number; /* number of the unit in the image */
    const struct fm_dw_visitor *to;
    struct fm_address_mover mover;
    uint64_t skipped; /* entered functions that are not reported, since they have no code */
    bool no_memory;   /* needs_function, which cannot report an error, ran out of memory */
};

/* Casts the opaque structs of the backend interface to those of this backend. */
static struct fm_dw_debug *as_debug(struct fm_map_debug *debug) { return (struct fm_dw_debug *)(void *)debug; }
static struct fm_map_debug *debug_of(struct fm_dw_debug *debug) { return (struct fm_map_debug *)(void *)debug; }
static struct fm_dw_worker *as_worker(struct map_worker *worker) { return (struct fm_dw_worker *)(void *)worker; }
static struct map_worker *worker_of(struct fm_dw_worker *worker) { return (struct map_worker *)(void *)worker; }

/* --- walking the units of object files --- */

static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    const struct map_worker *worker = context;
    struct fm_dw_unit own = *unit;

    own.number = worker->number;
    /* the line table's rows outside of functions describe padding, so they are ignored */
    own.lines_in_functions = unit->has_functions;
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

/* Whether a function must be reported: only if the linker did not drop it. */
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

/* Makes the worker that reads an object file, unless the current worker already reads that file. Units are walked
 * roughly in the order of their numbers, so a new worker is seldom needed. */
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
    const struct fm_map_unit unit = worker->debug->units[number];
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
    const struct fm_map_unit unit = worker->debug->units[number];
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
    struct fm_map_debug *debug = debug_of(opaque);
    struct map_worker *worker = fm_heap_zalloc(debug->heap, 1, sizeof *worker);

    *out = as_worker(worker);
    if (worker == NULL) return fm_error_memory(error);
    worker->debug = debug;
    fm_address_mover_init(&worker->mover, debug->heap);
    return FRAMEMAP_OK;
}

/* --- defining the backends, one for each backend that reads the object files --- */

static framemap_status open_map(const struct fm_dw_backend *reader, const struct fm_image *image,
                                const struct fm_mapper_host *host, const struct fm_dw_open_callbacks *survey,
                                struct fm_dw_debug **out, framemap_error *error)
{
    struct fm_map_debug *debug;
    const framemap_status status = fm_map_open(reader, image, host, survey, &debug, error);
    *out = as_debug(debug);
    return status;
}

static void close_map(struct fm_dw_debug *debug) { fm_map_close(debug_of(debug)); }

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
