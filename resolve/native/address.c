/* Removes the bits that CPUs or tools add to a code address, and converts offsets in a file to addresses. Called by
 * session/restore. */
#include "resolve/native/address.h"

#include "core/text/scan.h"

const char fm_nothing_there[] = "the symbols have nothing at that position";

/* Whether `arch` is any name of 32-bit ARM: "arm", "armv7", "armeabi-v7a", "thumbv7". */
static bool is_arm32(framemap_str arch)
{
    return (fm_str_starts(arch, FM_STR("arm")) && !fm_str_starts(arch, FM_STR("arm64"))) ||
           fm_str_starts(arch, FM_STR("thumb"));
}

uint64_t fm_address_clean(framemap_str arch, uint64_t address)
{
    if (is_arm32(arch)) return address & ~(uint64_t)1;
    /* User addresses of arm64 have 47 bits on macOS and fewer on iOS and Android; higher bits are a
     * pointer-authentication signature or a tag. */
    if (fm_str_starts(arch, FM_STR("arm64")) || fm_str_equal(arch, FM_STR("aarch64")))
        return address & 0x00007fffffffffffu;
    return address;
}

uint64_t fm_address_mask(const struct fm_view_identity *about, const framemap_query *query)
{
    if (!is_arm32(about->arch)) return UINT64_MAX;
    /* Data may be at odd addresses, so no bit is removed. A section may have code or data, but a return address is
     * always in code. */
    if (query->address_kind == FRAMEMAP_ADDRESS_NONE && !query->return_address) return UINT64_MAX;
    if (fm_str_equal(query->scope, FM_STR("data"))) return UINT64_MAX;
    if (about->kind_row->flags & FM_KIND_NO_THUMB)
        return UINT64_MAX; /* addresses in files of these kinds have no Thumb bit */
    return fm_address_clean(about->arch, UINT64_MAX);
}

/* --- converting offsets in the file --- */

void fm_address_set_code(const struct fm_view *view, struct fm_address_conversion *conversion)
{
    if (fm_view_attribute(view, FM_STR(FM_ATTRIBUTE_CODE_OFFSETS), &conversion->code)) conversion->base = UINT64_MAX;
}

/* Parses one part of FM_ATTRIBUTE_CODE_OFFSETS, such as "6e0+270=16e0" (offset, size and position in hex), after an
 * optional blank. */
static bool read_code_part(struct fm_scan *s, uint64_t *offset, uint64_t *size, uint64_t *position)
{
    fm_scan_byte(s, ' ');
    return fm_scan_hex(s, offset, NULL, NULL) && fm_scan_byte(s, '+') && fm_scan_hex(s, size, NULL, NULL) &&
           fm_scan_byte(s, '=') && fm_scan_hex(s, position, NULL, NULL);
}

enum fm_address_result fm_address_below_base(const struct fm_address_conversion *conversion, uint64_t address,
                                             uint64_t *out)
{
    const uint64_t clean = address & conversion->mask, code = clean - (conversion->step_back && clean > 0);
    struct fm_scan s = fm_scan_of(conversion->code);
    uint64_t offset, size, position;

    if (conversion->code.data == NULL) return FM_ADDRESS_BELOW_IMAGE;
    while (read_code_part(&s, &offset, &size, &position)) {
        if (code < offset || code - offset >= size) continue;
        *out = (position + (clean - offset)) & conversion->mask;
        return conversion->step_back && *out == 0 ? FM_ADDRESS_NOTHING_BEFORE : FM_ADDRESS_IN_IMAGE;
    }
    return FM_ADDRESS_NO_CODE;
}
