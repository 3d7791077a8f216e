/* Writes a JSON object again with some members changed or added; all other bytes are copied unchanged. Called by the
 * formats that restore frames in place in JSON documents. */
#ifndef FM_FORMATS_OBJECT_EDIT_H
#define FM_FORMATS_OBJECT_EDIT_H

#include "core/text/buffer.h"

enum fm_edit_kind {
    FM_EDIT_NONE,   /* the member is not changed */
    FM_EDIT_TEXT,   /* the value is written as a string */
    FM_EDIT_NUMBER, /* the value is written as a number, or in a string if it was a string */
    FM_EDIT_TRUE,
    FM_EDIT_NULL, /* the value becomes null; an absent member is not added */
    FM_EDIT_JSON  /* `text` is the value, written as JSON */
};

struct fm_edit {
    framemap_str name;
    enum fm_edit_kind kind;
    framemap_str text;
    uint64_t number;
    bool adds_only;    /* an existing member of this name is kept */
    bool changes_only; /* an absent member is not added */
};

/* Appends a copy of the object `raw` in which the edits are made. Members that `raw` does not have are added after its
 * last member, in the same style. Returns the text that separates the members: a slice of `raw`, or ",". If `raw` is
 * not an object, it is copied unchanged. At most FM_EDITS_MOST edits. */
#define FM_EDITS_MOST 16
framemap_str fm_object_edit(struct fm_buf *out, framemap_str raw, const struct fm_edit *edits, size_t count);

#endif
