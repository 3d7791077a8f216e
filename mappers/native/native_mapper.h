/* The mapper of native programs: ELF and Mach-O files with DWARF or only a symbol table. Listed in mapper_registry.c.
 */
#ifndef FM_MAPPERS_NATIVE_NATIVE_MAPPER_H
#define FM_MAPPERS_NATIVE_NATIVE_MAPPER_H

#include "mappers/mapper.h"

extern const struct fm_mapper fm_dwarf_mapper;

#endif
