/* The mapper of lists of a kernel's symbols: /proc/kallsyms, System.map, and what nm prints. Listed in
 * mapper_registry.c. */
#ifndef FM_MAPPERS_NATIVE_KALLSYMS_MAPPER_H
#define FM_MAPPERS_NATIVE_KALLSYMS_MAPPER_H

#include "mappers/mapper.h"

#define FM_KALLSYMS_NAME "kallsyms"

extern const struct fm_mapper fm_kallsyms_mapper;

#endif
