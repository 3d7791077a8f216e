/* Implements js_frame.h: copies name, file and position of a parsed row into a frame, with the extra positions of
 * WebAssembly and eval, and sets a status if no source map can exist for it, as for code of the engine. */
#include "formats/javascript/js_frame.h"

const char fm_js_no_file[] = "code that was a string when it was evaluated has no file";

/* --- choosing the status of a frame --- */

/* Whether a script is part of the engine or its host, so that no source map exists for it: "node:fs" of Node and Bun,
 * "internal:streams" of Bun, "ext:core/01_core.js" of Deno. */
static bool is_internal(framemap_str file)
{
    switch (file.size ? file.data[0] : '\0') {
    case 'b':
        if (fm_str_starts(file, FM_STR("bun:"))) return true;
        break;
    case 'e':
        if (fm_str_starts(file, FM_STR("ext:"))) return true;
        break;
    case 'n':
        if (fm_str_starts(file, FM_STR("node:")) || fm_str_equal(file, FM_STR("native"))) return true;
        break;
    case 'i':
        if (fm_str_starts(file, FM_STR("internal/")) || fm_str_starts(file, FM_STR("internal:"))) return true;
        break;
    case 's':
        if (fm_str_equal(file, FM_STR("self-hosted"))) return true;
        break;
    default: break;
    }
    return fm_str_ends(file, FM_STR("InternalBytecode.js"));
}

/* Whether a text is what engines print in place of a file for code that is not in a file. */
static bool is_no_file(framemap_str file)
{
    return fm_str_equal(file, FM_STR("<anonymous>")) || fm_str_equal(file, FM_STR("eval code")) ||
           fm_str_equal(file, FM_STR("debugger eval code")) || fm_str_equal(file, FM_STR("Function code")) ||
           fm_str_equal(file, FM_STR("JavaScript"));
}

static void judge(framemap_frame *frame, const struct fm_js_row *row)
{
    const struct fm_js_location *place = &row->place;
    bool unnamed = place->file.size == 0 && row->way == FM_JS_AT;
    /* Bun prints "(1:11)" and "(unknown:1:11)" for positions in its own scripts. In bytecode of Hermes, "unknown" may
     * be the app's bundle. */
    bool of_bun =
        (unnamed && row->where.size && fm_is_digit(row->where.data[0])) ||
        (row->way == FM_JS_AT && place->kind == FM_JS_POSITION && fm_str_equal(place->file, FM_STR("unknown")));
    bool internal =
        of_bun || place->kind == FM_JS_BUILTIN || place->line1 == 0 || is_internal(place->file) || row->way == FM_JS_IN;
    if (internal) {
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    } else if (unnamed || is_no_file(place->file)) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = fm_js_no_file;
    } else if (place->in_words && frame->has_address) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "code that was bytes when it was compiled has no file";
    }
}

/* --- filling the parts of a frame --- */

static bool is_native(framemap_str file)
{
    return fm_str_equal(file, FM_STR("native")) || fm_str_equal(file, FM_STR("[native code]")) ||
           fm_str_equal(file, FM_STR("native code"));
}

/* Parses the index in a name that JavaScriptCore prints for a function of WebAssembly, "<?>.wasm-function[12]". */
static bool index_in_name(framemap_str name, uint32_t *out)
{
    const framemap_str word = FM_STR("wasm-function[");
    const size_t at = fm_str_find_last(name, word);
    uint32_t index;
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(name, at + word.size));
    if (!fm_scan_dec32(&s, &index) || !fm_scan_byte(&s, ']')) return false;
    *out = index;
    return true;
}

static void fill_wasm(struct fm_document *doc, framemap_frame *frame, const struct fm_js_row *row)
{
    const struct fm_js_location *place = &row->place;
    uint32_t index = place->wasm_function;
    bool has = place->has_wasm;
    if (!has && fm_str_equal(row->where, FM_STR("[wasm code]"))) has = index_in_name(row->function, &index);
    if (place->is_wasm && !place->in_words) frame->module = fm_str_basename(place->file);
    if (!has) return;
    framemap_frame_extra *extra = fm_document_extra(doc, frame);
    if (extra == NULL) return;
    extra->has_wasm_function = true;
    extra->wasm_function = index;
}

static void fill_eval(struct fm_document *doc, framemap_frame *frame, const struct fm_js_location *place)
{
    framemap_frame_extra *extra = place->origin.size ? fm_document_extra(doc, frame) : NULL;
    if (extra == NULL) return;
    extra->eval_file = place->own_file;
    extra->eval_line = place->own_line1;
    extra->eval_column = place->own_column1;
    extra->eval_origin = place->origin;
}

/* Returns the file of a location together with its scheme, which struct fm_js_location keeps in a separate member. */
static framemap_str whole_file(struct fm_document *doc, const struct fm_js_location *place)
{
    const size_t size = place->scheme.size + place->file.size;
    char *text = place->scheme.size ? fm_document_alloc(doc, size) : NULL;
    if (text == NULL) return place->file;
    memcpy(text, place->scheme.data, place->scheme.size);
    memcpy(text + place->scheme.size, place->file.data, place->file.size);
    return fm_str(text, size);
}

void fm_js_fill(struct fm_document *doc, framemap_frame *frame, const struct fm_js_row *row, bool from_0)
{
    const struct fm_js_location *place = &row->place;
    frame->kind = FRAMEMAP_KIND_JS;
    frame->function = row->function;
    frame->file = whole_file(doc, place);
    frame->line = place->line1;
    frame->column = place->column1;
    frame->is_async = row->is_async;
    frame->is_native = place->kind == FM_JS_BUILTIN && is_native(place->file);
    if (place->kind == FM_JS_BYTECODE) {
        frame->has_address = true;
        frame->address = place->address;
        frame->address_kind = FRAMEMAP_ADDRESS_BYTECODE;
        /* Hermes prints an offset in the bytecode where other engines print a column. */
        if (!place->is_wasm && place->address <= UINT32_MAX) frame->column = (uint32_t)place->address;
    }
    if (from_0 && frame->column < UINT32_MAX) frame->column++;
    fill_eval(doc, frame, place);
    fill_wasm(doc, frame, row);
    judge(frame, row);
}

/* --- markers --- */

bool fm_js_marker_parse(framemap_str body, framemap_marker *marker, uint64_t *count)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    if (!fm_scan_text(&s, FM_STR("... "))) return false;
    *marker = fm_scan_text(&s, FM_STR("skipping ")) ? FRAMEMAP_MARKER_SKIPPED : FRAMEMAP_MARKER_ELIDED;
    if (!fm_scan_dec(&s, count, NULL)) return false;
    if (*marker == FRAMEMAP_MARKER_SKIPPED) return fm_scan_text(&s, FM_STR(" frames")) && fm_scan_done(&s);
    return fm_scan_text(&s, FM_STR(" lines matching ")) || fm_scan_text(&s, FM_STR(" more"));
}

void fm_js_marker_add(struct fm_document *doc, const struct fm_line *line, framemap_marker marker, bool has_count,
                      uint64_t count)
{
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return;
    frame->kind = FRAMEMAP_KIND_MARKER;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    frame->marker = marker;
    framemap_frame_extra *extra = has_count ? fm_document_extra(doc, frame) : NULL;
    if (extra == NULL) return;
    extra->has_count = true;
    extra->count = count;
}
