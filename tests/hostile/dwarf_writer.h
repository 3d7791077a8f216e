/* Writing debug info of DWARF 4 for the shapes that are made to be slow: bytes, one table of abbreviations, units and
 * what is in them. */
#ifndef FM_TESTS_HOSTILE_DWARF_WRITER_H
#define FM_TESTS_HOSTILE_DWARF_WRITER_H

#include "fuzz/support/dwarf_make.h"

enum { SECTION_BASE = DWARF_TEXT_BASE };

/* Abbreviations of most shapes. */
enum made_code {
    UNIT = 1,     /* low, high, stmt_list */
    UNIT_RANGES,  /* ranges, stmt_list */
    UNIT_WEAK,    /* stmt_list */
    FUNCTION,     /* name, low, high; children */
    LEAF,         /* the same without */
    INLINED,      /* origin, low, high, call line */
    INLINED_DEEP, /* the same with children */
    SCATTERED,    /* origin, ranges */
    ABSTRACT,     /* name */
    LINK,         /* origin */
    INNER,        /* a block without code; children */
    INNER_NEXT,   /* the same with a sibling */
    CODES
};

/* The lowest bytes of a value at a section's end; width: 8 at most. */
void made_put(struct made_dwarf *made, unsigned which, uint64_t value, unsigned width);
/* With its zero. */
void made_put_text(struct made_dwarf *made, unsigned which, const char *text);
void made_put_uleb(struct made_dwarf *made, unsigned which, uint64_t value);
/* n times the same byte. */
void made_fill(struct made_dwarf *made, unsigned which, unsigned value, size_t n);
/* Bytes that a section has by now. */
size_t made_size_of(const struct made_dwarf *made, unsigned which);
/* Writes over four bytes. */
void made_set4(struct made_dwarf *made, unsigned which, size_t at, uint64_t value);
/* A length of four bytes, set by made_end_length; returns where what it counts begins. */
size_t made_begin_length(struct made_dwarf *made, unsigned which);
void made_end_length(struct made_dwarf *made, unsigned which, size_t from);
/* The header of a unit of DWARF 4; returns what made_end_unit wants. */
size_t made_begin_unit_of(struct made_dwarf *made, uint64_t abbrev_table);
/* A unit of all code. */
size_t made_begin_unit(struct made_dwarf *made);
void made_end_unit(struct made_dwarf *made, size_t from);
/* Attributes low and high; low: from the section's begin. */
void made_put_code(struct made_dwarf *made, uint64_t low, uint64_t size);
void made_put_function(struct made_dwarf *made, enum made_code code, uint64_t name, uint64_t low, uint64_t size);
void made_put_inlined(struct made_dwarf *made, enum made_code code, uint64_t origin, uint64_t low, uint64_t size,
                      uint64_t line);
/* These return where their entry is. */
uint64_t made_put_abstract(struct made_dwarf *made, uint64_t name);
uint64_t made_put_scattered(struct made_dwarf *made, uint64_t origin, uint64_t list);
/* A line program of n rows, one every 4 bytes, over and over. */
void made_put_lines(struct made_dwarf *made, size_t n);
/* A list of n ranges of one byte, three bytes apart. Returns where it is. */
uint64_t made_put_list(struct made_dwarf *made, size_t n);
/* Nothing but the table of abbreviations and the text "f". */
void made_begin_shape(struct made_dwarf *made);
/* A unit with one function, which has all code. */
void made_one_unit(struct made_dwarf *made);

#endif
