/* Attribute values: measures and reads every form of DWARF 2 to 5 and of the GNU extensions, with all bounds checked.
 */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_FORM_H
#define FM_MAPPERS_NATIVE_DWARF_DW_FORM_H

#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_sections.h"

/* The specification of one attribute in an abbreviation. */
struct fm_dw_spec {
    uint16_t attribute, form;
    int64_t implicit; /* value of an attribute of form DW_FORM_implicit_const */
};

/* Properties of a unit that are needed to read its values, from its header and its first entry. */
struct fm_dw_encoding {
    uint16_t version;
    uint8_t address_size; /* size of an address in bytes: 2, 4 or 8 */
    uint8_t offset_size;  /* size of an offset in bytes: 4 or 8 */
    bool has_addr_base;
    uint64_t str_offsets_base, addr_base, rnglists_base;
    uint64_t low_pc; /* the unit's low pc, which is the base of its range lists; 0 if it has none */
    /* Where the sections of the unit's file start in the joined sections (dw_units.h); 0 if no files were joined. The
     * start for range lists is that of .debug_ranges (DWARF 2 to 4) or .debug_rnglists (DWARF 5). */
    uint64_t info_start, str_start, line_str_start, lists_start;
    /* the file's supplementary file was joined; then the next two members are where its .debug_info and .debug_str
     * start */
    bool has_alternate;
    uint64_t alternate_info, alternate_str;
};

/* Size of a form in one encoding. A width up to 16 is the number of bytes of each value. Larger widths are these
 * constants. */
enum {
    FM_DW_WIDTH_ULEB = 32,
    FM_DW_WIDTH_SLEB,
    FM_DW_WIDTH_TEXT,
    FM_DW_WIDTH_BLOCK1,
    FM_DW_WIDTH_BLOCK2,
    FM_DW_WIDTH_BLOCK4,
    FM_DW_WIDTH_BLOCK_LEB,
    FM_DW_WIDTH_INDIRECT,
    FM_DW_WIDTH_UNKNOWN
};
struct fm_dw_form {
    uint8_t class; /* enum fm_dw_class; FM_DW_NONE for DW_FORM_indirect and unknown forms */
    uint8_t width;
};
struct fm_dw_form fm_dw_form_of(uint16_t form, const struct fm_dw_encoding *encoding);

/* Forms below this number have an entry in tables of forms. */
#define FM_DW_FORM_COUNT 0x2d

enum fm_dw_class {
    FM_DW_NONE,   /* a block, a signature, or anything else without a simple value */
    FM_DW_NUMBER, /* constants, flags, offsets into other sections */
    FM_DW_ADDRESS,
    FM_DW_ADDRESS_INDEX,
    FM_DW_TEXT, /* inline string, in `text` */
    FM_DW_STR_OFFSET,
    FM_DW_LINE_STR_OFFSET,
    FM_DW_STRING_INDEX,
    FM_DW_UNIT_REF, /* offset of an entry from the unit's first byte */
    FM_DW_INFO_REF, /* offset of an entry in .debug_info */
    FM_DW_LIST_INDEX,
    FM_DW_ALTERNATE_STR, /* offset in .debug_str of the supplementary file */
    FM_DW_ALTERNATE_REF  /* offset in .debug_info of the supplementary file */
};

struct fm_dw_value {
    enum fm_dw_class class;
    uint16_t form; /* the form; if the abbreviation has DW_FORM_indirect, the form that precedes the value */
    uint64_t number;
    framemap_str text;
};

static inline bool fm_dw_form_is_three(uint16_t form) { return form == DW_FORM_strx3 || form == DW_FORM_addrx3; }

/* Reads the value of one attribute and advances past it. Returns false if the form is unknown or the value extends
 * past the end of the reader. */
bool fm_dw_form_read(struct fm_byte_reader *r, const struct fm_dw_encoding *encoding, const struct fm_dw_spec *spec,
                     struct fm_dw_value *out);

/* Returns the string of a value, borrowed from the sections. Absent if the value is not a string or its offset is
 * invalid. */
framemap_str fm_dw_value_string(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                                const struct fm_dw_value *value);
framemap_str fm_dw_string_index(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                                uint64_t index);

/* Returns the address of a value, looked up in .debug_addr if it is an index. Returns false if the value is not an
 * address or its index is invalid. */
bool fm_dw_value_address(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                         const struct fm_dw_value *value, uint64_t *out);
bool fm_dw_address_index(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding, uint64_t index,
                         uint64_t *out);

#endif
