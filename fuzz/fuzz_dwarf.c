/* Debug info from untrusted bytes, two ways: a whole object file, and debug sections alone, which gets mutations past the object file's own
 * checks at once. Whatever comes in, the compile ends, and what it built is sound and can be looked up. */
#include "index/builder.h"
#include "index/view.h"
#include "mappers/debuginfo/visitor.h"
#include "mappers/image/image_inner.h"
#include "mappers/mapper.h"

#include <assert.h>
#include <stdlib.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)
#define SECTION_COUNT 12
#define TEXT_BASE 0x1000
#define TEXT_SIZE 0x10000

/* Section mode: a byte of flags, then a 16-bit size for each section, then their bytes one after the other. */
static const char *const section_names[SECTION_COUNT] = {".debug_info",  ".debug_abbrev",   ".debug_str",    ".debug_line_str",
                                                         ".debug_line",  ".debug_ranges",   ".debug_rnglists", ".debug_addr",
                                                         ".debug_str_offsets", ".debug_aranges", ".text",     ".data"};

static bool make_image(const uint8_t *data, size_t size, struct fm_section *sections, struct fm_symbol *symbols, struct fm_arena *arena,
                       struct fm_image *image)
{
    size_t at = 1 + 2 * SECTION_COUNT;

    *image = (struct fm_image){.format = FM_IMAGE_ELF, .is64 = true, .big_endian = (data[0] & 1) != 0, .arena = arena};
    image->inner = FM_ARENA_NEW(arena, struct fm_image_inner);
    image->sections = sections;
    image->section_count = SECTION_COUNT;
    for (unsigned i = 0; i < SECTION_COUNT; i++) {
        size_t want = (size_t)data[1 + 2 * i] | (size_t)data[2 + 2 * i] << 8;
        if (want > size - at) want = size - at;
        sections[i] = (struct fm_section){.name = framemap_str_of(section_names[i]), .stored = {(const char *)data + at, want}, .size = want,
                                          .number = i + 1};
        if (i < 10) at += want;
    }
    sections[10] = (struct fm_section){.name = framemap_str_of(".text"), .address = TEXT_BASE, .size = TEXT_SIZE, .number = 11,
                                       .flags = FM_SECTION_ALLOC | FM_SECTION_EXEC | FM_SECTION_NOBITS};
    sections[11] = (struct fm_section){.name = framemap_str_of(".data"), .address = TEXT_BASE + TEXT_SIZE, .size = TEXT_SIZE, .number = 12,
                                       .flags = FM_SECTION_ALLOC | FM_SECTION_NOBITS};
    symbols[0] = (struct fm_symbol){framemap_str_of("sized"), TEXT_BASE + 0x10, 0x20, 10, FM_SYMBOL_FUNCTION, true, false, false};
    symbols[1] = (struct fm_symbol){framemap_str_of("alias"), TEXT_BASE + 0x10, 0x10, 10, FM_SYMBOL_FUNCTION, true, true, false};
    symbols[2] = (struct fm_symbol){framemap_str_of("open"), TEXT_BASE + 0x80, 0, 10, FM_SYMBOL_FUNCTION, false, false, false};
    symbols[3] = (struct fm_symbol){framemap_str_of("object"), TEXT_BASE + TEXT_SIZE, 8, 11, FM_SYMBOL_OBJECT, true, false, false};
    image->symbols = symbols;
    image->symbol_count = 4;
    image->base = TEXT_BASE;
    return image->inner != NULL && fm_image_index_sections(image);
}

static void look_around(const struct fm_view *view)
{
    struct fm_hit hit;
    struct fm_view_place place;
    struct fm_view_node node;
    uint64_t scope;

    if (!fm_view_scope(view, (framemap_str){"", 0}, &scope)) return;
    for (uint64_t position = 0; position < 0x200; position += 7) {
        framemap_status status = fm_view_lookup(view, scope, position, &hit);
        assert(status == FRAMEMAP_OK);
        if (hit.place_count == 0) continue;
        status = fm_view_place(view, &hit, 0, &place);
        assert(status == FRAMEMAP_OK);
        for (uint32_t at = place.node, depth = 0; at != FM_VIEW_NONE; at = node.parent, depth++) {
            assert(depth < 4096);
            status = fm_view_node(view, at, &node);
            assert(status == FRAMEMAP_OK);
        }
    }
}

static void finish(struct fm_heap *heap, struct fm_builder *builder)
{
    struct fm_built built = {NULL, 0};
    struct fm_view *view = NULL;

    if (fm_builder_finish(builder, &built, NULL) != FRAMEMAP_OK) return;
    framemap_status status = fm_view_open((framemap_str){(const char *)built.data, built.size}, heap, &view, NULL);
    assert(status == FRAMEMAP_OK);
    status = fm_view_verify(view, NULL);
    assert(status == FRAMEMAP_OK);
    look_around(view);
    fm_view_close(view);
    fm_heap_free(heap, built.data, built.size);
}

static framemap_status compile_sections(const uint8_t *data, size_t size, const struct fm_mapper_host *host, struct fm_builder *builder)
{
    struct fm_section sections[SECTION_COUNT];
    struct fm_symbol symbols[4];
    struct fm_image image;
    struct fm_arena arena;
    const struct fm_builder_about about = {.kind = framemap_str_of("elf"), .base = TEXT_BASE, .address_bits = 64};

    if (size < 1 + 2 * SECTION_COUNT) return FRAMEMAP_E_TRUNCATED;
    fm_arena_init(&arena, host->heap);
    framemap_status status = make_image(data, size, sections, symbols, &arena, &image) ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
    if (status == FRAMEMAP_OK) status = fm_builder_about(builder, &about, NULL);
    if (status == FRAMEMAP_OK) status = fm_debuginfo_compile(&image, 0, host, builder, NULL);
    fm_arena_free(&arena);
    return status;
}

static framemap_status compile_file(const uint8_t *data, size_t size, const struct fm_mapper_host *host, struct fm_builder *builder)
{
    framemap_str bytes = {(const char *)data, size};
    const struct fm_mapper *mapper = fm_mapper_for(bytes, framemap_str_of("fuzz"), "dwarf");

    return mapper == NULL ? FRAMEMAP_E_FORMAT : mapper->build(bytes, framemap_str_of("fuzz"), host, builder, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_builder *builder = NULL;
    struct fm_mapper_host host = {.heap = &heap};

    if (size < 4) return 0;
    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    if (fm_builder_create(&heap, &builder, NULL) != FRAMEMAP_OK) return 0;
    bool object = (data[0] == 0x7f && data[1] == 'E') || (data[0] & 0xf0) >= 0xc0;
    framemap_status status = object ? compile_file(data, size, &host, builder) : compile_sections(data, size, &host, builder);
    if (status == FRAMEMAP_OK) finish(&heap, builder);
    fm_builder_free(builder);
    return 0;
}
