/* What stands behind framemap_session. */
#ifndef FM_SESSION_SESSION_STATE_H
#define FM_SESSION_SESSION_STATE_H

#include "session/cache/index_cache.h"
#include "session/catalog/debug_files.h"
#include "session/catalog/missing_symbols.h"

struct framemap_session {
    struct fm_heap heap;
    fm_mutex lock;         /* guards all below; never held while a file is compiled or a text restored */
    fm_mutex talk;         /* the caller's callbacks are called one at a time */
    struct fm_arena arena; /* paths, for as long as the session lives */
    struct fm_catalog catalog;
    struct fm_same_builds same_builds;
    struct fm_debug_files debug_files;
    struct fm_index_cache cache;
    struct fm_missing_list missing;
    bool allow_outside; /* as framemap_session_options.allow_outside */
    framemap_progress progress;
    framemap_warning warning;
    void *context;
    framemap_allocator allocator; /* the ceiling's, where there is one; resize NULL: the C library */
    struct fm_ceiling ceiling;    /* of framemap_session_options.max_memory */
    bool has_ceiling;
    atomic_uint_least64_t crowded; /* how often an index did not fit below the ceiling together with what was there */
};

/* Tells the caller of a warning, one at a time; a framemap_warning whose context is the session. */
void fm_session_warn(void *session, const framemap_error *warning);

/* Where the session's ceiling refused memory, the error is put into words that say so. Returns the status that is
 * given. */
framemap_status fm_session_memory_fault(const framemap_session *session, framemap_status status, framemap_error *error);

/* How the search for an image ended, for a frame. */
struct fm_held_index {
    framemap_index *index; /* NULL: there is none; else to be released */
    const char *reason;    /* when there is none; lives as long as the session */
    enum fm_over over;     /* whether the ceiling is why */
    const struct fm_entry
        *other; /* with a reason: the file that was given, and is of another build; NULL: none is meant */
};
/* Finds and holds the index that a frame wants. Only want of memory is an error. */
framemap_status fm_session_hold(framemap_session *session, const framemap_image_query *want, struct fm_held_index *out,
                                framemap_error *error);
/* The same for a module of a native stack. Flutter's programs are called alike on all phones, whatever their symbol
 * files are called: of such a name (or of none), without an id, the only Dart program that was given is meant.
 * *matched_by: how the index was found; written with it. */
framemap_status fm_session_hold_module(framemap_session *session, const framemap_image_query *want,
                                       struct fm_held_index *out, framemap_match *matched_by, framemap_error *error);
/* The same for a file that is chosen already. */
framemap_status fm_session_hold_entry(framemap_session *session, const struct fm_entry *entry,
                                      struct fm_held_index *out, framemap_error *error);

#endif
