/* Implements java_signature.h. R8's retrace does not restore members that messages name. This file replaces such a name
 * only if it can mean just one member of the mapping. */
#include "session/restore/java_signature.h"
#include "core/error.h"
#include "core/text/buffer.h"

struct signature {
    framemap_str type; /* return type such as "void"; empty: the signature has no return type */
    framemap_str class_name, member;
    framemap_str arguments; /* argument types as they are printed, such as "int,a.b[]" */
    bool is_method;
};

static bool split(framemap_str printed, struct signature *out)
{
    const size_t open = fm_str_find_byte(printed, '('), blank = fm_str_find_byte(printed, ' ');
    *out = (struct signature){.is_method = open != FM_NOT_FOUND};
    framemap_str name = fm_str_slice(printed, 0, open);
    if (blank != FM_NOT_FOUND && blank < name.size) {
        out->type = fm_str(printed.data, blank);
        name = fm_str_from(name, blank + 1);
    }
    const size_t dot = fm_str_find_last_byte(name, '.');
    if (dot == FM_NOT_FOUND || dot == 0 || (!out->is_method && out->type.size == 0)) return false;
    out->class_name = fm_str(name.data, dot);
    out->member = fm_str_from(name, dot + 1);
    if (out->is_method) out->arguments = fm_str_slice(printed, open + 1, printed.size - 1);
    return true;
}

bool fm_java_is_signature(framemap_str printed)
{
    struct signature ignored;
    return split(printed, &ignored);
}

/* Returns the original type for a type that may be an array, such as "a.b[]". */
static framemap_status original_type(const struct fm_java_views *views, framemap_str type, struct fm_arena *arena,
                                     framemap_str *out, framemap_error *error)
{
    const struct fm_view *view;
    const framemap_status status =
        views->of(views->context, fm_str_slice(type, 0, fm_str_find_byte(type, '[')), &view, error);
    return status == FRAMEMAP_OK ? fm_java_type(view, type, arena, out, error) : status;
}

/* Appends original types. They are separated by the separators of the text, or, if `plain` is set, by commas only. */
static framemap_status put_types(const struct fm_java_views *views, framemap_str types, bool plain,
                                 struct fm_arena *arena, struct fm_buf *out, framemap_error *error)
{
    while (types.size) {
        const size_t comma = fm_str_find_byte(types, ',');
        const framemap_str one = fm_str_slice(types, 0, comma), trimmed = fm_str_trim(one);
        framemap_str original;
        const framemap_status status = original_type(views, trimmed, arena, &original, error);
        if (status != FRAMEMAP_OK) return status;
        if (!plain) fm_buf_str(out, fm_str(one.data, (size_t)(trimmed.data - one.data)));
        fm_buf_str(out, original);
        if (comma == FM_NOT_FOUND) break;
        fm_buf_byte(out, ',');
        types = fm_str_from(types, comma + 1);
    }
    return FRAMEMAP_OK;
}

/* Whether a member of the mapping has the types of the signature. */
static bool fits(const struct fm_java_member *member, const struct signature *printed, framemap_str type,
                 framemap_str arguments)
{
    if (printed->type.size && !fm_str_equal(member->type, type)) return false;
    return !printed->is_method || fm_str_equal(member->arguments, arguments);
}

/* Returns the member's name if the signature can mean just one member of the class; otherwise absent. */
static framemap_str only_name(const struct fm_java_member *members, size_t count, const struct signature *printed,
                              framemap_str original_class, framemap_str type, framemap_str arguments)
{
    framemap_str name = {NULL, 0};
    for (size_t i = 0; i < count; i++) {
        if (!fm_str_equal(members[i].class_name, original_class) || !fits(&members[i], printed, type, arguments))
            continue;
        if (name.size && !fm_str_equal(name, members[i].name)) return (framemap_str){NULL, 0};
        name = members[i].name;
    }
    return name;
}

static framemap_status find_name(const struct fm_java_views *views, const struct fm_view *view,
                                 const struct signature *printed, framemap_str original_class, framemap_str type,
                                 struct fm_buf *buf, struct fm_arena *arena, framemap_str *name, framemap_error *error)
{
    const struct fm_java_member *members;
    size_t count;
    framemap_status status = put_types(views, printed->arguments, true, arena, buf, error);
    if (status != FRAMEMAP_OK) return status;
    status = (printed->is_method ? fm_java_methods : fm_java_fields)(view, printed->class_name, printed->member, arena,
                                                                     &members, &count, error);
    if (status != FRAMEMAP_OK) return status;
    *name = only_name(members, count, printed, original_class, type, fm_buf_view(buf));
    fm_buf_clear(buf);
    if (name->size == 0) *name = printed->member;
    return FRAMEMAP_OK;
}

static framemap_status put_signature(const struct fm_java_views *views, const struct signature *printed,
                                     struct fm_buf *buf, struct fm_arena *arena, framemap_error *error)
{
    framemap_str class_name = printed->class_name, name = printed->member, type = printed->type;
    const struct fm_view *view;
    framemap_status status = views->of(views->context, printed->class_name, &view, error);
    if (status == FRAMEMAP_OK && type.size) status = original_type(views, type, arena, &type, error);
    if (status == FRAMEMAP_OK && fm_java_class(view, printed->class_name, &class_name))
        status = find_name(views, view, printed, class_name, type, buf, arena, &name, error);
    if (status != FRAMEMAP_OK) return status;
    if (type.size) {
        fm_buf_str(buf, type);
        fm_buf_byte(buf, ' ');
    }
    fm_buf_str(buf, class_name);
    fm_buf_byte(buf, '.');
    fm_buf_str(buf, name);
    if (!printed->is_method) return FRAMEMAP_OK;
    fm_buf_byte(buf, '(');
    status = put_types(views, printed->arguments, false, arena, buf, error);
    fm_buf_byte(buf, ')');
    return status;
}

framemap_status fm_java_signature(const struct fm_java_views *views, framemap_str printed, struct fm_arena *arena,
                                  framemap_str *out, framemap_error *error)
{
    struct signature parts;
    struct fm_buf buf;
    *out = (framemap_str){NULL, 0};
    if (!split(printed, &parts)) return FRAMEMAP_OK;
    fm_buf_init(&buf, arena->heap);
    framemap_status status = put_signature(views, &parts, &buf, arena, error);
    if (status == FRAMEMAP_OK && buf.failed) status = fm_error_memory(error);
    if (status == FRAMEMAP_OK && !fm_str_equal(fm_buf_view(&buf), printed) &&
        !fm_arena_str(arena, fm_buf_view(&buf), out))
        status = fm_error_memory(error);
    fm_buf_free(&buf);
    return status;
}

/* --- restoring names of methods in native stacks --- */

/* Whether a module may contain Java methods: code that ART compiles ahead of time (odex, oat) or in memory, or that it
 * reads (dex, vdex, jar). The last letter of the name is checked first, which rejects most other modules. */
static bool has_methods(framemap_str module)
{
    switch (module.size ? module.data[module.size - 1] : '\0') {
    case 'x': return fm_str_ends(module, FM_STR("dex"));
    case 't': return fm_str_ends(module, FM_STR(".oat"));
    case 'r': return fm_str_ends(module, FM_STR(".jar"));
    case ']': return fm_str_starts(module, FM_STR("[anon:dalvik-")) || fm_str_ends(module, FM_STR("[JIT app cache]"));
    case ')':
    case 'e': return fm_str_find(module, FM_STR("memfd:jit-")) != FM_NOT_FOUND;
    default: return false;
    }
}

bool fm_method_name(framemap_str module, framemap_str function, framemap_str *class_name, framemap_str *method)
{
    if (function.size == 0 || !has_methods(module)) return false;
    const size_t dot = fm_str_find_last_byte(function, '.');
    if (dot == FM_NOT_FOUND || dot == 0 || dot + 1 == function.size) return false;
    for (size_t i = 0; i < function.size; i++) {
        const unsigned char c = (unsigned char)function.data[i];
        if (c <= ' ' || (c < 0x80 && strchr("()[]{};:,*&@'\"\\/+", c))) return false;
    }
    *class_name = fm_str(function.data, dot);
    *method = fm_str_from(function, dot + 1);
    return true;
}
