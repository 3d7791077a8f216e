/* Decodes the packed spans (line ranges) of a method, and finds the first one that covers a line: by binary search,
 * segment tree or scan, whichever the method's flags allow. */
#include "index/read/classes/span_decoder.h"
#include "core/cpu.h"
#include "index/format/flags.h"

static const uint8_t short_widths[SPANS_NUMBERS] = FMX_SPANS_SHORT_WIDTHS,
                     long_widths[SPANS_NUMBERS] = FMX_SPANS_LONG_WIDTHS;

static inline uint32_t cut(uint64_t *word, unsigned width)
{
    const uint32_t value = (uint32_t)*word & ((1u << width) - 1);
    *word >>= width;
    return value;
}

/* Reads a short head. There is no loop, because lookups spend much of their time here. Only the number of parts is
 * checked: the other numbers cannot be out of range, because their fields are narrow. */
static inline bool read_short(struct fm_spans *s)
{
    uint64_t head = fm_load64(s->data) >> FMX_SPANS_FLAGS;
    s->count = cut(&head, short_widths[SPANS_COUNT]) + 1;
    s->members = cut(&head, short_widths[SPANS_MEMBERS]) + 1;
    s->parts = cut(&head, short_widths[SPANS_PARTS]) + 1;
    s->width[SPANS_FROM] = (uint8_t)cut(&head, short_widths[SPANS_FROM]);
    s->width[SPANS_EXTENT] = (uint8_t)cut(&head, short_widths[SPANS_EXTENT]);
    s->width[SPANS_LINE] = (uint8_t)cut(&head, short_widths[SPANS_LINE]);
    s->width[SPANS_SECOND] = (uint8_t)cut(&head, short_widths[SPANS_SECOND]);
    s->width[SPANS_MEMBER] = (uint8_t)cut(&head, short_widths[SPANS_MEMBER]);
    s->width[SPANS_NOTES] = (uint8_t)cut(&head, short_widths[SPANS_NOTES]);
    return s->parts <= s->count;
}

/* Reads a long head. Returns false if a value is out of range. */
static bool read_long(struct fm_spans *s)
{
    uint64_t numbers[SPANS_NUMBERS], at = FMX_SPANS_FLAGS;
    for (unsigned i = 0; i < SPANS_NUMBERS; at += long_widths[i++])
        numbers[i] = fm_bits_get(s->data, at, long_widths[i]);
    for (unsigned i = SPANS_FROM; i < SPANS_NUMBERS; i++) {
        if (numbers[i] > (i == SPANS_SECOND ? 33 : 32)) return false;
        s->width[i] = (uint8_t)numbers[i];
    }
    if (numbers[SPANS_COUNT] >= UINT32_MAX || numbers[SPANS_MEMBERS] >= UINT32_MAX ||
        numbers[SPANS_PARTS] > numbers[SPANS_COUNT])
        return false;
    s->count = (uint32_t)numbers[SPANS_COUNT] + 1;
    s->members = (uint32_t)numbers[SPANS_MEMBERS] + 1;
    s->parts = (uint32_t)numbers[SPANS_PARTS] + 1;
    return true;
}

static inline void measure(struct fm_spans *s)
{
    s->shape = s->flags >> FMX_SPANS_SHAPE_AT & ((1u << FMX_SPANS_SHAPE_BITS) - 1);
    s->shape_bits = (s->flags & FMX_SPANS_VARY) != 0 ? FMX_SPANS_SHAPE_BITS : 0;
    s->count_bits = (uint8_t)fm_bits_for(s->count - 1);
    s->local_bits = (uint8_t)fm_bits_for(s->members - 1);
    s->part_bits = (uint8_t)(s->count_bits + s->local_bits + FMX_PART_FLAG_BITS);
    s->row_bits = (uint8_t)(s->shape_bits + s->width[SPANS_FROM] + s->width[SPANS_EXTENT] + s->width[SPANS_LINE] +
                            s->width[SPANS_SECOND] + s->local_bits + s->width[SPANS_NOTES]);
    s->parts_at = s->members_at + (uint64_t)s->members * s->width[SPANS_MEMBER];
    s->rows_at = s->parts_at + (uint64_t)s->parts * s->part_bits;
    s->tree_at = s->rows_at + (uint64_t)s->count * s->row_bits;
}

/* Whether a line can be found fast: a method whose spans can only be scanned must have few spans. */
static bool searchable(const struct fm_spans *s)
{
    if (s->count <= FMX_SPANS_SCAN || (s->flags & (FMX_SPANS_SORTED | FMX_SPANS_TREE)) != 0) return true;
    return (s->shape & FM_SPAN_RESIDUAL) == 0;
}

static uint64_t bits_left(const struct fm_view *view, const struct fm_spans *s)
{
    const struct fm_packed *bytes = &view->tables[FMX_SPANS];
    return (bytes->size - (uint64_t)(s->data - bytes->data)) * 8;
}

/* Cache lines to prefetch. Methods that occur in stack traces usually have many spans; these lines hold all or most of
 * them. */
enum { CACHE_LINE = 64, LINES_AHEAD = 3 };

bool fm_spans_open(const struct fm_view *view, uint64_t method, struct fm_spans *s)
{
    const struct fm_packed *methods = &view->tables[FMX_METHODS], *bytes = &view->tables[FMX_SPANS];
    if (method >= methods->count) return false;
    const uint64_t at = fm_field(methods, method, METHOD_SPANS);
    if (at >= bytes->size || bytes->size - at < FMX_SPANS_SHORT_BITS / 8) return false;
    s->data = bytes->data + at;
    for (unsigned i = 1; i < LINES_AHEAD; i++)
        /* prefetches the method's spans (line ranges); their first cache line is already being loaded */
        fm_prefetch_bytes(bytes, at + (uint64_t)i * CACHE_LINE);
    s->flags = s->data[0];
    if ((s->flags & FMX_SPANS_LONG) == 0) {
        s->members_at = FMX_SPANS_SHORT_BITS;
        if (!read_short(s)) return false;
    } else {
        s->members_at = FMX_SPANS_LONG_BITS;
        if (bits_left(view, s) < FMX_SPANS_LONG_BITS || !read_long(s)) return false;
    }
    measure(s);
    if ((s->row_bits == 0 && s->count > 1) || (s->width[SPANS_MEMBER] == 0 && s->members > 1))
        return false; /* a row of zero bits is refused, because otherwise a few bytes could claim any number of rows */
    if (s->tree_at > bits_left(view, s) || !searchable(s)) return false;
    fm_prefetch_row(&view->tables[FMX_MEMBERS],
                    /* The row in MEMBERS of the first or only member of the method; the rows of its other members
                     * follow. */
                    fm_bits_get(s->data, s->members_at, s->width[SPANS_MEMBER]));
    return true;
}

bool fm_spans_tree(const struct fm_view *view, const struct fm_spans *s, struct fm_spans_tree *tree)
{
    const uint64_t left = bits_left(view, s);
    uint64_t at = s->tree_at;
    if (left - at < FMX_TREE_HEAD_BITS) return false;
    tree->boundaries = fm_bits_get(s->data, at, FMX_TREE_BOUNDARIES);
    tree->entries = fm_bits_get(s->data, at += FMX_TREE_BOUNDARIES, FMX_TREE_ENTRIES);
    tree->base = (int64_t)fm_bits_get(s->data, at += FMX_TREE_ENTRIES, FMX_TREE_BASE) + INT32_MIN;
    tree->width = (unsigned)fm_bits_get(s->data, at += FMX_TREE_BASE, FMX_TREE_WIDTH);
    if (tree->boundaries < 2 || tree->entries == 0 || tree->width == 0 || tree->width > FMX_TREE_BASE) return false;
    tree->nodes = (tree->boundaries - 1) * 2;
    tree->offset_bits = fm_bits_for(tree->entries);
    tree->boundaries_at = at + FMX_TREE_WIDTH;
    tree->offsets_at = tree->boundaries_at + tree->boundaries * tree->width;
    tree->entries_at = tree->offsets_at + (tree->nodes + 1) * tree->offset_bits;
    tree->end = tree->entries_at + tree->entries * s->count_bits;
    return tree->end <= left;
}

/* --- decoding rows --- */

/* A cursor that reads the fields of a row in order: from one 64-bit word if the row is narrow enough, as nearly all
 * are. `whole`: the row is narrow enough; a compile-time constant at every call. */
struct row {
    const unsigned char *data;
    uint64_t at, word;
};
static inline bool is_whole(const struct fm_spans *s) { return s->row_bits <= 57; }

static inline struct row open_row(const struct fm_spans *s, uint64_t place)
{
    const uint64_t at = s->rows_at + place * s->row_bits;
    return (struct row){s->data, at, fm_bits_from(s->data, at)};
}

static FM_INLINED uint64_t take(struct row *row, unsigned width, bool whole)
{
    const uint64_t value = whole ? row->word & ((UINT64_C(1) << width) - 1) : fm_bits_get(row->data, row->at, width);
    row->word >>= width;
    row->at += width;
    return value;
}

static FM_INLINED uint32_t take_shape(const struct fm_spans *s, struct row *row, bool whole)
{
    return s->shape_bits != 0 ? (uint32_t)take(row, FMX_SPANS_SHAPE_BITS, whole) : s->shape;
}

/* Reads the residual lines of a row, which follow the row's shape. */
static FM_INLINED void take_lines(const struct fm_spans *s, struct row *row, bool whole, uint32_t *from,
                                  uint32_t *extent)
{
    *from = (uint32_t)take(row, s->width[SPANS_FROM], whole);
    *extent = (uint32_t)take(row, s->width[SPANS_EXTENT], whole);
}

/* Reads the shape of a row, and its residual lines if it has any. */
static FM_INLINED uint32_t read_lines(const struct fm_spans *s, uint64_t place, bool whole, uint32_t *from,
                                      uint32_t *extent)
{
    struct row row = open_row(s, place);
    const uint32_t shape = take_shape(s, &row, whole);
    take_lines(s, &row, whole, from, extent);
    return shape;
}

/* Returns the member with index `local` in the method, or FM_VIEW_NONE. */
static inline uint32_t member_of(const struct fm_view *view, const struct fm_spans *s, uint64_t local)
{
    if (local >= s->members) return FM_VIEW_NONE;
    const uint64_t member =
        fm_bits_get(s->data, s->members_at + local * s->width[SPANS_MEMBER], s->width[SPANS_MEMBER]);
    return member < view->tables[FMX_MEMBERS].count ? (uint32_t)member : FM_VIEW_NONE;
}

uint32_t fm_spans_member(const struct fm_view *view, const struct fm_spans *s, uint64_t local)
{
    return member_of(view, s, local);
}

static uint32_t second_of(uint64_t code, uint32_t first, uint32_t extent)
{
    return code == FMX_SECOND_EQUAL   ? first
           : code == FMX_SECOND_ALONG ? first + extent
                                      : first + (uint32_t)(code - FMX_SECOND_FIRST);
}

static FM_INLINED void spans_read_row(const struct fm_view *view, const struct fm_spans *s, uint64_t place, bool whole,
                                      struct fm_view_span *out)
{
    struct row row = open_row(s, place);
    uint32_t from, extent;
    out->flags = take_shape(s, &row, whole);
    take_lines(s, &row, whole, &from, &extent);
    out->residual_from = (int32_t)from;
    out->residual_to = (int32_t)(from + extent);
    const uint32_t line = (uint32_t)take(&row, s->width[SPANS_LINE], whole);
    out->original_from = (int32_t)line;
    out->original_to = (int32_t)second_of(take(&row, s->width[SPANS_SECOND], whole), line, extent);
    out->member = member_of(view, s, take(&row, s->local_bits, whole));
    const uint64_t notes = take(&row, s->width[SPANS_NOTES], whole);
    out->notes = notes - 1 < UINT32_MAX ? (uint32_t)notes - 1 : FM_VIEW_NONE;
}

static FM_INLINED void any_row(const struct fm_view *view, const struct fm_spans *s, uint64_t place,
                               struct fm_view_span *out)
{
    if (is_whole(s))
        spans_read_row(view, s, place, true, out);
    else
        spans_read_row(view, s, place, false, out);
}

void fm_spans_row(const struct fm_view *view, const struct fm_spans *s, uint64_t place, struct fm_view_span *out)
{
    any_row(view, s, place, out);
}

bool fm_view_span(const struct fm_view *view, uint64_t span, struct fm_view_span *out)
{
    struct fm_spans spans;
    if (!fm_spans_open(view, span >> 32, &spans) || (span & UINT32_MAX) >= spans.count) return false;
    fm_spans_row(view, &spans, span & UINT32_MAX, out);
    return out->member != FM_VIEW_NONE;
}

bool fm_view_method_span(const struct fm_view *view, const struct fm_view_method *method, uint64_t span,
                         struct fm_view_span *out)
{
    if (span < method->first_span || span - method->first_span >= method->spans.count) return false;
    any_row(view, &method->spans, span - method->first_span, out);
    return out->member != FM_VIEW_NONE;
}

/* --- decoding parts --- */

static uint64_t part_first(const struct fm_spans *s, uint64_t part)
{
    return fm_bits_get(s->data, s->parts_at + part * s->part_bits, s->count_bits);
}

static inline bool read_part(const struct fm_view *view, const struct fm_spans *s, uint64_t part,
                             struct fm_view_part *out)
{
    if (part >= s->parts) return false;
    const uint64_t at = s->parts_at + part * s->part_bits, first = part_first(s, part),
                   end = part + 1 < s->parts ? part_first(s, part + 1) : s->count;
    if (first >= end || end > s->count) return false;
    out->first_span = first; /* index of the part's first span among those of the method */
    out->span_count = end - first;
    out->entry = member_of(view, s, fm_bits_get(s->data, at + s->count_bits, s->local_bits));
    out->flags = (uint32_t)fm_bits_get(s->data, at + s->count_bits + s->local_bits, FMX_PART_FLAG_BITS)
                 << FMX_PART_FLAGS_AT;
    return out->entry != FM_VIEW_NONE;
}

bool fm_view_part(const struct fm_view *view, const struct fm_view_method *method, uint64_t part,
                  struct fm_view_part *out)
{
    if (!read_part(view, &method->spans, part, out)) return false;
    out->first_span += method->first_span;
    return true;
}

static inline uint64_t part_with(const struct fm_spans *s, uint64_t place)
{
    uint64_t low = 0;
    for (uint64_t high = s->parts - 1; low < high;) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (part_first(s, middle) <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool fm_view_part_of(const struct fm_view *view, const struct fm_view_method *method, uint64_t span, uint64_t *part)
{
    (void)view;
    if (span < method->first_span || span - method->first_span >= method->spans.count) return false;
    *part = part_with(&method->spans, span - method->first_span);
    return true;
}

/* --- searching for a line --- */

/* Returns the last residual line of a row of sorted spans, and stores its first one. */
static FM_INLINED int32_t lines_of(const struct fm_spans *s, uint64_t place, bool whole, int32_t *first)
{
    uint32_t from, extent;
    read_lines(s, place, whole, &from, &extent);
    *first = (int32_t)from;
    return (int32_t)(from + extent);
}

static FM_INLINED bool bisect_rows(const struct fm_spans *s, int32_t line, uint64_t from, uint64_t end, bool whole,
                                   uint64_t *place, uint64_t *steps)
{
    int32_t first;
    if (from >= end) return false;
    lines_of(s, from, whole, &first);
    if (first > line) return false; /* all later spans start after the line, too */
    uint64_t low = from;
    for (uint64_t high = end; low < high; ++*steps) {
        const uint64_t middle = low + (high - low) / 2;
        if (lines_of(s, middle, whole, &first) < line)
            low = middle + 1;
        else
            high = middle;
    }
    if (low >= end) return false;
    lines_of(s, low, whole, &first);
    *place = low;
    return first <= line;
}

static FM_INLINED bool scan_rows(const struct fm_spans *s, int32_t line, uint64_t from, uint64_t end, bool whole,
                                 uint64_t *place, uint64_t *steps)
{
    for (uint64_t i = from; i < end; i++, ++*steps) {
        uint32_t first, extent;
        if ((read_lines(s, i, whole, &first, &extent) & FM_SPAN_RESIDUAL) == 0 || (uint32_t)line - first > extent)
            continue;
        *place = i;
        return true;
    }
    return false;
}

static uint64_t tree_offset(const struct fm_spans *s, const struct fm_spans_tree *tree, uint64_t node)
{
    const uint64_t offset = fm_bits_get(s->data, tree->offsets_at + node * tree->offset_bits, tree->offset_bits);
    return offset < tree->entries ? offset : tree->entries;
}

/* Returns the first entry of a tree node that is at least `from`; UINT64_MAX: none. */
static uint64_t node_first(const struct fm_spans *s, const struct fm_spans_tree *tree, uint64_t node, uint64_t from,
                           uint64_t *steps)
{
    uint64_t low = tree_offset(s, tree, node), high = tree_offset(s, tree, node + 1);
    const uint64_t end = high;
    for (; low < high; ++*steps) {
        const uint64_t middle = low + (high - low) / 2;
        if (fm_bits_get(s->data, tree->entries_at + middle * s->count_bits, s->count_bits) < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end ? fm_bits_get(s->data, tree->entries_at + low * s->count_bits, s->count_bits) : UINT64_MAX;
}

static int64_t boundary(const struct fm_spans *s, const struct fm_spans_tree *tree, uint64_t i)
{
    return tree->base + (int64_t)fm_bits_get(s->data, tree->boundaries_at + i * tree->width, tree->width);
}

/* Returns the leaf that contains the line, 0 to boundaries - 2; UINT64_MAX: none. */
static uint64_t leaf_of(const struct fm_spans *s, const struct fm_spans_tree *tree, int64_t line, uint64_t *steps)
{
    /* the loop finds the first boundary of the segment tree that is after the line */
    uint64_t low = 0, high = tree->boundaries;
    for (; low < high; ++*steps) {
        const uint64_t middle = low + (high - low) / 2;
        if (boundary(s, tree, middle) <= line)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 || low == tree->boundaries ? UINT64_MAX : low - 1;
}

static bool search_tree(const struct fm_view *view, const struct fm_spans *s, int32_t line, uint64_t from, uint64_t end,
                        uint64_t *place, uint64_t *steps)
{
    struct fm_spans_tree tree;
    uint64_t best = UINT64_MAX;
    if (!fm_spans_tree(view, s, &tree)) return false;
    const uint64_t leaf = leaf_of(s, &tree, line, steps);
    if (leaf == UINT64_MAX) return false;
    for (uint64_t node = leaf + tree.boundaries - 1; node > 0; node /= 2) {
        const uint64_t first = node_first(s, &tree, node, from, steps);
        if (first < best) best = first;
    }
    *place = best;
    return best < end;
}

static FM_INLINED bool find_line(const struct fm_view *view, const struct fm_spans *s, int32_t line, uint64_t from,
                                 uint64_t end, bool whole, uint64_t *place, uint64_t *steps)
{
    if ((s->shape & FM_SPAN_RESIDUAL) == 0) return false;
    if (s->flags & FMX_SPANS_SORTED) return bisect_rows(s, line, from, end, whole, place, steps);
    if (s->flags & FMX_SPANS_TREE) return search_tree(view, s, line, from, end, place, steps);
    return scan_rows(s, line, from, end, whole, place, steps);
}

bool fm_spans_at_line(const struct fm_view *view, const struct fm_spans *s, int32_t line, uint64_t from, uint64_t end,
                      uint64_t *place, uint64_t *steps)
{
    return is_whole(s) ? find_line(view, s, line, from, end, true, place, steps)
                       : find_line(view, s, line, from, end, false, place, steps);
}

bool fm_spans_without_lines(const struct fm_view *view, const struct fm_spans *s, uint64_t from, uint64_t end,
                            uint64_t *place, uint64_t *steps)
{
    struct fm_spans_tree tree;
    *place = from;
    if ((s->shape & FM_SPAN_RESIDUAL) == 0) return from < end;
    if ((s->flags & FMX_SPANS_VARY) == 0) return false;
    if (s->flags & FMX_SPANS_TREE) {
        if (!fm_spans_tree(view, s, &tree)) return false;
        *place = node_first(s, &tree, 0, from, steps);
        return *place < end;
    }
    if (s->flags & FMX_SPANS_SORTED) return false;
    for (; *place < end; ++*place, ++*steps) {
        struct row row = open_row(s, *place);
        if ((take_shape(s, &row, false) & FM_SPAN_RESIDUAL) == 0) return true;
    }
    return false;
}

/* Converts span numbers [from, end) to indexes in the method. false: the interval is empty. */
static bool measure_stretch(const struct fm_view_method *method, uint64_t *from, uint64_t *end)
{
    const uint64_t first = method->first_span;
    *from = *from > first ? *from - first : 0;
    *end = *end > first ? *end - first : 0;
    if (*end > method->spans.count) *end = method->spans.count;
    return *from < *end;
}

bool fm_view_span_at_line(const struct fm_view *view, const struct fm_view_method *method, int32_t line, uint64_t from,
                          uint64_t end, uint64_t *span)
{
    uint64_t place, steps = 0;
    if (!measure_stretch(method, &from, &end) ||
        !fm_spans_at_line(view, &method->spans, line, from, end, &place, &steps))
        return false;
    *span = method->first_span + place;
    return true;
}

bool fm_view_span_without_lines(const struct fm_view *view, const struct fm_view_method *method, uint64_t from,
                                uint64_t end, uint64_t *span)
{
    uint64_t place, steps = 0;
    if (!measure_stretch(method, &from, &end) ||
        !fm_spans_without_lines(view, &method->spans, from, end, &place, &steps))
        return false;
    *span = method->first_span + place;
    return true;
}

/* --- finding the only answer for a line --- */

/* Whether two rows have the same residual lines. */
static FM_INLINED bool same_lines(const struct fm_spans *s, uint64_t a, uint64_t b, bool whole)
{
    uint32_t from[2], extent[2];
    const uint32_t shapes =
        read_lines(s, a, whole, &from[0], &extent[0]) & read_lines(s, b, whole, &from[1], &extent[1]);
    return (shapes & FM_SPAN_RESIDUAL) != 0 && from[0] == from[1] && extent[0] == extent[1];
}

static FM_INLINED bool find_only_run(const struct fm_view *view, const struct fm_spans *s, int32_t line, bool whole,
                                     struct fm_view_run *out)
{
    struct fm_view_part part;
    uint64_t first, other, steps = 0;
    if (!find_line(view, s, line, 0, s->count, whole, &first, &steps)) return false;
    if (!read_part(view, s, s->parts == 1 ? 0 : part_with(s, first), &part) || part.flags != 0) return false;
    const uint64_t end = part.first_span + part.span_count;
    uint64_t at = first + 1;
    while (at < end && same_lines(s, first, at, whole)) at++;
    *out = (struct fm_view_run){first, at - first};
    return end == s->count || !fm_spans_at_line(view, s, line, end, s->count, &other, &steps);
}

bool fm_view_only_run(const struct fm_view *view, const struct fm_view_method *method, int32_t line,
                      struct fm_view_run *out)
{
    const struct fm_spans *s = &method->spans;
    const bool found = is_whole(s) ? find_only_run(view, s, line, true, out) : find_only_run(view, s, line, false, out);
    out->first_span += method->first_span;
    return found;
}
