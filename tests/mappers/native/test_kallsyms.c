/* Tests of kallsyms_mapper.c through the public calls: which lines count, where functions end, and refused input. */
#include "core/text/text.h"
#include "tests/testing.h"
#include <framemap/framemap.h>

#define START "ffffffff81000000 T _stext\nffffffff81000040 t helper\n"

static const struct {
    const char *why, *text;
    uint64_t address;
    framemap_status wanted;
    const char *function; /* function that a lookup must find; NULL: it must find none */
} rows[] = {
    {"a function", START, 0xffffffff81000004, FRAMEMAP_OK, "_stext"},
    {"the next one", START, 0xffffffff81000040, FRAMEMAP_OK, "helper"},
    {"before the first", START, 0xffffffff80ffffff, FRAMEMAP_OK, NULL},
    {"the last ends somewhere", START, 0xffffffff81000040 + 65536, FRAMEMAP_OK, NULL},
    {"the first of an address names it", "ffffffff81000000 T b\nffffffff81000000 T a\n", 0xffffffff81000000,
     FRAMEMAP_OK, "b"},
    {"data names no code", START "ffffffff81000080 d table\n", 0xffffffff81000084, FRAMEMAP_OK, NULL},
    {"data at the address of a function", "ffffffff81000000 d table\nffffffff81000000 T f\n", 0xffffffff81000000,
     FRAMEMAP_OK, "f"},
    {"absolute values are no places", START "ffffffff81000050 A size\n", 0xffffffff81000054, FRAMEMAP_OK, "helper"},
    {"unsorted", "ffffffff81000040 t helper\nffffffff81000000 T _stext\n", 0xffffffff81000004, FRAMEMAP_OK, "_stext"},
    {"of a module", START "ffffffffc0201000 t f\t[mod]\n", 0xffffffffc0201004, FRAMEMAP_OK, "f"},
    {"between the kernel and a module", START "ffffffffc0201000 t f\t[mod]\n", 0xffffffff91000000, FRAMEMAP_OK, NULL},
    {"32 bits", "c0008000 T stext\n", 0xc0008004, FRAMEMAP_OK, "stext"},
    {"addresses with 0x", "0xffff82d040200000 T _stext\n0xffff82d040203000 t acpi.c#foo\n", 0xffff82d040203004,
     FRAMEMAP_OK, "acpi.c#foo"},
    {"no more than one 0x", "0x0xffff82d040200000 T _stext\n", 0, FRAMEMAP_E_FORMAT, NULL},
    {"mapping symbols of arm64", "ffffffc008000000 T f\nffffffc008000000 t $x\n", 0xffffffc008000000, FRAMEMAP_OK, "f"},
    {"code goes on after data in it", "00008000 T f\n00008010 t $d.1\n00008020 t $a\n00009000 T g\n", 0x8024,
     FRAMEMAP_OK, "f"},
    {"a label that relaxation kept", "0000000000010000 T f\n0000000000010008 t .LBB0_1\n", 0x1000c, FRAMEMAP_OK, "f"},
    {"a function of ppc64", "0000000000010000 T .f\n0000000000010008 T .LZ4_g\n", 0x1000c, FRAMEMAP_OK, ".LZ4_g"},
    {"RISC-V: which instructions follow", "0000000000010000 t $xrv64i2p1_m2p0\n0000000000010000 t f\n", 0x10000,
     FRAMEMAP_OK, "f"},
    {"Swift", "0000000000010000 T $s4shop4loadyyF\n", 0x10004, FRAMEMAP_OK, "load()"},
    {"nm: a function that chooses one", "0000000000010000 T f\n0000000000010040 i memcpy\n", 0x10044, FRAMEMAP_OK,
     "memcpy"},
    {"nm -S", "0000000000010000 0000000000000020 T f\n0000000000010040 T g\n", 0x1001f, FRAMEMAP_OK, "f"},
    {"nm -S: after the end", "0000000000010000 0000000000000020 T f\n0000000000010040 T g\n", 0x10020, FRAMEMAP_OK,
     NULL},
    {"nm -S: no size", "0000000000010000 0000000000000020 T f\n0000000000010040 T g\n", 0x10044, FRAMEMAP_OK, "g"},
    {"nm -S: a size of 0", "00010000 00000000 T f\n", 0x10004, FRAMEMAP_OK, "f"},
    {"nm -S: the biggest of an address", "00010000 T begin\n00010000 00000020 T f\n00010000 00000010 T g\n", 0x10004,
     FRAMEMAP_OK, "f"},
    {"nm -S: a label in a function", "00010000 00000020 T f\n00010010 t l\n", 0x10014, FRAMEMAP_OK, "l"},
    {"llvm-nm -S: not defined", "                                  U puts\n0000000000010000 0000000000000020 T f\n",
     0x10004, FRAMEMAP_OK, "f"},
    {"a size of other digits", "0000000000010000 00000020 T f\n", 0, FRAMEMAP_E_FORMAT, NULL},
    {"nm -C", "0000000000010000 T shop::load(int, char const*)\n0000000000020000 V vtable for shop::Cart\n", 0x10004,
     FRAMEMAP_OK, "shop::load(int, char const*)"},
    {"nm -C: a part of a function", "0000000000010000 t f() [clone .cold]\n", 0x10004, FRAMEMAP_OK,
     "f() [clone .cold]"},
    {"nm -C: Rust", "0000000000010000 t <shop::Cart as core::fmt::Debug>::fmt\n", 0x10004, FRAMEMAP_OK,
     "<shop::Cart as core::fmt::Debug>::fmt"},
    {"nm -D: a version", "0000000000010000 T load@@SHOP_1.0\n0000000000010040 T store@SHOP_0.9\n", 0x10004, FRAMEMAP_OK,
     "load"},
    {"stdcall", "00401000 T _load@12\n", 0x401004, FRAMEMAP_OK, "_load@12"},
    {"Go: a name with blanks ends the function before it",
     START START START START START START START START "ffffffff81000080 t type:.eq.a.B[interface {}]\n",
     0xffffffff81000084, FRAMEMAP_OK, "type:.eq.a.B[interface {}]"},
    {"CR and no line end", "ffffffff81000000 T f\r\nffffffff81000010 T g", 0xffffffff81000014, FRAMEMAP_OK, "g"},
    {"a damaged line is passed over",
     START START START START START START START START "ffffffff8100\nffffffff81000080 T g\n", 0xffffffff81000084,
     FRAMEMAP_OK, "g"},
    {"nm: symbols that are not defined",
     "                 w __gmon_start__\n" START "                 U puts@GLIBC_2.2.5\n", 0xffffffff81000004,
     FRAMEMAP_OK, "_stext"},
    {"nm, of 32 bits", "         U puts\nc0008000 T f\n", 0xc0008004, FRAMEMAP_OK, "f"},
    {"nm: no symbol is defined", "                 U puts\n", 0, FRAMEMAP_E_FORMAT, NULL},
    {"a log with blanks", "                 when it began\n" START, 0, FRAMEMAP_E_FORMAT, NULL},
    {"hidden addresses", "0000000000000000 T a\n0000000000000000 t b\n", 0, FRAMEMAP_E_EMPTY, NULL},
    {"only data", "ffffffff81000000 D a\n", 0, FRAMEMAP_E_EMPTY, NULL},
    {"too few digits", "81000 T a\n", 0, FRAMEMAP_E_FORMAT, NULL},
    {"no type", "ffffffff81000000 a b c\n", 0, FRAMEMAP_E_FORMAT, NULL},
    {"a log", "ffffffff81000000 is an address\n", 0, FRAMEMAP_E_FORMAT, NULL},
    {"Debian's stub", "ffffffffffffffff B The real System.map is in the linux-image-<version>-dbg package\n", 0,
     FRAMEMAP_E_FORMAT, NULL},
};

static void check_answer(framemap_index *index, size_t row)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_scratch *scratch = NULL;
    framemap_frame frame;
    query.position = rows[row].address;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    assert_int_equal(framemap_scratch_create(NULL, &scratch, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_resolve(index, &query, scratch, &frame, NULL), FRAMEMAP_OK);
    const framemap_str got = frame.restored.count > 0 ? frame.restored.frames[0].function : (framemap_str){NULL, 0};
    if (!(rows[row].function ? fm_str_equal(got, framemap_str_of(rows[row].function)) : got.size == 0))
        fail_msg("%s: %.*s", rows[row].why, (int)got.size, got.data ? got.data : "");
    framemap_scratch_free(scratch);
}

static void lists_of_symbols(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_str text = framemap_str_of(rows[i].text);
        const framemap_build_options options = {.size = sizeof options};
        framemap_bytes built = {0};
        framemap_index *index = NULL;
        framemap_error error = {0};
        const framemap_status status =
            framemap_index_build(text, framemap_str_of("kallsyms"), &options, &built, &error);
        if (status != rows[i].wanted) fail_msg("%s: %d, %s", rows[i].why, status, error.message);
        if (status != FRAMEMAP_OK) continue;
        assert_int_equal(framemap_index_open(framemap_bytes_str(&built), NULL, &index, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_index_verify(index, NULL), FRAMEMAP_OK);
        check_answer(index, i);
        framemap_index_close(index);
        framemap_bytes_free(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_of_symbols)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
