/* Reads size-versioned option structs; see option_structs.h. */
#include "api/option_structs.h"

#include "core/error.h"

#include <string.h>

/* Bytes that later versions may add to a struct. A caller that states a larger size has not set the size; the library
 * must not read so much memory after the struct. */
enum { LATER_FIELDS_MOST = 4096 };

framemap_status fm_options_read(const void *given, void *out, size_t out_size, framemap_error *error)
{
    size_t size = out_size;
    memset(out, 0, out_size);
    if (given == NULL) {
        memcpy(out, &size, sizeof size);
        return FRAMEMAP_OK;
    }
    memcpy(&size, given, sizeof size);
    if (size == 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                            "the size field of the options is not set: set it to the sizeof of the struct");
    if (size < sizeof size || size > out_size + LATER_FIELDS_MOST)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                            "the size field of the options is %zu, which is not the sizeof of the struct", size);
    for (size_t i = out_size; i < size; i++)
        if (((const unsigned char *)given)[i])
            return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                                "the options set something that this version of framemap does not know");
    memcpy(out, given, size < out_size ? size : out_size);
    return FRAMEMAP_OK;
}

framemap_status fm_str_check(framemap_str text, const char *what, framemap_error *error)
{
    if (!fm_str_is_bad(text)) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "%s has a size, but its data is NULL", what);
}

framemap_status fm_enum_check(unsigned value, unsigned last, const char *type, framemap_error *error)
{
    if (value <= last) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "%u is not a value of %s that this version of framemap knows",
                        value, type);
}

framemap_status fm_demangle_check(framemap_demangle style, framemap_error *error)
{
    return fm_enum_check((unsigned)style, FRAMEMAP_DEMANGLE_FULL, "framemap_demangle", error);
}

framemap_status fm_ranges_check(framemap_range_mappings ranges, framemap_error *error)
{
    return fm_enum_check((unsigned)ranges, FRAMEMAP_RANGES_OFF, "framemap_range_mappings", error);
}
