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

/* --- one frame --- */

/* Of a frame that has a function: all but its place. */
static inline void fill_function(const struct fm_chain_context *context, const struct fm_view_frame *function, framemap_brief_frame *frame)
{
    uint32_t flags = function->flags & FM_NODE_ARTIFICIAL ? FRAMEMAP_BRIEF_ARTIFICIAL : 0u;
    if (fm_chain_is_named_once(context, function)) {
        frame->function = fm_frame_name(function);
        frame->symbol = (framemap_str){NULL, 0};
    } else {
        fm_chain_names_any(context, function, &frame->function, &frame->symbol);
        if (frame->symbol.size > 0 && frame->symbol.data == function->name_at) flags |= FRAMEMAP_BRIEF_SAME_NAME;
    }
    frame->declared_line = function->decl_line1;
    frame->function_offset = 0;
    if (function->parent != FM_VIEW_NONE) flags |= FRAMEMAP_BRIEF_INLINED;
    if ((function->flags & FM_NODE_HAS_START) != 0 && context->position >= function->where.start) {
        flags |= FRAMEMAP_BRIEF_HAS_FUNCTION_OFFSET;
        frame->function_offset = context->position - function->where.start;
    }
    frame->flags = flags;
}

static inline void fill_frame(const struct fm_chain_context *context, const struct fm_chain_step *step, framemap_brief_frame *frame)
{
    if (step->function != NULL)
        fill_function(context, step->function, frame);
    else
        *frame = (framemap_brief_frame){.flags = 0};
    frame->file = step->file;
    frame->line = step->line1;
    frame->column = step->col1;
}

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

/* What became of an answer, by what is known of any of its frames. */
static inline framemap_frame_status status_of(size_t files, size_t names)
{
    if (files != 0) return FRAMEMAP_FRAME_OK;
    return names != 0 ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_NO_MATCH;
}

static framemap_status answer_any(struct job *job, const struct fm_hit *hit, framemap_brief_answer *out, framemap_error *error)
{
    const struct fm_chain_context context = job->context;
    struct fm_view_frame own;
    struct fm_chain_step step;
    framemap_str name;
    const size_t first = job->frame_count;
    size_t files = 0, names = 0;
    framemap_status status = fm_chain_first(&context, hit, 0, &own, &step, &name, error);
    for (bool more = true; more && status == FRAMEMAP_OK;) {
        framemap_brief_frame *frame = add_frame(job);
        if (frame == NULL) return fm_fault_memory(error);
        fill_frame(&context, &step, frame);
        files |= frame->file.size;
        names |= frame->function.size;
        more = fm_chain_more(&step);
        if (more) status = fm_chain_up(&context, &step, error);
    }
    out->first = (uint32_t)first;
    out->status = status_of(files, names);
    if (out->status == FRAMEMAP_FRAME_NO_MATCH) job->frame_count = first;
    out->count = (uint32_t)(job->frame_count - first);
    if (hit->place_count > 1) out->status = FRAMEMAP_FRAME_AMBIGUOUS;
    return status;
}

/* Most chains: of a plain hit, with all of their frames kept by the view, and room for them. How many frames were written; 0: it takes answer_any. */
static inline size_t answer_kept(const struct fm_chain_context *context, const struct fm_hit *hit, framemap_brief_frame *frame, size_t room,
                                 framemap_frame_status *told)
{
    const struct fm_view_frame *function = hit->place;
    size_t files = 0, names = 0;
    uint32_t node = hit->entry.node_code - 1, line1, col1 = hit->entry.col1;
    fm_prefetch((const void *)((uintptr_t)function - FM_FRAME_BYTES)); /* that of the function around it, most often */
    if (!fm_chain_is_kept(hit) || !fm_hit_line(hit, function, &line1)) return 0;
    framemap_str file = fm_frame_home(function);
    for (size_t count = 1; count <= room; count++, frame++) {
        fill_function(context, function, frame);
        frame->file = file;
        frame->line = line1;
        frame->column = col1;
        files |= file.size;
        names |= frame->function.size;
        if (function->parent == FM_VIEW_NONE) {
            *told = status_of(files, names);
            return count;
        }
        file = fm_frame_more(function);
        line1 = function->where.call.line1;
        col1 = function->where.call.col1;
        const uint32_t inner = node;
        node = function->parent;
        function = fm_frames_around(context->frames, function, inner, node);
        if (function == NULL) return 0;
    }
    return 0;
}

/* --- one alone, and all of them --- */

static framemap_status damaged(framemap_status status, framemap_error *error)
{
    return fm_fault(error, status, "the index is damaged: a lookup leads outside of it");
}

static struct job job_of(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena)
{
    return (struct job){.context = {.view = view, .arena = arena, .demangle = query->demangle, .frames = fm_view_frames(view)},
                        .placing = fm_placing_of(fm_view_identity(view), query)};
}

enum { FRAMES_AT_FIRST = 8 };
struct one { /* answer of one alone */
    framemap_brief_answer answer;
    framemap_brief_frame frames[FRAMES_AT_FIRST];
};

static framemap_status answer_one(const struct fm_chain_context *context, const struct fm_hit *hit, struct one *one,
                                  framemap_brief_list *out, framemap_error *error)
{
    struct job job = {.context = *context, .frames = one->frames, .frame_capacity = FRAMES_AT_FIRST};
    const framemap_status status = answer_any(&job, hit, &one->answer, error);
    if (status == FRAMEMAP_OK) *out = (framemap_brief_list){&one->answer, 1, job.frames, job.frame_count};
    return status;
}

framemap_status fm_resolve_brief(const struct fm_view *view, const framemap_query *query, uint64_t position, struct fm_arena *arena,
                                 framemap_brief_list *out, framemap_error *error)
{
    const struct fm_placing placing = fm_placing_of(fm_view_identity(view), query);
    struct one *one = fm_arena_alloc(arena, sizeof *one);
    struct fm_chain_context context = {.view = view, .arena = arena, .demangle = query->demangle, .frames = fm_view_frames(view)};
    struct fm_hit hit;
    uint64_t scope;
    framemap_frame_status told = FRAMEMAP_FRAME_NO_MATCH;
    size_t count = 0;
    if (one == NULL) return fm_fault_memory(error);
    if (fm_find_scope(view, query, &scope) && fm_place(&placing, position, &context.position) == FM_PLACED) {
        const framemap_status status = fm_view_find(view, scope, context.position - placing.step_back, &hit);
        if (status != FRAMEMAP_OK) return damaged(status, error);
        if (hit.place_count > 0) {
            count = answer_kept(&context, &hit, one->frames, FRAMES_AT_FIRST, &told);
            if (count == 0) return answer_one(&context, &hit, one, out, error);
            if (told == FRAMEMAP_FRAME_NO_MATCH) count = 0;
        }
    }
    one->answer = (framemap_brief_answer){.status = told, .count = (uint32_t)count};
    *out = (framemap_brief_list){&one->answer, 1, one->frames, count};
    return FRAMEMAP_OK;
}

enum { SIDE_BY_SIDE = FM_VIEW_BATCH };

static inline framemap_status answer_hit(struct job *job, const struct fm_hit *hit, framemap_brief_answer *out, framemap_error *error)
{
    const size_t left = job->frame_capacity - job->frame_count, room = left < FM_LIMIT_INLINE_DEPTH ? left : FM_LIMIT_INLINE_DEPTH;
    const size_t count = answer_kept(&job->context, hit, job->frames + job->frame_count, room, &out->status);
    if (count == 0) return answer_any(job, hit, out, error);
    out->count = out->status == FRAMEMAP_FRAME_NO_MATCH ? 0 : (uint32_t)count;
    job->frame_count += out->count;
    return FRAMEMAP_OK;
}

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
    struct job job = job_of(view, query, arena);
    job.frame_capacity = *frame_room > 2 * count ? *frame_room : 2 * count + 1;
    job.frames = fm_arena_alloc(arena, job.frame_capacity * sizeof *job.frames);
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
