/* Records of a pack to the builder's, under its numbers. */
#include "core/fault.h"
#include "index/model.h"

/* Numbers of the builder by numbers of the pack. */
struct renumbering {
    uint32_t *strings, *files, *functions, *nodes;
};

static framemap_status no_such(framemap_error *error, const char *what)
{
    return fm_fault(error, FRAMEMAP_E_ARGUMENT, "no such %s in this pack", what);
}

/* The builder's number of a pack's; FM_NONE stays. *bad is set where the pack has no such record. */
static uint32_t renumber(const uint32_t *numbers, uint32_t number, size_t count, bool *bad)
{
    if (number == FM_NONE) return FM_NONE;
    if (number < count) return numbers[number];
    *bad = true;
    return FM_NONE;
}

static framemap_status pack_functions(struct fm_builder *b, const struct fm_pack *pack, struct renumbering *to, framemap_error *error)
{
    for (size_t i = 0; i < pack->function_count; i++) {
        struct fm_function function = pack->functions[i];
        bool bad = false;
        function.name = renumber(to->strings, function.name, pack->string_count, &bad);
        function.class_name = renumber(to->strings, function.class_name, pack->string_count, &bad);
        function.decl_file = renumber(to->files, function.decl_file, pack->file_count, &bad);
        if (bad) return no_such(error, "string or file");
        framemap_status status = fm_builder_function(b, &function, &to->functions[i], error);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

static framemap_status pack_nodes(struct fm_builder *b, const struct fm_pack *pack, struct renumbering *to, framemap_error *error)
{
    for (size_t i = 0; i < pack->node_count; i++) {
        struct fm_node node = pack->nodes[i];
        bool bad = false;
        node.parent = renumber(to->nodes, node.parent, i, &bad);
        node.function = renumber(to->functions, node.function, pack->function_count, &bad);
        node.call_file = renumber(to->files, node.call_file, pack->file_count, &bad);
        node.symbol = renumber(to->strings, node.symbol, pack->string_count, &bad);
        if (bad) return no_such(error, "node, function, file or string");
        framemap_status status = fm_builder_node(b, &node, &to->nodes[i], error);
        if (status != FRAMEMAP_OK) return status;
    }
    for (size_t i = 0; i < pack->alias_count; i++) {
        bool bad = false;
        const uint32_t root = renumber(to->nodes, pack->aliases[i].root, pack->node_count, &bad);
        const uint32_t name = renumber(to->strings, pack->aliases[i].name, pack->string_count, &bad);
        if (bad) return no_such(error, "root or string");
        framemap_status status = fm_builder_alias(b, root, name, error);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

static framemap_status pack_run(struct fm_builder *b, const struct fm_pack *pack, const struct fm_pack_run *run, const struct renumbering *to,
                                framemap_error *error)
{
    if (run->first > pack->row_count || run->count > pack->row_count - run->first) return no_such(error, "row");
    for (size_t i = run->first; i < run->first + run->count; i++) {
        const struct fm_pack_row *row = &pack->rows[i];
        struct fm_place place = {.line1 = row->line1, .col1 = row->col1, .name = FM_NONE};
        bool bad = false;
        place.node = renumber(to->nodes, row->node, pack->node_count, &bad);
        place.file = renumber(to->files, row->file, pack->file_count, &bad);
        if (bad) return no_such(error, "node or file");
        framemap_status status = place.node == FM_NONE && place.file == FM_NONE
                                     ? fm_builder_end(b, run->scope, row->position, error)
                                     : fm_builder_position(b, run->scope, row->position, &place, 1, error);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

static framemap_status pack_all(struct fm_builder *b, const struct fm_pack *pack, struct renumbering *to, framemap_error *error)
{
    framemap_status status = fm_builder_strings(b, pack->strings, pack->string_count, to->strings, error);
    for (size_t i = 0; i < pack->file_count && status == FRAMEMAP_OK; i++) status = fm_builder_file(b, pack->files[i], &to->files[i], error);
    if (status == FRAMEMAP_OK) status = pack_functions(b, pack, to, error);
    if (status == FRAMEMAP_OK) status = pack_nodes(b, pack, to, error);
    for (size_t i = 0; i < pack->run_count && status == FRAMEMAP_OK; i++) status = pack_run(b, pack, &pack->runs[i], to, error);
    return status;
}

framemap_status fm_builder_pack(struct fm_builder *b, const struct fm_pack *pack, framemap_error *error)
{
    const size_t count = pack->string_count + pack->file_count + pack->function_count + pack->node_count;
    uint32_t *numbers = fm_heap_zalloc(b->heap, count, sizeof *numbers);
    if (numbers == NULL && count > 0) return fm_fault_memory(error);
    struct renumbering to = {numbers, NULL, NULL, NULL};
    if (count > 0) {
        to.files = to.strings + pack->string_count;
        to.functions = to.files + pack->file_count;
        to.nodes = to.functions + pack->function_count;
    }
    const framemap_status status = pack_all(b, pack, &to, error);
    fm_heap_free(b->heap, numbers, count * sizeof *numbers);
    return status;
}
