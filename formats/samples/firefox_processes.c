/* Implements firefox_processes.h: visits the profiles of all processes in the JSON document, a process before those
 * nested in it, with an explicit stack of limited depth in place of recursion. */
#include "formats/samples/firefox_processes.h"

/* Continues the walk with the profiles that are nested in a profile, if there are any. */
static void enter(struct fm_firefox_processes *walk, int32_t profile)
{
    const int32_t inner = fm_json_first(walk->json, fm_json_get(walk->json, profile, "processes"));
    if (inner >= 0 && walk->depth < FM_FIREFOX_PROCESSES_MOST) walk->next[walk->depth++] = inner;
}

void fm_firefox_processes_start(struct fm_firefox_processes *walk, const struct fm_json *json, int32_t root)
{
    *walk = (struct fm_firefox_processes){.json = json, .root = root};
}

/* Returns the next profile in the lists of nested profiles that the walk has entered; -1: they have no more
 * profiles. */
static int32_t next_nested(struct fm_firefox_processes *walk)
{
    for (; walk->depth > 0; walk->depth--) {
        int32_t *next = &walk->next[walk->depth - 1];
        const int32_t profile = *next;
        if (profile < 0) continue;
        *next = fm_json_next(walk->json, profile);
        return profile;
    }
    return -1;
}

int32_t fm_firefox_processes_next(struct fm_firefox_processes *walk)
{
    const int32_t profile = walk->root >= 0 ? walk->root : next_nested(walk);
    walk->root = -1;
    if (profile >= 0) enter(walk, profile);
    return profile;
}
