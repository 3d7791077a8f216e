/* Debug info and symbols of an image to the builder: the visitor that every reader of debug info feeds. */
#include "core/fault.h"
#include "core/text.h"
#include "mappers/debuginfo/dw_output.h"

struct compile {
    const struct fm_image *image;
    unsigned flags;
    const struct fm_mapper_host *host;
    struct fm_builder *builder;
    struct fm_heap *heap;
    framemap_status status; /* of the first call that failed */
    framemap_error error;
    struct fm_spans claims;      /* ids: unit numbers */
    struct fm_segments owners;   /* by address: which unit answers */
    struct fm_segments by_unit;  /* the same by unit, then address */
    uint32_t unit_count;         /* that claim something */
    size_t next_owned;           /* in by_unit */
    uint32_t unit;               /* number of the current one */
    struct fm_dw_unit_model model;
    uint32_t *files;             /* numbers of the builder, by the reader's number */
    size_t file_count, file_capacity;
    struct fm_dw_symbols symbols;
    struct fm_dw_output output;
    bool has_producer;
};

static bool keep(struct compile *compile, framemap_status status)
{
    if (status != FRAMEMAP_OK && compile->status == FRAMEMAP_OK) compile->status = status;
    return status == FRAMEMAP_OK;
}

static bool had_memory(struct compile *compile, bool good) { return good || keep(compile, fm_fault_memory(&compile->error)); }

/* --- which unit answers for an address --- */

static bool on_claim(void *context, const struct fm_dw_claim *claim)
{
    struct compile *compile = context;
    uint64_t rank = claim->number + (claim->weak ? (uint64_t)1 << 32 : 0);
    bool good = true;

    compile->unit_count = claim->number + 1;
    for (size_t i = 0; i < claim->range_count && good; i++) {
        good = fm_spans_add(&compile->claims, claim->ranges[i].low, claim->ranges[i].high, rank, claim->number);
    }
    return had_memory(compile, good);
}

/* LLVM asks the unit that comes first in the section where several claim an address; so do we. */
static bool settle_owners(struct compile *compile)
{
    struct fm_spans sorted = {.heap = compile->heap};
    bool good = fm_spans_paint(&compile->claims, &compile->owners);

    /* Sorted as spans whose low is the unit and whose rank is the address. */
    for (size_t i = 0; i < compile->owners.count && good; i++) {
        const struct fm_segment *owner = &compile->owners.items[i];
        good = fm_spans_add(&sorted, owner->id, owner->high, owner->low, owner->id);
    }
    good = good && fm_spans_sort(&sorted);
    for (size_t i = 0; i < sorted.count && good; i++) {
        good = fm_segments_add(&compile->by_unit, sorted.items[i].rank, sorted.items[i].high, sorted.items[i].id);
    }
    fm_spans_free(&sorted);
    return had_memory(compile, good);
}

/* --- the visitor --- */

static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    struct compile *compile = context;

    if (!compile->has_producer && unit->producer.size > 0) {
        compile->has_producer = true;
        if (!keep(compile, fm_builder_attribute(compile->builder, FM_STR("producer"), unit->producer, &compile->error))) return false;
    }
    compile->unit = unit->number;
    compile->file_count = 0;
    fm_dw_unit_model_begin(&compile->model, unit->language);
    return true;
}

static bool on_file(void *context, uint32_t number, framemap_str path)
{
    struct compile *compile = context;
    uint32_t file = FM_NONE;

    if (number != compile->file_count) return keep(compile, fm_fault(&compile->error, FRAMEMAP_E_INTERNAL, "files are announced out of order"));
    if (!had_memory(compile, FM_GROW(compile->heap, compile->files, compile->file_capacity, compile->file_count + 1))) return false;
    if (path.size > 0 && !keep(compile, fm_builder_file(compile->builder, path, &file, &compile->error))) return false;
    compile->files[compile->file_count++] = file;
    return true;
}

static uint32_t file_of(const struct compile *compile, uint32_t number) { return number < compile->file_count ? compile->files[number] : FM_NONE; }

static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct compile *compile = context;
    bool good = true;

    for (size_t i = 0; i < count && good; i++) {
        const struct fm_dw_model_row to = {rows[i].address, file_of(compile, rows[i].file), rows[i].line1, rows[i].col1};
        good = fm_dw_unit_model_row(&compile->model, &to, rows[i].end_sequence);
    }
    return had_memory(compile, good);
}

static bool on_enter(void *context, const struct fm_dw_function *function)
{
    struct compile *compile = context;
    struct fm_dw_instance instance = {.linkage_name = function->linkage_name,
                                      .name = function->name,
                                      .decl_file = file_of(compile, function->decl_file),
                                      .decl_line1 = function->decl_line1,
                                      .call_file = file_of(compile, function->call_file),
                                      .call_line1 = function->call_line1,
                                      .call_col1 = function->call_col1,
                                      .artificial = function->artificial};

    bool good = fm_dw_unit_model_enter(&compile->model, &instance, function->depth > 0, function->ranges, function->range_count);
    return had_memory(compile, good);
}

static bool on_leave(void *context)
{
    struct compile *compile = context;

    fm_dw_unit_model_leave(&compile->model);
    return true;
}

static bool on_unit_end(void *context)
{
    struct compile *compile = context;

    if (!had_memory(compile, fm_dw_unit_model_settle(&compile->model))) return false;
    for (; compile->next_owned < compile->by_unit.count; compile->next_owned++) {
        const struct fm_segment *owned = &compile->by_unit.items[compile->next_owned];
        if (owned->id != compile->unit) break; /* of a later unit: each one takes all of its own */
        if (!keep(compile, fm_dw_output_interval(&compile->output, &compile->model, owned->low, owned->high))) return false;
    }
    return true;
}

static void on_fault(void *context, const framemap_error *fault)
{
    const struct compile *compile = context;

    if (compile->host->warning != NULL) compile->host->warning(compile->host->context, fault);
}

/* --- what no unit claims --- */

static framemap_status write_unclaimed(struct compile *compile)
{
    const struct fm_segments *code = &compile->symbols.code;
    const struct fm_segments *owners = &compile->owners;
    framemap_status status = FRAMEMAP_OK;
    size_t owner = 0;

    for (size_t i = 0; i < code->count && status == FRAMEMAP_OK; i++) {
        uint64_t low = code->items[i].low;
        uint64_t high = code->items[i].high;
        while (owner < owners->count && owners->items[owner].high <= low) owner++;
        for (size_t j = owner; j < owners->count && owners->items[j].low < high && status == FRAMEMAP_OK; j++) {
            if (low < owners->items[j].low) status = fm_dw_output_interval(&compile->output, NULL, low, owners->items[j].low);
            low = owners->items[j].high;
        }
        if (low < high && status == FRAMEMAP_OK) status = fm_dw_output_interval(&compile->output, NULL, low, high);
    }
    return status;
}

/* --- all of it --- */

static framemap_status walk_units(struct compile *compile, const struct fm_dw_reader *reader, struct fm_dw_worker *worker, framemap_error *error)
{
    const struct fm_dw_visitor visitor = {compile, on_unit, on_file, on_rows, on_enter, on_leave, on_unit_end, on_fault};
    const struct fm_mapper_host *host = compile->host;

    for (uint32_t i = 0; i < compile->unit_count; i++) {
        if (host->progress != NULL && !host->progress(host->context, i, compile->unit_count)) {
            return fm_fault(error, FRAMEMAP_E_LIMIT, "stopped by the caller");
        }
        framemap_status status = reader->walk(worker, i, &visitor, error);
        if (compile->status != FRAMEMAP_OK) {
            if (error != NULL) *error = compile->error;
            return compile->status;
        }
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

static framemap_status read_debug_info(struct compile *compile, framemap_error *error)
{
    const struct fm_dw_survey survey = {compile, on_claim, on_fault};
    const struct fm_dw_reader *reader = fm_dw_reader_named(compile->host->reader);
    struct fm_dw_debug *debug = NULL;
    struct fm_dw_worker *worker = NULL;

    if (reader == NULL) return fm_fault(error, FRAMEMAP_E_ARGUMENT, "no debug-info reader of the name %s", compile->host->reader);
    framemap_status status = reader->open(compile->image, compile->host, &survey, &debug, error);
    if (status == FRAMEMAP_OK && !settle_owners(compile)) status = fm_fault_memory(error);
    if (status == FRAMEMAP_OK) status = reader->worker(debug, &worker, error);
    if (status == FRAMEMAP_OK) status = walk_units(compile, reader, worker, error);
    reader->worker_free(worker);
    reader->close(debug);
    return status;
}

static framemap_status run(struct compile *compile, framemap_error *error)
{
    framemap_status status;

    if (!fm_dw_symbols_build(compile->image, compile->heap, &compile->symbols)) return fm_fault_memory(error);
    status = fm_dw_output_init(&compile->output, compile->image, &compile->symbols, compile->host, compile->builder, error);
    compile->model.inlined_inside = (compile->flags & FM_DEBUGINFO_INLINED_INSIDE) != 0;
    compile->output.lines_in_functions = (compile->flags & FM_DEBUGINFO_LINES_IN_FUNCTIONS) != 0;
    compile->output.error = &compile->error;
    if (status == FRAMEMAP_OK) status = read_debug_info(compile, error);
    compile->output.error = error;
    if (status == FRAMEMAP_OK) status = write_unclaimed(compile);
    if (status == FRAMEMAP_OK) status = fm_dw_output_data(&compile->output);
    return status;
}

framemap_status fm_debuginfo_compile(struct fm_image *image, unsigned flags, const struct fm_mapper_host *host, struct fm_builder *builder,
                                     framemap_error *error)
{
    struct compile compile = {.image = image, .flags = flags, .host = host, .builder = builder, .heap = host->heap};
    framemap_status status;

    compile.claims.heap = compile.owners.heap = compile.by_unit.heap = host->heap;
    compile.output.heap = compile.symbols.code.heap = compile.symbols.data.heap = host->heap;
    fm_dw_unit_model_init(&compile.model, host->heap, image);
    status = run(&compile, error);

    fm_dw_output_free(&compile.output);
    fm_dw_symbols_free(&compile.symbols);
    fm_heap_free(host->heap, compile.files, compile.file_capacity * sizeof *compile.files);
    fm_dw_unit_model_free(&compile.model);
    fm_segments_free(&compile.by_unit);
    fm_segments_free(&compile.owners);
    fm_spans_free(&compile.claims);
    return status;
}

framemap_status fm_debuginfo_about(const struct fm_image *image, framemap_str kind, framemap_str name, struct fm_builder *builder,
                                   framemap_error *error)
{
    const struct fm_builder_about about = {
        .kind = kind,
        .id = framemap_str_of(image->id),
        .arch = framemap_str_of(image->arch),
        .name = fm_str_basename(name),
        .base = image->base,
        .address_bits = image->is64 ? 64 : 32,
        .big_endian = image->big_endian,
        .keys = FM_SCOPE_NAMED,
    };
    return fm_builder_about(builder, &about, error);
}
