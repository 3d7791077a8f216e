#include "mappers/debuginfo/dw_unit_model.h"

#include <string.h>

#define KEPT_BYTES ((size_t)1 << 20) /* an array that is bigger is not kept for the next unit */

void fm_dw_unit_model_init(struct fm_dw_unit_model *model, struct fm_heap *heap, const struct fm_image *image)
{
    *model = (struct fm_dw_unit_model){.heap = heap, .image = image, .open = FM_NONE};
    model->spans.heap = model->sequences.heap = model->scratch.heap = heap;
    model->functions.heap = heap;
}

void fm_dw_unit_model_free(struct fm_dw_unit_model *model)
{
    fm_heap_free(model->heap, model->files, model->file_capacity * sizeof *model->files);
    fm_heap_free(model->heap, model->identities, model->identity_capacity * sizeof *model->identities);
    fm_heap_free(model->heap, model->shared, model->shared_capacity * sizeof *model->shared);
    fm_heap_free(model->heap, model->instances, model->instance_capacity * sizeof *model->instances);
    fm_heap_free(model->heap, model->rows, model->row_capacity * sizeof *model->rows);
    fm_heap_free(model->heap, model->lines, model->line_capacity * sizeof *model->lines);
    fm_heap_free(model->heap, model->scratch_rows, model->scratch_row_capacity * sizeof *model->scratch_rows);
    fm_heap_free(model->heap, model->stack, model->stack_capacity * sizeof *model->stack);
    fm_heap_free(model->heap, model->trees, model->tree_capacity * sizeof *model->trees);
    fm_spans_free(&model->spans);
    fm_spans_free(&model->sequences);
    fm_spans_free(&model->scratch);
    fm_segments_free(&model->functions);
}

void fm_dw_unit_model_begin(struct fm_dw_unit_model *model, uint8_t language)
{
    model->language = language;
    model->file_count = model->identity_count = model->shared_count = model->instance_count = model->tree_count = model->row_count = model->line_count =
        model->sequence_first = 0;
    model->spans.count = model->sequences.count = model->functions.count = 0;
    model->falls = false;
    model->open = FM_NONE;
}

bool fm_dw_unit_model_file(struct fm_dw_unit_model *model, uint32_t file)
{
    if (!FM_GROW(model->heap, model->files, model->file_capacity, model->file_count + 1)) return false;
    model->files[model->file_count++] = file;
    return true;
}

/* --- rows --- */

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

bool fm_dw_unit_model_rows(struct fm_dw_unit_model *model, const struct fm_dw_row *rows, size_t count)
{
    if (!FM_GROW(model->heap, model->rows, model->row_capacity, model->row_count + count)) return false;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].end_sequence) {
            if (!end_sequence(model, rows[i].address)) return false;
            continue;
        }
        struct fm_dw_model_row *to = &model->rows[model->row_count];
        if (model->row_count > model->sequence_first) {
            /* The last row of an address counts. */
            if (to[-1].address == rows[i].address)
                to--, model->row_count--;
            else if (to[-1].address > rows[i].address)
                model->falls = true;
        }
        *to = (struct fm_dw_model_row){rows[i].address, fm_dw_unit_model_file_of(model, rows[i].file), rows[i].line1, rows[i].col1};
        model->row_count++;
    }
    return true;
}

/* Field by field: a line that is put together in memory and compared there waits for its own stores. */
static inline void add_line(struct fm_dw_unit_model *model, uint64_t address, const struct fm_dw_model_row *row)
{
    struct fm_dw_model_row *to = &model->lines[model->line_count];
    const bool known = row != NULL && row->file != FM_NONE;
    const uint32_t file = known ? row->file : FM_NONE, line1 = known ? row->line1 : 0, col1 = known ? row->col1 : 0;

    if (model->line_count > 0 && to[-1].address == address) to--, model->line_count--; /* the end of a sequence where another begins */
    if (model->line_count > 0 && to[-1].file == file && to[-1].line1 == line1 && to[-1].col1 == col1) return;
    to->address = address;
    to->file = file;
    to->line1 = line1;
    to->col1 = col1;
    model->line_count++;
}

/* Adds what rows, sorted by address, show between low and high. */
static void show_rows(struct fm_dw_unit_model *model, const struct fm_dw_model_row *rows, size_t count, uint64_t low, uint64_t high)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t from = rows[i].address > low ? rows[i].address : low;
        const uint64_t to = i + 1 < count && rows[i + 1].address < high ? rows[i + 1].address : high;
        if (from < to) add_line(model, from, &rows[i]);
    }
    add_line(model, high, NULL);
}

/* Rows of a sequence by rising address; at one address they stay in their order. NULL: out of memory. */
static const struct fm_dw_model_row *rising(struct fm_dw_unit_model *model, const struct fm_dw_model_row *rows, size_t count)
{
    struct fm_spans *scratch = &model->scratch;

    if (!model->falls) return rows;
    scratch->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!fm_spans_add(scratch, rows[i].address, UINT64_MAX, i, (uint32_t)i)) return NULL;
    }
    if (!fm_spans_sort(scratch) || !FM_GROW(model->heap, model->scratch_rows, model->scratch_row_capacity, count)) return NULL;
    for (size_t i = 0; i < count; i++) model->scratch_rows[i] = rows[scratch->items[i].id];
    return model->scratch_rows;
}

static bool settle_lines(struct fm_dw_unit_model *model)
{
    uint64_t shown = 0; /* up to where earlier sequences show */

    /* Every row adds one line at most, and every sequence one at its end. */
    if (!FM_GROW(model->heap, model->lines, model->line_capacity, model->row_count + model->sequences.count)) return false;
    if (!fm_spans_sort(&model->sequences)) return false;
    for (size_t i = 0; i < model->sequences.count; i++) {
        const struct fm_span *sequence = &model->sequences.items[i];
        const size_t count = (size_t)sequence->high - sequence->id;
        const struct fm_dw_model_row *rows = rising(model, model->rows + sequence->id, count);
        if (rows == NULL) return false;
        if (sequence->low > shown) show_rows(model, rows, count, shown, sequence->low);
        shown = sequence->low;
    }
    return true;
}

/* --- instances --- */

/* Where the number of an identity is kept that functions share. NULL: out of memory. */
static uint32_t *shared_place(struct fm_dw_unit_model *model, uint32_t number)
{
    if (!FM_GROW(model->heap, model->shared, model->shared_capacity, number)) return NULL;
    while (model->shared_count < number) model->shared[model->shared_count++] = FM_NONE;
    return &model->shared[number - 1];
}

bool fm_dw_unit_model_identity(struct fm_dw_unit_model *model, const struct fm_dw_function *function, uint32_t *out)
{
    uint32_t own = FM_NONE;
    uint32_t *known = &own;

    if (function->identity != 0) known = shared_place(model, function->identity);
    if (known == NULL) return false;
    if (*known == FM_NONE) {
        if (!FM_GROW(model->heap, model->identities, model->identity_capacity, model->identity_count + 1)) return false;
        *known = (uint32_t)model->identity_count;
        model->identities[model->identity_count++] = (struct fm_dw_identity){
            function->linkage_name.size > 0 ? function->linkage_name : function->name, fm_dw_unit_model_file_of(model, function->decl_file),
            function->decl_line1, FM_NONE, function->artificial};
    }
    *out = *known;
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

static bool add_tree(struct fm_dw_unit_model *model, uint64_t low)
{
    if (!FM_GROW(model->heap, model->trees, model->tree_capacity, model->tree_count + 1)) return false;
    model->trees[model->tree_count++] = (struct fm_key){low, (uint32_t)model->spans.count};
    return true;
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
    to->node = to->node_symbol = FM_NONE;
    to->low = to->size = 0;
    to->one_range = count == 1;
    bool begun = to->around != FM_NONE;
    for (size_t i = 0; i < count; i++) {
        const struct fm_dw_range range = inside(model, to->parent, ranges[i]);
        if (i == 0) to->low = range.low, to->size = range.high - range.low;
        if (range.high == range.low) continue;
        if (!begun && !add_tree(model, range.low)) return false;
        begun = true;
        if (!fm_spans_add(&model->spans, range.low, range.high, number, number)) return false;
    }
    model->open = number;
    return true;
}

void fm_dw_unit_model_leave(struct fm_dw_unit_model *model)
{
    if (model->open != FM_NONE) model->open = model->instances[model->open].around;
}

/* Shows what is open from *at on, up to `until` or until nothing is open. */
static bool show_open(struct fm_dw_unit_model *model, size_t *depth, uint64_t at, uint64_t until)
{
    while (*depth > 0 && at < until) {
        const struct fm_span *top = &model->spans.items[model->stack[*depth - 1]];
        if (top->high <= at) {
            --*depth;
            continue;
        }
        const uint64_t high = top->high < until ? top->high : until;
        if (!fm_segments_add(&model->functions, at, high, top->id)) return false;
        at = high;
    }
    return true;
}

static void exchange(struct fm_spans *spans)
{
    struct fm_span *const items = spans->items;
    const size_t capacity = spans->capacity;

    spans->items = spans->scratch;
    spans->capacity = spans->scratch_capacity;
    spans->scratch = items;
    spans->scratch_capacity = capacity;
}

/* Puts functions with all that is in them in the order of their addresses, where it is another: a few thousand to sort instead of their hundreds of
 * thousands of spans, which are nearly in order then. */
static bool sort_trees(struct fm_dw_unit_model *model)
{
    struct fm_spans *spans = &model->spans;
    bool rising = true;
    size_t to = 0;

    for (size_t i = 1; i < model->tree_count && rising; i++) rising = model->trees[i - 1].key <= model->trees[i].key;
    if (rising || spans->count > UINT32_MAX) return true;
    /* The ends of trees are lost with their order: each tree's number becomes that of its place in a list of begins. */
    if (!FM_GROW(model->heap, model->stack, model->stack_capacity, model->tree_count + 1)) return false;
    if (!FM_GROW(model->heap, spans->scratch, spans->scratch_capacity, spans->count)) return false;
    for (size_t i = 0; i < model->tree_count; i++) {
        model->stack[i] = i > 0 ? model->trees[i].number : 0; /* with the first goes what stands before it, if anything does */
        model->trees[i].number = (uint32_t)i;
    }
    model->stack[model->tree_count] = (uint32_t)spans->count;
    if (!fm_keys_sort(model->heap, model->trees, model->tree_count, NULL, NULL)) return false;
    for (size_t i = 0; i < model->tree_count; i++) {
        const uint32_t *begin = &model->stack[model->trees[i].number];
        const size_t count = (size_t)begin[1] - begin[0];
        memcpy(spans->scratch + to, spans->items + begin[0], count * sizeof *spans->items);
        to += count;
    }
    exchange(spans);
    return true;
}

/* The span that starts last shows, of equals the later entry: that is the innermost one where ranges are nested as they should be. So a stack of the spans
 * that have begun will do: whatever begins later shows before all that is open. */
static bool settle_functions(struct fm_dw_unit_model *model)
{
    const size_t count = model->spans.count;
    size_t depth = 0;
    uint64_t at = 0;

    if (count > UINT32_MAX || !FM_GROW(model->heap, model->stack, model->stack_capacity, count) || !sort_trees(model) || !fm_spans_sort(&model->spans))
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint64_t low = model->spans.items[i].low;
        if (!show_open(model, &depth, at, low)) return false;
        at = low;
        model->stack[depth++] = (uint32_t)i;
    }
    return show_open(model, &depth, at, UINT64_MAX);
}

/* What a big unit needs no more is given back at once: what is made next takes its place. */
static void drop_rows(struct fm_dw_unit_model *model)
{
    if (model->row_capacity * sizeof *model->rows <= KEPT_BYTES) return;
    fm_heap_free(model->heap, model->rows, model->row_capacity * sizeof *model->rows);
    model->rows = NULL;
    model->row_count = model->row_capacity = 0;
}

static void drop_spans(struct fm_dw_unit_model *model)
{
    if (model->spans.capacity * sizeof *model->spans.items > KEPT_BYTES) fm_spans_free(&model->spans);
}

bool fm_dw_unit_model_settle(struct fm_dw_unit_model *model)
{
    if (!settle_lines(model)) return false;
    drop_rows(model);
    if (!settle_functions(model)) return false;
    drop_spans(model);
    return true;
}

void fm_dw_unit_model_end(struct fm_dw_unit_model *model)
{
    const size_t instances = model->instance_capacity * sizeof *model->instances, lines = model->line_capacity * sizeof *model->lines;
    if (instances + lines <= KEPT_BYTES) return;
    fm_heap_free(model->heap, model->instances, instances);
    fm_heap_free(model->heap, model->lines, lines);
    fm_segments_free(&model->functions);
    model->instances = NULL;
    model->lines = NULL;
    model->instance_count = model->instance_capacity = model->line_count = model->line_capacity = 0;
}
