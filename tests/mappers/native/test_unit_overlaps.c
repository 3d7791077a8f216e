/* Tests of which unit owns an address that several units claim: cases by hand, and random programs compared with a
 * search through all units at each address. An artificial backend reports the units. */
#include "mappers/native/compile/address_owners.h"
#include "mappers/native/compile/unit_evidence.h"
#include "tests/testing.h"

#define UNITS 5u
#define RANGES 3u
#define ROWS_MOST 6u
#define SPACE 48u
#define NOBODY UINT32_MAX

struct range {
    unsigned low, high; /* the range [low, high); 0, 0: there is no range */
};

struct made_unit {
    struct range own[RANGES], listed[RANGES], functions[RANGES];
    /* addresses of the rows of one sequence; the last is its end; first address 0: the unit has no sequence */
    unsigned rows[ROWS_MOST];
    size_t row_count;
    bool weak, damaged;
};

static struct made_unit units[UNITS];

/* --- defining the artificial backend --- */

static framemap_status walk_made(struct fm_dw_worker *worker, uint32_t number, const struct fm_dw_visitor *visitor,
                                 framemap_error *error)
{
    const struct made_unit *unit = &units[number];
    (void)worker, (void)error;
    for (size_t i = 0; visitor->rows != NULL && i < unit->row_count; i++) {
        const struct fm_dw_row row = {.address = unit->rows[i], .line1 = 1, .end_sequence = i + 1 == unit->row_count};
        if (!visitor->rows(visitor->context, &row, 1)) return FRAMEMAP_E_MEMORY;
    }
    for (size_t i = 0; visitor->enter != NULL && i < RANGES; i++) {
        const struct fm_dw_range range = {unit->functions[i].low, unit->functions[i].high};
        if (range.high == 0) continue;
        if (visitor->needs_function != NULL && !visitor->needs_function(visitor->context, &range, 1)) continue;
        const struct fm_dw_function function = {.ranges = &range, .range_count = 1};
        if (!visitor->enter(visitor->context, &function) || !visitor->leave(visitor->context)) return FRAMEMAP_E_MEMORY;
    }
    return unit->damaged ? FRAMEMAP_E_CORRUPT : FRAMEMAP_OK;
}
static const struct fm_dw_backend made_reader = {.name = "made", .walk = walk_made};

static bool look(void *context, enum fm_unit_evidence_kind kind, const uint32_t *which, size_t count,
                 struct fm_unit_overlaps *overlaps)
{
    struct fm_unit_evidence evidence;
    bool good = true;
    (void)context;
    fm_unit_evidence_init(&evidence, overlaps->heap);
    for (size_t i = count; i-- > 0 && good;) /* units are reported in reverse, since their order must not matter */
        good = fm_unit_evidence_add(&evidence, &made_reader, NULL, which[i], kind, overlaps, NULL) == FRAMEMAP_OK;
    good = good && fm_unit_evidence_move(&evidence, overlaps);
    fm_unit_evidence_free(&evidence);
    return good;
}

static bool claim_all(struct fm_address_owners *owners, size_t count)
{
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        struct fm_dw_range ranges[2 * RANGES];
        struct fm_dw_claim claim = {.number = i, .ranges = ranges, .weak = units[i].weak};
        for (size_t j = 0; j < 2 * RANGES; j++) {
            const struct range range = j < RANGES ? units[i].own[j] : units[i].listed[j - RANGES];
            if (range.high == 0) continue;
            ranges[claim.range_count++] = (struct fm_dw_range){range.low, range.high};
            claim.listed_count += j >= RANGES;
        }
        good = fm_address_owners_claim(owners, &claim);
    }
    return good;
}

static uint32_t owner_at(const struct fm_address_owners *owners, uint64_t address)
{
    const size_t at = fm_address_segments_from(&owners->by_address, address);
    return at < owners->by_address.count && owners->by_address.items[at].low <= address
               ? owners->by_address.items[at].id
               : NOBODY;
}

/* Determines the owners of addresses for the artificial units. addresses NULL: of all addresses. */
static bool settle(struct fm_address_owners *owners, struct fm_heap *heap, size_t count, const uint64_t *addresses,
                   size_t address_count)
{
    fm_address_owners_init(owners, heap);
    owners->collect = look;
    owners->addresses = addresses;
    owners->address_count = address_count;
    return claim_all(owners, count) && fm_address_owners_update(owners, NULL);
}

/* --- testing cases made by hand --- */

static void cases_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *name, *why;
        struct made_unit units[3];
        const char *owners; /* owner of each address 1, 2, …: 'a' is the first unit, '.' means none */
    } rows[] = {
        {"apart", "each has what it claims", {{.own = {{1, 3}}}, {.own = {{3, 5}}}}, "aabb."},
        {"interleaved",
         "a unit's one range spans functions of the other",
         {{.own = {{1, 8}}, .functions = {{1, 3}, {6, 8}}}, {.own = {{3, 6}}, .functions = {{3, 6}}}},
         "aabbbaa."},
        {"both span",
         "each spans the other's",
         {{.own = {{1, 6}}, .functions = {{1, 3}, {5, 6}}}, {.own = {{3, 8}}, .functions = {{3, 5}, {6, 8}}}},
         "aabbabb."},
        {"later first",
         "the order of the units does not matter",
         {{.own = {{3, 8}}, .functions = {{3, 5}, {6, 8}}}, {.own = {{1, 6}}, .functions = {{1, 3}, {5, 6}}}},
         "bbaabaa."},
        {"the same range",
         "two units claim all",
         {{.own = {{1, 6}}, .functions = {{4, 6}}}, {.own = {{1, 6}}, .functions = {{1, 4}}}},
         "bbbaa."},
        {"folded",
         "one body of two functions: the unit that comes first",
         {{.own = {{1, 4}}, .functions = {{2, 4}}}, {.own = {{1, 4}}, .functions = {{2, 4}}}},
         "aaa."},
        {"inside",
         "the function that starts last",
         {{.own = {{1, 7}}, .functions = {{1, 7}}}, {.own = {{1, 7}}, .functions = {{3, 5}}}},
         "aabbaa."},
        {"rows only",
         "a unit of assembler has rows and no functions",
         {{.own = {{1, 8}}, .functions = {{1, 3}, {6, 8}}}, {.own = {{3, 6}}, .rows = {3, 4, 6}, .row_count = 3}},
         "aabbbaa."},
        {"functions before rows",
         "a sequence may run on over other units' functions",
         {{.own = {{1, 6}}, .rows = {1, 6}, .row_count = 2}, {.own = {{1, 6}}, .functions = {{3, 5}}}},
         "aabba."},
        {"two sequences",
         "the row that starts last",
         {{.own = {{1, 9}}, .rows = {1, 6, 9}, .row_count = 3}, {.own = {{1, 9}}, .rows = {3, 4, 9}, .row_count = 3}},
         "aabbbaaa."},
        {"nothing", "of units that have nothing there, the first", {{.own = {{2, 5}}}, {.own = {{1, 4}}}}, "baaa."},
        {"listed",
         "the table decides where all are listed",
         {{.own = {{1, 6}}, .listed = {{1, 3}}}, {.own = {{1, 6}}, .listed = {{3, 6}}}},
         "aabbb."},
        {"listed, and not",
         "the other may have something there that is not listed",
         {{.own = {{1, 6}}, .listed = {{1, 3}}, .functions = {{1, 3}}}, {.own = {{1, 6}}, .functions = {{2, 6}}}},
         "abbbb."},
        {"listed by both",
         "the table is no better than the ranges",
         {{.own = {{1, 6}}, .listed = {{1, 6}}}, {.own = {{1, 6}}, .listed = {{1, 6}}, .functions = {{3, 6}}}},
         "aabbb."},
        {"weak",
         "a unit that says nothing of its addresses, inside another's range",
         {{.own = {{1, 6}}, .functions = {{1, 3}}}, {.own = {{3, 5}}, .rows = {3, 5}, .row_count = 2, .weak = true}},
         "aabba."},
        {"weak, of nothing",
         "what says where it is wins",
         {{.own = {{1, 6}}, .weak = true}, {.own = {{1, 6}}}},
         "bbbbb."},
        {"outside",
         "a function counts where its unit claims it",
         {{.own = {{1, 6}}}, {.own = {{1, 3}}, .functions = {{1, 6}}}, {.own = {{1, 6}}}},
         "bbaaa."},
        {"of a group",
         "equal ranges of range lists are of one function: the unit that comes first",
         {{.own = {{1, 3}, {5, 6}}}, {.own = {{1, 3}, {6, 7}}, .functions = {{1, 3}}}},
         "aa..ab."},
        {"damaged",
         "what can't be read has nothing",
         {{.own = {{1, 6}}, .functions = {{1, 6}}, .damaged = true}, {.own = {{1, 6}}, .functions = {{2, 4}}}},
         "abbaa."},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_heap heap;
        struct fm_address_owners owners;
        fm_heap_init(&heap, NULL, 0);
        memset(units, 0, sizeof units);
        memcpy(units, rows[i].units, sizeof rows[i].units);
        assert_true(settle(&owners, &heap, COUNT_OF(rows[i].units), NULL, 0));
        for (size_t at = 0; rows[i].owners[at] != 0; at++) {
            const uint32_t owner = owner_at(&owners, at + 1);
            const char got = owner == NOBODY ? '.' : (char)('a' + (int)owner);
            if (got != rows[i].owners[at])
                fail_msg("%s: %s: %zu: %c, wanted %c", rows[i].name, rows[i].why, at + 1, got, rows[i].owners[at]);
        }
        fm_address_owners_free(&owners);
        assert_int_equal(heap.used, 0);
    }
}

/* --- finding the expected owner by search --- */

static bool holds(struct range range, unsigned at) { return range.low <= at && at < range.high; }

static bool any_holds(const struct range *ranges, unsigned at)
{
    for (size_t i = 0; i < RANGES; i++) {
        if (holds(ranges[i], at)) return true;
    }
    return false;
}

static size_t count_of(const struct range *ranges)
{
    size_t count = 0;
    for (size_t i = 0; i < RANGES; i++) count += ranges[i].high != 0;
    return count;
}

static struct range range_of(const struct made_unit *unit, size_t i)
{
    return i < RANGES ? unit->own[i] : unit->listed[i - RANGES];
}

static bool is_exact(const struct made_unit *unit) { return !unit->weak && count_of(unit->own) != 1; }

/* Whether a unit claims an address by a range that is not a range of an earlier unit as well. */
static bool is_candidate(size_t number, unsigned at)
{
    for (size_t i = 0; i < 2 * RANGES; i++) {
        const struct range range = range_of(&units[number], i);
        bool repeated = false;
        for (size_t j = 0; j < number && is_exact(&units[number]); j++) {
            for (size_t k = 0; k < 2 * RANGES; k++) {
                const struct range other = range_of(&units[j], k);
                repeated |= is_exact(&units[j]) && other.low == range.low && other.high == range.high;
            }
        }
        if (holds(range, at) && !repeated) return true;
    }
    return false;
}

static unsigned function_start(const struct made_unit *unit, unsigned at)
{
    unsigned start = 0;
    for (size_t i = 0; i < RANGES && !unit->damaged; i++) {
        if (holds(unit->functions[i], at) && unit->functions[i].low > start) start = unit->functions[i].low;
    }
    return start;
}

static unsigned row_start(const struct made_unit *unit, unsigned at)
{
    unsigned start = 0;
    for (size_t i = 0; i + 1 < unit->row_count && !unit->damaged; i++) {
        if (holds((struct range){unit->rows[i], unit->rows[i + 1]}, at)) start = unit->rows[i];
    }
    return start;
}

/* Returns the unit with the latest start; if several units have this start, the first of them; NOBODY if all starts are
 * 0. */
static uint32_t latest(unsigned (*start_of)(const struct made_unit *, unsigned), const bool *candidates, unsigned at)
{
    uint32_t best = NOBODY;
    unsigned best_start = 0;
    for (uint32_t i = 0; i < UNITS; i++) {
        const unsigned start = candidates[i] ? start_of(&units[i], at) : 0;
        if (start <= best_start) continue;
        best = i;
        best_start = start;
    }
    return best;
}

static uint32_t plain_owner(unsigned at)
{
    bool candidates[UNITS], all_listed = true;
    uint32_t count = 0, listed_count = 0, listed = NOBODY, first = NOBODY;
    for (uint32_t i = UNITS; i-- > 0;) {
        const bool claims = any_holds(units[i].own, at) || any_holds(units[i].listed, at);
        candidates[i] = is_candidate(i, at);
        count += candidates[i];
        if (claims && (first == NOBODY || units[first].weak || !units[i].weak)) first = i;
        if (claims && count_of(units[i].listed) == 0) all_listed = false;
        if (any_holds(units[i].listed, at)) listed_count++, listed = i;
    }
    if (count < 2) return first;
    if (all_listed && listed_count == 1) return listed;
    const uint32_t by_function = latest(function_start, candidates, at);
    const uint32_t by_row = latest(row_start, candidates, at);
    return by_function != NOBODY ? by_function : by_row != NOBODY ? by_row : first;
}

/* --- testing random cases --- */

static uint32_t next_random(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 16; }

static struct range random_range(uint32_t *seed)
{
    const unsigned low = 1 + next_random(seed) % (SPACE - 8);
    return (struct range){low, low + 1 + next_random(seed) % (next_random(seed) % 3 == 0 ? 40 : 7)};
}

static void random_ranges(uint32_t *seed, struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) ranges[i] = random_range(seed);
}

static void make_units(uint32_t *seed)
{
    memset(units, 0, sizeof units);
    for (size_t i = 0; i < UNITS; i++) {
        random_ranges(seed, units[i].own, 1 + next_random(seed) % RANGES);
        if (next_random(seed) % 2 == 0) random_ranges(seed, units[i].listed, 1 + next_random(seed) % RANGES);
        random_ranges(seed, units[i].functions, next_random(seed) % (RANGES + 1));
        if (i > 0 && next_random(seed) % 2 == 0) units[i].own[0] = units[i - 1].own[0];
        if (i > 0 && next_random(seed) % 3 == 0) units[i].functions[0] = units[i - 1].functions[0];
        units[i].weak = count_of(units[i].listed) == 0 && next_random(seed) % 6 == 0;
        units[i].damaged = next_random(seed) % 12 == 0;
        units[i].row_count = next_random(seed) % 2 * (2 + next_random(seed) % (ROWS_MOST - 1));
        unsigned row = 1 + next_random(seed) % 30;
        for (size_t j = 0; j < units[i].row_count; j++, row += 1 + next_random(seed) % 6) units[i].rows[j] = row;
    }
}

static void random_units_against_the_plain_answer(void **state)
{
    (void)state;
    uint32_t seed = 5;
    for (size_t round = 0; round < 10000; round += TEST_STEP) {
        struct fm_heap heap;
        struct fm_address_owners owners;
        fm_heap_init(&heap, NULL, 0);
        make_units(&seed);
        assert_true(settle(&owners, &heap, UNITS, NULL, 0));
        for (unsigned at = 0; at < 2 * SPACE; at++) {
            if (owner_at(&owners, at) != plain_owner(at))
                fail_msg("round %zu, address %u: unit %d, wanted %d", round, at, (int)owner_at(&owners, at),
                         (int)plain_owner(at));
        }
        fm_address_owners_free(&owners);
        assert_int_equal(heap.used, 0);
    }
}

static void some_addresses_are_owned_as_among_all(void **state)
{
    (void)state;
    uint32_t seed = 11;
    for (size_t round = 0; round < 4000; round += TEST_STEP) {
        struct fm_heap heap;
        struct fm_address_owners owners;
        uint64_t addresses[3];
        addresses[0] = next_random(&seed) % 20;
        for (size_t i = 1; i < COUNT_OF(addresses); i++) addresses[i] = addresses[i - 1] + 1 + next_random(&seed) % 15;
        fm_heap_init(&heap, NULL, 0);
        make_units(&seed);
        assert_true(settle(&owners, &heap, UNITS, addresses, COUNT_OF(addresses)));
        for (size_t i = 0; i < COUNT_OF(addresses); i++)
            assert_int_equal(owner_at(&owners, addresses[i]), plain_owner((unsigned)addresses[i]));
        fm_address_owners_free(&owners);
        assert_int_equal(heap.used, 0);
    }
}

/* Checks that dropping units takes no addresses from the other units. The addresses of a dropped unit pass to other
 * units that claim them. */
static void who_is_not_dropped_keeps_its_own(void **state)
{
    (void)state;
    uint32_t seed = 3;
    for (size_t round = 0; round < 4000; round += TEST_STEP) {
        struct fm_heap heap;
        struct fm_address_owners owners;
        uint32_t before[2 * SPACE];
        bool dropped[UNITS] = {false};
        const uint32_t lost = next_random(&seed) % UNITS;
        dropped[lost] = true;
        fm_heap_init(&heap, NULL, 0);
        make_units(&seed);
        assert_true(settle(&owners, &heap, UNITS, NULL, 0));
        for (unsigned at = 0; at < 2 * SPACE; at++) before[at] = owner_at(&owners, at);
        assert_true(fm_address_owners_update(&owners, dropped));
        units[lost] = (struct made_unit){0};
        for (unsigned at = 0; at < 2 * SPACE; at++)
            assert_int_equal(owner_at(&owners, at), before[at] == lost ? plain_owner(at) : before[at]);
        fm_address_owners_free(&owners);
        assert_int_equal(heap.used, 0);
    }
}

static bool settle_made(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_address_owners owners;
    (void)context;
    fm_heap_init(&heap, allocator, 0);
    const bool good = settle(&owners, &heap, UNITS, NULL, 0);
    for (unsigned at = 0; at < 2 * SPACE && good; at++) assert_int_equal(owner_at(&owners, at), plain_owner(at));
    fm_address_owners_free(&owners);
    return good;
}

static void memory_runs_out(void **state)
{
    (void)state;
    uint32_t seed = 17;
    make_units(&seed);
    assert_true(sweep_allocations(settle_made, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_by_hand), cmocka_unit_test(random_units_against_the_plain_answer),
        cmocka_unit_test(some_addresses_are_owned_as_among_all), cmocka_unit_test(who_is_not_dropped_keeps_its_own),
        cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
