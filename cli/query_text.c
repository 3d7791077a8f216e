/* Implements query_text.h: recognizes the form of a location by its characters: an address, an offset in the image,
 * LINE:COLUMN, a Java name or frame, or the number of a function and an offset in bytecode. */
#include "cli/query_text.h"

#include <string.h>

static int digit_value(char byte)
{
    if (byte >= '0' && byte <= '9') return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
    return 16;
}

static bool parse_number(framemap_str text, unsigned base, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned digit = (unsigned)digit_value(text.data[i]);
        if (digit >= base || value > (UINT64_MAX - digit) / base) return false;
        value = value * base + digit;
    }
    *out = value;
    return text.size > 0;
}

bool fm_parse_hex(framemap_str text, uint64_t *out) { return parse_number(text, 16, out); }
bool fm_parse_dec(framemap_str text, uint64_t *out) { return parse_number(text, 10, out); }

static bool parse_prefixed(framemap_str text, uint64_t *out)
{
    if (text.size < 3 || text.data[0] != '0' || (text.data[1] | 0x20) != 'x') return false;
    return fm_parse_hex((framemap_str){text.data + 2, text.size - 2}, out);
}

static enum fm_query_text_kind parse_pair(framemap_str left, framemap_str right, bool zero_columns,
                                          framemap_query *query)
{
    uint64_t line1, number;

    if (parse_prefixed(right, &query->position)) {
        query->scope = left;
        return FM_QUERY_TEXT_SECTION;
    }
    if (!fm_parse_dec(right, &number)) return FM_QUERY_TEXT_BAD;
    if (fm_parse_dec(left, &line1)) {
        const uint64_t first = zero_columns ? 0 : 1;
        if (line1 == 0 || number < first) return FM_QUERY_TEXT_BAD;
        query->scope_number = line1 - 1;
        query->position = number - first;
        return FM_QUERY_TEXT_LINE;
    }
    query->scope = left;
    query->position = number;
    return FM_QUERY_TEXT_MEMBER;
}

/* Parses a name of a mapping: "a.b.c" or "a.b", a member without a line, or a class. A text that starts with a digit
 * is rejected: it may be an address without its prefix. */
static enum fm_query_text_kind parse_name(framemap_str text, framemap_query *query)
{
    if (text.size == 0 || digit_value(text.data[0]) < 10 || text.data[0] == '+' || text.data[0] == ':')
        return FM_QUERY_TEXT_BAD;
    if (memchr(text.data, ' ', text.size) || memchr(text.data, '\t', text.size)) return FM_QUERY_TEXT_BAD;
    query->scope = text;
    query->no_position = true;
    return FM_QUERY_TEXT_MEMBER;
}

/* Parses a Java frame as a stack prints it, "a.b.c(SourceFile:12)", with or without "at " before it. */
static enum fm_query_text_kind parse_row(framemap_str text, framemap_query *query)
{
    while (text.size && (text.data[0] == ' ' || text.data[0] == '\t')) text.data++, text.size--;
    if (text.size > 3 && memcmp(text.data, "at ", 3) == 0) text.data += 3, text.size -= 3;
    const char *open = memchr(text.data, '(', text.size);
    if (!open || open == text.data) return FM_QUERY_TEXT_BAD;
    framemap_str scope = {text.data, (size_t)(open - text.data)}, place = {open + 1, text.size - scope.size - 2};
    enum fm_query_text_kind kind = parse_name(scope, query);
    query->printed_file = place;
    for (size_t at = place.size; kind != FM_QUERY_TEXT_BAD && at-- > 0;) {
        if (place.data[at] != ':') continue;
        if (!fm_parse_dec((framemap_str){place.data + at + 1, place.size - at - 1}, &query->position)) break;
        query->printed_file.size = at;
        query->no_position = false;
        break;
    }
    return kind;
}

/* Parses a location in bytecode as crash dumps print it: "270+12" or "51:270+12". */
static bool parse_function(framemap_str text, framemap_query *query)
{
    const char *plus = memchr(text.data, '+', text.size);
    if (!plus || plus == text.data) return false;
    framemap_str left = {text.data, (size_t)(plus - text.data)}, right = {plus + 1, text.size - left.size - 1};
    const char *colon = memchr(left.data, ':', left.size);
    uint64_t segment = 0, function, offset;
    if (colon && !fm_parse_dec((framemap_str){left.data, (size_t)(colon - left.data)}, &segment)) return false;
    if (colon) left = (framemap_str){colon + 1, (size_t)(plus - colon - 1)};
    if (!fm_parse_dec(left, &function) || !fm_parse_dec(right, &offset)) return false;
    query->scope = left;
    query->scope_number = segment;
    query->position = offset;
    return true;
}

enum fm_query_text_kind fm_query_text_parse(framemap_str text, bool zero_columns, framemap_query *query)
{
    if (parse_prefixed(text, &query->position)) {
        query->address_kind = FRAMEMAP_ADDRESS_LINKED;
        return FM_QUERY_TEXT_ADDRESS;
    }
    if (text.size && text.data[0] == '+' &&
        parse_prefixed((framemap_str){text.data + 1, text.size - 1}, &query->position)) {
        query->address_kind = FRAMEMAP_ADDRESS_IMAGE;
        return FM_QUERY_TEXT_OFFSET;
    }
    if (parse_function(text, query)) return FM_QUERY_TEXT_FUNCTION;
    if (text.size && text.data[text.size - 1] == ')') return parse_row(text, query);
    for (size_t at = text.size; at-- > 1;)
        if (text.data[at] == ':')
            return parse_pair((framemap_str){text.data, at}, (framemap_str){text.data + at + 1, text.size - at - 1},
                              zero_columns, query);
    return parse_name(text, query);
}
