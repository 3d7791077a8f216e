#include "tests/testing.h"

#include "cli/fronts/front_names.h"
#include "core/text/mangled.h"

static void cuts_short_names(void **state)
{
    (void)state;
    static const struct {
        const char *shown, *wanted;
    } rows[] = {
        {"main", "main"},
        {"f(int)", "f"},
        {"ns::A::A(int)", "A"},
        {"ns::A::~A()", "~A"},
        {"int ns::A::f<double>(double)", "f<double>"},
        {"void f<std::pair<int, long>>(std::pair<int, long>)", "f<std::pair<int, long>>"},
        {"(anonymous namespace)::g(int)", "g"},
        {"ns::(anonymous namespace)::g(int)", "g"},
        {"ns::operator+(ns::A const&, int)", "operator+"},
        {"ns::A::operator()(int) const", "operator()"},
        {"main::$_0::operator()(int) const", "operator()"},
        {"main::'lambda'(int)::operator()(int) const", "operator()"},
        {"ns::A::f(char) const::'lambda'()::operator()() const", "operator()"},
        {"ns::A::f() const &::B::g(int) &&", "g"},
        {"ns::A::f() volatile", "f"},
        {"decltype(auto) std::visit<int>(int&&)", "visit<int>"},
        {"decltype (f(0)) g<int>(int)", "g<int>"},
        {"decltype(", "decltype("},
        {"ns::decltypes(int)", "decltypes"},
        {"ns::A::operator<<(int)", "operator<<"},
        {"ns::A::operator int() const", "operator int"},
        {"ns::operatorx(int)", "operatorx"},
        {"-[Animal speak]", "speak]"},
        {"", ""},
        {"f<", "f<"},
        {"(", "("},
        {"operator", "operator"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_str(fm_front_name_short(framemap_str_of(rows[i].shown)), rows[i].wanted);
    /* the name for a location outside of all functions */
    assert_null(fm_front_name_short((framemap_str){NULL, 0}).data);
}

static void keeps_names(void **state)
{
    (void)state;
    struct fm_front_names names;
    assert_int_equal(fm_front_names_open(&names, FRAMEMAP_DEMANGLE_LLVM, NULL), FRAMEMAP_OK);
    for (int round = 0; round < 3; round++) {
        char symbol[64], wanted[64];
        /* there are more names than the cache has rows: later names replace earlier ones */
        for (int i = 0; i < 9000; i++) {
            snprintf(symbol, sizeof symbol, "_Z6name%02dv", i % 100);
            snprintf(wanted, sizeof wanted, "name%02d()", i % 100);
            assert_str(fm_front_name_shown(&names, framemap_str_of(symbol)), wanted);
            snprintf(symbol, sizeof symbol, "plain_%d", i);
            assert_str(fm_front_name_shown(&names, framemap_str_of(symbol)), symbol);
        }
    }
    assert_str(fm_front_name_shown(&names, framemap_str_of("")), "");
    fm_front_names_close(&names);
}

static void names_the_outermost_by_its_symbol(void **state)
{
    (void)state;
    struct fm_front_names names;
    framemap_frame chain[2] = {
        {.function = framemap_str_of("_Z1fv"), .symbol = framemap_str_of("_Z1gv"), .inlined = true},
        {.function = framemap_str_of("_Z1hv"), .symbol = framemap_str_of("_Z1iv")}};
    framemap_frame answer = {.restored = {chain, 2}};
    assert_int_equal(fm_front_names_open(&names, FRAMEMAP_DEMANGLE_LLVM, NULL), FRAMEMAP_OK);
    assert_str(fm_front_frame_name(&names, &answer, 0), "f()");
    assert_str(fm_front_frame_name(&names, &answer, 1), "i()");
    chain[1].symbol = (framemap_str){0};
    assert_str(fm_front_frame_name(&names, &answer, 1), "h()");
    fm_front_names_close(&names);
}

/* Checks that the fronts leave exactly the names mangled that the library would demangle as names of Swift, apart from
 * those of files, which no front prints as a function. The command cannot call the library's own test. */
static void knows_names_of_swift(void **state)
{
    (void)state;
    static const char first[] = "_$@TZsSe", second[] = "_$TsSe0tZ";
    struct fm_front_names names;
    assert_int_equal(fm_front_names_open(&names, FRAMEMAP_DEMANGLE_LLVM, NULL), FRAMEMAP_OK);
    for (const char *a = first; *a; a++)
        for (const char *b = second; *b; b++)
            for (const char *c = second; *c; c++)
                for (const char *d = second; *d; d++) {
                    const char head[] = {*a, *b, *c, *d, '4', 's', 'h', 'o', 'p', '\0'};
                    assert_int_equal(fm_front_is_swift(framemap_str_of(head)), fm_may_be_swift(framemap_str_of(head)));
                }
    assert_str(fm_front_name_shown(&names, framemap_str_of("_$s4shop3payyyF")), "_$s4shop3payyyF");
    assert_str(fm_front_name_shown(&names, framemap_str_of("_TtC4shop5Store")), "_TtC4shop5Store");
    fm_front_names_close(&names);
    assert_int_equal(fm_front_names_open(&names, FRAMEMAP_DEMANGLE_DEFAULT, NULL), FRAMEMAP_OK);
    assert_str(fm_front_name_shown(&names, framemap_str_of("_$s4shop3payyyF")), "pay()");
    fm_front_names_close(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(knows_names_of_swift), cmocka_unit_test(cuts_short_names),
                                       cmocka_unit_test(keeps_names),
                                       cmocka_unit_test(names_the_outermost_by_its_symbol)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
