/* Resolves frames of the usual shape, which fm_java_usual in java_rules.h describes, on a fast path. Called by
 * java_resolve.c and java_query.c; java_pick.c and java_frames.c handle all frames. */
#include "resolve/java/java_rules.h"

enum { SPANS_MOST = 64 }; /* maximum number of frames of a chain on the fast path; longer chains are rare */

/* Returns the original line to which a span maps one of its residual lines. */
static inline int32_t original_line(const struct fm_view_span *span, int32_t line)
{
    if (fm_java_one_line(span)) return span->original_from;
    if (!(span->flags & FM_SPAN_ORIGINAL)) return line;
    return (int32_t)((uint32_t)span->original_from + fm_java_length(span->residual_from, line));
}

bool fm_java_usual(const struct fm_view *view, const struct fm_java_found *found, int32_t line, struct fm_view_run *out)
{
    if (!found->has_method || line <= 0 || fm_java_is_proguard(view)) return false;
    return fm_view_only_run(view, &found->method, line, out) && out->span_count <= SPANS_MOST;
}

bool fm_java_usual_frame(const struct fm_view *view, const struct fm_java_found *found, uint64_t number, int32_t line,
                         struct fm_java_frame *frame)
{
    struct fm_view_span span;
    if (!fm_view_method_span(view, &found->method, number, &span) || span.notes != FM_VIEW_NONE ||
        fm_java_fans_out(&span))
        return false;
    if (!fm_java_member_frame(view, span.member, frame)) return false;
    frame->line = original_line(&span, line);
    frame->line_kind = frame->line != -1 ? FM_JAVA_LINE_NUMBER : FM_JAVA_LINE_ECHO;
    return true;
}
