/* Progress of long work on a terminal's stderr. */
#ifndef FM_CLI_PROGRESS_H
#define FM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct fm_progress {
    const char *what; /* name of the file or step; borrowed */
    bool shown;       /* a line stands on the terminal and must be wiped */
    bool silent;      /* stderr is no terminal */
    int64_t next_ms;  /* not drawn again before this moment */
};

void fm_progress_begin(struct fm_progress *progress, const char *what);
bool fm_progress_step(void *progress, uint64_t done, uint64_t total); /* a framemap_progress */
void fm_progress_end(struct fm_progress *progress);

#endif
