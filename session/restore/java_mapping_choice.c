/* Chooses a mapping for each Java stack: by the id that the stack prints, or by the number of the stack's classes and
 * methods that a mapping has. */
#include "session/restore/java_mapping_choice.h"

#include "api/index_handle.h"
#include "api/value_keys.h"
#include "core/error.h"
#include "core/text/text.h"
#include "index/read/classes/class_view.h"
#include "session/catalog/label_sets.h"
#include "session/catalog/mapping_uuids.h"

static const char no_mapping[] = "no mapping.txt was given for this stack";
static const char not_labeled[] =
    "no mapping.txt was given for this stack: those given have labels that the scope of the text does not match";
static const char other_id[] = "the given mappings are of other builds than the one that the stack names";
static const char several_ids[] = "several mappings have ids that match the one that the stack prints";
static const char unknown_classes[] = "none of the given mappings has a class of this stack";
static const char equal_mappings[] =
    "several mappings match this stack equally well, and it does not say which build it is of";

/* --- listing the mappings of the session --- */

static bool fill_group(struct fm_java_mappings *mappings, struct fm_java_list *group)
{
    const struct fm_entry *const *entries;
    size_t count = 0;
    if (!fm_catalog_mappings(group->catalog, &entries, &count)) return false;
    if (!FM_GROW(mappings->heap, group->rows, group->capacity, count)) return false;
    group->count = count;
    group->known = group->catalog->count;
    for (size_t i = 0; i < count; i++) {
        group->rows[i].entry = entries[i];
        group->rows[i].tried = false;
        if (entries[i]->id.size > group->longest) group->longest = entries[i]->id.size;
    }
    return true;
}

/* Returns the list of the mappings of a catalog, which is made at the first call. The caller holds the session's lock.
 * Returns NULL if out of memory. */
static struct fm_java_list *group_of(struct fm_java_mappings *mappings, struct fm_catalog *catalog)
{
    struct fm_java_list *group = mappings->groups;
    while (group != NULL && group->catalog != catalog) group = group->next;
    if (group != NULL) return group;
    group = fm_heap_zalloc(mappings->heap, 1, sizeof *group);
    if (group == NULL) return NULL;
    group->catalog = catalog;
    if (!fill_group(mappings, group)) {
        fm_heap_free(mappings->heap, group, sizeof *group);
        return NULL;
    }
    group->next = mappings->groups;
    return mappings->groups = group;
}

framemap_status fm_java_mappings_open(struct fm_java_mappings *mappings, struct fm_restore_job *job,
                                      framemap_error *error)
{
    framemap_session *session = job->session;
    struct fm_scope_walk walk;
    bool ok = true;
    *mappings = (struct fm_java_mappings){.session = session, .scope = job->scope, .heap = job->heap, .job = job};
    fm_mutex_lock(&session->lock);
    fm_scope_walk_begin(&walk, &session->labels, job->scope, (framemap_str){NULL, 0});
    for (struct fm_catalog *catalog; ok && mappings->chosen == NULL && (catalog = fm_scope_walk_next(&walk)) != NULL;) {
        struct fm_java_list *group = group_of(mappings, catalog);
        ok = group != NULL;
        if (ok && group->count > 0) mappings->chosen = group;
    }
    mappings->known_sets = session->labels.count;
    mappings->by_scope = mappings->chosen != NULL && walk.is_labeled;
    fm_mutex_unlock(&session->lock);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}

static void release_mappings(struct fm_java_mappings *mappings)
{
    for (struct fm_java_mapping *mapping; (mapping = mappings->tried) != NULL;) {
        mappings->tried = mapping->next;
        framemap_session_release(mappings->session, mapping->held.index);
        mapping->tried = false;
    }
}

void fm_java_mappings_release(struct fm_java_mappings *mappings) { release_mappings(mappings); }

framemap_status fm_java_mappings_refresh(struct fm_java_mappings *mappings, framemap_error *error)
{
    bool is_current = true;
    fm_mutex_lock(&mappings->session->lock);
    for (const struct fm_java_list *list = mappings->groups; list != NULL; list = list->next)
        is_current = is_current && list->known == list->catalog->count;
    is_current = is_current && mappings->known_sets == mappings->session->labels.count;
    fm_mutex_unlock(&mappings->session->lock);
    if (is_current) return FRAMEMAP_OK;
    const struct fm_java_mappings before = *mappings;
    fm_java_mappings_close(mappings);
    return fm_java_mappings_open(mappings, before.job, error);
}

void fm_java_mappings_close(struct fm_java_mappings *mappings)
{
    release_mappings(mappings);
    for (struct fm_java_list *group; (group = mappings->groups) != NULL;) {
        mappings->groups = group->next;
        fm_heap_free(mappings->heap, group->rows, group->capacity * sizeof *group->rows);
        fm_heap_free(mappings->heap, group, sizeof *group);
    }
    for (struct fm_java_stored *stored; (stored = mappings->stored) != NULL;) {
        mappings->stored = stored->next;
        fm_heap_free(mappings->heap, stored, sizeof *stored);
    }
    *mappings = (struct fm_java_mappings){.heap = mappings->heap};
}

/* Clears the members that are set when a mapping is tried for the first time. */
static void begin(struct fm_java_mapping *mapping)
{
    if (!mapping->tried) *mapping = (struct fm_java_mapping){.entry = mapping->entry};
}

static void list_tried(struct fm_java_mappings *mappings, struct fm_java_mapping *mapping)
{
    if (mapping->tried) return;
    mapping->tried = true;
    mapping->next = mappings->tried;
    mappings->tried = mapping;
}

/* Adds a mapping that was found to the list of tried ones, and records its index if the index is open. */
static void note_found(struct fm_java_mappings *mappings, struct fm_java_mapping *mapping)
{
    list_tried(mappings, mapping);
    if (mapping->held.index && fm_recall_note_open(mappings->job, mapping->held.index, &mapping->file))
        fm_remember_facts(mappings->job, 0, &mapping->file);
}

framemap_status fm_java_mapping_hold(struct fm_java_mappings *mappings, struct fm_java_mapping *mapping,
                                     framemap_error *error)
{
    if (mapping->tried && mapping->held.closed == NULL) return FRAMEMAP_OK;
    begin(mapping);
    framemap_status status = fm_session_hold_entry(mappings->session, mapping->entry, &mapping->held, error);
    if (status == FRAMEMAP_OK) note_found(mappings, mapping);
    return status;
}

framemap_status fm_java_mapping_find(struct fm_java_mappings *mappings, struct fm_java_mapping *mapping,
                                     framemap_error *error)
{
    if (mapping->tried) return FRAMEMAP_OK;
    begin(mapping);
    framemap_status status = fm_session_find_entry(mappings->session, mapping->entry, &mapping->held, error);
    if (status != FRAMEMAP_OK) return status;
    if (mapping->held.closed && !fm_recall_file(mappings->job, mapping->held.closed, &mapping->file))
        return fm_java_mapping_hold(mappings, mapping, error);
    note_found(mappings, mapping);
    return FRAMEMAP_OK;
}

/* --- choosing a mapping by id --- */

enum { LEAST_DIGITS = 7 }; /* number of digits to which R8 shortens its ids */

/* Returns the position of the first mapping whose id is at least `id`. */
static size_t lower_bound(const struct fm_java_list *group, framemap_str id)
{
    size_t low = 0, high = group->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fm_str_compare(group->rows[middle].entry->id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_id(const struct fm_java_list *group, size_t at, framemap_str id)
{
    return at < group->count && fm_str_equal(group->rows[at].entry->id, id);
}

static struct fm_java_mapping_choice no_choice(const char *reason)
{
    return (struct fm_java_mapping_choice){.reason = reason};
}

static struct fm_java_mapping_choice choice_of(struct fm_java_mapping *mapping, framemap_match matched_by)
{
    return (struct fm_java_mapping_choice){.mapping = mapping, .matched_by = matched_by};
}

/* Adds a candidate to the choice. If there are two candidates, the choice is ambiguous. */
static void offer(struct fm_java_mapping_choice *choice, struct fm_java_mapping *mapping)
{
    const bool several = choice->mapping || choice->reason == several_ids;
    *choice = several ? no_choice(several_ids) : choice_of(mapping, FRAMEMAP_MATCH_MAP_ID);
}

static struct fm_java_mapping_choice of_id_in(struct fm_java_list *group, framemap_str id)
{
    struct fm_java_mapping_choice choice = no_choice(group->count ? other_id : no_mapping);
    size_t at = lower_bound(group, id);
    if (has_id(group, at, id)) return choice_of(&group->rows[at], FRAMEMAP_MATCH_MAP_ID);
    if (id.size < LEAST_DIGITS) return choice;
    for (; at < group->count && fm_str_starts(group->rows[at].entry->id, id); at++) offer(&choice, &group->rows[at]);
    for (size_t digits = LEAST_DIGITS; digits < id.size && digits <= group->longest; digits++) {
        const framemap_str part = fm_str_slice(id, 0, digits);
        const size_t shorter = lower_bound(group, part);
        if (has_id(group, shorter, part)) offer(&choice, &group->rows[shorter]);
    }
    return choice;
}

/* Searches the catalogs for the mapping with an id, one catalog after the other. The catalogs that the scope allows
 * come first. */
static framemap_status of_id_in_all(struct fm_java_mappings *mappings, framemap_str id,
                                    struct fm_java_mapping_choice *out, framemap_error *error)
{
    struct fm_scope_walk walk;
    struct fm_java_list *group = NULL;
    bool ok = true;
    *out = no_choice(no_mapping);
    fm_mutex_lock(&mappings->session->lock);
    fm_scope_walk_begin(&walk, &mappings->session->labels, mappings->scope, id);
    for (struct fm_catalog *catalog; ok && (catalog = fm_scope_walk_next(&walk)) != NULL;) {
        group = group_of(mappings, catalog);
        ok = group != NULL;
        const struct fm_java_mapping_choice choice = ok ? of_id_in(group, id) : no_choice(no_mapping);
        if (out->reason == no_mapping) *out = choice;
        if (choice.mapping == NULL) continue;
        *out = choice;
        break;
    }
    fm_mutex_unlock(&mappings->session->lock);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- finding a mapping by its UUID, among the mappings that the scope allows, which of_id_in_all listed --- */

static bool of_uuid_in_path(const struct fm_java_mappings *mappings, framemap_str uuid,
                            struct fm_java_mapping_choice *out)
{
    for (struct fm_java_list *group = mappings->groups; group; group = group->next)
        for (size_t i = 0; i < group->count; i++) {
            if (!fm_mapping_is_named(group->rows[i].entry, uuid)) continue;
            *out = choice_of(&group->rows[i], FRAMEMAP_MATCH_MAP_ID);
            return true;
        }
    return false;
}

/* Whether there is only one mapping. It is used whatever its UUID is, so its text need not be read to compute the
 * UUID. */
static bool is_single(const struct fm_java_mappings *mappings)
{
    size_t count = 0;
    for (const struct fm_java_list *group = mappings->groups; group; group = group->next) count += group->count;
    return count == 1;
}

static framemap_status of_uuid(struct fm_java_mappings *mappings, framemap_str uuid, struct fm_java_mapping_choice *out,
                               framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    bool has = of_uuid_in_path(mappings, uuid, out);
    if (has || is_single(mappings)) return status;
    for (struct fm_java_list *group = mappings->groups; group; group = group->next)
        for (size_t i = 0; i < group->count && !has && status == FRAMEMAP_OK; i++) {
            status = fm_mapping_has_uuid(mappings->session, group->rows[i].entry, uuid, &has, error);
            if (has) *out = choice_of(&group->rows[i], FRAMEMAP_MATCH_MAP_ID);
        }
    return status;
}

/* Searches the session's store for a mapping that the symbol paths do not have. */
static framemap_status of_id_in_store(struct fm_java_mappings *mappings, framemap_str id,
                                      struct fm_java_mapping_choice *out, framemap_error *error)
{
    struct fm_held_index held = {.index = NULL};
    framemap_status status = fm_restore_hold_remote(mappings->job, FM_KEY_JAVA, id, &held, error);
    if (status != FRAMEMAP_OK) return status;
    if (held.index == NULL && held.reason) *out = no_choice(held.reason);
    if (held.index == NULL) return FRAMEMAP_OK;
    struct fm_java_stored *stored = fm_heap_zalloc(mappings->heap, 1, sizeof *stored);
    if (stored == NULL) return fm_error_memory(error);
    stored->mapping = (struct fm_java_mapping){.held = held, .tried = true};
    stored->next = mappings->stored;
    mappings->stored = stored;
    *out = choice_of(&stored->mapping, FRAMEMAP_MATCH_MAP_ID);
    return FRAMEMAP_OK;
}

framemap_status fm_java_mappings_of_id(struct fm_java_mappings *mappings, framemap_str id,
                                       struct fm_java_mapping_choice *out, framemap_error *error)
{
    const bool is_short = id.size <= sizeof mappings->last_id;
    if (mappings->last_size > 0 && fm_str_equal(id, fm_str(mappings->last_id, mappings->last_size))) {
        *out = mappings->last;
        return FRAMEMAP_OK;
    }
    framemap_status status = of_id_in_all(mappings, id, out, error);
    if (status == FRAMEMAP_OK && out->mapping == NULL && fm_is_mapping_uuid(id))
        status = of_uuid(mappings, id, out, error);
    if (status == FRAMEMAP_OK && out->mapping == NULL) status = of_id_in_store(mappings, id, out, error);
    if (status != FRAMEMAP_OK || !is_short) return status;
    memcpy(mappings->last_id, id.data, id.size);
    mappings->last_size = id.size;
    mappings->last = *out;
    return FRAMEMAP_OK;
}

/* --- choosing a mapping by the classes and methods that it has --- */

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
    return frame->kind == FRAMEMAP_KIND_JAVA && frame->status == FRAMEMAP_FRAME_RAW &&
           (frame->id.size == 0 || fm_is_mapping_uuid(frame->id));
}

/* Returns how many traces, counted from trace `first`, are parts of one stack: an exception and its causes, which are
 * adjacent. */
static size_t stack_parts(const framemap_trace *traces, size_t count, size_t first)
{
    const uint64_t lowest = traces[first].number;
    size_t parts = 1;
    for (; first + parts < count; parts++) {
        const framemap_trace *part = &traces[first + parts], *before = part - 1;
        const bool belongs =
            part->role != FRAMEMAP_ROLE_NONE && part->part_of >= lowest && part->part_of < part->number;
        if (!belongs && !(before->role != FRAMEMAP_ROLE_NONE && before->part_of >= part->number)) break;
    }
    return parts;
}

/* Adds to the scores how many frames of a trace the mapping has. *asked_count: number of frames of the stack that were
 * looked up so far. */
static void add_score(const struct fm_view *view, const framemap_trace *trace, size_t *asked_count, struct score *score)
{
    /* this is how many frames are looked up at most; the frames of a stack overflow repeat themselves */
    enum { FRAMES = 256 };
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

/* Whether an id of the stack or of the scope determined the choice. */
static bool is_certain(const struct fm_java_mapping_choice *choice)
{
    return choice->matched_by == FRAMEMAP_MATCH_MAP_ID || choice->matched_by == FRAMEMAP_MATCH_SCOPE;
}

static void compete(struct fm_java_mapping *mapping, const framemap_trace *traces, size_t count,
                    struct fm_java_mapping_choice *choices, struct score *best)
{
    const framemap_index *index = mapping->held.index;
    for (size_t t = 0, parts; t < count; t += parts) {
        parts = stack_parts(traces, count, t);
        struct score score = score_of(index->view, &traces[t], parts);
        int order = compare_scores(score, best[t]);
        if (score.classes == 0 || is_certain(&choices[t])) continue;
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
    /* the reason for a mapping that was not opened because it exceeds the memory ceiling; it may be the right
     * mapping */
    const char *over = NULL;
    struct score *best = fm_heap_zalloc(mappings->heap, count, sizeof *best);
    if (best == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < mappings->chosen->count && status == FRAMEMAP_OK; i++) {
        struct fm_java_mapping *mapping = &mappings->chosen->rows[i];
        status = fm_java_mapping_hold(mappings, mapping, error);
        if (status == FRAMEMAP_OK && mapping->held.index) compete(mapping, traces, count, choices, best);
        if (mapping->held.over != FM_OVER_NOTHING) over = mapping->held.reason;
        /* no index is held from here on: the session's cache decides which indexes remain open */
        release_mappings(mappings);
    }
    for (size_t t = 0; t < count && over; t++)
        if (choices[t].reason == unknown_classes) choices[t] = no_choice(over);
    fm_heap_free(mappings->heap, best, count * sizeof *best);
    return status;
}

/* Handles a stack in which some frames have ids: its other lines are restored with the mapping of the first id. */
static framemap_status choose_by_frame(struct fm_java_mappings *mappings, const framemap_trace *trace,
                                       struct fm_java_mapping_choice *choice, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t f = 0; f < trace->frame_count && choice->mapping == NULL && status == FRAMEMAP_OK; f++)
        if (trace->frames[f].kind == FRAMEMAP_KIND_JAVA && trace->frames[f].id.size)
            status = fm_java_mappings_of_id(mappings, trace->frames[f].id, choice, error);
    return status;
}

/* Chooses the mapping for stacks without an id if the scope determines it; otherwise sets the reason why there is no
 * mapping. */
static framemap_status choose_by_scope(struct fm_java_mappings *mappings, struct fm_java_mapping_choice *out,
                                       framemap_error *error)
{
    const size_t count = mappings->scope ? mappings->scope->id_count : 0;
    framemap_status status = FRAMEMAP_OK;
    *out = no_choice(mappings->chosen                      ? unknown_classes
                     : mappings->session->labels.count > 0 ? not_labeled
                                                           : no_mapping);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) {
        struct fm_java_mapping_choice choice;
        status = fm_java_mappings_of_id(mappings, mappings->scope->ids[i], &choice, error);
        if (status != FRAMEMAP_OK || choice.mapping == NULL) continue;
        *out = choice_of(choice.mapping, FRAMEMAP_MATCH_SCOPE);
        return FRAMEMAP_OK;
    }
    if (mappings->chosen && mappings->chosen->count == 1)
        *out =
            choice_of(&mappings->chosen->rows[0], mappings->by_scope ? FRAMEMAP_MATCH_SCOPE : FRAMEMAP_MATCH_ONLY_MAP);
    return status;
}

static bool any_needs_choice(const framemap_trace *traces, size_t count)
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
    struct fm_java_mapping_choice usual;
    framemap_status status = choose_by_scope(mappings, &usual, error);
    for (size_t t = 0, parts; t < count && status == FRAMEMAP_OK; t += parts) {
        parts = stack_parts(traces, count, t);
        choices[t] = no_choice(usual.mapping ? unknown_classes : usual.reason);
        for (size_t i = 0; i < parts && status == FRAMEMAP_OK; i++)
            status = choose_by_frame(mappings, &traces[t + i], &choices[t], error);
        if (choices[t].mapping == NULL && usual.mapping) choices[t] = usual;
    }
    const bool compete_all = mappings->chosen && usual.mapping == NULL && any_needs_choice(traces, count);
    if (status == FRAMEMAP_OK && compete_all) status = choose_best(mappings, traces, count, choices, error);
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
