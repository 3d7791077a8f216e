/* Tests of xz through core/archive/inflate_input.h. The data were made by `xz -0`. */
#include "core/archive/inflate_input.h"
#include "core/archive/inflate_xz.h"
#include "tests/testing.h"

#define XZ "\xfd\x37\x7a\x58\x5a\x00"
/* The text "at f\n". */
static const framemap_str line = FM_STR_INIT(
    XZ "\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x0c\x00\x00\x00\x8f\x98\x41\x9c\x01\x00\x04\x61\x74\x20\x66"
       "\x0a\x00\x00\x00\x00\x88\xeb\x1c\x2e\xde\x1a\x44\xc9\x00\x01\x1d\x05\xb8\x2d\x80\xaf\x1f\xb6\xf3\x7d"
       "\x01\x00\x00\x00\x00\x04\x59\x5a");
static const framemap_str nothing = FM_STR_INIT(
    XZ "\x00\x04\xe6\xd6\xb4\x46\x00\x00\x00\x00\x1c\xdf\x44\x21\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a");

struct row {
    const char *why;
    const framemap_str *parts[3];
    const char *tail;
    /* tail_size: number of bytes of `tail`, which are added at the end; cut: number of bytes cut off at the end */
    size_t tail_size, cut;
    uint64_t most;
    framemap_status wanted;
    const char *text;
};

static void put(struct fm_buf *out, const struct row *row)
{
    for (size_t i = 0; i < COUNT_OF(row->parts) && row->parts[i]; i++) fm_buf_str(out, *row->parts[i]);
    if (row->tail) fm_buf_add(out, row->tail, row->tail_size);
    out->size -= row->cut;
}

static const struct row rows[] = {
    {"one stream", {&line}, NULL, 0, 0, 100, FRAMEMAP_OK, "at f\n"},
    {"of nothing", {&nothing}, NULL, 0, 0, 100, FRAMEMAP_OK, ""},
    {"two streams", {&line, &line}, NULL, 0, 0, 100, FRAMEMAP_OK, "at f\nat f\n"},
    {"padding", {&line}, "\0\0\0\0", 4, 0, 100, FRAMEMAP_OK, "at f\n"},
    {"other bytes after it", {&line}, "more", 4, 0, 100, FRAMEMAP_E_CORRUPT, NULL},
    {"cut", {&line}, NULL, 0, 1, 100, FRAMEMAP_E_TRUNCATED, NULL},
    {"cut in its header", {&line}, NULL, 0, 58, 100, FRAMEMAP_E_TRUNCATED, NULL},
    {"too large", {&line}, NULL, 0, 0, 4, FRAMEMAP_E_LIMIT, NULL},
};

static void whole_data(void **state)
{
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_buf in, out;
        framemap_error error = {0};
        fm_buf_init(&in, &heap);
        fm_buf_init(&out, &heap);
        put(&in, &rows[i]);
        const framemap_status status = fm_inflate_whole(fm_buf_view(&in), rows[i].most, &out, &error);
        const framemap_status wanted = fm_xz_is_read() ? rows[i].wanted : FRAMEMAP_E_UNSUPPORTED;
        if (status != wanted) fail_msg("%s: %d %s", rows[i].why, status, error.message);
        if (status == FRAMEMAP_OK) assert_true(fm_str_equal(fm_buf_view(&out), framemap_str_of(rows[i].text)));
        fm_buf_free(&in);
        fm_buf_free(&out);
        assert_int_equal(heap.used, 0);
    }
}

static framemap_status gather(void *context, framemap_str text, framemap_error *error)
{
    (void)error;
    fm_buf_str(context, text);
    return FRAMEMAP_OK;
}

/* The pieces of an input may end anywhere. */
static void byte_by_byte(void **state)
{
    struct fm_heap heap;
    struct fm_buf out;
    struct fm_inflater *inflater;
    (void)state;
    if (!fm_xz_is_read()) return;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(fm_inflater_open(line, &heap, &inflater, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < line.size; i++)
        assert_int_equal(fm_inflater_feed(inflater, fm_str(line.data + i, 1), gather, &out, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_inflater_end(inflater, NULL), FRAMEMAP_OK);
    assert_true(fm_str_equal(fm_buf_view(&out), FM_STR("at f\n")));
    fm_inflater_free(inflater);
    fm_buf_free(&out);
    assert_int_equal(heap.used, 0);
}

/* Tests that liblzma allocates its dictionary from the heap: a stream that states a large dictionary fails if the
 * heap's ceiling is lower. */
static void memory_is_of_the_heap(void **state)
{
    struct fm_heap heap;
    struct fm_buf out;
    (void)state;
    if (!fm_xz_is_read()) return;
    for (uint64_t ceiling = 1 << 12; ceiling < (uint64_t)1 << 24; ceiling *= 2) {
        fm_heap_init(&heap, NULL, ceiling);
        fm_buf_init(&out, &heap);
        const framemap_status status = fm_inflate_whole(line, 100, &out, NULL);
        assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
        assert_true(ceiling > 1 << 18 || status == FRAMEMAP_E_MEMORY); /* `xz -0` needs a dictionary of 256 KiB */
        fm_buf_free(&out);
        assert_int_equal(heap.used, 0);
    }
    assert_int_equal(fm_inflate_whole(line, 100, &out, NULL), FRAMEMAP_OK);
    fm_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_data),
        cmocka_unit_test(byte_by_byte),
        cmocka_unit_test(memory_is_of_the_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
