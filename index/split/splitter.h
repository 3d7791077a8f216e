/* State of one call of fm_split, shared by split.c and the files for the head and the three forms. */
#ifndef FM_INDEX_SPLIT_SPLITTER_H
#define FM_INDEX_SPLIT_SPLITTER_H

#include "core/text/merge_sort.h"
#include "index/split/split_sink.h"
#include "index/write/builder.h"

/* A run of neighbouring pages, each of which has a value. */
struct fm_page_run {
    uint64_t first, count;
    bool continues; /* an entry of the last page also covers the positions after that page */
};

struct fm_splitter {
    const struct fm_view *view;
    struct fm_heap *heap;
    const struct fm_split_sink *sink;
    framemap_error *error;
    struct fm_page_run *runs; /* runs of pages, which the head will list */
    size_t run_count, run_capacity;
    struct fm_sort_item *checks; /* hashes of the class names, for the head; key: the hash */
    size_t check_count, check_capacity;
    struct fm_sort_item *pages; /* pages to be written; key: the number of the page */
    size_t page_count, page_capacity;
};

/* Notes that a page is to be written; the same page may be noted more than once. */
framemap_status fm_splitter_note(struct fm_splitter *splitter, uint64_t page);
/* Finishes and frees the builder, writes its index as the value of a page or class, and adds the page or class to the
 * head's list. A builder without entries has no value. */
framemap_status fm_splitter_put_page(struct fm_splitter *splitter, uint64_t page, struct fm_builder *builder,
                                     bool continues);
framemap_status fm_splitter_put_class(struct fm_splitter *splitter, framemap_str name, struct fm_builder *builder);
/* Sorts the noted pages and removes duplicates. */
framemap_status fm_splitter_sort(struct fm_splitter *splitter);

#endif
