/* Marks in restored traces which frames are the app's own and who owns them, and sets the fingerprints of the stacks.
 * Called by the restore calls and by framemap_trace_list_mark. */
#ifndef FM_API_GROUP_MARK_H
#define FM_API_GROUP_MARK_H

#include "api/group/fingerprint.h"

/* The rules, and memory that is kept from batch to batch. */
struct fm_marker {
    const framemap_rules *rules; /* the rules to mark by; NULL: nothing is marked */
    struct fm_fingerprint_work work;
    struct fm_buf words;
};

void fm_marker_open(struct fm_marker *marker, const framemap_rules *rules, struct fm_heap *heap);
void fm_marker_close(struct fm_marker *marker);

/* Marks the frames, and each stack that is not a part of another one. Restored frames are copied into the arena, since
 * several frames may share one answer. Returns false if out of memory. */
bool fm_mark_traces(struct fm_marker *marker, struct fm_arena *arena, framemap_trace *traces, size_t count);

#endif
