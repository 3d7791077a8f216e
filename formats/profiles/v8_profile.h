/* V8's CPU profiles: nodes with call frames, and samples with the time between them. They are files of their own
 * (.cpuprofile), and parts of Chrome's traces. */
#ifndef FM_FORMATS_PROFILES_V8_PROFILE_H
#define FM_FORMATS_PROFILES_V8_PROFILE_H

#include "core/json/json.h"
#include "formats/profiles/profile_format.h"
#include "formats/profiles/sample_tree.h"

struct fm_v8_profile {
    struct fm_sample_tree *tree;
    uint64_t space;         /* of the ids of its nodes */
    uint32_t thread;        /* of the set */
    bool has_time;          /* when the first sample was taken is known */
    bool pending;           /* a sample waits for the next one, which says how long it lasts */
    uint32_t node;          /* of that sample, in the set */
    int64_t at_ns, last_ns; /* of the latest time read; of the sample that waits */
};

/* Adds nodes: their parents are named by `parent`, or by `children` of the parents. */
void fm_v8_add_nodes(const struct fm_v8_profile *profile, const struct fm_json *json, int32_t nodes);
/* Adds samples, which are ids of nodes. deltas: microseconds between each sample and the one before; -1: not known. */
void fm_v8_add_samples(struct fm_v8_profile *profile, const struct fm_json *json, int32_t samples, int32_t deltas);
/* Adds the sample that waits. end_ns: when the profile ended; anything earlier than the sample: not known. */
void fm_v8_end(struct fm_v8_profile *profile, int64_t end_ns);

#endif
