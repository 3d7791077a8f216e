/* Reads source maps from untrusted bytes, leniently and strictly, with and without the text of sources. Properties:
 * reading ends, and the index is sound; if strict reading accepts a map, lenient reading gives the same bytes. */
#include "core/text/text.h"
#include "fuzz/support/build_help.h"

#include <assert.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)
#define WARNINGS_MOST 100 /* maximum number of warnings that a map may cause: each rule is reported at most twice */

static void warn(void *context, const framemap_error *warning)
{
    unsigned *count = context;
    assert(memchr(warning->message, 0, sizeof warning->message) != NULL);
    assert(++*count < WARNINGS_MOST);
}

static framemap_status build(framemap_str bytes, bool strict, bool keep_sources, struct fm_heap *heap,
                             struct fm_built *built)
{
    unsigned warnings = 0;
    const struct fm_mapper_host host = {.heap = heap,
                                        .warning = warn,
                                        .context = &warnings,
                                        .threads = 1,
                                        .strict = strict,
                                        .keep_sources = keep_sources};
    return fuzz_build(&host, "sourcemap", "main.js.map", bytes, built);
}

static void both_ways(framemap_str bytes, bool keep_sources, struct fm_heap *heap)
{
    struct fm_built strict = {NULL, 0}, lenient = {NULL, 0};
    const framemap_status refused = build(bytes, true, keep_sources, heap, &strict);
    const framemap_status status = build(bytes, false, keep_sources, heap, &lenient);
    if (status == FRAMEMAP_OK) fuzz_check_built(heap, &lenient);
    if (refused == FRAMEMAP_OK) {
        assert(status == FRAMEMAP_OK);
        assert(fm_str_equal(fm_str(strict.data, strict.size), fm_str(lenient.data, lenient.size)));
    }
    fm_heap_free(heap, strict.data, strict.size);
    fm_heap_free(heap, lenient.data, lenient.size);
}

static void inspect(framemap_str bytes, struct fm_heap *heap)
{
    framemap_image_info image;
    size_t count = 0;
    const framemap_str name = framemap_str_of("main.js.map");
    const struct fm_mapper *mapper = fm_mapper_for(bytes, name, NULL);
    if (mapper == NULL) return;
    if (mapper->inspect(bytes, name, heap, &image, 1, &count, NULL) == FRAMEMAP_OK) assert(count >= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    const framemap_str bytes = fm_str(size ? (const char *)data : "", size);

    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    inspect(bytes, &heap);
    both_ways(bytes, false, &heap);
    both_ways(bytes, true, &heap);
    assert(atomic_load(&heap.used) == 0);
    return 0;
}
