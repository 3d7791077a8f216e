/* framemap_groups: counts stacks by their fingerprints, with an example of each. */
#include "api/group/example.h"
#include "api/group/groups_state.h"
#include "api/option_structs.h"
#include "core/error.h"
#include "formats/output/event_group.h"
#include "formats/output/trace_words.h"

#include <string.h>

enum { MOST_GROUPS = 10000, LEAST_GROUPS = 16, MOST_ALLOWED = 10000000 };

/* --- finding groups by their fingerprint in a hash table --- */

static bool same_fingerprint(const void *context, uint32_t id, const void *key)
{
    return strcmp(((const framemap_groups *)context)->rows[id].shown.fingerprint, key) == 0;
}

static uint64_t hash_of(const framemap_groups *groups, const char *fingerprint)
{
    return fm_hash_text(fm_str(fingerprint, FRAMEMAP_FINGERPRINT_SIZE - 1), groups->key);
}

bool fm_groups_sort(framemap_groups *groups)
{
    const size_t count = (size_t)groups->totals.groups;
    if (groups->sorted) return true;
    if (!FM_GROW(&groups->heap, groups->order, groups->order_capacity, count)) return false;
    for (size_t i = 0; i < count; i++)
        groups->order[i] = (struct fm_sort_item){.key = UINT64_MAX - groups->rows[i].shown.count, .id = (uint32_t)i};
    groups->sorted = fm_sort(&groups->heap, groups->order, count, NULL, NULL);
    return groups->sorted;
}

/* Merges the rarest quarter of the groups into `others`. */
static bool merge_rarest(framemap_groups *groups)
{
    const size_t count = (size_t)groups->totals.groups, kept = count - count / 4;
    size_t to = 0;
    if (!fm_groups_sort(groups)) return false;
    for (size_t i = kept; i < count; i++) {
        struct fm_group_row *row = &groups->rows[groups->order[i].id];
        groups->totals.others += row->shown.count;
        groups->totals.merged++;
        fm_example_free(&groups->heap, &row->shown);
        row->shown.count = 0;
    }
    fm_table_clear(&groups->table);
    for (size_t i = 0; i < count; i++) {
        if (groups->rows[i].shown.count == 0) continue;
        groups->rows[to] = groups->rows[i];
        if (!fm_table_add(&groups->table, hash_of(groups, groups->rows[to].shown.fingerprint), (uint32_t)to))
            return false;
        to++;
    }
    groups->totals.groups = to;
    groups->sorted = false;
    return true;
}

/* Returns the row of a fingerprint, a new one if there is none; NULL: out of memory. */
static struct fm_group_row *row_of(framemap_groups *groups, const char *fingerprint)
{
    const uint64_t hash = hash_of(groups, fingerprint);
    const uint32_t found = fm_table_find(&groups->table, hash, same_fingerprint, groups, fingerprint);
    if (found != UINT32_MAX) return &groups->rows[found];
    if (groups->totals.groups == groups->most && !merge_rarest(groups)) return NULL;
    const size_t at = (size_t)groups->totals.groups;
    if (!FM_GROW(&groups->heap, groups->rows, groups->capacity, at + 1) ||
        !fm_table_add(&groups->table, hash, (uint32_t)at))
        return NULL;
    groups->rows[at] = (struct fm_group_row){.first = groups->totals.stacks};
    memcpy(groups->rows[at].shown.fingerprint, fingerprint, FRAMEMAP_FINGERPRINT_SIZE);
    groups->totals.groups++;
    return &groups->rows[at];
}

/* --- adding stacks --- */

/* Returns the index of the trace that an event is about. This is the trace of the thread that crashed; if no thread
 * crashed, the trace of an exception; if there is no exception either, the trace of the main thread, or else the first
 * trace. */
static size_t subject_of(const framemap_trace *traces, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (traces[i].crashed && traces[i].role == FRAMEMAP_ROLE_NONE) return i;
    for (size_t i = 0; i < count; i++)
        if (fm_event_is_about(&traces[i])) return i;
    for (size_t i = 0; i < count; i++)
        if (fm_str_equal(traces[i].thread_name, FM_STR("main"))) return i;
    return 0;
}

static bool add_stack(framemap_groups *groups, framemap_str file, const framemap_trace *traces, size_t count)
{
    const framemap_fingerprint_options options = {.size = sizeof options, .rules = groups->rules};
    char fingerprint[FRAMEMAP_FINGERPRINT_SIZE];
    const framemap_trace *subject = &traces[subject_of(traces, count)];
    const size_t left = count - (size_t)(subject - traces);
    if (!fm_fingerprint_of(&groups->work, subject, left, &options, fingerprint)) return false;
    struct fm_group_row *row = row_of(groups, fingerprint);
    struct fm_example_job job = {
        .heap = &groups->heap, .rules = groups->rules, .frames = &groups->work.frames, .words = &groups->words};
    if (row == NULL) return false;
    /* groups->work.frames has the frames that were listed last for the fingerprint. If the stack has causes, these are
     * the frames of the last cause, so the frames of the stack itself are listed again. */
    if (fm_stack_parts(subject, left) > 1 && !fm_stack_frames_of(job.frames, subject, groups->rules)) return false;
    if (row->shown.count == 0) fm_example_make(&job, &row->shown, file, subject);
    fm_example_note(&job, &row->shown, subject);
    row->shown.count++;
    groups->totals.stacks++;
    groups->sorted = false;
    return !job.failed;
}

framemap_status framemap_groups_add(framemap_groups *groups, framemap_str file, const framemap_trace *traces,
                                    size_t count, framemap_error *error)
{
    if (groups == NULL || (traces == NULL && count) || (file.data == NULL && file.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    for (size_t i = 0, size; i < count; i += size) {
        size = fm_event_size(&traces[i], count - i);
        if (!add_stack(groups, file, &traces[i], size)) return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

/* --- creating groups and querying them --- */

framemap_status framemap_groups_open(const framemap_groups_options *options, framemap_groups **out,
                                     framemap_error *error)
{
    framemap_groups_options given;
    const framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (out == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (given.max_groups && (given.max_groups < LEAST_GROUPS || given.max_groups > MOST_ALLOWED))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "max_groups is a number from %d to %d", LEAST_GROUPS,
                            MOST_ALLOWED);
    struct fm_heap heap;
    fm_heap_init(&heap, given.allocator, 0);
    framemap_groups *groups = fm_heap_zalloc(&heap, 1, sizeof *groups);
    if (groups == NULL) return fm_error_memory(error);
    fm_heap_init(&groups->heap, given.allocator, 0);
    groups->rules = given.rules;
    groups->most = given.max_groups ? given.max_groups : MOST_GROUPS;
    groups->key = fm_hash_key(groups);
    fm_table_init(&groups->table, &groups->heap);
    fm_fingerprint_init(&groups->work, &groups->heap);
    fm_buf_init(&groups->words, &groups->heap);
    *out = groups;
    return FRAMEMAP_OK;
}

void framemap_groups_close(framemap_groups *groups)
{
    if (groups == NULL) return;
    struct fm_heap heap;
    fm_heap_init(&heap, &groups->heap.hook, 0);
    for (size_t i = 0; i < groups->totals.groups; i++) fm_example_free(&groups->heap, &groups->rows[i].shown);
    fm_heap_free(&groups->heap, groups->rows, groups->capacity * sizeof *groups->rows);
    fm_heap_free(&groups->heap, groups->order, groups->order_capacity * sizeof *groups->order);
    fm_table_free(&groups->table);
    fm_fingerprint_free(&groups->work);
    fm_buf_free(&groups->words);
    fm_heap_free(&heap, groups, sizeof *groups);
}

framemap_groups_totals framemap_groups_count(const framemap_groups *groups)
{
    return groups ? groups->totals : (framemap_groups_totals){0};
}

bool framemap_groups_get(framemap_groups *groups, uint64_t at, framemap_group *out)
{
    if (groups == NULL || out == NULL || at >= groups->totals.groups || !fm_groups_sort(groups)) return false;
    *out = groups->rows[groups->order[at].id].shown;
    return true;
}
