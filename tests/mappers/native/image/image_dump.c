/* Prints what mappers/native/image reads of a file, one fact on each line, tab-separated, for scripts that compare it
 * with other tools. */
#include "core/mapfile.h"
#include "mappers/native/image/image.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const framemap_error *error)
{
    printf("error\t%d\t%s\t%s\n", (int)error->code, error->where, error->message);
    return 1;
}

static void print_sections(const struct fm_image *image)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        printf("section\t%u\t%.*s\t%" PRIx64 "\t%" PRIx64 "\t%s%s%s%s%s\n", (unsigned)section->number,
               (int)section->name.size, section->name.data, section->address, section->size,
               section->flags & FM_SECTION_ALLOC ? "A" : "", section->flags & FM_SECTION_EXEC ? "X" : "",
               section->flags & FM_SECTION_COMPRESSED ? "C" : "", section->flags & FM_SECTION_NOBITS ? "N" : "",
               section->damaged ? "!" : "");
    }
}

static void print_symbols(const struct fm_image *image)
{
    static const char kinds[] = "?FO?";
    for (size_t i = 0; i < image->symbol_count; i++) {
        const struct fm_symbol *symbol = &image->symbols[i];
        printf("symbol\t%" PRIx64 "\t%" PRIx64 "\t%c%s%s%s\t%u\t%.*s\n", symbol->address, symbol->size,
               kinds[symbol->kind & 3], symbol->global ? "g" : "", symbol->weak ? "w" : "", symbol->dynamic ? "d" : "",
               (unsigned)symbol->section, (int)symbol->name.size, symbol->name.data);
    }
}

static int dump(framemap_str bytes, const char *arch)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image image;
    framemap_error error = {0};

    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    framemap_status status = fm_image_open(bytes, arch, &arena, &image, &error);
    if (status == FRAMEMAP_OK) status = fm_image_symbols(&image, &error);
    if (status == FRAMEMAP_OK) {
        printf("image\t%s\t%s\t%s\t%" PRIx64 "\t%s\n", fm_image_kind(&image), image.arch, image.type, image.base,
               image.id);
        printf("link\t%.*s\t%.*s\t%s\n", (int)image.debuglink.size, image.debuglink.data, (int)image.altlink.size,
               image.altlink.data, image.altlink_id);
        print_sections(&image);
        print_symbols(&image);
    }
    fm_arena_free(&arena);
    return status == FRAMEMAP_OK ? EXIT_SUCCESS : failed(&error);
}

int main(int argc, char **argv)
{
    struct fm_mapfile file;
    framemap_error error = {0};

    if (argc < 2) {
        fputs("usage: image_dump FILE [ARCH]\n", stderr);
        return 2;
    }
    if (fm_mapfile_open(argv[1], &file, &error) != FRAMEMAP_OK) return failed(&error);
    const int result = dump(file.bytes, argc > 2 ? argv[2] : NULL);
    fm_mapfile_close(&file);
    return result;
}
