/* Tests of core/error.h. */
#include "core/error.h"
#include "tests/testing.h"
#include <string.h>

static void fills_code_place_and_words(void **state)
{
    (void)state;
    framemap_error error;
    memset(&error, 0xAA, sizeof error);
    assert_int_equal(fm_error_set(&error, FRAMEMAP_E_LIMIT, "%d is more than %s", 7, "six"), FRAMEMAP_E_LIMIT);
    assert_int_equal(error.code, FRAMEMAP_E_LIMIT);
    assert_string_equal(error.message, "7 is more than six");
    assert_string_equal(error.where, "");
    assert_false(error.has_offset || error.has_line);

    assert_int_equal(fm_error_at(&error, FRAMEMAP_E_CORRUPT, 99, "bad"), FRAMEMAP_E_CORRUPT);
    assert_true(error.has_offset && error.offset == 99 && !error.has_line);
    assert_int_equal(fm_error_line(&error, FRAMEMAP_E_FORMAT, 3, "bad"), FRAMEMAP_E_FORMAT);
    assert_true(error.has_line && error.line == 3 && !error.has_offset);
    assert_int_equal(fm_error_memory(&error), FRAMEMAP_E_MEMORY);
    assert_true(strlen(error.message) > 0);
}

static void takes_no_error(void **state)
{
    (void)state;
    assert_int_equal(fm_error_set(NULL, FRAMEMAP_E_IO, "x"), FRAMEMAP_E_IO);
    assert_int_equal(fm_error_at(NULL, FRAMEMAP_E_IO, 1, "x"), FRAMEMAP_E_IO);
    assert_int_equal(fm_error_line(NULL, FRAMEMAP_E_IO, 1, "x"), FRAMEMAP_E_IO);
    assert_int_equal(fm_error_memory(NULL), FRAMEMAP_E_MEMORY);
    fm_error_where(NULL, framemap_str_of("x"));
}

/* Names that are quoted in a message come from untrusted files. */
static void shows_control_characters(void **state)
{
    (void)state;
    framemap_error error;
    char name[FRAMEMAP_ERROR_MESSAGE_SIZE + 8];
    fm_error_set(&error, FRAMEMAP_E_FORMAT, "class \"%s\" is mapped twice", "a\nframemap: \x1b[2J\xC2\x9B");
    assert_string_equal(error.message, "class \"a\\nframemap: \\x1b[2J\\u009b\" is mapped twice");
    /* A message that is too long is cut, but never inside an escape or a character. */
    for (size_t size = 1; size < sizeof name; size++) {
        memset(name, 'a', size);
        name[0] = '\n';
        name[size - 1] = '\x1b';
        name[size] = 0;
        fm_error_set(&error, FRAMEMAP_E_FORMAT, "%s", name);
        const size_t got = strlen(error.message);
        assert_true(got < sizeof error.message && strcspn(error.message, "\n\x1b") == got);
        if (size + 4 < sizeof error.message && size > 1)
            assert_string_equal(error.message + got - 4, "\\x1b");
        else if (size > 1)
            assert_true(error.message[got - 1] == 'a');
    }
    for (size_t size = 2; size + 3 < sizeof name; size++) {
        memset(name, 'a', size);
        name[0] = '\n';
        memcpy(name + size, "\xE2\x82\xAC", 4);
        fm_error_set(&error, FRAMEMAP_E_FORMAT, "%s", name);
        const size_t got = strlen(error.message);
        assert_true(got < sizeof error.message && (error.message[got - 1] == 'a' || error.message[got - 1] == '\xAC'));
    }
}

/* Callers add context by wrapping an error's message in a new one. */
static void a_message_may_quote_the_error_it_replaces(void **state)
{
    (void)state;
    framemap_error error;
    fm_error_set(&error, FRAMEMAP_E_CORRUPT, "inner");
    fm_error_set(&error, FRAMEMAP_E_CORRUPT, "outer: %s", error.message);
    assert_string_equal(error.message, "outer: inner");
}

static void where_is_set_once(void **state)
{
    (void)state;
    framemap_error error;
    fm_error_set(&error, FRAMEMAP_E_IO, "x");
    fm_error_where(&error, (framemap_str){NULL, 0});
    assert_string_equal(error.where, "");
    fm_error_where(&error, framemap_str_of(".debug_info"));
    fm_error_where(&error, framemap_str_of("outer file"));
    assert_string_equal(error.where, ".debug_info");
}

static void a_file_is_put_before_its_section(void **state)
{
    char path[FRAMEMAP_ERROR_WHERE_SIZE + 8], near[FRAMEMAP_ERROR_WHERE_SIZE];
    framemap_error error = {0};
    (void)state;
    fm_error_in_file(NULL, FM_STR("x"));
    fm_error_in_file(&error, (framemap_str){NULL, 0});
    assert_string_equal(error.where, "");
    fm_error_in_file(&error, FM_STR("a.js.map"));
    assert_string_equal(error.where, "a.js.map");
    error.where[0] = 0;
    fm_error_where(&error, FM_STR(".debug_info"));
    fm_error_in_file(&error, FM_STR("lib/libapp.so"));
    assert_string_equal(error.where, "lib/libapp.so: .debug_info");
    memset(path, 'p', sizeof path); /* the path is longer than the room for it */
    fm_error_in_file(&error, fm_str(path, sizeof path));
    assert_int_equal(strlen(error.where), FRAMEMAP_ERROR_WHERE_SIZE - 1);
    memset(near, 'p', sizeof near); /* there is room for the path and a part of the rest; the cut is inside a
                                       character */
    error.where[0] = 0;
    fm_error_where(&error, FM_STR("\xC3\xA9\xC3\xA9"));
    fm_error_in_file(&error, fm_str(near, FRAMEMAP_ERROR_WHERE_SIZE - 6));
    assert_int_equal(strlen(error.where), FRAMEMAP_ERROR_WHERE_SIZE - 2);
    assert_string_equal(error.where + FRAMEMAP_ERROR_WHERE_SIZE - 6, ": \xC3\xA9");
}

/* Tests messages that are one byte too long, with a character of 1 to 4 bytes across the end. */
static void cuts_at_whole_characters(void **state)
{
    (void)state;
    static const char *const characters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    for (size_t which = 0; which < COUNT_OF(characters); which++) {
        for (size_t lead = FRAMEMAP_ERROR_MESSAGE_SIZE - 8; lead < FRAMEMAP_ERROR_MESSAGE_SIZE + 2; lead++) {
            char text[FRAMEMAP_ERROR_MESSAGE_SIZE + 16];
            const size_t size = strlen(characters[which]);
            memset(text, 'x', lead);
            memcpy(text + lead, characters[which], size + 1);
            const size_t whole = lead + size;
            const size_t wanted = whole < FRAMEMAP_ERROR_MESSAGE_SIZE ? whole
                                  : lead < FRAMEMAP_ERROR_MESSAGE_SIZE
                                      ? (size > 1 ? lead : FRAMEMAP_ERROR_MESSAGE_SIZE - 1)
                                      : FRAMEMAP_ERROR_MESSAGE_SIZE - 1;
            framemap_error error;
            fm_error_set(&error, FRAMEMAP_E_IO, "%s", text);
            assert_int_equal(strlen(error.message), wanted);
            error.where[0] = 0;
            fm_error_where(&error, framemap_str_of(text));
            assert_int_equal(strlen(error.where), wanted);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_code_place_and_words), cmocka_unit_test(takes_no_error),
        cmocka_unit_test(shows_control_characters),   cmocka_unit_test(a_message_may_quote_the_error_it_replaces),
        cmocka_unit_test(where_is_set_once),          cmocka_unit_test(a_file_is_put_before_its_section),
        cmocka_unit_test(cuts_at_whole_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
