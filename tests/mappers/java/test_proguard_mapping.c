/* Tests of reading a mapping by ProGuard's rules: how lines are split, and how members are grouped. */
#include "core/text/buffer.h"
#include "tests/mappers/java/r8_help.h"

#include "mappers/java/proguard_line.h"

/* Writes a member line as "from:to type name(arguments) from:to -> residual", with "-" for missing parts. For any
 * other line, writes what kind of line it is. */
static void member_as_text(const char *line, char *out, size_t room)
{
    struct fm_proguard_member m;
    char residual[40] = "-", original[40] = "-";
    switch (fm_proguard_member_line(framemap_str_of(line), &m)) {
    case FM_PROGUARD_NOTHING: snprintf(out, room, "nothing"); return;
    case FM_PROGUARD_NO_NUMBER: snprintf(out, room, "no number"); return;
    case FM_PROGUARD_MEMBER: break;
    }
    if (m.has_residual) snprintf(residual, sizeof residual, "%d:%d", m.residual_from, m.residual_to);
    if (m.has_original)
        snprintf(original, sizeof original, m.has_pair ? "%d:%d" : "%d", m.original_from, m.original_to);
    snprintf(out, room, "%s %.*s %.*s%s%.*s%s %s > %.*s", residual, (int)m.type.size, m.type.data, (int)m.name.size,
             m.name.data, m.is_method ? "(" : "", (int)m.arguments.size, m.arguments.data, m.is_method ? ")" : "",
             original, (int)m.residual.size, m.residual.data);
}

static void test_lines(void **state)
{
    static const struct {
        const char *line, *wanted, *why;
    } rows[] = {
        {"1:2:void m(int,long):3:4 -> a", "1:2 void m(int,long) 3:4 > a", "as ProGuard writes it"},
        {"void m():3 -> a", "- void m() 3 > a", "an original line only"},
        {"int f -> a", "- int f - > a", "a field"},
        {"1:2:int f -> a", "- int f - > a", "its lines do not count"},
        {"1 : 2 : void m() -> a", "1:2 void m() - > a", "blanks around numbers"},
        {"1:2:  void m() -> a", "nothing", "two before the type: the second of them ends it, and it is empty"},
        {"1:2:void m( int, long ):3:4->a b", "1:2 void m(int, long) 3:4 > a b", "arguments and names may have some"},
        {"void o.C.m() -> o.D.m", "- void o.C.m() - > o.D.m", "holders stay"},
        {"void o.C.() -> a", "nothing", "a holder without a name"},
        {"x:y:void m() -> a", "no number", "ProGuard fails on this"},
        {"1:2:void m():x -> a", "no number", "and on this"},
        {"99999999999:2:void m() -> a", "no number", "and on what does not fit"},
        {"-1:+2:void m() -> a", "-1:2 void m() - > a", "signs"},
        {"1:2:void m():1:2:3 -> a", "no number", "three numbers"},
        {"1:2:void m():10:12 x -> a", "no number", "text after the second"},
        {"void m():10:12 -> a", "nothing",
         "two original lines alone: the colons are taken for those of a residual range"},
        {"void m() a", "nothing", "no arrow"},
        {"void -> a", "nothing", "no name"},
        {"int f ->", "nothing", "no residual name"},
        {"", "nothing", "nothing"},
    };
    char got[200];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        member_as_text(rows[i].line, got, sizeof got);
        if (strcmp(got, rows[i].wanted) != 0) fail_msg("%s: \"%s\" gives %s", rows[i].why, rows[i].line, got);
    }
}

static void test_mappings(void **state)
{
    static const struct {
        const char *mapping, *wanted, *why;
        unsigned warnings;
    } rows[] = {
        {"# c\n o.C -> a: \r 1:2:void m():3:4 -> a\r\n  int f -> b\n",
         "o.C -> a\n  a\n    = void o.C.m()\n      1:2 void o.C.m() 3:4\n  .b int o.C.f\n"
         "o.C -> o.C\n  a\n    = void o.C.m()\n      1:2 void o.C.m() 3:4\n  .b int o.C.f\n",
         "lines end at CR too; a class is found by both its names", 0},
        {"o.C -> o.C:\n void m() -> a\n", "o.C -> o.C\n  a\n    = void o.C.m()\n      - void o.C.m() -\n",
         "once, where they are equal", 0},
        {"o.C -> a:\n void m() -> a\no.C -> b:\n void n() -> a\n",
         "o.C -> a\n  a\n    = void o.C.m()\n      - void o.C.m() -\n      - void o.C.n() -\n"
         "o.C -> b\n  a\n    = void o.C.m()\n      - void o.C.m() -\n      - void o.C.n() -\n"
         "o.C -> o.C\n  a\n    = void o.C.m()\n      - void o.C.m() -\n      - void o.C.n() -\n",
         "members are together by original class", 0},
        {"o.C -> a:\n void m() -> a\no.D -> a:\n",
         "o.D -> a\no.C -> o.C\n  a\n    = void o.C.m()\n      - void o.C.m() -\n",
         "the last original of a residual name counts", 0},
        {"o.C -> o.C:\n void m() -> b\n void n() -> a\n void o() -> b\n int f -> a\n int g -> a\n",
         "o.C -> o.C\n  a\n    = void o.C.n()\n      - void o.C.n() -\n  b\n    = void o.C.m()\n      - void o.C.m() "
         "-\n"
         "      - void o.C.o() -\n  .a int o.C.f\n  .a int o.C.g\n",
         "lines of one name in their order; fields of one name and type both", 0},
        {"o.C -> o.C:\n 5:0:void m():7:9 -> a\n 9:8:void n():1:2 -> a\n",
         "o.C -> o.C\n  a\n    = void o.C.m()\n      - void o.C.m() 7:9\n      -2147483648:-2147483648 void o.C.n() "
         "1:2\n",
         "a last line of 0 is none; a range upside down holds no line", 0},
        {"o.C -> o.C:\n x:1:void m() -> a\n void n() -> a\n",
         "o.C -> o.C\n  a\n    = void o.C.n()\n      - void o.C.n() -\n", "a number that is none", 1},
        {"word:\n void m() -> a\no.C -> o.C:\n", "o.C -> o.C\n", "a class line without an arrow ends the class before",
         0},
        {"# {\"id\":\"sourceFile\",\"fileName\":\"X\"}\no.C -> o.C:\n", "o.C -> o.C\n", "comments are comments", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct mapping m;
        struct fm_buf text;
        read_mapping(&m, framemap_str_of(rows[i].mapping), "proguard", false, NULL);
        if (m.status != FRAMEMAP_OK) fail_msg("%s: %s", rows[i].why, m.error.message);
        fm_buf_init(&text, &m.heap);
        put_mapping(&m, &text);
        if (!fm_str_equal(fm_buf_view(&text), framemap_str_of(rows[i].wanted)))
            fail_msg("%s: got\n%.*swanted\n%s", rows[i].why, (int)text.size, text.data, rows[i].wanted);
        if (m.warnings != rows[i].warnings) fail_msg("%s: %u warnings", rows[i].why, m.warnings);
        fm_buf_free(&text);
        free_mapping(&m);
    }
}

/* Checks one class that the mapping lists under very many names. Up to a limit, the members of the class are stored for
 * each name; further names have no members. */
static void test_shared_members(void **state)
{
    enum { MANY = 4000 };
    char *text = malloc(MANY * 60);
    struct mapping m;
    size_t size = 0;
    (void)state;
    for (unsigned i = 0; i < MANY; i++)
        size += (size_t)snprintf(text + size, 60, "o.C -> a%u:\n void m%u() -> a\n", i, i);
    read_mapping(&m, fm_str(text, size), "proguard", false, NULL);
    assert_int_equal(m.status, FRAMEMAP_OK);
    assert_int_equal(m.warnings, 1);
    free_mapping(&m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_mappings),
        cmocka_unit_test(test_shared_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
