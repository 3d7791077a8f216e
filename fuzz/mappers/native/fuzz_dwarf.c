/* Compiles debug info from untrusted bytes in two forms: a whole object file, and debug sections alone, which the
 * object file reader does not check first. Properties: compiling ends, both for all addresses and for some; the
 * result is a sound index that can be queried. */
#include "fuzz/support/dwarf_sections.h"
#include "index/read/view.h"
#include "index/write/builder.h"
#include "mappers/mapper.h"
#include "mappers/native/compile/dwarf_compile.h"
#include "mappers/native/dwarf/dw_visitor.h"

#include <assert.h>
#include <stdlib.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)

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

static framemap_status compile_sections(const uint8_t *data, size_t size, const struct fm_mapper_host *host,
                                        struct fm_builder *builder)
{
    struct dwarf_image made;
    struct fm_arena arena;
    const struct fm_builder_about about = {.kind = framemap_str_of("elf"), .base = DWARF_TEXT_BASE, .address_bits = 64};

    fm_arena_init(&arena, host->heap);
    framemap_status status = dwarf_image_from(data, size, &arena, &made) ? FRAMEMAP_OK : FRAMEMAP_E_TRUNCATED;
    if (status == FRAMEMAP_OK) status = fm_builder_about(builder, &about, NULL);
    if (status == FRAMEMAP_OK) status = fm_debuginfo_compile(&made.image, 0, host, builder, NULL);
    fm_arena_free(&arena);
    return status;
}

static framemap_status compile_file(const uint8_t *data, size_t size, const struct fm_mapper_host *host,
                                    struct fm_builder *builder)
{
    framemap_str bytes = {(const char *)data, size};
    const struct fm_mapper *mapper = fm_mapper_for(bytes, framemap_str_of("fuzz"), "dwarf");

    return mapper == NULL ? FRAMEMAP_E_FORMAT : mapper->build(bytes, framemap_str_of("fuzz"), host, builder, NULL);
}

static void compile(const uint8_t *data, size_t size, const uint64_t *positions, size_t position_count)
{
    struct fm_heap heap;
    struct fm_builder *builder = NULL;
    const struct fm_mapper_host host = {.heap = &heap, .positions = positions, .position_count = position_count};
    const bool object = (data[0] == 0x7f && data[1] == 'E') || (data[0] & 0xf0) >= 0xc0;

    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    if (fm_builder_create(&heap, &builder, NULL) != FRAMEMAP_OK) return;
    const framemap_status status =
        object ? compile_file(data, size, &host, builder) : compile_sections(data, size, &host, builder);
    if (status == FRAMEMAP_OK) finish(&heap, builder);
    fm_builder_free(builder);
    assert(heap.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Addresses to compile for. Some are in the code of small programs of all kinds, the others in the code of the
     * image that is made around debug sections. */
    static const uint64_t some[] = {0x10,     0x1040,     0x1139, DWARF_TEXT_BASE + 0x11, DWARF_TEXT_BASE + 0x80,
                                    0x401020, 0x100000f80};

    if (size < 4) return 0;
    compile(data, size, NULL, 0);
    compile(data, size, some, sizeof some / sizeof *some);
    return 0;
}
