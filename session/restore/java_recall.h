/* Remembers what Java frames look up in the index of a mapping, as questions of recall.h. Called by restore_java.c. */
#ifndef FM_SESSION_RESTORE_JAVA_RECALL_H
#define FM_SESSION_RESTORE_JAVA_RECALL_H

#include "resolve/java/java.h"
#include "session/restore/java_mapping_choice.h"

/* A question to the index: all that determines the result of a frame. */
struct fm_java_question {
    struct fm_java_mapping *mapping;
    /* scope is the method as printed, "CLASS.METHOD"; class_name is the class at its start */
    framemap_str class_name, scope, file;
    uint64_t position;
    bool no_position;
    framemap_java_state before; /* state from the lines above */
};

/* A frame that was looked up, and its result. */
struct fm_java_lookup {
    struct fm_java_question question;
    struct fm_java_restored answer;
    framemap_java_state after; /* state for the frame below */
};

/* Sets answer and state of a frame whose mapping is closed. false: the mapping has to be opened. */
bool fm_java_recall(struct fm_restore_job *job, struct fm_java_lookup *result);
/* Remembers an answer of a mapping that is held, if its file has `remembers` set. */
void fm_java_remember(struct fm_restore_job *job, const struct fm_java_lookup *result);

/* Recall and remember the original name of a class or member that is printed outside of frames, like the calls above
 * for frames. original: absent if the mapping does not have the name. */
bool fm_java_recall_name(struct fm_restore_job *job, const struct fm_java_mapping *mapping, framemap_str printed,
                         framemap_str *original);
void fm_java_remember_name(struct fm_restore_job *job, const struct fm_java_mapping *mapping, framemap_str printed,
                           framemap_str original);

#endif
