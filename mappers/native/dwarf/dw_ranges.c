/* Decodes range lists (DWARF 5 sections 2.17.3 and 7.25; DWARF 4 section 2.17.3). libdwarf is not used for this: lists
 * are read in place without an allocation for each entry, and libdwarf need not be given these sections. */
#include "mappers/native/dwarf/dw_ranges.h"

#include "core/checked.h"
#include "core/error.h"
#include "mappers/native/dwarf/dw_constants.h"

void fm_dw_range_list_free(struct fm_dw_range_list *list)
{
    fm_heap_free(list->heap, list->ranges, list->capacity * sizeof *list->ranges);
    list->ranges = NULL;
    list->count = list->capacity = 0;
}

/* Returns the end of the code section that contains an address; 0: no code section contains it. */
static uint64_t code_end(struct fm_dw_range_list *list, uint64_t address)
{
    struct fm_dw_around *around = &list->around;
    const uint32_t number = fm_image_section_around(list->image, address, &around->low, &around->high);

    around->code_end = 0;
    if (address < list->image->code_start) around->high = list->image->code_start;
    if (number == UINT32_MAX || address < list->image->code_start) return 0;
    if (around->low < list->image->code_start) around->low = list->image->code_start;
    const struct fm_section *section = &list->image->sections[number];
    if ((section->flags & FM_SECTION_EXEC) != 0 && !fm_add_u64(section->address, section->size, &around->code_end))
        around->code_end = UINT64_MAX;
    return around->code_end;
}

static inline bool add_range(struct fm_dw_range_list *list, uint64_t low, uint64_t high)
{
    if (low >= high) return true;
    const struct fm_dw_around *around =
        /* the code around the previous range is tried first, since a range is nearly always in the same section */
        &list->around;
    const uint64_t end = low >= around->low && low < around->high ? around->code_end : code_end(list, low);
    if (end == 0) return true;
    if (high > end) high = end;
    if (!FM_GROW(list->heap, list->ranges, list->capacity, list->count + 1)) return false;
    list->ranges[list->count++] = (struct fm_dw_range){low, high};
    return true;
}

bool fm_dw_range_add(struct fm_dw_range_list *list, uint64_t low, uint64_t high) { return add_range(list, low, high); }

/* State while one list is read. */
struct list_reader {
    const struct fm_dw_sections *sections;
    const struct fm_dw_encoding *encoding;
    struct fm_dw_range_list *to;
    struct fm_byte_reader r;
    uint64_t base;
    /* the base address belongs to discarded code, and so do all ranges that are relative to this base */
    bool base_dead;
};

/* Least number of bytes that an entry of .debug_rnglists takes from the budget: each range needs the same memory, even
 * if very few bytes encode it. */
#define RANGE_WORK 16

/* Takes `bytes` from the unit's budget for range lists. Returns false if less than that is left. */
static bool spend_budget(struct list_reader *l, uint64_t bytes)
{
    if (bytes > l->to->work_left) {
        l->to->work_left = 0;
        return false;
    }
    l->to->work_left -= bytes;
    return true;
}

static uint64_t highest_address(const struct fm_dw_encoding *encoding)
{
    return encoding->address_size == 8 ? UINT64_MAX : ((uint64_t)1 << (encoding->address_size * 8u)) - 1;
}

static void set_base(struct list_reader *l, uint64_t base)
{
    l->base = base;
    l->base_dead = base >= highest_address(l->encoding) - 1;
}

static inline bool add_from_base(struct list_reader *l, uint64_t low, uint64_t high)
{
    uint64_t mask = highest_address(l->encoding);
    if (l->base_dead) return true;
    return add_range(l->to, (l->base + low) & mask, (l->base + high) & mask);
}

static bool address_at(struct list_reader *l, uint64_t index, uint64_t *out)
{
    /* if the index is invalid, only the range that uses it is lost, and not the whole list */
    if (!fm_dw_address_index(l->sections, l->encoding, index, out)) *out = highest_address(l->encoding);
    return true;
}

static framemap_status list_fault(const struct list_reader *l, const char *section, framemap_error *error)
{
    fm_error_at(error, FRAMEMAP_E_CORRUPT, l->r.at, "range list runs out of its section");
    fm_error_where(error, framemap_str_of(section));
    return FRAMEMAP_E_CORRUPT;
}

/* Reads a list in .debug_ranges, which has pairs of addresses: (max, x) sets the base address, (0, 0) ends the list. */
static inline framemap_status read_pairs_of(struct list_reader *l, unsigned width, framemap_error *error)
{
    const uint64_t highest = highest_address(l->encoding);

    for (;;) {
        const uint64_t low = fm_read_uint(&l->r, width);
        const uint64_t high = fm_read_uint(&l->r, width);
        if (l->r.bad) return list_fault(l, ".debug_ranges", error);
        if (!spend_budget(l, 2 * (uint64_t)width))
            return fm_error_set(error, FRAMEMAP_E_LIMIT, "range lists are read too many times");
        if (low == 0 && high == 0) return FRAMEMAP_OK;
        if (low == highest)
            set_base(l, high);
        else if (!add_from_base(l, low, high))
            return fm_error_memory(error);
    }
}

/* Calls read_pairs_of; if addresses have eight bytes, as nearly all have, the call has this size as a constant, which
 * makes a fast loop. */
static framemap_status read_pairs(struct list_reader *l, framemap_error *error)
{
    const unsigned width = l->encoding->address_size;
    return width == 8 ? read_pairs_of(l, 8, error) : read_pairs_of(l, width, error);
}

/* Reads the rest of an entry of .debug_rnglists, whose kind was read before; sets *done at the end of the list. */
static bool read_entry(struct list_reader *l, uint8_t kind, bool *done)
{
    unsigned width = l->encoding->address_size;
    uint64_t a = 0;
    uint64_t b = 0;

    switch (kind) {
    case DW_RLE_end_of_list: *done = true; return true;
    case DW_RLE_base_addressx:
        address_at(l, fm_read_uleb(&l->r), &a);
        set_base(l, a);
        return true;
    case DW_RLE_startx_endx:
        address_at(l, fm_read_uleb(&l->r), &a);
        address_at(l, fm_read_uleb(&l->r), &b);
        break;
    case DW_RLE_startx_length:
        address_at(l, fm_read_uleb(&l->r), &a);
        if (!fm_add_u64(a, fm_read_uleb(&l->r), &b)) b = 0;
        break;
    case DW_RLE_offset_pair:
        a = fm_read_uleb(&l->r);
        b = fm_read_uleb(&l->r);
        return l->r.bad || add_from_base(l, a, b);
    case DW_RLE_base_address: set_base(l, fm_read_uint(&l->r, width)); return true;
    case DW_RLE_start_end:
        a = fm_read_uint(&l->r, width);
        b = fm_read_uint(&l->r, width);
        break;
    case DW_RLE_start_length:
        a = fm_read_uint(&l->r, width);
        if (!fm_add_u64(a, fm_read_uleb(&l->r), &b)) b = 0;
        break;
    default: l->r.bad = true; return true;
    }
    return l->r.bad || add_range(l->to, a, b);
}

static framemap_status read_entries(struct list_reader *l, framemap_error *error)
{
    for (bool done = false; !done;) {
        size_t from = l->r.at;
        uint8_t kind = fm_read_u8(&l->r);
        if (l->r.bad) return list_fault(l, ".debug_rnglists", error);
        if (!read_entry(l, kind, &done)) return fm_error_memory(error);
        if (l->r.bad) return list_fault(l, ".debug_rnglists", error);
        const uint64_t taken = l->r.at - from;
        if (!spend_budget(l, taken > RANGE_WORK ? taken : RANGE_WORK))
            return fm_error_set(error, FRAMEMAP_E_LIMIT, "range lists are read too many times");
    }
    return FRAMEMAP_OK;
}

/* Gets the offset of a list in .debug_rnglists. The attribute has it directly, or as an index in the table of offsets
 * at the unit's base.
 */
static bool list_offset(const struct list_reader *l, const struct fm_dw_value *value, uint64_t *out)
{
    const struct fm_dw_encoding *encoding = l->encoding;
    uint64_t at;

    if (value->class == FM_DW_NUMBER) {
        *out = value->number + encoding->lists_start;
        return true;
    }
    if (value->class != FM_DW_LIST_INDEX || !fm_mul_u64(value->number, encoding->offset_size, &at) ||
        !fm_add_u64(at, encoding->rnglists_base, &at)) {
        return false;
    }
    struct fm_byte_reader r = fm_byte_reader_of(l->sections->rnglists, l->sections->big_endian);
    fm_byte_reader_seek(&r, at);
    return fm_add_u64(fm_read_uint(&r, encoding->offset_size), encoding->rnglists_base, out) && !r.bad;
}

static framemap_status read_list(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                                 const struct fm_dw_value *value, struct fm_dw_range_list *list, framemap_error *error)
{
    struct list_reader l = {.sections = sections, .encoding = encoding, .to = list};
    const bool five = encoding->version >= 5;
    uint64_t offset = value->number + encoding->lists_start;
    const bool known = five ? list_offset(&l, value, &offset) : value->class == FM_DW_NUMBER;

    if (!known) {
        return fm_error_at(error, FRAMEMAP_E_CORRUPT, value->number, "range list index can't be resolved to an offset");
    }
    l.r = fm_byte_reader_of(five ? sections->rnglists : sections->ranges, sections->big_endian);
    fm_byte_reader_seek(&l.r, offset);
    set_base(&l, encoding->low_pc);
    return five ? read_entries(&l, error) : read_pairs(&l, error);
}

/* Implements dw_ranges.h. As in LLVM, a pair of low and high pc takes precedence over a list. A unit entry with a list
 * has only a low pc: the base address of the list, usually 0. */
framemap_status fm_dw_ranges_read(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                                  const struct fm_dw_bounds *bounds, struct fm_dw_range_list *list,
                                  framemap_error *error)
{
    uint64_t low;
    uint64_t high;

    list->count = 0;
    if (bounds->low.form == 0 || bounds->high.form == 0 || !fm_dw_value_address(sections, encoding, &bounds->low, &low))
        return bounds->ranges.form != 0 ? read_list(sections, encoding, &bounds->ranges, list, error) : FRAMEMAP_OK;
    /* Since DWARF 4 a constant high pc is a length, and nearly all are. */
    if (bounds->high.class == FM_DW_NUMBER) {
        if (!fm_add_u64(low, bounds->high.number, &high)) return FRAMEMAP_OK;
    } else if (!fm_dw_value_address(sections, encoding, &bounds->high, &high)) {
        return FRAMEMAP_OK;
    }
    return add_range(list, low, high) ? FRAMEMAP_OK : fm_error_memory(error);
}
