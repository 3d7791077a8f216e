/* Tests session/catalog/companion_files.h through framemap_session_companion. */
#include "tests/session/session_help.h"
#include <sys/resource.h>

enum { MANY = 100, FEW = 40 };

static struct folder folder;
static framemap_session *session;

static int set_up(void **state)
{
    const framemap_session_options options = {.size = sizeof options, .cache_path = ""};
    framemap_error error = {0};
    (void)state;
    folder_make(&folder);
    must_ok(framemap_session_open(&options, &session, &error), &error);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    framemap_session_close(session);
    remove_tree(folder.path);
    return 0;
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(&folder, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static bool ask(const char *name, unsigned attempt, framemap_str *bytes)
{
    const framemap_companion_request wanted = {.size = sizeof wanted,
                                               .kind = FRAMEMAP_COMPANION_DWO,
                                               .name = framemap_str_of(name),
                                               .folder = framemap_str_of(folder.path),
                                               .attempt = attempt};
    return framemap_session_companion(session, in_folder(&folder, "bin/app"), &wanted, bytes);
}

/* A program has as many .dwo files as source files. All of them are open at once, but they must not need a file
 * descriptor each. */
static void many_files_are_open_at_once(void **state)
{
    struct rlimit before, few;
    unsigned found = 0;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = FEW;
    assert_int_equal(mkdir(in_folder(&folder, "bin"), 0700), 0);
    for (unsigned i = 0; i < MANY; i++) {
        char name[32];
        snprintf(name, sizeof name, "bin/%u.dwo", i);
        write_text(name, name + strlen("bin/"));
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (unsigned i = 0; i < MANY; i++) {
        char name[32];
        framemap_str bytes;
        snprintf(name, sizeof name, "%u.dwo", i);
        found += ask(name, 0, &bytes) && fm_str_equal(bytes, framemap_str_of(name));
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(found, MANY);
}

/* The file at the path that the program states is empty, so the file next to the program is used. */
static void an_empty_candidate_does_not_end_the_search(void **state)
{
    framemap_str bytes;
    (void)state;
    assert_int_equal(mkdir(in_folder(&folder, "bin"), 0700), 0);
    assert_int_equal(mkdir(in_folder(&folder, "bin/sub"), 0700), 0);
    write_text("bin/sub/a.dwo", "");
    write_text("bin/a.dwo", "text");
    assert_true(ask("sub/a.dwo", 0, &bytes));
    assert_str(bytes, "text");
    assert_false(ask("sub/a.dwo", 1, &bytes));
}

/* If the next build replaces a companion file while a session is open, the session finds the new file. The bytes of the
 * old file, which the session has returned, stay valid. */
static void a_replaced_file_is_opened_again(void **state)
{
    framemap_str before, bytes;
    (void)state;
    assert_int_equal(mkdir(in_folder(&folder, "bin"), 0700), 0);
    for (unsigned i = 0; i < 3; i++) {
        const char *const text = i == 0 ? "first" : i == 1 ? "second" : "the third";
        write_text("new", text);
        assert_int_equal(rename(in_folder(&folder, "new"), in_folder(&folder, "bin/a.dwo")), 0);
        assert_true(ask("a.dwo", 0, i == 0 ? &before : &bytes));
        assert_str(i == 0 ? before : bytes, text);
    }
    assert_str(before, "first");
}

/* A path that leads out of the program's folder is not opened, whether it is absolute, contains "..", or is a symbolic
 * link. */
static void outside_is_not_opened(void **state)
{
    static const char *const names[] = {"../outside.dwo", "/etc/passwd", "link/outside.dwo", "sub/../../outside.dwo"};
    framemap_str bytes;
    (void)state;
    assert_int_equal(mkdir(in_folder(&folder, "bin"), 0700), 0);
    assert_int_equal(mkdir(in_folder(&folder, "bin/sub"), 0700), 0);
    assert_int_equal(symlink("..", in_folder(&folder, "bin/link")), 0);
    write_text("outside.dwo", "text");
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (ask(names[i], 0, &bytes)) fail_msg("%s was opened", names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(many_files_are_open_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_empty_candidate_does_not_end_the_search, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_replaced_file_is_opened_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(outside_is_not_opened, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
