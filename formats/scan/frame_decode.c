/* Implements frame_decode.h. */
#include "formats/scan/frame_decode.h"
#include "formats/row_parts.h"

/* The escape of a JSON writer at an offset, one of those that stand for characters which need none: writes its
 * character and returns its size; 0: there is none. */
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

static framemap_str without_escapes(struct fm_document *doc, framemap_str text)
{
    char letter = 0;
    size_t at = fm_str_find_byte(text, '\\'), size = 0;
    if (at == FM_NOT_FOUND) return text;
    while (at < text.size && escape_at(text, at, &letter) == 0) at++;
    if (at == text.size) return text;
    char *copy = fm_document_alloc(doc, text.size);
    for (at = 0; copy && at < text.size;) {
        const size_t escape = escape_at(text, at, &letter);
        copy[size++] = escape ? letter : text.data[at];
        at += escape ? escape : 1;
    }
    return copy ? fm_str(copy, size) : text;
}

static bool decodes_entities(const framemap_frame *frame)
{
    return frame->kind != FRAMEMAP_KIND_JS && frame->kind != FRAMEMAP_KIND_DART &&
           fm_str_find_byte(frame->raw, '&') != FM_NOT_FOUND;
}

void fm_decode_frames(struct fm_document *doc, const framemap_trace *trace)
{
    for (size_t i = 0; i < trace->frame_count; i++) {
        framemap_frame *frame = &trace->frames[i];
        const bool entities = decodes_entities(frame);
        framemap_str *const fields[] = {&frame->function, &frame->file, &frame->class_name, &frame->module,
                                        &frame->module_path};
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            if (fields[f]->size == 0) continue;
            *fields[f] = without_escapes(doc, *fields[f]);
            if (entities) *fields[f] = fm_row_decoded(doc, *fields[f]);
        }
    }
}
