/* The directory of a zip archive. Called by archive.c. */
#ifndef FM_CORE_ARCHIVE_ARCHIVE_ZIP_H
#define FM_CORE_ARCHIVE_ARCHIVE_ZIP_H

#include "core/archive/archive_types.h"

/* Finds the directory. Errors: CORRUPT, TRUNCATED (there is none), LIMIT. */
framemap_status fm_zip_open(framemap_str bytes, struct fm_archive *out, framemap_error *error);
/* Returns the member that the next record of the directory describes. Errors: CORRUPT. */
framemap_status fm_zip_next(struct fm_archive *archive, struct fm_archive_member *out, framemap_error *error);

#endif
