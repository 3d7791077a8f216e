/* Caches the results that Java frames get from the index of a mapping, through recall.h. Called by restore_java.c. */
#ifndef FM_SESSION_RESTORE_JAVA_RECALL_H
#define FM_SESSION_RESTORE_JAVA_RECALL_H

#include "resolve/java/java.h"
#include "session/restore/java_mapping_choice.h"

/* A query to the index: everything that determines the result of a frame. */
struct fm_java_question {
    struct fm_java_mapping *mapping;
    /* scope: the method as printed, "CLASS.METHOD"; class_name: the class at its start */
    framemap_str class_name, scope, file;
    uint64_t position;
    bool no_position;
    framemap_java_state before; /* R8's state before the frame, from the lines above it */
};

/* A frame that was looked up, and its result. */
struct fm_java_lookup {
    struct fm_java_question question;
    struct fm_java_restored answer;
    framemap_java_state after; /* R8's state for the frame below */
};

/* Sets answer and state of a frame whose mapping is closed, from the cache. Returns false if the mapping has to be
 * opened. */
bool fm_java_recall(struct fm_restore_job *job, struct fm_java_lookup *result);
/* Caches an answer of a mapping that is held, if its file has `remembers` set. */
void fm_java_remember(struct fm_restore_job *job, const struct fm_java_lookup *result);

/* These functions find and cache the original name of a class or member that the text prints outside of frames.
 * original: absent if the mapping does not have the name. fm_java_recall_name returns false if the name is not in the
 * cache. */
bool fm_java_recall_name(struct fm_restore_job *job, const struct fm_java_mapping *mapping, framemap_str printed,
                         framemap_str *original);
void fm_java_remember_name(struct fm_restore_job *job, const struct fm_java_mapping *mapping, framemap_str printed,
                           framemap_str original);

#endif
