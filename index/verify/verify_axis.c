/* Verifies all that leads from a scope and a position to an entry: scopes, their hash table, ranges, buckets, blocks.
 * Called by verify.c. */
#include "core/text/text.h"
#include "index/read/positions/lookup.h"
#include "index/read/positions/scope_decoder.h"
#include "index/verify/verify_parts.h"

static bool check_keys(const struct fm_checker *checker)
{
    const struct fm_view *view = checker->view;
    const struct fm_packed *scopes = &view->tables[FMX_SCOPES];
    const bool numbered = (view->flags & FMX_FLAG_NUMBERED) != 0;
    framemap_str before = {NULL, 0};
    for (uint64_t i = 0; i < scopes->count; i++) {
        if (numbered) {
            if (i > 0 && fm_field_wide(scopes, i, SCOPE_KEY) <= fm_field_wide(scopes, i - 1, SCOPE_KEY))
                return fm_check_fails(checker, FMX_SCOPES, i, "numbers out of order");
            continue;
        }
        const framemap_str key = fm_text_field(view, scopes, i, SCOPE_KEY);
        if (key.data == NULL) return fm_check_fails(checker, FMX_SCOPES, i, "a key outside the strings");
        if (i > 0 && fm_str_compare(before, key) >= 0)
            return fm_check_fails(checker, FMX_SCOPES, i, "keys out of order");
        before = key;
    }
    return true;
}

/* Checks that every hash slot refers to a scope, and every scope is found by its hash. */
static bool check_hash(const struct fm_checker *checker)
{
    const struct fm_view *view = checker->view;
    const struct fm_packed *slots = &view->tables[FMX_SCOPE_HASH], *scopes = &view->tables[FMX_SCOPES];
    if (slots->count == 0) return true;
    if (view->flags & FMX_FLAG_NUMBERED) return fm_check_fails(checker, FMX_SCOPE_HASH, 0, "numbers are not hashed");
    uint64_t used = 0;
    for (uint64_t i = 0; i < slots->count; i++) {
        const uint64_t code = fm_field(slots, i, HASH_SCOPE);
        if (code > scopes->count) return fm_check_fails(checker, FMX_SCOPE_HASH, i, "no such scope");
        used += code != 0;
    }
    if (used != scopes->count)
        return fm_check_fails(checker, FMX_SCOPE_HASH, 0, "a hash table that does not hold each scope once");
    for (uint64_t i = 0; i < scopes->count; i++) {
        uint64_t found;
        if (!fm_view_scope(view, fm_text_field(view, scopes, i, SCOPE_KEY), &found) || found != i)
            return fm_check_fails(checker, FMX_SCOPE_HASH, 0, "a scope that its hash does not find");
    }
    return true;
}

/* Checks that the ranges [first, end) of a scope ascend on the axis of positions, and do not overlap by position. */
static bool check_scope_ranges(const struct fm_checker *checker, uint64_t scope, uint64_t first, uint64_t end)
{
    const struct fm_packed *ranges = &checker->view->tables[FMX_RANGES];
    const uint64_t unit = fm_field(&checker->view->tables[FMX_SCOPES], scope, SCOPE_UNIT);
    if (unit > 63) return fm_check_fails(checker, FMX_SCOPES, scope, "an invalid unit");
    for (uint64_t i = first; i < end; i++) {
        const uint64_t axis_offset = fm_field_wide(ranges, i, RANGE_AXIS),
                       next = fm_field_wide(ranges, i + 1, RANGE_AXIS);
        const uint64_t position = fm_field_wide(ranges, i, RANGE_FIRST);
        if (next <= axis_offset || next > FMX_AXIS_MOST)
            return fm_check_fails(checker, FMX_RANGES, i, "axis offsets out of order");
        if (next - axis_offset - 1 > (UINT64_MAX - position) >> unit)
            return fm_check_fails(checker, FMX_RANGES, i, "a range past the last position");
        if (i + 1 < end && fm_field_wide(ranges, i + 1, RANGE_FIRST) <= position + ((next - axis_offset - 1) << unit))
            return fm_check_fails(checker, FMX_RANGES, i + 1, "ranges that overlap");
    }
    return true;
}

bool fm_check_scopes(const struct fm_checker *checker)
{
    const struct fm_view *view = checker->view;
    const struct fm_packed *scopes = &view->tables[FMX_SCOPES], *ranges = &view->tables[FMX_RANGES];
    if (scopes->count == 0 || ranges->count < 2) return fm_check_fails(checker, FMX_SCOPES, 0, "no scopes");
    if (!check_keys(checker) || !check_hash(checker)) return false;
    if (fm_field_wide(ranges, 0, RANGE_AXIS) != 0)
        return fm_check_fails(checker, FMX_RANGES, 0, "an axis that does not start at 0");
    uint64_t expected = 0;
    for (uint64_t i = 0; i < scopes->count; i++) {
        uint64_t first, end;
        if (!fm_scope_ranges(view, i, &first, &end) || first != expected)
            return fm_check_fails(checker, FMX_SCOPES, i, "a scope's invalid ranges");
        if (!check_scope_ranges(checker, i, first, end)) return false;
        expected = end;
    }
    return expected == ranges->count - 1 || fm_check_fails(checker, FMX_RANGES, expected, "ranges outside any scope");
}

/* A walk over buckets (intervals of the axis of positions) and ranges in parallel. Where a range starts, an entry must
 * start, too. */
struct block_walk {
    const struct fm_checker *checker;
    uint64_t range;   /* number of the next range, whose start the walk has not reached yet */
    uint64_t entries; /* number of entries that do not repeat an earlier entry */
    uint64_t at, end; /* start and end of the previous block */
    bool may_repeat;  /* some block was read, so that the next bucket may refer to it again */
};

static bool check_entry(const struct fm_checker *checker, uint64_t at, const struct fm_block *block, uint32_t row)
{
    const struct fm_packed *t = checker->view->tables;
    struct fm_hit hit = {.scope = 0};
    if (!fm_block_entry(checker->view, block, row, &hit))
        return fm_check_fails(checker, FMX_BLOCKS, at, "an invalid entry");
    if (hit.entry.file_code > t[FMX_FILES].count + 1) return fm_check_fails(checker, FMX_BLOCKS, at, "no such file");
    if (hit.entry.name_code > t[FMX_TEXTS].count) return fm_check_fails(checker, FMX_BLOCKS, at, "no such name");
    /* a group of alternative locations is checked together with the table of groups */
    if (hit.place_count != 1) return true;
    struct fm_view_place place;
    if (!fm_check_read(checker, fm_view_place(checker->view, &hit, 0, &place), FMX_BLOCKS, at, "an invalid line"))
        return false;
    return !hit.entry.has_line || place.line1 != 0 || fm_check_fails(checker, FMX_BLOCKS, at, "an invalid line");
}

/* Called for each entry, in order. If the current range starts at the same offset on the axis as the entry, moves on to
 * the next range. Returns false if the current range starts before the entry: then no entry starts where the range
 * starts. */
static bool pass_ranges(struct block_walk *walk, uint64_t axis_offset)
{
    const struct fm_packed *ranges = &walk->checker->view->tables[FMX_RANGES];
    if (walk->range >= ranges->count - 1) return true;
    const uint64_t begin = fm_field_wide(ranges, walk->range, RANGE_AXIS);
    if (begin == axis_offset) walk->range++;
    return begin >= axis_offset;
}

static bool check_rows(struct block_walk *walk, uint64_t at, const struct fm_block *block, uint64_t bucket)
{
    const unsigned shift = walk->checker->view->shift;
    const uint64_t begin = bucket << shift;
    const bool carried = (block->flags & FMX_BLOCK_CARRIED) != 0;
    for (uint32_t row = 0; row < block->rows; row++) {
        const uint64_t low = fm_block_low(block, row);
        if (row > 0 && low <= fm_block_low(block, row - 1))
            return fm_check_fails(walk->checker, FMX_BLOCKS, at, "entries out of order");
        if (!check_entry(walk->checker, at, block, row)) return false;
        if (row == 0 && carried) continue;
        if (!pass_ranges(walk, begin + low))
            return fm_check_fails(walk->checker, FMX_BLOCKS, at, "a range without its first entry");
        walk->entries++;
    }
    return true;
}

static bool check_bucket(struct block_walk *walk, uint64_t bucket)
{
    const struct fm_checker *checker = walk->checker;
    struct fm_block block;
    if (!fm_block_open(checker->view, bucket, &block))
        return fm_check_fails(checker, FMX_BUCKETS, bucket, "a bucket without a valid block");
    const uint64_t at = (uint64_t)(block.data - checker->view->tables[FMX_BLOCKS].data);
    const bool lone = block.rows == 1 && (block.flags & FMX_BLOCK_CARRIED) != 0;
    if (lone && walk->may_repeat && at == walk->at) return true;
    if (at != walk->end) return fm_check_fails(checker, FMX_BUCKETS, bucket, "a block out of order");
    walk->at = at;
    walk->end = at + block.end;
    /* the next buckets may refer to this block again, if its only entry repeats an entry of an earlier bucket */
    walk->may_repeat = true;
    return check_rows(walk, at, &block, bucket);
}

bool fm_check_blocks(const struct fm_checker *checker)
{
    const struct fm_packed *t = checker->view->tables;
    const uint64_t axis_size = fm_field_wide(&t[FMX_RANGES], t[FMX_RANGES].count - 1, RANGE_AXIS);
    struct block_walk walk = {.checker = checker};
    if (t[FMX_BUCKETS].count != ((axis_size - 1) >> checker->view->shift) + 1)
        return fm_check_fails(checker, FMX_BUCKETS, 0, "a bucket count that does not match the ranges");
    for (uint64_t i = 0; i < t[FMX_BUCKETS].count; i++)
        if (!check_bucket(&walk, i)) return false;
    if (walk.end != t[FMX_BLOCKS].size) return fm_check_fails(checker, FMX_BLOCKS, walk.end, "bytes outside any block");
    if (walk.range != t[FMX_RANGES].count - 1)
        return fm_check_fails(checker, FMX_RANGES, walk.range, "a range without its first entry");
    if (walk.entries != checker->view->position_count)
        return fm_check_fails(checker, 0, 0, "a wrong number of positions");
    return true;
}
