/* Many positions to their chains in brief. Lookups go through the index side by side, so that one waits for memory while others go on. */
#include "core/fault.h"
#include "core/limits.h"
#include "core/text.h"
#include "resolve/chain.h"
#include "resolve/native.h"
#include "resolve/resolve.h"

struct job {
    struct fm_chain_context context; /* position: of the one that is being answered */
    struct fm_placing placing;
    uint64_t scope;
    framemap_brief_frame *frames;
    size_t frame_count, frame_capacity;
};

static bool add_room(struct job *job)
{
    const size_t capacity = 2 * job->frame_capacity;
    framemap_brief_frame *frames = fm_arena_alloc(job->context.arena, capacity * sizeof *frames);
    if (frames == NULL) return false;
    memcpy(frames, job->frames, job->frame_count * sizeof *frames);
    job->frames = frames;
    job->frame_capacity = capacity;
    return true;
}

/* --- one frame --- */

static framemap_status fill_root(const struct job *job, const struct fm_view_link *link, struct fm_chain_names *names,
                                 framemap_brief_frame *frame)
{
    struct fm_view_root root;
    const framemap_status status = fm_view_link_root(job->context.view, link, &root);
    if (status != FRAMEMAP_OK) return status;
    if (root.has_start && job->context.position >= root.start) {
        frame->flags |= FRAMEMAP_BRIEF_HAS_FUNCTION_OFFSET;
        frame->function_offset = job->context.position - root.start;
    }
    if (root.symbol.size) names->spelled = root.symbol;
    if (names->shown.size == 0) names->shown = fm_demangle(root.symbol, job->context.demangle, job->context.arena);
    return FRAMEMAP_OK;
}

static framemap_status fill_function(const struct job *job, const struct fm_view_link *link, framemap_brief_frame *frame)
{
    struct fm_chain_names names;
    framemap_status status = fm_chain_names(&job->context, link, &names);
    if (status != FRAMEMAP_OK) return status;
    if (link->flags & FM_NODE_ARTIFICIAL) frame->flags |= FRAMEMAP_BRIEF_ARTIFICIAL;
    if (link->parent != FM_VIEW_NONE)
        frame->flags |= FRAMEMAP_BRIEF_INLINED;
    else
        status = fill_root(job, link, &names, frame);
    frame->function = names.shown;
    if (names.spelled.data != names.shown.data && !fm_str_equal(names.spelled, names.shown)) frame->symbol = names.spelled;
    return status;
}

/* before: the frame inside of it, NULL for the innermost, and the number of its file. */
static framemap_status fill_frame(const struct job *job, const struct fm_view_link *link, const framemap_brief_frame *before,
                                  uint64_t file_before, framemap_brief_frame *frame)
{
    framemap_status status = FRAMEMAP_OK;
    *frame = (framemap_brief_frame){.line = link->line1, .column = link->col1, .declared_line = link->decl_line1};
    if (before && link->file == file_before)
        frame->file = before->file;
    else
        status = fm_view_path(job->context.view, link->file, job->context.arena, &frame->file);
    return status == FRAMEMAP_OK && link->node != FM_VIEW_NONE ? fill_function(job, link, frame) : status;
}

/* --- one answer --- */

static framemap_status damaged(framemap_status status, framemap_error *error)
{
    if (status == FRAMEMAP_E_MEMORY) return fm_fault_memory(error);
    return fm_fault(error, status, "the index is damaged: an answer can't be read");
}

/* What can be told of a frame that is kept; its place stands in it already. */
static void fill_kept(const struct job *job, const struct fm_view_frame *kept, framemap_brief_frame *frame)
{
    framemap_str spelled = kept->name;
    frame->function = fm_chain_shown(&job->context, kept->function, spelled);
    frame->declared_line = kept->decl_line1;
    if (kept->flags & FM_NODE_ARTIFICIAL) frame->flags |= FRAMEMAP_BRIEF_ARTIFICIAL;
    if (kept->parent != FM_VIEW_NONE) frame->flags |= FRAMEMAP_BRIEF_INLINED;
    if (kept->has_start && job->context.position >= kept->start) {
        frame->flags |= FRAMEMAP_BRIEF_HAS_FUNCTION_OFFSET;
        frame->function_offset = job->context.position - kept->start;
    }
    if (kept->symbol.size) spelled = kept->symbol;
    if (frame->function.size == 0) frame->function = fm_demangle(kept->symbol, job->context.demangle, job->context.arena);
    if (spelled.data != frame->function.data && !fm_str_equal(spelled, frame->function)) frame->symbol = spelled;
}

/* Answers by what the view keeps of the chain's nodes. false: it does not keep all of them, and links are to be followed; nothing is written then. */
static bool answer_kept(struct job *job, const struct fm_hit *hit, framemap_brief_answer *out)
{
    const struct fm_view *view = job->context.view;
    const size_t first = job->frame_count;
    uint64_t node = (uint64_t)hit->entry.node_code - 1;
    framemap_brief_frame place = {.column = hit->entry.col1};
    framemap_frame_status told = FRAMEMAP_FRAME_NO_MATCH;
    for (size_t depth = 0; depth < FM_LIMIT_INLINE_DEPTH; depth++) {
        const struct fm_view_frame *kept = fm_view_frame(view, node);
        if (kept == NULL || (job->frame_count == job->frame_capacity && !add_room(job))) break;
        if (depth == 0 && (!fm_view_hit_line(hit, kept, &place.line) || !fm_view_hit_path(view, hit, kept, &place.file))) break;
        framemap_brief_frame *frame = &job->frames[job->frame_count++];
        *frame = place;
        fill_kept(job, kept, frame);
        if (told != FRAMEMAP_FRAME_OK) {
            const framemap_frame_status own = fm_chain_status(frame->file, frame->function);
            if (own != FRAMEMAP_FRAME_NO_MATCH) told = own;
        }
        if (kept->parent == FM_VIEW_NONE) {
            if (told == FRAMEMAP_FRAME_NO_MATCH) job->frame_count = first;
            out->count = (uint32_t)(job->frame_count - first);
            out->status = told;
            return true;
        }
        place = (framemap_brief_frame){.file = kept->call_path, .line = kept->call_line1, .column = kept->call_col1};
        node = kept->parent;
    }
    job->frame_count = first;
    return false;
}

static framemap_status answer_links(struct job *job, const struct fm_hit *hit, framemap_brief_answer *out, framemap_error *error)
{
    struct fm_view_link link;
    framemap_str name;
    framemap_frame_status told = FRAMEMAP_FRAME_NO_MATCH;
    uint64_t file_before = FM_VIEW_NO_ROW;
    framemap_status status = fm_chain_first(&job->context, hit, 0, &link, &name, error);
    for (bool more = true; more && status == FRAMEMAP_OK;) {
        if (job->frame_count == job->frame_capacity && !add_room(job)) return fm_fault_memory(error);
        framemap_brief_frame *frame = &job->frames[job->frame_count];
        status = fill_frame(job, &link, out->count ? frame - 1 : NULL, file_before, frame);
        if (status != FRAMEMAP_OK) return damaged(status, error);
        const framemap_frame_status own = fm_chain_status(frame->file, frame->function);
        if (told != FRAMEMAP_FRAME_OK && own != FRAMEMAP_FRAME_NO_MATCH) told = own;
        job->frame_count++;
        out->count++;
        file_before = link.file;
        more = link.parent != FM_VIEW_NONE;
        if (more) status = fm_chain_up(&job->context, &link, out->count, error);
    }
    if (told == FRAMEMAP_FRAME_NO_MATCH) {
        job->frame_count = out->first;
        out->count = 0;
    }
    out->status = hit->place_count > 1 ? FRAMEMAP_FRAME_AMBIGUOUS : told;
    return status;
}

static framemap_status answer_hit(struct job *job, const struct fm_hit *hit, framemap_brief_answer *out, framemap_error *error)
{
    if (fm_view_hit_plain(job->context.view, hit) && answer_kept(job, hit, out)) return FRAMEMAP_OK;
    return answer_links(job, hit, out, error);
}

/* --- all of them --- */

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
    if (status != FRAMEMAP_OK) return fm_fault(error, status, "the index is damaged: a lookup leads outside of it");
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
    const struct fm_view_identity about = fm_view_identity(view);
    struct job job = {.context = {.view = view, .arena = arena, .demangle = query->demangle, .kind = fm_kind_of(&about)},
                      .placing = fm_placing_of(&about, query),
                      .frame_capacity = *frame_room > 2 * count ? *frame_room : 2 * count + 1};
    if (count > FM_LIMIT_LOOKUPS) return fm_fault(error, FRAMEMAP_E_LIMIT, "more than %zu positions at once", FM_LIMIT_LOOKUPS);
    job.frames = fm_arena_alloc(arena, job.frame_capacity * sizeof *job.frames);
    framemap_brief_answer *answers = fm_arena_zalloc(arena, count, sizeof *answers);
    if (job.frames == NULL || answers == NULL) return fm_fault_memory(error);
    framemap_status status = FRAMEMAP_OK;
    if (fm_find_scope(view, &about, query, &job.scope))
        status = answer_all(&job, positions, count, answers, error);
    else
        for (size_t i = 0; i < count; i++) answers[i].status = FRAMEMAP_FRAME_NO_MATCH;
    if (status != FRAMEMAP_OK) return status;
    *frame_room = job.frame_capacity;
    *out = (framemap_brief_list){answers, count, job.frames, job.frame_count};
    return FRAMEMAP_OK;
}
