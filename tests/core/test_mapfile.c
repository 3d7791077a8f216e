/* Tests of core/mapfile.h. */
#include "core/mapfile.h"
#include "tests/testing.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/framemap-mapfile-XXXXXX";
static char path[128];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void maps_a_file(void **state)
{
    (void)state;
    struct fm_mapfile file;
    framemap_error error;
    write_file("some", "some text");
    assert_int_equal(fm_mapfile_open(path, &file, &error), FRAMEMAP_OK);
    assert_str(file.bytes, "some text");
    unlink(path); /* the mapping of a removed file stays valid */
    assert_str(file.bytes, "some text");
    fm_mapfile_close(&file);
    assert_int_equal(file.bytes.size, 0);
    fm_mapfile_close(&file);
}

static void an_empty_file_is_empty(void **state)
{
    (void)state;
    struct fm_mapfile file;
    write_file("empty", "");
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    assert_true(file.bytes.size == 0 && file.bytes.data != NULL);
    fm_mapfile_close(&file);
    unlink(path);
}

/* Released bytes are loaded again when they are read. */
static void lets_go(void **state)
{
    (void)state;
    enum { BYTES = 5 << 14 };
    static char text[BYTES + 1];
    static const size_t offsets[][2] = {
        {0, BYTES}, {5, 3}, {1 << 14, 1 << 15}, {BYTES - 1, 100}, {BYTES, 1}, {BYTES + 1, SIZE_MAX}, {7, SIZE_MAX}};
    struct fm_mapfile file;
    for (size_t i = 0; i < BYTES; i++) text[i] = (char)('a' + i % 23);
    write_file("big", text);
    assert_int_equal(fm_mapfile_open(in_folder("big"), &file, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        fm_mapfile_release_range(&file, offsets[i][0], offsets[i][1]);
        fm_mapfile_consumed(&file, offsets[i][0]);
        assert_int_equal(file.bytes.size, BYTES);
        assert_memory_equal(file.bytes.data, text, BYTES);
    }
    fm_mapfile_close(&file);
    fm_mapfile_release_range(&file, 0, 1);
    assert_int_equal(remove(in_folder("big")), 0);
}

static void assert_refused(const char *what, const char *words)
{
    struct fm_mapfile file = {.map_size = 42};
    framemap_error error;
    assert_int_equal(fm_mapfile_open(what, &file, &error), FRAMEMAP_E_IO);
    assert_string_equal(error.where, what);
    if (strstr(error.message, words) == NULL) fail_msg("%s: \"%s\" does not say \"%s\"", what, error.message, words);
    assert_int_equal(file.map_size, 42);
    assert_int_equal(fm_mapfile_open(what, &file, NULL), FRAMEMAP_E_IO);
}

static void says_why_it_refuses(void **state)
{
    (void)state;
    assert_refused(folder, "directory");
    assert_refused(in_folder("missing"), "no such file");
    assert_refused("", "no such file");
    assert_refused("/dev/null", "not a regular file");
    write_file("plain", "x");
    assert_refused(in_folder("plain/inside"), "not a folder");
    unlink(in_folder("plain"));
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_refused(path, "not a regular file"); /* the call does not wait for a writer */
    unlink(path);
    assert_int_equal(symlink(in_folder("loop"), path), 0);
    assert_refused(path, "symbolic links");
    unlink(path);
}

static void says_that_there_is_no_permission(void **state)
{
    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: nothing is forbidden to root\n");
        skip();
    }
    write_file("secret", "x");
    assert_int_equal(chmod(path, 0), 0);
    assert_refused(path, "no permission");
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_a_file),
        cmocka_unit_test(an_empty_file_is_empty),
        cmocka_unit_test(lets_go),
        cmocka_unit_test(says_why_it_refuses),
        cmocka_unit_test(says_that_there_is_no_permission),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
