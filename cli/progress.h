/* Shows the progress of long operations on stderr if it is a terminal. */
#ifndef FM_CLI_PROGRESS_H
#define FM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct fm_progress {
    const char *what; /* name of the file or step; borrowed */
    bool shown;       /* a progress line is on the terminal and must be erased */
    bool silent;      /* stderr is not a terminal */
    int64_t next_ms;  /* time of the next update, in milliseconds of the monotonic clock */
};

void fm_progress_begin(struct fm_progress *progress, const char *what);
bool fm_progress_step(void *progress, uint64_t done, uint64_t total); /* a callback of type framemap_progress */
void fm_progress_end(struct fm_progress *progress);

#endif
