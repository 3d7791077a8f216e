/* Writes a sorted unit to the records of a batch: nodes, rows and gaps, with symbols where the unit has no function.
 * Called by unit_worker.c, and by unclaimed_code.c for addresses without a unit. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_OUTPUT_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_OUTPUT_H

#include "mappers/native/compile/symbol_fallback.h"
#include "mappers/native/compile/unit_batch.h"
#include "mappers/native/compile/unit_model.h"

struct fm_unit_output {
    const struct fm_image *image;
    const struct fm_symbol_fallback *symbols;
    bool lines_in_functions; /* rows outside of functions are ignored */
    /* The current batch, and the last node in it that was made from a symbol alone. */
    struct fm_unit_batch *batch;
    uint32_t symbol_node, symbol_node_of;
};

/* Starts writing to another batch, which must be empty. */
void fm_unit_output_begin(struct fm_unit_output *output, struct fm_unit_batch *batch);

/* Writes what is known of the addresses [low, high): from the unit, or from symbols where the unit has nothing. model
 * NULL: writes symbols only. Errors: MEMORY, CORRUPT (code outside of all sections of a relocatable file). */
framemap_status fm_unit_output_interval(struct fm_unit_output *output, struct fm_unit_model *model, uint64_t low,
                                        uint64_t high, framemap_error *error);

/* Records that the debug info of [low, high) is in another file (split DWARF). Does nothing for a relocatable file,
 * which is looked up by section. Returns false when out of memory. */
bool fm_unit_output_split(struct fm_unit_output *output, framemap_str path, uint64_t low, uint64_t high);

/* Writes a segment of the data symbols. Returns false when out of memory. */
bool fm_unit_output_data(struct fm_unit_output *output, const struct fm_address_segment *segment);

#endif
