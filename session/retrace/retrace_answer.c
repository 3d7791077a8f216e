/* Computes the frames that replace a line: the frames of the method that the line names, or the original field, or only
 * the original class and types. Called by retrace.c. */
#include "session/retrace/retracer.h"

#include "api/index_handle.h"
#include "core/error.h"

framemap_str fm_retrace_text(const struct fm_retrace_sight *sight, enum fm_retrace_part part)
{
    int which = sight->line.last[part];
    if (which < 0) return (framemap_str){NULL, 0};
    return fm_str_slice(sight->text, sight->line.pieces[which].at, sight->line.pieces[which].end);
}

static bool has(const struct fm_retrace_sight *sight, enum fm_retrace_part part) { return sight->line.last[part] >= 0; }

const struct fm_view *fm_retrace_view(const struct framemap_retracer *retracer, framemap_str class_name)
{
    if (retracer->options.find == NULL) return retracer->view;
    const framemap_index *index = retracer->options.find(retracer->options.find_context, class_name);
    return index ? index->view : NULL;
}

/* Makes an answer of `count` chains with one frame each. Returns the frames, which the caller fills in; NULL: out of
 * memory. */
static struct fm_java_frame *new_chains(struct fm_arena *arena, size_t count, struct fm_java_answer *answer)
{
    struct fm_java_frame *frames = FM_ARENA_ARRAY(arena, struct fm_java_frame, count);
    struct fm_java_chain *chains = FM_ARENA_ARRAY(arena, struct fm_java_chain, count);
    if (frames == NULL || chains == NULL) return NULL;
    for (size_t i = 0; i < count; i++) chains[i] = (struct fm_java_chain){.frames = frames + i, .count = 1};
    answer->chains = chains;
    answer->chain_count = count;
    return frames;
}

framemap_status fm_retrace_with_dots(struct framemap_retracer *retracer, framemap_str *name, framemap_error *error)
{
    if (fm_str_find_byte(*name, '/') == FM_NOT_FOUND) return FRAMEMAP_OK;
    char *copy = fm_arena_alloc(&retracer->arena, name->size);
    if (copy == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < name->size; i++) copy[i] = name->data[i] == '/' ? '.' : name->data[i];
    *name = fm_str(copy, name->size);
    return FRAMEMAP_OK;
}

/* --- types --- */

static framemap_status restore_type(struct framemap_retracer *retracer, framemap_str type, framemap_str *out,
                                    framemap_error *error)
{
    framemap_status status = fm_retrace_with_dots(retracer, &type, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_view *view = fm_retrace_view(retracer, fm_str_slice(type, 0, fm_str_find_byte(type, '[')));
    *out = type;
    return view ? fm_java_type(view, type, &retracer->arena, out, error) : FRAMEMAP_OK;
}

static bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* Restores each type in a list of arguments; the number of blanks after commas stays the same. */
static framemap_status restore_arguments(struct framemap_retracer *retracer, framemap_str text, framemap_str *out,
                                         framemap_error *error)
{
    struct fm_buf *buf = &retracer->texts;
    fm_buf_clear(buf);
    for (size_t at = 0; at <= text.size;) {
        framemap_str rest = fm_str_from(text, at), type = fm_str_slice(rest, 0, fm_str_find_byte(rest, ','));
        at += type.size + 1;
        for (; type.size && is_space(*type.data); type = fm_str_from(type, 1)) fm_buf_byte(buf, ' ');
        framemap_status status = restore_type(retracer, type, &type, error);
        if (status != FRAMEMAP_OK) return status;
        fm_buf_str(buf, type);
        if (at <= text.size) fm_buf_byte(buf, ',');
    }
    if (buf->failed || !fm_arena_str(&retracer->arena, fm_buf_view(buf), out)) return fm_error_memory(error);
    return FRAMEMAP_OK;
}

static framemap_status restore_types(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                     framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    sight->type = sight->arguments = (framemap_str){NULL, 0};
    if (has(sight, FM_PART_TYPE))
        status = restore_type(retracer, fm_retrace_text(sight, FM_PART_TYPE), &sight->type, error);
    if (status == FRAMEMAP_OK && has(sight, FM_PART_ARGUMENTS))
        status = restore_arguments(retracer, fm_retrace_text(sight, FM_PART_ARGUMENTS), &sight->arguments, error);
    return status;
}

/* --- classes --- */

/* Gets the name of the line's class, with dots as in the index. */
static framemap_status class_asked(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                   framemap_str *out, framemap_error *error)
{
    *out = fm_retrace_text(sight, FM_PART_CLASS);
    return sight->line.pieces[sight->line.last[FM_PART_CLASS]].slashes ? fm_retrace_with_dots(retracer, out, error)
                                                                       : FRAMEMAP_OK;
}

static void class_frame(struct fm_retrace_sight *sight, framemap_str class_name, struct fm_java_frame *frame)
{
    frame->class_name = class_name;
    frame->line = -1;
    if (sight->view == NULL) return;
    sight->known = fm_java_class(sight->view, class_name, &frame->class_name);
    frame->has_source = fm_view_source_of(sight->view, frame->class_name, &frame->source);
}

static framemap_status answer_class(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                    framemap_str class_name, struct fm_java_answer *answer, framemap_error *error)
{
    struct fm_java_frame *frame = new_chains(&retracer->arena, 1, answer);
    if (frame == NULL) return fm_error_memory(error);
    class_frame(sight, class_name, frame);
    answer->state = fm_java_exception(class_name);
    return FRAMEMAP_OK;
}

/* --- members --- */

/* Makes the answer for a line whose class is in no index: the names are returned unchanged, since the class may have
 * kept its name. */
static framemap_status answer_unknown(struct framemap_retracer *retracer, const struct fm_java_query *query,
                                      struct fm_java_answer *answer, framemap_error *error)
{
    struct fm_java_frame *frame = new_chains(&retracer->arena, 1, answer);
    if (frame == NULL) return fm_error_memory(error);
    frame->class_name = query->class_name;
    frame->method = query->method;
    frame->line = query->has_line ? query->line : -1;
    frame->line_kind = query->has_line ? FM_JAVA_LINE_NUMBER : FM_JAVA_LINE_ECHO;
    answer->state = retracer->state;
    return FRAMEMAP_OK;
}

static framemap_status answer_method(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                     framemap_str class_name, struct fm_java_answer *answer, framemap_error *error)
{
    struct fm_java_query query = {.class_name = class_name,
                                  .method = fm_retrace_text(sight, FM_PART_METHOD),
                                  .has_line = sight->line.line_number >= 0,
                                  .line = sight->line.line_number,
                                  .no_slot = !has(sight, FM_PART_LINE),
                                  .verbose = retracer->options.verbose,
                                  .repeats = has(sight, FM_PART_ARGUMENTS),
                                  .state = &retracer->state};
    if (sight->view == NULL) return answer_unknown(retracer, &query, answer, error);
    framemap_status status = fm_java_resolve(sight->view, &query, &retracer->arena, answer, error);
    if (status == FRAMEMAP_OK) sight->known = answer->result != FM_JAVA_UNKNOWN;
    return status;
}

static framemap_status answer_field(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                    framemap_str class_name, struct fm_java_answer *answer, framemap_error *error)
{
    const struct fm_java_member *members = NULL;
    size_t count = 0;
    framemap_str field = fm_retrace_text(sight, FM_PART_FIELD);
    framemap_status status =
        sight->view ? fm_java_fields(sight->view, class_name, field, &retracer->arena, &members, &count, error)
                    : FRAMEMAP_OK;
    if (status != FRAMEMAP_OK) return status;
    struct fm_java_frame *frames = new_chains(&retracer->arena, count ? count : 1, answer);
    if (frames == NULL) return fm_error_memory(error);
    sight->has_field = count != 0;
    class_frame(sight, class_name, frames);
    for (size_t i = 0; i < count; i++) {
        frames[i] = (struct fm_java_frame){
            .class_name = members[i].class_name, .method = members[i].name, .type = members[i].type};
        frames[i].has_source = fm_view_source_of(sight->view, frames[i].class_name, &frames[i].source);
    }
    if (count <= 1) answer->state = retracer->state;
    return FRAMEMAP_OK;
}

framemap_status fm_retrace_answer(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                  struct fm_java_answer *answer, framemap_error *error)
{
    framemap_str class_name;
    *answer = (struct fm_java_answer){.chain_count = 0};
    sight->view = NULL;
    sight->known = sight->has_field = false;
    sight->has_class = has(sight, FM_PART_CLASS);
    framemap_status status = restore_types(retracer, sight, error);
    if (status != FRAMEMAP_OK) return status;
    if (!sight->has_class) {
        answer->state = retracer->state;
        return new_chains(&retracer->arena, 1, answer) ? FRAMEMAP_OK : fm_error_memory(error);
    }
    status = class_asked(retracer, sight, &class_name, error);
    if (status != FRAMEMAP_OK) return status;
    sight->view = fm_retrace_view(retracer, class_name);
    if (has(sight, FM_PART_METHOD)) return answer_method(retracer, sight, class_name, answer, error);
    if (has(sight, FM_PART_FIELD)) return answer_field(retracer, sight, class_name, answer, error);
    return answer_class(retracer, sight, class_name, answer, error);
}
