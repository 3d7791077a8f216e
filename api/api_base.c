/* Public calls on byte blocks (framemap_bytes) and on escaping text. */
#include <framemap/framemap.h>

#include "core/heap.h"
#include "core/text/escape.h"

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

size_t framemap_plain_size(framemap_str text) { return text.data ? fm_plain_size(text) : 0; }

bool framemap_write_escaped(framemap_str text, framemap_write write, void *context)
{
    char escape[FM_ESCAPE_ROOM];
    framemap_str piece;
    if (write == NULL || (text.data == NULL && text.size)) return false;
    while (fm_escape_next(&text, escape, &piece))
        if (!write(context, piece.data, piece.size)) return false;
    return true;
}
