/* Tests of fm_demangle: styles, suffixes, hostile names, and lack of memory. */
#include "resolve/demangle/demangle.h"

#include "core/limits.h"
#include "core/text/buffer.h"
#include "core/text/mangled.h"
#include "resolve/native/address.h"
#include "tests/resolve/demangle/demangle_help.h"

#ifdef FRAMEMAP_LLVM_DEMANGLER
/* Whether a name equals the wanted one except for blanks between closing angle brackets, which libc++abi before 15
 * writes. */
static bool is_of_old_llvm(framemap_str name, const char *wanted)
{
    size_t at = 0;
    for (size_t i = 0; i < name.size; i++) {
        const bool between = name.data[i] == ' ' && i > 0 && name.data[i - 1] == '>' && wanted[at] == '>';
        if (!between && name.data[i] != wanted[at++]) return false;
    }
    return wanted[at] == '\0';
}
#endif

/* The expected names are those that llvm-cxxfilt 19 and c++filt -i 2.40 print. gnu NULL: c++filt prints the same as
 * `llvm`. */
static void as_the_tools_print(void **state)
{
    struct names *names = *state;
    static const struct {
        const char *why, *symbol, *llvm, *gnu;
    } rows[] = {
        {"a function", "_Z5inneri", "inner(int)", NULL},
        {"no name of any mangling", "main", "main", NULL},
        {"too short to be one", "_Z", "_Z", NULL},
        {"a type alone is not a name", "i", "i", NULL},
        {"nested template brackets", "_Z1fSt6vectorIS_IiSaIiEESaIS1_EE",
         "f(std::vector<std::vector<int, std::allocator<int>>, std::allocator<std::vector<int, std::allocator<int>>>>)",
         "f(std::vector<std::vector<int, std::allocator<int> >, std::allocator<std::vector<int, std::allocator<int> > "
         "> >)"},
        {"a constructor", "_ZN3AppC1Ev", "App::App()", NULL},
        {"a lambda", "_ZZ4mainENKUlvE_clEv", "main::'lambda'()::operator()() const",
         "main::{lambda()#1}::operator()() const"},
        {"a local static", "_ZZ1fvE1x", "f()::x", NULL},
        {"a vtable", "_ZTV3App", "vtable for App", NULL},
        {"a part of a function that is seldom run", "_Z1fv.cold", "f() (.cold)", "f() [clone .cold]"},
        {"a part that was split off", "_Z1fv.part.0", "f() (.part.0)", "f() [clone .part.0]"},
        {"a name made unique for link-time optimisation", "_Z1fv.llvm.123", "f() (.llvm.123)", "f() [clone .llvm.123]"},
        {"a plain name keeps its suffix", "main.cold", "main.cold", NULL},
        {"a version: only binutils looks before it", "_Z1fv@@GLIBCXX_3.4", "_Z1fv@@GLIBCXX_3.4", "f()@@GLIBCXX_3.4"},
        {"a jump through the linkage table", "_Z1fv@plt", "_Z1fv@plt", "f()@plt"},
        {"a code symbol of PowerPC", "._Z1fv", ".f()", ".f()"},
        {"the underscore that Mach-O puts in front: binutils expects its caller to remove it", "__Z5inneri",
         "inner(int)", "__Z5inneri"},
        {"a block of Apple's C", "___Z1fv_block_invoke", "invocation function for block in f()",
         "___Z1fv_block_invoke"},
        {"set-up code of a file", "_GLOBAL__sub_I_main.cpp", "_GLOBAL__sub_I_main.cpp", NULL},
        {"set-up code as old compilers named it", "_GLOBAL__I_main", "_GLOBAL__I_main",
         "global constructors keyed to main"},
        {"Rust before 2018's scheme: LLVM keeps the hash", "_ZN4core3fmt5Write9write_fmt17h0123456789abcdeeE",
         "core::fmt::Write::write_fmt::h0123456789abcdee", "core::fmt::Write::write_fmt"},
        {"Rust's own scheme", "_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function", NULL},
        {"Rust's own scheme with a suffix", "_RNvC6_123foo3bar.llvm.9", "123foo::bar (.llvm.9)", "123foo::bar"},
        {"Rust's own scheme, cut off", "_RNvC6_123foo3", "_RNvC6_123foo3", NULL},
        {"a name of nothing: the tools print an empty line, which helps nobody", "_RC0", "_RC0", NULL},
        {"Rust's own scheme: a function over a lifetime", "_RINvC1a1bFG_RL0_hEuE", "a::b::<for<'a> fn(&'a u8)>", NULL},
        {"Rust's own scheme: more lifetimes than there are atoms, counted in silence", "_RNvMs_INvC1a0FG23brINtB4_Eu3_",
         "_RNvMs_INvC1a0FG23brINtB4_Eu3_", NULL},
        {"Objective-C needs nothing", "-[AppDelegate application:didFinishLaunchingWithOptions:]",
         "-[AppDelegate application:didFinishLaunchingWithOptions:]", NULL},
        {"Swift", "$s4main3AppV3runyyF", "App.run()", NULL},
        {"a cut-off name of Swift", "$s4main3AppV3runyyFT", "$s4main3AppV3runyyFT", NULL},
        {"a name of C that begins like one of Swift", "_Tt_table", "_Tt_table", NULL},
        {"cut off", "_ZN4App", "_ZN4App", NULL},
        {"bytes after a name", "_Z1fv!", "_Z1fv!", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_str symbol = framemap_str_of(rows[i].symbol);
        framemap_str llvm = fm_demangle(symbol, FRAMEMAP_DEMANGLE_LLVM, &names->arena);
        framemap_str standing = fm_demangle(symbol, FRAMEMAP_DEMANGLE_DEFAULT, &names->arena);
        framemap_str gnu = fm_demangle(symbol, FRAMEMAP_DEMANGLE_GNU, &names->arena);
        assert_str(fm_demangle(symbol, FRAMEMAP_DEMANGLE_NONE, &names->arena), rows[i].symbol);
        assert_true(fm_str_equal(llvm, standing));
        assert_true(fm_may_be_mangled(symbol) || (fm_str_equal(llvm, symbol) && fm_str_equal(gnu, symbol)));
#ifdef FRAMEMAP_LLVM_DEMANGLER
        assert_true(fm_str_equal(llvm, framemap_str_of(rows[i].llvm)) || is_of_old_llvm(llvm, rows[i].llvm));
#else
        if (i == 0) print_message("skipped: this build has no LLVM demangler\n");
        if (fm_str_starts(symbol, FM_STR("__Z")))
            assert_str(llvm, rows[i].llvm); /* for such simple names, both demanglers print the same */
#endif
        const char *wanted = rows[i].gnu ? rows[i].gnu : rows[i].llvm;
        if (!fm_str_equal(gnu, framemap_str_of(wanted))) fail_msg("%s: %.*s", rows[i].why, (int)gnu.size, gnu.data);
    }
}

/* Makes a name: head, then `count` times piece, then middle, then `count` times closing, then tail. */
static framemap_str repeat(struct fm_arena *arena, const char *head, const char *piece, size_t count,
                           const char *middle, const char *closing, const char *tail)
{
    struct fm_buf buf;
    fm_buf_init(&buf, arena->heap);
    fm_buf_str(&buf, framemap_str_of(head));
    for (size_t i = 0; i < count; i++) fm_buf_str(&buf, framemap_str_of(piece));
    fm_buf_str(&buf, framemap_str_of(middle));
    for (size_t i = 0; i < count; i++) fm_buf_str(&buf, framemap_str_of(closing));
    fm_buf_str(&buf, framemap_str_of(tail));
    framemap_str name;
    assert_true(fm_arena_str(arena, fm_buf_view(&buf), &name));
    fm_buf_free(&buf);
    return name;
}

/* Checks names that make a demangler recurse once for each byte: the longest names that are demangled on the
 * caller's stack, longer names, and names at the limit. */
static void deep_names(void **state)
{
    struct names *names = *state;
    static const struct {
        const char *head, *piece, *middle, *closing, *tail;
    } rows[] = {
        {"_Z1f", "P", "i", "", ""},
        {"_Z1f", "K", "i", "", ""},
        {"_Z1f", "A_", "i", "", ""},
        {"_Z1f", "Fv", "i", "E", ""},
        {"_Z1f", "1AI", "i", "E", ""},
        {"_Z1f", "N1AI", "i", "EE", ""},
        {"_Z", "Z", "1fv", "E1x", ""},
        {"_Z", "cv", "i", "", ""},
        {"_Z1fIL_Z", "1fIL_Z", "1gE", "EE", "Evv"},
        {"_Z1fILi1EEDT", "ng", "T_", "", "Ev"},
        {"_Z1f", "NUl", "i", "E_E", ""},
        {"_RINvC1a1b", "R", "u", "", "E"},
        {"_RINvC1a1b", "T", "u", "E", "E"},
        {"_RNvC1a", "Nv", "1b", "", ""},
        {"_Z1f", "U3fooI", "i", "E", "i"},
        {"_ZN1Acv", "P", "T_IiEEv", "", ""},
    };
    static const size_t sizes[] = {200, 1000, 4000, FM_LIMIT_DEMANGLE};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            size_t each = strlen(rows[i].piece) + strlen(rows[i].closing);
            framemap_str name = repeat(&names->arena, rows[i].head, rows[i].piece, (sizes[s] - 20) / each,
                                       rows[i].middle, rows[i].closing, rows[i].tail);
            assert_true(fm_demangle(name, FRAMEMAP_DEMANGLE_LLVM, &names->arena).size > 0);
            assert_true(fm_demangle(name, FRAMEMAP_DEMANGLE_GNU, &names->arena).size > 0);
            fm_arena_reset(&names->arena);
        }
}

static void number_in(struct fm_buf *buf, size_t number, const char *digits)
{
    const size_t base = strlen(digits);
    if (number >= base) fm_buf_byte(buf, digits[number / base]);
    fm_buf_byte(buf, digits[number % base]);
}

/* Makes "_Z1f" with template arguments, each of which contains the previous one twice, so that the text doubles with
 * each argument. */
static framemap_str cxx_bomb(struct fm_buf *buf, unsigned levels)
{
    static const char base36[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    fm_buf_str(buf, FM_STR("_Z1f1AIvE"));
    for (unsigned level = 0; level < levels; level++) {
        fm_buf_str(buf, FM_STR("S_IS"));
        number_in(buf, level, base36);
        fm_buf_str(buf, FM_STR("_S"));
        number_in(buf, level, base36);
        fm_buf_str(buf, FM_STR("_E"));
    }
    return fm_buf_view(buf);
}

/* Makes the name of a Rust generic with tuples, each of which contains the previous one twice. */
static framemap_str rust_bomb(struct fm_buf *buf, unsigned levels)
{
    static const char base62[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t before = 8; /* offset of the previous tuple, counted from the byte after "_R" */
    fm_buf_str(buf, FM_STR("_RINvC1a1bTuuE"));
    for (unsigned level = 0; level < levels; level++) {
        size_t begin = buf->size - 2;
        fm_buf_str(buf, FM_STR("TB"));
        number_in(buf, before - 1, base62);
        fm_buf_str(buf, FM_STR("_B"));
        number_in(buf, before - 1, base62);
        fm_buf_str(buf, FM_STR("_E"));
        before = begin;
    }
    fm_buf_byte(buf, 'E');
    return fm_buf_view(buf);
}

/* Checks names that expand: if the expansion is moderate, they are demangled; otherwise they are returned unchanged, in
 * bounded memory. */
static void exploding_names(void **state)
{
    struct names *names = *state;
    framemap_str (*const bombs[])(struct fm_buf *, unsigned) = {cxx_bomb, rust_bomb};
    for (size_t i = 0; i < COUNT_OF(bombs); i++)
        for (unsigned levels = 0; levels <= 60; levels += levels < 6 ? 3 : 27) {
            struct fm_buf buf;
            fm_buf_init(&buf, &names->heap);
            framemap_str symbol = bombs[i](&buf, levels);
            for (int style = FRAMEMAP_DEMANGLE_LLVM; style <= FRAMEMAP_DEMANGLE_GNU; style++) {
                framemap_str text = fm_demangle(symbol, (framemap_demangle)style, &names->arena);
                if ((levels <= 6) == (text.data == symbol.data))
                    fail_msg("%.*s with %u levels", (int)symbol.size, symbol.data, levels);
                assert_true(names->arena.total < (size_t)64 << 20);
                fm_arena_reset(&names->arena);
            }
            fm_buf_free(&buf);
        }
}

static void limits(void **state)
{
    struct names *names = *state;
    framemap_str longest = repeat(&names->arena, "_Z1f", "P", FM_LIMIT_DEMANGLE - 5, "i", "", "");
    assert_int_equal(longest.size, FM_LIMIT_DEMANGLE);
#ifdef FRAMEMAP_LLVM_DEMANGLER
    const bool demangled = fm_demangle(longest, FRAMEMAP_DEMANGLE_LLVM, &names->arena).data != longest.data;
#ifdef FRAMEMAP_THREADS
    assert_true(demangled);
#else
    /* a name that needs the larger stack is demangled on a thread of its own, which cannot start */
    assert_false(demangled);
#endif
#endif
    framemap_str longer = repeat(&names->arena, "_Z1f", "P", FM_LIMIT_DEMANGLE - 4, "i", "", "");
    assert_ptr_equal(fm_demangle(longer, FRAMEMAP_DEMANGLE_LLVM, &names->arena).data, longer.data);
    framemap_str holed = {"_Z1f\0v", 6};
    assert_ptr_equal(fm_demangle(holed, FRAMEMAP_DEMANGLE_LLVM, &names->arena).data, holed.data);
}

static void every_prefix(void **state)
{
    struct names *names = *state;
    static const char *const whole[] = {"_ZNSt6vectorIN3foo3barESaIS1_EE9push_backERKS1_.part.0",
                                        "_RNvMs_NtCs1_3foo3barINtB4_3BazuE3qux.llvm.1",
                                        "_$s4main3AppV4load4fromS2S_tYaKFTY0_.1"};
    for (size_t i = 0; i < COUNT_OF(whole); i++)
        for (size_t size = 0; size <= strlen(whole[i]); size++) {
            framemap_str part = {whole[i], size};
            for (int style = 0; style <= FRAMEMAP_DEMANGLE_FULL; style++) {
                framemap_str text = fm_demangle(part, (framemap_demangle)style, &names->arena);
                assert_true(text.size > 0 || size == 0);
            }
        }
}

/* Checks that without memory, a name is left mangled; this is not an error. */
static bool demangle_all(const framemap_allocator *allocator, void *context)
{
    static const char *const symbols[] = {"_Z5inneri", "_ZN4core3fmt5Write9write_fmt17h0123456789abcdeeE",
                                          "_RNvC6_123foo3bar.llvm.9"};
    struct failing *failing = allocator->context;
    struct fm_heap heap;
    struct fm_arena arena;
    (void)context;
    fm_heap_init(&heap, allocator, 0);
    bool done = true;
    for (size_t i = 0; i < COUNT_OF(symbols); i++)
        for (int style = 2; style < 4; style++) {
            fm_arena_init(&arena, &heap);
            framemap_str symbol = framemap_str_of(symbols[i]);
            framemap_str text = fm_demangle(symbol, (framemap_demangle)style, &arena);
            if (text.data == symbol.data) done = false;
            fm_arena_free(&arena);
        }
    return done && failing->requests > 0;
}

/* Checks names for which GNU's demangler would run for hours, and similar names that are demangled. */
static void conversions_in_conversions(void **state)
{
    (void)state;
    static const char *const parts[] = {"N1AcvPPT_I", "N1AcvPPT0_I", "cvTL0__I", "T00000000000_I"};
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        char name[1024] = "_ZN1Acv";
        for (unsigned k = 0; k < 40; k++) strcat(name, parts[i]);
        strcat(name, "vvvv");
        assert_true(
            fm_str_equal(fm_demangle(framemap_str_of(name), FRAMEMAP_DEMANGLE_GNU, &arena), framemap_str_of(name)));
#ifndef FRAMEMAP_LLVM_DEMANGLER /* without LLVM's demangler, GNU's reads this name */
        assert_true(
            fm_str_equal(fm_demangle(framemap_str_of(name), FRAMEMAP_DEMANGLE_DEFAULT, &arena), framemap_str_of(name)));
#endif
    }
    const framemap_str text = fm_demangle(FM_STR("_ZN4recvcvT_IiEIiEEv"), FRAMEMAP_DEMANGLE_GNU, &arena);
    assert_true(text.size > 0);
    fm_arena_free(&arena);
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_true(sweep_allocations(demangle_all, NULL) >= 6);
}

static void clean_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *why, *arch;
        uint64_t address, clean;
    } rows[] = {
        {"the mark of thumb code", "armv7", 0x1235, 0x1234},
        {"Android's name for it", "armeabi-v7a", 0x1235, 0x1234},
        {"Debian's name for it", "arm", 0x1235, 0x1234},
        {"arm64 has no such mark", "arm64", 0x1235, 0x1235},
        {"x86 has odd addresses", "x86_64", 0x1235, 0x1235},
        {"a signed pointer", "arm64e", 0x003be301a3d4a494, 0x00006301a3d4a494},
        {"a signed pointer under another name", "aarch64", 0xffbe0001a3d4a494, 0x00000001a3d4a494},
        {"a kernel address of another CPU", "x86_64", 0xffffffff81000000, 0xffffffff81000000},
        {"nothing is known", "", 0xffffffff81000001, 0xffffffff81000001},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (fm_address_clean(framemap_str_of(rows[i].arch), rows[i].address) != rows[i].clean)
            fail_msg("%s", rows[i].why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(as_the_tools_print, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deep_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(exploding_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_prefix, set_up, tear_down),
        cmocka_unit_test(conversions_in_conversions),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(clean_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
