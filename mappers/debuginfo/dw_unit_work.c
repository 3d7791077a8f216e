#include "mappers/debuginfo/dw_unit_work.h"

#include "core/fault.h"

void fm_dw_unit_work_init(struct fm_dw_unit_work *work, struct fm_heap *heap, const struct fm_image *image,
                          const struct fm_dw_symbols *symbols, unsigned flags, void (*let_go)(void *context), void *context)
{
    *work = (struct fm_dw_unit_work){.output = {.image = image, .symbols = symbols}, .let_go = let_go, .context = context};
    work->output.lines_in_functions = (flags & FM_DEBUGINFO_LINES_IN_FUNCTIONS) != 0;
    fm_dw_unit_model_init(&work->model, heap, image);
    work->model.inlined_inside = (flags & FM_DEBUGINFO_INLINED_INSIDE) != 0;
}

void fm_dw_unit_work_free(struct fm_dw_unit_work *work) { fm_dw_unit_model_free(&work->model); }

/* --- the visitor --- */

enum { ENTRIES_TOGETHER = 40000 }; /* some 2 to 4 MB of them */

static bool had_memory(struct fm_dw_unit_work *work, bool good)
{
    if (!good && work->status == FRAMEMAP_OK) work->status = fm_fault_memory(&work->output.pack->error);
    return good;
}

static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    struct fm_dw_unit_work *work = context;

    work->output.pack->producer = unit->producer;
    fm_dw_unit_model_begin(&work->model, unit->language);
    return had_memory(work, fm_dw_unit_model_expect(&work->model, unit->end - unit->offset));
}

static bool on_file(void *context, uint32_t number, framemap_str path)
{
    struct fm_dw_unit_work *work = context;
    uint32_t file = FM_NONE;

    if (number != work->model.file_count) {
        work->status = fm_fault(&work->output.pack->error, FRAMEMAP_E_INTERNAL, "files are announced out of order");
        return false;
    }
    const bool good = path.size == 0 || fm_dw_pack_file(work->output.pack, path, &file);
    return had_memory(work, good && fm_dw_unit_model_file(&work->model, file));
}

static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct fm_dw_unit_work *work = context;

    return had_memory(work, fm_dw_unit_model_rows(&work->model, rows, count));
}

static bool on_enter(void *context, const struct fm_dw_function *function)
{
    struct fm_dw_unit_work *work = context;
    struct fm_dw_instance instance = {.call_file = fm_dw_unit_model_file_of(&work->model, function->call_file),
                                      .call_line1 = function->call_line1,
                                      .call_col1 = function->call_col1};

    if (++work->entered % ENTRIES_TOGETHER == 0) work->let_go(work->context);
    return had_memory(work,
                      fm_dw_unit_model_identity(&work->model, function, &instance.identity) &&
                          fm_dw_unit_model_enter(&work->model, &instance, function->depth > 0, function->ranges, function->range_count));
}

static bool wants(void *context, const struct fm_dw_range *ranges, size_t count)
{
    const struct fm_dw_unit_model *model = &((struct fm_dw_unit_work *)context)->model;
    bool meet = false;

    for (size_t i = 0; i < count && !meet; i++) meet = fm_segments_meet(model->wanted, model->wanted_count, ranges[i].low, ranges[i].high);
    return meet;
}

static bool on_leave(void *context)
{
    struct fm_dw_unit_work *work = context;

    return had_memory(work, fm_dw_unit_model_leave(&work->model));
}

static bool on_unit_end(void *context)
{
    (void)context;
    return true;
}

static void on_fault(void *context, const framemap_error *fault)
{
    struct fm_dw_unit_work *work = context;

    had_memory(work, fm_dw_pack_fault(work->output.pack, fault));
}

/* --- all of a unit --- */

/* Where all of a unit is wanted, it has about as many nodes as instances, and a row for each line and each change of the instance. */
static bool expect(struct fm_dw_unit_work *work, const struct fm_segment *intervals, size_t count)
{
    const struct fm_dw_unit_model *model = &work->model;
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++) bytes += intervals[i].high - intervals[i].low;
    return bytes < model->row_count ||
           fm_dw_pack_expect(work->output.pack, model->instance_count, model->row_count + model->part_count / 2);
}

static framemap_status write_intervals(struct fm_dw_unit_work *work, const struct fm_segment *intervals, size_t count,
                                       framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;

    if (count == 0) return FRAMEMAP_OK;
    if (!fm_dw_unit_model_settle(&work->model) || !expect(work, intervals, count)) return fm_fault_memory(error);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) {
        status = fm_dw_output_interval(&work->output, &work->model, intervals[i].low, intervals[i].high, error);
    }
    return status;
}

framemap_status fm_dw_unit_work_do(struct fm_dw_unit_work *work, const struct fm_dw_reader *reader, struct fm_dw_worker *worker,
                                   uint32_t number, const struct fm_segment *intervals, size_t count, struct fm_dw_pack *pack)
{
    struct fm_dw_visitor visitor = {work, on_unit, on_file, on_rows, on_enter, on_leave, on_unit_end, on_fault, .one_name = true};

    if (work->only_intervals) visitor.wants = wants;
    work->model.wanted = work->only_intervals ? intervals : NULL;
    work->model.wanted_count = count;
    work->status = FRAMEMAP_OK;
    work->entered = 0;
    work->model.key = pack->key;
    fm_dw_output_begin(&work->output, pack);
    framemap_error error = {0};
    const framemap_status status = reader->walk(worker, number, &visitor, &error);
    if (work->status != FRAMEMAP_OK) {
        pack->status = work->status;
    } else if (status == FRAMEMAP_OK) {
        if (work->entered >= ENTRIES_TOGETHER) work->let_go(work->context);
        pack->status = write_intervals(work, intervals, count, &pack->error);
    } else {
        pack->error = error;
        pack->unit_lost = status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_UNSUPPORTED;
        if (!pack->unit_lost) pack->status = status;
    }
    fm_dw_unit_model_end(&work->model);
    return pack->unit_lost ? status : FRAMEMAP_OK;
}
