/* Compares indexes of many shapes, from several seeds, with an oracle of plain arrays. It looks up the neighbours of
 * every entry. */
#include "tests/testing.h"

#include "tests/index/support/oracle.h"
#include "tests/index/support/split_store.h"

static const struct oracle_shape shapes[] = {
    {.name = "native",
     .why = "code: dense addresses, inline chains, padding without a function",
     .scopes = 3,
     .rows = 1500,
     .step = 24,
     .ends = 4,
     .no_node = 5,
     .no_line = 10,
     .other_file = 15,
     .functions = 60,
     .nodes = 300,
     .depth = 9,
     .files = 20,
     .lines = 3000,
     .cols = 90,
     .aliases = 40},
    {.name = "arm",
     .why = "positions are multiples of four",
     .scopes = 1,
     .rows = 1500,
     .step = 9,
     .unit = 2,
     .holes = 2,
     .ends = 3,
     .no_line = 5,
     .functions = 60,
     .nodes = 200,
     .depth = 5,
     .files = 9,
     .lines = 500,
     .cols = 40},
    {.name = "java",
     .why = "many small scopes, alternatives, lines that follow",
     .scopes = 400,
     .rows = 1500,
     .step = 30,
     .ends = 2,
     .groups = 15,
     .follows = 60,
     .functions = 300,
     .nodes = 700,
     .depth = 4,
     .files = 0,
     .lines = 900},
    {.name = "follows far",
     .why = "lines that follow over many buckets, and up to the greatest line",
     .scopes = 2,
     .rows = 400,
     .step = 3000,
     .holes = 20,
     .groups = 30,
     .follows = 90,
     .functions = 5,
     .nodes = 8,
     .depth = 3,
     .files = 3,
     .lines = UINT32_MAX},
    {.name = "source map",
     .why = "numbered scopes, names, no functions",
     .numbered = true,
     .scopes = 300,
     .rows = 2000,
     .step = 40,
     .names = 40,
     .no_node = 100,
     .other_file = 100,
     .files = 12,
     .lines = 800,
     .cols = 200},
    {.name = "sparse numbers",
     .why = "numbered scopes with holes between the numbers",
     .numbered = true,
     .scopes = 90,
     .rows = 300,
     .step = 9,
     .holes = 1,
     .names = 10,
     .no_node = 80,
     .functions = 3,
     .nodes = 3,
     .depth = 1,
     .files = 12,
     .lines = 800,
     .cols = 200},
    {.name = "shuffled",
     .why = "any order of calls, many at one position",
     .scopes = 7,
     .rows = 1000,
     .step = 1,
     .ends = 30,
     .groups = 5,
     .functions = 20,
     .nodes = 50,
     .depth = 3,
     .files = 5,
     .lines = 100,
     .cols = 3,
     .shuffled = true},
    {.name = "one",
     .why = "a single position",
     .scopes = 1,
     .rows = 1,
     .step = 0,
     .functions = 1,
     .nodes = 1,
     .depth = 1,
     .files = 1,
     .lines = 9},
    {.name = "greatest",
     .why = "positions up to the last there is",
     .scopes = 2,
     .rows = 60,
     .step = 100,
     .holes = 30,
     .first = UINT64_MAX - 5000,
     .functions = 4,
     .nodes = 9,
     .depth = 3,
     .files = 2,
     .lines = 50,
     .cols = 5},
    {.name = "huge",
     .why = "positions over all 64 bits",
     .scopes = 3,
     .rows = 500,
     .step = UINT64_C(1) << 55,
     .follows = 20,
     .groups = 5,
     .functions = 40,
     .nodes = 90,
     .depth = 3,
     .files = 3,
     .lines = 50,
     .cols = UINT32_MAX},
    {.name = "wide",
     .why = "every line and column up to 32 bits",
     .scopes = 2,
     .rows = 900,
     .step = 5,
     .other_file = 50,
     .no_line = 30,
     .functions = 200,
     .nodes = 400,
     .depth = 30,
     .files = 300,
     .lines = UINT32_MAX,
     .cols = UINT32_MAX},
    {.name = "same",
     .why = "hardly anything differs",
     .scopes = 1,
     .rows = 1000,
     .step = 100,
     .functions = 1,
     .nodes = 1,
     .depth = 1,
     .files = 1,
     .lines = 1},
    {.name = "deep",
     .why = "chains of a thousand frames",
     .scopes = 1,
     .rows = 40,
     .step = 30,
     .functions = 9,
     .nodes = 3000,
     .depth = 1024,
     .files = 3,
     .lines = 90,
     .cols = 9},
    {.name = "clumped",
     .why = "thousands of entries in one bucket, nothing in the next",
     .scopes = 1,
     .rows = 6000,
     .step = 2,
     .holes = 1,
     .no_node = 20,
     .names = 30,
     .functions = 900,
     .nodes = 2000,
     .depth = 3,
     .files = 30,
     .lines = 90,
     .cols = 9},
    {.name = "uneven",
     .why = "a thousand entries in one bucket, in the others a dozen",
     .scopes = 2,
     .rows = 4000,
     .step = 100000,
     .uneven = true,
     .names = 5,
     .functions = 900,
     .nodes = 2000,
     .depth = 3,
     .files = 30,
     .lines = 90,
     .cols = 9},
    {.name = "symbols",
     .why = "names only, no files and lines",
     .scopes = 2,
     .rows = 500,
     .step = 900,
     .ends = 20,
     .no_line = 100,
     .functions = 400,
     .nodes = 500,
     .depth = 1,
     .aliases = 60},
};

struct opened {
    struct fm_heap heap;
    struct fm_built built;
    struct fm_view *view;
};

static void open_oracle(const struct oracle *o, struct opened *x)
{
    framemap_error error = {0};
    fm_heap_init(&x->heap, NULL, 0);
    if (oracle_build(o, &x->heap, &x->built, &error) != FRAMEMAP_OK) fail_msg("%s: %s", o->shape->name, error.message);
    if (fm_view_open(fm_str(x->built.data, x->built.size), &x->heap, &x->view, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s: %s", o->shape->name, error.where, error.message);
}

static void close_oracle(struct opened *x)
{
    fm_view_close(x->view);
    fm_heap_free(&x->heap, x->built.data, x->built.size);
    assert_int_equal(x->heap.used, 0);
}

static void answers_as_the_oracle(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            struct oracle *o = oracle_make(&shapes[i], seed * 1000 + i);
            struct opened x;
            framemap_error error = {0};
            open_oracle(o, &x);
            if (!oracle_ask_all(o, x.view, 2000))
                fail_msg("%s (%s), seed %u", shapes[i].name, shapes[i].why, (unsigned)seed);
            if (fm_view_verify(x.view, &error) != FRAMEMAP_OK)
                fail_msg("%s, seed %u: %s: %s", shapes[i].name, (unsigned)seed, error.where, error.message);
            close_oracle(&x);
            oracle_free(o);
        }
}

/* Walks over the entries of a scope. Compares starts, ends and answers with the oracle's rows; adjacent entries with
 * the same answer count as one. */
static void walk_scope(const struct oracle *o, const struct fm_view *view, uint64_t scope, uint32_t wanted)
{
    struct fm_hit hit;
    uint64_t after = 0;
    bool first = true;
    for (bool more = fm_view_next(view, scope, 0, &hit); more;
         more = hit.start != UINT64_MAX && fm_view_next(view, scope, hit.start + 1, &hit)) {
        const struct oracle_row *row = oracle_find(o, wanted, hit.start);
        assert_non_null(row);
        assert_int_equal(row->position, hit.start); /* an entry starts only where a row starts */
        if (!first) assert_int_equal(after, hit.start);
        if (!oracle_same_hit(o, view, row, &hit, hit.start))
            fail_msg("%s: entry at %llu", o->shape->name, (unsigned long long)hit.start);
        assert_true(hit.end > hit.start || hit.start == UINT64_MAX);
        /* The last position of the entry must have the same answer as the first. */
        const uint64_t last = hit.end == UINT64_MAX ? UINT64_MAX : hit.end - 1;
        struct fm_hit end;
        assert_int_equal(fm_view_lookup(view, scope, last, &end), FRAMEMAP_OK);
        assert_int_equal(end.place_count, hit.place_count);
        after = hit.end;
        first = false;
    }
    if (!first) assert_int_equal(after, UINT64_MAX);
}

static void walks_all_entries(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct oracle *o = oracle_make(&shapes[i], i + 77);
        struct opened x;
        char room[64];
        open_oracle(o, &x);
        for (uint32_t scope = 0; scope < shapes[i].scopes; scope++) {
            uint64_t number;
            assert_true(shapes[i].numbered ? fm_view_scope_number(x.view, o->scope_numbers[scope], &number)
                                           : fm_view_scope(x.view, oracle_scope_key(o, scope, room), &number));
            walk_scope(o, x.view, number, scope);
        }
        close_oracle(&x);
        oracle_free(o);
    }
}

static void assert_same_answer(const struct fm_hit *found, const struct fm_hit *looked_up)
{
    assert_int_equal(found->scope, looked_up->scope);
    assert_int_equal(found->position, looked_up->position);
    assert_int_equal(found->place_count, looked_up->place_count);
    /* The members before `line` have no padding between them. */
    assert_memory_equal(&found->entry, &looked_up->entry, offsetof(struct fm_hit_entry, line));
    assert_int_equal(found->entry.line, looked_up->entry.line);
    assert_int_equal(found->entry.has_line, looked_up->entry.has_line);
    assert_int_equal(found->entry.follows, looked_up->entry.follows);
    if (found->place_count > 1 || found->entry.follows) assert_int_equal(found->start, looked_up->start);
}

/* Checks that from each cached frame of a chain the cached frame of its caller is found. */
static void walk_outwards(const struct fm_view *view, const struct fm_view_frame *kept, struct fm_arena *arena)
{
    struct fm_view_frame own;
    const struct fm_view_frame *outer;
    for (; kept->parent != FM_VIEW_NONE; kept = outer) {
        assert_int_equal(fm_view_node_frame(view, kept->parent, arena, &own, &outer), FRAMEMAP_OK);
        if (outer == &own) return; /* the cache has no room for more */
        assert_ptr_equal(fm_frames_around(fm_view_frames(view), kept), outer);
    }
}

/* Checks that the frame of a hit's node is cached once it was requested, provided that the node has a cache slot.
 * Returns whether the hit had a location. */
static bool is_kept_there(const struct fm_view *view, const struct fm_hit *hit, struct fm_arena *arena)
{
    struct fm_view_frame own;
    const struct fm_view_frame *frame;
    if (hit->place_count == 1 && hit->entry.node_code > 0) {
        assert_int_equal(fm_view_node_frame(view, hit->entry.node_code - 1, arena, &own, &frame), FRAMEMAP_OK);
        if (hit->place != NULL) assert_ptr_equal(frame, hit->place);
        if (frame != &own) walk_outwards(view, frame, arena);
    } else
        assert_null(hit->place);
    return hit->place != NULL;
}

/* Checks that fm_view_find gives the same result as fm_view_lookup. Returns whether the position has a location. */
static bool is_looked_up(const struct fm_view *view, uint64_t scope, uint64_t position,
                         const struct fm_short_hit *found, struct fm_arena *arena)
{
    struct fm_hit looked_up, hit;
    assert_int_equal(fm_view_lookup(view, scope, position, &looked_up), FRAMEMAP_OK);
    assert_int_equal(fm_view_whole_hit(view, scope, position, found, &hit), FRAMEMAP_OK);
    assert_same_answer(&hit, &looked_up);
    assert_ptr_equal(hit.place, found->place);
    return is_kept_there(view, &hit, arena);
}

/* Checks that the fast lookups give the same results as fm_view_lookup: single lookups and batches, each with this
 * CPU's special instructions and with the portable code. */
static size_t find_batch(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                         struct fm_arena *arena)
{
    struct fm_short_hit found[FM_VIEW_BATCH], plain[FM_VIEW_BATCH], alone;
    size_t places = 0;
    fm_view_find_many(view, scope, positions, count, found);
    fm_view_find_many_plain(view, scope, positions, count, plain);
    for (size_t i = 0; i < count; i++) {
        places += is_looked_up(view, scope, positions[i], &found[i], arena);
        places += is_looked_up(view, scope, positions[i], &plain[i], arena);
        fm_view_find(view, scope, positions[i], &alone);
        places += is_looked_up(view, scope, positions[i], &alone, arena);
        fm_view_find_plain(view, scope, positions[i], &alone);
        places += is_looked_up(view, scope, positions[i], &alone, arena);
    }
    return places;
}

static void finding_is_looking_up(void **state)
{
    size_t places = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct oracle *o = oracle_make(&shapes[i], i + 5);
        struct opened x;
        enum { COUNT = 1000 };
        uint64_t positions[COUNT];
        struct fm_heap heap;
        struct fm_arena arena;
        fm_heap_init(&heap, NULL, 0);
        fm_arena_init(&arena, &heap);
        open_oracle(o, &x);
        for (size_t p = 0; p < COUNT; p++)
            positions[p] = p % 9 == 0 ? oracle_next(&o->random)
                                      : o->sorted[oracle_below(&o->random, o->sorted_count)].position + p % 5;
        for (uint64_t scope = 0; scope < shapes[i].scopes; scope += 1 + shapes[i].scopes / 5)
            for (size_t p = 0; p < COUNT; p += FM_VIEW_BATCH)
                places += find_batch(x.view, scope, positions + p,
                                     COUNT - p < FM_VIEW_BATCH ? COUNT - p : FM_VIEW_BATCH, &arena);
        fm_arena_free(&arena);
        close_oracle(&x);
        oracle_free(o);
    }
    assert_true(places > 0);
}

/* --- looking up in a split index --- */

/* Looks up a position in the store alone, as a client does: the position's page gives the value that has the answer. */
static bool ask_store(const struct oracle *o, const struct split_store *store, uint32_t scope, uint64_t position)
{
    char room[64];
    uint64_t number;
    bool lost;
    const framemap_str name = oracle_scope_key(o, scope, room);
    const struct oracle_row *row = oracle_find(o, scope, position);
    const struct fm_view *value = split_store_page(store, fm_page_of_position(position), &lost);
    struct fm_hit hit = {.place_count = 0};
    ORACLE_CHECK(!lost);
    if (value && (o->shape->numbered ? fm_view_scope_number(value, o->scope_numbers[scope], &number)
                                     : fm_view_scope(value, name, &number)))
        ORACLE_CHECK(fm_view_lookup(value, number, position, &hit) == FRAMEMAP_OK);
    ORACLE_CHECK(hit.place_count > 0 || row == NULL || row->place_count == 0);
    return hit.place_count == 0 || oracle_same_hit(o, value, row, &hit, position);
}

static void values_answer_as_the_whole(void **state)
{
    (void)state;
    size_t values = 0;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct oracle_shape shape = shapes[i];
        shape.rows = (shape.rows + TEST_STEP - 1) / TEST_STEP; /* some shapes have a value for each row */
        struct oracle *o = oracle_make(&shape, i + 31);
        struct opened x;
        struct split_store store;
        framemap_error error = {0};
        open_oracle(o, &x);
        if (split_store_fill(&store, x.view, &x.heap, &error) != FRAMEMAP_OK)
            fail_msg("%s: %s: %s", shapes[i].name, error.where, error.message);
        for (size_t r = 0; r < o->sorted_count; r++) {
            const struct oracle_row *row = &o->sorted[r];
            const uint64_t before = row->position ? row->position - 1 : 0,
                           after = row->position < UINT64_MAX ? row->position + 1 : UINT64_MAX;
            if (!ask_store(o, &store, row->scope, row->position) || !ask_store(o, &store, row->scope, before) ||
                !ask_store(o, &store, row->scope, after) ||
                !ask_store(o, &store, row->scope, row->position + (oracle_next(&o->random) >> (r % 64))))
                fail_msg("%s: row %zu of %zu values", shapes[i].name, r, store.count);
        }
        values += store.count;
        split_store_free(&store);
        close_oracle(&x);
        oracle_free(o);
    }
    assert_true(values > 3 * COUNT_OF(shapes)); /* on average, each shape was split into more than three values */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_as_the_oracle), cmocka_unit_test(walks_all_entries),
                                       cmocka_unit_test(finding_is_looking_up),
                                       cmocka_unit_test(values_answer_as_the_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
