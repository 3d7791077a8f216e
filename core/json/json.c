/* JSON documents: jsmn's tokens, linked for reading. The only file that includes jsmn.h. */
#include "core/json/json.h"
#include "core/error.h"
#include "core/json/json_grammar.h"
#include "core/limits.h"
#include "core/text/scan.h"
#include "core/text/utf8.h"

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
/* jsmn's code has implicit conversions between signed and unsigned types; sizes are below 2 GiB here, so no bits are
 * lost. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
#include <jsmn.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#define NONE (-1)
/* Maximum number of tokens that can enclose a token: each level has a container and, in objects, a key. */
#define ANCESTORS_MOST (2 * FM_LIMIT_JSON_DEPTH + 2)

struct fm_json {
    struct fm_heap *heap;
    framemap_str text;
    jsmntok_t *tokens; /* after link_siblings `parent` is the next sibling */
    uint32_t count;
};

/* Links each token to its next sibling. jsmn links tokens to their parents, but readers need the next sibling. Parents
 * and siblings are never needed at the same time, so one field stores the parent first and later the next sibling. */
static void link_siblings(jsmntok_t *tokens, uint32_t count)
{
    int ancestors[ANCESTORS_MOST], youngest[ANCESTORS_MOST];
    uint32_t depth = 1;
    ancestors[0] = youngest[0] = NONE;
    for (uint32_t i = 0; i < count; i++) {
        const int id = (int)i;
        while (depth > 1 && ancestors[depth - 1] != tokens[i].parent) depth--;
        if (youngest[depth - 1] != NONE) tokens[youngest[depth - 1]].parent = id;
        youngest[depth - 1] = id;
        tokens[i].parent = NONE;
        ancestors[depth] = id;
        youngest[depth] = NONE;
        if (tokens[i].size > 0) depth++;
    }
}

/* Splits the text into tokens, by jsmn. In strict mode, jsmn requires a bracket or blank after a number or word, so a
 * document that is only a number or word is handled without jsmn. */
static bool tokenise(struct fm_json *json)
{
    const char *text = json->text.data;
    size_t from = 0, to = json->text.size;
    while (memchr(" \t\r\n", text[from], 4)) from++;
    while (memchr(" \t\r\n", text[to - 1], 4)) to--;
    if (!memchr("[{\"", text[from], 3)) {
        json->tokens[0] = (jsmntok_t){JSMN_PRIMITIVE, (int)from, (int)to, 0, NONE};
        return true;
    }
    jsmn_parser parser;
    jsmn_init(&parser);
    return jsmn_parse(&parser, text, json->text.size, json->tokens, json->count) == (int)json->count;
}

framemap_status fm_json_parse(framemap_str text, struct fm_heap *heap, struct fm_json **out, framemap_error *error)
{
    uint32_t count;
    framemap_status status = fm_json_check(text, &count, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_json *json = fm_heap_zalloc(heap, 1, sizeof *json);
    if (json == NULL) return fm_error_memory(error);
    *json = (struct fm_json){heap, text, fm_heap_zalloc(heap, count, sizeof *json->tokens), count};
    if (json->tokens == NULL)
        status = fm_error_memory(error);
    else if (!tokenise(json))
        status = fm_error_set(error, FRAMEMAP_E_INTERNAL, "the JSON tokeniser rejected well-formed JSON");
    if (status != FRAMEMAP_OK) {
        fm_json_free(json);
        return status;
    }
    link_siblings(json->tokens, count);
    *out = json;
    return FRAMEMAP_OK;
}

void fm_json_free(struct fm_json *json)
{
    if (json == NULL) return;
    fm_heap_free(json->heap, json->tokens, json->count * sizeof *json->tokens);
    fm_heap_free(json->heap, json, sizeof *json);
}

/* Returns the token of a value, or NULL. */
static const jsmntok_t *token_of(const struct fm_json *json, int32_t value)
{
    return value >= 0 && (uint32_t)value < json->count ? json->tokens + value : NULL;
}

enum fm_json_type fm_json_type(const struct fm_json *json, int32_t value)
{
    const jsmntok_t *token = token_of(json, value);
    if (token == NULL) return FM_JSON_NULL;
    if (token->type == JSMN_OBJECT) return FM_JSON_OBJECT;
    if (token->type == JSMN_ARRAY) return FM_JSON_ARRAY;
    if (token->type == JSMN_STRING) return FM_JSON_STRING;
    const char first = json->text.data[token->start];
    return first == 'n' ? FM_JSON_NULL : first == 't' || first == 'f' ? FM_JSON_BOOL : FM_JSON_NUMBER;
}

static bool is_container(const jsmntok_t *token)
{
    return token && (token->type == JSMN_OBJECT || token->type == JSMN_ARRAY);
}

int32_t fm_json_first(const struct fm_json *json, int32_t value)
{
    const jsmntok_t *token = token_of(json, value);
    return is_container(token) && token->size > 0 ? value + 1 : NONE;
}

int32_t fm_json_next(const struct fm_json *json, int32_t value)
{
    const jsmntok_t *token = token_of(json, value);
    return token ? token->parent : NONE;
}

int32_t fm_json_value(const struct fm_json *json, int32_t key)
{
    const jsmntok_t *token = token_of(json, key);
    return token && token->type == JSMN_STRING && token->size > 0 ? key + 1 : NONE;
}

uint32_t fm_json_count(const struct fm_json *json, int32_t value)
{
    const jsmntok_t *token = token_of(json, value);
    return is_container(token) ? (uint32_t)token->size : 0;
}

framemap_str fm_json_raw(const struct fm_json *json, int32_t value)
{
    const jsmntok_t *token = token_of(json, value);
    return token ? fm_str_slice(json->text, (size_t)token->start, (size_t)token->end) : (framemap_str){NULL, 0};
}

bool fm_json_is_true(const struct fm_json *json, int32_t value)
{
    return fm_json_type(json, value) == FM_JSON_BOOL && fm_str_equal(fm_json_raw(json, value), FM_STR("true"));
}

bool fm_json_u64(const struct fm_json *json, int32_t value, uint64_t *out)
{
    uint64_t number;
    struct fm_scan scan = fm_scan_of(fm_json_raw(json, value));
    if (fm_json_type(json, value) != FM_JSON_NUMBER || !fm_scan_dec(&scan, &number, NULL) || !fm_scan_done(&scan))
        return false;
    *out = number;
    return true;
}

bool fm_json_i64(const struct fm_json *json, int32_t value, int64_t *out)
{
    uint64_t size;
    struct fm_scan scan = fm_scan_of(fm_json_raw(json, value));
    if (fm_json_type(json, value) != FM_JSON_NUMBER) return false;
    const bool negative = fm_scan_byte(&scan, '-');
    if (!fm_scan_dec(&scan, &size, NULL) || !fm_scan_done(&scan)) return false;
    if (size > (uint64_t)INT64_MAX + negative) return false;
    *out = negative ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}

static uint32_t hex4(const char *digits)
{
    uint64_t unit = 0;
    struct fm_scan scan = {digits, digits + 4};
    (void)fm_scan_hex(&scan, &unit, NULL, NULL);
    return (uint32_t)unit;
}

/* Decodes one \u escape, or two that form a surrogate pair, and moves after them. */
static uint32_t unescape_point(const char **at, const char *end)
{
    const uint32_t unit = hex4(*at + 2);
    *at += 6;
    if (unit < 0xD800 || unit > 0xDFFF) return unit;
    if (unit > 0xDBFF || end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u') return 0xFFFD;
    const uint32_t low = hex4(*at + 2);
    if (low < 0xDC00 || low > 0xDFFF) return 0xFFFD;
    *at += 6;
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

/* Decodes the escape at a backslash to UTF-8 and moves after it. The grammar has been checked. */
static size_t unescape(const char **at, const char *end, char out[4])
{
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    const char letter = (*at)[1];
    if (letter == 'u') return fm_utf8_put(unescape_point(at, end), out);
    const char *known = memchr(letters, letter, sizeof letters - 1);
    out[0] = known ? meanings[known - letters] : letter;
    *at += 2;
    return 1;
}

bool fm_json_unescape(framemap_str raw, struct fm_arena *arena, framemap_str *out)
{
    const size_t plain = fm_str_find_byte(raw, '\\');
    if (plain == FM_NOT_FOUND) {
        *out = raw;
        return true;
    }
    /* the unescaped string fits: decoding an escape never makes it longer, since six bytes become at most three */
    char *text = fm_arena_alloc(arena, raw.size), *to = text;
    if (text == NULL) return false;
    for (const char *at = raw.data, *end = raw.data + raw.size; at < end;) {
        if (*at == '\\')
            to += unescape(&at, end, to);
        else
            *to++ = *at++;
    }
    *to = 0; /* there is room for this NUL: if the string has an escape, that is longer than its character */
    *out = fm_str(text, (size_t)(to - text));
    return true;
}

bool fm_json_string(const struct fm_json *json, int32_t value, struct fm_arena *arena, framemap_str *out)
{
    if (token_of(json, value) == NULL || fm_json_type(json, value) != FM_JSON_STRING) return false;
    return fm_json_unescape(fm_json_raw(json, value), arena, out);
}

/* Compares without allocating the unescaped key. */
bool fm_json_equals(framemap_str key, framemap_str name)
{
    const char *end = key.size ? key.data + key.size : key.data;
    size_t same = 0;
    for (const char *at = key.data; at < end;) {
        char piece[4];
        size_t size = 1;
        if (*at == '\\')
            size = unescape(&at, end, piece);
        else
            piece[0] = *at++;
        if (size > name.size - same || memcmp(piece, name.data + same, size) != 0) return false;
        same += size;
    }
    return same == name.size;
}

int32_t fm_json_get(const struct fm_json *json, int32_t object, const char *name)
{
    const framemap_str wanted = framemap_str_of(name);
    int32_t found = NONE;
    if (fm_json_type(json, object) != FM_JSON_OBJECT) return NONE;
    for (int32_t key = fm_json_first(json, object); key != NONE; key = fm_json_next(json, key))
        if (fm_json_equals(fm_json_raw(json, key), wanted)) found = fm_json_value(json, key);
    return found;
}
