/* What a line of a Java stack is to retrace: where its class, method, source and line number stand. Recognised as R8's default expression does, quirks
 * and backtracking order included, without a regular expression; custom ones are retrace_expression.h's. */
#ifndef FM_FORMATS_RETRACE_LINE_H
#define FM_FORMATS_RETRACE_LINE_H

#include "core/text.h"

enum fm_retrace_shape { FM_RETRACE_NOTHING = 0, FM_RETRACE_FRAME, FM_RETRACE_EXCEPTION };

/* A slice of the line: [at, end); at == end == 0 and not present. */
struct fm_piece {
    uint32_t at, end;
    bool present;
};
struct fm_retrace_line {
    enum fm_retrace_shape shape;
    struct fm_piece class_name; /* without loader and module prefix */
    struct fm_piece method;     /* frames only */
    struct fm_piece source;     /* what stands in the parentheses before ":line" */
    struct fm_piece line;       /* the digits, without the colon before them */
    bool has_line;              /* digits that fit 32 bits */
    int32_t line_number;
};
/* false and shape NOTHING: the line is echoed. Linear in the line. */
bool fm_retrace_line(framemap_str line, struct fm_retrace_line *out);

#endif
