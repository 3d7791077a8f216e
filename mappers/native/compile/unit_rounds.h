/* Reads all units with several threads, in rounds. The first round reads the units that own addresses. If a unit
 * turns out to be damaged, its output is discarded, and the next round reads the units that own its addresses then,
 * for just those addresses. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_ROUNDS_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_ROUNDS_H

#include "mappers/native/compile/compile_job.h"

framemap_status fm_compile_walk_units(struct fm_compile_job *job, framemap_error *error);

#endif
