/* Implements js_heading.h: strips, one after the other, what consoles and loggers put before an error, and recognizes
 * the error by its name; also recognizes source lines, carets and component stacks between frames. */
#include "formats/javascript/js_heading.h"

/* this many titles may precede an error, as in "⚡️  [error] - ERROR Error: Uncaught (in promise): " */
#define TITLES 6

/* Returns the text after "(node:4242) ", which Node prints before warnings and rejections. */
static framemap_str without_process(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT("(node:");
    uint64_t process;
    if (text.size == 0 || text.data[0] != '(' || !fm_str_starts(text, mark)) return text;
    struct fm_scan s = fm_scan_of(fm_str_from(text, mark.size));
    return fm_scan_dec(&s, &process, NULL) && fm_scan_text(&s, FM_STR(") ")) ? fm_scan_rest(&s) : text;
}

/* Returns the text after words in brackets that loggers print: "[error][tid:com.facebook.react.JavaScript] ". */
static framemap_str without_brackets(framemap_str text)
{
    size_t end = text.size && text.data[0] == '[' ? fm_str_find_byte(text, ']') : FM_NOT_FOUND;
    if (end == FM_NOT_FOUND || end + 1 >= text.size ||
        fm_str_find_byte(fm_str_slice(text, 0, end), ' ') != FM_NOT_FOUND)
        return text;
    char next = text.data[end + 1];
    return next == ' ' || next == '[' ? fm_str_trim(fm_str_from(text, end + 1)) : text;
}

/* Skips a sign and the blanks after it: a cross that Next.js prints before "Error: x", or the flash of Capacitor, which
 * is followed by a second character (U+FE0F). Characters of scripts other than Latin are not skipped as signs. */
static framemap_str without_sign(framemap_str text)
{
    const unsigned char lead = text.size ? (unsigned char)text.data[0] : 0;
    const size_t size = lead == 0xE2 ? 3 : lead == 0xF0 ? 4 : 0;
    if (size == 0 || text.size <= size) return text;
    framemap_str rest = fm_str_from(text, size);
    if (fm_str_starts(rest, FM_STR("\xEF\xB8\x8F"))) rest = fm_str_from(rest, 3);
    return rest.size && fm_is_blank(rest.data[0]) ? fm_str_trim(rest) : text;
}

/* Skips the words that the listener in Node's documentation prints before the reason of a rejection: "Unhandled
 * Rejection at: Promise { <pending> } reason: ". The promise may also be on lines of its own. */
static framemap_str without_promise(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT("} reason: ");
    if (fm_str_starts(text, mark)) return fm_str_from(text, mark.size);
    if (!fm_str_starts(text, FM_STR("Unhandled Rejection at: "))) return text;
    const size_t at = fm_str_find(text, mark);
    return at == FM_NOT_FOUND ? text : fm_str_from(text, at + mark.size);
}

/* Whether the text begins with an error such as "TypeError: x". A name with dots is not accepted, since it may be the
 * name of a Java class. */
static bool begins_with_error(framemap_str text)
{
    const size_t colon = fm_str_find_byte(fm_str_slice(text, 0, 64), ':');
    const framemap_str name = fm_str_slice(text, 0, colon);
    if (colon == FM_NOT_FOUND || !fm_error_is_name(name)) return false;
    return fm_error_word_size(name) == name.size && fm_str_find_byte(name, '.') == FM_NOT_FOUND;
}

/* Returns the text after "Error: Uncaught ", if an error follows: "Error: Uncaught (in promise): TypeError: x" of
 * Angular, "Error: Uncaught [TypeError: x]" of jsdom. In "Error: Uncaught exception" the words are the message. */
static framemap_str without_uncaught(framemap_str text)
{
    static const framemap_str title = FM_STR_INIT("Error: Uncaught ");
    if (!fm_str_begins(text, title)) return text;
    const framemap_str rest = fm_str_trim(fm_str_from(text, title.size));
    const bool is_title = rest.size && (rest.data[0] == '(' || rest.data[0] == '[' || begins_with_error(rest));
    return is_title ? rest : text;
}

/* Returns the text after GNOME's "JS ERROR: ", and after "Exception in callback for signal: destroy: " there. The log
 * of GLib may be in front: "(shop:12): Gjs-CRITICAL **: 10:00:00.123: JS ERROR: TypeError: x". */
static framemap_str without_gnome(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT("JS ERROR: ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return text;
    const framemap_str rest = fm_str_from(text, at + mark.size);
    if (!fm_str_starts(rest, FM_STR("Exception in "))) return rest;
    framemap_str inner = rest;
    for (size_t colon; (colon = fm_str_find(inner, FM_STR(": "))) != FM_NOT_FOUND;) {
        inner = fm_str_from(inner, colon + 2);
        if (begins_with_error(inner)) return inner;
    }
    return rest;
}

/* Returns the text after the class of an error that VS Code prints before the error itself: "TypeError TypeError: x",
 * "ManagedError Error: x". */
static framemap_str without_class(framemap_str text)
{
    const size_t blank = fm_str_find_byte(fm_str_slice(text, 0, 64), ' ');
    if (blank == FM_NOT_FOUND || !fm_error_is_name(fm_str_slice(text, 0, blank))) return text;
    const framemap_str rest = fm_str_from(text, blank + 1);
    return begins_with_error(rest) ? rest : text;
}

static framemap_str without_jsc(framemap_str text)
{
    static const framemap_str word = FM_STR_INIT("Exception: ");
    return fm_str_starts(text, word) ? fm_str_from(text, word.size) : text;
}

/* Returns the text after what Weex, and so uni-app, prints before an error: "reportJSException >>>> exception
 * function:f, exception:white screen cause create instanceContext failed,check js stack ->Uncaught TypeError: x",
 * "ReportException : TypeError: x". */
static framemap_str without_weex(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT("reportJSException >>>> "), old = FM_STR_INIT("ReportException :"),
                              error = FM_STR_INIT(", exception:"),
                              ends[] = {FM_STR_INIT("check js stack ->"), FM_STR_INIT("JavaScript execute error!")};
    if (fm_str_begins(text, old)) return fm_str_trim(fm_str_from(text, old.size));
    if (!fm_str_begins(text, mark)) return text;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t at = fm_str_find(text, ends[i]);
        if (at == FM_NOT_FOUND) continue;
        return without_jsc(fm_str_from(text, at + ends[i].size));
    }
    const size_t last = fm_str_find(text, error);
    return last == FM_NOT_FOUND ? text : without_jsc(fm_str_from(text, last + error.size));
}

/* Returns the text after Emscripten's "exception thrown: ". It prints the error and then its stack, which begins with
 * the error again in V8, with a comma between the two: "RuntimeError: x,RuntimeError: x". */
static framemap_str without_emscripten(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT("exception thrown: ");
    if (!fm_str_begins(text, mark)) return text;
    const framemap_str rest = fm_str_trim(fm_str_from(text, mark.size));
    const size_t half = rest.size / 2;
    const bool twice = rest.size % 2 && rest.data[half] == ',' &&
                       fm_str_equal(fm_str_slice(rest, 0, half), fm_str_from(rest, half + 1));
    return twice ? fm_str_slice(rest, 0, half) : rest;
}

/* Returns the text after titles that error reporters print before an error. thrown: the text after them may be a value
 * that is not an error, such as "[object Object]", so nothing in brackets is a title. */
static framemap_str without_titles(framemap_str text, bool thrown)
{
    static const framemap_str titles[] = {
        FM_STR_INIT("[cause]: "),
        FM_STR_INIT("[suppressed]: "),
        FM_STR_INIT("[runtime not ready]: "), /* title printed by React Native before the app has started */
        FM_STR_INIT("Unhandled Promise Rejection: "),
        FM_STR_INIT("Unhandled rejection "), /* title printed by Bluebird */
        FM_STR_INIT("unhandledRejection: "), /* title printed by Next.js */
        FM_STR_INIT("uncaughtException: "),
        FM_STR_INIT("<rejected> "),                        /* title printed by Node's console in a promise */
        FM_STR_INIT("UnhandledPromiseRejectionWarning: "), /* title printed by Node before 15 */
        FM_STR_INIT("Unhandled JS Exception: "),
        FM_STR_INIT("(in promise) "),
        FM_STR_INIT("(in promise): "),   /* title printed by Angular */
        FM_STR_INIT("- "),               /* title printed by Ionic, after a word in brackets */
        FM_STR_INIT("ERROR: Uncaught "), /* title printed by Cocos Creator */
        FM_STR_INIT("JS: "),             /* title printed by NativeScript */
        FM_STR_INIT("NativeScript encountered a fatal error: "),
        FM_STR_INIT("{ "), /* title printed by Node before 12, before an error that has properties */
        FM_STR_INIT("\""), /* quote printed by Chromium's log, as in '[INFO:CONSOLE(75)] "Uncaught Error: x' */
        FM_STR_INIT("[")};
    static framemap_str (*const steps[])(framemap_str) = {without_sign,     without_promise,  without_process,
                                                          without_brackets, without_uncaught, without_emscripten,
                                                          without_weex,     without_class};
    for (size_t turn = 0; turn < TITLES; turn++) {
        size_t before = text.size;
        if (thrown && before && text.data[0] == '[') break;
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) text = steps[i](text);
        if (text.size == before) text = fm_error_without_title(text);
        for (size_t i = 0; i < sizeof titles / sizeof *titles && text.size == before; i++) {
            if (fm_str_begins(text, titles[i])) text = fm_str_trim(fm_str_from(text, titles[i].size));
        }
        if (text.size == before) break;
    }
    return text;
}

/* Whether a line is the title of source code in Expo's console: "Code: Cart.tsx". */
static bool is_code_title(framemap_str body)
{
    static const char *const ends[] = {".tsx", ".ts", ".jsx", ".js"};
    if (!fm_str_begins(body, FM_STR("Code: "))) return false;
    const framemap_str text = fm_str_trim(body);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fm_str_ends(text, framemap_str_of(ends[i]))) return true;
    return false;
}

bool fm_js_is_detail(framemap_str body)
{
    static const framemap_str begins[] = {FM_STR_INIT("StackTrace:"),
                                          FM_STR_INIT("File: \""),
                                          FM_STR_INIT("File: \\\""),
                                          FM_STR_INIT("Error code:"),
                                          FM_STR_INIT("SourceCode:"),
                                          FM_STR_INIT("Sourcecode:"),
                                          FM_STR_INIT("Cannot get SourceMap info")};
    const framemap_str text = fm_str_trim(body);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (fm_str_begins(body, begins[i])) return true;
    /* a line "at" is above the rows of a fatal error of NativeScript */
    return is_code_title(body) || fm_str_equal(text, FM_STR("at")) || fm_str_equal_nocase(text, FM_STR("stack:")) ||
           fm_str_equal_nocase(text, FM_STR("stacktrace:"));
}

/* Returns the text after the location that Chrome's console prints before an error: "main.js:1 Uncaught TypeError:
 * x". */
static framemap_str without_place(framemap_str text)
{
    size_t blank = fm_str_find_byte(text, ' ');
    if (blank == FM_NOT_FOUND || blank < 2 || !fm_is_digit(text.data[blank - 1])) return text;
    framemap_str rest = fm_str_trim(fm_str_from(text, blank));
    if (fm_str_starts(rest, FM_STR("Uncaught ")) || fm_str_starts(rest, FM_STR("exception thrown: "))) return rest;
    const framemap_str place = fm_str_slice(text, 0, blank);
    const size_t mark = fm_str_find_last_byte(place, ':');
    return mark != FM_NOT_FOUND && mark > 0 && begins_with_error(rest) ? rest : text;
}

/* Returns the text without an ending such as ", stack:", which announces the stack. */
static framemap_str without_announcement(framemap_str text)
{
    if (fm_js_announces(text)) text.size = fm_str_find_last(text, FM_STR("stack:"));
    while (text.size && (fm_is_blank(text.data[text.size - 1]) || text.data[text.size - 1] == ',')) text.size--;
    return text;
}

static bool read_error(framemap_str text, bool near, framemap_str *error)
{
    /* some errors of React have a name of two words, "Invariant Violation" */
    const size_t first = fm_str_starts(text, FM_STR("Invariant Violation:")) ? sizeof "Invariant " - 1 : 0;
    const size_t size = fm_error_name_size(fm_str_from(text, first));
    if (size == 0) return false;
    const bool colon = size < text.size && text.data[size] == ':';
    if (first == 0 && !fm_error_is_name(fm_str_slice(text, 0, size)) &&
        !(near && colon && text.data[0] >= 'A' && text.data[0] <= 'Z'))
        return false;
    if (fm_js_is_detail(text)) return false;
    /* a line with "Arguments: [" is not an error, but the last line of a message of dart2js */
    if (fm_str_starts(text, FM_STR("Arguments: ["))) return false;
    text = without_announcement(text);
    *error = fm_str_slice(text, 0, fm_str_find_last(text, FM_STR(", js engine: ")));
    return true;
}

/* Returns the text of a string in a JSON list: "TypeError: x" for '"TypeError: x",'. */
static framemap_str without_quotes(framemap_str text)
{
    const size_t size = fm_str_ends(text, FM_STR(",")) ? text.size - 1 : text.size;
    if (size < 3 || text.data[0] != '"' || text.data[size - 1] != '"' || text.data[size - 2] == '\\') return text;
    return fm_str_slice(text, 1, size - 1);
}

/* Cuts off what precedes the exception in which React Native for Android wraps an error: "Fatal Exception:
 * com.facebook.react.common.JavascriptException: TypeError: x", "terminating due to uncaught exception of type
 * facebook::jni::JniException: com.facebook.react.common.JavascriptException: TypeError: x, stack:". */
static framemap_str from_wrapper(framemap_str text)
{
    const size_t at = fm_str_find(text, FM_STR("com.facebook.react.common.JavascriptException: "));
    return at == FM_NOT_FOUND ? text : fm_str_from(text, at);
}

/* Cuts off what React Native's host for Android puts before an error: "ReactHost{0}.handleHostException(message =
 * "TypeError: x, stack:". */
static framemap_str without_host(framemap_str text)
{
    static const framemap_str call = FM_STR_INIT(".handleHostException(message = \"");
    const size_t at = fm_str_find(text, call);
    return at == FM_NOT_FOUND ? text : fm_str_from(text, at + call.size);
}

bool fm_js_head(framemap_str body, bool near, framemap_str *error)
{
    framemap_str line = without_place(without_quotes(fm_str_trim(body)));
    const size_t message = fm_str_begins(line, FM_STR("File: ")) ? fm_str_find(line, FM_STR(" - Msg: ")) : FM_NOT_FOUND;
    /* Capacitor's console prints "File: … - Msg: ERROR" */
    if (message != FM_NOT_FOUND) line = fm_str_from(line, message + 8);
    const bool announces = fm_js_announces(line);
    line = from_wrapper(line);
    line = without_gnome(without_host(line));
    size_t unhandled = announces ? fm_str_find_last(line, FM_STR("Unhandled JS Exception: ")) : FM_NOT_FOUND;
    /* a crash report of iOS has the error, after "Unhandled JS Exception: ", as the reason of its exception */
    if (unhandled != FM_NOT_FOUND) line = fm_str_from(line, unhandled);
    if (read_error(without_titles(line, false), near, error)) return true;
    if (!near) return false;
    if (fm_str_starts(line, FM_STR("error: "))) {
        *error = line; /* Bun prints an uncaught plain Error as "error: MESSAGE" */
        return true;
    }
    /* React Native before 0.60 prints the message of an error without the error's name. */
    if (unhandled != FM_NOT_FOUND) {
        *error = without_announcement(without_titles(line, true));
        *error = fm_str_slice(*error, 0, fm_str_find_last(*error, FM_STR(", js engine: ")));
        return error->size != 0;
    }
    if (!fm_str_starts(line, FM_STR("Uncaught "))) return false;
    *error = without_titles(line, true); /* The thrown value was not an error: the line has only its text. */
    return error->size != 0;
}

bool fm_js_is_caret(framemap_str body)
{
    const framemap_str text = fm_str_trim(body);
    return text.size == 1 && *text.data == '^';
}

/* Whether the text is a source line, "12 | code", "> 12 | code" or "12| code", as printed below restored frames and by
 * test runners. */
static bool is_source_line(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    if (fm_scan_byte(&s, '>')) fm_scan_blanks(&s);
    return fm_scan_dec(&s, &number, NULL) && (fm_scan_text(&s, FM_STR(" |")) || fm_scan_byte(&s, '|'));
}

/* Whether a name is one that WeChat prints for a callback: "<SelectorQuery callback function>". */
static bool is_callback(framemap_str name)
{
    return name.size > 2 && name.data[0] == '<' && fm_str_find_byte(name, '>') == name.size - 1 &&
           fm_str_find_byte(fm_str_from(name, 1), '<') == FM_NOT_FOUND;
}

/* Whether the text is a line of React's component stack: "in View", "in View (created by App)", "at div", "at
 * <SelectorQuery callback function>". */
static bool is_component(framemap_str text)
{
    bool in = fm_str_starts(text, FM_STR("in "));
    if (!in && !fm_str_starts(text, FM_STR("at "))) return false;
    framemap_str name = fm_str_trim(fm_str_from(text, 3));
    size_t by = in ? fm_str_find(name, FM_STR(" (created by ")) : FM_NOT_FOUND;
    if (by != FM_NOT_FOUND) name = fm_str_slice(name, 0, by);
    if (is_callback(name)) return true;
    return name.size != 0 && fm_error_word_size(name) == name.size;
}

bool fm_js_is_gap(framemap_str body)
{
    framemap_str text = fm_str_trim(body);
    if (text.size == 0) return false;
    switch (text.data[0]) {
    case '.': return fm_str_starts(text, FM_STR("... "));
    case 'i':
    case 'a': return is_component(text);
    case '|': return fm_js_is_caret(fm_str_from(text, 1));
    case '^': return fm_js_is_caret(text);
    default: return (fm_is_digit(text.data[0]) || text.data[0] == '>') && is_source_line(text);
    }
}

framemap_str fm_js_before_stack(framemap_str body)
{
    if (!fm_str_ends(body, FM_STR(", stack:"))) return fm_str(NULL, 0);
    const framemap_str text = without_announcement(body);
    return fm_str_slice(text, 0, fm_str_find_last(text, FM_STR(", js engine: ")));
}

bool fm_js_announces(framemap_str body) { return fm_str_ends(body, FM_STR("stack:")); }

bool fm_js_announces_bare(framemap_str body)
{
    framemap_str text = fm_str_trim(body);
    if (fm_str_ends(text, FM_STR(":"))) text.size--;
    return fm_str_equal(text, FM_STR("Call Stack")) || fm_str_equal(text, FM_STR("Component Stack")) ||
           fm_str_equal(text, FM_STR("----- JavaScript stack trace -----")) || fm_str_starts(text, FM_STR("[Error] "));
}
