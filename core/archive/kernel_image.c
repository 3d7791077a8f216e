/* The header of a bzImage (Documentation/arch/x86/boot.rst of Linux: "The Real-Mode Kernel Header"). */
#include "core/archive/kernel_image.h"

#include "core/archive/inflate_input.h"
#include "core/byte_reader.h"
#include "core/text/text.h"

enum {
    SECTOR = 512,
    SETUP_SECTORS_AT = 0x1f1,
    MAGIC_AT = 0x202,
    VERSION_AT = 0x206,
    PAYLOAD_AT = 0x248,
    LEAST_VERSION = 0x0208, /* the first version whose header states where the payload is */
    OLD_SETUP_SECTORS = 4   /* number of setup sectors if the header states 0 */
};

bool fm_is_kernel_image(framemap_str bytes)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, false);
    if (!fm_str_starts(fm_str_from(bytes, MAGIC_AT), FM_STR("HdrS"))) return false;
    fm_byte_reader_seek(&r, VERSION_AT);
    return fm_read_u16(&r) >= LEAST_VERSION && bytes.size >= FM_KERNEL_HEAD;
}

#define GIVE "; give its vmlinux, its System.map or /proc/kallsyms"

static const char *refused_kind(framemap_str payload)
{
    static const struct {
        framemap_str magic;
        const char *why;
    } kinds[] = {{FM_STR_INIT("\x02\x21\x4c\x18"), "its kernel is compressed with lz4" GIVE},
                 {FM_STR_INIT("BZh"), "its kernel is compressed with bzip2" GIVE},
                 {FM_STR_INIT("\x5d\0\0"), "its kernel is compressed with lzma" GIVE},
                 {FM_STR_INIT("\x89LZO"), "its kernel is compressed with lzo" GIVE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fm_str_starts(payload, kinds[i].magic)) return kinds[i].why;
    return fm_is_compressed(payload) ? NULL : "its kernel is compressed in an unknown way" GIVE;
}

bool fm_kernel_payload(framemap_str bytes, framemap_str *payload, const char **refused)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, false);
    /* Size of the number, the decompressed size, that the kernel's build appends to the compressed data. It appends
     * nothing to gzip data, because these end with that number anyway. */
    enum { SIZE_FIELD = 4 };
    fm_byte_reader_seek(&r, SETUP_SECTORS_AT);
    const uint8_t sectors = fm_read_u8(&r);
    fm_byte_reader_seek(&r, PAYLOAD_AT);
    const uint32_t at = fm_read_u32(&r), size = fm_read_u32(&r);
    fm_byte_reader_seek(&r, (uint64_t)((sectors > 0 ? sectors : OLD_SETUP_SECTORS) + 1) * SECTOR + at);
    *payload = fm_read_bytes(&r, size);
    if (r.bad) return false;
    *refused = refused_kind(*payload);
    if (payload->size > SIZE_FIELD && !fm_str_starts(*payload, FM_STR("\x1f\x8b"))) payload->size -= SIZE_FIELD;
    return true;
}
