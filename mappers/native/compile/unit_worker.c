/* Visits one unit and turns it into a batch. See unit_worker.h. */
#include "mappers/native/compile/unit_worker.h"
#include "mappers/native/compile/compile_flags.h"

#include "core/error.h"
#include "core/text/text.h"

void fm_unit_worker_init(struct fm_unit_worker *work, struct fm_heap *heap, const struct fm_image *image,
                         const struct fm_symbol_fallback *symbols, unsigned flags, void (*release_pages)(void *context),
                         void *context)
{
    *work = (struct fm_unit_worker){
        .output = {.image = image, .symbols = symbols}, .release_pages = release_pages, .context = context};
    work->lines_in_functions = (flags & FM_DEBUGINFO_LINES_IN_FUNCTIONS) != 0;
    fm_unit_model_init(&work->model, heap, image);
    fm_unit_evidence_init(&work->evidence, heap);
    work->model.inlined_inside = (flags & FM_DEBUGINFO_INLINED_INSIDE) != 0;
    work->model.ends_lost = (flags & FM_DEBUGINFO_ENDS_LOST) != 0;
}

void fm_unit_worker_free(struct fm_unit_worker *work)
{
    struct fm_heap *heap = work->model.heap;

    fm_heap_free(heap, work->homes, work->home_capacity * sizeof *work->homes);
    fm_heap_free(heap, work->home_offsets, work->offset_capacity * sizeof *work->home_offsets);
    fm_heap_free(heap, work->scopes, work->scope_capacity * sizeof *work->scopes);
    fm_unit_evidence_free(&work->evidence);
    fm_unit_model_free(&work->model);
}

/* --- filling the model of a unit, by callbacks of the walk --- */

enum { ENTRIES_TOGETHER = 40000 }; /* number of instances that are processed at a time: 2 to 4 MB of debug entries */

static bool note_memory(struct fm_unit_worker *work, bool good)
{
    if (!good && work->status == FRAMEMAP_OK) work->status = fm_error_memory(&work->output.batch->error);
    return good;
}

static bool join_path(struct fm_arena *arena, framemap_str folder, framemap_str name, framemap_str *out)
{
    const bool whole = folder.size == 0 || fm_str_starts(name, FM_STR("/"));
    char *text = fm_arena_alloc(arena, folder.size + 1 + name.size);

    if (text == NULL) return false;
    if (whole) folder.size = 0;
    if (!whole) {
        memcpy(text, folder.data, folder.size);
        text[folder.size++] = '/';
    }
    if (name.size > 0) memcpy(text + folder.size, name.data, name.size);
    *out = fm_str(text, folder.size + name.size);
    return true;
}

static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    struct fm_unit_worker *work = context;

    work->output.batch->producer = unit->producer;
    work->output.lines_in_functions = work->lines_in_functions || unit->lacks_functions || unit->lines_in_functions;
    work->split_file = (framemap_str){NULL, 0};
    if (unit->lacks_functions &&
        !note_memory(work, join_path(&work->output.batch->paths, unit->folder, unit->split_file, &work->split_file)))
        return false;
    fm_unit_model_begin(&work->model, unit->language);
    return note_memory(work, fm_unit_model_reserve(&work->model, unit->end - unit->offset));
}

static bool on_file(void *context, uint32_t number, framemap_str path)
{
    struct fm_unit_worker *work = context;
    uint32_t file = FM_NONE;

    if (number != work->model.file_count) {
        work->status = fm_error_set(&work->output.batch->error, FRAMEMAP_E_INTERNAL, "files are reported out of order");
        return false;
    }
    const bool good = path.size == 0 || fm_unit_batch_file(work->output.batch, path, &file);
    return note_memory(work, good && fm_unit_model_file(&work->model, file));
}

static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct fm_unit_worker *work = context;

    return note_memory(work, fm_unit_model_rows(&work->model, rows, count));
}

static bool on_enter(void *context, const struct fm_dw_function *function)
{
    struct fm_unit_worker *work = context;
    struct fm_dw_instance instance = {.call_file = fm_unit_model_file_of(&work->model, function->call_file),
                                      .call_line1 = function->call_line1,
                                      .call_col1 = function->call_col1};

    if (++work->entered % ENTRIES_TOGETHER == 0) work->release_pages(work->context);
    return note_memory(work, fm_unit_model_identity(&work->model, function, &instance.identity) &&
                                 fm_unit_model_enter(&work->model, &instance, function->depth > 0, function->ranges,
                                                     function->range_count));
}

static bool needs_function(void *context, const struct fm_dw_range *ranges, size_t count)
{
    const struct fm_unit_model *model = &((struct fm_unit_worker *)context)->model;
    bool meet = false;

    for (size_t i = 0; i < count && !meet; i++)
        meet = fm_address_segments_meet(model->wanted, model->wanted_count, ranges[i].low, ranges[i].high);
    return meet;
}

static bool on_leave(void *context)
{
    struct fm_unit_worker *work = context;

    return note_memory(work, fm_unit_model_leave(&work->model));
}

static bool on_unit_end(void *context)
{
    (void)context;
    return true;
}

static void on_fault(void *context, const framemap_error *fault)
{
    struct fm_unit_worker *work = context;

    note_memory(work, fm_unit_batch_fault(work->output.batch, fault));
}

/* --- reading the scopes of functions without a linkage name --- */

/* Whether a symbol is mangled and contains the identifier of a function. If it does, resolving takes the whole name
 * from the symbol (resolve/native/function_names.h). */
static bool contains_name(framemap_str symbol, framemap_str name)
{
    const framemap_str identifier = fm_str_slice(name, 0, fm_str_find_byte(name, '<'));
    size_t at = 0;

    while (at < symbol.size && symbol.data[at] == '_') at++;
    if (at == 0 || at == symbol.size || (symbol.data[at] != 'Z' && symbol.data[at] != 'R')) return false;
    if (fm_str_starts(name, FM_STR("operator")) || fm_str_starts(name, FM_STR("~")))
        return true; /* names that are not identifiers (operators, destructors) are mangled in another way, so that any
                        symbol may contain them */
    return fm_str_find(symbol, identifier) != FM_NOT_FOUND;
}

/* Whether some symbol at a function's start contains its name. */
static bool is_named_by_symbol(const struct fm_unit_output *output, uint64_t start, framemap_str name)
{
    const struct fm_address_segments *code = &output->symbols->code;
    const struct fm_image *image = output->image;
    const size_t at = fm_address_segments_from(code, start);

    if (at >= code->count || code->items[at].low != start) return false;
    size_t first = code->items[at].id;
    while (first > 0 && image->symbols[first - 1].address == start) first--;
    for (size_t i = first; i < image->symbol_count && image->symbols[i].address == start; i++) {
        if (contains_name(image->symbols[i].name, name)) return true;
    }
    return false;
}

/* Collects the functions whose scopes must be read: inlined functions, functions without a symbol, and functions whose
 * symbol does not contain their name. */
static bool choose_homes(struct fm_unit_worker *work)
{
    struct fm_unit_model *model = &work->model;

    work->home_count = 0;
    for (size_t i = 0; i < model->instance_count; i++) {
        const struct fm_dw_instance *instance = &model->instances[i];
        struct fm_dw_identity *identity = &model->identities[instance->identity];
        if (identity->home == 0 || identity->wants_scope) continue;
        if (instance->parent == FM_NONE &&
            is_named_by_symbol(&work->output, model->extents[instance->extent].low, identity->name))
            continue;
        if (!FM_GROW(model->heap, work->homes, work->home_capacity, work->home_count + 1)) return false;
        identity->wants_scope = true;
        work->homes[work->home_count++] = (struct fm_key){identity->home, instance->identity};
    }
    return work->home_count == 0 || fm_keys_sort(model->heap, work->homes, work->home_count, NULL, NULL);
}

static framemap_status read_scopes(struct fm_unit_worker *work, const struct fm_dw_backend *reader,
                                   struct fm_dw_worker *worker, uint32_t number, framemap_error *error)
{
    struct fm_unit_model *model = &work->model;
    size_t count = 0;

    if (!model->has_homes || reader->scopes == NULL) return FRAMEMAP_OK;
    if (!choose_homes(work)) return fm_error_memory(error);
    if (work->home_count == 0) return FRAMEMAP_OK;
    if (!FM_GROW(model->heap, work->home_offsets, work->offset_capacity, work->home_count))
        return fm_error_memory(error);
    if (!FM_GROW(model->heap, work->scopes, work->scope_capacity, work->home_count)) return fm_error_memory(error);
    for (size_t i = 0; i < work->home_count; i++) {
        if (count == 0 || work->home_offsets[count - 1] != work->homes[i].key)
            work->home_offsets[count++] = work->homes[i].key;
    }
    const framemap_status status =
        reader->scopes(worker, number, work->home_offsets, count, &work->output.batch->paths, work->scopes, error);
    for (size_t i = 0, at = 0; i < work->home_count && status == FRAMEMAP_OK; i++) {
        while (work->home_offsets[at] != work->homes[i].key) at++;
        model->identities[work->homes[i].number].scope = work->scopes[at];
    }
    return status;
}

/* --- turning one unit into a batch --- */

/* Reserves memory for the records of a unit that is needed completely: about as many nodes as instances, and a row for
 * each line row and each change of the instance. */
static bool reserve_output(struct fm_unit_worker *work, const struct fm_address_segment *intervals, size_t count)
{
    const struct fm_unit_model *model = &work->model;
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++) bytes += intervals[i].high - intervals[i].low;
    return bytes < model->row_count ||
           fm_unit_batch_reserve(work->output.batch, model->instance_count, model->row_count + model->part_count / 2);
}

static framemap_status write_intervals(struct fm_unit_worker *work, const struct fm_address_segment *intervals,
                                       size_t count, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;

    if (count == 0) return FRAMEMAP_OK;
    if (!fm_unit_model_sort(&work->model) || !reserve_output(work, intervals, count)) return fm_error_memory(error);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) {
        status = fm_unit_output_interval(&work->output, &work->model, intervals[i].low, intervals[i].high, error);
    }
    for (size_t i = 0; i < count && status == FRAMEMAP_OK && work->split_file.size > 0; i++) {
        if (!fm_unit_output_split(&work->output, work->split_file, intervals[i].low, intervals[i].high))
            status = fm_error_memory(error);
    }
    return status;
}

void fm_unit_worker_run(struct fm_unit_worker *work, const struct fm_dw_backend *reader, struct fm_dw_worker *worker,
                        uint32_t number, const struct fm_address_segment *intervals, size_t count,
                        struct fm_unit_batch *batch)
{
    struct fm_dw_visitor visitor = {work,     on_unit,     on_file,  on_rows,         on_enter,
                                    on_leave, on_unit_end, on_fault, .one_name = true};

    if (work->only_intervals) visitor.needs_function = needs_function;
    work->model.wanted = work->only_intervals ? intervals : NULL;
    work->model.wanted_count = count;
    work->status = FRAMEMAP_OK;
    work->entered = 0;
    work->model.key = batch->key;
    fm_unit_output_begin(&work->output, batch);
    framemap_error error = {0};
    const framemap_status status = reader->walk(worker, number, &visitor, &error);
    if (work->status != FRAMEMAP_OK) {
        batch->status = work->status;
    } else if (status == FRAMEMAP_OK) {
        if (work->entered >= ENTRIES_TOGETHER) work->release_pages(work->context);
        if (count > 0) batch->status = read_scopes(work, reader, worker, number, &batch->error);
        if (batch->status == FRAMEMAP_OK) batch->status = write_intervals(work, intervals, count, &batch->error);
    } else {
        batch->error = error;
        batch->unit_lost = status == FRAMEMAP_E_CORRUPT;
        if (!batch->unit_lost) batch->status = status;
    }
    fm_unit_model_end(&work->model);
}
