/* Compiles symbol files of Breakpad from untrusted bytes, leniently and strictly. Properties: reading ends, memory is
 * bounded, and the index is sound; strict reading reports no skipped line; if strict reading accepts a text, both
 * indexes have the same bytes; lines that are added at the end of a file and are not records change no answer. */
#include "fuzz/support/build_help.h"

#include <assert.h>
#include <string.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)

static void warn(void *context, const framemap_error *warning)
{
    size_t *skipped = context;
    assert(memchr(warning->message, 0, sizeof warning->message) != NULL);
    *skipped += strncmp(warning->message, "this line is skipped", 20) == 0;
}

static framemap_status build(framemap_str text, bool strict, struct fm_heap *heap, struct fm_built *built)
{
    size_t skipped = 0;
    const struct fm_mapper_host host = {
        .heap = heap, .warning = warn, .context = &skipped, .threads = 1, .strict = strict};
    const framemap_status status = fuzz_build(&host, "breakpad", "app.sym", text, built);
    assert(!strict || skipped == 0);
    return status;
}

static bool same(const struct fm_built *a, const struct fm_built *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* Builds the text with a line at its end that is not a record. */
static void with_another_line(framemap_str text, struct fm_heap *heap, const struct fm_built *wanted)
{
    static const char more[] = "\n?\n";
    const size_t size = text.size + sizeof more - 1;
    struct fm_built built = {NULL, 0};
    char *copy = fm_heap_resize(heap, NULL, 0, size);
    if (copy == NULL) return;
    memcpy(copy, text.data, text.size);
    memcpy(copy + text.size, more, sizeof more - 1);
    if (build((framemap_str){copy, size}, false, heap, &built) == FRAMEMAP_OK) assert(same(&built, wanted));
    fm_heap_free(heap, built.data, built.size);
    fm_heap_free(heap, copy, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_built lenient = {NULL, 0}, strict = {NULL, 0};
    const framemap_str text = {size > 0 ? (const char *)data : "", size};

    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    if (fm_mapper_for(text, framemap_str_of("app.sym"), "breakpad") == NULL) return 0;
    const framemap_status status = build(text, false, &heap, &lenient);
    const framemap_status refused = build(text, true, &heap, &strict);
    assert(refused != FRAMEMAP_OK || status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    if (status == FRAMEMAP_OK) {
        fuzz_check_built(&heap, &lenient);
        if (refused == FRAMEMAP_OK) assert(same(&strict, &lenient));
        with_another_line(text, &heap, &lenient);
    }
    fm_heap_free(&heap, lenient.data, lenient.size);
    fm_heap_free(&heap, strict.data, strict.size);
    assert(atomic_load(&heap.used) == 0);
    return 0;
}
