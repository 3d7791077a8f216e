/* Attribute values: every form of DWARF 2 to 5 and of GNU's extensions, measured and read with all bounds checked. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_FORM_H
#define FM_MAPPERS_NATIVE_DWARF_DW_FORM_H

#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_sections.h"

/* One attribute of an abbreviation. */
struct fm_dw_spec {
    uint16_t attribute, form;
    int64_t implicit; /* DW_FORM_implicit_const */
};

/* What a unit's header and its first entry say of how to read the rest of it. */
struct fm_dw_encoding {
    uint16_t version;
    uint8_t address_size; /* 2, 4 or 8 */
    uint8_t offset_size;  /* 4 or 8 */
    bool has_addr_base;
    uint64_t str_offsets_base, addr_base, rnglists_base;
    uint64_t low_pc; /* base of the unit's range lists; 0 when it has none */
};

/* What a form is in one encoding. width: how many bytes it takes, where that is the same for each value: up to 16.
 * Otherwise one of the marks. */
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
    uint8_t class; /* enum fm_dw_class; FM_DW_NONE for indirect and unknown ones */
    uint8_t width;
};
struct fm_dw_form fm_dw_form_of(uint16_t form, const struct fm_dw_encoding *encoding);

/* Forms below this have a number of their own in tables by form. */
#define FM_DW_FORM_COUNT 0x2d

enum fm_dw_class {
    FM_DW_NONE,   /* a block, a signature, anything with no plain value */
    FM_DW_NUMBER, /* constants, flags, offsets into other sections */
    FM_DW_ADDRESS,
    FM_DW_ADDRESS_INDEX,
    FM_DW_TEXT, /* inline string, in `text` */
    FM_DW_STR_OFFSET,
    FM_DW_LINE_STR_OFFSET,
    FM_DW_STRING_INDEX,
    FM_DW_UNIT_REF, /* entry, from the unit's first byte */
    FM_DW_INFO_REF, /* entry, from the section's first byte */
    FM_DW_LIST_INDEX
};

struct fm_dw_value {
    enum fm_dw_class class;
    uint16_t form; /* the real one, where the abbreviation says indirect */
    uint64_t number;
    framemap_str text;
};

static inline bool fm_dw_form_is_three(uint16_t form) { return form == DW_FORM_strx3 || form == DW_FORM_addrx3; }

/* Reads the value of one attribute and moves past it. false: the form is unknown or the value leaves the reader's
 * bytes. */
bool fm_dw_form_read(struct fm_byte_reader *r, const struct fm_dw_encoding *encoding, const struct fm_dw_spec *spec,
                     struct fm_dw_value *out);

/* The string of a value: absent when it has none or points outside. Borrowed from the sections. */
framemap_str fm_dw_value_string(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                                const struct fm_dw_value *value);
framemap_str fm_dw_string_index(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                                uint64_t index);

/* The address of a value, through .debug_addr where it is an index. false: it is none, or points outside. */
bool fm_dw_value_address(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                         const struct fm_dw_value *value, uint64_t *out);
bool fm_dw_address_index(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding, uint64_t index,
                         uint64_t *out);

#endif
