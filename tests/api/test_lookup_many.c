/* Checks that batch lookups give the same answers as single calls of framemap_resolve, for every file of
 * corpus/native. */
#include "tests/corpus.h"
#include "tests/session/session_help.h"

enum { MOST = 1 << 15 }; /* most positions that are looked up in one file */

static void assert_same(framemap_str got, framemap_str wanted, const char *what)
{
    if (!fm_str_equal(got, wanted))
        fail_msg("%s is \"%.*s\", alone it is \"%.*s\"", what, (int)got.size, got.data ? got.data : "",
                 (int)wanted.size, wanted.data ? wanted.data : "");
}

/* Number of frames with the flag FRAMEMAP_LOCATION_SAME_NAME. The function of such a frame must equal the demangled
 * symbol. */
static size_t same_names;

static void assert_same_name(const framemap_location *got, framemap_demangle style, framemap_scratch *scratch)
{
    if ((got->flags & FRAMEMAP_LOCATION_SAME_NAME) == 0) return;
    assert_true(got->symbol.size > 0);
    assert_same(got->function, framemap_demangle_name(scratch, got->symbol, style), "the function, by its symbol");
    same_names++;
}

static void assert_same_frame(const framemap_location *got, const framemap_frame *wanted, bool outermost)
{
    assert_same(got->function, wanted->function, "the function");
    assert_same(got->symbol, wanted->symbol, "the symbol");
    assert_same(got->file, wanted->file, "the file");
    assert_int_equal(got->line, wanted->line);
    assert_int_equal(got->column, wanted->column);
    assert_int_equal(got->declared_line, wanted->declared_line);
    assert_int_equal((got->flags & FRAMEMAP_LOCATION_INLINED) != 0, wanted->inlined);
    assert_int_equal((got->flags & FRAMEMAP_LOCATION_ARTIFICIAL) != 0, wanted->artificial);
    assert_int_equal((got->flags & FRAMEMAP_LOCATION_HAS_FUNCTION_OFFSET) != 0,
                     outermost && wanted->has_function_offset);
    assert_int_equal(got->function_offset, wanted->function_offset);
}

static void assert_same_answer(const framemap_location_list *list, size_t number, const framemap_query *query,
                               const framemap_frame *wanted, framemap_scratch *scratch)
{
    const framemap_location_chain *answer = &list->chains[number];
    assert_int_equal(answer->status, wanted->status);
    assert_int_equal(answer->count, wanted->restored.count);
    assert_true(answer->first + (size_t)answer->count <= list->location_count);
    for (size_t f = 0; f < answer->count; f++)
        assert_same_frame(&list->locations[answer->first + f], &wanted->restored.frames[f], f + 1 == answer->count);
    for (size_t f = 0; f < answer->count; f++)
        assert_same_name(&list->locations[answer->first + f], query->demangle, scratch);
}

/* Compares one batch lookup with single lookups. Returns the number of frames. */
static size_t compare(const framemap_index *index, framemap_query query, const uint64_t *positions, size_t count)
{
    framemap_scratch *many = NULL, *alone = NULL, *one = NULL;
    framemap_location_list list, single;
    framemap_error error = {0};
    must_ok(framemap_scratch_create(NULL, &many, &error), &error);
    must_ok(framemap_scratch_create(NULL, &alone, &error), &error);
    must_ok(framemap_scratch_create(NULL, &one, &error), &error);
    must_ok(framemap_index_lookup_many(index, &query, positions, count, many, &list, &error), &error);
    assert_int_equal(list.chain_count, count);
    for (size_t i = 0; i < count; i++) {
        framemap_frame frame;
        query.position = positions[i];
        must_ok(framemap_resolve(index, &query, one, &frame, &error), &error);
        must_ok(framemap_index_lookup_many(index, &query, &positions[i], 1, alone, &single, &error), &error);
        assert_int_equal(single.chain_count, 1);
        assert_int_equal(single.location_count, frame.restored.count);
        assert_same_answer(&single, 0, &query, &frame, one);
        /* the scratch was used again for demangling names, so the query is repeated */
        must_ok(framemap_resolve(index, &query, one, &frame, &error), &error);
        assert_same_answer(&list, i, &query, &frame, one);
    }
    const size_t frames = list.location_count;
    framemap_scratch_free(many);
    framemap_scratch_free(alone);
    framemap_scratch_free(one);
    return frames;
}

/* Lists every address of a section, with the bytes before and after it; if there are more than MOST, addresses spread
 * over the section. */
static size_t spread(uint64_t begin, uint64_t size, uint64_t *positions)
{
    const uint64_t step = size / (MOST - 16) + 1;
    size_t count = 0;
    for (uint64_t at = begin > 4 ? begin - 4 : 0; at < begin + size + 4 && count < MOST; at += step)
        positions[count++] = at;
    return count;
}

static size_t compare_section(const framemap_index *index, const framemap_section_info *section, uint64_t *positions)
{
    static const struct {
        framemap_demangle demangle;
        bool return_address;
    } ways[] = {{FRAMEMAP_DEMANGLE_DEFAULT, false}, {FRAMEMAP_DEMANGLE_NONE, true}, {FRAMEMAP_DEMANGLE_GNU, false}};
    const size_t count = spread(section->address, section->size, positions);
    size_t frames = 0;
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.demangle = ways[i].demangle;
        query.return_address = ways[i].return_address;
        query.address_kind = section->address ? FRAMEMAP_ADDRESS_LINKED : FRAMEMAP_ADDRESS_NONE;
        if (section->address == 0) query.scope = section->name; /* in a relocatable file, each section is a scope */
        frames += compare(index, query, positions, count);
    }
    return frames;
}

/* Returns the position in a section at which a lookup gives the most frames. */
static uint64_t deepest_place(const framemap_index *index, const framemap_section_info *section, uint64_t *positions,
                              size_t *frames)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_scratch *scratch = NULL;
    framemap_location_list list;
    framemap_error error = {0};
    uint64_t deepest = 0;
    *frames = 0;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    must_ok(framemap_scratch_create(NULL, &scratch, &error), &error);
    const size_t count = spread(section->address, section->size, positions);
    must_ok(framemap_index_lookup_many(index, &query, positions, count, scratch, &list, &error), &error);
    for (size_t i = 0; i < count; i++)
        if (list.chains[i].count > *frames) {
            *frames = list.chains[i].count;
            deepest = positions[i];
        }
    framemap_scratch_free(scratch);
    return deepest;
}

/* Number of batches of a critical size: the last answer fills the memory for frames exactly. */
static size_t just_full;

static void fill_to_the_last(const framemap_index *index, const framemap_section_info *section, uint64_t *positions)
{
    enum { TIMES = 24 };
    size_t frames;
    const uint64_t deepest = deepest_place(index, section, positions, &frames);
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    for (size_t i = 0; i < TIMES; i++) positions[i] = deepest;
    for (size_t count = 2; count <= TIMES && frames > 2; count++) {
        assert_int_equal(compare(index, query, positions, count), frames * count);
        /* At first, the frame buffer has room for a little more than two frames for each position. */
        just_full += (2 * count + 1) % frames == 0;
    }
}

static size_t compare_file(const char *path, const char *name)
{
    const framemap_str bytes = corpus_read(path);
    framemap_section_info sections[512];
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    framemap_error error = {0};
    uint64_t *positions = calloc(MOST, sizeof *positions);
    size_t count = 0, frames = 0;
    assert_non_null(positions);
    const framemap_status status = framemap_index_build(bytes, framemap_str_of(name), NULL, &built, &error);
    if (status == FRAMEMAP_OK) {
        must_ok(framemap_index_open(framemap_bytes_str(&built), NULL, &index, &error), &error);
        must_ok(framemap_file_sections(bytes, NULL, sections, COUNT_OF(sections), &count, &error), &error);
        for (size_t i = 0; i < count && i < COUNT_OF(sections); i++)
            if (sections[i].code) {
                frames += compare_section(index, &sections[i], positions);
                if (sections[i].address != 0) fill_to_the_last(index, &sections[i], positions);
            }
        framemap_index_close(index);
        framemap_bytes_free(&built);
    }
    free(positions);
    corpus_free(bytes);
    return frames;
}

static void all_of_the_corpus(void **state)
{
    (void)state;
    assert_true(corpus_count_native(compare_file) > 30);
    assert_true(same_names > 1000);
    assert_true(just_full > 10);
}

/* Tests debug info of Dart, which has functions that the compiler generated, and no code sections. */
static void of_dart(void **state)
{
    (void)state;
    const framemap_str bytes = corpus_read(CORPUS "dart/app.x64-3.10.symbols");
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    framemap_error error = {0};
    uint64_t *positions = calloc(MOST, sizeof *positions);
    assert_non_null(positions);
    must_ok(framemap_index_build(bytes, FM_STR("app.symbols"), NULL, &built, &error), &error);
    must_ok(framemap_index_open(framemap_bytes_str(&built), NULL, &index, &error), &error);
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.address_kind = FRAMEMAP_ADDRESS_IMAGE;
    assert_true(compare(index, query, positions, spread(0, (uint64_t)1 << 20, positions)) > 0);
    framemap_index_close(index);
    framemap_bytes_free(&built);
    free(positions);
    corpus_free(bytes);
}

/* Tests an index of the first format version, with uncompressed names, alternatives and names of locations. */
static void of_an_earlier_version(void **state)
{
    (void)state;
    framemap_index *index = NULL;
    framemap_error error = {0};
    uint64_t positions[5000];
    must_ok(framemap_index_open_file(CORPUS "index/good-v1-native.fmx", NULL, &index, &error), &error);
    for (size_t i = 0; i < COUNT_OF(positions); i++) positions[i] = 8 * i;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    assert_true(compare(index, query, positions, COUNT_OF(positions)) > 0);
    framemap_index_close(index);
}

/* --- testing positions outside the index, and calls that are refused --- */

static const struct made_image image = {
    .name = "libapp.so", .id = "0123456789abcdef", .arch = "arm64", .functions = {"_Z5outerv", "plain"}};

static void places_that_can_not_be(void **state)
{
    (void)state;
    static const uint64_t positions[] = {0,          MADE_BASE - 1,     MADE_BASE,        MADE_BASE + 0x100,
                                         UINT64_MAX, MADE_BASE + 0x120, MADE_BASE + 0x120};
    framemap_bytes bytes = make_index(&image);
    framemap_index *index = NULL;
    framemap_error error = {0};
    must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    assert_int_equal(compare(index, query, positions, COUNT_OF(positions)), 5);
    query.return_address = true;
    assert_int_equal(compare(index, query, positions, COUNT_OF(positions)), 2);
    assert_int_equal(compare(index, query, positions, 0), 0);
    query.scope = FM_STR("no such scope");
    assert_int_equal(compare(index, query, positions, COUNT_OF(positions)), 0);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
}

static void what_is_refused(void **state)
{
    (void)state;
    static const char *const others[] = {CORPUS "index/good-v1-mapping.fmx", CORPUS "index/good-v1-segments.fmx"};
    framemap_scratch *scratch = NULL;
    framemap_location_list list = {.chain_count = 77};
    framemap_error error = {0};
    framemap_query query = FRAMEMAP_QUERY_INIT;
    const uint64_t position = 1;
    must_ok(framemap_scratch_create(NULL, &scratch, &error), &error);
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        framemap_index *index = NULL;
        must_ok(framemap_index_open_file(others[i], NULL, &index, &error), &error);
        assert_int_equal(framemap_index_lookup_many(index, &query, &position, 1, scratch, &list, &error),
                         FRAMEMAP_E_UNSUPPORTED);
        framemap_index_close(index);
    }
    framemap_bytes bytes = make_index(&image);
    framemap_index *index = NULL;
    must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
    assert_int_equal(framemap_index_lookup_many(NULL, &query, &position, 1, scratch, &list, &error),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_lookup_many(index, NULL, &position, 1, scratch, &list, &error),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_lookup_many(index, &query, NULL, 1, scratch, &list, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_lookup_many(index, &query, &position, 1, NULL, &list, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_lookup_many(index, &query, &position, 1, scratch, NULL, &error),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_lookup_many(index, &query, &position, (size_t)1 << 21, scratch, &list, &error),
                     FRAMEMAP_E_LIMIT);
    query.size = 3;
    assert_int_equal(framemap_index_lookup_many(index, &query, &position, 1, scratch, &list, &error),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(list.chain_count, 77); /* the list is written on success only, so its members are unchanged */
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
    framemap_scratch_free(scratch);
}

/* --- testing the use of memory --- */

enum { ASKED = 500 };

/* Looks up so many positions that the list of frames, whose initial capacity is much smaller, is reallocated. */
static bool ask_many(const framemap_allocator *allocator, void *context)
{
    const framemap_index *index = context;
    uint64_t positions[ASKED];
    framemap_scratch *scratch = NULL;
    framemap_location_list list;
    framemap_error error = {0};
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    for (size_t i = 0; i < ASKED; i++) positions[i] = 0x120;
    framemap_status status = framemap_scratch_create(allocator, &scratch, &error);
    if (status == FRAMEMAP_OK)
        status = framemap_index_lookup_many(index, &query, positions, ASKED, scratch, &list, &error);
    if (status == FRAMEMAP_OK) {
        assert_int_equal(list.location_count, 2 * ASKED);
        assert_str(list.locations[2 * ASKED - 1].function, "_Z5outerv");
        assert_str(list.locations[2 * ASKED - 1].file, "src/libapp.so.c");
        status = framemap_index_lookup_many(index, &query, positions, 1, scratch, &list, &error);
    }
    if (status == FRAMEMAP_OK) assert_int_equal(list.location_count, 2);
    framemap_scratch_free(scratch);
    assert_true(status == FRAMEMAP_OK || error.code == FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void warm_calls_take_no_memory(void **state)
{
    (void)state;
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    framemap_bytes bytes = make_index(&image);
    framemap_index *index = NULL;
    framemap_scratch *scratch = NULL;
    framemap_location_list list;
    framemap_error error = {0};
    uint64_t positions[ASKED];
    for (size_t i = 0; i < ASKED; i++) positions[i] = 0x100 + i % 0x40;
    must_ok(framemap_index_open(framemap_bytes_str(&bytes), &allocator, &index, &error), &error);
    must_ok(framemap_scratch_create(&allocator, &scratch, &error), &error);
    framemap_query query = FRAMEMAP_QUERY_INIT;
    size_t requests = 0;
    for (unsigned i = 0; i < 4; i++) {
        must_ok(framemap_index_lookup_many(index, &query, positions, ASKED, scratch, &list, &error), &error);
        if (i == 2) requests = failing.requests;
    }
    assert_int_equal(failing.requests, requests);
    framemap_scratch_free(scratch);
    assert_true(sweep_allocations(ask_many, index) > 1);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
    assert_int_equal(failing.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_the_corpus),     cmocka_unit_test(of_dart),
        cmocka_unit_test(of_an_earlier_version), cmocka_unit_test(places_that_can_not_be),
        cmocka_unit_test(what_is_refused),       cmocka_unit_test(warm_calls_take_no_memory),
    };
    return cmocka_run_group_tests_name("lookup_many", tests, NULL, NULL);
}
