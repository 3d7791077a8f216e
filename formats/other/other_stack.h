/* The parser of stacks whose rows have one line each: a title opens a stack, rows follow it; rows that look like no
 * other text start a stack without a title. A format of this kind is a struct fm_other_rules. Called by the formats of
 * the folder. */
#ifndef FM_FORMATS_OTHER_OTHER_STACK_H
#define FM_FORMATS_OTHER_OTHER_STACK_H

#include "formats/other/other_row.h"

#define FM_OTHER_GAP 8 /* most lines after a title or a row within which the next row is looked for */

enum fm_other_kind {
    FM_OTHER_NONE,
    FM_OTHER_TITLE, /* a title, which rows follow */
    FM_OTHER_ROW,   /* a frame below a title or next to other rows */
    FM_OTHER_SURE,  /* a frame wherever it is */
    FM_OTHER_MARK,  /* a row that is not a frame, below a title or next to other rows */
    FM_OTHER_END    /* nothing that follows belongs to the stack */
};

/* The contents of one line. */
struct fm_other_line {
    framemap_frame frame; /* function, file and other parts; of an FM_OTHER_MARK only the marker, whose count is in
                             `count`. kind and status are set if the frame may need symbols, and are 0 otherwise. */
    framemap_marker marker;
    uint64_t count;         /* count of a marker */
    framemap_str exception; /* "TYPE: MESSAGE" that the line has; empty: none */
    framemap_str type;      /* the exception's type, if it is not printed before the message */
    bool starts;            /* the row starts a stack even below other rows */
    bool is_part;           /* the stack is the cause of the one above it */
    bool adjacent; /* an FM_OTHER_ROW that counts only directly below another row, or below a title with at most one
                      blank line between */
};

struct fm_other_rules {
    const char *name; /* name of the format */
    /* Classifies a line, which has no blanks around it, and fills `out`, which is zeroed. Depends on the line alone,
     * and takes linear time. */
    enum fm_other_kind (*parse)(framemap_str text, struct fm_other_line *out);
    /* Finds the exception in a line above the first row. May be NULL. */
    bool (*find_exception)(framemap_str text, framemap_str *exception);
    unsigned above; /* lines above the first row that are searched for the exception */
    bool returns;   /* the addresses of native frames are return addresses, except in the first row */
};

struct fm_other_stack {
    uint64_t number1; /* line number of the last title or row; 0: nothing is open */
    uint64_t string1; /* number of the last line with an escaped string: rows before it belong to another stack */
    bool has_trace;
    framemap_str exception; /* exception of the title */
};

enum fm_line_role fm_other_stack_offer(const struct fm_other_rules *rules, struct fm_other_stack *state,
                                       struct fm_document *doc, const struct fm_line *line);
bool fm_other_stack_is_significant(const struct fm_other_rules *rules, const struct fm_line *line);

/* Finds an exception "TYPE: MESSAGE" whose type ends in Exception or Error: the part of the text from the type on. */
bool fm_other_find_exception(framemap_str text, framemap_str *exception);

#endif
