/* Messages for files that are not object files. Called for bytes that no mapper reads. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_FOREIGN_H
#define FM_MAPPERS_NATIVE_IMAGE_FOREIGN_H

#include <framemap/index.h>

/* FORMAT, saying what these bytes look like (a PE file, an archive, a text …) and what to give instead. */
framemap_status fm_image_refuse(framemap_str bytes, framemap_error *error);

#endif
