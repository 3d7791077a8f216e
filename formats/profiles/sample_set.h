/* A sample set: sampled stacks with weights. Profiles are read into a sample set, and written from it. Stacks are nodes
 * of one tree, and equal samples are one row, so the memory depends on the number of different stacks. If times are
 * stored, each sample is a row of its own. The public functions are in api/api_samples.c.
 *
 * Strings, frames, nodes, threads and sets of labels have numbers, in the order in which they are added. A
 * function that cannot add an element returns FM_NO_ID, which other functions accept, and the set records the
 * reason (`fault`). */
#ifndef FM_FORMATS_PROFILES_SAMPLE_SET_H
#define FM_FORMATS_PROFILES_SAMPLE_SET_H

#include "core/hash/hash.h"
#include "core/heap.h"
#include "core/text/text.h"
#include <framemap/samples.h>

#define FM_NO_ID UINT32_MAX
/* maximum number of kinds of weights of one set; pprof's heap profiles have four, perf has two for each event */
#define FM_SAMPLE_COLUMNS 64
#define FM_NO_TIME INT64_MIN

enum {
    FM_FRAME_ADDRESS = 1,
    FM_FRAME_LOAD = 2,
    FM_FRAME_RETURN = 4,
    FM_FRAME_INLINED = 8,
    /* the frame was restored together with its whole stack, so it must not be looked up alone */
    FM_FRAME_RESTORED = 16,
    FM_FRAME_JAVA = 32,     /* the function is "package.Class.method" of Java */
    FM_FRAME_MAPS_FILE = 64 /* address - load_address is the address's offset in the file */
};

/* A frame. Its strings are stored as numbers of strings in the set; 0 is the empty string. Frames are compared as
 * bytes. */
struct fm_sample_frame {
    uint64_t address, load_address;
    uint32_t function, module, build_id, file, line1, column1;
    uint32_t flags;
    uint32_t address_kind; /* a value of framemap_address_kind */
};

struct fm_sample_node {
    /* node of the caller, lower than the number of this node; FM_NO_ID: this is an outermost frame */
    uint32_t parent;
    uint32_t frame;
};

struct fm_sample_thread {
    uint64_t process_id, thread_id;
    uint32_t process, name;           /* numbers of strings */
    uint32_t has_process, has_thread; /* whether the ids of process and thread are known */
};

struct fm_sample_label {
    int64_t number;
    uint32_t key, text, unit; /* key, text and unit are numbers of strings; text is 0 if the value is a number */
    uint32_t spare;
};

struct fm_sample_labels {
    size_t at;
    uint32_t count;
};

struct fm_sample_entry {
    int64_t time_ns; /* time of the sample; FM_NO_TIME: the time is not known, or is not stored */
    uint32_t node;   /* node of the innermost frame; FM_NO_ID: the sample has no frames */
    uint32_t thread; /* number of the thread; FM_NO_ID: the thread is not known */
    uint32_t labels; /* number of the set of labels; FM_NO_ID: the sample has no labels */
};

struct fm_sample_column {
    uint32_t type, unit; /* numbers of strings, such as "cycles" and "nanoseconds" */
};

struct fm_interned {
    struct fm_table table;
    size_t count, capacity;
};

/* Restores the traces of a text, in place. arena: memory for the results. */
typedef framemap_status fm_samples_restore(const framemap_sample_set *set, struct fm_arena *arena,
                                           framemap_trace *traces, size_t count, framemap_error *error);

struct framemap_sample_set {
    struct fm_heap heap;
    struct fm_arena arena; /* memory for the strings */
    uint64_t key;
    unsigned without; /* FRAMEMAP_PART_ bits of the parts that the set does not store */
    framemap_status fault;

    framemap_str *strings;
    struct fm_sample_frame *frames;
    struct fm_sample_node *nodes;
    struct fm_sample_thread *threads;
    struct fm_sample_labels *label_sets;
    struct fm_sample_label *labels;
    struct fm_sample_entry *rows;
    int64_t *values; /* column_count weights for each row, row by row */
    struct fm_interned string, frame, node, thread, label_set, row;
    size_t label_count, label_capacity, value_capacity;
    struct fm_sample_column columns[FM_SAMPLE_COLUMNS];
    uint32_t column_count;

    struct fm_sample_reader *reader; /* state of reading a text in pieces (profile_reader.c) */
    /* function of session/samples that restores the stacks; NULL: stacks are used as they are in the text */
    fm_samples_restore *restore;
    framemap_session *session; /* the session and the scope that `restore` uses */
    const framemap_scope *scope;
};

void fm_samples_init(framemap_sample_set *set, const framemap_allocator *allocator, uint64_t max_memory,
                     unsigned without);
void fm_samples_free(framemap_sample_set *set);

/* These functions add their argument to the set, unless an equal element is there already, and return its number. */
uint32_t fm_samples_string(framemap_sample_set *set, framemap_str text);
uint32_t fm_samples_frame(framemap_sample_set *set, const struct fm_sample_frame *frame);
uint32_t fm_samples_node(framemap_sample_set *set, uint32_t parent, uint32_t frame);
/* Does for a thread what fm_samples_string does for a text. Returns FM_NO_ID if nothing is known of the thread. */
uint32_t fm_samples_thread(framemap_sample_set *set, const struct fm_sample_thread *thread);
uint32_t fm_samples_labels(framemap_sample_set *set, const struct fm_sample_label *labels, size_t count);
/* Returns the column for weights of a type; adds the column if necessary. type and unit are named as in pprof:
 * "samples" and "count". */
uint32_t fm_samples_column(framemap_sample_set *set, framemap_str type, framemap_str unit);
/* Returns the column that fm_samples_column would return, if it exists already; otherwise FM_NO_ID. */
uint32_t fm_samples_known_column(const framemap_sample_set *set, framemap_str type, framemap_str unit);
/* Adds a sample with weights for `count` columns. Equal samples are summed up; a sum is at most INT64_MAX. */
void fm_samples_add(framemap_sample_set *set, const struct fm_sample_entry *row, const uint32_t *columns,
                    const int64_t *values, size_t count);
/* Adds a sample with a weight for one column; see fm_samples_add. */
void fm_samples_one(framemap_sample_set *set, const struct fm_sample_entry *row, uint32_t column, int64_t value);

void fm_samples_fault(framemap_sample_set *set, framemap_status status);
/* Returns the set's fault, and sets *error accordingly. */
framemap_status fm_samples_status(framemap_sample_set *set, framemap_error *error);

static inline framemap_str fm_samples_text(const framemap_sample_set *set, uint32_t string)
{
    return string < set->string.count ? set->strings[string] : fm_str(NULL, 0);
}
static inline int64_t fm_samples_value(const framemap_sample_set *set, size_t row, size_t column)
{
    return set->values[row * set->column_count + column];
}
/* Returns the FRAMEMAP_PART_… bits of the parts that the set has. */
unsigned fm_samples_parts(const framemap_sample_set *set);
/* Returns a + b, limited to the range of int64_t. */
int64_t fm_samples_sum(int64_t a, int64_t b);

/* Returns the label of a frame, for formats that have one text per frame: its function, or else its module in
 * brackets, or else its address. The result is in `room` or is a string of the set. */
#define FM_FRAME_LABEL 512
framemap_str fm_samples_label(const framemap_sample_set *set, uint32_t frame, char room[FM_FRAME_LABEL]);

#endif
