/* Restores identifiers of obfuscated Dart programs from an index of the obfuscation map (mappers/dart/dart_names.h). */
#ifndef FM_RESOLVE_DART_DART_DEOBFUSCATE_H
#define FM_RESOLVE_DART_DART_DEOBFUSCATE_H

#include "core/heap.h"
#include "index/read/view.h"

/* Whether the index was made from an obfuscation map. */
bool fm_is_dart_names(const struct fm_view *view);
/* Gets the original name of one identifier. false: the identifier was not renamed, or the map does not have it. */
bool fm_dart_original(const struct fm_view *view, framemap_str name, framemap_str *out);

/* Callback that finds the next identifier of a text from *at, which is 0 in the first call. false: there are no
 * more. */
typedef bool (*fm_identifier_finder)(framemap_str text, size_t *at, framemap_str *out);
/* The number of identifiers in a text, without Dart's "new", and how many of them are keys of the map. Even an original
 * name may be a key by chance: in every map, short words are the obfuscated names of something. */
struct fm_dart_tally {
    size_t identifiers, renamed;
};
void fm_dart_count(const struct fm_view *view, fm_identifier_finder find, framemap_str text,
                   struct fm_dart_tally *tally);
/* Replaces each identifier of a text by its original. *out is in the arena; it is the text itself if no identifier was
 * renamed or if the result would exceed FM_LIMIT_NAME bytes. false: out of memory. */
bool fm_dart_rename(const struct fm_view *view, fm_identifier_finder find, framemap_str text, struct fm_arena *arena,
                    framemap_str *out);
/* Replaces the identifiers of a function name from a symbols file by their originals, as fm_dart_rename does. Since
 * Dart's compiler usually writes original names there, a name is replaced only if it has two or more identifiers and
 * all are keys of the map. */
bool fm_dart_rename_symbol(const struct fm_view *view, fm_identifier_finder find, framemap_str function,
                           struct fm_arena *arena, framemap_str *out);
/* Adds the size of an original name to *text, the number of bytes of names in one answer. false: the sum would exceed
 * the limit, and *text is unchanged. */
bool fm_dart_names_fit(uint64_t *text, framemap_str original);

#endif
