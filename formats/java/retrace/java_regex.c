/* Implements java_regex.h: reads the expression element by element and writes each in PCRE2's syntax at once. Open
 * groups are on an explicit stack; a first pass counts the groups, since the meaning of back references depends on
 * their number. */
#include "formats/java/retrace/java_regex.h"

#include "core/error.h"
#include "core/text/scan.h"
#include "formats/java/retrace/java_regex_class.h"
#include "formats/java/retrace/unicode_letters.h"

static void put(struct fm_regex *regex, const char *text) { fm_buf_add(regex->out, text, strlen(text)); }

/* --- writing parts of the expression in PCRE2's syntax --- */

#define WORD "[\\p{L}\\p{Nd}_]"
#define BREAK "[\\n\\r\\x{85}\\x{2028}\\x{2029}]"

/* Writes a back reference. As in Java, a digit is a part of its number only if a group with that number exists; further
 * digits are literals. */
static void put_reference(struct fm_regex *regex, unsigned number)
{
    while (!fm_regex_at_end(regex) && fm_is_digit(*regex->at) &&
           number * 10 + (unsigned)(*regex->at - '0') <= regex->groups)
        number = number * 10 + (unsigned)(*regex->at++ - '0');
    if (number <= regex->all_groups)
        fm_buf_printf(regex->out, "\\g{%u}", number);
    else
        put(regex, "(?!)"); /* a back reference to a group that does not exist never matches */
}

static bool put_named_reference(struct fm_regex *regex)
{
    if (!fm_regex_take(regex, "<")) return fm_regex_fault(regex, "has \\k without the name of a group");
    const char *begin = regex->at;
    while (!fm_regex_at_end(regex) && *regex->at != '>') regex->at++;
    framemap_str name = fm_str(begin, (size_t)(regex->at - begin));
    if (!fm_regex_take(regex, ">")) return fm_regex_fault(regex, "has \\k without the name of a group");
    fm_buf_printf(regex->out, "\\k<%.*s>", (int)(name.size < 64 ? name.size : 64), name.data);
    return true;
}

/* Writes a character. If case is ignored without the flag FOLD, only ASCII letters match in both cases. */
static void put_character(struct fm_regex *regex, uint32_t point)
{
    const bool exact = point >= 0x80 && (regex->flags & FM_REGEX_CASELESS) && !(regex->flags & FM_REGEX_FOLD);
    if (exact) put(regex, "(?-i:");
    fm_regex_put_point(regex->out, point);
    if (exact) put(regex, ")");
}

static bool put_quotation(struct fm_regex *regex)
{
    uint32_t point;
    while (fm_regex_quoted(regex, &point)) put_character(regex, point);
    return true;
}

static const char *anchor_of(char kind)
{
    switch (kind) {
    case 'b': return "(?:(?<=" WORD ")(?!" WORD ")|(?<!" WORD ")(?=" WORD "))";
    case 'B': return "(?:(?<=" WORD ")(?=" WORD ")|(?<!" WORD ")(?!" WORD "))";
    case 'A': return "(?:\\A)"; /* the anchor is put in a group, because a quantifier may follow it */
    case 'G': return "(?:\\G)";
    case 'z': return "(?:\\z)";
    case 'Z': return "(?:(?=(?:\\r\\n|" BREAK ")?\\z))";
    case 'R': return "(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])";
    case 'X': return "\\X";
    default: return NULL;
    }
}

static bool escape(struct fm_regex *regex)
{
    uint32_t point;
    char kind;
    if (!fm_regex_at_end(regex) && *regex->at >= '1' && *regex->at <= '9') {
        put_reference(regex, (unsigned)(*regex->at++ - '0'));
        return true;
    }
    if (fm_regex_escape(regex, &point, &kind)) {
        put_character(regex, point);
        return true;
    }
    const char *text = fm_regex_class_of(regex, kind);
    if (text == NULL) text = anchor_of(kind);
    if (text) {
        put(regex, text);
        return true;
    }
    switch (kind) {
    case 'p': return fm_regex_property(regex, false, regex->out);
    case 'P': return fm_regex_property(regex, true, regex->out);
    case 'Q': return put_quotation(regex);
    case 'k': return put_named_reference(regex);
    default: return fm_regex_fault(regex, "has an escape that means nothing");
    }
}

/* --- groups --- */

static bool open_group(struct fm_regex *regex, const char *text, unsigned flags_inside)
{
    if (regex->depth == FM_REGEX_DEPTH) return fm_regex_fault(regex, "has groups nested too deep");
    regex->flags_of[regex->depth++] = regex->flags;
    regex->flags = flags_inside;
    put(regex, text);
    return true;
}

static unsigned flag_of(char letter)
{
    switch (letter) {
    case 'i': return FM_REGEX_CASELESS;
    case 'm': return FM_REGEX_LINES;
    case 's': return FM_REGEX_DOTALL;
    case 'x': return FM_REGEX_COMMENTS;
    case 'd': return FM_REGEX_UNIX;
    case 'u': return FM_REGEX_FOLD;
    case 'U': return FM_REGEX_UNICODE | FM_REGEX_FOLD;
    default: return 0;
    }
}

/* Parses flags such as "i-s:" or "i-s)". Only the flag for case is passed on to PCRE2; the other flags change how this
 * translator treats the expression after them. */
static bool flags_group(struct fm_regex *regex)
{
    unsigned flags = regex->flags;
    bool on = true;
    for (; !fm_regex_at_end(regex) && *regex->at != ':' && *regex->at != ')'; regex->at++) {
        unsigned flag = flag_of(*regex->at);
        if (*regex->at == '-' && on)
            on = false;
        else if (flag == 0)
            return fm_regex_fault(regex, "has a group of an unknown kind");
        else
            flags = on ? flags | flag : flags & ~flag;
    }
    if (fm_regex_at_end(regex)) return fm_regex_fault(regex, "has a group that does not end");
    const bool whole = *regex->at++ == ':', caseless = (flags & FM_REGEX_CASELESS) != 0;
    if (whole) return open_group(regex, caseless ? "(?i:" : "(?-i:", flags);
    put(regex, caseless ? "(?i)" : "(?-i)");
    regex->flags = flags;
    return true;
}

static bool named_group(struct fm_regex *regex)
{
    const char *begin = regex->at;
    while (!fm_regex_at_end(regex) && fm_is_letter((unsigned char)*regex->at)) regex->at++;
    if (regex->at == begin || fm_is_digit(*begin) || regex->at - begin > 32 || fm_regex_at_end(regex) ||
        *regex->at != '>')
        return fm_regex_fault(regex, "has a group whose name is empty or has more than 32 letters");
    regex->groups++;
    if (!open_group(regex, "(?<", regex->flags)) return false;
    regex->at++;
    return fm_buf_add(regex->out, begin, (size_t)(regex->at - begin));
}

static bool group(struct fm_regex *regex)
{
    static const char *const openers[] = {"?:", "?=", "?!", "?>", "?<=", "?<!"};
    static const char *const texts[] = {"(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!"};
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
        if (fm_regex_take(regex, openers[i])) return open_group(regex, texts[i], regex->flags);
    if (fm_regex_take(regex, "?<")) return named_group(regex);
    if (fm_regex_take(regex, "?")) return flags_group(regex);
    if (!fm_regex_at_end(regex) && *regex->at == '*') return fm_regex_fault(regex, "repeats nothing");
    regex->groups++;
    return open_group(regex, "(", regex->flags);
}

static bool end_group(struct fm_regex *regex)
{
    if (regex->depth == 0) return fm_regex_fault(regex, "ends a group that is not open");
    regex->flags = regex->flags_of[--regex->depth];
    put(regex, ")");
    return true;
}

/* Moves over "{2}", "{2,}" or "{2,3}". */
static bool pass_braces(struct fm_regex *regex)
{
    const char *at = regex->at;
    while (at < regex->end && fm_is_digit(*at)) at++;
    bool good = at > regex->at;
    if (good && at < regex->end && *at == ',') do
            at++;
        while (at < regex->end && fm_is_digit(*at));
    if (!good || at == regex->end || *at != '}') return fm_regex_fault(regex, "has a \"{\" that is no repetition");
    regex->at = at + 1;
    return true;
}

/* Parses a quantifier: "*", "+", "?" or braces, and a following "?" (reluctant) or "+" (possessive). Java accepts
 * braces without anything before them; they then repeat an empty text. */
static bool repetition(struct fm_regex *regex, char mark)
{
    const char *begin = regex->at - 1;
    if (mark == '{' && !pass_braces(regex)) return false;
    if (!regex->repeatable && mark != '{') return fm_regex_fault(regex, "repeats nothing");
    if (!fm_regex_at_end(regex) && (*regex->at == '?' || *regex->at == '+')) regex->at++;
    if (regex->repeatable) fm_buf_add(regex->out, begin, (size_t)(regex->at - begin));
    regex->repeatable = false;
    return true;
}

/* --- translating the whole expression --- */

static void put_dot(struct fm_regex *regex)
{
    if (regex->flags & FM_REGEX_DOTALL)
        put(regex, "(?s:.)");
    else
        put(regex, regex->flags & FM_REGEX_UNIX ? "[^\\n]" : "[^\\n\\r\\x{85}\\x{2028}\\x{2029}]");
}

static void put_caret(struct fm_regex *regex)
{
    put(regex, regex->flags & FM_REGEX_LINES ? "(?:\\A|(?<=" BREAK ")(?!\\z))" : "(?:\\A)");
}

static void put_dollar(struct fm_regex *regex)
{
    put(regex, regex->flags & FM_REGEX_LINES ? "(?:(?=" BREAK "|\\z))" : "(?:(?=(?:\\r\\n|" BREAK ")?\\z))");
}

/* Translates an atom, the smallest part of an expression to which a quantifier can apply. point: the atom's first
 * character. */
static bool atom(struct fm_regex *regex, uint32_t point)
{
    regex->repeatable = true;
    switch (point) {
    case '\\': return escape(regex);
    case '[': return fm_regex_class(regex, regex->out, 0);
    case ')': return end_group(regex);
    case '.': put_dot(regex); return true;
    case '^': put_caret(regex); return true;
    case '$': put_dollar(regex); return true;
    default: put_character(regex, point); return true;
    }
}

static bool element(struct fm_regex *regex)
{
    uint32_t point = fm_regex_take_point(regex);
    switch (point) {
    case '{':
    case '*':
    case '+':
    case '?': return repetition(regex, (char)point);
    case '(': regex->repeatable = false; return group(regex);
    case '|':
        regex->repeatable = false;
        fm_buf_byte(regex->out, '|');
        return true;
    default: return atom(regex, point);
    }
}

static void translate(struct fm_regex *regex)
{
    for (fm_regex_pass_comments(regex); !fm_regex_at_end(regex); fm_regex_pass_comments(regex))
        if (!element(regex)) return;
    if (regex->depth) fm_regex_fault(regex, "has a group that does not end");
}

framemap_status fm_java_regex(framemap_str expression, struct fm_buf *out, framemap_error *error)
{
    const size_t before = out->size;
    struct fm_regex regex = {.begin = expression.data, .at = expression.data, .out = out, .error = error};
    regex.end = expression.size ? expression.data + expression.size : expression.data;
    struct fm_regex again = regex;
    translate(&regex); /* this call counts the groups of the expression and has no other effect */
    if (out->failed) return fm_error_memory(error);
    if (regex.status != FRAMEMAP_OK) return regex.status;
    again.all_groups = regex.groups;
    out->size = before;
    translate(&again);
    return out->failed ? fm_error_memory(error) : again.status;
}
