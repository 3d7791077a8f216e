/* What the programs that hand bad input to the public calls share: an account of memory, the name of what is tried,
 * checks of answers. */
#ifndef FM_TESTS_HOSTILE_HOSTILE_HELP_H
#define FM_TESTS_HOSTILE_HOSTILE_HELP_H

#include <framemap/framemap.h>
#include <stdatomic.h>

enum { HOSTILE_NAME_SIZE = 4096 + 64 };

/* What is being tried now: told when a check fails or the program dies. */
extern char hostile_now[HOSTILE_NAME_SIZE];

/* Tells hostile_now on signals that end a program, SIGALRM among them, and on reports of AddressSanitizer. */
void hostile_watch(void);

/* Prints hostile_now, what, detail and exits with 1. */
void hostile_fail(const char *what, const char *detail);

/* Memory of one copy's calls, which may come from several threads. */
struct hostile_account {
    atomic_uint_least64_t live, peak;
};
framemap_allocator hostile_allocator(struct hostile_account *account);

/* True when the call succeeded; a refusal must say so in its code and in words, and is never a fault of framemap
 * itself. */
bool hostile_answered(framemap_status status, const framemap_error *error, const char *call);

#endif
