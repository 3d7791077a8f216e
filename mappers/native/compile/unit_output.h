/* A settled unit, and the symbols where it says nothing, to the records of a batch: nodes with their roots' symbols,
 * places, gaps. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_OUTPUT_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_OUTPUT_H

#include "mappers/native/compile/symbol_fallback.h"
#include "mappers/native/compile/unit_batch.h"
#include "mappers/native/compile/unit_model.h"

struct fm_unit_output {
    const struct fm_image *image;
    const struct fm_symbol_fallback *symbols;
    bool lines_in_functions; /* lines outside of functions are left out */
    /* Where to, and the last node there that was made of a symbol alone. */
    struct fm_unit_batch *batch;
    uint32_t symbol_node, symbol_node_of;
};

/* Begins another batch, which is empty. */
void fm_unit_output_begin(struct fm_unit_output *output, struct fm_unit_batch *batch);

/* Writes what is known in [low, high): by the unit where it is given, by symbols where it says nothing. model NULL:
 * symbols alone. Errors: MEMORY, CORRUPT (code outside of all sections of a relocatable file). */
framemap_status fm_unit_output_interval(struct fm_unit_output *output, struct fm_unit_model *model, uint64_t low,
                                        uint64_t high, framemap_error *error);

/* Notes that the debug info of [low, high) is in another file. A relocatable file is looked up by its sections, and
 * nothing is noted. false: out of memory. */
bool fm_unit_output_split(struct fm_unit_output *output, framemap_str path, uint64_t low, uint64_t high);

/* Writes a segment of the data symbols. false: out of memory. */
bool fm_unit_output_data(struct fm_unit_output *output, const struct fm_address_segment *segment);

#endif
