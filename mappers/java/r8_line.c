/* Parses class lines and member lines character by character, and reports R8's messages and columns. See r8_line.h. */
#include "mappers/java/r8_line.h"

static bool line_refuse(struct fm_r8_cursor *c, const char *message)
{
    c->fault = (struct fm_r8_fault){.message = message, .at = c->at};
    return false;
}

static bool refuse_at_end(struct fm_r8_cursor *c, const char *message)
{
    c->fault = (struct fm_r8_fault){.message = message, .at = c->at, .at_end = true};
    return false;
}

static bool line_expect(struct fm_r8_cursor *c, char byte)
{
    if (c->at < c->end && *c->at == byte) {
        c->at++;
        return true;
    }
    c->fault = (struct fm_r8_fault){.wanted = byte, .at = c->at, .at_end = c->at == c->end, .past = 1};
    return false;
}

static bool next_is(const struct fm_r8_cursor *c, char byte) { return c->at < c->end && *c->at == byte; }

static void skip_wide_blanks(struct fm_r8_cursor *c)
{
    bool is_mark;
    for (unsigned size; (size = fm_r8_blank(c->at, c->end, &is_mark)) != 0;) c->at += size;
}

static inline void line_skip_blanks(struct fm_r8_cursor *c)
{
    /* local copies of the cursor's positions stay in registers: stores through char pointers may alias the cursor */
    const char *at = c->at, *end = c->end;
    while (at < end && *at == ' ') at++;
    c->at = at;
    if (at < end && (fm_r8_classes[(unsigned char)*at] & (FM_R8_BLANK | FM_R8_WIDE))) skip_wide_blanks(c);
}

/* Skips at least one blank that is not a byte order mark. */
static bool expect_blank(struct fm_r8_cursor *c)
{
    bool seen = false, is_mark;
    if (c->end - c->at >= 2 && *c->at == ' ' &&
        (fm_r8_classes[(unsigned char)c->at[1]] & (FM_R8_BLANK | FM_R8_WIDE)) == 0) {
        c->at++;
        return true;
    }
    for (unsigned size; (size = fm_r8_blank(c->at, c->end, &is_mark)) != 0; c->at += size) seen = seen || !is_mark;
    return seen || refuse_at_end(c, "Expected whitespace");
}

/* --- parsing names --- */

static const char *skip_parts(const char *at, const char *end, unsigned kinds)
{
    for (;;) {
        while (at < end && (fm_r8_classes[(unsigned char)*at] & kinds)) at++;
        const unsigned size = at < end && (unsigned char)*at >= 0x80 ? fm_r8_name_char(at, end) : 0;
        if (size == 0) return at;
        at += size;
    }
}

/* Whether a name must follow the dotted names in [from, at). They may end with a dot that is the first character of a
 * name, not a separator: in a run of dots, every other dot ends a name. */
static bool wants_name(const char *from, const char *at)
{
    const char *dots = at;
    while (dots > from && dots[-1] == '.') dots--;
    return dots == from ? (at - dots) % 2 == 0 : (at - dots) % 2 != 0;
}

static bool skip_type(struct fm_r8_cursor *c)
{
    const char *from = c->at;
    c->at = skip_parts(from, c->end, FM_R8_NAME_CHAR | FM_R8_DOT);
    if (c->at > from && c->at[-1] != '.') return true;
    return !wants_name(from, c->at) || line_refuse(c, "Identifier expected");
}

static bool skip_array_type(struct fm_r8_cursor *c)
{
    if (!skip_type(c)) return false;
    while (next_is(c, '[')) {
        c->at++;
        if (!line_expect(c, ']')) return false;
    }
    return true;
}

/* Skips a name such as "<init>", and any name characters after it. */
static bool skip_special_name(struct fm_r8_cursor *c)
{
    c->at++;
    const char *from = c->at;
    if (next_is(c, '.')) c->at++;
    c->at = skip_parts(c->at, c->end, FM_R8_NAME_CHAR);
    if (c->at == from) return line_refuse(c, "Identifier expected");
    if (!line_expect(c, '>')) return false;
    c->at = skip_parts(c->at, c->end, FM_R8_NAME_CHAR);
    return true;
}

static bool skip_member_name(struct fm_r8_cursor *c)
{
    for (;;) {
        const char *from = c->at;
        c->at = skip_parts(from, c->end, FM_R8_NAME_CHAR | FM_R8_DOT);
        if (!wants_name(from, c->at)) return true;
        if (!next_is(c, '<')) return line_refuse(c, "Identifier expected");
        if (!skip_special_name(c)) return false;
        if (!next_is(c, '.')) return true;
        c->at++;
    }
}

/* --- parsing line numbers and ranges --- */

/* Parses a line number as a Java int: overflow wraps around. */
static bool line_number(struct fm_r8_cursor *c, int32_t *out)
{
    const char *at = c->at, *end = c->end;
    uint32_t value = 0;
    if (!fm_r8_digit(at, end)) return line_refuse(c, "Number expected");
    for (; fm_r8_digit(at, end); at++) value = value * 10 + (uint32_t)(*at - '0');
    c->at = at;
    *out = (int32_t)value;
    return true;
}

static void range_put_in_order(struct fm_r8_range *range)
{
    if (range->from <= range->to) return;
    const int32_t first = range->from;
    if (range->to != 0) range->from = range->to;
    range->to = first;
}

/* Changes a negative range of one or two lines to its first number. R8's table of short ranges cannot store negative
 * ranges, and gives back only that number for them. */
static void read_negative(struct fm_r8_range *range)
{
    if (range->from >= 0 || (int64_t)range->to - range->from > 1) return;
    range->numbers = FM_R8_ONE_NUMBER;
    range->to = range->from;
}

/* Reads the second number of a range. Old versions of R8 wrote 0 for an unknown end, and ranges whose end is before
 * their start. */
static bool second_number(struct fm_r8_cursor *c, struct fm_r8_range *range)
{
    range->numbers = FM_R8_TWO_NUMBERS;
    c->at++;
    line_skip_blanks(c);
    if (!line_number(c, &range->to)) return false;
    range_put_in_order(range);
    read_negative(range);
    return true;
}

static bool original_range(struct fm_r8_cursor *c, struct fm_r8_range *range)
{
    if (!line_number(c, &range->from)) return line_refuse(c, "No number follows the colon after the method signature.");
    range->numbers = FM_R8_ONE_NUMBER;
    range->to = range->from;
    line_skip_blanks(c);
    return !next_is(c, ':') || second_number(c, range);
}

/* Reads the first number of a range. Digits without a colon after them are the start of a type, and are not
 * consumed. */
static bool starts_range(struct fm_r8_cursor *c, int32_t *from)
{
    const char *digits = c->at;
    if (!fm_r8_digit(c->at, c->end) || !line_number(c, from)) return false;
    line_skip_blanks(c);
    if (next_is(c, ':')) return true;
    c->at = digits;
    return false;
}

/* --- parsing whole lines --- */

static bool line_end(struct fm_r8_cursor *c) { return c->at == c->end || line_refuse(c, "Expected end of line"); }

/* Skips the arrow. '-' may be part of a name, so "a->b" was first read as the name "a-". */
static void skip_class_arrow(struct fm_r8_cursor *c, framemap_str *original)
{
    if (original->data[original->size - 1] == '-' && next_is(c, '>')) {
        original->size--;
        c->at++;
    } else if (c->end - c->at >= 2 && c->at[0] == '-' && c->at[1] == '>') {
        c->at += 2;
    }
}

bool fm_r8_class_line(struct fm_r8_cursor *c, framemap_str *original, framemap_str *residual)
{
    line_skip_blanks(c);
    const char *from = c->at;
    if (!skip_type(c)) return false;
    *original = fm_str(from, (size_t)(c->at - from));
    line_skip_blanks(c);
    skip_class_arrow(c, original);
    line_skip_blanks(c);
    from = c->at;
    if (!skip_type(c)) return false;
    *residual = fm_str(from, (size_t)(c->at - from));
    line_skip_blanks(c);
    if (!line_expect(c, ':')) return false;
    line_skip_blanks(c);
    return line_end(c);
}

bool fm_r8_member_begin(struct fm_r8_cursor *c, struct fm_r8_range *residual)
{
    *residual = (struct fm_r8_range){.numbers = FM_R8_NO_NUMBER};
    line_skip_blanks(c);
    if (!starts_range(c, &residual->from)) return true;
    if (!second_number(c, residual)) return false;
    if (residual->numbers == FM_R8_ONE_NUMBER) return line_refuse(c, "Invalid obfuscated line number range");
    line_skip_blanks(c);
    if (!line_expect(c, ':')) return false;
    line_skip_blanks(c);
    return true;
}

/* Returns the text since `from`, after appending it to plain_text, too. */
static framemap_str piece(const char *from, const struct fm_r8_cursor *c, struct fm_buf *plain_text)
{
    const framemap_str text = fm_str(from, (size_t)(c->at - from));
    if (plain_text) fm_buf_str(plain_text, text);
    return text;
}

static void mark(struct fm_buf *plain_text, char byte)
{
    if (plain_text) fm_buf_byte(plain_text, byte);
}

/* Skips blanks. Returns true if there was no blank. */
static bool no_blanks(struct fm_r8_cursor *c)
{
    const char *from = c->at;
    line_skip_blanks(c);
    return c->at == from;
}

static bool one_argument(struct fm_r8_cursor *c, struct fm_buf *plain_text)
{
    const char *from = c->at;
    if (!skip_array_type(c)) return false;
    piece(from, c, plain_text);
    return true;
}

/* Parses the arguments. R8 allows blanks after the first argument, but after later arguments only before a comma. */
static bool arguments(struct fm_r8_cursor *c, struct fm_r8_signature_parts *parts, struct fm_buf *plain_text)
{
    parts->plain &= no_blanks(c);
    const char *from = c->at;
    if (!next_is(c, ')')) {
        if (!one_argument(c, plain_text)) return false;
        parts->plain &= no_blanks(c);
        while (!next_is(c, ')')) {
            parts->plain &= no_blanks(c);
            if (!line_expect(c, ',')) return false;
            mark(plain_text, ',');
            parts->plain &= no_blanks(c);
            if (!one_argument(c, plain_text)) return false;
        }
    }
    parts->arguments = fm_str(from, (size_t)(c->at - from));
    return line_expect(c, ')');
}

bool fm_r8_signature(struct fm_r8_cursor *c, struct fm_r8_signature_parts *parts, struct fm_buf *plain_text)
{
    const char *begin = c->at;
    *parts = (struct fm_r8_signature_parts){.plain = true};
    if (!skip_array_type(c)) return false;
    parts->type = piece(begin, c, plain_text);
    mark(plain_text, ' ');
    const char *from = c->at;
    if (!expect_blank(c)) return false;
    parts->plain = c->at - from == 1 && *from == ' ';
    from = c->at;
    if (!skip_member_name(c)) return false;
    parts->name = piece(from, c, plain_text);
    parts->text = fm_str(begin, (size_t)(c->at - begin));
    const bool adjoined = no_blanks(c);
    if (!next_is(c, '(')) return true;
    parts->plain &= adjoined;
    parts->is_method = true;
    mark(plain_text, '(');
    c->at++;
    if (!arguments(c, parts, plain_text)) return false;
    mark(plain_text, ')');
    parts->text = fm_str(begin, (size_t)(c->at - begin));
    return true;
}

/* Reads the part between the closing parenthesis and the arrow, and the arrow. */
static bool end_to_arrow(struct fm_r8_cursor *c, struct fm_r8_range *original)
{
    *original = (struct fm_r8_range){.numbers = FM_R8_NO_NUMBER};
    line_skip_blanks(c);
    if (next_is(c, ':')) {
        c->at++;
        line_skip_blanks(c);
        if (!original_range(c, original)) return false;
    }
    line_skip_blanks(c);
    return line_expect(c, '-') && line_expect(c, '>');
}

/* Compares names of up to 8 bytes by a loop, because a call of memcmp takes longer. */
static inline bool same_name(const char *at, size_t size, framemap_str name)
{
    if (size != name.size) return false;
    if (size > 8) return memcmp(at, name.data, size) == 0;
    for (size_t i = 0; i < size; i++)
        if (at[i] != name.data[i]) return false;
    return true;
}

bool fm_r8_member_end(struct fm_r8_cursor *c, struct fm_r8_range *original, framemap_str *residual)
{
    if (!end_to_arrow(c, original)) return false;
    line_skip_blanks(c);
    const char *from = c->at;
    if (residual->size > 0 && same_name(from, (size_t)(c->end - from), *residual)) return true;
    if (!skip_member_name(c)) return false;
    *residual = fm_str(from, (size_t)(c->at - from));
    return line_end(c);
}
