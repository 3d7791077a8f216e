/* Copies results into the frames and the arena of a list of traces. Results borrow strings from an index, which may be
 * closed before the list is freed. Called by the restorers of all families. */
#include "core/text/buffer.h"
#include "resolve/java/java.h"
#include "session/restore/restore_job.h"

/* --- copying results into frames --- */

void fm_restore_give(framemap_frame *frame, const framemap_frame *answer)
{
    frame->status = answer->status;
    frame->reason = answer->reason;
    frame->restored = answer->restored;
    frame->function_size = answer->function_size;
    frame->alternatives = answer->alternatives;
    frame->alternative_count = answer->alternative_count;
    frame->aliases = answer->aliases;
    frame->alias_count = answer->alias_count;
    frame->over_limit = answer->over_limit;
    if (!frame->has_function_offset && answer->has_function_offset) {
        frame->has_function_offset = true;
        frame->function_offset = answer->function_offset;
    }
}

void fm_restore_count(framemap_restore_summary *summary, const framemap_frame *frame)
{
    if (frame->status == FRAMEMAP_FRAME_NOT_NEEDED || frame->status == FRAMEMAP_FRAME_RAW) return;
    summary->frames++;
    if (frame->status == FRAMEMAP_FRAME_OK || frame->status == FRAMEMAP_FRAME_SYMBOL)
        summary->restored++;
    else
        summary->unmapped++;
    if (frame->status == FRAMEMAP_FRAME_UNKNOWN_IMAGE) summary->unplaced++;
    if (frame->status == FRAMEMAP_FRAME_MALFORMED && summary->malformed++ == 0) {
        summary->first_malformed = frame->raw_offset;
        summary->first_malformed_line = frame->raw_line;
        summary->malformed_reason = frame->reason;
    }
}

/* --- copying strings that results borrow --- */

/* Caches the addresses of the strings that were copied last, since the frames of one call chain have most strings in
 * common. */
struct keeper {
    struct fm_arena *arena;
    framemap_str from[16], to[16];
};

static bool keep_text(struct keeper *keeper, framemap_str *text)
{
    if (text->size == 0) return true;
    size_t slot = ((uintptr_t)text->data ^ (uintptr_t)text->data >> 4) % 16;
    if (keeper->from[slot].data != text->data || keeper->from[slot].size != text->size) {
        framemap_str copy;
        if (!fm_arena_str(keeper->arena, *text, &copy)) return false;
        keeper->from[slot] = *text;
        keeper->to[slot] = copy;
    }
    *text = keeper->to[slot];
    return true;
}

static bool keep_aliases(struct keeper *keeper, const framemap_str **aliases, size_t count)
{
    if (count == 0) return true;
    framemap_str *copy = FM_ARENA_ARRAY(keeper->arena, framemap_str, count);
    if (copy == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        copy[i] = (*aliases)[i];
        if (!keep_text(keeper, &copy[i])) return false;
    }
    *aliases = copy;
    return true;
}

static bool keep_frame(struct keeper *keeper, framemap_frame *frame)
{
    framemap_str *const texts[] = {&frame->module, &frame->id,   &frame->arch, &frame->class_name,    &frame->function,
                                   &frame->symbol, &frame->name, &frame->file, &frame->declared_file, &frame->context};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!keep_text(keeper, texts[i])) return false;
    return keep_aliases(keeper, &frame->aliases, frame->alias_count);
}

static bool keep_list(struct keeper *keeper, framemap_frame_list *list)
{
    if (list->count == 0) return true;
    framemap_frame *copy = fm_arena_alloc(keeper->arena, list->count * sizeof *copy);
    if (copy == NULL) return false;
    for (size_t i = 0; i < list->count; i++) {
        copy[i] = list->frames[i];
        if (!keep_frame(keeper, &copy[i])) return false;
    }
    list->frames = copy;
    return true;
}

/* Copies a reason into the arena. Some reasons contain names of sections or scopes, so their text is made for one
 * result and freed with it. */
static bool keep_reason(struct fm_arena *arena, const char **reason)
{
    framemap_str copy;
    if (*reason == NULL) return true;
    if (!fm_arena_str(arena, framemap_str_of(*reason), &copy)) return false;
    *reason = copy.data;
    return true;
}

bool fm_restore_keep(struct fm_restore_job *job, framemap_frame *answer)
{
    struct keeper keeper = {.arena = job->arena};
    if (!keep_reason(job->arena, &answer->reason)) return false;
    if (!keep_list(&keeper, &answer->restored) || !keep_aliases(&keeper, &answer->aliases, answer->alias_count))
        return false;
    if (answer->alternative_count == 0) return true;
    framemap_frame_list *lists = FM_ARENA_ARRAY(job->arena, framemap_frame_list, answer->alternative_count);
    if (lists == NULL) return false;
    for (size_t i = 0; i < answer->alternative_count; i++) {
        lists[i] = answer->alternatives[i];
        if (!keep_list(&keeper, &lists[i])) return false;
    }
    answer->alternatives = lists;
    return true;
}

static char *put_name(char *to, framemap_str *name)
{
    enum { SHORT = 64 };
    if (name->size == 0) return to;
    if (name->size <= SHORT)
        fm_str_copy(to, *name);
    else
        memcpy(to, name->data, name->size);
    to[name->size] = '\0';
    name->data = to;
    return to + name->size + 1;
}

/* Copies class name, function and file of each frame to the arena. `symbol` is in the arena already, and frames of
 * Java have no other strings (resolve/java/java_query.c). */
static bool keep_java_names(struct fm_arena *arena, framemap_frame_list list)
{
    for (size_t i = 0; i < list.count; i++) {
        framemap_frame *frame =
            /* the frame is in the arena, so it may be changed although the list declares it const */
            (framemap_frame *)(uintptr_t)&list.frames[i];
        char *to = fm_arena_alloc(arena, frame->class_name.size + frame->function.size + frame->file.size + 3);
        if (to == NULL) return false;
        to = put_name(to, &frame->class_name);
        to = put_name(to, &frame->function);
        (void)put_name(to, &frame->file);
    }
    return true;
}

bool fm_restore_keep_java(struct fm_restore_job *job, const struct fm_java_restored *answer)
{
    bool ok = keep_java_names(job->arena, answer->restored);
    for (size_t i = 0; i < answer->alternative_count && ok; i++)
        ok = keep_java_names(job->arena, answer->alternatives[i]);
    return ok;
}

/* Writes which file was refused, and why: "…: symbols/libapp.so has 4567, not 0123". The two numbers are the id of the
 * file and the id that was requested. */
static void put_refused_file(struct fm_buf *text, const struct fm_entry *other, framemap_str wanted)
{
    fm_buf_str(text, FM_STR(": "));
    fm_buf_str(text, framemap_str_of(other->path));
    if (wanted.size == 0) return;
    fm_buf_str(text, other->id.size ? FM_STR(" has ") : FM_STR(" has none"));
    fm_buf_str(text, other->id);
    fm_buf_str(text, other->id.size ? FM_STR(", not ") : FM_STR(", the stack "));
    fm_buf_str(text, wanted);
}

bool fm_restore_keep_reason(struct fm_restore_job *job, const struct fm_held_index *held, framemap_str wanted,
                            const char **out)
{
    struct fm_buf text;
    framemap_str copy = {NULL, 0};
    *out = NULL;
    if (held->reason == NULL) return true;
    fm_buf_init(&text, job->heap);
    fm_buf_str(&text, framemap_str_of(held->reason));
    if (held->other) put_refused_file(&text, held->other, wanted);
    const bool ok = !text.failed && fm_arena_str(job->arena, fm_buf_view(&text), &copy);
    fm_buf_free(&text);
    *out = copy.data;
    return ok;
}
