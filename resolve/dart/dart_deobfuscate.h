/* Names of Dart programs that were obfuscated, by an index of their obfuscation map (mappers/dart/dart_names.h). */
#ifndef FM_RESOLVE_DART_DART_DEOBFUSCATE_H
#define FM_RESOLVE_DART_DART_DEOBFUSCATE_H

#include "core/heap.h"
#include "index/read/view.h"

/* Whether an index is of an obfuscation map. */
bool fm_is_dart_names(const struct fm_view *view);
/* The original of one identifier. false: it was not renamed, or is not known. */
bool fm_dart_original(const struct fm_view *view, framemap_str name, framemap_str *out);

/* Finds identifiers in a text one by one: at begins at 0. false: there is none behind. */
typedef bool (*fm_identifier_finder)(framemap_str text, size_t *at, framemap_str *out);
/* How many identifiers a text has, but for Dart's own "new", and how many of these are renamed names. A name that a
 * compiler has put right may have one by chance: short words are names of something else in every map. */
struct fm_dart_tally {
    size_t identifiers, renamed;
};
void fm_dart_count(const struct fm_view *view, fm_identifier_finder find, framemap_str text,
                   struct fm_dart_tally *tally);
/* A text with each of its identifiers replaced by its original: in the arena, or the text itself where none was
 * renamed, or it would have more than FM_LIMIT_NAME bytes. false: out of memory. */
bool fm_dart_rename(const struct fm_view *view, fm_identifier_finder find, framemap_str text, struct fm_arena *arena,
                    framemap_str *out);
/* The same for a function out of a symbols file. Dart's compiler writes original names there; only where every part of
 * a name, and there are two at least, is a renamed one, it did not. */
bool fm_dart_rename_symbol(const struct fm_view *view, fm_identifier_finder find, framemap_str function,
                           struct fm_arena *arena, framemap_str *out);
/* Whether the names of one answer are not more than it may hold with one more that has an original: *text counts them.
 */
bool fm_dart_names_fit(uint64_t *text, framemap_str original);

#endif
