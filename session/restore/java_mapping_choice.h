/* Which mapping of renamed classes the frames of a Java stack are to be read with. */
#ifndef FM_SESSION_RESTORE_JAVA_MAPPING_CHOICE_H
#define FM_SESSION_RESTORE_JAVA_MAPPING_CHOICE_H

#include "session/session_state.h"

/* A file that the session has, opened when it is first needed. */
struct fm_java_mapping {
    const struct fm_entry *entry;
    struct fm_held_index held;
    bool tried;                   /* held is settled */
    struct fm_java_mapping *next; /* of those that are, while they are in the list of them */
};
struct fm_java_mappings {
    framemap_session *session;
    struct fm_heap *heap;
    struct fm_java_mapping *rows; /* by id */
    size_t count;
    size_t longest;                /* id */
    struct fm_java_mapping *tried; /* a list */
};

/* The choice for one stack: a mapping, or why there is none. */
struct fm_java_mapping_choice {
    struct fm_java_mapping *mapping;
    const char *reason;
    framemap_match matched_by; /* where there is a mapping */
};

framemap_status fm_java_mappings_open(struct fm_java_mappings *mappings, framemap_session *session,
                                      struct fm_heap *heap, framemap_error *error);
void fm_java_mappings_close(struct fm_java_mappings *mappings);

/* Opens a mapping once; its held.index is NULL where that failed. Errors: MEMORY. */
framemap_status fm_java_mapping_hold(struct fm_java_mappings *mappings, struct fm_java_mapping *mapping,
                                     framemap_error *error);

/* The mapping of an id as a stack prints it: the same, or one that begins with it or that it begins with, from 7 digits
 * on. Logarithmic in the number of mappings. */
struct fm_java_mapping_choice fm_java_mappings_of_id(struct fm_java_mappings *mappings, framemap_str id);

/* One choice for each trace's frames that tell no id, in traces' order; rows in the heap of the mappings, freed by the
 * caller. The only mapping; of several the one that knows the most of the trace's renamed-looking methods, and classes
 * where that is equal; none where two know as much. */
framemap_status fm_java_mappings_choose(struct fm_java_mappings *mappings, const framemap_trace *traces, size_t count,
                                        struct fm_java_mapping_choice **out, framemap_error *error);

#endif
