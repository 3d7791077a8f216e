/* Chooses the mapping of renamed classes for the frames of a Java stack. Called by restore_java.c alone. */
#ifndef FM_SESSION_RESTORE_JAVA_MAPPING_CHOICE_H
#define FM_SESSION_RESTORE_JAVA_MAPPING_CHOICE_H

#include "session/restore/recall.h"

/* A mapping that the session has. It is opened when it is first needed. */
struct fm_java_mapping {
    const struct fm_entry *entry; /* entry of the mapping in the catalog; NULL: the mapping is in the session's store */
    /* Whether the members below are set. They are set when the mapping is first used, because a text needs only a few
     * of a thousand mappings. */
    bool tried;
    struct fm_held_index held;
    /* the mapping's index file, while its answers are read from the cache or added to it */
    struct fm_recalled_file file;
    struct fm_java_mapping *next; /* next element of the list fm_java_mappings.tried */
};
/* Whether the mapping can be queried: its index is held, or its file is closed and its answers are in the cache. */
static inline bool fm_java_mapping_has_symbols(const struct fm_java_mapping *mapping)
{
    return mapping->held.index != NULL || mapping->held.closed != NULL;
}
/* The choice for one stack: a mapping, or the reason why there is none. */
struct fm_java_mapping_choice {
    struct fm_java_mapping *mapping;
    const char *reason;
    framemap_match matched_by; /* how the mapping matched; valid if there is a mapping */
};

/* The mappings of one catalog. */
struct fm_java_list {
    struct fm_catalog *catalog;
    struct fm_java_mapping *rows; /* the mappings, in the order of their ids */
    size_t count, capacity;
    size_t longest; /* length of the longest id, in bytes */
    size_t known;   /* number of files that the catalog had when the mappings were listed */
    struct fm_java_list *next;
};
/* A mapping that is in the session's store. */
struct fm_java_stored {
    struct fm_java_mapping mapping;
    struct fm_java_stored *next;
};
struct fm_java_mappings {
    framemap_session *session;
    const framemap_scope *scope; /* scope of the text; NULL: the caller gave no scope */
    struct fm_heap *heap;
    struct fm_java_list *groups; /* lists of mappings, one for each catalog that was used so far */
    /* list of the mappings that are used for frames without an id; NULL: there is no such list */
    struct fm_java_list *chosen;
    bool by_scope;                 /* `chosen` was determined by the scope */
    size_t known_sets;             /* number of label sets when `chosen` was determined */
    struct fm_java_mapping *tried; /* list of the mappings whose `tried` is set */
    struct fm_restore_job *job;    /* job through which the session's store is queried; NULL: the store is not used */
    struct fm_java_stored *stored; /* mappings in the store; they live as long as the values that were fetched */
    char last_id[64]; /* the id that was searched last; it is stored because each frame of a stack has the same id */
    size_t last_size; /* size of last_id; 0: no id was searched yet */
    struct fm_java_mapping_choice last;
};

/* Prepares for the text of a job. Errors: MEMORY. */
framemap_status fm_java_mappings_open(struct fm_java_mappings *mappings, struct fm_restore_job *job,
                                      framemap_error *error);
void fm_java_mappings_close(struct fm_java_mappings *mappings);
/* Called between two batches: fm_java_mappings_release releases the indexes, and fm_java_mappings_refresh lists the
 * mappings again if files were added. Errors: MEMORY. */
void fm_java_mappings_release(struct fm_java_mappings *mappings);
framemap_status fm_java_mappings_refresh(struct fm_java_mappings *mappings, framemap_error *error);

/* Opens a mapping if it is not open yet, even if its file was left closed before because its answers are cached.
 * held.index is NULL if that failed. Errors: MEMORY. */
framemap_status fm_java_mapping_hold(struct fm_java_mappings *mappings, struct fm_java_mapping *mapping,
                                     framemap_error *error);
/* Does what fm_java_mapping_hold does, but does not open an index file whose answers may be in the cache; held.closed
 * is set then. */
framemap_status fm_java_mapping_find(struct fm_java_mappings *mappings, struct fm_java_mapping *mapping,
                                     framemap_error *error);

/* Returns the mapping for an id that a stack prints: the two ids are equal, or one is a prefix of the other and has at
 * least 7 digits. Takes time logarithmic in the number of mappings. Errors: MEMORY. */
framemap_status fm_java_mappings_of_id(struct fm_java_mappings *mappings, framemap_str id,
                                       struct fm_java_mapping_choice *out, framemap_error *error);

/* Chooses a mapping for the frames without an id of each trace. If there is only one mapping, it is chosen. A mapping
 * with an id of the scope is chosen before others, and mappings whose labels the scope matches before mappings without
 * labels. Among several that remain, the mapping with the most renamed methods of the trace is chosen; if two have
 * equally many, the one with the most classes; if these are equal too, none. The choices are in the order of the
 * traces, in the heap of the mappings, and freed by the caller. Errors: MEMORY. */
framemap_status fm_java_mappings_choose(struct fm_java_mappings *mappings, const framemap_trace *traces, size_t count,
                                        struct fm_java_mapping_choice **out, framemap_error *error);

#endif
