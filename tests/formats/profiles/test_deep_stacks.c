/* Tests profiles with very deep stacks, in formats that repeat the frames of each sample. The output must be nearly
 * proportional to the set in size, or the profile is refused before anything is written. */
#include "formats/profiles/profile_format.h"
#include "tests/formats/profiles/sample_text.h"

#define DEEP 16000 /* number of frames of the deepest stack */
/* number of samples; if a pprof profile had all frames of each stack, it would be larger than a gigabyte */
#define ROWS 20000u

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

/* The nodes that have the samples of a set: every node of one chain; only the last node of a chain; or alternately the
 * last nodes of two chains. */
enum shape { EACH, LAST, TWO };

static uint32_t chain(framemap_sample_set *set, uint32_t node, framemap_str name, uint32_t *nodes)
{
    const struct fm_sample_frame frame = {.function = fm_samples_string(set, name)};
    const uint32_t number = fm_samples_frame(set, &frame);
    for (size_t i = 0; i < DEEP; i++) nodes[i] = node = fm_samples_node(set, node, number);
    return node;
}

static framemap_sample_set *deep_set(enum shape shape, uint32_t rows, size_t name_size)
{
    static uint32_t nodes[DEEP], other[DEEP];
    framemap_sample_set *set = NULL;
    char *name = calloc(1, name_size);
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    assert_non_null(name);
    memset(name, 'f', name_size);
    chain(set, FM_NO_ID, fm_str(name, name_size), nodes);
    if (shape == TWO) chain(set, FM_NO_ID, FM_STR("other"), other);
    const uint32_t column = fm_samples_column(set, FM_STR("samples"), FM_STR("count"));
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t at = shape == EACH ? i % DEEP : DEEP - 1;
        const struct fm_sample_entry row = {i, shape == TWO && i % 2 ? other[at] : nodes[at], FM_NO_ID, FM_NO_ID};
        fm_samples_one(set, &row, column, 1);
    }
    free(name);
    assert_int_equal(set->fault, FRAMEMAP_OK);
    return set;
}

static int64_t total_of(const framemap_sample_set *set)
{
    int64_t total = 0;
    for (size_t i = 0; i < set->row.count; i++) total += fm_samples_value(set, i, 0);
    return total;
}

static void check_written(framemap_str text, const char *format, int64_t total)
{
    framemap_sample_set *again = NULL;
    assert_int_equal(framemap_sample_set_open(NULL, &again, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_read(again, text, format, NULL), FRAMEMAP_OK);
    assert_int_equal(total_of(again), total);
    framemap_sample_set_close(again);
}

static void test_deep_stacks(void **state)
{
    static const struct {
        const char *why;
        enum shape shape;
        uint32_t rows;
        size_t name_size;
        const char *format;
        framemap_status status;
        bool loses_times;
    } cases[] = {
        {"a chain with a sample in each node", EACH, ROWS, 30, "pprof", FRAMEMAP_E_LIMIT, false},
        {"the same", EACH, ROWS, 30, "speedscope", FRAMEMAP_E_LIMIT, true},
        {"the same", EACH, ROWS, 30, "folded", FRAMEMAP_E_LIMIT, true},
        {"an event for each frame", EACH, ROWS, 30, "chrome-trace", FRAMEMAP_OK, false},
        {"each stack once", EACH, ROWS, 30, "firefox-profile", FRAMEMAP_OK, false},
        {"each stack once", EACH, ROWS, 30, "flamegraph", FRAMEMAP_OK, true},
        {"equal stacks are added up without times", LAST, ROWS, 30, "pprof", FRAMEMAP_OK, true},
        {"equal stacks are added up", LAST, ROWS, 30, "speedscope", FRAMEMAP_OK, true},
        {"nothing begins or ends", LAST, ROWS, 30, "chrome-trace", FRAMEMAP_OK, false},
        {"all frames end and begin", TWO, ROWS, 30, "chrome-trace", FRAMEMAP_OK, true},
        {"few samples keep their times", LAST, 100, 30, "pprof", FRAMEMAP_OK, false},
        {"a name is written once", LAST, 10, 60000, "pprof", FRAMEMAP_OK, false},
        {"a long name in each node", LAST, 10, 60000, "chrome-trace", FRAMEMAP_E_LIMIT, false},
        {"a long name in each node", LAST, 10, 60000, "flamegraph", FRAMEMAP_E_LIMIT, true},
        {"a long name in one line", LAST, 10, 60000, "folded", FRAMEMAP_E_LIMIT, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        framemap_sample_set *set = deep_set(cases[i].shape, cases[i].rows, cases[i].name_size);
        framemap_error error;
        uint32_t lost = 0;
        struct fm_buf out;
        fm_buf_init(&out, &set->heap);
        print_message("%s: %s\n", cases[i].format, cases[i].why);
        assert_int_equal(framemap_sample_set_write(set, cases[i].format, gather, &out, &lost, &error), cases[i].status);
        if (cases[i].status == FRAMEMAP_E_LIMIT) {
            assert_int_equal(out.size, 0);
            assert_non_null(strstr(error.message, cases[i].format));
        } else {
            assert_int_equal((lost & FRAMEMAP_PART_TIMES) != 0, cases[i].loses_times);
            assert_true(out.size < (size_t)20 << 20);
            if (strcmp(cases[i].format, "flamegraph") != 0)
                check_written(fm_buf_view(&out), cases[i].format, cases[i].rows);
        }
        fm_buf_free(&out);
        framemap_sample_set_close(set);
    }
}

/* In a flame graph of several processes, each stack is copied only once for each process, even if samples of the
 * processes alternate. */
static void test_processes(void **state)
{
    static uint32_t nodes[DEEP];
    framemap_sample_set *set = NULL;
    struct fm_buf out;
    (void)state;
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    chain(set, FM_NO_ID, FM_STR("f"), nodes);
    const uint32_t column = fm_samples_column(set, FM_STR("samples"), FM_STR("count"));
    for (uint32_t i = 0; i < 200000; i++) { /* if all frames were written, there would be 3 * 10^9 */
        const struct fm_sample_thread thread = {.process = fm_samples_string(set, i % 2 ? FM_STR("p") : FM_STR("q"))};
        const struct fm_sample_entry row = {i, nodes[DEEP - 1], fm_samples_thread(set, &thread), FM_NO_ID};
        fm_samples_one(set, &row, column, 1);
    }
    fm_buf_init(&out, &set->heap);
    assert_int_equal(framemap_sample_set_write(set, "flamegraph", gather, &out, NULL, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_str_find(fm_buf_view(&out), FM_STR(" (100000 samples, 50%)")) != FM_NOT_FOUND, true);
    fm_buf_free(&out);
    framemap_sample_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_deep_stacks), cmocka_unit_test(test_processes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
