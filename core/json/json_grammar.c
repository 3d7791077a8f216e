/* A state machine for the grammar of JSON. See json_grammar.h. */
#include "core/json/json_grammar.h"
#include "core/error.h"
#include "core/json/json_string.h"
#include "core/text/scan.h"

/* What may follow in a valid document. */
enum expect { A_VALUE, A_VALUE_OR_END, A_KEY, A_KEY_OR_END, A_COMMA_OR_END, NOTHING };

static bool grammar_fail(struct fm_json_grammar *c, const char *at, const char *expected)
{
    c->at = at;
    c->wrong = expected;
    return false;
}

void fm_json_grammar_blanks(struct fm_json_grammar *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\r' || *c->at == '\t')) c->at++;
}

static inline bool is_escape_letter(char c)
{
    return c == 'n' || c == '"' || c == '\\' || c == 't' || c == 'r' || c == '/' || c == 'b' || c == 'f';
}

static bool check_escape(struct fm_json_grammar *c)
{
    const char *p = c->at + 1;
    if (p < c->end && is_escape_letter(*p)) {
        c->at = p + 1;
        return true;
    }
    if (p == c->end || *p != 'u') return grammar_fail(c, c->at, "a valid JSON escape");
    for (const char *digit = p + 1; digit < p + 5; digit++)
        if (digit == c->end || !fm_is_hex(*digit)) return grammar_fail(c, c->at, "four hexadecimal digits after \\u");
    c->at = p + 5;
    return true;
}

/* Bytes above 0x7F are accepted: UTF-8 is checked when strings are shown. */
bool fm_json_grammar_string(struct fm_json_grammar *c, bool *escaped)
{
    const char *opening = c->at++;
    *escaped = false;
    for (;;) {
        c->at = fm_json_string_run(c->at, c->end, escaped);
        if (c->at == c->end) return grammar_fail(c, opening, "a closing quote for this string");
        if (*c->at == '"') break;
        if (*c->at != '\\') return grammar_fail(c, c->at, "control characters in strings to be escaped");
        while (c->at < c->end && *c->at == '\\')
            /* checks adjacent escapes in one loop, without a search between them, because text that is not ASCII can
             * consist of \u escapes only */
            if (!check_escape(c)) return false;
    }
    c->at++;
    return true;
}

static bool skip_digits(struct fm_json_grammar *c)
{
    const char *before = c->at;
    while (c->at < c->end && fm_is_digit(*c->at)) c->at++;
    return c->at > before || grammar_fail(c, c->at, "a digit");
}

static bool check_number(struct fm_json_grammar *c)
{
    if (*c->at == '-') c->at++;
    if (c->at < c->end && *c->at == '0')
        c->at++;
    else if (!skip_digits(c))
        return false;
    if (c->at < c->end && fm_is_digit(*c->at)) return grammar_fail(c, c->at, "no digit after a leading zero");
    if (c->at < c->end && *c->at == '.') {
        c->at++;
        if (!skip_digits(c)) return false;
    }
    if (c->at < c->end && (*c->at == 'e' || *c->at == 'E')) {
        c->at++;
        if (c->at < c->end && (*c->at == '+' || *c->at == '-')) c->at++;
        if (!skip_digits(c)) return false;
    }
    return true;
}

static bool check_word(struct fm_json_grammar *c, const char *word, size_t size)
{
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, word, size) != 0)
        return grammar_fail(c, c->at, "true, false or null");
    c->at += size;
    return true;
}

static bool check_scalar(struct fm_json_grammar *c)
{
    bool escaped;
    switch (*c->at) {
    case '"': return fm_json_grammar_string(c, &escaped);
    case 't': return check_word(c, "true", 4);
    case 'f': return check_word(c, "false", 5);
    case 'n': return check_word(c, "null", 4);
    default: return *c->at == '-' || fm_is_digit(*c->at) ? check_number(c) : grammar_fail(c, c->at, "a value");
    }
}

static enum expect after_value(const struct fm_json_grammar *c) { return c->depth ? A_COMMA_OR_END : NOTHING; }

static bool check_value(struct fm_json_grammar *c, enum expect *next)
{
    const bool object = *c->at == '{';
    c->count++;
    if (!object && *c->at != '[') {
        if (!check_scalar(c)) return false;
        c->closed = 0;
        *next = after_value(c);
        return true;
    }
    if (c->depth == FM_LIMIT_JSON_DEPTH) return grammar_fail(c, c->at, NULL);
    c->closed = 0;
    const uint64_t bit = UINT64_C(1) << c->depth % 64;
    uint64_t *word = &c->objects[c->depth++ / 64];
    *word = object ? *word | bit : *word & ~bit;
    c->at++;
    *next = object ? A_KEY_OR_END : A_VALUE_OR_END;
    return true;
}

bool fm_json_grammar_colon(struct fm_json_grammar *c)
{
    fm_json_grammar_blanks(c);
    if (c->at == c->end || *c->at != ':') return grammar_fail(c, c->at, "a colon after the key");
    c->at++;
    return true;
}

static bool check_key(struct fm_json_grammar *c, enum expect *next)
{
    bool escaped;
    if (*c->at != '"') return grammar_fail(c, c->at, "a key in quotes");
    if (!fm_json_grammar_string(c, &escaped)) return false;
    c->count++;
    *next = A_VALUE;
    return fm_json_grammar_colon(c);
}

static bool in_object(const struct fm_json_grammar *c)
{
    return (c->objects[(c->depth - 1) / 64] >> (c->depth - 1) % 64 & 1) != 0;
}

static bool is_close(const struct fm_json_grammar *c) { return c->depth && *c->at == (in_object(c) ? '}' : ']'); }

static bool check_close(struct fm_json_grammar *c, enum expect *next)
{
    const uint64_t least = (uint64_t)FM_LIMIT_JSON_DEPTH * FM_LIMIT_JSON_DEPTH;
    c->at++;
    c->depth--;
    c->steps += ++c->closed;
    if (c->steps > least + FM_LIMIT_JSON_STEPS * (uint64_t)(c->end - c->begin)) return grammar_fail(c, c->at, NULL);
    *next = after_value(c);
    return true;
}

static bool check_after(struct fm_json_grammar *c, enum expect *next)
{
    const bool object = in_object(c);
    if (is_close(c)) return check_close(c, next);
    if (*c->at != ',') return grammar_fail(c, c->at, object ? "a comma or }" : "a comma or ]");
    c->at++;
    *next = object ? A_KEY : A_VALUE;
    return true;
}

static bool check_step(struct fm_json_grammar *c, enum expect *next)
{
    if (c->at == c->end)
        return grammar_fail(c, c->at, c->depth ? "more: the text ends inside an array or object" : "a value");
    switch (*next) {
    case A_KEY_OR_END: return is_close(c) ? check_close(c, next) : check_key(c, next);
    case A_VALUE_OR_END: return is_close(c) ? check_close(c, next) : check_value(c, next);
    case A_KEY: return check_key(c, next);
    case A_VALUE: return check_value(c, next);
    case A_COMMA_OR_END: return check_after(c, next);
    case NOTHING: break;
    }
    return true;
}

bool fm_json_grammar_value(struct fm_json_grammar *c)
{
    enum expect next = A_VALUE;
    while (next != NOTHING) {
        fm_json_grammar_blanks(c);
        if (!check_step(c, &next)) return false;
    }
    return true;
}

bool fm_json_grammar_end(struct fm_json_grammar *c)
{
    fm_json_grammar_blanks(c);
    return c->at == c->end || grammar_fail(c, c->at, "nothing after the value");
}

framemap_status fm_json_grammar_fault(const struct fm_json_grammar *c, framemap_error *error)
{
    const uint64_t offset = c->begin ? (uint64_t)(c->at - c->begin) : 0;
    if (c->wrong == NULL)
        return fm_error_at(error, FRAMEMAP_E_LIMIT, offset,
                           "the JSON is nested deeper than %u levels, or too often nearly so",
                           (unsigned)FM_LIMIT_JSON_DEPTH);
    return fm_error_at(error, FRAMEMAP_E_CORRUPT, offset, "the JSON is not well formed: expected %s", c->wrong);
}

framemap_status fm_json_check(framemap_str text, uint32_t *count, framemap_error *error)
{
    struct fm_json_grammar c = {.begin = text.data, .at = text.data, .end = text.data};
    if (text.size > INT32_MAX) return fm_error_set(error, FRAMEMAP_E_LIMIT, "the JSON text is larger than 2 GiB");
    if (text.size) c.end += text.size;
    if (!fm_json_grammar_value(&c) || !fm_json_grammar_end(&c)) return fm_json_grammar_fault(&c, error);
    *count = c.count;
    return FRAMEMAP_OK;
}
