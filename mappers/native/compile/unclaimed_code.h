/* Writes code and data that no unit of the debug info owns, from symbols alone. Called after all units were written. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNCLAIMED_CODE_H
#define FM_MAPPERS_NATIVE_COMPILE_UNCLAIMED_CODE_H

#include "mappers/native/compile/compile_job.h"

framemap_status fm_compile_write_symbols(struct fm_compile_job *job, framemap_error *error);

#endif
