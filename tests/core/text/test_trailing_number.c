/* Tests of core/text/trailing_number.h. */
#include "core/text/trailing_number.h"
#include "tests/testing.h"

/* Finds the number at the end of a text byte by byte, to check the results of fm_trailing_number; the number may have
 * any length. */
static size_t plain(framemap_str text, uint64_t *value)
{
    size_t at = text.size;
    while (at && text.data[at - 1] >= '0' && text.data[at - 1] <= '9') at--;
    *value = 0;
    for (size_t i = at; i < text.size; i++) {
        *value = *value * 10 + (uint64_t)(text.data[i] - '0');
        if (*value > FM_NUMBER_LONG) *value = FM_NUMBER_LONG;
    }
    return text.size - at;
}

static void places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t digits;
        uint64_t value;
    } rows[] = {{"", 0, 0},
                {"7", 1, 7},
                {"main.js:12", 2, 12},
                {"main.js:", 0, 0},
                {"a:1234567", 7, 1234567},
                {"a:12345678", 8, 12345678},
                {"0000000000000000000012", 22, 12},
                {"x:4294967295", 10, UINT32_MAX},
                {"x:4294967296", 10, FM_NUMBER_LONG},
                {"x:99999999999999999999999999", 26, FM_NUMBER_LONG},
                {"12345678x", 0, 0},
                {"\xB1\xB2\xB3\xB4\xB5\xB6\xB7\xB8\xB9", 0, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint64_t value = 1;
        const size_t digits = fm_trailing_number(framemap_str_of(rows[i].text), &value);
        if (digits != rows[i].digits || value != rows[i].value)
            fail_msg("\"%s\": %zu digits, %llu", rows[i].text, digits, (unsigned long long)value);
    }
}

/* Tests every byte before each number of digits, in allocations of exactly the string's size. */
static void all_bytes(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        for (size_t size = 1; size < 24; size++) {
            for (size_t digits = 0; digits < size; digits++) {
                char *text = malloc(size);
                uint64_t wanted, value = 1;
                for (size_t i = 0; i < size; i++)
                    text[i] =
                        (char)(i + digits < size ? (i + 1 + digits == size ? byte : '5') : '0' + (i * 7 + byte) % 10);
                const size_t count = plain(fm_str(text, size), &wanted);
                assert_int_equal(fm_trailing_number(fm_str(text, size), &value), count);
                assert_int_equal(value, wanted);
                free(text);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(all_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
