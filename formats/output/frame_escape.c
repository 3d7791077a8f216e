/* Implements frame_escape.h: checks first whether a frame has any control characters, which nearly none has; only then
 * it copies the names and source lines with escapes. Text that was in the report itself is left as it is. */
#include "formats/output/frame_escape.h"
#include "core/text/buffer.h"
#include "core/text/escape.h"
#include "formats/scan/lines.h"

#include <stddef.h>

/* offsets in framemap_frame of all strings of a restored frame, except its source lines */
static const size_t fields[] = {
    offsetof(framemap_frame, class_name),    offsetof(framemap_frame, function), offsetof(framemap_frame, symbol),
    offsetof(framemap_frame, file),          offsetof(framemap_frame, name),     offsetof(framemap_frame, module),
    offsetof(framemap_frame, declared_file), offsetof(framemap_frame, id),       offsetof(framemap_frame, arch)};
enum { FIELDS = sizeof fields / sizeof *fields };

static const framemap_str *field_of(const framemap_frame *frame, size_t which)
{
    return (const framemap_str *)(const void *)((const char *)frame + fields[which]);
}

/* Whether a text has a quote or a backslash, which would break the escaped string that it is inserted into. */
static bool breaks_string(framemap_str text)
{
    return text.size && (memchr(text.data, '"', text.size) || memchr(text.data, '\\', text.size));
}

/* Whether source lines can be printed without escapes. Their line ends and tabs are printed as they are. */
static bool are_plain_lines(framemap_str text)
{
    for (size_t at = 0; (at += fm_plain_size(fm_str_from(text, at))) < text.size; at++) {
        const char byte = text.data[at];
        const bool ends = byte == '\r' && at + 1 < text.size && text.data[at + 1] == '\n';
        if (byte != '\n' && byte != '\t' && !ends) return false;
    }
    return true;
}

static bool list_is_plain(framemap_frame_list list, unsigned run)
{
    for (size_t i = 0; i < list.count; i++) {
        if (list.frames[i].context.size && (run || !are_plain_lines(list.frames[i].context))) return false;
        for (size_t which = 0; which < FIELDS; which++) {
            const framemap_str text = *field_of(&list.frames[i], which);
            if (text.size && (!fm_is_plain(text) || (run && breaks_string(text)))) return false;
        }
    }
    return true;
}

bool fm_frame_is_plain(const framemap_frame *frame, unsigned run)
{
    if (!list_is_plain(frame->restored, run)) return false;
    for (size_t i = 0; i < frame->alternative_count; i++)
        if (!list_is_plain(frame->alternatives[i], run)) return false;
    return true;
}

struct showing {
    struct fm_arena *arena;
    struct fm_buf room;
    framemap_str report;
    const framemap_frame *frame; /* the frame with the values that its row has */
    unsigned run;
};

/* Whether a string comes from the report and not from a symbol file. Such a string is printed as it is. */
static bool is_printed(const struct showing *showing, framemap_str text)
{
    const uintptr_t begin = (uintptr_t)showing->report.data, at = (uintptr_t)text.data;
    if (at >= begin && at - begin < showing->report.size) return true;
    for (size_t which = 0; which < FIELDS; which++)
        if (fm_str_equal(*field_of(showing->frame, which), text)) return true;
    return false;
}

void fm_text_show(struct fm_buf *out, framemap_str text, unsigned run)
{
    char escape[FM_ESCAPE_ROOM];
    framemap_str piece;
    while (fm_escape_next(&text, escape, &piece)) fm_pieces_put(out, piece, run);
}

static bool keep(struct showing *showing, framemap_str *text)
{
    return !showing->room.failed && fm_arena_str(showing->arena, fm_buf_view(&showing->room), text);
}

static bool show_text(struct showing *showing, framemap_str *text)
{
    const bool is_plain = fm_is_plain(*text) || is_printed(showing, *text);
    if (is_plain && (showing->run == 0 || !breaks_string(*text))) return true;
    fm_buf_clear(&showing->room);
    if (is_plain)
        fm_pieces_put(&showing->room, *text, showing->run);
    else
        fm_text_show(&showing->room, *text, showing->run);
    return keep(showing, text);
}

/* Writes a source line, escaped except for its tabs. */
static void show_line(struct showing *showing, framemap_str line)
{
    for (;;) {
        const size_t tab = fm_str_find_byte(line, '\t');
        fm_text_show(&showing->room, fm_str_slice(line, 0, tab), showing->run);
        if (tab == FM_NOT_FOUND) return;
        fm_pieces_put(&showing->room, FM_STR("\t"), showing->run);
        line = fm_str_from(line, tab + 1);
    }
}

/* Escapes the source lines of a frame, but keeps their line ends, because each line end is later replaced by that of
 * the report. */
static bool show_lines(struct showing *showing, framemap_str *text)
{
    struct fm_scan s = fm_scan_of(*text);
    framemap_str line;
    bool any = false;
    if (text->size == 0) return true;
    fm_buf_clear(&showing->room);
    for (; fm_scan_code_line(&s, &line); any = true) {
        if (any) fm_buf_byte(&showing->room, '\n');
        show_line(showing, line);
    }
    return keep(showing, text);
}

static bool show_list(struct showing *showing, framemap_frame_list *list)
{
    framemap_frame *copy = FM_ARENA_ARRAY(showing->arena, framemap_frame, list->count + 1);
    if (!copy) return false;
    for (size_t i = 0; i < list->count; i++) {
        copy[i] = list->frames[i];
        for (size_t which = 0; which < FIELDS; which++)
            if (!show_text(showing, (framemap_str *)(uintptr_t)field_of(&copy[i], which))) return false;
        if (!show_lines(showing, &copy[i].context)) return false;
    }
    list->frames = copy;
    return true;
}

bool fm_frame_show(struct fm_arena *arena, framemap_str report, unsigned run, framemap_frame *frame)
{
    const framemap_frame printed = *frame;
    struct showing showing = {.arena = arena, .report = report, .frame = &printed, .run = run};
    fm_buf_init(&showing.room, arena->heap);
    bool ok = show_list(&showing, &frame->restored);
    framemap_frame_list *others = ok ? FM_ARENA_ARRAY(arena, framemap_frame_list, frame->alternative_count + 1) : NULL;
    ok = others != NULL;
    for (size_t i = 0; ok && i < frame->alternative_count; i++) {
        others[i] = frame->alternatives[i];
        ok = show_list(&showing, &others[i]);
    }
    frame->alternatives = others;
    fm_buf_free(&showing.room);
    return ok;
}
