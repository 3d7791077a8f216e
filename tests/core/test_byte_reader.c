/* Tests of core/byte_reader.h. */
#include "core/byte_reader.h"
#include "tests/testing.h"

static struct fm_byte_reader reader_of(const char *bytes, size_t size, bool big_endian)
{
    return fm_byte_reader_of(fm_str(bytes, size), big_endian);
}

static void numbers_in_both_byte_orders(void **state)
{
    (void)state;
    static const char bytes[] = "\x01\x02\x03\x04\x05\x06\x07\x08";
    static const struct {
        unsigned width;
        uint64_t little, big;
    } rows[] = {
        {1, 0x01, 0x01},
        {2, 0x0201, 0x0102},
        {3, 0x030201, 0x010203},
        {4, 0x04030201, 0x01020304},
        {5, 0x0504030201, 0x0102030405},
        {8, 0x0807060504030201, 0x0102030405060708},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_byte_reader little = reader_of(bytes, 8, false), big = reader_of(bytes, 8, true);
        assert_true(fm_read_uint(&little, rows[i].width) == rows[i].little);
        assert_true(fm_read_uint(&big, rows[i].width) == rows[i].big);
        assert_int_equal(little.at, rows[i].width);
    }
    struct fm_byte_reader r = reader_of("\xFF\xFE\xFD\xFC\xFB\xFA\xF9", 7, false);
    assert_int_equal(fm_read_u8(&r), 0xFF);
    assert_int_equal(fm_read_u16(&r), 0xFDFE);
    assert_int_equal(fm_read_u32(&r), 0xF9FAFBFC);
    assert_false(r.bad);
}

static void a_bad_read_sticks(void **state)
{
    (void)state;
    struct fm_byte_reader r = reader_of("\x01\x02\x03", 3, false);
    assert_int_equal(fm_read_u32(&r), 0);
    assert_true(r.bad);
    assert_int_equal(fm_read_u8(&r), 0);
    assert_int_equal(fm_byte_reader_left(&r), 0);
    fm_byte_reader_seek(&r, 0);
    assert_int_equal(fm_read_u8(&r), 0);
    assert_true(fm_read_bytes(&r, 0).data == NULL);
    assert_true(fm_read_cstr(&r).data == NULL);
    assert_true(fm_byte_reader_sub(&r, 0, 0).bad);
    assert_int_equal(fm_read_uleb(&r), 0);
    assert_int_equal(fm_read_sleb(&r), 0);
}

static void seeking_and_skipping_stay_inside(void **state)
{
    (void)state;
    struct fm_byte_reader r = reader_of("abcd", 4, false);
    fm_byte_reader_seek(&r, 4);
    assert_false(r.bad);
    fm_byte_reader_seek(&r, 1);
    fm_byte_reader_skip(&r, 3);
    assert_true(!r.bad && r.at == 4);
    fm_byte_reader_skip(&r, 0);
    assert_false(r.bad);
    struct fm_byte_reader wraps = reader_of("abcd", 4, false);
    fm_byte_reader_seek(&wraps, 2);
    fm_byte_reader_skip(&wraps, UINT64_MAX - 1);
    assert_true(wraps.bad);
    struct fm_byte_reader past = reader_of("abcd", 4, false);
    fm_byte_reader_seek(&past, 5);
    assert_true(past.bad);
}

static void parts_of_a_reader(void **state)
{
    (void)state;
    struct fm_byte_reader whole = reader_of("abcdef", 6, true);
    static const struct {
        uint64_t offset, size;
        bool good;
    } rows[] = {{0, 6, true},          {6, 0, true},  {2, 3, true},
                {7, 0, false},         {1, 6, false}, {3, UINT64_MAX - 1, false},
                {UINT64_MAX, 2, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_byte_reader part = fm_byte_reader_sub(&whole, rows[i].offset, rows[i].size);
        assert_int_equal(!part.bad, rows[i].good);
        assert_true(part.big_endian);
        if (rows[i].good) assert_int_equal(fm_byte_reader_left(&part), rows[i].size);
        if (rows[i].size == 3) assert_int_equal(fm_read_u8(&part), 'c');
    }
}

static void strings_and_bytes_are_borrowed(void **state)
{
    (void)state;
    static const char bytes[] = "one\0\0two";
    struct fm_byte_reader r = reader_of(bytes, sizeof bytes - 1, false);
    assert_str(fm_read_cstr(&r), "one");
    assert_str(fm_read_cstr(&r), "");
    assert_false(r.bad);
    struct fm_byte_reader copy = r;
    assert_true(fm_read_bytes(&copy, 3).data == bytes + 5);
    assert_true(fm_read_bytes(&copy, 0).size == 0 && !copy.bad);
    assert_true(fm_read_cstr(&copy).data == NULL && copy.bad); /* no bytes are left */
    assert_true(fm_read_cstr(&r).data == NULL && r.bad);       /* there is no NUL before the end */
    struct fm_byte_reader empty = fm_byte_reader_of((framemap_str){NULL, 0}, false);
    assert_true(fm_read_bytes(&empty, 0).size == 0 && !empty.bad);
    assert_true(fm_read_bytes(&empty, UINT64_MAX).data == NULL && empty.bad);
}

/* Tests numbers in LEB128 (DWARF 5, 7.6). A value that does not fit 64 bits is an error; it is not truncated. */
static void unsigned_leb128(void **state)
{
    (void)state;
    static const struct {
        const char *why, *bytes;
        size_t size;
        uint64_t value;
        bool good;
    } rows[] = {
        {"zero", "\x00", 1, 0, true},
        {"the standard's 127", "\x7f", 1, 127, true},
        {"the standard's 128", "\x80\x01", 2, 128, true},
        {"the standard's 12857", "\xb9\x64", 2, 12857, true},
        {"padded with zeros", "\x81\x80\x80\x00", 4, 1, true},
        {"the largest", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, UINT64_MAX, true},
        {"a 65th bit", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x03", 10, 0, false},
        {"bits past the 64th byte group", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11, 0, false},
        {"zeros past the 64th bit", "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 13, 1, true},
        {"no end", "\x80\x80", 2, 0, false},
        {"nothing", "", 0, 0, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_byte_reader r = reader_of(rows[i].bytes, rows[i].size, false);
        const uint64_t value = fm_read_uleb(&r);
        if (r.bad == rows[i].good || value != rows[i].value) fail_msg("%s", rows[i].why);
        if (rows[i].good && r.at != rows[i].size) fail_msg("%s: not read to its end", rows[i].why);
    }
}

static void signed_leb128(void **state)
{
    (void)state;
    static const struct {
        const char *why, *bytes;
        size_t size;
        int64_t value;
        bool good;
    } rows[] = {
        {"the standard's 2", "\x02", 1, 2, true},
        {"the standard's -2", "\x7e", 1, -2, true},
        {"the standard's 127", "\xff\x00", 2, 127, true},
        {"the standard's -127", "\x81\x7f", 2, -127, true},
        {"the standard's 128", "\x80\x01", 2, 128, true},
        {"the standard's -129", "\xff\x7e", 2, -129, true},
        {"the smallest", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10, INT64_MIN, true},
        {"the largest", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", 10, INT64_MAX, true},
        {"larger than the largest", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, 0, false},
        {"smaller than the smallest", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7e", 10, 0, false},
        {"minus one, padded", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 12, -1, true},
        {"one, padded", "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 12, 1, true},
        {"padding of the wrong sign", "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 11, 0, false},
        {"57 bits, negative", "\x80\x80\x80\x80\x80\x80\x80\x80\x40", 9, -(INT64_C(1) << 62), true},
        {"no end", "\xff", 1, 0, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_byte_reader r = reader_of(rows[i].bytes, rows[i].size, false);
        const int64_t value = fm_read_sleb(&r);
        if (r.bad == rows[i].good || value != rows[i].value) fail_msg("%s: %lld", rows[i].why, (long long)value);
        if (rows[i].good && r.at != rows[i].size) fail_msg("%s: not read to its end", rows[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_both_byte_orders),
        cmocka_unit_test(a_bad_read_sticks),
        cmocka_unit_test(seeking_and_skipping_stay_inside),
        cmocka_unit_test(parts_of_a_reader),
        cmocka_unit_test(strings_and_bytes_are_borrowed),
        cmocka_unit_test(unsigned_leb128),
        cmocka_unit_test(signed_leb128),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
