/* The main job: text in, restored text out, with symbols found under given paths.
 *
 * A session is locked inside and may be used from many threads. Its callbacks (progress, warning, write, visit) come
 * one at a time, except write, and must not call the session. */
#ifndef FRAMEMAP_SESSION_H
#define FRAMEMAP_SESSION_H

#include <framemap/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct framemap_session framemap_session;

typedef struct framemap_session_options {
    size_t size;
    const framemap_allocator *allocator;
    const char *const *symbol_paths; /* files, folders, dSYM bundles, .build-id trees, indexes; scanned by content */
    size_t symbol_path_count;
    uint64_t max_index_bytes; /* budget for opened and compiled indexes kept in memory, with what they keep of answers;
                                 0: 1 GiB */
    const char *cache_path;   /* folder for compiled indexes; NULL: the user's cache folder; "": no cache on disk */
    unsigned threads;         /* for compiling, and for reading a text of half a megabyte and more; 0: one */
    framemap_progress progress;
    framemap_warning warning; /* bad symbol files, one call each; the session goes on without them */
    void *context;
    bool keep_sources; /* source maps: their sources' texts are kept with the indexes, for
                          framemap_restore_options.context */
    framemap_range_mappings
        range_mappings; /* source maps: as framemap_build_options; where it is said, no cache on disk is used */
    /* Trees of separate debug files: FOLDER/.build-id/ab/cdef.debug, and by .gnu_debuglink FOLDER/usr/bin/app.debug for
     * /usr/bin/app. Copied. NULL: /usr/lib/debug alone; not NULL and a count of 0: none. */
    const char *const *debug_folders;
    size_t debug_folder_count;
    /* A script may name its source map (sourceMappingURL). Once symbolic links are resolved, the map is opened only
     * below the symbol path that the script was found under (for a script given by name, below its folder), so that one
     * tenant's script can't reach another's files. true: anywhere. */
    bool allow_outside;
    /* Bytes that the files of the cache folder may have on disk, all sessions and processes together; 0: 4 GiB. Over it
     * those of other versions of framemap and those unused for longest are removed. A folder or file of another user,
     * or one that others may write to, is not used (a warning). */
    uint64_t cache_bytes;
    /* Ceiling on the memory that framemap takes for the session, bytes; 0: none. It is on the session itself, the
     * indexes that it compiles, opens and keeps (max_index_bytes, by default half of the ceiling, is part of it), the
     * texts that are being restored, what other libraries allocate for that, and stacks of threads as far as they are
     * used for names (docs/security.md says how each is counted). Not on mapped files, whose pages the system takes
     * back when it wants them, on traces that the caller parsed, or on a scratch of the caller's. What does not fit
     * costs itself alone. Indexes that are not in use are dropped first, the longest unused first. A symbol file that
     * goes over the ceiling all the same is given up: the frames that wanted it say so with a reason that begins with
     * "over-memory". A text that goes over it is restored in parts; a part that still does passes through unchanged,
     * with a warning. So each text comes out whole. Calls that have nothing else to give fail with MEMORY and a message
     * that begins with "over-memory". */
    uint64_t max_memory;
} framemap_session_options;

/* Opens a session and scans its paths. A path that does not exist is an error (IO); a bad symbol file in a folder is
 * a warning, and so is a folder without any symbol file (EMPTY).
 * options NULL: no symbols. Errors: ARGUMENT, IO, MEMORY. */
FRAMEMAP_API framemap_status framemap_session_open(const framemap_session_options *options, framemap_session **out,
                                                   framemap_error *error);
FRAMEMAP_API void framemap_session_close(framemap_session *session);

/* Adds a file or folder later. Errors as framemap_session_open. Any thread. */
FRAMEMAP_API framemap_status framemap_session_add(framemap_session *session, const char *path, framemap_error *error);

typedef struct framemap_restore_options {
    size_t size;
    const char *format; /* read as; NULL: told from the text */
    const char *output; /* "text" (default) or another format that writes: "json" … */
    framemap_demangle demangle;
    uint32_t context; /* lines of source told before and behind each restored line, where a source map holds them; needs
                         keep_sources */
    uint64_t first_line; /* line number of the text's first line, for outputs that tell lines: text may be part of a
                            longer one; 0: 1 */
} framemap_restore_options;

/* What restore did. */
typedef struct framemap_restore_summary {
    uint64_t traces;
    uint64_t frames;              /* frames that could want symbols */
    uint64_t restored;            /* of those: OK or SYMBOL */
    uint64_t unmapped;            /* of those: the others */
    uint64_t malformed;           /* of those: frames that break their format's rules */
    uint64_t first_malformed;     /* where the first of them stands in the text, bytes from 0 */
    const char *malformed_reason; /* what is wrong with it, static; NULL when there is none */
} framemap_restore_summary;

/* Reads text, restores every stack in it, writes the result; all other text passes through byte for byte.
 * summary: may be NULL. Errors: ARGUMENT (also an unknown format or demangling style), UNSUPPORTED (a format that
 * cannot be written), all before anything is read; IO (write refused), MEMORY. Bad symbols are no error: the frames say
 * so. Any thread. */
FRAMEMAP_API framemap_status framemap_session_restore(framemap_session *session, framemap_str text,
                                                      const framemap_restore_options *options, framemap_write write,
                                                      void *context, framemap_restore_summary *summary,
                                                      framemap_error *error);

/* How much of a growing text can be restored now, without waiting for what follows: bytes from its start, 0 when none.
 * For filters on a pipe: restore the first so many bytes, keep the rest in front of what comes next.
 *
 * A line without an end is waited for up to FRAMEMAP_LONGEST_LINE bytes. Beyond that all of the text is ready, and what
 * comes next, up to a line end, is the rest of that line: pass it on as it is. Any thread. */
#define FRAMEMAP_LONGEST_LINE ((size_t)16 << 20)
FRAMEMAP_API size_t framemap_text_ready(framemap_str text);

/* Restores the frames of parsed traces in place; results live in the list that owns them.
 * Errors: ARGUMENT (also an unknown style), IO, MEMORY. */
FRAMEMAP_API framemap_status framemap_session_restore_traces(framemap_session *session, framemap_trace_list *list,
                                                             framemap_demangle demangle,
                                                             framemap_restore_summary *summary, framemap_error *error);

/* What a wanted image is known by; absent strings match all. */
typedef struct framemap_image_query {
    framemap_str path; /* a file of this path is opened, whether it stands under the symbol paths or not; absent: search
                          by the rest */
    framemap_str name;
    framemap_str id;
    framemap_str arch;
    bool exact; /* with path: that file itself, not the file with its debug info */
    /* Addresses, as framemap_build_options.positions: where no index is at hand, in the session or on disk, one is made
     * for these alone. NULL: all. */
    const uint64_t *positions;
    size_t position_count;
} framemap_image_query;

/* Finds, compiles and opens one index. *out is held until framemap_session_release. Errors: IO, MISMATCH (found, but
 * other id or arch), EMPTY (not found, or nothing in it), and those of framemap_index_build. Any thread. */
FRAMEMAP_API framemap_status framemap_session_index(framemap_session *session, const framemap_image_query *want,
                                                    const framemap_index **out, framemap_error *error);
/* Finds the file that has the debug info of an image which framemap_session_index finds: the image's own file where it
 * has some, else the file that is found for it. That is one of the same build id or UUID under the session's paths or
 * its debug_folders; a dSYM beside the image or beside the bundle that it is in; or the file that .gnu_debuglink names,
 * beside the image, in .debug/ there, under the session's paths or its debug_folders, whose CRC-32 is the link's or
 * whose build id is the image's. framemap_session_index and the restore calls use it where the image's own file has no
 * debug info. *out: its path, borrowed from the session. Errors: EMPTY (there is none; the message says what to give),
 * MISMATCH (also: a file that is found is of another build), and those of framemap_session_index. Any thread. */
FRAMEMAP_API framemap_status framemap_session_debug_file(framemap_session *session, const framemap_image_query *want,
                                                         framemap_str *out, framemap_error *error);
FRAMEMAP_API void framemap_session_release(framemap_session *session, const framemap_index *index);

/* An image, or a script, that restored texts named and no symbols were found for. Strings are borrowed for the call.
 * A session lists up to 65,536 of them, with up to 16 MB of names; the frames of all others are counted in one last row
 * without name and id. */
typedef struct framemap_missing {
    framemap_str name, id, arch;
    uint64_t frames;    /* how many frames wanted it */
    const char *reason; /* a sentence; borrowed for the call */
    framemap_kind kind; /* of the frames */
} framemap_missing;

/* Calls visit for each missing image once, in the order of first need, then forgets them. visit must not call the
 * session. Any thread. */
FRAMEMAP_API void framemap_session_missing(framemap_session *session,
                                           void (*visit)(void *context, const framemap_missing *missing),
                                           void *context);

#ifdef __cplusplus
}
#endif
#endif
