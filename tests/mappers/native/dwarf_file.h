/* Writes debug sections as an object file. */
#ifndef FM_TESTS_MAPPERS_NATIVE_DWARF_FILE_H
#define FM_TESTS_MAPPERS_NATIVE_DWARF_FILE_H

#include "fuzz/support/dwarf_make.h"

/* Returns an ELF executable with the given sections, whose code is at DWARF_TEXT_BASE. The caller frees it with
 * free(); *size is its size in bytes. */
unsigned char *dwarf_file_of(const struct made_dwarf *made, size_t *size);

#endif
