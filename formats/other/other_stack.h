/* The parser of stacks whose rows have one line each. A title opens a stack, and rows follow it; a row that looks
 * like no other text starts a stack without a title. Each format of this kind is described by a struct
 * fm_other_rules. Called by the formats of this folder. */
#ifndef FM_FORMATS_OTHER_OTHER_STACK_H
#define FM_FORMATS_OTHER_OTHER_STACK_H

#include "formats/error_members.h"
#include "formats/other/other_row.h"

#define FM_OTHER_GAP 8 /* maximum number of lines from a title or a row to the next row */

enum fm_other_kind {
    FM_OTHER_NONE,
    FM_OTHER_TITLE, /* a title, which rows follow */
    FM_OTHER_ROW,   /* a frame, but only if the line is below a title or next to other rows */
    FM_OTHER_SURE,  /* a frame, whatever the lines around it are */
    FM_OTHER_MARK,  /* a marker, but only if the line is below a title or next to other rows */
    FM_OTHER_END    /* the end of the stack: no line below belongs to it */
};

/* What the parser has found in one line. */
struct fm_other_line {
    /* function, file and other parts of a frame; for FM_OTHER_MARK only its `marker` is set. kind and status are set
     * only if the frame may need symbols. */
    framemap_frame frame;
    framemap_marker marker;
    uint64_t count;         /* for FM_OTHER_MARK: number of frames that the marker represents */
    framemap_str exception; /* the exception on the line, "TYPE: MESSAGE"; empty: the line has no exception */
    framemap_str type;      /* the exception's type, if it is not at the start of `exception` */
    framemap_str thread;    /* for FM_OTHER_TITLE: the number of the thread whose stack follows */
    bool crashed;           /* for FM_OTHER_TITLE: the thread is the one that crashed */
    bool starts;            /* the row starts a new stack even if it is directly below other rows */
    bool is_part;           /* the stack that starts here is the cause of the stack above it */
    /* a line of kind FM_OTHER_ROW is accepted only directly below another row, or below a title with at most one blank
     * line between them */
    bool adjacent;
    bool counts_up; /* a line of kind FM_OTHER_ROW is accepted only directly below the row whose number is one less */
    /* for FM_OTHER_TITLE: the exception's message goes on below, up to a blank line. A line of kind FM_OTHER_ROW with
     * `adjacent` is accepted only directly below that line. */
    bool goes_on;
    bool rethrows; /* for FM_OTHER_TITLE below a row: the stack above is the cause of the stack that follows */
};

struct fm_other_rules {
    const char *name; /* name of the format */
    /* Classifies a line, and fills `out`, which is zeroed. text: the line without blanks around it. The result depends
     * on the line alone. Takes linear time. */
    enum fm_other_kind (*parse)(framemap_str text, struct fm_other_line *out);
    /* Finds the exception in a line above the first row. May be NULL. */
    bool (*find_exception)(framemap_str text, framemap_str *exception);
    unsigned above; /* maximum number of lines above the first row that are searched for the exception */
    bool returns;   /* the addresses of native frames are return addresses, except that of the first row */
};

struct fm_other_stack {
    uint64_t number1; /* number of the line of the last title or row; 0: no stack is open */
    /* number of the last line with an escaped string; rows above that line belong to another stack */
    uint64_t string1;
    bool has_trace;
    int64_t index;          /* the number of the last row; -1: it has none */
    framemap_str exception; /* the exception that the title contains */
    framemap_str thread;    /* the number of the thread that the title contains */
    bool crashed;           /* the title says that this thread crashed */
    bool goes_on;           /* the message of the title goes on below */
    bool rethrows;          /* the trace with the number `cause` is the cause of the next one */
    uint64_t cause;
    struct fm_error_members members; /* state of reading the exception from members of JSON */
};

enum fm_line_role fm_other_stack_offer(const struct fm_other_rules *rules, struct fm_other_stack *state,
                                       struct fm_document *doc, const struct fm_line *line);
bool fm_other_stack_is_significant(const struct fm_other_rules *rules, const struct fm_line *line);

/* Finds an exception "TYPE: MESSAGE" whose type ends in Exception or Error. *exception: the text that begins with the
 * type. */
bool fm_other_find_exception(framemap_str text, framemap_str *exception);

#endif
