/* Implements js_print.h: parses the original row again, and copies it with name and location replaced; functions
 * inlined into the frame get rows of the same form. */
#include "formats/javascript/js_print.h"
#include "formats/context_rows.h"
#include "formats/javascript/js_name.h"
#include "formats/javascript/js_row.h"
#include "formats/row_parts.h"

/* State while a restored row is printed. The parts of the row that are not restored are copied with their colours. */
struct printer {
    struct fm_buf *out;
    framemap_str raw;  /* the row as printed, with colours */
    framemap_str text; /* the row without colours; `row` points into it */
    struct fm_js_row row;
    bool at; /* the row has V8's syntax: if it has a name, the location is in parentheses */
};

/* Copies the text from `from` to `to`. Colours before a replaced part are copied, colours within it are not. */
static void copy(const struct printer *p, const char *from, const char *to)
{
    size_t begin = (size_t)(from - p->text.data), end = (size_t)(to - p->text.data);
    if (p->raw.data != p->text.data) {
        begin = fm_js_coloured_after(p->raw, begin);
        end = fm_js_coloured_at(p->raw, end);
    }
    fm_buf_str(p->out, fm_str_slice(p->raw, begin, end));
}

static void put_place(const struct printer *p, const framemap_frame *source)
{
    if (source->file.size == 0) {
        fm_buf_str(p->out, p->row.place.target);
    } else if (p->row.place.in_fields) {
        fm_buf_str(p->out, source->file);
        fm_buf_str(p->out, FM_STR("', line: "));
        fm_buf_dec(p->out, source->line);
        fm_buf_str(p->out, FM_STR(", column: "));
        fm_buf_dec(p->out, source->column);
    } else if (p->row.place.in_words && source->line) {
        fm_buf_str(p->out, source->file);
        fm_buf_str(p->out, FM_STR(" line "));
        fm_buf_dec(p->out, source->line);
    } else {
        fm_row_put_location(p->out, source);
    }
}

/* Returns the name of the function that evaluates code. It can only come from the source map or from the location,
 * because the row's name is that of the evaluated code. */
static framemap_str evaluator_of(const struct fm_js_row *row, const framemap_frame *source)
{
    framemap_function_origin by = source->function_origin;
    bool is_known = by == FRAMEMAP_FUNCTION_SCOPES || by == FRAMEMAP_FUNCTION_MAP || by == FRAMEMAP_FUNCTION_TEXT;
    return is_known && source->function.size ? source->function : row->place.evaluator;
}

static void put_evaluated(const struct printer *p, const framemap_frame *source)
{
    const struct fm_js_location *place = &p->row.place;
    const char *begin = p->text.data, *end = begin + p->text.size;
    if (place->evaluator.size) {
        copy(p, begin, place->evaluator.data);
        fm_buf_str(p->out, evaluator_of(&p->row, source));
        begin = place->evaluator.data + place->evaluator.size;
    }
    copy(p, begin, place->target.data);
    put_place(p, source);
    copy(p, place->target.data + place->target.size, end);
}

/* Whether a name is one that engines print for functions without a name. */
static bool is_anonymous(framemap_str name)
{
    return name.size == 0 || fm_str_ends(name, FM_STR("<anonymous>")) || fm_str_equal(name, FM_STR("anonymous")) ||
           fm_str_equal(name, FM_STR("(anonymous function)")) || fm_str_equal(name, FM_STR("Anonymous function"));
}

/* Returns the function's name in the source, if the syntax of the row can express it; absent otherwise. */
static framemap_str known_name(const struct printer *p, const framemap_frame *source)
{
    framemap_str printed = p->row.function, known = source->function;
    if (known.size == 0 || source->function_origin == FRAMEMAP_FUNCTION_PRINTED) return printed;
    bool nameless = fm_str_equal(known, FM_STR("<anonymous>"));
    if (nameless && is_anonymous(printed)) return printed;
    if (p->row.way != FM_JS_SIGN) return known;
    if (nameless) return fm_str_slice(known, 0, 0);
    return fm_str_starts(known, FM_STR("new ")) ? fm_str_from(known, 4) : known;
}

/* Writes the name of a function. outermost: the row of the frame names this function; otherwise the function was
 * inlined, and the row has no name for it. */
static void put_name(const struct printer *p, framemap_str known, bool outermost)
{
    if (p->at && outermost && known.size)
        fm_js_put_name(p->out, p->row.function, known);
    else
        fm_buf_str(p->out, known);
}

/* Prints a row such as "at NAME@safari-extension:(//ID/main.js:1:2)" in the plain form "at NAME (FILE:1:2)". */
static void put_plain(const struct printer *p, const framemap_frame *source, framemap_str known)
{
    const struct fm_js_row *row = &p->row;
    const char *where_end = row->where.data + row->where.size;
    copy(p, p->text.data, row->head.data + row->head.size);
    put_name(p, known, true);
    if (known.size) fm_buf_str(p->out, FM_STR(" ("));
    put_place(p, source);
    copy(p, where_end + (known.size == 0), p->text.data + p->text.size);
}

static void put_row(const struct printer *p, const framemap_frame *source, bool outermost)
{
    const struct fm_js_row *row = &p->row;
    framemap_str known = known_name(p, source);
    if (row->place.scheme.size) {
        put_plain(p, source, known);
        return;
    }
    const char *end = p->text.data + p->text.size, *head_end = row->head.data + row->head.size;
    const char *after_name = row->function.data ? row->function.data + row->function.size : NULL;
    const char *where_end = row->where.data + row->where.size;
    bool split = after_name &&
                 /* whether the row has a name, possibly an empty one, and other text between the name and the
                  * location */
                 row->where.data > after_name;
    const bool may_be_nameless = row->way == FM_JS_AT || row->way == FM_JS_POINTER;
    bool added = !split && (known.size || !may_be_nameless);
    copy(p, p->text.data, head_end);
    put_name(p, known, outermost);
    /* The row is of the form "at (FILE:1:2)", and the name is inserted into it. */
    if (split && p->at && row->function.size == 0 && known.size) fm_buf_byte(p->out, ' ');
    if (split)
        copy(p, after_name, row->where.data);
    else if (added)
        fm_buf_str(p->out, p->at ? FM_STR(" (") : row->way == FM_JS_POINTER ? FM_STR(" ") : FM_STR("@"));
    put_place(p, source);
    if (added && p->at) fm_buf_byte(p->out, ')');
    copy(p, where_end, end);
}

/* --- frames --- */

static void put_frames(const struct printer *p, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    const framemap_frame *sources = frame->restored.frames;
    size_t count = frame->restored.count;
    for (size_t i = 0; i < count; i++) {
        if (i) {
            fm_buf_str(p->out, eol);
            fm_buf_str(p->out, prefix);
        }
        if (p->row.place.kind == FM_JS_EVALUATED)
            put_evaluated(p, &sources[i]);
        else
            put_row(p, &sources[i], i + 1 == count);
        if (sources[i].context.size) fm_put_context_rows(p->out, &sources[i], p->raw, prefix, eol);
    }
}

void fm_js_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct printer p = {.out = out, .raw = frame->raw, .text = frame->raw};
    char *plain = NULL;
    if (fm_js_is_coloured(p.raw)) {
        plain = fm_heap_resize(out->heap, NULL, 0, p.raw.size);
        if (!plain) {
            out->failed = true;
            return;
        }
        p.text = fm_str(plain, fm_js_uncolour(p.raw, plain));
    }
    if (fm_js_row_of(frame, p.text, &p.row)) {
        p.at = p.row.way == FM_JS_AT;
        put_frames(&p, frame, prefix, eol);
    } else {
        fm_buf_str(out, p.raw);
    }
    if (plain) fm_heap_free(out->heap, plain, p.raw.size);
}
