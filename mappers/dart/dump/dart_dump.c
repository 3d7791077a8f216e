/* Prints what `dump` of package:native_stack_traces prints, byte for byte: the container, then its debug information as
 * Dart's compiler writes it. The file is read to its end once before anything is written, so a damaged file prints
 * nothing. */
#include <framemap/dart.h>

#include "core/byte_reader.h"
#include "core/error.h"
#include "core/limits.h"
#include "mappers/dart/dart_slices.h"
#include "mappers/dart/dump/dart_dump_dwarf.h"
#include "mappers/dart/dump/dart_dump_elf.h"
#include "mappers/dart/dump/dart_dump_macho.h"

/* --- printing one image, and the images of a fat file --- */

struct dart_slice {
    uint32_t cpu, subtype, offset, size, align;
    struct fm_image image;
    const char *name; /* name of the processor; NULL: Dart has no compiler for it */
    bool chosen, has_dwarf;
};

static const char *cpu_name(uint32_t cpu)
{
    switch (cpu) {
    case 12: return "ARM";
    case 0x0100000c: return "ARM64";
    case 7: return "I386";
    case 0x01000007: return "X64";
    default: return NULL;
    }
}

static bool has_dwarf(const struct fm_image *image)
{
    return fm_image_section(image, FM_STR(".debug_abbrev")) != UINT32_MAX &&
           fm_image_section(image, FM_STR(".debug_info")) != UINT32_MAX &&
           fm_image_section(image, FM_STR(".debug_line")) != UINT32_MAX;
}

static bool no_debug_info(struct fm_dart_dump *dump)
{
    return fm_dart_dump_fault(dump, FRAMEMAP_E_EMPTY, "it does not contain debugging information");
}

static bool dump_container(struct fm_dart_dump *dump, const struct fm_image *image)
{
    return image->format == FM_IMAGE_ELF ? fm_dart_dump_elf(dump, image->bytes)
                                         : fm_dart_dump_macho(dump, image->bytes);
}

static bool dump_image(struct fm_dart_dump *dump, const struct fm_image *image)
{
    if (!has_dwarf(image)) return no_debug_info(dump);
    if (!dump_container(dump, image)) return false;
    fm_buf_byte(&dump->out, '\n');
    return fm_dart_dump_dwarf(dump, image) && fm_dart_dump_more(dump);
}

/* Chooses one of several slices for the same processor: the slice of a dSYM, or else the first slice with debug
 * information. */
static void choose_slice(struct dart_slice *slices, uint32_t number)
{
    struct dart_slice *one = &slices[number];
    for (uint32_t i = 0; i < number; i++) {
        struct dart_slice *other = &slices[i];
        if (!other->chosen || other->cpu != one->cpu) continue;
        if (strcmp(one->image.type, "debug file") != 0 && other->has_dwarf) return;
        other->chosen = false;
    }
    one->chosen = true;
}

static bool read_slices(struct fm_dart_dump *dump, framemap_str bytes, struct fm_arena *arena,
                        struct dart_slice *slices, uint32_t count)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, true);
    fm_byte_reader_seek(&r, 8);
    for (uint32_t i = 0; i < count; i++) {
        struct dart_slice *slice = &slices[i];
        slice->cpu = fm_read_u32(&r), slice->subtype = fm_read_u32(&r), slice->offset = fm_read_u32(&r);
        slice->size = fm_read_u32(&r), slice->align = fm_read_u32(&r);
        struct fm_byte_reader part = fm_byte_reader_sub(&r, slice->offset, slice->size);
        const framemap_str image = fm_str(part.data, part.size);
        if (r.bad || part.bad)
            return fm_dart_dump_fault(dump, FRAMEMAP_E_TRUNCATED, "this fat file is cut short: fetch it again");
        slice->name = cpu_name(slice->cpu);
        if (slice->name == NULL || fm_image_probe(image) == 0 || !fm_dart_is_program(image)) continue;
        dump->status = fm_image_open(image, NULL, arena, &slice->image, dump->error);
        if (dump->status != FRAMEMAP_OK) return false;
        slice->has_dwarf = has_dwarf(&slice->image);
        choose_slice(slices, i);
    }
    return true;
}

static bool dump_slice_container(struct fm_dart_dump *dump, const struct dart_slice *slice)
{
    static const char rule[] = "----------------------------------------------------------\n";
    fm_buf_printf(&dump->out, "\n\n%s          Selected Mach-O Contents for CPU_ARCH_%s\n%s\n", rule, slice->name,
                  rule);
    return dump_container(dump, &slice->image);
}

static void dump_fat_header(struct fm_dart_dump *dump, const struct dart_slice *slices, uint32_t count)
{
    static const char rule[] = "----------------------------------------\n";
    fm_buf_printf(&dump->out, "%s       Universal Binary Header\n%s\nMagic: 0xbebafeca\nNumber of architectures: %u\n",
                  rule, rule, (unsigned)count);
    for (uint32_t i = 0; i < count; i++) {
        fm_buf_printf(&dump->out, "Arch %u:\n", (unsigned)i);
        fm_dart_dump_hex_line(dump, "  Cpu Type: 0x", slices[i].cpu, 8);
        fm_dart_dump_hex_line(dump, "  Cpu Subtype: 0x", slices[i].subtype, 8);
        fm_dart_dump_hex_line(dump, "  Offset: 0x", slices[i].offset, 8);
        fm_dart_dump_dec_line(dump, "  Size: ", slices[i].size);
        fm_dart_dump_dec_line(dump, "  Alignment: ", slices[i].align);
    }
}

/* Returns the slice to print for a processor, if `first` is that processor's first slice; else NULL. */
static const struct dart_slice *chosen_of(const struct dart_slice *slices, uint32_t count, uint32_t first)
{
    for (uint32_t i = 0; i < first; i++)
        if (slices[i].image.arena && slices[i].cpu == slices[first].cpu) return NULL;
    for (uint32_t i = first; slices[first].image.arena && i < count; i++)
        if (slices[i].chosen && slices[i].cpu == slices[first].cpu) return &slices[i];
    return NULL;
}

static bool dump_slices(struct fm_dart_dump *dump, const struct dart_slice *slices, uint32_t count)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any = any || (slices[i].chosen && slices[i].has_dwarf);
    if (!any) return no_debug_info(dump);
    dump_fat_header(dump, slices, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct dart_slice *slice = chosen_of(slices, count, i);
        if (slice && !dump_slice_container(dump, slice)) return false;
    }
    fm_buf_byte(&dump->out, '\n');
    for (uint32_t i = 0; i < count; i++) {
        const struct dart_slice *slice = chosen_of(slices, count, i);
        if (slice == NULL || !slice->has_dwarf) continue;
        fm_buf_printf(&dump->out, "For architecture CPU_ARCH_%s:\n", slice->name);
        if (!fm_dart_dump_dwarf(dump, &slice->image)) return false;
        fm_buf_byte(&dump->out, '\n');
    }
    return fm_dart_dump_more(dump);
}

static bool dump_fat(struct fm_dart_dump *dump, framemap_str bytes, struct fm_arena *arena)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, true);
    fm_byte_reader_seek(&r, 4);
    const uint32_t count = fm_read_u32(&r);
    if (count > FM_LIMIT_SLICES) return fm_dart_dump_fault(dump, FRAMEMAP_E_LIMIT, "a fat file with too many slices");
    struct dart_slice *slices = FM_ARENA_ARRAY(arena, struct dart_slice, count + 1u);
    if (slices == NULL) return fm_dart_dump_fault(dump, FRAMEMAP_E_MEMORY, "out of memory");
    return read_slices(dump, bytes, arena, slices, count) && dump_slices(dump, slices, count);
}

static bool dump_file(struct fm_dart_dump *dump, framemap_str bytes, const char *arch, struct fm_arena *arena)
{
    struct fm_image image;
    if (arch == NULL && bytes.size >= 8 && memcmp(bytes.data, "\xca\xfe\xba\xbe", 4) == 0)
        return dump_fat(dump, bytes, arena);
    dump->status = fm_dart_image_open(bytes, arch, arena, &image, dump->error);
    return dump->status == FRAMEMAP_OK && dump_image(dump, &image);
}

/* Reads the whole file. It is called twice: without `write` to check that the file can be read, then to print. */
static framemap_status dump_pass(struct fm_heap *heap, framemap_str bytes, const char *arch, framemap_write write,
                                 void *context, framemap_error *error)
{
    struct fm_arena arena;
    struct fm_dart_dump dump = {.heap = heap, .write = write, .context = context, .error = error};
    dump.most = FM_LIMIT_DUMP_RATIO * (uint64_t)bytes.size + (1 << 16);
    fm_arena_init(&arena, heap);
    fm_buf_init(&dump.out, heap);
    if (dump_file(&dump, bytes, arch, &arena)) fm_dart_dump_flush(&dump);
    fm_buf_free(&dump.out);
    fm_arena_free(&arena);
    return dump.status;
}

framemap_status framemap_dart_dump(framemap_str bytes, const char *arch, const framemap_allocator *allocator,
                                   framemap_write write, void *context, framemap_error *error)
{
    struct fm_heap heap;
    if (write == NULL || (bytes.data == NULL && bytes.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    fm_heap_init(&heap, allocator, 0);
    if (fm_image_probe(bytes) == 0) return fm_image_refuse(bytes, error);
    framemap_status status = dump_pass(&heap, bytes, arch, NULL, NULL, error);
    return status == FRAMEMAP_OK ? dump_pass(&heap, bytes, arch, write, context, error) : status;
}
