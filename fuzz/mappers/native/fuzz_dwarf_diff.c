/* Compares two readers of debug info, the default one and the one that uses libdwarf, on the same untrusted bytes.
 * Properties: both report the same events, and both give the same index bytes. The input has one of three forms: a
 * whole object file; debug sections alone, as in fuzz_dwarf; or choices for dwarf_make.h, whose first byte is from
 * 0x80 to 0xbf. */
#include "fuzz/support/dwarf_make.h"
#include "index/write/builder.h"
#include "mappers/native/compile/dwarf_compile.h"
#include "mappers/native/dwarf/dw_visitor.h"
#include "tests/mappers/native/dw_events.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_CEILING ((uint64_t)512 << 20)
#define WORDS_MOST ((size_t)4 << 20)

static void die(const char *what)
{
    fprintf(stderr, "fuzz_dwarf_diff: %s\n", what);
    abort();
}

/* --- comparing what two readers of DWARF report --- */

/* Whether a reader reached its limit of work, or ran out of memory. The events are not compared then, because the two
 * readers need different amounts of work and memory. */
static bool ran_out(const struct dw_events *events)
{
    return events->full || dw_events_have_fault(events, FRAMEMAP_E_LIMIT) ||
           dw_events_have_fault(events, FRAMEMAP_E_MEMORY);
}

static bool compare_events(const struct fm_dw_backend *reader, const struct fm_image *image, struct fm_heap *heap)
{
    struct dw_events events[2] = {{.limit = WORDS_MOST}, {.limit = WORDS_MOST}};
    const struct fm_mapper_host host = {.heap = heap};

    dw_events_record(&events[0], &fm_dw_libdwarf, image, &host, false);
    dw_events_record(&events[1], reader, image, &host, false);
    bool compared = !ran_out(&events[0]) && !ran_out(&events[1]);
    if (!dw_events_sound(&events[0], "libdwarf", stderr) || !dw_events_sound(&events[1], reader->name, stderr))
        die("a promise is broken");
    if (compared && !dw_events_equal(&events[0], "libdwarf", &events[1], reader->name, stderr))
        die("the readers differ");
    dw_events_free(&events[0]);
    dw_events_free(&events[1]);
    return compared;
}

/* --- comparing the bytes of indexes --- */

static framemap_status compile(struct fm_image *image, const char *reader, struct fm_heap *heap, struct fm_built *out)
{
    const struct fm_mapper_host host = {.heap = heap, .reader = reader};
    const struct fm_builder_about about = {
        .kind = framemap_str_of("elf"), .base = image->base, .address_bits = image->is64 ? 64 : 32};
    struct fm_builder *builder = NULL;

    framemap_status status = fm_builder_create(heap, &builder, NULL);
    if (status == FRAMEMAP_OK) status = fm_builder_about(builder, &about, NULL);
    if (status == FRAMEMAP_OK) status = fm_debuginfo_compile(image, 0, &host, builder, NULL);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, out, NULL);
    fm_builder_free(builder);
    return status;
}

static void compare_indexes(const struct fm_dw_backend *reader, struct fm_image *image, struct fm_heap *heap)
{
    struct fm_built built[2] = {{NULL, 0}, {NULL, 0}};
    framemap_status status[2];

    status[0] = compile(image, fm_dw_libdwarf.name, heap, &built[0]);
    status[1] = compile(image, reader->name, heap, &built[1]);
    if (status[0] != FRAMEMAP_E_MEMORY && status[1] != FRAMEMAP_E_MEMORY) {
        if (status[0] != status[1]) die("one reader compiles, the other does not");
        if (built[0].size != built[1].size ||
            (built[0].size > 0 && memcmp(built[0].data, built[1].data, built[0].size) != 0)) {
            die("the indexes differ");
        }
    }
    for (int i = 0; i < 2; i++) fm_heap_free(heap, built[i].data, built[i].size);
}

/* --- making the image from the input --- */

static bool is_object(const uint8_t *data, size_t size)
{
    return size >= 4 && ((data[0] == 0x7f && data[1] == 'E') || (data[0] & 0xf0) >= 0xc0);
}

static void compare_image(struct fm_image *image, struct fm_heap *heap)
{
    const struct fm_dw_backend *reader = fm_dw_backend_named(NULL);

    if (compare_events(reader, image, heap)) compare_indexes(reader, image, heap);
}

static void compare_object(const uint8_t *data, size_t size, struct fm_arena *arena, struct fm_heap *heap)
{
    struct fm_image image;

    if (fm_image_open((framemap_str){(const char *)data, size}, NULL, arena, &image, NULL) != FRAMEMAP_OK) return;
    if (fm_image_symbols(&image, NULL) == FRAMEMAP_OK) compare_image(&image, heap);
}

static void compare_made(const uint8_t *data, size_t size, struct fm_arena *arena, struct fm_heap *heap)
{
    struct dwarf_image made;
    struct made_dwarf dwarf;

    dwarf_make(data, size, &dwarf);
    if (dwarf_image_made(&dwarf, arena, &made)) compare_image(&made.image, heap);
    dwarf_made_free(&dwarf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dwarf_image sections;
    struct fm_heap heap;
    struct fm_arena arena;

    if (size == 0) return 0;
    fm_heap_init(&heap, NULL, MEMORY_CEILING);
    fm_arena_init(&arena, &heap);
    if (is_object(data, size))
        compare_object(data, size, &arena, &heap);
    else if ((data[0] & 0xc0) == 0x80)
        compare_made(data, size, &arena, &heap);
    else if (dwarf_image_from(data, size, &arena, &sections))
        compare_image(&sections.image, &heap);
    fm_arena_free(&arena);
    if (heap.used != 0) die("memory was not given back");
    return 0;
}
