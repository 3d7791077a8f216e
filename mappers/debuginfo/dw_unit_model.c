#include "mappers/debuginfo/dw_unit_model.h"

void fm_dw_unit_model_init(struct fm_dw_unit_model *model, struct fm_heap *heap, const struct fm_image *image)
{
    *model = (struct fm_dw_unit_model){.heap = heap, .image = image, .open = FM_NONE};
    model->spans.heap = model->sequences.heap = model->scratch.heap = heap;
    model->functions.heap = model->lines.heap = heap;
}

void fm_dw_unit_model_free(struct fm_dw_unit_model *model)
{
    fm_heap_free(model->heap, model->instances, model->instance_capacity * sizeof *model->instances);
    fm_heap_free(model->heap, model->rows, model->row_capacity * sizeof *model->rows);
    fm_spans_free(&model->spans);
    fm_spans_free(&model->sequences);
    fm_spans_free(&model->scratch);
    fm_segments_free(&model->functions);
    fm_segments_free(&model->lines);
}

void fm_dw_unit_model_begin(struct fm_dw_unit_model *model, uint8_t language)
{
    model->language = language;
    model->instance_count = model->row_count = model->sequence_first = 0;
    model->spans.count = model->sequences.count = 0;
    model->open = FM_NONE;
}

static bool end_sequence(struct fm_dw_unit_model *model, uint64_t high)
{
    size_t first = model->sequence_first;
    size_t count = model->row_count - first;

    model->sequence_first = model->row_count;
    if (count == 0 || model->row_count >= UINT32_MAX) return true;
    /* Sequences of discarded code start where there is none. */
    if (high <= model->rows[first].address || !fm_image_is_code(model->image, model->rows[first].address)) {
        model->row_count = model->sequence_first = first;
        return true;
    }
    return fm_spans_add(&model->sequences, high, model->row_count, model->sequences.count, (uint32_t)first);
}

bool fm_dw_unit_model_row(struct fm_dw_unit_model *model, const struct fm_dw_model_row *row, bool end)
{
    if (end) return end_sequence(model, row->address);
    /* The last row of an address counts. */
    if (model->row_count > model->sequence_first && model->rows[model->row_count - 1].address == row->address) model->row_count--;
    if (!FM_GROW(model->heap, model->rows, model->row_capacity, model->row_count + 1)) return false;
    model->rows[model->row_count++] = *row;
    return true;
}

/* The part of a range that is in what it is inlined into, where that has one range. */
static struct fm_dw_range inside(const struct fm_dw_unit_model *model, uint32_t parent, struct fm_dw_range range)
{
    if (!model->inlined_inside || parent == FM_NONE) return range;
    const struct fm_dw_instance *around = &model->instances[parent];
    const uint64_t end = around->low + around->size;
    if (!around->one_range) return range;
    if (range.low < around->low) range.low = around->low;
    if (range.high > end) range.high = end;
    if (range.high < range.low) range.high = range.low;
    return range;
}

bool fm_dw_unit_model_enter(struct fm_dw_unit_model *model, const struct fm_dw_instance *instance, bool inlined,
                            const struct fm_dw_range *ranges, size_t count)
{
    uint32_t number = (uint32_t)model->instance_count;

    if (model->instance_count >= UINT32_MAX - 1) return false;
    if (!FM_GROW(model->heap, model->instances, model->instance_capacity, model->instance_count + 1)) return false;
    struct fm_dw_instance *to = &model->instances[model->instance_count++];
    *to = *instance;
    to->around = model->open;
    to->parent = inlined ? model->open : FM_NONE; /* a nested function is no inlined part of the one around it */
    to->function = to->node = to->node_symbol = FM_NONE;
    to->low = to->size = 0;
    to->one_range = count == 1;
    for (size_t i = 0; i < count; i++) {
        const struct fm_dw_range range = inside(model, to->parent, ranges[i]);
        if (i == 0) to->low = range.low, to->size = range.high - range.low;
        if (range.high == range.low) continue;
        /* The span that starts last shows, of equals the later entry: that is the innermost one where ranges are nested as they should be. */
        if (!fm_spans_add(&model->spans, range.low, range.high, UINT64_MAX - range.low, number)) return false;
    }
    model->open = number;
    return true;
}

void fm_dw_unit_model_leave(struct fm_dw_unit_model *model)
{
    if (model->open != FM_NONE) model->open = model->instances[model->open].around;
}

/* Adds what rows [first, end) show between low and high. */
static bool add_rows(struct fm_dw_unit_model *model, size_t first, size_t end, uint64_t low, uint64_t high)
{
    struct fm_spans *scratch = &model->scratch;

    scratch->count = 0;
    for (size_t i = first; i < end; i++) {
        if (!fm_spans_add(scratch, model->rows[i].address, UINT64_MAX, i, (uint32_t)i)) return false;
    }
    if (!fm_spans_sort(scratch)) return false;
    for (size_t i = 0; i < scratch->count; i++) {
        uint64_t from = scratch->items[i].low > low ? scratch->items[i].low : low;
        uint64_t to = i + 1 < scratch->count && scratch->items[i + 1].low < high ? scratch->items[i + 1].low : high;
        if (from < to && !fm_segments_add(&model->lines, from, to, scratch->items[i].id)) return false;
    }
    return true;
}

static bool settle_lines(struct fm_dw_unit_model *model)
{
    uint64_t shown = 0; /* up to where earlier sequences show */

    model->lines.count = 0;
    if (!fm_spans_sort(&model->sequences)) return false;
    for (size_t i = 0; i < model->sequences.count; i++) {
        const struct fm_span *sequence = &model->sequences.items[i];
        if (!add_rows(model, sequence->id, (size_t)sequence->high, shown, sequence->low)) return false;
        shown = sequence->low;
    }
    return true;
}

bool fm_dw_unit_model_settle(struct fm_dw_unit_model *model)
{
    return settle_lines(model) && fm_spans_paint(&model->spans, &model->functions);
}
