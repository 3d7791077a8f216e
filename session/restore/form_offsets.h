/* Converts offsets in a text from UTF-8, in which parsers count them, to UTF-16, for outputs that print offsets. Called
 * by restore_batch.c. */
#ifndef FM_SESSION_RESTORE_FORM_OFFSETS_H
#define FM_SESSION_RESTORE_FORM_OFFSETS_H

#include "core/text/text_form.h"
#include <framemap/trace.h>

struct fm_form_offsets {
    bool used; /* the output prints offsets, so they have to be converted */
    enum fm_text_form form;
    uint64_t at, form_at; /* offset at which the next part begins, in UTF-8 and in the text's original form */
};

/* Converts the offsets and sizes of a part's traces, frames and mentions. The parts must be passed in the order of the
 * text. Takes time linear in the part and its traces. */
void fm_form_offsets_apply(struct fm_form_offsets *offsets, framemap_str text, framemap_trace *traces, size_t count);

#endif
