/* Member lines as compilers write them, "    1:7:void o.C.m(int,o.D[]):3:9 -> a", in as few steps as can be: nearly all
 * lines of a mapping are such. What is refused here may well be a line all the same, which r8_line.h tells; what is
 * taken is taken there with the same parts.
 *
 * The three calls move the cursor on success only. */
#ifndef FM_MAPPERS_JAVA_R8_LINE_FAST_H
#define FM_MAPPERS_JAVA_R8_LINE_FAST_H

#include "mappers/java/r8_line.h"

/* Of the text, not of a line: none of the calls steps over the end of a line, but the last one, which ends it. All
 * zeros: of none yet. */
struct fm_r8_fast_line {
    const char *at, *end;
    const char *from; /* where the bytes begin that `stops` tells of: which are no part of names with dots, the lowest
                         bit of the first */
    size_t known;     /* how many they are */
    uint64_t stops;
};
/* To a line of the same text, of which it knows something already; end: as before. */
static inline void fm_r8_fast_line_start(struct fm_r8_fast_line *line, const char *at, const char *end)
{
    line->at = at;
    line->end = end;
}

/* Four blanks, and "from:to:", if there is a range. */
bool fm_r8_fast_line_range(struct fm_r8_fast_line *line, struct fm_r8_range *residual);
/* The signature, of a method up to its closing parenthesis. */
bool fm_r8_fast_line_signature(struct fm_r8_fast_line *line, struct fm_r8_signature_parts *parts);
/* ":number:number -> name" and the line feed. *residual: as fm_r8_member_end. */
bool fm_r8_fast_line_end(struct fm_r8_fast_line *line, struct fm_r8_range *original, framemap_str *residual);

#endif
