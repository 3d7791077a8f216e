/* Compiles native programs, ELF, Mach-O and WebAssembly files with DWARF or only a symbol table, to an index. Called
 * through mapper_registry.c. */
#include "mappers/native/native_mapper.h"

#include "core/error.h"
#include "core/text/buffer.h"
#include "mappers/native/compile/dwarf_compile.h"
#include "mappers/native/dwarf/dw_companion.h"
#include "mappers/native/dwarf/dw_visitor.h"
#include "mappers/native/image/sorted_keys.h"

static int native_probe(framemap_str bytes, framemap_str name)
{
    (void)name;
    return fm_image_probe(bytes);
}

static framemap_status native_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap,
                                      framemap_image_info *images, size_t capacity, size_t *count,
                                      framemap_error *error)
{
    (void)name;
    return fm_image_inspect(bytes, heap, images, capacity, count, error);
}

/* Warns of relocations that were not applied, and records them in the index, where they explain answers without a
 * line. */
static framemap_status report_relocations(const struct fm_image *image, const struct fm_mapper_host *host,
                                          struct fm_builder *builder, framemap_error *error)
{
    bool any = false;

    for (uint32_t i = 0; i < image->section_count; i++) {
        framemap_error warning = {0};
        if (image->sections[i].unapplied == 0) continue;
        fm_error_set(&warning, FRAMEMAP_E_UNSUPPORTED, "%u relocations of a type that is unknown for %s were skipped",
                     (unsigned)image->sections[i].unapplied, image->arch);
        fm_error_where(&warning, image->sections[i].name);
        fm_mapper_warn(host, &warning);
        any = true;
    }
    return any ? fm_builder_attribute(builder, FM_STR(FM_ATTRIBUTE_UNRELOCATED), framemap_str_of(image->arch), error)
               : FRAMEMAP_OK;
}

/* Warns of a missing supplementary file, into which the tool dwz moves debug info that several programs share. */
static void warn_of_alternate(const struct fm_image *image, const struct fm_mapper_host *host)
{
    framemap_error warning = {0};

    if (image->altlink.size == 0 || !image->has_debug_info || image->alternate != NULL) return;
    fm_error_set(&warning, FRAMEMAP_E_UNSUPPORTED,
                 "the names of some functions are in %.*s (id %s), which was not found: these functions have no name",
                 (int)(image->altlink.size > 200 ? 200 : image->altlink.size), image->altlink.data, image->altlink_id);
    fm_mapper_warn(host, &warning);
}

static void warn_of_debugdata(const struct fm_image *image, const struct fm_mapper_host *host)
{
    const framemap_error *fault = fm_image_debugdata_fault(image);
    if (fault != NULL) fm_mapper_warn(host, fault);
}

/* Reports an error for a file that describes no code: the message names the file to give instead. */
static framemap_status refuse_empty(const struct fm_image *image, framemap_error *error)
{
    char wanted[160];
    if (strcmp(image->type, FM_TYPE_DWZ) == 0)
        return fm_error_set(error, FRAMEMAP_E_EMPTY,
                            "this is debug info that several programs share (dwz -m), without addresses: give one of "
                            "these programs, and this file beside it or with -s");
    if (strcmp(image->type, FM_TYPE_DWO) == 0 || strcmp(image->type, FM_TYPE_DWP) == 0)
        return fm_error_set(error, FRAMEMAP_E_EMPTY,
                            "this is debug info that the compiler split off (%s), without addresses: give the program "
                            "that it belongs to",
                            strcmp(image->type, FM_TYPE_DWO) == 0 ? ".dwo" : ".dwp");
    if (image->has_debug_info)
        return fm_error_set(
            error, FRAMEMAP_E_EMPTY,
            "this %s has debug info, but neither that nor its symbols describe any code: they are empty or damaged",
            image->type);
    if (!image->is_stripped)
        return fm_error_set(error, FRAMEMAP_E_EMPTY,
                            "this %s has no debug info, and its symbol table is empty or damaged", image->type);
    fm_image_describe_debug_file(image, wanted, sizeof wanted);
    return fm_error_set(error, FRAMEMAP_E_EMPTY, "this %s is stripped%s: %s", image->type,
                        image->has_debugdata ? " (framemap was built without liblzma: the symbols in " FM_DEBUGDATA
                                               " are not read)"
                                             : "",
                        wanted);
}

/* Records the address of each code section of a Mach-O object file as an attribute. The index can then be queried by
 * address, like that of a linked image, and by section, like that of an ELF object file. */
static framemap_status note_sections(const struct fm_image *image, struct fm_builder *builder, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    struct fm_buf key, value;

    if (!image->relocatable || image->by_section) return FRAMEMAP_OK;
    fm_buf_init(&key, image->arena->heap);
    fm_buf_init(&value, image->arena->heap);
    for (uint32_t i = 0; i < image->section_count && status == FRAMEMAP_OK; i++) {
        const struct fm_section *section = &image->sections[i];
        if ((section->flags & FM_SECTION_EXEC) == 0 || fm_image_section(image, section->name) != i) continue;
        fm_buf_clear(&key);
        fm_buf_clear(&value);
        fm_buf_str(&key, FM_STR(FM_ATTRIBUTE_SECTION));
        fm_buf_str(&key, section->name);
        fm_buf_hex(&value, section->address - image->origin, 1);
        fm_buf_byte(&value, '+');
        fm_buf_hex(&value, section->size, 1);
        status = key.failed || value.failed
                     ? fm_error_memory(error)
                     : fm_builder_attribute(builder, fm_buf_view(&key), fm_buf_view(&value), error);
    }
    fm_buf_free(&key);
    fm_buf_free(&value);
    return status;
}

/* Records where the file has its code, for addresses that are printed as offsets in the file. */
static framemap_status note_code_offsets(const struct fm_image *image, struct fm_builder *builder,
                                         framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    struct fm_buf parts;

    fm_buf_init(&parts, image->arena->heap);
    fm_image_code_offsets(image, &parts);
    if (parts.failed)
        status = fm_error_memory(error);
    else if (parts.size > 0)
        status = fm_builder_attribute(builder, FM_STR(FM_ATTRIBUTE_CODE_OFFSETS), fm_buf_view(&parts), error);
    fm_buf_free(&parts);
    return status;
}

/* The list of the only addresses to compile, ascending. */
struct requested_addresses {
    struct fm_heap *heap;
    uint64_t *addresses;
    size_t count, capacity;
};

static bool has_marked_addresses(const struct fm_image *image)
{
    return strncmp(image->arch, "arm", 3) == 0 && strncmp(image->arch, "arm64", 5) != 0;
}

/* Lists the requested addresses. Addresses of 32-bit ARM may have the Thumb bit set, which lookups clear, so both forms
 * are listed. */
static bool list_requested(const struct fm_image *image, const struct fm_mapper_host *host,
                           struct requested_addresses *out)
{
    const size_t each = has_marked_addresses(image) ? 2 : 1, most = host->position_count;
    struct fm_key *keys;

    *out = (struct requested_addresses){.heap = host->heap};
    if (most > SIZE_MAX / 2) return false;
    keys = fm_heap_zalloc(host->heap, most * each, sizeof *keys);
    out->addresses = fm_heap_zalloc(host->heap, most * each, sizeof *out->addresses);
    bool good = keys != NULL && out->addresses != NULL;
    if (out->addresses != NULL) out->count = out->capacity = most * each;
    for (size_t i = 0; good && i < out->count; i++) keys[i].key = host->positions[i / each] & ~(uint64_t)(i % each);
    good = good && fm_keys_sort(host->heap, keys, out->count, NULL, NULL);
    for (size_t i = 0; good && i < out->count; i++) out->addresses[i] = keys[i].key;
    fm_heap_free(host->heap, keys, most * each * sizeof *keys);
    return good;
}

static framemap_status compile_requested(struct fm_image *image, const struct fm_mapper_host *host,
                                         struct fm_builder *builder, framemap_error *error)
{
    struct fm_mapper_host narrow = *host;
    struct requested_addresses requested;
    framemap_status status = list_requested(image, host, &requested) ? FRAMEMAP_OK : fm_error_memory(error);

    narrow.positions = requested.addresses;
    narrow.position_count = requested.count;
    if (status == FRAMEMAP_OK) status = fm_image_symbols_near(image, requested.addresses, requested.count, error);
    if (status == FRAMEMAP_OK) status = fm_debuginfo_compile(image, 0, &narrow, builder, error);
    fm_heap_free(requested.heap, requested.addresses, requested.capacity * sizeof *requested.addresses);
    return status;
}

/* Compiles an opened image. Requested addresses are ignored for a relocatable file, which has no addresses, and for
 * WebAssembly: its debug info counts addresses in another way than the request. */
static framemap_status compile_image(struct fm_image *image, const struct fm_mapper_host *host,
                                     struct fm_builder *builder, framemap_error *error)
{
    if (host->positions != NULL && !image->relocatable && image->origin == image->base)
        return compile_requested(image, host, builder, error);
    const unsigned inside = image->format == FM_IMAGE_WASM ? FM_DEBUGINFO_INLINED_INSIDE | FM_DEBUGINFO_ENDS_LOST : 0;
    return fm_debuginfo_compile(image, FM_DEBUGINFO_READ_SYMBOLS | inside, host, builder, error);
}

static framemap_status note_companions(const struct fm_buf *log, struct fm_builder *builder, framemap_error *error)
{
    const framemap_str lines = fm_buf_view(log);
    if (log->failed) return fm_error_memory(error);
    return lines.size > 0 ? fm_builder_attribute(builder, FM_STR(FM_ATTRIBUTE_COMPANIONS), lines, error) : FRAMEMAP_OK;
}

static framemap_status build_image(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                   struct fm_builder *builder, framemap_error *error)
{
    struct fm_arena arena;
    struct fm_image image;
    framemap_status status;

    fm_arena_init(&arena, host->heap);
    status = fm_image_open(bytes, host->arch, &arena, &image, error);
    if (status == FRAMEMAP_OK) status = fm_companion_alternate(&image, host, error);
    if (status == FRAMEMAP_OK) status = fm_companion_program(&image, host, error);
    if (status == FRAMEMAP_OK)
        status = fm_debuginfo_about(&image, framemap_str_of(fm_image_kind(&image)), name, builder, error);
    if (status == FRAMEMAP_OK) status = note_sections(&image, builder, error);
    if (status == FRAMEMAP_OK) status = note_code_offsets(&image, builder, error);
    if (status == FRAMEMAP_OK) status = compile_image(&image, host, builder, error);
    if (status == FRAMEMAP_OK) status = report_relocations(&image, host, builder, error);
    if (status == FRAMEMAP_OK) warn_of_alternate(&image, host);
    if (status == FRAMEMAP_OK) warn_of_debugdata(&image, host);
    if (status == FRAMEMAP_OK && fm_builder_count(builder) == 0) status = refuse_empty(&image, error);
    fm_arena_free(&arena);
    return status;
}

static framemap_status native_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                    struct fm_builder *builder, framemap_error *error)
{
    struct fm_mapper_host logging = *host;
    struct fm_buf log;

    fm_buf_init(&log, host->heap);
    logging.companion_log = &log;
    framemap_status status = build_image(bytes, name, &logging, builder, error);
    if (status == FRAMEMAP_OK) status = note_companions(&log, builder, error);
    fm_buf_free(&log);
    return status;
}

static size_t list_sections(const struct fm_image *image, framemap_section_info *sections, size_t capacity)
{
    size_t count = 0;
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        if (!(section->flags & FM_SECTION_ALLOC)) continue;
        if (count < capacity) {
            sections[count] = (framemap_section_info){
                .name = section->name,
                .address = image->by_section ? 0 : section->address - image->origin + image->base,
                .size = section->size,
                .code = (section->flags & FM_SECTION_EXEC) != 0};
        }
        count++;
    }
    return count;
}

static framemap_status native_sections(framemap_str bytes, const char *arch, struct fm_heap *heap,
                                       framemap_section_info *out, size_t capacity, size_t *count,
                                       framemap_error *error)
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
    .info = {.name = "dwarf", .summary = "ELF, Mach-O and WebAssembly files: DWARF debug info and symbol tables"},
    .probe = native_probe,
    .inspect = native_inspect,
    .build = native_build,
    .sections = native_sections,
};
