/* Tests the catalog of symbol files (session/catalog/catalog.h). */
#include "session/catalog/catalog.h"

#include "tests/testing.h"

static void architectures(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool match;
    } rows[] = {
        {"arm64", "arm64", true},   {"arm64-v8a", "aarch64", true},
        {"ARM-64", "arm64e", true}, {"armeabi-v7a", "armv7", true},
        {"arm", "armv7s", true},    {"x86", "i386", true},
        {"x86_64", "x86-64", true}, {"amd64", "x86_64", true},
        {"arm64", "arm", false},    {"x86", "x86_64", false},
        {"arm64", "x86_64", false}, {"ppc64", "ppc64", true},
        {"ppc64", "arm64", false},  {"", "arm64", true},
        {"ppc64", "", true},        {"riscv64", "mips", false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_str a = framemap_str_of(rows[i].a), b = framemap_str_of(rows[i].b);
        if (fm_arch_matches(a, b) != rows[i].match || fm_arch_matches(b, a) != rows[i].match)
            fail_msg("%s and %s", rows[i].a, rows[i].b);
    }
}

static void module_names(void **state)
{
    (void)state;
    static const struct {
        const char *module, *name;
    } rows[] = {
        {"libfoo.so", "libfoo.so"},
        {"/data/app/x/lib/arm64/libfoo.so", "libfoo.so"},
        {"base.apk!libfoo.so", "libfoo.so"},
        {"/data/app/base.apk!lib/arm64-v8a/libfoo.so", "libfoo.so"},
        {"/tmp/libfoo.so (deleted)", "libfoo.so"},
        {"My App", "My App"},
        {"Yahoo!", "Yahoo!"},
        {"/Applications/Go!.app/Go! Now", "Go! Now"},
        {"a folder/", ""},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_str(fm_module_name(framemap_str_of(rows[i].module)), rows[i].name);
}

#define LONG_ID "77e6f9aabbccddeeff00112233445566778899aa"
static const struct {
    const char *path, *name, *id, *arch;
    unsigned rank;
    const char *code_id;
    bool has_age;
} files[] = {
    {"/s/stripped/libapp.so", "libapp.so", LONG_ID, "arm64", 0, "", false},
    {"/s/full/libapp.so", "libapp.so", LONG_ID, "arm64", 14, "", false},
    {"/s/table/libapp.so", "libapp.so", LONG_ID, "arm64", 2, "", false},
    {"/s/fat.dSYM/App", "App", "11111111111111111111111111111111", "arm64", 14, "", false},
    {"/s/fat.dSYM/App", "App", "22222222222222222222222222222222", "x86_64", 14, "", false},
    {"/s/64/libtwo.so", "libtwo.so", "aaaaaaaa00000001", "arm64", 14, "", false},
    {"/s/32/libtwo.so", "libtwo.so", "aaaaaaaa00000002", "arm", 14, "", false},
    {"/s/old/libver.so", "libver.so", "bbbbbbbb00000001", "arm64", 14, "", false},
    {"/s/new/libver.so", "libver.so", "bbbbbbbb00000002", "arm64", 14, "", false},
    {"/s/noid/libplain.so", "libplain.so", "", "", 14, "", false},
    {"/s/short/libshort.so", "libshort.so", "cccccccc", "arm64", 14, "", false},
    {"/s/e/libe.so", "libe.so", "dddddddd00000001", "arm64e", 14, "", false},
    {"/s/e2/libe.so", "libe.so", "dddddddd00000002", "arm64", 14, "", false},
    {"/s/dynamic/libsym.so", "libsym.so", "eeeeeeee00000001", "arm64", 2, "", false},
    {"/s/whole/libsym.so", "libsym.so", "eeeeeeee00000001", "arm64", 2, "", false},
    {"/s/guid/libguid.so", "libguid.so", "73461bc941eaa3203f2e8a1e602a57471b4727f2", "arm64", 14, "", false},
    {"/s/code/libcode.so", "libcode.so", "", "arm64", 14, "08b9dbbf54898ba441286b060f47f30a", false},
    {"/s/unity/libunity.sym.so", "libunity.sym.so", "", "arm64", 2, "", false},
    {"/s/unity/libunity.dbg.so", "libunity.dbg.so", "ffffffff00000001", "arm64", 14, "", false},
    {"/s/unity/libmain.sym.so", "libmain.sym.so", "ffffffff00000002", "arm64", 2, "", false},
    {"/s/pdb/app.sym", "app.pdb", "5a9832e5287241c1838ed98914e9b7ff1", "i386", 12, "", true},
    {"/s/pdb/dll.sym", "dll.pdb", "6a9832e5287241c1838ed98914e9b7ff1a", "i386", 12, "", true},
    {"/s/fast/libfast.so", "libfast.so", "10faa6bbaab83db3", "x86_64", 14, "", false},
};

static bool fill(struct fm_catalog *catalog)
{
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        const struct fm_entry entry = {.path = files[i].path,
                                       .name = framemap_str_of(files[i].name),
                                       .id = framemap_str_of(files[i].id),
                                       .arch = framemap_str_of(files[i].arch),
                                       .rank = files[i].rank,
                                       .code_id = framemap_str_of(files[i].code_id),
                                       .has_age = files[i].has_age,
                                       .stamp = {1, i, 100 + i, 1, 1}};
        if (!fm_catalog_add(catalog, &entry)) return false;
    }
    return true;
}

static void searches(void **state)
{
    (void)state;
    static const struct {
        const char *why, *path, *name, *id, *arch;
        enum fm_found found;
        int file;
    } rows[] = {
        {"by id: the file with debug info of three", "", "", LONG_ID, "", FM_FOUND, 1},
        {"an id beats a name", "", "libother.so", LONG_ID, "", FM_FOUND, 1},
        {"an id cut off", "", "", "77e6f9aabbccddee", "", FM_FOUND, 1},
        {"Breakpad's id of an ELF file", "", "", "c91b4673ea4120a33f2e8a1e602a57470", "", FM_FOUND, 15},
        {"the same without an age", "", "", "c91b4673ea4120a33f2e8a1e602a5747", "", FM_FOUND_NOTHING, 0},
        {"what replaces a build id that a file lacks, as an event's debug id says it", "", "",
         "08b9dbbf54898ba441286b060f47f30a", "", FM_FOUND, 16},
        {"the same as Breakpad says it", "", "libother.so", "bfdbb9088954a48b41286b060f47f30a0", "", FM_FOUND, 16},
        {"GUID and age of a PDB", "", "", "5a9832e5287241c1838ed98914e9b7ff1", "", FM_FOUND, 20},
        {"the same without an age", "", "", "5a9832e5287241c1838ed98914e9b7ff", "", FM_FOUND, 20},
        {"with another age", "", "", "5a9832e5287241c1838ed98914e9b7ff2", "", FM_FOUND_NOTHING, 0},
        {"with an age that starts alike", "", "", "5a9832e5287241c1838ed98914e9b7ff1a", "", FM_FOUND_NOTHING, 0},
        {"with an age that ends early", "", "dll.dll", "6a9832e5287241c1838ed98914e9b7ff1", "", FM_FOUND_OTHER_ID, 21},
        {"a program by the name of its PDB", "", "app.exe", "", "", FM_FOUND, 20},
        {"a library by the name of its PDB", "", "dll.dll", "", "", FM_FOUND, 21},
        {"Breakpad's id of a short build id", "", "", "bba6fa10b8aab33d00000000000000000", "", FM_FOUND, 22},
        {"of another one", "", "", "bba6fa10b8aab33e00000000000000000", "", FM_FOUND_NOTHING, 0},
        {"of a longer one", "", "", "bba6fa10b8aab33d01000000000000000", "", FM_FOUND_NOTHING, 0},
        {"of other code", "", "libcode.so", "18b9dbbf54898ba441286b060f47f30a", "", FM_FOUND_NO_ID, 0},
        {"Unity's symbol files: the one with debug info", "", "libunity.so", "", "arm64", FM_FOUND, 18},
        {"the other one", "", "libmain.so", "", "arm64", FM_FOUND, 19},
        {"its own name", "", "libmain.sym.so", "", "arm64", FM_FOUND, 19},
        {"of another build", "", "libmain.so", "ffffffff00000003", "arm64", FM_FOUND_OTHER_ID, 19},
        {"an id cut off too far", "", "", "77e6f9a", "", FM_FOUND_NOTHING, 0},
        {"an id of which the file has only the beginning", "", "", "cccccccc0123456789abcdef", "", FM_FOUND, 10},
        {"an id that begins alike and ends otherwise", "", "", "77e6f9aabbccddeeff00112233445566778899ab", "",
         FM_FOUND_NOTHING, 0},
        {"a name under another id is never guessed", "", "libapp.so", "00000000000000000000", "", FM_FOUND_OTHER_ID, 0},
        {"a name whose file has no id, for a stack that has one", "", "libplain.so", "00000000000000000000", "",
         FM_FOUND_NO_ID, 0},
        {"a name that is not there, with an id", "", "libnone.so", "00000000000000000000", "", FM_FOUND_NOTHING, 0},
        {"by name, all of one id: the best", "", "libapp.so", "", "", FM_FOUND, 1},
        {"by name out of an archive", "", "base.apk!libapp.so", "", "arm64-v8a", FM_FOUND, 1},
        {"by name for another CPU", "", "libapp.so", "", "x86_64", FM_FOUND_OTHER_ARCH, 0},
        {"by name: two CPUs, the stack says which", "", "libtwo.so", "", "armeabi-v7a", FM_FOUND, 6},
        {"by name: two CPUs, the stack says nothing", "", "libtwo.so", "", "", FM_FOUND_SEVERAL, 0},
        {"by name: two versions", "", "libver.so", "", "arm64", FM_FOUND_SEVERAL, 0},
        {"by name: two kin CPUs, one said exactly", "", "libe.so", "", "arm64", FM_FOUND, 12},
        {"by name: two kin CPUs, the other", "", "libe.so", "", "arm64e", FM_FOUND, 11},
        {"by name without anything else", "", "libplain.so", "", "riscv64", FM_FOUND, 9},
        {"by the name of a library without its extension", "", "libplain", "", "", FM_FOUND, 9},
        {"the same of two versions", "", "libver", "", "arm64", FM_FOUND_SEVERAL, 0},
        {"a part of a name", "", "libpl", "", "", FM_FOUND_NOTHING, 0},
        {"another extension", "", "libplain.x", "", "", FM_FOUND_NOTHING, 0},
        {"a slice of a fat file by its id", "", "App", "22222222222222222222222222222222", "", FM_FOUND, 4},
        {"a slice of a fat file by its CPU", "/s/fat.dSYM", "", "", "arm64", FM_FOUND, 3},
        {"a slice of a fat file, not said which", "/s/fat.dSYM/App", "", "", "", FM_FOUND_SEVERAL, 0},
        {"a slice that the file has not", "/s/fat.dSYM/App", "", "", "arm", FM_FOUND_OTHER_ARCH, 0},
        {"a file by its path", "/s/stripped/libapp.so", "", "", "", FM_FOUND, 0},
        {"a file by its path, with its id", "/s/stripped/libapp.so", "", LONG_ID, "", FM_FOUND, 0},
        {"a file by its path, with another id", "/s/stripped/libapp.so", "", "bbbbbbbb00000002", "", FM_FOUND_OTHER_ID,
         0},
        {"a path is not a prefix of a longer name", "/s/st", "", "", "", FM_FOUND_NOTHING, 0},
        {"two symbol tables: the bigger file has the whole one", "", "", "eeeeeeee00000001", "", FM_FOUND, 14},
        {"nothing to go by", "", "", "", "arm64", FM_FOUND_NOTHING, 0},
    };
    struct fm_heap heap;
    struct fm_catalog catalog;
    fm_heap_init(&heap, NULL, 0);
    fm_catalog_init(&catalog, &heap);
    assert_true(fill(&catalog));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_image_query want = {.path = framemap_str_of(rows[i].path),
                                           .name = framemap_str_of(rows[i].name),
                                           .id = framemap_str_of(rows[i].id),
                                           .arch = framemap_str_of(rows[i].arch)};
        const struct fm_entry *entry = NULL;
        enum fm_found found = fm_catalog_find(&catalog, &want, &entry);
        if (found != rows[i].found) fail_msg("%s: ended as %d", rows[i].why, (int)found);
        if (found == FM_FOUND && entry->order != (uint32_t)rows[i].file)
            fail_msg("%s: got %s", rows[i].why, entry->path);
    }
    fm_catalog_free(&catalog);
    assert_true(heap.used == 0);
}

static void an_id_that_two_files_begin_with(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_catalog catalog;
    fm_heap_init(&heap, NULL, 0);
    fm_catalog_init(&catalog, &heap);
    assert_true(fill(&catalog));
    const framemap_image_query want = {.id = FM_STR("bbbbbbbb")};
    const struct fm_entry *entry = NULL;
    /* the ids of two builds start with these eight digits, so neither of the two builds is chosen */
    assert_int_equal(fm_catalog_find(&catalog, &want, &entry), FM_FOUND_SEVERAL);
    fm_catalog_free(&catalog);
}

static bool fill_and_find(const framemap_allocator *allocator, void *context)
{
    (void)context;
    struct fm_heap heap;
    struct fm_catalog catalog;
    fm_heap_init(&heap, allocator, 0);
    fm_catalog_init(&catalog, &heap);
    const framemap_image_query want = {.id = FM_STR(LONG_ID)};
    const struct fm_entry *entry = NULL;
    bool done = fill(&catalog) && fm_catalog_find(&catalog, &want, &entry) == FM_FOUND;
    fm_catalog_free(&catalog);
    return done;
}

static void out_of_memory(void **state)
{
    (void)state;
    sweep_allocations(fill_and_find, NULL);
}

/* Tests fm_catalog_mappings: it lists only mappings, sorted by id; of two files of one build, only the better one. */
static void mappings(void **state)
{
    (void)state;
    static const struct {
        const char *path, *id;
        unsigned rank;
        bool is_mapping;
    } rows[] = {{"/a/mapping.txt", "1a2b3c4", 4, true}, {"/a/lib.so", "1a2b3c4", 14, false},
                {"/b/mapping.txt", "9f9f9f9", 4, true}, {"/c/shop.fmx", "1a2b3c4", 5, true},
                {"/d/noid.txt", "", 4, true},           {"/e/noid.txt", "", 4, true}};
    static const char *const wanted[] = {"/d/noid.txt", "/e/noid.txt", "/c/shop.fmx", "/b/mapping.txt"};
    struct fm_heap heap;
    struct fm_catalog catalog;
    const struct fm_entry *const *found;
    size_t count;
    fm_heap_init(&heap, NULL, 0);
    fm_catalog_init(&catalog, &heap);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fm_entry entry = {.path = rows[i].path,
                                       .name = FM_STR("mapping.txt"),
                                       .id = framemap_str_of(rows[i].id),
                                       .rank = rows[i].rank,
                                       .is_mapping = rows[i].is_mapping};
        assert_true(fm_catalog_add(&catalog, &entry));
    }
    assert_true(fm_catalog_mappings(&catalog, &found, &count));
    assert_int_equal(count, COUNT_OF(wanted));
    for (size_t i = 0; i < COUNT_OF(wanted); i++) assert_string_equal(found[i]->path, wanted[i]);
    fm_catalog_free(&catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(architectures), cmocka_unit_test(module_names),
        cmocka_unit_test(searches),      cmocka_unit_test(an_id_that_two_files_begin_with),
        cmocka_unit_test(mappings),      cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
