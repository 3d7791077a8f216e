/* The sources of a source map by their addresses, and their lines. Of one call: one thread; the view outlives it. */
#ifndef FM_RESOLVE_JAVASCRIPT_SOURCE_CONTENT_H
#define FM_RESOLVE_JAVASCRIPT_SOURCE_CONTENT_H

#include "core/hash/hash.h"
#include "index/read/view.h"
#include <framemap/frame.h>

struct fm_source_text;

struct fm_source_texts {
    struct fm_heap *heap;
    const struct fm_view *view;
    struct fm_source_text *sources; /* by number; NULL: not listed yet */
    size_t count;
    unsigned asked; /* how often whether it has an address, up to where it is listed */
    struct fm_table by_address;
    uint64_t key; /* of its hashes */
};

/* view: of the segment form. */
void fm_source_texts_open(struct fm_source_texts *texts, const struct fm_view *view, struct fm_heap *heap);
void fm_source_texts_close(struct fm_source_texts *texts);

/* Tells whether a source has this address. false: out of memory. */
bool fm_source_texts_has(struct fm_source_texts *texts, framemap_str address, bool *has);

/* Fills context and context_line of a frame that was restored with the view: so many lines before its line and behind
 * it, borrowed from the view; nothing where the index does not keep the source, it has no such line, or the lines are
 * longer than people read. A source is cut into lines once. false: out of memory. */
bool fm_source_texts_context(struct fm_source_texts *texts, framemap_frame *frame, uint32_t around);

/* The same for one frame alone: walks over the map's sources and the lines up to the frame's, and needs no memory. */
void fm_source_context(const struct fm_view *view, framemap_frame *frame, uint32_t around);

/* Takes the context away again where the frames of one answer would have more than FM_LIMIT_ANSWER_TEXT of it: the
 * answer then says so. *text counts them. */
void fm_source_context_fits(framemap_frame *frame, uint64_t *text, framemap_frame *answer);

#endif
