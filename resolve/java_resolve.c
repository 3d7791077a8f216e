#include "core/fault.h"
#include "core/text.h"
#include "resolve/java_rules.h"

framemap_status fm_java_damaged(framemap_error *error)
{
    return fm_fault(error, FRAMEMAP_E_CORRUPT, "the index is damaged: a method's records can't be read");
}

struct fm_java_state fm_java_exception(framemap_str residual) { return (struct fm_java_state){.exception = residual}; }

#define NO_CLASS UINT64_MAX

/* The method is not in the index, and perhaps the class is not either: NO_CLASS. What earlier lines told goes on. */
static framemap_status class_only(const struct fm_view *view, const struct fm_java_query *query, uint64_t number, struct fm_arena *arena,
                                  struct fm_java_answer *out, framemap_error *error)
{
    struct fm_view_class owner;
    const bool known = fm_view_class_at(view, number, &owner);
    struct fm_java_frame *frame = FM_ARENA_NEW(arena, struct fm_java_frame);
    struct fm_java_chain *chain = FM_ARENA_NEW(arena, struct fm_java_chain);
    if (frame == NULL || chain == NULL) return fm_fault_memory(error);
    frame->class_name = known ? owner.original : query->class_name;
    frame->method = query->method;
    /* A class that is not renamed may well be the original of another: R8 then prints that one's file. */
    frame->has_source =
        known ? fm_view_name_source(view, owner.original_name, &frame->source) : fm_view_source_of(view, query->class_name, &frame->source);
    frame->line = query->has_line ? query->line : -1;
    frame->line_kind = query->has_line ? FM_JAVA_LINE_NUMBER : FM_JAVA_LINE_ECHO;
    *chain = (struct fm_java_chain){.frames = frame, .count = 1};
    *out = (struct fm_java_answer){.result = known ? FM_JAVA_CLASS : FM_JAVA_UNKNOWN, .chains = chain, .chain_count = 1};
    if (query->state) out->state = *query->state;
    return FRAMEMAP_OK;
}

/* An outline tells its line to the frame below, when it is the only answer; or, where nothing is shown, the last one that was looked at. */
static struct fm_java_state state_after(const struct fm_java_pick *pick, const struct fm_java_answer *answer)
{
    bool outline = answer->chain_count == 1 ? answer->chains[0].outline
                                            : answer->chain_count == 0 && (pick->groups[pick->count - 1].flags & FM_SPAN_OUTLINE);
    if (!outline || !pick->place.known) return (struct fm_java_state){.has_outline = false};
    return (struct fm_java_state){.has_outline = true, .outline_line = pick->place.line};
}

static framemap_status by_rules_of_r8(const struct fm_view *view, uint64_t owner, const struct fm_view_method *method,
                                      const struct fm_java_query *query, struct fm_arena *arena, struct fm_java_answer *out,
                                      framemap_error *error)
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

static inline framemap_status resolve(const struct fm_view *view, const struct fm_java_query *query, bool plain, struct fm_arena *arena,
                                      struct fm_java_answer *out, framemap_error *error)
{
    uint64_t owner;
    struct fm_view_method method;
    framemap_status status;
    if (!fm_view_class_number(view, query->class_name, &owner)) return class_only(view, query, NO_CLASS, arena, out, error);
    if (!fm_view_method_of(view, owner, query->method, &method)) return class_only(view, query, owner, arena, out, error);
    if (fm_java_is_proguard(view)) {
        status = fm_java_proguard(view, &method, query, arena, out, error);
        return status == FRAMEMAP_OK && out->chain_count == 0 ? class_only(view, query, owner, arena, out, error) : status;
    }
    if (!plain && fm_java_usual(view, &method, query, arena, out, &status, error)) return status;
    return by_rules_of_r8(view, owner, &method, query, arena, out, error);
}

framemap_status fm_java_resolve(const struct fm_view *view, const struct fm_java_query *query, struct fm_arena *arena,
                                struct fm_java_answer *out, framemap_error *error)
{
    return resolve(view, query, false, arena, out, error);
}

framemap_status fm_java_resolve_plain(const struct fm_view *view, const struct fm_java_query *query, struct fm_arena *arena,
                                      struct fm_java_answer *out, framemap_error *error)
{
    return resolve(view, query, true, arena, out, error);
}
