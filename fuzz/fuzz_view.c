/* The index: arbitrary bytes as an index, and arbitrary records through the builder and back.
 *
 * The first byte chooses. As bytes: opening, looking up, walking, splitting and verifying never fault; an index that verifies answers every question.
 * Checksums are made right first, or the search would never get past them. Answers in brief, alone and side by side, say what whole answers say. As records: what the builder writes verifies, and every
 * position that was given answers with what was given last. */
#include "core/hash.h"
#include "core/text.h"
#include "index/bits.h"
#include "index/builder.h"
#include "index/classes_view.h"
#include "index/layout.h"
#include "index/segments_view.h"
#include "index/view.h"
#include "resolve/resolve.h"
#include <stdlib.h>
#include <string.h>

#define STEPS_MOST 300

static void must(bool holds)
{
    if (!holds) abort();
}

/* What is kept of a node says the same as its row. */
static void use_frame(const struct fm_view *view, uint32_t number, const struct fm_view_node *node, bool sound)
{
    struct fm_view_frame own;
    const struct fm_view_frame *frame;
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    const framemap_status status = fm_view_frame(view, number, &arena, &own, &frame);
    must(!sound || status == FRAMEMAP_OK);
    if (status == FRAMEMAP_OK) {
        must(frame->parent == node->parent && frame->decl_line1 == node->decl_line1);
        must(fm_str_equal(fm_frame_name(frame), node->function));
        if (node->parent != FM_VIEW_NONE)
            must(frame->where.call.line1 == node->call_line1 && frame->where.call.col1 == node->call_col1);
        else
            must(fm_str_equal(fm_frame_more(frame), node->symbol));
    }
    fm_arena_free(&arena);
}

static void use_place(const struct fm_view *view, const struct fm_hit *hit, uint32_t which, bool sound)
{
    struct fm_view_place place;
    struct fm_view_node node;
    const framemap_status status = fm_view_place(view, hit, which, &place);
    must(!sound || status == FRAMEMAP_OK);
    if (status != FRAMEMAP_OK) return;
    unsigned depth = 0;
    for (uint32_t at = place.node; at != FM_VIEW_NONE && depth < 2000; at = node.parent, depth++) {
        framemap_str alias;
        const framemap_status read = fm_view_node(view, at, &node);
        must(!sound || read == FRAMEMAP_OK);
        if (read != FRAMEMAP_OK) return;
        must(node.parent == FM_VIEW_NONE || node.parent < at);
        use_frame(view, at, &node, sound);
        const framemap_status last = node.alias_count > 0 ? fm_view_alias(view, at, node.alias_count - 1, &alias) : FRAMEMAP_OK;
        must(!sound || last == FRAMEMAP_OK);
    }
    must(!sound || depth <= 1024);
}

/* But for start and end, which finding does not tell. */
static bool same_answer(const struct fm_hit *a, const struct fm_hit *b)
{
    return a->scope == b->scope && a->position == b->position && a->place_count == b->place_count &&
           a->entry.node_code == b->entry.node_code && a->entry.file_code == b->entry.file_code && a->entry.col1 == b->entry.col1 &&
           a->entry.name_code == b->entry.name_code && a->entry.line == b->entry.line && a->entry.has_line == b->entry.has_line &&
           a->entry.follows == b->entry.follows;
}

static void use_position(const struct fm_view *view, uint64_t scope, uint64_t position, bool sound)
{
    struct fm_hit hit, same;
    const framemap_status status = fm_view_lookup(view, scope, position, &hit);
    must(!sound || status == FRAMEMAP_OK);
    if (status != FRAMEMAP_OK) return;
    must(!sound || (hit.start <= position && (position < hit.end || hit.end == UINT64_MAX)));
    must(fm_view_find(view, scope, position, &same) == FRAMEMAP_OK && same_answer(&hit, &same));
    must(fm_view_find_plain(view, scope, position, &same) == FRAMEMAP_OK && same_answer(&hit, &same));
    must(fm_view_find_many(view, scope, &position, 1, &same) == FRAMEMAP_OK && same_answer(&hit, &same));
    must(fm_view_find_many_plain(view, scope, &position, 1, &same) == FRAMEMAP_OK && same_answer(&hit, &same));
    for (uint32_t i = 0; i < hit.place_count && i < 8; i++) use_place(view, &hit, i, sound);
}

/* --- answers --- */

enum { ASKED_MOST = 24 };

static void same_frame(const framemap_brief_frame *brief, const framemap_frame *whole)
{
    must(fm_str_equal(brief->function, whole->function) && fm_str_equal(brief->symbol, whole->symbol));
    must(fm_str_equal(brief->file, whole->file) && brief->line == whole->line && brief->column == whole->column);
}

static void same_brief(const framemap_brief_list *list, size_t number, const framemap_brief_list *alone)
{
    const framemap_brief_answer *many = &list->answers[number], *one = alone->answers;
    must(alone->answer_count == 1 && one->first == 0 && alone->frame_count == one->count);
    must(many->status == one->status && many->count == one->count && many->first + (uint64_t)many->count <= list->frame_count);
    for (uint32_t i = 0; i < one->count; i++)
        must(fm_str_equal(list->frames[many->first + i].function, alone->frames[i].function) &&
             list->frames[many->first + i].line == alone->frames[i].line);
}

/* A damaged index may have less to tell in brief that is damaged. */
static void use_answer(const struct fm_view *view, framemap_query query, struct fm_arena *arena, bool sound,
                       const framemap_brief_list *many, size_t number)
{
    framemap_brief_list alone;
    framemap_frame frame;
    const framemap_status brief = fm_resolve_brief(view, &query, query.position, arena, &alone, NULL);
    const framemap_status whole = fm_resolve(view, &query, arena, &frame, NULL);
    must(!sound || (brief == FRAMEMAP_OK && whole == FRAMEMAP_OK));
    must(many == NULL || brief == FRAMEMAP_OK);
    if (many != NULL) same_brief(many, number, &alone);
    if (brief != FRAMEMAP_OK || whole != FRAMEMAP_OK) return;
    must(alone.answers->status == frame.status && alone.frame_count == frame.restored.count);
    for (size_t i = 0; i < alone.frame_count; i++) same_frame(&alone.frames[i], &frame.restored.frames[i]);
}

static void use_answers(const struct fm_view *view, framemap_query query, const uint64_t *positions, size_t count, bool sound)
{
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_brief_list many;
    size_t room = 0;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    const framemap_status status = fm_resolve_many(view, &query, positions, count, &arena, &room, &many, NULL);
    must(!sound || status == FRAMEMAP_OK);
    for (size_t i = 0; i < count; i++) {
        query.position = positions[i];
        use_answer(view, query, &arena, sound, status == FRAMEMAP_OK ? &many : NULL, i);
    }
    fm_arena_free(&arena);
}

static void use_scope(const struct fm_view *view, uint64_t scope, bool sound)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_str key;
    uint64_t number, first = 0, last = 0, steps = 0, asked[ASKED_MOST] = {0, UINT64_MAX};
    size_t asked_count = 2;
    struct fm_hit hit;
    const bool there = fm_view_scope_at(view, scope, &key, &number, &first, &last);
    must(!sound || there);
    use_position(view, scope, 0, sound);
    use_position(view, scope, first, sound);
    use_position(view, scope, last, sound);
    use_position(view, scope, UINT64_MAX, sound);
    for (bool more = fm_view_next(view, scope, 0, &hit); more && steps < STEPS_MOST; steps++) {
        must(hit.start == hit.position);
        use_position(view, scope, hit.start, sound);
        if (asked_count < ASKED_MOST) asked[asked_count++] = hit.start;
        more = hit.start != UINT64_MAX && fm_view_next(view, scope, hit.start + 1, &hit);
    }
    if (!there) return;
    query.scope = key;
    query.scope_number = number;
    query.demangle = number % 2 ? FRAMEMAP_DEMANGLE_NONE : FRAMEMAP_DEMANGLE_DEFAULT;
    use_answers(view, query, asked, asked_count, sound);
}

/* --- the class form --- */

static void use_span(const struct fm_view *view, const struct fm_view_method *method, uint64_t number, bool sound)
{
    struct fm_view_span span;
    struct fm_view_member member;
    struct fm_view_note note;
    framemap_str source;
    uint64_t found, part;
    const bool read = fm_view_method_span(view, method, number, &span), lines = read && (span.flags & FM_SPAN_RESIDUAL) != 0;
    must(!sound || (read && fm_view_member(view, span.member, &member)));
    must(fm_view_part_of(view, method, number, &part) && part < method->part_count);
    if (!read) return;
    if (fm_view_member(view, span.member, &member)) fm_view_name_source(view, member.holder_name, &source);
    for (uint64_t i = 0; i < 40 && fm_view_note(view, span.notes, i, &note); i++)
        must(!sound || (note.kind >= FM_NOTE_REWRITE && note.kind <= FM_NOTE_HIDDEN));
    const uint64_t end = method->first_span + method->span_count;
    const bool at = fm_view_span_at_line(view, method, span.residual_from, number, end, &found);
    must(!sound || !lines || (at && found == number));
    const bool without = fm_view_span_without_lines(view, method, number, end, &found);
    must(!sound || lines || (without && found == number));
}

static void use_method(const struct fm_view *view, uint64_t number, bool sound)
{
    struct fm_view_method method;
    struct fm_view_part part;
    const bool there = fm_view_method_at(view, number, &method);
    must(!sound || there);
    if (!there) return;
    for (uint64_t i = 0; i < method.span_count && i < STEPS_MOST; i++) use_span(view, &method, method.first_span + i, sound);
    for (uint64_t i = 0; i < method.part_count && i < STEPS_MOST; i++) {
        const bool read = fm_view_part(view, &method, method.first_part + i, &part);
        must(!sound || (read && part.span_count > 0));
    }
}

static void use_class(const struct fm_view *view, uint64_t number, bool sound)
{
    struct fm_view_class class, same;
    struct fm_view_method method;
    framemap_str text;
    uint32_t member;
    uint64_t first, count;
    const bool there = fm_view_class_at(view, number, &class);
    must(!sound || (there && fm_view_class(view, class.residual, &same) && same.number == number));
    if (!there) return;
    for (uint64_t i = 0; i < class.method_count && i < STEPS_MOST; i++) {
        if (!fm_view_method_at(view, class.first_method + i, &method)) continue;
        const uint64_t own = method.first_span;
        must(!sound || (fm_view_method(view, &class, method.residual, &method) && method.first_span == own));
    }
    for (uint64_t i = 0; i < class.field_count && i < STEPS_MOST; i++) {
        const bool read = fm_view_field_at(view, class.first_field + i, &text, &member);
        must(!sound || (read && fm_view_fields(view, &class, text, &first, &count) && count > 0));
    }
}

static void use_classes(const struct fm_view *view, bool sound)
{
    struct fm_classes_about about;
    framemap_str source;
    if (!fm_view_classes(view, &about)) return;
    fm_view_source_of(view, (framemap_str){"com.example.Main", 16}, &source);
    for (uint64_t i = 0; i < about.class_count && i < STEPS_MOST; i++) use_class(view, i, sound);
    for (uint64_t i = 0; i < about.method_count && i < STEPS_MOST; i++) use_method(view, i, sound);
}

/* --- the segment form --- */

static void use_segment(const struct fm_view *view, uint64_t number, bool sound)
{
    struct fm_view_segment segment, same;
    struct fm_view_source source;
    struct fm_view_stretch stretch;
    framemap_str name;
    const bool there = fm_view_segment(view, number, &segment);
    must(!sound || there);
    if (!there) return;
    const bool found = fm_view_segment_at(view, segment.line0, segment.col0, &same);
    must(!sound || (found && same.number <= number && same.line0 == segment.line0 && same.col0 == segment.col0));
    must(!sound || segment.source == FM_VIEW_NONE || fm_view_source(view, segment.source, &source));
    must(!sound || segment.name == FM_VIEW_NONE || fm_view_segment_name(view, segment.name, &name));
    fm_view_source_stretch(view, segment.source, segment.original_line0, segment.original_col0, &stretch);
    fm_view_generated_stretch(view, segment.line0, segment.col0, &stretch);
    const uint32_t lines[] = {segment.line0, segment.line0, segment.line0 + 1}, cols[] = {segment.col0, UINT32_MAX, segment.col0};
    struct fm_view_segment many[3];
    bool founds[3];
    fm_view_segments_at(view, lines, cols, 3, many, founds);
    must(founds[0] == found && (!found || many[0].number == same.number));
    must(!sound || (founds[1] && many[1].number >= number));
}

static void use_segments(const struct fm_view *view, bool sound)
{
    struct fm_segments_about about;
    struct fm_view_stretch stretch;
    struct fm_view_offsets list;
    uint32_t value;
    if (!fm_view_segments(view, &about)) return;
    for (uint64_t i = 0; i < about.segment_count && i < STEPS_MOST; i++) use_segment(view, i, sound);
    for (uint64_t i = 0; i < STEPS_MOST && fm_view_source_stretch_at(view, i, &stretch); i++)
        must(!sound || stretch.source < about.source_count);
    for (uint64_t i = 0; i < STEPS_MOST && fm_view_generated_stretch_at(view, i, &stretch); i++) continue;
    for (uint64_t i = 0; i < STEPS_MOST && fm_view_offsets_at(view, i, &list); i++)
        for (uint64_t n = 0; n < list.count && n < STEPS_MOST; n++) fm_view_offset(view, list.kind, list.group, n, &value);
}

static void use_values(const struct fm_view *view, struct fm_heap *heap, bool sound)
{
    struct fm_arena arena;
    fm_arena_init(&arena, heap);
    for (uint64_t i = 0; i < fm_view_bucket_count(view) && i < 4; i++) {
        framemap_str key, bytes;
        struct fm_view *value = NULL;
        const framemap_status status = fm_view_bucket(view, i, &arena, &key, &bytes, NULL);
        must(!sound || status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
        if (status != FRAMEMAP_OK || bytes.size == 0) continue;
        /* The head is a part of the whole, and as sound; the others come from the builder. */
        const framemap_status opened = fm_view_open(bytes, heap, &value, NULL);
        struct fm_classes_about classes;
        if (opened == FRAMEMAP_OK && (sound || i > 0 || fm_view_classes(view, &classes))) must(fm_view_verify(value, NULL) == FRAMEMAP_OK);
        fm_view_close(value);
    }
    fm_arena_free(&arena);
}

static void use_view(const struct fm_view *view, struct fm_heap *heap, bool sound)
{
    struct fm_view_about about;
    uint64_t scope;
    framemap_str text;
    fm_view_about(view, &about);
    fm_view_attribute(view, (framemap_str){"producer", 8}, &text);
    fm_view_scope(view, (framemap_str){"data", 4}, &scope);
    fm_view_scope_number(view, 1, &scope);
    struct fm_classes_about classes;
    /* Those of classes are methods, those of segments lines. */
    const uint64_t scopes = fm_view_classes(view, &classes) || about.is_segments ? 0 : about.scope_count;
    for (uint64_t i = 0; i < scopes && i < 6; i++) use_scope(view, i, sound);
    use_classes(view, sound);
    use_segments(view, sound);
    use_values(view, heap, sound);
}

/* Makes every checksum right that can be reached. */
static void seal(unsigned char *data, size_t size)
{
    if (size < FMX_HEADER) return;
    const uint32_t sections = fm_load32(data + FMX_AT_SECTIONS);
    if (sections > FMX_SECTIONS_MOST || FMX_HEADER + FMX_ENTRY * sections > size) return;
    fm_store32(data + FMX_AT_HEADER_SIZE, FMX_HEADER + FMX_ENTRY * sections);
    fm_store64(data + FMX_AT_FILE_SIZE, size);
    for (uint32_t i = 0; i < sections; i++) {
        unsigned char *entry = data + FMX_HEADER + FMX_ENTRY * i;
        const uint64_t offset = fm_load64(entry + FMX_ENTRY_OFFSET), part = fm_load64(entry + FMX_ENTRY_SIZE);
        if (offset <= size && part <= size - offset) fm_store64(entry + FMX_ENTRY_HASH, fm_hash64(data + offset, (size_t)part, 0));
    }
    fm_store64(data + FMX_AT_CHECK, fm_header_check(data, FMX_HEADER + FMX_ENTRY * sections));
}

static void try_bytes(const uint8_t *data, size_t size, bool sealed)
{
    struct fm_heap heap;
    struct fm_view *view = NULL;
    unsigned char *copy = malloc(size ? size : 1);
    if (copy == NULL) return;
    if (size) memcpy(copy, data, size);
    if (sealed) seal(copy, size);
    fm_heap_init(&heap, NULL, (uint64_t)256 << 20);
    if (fm_view_open((framemap_str){(const char *)copy, size}, &heap, &view, NULL) == FRAMEMAP_OK)
        use_view(view, &heap, fm_view_verify(view, NULL) == FRAMEMAP_OK);
    fm_view_close(view);
    must(heap.used == 0);
    free(copy);
}

/* --- records --- */

/* Numbers out of the input; zeros behind its end. */
struct source {
    const uint8_t *data;
    size_t size;
};
static uint64_t number(struct source *s, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes && s->size > 0; i++, s->size--) value = value << 8 | *s->data++;
    return value;
}
/* One below `count`, or now and then none. */
static uint32_t pick(struct source *s, uint32_t count)
{
    const uint32_t value = (uint32_t)number(s, 1);
    return count == 0 || value % 7 == 6 ? FM_NONE : value % count;
}

#define ROWS_MOST 200
#define THINGS_MOST 24
#define SCOPES_MOST 20

struct row {
    uint64_t position;
    uint32_t scope;
    size_t count; /* of places; 0: an end */
    struct fm_place places[3];
};
struct records {
    struct fm_builder *builder;
    uint32_t strings, files, functions, nodes, scopes;
    uint64_t scope_numbers[SCOPES_MOST];
    char scope_keys[SCOPES_MOST][2];
    uint8_t scope_key_sizes[SCOPES_MOST];
    struct row rows[ROWS_MOST];
    size_t row_count;
    bool numbered;
};

static void give_things(struct records *r, struct source *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz/abc/\\.:aaaaaaaaaaaaaaaaaaaaaaaa";
    uint32_t out;
    for (uint32_t i = 0; i < THINGS_MOST / 2; i++) {
        const size_t from = number(s, 1) % 30, size = number(s, 1) % (sizeof letters - 1 - from);
        must(fm_builder_string(r->builder, (framemap_str){letters + from, size}, &out, NULL) == FRAMEMAP_OK);
        if (out + 1 > r->strings) r->strings = out + 1;
        must(fm_builder_file(r->builder, (framemap_str){letters + from, size}, &out, NULL) == FRAMEMAP_OK);
        if (out + 1 > r->files) r->files = out + 1;
    }
    for (uint32_t i = 0; i < THINGS_MOST; i++) {
        const struct fm_function f = {pick(s, r->strings), pick(s, r->strings), pick(s, r->files), (uint32_t)number(s, 2),
                                      (uint8_t)number(s, 1)};
        must(fm_builder_function(r->builder, &f, &out, NULL) == FRAMEMAP_OK);
        if (out + 1 > r->functions) r->functions = out + 1;
    }
    for (uint32_t i = 0; i < THINGS_MOST; i++) {
        const struct fm_node n = {.parent = pick(s, r->nodes),
                                  .function = pick(s, r->functions),
                                  .call_file = pick(s, r->files),
                                  .call_line1 = (uint32_t)number(s, 1 + i % 4),
                                  .call_col1 = (uint32_t)number(s, 1),
                                  .flags = (uint32_t)number(s, 1) & 3,
                                  .start = number(s, 2),
                                  .size = number(s, 1),
                                  .symbol = pick(s, r->strings)};
        must(fm_builder_node(r->builder, &n, &out, NULL) == FRAMEMAP_OK);
        if (out + 1 > r->nodes) r->nodes = out + 1;
        const uint32_t alias = pick(s, r->strings);
        if (n.parent == FM_NONE && alias != FM_NONE) must(fm_builder_alias(r->builder, out, alias, NULL) == FRAMEMAP_OK);
    }
}

static void give_scopes(struct records *r, struct source *s)
{
    for (uint32_t i = 0; i < SCOPES_MOST; i++) {
        const char key[2] = {(char)number(s, 1), 'x'};
        const uint64_t line = number(s, 1 + i % 8);
        uint32_t out;
        if (r->numbered)
            must(fm_builder_scope_number(r->builder, line, &out, NULL) == FRAMEMAP_OK);
        else
            must(fm_builder_scope(r->builder, (framemap_str){key, i % 3}, &out, NULL) == FRAMEMAP_OK);
        r->scope_numbers[out] = line;
        memcpy(r->scope_keys[out], key, sizeof key);
        r->scope_key_sizes[out] = (uint8_t)(i % 3);
        if (out + 1 > r->scopes) r->scopes = out + 1;
    }
}

static void give_rows(struct records *r, struct source *s)
{
    uint64_t position = 0;
    while (s->size > 0 && r->row_count < ROWS_MOST) {
        struct row *row = &r->rows[r->row_count++];
        const uint8_t what = (uint8_t)number(s, 1);
        position += number(s, 1) << (what & 0x30 ? 0 : number(s, 1) % 64);
        row->position = position;
        row->scope = (uint32_t)number(s, 1) % r->scopes;
        row->count = what % 8 == 0 ? 0 : what % 8 < 6 ? 1 : what % 8 - 4;
        for (size_t i = 0; i < row->count; i++)
            row->places[i] = (struct fm_place){pick(s, r->nodes),
                                               pick(s, r->files),
                                               (uint32_t)number(s, what & 0x40 ? 4 : 1),
                                               (uint32_t)number(s, 1),
                                               what & 0x80 ? pick(s, r->strings) : FM_NONE,
                                               what >> 3 & 1};
        if (row->count == 0)
            must(fm_builder_end(r->builder, row->scope, row->position, NULL) == FRAMEMAP_OK);
        else
            must(fm_builder_position(r->builder, row->scope, row->position, row->places, row->count, NULL) == FRAMEMAP_OK);
    }
}

/* The row that answers for a position, as the builder's rules say. */
static const struct row *answer(const struct records *r, uint32_t scope, uint64_t position)
{
    const struct row *best = NULL;
    for (size_t i = 0; i < r->row_count; i++) {
        const struct row *row = &r->rows[i];
        if (row->scope != scope || row->position > position || (best && row->position < best->position)) continue;
        if (best && row->position == best->position && row->count == 0) continue;
        best = row;
    }
    return best;
}

static void check_row(const struct records *r, const struct fm_view *view, const struct row *row)
{
    const struct row *wanted = answer(r, row->scope, row->position);
    uint64_t scope;
    struct fm_hit hit;
    must(r->numbered ? fm_view_scope_number(view, r->scope_numbers[row->scope], &scope)
                     : fm_view_scope(view, (framemap_str){r->scope_keys[row->scope], r->scope_key_sizes[row->scope]}, &scope));
    must(fm_view_lookup(view, scope, row->position, &hit) == FRAMEMAP_OK);
    must(hit.place_count == wanted->count);
    for (uint32_t i = 0; i < hit.place_count; i++) {
        const struct fm_place *place = &wanted->places[i];
        struct fm_view_place got;
        must(fm_view_place(view, &hit, i, &got) == FRAMEMAP_OK);
        must(got.col1 == place->col1 && got.flags == place->flags && got.line1 == place->line1);
        must((got.node == FM_VIEW_NONE) == (place->node == FM_NONE) && (got.name.data == NULL) == (place->name == FM_NONE));
    }
}

static void try_records(const uint8_t *data, size_t size)
{
    static const struct fm_builder_about about = {.kind = {"fuzz", 4}};
    struct source s = {data, size};
    struct fm_heap heap;
    struct fm_built built = {NULL, 0};
    struct fm_view *view = NULL;
    struct records *r = calloc(1, sizeof *r);
    if (r == NULL) return;
    fm_heap_init(&heap, NULL, 0);
    must(fm_builder_create(&heap, &r->builder, NULL) == FRAMEMAP_OK);
    struct fm_builder_about said = about;
    r->numbered = number(&s, 1) & 1;
    said.keys = r->numbered ? FM_SCOPE_NUMBERED : FM_SCOPE_NAMED;
    must(fm_builder_about(r->builder, &said, NULL) == FRAMEMAP_OK);
    give_things(r, &s);
    give_scopes(r, &s);
    give_rows(r, &s);
    const framemap_status status = fm_builder_finish(r->builder, &built, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_EMPTY);
    if (status == FRAMEMAP_OK) {
        must(fm_view_open((framemap_str){(const char *)built.data, built.size}, &heap, &view, NULL) == FRAMEMAP_OK);
        must(fm_view_verify(view, NULL) == FRAMEMAP_OK);
        use_view(view, &heap, true);
        for (size_t i = 0; i < r->row_count; i++) check_row(r, view, &r->rows[i]);
    }
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    fm_builder_free(r->builder);
    must(heap.used == 0);
    free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    if (data[0] == 0)
        try_records(data + 1, size - 1);
    else
        try_bytes(data + 1, size - 1, data[0] != 1);
    return 0;
}
