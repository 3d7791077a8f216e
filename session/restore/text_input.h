/* Converts the bytes that a caller passes to the text that is parsed, and converts the output back. It handles
 * compression, UTF-16, and lines that end in CR. Plain text is passed on without a copy. Called by restore_text.c. */
#ifndef FM_SESSION_RESTORE_TEXT_INPUT_H
#define FM_SESSION_RESTORE_TEXT_INPUT_H

#include "core/archive/inflate_input.h"
#include "core/text/text_form.h"
#include <framemap/trace.h>

struct fm_text_input {
    struct fm_heap *heap;
    fm_inflated *taken; /* receives the text */
    void *context;
    framemap_write write; /* the caller's callback for the output */
    void *write_context;
    bool writes_back; /* the output has the form of the input; else it is UTF-8 */
    /* opened: it is known whether the input is compressed; recognized: the form of the text is known */
    bool opened, recognized;
    struct fm_inflater *inflater; /* decompresses the input; NULL: the input is not compressed */
    /* bytes that are stored until it is known whether the input is compressed and which form it has */
    struct fm_buf head;
    struct fm_form_reader reader;
    struct fm_form_writer writer;
    struct fm_buf piece; /* buffer for a piece of converted text, or of converted output */
    uint64_t bytes;      /* size of the text so far, decompressed, but before it was converted to UTF-8 with LF */
};

void fm_text_input_init(struct fm_text_input *input, struct fm_heap *heap, fm_inflated *taken, void *context);
void fm_text_input_free(struct fm_text_input *input);

/* Whether a whole text is plain, so that it needs no conversion. */
bool fm_text_is_plain(framemap_str text);

/* Adds a piece of the input. Errors: CORRUPT (compressed data is damaged; the text before the damage was passed on),
 * MEMORY; those of `taken`. */
framemap_status fm_text_input_feed(struct fm_text_input *input, framemap_str piece, framemap_error *error);
/* Passes on the bytes that were stored to recognize the input. Errors: those of fm_text_input_feed. */
framemap_status fm_text_input_flush(struct fm_text_input *input, framemap_error *error);
static inline bool fm_text_input_waits(const struct fm_text_input *input) { return input->head.size > 0; }
/* Ends the input. Errors: those of fm_text_input_feed; TRUNCATED, after all text was passed on. */
framemap_status fm_text_input_end(struct fm_text_input *input, framemap_error *error);

/* A callback of type framemap_write that converts output to the form of the input; context: the input. */
bool fm_text_input_write(void *context, const char *data, size_t size);
/* Ends the output. Returns false if the write was refused. */
bool fm_text_input_write_end(struct fm_text_input *input);

#endif
