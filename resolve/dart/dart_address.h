/* Addresses of Dart stacks in an index of an AOT snapshot. The attributes of such an index are described in
 * mappers/dart. */
#ifndef FM_RESOLVE_DART_DART_ADDRESS_H
#define FM_RESOLVE_DART_DART_ADDRESS_H

#include "resolve/resolve.h"

/* Addresses of the instruction sections of a snapshot, as linked. */
struct fm_dart_texts {
    uint64_t text, text_end, vm;
    bool has_text, has_vm;
    framemap_str symbol; /* symbol of the section; borrowed from the view */
};
/* Reads the sections of a Dart snapshot from an index. Returns false if the index is not one of a snapshot. */
bool fm_dart_texts_of(const struct fm_view *view, struct fm_dart_texts *out);

/* An address of a frame: an offset in an instruction section, or an address as linked. */
struct fm_dart_place {
    bool linked, in_vm;
    bool return_address; /* the address after the call instruction */
    uint64_t offset;
};
/* Computes the linked address of a place. Returns false if the snapshot does not have the section of the place. */
bool fm_dart_address(const struct fm_dart_texts *texts, const struct fm_dart_place *place, uint64_t *linked);
/* As fm_resolve. Functions that the compiler generated have framemap_frame.artificial set; stubs have a name and an
 * offset but no file. */
framemap_status fm_resolve_dart(const struct fm_view *view, const struct fm_dart_texts *texts,
                                const struct fm_dart_place *place, struct fm_arena *arena, framemap_frame *out,
                                framemap_error *error);

#endif
