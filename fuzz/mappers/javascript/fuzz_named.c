/* Compiles a source map together with its script. The input has the script first, then a NUL byte and the map.
 * Functions found in the script are named with the words of the map's sources. Properties: the index is sound; it
 * has as many segments as the index of the map alone; the map with the script is accepted or rejected like the map
 * alone, unless the script exceeds a limit. */
#include "core/text/text.h"
#include "fuzz/support/build_help.h"
#include "index/read/segments/segment_view.h"

#include <assert.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)

static void warn(void *context, const framemap_error *warning)
{
    (void)context;
    assert(memchr(warning->message, 0, sizeof warning->message) != NULL);
}

static framemap_status build(framemap_str map, framemap_str script, struct fm_heap *heap, struct fm_built *built)
{
    const struct fm_mapper_host host = {.heap = heap, .warning = warn, .threads = 1, .script = script};
    return fuzz_build(&host, "sourcemap", "main.js.map", map, built);
}

static uint64_t segments_of(struct fm_heap *heap, const struct fm_built *built)
{
    struct fm_view *view = NULL;
    framemap_error error = {0};
    fuzz_check_built(heap, built);
    const framemap_status status = fm_view_open(fm_str(built->data, built->size), heap, &view, &error);
    assert(status == FRAMEMAP_OK);
    struct fm_segments_about about = {.segment_count = 0};
    assert(fm_view_segments(view, &about));
    fm_view_close(view);
    return about.segment_count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_built alone = {NULL, 0}, named = {NULL, 0};
    const framemap_str all = fm_str(size ? (const char *)data : "", size);
    const size_t end = fm_str_find_byte(all, '\0');
    const framemap_str script = fm_str_slice(all, 0, end),
                       map = end == FM_NOT_FOUND ? framemap_str_of("{}") : fm_str_from(all, end + 1);

    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    const framemap_status without = build(map, fm_str("", 0), &heap, &alone), with = build(map, script, &heap, &named);
    assert(with == without || with == FRAMEMAP_E_MEMORY || with == FRAMEMAP_E_LIMIT);
    if (with == FRAMEMAP_OK) assert(segments_of(&heap, &alone) == segments_of(&heap, &named));
    fm_heap_free(&heap, alone.data, alone.size);
    fm_heap_free(&heap, named.data, named.size);
    assert(atomic_load(&heap.used) == 0);
    return 0;
}
