/* The members of an ar archive. Called by archive.c. */
#ifndef FM_CORE_ARCHIVE_ARCHIVE_AR_H
#define FM_CORE_ARCHIVE_ARCHIVE_AR_H

#include "core/archive/archive_types.h"

/* Returns the next member that is a file, and not one of the archive's own tables. *more: false at the end. Errors:
 * CORRUPT. */
framemap_status fm_ar_next(struct fm_archive *archive, struct fm_archive_member *out, bool *more,
                           framemap_error *error);

#endif
