/* Tests session/catalog/object_files.h, and object files as companions of a program, through
 * framemap_session_companion. */
#include "session/catalog/object_files.h"
#include "tests/session/session_help.h"
#include <utime.h>

static struct folder folder;
static framemap_session *session;

static int set_up(void **state)
{
    (void)state;
    folder_make(&folder);
    assert_int_equal(mkdir(in_folder(&folder, "bin"), 0700), 0);
    assert_int_equal(mkdir(in_folder(&folder, "bin/sub"), 0700), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    framemap_session_close(session);
    session = NULL;
    remove_tree(folder.path);
    return 0;
}

static void open_session(void)
{
    const framemap_session_options options = {.size = sizeof options, .cache_path = ""};
    framemap_error error = {0};
    must_ok(framemap_session_open(&options, &session, &error), &error);
}

static void write_at(const char *name, const char *text, size_t size, time_t time)
{
    FILE *file = fopen(in_folder(&folder, name), "wb");
    const struct utimbuf times = {time, time};
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(utime(in_folder(&folder, name), &times), 0);
}

static bool ask(const char *name, const char *time, unsigned attempt, framemap_str *bytes)
{
    const framemap_companion_request wanted = {.size = sizeof wanted,
                                               .kind = FRAMEMAP_COMPANION_OBJECT,
                                               .name = framemap_str_of(name),
                                               .id = framemap_str_of(time),
                                               .attempt = attempt};
    return framemap_session_companion(session, in_folder(&folder, "bin/app"), &wanted, bytes);
}

static void names_are_split(void **state)
{
    static const struct {
        const char *name, *path, *member;
    } rows[] = {{"/b/x.o", "/b/x.o", ""},
                {"/b/lib.a(x.o)", "/b/lib.a", "x.o"},
                {"/b/a(1)/x.o", "/b/a(1)/x.o", ""},
                {"/b(1)/l.a(x.o)", "/b(1)/l.a", "x.o"},
                {"l.a()", "l.a()", ""},
                {"(x.o)", "(x.o)", ""},
                {")", ")", ""},
                {"l.a(x.o", "l.a(x.o", ""}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_str path = framemap_str_of(rows[i].name), member = FM_STR("");
        fm_object_path_split(framemap_str_of(rows[i].name), &path, &member);
        assert_str(path, rows[i].path);
        assert_str(member, rows[i].member);
    }
    assert_int_equal(fm_object_common_end(FM_STR("/a/sub/x.o"), FM_STR("/other/sub/x.o")), strlen("/sub/x.o"));
    assert_int_equal(fm_object_common_end(FM_STR("x.o"), FM_STR("x.o")), 3);
    assert_int_equal(fm_object_common_end(FM_STR(""), FM_STR("x.o")), 0);
}

/* The program states when each object file was modified. A file with another time belongs to another build, and is not
 * used. */
static void only_files_of_the_time_are_used(void **state)
{
    framemap_str bytes;
    (void)state;
    open_session();
    write_at("bin/x.o", "beside", 6, 1700000000);
    assert_true(ask("/far/away/x.o", "1700000000", 0, &bytes));
    assert_str(bytes, "beside");
    assert_false(ask("/far/away/x.o", "1700000000", 1, &bytes));
    assert_false(ask("/far/away/x.o", "1700000001", 0, &bytes));
    assert_false(ask("/far/away/x.o", "17000000000000000000000", 0, &bytes));
    assert_false(ask("/far/away/x.o", "x", 0, &bytes));
    /* if the program states no time, the file's time is not compared */
    assert_true(ask("/far/away/x.o", "", 0, &bytes));
    assert_false(ask("../outside/x.o", "1", 0, &bytes));
}

/* If the path that the program states leads below the program's folder, it is tried before the file next to the
 * program. */
static void the_stated_path_is_first(void **state)
{
    framemap_str bytes;
    (void)state;
    open_session();
    write_at("bin/x.o", "beside", 6, 1700000000);
    write_at("bin/sub/x.o", "below", 5, 1700000000);
    assert_true(ask(in_folder(&folder, "bin/sub/x.o"), "1700000000", 0, &bytes));
    assert_str(bytes, "below");
    assert_true(ask(in_folder(&folder, "bin/sub/x.o"), "1700000000", 1, &bytes));
    assert_str(bytes, "beside");
    assert_false(ask(in_folder(&folder, "bin/sub/x.o"), "1700000000", 2, &bytes));
}

#define MEMBER(name, time, text) name "/            " time "  0     0     100644  6         `\n" text

/* An archive may contain several files with the same name. */
static void archives_have_files_of_one_name(void **state)
{
    static const char archive[] =
        "!<arch>\n" MEMBER("x.o", "1700000000", "first ") MEMBER("y.o", "1700000000", "other ")
            MEMBER("x.o", "1700000000", "second") MEMBER("x.o", "1600000000", "older ");
    framemap_str bytes;
    (void)state;
    open_session();
    write_at("bin/lib.a", archive, sizeof archive - 1, 5);
    assert_true(ask("/far/lib.a(x.o)", "1700000000", 0, &bytes));
    assert_str(bytes, "first ");
    assert_true(ask("/far/lib.a(x.o)", "1700000000", 1, &bytes));
    assert_str(bytes, "second");
    assert_false(ask("/far/lib.a(x.o)", "1700000000", 2, &bytes));
    assert_true(ask("/far/lib.a(x.o)", "1600000000", 0, &bytes));
    assert_str(bytes, "older ");
    assert_false(ask("/far/lib.a(z.o)", "", 0, &bytes));
    assert_true(ask("/far/lib.a(y.o)", "", 0, &bytes));
    assert_str(bytes, "other ");
    /* the archive is truncated; the files that are complete are found */
    write_at("bin/lib.a", archive, sizeof archive - 40, 6);
    assert_true(ask("/far/lib.a(x.o)", "1700000000", 0, &bytes));
    assert_false(ask("/far/lib.a(x.o)", "1600000000", 0, &bytes));
    write_at("bin/lib.a", "text", 4, 7);
    assert_false(ask("/far/lib.a(x.o)", "", 0, &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_split),
        cmocka_unit_test_setup_teardown(only_files_of_the_time_are_used, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_stated_path_is_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(archives_have_files_of_one_name, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
