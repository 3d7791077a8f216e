/* The registry of mappings and the SIGBUS handler. Called by core/mapfile.c; api/api_file.c installs the handler. */
#define _DEFAULT_SOURCE /* makes the system headers declare MAP_ANONYMOUS */
#include "core/map_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* An entry is free while `begin` is 0. The handler reads entries while other threads add and remove them, so `size` is
 * written before `begin`. */
struct fm_guarded_map {
    atomic_uintptr_t begin;
    atomic_size_t size;
    atomic_bool changed;
    atomic_uint faults; /* faults in this mapping; see MOST_FAULTS */
};

/* Faults in one mapping after which the guard gives up. After the first fault, every later page of the mapping is
 * anonymous memory; a few more faults can come from threads that read the page at the same moment, and from earlier
 * pages. Many faults mean that the zeroed pages do not take effect (as with qemu 7.2 emulating 32-bit ARM); then the
 * process ends as it does without the guard. */
#define MOST_FAULTS 10000u

/* Blocks of entries are linked and never freed, because the handler can be reading them at any time. */
enum { ROWS = 512 };
struct guard_block {
    _Atomic(struct guard_block *) next;
    struct fm_guarded_map rows[ROWS];
};

static struct guard_block first_block;
static atomic_int state;          /* whether the handler is installed */
static struct sigaction previous; /* written before `state` becomes INSTALLED */
static uintptr_t page_size;
enum { ABSENT, INSTALLING, INSTALLED };

/* --- adding and removing entries --- */

static bool claim(struct fm_guarded_map *row, void *map, size_t size)
{
    uintptr_t claimed = 0;
    /* The address 1 reserves the entry: no mapping starts there, so the handler does not match the entry yet. */
    if (!atomic_compare_exchange_strong(&row->begin, &claimed, 1)) return false;
    atomic_store(&row->changed, false);
    atomic_store(&row->faults, 0);
    atomic_store(&row->size, size);
    atomic_store(&row->begin, (uintptr_t)map);
    return true;
}

static struct guard_block *next_block(struct guard_block *block)
{
    struct guard_block *next = atomic_load(&block->next);
    if (next) return next;
    void *made = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) return NULL;
    if (atomic_compare_exchange_strong(&block->next, &next, (struct guard_block *)made)) return made;
    /* another thread has linked a new block before this one, so `next` is that thread's block */
    munmap(made, sizeof *next);
    return next;
}

struct fm_guarded_map *fm_guard_add(void *map, size_t size)
{
    for (struct guard_block *block = &first_block; block; block = next_block(block))
        for (size_t i = 0; i < ROWS; i++)
            if (atomic_load_explicit(&block->rows[i].begin, memory_order_relaxed) == 0 &&
                claim(&block->rows[i], map, size))
                return &block->rows[i];
    return NULL;
}

void fm_guard_remove(struct fm_guarded_map *guarded)
{
    if (guarded) atomic_store(&guarded->begin, 0);
}

bool fm_guard_changed(const struct fm_guarded_map *guarded) { return guarded && atomic_load(&guarded->changed); }

/* --- handling the signal, with atomics and mmap only, which is a plain system call --- */

static struct fm_guarded_map *row_of(uintptr_t address)
{
    for (struct guard_block *block = &first_block; block; block = atomic_load(&block->next))
        for (size_t i = 0; i < ROWS; i++) {
            uintptr_t begin = atomic_load(&block->rows[i].begin);
            if (begin > 1 && address >= begin && address - begin < atomic_load(&block->rows[i].size))
                return &block->rows[i];
        }
    return NULL;
}

/* Puts zeros in place of the lost page and everything after it: the file was truncated there or before. */
static bool put_zeros(struct fm_guarded_map *row, uintptr_t address)
{
    if (atomic_fetch_add(&row->faults, 1) >= MOST_FAULTS) return false;
    uintptr_t page = address - address % page_size;
    uintptr_t end = atomic_load(&row->begin) + atomic_load(&row->size);
    void *zeros = mmap((void *)page, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) return false;
    atomic_store(&row->changed, true);
    return true;
}

static void pass_on(int number, siginfo_t *info, void *context)
{
    if (previous.sa_flags & SA_SIGINFO)
        previous.sa_sigaction(number, info, context);
    else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
        previous.sa_handler(number);
    /* the default action of the signal is restored: the CPU repeats the access, and the system ends the process as
     * without the guard */
    else
        sigaction(number, &previous, NULL);
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    int kept = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    /* si_code is above 0 if the system sent the signal because of a memory access; other signals were sent by a process
     * and have no address. */
    struct fm_guarded_map *row = info->si_code > 0 ? row_of(address) : NULL;
    if (!row || !put_zeros(row, address)) pass_on(number, info, context);
    errno = kept;
}

bool fm_guard_install(void)
{
    int expected = ABSENT;
    if (!atomic_compare_exchange_strong(&state, &expected, INSTALLING)) return expected == INSTALLED;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_bus_error;
    action.sa_flags = (int)(SA_SIGINFO | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    long size = sysconf(_SC_PAGESIZE);
    page_size = size > 0 ? (uintptr_t)size : 4096;
    /* The previous handler is recorded before this one is installed, so that it is known if a signal arrives in
     * between. */
    bool good = sigaction(SIGBUS, NULL, &previous) == 0 && sigaction(SIGBUS, &action, NULL) == 0;
    atomic_store(&state, good ? INSTALLED : ABSENT);
    return good;
}
