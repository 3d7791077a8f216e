/* Chooses the resolver of an index by the index's form. A new form takes one row of the table. */
#include "resolve/resolve.h"

#include "resolve/java/java.h"
#include "resolve/javascript/js_resolve.h"
#include "resolve/native/companion_file.h"
#include "resolve/native/native_resolve.h"

/* The resolver for each form of index. */
static const struct {
    framemap_status (*resolve)(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                               framemap_frame *out, framemap_error *error);
} families[] = {
    [FM_FORM_POSITIONS] = {fm_resolve_native}, /* resolver for native code and Dart snapshots */
    [FM_FORM_CLASSES] = {fm_resolve_java},     /* resolver for Java mappings and Dart obfuscation maps */
    [FM_FORM_SEGMENTS] = {fm_resolve_js},      /* resolver for JavaScript source maps */
};

framemap_status fm_resolve(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                           framemap_frame *out, framemap_error *error)
{
    return families[fm_view_identity(view)->form].resolve(view, query, arena, out, error);
}

bool fm_resolve_missing(const struct fm_view *view, const framemap_query *query, const framemap_frame *answer,
                        struct fm_arena *arena, framemap_str *path, framemap_str *id)
{
    const char *reason = answer != NULL ? answer->reason : fm_no_lines;

    if (fm_view_identity(view)->form != FM_FORM_POSITIONS || reason == NULL) return false;
    return fm_resolve_companion(view, query, reason, arena, path, id);
}
