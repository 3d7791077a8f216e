/* Segments to the builder: places, nodes with their roots' symbols, scopes, gaps. */
#ifndef FM_DW_OUTPUT_H
#define FM_DW_OUTPUT_H

#include "mappers/debuginfo/dw_symbols.h"
#include "mappers/debuginfo/dw_unit_model.h"

struct fm_dw_output {
    struct fm_builder *builder;
    const struct fm_image *image;
    const struct fm_dw_symbols *symbols;
    struct fm_heap *heap;
    framemap_error *error;
    uint32_t image_scope;             /* FM_NONE until it is needed */
    uint32_t *section_scopes;         /* relocatable files: scope of a section, + 1; 0 until it is needed */
    bool lines_in_functions;          /* lines outside of functions are left out */
    uint32_t symbol_node, symbol_node_of; /* the last node made of a symbol alone */
};

framemap_status fm_dw_output_init(struct fm_dw_output *output, const struct fm_image *image, const struct fm_dw_symbols *symbols,
                                  const struct fm_mapper_host *host, struct fm_builder *builder, framemap_error *error);
void fm_dw_output_free(struct fm_dw_output *output);

/* Writes what is known in [low, high): by the unit where it is given, by symbols where it says nothing. model NULL: symbols alone. */
framemap_status fm_dw_output_interval(struct fm_dw_output *output, struct fm_dw_unit_model *model, uint64_t low, uint64_t high);

/* Writes the data symbols. */
framemap_status fm_dw_output_data(struct fm_dw_output *output);

#endif
