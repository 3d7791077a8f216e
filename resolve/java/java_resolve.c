/* Resolves a Java frame by class and method: by the fast path, R8's rules or ProGuard's. Called by java_query.c,
 * session/restore and session/retrace. */
#include "core/error.h"
#include "resolve/java/java_rules.h"

struct fm_java_state fm_java_exception(framemap_str residual) { return (struct fm_java_state){.exception = residual}; }

#define NO_CLASS UINT64_MAX

/* Makes the answer for an unknown method, and keeps the state of earlier lines. number: the number of the class;
 * NO_CLASS if the class is unknown too. */
static framemap_status class_only(const struct fm_view *view, const struct fm_java_query *query, uint64_t number,
                                  struct fm_arena *arena, struct fm_java_answer *out, framemap_error *error)
{
    struct fm_view_class owner;
    const bool known = fm_view_class_at(view, number, &owner);
    struct fm_java_frame *frame = FM_ARENA_NEW(arena, struct fm_java_frame);
    struct fm_java_chain *chain = FM_ARENA_NEW(arena, struct fm_java_chain);
    if (frame == NULL || chain == NULL) return fm_error_memory(error);
    frame->class_name = known ? owner.original : query->class_name;
    frame->method = query->method;
    /* A class that is not renamed may have the original name of another class: R8 then prints the other class's
     * file. */
    frame->has_source = known ? fm_view_name_source(view, owner.original_name, &frame->source)
                              : fm_view_source_of(view, query->class_name, &frame->source);
    frame->line = query->has_line ? query->line : -1;
    frame->line_kind = query->has_line ? FM_JAVA_LINE_NUMBER : FM_JAVA_LINE_ECHO;
    *chain = (struct fm_java_chain){.frames = frame, .count = 1};
    *out =
        (struct fm_java_answer){.result = known ? FM_JAVA_CLASS : FM_JAVA_UNKNOWN, .chains = chain, .chain_count = 1};
    if (query->state) out->state = *query->state;
    return FRAMEMAP_OK;
}

/* Returns the state for the next line of the stack. If the frame is in an outline (code that R8 moved out of methods),
 * the state has the frame's line. The frame counts as such if its only chain is in an outline, or if no chain is shown
 * and the last group of spans is an outline. */
static struct fm_java_state state_after(const struct fm_java_pick *pick, const struct fm_java_answer *answer)
{
    bool outline = answer->chain_count == 1
                       ? answer->chains[0].outline
                       : answer->chain_count == 0 && (pick->groups[pick->count - 1].flags & FM_SPAN_OUTLINE);
    if (!outline || !pick->place.known) return (struct fm_java_state){.has_outline = false};
    return (struct fm_java_state){.has_outline = true, .outline_line = pick->place.line};
}

static framemap_status by_rules_of_r8(const struct fm_view *view, uint64_t owner, const struct fm_view_method *method,
                                      const struct fm_java_query *query, struct fm_arena *arena,
                                      struct fm_java_answer *out, framemap_error *error)
{
    struct fm_java_pick pick;
    framemap_status status = fm_java_pick(view, method, query, arena, &pick, error);
    if (status != FRAMEMAP_OK) return status;
    if (pick.count == 0) return class_only(view, query, owner, arena, out, error);
    struct fm_java_answer answer = {.result = FM_JAVA_METHOD};
    status = fm_java_frames(view, query, &pick, arena, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    answer.state = state_after(&pick, &answer);
    *out = answer;
    return FRAMEMAP_OK;
}

void fm_java_find(const struct fm_view *view, framemap_str class_name, framemap_str method, struct fm_java_found *out)
{
    out->has_class = fm_view_class_number(view, class_name, &out->owner);
    out->has_method = out->has_class && fm_view_method_of(view, out->owner, method, &out->method);
}

framemap_status fm_java_resolve_found(const struct fm_view *view, const struct fm_java_found *found,
                                      const struct fm_java_query *query, struct fm_arena *arena,
                                      struct fm_java_answer *out, framemap_error *error)
{
    const uint64_t owner = found->has_class ? found->owner : NO_CLASS;
    if (!found->has_method) return class_only(view, query, owner, arena, out, error);
    if (!fm_java_is_proguard(view)) return by_rules_of_r8(view, owner, &found->method, query, arena, out, error);
    const framemap_status status = fm_java_proguard(view, &found->method, query, arena, out, error);
    return status == FRAMEMAP_OK && out->chain_count == 0 ? class_only(view, query, owner, arena, out, error) : status;
}

/* Answers by the fast path. *usual: whether the frame has the shape that the fast path handles. */
static framemap_status answer_usual(const struct fm_view *view, const struct fm_java_found *found,
                                    const struct fm_java_query *query, struct fm_arena *arena, bool *usual,
                                    struct fm_java_answer *out, framemap_error *error)
{
    struct fm_view_run run;
    *usual = query->has_line && !query->no_slot && fm_java_usual(view, found, query->line, &run);
    if (!*usual) return FRAMEMAP_OK;
    struct fm_java_chain *chain = fm_arena_alloc(arena, sizeof *chain);
    struct fm_java_frame *frames = fm_arena_alloc(arena, (size_t)run.span_count * sizeof *frames);
    if (chain == NULL || frames == NULL) return fm_error_memory(error);
    for (uint64_t i = 0; *usual && i < run.span_count; i++)
        *usual = fm_java_usual_frame(view, found, run.first_span + i, query->line, &frames[i]);
    if (!*usual) return FRAMEMAP_OK;
    *chain = (struct fm_java_chain){.frames = frames, .count = (size_t)run.span_count};
    *out = (struct fm_java_answer){.result = FM_JAVA_METHOD, .chains = chain, .chain_count = 1};
    return FRAMEMAP_OK;
}

framemap_status fm_java_resolve(const struct fm_view *view, const struct fm_java_query *query, struct fm_arena *arena,
                                struct fm_java_answer *out, framemap_error *error)
{
    struct fm_java_found found;
    bool usual;
    fm_java_find(view, query->class_name, query->method, &found);
    const framemap_status status = answer_usual(view, &found, query, arena, &usual, out, error);
    return usual ? status : fm_java_resolve_found(view, &found, query, arena, out, error);
}

framemap_status fm_java_resolve_plain(const struct fm_view *view, const struct fm_java_query *query,
                                      struct fm_arena *arena, struct fm_java_answer *out, framemap_error *error)
{
    struct fm_java_found found;
    fm_java_find(view, query->class_name, query->method, &found);
    return fm_java_resolve_found(view, &found, query, arena, out, error);
}
