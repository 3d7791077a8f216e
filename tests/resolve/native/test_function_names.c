/* Tests of function_names.h, which derives full names of functions from symbols. */
#include "resolve/native/function_names.h"

#include "core/text/text.h"
#include "tests/testing.h"

/* Symbols as gcc and clang write them. wanted NULL: no full name can be derived from the symbol. */
static const struct {
    const char *why, *name, *symbol, *wanted;
} rows[] = {
    {"a static function in a namespace", "hidden", "_ZN4demoL6hiddenEi", "demo::hidden(int)"},
    {"its cold part is the same function", "hidden", "_ZN4demoL6hiddenEi.cold", "demo::hidden(int)"},
    {"a copy of it with other parameters", "hidden", "_ZN4demoL6hiddenEi.constprop.0.isra.0", "demo::hidden(int)"},
    {"one of clang's ThinLTO", "hidden", "_ZN4demoL6hiddenEi.llvm.1234567890", "demo::hidden(int)"},
    {"a method in an anonymous namespace", "run", "_ZN4demo12_GLOBAL__N_14Anon3runEi.constprop.0",
     "demo::(anonymous namespace)::Anon::run(int)"},
    {"template arguments are spelled otherwise", "tmpl<long int>", "_ZN4demoL4tmplIlEET_S1_",
     "long demo::tmpl<long>(long)"},
    {"a member of a class template", "get", "_ZNK12_GLOBAL__N_13BoxIiE3getEv",
     "(anonymous namespace)::Box<int>::get() const"},
    {"a call operator", "operator()", "_ZZN4demo4workEiENK3$_0clEi", "demo::work(int)::$_0::operator()(int) const"},
    {"a comparison", "operator<", "_ZN12_GLOBAL__N_1ltERKNS_1AES2_",
     "(anonymous namespace)::operator<((anonymous namespace)::A const&, (anonymous namespace)::A const&)"},
    {"a conversion", "operator int", "_ZNK12_GLOBAL__N_11AcviEv", "(anonymous namespace)::A::operator int() const"},
    {"a constructor", "A", "_ZN12_GLOBAL__N_11AC2Ev", "(anonymous namespace)::A::A()"},
    {"a destructor", "~A", "_ZN12_GLOBAL__N_11AD2Ev", "(anonymous namespace)::A::~A()"},
    {"an underscore of Mach-O in front", "hidden", "__ZN4demoL6hiddenEi", "demo::hidden(int)"},
    {"a symbol that people can read", "sleep", "boolean Main.sleep(int, boolean)", "boolean Main.sleep(int, boolean)"},
    {"such a symbol of another function", "sleep", "boolean Main.wake(sleep)", NULL},
    {"a destructor is not the constructor", "A", "_ZN12_GLOBAL__N_11AD2Ev", NULL},
    {"a function that covers the address by chance", "hidden", "_ZN4demo5outerEv", NULL},
    {"a scope of the same name is another function", "work", "_ZZN4demo4workEiENK3$_0clEi", NULL},
    {"a parameter of the same name is not the function", "Anon", "_ZN4demo4initENS_4AnonE", NULL},
    {"a longer name", "hid", "_ZN4demoL6hiddenEi", NULL},
    {"the end of a name", "den", "_ZN4demoL6hiddenEi", NULL},
    {"a symbol of C", "foo", "foo.part.0", NULL},
    {"no name", "", "_ZN4demoL6hiddenEi", NULL},
    {"no symbol", "hidden", "", NULL},
    {"a broken symbol", "hidden", "_ZN4demoL6hidden", NULL},
};

static void whole_names(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        framemap_str out = {NULL, 0};
        const bool known = fm_whole_name(framemap_str_of(rows[i].name), framemap_str_of(rows[i].symbol),
                                         FRAMEMAP_DEMANGLE_DEFAULT, &arena, &out);
        if (known != (rows[i].wanted != NULL))
            fail_msg("%s: %s", rows[i].why, known ? "it gave a name" : "it gave none");
#ifndef FRAMEMAP_LLVM_DEMANGLER
        continue; /* GNU's demangler, which is used here, spells lambdas and operators in another way */
#endif
        if (known && !fm_str_equal(out, framemap_str_of(rows[i].wanted)))
            fail_msg("%s: %.*s", rows[i].why, (int)out.size, out.data);
    }
    fm_arena_free(&arena);
    assert_true(heap.used == 0);
}

static void styles(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_str out = {NULL, 0};
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    assert_false(fm_whole_name(FM_STR("hidden"), FM_STR("_ZN4demoL6hiddenEi"), FRAMEMAP_DEMANGLE_NONE, &arena, &out));
    assert_true(
        fm_whole_name(FM_STR("hidden"), FM_STR("_ZN4demoL6hiddenEi.cold"), FRAMEMAP_DEMANGLE_GNU, &arena, &out));
    assert_true(fm_str_equal(out, FM_STR("demo::hidden(int)")));
    fm_arena_free(&arena);
}

static void placeholders(void **state)
{
    static const struct {
        const char *name;
        bool wanted;
    } names[] = {{"__hidden#81_", true},  {"__hidden#0_", true},    {"__hidden#_", false}, {"__hidden#81", false},
                 {"__hidden#8a_", false}, {"__hidden#81_x", false}, {"hidden", false},     {"", false}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_is_placeholder(framemap_str_of(names[i].name)) != names[i].wanted) fail_msg("%s", names[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_names), cmocka_unit_test(styles),
                                       cmocka_unit_test(placeholders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
