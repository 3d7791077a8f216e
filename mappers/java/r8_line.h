/* The grammar of class lines and member lines, as R8 reads them: where it accepts, and at which character it stops.
 * Nothing is kept and nothing is allocated; slices are borrowed from the line. */
#ifndef FM_MAPPERS_JAVA_R8_LINE_H
#define FM_MAPPERS_JAVA_R8_LINE_H

#include "core/text/buffer.h"
#include "mappers/java/r8_chars.h"

/* Why a line is refused. */
struct fm_r8_fault {
    const char *message; /* static: "Identifier expected" */
    char wanted;         /* the byte of "Expected 'x'"; then message is NULL */
    bool at_end;         /* R8 names no column */
    const char *at;      /* where it stopped */
    unsigned past;       /* and so many UTF-16 units on: it reads a character before it refuses it */
};

struct fm_r8_cursor {
    const char *at, *end;
    struct fm_r8_fault fault; /* set by the call that returned false */
};

enum fm_r8_numbers { FM_R8_NO_NUMBER = 0, FM_R8_ONE_NUMBER, FM_R8_TWO_NUMBERS };
struct fm_r8_range {
    enum fm_r8_numbers numbers;
    int32_t from, to;
};
static inline bool fm_r8_range_equal(struct fm_r8_range a, struct fm_r8_range b)
{
    return a.numbers == b.numbers && (a.numbers == FM_R8_NO_NUMBER || (a.from == b.from && a.to == b.to));
}

/* "original -> residual:". The cursor stands at the line's begin or in its leading blanks. */
bool fm_r8_class_line(struct fm_r8_cursor *cursor, framemap_str *original, framemap_str *residual);

/* A member line is read in three steps, so that whoever knows a signature already can jump over it. */
/* Blanks and "from:to:", if there is one. */
bool fm_r8_member_begin(struct fm_r8_cursor *cursor, struct fm_r8_range *residual);
/* "type name(type,type)", or "type name" of a field. */
struct fm_r8_parts {
    framemap_str text; /* all of it */
    framemap_str type, name;
    framemap_str arguments; /* what stands in the parentheses */
    bool is_method;
    bool plain; /* it has no blanks but the one before the name */
};
/* plain_text: NULL, or a buffer that gets the signature without superfluous blanks. */
bool fm_r8_signature(struct fm_r8_cursor *cursor, struct fm_r8_parts *parts, struct fm_buf *plain_text);
/* ":number:number -> name" and the end of the line. *residual: the name; before, one that was good in another line, or
 * empty: most are of the line before. */
bool fm_r8_member_end(struct fm_r8_cursor *cursor, struct fm_r8_range *original, framemap_str *residual);

#endif
