/* What an object file is made of. */
#include <framemap/index.h>

#include "core/fault.h"
#include "core/text.h"
#include "mappers/image/image.h"
#include "session/opened.h"

static size_t list_sections(const struct fm_image *image, framemap_section_info *sections, size_t capacity)
{
    size_t count = 0;
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        if (!(section->flags & FM_SECTION_ALLOC)) continue;
        if (count < capacity)
            sections[count] = (framemap_section_info){.name = section->name, .address = image->relocatable ? 0 : section->address,
                                                      .size = section->size, .code = (section->flags & FM_SECTION_EXEC) != 0};
        count++;
    }
    return count;
}

framemap_status framemap_file_sections(framemap_str bytes, const char *arch, framemap_section_info *sections, size_t capacity, size_t *count,
                                       framemap_error *error)
{
    if (count == NULL || (sections == NULL && capacity) || (bytes.data == NULL && bytes.size))
        return fm_fault(error, FRAMEMAP_E_ARGUMENT, "a pointer is missing");
    if (fm_image_probe(bytes) == 0) {
        *count = 0;
        return FRAMEMAP_OK;
    }
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image image;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    framemap_status status = fm_image_open(bytes, arch, &arena, &image, error);
    if (status == FRAMEMAP_OK) *count = list_sections(&image, sections, capacity);
    fm_arena_free(&arena);
    return status;
}
