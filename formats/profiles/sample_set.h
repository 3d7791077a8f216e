/* Sampled stacks with weights: the type that profiles are read into and written from. Stacks are nodes of one tree, and
 * equal samples are one row, so memory depends on the number of different stacks. Times, where they are kept, take a
 * row for each sample. The public calls are in api/api_samples.c.
 *
 * Strings, frames, nodes, threads and sets of labels are numbered as they are first seen. A function that cannot add
 * something returns FM_NO_ID, which the others accept, and the set remembers why (`fault`). */
#ifndef FM_FORMATS_PROFILES_SAMPLE_SET_H
#define FM_FORMATS_PROFILES_SAMPLE_SET_H

#include "core/hash/hash.h"
#include "core/heap.h"
#include "core/text/text.h"
#include <framemap/samples.h>

#define FM_NO_ID UINT32_MAX
#define FM_SAMPLE_COLUMNS 64 /* kinds of weights of one set; pprof's heap profiles have four, perf two for an event */
#define FM_NO_TIME INT64_MIN

enum {
    FM_FRAME_ADDRESS = 1,
    FM_FRAME_LOAD = 2,
    FM_FRAME_RETURN = 4,
    FM_FRAME_INLINED = 8,
    FM_FRAME_RESTORED = 16, /* the frame was restored with its whole stack, so it is not looked up alone */
    FM_FRAME_JAVA = 32,     /* the function is "package.Class.method" of Java */
    FM_FRAME_MAPS_FILE = 64 /* address - load_address is an offset in the file */
};

/* Texts are numbers of strings; 0 is the empty one. Compared as bytes. */
struct fm_sample_frame {
    uint64_t address, load_address;
    uint32_t function, module, build_id, file, line1, column1;
    uint32_t flags;
    uint32_t address_kind; /* framemap_address_kind */
};

struct fm_sample_node {
    uint32_t parent; /* node of the caller, less than the node's own number; FM_NO_ID: outermost */
    uint32_t frame;
};

struct fm_sample_thread {
    uint64_t process_id, thread_id;
    uint32_t process, name;           /* numbers of strings */
    uint32_t has_process, has_thread; /* whether the ids are known */
};

struct fm_sample_label {
    int64_t number;
    uint32_t key, text, unit; /* numbers of strings; text: 0 if the value is the number */
    uint32_t spare;
};

struct fm_sample_labels {
    size_t at;
    uint32_t count;
};

struct fm_sample_entry {
    int64_t time_ns; /* time of the sample; FM_NO_TIME: not known, or not kept */
    uint32_t node;   /* node of the innermost frame; FM_NO_ID: a sample without frames */
    uint32_t thread; /* number of the thread; FM_NO_ID: not known */
    uint32_t labels; /* number of the set of labels; FM_NO_ID: no labels */
};

struct fm_sample_column {
    uint32_t type, unit; /* strings: "cycles", "nanoseconds" */
};

struct fm_interned {
    struct fm_table table;
    size_t count, capacity;
};

/* Restores the stacks of a text, in place. arena: memory for the results. */
typedef framemap_status fm_samples_restore(const framemap_sample_set *set, struct fm_arena *arena,
                                           framemap_trace *traces, size_t count, framemap_error *error);

struct framemap_sample_set {
    struct fm_heap heap;
    struct fm_arena arena; /* memory of the strings */
    uint64_t key;
    unsigned without; /* parts that are not kept */
    framemap_status fault;

    framemap_str *strings;
    struct fm_sample_frame *frames;
    struct fm_sample_node *nodes;
    struct fm_sample_thread *threads;
    struct fm_sample_labels *label_sets;
    struct fm_sample_label *labels;
    struct fm_sample_entry *rows;
    int64_t *values; /* column_count weights for each row */
    struct fm_interned string, frame, node, thread, label_set, row;
    size_t label_count, label_capacity, value_capacity;
    struct fm_sample_column columns[FM_SAMPLE_COLUMNS];
    uint32_t column_count;

    struct fm_sample_reader *reader; /* reads a text that arrives in pieces (profile_reader.c) */
    fm_samples_restore *restore;     /* call of session/samples that restores the stacks; NULL: they stay as printed */
    framemap_session *session;       /* session and scope of `restore` */
    const framemap_scope *scope;
};

void fm_samples_init(framemap_sample_set *set, const framemap_allocator *allocator, uint64_t max_memory,
                     unsigned without);
void fm_samples_free(framemap_sample_set *set);

/* Each of these adds its argument to the set, or finds an equal element, and returns its number. */
uint32_t fm_samples_string(framemap_sample_set *set, framemap_str text);
uint32_t fm_samples_frame(framemap_sample_set *set, const struct fm_sample_frame *frame);
uint32_t fm_samples_node(framemap_sample_set *set, uint32_t parent, uint32_t frame);
/* Returns FM_NO_ID for a thread of which nothing is known. */
uint32_t fm_samples_thread(framemap_sample_set *set, const struct fm_sample_thread *thread);
uint32_t fm_samples_labels(framemap_sample_set *set, const struct fm_sample_label *labels, size_t count);
/* Returns the column of weights of that type; type and unit as pprof names them: "samples" and "count". */
uint32_t fm_samples_column(framemap_sample_set *set, framemap_str type, framemap_str unit);
/* Returns the column that fm_samples_column would return, if the set has it; otherwise FM_NO_ID. */
uint32_t fm_samples_known_column(const framemap_sample_set *set, framemap_str type, framemap_str unit);
/* Adds a sample with one weight for each of `count` columns. Sums stop at INT64_MAX. */
void fm_samples_add(framemap_sample_set *set, const struct fm_sample_entry *row, const uint32_t *columns,
                    const int64_t *values, size_t count);
/* Adds a sample with one weight, as fm_samples_add does with several. */
void fm_samples_one(framemap_sample_set *set, const struct fm_sample_entry *row, uint32_t column, int64_t value);

void fm_samples_fault(framemap_sample_set *set, framemap_status status);
/* Returns the set's fault as an error. */
framemap_status fm_samples_status(framemap_sample_set *set, framemap_error *error);

static inline framemap_str fm_samples_text(const framemap_sample_set *set, uint32_t string)
{
    return string < set->string.count ? set->strings[string] : fm_str(NULL, 0);
}
static inline int64_t fm_samples_value(const framemap_sample_set *set, size_t row, size_t column)
{
    return set->values[row * set->column_count + column];
}
/* Returns the FRAMEMAP_PART_... that the set has. */
unsigned fm_samples_parts(const framemap_sample_set *set);
/* Returns a + b, limited to the range of int64_t. */
int64_t fm_samples_sum(int64_t a, int64_t b);

/* Returns the label of a frame, for formats that have one text for each frame: its function, or its module in
 * brackets, or its address. The result is in `room`, or in the set. */
#define FM_FRAME_LABEL 512
framemap_str fm_samples_label(const framemap_sample_set *set, uint32_t frame, char room[FM_FRAME_LABEL]);

#endif
