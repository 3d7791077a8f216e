/* ELF and Mach-O files, with DWARF or with a symbol table alone. */
#ifndef FM_MAPPERS_NATIVE_NATIVE_MAPPER_H
#define FM_MAPPERS_NATIVE_NATIVE_MAPPER_H

#include "mappers/mapper.h"

#define FM_DWARF_NAME "dwarf"
#define FM_DWARF_SUMMARY "ELF and Mach-O files: DWARF debug info and symbol tables"

extern const struct fm_mapper fm_dwarf_mapper;

#endif
