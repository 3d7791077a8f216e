/* Restores identifiers of obfuscated Dart programs from an index of the obfuscation map (mappers/dart/dart_names.h). */
#ifndef FM_RESOLVE_DART_DART_DEOBFUSCATE_H
#define FM_RESOLVE_DART_DART_DEOBFUSCATE_H

#include "core/heap.h"
#include "index/read/view.h"

/* Whether an index was made from an obfuscation map. */
bool fm_is_dart_names(const struct fm_view *view);
/* Gets the original of one identifier. false: it was not renamed, or is unknown. */
bool fm_dart_original(const struct fm_view *view, framemap_str name, framemap_str *out);

/* Finds the identifiers of a text one by one. *at starts at 0. false: there are no more. */
typedef bool (*fm_identifier_finder)(framemap_str text, size_t *at, framemap_str *out);
/* The number of identifiers in a text, without Dart's "new", and how many of them are keys of the map. Original names
 * may contain one by chance: short words are obfuscated names of something else in every map. */
struct fm_dart_tally {
    size_t identifiers, renamed;
};
void fm_dart_count(const struct fm_view *view, fm_identifier_finder find, framemap_str text,
                   struct fm_dart_tally *tally);
/* Replaces each identifier of a text by its original. *out is in the arena, or the text itself if no identifier was
 * renamed or the result would exceed FM_LIMIT_NAME bytes. false: out of memory. */
bool fm_dart_rename(const struct fm_view *view, fm_identifier_finder find, framemap_str text, struct fm_arena *arena,
                    framemap_str *out);
/* As fm_dart_rename, for a function name from a symbols file. Dart's compiler usually writes original names there, so a
 * name is replaced only if it has two or more identifiers and all of them are keys of the map. */
bool fm_dart_rename_symbol(const struct fm_view *view, fm_identifier_finder find, framemap_str function,
                           struct fm_arena *arena, framemap_str *out);
/* Adds the size of an original name to *text, the bytes of names of one answer. false: over the limit; *text is
 * unchanged. */
bool fm_dart_names_fit(uint64_t *text, framemap_str original);

#endif
