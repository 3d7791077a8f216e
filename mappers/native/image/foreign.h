/* Messages for files that are not object files. Called for bytes that no mapper reads. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_FOREIGN_H
#define FM_MAPPERS_NATIVE_IMAGE_FOREIGN_H

#include <framemap/index.h>

/* Returns FORMAT with a message that names the file to use instead, and, if it is a known one, the kind of the file (an
 * archive, a PE file, a text …). */
framemap_status fm_image_refuse(framemap_str bytes, framemap_error *error);
/* Whether the bytes are a file of a known kind that a folder may have instead of symbol files (PE files, PDBs
 * …); *error: as fm_image_refuse sets it. */
bool fm_image_recognise(framemap_str bytes, framemap_error *error);

#endif
