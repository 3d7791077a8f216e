/* Implements debug_id.h: writes an id with the dashes of a GUID. The first 16 bytes of an ELF build id are byte-swapped
 * as in a GUID, unless the CPU is big-endian; the age of a PDB file follows the GUID. */
#include "formats/output/debug_id.h"
#include "core/text/guid.h"
#include "core/text/scan.h"

#include <string.h>

static bool is_apple_system(framemap_str os)
{
    static const char *const systems[] = {"iOS", "iPhone", "iPadOS", "macOS", "Mac OS", "tvOS", "watchOS", "visionOS"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (fm_str_starts(os, framemap_str_of(systems[i]))) return true;
    return false;
}

static bool is_apple_path(framemap_str path)
{
    return fm_str_ends(path, FM_STR(".dylib")) || fm_str_find(path, FM_STR(".app/")) != FM_NOT_FOUND ||
           fm_str_find(path, FM_STR(".framework/")) != FM_NOT_FOUND;
}

enum fm_id_form fm_id_form_of(const struct fm_format *format, const framemap_trace *trace)
{
    const enum fm_id_form form = format ? format->id_form : FM_ID_BUILD_ID;
    if (form != FM_ID_BUILD_ID) return form;
    bool is_apple = is_apple_system(trace->os);
    for (size_t i = 0; i < trace->image_count && !is_apple; i++) is_apple = is_apple_path(trace->images[i].path);
    return is_apple ? FM_ID_UUID : form;
}

static bool is_big_endian(framemap_str arch)
{
    static const char *const begins[] = {"ppc", "powerpc", "s390", "sparc", "armeb", "aarch64_be", "mips"};
    const framemap_str little = FM_STR("el");
    /* names such as "mipsel" end in "el" and are little-endian */
    if (arch.size > 2 && fm_str_equal(fm_str_from(arch, arch.size - 2), little)) return false;
    if (fm_str_equal(arch, FM_STR("ppc64le")) || fm_str_equal(arch, FM_STR("powerpc64le"))) return false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (fm_str_starts(arch, framemap_str_of(begins[i]))) return true;
    return false;
}

/* Writes the first 16 bytes of a build id as the digits of a GUID. The first three numbers of the GUID are read in the
 * byte order of the machine. */
static void build_id_digits(framemap_str id, framemap_str arch, char digits[FM_GUID_DIGITS])
{
    memset(digits, '0', FM_GUID_DIGITS);
    memcpy(digits, id.data, id.size < FM_GUID_DIGITS ? id.size : FM_GUID_DIGITS);
    if (is_big_endian(arch)) return;
    fm_guid_swap(digits);
}

size_t fm_debug_id(framemap_str id, enum fm_id_form form, framemap_str arch, char out[FM_DEBUG_ID_MOST])
{
    char digits[FM_GUID_DIGITS];
    if (id.size == 0 || !fm_is_all_hex(id)) return 0;
    if (form == FM_ID_BUILD_ID) {
        if (id.size % 2 != 0) return 0;
        build_id_digits(id, arch, digits);
        return fm_guid_put(digits, out);
    }
    if (id.size < FM_GUID_DIGITS || id.size > FM_GUID_DIGITS + 8 || (form == FM_ID_UUID && id.size != FM_GUID_DIGITS))
        return 0;
    size_t size = fm_guid_put(id.data, out), age = FM_GUID_DIGITS;
    while (age < id.size && id.data[age] == '0') age++;
    if (age == id.size) return size;
    out[size++] = '-';
    memcpy(out + size, id.data + age, id.size - age);
    size += id.size - age;
    out[size] = '\0';
    return size;
}
