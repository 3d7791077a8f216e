/* Removes the bits of a code address that are not part of it. Called by session/restore. */
#include "resolve/native/address.h"

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
    if (query->address_kind == FRAMEMAP_ADDRESS_NONE || !is_arm32(about->arch)) return UINT64_MAX;
    if (fm_str_equal(query->scope, FM_STR("data"))) return UINT64_MAX; /* data may be at odd addresses */
    if (about->kind_row->flags & FM_KIND_NO_THUMB)
        return UINT64_MAX; /* addresses in files of these kinds have no Thumb bit */
    return fm_address_clean(about->arch, UINT64_MAX);
}
