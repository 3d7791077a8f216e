/* Chooses a mapping for each Java stack: by the id that the stack prints, or by how many of its classes and methods a
 * mapping has. */
#include "session/restore/java_mapping_choice.h"

#include "api/index_handle.h"
#include "core/error.h"
#include "core/text/text.h"
#include "index/read/classes/class_view.h"

static const char no_mapping[] = "no mapping.txt was given for this stack";
static const char other_id[] = "the given mappings are of other builds than the one that the stack names";
static const char several_ids[] = "several mappings have ids that match the one that the stack prints";
static const char unknown_classes[] = "none of the given mappings has a class of this stack";
static const char equal_mappings[] =
    "several mappings match this stack equally well, and it does not say which build it is of";

/* --- the list --- */

framemap_status fm_java_mappings_open(struct fm_java_mappings *mappings, framemap_session *session,
                                      struct fm_heap *heap, framemap_error *error)
{
    const struct fm_entry *const *entries;
    size_t count = 0;
    *mappings = (struct fm_java_mappings){.session = session, .heap = heap};
    fm_mutex_lock(&session->lock);
    bool ok = fm_catalog_mappings(&session->catalog, &entries, &count);
    if (ok && count) mappings->rows = fm_heap_zalloc(heap, count, sizeof *mappings->rows);
    ok = ok && (count == 0 || mappings->rows);
    if (ok) mappings->count = count;
    for (size_t i = 0; i < mappings->count; i++) {
        mappings->rows[i].entry = entries[i];
        if (entries[i]->id.size > mappings->longest) mappings->longest = entries[i]->id.size;
    }
    fm_mutex_unlock(&session->lock);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}

static void release_mappings(struct fm_java_mappings *mappings)
{
    for (struct fm_java_mapping *mapping; (mapping = mappings->tried) != NULL;) {
        mappings->tried = mapping->next;
        framemap_session_release(mappings->session, mapping->held.index);
        *mapping = (struct fm_java_mapping){.entry = mapping->entry};
    }
}

void fm_java_mappings_close(struct fm_java_mappings *mappings)
{
    release_mappings(mappings);
    fm_heap_free(mappings->heap, mappings->rows, mappings->count * sizeof *mappings->rows);
    *mappings = (struct fm_java_mappings){.heap = mappings->heap};
}

framemap_status fm_java_mapping_hold(struct fm_java_mappings *mappings, struct fm_java_mapping *mapping,
                                     framemap_error *error)
{
    if (mapping->tried) return FRAMEMAP_OK;
    framemap_status status = fm_session_hold_entry(mappings->session, mapping->entry, &mapping->held, error);
    if (status != FRAMEMAP_OK) return status;
    mapping->tried = true;
    mapping->next = mappings->tried;
    mappings->tried = mapping;
    return FRAMEMAP_OK;
}

/* --- by id --- */

enum { LEAST_DIGITS = 7 }; /* length that R8 shortens its ids to */

/* The first mapping whose id is at least `id`. */
static size_t lower_bound(const struct fm_java_mappings *mappings, framemap_str id)
{
    size_t low = 0, high = mappings->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fm_str_compare(mappings->rows[middle].entry->id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_id(const struct fm_java_mappings *mappings, size_t at, framemap_str id)
{
    return at < mappings->count && fm_str_equal(mappings->rows[at].entry->id, id);
}

static struct fm_java_mapping_choice no_choice(const char *reason)
{
    return (struct fm_java_mapping_choice){.reason = reason};
}

static struct fm_java_mapping_choice choice_of(struct fm_java_mapping *mapping, framemap_match matched_by)
{
    return (struct fm_java_mapping_choice){.mapping = mapping, .matched_by = matched_by};
}

/* Adds a candidate to the choice; two candidates make the choice ambiguous. */
static void offer(struct fm_java_mapping_choice *choice, struct fm_java_mapping *mapping)
{
    const bool several = choice->mapping || choice->reason == several_ids;
    *choice = several ? no_choice(several_ids) : choice_of(mapping, FRAMEMAP_MATCH_MAP_ID);
}

struct fm_java_mapping_choice fm_java_mappings_of_id(struct fm_java_mappings *mappings, framemap_str id)
{
    struct fm_java_mapping_choice choice = no_choice(mappings->count ? other_id : no_mapping);
    size_t at = lower_bound(mappings, id);
    if (has_id(mappings, at, id)) return choice_of(&mappings->rows[at], FRAMEMAP_MATCH_MAP_ID);
    if (id.size < LEAST_DIGITS) return choice;
    for (; at < mappings->count && fm_str_starts(mappings->rows[at].entry->id, id); at++)
        offer(&choice, &mappings->rows[at]);
    for (size_t digits = LEAST_DIGITS; digits < id.size && digits <= mappings->longest; digits++) {
        const framemap_str part = fm_str_slice(id, 0, digits);
        const size_t shorter = lower_bound(mappings, part);
        if (has_id(mappings, shorter, part)) offer(&choice, &mappings->rows[shorter]);
    }
    return choice;
}

/* --- by the classes and methods of the mapping --- */

struct score {
    uint32_t methods, classes;
};

static int compare_scores(struct score a, struct score b)
{
    if (a.methods != b.methods) return a.methods > b.methods ? 1 : -1;
    return a.classes > b.classes ? 1 : a.classes < b.classes ? -1 : 0;
}

static bool has_line(const struct fm_view *view, const struct fm_view_method *method, uint32_t line)
{
    uint64_t span, end = method->first_span + method->span_count;
    if (line > INT32_MAX) return false;
    return fm_view_span_at_line(view, method, (int32_t)line, method->first_span, end, &span) ||
           fm_view_span_without_lines(view, method, method->first_span, end, &span);
}

static bool needs_choice(const framemap_frame *frame)
{
    return frame->kind == FRAMEMAP_KIND_JAVA && frame->status == FRAMEMAP_FRAME_RAW && frame->id.size == 0;
}

/* Number of traces from `first` on that are parts of one stack: an exception with its causes. They stand together. */
static size_t stack_parts(const framemap_trace *traces, size_t count, size_t first)
{
    const uint64_t lowest = traces[first].number;
    size_t parts = 1;
    for (; first + parts < count; parts++) {
        const framemap_trace *part = &traces[first + parts], *before = part - 1;
        const bool belongs =
            part->role != FRAMEMAP_ROLE_NONE && part->part_of >= lowest && part->part_of < part->number;
        if (!belongs && !(before->role != FRAMEMAP_ROLE_NONE && before->part_of == part->number)) break;
    }
    return parts;
}

/* Adds what the mapping has of a trace. asked: the number of frames of the stack that were looked up so far. */
static void add_score(const struct fm_view *view, const framemap_trace *trace, size_t *asked_count, struct score *score)
{
    enum { FRAMES = 256 }; /* frames that are looked up; a stack overflow repeats the same ones */
    size_t asked = *asked_count;
    for (size_t f = 0; f < trace->frame_count && asked < FRAMES; f++) {
        const framemap_frame *frame = &trace->frames[f];
        struct fm_view_class owner;
        struct fm_view_method method;
        if (!needs_choice(frame)) continue;
        asked++;
        if (!fm_view_class(view, frame->class_name, &owner)) continue;
        score->classes++;
        if (!fm_view_class_method(view, &owner, frame->function, &method)) continue;
        if (frame->line == 0 || has_line(view, &method, frame->line)) score->methods++;
    }
    *asked_count = asked;
}

static struct score score_of(const struct fm_view *view, const framemap_trace *traces, size_t parts)
{
    struct score score = {0, 0};
    size_t asked = 0;
    for (size_t i = 0; i < parts; i++) add_score(view, &traces[i], &asked, &score);
    return score;
}

static void compete(struct fm_java_mapping *mapping, const framemap_trace *traces, size_t count,
                    struct fm_java_mapping_choice *choices, struct score *best)
{
    const framemap_index *index = mapping->held.index;
    for (size_t t = 0, parts; t < count; t += parts) {
        parts = stack_parts(traces, count, t);
        struct score score = score_of(index->view, &traces[t], parts);
        int order = compare_scores(score, best[t]);
        if (score.classes == 0 || choices[t].matched_by == FRAMEMAP_MATCH_MAP_ID) continue;
        if (order > 0) {
            best[t] = score;
            choices[t] = choice_of(mapping, FRAMEMAP_MATCH_CLASS);
        } else if (order == 0 && choices[t].mapping) {
            choices[t] = no_choice(equal_mappings);
        }
    }
}

static framemap_status choose_best(struct fm_java_mappings *mappings, const framemap_trace *traces, size_t count,
                                   struct fm_java_mapping_choice *choices, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    const char *over = NULL; /* the reason of a mapping that exceeds the ceiling, which may be the right one */
    struct score *best = fm_heap_zalloc(mappings->heap, count, sizeof *best);
    if (best == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < mappings->count && status == FRAMEMAP_OK; i++) {
        struct fm_java_mapping *mapping = &mappings->rows[i];
        status = fm_java_mapping_hold(mappings, mapping, error);
        if (status == FRAMEMAP_OK && mapping->held.index) compete(mapping, traces, count, choices, best);
        if (mapping->held.over != FM_OVER_NOTHING) over = mapping->held.reason;
        release_mappings(mappings); /* the cache decides which indexes stay open */
    }
    for (size_t t = 0; t < count && over; t++)
        if (choices[t].reason == unknown_classes) choices[t] = no_choice(over);
    fm_heap_free(mappings->heap, best, count * sizeof *best);
    return status;
}

/* If frames of a stack have ids, its other lines are read with the mapping of the first id. */
static void choose_by_frame(struct fm_java_mappings *mappings, const framemap_trace *trace,
                            struct fm_java_mapping_choice *choice)
{
    for (size_t f = 0; f < trace->frame_count && choice->mapping == NULL; f++)
        if (trace->frames[f].kind == FRAMEMAP_KIND_JAVA && trace->frames[f].id.size)
            *choice = fm_java_mappings_of_id(mappings, trace->frames[f].id);
}

static bool any_tells(const framemap_trace *traces, size_t count)
{
    for (size_t t = 0; t < count; t++)
        for (size_t f = 0; f < traces[t].frame_count; f++)
            if (needs_choice(&traces[t].frames[f])) return true;
    return false;
}

framemap_status fm_java_mappings_choose(struct fm_java_mappings *mappings, const framemap_trace *traces, size_t count,
                                        struct fm_java_mapping_choice **out, framemap_error *error)
{
    struct fm_java_mapping_choice *choices = fm_heap_zalloc(mappings->heap, count, sizeof *choices);
    if (choices == NULL) return fm_error_memory(error);
    for (size_t t = 0, parts; t < count; t += parts) {
        parts = stack_parts(traces, count, t);
        choices[t] = no_choice(mappings->count ? unknown_classes : no_mapping);
        for (size_t i = 0; i < parts; i++) choose_by_frame(mappings, &traces[t + i], &choices[t]);
    }
    for (size_t t = 0; t < count && mappings->count == 1; t++)
        if (choices[t].mapping == NULL) choices[t] = choice_of(&mappings->rows[0], FRAMEMAP_MATCH_ONLY_MAP);
    framemap_status status = FRAMEMAP_OK;
    if (mappings->count > 1 && any_tells(traces, count)) status = choose_best(mappings, traces, count, choices, error);
    for (size_t t = 0, parts; t < count; t += parts) {
        parts = stack_parts(traces, count, t);
        for (size_t i = 1; i < parts; i++) choices[t + i] = choices[t];
    }
    if (status == FRAMEMAP_OK)
        *out = choices;
    else
        fm_heap_free(mappings->heap, choices, count * sizeof *choices);
    return status;
}
