/* Groups traces by a fingerprint that stays the same from build to build, and counts each group. Rules state which
 * frames are the app's own and who owns their files. docs/grouping.md is normative. */
#ifndef FRAMEMAP_GROUP_H
#define FRAMEMAP_GROUP_H

#include <framemap/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rules for frames. Immutable once they are open; any number of threads may use them. */
typedef struct framemap_rules framemap_rules;

/* Options of framemap_rules_open. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_rules_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    framemap_str in_app;                 /* a file of in-app rules (docs/grouping.md), at most 1 MiB; absent: none */
    framemap_str owners;                 /* a file of code owners in GitHub's syntax, at most 3 MiB; absent: none */
    bool no_defaults;                    /* leaves out the built-in rules for the frames of platforms */
    framemap_warning warning;            /* called for each line of `owners` that GitHub skips too, and for each rule of
                                            `in_app` whose kind is probably mistyped ("pakage:"). NULL: none */
    void *context;                       /* passed to warning */
    /* The folder of the repository on the machine where the app was built, "/home/ci/src/app", at most 1,024 bytes. For
     * a path in this folder, patterns of the file of code owners are applied to the rest of the path: "ui/a.kt" for
     * "/home/ci/src/app/ui/a.kt". Absent: the folder is not known; a pattern then applies to an absolute path if it
     * matches the text after any of the path's slashes. */
    framemap_str path_prefix;
} framemap_rules_options;

/* Reads rules. The texts are copied. options: NULL for the built-in rules alone. out: written on success; close it with
 * framemap_rules_close. Errors: ARGUMENT; FORMAT, with the line (an in-app rule is malformed); LIMIT (a text is larger
 * than its maximum, a pattern longer than 512 bytes, or more than 65,536 rules); MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_rules_open(const framemap_rules_options *options, framemap_rules **out,
                                                 framemap_error *error);

/* Closes rules. Nothing may use them any more. NULL is allowed. */
FRAMEMAP_API void framemap_rules_close(framemap_rules *rules);

/* Whether a frame is the app's own. trace: the trace that it is in, for the paths of its images; may be NULL. frame:
 * the frame as found. source: one of the frames that it was restored to, or `frame` itself. Returns true if an argument
 * other than trace is NULL. Any thread. */
FRAMEMAP_API bool framemap_rules_in_app(const framemap_rules *rules, const framemap_trace *trace,
                                        const framemap_frame *frame, const framemap_frame *source);

/* Returns the owners of a source file as the rules list them, separated by one space; absent if the file has none.
 * path: path of the file, as symbols have it. Borrowed from the rules. Any thread. */
FRAMEMAP_API framemap_str framemap_rules_owner(const framemap_rules *rules, framemap_str path);

/* Marks the traces of a list, which should be restored, with what the rules say: framemap_frame.in_app and owner, and
 * framemap_trace.fingerprint. The restore calls do the same with framemap_restore_options.rules. list: from
 * framemap_trace_parse; it owns the results except owners, which are borrowed from the rules. Errors: ARGUMENT, MEMORY.
 * Any thread; the list belongs to one thread. */
FRAMEMAP_API framemap_status framemap_trace_list_mark(framemap_trace_list *list, const framemap_rules *rules,
                                                      framemap_error *error);

/* Options of framemap_trace_fingerprint. Zero the struct, set size to sizeof, then set what differs from the defaults.
 */
typedef struct framemap_fingerprint_options {
    size_t size;
    const framemap_rules *rules; /* which frames are the app's own; NULL: all frames count */
    bool all_frames;             /* the fingerprint also covers the frames that are not the app's own */
    bool message;                /* the fingerprint also covers the message of each exception, without numbers, ids and
                                    quoted texts */
} framemap_fingerprint_options;

#define FRAMEMAP_FINGERPRINT_SIZE 33 /* 32 hexadecimal digits and a NUL */

/* Makes the fingerprint of a stack. It is the same on every platform. traces: the stack and the traces after it,
 * `count` of them, at least 1. The fingerprint covers the stack and the causes that directly follow it, and ignores
 * other traces. The traces should be restored. options: NULL for the defaults. out: written on success. Errors:
 * ARGUMENT, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_trace_fingerprint(const framemap_trace *traces, size_t count,
                                                        const framemap_fingerprint_options *options,
                                                        char out[FRAMEMAP_FINGERPRINT_SIZE], framemap_error *error);

/* Groups of stacks with the same fingerprint. Belongs to one thread at a time. */
typedef struct framemap_groups framemap_groups;

/* Options of framemap_groups_open. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_groups_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    const framemap_rules *rules;         /* the rules must outlive the groups; NULL: all frames are the app's own */
    uint32_t max_groups; /* groups that are kept, 16 to 10,000,000; 0: 10,000. If there are more, the rarest are merged
                            into `others` */
} framemap_groups_options;

/* Opens an empty list of groups. out: written on success; close it with framemap_groups_close. Errors: ARGUMENT,
 * MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_groups_open(const framemap_groups_options *options, framemap_groups **out,
                                                  framemap_error *error);

/* Closes groups. NULL is allowed. */
FRAMEMAP_API void framemap_groups_close(framemap_groups *groups);

/* Adds the stacks of a part of a text. A stack outside of a report counts once. A report counts once, by one of its
 * stacks: the thread that crashed, or else its first exception, or else its main thread. traces: `count` of them,
 * restored; borrowed for the call. file: the name of the text, for examples; cut after 255 bytes. Errors: ARGUMENT,
 * MEMORY; what was added before stays. A framemap_trace_visit may call it. */
FRAMEMAP_API framemap_status framemap_groups_add(framemap_groups *groups, framemap_str file,
                                                 const framemap_trace *traces, size_t count, framemap_error *error);

#define FRAMEMAP_GROUP_FRAMES 5 /* number of frames in an example */
#define FRAMEMAP_GROUP_IDS 8    /* maximum number of ids that a group has */

/* One group. Its strings are borrowed from the groups until the next call that adds to them; each has at most 255
 * bytes. */
typedef struct framemap_group {
    char fingerprint[FRAMEMAP_FINGERPRINT_SIZE];
    uint64_t count;     /* number of stacks in the group */
    framemap_str title; /* exception and message of the example, on one line; absent: none */
    /* frames of the example, innermost first, as "class.function (file:line)": frames of the app's own code, or any
     * frames if it has none of these */
    framemap_str frames[FRAMEMAP_GROUP_FRAMES];
    size_t frame_count;
    framemap_str owner;                   /* owner of the first of `frames` that has a file; absent: none */
    framemap_str file;                    /* file of the example */
    uint64_t line;                        /* line of the example, from 1 */
    framemap_str first_time, last_time;   /* the first and the last time of the group's stacks in the order of the text,
                                             as logs print them; absent: none */
    framemap_str ids[FRAMEMAP_GROUP_IDS]; /* ids of the builds seen, taken from the images of the app's own frames */
    size_t id_count;
    bool more_ids; /* the builds had more ids than fit */
} framemap_group;

/* Totals over all groups. */
typedef struct framemap_groups_totals {
    uint64_t stacks; /* stacks that were added */
    uint64_t groups; /* number of groups that are kept */
    uint64_t others; /* stacks of groups that were merged, because there were more than max_groups; the counts of groups
                        that are kept may be too low by up to this number */
    uint64_t merged; /* number of merged groups */
} framemap_groups_totals;

/* Returns the totals of all groups; all are 0 if groups is NULL. */
FRAMEMAP_API framemap_groups_totals framemap_groups_count(const framemap_groups *groups);

/* Gets group number `at`, from 0, the largest count first; groups with the same count are in the order of their first
 * stacks. Sorts the groups first if stacks were added since the last call. Returns false if there is no such group; out
 * is written only with true. */
FRAMEMAP_API bool framemap_groups_get(framemap_groups *groups, uint64_t at, framemap_group *out);

/* Writes the first `most` groups as "text" (a table for people) or "json" (docs/json.md). most 0: all. Errors: ARGUMENT
 * (also another format), IO (write refused), MEMORY. */
FRAMEMAP_API framemap_status framemap_groups_print(framemap_groups *groups, const char *format, uint64_t most,
                                                   framemap_write write, void *context, framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
