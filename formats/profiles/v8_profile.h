/* V8's CPU profiles: nodes with call frames, and samples with the times between them. Such a profile is a file
 * (.cpuprofile), or a part of one of Chrome's traces. */
#ifndef FM_FORMATS_PROFILES_V8_PROFILE_H
#define FM_FORMATS_PROFILES_V8_PROFILE_H

#include "core/json/json.h"
#include "formats/profiles/profile_format.h"
#include "formats/profiles/sample_tree.h"

struct fm_v8_profile {
    struct fm_sample_tree *tree;
    uint64_t space;  /* space of the ids of the profile's nodes in `tree` (fm_sample_tree_key) */
    uint32_t thread; /* number of the thread in the sample set */
    bool has_time;   /* the time of the first sample is known */
    /* a sample was read but not added yet, because its duration depends on the time of the next sample */
    bool pending;
    uint32_t node;   /* node of the pending sample in the sample set */
    int64_t at_ns;   /* the latest time that was read */
    int64_t last_ns; /* time of the pending sample */
};

/* Adds nodes. Either a node names its parent in `parent`, or a parent lists its children in `children`. */
void fm_v8_add_nodes(const struct fm_v8_profile *profile, const struct fm_json *json, int32_t nodes);
/* Adds samples: a list of node ids. deltas: list of the microseconds between each sample and the previous one; -1: not
 * known. */
void fm_v8_add_samples(struct fm_v8_profile *profile, const struct fm_json *json, int32_t samples, int32_t deltas);
/* Adds the pending sample at the end of the profile. end_ns: when the profile ends; if that is before the sample,
 * the end is not known. */
void fm_v8_end(struct fm_v8_profile *profile, int64_t end_ns);

#endif
