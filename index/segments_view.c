/* Segments, sources, names, stretches and offsets of an opened index. */
#include "index/segment_reader.h"

static uint64_t count_of(const struct fm_view *view, unsigned section) { return view->tables[section].count; }

/* Rows of LINES, the one that tells the end excepted. */
static uint64_t line_rows(const struct fm_view *view)
{
    const uint64_t rows = count_of(view, FMX_LINES);
    return rows == 0 ? 0 : rows - 1;
}
/* Where the numbers of lines take no bits, a row's number is its line's. */
static bool is_dense(const struct fm_packed *lines) { return lines->width[LINE_NUMBER] == 0; }

uint64_t fm_segment_lines(const struct fm_view *view)
{
    const struct fm_packed *lines = &view->tables[FMX_LINES];
    const uint64_t rows = line_rows(view);
    return rows == 0 || is_dense(lines) ? rows : fm_field(lines, rows - 1, LINE_NUMBER) + 1;
}

/* Numbers of these are given to callers as 32 bits. */
bool fm_segments_open(const struct fm_view *view)
{
    static const unsigned numbered[] = {FMX_SOURCES, FMX_SOURCE_STRETCHES, FMX_GENERATED_STRETCHES, FMX_OFFSET_LISTS, FMX_OFFSETS};
    for (unsigned i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (count_of(view, numbered[i]) >= UINT32_MAX) return false;
    const uint64_t blocks = count_of(view, FMX_SEGMENT_BLOCKS);
    if ((view->flags & FMX_FLAG_HEAD) != 0) return blocks == 0;
    return view->position_count / FMX_SEGMENTS_EACH + (view->position_count % FMX_SEGMENTS_EACH != 0) == blocks;
}

bool fm_view_segments(const struct fm_view *view, struct fm_segments_about *out)
{
    if (!fm_is_segments(view)) return false;
    *out = (struct fm_segments_about){.segment_count = view->position_count,
                                      .line_count = fm_segment_lines(view),
                                      .source_count = count_of(view, FMX_SOURCES),
                                      .name_count = count_of(view, FMX_TEXTS),
                                      .stretch_count = count_of(view, FMX_SOURCE_STRETCHES) + count_of(view, FMX_GENERATED_STRETCHES),
                                      .has_content = view->tables[FMX_SOURCES].width[SOURCE_CONTENT] > 0};
    return true;
}

/* --- lines --- */

static uint64_t line_spot(const struct fm_packed *lines, uint64_t row) { return fm_field(lines, row, LINE_SPOT); }

/* The last row of [0, count) whose field is at most `most`; UINT64_MAX for none. */
static uint64_t last_up_to(const struct fm_packed *rows, uint64_t count, unsigned field, uint64_t most)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (fm_field(rows, middle, field) <= most)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

static bool read_line(const struct fm_packed *lines, uint64_t row, struct fm_segment_line *out)
{
    out->begin = line_spot(lines, row);
    out->end = line_spot(lines, row + 1);
    return out->begin < out->end;
}

bool fm_segment_line(const struct fm_view *view, uint32_t line0, struct fm_segment_line *out)
{
    const struct fm_packed *lines = &view->tables[FMX_LINES];
    const uint64_t count = line_rows(view);
    uint64_t row = line0;
    if (!is_dense(lines)) {
        row = last_up_to(lines, count, LINE_NUMBER, line0);
        if (row == UINT64_MAX || fm_field(lines, row, LINE_NUMBER) != line0) return false;
    }
    out->line0 = line0;
    return row < count && read_line(lines, row, out);
}

uint64_t fm_segment_spots(const struct fm_view *view)
{
    const uint64_t rows = line_rows(view);
    return rows == 0 ? 0 : line_spot(&view->tables[FMX_LINES], rows);
}

bool fm_segment_line_of(const struct fm_view *view, uint64_t spot, struct fm_segment_line *out)
{
    const struct fm_packed *lines = &view->tables[FMX_LINES];
    const uint64_t row = last_up_to(lines, line_rows(view), LINE_SPOT, spot);
    if (row == UINT64_MAX || !read_line(lines, row, out) || spot >= out->end) return false;
    const uint64_t line0 = is_dense(lines) ? row : fm_field(lines, row, LINE_NUMBER);
    out->line0 = (uint32_t)line0;
    return line0 <= UINT32_MAX;
}

/* --- blocks --- */

static uint64_t block_spot(const struct fm_packed *blocks, uint64_t number) { return fm_field(blocks, number, SEGMENT_BLOCK_SPOT); }

static void read_head(struct fm_segment_block *block)
{
    static const uint8_t widths[SEGMENTS_NUMBERS] = FMX_SEGMENTS_HEAD_WIDTHS;
    uint64_t head = fm_load64(block->data);
    for (unsigned i = 0; i < SEGMENTS_NUMBERS; i++) {
        block->numbers[i] = (unsigned)(head & fm_bits_mask(widths[i]));
        head >>= widths[i];
    }
}

bool fm_segment_block_open(const struct fm_view *view, uint64_t number, struct fm_segment_block *out)
{
    const struct fm_packed *blocks = &view->tables[FMX_SEGMENT_BLOCKS], *bytes = &view->tables[FMX_SEGMENTS];
    if (number >= blocks->count) return false;
    const uint64_t at = fm_field(blocks, number, SEGMENT_BLOCK_AT), left = view->position_count - number * FMX_SEGMENTS_EACH;
    if (at >= bytes->size) return false;
    out->data = bytes->data + at;
    out->spot = block_spot(blocks, number);
    out->count = left < FMX_SEGMENTS_EACH ? (unsigned)left : FMX_SEGMENTS_EACH;
    read_head(out);
    const unsigned *n = out->numbers, things = n[SEGMENTS_CONTEXTS] + n[SEGMENTS_GAP];
    out->context_bits = things == 0 ? 0 : fm_bits_for(things - 1);
    out->name_bits = fm_bits_for(n[SEGMENTS_NAMES]);
    out->row_bits = out->context_bits + out->name_bits + n[SEGMENTS_LINE] + n[SEGMENTS_COL];
    out->rows_at = FMX_SEGMENTS_HEAD_BITS + (out->count - 1) * n[SEGMENTS_SPOT];
    out->contexts_at = out->rows_at + out->count * out->row_bits;
    out->names_at = out->contexts_at + n[SEGMENTS_CONTEXTS] * (n[SEGMENTS_SOURCE] + n[SEGMENTS_BASE]);
    out->end_bit = out->names_at + (uint64_t)n[SEGMENTS_NAMES] * n[SEGMENTS_NAME];
    return n[SEGMENTS_SPOT] <= 57 && out->end_bit <= (bytes->size - at) * 8;
}

static void read_context(const struct fm_view *view, const struct fm_segment_block *block, uint64_t context, uint64_t line,
                         struct fm_view_segment *out)
{
    const unsigned *n = block->numbers, width = n[SEGMENTS_SOURCE] + n[SEGMENTS_BASE];
    if (context >= n[SEGMENTS_CONTEXTS]) return;
    const uint64_t at = block->contexts_at + context * width, source = fm_bits_get(block->data, at, n[SEGMENTS_SOURCE]);
    if (source >= count_of(view, FMX_SOURCES)) return;
    out->source = (uint32_t)source;
    out->original_line0 = (uint32_t)(line + fm_bits_get(block->data, at + n[SEGMENTS_SOURCE], n[SEGMENTS_BASE]));
}

bool fm_segment_read(const struct fm_view *view, const struct fm_segment_block *block, unsigned i, struct fm_view_segment *out)
{
    const unsigned *n = block->numbers;
    uint64_t at = block->rows_at + (uint64_t)i * block->row_bits;
    const uint64_t context = fm_bits_get(block->data, at, block->context_bits),
                   name = fm_bits_get(block->data, at += block->context_bits, block->name_bits),
                   line = fm_bits_get(block->data, at += block->name_bits, n[SEGMENTS_LINE]),
                   col = fm_bits_get(block->data, at + n[SEGMENTS_LINE], n[SEGMENTS_COL]);
    out->source = out->name = FM_VIEW_NONE;
    out->original_line0 = 0;
    out->original_col0 = (uint32_t)col;
    read_context(view, block, context, line, out);
    if (name > 0 && name <= n[SEGMENTS_NAMES])
        out->name = (uint32_t)fm_bits_get(block->data, block->names_at + (name - 1) * n[SEGMENTS_NAME], n[SEGMENTS_NAME]);
    return name <= n[SEGMENTS_NAMES] && context < n[SEGMENTS_CONTEXTS] + n[SEGMENTS_GAP];
}

/* --- finding --- */

/* The blocks from *low to *high are those that can be the last one that begins before the spot. */
static void ask_guide(const struct fm_view *view, uint64_t spot, uint64_t *low, uint64_t *high)
{
    const struct fm_packed *guide = &view->tables[FMX_SEGMENT_GUIDE];
    const uint64_t last = count_of(view, FMX_SEGMENT_BLOCKS) - 1, bucket = spot >> view->shift;
    *low = 0;
    *high = last;
    if (guide->count > 0) *low = fm_field(guide, bucket < guide->count ? bucket : guide->count - 1, GUIDE_BLOCK);
    if (bucket + 1 < guide->count) *high = fm_field(guide, bucket + 1, GUIDE_BLOCK);
    if (*high > last) *high = last;
    if (*low > *high) *low = *high;
}

static uint64_t find_block(const struct fm_view *view, uint64_t spot)
{
    const struct fm_packed *blocks = &view->tables[FMX_SEGMENT_BLOCKS];
    uint64_t low, high;
    ask_guide(view, spot, &low, &high);
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        if (block_spot(blocks, middle) < spot)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The last segment that begins before the spot, which is behind the first one's. Without branches on what is read. */
static unsigned find_row(const struct fm_segment_block *block, uint64_t spot)
{
    const unsigned width = block->numbers[SEGMENTS_SPOT];
    const uint64_t wanted = spot - block->spot, mask = fm_bits_mask(width);
    unsigned low = 0, at = FMX_SEGMENTS_HEAD_BITS - width; /* bit where that of `low` would stand */
    for (unsigned count = block->count; count > 1;) {
        const unsigned half = count / 2, bit = at + half * width;
        const unsigned before = 0u - (unsigned)((fm_load64(block->data + (bit >> 3)) >> (bit & 7) & mask) < wanted);
        low += before & half;
        at += before & (half * width);
        count -= half;
    }
    return low;
}

/* Where a segment is: the block opened, and its number within. */
struct found {
    struct fm_segment_block block;
    uint64_t number;
    unsigned row;
};

/* The first segment at the spot, unless only_before; else the last one before it. */
static bool find(const struct fm_view *view, uint64_t spot, bool only_before, struct found *out)
{
    const uint64_t blocks = count_of(view, FMX_SEGMENT_BLOCKS);
    if (blocks == 0) return false;
    out->number = find_block(view, spot);
    if (!fm_segment_block_open(view, out->number, &out->block) || out->block.spot > spot) return false;
    out->row = 0;
    if (out->block.spot == spot) return !only_before; /* of block 0 */
    out->row = find_row(&out->block, spot);
    if (only_before) return true;
    if (out->row + 1 < out->block.count) {
        out->row += fm_segment_spot(&out->block, out->row + 1) == spot;
        return true;
    }
    if (out->number + 1 >= blocks || block_spot(&view->tables[FMX_SEGMENT_BLOCKS], out->number + 1) != spot) return true;
    out->row = 0;
    return fm_segment_block_open(view, ++out->number, &out->block);
}

uint64_t fm_segment_first(const struct fm_view *view, uint64_t spot)
{
    struct found found;
    return find(view, spot, true, &found) ? found.number * FMX_SEGMENTS_EACH + found.row + 1 : 0;
}

bool fm_segment_spot_of(const struct fm_view *view, uint64_t number, uint64_t *spot)
{
    struct fm_segment_block block;
    const unsigned row = (unsigned)(number % FMX_SEGMENTS_EACH);
    if (!fm_segment_block_open(view, number / FMX_SEGMENTS_EACH, &block) || row >= block.count) return false;
    *spot = fm_segment_spot(&block, row);
    return true;
}

static bool answer(const struct fm_view *view, const struct fm_segment_line *line, const struct found *found, struct fm_view_segment *out)
{
    const uint64_t spot = fm_segment_spot(&found->block, found->row);
    if (spot < line->begin || spot >= line->end) return false;
    out->number = found->number * FMX_SEGMENTS_EACH + found->row;
    out->line0 = line->line0;
    out->col0 = (uint32_t)(spot - line->begin);
    return fm_segment_read(view, &found->block, found->row, out);
}

/* A column behind the line's last segment has the spot behind the line, which is the next line's first: nothing may begin there. */
bool fm_view_segment_at(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_segment *out)
{
    struct fm_segment_line line;
    struct found found;
    if (!fm_segment_line(view, line0, &line)) return false;
    const bool behind = col0 >= line.end - line.begin;
    return find(view, behind ? line.end : line.begin + col0, behind, &found) && answer(view, &line, &found, out);
}

void fm_view_segments_at(const struct fm_view *view, const uint32_t *lines0, const uint32_t *cols0, size_t count,
                         struct fm_view_segment *out, bool *found)
{
    for (size_t i = 0; i < count; i++) found[i] = fm_view_segment_at(view, lines0[i], cols0[i], &out[i]);
}

bool fm_view_segment(const struct fm_view *view, uint64_t number, struct fm_view_segment *out)
{
    struct found found = {.number = number / FMX_SEGMENTS_EACH, .row = (unsigned)(number % FMX_SEGMENTS_EACH)};
    struct fm_segment_line line;
    if (!fm_segment_block_open(view, found.number, &found.block) || found.row >= found.block.count) return false;
    return fm_segment_line_of(view, fm_segment_spot(&found.block, found.row), &line) && answer(view, &line, &found, out);
}

/* --- what segments lead to --- */

bool fm_view_source(const struct fm_view *view, uint32_t source, struct fm_view_source *out)
{
    const struct fm_packed *sources = &view->tables[FMX_SOURCES];
    if (source >= sources->count) return false;
    const struct fm_row row = fm_row_at(sources, source);
    out->address = fm_row_text(view, row, SOURCE_ADDRESS);
    out->spelled = fm_row_text(view, row, SOURCE_SPELLED);
    if (out->spelled.data == NULL) out->spelled = out->address;
    out->content = fm_row_text(view, row, SOURCE_CONTENT);
    out->flags = (uint32_t)fm_row_field(row, SOURCE_FLAGS);
    return true;
}

bool fm_view_segment_name(const struct fm_view *view, uint32_t name, framemap_str *out)
{
    if (!fm_is_segments(view) || name >= count_of(view, FMX_TEXTS)) return false;
    *out = fm_text_field(view, &view->tables[FMX_TEXTS], name, TEXT_AT);
    return true;
}

/* --- stretches --- */

/* A row's first fields, as many as the key has, are at most the key. */
static bool at_most(const struct fm_packed *rows, uint64_t row, const uint64_t *key, unsigned fields)
{
    for (unsigned i = 0; i < fields; i++) {
        const uint64_t value = fm_field(rows, row, i);
        if (value != key[i]) return value < key[i];
    }
    return true;
}

uint64_t fm_segment_stretch(const struct fm_view *view, unsigned section, const uint64_t *key, unsigned fields)
{
    const struct fm_packed *rows = &view->tables[section];
    uint64_t low = 0, high = rows->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (at_most(rows, middle, key, fields))
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

static void read_stretch(const struct fm_view *view, unsigned section, uint64_t row, unsigned text, struct fm_view_stretch *out)
{
    out->function = fm_text_field(view, &view->tables[section], row, text);
    out->origin = (uint32_t)fm_field(&view->tables[section], row, text + 2);
}

bool fm_view_source_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out)
{
    const struct fm_packed *rows = &view->tables[FMX_SOURCE_STRETCHES];
    if (number >= rows->count) return false;
    read_stretch(view, FMX_SOURCE_STRETCHES, number, SOURCE_STRETCH_TEXT, out);
    out->source = (uint32_t)fm_field(rows, number, SOURCE_STRETCH_SOURCE);
    out->line0 = (uint32_t)fm_field(rows, number, SOURCE_STRETCH_LINE);
    out->col0 = (uint32_t)fm_field(rows, number, SOURCE_STRETCH_COL);
    return true;
}

bool fm_view_generated_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out)
{
    const struct fm_packed *rows = &view->tables[FMX_GENERATED_STRETCHES];
    if (number >= rows->count) return false;
    read_stretch(view, FMX_GENERATED_STRETCHES, number, GENERATED_STRETCH_TEXT, out);
    out->source = FM_VIEW_NONE;
    out->line0 = (uint32_t)fm_field(rows, number, GENERATED_STRETCH_LINE);
    out->col0 = (uint32_t)fm_field(rows, number, GENERATED_STRETCH_COL);
    return true;
}

bool fm_view_source_stretch(const struct fm_view *view, uint32_t source, uint32_t line0, uint32_t col0, struct fm_view_stretch *out)
{
    const uint64_t key[] = {source, line0, col0}, row = fm_segment_stretch(view, FMX_SOURCE_STRETCHES, key, 3);
    return fm_view_source_stretch_at(view, row, out) && out->source == source && out->function.data != NULL;
}

bool fm_view_generated_stretch(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_stretch *out)
{
    const uint64_t key[] = {line0, col0}, row = fm_segment_stretch(view, FMX_GENERATED_STRETCHES, key, 2);
    return fm_view_generated_stretch_at(view, row, out) && out->function.data != NULL;
}

/* --- offsets --- */

bool fm_segment_list(const struct fm_view *view, uint64_t list, uint64_t *first, uint64_t *end)
{
    const struct fm_packed *lists = &view->tables[FMX_OFFSET_LISTS];
    if (lists->count == 0 || list >= lists->count - 1) return false;
    *first = fm_field(lists, list, OFFSET_LIST_FIRST);
    *end = fm_field(lists, list + 1, OFFSET_LIST_FIRST);
    return *first <= *end && *end <= count_of(view, FMX_OFFSETS);
}

bool fm_view_offset(const struct fm_view *view, uint32_t kind, uint32_t group, uint64_t which, uint32_t *out)
{
    const struct fm_packed *lists = &view->tables[FMX_OFFSET_LISTS];
    const uint64_t key[] = {kind, group};
    uint64_t low = 0, high = lists->count ? lists->count - 1 : 0, end;
    while (low < high) { /* the last list that is at most the key, and one more */
        const uint64_t middle = low + (high - low) / 2;
        if (at_most(lists, middle, key, 2))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || fm_field(lists, low - 1, OFFSET_LIST_KIND) != kind || fm_field(lists, low - 1, OFFSET_LIST_GROUP) != group)
        return false;
    if (!fm_segment_list(view, low - 1, &low, &end) || which >= end - low) return false;
    const uint64_t code = fm_field(&view->tables[FMX_OFFSETS], low + which, OFFSET_CODE);
    *out = (uint32_t)(code - 1);
    return code > 0 && code <= UINT32_MAX;
}

bool fm_view_offsets_at(const struct fm_view *view, uint64_t list, struct fm_view_offsets *out)
{
    const struct fm_packed *lists = &view->tables[FMX_OFFSET_LISTS];
    uint64_t first, end;
    if (!fm_segment_list(view, list, &first, &end)) return false;
    out->kind = (uint32_t)fm_field(lists, list, OFFSET_LIST_KIND);
    out->group = (uint32_t)fm_field(lists, list, OFFSET_LIST_GROUP);
    out->count = end - first;
    return true;
}
