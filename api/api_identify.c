/* Implements framemap_file_identify: computes the ids that depend on the whole file, and recognizes files that no
 * mapper reads. */
#include "api/mapping_uuid.h"
#include "core/error.h"
#include "mappers/mapper.h"

framemap_status framemap_file_identify(framemap_str bytes, framemap_image_info *image, framemap_error *error)
{
    if (image == NULL || (bytes.data == NULL && bytes.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (image->kind[0] == 0) return fm_mapper_identify(bytes, image) ? FRAMEMAP_OK : fm_mapper_refuse(bytes, error);
    const bool is_mapping =
        !image->is_index && (image->index_kind == FRAMEMAP_INDEX_R8 || image->index_kind == FRAMEMAP_INDEX_PROGUARD);
    if (!is_mapping || image->debug_id[0]) return FRAMEMAP_OK;
    char digits[FM_GUID_DIGITS];
    fm_mapping_uuid(bytes, digits);
    fm_guid_put(digits, image->debug_id);
    return FRAMEMAP_OK;
}
