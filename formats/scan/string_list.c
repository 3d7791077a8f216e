/* Finds lists of strings that are the lines of a stack. AWS Lambda logs and returns errors in this form. */
#include "formats/scan/string_list.h"
#include "core/text/scan.h"
#include "core/text/trailing_number.h"

enum { ELEMENTS_MOST = 24 }; /* this many strings at the start of a list are searched for a row of a stack */

/* Whether a row that begins with "at " is a row of .NET: it has " in " and a line, an offset, or parameters. Rows of
 * Java and JavaScript have the position in parentheses, and their parsers accept a quote before a row. */
static bool is_dotnet(framemap_str text)
{
    static const framemap_str marks[] = {FM_STR_INIT(":line "), FM_STR_INIT(" [0x"), FM_STR_INIT(" <0x")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fm_str_find(text, marks[i]) != FM_NOT_FOUND) return true;
    const size_t open = fm_str_find_byte(text, '(');
    if (open == FM_NOT_FOUND || fm_is_blank(text.data[open - 1]) || !fm_str_ends(text, FM_STR(")"))) return false;
    const framemap_str inside = fm_str_slice(text, open + 1, text.size - 1);
    return inside.size == 0 ||
           (fm_str_find_byte(inside, ' ') != FM_NOT_FOUND && !fm_str_equal(inside, FM_STR("Native Method")) &&
            !fm_str_starts(inside, FM_STR("Unknown Source")));
}

bool fm_string_list_is_python(framemap_str text)
{
    static const framemap_str start = FM_STR_INIT("File \\");
    text = fm_str_trim(text);
    return fm_str_starts(text, start) && fm_str_find(text, FM_STR("\", line ")) != FM_NOT_FOUND;
}

bool fm_string_list_is_row(framemap_str text)
{
    text = fm_str_trim(text);
    if (text.size < 4) return false;
    if (fm_string_list_is_python(text)) return true;
    if (text.data[0] == '#') return fm_is_digit(text.data[1]);
    if (fm_is_digit(text.data[0])) return fm_is_blank(text.data[1]) || fm_is_blank(text.data[2]);
    if (fm_str_starts(text, FM_STR("at "))) return is_dotnet(text);
    if (fm_str_ends(text, FM_STR("]"))) return fm_str_find(text, FM_STR("[0x")) != FM_NOT_FOUND; /* glibc */
    return fm_str_find(text, FM_STR(":in `")) != FM_NOT_FOUND || fm_str_find(text, FM_STR(":in '")) != FM_NOT_FOUND;
}

/* Whether a string is a row of JavaScript, "at f (a.js:1:2)", "at a.js:1:2", or Firefox' and Safari's
 * "f@http://a/a.js:1:2". */
static bool is_js_row(framemap_str text)
{
    uint64_t number;
    text = fm_str_trim(text);
    if (!fm_str_starts(text, FM_STR("at ")) && fm_str_find(text, FM_STR("@http")) == FM_NOT_FOUND) return false;
    if (text.data[text.size - 1] == ')') text.size--;
    for (unsigned i = 0; i < 2; i++) { /* cuts off the column, then the line */
        const size_t digits = fm_trailing_number(text, &number);
        if (digits == 0 || text.size < digits + 2 || text.data[text.size - digits - 1] != ':') return false;
        text.size -= digits + 1;
    }
    return true;
}

/* Whether a string is a row of Java without "at": "a.b.c(SourceFile:12)", "java.base/a.b.c(Unknown Source)". */
static bool is_java_row(framemap_str text)
{
    uint64_t number;
    const size_t open = fm_str_find_byte(text, '('), dot = fm_str_find_byte(text, '.');
    if (open == FM_NOT_FOUND || dot > open || fm_str_find_byte(text, ' ') < open || !fm_str_ends(text, FM_STR(")")))
        return false;
    const framemap_str source = fm_str_slice(text, open + 1, text.size - 1);
    return fm_str_equal(source, FM_STR("Unknown Source")) || fm_str_equal(source, FM_STR("Native Method")) ||
           fm_str_ends(source, FM_STR(".java")) || fm_str_ends(source, FM_STR(".kt")) ||
           (fm_str_find_byte(source, ':') != FM_NOT_FOUND && fm_trailing_number(source, &number) > 0);
}

bool fm_string_list_quote(const char *p, const char *end, unsigned slashes, const char **after)
{
    if ((size_t)(end - p) <= slashes || p[slashes] != '"') return false;
    for (unsigned i = 0; i < slashes; i++)
        if (p[i] != '\\') return false;
    *after = p + slashes + 1;
    return true;
}

static const char *without_blanks(const char *p, const char *end)
{
    while (p < end && fm_is_blank(*p)) p++;
    return p;
}

const char *fm_string_list_next(const char *after, const char *end, unsigned slashes)
{
    const char *p = without_blanks(after, end), *string;
    if (p == end || *p != ',') return NULL;
    p = without_blanks(p + 1, end);
    return fm_string_list_quote(p, end, slashes, &string) ? string : NULL;
}

/* Returns the closing quote of the string at p; NULL: the text ends before it. */
static const char *closing(const char *p, const char *end, unsigned slashes)
{
    while (p < end && *p != '"') {
        const char *run = p;
        while (p < end && *p == '\\') p++;
        if (p == run) {
            p++;
            continue;
        }
        if (p == end) return NULL;
        if (*p == '"' && (size_t)(p - run) == slashes) return run;
        p++; /* skips the byte that the backslash escapes */
    }
    return p < end && slashes == 0 ? p : NULL;
}

/* Whether there are two or more strings from p on, and one of the first is a row of a stack. */
static bool is_stack(const char *p, const char *end, unsigned slashes)
{
    bool has_row = false;
    for (unsigned i = 0; p && i < ELEMENTS_MOST; i++) {
        const char *close = closing(p, end, slashes), *after;
        if (close == NULL || !fm_string_list_quote(close, end, slashes, &after)) return false;
        framemap_str text = fm_str(p, (size_t)(close - p));
        const size_t escape = fm_str_find(text, FM_STR("\\n"));
        const bool is_java = is_java_row(text);
        has_row = has_row || is_java || fm_string_list_is_row(text) || is_js_row(fm_str_slice(text, 0, escape));
        if (has_row && (i || is_java || escape != FM_NOT_FOUND)) return true;
        p = fm_string_list_next(after, end, slashes);
    }
    return false;
}

/* Whether the name of a member that may contain a stack, and a colon, are directly before `to`. */
static bool names_stack(const char *from, const char *to)
{
    static const framemap_str names[] = {FM_STR_INIT("stack"), FM_STR_INIT("trace"), FM_STR_INIT("symbols"),
                                         FM_STR_INIT("frames")};
    while (to > from && fm_is_blank(to[-1])) to--;
    if (to == from || *--to != ':' || to == from || *--to != '"') return false;
    while (to > from && to[-1] == '\\') to--;
    const framemap_str text = fm_str(from, (size_t)(to - from));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text.size >= names[i].size && fm_str_equal_nocase(fm_str_from(text, text.size - names[i].size), names[i]))
            return true;
    return false;
}

struct fm_string_list fm_string_list_find(framemap_str text)
{
    const char *const end = text.data + text.size;
    for (const char *p = fm_find(text.data, text.size, '['); p; p = fm_find(p, (size_t)(end - p), '[')) {
        if (!names_stack(text.data, p++)) continue;
        const char *quote = without_blanks(p, end), *string;
        unsigned slashes = 0;
        while (quote + slashes < end && quote[slashes] == '\\' && slashes < 3) slashes++;
        if (slashes == 2 || !fm_string_list_quote(quote, end, slashes, &string)) continue;
        if (is_stack(string, end, slashes)) return (struct fm_string_list){string, slashes};
    }
    return (struct fm_string_list){NULL, 0};
}
