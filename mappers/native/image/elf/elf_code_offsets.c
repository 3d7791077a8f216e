/* Determines where code is in the file. Profilers record it as offsets in the file (start and offset of a mapping),
 * which differ from addresses if the linker did not pad the file: lld and mold start the code at the next page of
 * memory, but right after the read-only data in the file. Called through image.c. */
#include "mappers/native/image/elf/elf_image.h"

#include "core/text/buffer.h"
#include "core/text/text.h"

enum { MOST_LISTED = 64 }; /* executable segments that are listed; programs have one or two */

/* An executable segment: `size` bytes of the file from `offset` on are at `position` from the image's base. */
struct code_part {
    uint64_t offset, size, position;
};

/* Whether the tool that split this debug file off a program computed the program headers anew. The segments of code,
 * which have no bytes in this file, then have a smaller size in the file than in memory. elfutils copies the program's
 * headers, in which both sizes are those of the program. */
static bool lost_offsets(const struct fm_image *image)
{
    const struct fm_elf *elf = image->inner->elf;
    bool has_bytes = false;

    if (elf->made_of_segments) return false;
    for (uint32_t i = 0; i < image->section_count && !has_bytes; i++) {
        const struct fm_section *section = &image->sections[i];
        has_bytes = (section->flags & FM_SECTION_EXEC) && (section->flags & FM_SECTION_ALLOC) && section->size > 0 &&
                    !(section->flags & FM_SECTION_NOBITS);
    }
    for (uint32_t i = 0; i < elf->header.segment_count && !has_bytes; i++) {
        const struct fm_elf_segment *segment = &elf->segments[i];
        if (segment->type == ELF_PT_LOAD && (segment->flags & ELF_PF_X) && segment->file_size < segment->memory_size)
            return true;
    }
    return false;
}

/* Computes the offset that a segment has in the program, as linkers choose it: the first offset after the previous
 * segment that is congruent to the address modulo the alignment (gABI, chapter 5, "Program Header"). */
static uint64_t next_offset(const struct fm_elf_segment *segment, uint64_t end)
{
    const uint64_t align = segment->align;
    if (align < 2 || (align & (align - 1)) != 0) return end;
    return end + ((segment->address - end) & (align - 1));
}

/* Lists the executable segments. Returns their number; 0 also if it is not known where they are. */
static size_t list_code(const struct fm_image *image, struct code_part parts[MOST_LISTED])
{
    const struct fm_elf *elf = image->inner->elf;
    const bool lost = lost_offsets(image);
    /* in a program whose file offsets were lost: where the segment before the current one ends in the file */
    uint64_t end = 0;
    size_t count = 0;

    for (uint32_t i = 0; i < elf->header.segment_count && count < MOST_LISTED; i++) {
        const struct fm_elf_segment *segment = &elf->segments[i];
        if (segment->type != ELF_PT_LOAD) continue;
        struct code_part part = {segment->offset, segment->file_size, segment->address - image->base};
        if (lost) {
            /* The first segment either starts with the headers, which are at offset 0 in every file, or follows the
             * headers. */
            if (end > 0 || segment->offset > 0) part.offset = next_offset(segment, end > 0 ? end : 1);
            part.size = segment->memory_size;
            end = part.offset + part.size;
        }
        if (part.size == 0) continue;
        if (part.size > UINT64_MAX - part.offset || part.size > UINT64_MAX - part.position) return 0;
        if (segment->flags & ELF_PF_X) parts[count++] = part;
        /* If the offsets were lost, so was the size in the program's file of a data segment, which includes .data but
         * not .bss. The segments after it cannot be placed. */
        else if (lost && (segment->flags & ELF_PF_W))
            break;
    }
    return count;
}

void fm_elf_code_offsets(const struct fm_image *image, struct fm_buf *out)
{
    struct code_part parts[MOST_LISTED];
    bool any = false;

    if (image->relocatable) return;
    const size_t count = list_code(image, parts);
    for (size_t i = 0; i < count; i++) any = any || parts[i].offset != parts[i].position;
    for (size_t i = 0; i < count && any; i++) {
        if (i > 0) fm_buf_byte(out, ' ');
        fm_buf_hex(out, parts[i].offset, 1);
        fm_buf_byte(out, '+');
        fm_buf_hex(out, parts[i].size, 1);
        fm_buf_byte(out, '=');
        fm_buf_hex(out, parts[i].position, 1);
    }
}
