/* Definition of framemap_session, and how the parts of the session find and hold an index. Included by session.c,
 * session_index.c and the folders that work on a whole session: convert/, remote/, restore/, and mapping_uuids.h. */
#ifndef FM_SESSION_SESSION_STATE_H
#define FM_SESSION_SESSION_STATE_H

#include "session/cache/call_memory.h"
#include "session/cache/index_cache.h"
#include "session/cache/parser_tables.h"
#include "session/cache/value_cache.h"
#include "session/catalog/debug_files.h"
#include "session/catalog/label_sets.h"
#include "session/catalog/missing_symbols.h"
#include "session/sources/source_tree.h"
#include <framemap/session.h>

struct framemap_session {
    struct fm_heap heap;
    fm_mutex lock;         /* guards all fields below; never held while a file is compiled or a text is restored */
    fm_mutex talk;         /* held while a callback of the caller runs, so that only one callback runs at a time */
    struct fm_arena arena; /* memory of the paths, which live as long as the session */
    struct fm_source_tree sources; /* the tree does not change once the session is open */
    struct fm_catalog catalog;     /* catalog of the symbol paths without labels */
    struct fm_label_sets labels;
    struct fm_same_builds same_builds;
    struct fm_debug_files debug_files;
    struct fm_index_cache cache;
    struct fm_missing_list missing;
    framemap_fetch fetch; /* fetches values of the store; NULL: there is no store */
    void *fetch_context;
    struct fm_value_cache values;          /* the cache has a lock of its own */
    struct fm_call_memory call_memory;     /* the memory has a lock of its own */
    struct fm_parser_tables parser_tables; /* the tables have a lock of their own */
    struct fm_companion_files companions;  /* files of framemap_session_companion; `path` NULL: not used yet */
    bool allow_outside;                    /* as allow_outside in framemap_session_options */
    framemap_progress progress;
    framemap_warning warning;
    void *context;
    framemap_allocator allocator; /* allocator of the ceiling, if there is one; resize NULL: the C library */
    /* allocator that counts towards the ceiling, if there is one; resize NULL: the C library */
    struct fm_ceiling ceiling;
    bool has_ceiling;
    atomic_uint_least64_t crowded; /* how often an index did not fit below the ceiling because of other memory in use */
};

/* Passes a warning to the caller's callback; only one thread at a time calls it. Has the type framemap_warning; its
 * context is the session. */
void fm_session_warn(void *session, const framemap_error *warning);

/* Rewrites the message of a MEMORY error if the session's ceiling caused it. Returns `status`. */
framemap_status fm_session_memory_fault(const framemap_session *session, framemap_status status, framemap_error *error);

/* Checks options of restore calls, without their scope. Errors: ARGUMENT, UNSUPPORTED. */
framemap_status fm_session_check_restore(const framemap_restore_options *options, framemap_error *error);
/* Reads the options of restore calls that are a member of other options. given: NULL or with a size of 0 for the
 * defaults. Errors: ARGUMENT. */
framemap_status fm_session_read_restore(const framemap_restore_options *given, framemap_restore_options *out,
                                        framemap_error *error);
/* Whether the output is the text itself, with restored frames, and not another format. */
bool fm_session_writes_text(const framemap_restore_options *options);

/* The result of the search for the index of a frame. */
struct fm_held_index {
    framemap_index *index; /* the index that was found, to be released with framemap_session_release; NULL: none */
    const char *reason;    /* why index is NULL; lives as long as the session */
    /* if the index has only exported symbols, because its file is stripped: what to give instead; lives as long as
     * the session; NULL: it is not stripped */
    const char *lack;
    enum fm_over over;            /* whether the memory ceiling is the reason */
    const struct fm_entry *other; /* if `reason` is set: the file of another build that was refused; NULL: none */
    uint32_t remote;              /* number of a build in a store, of which `index` is the head (remote.h); 0: none */
    /* Set if both index and reason are NULL: an index file that stayed closed, since the session may remember its
     * answers. To open it, call fm_session_hold_entry. */
    const struct fm_entry *closed;
};
/* Finds, compiles and holds the index that a frame needs. "Not found" is a success with out->reason. scope: scope of
 * the text; NULL: not given. *matched_by: how the index was found; written if there is an index. Errors: MEMORY. */
framemap_status fm_session_hold(framemap_session *session, const framemap_scope *scope,
                                const framemap_image_query *want, struct fm_held_index *out, framemap_match *matched_by,
                                framemap_error *error);
/* Holds the index of a module of a native stack, as fm_session_hold does for any frame. Flutter programs have the same
 * name on all phones, whatever their symbol files are called: if the module has such a name (or none) and no id, the
 * only Dart program that was given is used. */
framemap_status fm_session_hold_module(framemap_session *session, const framemap_scope *scope,
                                       const framemap_image_query *want, struct fm_held_index *out,
                                       framemap_match *matched_by, framemap_error *error);
/* Does what fm_session_hold_module does, but leaves an index file closed if its answers may be recalled
 * (fm_index_cache_may_recall); out->closed is set then. */
framemap_status fm_session_find_module(framemap_session *session, const framemap_scope *scope,
                                       const framemap_image_query *want, struct fm_held_index *out,
                                       framemap_match *matched_by, framemap_error *error);
/* Holds the index of a file that was chosen already, as fm_session_hold_module does for the file that it finds. */
framemap_status fm_session_hold_entry(framemap_session *session, const struct fm_entry *entry,
                                      struct fm_held_index *out, framemap_error *error);
/* Finds the index as fm_session_find_module does, for a file that was chosen already. */
framemap_status fm_session_find_entry(framemap_session *session, const struct fm_entry *entry,
                                      struct fm_held_index *out, framemap_error *error);

#endif
