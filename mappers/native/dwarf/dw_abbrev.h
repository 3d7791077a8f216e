/* Abbreviation tables (DWARF 5 section 7.5.3), compiled to what the iteration over entries needs for each: the
 * distance to the next entry, and whether this one is of interest. A table is compiled once and kept while its cache
 * has room. Each abbreviation takes 16 bytes; those of functions, whose attributes are decoded, 8 more for each
 * attribute. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ABBREV_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ABBREV_H

#include "core/hash/hash.h"
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_form.h"

enum fm_dw_shape_flags {
    FM_DW_SHAPE_KNOWN = 1u << 0, /* the table has an abbreviation with this code */
    FM_DW_SHAPE_FIXED = 1u << 1, /* its attributes take `size` bytes */
    FM_DW_SHAPE_CHILDREN = 1u << 2,
    FM_DW_SHAPE_FUNCTION = 1u << 3, /* subprogram or inlined subroutine that has code or can have code below it */
    FM_DW_SHAPE_CODE = 1u << 4,     /* has an address or a range list */
    FM_DW_SHAPE_JUMP = 1u << 5,     /* no code can be below it, and it has DW_AT_sibling */
    FM_DW_SHAPE_JUMP_C = 1u << 6,   /* the same in C compiled by GCC, where types contain no functions */
    FM_DW_SHAPE_PLAIN = 1u << 7     /* FM_DW_SHAPE_FIXED, and nothing else has to be done */
};

/* One abbreviation, compiled. */
struct fm_dw_shape {
    uint32_t specs; /* offset of its attribute specifications from the start of the table, in bytes */
    uint32_t size;  /* with FM_DW_SHAPE_FIXED the size of its attributes in bytes, else the index of its first step in
                       `steps` */
    uint16_t tag;
    uint16_t sibling; /* offset of DW_AT_sibling in the attributes, or FM_DW_NO_PLACE if that varies */
    uint16_t reads;   /* functions and inlined subroutines: index of its first element in `reads`, or FM_DW_NO_READS */
    uint8_t sibling_width;
    uint8_t flags; /* of fm_dw_shape_flags */
};
#define FM_DW_NO_PLACE UINT16_MAX
#define FM_DW_NO_READS UINT16_MAX

/* Meaning of an attribute of a function. */
enum fm_dw_field {
    FM_DW_FIELD_NONE, /* not used */
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
    int32_t number; /* width 0: the value itself. FM_DW_READ_SKIP: bytes to skip */
    uint8_t width;  /* up to 8: bytes of the value; FM_DW_READ_THREE: 3 bytes; else FM_DW_WIDTH_… or FM_DW_READ_… */
    uint8_t class;  /* enum fm_dw_class */
    uint8_t form;
    uint8_t field; /* enum fm_dw_field */
};
enum { FM_DW_READ_SKIP = 64, FM_DW_READ_THREE, FM_DW_READ_END };

/* How to skip attributes without a fixed total size: a program of steps, each followed by its operand if it has one. */
enum fm_dw_step {
    FM_DW_STEP_END,
    FM_DW_STEP_BYTES,   /* operand: number of bytes */
    FM_DW_STEP_SIBLING, /* operand: number of bytes, which are DW_AT_sibling */
    FM_DW_STEP_LEB,
    FM_DW_STEP_TEXT,
    FM_DW_STEP_BLOCK, /* operand: size of the length that precedes the block, in bytes */
    FM_DW_STEP_BLOCK_LEB,
    FM_DW_STEP_INDIRECT,
    FM_DW_STEP_UNKNOWN
};

struct fm_dw_abbrev_table {
    uint64_t key;                     /* of what it was compiled for: offset and encoding */
    uint64_t offset;                  /* in .debug_abbrev */
    uint64_t size;                    /* of the table in bytes */
    const struct fm_dw_shape *shapes; /* indexed by code, which must be less than limit */
    uint64_t limit;
    const uint8_t *steps;
    const struct fm_dw_read *reads;
    const struct fm_dw_form *forms; /* of forms less than FM_DW_FORM_COUNT, in this encoding */
    bool has_functions;
    const char *broken; /* why the table cannot be used; NULL if it is sound */
};

/* The tables that one worker has compiled, by offset. One thread. */
struct fm_dw_abbrevs {
    const struct fm_dw_sections *sections;
    /* Offsets of the tables that units refer to, ascending. The bytes between two of them belong to about one table.
     * NULL: not known. */
    const uint64_t *begins;
    size_t begin_count;
    struct fm_arena arena;
    struct fm_table found;
    struct fm_dw_abbrev_table **tables;
    size_t count, capacity;
    /* Working memory for compiling a table. */
    struct fm_dw_shape *shapes;
    uint64_t *codes;
    size_t shape_count, shape_capacity, code_capacity;
    uint8_t *steps;
    size_t step_count, step_capacity;
    struct fm_dw_read *reads;
    size_t read_count, read_capacity;
    struct fm_dw_form forms[8][FM_DW_FORM_COUNT]; /* by kind of encoding; all zero: not filled yet */
};

void fm_dw_abbrevs_init(struct fm_dw_abbrevs *abbrevs, struct fm_heap *heap, const struct fm_dw_sections *sections);
void fm_dw_abbrevs_free(struct fm_dw_abbrevs *abbrevs);

/* Frees all tables if they take much memory. Results of fm_dw_abbrevs_at are then no longer valid. */
void fm_dw_abbrevs_trim(struct fm_dw_abbrevs *abbrevs);

/* The table at an offset for units of an encoding; compiled at first use. Returns NULL when out of memory. A damaged
 * table is not an error here: it is returned with `broken` set. */
const struct fm_dw_abbrev_table *fm_dw_abbrevs_at(struct fm_dw_abbrevs *abbrevs, uint64_t offset,
                                                  const struct fm_dw_encoding *encoding);

static inline const struct fm_dw_shape *fm_dw_shape_find(const struct fm_dw_abbrev_table *table, uint64_t code)
{
    return code < table->limit && (table->shapes[code].flags & FM_DW_SHAPE_KNOWN) != 0 ? &table->shapes[code] : NULL;
}

/* One abbreviation, read by its code without compiling the table. Used while a file is opened. */
struct fm_dw_abbrev {
    uint16_t tag;
    bool children;
    struct fm_byte_reader specs; /* reads the section, starting at its attribute specifications, which were checked */
};
/* Finds an abbreviation. Returns NULL and fills *out, or returns why it cannot be read. *scanned: bytes of the table
 * that were read. */
const char *fm_dw_abbrev_find(const struct fm_dw_sections *sections, uint64_t offset, uint64_t code,
                              struct fm_dw_abbrev *out, uint64_t *scanned);

/* Reads the next attribute specification, which was checked. Returns false at the end of the list. */
static inline bool fm_dw_spec_next(struct fm_byte_reader *specs, struct fm_dw_spec *out)
{
    out->attribute = (uint16_t)fm_read_uleb(specs);
    out->form = (uint16_t)fm_read_uleb(specs);
    out->implicit = out->form == DW_FORM_implicit_const ? fm_read_sleb(specs) : 0;
    return out->attribute != 0;
}

#endif
