#include "dwarf_writer.h"

#include "mappers/native/dwarf/dw_constants.h"

#include <stdlib.h>

enum { BLOCK = 0x0b };

/* --- writing bytes --- */

void made_put(struct made_dwarf *made, unsigned which, uint64_t value, unsigned width)
{
    struct made_section *to = &made->sections[which];

    if (to->size + 8 > to->capacity) {
        to->capacity = to->capacity * 2 + 4096;
        to->data = realloc(to->data, to->capacity);
        if (to->data == NULL) abort();
    }
    for (unsigned i = 0; i < width; i++) to->data[to->size++] = (unsigned char)(value >> 8 * i);
}

void made_put_text(struct made_dwarf *made, unsigned which, const char *text)
{
    do made_put(made, which, (unsigned char)*text, 1);
    while (*text++ != '\0');
}

void made_put_uleb(struct made_dwarf *made, unsigned which, uint64_t value)
{
    do {
        made_put(made, which, (value & 0x7f) | (value > 0x7f ? 0x80 : 0), 1);
        value >>= 7;
    } while (value != 0);
}

void made_fill(struct made_dwarf *made, unsigned which, unsigned value, size_t n)
{
    for (size_t i = 0; i < n; i++) made_put(made, which, value, 1);
}

size_t made_size_of(const struct made_dwarf *made, unsigned which) { return made->sections[which].size; }

void made_set4(struct made_dwarf *made, unsigned which, size_t at, uint64_t value)
{
    for (unsigned i = 0; i < 4; i++) made->sections[which].data[at + i] = (unsigned char)(value >> 8 * i);
}

size_t made_begin_length(struct made_dwarf *made, unsigned which)
{
    made_put(made, which, 0, 4);
    return made_size_of(made, which);
}

void made_end_length(struct made_dwarf *made, unsigned which, size_t from)
{
    made_set4(made, which, from - 4, made_size_of(made, which) - from);
}

/* --- writing the abbreviations, one table for most shapes --- */

static const struct {
    uint16_t code, tag;
    bool children;
    uint16_t specs[9];
} abbrevs[] = {
    {UNIT,
     DW_TAG_compile_unit,
     true,
     {DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, DW_AT_stmt_list, DW_FORM_sec_offset}},
    {UNIT_RANGES, DW_TAG_compile_unit, true, {DW_AT_ranges, DW_FORM_sec_offset, DW_AT_stmt_list, DW_FORM_sec_offset}},
    {UNIT_WEAK, DW_TAG_compile_unit, true, {DW_AT_stmt_list, DW_FORM_sec_offset}},
    {FUNCTION,
     DW_TAG_subprogram,
     true,
     {DW_AT_name, DW_FORM_strp, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4}},
    {LEAF,
     DW_TAG_subprogram,
     false,
     {DW_AT_name, DW_FORM_strp, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4}},
    {INLINED,
     DW_TAG_inlined_subroutine,
     false,
     {DW_AT_abstract_origin, DW_FORM_ref_addr, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
      DW_AT_call_line, DW_FORM_data4}},
    {INLINED_DEEP,
     DW_TAG_inlined_subroutine,
     true,
     {DW_AT_abstract_origin, DW_FORM_ref_addr, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
      DW_AT_call_line, DW_FORM_data4}},
    {SCATTERED,
     DW_TAG_inlined_subroutine,
     false,
     {DW_AT_abstract_origin, DW_FORM_ref_addr, DW_AT_ranges, DW_FORM_sec_offset}},
    {ABSTRACT, DW_TAG_subprogram, false, {DW_AT_name, DW_FORM_strp}},
    {LINK, DW_TAG_subprogram, false, {DW_AT_abstract_origin, DW_FORM_ref_addr}},
    {INNER, BLOCK, true, {0}},
    {INNER_NEXT, BLOCK, true, {DW_AT_sibling, DW_FORM_ref4}},
};

static void put_abbrevs(struct made_dwarf *made)
{
    for (size_t i = 0; i < sizeof abbrevs / sizeof *abbrevs; i++) {
        made_put_uleb(made, DWARF_ABBREV, abbrevs[i].code);
        made_put_uleb(made, DWARF_ABBREV, abbrevs[i].tag);
        made_put(made, DWARF_ABBREV, abbrevs[i].children, 1);
        for (size_t j = 0; abbrevs[i].specs[j] != 0; j++) made_put_uleb(made, DWARF_ABBREV, abbrevs[i].specs[j]);
        made_put(made, DWARF_ABBREV, 0, 2);
    }
    made_put(made, DWARF_ABBREV, 0, 1);
}

/* --- writing units of DWARF 4 and their entries --- */

size_t made_begin_unit_of(struct made_dwarf *made, uint64_t abbrev_table)
{
    size_t from = made_begin_length(made, DWARF_INFO);
    made_put(made, DWARF_INFO, 4, 2);
    made_put(made, DWARF_INFO, abbrev_table, 4);
    made_put(made, DWARF_INFO, 8, 1);
    return from;
}

size_t made_begin_unit(struct made_dwarf *made)
{
    size_t from = made_begin_unit_of(made, 0);
    made_put(made, DWARF_INFO, UNIT, 1);
    made_put(made, DWARF_INFO, SECTION_BASE, 8);
    made_put(made, DWARF_INFO, DWARF_TEXT_SIZE, 4);
    made_put(made, DWARF_INFO, 0, 4);
    return from;
}

void made_end_unit(struct made_dwarf *made, size_t from)
{
    made_put(made, DWARF_INFO, 0, 1);
    made_end_length(made, DWARF_INFO, from);
}

void made_put_code(struct made_dwarf *made, uint64_t low, uint64_t size)
{
    made_put(made, DWARF_INFO, SECTION_BASE + low, 8);
    made_put(made, DWARF_INFO, size, 4);
}

void made_put_function(struct made_dwarf *made, enum made_code code, uint64_t name, uint64_t low, uint64_t size)
{
    made_put(made, DWARF_INFO, code, 1);
    made_put(made, DWARF_INFO, name, 4);
    made_put_code(made, low, size);
}

void made_put_inlined(struct made_dwarf *made, enum made_code code, uint64_t origin, uint64_t low, uint64_t size,
                      uint64_t line)
{
    made_put(made, DWARF_INFO, code, 1);
    made_put(made, DWARF_INFO, origin, 4);
    made_put_code(made, low, size);
    made_put(made, DWARF_INFO, line, 4);
}

uint64_t made_put_abstract(struct made_dwarf *made, uint64_t name)
{
    uint64_t at = made_size_of(made, DWARF_INFO);
    made_put(made, DWARF_INFO, ABSTRACT, 1);
    made_put(made, DWARF_INFO, name, 4);
    return at;
}

uint64_t made_put_scattered(struct made_dwarf *made, uint64_t origin, uint64_t list)
{
    uint64_t at = made_size_of(made, DWARF_INFO);
    made_put(made, DWARF_INFO, SCATTERED, 1);
    made_put(made, DWARF_INFO, origin, 4);
    made_put(made, DWARF_INFO, list, 4);
    return at;
}

void made_put_lines(struct made_dwarf *made, size_t n)
{
    size_t from = made_begin_length(made, DWARF_LINE);
    made_put(made, DWARF_LINE, 4, 2);
    size_t header = made_begin_length(made, DWARF_LINE);
    static const uint8_t fixed[] = {1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 'a', 0, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof fixed; i++) made_put(made, DWARF_LINE, fixed[i], 1);
    made_end_length(made, DWARF_LINE, header);
    for (size_t i = 0; i < n; i++) {
        if (i % 8192 == 0) {
            if (i > 0) made_put(made, DWARF_LINE, 0x010100, 3);
            made_put(made, DWARF_LINE, 0x020900, 3);
            made_put(made, DWARF_LINE, SECTION_BASE, 8);
        }
        made_put(made, DWARF_LINE, 13 + 4 * 14 + 6, 1);
    }
    made_put(made, DWARF_LINE, 0x010100, 3);
    made_end_length(made, DWARF_LINE, from);
}

uint64_t made_put_list(struct made_dwarf *made, size_t n)
{
    uint64_t at = made_size_of(made, DWARF_RANGES);
    for (size_t i = 0; i < n; i++) {
        uint64_t low = SECTION_BASE + 3 * i % DWARF_TEXT_SIZE;
        made_put(made, DWARF_RANGES, low, 8);
        made_put(made, DWARF_RANGES, low + 1, 8);
    }
    made_put(made, DWARF_RANGES, 0, 8);
    made_put(made, DWARF_RANGES, 0, 8);
    return at;
}

void made_begin_shape(struct made_dwarf *made)
{
    *made = (struct made_dwarf){.is64 = true};
    put_abbrevs(made);
    made_put_text(made, DWARF_STR, "f");
}

void made_one_unit(struct made_dwarf *made)
{
    size_t unit = made_begin_unit(made);
    made_put_function(made, LEAF, 0, 0, DWARF_TEXT_SIZE);
    made_end_unit(made, unit);
}
