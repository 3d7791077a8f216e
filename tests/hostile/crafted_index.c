#include "tests/hostile/crafted_index.h"

#include "core/error.h"
#include "index/write/builder.h"

#include <stdio.h>
#include <stdlib.h>

enum { BEGIN = 0x100, SIZE = 0x40 };

static framemap_status add_aliases(const struct crafted_index *what, struct fm_builder *b, uint32_t node,
                                   framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    uint32_t alias;
    for (uint32_t i = 0; i < what->aliases && status == FRAMEMAP_OK; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%u%s", what->alias_head, (unsigned)i, what->alias_tail);
        status = fm_builder_string(b, framemap_str_of(text), &alias, error);
        if (status == FRAMEMAP_OK) status = fm_builder_alias(b, node, alias, error);
    }
    return status;
}

/* Adds the chain of inlined calls. *innermost: set to the last node of the chain. */
static framemap_status add_chain(const struct crafted_index *what, struct fm_builder *b, uint32_t file,
                                 uint32_t *innermost, framemap_error *error)
{
    struct fm_function function = {.class_name = FM_NONE, .decl_file = what->has_declaration ? file : FM_NONE};
    struct fm_node row = {.parent = FM_NONE,
                          .call_file = file,
                          .flags = FM_NODE_HAS_START,
                          .start = BEGIN,
                          .size = SIZE,
                          .symbol = FM_NONE};
    framemap_status status = fm_builder_string(b, what->function, &function.name, error);
    if (status == FRAMEMAP_OK) status = fm_builder_function(b, &function, &row.function, error);
    if (status == FRAMEMAP_OK) status = fm_builder_node(b, &row, innermost, error);
    if (status == FRAMEMAP_OK) status = add_aliases(what, b, *innermost, error);
    row = (struct fm_node){.function = row.function, .call_file = file, .call_line1 = 1, .symbol = FM_NONE};
    for (uint32_t i = 1; i < what->depth && status == FRAMEMAP_OK; i++) {
        row.parent = *innermost;
        status = fm_builder_node(b, &row, innermost, error);
    }
    return status;
}

static framemap_status add_positions(const struct crafted_index *what, struct fm_builder *b, uint32_t file,
                                     framemap_error *error)
{
    uint32_t scope, node;
    struct fm_place *places = calloc(what->alternatives, sizeof *places);
    if (places == NULL) return fm_error_memory(error);
    framemap_status status = fm_builder_scope(b, framemap_str_of(""), &scope, error);
    if (status == FRAMEMAP_OK) status = add_chain(what, b, file, &node, error);
    for (uint32_t i = 0; i < what->alternatives && status == FRAMEMAP_OK; i++)
        places[i] = (struct fm_place){node, file, i + 1, 0, FM_NONE, 0};
    for (unsigned i = 0; i < what->positions && status == FRAMEMAP_OK; i++)
        status = fm_builder_position(b, scope, BEGIN + (uint64_t)i * what->step, places, what->alternatives, error);
    if (status == FRAMEMAP_OK) status = fm_builder_end(b, scope, BEGIN + SIZE, error);
    free(places);
    return status;
}

framemap_status crafted_index_build(const struct crafted_index *what, framemap_bytes *out, framemap_error *error)
{
    struct fm_heap heap;
    struct fm_builder *b;
    struct fm_built built;
    uint32_t file;
    const struct fm_builder_about about = {.kind = framemap_str_of(what->kind),
                                           .id = framemap_str_of(what->id),
                                           .name = framemap_str_of("libapp.so"),
                                           .address_bits = 64};
    fm_heap_init(&heap, NULL, 0);
    framemap_status status = fm_builder_create(&heap, &b, error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_builder_about(b, &about, error);
    if (status == FRAMEMAP_OK) status = fm_builder_file(b, what->file, &file, error);
    if (status == FRAMEMAP_OK) status = add_positions(what, b, file, error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(b, &built, error);
    fm_builder_free(b);
    if (status == FRAMEMAP_OK) *out = (framemap_bytes){.data = built.data, .size = built.size};
    return status;
}
