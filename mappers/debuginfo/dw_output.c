#include "mappers/debuginfo/dw_output.h"

#include "core/fault.h"
#include "core/limits.h"
#include "core/text.h"

framemap_status fm_dw_output_init(struct fm_dw_output *output, const struct fm_image *image, const struct fm_dw_symbols *symbols,
                                  const struct fm_mapper_host *host, struct fm_builder *builder, framemap_error *error)
{
    *output = (struct fm_dw_output){.builder = builder, .image = image, .symbols = symbols, .heap = host->heap, .error = error};
    output->image_scope = output->symbol_node = output->symbol_node_of = FM_NONE;
    if (!image->relocatable || image->section_count == 0) return FRAMEMAP_OK;
    output->section_scopes = fm_heap_zalloc(host->heap, image->section_count, sizeof *output->section_scopes);
    return output->section_scopes != NULL ? FRAMEMAP_OK : fm_fault_memory(error);
}

void fm_dw_output_free(struct fm_dw_output *output)
{
    if (output->section_scopes != NULL) {
        fm_heap_free(output->heap, output->section_scopes, output->image->section_count * sizeof *output->section_scopes);
    }
}

/* --- scopes --- */

/* Where positions of an interval go, and what they count from. */
struct target {
    uint32_t scope;
    uint64_t origin;
    uint64_t end; /* the interval must not pass it */
};

/* Sections of one name are told apart by number: ".text", then ".text@7". */
static framemap_status section_scope(struct fm_dw_output *output, uint32_t number, uint32_t *out)
{
    const struct fm_section *section = &output->image->sections[number];
    framemap_status status = FRAMEMAP_OK;

    if (output->section_scopes[number] == 0) {
        struct fm_buf key;
        uint32_t scope = 0;
        fm_buf_init(&key, output->heap);
        fm_buf_str(&key, section->name);
        if (fm_image_section(output->image, section->name) != number) fm_buf_printf(&key, "@%u", (unsigned)section->number);
        status = key.failed ? fm_fault_memory(output->error) : fm_builder_scope(output->builder, fm_buf_view(&key), &scope, output->error);
        fm_buf_free(&key);
        output->section_scopes[number] = scope + 1;
    }
    *out = output->section_scopes[number] - 1;
    return status;
}

static framemap_status aim(struct fm_dw_output *output, uint64_t address, struct target *out)
{
    *out = (struct target){.origin = output->image->base, .end = UINT64_MAX};
    if (output->image->relocatable) {
        uint32_t number = fm_image_section_at(output->image, address);
        if (number == UINT32_MAX) return fm_fault(output->error, FRAMEMAP_E_CORRUPT, "code stands in no section: sections overlap");
        out->origin = output->image->sections[number].address;
        out->end = out->origin + output->image->sections[number].size;
        return section_scope(output, number, &out->scope);
    }
    if (output->image_scope == FM_NONE) {
        framemap_status status = fm_builder_scope(output->builder, (framemap_str){"", 0}, &output->image_scope, output->error);
        if (status != FRAMEMAP_OK) return status;
    }
    out->scope = output->image_scope;
    return FRAMEMAP_OK;
}

/* --- nodes --- */

static framemap_status symbol_string(struct fm_dw_output *output, uint32_t symbol, uint32_t *out)
{
    return fm_builder_string(output->builder, output->image->symbols[symbol].name, out, output->error);
}

/* Start and size of a root that a symbol covers. */
static void place_root(const struct fm_dw_output *output, const struct target *target, uint32_t symbol, struct fm_node *node)
{
    const struct fm_symbol *covering = &output->image->symbols[symbol];

    node->flags |= FM_NODE_HAS_START;
    node->start = covering->address - target->origin;
    node->size = covering->size;
}

static framemap_status node_of_symbol(struct fm_dw_output *output, const struct target *target, uint32_t symbol, uint32_t *out)
{
    struct fm_function function = {FM_NONE, FM_NONE, FM_NONE, 0, FM_LANGUAGE_UNKNOWN};
    struct fm_node node = {.parent = FM_NONE, .call_file = FM_NONE, .symbol = FM_NONE};
    framemap_status status = FRAMEMAP_OK;

    if (output->symbol_node_of != symbol) {
        place_root(output, target, symbol, &node);
        status = symbol_string(output, symbol, &function.name);
        if (status == FRAMEMAP_OK) status = fm_builder_function(output->builder, &function, &node.function, output->error);
        if (status == FRAMEMAP_OK) status = fm_builder_node(output->builder, &node, &output->symbol_node, output->error);
        if (status == FRAMEMAP_OK) output->symbol_node_of = symbol;
    }
    *out = output->symbol_node;
    return status;
}

static framemap_status make_function(struct fm_dw_output *output, const struct fm_dw_unit_model *model, struct fm_dw_instance *instance)
{
    struct fm_function function = {FM_NONE, FM_NONE, instance->decl_file, instance->decl_line1, model->language};
    framemap_str name = instance->linkage_name.size > 0 ? instance->linkage_name : instance->name;

    if (instance->function != FM_NONE) return FRAMEMAP_OK;
    if (name.size > 0 && name.size <= FM_LIMIT_NAME) {
        framemap_status status = fm_builder_string(output->builder, name, &function.name, output->error);
        if (status != FRAMEMAP_OK) return status;
    }
    return fm_builder_function(output->builder, &function, &instance->function, output->error);
}

static framemap_status make_node(struct fm_dw_output *output, const struct target *target, struct fm_dw_unit_model *model,
                                 struct fm_dw_instance *instance, uint32_t symbol)
{
    struct fm_node node = {.parent = FM_NONE, .call_file = FM_NONE, .symbol = FM_NONE};
    framemap_status status = make_function(output, model, instance);

    node.function = instance->function;
    node.flags = instance->artificial ? FM_NODE_ARTIFICIAL : 0;
    if (instance->parent != FM_NONE) {
        node.parent = model->instances[instance->parent].node;
        node.call_file = instance->call_file;
        node.call_line1 = instance->call_line1;
        node.call_col1 = instance->call_col1;
    } else if (symbol != FM_NONE) {
        framemap_str name = instance->linkage_name.size > 0 ? instance->linkage_name : instance->name;
        place_root(output, target, symbol, &node);
        if (status == FRAMEMAP_OK && !fm_str_equal(name, output->image->symbols[symbol].name)) status = symbol_string(output, symbol, &node.symbol);
    } else if (instance->low >= target->origin && instance->size > 0) {
        node.flags |= FM_NODE_HAS_START;
        node.start = instance->low - target->origin;
        node.size = instance->size;
    }
    if (status == FRAMEMAP_OK) status = fm_builder_node(output->builder, &node, &instance->node, output->error);
    instance->node_symbol = symbol;
    return status;
}

/* The node of an instance under a root that this symbol names. Instances remember the last one, so a chain is made once for each symbol. */
static framemap_status node_of_instance(struct fm_dw_output *output, const struct target *target, struct fm_dw_unit_model *model,
                                        uint32_t number, uint32_t symbol, uint32_t *out)
{
    uint32_t chain[FM_LIMIT_INLINE_DEPTH + 1];
    size_t depth = 0;
    framemap_status status = FRAMEMAP_OK;

    for (uint32_t i = number; i != FM_NONE && depth <= FM_LIMIT_INLINE_DEPTH; i = model->instances[i].parent) {
        if (model->instances[i].node != FM_NONE && model->instances[i].node_symbol == symbol) break;
        chain[depth++] = i;
    }
    while (depth > 0 && status == FRAMEMAP_OK) status = make_node(output, target, model, &model->instances[chain[--depth]], symbol);
    *out = model->instances[number].node;
    return status;
}

/* Other symbols at the start of this one are other names of the same code. */
static framemap_status add_aliases(struct fm_dw_output *output, uint32_t symbol, uint32_t node)
{
    const struct fm_image *image = output->image;
    const struct fm_symbol *chosen = &image->symbols[symbol];
    size_t first = symbol;
    framemap_status status = FRAMEMAP_OK;

    while (first > 0 && image->symbols[first - 1].address == chosen->address) first--;
    for (size_t i = first; i < image->symbol_count && image->symbols[i].address == chosen->address && status == FRAMEMAP_OK; i++) {
        const struct fm_symbol *other = &image->symbols[i];
        uint32_t name = 0;
        if (i == symbol || other->kind != FM_SYMBOL_FUNCTION || fm_str_equal(other->name, chosen->name)) continue;
        status = fm_builder_string(output->builder, other->name, &name, output->error);
        if (status == FRAMEMAP_OK) status = fm_builder_alias(output->builder, node, name, output->error);
    }
    return status;
}

/* The root above a node made of this instance. */
static uint32_t root_of(const struct fm_dw_unit_model *model, uint32_t number)
{
    while (model->instances[number].parent != FM_NONE) number = model->instances[number].parent;
    return model->instances[number].node;
}

/* --- intervals --- */

/* A sorted list of segments while it is passed over. */
struct strip {
    const struct fm_segment *at, *end;
};

static struct strip strip_of(const struct fm_segments *segments, uint64_t from)
{
    size_t low = 0;
    size_t high = segments->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (segments->items[middle].high <= from) low = middle + 1;
        else high = middle;
    }
    if (segments->count == 0) return (struct strip){NULL, NULL}; /* no arithmetic on no array */
    return (struct strip){segments->items + low, segments->items + segments->count};
}

/* What shows at a position, FM_NONE: nothing; lowers *next to where that changes. */
static uint32_t strip_at(struct strip *strip, uint64_t position, uint64_t *next)
{
    while (strip->at < strip->end && strip->at->high <= position) strip->at++;
    if (strip->at == strip->end) return FM_NONE;
    bool shows = strip->at->low <= position;
    uint64_t change = shows ? strip->at->high : strip->at->low;
    if (change < *next) *next = change;
    return shows ? strip->at->id : FM_NONE;
}

static bool same_place(const struct fm_place *a, const struct fm_place *b)
{
    return a->node == b->node && a->file == b->file && a->line1 == b->line1 && a->col1 == b->col1;
}

/* What is known at one position. */
struct sight {
    uint32_t instance, row, symbol; /* FM_NONE */
};

static framemap_status make_place(struct fm_dw_output *output, const struct target *target, struct fm_dw_unit_model *model, struct sight sight,
                                  struct fm_place *out)
{
    *out = (struct fm_place){.node = FM_NONE, .file = FM_NONE, .name = FM_NONE};
    /* A row whose file is not in the table says nothing, as in LLVM. */
    if (sight.row != FM_NONE && model->rows[sight.row].file != FM_NONE) {
        out->file = model->rows[sight.row].file;
        out->line1 = model->rows[sight.row].line1;
        out->col1 = model->rows[sight.row].col1;
    }
    if (sight.instance != FM_NONE) return node_of_instance(output, target, model, sight.instance, sight.symbol, &out->node);
    if (sight.symbol != FM_NONE) return node_of_symbol(output, target, sight.symbol, &out->node);
    return FRAMEMAP_OK;
}

static framemap_status write_place(struct fm_dw_output *output, const struct target *target, uint64_t address, const struct fm_place *place)
{
    uint64_t position = address - target->origin;

    if (place->node == FM_NONE && place->file == FM_NONE) return fm_builder_end(output->builder, target->scope, position, output->error);
    return fm_builder_position(output->builder, target->scope, position, place, 1, output->error);
}

static framemap_status write_interval(struct fm_dw_output *output, const struct target *target, struct fm_dw_unit_model *model, uint64_t low,
                                      uint64_t high)
{
    const struct fm_segments none = {.count = 0};
    struct strip functions = strip_of(model != NULL ? &model->functions : &none, low);
    struct strip lines = strip_of(model != NULL ? &model->lines : &none, low);
    struct strip symbols = strip_of(&output->symbols->code, low);
    struct fm_place last = {.node = FM_NONE, .file = FM_NONE};
    framemap_status status = FRAMEMAP_OK;

    for (uint64_t at = low; at < high && status == FRAMEMAP_OK;) {
        uint64_t next = high;
        struct fm_place place;
        struct sight sight = {strip_at(&functions, at, &next), strip_at(&lines, at, &next), strip_at(&symbols, at, &next)};
        if (output->lines_in_functions && sight.instance == FM_NONE) sight.row = FM_NONE;
        status = make_place(output, target, model, sight, &place);
        if (status != FRAMEMAP_OK) break;
        if (sight.symbol != FM_NONE && output->image->symbols[sight.symbol].address == at) {
            status = add_aliases(output, sight.symbol, sight.instance != FM_NONE ? root_of(model, sight.instance) : place.node);
        }
        if (status == FRAMEMAP_OK && (at == low || !same_place(&place, &last))) status = write_place(output, target, at, &place);
        last = place;
        at = next;
    }
    if (status == FRAMEMAP_OK) status = fm_builder_end(output->builder, target->scope, high - target->origin, output->error);
    return status;
}

framemap_status fm_dw_output_interval(struct fm_dw_output *output, struct fm_dw_unit_model *model, uint64_t low, uint64_t high)
{
    framemap_status status = FRAMEMAP_OK;

    while (low < high && status == FRAMEMAP_OK) {
        struct target target;
        status = aim(output, low, &target);
        if (status != FRAMEMAP_OK) break;
        uint64_t end = high < target.end ? high : target.end;
        if (low >= target.origin) status = write_interval(output, &target, model, low, end);
        low = end;
    }
    return status;
}

/* --- data --- */

framemap_status fm_dw_output_data(struct fm_dw_output *output)
{
    const struct fm_segments *data = &output->symbols->data;
    struct target target = {.origin = output->image->base};
    framemap_status status = FRAMEMAP_OK;

    if (data->count == 0) return FRAMEMAP_OK;
    status = fm_builder_scope(output->builder, FM_STR("data"), &target.scope, output->error);
    output->symbol_node_of = FM_NONE;
    for (size_t i = 0; i < data->count && status == FRAMEMAP_OK; i++) {
        const struct fm_segment *segment = &data->items[i];
        struct fm_place place = {.file = FM_NONE, .name = FM_NONE};
        if (segment->low < target.origin) continue;
        status = node_of_symbol(output, &target, segment->id, &place.node);
        if (status == FRAMEMAP_OK) status = write_place(output, &target, segment->low, &place);
        if (status == FRAMEMAP_OK) status = fm_builder_end(output->builder, target.scope, segment->high - target.origin, output->error);
    }
    return status;
}
