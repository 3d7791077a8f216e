#include "fuzz/dwarf_make.h"

#include "mappers/debuginfo/dw_constants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNITS_MOST = 6, STRINGS = 24, LISTS = 4, ADDRESSES = 12, INDEXED_STRINGS = 8, SPECS_MOST = 16, ABBREVS_MOST = 160,
    ENTRIES_MOST = 600, DEPTH_MOST = 24, FIXES_MOST = 64, ROWS_MOST = 60
};

struct spec {
    uint16_t attribute, form;
    int64_t implicit;
};
struct abbrev {
    uint16_t tag;
    bool children;
    unsigned count;
    struct spec specs[SPECS_MOST];
};
struct table {
    struct abbrev abbrevs[ABBREVS_MOST];
    unsigned count;
    uint64_t offset;
    uint16_t version; /* of its units: what forms mean depends on it */
    uint8_t offset_size;
};
struct entry {
    uint64_t offset;
    unsigned unit;
    uint16_t tag;
};
/* A reference to an entry that is not there yet. */
struct fix {
    size_t at;
    unsigned width, unit;
    bool from_unit;
};
struct unit {
    uint64_t offset, abbrev_at; /* abbrev_at: where the header names its table */
    uint16_t version;
    uint8_t offset_size, address_size, type;
    unsigned table;
    uint64_t str_offsets_base, addr_base, rnglists_base;
    uint64_t lists[LISTS]; /* offsets in the section of the version */
    uint64_t list_low[LISTS], list_high[LISTS];
};

struct maker {
    const uint8_t *choices;
    size_t size, at;
    uint64_t random;
    bool random_tail;
    unsigned wild; /* 0: all is sound; else about one thing in 64 / wild is not */
    struct made_dwarf *out;
    uint64_t strings[STRINGS], line_strings[STRINGS];
    struct table tables[UNITS_MOST];
    unsigned table_count;
    struct unit units[UNITS_MOST];
    unsigned unit_count;
    struct entry entries[ENTRIES_MOST];
    unsigned entry_count, unit_first; /* unit_first: of the current unit's entries */
    struct fix fixes[FIXES_MOST];
    unsigned fix_count;
    uint64_t line_programs[UNITS_MOST];
    unsigned line_count;
    unsigned depth;
};

/* --- choices --- */

static uint8_t choice(struct maker *m)
{
    if (m->at < m->size) return m->choices[m->at++];
    if (!m->random_tail) return 0;
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(m->random >> 56);
}

/* 0 to limit - 1. */
static unsigned pick(struct maker *m, unsigned limit)
{
    unsigned value = choice(m);
    if (limit > 256) value |= (unsigned)choice(m) << 8;
    return value % limit;
}

static bool chance(struct maker *m, unsigned of) { return pick(m, of) == of - 1; }

/* Whether to do something that the standard forbids. */
static bool break_it(struct maker *m)
{
    if (m->wild == 0 || pick(m, 64) >= m->wild) return false;
    m->out->broken = true;
    return true;
}

static uint64_t any_number(struct maker *m)
{
    uint64_t value = 0;
    for (unsigned left = 1 + pick(m, 8); left > 0; left--) value = value << 8 | choice(m);
    return value;
}

#define PICK(m, ...) pick_of((m), (const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t))
static uint16_t pick_of(struct maker *m, const uint16_t *values, size_t count) { return values[pick(m, (unsigned)count)]; }

/* --- bytes --- */

static struct made_section *section(struct maker *m, unsigned which) { return &m->out->sections[which]; }

static void put_byte(struct made_section *to, unsigned value)
{
    if (to->size == to->capacity) {
        to->capacity = to->capacity * 2 + 256;
        unsigned char *moved = realloc(to->data, to->capacity);
        if (moved == NULL) abort();
        to->data = moved;
    }
    to->data[to->size++] = (unsigned char)value;
}

static void set_number(const struct maker *m, struct made_section *to, size_t at, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned shift = 8 * (m->out->big_endian ? width - 1 - i : i);
        to->data[at + i] = (unsigned char)(value >> shift);
    }
}

static void put(struct maker *m, struct made_section *to, uint64_t value, unsigned width)
{
    size_t at = to->size;
    for (unsigned i = 0; i < width; i++) put_byte(to, 0);
    set_number(m, to, at, value, width);
}

/* Now and then longer than it need be, as linkers write numbers that they fill in later. */
static void put_uleb(struct maker *m, struct made_section *to, uint64_t value)
{
    unsigned padding = chance(m, 40) ? 1 + pick(m, 3) : 0;
    do {
        put_byte(to, (value & 0x7f) | (value > 0x7f || padding > 0 ? 0x80 : 0));
        value >>= 7;
    } while (value != 0);
    for (; padding > 0; padding--) put_byte(to, padding > 1 ? 0x80 : 0);
}

static void put_sleb(struct made_section *to, int64_t value)
{
    for (;;) {
        unsigned byte = (unsigned)value & 0x7f;
        value = value < 0 ? -(int64_t)((~(uint64_t)value) >> 7) - 1 : value >> 7;
        bool last = (value == 0 && (byte & 0x40) == 0) || (value == -1 && (byte & 0x40) != 0);
        put_byte(to, byte | (last ? 0 : 0x80));
        if (last) return;
    }
}

static void put_text(struct made_section *to, const char *text)
{
    do put_byte(to, (unsigned char)*text);
    while (*text++ != '\0');
}

/* The length of a unit, set by end_length. Returns where it starts. */
static size_t begin_length(struct maker *m, struct made_section *to, unsigned offset_size)
{
    size_t at = to->size;
    if (offset_size == 8) put(m, to, 0xffffffff, 4);
    put(m, to, 0, offset_size);
    return at;
}

static void end_length(struct maker *m, struct made_section *to, size_t at, unsigned offset_size)
{
    size_t field = at + (offset_size == 8 ? 4 : 0);
    uint64_t length = to->size - field - offset_size;
    if (break_it(m)) length = chance(m, 2) ? any_number(m) : length + pick(m, 16) - 8;
    set_number(m, to, field, length, offset_size);
}

/* --- strings, addresses --- */

static void make_strings(struct maker *m, unsigned which, uint64_t offsets[STRINGS])
{
    static const char *const stems[] = {"f", "main", "_ZN1a1bEv", "a b", "", "/src/x.c", "inc", "x.h", "/abs", "C:\\w", "\xc3\xa9", "../up"};
    struct made_section *to = section(m, which);
    char text[64];

    for (unsigned i = 0; i < STRINGS; i++) {
        offsets[i] = to->size;
        snprintf(text, sizeof text, "%s%s", stems[pick(m, 12)], i % 3 == 0 ? "" : i % 3 == 1 ? "2" : "_long_enough_to_be_told_from_others");
        put_text(to, text);
    }
    if (break_it(m)) put_byte(to, 'x');
}

static uint64_t any_address(struct maker *m, unsigned width)
{
    static const uint64_t odd[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, DWARF_TEXT_BASE - 1, DWARF_TEXT_BASE + DWARF_TEXT_SIZE,
                                   DWARF_TEXT_BASE + DWARF_TEXT_SIZE - 1, 0x7fffffff, (uint64_t)1 << 40};
    uint64_t address = DWARF_TEXT_BASE + 16 * pick(m, 0x1000) + pick(m, 16);
    if (chance(m, 12)) address = odd[pick(m, 9)];
    return width == 4 ? (uint32_t)address : address;
}

/* An offset that is one of the good ones, or nothing of the kind. */
static uint64_t good_or_not(struct maker *m, uint64_t good) { return break_it(m) ? any_number(m) : good; }

/* --- tables of a unit --- */

static void make_addresses(struct maker *m, struct unit *unit)
{
    struct made_section *to = section(m, DWARF_ADDR);
    size_t at = to->size;

    if (unit->version >= 5) {
        at = begin_length(m, to, unit->offset_size);
        put(m, to, 5, 2);
        put_byte(to, unit->address_size);
        put_byte(to, 0);
    }
    unit->addr_base = to->size;
    for (unsigned i = 0; i < ADDRESSES; i++) put(m, to, any_address(m, unit->address_size), unit->address_size);
    if (unit->version >= 5) end_length(m, to, at, unit->offset_size);
}

static void make_string_offsets(struct maker *m, struct unit *unit)
{
    struct made_section *to = section(m, DWARF_STR_OFFSETS);
    size_t at = to->size;

    if (unit->version >= 5) {
        at = begin_length(m, to, unit->offset_size);
        put(m, to, 5, 2);
        put(m, to, 0, 2);
    }
    unit->str_offsets_base = to->size;
    for (unsigned i = 0; i < INDEXED_STRINGS; i++) put(m, to, good_or_not(m, m->strings[pick(m, STRINGS)]), unit->offset_size);
    if (unit->version >= 5) end_length(m, to, at, unit->offset_size);
}

/* An entry of .debug_rnglists. */
static void make_range_5(struct maker *m, const struct unit *unit)
{
    struct made_section *to = section(m, DWARF_RNGLISTS);
    unsigned width = unit->address_size;
    uint64_t low = any_address(m, width);
    unsigned kind = 1 + pick(m, 7);

    if (break_it(m)) kind = choice(m);
    put_byte(to, kind);
    switch (kind) {
    case DW_RLE_base_addressx: put_uleb(m, to, good_or_not(m, pick(m, ADDRESSES))); break;
    case DW_RLE_startx_endx:
        put_uleb(m, to, good_or_not(m, pick(m, ADDRESSES)));
        put_uleb(m, to, good_or_not(m, pick(m, ADDRESSES)));
        break;
    case DW_RLE_startx_length:
        put_uleb(m, to, good_or_not(m, pick(m, ADDRESSES)));
        put_uleb(m, to, good_or_not(m, pick(m, 400)));
        break;
    case DW_RLE_offset_pair:
        low = pick(m, 2000);
        put_uleb(m, to, low);
        put_uleb(m, to, good_or_not(m, low + pick(m, 200)));
        break;
    case DW_RLE_base_address: put(m, to, low, width); break;
    case DW_RLE_start_end:
        put(m, to, low, width);
        put(m, to, good_or_not(m, low + pick(m, 200)), width);
        break;
    case DW_RLE_start_length:
        put(m, to, low, width);
        put_uleb(m, to, good_or_not(m, pick(m, 400)));
        break;
    default: break;
    }
}

/* A pair of .debug_ranges. */
static void make_range_4(struct maker *m, const struct unit *unit)
{
    struct made_section *to = section(m, DWARF_RANGES);
    unsigned width = unit->address_size;
    uint64_t highest = width == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t low = chance(m, 2) ? pick(m, 2000) + 1 : any_address(m, width);

    if (chance(m, 6)) low = highest; /* sets the base */
    put(m, to, low, width);
    put(m, to, low == highest ? any_address(m, width) : good_or_not(m, low + pick(m, 200)), width);
}

static void make_list(struct maker *m, struct unit *unit, unsigned number)
{
    struct made_section *to = section(m, unit->version >= 5 ? DWARF_RNGLISTS : DWARF_RANGES);

    unit->lists[number] = to->size;
    for (unsigned left = pick(m, 5); left > 0; left--) {
        if (unit->version >= 5) make_range_5(m, unit);
        else make_range_4(m, unit);
    }
    if (break_it(m)) return; /* runs on into the next */
    if (unit->version >= 5) put_byte(to, DW_RLE_end_of_list);
    else put(m, to, 0, unit->address_size), put(m, to, 0, unit->address_size);
}

static void make_lists(struct maker *m, struct unit *unit)
{
    struct made_section *to = section(m, DWARF_RNGLISTS);
    size_t at = to->size;

    if (unit->version >= 5) {
        at = begin_length(m, to, unit->offset_size);
        put(m, to, 5, 2);
        put_byte(to, unit->address_size);
        put_byte(to, 0);
        put(m, to, LISTS, 4);
        unit->rnglists_base = to->size;
        for (unsigned i = 0; i < LISTS; i++) put(m, to, 0, unit->offset_size);
    }
    for (unsigned i = 0; i < LISTS; i++) make_list(m, unit, i);
    if (unit->version < 5) return;
    for (unsigned i = 0; i < LISTS; i++) {
        set_number(m, to, (size_t)unit->rnglists_base + i * unit->offset_size, good_or_not(m, unit->lists[i] - unit->rnglists_base), unit->offset_size);
    }
    end_length(m, to, at, unit->offset_size);
}

static void make_address_set(struct maker *m, const struct unit *unit)
{
    struct made_section *to = section(m, DWARF_ARANGES);
    size_t at = begin_length(m, to, unit->offset_size);

    put(m, to, good_or_not(m, 2), 2);
    put(m, to, good_or_not(m, unit->offset), unit->offset_size);
    put_byte(to, unit->address_size);
    put_byte(to, 0);
    while ((to->size - at) % (2u * unit->address_size) != 0) put_byte(to, 0);
    for (unsigned left = pick(m, 4); left > 0; left--) {
        put(m, to, any_address(m, unit->address_size), unit->address_size);
        put(m, to, pick(m, 300), unit->address_size);
    }
    put(m, to, 0, unit->address_size);
    put(m, to, 0, unit->address_size);
    end_length(m, to, at, unit->offset_size);
}

/* --- line programs --- */

struct line_unit {
    uint16_t version;
    uint8_t offset_size, address_size, opcode_base, max_ops;
    unsigned files;
};

static void make_tables_old(struct maker *m, struct line_unit *lines)
{
    struct made_section *to = section(m, DWARF_LINE);

    for (unsigned i = pick(m, 4); i > 0; i--) put_text(to, chance(m, 3) ? "/abs/dir" : "inc");
    put_byte(to, 0);
    for (lines->files = 0; lines->files < 1 + pick(m, 4); lines->files++) {
        put_text(to, chance(m, 4) ? "/abs/file.c" : lines->files == 0 ? "a.c" : "b.h");
        put_uleb(m, to, pick(m, 5));
        put_uleb(m, to, pick(m, 200));
        put_uleb(m, to, pick(m, 200));
    }
    put_byte(to, 0);
}

static void put_line_value(struct maker *m, const struct line_unit *lines, uint16_t form, uint64_t number)
{
    struct made_section *to = section(m, DWARF_LINE);

    switch (form) {
    case DW_FORM_string: put_text(to, chance(m, 2) ? "inline.c" : "/inline/abs"); break;
    case DW_FORM_strp: put(m, to, good_or_not(m, m->strings[pick(m, STRINGS)]), lines->offset_size); break;
    case DW_FORM_line_strp: put(m, to, good_or_not(m, m->line_strings[pick(m, STRINGS)]), lines->offset_size); break;
    case DW_FORM_strx: put_uleb(m, to, pick(m, INDEXED_STRINGS)); break;
    case DW_FORM_strx1: put_byte(to, pick(m, INDEXED_STRINGS)); break;
    case DW_FORM_udata: put_uleb(m, to, number); break;
    case DW_FORM_data1: put_byte(to, (unsigned)number); break;
    case DW_FORM_data2: put(m, to, number, 2); break;
    case DW_FORM_data4: put(m, to, number, 4); break;
    case DW_FORM_data8: put(m, to, number, 8); break;
    case DW_FORM_data16: for (unsigned i = 0; i < 16; i++) put_byte(to, choice(m)); break;
    case DW_FORM_block:
        put_uleb(m, to, number % 8);
        for (unsigned i = 0; i < number % 8; i++) put_byte(to, i);
        break;
    default: break;
    }
}

/* A table of version 5: folders or files. Returns how many it has. */
static unsigned make_table_5(struct maker *m, const struct line_unit *lines)
{
    struct made_section *to = section(m, DWARF_LINE);
    struct spec formats[6];
    unsigned format_count = 0, count = 1 + pick(m, 4);

    formats[format_count++] = (struct spec){DW_LNCT_path, PICK(m, DW_FORM_line_strp, DW_FORM_line_strp, DW_FORM_string, DW_FORM_strp), 0};
    if (chance(m, 3)) formats[format_count++] = (struct spec){3, PICK(m, DW_FORM_udata, DW_FORM_data4, DW_FORM_data8, DW_FORM_block), 0};
    if (!chance(m, 5)) formats[format_count++] = (struct spec){DW_LNCT_directory_index, PICK(m, DW_FORM_udata, DW_FORM_data1, DW_FORM_data2), 0};
    if (chance(m, 3)) formats[format_count++] = (struct spec){4, PICK(m, DW_FORM_udata, DW_FORM_data1, DW_FORM_data2, DW_FORM_data4, DW_FORM_data8), 0};
    if (chance(m, 3)) formats[format_count++] = (struct spec){5, DW_FORM_data16, 0};
    if (chance(m, 5)) formats[format_count++] = (struct spec){0x2001, PICK(m, DW_FORM_line_strp, DW_FORM_string), 0};
    if (break_it(m)) formats[pick(m, format_count)].form = PICK(m, DW_FORM_strx, DW_FORM_strx1, DW_FORM_addr, DW_FORM_flag_present, 0x99, DW_FORM_indirect);
    put_byte(to, format_count);
    for (unsigned i = 0; i < format_count; i++) {
        put_uleb(m, to, formats[i].attribute);
        put_uleb(m, to, formats[i].form);
    }
    put_uleb(m, to, good_or_not(m, count));
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < format_count; j++) put_line_value(m, lines, formats[j].form, good_or_not(m, pick(m, 4)));
    }
    return count;
}

static void put_extended(struct maker *m, unsigned opcode, uint64_t operand, unsigned width)
{
    struct made_section *to = section(m, DWARF_LINE);

    put_byte(to, 0);
    put_uleb(m, to, good_or_not(m, width + 1));
    put_byte(to, opcode);
    put(m, to, operand, width);
}

static void put_new_file(struct maker *m)
{
    struct made_section *to = section(m, DWARF_LINE);

    put_byte(to, 0);
    put_uleb(m, to, 1 + 6 + 3);
    put_byte(to, DW_LNE_define_file);
    put_text(to, "new.c");
    for (int i = 0; i < 3; i++) put_byte(to, pick(m, 4));
}

static void put_standard(struct maker *m, const struct line_unit *lines, unsigned opcode)
{
    struct made_section *to = section(m, DWARF_LINE);

    put_byte(to, opcode);
    switch (opcode) {
    case DW_LNS_advance_pc: put_uleb(m, to, good_or_not(m, pick(m, 40))); break;
    case DW_LNS_advance_line: put_sleb(to, break_it(m) ? (int64_t)any_number(m) : (int64_t)pick(m, 400) - 50); break;
    case DW_LNS_set_file: put_uleb(m, to, good_or_not(m, pick(m, lines->files + 2))); break;
    case DW_LNS_set_column: put_uleb(m, to, good_or_not(m, pick(m, 300))); break;
    case DW_LNS_fixed_advance_pc: put(m, to, pick(m, 300), 2); break;
    case DW_LNS_set_isa: put_uleb(m, to, pick(m, 4)); break;
    case 13: put_uleb(m, to, pick(m, 300)), put_uleb(m, to, pick(m, 300)); break; /* of this opcode base only, see make_header */
    default: break;
    }
}

static void make_instruction(struct maker *m, const struct line_unit *lines)
{
    switch (pick(m, 12)) {
    case 0:
    case 1:
    case 2: put_standard(m, lines, 1 + pick(m, lines->opcode_base - 1u)); break;
    case 3: put_extended(m, PICK(m, DW_LNE_set_discriminator, 0x80, 0x99), pick(m, 20), 1); break;
    case 4: put_extended(m, DW_LNE_set_address, any_address(m, lines->address_size), lines->address_size); break;
    case 5:
        if (lines->version < 5) put_new_file(m);
        break;
    case 6: put_extended(m, DW_LNE_end_sequence, 0, 0); break;
    default: put_byte(section(m, DWARF_LINE), lines->opcode_base + pick(m, 256u - lines->opcode_base)); break;
    }
}

/* From the version to the end of the tables. */
static void make_header(struct maker *m, struct line_unit *lines)
{
    static const uint8_t operands[13] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2};
    struct made_section *to = section(m, DWARF_LINE);

    put(m, to, good_or_not(m, lines->version), 2);
    if (lines->version >= 5) {
        put_byte(to, (unsigned)good_or_not(m, lines->address_size));
        put_byte(to, 0);
    }
    size_t length_at = to->size;
    put(m, to, 0, lines->offset_size);
    put_byte(to, PICK(m, 1, 1, 1, 2, 4));
    if (lines->version >= 4) put_byte(to, lines->max_ops);
    put_byte(to, pick(m, 2));
    put_byte(to, (unsigned)(uint8_t)(-(int)pick(m, 10)));
    put_byte(to, (unsigned)good_or_not(m, 1 + pick(m, 20)));
    put_byte(to, (unsigned)good_or_not(m, lines->opcode_base));
    for (unsigned i = 0; i + 1 < lines->opcode_base; i++) put_byte(to, (unsigned)good_or_not(m, operands[i]));
    if (lines->version >= 5) {
        make_table_5(m, lines);
        lines->files = make_table_5(m, lines);
    } else {
        make_tables_old(m, lines);
    }
    if (chance(m, 10)) put_byte(to, 0x55); /* a header may be longer than what is known of it */
    set_number(m, to, length_at, good_or_not(m, to->size - length_at - lines->offset_size), lines->offset_size);
}

static void make_line_program(struct maker *m, const struct unit *unit)
{
    struct made_section *to = section(m, DWARF_LINE);
    struct line_unit lines = {.version = unit->version, .offset_size = unit->offset_size, .address_size = unit->address_size};

    if (chance(m, 6)) lines.version = (uint16_t)(2 + pick(m, 4));
    if (chance(m, 8)) lines.offset_size = (uint8_t)PICK(m, 4, 8);
    lines.opcode_base = (uint8_t)PICK(m, 13, 13, 13, 10, 14, 4);
    lines.max_ops = (uint8_t)PICK(m, 1, 1, 1, 1, 4);
    size_t at = begin_length(m, to, lines.offset_size);
    m->line_programs[m->line_count++] = at;
    make_header(m, &lines);
    put_extended(m, DW_LNE_set_address, any_address(m, lines.address_size), lines.address_size);
    for (unsigned left = pick(m, ROWS_MOST); left > 0; left--) make_instruction(m, &lines);
    if (!break_it(m)) put_extended(m, DW_LNE_end_sequence, 0, 0);
    end_length(m, to, at, lines.offset_size);
}

/* --- forms --- */

static uint16_t text_form(struct maker *m, const struct unit *unit)
{
    if (unit->version >= 5) {
        return PICK(m, DW_FORM_strp, DW_FORM_strp, DW_FORM_string, DW_FORM_line_strp, DW_FORM_strx, DW_FORM_strx1, DW_FORM_strx2, DW_FORM_strx3,
                    DW_FORM_strx4);
    }
    return PICK(m, DW_FORM_strp, DW_FORM_strp, DW_FORM_string, unit->version == 4 ? DW_FORM_GNU_str_index : DW_FORM_string);
}

static uint16_t number_form(struct maker *m, const struct unit *unit)
{
    return PICK(m, DW_FORM_data1, DW_FORM_data1, DW_FORM_data2, DW_FORM_data4, DW_FORM_data8, DW_FORM_udata, DW_FORM_sdata,
                unit->version >= 5 ? DW_FORM_implicit_const : DW_FORM_data1);
}

static uint16_t address_form(struct maker *m, const struct unit *unit)
{
    if (unit->version >= 5) {
        return PICK(m, DW_FORM_addr, DW_FORM_addr, DW_FORM_addrx, DW_FORM_addrx1, DW_FORM_addrx2, DW_FORM_addrx3, DW_FORM_addrx4);
    }
    return PICK(m, DW_FORM_addr, DW_FORM_addr, DW_FORM_addr, unit->version == 4 ? DW_FORM_GNU_addr_index : DW_FORM_addr);
}

static uint16_t high_form(struct maker *m, const struct unit *unit)
{
    if (unit->version < 4) return DW_FORM_addr;
    return PICK(m, DW_FORM_data8, DW_FORM_data4, DW_FORM_data2, DW_FORM_data1, DW_FORM_udata, DW_FORM_addr);
}

static uint16_t offset_form(const struct unit *unit)
{
    return unit->version >= 4 ? DW_FORM_sec_offset : unit->offset_size == 8 ? DW_FORM_data8 : DW_FORM_data4;
}

static uint16_t ranges_form(struct maker *m, const struct unit *unit)
{
    return unit->version >= 5 && chance(m, 2) ? DW_FORM_rnglistx : offset_form(unit);
}

static uint16_t reference_form(struct maker *m) { return PICK(m, DW_FORM_ref4, DW_FORM_ref4, DW_FORM_ref2, DW_FORM_ref8, DW_FORM_ref_udata, DW_FORM_ref_addr); }

static uint16_t block_form(struct maker *m, const struct unit *unit)
{
    return PICK(m, DW_FORM_block, DW_FORM_block1, DW_FORM_block2, DW_FORM_block4, unit->version >= 4 ? DW_FORM_exprloc : DW_FORM_block1);
}

static uint16_t flag_form(struct maker *m, const struct unit *unit) { return unit->version >= 4 && chance(m, 2) ? DW_FORM_flag_present : DW_FORM_flag; }

static uint16_t any_form(struct maker *m, const struct unit *unit)
{
    switch (pick(m, 9)) {
    case 0: return text_form(m, unit);
    case 1: return number_form(m, unit);
    case 2: return address_form(m, unit);
    case 3: return reference_form(m);
    case 4: return block_form(m, unit);
    case 5: return flag_form(m, unit);
    case 6: return PICK(m, DW_FORM_data16, DW_FORM_ref_sig8, DW_FORM_ref_sup4, DW_FORM_ref_sup8, DW_FORM_strp_sup, DW_FORM_loclistx, DW_FORM_GNU_ref_alt,
                        DW_FORM_GNU_strp_alt, DW_FORM_rnglistx);
    case 7: return PICK(m, DW_FORM_ref1, DW_FORM_indirect, DW_FORM_GNU_addr_index, DW_FORM_GNU_str_index);
    default: return (uint16_t)(m->wild == 0 ? DW_FORM_data1 : any_number(m));
    }
}

/* What the standard allows for an attribute. */
static uint16_t good_form(struct maker *m, const struct unit *unit, uint16_t attribute)
{
    switch (attribute) {
    case DW_AT_name: case DW_AT_comp_dir: case DW_AT_producer: case DW_AT_linkage_name: case DW_AT_MIPS_linkage_name: case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name: return text_form(m, unit);
    case DW_AT_low_pc: case 0x52: return address_form(m, unit);
    case DW_AT_high_pc: return high_form(m, unit);
    case DW_AT_ranges: return ranges_form(m, unit);
    case DW_AT_stmt_list: case DW_AT_str_offsets_base: case DW_AT_addr_base: case DW_AT_rnglists_base: case DW_AT_GNU_addr_base:
    case DW_AT_GNU_ranges_base: return offset_form(unit);
    case DW_AT_abstract_origin: case DW_AT_specification: case 0x49: return reference_form(m);
    case DW_AT_sibling: return PICK(m, DW_FORM_ref4, DW_FORM_ref4, DW_FORM_ref2, DW_FORM_ref8, DW_FORM_ref_addr); /* set when it is known */
    case DW_AT_artificial: case 0x3f: case 0x3c: return flag_form(m, unit);
    case 0x40: case 0x02: return block_form(m, unit);
    default: return number_form(m, unit);
    }
}

static uint16_t form_of(struct maker *m, const struct unit *unit, uint16_t attribute)
{
    if (break_it(m)) return any_form(m, unit);
    return attribute != DW_AT_sibling && chance(m, 40) ? DW_FORM_indirect : good_form(m, unit, attribute);
}

/* The form behind an indirect one: it can't be a constant of the abbreviation. */
static uint16_t real_form(struct maker *m, const struct unit *unit, uint16_t attribute)
{
    uint16_t form = break_it(m) ? any_form(m, unit) : good_form(m, unit, attribute);
    return form == DW_FORM_implicit_const && m->wild == 0 ? DW_FORM_data2 : form;
}

/* --- values --- */

static uint64_t any_target(struct maker *m, unsigned unit_only)
{
    unsigned first = unit_only ? m->unit_first : 0;
    if (m->entry_count == first) return m->units[m->unit_count - 1].offset;
    return m->entries[first + pick(m, m->entry_count - first)].offset;
}

/* A reference; those of a fixed width may lead to an entry that comes later. */
static void put_reference(struct maker *m, const struct unit *unit, uint16_t form, bool sibling)
{
    struct made_section *to = section(m, DWARF_INFO);
    bool whole = form == DW_FORM_ref_addr;
    unsigned width = form == DW_FORM_ref1 ? 1 : form == DW_FORM_ref2 ? 2 : form == DW_FORM_ref4 ? 4 : form == DW_FORM_ref8 ? 8 : 0;

    if (whole) width = unit->version == 2 ? unit->address_size : unit->offset_size;
    uint64_t target = any_target(m, !whole);
    if (break_it(m)) target += pick(m, 9);
    if (!sibling && width > 1 && m->fix_count < FIXES_MOST && chance(m, 5)) {
        m->fixes[m->fix_count++] = (struct fix){to->size, width, m->unit_count - 1, !whole};
    }
    if (!whole) target -= unit->offset;
    target = good_or_not(m, target);
    if (width == 0) put_uleb(m, to, target);
    else put(m, to, target, width);
}

static void put_block(struct maker *m, const struct unit *unit, uint16_t form)
{
    struct made_section *to = section(m, DWARF_INFO);
    unsigned size = pick(m, 12);

    (void)unit;
    if (form == DW_FORM_block1) put_byte(to, size);
    else if (form == DW_FORM_block2) put(m, to, good_or_not(m, size), 2);
    else if (form == DW_FORM_block4) put(m, to, good_or_not(m, size), 4);
    else put_uleb(m, to, good_or_not(m, size));
    for (unsigned i = 0; i < size; i++) put_byte(to, choice(m));
}

static uint64_t number_for(struct maker *m, const struct unit *unit, uint16_t attribute)
{
    switch (attribute) {
    case DW_AT_stmt_list: return m->line_count == 0 ? 0 : good_or_not(m, m->line_programs[chance(m, 4) ? pick(m, m->line_count) : m->line_count - 1]);
    case DW_AT_ranges: return good_or_not(m, unit->lists[pick(m, LISTS)]);
    case DW_AT_str_offsets_base: return good_or_not(m, unit->str_offsets_base);
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base: return good_or_not(m, unit->addr_base);
    case DW_AT_rnglists_base: return good_or_not(m, unit->rnglists_base);
    case DW_AT_high_pc: return good_or_not(m, 1 + pick(m, 100));
    case DW_AT_language: return PICK(m, 0x0c, 0x1d, 0x21, 0x1c, 0x1e, 0x10, 0x04);
    case DW_AT_decl_file:
    case DW_AT_call_file: return good_or_not(m, pick(m, 6));
    default: return good_or_not(m, pick(m, 120));
    }
}

static void put_value(struct maker *m, const struct unit *unit, const struct spec *spec)
{
    struct made_section *to = section(m, DWARF_INFO);
    uint16_t form = spec->form;

    if (form == DW_FORM_indirect) {
        form = real_form(m, unit, spec->attribute);
        put_uleb(m, to, form);
    }
    switch (form) {
    case DW_FORM_addr: put(m, to, any_address(m, unit->address_size), unit->address_size); break;
    case DW_FORM_string: put_text(to, chance(m, 2) ? "inline" : "_Z6inlinev"); break;
    case DW_FORM_strp: put(m, to, good_or_not(m, m->strings[pick(m, STRINGS)]), unit->offset_size); break;
    case DW_FORM_line_strp: put(m, to, good_or_not(m, m->line_strings[pick(m, STRINGS)]), unit->offset_size); break;
    case DW_FORM_GNU_str_index:
    case DW_FORM_strx: put_uleb(m, to, good_or_not(m, pick(m, INDEXED_STRINGS))); break;
    case DW_FORM_strx1: put_byte(to, pick(m, INDEXED_STRINGS)); break;
    case DW_FORM_strx2: put(m, to, good_or_not(m, pick(m, INDEXED_STRINGS)), 2); break;
    case DW_FORM_strx3: put(m, to, good_or_not(m, pick(m, INDEXED_STRINGS)), 3); break;
    case DW_FORM_strx4: put(m, to, good_or_not(m, pick(m, INDEXED_STRINGS)), 4); break;
    case DW_FORM_GNU_addr_index:
    case DW_FORM_addrx: put_uleb(m, to, good_or_not(m, pick(m, ADDRESSES))); break;
    case DW_FORM_addrx1: put_byte(to, pick(m, ADDRESSES)); break;
    case DW_FORM_addrx2: put(m, to, good_or_not(m, pick(m, ADDRESSES)), 2); break;
    case DW_FORM_addrx3: put(m, to, good_or_not(m, pick(m, ADDRESSES)), 3); break;
    case DW_FORM_addrx4: put(m, to, good_or_not(m, pick(m, ADDRESSES)), 4); break;
    case DW_FORM_ref1: case DW_FORM_ref2: case DW_FORM_ref4: case DW_FORM_ref8: case DW_FORM_ref_udata: case DW_FORM_ref_addr:
        put_reference(m, unit, form, spec->attribute == DW_AT_sibling);
        break;
    case DW_FORM_block: case DW_FORM_block1: case DW_FORM_block2: case DW_FORM_block4: case DW_FORM_exprloc: put_block(m, unit, form); break;
    case DW_FORM_data1: put_byte(to, (unsigned)number_for(m, unit, spec->attribute)); break;
    case DW_FORM_flag: put_byte(to, pick(m, 3)); break;
    case DW_FORM_data2: put(m, to, number_for(m, unit, spec->attribute), 2); break;
    case DW_FORM_data4: put(m, to, number_for(m, unit, spec->attribute), 4); break;
    case DW_FORM_data8: put(m, to, number_for(m, unit, spec->attribute), 8); break;
    case DW_FORM_sec_offset: put(m, to, number_for(m, unit, spec->attribute), unit->offset_size); break;
    case DW_FORM_udata: put_uleb(m, to, number_for(m, unit, spec->attribute)); break;
    case DW_FORM_sdata: put_sleb(to, (int64_t)number_for(m, unit, spec->attribute)); break;
    case DW_FORM_rnglistx: put_uleb(m, to, good_or_not(m, pick(m, LISTS))); break;
    case DW_FORM_loclistx: put_uleb(m, to, pick(m, 4)); break;
    case DW_FORM_strp_sup: case DW_FORM_GNU_ref_alt: case DW_FORM_GNU_strp_alt: put(m, to, any_number(m), unit->offset_size); break;
    case DW_FORM_ref_sup4: put(m, to, any_number(m), 4); break;
    case DW_FORM_ref_sig8: case DW_FORM_ref_sup8: put(m, to, any_number(m), 8); break;
    case DW_FORM_data16: for (unsigned i = 0; i < 16; i++) put_byte(to, choice(m)); break;
    default: break; /* of no bytes, or unknown */
    }
}

/* --- entries --- */

static void add_spec(struct maker *m, const struct unit *unit, struct abbrev *abbrev, uint16_t attribute)
{
    if (abbrev->count == SPECS_MOST) return;
    /* None twice: of such the standard says nothing. */
    for (unsigned i = 0; i < abbrev->count; i++) {
        if (abbrev->specs[i].attribute == attribute) return;
    }
    struct spec *spec = &abbrev->specs[abbrev->count++];
    *spec = (struct spec){attribute, form_of(m, unit, attribute), 0};
    if (spec->form == DW_FORM_implicit_const) spec->implicit = (int64_t)number_for(m, unit, attribute);
}

static void add_place(struct maker *m, const struct unit *unit, struct abbrev *abbrev)
{
    unsigned how = pick(m, 8);
    if (how == 0) return;
    if (how < 6) {
        add_spec(m, unit, abbrev, DW_AT_low_pc);
        add_spec(m, unit, abbrev, DW_AT_high_pc);
    }
    if ((how >= 6 && unit->version >= 3) || break_it(m)) add_spec(m, unit, abbrev, DW_AT_ranges);
    if (break_it(m)) add_spec(m, unit, abbrev, DW_AT_high_pc);
}

static void add_some(struct maker *m, const struct unit *unit, struct abbrev *abbrev, const uint16_t *attributes)
{
    for (; *attributes != 0; attributes++) {
        if (chance(m, 2)) add_spec(m, unit, abbrev, *attributes);
    }
}

/* Turns the attributes of an abbreviation: readers must not mind their order. */
static void turn(struct maker *m, struct abbrev *abbrev)
{
    struct abbrev old = *abbrev;
    unsigned by = abbrev->count > 1 ? pick(m, abbrev->count) : 0;
    for (unsigned i = 0; i < abbrev->count; i++) abbrev->specs[i] = old.specs[(i + by) % abbrev->count];
}

static void fill_abbrev(struct maker *m, const struct unit *unit, struct abbrev *abbrev)
{
    static const uint16_t of_subprogram[] = {DW_AT_name, DW_AT_linkage_name, DW_AT_decl_file, DW_AT_decl_line, 0x3f, 0x40, 0x49, 0};
    static const uint16_t of_inlined[] = {DW_AT_abstract_origin, DW_AT_call_file, DW_AT_call_line, DW_AT_call_column, 0};
    static const uint16_t of_rare[] = {DW_AT_abstract_origin, DW_AT_specification, DW_AT_artificial, 0x3c, 0x20, DW_AT_MIPS_linkage_name, 0x52, 0};
    static const uint16_t of_others[] = {DW_AT_name, 0x49, DW_AT_decl_file, DW_AT_decl_line, 0x0b, 0x02, 0x38, 0};
    const bool function = abbrev->tag == DW_TAG_subprogram || abbrev->tag == DW_TAG_inlined_subroutine;

    if (chance(m, 3)) add_spec(m, unit, abbrev, DW_AT_sibling);
    add_some(m, unit, abbrev, abbrev->tag == DW_TAG_subprogram ? of_subprogram : function ? of_inlined : of_others);
    if (function && chance(m, 3)) add_some(m, unit, abbrev, of_rare);
    if (function || abbrev->tag == 0x0b || break_it(m)) add_place(m, unit, abbrev);
    if (break_it(m)) add_spec(m, unit, abbrev, (uint16_t)any_number(m));
    turn(m, abbrev);
}

static void fill_root(struct maker *m, const struct unit *unit, struct abbrev *abbrev)
{
    static const uint16_t plain[] = {DW_AT_name, DW_AT_comp_dir, DW_AT_producer, DW_AT_language, 0};
    const bool bases = unit->version >= 5;

    add_some(m, unit, abbrev, plain);
    if (!chance(m, 5)) add_spec(m, unit, abbrev, DW_AT_stmt_list);
    add_place(m, unit, abbrev);
    if (!break_it(m) && bases) {
        add_spec(m, unit, abbrev, DW_AT_str_offsets_base);
        add_spec(m, unit, abbrev, DW_AT_addr_base);
        add_spec(m, unit, abbrev, DW_AT_rnglists_base);
    }
    if (unit->version == 4) add_spec(m, unit, abbrev, DW_AT_GNU_addr_base);
    if (unit->type == DW_UT_skeleton || break_it(m)) add_spec(m, unit, abbrev, unit->version >= 5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name);
    turn(m, abbrev);
}

/* The number of an abbreviation of this tag: one that is there, or a new one. */
static unsigned abbrev_for(struct maker *m, const struct unit *unit, uint16_t tag, bool children, bool root)
{
    struct table *table = &m->tables[unit->table];

    if (!root && chance(m, 2)) {
        for (unsigned i = 0; i < table->count; i++) {
            if (table->abbrevs[i].tag == tag && table->abbrevs[i].children == children) return i;
        }
    }
    if (table->count == ABBREVS_MOST) return pick(m, table->count);
    struct abbrev *abbrev = &table->abbrevs[table->count];
    *abbrev = (struct abbrev){.tag = tag, .children = children};
    if (root) fill_root(m, unit, abbrev);
    else fill_abbrev(m, unit, abbrev);
    return table->count++;
}

/* Where a value of a sibling attribute stands, to be set when the sibling is known. */
struct sibling {
    size_t at;
    unsigned width;
    bool whole;
};

static struct sibling put_values(struct maker *m, const struct unit *unit, const struct abbrev *abbrev)
{
    struct made_section *to = section(m, DWARF_INFO);
    struct sibling sibling = {0, 0, false};

    for (unsigned i = 0; i < abbrev->count; i++) {
        const struct spec *spec = &abbrev->specs[i];
        size_t at = to->size;
        put_value(m, unit, spec);
        if (spec->attribute != DW_AT_sibling || spec->form == DW_FORM_indirect) continue;
        bool fixed = spec->form == DW_FORM_ref2 || spec->form == DW_FORM_ref4 || spec->form == DW_FORM_ref8 || spec->form == DW_FORM_ref_addr;
        if (fixed) sibling = (struct sibling){at, (unsigned)(to->size - at), spec->form == DW_FORM_ref_addr};
    }
    return sibling;
}

static void settle_sibling(struct maker *m, const struct unit *unit, struct sibling sibling)
{
    struct made_section *to = section(m, DWARF_INFO);

    if (sibling.width == 0 || break_it(m)) return; /* it leads where a reference led */
    set_number(m, to, sibling.at, sibling.whole ? to->size : to->size - unit->offset, sibling.width);
    if (break_it(m)) set_number(m, to, sibling.at, to->size - unit->offset + pick(m, 40) - 20, sibling.width);
}

static void make_children(struct maker *m, const struct unit *unit, const struct abbrev *above);

static void make_entry(struct maker *m, const struct unit *unit, uint16_t tag, bool root)
{
    struct made_section *to = section(m, DWARF_INFO);
    bool children = root || (m->depth < DEPTH_MOST && (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == 0x0b || tag == 0x39
                                                           ? !chance(m, 3) : chance(m, 4)));
    unsigned number = abbrev_for(m, unit, tag, children, root);
    const struct abbrev *abbrev = &m->tables[unit->table].abbrevs[number];

    if (m->entry_count < ENTRIES_MOST) m->entries[m->entry_count++] = (struct entry){to->size, m->unit_count - 1, tag};
    put_uleb(m, to, break_it(m) ? pick(m, 300) : number + 1);
    struct sibling sibling = put_values(m, unit, abbrev);
    if (!abbrev->children) return;
    m->depth++;
    make_children(m, unit, abbrev);
    m->depth--;
    if (!break_it(m)) put_byte(to, 0);
    settle_sibling(m, unit, sibling);
}

/* Whether functions and inlined code may stand below an entry. What is a declaration, or says of a function how it was before it was inlined, holds none. */
static bool may_hold_code(const struct abbrev *abbrev)
{
    for (unsigned i = 0; i < abbrev->count; i++) {
        if (abbrev->specs[i].attribute == 0x20 || abbrev->specs[i].attribute == 0x3c) return false;
    }
    switch (abbrev->tag) {
    case DW_TAG_compile_unit: case DW_TAG_partial_unit: case DW_TAG_skeleton_unit: case DW_TAG_type_unit: case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine: case 0x0b: case 0x39: return true;
    default: return false;
    }
}

static uint16_t child_tag(struct maker *m, const struct abbrev *above)
{
    if (m->wild == 0 && !may_hold_code(above)) return PICK(m, 0x05, 0x34, 0x24, 0x0d, 0x18, 0x28);
    if (above->tag == DW_TAG_subprogram || above->tag == DW_TAG_inlined_subroutine || above->tag == 0x0b) {
        return PICK(m, DW_TAG_inlined_subroutine, DW_TAG_inlined_subroutine, DW_TAG_inlined_subroutine, 0x0b, 0x0b, 0x34, 0x05, 0x48, 0x0a, DW_TAG_subprogram);
    }
    /* Inlined code that is in no function is none of the sound things. */
    return PICK(m, DW_TAG_subprogram, DW_TAG_subprogram, DW_TAG_subprogram, 0x39, 0x13, 0x02, 0x34, 0x24, 0x0f, m->wild == 0 ? 0x16 : DW_TAG_inlined_subroutine);
}

static void make_children(struct maker *m, const struct unit *unit, const struct abbrev *above)
{
    /* Tables grow while children are made, but stay where they are. */
    for (unsigned left = pick(m, m->depth < 4 ? 8 : 3); left > 0 && m->entry_count < ENTRIES_MOST; left--) make_entry(m, unit, child_tag(m, above), false);
}

/* --- units --- */

/* A table of another unit, or a new one. */
static unsigned choose_table(struct maker *m, const struct unit *unit)
{
    const bool any = break_it(m);

    for (unsigned i = 0; i < m->table_count; i++) {
        const struct table *table = &m->tables[i];
        if ((any || (table->version == unit->version && table->offset_size == unit->offset_size)) && chance(m, 2)) return i;
    }
    m->tables[m->table_count].version = unit->version;
    m->tables[m->table_count].offset_size = unit->offset_size;
    return m->table_count++;
}

static void choose_unit(struct maker *m, struct unit *unit)
{
    unit->version = (uint16_t)PICK(m, 5, 4, 5, 4, 3, 2);
    unit->offset_size = (uint8_t)(unit->version >= 3 && chance(m, 4) ? 8 : 4);
    unit->address_size = m->out->is64 ? 8 : 4;
    if (break_it(m)) unit->address_size = (uint8_t)PICK(m, 4, 8, 2);
    unit->type = (uint8_t)PICK(m, DW_UT_compile, DW_UT_compile, DW_UT_compile, DW_UT_compile, DW_UT_partial, DW_UT_skeleton, DW_UT_type);
    if (unit->version < 5 && unit->type == DW_UT_type) unit->type = DW_UT_compile; /* they had a section of their own */
    unit->table = choose_table(m, unit);
}

static void make_unit_header(struct maker *m, struct unit *unit)
{
    struct made_section *to = section(m, DWARF_INFO);

    put(m, to, good_or_not(m, unit->version), 2);
    if (unit->version >= 5) {
        put_byte(to, (unsigned)good_or_not(m, unit->type));
        put_byte(to, unit->address_size);
    }
    unit->abbrev_at = to->size;
    put(m, to, 0, unit->offset_size);
    if (unit->version < 5) put_byte(to, unit->address_size);
    if (unit->version >= 5 && unit->type != DW_UT_compile && unit->type != DW_UT_partial) put(m, to, any_number(m), 8);
    if (unit->version >= 5 && unit->type == DW_UT_type) put(m, to, 30, unit->offset_size);
}

static void make_unit(struct maker *m)
{
    struct made_section *to = section(m, DWARF_INFO);
    struct unit *unit = &m->units[m->unit_count++];

    choose_unit(m, unit);
    unit->offset = to->size;
    m->unit_first = m->entry_count;
    make_addresses(m, unit);
    make_string_offsets(m, unit);
    make_lists(m, unit);
    make_line_program(m, unit);
    if (chance(m, 3)) make_address_set(m, unit);
    size_t at = begin_length(m, to, unit->offset_size);
    make_unit_header(m, unit);
    const uint16_t tags[] = {0, DW_TAG_compile_unit, DW_TAG_type_unit, DW_TAG_partial_unit,
                             (uint16_t)(unit->version >= 5 ? DW_TAG_skeleton_unit : DW_TAG_compile_unit)};
    make_entry(m, unit, tags[unit->type], true);
    if (chance(m, 8)) for (unsigned i = pick(m, 6); i > 0; i--) put_byte(to, 0);
    end_length(m, to, at, unit->offset_size);
}

/* --- all of it --- */

static void write_table(struct maker *m, struct table *table)
{
    struct made_section *to = section(m, DWARF_ABBREV);

    table->offset = to->size;
    for (unsigned i = 0; i < table->count; i++) {
        const struct abbrev *abbrev = &table->abbrevs[i];
        put_uleb(m, to, break_it(m) ? pick(m, 400) : i + 1);
        put_uleb(m, to, good_or_not(m, abbrev->tag));
        put_byte(to, abbrev->children);
        for (unsigned j = 0; j < abbrev->count; j++) {
            put_uleb(m, to, abbrev->specs[j].attribute);
            put_uleb(m, to, abbrev->specs[j].form);
            if (abbrev->specs[j].form == DW_FORM_implicit_const) put_sleb(to, abbrev->specs[j].implicit);
        }
        put_byte(to, 0);
        put_byte(to, 0);
    }
    if (!break_it(m)) put_byte(to, 0);
}

static void settle(struct maker *m)
{
    struct made_section *to = section(m, DWARF_INFO);

    for (unsigned i = 0; i < m->table_count; i++) write_table(m, &m->tables[i]);
    for (unsigned i = 0; i < m->unit_count; i++) {
        const struct unit *unit = &m->units[i];
        set_number(m, to, unit->abbrev_at, good_or_not(m, m->tables[unit->table].offset), unit->offset_size);
    }
    for (unsigned i = 0; i < m->fix_count; i++) {
        const struct fix *fix = &m->fixes[i];
        const struct entry *entry = &m->entries[pick(m, m->entry_count)];
        if (fix->from_unit && entry->unit != fix->unit) continue;
        set_number(m, to, fix->at, fix->from_unit ? entry->offset - m->units[fix->unit].offset : entry->offset, fix->width);
    }
}

static void damage(struct maker *m)
{
    m->out->broken = true;
    for (unsigned left = 1 + pick(m, 6); left > 0; left--) {
        struct made_section *to = section(m, chance(m, 2) ? DWARF_INFO : pick(m, DWARF_SECTIONS));
        if (to->size == 0) continue;
        size_t at = (pick(m, 256) | (size_t)pick(m, 256) << 8) % to->size;
        if (chance(m, 12)) to->size = at;
        else to->data[at] = (unsigned char)(chance(m, 2) ? choice(m) : to->data[at] ^ 1u << pick(m, 8));
    }
}

void dwarf_make(const uint8_t *choices, size_t size, struct made_dwarf *out)
{
    struct maker *m = calloc(1, sizeof *m);
    const uint8_t flags = size > 0 ? choices[0] : 0;

    if (m == NULL) abort();
    *out = (struct made_dwarf){.is64 = (flags & 2) == 0, .big_endian = (flags & 1) != 0};
    *m = (struct maker){.choices = choices, .size = size, .at = 1, .random = 88172645463325252u, .random_tail = (flags & 32) != 0, .out = out};
    for (size_t i = 0; i < size; i++) m->random = (m->random ^ choices[i]) * 1099511628211u;
    m->wild = (flags & 4 ? 1 : 0) + (flags & 8 ? 4 : 0);
    out->broken = m->wild > 0;
    make_strings(m, DWARF_STR, m->strings);
    make_strings(m, DWARF_LINE_STR, m->line_strings);
    for (unsigned left = 1 + pick(m, UNITS_MOST); left > 0; left--) make_unit(m);
    settle(m);
    if (flags & 16) damage(m);
    free(m);
}

void dwarf_made_free(struct made_dwarf *made)
{
    for (unsigned i = 0; i < DWARF_SECTIONS; i++) free(made->sections[i].data);
    *made = (struct made_dwarf){.is64 = false};
}

bool dwarf_image_made(const struct made_dwarf *made, struct fm_arena *arena, struct dwarf_image *out)
{
    framemap_str contents[DWARF_SECTIONS];

    for (unsigned i = 0; i < DWARF_SECTIONS; i++) {
        contents[i] = (framemap_str){(const char *)made->sections[i].data, made->sections[i].size};
    }
    return dwarf_image_of(contents, made->is64, made->big_endian, arena, out);
}
