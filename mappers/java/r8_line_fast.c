/* Parses member lines of the usual form several bytes at a time. See r8_line_fast.h. */
#include "mappers/java/r8_line_fast.h"
#include "core/text/bits64.h"

#define WORD 8u /* bytes that are tested at a time */

/* Parses a number of at most seven digits, all at once (SWAR). Returns the position after the number; NULL: there is no
 * such number, or the end of the text is too near for the fast path. */
static inline const char *short_number(const char *at, const char *end, int32_t *out)
{
    if ((size_t)(end - at) < WORD) return NULL;
    const uint64_t ones = UINT64_C(0x0101010101010101), digits = fm_load64((const unsigned char *)at) ^ ones * '0';
    const uint64_t others =
        /* In the result, a bit is set for each byte that is not a digit. Carries can set wrong bits, but only after the
         * first such byte. */
        (digits | (digits + ones * (0x7f - 9))) & ones * 0x80;
    const unsigned count = others != 0 ? fm_lowest_bit(others) / 8 : WORD;
    if (count == 0 || count == WORD) return NULL;
    /* shifts the digits to the end of the word, so that zeros precede them */
    uint64_t value = digits << (WORD - count) * 8;
    value = (value * 10 + (value >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    value = (value * 100 + (value >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *out = (int32_t)(uint32_t)(value * 10000 + (value >> 32));
    return at + count;
}

/* Returns the position after dotted names of ASCII characters. */
static inline const char *skip_names(struct fm_r8_fast_line *line, const char *at)
{
    const char *end = line->end;
#if FM_R8_HAS_NAME_ENDS
    for (;;) {
        const size_t past = (uintptr_t)at - (uintptr_t)line->from;
        if (past < line->known) {
            const uint64_t stops = line->stops >> past;
            if (stops != 0) return at + fm_lowest_bit(stops);
            at = line->from + line->known;
        }
        if (end - at < 64) break;
        line->stops = fm_r8_name_ends(at);
        line->from = at;
        line->known = 64;
    }
#endif
    while (at < end && (fm_r8_classes[(unsigned char)*at] & (FM_R8_NAME_CHAR | FM_R8_DOT))) at++;
    return at;
}

static inline bool starts(const char *at, const char *end, framemap_str text)
{
    return (size_t)(end - at) >= text.size && memcmp(at, text.data, text.size) == 0;
}

/* --- parsing the start of a line --- */

/* Parses "1:7:". Returns the position after it, or NULL. */
static inline const char *fast_range(const char *at, const char *end, struct fm_r8_range *out)
{
    int32_t from, to;
    at = short_number(at, end, &from);
    if (at == NULL || at == end || *at != ':') return NULL;
    at = short_number(at + 1, end, &to);
    if (at == NULL || at == end || *at != ':' || from > to) return NULL;
    *out = (struct fm_r8_range){FM_R8_TWO_NUMBERS, from, to};
    return at + 1;
}

bool fm_r8_fast_line_range(struct fm_r8_fast_line *line, struct fm_r8_range *residual)
{
    const char *at = line->at, *end = line->end;
    if (!starts(at, end, FM_STR("    "))) return false;
    at += 4;
    *residual = (struct fm_r8_range){.numbers = FM_R8_NO_NUMBER};
    if (fm_r8_digit(at, end) && (at = fast_range(at, end, residual)) == NULL) return false;
    if (at == end || (fm_r8_classes[(unsigned char)*at] & FM_R8_NAME_CHAR) == 0) return false;
    line->at = at;
    return true;
}

/* --- parsing the signature --- */

/* Returns the position after a type; NULL: no type starts here. */
static inline const char *fast_type(struct fm_r8_fast_line *line, const char *at)
{
    const char *from = at;
    at = skip_names(line, at);
    if (at == from || at[-1] == '.') return NULL;
    while (line->end - at >= 2 && at[0] == '[' && at[1] == ']') at += 2;
    return at;
}

/* Returns the position after a member name, which may have a class before it; NULL: no name starts here. */
static inline const char *fast_name(struct fm_r8_fast_line *line, const char *at)
{
    const char *from = at;
    at = skip_names(line, at);
    if (at > from && at[-1] != '.') return at;
    /* A dot at the end may be a name itself, so the text is left to the parser that handles every line. */
    if (at > from && (at - from == 1 || at[-2] == '.')) return NULL;
    if (starts(at, line->end, FM_STR("<init>"))) return at + 6;
    return starts(at, line->end, FM_STR("<clinit>")) ? at + 8 : NULL;
}

/* Returns the position of the closing parenthesis; NULL: the fast path does not apply. */
static inline const char *fast_arguments(struct fm_r8_fast_line *line, const char *at)
{
    const char *end = line->end;
    if (at < end && *at == ')') return at;
    while ((at = fast_type(line, at)) != NULL && at < end && *at == ',') at++;
    return at != NULL && at < end && *at == ')' ? at : NULL;
}

bool fm_r8_fast_line_signature(struct fm_r8_fast_line *line, struct fm_r8_signature_parts *parts)
{
    const char *begin = line->at, *end = line->end, *type_end = fast_type(line, begin);
    if (type_end == NULL || type_end == end || *type_end != ' ') return false;
    const char *name = type_end + 1, *name_end = fast_name(line, name), *close = NULL;
    if (name_end == NULL || name_end == end || (*name_end != '(' && *name_end != ' ')) return false;
    const bool is_method = *name_end == '(';
    if (is_method && (close = fast_arguments(line, name_end + 1)) == NULL) return false;
    line->at = is_method ? close + 1 : name_end;
    parts->text = fm_str(begin, (size_t)(line->at - begin));
    parts->type = fm_str(begin, (size_t)(type_end - begin));
    parts->name = fm_str(name, (size_t)(name_end - name));
    parts->arguments = is_method ? fm_str(name_end + 1, (size_t)(close - name_end - 1)) : fm_str(NULL, 0);
    parts->is_method = is_method;
    parts->plain = true;
    return true;
}

/* --- parsing the end of a line --- */

/* Parses ":739:740", of which either number may be missing. Returns NULL if the fast path does not apply. */
static inline const char *fast_lines(const char *at, const char *end, struct fm_r8_range *out)
{
    *out = (struct fm_r8_range){.numbers = FM_R8_NO_NUMBER};
    if (at == end || *at != ':') return at;
    at = short_number(at + 1, end, &out->from);
    if (at == NULL) return NULL;
    out->numbers = FM_R8_ONE_NUMBER;
    out->to = out->from;
    if (at == end || *at != ':') return at;
    at = short_number(at + 1, end, &out->to);
    if (at == NULL || out->from > out->to) return NULL;
    out->numbers = FM_R8_TWO_NUMBERS;
    return at;
}

/* Returns the position after the line feed; NULL: the line does not end here. */
static inline const char *line_end(const char *at, const char *end)
{
    if (end - at >= 2 && at[0] == '\r') at++;
    return at < end && *at == '\n' ? at + 1 : NULL;
}

/* Whether a name is at `at`. The bytes are compared one by one, because most names are too short for a call of memcmp
 * to be worth it. */
static inline bool is_name(const char *at, framemap_str name)
{
    if (name.size > 8) return memcmp(at, name.data, name.size) == 0;
    for (size_t i = 0; i < name.size; i++)
        if (at[i] != name.data[i]) return false;
    return true;
}

bool fm_r8_fast_line_end(struct fm_r8_fast_line *line, struct fm_r8_range *original, framemap_str *residual)
{
    const char *end = line->end, *name = fast_lines(line->at, end, original), *after;
    if (name == NULL || !starts(name, end, FM_STR(" -> "))) return false;
    name += 4;
    if (residual->size > 0 && (size_t)(end - name) > residual->size && is_name(name, *residual) &&
        (after = line_end(name + residual->size, end)) != NULL) {
        line->at = after;
        return true;
    }
    const char *name_end = fast_name(line, name);
    if (name_end == NULL || (after = line_end(name_end, end)) == NULL) return false;
    *residual = fm_str(name, (size_t)(name_end - name));
    line->at = after;
    return true;
}
