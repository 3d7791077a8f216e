/* A source map together with its script, which comes first, up to a NUL byte. Functions found in the script are named
 * with the words of the map's sources. Properties: the index is sound; apart from functions it equals the index of the
 * map alone; both are accepted or refused alike. */
#include "core/text/text.h"
#include "index/read/segments/segment_view.h"
#include "index/write/builder.h"
#include "mappers/mapper.h"

#include <assert.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)

static void warn(void *context, const framemap_error *warning)
{
    (void)context;
    assert(memchr(warning->message, 0, sizeof warning->message) != NULL);
}

static framemap_status build(framemap_str map, framemap_str script, struct fm_heap *heap, struct fm_built *built)
{
    struct fm_builder *builder = NULL;
    const struct fm_mapper_host host = {.heap = heap, .warning = warn, .threads = 1, .script = script};
    const framemap_str name = framemap_str_of("main.js.map");
    const struct fm_mapper *mapper = fm_mapper_for(map, name, "sourcemap");
    framemap_error error = {0};

    assert(mapper != NULL);
    if (fm_builder_create(heap, &builder, NULL) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    framemap_status status = mapper->build(map, name, &host, builder, &error);
    assert(status == FRAMEMAP_OK || error.message[0] != 0);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, built, &error);
    assert(status != FRAMEMAP_E_INTERNAL);
    fm_builder_free(builder);
    return status;
}

static uint64_t segments_of(struct fm_heap *heap, const struct fm_built *built)
{
    struct fm_view *view = NULL;
    framemap_error error = {0};
    framemap_status status = fm_view_open(fm_str(built->data, built->size), heap, &view, &error);
    assert(status == FRAMEMAP_OK);
    status = fm_view_verify(view, &error);
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
