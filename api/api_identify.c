/* framemap_file_identify: ids that take reading a whole file, and files that no mapper reads. */
#include "core/error.h"
#include "core/hash/sha1.h"
#include "core/text/guid.h"
#include "core/text/text.h"
#include "mappers/mapper.h"

/* A UUID of version 5 (RFC 9562), in the name space that Sentry uses for mappings: guardsquare.com in that of DNS. */
static void put_mapping_uuid(framemap_str bytes, framemap_image_info *image)
{
    static const char dns[] = "\x6b\xa7\xb8\x10\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8";
    enum { UUID = FM_GUID_DIGITS / 2 };
    unsigned char space[FM_SHA1_SIZE], hash[FM_SHA1_SIZE];
    char digits[FM_GUID_DIGITS];
    fm_sha1(fm_str(dns, UUID), FM_STR("guardsquare.com"), space);
    space[6] = (unsigned char)((space[6] & 0x0f) | 0x50);
    space[8] = (unsigned char)((space[8] & 0x3f) | 0x80);
    fm_sha1(fm_str(space, UUID), bytes, hash);
    hash[6] = (unsigned char)((hash[6] & 0x0f) | 0x50);
    hash[8] = (unsigned char)((hash[8] & 0x3f) | 0x80);
    fm_hex_put(hash, UUID, digits);
    fm_guid_put(digits, image->debug_id);
}

framemap_status framemap_file_identify(framemap_str bytes, framemap_image_info *image, framemap_error *error)
{
    if (image == NULL || (bytes.data == NULL && bytes.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (image->kind[0] == 0) return fm_mapper_identify(bytes, image) ? FRAMEMAP_OK : fm_mapper_refuse(bytes, error);
    const bool is_mapping =
        !image->is_index && (image->index_kind == FRAMEMAP_INDEX_R8 || image->index_kind == FRAMEMAP_INDEX_PROGUARD);
    if (is_mapping && image->debug_id[0] == 0) put_mapping_uuid(bytes, image);
    return FRAMEMAP_OK;
}
