/* Parses rows of V8 and Hermes. Also has fm_js_row_any, which tries the syntaxes of all engines. */
#include "formats/javascript/js_row.h"
#include "core/text/find_any.h"
#include "formats/row_parts.h"

/* --- parsing rows of the form "at NAME (PLACE)" --- */

/* Finds the parenthesis that belongs to the closing one at the end of the text. If parentheses do not balance, finds
 * the first "(" after a blank. */
static bool find_open(framemap_str text, size_t *open)
{
    if (text.size < 3 || text.data[text.size - 1] != ')') return false;
    const bool balanced = fm_row_open(text, open);
    if (balanced && (*open == 0 || fm_is_blank(text.data[*open - 1]))) return true;
    size_t after_blank = fm_str_find(text, FM_STR(" ("));
    if (after_blank != FM_NOT_FOUND) *open = after_blank + 1;
    return balanced || after_blank != FM_NOT_FOUND;
}

/* Cuts off the query of a script, "main.js?t=wechat&v=3", or the mark of one that WeChat's tools have restored,
 * "main.js? [sm]". */
static framemap_str without_query(framemap_str file)
{
    const size_t at = fm_str_find_byte(file, '?');
    const framemap_str query = fm_str_from(file, at == FM_NOT_FOUND ? file.size : at);
    const bool is_query = fm_str_find_byte(query, ' ') == FM_NOT_FOUND || fm_str_equal(query, FM_STR("? [sm]"));
    return is_query ? fm_str_slice(file, 0, file.size - query.size) : file;
}

/* Whether a file is a script, or a source that a browser's console shows in place of one. Required for rows without a
 * column, "f (main.js:12)", as QuickJS, Duktape and Chrome's console print them. "at the end (see main.js:12)" is
 * prose. */
static bool is_script(framemap_str file)
{
    static const framemap_str ends[] = {FM_STR_INIT(".js"),  FM_STR_INIT(".mjs"),    FM_STR_INIT(".cjs"),
                                        FM_STR_INIT(".ts"),  FM_STR_INIT(".tsx"),    FM_STR_INIT(".jsx"),
                                        FM_STR_INIT(".vue"), FM_STR_INIT(".svelte"), FM_STR_INIT(".dart")};
    file = without_query(file);
    if (fm_str_find_byte(file, ' ') != FM_NOT_FOUND && !fm_js_begins_path(file)) return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fm_str_ends(file, ends[i])) return true;
    return false;
}

/* Whether a row that consists of a location, without name and parentheses, is accepted. */
static bool is_sure_alone(const struct fm_js_location *place)
{
    bool blank = fm_str_find_byte(place->file, ' ') != FM_NOT_FOUND;
    return !blank || fm_js_begins_path(place->file);
}

/* Whether NativeScript printed the file, with this word in place of the path of the app: "file: app/main.js". */
static bool is_of_nativescript(framemap_str file)
{
    static const framemap_str word = FM_STR_INIT("file: ");
    return fm_str_starts(file, word) && is_script(fm_str_from(file, word.size));
}

static bool is_sure_at(const struct fm_js_row *row, bool parentheses)
{
    const struct fm_js_location *place = &row->place;
    switch (place->kind) {
    case FM_JS_BYTECODE:
    case FM_JS_EVALUATED: return true;
    case FM_JS_BUILTIN:
        return row->function.size && row->where.size && !fm_str_equal(row->where, FM_STR("native")) &&
               !fm_str_equal(row->where, FM_STR("undefined"));
    case FM_JS_POSITION:
        if (fm_str_starts(row->where, FM_STR("eval at "))) return true;
        if (place->column1 == 0)
            return fm_str_find(place->file, FM_STR("://")) != FM_NOT_FOUND || is_of_nativescript(place->file) ||
                   (parentheses && row->function.size && is_script(place->file) &&
                    /* at least a blank and '(' are between the name and the location */
                    row->where.data - (row->function.data + row->function.size) > 1);
        return fm_js_is_file(place->file) && (parentheses || is_sure_alone(place));
    case FM_JS_NO_LOCATION: break;
    }
    return false;
}

/* Splits "NAME (FILE:1:2)" and "FILE:1:2", the forms of nearly all rows, with few comparisons. */
static bool split_plain(framemap_str text, struct fm_js_row *row)
{
    framemap_str where = text;
    if (text.size == 0) return false;
    const size_t open = fm_str_find_any(text, 0, "()()"), end = text.size - 1;
    if (text.data[end] != ')') {
        if (open != text.size || fm_str_find_any(text, 0, "@>@>") != text.size) return false;
    } else {
        if (open == 0 || text.data[open] != '(' || !fm_is_blank(text.data[open - 1]) ||
            fm_str_find_any(text, open + 1, "()>>") != end)
            return false;
        where = fm_str_slice(text, open + 1, end);
    }
    if (!fm_js_location_parse_plain(where, &row->place)) return false;
    if (where.size != text.size) row->function = fm_str_trim(fm_str(text.data, open));
    row->where = where;
    return true;
}

/* Splits "NAME@safari-extension:(//ID/main.js:1:2)", into which reporters rewrite a row of Safari. */
static void split_scheme(struct fm_js_row *row)
{
    framemap_str name = row->function;
    const size_t at = fm_str_find_last_byte(name, '@');
    const framemap_str scheme = at == FM_NOT_FOUND ? name : fm_str_from(name, at + 1);
    if (!fm_str_ends(scheme, FM_STR("-extension:")) || !fm_str_starts(row->where, FM_STR("//"))) return;
    row->place.scheme = scheme;
    row->function = fm_str_slice(name, 0, at == FM_NOT_FOUND ? 0 : at);
    row->engine = FM_JS_JSC;
    row->engine_is_sure = true;
}

/* Parses "(error: (https://a.b/chunk.js))": a file without a position. Such a row is accepted only within a stack. */
static bool split_file(framemap_str text, size_t open, struct fm_js_row *row)
{
    if (open != 0 || fm_str_find_byte(row->where, '/') == FM_NOT_FOUND) return false;
    row->place = (struct fm_js_location){.kind = FM_JS_BUILTIN, .file = row->where, .target = row->where};
    row->function = fm_str_slice(text, 0, 0);
    return true;
}

/* Returns the text without the flags that Duktape prints after a row. */
static framemap_str without_flags(framemap_str text)
{
    static const framemap_str flags[] = {FM_STR_INIT(" strict"),    FM_STR_INIT(" preventsyield"),
                                         FM_STR_INIT(" construct"), FM_STR_INIT(" tailcall"),
                                         FM_STR_INIT(" internal"),  FM_STR_INIT(" directeval")};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (fm_str_ends(text, flags[i])) {
            text.size -= flags[i].size;
            /* A flag was cut off. The text may end with another one, so the list of flags is searched again. */
            i = SIZE_MAX;
        }
    return text;
}

/* Whether the closing parenthesis of a row is missing, as on NativeScript for iOS: "f(file:///app/main.js:22:0". */
static bool is_unclosed(framemap_str text, size_t open)
{
    return fm_str_find_byte(fm_str_slice(text, 0, open), '/') == FM_NOT_FOUND &&
           fm_js_begins_path(fm_str_from(text, open + 1)) && fm_str_find_byte(text, ')') == FM_NOT_FOUND;
}

/* Parses "App.js:12:5 in App" or "[native code]:null in f", the forms in which Expo and Metro print rows that they have
 * restored. */
static bool split_in(framemap_str text, struct fm_js_row *row)
{
    static const framemap_str word = FM_STR_INIT(" in "), nowhere = FM_STR_INIT(":null");
    const size_t at = fm_str_find_last(text, word);
    if (at == FM_NOT_FOUND || at == 0) return false;
    const framemap_str name = fm_str_from(text, at + word.size);
    framemap_str place = fm_str_slice(text, 0, at);
    if (name.size == 0 || fm_str_find_byte(name, ' ') != FM_NOT_FOUND) return false;
    const bool native = fm_str_ends(place, nowhere);
    if (native) place.size -= nowhere.size;
    if (!native && !fm_is_digit(place.data[at - 1])) return false;
    if (!fm_js_location_parse(place, &row->place)) return false;
    if (row->place.kind != (native ? FM_JS_BUILTIN : FM_JS_POSITION)) return false;
    if (!native && (row->place.line1 == 0 || !fm_js_is_file(row->place.file))) return false;
    row->function = name;
    return true;
}

/* Parses "Array.map @ <anonymous>", in which Datadog prints a row without a position; its URL may be undefined. */
static bool split_nowhere(framemap_str text, struct fm_js_row *row)
{
    static const framemap_str ends[] = {FM_STR_INIT(" @ <anonymous>"), FM_STR_INIT(" @ [native code]"),
                                        FM_STR_INIT(" @ native"), FM_STR_INIT(" @ undefined")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (!fm_str_ends(text, ends[i])) continue;
        row->function = fm_str_slice(text, 0, text.size - ends[i].size);
        row->where = fm_str_from(text, text.size - ends[i].size + 3);
        row->place = (struct fm_js_location){.kind = FM_JS_BUILTIN};
        if (!fm_str_equal(row->where, FM_STR("undefined"))) row->place.file = row->place.target = row->where;
        return row->function.size != 0;
    }
    return false;
}

/* Parses "Generator.next ()", which is left of "Generator.next (<anonymous>)" where the place was taken for a tag. Such
 * a row is accepted only within a stack. open: its parenthesis. */
static bool split_emptied(framemap_str text, size_t open, struct fm_js_row *row)
{
    if (open < 2 || open + 2 != text.size || text.data[open - 1] != ' ' || row->function.size == 0) return false;
    row->place = (struct fm_js_location){.kind = FM_JS_BUILTIN, .file = row->where, .target = row->where};
    return true;
}

static bool split_any(framemap_str text, struct fm_js_row *row)
{
    size_t open = 0;
    const bool parentheses = find_open(text, &open);
    if (!parentheses && (split_in(text, row) || split_nowhere(text, row))) return true;
    size_t sign = parentheses || text.size == 0 || !fm_is_digit(text.data[text.size - 1])
                      ? FM_NOT_FOUND
                      : fm_str_find(text, FM_STR(" @ "));
    /* the row was copied from the console of a browser, which prints " @ " between name and location */
    if (sign != FM_NOT_FOUND) {
        row->function = fm_str_trim(fm_str_slice(text, 0, sign));
        row->where = fm_str_trim(fm_str_from(text, sign + 3));
    } else if (parentheses) {
        row->function = fm_str_trim(fm_str_slice(text, 0, open));
        row->where = fm_str_slice(text, open + 1, text.size - 1);
    } else if ((open = fm_str_find_byte(text, '(')) != FM_NOT_FOUND && open && is_unclosed(text, open)) {
        row->function = fm_str_slice(text, 0, open);
        row->where = fm_str_from(text, open + 1);
    }
    if (!fm_js_location_parse(row->where, &row->place))
        return parentheses && (split_emptied(text, open, row) || split_file(text, open, row));
    if (parentheses && fm_str_ends(row->function, FM_STR(":"))) split_scheme(row);
    return sign == FM_NOT_FOUND || (row->place.column1 != 0 && fm_js_is_file(row->place.file));
}

/* Cuts off '", source: https://a.b/main.js (75)', which Chromium's log adds to the last line of a message. Returns
 * false if the text does not end in this form. */
static bool ends_in_source(framemap_str *text)
{
    size_t at = text->size;
    if (at < 4 || text->data[--at] != ')') return false;
    while (at && fm_is_digit(text->data[at - 1])) at--;
    if (at < 2 || text->data[at - 1] != '(' || text->data[at - 2] != ' ' || text->data[at] == ')') return false;
    const size_t source = fm_str_find_last(*text, FM_STR("\", source: "));
    if (source == FM_NOT_FOUND || source == 0) return false;
    text->size = source;
    return true;
}

/* Cuts off "(env: macOS,mp,2.01; lib: 3.17.0)", which WeChat adds to the last row. Returns false if the text does not
 * end in this form. */
static bool ends_in_env(framemap_str *text)
{
    const size_t at =
        text->size && text->data[text->size - 1] == ')' ? fm_str_find_last(*text, FM_STR("(env: ")) : FM_NOT_FOUND;
    if (at == FM_NOT_FOUND || at == 0) return false;
    text->size = at;
    return true;
}

/* Whether a name is one that only Internet Explorer prints, or Edge before it was based on Chromium. */
static bool is_of_edge(framemap_str name)
{
    static const framemap_str names[] = {FM_STR_INIT("Anonymous function"), FM_STR_INIT("Global code"),
                                         FM_STR_INIT("eval code"), FM_STR_INIT("Function code")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal(name, names[i])) return true;
    return false;
}

/* Cuts off the word "async" at the start of a location in parentheses, as in "f (async https://a.b/main.js:1:2)". The
 * word is not part of the file. */
static void cut_async(struct fm_js_row *row)
{
    const framemap_str word = FM_STR("async ");
    if (row->place.kind != FM_JS_POSITION || !fm_str_starts(row->place.file, word)) return;
    row->is_async = true;
    row->where = fm_str_from(row->where, word.size);
    row->place.file = fm_str_from(row->place.file, word.size);
    row->place.target = fm_str_from(row->place.target, word.size);
}

static void find_engine(struct fm_js_row *row)
{
    if (row->engine_is_sure) return; /* The engine is known already, for example from the URL of a browser extension. */
    row->engine_is_sure = fm_str_starts(row->where, FM_STR("address at "));
    if (row->engine_is_sure) row->engine = FM_JS_HERMES;
    const struct fm_js_location *place = &row->place;
    if ((place->kind == FM_JS_POSITION && place->column1 == 0 && place->line1) || is_of_edge(row->function)) {
        row->engine = FM_JS_OTHER;
        row->engine_is_sure = true;
    }
}

/* Whether the row belongs to a stack of Kotlin/Native: "0   app.kexe   0x0000000104c2d1a7 …". */
static bool is_numbered(struct fm_scan s)
{
    uint64_t number;
    return fm_scan_dec(&s, &number, NULL) && fm_scan_text(&s, FM_STR("  "));
}

bool fm_js_row_at(framemap_str body, bool in_stack, struct fm_js_row *out)
{
    struct fm_scan s = fm_scan_of(body);
    while (!fm_scan_done(&s) && (fm_is_blank(*s.at) || *s.at == '"' || *s.at == '\'')) s.at++;
    if (!fm_scan_done(&s) && *s.at == '\xE2' && fm_scan_text(&s, FM_STR("\xE2\x94\x82")))
        fm_scan_blanks(&s); /* in some rows "│ " precedes "at" */
    else if (!fm_scan_done(&s) && *s.at == '\xE2')
        return fm_js_row_pointer(body, out);
    if (!fm_scan_text(&s, FM_STR("at "))) return false;
    fm_scan_blanks(&s);
    if (is_numbered(s)) return false;
    out->is_async = fm_scan_text(&s, FM_STR("async "));
    framemap_str text = fm_js_without_tail(fm_scan_rest(&s));
    /* Members are set one by one, which is faster than clearing the struct; see fm_js_location_parse_plain. */
    out->head = fm_js_between(body.data, text.data);
    out->function = out->title = (framemap_str){NULL, 0};
    out->where = text;
    out->engine = FM_JS_V8;
    out->way = FM_JS_AT;
    out->engine_is_sure = false;
    out->plain = split_plain(text, out);
    if (!out->plain && (ends_in_source(&text) || ends_in_env(&text))) out->where = text;
    if (!out->plain) out->where = text = fm_js_without_engine(text);
    if (!out->plain && !split_any(text, out)) {
        const framemap_str without = without_flags(text);
        out->where = text = without;
        if (text.size < 4 || !split_any(text, out)) return false;
    }
    cut_async(out);
    out->tail = fm_js_between(text.data + text.size, body.data + body.size);
    out->sure = in_stack || is_sure_at(out, text.data[text.size - 1] == ')');
    find_engine(out);
    return true;
}

/* --- parsing rows in any syntax --- */

bool fm_js_row_any(framemap_str body, struct fm_js_row *out)
{
    return fm_js_row_at(body, true, out) || fm_js_row_sign(body, true, out) || fm_js_row_box(body, out) ||
           fm_js_row_bare(body, out) || fm_js_row_console(body, out) || fm_js_row_in(body, out) ||
           fm_js_row_call_tree(body, true, out) || fm_js_row_fields(body, out);
}

static bool is_of(const framemap_frame *frame, const struct fm_js_row *row)
{
    const framemap_str scheme = row->place.scheme, file = row->place.file;
    return fm_str_equal(frame->function, row->function) && frame->file.size == scheme.size + file.size &&
           fm_str_starts(frame->file, scheme) && fm_str_ends(frame->file, file);
}

bool fm_js_row_of(const framemap_frame *frame, framemap_str text, struct fm_js_row *out)
{
    if (fm_js_row_at(text, true, out) && is_of(frame, out)) return true;
    if (fm_js_row_sign(text, true, out) && is_of(frame, out)) return true;
    if (fm_js_row_box(text, out) && is_of(frame, out)) return true;
    if (fm_js_row_bare(text, out) && is_of(frame, out)) return true;
    if (fm_js_row_console(text, out) && is_of(frame, out)) return true;
    if (fm_js_row_in(text, out) && is_of(frame, out)) return true;
    if (fm_js_row_call_tree(text, true, out) && is_of(frame, out)) return true;
    if (fm_js_row_first(text, out) && is_of(frame, out)) return true;
    return fm_js_row_fields(text, out) && is_of(frame, out);
}
