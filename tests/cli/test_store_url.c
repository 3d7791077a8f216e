/* Tests cli/store_url.c. */
#include "cli/store_url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_schemes(void **state)
{
    static const struct {
        const char *text;
        size_t size;
        const char *why;
    } rows[] = {
        {"redis://host", 8, "without TLS"},
        {"rediss://host", 9, "with TLS"},
        {"redis://", 8, "a scheme alone"},
        {"redis:/", 0, "cut short"},
        {"", 0, "an empty text"},
        {"Redis://host", 0, "in other letters: the library refuses it too"},
        {"xredis://host", 0, "not at the start"},
        {"https://host", 0, "another scheme"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t size = fm_store_url_scheme(rows[i].text, strlen(rows[i].text));
        if (size != rows[i].size) fail_msg("%s: %zu", rows[i].why, size);
    }
}

static void test_hides_logins(void **state)
{
    static const struct {
        const char *text, *shown, *why;
    } rows[] = {
        {"redis://user:password@host:1/2", "redis://@host:1/2", "a user and a password"},
        {"rediss://:password@host", "rediss://@host", "a password alone"},
        {"redis://user:p@ss@word@host", "redis://@host", "a password may contain '@'"},
        {"redis://host:1/2", "redis://host:1/2", "a URL without a login"},
        {"redis://@host", "redis://@host", "an empty login"},
        {"cannot open redis://user:x@host: no file", "cannot open redis://@host: no file", "inside a message"},
        {"redis://a:b@c redis://d:e@f", "redis://@f", "two URLs: all up to the last '@' may be a password"},
        {"name@host", "name@host", "an '@' without a scheme"},
        {"redis://", "redis://", "a scheme alone"},
        {"", "", "an empty text"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64];
        const size_t size = strlen(rows[i].text);
        memcpy(text, rows[i].text, size);
        const size_t shown = fm_store_url_hide(text, size);
        if (shown != strlen(rows[i].shown) || memcmp(text, rows[i].shown, shown) != 0)
            fail_msg("%s: '%.*s'", rows[i].why, (int)shown, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_schemes), cmocka_unit_test(test_hides_logins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
