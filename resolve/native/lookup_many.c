/* Resolves many positions to short frames. The lookups are interleaved, so that the latencies of memory overlap. */
#include "resolve/native/lookup_many.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "resolve/native/address.h"
#include "resolve/native/companion_file.h"
#include "resolve/native/inline_chain.h"
#include "resolve/native/section_scopes.h"

struct job {
    struct fm_chain_context context; /* its member `position` is the position that is being resolved */
    struct fm_address_conversion conversion;
    uint64_t scope;
    framemap_location *frames;
    size_t frame_count, frame_capacity;
};

/* --- making one short frame --- */

/* Fills the names on the slow path of fill_names. Returns FRAMEMAP_LOCATION_… flags. */
static uint32_t fill_names_any(const struct fm_chain_context *context, const struct fm_view_frame *function,
                               uint32_t node, framemap_location *frame)
{
    const struct fm_view_more *more = NULL;
    if (context->room->arena == NULL)
        /* the limits of the answer are set up only here, because most answers do not need them */
        *context->room = fm_answer_room(context->arena);
    fm_chain_names_any(context, function, node, &more, &frame->function, &frame->symbol);
    (void)fm_answer_is_spent(context->room);
    const bool same = frame->symbol.size > 0 && frame->symbol.data == function->name_at;
    return same && (function->flags & FM_FRAME_CLASS) == 0 ? FRAMEMAP_LOCATION_SAME_NAME : 0u;
}

/* Fills a frame except its location and offset. named_twice: the result of fm_chain_named_twice. flags: flags to add to
 * those of the function's record. */
static inline void fill_names(const struct fm_chain_context *context, unsigned named_twice,
                              const struct fm_view_frame *function, uint32_t node, uint32_t flags,
                              framemap_location *frame)
{
    _Static_assert(FRAMEMAP_LOCATION_ARTIFICIAL == FM_NODE_ARTIFICIAL << 1 &&
                       FRAMEMAP_LOCATION_HAS_FUNCTION_OFFSET == FM_NODE_HAS_START << 1,
                   "flags of frames are flags of functions, one bit on");
    flags |= (uint32_t)(function->flags & (FM_NODE_ARTIFICIAL | FM_NODE_HAS_START)) << 1;
    if ((function->flags & named_twice) == 0) {
        frame->function = fm_frame_name(function);
        frame->symbol = (framemap_str){NULL, 0};
    } else
        flags |= fill_names_any(context, function, node, frame);
    frame->declared_line = function->decl_line1;
    frame->flags = flags;
}

/* Fills the frame of an inlined function, except its location. */
static inline void fill_inlined(const struct fm_chain_context *context, unsigned named_twice,
                                const struct fm_view_frame *function, uint32_t node, framemap_location *frame)
{
    fill_names(context, named_twice, function, node, FRAMEMAP_LOCATION_INLINED, frame);
    frame->function_offset = 0;
}

/* Fills the frame of an out-of-line function, except its location; unlike an inlined function it has an offset. */
static inline void fill_outermost(const struct fm_chain_context *context, unsigned named_twice,
                                  const struct fm_view_frame *function, uint32_t node, framemap_location *frame)
{
    fill_names(context, named_twice, function, node, 0, frame);
    frame->function_offset = 0;
    if ((function->flags & FM_NODE_HAS_START) == 0) return;
    if (context->position >= function->where.start)
        frame->function_offset = context->position - function->where.start;
    else
        frame->flags &= ~(uint32_t)FRAMEMAP_LOCATION_HAS_FUNCTION_OFFSET;
}

static inline void fill_place(framemap_str file, uint32_t line1, uint32_t col1, framemap_location *frame)
{
    frame->file = file;
    frame->line = line1;
    frame->column = col1;
}

static void fill_frame(const struct fm_chain_context *context, const struct fm_chain_step *step,
                       framemap_location *frame)
{
    const unsigned named_twice = fm_chain_named_twice(context);
    if (step->function == NULL)
        *frame = (framemap_location){.flags = 0};
    else if (step->function->parent != FM_VIEW_NONE)
        fill_inlined(context, named_twice, step->function, step->node, frame);
    else
        fill_outermost(context, named_twice, step->function, step->node, frame);
    fill_place(step->file, step->line1, step->col1, frame);
}

/* --- making one answer --- */

enum { TEXTS_OF_FRAME = 4 };

/* Returns the bytes of strings of a frame, counted as inline_chain.c counts them. */
static inline uint64_t text_of(const struct fm_view_frame *function, const framemap_location *frame)
{
    return (uint64_t)frame->file.size + frame->function.size + frame->symbol.size +
           (function != NULL ? function->home_size : 0);
}

/* Appends a frame. Returns NULL when out of memory. */
static framemap_location *lookup_many_add_frame(struct job *job)
{
    if (job->frame_count == job->frame_capacity) {
        const size_t capacity = 2 * job->frame_capacity;
        framemap_location *frames = fm_arena_alloc(job->context.arena, capacity * sizeof *frames);
        if (frames == NULL) return NULL;
        memcpy(frames, job->frames, job->frame_count * sizeof *frames);
        job->frames = frames;
        job->frame_capacity = capacity;
    }
    return &job->frames[job->frame_count++];
}

/* Returns the status of an answer. files, names: nonzero if one of its frames has a file or a function name. */
static inline framemap_frame_status status_of(size_t files, size_t names)
{
    if (files != 0) return FRAMEMAP_FRAME_OK;
    return names != 0 ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_NO_MATCH;
}

static framemap_status answer_any(struct job *job, const struct fm_hit *hit, framemap_location_chain *out,
                                  framemap_error *error)
{
    const struct fm_chain_context context = job->context;
    struct fm_answer_room *room = context.room;
    *room = fm_answer_room(context.arena);
    struct fm_view_frame own;
    struct fm_chain_step step;
    framemap_str name;
    const size_t first = job->frame_count;
    size_t files = 0, names = 0;
    bool nameless = false;
    framemap_status status = fm_chain_first(&context, hit, 0, &own, &step, &name, error);
    uint64_t place_name = name.size;
    for (bool more = true; more && status == FRAMEMAP_OK; place_name = 0) {
        framemap_location *frame = lookup_many_add_frame(job);
        if (frame == NULL) return fm_error_memory(error);
        fill_frame(&context, &step, frame);
        if (!fm_answer_take(room, text_of(step.function, frame) + place_name) && job->frame_count > first + 1) {
            job->frame_count--;
            break;
        }
        files |= frame->file.size;
        names |= frame->function.size;
        nameless |= frame->function.size == 0 &&
                    (frame->flags & (FRAMEMAP_LOCATION_INLINED | FRAMEMAP_LOCATION_HAS_FUNCTION_OFFSET)) != 0;
        more = fm_chain_more(&step);
        if (more) status = fm_chain_up(&context, &step, error);
    }
    out->first = (uint32_t)first;
    out->status = status_of(files, names);
    if (nameless && out->status == FRAMEMAP_FRAME_OK && fm_lacks_names(context.view))
        out->status = FRAMEMAP_FRAME_SYMBOL;
    if (out->status == FRAMEMAP_FRAME_NO_MATCH) job->frame_count = first;
    out->count = (uint32_t)(job->frame_count - first);
    if (room->over && out->count > 0) {
        job->frames[job->frame_count - 1].flags |= FRAMEMAP_LOCATION_OVER_LIMIT;
        if (out->status == FRAMEMAP_FRAME_OK) out->status = FRAMEMAP_FRAME_SYMBOL;
    }
    if (hit->place_count > 1) out->status = FRAMEMAP_FRAME_AMBIGUOUS;
    return status;
}

/* Answers in the common case: the location is in the home file of its innermost function, all frames are cached by the
 * view, and there is room for these frames. Returns the number of frames written; 0: another case, for which answer_any
 * has to be called. */
static inline size_t answer_kept(const struct fm_chain_context *context, const struct fm_short_hit *found,
                                 framemap_location *frame, size_t room, framemap_frame_status *chain_status)
{
    const struct fm_view_frame *function = found->place;
    const unsigned named_twice = fm_chain_named_twice(context);
    size_t files = 0, names = 0, others = 0, count = 1;
    context->room->arena = NULL;
    context->room->over = false;
    uint32_t node = found->node_code - 1, line1, col1 = found->col1;
    if (room == 0 || !fm_chain_is_kept(found) || !fm_short_line(found, function, &line1)) return 0;
    framemap_str file = fm_frame_home(function);
    for (; function->parent != FM_VIEW_NONE; count++, frame++) {
        fill_inlined(context, named_twice, function, node, frame);
        fill_place(file, line1, col1, frame);
        files |= file.size;
        names |= frame->function.size;
        others |= function->home_size | frame->symbol.size;
        /* for a frame without a function, answer_any is called instead, which determines the reason */
        if (frame->function.size == 0) return 0;
        file = fm_frame_more(function);
        line1 = function->where.call.line1;
        col1 = function->where.call.col1;
        node = function->parent;
        function = fm_frames_around(fm_view_frames(context->view), function);
        if (function == NULL || count == room) return 0;
    }
    fill_outermost(context, named_twice, function, node, frame);
    fill_place(file, line1, col1, frame);
    others |= function->home_size | frame->symbol.size;
    if (frame->function.size == 0 || context->room->over) return 0;
    files |= file.size;
    names |= frame->function.size;
    if (count * (uint64_t)TEXTS_OF_FRAME * (files | names | others) > FM_LIMIT_ANSWER_TEXT)
        /* the answer may exceed the limit: no string is longer than the bitwise or of all sizes, so the product is
         * an upper bound */
        return 0;
    *chain_status = status_of(files, names);
    return *chain_status != FRAMEMAP_FRAME_NO_MATCH ? count : 0;
}

/* --- resolving single positions and batches --- */

static framemap_status damaged(framemap_status status, framemap_error *error)
{
    return fm_error_set(error, status, "the index is damaged: a lookup leads outside of it");
}

static inline struct fm_chain_context context_of(const struct fm_view *view, const framemap_query *query,
                                                 struct fm_arena *arena, uint64_t position, struct fm_answer_room *room)
{
    return (struct fm_chain_context){.view = view,
                                     .arena = arena,
                                     .demangle = query->demangle,
                                     .kind = FRAMEMAP_KIND_UNKNOWN, /* a short frame does not state its kind */
                                     .position = position,
                                     .room = room};
}

enum { FRAMES_AT_FIRST = 8 };
struct one { /* the result of a single lookup */
    framemap_location_chain answer;
    framemap_location frames[FRAMES_AT_FIRST];
    struct fm_answer_room room;
};

/* Makes the short frames of a lookup result of any kind. */
static framemap_status answer_found(struct job *job, uint64_t lookup_position, const struct fm_short_hit *found,
                                    framemap_location_chain *out, framemap_error *error)
{
    struct fm_hit hit;
    const framemap_status status = fm_view_whole_hit(job->context.view, job->scope, lookup_position, found, &hit);
    if (status != FRAMEMAP_OK) return damaged(status, error);
    if (hit.place_count > 0) return answer_any(job, &hit, out, error);
    *out = (framemap_location_chain){.status = FRAMEMAP_FRAME_NO_MATCH, .first = (uint32_t)job->frame_count};
    return FRAMEMAP_OK;
}

static framemap_status answer_one(const struct fm_chain_context *context, uint64_t scope, uint64_t lookup_position,
                                  const struct fm_short_hit *found, struct one *one, framemap_location_list *out,
                                  framemap_error *error)
{
    struct job job = {.context = *context, .scope = scope, .frames = one->frames, .frame_capacity = FRAMES_AT_FIRST};
    const framemap_status status = answer_found(&job, lookup_position, found, &one->answer, error);
    if (status == FRAMEMAP_OK) *out = (framemap_location_list){&one->answer, 1, job.frames, job.frame_count};
    return status;
}

static framemap_status answer_nothing(struct one *one, framemap_location_list *out)
{
    one->answer = (framemap_location_chain){.status = FRAMEMAP_FRAME_NO_MATCH};
    *out = (framemap_location_list){&one->answer, 1, one->frames, 0};
    return FRAMEMAP_OK;
}

/* Answers for a scope that the index does not have. */
static framemap_status answer_unscoped(const struct fm_view *view, const framemap_query *query, uint64_t position,
                                       struct fm_arena *arena, framemap_location_list *out, framemap_error *error)
{
    size_t room = FRAMES_AT_FIRST;
    return fm_resolve_many(view, query, &position, 1, arena, &room, out, error);
}

framemap_status fm_resolve_location(const struct fm_view *view, const framemap_query *query, uint64_t position,
                                    struct fm_arena *arena, framemap_location_list *out, framemap_error *error)
{
    framemap_query in_image = *query;
    in_image.position = position;
    if (query->scope.size > 0 && fm_section_query(view, &in_image, &in_image)) {
        query = &in_image;
        position = in_image.position;
    }
    const struct fm_address_conversion conversion = fm_address_conversion_of(view, query);
    struct one *one = fm_arena_alloc(arena, sizeof *one);
    struct fm_short_hit found;
    uint64_t scope, place;
    if (one == NULL) return fm_error_memory(error);
    if (fm_address_to_position(&conversion, position, &place) != FM_ADDRESS_IN_IMAGE) return answer_nothing(one, out);
    if (!fm_find_scope(view, query, &scope)) return answer_unscoped(view, query, position, arena, out, error);
    const uint64_t lookup_position = place - conversion.step_back;
    fm_view_find(view, scope, lookup_position, &found);
    const struct fm_chain_context context = context_of(view, query, arena, place, &one->room);
    framemap_frame_status chain_status;
    const size_t count = answer_kept(&context, &found, one->frames, FRAMES_AT_FIRST, &chain_status);
    if (count == 0) return answer_one(&context, scope, lookup_position, &found, one, out, error);
    one->answer = (framemap_location_chain){.status = chain_status, .count = (uint32_t)count};
    *out = (framemap_location_list){&one->answer, 1, one->frames, count};
    return FRAMEMAP_OK;
}

enum { SIDE_BY_SIDE = FM_VIEW_BATCH };

static framemap_status answer_batch(struct job *job, const uint64_t *positions, size_t count,
                                    framemap_location_chain *answers, framemap_error *error)
{
    uint64_t places[SIDE_BY_SIDE], lookup_positions[SIDE_BY_SIDE];
    enum fm_address_result placed[SIDE_BY_SIDE];
    struct fm_short_hit found[SIDE_BY_SIDE];
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < count; i++) {
        places[i] = 0;
        placed[i] = fm_address_to_position(&job->conversion, positions[i], &places[i]);
        lookup_positions[i] = placed[i] == FM_ADDRESS_IN_IMAGE ? places[i] - job->conversion.step_back : 0;
    }
    fm_view_find_many(job->context.view, job->scope, lookup_positions, count, found);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) {
        framemap_location_chain *answer = &answers[i];
        *answer = (framemap_location_chain){.status = FRAMEMAP_FRAME_NO_MATCH, .first = (uint32_t)job->frame_count};
        if (placed[i] != FM_ADDRESS_IN_IMAGE) continue;
        const size_t left = job->frame_capacity - job->frame_count,
                     room = left < FM_LIMIT_INLINE_DEPTH ? left : FM_LIMIT_INLINE_DEPTH;
        job->context.position = places[i];
        const size_t frames =
            answer_kept(&job->context, &found[i], job->frames + job->frame_count, room, &answer->status);
        if (frames == 0) {
            status = answer_found(job, lookup_positions[i], &found[i], answer, error);
            continue;
        }
        answer->count = (uint32_t)frames;
        job->frame_count += frames;
    }
    return status;
}

static framemap_status answer_all(struct job *job, const uint64_t *positions, size_t count,
                                  framemap_location_chain *answers, framemap_error *error)
{
    for (size_t at = 0; at < count; at += SIDE_BY_SIDE) {
        const size_t some = count - at < SIDE_BY_SIDE ? count - at : SIDE_BY_SIDE;
        const framemap_status status = answer_batch(job, positions + at, some, answers + at, error);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

/* Answers for sections that share the queried name: the first one with a match gives the answer, and the status shows
 * whether others match too.
 */
static framemap_status answer_namesake(struct job *job, framemap_str name, uint64_t position,
                                       framemap_location_chain *answer, framemap_error *error)
{
    struct fm_namesakes namesakes = fm_namesakes_of(job->context.view, name);
    const uint64_t lookup_position = position - job->conversion.step_back;
    framemap_str key;

    job->context.position = position;
    while (fm_namesakes_next(job->context.view, &namesakes, &job->scope, &key)) {
        const size_t before = job->frame_count;
        struct fm_short_hit found;
        framemap_location_chain one;
        fm_view_find(job->context.view, job->scope, lookup_position, &found);
        const framemap_status status = answer_found(job, lookup_position, &found, &one, error);
        if (status != FRAMEMAP_OK) return status;
        if (one.count == 0) continue;
        if (answer->count == 0) {
            *answer = one;
            continue;
        }
        job->frame_count = before;
        answer->status = FRAMEMAP_FRAME_AMBIGUOUS;
        break;
    }
    return FRAMEMAP_OK;
}

static framemap_status answer_namesakes(struct job *job, const framemap_query *query, const uint64_t *positions,
                                        size_t count, framemap_location_chain *answers, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;

    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) {
        uint64_t place;
        answers[i] = (framemap_location_chain){.status = FRAMEMAP_FRAME_NO_MATCH, .first = (uint32_t)job->frame_count};
        if (query->scope.size > 0 &&
            fm_address_to_position(&job->conversion, positions[i], &place) == FM_ADDRESS_IN_IMAGE)
            status = answer_namesake(job, query->scope, place, &answers[i], error);
    }
    return status;
}

/* Converts positions in a section to addresses of its image. */
static bool to_image(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                     const uint64_t **positions, size_t count)
{
    uint64_t *moved = FM_ARENA_ARRAY(arena, uint64_t, count);
    framemap_query one = *query, in_image;

    if (moved == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        one.position = (*positions)[i];
        moved[i] = fm_section_query(view, &one, &in_image) ? in_image.position : UINT64_MAX;
    }
    *positions = moved;
    return true;
}

framemap_status fm_resolve_many(const struct fm_view *view, const framemap_query *query, const uint64_t *positions,
                                size_t count, struct fm_arena *arena, size_t *frame_room, framemap_location_list *out,
                                framemap_error *error)
{
    if (count > FM_LIMIT_LOOKUPS)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than %zu positions at once", FM_LIMIT_LOOKUPS);
    framemap_query in_image;
    if (query->scope.size > 0 && fm_section_query(view, query, &in_image)) {
        if (!to_image(view, query, arena, &positions, count)) return fm_error_memory(error);
        query = &in_image;
    }
    struct fm_answer_room room;
    struct job job = {.context = context_of(view, query, arena, 0, &room),
                      .conversion = fm_address_conversion_of(view, query)};
    job.frame_capacity = *frame_room > 2 * count ? *frame_room : 2 * count + 1;
    job.frames = fm_arena_alloc(arena, job.frame_capacity * sizeof *job.frames);
    framemap_location_chain *answers = fm_arena_alloc(arena, count * sizeof *answers);
    if (job.frames == NULL || answers == NULL) return fm_error_memory(error);
    framemap_status status = FRAMEMAP_OK;
    if (fm_find_scope(view, query, &job.scope))
        status = answer_all(&job, positions, count, answers, error);
    else
        status = answer_namesakes(&job, query, positions, count, answers, error);
    if (status != FRAMEMAP_OK) return status;
    *frame_room = job.frame_capacity;
    *out = (framemap_location_list){answers, count, job.frames, job.frame_count};
    return FRAMEMAP_OK;
}
