/* Implements js_location.h: splits a location from its end: column, line, then the file. Other forms (eval,
 * WebAssembly, bytecode of Hermes, built-in functions) are chosen by the first or last byte. */
#include "formats/javascript/js_location.h"
#include "core/text/trailing_number.h"

/* --- recognizing names of files --- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Returns the size of a scheme such as "https:"; 0: there is no scheme. A single letter is not a scheme but the drive
 * of a Windows path. */
static size_t scheme(framemap_str text)
{
    size_t at = 0;
    while (at < text.size && at < 31 &&
           (is_letter(text.data[at]) || (at && (text.data[at] == '-' || text.data[at] == '+'))))
        at++;
    return at && at < text.size && text.data[at] == ':' ? at + 1 : 0;
}

bool fm_js_begins_path(framemap_str text)
{
    if (text.size == 0) return false;
    if (text.data[0] == '/' || text.data[0] == '\\' || text.data[0] == '<') return true;
    size_t size = scheme(text);
    if (size == 0 || size == text.size) return false;
    char next = text.data[size];
    return next == '/' || next == '\\' || (size > 2 && !fm_is_digit(next) && !fm_is_blank(next));
}

/* Whether a file is a source of another language whose tools also print "at FILE:1:2". */
static bool is_foreign(framemap_str file)
{
    static const framemap_str ends[] = {
        FM_STR_INIT("rs"),    FM_STR_INIT("c"),   FM_STR_INIT("cc"), FM_STR_INIT("cpp"),
        FM_STR_INIT("h"),     FM_STR_INIT("hpp"), FM_STR_INIT("m"),  FM_STR_INIT("mm"),
        FM_STR_INIT("swift"), FM_STR_INIT("zig"), FM_STR_INIT("cs"), FM_STR_INIT("java"),
        FM_STR_INIT("go"),    FM_STR_INIT("py"),  FM_STR_INIT("rb"), FM_STR_INIT("php")};
    size_t size = 0;
    while (size < file.size && size < 6 && file.data[file.size - 1 - size] != '.') size++;
    if (size == file.size || size == 6) return false;
    framemap_str end = fm_str_from(file, file.size - size);
    if (fm_str_ends(end, FM_STR("js"))) return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fm_str_equal(end, ends[i])) return true;
    return false;
}

bool fm_js_is_weex(framemap_str file)
{
    static const framemap_str words[] = {FM_STR_INIT("(weex)"), FM_STR_INIT("(weex framework)"),
                                         FM_STR_INIT("(global function)")};
    if (file.size == 0 || file.data[0] != '(') return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_equal(file, words[i])) return true;
    return false;
}

bool fm_js_is_file(framemap_str file)
{
    bool letter = false, mark = fm_js_is_weex(file);
    if (is_foreign(file)) return false;
    for (size_t i = 0; i < file.size && !(letter && mark); i++) {
        char c = file.data[i];
        letter = letter || is_letter(c) || (unsigned char)c >= 0x80;
        mark = mark || c == '/' || c == '\\' || c == '.' || c == '<' || c == '[';
    }
    return letter && (mark || fm_js_begins_path(file));
}

/* --- parsing lines and columns --- */

/* Cuts ":12" off the end of the text, and returns the number. */
static inline bool cut_number(framemap_str *text, uint32_t *number)
{
    uint64_t value;
    const size_t digits = fm_trailing_number(*text, &value), at = text->size - digits;
    if (digits == 0 || at == 0 || text->data[at - 1] != ':' || value > UINT32_MAX) return false;
    *number = (uint32_t)value;
    text->size = at - 1;
    return true;
}

framemap_str fm_js_cut_script_number(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    if (!fm_scan_text(&s, FM_STR("VM")) || !fm_scan_dec(&s, &number, NULL) || !fm_scan_byte(&s, ' ')) return text;
    return fm_scan_done(&s) ? text : fm_scan_rest(&s);
}

/* Returns the file of a position without the number of its script, and without the blank that WeChat prints after a
 * file of its library, "https://lib/WAServiceMainContext.js :1:2". */
static inline framemap_str file_of(framemap_str text)
{
    while (text.size && text.data[text.size - 1] == ' ') text.size--;
    return fm_js_without_script_number(text);
}

/* Parses "FILE:1:2" or "FILE:1", where FILE may be empty, or "1:2". */
static bool read_position(framemap_str text, struct fm_js_location *out)
{
    uint32_t last = 0, before = 0;
    uint64_t line;
    if (!cut_number(&text, &last)) return false;
    bool two = cut_number(&text, &before);
    if (!two && text.size && fm_trailing_number(text, &line) == text.size && line <= UINT32_MAX) {
        before = (uint32_t)line;
        text.size = 0;
        two = true;
    }
    if (!two && text.size == 0) return false;
    *out = (struct fm_js_location){
        .kind = FM_JS_POSITION, .file = file_of(text), .line1 = two ? before : last, .column1 = two ? last : 0};
    return true;
}

/* --- parsing locations of other forms: bytecode, WebAssembly, evaluated code --- */

#define BYTECODE FM_STR("address at ")

static bool read_bytecode(framemap_str text, struct fm_js_location *out)
{
    if (!fm_str_starts(text, BYTECODE)) return false;
    struct fm_js_location place;
    framemap_str position = fm_str_from(text, BYTECODE.size);
    /* Expo's log prints the position in parentheses. */
    if (fm_str_starts(position, FM_STR("("))) position = fm_str_from(position, 1);
    if (!read_position(position, &place) || place.line1 == 0) return false;
    *out = place;
    out->kind = FM_JS_BYTECODE;
    out->address = place.column1;
    out->column1 = 0;
    return true;
}

/* Whether the last bytes look like a position in WebAssembly. This rules out nearly all texts quickly. */
static bool ends_as_wasm(framemap_str text)
{
    size_t at = text.size;
    while (at && fm_is_hex(text.data[at - 1])) at--;
    return at && text.data[at - 1] == (at == text.size ? ']' : 'x');
}

/* Whether a file is a module of WebAssembly: its name shows that, or is a hash, which V8 prints for a module without a
 * name. */
static bool is_module(framemap_str file)
{
    enum { HASH = 8 };
    return fm_str_ends(file, FM_STR(".wasm")) || fm_str_starts(file, FM_STR("wasm://")) ||
           (file.size == HASH && fm_is_all_hex(file));
}

/* Parses "main.wasm:0x36" of the console of Chromium's tools, which leaves out the function. */
static bool read_module(framemap_str text, struct fm_js_location *out)
{
    const size_t colon = fm_str_find_last_byte(text, ':');
    if (colon == FM_NOT_FOUND || !is_module(fm_str_slice(text, 0, colon))) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, colon + 1));
    uint64_t offset;
    if (!fm_scan_0xhex(&s, &offset, NULL) || !fm_scan_done(&s)) return false;
    *out = (struct fm_js_location){
        .kind = FM_JS_BYTECODE, .file = fm_str_slice(text, 0, colon), .address = offset, .line1 = 1, .is_wasm = true};
    return true;
}

/* Parses "main.wasm[3]:0x36" and "<module>[3]:0x36" of Wasmer, for a module without a name. Wasmer prints 0xffffffff
 * for an unknown offset. */
static bool read_wasmer(framemap_str text, struct fm_js_location *out)
{
    const size_t open = fm_str_find_last_byte(text, '[');
    struct fm_js_location place = {.kind = FM_JS_BUILTIN, .is_wasm = true, .has_wasm = true};
    uint64_t index;
    if (open == FM_NOT_FOUND) return false;
    place.file = fm_str_slice(text, 0, open);
    if (!fm_str_equal(place.file, FM_STR("<module>")) && !fm_str_ends(place.file, FM_STR(".wasm"))) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, open + 1));
    if (!fm_scan_dec(&s, &index, NULL) || index > UINT32_MAX || !fm_scan_text(&s, FM_STR("]:")) ||
        !fm_scan_0xhex(&s, &place.address, NULL) || !fm_scan_done(&s))
        return false;
    place.wasm_function = (uint32_t)index;
    if (place.address != UINT32_MAX) {
        place.kind = FM_JS_BYTECODE;
        place.line1 = 1;
    }
    *out = place;
    return true;
}

/* Parses "URL:wasm-function[3]:0x36", and "wasm-function[3]:36" of V8 before 2019. */
static bool read_wasm(framemap_str text, struct fm_js_location *out)
{
    const framemap_str word = FM_STR("wasm-function[");
    const bool alone = fm_str_starts(text, word);
    if (!alone && !ends_as_wasm(text)) return false;
    size_t at = alone ? 0 : fm_str_find_last(text, FM_STR(":wasm-function["));
    if (at == FM_NOT_FOUND) return read_module(text, out) || read_wasmer(text, out);
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + word.size + !alone));
    struct fm_js_location place = {.kind = FM_JS_BUILTIN, .file = fm_str_slice(text, 0, at), .is_wasm = true};
    uint64_t index;
    if (!fm_scan_dec(&s, &index, NULL) || !fm_scan_byte(&s, ']')) return false;
    place.has_wasm = index <= UINT32_MAX;
    place.wasm_function = place.has_wasm ? (uint32_t)index : 0;
    if (fm_scan_byte(&s, ':')) {
        if (!fm_scan_0xhex(&s, &place.address, NULL) && !(alone && fm_scan_dec(&s, &place.address, NULL))) return false;
        place.kind = FM_JS_BYTECODE;
        place.line1 = 1; /* source maps treat a whole module of WebAssembly as one line */
    }
    if (!fm_scan_done(&s)) return false;
    *out = place;
    return true;
}

static bool read_builtin(framemap_str text, struct fm_js_location *out)
{
    enum { NATIVE = 2 };
    static const framemap_str words[] = {
        FM_STR_INIT("<anonymous>"),      FM_STR_INIT("native"),      [NATIVE] = FM_STR_INIT("<native>"),
        FM_STR_INIT("[native code]"),    FM_STR_INIT("[wasm code]"), FM_STR_INIT("native code"),
        FM_STR_INIT("unknown location"), FM_STR_INIT("unknown")};
    if (fm_is_digit(text.data[text.size - 1])) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_equal(text, words[i])) {
            *out = (struct fm_js_location){.kind = FM_JS_BUILTIN,
                                           .file = i == NATIVE ? fm_str_slice(text, 1, text.size - 1) : text};
            return true;
        }
    return false;
}

/* Parses "index 0", which V8 prints for an element of a list of promises. Chrome's console copies it as ":3000/index
 * 0", as if it were a path. */
static bool read_index(framemap_str text, struct fm_js_location *out)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    if (fm_scan_byte(&s, ':') && (!fm_scan_dec(&s, &number, NULL) || !fm_scan_byte(&s, '/'))) return false;
    if (!fm_scan_text(&s, FM_STR("index ")) || !fm_scan_dec(&s, &number, NULL) || !fm_scan_done(&s)) return false;
    /* The text "index 0" is stored as the file, because it is printed where other rows have the file. */
    *out = (struct fm_js_location){.kind = FM_JS_BUILTIN, .file = text};
    return true;
}

/* Finds the position of the evaluating code in "eval at f (eval at g (FILE:1:2": the innermost "(FILE:1:2". Closing
 * parentheses are not part of the chain. */
static bool read_evaluator(framemap_str chain, struct fm_js_location *out)
{
    size_t last = fm_str_find_last(chain, FM_STR("eval at "));
    framemap_str text = fm_str_from(chain, last + 8);
    struct fm_js_location place;
    while (text.size && text.data[text.size - 1] == ')') text.size--;
    size_t open = fm_str_find(text, FM_STR(" ("));
    if (open == FM_NOT_FOUND) return false;
    framemap_str target = fm_str_from(text, open + 2);
    if (!read_position(target, &place) || place.file.size == 0) return false;
    *out = place;
    out->target = target;
    out->evaluator = fm_str_slice(text, 0, open);
    return true;
}

/* Parses "eval at f (FILE:1:2)", a location without the position within the evaluated code. */
static bool read_eval_alone(framemap_str text, struct fm_js_location *out)
{
    struct fm_js_location place;
    if (!read_evaluator(text, &place)) return false;
    place.kind = FM_JS_EVALUATED;
    place.origin = text;
    *out = place;
    return true;
}

/* Parses a location of V8 such as "eval at f (…), <anonymous>:1:1". In place of <anonymous> there may be a name that
 * the code gave itself. */
static bool read_eval(framemap_str text, struct fm_js_location *out)
{
    if (!fm_str_starts(text, FM_STR("eval at "))) return false;
    size_t at = fm_str_find_last(text, FM_STR("), "));
    if (at == FM_NOT_FOUND) return read_eval_alone(text, out);
    framemap_str own = fm_str_from(text, at + 3);
    struct fm_js_location place;
    if (!read_position(own, &place)) return false;
    const struct fm_js_location inner = place;
    place.target = own;
    if (fm_str_equal(place.file, FM_STR("<anonymous>"))) {
        read_evaluator(fm_str_slice(text, 0, at), &place);
        place.kind = FM_JS_EVALUATED;
    }
    place.own_file = inner.file;
    place.own_line1 = inner.line1;
    place.own_column1 = inner.column1;
    place.origin = fm_str_slice(text, 0, at + 1);
    *out = place;
    return true;
}

/* Parses SpiderMonkey's "FILE line 3 > eval line 1 > Function:1:1": line 3 of FILE evaluates the code; the column is
 * not known. */
static void read_nested(struct fm_js_location *place)
{
    size_t mark = fm_str_find(place->file, FM_STR(" > "));
    if (mark == FM_NOT_FOUND) return;
    size_t at = fm_str_find_last(fm_str_slice(place->file, 0, mark), FM_STR(" line "));
    if (at == FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_slice(place->file, at + 6, mark));
    uint32_t line1;
    if (!fm_scan_dec32(&s, &line1) || !fm_scan_done(&s)) return;
    place->in_words = true;
    place->own_file = place->file;
    place->own_line1 = place->line1;
    place->own_column1 = place->column1;
    place->origin = fm_str_slice(place->file, 0, mark);
    if (place->kind == FM_JS_POSITION) {
        place->kind = FM_JS_EVALUATED;
        place->target = fm_str_slice(place->file, 0, mark);
    }
    place->file.size = at;
    place->line1 = line1;
    place->column1 = 0;
}

/* Parses locations other than plain positions; their first or last byte selects which form is tried. */
static bool read_special(framemap_str text, struct fm_js_location *out)
{
    switch (text.data[0]) {
    case 'e':
        if (read_eval(text, out)) return true;
        break;
    case 'a':
        if (read_bytecode(text, out)) return true;
        break;
    case 'i':
    case ':':
        if (read_index(text, out)) return true;
        break;
    default: break;
    }
    return read_builtin(text, out) || read_wasm(text, out);
}

/* Returns the first position of "FILE:1:2 <- FILE:3:4", which Karma prints for a position that it has restored. */
static framemap_str before_arrow(framemap_str text)
{
    const size_t at = fm_str_find(text, FM_STR(" <- "));
    return at == FM_NOT_FOUND || at == 0 || !fm_is_digit(text.data[at - 1]) ? text : fm_str(text.data, at);
}

/* Removes the end of "NAME, <anonymous>:1:2", which Deno prints for evaluated code that gives itself a name. */
static framemap_str without_anonymous(framemap_str file)
{
    const framemap_str end = FM_STR(", <anonymous>");
    return file.size > end.size && fm_str_ends(file, end) ? fm_str_slice(file, 0, file.size - end.size) : file;
}

bool fm_js_location_parse(framemap_str text, struct fm_js_location *out)
{
    text = before_arrow(text);
    if (text.size == 0 || !(read_special(text, out) || read_position(text, out))) return false;
    if (!out->target.data) {
        out->target = text;
        out->file = without_anonymous(out->file);
        if (out->kind == FM_JS_POSITION || out->kind == FM_JS_BYTECODE) read_nested(out);
    }
    return true;
}

/* Parses locations of the plain kind: those without parentheses or '>' that end in a colon and a number. Other
 * locations are not accepted here. */
bool fm_js_location_parse_plain(framemap_str text, struct fm_js_location *out)
{
    if (text.size && fm_find(text.data, text.size, '<')) text = before_arrow(text);
    const bool bytecode = fm_str_starts(text, BYTECODE);
    framemap_str file = bytecode ? fm_str_from(text, BYTECODE.size) : text;
    uint32_t line1, column1;
    if (!cut_number(&file, &column1) || !cut_number(&file, &line1) || (bytecode && line1 == 0)) return false;
    /* Members are set one by one: compilers would clear the struct with "rep stos", which is slower. */
    out->kind = bytecode ? FM_JS_BYTECODE : FM_JS_POSITION;
    out->file = file_of(file);
    out->line1 = line1;
    out->column1 = bytecode ? 0 : column1;
    out->address = bytecode ? column1 : 0;
    out->target = text;
    out->evaluator = (framemap_str){NULL, 0};
    out->in_words = out->in_fields = out->is_wasm = out->has_wasm = false;
    out->origin = out->scheme = (framemap_str){NULL, 0};
    return true;
}
