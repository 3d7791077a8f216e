#include "hostile_help.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char hostile_now[HOSTILE_NAME_SIZE];

static void say_now(void)
{
    static const char words[] = "hostile: died of ";
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0 || write(STDERR_FILENO, hostile_now, strlen(hostile_now)) < 0)
        return;
    (void)!write(STDERR_FILENO, "\n", 1);
}

/* AddressSanitizer, in builds that have it, calls this function before it prints an error. */
void __asan_on_error(void);
void __asan_on_error(void) { say_now(); }

static void on_signal(int number)
{
    say_now();
    signal(number, SIG_DFL);
    raise(number);
}

void hostile_watch(void)
{
    static const int deaths[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) signal(deaths[i], on_signal);
}

void hostile_fail(const char *what, const char *detail)
{
    fprintf(stderr, "hostile: %s: %s: %s\n", hostile_now, what, detail);
    exit(1);
}

static void *count_memory(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct hostile_account *account = context;
    void *moved = NULL;
    if (new_size == 0)
        free(ptr);
    else if ((moved = realloc(ptr, new_size)) == NULL)
        return NULL;
    /* unsigned: if memory is freed, the difference wraps around, which is intended */
    const uint64_t change = (uint64_t)new_size - (ptr != NULL ? old_size : 0);
    const uint64_t live = atomic_fetch_add(&account->live, change) + change;
    for (uint64_t peak = account->peak; live > peak && !atomic_compare_exchange_weak(&account->peak, &peak, live);) {
    }
    return moved;
}

framemap_allocator hostile_allocator(struct hostile_account *account)
{
    return (framemap_allocator){count_memory, account};
}

bool hostile_answered(framemap_status status, const framemap_error *error, const char *call)
{
    if (status == FRAMEMAP_OK) return true;
    if (error->code != status) hostile_fail(call, "the error's code is not the one returned");
    if (error->message[0] == 0) hostile_fail(call, "refused without a word");
    if (status == FRAMEMAP_E_INTERNAL) hostile_fail(call, error->message);
    return false;
}
