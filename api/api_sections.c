/* framemap_file_sections: lists the sections of an object file. */
#include <framemap/index.h>

#include "core/error.h"
#include "mappers/mapper.h"

framemap_status framemap_file_sections(framemap_str bytes, const char *arch, framemap_section_info *sections,
                                       size_t capacity, size_t *count, framemap_error *error)
{
    if (count == NULL || (sections == NULL && capacity) || (bytes.data == NULL && bytes.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    const struct fm_mapper *mapper = fm_mapper_for(bytes, (framemap_str){NULL, 0}, NULL);
    if (mapper == NULL || mapper->sections == NULL) {
        *count = 0;
        return FRAMEMAP_OK;
    }
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    return mapper->sections(bytes, arch, &heap, sections, capacity, count, error);
}
