/* Implements inject_map.h. Mappings are base64 VLQ (ECMA-426, 9.2). The column of a segment is relative to the previous
 * segment on its line; the other numbers of a segment are relative to the previous segment on any line. So lines can be
 * inserted without decoding the segments. */
#include "session/inject/inject_map.h"

#include "core/error.h"
#include "core/json/json_walk.h"
#include "formats/object_edit.h"
#include "session/inject/inject_moves.h"

/* --- VLQ --- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_vlq(struct fm_buf *out, uint64_t value)
{
    for (value <<= 1; value >= 32; value >>= 5) fm_buf_byte(out, digits[(value & 31) | 32]);
    fm_buf_byte(out, digits[value]);
}

/* Reads the first number of a segment, which must not be negative, and moves the segment past it. */
static bool read_column(framemap_str *segment, uint64_t *out)
{
    uint64_t value = 0;
    for (unsigned shift = 0; segment->size > 0 && shift <= 30; shift += 5) {
        const char *digit = memchr(digits, segment->data[0], 64);
        if (digit == NULL) return false;
        const unsigned bits = (unsigned)(digit - digits);
        *segment = fm_str_from(*segment, 1);
        value |= (uint64_t)(bits & 31) << shift;
        if (bits & 32) continue;
        *out = value >> 1;
        return (value & 1) == 0 || value == 1;
    }
    return false;
}

/* --- moving the mappings of a map --- */

/* Divides a line at a column. The mappings from that column on are moved to the second line below. A segment that spans
 * the column continues there. Returns false if the line is not sorted, or is not VLQ. */
static bool divide_line(struct fm_buf *out, framemap_str line, uint64_t col0)
{
    uint64_t column = 0;
    size_t at = 0;
    framemap_str rest = {NULL, 0};
    bool found = false, has_source = false;
    while (at < line.size && !found) {
        framemap_str segment = fm_str_from(line, at);
        segment = fm_str_slice(segment, 0, fm_str_find_byte(segment, ','));
        const size_t next = at + segment.size + 1;
        uint64_t delta;
        rest = segment;
        if (!read_column(&rest, &delta)) return false;
        column += delta;
        found = column >= col0;
        if (found) break;
        has_source = rest.size > 0;
        at = next;
    }
    const size_t kept = !found ? line.size : at > 0 ? at - 1 : 0;
    fm_buf_str(out, fm_str_slice(line, 0, kept));
    fm_buf_str(out, FM_STR(";;"));
    const bool spans = has_source && (!found || column > col0);
    if (spans) fm_buf_str(out, FM_STR("AAAA"));
    if (!found) return true;
    if (spans) fm_buf_byte(out, ',');
    put_vlq(out, column - col0);
    fm_buf_str(out, rest);
    fm_buf_str(out, fm_str_from(line, at + (size_t)(rest.data + rest.size - (line.data + at))));
    return true;
}

static bool move_mappings(struct fm_buf *out, framemap_str mappings, const struct fm_script_place *moved)
{
    size_t at = 0;
    for (uint64_t line = 0; line < moved->line0; line++) {
        const size_t end = fm_str_find_byte(fm_str_from(mappings, at), ';');
        if (end == FM_NOT_FOUND) return fm_buf_str(out, mappings); /* the remaining lines have no mappings */
        at += end + 1;
    }
    fm_buf_str(out, fm_str_slice(mappings, 0, at));
    const framemap_str rest = fm_str_from(mappings, at);
    if (moved->col0 == 0) {
        fm_buf_byte(out, ';');
        return fm_buf_str(out, rest);
    }
    const size_t end = fm_str_find_byte(rest, ';');
    if (!divide_line(out, fm_str_slice(rest, 0, end), moved->col0)) return false;
    if (end != FM_NOT_FOUND) fm_buf_str(out, fm_str_from(rest, end));
    return true;
}

/* --- members --- */

enum { MAPPINGS, SECTIONS, SCOPES, RANGES, OLD_RANGES, DEBUG_ID, DEBUG_ID_OLD, MEMBERS };

static framemap_status read_members(framemap_str map, struct fm_json_piece members[MEMBERS], framemap_error *error)
{
    static const framemap_str names[MEMBERS] = {
        [MAPPINGS] = FM_STR_INIT("mappings"),
        [SECTIONS] = FM_STR_INIT("sections"),
        [SCOPES] = FM_STR_INIT("scopes"),
        [RANGES] = FM_STR_INIT("rangeMappings"),
        [OLD_RANGES] = FM_STR_INIT("generatedRanges"),
        [DEBUG_ID] = FM_STR_INIT("debugId"),
        [DEBUG_ID_OLD] = FM_STR_INIT("debug_id"),
    };
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    memset(members, 0, MEMBERS * sizeof *members);
    fm_json_walk_init(&walk, map);
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "this is not a source map: it is not a JSON object");
    while (fm_json_walk_next(&walk, &key, &value))
        for (int i = 0; i < MEMBERS; i++)
            if (fm_json_piece_equals(&key, names[i])) members[i] = value;
    if (walk.failed || !fm_json_walk_done(&walk)) return fm_json_walk_fault(&walk, error);
    return FRAMEMAP_OK;
}

framemap_status fm_inject_map_id(framemap_str map, framemap_str *out, framemap_error *error)
{
    struct fm_json_piece members[MEMBERS];
    const framemap_status status = read_members(map, members, error);
    *out = (framemap_str){NULL, 0};
    if (status != FRAMEMAP_OK) return status;
    for (int i = DEBUG_ID; i <= DEBUG_ID_OLD && out->size == 0; i++)
        if (fm_json_piece_is(&members[i], FM_JSON_STRING)) *out = members[i].raw;
    return FRAMEMAP_OK;
}

static framemap_status refuse(const char *what, framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "this source map has %s, which cannot be moved", what);
}

/* The members of a map whose contents change because code moves; each as JSON text. */
struct moved_members {
    struct fm_buf mappings, scopes, ranges;
    struct fm_edit edits[3];
};

static void moved_free(struct moved_members *m)
{
    fm_buf_free(&m->mappings);
    fm_buf_free(&m->scopes);
    fm_buf_free(&m->ranges);
}

typedef bool mover(struct fm_buf *out, framemap_str text, const struct fm_script_place *moved);

/* Moves the positions in a member that is a string without escapes; other values are written unchanged. Returns false
 * if they cannot be moved. */
static bool move_text(struct fm_buf *out, const struct fm_json_piece *member, mover *move,
                      const struct fm_script_place *moved, const char *name, struct fm_edit *edit)
{
    *edit = (struct fm_edit){.name = framemap_str_of(name)};
    if (!fm_json_piece_is(member, FM_JSON_STRING)) return true;
    if (member->escaped) return false;
    fm_buf_byte(out, '"');
    if (!move(out, member->raw, moved)) return false;
    fm_buf_byte(out, '"');
    edit->kind = FM_EDIT_JSON;
    edit->text = fm_buf_view(out);
    return true;
}

/* Changes the members of a map that contain positions, because the code after the inserted text moves. The caller frees
 * `m` in any case. */
static framemap_status move_members(struct moved_members *m, struct fm_heap *heap,
                                    const struct fm_json_piece members[MEMBERS], const struct fm_script_place *moved,
                                    framemap_error *error)
{
    fm_buf_init(&m->mappings, heap);
    fm_buf_init(&m->scopes, heap);
    fm_buf_init(&m->ranges, heap);
    if (!fm_json_piece_is(&members[MAPPINGS], FM_JSON_STRING))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "this is not a source map: it has no mappings");
    if (members[OLD_RANGES].raw.data) return refuse("generated ranges", error);
    if (!move_text(&m->scopes, &members[SCOPES], fm_inject_move_scopes, moved, "scopes", &m->edits[0]))
        return m->scopes.failed ? fm_error_memory(error) : refuse("scopes before the place", error);
    if (!move_text(&m->ranges, &members[RANGES], fm_inject_move_ranges, moved, "rangeMappings", &m->edits[1]))
        return m->ranges.failed ? fm_error_memory(error) : refuse("range mappings before the place", error);
    if (!move_text(&m->mappings, &members[MAPPINGS], move_mappings, moved, "mappings", &m->edits[2]))
        return m->mappings.failed
                   ? fm_error_memory(error)
                   : fm_error_set(error, FRAMEMAP_E_CORRUPT, "the mappings of this source map are damaged");
    return m->mappings.failed || m->scopes.failed || m->ranges.failed ? fm_error_memory(error) : FRAMEMAP_OK;
}

/* --- moving the sections of an index map --- */

static bool read_offset(const struct fm_json_piece *offset, int64_t *line, int64_t *column)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    *line = *column = -1;
    fm_json_walk_init(&walk, offset->raw);
    if (!fm_json_piece_is(offset, FM_JSON_OBJECT) || !fm_json_walk_open(&walk, FM_JSON_OBJECT)) return false;
    while (fm_json_walk_next(&walk, &key, &value)) {
        if (fm_json_piece_equals(&key, FM_STR("line")) && !fm_json_piece_integer(&value, line)) return false;
        if (fm_json_piece_equals(&key, FM_STR("column")) && !fm_json_piece_integer(&value, column)) return false;
    }
    return !walk.failed && *line >= 0 && *column >= 0;
}

/* Writes the offset of a section. If the section begins at or after the place of the statement, the offset is moved. */
static void put_offset(struct fm_buf *out, const struct fm_json_piece *offset, const struct fm_script_place *moved,
                       uint64_t line, uint64_t column)
{
    const bool divided = moved->col0 > 0;
    if (divided && line == moved->line0) column -= moved->col0;
    const struct fm_edit edits[] = {{.name = FM_STR("line"), .kind = FM_EDIT_NUMBER, .number = line + 1 + divided},
                                    {.name = FM_STR("column"), .kind = FM_EDIT_NUMBER, .number = column}};
    fm_object_edit(out, offset->raw, edits, sizeof edits / sizeof *edits);
}

/* Writes the map of a section that begins before the place of the statement, with the mappings after that place
 * moved. */
static framemap_status put_inner(struct fm_buf *out, const struct fm_json_piece *map,
                                 const struct fm_script_place *moved, uint64_t line, uint64_t column,
                                 framemap_error *error)
{
    struct fm_json_piece members[MEMBERS];
    struct fm_script_place inner = *moved;
    struct moved_members m;
    framemap_status status = map->raw.data ? read_members(map->raw, members, error) : FRAMEMAP_E_CORRUPT;
    if (status != FRAMEMAP_OK) return status;
    inner.line0 -= line;
    if (inner.line0 == 0) inner.col0 -= column;
    status = move_members(&m, out->heap, members, &inner, error);
    if (status == FRAMEMAP_OK) fm_object_edit(out, map->raw, m.edits, sizeof m.edits / sizeof *m.edits);
    moved_free(&m);
    return status;
}

static framemap_status put_section(struct fm_buf *out, const struct fm_json_piece *section,
                                   const struct fm_script_place *moved, framemap_error *error)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, value, offset = {.raw = {NULL, 0}}, map = offset;
    int64_t line, column;
    fm_json_walk_init(&walk, section->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "a section is damaged");
    while (fm_json_walk_next(&walk, &key, &value)) {
        if (fm_json_piece_equals(&key, FM_STR("offset"))) offset = value;
        if (fm_json_piece_equals(&key, FM_STR("map"))) map = value;
    }
    if (!read_offset(&offset, &line, &column) || !fm_json_piece_is(&map, FM_JSON_OBJECT))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "a section of this index map has no offset or no map");
    const uint64_t line0 = (uint64_t)line, col0 = (uint64_t)column;
    const bool after = line0 > moved->line0 || (line0 == moved->line0 && col0 >= moved->col0);
    struct fm_buf text;
    framemap_status status = FRAMEMAP_OK;
    fm_buf_init(&text, out->heap);
    if (after)
        put_offset(&text, &offset, moved, line0, col0);
    else
        status = put_inner(&text, &map, moved, line0, col0, error);
    const struct fm_edit edit = {
        .name = after ? FM_STR("offset") : FM_STR("map"), .kind = FM_EDIT_JSON, .text = fm_buf_view(&text)};
    if (status == FRAMEMAP_OK) fm_object_edit(out, section->raw, &edit, 1);
    if (text.failed) out->failed = true;
    fm_buf_free(&text);
    return status;
}

static framemap_status put_sections(struct fm_buf *out, const struct fm_json_piece *sections,
                                    const struct fm_script_place *moved, framemap_error *error)
{
    struct fm_json_walk walk;
    struct fm_json_piece section;
    framemap_status status = FRAMEMAP_OK;
    fm_json_walk_init(&walk, sections->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_ARRAY))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the sections of this index map are not an array");
    fm_buf_byte(out, '[');
    for (bool first = true; status == FRAMEMAP_OK && fm_json_walk_next(&walk, NULL, &section); first = false) {
        if (!first) fm_buf_byte(out, ',');
        status = put_section(out, &section, moved, error);
    }
    fm_buf_byte(out, ']');
    return status;
}

framemap_status fm_inject_map(struct fm_buf *out, framemap_str map, const struct fm_script_place *moved,
                              const char *debug_id, framemap_error *error)
{
    struct fm_json_piece members[MEMBERS];
    struct fm_edit edits[] = {
        /* This edit is a placeholder that changes nothing. It is replaced below by the new sections, or by the edit of
         * a member that moves. */
        {.name = FM_STR("sections")},
        {.name = FM_STR("debugId"), .kind = FM_EDIT_TEXT, .text = framemap_str_of(debug_id)},
        {.name = FM_STR("debug_id"), .kind = FM_EDIT_TEXT, .text = framemap_str_of(debug_id)},
        {.kind = FM_EDIT_NONE},
        {.kind = FM_EDIT_NONE},
    };
    struct moved_members m;
    struct fm_buf text;
    framemap_status status = read_members(map, members, error);
    if (status != FRAMEMAP_OK) return status;
    fm_buf_init(&text, out->heap);
    memset(&m, 0, sizeof m);
    if (moved && members[SECTIONS].raw.data) {
        status = put_sections(&text, &members[SECTIONS], moved, error);
        edits[0].kind = FM_EDIT_JSON;
        edits[0].text = fm_buf_view(&text);
    } else if (moved) {
        status = move_members(&m, out->heap, members, moved, error);
        edits[0] = m.edits[2];
        edits[3] = m.edits[0];
        edits[4] = m.edits[1];
    }
    if (status == FRAMEMAP_OK) fm_object_edit(out, map, edits, sizeof edits / sizeof *edits);
    if (status == FRAMEMAP_OK && (text.failed || out->failed)) status = fm_error_memory(error);
    fm_buf_free(&text);
    moved_free(&m);
    return status;
}
