/* Implements inject_moves.h. Each line and column in `scopes` is relative to the previous one, so only the first range
 * at or after the place of the insertion is written again. */
#include "session/inject/inject_moves.h"

#include "mappers/javascript/sourcemap/sourcemap_vlq.h"

enum tag { TAG_RANGE = 4, TAG_RANGE_END = 5, TAG_SUBRANGES = 7 };
enum { RANGE_HAS_LINE = 1 };

/* Moves the positions in `rangeMappings`. A range that begins before the place of the statement may end after it. */
bool fm_inject_move_ranges(struct fm_buf *out, framemap_str ranges, const struct fm_script_place *moved)
{
    size_t at = 0;
    for (uint64_t line = 0; line < moved->line0 && at < ranges.size; line++, at++)
        if (ranges.data[at] != ';') return false;
    if (moved->col0 > 0 && at < ranges.size && ranges.data[at] != ';') return false;
    fm_buf_str(out, fm_str_slice(ranges, 0, at));
    if (at < ranges.size) fm_buf_str(out, moved->col0 ? FM_STR(";;") : FM_STR(";"));
    return fm_buf_str(out, fm_str_from(ranges, at));
}

static void put_unsigned(struct fm_buf *out, uint64_t value)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (; value >= 32; value >>= 5) fm_buf_byte(out, digits[(value & 31) | 32]);
    fm_buf_byte(out, digits[value]);
}

/* The start or the end of a range. */
struct range_item {
    uint32_t tag, flags, lines, cols;
    const char *rest; /* the rest of the segment, after its column */
};

/* Reads an item; *is_range: the item is the start or end of a range. Returns false if the item is damaged. */
static bool read_range(const char *at, const char *end, struct range_item *out, bool *is_range)
{
    uint32_t second = 0;
    *out = (struct range_item){.tag = 0};
    *is_range = false;
    if (fm_sourcemap_vlq_unsigned(&at, end, &out->tag) != FM_SOURCEMAP_RULES) return false;
    if (out->tag != TAG_RANGE && out->tag != TAG_RANGE_END) return true;
    *is_range = true;
    if (out->tag == TAG_RANGE && fm_sourcemap_vlq_unsigned(&at, end, &out->flags) != FM_SOURCEMAP_RULES) return false;
    if (fm_sourcemap_vlq_unsigned(&at, end, &out->cols) != FM_SOURCEMAP_RULES) return false;
    /* an item with the end of a range has two numbers if it has both a line and a column */
    if (out->tag == TAG_RANGE_END && at < end) out->flags = RANGE_HAS_LINE;
    if (out->flags & RANGE_HAS_LINE) {
        if (fm_sourcemap_vlq_unsigned(&at, end, &second) != FM_SOURCEMAP_RULES) return false;
        out->lines = out->cols;
        out->cols = second;
    }
    out->rest = at;
    return true;
}

/* Writes an item as the first one after the place of the insertion. The item is on the line of that place or below it.
 * lines: number of lines from the previous item to this one. */
static void put_range(struct fm_buf *out, const struct range_item *item, uint64_t lines, uint64_t col0, const char *end)
{
    put_unsigned(out, item->tag);
    if (item->tag == TAG_RANGE) put_unsigned(out, item->flags | RANGE_HAS_LINE);
    put_unsigned(out, lines);
    put_unsigned(out, col0);
    fm_buf_str(out, fm_str(item->rest, (size_t)(end - item->rest)));
}

/* Whether an item at a position moves. The item for the end of a range has the position after the range. */
static bool is_after(const struct range_item *item, uint64_t line0, uint64_t col0, const struct fm_script_place *moved)
{
    if (line0 != moved->line0) return line0 > moved->line0;
    return item->tag == TAG_RANGE ? col0 >= moved->col0 : col0 > moved->col0;
}

bool fm_inject_move_scopes(struct fm_buf *out, framemap_str scopes, const struct fm_script_place *moved)
{
    uint64_t line0 = 0, col0 = 0;
    for (size_t at = 0; at < scopes.size;) {
        framemap_str item = fm_str_from(scopes, at);
        item = fm_str_slice(item, 0, fm_str_find_byte(item, ','));
        const char *end = item.data + item.size;
        struct range_item range;
        bool is_range;
        if (!read_range(item.data, end, &range, &is_range)) return false;
        /* a range before the place may have subranges after it; such subranges cannot be moved here */
        if (range.tag == TAG_SUBRANGES) return false;
        line0 += range.lines;
        col0 = range.lines ? range.cols : col0 + range.cols;
        if (is_range && is_after(&range, line0, col0, moved)) {
            const bool divided = moved->col0 > 0;
            if (divided && line0 == moved->line0) col0 -= moved->col0;
            fm_buf_str(out, fm_str_slice(scopes, 0, at));
            put_range(out, &range, (uint64_t)range.lines + 1 + divided, col0, end);
            return fm_buf_str(out, fm_str_from(scopes, at + item.size));
        }
        at += item.size + 1;
    }
    return fm_buf_str(out, scopes);
}
