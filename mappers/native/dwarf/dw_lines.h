/* Line programs, versions 2 to 5 (DWARF 5 section 6.2). */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_LINES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_LINES_H

#include "core/text/buffer.h"
#include "mappers/native/dwarf/dw_units.h"

struct fm_dw_line_file {
    struct fm_dw_value name; /* made a string when the file is announced: most files of a table never are */
    uint64_t folder;         /* number of its include folder, as the version counts them */
    uint32_t announced;      /* number given to the visitor; FM_NONE: not yet */
};

/* What a special opcode adds where instructions are not bundled. */
struct fm_dw_special {
    uint32_t addresses;
    int32_t lines;
};

/* Rows are told in batches of so many. */
#define FM_DW_ROW_BATCH 256

/* The line table header of one unit, and memory that is reused from unit to unit. */
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
    /* Of the header. */
    uint16_t version;
    uint8_t offset_size, address_size, min_length, max_ops, line_range, opcode_base;
    bool default_is_stmt;
    int8_t line_base;
    uint8_t operand_counts[256];
    struct fm_byte_reader program;
    uint32_t specials_for; /* the header's numbers that the table below was made for; 0: none */
    struct fm_dw_special specials[256];
    struct fm_dw_row rows[FM_DW_ROW_BATCH];
};

/* Bytes of the unit's line program, its header included; 0: it has none, or its length can't be believed. */
uint64_t fm_dw_lines_size(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit);

void fm_dw_lines_init(struct fm_dw_lines *lines, struct fm_heap *heap, const struct fm_dw_sections *sections,
                      const struct fm_dw_visitor *visitor);
void fm_dw_lines_free(struct fm_dw_lines *lines);

/* Reads the header of the unit's line program; a unit without one has no files. Errors: CORRUPT, LIMIT, MEMORY. */
framemap_status fm_dw_lines_open(struct fm_dw_lines *lines, const struct fm_dw_unit_data *unit, framemap_error *error);

/* Runs the program: each row of the table is told to `rows`, as a visitor's, in batches; so files can be announced
 * before rows that came earlier are told. Errors: CORRUPT (rows before the fault were told), MEMORY (or `rows` stopped
 * it). */
framemap_status fm_dw_lines_run(struct fm_dw_lines *lines,
                                bool (*rows)(void *context, const struct fm_dw_row *rows, size_t count), void *context,
                                framemap_error *error);

/* The visitor's number of a file of the table, announced to it at first use; FM_NONE in *out: no such file. false: the
 * visitor stopped, or out of memory. */
bool fm_dw_lines_new_file(struct fm_dw_lines *lines, uint64_t number, uint32_t *out);
static inline bool fm_dw_lines_file(struct fm_dw_lines *lines, uint64_t number, uint32_t *out)
{
    const uint64_t at =
        number -
        (lines->version >= 5 ? 0 : 1); /* of files that are counted from 1 there is no 0: it is far behind the last */

    if (at >= lines->file_count || lines->files[at].announced == UINT32_MAX)
        return fm_dw_lines_new_file(lines, number, out);
    *out = lines->files[at].announced;
    return true;
}

#endif
