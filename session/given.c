#include "session/given.h"

#include "core/fault.h"

#include <string.h>

framemap_status fm_options_read(const void *given, void *out, size_t out_size, framemap_error *error)
{
    size_t size = out_size;
    memset(out, 0, out_size);
    if (given == NULL) {
        memcpy(out, &size, sizeof size);
        return FRAMEMAP_OK;
    }
    memcpy(&size, given, sizeof size);
    if (size < sizeof size) return fm_fault(error, FRAMEMAP_E_ARGUMENT, "the size of the options is not set");
    for (size_t i = out_size; i < size; i++)
        if (((const unsigned char *)given)[i])
            return fm_fault(error, FRAMEMAP_E_ARGUMENT, "the options set something that this version of framemap does not know");
    memcpy(out, given, size < out_size ? size : out_size);
    return FRAMEMAP_OK;
}

framemap_status fm_memory_fault(framemap_status status, const struct fm_heap *heap, framemap_error *error)
{
    if (status == FRAMEMAP_E_MEMORY && atomic_load(&heap->over)) fm_fault_over_memory(error, heap->ceiling);
    return status;
}
