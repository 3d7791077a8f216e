/* Implements frame_decode.h: replaces JSON escapes and HTML entities in the names of each frame. A search for their
 * first bytes in the frame's line shows for most frames that there are none. */
#include "formats/scan/frame_decode.h"
#include "core/text/find_any.h"
#include "formats/row_entity.h"
#include "formats/scan/line_clean.h"

/* Decodes an escape such as "\/" or "\u003c", whose character JSON need not escape, but some writers do. Writes the
 * character and returns the size of the escape; returns 0 if no such escape is at the offset. */
static size_t escape_at(framemap_str text, size_t at, char *out)
{
    static const struct {
        framemap_str escape;
        char letter;
    } escapes[] = {{FM_STR_INIT("\\/"), '/'},      {FM_STR_INIT("\\u003c"), '<'}, {FM_STR_INIT("\\u003C"), '<'},
                   {FM_STR_INIT("\\u003e"), '>'},  {FM_STR_INIT("\\u003E"), '>'}, {FM_STR_INIT("\\u0026"), '&'},
                   {FM_STR_INIT("\\u0027"), '\''}, {FM_STR_INIT("\\u003d"), '='}, {FM_STR_INIT("\\u003D"), '='}};
    if (text.data[at] != '\\') return 0;
    const framemap_str rest = fm_str_from(text, at);
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        if (!fm_str_starts(rest, escapes[i].escape)) continue;
        *out = escapes[i].letter;
        return escapes[i].escape.size;
    }
    return 0;
}

/* Whether entities such as "&lt;" in the frame still have to be decoded, because the frame's parser does not decode
 * them. */
static bool has_entities(const framemap_frame *frame)
{
    return frame->kind != FRAMEMAP_KIND_JS && frame->kind != FRAMEMAP_KIND_DART &&
           fm_str_find_byte(frame->raw, '&') != FM_NOT_FOUND;
}

/* Decodes the escape, or with `entities` the HTML entity, at an offset. Returns how many bytes it has; 0: there is
 * none. */
static size_t coded_at(framemap_str text, size_t at, bool entities, char *out)
{
    const size_t escape = escape_at(text, at, out);
    return escape || !entities ? escape : fm_row_entity(text, at, out);
}

static bool decode(struct fm_arena *arena, bool entities, framemap_str *text)
{
    char letter = 0;
    size_t at = 0, size = 0;
    if (fm_str_find_byte(*text, '\\') == FM_NOT_FOUND && !entities) return true;
    while (at < text->size && coded_at(*text, at, entities, &letter) == 0) at++;
    if (at == text->size) return true;
    char *copy = fm_arena_alloc(arena, text->size);
    if (copy == NULL) return false;
    for (at = 0; at < text->size;) {
        const size_t coded = coded_at(*text, at, entities, &letter);
        copy[size++] = coded ? letter : text->data[at];
        at += coded ? coded : 1;
    }
    *text = fm_str(copy, size);
    return true;
}

/* Decodes one field of a frame. plain: text that is known to have no escapes and entities; a field that is a slice
 * of it is left as it is. */
static inline bool decode_field(struct fm_arena *arena, framemap_str plain, bool entities, framemap_str *field)
{
    return field->size == 0 || fm_str_is_within(*field, plain) || decode(arena, entities, field);
}

static const char coded_bytes[4] = {'\\', '&', '\\', '&'}; /* an escape or an entity begins with one of these bytes */

bool fm_decode_frames(struct fm_arena *arena, const framemap_trace *trace)
{
    for (size_t i = 0; i < trace->frame_count; i++) {
        framemap_frame *frame = &trace->frames[i];
        const bool coded = fm_str_find_any(frame->raw, 0, coded_bytes) < frame->raw.size,
                   entities = coded && has_entities(frame);
        const bool plain = !entities && (!coded || fm_str_find_byte(frame->raw, '\\') == FM_NOT_FOUND);
        const framemap_str within = plain ? frame->raw : fm_str(NULL, 0);
        if (!decode_field(arena, within, entities, &frame->function) ||
            !decode_field(arena, within, entities, &frame->file) ||
            !decode_field(arena, within, entities, &frame->class_name) ||
            !decode_field(arena, within, entities, &frame->module) ||
            !decode_field(arena, within, entities, &frame->module_path))
            return false;
    }
    return true;
}

/* --- all strings of a trace in a string of JSON --- */

/* Decodes one string; colours in it are removed. */
static bool unescape(struct fm_arena *arena, unsigned run, framemap_str *text)
{
    if (fm_str_find_byte(*text, '\\') == FM_NOT_FOUND) return true;
    char *out = fm_arena_alloc(arena, text->size);
    if (out == NULL) return false;
    *text = fm_str(out, fm_text_clean(*text, FM_KEEPS_NOTHING, run, out));
    return true;
}

/* Points the mentions in a string to its decoded copy. The name of a class has no escapes, so each has the same bytes
 * there, after those before it were decoded. */
static bool unescape_with_mentions(struct fm_arena *arena, unsigned run, framemap_trace *trace, framemap_str *text)
{
    const framemap_str before = *text;
    size_t at = 0, size = 0;
    if (fm_str_find_byte(before, '\\') == FM_NOT_FOUND) return true;
    char *out = fm_arena_alloc(arena, before.size);
    if (out == NULL) return false;
    for (size_t i = 0; i < trace->mention_count; i++) {
        framemap_mention *mention = &trace->mentions[i];
        if (!fm_str_is_within(mention->raw, before)) continue;
        const size_t begin = (size_t)(mention->raw.data - before.data);
        if (begin < at) continue;
        size += fm_text_clean(fm_str_slice(before, at, begin), FM_KEEPS_NOTHING, run, out + size);
        memcpy(out + size, mention->raw.data, mention->raw.size);
        at = begin + mention->raw.size;
        mention->raw.data = out + size;
        size += mention->raw.size;
    }
    size += fm_text_clean(fm_str_from(before, at), FM_KEEPS_NOTHING, run, out + size);
    *text = fm_str(out, size);
    return true;
}

bool fm_decode_trace(struct fm_arena *arena, framemap_trace *trace, unsigned run, bool title)
{
    framemap_str *const words[] = {&trace->thread,       &trace->thread_id,    &trace->thread_name,
                                   &trace->thread_queue, &trace->thread_state, &trace->process_name};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!unescape(arena, run, words[i])) return false;
    if (title && (!unescape_with_mentions(arena, run, trace, &trace->exception_type) ||
                  !unescape_with_mentions(arena, run, trace, &trace->exception_message)))
        return false;
    for (size_t i = 0; i < trace->frame_count; i++) {
        framemap_frame *frame = &trace->frames[i];
        framemap_str *const names[] = {&frame->function, &frame->class_name, &frame->file, &frame->module,
                                       &frame->module_path};
        if (fm_str_find_byte(frame->raw, '\\') == FM_NOT_FOUND) continue;
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (!unescape(arena, run, names[n])) return false;
    }
    return true;
}
