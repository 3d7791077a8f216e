/* The formats of rows: how a field is found in a row, read and written. Each format is one row of a table. Called by
 * rows.c, which must not know the formats. */
#ifndef FM_SESSION_ROWS_ROW_SHAPE_H
#define FM_SESSION_ROWS_ROW_SHAPE_H

#include "core/text/buffer.h"

#define FM_ROW_PATH_MOST 16 /* most keys of a path: each key is searched in the value that the previous key found */

/* The position of a field in its row. */
struct fm_row_path {
    uint64_t column1;                    /* for TSV: number of the field's column */
    framemap_str keys[FM_ROW_PATH_MOST]; /* for NDJSON: the field's keys from the outermost object inwards; none: the
                                            whole row */
    size_t count;
    bool given;
};

struct fm_row_value {
    framemap_str raw; /* the bytes that are replaced, a slice of the row; NULL data: there is no such field */
    bool is_null;
    bool is_text; /* raw is a string with escapes; false: raw is plain text, which must stay on one line */
};

struct fm_row_shape {
    const char *name;
    /* Reads a path as a user spells it. `spelled` has to live as long as the path. arena: memory for the keys that
     * had escapes. Returns NULL if the path is valid, otherwise a static string that says what is expected. */
    const char *(*path)(framemap_str spelled, struct fm_arena *arena, struct fm_row_path *out);
    /* Finds `count` fields. row: without its line end. Returns NULL, or a static string that says what is wrong with
     * the row. */
    const char *(*find)(framemap_str row, const struct fm_row_path *paths, size_t count, struct fm_row_value *values);
    /* Gets the text of a field: a slice of the row, or in the arena. false: out of memory. */
    bool (*text)(const struct fm_row_value *value, struct fm_arena *arena, framemap_str *out);
    /* Appends a field with the given text as its new value. */
    void (*put)(struct fm_buf *out, const struct fm_row_value *value, framemap_str text);
    /* Appends a row to which a member or column with a status is added. */
    void (*put_status)(struct fm_buf *out, framemap_str row, framemap_str name, framemap_str status);
    bool has_columns; /* rows consist of columns without names, the same in each row */
};

/* What was done with a row. */
enum fm_row_outcome {
    FM_ROW_RESTORED,
    FM_ROW_PARTIAL,
    FM_ROW_UNMAPPED,
    FM_ROW_NONE,
    FM_ROW_NO_FIELD,
    FM_ROW_UNREADABLE,
    FM_ROW_TOO_LARGE
};
framemap_str fm_row_outcome_name(enum fm_row_outcome outcome);

/* Returns the shape with this name; NULL: there is none. */
const struct fm_row_shape *fm_row_shape_named(const char *name);

extern const struct fm_row_shape fm_row_tsv, fm_row_ndjson;

#endif
