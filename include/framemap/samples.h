/* Sampled stacks with weights, as profilers write them: reads and writes profiles.
 *
 *     framemap_sample_set *set;
 *     framemap_sample_set_open(NULL, &set, &error);
 *     framemap_sample_set_read(set, text, NULL, &error);
 *     framemap_sample_set_write(set, "speedscope", write, context, NULL, &error);
 *     framemap_sample_set_close(set);
 */
#ifndef FRAMEMAP_SAMPLES_H
#define FRAMEMAP_SAMPLES_H

#include <framemap/frame.h>
#include <framemap/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What samples may contain besides names of functions and one weight; bits of a mask. The numeric values never
 * change. */
enum {
    FRAMEMAP_PART_FILES = 1,      /* paths of source files */
    FRAMEMAP_PART_LINES = 2,      /* line numbers of frames in their source files */
    FRAMEMAP_PART_COLUMNS = 4,    /* column numbers of frames in their source files */
    FRAMEMAP_PART_MODULES = 8,    /* images of frames whose function is known */
    FRAMEMAP_PART_ADDRESSES = 16, /* addresses of frames, and the positions of images in memory */
    FRAMEMAP_PART_INLINED = 32,   /* which frames belong to inlined functions */
    FRAMEMAP_PART_TIMES = 64,     /* when a sample was taken */
    FRAMEMAP_PART_THREADS = 128,  /* threads and processes */
    FRAMEMAP_PART_LABELS = 256,   /* other labels of samples */
    FRAMEMAP_PART_VALUES = 512,   /* several weights for each sample */
    FRAMEMAP_PART_NEGATIVE = 1024 /* weights less than zero, such as bytes of memory that was freed */
};

/* Samples: a tree of stacks, and weights for its nodes. */
typedef struct framemap_sample_set framemap_sample_set;

/* Options of framemap_sample_set_open. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_sample_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    uint64_t max_memory; /* ceiling on memory for the set, bytes; 0: none. Writing the set may take about as much again
                            for the time of the call */
    /* FRAMEMAP_PART_TIMES, _THREADS, _ADDRESSES and _LABELS that are not kept. Without times, equal samples are counted
     * in one place, and memory depends on the number of different stacks only. */
    uint32_t without;
} framemap_sample_options;

/* A frame of a sample. An absent string is {NULL, 0} or empty; an absent number is 0. */
typedef struct framemap_sample_frame {
    framemap_str function; /* function as printed: may end in a mark of folded stacks, "_[k]" */
    framemap_str module;   /* path or name of the image */
    framemap_str build_id; /* build id of the image, lower-case hex */
    framemap_str file;
    uint32_t line, column; /* line and column, from 1 */
    bool has_address, has_load_address;
    bool return_address; /* the address is a return address, as in framemap_frame */
    bool inlined;        /* the function was inlined into the frame that called it */
    bool maps_file;      /* as in framemap_frame: address - load_address is an offset in the file */
    framemap_address_kind address_kind;
    uint64_t address, load_address;
} framemap_sample_frame;

typedef struct framemap_sample_thread {
    framemap_str process, name;
    bool has_process_id, has_thread_id;
    uint64_t process_id, thread_id;
} framemap_sample_thread;

typedef struct framemap_sample_label {
    framemap_str key;
    framemap_str text; /* value of a label that is a text; absent: the value is `number` */
    int64_t number;
    framemap_str unit; /* unit of `number`; may be absent */
} framemap_sample_label;

/* What a weight counts, in the words of pprof: "samples" in "count", "cpu" in "nanoseconds". */
typedef struct framemap_sample_type {
    framemap_str type, unit;
} framemap_sample_type;

#define FRAMEMAP_NO_NODE UINT32_MAX

/* A sample: to be added, or as it is in the set. */
typedef struct framemap_sample {
    const framemap_sample_frame *frames; /* a sample to be added: its frames, innermost first. NULL in results */
    size_t frame_count;
    uint32_t node;         /* in results: the node of the innermost frame; FRAMEMAP_NO_NODE: the sample has no frames */
    const int64_t *values; /* one for each type of the set; borrowed from the set in results */
    size_t value_count;
    bool has_time, has_thread;
    int64_t time_ns; /* nanoseconds from any point that all samples share */
    framemap_sample_thread thread;
    /* a sample to be added: its labels. NULL in results, whose labels framemap_sample_set_label returns */
    const framemap_sample_label *labels;
    size_t label_count;
} framemap_sample;

/* Opens an empty set. options: NULL for the defaults. out: written on success; close it with framemap_sample_set_close.
 * Errors: ARGUMENT, MEMORY. Any thread; a set belongs to one thread at a time. */
FRAMEMAP_API framemap_status framemap_sample_set_open(const framemap_sample_options *options, framemap_sample_set **out,
                                                      framemap_error *error);
/* Closes a set and frees its samples. NULL is allowed. */
FRAMEMAP_API void framemap_sample_set_close(framemap_sample_set *set);

/* Adds a sample. types: what its values are, value_count of them. Strings are copied.
 * Errors: ARGUMENT, MEMORY, LIMIT; after MEMORY and LIMIT the set can only be closed. */
FRAMEMAP_API framemap_status framemap_sample_set_add(framemap_sample_set *set, const framemap_sample_type *types,
                                                     const framemap_sample *sample, framemap_error *error);

/* Adds all samples of a text. Profiles are read as their formats say (docs/formats.md); in any other text that framemap
 * reads, each stack is one sample. The text may be UTF-8 or UTF-16, and compressed with gzip, zstd or xz. A format that
 * has room for only one weight is written with the first type of the set. If the set is empty, the profile decides the
 * first type: it is the type that the profile shows by default. text: borrowed for the call. format: one name of
 * framemap_sample_format_list, "traces" (stacks of any other text), or NULL to decide by the text. Errors: ARGUMENT
 * (also an unknown format), FORMAT (not that format, or a recording of Java's Flight Recorder, a dump of stackprof or
 * an older profile of gperftools, with a hint), UNSUPPORTED (the format is only written), CORRUPT, TRUNCATED
 * (compressed data), MEMORY, LIMIT. After an error the set may have a part of the samples. */
FRAMEMAP_API framemap_status framemap_sample_set_read(framemap_sample_set *set, framemap_str text, const char *format,
                                                      framemap_error *error);
/* Read a text as framemap_sample_set_read does, in pieces that are cut anywhere: feed all pieces, then finish. Folded
 * stacks and perf script are read as they come; the text of other formats is kept until the set is finished; lines of
 * more than 16 MiB are left out. format: as for framemap_sample_set_read, and the same for all pieces. */
FRAMEMAP_API framemap_status framemap_sample_set_feed(framemap_sample_set *set, framemap_str piece, const char *format,
                                                      framemap_error *error);
FRAMEMAP_API framemap_status framemap_sample_set_finish(framemap_sample_set *set, const char *format,
                                                        framemap_error *error);

/* Writes the set. format: a name of framemap_sample_format_list. write: receives the output in pieces, with `context`.
 * lost: set to the FRAMEMAP_PART_ bits that the set has and the format cannot contain; may be NULL. Equal sets give
 * equal bytes. Most formats repeat the frames of each sample, so deep stacks can make the output too large. Samples
 * with equal stacks are then added up, which loses their times (reported in `lost`). Errors: ARGUMENT, UNSUPPORTED (the
 * format is only read), LIMIT (the stacks would take more than 256 MB and 1 KB for each sample and each node; nothing
 * is written), MEMORY, IO (write refused). */
FRAMEMAP_API framemap_status framemap_sample_set_write(framemap_sample_set *set, const char *format,
                                                       framemap_write write, void *context, uint32_t *lost,
                                                       framemap_error *error);

/* Opens an empty set that restores the stacks of texts as it reads them, before they become samples. Whole stacks are
 * restored, as by framemap_session_restore_traces, so a frame's answer can depend on the frames above and below, and
 * lines of Java are used. Profiles are restored after reading, by framemap_session_restore_samples, which leaves these
 * frames as they are. scope: which build the texts come from, as in framemap_restore_options; NULL: the texts alone
 * decide. session, scope: borrowed until the set is closed. Other arguments and errors are those of
 * framemap_sample_set_open; reading can also fail with the errors of framemap_session_restore_traces. */
FRAMEMAP_API framemap_status framemap_session_sample_set_open(framemap_session *session, const framemap_scope *scope,
                                                              const framemap_sample_options *options,
                                                              framemap_sample_set **out, framemap_error *error);

/* Restores the frames of a set with the session's symbols, each different frame once: addresses in images for which
 * the samples have a build id, or a name and a load address; frames of scripts, by file, line and column; and methods
 * of Java as async-profiler and perf-map-agent name them ("a/b.c_[j]", "a/b.c", "La/b;::c"). Answers that depend on the
 * frames above and below, such as a name at the call site, are not used. set: not changed; frames without an answer are
 * copied as they are. scope: which build the samples come from, as in framemap_restore_options; NULL: the samples alone
 * decide. out: written on success, a set of its own. Errors: those of framemap_session_restore_traces, ARGUMENT (also
 * the scope), LIMIT. Any thread; the set belongs to one thread. */
FRAMEMAP_API framemap_status framemap_session_restore_samples(framemap_session *session, const framemap_sample_set *set,
                                                              const framemap_scope *scope, framemap_sample_set **out,
                                                              framemap_error *error);

/* The numbers of records in a set. Frames, nodes and samples are numbered from 0. */
typedef struct framemap_sample_counts {
    uint32_t types, frames, nodes, samples;
    uint32_t parts; /* FRAMEMAP_PART_ bits that the set has */
} framemap_sample_counts;
FRAMEMAP_API void framemap_sample_set_counts(const framemap_sample_set *set, framemap_sample_counts *out);

/* Return the type, frame, node or sample that has the given number. Strings and values are borrowed until the set is
 * changed or closed. Return false if there is no such number. parent: the node of the caller, less than `node`;
 * FRAMEMAP_NO_NODE: the frame is the outermost. */
FRAMEMAP_API bool framemap_sample_set_type(const framemap_sample_set *set, uint32_t type, framemap_sample_type *out);
FRAMEMAP_API bool framemap_sample_set_frame(const framemap_sample_set *set, uint32_t frame, framemap_sample_frame *out);
FRAMEMAP_API bool framemap_sample_set_node(const framemap_sample_set *set, uint32_t node, uint32_t *parent,
                                           uint32_t *frame);
FRAMEMAP_API bool framemap_sample_set_sample(const framemap_sample_set *set, uint32_t sample, framemap_sample *out);
/* Gets label number `label` of a sample. Returns false if there is no such label. */
FRAMEMAP_API bool framemap_sample_set_label(const framemap_sample_set *set, uint32_t sample, uint32_t label,
                                            framemap_sample_label *out);

/* A format of profiles. Static memory. */
typedef struct framemap_sample_format {
    const char *name, *summary;
    bool reads, writes;
    uint32_t holds; /* FRAMEMAP_PART_ bits of what the format can contain */
} framemap_sample_format;

/* Returns the formats of profiles of this build; *count is their number. Static memory. Any thread. */
FRAMEMAP_API const framemap_sample_format *const *framemap_sample_format_list(size_t *count);

/* Returns the name of a part, such as "source files". part: one bit. Static memory, never NULL. Any thread. */
FRAMEMAP_API const char *framemap_sample_part_name(uint32_t part);

#ifdef __cplusplus
}
#endif
#endif
