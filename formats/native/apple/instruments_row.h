/* The table that Instruments copies ("Deep Copy"): a title, then rows of a tree of calls. Called by instruments.c and
 * by formats/profiles/instruments_samples.c. */
#ifndef FM_FORMATS_NATIVE_INSTRUMENTS_ROW_H
#define FM_FORMATS_NATIVE_INSTRUMENTS_ROW_H

#include "core/text/scan.h"

/* The kind of a table, which its first column shows. */
enum fm_instruments_table {
    FM_INSTRUMENTS_NONE = 0,     /* the row is not a title */
    FM_INSTRUMENTS_WEIGHT,       /* "Weight": the second column is the row's weight without its callees */
    FM_INSTRUMENTS_MILLISECONDS, /* "Running Time" before Xcode 8: the second column has no unit */
    FM_INSTRUMENTS_BYTES         /* "Bytes Used": the second column counts allocations */
};
/* Determines the kind of table from its title. text: a line without blanks at its ends. */
enum fm_instruments_table fm_instruments_title(framemap_str text);

enum fm_instruments_node { FM_INSTRUMENTS_FUNCTION = 0, FM_INSTRUMENTS_PROCESS, FM_INSTRUMENTS_THREAD };

/* A number with a fraction, and its unit: "46.92", "Gc". Both are empty for "-"; the unit is also empty if none is
 * printed. */
struct fm_instruments_weight {
    framemap_str number, unit;
};

/* A row. Strings are parts of the line. */
struct fm_instruments_row {
    struct fm_instruments_weight weight, second; /* values of the first two columns */
    framemap_str name; /* the function; for a process its name without the id, for a thread its name with the id */
    size_t column;     /* number of bytes before the name in the last column; a callee has more than its caller */
    enum fm_instruments_node node;
    uint64_t pid; /* id of the process, if the row is that of a process */
};
/* Parses a row of the table. */
bool fm_instruments_row(framemap_str line, struct fm_instruments_row *row);

#endif
