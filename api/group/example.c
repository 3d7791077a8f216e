/* Implements example.h. For a group of stacks with equal fingerprints, copies parts of one stack (title, some frames,
 * owner, file) as the example, and records data of all its stacks (first and last time, ids of builds). Texts are cut
 * to a fixed size. */
#include "api/group/example.h"
#include "api/group/owner_path.h"
#include "core/text/scan.h"
#include "formats/output/trace_words.h"

#include <string.h>

enum { TEXT_MOST = 255 }; /* maximum number of bytes of a string in an example */

/* --- storing strings --- */

/* Cuts a text to at most TEXT_MOST bytes, without dividing a character of UTF-8. */
static framemap_str cut(framemap_str text)
{
    size_t size = text.size;
    if (size <= TEXT_MOST) return text;
    for (size = TEXT_MOST; size > TEXT_MOST - 4 && ((unsigned char)text.data[size] & 0xC0) == 0x80;) size--;
    return fm_str(text.data, size);
}

static void drop(struct fm_heap *heap, framemap_str *text)
{
    union {
        const char *borrowed;
        char *owned;
    } data = {text->data};
    fm_heap_free(heap, data.owned, text->size);
    *text = (framemap_str){NULL, 0};
}

static void keep(struct fm_example_job *job, framemap_str *out, framemap_str text)
{
    text = cut(text);
    drop(job->heap, out);
    if (text.size == 0) return;
    char *copy = fm_heap_resize(job->heap, NULL, 0, text.size);
    job->failed = job->failed || copy == NULL;
    if (copy == NULL) return;
    fm_str_copy(copy, text);
    *out = fm_str(copy, text.size);
}

static framemap_str first_line(framemap_str text)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(text));
    framemap_str line = {NULL, 0};
    while (fm_scan_line(&s, &line))
        if (fm_str_trim(line).size) break;
    return fm_str_trim(line);
}

/* --- making the example --- */

static void put_frame(struct fm_buf *out, const struct fm_stack_frame *row)
{
    const framemap_frame *source = row->source;
    const framemap_str function = source->function.size ? source->function : source->symbol;
    const framemap_str place = source->file.size ? source->file : row->frame->module;
    const bool named = source->class_name.size || function.size;
    fm_buf_str(out, source->class_name);
    if (source->class_name.size && function.size) fm_buf_byte(out, '.');
    fm_buf_str(out, function);
    if (!named && place.size == 0) fm_buf_str(out, first_line(row->frame->raw));
    if (place.size == 0) {
        fm_put_answer_count(out, row->frame);
        return;
    }
    fm_buf_str(out, named ? FM_STR(" (") : FM_STR("? ("));
    fm_buf_str(out, place);
    if (source->file.size && source->line) fm_buf_printf(out, ":%u", (unsigned)source->line);
    fm_buf_byte(out, ')');
    fm_put_answer_count(out, row->frame);
}

/* Returns the next frame of the example, at position *at or later: a frame of the app's own code, or any frame if the
 * stack has no such frame. NULL: there are no more. */
static const struct fm_stack_frame *next_row(const struct fm_stack_frames *frames, size_t *at)
{
    while (*at < frames->count) {
        const struct fm_stack_frame *row = &frames->rows[(*at)++];
        if (row->in_app || !frames->any_in_app) return row;
    }
    return NULL;
}

static void find_owner(struct fm_example_job *job, framemap_group *group)
{
    for (size_t i = 0; i < job->frames->count && job->rules; i++) {
        const struct fm_stack_frame *row = &job->frames->rows[i];
        if (!row->in_app || row->source->file.size == 0) continue;
        keep(job, &group->owner,
             framemap_rules_owner(job->rules, fm_source_path(job->words, row->frame->kind, row->source)));
        return;
    }
}

void fm_example_make(struct fm_example_job *job, framemap_group *group, framemap_str file, const framemap_trace *trace)
{
    const struct fm_stack_frame *row;
    size_t at = 0;
    fm_buf_clear(job->words);
    fm_put_exception_title(job->words, trace);
    keep(job, &group->title, first_line(fm_buf_view(job->words)));
    while (group->frame_count < FRAMEMAP_GROUP_FRAMES && (row = next_row(job->frames, &at)) != NULL) {
        fm_buf_clear(job->words);
        put_frame(job->words, row);
        keep(job, &group->frames[group->frame_count++], fm_buf_view(job->words));
    }
    find_owner(job, group);
    keep(job, &group->file, file);
    group->line = trace->line;
    job->failed = job->failed || job->words->failed;
}

/* --- noting times and builds --- */

static void note_id(struct fm_example_job *job, framemap_group *group, framemap_str id)
{
    id = cut(id);
    if (id.size == 0) return;
    for (size_t i = 0; i < group->id_count; i++)
        if (fm_str_equal(group->ids[i], id)) return;
    if (group->id_count == FRAMEMAP_GROUP_IDS)
        group->more_ids = true;
    else
        keep(job, &group->ids[group->id_count++], id);
}

void fm_example_note(struct fm_example_job *job, framemap_group *group, const framemap_trace *trace)
{
    const struct fm_stack_frame *row;
    size_t at = 0;
    if (group->first_time.size == 0) keep(job, &group->first_time, trace->log.time);
    if (trace->log.time.size && !fm_str_equal(group->last_time, cut(trace->log.time)))
        keep(job, &group->last_time, trace->log.time);
    while (!group->more_ids && (row = next_row(job->frames, &at)) != NULL) note_id(job, group, row->frame->id);
}

void fm_example_free(struct fm_heap *heap, framemap_group *group)
{
    framemap_str *const single[] = {&group->title, &group->owner, &group->file, &group->first_time, &group->last_time};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) drop(heap, single[i]);
    for (size_t i = 0; i < FRAMEMAP_GROUP_FRAMES; i++) drop(heap, &group->frames[i]);
    for (size_t i = 0; i < FRAMEMAP_GROUP_IDS; i++) drop(heap, &group->ids[i]);
}
