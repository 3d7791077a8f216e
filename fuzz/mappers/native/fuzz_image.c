/* Lists the slices of any bytes as an object file, opens each, and reads every section and symbol. Properties:
 * nothing points outside of the file or of the memory allocated for it; symbols are sorted; lookups agree with the
 * tables; the memory used stays below the limit; inspecting the file twice gives the same result. */
#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/native/image/image.h"
#include <assert.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)
enum {
    SECTIONS_READ = 64
}; /* most sections to read: inflating is slow, and many sections of a hostile file may share
      the same bytes */

/* sum of the bytes of names; it is used so that the compiler does not remove the reads */
static size_t text_checksum;

static void touch(framemap_str bytes)
{
    assert(bytes.data != NULL || bytes.size == 0);
    for (size_t i = 0; i < bytes.size; i++) text_checksum += (unsigned char)bytes.data[i];
}

static bool inside(framemap_str part, framemap_str whole)
{
    return part.size == 0 || (part.data >= whole.data && part.data + part.size <= whole.data + whole.size);
}

static void check_sections(const struct fm_image *image)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        assert(inside(section->stored, image->bytes));
        touch(section->name);
        const uint32_t first = fm_image_section(image, section->name);
        assert(first <= i && fm_str_equal(image->sections[first].name, section->name));
        if (section->size == 0 || !(section->flags & FM_SECTION_ALLOC) || (section->flags & FM_SECTION_THREAD))
            continue;
        const uint32_t at = fm_image_section_at(image, section->address);
        if (section->address == UINT64_MAX) continue;
        assert(at != UINT32_MAX && section->address - image->sections[at].address < image->sections[at].size);
        assert(!(section->flags & FM_SECTION_EXEC) || at != i || fm_image_is_code(image, section->address));
        assert(!image->relocatable || section->address >= 4096);
    }
}

static void check_contents(const struct fm_image *image)
{
    for (uint32_t i = 0; i < image->section_count && i < SECTIONS_READ; i++) {
        framemap_str contents = {NULL, 0};
        framemap_error error = {0};
        if (fm_image_contents(image, i, &contents, &error) == FRAMEMAP_OK)
            touch(contents);
        else
            assert(error.message[0] != '\0');
    }
}

static void check_symbols(struct fm_image *image)
{
    if (fm_image_symbols(image, NULL) != FRAMEMAP_OK) return;
    for (size_t i = 0; i < image->symbol_count; i++) {
        const struct fm_symbol *symbol = &image->symbols[i];
        assert(i == 0 || image->symbols[i - 1].address <= symbol->address);
        assert(symbol->name.size > 0 && symbol->name.size <= FM_LIMIT_NAME);
        /* Names from .gnu_debugdata are not slices of the file, because that section is compressed. */
        assert(inside(symbol->name, image->bytes) || image->has_debugdata);
        touch(symbol->name);
        assert(symbol->section == UINT32_MAX || symbol->section < image->section_count);
        assert(symbol->kind != FM_SYMBOL_NONE);
    }
}

static void check_texts(const struct fm_image *image)
{
    assert(memchr(image->arch, 0, sizeof image->arch) && memchr(image->id, 0, sizeof image->id));
    assert(memchr(image->type, 0, sizeof image->type) && memchr(image->altlink_id, 0, sizeof image->altlink_id));
    touch(image->debuglink);
    touch(image->altlink);
}

static void check_slice(framemap_str bytes, const framemap_image_info *info, struct fm_heap *heap)
{
    struct fm_arena arena;
    struct fm_image image;

    fm_arena_init(&arena, heap);
    if (fm_image_open(bytes, info->arch, &arena, &image, NULL) == FRAMEMAP_OK) {
        assert(inside(image.bytes, bytes));
        check_texts(&image);
        check_sections(&image);
        check_contents(&image);
        check_symbols(&image);
    }
    fm_arena_free(&arena);
}

/* Compares two structs member by member, because their padding may differ. */
static bool same_info(const framemap_image_info *a, const framemap_image_info *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->arch, b->arch) == 0 && strcmp(a->id, b->id) == 0 &&
           strcmp(a->type, b->type) == 0 && a->has_debug_info == b->has_debug_info &&
           a->has_line_table == b->has_line_table && a->has_symbols == b->has_symbols &&
           a->big_endian == b->big_endian && a->address_bits == b->address_bits && a->base == b->base &&
           a->offset == b->offset && a->size == b->size && a->debug_link.data == b->debug_link.data &&
           a->debug_link.size == b->debug_link.size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const framemap_str bytes = {(const char *)data, size};
    framemap_image_info infos[FM_LIMIT_SLICES], again;
    framemap_error error = {0};
    struct fm_heap heap;
    size_t count = 0;

    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    if (fm_image_inspect(bytes, &heap, infos, FM_LIMIT_SLICES, &count, &error) != FRAMEMAP_OK) {
        assert(error.message[0] != '\0');
    } else {
        assert(count > 0 && count <= FM_LIMIT_SLICES && fm_image_probe(bytes) == 100);
        assert(fm_image_inspect(bytes, &heap, &again, 1, &count, NULL) == FRAMEMAP_OK);
        assert(same_info(&again, &infos[0]));
        for (size_t i = 0; i < count; i++) check_slice(bytes, &infos[i], &heap);
    }
    assert(heap.used == 0);
    return 0;
}
