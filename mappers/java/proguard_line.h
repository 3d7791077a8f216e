/* Lines of a mapping as ProGuard's own reader (6.2.2) takes them apart: by searching for marks, never refusing, so that
 * it finds something in lines that are none. Slices are borrowed from the line. */
#ifndef FM_MAPPERS_JAVA_PROGUARD_LINE_H
#define FM_MAPPERS_JAVA_PROGUARD_LINE_H

#include "core/text/text.h"

/* Blanks and control characters at both ends, as Java's trim. */
framemap_str fm_proguard_trim(framemap_str text);

/* "original -> residual:". false: nothing is taken of it. */
bool fm_proguard_class_line(framemap_str line, framemap_str *original, framemap_str *residual);

struct fm_proguard_member {
    framemap_str type, name; /* name: with a holder before its last dot, or none */
    framemap_str arguments, residual;
    bool is_method, has_residual, has_original, has_pair;
    int32_t residual_from, residual_to, original_from, original_to;
};
enum fm_proguard_found {
    FM_PROGUARD_NOTHING,
    FM_PROGUARD_MEMBER,
    FM_PROGUARD_NO_NUMBER /* ProGuard fails on this line */
};
enum fm_proguard_found fm_proguard_member_line(framemap_str line, struct fm_proguard_member *out);

#endif
