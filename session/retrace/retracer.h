/* State of one retrace call, and functions that the files of session/retrace share. The public calls are in
 * <framemap/retrace.h>. */
#ifndef FM_SESSION_RETRACE_RETRACER_H
#define FM_SESSION_RETRACE_RETRACER_H

#include "core/text/buffer.h"
#include "formats/java/retrace/retrace_regex.h"
#include "resolve/java/java.h"
#include <framemap/retrace.h>

struct framemap_retracer {
    struct fm_heap heap;
    struct fm_arena arena; /* memory of one line */
    framemap_retrace_options options;
    const struct fm_view *view; /* index of the mapping; NULL: options.find returns an index for each class */
    /* the caller's regular expression for lines; NULL: R8's default expression */
    struct fm_retrace_expression *expression;
    bool proguard;
    struct fm_java_state state; /* state after the lines so far; its string is a copy in `exception` */
    struct fm_buf exception;
    struct fm_buf out;    /* output buffer */
    size_t line_at;       /* offset of the current line in `out` */
    struct fm_buf texts;  /* alternatives of the current line */
    struct fm_buf before; /* the previous alternative; used for ProGuard's way to print alternatives */
    /* the last class of the current line whose source file was looked up, and that file; data NULL: no class was looked
     * up */
    framemap_str source_class, source;
    framemap_write write;
    void *write_context;
    uint64_t line1; /* number of lines read so far */
};

/* A parsed line, and the values that are the same for all frames that replace it. */
struct fm_retrace_sight {
    framemap_str text;
    struct fm_retrace_line line;
    const struct fm_view *view; /* index that has the class of the line; NULL: no index has it */
    bool has_class;             /* whether the line contains a class, so that class_name of the frames is printed */
    bool known;                 /* whether the class is in the index */
    bool has_field;             /* whether name and type in the frames belong to a field */
    /* values that are printed for %t (type) and %a (arguments); data NULL: the line's own */
    framemap_str type, arguments;
};

/* Escapes the control characters in the output from offset `at`, which is the new value of a piece of the line. Does
 * nothing if the value is equal to the piece. */
void fm_retrace_escape(const struct fm_retrace_sight *sight, const struct fm_retrace_piece *piece, struct fm_buf *out,
                       size_t at);
/* Returns the matched part of the line; data is NULL if the line has no such part. */
framemap_str fm_retrace_text(const struct fm_retrace_sight *sight, enum fm_retrace_part part);

/* Computes the chains of frames that replace a line, and the state for the next line. The results are in the arena.
 * Errors: MEMORY, CORRUPT. */
framemap_status fm_retrace_answer(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                  struct fm_java_answer *answer, framemap_error *error);

/* Writes the lines of all chains. Errors: MEMORY, IO, LIMIT. */
framemap_status fm_retrace_put_answer(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                      const struct fm_java_answer *answer, framemap_error *error);
/* Writes the lines that ProGuard's retrace prints for a line. Errors: MEMORY, IO, CORRUPT. */
framemap_status fm_retrace_as_proguard(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                       framemap_error *error);

/* Returns the index that has a class; NULL: no index has the class. */
const struct fm_view *fm_retrace_view(const struct framemap_retracer *retracer, framemap_str class_name);
/* Replaces a name by a copy in the arena with dots instead of slashes. Errors: MEMORY. */
framemap_status fm_retrace_with_dots(struct framemap_retracer *retracer, framemap_str *name, framemap_error *error);

/* Appends a line and a line end to the output. Errors: MEMORY, IO. */
framemap_status fm_retrace_put_line(struct framemap_retracer *retracer, framemap_str text, framemap_error *error);
/* Passes the buffered output to the caller's callback, if the buffer is nearly full or if `all` is set. Errors: IO,
 * MEMORY (of this call or an earlier append). */
framemap_status fm_retrace_flush(struct framemap_retracer *retracer, bool all, framemap_error *error);

#endif
