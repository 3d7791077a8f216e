/* Compiles each abbreviation to what the iteration over entries needs. Called by dw_abbrev.c for each table;
 * dw_abbrev.c finds the tables, limits their size and keeps them. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_SHAPE_H
#define FM_MAPPERS_NATIVE_DWARF_DW_SHAPE_H

#include "core/heap.h"
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_form.h"

enum fm_dw_shape_flags {
    FM_DW_SHAPE_KNOWN = 1u << 0, /* the table has an abbreviation with this code */
    FM_DW_SHAPE_FIXED = 1u << 1, /* the entry's attributes take `size` bytes */
    FM_DW_SHAPE_CHILDREN = 1u << 2,
    FM_DW_SHAPE_FUNCTION = 1u << 3, /* subprogram or inlined subroutine that has code or can have code below it */
    FM_DW_SHAPE_CODE = 1u << 4,     /* the entry has an address or a range list */
    FM_DW_SHAPE_JUMP = 1u << 5,     /* no code can be below the entry, which has DW_AT_sibling */
    FM_DW_SHAPE_JUMP_C = 1u << 6,   /* same as FM_DW_SHAPE_JUMP, but only in units of C from GCC, where types contain no
                                       functions */
    FM_DW_SHAPE_PLAIN = 1u << 7     /* the entry has FM_DW_SHAPE_FIXED, and nothing has to be done but to skip its
                                       attributes */
};

/* An abbreviation, compiled to what the reader needs: which attributes it has to read, and how many bytes it skips. */
struct fm_dw_shape {
    uint32_t specs; /* offset of the attribute specifications from the start of the table, in bytes */
    /* size of the attributes in bytes if FM_DW_SHAPE_FIXED is set, else the index of the first step in `steps` */
    uint32_t size;
    uint16_t tag;
    uint16_t sibling; /* offset of DW_AT_sibling in the attributes, or FM_DW_NO_PLACE if that varies */
    /* for functions and inlined subroutines: index in `reads` of the first element of this abbreviation; else
     * FM_DW_NO_READS */
    uint16_t reads;
    uint8_t sibling_width;
    uint8_t flags; /* bits of fm_dw_shape_flags */
};
#define FM_DW_NO_PLACE UINT16_MAX
#define FM_DW_NO_READS UINT16_MAX

/* Meaning of an attribute of a function. */
enum fm_dw_field {
    FM_DW_FIELD_NONE, /* the attribute is not used */
    FM_DW_FIELD_NAME,
    FM_DW_FIELD_LINKAGE_NAME,
    FM_DW_FIELD_LOW,
    FM_DW_FIELD_HIGH,
    FM_DW_FIELD_RANGES,
    FM_DW_FIELD_DECL_FILE,
    FM_DW_FIELD_DECL_LINE,
    FM_DW_FIELD_CALL_FILE,
    FM_DW_FIELD_CALL_LINE,
    FM_DW_FIELD_CALL_COLUMN,
    FM_DW_FIELD_ARTIFICIAL,
    FM_DW_FIELD_ORIGIN,
    FM_DW_FIELD_SPECIFICATION
};
enum fm_dw_field fm_dw_field_of(uint64_t attribute);

/* How to decode one attribute of a function without the abbreviation section. Consecutive unused attributes of fixed
 * size are one element. */
struct fm_dw_read {
    /* the value itself if the width is 0; the number of bytes to skip if the width is FM_DW_READ_SKIP */
    int32_t number;
    uint8_t width; /* up to 8: number of bytes of the value; FM_DW_READ_THREE: 3 bytes; other values: FM_DW_WIDTH_… or
                      FM_DW_READ_… */
    uint8_t class; /* enum fm_dw_class */
    uint8_t form;
    uint8_t field; /* enum fm_dw_field */
};
enum { FM_DW_READ_SKIP = 64, FM_DW_READ_THREE, FM_DW_READ_END };

/* How to skip attributes whose total size is not fixed: a program of steps. The operand of a step, if it has one,
 * follows the step. */
enum fm_dw_step {
    FM_DW_STEP_END,
    FM_DW_STEP_BYTES,   /* operand: number of bytes */
    FM_DW_STEP_SIBLING, /* operand: number of bytes of the value of DW_AT_sibling */
    FM_DW_STEP_LEB,
    FM_DW_STEP_TEXT,
    FM_DW_STEP_BLOCK, /* operand: size of the length that precedes the block, in bytes */
    FM_DW_STEP_BLOCK_LEB,
    FM_DW_STEP_INDIRECT,
    FM_DW_STEP_UNKNOWN
};

/* The abbreviations of one table, in the order of the section, with the steps and reads that they refer to. The memory
 * is reused from table to table. */
struct fm_dw_shapes {
    struct fm_dw_shape *shapes;
    uint64_t *codes; /* code of each shape */
    size_t shape_count, shape_capacity, code_capacity;
    uint8_t *steps;
    size_t step_count, step_capacity;
    struct fm_dw_read *reads;
    size_t read_count, read_capacity;
    uint64_t highest; /* highest code of the table */
};

/* Compiles the abbreviations from the start of a table to its end, or to where it is damaged (scan->broken). heap: for
 * the working memory. forms: as in struct fm_dw_abbrev_table. Returns false when out of memory. */
struct fm_dw_abbrev_scan;
bool fm_dw_shapes_compile(struct fm_dw_shapes *shapes, struct fm_heap *heap, const struct fm_dw_encoding *encoding,
                          const struct fm_dw_form *forms, struct fm_dw_abbrev_scan *scan);
void fm_dw_shapes_free(struct fm_dw_shapes *shapes, struct fm_heap *heap);

#endif
