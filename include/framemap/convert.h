/* Converts the stacks or samples of a text, in any format that the library reads, to any format that it writes.
 *
 *     framemap_convert(session, text, "sentry", NULL, write, context, &summary, &error);
 *
 * Parts that the target cannot contain are reported in summary.lost. For a text that arrives in pieces, use
 * framemap_stream_open with the target as its output; for traces that the caller has, use a printer:
 *
 *     framemap_printer *printer;
 *     framemap_printer_open("json", NULL, write, context, &printer, &error);
 *     framemap_printer_trace(printer, text, traces, count, &error);
 *     framemap_printer_close(printer, &lost, &error); */
#ifndef FRAMEMAP_CONVERT_H
#define FRAMEMAP_CONVERT_H

#include <framemap/samples.h>
#include <framemap/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parts that a stack may have, as bits. They and the FRAMEMAP_PART_ bits of samples.h are different bits, so one mask
 * can contain both. The numeric values never change. */
enum {
    FRAMEMAP_PART_IDS = 1 << 16,         /* ids of images: build ids, UUIDs */
    FRAMEMAP_PART_IMAGES = 1 << 17,      /* lists of all images of a process */
    FRAMEMAP_PART_OFFSETS = 1 << 18,     /* distances from the start of functions */
    FRAMEMAP_PART_REGISTERS = 1 << 19,   /* registers */
    FRAMEMAP_PART_EXCEPTIONS = 1 << 20,  /* types and messages of exceptions, signals */
    FRAMEMAP_PART_CAUSES = 1 << 21,      /* relations between stacks: which is the cause or a part of which other */
    FRAMEMAP_PART_PROCESSES = 1 << 22,   /* names and ids of processes, the system, the architecture */
    FRAMEMAP_PART_LOGS = 1 << 23,        /* prefixes of loggers */
    FRAMEMAP_PART_MARKERS = 1 << 24,     /* rows that are not frames: gaps, "... 4 more" */
    FRAMEMAP_PART_ALTERNATIVES = 1 << 25 /* several possible results for a frame */
};

/* Returns the name of a part, such as "registers". part: one bit of this enum, or a FRAMEMAP_PART_ bit of samples.h.
 * Static memory, never NULL. Any thread. */
FRAMEMAP_API const char *framemap_part_name(uint32_t part);

/* framemap_trace_parts returns the parts that a trace has. framemap_trace_lost returns which of these parts are lost if
 * the trace is written in `format`, a target of framemap_convert; 0 if format is NULL or unknown. If a format copies
 * the printed rows of frames that are not restored, it loses nothing of these frames. Any thread. */
FRAMEMAP_API uint32_t framemap_trace_parts(const framemap_trace *trace);
FRAMEMAP_API uint32_t framemap_trace_lost(const framemap_trace *trace, const char *format);

/* Whether a format is a target of framemap_convert: the library can write stacks or samples in it. Any thread. */
FRAMEMAP_API bool framemap_convert_writes(const char *format);

/* Options of framemap_convert. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_convert_options {
    size_t size;
    /* the format of the text, one of framemap_format_list or framemap_sample_format_list; NULL: decided by the text */
    const char *from;
    framemap_demangle demangle;
    const framemap_scope *scope; /* which build the text comes from; NULL: the text alone decides. Copied */
} framemap_convert_options;

typedef struct framemap_convert_summary {
    framemap_restore_summary restore; /* counts of stacks; for a set of samples only `traces` is set: the number of its
                                         samples */
    uint32_t lost;                    /* FRAMEMAP_PART_ bits that the input has and the output cannot contain */
} framemap_convert_summary;

/* Reads all stacks or samples of a text, restores them if there is a session, and writes them in another format. Each
 * stack is one sample in a format of samples. A profile that has no form as text (pprof) is written as stacks, one for
 * each different stack, without weights. session: NULL to write the frames as the text prints them. text: borrowed for
 * the call; may be compressed with gzip, zstd or xz. to: "text" (the report's own look), or the name of another format
 * of framemap_format_list or framemap_sample_format_list that can be written. options: NULL for the defaults. write:
 * receives the output in pieces, with `context`. summary: written on success; may be NULL. Memory for stacks does not
 * depend on the size of the text, unless they are written in a format of samples: then all samples are in memory.
 * Errors: those of framemap_session_restore and framemap_sample_set_read; ARGUMENT also for an unknown format. Any
 * thread. */
FRAMEMAP_API framemap_status framemap_convert(framemap_session *session, framemap_str text, const char *to,
                                              const framemap_convert_options *options, framemap_write write,
                                              void *context, framemap_convert_summary *summary, framemap_error *error);

/* Writes traces one after the other, while framemap_trace_print writes them all in one call. */
typedef struct framemap_printer framemap_printer;

/* Options of framemap_printer_open. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_printer_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    uint64_t max_memory;                 /* ceiling on memory for the printer, bytes; 0: none */
} framemap_printer_options;

/* Opens a printer for one output. format: as for framemap_trace_print, or a format of samples that can be written: then
 * framemap_printer_close writes all of the output. options: NULL for the defaults. write: receives the output in
 * pieces, with `context`, during the calls below. out: written on success. Errors: ARGUMENT, UNSUPPORTED (the format
 * cannot be written), IO (write refused), MEMORY. Any thread; a printer belongs to one thread at a time. */
FRAMEMAP_API framemap_status framemap_printer_open(const char *format, const framemap_printer_options *options,
                                                   framemap_write write, void *context, framemap_printer **out,
                                                   framemap_error *error);
/* Writes traces: `count` of them, borrowed for the call; traces may be NULL only if count is 0. The threads and causes
 * of one event must be passed in one call to be written as one event. text: the text that the traces were parsed from;
 * or only a part of it that contains the traces, if their raw_offset counts from the start of that part. The format
 * "text" copies everything that is not a frame from this text. Errors: ARGUMENT, IO, MEMORY, LIMIT; the printer can
 * then only be closed. */
FRAMEMAP_API framemap_status framemap_printer_trace(framemap_printer *printer, framemap_str text,
                                                    const framemap_trace *traces, size_t count, framemap_error *error);
/* Writes the rest and frees the printer, also if it fails. printer: may be NULL. lost: set to the parts that the traces
 * had and the format cannot contain; may be NULL. error: NULL to discard the printer without writing more. Errors:
 * those of framemap_printer_trace, and the error of an earlier call. */
FRAMEMAP_API framemap_status framemap_printer_close(framemap_printer *printer, uint32_t *lost, framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
