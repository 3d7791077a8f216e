/* Mappings from untrusted bytes, by R8's and by ProGuard's rules, lenient and strict. Properties: reading ends, and the
 * index is sound; if strict reading accepts a text, lenient reading gives the same bytes and reports no fault. */
#include "core/text/text.h"
#include "index/read/view.h"
#include "index/write/builder.h"
#include "mappers/mapper.h"

#include <assert.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)

struct warnings {
    uint64_t lines; /* lines that were skipped */
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
    struct fm_builder *builder = NULL;
    const struct fm_mapper_host host = {
        .heap = heap, .warning = warn, .context = &warnings, .threads = 1, .strict = strict};
    const framemap_str name = framemap_str_of("mapping.txt");
    const struct fm_mapper *mapper = fm_mapper_for(text, name, mapper_name);
    framemap_error error = {0};

    assert(mapper != NULL);
    if (fm_builder_create(heap, &builder, NULL) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    framemap_status status = mapper->build(text, name, &host, builder, &error);
    assert(status == FRAMEMAP_OK || error.message[0] != 0);
    assert(!strict || warnings.lines == 0);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, built, NULL);
    fm_builder_free(builder);
    return status;
}

static void check(struct fm_heap *heap, const struct fm_built *built)
{
    struct fm_view *view = NULL;
    framemap_error error = {0};
    framemap_status status = fm_view_open(fm_str(built->data, built->size), heap, &view, &error);
    assert(status == FRAMEMAP_OK);
    status = fm_view_verify(view, &error);
    assert(status == FRAMEMAP_OK);
    fm_view_close(view);
}

static void both_ways(framemap_str text, const char *mapper, struct fm_heap *heap)
{
    struct fm_built strict = {NULL, 0}, lenient = {NULL, 0};
    const framemap_status refused = build(text, mapper, true, heap, &strict);
    const framemap_status status = build(text, mapper, false, heap, &lenient);
    if (status == FRAMEMAP_OK) check(heap, &lenient);
    if (refused == FRAMEMAP_OK) check(heap, &strict);
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
