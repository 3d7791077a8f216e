/* Determines sizes of sections whose headers do not record them. A debug file keeps the section table of the program
 * that it was split from, but the code and data of the program take no bytes in it (SHT_NOBITS). Most tools keep
 * sh_size; Dart's compiler writes 0, the size in the file. The size of such a section follows from the next section,
 * from the loaded segment that contains it, and from its symbols. Called by elf_open.c. */
#include "mappers/native/image/elf/elf_image.h"

#include "core/error.h"

struct extents {
    struct fm_image *image;
    const struct fm_elf *elf;
    struct fm_key *starts;   /* sections that take memory, by ascending address */
    struct fm_key *segments; /* loaded segments, by ascending address */
    uint64_t *reach;         /* for each section: bytes from its start to the end of its last symbol */
    uint32_t start_count, segment_count;
    bool has_sized_code;
};

static bool takes_addresses(const struct fm_section *section)
{
    return (section->flags & FM_SECTION_ALLOC) && !(section->flags & FM_SECTION_THREAD);
}

static bool is_hollow(const struct fm_section *section)
{
    return takes_addresses(section) && (section->flags & FM_SECTION_NOBITS) && section->size == 0;
}

/* Whether a code section has size 0. Linkers write no empty code sections, so the size of such a section is missing.
 * (An empty code section of a debug file can also have been empty before; then it has neither symbols nor debug
 * info.) */
static bool has_hollow_code(const struct fm_image *image)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        if (is_hollow(&image->sections[i]) && (image->sections[i].flags & FM_SECTION_EXEC)) return true;
    }
    return false;
}

static bool collect(struct extents *extents)
{
    struct fm_image *image = extents->image;
    const struct fm_elf *elf = extents->elf;

    extents->starts = FM_ARENA_ARRAY(image->arena, struct fm_key, image->section_count);
    extents->segments = FM_ARENA_ARRAY(image->arena, struct fm_key, elf->header.segment_count);
    extents->reach = FM_ARENA_ARRAY(image->arena, uint64_t, image->section_count);
    if (extents->starts == NULL || extents->segments == NULL || extents->reach == NULL) return false;
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        if (takes_addresses(section)) extents->starts[extents->start_count++] = (struct fm_key){section->address, i};
        if ((section->flags & FM_SECTION_ALLOC) && (section->flags & FM_SECTION_EXEC) && section->size > 0)
            extents->has_sized_code = true;
    }
    for (uint32_t i = 0; i < elf->header.segment_count; i++) {
        if (elf->segments[i].type == ELF_PT_LOAD)
            extents->segments[extents->segment_count++] = (struct fm_key){elf->segments[i].address, i};
    }
    fm_elf_symbols_reach(image, extents->reach);
    return fm_keys_sort(image->arena->heap, extents->starts, extents->start_count, NULL, NULL) &&
           fm_keys_sort(image->arena->heap, extents->segments, extents->segment_count, NULL, NULL);
}

/* Returns the bytes from an address to the end of the loaded segment that contains it; 0 if there is no such
 * segment. */
static uint64_t left_of_segment(const struct extents *extents, uint64_t address)
{
    const size_t after = address == UINT64_MAX ? extents->segment_count
                                               : fm_keys_lower(extents->segments, extents->segment_count, address + 1);

    if (after == 0) return 0;
    const struct fm_elf_segment *segment = &extents->elf->segments[extents->segments[after - 1].number];
    return address - segment->address < segment->memory_size ? segment->memory_size - (address - segment->address) : 0;
}

/* Returns the greatest size that fits between an address and the start of the next section, starts[next]. Without
 * segments, the last section ends where its symbols end; if it has no symbols, only the debug info limits it. */
static uint64_t size_at(const struct extents *extents, uint64_t address, uint64_t reach, uint32_t next)
{
    const uint64_t top = extents->image->is64 ? UINT64_MAX : UINT64_C(1) << 32;
    const bool is_last = next == extents->start_count;
    const uint64_t end = is_last ? top : extents->starts[next].key;
    const uint64_t room = end > address ? end - address : 0;
    uint64_t size = room;

    if (extents->segment_count > 0) {
        size = left_of_segment(extents, address);
        if (size == 0) size = reach;
    } else if (is_last && reach > 0)
        size = reach;
    return size < room ? size : room;
}

/* Whether a section of size 0 really has a size that its header lacks. A data segment can end with an empty section. So
 * the size of a data section counts as missing only if no code section has a size, or if a symbol needs the room. */
static bool lacks_size(const struct extents *extents, uint32_t number)
{
    const struct fm_section *section = &extents->image->sections[number];

    if (!is_hollow(section)) return false;
    return (section->flags & FM_SECTION_EXEC) != 0 || !extents->has_sized_code || extents->reach[number] > 0;
}

/* Sets the size of one of the sections at one address, starts[first, next). Only one of these sections can have a size,
 * and linkers put empty sections before it. */
static void complete_at(struct extents *extents, uint32_t first, uint32_t next)
{
    uint32_t chosen = UINT32_MAX;

    for (uint32_t i = first; i < next; i++) {
        const uint32_t number = extents->starts[i].number;
        if (extents->image->sections[number].size > 0) return;
        if (!lacks_size(extents, number)) continue;
        if (chosen == UINT32_MAX || extents->reach[number] > 0 || extents->reach[chosen] == 0) chosen = number;
    }
    if (chosen == UINT32_MAX) return;
    struct fm_section *section = &extents->image->sections[chosen];
    section->size = size_at(extents, section->address, extents->reach[chosen], next);
}

/* Sets the sizes in a relocatable file: all sections start at 0, so only their symbols limit them. */
static void complete_relocatable(const struct extents *extents)
{
    for (uint32_t i = 0; i < extents->image->section_count; i++) {
        struct fm_section *section = &extents->image->sections[i];
        if (is_hollow(section)) section->size = extents->reach[i];
    }
}

framemap_status fm_elf_complete_sizes(struct fm_image *image, const struct fm_elf *elf, framemap_error *error)
{
    struct extents extents = {.image = image, .elf = elf};

    if (!has_hollow_code(image)) return FRAMEMAP_OK;
    if (!collect(&extents)) return fm_error_memory(error);
    if (image->relocatable) {
        complete_relocatable(&extents);
        return FRAMEMAP_OK;
    }
    for (uint32_t first = 0, next; first < extents.start_count; first = next) {
        for (next = first + 1; next < extents.start_count && extents.starts[next].key == extents.starts[first].key;)
            next++;
        complete_at(&extents, first, next);
    }
    return FRAMEMAP_OK;
}
