/* What the files of the retrace call share. <framemap/retrace.h> is what others call. */
#ifndef FM_SESSION_RETRACE_RETRACER_H
#define FM_SESSION_RETRACE_RETRACER_H

#include "core/text/buffer.h"
#include "formats/java/retrace/retrace_regex.h"
#include "resolve/java/java.h"
#include <framemap/retrace.h>

struct framemap_retracer {
    struct fm_heap heap;
    struct fm_arena arena; /* of one line */
    framemap_retrace_options options;
    const struct fm_view *view;               /* NULL: there is a finder */
    struct fm_retrace_expression *expression; /* NULL: the default one */
    bool proguard;
    struct fm_java_state state; /* its text stands in `exception` */
    struct fm_buf exception;
    struct fm_buf out;    /* written when it is full */
    size_t line_at;       /* where in it the line at hand begins */
    struct fm_buf texts;  /* alternatives of one line */
    struct fm_buf before; /* the one before, for ProGuard's way of printing them */
    framemap_str source_class,
        source; /* of the line at hand: the last class whose source file was asked for; data NULL: none */
    framemap_write write;
    void *write_context;
    uint64_t line1; /* of all lines so far */
};

/* A line, and what does not differ between the frames that stand in its place. */
struct fm_retrace_sight {
    framemap_str text;
    struct fm_retrace_line line;
    const struct fm_view *view;   /* of its class; NULL: there is none */
    bool has_class;               /* the frames' class_name is printed */
    bool known;                   /* the class is in the index */
    bool has_field;               /* the frames' method and type are a field's */
    framemap_str type, arguments; /* of %t and %a; data NULL: as they are printed */
};

/* Escapes the control characters of what was put for a piece, which begins at `at`, where it is not what stands there
 * anyway. */
void fm_retrace_show(const struct fm_retrace_sight *sight, const struct fm_retrace_piece *piece, struct fm_buf *out,
                     size_t at);
/* The text of a piece. */
framemap_str fm_retrace_text(const struct fm_retrace_sight *sight, enum fm_retrace_part part); /* absent: data NULL */

/* Chains of frames in the place of a line, and the state for the next. Everything is of the arena. Errors: MEMORY,
 * CORRUPT. */
framemap_status fm_retrace_answer(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                  struct fm_java_answer *answer, framemap_error *error);

/* Appends to out the line as a frame wants it, without an end. Errors: MEMORY. */
framemap_status fm_retrace_put_frame(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                     const struct fm_java_frame *frame, struct fm_buf *out, framemap_error *error);
/* The lines of all chains. Errors: MEMORY, IO, LIMIT. */
framemap_status fm_retrace_put_answer(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                      const struct fm_java_answer *answer, framemap_error *error);
/* The lines that ProGuard's tool prints in the place of one. Errors: MEMORY, IO, CORRUPT. */
framemap_status fm_retrace_as_proguard(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                       framemap_error *error);

/* The index that holds a class; NULL: none. */
const struct fm_view *fm_retrace_view(const struct framemap_retracer *retracer, framemap_str class_name);
/* Puts dots for the slashes of a name, into a copy of the arena. Errors: MEMORY. */
framemap_status fm_retrace_with_dots(struct framemap_retracer *retracer, framemap_str *name, framemap_error *error);

/* Appends a line and its end to the output. Errors: MEMORY, IO. */
framemap_status fm_retrace_put_line(struct framemap_retracer *retracer, framemap_str text, framemap_error *error);
/* Writes what is buffered when that is much, or all of it. Errors: IO, MEMORY (an earlier append had none). */
framemap_status fm_retrace_flush(struct framemap_retracer *retracer, bool all, framemap_error *error);

#endif
