/* Byte blocks that callers own. */
#include <framemap/framemap.h>

#include "core/heap.h"

#include <string.h>

void framemap_bytes_free(framemap_bytes *bytes)
{
    if (bytes == NULL) return;
    struct fm_heap heap;
    fm_heap_init(&heap, &bytes->allocator, 0);
    fm_heap_free(&heap, bytes->data, bytes->size);
    memset(bytes, 0, sizeof *bytes);
}

framemap_str framemap_bytes_str(const framemap_bytes *bytes)
{
    return bytes ? (framemap_str){(const char *)bytes->data, bytes->size} : (framemap_str){NULL, 0};
}
