/* Parses a text as it arrives in pieces, or a whole text in memory. Stacks, and the text between them, are handed out
 * and then forgotten as soon as later text cannot change them. The traces that are found do not depend on where the
 * text is cut. Called by session/restore/restore_text.c; it must not know what becomes of the traces.
 *
 * Memory: the text is in a window, and what parsers allocate is in an arena; both belong to a generation. When the
 * window is full or the arena is large, a new generation begins with a copy of what is still needed, and the old one is
 * freed once all traces that began in it were handed out. */
#ifndef FM_FORMATS_TEXT_STREAM_H
#define FM_FORMATS_TEXT_STREAM_H

#include "formats/scan/dispatch.h"

/* Maximum number of bytes that an open stack holds back if the caller gives no number. */
#define FM_STREAM_HOLD ((size_t)256 << 10)
#define FM_STREAM_HOLD_LEAST ((size_t)4 << 10)
/* A JSON document may hold back this many times as much as an open stack, but never more than FM_LIMIT_DOCUMENT. */
#define FM_STREAM_DOCUMENT_HOLDS 64
/* maximum number of bytes that an open stack may hold back in a whole text in memory */
#define FM_TEXT_HOLD ((size_t)8 << 20)

/* Receives the next part of the text, which begins at `offset`, and the traces in it in the order of the text. Traces
 * are valid until the function returns, or with a callback of type fm_stream_taken, until that says so. */
typedef framemap_status fm_stream_batch(void *context, framemap_str text, uint64_t offset, framemap_trace *traces,
                                        size_t count, framemap_error *error);

/* Returns the offset up to which the caller needs the traces that were handed out no more. */
typedef uint64_t fm_stream_taken(void *context);

/* Called when the parsers are out of memory. Returns whether to pass on the next `bytes` of text, from line `line1` on,
 * without traces, and to continue. */
typedef bool fm_stream_survives(void *context, uint64_t bytes, uint64_t line1);

struct fm_generation {
    char *window; /* NULL: the generation has only the arena */
    size_t capacity;
    struct fm_arena arena;
    uint64_t until; /* this memory is freed once the text up to this offset was handed out, and is needed no more */
};
#define FM_GENERATIONS_MOST 32

/* Where a part of a whole text ends. */
struct fm_text_part {
    uint64_t end, number1; /* end of the part, and number of its last line */
};
#define FM_STREAM_PARTS 4

struct fm_text_stream {
    struct fm_heap *heap;
    struct fm_dispatch *dispatch;
    fm_stream_batch *batch;
    fm_stream_taken *taken; /* NULL: the caller needs traces only until `batch` returns */
    void *context;          /* context of both callbacks */
    bool whole;             /* the whole text is in memory */
    /* for a whole text: parts without stacks up to this offset were parsed but not handed out; 0: there are no such
     * parts */
    uint64_t late;
    /* for a whole text: its last parts; part i is at index i % FM_STREAM_PARTS */
    struct fm_text_part parts[FM_STREAM_PARTS];
    size_t part_count;
    size_t hold;
    char *window; /* memory for the text; NULL for a whole text */
    size_t capacity;
    framemap_str text; /* the part of the text that is in memory */
    uint64_t base;     /* offset of `text` in the whole text */
    uint64_t done;     /* text before this offset was handed out */
    uint64_t parsed;   /* text before this offset was parsed; an incomplete line follows */
    bool within;       /* the start of a long line was passed on already; the rest of it is passed on as it arrives */
    /* count of lines that were too long, and of the first of them its number and the maximum number of bytes */
    uint64_t long_count, long_number1, long_most;
    size_t searched; /* number of bytes after `parsed` that were searched and contain no line end */
    bool in_parts;   /* a piece of text is parsed in several parts, because its traces take much memory */
    struct fm_arena arena;
    struct fm_generation old[FM_GENERATIONS_MOST];
    size_t old_count;
    bool joins_stacks;            /* copy of fm_output.joins_stacks for the output format */
    char *spare;                  /* a freed window of the usual size, for reuse */
    fm_stream_survives *survives; /* called when memory is short; NULL: lack of memory is an error */
    void *survivor;               /* context of `survives` */
};

/* Opens a stream. parsers: those that the text is parsed with (fm_formats_open); must outlive the stream. Errors:
 * MEMORY. */
framemap_status fm_text_stream_open(struct fm_text_stream *stream, struct fm_heap *heap,
                                    const struct fm_parser_table *parsers, size_t hold, fm_stream_batch *batch,
                                    void *context, framemap_error *error);
void fm_text_stream_close(struct fm_text_stream *stream);
/* Adds a piece of text, which is copied. Errors: those of the caller's batch function; MEMORY. */
framemap_status fm_text_stream_feed(struct fm_text_stream *stream, framemap_str text, framemap_error *error);
/* Ends all open stacks, so that everything held back is handed out. Errors: those of fm_text_stream_feed. */
framemap_status fm_text_stream_flush(struct fm_text_stream *stream, framemap_error *error);
/* Whether anything is held back. */
static inline bool fm_text_stream_waits(const struct fm_text_stream *stream)
{
    return stream->done < stream->base + stream->text.size;
}
/* Whether what is held back begins with a JSON document that is incomplete. */
bool fm_text_stream_in_document(const struct fm_text_stream *stream);
/* Ends the text. Errors: those of fm_text_stream_feed. */
framemap_status fm_text_stream_end(struct fm_text_stream *stream, framemap_error *error);
/* Parses a whole text in memory; replaces calls of fm_text_stream_feed and fm_text_stream_end. Errors: those of
 * fm_text_stream_feed. */
framemap_status fm_text_stream_whole(struct fm_text_stream *stream, framemap_str text, framemap_error *error);
/* Makes the stream ready for another whole text, which is parsed as if it were the only one. */
void fm_text_stream_restart(struct fm_text_stream *stream);
#endif
