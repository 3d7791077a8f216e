/* Implements the rules of ProGuard's retrace, whose answer has all spans (lines of the mapping) of the method that may
 * contain the line, in the order of the mapping. Called by java_resolve.c. */
#include "core/error.h"
#include "resolve/java/java_rules.h"

static int32_t residual_first(const struct fm_view_span *span)
{
    return span->flags & FM_SPAN_RESIDUAL ? span->residual_from : 0;
}

/* A walk over the spans of a method that may contain the line: spans whose range contains the line, and spans without
 * lines. If the line is 0, the walk includes all spans. */
struct walk {
    const struct fm_view *view;
    const struct fm_view_method *method;
    int32_t line;
    uint64_t at, end;
    bool searched;       /* `with` and `bare` are set; each is the number of a span at or after `at`, or `end` */
    uint64_t with, bare; /* numbers of the next span with lines and of the next span without lines */
};

static struct walk begin_walk(const struct fm_view *view, const struct fm_view_method *method, int32_t line)
{
    return (struct walk){view, method, line, method->first_span, method->first_span + method->span_count, false, 0, 0};
}

static bool next_span(struct walk *w, uint64_t *span)
{
    if (w->at >= w->end) return false;
    if (w->line != 0) {
        if (!w->searched || w->with < w->at)
            if (!fm_view_span_at_line(w->view, w->method, w->line, w->at, w->end, &w->with)) w->with = w->end;
        if (!w->searched || w->bare < w->at)
            if (!fm_view_span_without_lines(w->view, w->method, w->at, w->end, &w->bare)) w->bare = w->end;
        w->searched = true;
        w->at = w->with < w->bare ? w->with : w->bare;
    }
    *span = w->at++;
    return *span < w->end;
}

/* Returns the original line for a residual line; 0: the span gives no line, because its original lines are 0. */
static int32_t original_line(const struct fm_view_span *span, int32_t line)
{
    int32_t residual = residual_first(span), original = span->flags & FM_SPAN_ORIGINAL ? span->original_from : residual;
    if (original == residual) return line;
    bool range = (span->flags & FM_SPAN_PAIR) && span->original_to != 0 && span->original_to != original;
    if (!range || residual == 0 || line == 0) return original;
    return (int32_t)((uint32_t)original - (uint32_t)residual + (uint32_t)line);
}

static bool fill(const struct fm_view *view, const struct fm_view_span *span, int32_t line, struct fm_java_frame *frame)
{
    if (!fm_java_member_frame(view, span->member, frame)) return false;
    frame->has_source = false; /* ProGuard uses no source file but the one it infers from the class */
    frame->line_kind = FM_JAVA_LINE_NUMBER;
    frame->line = original_line(span, line);
    return true;
}

struct lists {
    struct fm_java_frame *frames;
    struct fm_java_chain *chains;
    size_t frame_count, chain_count;
};

/* Adds the frame of a span. inside: the frame belongs to the chain of inlined frames that was started last. */
static bool add(const struct fm_view *view, const struct fm_view_span *span, int32_t line, bool inside,
                struct lists *lists)
{
    struct fm_java_frame *frame = &lists->frames[lists->frame_count++];
    if (!fill(view, span, line, frame)) return false;
    if (!inside) lists->chains[lists->chain_count++] = (struct fm_java_chain){.frames = frame};
    lists->chains[lists->chain_count - 1].count++;
    return true;
}

static framemap_status fill_lists(const struct fm_view *view, const struct fm_view_method *method, int32_t line,
                                  struct lists *lists, framemap_error *error)
{
    struct fm_view_span span, before = {.flags = 0};
    struct walk walk = begin_walk(view, method, line);
    for (uint64_t number, expected = 0; next_span(&walk, &number); expected = number + 1) {
        if (!fm_view_method_span(view, method, number, &span)) return fm_java_damaged(error);
        bool inside = number == expected && fm_java_same_lines(&before, &span);
        if (!add(view, &span, line, inside, lists)) return fm_java_damaged(error);
        before = span;
    }
    return FRAMEMAP_OK;
}

static size_t count_spans(const struct fm_view *view, const struct fm_view_method *method, int32_t line)
{
    struct walk walk = begin_walk(view, method, line);
    size_t count = 0;
    for (uint64_t number; next_span(&walk, &number);) count++;
    return count;
}

framemap_status fm_java_proguard(const struct fm_view *view, const struct fm_view_method *method,
                                 const struct fm_java_query *query, struct fm_arena *arena, struct fm_java_answer *out,
                                 framemap_error *error)
{
    const int32_t line = query->has_line ? query->line : 0;
    struct lists lists = {.frame_count = count_spans(view, method, line)};
    lists.frames = fm_arena_alloc(arena, lists.frame_count * sizeof *lists.frames);
    lists.chains = fm_arena_alloc(arena, lists.frame_count * sizeof *lists.chains);
    if (lists.frames == NULL || lists.chains == NULL) return fm_error_memory(error);
    lists.frame_count = 0;
    framemap_status status = fill_lists(view, method, line, &lists, error);
    if (status == FRAMEMAP_OK)
        *out =
            (struct fm_java_answer){.result = FM_JAVA_METHOD, .chains = lists.chains, .chain_count = lists.chain_count};
    return status;
}
