/* Parses rows of SpiderMonkey and JavaScriptCore, NAME@FILE:1:2, also with a number before the name. */
#include "formats/javascript/js_row_at_sign.h"
#include "formats/javascript/js_heading.h"

/* maximum number of words of a logger that may precede an error; each word costs a search through the text */
#define TITLED 4

static bool is_engine_code(framemap_str where)
{
    return fm_str_equal(where, FM_STR("[native code]")) || fm_str_equal(where, FM_STR("[wasm code]"));
}

/* Whether the text begins with a URL. An '@' in a URL is a part of it: "https://a.b/vue@2.6.1/vue.js:1:2". */
static bool begins_url(framemap_str text)
{
    const size_t scheme = fm_str_find(text, FM_STR("://"));
    return scheme != FM_NOT_FOUND && scheme < fm_str_find_byte(text, '@') && fm_js_begins_path(text);
}

/* Finds the '@' that ends the name: the first '@' that a full path follows, or else the last '@'. */
static size_t find_sign(framemap_str text)
{
    size_t last = FM_NOT_FOUND;
    const char *p = text.data, *end = p + text.size;
    while ((p = fm_find(p, (size_t)(end - p), '@'))) {
        size_t at = (size_t)(p++ - text.data);
        framemap_str rest = fm_str_from(text, at + 1);
        if (fm_js_begins_path(rest) || is_engine_code(rest)) return at;
        last = at;
    }
    return begins_url(text) ? FM_NOT_FOUND : last;
}

static bool is_code_word(framemap_str name)
{
    return fm_str_equal(name, FM_STR("global code")) || fm_str_equal(name, FM_STR("module code")) ||
           fm_str_equal(name, FM_STR("eval code"));
}

/* Whether a name that contains a blank begins with a word that may be followed by a blank in a name, as in "global
 * code". */
static bool has_known_blank(framemap_str name)
{
    return is_code_word(name) || fm_str_starts(name, FM_STR("get ")) || fm_str_starts(name, FM_STR("set "));
}

/* Whether the text before an '@' is a function's name as engines print it, not prose or a path. */
static bool is_name(framemap_str name)
{
    if (name.size == 0 || has_known_blank(name)) return true;
    if (name.data[0] == '/' || fm_str_find_byte(name, ':') != FM_NOT_FOUND) return false;
    return fm_str_find_byte(name, ' ') == FM_NOT_FOUND || fm_str_ends(name, FM_STR(")"));
}

static bool is_script(framemap_str file)
{
    static const char *const ends[] = {"js", "bundle", ".hbc", ".ts", ".tsx", ".jsx", ".mts", ".cts", ".vue"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fm_str_ends(file, fm_str(ends[i], strlen(ends[i])))) return true;
    return fm_str_find_byte(file, '/') != FM_NOT_FOUND || fm_js_is_weex(file);
}

static bool is_sure_sign(const struct fm_js_row *row)
{
    const struct fm_js_location *place = &row->place;
    if (!is_name(row->function)) return false;
    if (place->kind == FM_JS_BUILTIN) return is_engine_code(row->where);
    if (place->kind == FM_JS_BYTECODE) return true;
    if (place->kind != FM_JS_POSITION && place->kind != FM_JS_EVALUATED) return false;
    /* A line in the log of a CI job, "…/runs/66#step:6:570", is not a row. */
    if (fm_str_ends(place->file, FM_STR("#step"))) return false;
    if (fm_js_begins_path(place->file) && (place->column1 || fm_str_find(place->file, FM_STR("://")) != FM_NOT_FOUND))
        return true;
    if (place->column1 == 0 && fm_str_find(row->where, FM_STR(" > ")) == FM_NOT_FOUND) return false;
    return fm_js_is_file(place->file) && is_script(place->file);
}

/* Returns the size of the word that SpiderMonkey prints before the name of an asynchronous caller, "async*" or
 * "setTimeout handler*"; 0: there is no such word. */
static size_t cause(framemap_str name)
{
    size_t at = fm_str_find_byte(name, '*');
    for (size_t i = 0; at != FM_NOT_FOUND && i < at; i++) {
        char c = name.data[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != ' ' && c != '.') return 0;
    }
    return at == FM_NOT_FOUND || at == 0 ? 0 : at + 1;
}

static void find_engine(struct fm_js_row *row, size_t cause_size)
{
    framemap_str name = row->function;
    bool wasm =
        fm_str_ends(row->where, FM_STR("]")) && fm_str_find(row->where, FM_STR(":wasm-function[")) != FM_NOT_FOUND;
    bool jsc = row->where.size == 0 || is_engine_code(row->where) || is_code_word(name) ||
               (row->place.kind == FM_JS_POSITION &&
                (row->place.file.size == 0 || fm_str_ends(row->place.file, FM_STR(".jsbundle")) ||
                 fm_js_is_weex(row->place.file))) ||
               (wasm && row->place.kind == FM_JS_BUILTIN);
    row->engine = jsc ? FM_JS_JSC : FM_JS_SPIDERMONKEY;
    row->engine_is_sure = jsc || cause_size || fm_str_ends(name, FM_STR("<")) || row->place.in_words;
}

/* Returns the size of the number before a row of Cocos Creator, such as "[12]", which the name follows directly; 0:
 * there is no number. */
static size_t row_number(framemap_str name)
{
    struct fm_scan s = fm_scan_of(name);
    uint64_t number;
    if (!fm_scan_byte(&s, '[') || !fm_scan_dec(&s, &number, NULL) || !fm_scan_byte(&s, ']')) return 0;
    return fm_scan_done(&s) || fm_is_blank(*s.at) || *s.at == '[' ? 0 : (size_t)(s.at - name.data);
}

/* Returns the size of the number before a row of NativeScript on iOS, which fills four columns at least: "1   onTap",
 * "12  run"; 0: there is no such number. */
static size_t column_number(framemap_str name)
{
    struct fm_scan s = fm_scan_of(name);
    uint64_t number;
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_blanks1(&s)) return 0;
    const size_t size = (size_t)(s.at - name.data);
    return size >= 4 ? size : 0;
}

/* Whether a row with a number is certain: it has a function's name and the file name of a script. Such rows are those
 * of Cocos Creator, which prints neither folders nor columns. */
static bool is_sure_numbered(const struct fm_js_row *row)
{
    return row->place.kind == FM_JS_POSITION && is_name(row->function) && fm_js_is_file(row->place.file) &&
           is_script(row->place.file);
}

/* Returns the size of the word that a logger printed before a name, "E/tag: " or "[javascript] "; 0: there is no such
 * word. A word that contains quotes or brackets is part of the name: 'o["a: b"]'. */
static size_t word_before_name(framemap_str name)
{
    const bool bracket = name.size && *name.data == '[';
    const size_t end = bracket ? fm_str_find_byte(name, ']') : fm_str_find(name, FM_STR(": "));
    if (end == FM_NOT_FOUND || end + 1 >= name.size) return 0;
    for (size_t i = bracket; i < end; i++)
        if (name.data[i] == '"' || name.data[i] == '\'' || name.data[i] == '[') return 0;
    if (!bracket || name.data[end + 1] == ' ') return end + 2;
    return name.data[end + 1] == '[' ? end + 1 : 0;
}

/* Returns the offset of the comma that Emscripten prints between an error and its stack, "exception thrown:
 * RuntimeError: x,run(int, int)"; FM_NOT_FOUND: there is none. Commas within parentheses and brackets belong to the
 * name, and those before a blank to the message. */
static size_t comma_of_emscripten(framemap_str name)
{
    long depth = 0;
    if (fm_str_find(name, FM_STR("exception thrown: ")) == FM_NOT_FOUND) return FM_NOT_FOUND;
    for (size_t at = name.size; at-- > 1;) {
        const char c = name.data[at];
        depth += (c == ')' || c == '>') - (c == '(' || c == '<');
        if (c == ',' && depth == 0 && at + 1 < name.size && !fm_is_blank(name.data[at + 1])) return at;
    }
    return FM_NOT_FOUND;
}

/* Returns the size of the error that precedes the name of the first frame on the same line, "TypeError: x: "; 0: there
 * is no error. */
static size_t title_before_name(framemap_str name, framemap_str *title)
{
    const size_t comma = comma_of_emscripten(name);
    if (comma != FM_NOT_FOUND && fm_js_head(fm_str_slice(name, 0, comma), false, title)) return comma + 1;
    const size_t end = fm_str_find_last(name, FM_STR(": "));
    if (end == FM_NOT_FOUND || !fm_js_head(fm_str_slice(name, 0, end), false, title)) return 0;
    return end + 2;
}

/* Skips the text before the name: words of loggers, and an error. Returns whether the text may be a row even outside of
 * a stack. */
static bool skip_before_name(struct fm_js_row *row)
{
    bool alone = true, more = true;
    for (unsigned words = 0; more; words++) {
        const size_t title = words < TITLED ? title_before_name(row->function, &row->title) : 0,
                     size = title ? title : word_before_name(row->function);
        alone = title || (alone && size == 0);
        more = size && title == 0;
        row->function = fm_str_from(row->function, size);
    }
    return alone;
}

/* Whether the text is a script's name and a position, "index.android.bundle:1:2" or "1.js:6:7". React Native prints
 * such rows, without function and path, and so does Weex, "(weex):1:2". */
static bool is_bare_script(framemap_str text)
{
    if (text.size && text.data[0] == '(' && fm_js_is_weex(fm_str_slice(text, 0, fm_str_find_byte(text, ':'))))
        return true;
    return (fm_str_find(text, FM_STR("bundle:")) != FM_NOT_FOUND ||
            fm_str_find(text, FM_STR(".js:")) != FM_NOT_FOUND) &&
           fm_str_find_byte(text, ' ') == FM_NOT_FOUND;
}

/* Whether the text is the URL of a file, "https://a.b/main.js". "http://a.b" is not: a path must follow the host's
 * name. */
static bool is_url(framemap_str file)
{
    const size_t host = fm_str_find(file, FM_STR("://"));
    return host != FM_NOT_FOUND && host > 0 && fm_str_find_byte(file, ' ') == FM_NOT_FOUND && fm_js_is_file(file) &&
           !fm_str_ends(file, FM_STR(".dart")) && fm_str_find_byte(fm_str_from(file, host + 3), '/') != FM_NOT_FOUND;
}

/* Whether the text after an '@' is that of a shell's prompt, whose command ends like a position: "host:~/shop$ date
 * 10:20:30", "host shop]# node a.js:1:2". */
static bool is_prompt(framemap_str where)
{
    static const framemap_str ends[] = {FM_STR_INIT("$ "), FM_STR_INIT("# "), FM_STR_INIT("% ")};
    const size_t blank = fm_str_find_byte(where, ' '), colon = fm_str_find_byte(where, ':');
    /* a colon after a single letter belongs to a drive of Windows */
    if (blank == FM_NOT_FOUND || colon == 1) return false;
    const framemap_str path = colon < blank ? fm_str_from(where, colon + 1) : (framemap_str){NULL, 0};
    const bool has_path = path.size > 1 && (path.data[0] == '~' || (path.data[0] == '/' && path.data[1] != '/'));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t at = fm_str_find(where, ends[i]);
        if (at != FM_NOT_FOUND && at > 0 && (has_path || where.data[at - 1] == ']')) return true;
    }
    return false;
}

/* Splits a row at its '@'. Within a stack, a row without '@' is accepted too. */
static bool split_sign(framemap_str text, bool in_stack, struct fm_js_row *row)
{
    size_t at = find_sign(text);
    if (at != FM_NOT_FOUND) {
        row->function = fm_str_slice(text, 0, at);
        row->where = fm_str_from(text, at + 1);
        /* React Native prints nothing, or -1, as the location of native code. */
        const bool native = row->where.size == 0 || fm_str_equal(row->where, FM_STR("-1"));
        if (native) row->place.kind = FM_JS_BUILTIN;
        return native || (fm_js_location_parse(row->where, &row->place) && !is_prompt(row->where));
    }
    if (is_code_word(text)) {
        row->function = text;
        row->where = fm_str_from(text, text.size);
        row->place.kind = FM_JS_BUILTIN;
        return true;
    }
    row->function = fm_str_slice(text, 0, 0);
    row->where = text;
    if (is_engine_code(text)) return in_stack && fm_js_location_parse(text, &row->place);
    if (!fm_js_begins_path(text) && !(in_stack && is_bare_script(text))) return false;
    return fm_js_location_parse(text, &row->place) && row->place.kind == FM_JS_POSITION && row->place.column1 &&
           (in_stack || is_url(row->place.file));
}

static bool is_quote(char c) { return c == '"' || c == '\''; }

bool fm_js_row_sign(framemap_str body, bool in_stack, struct fm_js_row *out)
{
    size_t begin = 0;
    while (begin < body.size && (fm_is_blank(body.data[begin]) || is_quote(body.data[begin]))) begin++;
    if (fm_str_starts(fm_str_from(body, begin), FM_STR("stack: "))) {
        begin += 7; /* The row is the property "stack" of an error; the text before the row is skipped. */
        if (begin < body.size && is_quote(body.data[begin])) begin++;
    }
    framemap_str text = fm_js_without_tail(fm_str_from(body, begin));
    *out = (struct fm_js_row){.engine = FM_JS_SPIDERMONKEY, .way = FM_JS_SIGN};
    if (text.size == 0 || !split_sign(text, in_stack, out)) return false;
    out->function = fm_str_from(out->function, column_number(out->function));
    const size_t number = row_number(out->function);
    out->function = fm_str_from(out->function, number);
    const bool alone = number == 0 && skip_before_name(out);
    size_t cut = cause(out->function);
    if (cut == 0 && fm_str_starts(out->function, FM_STR("async "))) cut = 6;
    out->is_async = cut > 0;
    out->function = fm_str_from(out->function, cut);
    /* React Native misread rows of Hermes and prints "f (address at@1:12". */
    if (fm_str_ends(out->function, FM_STR(" (address at"))) out->function.size -= 12;
    out->head = fm_js_between(body.data, out->function.data);
    out->tail = fm_js_between(text.data + text.size, body.data + body.size);
    out->sure = in_stack || (alone && is_sure_sign(out)) || (number && is_sure_numbered(out));
    find_engine(out, cut > 0 && out->function.data[-1] == '*' ? cut : 0);
    return true;
}
