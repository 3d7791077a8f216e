/* Translates character classes and properties of Java's regular expressions. PCRE2 has no classes within classes and
 * no intersections. A Java class that uses these becomes alternatives and lookaheads, each of which matches one
 * character. */
#include "formats/java/retrace/java_regex_class.h"
#include "formats/java/retrace/unicode_letters.h"

enum { DEPTH = 32 }; /* maximum depth of classes within classes: each level is a recursive call */

/* --- translating properties of characters --- */

struct property {
    /* name: the property's name in Java; inside: the property in PCRE2's syntax, for use in a character class */
    const char *name, *inside;
};
static const struct property properties[] = {
    {"Lower", "[:lower:]"},
    {"Upper", "[:upper:]"},
    {"ASCII", "\\x00-\\x7f"},
    {"Alpha", "[:alpha:]"},
    {"Digit", "[:digit:]"},
    {"Alnum", "[:alnum:]"},
    {"Punct", "[:punct:]"},
    {"Graph", "[:graph:]"},
    {"Print", "[:print:]"},
    {"Blank", "[:blank:]"},
    {"Cntrl", "[:cntrl:]"},
    {"XDigit", "[:xdigit:]"},
    {"Space", " \\t-\\r"},
    {"L1", "\\x00-\\xff"},
    {"LC", "\\p{Lu}\\p{Ll}\\p{Lt}"},
    {"LD", "\\p{L}\\p{Nd}"},
    {"all", "\\x00-\\x{10ffff}"},
    {"javaLowerCase", "\\p{Lowercase}"},
    {"javaUpperCase", "\\p{Uppercase}"},
    {"javaTitleCase", "\\p{Lt}"},
    {"javaAlphabetic", "\\p{Alphabetic}"},
    {"javaIdeographic", "\\p{Ideographic}"},
    {"javaDigit", "\\p{Nd}"},
    {"javaLetter", "\\p{L}"},
    {"javaLetterOrDigit", "\\p{L}\\p{Nd}"},
    {"javaDefined", "\\P{Cn}"},
    {"javaMirrored", "\\p{Bidi_Mirrored}"},
    {"javaSpaceChar", "\\p{Z}"},
    {"javaWhitespace",
     "\\t-\\r\\x1c-\\x20\\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200a}\\x{2028}\\x{2029}\\x{205f}\\x{3000}"},
    {"javaISOControl", "\\x00-\\x1f\\x7f-\\x9f"},
    {"javaJavaIdentifierStart", "\\p{L}\\p{Nl}\\p{Sc}\\p{Pc}"},
    {"javaJavaIdentifierPart",
     "\\p{L}\\p{Nl}\\p{Sc}\\p{Pc}\\p{Nd}\\p{Mn}\\p{Mc}\\p{Cf}\\x00-\\x08\\x0e-\\x1b\\x7f-\\x9f"},
    {"javaUnicodeIdentifierStart", "\\p{L}\\p{Nl}"},
    {"javaUnicodeIdentifierPart", "\\p{L}\\p{Nl}\\p{Pc}\\p{Nd}\\p{Mn}\\p{Mc}\\p{Cf}\\x00-\\x08\\x0e-\\x1b\\x7f-\\x9f"},
    {"javaIdentifierIgnorable", "\\p{Cf}\\x00-\\x08\\x0e-\\x1b\\x7f-\\x9f"},
    {"IsLetter", "\\p{L}"},
    {"IsDigit", "\\p{Nd}"},
    {"IsControl", "\\p{Cc}"},
    {"IsPunctuation", "\\p{P}"},
    {"IsTitlecase", "\\p{Lt}"},
    {"IsAssigned", "\\P{Cn}"},
};

static const char *known_property(framemap_str name)
{
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        if (fm_str_equal(name, framemap_str_of(properties[i].name))) return properties[i].inside;
    return NULL;
}

/* Translates a property whose name is the same in PCRE2: a category, script or binary property. */
static bool put_unicode_property(struct fm_regex *regex, framemap_str name, bool negated, struct fm_buf *out)
{
    static const char *const heads[] = {"Is", "general_category=", "gc=", "script=", "sc="};
    bool script = false;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (!fm_str_starts(name, framemap_str_of(heads[i]))) continue;
        name = fm_str_from(name, strlen(heads[i]));
        script = *heads[i] == 's';
        break;
    }
    for (size_t i = 0; i < name.size; i++)
        if (!fm_is_letter((unsigned char)name.data[i]) && name.data[i] != '_' && name.data[i] != ' ')
            return fm_regex_fault(regex, "has a property of characters that is not known");
    return fm_buf_printf(out, "\\%c{%s%.*s}", negated ? 'P' : 'p', script ? "sc:" : "",
                         (int)(name.size < 64 ? name.size : 64), name.data);
}

bool fm_regex_property(struct fm_regex *regex, bool negated, struct fm_buf *out)
{
    const char *begin = regex->at;
    framemap_str name;
    if (begin < regex->end && *begin == '{') {
        const char *close = memchr(begin, '}', (size_t)(regex->end - begin));
        if (close == NULL) return fm_regex_fault(regex, "has a property that does not end");
        name = fm_str(begin + 1, (size_t)(close - begin - 1));
        regex->at = close + 1;
    } else {
        name = fm_str(begin, begin < regex->end ? 1 : 0);
        regex->at += name.size;
    }
    if (name.size == 0) return fm_regex_fault(regex, "has a property without a name");
    const char *inside = known_property(name);
    if (inside) return fm_buf_printf(out, "[%s%s]", negated ? "^" : "", inside);
    return put_unicode_property(regex, name, negated, out);
}

/* --- classes --- */

/* One operand of "&&" in a class: the list of its characters, and its other expressions, each with "|" before it. */
struct set {
    struct fm_buf characters, others;
};

static void open_set(struct set *set, const struct fm_regex *regex)
{
    fm_buf_init(&set->characters, regex->out->heap);
    fm_buf_init(&set->others, regex->out->heap);
}

/* Frees a set. If one of its buffers ran out of memory, marks `out` as failed, too. */
static void close_set(struct set *set, struct fm_buf *out)
{
    out->failed |= set->characters.failed || set->others.failed;
    fm_buf_free(&set->characters);
    fm_buf_free(&set->others);
}

static bool is_empty(const struct set *set) { return set->characters.size == 0 && set->others.size == 0; }

static void put_set(const struct set *set, bool negated, struct fm_buf *out)
{
    const bool simple = set->others.size == 0;
    if (!simple) fm_buf_str(out, negated ? FM_STR("(?:(?!") : FM_STR("(?:"));
    if (set->characters.size) {
        fm_buf_str(out, simple && negated ? FM_STR("[^") : FM_STR("["));
        fm_buf_str(out, fm_buf_view(&set->characters));
        fm_buf_byte(out, ']');
    }
    if (simple) return;
    fm_buf_str(out, fm_str_from(fm_buf_view(&set->others), set->characters.size ? 0 : 1));
    fm_buf_str(out, negated ? FM_STR(")(?s:.))") : FM_STR(")"));
}

/* Parses the end of a range such as "a-z": *last is 'z'. If there is no range, *last is `first`. */
static bool range_end(struct fm_regex *regex, uint32_t first, uint32_t *last)
{
    char kind;
    size_t size;
    *last = first;
    if (regex->end - regex->at < 2 || regex->at[0] != '-' || regex->at[1] == ']' || regex->at[1] == '[') return true;
    regex->at++;
    if (*regex->at == '\\') {
        regex->at++;
        if (!fm_regex_escape(regex, last, &kind))
            return fm_regex_fault(regex, "has a range that ends with no character");
    } else {
        *last = fm_point_at(regex->at, regex->end, &size);
        regex->at += size;
    }
    return *last >= first || fm_regex_fault(regex, "has a range that ends before it begins");
}

static bool add_character(struct fm_regex *regex, uint32_t first, struct set *set)
{
    uint32_t last;
    if (!range_end(regex, first, &last)) return false;
    fm_regex_put_point(&set->characters, first);
    if (last != first) {
        fm_buf_byte(&set->characters, '-');
        fm_regex_put_point(&set->characters, last);
    }
    return true;
}

static bool add_escape(struct fm_regex *regex, struct set *set)
{
    uint32_t point;
    char kind;
    if (fm_regex_escape(regex, &point, &kind)) return add_character(regex, point, set);
    if (kind == 'Q') {
        while (fm_regex_quoted(regex, &point)) fm_regex_put_point(&set->characters, point);
        return true;
    }
    const char *text = fm_regex_class_of(regex, kind);
    fm_buf_byte(&set->others, '|');
    if (text) return fm_buf_add(&set->others, text, strlen(text));
    if (kind == 'p' || kind == 'P') return fm_regex_property(regex, kind == 'P', &set->others);
    return fm_regex_fault(regex, "has an escape that means nothing in a class");
}

static bool is_and(const struct fm_regex *regex)
{
    return regex->end - regex->at >= 2 && regex->at[0] == '&' && regex->at[1] == '&';
}

/* Reads an operand up to "&&" or the end of the class; neither is consumed. first: this is the first operand, in
 * which a "]" at the start is an ordinary character. */
static bool operand(struct fm_regex *regex, struct set *set, bool first, unsigned depth)
{
    for (fm_regex_pass_comments(regex); regex->at < regex->end; fm_regex_pass_comments(regex)) {
        size_t size;
        bool good = true;
        if (is_and(regex) || (*regex->at == ']' && !(first && is_empty(set)))) return true;
        uint32_t point = fm_point_at(regex->at, regex->end, &size);
        regex->at += size;
        if (point == '[') {
            fm_buf_byte(&set->others, '|');
            good = fm_regex_class(regex, &set->others, depth + 1);
        } else {
            good = point == '\\' ? add_escape(regex, set) : add_character(regex, point, set);
        }
        if (!good) return false;
    }
    return fm_regex_fault(regex, "has a class that does not end");
}

/* Replaces the expression in `left` by one that matches a character of both `left` and `right`: a lookahead for `left`,
 * followed by `right`. */
static void put_both(struct fm_buf *left, const struct set *right)
{
    struct fm_buf both;
    fm_buf_init(&both, left->heap);
    fm_buf_str(&both, FM_STR("(?:(?="));
    fm_buf_str(&both, fm_buf_view(left));
    fm_buf_byte(&both, ')');
    put_set(right, false, &both);
    fm_buf_byte(&both, ')');
    fm_buf_clear(left);
    fm_buf_str(left, fm_buf_view(&both));
    left->failed |= both.failed;
    fm_buf_free(&both);
}

/* Parses the operands of an intersection that follow its first "&&"; there must be at least one. */
static bool intersection(struct fm_regex *regex, const struct set *first, bool negated, struct fm_buf *out,
                         unsigned depth)
{
    struct fm_buf text;
    bool good = true;
    fm_buf_init(&text, out->heap);
    if (!is_empty(first)) put_set(first, false, &text);
    while (good && is_and(regex)) {
        struct set set;
        regex->at += 2;
        open_set(&set, regex);
        good = operand(regex, &set, false, depth);
        if (good && !is_empty(&set)) {
            if (text.size)
                put_both(&text, &set);
            else
                put_set(&set, false, &text);
        }
        close_set(&set, out);
    }
    if (good && text.size == 0) good = fm_regex_fault(regex, "has a class of nothing");
    fm_buf_str(out, negated ? FM_STR("(?:(?!") : FM_STR(""));
    fm_buf_str(out, fm_buf_view(&text));
    fm_buf_str(out, negated ? FM_STR(")(?s:.))") : FM_STR(""));
    out->failed |= text.failed;
    fm_buf_free(&text);
    return good;
}

bool fm_regex_class(struct fm_regex *regex, struct fm_buf *out, unsigned depth)
{
    struct set set;
    if (depth == DEPTH) return fm_regex_fault(regex, "has classes nested too deep");
    const bool negated = regex->at < regex->end && *regex->at == '^';
    regex->at += negated;
    open_set(&set, regex);
    bool good = operand(regex, &set, true, depth);
    if (good && is_and(regex))
        good = intersection(regex, &set, negated, out, depth);
    else if (good)
        put_set(&set, negated, out);
    close_set(&set, out);
    if (good) regex->at++; /* skips the "]" at the end of the class */
    return good;
}
