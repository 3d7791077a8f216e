/* Removes the temporary file of an output when a signal ends the process. The path of that file is the only state that
 * the handler uses. */
#include "cli/temporary.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static const int endings[] = {SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
enum { ENDINGS = sizeof endings / sizeof *endings };

static const char *volatile temporary_path; /* path of the temporary file; NULL: there is none */
static struct sigaction before[ENDINGS];
static sigset_t ending_set;

/* Removes the temporary file and ends the process: raises the signal again, whose default action SA_RESETHAND has
 * restored. Only async-signal-safe calls may be made here. */
static void remove_temporary(int signal_number)
{
    const char *path = temporary_path;
    if (path) unlink(path);
    raise(signal_number);
}

int fm_temporary_begin(char *pattern)
{
    sigset_t mask;
    sigemptyset(&ending_set);
    for (size_t i = 0; i < ENDINGS; i++) sigaddset(&ending_set, endings[i]);

    /* None of these signals may arrive between creating the file and installing the handler. */
    sigprocmask(SIG_BLOCK, &ending_set, &mask);
    int fd = mkstemp(pattern);
    if (fd >= 0) {
        struct sigaction action = {.sa_handler = remove_temporary, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&action.sa_mask);
        temporary_path = pattern;
        for (size_t i = 0; i < ENDINGS; i++) {
            sigaction(endings[i], NULL, &before[i]);
            if (before[i].sa_handler == SIG_DFL) sigaction(endings[i], &action, NULL);
        }
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return fd;
}

void fm_temporary_end(void)
{
    sigset_t mask;
    sigprocmask(SIG_BLOCK, &ending_set, &mask);
    temporary_path = NULL;
    for (size_t i = 0; i < ENDINGS; i++) sigaction(endings[i], &before[i], NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
}
