/* Writes a JSON object again with some members changed or added; everything else is copied byte for byte. Called by the
 * formats that restore frames in place in JSON documents. */
#ifndef FM_FORMATS_OBJECT_EDIT_H
#define FM_FORMATS_OBJECT_EDIT_H

#include "core/text/buffer.h"

enum fm_edit_kind {
    FM_EDIT_NONE,   /* the member stays as it is */
    FM_EDIT_TEXT,   /* the value is written as a string */
    FM_EDIT_NUMBER, /* the value is written as a number, or in a string if it was a string */
    FM_EDIT_TRUE,
    FM_EDIT_NULL, /* the value becomes null; an absent member is not added */
    FM_EDIT_JSON  /* `text` is the value, as JSON */
};

struct fm_edit {
    framemap_str name;
    enum fm_edit_kind kind;
    framemap_str text;
    uint64_t number;
    bool adds_only;    /* an existing member of this name is kept */
    bool changes_only; /* an absent member is not added */
};

/* Appends the object `raw` with the edits made; members that it lacks are added after its last member, in the same
 * style. Returns the text that separates its members: a slice of `raw`, or ",". Copies `raw` if it is not an object.
 * At most FM_EDITS_MOST edits. */
#define FM_EDITS_MOST 16
framemap_str fm_object_edit(struct fm_buf *out, framemap_str raw, const struct fm_edit *edits, size_t count);

#endif
