/* Implements object_edit.h: walks through the members of a JSON object once, copies them with the changed values
 * replaced, and appends the members that are missing with the spacing of the existing ones. */
#include "formats/object_edit.h"
#include "core/json/json_walk.h"

struct object_edit {
    struct fm_buf *out;
    const struct fm_edit *edits;
    size_t count;
    framemap_str comma, colon; /* the texts that separate two members, and a key from its value */
    const char *at;            /* the first byte that has not been written yet */
    const char *end;           /* the end of the last member that was visited; NULL before the first member */
    bool done[FM_EDITS_MOST];
};

static void put_edit(const struct object_edit *o, const struct fm_edit *edit)
{
    switch (edit->kind) {
    case FM_EDIT_NONE: break;
    case FM_EDIT_TEXT: fm_buf_json(o->out, edit->text); break;
    case FM_EDIT_NUMBER: fm_buf_dec(o->out, edit->number); break;
    case FM_EDIT_TRUE: fm_buf_str(o->out, FM_STR("true")); break;
    case FM_EDIT_NULL: fm_buf_str(o->out, FM_STR("null")); break;
    case FM_EDIT_JSON: fm_buf_str(o->out, edit->text); break;
    }
}

static void copy_to(struct object_edit *o, const char *to)
{
    fm_buf_str(o->out, fm_str(o->at, (size_t)(to - o->at)));
    o->at = to;
}

static size_t quotes(const struct fm_json_piece *piece) { return piece->type == FM_JSON_STRING; }

static void edit_member(struct object_edit *o, const struct fm_json_piece *key, const struct fm_json_piece *value)
{
    const char *from = value->raw.data - quotes(value), *key_end = key->raw.data + key->raw.size + 1;
    if (o->end) o->comma = fm_str(o->end, (size_t)(key->raw.data - 1 - o->end));
    o->colon = fm_str(key_end, (size_t)(from - key_end));
    o->end = value->raw.data + value->raw.size + quotes(value);
    for (size_t i = 0; i < o->count; i++) {
        if (!fm_str_equal(key->raw, o->edits[i].name)) continue;
        o->done[i] = true;
        if (o->edits[i].kind == FM_EDIT_NONE || o->edits[i].adds_only) continue;
        copy_to(o, from);
        const bool quoted = o->edits[i].kind == FM_EDIT_NUMBER && quotes(value) > 0;
        if (quoted) fm_buf_byte(o->out, '"');
        put_edit(o, &o->edits[i]);
        if (quoted) fm_buf_byte(o->out, '"');
        o->at = o->end;
        return;
    }
}

/* Adds the members of the edits that the object does not have. is_empty: the object has no members so far. */
static void add_members(struct object_edit *o, bool is_empty)
{
    for (size_t i = 0; i < o->count; i++) {
        const struct fm_edit *edit = &o->edits[i];
        if (o->done[i] || edit->kind == FM_EDIT_NONE || edit->kind == FM_EDIT_NULL || edit->changes_only) continue;
        if (!is_empty) fm_buf_str(o->out, o->comma);
        is_empty = false;
        fm_buf_json(o->out, edit->name);
        fm_buf_str(o->out, o->colon);
        put_edit(o, edit);
    }
}

framemap_str fm_object_edit(struct fm_buf *out, framemap_str raw, const struct fm_edit *edits, size_t count)
{
    struct object_edit o = {.out = out,
                            .edits = edits,
                            .count = count < FM_EDITS_MOST ? count : FM_EDITS_MOST,
                            .comma = FM_STR(","),
                            .colon = FM_STR(":"),
                            .at = raw.data};
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    fm_json_walk_init(&walk, raw);
    const bool is_object = fm_json_walk_open(&walk, FM_JSON_OBJECT);
    while (is_object && fm_json_walk_next(&walk, &key, &value)) edit_member(&o, &key, &value);
    if (is_object) {
        const char *brace = memchr(raw.data, '{', raw.size); /* only blanks can precede the brace */
        copy_to(&o, o.end ? o.end : brace + 1);
        add_members(&o, o.end == NULL);
    }
    copy_to(&o, raw.data + raw.size);
    return o.comma;
}
