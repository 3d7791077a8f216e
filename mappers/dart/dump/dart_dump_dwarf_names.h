/* Returns names of DWARF 5 constants without their prefix (DW_TAG_, DW_AT_, DW_FORM_), as static strings. NULL: the
 * code is unknown. */
#ifndef FM_MAPPERS_DART_DUMP_DART_DUMP_DWARF_NAMES_H
#define FM_MAPPERS_DART_DUMP_DART_DUMP_DWARF_NAMES_H

#include <stddef.h>
#include <stdint.h>

const char *fm_dart_dump_tag(uint64_t code);
const char *fm_dart_dump_attribute(uint64_t code);
const char *fm_dart_dump_form(uint64_t code);

#endif
