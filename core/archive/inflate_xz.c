/* xz data, through liblzma. All memory of liblzma comes from the heap. */
#include "core/archive/inflate_xz.h"

#include "core/error.h"
#include <lzma.h>
#include <stdalign.h>

/* The limit on the memory of one stream, in bytes. The dictionary, which takes most of it, has up to 128 MiB in Linux
 * kernels, and 64 MiB after `xz -9`. */
#define MOST_MEMORY ((uint64_t)160 << 20)

#define FIRST_BYTE '\xfd' /* first byte of a stream */

struct fm_xz {
    struct fm_heap *heap;
    lzma_allocator allocator;
    lzma_stream stream;
    bool within, began;
};

/* Header before each block: liblzma frees blocks without stating their size, so it is stored here. */
struct block {
    alignas(max_align_t) size_t size;
};

static void *take_block(void *context, size_t count, size_t size)
{
    const size_t head = sizeof(struct block);
    if (size > 0 && count > (SIZE_MAX - head) / size) return NULL;
    struct block *block = fm_heap_resize(context, NULL, 0, head + count * size);
    if (block == NULL) return NULL;
    block->size = head + count * size;
    return block + 1;
}

static void give_block(void *context, void *memory)
{
    if (memory == NULL) return;
    struct block *block = (struct block *)memory - 1;
    fm_heap_free(context, block, block->size);
}

static bool begin_stream(struct fm_xz *xz)
{
    return lzma_stream_decoder(&xz->stream, MOST_MEMORY, LZMA_TELL_UNSUPPORTED_CHECK) == LZMA_OK;
}

bool fm_xz_is_read(void) { return true; }

framemap_status fm_xz_open(struct fm_heap *heap, struct fm_xz **out, framemap_error *error)
{
    struct fm_xz *xz = fm_heap_zalloc(heap, 1, sizeof *xz);
    if (xz == NULL) return fm_error_memory(error);
    xz->heap = heap;
    xz->allocator = (lzma_allocator){.alloc = take_block, .free = give_block, .opaque = heap};
    xz->stream = (lzma_stream)LZMA_STREAM_INIT;
    xz->stream.allocator = &xz->allocator;
    *out = xz;
    if (begin_stream(xz)) return FRAMEMAP_OK;
    fm_xz_free(xz);
    return fm_error_memory(error);
}

void fm_xz_free(struct fm_xz *xz)
{
    if (xz == NULL) return;
    lzma_end(&xz->stream);
    fm_heap_free(xz->heap, xz, sizeof *xz);
}

static framemap_status fail(lzma_ret result, struct fm_xz_step *step, framemap_error *error)
{
    static const struct {
        lzma_ret result;
        const char *why;
    } reasons[] = {{LZMA_FORMAT_ERROR, "other bytes follow it"},
                   {LZMA_OPTIONS_ERROR, "it has a filter that liblzma does not read"},
                   {LZMA_UNSUPPORTED_CHECK, "it has a checksum that liblzma does not read"}};
    if (result == LZMA_MEM_ERROR) return fm_error_memory(error);
    if (result == LZMA_MEMLIMIT_ERROR)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "its xz data has a dictionary of more than %llu bytes",
                            (unsigned long long)MOST_MEMORY);
    step->why = "it is not valid";
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].result == result) step->why = reasons[i].why;
    return FRAMEMAP_E_CORRUPT;
}

static size_t zeros_at(framemap_str in)
{
    size_t count = 0;
    while (count < in.size && in.data[count] == '\0') count++;
    return count;
}

framemap_status fm_xz_step(struct fm_xz *xz, struct fm_xz_step *step, framemap_error *error)
{
    lzma_stream *stream = &xz->stream;
    step->used = step->made = 0;
    if (!xz->within && xz->began) {
        step->used = zeros_at(step->in);
        step->within = false;
        if (step->used > 0 || step->in.size == 0) return FRAMEMAP_OK;
        if (step->in.data[0] != FIRST_BYTE) return fail(LZMA_FORMAT_ERROR, step, error);
        if (!begin_stream(xz)) return fm_error_memory(error);
    }
    xz->within = xz->began = true;
    stream->next_in = (const uint8_t *)step->in.data;
    stream->avail_in = step->in.size;
    stream->next_out = (uint8_t *)step->room;
    stream->avail_out = step->room_size;
    const lzma_ret result = lzma_code(stream, LZMA_RUN);
    step->used = step->in.size - stream->avail_in;
    step->made = step->room_size - stream->avail_out;
    if (result == LZMA_STREAM_END) xz->within = false;
    step->within = xz->within;
    if (result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR) return FRAMEMAP_OK;
    return fail(result, step, error);
}
