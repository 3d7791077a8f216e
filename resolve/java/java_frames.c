/* Makes chains of original frames from groups of spans (lines of the mapping): R8's line arithmetic, and the removal of
 * frames by rewrite rules. Called by java_resolve.c. */
#include "core/cpu.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "resolve/java/java_rules.h"

struct maker {
    const struct fm_view *view;
    const struct fm_java_query *query;
    struct fm_java_pick *pick;
    /* As R8 defines it, an answer is ambiguous if it has several groups, or spans whose residual and original ranges do
     * not correspond. */
    bool ambiguous;
};

static bool is_ambiguous(const struct fm_java_pick *pick)
{
    if (pick->count != 1) return true;
    const struct fm_java_group *group = &pick->groups[0];
    for (size_t i = 0; i < group->span_count; i++)
        if (fm_java_fans_out(&group->spans[i])) return true;
    return false;
}

static int32_t stack_line(const struct fm_java_query *query) { return query->has_line ? query->line : -1; }

static bool has_residual_line(const struct fm_view_span *span, struct fm_java_place place)
{
    return place.known && (span->flags & FM_SPAN_RESIDUAL) && span->residual_from <= place.line &&
           place.line <= span->residual_to;
}

/* Returns the first original line of a span; 0: the span has no original lines. */
static int32_t first_line(const struct fm_view_span *span)
{
    if (span->flags & FM_SPAN_ORIGINAL) return span->original_from;
    return span->flags & FM_SPAN_RESIDUAL ? span->residual_from : 0;
}

/* Returns the original line of a span's frame; -1: the frame has no line. A span without original lines keeps the line
 * of the stack trace. */
static int32_t original_line(const struct maker *maker, const struct fm_view_span *span)
{
    const struct fm_java_place place = maker->pick->place;
    if (fm_java_one_line(span)) return span->original_from;
    if (!maker->ambiguous && (!(span->flags & FM_SPAN_RESIDUAL) || place.line == -1)) {
        int32_t first = first_line(span);
        return first > 0 ? first : stack_line(maker->query);
    }
    if (!has_residual_line(span, place)) return stack_line(maker->query);
    if (!(span->flags & FM_SPAN_ORIGINAL)) return place.line;
    return (int32_t)((uint32_t)span->original_from + fm_java_length(span->residual_from, place.line));
}

static void set_line(const struct maker *maker, int32_t line, struct fm_java_frame *frame)
{
    const struct fm_java_query *query = maker->query;
    frame->line = query->no_slot ? -1 : line;
    bool print = frame->line != -1 && (query->has_line || query->verbose || !maker->ambiguous);
    frame->line_kind = print ? FM_JAVA_LINE_NUMBER : FM_JAVA_LINE_ECHO;
}

bool fm_java_member_frame(const struct fm_view *view, uint32_t member, struct fm_java_frame *frame)
{
    struct fm_view_member found;
    if (!fm_view_member(view, member, &found)) return false;
    fm_prefetch(found.name.data); /* the name is fetched early, because the frame's signature is built from it */
    fm_prefetch(found.type.data);
    fm_prefetch(found.arguments.data);
    /* the members are assigned one by one: a compound literal would clear the whole struct first, which is slower */
    frame->class_name = found.holder;
    frame->method = found.name;
    frame->type = found.type;
    frame->arguments = found.arguments;
    frame->source = found.source;
    frame->has_source = found.source.data != NULL;
    frame->found = true;
    frame->line_kind = FM_JAVA_LINE_ECHO;
    frame->line = 0;
    return true;
}

/* Returns how many frames the rewrite rules in a list of notes remove. A rule applies if the preceding exception
 * satisfies all FM_NOTE_THROWS conditions between the rule and the one before it. The sum wraps at 32 bits, as in
 * Java. */
static uint32_t rewritten(const struct maker *maker, uint32_t notes)
{
    const struct fm_java_state *state = maker->query->state;
    struct fm_view_note note;
    uint32_t removed = 0;
    bool holds = true;
    for (uint64_t i = 0; fm_java_note(maker->view, maker->pick, notes, i, &note); i++) {
        if (note.kind == FM_NOTE_THROWS &&
            (state == NULL || state->exception.size == 0 || !fm_str_equal(note.text, state->exception)))
            holds = false;
        if (note.kind != FM_NOTE_REWRITE) continue;
        if (holds) removed += (uint32_t)note.count;
        holds = true;
    }
    return removed;
}

/* Returns the number of innermost frames of the group that rewrite rules remove because of the preceding exception.
 * *too_many: the rules would remove more frames than the group has; then no frame is removed. */
static uint64_t skipped_frames(const struct maker *maker, const struct fm_java_group *group, bool *too_many)
{
    uint32_t removed = 0;
    *too_many = false;
    for (size_t i = 0; i < group->span_count; i++)
        if (group->spans[i].notes != FM_VIEW_NONE) removed += rewritten(maker, group->spans[i].notes);
    if (removed == 0 || removed > INT32_MAX) return 0;
    *too_many = removed > (group->span_count ? group->span_count : 1);
    return *too_many ? 0 : removed;
}

/* Returns the innermost span of a group if each original line of this span gives an alternative chain; otherwise
 * NULL. */
static const struct fm_view_span *fan_of(const struct maker *maker, const struct fm_java_group *group)
{
    return maker->ambiguous && group->span_count && fm_java_fans_out(&group->spans[0]) ? &group->spans[0] : NULL;
}

static uint64_t chains_of(const struct maker *maker, const struct fm_java_group *group)
{
    const struct fm_view_span *span = fan_of(maker, group);
    return span && span->original_from < span->original_to
               ? (uint64_t)((int64_t)span->original_to - span->original_from) + 1
               : 1;
}

/* Returns the flags that the notes of a group's outermost span give for its frame: whether the frame is hidden. A span
 * has such notes if the mapping does not declare a member that answers for frames without a line. */
static uint32_t own_flags(const struct maker *maker, const struct fm_java_group *group)
{
    struct fm_view_note note;
    uint32_t flags = 0;
    const uint32_t notes = group->span_count ? group->spans[group->span_count - 1].notes : FM_VIEW_NONE;
    if (notes == FM_VIEW_NONE) return 0;
    for (uint64_t i = 0; fm_java_note(maker->view, maker->pick, notes, i, &note); i++)
        if (note.kind == FM_NOTE_HIDDEN) flags |= (uint32_t)note.from & (FM_SPAN_SYNTHETIC | FM_SPAN_OUTLINE);
    return flags;
}

/* Determines how many chains a group has, and returns the number of frames in all of them. If a group has several
 * chains, only as many are made as the limit of frames allows. */
static uint64_t measure(const struct maker *maker, struct fm_java_group *group, uint64_t frames_before,
                        struct fm_java_answer *out)
{
    bool too_many;
    const uint64_t count = group->span_count ? group->span_count : 1, skipped = skipped_frames(maker, group, &too_many);
    group->flags |= own_flags(maker, group);
    const bool hidden = (group->flags & (FM_SPAN_SYNTHETIC | FM_SPAN_OUTLINE)) != 0;
    uint64_t times = chains_of(maker, group);
    group->skipped = (size_t)skipped;
    group->depth = (size_t)(skipped < count ? count - skipped - hidden : 0);
    uint64_t limit = maker->query->frames_most ? maker->query->frames_most : FM_LIMIT_JAVA_CHAINS;
    if (times > 1 && limit > FM_LIMIT_JAVA_FAN) limit = FM_LIMIT_JAVA_FAN;
    const uint64_t room = limit > frames_before ? limit - frames_before : 0;
    const uint64_t most = group->depth == 0 ? UINT64_MAX
                          : times == 1      ? (uint64_t)(room >= group->depth)
                                            : room / group->depth;
    if (times > most) {
        out->too_many = true;
        times = most ? most : frames_before == 0;
    }
    if (too_many) out->removed_too_many += (size_t)times;
    group->times = group->depth ? (size_t)times : 0;
    return group->depth * group->times;
}

static bool fill_span(const struct maker *maker, const struct fm_view_span *span, struct fm_java_frame *frame)
{
    if (!fm_java_member_frame(maker->view, span->member, frame)) return false;
    set_line(maker, original_line(maker, span), frame);
    return true;
}

static bool fill_entry(const struct maker *maker, const struct fm_java_group *group, struct fm_java_frame *frame)
{
    if (!fm_java_member_frame(maker->view, group->entry, frame)) return false;
    set_line(maker, stack_line(maker->query), frame);
    return true;
}

/* Sets the lines of a group whose innermost span gives one chain for each of its original lines: the chains differ only
 * in the line of their first frame, if lines are shown. */
static void multiply(const struct maker *maker, const struct fm_java_group *group, struct fm_java_frame *frames)
{
    const struct fm_view_span *span = fan_of(maker, group);
    if (group->skipped || span == NULL) return;
    for (size_t i = 0; i < group->times; i++)
        set_line(maker, (int32_t)((uint32_t)span->original_from + (uint32_t)i), &frames[i * group->depth]);
}

static bool fill_group(const struct maker *maker, const struct fm_java_group *group, struct fm_java_frame *frames)
{
    for (size_t i = 0; i < group->depth; i++) {
        bool filled = group->span_count ? fill_span(maker, &group->spans[group->skipped + i], &frames[i])
                                        : fill_entry(maker, group, frames);
        if (!filled) return false;
    }
    for (size_t i = 1; i < group->times; i++) memcpy(&frames[i * group->depth], frames, group->depth * sizeof *frames);
    multiply(maker, group, frames);
    return true;
}

static bool fill_all(const struct maker *maker, struct fm_java_frame *frames, struct fm_java_chain *chains)
{
    for (size_t i = 0; i < maker->pick->count; i++) {
        const struct fm_java_group *group = &maker->pick->groups[i];
        if (group->times && !fill_group(maker, group, frames)) return false;
        for (size_t k = 0; k < group->times; k++, frames += group->depth)
            *chains++ = (struct fm_java_chain){
                .frames = frames, .count = group->depth, .outline = (group->flags & FM_SPAN_OUTLINE) != 0};
    }
    return true;
}

framemap_status fm_java_frames(const struct fm_view *view, const struct fm_java_query *query, struct fm_java_pick *pick,
                               struct fm_arena *arena, struct fm_java_answer *out, framemap_error *error)
{
    const struct maker maker = {view, query, pick, is_ambiguous(pick)};
    uint64_t frame_count = 0;
    size_t chain_count = 0;
    for (size_t i = 0; i < pick->count; i++) {
        frame_count += measure(&maker, &pick->groups[i], frame_count, out);
        chain_count += pick->groups[i].times;
    }
    if (chain_count == 0) return FRAMEMAP_OK;
    struct fm_java_frame *frames = fm_arena_alloc(arena, (size_t)frame_count * sizeof *frames);
    struct fm_java_chain *chains = fm_arena_alloc(arena, chain_count * sizeof *chains);
    if (frames == NULL || chains == NULL) return fm_error_memory(error);
    if (!fill_all(&maker, frames, chains)) return fm_java_damaged(error);
    const bool line = query->verbose || (query->has_line && query->line > 0);
    const struct fm_java_order order = {query->verbose || query->signatures, line, false, query->repeats};
    framemap_status status = fm_java_sort(chains, &chain_count, order, arena, error);
    out->chains = chains;
    out->chain_count = chain_count;
    return status;
}
