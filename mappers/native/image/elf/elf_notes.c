/* Identification of an ELF file: its build id, and the names of the files with its debug info. */
#include "mappers/native/image/elf/elf_image.h"

#include "core/text/text.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/image_values.h"

#define NOTE_GNU_BUILD_ID 3

static uint64_t padded(uint64_t size, uint64_t align) { return (size + align - 1) & ~(align - 1); }

/* Finds the GNU build id among notes. Notes are padded to 4 bytes, or to 8 if their section is aligned to 8 (gABI,
 * "Note Section"). */
static bool find_build_id(const struct fm_image *image, framemap_str notes, uint64_t align, char out[65])
{
    struct fm_byte_reader r = fm_byte_reader_of(notes, image->big_endian);
    const uint64_t pad = align == 8 ? 8 : 4;

    while (fm_byte_reader_left(&r) >= 12) {
        const uint32_t name_size = fm_read_u32(&r), size = fm_read_u32(&r), type = fm_read_u32(&r);
        const uint64_t start = r.at;
        const framemap_str name = fm_read_bytes(&r, name_size);
        const uint64_t skip = padded(12 + (uint64_t)name_size, pad) - 12;
        fm_byte_reader_seek(&r, start + skip);
        const framemap_str id = fm_read_bytes(&r, size);
        if (r.bad) return false;
        if (type == NOTE_GNU_BUILD_ID && fm_str_equal(name, fm_str("GNU", 4)) && size > 0) {
            fm_hex_id(out, id);
            return out[0] != '\0';
        }
        const uint64_t next = padded(start + skip + size, pad);
        /* the note ends at the end of the section: padding after the last note may be missing */
        if (next > r.size) return false;
        fm_byte_reader_seek(&r, next);
    }
    return false;
}

static void read_build_id(struct fm_image *image)
{
    const struct fm_elf *elf = image->inner->elf;

    for (uint32_t i = 0; !elf->made_of_segments && i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        if (section->type != ELF_NOTE || section->damaged) continue;
        if (find_build_id(image, section->stored, elf->sections[i].align, image->id)) return;
    }
    for (uint32_t i = 0; i < elf->header.segment_count; i++) {
        const struct fm_elf_segment *segment = &elf->segments[i];
        if (segment->type != ELF_PT_NOTE) continue;
        if (find_build_id(image, fm_elf_bytes(image, segment->offset, segment->file_size), segment->align, image->id))
            return;
    }
}

static struct fm_byte_reader link_section(const struct fm_image *image, framemap_str name)
{
    const uint32_t number = fm_image_section(image, name);
    const framemap_str none = {NULL, 0};
    return fm_byte_reader_of(number == UINT32_MAX ? none : image->sections[number].stored, image->big_endian);
}

/* Reads .gnu_debuglink: a name, and at the next multiple of 4 a checksum (GDB manual, "Separate Debug Files"). If more
 * bytes follow, the section has the links of the objects from which a linker made the image. These links name the debug
 * files of the objects, so the section is ignored. */
static void read_link(struct fm_image *image, struct fm_byte_reader *link)
{
    const framemap_str name = fm_read_cstr(link);
    fm_byte_reader_seek(link, padded(link->at, 4));
    const uint32_t crc = fm_read_u32(link);
    if (fm_byte_reader_left(link) > 0) return;
    image->debuglink = fm_str_basename(name);
    if (!link->bad) image->debuglink_crc = crc;
}

/* Reads .debug_sup (DWARF 5 section 7.3.6): a version, whether this file is itself the supplementary file, the name of
 * that file, and a checksum that both files contain. */
static void read_sup(struct fm_image *image)
{
    struct fm_byte_reader sup = link_section(image, FM_STR(".debug_sup"));
    const uint16_t version = fm_read_u16(&sup);
    const uint8_t is_supplementary = fm_read_u8(&sup);
    const framemap_str name = fm_read_cstr(&sup);
    const uint64_t size = fm_read_uleb(&sup);

    if (sup.bad || version != 5 || is_supplementary > 1 || size > fm_byte_reader_left(&sup)) return;
    if (is_supplementary == 0) image->altlink = name;
    fm_hex_id(image->altlink_id, fm_read_bytes(&sup, (size_t)size));
}

void fm_elf_identify(struct fm_image *image)
{
    struct fm_byte_reader link = link_section(image, FM_STR(".gnu_debuglink"));
    struct fm_byte_reader alternate = link_section(image, FM_STR(".gnu_debugaltlink"));

    read_build_id(image);
    read_link(image, &link);
    image->has_debugdata = fm_image_section(image, FM_STR(FM_DEBUGDATA)) != UINT32_MAX;
    image->altlink = fm_read_cstr(&alternate);
    fm_hex_id(image->altlink_id, fm_read_bytes(&alternate, fm_byte_reader_left(&alternate)));
    if (image->altlink.size == 0) read_sup(image);
}
