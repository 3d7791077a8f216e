/* Inflates gzip data with zlib. Called by sourcemap_document.c; independent of source maps. */
#include "mappers/javascript/sourcemap/document/sourcemap_gzip.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include <limits.h>
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* zlib's windowBits for gzip with the largest window */
#define FIRST_ROOM ((size_t)64 << 10)
#define STEP ((size_t)1 << 20) /* bytes passed to zlib at once */

bool fm_sourcemap_is_gzip(framemap_str bytes) { return fm_str_starts(bytes, FM_STR("\x1f\x8b\x08")); }

static void *take_memory(voidpf arena, uInt count, uInt size) { return fm_arena_zalloc(arena, count, size); }
static void give_memory(voidpf arena, voidpf memory) { (void)arena, (void)memory; }

struct gunzip {
    struct fm_heap *heap;
    z_stream stream;
    framemap_str bytes;
    size_t taken; /* bytes of the input that were consumed */
    char *out;
    size_t capacity, size, most;
};

static void feed(struct gunzip *g)
{
    union { /* zlib takes its input without const but does not modify it */
        const char *given;
        Bytef *taken;
    } from = {g->bytes.data + g->taken};
    const size_t left = g->bytes.size - g->taken;
    g->stream.next_in = from.taken;
    g->stream.avail_in = (uInt)(left < STEP ? left : STEP);
}

static int gunzip_step(struct gunzip *g)
{
    const size_t room = g->capacity - g->size;
    feed(g);
    const uInt in = g->stream.avail_in, out = (uInt)(room < STEP ? room : STEP);
    g->stream.next_out = (Bytef *)g->out + g->size;
    g->stream.avail_out = out;
    const int result = inflate(&g->stream, Z_NO_FLUSH);
    g->taken += in - g->stream.avail_in;
    g->size += out - g->stream.avail_out;
    return result;
}

/* Whether another member follows the one that ended. Anything else that follows is padding. */
static bool gunzip_continues(struct gunzip *g)
{
    return fm_sourcemap_is_gzip(fm_str_from(g->bytes, g->taken)) && inflateReset(&g->stream) == Z_OK;
}

static framemap_status gunzip_run(struct gunzip *g, framemap_error *error)
{
    for (;;) {
        if (g->size == g->capacity) {
            if (g->size >= g->most)
                return fm_error_set(error, FRAMEMAP_E_LIMIT, "its gzip data inflates to more than %zu bytes", g->most);
            if (!FM_GROW(g->heap, g->out, g->capacity, g->size + FIRST_ROOM)) return fm_error_memory(error);
        }
        const int result = gunzip_step(g);
        if (result == Z_STREAM_END && !gunzip_continues(g)) return FRAMEMAP_OK;
        if (result == Z_MEM_ERROR) return fm_error_memory(error);
        if (result == Z_BUF_ERROR) return fm_error_set(error, FRAMEMAP_E_TRUNCATED, "its gzip data ends too early");
        if (result != Z_OK && result != Z_STREAM_END)
            return fm_error_set(error, FRAMEMAP_E_CORRUPT, "its gzip data is damaged");
    }
}

/* Returns the inflated size that the last four bytes of the file state. The size is right only for a file with one
 * member, so it is used only as a first capacity. */
static size_t size_in_trailer(framemap_str bytes)
{
    uint32_t size = 0;
    if (bytes.size < 18) return FIRST_ROOM;
    for (unsigned i = 4; i > 0; i--) size = size << 8 | (unsigned char)bytes.data[bytes.size - 5 + i];
    const size_t plausible = bytes.size * 32;
    return size < FIRST_ROOM ? FIRST_ROOM : size > plausible ? FIRST_ROOM : (size_t)size + 1;
}

static size_t inflated_most(size_t bytes)
{
    const uint64_t most = fm_limit_inflated(bytes);
    return most < SIZE_MAX / 2 ? (size_t)most : SIZE_MAX / 2;
}

framemap_status fm_sourcemap_gunzip(framemap_str bytes, struct fm_heap *heap, char **out, size_t *capacity,
                                    size_t *size, framemap_error *error)
{
    struct gunzip g = {.heap = heap, .bytes = bytes, .most = inflated_most(bytes.size)};
    struct fm_arena arena;
    framemap_status status;

    fm_arena_init(&arena, heap);
    g.stream = (z_stream){.zalloc = take_memory, .zfree = give_memory, .opaque = &arena};
    if (inflateInit2(&g.stream, GZIP_WINDOW) != Z_OK || !FM_GROW(heap, g.out, g.capacity, size_in_trailer(bytes)))
        status = fm_error_memory(error);
    else
        status = gunzip_run(&g, error);
    fm_arena_free(&arena);
    if (status != FRAMEMAP_OK) {
        fm_heap_free(heap, g.out, g.capacity);
        return status;
    }
    *out = g.out;
    *capacity = g.capacity;
    *size = g.size;
    return FRAMEMAP_OK;
}

/* Memory for one inflation, on the call stack: zlib needs about 42 KB. */
struct gunzip_head {
    size_t used;
    _Alignas(16) unsigned char bytes[56 << 10];
};

static void *alloc_from_head(voidpf opaque, uInt count, uInt size)
{
    struct gunzip_head *memory = opaque;
    const size_t want = ((size_t)count * size + 15) / 16 * 16;
    if (want > sizeof memory->bytes - memory->used) return NULL;
    memory->used += want;
    memset(memory->bytes + memory->used - want, 0, want);
    return memory->bytes + memory->used - want;
}

size_t fm_sourcemap_gunzip_head(framemap_str bytes, char *out, size_t room)
{
    struct gunzip_head memory;
    memory.used = 0;
    struct gunzip g = {.bytes = bytes, .out = out, .capacity = room};
    g.stream = (z_stream){.zalloc = alloc_from_head, .zfree = give_memory, .opaque = &memory};
    if (inflateInit2(&g.stream, GZIP_WINDOW) != Z_OK) return 0;
    while (g.size < room && gunzip_step(&g) == Z_OK) continue;
    return g.size;
}
