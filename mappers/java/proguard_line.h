/* Splits the lines of a mapping as ProGuard's own reader (6.2.2) does: it searches for separator characters and refuses
 * nothing, so it finds members even in lines that are not member lines. Slices are borrowed from the line. */
#ifndef FM_MAPPERS_JAVA_PROGUARD_LINE_H
#define FM_MAPPERS_JAVA_PROGUARD_LINE_H

#include "core/text/text.h"

/* Removes blanks and control characters at both ends, like Java's String.trim. */
framemap_str fm_proguard_trim(framemap_str text);

/* Parses "original -> residual:". Returns false if ProGuard ignores the line. */
bool fm_proguard_class_line(framemap_str line, framemap_str *original, framemap_str *residual);

struct fm_proguard_member {
    framemap_str type, name; /* `name` may include a class before its last dot */
    framemap_str arguments, residual;
    bool is_method, has_residual, has_original, has_pair;
    int32_t residual_from, residual_to, original_from, original_to;
};
enum fm_proguard_found {
    FM_PROGUARD_NOTHING,
    FM_PROGUARD_MEMBER,
    FM_PROGUARD_NO_NUMBER /* a line number is not a number: ProGuard stops with an exception here */
};
enum fm_proguard_found fm_proguard_member_line(framemap_str line, struct fm_proguard_member *out);

#endif
