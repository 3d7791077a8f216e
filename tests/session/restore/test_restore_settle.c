/* Tests the check whether the function that a text printed contradicts the symbols. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/text/text.h"
#include "session/restore/restore_job.h"

static bool conflicts(framemap_kind kind, const char *printed, const char *inner, const char *outer, const char *alias)
{
    framemap_str aliases[] = {framemap_str_of(alias)};
    framemap_frame sources[] = {{.function = framemap_str_of(inner)}, {.function = framemap_str_of(outer)}};
    framemap_frame frame = {.kind = kind, .function = framemap_str_of(printed), .restored = {sources, outer ? 2 : 1}};
    if (alias) {
        sources[0].aliases = aliases;
        sources[0].alias_count = 1;
    }
    framemap_trace trace = {.frames = &frame, .frame_count = 1};
    fm_restore_settle(&trace, 1);
    return frame.conflict;
}

static void test_conflict(void **state)
{
    static const struct {
        const char *name, *printed, *inner, *outer, *alias;
        bool conflict;
    } rows[] = {
        {"same name", "f", "f", NULL, NULL, false},
        {"another name", "g", "f", NULL, NULL, true},
        {"the text prints no name", "", "f", NULL, NULL, false},
        {"parameters are not compared", "f", "ns::f(int)", NULL, NULL, false},
        {"nor are template arguments and return types", "f(int)", "void ns::f<int>(int)", NULL, NULL, false},
        {"one of an inline chain", "outer()", "inner()", "outer()", NULL, false},
        {"none of an inline chain", "other()", "inner()", "outer()", NULL, true},
        {"a name that shares the code", "g", "f", NULL, "g", false},
        {"a mangled name is not compared", "_Z1gv", "f", NULL, NULL, false},
        {"nor is an operator", "operator new(unsigned long)", "f", NULL, NULL, false},
        {"same name in an unnamed namespace", "weigh", "ns::(anonymous namespace)::weigh(int)", NULL, NULL, false},
        {"another name in an unnamed namespace", "blur", "ns::(anonymous namespace)::weigh(int)", NULL, NULL, true},
        {"an unnamed namespace in the text", "(anonymous namespace)::g()", "f", NULL, NULL, true},
        {"an unnamed namespace in the chain", "blur", "(anonymous namespace)::inner()", "outer()", NULL, true},
        {"an unnamed namespace in both", "ns::(anonymous namespace)::f", "ns::(anonymous namespace)::f()", NULL, NULL,
         false},
        {"a method of Objective-C is not compared", "-[App run]", "f", NULL, NULL, false},
        {"an unnamed namespace in template arguments", "blur", "f<(anonymous namespace)::t>()", NULL, NULL, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool got = conflicts(FRAMEMAP_KIND_NATIVE, rows[i].printed, rows[i].inner, rows[i].outer, rows[i].alias);
        if (got != rows[i].conflict) fail_msg("%s: %d", rows[i].name, got);
    }
    assert_false(conflicts(FRAMEMAP_KIND_JAVA, "g", "f", NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conflict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
