/* Functions for rows in NDJSON: each line is one JSON value. */
#include "core/json/json_walk.h"
#include "core/text/scan.h"
#include "session/rows/row_shape.h"

static const char expected[] = "a JSON Pointer (/a/b) or keys with dots between them (a.b), at most 16 keys";

/* Reads a key of a JSON Pointer, in which "~1" represents '/' and "~0" represents '~'. */
static bool read_key(framemap_str spelled, struct fm_arena *arena, framemap_str *out)
{
    *out = spelled;
    if (fm_str_find_byte(spelled, '~') == FM_NOT_FOUND) return true;
    char *key = fm_arena_alloc(arena, spelled.size);
    size_t size = 0;
    *out = fm_str(key, 0);
    for (size_t i = 0; key && i < spelled.size; i++) {
        key[size] = spelled.data[i];
        if (key[size] == '~') {
            if (i + 1 == spelled.size || (spelled.data[i + 1] != '0' && spelled.data[i + 1] != '1')) return false;
            key[size] = spelled.data[++i] == '0' ? '~' : '/';
        }
        size++;
    }
    *out = fm_str(key, size);
    return true;
}

static const char *read_path(framemap_str spelled, struct fm_arena *arena, struct fm_row_path *out)
{
    const bool is_pointer = fm_str_starts(spelled, FM_STR("/"));
    const char stop = is_pointer ? '/' : '.';
    if (spelled.size == 0) return NULL;
    framemap_str rest = fm_str_from(spelled, is_pointer);
    for (size_t end = 0; end != FM_NOT_FOUND; rest = fm_str_from(rest, end + 1)) {
        framemap_str key;
        end = fm_str_find_byte(rest, stop);
        key = fm_str_slice(rest, 0, end);
        if (out->count == FM_ROW_PATH_MOST || (!is_pointer && key.size == 0)) return expected;
        if (is_pointer && !read_key(key, arena, &key)) return expected;
        out->keys[out->count++] = key;
        if (end == FM_NOT_FOUND) break;
    }
    return NULL;
}

/* Whether a key of a path is the number of an array's element. */
static bool is_element(framemap_str key, uint64_t number)
{
    struct fm_scan s = fm_scan_of(key);
    uint64_t wanted;
    return fm_scan_dec(&s, &wanted, NULL) && fm_scan_done(&s) && wanted == number;
}

/* Finds the last member of an object that has the given name, or the element of an array whose number is the given
 * name. */
static bool find_member(const struct fm_json_piece *holder, framemap_str name, struct fm_json_piece *out)
{
    const bool is_object = holder->type == FM_JSON_OBJECT;
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    bool found = false;
    if (!is_object && holder->type != FM_JSON_ARRAY) return false;
    fm_json_walk_init(&walk, holder->raw);
    if (!fm_json_walk_open(&walk, holder->type)) return false;
    for (uint64_t i = 0; fm_json_walk_next(&walk, is_object ? &key : NULL, &value); i++) {
        if (is_object ? !fm_json_piece_equals(&key, name) : !is_element(name, i)) continue;
        *out = value;
        found = true;
    }
    return found;
}

/* Reads the whole row as a JSON value. Returns false if it is not a JSON value. */
static bool whole_row(framemap_str row, struct fm_json_piece *out)
{
    struct fm_json_grammar grammar = {.begin = row.data, .at = row.data, .end = row.data + row.size};
    fm_json_grammar_blanks(&grammar);
    const char *begin = grammar.at;
    if (!fm_json_grammar_value(&grammar)) return false;
    const char *end = grammar.at;
    if (!fm_json_grammar_end(&grammar)) return false;
    *out = (struct fm_json_piece){.raw = fm_str(begin, (size_t)(end - begin)), .type = FM_JSON_NUMBER};
    switch (*begin) {
    case '{': out->type = FM_JSON_OBJECT; break;
    case '[': out->type = FM_JSON_ARRAY; break;
    case '"':
        out->type = FM_JSON_STRING;
        out->escaped = memchr(begin, '\\', out->raw.size) != NULL;
        out->raw = fm_str_slice(out->raw, 1, out->raw.size - 1);
        break;
    case 'n': out->type = FM_JSON_NULL; break;
    case 't':
    case 'f': out->type = FM_JSON_BOOL; break;
    default: break;
    }
    return true;
}

static const char *find_fields(framemap_str row, const struct fm_row_path *paths, size_t count,
                               struct fm_row_value *values)
{
    struct fm_json_piece whole;
    if (row.size == 0 || !whole_row(row, &whole)) return "it is not a JSON value";
    for (size_t i = 0; i < count; i++) {
        struct fm_json_piece at = whole;
        bool found = paths[i].given;
        for (size_t k = 0; k < paths[i].count && found; k++) found = find_member(&at, paths[i].keys[k], &at);
        values[i] = (struct fm_row_value){.raw = {NULL, 0}};
        if (!found) continue;
        values[i].is_null = at.type == FM_JSON_NULL;
        values[i].is_text = at.type == FM_JSON_STRING;
        values[i].raw = at.raw;
    }
    return NULL;
}

static bool read_text(const struct fm_row_value *value, struct fm_arena *arena, framemap_str *out)
{
    *out = value->raw;
    return !value->is_text || fm_json_unescape(value->raw, arena, out);
}

/* Writes the new text of a field. If the value is a JSON string, the text is escaped, but the quotes are omitted, since
 * they are in the part of the row that is not replaced. */
static void put_text(struct fm_buf *out, const struct fm_row_value *value, framemap_str text)
{
    const size_t at = out->size;
    if (!value->is_text) {
        fm_buf_str(out, text);
        return;
    }
    if (!fm_buf_json(out, text)) return;
    memmove(out->data + at, out->data + at + 1, out->size - at - 2);
    out->size -= 2;
}

/* The position in a row at which the status is written. */
struct place {
    /* bytes that are replaced: the value of the member with that name; without such a member, the empty range at which
     * the member is inserted */
    const char *from, *to;
    bool is_member, has_members;
};

static bool find_place(framemap_str row, framemap_str name, struct place *out)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    *out = (struct place){.from = NULL};
    fm_json_walk_init(&walk, row);
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT)) return false;
    while (fm_json_walk_next(&walk, &key, &value)) {
        const size_t quote = value.type == FM_JSON_STRING;
        out->has_members = true;
        if (out->is_member && !fm_json_piece_equals(&key, name)) continue;
        out->is_member = fm_json_piece_equals(&key, name);
        out->from = value.raw.data - quote;
        out->to = value.raw.data + value.raw.size + quote;
    }
    if (!out->is_member) {
        if (out->from == NULL) out->to = (const char *)memchr(row.data, '{', row.size) + 1;
        out->from = out->to;
    }
    return !walk.failed;
}

static void put_status(struct fm_buf *out, framemap_str row, framemap_str name, framemap_str status)
{
    struct place place;
    if (!find_place(row, name, &place)) {
        fm_buf_str(out, row);
        return;
    }
    fm_buf_str(out, fm_str(row.data, (size_t)(place.from - row.data)));
    if (!place.is_member) {
        if (place.has_members) fm_buf_byte(out, ',');
        fm_buf_json(out, name);
        fm_buf_byte(out, ':');
    }
    fm_buf_json(out, status);
    fm_buf_str(out, fm_str(place.to, (size_t)(row.data + row.size - place.to)));
}

const struct fm_row_shape fm_row_ndjson = {.name = "ndjson",
                                           .path = read_path,
                                           .find = find_fields,
                                           .text = read_text,
                                           .put = put_text,
                                           .put_status = put_status};
