/* Runs line number programs (DWARF 5 section 6.2.5). Used by both backends: libdwarf 20210528 allocates memory for each
 * row. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_LINE_PROGRAM_H
#define FM_MAPPERS_NATIVE_DWARF_DW_LINE_PROGRAM_H

#include "mappers/native/dwarf/dw_lines.h"

/* Runs the program of an opened header and passes the rows to `rows` in batches. A file may be reported earlier than
 * necessary, before rows that do not refer to it. Errors: CORRUPT (rows before the fault have been reported), MEMORY
 * (or `rows` returned false). */
framemap_status fm_dw_lines_run(struct fm_dw_lines *lines,
                                bool (*rows)(void *context, const struct fm_dw_row *rows, size_t count), void *context,
                                framemap_error *error);

#endif
