/* Checks that members get the same numbers whether they are announced as new or looked up, and whether they are added
 * one by one, many at once, or by shards. */
#include "tests/index/support/class_by_hand.h"

#define BLOCKS 60u
#define LINES_MOST 90u /* greatest number of lines in a block: more than one call accepts */
#define NAMES 7u       /* number of original classes, most of which have several blocks */
#define TEXTS 12u

/* A line of a block. Its member belongs to the block's class or, like an inlined frame, to any class. */
struct line {
    unsigned holder, name, type;
    bool is_own;
};
struct block {
    unsigned holder, line_count;
    struct line lines[LINES_MOST];
};
struct mapping {
    struct block blocks[BLOCKS];
};

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33) % below;
}

static bool was_there(const struct block *block, const struct line *line)
{
    for (unsigned i = 0; i < block->line_count; i++)
        if (block->lines[i].is_own && block->lines[i].name == line->name && block->lines[i].type == line->type)
            return true;
    return false;
}

/* Fills a mapping with random lines. foreign: percentage of lines with a member of any class. */
static void fill_mapping(struct mapping *mapping, uint64_t seed, unsigned foreign)
{
    for (unsigned b = 0; b < BLOCKS; b++) {
        struct block *block = &mapping->blocks[b];
        const unsigned count = draw(&seed, LINES_MOST);
        *block = (struct block){.holder = draw(&seed, b < NAMES ? b + 1 : NAMES)};
        for (unsigned i = 0; i < count; i++) {
            struct line line = {block->holder, draw(&seed, TEXTS), draw(&seed, TEXTS), true};
            line.is_own = draw(&seed, 100) >= foreign;
            if (!line.is_own) line.holder = draw(&seed, NAMES);
            if (!line.is_own || !was_there(block, &line)) block->lines[block->line_count++] = line;
        }
    }
}

static uint32_t number_of(struct fm_builder *b, const char *kind, unsigned number)
{
    char text[32];
    uint32_t out;
    snprintf(text, sizeof text, "%s%u", kind, number);
    assert_int_equal(fm_builder_string(b, framemap_str_of(text), &out, NULL), FRAMEMAP_OK);
    return out;
}

static uint32_t name_of(struct fm_builder *b, unsigned number)
{
    char text[32];
    uint32_t out;
    snprintf(text, sizeof text, "holder%u", number);
    assert_int_equal(fm_builder_name(b, framemap_str_of(text), &out, NULL), FRAMEMAP_OK);
    return out;
}

static struct fm_member member_of(struct fm_builder *b, const struct line *line)
{
    return (struct fm_member){name_of(b, line->holder), number_of(b, "name", line->name),
                              number_of(b, "type", line->type), FM_NONE};
}

static void give_members(struct fm_builder *b, const struct block *block, bool at_once, uint32_t numbers[LINES_MOST])
{
    struct fm_member members[LINES_MOST];
    for (unsigned i = 0; i < block->line_count; i++) members[i] = member_of(b, &block->lines[i]);
    for (unsigned i = 0; i < block->line_count && !at_once; i++)
        assert_int_equal(fm_builder_member(b, &members[i], &numbers[i], NULL), FRAMEMAP_OK);
    for (unsigned at = 0; at < block->line_count && at_once; at += FM_MEMBERS_MOST) {
        const unsigned left = block->line_count - at, count = left < FM_MEMBERS_MOST ? left : FM_MEMBERS_MOST;
        uint64_t own = 0;
        for (unsigned i = 0; i < count; i++) own |= (uint64_t)block->lines[at + i].is_own << i;
        assert_int_equal(fm_builder_members(b, members + at, count, own, numbers + at, NULL), FRAMEMAP_OK);
    }
}

static void give_block(struct fm_builder *b, const struct block *block, unsigned residual, bool at_once)
{
    char text[32];
    uint32_t numbers[LINES_MOST];
    snprintf(text, sizeof text, "r%u", residual);
    assert_int_equal(fm_builder_class(b, framemap_str_of(text), name_of(b, block->holder), 0, NULL), FRAMEMAP_OK);
    give_members(b, block, at_once, numbers);
    for (unsigned i = 0; i < block->line_count; i++)
        assert_int_equal(fm_builder_field(b, framemap_str_of("f"), numbers[i], NULL), FRAMEMAP_OK);
}

static struct fm_built finished(struct fm_builder *b)
{
    struct fm_built built;
    assert_int_equal(fm_builder_finish(b, &built, NULL), FRAMEMAP_OK);
    fm_builder_free(b);
    return built;
}

static struct fm_built build_whole(struct fm_heap *heap, const struct mapping *mapping, bool at_once)
{
    struct fm_builder *b;
    assert_int_equal(fm_builder_create(heap, &b, NULL), FRAMEMAP_OK);
    for (unsigned i = 0; i < BLOCKS; i++) {
        give_block(b, &mapping->blocks[i], i, at_once);
        if (i == 4 && at_once) fm_builder_expect(b, BLOCKS / 5);
    }
    return finished(b);
}

/* Adds the blocks in shards of a few blocks each. One block in four is added directly to the builder of the whole
 * index, as mappers add a block whose lines depend on earlier lines. */
static struct fm_built build_shares(struct fm_heap *heap, const struct mapping *mapping, uint64_t seed)
{
    struct fm_builder *b;
    struct fm_class_shard *share;
    assert_int_equal(fm_builder_create(heap, &b, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_class_shard_create(b, &share, NULL), FRAMEMAP_OK);
    for (unsigned at = 0, end; at < BLOCKS; at = end) {
        const bool direct = draw(&seed, 4) == 0;
        end = at + 1 + draw(&seed, 8);
        if (end > BLOCKS) end = BLOCKS;
        fm_class_shard_clear(share);
        for (unsigned i = at; i < end; i++)
            give_block(direct ? b : fm_class_shard_builder(share), &mapping->blocks[i], i, true);
        if (direct) continue;
        assert_int_equal(fm_class_shard_ready(share, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_class_shard_join(share, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_class_shard_pack(share, NULL), FRAMEMAP_OK);
    }
    fm_class_shard_free(share);
    return finished(b);
}

static void assert_same(struct fm_heap *heap, const struct fm_built *expected, struct fm_built built)
{
    assert_int_equal(built.size, expected->size);
    assert_memory_equal(built.data, expected->data, built.size);
    fm_heap_free(heap, built.data, built.size);
}

static void test_own_members(void **state)
{
    static const unsigned foreign[] = {0, 2, 30, 90};
    static struct mapping mapping;
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (unsigned f = 0; f < sizeof foreign / sizeof *foreign; f++)
        for (uint64_t seed = 1; seed <= 25; seed++) {
            fill_mapping(&mapping, seed, foreign[f]);
            const struct fm_built expected = build_whole(&heap, &mapping, false);
            assert_same(&heap, &expected, build_whole(&heap, &mapping, true));
            assert_same(&heap, &expected, build_shares(&heap, &mapping, seed));
            fm_heap_free(&heap, expected.data, expected.size);
        }
    assert_int_equal(heap.used, 0);
}

/* Checks that a failure to reserve room for the expected records is not an error. Later records then take no more
 * memory than without a reservation. */
static void test_expecting_too_much(void **state)
{
    static struct mapping mapping;
    struct fm_heap heap;
    struct fm_builder *b;
    (void)state;
    fm_heap_init(&heap, NULL, (uint64_t)1 << 20);
    fill_mapping(&mapping, 7, 10);
    assert_int_equal(fm_builder_create(&heap, &b, NULL), FRAMEMAP_OK);
    fm_builder_expect(b, 1000); /* nothing was added yet */
    give_block(b, &mapping.blocks[0], 0, true);
    const uint64_t used = heap.used;
    fm_builder_expect(b, 40000); /* too many to reserve room for, with pointers of 4 or 8 bytes */
    assert_int_equal(heap.used, used);
    for (unsigned i = 1; i < BLOCKS; i++) give_block(b, &mapping.blocks[i], i, true);
    const struct fm_built built = finished(b);
    struct fm_built expected = build_whole(&heap, &mapping, false);
    assert_same(&heap, &expected, built);
    fm_heap_free(&heap, expected.data, expected.size);
    assert_int_equal(heap.used, 0);
}

/* Checks that an invalid member is reported wherever it is, and that the members before it stay. */
static void test_bad_member_among_many(void **state)
{
    static const struct fm_member bad[] = {{99, 0, 0, FM_NONE},      {FM_NONE, 0, 0, FM_NONE}, {0, 99, 0, FM_NONE},
                                           {0, FM_NONE, 0, FM_NONE}, {0, 0, 99, FM_NONE},      {0, 0, 0, 99}};
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (unsigned test = 0; test < 5 * sizeof bad / sizeof *bad; test++) {
        const unsigned at = test % 5;
        struct fm_member members[5];
        struct fm_builder *b;
        uint32_t numbers[5], number;
        assert_int_equal(fm_builder_create(&heap, &b, NULL), FRAMEMAP_OK);
        name_of(b, 0);
        for (unsigned i = 0; i < 5; i++)
            members[i] = (struct fm_member){0, number_of(b, "name", i), number_of(b, "type", i), FM_NONE};
        const struct fm_member good = members[at];
        members[at] = bad[test / 5];
        assert_int_equal(fm_builder_members(b, members, 5, UINT64_MAX, numbers, NULL), FRAMEMAP_E_ARGUMENT);
        assert_int_equal(fm_builder_member(b, &good, &number, NULL), FRAMEMAP_OK);
        assert_int_equal(number, at); /* only the members before the invalid one have numbers */
        for (unsigned i = 0; i < at; i++) {
            assert_int_equal(fm_builder_member(b, &members[i], &number, NULL), FRAMEMAP_OK);
            assert_true(number == i && numbers[i] == i);
        }
        fm_builder_free(b);
    }
    assert_int_equal(heap.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_members), cmocka_unit_test(test_expecting_too_much),
                                       cmocka_unit_test(test_bad_member_among_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
