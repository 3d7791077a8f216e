/* Reads the names of a WebAssembly module's functions: those in the section "name", or, in a module without it, the
 * names under which functions are exported. */
#include "core/error.h"
#include "core/limits.h"
#include "mappers/native/image/symbols_near.h"
#include "mappers/native/image/wasm/wasm_image.h"

enum { KIND_FUNCTION, KIND_TABLE, KIND_MEMORY, KIND_GLOBAL, KIND_TAG };

/* Position of a function's code in the code section, which is smaller than 4 GB. */
struct body {
    uint32_t at, size;
};
enum { BODY_LEAST = 3 }; /* least bytes of a function's body: its size, the number of its locals, and "end" */

/* The bodies of all functions. Imported functions have the lowest numbers and no body in the module. */
struct bodies {
    struct body *list;
    size_t count;
    uint64_t imported;
};

/* Skips the limits of a table or memory: flags, the least size, the greatest size if bit 0 is set, and the page size if
 * bit 3 is set. */
static void skip_limits(struct fm_byte_reader *r)
{
    const uint64_t flags = fm_read_uleb(r);
    fm_read_uleb(r);
    if (flags & 1) fm_read_uleb(r);
    if (flags & 8) fm_read_uleb(r);
}

/* Skips a type of values: one byte, or 0x63 or 0x64 and the type that is referred to. */
static void skip_value_type(struct fm_byte_reader *r)
{
    const uint8_t type = fm_read_u8(r);
    if (type == 0x63 || type == 0x64) fm_read_sleb(r);
}

static uint64_t count_imported(framemap_str imports)
{
    struct fm_byte_reader r = fm_byte_reader_of(imports, false);
    uint64_t functions = 0;

    for (uint64_t left = imports.size > 0 ? fm_read_uleb(&r) : 0; left > 0 && !r.bad; left--) {
        fm_wasm_read_name(&r); /* the name of the module is skipped */
        fm_wasm_read_name(&r);
        switch (fm_read_u8(&r)) {
        case KIND_FUNCTION:
            fm_read_uleb(&r);
            functions++;
            break;
        case KIND_TABLE:
            skip_value_type(&r);
            skip_limits(&r);
            break;
        case KIND_MEMORY: skip_limits(&r); break;
        case KIND_GLOBAL:
            skip_value_type(&r);
            fm_read_u8(&r); /* the byte that says whether the global can be changed is skipped */
            break;
        case KIND_TAG:
            fm_read_u8(&r);
            fm_read_uleb(&r);
            break;
        default: r.bad = true;
        }
    }
    return functions;
}

static bool list_bodies(const struct fm_image *image, struct bodies *out)
{
    const struct fm_wasm *wasm = image->inner->wasm;
    struct fm_byte_reader r = fm_byte_reader_of(wasm->code, false);
    uint64_t count = wasm->code.size > 0 ? fm_read_uleb(&r) : 0;

    if (count > fm_byte_reader_left(&r) / BODY_LEAST) count = fm_byte_reader_left(&r) / BODY_LEAST;
    *out = (struct bodies){.list = FM_ARENA_ARRAY(image->arena, struct body, (size_t)count),
                           .imported = count_imported(wasm->imports)};
    if (out->list == NULL) return false;
    while (out->count < count) {
        const uint64_t size = fm_read_uleb(&r), at = r.at;
        fm_byte_reader_skip(&r, size);
        if (r.bad || at + size > UINT32_MAX) break;
        out->list[out->count++] = (struct body){(uint32_t)at, (uint32_t)size};
    }
    return true;
}

static bool add_named(struct fm_image *image, size_t *capacity, const struct bodies *bodies, uint64_t number,
                      framemap_str name)
{
    if (number < bodies->imported || number - bodies->imported >= bodies->count) return true;
    if (name.size == 0 || name.size > FM_LIMIT_NAME) return true;
    const struct body *body = &bodies->list[number - bodies->imported];
    const struct fm_symbol symbol = {.name = name,
                                     .address = body->at,
                                     .size = body->size,
                                     .section = image->inner->wasm->code_section,
                                     .kind = FM_SYMBOL_FUNCTION,
                                     .global = true};
    return fm_symbols_add(image, capacity, &symbol);
}

static bool add_names(struct fm_image *image, const struct bodies *bodies)
{
    struct fm_byte_reader r = fm_byte_reader_of(image->inner->wasm->names, false);
    size_t capacity = 0;
    bool good = true;

    for (uint64_t left = fm_read_uleb(&r); left > 0 && good; left--) {
        const uint64_t number = fm_read_uleb(&r);
        const framemap_str name = fm_wasm_read_name(&r);
        if (r.bad) break;
        good = add_named(image, &capacity, bodies, number, name);
    }
    return good;
}

static bool add_exports(struct fm_image *image, const struct bodies *bodies)
{
    struct fm_byte_reader r = fm_byte_reader_of(image->inner->wasm->exports, false);
    size_t capacity = 0;
    bool good = true;

    for (uint64_t left = fm_read_uleb(&r); left > 0 && good; left--) {
        const framemap_str name = fm_wasm_read_name(&r);
        const uint8_t kind = fm_read_u8(&r);
        const uint64_t number = fm_read_uleb(&r);
        if (r.bad) break;
        if (kind == KIND_FUNCTION) good = add_named(image, &capacity, bodies, number, name);
    }
    return good;
}

framemap_status fm_wasm_symbols(struct fm_image *image, framemap_error *error)
{
    const struct fm_wasm *wasm = image->inner->wasm;
    struct bodies bodies;

    if (!list_bodies(image, &bodies)) return fm_error_memory(error);
    const bool named = wasm->names.size > 0;
    if (named ? !add_names(image, &bodies) : wasm->exports.size > 0 && !add_exports(image, &bodies))
        return fm_error_memory(error);
    return FRAMEMAP_OK;
}
