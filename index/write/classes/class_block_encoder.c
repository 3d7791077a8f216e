/* Packs the spans (line ranges) of a method (docs/index-format.md, section 13) as soon as the method is given, so that
 * spans are not kept unpacked. */
#include "core/error.h"
#include "index/write/bit_writer.h"
#include "index/write/model/builder_model.h"

#define LOOKED_THROUGH 12 /* maximum number of members compared one by one; for more a hash table is used */

/* The distinct members of a method, in the order of first use. */
struct locals {
    uint32_t *of_span, *of_part; /* index of each span's member, and of each part's entry */
    uint32_t *members;
    uint32_t *slots; /* hash table: index of a member plus one; 0: free */
    size_t count, mask;
};
struct span_block {
    const struct fm_span *spans;
    size_t count, part_count;
    struct locals locals;
    uint32_t flags;                  /* bits FMX_SPANS_… of the head of the block, and the shape of its rows */
    uint64_t numbers[SPANS_NUMBERS]; /* numbers in the head of the block */
    struct fm_span_tree tree;        /* the segment tree, if `flags` has FMX_SPANS_TREE */
};

static uint32_t extent(const struct fm_span *span)
{
    return (uint32_t)span->residual_to - (uint32_t)span->residual_from;
}
static uint32_t span_shape_of(const struct fm_span *span) { return span->flags & ((1u << FMX_SPANS_SHAPE_BITS) - 1); }
static bool begins_part(const struct span_block *block, size_t i)
{
    return i == 0 || (block->spans[i].flags & FM_SPAN_PART) != 0;
}

static uint64_t second_code(const struct fm_span *span)
{
    if ((span->flags & FM_SPAN_PAIR) == 0 || span->original_to == span->original_from) return FMX_SECOND_EQUAL;
    const uint32_t more = (uint32_t)span->original_to - (uint32_t)span->original_from;
    if ((span->flags & FM_SPAN_RESIDUAL) != 0 && more == extent(span)) return FMX_SECOND_ALONG;
    return (uint64_t)more + FMX_SECOND_FIRST;
}

/* --- numbering the members of a method --- */

/* Divides the builder's scratch memory `local`: four numbers for each span, then the hash table. */
static bool locals_room(struct fm_builder *b, size_t count, struct locals *out)
{
    struct fm_class_form *form = &b->classes;
    size_t slots = 64;
    while (slots < count * 4) slots *= 2;
    if (!FM_GROW(b->heap, form->local, form->local_capacity, count * 4 + slots)) return false;
    *out = (struct locals){.of_span = form->local,
                           .of_part = form->local + count,
                           .members = form->local + count * 2,
                           .slots = form->local + count * 4,
                           .mask = slots - 1};
    return true;
}

static size_t member_slot_of(const struct locals *l, uint32_t member)
{
    size_t at = (size_t)(member * UINT64_C(0x9E3779B97F4A7C15) >> 32) & l->mask;
    while (l->slots[at] != 0 && l->members[l->slots[at] - 1] != member) at = (at + 1) & l->mask;
    return at;
}

static void fill_table(struct locals *l)
{
    memset(l->slots, 0, (l->mask + 1) * sizeof *l->slots);
    for (size_t i = 0; i < l->count; i++) l->slots[member_slot_of(l, l->members[i])] = (uint32_t)i + 1;
}

static uint32_t local_of(struct locals *l, uint32_t member)
{
    size_t at = 0;
    if (l->count <= LOOKED_THROUGH) {
        for (size_t i = l->count; i > 0; i--)
            if (l->members[i - 1] == member) return (uint32_t)i - 1;
    } else {
        at = member_slot_of(l, member);
        if (l->slots[at] != 0) return l->slots[at] - 1;
        l->slots[at] = (uint32_t)l->count + 1;
    }
    l->members[l->count++] = member;
    if (l->count == LOOKED_THROUGH + 1) fill_table(l);
    return (uint32_t)l->count - 1;
}

/* --- measuring a method's spans --- */

static void most(uint64_t *greatest, uint64_t value) { *greatest |= value; }

static void measure_span(struct span_block *block, const struct fm_span *span)
{
    uint64_t *n = block->numbers;
    if (span->flags & FM_SPAN_RESIDUAL) {
        most(&n[SPANS_FROM], (uint32_t)span->residual_from);
        most(&n[SPANS_EXTENT], extent(span));
    }
    if (span->flags & FM_SPAN_ORIGINAL) most(&n[SPANS_LINE], (uint32_t)span->original_from);
    most(&n[SPANS_SECOND], second_code(span));
    most(&n[SPANS_NOTES], span->notes == FM_NONE ? 0 : (uint64_t)span->notes + 1);
}

/* Whether a span has the same residual lines as the previous span, or later ones. */
static bool continues_lines(const struct fm_span *before, const struct fm_span *span)
{
    if ((before->flags & span->flags & FM_SPAN_RESIDUAL) == 0) return false;
    return span->residual_from > before->residual_to ||
           (span->residual_from == before->residual_from && span->residual_to == before->residual_to);
}

static void measure_spans(struct span_block *block)
{
    uint32_t any = 0, all = (1u << FMX_SPANS_SHAPE_BITS) - 1;
    bool sorted = block->count > 1;
    for (size_t i = 0; i < block->count; i++) {
        const struct fm_span *span = &block->spans[i];
        measure_span(block, span);
        any |= span_shape_of(span);
        all &= span_shape_of(span);
        sorted = sorted && (i == 0 || continues_lines(span - 1, span));
        block->locals.of_span[i] = local_of(&block->locals, span->member);
        if (begins_part(block, i)) block->locals.of_part[block->part_count++] = local_of(&block->locals, span->entry);
    }
    for (size_t i = 0; i < block->locals.count; i++) most(&block->numbers[SPANS_MEMBER], block->locals.members[i]);
    for (unsigned i = SPANS_FROM; i < SPANS_NUMBERS; i++) block->numbers[i] = fm_bits_for(block->numbers[i]);
    block->numbers[SPANS_COUNT] = block->count - 1;
    block->numbers[SPANS_MEMBERS] = block->locals.count - 1;
    block->numbers[SPANS_PARTS] = block->part_count - 1;
    block->flags = any << FMX_SPANS_SHAPE_AT | (any != all ? FMX_SPANS_VARY : 0) | (sorted ? FMX_SPANS_SORTED : 0);
    if (!sorted && block->count > FMX_SPANS_SCAN && (any & FM_SPAN_RESIDUAL) != 0) block->flags |= FMX_SPANS_TREE;
}

static const uint8_t short_widths[SPANS_NUMBERS] = FMX_SPANS_SHORT_WIDTHS,
                     long_widths[SPANS_NUMBERS] = FMX_SPANS_LONG_WIDTHS;

static uint64_t row_bits(const struct span_block *block)
{
    const uint64_t *n = block->numbers;
    return ((block->flags & FMX_SPANS_VARY) != 0 ? FMX_SPANS_SHAPE_BITS : 0) + n[SPANS_FROM] + n[SPANS_EXTENT] +
           n[SPANS_LINE] + n[SPANS_SECOND] + fm_bits_for(n[SPANS_MEMBERS]) + n[SPANS_NOTES];
}

static void choose_head(struct span_block *block)
{
    if (block->count > 1 && row_bits(block) == 0)
        /* each row gets at least one bit, so that the number of bytes limits the number of rows that a block can
         * claim */
        block->numbers[SPANS_NOTES] = 1;
    for (unsigned i = 0; i < SPANS_NUMBERS; i++)
        if (fm_bits_for(block->numbers[i]) > short_widths[i]) block->flags |= FMX_SPANS_LONG;
}

/* --- writing a method's spans --- */

static uint64_t tree_bits(const struct span_block *block)
{
    const struct fm_span_tree *tree = &block->tree;
    if ((block->flags & FMX_SPANS_TREE) == 0) return 0;
    const uint64_t across = (uint64_t)(tree->boundaries[tree->boundary_count - 1] - tree->boundaries[0]);
    return FMX_TREE_HEAD_BITS + (uint64_t)tree->boundary_count * fm_bits_for(across) +
           ((uint64_t)tree->node_count + 1) * fm_bits_for(tree->entry_count) +
           (uint64_t)tree->entry_count * fm_bits_for(block->count - 1);
}

static uint64_t block_bits(const struct span_block *block)
{
    const uint64_t *n = block->numbers;
    const unsigned local_bits = fm_bits_for(n[SPANS_MEMBERS]);
    const uint64_t part_bits = fm_bits_for(n[SPANS_COUNT]) + local_bits + FMX_PART_FLAG_BITS;
    return ((block->flags & FMX_SPANS_LONG) != 0 ? FMX_SPANS_LONG_BITS : FMX_SPANS_SHORT_BITS) +
           block->locals.count * n[SPANS_MEMBER] + block->part_count * part_bits + block->count * row_bits(block) +
           tree_bits(block);
}

static void put_long_head(struct fm_bit_writer *writer, const struct span_block *block)
{
    unsigned left = FMX_SPANS_LONG_BITS - FMX_SPANS_FLAGS;
    fm_bit_writer_put(writer, block->flags, FMX_SPANS_FLAGS);
    for (unsigned i = 0; i < SPANS_NUMBERS; i++) {
        fm_bit_writer_put(writer, block->numbers[i], long_widths[i]);
        left -= long_widths[i];
    }
    fm_bit_writer_put(writer, 0, left);
}

static void put_head(struct fm_bit_writer *writer, const struct span_block *block)
{
    uint64_t head = block->flags;
    unsigned at = FMX_SPANS_FLAGS;
    if (block->flags & FMX_SPANS_LONG) {
        put_long_head(writer, block);
        return;
    }
    for (unsigned i = 0; i < SPANS_NUMBERS; at += short_widths[i++]) head |= block->numbers[i] << at;
    fm_bit_writer_put(writer, head, FMX_SPANS_SHORT_BITS);
}

static void put_parts(struct fm_bit_writer *writer, const struct span_block *block)
{
    const unsigned first_bits = fm_bits_for(block->count - 1), local_bits = fm_bits_for(block->locals.count - 1);
    for (size_t i = 0, part = 0; i < block->count; i++) {
        if (!begins_part(block, i)) continue;
        fm_bit_writer_put(writer, i, first_bits);
        fm_bit_writer_put(writer, block->locals.of_part[part++], local_bits);
        fm_bit_writer_put(writer, block->spans[i].flags >> FMX_PART_FLAGS_AT & 3, FMX_PART_FLAG_BITS);
    }
}

static void put_span_row(struct fm_bit_writer *writer, const struct span_block *block, size_t i, unsigned local_bits)
{
    const struct fm_span *span = &block->spans[i];
    const uint64_t *n = block->numbers;
    const bool residual = (span->flags & FM_SPAN_RESIDUAL) != 0, original = (span->flags & FM_SPAN_ORIGINAL) != 0;
    if (block->flags & FMX_SPANS_VARY) fm_bit_writer_put(writer, span_shape_of(span), FMX_SPANS_SHAPE_BITS);
    fm_bit_writer_put(writer, residual ? (uint32_t)span->residual_from : 0, (unsigned)n[SPANS_FROM]);
    fm_bit_writer_put(writer, residual ? extent(span) : 0, (unsigned)n[SPANS_EXTENT]);
    fm_bit_writer_put(writer, original ? (uint32_t)span->original_from : 0, (unsigned)n[SPANS_LINE]);
    fm_bit_writer_put_wide(writer, second_code(span), (unsigned)n[SPANS_SECOND]);
    fm_bit_writer_put(writer, block->locals.of_span[i], local_bits);
    fm_bit_writer_put(writer, span->notes == FM_NONE ? 0 : span->notes + 1, (unsigned)n[SPANS_NOTES]);
}

/* Writes a row of a block that has a short head: the same bytes as put_span_row writes, with fewer stores, because
 * several of the narrow fields fit one store. */
static void put_short_row(struct fm_bit_writer *writer, const struct span_block *block, size_t i, unsigned local_bits)
{
    const struct fm_span *span = &block->spans[i];
    const uint64_t *n = block->numbers;
    const bool residual = (span->flags & FM_SPAN_RESIDUAL) != 0, original = (span->flags & FM_SPAN_ORIGINAL) != 0;
    const unsigned shape_bits = (block->flags & FMX_SPANS_VARY) != 0 ? FMX_SPANS_SHAPE_BITS : 0;
    const uint64_t shape = span_shape_of(span) & fm_bits_mask(shape_bits),
                   from = residual ? (uint32_t)span->residual_from : 0, more = residual ? extent(span) : 0,
                   line = original ? (uint32_t)span->original_from : 0;
    fm_bit_writer_put(writer, shape | (from | more << n[SPANS_FROM]) << shape_bits,
                      shape_bits + (unsigned)(n[SPANS_FROM] + n[SPANS_EXTENT]));
    fm_bit_writer_put(
        writer, line | (second_code(span) | (uint64_t)block->locals.of_span[i] << n[SPANS_SECOND]) << n[SPANS_LINE],
        (unsigned)(n[SPANS_LINE] + n[SPANS_SECOND]) + local_bits);
    if (n[SPANS_NOTES] > 0)
        fm_bit_writer_put(writer, span->notes == FM_NONE ? 0 : span->notes + 1, (unsigned)n[SPANS_NOTES]);
}

static void put_span_rows(struct fm_bit_writer *writer, const struct span_block *block)
{
    const unsigned local_bits = fm_bits_for(block->locals.count - 1);
    const bool is_short = (block->flags & FMX_SPANS_LONG) == 0;
    for (size_t i = 0; i < block->count; i++)
        if (is_short)
            put_short_row(writer, block, i, local_bits);
        else
            put_span_row(writer, block, i, local_bits);
}

static void put_tree(struct fm_bit_writer *writer, const struct span_block *block)
{
    const struct fm_span_tree *tree = &block->tree;
    const int64_t base = tree->boundaries[0];
    const unsigned width = fm_bits_for((uint64_t)(tree->boundaries[tree->boundary_count - 1] - base)),
                   offset_bits = fm_bits_for(tree->entry_count), entry_bits = fm_bits_for(block->count - 1);
    fm_bit_writer_put(writer, tree->boundary_count, FMX_TREE_BOUNDARIES);
    fm_bit_writer_put(writer, tree->entry_count, FMX_TREE_ENTRIES);
    fm_bit_writer_put_wide(writer, (uint64_t)(base - INT32_MIN), FMX_TREE_BASE);
    fm_bit_writer_put(writer, width, FMX_TREE_WIDTH);
    for (size_t i = 0; i < tree->boundary_count; i++)
        fm_bit_writer_put_wide(writer, (uint64_t)(tree->boundaries[i] - base), width);
    for (size_t i = 0; i <= tree->node_count; i++) fm_bit_writer_put(writer, tree->offsets[i], offset_bits);
    for (size_t i = 0; i < tree->entry_count; i++) fm_bit_writer_put(writer, tree->entries[i], entry_bits);
}

static framemap_status put_block(struct fm_heap *heap, struct fm_class_part *part, const struct span_block *block,
                                 framemap_error *error)
{
    const uint64_t size = (block_bits(block) + 7) / 8;
    if (size > UINT32_MAX) return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than 4 GB of spans in one method");
    if (part->span_size > SIZE_MAX / 4 ||
        !FM_GROW_BIG(heap, part->span_bytes, part->span_capacity, part->span_size + (size_t)size + 8))
        return fm_error_memory(error);
    struct fm_bit_writer writer = {.at = part->span_bytes + part->span_size};
    put_head(&writer, block);
    for (size_t i = 0; i < block->locals.count; i++)
        fm_bit_writer_put(&writer, block->locals.members[i], (unsigned)block->numbers[SPANS_MEMBER]);
    put_parts(&writer, block);
    put_span_rows(&writer, block);
    if (block->flags & FMX_SPANS_TREE) put_tree(&writer, block);
    part->span_size = (size_t)(fm_bit_writer_end(&writer) - part->span_bytes);
    return FRAMEMAP_OK;
}

uint32_t fm_encoded_span_count(const unsigned char *bytes)
{
    const bool is_long = (bytes[0] & FMX_SPANS_LONG) != 0;
    const uint32_t number =
        bytes[1] | (is_long ? (uint32_t)bytes[2] << 8 | (uint32_t)bytes[3] << 16 | (uint32_t)bytes[4] << 24 : 0);
    return (is_long ? number : number & ((1u << short_widths[SPANS_COUNT]) - 1)) + 1;
}

/* --- writing the spans of most methods: a single span --- */

/* Bit offsets of the widths in a short head, in the order of FMX_SPANS_SHORT_WIDTHS. The counts precede them, and are 0
 * for one span. */
enum {
    HEAD_FROM = FMX_SPANS_FLAGS + 15,
    HEAD_EXTENT = HEAD_FROM + 4,
    HEAD_LINE = HEAD_EXTENT + 4,
    HEAD_SECOND = HEAD_LINE + 5,
    HEAD_MEMBER = HEAD_SECOND + 4,
    HEAD_NOTES = HEAD_MEMBER + 5,
    HEAD_END = HEAD_NOTES + 3
};
_Static_assert((int)HEAD_END == (int)FMX_SPANS_SHORT_BITS, "the fields of a short head");

/* Writes the bytes that put_block would write for a method with one span. *packed: false if the method needs
 * put_block. */
static framemap_status pack_one(struct fm_heap *heap, struct fm_class_part *part, const struct fm_span *span,
                                bool *packed, framemap_error *error)
{
    const bool residual = (span->flags & FM_SPAN_RESIDUAL) != 0, original = (span->flags & FM_SPAN_ORIGINAL) != 0;
    const uint64_t from = residual ? (uint32_t)span->residual_from : 0, more = residual ? extent(span) : 0,
                   line = original ? (uint32_t)span->original_from : 0, second = second_code(span),
                   member = span->member, notes = span->notes == FM_NONE ? 0 : (uint64_t)span->notes + 1;
    const unsigned from_bits = fm_bits_for(from), more_bits = fm_bits_for(more), line_bits = fm_bits_for(line),
                   second_bits = fm_bits_for(second), member_bits = fm_bits_for(member),
                   notes_bits = fm_bits_for(notes);
    *packed = span->entry == span->member && from_bits < 16 && more_bits < 16 && line_bits < 32 && second_bits < 16 &&
              member_bits < 32 && notes_bits < 8;
    if (!*packed) return FRAMEMAP_OK;
    if (part->span_size > SIZE_MAX / 4 ||
        !FM_GROW_BIG(heap, part->span_bytes, part->span_capacity, part->span_size + 64))
        return fm_error_memory(error);
    const uint64_t head = (uint64_t)span_shape_of(span) << FMX_SPANS_SHAPE_AT | (uint64_t)from_bits << HEAD_FROM |
                          (uint64_t)more_bits << HEAD_EXTENT | (uint64_t)line_bits << HEAD_LINE |
                          (uint64_t)second_bits << HEAD_SECOND | (uint64_t)member_bits << HEAD_MEMBER |
                          (uint64_t)notes_bits << HEAD_NOTES;
    struct fm_bit_writer writer = {.at = part->span_bytes + part->span_size};
    fm_bit_writer_put(&writer, head, FMX_SPANS_SHORT_BITS);
    fm_bit_writer_put(&writer, member | (uint64_t)(span->flags >> FMX_PART_FLAGS_AT & 3) << member_bits,
                      member_bits + FMX_PART_FLAG_BITS);
    fm_bit_writer_put(&writer, from | more << from_bits, from_bits + more_bits);
    fm_bit_writer_put(&writer, line | (second | notes << second_bits) << line_bits,
                      /* these three values together have at most 53 bits, so one store writes all of them */
                      line_bits + second_bits + notes_bits);
    part->span_size = (size_t)(fm_bit_writer_end(&writer) - part->span_bytes);
    if (original) part->has_lines = true;
    return FRAMEMAP_OK;
}

framemap_status fm_encode_spans(struct fm_builder *b, struct fm_class_part *part, const struct fm_span *spans,
                                size_t count, framemap_error *error)
{
    bool packed = false;
    framemap_status status = count == 1 ? pack_one(b->heap, part, spans, &packed, error) : FRAMEMAP_OK;
    if (packed || status != FRAMEMAP_OK) return status;
    struct span_block block; /* the struct is not zeroed as a whole, because few blocks have a segment tree */
    block.spans = spans;
    block.count = count;
    block.part_count = 0;
    for (unsigned i = 0; i < SPANS_NUMBERS; i++) block.numbers[i] = 0;
    if (!locals_room(b, count, &block.locals)) return fm_error_memory(error);
    measure_spans(&block);
    choose_head(&block);
    if (block.flags & FMX_SPANS_TREE) {
        block.tree = (struct fm_span_tree){.node_count = 0};
        status = fm_span_tree_make(b->heap, spans, count, &block.tree, error);
    }
    if (status == FRAMEMAP_OK) status = put_block(b->heap, part, &block, error);
    if (block.flags & FMX_SPANS_TREE) fm_span_tree_free(b->heap, &block.tree);
    if ((block.flags & (uint32_t)FM_SPAN_ORIGINAL << FMX_SPANS_SHAPE_AT) != 0) part->has_lines = true;
    return status;
}
