/* Reads .debug_aranges. See dw_aranges.h. */
#include "mappers/native/dwarf/dw_aranges.h"

#include "core/checked.h"
#include "core/error.h"
#include "core/text/text.h"

/* Reads one set, which lists the ranges of one unit. Returns false when out of memory; sets r->bad if the set cannot be
 * read. */
static bool read_set(struct fm_byte_reader *r, struct fm_address_spans *spans)
{
    unsigned offset_size = 4;
    size_t from = r->at;
    uint64_t length = fm_read_u32(r);

    if (length == 0xffffffff) {
        offset_size = 8;
        length = fm_read_u64(r);
    }
    if (length > fm_byte_reader_left(r)) {
        r->bad = true;
        return true;
    }
    size_t end = r->at + (size_t)length;
    uint16_t version = fm_read_u16(r);
    uint64_t unit = fm_read_uint(r, offset_size);
    unsigned width = fm_read_u8(r);
    uint8_t selector = fm_read_u8(r);
    if (r->bad || version != 2 || (width != 4 && width != 8) || selector != 0) {
        r->bad = true;
        return true;
    }
    /* padding is skipped: pairs are aligned to their size, relative to the start of the set */
    for (r->at += (2 * width - (r->at - from) % (2 * width)) % (2 * width); r->at <= end && end - r->at >= 2 * width;) {
        uint64_t low = fm_read_uint(r, width);
        uint64_t size = fm_read_uint(r, width);
        uint64_t high;
        if (size == 0 || !fm_add_u64(low, size, &high)) continue;
        if (!fm_address_spans_add(spans, unit, high, low, 0)) return false;
    }
    r->at = end;
    return true;
}

bool fm_dw_aranges_load(struct fm_dw_aranges *aranges, struct fm_heap *heap, const struct fm_dw_sections *sections,
                        fm_dw_fault *fault, void *context)
{
    struct fm_byte_reader r = fm_byte_reader_of(sections->aranges, sections->big_endian);
    framemap_error error = {0};

    *aranges = (struct fm_dw_aranges){.spans = {.heap = heap}};
    while (!r.bad && r.at < r.size) {
        size_t from = r.at;
        if (!read_set(&r, &aranges->spans)) return false;
        if (!r.bad) continue;
        fm_error_at(&error, FRAMEMAP_E_CORRUPT, from, "table of address ranges can't be read from here on");
        fm_error_where(&error, FM_STR(".debug_aranges"));
        fault(context, &error);
    }
    return fm_address_spans_sort(&aranges->spans);
}

void fm_dw_aranges_free(struct fm_dw_aranges *aranges) { fm_address_spans_free(&aranges->spans); }

bool fm_dw_aranges_add(const struct fm_dw_aranges *aranges, uint64_t unit, struct fm_dw_range_list *list)
{
    const struct fm_address_spans *spans = &aranges->spans;
    size_t low = 0;
    size_t high = spans->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spans->items[middle].low < unit)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < spans->count && spans->items[low].low == unit; low++) {
        if (!fm_dw_range_add(list, spans->items[low].rank, spans->items[low].high)) return false;
    }
    return true;
}
