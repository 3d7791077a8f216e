#include "dwarf_shapes.h"

#include "mappers/debuginfo/dw_constants.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 0x0b, SECTION_BASE = DWARF_TEXT_BASE };

/* --- bytes --- */

static void put(struct made_dwarf *made, unsigned which, uint64_t value, unsigned width)
{
    struct made_section *to = &made->sections[which];

    if (to->size + 8 > to->capacity) {
        to->capacity = to->capacity * 2 + 4096;
        to->data = realloc(to->data, to->capacity);
        if (to->data == NULL) abort();
    }
    for (unsigned i = 0; i < width; i++) to->data[to->size++] = (unsigned char)(value >> 8 * i);
}

static void put_text(struct made_dwarf *made, unsigned which, const char *text)
{
    do put(made, which, (unsigned char)*text, 1);
    while (*text++ != '\0');
}

static void put_uleb(struct made_dwarf *made, unsigned which, uint64_t value)
{
    do {
        put(made, which, (value & 0x7f) | (value > 0x7f ? 0x80 : 0), 1);
        value >>= 7;
    } while (value != 0);
}

static void fill(struct made_dwarf *made, unsigned which, unsigned value, size_t n)
{
    for (size_t i = 0; i < n; i++) put(made, which, value, 1);
}

static size_t size_of(const struct made_dwarf *made, unsigned which) { return made->sections[which].size; }

static void set4(struct made_dwarf *made, unsigned which, size_t at, uint64_t value)
{
    for (unsigned i = 0; i < 4; i++) made->sections[which].data[at + i] = (unsigned char)(value >> 8 * i);
}

static size_t begin_length(struct made_dwarf *made, unsigned which)
{
    put(made, which, 0, 4);
    return size_of(made, which);
}

static void end_length(struct made_dwarf *made, unsigned which, size_t from) { set4(made, which, from - 4, size_of(made, which) - from); }

/* --- abbreviations: one table for most shapes --- */

enum code {
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

static const struct {
    uint16_t code, tag;
    bool children;
    uint16_t specs[9];
} abbrevs[] = {
    {UNIT, DW_TAG_compile_unit, true, {DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, DW_AT_stmt_list, DW_FORM_sec_offset}},
    {UNIT_RANGES, DW_TAG_compile_unit, true, {DW_AT_ranges, DW_FORM_sec_offset, DW_AT_stmt_list, DW_FORM_sec_offset}},
    {UNIT_WEAK, DW_TAG_compile_unit, true, {DW_AT_stmt_list, DW_FORM_sec_offset}},
    {FUNCTION, DW_TAG_subprogram, true, {DW_AT_name, DW_FORM_strp, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4}},
    {LEAF, DW_TAG_subprogram, false, {DW_AT_name, DW_FORM_strp, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4}},
    {INLINED, DW_TAG_inlined_subroutine, false,
     {DW_AT_abstract_origin, DW_FORM_ref_addr, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, DW_AT_call_line, DW_FORM_data4}},
    {INLINED_DEEP, DW_TAG_inlined_subroutine, true,
     {DW_AT_abstract_origin, DW_FORM_ref_addr, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, DW_AT_call_line, DW_FORM_data4}},
    {SCATTERED, DW_TAG_inlined_subroutine, false, {DW_AT_abstract_origin, DW_FORM_ref_addr, DW_AT_ranges, DW_FORM_sec_offset}},
    {ABSTRACT, DW_TAG_subprogram, false, {DW_AT_name, DW_FORM_strp}},
    {LINK, DW_TAG_subprogram, false, {DW_AT_abstract_origin, DW_FORM_ref_addr}},
    {INNER, BLOCK, true, {0}},
    {INNER_NEXT, BLOCK, true, {DW_AT_sibling, DW_FORM_ref4}},
};

static void put_abbrevs(struct made_dwarf *made)
{
    for (size_t i = 0; i < sizeof abbrevs / sizeof *abbrevs; i++) {
        put_uleb(made, DWARF_ABBREV, abbrevs[i].code);
        put_uleb(made, DWARF_ABBREV, abbrevs[i].tag);
        put(made, DWARF_ABBREV, abbrevs[i].children, 1);
        for (size_t j = 0; abbrevs[i].specs[j] != 0; j++) put_uleb(made, DWARF_ABBREV, abbrevs[i].specs[j]);
        put(made, DWARF_ABBREV, 0, 2);
    }
    put(made, DWARF_ABBREV, 0, 1);
}

/* --- units of DWARF 4, and what is in them --- */

static size_t begin_unit_of(struct made_dwarf *made, uint64_t abbrev_table)
{
    size_t from = begin_length(made, DWARF_INFO);
    put(made, DWARF_INFO, 4, 2);
    put(made, DWARF_INFO, abbrev_table, 4);
    put(made, DWARF_INFO, 8, 1);
    return from;
}

/* A unit of all code. */
static size_t begin_unit(struct made_dwarf *made)
{
    size_t from = begin_unit_of(made, 0);
    put(made, DWARF_INFO, UNIT, 1);
    put(made, DWARF_INFO, SECTION_BASE, 8);
    put(made, DWARF_INFO, DWARF_TEXT_SIZE, 4);
    put(made, DWARF_INFO, 0, 4);
    return from;
}

static void end_unit(struct made_dwarf *made, size_t from)
{
    put(made, DWARF_INFO, 0, 1);
    end_length(made, DWARF_INFO, from);
}

static void put_code(struct made_dwarf *made, uint64_t low, uint64_t size)
{
    put(made, DWARF_INFO, SECTION_BASE + low, 8);
    put(made, DWARF_INFO, size, 4);
}

static void put_function(struct made_dwarf *made, enum code code, uint64_t name, uint64_t low, uint64_t size)
{
    put(made, DWARF_INFO, code, 1);
    put(made, DWARF_INFO, name, 4);
    put_code(made, low, size);
}

static void put_inlined(struct made_dwarf *made, enum code code, uint64_t origin, uint64_t low, uint64_t size, uint64_t line)
{
    put(made, DWARF_INFO, code, 1);
    put(made, DWARF_INFO, origin, 4);
    put_code(made, low, size);
    put(made, DWARF_INFO, line, 4);
}

static uint64_t put_abstract(struct made_dwarf *made, uint64_t name)
{
    uint64_t at = size_of(made, DWARF_INFO);
    put(made, DWARF_INFO, ABSTRACT, 1);
    put(made, DWARF_INFO, name, 4);
    return at;
}

static uint64_t put_scattered(struct made_dwarf *made, uint64_t origin, uint64_t list)
{
    uint64_t at = size_of(made, DWARF_INFO);
    put(made, DWARF_INFO, SCATTERED, 1);
    put(made, DWARF_INFO, origin, 4);
    put(made, DWARF_INFO, list, 4);
    return at;
}

/* A line program of n rows, one every 4 bytes, over and over. */
static void put_lines(struct made_dwarf *made, size_t n)
{
    size_t from = begin_length(made, DWARF_LINE);
    put(made, DWARF_LINE, 4, 2);
    size_t header = begin_length(made, DWARF_LINE);
    static const uint8_t fixed[] = {1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 'a', 0, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof fixed; i++) put(made, DWARF_LINE, fixed[i], 1);
    end_length(made, DWARF_LINE, header);
    for (size_t i = 0; i < n; i++) {
        if (i % 8192 == 0) {
            if (i > 0) put(made, DWARF_LINE, 0x010100, 3);
            put(made, DWARF_LINE, 0x020900, 3);
            put(made, DWARF_LINE, SECTION_BASE, 8);
        }
        put(made, DWARF_LINE, 13 + 4 * 14 + 6, 1);
    }
    put(made, DWARF_LINE, 0x010100, 3);
    end_length(made, DWARF_LINE, from);
}

/* A list of n ranges of one byte, three bytes apart. Returns where it is. */
static uint64_t put_list(struct made_dwarf *made, size_t n)
{
    uint64_t at = size_of(made, DWARF_RANGES);
    for (size_t i = 0; i < n; i++) {
        uint64_t low = SECTION_BASE + 3 * i % DWARF_TEXT_SIZE;
        put(made, DWARF_RANGES, low, 8);
        put(made, DWARF_RANGES, low + 1, 8);
    }
    put(made, DWARF_RANGES, 0, 8);
    put(made, DWARF_RANGES, 0, 8);
    return at;
}

static void begin_shape(struct made_dwarf *made)
{
    *made = (struct made_dwarf){.is64 = true};
    put_abbrevs(made);
    put_text(made, DWARF_STR, "f");
}

/* --- one long thing, and many that point to it --- */

static void one_list(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    uint64_t list = put_list(made, n);
    size_t unit = begin_unit(made);
    uint64_t origin = put_abstract(made, 0);
    put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) put_scattered(made, origin, list);
    put(made, DWARF_INFO, 0, 1);
    end_unit(made, unit);
}

/* The same of version 5, whose ranges take three bytes. */
static void one_short_list(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    for (size_t i = 0; i < 4 * n; i++) put(made, DWARF_RNGLISTS, DW_RLE_offset_pair | 1 << 8 | 2 << 16, 3);
    put(made, DWARF_RNGLISTS, DW_RLE_end_of_list, 1);
    size_t unit = begin_length(made, DWARF_INFO);
    put(made, DWARF_INFO, 5, 2);
    put(made, DWARF_INFO, DW_UT_compile | 8 << 8, 2);
    put(made, DWARF_INFO, 0, 4);
    put(made, DWARF_INFO, UNIT, 1);
    put(made, DWARF_INFO, SECTION_BASE, 8);
    put(made, DWARF_INFO, DWARF_TEXT_SIZE, 4);
    put(made, DWARF_INFO, 0, 4);
    uint64_t origin = put_abstract(made, 0);
    put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) put_scattered(made, origin, 0);
    put(made, DWARF_INFO, 0, 1);
    end_unit(made, unit);
}

static void units_of_one_list(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    uint64_t list = put_list(made, n);
    for (size_t i = 0; i < n; i++) {
        size_t unit = begin_unit_of(made, 0);
        put(made, DWARF_INFO, UNIT_RANGES, 1);
        put(made, DWARF_INFO, list, 4);
        put(made, DWARF_INFO, 0, 4);
        end_unit(made, unit);
    }
}

static void units_of_one_program(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, n);
    for (size_t i = 0; i < n; i++) end_unit(made, begin_unit(made));
}

static void weak_units_of_one_program(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, n);
    for (size_t i = 0; i < n; i++) {
        size_t unit = begin_unit_of(made, 0);
        put(made, DWARF_INFO, UNIT_WEAK, 1);
        put(made, DWARF_INFO, 0, 4);
        end_unit(made, unit);
    }
}

/* Each unit's table begins one abbreviation later in one long row of them. */
static void tables_in_each_other(struct made_dwarf *made, size_t n)
{
    *made = (struct made_dwarf){.is64 = true};
    put_text(made, DWARF_STR, "f");
    for (size_t i = 0; i < n; i++) {
        put_uleb(made, DWARF_ABBREV, 1);
        put(made, DWARF_ABBREV, DW_TAG_compile_unit, 1);
        put(made, DWARF_ABBREV, 0, 3);
    }
    put(made, DWARF_ABBREV, 0, 1);
    for (size_t i = 0; i < n; i++) {
        size_t unit = begin_unit_of(made, 5 * i);
        put(made, DWARF_INFO, 1, 1);
        end_length(made, DWARF_INFO, unit);
    }
}

static void units_of_one_table(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    made->sections[DWARF_ABBREV].size--;
    for (size_t i = 0; i < n; i++) {
        put_uleb(made, DWARF_ABBREV, CODES + i);
        put(made, DWARF_ABBREV, 0x34, 1);
        put(made, DWARF_ABBREV, 0, 3);
    }
    put(made, DWARF_ABBREV, 0, 1);
    put_lines(made, 10);
    for (size_t i = 0; i < n; i++) end_unit(made, begin_unit(made));
}

/* An abbreviation of n attributes that take no bytes, and n entries of it of one byte each. */
static void wide_of(struct made_dwarf *made, size_t n, uint16_t tag, uint16_t attribute)
{
    begin_shape(made);
    made->sections[DWARF_ABBREV].size--;
    put_uleb(made, DWARF_ABBREV, CODES);
    put_uleb(made, DWARF_ABBREV, tag);
    put(made, DWARF_ABBREV, 0, 1);
    for (size_t i = 0; i < n; i++) {
        put(made, DWARF_ABBREV, attribute, 1);
        put(made, DWARF_ABBREV, DW_FORM_flag_present, 1);
    }
    put(made, DWARF_ABBREV, 0, 3);
    put_lines(made, 10);
    size_t unit = begin_unit(made);
    put_function(made, LEAF, 0, 0, DWARF_TEXT_SIZE);
    fill(made, DWARF_INFO, CODES, n);
    end_unit(made, unit);
}
static void wide_abbreviation(struct made_dwarf *made, size_t n) { wide_of(made, n, 0x34, 0x3f); }
static void wide_function(struct made_dwarf *made, size_t n) { wide_of(made, n, DW_TAG_subprogram, DW_AT_low_pc); }

static void one_long_name(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    fill(made, DWARF_STR, 'x', 16 * n);
    put(made, DWARF_STR, 0, 1);
    put_lines(made, 10);
    size_t unit = begin_unit(made);
    for (size_t i = 0; i < n; i++) put_function(made, LEAF, 2, 8 * i % DWARF_TEXT_SIZE, 8);
    end_unit(made, unit);
}

/* Each name is the end of one long one, so that all of them differ. */
static void names_in_each_other(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    fill(made, DWARF_STR, 'x', n);
    put(made, DWARF_STR, 0, 1);
    put_lines(made, 10);
    size_t unit = begin_unit(made);
    for (size_t i = 0; i < n; i++) put_function(made, LEAF, 2 + i, i % DWARF_TEXT_SIZE, 1);
    end_unit(made, unit);
}

/* --- references --- */

static void origins_in_a_chain(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    size_t unit = begin_unit(made);
    uint64_t last = put_abstract(made, 0);
    for (size_t i = 0; i < n; i++) {
        uint64_t at = size_of(made, DWARF_INFO);
        put(made, DWARF_INFO, LINK, 1);
        put(made, DWARF_INFO, last, 4);
        last = at;
    }
    put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) put_inlined(made, INLINED, last - 5 * i, i % DWARF_TEXT_SIZE, 1, (uint64_t)i);
    put(made, DWARF_INFO, 0, 1);
    end_unit(made, unit);
}

/* Units whose functions lead to each other, round and round. */
static void origins_in_a_ring(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    uint64_t first = 0, last = 0;
    for (size_t i = 0; i < n; i++) {
        size_t unit = begin_unit(made);
        uint64_t at = size_of(made, DWARF_INFO);
        put(made, DWARF_INFO, LINK, 1);
        put(made, DWARF_INFO, last, 4);
        put_function(made, FUNCTION, 0, i * 16 % DWARF_TEXT_SIZE, 16);
        put_inlined(made, INLINED, at, i * 16 % DWARF_TEXT_SIZE, 8, (uint64_t)i);
        put(made, DWARF_INFO, 0, 1);
        end_unit(made, unit);
        if (first == 0) first = at;
        last = at;
    }
    set4(made, DWARF_INFO, (size_t)first + 1, last);
}

/* Each inlined function of one unit is of another unit. */
static void origins_everywhere(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    uint64_t first = 0, step = 0;
    for (size_t i = 0; i < n; i++) {
        size_t unit = begin_unit(made);
        uint64_t at = put_abstract(made, 0);
        end_unit(made, unit);
        if (i == 0) first = at;
        if (i == 1) step = at - first;
    }
    size_t unit = begin_unit(made);
    put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) put_inlined(made, INLINED, first + step * (i * 7919 % n), i % DWARF_TEXT_SIZE, 1, (uint64_t)i);
    put(made, DWARF_INFO, 0, 1);
    end_unit(made, unit);
}

static void origins_inside_entries(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    size_t unit = begin_unit(made);
    uint64_t first = size_of(made, DWARF_INFO);
    put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) put_inlined(made, INLINED, first + i, i % DWARF_TEXT_SIZE, 1, (uint64_t)i);
    put(made, DWARF_INFO, 0, 1);
    end_unit(made, unit);
}

/* --- nesting and siblings --- */

static void inlined_in_each_other(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 8000);
    size_t unit = begin_unit(made);
    uint64_t origin = put_abstract(made, 0);
    for (size_t done = 0; done < n; done += 1000) {
        put_function(made, FUNCTION, 0, done * 4 % DWARF_TEXT_SIZE, 4000);
        for (size_t i = 0; i < 1000; i++) put_inlined(made, INLINED_DEEP, origin, done * 4 % DWARF_TEXT_SIZE + i, 4000 - i, (uint64_t)i);
        fill(made, DWARF_INFO, 0, 1001);
    }
    end_unit(made, unit);
}

static void nested_too_deep(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    size_t unit = begin_unit(made);
    put_function(made, LEAF, 0, 0, 16);
    fill(made, DWARF_INFO, INNER, n);
    fill(made, DWARF_INFO, 0, n);
    end_unit(made, unit);
}

/* Blocks nested to the limit, again and again, with a function in the innermost. */
static void nested_deep(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    size_t unit = begin_unit(made);
    for (size_t done = 0; done < n; done += 4000) {
        fill(made, DWARF_INFO, INNER, 4000);
        put_function(made, LEAF, 0, done % DWARF_TEXT_SIZE, 16);
        fill(made, DWARF_INFO, 0, 4000);
    }
    end_unit(made, unit);
}

static void overlapping(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 8000);
    size_t unit = begin_unit(made);
    uint64_t origin = put_abstract(made, 0);
    put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) put_inlined(made, INLINED, origin, i % (DWARF_TEXT_SIZE / 2), DWARF_TEXT_SIZE / 2, (uint64_t)i);
    put(made, DWARF_INFO, 0, 1);
    end_unit(made, unit);
}

static void overlapping_functions(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 8000);
    size_t unit = begin_unit(made);
    for (size_t i = 0; i < n; i++) put_function(made, LEAF, 0, i * 5 % (DWARF_TEXT_SIZE / 2), DWARF_TEXT_SIZE / 2);
    end_unit(made, unit);
}

static void overlapping_units(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    for (size_t i = 0; i < n; i++) {
        size_t unit = begin_unit_of(made, 0);
        put(made, DWARF_INFO, UNIT, 1);
        put_code(made, i * 5 % (DWARF_TEXT_SIZE / 2), DWARF_TEXT_SIZE / 2);
        put(made, DWARF_INFO, 0, 4);
        put_function(made, LEAF, 0, i % DWARF_TEXT_SIZE, 16);
        end_unit(made, unit);
    }
}

/* Blocks whose siblings are where `to` says: 0 themselves, 1 the first of all, 2 far behind the unit, 3 the last. */
static void siblings(struct made_dwarf *made, size_t n, int to)
{
    begin_shape(made);
    put_lines(made, 10);
    size_t unit = begin_unit(made);
    size_t start = unit - 4, first = size_of(made, DWARF_INFO);
    for (size_t i = 0; i < n; i++) {
        size_t at = size_of(made, DWARF_INFO);
        put(made, DWARF_INFO, INNER_NEXT, 1);
        put(made, DWARF_INFO, to == 0 ? at - start : to == 1 ? first - start : to == 2 ? 0xfffffff0 : first - start + (n - 1) * (5 + 17 + 1), 4);
        put_function(made, LEAF, 0, i % DWARF_TEXT_SIZE, 4);
        put(made, DWARF_INFO, 0, 1);
    }
    end_unit(made, unit);
}
static void siblings_of_themselves(struct made_dwarf *made, size_t n) { siblings(made, n, 0); }
static void siblings_back(struct made_dwarf *made, size_t n) { siblings(made, n, 1); }
static void siblings_outside(struct made_dwarf *made, size_t n) { siblings(made, n, 2); }
static void siblings_at_the_end(struct made_dwarf *made, size_t n) { siblings(made, n, 3); }

/* --- line programs --- */

static void begin_program(struct made_dwarf *made, size_t *from, size_t *header)
{
    static const uint8_t fixed[] = {1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    *from = begin_length(made, DWARF_LINE);
    put(made, DWARF_LINE, 4, 2);
    *header = begin_length(made, DWARF_LINE);
    for (size_t i = 0; i < sizeof fixed; i++) put(made, DWARF_LINE, fixed[i], 1);
}

static void one_unit(struct made_dwarf *made)
{
    size_t unit = begin_unit(made);
    put_function(made, LEAF, 0, 0, DWARF_TEXT_SIZE);
    end_unit(made, unit);
}

/* n files in a folder whose name is as long as is allowed, each of them used. */
static void files_in_a_long_folder(struct made_dwarf *made, size_t n)
{
    size_t from, header;
    begin_shape(made);
    begin_program(made, &from, &header);
    fill(made, DWARF_LINE, 'd', 60000);
    put(made, DWARF_LINE, 0, 2);
    for (size_t i = 0; i < n; i++) {
        fill(made, DWARF_LINE, 'a' + (unsigned)(i % 26), 1);
        put(made, DWARF_LINE, 0x100, 2);
        put(made, DWARF_LINE, 0, 2);
    }
    put(made, DWARF_LINE, 0, 1);
    end_length(made, DWARF_LINE, header);
    put(made, DWARF_LINE, 0x020900, 3);
    put(made, DWARF_LINE, SECTION_BASE, 8);
    for (size_t i = 0; i < n; i++) {
        put(made, DWARF_LINE, DW_LNS_set_file, 1);
        put_uleb(made, DWARF_LINE, i + 1);
        put(made, DWARF_LINE, 13 + 14 + 6, 1);
    }
    put(made, DWARF_LINE, 0x010100, 3);
    end_length(made, DWARF_LINE, from);
    one_unit(made);
}

static void rows_of_one_address(struct made_dwarf *made, size_t n)
{
    size_t from, header;
    begin_shape(made);
    begin_program(made, &from, &header);
    put(made, DWARF_LINE, 0, 2);
    end_length(made, DWARF_LINE, header);
    put(made, DWARF_LINE, 0x020900, 3);
    put(made, DWARF_LINE, SECTION_BASE, 8);
    fill(made, DWARF_LINE, DW_LNS_copy, n);
    put(made, DWARF_LINE, 13 + 14 + 6, 1);
    put(made, DWARF_LINE, 0x010100, 3);
    end_length(made, DWARF_LINE, from);
    one_unit(made);
}

/* Sequences of one row each, the highest first. */
static void sequences_downwards(struct made_dwarf *made, size_t n)
{
    size_t from, header;
    begin_shape(made);
    begin_program(made, &from, &header);
    put(made, DWARF_LINE, 0, 2);
    end_length(made, DWARF_LINE, header);
    for (size_t i = 0; i < n; i++) {
        put(made, DWARF_LINE, 0x020900, 3);
        put(made, DWARF_LINE, SECTION_BASE + (n - i) % (DWARF_TEXT_SIZE - 8), 8);
        put(made, DWARF_LINE, DW_LNS_copy, 1);
        put(made, DWARF_LINE, 13 + 14 + 6, 1);
        put(made, DWARF_LINE, 0x010100, 3);
    }
    end_length(made, DWARF_LINE, from);
    one_unit(made);
}

static void sequences_over_each_other(struct made_dwarf *made, size_t n)
{
    size_t from, header;
    begin_shape(made);
    begin_program(made, &from, &header);
    put(made, DWARF_LINE, 0, 2);
    end_length(made, DWARF_LINE, header);
    for (size_t i = 0; i < n; i++) {
        put(made, DWARF_LINE, 0x020900, 3);
        put(made, DWARF_LINE, SECTION_BASE + i * 3 % (DWARF_TEXT_SIZE / 2), 8);
        put(made, DWARF_LINE, DW_LNS_copy, 1);
        put(made, DWARF_LINE, DW_LNS_advance_pc, 1);
        put_uleb(made, DWARF_LINE, DWARF_TEXT_SIZE / 2);
        put(made, DWARF_LINE, 0x010100, 3);
    }
    end_length(made, DWARF_LINE, from);
    one_unit(made);
}

/* --- tables of addresses --- */

static void address_sets(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    end_unit(made, begin_unit(made));
    for (size_t i = 0; i < n; i++) {
        size_t from = begin_length(made, DWARF_ARANGES);
        put(made, DWARF_ARANGES, 2, 2);
        put(made, DWARF_ARANGES, 0, 4);
        put(made, DWARF_ARANGES, 8, 2);
        put(made, DWARF_ARANGES, 0, 4);
        put(made, DWARF_ARANGES, SECTION_BASE + i % DWARF_TEXT_SIZE, 8);
        put(made, DWARF_ARANGES, 1 + i % 100, 8);
        end_length(made, DWARF_ARANGES, from);
    }
}

/* --- numbers and headers --- */

static void long_numbers(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    size_t unit = begin_unit(made);
    put_function(made, LEAF, 0, 0, 16);
    for (size_t i = 0; i < n; i++) {
        put(made, DWARF_INFO, LEAF | 0x80, 1);
        fill(made, DWARF_INFO, 0x80, 40);
        put(made, DWARF_INFO, 0, 1);
        put(made, DWARF_INFO, 0, 4);
        put_code(made, i % DWARF_TEXT_SIZE, 4);
    }
    end_unit(made, unit);
}

static void units_of_nothing(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    one_unit(made);
    for (size_t i = 0; i < n; i++) put(made, DWARF_INFO, 0, 4);
}

static void bad_units(struct made_dwarf *made, size_t n)
{
    begin_shape(made);
    put_lines(made, 10);
    one_unit(made);
    for (size_t i = 0; i < n; i++) {
        size_t unit = begin_unit(made);
        put(made, DWARF_INFO, 0x70, 1);
        end_length(made, DWARF_INFO, unit);
    }
}

static const struct dwarf_shape shapes[] = {
    {"one list of ranges for many entries", "reads it for each", one_list, 1000},
    {"one list of short ranges for many entries", "keeps all of them", one_short_list, 1000},
    {"one list of ranges for many units", "reads it for each", units_of_one_list, 1000},
    {"one line program for many units", "runs it for each", units_of_one_program, 1000},
    {"one line program for many units without ranges", "runs it for each, twice", weak_units_of_one_program, 1000},
    {"abbreviation tables in each other", "parses each to the common end", tables_in_each_other, 1000},
    {"one abbreviation table for many units", "parses it for each", units_of_one_table, 1000},
    {"an abbreviation of many attributes", "goes through all of them for each byte", wide_abbreviation, 2000},
    {"a function's abbreviation of many attributes", "reads all of them for each byte", wide_function, 500},
    {"one long name", "measures it for each entry", one_long_name, 1000},
    {"names in each other", "keeps each whole", names_in_each_other, 1000},
    {"origins in a chain", "follows it to its end for each", origins_in_a_chain, 4000},
    {"origins in a ring", "follows it for ever", origins_in_a_ring, 2000},
    {"origins in all units", "opens a unit for each", origins_everywhere, 1000},
    {"origins inside of entries", "looks for their begin", origins_inside_entries, 10000},
    {"inlined in each other", "paints each over all others", inlined_in_each_other, 8000},
    {"nested too deep", "recurses", nested_too_deep, 100000},
    {"nested as deep as is allowed", "looks upwards from each", nested_deep, 100000},
    {"inlined over each other", "compares each with each", overlapping, 4000},
    {"functions over each other", "compares each with each", overlapping_functions, 4000},
    {"units over each other", "compares each with each", overlapping_units, 1000},
    {"siblings of themselves", "jumps for ever", siblings_of_themselves, 4000},
    {"siblings that lead back", "jumps for ever", siblings_back, 4000},
    {"siblings outside", "jumps out of the unit", siblings_outside, 4000},
    {"siblings at the end", "jumps over functions", siblings_at_the_end, 4000},
    {"files in a long folder", "joins each path", files_in_a_long_folder, 500},
    {"rows of one address", "sorts them badly", rows_of_one_address, 100000},
    {"sequences downwards", "inserts each before all others", sequences_downwards, 10000},
    {"sequences over each other", "compares each with each", sequences_over_each_other, 4000},
    {"tables of addresses for one unit", "looks through all for each", address_sets, 10000},
    {"numbers of many bytes", "rescans them", long_numbers, 10000},
    {"units of nothing", "stands still", units_of_nothing, 50000},
    {"bad units", "tells of each at length", bad_units, 10000},
};

const struct dwarf_shape *dwarf_shapes(size_t *count)
{
    *count = sizeof shapes / sizeof *shapes;
    return shapes;
}
