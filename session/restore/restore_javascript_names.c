/* Determines names of functions from whole stacks. The name in a segment of a map belongs to the function that is
 * called at the segment's position, not to the function that contains the position. So the name of a frame's function
 * is found at the position of the next frame, its caller. */
#include "session/restore/restore_javascript_job.h"

#include "core/error.h"
#include "core/text/text.h"
#include "formats/javascript/js_row.h"
#include "index/read/segments/segment_view.h"
#include "resolve/javascript/dart2js_names.h"

/* Whether a frame belongs to a function that awaits, or to evaluated code, so that the next frame is not its
 * call site. */
static bool is_awaiting(const framemap_frame *frame)
{
    struct fm_js_row row;
    if (!fm_js_row_any(frame->raw, &row) || row.place.kind == FM_JS_EVALUATED) return true;
    return fm_str_find(row.head, FM_STR("async ")) != FM_NOT_FOUND || fm_str_find_byte(row.head, '*') != FM_NOT_FOUND;
}

/* Whether a name at a call site is not the name of the called function: it is a method that all functions have
 * ("call"), or the table of webpack's modules. */
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

/* Whether a name in the stack may be minified: it is a single identifier of at most three letters, enough to name
 * 200,000 functions in one scope. Other names are kept, because the name at the call site is not better: for a function
 * without a name it is only a parameter of the caller, and for a method it is a property, which minifiers do not
 * rename. */
static bool may_be_renamed(framemap_str printed)
{
    enum { LONGEST = 3 };
    if (fm_str_starts(printed, FM_STR("new "))) printed = fm_str_from(printed, 4);
    /* Minifiers rename private names ("#x"), too. */
    if (fm_str_starts(printed, FM_STR("#"))) printed = fm_str_from(printed, 1);
    for (size_t i = 0; i < printed.size; i++)
        if (strchr(".[<> #/", printed.data[i])) return false;
    return printed.size > 0 && printed.size <= LONGEST && (printed.data[0] < '0' || printed.data[0] > '9');
}

/* Returns the name that the caller's map has at the call site; absent: the map has no name there. */
static framemap_str called_name(const framemap_frame *frame, const framemap_frame *caller)
{
    const framemap_str none = {NULL, 0};
    if (caller == NULL || caller != frame + 1 || caller->restored.count == 0 || !may_be_renamed(printed_name(frame)))
        return none;
    if (is_awaiting(caller)) return none;
    const framemap_str name = caller->restored.frames[0].name;
    return is_way_of_calling(name) ? none : name;
}

bool fm_js_knows_text(const struct fm_view *view)
{
    struct fm_view_stretch stretch;
    return fm_view_generated_stretch_at(view, 0, &stretch);
}

static bool knows_text(struct fm_js_job *script, const struct fm_js_answer *asked)
{
    if (asked->view == NULL) return asked->knows_text;
    if (script->text_view != asked->view) script->text_known = fm_js_knows_text(asked->view);
    script->text_view = asked->view;
    return script->text_known;
}

/* Returns the name of a function for which the map has no name; absent: no name is known. A name from the generated
 * text is preferred to the name at the call site, since it is right more often (docs/javascript.md has the figures). */
static framemap_str function_name_of(struct fm_js_job *script, const framemap_frame *frame,
                                     const framemap_frame *caller, const struct fm_js_answer *asked,
                                     framemap_function_origin *origin)
{
    *origin = FRAMEMAP_FUNCTION_CALLER;
    const framemap_str name = knows_text(script, asked) ? (framemap_str){NULL, 0} : called_name(frame, caller);
    if (name.size) return name;
    *origin = FRAMEMAP_FUNCTION_PRINTED;
    return printed_name(frame);
}

/* Replaces the name of the outermost function in the frames of a position. The copy with the new name is stored, and
 * reused for the next frame that gets the same name. */
static framemap_status rename(struct fm_restore_job *job, framemap_frame *frame, struct fm_js_answer *asked,
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

framemap_status fm_js_name_above(struct fm_restore_job *job, framemap_frame *frame, uint32_t place,
                                 framemap_error *error)
{
    struct fm_js_job *script = job->js;
    framemap_frame *above = script->unnamed;
    framemap_status status = FRAMEMAP_OK;
    framemap_function_origin origin;
    if (above && above->restored.frames[0].function.size == 0) {
        struct fm_js_answer *asked = &script->asked[script->unnamed_place];
        const framemap_str name = function_name_of(script, above, frame, asked, &origin);
        if (name.size) status = rename(job, above, asked, name, origin, error);
    }
    /* if there are several functions, some are inlined; inlined functions come from scopes, which have all names */
    const bool one = frame && place != FM_JS_NO_ANSWER && frame->restored.count == 1;
    script->unnamed = one ? frame : NULL;
    script->unnamed_place = place;
    return status;
}

/* --- restoring names that Dart's compiler minified --- */

void fm_js_note_map(struct fm_js_job *script, const framemap_index *index)
{
    if (index == NULL || index == script->last_index) return;
    script->last_index = index;
    if (script->minified == NULL && fm_has_minified(index->view)) script->minified = index;
}

framemap_status fm_js_restore_mentions(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    const framemap_index *index = job->js->minified;
    for (size_t i = 0; index && i < trace->mention_count; i++) {
        framemap_mention *mention = &trace->mentions[i];
        framemap_str original;
        if (mention->restored.size || !fm_minified_original(index->view, mention->raw, &original)) continue;
        if (!fm_arena_str(job->arena, original, &mention->restored)) return fm_error_memory(error);
    }
    job->js->minified = job->js->last_index = NULL;
    return FRAMEMAP_OK;
}
