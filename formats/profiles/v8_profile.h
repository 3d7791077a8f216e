/* V8's CPU profiles: nodes with call frames, and samples with the time between them. They are files of their own
 * (.cpuprofile), and parts of Chrome's traces. */
#ifndef FM_FORMATS_PROFILES_V8_PROFILE_H
#define FM_FORMATS_PROFILES_V8_PROFILE_H

#include "core/json/json.h"
#include "formats/profiles/profile_format.h"
#include "formats/profiles/sample_tree.h"

struct fm_v8_profile {
    struct fm_sample_tree *tree;
    uint64_t space;  /* the id space of the profile's nodes in `tree` */
    uint32_t thread; /* number in the set */
    bool has_time;   /* the time of the first sample is known */
    bool pending;    /* a sample is not added yet: the time of the next one determines its duration */
    uint32_t node;   /* the pending sample's node in the set */
    int64_t at_ns;   /* the latest time that was read */
    int64_t last_ns; /* time of the pending sample */
};

/* Adds nodes. A node names its parent in `parent`, or a parent names its children in `children`. */
void fm_v8_add_nodes(const struct fm_v8_profile *profile, const struct fm_json *json, int32_t nodes);
/* Adds samples, which are ids of nodes. deltas: microseconds between each sample and the one before; -1: not known. */
void fm_v8_add_samples(struct fm_v8_profile *profile, const struct fm_json *json, int32_t samples, int32_t deltas);
/* Adds the pending sample. end_ns: the end of the profile; a time before the sample: not known. */
void fm_v8_end(struct fm_v8_profile *profile, int64_t end_ns);

#endif
