/* Finds the sources of a source map by address, and their lines. struct fm_source_texts is used by one thread at a
 * time; the view must outlive it.
 */
#ifndef FM_RESOLVE_JAVASCRIPT_SOURCE_CONTENT_H
#define FM_RESOLVE_JAVASCRIPT_SOURCE_CONTENT_H

#include "core/hash/hash.h"
#include "index/read/view.h"
#include <framemap/frame.h>

struct fm_source_text;

struct fm_source_texts {
    struct fm_heap *heap;
    const struct fm_view *view;
    struct fm_source_text *sources; /* sources by number; NULL: not listed yet */
    size_t count;
    unsigned lookups; /* number of lookups by address before the sources were listed */
    struct fm_table by_address;
    uint64_t key; /* key of the table's hash function */
};

/* Opens the texts. view: view of an index of the segment form. */
void fm_source_texts_open(struct fm_source_texts *texts, const struct fm_view *view, struct fm_heap *heap);
void fm_source_texts_close(struct fm_source_texts *texts);

/* Sets *has to whether a source has this address. false: out of memory. */
bool fm_source_texts_has(struct fm_source_texts *texts, framemap_str address, bool *has);

/* Fills context and context_line of a frame that was restored with the view: `around` lines before and after its line,
 * borrowed from the view. Writes nothing if the index does not contain the source, the source has no such line, or the
 * lines exceed FM_LIMIT_CONTEXT. A source is split into lines only once. false: out of memory. */
bool fm_source_texts_context(struct fm_source_texts *texts, framemap_frame *frame, uint32_t around);

/* Fills the context as fm_source_texts_context does, for a single frame: it allocates nothing, and walks over the
 * sources of the map and over the lines up to the frame's. */
void fm_source_context(const struct fm_view *view, framemap_frame *frame, uint32_t around);

/* Removes the context of a frame if the frames of one answer would have more than FM_LIMIT_ANSWER_TEXT bytes of
 * context; `answer` then reports that something was left out. *text: bytes of context so far. */
void fm_source_context_fits(framemap_frame *frame, uint64_t *text, framemap_frame *answer);

#endif
