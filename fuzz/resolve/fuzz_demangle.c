/* Demangles any bytes as a name, in every style. Properties: output and memory are bounded; a second call and the
 * public function give the same answer; fm_may_be_mangled is true for every name that can be demangled. */
#include "core/limits.h"
#include "core/text/mangled.h"
#include "core/text/text.h"
#include "resolve/demangle/demangle.h"
#include <framemap/index.h>
#include <stdlib.h>

static void must(bool holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_scratch *scratch = NULL;
    const framemap_str name = fm_str(data, size);
    fm_heap_init(&heap, NULL, (uint64_t)64 << 20);
    must(framemap_scratch_create(NULL, &scratch, NULL) == FRAMEMAP_OK);
    for (int style = FRAMEMAP_DEMANGLE_DEFAULT; style <= FRAMEMAP_DEMANGLE_FULL; style++) {
        fm_arena_init(&arena, &heap);
        const framemap_str text = fm_demangle(name, (framemap_demangle)style, &arena);
        const framemap_str again = fm_demangle(name, (framemap_demangle)style, &arena);
        must(fm_str_equal(text, again));
        must(fm_str_equal(text, framemap_demangle_name(scratch, name, (framemap_demangle)style)));
        must(text.size <= 2 * FM_LIMIT_NAME + size);
        must(text.size > 0 || size == 0);
        must(fm_str_equal(text, name) || fm_may_be_mangled(name));
        must(style != FRAMEMAP_DEMANGLE_NONE || text.data == name.data);
        fm_arena_free(&arena);
    }
    framemap_scratch_free(scratch);
    must(heap.used == 0);
    return 0;
}
