/* Implements js_row_call_tree.h: splits a row at the sign between function and location, and accepts it only if both
 * sides have the form that browser consoles print. */
#include "formats/javascript/js_row_call_tree.h"

/* Whether a text is a function's name as consoles print it: one word, possibly with words such as "async" or "get"
 * before it. */
static bool is_name(framemap_str name)
{
    static const framemap_str words[] = {FM_STR_INIT("async "), FM_STR_INIT("get "), FM_STR_INIT("set "),
                                         FM_STR_INIT("new "), FM_STR_INIT("static ")};
    static const framemap_str names[] = {FM_STR_INIT("(anonymous function)"), FM_STR_INIT("Global Code"),
                                         FM_STR_INIT("Module Code"), FM_STR_INIT("Eval Code")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal(name, names[i])) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_starts(name, words[i])) name = fm_str_from(name, words[i].size);
    for (size_t i = 0; i < name.size; i++)
        if (strchr(" \t@:\"'/,;", name.data[i])) return false;
    return name.size != 0;
}

/* Whether a line is the name of a function of the engine, which has no location. Safari prints such names on lines
 * of their own, between or below rows. */
bool fm_js_is_engine_call(framemap_str body)
{
    const framemap_str text = fm_str_trim(body);
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
        if (!letter && (i == 0 || !fm_is_digit(c))) return false;
    }
    return text.size != 0 && text.size <= 64;
}

/* Whether the text is a name that the console prints for scripts without a file: "VM123", "(index)". */
static bool is_console_file(framemap_str file)
{
    struct fm_scan s = fm_scan_of(file);
    uint64_t number;
    if (fm_scan_text(&s, FM_STR("VM")) && fm_scan_dec(&s, &number, NULL)) return true;
    return fm_str_starts(file, FM_STR("(index)")) || fm_js_is_file(file);
}

/* Parses "$shop::Cart<T>::add @ app.wasm:0x36". The '$' is not part of the function's name, which may be any text. */
static bool read_wasm(framemap_str body, struct fm_js_row *out)
{
    if (out->function.size < 2 || out->function.data[0] != '$' || !fm_js_location_parse(out->where, &out->place) ||
        out->place.kind != FM_JS_BYTECODE || !out->place.is_wasm)
        return false;
    out->function = fm_str_from(out->function, 1);
    out->head = fm_js_between(body.data, out->function.data);
    out->tail = fm_js_between(out->where.data + out->where.size, body.data + body.size);
    out->sure = true;
    return true;
}

/* Splits a row at the sign between name and location, which has blanks around it: '@' in Chrome, a dash in Safari. */
static bool split(framemap_str body, struct fm_js_row *out)
{
    const framemap_str dash = FM_STR("\xE2\x80\x94");
    const size_t at_sign = fm_str_find_byte(body, '@'), size = at_sign == FM_NOT_FOUND ? dash.size : 1;
    const size_t sign = at_sign == FM_NOT_FOUND ? fm_str_find(body, dash) : at_sign;
    if (sign == FM_NOT_FOUND || sign == 0 || sign + size + 1 >= body.size) return false;
    if (!fm_is_blank(body.data[sign - 1]) || !fm_is_blank(body.data[sign + size])) return false;
    *out = (struct fm_js_row){.function = fm_str_trim(fm_str_slice(body, 0, sign)),
                              .where = fm_str_trim(fm_str_from(body, sign + size)),
                              .engine = FM_JS_V8,
                              .is_dashed = at_sign == FM_NOT_FOUND,
                              .way = FM_JS_CALL_TREE};
    return true;
}

bool fm_js_row_call_tree(framemap_str body, bool in_stack, struct fm_js_row *out)
{
    if (!split(body, out)) return false;
    if (out->where.size == 0) return false;
    if (fm_str_find_byte(fm_js_without_script_number(out->where), ' ') != FM_NOT_FOUND) return false;
    if (read_wasm(body, out)) return true;
    if (!is_name(out->function)) return false;
    out->head = fm_js_between(body.data, out->function.data);
    out->tail = fm_js_between(out->where.data + out->where.size, body.data + body.size);
    out->is_async = fm_str_starts(out->function, FM_STR("async "));
    if (fm_js_location_parse(out->where, &out->place)) {
        out->sure = out->place.kind == FM_JS_POSITION && is_console_file(out->place.file);
        /* Safari prints only the last part of a URL. A path after a dash is an item of a list, not a row. */
        if (out->is_dashed && out->place.column1 == 0 && fm_str_find_byte(out->place.file, '/') != FM_NOT_FOUND)
            return false;
        return out->sure || in_stack;
    }
    out->place = (struct fm_js_location){.kind = FM_JS_BUILTIN, .file = out->where, .target = out->where};
    return in_stack && is_console_file(out->where);
}

bool fm_js_is_async_call(framemap_str body)
{
    static const framemap_str begins[] = {FM_STR_INIT("await in "),           FM_STR_INIT("Promise."),
                                          FM_STR_INIT("setTimeout"),          FM_STR_INIT("setInterval"),
                                          FM_STR_INIT("queueMicrotask"),      FM_STR_INIT("requestAnimationFrame"),
                                          FM_STR_INIT("postMessage"),         FM_STR_INIT("XMLHttpRequest."),
                                          FM_STR_INIT("requestIdleCallback"), FM_STR_INIT("MutationObserver")};
    const framemap_str text = fm_str_trim(body);
    if (fm_str_ends(text, FM_STR(" (async)"))) return true;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        if (!fm_str_starts(text, begins[i])) continue;
        return fm_str_find_byte(fm_str_from(text, begins[i].size), ' ') == FM_NOT_FOUND;
    }
    return false;
}
