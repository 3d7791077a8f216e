/* Resolves addresses of Dart stacks in an index of an AOT snapshot. mappers/dart describes the attributes of that
 * index. */
#ifndef FM_RESOLVE_DART_DART_ADDRESS_H
#define FM_RESOLVE_DART_DART_ADDRESS_H

#include "resolve/resolve.h"

/* The linked addresses of the instruction sections of a snapshot. */
struct fm_dart_texts {
    uint64_t text, text_end, vm;
    bool has_text, has_vm;
    framemap_str symbol; /* symbol at the start of the section; borrowed from the view */
};
/* Reads from an index where the instruction sections of its Dart snapshot are. Returns false if the index was not made
 * from a snapshot. */
bool fm_dart_texts_of(const struct fm_view *view, struct fm_dart_texts *out);

/* Where a frame is: at an offset in an instruction section, or at a linked address. */
struct fm_dart_place {
    bool linked, in_vm;
    bool return_address; /* the address is the one after the call instruction */
    uint64_t offset;
};
/* Computes the linked address of a frame's place. Returns false if the snapshot does not have the instruction section
 * that the place is in. */
bool fm_dart_address(const struct fm_dart_texts *texts, const struct fm_dart_place *place, uint64_t *linked);
/* Resolves the place of one stack frame to original frames, as fm_resolve does for a query. Frames of functions that
 * the compiler generated have framemap_frame.artificial set; frames of stubs have a name and an offset but no file. */
framemap_status fm_resolve_dart(const struct fm_view *view, const struct fm_dart_texts *texts,
                                const struct fm_dart_place *place, struct fm_arena *arena, framemap_frame *out,
                                framemap_error *error);

#endif
