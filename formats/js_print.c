#include "formats/js_print.h"
#include "formats/js_row.h"
#include "formats/row.h"

/* The name that is known, with the word that says how it was called. */
static void put_name(struct fm_buf *out, framemap_str printed, framemap_str known)
{
    framemap_str word = FM_STR("new ");
    if (known.size == 0) known = printed;
    if (fm_str_starts(printed, word) && !fm_str_starts(known, word)) fm_buf_str(out, word);
    fm_buf_str(out, known);
}

static void put_at(struct fm_buf *out, const struct fm_js_row *row, const framemap_frame *source)
{
    bool named = source->function.size || row->function.size;
    if (named) {
        put_name(out, row->function, source->function);
        fm_buf_str(out, FM_STR(" ("));
    }
    if (source->file.size)
        fm_row_put_place(out, source);
    else
        fm_buf_str(out, row->where);
    if (named) fm_buf_byte(out, ')');
}

static void put_sign(struct fm_buf *out, const struct fm_js_row *row, const framemap_frame *source)
{
    put_name(out, row->function, source->function);
    fm_buf_byte(out, '@');
    if (source->file.size)
        fm_row_put_place(out, source);
    else
        fm_buf_str(out, row->where);
}

void fm_js_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct fm_js_row row;
    if (!fm_js_row(frame->raw, &row)) return;
    bool at = row.engine == FM_JS_V8 || row.engine == FM_JS_HERMES;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) {
            fm_buf_str(out, eol);
            fm_buf_str(out, prefix);
        }
        fm_buf_str(out, row.head);
        if (at)
            put_at(out, &row, &frame->restored.frames[i]);
        else
            put_sign(out, &row, &frame->restored.frames[i]);
        fm_buf_str(out, row.tail);
    }
}
