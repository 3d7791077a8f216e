/* Many positions to their chains in brief. Lookups go through the index side by side, so that one waits for memory while others go on. */
#include "core/fault.h"
#include "core/limits.h"
#include "core/text.h"
#include "resolve/chain_walk.h"
#include "resolve/native.h"
#include "resolve/resolve.h"

struct job {
    struct fm_chain_context context; /* position: of the one that is being answered */
    struct fm_placing placing;
    uint64_t scope;
    framemap_brief_frame *frames;
    size_t frame_count, frame_capacity;
};

/* --- one answer --- */

/* Where the next frame goes; NULL: out of memory. */
static framemap_brief_frame *add_frame(struct job *job)
{
    if (job->frame_count == job->frame_capacity) {
        const size_t capacity = 2 * job->frame_capacity;
        framemap_brief_frame *frames = fm_arena_alloc(job->context.arena, capacity * sizeof *frames);
        if (frames == NULL) return NULL;
        memcpy(frames, job->frames, job->frame_count * sizeof *frames);
        job->frames = frames;
        job->frame_capacity = capacity;
    }
    return &job->frames[job->frame_count++];
}

/* What became of it. */
static inline framemap_frame_status fill_frame(const struct fm_chain_context *context, const struct fm_chain_step *step,
                                               framemap_brief_frame *frame)
{
    const struct fm_view_frame *function = step->function;
    framemap_str shown = {NULL, 0}, symbol = {NULL, 0};
    uint64_t function_offset = 0;
    uint32_t flags = 0, declared_line = 0;
    if (function != NULL) {
        fm_chain_names(context, function, &shown, &symbol);
        declared_line = function->decl_line1;
        if (function->flags & FM_NODE_ARTIFICIAL) flags |= FRAMEMAP_BRIEF_ARTIFICIAL;
        if (function->parent != FM_VIEW_NONE) flags |= FRAMEMAP_BRIEF_INLINED;
        if ((function->flags & FM_NODE_HAS_START) && context->position >= function->where.start) {
            flags |= FRAMEMAP_BRIEF_HAS_FUNCTION_OFFSET;
            function_offset = context->position - function->where.start;
        }
        if (symbol.size > 0 && symbol.data == function->name_at) flags |= FRAMEMAP_BRIEF_SAME_NAME;
    }
    *frame = (framemap_brief_frame){shown, symbol, step->file, step->line1, step->col1, declared_line, flags, function_offset};
    return fm_chain_status(step->file, shown);
}

static framemap_status answer_hit(struct job *job, const struct fm_hit *hit, framemap_brief_answer *out, framemap_error *error)
{
    const struct fm_chain_context context = job->context;
    struct fm_view_frame own;
    struct fm_chain_step step;
    framemap_str name;
    framemap_frame_status told = FRAMEMAP_FRAME_NO_MATCH;
    framemap_status status = fm_chain_first(&context, hit, 0, &own, &step, &name, error);
    for (bool more = true; more && status == FRAMEMAP_OK;) {
        framemap_brief_frame *frame = add_frame(job);
        if (frame == NULL) return fm_fault_memory(error);
        const framemap_frame_status found = fill_frame(&context, &step, frame);
        if (told != FRAMEMAP_FRAME_OK && found != FRAMEMAP_FRAME_NO_MATCH) told = found;
        more = fm_chain_more(&step);
        if (more) status = fm_chain_up(&context, &step, error);
    }
    if (told == FRAMEMAP_FRAME_NO_MATCH) job->frame_count = out->first;
    out->count = (uint32_t)(job->frame_count - out->first);
    out->status = hit->place_count > 1 ? FRAMEMAP_FRAME_AMBIGUOUS : told;
    return status;
}

/* --- one alone, and all of them --- */

static framemap_status damaged(framemap_status status, framemap_error *error)
{
    return fm_fault(error, status, "the index is damaged: a lookup leads outside of it");
}

/* frame_room: at least as many frames as there is room for at first. */
static struct job job_of(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena, size_t frame_room)
{
    return (struct job){.context = {.view = view, .arena = arena, .demangle = query->demangle, .frames = fm_view_frames(view)},
                        .placing = fm_placing_of(fm_view_identity(view), query),
                        .frames = fm_arena_alloc(arena, frame_room * sizeof(framemap_brief_frame)),
                        .frame_capacity = frame_room};
}

framemap_status fm_resolve_brief(const struct fm_view *view, const framemap_query *query, uint64_t position, struct fm_arena *arena,
                                 framemap_brief_list *out, framemap_error *error)
{
    enum { FRAMES_AT_FIRST = 8 };
    struct job job = job_of(view, query, arena, FRAMES_AT_FIRST);
    struct fm_hit hit;
    framemap_brief_answer *answer = fm_arena_alloc(arena, sizeof *answer);
    framemap_status status = FRAMEMAP_OK;
    if (job.frames == NULL || answer == NULL) return fm_fault_memory(error);
    *answer = (framemap_brief_answer){.status = FRAMEMAP_FRAME_NO_MATCH};
    if (fm_find_scope(view, query, &job.scope) && fm_place(&job.placing, position, &job.context.position) == FM_PLACED) {
        status = fm_view_find(view, job.scope, job.context.position - job.placing.step_back, &hit);
        if (status != FRAMEMAP_OK) return damaged(status, error);
        if (hit.place_count > 0) status = answer_hit(&job, &hit, answer, error);
    }
    if (status == FRAMEMAP_OK) *out = (framemap_brief_list){answer, 1, job.frames, job.frame_count};
    return status;
}

enum { SIDE_BY_SIDE = FM_VIEW_BATCH };

static framemap_status answer_batch(struct job *job, const uint64_t *positions, size_t count, framemap_brief_answer *answers,
                                    framemap_error *error)
{
    uint64_t places[SIDE_BY_SIDE], asked[SIDE_BY_SIDE];
    enum fm_placed placed[SIDE_BY_SIDE];
    struct fm_hit hits[SIDE_BY_SIDE];
    for (size_t i = 0; i < count; i++) {
        places[i] = 0;
        placed[i] = fm_place(&job->placing, positions[i], &places[i]);
        asked[i] = placed[i] == FM_PLACED ? places[i] - job->placing.step_back : 0;
    }
    framemap_status status = fm_view_find_many(job->context.view, job->scope, asked, count, hits);
    if (status != FRAMEMAP_OK) return damaged(status, error);
    fm_view_expect(job->context.view, hits, count);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) {
        answers[i] = (framemap_brief_answer){.status = FRAMEMAP_FRAME_NO_MATCH, .first = (uint32_t)job->frame_count};
        job->context.position = places[i];
        if (placed[i] == FM_PLACED && hits[i].place_count) status = answer_hit(job, &hits[i], &answers[i], error);
    }
    return status;
}

static framemap_status answer_all(struct job *job, const uint64_t *positions, size_t count, framemap_brief_answer *answers,
                                  framemap_error *error)
{
    for (size_t at = 0; at < count; at += SIDE_BY_SIDE) {
        const size_t some = count - at < SIDE_BY_SIDE ? count - at : SIDE_BY_SIDE;
        const framemap_status status = answer_batch(job, positions + at, some, answers + at, error);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

framemap_status fm_resolve_many(const struct fm_view *view, const framemap_query *query, const uint64_t *positions, size_t count,
                                struct fm_arena *arena, size_t *frame_room, framemap_brief_list *out, framemap_error *error)
{
    if (count > FM_LIMIT_LOOKUPS) return fm_fault(error, FRAMEMAP_E_LIMIT, "more than %zu positions at once", FM_LIMIT_LOOKUPS);
    struct job job = job_of(view, query, arena, *frame_room > 2 * count ? *frame_room : 2 * count + 1);
    framemap_brief_answer *answers = fm_arena_alloc(arena, count * sizeof *answers);
    if (job.frames == NULL || answers == NULL) return fm_fault_memory(error);
    framemap_status status = FRAMEMAP_OK;
    if (fm_find_scope(view, query, &job.scope))
        status = answer_all(&job, positions, count, answers, error);
    else
        for (size_t i = 0; i < count; i++) answers[i] = (framemap_brief_answer){.status = FRAMEMAP_FRAME_NO_MATCH};
    if (status != FRAMEMAP_OK) return status;
    *frame_room = job.frame_capacity;
    *out = (framemap_brief_list){answers, count, job.frames, job.frame_count};
    return FRAMEMAP_OK;
}
