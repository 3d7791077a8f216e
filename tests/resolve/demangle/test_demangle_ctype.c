/* Compares the character table for GNU's demangler of Rust names with the C library's classes in the C locale.
 * libiberty's table has the same classes. */
#include "resolve/demangle/demangle_ctype.h"
#include "tests/testing.h"

#include <ctype.h>

/* The bits of libiberty's safe-ctype.h, each with the C library's function for that class of characters. */
static const struct {
    const char *name;
    unsigned bit;
    int (*is)(int);
} classes[] = {
    {"blank", 0x0001, isblank},       {"control", 0x0002, iscntrl},    {"digit", 0x0004, isdigit},
    {"lower case", 0x0008, islower},  {"printable", 0x0010, isprint},  {"punctuation", 0x0020, ispunct},
    {"white space", 0x0040, isspace}, {"upper case", 0x0080, isupper}, {"hexadecimal digit", 0x0100, isxdigit},
};

static void test_classes_are_those_of_the_c_library(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++)
        for (int c = 0; c < 256; c++) {
            bool expected = c < 128 && classes[k].is(c);
            if (((fm_vendor_ctype[c] & classes[k].bit) != 0) != expected)
                fail_msg("character %d: %s", c, classes[k].name);
        }
}

static void test_bits_that_the_c_library_has_not(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        assert_int_equal((fm_vendor_ctype[c] & 0x0200) != 0, c < 128 && (isalpha(c) || c == '_'));
        assert_int_equal((fm_vendor_ctype[c] & 0x0400) != 0, c == '\n' || c == '\r');
        assert_int_equal((fm_vendor_ctype[c] & 0x0800) != 0, c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == 0);
        assert_int_equal(fm_vendor_ctype[c] & 0xf000, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_are_those_of_the_c_library),
        cmocka_unit_test(test_bits_that_the_c_library_has_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
