/* A file of code owners in GitHub's syntax. Called by rules.c. */
#ifndef FM_API_GROUP_OWNERS_H
#define FM_API_GROUP_OWNERS_H

#include "core/heap.h"
#include "core/text/text.h"
#include <framemap/group.h>

struct fm_owner_rule {
    /* pattern for fm_pattern_matches with by_folder, relative to the root of the repository, without a slash at the
     * start */
    framemap_str pattern;
    framemap_str owners; /* owners of the files, separated by a space; empty: the files have none */
    bool within;         /* if the pattern matches a folder, the rule also matches the files below that folder */
    bool within_only;    /* the pattern matches a folder only, not a file */
};

struct fm_owners {
    struct fm_arena *arena;
    struct fm_heap *heap;
    struct fm_owner_rule *rows;
    size_t count, capacity;
    framemap_str prefix; /* prefix of paths on the machine of the build, without a slash at its end; absent: not
                            known */
};

/* Reads a file; lines that GitHub skips are reported to `warning`, which may be NULL, and skipped. Errors: LIMIT,
 * MEMORY. */
framemap_status fm_owners_read(struct fm_owners *owners, framemap_str text, framemap_warning warning, void *context,
                               framemap_error *error);
void fm_owners_free(struct fm_owners *owners);

/* Implements framemap_rules_owner. */
framemap_str fm_owners_of(const struct fm_owners *owners, framemap_str path);

#endif
