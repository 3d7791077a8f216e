/* Tests profiles that are made to be expensive: many messages of pprof with one id, few messages that all samples
 * refer to, data that inflate to a large size, and lines without an end. */
#include "tests/testing.h"

#include "core/gzip.h"
#include "core/wire.h"
#include <framemap/framemap.h>

static struct fm_heap heap;

static void new_buf(struct fm_buf *buf)
{
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(buf, &heap);
}

static framemap_sample_set *open_set(void)
{
    framemap_sample_set *set = NULL;
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    return set;
}

/* --- testing hostile files of pprof --- */

enum { SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING = 6 };

/* Writes a message of one field, or of two. */
static void put_message(struct fm_buf *out, unsigned kind, unsigned field, uint64_t value, framemap_str rest)
{
    struct fm_buf message;
    new_buf(&message);
    fm_wire_put_number(&message, field, value);
    fm_buf_str(&message, rest);
    fm_wire_put_bytes(out, kind, fm_buf_view(&message));
    fm_buf_free(&message);
}

/* Writes the tables of a profile whose string 2 is the given one. */
static void put_strings(struct fm_buf *out, framemap_str second)
{
    fm_wire_put_bytes(out, STRING, fm_str("", 0));
    fm_wire_put_bytes(out, STRING, FM_STR("cpu"));
    fm_wire_put_bytes(out, STRING, second);
    put_message(out, SAMPLE_TYPE, 1, 1, fm_str("", 0));
}

/* Reads a profile and returns the number of its samples. No time is measured: if the reader's time were quadratic, each
 * of these profiles would exceed ctest's time limit. */
static uint32_t count_samples(struct fm_buf *profile, const char *format)
{
    framemap_sample_counts counts;
    framemap_sample_set *set = open_set();
    assert_false(profile->failed);
    assert_int_equal(framemap_sample_set_read(set, fm_buf_view(profile), format, NULL), FRAMEMAP_OK);
    framemap_sample_set_counts(set, &counts);
    framemap_sample_set_close(set);
    fm_buf_free(profile);
    return counts.samples;
}

static uint32_t count_pprof(struct fm_buf *profile) { return count_samples(profile, "pprof"); }

static void test_equal_ids(void **state)
{
    (void)state;
    struct fm_buf profile;
    new_buf(&profile);
    put_strings(&profile, FM_STR("f"));
    put_message(&profile, FUNCTION, 1, 1, FM_STR("\x10\x02"));
    for (unsigned i = 0; i < 500000; i++) put_message(&profile, LOCATION, 1, 7, FM_STR("\x22\x02\x08\x01"));
    put_message(&profile, SAMPLE, 1, 7, FM_STR("\x10\x01"));
    assert_int_equal(count_pprof(&profile), 1);
}

/* Tests 60,000 labels and functions that all refer to one text of a megabyte. */
static void test_long_string(void **state)
{
    (void)state;
    struct fm_buf profile, name;
    new_buf(&profile);
    new_buf(&name);
    for (unsigned i = 0; i < 1u << 20; i++) fm_buf_byte(&name, 'x');
    put_strings(&profile, fm_buf_view(&name));
    for (unsigned i = 1; i <= 60000; i++) {
        put_message(&profile, FUNCTION, 1, i, FM_STR("\x10\x02"));
        put_message(&profile, SAMPLE, 2, i, FM_STR("\x1a\x04\x08\x01\x10\x02"));
    }
    assert_int_equal(count_pprof(&profile), 1); /* all samples are equal, so they are merged into one */
    fm_buf_free(&name);
}

/* Tests a location of 100,000 inlined functions in 20,000 samples. */
static void test_long_location(void **state)
{
    (void)state;
    struct fm_buf profile, lines;
    new_buf(&profile);
    new_buf(&lines);
    put_strings(&profile, FM_STR("f"));
    put_message(&profile, FUNCTION, 1, 1, FM_STR("\x10\x02"));
    for (unsigned i = 0; i < 100000; i++) fm_buf_str(&lines, FM_STR("\x22\x02\x08\x01"));
    put_message(&profile, LOCATION, 1, 7, fm_buf_view(&lines));
    for (unsigned i = 0; i < 20000; i++) put_message(&profile, SAMPLE, 1, 7, FM_STR("\x10\x01"));
    assert_int_equal(count_pprof(&profile), 1);
    fm_buf_free(&lines);
}

/* --- testing hostile files of JSON --- */

static void repeat(struct fm_buf *out, unsigned count, const char *text)
{
    for (unsigned i = 0; i < count; i++) {
        if (i) fm_buf_byte(out, ',');
        fm_buf_str(out, framemap_str_of(text));
    }
}

/* Tests many images, strings and threads, each with tables and an address. */
static void test_many_images(void **state)
{
    (void)state;
    struct fm_buf profile;
    new_buf(&profile);
    fm_buf_str(&profile, FM_STR("{\"meta\":{},\"libs\":["));
    repeat(&profile, 60000, "{\"path\":\"/x\",\"start\":1,\"end\":2}");
    fm_buf_str(&profile, FM_STR("],\"shared\":{\"stringArray\":["));
    repeat(&profile, 60000, "\"0x7\"");
    fm_buf_str(&profile, FM_STR("]},\"threads\":["));
    repeat(&profile, 60000,
           "{\"samples\":{\"stack\":[0]},\"stackTable\":{\"frame\":[0]},\"frameTable\":{\"location\":[0]}}");
    fm_buf_str(&profile, FM_STR("]}"));
    assert_int_equal(count_samples(&profile, "firefox-profile"), 1);
}

/* Tests nodes that name each other as children, and a long chain of parents with samples at each of its nodes. */
static void test_many_parents(void **state)
{
    (void)state;
    struct fm_buf profile;
    new_buf(&profile);
    fm_buf_str(&profile, FM_STR("{\"nodes\":["));
    for (unsigned i = 0; i < 100000; i++)
        fm_buf_printf(&profile, "%s{\"id\":%u,\"parent\":%u,\"callFrame\":{},\"children\":[1,2,3]}", i ? "," : "", i,
                      i + 1);
    fm_buf_str(&profile, FM_STR("],\"samples\":[0"));
    for (unsigned i = 1; i < 100000; i++) fm_buf_printf(&profile, ",%u", i);
    fm_buf_str(&profile, FM_STR("]}"));
    assert_true(count_samples(&profile, "v8-cpuprofile") >= 99990);
}

/* Tests events that start at the same time, which are nested by their durations, and end events without a start. */
static void test_events_together(void **state)
{
    (void)state;
    struct fm_buf trace;
    new_buf(&trace);
    fm_buf_str(&trace, FM_STR("{\"framemap\":{},\"traceEvents\":["));
    for (unsigned i = 0; i < 200000; i++)
        fm_buf_printf(&trace,
                      "{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":%u},{\"ph\":\"E\",\"name\":\"b\",\"ts\":0},", i);
    fm_buf_str(&trace, FM_STR("{\"ph\":\"B\",\"name\":\"a\",\"ts\":0}]}"));
    assert_true(count_samples(&trace, "chrome-trace") >= 1);
}

/* --- testing hostile compressed files --- */

/* Reads compressed folded stacks with a single function, g. Returns how often g was sampled, or minus the error
 * code. */
static int64_t read_compressed(framemap_str data, uint64_t ceiling, framemap_error *error)
{
    const framemap_sample_options options = {.size = sizeof options, .max_memory = ceiling};
    framemap_sample_set *set = NULL;
    framemap_sample sample = {.values = NULL};
    assert_int_equal(framemap_sample_set_open(&options, &set, NULL), FRAMEMAP_OK);
    const framemap_status status = framemap_sample_set_read(set, data, NULL, error);
    const bool found = framemap_sample_set_sample(set, 0, &sample);
    const int64_t result = status ? -(int64_t)status : found ? sample.values[0] : 0;
    framemap_sample_set_close(set);
    return result;
}

static void test_compressed(void **state)
{
    (void)state;
    static const char zstd[] = "\x28\xb5\x2f\xfd\x20\x06\x31\0\0f;g 3\n";
    framemap_error error = {0};
    struct fm_buf data;
    new_buf(&data);
    assert_true(fm_gzip(FM_STR("f;g 3\n"), &data));
    assert_int_equal(read_compressed(fm_str_slice(fm_buf_view(&data), 0, data.size - 1), 0, &error),
                     -FRAMEMAP_E_TRUNCATED);
    assert_true(fm_gzip(FM_STR("f;g 4\n"), &data));
    assert_int_equal(read_compressed(fm_buf_view(&data), 0, &error), 7);
    for (unsigned i = 0; i < 512; i++) fm_buf_byte(&data, '\0'); /* padding after the compressed data, as tar adds it */
    assert_int_equal(read_compressed(fm_buf_view(&data), 0, &error), 7);
    assert_int_equal(read_compressed(fm_str(zstd, sizeof zstd - 1), 0, &error), 3);
    fm_buf_free(&data);
}

static void test_bomb(void **state)
{
    (void)state;
    framemap_error error = {0};
    struct fm_buf plain, data;
    new_buf(&plain);
    new_buf(&data);
    while (plain.size <= (size_t)65 << 20) fm_buf_str(&plain, FM_STR("f;g 3\n"));
    assert_true(fm_gzip(fm_buf_view(&plain), &data));
    assert_int_equal(read_compressed(fm_buf_view(&data), 0, &error), -FRAMEMAP_E_LIMIT);
    assert_int_equal(read_compressed(fm_buf_view(&data), (uint64_t)8 << 20, &error), -FRAMEMAP_E_MEMORY);
    assert_non_null(strstr(error.message, "over-memory"));
    fm_buf_free(&plain);
    fm_buf_free(&data);
}

/* --- testing hostile texts that are read by lines --- */

/* If a line is too long, the rest of it is not read as a line of its own. */
static void test_endless_line(void **state)
{
    (void)state;
    enum { PIECE = 1 << 20, PIECES = 17 };
    framemap_sample_set *set = open_set();
    framemap_sample_counts counts;
    char *piece = malloc(PIECE);
    assert_non_null(piece);
    memset(piece, 'x', PIECE);
    for (unsigned i = 0; i < 20000; i++)
        assert_int_equal(framemap_sample_set_feed(set, FM_STR("f;g 1\n"), NULL, NULL), FRAMEMAP_OK);
    for (unsigned i = 0; i < PIECES; i++)
        assert_int_equal(framemap_sample_set_feed(set, fm_str(piece, PIECE), NULL, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_feed(set, FM_STR(";tail 7"), NULL, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_finish(set, NULL, NULL), FRAMEMAP_OK);
    framemap_sample_set_counts(set, &counts);
    assert_int_equal(counts.samples, 1);
    framemap_sample_set_close(set);
    free(piece);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_ids),   cmocka_unit_test(test_long_string),  cmocka_unit_test(test_long_location),
        cmocka_unit_test(test_many_images), cmocka_unit_test(test_many_parents), cmocka_unit_test(test_events_together),
        cmocka_unit_test(test_compressed),  cmocka_unit_test(test_bomb),         cmocka_unit_test(test_endless_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
