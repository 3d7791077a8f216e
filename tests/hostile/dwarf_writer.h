/* Writes DWARF 4 debug info for the shapes in dwarf_shapes.c: bytes, one abbreviation table, units and their entries.
 */
#ifndef FM_TESTS_HOSTILE_DWARF_WRITER_H
#define FM_TESTS_HOSTILE_DWARF_WRITER_H

#include "fuzz/support/dwarf_make.h"

enum { SECTION_BASE = DWARF_TEXT_BASE };

/* Abbreviations that most shapes use; the comments list their attributes. */
enum made_code {
    UNIT = 1,     /* attributes: DW_AT_low_pc, DW_AT_high_pc, DW_AT_stmt_list */
    UNIT_RANGES,  /* attributes: DW_AT_ranges, DW_AT_stmt_list */
    UNIT_WEAK,    /* attribute: DW_AT_stmt_list */
    FUNCTION,     /* attributes: DW_AT_name, DW_AT_low_pc, DW_AT_high_pc; has children */
    LEAF,         /* attributes: those of FUNCTION; has no children */
    INLINED,      /* attributes: DW_AT_abstract_origin, DW_AT_low_pc, DW_AT_high_pc, DW_AT_call_line */
    INLINED_DEEP, /* attributes: those of INLINED; has children */
    SCATTERED,    /* attributes: DW_AT_abstract_origin, DW_AT_ranges */
    ABSTRACT,     /* attribute: DW_AT_name */
    LINK,         /* attribute: DW_AT_abstract_origin */
    INNER,        /* lexical block without addresses; has children */
    INNER_NEXT,   /* lexical block with DW_AT_sibling; has children */
    CODES
};

/* Appends the lowest `width` bytes of a value to a section; width: at most 8. */
void made_put(struct made_dwarf *made, unsigned which, uint64_t value, unsigned width);
/* Appends a string and its NUL. */
void made_put_text(struct made_dwarf *made, unsigned which, const char *text);
void made_put_uleb(struct made_dwarf *made, unsigned which, uint64_t value);
/* Appends the same byte n times. */
void made_fill(struct made_dwarf *made, unsigned which, unsigned value, size_t n);
/* Returns the current size of a section. */
size_t made_size_of(const struct made_dwarf *made, unsigned which);
/* Overwrites the four bytes at offset `at` of a section. */
void made_set4(struct made_dwarf *made, unsigned which, size_t at, uint64_t value);
/* Reserves the four bytes of a length, which made_end_length fills in. Returns the offset after them, where the
 * counted bytes start. */
size_t made_begin_length(struct made_dwarf *made, unsigned which);
void made_end_length(struct made_dwarf *made, unsigned which, size_t from);
/* Writes the header of a DWARF 4 unit. Returns the value that made_end_unit needs. */
size_t made_begin_unit_of(struct made_dwarf *made, uint64_t abbrev_table);
/* Begins a unit that covers all code. */
size_t made_begin_unit(struct made_dwarf *made);
void made_end_unit(struct made_dwarf *made, size_t from);
/* Writes the two attributes of a code range, DW_AT_low_pc and DW_AT_high_pc. low: relative to the start of the
 * section. */
void made_put_code(struct made_dwarf *made, uint64_t low, uint64_t size);
void made_put_function(struct made_dwarf *made, enum made_code code, uint64_t name, uint64_t low, uint64_t size);
void made_put_inlined(struct made_dwarf *made, enum made_code code, uint64_t origin, uint64_t low, uint64_t size,
                      uint64_t line);
/* The next two functions return the offset of the entry that they write. */
uint64_t made_put_abstract(struct made_dwarf *made, uint64_t name);
uint64_t made_put_scattered(struct made_dwarf *made, uint64_t origin, uint64_t list);
/* Writes a line program with n rows, 4 bytes apart; after the row at the end of the code, the addresses start again at
 * the start of the code. */
void made_put_lines(struct made_dwarf *made, size_t n);
/* Writes a list of n ranges of one byte, three bytes apart. Returns its offset. */
uint64_t made_put_list(struct made_dwarf *made, size_t n);
/* Writes only the abbreviation table and the string "f". */
void made_begin_shape(struct made_dwarf *made);
/* Writes a unit with one function, which covers all code. */
void made_one_unit(struct made_dwarf *made);

#endif
