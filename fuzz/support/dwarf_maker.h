/* The state that the dwarf_make*.c files share while they generate debug info: the choices, the output, and what has
 * been written so far. */
#ifndef FM_FUZZ_SUPPORT_DWARF_MAKER_H
#define FM_FUZZ_SUPPORT_DWARF_MAKER_H

#include "fuzz/support/dwarf_make.h"

#include <stdlib.h>

enum {
    UNITS_MOST = 6,
    STRINGS = 24,
    LISTS = 4,
    ADDRESSES = 12,
    INDEXED_STRINGS = 8,
    SPECS_MOST = 16,
    ABBREVS_MOST = 160,
    ENTRIES_MOST = 600,
    DEPTH_MOST = 24,
    FIXES_MOST = 64,
    ROWS_MOST = 60
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
    uint16_t version; /* version of the units that use the table; the meaning of forms depends on it */
    uint8_t offset_size;
};
struct entry {
    uint64_t offset;
    unsigned unit;
    uint16_t tag;
};
/* A reference to an entry that has not been written yet. */
struct fix {
    size_t at;
    unsigned width, unit;
    bool from_unit;
};
struct unit {
    /* offset: position of the unit; abbrev_at: position, in the unit header, of the field with the offset of the
     * abbreviation table */
    uint64_t offset, abbrev_at;
    uint16_t version;
    uint8_t offset_size, address_size, type;
    unsigned table;
    uint64_t str_offsets_base, addr_base, rnglists_base;
    uint64_t lists[LISTS]; /* offsets of range lists, in .debug_rnglists or before version 5 in .debug_ranges */
};

struct maker {
    const uint8_t *choices;
    size_t size, at;
    uint64_t random;
    bool random_tail;
    unsigned wild; /* 0: everything is valid; else about one choice in (64 / wild) is invalid */
    struct made_dwarf *out;
    uint64_t strings[STRINGS], line_strings[STRINGS];
    struct table tables[UNITS_MOST];
    unsigned table_count;
    struct unit units[UNITS_MOST];
    unsigned unit_count;
    struct entry entries[ENTRIES_MOST];
    /* entry_count: number of entries so far; unit_first: index of the first entry of the current unit */
    unsigned entry_count, unit_first;
    struct fix fixes[FIXES_MOST];
    unsigned fix_count;
    uint64_t line_programs[UNITS_MOST];
    unsigned line_count;
    unsigned depth;
};

/* --- choosing at random --- */

static inline uint8_t choice(struct maker *m)
{
    if (m->at < m->size) return m->choices[m->at++];
    if (!m->random_tail) return 0;
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(m->random >> 56);
}

/* Makes a choice from 0 to limit - 1. Call it at most once per expression: C does not define the order of evaluation,
 * so with two calls the output would depend on the compiler. */
static inline unsigned pick(struct maker *m, unsigned limit)
{
    unsigned value = choice(m);
    if (limit > 256) value |= (unsigned)choice(m) << 8;
    return value % limit;
}

static inline bool chance(struct maker *m, unsigned of) { return pick(m, of) == of - 1; }

/* Whether to violate the standard at this place: a random decision. */
static inline bool break_it(struct maker *m)
{
    if (m->wild == 0 || pick(m, 64) >= m->wild) return false;
    m->out->broken = true;
    return true;
}

static inline uint64_t any_number(struct maker *m)
{
    uint64_t value = 0;
    for (unsigned left = 1 + pick(m, 8); left > 0; left--) value = value << 8 | choice(m);
    return value;
}

#define PICK(m, ...) \
    pick_of((m), (const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t))
static inline uint16_t pick_of(struct maker *m, const uint16_t *values, size_t count)
{
    return values[pick(m, (unsigned)count)];
}

/* --- writing bytes to sections --- */

static inline struct made_section *section(struct maker *m, unsigned which) { return &m->out->sections[which]; }

static inline void put_byte(struct made_section *to, unsigned value)
{
    if (to->size == to->capacity) {
        to->capacity = to->capacity * 2 + 256;
        unsigned char *moved = realloc(to->data, to->capacity);
        if (moved == NULL) abort();
        to->data = moved;
    }
    to->data[to->size++] = (unsigned char)value;
}

static inline void set_number(const struct maker *m, struct made_section *to, size_t at, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned shift = 8 * (m->out->big_endian ? width - 1 - i : i);
        to->data[at + i] = (unsigned char)(value >> shift);
    }
}

static inline void put(struct maker *m, struct made_section *to, uint64_t value, unsigned width)
{
    size_t at = to->size;
    for (unsigned i = 0; i < width; i++) put_byte(to, 0);
    set_number(m, to, at, value, width);
}

/* Writes an unsigned LEB128 number, sometimes with more bytes than necessary, as linkers write numbers that they
 * fill in later. */
static inline void put_uleb(struct maker *m, struct made_section *to, uint64_t value)
{
    unsigned padding = chance(m, 40) ? 1 + pick(m, 3) : 0;
    do {
        put_byte(to, (value & 0x7f) | (value > 0x7f || padding > 0 ? 0x80 : 0));
        value >>= 7;
    } while (value != 0);
    for (; padding > 0; padding--) put_byte(to, padding > 1 ? 0x80 : 0);
}

static inline void put_sleb(struct made_section *to, int64_t value)
{
    for (;;) {
        unsigned byte = (unsigned)value & 0x7f;
        value = value < 0 ? -(int64_t)((~(uint64_t)value) >> 7) - 1 : value >> 7;
        bool last = (value == 0 && (byte & 0x40) == 0) || (value == -1 && (byte & 0x40) != 0);
        put_byte(to, byte | (last ? 0 : 0x80));
        if (last) return;
    }
}

static inline void put_text(struct made_section *to, const char *text)
{
    do put_byte(to, (unsigned char)*text);
    while (*text++ != '\0');
}

/* Reserves the length field of a unit; end_length sets it later. Returns the position of the field. */
static inline size_t begin_length(struct maker *m, struct made_section *to, unsigned offset_size)
{
    size_t at = to->size;
    if (offset_size == 8) put(m, to, 0xffffffff, 4);
    put(m, to, 0, offset_size);
    return at;
}

static inline void end_length(struct maker *m, struct made_section *to, size_t at, unsigned offset_size)
{
    size_t field = at + (offset_size == 8 ? 4 : 0);
    uint64_t length = to->size - field - offset_size;
    if (break_it(m)) length = chance(m, 2) ? any_number(m) : length + pick(m, 16) - 8;
    set_number(m, to, field, length, offset_size);
}

/* --- choosing addresses and offsets --- */

static inline uint64_t any_address(struct maker *m, unsigned width)
{
    static const uint64_t odd[] = {0,
                                   1,
                                   UINT64_MAX,
                                   UINT64_MAX - 1,
                                   DWARF_TEXT_BASE - 1,
                                   DWARF_TEXT_BASE + DWARF_TEXT_SIZE,
                                   DWARF_TEXT_BASE + DWARF_TEXT_SIZE - 1,
                                   0x7fffffff,
                                   (uint64_t)1 << 40};
    uint64_t address = DWARF_TEXT_BASE + 16 * pick(m, 0x1000);
    address += pick(m, 16);
    if (chance(m, 12)) address = odd[pick(m, 9)];
    return width == 4 ? (uint32_t)address : address;
}

/* Returns `good`, a valid number, or sometimes another number. */
static inline uint64_t good_or_not(struct maker *m, uint64_t good) { return break_it(m) ? any_number(m) : good; }

/* --- making the parts of debug info --- */

/* These functions make a unit's tables of addresses, string offsets and range lists, and its part of .debug_aranges.
 * They store the positions of the tables in the unit. Defined in dwarf_make_tables.c. */
void dwarf_make_addresses(struct maker *m, struct unit *unit);
void dwarf_make_string_offsets(struct maker *m, struct unit *unit);
void dwarf_make_range_lists(struct maker *m, struct unit *unit);
void dwarf_make_address_set(struct maker *m, const struct unit *unit);

/* Makes the line program of a unit, and stores its position in m->line_programs. Defined in dwarf_make_lines.c. */
void dwarf_make_line_program(struct maker *m, const struct unit *unit);

/* Defined in dwarf_make_values.c. dwarf_form_for returns a form for an attribute; the two functions after it return a
 * number that is suitable for an attribute, and append a value to .debug_info. */
uint16_t dwarf_form_for(struct maker *m, const struct unit *unit, uint16_t attribute);
uint64_t dwarf_number_for(struct maker *m, const struct unit *unit, uint16_t attribute);
void dwarf_put_value(struct maker *m, const struct unit *unit, const struct spec *spec);

/* Makes the root entry of the last unit, and all entries below it. New abbreviations are added to the unit's table.
 * Defined in dwarf_make_entries.c. */
void dwarf_make_entries(struct maker *m, const struct unit *unit, uint16_t tag);

#endif
