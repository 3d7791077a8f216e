/* Shared by the programs that pass bad input to the public calls: a counting allocator, the name of the current trial,
 * checks of answers. */
#ifndef FM_TESTS_HOSTILE_HOSTILE_HELP_H
#define FM_TESTS_HOSTILE_HOSTILE_HELP_H

#include <framemap/framemap.h>
#include <stdatomic.h>

enum { HOSTILE_NAME_SIZE = 4096 + 64 };

/* The current trial: printed when a check fails or the program dies. */
extern char hostile_now[HOSTILE_NAME_SIZE];

/* Prints hostile_now on signals that end the program, including SIGALRM, and on reports of AddressSanitizer. */
void hostile_watch(void);

/* Prints hostile_now, `what` and `detail`, and exits with 1. */
void hostile_fail(const char *what, const char *detail);

/* The memory that the calls for one damaged copy use, possibly from several threads. */
struct hostile_account {
    atomic_uint_least64_t live, peak;
};
framemap_allocator hostile_allocator(struct hostile_account *account);

/* Returns whether the call succeeded. If it failed without a code or a message, or with an internal error, ends the
 * program with a message. */
bool hostile_answered(framemap_status status, const framemap_error *error, const char *call);

#endif
