/* Tests of the table of the kinds of indexes: each name gives its code, and names that are not listed give none. */
#include "index/format/kinds.h"
#include "tests/testing.h"

static void every_name_has_its_code(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        framemap_index_kind code;
        framemap_kind family;
        unsigned queried_by, flags;
        const char *why;
    } rows[] = {
        {"elf", FRAMEMAP_INDEX_ELF, FRAMEMAP_KIND_NATIVE, FRAMEMAP_QUERIED_BY_ADDRESS, FM_KIND_CLASS_IS_SCOPE, "ELF"},
        {"macho", FRAMEMAP_INDEX_MACHO, FRAMEMAP_KIND_NATIVE, FRAMEMAP_QUERIED_BY_ADDRESS, FM_KIND_CLASS_IS_SCOPE,
         "Mach-O"},
        {"wasm", FRAMEMAP_INDEX_WASM, FRAMEMAP_KIND_NATIVE, FRAMEMAP_QUERIED_BY_ADDRESS, FM_KIND_CLASS_IS_SCOPE,
         "WebAssembly"},
        {"r8", FRAMEMAP_INDEX_R8, FRAMEMAP_KIND_JAVA, FRAMEMAP_QUERIED_BY_MEMBER, 0, "R8"},
        {"proguard", FRAMEMAP_INDEX_PROGUARD, FRAMEMAP_KIND_JAVA, FRAMEMAP_QUERIED_BY_MEMBER, 0, "ProGuard"},
        {"sourcemap", FRAMEMAP_INDEX_SOURCEMAP, FRAMEMAP_KIND_JS, FRAMEMAP_QUERIED_BY_LINE, 0, "source map"},
        {"dart", FRAMEMAP_INDEX_DART, FRAMEMAP_KIND_DART, FRAMEMAP_QUERIED_BY_ADDRESS, FM_KIND_NO_THUMB, "snapshot"},
        {"dart-names", FRAMEMAP_INDEX_DART_NAMES, FRAMEMAP_KIND_DART, FRAMEMAP_QUERIED_BY_MEMBER, 0, "obfuscation map"},
        {"kallsyms", FRAMEMAP_INDEX_KALLSYMS, FRAMEMAP_KIND_NATIVE, FRAMEMAP_QUERIED_BY_ADDRESS, 0, "kernel"},
        {"breakpad", FRAMEMAP_INDEX_BREAKPAD, FRAMEMAP_KIND_NATIVE, FRAMEMAP_QUERIED_BY_ADDRESS, 0, "dump_syms"},
        {"", FRAMEMAP_INDEX_OTHER, FRAMEMAP_KIND_UNKNOWN, 0, 0, "an index without the attribute"},
        {"fmx", FRAMEMAP_INDEX_OTHER, FRAMEMAP_KIND_UNKNOWN, 0, 0, "an index file is not a kind of index"},
        {"dar", FRAMEMAP_INDEX_OTHER, FRAMEMAP_KIND_UNKNOWN, 0, 0, "a prefix of a name"},
        {"dart-", FRAMEMAP_INDEX_OTHER, FRAMEMAP_KIND_UNKNOWN, 0, 0, "between two names"},
        {"ELF", FRAMEMAP_INDEX_OTHER, FRAMEMAP_KIND_UNKNOWN, 0, 0, "case matters"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fm_kind *kind = fm_kind_named(framemap_str_of(rows[i].name));
        if (kind->code != rows[i].code || kind->family != rows[i].family || kind->queried_by != rows[i].queried_by ||
            kind->flags != rows[i].flags)
            fail_msg("%s: code %d, family %d, queried by %u, flags %u", rows[i].why, (int)kind->code, (int)kind->family,
                     kind->queried_by, kind->flags);
    }
    assert_int_equal(fm_kind_named((framemap_str){NULL, 0})->code, FRAMEMAP_INDEX_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_name_has_its_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
