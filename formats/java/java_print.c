/* Prints restored Java frames and their alternatives as R8's retrace does. Called through java_trace.c. */
#include "formats/java/java_print.h"
#include "formats/java/java_row.h"

#define CANDIDATES 8 /* of more candidates, only the number is printed */

struct look {
    struct fm_buf *out;
    const framemap_frame *frame;
    struct fm_java_row row;
    framemap_str prefix, eol;
    bool any; /* a line was printed */
};

static framemap_str between(const char *from, const char *to) { return fm_str(from, (size_t)(to - from)); }

/* Keeps the printed text in the parentheses if the symbols give no source. */
static void put_place(const struct look *look, const framemap_frame *source)
{
    struct fm_buf *out = look->out;
    if (look->row.bare) return;
    bool same = source->file.size == 0 || fm_str_equal(source->file, FM_STR("Native Method"));
    fm_buf_str(out, same ? look->row.source : source->file);
    if (source->line) {
        fm_buf_byte(out, ':');
        fm_buf_dec(out, source->line);
    } else if (look->row.line.size && !look->row.has_line) {
        fm_buf_byte(out, ':');
        fm_buf_str(out, look->row.line);
    }
}

/* Prints the line up to the class; further candidates are marked before their "at", or before the class. */
static void put_head(const struct look *look, bool other)
{
    framemap_str raw = look->frame->raw, head = between(raw.data, look->row.class_name.data);
    size_t at = fm_str_find(head, FM_STR("at "));
    if (at == FM_NOT_FOUND) at = 0;
    while (at < head.size && fm_is_blank(head.data[at])) at++;
    fm_buf_str(look->out, fm_str_slice(head, 0, at));
    if (other) fm_buf_str(look->out, FM_STR("<OR> "));
    fm_buf_str(look->out, fm_str_from(head, at));
}

static void put_row(struct look *look, const framemap_frame *source, bool other)
{
    const struct fm_java_row *row = &look->row;
    if (look->any) {
        fm_buf_str(look->out, look->eol);
        fm_buf_str(look->out, look->prefix);
    }
    look->any = true;
    put_head(look, other);
    fm_buf_str(look->out, source->class_name);
    fm_buf_str(look->out, between(row->class_name.data + row->class_name.size, row->method_raw.data));
    fm_buf_str(look->out, fm_str_equal(source->function, row->method) ? row->method_raw : source->function);
    fm_buf_str(look->out, between(row->method_raw.data + row->method_raw.size, row->source.data));
    put_place(look, source);
    fm_buf_str(look->out, row->tail);
}

static bool same_row(const framemap_frame *a, const framemap_frame *b)
{
    return a->line == b->line && fm_str_equal(a->class_name, b->class_name) && fm_str_equal(a->function, b->function) &&
           fm_str_equal(a->file, b->file);
}

static const framemap_frame_list *candidate(const framemap_frame *frame, size_t number)
{
    return number ? &frame->alternatives[number - 1] : &frame->restored;
}

/* Whether an earlier candidate prints the same frame at this depth. */
static bool repeats(const framemap_frame *frame, size_t number, size_t depth)
{
    const framemap_frame *source = &candidate(frame, number)->frames[depth];
    for (size_t i = 0; i < number; i++)
        if (candidate(frame, i)->count > depth && same_row(&candidate(frame, i)->frames[depth], source)) return true;
    return false;
}

/* Prints the innermost frames of all candidates, then their second ones, and so on, as retrace does. */
static void put_candidates(struct look *look)
{
    const framemap_frame *frame = look->frame;
    bool more = true;
    for (size_t depth = 0; more; depth++) {
        more = false;
        for (size_t i = 0; i <= frame->alternative_count; i++) {
            const framemap_frame_list *list = candidate(frame, i);
            if (list->count <= depth) continue;
            more = true;
            if (!repeats(frame, i, depth)) put_row(look, &list->frames[depth], i != 0);
        }
    }
}

static void put_count(struct look *look)
{
    put_row(look, &look->frame->restored.frames[look->frame->restored.count - 1], false);
    fm_buf_str(look->out, FM_STR(" [one of "));
    fm_buf_dec(look->out, look->frame->alternative_count + 1);
    fm_buf_byte(look->out, ']');
}

void fm_java_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct look look = {.out = out, .frame = frame, .prefix = prefix, .eol = eol};
    if (!fm_java_row_parse(frame->raw, FM_JAVA_IN_STACK, &look.row)) return;
    bool has_line = look.row.has_line && look.row.line_number > 0;
    if (frame->alternative_count && (!has_line || frame->alternative_count >= CANDIDATES))
        put_count(&look);
    else
        put_candidates(&look);
}
