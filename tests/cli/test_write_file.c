/* Tests how output files are written: which files are replaced and which are written in place, which properties of
 * the old file are kept, and that a signal leaves no temporary file. */
#include "tests/testing.h"

#include "cli/cli_io.h"
#include "cli/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* An empty directory for one test, removed together with the files that the test names. */
struct folder {
    char path[64];
};

static char *in(const struct folder *folder, const char *name)
{
    static char paths[8][128];
    static size_t next;
    char *path = paths[next++ % COUNT_OF(paths)];
    snprintf(path, sizeof paths[0], "%s/%s", folder->path, name);
    return path;
}

static struct folder make_folder(void)
{
    struct folder folder = {"/tmp/framemap-test-XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

/* Removes the directory. Fails if it contains other files, such as a temporary one. */
static void remove_folder(const struct folder *folder) { assert_int_equal(rmdir(folder->path), 0); }

static void write_plain(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void assert_holds(const char *path, const char *text)
{
    struct fm_file file;
    assert_int_equal(fm_file_open(path, &file, NULL), FRAMEMAP_OK);
    assert_str(file.bytes, text);
    fm_file_close(&file);
}

static void assert_written(const char *path, const char *text)
{
    framemap_error error;
    if (fm_file_write(path, framemap_str_of(text), &error)) fail_msg("%s: %s", error.where, error.message);
}

static void keeps_mode_and_owner(void **state)
{
    (void)state;
    struct folder folder = make_folder();
    char *path = in(&folder, "index");
    struct stat before, after;

    write_plain(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    if (geteuid() == 0) assert_int_equal(chown(path, 12345, 54321), 0); /* only root can change the owner of a file */
    assert_int_equal(stat(path, &before), 0);
    assert_written(path, "new");
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(after.st_uid, before.st_uid);
    assert_int_equal(after.st_gid, before.st_gid);
    assert_int_not_equal(after.st_ino, before.st_ino); /* the file was replaced by a new one, not overwritten */
    assert_holds(path, "new");
    unlink(path);
    remove_folder(&folder);
}

static void goes_where_a_symlink_leads(void **state)
{
    (void)state;
    struct folder folder = make_folder();
    char *target = in(&folder, "target"), *middle = in(&folder, "middle"), *link = in(&folder, "link");
    struct stat about;

    assert_int_equal(symlink("target", middle), 0);
    assert_int_equal(symlink("middle", link), 0);
    assert_written(link, "to nothing yet");
    assert_holds(target, "to nothing yet");
    assert_written(link, "again");
    assert_holds(target, "again");
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(lstat(middle, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    unlink(target), unlink(middle), unlink(link);
    remove_folder(&folder);
}

static void writes_to_a_fifo(void **state)
{
    (void)state;
    struct folder folder = make_folder();
    char *path = in(&folder, "fifo"), text[16] = "";
    struct stat about;

    assert_int_equal(mkfifo(path, 0600), 0);
    /* the FIFO is opened for reading and writing, so that opening it does not wait for a writer */
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    assert_written(path, "through");
    assert_int_equal(read(fd, text, sizeof text), strlen("through"));
    assert_string_equal(text, "through");
    close(fd);
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    unlink(path);
    remove_folder(&folder);
}

static void writes_to_a_device(void **state)
{
    (void)state;
    struct stat about;
    assert_written("/dev/null", "gone");
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    if (access("/dev/full", W_OK) == 0) {
        framemap_error error;
        assert_int_equal(fm_file_write("/dev/full", framemap_str_of("x"), &error), FRAMEMAP_E_IO);
        assert_string_equal(error.message, strerror(ENOSPC));
    }
}

static void refuses_a_folder(void **state)
{
    (void)state;
    struct folder folder = make_folder();
    framemap_error error;
    assert_int_equal(fm_file_write(folder.path, framemap_str_of("x"), &error), FRAMEMAP_E_IO);
    assert_string_equal(error.message, strerror(EISDIR));
    remove_folder(&folder);
}

/* In a read-only directory, a writable file is written in place, since no temporary file can be created. */
static void writes_in_place_where_it_must(void **state)
{
    (void)state;
    if (geteuid() == 0) skip(); /* root can write to every directory */
    struct folder folder = make_folder();
    char *path = in(&folder, "index");
    write_plain(path, "old and longer");
    assert_int_equal(chmod(folder.path, 0500), 0);
    assert_written(path, "new");
    assert_holds(path, "new");
    assert_int_equal(chmod(folder.path, 0700), 0);
    unlink(path);
    remove_folder(&folder);
}

static void writes_to_standard_output(void **state)
{
    (void)state;
    int ends[2], kept = dup(STDOUT_FILENO);
    char text[16] = "";
    fflush(stdout);
    assert_int_equal(pipe(ends), 0);
    assert_true(dup2(ends[1], STDOUT_FILENO) >= 0);
    framemap_status status = fm_file_write("-", framemap_str_of("bytes"), NULL);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    assert_int_equal(status, FRAMEMAP_OK);
    assert_int_equal(read(ends[0], text, sizeof text), 5);
    assert_string_equal(text, "bytes");
    close(ends[0]), close(ends[1]), close(kept);
}

/* Starts a child process that creates a temporary file and then gets a signal. Returns the child's exit status. */
static int child_with_signal(char *pattern, int signal_number, bool ignored)
{
    pid_t child = fork();
    if (child == 0) {
        if (ignored) signal(signal_number, SIG_IGN);
        if (fm_temporary_begin(pattern) < 0) _exit(9);
        raise(signal_number);
        if (access(pattern, F_OK) == 0) unlink(pattern);
        fm_temporary_end();
        _exit(7);
    }
    int ending;
    assert_int_equal(waitpid(child, &ending, 0), child);
    return ending;
}

static void signals_leave_no_temporary_file(void **state)
{
    (void)state;
    static const int signals[] = {SIGHUP, SIGINT, SIGTERM, SIGXCPU};
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        struct folder folder = make_folder();
        int ending = child_with_signal(in(&folder, "file.XXXXXX"), signals[i], false);
        assert_true(WIFSIGNALED(ending));
        assert_int_equal(WTERMSIG(ending), signals[i]);
        remove_folder(&folder);
    }
}

static void ignored_signals_stay_ignored(void **state)
{
    (void)state;
    struct folder folder = make_folder();
    int ending = child_with_signal(in(&folder, "file.XXXXXX"), SIGHUP, true);
    assert_true(WIFEXITED(ending));
    assert_int_equal(WEXITSTATUS(ending), 7);
    remove_folder(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_mode_and_owner),
        cmocka_unit_test(goes_where_a_symlink_leads),
        cmocka_unit_test(writes_to_a_fifo),
        cmocka_unit_test(writes_to_a_device),
        cmocka_unit_test(refuses_a_folder),
        cmocka_unit_test(writes_in_place_where_it_must),
        cmocka_unit_test(writes_to_standard_output),
        cmocka_unit_test(signals_leave_no_temporary_file),
        cmocka_unit_test(ignored_signals_stay_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
