/* Decides whether two images without build ids come from one build: by the checksum of .gnu_debuglink, which debuggers
 * use, and by comparing what both images contain. */
#include "mappers/native/image/same_code.h"

#include "core/text/text.h"
#include "mappers/native/image/elf/elf_format.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/macho/macho_image.h"
#include "mappers/native/image/wasm/wasm_image.h"
#include <libdeflate.h>
#include <stdio.h>

uint32_t fm_image_link_crc(framemap_str bytes) { return libdeflate_crc32(0, bytes.data, bytes.size); }

/* Returns the next section, from number *at on, that takes memory and is not a note. NULL: there is none. */
static const struct fm_section *next_loaded(const struct fm_image *image, uint32_t *at)
{
    while (*at < image->section_count) {
        const struct fm_section *section = &image->sections[(*at)++];
        const bool note = image->format == FM_IMAGE_ELF && section->type == ELF_NOTE;
        if ((section->flags & FM_SECTION_ALLOC) && section->size > 0 && !note) return section;
    }
    return NULL;
}

static bool same_section(const struct fm_section *a, const struct fm_section *b)
{
    const bool both_hold = a->stored.size > 0 && b->stored.size > 0 && (a->flags & FM_SECTION_EXEC);
    if (a->address != b->address || a->size != b->size || !fm_str_equal(a->name, b->name)) return false;
    return !both_hold || fm_str_equal(a->stored, b->stored);
}

bool fm_image_same_code(const struct fm_image *a, const struct fm_image *b)
{
    uint32_t at_a = 0, at_b = 0;
    bool any_code = false;

    if (a->format != b->format || a->machine != b->machine || a->is64 != b->is64 || a->base != b->base) return false;
    for (;;) {
        const struct fm_section *in_a = next_loaded(a, &at_a), *in_b = next_loaded(b, &at_b);
        if (in_a == NULL || in_b == NULL) return in_a == in_b && any_code;
        if (!same_section(in_a, in_b)) return false;
        any_code = any_code || (in_a->flags & FM_SECTION_EXEC);
    }
}

bool fm_image_same_debug_info(const struct fm_image *a, const struct fm_image *b)
{
    static const framemap_str names[] = {FM_STR_INIT(".debug_info"), FM_STR_INIT(".debug_line")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const uint32_t in_a = fm_image_section(a, names[i]), in_b = fm_image_section(b, names[i]);
        if (in_a == UINT32_MAX || in_b == UINT32_MAX) return false;
        if (!fm_str_equal(a->sections[in_a].stored, b->sections[in_b].stored)) return false;
    }
    return true;
}

/* Shortens a name for a message. */
static int shown_size(framemap_str name) { return name.size < 80 ? (int)name.size : 80; }

static void describe_wasm(const struct fm_wasm *wasm, char *out, size_t room)
{
    if (wasm->debug_file.size > 0)
        snprintf(out, room, "give its debug file %.*s", shown_size(wasm->debug_file), wasm->debug_file.data);
    else if (wasm->map_url.size > 0 && !fm_str_starts(wasm->map_url, FM_STR("data:")))
        snprintf(out, room, "give its source map %.*s, or the same build with debug info (-g)",
                 shown_size(wasm->map_url), wasm->map_url.data);
    else
        snprintf(out, room, "give its source map, or the same build with debug info (-g); it names no debug file");
}

void fm_image_describe_debug_file(const struct fm_image *image, char *out, size_t room)
{
    if (image->format == FM_IMAGE_WASM) {
        describe_wasm(image->inner->wasm, out, room);
        return;
    }
    if (fm_image_section(image, FM_STR(".stab")) != UINT32_MAX) {
        snprintf(out, room, "compile it with DWARF (-gdwarf; Free Pascal: -gw3): its STABS format is not read");
        return;
    }
    const bool elf = image->format == FM_IMAGE_ELF;
    const int size = shown_size(image->debuglink);
    if (size > 0 && image->id[0] != '\0')
        snprintf(out, room, "give its debug file %.*s (build id %s)", size, image->debuglink.data, image->id);
    else if (size > 0)
        snprintf(out, room, "give its debug file %.*s (CRC-32 0x%08x)", size, image->debuglink.data,
                 (unsigned)image->debuglink_crc);
    else if (image->id[0] != '\0' && elf)
        snprintf(out, room, "give its debug file or the unstripped file, with the build id %s", image->id);
    else if (image->id[0] != '\0' && fm_macho_has_debug_map(image))
        snprintf(out, room, "give its object files with -s, or its dSYM, which dsymutil makes, with the UUID %s",
                 image->id);
    else if (image->id[0] != '\0')
        snprintf(out, room, "give its dSYM, which dsymutil makes, with the UUID %s", image->id);
    else if (image->relocatable)
        snprintf(out, room, "compile it again with debug info (-g)");
    else if (image->is_stripped)
        snprintf(out, room, "give the unstripped file of the same build; it names no debug file and has no %s",
                 elf ? "build id" : "UUID");
    else
        snprintf(out, room, "give the same build with debug info (-g); it names no debug file and has no %s",
                 elf ? "build id" : "UUID");
}
