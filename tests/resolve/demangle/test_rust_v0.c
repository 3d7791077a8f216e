/* Tests of the demangler of Rust's v0 symbol names. */
#include "core/text/buffer.h"
#include "resolve/demangle/rust_v0.h"

#include "core/limits.h"
#include "resolve/demangle/punycode.h"
#include "tests/resolve/demangle/demangle_help.h"

/* The expected texts are those that llvm-cxxfilt 19 prints. */
static void good_names(void **state)
{
    struct names *names = *state;
    static const struct {
        const char *why, *symbol, *text;
    } rows[] = {
        {"a function of a crate", "_RNvC1a1b", "a::b"},
        {"disambiguators are not shown", "_RNvCs1234_7mycrates0_3foo", "mycrate::foo"},
        {"a method", "_RNvMC1aNtB2_3Foo3bar", "<a::Foo>::bar"},
        {"a method of a generic type, shown as in a type", "_RNvMC0INtC8arrayvec8ArrayVechKj7b_E3new",
         "<arrayvec::ArrayVec<u8, 123>>::new"},
        {"a method of a trait", "_RNvXs_C1aNtB4_1TNtB4_2Tr1m", "<a::T as a::Tr>::m"},
        {"a method that a trait provides", "_RNvYNtC1a1TNtB2_2Tr1m", "<a::T as a::T::Tr>::m"},
        {"a closure", "_RNCNvC1a1b0", "a::b::{closure#0}"},
        {"a numbered closure", "_RNCNvC1a1bs_0", "a::b::{closure#1}"},
        {"code made by the compiler, with a name", "_RNSNvC1a1bs0_4drop", "a::b::{shim:drop#2}"},
        {"a namespace to come", "_RNZNvC1a1bu0", "a::b::{Z#0}"},
        {"generic arguments", "_RINvC1a1bhmE", "a::b::<u8, u32>"},
        {"an erased lifetime", "_RINvC1a1bL_E", "a::b::<'_>"},
        {"every plain type", "_RINvC1a1babcdefhijlmnopstuvxyzE",
         "a::b::<i8, bool, char, f64, str, f32, u8, isize, usize, i32, u32, i128, u128, _, i16, u16, (), ..., i64, "
         "u64, !>"},
        {"arrays, slices, tuples", "_RINvC1a1bAhj3_ShTEThEThjEE", "a::b::<[u8; 3], [u8], (), (u8,), (u8, usize)>"},
        {"references and pointers", "_RINvC1a1bRhQhPhOhE", "a::b::<&u8, &mut u8, *const u8, *mut u8>"},
        {"a lifetime that is bound", "_RINvC1a1bFG_RL0_hEuE", "a::b::<for<'a> fn(&'a u8)>"},
        {"two of them, and an ABI", "_RINvC1a1bFG0_UKCRL1_hRL0_hEuE",
         "a::b::<for<'a, 'b> unsafe extern \"C\" fn(&'a u8, &'b u8)>"},
        {"an ABI with dashes", "_RINvC1a1bFK8sys_v_64hEjE", "a::b::<extern \"sys-v-64\" fn(u8) -> usize>"},
        {"a trait object with what it is bound to", "_RINvC1a1bDG_INtC1c5TraitRL0_hEp4Itemjp3KeymEL_E",
         "a::b::<dyn for<'a> c::Trait<&'a u8, Item = usize, Key = u32>>"},
        {"a trait object bound to one type only", "_RINvC1a1bDNtC1c5Traitp4ItemjEL_E",
         "a::b::<dyn c::Trait<Item = usize>>"},
        {"a trait object of two traits", "_RINvC1a1bDNtC1c1TNtC1c1UEL_E", "a::b::<dyn c::T + c::U>"},
        {"numbers", "_RINvC1a1bKj0_Kj1f_Kin1_Kyffffffffffffffff_E", "a::b::<0, 31, -1, 18446744073709551615>"},
        {"numbers of 128 bits", "_RINvC1a1bKo1ffffffffffffffff_Knn80000000000000000000000000000000_E",
         "a::b::<0x1ffffffffffffffff, -0x80000000000000000000000000000000>"},
        {"truth and a hole", "_RINvC1a1bKb0_Kb1_KpE", "a::b::<false, true, _>"},
        {"characters", "_RINvC1a1bKc41_Kc27_Kc5c_Kc9_Kca_Kcd_Kc22_Kc1f600_E",
         "a::b::<'A', '\\'', '\\\\', '\\t', '\\n', '\\r', '\"', '\\u{1f600}'>"},
        {"Punycode", "_RNvCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
         "utf8_idents::საჭმელად_გემრიელი_სადილი"},
        {"Punycode with plain letters", "_RNvC1au8gdel_5qa", "a::gödel"},
        {"a path again", "_RINvC1a1bNtC1c1TNtB9_1UE", "a::b::<c::T, c::U>"},
        {"a copy made by another crate", "_RINvC1a1bhEC1d", "a::b::<u8>"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_str text = {NULL, 0};
        if (!fm_rust_v0(framemap_str_of(rows[i].symbol), &names->arena, &text)) fail_msg("%s: not read", rows[i].why);
        assert_str(text, rows[i].text);
    }
}

static void bad_names(void **state)
{
    struct names *names = *state;
    static const struct {
        const char *why, *symbol;
    } rows[] = {
        {"nothing", "_R"},
        {"no path", "_RX"},
        {"a name that is cut off", "_RNvC1a5b"},
        {"a size of all digits there are", "_RNvC1a99999999999999999999999b"},
        {"a reference ahead", "_RNvB5_1a"},
        {"a reference to itself", "_RNvB_1a"},
        {"a lifetime that nobody bound", "_RINvC1a1bRL0_hE"},
        {"more lifetimes than there are atoms, counted in silence", "_RNvMs_INvC1a0FG23brINtB4_Eu3_"},
        {"a truth of two", "_RINvC1a1bKb2_E"},
        {"a number with a leading zero", "_RINvC1a1bKj01_E"},
        {"a number in capitals", "_RINvC1a1bKjF_E"},
        {"an open list", "_RINvC1a1bh"},
        {"bytes after", "_RNvC1a1b!"},
        {"a second path too many", "_RNvC1a1bC1cC1d"},
        {"no Punycode", "_RNvC1au3___"},
        {"a base 62 number above 64 bits", "_RNvCszzzzzzzzzzzzzzzzzzzzz_1a1b"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_str text = {NULL, 0};
        if (fm_rust_v0(framemap_str_of(rows[i].symbol), &names->arena, &text))
            fail_msg("%s: %.*s", rows[i].why, (int)text.size, text.data);
        assert_null(text.data);
    }
}

/* Checks that deep, long and endless names are processed in bounded time and memory. */
static void hostile_names(void **state)
{
    struct names *names = *state;
    static const struct {
        const char *why, *head, *piece, *tail;
    } rows[] = {
        {"references in references", "_RINvC1a1b", "R", "hE"},
        {"tuples in tuples", "_RINvC1a1b", "T", "E"},
        {"names in names", "_R", "Nv", "C1a"},
        {"impls of impls, in silence", "_R", "M", "C1ah"},
        {"functions of functions", "_RINvC1a1b", "F", "uE"},
        {"constants of nothing", "_RINvC1a1b", "K", "pE"},
        {"lifetimes on lifetimes", "_RINvC1a1b", "FG9_", "uE"},
        {"the same reference over and over", "_RINvC1a1b", "B6_", "E"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_buf name;
        framemap_str text;
        fm_buf_init(&name, &names->heap);
        fm_buf_str(&name, framemap_str_of(rows[i].head));
        while (name.size < FM_LIMIT_DEMANGLE - 10) fm_buf_str(&name, framemap_str_of(rows[i].piece));
        fm_buf_str(&name, framemap_str_of(rows[i].tail));
        fm_rust_v0(fm_buf_view(&name), &names->arena, &text);
        fm_buf_free(&name);
        if (names->arena.total > 8 * FM_LIMIT_NAME) fail_msg("%s: %zu bytes", rows[i].why, names->arena.total);
        fm_arena_reset(&names->arena);
    }
}

static void punycode(void **state)
{
    (void)state;
    static const struct {
        const char *why, *text, *utf8;
    } rows[] = {
        {"one letter of two bytes among others", "gdel_5qa",
         "g\xc3\xb6"
         "del"},
        {"nothing is refused", "", ""},
        {"plain letters alone", "abc_", "abc"},
        {"underscores but the last are plain letters", "___", "__"},
        {"capitals are no digits", "A", ""},
        {"a number above 64 bits", "99999999999999999999a", ""},
        {"a number that does not end", "999", ""},
        {"beyond the last code point", "99999a", ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char out[FM_PUNYCODE_ROOM];
        size_t size = fm_punycode(framemap_str_of(rows[i].text), FM_PUNYCODE_RUST, out);
        if (!fm_str_equal(fm_str(out, size), framemap_str_of(rows[i].utf8)))
            fail_msg("%s: %.*s", rows[i].why, (int)size, out);
    }
}

static void every_prefix(void **state)
{
    struct names *names = *state;
    static const char whole[] =
        "_RINvMs_NtCs1_3foo3barINtB4_3BazuKjf_FG_RL0_hEuDNtC1c1Tp1IhEL_E3quxTAhj3_ThEEu8gdel_5qaEC1d";
    for (size_t size = 0; size < sizeof whole; size++) {
        char *part = malloc(size + 1); /* a separate allocation, so that sanitizers see reads past its end */
        framemap_str text;
        assert_non_null(part);
        memcpy(part + 1, whole, size);
        fm_rust_v0(fm_str(part + 1, size), &names->arena, &text);
        free(part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(good_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_prefix, set_up, tear_down),
        cmocka_unit_test(punycode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
