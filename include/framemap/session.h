/* The main task: restores the stacks in a text with the symbols found under given paths.
 *
 * A session is locked internally, and any number of threads may use it. Its callbacks must not call the session.
 * progress, warning and visit are called one at a time; write may be called from several threads at once, one for each
 * restore call. */
#ifndef FRAMEMAP_SESSION_H
#define FRAMEMAP_SESSION_H

#include <framemap/kv.h>
#include <framemap/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Symbol files that were found under given paths, and the indexes made of them. */
typedef struct framemap_session framemap_session;

/* Which build of which app a text comes from, as far as the caller knows: stacks without an id (Java, React Native,
 * JavaScript, Dart) do not say so. The same struct labels a symbol path with the build that its files belong to. Zero
 * the struct, set size to sizeof, then set what is known; an absent string is not known. Strings have up to 1,024
 * bytes, compared byte by byte. Later versions only add fields at the end.
 *
 * A labeled symbol path is used only for texts whose scope has all of its labels with the same values, and before paths
 * with fewer labels; a path without labels is used for all texts. An id that the stack prints wins over app, build and
 * ids of the scope: the file with that id is used whatever its labels. The tenant has no such exception: a file with
 * the label `tenant` is never used for a text without that tenant. */
typedef struct framemap_scope {
    size_t size;
    framemap_str app, build, tenant;
    const framemap_str *ids; /* ids of any kind, of files of this build: build id, UUID, debug id, R8's pg_map_id. For a
                                stack without an id, files with one of these ids are used first. NULL in the labels of a
                                symbol path */
    size_t id_count;         /* number of ids, at most 4,096 */
} framemap_scope;

/* Options of framemap_session_open. Zero the struct, set size to sizeof, then set what differs from the defaults. Later
 * versions only add fields at the end. */
typedef struct framemap_session_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    const char *const *symbol_paths; /* files, folders, dSYM bundles, .build-id trees and indexes, recognized by their
                                        content. Copied */
    size_t symbol_path_count;
    /* budget for the indexes that are kept open in memory, with what was decoded from them and with demangled names,
     * bytes; 0: 1 GiB. If they need more, decoded records are freed first, then the indexes that are used least; an
     * index that a call uses stays open. With a budget of 12 MiB or more and without max_memory, a sixth of the
     * budget keeps answers of index files (.fmx) after these were closed. This applies to files of 128 KiB or more,
     * except those of Dart */
    uint64_t max_index_bytes;
    const char *cache_path;     /* folder for compiled indexes; NULL: the user's cache folder; "": no cache on disk */
    unsigned threads;           /* threads for compiling, and for texts as the calls say; 0: one */
    framemap_progress progress; /* called with the progress of compiling; NULL: none */
    framemap_warning warning;   /* called for each bad symbol file; the session continues without it */
    void *context;              /* passed to progress and warning */
    bool keep_sources;          /* source maps: keep the text of the sources in the indexes, for
                                   framemap_restore_options.context */
    framemap_range_mappings
        range_mappings; /* source maps: as framemap_build_options; if it is not AUTO, no cache on disk is used */
    /* Trees of separate debug files: FOLDER/.build-id/ab/cdef.debug, and by .gnu_debuglink FOLDER/usr/bin/app.debug for
     * /usr/bin/app. Copied. NULL: /usr/lib/debug only; not NULL and a count of 0: none. */
    const char *const *debug_folders;
    size_t debug_folder_count;
    /* A script may name its source map (sourceMappingURL). true: the map is opened wherever it is. false: the map is
     * opened only if it is below the symbol path under which the script was found, or, for a script that was given by
     * name, below the folder of the script. Symbolic links are resolved first. So the script of one tenant cannot reach
     * the files of another. */
    bool allow_outside;
    /* Bytes that the files in the cache folder may take on disk, for all sessions and processes together; 0: 4 GiB. If
     * there is more, files of other versions of framemap and the least recently used ones are removed. A folder or file
     * that belongs to another user, or that others may write to, is not used, with a warning. */
    uint64_t cache_bytes;
    /* Ceiling on the memory that framemap takes for the session, bytes; 0: none. It covers the session itself; the
     * indexes that it compiles, opens and keeps (max_index_bytes, by default half of the ceiling, is part of it); the
     * texts that are being restored; and what other libraries allocate for these. It covers thread stacks as far as
     * they are used for names. It does not cover mapped files, whose pages the system can take back, traces that the
     * caller parsed, or a scratch of the caller's. docs/security.md says how each is counted.
     *
     * Exceeding it affects only what does not fit. Indexes that are not in use are dropped first, the least recently
     * used ones before others. A symbol file that still exceeds the ceiling is not used, and its frames get a reason
     * that begins with "over-memory". A text that exceeds it is restored in parts; a part that still exceeds it passes
     * through unchanged, with a warning. So every text is written completely. Calls that have nothing else to return
     * fail with MEMORY and a message that begins with "over-memory". */
    uint64_t max_memory;
    const framemap_scope *const *symbol_labels; /* the labels of each symbol path, as for framemap_session_add_labeled;
                                                   NULL, also for one path: none. Copied */
    /* A store of symbols, as framemap_index_split writes them. From it the session requests symbols that the symbol
     * paths do not have, by the ids that stacks print and by the ids of the text's scope, with the scope's tenant. All
     * values that the traces of a batch need are requested at once; values that depend on these are requested at most
     * once more. A batch of a stream is one trace. NULL: none. */
    framemap_fetch fetch;
    void *fetch_context;      /* passed to fetch */
    uint64_t max_value_bytes; /* budget for the values that are kept in memory, bytes; 0: 256 MiB */
    const char *package; /* a .dwp file of any name that is tried before those next to a program; the ids in it decide
                            for which programs it is used. NULL: none. Copied */
    /* Folders with the sources of the programs, or archives of them (zip, source bundles of Sentry), for
     * framemap_restore_options.context. If the symbols name a file but do not contain it, its lines are read here. The
     * files are listed when the session is opened. docs/symbols.md says which of them a path in the symbols is matched
     * to. Copied. NULL: none */
    const char *const *source_folders;
    size_t source_folder_count;
} framemap_session_options;

/* Opens a session and scans its symbol paths. A path that does not exist is an error (IO); a bad symbol file in a
 * folder and a folder without symbol files (EMPTY) are warnings. options: NULL for a session without symbols. out:
 * written on success; close it with framemap_session_close. Errors: ARGUMENT, IO, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_session_open(const framemap_session_options *options, framemap_session **out,
                                                   framemap_error *error);

/* Closes a session. NULL is allowed. No thread may use the session, or an index that was not released. */
FRAMEMAP_API void framemap_session_close(framemap_session *session);

/* Adds a symbol file or folder to an open session. path: NUL-terminated. Errors: those of framemap_session_open. Any
 * thread.
 */
FRAMEMAP_API framemap_status framemap_session_add(framemap_session *session, const char *path, framemap_error *error);

/* Adds a path as framemap_session_add does, with labels: its files are used only for texts whose scope has these
 * labels. labels: copied; NULL: none. A path may be added again with other labels. Errors: as framemap_session_add, and
 * ARGUMENT if the labels have ids. Any thread. */
FRAMEMAP_API framemap_status framemap_session_add_labeled(framemap_session *session, const char *path,
                                                          const framemap_scope *labels, framemap_error *error);

/* Receives stacks that were restored. traces: `count` of them, borrowed for the call. */
typedef void (*framemap_trace_visit)(void *context, const framemap_trace *traces, size_t count);

/* Options of framemap_session_restore. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_restore_options {
    size_t size;
    const char *format; /* parse this format only; NULL: all formats */
    const char *output; /* "text" (the default), "json" or another format that can be written; NULL: "text" */
    framemap_demangle demangle;
    uint32_t context; /* number of lines of source before and after each restored line, taken from the source map (which
                         needs keep_sources) or from a file of framemap_session_options.source_folders. An output that
                         has members for source lines gets the lines also for frames whose file and line the text itself
                         prints. 0: none */
    uint64_t first_line; /* line number of the first line of the text, for outputs with line numbers, if the text is
                            part of a longer one; 0: 1 */
    const framemap_scope *scope; /* which build the text comes from; NULL: the text alone decides. Copied */
    /* Called with the restored stacks, in the order of the text, before they are written; the threads of one report
     * together. With this callback, the caller may ignore what `write` receives. Not called for text that was not
     * restored because of max_memory. During framemap_session_restore_many several threads may call it at once. NULL:
     * none */
    framemap_trace_visit visit;
    void *visit_context;
    bool as_printed; /* do not restore stacks, so that outputs contain what the text prints */
    /* Rules for in_app, owner and fingerprint: which frames are the app's own, who owns them, and which stacks have one
     * cause. The values are set in the results, and written by the outputs that have members for them: "json", and
     * `in_app` in "sentry". From framemap_rules_open; must outlive the call, or the stream or rows opened with the
     * options. NULL: these values are not set */
    const struct framemap_rules *rules;
} framemap_restore_options;

/* Counts of what a restore call did. */
typedef struct framemap_restore_summary {
    uint64_t traces;
    uint64_t frames;               /* frames that can need symbols */
    uint64_t restored;             /* how many of `frames` have status OK or SYMBOL */
    uint64_t unmapped;             /* how many of `frames` have any other status */
    uint64_t malformed;            /* how many of `frames` break the rules of their format */
    uint64_t first_malformed;      /* byte offset of the first malformed frame in the text, from 0 */
    const char *malformed_reason;  /* what is wrong with the first malformed frame, static; NULL: none */
    uint64_t first_malformed_line; /* line of the first malformed frame, counted as framemap_restore_options.first_line
                                      says; 0: none */
    /* how many of `unmapped` cannot be placed: the text does not state the image or file, or where the image starts in
     * memory */
    uint64_t unplaced;
} framemap_restore_summary;

/* Parses a text, restores every stack in it, and writes the result; all other text passes through byte for byte. Bad or
 * missing symbols are not an error: the frames get a reason.
 * text: borrowed for the call. options: NULL for the defaults. write: receives the output in pieces, with `context`.
 * summary: written on success; may be NULL.
 * The text may be compressed with gzip, zstd or xz, and in UTF-16; text output is in the same encoding, not compressed.
 * With framemap_session_options.threads over 1 and without max_memory, a text of 1 MiB or more that is neither
 * compressed nor in UTF-16 is parsed on a thread that the call starts, while the calling thread restores and writes;
 * the output is the same, and all callbacks are called on the calling thread.
 * Errors: CORRUPT and TRUNCATED (compressed data; what precedes the damage was written); ARGUMENT (also an unknown
 * format or demangling style) and UNSUPPORTED (a format that cannot be written), both before anything is read; IO
 * (write refused), MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_session_restore(framemap_session *session, framemap_str text,
                                                      const framemap_restore_options *options, framemap_write write,
                                                      void *context, framemap_restore_summary *summary,
                                                      framemap_error *error);

/* Restores a text as framemap_session_restore does, but returns the output as one piece of memory. out: zeroed; written
 * on success, and with CORRUPT and TRUNCATED, when it has the output for the text before the damage; free it with
 * framemap_bytes_free, which may also be after the session is closed. The bytes belong to the caller and do not count
 * toward max_memory. Errors: as framemap_session_restore except IO; ARGUMENT also if out is not zeroed. Any thread. */
FRAMEMAP_API framemap_status framemap_session_restore_buffer(framemap_session *session, framemap_str text,
                                                             const framemap_restore_options *options,
                                                             framemap_bytes *out, framemap_restore_summary *summary,
                                                             framemap_error *error);

/* One of several texts, and its answer. Zero the struct, then set the first two fields. */
typedef struct framemap_text {
    framemap_str text;           /* the text to restore, borrowed for the call */
    const framemap_scope *scope; /* which build this text comes from; NULL: framemap_restore_options.scope */
    /* Results, which the call writes: */
    framemap_status status; /* result for this text: what framemap_session_restore_buffer would return */
    framemap_bytes out;     /* the restored text, as framemap_session_restore_buffer returns it */
    framemap_restore_summary summary;
} framemap_text;

/* Restores several texts, as if each were given to framemap_session_restore_buffer separately: no text changes the
 * result of another, and texts[i] gets its own. Texts are restored by up to framemap_session_options.threads threads
 * where that is faster; the callbacks of the session are then called from these, one at a time. texts: `count` of them;
 * 0 is allowed. options: for all of them; NULL for the defaults. Every text gets a status, and one that fails does not
 * end the call. Returns OK if every text was restored, otherwise the status of the first text that failed, whose error
 * is written to `error`; an ARGUMENT error that concerns all texts (session or texts NULL, bad options, an `out` that
 * is not zeroed) is returned before anything is read or written. A text takes as much processor time as in a call of
 * its own, since the session keeps its indexes and memory between calls: only the threads make this call faster. Any
 * thread. */
FRAMEMAP_API framemap_status framemap_session_restore_many(framemap_session *session, framemap_text *texts,
                                                           size_t count, const framemap_restore_options *options,
                                                           framemap_error *error);

/* The size in bytes of the longest line that is restored by the calls that work line by line. */
#define FRAMEMAP_LONGEST_LINE ((size_t)16 << 20)

/* Restores the frames of parsed traces in place, as the frames of a text without a scope are restored. With a scope, or
 * for lines of source, use framemap_session_restore with framemap_restore_options.visit. list: from
 * framemap_trace_parse; it owns the results, which stay valid after the session is closed. summary: written on success;
 * may be NULL. Errors: ARGUMENT (also an unknown style); IO (an index file was changed during the call; parse the text
 * again); MEMORY. Any thread; the list belongs to one thread. */
FRAMEMAP_API framemap_status framemap_session_restore_traces(framemap_session *session, framemap_trace_list *list,
                                                             framemap_demangle demangle,
                                                             framemap_restore_summary *summary, framemap_error *error);

/* Describes the image whose index the caller wants. An absent string matches anything, but a query with neither path,
 * name nor id finds nothing. */
typedef struct framemap_image_query {
    framemap_str path; /* opens the file at this path, which need not be under the symbol paths; absent: search by the
                          other fields */
    framemap_str name;
    framemap_str id; /* id of the image, lower-case hex */
    framemap_str arch;
    bool exact; /* with path: opens that file itself, not a separate file with its debug info */
    /* Addresses, as framemap_build_options.positions: if the session has no index in memory or on disk, it makes one
     * for these addresses only. NULL: all addresses. */
    const uint64_t *positions;
    size_t position_count;
    /* if `name` is the name of an archive: the offset of the image, which must be stored without compression, as
     * framemap_frame.file_offset; 0: not known */
    uint64_t file_offset;
} framemap_image_query;

/* Finds a symbol file, compiles it if needed, and opens its index.
 * out: written on success; the index is held until framemap_session_release. Errors: ARGUMENT; IO; MISMATCH (found,
 * with another id or architecture, or several that fit); EMPTY (not found, or nothing in it); and those of
 * framemap_index_build. Any thread. */
FRAMEMAP_API framemap_status framemap_session_index(framemap_session *session, const framemap_image_query *want,
                                                    const framemap_index **out, framemap_error *error);

/* Opens the indexes that texts will need, so that no restore call waits for them: a service calls this when a new build
 * appears, or before it takes traffic. The session searches for each image or source map that a query describes, as for
 * a frame of a text with this scope, compiles it if needed, and opens it. The index stays in the session's memory as
 * after a restore call, under max_index_bytes. For ids that the symbol paths do not have, the session asks the store
 * (fetch) in one request for the heads of the builds with these ids and the scope's tenant. The pages and classes of
 * these builds depend on the stacks, so the restore calls fetch them. Restore calls of other threads go on meanwhile;
 * only one that needs an index which is being opened waits for that.
 * scope: its ids are not used; NULL: nothing is known. wants: `count` of them, 0 is allowed; name, id, arch and
 * file_offset are used (for a source map, `name` is the name of its script); path and positions must be absent. found:
 * how many of them have symbols that are now open; may be NULL; written on success. What is not found, or cannot be
 * opened, is not an error: it is passed to the session's warnings as by a restore call, and not listed as missing.
 * Errors: ARGUMENT, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_session_prepare(framemap_session *session, const framemap_scope *scope,
                                                      const framemap_image_query *wants, size_t count, size_t *found,
                                                      framemap_error *error);

/* Finds a companion of a symbol file as the session does for the indexes that it makes. It is for programs that call
 * framemap_index_build and answer framemap_build_options.companion with it. Files are searched next to the symbol file,
 * under the session's paths and in its debug_folders. A path that the symbol file states is followed only if it leads
 * to one of these folders, or with allow_outside. symbol_file: its path, NUL-terminated. Attempts of one request must
 * follow each other. bytes: written on success, borrowed from the session. Returns false if there is no (further) file.
 * One thread at a time for each session. */
FRAMEMAP_API bool framemap_session_companion(framemap_session *session, const char *symbol_file,
                                             const framemap_companion_request *wanted, framemap_str *bytes);

/* Finds the file with the debug info of an image that framemap_session_index would find. This is the image's own file
 * if it has debug info; otherwise one of these:
 * - a file with the same build id or UUID, under the session's paths or its debug_folders;
 * - a dSYM next to the image, or next to the bundle that contains the image;
 * - the file that .gnu_debuglink names, next to the image, in .debug/ there, or under the session's paths or its
 *   debug_folders. Its CRC-32 must be the one in the link, or its build id that of the image.
 *
 * framemap_session_index and the restore calls use this file if the image's own file has no debug info. out: written on
 * success; the path, borrowed from the session. Errors: EMPTY (there is none; the message says which file to give),
 * MISMATCH (also if a file of another build was found), and those of framemap_session_index. Any thread. */
FRAMEMAP_API framemap_status framemap_session_debug_file(framemap_session *session, const framemap_image_query *want,
                                                         framemap_str *out, framemap_error *error);

/* Releases an index that framemap_session_index returned. NULL is allowed. Any thread. */
FRAMEMAP_API void framemap_session_release(framemap_session *session, const framemap_index *index);

/* An image or a script that restored texts refer to, but for which the session found no symbols. Strings are borrowed
 * for the call of visit. A session lists up to 65,536 of them, with up to 16 MB of names; the frames of all others are
 * counted in one last row without name and id. */
typedef struct framemap_missing {
    framemap_str name, id, arch;
    uint64_t frames;    /* number of frames that need its symbols */
    const char *reason; /* a sentence that says why there are no symbols */
    framemap_kind kind; /* kind of the frames */
    framemap_why why;   /* the reason as a value for programs */
} framemap_missing;

/* Calls visit once for each missing image, then clears the list: native images first, then those of Dart, Java and
 * JavaScript, each kind in the order in which texts first needed them. visit must not call the session. Any thread. */
FRAMEMAP_API void framemap_session_missing(framemap_session *session,
                                           void (*visit)(void *context, const framemap_missing *missing),
                                           void *context);

#ifdef __cplusplus
}
#endif
#endif
