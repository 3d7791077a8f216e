#include "mappers/dwarf/dwarf_mapper.h"

#include "core/fault.h"
#include "core/text.h"
#include "mappers/debuginfo/visitor.h"

static int probe(framemap_str bytes, framemap_str name)
{
    (void)name;
    return fm_image_probe(bytes);
}

static framemap_status inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap, framemap_image_info *images, size_t capacity,
                               size_t *count, framemap_error *error)
{
    (void)name;
    return fm_image_inspect(bytes, heap, images, capacity, count, error);
}

static void warn_of_relocations(const struct fm_image *image, const struct fm_mapper_host *host)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        framemap_error warning = {0};
        if (image->sections[i].unapplied == 0) continue;
        fm_fault(&warning, FRAMEMAP_E_UNSUPPORTED, "%u relocations of a kind that is not known for %s were passed over",
                 (unsigned)image->sections[i].unapplied, image->arch);
        fm_fault_where(&warning, image->sections[i].name);
        fm_mapper_warn(host, &warning);
    }
}

/* A file of which nothing can be looked up: says which file has what this one lacks. */
static framemap_status nothing_in_it(const struct fm_image *image, framemap_error *error)
{
    if (image->has_debug_info || image->has_symbols)
        return fm_fault(error, FRAMEMAP_E_EMPTY,
                        "nothing in this %s says of any code what it is: its debug info and symbols are empty or damaged", image->type);
    if (image->debuglink.size > 0) {
        return fm_fault(error, FRAMEMAP_E_EMPTY, "this %s is stripped: its debug info is in %.*s", image->type, (int)image->debuglink.size,
                        image->debuglink.data);
    }
    if (image->id[0] != '\0') {
        return fm_fault(error, FRAMEMAP_E_EMPTY,
                        "this %s is stripped, without debug info or symbols: give the file with the id %s that was not", image->type,
                        image->id);
    }
    return fm_fault(error, FRAMEMAP_E_EMPTY, "this %s is stripped, without debug info or symbols: give the one that was not", image->type);
}

static framemap_str kind_of(const struct fm_image *image) { return image->format == FM_IMAGE_ELF ? FM_STR("elf") : FM_STR("macho"); }

static framemap_status build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host, struct fm_builder *builder,
                             framemap_error *error)
{
    struct fm_arena arena;
    struct fm_image image;
    framemap_status status;

    fm_arena_init(&arena, host->heap);
    status = fm_image_open(bytes, host->arch, &arena, &image, error);
    if (status == FRAMEMAP_OK) status = fm_image_symbols(&image, error);
    if (status == FRAMEMAP_OK) status = fm_debuginfo_about(&image, kind_of(&image), name, builder, error);
    if (status == FRAMEMAP_OK) status = fm_debuginfo_compile(&image, 0, host, builder, error);
    if (status == FRAMEMAP_OK) warn_of_relocations(&image, host);
    if (status == FRAMEMAP_OK && fm_builder_count(builder) == 0) status = nothing_in_it(&image, error);
    fm_arena_free(&arena);
    return status;
}

static size_t list_sections(const struct fm_image *image, framemap_section_info *sections, size_t capacity)
{
    size_t count = 0;
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        if (!(section->flags & FM_SECTION_ALLOC)) continue;
        if (count < capacity) {
            sections[count] = (framemap_section_info){.name = section->name,
                                                      .address = image->relocatable ? 0 : section->address,
                                                      .size = section->size,
                                                      .code = (section->flags & FM_SECTION_EXEC) != 0};
        }
        count++;
    }
    return count;
}

static framemap_status sections(framemap_str bytes, const char *arch, struct fm_heap *heap, framemap_section_info *out, size_t capacity,
                                size_t *count, framemap_error *error)
{
    struct fm_arena arena;
    struct fm_image image;

    fm_arena_init(&arena, heap);
    framemap_status status = fm_image_open(bytes, arch, &arena, &image, error);
    if (status == FRAMEMAP_OK) *count = list_sections(&image, out, capacity);
    fm_arena_free(&arena);
    return status;
}

const struct fm_mapper fm_dwarf_mapper = {
    .name = FM_DWARF_NAME,
    .summary = FM_DWARF_SUMMARY,
    .probe = probe,
    .inspect = inspect,
    .build = build,
    .sections = sections,
};
