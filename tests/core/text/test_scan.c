/* Tests of core/text/scan.h. */
#include "core/text/scan.h"
#include "tests/testing.h"

/* Checks what is left to scan, which shows whether the scan moved, and how far. */
static void assert_rest(const struct fm_scan *scan, const char *wanted) { assert_str(fm_scan_rest(scan), wanted); }

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *why, *text;
        bool hex, good;
        uint64_t value;
        bool overflow;
        const char *rest;
    } rows[] = {
        {"stops at the first other byte", "12ab", false, true, 12, false, "ab"},
        {"leading zeros cost nothing", "000000000000000000000000000007", false, true, 7, false, ""},
        {"the largest", "18446744073709551615", false, true, UINT64_MAX, false, ""},
        {"one more", "18446744073709551616", false, false, 0, true, "18446744073709551616"},
        {"ten times more", "184467440737095516150", false, false, 0, true, "184467440737095516150"},
        {"thirty digits", "123456789012345678901234567890 x", false, false, 0, true,
         "123456789012345678901234567890 x"},
        {"no digit", "x1", false, false, 0, false, "x1"},
        {"nothing", "", false, false, 0, false, ""},
        {"no sign", "-1", false, false, 0, false, "-1"},
        {"hex of both cases", "0aF9g", true, true, 0xAF9, false, "g"},
        {"hex, 16 digits", "ffffffffffffffff", true, true, UINT64_MAX, false, ""},
        {"hex, 17 digits", "1ffffffffffffffff", true, false, 0, true, "1ffffffffffffffff"},
        {"hex, zeros in front of 16 digits", "0000ffffffffffffffff", true, true, UINT64_MAX, false, ""},
        {"hex, thirty digits", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true, false, 0, true,
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
        {"hex without prefix reads the 0 of 0x", "0x12", true, true, 0, false, "x12"},
        {"bytes above 0x7F are no digits", "\xB2\xB3", false, false, 0, false, "\xB2\xB3"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_scan scan = fm_scan_of(framemap_str_of(rows[i].text));
        uint64_t value = 0;
        bool overflow = !rows[i].overflow;
        const bool good =
            rows[i].hex ? fm_scan_hex(&scan, &value, NULL, &overflow) : fm_scan_dec(&scan, &value, &overflow);
        if (good != rows[i].good || value != rows[i].value || overflow != rows[i].overflow) fail_msg("%s", rows[i].why);
        assert_rest(&scan, rows[i].rest);
    }
}

static void decimals_of_32_bits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint32_t value;
        const char *rest;
    } rows[] = {{"12:3", true, 12, ":3"},
                {"4294967295", true, UINT32_MAX, ""},
                {"4294967296", false, 7, "4294967296"},
                {"99999999999999999999", false, 7, "99999999999999999999"},
                {"x", false, 7, "x"},
                {"", false, 7, ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fm_scan scan = fm_scan_of(framemap_str_of(rows[i].text));
        uint32_t value = 7;
        const bool good = fm_scan_dec32(&scan, &value);
        if (good != rows[i].good || value != rows[i].value) fail_msg("%s", rows[i].text);
        assert_rest(&scan, rows[i].rest);
    }
}

static void hex_with_prefix(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
        const char *rest;
    } rows[] = {{"0x1F ", true, 0x1F, " "}, {"0XfG", true, 0xF, "G"},  {"0x", false, 0, "0x"},
                {"0xg", false, 0, "0xg"},   {"1f", false, 0, "1f"},    {"", false, 0, ""},
                {"0", false, 0, "0"},       {"00x1", false, 0, "00x1"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_scan scan = fm_scan_of(framemap_str_of(rows[i].text));
        uint64_t value = 0;
        assert_int_equal(fm_scan_0xhex(&scan, &value, NULL), rows[i].good);
        assert_true(value == rows[i].value);
        assert_rest(&scan, rows[i].rest);
    }
    bool overflow = false;
    uint64_t value = 0;
    struct fm_scan scan = fm_scan_of(framemap_str_of("0x123456789012345678901234567890"));
    assert_false(fm_scan_0xhex(&scan, &value, &overflow));
    assert_true(overflow);
    unsigned digits = 0;
    scan = fm_scan_of(framemap_str_of("00ff"));
    assert_true(fm_scan_hex(&scan, &value, &digits, NULL) && digits == 4);
}

/* Reads a number digit by digit, to check the results of fm_scan_hex. */
static unsigned plain_hex_run(framemap_str text, uint64_t *value)
{
    unsigned count = 0;
    *value = 0;
    for (; count < 16 && count < text.size && fm_is_hex(text.data[count]); count++)
        *value = *value << 4 | fm_hex_value(text.data[count]);
    return count;
}

/* Tests numbers of all lengths in strings of all sizes, each followed by every byte. */
static void hex_runs(void **state)
{
    enum { LONGEST = 20 };
    static const char digits[] = "0123456789abcdefABCDEF";
    uint32_t random = 1;
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        for (size_t size = 0; size <= LONGEST; size++) {
            char text[LONGEST];
            for (size_t at = 0; at < size; at++)
                text[at] = digits[((random = random * 1664525 + 1013904223) >> 8) % (sizeof digits - 1)];
            for (size_t place = 0; place <= size; place++) {
                uint64_t value = 1, wanted = 2;
                char *copy = malloc(size ? size : 1); /* an allocation of exactly that size, so that sanitizers detect a
                                                         read past its end */
                memcpy(copy, text, size);
                if (place < size) copy[place] = (char)byte;
                assert_int_equal(fm_hex_run(copy, copy + size, &value), plain_hex_run(fm_str(copy, size), &wanted));
                assert_true(value == wanted);
                free(copy);
            }
        }
    }
}

static void words_and_blanks(void **state)
{
    (void)state;
    framemap_str out = FM_STR("untouched");
    struct fm_scan scan = fm_scan_of(framemap_str_of(" \tat  com.foo"));
    assert_false(fm_scan_word(&scan, &out));
    assert_str(out, "untouched");
    fm_scan_blanks(&scan);
    fm_scan_blanks(&scan);
    assert_false(fm_scan_blanks1(&scan));
    assert_false(fm_scan_text(&scan, FM_STR("atx")));
    assert_false(fm_scan_byte(&scan, 'x'));
    assert_rest(&scan, "at  com.foo");
    assert_true(fm_scan_text(&scan, FM_STR("at")));
    assert_true(fm_scan_blanks1(&scan));
    assert_true(fm_scan_until(&scan, '.', &out));
    assert_str(out, "com");
    assert_false(fm_scan_until(&scan, '(', &out));
    assert_true(fm_scan_byte(&scan, '.'));
    assert_true(fm_scan_word(&scan, &out));
    assert_str(out, "foo");
    assert_true(fm_scan_done(&scan));
    assert_false(fm_scan_word(&scan, &out) || fm_scan_byte(&scan, 'o') || fm_scan_text(&scan, FM_STR("o")));
}

static void lines_of_each_end(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *lines[4];
    } rows[] = {
        {"a\nb\r\n\nc", {"a", "b", "", "c"}},
        {"a\r", {"a"}},
        {"\n", {""}},
        {"a\rb\n", {"a\rb"}},
        {"\r\r\n", {"\r"}},
        {"", {NULL}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_scan scan = fm_scan_of(framemap_str_of(rows[i].text));
        framemap_str line;
        size_t at = 0;
        for (; fm_scan_line(&scan, &line); at++) {
            assert_true(at < 4 && rows[i].lines[at]);
            assert_str(line, rows[i].lines[at]);
        }
        assert_true(at == 4 || rows[i].lines[at] == NULL);
        assert_true(fm_scan_done(&scan));
    }
}

static void lines_of_program_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *lines[4];
    } rows[] = {
        {"a\nb\r\n\nc", {"a", "b", "", "c"}},
        {"a\r", {"a"}},
        {"a\rb\n", {"a", "b"}},
        {"\r\r\n", {"", ""}},
        {"", {NULL}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_scan scan = fm_scan_of(framemap_str_of(rows[i].text));
        framemap_str line;
        size_t at = 0;
        for (; fm_scan_code_line(&scan, &line); at++) {
            assert_true(at < 4 && rows[i].lines[at]);
            assert_str(line, rows[i].lines[at]);
        }
        assert_true(at == 4 || rows[i].lines[at] == NULL);
        assert_true(fm_scan_done(&scan));
    }
}

static void an_absent_text_is_done(void **state)
{
    (void)state;
    struct fm_scan scan = fm_scan_of((framemap_str){NULL, 0});
    framemap_str line;
    uint64_t value;
    assert_true(fm_scan_done(&scan));
    fm_scan_blanks(&scan);
    assert_false(fm_scan_line(&scan, &line) || fm_scan_dec(&scan, &value, NULL) || fm_scan_until(&scan, 'x', &line));
}

static void digits_of_hex(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        const char text[] = {(char)byte, '\0'};
        char *end;
        const unsigned long value = byte > ' ' ? strtoul(text, &end, 16) : 0;
        const bool is_digit = byte > ' ' && end != text;
        assert_int_equal(fm_is_hex((char)byte), is_digit);
        assert_int_equal(fm_hex_digit((char)byte), is_digit ? FM_HEX | value : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(decimals_of_32_bits),
        cmocka_unit_test(hex_with_prefix),
        cmocka_unit_test(hex_runs),
        cmocka_unit_test(words_and_blanks),
        cmocka_unit_test(lines_of_each_end),
        cmocka_unit_test(lines_of_program_text),
        cmocka_unit_test(an_absent_text_is_done),
        cmocka_unit_test(digits_of_hex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
