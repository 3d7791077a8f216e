/* Determines the source file of a class: from the mapping, or from the class name and the file printed in the stack
 * trace. Called by java_query.c and session/retrace. */
#include "core/error.h"
#include "core/text/text.h"
#include "resolve/java/java_rules.h"

/* Returns the simple name of the outermost class: "Outer" for "a.b.Outer$Inner". */
static framemap_str outer_name(framemap_str class_name) { return fm_str_last_part(class_name, '.', '$'); }

/* Returns the extension of a file as java.io.File and Guava determine it: that of the last path component, without
 * slashes at the end. */
static framemap_str extension_of(framemap_str file)
{
    while (file.size && file.data[file.size - 1] == '/') file.size--;
    const size_t dot = fm_str_find_last_byte(file, '.');
    if (dot == FM_NOT_FOUND) return (framemap_str){NULL, 0};
    const framemap_str extension = fm_str_from(file, dot + 1);
    return fm_str_find_byte(extension, '/') == FM_NOT_FOUND ? extension : (framemap_str){NULL, 0};
}

static framemap_status join(const struct fm_view *view, framemap_str base, framemap_str extension,
                            struct fm_arena *arena, framemap_str *out, framemap_error *error)
{
    char *text = fm_arena_alloc(arena, base.size + extension.size + FM_VIEW_ROOM);
    if (text == NULL) return fm_error_memory(error);
    fm_str_copy(fm_view_copy(view, base, text), extension);
    *out = fm_str(text, base.size + extension.size);
    return FRAMEMAP_OK;
}

/* Whether a file may be a Kotlin file. Testing the last byte first excludes most other files. */
static bool may_be_kotlin(framemap_str file)
{
    return file.size && (file.data[file.size - 1] == 't' || file.data[file.size - 1] == '/');
}

static framemap_status infer(const struct fm_view *view, framemap_str class_name, framemap_str printed,
                             struct fm_arena *arena, framemap_str *out, framemap_error *error)
{
    framemap_str base = outer_name(class_name);
    const bool of_file = fm_str_ends(base, FM_STR("Kt")); /* the class has the top-level functions of a Kotlin file */
    if (!of_file && !may_be_kotlin(printed)) return join(view, base, FM_STR(".java"), arena, out, error);
    const framemap_str extension = extension_of(printed);
    bool kotlin = fm_str_equal(extension, FM_STR("kt"));
    if (of_file && (kotlin || extension.size == 0)) {
        base.size -= 2;
        kotlin = true;
    }
    return join(view, base, kotlin ? FM_STR(".kt") : FM_STR(".java"), arena, out, error);
}

/* Infers the file as ProGuard does, which cuts the class name at a '$', unless the '$' starts the name of a class
 * without a package. */
static framemap_status infer_for_proguard(const struct fm_view *view, framemap_str class_name, struct fm_arena *arena,
                                          framemap_str *out, framemap_error *error)
{
    framemap_str base =
        class_name.size && class_name.data[0] == '$' && fm_str_find_byte(class_name, '.') == FM_NOT_FOUND
            ? class_name
            : outer_name(class_name);
    return join(view, base, FM_STR(".java"), arena, out, error);
}

framemap_status fm_java_source(const struct fm_view *view, const struct fm_java_frame *frame, bool known,
                               framemap_str printed, struct fm_arena *arena, framemap_str *out, framemap_error *error)
{
    if (frame->has_source)
        *out = frame->source;
    else if (fm_java_is_proguard(view))
        return infer_for_proguard(view, frame->class_name, arena, out, error);
    else if (!known || fm_str_equal(printed, FM_STR("Native Method")))
        *out = printed;
    else
        return infer(view, frame->class_name, printed, arena, out, error);
    return FRAMEMAP_OK;
}
