/* Abbreviation tables (DWARF 5 section 7.5.3), compiled to what a walk over entries does at each: how far the next
 * entry is, and whether this one matters. A table of entries is compiled once and kept for as long as its cache has
 * room: 16 bytes an abbreviation, and for those of functions, whose entries are read, 8 more for each attribute, and
 * for those of inlined ones 100 more. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ABBREV_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ABBREV_H

#include "core/hash/hash.h"
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_form.h"

enum fm_dw_shape_flags {
    FM_DW_SHAPE_KNOWN = 1u << 0, /* the table has an abbreviation of this code */
    FM_DW_SHAPE_FIXED = 1u << 1, /* its attributes take `size` bytes */
    FM_DW_SHAPE_CHILDREN = 1u << 2,
    FM_DW_SHAPE_FUNCTION = 1u << 3, /* subprogram or inlined subroutine that has code, or may have code below it */
    FM_DW_SHAPE_CODE = 1u << 4,     /* has an address or a range list */
    FM_DW_SHAPE_JUMP = 1u << 5,     /* no code can be below it, and it says where its sibling is */
    FM_DW_SHAPE_JUMP_C = 1u << 6,   /* the same in what GCC writes of C, where types hold no functions */
    FM_DW_SHAPE_PLAIN = 1u << 7     /* FIXED, and nothing else to be done */
};

/* One abbreviation. */
struct fm_dw_shape {
    uint32_t specs; /* where its attributes and forms stand in the section, counted from the table's first byte */
    uint32_t size;  /* FIXED: bytes of its attributes. Else: where in the table's steps the way past them starts */
    uint16_t tag;
    uint16_t
        sibling;    /* where among the attribute bytes the sibling's offset stands; FM_DW_NO_PLACE: at no fixed place */
    uint16_t reads; /* functions and inlined subroutines: where in the table's reads theirs start; FM_DW_NO_READS: there
                       are none */
    uint8_t sibling_width;
    uint8_t flags; /* of fm_dw_shape_flags */
};
#define FM_DW_NO_PLACE UINT16_MAX
#define FM_DW_NO_READS UINT16_MAX

/* What an attribute says of a function. */
enum fm_dw_field {
    FM_DW_FIELD_NONE, /* nothing that is wanted */
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

/* One attribute of a function as it is read without a look into the section of abbreviations; unwanted ones of fixed
 * size are one. */
struct fm_dw_read {
    int32_t number; /* width 0: the value. FM_DW_READ_SKIP: how many bytes. */
    uint8_t width;  /* up to 8: bytes of the value, FM_DW_READ_THREE: 3. Else FM_DW_WIDTH_… or FM_DW_READ_… */
    uint8_t class;  /* enum fm_dw_class */
    uint8_t form;
    uint8_t field; /* enum fm_dw_field */
};
enum { FM_DW_READ_SKIP = 64, FM_DW_READ_THREE, FM_DW_READ_END };

/* The way past attributes that have no fixed size: a step, its operand where it has one. */
enum fm_dw_step {
    FM_DW_STEP_END,
    FM_DW_STEP_BYTES,   /* operand: how many */
    FM_DW_STEP_SIBLING, /* operand: how many; they are the sibling's offset */
    FM_DW_STEP_LEB,
    FM_DW_STEP_TEXT,
    FM_DW_STEP_BLOCK, /* operand: bytes of the length before it */
    FM_DW_STEP_BLOCK_LEB,
    FM_DW_STEP_INDIRECT,
    FM_DW_STEP_UNKNOWN
};

struct fm_dw_abbrev_table {
    uint64_t key;                     /* of what it was compiled for: offset and encoding */
    uint64_t offset;                  /* in .debug_abbrev */
    uint64_t size;                    /* bytes of it */
    const struct fm_dw_shape *shapes; /* that of code c at [c]; limit of them */
    uint64_t limit;
    const uint8_t *steps;
    const struct fm_dw_read *reads;
    const struct fm_dw_form *forms; /* those below FM_DW_FORM_COUNT, in this encoding */
    bool has_functions;
    const char *broken; /* why the table can't be used; NULL: it is sound */
};

/* The tables that one worker has compiled, found by offset. One thread. */
struct fm_dw_abbrevs {
    const struct fm_dw_sections *sections;
    /* Where tables begin that units name, rising: what lies between two of them is one table's, more or less. NULL: not
     * known. */
    const uint64_t *begins;
    size_t begin_count;
    struct fm_arena arena;
    struct fm_table found;
    struct fm_dw_abbrev_table **tables;
    size_t count, capacity;
    /* While a table is compiled. */
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

/* Forgets all tables when they take much memory. What fm_dw_abbrevs_at gave before is then gone. */
void fm_dw_abbrevs_trim(struct fm_dw_abbrevs *abbrevs);

/* The table at an offset for units of an encoding, compiled at first need; NULL: out of memory. It may be broken, which
 * is no error here. */
const struct fm_dw_abbrev_table *fm_dw_abbrevs_at(struct fm_dw_abbrevs *abbrevs, uint64_t offset,
                                                  const struct fm_dw_encoding *encoding);

static inline const struct fm_dw_shape *fm_dw_shape_find(const struct fm_dw_abbrev_table *table, uint64_t code)
{
    return code < table->limit && (table->shapes[code].flags & FM_DW_SHAPE_KNOWN) != 0 ? &table->shapes[code] : NULL;
}

/* One abbreviation by its code, without the rest of the table: all that opening a file needs. */
struct fm_dw_abbrev {
    uint16_t tag;
    bool children;
    struct fm_byte_reader specs; /* over the section, at its attributes, which are sound */
};
/* Why it can't be had; NULL: *out is filled. *scanned: bytes of the table that were read. */
const char *fm_dw_abbrev_find(const struct fm_dw_sections *sections, uint64_t offset, uint64_t code,
                              struct fm_dw_abbrev *out, uint64_t *scanned);

/* The next attribute of an abbreviation that was found sound; false: there is none. */
static inline bool fm_dw_spec_next(struct fm_byte_reader *specs, struct fm_dw_spec *out)
{
    out->attribute = (uint16_t)fm_read_uleb(specs);
    out->form = (uint16_t)fm_read_uleb(specs);
    out->implicit = out->form == DW_FORM_implicit_const ? fm_read_sleb(specs) : 0;
    return out->attribute != 0;
}

#endif
