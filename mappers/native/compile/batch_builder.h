/* Passes batches of unit records to the index builder, and creates the scopes that they belong to. Called in unit
 * order, by one thread at a time. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_BATCH_BUILDER_H
#define FM_MAPPERS_NATIVE_COMPILE_BATCH_BUILDER_H

#include "mappers/native/compile/compile_job.h"

framemap_status fm_compile_scope(struct fm_compile_job *job, uint32_t target, uint32_t *out);
framemap_status fm_compile_build(struct fm_compile_job *job, const struct fm_unit_batch *batch);
bool fm_compile_count_namesakes(struct fm_compile_job *job);

#endif
