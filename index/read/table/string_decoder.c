/* Decodes sorted strings: front-coded groups compressed with FSST, decoded on first use and cached. */
#include "index/read/table/string_decoder.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "index/read/table/lazy_table.h"
#include "index/read/table/tables.h"

/* An encoded group of strings: the lengths of the strings, which are in the group's head, and their FSST codes. */
struct packed_group {
    /* start and end of the codes of those strings whose lengths were read; `end` is at most the end of section
     * STRINGS */
    const unsigned char *codes, *end;
    uint32_t count;
    uint16_t common[FM_SORTED_GROUP];
    uint32_t sizes[FM_SORTED_GROUP]; /* number of codes of each string */
};

bool fm_string_table_symbols(const unsigned char *data, uint64_t size, struct fm_fsst_symbols *out)
{
    uint64_t at = FM_FSST_SYMBOL_SIZE;
    out->count = 0;
    if (size == 0) return true;
    if (size < FM_FSST_SYMBOL_SIZE) return false;
    for (unsigned each = 1; each <= FM_FSST_SYMBOL_SIZE; each++) {
        const unsigned count = data[each - 1];
        if (count > FM_FSST_SYMBOLS_MOST - out->count || (uint64_t)count * each > size - at) return false;
        for (unsigned i = 0; i < count; i++, at += each) {
            /* eight bytes can be loaded even at the last string, because at least FMX_TAIL bytes of the file follow the
             * section */
            out->words[out->count] = fm_load64(data + at) & fm_bits_mask(8 * each);
            out->sizes[out->count++] = (uint8_t)each;
        }
    }
    return at == size && out->count > 0;
}

/* Reads the head of a group, with the lengths of its first `rows` strings. false: damaged. */
static bool read_head(const struct fm_view *view, uint64_t group, uint32_t rows, struct packed_group *out)
{
    const struct fm_packed *groups = &view->tables[FMX_SORTED_TEXTS], *strings = &view->tables[FMX_STRINGS];
    const uint64_t at = fm_field(groups, group, SORTED_AT);
    if (at >= strings->size || strings->size - at < 2) return false;
    const unsigned char *data = strings->data + at;
    const uint64_t head = fm_load64(data), left = strings->size - at;
    out->count = (uint32_t)(head & 31) + 1;
    const unsigned common_width = head >> 5 & 15, size_width = head >> 9 & 31;
    const uint64_t bits = 14 + (uint64_t)size_width * out->count + (uint64_t)common_width * (out->count - 1);
    if ((bits + 7) / 8 > left) return false;
    uint64_t bit = 14 + size_width, total = fm_bits_get(data, 14, size_width);
    out->common[0] = 0;
    out->sizes[0] = (uint32_t)total;
    if (rows > out->count) rows = out->count;
    for (uint32_t i = 1; i < rows; i++, bit += common_width + size_width) {
        const uint64_t both = fm_bits_get(data, bit, common_width + size_width);
        out->common[i] = (uint16_t)(both & fm_bits_mask(common_width));
        out->sizes[i] = (uint32_t)(both >> common_width);
        total += out->sizes[i];
    }
    out->codes = data + (bits + 7) / 8;
    if (total > left - (bits + 7) / 8) return false;
    out->end = out->codes + total;
    return true;
}

/* Returns the number of bytes that the codes give when they are decoded; UINT64_MAX: damaged. */
static uint64_t measure(const struct fm_fsst_symbols *symbols, const unsigned char *codes, uint32_t size)
{
    const unsigned char *end = codes + size;
    uint64_t bytes = 0;
    if (symbols->count == 0) return size;
    while (codes < end) {
        const unsigned code = *codes++;
        if (code < symbols->count) {
            bytes += symbols->sizes[code];
        } else {
            if (code != FM_FSST_ESCAPE || codes == end) return UINT64_MAX;
            codes++;
            bytes++;
        }
    }
    return bytes;
}

/* Computes where each string of a group ends if all of them are decoded one after the other. *bytes: their total size.
 * false: damaged. */
static bool measure_all(const struct fm_fsst_symbols *symbols, const struct packed_group *packed,
                        uint32_t ends[FM_SORTED_GROUP], uint64_t *bytes)
{
    const unsigned char *codes = packed->codes;
    uint64_t before = 0, total = 0;
    for (uint32_t i = 0; i < packed->count; i++) {
        const uint64_t own = measure(symbols, codes, packed->sizes[i]);
        if (packed->common[i] > before || own > FM_LIMIT_SORTED_STRINGS) return false;
        before = packed->common[i] + own;
        total += before;
        if (total > FM_LIMIT_SORTED_STRINGS) return false;
        ends[i] = (uint32_t)total;
        codes += packed->sizes[i];
    }
    *bytes = total;
    return true;
}

/* Decodes one string to the memory from `to` to `end`. FM_FSST_SYMBOL_SIZE bytes after `end` must be writable. false:
 * the string does not end at `end`, because another process changed the file after the string was measured. */
static bool unpack(const struct fm_fsst_symbols *symbols, const unsigned char *codes, uint32_t size, char *to,
                   const char *end)
{
    const unsigned char *codes_end = codes + size;
    if (symbols->count == 0) {
        if (size > 0) memcpy(to, codes, size);
        return to + size == end;
    }
    while (codes < codes_end && to < end) {
        const unsigned code = *codes++;
        if (code < symbols->count) {
            fm_store64((unsigned char *)to, symbols->words[code]);
            to += symbols->sizes[code];
        } else if (codes < codes_end) {
            *to++ = (char)*codes++;
        }
    }
    return to == end && codes == codes_end;
}

/* Decodes all strings of a group to the offsets that measure_all computed. false: a string did not fit, as in
 * unpack. */
static bool unpack_all(const struct fm_fsst_symbols *symbols, const struct packed_group *packed,
                       struct fm_sorted_group *out)
{
    const unsigned char *codes = packed->codes;
    for (uint32_t i = 0; i < packed->count; i++) {
        const uint32_t before = i < 2 ? 0 : out->ends[i - 2], begin = i < 1 ? 0 : out->ends[i - 1];
        char *to = out->bytes + begin;
        if (packed->common[i] > 0) memcpy(to, out->bytes + before, packed->common[i]);
        if (!unpack(symbols, codes, packed->sizes[i], to + packed->common[i], out->bytes + out->ends[i])) return false;
        codes += packed->sizes[i];
    }
    return true;
}

static framemap_status open_group(const struct fm_view *view, uint64_t group, const struct fm_sorted_group **out)
{
    struct fm_string_table *texts = view->sorted_texts;
    struct packed_group packed;
    uint32_t ends[FM_SORTED_GROUP] = {0};
    struct fm_sorted_group *made;
    uint64_t bytes;
    if (!read_head(view, group, FM_SORTED_GROUP, &packed) || !measure_all(&texts->symbols, &packed, ends, &bytes))
        return FRAMEMAP_E_CORRUPT;
    const size_t size = sizeof *made + (size_t)bytes + FM_FSST_SYMBOL_SIZE;
    if (!fm_lazy_table_has_room(&texts->memo, size))
        /* this group of strings overlaps the next one, which happens in damaged indexes only */
        return FRAMEMAP_E_CORRUPT;
    made = fm_lazy_table_alloc(&texts->memo, size);
    if (made == NULL) return FRAMEMAP_E_MEMORY;
    made->count = packed.count;
    memcpy(made->ends, ends, sizeof ends);
    if (!unpack_all(&texts->symbols, &packed, made)) {
        fm_lazy_table_give_back(&texts->memo, made, size);
        return FRAMEMAP_E_CORRUPT;
    }
    *out = fm_lazy_table_publish(&texts->memo, group, made, size);
    if (*out != NULL) return FRAMEMAP_OK;
    fm_lazy_table_give_back(&texts->memo, made, size);
    return FRAMEMAP_E_MEMORY;
}

framemap_status fm_string_entry_open(const struct fm_view *view, uint64_t text, framemap_str *out)
{
    const uint64_t group = text >> FM_SORTED_GROUP_BITS, row = text & (FM_SORTED_GROUP - 1);
    const struct fm_sorted_group *found = NULL;
    *out = (framemap_str){NULL, 0};
    if (view->sorted_texts == NULL || group >= view->tables[FMX_SORTED_TEXTS].count) return FRAMEMAP_E_CORRUPT;
    found = fm_lazy_table_get(&view->sorted_texts->memo, group);
    if (found == NULL) {
        const framemap_status status = open_group(view, group, &found);
        if (status != FRAMEMAP_OK) return status;
    }
    if (row >= found->count) return FRAMEMAP_E_CORRUPT;
    const uint32_t begin = row == 0 ? 0 : found->ends[row - 1];
    *out = fm_str(found->bytes + begin, found->ends[row] - begin);
    return FRAMEMAP_OK;
}

/* --- decoding one string of a group alone --- */

/* A part of a string, and the row of the group that stores its bytes: the string's own row, or the row of an earlier
 * string with the same prefix. */
struct spelled_part {
    uint32_t row, from, end; /* `from` and `end`: offsets in the string */
};

/* Splits a string of `size` bytes into parts by the rows that store its bytes. Returns the number of parts. */
static unsigned find_parts(const struct packed_group *packed, uint32_t row, uint32_t size,
                           struct spelled_part parts[FM_SORTED_GROUP])
{
    unsigned at = FM_SORTED_GROUP;
    for (uint32_t end = size;; row--) {
        if (packed->common[row] < end || row == 0) {
            parts[--at] = (struct spelled_part){row, packed->common[row], end};
            end = packed->common[row];
        }
        if (end == 0 || row == 0) break;
    }
    memmove(parts, parts + at, (FM_SORTED_GROUP - at) * sizeof *parts);
    return FM_SORTED_GROUP - at;
}

/* Decodes the first bytes of the string of a row to the memory from `to` to `end`. FM_FSST_SYMBOL_SIZE bytes after
 * `end` must be writable. false: damaged, or the codes give fewer bytes. */
static bool unpack_first(const struct fm_fsst_symbols *symbols, const unsigned char *codes, uint32_t size, char *to,
                         const char *end)
{
    const unsigned char *codes_end = codes + size;
    if (symbols->count == 0) {
        const size_t bytes = (size_t)(end - to);
        if (bytes > size) return false;
        if (bytes > 0) memcpy(to, codes, bytes);
        return true;
    }
    while (codes < codes_end && to < end) {
        const unsigned code = *codes++;
        if (code < symbols->count) {
            fm_store64((unsigned char *)to, symbols->words[code]);
            to += symbols->sizes[code];
        } else {
            if (code != FM_FSST_ESCAPE || codes == codes_end) return false;
            *to++ = (char)*codes++;
        }
    }
    return to >= end;
}

/* Decodes a string to `to`, which has room for the string and FM_FSST_SYMBOL_SIZE more bytes. false: damaged. */
static bool unpack_alone(const struct fm_fsst_symbols *symbols, const struct packed_group *packed, uint32_t row,
                         uint32_t size, char *to)
{
    struct spelled_part parts[FM_SORTED_GROUP];
    const unsigned count = find_parts(packed, row, size, parts);
    const unsigned char *codes = packed->codes;
    for (uint32_t i = 0, part = 0; part < count; codes += packed->sizes[i++]) {
        if (parts[part].row != i) continue;
        if (!unpack_first(symbols, codes, packed->sizes[i], to + parts[part].from, to + parts[part].end)) return false;
        part++;
    }
    return true;
}

/* Returns the size of a string; UINT64_MAX: damaged. */
static uint64_t size_alone(const struct fm_fsst_symbols *symbols, const struct packed_group *packed, uint32_t row)
{
    const unsigned char *codes = packed->codes;
    for (uint32_t i = 0; i < row; i++) codes += packed->sizes[i];
    const uint64_t own = measure(symbols, codes, packed->sizes[row]);
    return own > FM_LIMIT_SORTED_STRINGS ? UINT64_MAX : packed->common[row] + own;
}

/* Decodes a string alone and caches it. *out is not written if the cache for single strings is full. */
static framemap_status open_alone(const struct fm_view *view, uint64_t text, const struct fm_sorted_single **out)
{
    struct fm_string_table *texts = view->sorted_texts;
    const uint32_t row = text & (FM_SORTED_GROUP - 1);
    struct packed_group packed;
    if (!read_head(view, text >> FM_SORTED_GROUP_BITS, row + 1, &packed) || row >= packed.count)
        return FRAMEMAP_E_CORRUPT;
    const uint64_t bytes = size_alone(&texts->symbols, &packed, row);
    if (bytes > FM_LIMIT_SORTED_STRINGS) return FRAMEMAP_E_CORRUPT;
    struct fm_sorted_single *made;
    const size_t size = sizeof *made + (size_t)bytes + FM_FSST_SYMBOL_SIZE;
    if (!fm_lazy_table_has_room(&texts->singles, size)) return FRAMEMAP_OK;
    made = fm_lazy_table_alloc(&texts->singles, size);
    if (made == NULL) return FRAMEMAP_E_MEMORY;
    made->size = (size_t)bytes;
    if (!unpack_alone(&texts->symbols, &packed, row, (uint32_t)bytes, made->bytes)) {
        fm_lazy_table_give_back(&texts->singles, made, size);
        return FRAMEMAP_E_CORRUPT;
    }
    *out = fm_lazy_table_publish(&texts->singles, text, made, size);
    if (*out != NULL) return FRAMEMAP_OK;
    fm_lazy_table_give_back(&texts->singles, made, size);
    return FRAMEMAP_E_MEMORY;
}

/* Whether so many strings of a group were decoded alone that decoding the whole group pays. In an index with few
 * groups, such as a value of a store, it always does. */
static bool is_used_much(struct fm_string_table *texts, uint64_t group)
{
    enum { ENOUGH = 4, FEW_GROUPS = 8 };
    if (texts->memo.count <= FEW_GROUPS) return true;
    return fm_lazy_table_count(&texts->singles, group << FM_SORTED_GROUP_BITS, FM_SORTED_GROUP, ENOUGH) == ENOUGH;
}

framemap_status fm_string_entry_alone(const struct fm_view *view, uint64_t text, framemap_str *out)
{
    const uint64_t group = text >> FM_SORTED_GROUP_BITS;
    struct fm_string_table *texts = view->sorted_texts;
    *out = (framemap_str){NULL, 0};
    if (texts == NULL || group >= view->tables[FMX_SORTED_TEXTS].count) return FRAMEMAP_E_CORRUPT;
    const struct fm_sorted_single *found = fm_lazy_table_get(&texts->singles, text);
    if (found == NULL && !is_used_much(texts, group)) {
        const framemap_status status = open_alone(view, text, &found);
        if (status != FRAMEMAP_OK) return status;
    }
    if (found == NULL) return fm_string_entry_open(view, text, out);
    *out = fm_str(found->bytes, found->size);
    return FRAMEMAP_OK;
}

/* --- opening and closing the cache --- */

/* Single strings get an eighth of the limit, since at most four of a group are decoded alone. */
#define SINGLES_SHARE 8u

void fm_string_table_open(struct fm_string_table *texts, struct fm_heap *heap, uint64_t groups, uint64_t most)
{
    fm_lazy_table_init(&texts->memo, heap, groups);
    fm_lazy_table_limit(&texts->memo, most);
    fm_lazy_table_init(&texts->singles, heap, groups << FM_SORTED_GROUP_BITS);
    fm_lazy_table_page_size(&texts->singles, FM_SORTED_GROUP_BITS);
    fm_lazy_table_limit(&texts->singles, most / SINGLES_SHARE);
}

void fm_string_table_close(struct fm_string_table *texts)
{
    fm_lazy_table_free(&texts->memo);
    fm_lazy_table_free(&texts->singles);
}

bool fm_sorted_group_extent(const struct fm_view *view, uint64_t group, uint64_t *begin, uint64_t *end, uint32_t *count)
{
    struct packed_group packed;
    if (!read_head(view, group, FM_SORTED_GROUP, &packed)) return false;
    *begin = fm_field(&view->tables[FMX_SORTED_TEXTS], group, SORTED_AT);
    *end = (uint64_t)(packed.end - view->tables[FMX_STRINGS].data);
    *count = packed.count;
    return true;
}
