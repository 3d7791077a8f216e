/* Finds the table of functions of a Go program. See go_section.h. */
#include "mappers/native/image/go_section.h"

#include "core/text/text.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/section_contents.h"

#define START_BYTES ((size_t)8) /* magic number, two zero bytes, quantum, size of pointers */

bool fm_go_read_start(struct fm_byte_reader *r, struct fm_go_start *out)
{
    const uint32_t magic = fm_read_u32(r);
    const uint16_t zeros = fm_read_u16(r);

    out->quantum = fm_read_u8(r);
    out->pointer_size = fm_read_u8(r);
    switch (magic) {
    case 0xfffffffb: out->version = FM_GO_1_2; break;
    case 0xfffffffa: out->version = FM_GO_1_16; break;
    case 0xfffffff0: out->version = FM_GO_1_18; break;
    case 0xfffffff1: out->version = FM_GO_1_20; break;
    default: return false;
    }
    return !r->bad && zeros == 0 && (out->quantum == 1 || out->quantum == 2 || out->quantum == 4) &&
           (out->pointer_size == 4 || out->pointer_size == 8);
}

static framemap_str contents_of(const struct fm_image *image, uint32_t section)
{
    framemap_str bytes = {NULL, 0};

    if (section == UINT32_MAX || (image->sections[section].flags & FM_SECTION_COMPRESSED)) return bytes;
    return fm_image_contents(image, section, &bytes, NULL) == FRAMEMAP_OK ? bytes : (framemap_str){NULL, 0};
}

/* Searches a section for a table. */
static bool search_section(const struct fm_image *image, uint32_t section, struct fm_go_section *out)
{
    const framemap_str bytes = contents_of(image, section);
    const unsigned align = image->is64 ? 8 : 4;

    for (size_t at = 0; at < bytes.size && bytes.size - at >= START_BYTES; at += align) {
        struct fm_byte_reader r = fm_byte_reader_of(fm_str_slice(bytes, at, at + START_BYTES), image->big_endian);
        struct fm_go_start start;
        if (!fm_go_read_start(&r, &start)) continue;
        *out = (struct fm_go_section){fm_str_from(bytes, at), image->sections[section].address + at};
        return true;
    }
    return false;
}

/* Finds the table. In most programs it has a section of its own. For position-independent code, Go's compiler puts it
 * in a section that external linkers join with other read-only data. */
bool fm_image_go_section(const struct fm_image *image, struct fm_go_section *out)
{
    static const char *const names[] = {".gopclntab", ".data.rel.ro.gopclntab", "__gopclntab"};

    if (image->relocatable || image->format == FM_IMAGE_WASM) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const uint32_t section = fm_image_section(image, framemap_str_of(names[i]));
        const framemap_str bytes = contents_of(image, section);
        if (bytes.size == 0) continue;
        *out = (struct fm_go_section){bytes, image->sections[section].address};
        return true;
    }
    return fm_image_section(image, FM_STR(".go.buildinfo")) != UINT32_MAX &&
           search_section(image, fm_image_section(image, FM_STR(".data.rel.ro")), out);
}
