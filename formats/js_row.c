#include "formats/js_row.h"

/* Quotes and commas of lists, the "{" of an error whose members follow: not the row's. */
static framemap_str without_tail(framemap_str text)
{
    while (text.size) {
        char c = text.data[text.size - 1];
        bool brace = c == '{' && text.size > 1 && text.data[text.size - 2] == ' ';
        if (!brace && c != ',' && c != '"' && c != '\'' && !fm_is_blank(c)) break;
        text.size--;
    }
    return text;
}

static framemap_str between(const char *from, const char *to) { return fm_str(from, (size_t)(to - from)); }

/* --- at NAME (PLACE) --- */

/* Where the parenthesis that ends the text opens: the one that balances it, else the first behind a blank. */
static bool find_open(framemap_str text, size_t *open)
{
    size_t depth = 0, at = text.size;
    if (text.size < 3 || text.data[text.size - 1] != ')') return false;
    do {
        at--;
        if (text.data[at] == ')')
            depth++;
        else if (text.data[at] == '(')
            depth--;
    } while (at && depth);
    *open = at;
    if (depth == 0 && (at == 0 || fm_is_blank(text.data[at - 1]))) return true;
    size_t first = fm_str_find(text, FM_STR(" ("));
    if (first != FM_NOT_FOUND) *open = first + 1;
    return depth == 0 || first != FM_NOT_FOUND;
}

/* Whether a place alone, without a name and parentheses, is to be believed. */
static bool is_sure_alone(const struct fm_js_place *place)
{
    bool blank = fm_str_find_byte(place->file, ' ') != FM_NOT_FOUND;
    return !blank || fm_js_begins_path(place->file);
}

static bool is_sure_at(const struct fm_js_row *row, bool parentheses)
{
    const struct fm_js_place *place = &row->place;
    switch (place->kind) {
    case FM_JS_BYTECODE:
    case FM_JS_EVALUATED: return true;
    case FM_JS_BUILTIN: return row->function.size && !fm_str_equal(row->where, FM_STR("native"));
    case FM_JS_POSITION:
        if (place->column1 == 0) return fm_str_find(place->file, FM_STR("://")) != FM_NOT_FOUND;
        return fm_js_is_file(place->file) && (parentheses || is_sure_alone(place));
    case FM_JS_NO_PLACE: break;
    }
    return false;
}

bool fm_js_row_at(framemap_str body, struct fm_js_row *out)
{
    struct fm_scan s = fm_scan_of(body);
    size_t open = 0;
    while (!fm_scan_done(&s) && (fm_is_blank(*s.at) || *s.at == '"' || *s.at == '\'')) s.at++;
    if (!fm_scan_text(&s, FM_STR("at "))) return false;
    fm_scan_blanks(&s);
    fm_scan_text(&s, FM_STR("async "));
    framemap_str text = without_tail(fm_scan_rest(&s));
    struct fm_js_row row = {.head = between(body.data, text.data), .where = text, .engine = FM_JS_V8};
    bool parentheses = find_open(text, &open);
    if (parentheses) {
        row.function = fm_str_trim(fm_str_slice(text, 0, open));
        row.where = fm_str_slice(text, open + 1, text.size - 1);
    }
    if (!fm_js_place(row.where, &row.place)) return false;
    row.tail = between(text.data + text.size, body.data + body.size);
    row.sure = is_sure_at(&row, parentheses);
    row.telling = fm_str_starts(row.where, FM_STR("address at "));
    if (row.telling) row.engine = FM_JS_HERMES;
    *out = row;
    return true;
}

/* --- NAME@PLACE --- */

/* Where a name ends: at the first '@' that a full path follows, else at the last. */
static size_t find_sign(framemap_str text)
{
    size_t last = FM_NOT_FOUND;
    for (size_t at = 0; at < text.size; at++) {
        if (text.data[at] != '@') continue;
        framemap_str rest = fm_str_from(text, at + 1);
        if (fm_js_begins_path(rest) || fm_str_equal(rest, FM_STR("[native code]"))) return at;
        last = at;
    }
    return last;
}

static bool is_code_word(framemap_str name)
{
    return fm_str_equal(name, FM_STR("global code")) || fm_str_equal(name, FM_STR("module code")) ||
           fm_str_equal(name, FM_STR("eval code"));
}

/* Words before a blank that names may begin with. */
static bool has_known_blank(framemap_str name)
{
    return is_code_word(name) || fm_str_starts(name, FM_STR("get ")) || fm_str_starts(name, FM_STR("set "));
}

/* A name as engines print it, not the words before an '@' in prose, nor a path. */
static bool is_name(framemap_str name)
{
    if (name.size == 0 || has_known_blank(name)) return true;
    if (name.data[0] == '/' || fm_str_find_byte(name, ':') != FM_NOT_FOUND) return false;
    return fm_str_find_byte(name, ' ') == FM_NOT_FOUND || fm_str_ends(name, FM_STR(")"));
}

static bool is_sure_sign(const struct fm_js_row *row)
{
    const struct fm_js_place *place = &row->place;
    if (!is_name(row->function)) return false;
    if (place->kind == FM_JS_BUILTIN) return fm_str_equal(row->where, FM_STR("[native code]"));
    if (place->kind == FM_JS_BYTECODE) return true;
    if (place->kind != FM_JS_POSITION) return false;
    if (fm_js_begins_path(place->file) && (place->column1 || fm_str_find(place->file, FM_STR("://")) != FM_NOT_FOUND)) return true;
    if (place->column1 == 0 && fm_str_find(row->where, FM_STR(" > ")) == FM_NOT_FOUND) return false;
    return fm_js_is_file(place->file) && (fm_str_ends(place->file, FM_STR("js")) || fm_str_find_byte(place->file, '/') != FM_NOT_FOUND);
}

/* SpiderMonkey's cause, "async*f", "setTimeout handler*f": bytes up to and with the star. */
static size_t cause(framemap_str name)
{
    size_t at = fm_str_find_byte(name, '*');
    for (size_t i = 0; at != FM_NOT_FOUND && i < at; i++) {
        char c = name.data[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != ' ' && c != '.') return 0;
    }
    return at == FM_NOT_FOUND || at == 0 ? 0 : at + 1;
}

static void tell_engine(struct fm_js_row *row, size_t cause_size)
{
    framemap_str name = row->function;
    bool wasm = fm_str_find(row->where, FM_STR(":wasm-function[")) != FM_NOT_FOUND;
    bool jsc = row->where.size == 0 || fm_str_equal(row->where, FM_STR("[native code]")) || is_code_word(name) ||
               (row->place.kind == FM_JS_POSITION && (row->place.file.size == 0 || fm_str_ends(row->place.file, FM_STR(".jsbundle")))) ||
               (wasm && row->place.kind == FM_JS_BUILTIN);
    row->engine = jsc ? FM_JS_JSC : FM_JS_SPIDERMONKEY;
    row->telling = jsc || cause_size || fm_str_ends(name, FM_STR("<")) || fm_str_find(row->where, FM_STR(" > ")) != FM_NOT_FOUND;
}

/* Splits text at its '@'; within a stack there may be none. */
static bool split_sign(framemap_str text, bool in_stack, struct fm_js_row *row)
{
    size_t at = find_sign(text);
    if (at != FM_NOT_FOUND) {
        row->function = fm_str_slice(text, 0, at);
        row->where = fm_str_from(text, at + 1);
        if (row->where.size == 0) row->place.kind = FM_JS_BUILTIN;
        return row->where.size == 0 || fm_js_place(row->where, &row->place);
    }
    if (is_code_word(text)) {
        row->function = text;
        row->where = fm_str_from(text, text.size);
        row->place.kind = FM_JS_BUILTIN;
        return true;
    }
    if (!in_stack) return false;
    row->function = fm_str_slice(text, 0, 0);
    row->where = text;
    return fm_js_begins_path(text) && fm_js_place(text, &row->place) && row->place.kind == FM_JS_POSITION && row->place.column1;
}

bool fm_js_row_sign(framemap_str body, bool in_stack, struct fm_js_row *out)
{
    size_t begin = 0;
    while (begin < body.size && (fm_is_blank(body.data[begin]) || body.data[begin] == '"')) begin++;
    if (fm_str_starts(fm_str_from(body, begin), FM_STR("stack: "))) begin += 7; /* of an error whose members are listed */
    framemap_str text = without_tail(fm_str_from(body, begin));
    struct fm_js_row row = {.engine = FM_JS_SPIDERMONKEY};
    if (text.size == 0 || !split_sign(text, in_stack, &row)) return false;
    size_t cut = cause(row.function);
    if (cut == 0 && fm_str_starts(row.function, FM_STR("async "))) cut = 6;
    row.function = fm_str_from(row.function, cut);
    row.head = between(body.data, row.function.data);
    row.tail = between(text.data + text.size, body.data + body.size);
    row.sure = is_sure_sign(&row);
    tell_engine(&row, cut > 0 && row.function.data[-1] == '*' ? cut : 0);
    *out = row;
    return true;
}

bool fm_js_row(framemap_str body, struct fm_js_row *out) { return fm_js_row_at(body, out) || fm_js_row_sign(body, true, out); }
