/* Opens a WebAssembly module: its sections and its id (WebAssembly Core Specification, Binary Format; the sections of
 * tools in the repository WebAssembly/tool-conventions: BuildId.md, Debugging.md, Linking.md). */
#include "mappers/native/image/wasm/wasm_image.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/image_values.h"

enum { SECTION_CUSTOM = 0, SECTION_IMPORT = 2, SECTION_EXPORT = 7, SECTION_CODE = 10 };
enum { NAMES_OF_FUNCTIONS = 1 };
enum { MODULE = 1 }; /* the version of all modules; components have another */

struct raw_section {
    uint8_t id;
    framemap_str name; /* name of a custom section */
    framemap_str content;
};

bool fm_wasm_is_module(framemap_str bytes) { return fm_str_starts(bytes, FM_STR("\0asm")); }

framemap_str fm_wasm_read_name(struct fm_byte_reader *r)
{
    const uint64_t size = fm_read_uleb(r);
    return fm_read_bytes(r, size);
}

static framemap_status read_section(const struct fm_image *image, struct fm_byte_reader *r, struct raw_section *out,
                                    framemap_error *error)
{
    const size_t at = r->at;

    *out = (struct raw_section){.id = fm_read_u8(r)};
    out->content = fm_wasm_read_name(r);
    if (r->bad)
        return fm_error_at(error, FRAMEMAP_E_TRUNCATED, image->inner->file_offset + at,
                           "this WebAssembly module ends inside a section: it is cut short, fetch it again");
    if (out->id != SECTION_CUSTOM) return FRAMEMAP_OK;
    struct fm_byte_reader inner = fm_byte_reader_of(out->content, false);
    out->name = fm_wasm_read_name(&inner);
    out->content = fm_read_bytes(&inner, fm_byte_reader_left(&inner));
    return inner.bad ? fm_error_at(error, FRAMEMAP_E_CORRUPT, image->inner->file_offset + at,
                                   "the name of a section does not fit the section")
                     : FRAMEMAP_OK;
}

/* --- reading the sections that tools add --- */

static framemap_str function_names(framemap_str content)
{
    struct fm_byte_reader r = fm_byte_reader_of(content, false);
    while (fm_byte_reader_left(&r) > 0) {
        const uint8_t id = fm_read_u8(&r);
        const framemap_str names = fm_wasm_read_name(&r);
        if (id == NAMES_OF_FUNCTIONS && !r.bad) return names;
    }
    return (framemap_str){NULL, 0};
}

static void note_custom(struct fm_image *image, struct fm_wasm *wasm, const struct raw_section *raw)
{
    struct fm_byte_reader r = fm_byte_reader_of(raw->content, false);

    if (fm_str_equal(raw->name, FM_STR("name"))) wasm->names = function_names(raw->content);
    if (fm_str_equal(raw->name, FM_STR("external_debug_info"))) {
        const framemap_str file = fm_wasm_read_name(&r);
        if (!r.bad) wasm->debug_file = file;
    }
    if (fm_str_equal(raw->name, FM_STR("sourceMappingURL"))) {
        const framemap_str url = fm_wasm_read_name(&r);
        if (!r.bad) wasm->map_url = url;
    }
    if (fm_str_equal(raw->name, FM_STR("build_id"))) {
        const framemap_str id = fm_wasm_read_name(&r);
        if (!r.bad && id.size * 2 < sizeof image->id) fm_hex_id(image->id, id);
    }
}

/* --- reading all sections --- */

static void add_section(struct fm_image *image, const struct raw_section *raw, uint32_t flags)
{
    struct fm_section *section = &image->sections[image->section_count++];
    *section = (struct fm_section){.name = flags ? FM_STR("code") : raw->name,
                                   .stored = raw->content,
                                   .size = raw->content.size,
                                   .number = image->section_count,
                                   .flags = flags};
}

/* Returns the size of the number of functions, which precedes the code in the code section. Debug info uses address 0,
 * where this number is, for functions that were removed after linking (binaryen). */
static uint64_t size_of_count(framemap_str code)
{
    struct fm_byte_reader r = fm_byte_reader_of(code, false);
    fm_read_uleb(&r);
    return r.bad ? code.size : r.at;
}

static framemap_status take_section(struct fm_image *image, struct fm_wasm *wasm, const struct raw_section *raw,
                                    framemap_error *error)
{
    switch (raw->id) {
    case SECTION_CUSTOM:
        add_section(image, raw, 0);
        note_custom(image, wasm, raw);
        break;
    case SECTION_IMPORT: wasm->imports = raw->content; break;
    case SECTION_EXPORT: wasm->exports = raw->content; break;
    case SECTION_CODE:
        if (wasm->code_section != UINT32_MAX)
            return fm_error_set(error, FRAMEMAP_E_CORRUPT, "this WebAssembly module has two code sections");
        wasm->code_section = image->section_count;
        wasm->code = raw->content;
        image->base = (uint64_t)(raw->content.data - image->bytes.data);
        image->code_start = size_of_count(raw->content);
        add_section(image, raw, FM_SECTION_ALLOC | FM_SECTION_EXEC);
        break;
    default: break; /* types, tables, memories and data do not describe functions */
    }
    return FRAMEMAP_OK;
}

static framemap_status count_sections(struct fm_image *image, struct fm_byte_reader r, uint32_t *out,
                                      framemap_error *error)
{
    struct raw_section raw;
    framemap_status status = FRAMEMAP_OK;

    for (*out = 0; fm_byte_reader_left(&r) > 0 && status == FRAMEMAP_OK; ++*out) {
        status = *out < FM_LIMIT_SECTIONS
                     ? read_section(image, &r, &raw, error)
                     : fm_error_set(error, FRAMEMAP_E_LIMIT, "more than %u sections", (unsigned)FM_LIMIT_SECTIONS);
    }
    return status;
}

static framemap_status check_version(struct fm_image *image, struct fm_byte_reader *r, framemap_error *error)
{
    fm_byte_reader_skip(r, 4);
    const uint32_t version = fm_read_u32(r);
    if (r->bad)
        return fm_error_at(error, FRAMEMAP_E_TRUNCATED, image->inner->file_offset,
                           "this WebAssembly module ends inside its header: it is cut short, fetch it again");
    if (version >> 16 != 0)
        return fm_error_set(
            error, FRAMEMAP_E_FORMAT,
            "this is a WebAssembly component: take the module out of it (wasm-tools component unbundle) "
            "and give that");
    return version == MODULE
               ? FRAMEMAP_OK
               : fm_error_set(error, FRAMEMAP_E_UNSUPPORTED,
                              "version %u of WebAssembly modules is unknown; 1 can be read", (unsigned)version);
}

/* Sets the type of the module, and refuses object files, which have the section "linking". Packages of split debug info
 * have that section too (llvm-dwp writes it), but no code, and are accepted. Other debug info without code is refused:
 * it does not state where the code is in the file of the module, from which engines count addresses. */
static framemap_status set_type(struct fm_image *image, const struct fm_wasm *wasm, framemap_error *error)
{
    const char *split = fm_image_split_type(image);

    if (fm_image_section(image, FM_STR("linking")) != UINT32_MAX && (split == NULL || wasm->code.size > 0))
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "this is a WebAssembly object file, whose code has no addresses yet: give the module that "
                            "was linked from it");
    if (split == NULL && wasm->code_section == UINT32_MAX &&
        fm_image_section(image, FM_STR(".debug_info")) != UINT32_MAX)
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "this WebAssembly module has debug info and no code, so the places of its functions in the "
                            "deployed module are unknown: give the module as it was linked, with both");
    fm_copy_name(image->type, sizeof image->type, split != NULL ? split : "module");
    return FRAMEMAP_OK;
}

framemap_status fm_wasm_open(struct fm_image *image, framemap_error *error)
{
    struct fm_wasm *wasm = FM_ARENA_NEW(image->arena, struct fm_wasm);
    struct fm_byte_reader r = fm_byte_reader_of(image->bytes, false);
    struct raw_section raw;
    uint32_t count = 0;

    if (wasm == NULL) return fm_error_memory(error);
    image->format = FM_IMAGE_WASM;
    image->inner->wasm = wasm;
    wasm->code_section = UINT32_MAX;
    framemap_status status = check_version(image, &r, error);
    if (status == FRAMEMAP_OK) status = count_sections(image, r, &count, error);
    if (status != FRAMEMAP_OK) return status;
    image->sections = FM_ARENA_ARRAY(image->arena, struct fm_section, count);
    if (image->sections == NULL) return fm_error_memory(error);
    while (fm_byte_reader_left(&r) > 0 && status == FRAMEMAP_OK) {
        status = read_section(image, &r, &raw, error);
        if (status == FRAMEMAP_OK) status = take_section(image, wasm, &raw, error);
    }
    if (status != FRAMEMAP_OK) return status;
    fm_copy_name(image->arch, sizeof image->arch, "wasm32");
    image->has_symbols = wasm->names.size > 0 || wasm->exports.size > 0;
    image->is_stripped = wasm->names.size == 0;
    return fm_image_index_sections(image) ? set_type(image, wasm, error) : fm_error_memory(error);
}
