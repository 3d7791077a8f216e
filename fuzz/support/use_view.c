#include "fuzz/support/use_view.h"

#include "core/text/text.h"
#include "index/read/classes/class_view.h"
#include "index/read/head_view.h"
#include "index/read/segments/segment_view.h"
#include "index/split/split.h"
#include "resolve/native/lookup_many.h"
#include "resolve/resolve.h"

#include <stdlib.h>

#define STEPS_MOST 300

static void must(bool holds)
{
    if (!holds) abort();
}

/* --- querying positions --- */

/* Checks that the frame which the view caches for a node agrees with the node's record. */
static void use_frame(const struct fm_view *view, uint32_t number, const struct fm_view_node *node, bool sound)
{
    struct fm_view_frame own;
    const struct fm_view_frame *frame;
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    const framemap_status status = fm_view_node_frame(view, number, &arena, &own, &frame);
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
        const framemap_status last =
            node.alias_count > 0 ? fm_view_alias(view, at, node.alias_count - 1, &alias) : FRAMEMAP_OK;
        must(!sound || last == FRAMEMAP_OK);
    }
    must(!sound || depth <= 1024);
}

/* Whether two answers are equal, except for start and end, which a fast lookup does not return. */
static bool same_answer(const struct fm_hit *a, const struct fm_hit *b)
{
    return a->scope == b->scope && a->position == b->position && a->place_count == b->place_count &&
           a->entry.node_code == b->entry.node_code && a->entry.file_code == b->entry.file_code &&
           a->entry.col1 == b->entry.col1 && a->entry.name_code == b->entry.name_code &&
           a->entry.line == b->entry.line && a->entry.has_line == b->entry.has_line &&
           a->entry.follows == b->entry.follows;
}

/* Whether the result of a fast lookup agrees with the result of a full lookup. */
static bool is_found(const struct fm_view *view, const struct fm_hit *looked_up, const struct fm_short_hit *found)
{
    struct fm_hit hit;
    return fm_view_whole_hit(view, looked_up->scope, looked_up->position, found, &hit) == FRAMEMAP_OK &&
           same_answer(looked_up, &hit);
}

static void use_position(const struct fm_view *view, uint64_t scope, uint64_t position, bool sound)
{
    struct fm_hit hit;
    struct fm_short_hit found;
    const framemap_status status = fm_view_lookup(view, scope, position, &hit);
    must(!sound || status == FRAMEMAP_OK);
    if (status != FRAMEMAP_OK) return;
    must(!sound || (hit.start <= position && (position < hit.end || hit.end == UINT64_MAX)));
    fm_view_find(view, scope, position, &found);
    must(is_found(view, &hit, &found));
    fm_view_find_plain(view, scope, position, &found);
    must(is_found(view, &hit, &found));
    fm_view_find_many(view, scope, &position, 1, &found);
    must(is_found(view, &hit, &found));
    fm_view_find_many_plain(view, scope, &position, 1, &found);
    must(is_found(view, &hit, &found));
    for (uint32_t i = 0; i < hit.place_count && i < 8; i++) use_place(view, &hit, i, sound);
}

/* --- comparing answers of the library with the index --- */

enum { ASKED_MOST = 24 };

static void same_frame(const framemap_location *brief, const framemap_frame *whole)
{
    must(fm_str_equal(brief->function, whole->function) && fm_str_equal(brief->symbol, whole->symbol));
    must(fm_str_equal(brief->file, whole->file) && brief->line == whole->line && brief->column == whole->column);
}

static void same_brief(const framemap_location_list *list, size_t number, const framemap_location_list *alone)
{
    const framemap_location_chain *many = &list->chains[number], *one = alone->chains;
    must(alone->chain_count == 1 && one->first == 0 && alone->location_count == one->count);
    must(many->status == one->status && many->count == one->count &&
         many->first + (uint64_t)many->count <= list->location_count);
    for (uint32_t i = 0; i < one->count; i++)
        must(fm_str_equal(list->locations[many->first + i].function, alone->locations[i].function) &&
             list->locations[many->first + i].line == alone->locations[i].line);
}

/* Checks that a short answer agrees with the whole one. In a damaged index, one of the two may fail alone, because they
 * read different data. */
static void use_answer(const struct fm_view *view, framemap_query query, struct fm_arena *arena, bool sound,
                       const framemap_location_list *many, size_t number)
{
    framemap_location_list alone;
    framemap_frame frame;
    const framemap_status brief = fm_resolve_location(view, &query, query.position, arena, &alone, NULL);
    const framemap_status whole = fm_resolve(view, &query, arena, &frame, NULL);
    must(!sound || (brief == FRAMEMAP_OK && whole == FRAMEMAP_OK));
    must(many == NULL || brief == FRAMEMAP_OK);
    if (many != NULL) same_brief(many, number, &alone);
    if (brief != FRAMEMAP_OK || whole != FRAMEMAP_OK || frame.over_limit)
        return; /* if the answer exceeds a limit, the two chains may be cut at different frames */
    must(alone.chains->status == frame.status && alone.location_count == frame.restored.count);
    for (size_t i = 0; i < alone.location_count; i++) same_frame(&alone.locations[i], &frame.restored.frames[i]);
}

static void use_answers(const struct fm_view *view, framemap_query query, const uint64_t *positions, size_t count,
                        bool sound)
{
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_location_list many;
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

/* --- reading an index of the class form --- */

static void use_span(const struct fm_view *view, const struct fm_view_method *method, uint64_t number, bool sound)
{
    struct fm_view_span span;
    struct fm_view_member member;
    struct fm_view_note note;
    framemap_str source;
    uint64_t found, part;
    const bool read = fm_view_method_span(view, method, number, &span),
               lines = read && (span.flags & FM_SPAN_RESIDUAL) != 0;
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
    for (uint64_t i = 0; i < method.span_count && i < STEPS_MOST; i++)
        use_span(view, &method, method.first_span + i, sound);
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
        must(!sound || (fm_view_class_method(view, &class, method.residual, &method) && method.first_span == own));
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

/* --- reading an index of the segment form --- */

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
    const uint32_t lines[] = {segment.line0, segment.line0, segment.line0 + 1},
                   cols[] = {segment.col0, UINT32_MAX, segment.col0};
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
        for (uint64_t n = 0; n < list.count && n < STEPS_MOST; n++)
            fm_view_offset(view, list.kind, list.group, n, &value);
}

struct few_values {
    struct fm_heap *heap;
    unsigned left;
};

/* Checks a value of an index that was split. The builder made the value, so it is sound even if the index is not. */
static framemap_status use_value(void *context, framemap_str field, framemap_str bytes, framemap_error *error)
{
    struct few_values *few = context;
    struct fm_view *value = NULL;
    must(field.size > 0);
    if (fm_view_open(bytes, few->heap, &value, error) == FRAMEMAP_OK && !fm_view_is_head(value)) {
        const framemap_status status = fm_view_verify(value, NULL);
        must(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    }
    fm_view_close(value);
    return few->left-- > 0 ? FRAMEMAP_OK : FRAMEMAP_E_IO;
}

static void use_values(const struct fm_view *view, struct fm_heap *heap, bool sound)
{
    struct few_values few = {heap, 4};
    const struct fm_split_sink sink = {use_value, &few};
    framemap_error error = {0};
    const framemap_status status = fm_split(view, heap, &sink, &error);
    must(!sound || status != FRAMEMAP_E_CORRUPT);
}

void use_view(const struct fm_view *view, struct fm_heap *heap, bool sound)
{
    struct fm_view_about about;
    uint64_t scope;
    framemap_str text;
    fm_view_about(view, &about);
    fm_view_attribute(view, (framemap_str){"producer", 8}, &text);
    fm_view_scope(view, (framemap_str){"data", 4}, &scope);
    fm_view_scope_number(view, 1, &scope);
    struct fm_classes_about classes;
    /* Scopes are methods in the class form, and lines in the segment form. use_classes and use_segments test these
     * forms. */
    const uint64_t scopes = fm_view_classes(view, &classes) || about.is_segments ? 0 : about.scope_count;
    for (uint64_t i = 0; i < scopes && i < 6; i++) use_scope(view, i, sound);
    use_classes(view, sound);
    use_segments(view, sound);
    use_values(view, heap, sound);
}
