/* Walks the profiles in a profile of Firefox: its own, and the nested ones of other processes. Called by
 * profile_firefox.c, which reads stacks, and formats/profiles/firefox_samples.c, which reads weights. */
#ifndef FM_FORMATS_SAMPLES_FIREFOX_PROCESSES_H
#define FM_FORMATS_SAMPLES_FIREFOX_PROCESSES_H

#include "core/json/json.h"

#define FM_FIREFOX_PROCESSES_MOST 8 /* depth of profiles of processes that are nested in each other */

struct fm_firefox_processes {
    const struct fm_json *json;
    int32_t root; /* the outermost profile; -1: it was returned */
    int32_t next[FM_FIREFOX_PROCESSES_MOST];
    size_t depth;
};

/* Starts a walk. root: the outermost profile, which is the first that fm_firefox_processes_next returns. */
void fm_firefox_processes_start(struct fm_firefox_processes *walk, const struct fm_json *json, int32_t root);
/* Returns the next profile; -1: there are no more. Profiles that are nested deeper than the limit are left out. */
int32_t fm_firefox_processes_next(struct fm_firefox_processes *walk);

#endif
