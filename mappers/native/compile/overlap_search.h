/* Collects, with several threads, what units have at addresses that more than one unit claims. unit_overlaps.c calls it
 * through a callback. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_OVERLAP_SEARCH_H
#define FM_MAPPERS_NATIVE_COMPILE_OVERLAP_SEARCH_H

#include "mappers/native/compile/compile_job.h"

bool fm_compile_collect_evidence(void *context, enum fm_unit_evidence_kind kind, const uint32_t *units, size_t count,
                                 struct fm_unit_overlaps *overlaps);

#endif
