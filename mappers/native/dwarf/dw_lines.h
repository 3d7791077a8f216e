/* The headers of line number programs, versions 2 to 5 (DWARF 5 section 6.2), with their tables of files, which are
 * reported to a visitor. Both backends use this code: libdwarf 20210528 checks the tables of a header too late to be
 * used for them. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_LINES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_LINES_H

#include "core/text/buffer.h"
#include "mappers/native/dwarf/dw_units.h"

struct fm_dw_line_file {
    struct fm_dw_value name; /* resolved to a string only when the file is reported; most files of a table never are */
    /* number of the file's include directory, as the unit's version of DWARF counts directories */
    uint64_t folder;
    uint32_t announced; /* number given to the visitor, or FM_NONE */
};

/* What a special opcode adds to address and line if there is one operation per instruction (not VLIW). */
struct fm_dw_special {
    uint32_t addresses;
    int32_t lines;
};

/* Rows are reported in batches of this size. */
#define FM_DW_ROW_BATCH 256

/* The line table header of one unit. The memory is reused from unit to unit. */
struct fm_dw_lines {
    struct fm_heap *heap;
    const struct fm_dw_sections *sections;
    const struct fm_dw_visitor *visitor;
    const struct fm_dw_unit_data *unit;
    struct fm_dw_value *folders;
    struct fm_dw_line_file *files;
    size_t folder_count, folder_capacity, file_count, file_capacity;
    struct fm_buf path;
    uint32_t announced_count;
    /* Values from the header of the line number program: */
    uint16_t version;
    uint8_t offset_size, address_size, min_length, max_ops, line_range, opcode_base;
    bool default_is_stmt;
    int8_t line_base;
    uint8_t operand_counts[256];
    struct fm_byte_reader program;
    uint32_t specials_for; /* the header values that `specials` was computed for, packed; 0: not computed */
    struct fm_dw_special specials[256];
    struct fm_dw_row rows[FM_DW_ROW_BATCH];
};

/* Returns the size of the unit's line program in bytes, with its header; 0: the unit has no line program, or the
 * program's length is invalid. */
uint64_t fm_dw_lines_size(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit);

void fm_dw_lines_init(struct fm_dw_lines *lines, struct fm_heap *heap, const struct fm_dw_sections *sections,
                      const struct fm_dw_visitor *visitor);
void fm_dw_lines_free(struct fm_dw_lines *lines);

/* Reads the header of the unit's line program. A unit without a line program has no files. Errors: CORRUPT, LIMIT,
 * MEMORY. */
framemap_status fm_dw_lines_open(struct fm_dw_lines *lines, const struct fm_dw_unit_data *unit, framemap_error *error);

/* Reads the rest of a file's entry in the form of versions 2 to 4, and adds it to the table. false: out of memory. */
bool fm_dw_lines_add_file(struct fm_dw_lines *lines, struct fm_byte_reader *r, framemap_str name);
/* Sets an error about the unit's program; returns CORRUPT. */
framemap_status fm_dw_lines_fault(const struct fm_dw_lines *lines, framemap_error *error, const char *what);

/* Sets *out to the number by which the visitor knows a file of the table; a file is reported to the visitor when it is
 * first used. If the table has no such file, *out is FM_NONE. Returns false if the visitor stopped, or when out of
 * memory. */
bool fm_dw_lines_new_file(struct fm_dw_lines *lines, uint64_t number, uint32_t *out);
static inline bool fm_dw_lines_file(struct fm_dw_lines *lines, uint64_t number, uint32_t *out)
{
    const uint64_t at =
        number - (lines->version >= 5
                      ? 0
                      : 1); /* before DWARF 5, files count from 1, so file 0 wraps to a number greater than any count */

    if (at >= lines->file_count || lines->files[at].announced == UINT32_MAX)
        return fm_dw_lines_new_file(lines, number, out);
    *out = lines->files[at].announced;
    return true;
}

#endif
