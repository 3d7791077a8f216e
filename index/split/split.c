/* Splits an index into values: first its parts, by the split_ file of the index's form, then the head. */
#include "index/split/split.h"
#include "core/error.h"
#include "index/read/classes/class_view.h"
#include "index/read/head_view.h"
#include "index/read/segments/segment_view.h"
#include "index/split/split_forms.h"

static framemap_status split(struct fm_splitter *splitter)
{
    struct fm_classes_about classes;
    struct fm_segments_about segments;
    if (fm_view_is_head(splitter->view))
        return fm_error_set(splitter->error, FRAMEMAP_E_ARGUMENT, "this is the head of an index, not an index");
    framemap_status status = fm_view_classes(splitter->view, &classes)     ? fm_split_classes(splitter)
                             : fm_view_segments(splitter->view, &segments) ? fm_split_segments(splitter)
                                                                           : fm_split_positions(splitter);
    return status == FRAMEMAP_OK ? fm_split_head(splitter) : status;
}

framemap_status fm_split(const struct fm_view *view, struct fm_heap *heap, const struct fm_split_sink *sink,
                         framemap_error *error)
{
    struct fm_splitter splitter = {.view = view, .heap = heap, .sink = sink, .error = error};
    const framemap_status status = split(&splitter);
    fm_heap_free(heap, splitter.runs, splitter.run_capacity * sizeof *splitter.runs);
    fm_heap_free(heap, splitter.checks, splitter.check_capacity * sizeof *splitter.checks);
    fm_heap_free(heap, splitter.pages, splitter.page_capacity * sizeof *splitter.pages);
    return status;
}
