/* Finds class, method, source and line number in a line, as R8's retrace does with its default expression. The
 * results are the same, including its quirks and the order of backtracking, but no regular expression is used. For
 * custom expressions see retrace_regex.h. Called by session/retrace. */
#ifndef FM_FORMATS_JAVA_RETRACE_RETRACE_LINE_H
#define FM_FORMATS_JAVA_RETRACE_RETRACE_LINE_H

#include "core/text/text.h"

enum fm_retrace_part {
    FM_PART_CLASS = 0, /* class without loader and module prefix */
    FM_PART_METHOD,
    FM_PART_FIELD,
    FM_PART_SOURCE,
    FM_PART_LINE, /* the digits of the line, with a colon before them; may be empty */
    FM_PART_TYPE,
    FM_PART_ARGUMENTS,
    FM_PART_COUNT
};

/* A slice [at, end) of the line that is replaced by restored text. */
struct fm_retrace_piece {
    enum fm_retrace_part part;
    uint32_t at, end;
    bool slashes; /* for a class: it is spelled with slashes in place of dots, "a/b" for a.b */
    bool colon;   /* for a line number: the piece is printed with a colon before it */
};

enum { FM_RETRACE_PIECES = 64 };
struct fm_retrace_line {
    struct fm_retrace_piece pieces[FM_RETRACE_PIECES]; /* pieces in the order of the line */
    unsigned count;                                    /* number of pieces; 0: the line is copied unchanged */
    signed char last[FM_PART_COUNT]; /* last[part]: index of the last piece of that part; -1: the part is absent */
    int32_t line_number;             /* the line number in the text; -1: there are no digits, or too many for 32 bits */
};

/* Finds the pieces of a line, which are the slices that will be replaced by restored text. line: without its line end
 * (LF, CR). Returns false, with no pieces, if the line has to be copied unchanged. Takes time linear in the line. */
bool fm_retrace_line_parse(framemap_str line, struct fm_retrace_line *out);

/* --- storing what retrace_regex.c finds in a line --- */

void fm_retrace_clear(struct fm_retrace_line *out);
/* Adds a piece, a slice of the line that will be replaced by restored text. At most FM_RETRACE_PIECES can be added. */
void fm_retrace_add(struct fm_retrace_line *out, struct fm_retrace_piece piece);
/* Adds a class; text before its last slash is not part of it. Returns false, without adding it, for the word
 * "Suppressed". */
bool fm_retrace_add_class(struct fm_retrace_line *out, framemap_str line, size_t at, size_t end);
/* Adds two slices that will be replaced, for a place such as "SourceFile:12": the source and its line. */
void fm_retrace_add_place(struct fm_retrace_line *out, framemap_str line, size_t at, size_t end);
/* Returns the line number that some digits mean, as Java parses them; -1 if the text has no digits. */
int32_t fm_retrace_number(framemap_str digits);

#endif
