/* Looks up names that come without a line: classes, types, fields and methods. Called by java_query.c and
 * session/retrace. */
#include "core/error.h"
#include "core/text/text.h"
#include "resolve/java/java_rules.h"

bool fm_java_class(const struct fm_view *view, framemap_str residual, framemap_str *original)
{
    struct fm_view_class found;
    if (!fm_view_class(view, residual, &found)) return false;
    *original = found.original;
    return true;
}

static bool is_primitive(framemap_str type)
{
    static const char *const names[] = {"boolean", "byte", "char", "double", "float", "int", "long", "short", "void"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (fm_str_equal(type, framemap_str_of(names[i]))) return true;
    return false;
}

static framemap_str without_brackets(framemap_str type)
{
    while (fm_str_ends(type, FM_STR("[]"))) type.size -= 2;
    return type;
}

static void swap_bytes(char *text, size_t size, char from, char to)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] == from) text[i] = to;
}

/* Replaces slashes by dots: "a/b" becomes "a.b". A name without slashes is returned as it is. */
static bool with_dots(framemap_str name, struct fm_arena *arena, framemap_str *out)
{
    *out = name;
    if (fm_str_find_byte(name, '/') == FM_NOT_FOUND) return true;
    char *copy = fm_arena_alloc(arena, name.size);
    if (copy == NULL) return false;
    memcpy(copy, name.data, name.size);
    swap_bytes(copy, name.size, '/', '.');
    *out = fm_str(copy, name.size);
    return true;
}

/* Joins a name and its brackets, and uses slashes if the query did. */
static bool in_notation(framemap_str name, framemap_str brackets, bool slashes, struct fm_arena *arena,
                        framemap_str *out)
{
    *out = name;
    if (brackets.size == 0 && !slashes) return true;
    char *text = fm_arena_alloc(arena, name.size + brackets.size);
    if (text == NULL) return false;
    if (name.size) memcpy(text, name.data, name.size);
    if (slashes) swap_bytes(text, name.size, '.', '/');
    if (brackets.size) memcpy(text + name.size, brackets.data, brackets.size);
    *out = fm_str(text, name.size + brackets.size);
    return true;
}

framemap_status fm_java_type(const struct fm_view *view, framemap_str residual, struct fm_arena *arena,
                             framemap_str *original, framemap_error *error)
{
    framemap_str bare = without_brackets(residual), dotted, found;
    if (!with_dots(bare, arena, &dotted)) return fm_error_memory(error);
    if (is_primitive(bare) || !fm_java_class(view, dotted, &found)) {
        *original = residual;
        return FRAMEMAP_OK;
    }
    bool fits = in_notation(found, fm_str_from(residual, bare.size), dotted.data != bare.data, arena, original);
    return fits ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Members as chains of one frame each, because members are sorted in the way in which frames are. */
struct lists {
    struct fm_java_frame *frames;
    struct fm_java_chain *chains;
    size_t count;
};

static bool make_lists(struct lists *lists, uint64_t room, struct fm_arena *arena)
{
    lists->count = 0;
    lists->frames = fm_arena_zalloc(arena, (size_t)room, sizeof *lists->frames);
    lists->chains = fm_arena_zalloc(arena, (size_t)room, sizeof *lists->chains);
    return lists->frames != NULL && lists->chains != NULL;
}

static bool add_member(const struct fm_view *view, uint32_t member, struct lists *lists)
{
    struct fm_java_frame *frame = &lists->frames[lists->count];
    if (!fm_java_member_frame(view, member, frame)) return false;
    lists->chains[lists->count++] = (struct fm_java_chain){.frames = frame, .count = 1};
    return true;
}

/* Sorts methods as frames are sorted. Fields keep the order of the mapping, since R8 does not compare fields. */
static framemap_status put_in_order(struct lists *lists, bool fields, struct fm_arena *arena,
                                    const struct fm_java_member **out, size_t *count, framemap_error *error)
{
    framemap_status status =
        fm_java_sort(lists->chains, &lists->count, (struct fm_java_order){true, false, fields, false}, arena, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_java_member *members = FM_ARENA_ARRAY(arena, struct fm_java_member, lists->count);
    if (members == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < lists->count; i++) {
        const struct fm_java_frame *frame = lists->chains[i].frames;
        members[i] = (struct fm_java_member){frame->class_name, frame->method, frame->type, frame->arguments};
    }
    *out = members;
    *count = lists->count;
    return FRAMEMAP_OK;
}

framemap_status fm_java_fields(const struct fm_view *view, framemap_str class_name, framemap_str field,
                               struct fm_arena *arena, const struct fm_java_member **out, size_t *count,
                               framemap_error *error)
{
    struct fm_view_class owner;
    struct lists lists;
    uint64_t first, fields;
    *out = NULL;
    *count = 0;
    if (!fm_view_class(view, class_name, &owner) || !fm_view_fields(view, &owner, field, &first, &fields))
        return FRAMEMAP_OK;
    if (!make_lists(&lists, fields, arena)) return fm_error_memory(error);
    for (uint64_t i = 0; i < fields; i++) {
        framemap_str residual;
        uint32_t member;
        if (!fm_view_field_at(view, first + i, &residual, &member) || !add_member(view, member, &lists))
            return fm_java_damaged(error);
    }
    return put_in_order(&lists, true, arena, out, count, error);
}

/* Gets the original method of a part. If the part has several frames, this is the outermost frame of the last chain. */
static bool member_of_part(const struct fm_view *view, const struct fm_view_method *method, uint64_t number,
                           uint32_t *member)
{
    struct fm_view_part part;
    struct fm_view_span last;
    if (!fm_view_part(view, method, number, &part)) return false;
    *member = part.entry;
    if (method->part_count < 2) return true;
    if (part.span_count == 0 || !fm_view_method_span(view, method, part.first_span + part.span_count - 1, &last))
        return false;
    *member = last.member;
    return true;
}

framemap_status fm_java_methods(const struct fm_view *view, framemap_str class_name, framemap_str method,
                                struct fm_arena *arena, const struct fm_java_member **out, size_t *count,
                                framemap_error *error)
{
    struct fm_view_class owner;
    struct fm_view_method found;
    struct lists lists;
    *out = NULL;
    *count = 0;
    if (!fm_view_class(view, class_name, &owner) || !fm_view_class_method(view, &owner, method, &found))
        return FRAMEMAP_OK;
    if (!make_lists(&lists, found.part_count, arena)) return fm_error_memory(error);
    for (uint64_t i = 0; i < found.part_count; i++) {
        uint32_t member;
        if (!member_of_part(view, &found, found.first_part + i, &member) || !add_member(view, member, &lists))
            return fm_java_damaged(error);
    }
    return put_in_order(&lists, false, arena, out, count, error);
}
