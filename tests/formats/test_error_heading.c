/* Tests of error_heading.h: what an error looks like to parsers without rules of their own. */
#include "tests/testing.h"

#include "formats/error_heading.h"

static void plain_rules(void **state)
{
    static const struct {
        const char *why, *message, *error, *type, *text; /* error: NULL: the message has no type */
    } table[] = {
        {"type and message", "ValueError: bad", "ValueError: bad", "ValueError", "bad"},
        {"a name with modules", " java.io.IOException: no ", "java.io.IOException: no", "java.io.IOException", "no"},
        {"a type alone", "System.ArgumentException", "System.ArgumentException", "System.ArgumentException", ""},
        {"a code", "SystemError [E1]: no", "SystemError [E1]: no", "SystemError", "no"},
        {"words of loggers", "ERROR Caused by: KeyError: 'x'", "KeyError: 'x'", "KeyError", "'x'"},
        {"words of JavaScript's consoles, which other platforms do not have", "(in promise) TypeError: no", NULL, "",
         ""},
        {"a sentence", "something failed", NULL, "", ""},
        {"a word that does not end as names of errors do", "note: this", NULL, "", ""},
        {"a position", "LoaderError:12", NULL, "", ""},
        {"a name in a sentence", "KeyError was raised", NULL, "", ""},
        {"a title alone", "ERROR ", NULL, "", ""},
        {"nothing", "", NULL, "", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        framemap_str error = {NULL, 0};
        framemap_trace trace = {.exception = {NULL, 0}};
        const bool found = fm_error_rules_plain.find(framemap_str_of(table[i].message), &error);
        if (found != (table[i].error != NULL)) fail_msg("%s: %s", table[i].why, found ? "an error" : "none");
        if (!found) continue;
        fm_error_rules_plain.set(&trace, error);
        if (!fm_str_equal(trace.exception, framemap_str_of(table[i].error)) ||
            !fm_str_equal(trace.exception_type, framemap_str_of(table[i].type)) ||
            !fm_str_equal(trace.exception_message, framemap_str_of(table[i].text)))
            fail_msg("%s: %.*s", table[i].why, (int)trace.exception.size, trace.exception.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
