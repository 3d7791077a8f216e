/* Implements java_print.h: writes the row of a restored frame: the original row with class, method, file and line
 * replaced. Candidates of an ambiguous frame follow with "<OR>", the innermost frames of all candidates first. */
#include "formats/java/java_print.h"
#include "formats/java/java_row.h"
#include "formats/row_writer.h"

#define CANDIDATES 8 /* if a frame has more candidates than this, only the number of candidates is printed */

struct look {
    struct fm_buf *out;
    const framemap_frame *frame;
    struct fm_java_row row;
    framemap_str prefix, eol;
    bool any; /* at least one line was printed */
};

static framemap_str between(const char *from, const char *to) { return fm_str(from, (size_t)(to - from)); }

/* Returns the source to print: that of the symbols, or, if they have no source for the frame, the text in the row's
 * parentheses. */
static framemap_str source_of(const struct look *look, const framemap_frame *source)
{
    const bool same = source->file.size == 0 || fm_str_equal(source->file, FM_STR("Native Method"));
    return same ? look->row.source : source->file;
}

enum { LINE_ROOM = 11 }; /* number of bytes for a colon and a line number of 32 bits */

/* Returns ":LINE" with the line of the restored frame. If that frame has no line, returns the row's line number if it
 * is one that does not fit 31 bits; otherwise returns an empty text. */
static framemap_str line_of(const struct look *look, const framemap_frame *source, char room[LINE_ROOM])
{
    const framemap_str printed = look->row.line;
    size_t at = LINE_ROOM;
    if (look->row.bare) return fm_str(NULL, 0);
    if (source->line == 0)
        return printed.size && !look->row.has_line ? fm_str(printed.data - 1, printed.size + 1) : fm_str(NULL, 0);
    for (uint32_t left = source->line; left; left /= 10) room[--at] = (char)('0' + left % 10);
    room[--at] = ':';
    return fm_str(room + at, LINE_ROOM - at);
}

/* Writes the start of the row of a further candidate. It is the start of the original row with "<OR> " inserted before
 * "at", or before the class if the row has no "at". */
static void put_other_head(const struct look *look, framemap_str head)
{
    size_t at = fm_str_find(head, FM_STR("at "));
    if (at == FM_NOT_FOUND) at = 0;
    while (at < head.size && fm_is_blank(head.data[at])) at++;
    fm_buf_strs(look->out, (framemap_str[]){fm_str_slice(head, 0, at), FM_STR("<OR> "), fm_str_from(head, at)}, 3);
}

/* Whether the types of a row, "void a.b.c(int) (SourceFile:12)", are left out. They are the types of the outermost
 * function, so they are wrong for a frame that was inlined into it. */
static bool drops_types(const struct look *look, const framemap_frame *source)
{
    return look->row.typed && source->inlined;
}

static void put_row(struct look *look, const framemap_frame *source, bool other)
{
    const struct fm_java_row *row = &look->row;
    const bool plain = drops_types(look, source);
    const framemap_str none = {NULL, 0}, raw = look->frame->raw;
    const framemap_str head = between(raw.data, plain ? fm_java_row_after_at(raw) : row->class_name.data);
    char room[LINE_ROOM];
    if (other) {
        if (look->any) fm_buf_strs(look->out, (framemap_str[]){look->eol, look->prefix}, 2);
        put_other_head(look, head);
    }
    const size_t skipped =
        /* the caller has already written the line end and the prefix of the first row */
        look->any && !other ? 0 : 2;
    look->any = true;
    const framemap_str parts[] = {
        look->eol,
        look->prefix,
        other ? none : head,
        look->frame->kind == FRAMEMAP_KIND_NATIVE ? row->class_name : source->class_name,
        between(row->class_name.data + row->class_name.size, row->method_raw.data),
        fm_str_equal(source->function, row->method) ? row->method_raw : source->function,
        plain ? FM_STR("(") : between(row->method_raw.data + row->method_raw.size, row->source.data),
        row->bare ? none : source_of(look, source),
        line_of(look, source, room),
        row->tail,
    };
    fm_buf_strs(look->out, parts + skipped, sizeof parts / sizeof *parts - skipped);
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

/* Whether an earlier candidate has the same frame at this depth. */
static bool repeats(const framemap_frame *frame, size_t number, size_t depth)
{
    const framemap_frame *source = &candidate(frame, number)->frames[depth];
    for (size_t i = 0; i < number; i++)
        if (candidate(frame, i)->count > depth && same_row(&candidate(frame, i)->frames[depth], source)) return true;
    return false;
}

/* Prints the innermost frames of all candidates, then their callers, and so on, as retrace does. */
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

static void put_list(struct look *look, const framemap_frame_list *list)
{
    for (size_t i = 0; i < list->count; i++) put_row(look, &list->frames[i], false);
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
    struct look look;
    look.out = out;
    look.frame = frame;
    look.prefix = prefix;
    look.eol = eol;
    look.any = false;
    if (!fm_java_row_known(frame, &look.row) && !fm_java_row_parse(frame->raw, FM_JAVA_IN_STACK, &look.row)) return;
    bool has_line = look.row.has_line && look.row.line_number > 0;
    if (frame->alternative_count == 0)
        put_list(&look, &frame->restored);
    else if (!has_line || frame->alternative_count >= CANDIDATES)
        put_count(&look);
    else
        put_candidates(&look);
}

/* --- writing frames of any format as rows of a Java stack --- */

/* Writes a frame of any format as Java prints it: "\tat a.b.c(File.java:7)". */
void fm_java_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    const framemap_frame *frame = row->frame;
    fm_buf_byte(out, '\t');
    fm_buf_str(out, FM_STR("at "));
    fm_buf_str(out, row->name);
    fm_buf_byte(out, '(');
    fm_buf_str(out, frame->file.size   ? frame->file
                    : frame->is_native ? FM_STR("Native Method")
                                       : FM_STR("Unknown Source"));
    if (frame->file.size && frame->line) {
        fm_buf_byte(out, ':');
        fm_buf_dec(out, frame->line);
    }
    fm_buf_byte(out, ')');
}

void fm_java_put_head(struct fm_buf *out, const framemap_trace *trace)
{
    fm_row_put_title(out, trace, FM_STR("java.lang.Exception: Stack trace"));
}

void fm_java_put_tail(struct fm_buf *out, const framemap_trace *trace)
{
    if (trace->elided == 0) return;
    fm_buf_byte(out, '\t');
    fm_buf_str(out, FM_STR("... "));
    fm_buf_dec(out, trace->elided);
    fm_buf_str(out, FM_STR(" more"));
    fm_buf_byte(out, '\n');
}
