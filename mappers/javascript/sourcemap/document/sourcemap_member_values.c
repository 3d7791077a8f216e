/* Reads the members of a source map, debug ids, and numbers of bundle segments. See sourcemap_member_values.h. */
#include "mappers/javascript/sourcemap/document/sourcemap_member_values.h"

#include "core/text/scan.h"

static const char *const keys[FM_SOURCEMAP_MEMBERS] = {
    [FM_SOURCEMAP_MEMBER_VERSION] = "version",
    [FM_SOURCEMAP_MEMBER_FILE] = "file",
    [FM_SOURCEMAP_MEMBER_SOURCE_ROOT] = "sourceRoot",
    [FM_SOURCEMAP_MEMBER_SOURCES] = "sources",
    [FM_SOURCEMAP_MEMBER_CONTENTS] = "sourcesContent",
    [FM_SOURCEMAP_MEMBER_NAMES] = "names",
    [FM_SOURCEMAP_MEMBER_MAPPINGS] = "mappings",
    [FM_SOURCEMAP_MEMBER_SECTIONS] = "sections",
    [FM_SOURCEMAP_MEMBER_IGNORE_LIST] = "ignoreList",
    [FM_SOURCEMAP_MEMBER_GOOGLE_IGNORE_LIST] = "x_google_ignoreList",
    [FM_SOURCEMAP_MEMBER_DEBUG_ID] = "debugId",
    [FM_SOURCEMAP_MEMBER_SENTRY_DEBUG_ID] = "debug_id",
    [FM_SOURCEMAP_MEMBER_SCOPES] = "scopes",
    [FM_SOURCEMAP_MEMBER_RANGES] = "rangeMappings",
    [FM_SOURCEMAP_MEMBER_FACEBOOK_SOURCES] = "x_facebook_sources",
    [FM_SOURCEMAP_MEMBER_HERMES_OFFSETS] = "x_hermes_function_offsets",
    [FM_SOURCEMAP_MEMBER_FACEBOOK_OFFSETS] = "x_facebook_offsets",
    [FM_SOURCEMAP_MEMBER_FACEBOOK_SEGMENTS] = "x_facebook_segments",
    [FM_SOURCEMAP_MEMBER_DART2JS] = "x_org_dartlang_dart2js",
};

enum fm_sourcemap_member fm_sourcemap_member_of(const struct fm_json_piece *key)
{
    for (unsigned i = 0; i < FM_SOURCEMAP_MEMBERS; i++)
        if (fm_json_piece_equals(key, framemap_str_of(keys[i]))) return (enum fm_sourcemap_member)i;
    return FM_SOURCEMAP_MEMBERS;
}

/* Reads sourcesContent and checks its elements in the same pass over the text. This member is the largest one of most
 * maps, and many builds need only the check. */
static bool contents(struct fm_json_walk *walk, struct fm_sourcemap_members *out, struct fm_json_piece *value)
{
    struct fm_json_walk inner;
    struct fm_json_piece element;
    out->bad_content = NULL;
    if (!fm_json_walk_enter(walk, FM_JSON_ARRAY, &inner)) return fm_json_walk_value(walk, value);
    while (fm_json_walk_next(&inner, NULL, &element))
        if (element.type != FM_JSON_STRING && element.type != FM_JSON_NULL && out->bad_content == NULL)
            out->bad_content = element.raw.data;
    return fm_json_walk_leave(walk, &inner, value);
}

bool fm_sourcemap_members_read(struct fm_json_walk *walk, struct fm_sourcemap_members *out)
{
    struct fm_json_piece key, value;
    *out = (struct fm_sourcemap_members){0};
    if (!fm_json_walk_open(walk, FM_JSON_OBJECT)) return false;
    while (fm_json_walk_key(walk, &key)) {
        const enum fm_sourcemap_member member = fm_sourcemap_member_of(&key);
        if (member == FM_SOURCEMAP_MEMBER_CONTENTS ? !contents(walk, out, &value) : !fm_json_walk_value(walk, &value))
            return false;
        if (member != FM_SOURCEMAP_MEMBERS) out->at[member] = value;
    }
    return !walk->failed;
}

static char lower(char c) { return c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c; }

static bool is_dash_place(size_t at) { return at == 8 || at == 13 || at == 18 || at == 23; }

bool fm_sourcemap_id_read(framemap_str text, bool canonical, char out[FM_SOURCEMAP_ID_DIGITS])
{
    char digits[FM_SOURCEMAP_ID_DIGITS];
    size_t count = 0;
    const bool dashes = text.size == FM_SOURCEMAP_ID_DIGITS + 4;
    if (!dashes && (canonical || text.size != FM_SOURCEMAP_ID_DIGITS)) return false;
    for (size_t i = 0; i < text.size; i++) {
        if (dashes && is_dash_place(i)) {
            if (text.data[i] != '-') return false;
            continue;
        }
        if (!fm_is_hex(text.data[i])) return false;
        digits[count++] = lower(text.data[i]);
    }
    memcpy(out, digits, sizeof digits);
    return true;
}

bool fm_sourcemap_members_id(const struct fm_sourcemap_members *members, char out[FM_SOURCEMAP_ID_DIGITS])
{
    const struct fm_json_piece *id = &members->at[FM_SOURCEMAP_MEMBER_DEBUG_ID],
                               *other = &members->at[FM_SOURCEMAP_MEMBER_SENTRY_DEBUG_ID];
    if (fm_json_piece_is(id, FM_JSON_STRING)) return fm_sourcemap_id_read(id->raw, false, out);
    return fm_json_piece_is(other, FM_JSON_STRING) && fm_sourcemap_id_read(other->raw, false, out);
}

bool fm_sourcemap_group_of(const struct fm_json_piece *key, uint32_t *out)
{
    struct fm_scan s = fm_scan_of(key->raw);
    uint64_t number;
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_done(&s) || number >= FM_SOURCEMAP_MAX_GROUPS) return false;
    *out = (uint32_t)number;
    return true;
}

bool fm_sourcemap_columns_are_addresses(const struct fm_sourcemap_members *members)
{
    enum { SEGMENTS_LEAST = 256 };
    const framemap_str text = members->at[FM_SOURCEMAP_MEMBER_MAPPINGS].raw;
    size_t segments = 1;
    if (!fm_sourcemap_is(members, FM_SOURCEMAP_MEMBER_MAPPINGS, FM_JSON_STRING)) return false;
    for (size_t i = 1; i < text.size; i++) {
        const bool is_of_next_line = text.data[i - 1] == ';' && text.data[i] != ';' && text.data[i] != '"';
        /* the digit 'C' means 1: this segment is one column after the previous one */
        const bool is_adjacent = text.data[i - 1] == ',' && text.data[i] == 'C';
        if (is_of_next_line || is_adjacent) return false;
        segments += text.data[i] == ',';
    }
    return segments >= SEGMENTS_LEAST;
}
