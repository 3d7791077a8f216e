#include "formats/java/retrace/java_regex.h"

#include "core/error.h"
#include "core/text/scan.h"
#include "formats/java/retrace/unicode_letters.h"

bool fm_regex_fault(struct fm_regex *regex, const char *words)
{
    if (regex->status == FRAMEMAP_OK)
        regex->status = fm_error_at(regex->error, FRAMEMAP_E_ARGUMENT, (uint64_t)(regex->at - regex->begin),
                                    "the expression %s", words);
    return false;
}

static bool at_end(const struct fm_regex *regex) { return regex->at == regex->end; }

static bool take(struct fm_regex *regex, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(regex->end - regex->at) < size || memcmp(regex->at, word, size) != 0) return false;
    regex->at += size;
    return true;
}

static uint32_t take_point(struct fm_regex *regex)
{
    size_t size;
    uint32_t point = fm_point_at(regex->at, regex->end, &size);
    regex->at += size;
    return point;
}

static void put(struct fm_regex *regex, const char *text) { fm_buf_add(regex->out, text, strlen(text)); }

void fm_regex_put_point(struct fm_buf *out, uint32_t point)
{
    if (point < 0x80 && fm_is_letter(point))
        fm_buf_byte(out, (char)point);
    else
        fm_buf_printf(out, "\\x{%x}", (unsigned)point);
}

static bool is_white(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

void fm_regex_pass_comments(struct fm_regex *regex)
{
    if (!(regex->flags & FM_REGEX_COMMENTS)) return;
    while (!at_end(regex) && (is_white(*regex->at) || *regex->at == '#')) {
        bool comment = *regex->at++ == '#';
        while (comment && !at_end(regex) && *regex->at != '\n' && *regex->at != '\r') regex->at++;
    }
}

/* --- escapes --- */

static bool take_hex(struct fm_regex *regex, unsigned digits, uint32_t *out)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < digits; i++) {
        if (at_end(regex) || !fm_is_hex(*regex->at))
            return fm_regex_fault(regex, "has an escape with too few hexadecimal digits");
        value = value << 4 | fm_hex_value(*regex->at++);
    }
    *out = value;
    return true;
}

static bool take_braced_hex(struct fm_regex *regex, uint32_t *out)
{
    uint32_t value = 0;
    const char *begin = regex->at;
    for (; !at_end(regex) && fm_is_hex(*regex->at) && value <= 0x10FFFF; regex->at++)
        value = value << 4 | fm_hex_value(*regex->at);
    if (regex->at == begin || value > 0x10FFFF || !take(regex, "}"))
        return fm_regex_fault(regex, "has an escape of no character");
    *out = value;
    return true;
}

/* "\uD83D\uDE00" is one character. */
static bool take_unicode(struct fm_regex *regex, uint32_t *out)
{
    uint32_t low;
    if (!take_hex(regex, 4, out)) return false;
    if (*out < 0xD800 || *out > 0xDFFF) return true;
    if (*out < 0xDC00 && take(regex, "\\u") && take_hex(regex, 4, &low) && low >= 0xDC00 && low <= 0xDFFF) {
        *out = 0x10000 + ((*out - 0xD800) << 10) + (low - 0xDC00);
        return true;
    }
    return fm_regex_fault(regex, "has half a character in an escape");
}

static bool take_octal(struct fm_regex *regex, uint32_t *out)
{
    uint32_t value = 0;
    unsigned digits = 0;
    for (; digits < 3 && !at_end(regex) && *regex->at >= '0' && *regex->at <= '7' && value * 8 <= 0377; digits++)
        value = value * 8 + (uint32_t)(*regex->at++ - '0');
    if (digits == 0) return fm_regex_fault(regex, "has an octal escape without digits");
    *out = value;
    return true;
}

bool fm_regex_escape(struct fm_regex *regex, uint32_t *point, char *kind)
{
    static const char letters[] = "aefnrt", values[] = "\a\033\f\n\r\t";
    *kind = '\0';
    if (at_end(regex)) return fm_regex_fault(regex, "ends with a backslash");
    *point = take_point(regex);
    const char letter = *point < 0x80 ? (char)*point : '\0';
    const char *simple = letter ? strchr(letters, letter) : NULL;
    if (simple) {
        *point = (unsigned char)values[simple - letters];
        return true;
    }
    switch (letter) {
    case 'x': return take(regex, "{") ? take_braced_hex(regex, point) : take_hex(regex, 2, point);
    case 'u': return take_unicode(regex, point);
    case '0': return take_octal(regex, point);
    case 'c':
        if (at_end(regex)) return fm_regex_fault(regex, "has a control escape without a letter");
        *point = take_point(regex) ^ 64;
        return true;
    default: break;
    }
    if (letter == '\0' || !fm_is_letter(*point)) return true;
    *kind = letter;
    return false;
}

const char *fm_regex_class_of(const struct fm_regex *regex, char kind)
{
    const bool unicode = (regex->flags & FM_REGEX_UNICODE) != 0;
    switch (kind) {
    case 'd': return unicode ? "\\p{Nd}" : "[0-9]";
    case 'D': return unicode ? "\\P{Nd}" : "[^0-9]";
    case 's': return unicode ? "[\\p{Z}\\t-\\r\\x{85}]" : "[ \\t-\\r]";
    case 'S': return unicode ? "[^\\p{Z}\\t-\\r\\x{85}]" : "[^ \\t-\\r]";
    case 'w': return unicode ? "[\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200c}\\x{200d}]" : "[0-9A-Za-z_]";
    case 'W': return unicode ? "[^\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200c}\\x{200d}]" : "[^0-9A-Za-z_]";
    case 'h': return "\\h";
    case 'H': return "\\H";
    case 'v': return "\\v";
    case 'V': return "\\V";
    default: return NULL;
    }
}

bool fm_regex_quoted(struct fm_regex *regex, uint32_t *point)
{
    if (at_end(regex) || take(regex, "\\E")) return false;
    *point = take_point(regex);
    return true;
}

/* --- what stands between the pieces --- */

#define WORD "[\\p{L}\\p{Nd}_]"
#define BREAK "[\\n\\r\\x{85}\\x{2028}\\x{2029}]"

/* A reference to a group takes as many digits as there are groups for. */
static void put_reference(struct fm_regex *regex, unsigned number)
{
    while (!at_end(regex) && fm_is_digit(*regex->at) && number * 10 + (unsigned)(*regex->at - '0') <= regex->groups)
        number = number * 10 + (unsigned)(*regex->at++ - '0');
    if (number <= regex->all_groups)
        fm_buf_printf(regex->out, "\\g{%u}", number);
    else
        put(regex, "(?!)"); /* there is no such group, so nothing is what it matched */
}

static bool put_named_reference(struct fm_regex *regex)
{
    if (!take(regex, "<")) return fm_regex_fault(regex, "has \\k without the name of a group");
    const char *begin = regex->at;
    while (!at_end(regex) && *regex->at != '>') regex->at++;
    framemap_str name = fm_str(begin, (size_t)(regex->at - begin));
    if (!take(regex, ">")) return fm_regex_fault(regex, "has \\k without the name of a group");
    fm_buf_printf(regex->out, "\\k<%.*s>", (int)(name.size < 64 ? name.size : 64), name.data);
    return true;
}

/* Without FOLD only letters of ASCII are matched without regard to case. */
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
    case 'A': return "(?:\\A)"; /* in a group, it may be repeated */
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
    if (!at_end(regex) && *regex->at >= '1' && *regex->at <= '9') {
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

/* "i-s:" or "i-s)". Only what PCRE2 has to do itself is told to it. */
static bool flags_group(struct fm_regex *regex)
{
    unsigned flags = regex->flags;
    bool on = true;
    for (; !at_end(regex) && *regex->at != ':' && *regex->at != ')'; regex->at++) {
        unsigned flag = flag_of(*regex->at);
        if (*regex->at == '-' && on)
            on = false;
        else if (flag == 0)
            return fm_regex_fault(regex, "has a group of an unknown kind");
        else
            flags = on ? flags | flag : flags & ~flag;
    }
    if (at_end(regex)) return fm_regex_fault(regex, "has a group that does not end");
    const bool whole = *regex->at++ == ':', caseless = (flags & FM_REGEX_CASELESS) != 0;
    if (whole) return open_group(regex, caseless ? "(?i:" : "(?-i:", flags);
    put(regex, caseless ? "(?i)" : "(?-i)");
    regex->flags = flags;
    return true;
}

static bool named_group(struct fm_regex *regex)
{
    const char *begin = regex->at;
    while (!at_end(regex) && fm_is_letter((unsigned char)*regex->at)) regex->at++;
    if (regex->at == begin || fm_is_digit(*begin) || regex->at - begin > 32 || at_end(regex) || *regex->at != '>')
        return fm_regex_fault(regex, "has a group whose name is none, or of more than 32 letters");
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
        if (take(regex, openers[i])) return open_group(regex, texts[i], regex->flags);
    if (take(regex, "?<")) return named_group(regex);
    if (take(regex, "?")) return flags_group(regex);
    if (!at_end(regex) && *regex->at == '*') return fm_regex_fault(regex, "repeats nothing");
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

/* "{2}", "{2,}", "{2,3}". */
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

/* "*", "+", "?" or braces, and whether they are reluctant or possessive. Braces with nothing before them repeat
 * nothing, which Java takes. */
static bool repetition(struct fm_regex *regex, char mark)
{
    const char *begin = regex->at - 1;
    if (mark == '{' && !pass_braces(regex)) return false;
    if (!regex->repeatable && mark != '{') return fm_regex_fault(regex, "repeats nothing");
    if (!at_end(regex) && (*regex->at == '?' || *regex->at == '+')) regex->at++;
    if (regex->repeatable) fm_buf_add(regex->out, begin, (size_t)(regex->at - begin));
    regex->repeatable = false;
    return true;
}

/* --- all of it --- */

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

/* What can be repeated, after its first character. */
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
    uint32_t point = take_point(regex);
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
    for (fm_regex_pass_comments(regex); !at_end(regex); fm_regex_pass_comments(regex))
        if (!element(regex)) return;
    if (regex->depth) fm_regex_fault(regex, "has a group that does not end");
}

framemap_status fm_java_regex(framemap_str expression, struct fm_buf *out, framemap_error *error)
{
    const size_t before = out->size;
    struct fm_regex regex = {.begin = expression.data, .at = expression.data, .out = out, .error = error};
    regex.end = expression.size ? expression.data + expression.size : expression.data;
    struct fm_regex again = regex;
    translate(&regex); /* counts the groups */
    if (out->failed) return fm_error_memory(error);
    if (regex.status != FRAMEMAP_OK) return regex.status;
    again.all_groups = regex.groups;
    out->size = before;
    translate(&again);
    return out->failed ? fm_error_memory(error) : again.status;
}
