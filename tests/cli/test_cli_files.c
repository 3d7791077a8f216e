#include "tests/testing.h"

#include "cli/cli.h"
#include "cli/cli_io.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void writes_and_reads(void **state)
{
    (void)state;
    char folder[] = "/tmp/framemap-test-XXXXXX", path[64];
    struct fm_file file;
    framemap_error error;
    struct stat about;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(fm_file_write(path, framemap_str_of("one"), &error), FRAMEMAP_OK);
    assert_int_equal(fm_file_write(path, framemap_str_of("two and more"), &error), FRAMEMAP_OK);
    assert_int_equal(fm_file_open(path, &file, &error), FRAMEMAP_OK);
    assert_str(file.bytes, "two and more");
    fm_file_close(&file);
    assert_int_equal(stat(path, &about), 0);
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(about.st_mode & 0777, 0666 & ~mask);

    assert_int_equal(fm_file_write(path, (framemap_str){0}, &error), FRAMEMAP_OK);
    assert_int_equal(fm_file_open(path, &file, &error), FRAMEMAP_OK);
    assert_int_equal(file.bytes.size, 0);
    fm_file_close(&file);
    unlink(path);

    assert_int_equal(fm_file_open(path, &file, &error), FRAMEMAP_E_IO);
    assert_string_equal(error.message, "No such file or directory");
    assert_string_equal(error.where, path);
    assert_int_equal(fm_file_open(folder, &file, &error), FRAMEMAP_E_IO);
    assert_non_null(strstr(error.message, "directory"));
    assert_int_equal(fm_file_open(path, &file, NULL), FRAMEMAP_E_IO);

    snprintf(path, sizeof path, "%s/none/file", folder);
    assert_int_equal(fm_file_write(path, framemap_str_of("x"), &error), FRAMEMAP_E_IO);
    rmdir(folder); /* rmdir succeeds only if no temporary file was left in the folder */
    assert_int_not_equal(access(folder, F_OK), 0);
}

static void reads_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint64_t wanted;
    } rows[] = {
        {"0", true, 0},
        {"1000", true, 1000},
        {"2K", true, 2048},
        {"3m", true, 3 << 20},
        {"1G", true, 1 << 30},
        {"", false, 0},
        {"K", false, 0},
        {"1KB", false, 0},
        {"1T", false, 0},
        {"-1", false, 0},
        {"1 K", false, 0},
        {"18446744073709551615", true, UINT64_MAX},
        {"18446744073709551616", false, 0},
        {"18014398509481984K", false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint64_t got = 0;
        if (fm_parse_size(rows[i].text, &got) != rows[i].good) fail_msg("\"%s\"", rows[i].text);
        assert_int_equal(got, rows[i].wanted);
    }
}

static void cuts_base_names(void **state)
{
    (void)state;
    assert_str(fm_base_name(framemap_str_of("/a/b.c")), "b.c");
    assert_str(fm_base_name(framemap_str_of("b.c")), "b.c");
    assert_str(fm_base_name(framemap_str_of("/a/")), "/a/");
    assert_str(fm_base_name((framemap_str){0}), "");
}

static void put_file(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(fm_file_write(path, framemap_str_of("x"), NULL), FRAMEMAP_OK);
}

static void bundles(void **state)
{
    static const char *const folders[] = {"Contents", "Contents/Resources", "Contents/Resources/DWARF"};
    char folder[] = "/tmp/framemap-test-XXXXXX", bundle[64], inside[3][128], path[160];
    struct fm_file file;
    framemap_error error;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(bundle, sizeof bundle, "%s/App.dSYM/", folder);
    assert_int_equal(mkdir(bundle, 0777), 0);
    assert_int_equal(fm_file_open(bundle, &file, &error), FRAMEMAP_E_IO);
    assert_non_null(strstr(error.message, "incomplete"));
    assert_null(fm_bundle_file(bundle));
    for (size_t i = 0; i < 3; i++) {
        snprintf(inside[i], sizeof inside[i], "%s%s", bundle, folders[i]);
        assert_int_equal(mkdir(inside[i], 0777), 0);
    }
    assert_int_equal(fm_file_open(bundle, &file, &error), FRAMEMAP_E_IO);
    assert_non_null(strstr(error.message, "incomplete"));
    put_file(inside[2], "App");
    char *found = fm_bundle_file(bundle);
    assert_non_null(found);
    assert_non_null(strstr(found, "Contents/Resources/DWARF/App"));
    free(found);
    put_file(inside[2], "App.debug.dylib");
    assert_null(fm_bundle_file(bundle));
    assert_int_equal(fm_file_open(bundle, &file, &error), FRAMEMAP_E_IO);
    assert_non_null(strstr(error.message, "several files"));
    snprintf(path, sizeof path, "%s/App", inside[2]);
    unlink(path);
    snprintf(path, sizeof path, "%s/App.debug.dylib", inside[2]);
    unlink(path);
    for (size_t i = 3; i-- > 0;) rmdir(inside[i]);
    rmdir(bundle);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(writes_and_reads), cmocka_unit_test(bundles),
                                       cmocka_unit_test(reads_sizes), cmocka_unit_test(cuts_base_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
