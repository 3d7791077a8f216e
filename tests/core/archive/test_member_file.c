/* Tests of core/archive/member_file.h, with the archives of corpus/archives. */
#define _DEFAULT_SOURCE /* makes the system headers declare mkstemps() */
#include "core/archive/member_file.h"
#include "tests/testing.h"
#include <unistd.h>

#define ARCHIVES FM_SOURCE_DIR "/corpus/archives/"
#define KERNEL FM_SOURCE_DIR "/corpus/native/gcc-x86_64-O2-symtab.elf"
#define LIBRARY FM_SOURCE_DIR "/corpus/demo/symbols/libdemo.so"

static void members_are_what_was_put_in(void **state)
{
    static const struct {
        const char *why, *path, *same_as;
    } rows[] = {
        {"stored, aligned", ARCHIVES "base.apk!lib/arm64-v8a/libdemo.so", LIBRARY},
        {"as loaders write it", ARCHIVES "base.apk!/lib/arm64-v8a/libdemo.so", LIBRARY},
        {"deflated", ARCHIVES "app.aab!base/lib/arm64-v8a/libdemo.so", LIBRARY},
        {"another ending", ARCHIVES "native-debug-symbols.zip!arm64-v8a/libdemo.so.dbg", LIBRARY},
        {"GNU's long name", ARCHIVES "gnu.a!a_name_of_an_object_file_that_is_long.o",
         FM_SOURCE_DIR "/corpus/native/clang-arm64-O2.o"},
        {"BSD's long name", ARCHIVES "bsd.a!a_name_of_an_object_file_that_is_long.o",
         FM_SOURCE_DIR "/corpus/native/clang-arm64-O2.o"},
        {"in an archive in an archive", ARCHIVES "all.zip!store/base.apk!lib/arm64-v8a/libdemo.so", LIBRARY},
        {"the same, deflated", ARCHIVES "all.zip!/store/app.aab!/base/lib/arm64-v8a/libdemo.so", LIBRARY},
        {"gzip in a zip", ARCHIVES "packed.zip!libdemo.so.gz", LIBRARY},
        {"a kernel", ARCHIVES "vmlinuz", KERNEL},
        {"a plain file", LIBRARY, LIBRARY},
#ifdef FRAMEMAP_WITH_XZ
        {"a kernel with xz", ARCHIVES "vmlinuz-xz", KERNEL},
        {"xz in a zip", ARCHIVES "packed.zip!libdemo.so.xz", LIBRARY},
        {"xz", ARCHIVES "libdemo.so.xz", LIBRARY},
#endif
    };
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_mapfile file, other;
        framemap_error error;
        if (fm_member_file_open(rows[i].path, 0, &heap, &file, &error) != FRAMEMAP_OK)
            fail_msg("%s: %s", rows[i].why, error.message);
        assert_int_equal(fm_mapfile_open(rows[i].same_as, &other, NULL), FRAMEMAP_OK);
        if (!fm_str_equal(file.bytes, other.bytes)) fail_msg("%s: other bytes", rows[i].why);
        fm_mapfile_consumed(&file, file.bytes.size / 2); /* the offset counts bytes of the member, not of the archive */
        fm_mapfile_release_range(&file, 0, file.bytes.size);
        if (!fm_str_equal(file.bytes, other.bytes)) fail_msg("%s: other bytes afterwards", rows[i].why);
        assert_false(fm_mapfile_changed(&file));
        fm_mapfile_close(&other);
        fm_mapfile_close(&file);
        assert_int_equal(heap.used, 0);
    }
}

static void what_is_not_there_is_an_error(void **state)
{
    static const struct {
        const char *path;
        framemap_status wanted;
        const char *says; /* text that the message must contain; NULL: any message */
    } rows[] = {
        {ARCHIVES "app.aab!base/lib/arm64-v8a/libother.so", FRAMEMAP_E_IO, NULL},
        {ARCHIVES "app.aab!", FRAMEMAP_E_IO, NULL},
        {ARCHIVES "none.aab!lib.so", FRAMEMAP_E_IO, NULL},
        {LIBRARY "!lib.so", FRAMEMAP_E_FORMAT, NULL}, /* the library is not an archive */
        {ARCHIVES "vmlinuz-lz4", FRAMEMAP_E_UNSUPPORTED,
         "this file is not read: its kernel is compressed with lz4; give its vmlinux"},
        {ARCHIVES "all.zip!store/base.apk!none.so", FRAMEMAP_E_IO, NULL},
        {ARCHIVES "app.aab!base/manifest/AndroidManifest.xml!none", FRAMEMAP_E_FORMAT, NULL},
        {ARCHIVES "deep.zip!inner.zip!inner.zip!inner.zip!inner.zip!inner.zip!libdemo.so", FRAMEMAP_E_LIMIT, NULL},
    };
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_mapfile file;
        framemap_error error = {0};
        if (fm_member_file_open(rows[i].path, 0, &heap, &file, &error) != rows[i].wanted) fail_msg("%s", rows[i].path);
        assert_true(error.where[0] != 0);
        if (rows[i].says != NULL && strstr(error.message, rows[i].says) == NULL)
            fail_msg("%s: %s", rows[i].path, error.message);
    }
}

/* Two files in one archive have different stamps, so that neither is mistaken for the other. */
static void members_have_stamps_of_their_own(void **state)
{
    struct fm_stamp a, b, archive;
    (void)state;
    assert_true(fm_member_stamp_of(ARCHIVES "app.aab", &archive));
    assert_true(fm_member_stamp_of(ARCHIVES "app.aab!a", &a) && fm_member_stamp_of(ARCHIVES "app.aab!b", &b));
    assert_true(a.inode != b.inode && a.inode != archive.inode && a.modified_ns == archive.modified_ns);
    assert_false(fm_member_stamp_of(ARCHIVES "none.aab!a", &a));
}

static void a_file_name_with_the_mark_is_a_file(void **state)
{
    char path[] = "/tmp/framemap-member-XXXXXX!a.so";
    struct fm_mapfile file;
    struct fm_heap heap;
    (void)state;
    const int descriptor = mkstemps(path, 5);
    assert_true(descriptor >= 0 && write(descriptor, "text", 4) == 4 && close(descriptor) == 0);
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(fm_archive_path_size(path), 0);
    assert_int_equal(fm_member_file_open(path, 0, &heap, &file, NULL), FRAMEMAP_OK);
    assert_str(file.bytes, "text");
    fm_mapfile_close(&file);
    unlink(path);
}

/* A member whose name begins with a slash is found with and without the slash. */
static void a_slash_before_a_name_does_not_count(void **state)
{
    static const char archive[] = "!<arch>\n#1/8            0           0     0     644     12        `\n/lib/a.otext";
    static const char *const names[] = {"!/lib/a.o", "!lib/a.o"};
    char path[] = "/tmp/framemap-member-XXXXXX.a";
    struct fm_heap heap;
    (void)state;
    const int descriptor = mkstemps(path, 2);
    const ssize_t size = (ssize_t)sizeof archive - 1;
    assert_true(descriptor >= 0 && write(descriptor, archive, (size_t)size) == size && close(descriptor) == 0);
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct fm_mapfile file;
        char name[64];
        snprintf(name, sizeof name, "%s%s", path, names[i]);
        assert_int_equal(fm_member_file_open(name, 0, &heap, &file, NULL), FRAMEMAP_OK);
        assert_str(file.bytes, "text");
        fm_mapfile_close(&file);
    }
    unlink(path);
}

/* Opens maps in a script by the offset and name of their module. The script has two maps for one module name, "AA" and
 * "BB", and one for another module. */
static void a_map_in_a_script_is_found_from_an_offset(void **state)
{
#define DATA "//# sourceMappingURL=data:,"
#define MODULE(map, url) "eval('" DATA map "\\n//# sourceURL=webpack-internal:///" url "\\n');\n"
    static const char script[] = MODULE("AA", "./a.js") MODULE("BB", "./a.js") MODULE("CC", "b!./c.js");
    static const struct {
        const char *name, *want; /* want NULL: there is no such file */
    } cases[] = {
        {"!webpack-internal:///./a.js", DATA "AA"},
        {"!@0!webpack-internal:///./a.js", DATA "AA"},
        {"!@20!webpack-internal:///./a.js", DATA "BB"},
        {"!@99999!webpack-internal:///./a.js", DATA "AA"},
        {"!webpack-internal:///b!./c.js", DATA "CC"},
        {"!@1!webpack-internal:///./b.js", NULL},
        {"!@x!webpack-internal:///./a.js", NULL},
        {"!@1webpack-internal:///./a.js", NULL},
        {"!other:///./a.js", NULL},
    };
    char path[] = "/tmp/framemap-member-XXXXXX.js";
    struct fm_heap heap;
    (void)state;
    const int descriptor = mkstemps(path, 3);
    const ssize_t size = (ssize_t)sizeof script - 1;
    assert_true(descriptor >= 0 && write(descriptor, script, (size_t)size) == size && close(descriptor) == 0);
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fm_mapfile file;
        char name[96];
        snprintf(name, sizeof name, "%s%s", path, cases[i].name);
        const framemap_status status = fm_member_file_open(name, 0, &heap, &file, NULL);
        if ((status == FRAMEMAP_OK) != (cases[i].want != NULL)) fail_msg("%s: %d", cases[i].name, (int)status);
        if (status != FRAMEMAP_OK) continue;
        assert_str(file.bytes, cases[i].want);
        fm_mapfile_close(&file);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_what_was_put_in),
        cmocka_unit_test(what_is_not_there_is_an_error),
        cmocka_unit_test(members_have_stamps_of_their_own),
        cmocka_unit_test(a_file_name_with_the_mark_is_a_file),
        cmocka_unit_test(a_slash_before_a_name_does_not_count),
        cmocka_unit_test(a_map_in_a_script_is_found_from_an_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
