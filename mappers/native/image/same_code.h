/* Determines whether two images without build ids come from one build. Called by session/catalog. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_SAME_CODE_H
#define FM_MAPPERS_NATIVE_IMAGE_SAME_CODE_H

#include "mappers/native/image/image_types.h"

/* Returns the CRC-32 of a whole file, as .gnu_debuglink states it (GDB manual, "Separate Debug Files"). */
uint32_t fm_image_link_crc(framemap_str bytes);

/* Whether two images look like one program: the same sections at the same addresses in memory, and the same code
 * where both have it (debug files have none). Notes are ignored, because tools remove them. */
bool fm_image_same_code(const struct fm_image *a, const struct fm_image *b);
/* Whether two images have the same debug info, compressed in the same way. */
bool fm_image_same_debug_info(const struct fm_image *a, const struct fm_image *b);

/* Writes which file a user has to give because this image has no debug info: "give its debug file app.debug (CRC-32
 * 0x1a2b3c4d)". Truncated to `room` bytes. */
void fm_image_describe_debug_file(const struct fm_image *image, char *out, size_t room);

#endif
