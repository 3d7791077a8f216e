/* Whether two images are of one build when neither has a build id. Called by session/catalog. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_SAME_CODE_H
#define FM_MAPPERS_NATIVE_IMAGE_SAME_CODE_H

#include "mappers/native/image/image_types.h"

/* CRC-32 of a whole file, as .gnu_debuglink holds it (GDB manual, "Separate Debug Files"). */
uint32_t fm_image_link_crc(framemap_str bytes);

/* Whether two images are one program for all that can be seen: the same sections in memory at the same addresses, and
 * the same code where both hold it; debug files hold none. Notes are passed over: tools remove them. For images that no
 * build id tells apart. */
bool fm_image_same_code(const struct fm_image *a, const struct fm_image *b);
/* Whether both hold the same debug info, stored the same way. */
bool fm_image_same_debug_info(const struct fm_image *a, const struct fm_image *b);

/* "give its debug file app.debug (CRC-32 0x1a2b3c4d)": what a user has to add where this image lacks debug info. Cut
 * off to the room. */
void fm_image_describe_debug_file(const struct fm_image *image, char *out, size_t room);

#endif
