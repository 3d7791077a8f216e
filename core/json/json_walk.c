/* Walks JSON in place. See json_walk.h. */
#include "core/json/json_walk.h"

#include "core/text/scan.h"

void fm_json_walk_init(struct fm_json_walk *walk, framemap_str text)
{
    *walk = (struct fm_json_walk){.grammar = {.begin = text.data, .at = text.data, .end = text.data}};
    if (text.size) walk->grammar.end += text.size;
}

static bool walk_fail(struct fm_json_walk *walk, const char *expected)
{
    if (expected) walk->grammar.wrong = expected;
    walk->failed = true;
    return false;
}

static bool next_is(const struct fm_json_walk *walk, char byte)
{
    return walk->grammar.at < walk->grammar.end && *walk->grammar.at == byte;
}

bool fm_json_walk_open(struct fm_json_walk *walk, enum fm_json_type type)
{
    fm_json_grammar_blanks(&walk->grammar);
    if (!next_is(walk, type == FM_JSON_OBJECT ? '{' : '[')) return false;
    walk->grammar.at++;
    walk->close = type == FM_JSON_OBJECT ? '}' : ']';
    return true;
}

static enum fm_json_type type_at(char byte)
{
    switch (byte) {
    case '{': return FM_JSON_OBJECT;
    case '[': return FM_JSON_ARRAY;
    case '"': return FM_JSON_STRING;
    case 'n': return FM_JSON_NULL;
    case 't':
    case 'f': return FM_JSON_BOOL;
    default: return FM_JSON_NUMBER;
    }
}

static bool string_piece(struct fm_json_walk *walk, struct fm_json_piece *out)
{
    const char *from = walk->grammar.at + 1;
    if (!fm_json_grammar_string(&walk->grammar, &out->escaped)) return walk_fail(walk, NULL);
    out->type = FM_JSON_STRING;
    out->raw = fm_str(from, (size_t)(walk->grammar.at - 1 - from));
    return true;
}

static bool value_piece(struct fm_json_walk *walk, struct fm_json_piece *out)
{
    fm_json_grammar_blanks(&walk->grammar);
    if (next_is(walk, '"')) return string_piece(walk, out);
    const char *from = walk->grammar.at;
    if (!fm_json_grammar_value(&walk->grammar)) return walk_fail(walk, NULL);
    *out = (struct fm_json_piece){fm_str(from, (size_t)(walk->grammar.at - from)), type_at(*from), false};
    return true;
}

static bool key_piece(struct fm_json_walk *walk, struct fm_json_piece *out)
{
    fm_json_grammar_blanks(&walk->grammar);
    if (!next_is(walk, '"')) return walk_fail(walk, "a key in quotes");
    if (!string_piece(walk, out)) return false;
    return fm_json_grammar_colon(&walk->grammar) || walk_fail(walk, NULL);
}

/* Moves to the next member or element; false: the end, or an error. */
static bool walk_step(struct fm_json_walk *walk)
{
    fm_json_grammar_blanks(&walk->grammar);
    const bool first = !walk->inside;
    walk->inside = true;
    if (next_is(walk, walk->close)) {
        walk->grammar.at++;
        return false;
    }
    if (first) return true;
    if (!next_is(walk, ',')) return walk_fail(walk, walk->close == '}' ? "a comma or }" : "a comma or ]");
    walk->grammar.at++;
    return true;
}

bool fm_json_walk_key(struct fm_json_walk *walk, struct fm_json_piece *key)
{
    return walk_step(walk) && key_piece(walk, key);
}
bool fm_json_walk_value(struct fm_json_walk *walk, struct fm_json_piece *value) { return value_piece(walk, value); }

bool fm_json_walk_next(struct fm_json_walk *walk, struct fm_json_piece *key, struct fm_json_piece *value)
{
    if (!walk_step(walk)) return false;
    if (walk->close == '}' && !key_piece(walk, key)) return false;
    return value_piece(walk, value);
}

bool fm_json_walk_enter(const struct fm_json_walk *walk, enum fm_json_type type, struct fm_json_walk *inner)
{
    *inner = (struct fm_json_walk){.grammar = walk->grammar};
    return fm_json_walk_open(inner, type);
}

bool fm_json_walk_leave(struct fm_json_walk *walk, const struct fm_json_walk *inner, struct fm_json_piece *value)
{
    fm_json_grammar_blanks(&walk->grammar);
    const char *from = walk->grammar.at;
    walk->grammar = inner->grammar;
    if (inner->failed) return walk_fail(walk, NULL);
    *value = (struct fm_json_piece){fm_str(from, (size_t)(walk->grammar.at - from)), type_at(*from), false};
    return true;
}

bool fm_json_walk_done(struct fm_json_walk *walk)
{
    return fm_json_grammar_end(&walk->grammar) || walk_fail(walk, NULL);
}

framemap_status fm_json_walk_fault(const struct fm_json_walk *walk, framemap_error *error)
{
    return fm_json_grammar_fault(&walk->grammar, error);
}

bool fm_json_piece_equals(const struct fm_json_piece *string, framemap_str text)
{
    return string->escaped ? fm_json_equals(string->raw, text) : fm_str_equal(string->raw, text);
}

bool fm_json_piece_text(const struct fm_json_piece *string, struct fm_arena *arena, framemap_str *out)
{
    if (string->escaped) return fm_json_unescape(string->raw, arena, out);
    *out = string->raw;
    return true;
}

#define DIGITS_MOST 16 /* number of digits of 2^53 */

/* A decimal number as its digits, without sign and point, and the number of digits after the point. */
struct decimal {
    char digits[DIGITS_MOST];
    size_t count;
    int64_t places;
    bool too_long;
};

static void add_digit(struct decimal *d, char digit)
{
    if (d->count == 0 && digit == '0') return;
    if (d->count == DIGITS_MOST) {
        d->too_long = d->too_long || digit != '0';
        d->places++;
        return;
    }
    d->digits[d->count++] = digit;
}

static bool read_exponent(struct fm_scan *s, int64_t *places)
{
    uint64_t exponent = 0;
    if (!fm_scan_byte(s, 'e') && !fm_scan_byte(s, 'E')) return true;
    const bool negative = fm_scan_byte(s, '-');
    if (!negative) (void)fm_scan_byte(s, '+');
    if (!fm_scan_dec(s, &exponent, NULL) || exponent > INT32_MAX) return false;
    *places += negative ? -(int64_t)exponent : (int64_t)exponent;
    return true;
}

/* Converts a decimal number whose value is an integer: it removes zeros after the point, or appends zeros before it.
 * false: the value is not an integer, or too large. */
static bool to_whole(struct decimal *d, int64_t *out)
{
    int64_t value = 0;
    while (d->places < 0 && d->count > 0 && d->digits[d->count - 1] == '0') d->count--, d->places++;
    if (d->count == 0) d->places = 0;
    if (d->too_long || d->places < 0 || d->places + (int64_t)d->count > DIGITS_MOST) return false;
    for (size_t i = 0; i < d->count; i++) value = value * 10 + (d->digits[i] - '0');
    for (; d->places > 0; d->places--) value *= 10;
    *out = value;
    return value <= INT64_C(1) << 53;
}

bool fm_json_piece_integer(const struct fm_json_piece *number, int64_t *out)
{
    struct decimal d = {.count = 0};
    int64_t value;
    if (!fm_json_piece_is(number, FM_JSON_NUMBER)) return false;
    struct fm_scan s = fm_scan_of(number->raw);
    const bool negative = fm_scan_byte(&s, '-');
    while (s.at < s.end && fm_is_digit(*s.at)) add_digit(&d, *s.at++);
    if (fm_scan_byte(&s, '.'))
        for (; s.at < s.end && fm_is_digit(*s.at); d.places--) add_digit(&d, *s.at++);
    if (!read_exponent(&s, &d.places) || !to_whole(&d, &value)) return false;
    *out = negative ? -value : value;
    return true;
}
