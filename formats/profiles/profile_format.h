/* What a format of profiles is: one row of the table in profile_registry.c, defined in the format's own files. A
 * format reads texts into a sample set, line by line or as a whole, and writes sample sets. */
#ifndef FM_FORMATS_PROFILES_PROFILE_FORMAT_H
#define FM_FORMATS_PROFILES_PROFILE_FORMAT_H

#include "core/text/buffer.h"
#include "core/text/scan.h"
#include "formats/profiles/sample_set.h"

/* maximum number of frames of one stack; of deeper stacks, the innermost frames are dropped */
#define FM_PROFILE_FRAMES 16384

/* The output of a writer. The buffer is passed to `write` whenever it is full. */
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
    /* Whether a text that begins with `head` is in this format. NULL: the format is used only if the caller names
     * it. */
    bool (*looks)(framemap_str head);
    /* --- reading a text line by line --- */
    size_t state_size; /* size in bytes of the state, which is zeroed at the start of a text */
    void (*line)(void *state, framemap_sample_set *set, framemap_str line);
    void (*end)(void *state, framemap_sample_set *set);
    /* --- reading a text as a whole; a format has either `line` or `read`. Errors: FORMAT (the text is not in the
     * format), CORRUPT, MEMORY --- */
    framemap_status (*read)(framemap_sample_set *set, framemap_str text, framemap_error *error);
    /* --- writing a sample set; an error is stored in out->status --- */
    void (*write)(struct fm_profile_out *out);
    bool flattens; /* the writer itself calls fm_profile_flatten, which makes a set with names only */
};

extern const struct fm_profile_format fm_profile_perf, fm_profile_folded, fm_profile_speedscope, fm_profile_chrome,
    fm_profile_firefox, fm_profile_cpuprofile, fm_profile_pprof, fm_profile_instruments, fm_profile_flamegraph,
    fm_profile_otlp, fm_profile_sentry, fm_profile_xctrace, fm_profile_stackprof, fm_profile_mojo, fm_profile_austin,
    fm_profile_traces;

const framemap_sample_format *const *fm_profile_infos(size_t *count);
/* Returns the format with the given name, or NULL. */
const struct fm_profile_format *fm_profile_named(const char *name);
/* Returns the format of a text, judged by its first bytes; fm_profile_traces if no other format matches. */
const struct fm_profile_format *fm_profile_guess(framemap_str head);
/* Returns the name of a text's format: the one that fm_profile_read uses if no format is named; empty if it rejects
 * the text. text: plain UTF-8. At most FM_LIMIT_DOCUMENT bytes of a document are examined. */
const char *fm_profile_name_of(framemap_str text);

/* Reads a text into a set. Errors: those of framemap_sample_set_read. */
framemap_status fm_profile_read(framemap_sample_set *set, framemap_str text, const char *format, framemap_error *error);
framemap_status fm_profile_feed(framemap_sample_set *set, framemap_str piece, const char *format,
                                framemap_error *error);
framemap_status fm_profile_finish(framemap_sample_set *set, const char *format, framemap_error *error);
void fm_profile_reader_free(framemap_sample_set *set);

/* Writes a set. Errors: those of framemap_sample_set_write. */
framemap_status fm_profile_write(framemap_sample_set *set, const char *format, framemap_write write, void *context,
                                 uint32_t *lost, framemap_error *error);

/* --- writing profiles: functions that the writers share (profile_out.c) --- */

/* Both functions pass the contents of the output buffer to `write`: fm_profile_hand_on in any case, fm_profile_spill
 * only if the buffer is nearly full. */
void fm_profile_hand_on(struct fm_profile_out *out);
void fm_profile_spill(struct fm_profile_out *out);
void fm_profile_put(struct fm_profile_out *out, const char *text);
void fm_profile_put_int(struct fm_profile_out *out, int64_t value);
/* Writes a value that is in parts of a unit, such as thousandths, as a decimal fraction: "12.345" for 12345. unit:
 * parts per unit, a power of ten. */
void fm_profile_put_fraction(struct fm_profile_out *out, int64_t value, unsigned unit);
/* Writes a thread as the JSON members that fm_profile_json_thread reads. before: text to write before the first
 * member. */
void fm_profile_put_thread(struct fm_profile_out *out, uint32_t thread, const char *before);
/* Sets frames[0] to frames[*count - 1] to the frames of a stack, outermost first. frames: room for
 * FM_PROFILE_FRAMES. */
void fm_profile_frames_of(const framemap_sample_set *set, uint32_t node, uint32_t *frames, size_t *count);
/* Adds a number of bytes to *total. Returns whether *total is still at most `most`. */
bool fm_profile_within(uint64_t *total, uint64_t bytes, uint64_t most);
/* Returns the sum of the sizes of all nodes' labels, for formats that write a frame's label again for each node. */
uint64_t fm_profile_node_labels(const framemap_sample_set *set);
/* The parts of each row's stack that a format writes: bits of a mask. */
enum {
    FM_STACK_LABELS = 1,  /* the labels of the stack's frames are written, not only the numbers of the frames */
    FM_STACK_WEIGHTS = 2, /* the stack is written once for each weight that is not zero */
    /* the format is verbose JSON or text for people, so it may take four times as many bytes as a profile */
    FM_STACK_LONG = 4
};
/* Checks, before anything is written, that the stacks of all rows fit in fm_limit_stacks. frame_bytes: number of bytes
 * for each frame; parts: further parts that are written, bits of FM_STACK_…. Errors: LIMIT, MEMORY. */
framemap_status fm_profile_check_stacks(const framemap_sample_set *set, struct fm_heap *heap, unsigned frame_bytes,
                                        unsigned parts);
/* Sets the error LIMIT: the stacks of a set would be too large in the output `name`. parts: bits of FM_STACK_…. */
framemap_status fm_profile_too_deep(const framemap_sample_set *set, const char *name, unsigned parts,
                                    framemap_error *error);
/* Returns how many bytes the stacks of a set may take in an output. parts: bits of FM_STACK_…. */
uint64_t fm_profile_most(const framemap_sample_set *set, unsigned parts);
/* Makes a set with only names and the first column of weights, which is what a flame graph shows. Frames with equal
 * labels become one frame. In labels, control characters become blanks, and bytes that are not UTF-8 become U+FFFD.
 * processes: each stack begins with the name of its process, if it is known. flat: must be freed even if the call
 * fails. Returns false if out of memory, which `out` records. */
bool fm_profile_flatten(struct fm_profile_out *out, framemap_sample_set *flat, bool processes);
/* Writes a label to *buf as text on one line; *buf is cleared first. Control characters become blanks, bytes that
 * are not UTF-8 become U+FFFD, and the character `from` becomes `to`. */
void fm_profile_plain_label(framemap_str label, char from, char to, struct fm_buf *buf);
/* Allocates memory for use by the writer. NULL: out of memory, which `out` records. */
void *fm_profile_alloc(struct fm_profile_out *out, size_t count, size_t size);
/* Returns the numbers of all rows, sorted by thread. The rows of a thread are sorted by time if times are known;
 * otherwise they keep the order of the set. NULL: out of memory. */
uint32_t *fm_profile_rows_by_thread(struct fm_profile_out *out);
/* Writes a thread's name for people to read: the name of the thread, or of its process, or else its number. */
void fm_profile_thread_name(const framemap_sample_set *set, uint32_t thread, struct fm_buf *buf);

/* --- reading profiles: functions that the readers share --- */

/* Adds a stack to the set as one sample; its restored frames are used if it has any. */
void fm_samples_add_trace(framemap_sample_set *set, const framemap_trace *trace);

/* Parses a decimal number with a fraction, in units of 10^-digits, rounded. A number that is too large becomes
 * INT64_MAX or -INT64_MAX. Returns false if the text is not a number. */
bool fm_profile_decimal(framemap_str text, unsigned digits, int64_t *out);
/* fm_profile_json_decimal parses a JSON number as fm_profile_decimal parses a text. The number may have an exponent,
 * and may be written as a string. */
struct fm_json;
bool fm_profile_json_decimal(const struct fm_json *json, int32_t value, unsigned digits, int64_t *out);
/* Adds a JSON string to the set. Returns its number there; 0 if the value is not a string. */
uint32_t fm_profile_json_string(framemap_sample_set *set, const struct fm_json *json, int32_t value);
/* Converts a line or column in JSON, where the first one has number `base`, to one that counts from 1; 0 if the JSON
 * value is absent. */
uint32_t fm_profile_json_position(const struct fm_json *json, int32_t value, int64_t base);
/* Reads a thread from the JSON members "thread", "process", "pid" and "tid", which framemap writes if a format has
 * no members of its own for it. */
struct fm_sample_thread fm_profile_json_thread(framemap_sample_set *set, const struct fm_json *json, int32_t object);
/* Whether a text begins with a bracket, possibly after white space. */
bool fm_profile_json_begins(framemap_str head, char bracket);

/* Appends the name of a restored frame: "a.b.C.d", or "a.b.C.d [one of 3]" if the symbols give several possible
 * results. frame: the original frame; source: a frame that it was restored to, or `frame` itself. */
void fm_samples_put_name(struct fm_buf *out, const framemap_frame *frame, const framemap_frame *source);
/* Returns the number in the set of the name of a restored frame: "a.b.C.d", with the number of possible results if
 * there are several, and with `mark` at its end. frame, source: as in fm_samples_put_name. */
uint32_t fm_samples_name(framemap_sample_set *set, const framemap_frame *frame, const framemap_frame *source,
                         framemap_str mark);
/* Returns the index of the first restored frame that is added to a sample; see fm_first_shown in trace_words.h. */
size_t fm_samples_first_shown(const framemap_frame *frame);

#endif
