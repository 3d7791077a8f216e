/* Collects the index records of some functions, and passes them to the builder together. Names of files and of inlined
 * functions are added when they are first used in a batch. Used by breakpad_compile.c. */
#ifndef FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_BATCH_H
#define FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_BATCH_H

#include "mappers/native/breakpad/breakpad_reader.h"
#include "mappers/native/compile/unit_batch.h"

struct fm_breakpad_batch {
    struct fm_breakpad_records *records;
    struct fm_builder *builder;
    uint32_t scope, number; /* number: of the current batch, counted from 0 */
    struct fm_unit_batch unit;
};

void fm_breakpad_batch_init(struct fm_breakpad_batch *batch, struct fm_breakpad_records *records,
                            struct fm_builder *builder, uint32_t scope);
void fm_breakpad_batch_free(struct fm_breakpad_batch *batch);
/* Passes the records to the builder if they are many, or if `all` is set. Numbers of records are then void. */
framemap_status fm_breakpad_batch_pass(struct fm_breakpad_batch *batch, bool all, framemap_error *error);

/* The functions below return false when out of memory; *out is the number of the record in the batch. */

/* Adds the root of a function or of a symbol. */
bool fm_breakpad_batch_root(struct fm_breakpad_batch *batch, const struct fm_breakpad_function *function, uint64_t size,
                            uint32_t *out);
/* Adds another name of a root. */
bool fm_breakpad_batch_alias(struct fm_breakpad_batch *batch, uint32_t root, framemap_str name);
/* Adds the node of an inlined call in another node. */
bool fm_breakpad_batch_call(struct fm_breakpad_batch *batch, uint32_t parent, const struct fm_breakpad_call *call,
                            uint32_t *out);
/* Adds the file of an id; FM_NONE if the file has no name. id: FM_NONE is allowed. */
bool fm_breakpad_batch_file(struct fm_breakpad_batch *batch, uint32_t id, uint32_t *out);

#endif
