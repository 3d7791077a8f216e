/* Definition of framemap_session, and the functions with which the parts of the session find and hold an index.
 * Included by session.c, session_index.c and the folders that work on a whole session: convert/, remote/, restore/, and
 * mapping_uuids.h. */
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
    struct fm_arena arena; /* memory of the paths, which are kept as long as the session */
    struct fm_source_tree sources; /* the tree does not change once the session is open */
    struct fm_catalog catalog;     /* catalog of the symbol paths without labels */
    struct fm_label_sets labels;
    struct fm_same_builds same_builds;
    struct fm_debug_files debug_files;
    struct fm_index_cache cache;
    struct fm_missing_list missing;
    framemap_fetch fetch; /* callback that fetches values of the store; NULL: there is no store */
    void *fetch_context;
    struct fm_value_cache values;          /* this cache has a lock of its own */
    struct fm_call_memory call_memory;     /* this memory has a lock of its own */
    struct fm_parser_tables parser_tables; /* these tables have a lock of their own */
    /* files that framemap_session_companion found; `path` is NULL before the first call */
    struct fm_companion_files companions;
    bool allow_outside; /* value of allow_outside in the session's options */
    framemap_progress progress;
    framemap_warning warning;
    void *context;
    /* allocator of the session: with a ceiling, it counts memory; otherwise it is the caller's; resize NULL: the C
     * library is used */
    framemap_allocator allocator;
    /* counts memory, and refuses to allocate more than max_memory */
    struct fm_ceiling ceiling;
    bool has_ceiling;
    /* number of times that an index did not fit below the ceiling because of other memory in use */
    atomic_uint_least64_t crowded;
};

/* Passes a warning to the caller's callback, which only one thread calls at a time. A callback of type
 * framemap_warning; context: the session. */
void fm_session_warn(void *session, const framemap_error *warning);

/* Changes the message of a MEMORY error if the session's ceiling caused the error. Returns `status`. */
framemap_status fm_session_memory_fault(const framemap_session *session, framemap_status status, framemap_error *error);

/* Checks the options of a restore call, but not their scope. Errors: ARGUMENT, UNSUPPORTED. */
framemap_status fm_session_check_restore(const framemap_restore_options *options, framemap_error *error);
/* Reads restore options that are a member of other options. given: NULL, or options whose size is 0, for the defaults.
 * Errors: ARGUMENT. */
framemap_status fm_session_read_restore(const framemap_restore_options *given, framemap_restore_options *out,
                                        framemap_error *error);
/* Does the work of framemap_session_restore. may_start: whether a long text may be parsed on a thread of its own. */
framemap_status fm_session_restore(framemap_session *session, framemap_str text, bool may_start,
                                   const framemap_restore_options *options, framemap_write write, void *context,
                                   framemap_restore_summary *summary, framemap_error *error);
/* Whether the output is the text itself with restored frames, rather than another format such as JSON. */
bool fm_session_writes_text(const framemap_restore_options *options);

/* The result of the search for the index of a frame. */
struct fm_held_index {
    /* the index that was found, to be released with framemap_session_release; NULL: no index was found */
    framemap_index *index;
    const char *reason; /* the reason why `index` is NULL; the string lives as long as the session */
    /* if the index has only exported symbols, because its file is stripped: states which file to add instead; NULL
     * otherwise; the string lives as long as the session */
    const char *lack;
    enum fm_over over; /* whether the memory ceiling is the reason */
    /* if `reason` is set: a file of another build that was refused; NULL: no file was refused */
    const struct fm_entry *other;
    /* if not 0: `index` is the head (remote.h) of the build with this number in the store; 0: the index is not from the
     * store */
    uint32_t remote;
    /* an index file that was not opened, since its answers may be in the session's cache of answers; set if both
     * `index` and `reason` are NULL. fm_session_hold_entry opens the file. */
    const struct fm_entry *closed;
};
/* Finds, compiles and holds the index that a frame needs. If no index is found, the result is OK, and out->reason
 * states why. scope: scope of the text; NULL: the text has no scope. *matched_by: how the index was found; written only
 * if there is an index. Errors: MEMORY. */
framemap_status fm_session_hold(framemap_session *session, const framemap_scope *scope,
                                const framemap_image_query *want, struct fm_held_index *out, framemap_match *matched_by,
                                framemap_error *error);
/* Holds the index of a module in a native stack, as fm_session_hold does for any frame. Flutter programs have the same
 * name (libapp.so or App) on all phones, whatever their symbol files are called. So if the module has such a name or no
 * name, and no id, the only Dart program among the symbol files is used. */
framemap_status fm_session_hold_module(framemap_session *session, const framemap_scope *scope,
                                       const framemap_image_query *want, struct fm_held_index *out,
                                       framemap_match *matched_by, framemap_error *error);
/* Does what fm_session_hold_module does, but does not open an index file whose answers may be in the cache of answers
 * (fm_index_cache_may_recall). In that case out->closed is set. */
framemap_status fm_session_find_module(framemap_session *session, const framemap_scope *scope,
                                       const framemap_image_query *want, struct fm_held_index *out,
                                       framemap_match *matched_by, framemap_error *error);
/* Holds the index of a file that was already chosen; the results are those of fm_session_hold_module. */
framemap_status fm_session_hold_entry(framemap_session *session, const struct fm_entry *entry,
                                      struct fm_held_index *out, framemap_error *error);
/* Does what fm_session_find_module does, for a file that was already chosen. */
framemap_status fm_session_find_entry(framemap_session *session, const struct fm_entry *entry,
                                      struct fm_held_index *out, framemap_error *error);

#endif
