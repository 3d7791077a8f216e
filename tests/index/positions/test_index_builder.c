/* Tests of the builder's rules, limits and errors, and of files of more than 4 GiB. */
#include "core/hash/hash.h"
#include "core/limits.h"
#include "core/mapfile.h"
#include "index/format/bits.h"
#include "index/format/layout.h"
#include "index/split/split.h"
#include "tests/index/support/by_hand.h"
#include "tests/index/support/oracle.h"
#include <fcntl.h>
#include <unistd.h>

static const struct fm_builder_about nothing_special = {.kind = {"test", 4}, .id = {"00ff", 4}};

static struct fm_view *open_built(struct fm_heap *heap, const struct fm_built *built)
{
    struct fm_view *view = NULL;
    framemap_error error = {.message = ""};
    if (fm_view_open(fm_str(built->data, built->size), heap, &view, &error) != FRAMEMAP_OK ||
        fm_view_verify(view, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", error.where, error.message);
    return view;
}

/* --- testing which of several calls for one position counts --- */

struct call {
    uint64_t position;
    int line; /* line of the position; 0: the call adds an end mark */
};
struct rule {
    const char *why;
    struct call calls[4];
    size_t count;
    struct call wanted[4]; /* the calls that count, in the order in which fm_view_next must find them */
    size_t wanted_count;
};
static const struct rule rules[] = {
    {"the later call wins", {{5, 1}, {5, 2}}, 2, {{5, 2}}, 1},
    {"a position wins over an earlier end mark", {{1, 9}, {5, 0}, {5, 1}}, 3, {{1, 9}, {5, 1}}, 2},
    {"and over a later one", {{1, 9}, {5, 1}, {5, 0}}, 3, {{1, 9}, {5, 1}}, 2},
    {"nothing ends before the first", {{1, 0}, {5, 1}}, 2, {{5, 1}}, 1},
    {"an end ends once", {{1, 9}, {5, 0}, {7, 0}, {9, 8}}, 4, {{1, 9}, {5, 0}, {9, 8}}, 3},
    {"the same answer goes on", {{1, 9}, {5, 9}, {6, 8}}, 3, {{1, 9}, {6, 8}}, 2},
    {"any order", {{9, 3}, {1, 1}, {5, 2}}, 3, {{1, 1}, {5, 2}, {9, 3}}, 3},
    {"the first and the last position", {{0, 1}, {UINT64_MAX, 2}}, 2, {{0, 1}, {UINT64_MAX, 2}}, 2},
    {"an end at the last position", {{3, 1}, {UINT64_MAX, 0}}, 2, {{3, 1}, {UINT64_MAX, 0}}, 2},
};

static void rules_of_positions(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        struct fm_heap heap;
        fm_heap_init(&heap, NULL, 0);
        struct hand h = hand_open(&heap, &nothing_special);
        const uint32_t scope = hand_scope(&h, "s");
        for (size_t c = 0; c < rules[i].count; c++) {
            const struct call *call = &rules[i].calls[c];
            if (call->line == 0)
                hand_end(&h, scope, call->position);
            else
                hand_position(&h, scope, call->position,
                              (struct fm_place){FM_NONE, FM_NONE, (uint32_t)call->line, 0, FM_NONE, 0});
        }
        struct fm_built built = hand_close(&h);
        struct fm_view *view = open_built(&heap, &built);
        struct fm_hit hit;
        size_t seen = 0;
        for (bool more = fm_view_next(view, 0, 0, &hit); more;
             more = hit.start != UINT64_MAX && fm_view_next(view, 0, hit.start + 1, &hit)) {
            struct fm_view_place place = {.line1 = 0};
            assert_true(hit.place_count == 0 || fm_view_place(view, &hit, 0, &place) == FRAMEMAP_OK);
            if (seen >= rules[i].wanted_count || hit.start != rules[i].wanted[seen].position ||
                (int)place.line1 != rules[i].wanted[seen].line)
                fail_msg("%s: entry %zu at %llu, line %u", rules[i].why, seen, (unsigned long long)hit.start,
                         place.line1);
            seen++;
        }
        if (seen != rules[i].wanted_count) fail_msg("%s: %zu entries", rules[i].why, seen);
        fm_view_close(view);
        fm_heap_free(&heap, built.data, built.size);
        assert_int_equal(heap.used, 0);
    }
}

/* Checks an entry with FM_PLACE_LINE_FOLLOWS, whose line grows with the position. A later position is absorbed by the
 * entry if the entry already gives the line of that position. */
static void a_line_that_follows_goes_on(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    struct hand h = hand_open(&heap, &nothing_special);
    const uint32_t scope = hand_scope(&h, "s");
    for (uint32_t i = 0; i < 50; i++)
        hand_position(&h, scope, i, (struct fm_place){FM_NONE, FM_NONE, 100 + i, 0, FM_NONE, FM_PLACE_LINE_FOLLOWS});
    hand_position(&h, scope, 50, (struct fm_place){FM_NONE, FM_NONE, 100, 0, FM_NONE, FM_PLACE_LINE_FOLLOWS});
    struct fm_built built = hand_close(&h);
    struct fm_view *view = open_built(&heap, &built);
    struct fm_view_about about;
    fm_view_about(view, &about);
    assert_int_equal(about.position_count, 2);
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
}

static void an_index_of_nothing_is_refused(void **state)
{
    (void)state;
    for (unsigned what = 0; what < 3; what++) {
        struct fm_heap heap;
        struct fm_built built = {NULL, 0};
        framemap_error error;
        fm_heap_init(&heap, NULL, 0);
        struct hand h = hand_open(&heap, &nothing_special);
        if (what > 0) hand_scope(&h, "known, but empty");
        if (what > 1) hand_end(&h, 0, 7);
        assert_int_equal(fm_builder_finish(h.builder, &built, &error), FRAMEMAP_E_EMPTY);
        assert_null(built.data);
        fm_builder_free(h.builder);
        assert_int_equal(heap.used, 0);
    }
}

/* Checks that a scope without positions is stored too. */
static void empty_scopes_are_known(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    struct hand h = hand_open(&heap, &nothing_special);
    hand_scope(&h, "z");
    hand_position(&h, hand_scope(&h, "m"), 3, (struct fm_place){FM_NONE, FM_NONE, 1, 0, FM_NONE, 0});
    hand_scope(&h, "a");
    struct fm_built built = hand_close(&h);
    struct fm_view *view = open_built(&heap, &built);
    static const char *const keys[] = {"a", "m", "z"};
    for (size_t i = 0; i < 3; i++) {
        uint64_t scope, number, first, last;
        framemap_str key;
        struct fm_hit hit;
        assert_true(fm_view_scope(view, framemap_str_of(keys[i]), &scope) && scope == i);
        assert_true(fm_view_scope_at(view, scope, &key, &number, &first, &last));
        assert_int_equal(fm_view_lookup(view, scope, 9, &hit), FRAMEMAP_OK);
        assert_int_equal(hit.place_count, i == 1);
        assert_int_equal(fm_view_next(view, scope, 0, &hit), i == 1);
    }
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
}

/* Checks an index that first has `empty` scopes without positions, and then a scope with positions so far apart that it
 * has `ranges` ranges. */
static void check_ranges(uint64_t empty, uint64_t ranges)
{
    struct fm_heap heap;
    struct fm_hit hit;
    uint64_t scope;
    fm_heap_init(&heap, NULL, 0);
    struct hand h = hand_open(&heap, &nothing_special);
    for (uint64_t i = 0; i < empty; i++) hand_scope(&h, (const char[]){(char)('a' + i), 0});
    for (uint64_t i = 0; i < ranges; i++) {
        hand_position(&h, hand_scope(&h, "z"), i << 40,
                      (struct fm_place){FM_NONE, FM_NONE, (uint32_t)i + 1, 0, FM_NONE, 0});
        hand_end(&h, hand_scope(&h, "z"), (i << 40) + 4);
    }
    struct fm_built built = hand_close(&h);
    struct fm_view *view = open_built(&heap, &built);
    for (uint64_t i = 0; i < empty; i++) {
        assert_true(fm_view_scope(view, framemap_str_of((const char[]){(char)('a' + i), 0}), &scope));
        assert_int_equal(fm_view_lookup(view, scope, 1, &hit), FRAMEMAP_OK);
        assert_int_equal(hit.place_count, 0);
    }
    assert_true(fm_view_scope(view, FM_STR("z"), &scope));
    for (uint64_t i = 0; i < 2 * ranges; i++) {
        assert_int_equal(fm_view_lookup(view, scope, (i / 2 << 40) + 3 + i % 2, &hit), FRAMEMAP_OK);
        assert_int_equal(hit.place_count, i % 2 == 0);
    }
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
}

static void ranges_belong_to_their_scope(void **state)
{
    (void)state;
    for (uint64_t empty = 0; empty < 6; empty++)
        for (uint64_t ranges = 1; ranges < 8; ranges++) check_ranges(empty, ranges);
}

/* --- testing calls that must be rejected --- */

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    struct fm_heap heap;
    uint32_t out;
    fm_heap_init(&heap, NULL, 0);
    struct hand h = hand_open(&heap, &nothing_special);
    struct fm_builder *b = h.builder;
    const uint32_t root = hand_root(&h, FM_NONE, 0, 1, NULL), inlined = hand_inline(&h, root, FM_NONE, FM_NONE, 1, 1),
                   scope = hand_scope(&h, "");
    const struct fm_function functions[] = {
        {9, FM_NONE, FM_NONE, 0, 0}, {FM_NONE, 9, FM_NONE, 0, 0}, {FM_NONE, FM_NONE, 9, 0, 0}};
    const struct fm_node nodes[] = {{.parent = 9, .function = FM_NONE, .call_file = FM_NONE, .symbol = FM_NONE},
                                    {.parent = FM_NONE, .function = 9, .call_file = FM_NONE, .symbol = FM_NONE},
                                    {.parent = 0, .function = FM_NONE, .call_file = 9, .symbol = FM_NONE},
                                    {.parent = FM_NONE, .function = FM_NONE, .call_file = FM_NONE, .symbol = 9}};
    const struct fm_place good = {root, FM_NONE, 1, 1, FM_NONE, 0};
    const struct fm_place places[] = {{9, FM_NONE, 0, 0, FM_NONE, 0},
                                      {root, 9, 0, 0, FM_NONE, 0},
                                      {root, FM_NONE, 0, 0, 9, 0},
                                      {root, FM_NONE, 0, 0, FM_NONE, 2}};
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        assert_int_equal(fm_builder_function(b, &functions[i], &out, NULL), FRAMEMAP_E_ARGUMENT);
    for (size_t i = 0; i < COUNT_OF(nodes); i++)
        assert_int_equal(fm_builder_node(b, &nodes[i], &out, NULL), FRAMEMAP_E_ARGUMENT);
    for (size_t i = 0; i < COUNT_OF(places); i++)
        assert_int_equal(fm_builder_position(b, scope, 0, &places[i], 1, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(fm_builder_position(b, scope, 0, &good, 0, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(fm_builder_position(b, 9, 0, &good, 1, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(fm_builder_end(b, 9, 0, NULL), FRAMEMAP_E_ARGUMENT);
    /* Only a function that was not inlined (a root) can have aliases. */
    assert_int_equal(fm_builder_alias(b, inlined, 0, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(fm_builder_alias(b, root, 99, NULL), FRAMEMAP_E_ARGUMENT);
    /* This index has named scopes, not numbered ones. */
    assert_int_equal(fm_builder_scope_number(b, 1, &out, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(fm_builder_attribute(b, FM_STR(".kind"), FM_STR("x"), NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(fm_builder_attribute(b, FM_STR(""), FM_STR("x"), NULL), FRAMEMAP_E_ARGUMENT);
    fm_builder_free(b);

    /* The index is declared as one with numbered scopes, but filled with names. */
    struct fm_builder_about numbered = nothing_special;
    struct fm_built built;
    numbered.keys = FM_SCOPE_NUMBERED;
    h = hand_open(&heap, &numbered);
    hand_position(&h, hand_scope(&h, "x"), 0, (struct fm_place){FM_NONE, FM_NONE, 1, 0, FM_NONE, 0});
    assert_int_equal(fm_builder_finish(h.builder, &built, NULL), FRAMEMAP_E_ARGUMENT);
    fm_builder_free(h.builder);
    assert_int_equal(heap.used, 0);
}

static void chains_and_groups_have_limits(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    struct hand h = hand_open(&heap, &nothing_special);
    uint32_t node = hand_root(&h, FM_NONE, 0, 1, NULL), more;
    for (uint32_t i = 1; i < FM_LIMIT_INLINE_DEPTH; i++) node = hand_inline(&h, node, FM_NONE, FM_NONE, i, 0);
    const struct fm_node deeper = {.parent = node, .function = FM_NONE, .call_file = FM_NONE, .symbol = FM_NONE};
    assert_int_equal(fm_builder_node(h.builder, &deeper, &more, NULL), FRAMEMAP_E_LIMIT);
    struct fm_place *places = calloc(FM_LIMIT_ALTERNATIVES + 1, sizeof *places);
    for (uint32_t i = 0; i <= FM_LIMIT_ALTERNATIVES; i++)
        places[i] = (struct fm_place){node, FM_NONE, i + 1, 0, FM_NONE, 0};
    const uint32_t scope = hand_scope(&h, "");
    assert_int_equal(fm_builder_position(h.builder, scope, 0, places, FM_LIMIT_ALTERNATIVES + 1, NULL),
                     FRAMEMAP_E_LIMIT);
    assert_int_equal(fm_builder_position(h.builder, scope, 0, places, FM_LIMIT_ALTERNATIVES, NULL), FRAMEMAP_OK);
    struct fm_built built = hand_close(&h);
    struct fm_view *view = open_built(&heap, &built);
    struct fm_hit hit;
    struct fm_view_place place;
    assert_int_equal(fm_view_lookup(view, 0, 0, &hit), FRAMEMAP_OK);
    assert_int_equal(hit.place_count, FM_LIMIT_ALTERNATIVES);
    assert_int_equal(fm_view_place(view, &hit, FM_LIMIT_ALTERNATIVES - 1, &place), FRAMEMAP_OK);
    assert_int_equal(place.line1, FM_LIMIT_ALTERNATIVES);
    unsigned depth = 0;
    for (struct fm_view_node n; place.node != FM_VIEW_NONE; place.node = n.parent, depth++)
        assert_int_equal(fm_view_node(view, place.node, &n), FRAMEMAP_OK);
    assert_int_equal(depth, FM_LIMIT_INLINE_DEPTH);
    fm_view_close(view);
    free(places);
    fm_heap_free(&heap, built.data, built.size);
    assert_int_equal(heap.used, 0);
}

/* Checks that a function may have thousands of names, and that names may have any length. A function has many names if
 * a linker merged identical functions. */
static void many_aliases_and_long_names(void **state)
{
    (void)state;
    enum { ALIASES = 3000, LONG = 100000 };
    struct fm_heap heap;
    char *name = malloc(LONG + 1);
    fm_heap_init(&heap, NULL, 0);
    struct hand h = hand_open(&heap, &nothing_special);
    memset(name, 'n', LONG);
    name[LONG] = 0;
    const uint32_t long_function = hand_function(&h, NULL, name, FM_NONE, 0, FM_LANGUAGE_OTHER),
                   scope = hand_scope(&h, "");
    for (uint32_t r = 0; r < 3; r++) {
        const uint32_t root = hand_root(&h, long_function, 100 * r, 10, r == 1 ? "symbol" : NULL);
        for (uint32_t i = 0; r < 2 && i < ALIASES; i++) {
            char alias[16];
            snprintf(alias, sizeof alias, "%u", (i * 7919 + r) % ALIASES);
            assert_int_equal(fm_builder_alias(h.builder, root, hand_string(&h, alias), NULL), FRAMEMAP_OK);
        }
        hand_position(&h, scope, 100 * r, (struct fm_place){root, FM_NONE, 0, 0, FM_NONE, 0});
    }
    assert_int_equal(fm_builder_count(h.builder), 3);
    struct fm_built built = hand_close(&h);
    struct fm_view *view = open_built(&heap, &built);
    for (uint32_t r = 0; r < 3; r++) {
        struct fm_view_node node;
        framemap_str before = {NULL, 0}, alias;
        assert_int_equal(fm_view_node(view, r, &node), FRAMEMAP_OK);
        assert_int_equal(node.alias_count, r < 2 ? ALIASES : 0);
        assert_true(fm_str_equal(node.function, fm_str(name, LONG)) && node.language == FM_LANGUAGE_OTHER);
        assert_str(node.symbol, r == 1 ? "symbol" : "");
        for (uint32_t i = 0; i < node.alias_count; i++) {
            assert_int_equal(fm_view_alias(view, r, i, &alias), FRAMEMAP_OK);
            assert_true(i == 0 || fm_str_compare(before, alias) < 0);
            before = alias;
        }
        assert_int_equal(fm_view_alias(view, r, node.alias_count, &alias), FRAMEMAP_E_ARGUMENT);
    }
    free(name);
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    assert_int_equal(heap.used, 0);
}

/* --- testing that the same records give the same bytes --- */

static void bytes_do_not_hang_on_the_order_of_calls(void **state)
{
    (void)state;
    static const struct oracle_shape shape = {.name = "order",
                                              .scopes = 20,
                                              .rows = 800,
                                              .step = 60,
                                              .holes = 2,
                                              .ends = 5,
                                              .follows = 5,
                                              .groups = 5,
                                              .other_file = 20,
                                              .functions = 90,
                                              .nodes = 200,
                                              .depth = 6,
                                              .files = 20,
                                              .lines = 900,
                                              .cols = 60,
                                              .aliases = 9};
    struct oracle *o = oracle_make(&shape, 99);
    struct fm_heap heap;
    struct fm_built first, again;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < shape.rows; i++) /* one row for each position, so that no row replaces another */
        for (size_t j = 0; j < i && j < 40; j++)
            if (o->rows[i - j - 1].scope == o->rows[i].scope && o->rows[i - j - 1].position == o->rows[i].position)
                o->rows[i] = o->rows[i - j - 1];
    assert_int_equal(oracle_build(o, &heap, &first, NULL), FRAMEMAP_OK);
    for (unsigned round = 0; round < 5; round++) {
        for (size_t i = shape.rows; i > 1; i--) {
            const size_t other = (size_t)oracle_below(&o->random, i);
            const struct oracle_row swap = o->rows[i - 1];
            o->rows[i - 1] = o->rows[other];
            o->rows[other] = swap;
        }
        o->reversed = round % 2 == 0;
        assert_int_equal(oracle_build(o, &heap, &again, NULL), FRAMEMAP_OK);
        assert_int_equal(first.size, again.size);
        assert_memory_equal(first.data, again.data, first.size);
        fm_heap_free(&heap, again.data, again.size);
    }
    fm_heap_free(&heap, first.data, first.size);
    oracle_free(o);
}

/* --- testing allocations that fail --- */

static const struct oracle_shape small = {.name = "small",
                                          .scopes = 20,
                                          .rows = 120,
                                          .step = 60,
                                          .holes = 10,
                                          .ends = 5,
                                          .follows = 5,
                                          .groups = 5,
                                          .names = 20,
                                          .functions = 30,
                                          .nodes = 60,
                                          .depth = 6,
                                          .files = 9,
                                          .lines = 900,
                                          .cols = 60,
                                          .aliases = 9,
                                          .shuffled = true};

static bool build_with(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_built built = {NULL, 0};
    framemap_error error = {.code = FRAMEMAP_OK};
    fm_heap_init(&heap, allocator, 0);
    const framemap_status status = oracle_build(context, &heap, &built, &error);
    assert_true(status == FRAMEMAP_OK || (status == FRAMEMAP_E_MEMORY && error.code == status && built.data == NULL));
    fm_heap_free(&heap, built.data, built.size);
    assert_int_equal(heap.used, 0);
    return status == FRAMEMAP_OK;
}

static framemap_status accept_value(void *context, framemap_str field, framemap_str value, framemap_error *error)
{
    (void)context;
    (void)error;
    assert_true(field.size > 0 && value.size > 0);
    return FRAMEMAP_OK;
}

static bool read_with(const framemap_allocator *allocator, void *context)
{
    const struct fm_built *built = context;
    struct fm_heap heap;
    struct fm_view *view;
    const struct fm_split_sink all = {accept_value, NULL};
    fm_heap_init(&heap, allocator, 0);
    framemap_status status = fm_view_open(fm_str(built->data, built->size), &heap, &view, NULL);
    if (status != FRAMEMAP_OK) return false;
    status = fm_view_verify(view, NULL);
    if (status == FRAMEMAP_OK) status = fm_split(view, &heap, &all, NULL);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    fm_view_close(view);
    return status == FRAMEMAP_OK;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    struct oracle *o = oracle_make(&small, 4);
    struct fm_heap heap;
    struct fm_built built;
    assert_true(sweep_allocations(build_with, o) > 50);
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(oracle_build(o, &heap, &built, NULL), FRAMEMAP_OK);
    assert_true(sweep_allocations(read_with, &built) > 50);
    fm_heap_free(&heap, built.data, built.size);
    oracle_free(o);
}

/* Checks that opening an index allocates one block, whatever its size. Lookups allocate memory only for strings that
 * are requested for the first time. */
static void opening_takes_one_block(void **state)
{
    (void)state;
    struct oracle *o = oracle_make(&small, 5);
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct fm_heap heap, counted;
    struct fm_built built;
    struct fm_view *view;
    fm_heap_init(&heap, NULL, 0);
    fm_heap_init(&counted, &allocator, 0);
    assert_int_equal(oracle_build(o, &heap, &built, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_view_open(fm_str(built.data, built.size), &counted, &view, NULL), FRAMEMAP_OK);
    assert_int_equal(failing.requests, 1);
    assert_true(oracle_ask_all(o, view, 100));
    const size_t warm = failing.requests;
    assert_true(oracle_ask_all(o, view, 100));
    assert_int_equal(failing.requests, warm);
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    oracle_free(o);
}

/* --- finding scopes --- */

#define SAME_SLOT 80

/* Makes keys that have the same slot, however often the table is doubled. */
static void colliding_keys(char keys[SAME_SLOT][16])
{
    for (unsigned found = 0, i = 0; found < SAME_SLOT; i++) {
        char key[16];
        const int size = snprintf(key, sizeof key, "k%u", i);
        if ((fm_hash64(key, (size_t)size, 0) & 1023) == 7) memcpy(keys[found++], key, sizeof key);
    }
}

static bool has_section(const struct fm_built *built, unsigned id)
{
    const uint32_t sections = fm_load32(built->data + FMX_AT_SECTIONS);
    for (uint32_t i = 0; i < sections; i++)
        if (built->data[FMX_HEADER + FMX_ENTRY * i] == id) return true;
    return false;
}

/* Checks keys that collide too often. Probing is bounded, so the index has no hash table then, and binary search finds
 * the keys. */
static void keys_that_collide_are_found(void **state)
{
    (void)state;
    static char keys[SAME_SLOT][16];
    colliding_keys(keys);
    for (unsigned count = SAME_SLOT / 2; count <= SAME_SLOT; count += SAME_SLOT / 2) {
        struct fm_heap heap;
        uint64_t scope;
        fm_heap_init(&heap, NULL, 0);
        struct hand h = hand_open(&heap, &nothing_special);
        for (unsigned i = 0; i < count; i++)
            hand_position(&h, hand_scope(&h, keys[i]), i, (struct fm_place){FM_NONE, FM_NONE, i + 1, 0, FM_NONE, 0});
        struct fm_built built = hand_close(&h);
        struct fm_view *view = open_built(&heap, &built);
        assert_int_equal(has_section(&built, FMX_SCOPE_HASH), count <= FMX_PROBES_MOST);
        for (unsigned i = 0; i < count; i++) {
            struct fm_hit hit;
            struct fm_view_place place;
            assert_true(fm_view_scope(view, framemap_str_of(keys[i]), &scope));
            assert_int_equal(fm_view_lookup(view, scope, i, &hit), FRAMEMAP_OK);
            assert_int_equal(fm_view_place(view, &hit, 0, &place), FRAMEMAP_OK);
            assert_int_equal(place.line1, i + 1);
        }
        assert_false(fm_view_scope(view, FM_STR("k"), &scope));
        fm_view_close(view);
        fm_heap_free(&heap, built.data, built.size);
    }
}

/* --- testing offsets beyond 4 GiB --- */

/* Writes the native index with its sections moved after a hole, as a sparse file, which takes only a few pages on
 * disk. */
static bool write_sparse(int file, const struct fm_built *built, uint64_t gap)
{
    unsigned char *data = malloc(built->size);
    memcpy(data, built->data, built->size);
    const uint32_t head_size = fm_load32(data + FMX_AT_HEADER_SIZE);
    for (uint32_t at = FMX_HEADER; at < head_size; at += FMX_ENTRY)
        fm_store64(data + at + FMX_ENTRY_OFFSET, fm_load64(data + at + FMX_ENTRY_OFFSET) + gap);
    fm_store64(data + FMX_AT_FILE_SIZE, built->size + gap);
    fm_store64(data + FMX_AT_CHECK, fm_header_check(data, head_size));
    const size_t rest = built->size - head_size;
    const bool ok = ftruncate(file, (off_t)(built->size + gap)) == 0 &&
                    pwrite(file, data, head_size, 0) == (ssize_t)head_size &&
                    pwrite(file, data + head_size, rest, (off_t)(head_size + gap)) == (ssize_t)rest;
    free(data);
    return ok;
}

static void sections_beyond_4_gib(void **state)
{
    (void)state;
    struct fm_heap heap;
    char path[] = "/tmp/framemap-sparse-XXXXXX";
    const int file = mkstemp(path);
    fm_heap_init(&heap, NULL, 0);
    struct fm_built built = build_native(&heap);
    if (sizeof(size_t) < 8 || file < 0 || !write_sparse(file, &built, UINT64_C(5) << 30)) {
        print_message("skipped: no sparse file of 5 GiB here\n");
        if (file >= 0) unlink(path);
        fm_heap_free(&heap, built.data, built.size);
        skip();
    }
    close(file);
    struct fm_mapfile mapped;
    struct fm_view *view;
    struct fm_hit hit;
    struct fm_view_place place;
    struct fm_view_node node;
    uint64_t scope;
    framemap_error error;
    assert_int_equal(fm_mapfile_open(path, &mapped, &error), FRAMEMAP_OK);
    unlink(path);
    assert_int_equal(fm_view_open(mapped.bytes, &heap, &view, &error), FRAMEMAP_OK);
    assert_true(fm_view_scope(view, FM_STR(""), &scope));
    assert_int_equal(fm_view_lookup(view, scope, 0x1010, &hit), FRAMEMAP_OK);
    assert_int_equal(fm_view_place(view, &hit, 0, &place), FRAMEMAP_OK);
    assert_int_equal(fm_view_node(view, place.node, &node), FRAMEMAP_OK);
    assert_str(node.function, "_Z5inneri");
    assert_str(place.base_name, "b.h");
    fm_view_close(view);
    fm_mapfile_close(&mapped);
    fm_heap_free(&heap, built.data, built.size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_of_positions),
        cmocka_unit_test(a_line_that_follows_goes_on),
        cmocka_unit_test(an_index_of_nothing_is_refused),
        cmocka_unit_test(empty_scopes_are_known),
        cmocka_unit_test(ranges_belong_to_their_scope),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(chains_and_groups_have_limits),
        cmocka_unit_test(many_aliases_and_long_names),
        cmocka_unit_test(bytes_do_not_hang_on_the_order_of_calls),
        cmocka_unit_test(memory_may_fail_anywhere),
        cmocka_unit_test(opening_takes_one_block),
        cmocka_unit_test(keys_that_collide_are_found),
        cmocka_unit_test(sections_beyond_4_gib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
