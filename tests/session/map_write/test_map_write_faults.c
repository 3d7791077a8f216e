/* Tests source maps that cannot be written: invalid arguments, lack of memory, damaged indexes. */
#include "core/text/buffer.h"
#include "tests/session/map_write/map_write_help.h"

/* --- testing calls that must be refused --- */

struct bad_row {
    const char *name, *map;
    struct step steps[MOST_STEPS];
    framemap_status status;
    const char *words; /* part of the message */
};

static const struct bad_row bad_rows[] = {
    {"two sources and no word of either",
     V "\"sources\":[\"a.js\",\"b.js\"],\"mappings\":\"AAAA\"}",
     {{"c.map", MID, NULL}},
     FRAMEMAP_E_MISMATCH,
     "which source"},
    {"two sources that are called so",
     V "\"sources\":[\"1/a.js\",\"2/a.js\"],\"mappings\":\"AAAA\"}",
     {{"c.map", MID, "a.js"}},
     FRAMEMAP_E_ARGUMENT,
     "several sources match 'a.js'"},
    {"a source that is not there",
     V "\"sources\":[\"a.js\"],\"mappings\":\"AAAA\"}",
     {{"c.map", MID, "b.js"}},
     FRAMEMAP_E_ARGUMENT,
     "no later map has an unclaimed source 'b.js'"},
    {"a source of a map that comes later",
     V "\"sources\":[\"mid.js\"],\"mappings\":\"AAAA\"}",
     {{"x.map", MID, "a.ts"}, {"y.map", MID, "mid.js"}},
     FRAMEMAP_E_ARGUMENT,
     "no later map has an unclaimed source 'a.ts'"},
    {"more maps than sources",
     V "\"sources\":[\"mid.js\"],\"mappings\":\"AAAA\"}",
     {{"x.map", V "\"sources\":[],\"mappings\":\"\"}", NULL}, {"y.map", MID, NULL}},
     FRAMEMAP_E_MISMATCH,
     "no source of the later maps is left"},
    {"segments of React Native",
     V "\"sources\":[\"a\"],\"mappings\":\"AAAA\",\"x_facebook_segments\":{\"1\":" V
       "\"sources\":[],\"mappings\":\"\"}}}",
     {{NULL, NULL, NULL}},
     FRAMEMAP_E_UNSUPPORTED,
     "several segments"},
    {"a section so far down that the lines before it are a text of their own",
     V "\"sections\":[{\"offset\":{\"line\":4000000000,\"column\":0},\"map\":" V
       "\"sources\":[\"a\"],\"mappings\":\"AAAA\"}}]}",
     {{NULL, NULL, NULL}},
     FRAMEMAP_E_LIMIT,
     "line 4000000001"},
    {"a column that no number of a map can tell",
     V "\"sections\":[{\"offset\":{\"line\":0,\"column\":4000000000},\"map\":" V
       "\"sources\":[\"a\"],\"mappings\":\"AAAA\"}}]}",
     {{NULL, NULL, NULL}},
     FRAMEMAP_E_LIMIT,
     "2^31"},
};

static void refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad_rows); i++) {
        const struct bad_row *row = &bad_rows[i];
        struct written out;
        convert(&out, "later.map", row->map, row->steps);
        if (out.status != row->status || strstr(out.error.message, row->words) == NULL)
            fail_msg("%s: %d %s: %s", row->name, (int)out.status, out.error.where, out.error.message);
        if (row->steps[0].map) assert_true(out.error.where[0] != 0);
        fm_buf_free(&out.text);
    }
}

static bool refuse(void *context, const char *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return false;
}

static void arguments(void **state)
{
    (void)state;
    struct opened map = open_map("m.map", MID, true);
    const framemap_map_step none = {.map = NULL};
    framemap_sourcemap_options options = {.size = sizeof options, .steps = &none, .step_count = 1};
    framemap_index *native = NULL;
    framemap_error error;
    assert_int_equal(framemap_sourcemap_write(NULL, NULL, take, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sourcemap_write(map.index, NULL, NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sourcemap_write(map.index, &options, refuse, NULL, &error), FRAMEMAP_E_ARGUMENT);
    options.steps = NULL;
    assert_int_equal(framemap_sourcemap_write(map.index, &options, refuse, NULL, &error), FRAMEMAP_E_ARGUMENT);
    options.step_count = 5000;
    options.steps = &none;
    assert_int_equal(framemap_sourcemap_write(map.index, &options, refuse, NULL, &error), FRAMEMAP_E_ARGUMENT);
    options.size = 1;
    assert_int_equal(framemap_sourcemap_write(map.index, &options, refuse, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sourcemap_write(map.index, NULL, refuse, NULL, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_index_open_file(FM_SOURCE_DIR "/corpus/index/good-v1-native.fmx", NULL, &native, &error),
                     FRAMEMAP_OK);
    assert_int_equal(framemap_sourcemap_write(native, NULL, refuse, NULL, &error), FRAMEMAP_E_ARGUMENT);
    framemap_index_close(native);
    close_map(&map);
}

struct warnings {
    unsigned count;
    framemap_error last;
};

static void count_warning(void *context, const framemap_error *warning)
{
    struct warnings *warnings = context;
    warnings->count++;
    warnings->last = *warning;
}

/* A warning is given if positions were looked up in the map of an earlier step, and none of them was found. */
static void strangers(void **state)
{
    (void)state;
    static const struct {
        const char *name, *map;
        unsigned warnings;
    } rows[] = {{"none is known", V "\"sources\":[\"mid.js\"],\"mappings\":\"AAUA,CAAC\"}", 1},
                {"one is", V "\"sources\":[\"mid.js\"],\"mappings\":\"AAUA,CAVA\"}", 0},
                {"none is queried", V "\"sources\":[\"mid.js\"],\"mappings\":\"A\"}", 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct opened map = open_map("o.map", rows[i].map, false), earlier = open_map("mid.js.map", MID, true);
        struct warnings warnings = {.count = 0};
        struct fm_heap heap;
        struct fm_buf out;
        const framemap_map_step step = {.map = earlier.index};
        const framemap_sourcemap_options options = {
            .size = sizeof options, .steps = &step, .step_count = 1, .warning = count_warning, .context = &warnings};
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&out, &heap);
        assert_int_equal(framemap_sourcemap_write(map.index, &options, take, &out, NULL), FRAMEMAP_OK);
        if (warnings.count != rows[i].warnings) fail_msg("%s: %u warnings", rows[i].name, warnings.count);
        if (warnings.count > 0)
            assert_true(strstr(warnings.last.message, "none of the 2 positions") &&
                        strcmp(warnings.last.where, "mid.js.map") == 0);
        fm_buf_free(&out);
        close_map(&earlier);
        close_map(&map);
    }
}

/* --- memory --- */

/* a map with every member that can be written */
#define RICH                                                                                                          \
    V "\"file\":\"o.js\",\"debugId\":\"85314830-023f-4cf1-a267-535f4e37bb17\",\"sources\":[\"mid.js\",\"./"           \
      "x.js\",null],\"sourcesContent\":[\"m\",null,\"n\"],"                                                           \
      "\"names\":[\"l\"],\"mappings\":\"AAAAA,IAAU,ICKV;;ICAA,I\",\"ignoreList\":[1],\"x_hermes_function_offsets\":{" \
      "\"0\":[0,9]},"                                                                                                 \
      "\"x_facebook_offsets\":[0,null],\"rangeMappings\":\"B\",\"x_facebook_sources\":[[{\"names\":[\"f\",\"g\"],"    \
      "\"mappings\":\"AAA,EC;"                                                                                        \
      "AAC\"}]]}"

#define SCOPED                                                                                \
    V "\"sources\":[\"mid.js\",\"b.js\"],\"names\":[\"f\"],\"mappings\":\"AAAAA,IAAU;ACKV\"," \
      "\"scopes\":\"BAAA,BFAAA,CAA,BFAAA,CFA,CAA,BFAAA,CAA,EGAC,ECCC,IABC,FC,FC\"}"
static const char *const rich[] = {RICH, SCOPED};

struct sweep {
    struct opened map, earlier;
    bool composes;
};

static bool write_once(const framemap_allocator *allocator, void *context)
{
    const struct sweep *sweep = context;
    const framemap_map_step step = {.map = sweep->earlier.index};
    const framemap_sourcemap_options options = {
        .size = sizeof options, .allocator = allocator, .steps = &step, .step_count = sweep->composes ? 1 : 0};
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    const framemap_status status = framemap_sourcemap_write(sweep->map.index, &options, take, &out, NULL);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    fm_buf_free(&out);
    return status == FRAMEMAP_OK;
}

static void memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(rich); i++) {
        struct sweep sweep = {.map = open_map("o.map", rich[i / 2], false),
                              .earlier = open_map("mid.js.map", rich[i / 2], false),
                              .composes = i % 2};
        const size_t requests = sweep_allocations(write_once, &sweep);
        print_message("map %zu, %s: %zu requests\n", i / 2, i % 2 ? "composed" : "flat", requests);
        assert_between(requests, 1, 60);
        close_map(&sweep.map);
        close_map(&sweep.earlier);
    }
}

/* --- testing damaged indexes --- */

static bool count_bytes(void *context, const char *data, size_t size)
{
    (void)data;
    size_t *left = context;
    if (*left < size) return false;
    *left -= size;
    return true;
}

/* Checks that writing a map from a damaged index ends, with a map or with an error. */
static void write_damaged(framemap_str bytes, const framemap_index *whole)
{
    framemap_index *index = NULL;
    if (framemap_index_open(bytes, NULL, &index, NULL) != FRAMEMAP_OK) return;
    for (unsigned way = 0; way < 3; way++) {
        const framemap_map_step step = {.map = way == 2 ? index : whole, .source = FM_STR("mid.js")};
        const framemap_sourcemap_options options = {
            .size = sizeof options, .max_memory = (uint64_t)64 << 20, .steps = &step, .step_count = way > 0 ? 1 : 0};
        size_t left = (size_t)1 << 20;
        framemap_error error = {.code = FRAMEMAP_OK};
        const framemap_status status =
            framemap_sourcemap_write(way == 2 ? whole : index, &options, count_bytes, &left, &error);
        assert_true(status == FRAMEMAP_OK || error.message[0] != 0);
    }
    framemap_index_close(index);
}

static void damage(const char *text)
{
    struct opened map = open_map("mid.js.map", text, false);
    const framemap_str whole = framemap_bytes_str(&map.bytes);
    char *copy = malloc(whole.size);
    assert_non_null(copy);
    for (size_t size = 0; size < whole.size; size++) write_damaged((framemap_str){whole.data, size}, map.index);
    for (size_t at = 0; at < whole.size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            memcpy(copy, whole.data, whole.size);
            copy[at] = (char)(copy[at] ^ 1 << bit);
            write_damaged((framemap_str){copy, whole.size}, map.index);
        }
    free(copy);
    close_map(&map);
}

static void damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rich); i++) damage(rich[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(arguments),
                                       cmocka_unit_test(strangers), cmocka_unit_test(memory),
                                       cmocka_unit_test(damaged)};
    return cmocka_run_group_tests_name("convert faults", tests, NULL, NULL);
}
