/* Fast path for member lines in the form that compilers write, "    1:7:void o.C.m(int,o.D[]):3:9 -> a", which is
 * nearly every line of a mapping. A line that is refused here may still be valid; r8_line.h decides. For a line that is
 * accepted here, r8_line.h gives the same parts.
 *
 * The three parsing calls move the cursor on success only. */
#ifndef FM_MAPPERS_JAVA_R8_LINE_FAST_H
#define FM_MAPPERS_JAVA_R8_LINE_FAST_H

#include "mappers/java/r8_line.h"

/* Cursor over the whole text, not one line: only fm_r8_fast_line_end passes a line feed. All zeros: nothing is known
 * about the text yet. */
struct fm_r8_fast_line {
    const char *at, *end;
    const char *from; /* start of the bytes that `stops` describes: bit i is set if byte from[i] cannot be part of a
                         dotted name */
    size_t known;     /* how many bytes `stops` describes */
    uint64_t stops;
};
/* Moves to another line of the same text, and keeps the contents of `stops`. end: the end of the text, which is the
 * same in all calls. */
static inline void fm_r8_fast_line_start(struct fm_r8_fast_line *line, const char *at, const char *end)
{
    line->at = at;
    line->end = end;
}

/* Reads four blanks, and "from:to:" if there is a range. */
bool fm_r8_fast_line_range(struct fm_r8_fast_line *line, struct fm_r8_range *residual);
/* Reads the signature of a field, or that of a method up to its closing parenthesis. */
bool fm_r8_fast_line_signature(struct fm_r8_fast_line *line, struct fm_r8_signature_parts *parts);
/* Parses ":number:number -> name" and the line feed. *residual: receives the name; on entry it is empty, or a name from
 * an earlier line (see fm_r8_member_end in r8_line.h). */
bool fm_r8_fast_line_end(struct fm_r8_fast_line *line, struct fm_r8_range *original, framemap_str *residual);

#endif
