/* Reads small integers, copies names and ids, and recognises the names of debug sections. See image_values.h. */
#include "mappers/native/image/image_values.h"

#include "core/byte_reader.h"
#include "core/text/text.h"

uint64_t fm_bytes_get(const unsigned char *at, unsigned width, bool big_endian)
{
    struct fm_byte_reader r = {at, width, 0, big_endian, false};
    return fm_read_uint(&r, width);
}

void fm_bytes_put(unsigned char *at, unsigned width, bool big_endian, uint64_t value)
{
    for (unsigned i = 0; i < width; i++, value >>= 8) at[big_endian ? width - 1 - i : i] = (unsigned char)value;
}

void fm_copy_name(char *out, size_t capacity, const char *text)
{
    const size_t size = strnlen(text, capacity - 1);
    memcpy(out, text, size);
    out[size] = '\0';
}

void fm_hex_id(char out[65], framemap_str id)
{
    out[0] = '\0';
    if (id.size > 32) return;
    fm_hex_put(id.data, id.size, out);
    out[2 * id.size] = '\0';
}

/* The canonical names of debug sections. They are complete and static, even if a file truncates or prefixes such
 * names. */
static const char *const known[] = {
    ".debug_abbrev",       ".debug_addr",         ".debug_aranges",  ".debug_cu_index", ".debug_frame",
    ".debug_gnu_pubnames", ".debug_gnu_pubtypes", ".debug_info",     ".debug_line",     ".debug_line_str",
    ".debug_loc",          ".debug_loclists",     ".debug_macinfo",  ".debug_macro",    ".debug_names",
    ".debug_pubnames",     ".debug_pubtypes",     ".debug_ranges",   ".debug_rnglists", ".debug_str",
    ".debug_str_offsets",  ".debug_sup",          ".debug_tu_index", ".debug_types",    ".apple_names",
    ".apple_namespaces",   ".apple_objc",         ".apple_types"};

framemap_str fm_debug_name(framemap_str stem, bool cut)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const framemap_str whole = framemap_str_of(known[i]);
        const framemap_str plain = fm_str_from(whole, 1);
        if (fm_str_equal(plain, stem) || (cut && fm_str_starts(plain, stem))) return whole;
    }
    return (framemap_str){NULL, 0};
}
