/* Tests pprof's profiles: the kinds of weights, labels, and older forms. */
#include "tests/formats/profiles/sample_text.h"

#include "core/archive/inflate_input.h"
#include "core/wire.h"

enum { SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING = 6, DEFAULT_TYPE = 14 };

static struct fm_heap heap;

static void new_buf(struct fm_buf *buf)
{
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(buf, &heap);
}

static void put_pair(struct fm_buf *out, unsigned kind, uint64_t first, uint64_t second)
{
    struct fm_buf message;
    new_buf(&message);
    fm_wire_put_number(&message, 1, first);
    fm_wire_put_number(&message, 2, second);
    fm_wire_put_bytes(out, kind, fm_buf_view(&message));
    fm_buf_free(&message);
}

/* Writes a profile of one sample in the function "f". The sample has the values 1, 2, … for the kinds of weights t1,
 * t2, …. */
static void put_profile(struct fm_buf *out, unsigned types, uint64_t shown)
{
    struct fm_buf message;
    char name[16];
    new_buf(&message);
    fm_wire_put_bytes(out, STRING, fm_str("", 0));
    for (unsigned i = 1; i <= types; i++) {
        const int size = snprintf(name, sizeof name, "t%u", i);
        fm_wire_put_bytes(out, STRING, fm_str(name, (size_t)size));
        put_pair(out, SAMPLE_TYPE, i, types + 1);
    }
    fm_wire_put_bytes(out, STRING, FM_STR("count"));
    fm_wire_put_bytes(out, STRING, FM_STR("f"));
    put_pair(out, FUNCTION, 1, types + 2);
    fm_wire_put_number(&message, 1, 1);
    fm_wire_put_bytes(&message, 4, FM_STR("\x08\x01"));
    fm_wire_put_bytes(out, LOCATION, fm_buf_view(&message));
    fm_buf_clear(&message);
    fm_wire_put_number(&message, 1, 1);
    for (unsigned i = 1; i <= types; i++) fm_wire_put_number(&message, 2, i);
    fm_wire_put_bytes(out, SAMPLE, fm_buf_view(&message));
    if (shown) fm_wire_put_number(out, DEFAULT_TYPE, shown);
    fm_buf_free(&message);
}

static void assert_first_type(framemap_sample_set *set, const char *name, int64_t value)
{
    framemap_sample_type type;
    framemap_sample sample;
    assert_true(framemap_sample_set_type(set, 0, &type));
    assert_true(fm_str_equal(type.type, framemap_str_of(name)));
    assert_true(framemap_sample_set_sample(set, 0, &sample));
    assert_int_equal(sample.values[0], value);
}

/* Writes a compressed profile again, without the field that names the kind of weight to show. */
static void without_default(framemap_str profile, struct fm_buf *out)
{
    struct fm_buf plain;
    struct fm_wire_field field;
    new_buf(&plain);
    assert_int_equal(fm_inflate_whole(profile, 1 << 20, &plain, NULL), FRAMEMAP_OK);
    struct fm_wire wire = fm_wire_of(fm_buf_view(&plain));
    while (fm_wire_next(&wire, &field)) {
        if (field.is_bytes) fm_wire_put_bytes(out, (unsigned)field.number, field.bytes);
        if (!field.is_bytes && field.number != DEFAULT_TYPE)
            fm_wire_put_number(out, (unsigned)field.number, field.value);
    }
    fm_buf_free(&plain);
}

/* A profile that framemap writes is shown with the first kind of weight of the set. This still holds when the profile
 * was read and written again, and for tools that show the last kind. */
static void test_shown(void **state)
{
    (void)state;
    static const struct {
        unsigned types, shown;
        const char *first;
        int64_t value;
    } rows[] = {{1, 0, "t1", 1},   {4, 0, "t4", 4}, {4, 2, "t2", 2},
                {4, 900, "t4", 4}, {4, 5, "t4", 4}, {64, 1, "t1", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fm_buf profile, written, unnamed;
        framemap_sample_counts counts;
        new_buf(&profile);
        new_buf(&written);
        new_buf(&unnamed);
        put_profile(&profile, rows[i].types, rows[i].shown);
        framemap_sample_set *set = read_samples(fm_buf_view(&profile), NULL);
        framemap_sample_set_counts(set, &counts);
        assert_int_equal(counts.types, rows[i].types);
        assert_first_type(set, rows[i].first, rows[i].value);
        assert_int_equal(framemap_sample_set_write(set, "pprof", gather_text, &written, NULL, NULL), FRAMEMAP_OK);
        framemap_sample_set *again = read_samples(fm_buf_view(&written), "pprof");
        assert_first_type(again, rows[i].first, rows[i].value);
        framemap_sample_set_close(again);
        without_default(fm_buf_view(&written), &unnamed);
        again = read_samples(fm_buf_view(&unnamed), "pprof");
        assert_first_type(again, rows[i].first, rows[i].value);
        framemap_sample_set_close(again);
        fm_buf_free(&unnamed);
        framemap_sample_set_close(set);
        fm_buf_free(&written);
        fm_buf_free(&profile);
    }
}

static void test_too_many(void **state)
{
    (void)state;
    struct fm_buf profile;
    framemap_sample_set *set = NULL;
    framemap_error error = {0};
    new_buf(&profile);
    put_profile(&profile, 65, 0);
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_read(set, fm_buf_view(&profile), "pprof", &error), FRAMEMAP_E_LIMIT);
    assert_non_null(strstr(error.message, "65 kinds of weights"));
    framemap_sample_set_close(set);
    fm_buf_free(&profile);
}

/* Tests a profile with more events than a set can have kinds of weights. The excess events share one kind, and each of
 * their samples has a label. */
static void test_many_events(void **state)
{
    (void)state;
    struct fm_buf text, written;
    framemap_sample sample;
    framemap_sample_label label;
    framemap_sample_counts counts;
    int64_t total = 0;
    new_buf(&text);
    new_buf(&written);
    for (unsigned i = 0; i < 300; i++)
        fm_buf_printf(&text, "app 5/5 [000] %u.5: %u event:%u:\n\t 1234 f (/a)\n\n", i, i + 1, i);
    framemap_sample_set *set = read_samples(fm_buf_view(&text), NULL);
    assert_int_equal(framemap_sample_set_write(set, "pprof", gather_text, &written, NULL, NULL), FRAMEMAP_OK);
    framemap_sample_set *again = read_samples(fm_buf_view(&written), NULL);
    framemap_sample_set_counts(again, &counts);
    assert_true(counts.types <= 64);
    assert_int_equal(counts.samples, 300);
    for (uint32_t i = 0; framemap_sample_set_sample(again, i, &sample); i++)
        for (size_t t = 0; t < sample.value_count; t++) total += sample.values[t];
    assert_int_equal(total, 300 + 300 * 301 / 2);
    assert_true(framemap_sample_set_label(again, 299, 0, &label));
    assert_true(fm_str_equal(label.key, FM_STR("event")) && fm_str_equal(label.text, FM_STR("event:299")));
    framemap_sample_set_close(again);
    framemap_sample_set_close(set);
    fm_buf_free(&written);
    fm_buf_free(&text);
}

static void test_older_forms(void **state)
{
    (void)state;
    static const framemap_str texts[] = {FM_STR_INIT("heap profile:    144:  8498176 [ 1: 2] @ heapz_v2/524288\n"),
                                         FM_STR_INIT("--- contentionz 1 ---\n"),
                                         FM_STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")};
    framemap_sample_set *set = NULL;
    framemap_error error = {0};
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(framemap_sample_set_read(set, texts[i], NULL, &error), FRAMEMAP_E_FORMAT);
        assert_non_null(strstr(error.message, "pprof -proto"));
    }
    framemap_sample_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shown), cmocka_unit_test(test_too_many),
                                       cmocka_unit_test(test_many_events), cmocka_unit_test(test_older_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
