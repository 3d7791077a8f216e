/* Finds moduledata, the runtime's record of a Go program. See go_module.h. */
#include "mappers/native/go/go_module.h"

#include "core/text/text.h"
#include "mappers/native/go/go_bytes.h"
#include "mappers/native/image/elf/elf_format.h"

/* Members of moduledata, as numbers of words from its start. */
enum {
    MODULE_TABLE = 0, /* address of the table of functions */
    MODULE_NAMES = 1, /* address of the names in the table of functions */
    MODULE_TEXT = 22,
    MODULE_INLINE_DATA_1_18 = 38, /* address that offsets of inline trees are relative to: the member `gofunc` */
    MODULE_INLINE_DATA_1_20 = 40
};

/* --- searching sections for moduledata --- */

struct module_search {
    const struct fm_image *image;
    unsigned pointer_size;
    unsigned inline_data; /* number of the word with the address that offsets of inline trees are relative to */
    uint64_t table, names;
};

/* Returns the address that a word contains. In Mach-O images of new linkers, words have chained fixups in place of
 * addresses: the lower 36 bits are the address, or an offset from the image's base, and the other bits lead to the next
 * fixup (mach-o/fixup-chains.h). */
static uint64_t address_of(const struct fm_image *image, uint64_t word)
{
    const uint64_t target = word & ((UINT64_C(1) << 36) - 1);

    if (image->format != FM_IMAGE_MACHO || !image->is64) return word;
    return target < image->base ? target + image->base : target;
}

static uint64_t word_at(const struct module_search *search, framemap_str module, unsigned number)
{
    struct fm_byte_reader r = fm_byte_reader_of(module, search->image->big_endian);

    fm_byte_reader_skip(&r, (uint64_t)number * search->pointer_size);
    return address_of(search->image, fm_read_uint(&r, search->pointer_size));
}

/* Searches a section for moduledata. Returns the bytes from there to the end of the section; empty: the section does
 * not have it. */
static framemap_str search_section(const struct module_search *search, framemap_str bytes)
{
    const unsigned width = search->pointer_size;

    for (size_t at = 0; at < bytes.size && bytes.size - at >= width; at += width) {
        const framemap_str rest = fm_str_from(bytes, at);
        if (word_at(search, rest, MODULE_TABLE) == search->table &&
            word_at(search, rest, MODULE_NAMES) == search->names)
            return rest;
    }
    return (framemap_str){NULL, 0};
}

/* Searches all sections with data for moduledata. Sections of a sound file do not overlap, so at most as many bytes are
 * searched as the file has. */
static framemap_str find_module(const struct module_search *search)
{
    const struct fm_image *image = search->image;
    framemap_str module = {NULL, 0};
    size_t left = image->bytes.size;

    for (uint32_t i = 0; i < image->section_count && module.size == 0; i++) {
        const struct fm_section *section = &image->sections[i];
        if (!(section->flags & FM_SECTION_ALLOC) || (section->flags & FM_SECTION_EXEC)) continue;
        const framemap_str bytes = fm_go_bytes_at(image, section->address);
        if (bytes.size > left) break;
        left -= bytes.size;
        module = search_section(search, bytes);
    }
    return module;
}

/* --- searching relocations for moduledata --- */

struct relocation {
    uint64_t offset, addend;
};

static struct relocation read_relocation(struct fm_byte_reader *r, unsigned width)
{
    const uint64_t offset = fm_read_uint(r, width);

    /* type and symbol of the relocation are skipped, since only relocations of the relative type have such addends */
    fm_byte_reader_skip(r, width);
    return (struct relocation){offset, fm_read_uint(r, width)};
}

/* Reads moduledata from a section of relocations, which linkers sort by offset. */
static bool search_relocations(const struct module_search *search, framemap_str bytes, struct fm_go_module *out)
{
    const unsigned width = search->pointer_size;
    struct fm_byte_reader r = fm_byte_reader_of(bytes, search->image->big_endian);
    struct relocation last = {0, 0};
    uint64_t module = 0;
    bool is_found = false, has_text = false;

    while (fm_byte_reader_left(&r) >= (size_t)3 * width) {
        const struct relocation at = read_relocation(&r, width);
        if (last.addend == search->table && at.addend == search->names && at.offset == last.offset + width) {
            is_found = true;
            module = last.offset;
        }
        if (is_found && at.offset == module + MODULE_TEXT * width) {
            has_text = true;
            out->text = at.addend;
        }
        if (has_text && at.offset == module + search->inline_data * width) {
            out->inline_data = at.addend;
            return true;
        }
        last = at;
    }
    return false;
}

/* Searches the relocations for moduledata. For position-independent programs, some linkers, such as lld, write
 * addresses only to relocations, and zeros to the section. */
static bool find_relocated(const struct module_search *search, struct fm_go_module *out)
{
    const struct fm_image *image = search->image;
    size_t left = image->bytes.size;

    for (uint32_t i = 0; i < image->section_count && image->format == FM_IMAGE_ELF; i++) {
        const struct fm_section *section = &image->sections[i];
        if (section->type != ELF_RELA || !(section->flags & FM_SECTION_ALLOC)) continue;
        if (section->stored.size > left) break;
        left -= section->stored.size;
        if (search_relocations(search, section->stored, out)) return true;
    }
    return false;
}

bool fm_go_module_find(const struct fm_image *image, const struct fm_go_start *start, uint64_t table, uint64_t names,
                       struct fm_go_module *out)
{
    const struct module_search search = {.image = image,
                                         .pointer_size = start->pointer_size,
                                         .inline_data = start->version >= FM_GO_1_20 ? MODULE_INLINE_DATA_1_20
                                                                                     : MODULE_INLINE_DATA_1_18,
                                         .table = table,
                                         .names = names};
    const framemap_str module = find_module(&search);

    if (module.size / start->pointer_size <= search.inline_data) return find_relocated(&search, out);
    *out = (struct fm_go_module){word_at(&search, module, MODULE_TEXT), word_at(&search, module, search.inline_data)};
    return true;
}
