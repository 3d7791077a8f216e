/* Visits a profile of Firefox, and the profiles of other processes that are nested in it. Called by
 * profile_firefox.c, which reads stacks, and by formats/profiles/firefox_samples.c, which reads weights. */
#ifndef FM_FORMATS_SAMPLES_FIREFOX_PROCESSES_H
#define FM_FORMATS_SAMPLES_FIREFOX_PROCESSES_H

#include "core/json/json.h"

#define FM_FIREFOX_PROCESSES_MOST 8 /* maximum number of levels of profiles that are nested in each other */

struct fm_firefox_processes {
    const struct fm_json *json;
    int32_t root; /* the outermost profile; -1 once it has been returned */
    int32_t next[FM_FIREFOX_PROCESSES_MOST];
    size_t depth;
};

/* Starts the walk. root: the outermost profile, which fm_firefox_processes_next returns first. */
void fm_firefox_processes_start(struct fm_firefox_processes *walk, const struct fm_json *json, int32_t root);
/* Returns the next profile; -1: there are no more. Profiles nested deeper than FM_FIREFOX_PROCESSES_MOST levels are
 * skipped. */
int32_t fm_firefox_processes_next(struct fm_firefox_processes *walk);

#endif
