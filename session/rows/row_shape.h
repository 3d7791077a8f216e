/* The formats of rows (TSV, NDJSON): how a field of a row is found, read and written. Each format is an entry of a
 * table of functions. Called by rows.c, which does not depend on any format. */
#ifndef FM_SESSION_ROWS_ROW_SHAPE_H
#define FM_SESSION_ROWS_ROW_SHAPE_H

#include "core/text/buffer.h"

/* greatest number of keys in a path; each key is searched in the value that the previous key found */
#define FM_ROW_PATH_MOST 16

/* The path of a field: where the field is in its row. */
struct fm_row_path {
    uint64_t column1; /* for TSV: number of the field's column */
    /* for NDJSON: the keys of the field, from the outermost object inwards; if there are no keys, the field is the
     * whole row */
    framemap_str keys[FM_ROW_PATH_MOST];
    size_t count;
    bool given;
};

struct fm_row_value {
    framemap_str raw; /* bytes of the value, a slice of the row; data NULL: the row does not have the field */
    bool is_null;
    /* whether `raw` has escapes, which are decoded when the text is read; false: a new value is written without
     * escapes, so it must not have line ends */
    bool is_text;
};

struct fm_row_shape {
    const char *name;
    /* Parses the path of a field, as a user writes it. `spelled` has to live as long as the result. arena: memory for
     * keys with escapes. Returns NULL if the path is valid, otherwise a static string that states what is expected. */
    const char *(*path)(framemap_str spelled, struct fm_arena *arena, struct fm_row_path *out);
    /* Finds `count` fields of a row, which is passed without its line end. Returns NULL, or a static string that states
     * what is wrong with the row. */
    const char *(*find)(framemap_str row, const struct fm_row_path *paths, size_t count, struct fm_row_value *values);
    /* Reads the text of a field: a slice of the row, or a string in the arena. Returns false if out of memory. */
    bool (*text)(const struct fm_row_value *value, struct fm_arena *arena, framemap_str *out);
    /* Appends a field, with the given text as its new value. */
    void (*put)(struct fm_buf *out, const struct fm_row_value *value, framemap_str text);
    /* Appends a row, with its status in an added member or column. */
    void (*put_status)(struct fm_buf *out, framemap_str row, framemap_str name, framemap_str status);
    bool has_columns; /* whether a row consists of columns without names, in the same order in every row */
};

/* What happened to a row; it can be written next to the row as a status. */
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

/* Returns the format of rows with this name; NULL: no format has it. */
const struct fm_row_shape *fm_row_shape_named(const char *name);

extern const struct fm_row_shape fm_row_tsv, fm_row_ndjson;

#endif
