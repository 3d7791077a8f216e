/* The usual line of a stack, answered straight away; java_pick.c and java_frames.c are for all. */
#include "core/fault.h"
#include "resolve/java_rules.h"

enum { SPANS_MOST = 64 }; /* longer chains are not usual */

/* The line of the source that a span tells for one of its residual lines. */
static inline int32_t original_line(const struct fm_view_span *span, int32_t line)
{
    if (fm_java_one_line(span)) return span->original_from;
    if (!(span->flags & FM_SPAN_ORIGINAL)) return line;
    return (int32_t)((uint32_t)span->original_from + fm_java_length(span->residual_from, line));
}

static bool fill_frame(const struct fm_view *view, const struct fm_view_method *method, uint64_t number, int32_t line,
                       struct fm_java_frame *frame)
{
    struct fm_view_span span;
    if (!fm_view_method_span(view, method, number, &span) || span.notes != FM_VIEW_NONE || fm_java_fans_out(&span)) return false;
    if (!fm_java_member_frame(view, span.member, frame)) return false;
    frame->line = original_line(&span, line);
    frame->line_kind = frame->line != -1 ? FM_JAVA_LINE_NUMBER : FM_JAVA_LINE_ECHO;
    return true;
}

bool fm_java_usual(const struct fm_view *view, const struct fm_view_method *method, const struct fm_java_query *query,
                   struct fm_arena *arena, struct fm_java_answer *out, framemap_status *status, framemap_error *error)
{
    struct fm_view_run run;
    if (!query->has_line || query->line <= 0 || query->no_slot) return false;
    if (!fm_view_only_run(view, method, query->line, &run) || run.span_count > SPANS_MOST) return false;
    struct fm_java_chain *chain = fm_arena_alloc(arena, sizeof *chain);
    struct fm_java_frame *frames = fm_arena_alloc(arena, run.span_count * sizeof *frames);
    *status = chain && frames ? FRAMEMAP_OK : fm_fault_memory(error);
    if (*status != FRAMEMAP_OK) return true;
    for (uint64_t i = 0; i < run.span_count; i++)
        if (!fill_frame(view, method, run.first_span + i, query->line, &frames[i])) return false;
    *chain = (struct fm_java_chain){.frames = frames, .count = (size_t)run.span_count};
    *out = (struct fm_java_answer){.result = FM_JAVA_METHOD, .chains = chain, .chain_count = 1};
    return true;
}
