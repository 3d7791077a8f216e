/* `dump` of package:native_stack_traces, to the letter: the container, then its debug information as Dart's compiler
 * writes it. All is read once before anything is written, so that a file that can't be read to its end prints nothing.
 */
#include "mappers/dart/dump/dart_dump.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "core/text/escape.h"
#include "mappers/dart/dart_slices.h"
#include <inttypes.h>
#include <stdio.h>

enum { FLUSH_AT = 1 << 16 };

bool fm_dump_fault(struct fm_dump *dump, framemap_status status, const char *what)
{
    if (dump->status == FRAMEMAP_OK) dump->status = fm_error_set(dump->error, status, "%s", what);
    return false;
}

bool fm_dump_spend(struct fm_dump *dump, uint64_t bytes)
{
    if (dump->status != FRAMEMAP_OK) return false;
    dump->spent += bytes;
    if (dump->spent > dump->most)
        return fm_dump_fault(dump, FRAMEMAP_E_LIMIT,
                             "the dump would have more than " FM_LIMIT_DUMP_RATIO_TEXT
                             " bytes for each byte of the file");
    return true;
}

static bool flush(struct fm_dump *dump)
{
    const struct fm_buf *out = &dump->out;
    if (dump->write && out->size && !dump->write(dump->context, out->data, out->size))
        return fm_dump_fault(dump, FRAMEMAP_E_IO, "the output could not be written");
    fm_buf_clear(&dump->out);
    dump->counted = 0;
    return true;
}

bool fm_dump_more(struct fm_dump *dump)
{
    if (dump->out.failed) return fm_dump_fault(dump, FRAMEMAP_E_MEMORY, "out of memory");
    if (!fm_dump_spend(dump, dump->out.size - dump->counted)) return false;
    dump->counted = dump->out.size;
    return dump->out.size < FLUSH_AT || flush(dump);
}

void fm_dump_latin(struct fm_dump *dump, framemap_str text)
{
    const size_t begin = dump->out.size;
    size_t plain = 0;
    while (plain < text.size && (unsigned char)text.data[plain] < 0x80) plain++;
    fm_buf_add(&dump->out, text.data, plain);
    for (size_t i = plain; i < text.size; i++) {
        const unsigned byte = (unsigned char)text.data[i];
        if (byte >= 0x80) fm_buf_byte(&dump->out, (char)(0xc0 | byte >> 6));
        fm_buf_byte(&dump->out, (char)(byte < 0x80 ? byte : 0x80 | (byte & 0x3f)));
    }
    fm_buf_escape_from(&dump->out, begin);
}

void fm_dump_hex(struct fm_dump *dump, uint64_t value, unsigned digits)
{
    char text[24];
    const bool negative = value > INT64_MAX;
    const int size = snprintf(text, sizeof text, "%s%" PRIx64, negative ? "-" : "", negative ? 0 - value : value);
    for (int i = size; i < (int)digits; i++) fm_buf_byte(&dump->out, '0');
    fm_buf_add(&dump->out, text, (size_t)size);
}

void fm_dump_hex_line(struct fm_dump *dump, const char *label, uint64_t value, unsigned digits)
{
    fm_buf_str(&dump->out, framemap_str_of(label));
    fm_dump_hex(dump, value, digits);
    fm_buf_byte(&dump->out, '\n');
}

void fm_dump_dec_line(struct fm_dump *dump, const char *label, uint64_t value)
{
    fm_buf_printf(&dump->out, "%s%" PRId64 "\n", label, (int64_t)value);
}

framemap_str fm_dump_until_nul(framemap_str bytes)
{
    const size_t end = fm_str_find_byte(bytes, '\0');
    return end == FM_NOT_FOUND ? bytes : fm_str_slice(bytes, 0, end);
}

/* --- one image, and several in a fat file --- */

struct slice {
    uint32_t cpu, subtype, offset, size, align;
    struct fm_image image;
    const char *name; /* NULL: of a processor that Dart has no code for */
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

static bool no_debug_info(struct fm_dump *dump)
{
    return fm_dump_fault(dump, FRAMEMAP_E_EMPTY, "it does not contain debugging information");
}

static bool dump_container(struct fm_dump *dump, const struct fm_image *image)
{
    return image->format == FM_IMAGE_ELF ? fm_dump_elf(dump, image->bytes) : fm_dump_macho(dump, image->bytes);
}

static bool dump_image(struct fm_dump *dump, const struct fm_image *image)
{
    if (!has_dwarf(image)) return no_debug_info(dump);
    if (!dump_container(dump, image)) return false;
    fm_buf_byte(&dump->out, '\n');
    return fm_dump_dwarf(dump, image) && fm_dump_more(dump);
}

/* Of the slices of one processor: the dSYM, else the first that has debug information. */
static void choose(struct slice *slices, uint32_t number)
{
    struct slice *one = &slices[number];
    for (uint32_t i = 0; i < number; i++) {
        struct slice *other = &slices[i];
        if (!other->chosen || other->cpu != one->cpu) continue;
        if (strcmp(one->image.type, "debug file") != 0 && other->has_dwarf) return;
        other->chosen = false;
    }
    one->chosen = true;
}

static bool read_slices(struct fm_dump *dump, framemap_str bytes, struct fm_arena *arena, struct slice *slices,
                        uint32_t count)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, true);
    fm_byte_reader_seek(&r, 8);
    for (uint32_t i = 0; i < count; i++) {
        struct slice *slice = &slices[i];
        slice->cpu = fm_read_u32(&r), slice->subtype = fm_read_u32(&r), slice->offset = fm_read_u32(&r);
        slice->size = fm_read_u32(&r), slice->align = fm_read_u32(&r);
        struct fm_byte_reader part = fm_byte_reader_sub(&r, slice->offset, slice->size);
        const framemap_str image = fm_str(part.data, part.size);
        if (r.bad || part.bad)
            return fm_dump_fault(dump, FRAMEMAP_E_TRUNCATED, "this fat file is cut short: fetch it again");
        slice->name = cpu_name(slice->cpu);
        if (slice->name == NULL || fm_image_probe(image) == 0 || !fm_dart_is_program(image)) continue;
        dump->status = fm_image_open(image, NULL, arena, &slice->image, dump->error);
        if (dump->status != FRAMEMAP_OK) return false;
        slice->has_dwarf = has_dwarf(&slice->image);
        choose(slices, i);
    }
    return true;
}

static bool dump_slice_container(struct fm_dump *dump, const struct slice *slice)
{
    static const char rule[] = "----------------------------------------------------------\n";
    fm_buf_printf(&dump->out, "\n\n%s          Selected Mach-O Contents for CPU_ARCH_%s\n%s\n", rule, slice->name,
                  rule);
    return dump_container(dump, &slice->image);
}

static void dump_fat_header(struct fm_dump *dump, const struct slice *slices, uint32_t count)
{
    static const char rule[] = "----------------------------------------\n";
    fm_buf_printf(&dump->out, "%s       Universal Binary Header\n%s\nMagic: 0xbebafeca\nNumber of architectures: %u\n",
                  rule, rule, (unsigned)count);
    for (uint32_t i = 0; i < count; i++) {
        fm_buf_printf(&dump->out, "Arch %u:\n", (unsigned)i);
        fm_dump_hex_line(dump, "  Cpu Type: 0x", slices[i].cpu, 8);
        fm_dump_hex_line(dump, "  Cpu Subtype: 0x", slices[i].subtype, 8);
        fm_dump_hex_line(dump, "  Offset: 0x", slices[i].offset, 8);
        fm_dump_dec_line(dump, "  Size: ", slices[i].size);
        fm_dump_dec_line(dump, "  Alignment: ", slices[i].align);
    }
}

/* Processors come in the order in which their first slice does. */
static const struct slice *chosen_of(const struct slice *slices, uint32_t count, uint32_t first)
{
    for (uint32_t i = 0; i < first; i++)
        if (slices[i].image.arena && slices[i].cpu == slices[first].cpu) return NULL;
    for (uint32_t i = first; slices[first].image.arena && i < count; i++)
        if (slices[i].chosen && slices[i].cpu == slices[first].cpu) return &slices[i];
    return NULL;
}

static bool dump_slices(struct fm_dump *dump, const struct slice *slices, uint32_t count)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any = any || (slices[i].chosen && slices[i].has_dwarf);
    if (!any) return no_debug_info(dump);
    dump_fat_header(dump, slices, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct slice *slice = chosen_of(slices, count, i);
        if (slice && !dump_slice_container(dump, slice)) return false;
    }
    fm_buf_byte(&dump->out, '\n');
    for (uint32_t i = 0; i < count; i++) {
        const struct slice *slice = chosen_of(slices, count, i);
        if (slice == NULL || !slice->has_dwarf) continue;
        fm_buf_printf(&dump->out, "For architecture CPU_ARCH_%s:\n", slice->name);
        if (!fm_dump_dwarf(dump, &slice->image)) return false;
        fm_buf_byte(&dump->out, '\n');
    }
    return fm_dump_more(dump);
}

static bool dump_fat(struct fm_dump *dump, framemap_str bytes, struct fm_arena *arena)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, true);
    fm_byte_reader_seek(&r, 4);
    const uint32_t count = fm_read_u32(&r);
    if (count > FM_LIMIT_SLICES) return fm_dump_fault(dump, FRAMEMAP_E_LIMIT, "a fat file of too many slices");
    struct slice *slices = FM_ARENA_ARRAY(arena, struct slice, count + 1u);
    if (slices == NULL) return fm_dump_fault(dump, FRAMEMAP_E_MEMORY, "out of memory");
    return read_slices(dump, bytes, arena, slices, count) && dump_slices(dump, slices, count);
}

static bool dump_file(struct fm_dump *dump, framemap_str bytes, const char *arch, struct fm_arena *arena)
{
    struct fm_image image;
    if (arch == NULL && bytes.size >= 8 && memcmp(bytes.data, "\xca\xfe\xba\xbe", 4) == 0)
        return dump_fat(dump, bytes, arena);
    dump->status = fm_dart_image_open(bytes, arch, arena, &image, dump->error);
    return dump->status == FRAMEMAP_OK && dump_image(dump, &image);
}

/* Once for nothing but to see that it can be read, once to write. */
static framemap_status dump_pass(struct fm_heap *heap, framemap_str bytes, const char *arch, framemap_write write,
                                 void *context, framemap_error *error)
{
    struct fm_arena arena;
    struct fm_dump dump = {.heap = heap, .write = write, .context = context, .error = error};
    dump.most = FM_LIMIT_DUMP_RATIO * (uint64_t)bytes.size + (1 << 16);
    fm_arena_init(&arena, heap);
    fm_buf_init(&dump.out, heap);
    if (dump_file(&dump, bytes, arch, &arena)) flush(&dump);
    fm_buf_free(&dump.out);
    fm_arena_free(&arena);
    return dump.status;
}

framemap_status framemap_dart_dump(framemap_str bytes, const char *arch, const framemap_allocator *allocator,
                                   framemap_write write, void *context, framemap_error *error)
{
    struct fm_heap heap;
    if (write == NULL || (bytes.data == NULL && bytes.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a pointer is missing");
    fm_heap_init(&heap, allocator, 0);
    if (fm_image_probe(bytes) == 0) return fm_image_refuse(bytes, error);
    framemap_status status = dump_pass(&heap, bytes, arch, NULL, NULL, error);
    return status == FRAMEMAP_OK ? dump_pass(&heap, bytes, arch, write, context, error) : status;
}
