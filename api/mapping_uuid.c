/* Implements mapping_uuid.h: computes a UUID of version 5 over the bytes of the mapping, in the name space that
 * Sentry's `proguard` crate derives from "guardsquare.com". */
#include "api/mapping_uuid.h"
#include "core/hash/uuid5.h"
#include "core/text/text.h"

void fm_mapping_uuid(framemap_str bytes, char digits[FM_GUID_DIGITS])
{
    /* The name space of DNS (RFC 9562). Sentry's crate `proguard` makes its own name space of it and
     * "guardsquare.com". */
    static const char dns[] = "\x6b\xa7\xb8\x10\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8";
    unsigned char space[FM_UUID_BYTES], uuid[FM_UUID_BYTES];
    fm_uuid5(fm_str(dns, FM_UUID_BYTES), FM_STR("guardsquare.com"), space);
    fm_uuid5(fm_str((const char *)space, sizeof space), bytes, uuid);
    fm_hex_put(uuid, sizeof uuid, digits);
}
