/* Collects one unit and sorts it by address. See unit_model.h. */
#include "mappers/native/compile/unit_model.h"

#include "core/limits.h"

#include <string.h>

#define KEPT_BYTES ((size_t)1 << 20) /* larger arrays are freed at the end of the unit */

void fm_unit_model_init(struct fm_unit_model *model, struct fm_heap *heap, const struct fm_image *image)
{
    *model = (struct fm_unit_model){.heap = heap, .image = image};
    model->spans.heap = model->stretches.heap = model->sequences.heap = model->scratch.heap = heap;
}

void fm_unit_model_free(struct fm_unit_model *model)
{
    fm_heap_free(model->heap, model->files, model->file_capacity * sizeof *model->files);
    fm_heap_free(model->heap, model->identities, model->identity_capacity * sizeof *model->identities);
    fm_heap_free(model->heap, model->shared, model->shared_capacity * sizeof *model->shared);
    fm_heap_free(model->heap, model->instances, model->instance_capacity * sizeof *model->instances);
    fm_heap_free(model->heap, model->rows, model->row_capacity * sizeof *model->rows);
    fm_heap_free(model->heap, model->extents, model->extent_capacity * sizeof *model->extents);
    fm_heap_free(model->heap, model->open, model->open_capacity * sizeof *model->open);
    fm_heap_free(model->heap, model->parts, model->part_capacity * sizeof *model->parts);
    fm_heap_free(model->heap, model->scratch_rows, model->scratch_row_capacity * sizeof *model->scratch_rows);
    fm_heap_free(model->heap, model->stack, model->stack_capacity * sizeof *model->stack);
    fm_address_spans_free(&model->spans);
    fm_address_spans_free(&model->stretches);
    fm_address_spans_free(&model->sequences);
    fm_address_spans_free(&model->scratch);
}

void fm_unit_model_begin(struct fm_unit_model *model, uint8_t language)
{
    model->language = language;
    model->file_count = model->identity_count = model->shared_count = model->instance_count = model->extent_count =
        model->open_count = 0;
    model->row_count = model->sequence_first = model->part_count = 0;
    model->spans.count = model->stretches.count = model->sequences.count = 0;
    model->falls = model->has_homes = false;
}

/* Estimated bytes of debug info for each instance, row or part, as in Rust: there they are fewest, because most entries
 * are functions. The estimate only reserves memory, which costs nothing as long as it is not written. */
#define BYTES_EACH 64u
#define BIG_UNIT ((uint64_t)512 << 10)
#define EXPECTED_MOST ((uint64_t)1 << 18)

bool fm_unit_model_reserve(struct fm_unit_model *model, uint64_t size_bytes)
{
    const uint64_t each = size_bytes / BYTES_EACH;
    const size_t count = (size_t)(each < EXPECTED_MOST ? each : EXPECTED_MOST);

    if (size_bytes < BIG_UNIT) return true;
    return FM_GROW(model->heap, model->instances, model->instance_capacity, count) &&
           FM_GROW(model->heap, model->rows, model->row_capacity, count) &&
           FM_GROW(model->heap, model->parts, model->part_capacity, count);
}

bool fm_unit_model_file(struct fm_unit_model *model, uint32_t file)
{
    if (!FM_GROW(model->heap, model->files, model->file_capacity, model->file_count + 1)) return false;
    model->files[model->file_count++] = file;
    return true;
}

/* --- adding line rows --- */

static bool end_sequence(struct fm_unit_model *model, uint64_t high)
{
    const size_t first = model->sequence_first;

    if (model->row_count == first || model->row_count >= UINT32_MAX) {
        model->sequence_first = model->row_count;
        return true;
    }
    /* Sequences of code that the linker discarded are at addresses without code. */
    if (high <= model->rows[first].address || model->rows[first].address < model->image->code_start ||
        !fm_image_is_code(model->image, model->rows[first].address)) {
        model->row_count = first;
        return true;
    }
    /* if an address is lower than the one before it, the first row may not be the lowest one, so the sequence is
     * kept */
    if (model->wanted != NULL && !model->falls &&
        !fm_address_segments_meet(model->wanted, model->wanted_count, model->rows[first].address, high)) {
        model->row_count = first;
        return true;
    }
    if (!fm_address_spans_add(&model->sequences, high, model->row_count, model->sequences.count, (uint32_t)first))
        return false;
    model->rows[model->row_count++] = (struct fm_dw_model_row){high, FM_NONE, 0, 0};
    model->sequence_first = model->row_count;
    return true;
}

bool fm_unit_model_rows(struct fm_unit_model *model, const struct fm_dw_row *rows, size_t count)
{
    if (!FM_GROW(model->heap, model->rows, model->row_capacity, model->row_count + count)) return false;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].end_sequence) {
            if (!end_sequence(model, rows[i].address)) return false;
            continue;
        }
        struct fm_dw_model_row *to = &model->rows[model->row_count];
        if (model->row_count > model->sequence_first) {
            /* If several rows are at one address, the last one counts. */
            if (to[-1].address == rows[i].address)
                to--, model->row_count--;
            else if (to[-1].address > rows[i].address)
                model->falls = true;
        }
        *to = (struct fm_dw_model_row){rows[i].address, fm_unit_model_file_of(model, rows[i].file), rows[i].line1,
                                       rows[i].col1};
        model->row_count++;
    }
    return true;
}

/* Sorts the rows of a sequence by address; stable. */
static bool sort_rows(struct fm_unit_model *model, struct fm_dw_model_row *rows, size_t count)
{
    struct fm_address_spans *scratch = &model->scratch;

    scratch->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!fm_address_spans_add(scratch, rows[i].address, UINT64_MAX, i, (uint32_t)i)) return false;
    }
    if (!fm_address_spans_sort(scratch) ||
        !FM_GROW(model->heap, model->scratch_rows, model->scratch_row_capacity, count))
        return false;
    for (size_t i = 0; i < count; i++) model->scratch_rows[i] = rows[scratch->items[i].id];
    memcpy(rows, model->scratch_rows, count * sizeof *rows);
    return true;
}

static bool finish_rows(struct fm_unit_model *model)
{
    if (!fm_address_spans_sort(&model->sequences)) return false;
    for (size_t i = 0; i < model->sequences.count && model->falls; i++) {
        const struct fm_address_span *sequence = &model->sequences.items[i];
        if (!sort_rows(model, model->rows + sequence->id, (size_t)sequence->high - sequence->id)) return false;
    }
    return true;
}

/* --- adding functions and inlined subroutines --- */

/* Returns the element of `shared` for an identity number of the backend. NULL when out of memory. */
static uint32_t *shared_place(struct fm_unit_model *model, uint32_t number)
{
    if (!FM_GROW(model->heap, model->shared, model->shared_capacity, number)) return NULL;
    while (model->shared_count < number) model->shared[model->shared_count++] = FM_NONE;
    return &model->shared[number - 1];
}

/* Returns the entry from which a function's enclosing scopes are found. 0: they are not needed, because a mangled name
 * contains the scopes, or because the language is C, which has none. */
static uint64_t home_of(const struct fm_unit_model *model, const struct fm_dw_function *function)
{
    const bool scoped = model->language == FM_LANGUAGE_CXX || model->language == FM_LANGUAGE_OBJC ||
                        model->language == FM_LANGUAGE_RUST;

    return scoped && function->linkage_name.size == 0 && function->name.size > 0 ? function->home : 0;
}

bool fm_unit_model_identity(struct fm_unit_model *model, const struct fm_dw_function *function, uint32_t *out)
{
    uint32_t own = FM_NONE;
    uint32_t *known = &own;

    if (function->identity != 0) known = shared_place(model, function->identity);
    if (known == NULL) return false;
    if (*known == FM_NONE) {
        if (!FM_GROW(model->heap, model->identities, model->identity_capacity, model->identity_count + 1)) return false;
        const framemap_str name = function->linkage_name.size > 0 ? function->linkage_name : function->name;
        const uint64_t hash = name.size <= FM_LIMIT_NAME ? fm_hash_text(name, model->key) : 0;
        *known = (uint32_t)model->identity_count;
        model->identities[model->identity_count++] =
            (struct fm_dw_identity){.name = name,
                                    .hash = hash,
                                    .decl_file = fm_unit_model_file_of(model, function->decl_file),
                                    .decl_line1 = function->decl_line1,
                                    .function = FM_NONE,
                                    .artificial = function->artificial,
                                    .home = home_of(model, function)};
        model->has_homes |= model->identities[*known].home != 0;
    }
    *out = *known;
    return true;
}

static const struct fm_dw_extent *extent_around(const struct fm_unit_model *model, uint32_t parent)
{
    return model->inlined_inside && parent != FM_NONE ? &model->extents[model->instances[parent].extent] : NULL;
}

/* Clips the range of an inlined subroutine to the extent of the instance that the subroutine is inlined into. */
static struct fm_dw_range inside(const struct fm_unit_model *model, uint32_t parent, struct fm_dw_range range)
{
    const struct fm_dw_extent *around = extent_around(model, parent);
    if (around == NULL) return range;
    const uint64_t end = around->low + around->size;
    if (!around->one_range) return range;
    if (range.low < around->low) range.low = around->low;
    if (range.high > end) range.high = end;
    if (range.high < range.low) range.high = range.low;
    return range;
}

static bool add_extent(struct fm_unit_model *model, const struct fm_dw_range *ranges, size_t count,
                       struct fm_dw_instance *instance)
{
    struct fm_dw_range first = {0, 0};

    if (!FM_GROW(model->heap, model->extents, model->extent_capacity, model->extent_count + 1)) return false;
    const struct fm_dw_extent *around = extent_around(model, instance->parent);
    struct fm_dw_extent *to = &model->extents[model->extent_count];
    instance->extent = (uint32_t)model->extent_count++;
    if (count > 0) first = inside(model, instance->parent, ranges[0]);
    *to = (struct fm_dw_extent){first.low, first.high - first.low, count == 1, false};
    if (around != NULL && count > 1) *to = (struct fm_dw_extent){around->low, around->size, around->one_range, false};
    for (size_t i = 0; i < count && model->ends_lost && around != NULL && around->one_range; i++)
        to->end_lost |= ranges[i].high > around->low + around->size;
    return true;
}

bool fm_unit_model_enter(struct fm_unit_model *model, const struct fm_dw_instance *instance, bool inlined,
                         const struct fm_dw_range *ranges, size_t count)
{
    const uint32_t number = (uint32_t)model->instance_count;

    if (model->instance_count >= UINT32_MAX - 1) return false;
    if (!FM_GROW(model->heap, model->instances, model->instance_capacity, model->instance_count + 1)) return false;
    if (!FM_GROW(model->heap, model->open, model->open_capacity, model->open_count + 1)) return false;
    struct fm_dw_instance *to = &model->instances[number];
    *to = *instance;
    /* a nested function is not inlined into the function around it */
    to->parent = inlined && model->open_count > 0 ? model->open[model->open_count - 1] : FM_NONE;
    to->node = to->node_symbol = to->extent = FM_NONE;
    if ((to->parent == FM_NONE || model->inlined_inside) && !add_extent(model, ranges, count, to)) return false;
    for (size_t i = 0; i < count; i++) {
        const struct fm_dw_range range = inside(model, to->parent, ranges[i]);
        if (range.high != range.low && !fm_address_spans_add(&model->spans, range.low, range.high, number, number))
            return false;
    }
    model->instance_count++;
    model->open[model->open_count++] = number;
    return true;
}

/* --- finding the innermost instance at each address --- */

static bool begin_stretch(struct fm_unit_model *model, uint64_t low)
{
    const uint32_t first = (uint32_t)model->part_count;

    return fm_address_spans_add(&model->stretches, low, low, first, first);
}

/* Appends a part to the last stretch (a run of parts without gaps), or to a new stretch if there is a gap between
 * them. */
static bool add_part(struct fm_unit_model *model, uint64_t low, uint64_t high, uint64_t start, uint32_t instance)
{
    if (model->part_count >= UINT32_MAX - 2 ||
        !FM_GROW(model->heap, model->parts, model->part_capacity, model->part_count + 2))
        return false;
    struct fm_dw_part *to = model->parts + model->part_count;
    const bool goes_on = model->part_count > 0 && to[-1].low == low;
    if (goes_on && to[-2].instance == instance && to[-2].start == start) {
        to[-1].low = high;
    } else {
        if (!goes_on && !begin_stretch(model, low)) return false;
        to -= goes_on; /* if the part continues the last stretch, it replaces that stretch's end mark */
        to[0] = (struct fm_dw_part){low, start, instance};
        to[1] = (struct fm_dw_part){high, 0, 0};
        model->part_count += goes_on ? 1 : 2;
    }
    struct fm_address_span *stretch = &model->stretches.items[model->stretches.count - 1];
    stretch->high = high;
    stretch->rank = model->part_count - 1;
    return true;
}

/* Appends parts for the open spans from `at` on, up to `until` or until no span is open. */
static bool write_open_spans(struct fm_unit_model *model, size_t *depth, uint64_t at, uint64_t until)
{
    while (*depth > 0 && at < until) {
        const struct fm_address_span *top = &model->spans.items[model->stack[*depth - 1]];
        if (top->high <= at) {
            --*depth;
            continue;
        }
        const uint64_t high = top->high < until ? top->high : until;
        if (!add_part(model, at, high, top->low, top->id)) return false;
        at = high;
    }
    return true;
}

/* Ends a range whose end is lost, and that is about to be opened, with the open range around it. Another such range of
 * the same function ends where this one starts: they are inlined one after the other. Each range is taken off the stack
 * at most once. */
static void bound_lost_end(const struct fm_unit_model *model, struct fm_address_span *span, size_t *depth)
{
    const uint32_t parent = model->instances[span->id].parent;

    if (!fm_unit_model_end_lost(model, span->id)) return;
    for (; *depth > 0; --*depth) {
        const struct fm_address_span *top = &model->spans.items[model->stack[*depth - 1]];
        const bool before = model->instances[top->id].parent == parent && fm_unit_model_end_lost(model, top->id);
        if (before || top->high <= span->low) continue;
        if (top->high < span->high) span->high = top->high;
        break;
    }
}

/* Overlays the ranges of a function and of everything inlined in it. Called directly after the function was read, while
 * the ranges are in the CPU cache. Where ranges overlap, the one that starts last counts. If several start at one
 * address, the last one in the debug info counts, which is the innermost if ranges are nested properly. So a stack of
 * open ranges is enough: a new range takes precedence over all ranges on it. */
static bool overlay_function(struct fm_unit_model *model)
{
    struct fm_address_spans *spans = &model->spans;
    size_t depth = 0;
    uint64_t at = 0;

    if (spans->count > UINT32_MAX || !FM_GROW(model->heap, model->stack, model->stack_capacity, spans->count) ||
        !fm_address_spans_sort(spans))
        return false;
    for (size_t i = 0; i < spans->count; i++) {
        const uint64_t low = spans->items[i].low;
        if (!write_open_spans(model, &depth, at, low)) return false;
        at = low;
        if (model->ends_lost) bound_lost_end(model, &spans->items[i], &depth);
        model->stack[depth++] = (uint32_t)i;
    }
    if (!write_open_spans(model, &depth, at, UINT64_MAX)) return false;
    spans->count = 0;
    return true;
}

bool fm_unit_model_leave(struct fm_unit_model *model)
{
    if (model->open_count > 0) model->open_count--;
    return model->open_count > 0 || overlay_function(model);
}

/* Resolves overlaps between parts of different out-of-line functions: at each address the part that starts last
 * counts. */
static bool overlay_functions(struct fm_unit_model *model)
{
    struct fm_address_segments shown = {.heap = model->heap};
    struct fm_address_spans *scratch = &model->scratch;
    bool good = true;

    scratch->count = 0;
    for (size_t i = 0; i < model->stretches.count && good; i++) {
        const struct fm_address_span *stretch = &model->stretches.items[i];
        for (const struct fm_dw_part *part = model->parts + stretch->id; part < model->parts + stretch->rank && good;
             part++)
            good = fm_address_spans_add(scratch, part[0].low, part[1].low, UINT64_MAX - part->start, part->instance);
    }
    good = good && fm_address_spans_flatten(scratch, &shown);
    model->stretches.count = model->part_count = 0;
    for (size_t i = 0; i < shown.count && good; i++) {
        const struct fm_address_segment *segment = &shown.items[i];
        good = add_part(model, segment->low, segment->high, 0, segment->id);
    }
    fm_address_segments_free(&shown);
    return good;
}

static bool finish_functions(struct fm_unit_model *model)
{
    const struct fm_address_spans *stretches = &model->stretches;
    bool apart = true;

    model->open_count = 0;
    if (!overlay_function(model) || !fm_address_spans_sort(&model->stretches)) return false;
    for (size_t i = 1; i < stretches->count && apart; i++)
        apart = stretches->items[i - 1].high <= stretches->items[i].low;
    return apart || overlay_functions(model);
}

bool fm_unit_model_sort(struct fm_unit_model *model) { return finish_rows(model) && finish_functions(model); }

void fm_unit_model_end(struct fm_unit_model *model)
{
    const size_t instances = model->instance_capacity * sizeof *model->instances,
                 rows = model->row_capacity * sizeof *model->rows, parts = model->part_capacity * sizeof *model->parts;

    if (instances + rows + parts <= KEPT_BYTES) return;
    fm_heap_free(model->heap, model->instances, instances);
    fm_heap_free(model->heap, model->rows, rows);
    fm_heap_free(model->heap, model->parts, parts);
    model->instances = NULL;
    model->rows = NULL;
    model->parts = NULL;
    model->instance_count = model->instance_capacity = model->row_count = model->row_capacity = model->part_count =
        model->part_capacity = 0;
}
