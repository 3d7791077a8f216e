/* Gets bytes and strings of a Go program. See go_bytes.h. */
#include "mappers/native/go/go_bytes.h"

#include "core/text/text.h"

framemap_str fm_go_bytes_at(const struct fm_image *image, uint64_t address)
{
    const uint32_t number = fm_image_section_at(image, address);
    framemap_str bytes = {NULL, 0};

    if (number == UINT32_MAX || (image->sections[number].flags & FM_SECTION_COMPRESSED)) return bytes;
    if (fm_image_contents(image, number, &bytes, NULL) != FRAMEMAP_OK) return (framemap_str){NULL, 0};
    const uint64_t skip = address - image->sections[number].address;
    return skip < bytes.size ? fm_str_from(bytes, (size_t)skip) : (framemap_str){NULL, 0};
}

framemap_str fm_go_string(framemap_str strings, uint64_t offset, size_t most)
{
    if (offset >= strings.size) return (framemap_str){NULL, 0};
    const framemap_str rest = fm_str_from(strings, (size_t)offset);
    const size_t size = fm_str_find_byte(fm_str_slice(rest, 0, most), '\0');
    return fm_str_slice(rest, 0, size == FM_NOT_FOUND ? 0 : size);
}
