/* Compiles small debug sections into indexes: the seeds of fuzz_dwarf, which several compilers made with several
 * DWARF versions. */
#include "core/mapfile.h"
#include "index/read/view.h"
#include "mappers/native/compile/dwarf_compile.h"
#include "mappers/native/dwarf/dw_visitor.h"
#include "tests/mappers/native/dw_bytes.h"

static const char *const section_names[] = {".debug_info",        ".debug_abbrev", ".debug_str",      ".debug_line_str",
                                            ".debug_line",        ".debug_ranges", ".debug_rnglists", ".debug_addr",
                                            ".debug_str_offsets", ".debug_aranges"};
#define SECTIONS COUNT_OF(section_names)

static const char *const seeds[] = {"gcc2",  "gcc3", "gcc4", "gcc5", "gcc5-64", "clang4", "clang5", "clang5-sections",
                                    "ppc64", "arm"};

/* Unpacks the sections in a seed, which has the form that fuzz_dwarf.c describes: flags, sizes, bytes. .text is at
 * 0x1000. */
static void unpack(framemap_str seed, struct fm_image *image, struct fm_section sections[SECTIONS + 1])
{
    const unsigned char *data = (const unsigned char *)seed.data;
    size_t at = 25;
    *image = (struct fm_image){.format = FM_IMAGE_ELF,
                               .is64 = true,
                               .big_endian = (data[0] & 1) != 0,
                               .sections = sections,
                               .section_count = SECTIONS + 1,
                               .base = 0x1000,
                               .origin = 0x1000};
    for (uint32_t i = 0; i < SECTIONS; i++) {
        const size_t size = (size_t)data[1 + 2 * i] | (size_t)data[2 + 2 * i] << 8;
        assert_true(at + size <= seed.size);
        sections[i] = (struct fm_section){.name = framemap_str_of(section_names[i]),
                                          .stored = fm_str(seed.data + at, size),
                                          .size = size,
                                          .number = i + 1};
        at += size;
    }
    sections[SECTIONS] = (struct fm_section){.name = FM_STR(".text"),
                                             .address = 0x1000,
                                             .size = 0x10000,
                                             .number = SECTIONS + 1,
                                             .flags = FM_SECTION_ALLOC | FM_SECTION_EXEC | FM_SECTION_NOBITS};
}

static void open_seed(const char *name, struct fm_mapfile *file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/corpus/fuzz/dwarf/sections-%s", FM_SOURCE_DIR, name);
    if (fm_mapfile_open(path, file, NULL) != FRAMEMAP_OK) fail_msg("%s can't be read", path);
}

static size_t fault_count;
static void count_fault(void *context, const framemap_error *fault)
{
    (void)context, (void)fault;
    fault_count++;
}

static framemap_status compile(framemap_str seed, struct fm_heap *heap, struct fm_built *out)
{
    struct fm_section sections[SECTIONS + 1];
    struct fm_image image;
    struct fm_builder *builder = NULL;
    struct fm_arena arena;
    const struct fm_mapper_host host = {.heap = heap, .warning = count_fault};
    framemap_error error = {0};
    fm_arena_init(&arena, heap);
    unpack(seed, &image, sections);
    framemap_status status = index_image(&image, &arena) ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
    if (status == FRAMEMAP_OK) status = fm_builder_create(heap, &builder, &error);
    if (status == FRAMEMAP_OK) status = fm_debuginfo_compile(&image, 0, &host, builder, &error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, out, &error);
    fm_builder_free(builder);
    fm_arena_free(&arena);
    return status;
}

/* Writes the names of the chain at the first position with two inlined subroutines, innermost first. */
static void deepest_chain(const struct fm_view *view, char *out, size_t size)
{
    uint64_t scope;
    struct fm_hit hit;
    out[0] = '\0';
    assert_true(fm_view_scope(view, (framemap_str){"", 0}, &scope));
    for (uint64_t at = 0; at < 0x100 && out[0] == '\0'; at++) {
        struct fm_view_place place;
        struct fm_view_node node;
        char chain[256] = "";
        unsigned depth = 0;
        assert_int_equal(fm_view_lookup(view, scope, at, &hit), FRAMEMAP_OK);
        if (hit.place_count == 0) continue;
        assert_int_equal(fm_view_place(view, &hit, 0, &place), FRAMEMAP_OK);
        for (uint32_t i = place.node; i != FM_VIEW_NONE; i = node.parent, depth++) {
            assert_int_equal(fm_view_node(view, i, &node), FRAMEMAP_OK);
            const size_t used = strlen(chain);
            snprintf(chain + used, sizeof chain - used, "%.*s ", (int)node.function.size, node.function.data);
        }
        if (depth == 3) snprintf(out, size, "%s", chain);
    }
}

static void chains_of_every_compiler_and_version(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(seeds); i++) {
        struct fm_mapfile file;
        struct fm_heap heap;
        struct fm_built built = {NULL, 0};
        struct fm_view *view = NULL;
        char chain[256];
        open_seed(seeds[i], &file);
        fm_heap_init(&heap, NULL, 0);
        fault_count = 0;
        if (compile(file.bytes, &heap, &built) != FRAMEMAP_OK || fault_count != 0)
            fail_msg("%s: %zu faults", seeds[i], fault_count);
        assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_view_verify(view, NULL), FRAMEMAP_OK);
        deepest_chain(view, chain, sizeof chain);
        if (strcmp(chain, "square twice sum ") != 0) fail_msg("%s: %s", seeds[i], chain);
        fm_view_close(view);
        fm_heap_free(&heap, built.data, built.size);
        fm_mapfile_close(&file);
        assert_int_equal(heap.used, 0);
    }
}

static bool compile_once(const framemap_allocator *allocator, void *context)
{
    const struct fm_mapfile *file = context;
    struct fm_heap heap;
    struct fm_built built = {NULL, 0};
    fm_heap_init(&heap, allocator, 0);
    const framemap_status status = compile(file->bytes, &heap, &built);
    if (status == FRAMEMAP_OK)
        fm_heap_free(&heap, built.data, built.size);
    else
        assert_int_equal(status, FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void want_of_memory_is_said(void **state)
{
    (void)state;
    static const char *const some[] = {"gcc2", "clang5"};
    for (size_t i = 0; i < COUNT_OF(some); i++) {
        struct fm_mapfile file;
        open_seed(some[i], &file);
        assert_true(sweep_allocations(compile_once, &file) > 20);
        fm_mapfile_close(&file);
    }
}

/* Sets each byte of a small file to other values. Each time the result must be a valid index or a fault, without a
 * leak. */
static void flipped_bytes(void **state)
{
    (void)state;
    struct fm_mapfile file;
    open_seed("clang5", &file);
    char *copy = malloc(file.bytes.size);
    assert_non_null(copy);
    memcpy(copy, file.bytes.data, file.bytes.size);
    for (size_t i = 25; i < file.bytes.size; i++) {
        static const char values[] = {0, 1, 0x7f, (char)0x80, (char)0xff};
        for (size_t j = 0; j < COUNT_OF(values); j++) {
            struct fm_heap heap;
            struct fm_built built = {NULL, 0};
            struct fm_view *view = NULL;
            copy[i] = values[j];
            fm_heap_init(&heap, NULL, 64u << 20);
            if (compile(fm_str(copy, file.bytes.size), &heap, &built) == FRAMEMAP_OK) {
                assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL), FRAMEMAP_OK);
                assert_int_equal(fm_view_verify(view, NULL), FRAMEMAP_OK);
                fm_view_close(view);
                fm_heap_free(&heap, built.data, built.size);
            }
            if (heap.used != 0) fail_msg("byte %zu as %d loses memory", i, values[j]);
        }
        copy[i] = file.bytes.data[i];
    }
    free(copy);
    fm_mapfile_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_of_every_compiler_and_version),
        cmocka_unit_test(want_of_memory_is_said),
        cmocka_unit_test(flipped_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
