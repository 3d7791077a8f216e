/* Reads mappings from untrusted bytes, by the rules of R8 and of ProGuard, leniently and strictly. Properties:
 * reading ends, and the index is sound; strict reading skips no line; if both strict and lenient reading accept a
 * text, the two indexes have the same bytes. */
#include "core/text/text.h"
#include "fuzz/support/build_help.h"

#include <assert.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)

struct warnings {
    uint64_t lines; /* number of lines that were skipped */
};

static void warn(void *context, const framemap_error *warning)
{
    struct warnings *warnings = context;
    assert(memchr(warning->message, 0, sizeof warning->message) != NULL);
    warnings->lines += fm_str_starts(framemap_str_of(warning->message), FM_STR("this line is passed over"));
}

static framemap_status build(framemap_str text, const char *mapper_name, bool strict, struct fm_heap *heap,
                             struct fm_built *built)
{
    struct warnings warnings = {0};
    const struct fm_mapper_host host = {
        .heap = heap, .warning = warn, .context = &warnings, .threads = 1, .strict = strict};
    const framemap_status status = fuzz_build(&host, mapper_name, "mapping.txt", text, built);
    assert(!strict || warnings.lines == 0);
    return status;
}

static void both_ways(framemap_str text, const char *mapper, struct fm_heap *heap)
{
    struct fm_built strict = {NULL, 0}, lenient = {NULL, 0};
    const framemap_status refused = build(text, mapper, true, heap, &strict);
    const framemap_status status = build(text, mapper, false, heap, &lenient);
    if (status == FRAMEMAP_OK) fuzz_check_built(heap, &lenient);
    if (refused == FRAMEMAP_OK) fuzz_check_built(heap, &strict);
    if (status == FRAMEMAP_OK && refused == FRAMEMAP_OK)
        assert(fm_str_equal(fm_str(strict.data, strict.size), fm_str(lenient.data, lenient.size)));
    fm_heap_free(heap, strict.data, strict.size);
    fm_heap_free(heap, lenient.data, lenient.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    const framemap_str text = fm_str(size ? (const char *)data : "", size);

    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    fm_mapper_for(text, framemap_str_of("mapping.txt"), NULL);
    both_ways(text, "r8", &heap);
    both_ways(text, "proguard", &heap);
    assert(atomic_load(&heap.used) == 0);
    return 0;
}
