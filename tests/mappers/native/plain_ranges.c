/* The simple DWARF reader: address ranges. See plain_inner.h. */
#include "tests/mappers/native/plain_inner.h"

#include "mappers/native/dwarf/dw_constants.h"

/* Adds a range if it starts in code, and cuts it at the end of the section. */
void plain_add_range(const struct fm_dw_debug *debug, struct range_list *list, uint64_t low, uint64_t high)
{
    const uint32_t number_of = fm_image_section_at(debug->image, low);

    if (low >= high || number_of == UINT32_MAX || low < debug->image->code_start) return;
    const struct fm_section *section = &debug->image->sections[number_of];
    if ((section->flags & FM_SECTION_EXEC) == 0) return;
    if (high > section->address + section->size) high = section->address + section->size;
    *ADD(list->items, list->count) = (struct fm_dw_range){low, high};
}

static uint64_t highest(const struct unit *unit) { return unit->address_size == 8 ? UINT64_MAX : UINT32_MAX; }

/* Adds a range relative to a base. The two highest addresses, used as a base, mark discarded code. */
static void add_from(const struct fm_dw_debug *debug, const struct unit *unit, struct range_list *list, uint64_t base,
                     uint64_t low, uint64_t high)
{
    if (base < highest(unit) - 1)
        plain_add_range(debug, list, (base + low) & highest(unit), (base + high) & highest(unit));
}

static void read_pairs(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t at, struct range_list *list)
{
    struct fm_byte_reader r = plain_section_at(debug, PAIRS, at);

    for (uint64_t base = unit->low;;) {
        const uint64_t low = fm_read_uint(&r, unit->address_size), high = fm_read_uint(&r, unit->address_size);
        if (r.bad || (low == 0 && high == 0)) return;
        if (low == highest(unit))
            base = high;
        else
            add_from(debug, unit, list, base, low, high);
    }
}

static void read_list(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t at, struct range_list *list)
{
    struct fm_byte_reader r = plain_section_at(debug, LISTS, at);

    for (uint64_t base = unit->low, a, b; !r.bad;) {
        switch (fm_read_u8(&r)) {
        case DW_RLE_base_addressx: base = plain_indexed_address(debug, unit, fm_read_uleb(&r)).number; continue;
        case DW_RLE_base_address: base = fm_read_uint(&r, unit->address_size); continue;
        case DW_RLE_offset_pair:
            a = fm_read_uleb(&r);
            b = fm_read_uleb(&r);
            add_from(debug, unit, list, base, a, b);
            continue;
        case DW_RLE_startx_endx:
            a = plain_indexed_address(debug, unit, fm_read_uleb(&r)).number;
            b = plain_indexed_address(debug, unit, fm_read_uleb(&r)).number;
            break;
        case DW_RLE_startx_length:
            a = plain_indexed_address(debug, unit, fm_read_uleb(&r)).number;
            b = a + fm_read_uleb(&r);
            break;
        case DW_RLE_start_end:
            a = fm_read_uint(&r, unit->address_size);
            b = fm_read_uint(&r, unit->address_size);
            break;
        case DW_RLE_start_length:
            a = fm_read_uint(&r, unit->address_size);
            b = a + fm_read_uleb(&r);
            break;
        default: return;
        }
        if (!r.bad) plain_add_range(debug, list, a, b);
    }
}

void plain_read_ranges(const struct fm_dw_debug *debug, const struct unit *unit, const struct entry *entry,
                       struct range_list *list)
{
    const struct value *low = &entry->slots[LOW], *high = &entry->slots[HIGH], *ranges = &entry->slots[RANGES];

    list->count = 0;
    if (low->kind == ADDRESS && (high->kind == ADDRESS || high->kind == NUMBER)) {
        plain_add_range(debug, list, low->number, high->kind == ADDRESS ? high->number : low->number + high->number);
    } else if (ranges->kind == NUMBER && unit->version < 5) {
        read_pairs(debug, unit, ranges->number, list);
    } else if (ranges->kind == NUMBER) {
        read_list(debug, unit, ranges->number, list);
    } else if (ranges->kind == LIST_INDEX) {
        struct fm_byte_reader r = plain_section_at(debug, LISTS, unit->list_base + ranges->number * unit->offset_size);
        read_list(debug, unit, unit->list_base + fm_read_uint(&r, unit->offset_size), list);
    }
}
