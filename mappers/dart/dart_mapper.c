/* Compiles Dart programs to an index: the debug info, as for native programs, plus the attributes that dart_mapper.h
 * lists. */
#include "mappers/dart/dart_mapper.h"

#include "core/error.h"
#include "core/text/text.h"
#include "mappers/dart/dart_slices.h"
#include "mappers/native/compile/dwarf_compile.h"
#include "mappers/native/dwarf/dw_visitor.h"

/* Symbol names without their first underscore. Files of both formats have the underscore: in ELF as part of the name,
 * in Mach-O as the prefix of C names. Symbols of Dart functions have the same spelling in both formats. */
#define TEXT "kDartSnapshotText"
#define ISOLATE_TEXT "kDartIsolateSnapshotInstructions"
#define VM_TEXT "kDartVmSnapshotInstructions"

static int dart_mapper_probe(framemap_str bytes, framemap_str name)
{
    (void)name;
    if (fm_image_probe(bytes) == 0) return 0;
    return fm_dart_is_program(bytes) ? 100 : 0;
}

static framemap_status dart_mapper_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap,
                                           framemap_image_info *images, size_t capacity, size_t *count,
                                           framemap_error *error)
{
    static const char kind[] = FM_DART_NAME;
    (void)name;
    framemap_status status = fm_dart_inspect(bytes, heap, images, capacity, count, error);
    for (size_t i = 0; status == FRAMEMAP_OK && i < *count && i < capacity; i++)
        memcpy(images[i].kind, kind, sizeof kind);
    return status;
}

/* --- finding the start of the instruction section --- */

struct dart_snapshot_texts {
    uint64_t text, end, vm;
    const char *symbol; /* name of the image's text symbol; NULL: the image has no text symbol of Dart */
    bool has_vm;
};

static framemap_str plain(framemap_str name) { return fm_str_starts(name, FM_STR("_")) ? fm_str_from(name, 1) : name; }

static void note(const struct fm_image *image, const struct fm_symbol *symbol, struct dart_snapshot_texts *texts)
{
    const framemap_str name = plain(symbol->name);
    const bool whole = fm_str_equal(name, FM_STR(TEXT));
    if (whole || fm_str_equal(name, FM_STR(ISOLATE_TEXT))) {
        const struct fm_section *section = &image->sections[symbol->section];
        texts->text = symbol->address;
        texts->end = section->address + section->size;
        texts->symbol = whole ? "_" TEXT : "_" ISOLATE_TEXT;
    } else if (fm_str_equal(name, FM_STR(VM_TEXT))) {
        texts->vm = symbol->address;
        texts->has_vm = true;
    }
}

/* Removes the symbols of whole sections from the list, because they do not name code. */
static struct dart_snapshot_texts remove_text_symbols(struct fm_image *image)
{
    struct dart_snapshot_texts texts = {.symbol = NULL};
    size_t kept = 0;
    for (size_t i = 0; i < image->symbol_count; i++) {
        const struct fm_symbol *symbol = &image->symbols[i];
        if (fm_str_starts(plain(symbol->name), FM_STR("kDart")))
            note(image, symbol, &texts);
        else
            image->symbols[kept++] = *symbol;
    }
    image->symbol_count = kept;
    return texts;
}

/* --- building the index --- */

static framemap_status set_address_attribute(struct fm_builder *builder, framemap_str key, uint64_t address,
                                             framemap_error *error)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 + 16];
    size_t at = sizeof text;
    do {
        text[--at] = digits[address & 15];
        address >>= 4;
    } while (address);
    text[--at] = 'x';
    text[--at] = '0';
    return fm_builder_attribute(builder, key, fm_str(text + at, sizeof text - at), error);
}

static framemap_status set_text_attributes(const struct dart_snapshot_texts *texts, struct fm_builder *builder,
                                           framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (texts->symbol) {
        status = fm_builder_attribute(builder, FM_STR("dart_text"), framemap_str_of(texts->symbol), error);
        if (status == FRAMEMAP_OK) status = set_address_attribute(builder, FM_STR("dart_text_at"), texts->text, error);
        if (status == FRAMEMAP_OK) status = set_address_attribute(builder, FM_STR("dart_text_end"), texts->end, error);
    }
    if (status == FRAMEMAP_OK && texts->has_vm)
        status = set_address_attribute(builder, FM_STR("dart_vm_at"), texts->vm, error);
    return status;
}

static framemap_status dart_mapper_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                         struct fm_builder *builder, framemap_error *error)
{
    struct fm_arena arena;
    struct fm_image image;
    struct dart_snapshot_texts texts = {.symbol = NULL};
    struct fm_mapper_host whole = *host;

    /* Reads the symbols of the whole image, since the text symbols, from which traces count offsets, are among them. */
    whole.positions = NULL;
    fm_arena_init(&arena, host->heap);
    framemap_status status = fm_dart_image_open(bytes, host->arch, &arena, &image, error);
    if (status == FRAMEMAP_OK) {
        image.whole_names = true;
        status = fm_image_symbols(&image, error);
    }
    if (status == FRAMEMAP_OK) {
        texts = remove_text_symbols(&image);
        status = fm_debuginfo_about(&image, FM_STR(FM_DART_NAME), name, builder, error);
    }
    if (status == FRAMEMAP_OK) status = set_text_attributes(&texts, builder, error);
    if (status == FRAMEMAP_OK)
        status = fm_debuginfo_compile(&image, FM_DEBUGINFO_LINES_IN_FUNCTIONS | FM_DEBUGINFO_INLINED_INSIDE, &whole,
                                      builder, error);
    if (status == FRAMEMAP_OK && fm_builder_count(builder) == 0)
        status = fm_error_set(
            error, FRAMEMAP_E_EMPTY,
            "this snapshot is stripped, without debug info: give the file that was split from it (--split-debug-info, "
            "--save-debugging-info), or its dSYM%s%s",
            image.id[0] ? "; its id is " : "", image.id);
    fm_arena_free(&arena);
    return status;
}

const struct fm_mapper fm_dart_mapper = {
    .info = {.name = FM_DART_NAME,
             .summary = "Dart and Flutter programs compiled ahead of time: snapshots, split debug info, dSYMs"},
    .probe = dart_mapper_probe,
    .inspect = dart_mapper_inspect,
    .build = dart_mapper_build,
};
