/* Names of things, and byte blocks that callers own. */
#include <framemap/framemap.h>

#include "core/heap.h"

#include <string.h>

const char *framemap_version(void)
{
    return FRAMEMAP_VERSION_STRING;
}

const char *framemap_status_text(framemap_status status)
{
    switch (status) {
    case FRAMEMAP_OK: return "done";
    case FRAMEMAP_E_ARGUMENT: return "wrong argument";
    case FRAMEMAP_E_UNSUPPORTED: return "not supported";
    case FRAMEMAP_E_MEMORY: return "out of memory";
    case FRAMEMAP_E_LIMIT: return "limit reached";
    case FRAMEMAP_E_IO: return "input or output error";
    case FRAMEMAP_E_FORMAT: return "unknown format";
    case FRAMEMAP_E_TRUNCATED: return "truncated";
    case FRAMEMAP_E_CORRUPT: return "damaged";
    case FRAMEMAP_E_VERSION: return "unknown version of the format";
    case FRAMEMAP_E_MISMATCH: return "not the file that is wanted";
    case FRAMEMAP_E_EMPTY: return "nothing to look up";
    case FRAMEMAP_E_INTERNAL: return "internal error";
    }
    return "unknown status";
}

framemap_str framemap_str_of(const char *text)
{
    return text ? (framemap_str){text, strlen(text)} : (framemap_str){NULL, 0};
}

const char *framemap_frame_status_name(framemap_frame_status status)
{
    switch (status) {
    case FRAMEMAP_FRAME_RAW: return "raw";
    case FRAMEMAP_FRAME_OK: return "ok";
    case FRAMEMAP_FRAME_SYMBOL: return "symbol";
    case FRAMEMAP_FRAME_MISSING_SYMBOLS: return "missing-symbols";
    case FRAMEMAP_FRAME_UNKNOWN_IMAGE: return "unknown-image";
    case FRAMEMAP_FRAME_NO_MATCH: return "no-match";
    case FRAMEMAP_FRAME_AMBIGUOUS: return "ambiguous";
    case FRAMEMAP_FRAME_MALFORMED: return "malformed";
    case FRAMEMAP_FRAME_NOT_NEEDED: return "not-needed";
    }
    return "unknown";
}

const char *framemap_kind_name(framemap_kind kind)
{
    switch (kind) {
    case FRAMEMAP_KIND_UNKNOWN: return "unknown";
    case FRAMEMAP_KIND_NATIVE: return "native";
    case FRAMEMAP_KIND_JAVA: return "java";
    case FRAMEMAP_KIND_JS: return "js";
    case FRAMEMAP_KIND_DART: return "dart";
    case FRAMEMAP_KIND_OTHER: return "other";
    }
    return "unknown";
}

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
