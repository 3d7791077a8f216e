/* Parses JSON by the rules of Gson's lenient reader, without recursion. r8_json_values.c has the queries. */
#include "mappers/java/r8_json.h"

#include "core/error.h"
#include "mappers/java/r8_chars.h"

#define KEPT_DEPTH 15 /* values at greater depth are checked but not stored */

void fm_r8_json_init(struct fm_r8_json *json, struct fm_heap *heap)
{
    *json = (struct fm_r8_json){.heap = heap};
    fm_buf_init(&json->scratch, heap);
}

void fm_r8_json_free(struct fm_r8_json *json)
{
    fm_heap_free(json->heap, json->values, json->capacity * sizeof *json->values);
    fm_buf_free(&json->scratch);
}

/* --- parsing a JSON text --- */

struct r8_json_parser {
    struct fm_r8_json *json;
    const char *at, *end;
    uint32_t depth;                          /* number of open containers */
    uint64_t objects[FM_R8_JSON_DEPTH / 64]; /* bit i: container i is an object */
    uint32_t open[KEPT_DEPTH + 1];           /* numbers of the values of the outermost containers */
    bool no_memory;
};

static bool in_object(const struct r8_json_parser *p)
{
    return p->objects[(p->depth - 1) / 64] >> (p->depth - 1) % 64 & 1;
}

/* Moves past the end of the comment; false: it is not terminated. */
static bool skip_comment(struct r8_json_parser *p)
{
    const size_t size = fm_str_find(fm_str(p->at + 2, (size_t)(p->end - p->at - 2)), FM_STR("*/"));
    if (size == FM_NOT_FOUND) return false;
    p->at += 2 + size + 2;
    return true;
}

/* Moves to the next character outside of blanks and comments. A comment that extends to the end of the line also ends
 * at a carriage return. false: end of the text. */
static bool json_next_byte(struct r8_json_parser *p, char *out)
{
    for (; p->at < p->end; p->at++) {
        const bool two = p->at[0] == '/' && p->end - p->at >= 2;
        if (p->at[0] == '#' || (two && p->at[1] == '/')) {
            p->at = memchr(p->at, '\r', (size_t)(p->end - p->at));
            if (p->at == NULL) p->at = p->end - 1;
        } else if (two && p->at[1] == '*') {
            if (!skip_comment(p)) return false;
            p->at--; /* the loop over the characters increments `at` again */
        } else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r' && *p->at != '\n') {
            *out = *p->at;
            return true;
        }
    }
    return false;
}

static bool ends_literal(char byte)
{
    return byte == '/' || byte == '\\' || byte == ';' || byte == '#' || byte == '=' || byte == '{' || byte == '}' ||
           byte == '[' || byte == ']' || byte == ':' || byte == ',' || byte == ' ' || byte == '\t' || byte == '\f' ||
           byte == '\r' || byte == '\n';
}

static bool is_hex(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

static bool skip_escape(struct r8_json_parser *p)
{
    if (p->at == p->end) return false;
    const char byte = *p->at++;
    if (byte != 'u') return memchr("tbnrf\n'\"\\/", byte, 10) != NULL;
    for (unsigned i = 0; i < 4; i++, p->at++)
        if (p->at == p->end || !is_hex(*p->at)) return false;
    return true;
}

/* Moves past the closing quote, byte by byte, because a backslash may escape a quote. */
static bool skip_escaped(struct r8_json_parser *p, char quote)
{
    while (p->at < p->end && *p->at != quote)
        if (*p->at++ == '\\' && !skip_escape(p)) return false;
    if (p->at == p->end) return false;
    p->at++;
    return true;
}

static bool quoted(struct r8_json_parser *p, framemap_str *out, bool *escaped)
{
    const char quote = *p->at++, *from = p->at;
    const char *last = memchr(from, quote, (size_t)(p->end - from));
    if (last == NULL) return false;
    *escaped = memchr(from, '\\', (size_t)(last - from)) != NULL;
    if (!*escaped)
        p->at = last + 1;
    else if (!skip_escaped(p, quote))
        return false;
    *out = fm_str(from, (size_t)(p->at - 1 - from));
    return true;
}

static bool unquoted(struct r8_json_parser *p, framemap_str *out)
{
    const char *from = p->at;
    while (p->at < p->end && !ends_literal(*p->at)) p->at++;
    *out = fm_str(from, (size_t)(p->at - from));
    return out->size > 0;
}

static bool is_number(framemap_str text)
{
    size_t at = 0, digits = 0;
    if (at < text.size && text.data[at] == '-') at++;
    if (at + 1 < text.size && text.data[at] == '0' && fm_r8_digit(text.data + at + 1, text.data + text.size))
        return false;
    for (; at < text.size && fm_r8_digit(text.data + at, text.data + text.size); at++) digits++;
    if (digits == 0) return false;
    if (at < text.size && text.data[at] == '.') {
        for (at++, digits = 0; at < text.size && fm_r8_digit(text.data + at, text.data + text.size); at++) digits++;
        if (digits == 0) return false;
    }
    if (at < text.size && (text.data[at] == 'e' || text.data[at] == 'E')) {
        at++;
        if (at < text.size && (text.data[at] == '+' || text.data[at] == '-')) at++;
        for (digits = 0; at < text.size && fm_r8_digit(text.data + at, text.data + text.size); at++) digits++;
        if (digits == 0) return false;
    }
    return at == text.size;
}

static enum fm_r8_json_type type_of_word(framemap_str word)
{
    if (fm_str_equal_nocase(word, FM_STR("null"))) return FM_R8_JSON_NULL;
    if (fm_str_equal_nocase(word, FM_STR("true")) || fm_str_equal_nocase(word, FM_STR("false"))) return FM_R8_JSON_BOOL;
    return is_number(word) ? FM_R8_JSON_NUMBER : FM_R8_JSON_TEXT;
}

static bool json_add_value(struct r8_json_parser *p, const struct fm_r8_json_value *value)
{
    struct fm_r8_json *json = p->json;
    if (p->depth > KEPT_DEPTH) return true;
    if (json->count >= FM_R8_JSON_VALUES) return false;
    if (!FM_GROW(json->heap, json->values, json->capacity, json->count + 1)) {
        p->no_memory = true;
        return false;
    }
    json->values[json->count] = *value;
    json->values[json->count].depth = (uint8_t)p->depth;
    json->count++;
    json->values[json->count - 1].next = (uint32_t)json->count;
    return true;
}

static bool open_container(struct r8_json_parser *p, struct fm_r8_json_value *value, bool object)
{
    if (p->depth == FM_R8_JSON_DEPTH) return false;
    value->type = object ? FM_R8_JSON_OBJECT : FM_R8_JSON_ARRAY;
    if (!json_add_value(p, value)) return false;
    if (p->depth <= KEPT_DEPTH) p->open[p->depth] = (uint32_t)(p->json->count - 1);
    const uint64_t bit = UINT64_C(1) << p->depth % 64;
    if (object)
        p->objects[p->depth / 64] |= bit;
    else
        p->objects[p->depth / 64] &= ~bit;
    p->depth++;
    p->at++;
    return true;
}

static void close_container(struct r8_json_parser *p)
{
    p->depth--;
    if (p->depth <= KEPT_DEPTH) p->json->values[p->open[p->depth]].next = (uint32_t)p->json->count;
    p->at++;
}

static bool scalar(struct r8_json_parser *p, struct fm_r8_json_value *value)
{
    value->type = FM_R8_JSON_TEXT;
    if (*p->at == '"' || *p->at == '\'') {
        if (!quoted(p, &value->text, &value->text_escaped)) return false;
    } else {
        if (!unquoted(p, &value->text)) return false;
        value->type = (uint8_t)type_of_word(value->text);
    }
    return json_add_value(p, value);
}

static bool value_at(struct r8_json_parser *p, struct fm_r8_json_value *value, char byte)
{
    if (byte == '{' || byte == '[') return open_container(p, value, byte == '{');
    return scalar(p, value);
}

static bool key_and_value(struct r8_json_parser *p, char byte)
{
    struct fm_r8_json_value value = {.key = {NULL, 0}};
    if (byte == '"' || byte == '\'' ? !quoted(p, &value.key, &value.key_escaped) : !unquoted(p, &value.key))
        return false;
    if (!json_next_byte(p, &byte) || (byte != ':' && byte != '=')) return false;
    p->at++;
    if (byte == '=' && p->at < p->end && *p->at == '>') p->at++;
    return json_next_byte(p, &byte) && value_at(p, &value, byte);
}

/* Parses an element of an array. An element without a value, as in "[1,,2]", counts as null. */
static bool element(struct r8_json_parser *p, char byte)
{
    struct fm_r8_json_value value = {.type = FM_R8_JSON_NULL};
    if (byte == ',' || byte == ';' || byte == ']') return json_add_value(p, &value);
    return value_at(p, &value, byte);
}

static bool is_comma(char byte) { return byte == ',' || byte == ';'; }

/* Parses one step: what follows a value in the innermost container, or follows the opening bracket of that
 * container. */
static bool json_step(struct r8_json_parser *p, bool *fresh)
{
    char byte;
    const bool object = in_object(p), first = *fresh;
    if (!json_next_byte(p, &byte)) return false;
    *fresh = false;
    if (byte == (object ? '}' : ']')) {
        close_container(p);
        return true;
    }
    if (!first) {
        if (!is_comma(byte)) return false;
        p->at++;
        if (!json_next_byte(p, &byte)) return false;
    }
    const uint32_t depth = p->depth;
    if (object ? !key_and_value(p, byte) : !element(p, byte)) return false;
    *fresh = p->depth > depth;
    return true;
}

static bool only_blanks(const struct r8_json_parser *p)
{
    const char *at = p->at;
    while (at < p->end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) at++;
    return at == p->end;
}

framemap_status fm_r8_json_read(struct fm_r8_json *json, framemap_str text, bool *out, framemap_error *error)
{
    struct r8_json_parser p = {.json = json, .at = text.data, .end = text.data + text.size};
    struct fm_r8_json_value object = {.key = {NULL, 0}};
    bool fresh = true, good;
    json->count = 0;
    json->failed = false;
    good = open_container(&p, &object, true);
    while (good && p.depth > 0) good = json_step(&p, &fresh);
    if (p.no_memory) return fm_error_memory(error);
    *out = good && only_blanks(&p);
    return FRAMEMAP_OK;
}
