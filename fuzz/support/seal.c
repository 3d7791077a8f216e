#include "fuzz/support/seal.h"

#include "core/hash/hash.h"
#include "index/format/bits.h"
#include "index/format/layout.h"

void fm_fuzz_seal(unsigned char *data, size_t size, bool with_sizes)
{
    if (size < FMX_HEADER) return;
    const uint32_t sections = fm_load32(data + FMX_AT_SECTIONS);
    if (sections > FMX_SECTIONS_MOST || FMX_HEADER + FMX_ENTRY * sections > size) return;
    if (with_sizes) {
        fm_store32(data + FMX_AT_HEADER_SIZE, FMX_HEADER + FMX_ENTRY * sections);
        fm_store64(data + FMX_AT_FILE_SIZE, size);
    }
    for (uint32_t i = 0; i < sections; i++) {
        unsigned char *entry = data + FMX_HEADER + FMX_ENTRY * i;
        const uint64_t offset = fm_load64(entry + FMX_ENTRY_OFFSET), part = fm_load64(entry + FMX_ENTRY_SIZE);
        if (offset <= size && part <= size - offset)
            fm_store64(entry + FMX_ENTRY_HASH, fm_hash64(data + offset, (size_t)part, 0));
    }
    fm_store64(data + FMX_AT_CHECK, fm_header_check(data, FMX_HEADER + FMX_ENTRY * sections));
}
