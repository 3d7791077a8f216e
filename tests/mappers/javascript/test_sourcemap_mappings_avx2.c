/* Checks that decoding `mappings` with AVX2 and with portable code gives the same index and the same faults for any
 * text. */
#include "mappers/javascript/sourcemap/sourcemap_job.h"
#include "mappers/javascript/sourcemap/sourcemap_mappings_avx2.h"
#include "tests/mappers/javascript/sourcemap_build.h"

enum { TEXT_ROOM = 20000, ROUNDS = 4000, SOURCES = 40, NAMES = 50 };

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 31);
}

/* --- decoding one text with both decoders --- */

struct read {
    struct fm_heap heap;
    framemap_status status;
    framemap_error error;
    struct fm_built built;
    uint64_t faults[FM_SOURCEMAP_RULES];
};

static void set_members(struct fm_sourcemap_members *members, framemap_str mappings)
{
    static const char sources[] = "[\"s00\",\"s01\",\"s02\",\"s03\",\"s04\",\"s05\",\"s06\",\"s07\",\"s08\",\"s09\"]";
    static const char names[] = "[\"n0\",\"n1\",\"n2\",\"n3\",\"n4\",\"n5\",\"n6\",\"n7\",\"n8\",\"n9\"]";
    *members = (struct fm_sourcemap_members){.bad_content = NULL};
    members->at[FM_SOURCEMAP_MEMBER_SOURCES] =
        (struct fm_json_piece){fm_str(sources, sizeof sources - 1), FM_JSON_ARRAY, false};
    members->at[FM_SOURCEMAP_MEMBER_NAMES] =
        (struct fm_json_piece){fm_str(names, sizeof names - 1), FM_JSON_ARRAY, false};
    members->at[FM_SOURCEMAP_MEMBER_MAPPINGS] = (struct fm_json_piece){mappings, FM_JSON_STRING, false};
}

/* Decodes a text, which is followed by a quote, as in a map. section: the text belongs to a section, so that its
 * segments are limited to a part of the generated text. */
static void read_text(struct read *read, framemap_str mappings, bool strict, bool section, bool portable_only)
{
    struct fm_builder *builder = NULL;
    *read = (struct read){.status = FRAMEMAP_OK};
    fm_heap_init(&read->heap, NULL, 0);
    const struct fm_mapper_host host = {.heap = &read->heap, .threads = 1, .strict = strict};
    struct fm_sourcemap_faults faults = {.host = &host, .error = &read->error, .begin = mappings.data};
    struct fm_sourcemap_job job = {.heap = &read->heap,
                                   .faults = &faults,
                                   .error = &read->error,
                                   .portable_only = portable_only,
                                   .limit = {UINT64_MAX, UINT64_MAX}};
    if (section) {
        job.begin = (struct fm_sourcemap_position){3, 1000};
        job.limit = (struct fm_sourcemap_position){9, 40};
    }
    read->status = fm_builder_create(&read->heap, &builder, &read->error);
    assert_int_equal(read->status, FRAMEMAP_OK);
    job.builder = builder;
    fm_arena_init(&job.texts, &read->heap);
    fm_builder_segments_form(builder);
    set_members(&job.members, mappings);
    read->status = fm_sourcemap_read_sources(&job);
    if (read->status == FRAMEMAP_OK) read->status = fm_sourcemap_read_names(&job);
    if (read->status == FRAMEMAP_OK) read->status = fm_sourcemap_read_mappings(&job);
    if (read->status == FRAMEMAP_OK) read->status = fm_builder_finish(builder, &read->built, &read->error);
    fm_arena_free(&job.texts);
    fm_builder_free(builder);
    memcpy(read->faults, faults.counts, sizeof read->faults);
}

static void free_read(struct read *read)
{
    fm_heap_free(&read->heap, read->built.data, read->built.size);
    assert_int_equal(atomic_load(&read->heap.used), 0);
}

static void check_both(framemap_str mappings, bool strict, bool section)
{
    struct read fast, plain;
    read_text(&fast, mappings, strict, section, false);
    read_text(&plain, mappings, strict, section, true);
    if (fast.status != plain.status)
        fail_msg("%d, plainly %d: %.*s", fast.status, plain.status, (int)mappings.size, mappings.data);
    assert_memory_equal(fast.faults, plain.faults, sizeof fast.faults);
    if (fast.status != FRAMEMAP_OK) {
        assert_string_equal(fast.error.message, plain.error.message);
        assert_int_equal(fast.error.offset, plain.error.offset);
    } else if (fast.built.size != plain.built.size || memcmp(fast.built.data, plain.built.data, fast.built.size) != 0) {
        fail_msg("the index differs: %.*s", (int)mappings.size, mappings.data);
    }
    free_read(&fast);
    free_read(&plain);
}

static void check_all_ways(framemap_str mappings)
{
    for (unsigned how = 0; how < 4; how++) check_both(mappings, (how & 1) != 0, (how & 2) != 0);
}

/* --- making texts --- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *put_vlq(char *to, int64_t value, unsigned zeros)
{
    uint64_t bits = value < 0 ? (uint64_t)-value << 1 | 1 : (uint64_t)value << 1;
    for (; bits >= 32 || zeros > 0; bits >>= 5) {
        if (bits < 32) zeros--;
        *to++ = digits[(bits & 31) | 32];
    }
    *to++ = digits[bits];
    return to;
}

struct place {
    int64_t col, source, line, original_col, name;
};

static int64_t step(uint64_t *random, int64_t now, int64_t most)
{
    return (int64_t)(next_random(random) % (uint64_t)most) - now;
}

/* Writes a valid segment that follows the previous one; `at` has the numbers of the previous segment. */
static char *put_segment(char *to, struct place *at, uint64_t *random, unsigned fields)
{
    static const int64_t far[] = {3, 14, 200, 20000, 600000, 40000000};
    const int64_t reach = far[next_random(random) % (next_random(random) % 4 == 0 ? COUNT_OF(far) : 3)];
    const int64_t deltas[] = {(int64_t)(next_random(random) % (uint64_t)reach), step(random, at->source, 10),
                              step(random, at->line, reach * 2), step(random, at->original_col, reach),
                              step(random, at->name, 10)};
    const unsigned zeros = next_random(random) % 40 == 0 ? (unsigned)(next_random(random) % 9) : 0;
    for (unsigned i = 0; i < fields; i++) to = put_vlq(to, deltas[i], zeros);
    at->source += fields > 1 ? deltas[1] : 0;
    at->line += fields > 1 ? deltas[2] : 0;
    at->original_col += fields > 1 ? deltas[3] : 0;
    at->name += fields > 4 ? deltas[4] : 0;
    return to;
}

static size_t make_text(char *text, uint64_t *random, size_t size, unsigned one_field, unsigned lines)
{
    struct place at = {0, 0, 0, 0, 0};
    char *to = text;
    while ((size_t)(to - text) + 120 < size) {
        const uint64_t kind = next_random(random) % 100;
        to = put_segment(to, &at, random, kind < one_field ? 1 : kind < 60 ? 4 : 5);
        *to++ = next_random(random) % lines == 0 ? ';' : ',';
    }
    return (size_t)(to - text) - (next_random(random) % 2);
}

static void texts_in_order(void **state)
{
    (void)state;
    char *text = malloc(TEXT_ROOM);
    uint64_t random = 3;
    assert_non_null(text);
    for (unsigned i = 0; i < ROUNDS / 10; i++) {
        const size_t room = i % 3 == 0 ? TEXT_ROOM : 200 + (size_t)(next_random(&random) % 9000);
        const size_t size = make_text(text, &random, room, i % 2 ? 0 : 10, i % 5 == 0 ? 4 : 400);
        text[size] = '"';
        check_all_ways(fm_str(text, size));
    }
    free(text);
}

/* Checks that the decoder with AVX2 and the portable decoder treat texts with damage in a few places alike. */
static void damaged_texts(void **state)
{
    (void)state;
    static const char bytes[] = ",,;;ABgz09+/.:=-_ !\x80\xFF\"CDEFDEDE";
    char *text = malloc(TEXT_ROOM);
    uint64_t random = 5;
    assert_non_null(text);
    for (unsigned i = 0; i < ROUNDS; i++) {
        const size_t size =
            make_text(text, &random, i % 50 == 0 ? TEXT_ROOM : 130 + (size_t)(next_random(&random) % 400), 3, 40);
        for (unsigned faults = (unsigned)(next_random(&random) % 4) + 1; faults > 0; faults--)
            text[next_random(&random) % size] = bytes[next_random(&random) % (sizeof bytes - 1)];
        text[size] = '"';
        check_all_ways(fm_str(text, size));
    }
    free(text);
}

/* Tries each byte near the end of a text: as the last byte, the second to last and so on. The text is slightly
 * longer than the window that AVX2 code reads. */
static void each_byte_near_the_end(void **state)
{
    (void)state;
    char *text = malloc(TEXT_ROOM);
    uint64_t random = 11;
    assert_non_null(text);
    const size_t whole = make_text(text, &random, FM_SOURCEMAP_WINDOW + 150, 0, 50);
    for (size_t size = FM_SOURCEMAP_WINDOW - 70; size <= whole; size++) {
        const char kept = text[size];
        text[size] = '"';
        check_both(fm_str(text, size), false, false);
        text[size] = kept;
    }
    for (unsigned byte = 0; byte < 256; byte++)
        for (size_t from_end = 1; from_end < 12; from_end++) {
            const char kept = text[300 - from_end];
            text[300 - from_end] = (char)byte;
            check_both(fm_str(text, 300), false, false);
            text[300 - from_end] = kept;
        }
    free(text);
}

static void odd_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        ",",
        ";",
        ";;;,",
        "A",
        "AAAA",
        "AAAAA",
        "AAAAAA",
        "AAA",
        "AAAA,",
        ",AAAA",
        "AAAA;",
        "AAAA,;AAAA",
        "AAAB",
        "BAAA",
        "AAAAB",
        "AAAA,B",
        "g",
        "AAAAg",
        "gggggggA",
        "AAAA,DAAA",
        "CAAA,DAAA",
        "CAAA;DAAA",
        "CDAA",
        "CAAAU,AAAAC",
        "AAAAU",
        "AAAAV",
        "//////D",
        "+/////DAAA",
        "ggggggEAAA",
        "AUAA",
        "ATAA",
        "AAAA\nAAAA",
        "AAAA AAAA",
        "AAAA,AAA-A",
        "AAAAg,AAAA",
        "ggggAAAAA",
        "AggggAAAA",
        "gggggAAAAAA",
        "2HwHsHqHoH",
        "gggAgggAgggAgggAgggA",
        "gggAgggAgggAgggAgggA,gggAgggAgggAgggA;A",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        /* a block of the exact size, so that a sanitizer detects a read past the end */
        char *copy = malloc(strlen(texts[i]) + 1);
        assert_non_null(copy);
        memcpy(copy, texts[i], strlen(texts[i]));
        copy[strlen(texts[i])] = '"';
        check_all_ways(fm_str(copy, strlen(texts[i])));
        free(copy);
    }
}

/* Checks texts in which columns decrease: the decoder reports for the whole text whether that happens anywhere. */
static void going_back(void **state)
{
    (void)state;
    char text[200];
    memset(text, 'A', sizeof text);
    for (size_t size = 0; size < sizeof text; size++) {
        assert_false(fm_sourcemap_may_go_back(fm_str(text, size)));
        for (size_t at = 0; at + 1 < size; at++)
            for (const char *next = "ABYZabyz0189+/g\x7F"; *next; next++) {
                text[at] = ',';
                text[at + 1] = *next;
                const bool odd = memchr("BZbz19/", *next, 7) != NULL;
                const bool found = fm_sourcemap_may_go_back(fm_str(text, size));
                if (*next != '\x7F') assert_int_equal(found, *next == 'b' || *next == 'z' || odd);
                text[at] = text[at + 1] = 'A';
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(odd_texts), cmocka_unit_test(texts_in_order),
                                       cmocka_unit_test(damaged_texts), cmocka_unit_test(each_byte_near_the_end),
                                       cmocka_unit_test(going_back)};
    print_message("mappings are decoded %s\n",
                  fm_sourcemap_fast_here() ? "by AVX2" : "plainly: the two ways are one on this CPU");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
