/* Grammar of class lines and member lines as R8 parses them: what it accepts, and at which character it stops.
 * Allocates nothing; slices are borrowed from the line. */
#ifndef FM_MAPPERS_JAVA_R8_LINE_H
#define FM_MAPPERS_JAVA_R8_LINE_H

#include "core/text/buffer.h"
#include "mappers/java/r8_chars.h"

/* Why a line is refused. */
struct fm_r8_fault {
    const char *message; /* a static string such as "Identifier expected" */
    char wanted;         /* the byte x in "Expected 'x'"; then `message` is NULL */
    bool at_end;         /* R8 reports the fault without a column */
    const char *at;      /* position where the parser stopped */
    /* UTF-16 units to add to the column of `at`, because R8 refuses the line only after it has read this many units
     * more */
    unsigned past;
};

struct fm_r8_cursor {
    const char *at, *end;
    struct fm_r8_fault fault; /* why the line was refused; set by the call that returned false */
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

/* Parses "original -> residual:". The cursor is at the start of the line or in its leading blanks. */
bool fm_r8_class_line(struct fm_r8_cursor *cursor, framemap_str *original, framemap_str *residual);

/* A member line is parsed in three steps, so that a caller that has the signature already can skip the second step. */
/* The first step reads blanks, and "from:to:" if there is a range. */
bool fm_r8_member_begin(struct fm_r8_cursor *cursor, struct fm_r8_range *residual);
/* The parts of "type name(type,type)", or of "type name" for a field. */
struct fm_r8_signature_parts {
    framemap_str text; /* the whole signature */
    framemap_str type, name;
    framemap_str arguments; /* the text inside the parentheses */
    bool is_method;
    bool plain; /* the signature has no blanks except the one before the name */
};
/* Second step: parses the signature. plain_text: NULL, or a buffer that receives the signature without superfluous
 * blanks. */
bool fm_r8_signature(struct fm_r8_cursor *cursor, struct fm_r8_signature_parts *parts, struct fm_buf *plain_text);
/* Third step: parses ":number:number -> name" and the end of the line. *residual: receives the name. On entry it is
 * empty, or a name that was valid in another line, usually the previous one: the name of this line is compared with it
 * first, which is faster than parsing. */
bool fm_r8_member_end(struct fm_r8_cursor *cursor, struct fm_r8_range *original, framemap_str *residual);

#endif
