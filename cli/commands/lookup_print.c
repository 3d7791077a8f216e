/* Implements lookup_print.h: prints an answer as text (the function, file and line of each inlined call, and source
 * lines if wanted) or as one JSON object with a status and a reason. */
#include "cli/commands/lookup_print.h"

#include "cli/symbols.h"

#include <inttypes.h>
#include <stdio.h>

static void put_location(struct fm_out *out, const framemap_frame *frame)
{
    fm_put_str(out, frame->file);
    if (frame->line) {
        fm_put_char(out, ':');
        fm_put_dec(out, frame->line);
    }
    if (frame->line && frame->column) {
        fm_put_char(out, ':');
        fm_put_dec(out, frame->column);
    }
}

/* Prints the name in a source map's segment: the identifier that is called or read at the position. It is mostly the
 * function of the next inner frame, rarely the function of this frame. */
static void put_segment_name(struct fm_out *out, const framemap_frame *frame)
{
    if (frame->name.size == 0) return;
    fm_put_text(out, " name ");
    fm_put_str(out, frame->name);
}

static void put_name(struct fm_out *out, const framemap_frame *frame)
{
    framemap_str function = frame->function.size || frame->kind == FRAMEMAP_KIND_JS ? frame->function : frame->name;
    bool member = frame->class_name.size && frame->symbol.size &&
                  /* In an index that is looked up by name, overloads differ only in their types, and only `symbol` has
                   * the types. */
                  !frame->file.size;
    if (member) function = frame->symbol;
    if (frame->class_name.size) fm_put_str(out, frame->class_name);
    if (frame->class_name.size && function.size) fm_put_text(out, member ? ": " : ".");
    if (function.size)
        fm_put_str(out, function);
    else if (!frame->class_name.size)
        fm_put_text(out, "??");
}

/* Takes the next line of source text; returns false at its end. */
static bool next_line(framemap_str *rest, framemap_str *line)
{
    size_t size = 0;
    if (rest->size == 0) return false;
    while (size < rest->size && rest->data[size] != '\n' && rest->data[size] != '\r') size++;
    *line = (framemap_str){rest->data, size};
    size_t end = size < rest->size;
    if (end && rest->data[size] == '\r' && size + 1 < rest->size && rest->data[size + 1] == '\n') end = 2;
    *rest = (framemap_str){rest->data + size + end, rest->size - size - end};
    return true;
}

/* Prints source lines in the way in which restore prints them below a frame. */
static void put_context(struct fm_out *out, const framemap_frame *frame)
{
    framemap_str rest = frame->context, line;
    uint32_t last = frame->context_line;
    char number[32];
    while (next_line(&rest, &line)) last++;
    const int width = snprintf(number, sizeof number, "%" PRIu32, last - 1);
    rest = frame->context;
    for (uint32_t at = frame->context_line; next_line(&rest, &line); at++) {
        snprintf(number, sizeof number, "%*" PRIu32, width, at);
        fm_put_text(out, at == frame->line ? "      > " : "        ");
        fm_put_text(out, number);
        fm_put_text(out, line.size ? " | " : " |");
        fm_put_source(out, line);
        fm_put_char(out, '\n');
    }
}

static void put_text_chain(struct fm_out *out, const framemap_frame_list *chain)
{
    for (size_t i = 0; i < chain->count; i++) {
        const framemap_frame *frame = &chain->frames[i];
        fm_put_text(out, "  ");
        put_name(out, frame);
        if (frame->file.size || frame->kind == FRAMEMAP_KIND_JS) {
            fm_put_text(out, frame->file.size ? " at " : " at ??");
            put_location(out, frame);
        }
        if (frame->kind == FRAMEMAP_KIND_JS) put_segment_name(out, frame);
        if (frame->ignored) fm_put_text(out, " (ignored)");
        if (frame->inlined) fm_put_text(out, " (inlined)");
        fm_put_char(out, '\n');
        put_context(out, frame);
    }
}

/* Whether the answer has names only, because the debug info was not read. */
static bool is_partial(const framemap_frame *answer)
{
    return answer->kind == FRAMEMAP_KIND_NATIVE && answer->status == FRAMEMAP_FRAME_SYMBOL && answer->reason;
}

/* Whether the answer is ambiguous because several sections have the given name. */
static bool is_choice(const framemap_frame *answer)
{
    return answer->kind == FRAMEMAP_KIND_NATIVE && answer->status == FRAMEMAP_FRAME_AMBIGUOUS && answer->reason;
}

/* Returns a short word for the reason of an answer; NULL: there is no reason, or the answer's status already expresses
 * it. */
static const char *why_of(const framemap_frame *answer)
{
    if (answer->reason == fm_changed_while_read) return "changed-while-read";
    return answer->over_limit ? "over-limit" : NULL;
}

void fm_put_text_answer(struct fm_out *out, framemap_str query, const framemap_frame *answer)
{
    fm_put_raw(out, query);
    if (answer->restored.count == 0 || answer->over_limit || is_partial(answer) || is_choice(answer)) {
        fm_put_text(out, ": ");
        fm_put_str(out, framemap_str_of(answer->reason ? answer->reason : framemap_frame_status_name(answer->status)));
    }
    fm_put_char(out, '\n');
    put_text_chain(out, &answer->restored);
    for (size_t i = 0; i < answer->alternative_count; i++) {
        fm_put_text(out, " or\n");
        put_text_chain(out, &answer->alternatives[i]);
    }
}

/* --- writing answers as JSON --- */

static void put_json_text(struct fm_out *out, bool *any, const char *name, framemap_str value)
{
    if (value.size == 0) return;
    fm_put_text(out, *any ? ",\"" : "\"");
    fm_put_text(out, name);
    fm_put_text(out, "\":");
    fm_put_json(out, value);
    *any = true;
}

static void put_json_number(struct fm_out *out, bool *any, const char *name, uint64_t value)
{
    if (value == 0) return;
    fm_put_text(out, *any ? ",\"" : "\"");
    fm_put_text(out, name);
    fm_put_text(out, "\":");
    fm_put_dec(out, value);
    *any = true;
}

static void put_json_flag(struct fm_out *out, bool *any, const char *name, bool value)
{
    if (!value) return;
    fm_put_text(out, *any ? ",\"" : "\"");
    fm_put_text(out, name);
    fm_put_text(out, "\":true");
    *any = true;
}

static const char *origin_name(framemap_function_origin origin)
{
    switch (origin) {
    case FRAMEMAP_FUNCTION_SCOPES: return "scopes";
    case FRAMEMAP_FUNCTION_MAP: return "function-map";
    case FRAMEMAP_FUNCTION_TEXT: return "text";
    default: return "";
    }
}

static void put_json_context(struct fm_out *out, const framemap_frame *frame)
{
    if (frame->context.size == 0) return;
    fm_put_text(out, ",\"context\":{\"line\":");
    fm_put_dec(out, frame->context_line);
    fm_put_text(out, ",\"text\":");
    fm_put_json(out, frame->context);
    fm_put_char(out, '}');
}

static void put_json_chain(struct fm_out *out, const framemap_frame_list *chain)
{
    fm_put_char(out, '[');
    for (size_t i = 0; i < chain->count; i++) {
        const framemap_frame *frame = &chain->frames[i];
        bool any = false;
        fm_put_text(out, i ? ",{" : "{");
        put_json_text(out, &any, "class", frame->class_name);
        put_json_text(out, &any, "function", frame->function);
        put_json_text(out, &any, "function_from", framemap_str_of(origin_name(frame->function_origin)));
        put_json_text(out, &any, "symbol", frame->symbol);
        put_json_text(out, &any, "name", frame->name);
        put_json_text(out, &any, "file", frame->file);
        put_json_number(out, &any, "line", frame->line);
        put_json_number(out, &any, "column", frame->column);
        put_json_flag(out, &any, "inlined", frame->inlined);
        put_json_flag(out, &any, "ignored", frame->ignored);
        put_json_context(out, frame);
        fm_put_char(out, '}');
    }
    fm_put_char(out, ']');
}

void fm_put_json_answer(struct fm_out *out, framemap_str query, const framemap_frame *answer)
{
    fm_put_text(out, "{\"query\":");
    fm_put_json(out, query);
    fm_put_text(out, ",\"status\":\"");
    fm_put_text(out, framemap_frame_status_name(answer->status));
    fm_put_text(out, "\"");
    const char *why = why_of(answer);
    if (why) {
        fm_put_text(out, ",\"why\":");
        fm_put_json(out, framemap_str_of(why));
    }
    if (((answer->kind == FRAMEMAP_KIND_JS || why) && answer->reason) || is_partial(answer) || is_choice(answer)) {
        fm_put_text(out, ",\"reason\":");
        fm_put_json(out, framemap_str_of(answer->reason));
    }
    if (answer->restored.count) {
        fm_put_text(out, ",\"source\":");
        put_json_chain(out, &answer->restored);
    }
    for (size_t i = 0; i < answer->alternative_count; i++) {
        fm_put_text(out, i ? "," : ",\"alternatives\":[");
        put_json_chain(out, &answer->alternatives[i]);
    }
    fm_put_text(out, answer->alternative_count ? "]}\n" : "}\n");
}
