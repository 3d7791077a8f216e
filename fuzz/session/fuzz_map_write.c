/* Writes source maps from untrusted maps and indexes. If the input starts with 'i', the rest is an index, which may
 * be damaged: writing must end. Otherwise the input is a map; after a NUL byte, the map of an earlier build step may
 * follow. Properties: what is written from a sound index breaks no rule, contains what the index contains, and does
 * not change when it is read and written again. */
#include "api/index_handle.h"
#include "core/text/buffer.h"
#include "index/read/segments/segment_view.h"
#include <framemap/sourcemap.h>

#include <assert.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)
#define OUTPUT_MOST ((size_t)1 << 20)

static bool take(void *context, const char *data, size_t size)
{
    struct fm_buf *out = context;
    return out->size + size <= OUTPUT_MOST && fm_buf_add(out, data, size);
}

static framemap_status write_map(struct fm_buf *out, const framemap_index *index, const framemap_index *earlier)
{
    const framemap_map_step step = {.map = earlier};
    const framemap_sourcemap_options options = {
        .size = sizeof options, .max_memory = MEMORY_CEILING, .steps = &step, .step_count = earlier != NULL};
    framemap_error error = {.code = FRAMEMAP_OK};
    fm_buf_clear(out);
    const framemap_status status = framemap_sourcemap_write(index, &options, take, out, &error);
    assert(status == FRAMEMAP_OK || error.message[0] != 0);
    return status;
}

/* Reads a map into an index. Returns NULL if the map cannot be read. */
static framemap_index *read_map(framemap_str text, bool strict, framemap_bytes *bytes)
{
    const framemap_build_options options = {.size = sizeof options,
                                            .max_memory = MEMORY_CEILING,
                                            .mapper = "sourcemap",
                                            .keep_sources = true,
                                            .strict = strict};
    framemap_index *index = NULL;
    if (framemap_index_build(text, framemap_str_of("a.js.map"), &options, bytes, NULL) != FRAMEMAP_OK) return NULL;
    const framemap_status status = framemap_index_open(framemap_bytes_str(bytes), NULL, &index, NULL);
    assert(status == FRAMEMAP_OK);
    return index;
}

/* Whether two texts are equal after malformed UTF-8 in both is replaced by U+FFFD. */
static bool same_text(framemap_str a, framemap_str b)
{
    struct fm_heap heap;
    struct fm_buf texts[2];
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < 2; i++) {
        fm_buf_init(&texts[i], &heap);
        fm_buf_json(&texts[i], i ? b : a);
    }
    const bool same = fm_str_equal(fm_buf_view(&texts[0]), fm_buf_view(&texts[1]));
    for (size_t i = 0; i < 2; i++) fm_buf_free(&texts[i]);
    return same;
}

/* Whether two indexes have the same function at a source position. */
static bool same_function(const struct fm_view *a, const struct fm_view *b, const struct fm_view_segment *at)
{
    struct fm_view_stretch x, y;
    const bool some = fm_view_source_stretch(a, at->source, at->original_line0, at->original_col0, &x);
    if (some != fm_view_source_stretch(b, at->source, at->original_line0, at->original_col0, &y)) return false;
    return !some || same_text(x.function, y.function);
}

/* Whether two indexes have the same functions at a generated position: the function there, and the functions that it
 * was inlined into. */
static bool same_callers(const struct fm_view *a, const struct fm_view *b, const struct fm_view_segment *at)
{
    struct fm_view_stretch x = {.site = FM_VIEW_NONE}, y = x;
    struct fm_view_call_site p, q;
    fm_view_generated_stretch(a, at->line0, at->col0, &x);
    fm_view_generated_stretch(b, at->line0, at->col0, &y);
    uint32_t left = x.site, right = y.site;
    bool same = same_text(x.function, y.function) && x.hidden == y.hidden;
    for (unsigned depth = 0; same && depth < 100 && left != FM_VIEW_NONE; depth++) {
        same = fm_view_call_site(a, left, &p) && fm_view_call_site(b, right, &q);
        same = same && p.source == q.source && p.line0 == q.line0 && p.col0 == q.col0 &&
               same_text(p.function, q.function) && p.hidden == q.hidden &&
               (p.caller == FM_VIEW_NONE) == (q.caller == FM_VIEW_NONE);
        left = p.caller;
        right = q.caller;
    }
    return same && (left == FM_VIEW_NONE) == (right == FM_VIEW_NONE);
}

static void same_segments(const framemap_index *a, const framemap_index *b)
{
    struct fm_segments_about about, other;
    struct fm_view_segment x, y;
    bool good = fm_view_segments(a->view, &about) && fm_view_segments(b->view, &other);
    assert(good && about.segment_count == other.segment_count && about.source_count == other.source_count);
    for (uint64_t i = 0; i < about.segment_count; i++) {
        good = fm_view_segment(a->view, i, &x) && fm_view_segment(b->view, i, &y);
        assert(good && x.line0 == y.line0 && x.col0 == y.col0 && x.source == y.source);
        assert(x.source == FM_VIEW_NONE ||
               (x.original_line0 == y.original_line0 && x.original_col0 == y.original_col0 && x.name == y.name));
        assert(same_callers(a->view, b->view, &x) && (x.source == FM_VIEW_NONE || same_function(a->view, b->view, &x)));
    }
}

/* Checks that what was written from one or several indexes is a valid map. */
static void check_written(const struct fm_buf *text, const framemap_index *flat_of, struct fm_heap *heap)
{
    framemap_bytes bytes = {0};
    struct fm_buf again;
    framemap_index *index = read_map(fm_buf_view(text), true, &bytes);
    assert(index != NULL);
    fm_buf_init(&again, heap);
    if (flat_of) same_segments(flat_of, index);
    const framemap_status status = write_map(&again, index, NULL);
    assert(status == FRAMEMAP_OK && fm_str_equal(fm_buf_view(&again), fm_buf_view(text)));
    fm_buf_free(&again);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
}

static void with_maps(framemap_str text, struct fm_heap *heap)
{
    const size_t end = fm_str_find_byte(text, 0);
    framemap_bytes bytes[2] = {{0}, {0}};
    framemap_index *map = read_map(fm_str_slice(text, 0, end), false, &bytes[0]);
    framemap_index *earlier = end == FM_NOT_FOUND ? NULL : read_map(fm_str_from(text, end + 1), false, &bytes[1]);
    struct fm_buf out;
    fm_buf_init(&out, heap);
    if (map && write_map(&out, map, NULL) == FRAMEMAP_OK) check_written(&out, map, heap);
    if (map && earlier && write_map(&out, map, earlier) == FRAMEMAP_OK) check_written(&out, NULL, heap);
    fm_buf_free(&out);
    framemap_index_close(map);
    framemap_index_close(earlier);
    for (size_t i = 0; i < 2; i++) framemap_bytes_free(&bytes[i]);
}

static void with_index(framemap_str text, struct fm_heap *heap)
{
    framemap_index *index = NULL;
    struct fm_buf out;
    if (framemap_index_open(text, NULL, &index, NULL) != FRAMEMAP_OK) return;
    fm_buf_init(&out, heap);
    write_map(&out, index, NULL);
    write_map(&out, index, index);
    fm_buf_free(&out);
    framemap_index_close(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    const framemap_str text = fm_str(size ? (const char *)data : "", size);
    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    if (size > 0 && data[0] == 'i')
        with_index(fm_str_from(text, 1), &heap);
    else
        with_maps(text, &heap);
    assert(atomic_load(&heap.used) == 0);
    return 0;
}
