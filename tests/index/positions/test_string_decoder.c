/* Tests of FSST symbols (training, encoding and decoding), and of the sorted strings of an index (order, damage,
 * threads, memory). */
#include "tests/testing.h"

#include "core/hash/hash.h"
#include "core/limits.h"
#include "index/format/bits.h"
#include "index/format/fsst.h"
#include "index/format/layout.h"
#include "index/read/table/string_decoder.h"
#include "index/read/table/tables.h"
#include "index/write/builder.h"
#include <pthread.h>

/* --- compressing and decompressing strings --- */

static const char *const words[] = {"_ZN",  "4core3fmt", "9Formatter", "17h",          "E", "std", "vector", "5alloc",
                                    "3vec", "I",         "K",          "basic_string", "_"};

static uint64_t next_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Makes a string that resembles a name; every 11th string has random bytes. */
static size_t make_text(uint64_t *state, unsigned number, char out[256])
{
    size_t size = 0;
    const bool any = number % 11 == 10;
    for (uint64_t parts = next_number(state) % 12; parts > 0; parts--) {
        if (any) {
            out[size++] = (char)next_number(state);
        } else {
            const char *word = words[next_number(state) % COUNT_OF(words)];
            memcpy(out + size, word, strlen(word));
            size += strlen(word);
        }
    }
    return size;
}

static size_t read_back(const struct fm_fsst_symbols *symbols, const unsigned char *codes, size_t size, char *out)
{
    size_t written = 0;
    for (size_t i = 0; i < size; i++) {
        if (codes[i] == FM_FSST_ESCAPE) {
            out[written++] = (char)codes[++i];
            continue;
        }
        assert_true(codes[i] < symbols->count);
        for (unsigned b = 0; b < symbols->sizes[codes[i]]; b++)
            out[written++] = (char)(symbols->words[codes[i]] >> 8 * b);
    }
    return written;
}

/* Returns the longest symbol that a string starts with, found by linear search; FM_FSST_ESCAPE: there is none. */
static unsigned longest(const struct fm_fsst_symbols *symbols, framemap_str text)
{
    for (unsigned code = symbols->count; code-- > 0;) { /* symbols are sorted by size */
        bool fits = symbols->sizes[code] <= text.size;
        for (unsigned i = 0; fits && i < symbols->sizes[code]; i++)
            fits = (unsigned char)text.data[i] == (symbols->words[code] >> 8 * i & UINT8_MAX);
        if (fits) return code;
    }
    return FM_FSST_ESCAPE;
}

/* Checks that the longest symbol is taken. The symbols have few different bytes, including NUL; many of them share a
 * slot, or begin like another symbol. */
static void the_longest_symbol_is_taken(void **state)
{
    (void)state;
    static const char letters[] = {0, 'a', 'b', (char)0xFF};
    uint64_t random = 11;
    for (unsigned test = 0; test < 400; test++) {
        struct fm_fsst_symbols symbols = {.count = 0};
        static struct fm_fsst_encoder finder;
        for (unsigned size = 1; size <= FM_FSST_SYMBOL_SIZE; size++)
            for (uint64_t i = next_number(&random) % 12; i > 0; i--, symbols.count++) {
                symbols.sizes[symbols.count] = (uint8_t)size;
                for (unsigned j = 0; j < size; j++)
                    symbols.words[symbols.count] |= (uint64_t)(unsigned char)letters[next_number(&random) % 4] << 8 * j;
            }
        char bytes[40];
        const framemap_str text = fm_str(bytes, (size_t)(next_number(&random) % sizeof bytes));
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = letters[next_number(&random) % 4];
        unsigned char codes[2 * sizeof bytes + 1];
        fm_fsst_encoder_init(&symbols, &finder);
        const unsigned char *next = codes, *end = codes + fm_fsst_encode(&finder, text, codes);
        for (size_t at = 0; at < text.size;) {
            assert_true(next < end);
            const unsigned code = *next++, wanted = longest(&symbols, fm_str_from(text, at));
            const bool plain = wanted == FM_FSST_ESCAPE;
            /* If two symbols are equal, either one is right. */
            assert_true(code == wanted ||
                        (!plain && code != FM_FSST_ESCAPE && symbols.sizes[code] == symbols.sizes[wanted] &&
                         symbols.words[code] == symbols.words[wanted]));
            if (plain) assert_true(next < end && *next++ == (unsigned char)bytes[at]);
            at += plain ? 1 : symbols.sizes[wanted];
        }
        assert_ptr_equal(next, end);
    }
}

static void symbols_make_texts_short(void **state)
{
    (void)state;
    struct fm_heap heap;
    static char texts[2000][256];
    static framemap_str samples[COUNT_OF(texts)];
    static struct fm_fsst_symbols symbols, again;
    static struct fm_fsst_encoder finder;
    uint64_t random = 7;
    size_t before = 0, after = 0;
    fm_heap_init(&heap, NULL, 0);
    for (unsigned i = 0; i < COUNT_OF(texts); i++) samples[i] = fm_str(texts[i], make_text(&random, i, texts[i]));
    assert_true(fm_fsst_train(&heap, samples, COUNT_OF(samples), 1, &symbols));
    assert_true(fm_fsst_train(&heap, samples, COUNT_OF(samples), 1, &again));
    assert_true(symbols.count == again.count &&
                memcmp(symbols.words, again.words, symbols.count * sizeof *symbols.words) == 0);
    fm_fsst_encoder_init(&symbols, &finder);
    for (unsigned i = 0; i < COUNT_OF(texts); i++) {
        unsigned char codes[513];
        char back[512];
        const size_t size = fm_fsst_encode(&finder, samples[i], codes);
        assert_true(fm_str_equal(fm_str(back, read_back(&symbols, codes, size, back)), samples[i]));
        before += samples[i].size;
        after += size;
    }
    assert_true(after * 3 < before);
    assert_int_equal(heap.used, 0);
}

static void no_symbols_of_no_text(void **state)
{
    (void)state;
    struct fm_heap heap;
    static struct fm_fsst_symbols symbols;
    const framemap_str texts[] = {{"", 0}, {"x", 1}};
    fm_heap_init(&heap, NULL, 0);
    assert_true(fm_fsst_train(&heap, texts, 2, 1, &symbols));
    assert_int_equal(symbols.count, 0);
}

/* Damages the section of symbols, and checks that nothing is read beyond its bounds. */
static void symbols_are_read_within_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        unsigned char bytes[24];
        size_t size;
        bool sound;
        unsigned count;
    } rows[] = {
        {"no section", {0}, 0, true, 0},
        {"one byte", {1, 0, 0, 0, 0, 0, 0, 0, 'a'}, 9, true, 1},
        {"two sizes", {1, 1, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c'}, 11, true, 2},
        {"no counts", {1, 0, 0}, 3, false, 0},
        {"none at all", {0}, 8, false, 0},
        {"bytes that lack", {0, 0, 1, 0, 0, 0, 0, 0, 'a', 'b'}, 10, false, 0},
        {"bytes after", {1, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'}, 10, false, 0},
        {"more than can be", {255, 255, 0, 0, 0, 0, 0, 0}, 16, false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        static struct fm_fsst_symbols symbols;
        if (fm_string_table_symbols(rows[i].bytes, rows[i].size, &symbols) != rows[i].sound)
            fail_msg("%s", rows[i].why);
        if (rows[i].sound) assert_int_equal(symbols.count, rows[i].count);
    }
}

/* --- testing an index of many names --- */

enum { NAMES = 3000 };

static size_t name_of(unsigned i, char out[256])
{
    uint64_t random = i;
    const size_t size = make_text(&random, i, out);
    return size + (size_t)snprintf(out + size, 256 - size, "%u", i * 2654435761u);
}

static struct fm_built build_names(struct fm_heap *heap)
{
    struct fm_builder *builder;
    struct fm_built built = {NULL, 0};
    uint32_t scope;
    const struct fm_builder_about about = {.kind = FM_STR("elf"), .id = FM_STR("00"), .address_bits = 64};
    assert_int_equal(fm_builder_create(heap, &builder, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_about(builder, &about, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_scope(builder, FM_STR(""), &scope, NULL), FRAMEMAP_OK);
    for (unsigned i = 0; i < NAMES; i++) {
        char text[256];
        struct fm_function function = {FM_NONE, FM_NONE, FM_NONE, i, FM_LANGUAGE_CXX};
        struct fm_node node = {.parent = FM_NONE,
                               .call_file = FM_NONE,
                               .start = 16 * i,
                               .size = 16,
                               .flags = FM_NODE_HAS_START,
                               .symbol = FM_NONE};
        struct fm_place place = {.file = FM_NONE, .line1 = i, .name = FM_NONE};
        assert_int_equal(fm_builder_string(builder, fm_str(text, name_of(i, text)), &function.name, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_function(builder, &function, &node.function, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_node(builder, &node, &place.node, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_position(builder, scope, 16 * i, &place, 1, NULL), FRAMEMAP_OK);
    }
    assert_int_equal(fm_builder_finish(builder, &built, NULL), FRAMEMAP_OK);
    fm_builder_free(builder);
    return built;
}

static framemap_status name_at(const struct fm_view *view, unsigned i, framemap_str *out)
{
    struct fm_hit hit;
    struct fm_view_place place;
    struct fm_view_node node = {.parent = FM_VIEW_NONE};
    framemap_status status = fm_view_lookup(view, 0, 16 * (uint64_t)i + 5, &hit);
    if (status == FRAMEMAP_OK) status = fm_view_place(view, &hit, 0, &place);
    if (status == FRAMEMAP_OK) status = fm_view_node(view, place.node, &node);
    *out = node.function;
    return status;
}

static bool is_name(framemap_str text, unsigned i)
{
    char wanted[256];
    return fm_str_equal(text, fm_str(wanted, name_of(i, wanted)));
}

static void names_come_back(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_view *view;
    framemap_str text, again;
    fm_heap_init(&heap, NULL, 0);
    struct fm_built built = build_names(&heap);
    assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL), FRAMEMAP_OK);
    assert_true(view->tables[FMX_SYMBOLS].size > 0 && view->tables[FMX_SORTED_TEXTS].count == (NAMES + 31) / 32);
    for (unsigned i = 0; i < NAMES; i++) {
        assert_int_equal(name_at(view, i, &text), FRAMEMAP_OK);
        assert_true(is_name(text, i));
        const uint64_t used = heap.used;
        assert_int_equal(name_at(view, i, &again), FRAMEMAP_OK);
        assert_true(again.data == text.data && heap.used == used); /* the text is borrowed, and nothing is allocated for
                                                                      it */
    }
    assert_int_equal(fm_view_verify(view, NULL), FRAMEMAP_OK);
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    assert_int_equal(heap.used, 0);
}

/* Checks that a string has the same text whether it is decoded alone or in its group; alone, it needs far less memory.
 * A group that is used often is decoded as a whole. */
static void alone_as_in_the_group(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_view *view, *whole;
    framemap_str text, wanted;
    fm_heap_init(&heap, NULL, 0);
    struct fm_built built = build_names(&heap);
    const framemap_str bytes = fm_str(built.data, built.size);
    assert_int_equal(fm_view_open(bytes, &heap, &whole, NULL), FRAMEMAP_OK);
    for (uint64_t i = 0; i < NAMES; i++) {
        assert_int_equal(fm_view_open(bytes, &heap, &view, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_string_entry_open(whole, i, &wanted), FRAMEMAP_OK);
        assert_int_equal(fm_string_entry(view, i, &text), FRAMEMAP_OK);
        assert_true(fm_str_equal(text, wanted));
        assert_null(fm_lazy_table_get(&view->sorted_texts->memo, i / FM_SORTED_GROUP));
        fm_view_close(view);
    }
    assert_int_equal(fm_view_open(bytes, &heap, &view, NULL), FRAMEMAP_OK);
    for (uint64_t i = 0; i < 5; i++) {
        assert_null(fm_lazy_table_get(&view->sorted_texts->memo, 0));
        assert_int_equal(fm_string_entry(view, 3 * i, &text), FRAMEMAP_OK);
    }
    assert_non_null(fm_lazy_table_get(&view->sorted_texts->memo, 0));
    assert_int_equal(fm_string_entry(view, NAMES, &text), FRAMEMAP_E_CORRUPT); /* the string does not exist */
    fm_view_close(view);
    fm_view_close(whole);
    fm_heap_free(&heap, built.data, built.size);
    assert_int_equal(heap.used, 0);
}

/* Checks that lack of memory is reported as such, and that the next call may succeed. */
static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    struct fm_heap heap, small;
    struct fm_view *view;
    framemap_str text;
    fm_heap_init(&heap, NULL, 0);
    struct fm_built built = build_names(&heap);
    fm_heap_init(&small, NULL, 64 << 10);
    assert_int_equal(fm_view_open(fm_str(built.data, built.size), &small, &view, NULL), FRAMEMAP_OK);
    small.ceiling = small.used;
    assert_int_equal(name_at(view, 7, &text), FRAMEMAP_E_MEMORY);
    assert_int_equal(fm_view_verify(view, NULL), FRAMEMAP_E_MEMORY);
    unsigned lacking = 0;
    for (uint64_t more = 0; more < 16384 && name_at(view, 7, &text) != FRAMEMAP_OK; more += 64, lacking++)
        small.ceiling += 64;
    assert_true(lacking > 3 && name_at(view, 7, &text) == FRAMEMAP_OK && is_name(text, 7));
    fm_view_close(view);
    assert_int_equal(small.used, 0);
    fm_heap_free(&heap, built.data, built.size);
}

struct asker {
    const struct fm_view *view;
    unsigned first, wrong;
};

static void *ask_all(void *context)
{
    struct asker *asker = context;
    framemap_str text;
    for (unsigned n = 0; n < NAMES; n++) {
        const unsigned i = (asker->first + n * 7) % NAMES;
        if (name_at(asker->view, i, &text) != FRAMEMAP_OK || !is_name(text, i)) asker->wrong++;
    }
    return NULL;
}

static void threads_share_what_is_unpacked(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    struct fm_built built = build_names(&heap);
    for (unsigned round = 0; round < 8; round++) {
        struct fm_view *view;
        pthread_t threads[4];
        struct asker askers[COUNT_OF(threads)];
        assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL), FRAMEMAP_OK);
        for (unsigned t = 0; t < COUNT_OF(threads); t++) {
            askers[t] = (struct asker){view, t * (round % 3), 0};
            assert_int_equal(pthread_create(&threads[t], NULL, ask_all, &askers[t]), 0);
        }
        for (unsigned t = 0; t < COUNT_OF(threads); t++) {
            pthread_join(threads[t], NULL);
            assert_int_equal(askers[t].wrong, 0);
        }
        fm_view_close(view);
    }
    fm_heap_free(&heap, built.data, built.size);
    assert_int_equal(heap.used, 0);
}

/* Changes a byte between header and tail, and corrects the header's checksum. If the index still opens, reading a name
 * gives a text or CORRUPT. */
static void damaged_groups_do_no_harm(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    struct fm_built built = build_names(&heap);
    uint64_t random = 3;
    for (unsigned round = 0; round < 300; round++) {
        struct fm_view *view;
        framemap_str text;
        const size_t at = FMX_HEADER + (size_t)(next_number(&random) % (built.size - FMX_HEADER - FMX_TAIL));
        const unsigned char kept = built.data[at];
        built.data[at] ^= (unsigned char)(1 + next_number(&random) % 255);
        const uint64_t check = fm_load64(built.data + FMX_AT_CHECK);
        fm_store64(built.data + FMX_AT_CHECK, fm_header_check(built.data, fm_load32(built.data + FMX_AT_HEADER_SIZE)));
        if (fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL) == FRAMEMAP_OK) {
            for (unsigned i = 0; i < NAMES; i += 16) {
                const framemap_status status = name_at(view, i, &text);
                assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_CORRUPT);
                if (status == FRAMEMAP_OK && text.size > 0)
                    /* Reads all bytes of the name, so that a sanitizer detects a wrong size. */
                    fm_hash64(text.data, text.size, 0);
            }
            fm_view_close(view);
        }
        built.data[at] = kept;
        fm_store64(built.data + FMX_AT_CHECK, check);
    }
    fm_heap_free(&heap, built.data, built.size);
    assert_int_equal(heap.used, 0);
}

/* --- testing groups that share their bytes --- */

enum { LONG_PREFIX = 32000, GROUPS = 1000 };

/* Builds an index of names. The first 32 names share a long prefix, so that they take a megabyte when unpacked; the
 * others are short. */
static struct fm_built build_unequal_groups(struct fm_heap *heap)
{
    struct fm_builder *builder;
    struct fm_built built;
    framemap_error error = {0};
    static char text[LONG_PREFIX + 16];
    uint32_t number;
    memset(text, 'a', LONG_PREFIX);
    assert_int_equal(fm_builder_create(heap, &builder, &error), FRAMEMAP_OK);
    const struct fm_builder_about about = {.kind = FM_STR("elf"), .address_bits = 64};
    assert_int_equal(fm_builder_about(builder, &about, &error), FRAMEMAP_OK);
    uint32_t scope;
    assert_int_equal(fm_builder_scope(builder, FM_STR(""), &scope, &error), FRAMEMAP_OK);
    for (unsigned i = 0; i < GROUPS * FM_SORTED_GROUP; i++) {
        const bool is_long = i < FM_SORTED_GROUP;
        const int size = snprintf(text + LONG_PREFIX, 16, "%c%06u", is_long ? 'a' : 'b', i);
        const framemap_str name =
            is_long ? fm_str(text, LONG_PREFIX + (size_t)size) : fm_str(text + LONG_PREFIX, (size_t)size);
        struct fm_function function = {.class_name = FM_NONE, .decl_file = FM_NONE};
        struct fm_node node = {.parent = FM_NONE,
                               .call_file = FM_NONE,
                               .flags = FM_NODE_HAS_START,
                               .start = i,
                               .size = 1,
                               .symbol = FM_NONE};
        assert_int_equal(fm_builder_string(builder, name, &function.name, &error), FRAMEMAP_OK);
        assert_int_equal(fm_builder_function(builder, &function, &node.function, &error), FRAMEMAP_OK);
        assert_int_equal(fm_builder_node(builder, &node, &number, &error), FRAMEMAP_OK);
        const struct fm_place place = {number, FM_NONE, 0, 0, FM_NONE, 0};
        assert_int_equal(fm_builder_position(builder, scope, i, &place, 1, &error), FRAMEMAP_OK);
    }
    assert_int_equal(fm_builder_finish(builder, &built, &error), FRAMEMAP_OK);
    fm_builder_free(builder);
    return built;
}

/* Sets the field SORTED_AT of all groups to the value of the first group. */
static void share_bytes(unsigned char *data, size_t size)
{
    const uint32_t sections = fm_load32(data + FMX_AT_SECTIONS);
    for (uint32_t i = 0; i < sections; i++) {
        unsigned char *entry = data + FMX_HEADER + FMX_ENTRY * i;
        if (entry[FMX_ENTRY_ID] != FMX_SORTED_TEXTS) continue;
        unsigned char *rows = data + fm_load64(entry + FMX_ENTRY_OFFSET);
        const unsigned width = entry[FMX_ENTRY_WIDTHS];
        const uint64_t first = fm_bits_get(rows, 0, width), count = fm_load64(entry + FMX_ENTRY_COUNT);
        assert_int_equal(count, GROUPS);
        for (uint64_t bit = 0; bit < count * width; bit++) {
            const unsigned char mask = (unsigned char)(1u << bit % 8);
            if (first >> bit % width & 1)
                rows[bit / 8] |= mask;
            else
                rows[bit / 8] &= (unsigned char)~mask;
        }
    }
    assert_true(size > FMX_HEADER);
}

/* Checks the cache of unpacked groups. All valid names are returned, and groups that share bytes take no more memory
 * than the index's limit. */
static void groups_that_share_their_bytes(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        struct fm_heap heap;
        struct fm_view *view = NULL;
        framemap_error error = {0};
        size_t refused = 0;
        fm_heap_init(&heap, NULL, 0);
        struct fm_built built = build_unequal_groups(&heap);
        if (shared) share_bytes(built.data, built.size);
        const uint64_t before = heap.used, most = FM_LIMIT_UNPACKED_LEAST + FM_LIMIT_UNPACKED * built.size;
        assert_true(most < (uint64_t)64 << 20 && most < (uint64_t)GROUPS << 20);
        assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, &error), FRAMEMAP_OK);
        for (uint64_t text = 0; text < GROUPS * FM_SORTED_GROUP; text++) {
            framemap_str out;
            const framemap_status status = fm_string_entry_open(view, text, &out);
            assert_true(status == FRAMEMAP_OK || (shared && status == FRAMEMAP_E_CORRUPT));
            refused += status != FRAMEMAP_OK;
        }
        assert_int_equal(refused > 0, shared);
        assert_true(heap.used - before < most + ((uint64_t)1 << 20)); /* the megabyte is for the table of groups */
        fm_view_close(view);
        fm_heap_free(&heap, built.data, built.size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_symbol_is_taken),
        cmocka_unit_test(symbols_make_texts_short),
        cmocka_unit_test(no_symbols_of_no_text),
        cmocka_unit_test(symbols_are_read_within_bounds),
        cmocka_unit_test(names_come_back),
        cmocka_unit_test(alone_as_in_the_group),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(threads_share_what_is_unpacked),
        cmocka_unit_test(damaged_groups_do_no_harm),
        cmocka_unit_test(groups_that_share_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
