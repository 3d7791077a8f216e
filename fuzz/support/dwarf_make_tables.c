#include "fuzz/support/dwarf_maker.h"

#include "mappers/native/dwarf/dw_constants.h"

/* Writes the header that all tables of version 5 have. Returns the position of its length field. */
static size_t begin_table(struct maker *m, struct made_section *to, const struct unit *unit)
{
    size_t at = begin_length(m, to, unit->offset_size);
    put(m, to, 5, 2);
    put_byte(to, unit->address_size);
    put_byte(to, 0);
    return at;
}

void dwarf_make_addresses(struct maker *m, struct unit *unit)
{
    struct made_section *to = section(m, DWARF_ADDR);
    size_t at = to->size;

    if (unit->version >= 5) {
        at = begin_table(m, to, unit);
    }
    unit->addr_base = to->size;
    for (unsigned i = 0; i < ADDRESSES; i++) put(m, to, any_address(m, unit->address_size), unit->address_size);
    if (unit->version >= 5) end_length(m, to, at, unit->offset_size);
}

void dwarf_make_string_offsets(struct maker *m, struct unit *unit)
{
    struct made_section *to = section(m, DWARF_STR_OFFSETS);
    size_t at = to->size;

    if (unit->version >= 5) {
        at = begin_length(m, to, unit->offset_size);
        put(m, to, 5, 2);
        put(m, to, 0, 2);
    }
    unit->str_offsets_base = to->size;
    for (unsigned i = 0; i < INDEXED_STRINGS; i++)
        put(m, to, good_or_not(m, m->strings[pick(m, STRINGS)]), unit->offset_size);
    if (unit->version >= 5) end_length(m, to, at, unit->offset_size);
}

/* Writes an entry of .debug_rnglists. */
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

/* Writes a pair of .debug_ranges. */
static void make_range_4(struct maker *m, const struct unit *unit)
{
    struct made_section *to = section(m, DWARF_RANGES);
    unsigned width = unit->address_size;
    uint64_t highest = width == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t low = chance(m, 2) ? pick(m, 2000) + 1 : any_address(m, width);

    if (chance(m, 6)) low = highest; /* this pair does not describe a range: it selects a base address */
    put(m, to, low, width);
    put(m, to, low == highest ? any_address(m, width) : good_or_not(m, low + pick(m, 200)), width);
}

static void make_list(struct maker *m, struct unit *unit, unsigned number)
{
    struct made_section *to = section(m, unit->version >= 5 ? DWARF_RNGLISTS : DWARF_RANGES);

    unit->lists[number] = to->size;
    for (unsigned left = pick(m, 5); left > 0; left--) {
        if (unit->version >= 5)
            make_range_5(m, unit);
        else
            make_range_4(m, unit);
    }
    if (break_it(m)) return; /* the terminator is omitted, so the list continues into the next list */
    if (unit->version >= 5)
        put_byte(to, DW_RLE_end_of_list);
    else
        put(m, to, 0, unit->address_size), put(m, to, 0, unit->address_size);
}

void dwarf_make_range_lists(struct maker *m, struct unit *unit)
{
    struct made_section *to = section(m, DWARF_RNGLISTS);
    size_t at = to->size;

    if (unit->version >= 5) {
        at = begin_table(m, to, unit);
        put(m, to, LISTS, 4);
        unit->rnglists_base = to->size;
        for (unsigned i = 0; i < LISTS; i++) put(m, to, 0, unit->offset_size);
    }
    for (unsigned i = 0; i < LISTS; i++) make_list(m, unit, i);
    if (unit->version < 5) return;
    for (unsigned i = 0; i < LISTS; i++) {
        set_number(m, to, (size_t)unit->rnglists_base + i * unit->offset_size,
                   good_or_not(m, unit->lists[i] - unit->rnglists_base), unit->offset_size);
    }
    end_length(m, to, at, unit->offset_size);
}

void dwarf_make_address_set(struct maker *m, const struct unit *unit)
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
