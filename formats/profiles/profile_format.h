/* What a format of profiles is: one row of the table in profile_registry.c, defined in the format's own files. It reads
 * texts into a sample set, line by line or as a whole, and writes sets. */
#ifndef FM_FORMATS_PROFILES_PROFILE_FORMAT_H
#define FM_FORMATS_PROFILES_PROFILE_FORMAT_H

#include "core/text/buffer.h"
#include "core/text/scan.h"
#include "formats/profiles/sample_set.h"

#define FM_PROFILE_FRAMES 16384 /* most frames of one stack; deeper stacks lose their innermost frames */

/* The output of a writer. The buffer is passed to `write` when it is full. */
struct fm_profile_out {
    const framemap_sample_set *set;
    struct fm_heap *heap;
    struct fm_buf buf;
    framemap_write write;
    void *context;
    framemap_status status;
};

struct fm_profile_format {
    framemap_sample_format info;
    /* Whether a text that begins like `head` is of the format. NULL: a text is read in the format only if the caller
     * names it. */
    bool (*looks)(framemap_str head);
    /* --- reading a text, either line by line … --- */
    size_t state_size; /* size in bytes of the state, which is zeroed at the start of a text */
    void (*line)(void *state, framemap_sample_set *set, framemap_str line);
    void (*end)(void *state, framemap_sample_set *set);
    /* --- … or as a whole. Errors: FORMAT (the text is not of the format), CORRUPT, MEMORY --- */
    framemap_status (*read)(framemap_sample_set *set, framemap_str text, framemap_error *error);
    /* --- writing; an error is put in out->status --- */
    void (*write)(struct fm_profile_out *out);
    bool flattens; /* the writer makes a set of names for itself (fm_profile_flatten) */
};

extern const struct fm_profile_format fm_profile_perf, fm_profile_folded, fm_profile_speedscope, fm_profile_chrome,
    fm_profile_firefox, fm_profile_cpuprofile, fm_profile_pprof, fm_profile_instruments, fm_profile_flamegraph,
    fm_profile_otlp, fm_profile_sentry, fm_profile_xctrace, fm_profile_stackprof, fm_profile_mojo, fm_profile_austin,
    fm_profile_traces;

const framemap_sample_format *const *fm_profile_infos(size_t *count);
/* Returns the row of that name, or NULL. */
const struct fm_profile_format *fm_profile_named(const char *name);
/* Returns the row of a text's format, by its first bytes; fm_profile_traces if no other row matches. */
const struct fm_profile_format *fm_profile_guess(framemap_str head);
/* Returns the name of a text's format, as fm_profile_read decides it when it is given no name; empty: it refuses the
 * text. text: plain UTF-8; of a document, at most FM_LIMIT_DOCUMENT bytes are looked at. */
const char *fm_profile_name_of(framemap_str text);

/* Reads a text into a set. Errors: as framemap_sample_set_read. */
framemap_status fm_profile_read(framemap_sample_set *set, framemap_str text, const char *format, framemap_error *error);
framemap_status fm_profile_feed(framemap_sample_set *set, framemap_str piece, const char *format,
                                framemap_error *error);
framemap_status fm_profile_finish(framemap_sample_set *set, const char *format, framemap_error *error);
void fm_profile_reader_free(framemap_sample_set *set);

/* Writes a set. Errors: as framemap_sample_set_write. */
framemap_status fm_profile_write(framemap_sample_set *set, const char *format, framemap_write write, void *context,
                                 uint32_t *lost, framemap_error *error);

/* --- for writers (profile_out.c) --- */

/* Pass the output buffer on to `write`: fm_profile_hand_on always, fm_profile_spill only if it has much. */
void fm_profile_hand_on(struct fm_profile_out *out);
void fm_profile_spill(struct fm_profile_out *out);
void fm_profile_put(struct fm_profile_out *out, const char *text);
void fm_profile_put_int(struct fm_profile_out *out, int64_t value);
/* Writes a number of thousandths, or other parts of a unit, as a decimal fraction: "12.345". unit: a power of ten. */
void fm_profile_put_fraction(struct fm_profile_out *out, int64_t value, unsigned unit);
/* Writes the members that fm_profile_json_thread reads of a thread. before: text to write before the first of them. */
void fm_profile_put_thread(struct fm_profile_out *out, uint32_t thread, const char *before);
/* Returns the frames of a stack, outermost first; *count of them, at most FM_PROFILE_FRAMES. frames: room for them. */
void fm_profile_frames_of(const framemap_sample_set *set, uint32_t node, uint32_t *frames, size_t *count);
/* Adds to *total the bytes of a stack, or of one frame; returns whether the total is within a limit. */
bool fm_profile_within(uint64_t *total, uint64_t bytes, uint64_t most);
/* Returns the bytes of the labels of all nodes, for formats that repeat a frame's label in each node. */
uint64_t fm_profile_node_labels(const framemap_sample_set *set);
/* What is written of a stack for each row that has it. */
enum {
    FM_STACK_LABELS = 1,  /* the labels of the stack's frames */
    FM_STACK_WEIGHTS = 2, /* the stack once for each weight that is not zero */
    FM_STACK_LONG = 4     /* members of JSON and lines for people, which may take four times as much as a profile */
};
/* Checks, before anything is written, that the stacks of all rows fit in fm_limit_stacks if each frame takes that many
 * bytes and what `parts` says. Errors: LIMIT, MEMORY. */
framemap_status fm_profile_check_stacks(const framemap_sample_set *set, struct fm_heap *heap, unsigned frame_bytes,
                                        unsigned parts);
/* Sets the error LIMIT of an output, `name`, whose stacks of a set would be too large. parts: as above. */
framemap_status fm_profile_too_deep(const framemap_sample_set *set, const char *name, unsigned parts,
                                    framemap_error *error);
/* Returns how many bytes the stacks of a set may take in an output. */
uint64_t fm_profile_most(const framemap_sample_set *set, unsigned parts);
/* Makes a set of names alone, with the first column of weights: what a flame graph shows. Frames with one label are one
 * frame; control characters of labels become blanks, and bytes that are not UTF-8 U+FFFD. processes: each stack begins
 * with the name of its process, if it is known. flat: to be freed also if it fails. false: out of memory, which `out`
 * remembers. */
bool fm_profile_flatten(struct fm_profile_out *out, framemap_sample_set *flat, bool processes);
/* Writes a label as text of one line in *buf, which is cleared first: control characters become blanks, bytes that are
 * not UTF-8 U+FFFD, and `from` becomes `to`. */
void fm_profile_plain_label(framemap_str label, char from, char to, struct fm_buf *buf);
/* Allocates memory for the writer alone; NULL: out of memory, which `out` remembers. */
void *fm_profile_alloc(struct fm_profile_out *out, size_t count, size_t size);
/* Returns the numbers of all rows, sorted by thread; within a thread by time, if times are known, or else as in the
 * set. NULL: out of memory. */
uint32_t *fm_profile_rows_by_thread(struct fm_profile_out *out);
/* Writes the name of a thread for people: its name, its process or its number. */
void fm_profile_thread_name(const framemap_sample_set *set, uint32_t thread, struct fm_buf *buf);

/* --- for readers --- */

/* Adds a stack with its restored frames as one sample. */
void fm_samples_add_trace(framemap_sample_set *set, const framemap_trace *trace);

/* Parses a decimal number with a fraction, in units of 10^-digits, rounded; too large ones become INT64_MAX, or
 * -INT64_MAX. false: not a number. */
bool fm_profile_decimal(framemap_str text, unsigned digits, int64_t *out);
/* Parses a JSON number as fm_profile_decimal parses a text; the number may have an exponent or be written as a
 * string. */
struct fm_json;
bool fm_profile_json_decimal(const struct fm_json *json, int32_t value, unsigned digits, int64_t *out);
/* Adds a string of a document to the set; returns its number there, 0 if there is none. */
uint32_t fm_profile_json_string(framemap_sample_set *set, const struct fm_json *json, int32_t value);
/* Converts a position of a document that counts from `base` to one that counts from 1; 0: there is none. */
uint32_t fm_profile_json_position(const struct fm_json *json, int32_t value, int64_t base);
/* Reads the members that framemap writes about a thread where a format has none for it: "thread", "process", "pid",
 * "tid". */
struct fm_sample_thread fm_profile_json_thread(framemap_sample_set *set, const struct fm_json *json, int32_t object);
/* Whether a text begins with that bracket, after white space. */
bool fm_profile_json_begins(framemap_str head, char bracket);

/* Appends the name of `source`, a frame that `frame` was restored to, or `frame` itself: "a.b.C.d", or "a.b.C.d [one of
 * 3]" if there are several answers. */
void fm_samples_put_name(struct fm_buf *out, const framemap_frame *frame, const framemap_frame *source);
/* Returns the number of the name of `source`, a frame that `frame` was restored to, or `frame` itself: "a.b.C.d", with
 * the count of answers if there are several, and a mark at its end. */
uint32_t fm_samples_name(framemap_sample_set *set, const framemap_frame *frame, const framemap_frame *source,
                         framemap_str mark);
/* Returns the number of the first restored frame that is in a sample: see fm_first_shown in trace_words.h. */
size_t fm_samples_first_shown(const framemap_frame *frame);

#endif
