/* Writes a sorted unit to a batch. See unit_output.h. */
#include "mappers/native/compile/unit_output.h"

#include "core/cpu.h"
#include "core/error.h"
#include "core/limits.h"

void fm_unit_output_begin(struct fm_unit_output *output, struct fm_unit_batch *batch)
{
    output->batch = batch;
    output->symbol_node = output->symbol_node_of = FM_NONE;
}

/* --- moving through segments, parts and rows --- */

/* A cursor over sorted segments. */
struct segment_cursor {
    const struct fm_address_segment *at, *end;
};

static struct segment_cursor segment_cursor_of(const struct fm_address_segments *segments, uint64_t from)
{
    /* arithmetic on a NULL array would be undefined */
    if (segments->count == 0) return (struct segment_cursor){NULL, NULL};
    return (struct segment_cursor){segments->items + fm_address_segments_from(segments, from),
                                   segments->items + segments->count};
}

/* Returns the id of the segment at a position, or FM_NONE. If the id changes at a position before *next, *next becomes
 * that position. */
static inline uint32_t segment_at(struct segment_cursor *cursor, uint64_t position, uint64_t *next)
{
    while (cursor->at < cursor->end && cursor->at->high <= position) cursor->at++;
    if (cursor->at == cursor->end) return FM_NONE;
    const bool shows = cursor->at->low <= position;
    const uint64_t change = shows ? cursor->at->high : cursor->at->low;
    if (change < *next) *next = change;
    return shows ? cursor->at->id : FM_NONE;
}

/* Returns the number of spans that end at or below an address. Their ends ascend; the end of a span is `high`, or `low`
 * for sequences. */
static size_t spans_until(const struct fm_address_spans *spans, uint64_t address, bool sequences)
{
    size_t low = 0;
    size_t high = spans->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct fm_address_span *span = &spans->items[middle];
        if ((sequences ? span->low : span->high) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A cursor over the parts of a unit. */
struct part_cursor {
    const struct fm_unit_model *model;
    const struct fm_address_span *stretch, *end;
    const struct fm_dw_part *at; /* the current part, an address range with one innermost function */
};

static void enter_stretch(struct part_cursor *cursor, uint64_t position)
{
    size_t low = cursor->stretch->id;
    size_t high = (size_t)cursor->stretch->rank;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (cursor->model->parts[middle].low <= position)
            low = middle;
        else
            high = middle;
    }
    cursor->at = cursor->model->parts + low;
}

static struct part_cursor part_cursor_of(const struct fm_unit_model *model, uint64_t from)
{
    if (model == NULL || model->stretches.count == 0) return (struct part_cursor){.model = model};
    const struct fm_address_spans *stretches = &model->stretches;
    struct part_cursor cursor = {model, stretches->items + spans_until(stretches, from, false),
                                 stretches->items + stretches->count, NULL};
    if (cursor.stretch < cursor.end) enter_stretch(&cursor, from);
    return cursor;
}

static inline uint32_t part_at(struct part_cursor *cursor, uint64_t position, uint64_t *next)
{
    while (cursor->stretch < cursor->end && cursor->stretch->high <= position) {
        if (++cursor->stretch < cursor->end) cursor->at = cursor->model->parts + cursor->stretch->id;
    }
    if (cursor->stretch == cursor->end) return FM_NONE;
    const bool shows = cursor->at->low <= position;
    while (shows && cursor->at[1].low <= position)
        /* the loop ends at the end mark at the latest, because the address of the mark is after the position */
        cursor->at++;
    const uint64_t change = shows ? cursor->at[1].low : cursor->at->low;
    if (change < *next) *next = change;
    return shows ? cursor->at->instance : FM_NONE;
}

/* A cursor over the line rows of a unit. */
struct row_cursor {
    const struct fm_dw_model_row *rows;
    const struct fm_address_span *sequence, *end;
    const struct fm_dw_model_row *at; /* the current row in the sequence */
};

static void enter_sequence(struct row_cursor *cursor, uint64_t position)
{
    size_t low = cursor->sequence->id;
    size_t high = (size_t)cursor->sequence->high;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (cursor->rows[middle].address <= position)
            low = middle;
        else
            high = middle;
    }
    cursor->at = cursor->rows + low;
}

static struct row_cursor row_cursor_of(const struct fm_unit_model *model, uint64_t from)
{
    if (model == NULL || model->sequences.count == 0) return (struct row_cursor){.rows = NULL};
    const struct fm_address_spans *sequences = &model->sequences;
    struct row_cursor cursor = {model->rows, sequences->items + spans_until(sequences, from, true),
                                sequences->items + sequences->count, NULL};
    if (cursor.sequence < cursor.end) enter_sequence(&cursor, from);
    return cursor;
}

/* Returns the row at the position, or NULL if there is none. If a sequence starts before the previous one ended, its
 * rows before that end are skipped, because the position has already passed them. */
static inline const struct fm_dw_model_row *row_at(struct row_cursor *cursor, uint64_t position, uint64_t *next)
{
    while (cursor->sequence < cursor->end && cursor->sequence->low <= position) {
        if (++cursor->sequence < cursor->end) enter_sequence(cursor, position);
    }
    if (cursor->sequence == cursor->end) return NULL;
    const bool known = cursor->at->address <= position;
    while (known && cursor->at[1].address <= position) cursor->at++;
    const uint64_t change = known ? cursor->at[1].address : cursor->at->address;
    if (change < *next) *next = change;
    /* after the end of this sequence, rows of another sequence may follow */
    if (cursor->sequence->low < *next) *next = cursor->sequence->low;
    return known && cursor->at->file != FM_NONE ? cursor->at : NULL;
}

/* --- making nodes --- */

/* Sets start and size of an out-of-line function that a symbol covers. */
static void place_root(const struct fm_unit_output *output, uint64_t origin, uint32_t symbol, struct fm_node *node)
{
    const struct fm_symbol *covering = &output->image->symbols[symbol];

    node->flags |= FM_NODE_HAS_START;
    node->start = covering->address - origin;
    node->size = covering->size;
}

/* Sets start and size of an out-of-line function without a symbol. */
static void place_by_extent(const struct fm_dw_extent *extent, uint64_t origin, struct fm_node *node)
{
    if (extent->low < origin || extent->size == 0) return;
    node->flags |= FM_NODE_HAS_START;
    node->start = extent->low - origin;
    node->size = extent->size;
}

static bool node_of_symbol(struct fm_unit_output *output, uint64_t origin, uint32_t symbol, uint32_t *out)
{
    struct fm_function function = {FM_NONE, FM_NONE, FM_NONE, 0, FM_LANGUAGE_UNKNOWN};
    struct fm_node node = {.parent = FM_NONE, .call_file = FM_NONE, .symbol = FM_NONE};

    if (output->symbol_node_of != symbol) {
        place_root(output, origin, symbol, &node);
        if (!fm_unit_batch_string(output->batch, output->image->symbols[symbol].name, &function.name)) return false;
        if (!fm_unit_batch_function(output->batch, &function, &node.function)) return false;
        if (!fm_unit_batch_node(output->batch, &node, &output->symbol_node)) return false;
        output->symbol_node_of = symbol;
    }
    *out = output->symbol_node;
    return true;
}

static bool make_function(struct fm_unit_output *output, const struct fm_unit_model *model,
                          struct fm_dw_identity *identity)
{
    struct fm_function function = {FM_NONE, FM_NONE, identity->decl_file, identity->decl_line1, model->language};
    const framemap_str name = identity->name;

    if (identity->function != FM_NONE) return true;
    if (name.size > 0 && name.size <= FM_LIMIT_NAME &&
        !fm_unit_batch_hashed_string(output->batch, name, identity->hash, &function.name))
        return false;
    if (identity->scope.size > 0 && !fm_unit_batch_string(output->batch, identity->scope, &function.class_name))
        return false;
    return fm_unit_batch_function(output->batch, &function, &identity->function);
}

/* Returns the file of a call site that states only a line, as Zig's compiler writes it. It is the file of the row where
 * the calling function starts, and it is known only if that function is not inlined itself. */
static uint32_t file_around(const struct fm_unit_model *model, const struct fm_dw_instance *instance)
{
    const struct fm_dw_instance *around = &model->instances[instance->parent];
    uint64_t next = UINT64_MAX;
    if (around->parent != FM_NONE || around->extent == FM_NONE) return FM_NONE;
    const uint64_t low = model->extents[around->extent].low;
    struct row_cursor cursor = row_cursor_of(model, low);
    const struct fm_dw_model_row *row = cursor.rows != NULL ? row_at(&cursor, low, &next) : NULL;
    return row != NULL ? row->file : FM_NONE;
}

static bool make_node(struct fm_unit_output *output, uint64_t origin, struct fm_unit_model *model,
                      struct fm_dw_instance *instance, uint32_t symbol)
{
    struct fm_node node = {.parent = FM_NONE, .call_file = FM_NONE, .symbol = FM_NONE};
    struct fm_dw_identity *identity = &model->identities[instance->identity];

    if (!make_function(output, model, identity)) return false;
    if (instance->parent != FM_NONE) node.parent = model->instances[instance->parent].node;
    node.function = identity->function;
    node.flags = identity->artificial ? FM_NODE_ARTIFICIAL : 0;
    if (node.parent != FM_NONE) {
        node.call_file = instance->call_file;
        node.call_line1 = instance->call_line1;
        node.call_col1 = instance->call_col1;
        if (node.call_file == FM_NONE && node.call_line1 != 0) node.call_file = file_around(model, instance);
    } else if (symbol != FM_NONE && instance->parent == FM_NONE) {
        const framemap_str name = output->image->symbols[symbol].name;
        place_root(output, origin, symbol, &node);
        if (!fm_str_equal(identity->name, name) && !fm_unit_batch_string(output->batch, name, &node.symbol))
            return false;
    } else if (instance->parent == FM_NONE) {
        place_by_extent(&model->extents[instance->extent], origin, &node);
    }
    instance->node_symbol = symbol;
    return fm_unit_batch_node(output->batch, &node, &instance->node);
}

/* Gets the node of an instance in an inline tree whose outermost function has this symbol. Each instance caches the
 * node that was made for it last, so a chain is created only once for each symbol. */
static bool node_of_instance(struct fm_unit_output *output, uint64_t origin, struct fm_unit_model *model,
                             uint32_t number, uint32_t symbol, uint32_t *out)
{
    uint32_t chain[FM_LIMIT_INLINE_DEPTH + 1];
    size_t depth = 0;

    for (uint32_t i = number; i != FM_NONE && depth <= FM_LIMIT_INLINE_DEPTH; i = model->instances[i].parent) {
        if (model->instances[i].node != FM_NONE && model->instances[i].node_symbol == symbol) break;
        chain[depth++] = i;
    }
    while (depth > 0) {
        if (!make_node(output, origin, model, &model->instances[chain[--depth]], symbol)) return false;
    }
    *out = model->instances[number].node;
    return true;
}

/* Adds the other symbols at the same address, which are other names for the same code. */
static bool add_aliases(struct fm_unit_output *output, uint32_t symbol, uint32_t node)
{
    const struct fm_image *image = output->image;
    const struct fm_symbol *chosen = &image->symbols[symbol];
    size_t first = symbol;

    while (first > 0 && image->symbols[first - 1].address == chosen->address) first--;
    for (size_t i = first; i < image->symbol_count && image->symbols[i].address == chosen->address; i++) {
        const struct fm_symbol *other = &image->symbols[i];
        uint32_t name = 0;
        if (i == symbol || other->kind != FM_SYMBOL_FUNCTION || fm_str_equal(other->name, chosen->name)) continue;
        if (!fm_unit_batch_string(output->batch, other->name, &name) || !fm_unit_batch_alias(output->batch, node, name))
            return false;
    }
    return true;
}

/* Returns the node of the out-of-line function around this instance. */
static uint32_t root_of(const struct fm_unit_model *model, uint32_t number)
{
    while (model->instances[number].parent != FM_NONE) number = model->instances[number].parent;
    return model->instances[number].node;
}

/* --- merging parts, rows and symbols over an interval --- */

/* The records that are known at one position; FM_NONE: no record of that kind is known. */
struct known_at {
    uint32_t instance, symbol;
};

/* Returns the innermost instance at a row, where that may be `number`, whose end is lost, or an instance around it, up
 * to the first whose end is known. A row is in a function if it is in the file that declares the function, below that
 * line. If several fit, the function that is declared last counts; if none does, the instance whose end is known. */
static uint32_t instance_at_row(const struct fm_unit_model *model, uint32_t number, const struct fm_dw_model_row *row)
{
    uint32_t best = FM_NONE, best_line1 = 0;

    for (unsigned tried = 0;; number = model->instances[number].parent) {
        const struct fm_dw_instance *instance = &model->instances[number];
        const struct fm_dw_identity *identity = &model->identities[instance->identity];
        const bool fits = row != NULL && identity->decl_file == row->file && identity->decl_line1 <= row->line1;
        if (fits && identity->decl_line1 > best_line1) {
            best = number;
            best_line1 = identity->decl_line1;
        }
        if (!fm_unit_model_end_lost(model, number) || ++tried == FM_LIMIT_LOST_ENDS) break;
    }
    return best != FM_NONE ? best : number;
}

static bool node_of_known(struct fm_unit_output *output, uint64_t origin, struct fm_unit_model *model,
                          struct known_at known, uint32_t *out)
{
    *out = FM_NONE;
    if (known.instance != FM_NONE) return node_of_instance(output, origin, model, known.instance, known.symbol, out);
    return known.symbol == FM_NONE || node_of_symbol(output, origin, known.symbol, out);
}

/* The instance of the part this many parts ahead of the current one is prefetched, because the instances of a large
 * unit are scattered in memory. */
#define AHEAD 4

static inline void prefetch_instance(const struct part_cursor *functions)
{
    const struct fm_unit_model *model = functions->model;
    if (functions->stretch < functions->end && model->parts + model->part_count - functions->at > AHEAD)
        fm_prefetch(&model->instances[functions->at[AHEAD].instance]);
}

/* State while an interval is written. */
struct interval {
    struct fm_unit_output *output;
    uint64_t origin;
    struct row_cursor lines;
    bool begun; /* a row has been written, with the values of the members below */
    uint32_t node, file, line1, col1;
};

/* Writes the rows of one node for [low, high). Members are compared one by one, because building a row in memory and
 * comparing it there would stall (store forwarding). */
static bool write_lines(struct interval *interval, uint32_t node, bool with_lines, uint64_t low, uint64_t high)
{
    struct fm_unit_batch *const batch = interval->output->batch;
    bool same = interval->begun && interval->node == node;
    uint32_t file = interval->file, line1 = interval->line1, col1 = interval->col1;

    for (uint64_t at = low, next = high; at < high; at = next, next = high) {
        const struct fm_dw_model_row *line = row_at(&interval->lines, at, &next);
        const bool known = with_lines && line != NULL;
        const uint32_t next_file = known ? line->file : FM_NONE, next_line1 = known ? line->line1 : 0,
                       next_col1 = known ? line->col1 : 0;
        if (same && next_file == file && next_line1 == line1 && next_col1 == col1) continue;
        same = true;
        file = next_file;
        line1 = next_line1;
        col1 = next_col1;
        const uint64_t position = at - interval->origin;
        if (!(at > low ? fm_unit_batch_next_row(batch, position, node, file, line1, col1)
                       : fm_unit_batch_row(batch, position, node, file, line1, col1)))
            return false;
    }
    interval->begun = true;
    interval->node = node;
    interval->file = file;
    interval->line1 = line1;
    interval->col1 = col1;
    return true;
}

static bool write_interval(struct fm_unit_output *output, uint64_t origin, struct fm_unit_model *model, uint64_t low,
                           uint64_t high)
{
    struct part_cursor functions = part_cursor_of(model, low);
    struct segment_cursor symbols = segment_cursor_of(&output->symbols->code, low);
    struct interval interval = {.output = output, .origin = origin, .lines = row_cursor_of(model, low)};
    struct known_at last = {FM_NONE, FM_NONE};
    uint32_t node = FM_NONE;

    for (uint64_t at = low, next = high; at < high; at = next, next = high) {
        struct known_at known = {part_at(&functions, at, &next), segment_at(&symbols, at, &next)};
        if (known.instance != FM_NONE && fm_unit_model_end_lost(model, known.instance))
            known.instance = instance_at_row(model, known.instance, row_at(&interval.lines, at, &next));
        const bool changed = known.instance != last.instance || known.symbol != last.symbol;
        if (known.instance != last.instance) prefetch_instance(&functions);
        if (changed && !node_of_known(output, origin, model, known, &node)) return false;
        last = known;
        if (known.symbol != FM_NONE && output->image->symbols[known.symbol].address == at &&
            !add_aliases(output, known.symbol, known.instance != FM_NONE ? root_of(model, known.instance) : node))
            return false;
        if (!write_lines(&interval, node, !output->lines_in_functions || known.instance != FM_NONE, at, next))
            return false;
    }
    return fm_unit_batch_row(output->batch, high - origin, FM_NONE, FM_NONE, 0, 0);
}

/* The scope of an interval, and the address that its positions are relative to. */
struct target {
    uint32_t scope;
    uint64_t origin;
    uint64_t end; /* address that the interval must not extend past */
};

static framemap_status aim(const struct fm_unit_output *output, uint64_t address, struct target *out,
                           framemap_error *error)
{
    *out = (struct target){FM_DW_SCOPE_IMAGE, output->image->origin, UINT64_MAX};
    if (!output->image->by_section) return FRAMEMAP_OK;
    out->scope = fm_image_section_at(output->image, address);
    if (out->scope == UINT32_MAX)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "code belongs to no section because sections overlap");
    out->origin = output->image->sections[out->scope].address;
    out->end = out->origin + output->image->sections[out->scope].size;
    return FRAMEMAP_OK;
}

framemap_status fm_unit_output_interval(struct fm_unit_output *output, struct fm_unit_model *model, uint64_t low,
                                        uint64_t high, framemap_error *error)
{
    while (low < high) {
        struct target target;
        const framemap_status status = aim(output, low, &target, error);
        if (status != FRAMEMAP_OK) return status;
        const uint64_t end = high < target.end ? high : target.end;
        const uint64_t position = low >= target.origin ? low - target.origin : 0;
        if (!fm_unit_batch_start_run(output->batch, target.scope, position)) return fm_error_memory(error);
        if (low >= target.origin && !write_interval(output, target.origin, model, low, end))
            return fm_error_memory(error);
        low = end;
    }
    return FRAMEMAP_OK;
}

/* --- writing addresses of split DWARF --- */

bool fm_unit_output_split(struct fm_unit_output *output, framemap_str path, uint64_t low, uint64_t high)
{
    const uint64_t origin = output->image->origin;
    uint32_t file;

    if (output->image->by_section || low < origin) return true;
    return fm_unit_batch_file(output->batch, path, &file) &&
           fm_unit_batch_start_run(output->batch, FM_DW_SCOPE_SPLIT, low - origin) &&
           fm_unit_batch_row(output->batch, low - origin, FM_NONE, file, 0, 0) &&
           fm_unit_batch_row(output->batch, high - origin, FM_NONE, FM_NONE, 0, 0);
}

/* --- writing data symbols --- */

bool fm_unit_output_data(struct fm_unit_output *output, const struct fm_address_segment *segment)
{
    const uint64_t origin = output->image->origin;
    const uint64_t position = segment->low - origin;
    uint32_t node = FM_NONE;

    if (segment->low < origin) return true;
    if (!fm_unit_batch_start_run(output->batch, FM_DW_SCOPE_DATA, position) ||
        !node_of_symbol(output, origin, segment->id, &node) ||
        !fm_unit_batch_row(output->batch, position, node, FM_NONE, 0, 0))
        return false;
    return fm_unit_batch_row(output->batch, segment->high - origin, FM_NONE, FM_NONE, 0, 0);
}
