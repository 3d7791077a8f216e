/* Compiles tables of functions of Go programs from untrusted bytes: a byte of flags (1: big-endian, 2: 32 bits, 4:
 * addresses in moduledata are in relocations), then the table, around which an image is made. Properties: compiling
 * ends, for all addresses and for some; the result is a sound index; memory is bounded. */
#include "fuzz/support/build_help.h"
#include "fuzz/support/go_make.h"
#include "mappers/native/compile/dwarf_compile.h"

#include <assert.h>

#define MEMORY_CEILING ((uint64_t)256 << 20)

static framemap_status compile_table(const uint8_t *data, size_t size, const struct fm_mapper_host *host,
                                     struct fm_builder *builder)
{
    const struct fm_builder_about about = {.kind = framemap_str_of("elf"), .base = GO_TEXT, .address_bits = 64};
    const framemap_str table = {(const char *)data + 1, size - 1};
    struct go_image made;
    struct fm_arena arena;

    fm_arena_init(&arena, host->heap);
    framemap_status status = fm_builder_about(builder, &about, NULL);
    if (status == FRAMEMAP_OK && !go_image_of(table, (data[0] & 2) == 0, (data[0] & 1) != 0, &arena, &made))
        status = FRAMEMAP_E_MEMORY;
    if (status == FRAMEMAP_OK && (data[0] & 4) != 0 && !go_image_relocate(&made)) status = FRAMEMAP_E_MEMORY;
    if (status == FRAMEMAP_OK) status = fm_debuginfo_compile(&made.image, 0, host, builder, NULL);
    fm_arena_free(&arena);
    return status;
}

static void compile(const uint8_t *data, size_t size, const uint64_t *positions, size_t position_count)
{
    struct fm_heap heap;
    struct fm_builder *builder = NULL;
    const struct fm_mapper_host host = {.heap = &heap, .positions = positions, .position_count = position_count};
    struct fm_built built = {NULL, 0};

    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    if (fm_builder_create(&heap, &builder, NULL) != FRAMEMAP_OK) return;
    const framemap_status status = compile_table(data, size, &host, builder);
    assert(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY || status == FRAMEMAP_E_LIMIT);
    if (status == FRAMEMAP_OK && fm_builder_finish(builder, &built, NULL) == FRAMEMAP_OK) {
        fuzz_check_built(&heap, &built);
        fm_heap_free(&heap, built.data, built.size);
    }
    fm_builder_free(builder);
    assert(heap.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t some[] = {GO_TEXT, GO_TEXT + 0x12, GO_TEXT + 0x30, GO_TEXT + 0x5f};

    if (size < 2) return 0;
    compile(data, size, NULL, 0);
    compile(data, size, some, sizeof some / sizeof *some);
    return 0;
}
