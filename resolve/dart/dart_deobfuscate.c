/* Restores identifiers of obfuscated Dart programs. The caller decides which parts of a text are identifiers. */
#include "resolve/dart/dart_deobfuscate.h"

#include "core/limits.h"
#include "core/text/buffer.h"
#include "index/read/classes/class_view.h"

bool fm_is_dart_names(const struct fm_view *view)
{
    return fm_view_identity(view)->kind_row->code == FRAMEMAP_INDEX_DART_NAMES;
}

bool fm_dart_original(const struct fm_view *view, framemap_str name, framemap_str *out)
{
    struct fm_view_class found;
    if (!fm_view_class(view, name, &found)) return false;
    *out = found.original;
    return true;
}

void fm_dart_count(const struct fm_view *view, fm_identifier_finder find, framemap_str text,
                   struct fm_dart_tally *tally)
{
    framemap_str name, original;
    for (size_t at = 0; find(text, &at, &name);) {
        if (fm_str_equal(name, FM_STR("new"))) continue;
        tally->identifiers++;
        tally->renamed += fm_dart_original(view, name, &original);
    }
}

bool fm_dart_rename_symbol(const struct fm_view *view, fm_identifier_finder find, framemap_str function,
                           struct fm_arena *arena, framemap_str *out)
{
    struct fm_dart_tally tally = {0, 0};
    *out = function;
    fm_dart_count(view, find, function, &tally);
    if (tally.identifiers < 2 || tally.renamed < tally.identifiers) return true;
    return fm_dart_rename(view, find, function, arena, out);
}

bool fm_dart_names_fit(uint64_t *text, framemap_str original)
{
    if (original.size > FM_LIMIT_ANSWER_TEXT - *text) return false;
    *text += original.size;
    return true;
}

bool fm_dart_rename(const struct fm_view *view, fm_identifier_finder find, framemap_str text, struct fm_arena *arena,
                    framemap_str *out)
{
    struct fm_buf made;
    framemap_str name, original;
    size_t at = 0, done = 0;
    fm_buf_init(&made, arena->heap);
    while (made.size <= FM_LIMIT_NAME && find(text, &at, &name)) {
        if (!fm_dart_original(view, name, &original)) continue;
        const size_t from = (size_t)(name.data - text.data);
        fm_buf_str(&made, fm_str_slice(text, done, from));
        fm_buf_str(&made, original);
        done = from + name.size;
    }
    *out = text;
    bool good = !made.failed;
    if (good && done && made.size <= FM_LIMIT_NAME) {
        good = fm_buf_str(&made, fm_str_from(text, done)) && fm_arena_str(arena, fm_buf_view(&made), out);
    }
    fm_buf_free(&made);
    return good;
}
