/* Tests files that are truncated or overwritten while they are mapped. With the guard, the process continues, and the
 * caller that opened the file gets to know of the change. */
#include "core/map_guard.h"
#include "core/mapfile.h"
#include "core/thread.h"
#include "tests/testing.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 1 << 20, KEPT = 10000 };

static char path[] = "/tmp/framemap-guard-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
    return fd >= 0 ? 0 : -1;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

/* Installs the guard's handler again, because cmocka installs a handler of its own for each test. */
static void put_guard(void)
{
    static struct sigaction guard;
    assert_true(fm_guard_install());
    if (guard.sa_sigaction == NULL)
        assert_int_equal(sigaction(SIGBUS, NULL, &guard), 0);
    else
        assert_int_equal(sigaction(SIGBUS, &guard, NULL), 0);
}

static void fill(char byte, size_t size)
{
    static char data[BYTES];
    memset(data, byte, size);
    int fd = open(path, O_WRONLY | O_TRUNC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), size);
    close(fd);
}

static size_t count(const struct fm_mapfile *file, char byte)
{
    size_t found = 0;
    for (size_t i = 0; i < file->bytes.size; i++) found += file->bytes.data[i] == byte;
    return found;
}

static void reads_zeros_where_the_file_was_cut(void **state)
{
    (void)state;
    struct fm_mapfile file;
    put_guard();
    fill('x', BYTES);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    assert_false(fm_mapfile_changed(&file));
    assert_int_equal(truncate(path, KEPT), 0);
    assert_int_equal(count(&file, 'x'), KEPT);
    assert_int_equal(count(&file, 0), BYTES - KEPT);
    assert_true(fm_mapfile_changed(&file));
    fm_mapfile_consumed(&file, BYTES); /* releasing zeroed pages is not a fault */
    assert_int_equal(file.bytes.data[BYTES - 1], 0);
    fm_mapfile_close(&file);
}

/* The truncation of a file is also reported to a reader that read none of the lost pages. */
static void knows_of_a_change_that_it_did_not_read(void **state)
{
    (void)state;
    struct fm_mapfile file;
    fill('x', BYTES);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    assert_int_equal(truncate(path, KEPT), 0);
    assert_true(fm_mapfile_changed(&file));
    fm_mapfile_close(&file);

    fill('x', BYTES);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    fill('y', BYTES); /* the file is overwritten in place, as by cp: it has the same size, but other bytes */
    assert_true(fm_mapfile_changed(&file));
    fm_mapfile_close(&file);
}

/* Renaming another file over an open one does not change the open file. */
static void a_file_that_was_replaced_has_not_changed(void **state)
{
    (void)state;
    char other[sizeof path + 2];
    struct fm_mapfile file;
    snprintf(other, sizeof other, "%s.b", path);
    fill('x', BYTES);
    assert_int_equal(rename(path, other), 0);
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    close(fd);
    fill('y', BYTES);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    assert_int_equal(rename(other, path), 0);
    assert_false(fm_mapfile_changed(&file));
    assert_int_equal(count(&file, 'y'), BYTES);
    fm_mapfile_close(&file);
}

static void small_files_are_read(void **state)
{
    (void)state;
    struct fm_mapfile file;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    fill('x', KEPT);
    assert_int_equal(fm_mapfile_open_small(path, KEPT, &heap, &file, NULL), FRAMEMAP_OK);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(count(&file, 'x'), KEPT);
    assert_false(fm_mapfile_changed(&file));
    fm_mapfile_close(&file);

    fill('x', KEPT);
    assert_int_equal(fm_mapfile_open_small(path, KEPT - 1, &heap, &file, NULL), FRAMEMAP_OK);
    assert_non_null(file.map);
    fm_mapfile_close(&file);

    struct fm_heap poor;
    framemap_error error;
    fm_heap_init(&poor, NULL, KEPT - 1);
    assert_int_equal(fm_mapfile_open_small(path, KEPT, &poor, &file, &error), FRAMEMAP_E_MEMORY);
    assert_string_equal(error.where, path);
    assert_int_equal(heap.used, 0);
}

/* Tests more mappings than one block of entries can hold: each mapping reports only its own change. */
static void guards_many_at_once(void **state)
{
    (void)state;
    enum { MANY = 1300, SIZE = 8192 };
    static struct fm_guarded_map *rows[MANY];
    static char *maps[MANY];
    put_guard();
    fill('x', SIZE);
    int fd = open(path, O_RDONLY);
    for (size_t i = 0; i < MANY; i++) {
        maps[i] = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
        assert_true(maps[i] != MAP_FAILED);
        rows[i] = fm_guard_add(maps[i], SIZE);
        assert_non_null(rows[i]);
    }
    assert_int_equal(truncate(path, 1), 0);
    for (size_t i = 0; i < MANY; i += 2) assert_int_equal(*(volatile char *)&maps[i][SIZE - 1], 0);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(fm_guard_changed(rows[i]), i % 2 == 0);
        fm_guard_remove(rows[i]);
        munmap(maps[i], SIZE);
    }
    close(fd);
    struct fm_guarded_map *again = fm_guard_add(&again, 1);
    assert_ptr_equal(again, rows[0]); /* entries are reused, and start unchanged */
    assert_false(fm_guard_changed(again));
    fm_guard_remove(again);
}

static void *read_all(void *context)
{
    const struct fm_mapfile *file = context;
    volatile char sum = 0;
    for (size_t i = 0; i < file->bytes.size; i += 64) sum = (char)(sum + ((const volatile char *)file->bytes.data)[i]);
    return NULL;
}

static void threads_meet_the_same_cut(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    struct fm_mapfile file;
    put_guard();
    fill('x', BYTES);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    assert_int_equal(truncate(path, 0), 0);
    for (size_t i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, read_all, &file), 0);
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert_true(fm_mapfile_changed(&file));
    fm_mapfile_close(&file);
}

/* The library starts its threads with most signals blocked, but not SIGBUS: reading a truncated file raises this
 * signal, and the guard handles it. */
static void threads_of_the_library_meet_a_cut(void **state)
{
    (void)state;
    fm_thread thread;
    struct fm_mapfile file;
    put_guard();
    fill('x', BYTES);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    assert_int_equal(truncate(path, 0), 0);
    /* thread creation fails in a build without threads */
    const bool started = fm_thread_start(&thread, read_all, &file, 0);
    if (started) fm_thread_join(thread);
    assert_true(fm_mapfile_changed(&file));
    fm_mapfile_close(&file);
}

/* Runs `work` in a child process, and returns the child's wait status: what the signal did to it. */
static int in_child(void (*work)(void))
{
    pid_t child = fork();
    if (child == 0) {
        work();
        _exit(0);
    }
    int ending;
    assert_int_equal(waitpid(child, &ending, 0), child);
    return ending;
}

static void read_lost_page_of_others(void)
{
    int fd = open(path, O_RDWR);
    char *map = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED || ftruncate(fd, 0) != 0) _exit(9);
    _exit(((volatile char *)map)[0] == 0 ? 7 : 8);
}

static void exit_with_3(int number)
{
    (void)number;
    _exit(3);
}

static void faults_of_others_are_not_swallowed(void **state)
{
    (void)state;
    fill('x', BYTES);
    signal(SIGBUS, SIG_DFL);
    int ending = in_child(read_lost_page_of_others);
    assert_true(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGBUS);
}

static void install_after_own_handler(void)
{
    signal(SIGBUS, exit_with_3);
    if (!fm_guard_install()) _exit(9);
    read_lost_page_of_others();
}

static void install_over_default(void)
{
    signal(SIGBUS, SIG_DFL);
    if (!fm_guard_install()) _exit(9);
    read_lost_page_of_others();
}

static void send_to_itself(void)
{
    signal(SIGBUS, SIG_DFL);
    if (!fm_guard_install()) _exit(9);
    raise(SIGBUS);
    raise(SIGBUS);
}

static void passes_on_what_is_not_its_own(void **state)
{
    (void)state;
    fill('x', BYTES);
    int ending = in_child(install_after_own_handler);
    assert_true(WIFEXITED(ending) && WEXITSTATUS(ending) == 3);
    fill('x', BYTES);
    ending = in_child(install_over_default);
    assert_true(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGBUS);
    ending = in_child(send_to_itself);
    assert_true(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGBUS);
}

int main(void)
{
    /* The tests that fork with a handler of their own come first, since the guard can be installed only once per
     * process. */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_of_others_are_not_swallowed),
        cmocka_unit_test(passes_on_what_is_not_its_own),
        cmocka_unit_test(reads_zeros_where_the_file_was_cut),
        cmocka_unit_test(knows_of_a_change_that_it_did_not_read),
        cmocka_unit_test(a_file_that_was_replaced_has_not_changed),
        cmocka_unit_test(small_files_are_read),
        cmocka_unit_test(guards_many_at_once),
        cmocka_unit_test(threads_meet_the_same_cut),
        cmocka_unit_test(threads_of_the_library_meet_a_cut),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
