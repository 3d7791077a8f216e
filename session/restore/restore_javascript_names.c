/* Functions of whole stacks. A map tells the name of what is called at a place rather than that of the function around
 * it: so a frame's function is what the map says at the frame that called it, which is the next one. */
#include "session/restore/restore_javascript.h"

#include "core/error.h"
#include "core/text/text.h"
#include "formats/javascript/js_row.h"
#include "index/read/segments/segment_view.h"
#include "resolve/javascript/dart2js_names.h"

/* A row that stands for the function that is waiting, or for code that was a string where it was evaluated, not for a
 * place that has called. */
static bool is_awaiting(const framemap_frame *frame)
{
    struct fm_js_row row;
    if (!fm_js_row_any(frame->raw, &row) || row.place.kind == FM_JS_EVALUATED) return true;
    return fm_str_find(row.head, FM_STR("async ")) != FM_NOT_FOUND || fm_str_find_byte(row.head, '*') != FM_NOT_FOUND;
}

/* Names under which functions are called that are not theirs: methods of all functions, and the table of webpack's
 * modules. */
static bool is_way_of_calling(framemap_str name)
{
    return fm_str_equal(name, FM_STR("call")) || fm_str_equal(name, FM_STR("apply")) ||
           fm_str_equal(name, FM_STR("bind")) || fm_str_equal(name, FM_STR("__webpack_modules__"));
}

static framemap_str printed_name(const framemap_frame *frame)
{
    const framemap_str name = frame->function;
    if (fm_str_equal(name, FM_STR("<anonymous>")) || fm_str_equal(name, FM_STR("anonymous")))
        return (framemap_str){NULL, 0};
    return name;
}

/* What a minifier may have made of a name: a short identifier alone. Of a function without a name the caller knows but
 * the parameter that it called, of a method a property, which minifiers leave as it is; and with three letters they
 * have names for 200,000 functions of one scope. */
static bool may_be_renamed(framemap_str printed)
{
    enum { LONGEST = 3 };
    if (fm_str_starts(printed, FM_STR("new "))) printed = fm_str_from(printed, 4);
    if (fm_str_starts(printed, FM_STR("#"))) printed = fm_str_from(printed, 1); /* private ones are renamed, too */
    for (size_t i = 0; i < printed.size; i++)
        if (strchr(".[<> #/", printed.data[i])) return false;
    return printed.size > 0 && printed.size <= LONGEST && (printed.data[0] < '0' || printed.data[0] > '9');
}

/* What the caller calls, by its map; absent: it does not say. */
static framemap_str called_name(const framemap_frame *frame, const framemap_frame *caller)
{
    const framemap_str none = {NULL, 0};
    if (caller == NULL || caller != frame + 1 || caller->restored.count == 0 || !may_be_renamed(printed_name(frame)))
        return none;
    if (is_awaiting(caller)) return none;
    const framemap_str name = caller->restored.frames[0].name;
    return is_way_of_calling(name) ? none : name;
}

/* Whether functions were told of the generated text, by scopes or by the text itself: what has no name then is called
 * by a parameter's. */
static bool knows_text(const struct fm_script_asked *asked)
{
    struct fm_view_stretch stretch;
    return fm_view_generated_stretch_at(asked->index->view, 0, &stretch);
}

/* A name where the map has none; absent: nobody knows one. What is read in the text goes before the caller's word, as
 * that is right more often (docs/javascript.md has the figures). */
static framemap_str name_of(const framemap_frame *frame, const framemap_frame *caller,
                            const struct fm_script_asked *asked, framemap_function_origin *origin)
{
    *origin = FRAMEMAP_FUNCTION_CALLER;
    const framemap_str name = knows_text(asked) ? (framemap_str){NULL, 0} : called_name(frame, caller);
    if (name.size) return name;
    *origin = FRAMEMAP_FUNCTION_PRINTED;
    return printed_name(frame);
}

/* The frames of a place with another function for the outermost of them; kept for the next frame that is named alike.
 */
static framemap_status rename(struct fm_restore_job *job, framemap_frame *frame, struct fm_script_asked *asked,
                              framemap_str name, framemap_function_origin origin, framemap_error *error)
{
    if (asked->named_frames.count == 0 || asked->named_by != origin || !fm_str_equal(asked->named, name)) {
        framemap_frame *copy = fm_arena_alloc(job->arena, sizeof *copy);
        if (copy == NULL || !fm_arena_str(job->arena, name, &asked->named)) return fm_error_memory(error);
        *copy = frame->restored.frames[0];
        copy->function = asked->named;
        copy->function_origin = asked->named_by = origin;
        asked->named_frames = (framemap_frame_list){copy, 1};
    }
    frame->restored = asked->named_frames;
    return FRAMEMAP_OK;
}

framemap_status fm_script_name_above(struct fm_restore_job *job, framemap_frame *frame, uint32_t place,
                                     framemap_error *error)
{
    struct fm_script_job *script = job->script;
    framemap_frame *above = script->unnamed;
    framemap_status status = FRAMEMAP_OK;
    framemap_function_origin origin;
    if (above && above->restored.frames[0].function.size == 0) {
        struct fm_script_asked *asked = &script->asked[script->unnamed_place];
        const framemap_str name = name_of(above, frame, asked, &origin);
        if (name.size) status = rename(job, above, asked, name, origin, error);
    }
    /* functions put into one another are told by scopes, which have their names */
    const bool one = frame && place != FM_SCRIPT_NO_PLACE && frame->restored.count == 1;
    script->unnamed = one ? frame : NULL;
    script->unnamed_place = place;
    return status;
}

/* --- names that Dart's compiler minified --- */

void fm_script_note_map(struct fm_script_job *script, const framemap_index *index)
{
    if (index == NULL || index == script->last_index) return;
    script->last_index = index;
    if (script->minified == NULL && fm_has_minified(index->view)) script->minified = index;
}

framemap_status fm_script_restore_mentions(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    const framemap_index *index = job->script->minified;
    for (size_t i = 0; index && i < trace->mention_count; i++) {
        framemap_mention *mention = &trace->mentions[i];
        framemap_str original;
        if (mention->restored.size || !fm_minified_original(index->view, mention->raw, &original)) continue;
        if (!fm_arena_str(job->arena, original, &mention->restored)) return fm_error_memory(error);
    }
    job->script->minified = job->script->last_index = NULL;
    return FRAMEMAP_OK;
}
