/* Implements progress.h: overwrites one line of the terminal with a percentage, first after 0.4 s and then at most ten
 * times a second. */
#include "cli/progress.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* The first update comes after FIRST_MS, so that short operations show nothing; then at most one each EVERY_MS. */
enum { FIRST_MS = 400, EVERY_MS = 100 };

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void fm_progress_begin(struct fm_progress *progress, const char *what)
{
    *progress = (struct fm_progress){.what = what, .silent = !isatty(STDERR_FILENO)};
    if (!progress->silent) progress->next_ms = now_ms() + FIRST_MS;
}

bool fm_progress_step(void *context, uint64_t done, uint64_t total)
{
    struct fm_progress *progress = context;
    if (progress->silent || total == 0) return true;
    int64_t now = now_ms();
    if (now < progress->next_ms) return true;
    progress->next_ms = now + EVERY_MS;
    progress->shown = true;
    double part = done < total ? (double)done / (double)total : 1.0;
    fputs("\r\033[K", stderr);
    fm_stderr_print("%s: %u %%", progress->what, (unsigned)(part * 100));
    return true;
}

void fm_progress_end(struct fm_progress *progress)
{
    if (progress->shown) fputs("\r\033[K", stderr);
    progress->shown = false;
}
