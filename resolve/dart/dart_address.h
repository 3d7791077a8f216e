/* Places of Dart's stacks in an index of a snapshot (mappers/dart says what its attributes tell). */
#ifndef FM_RESOLVE_DART_DART_ADDRESS_H
#define FM_RESOLVE_DART_DART_ADDRESS_H

#include "resolve/resolve.h"

/* Where the texts of a snapshot begin, as linked. */
struct fm_dart_texts {
    uint64_t text, text_end, vm;
    bool has_text, has_vm;
    framemap_str symbol; /* of the text; borrowed from the view */
};
/* false: the index is none of a Dart snapshot. */
bool fm_dart_texts_of(const struct fm_view *view, struct fm_dart_texts *out);

/* How far from a text, or the address as linked. */
struct fm_dart_place {
    bool linked, in_vm;
    bool return_address; /* of the instruction behind the call */
    uint64_t offset;
};
/* false: the snapshot has no such text. */
bool fm_dart_address(const struct fm_dart_texts *texts, const struct fm_dart_place *place, uint64_t *linked);
/* As fm_resolve: functions of the compiler's own making are told (framemap_frame.artificial), stubs have a name and a
 * distance but no file. */
framemap_status fm_resolve_dart(const struct fm_view *view, const struct fm_dart_texts *texts,
                                const struct fm_dart_place *place, struct fm_arena *arena, framemap_frame *out,
                                framemap_error *error);

#endif
