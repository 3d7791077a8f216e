/* The mapper of Breakpad's symbol files (.sym). Listed in mapper_registry.c. */
#ifndef FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_MAPPER_H
#define FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_MAPPER_H

#include "mappers/mapper.h"

extern const struct fm_mapper fm_breakpad_mapper;

#endif
