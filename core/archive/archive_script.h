/* The source maps in a script whose modules are strings that it passes to eval. Called by archive.c. member_file.c and
 * the session's catalog recognize such modules by their URL. */
#ifndef FM_CORE_ARCHIVE_ARCHIVE_SCRIPT_H
#define FM_CORE_ARCHIVE_ARCHIVE_SCRIPT_H

#include "core/archive/archive_types.h"

/* how the URL of a module begins that webpack or Rspack passes to eval */
#define FM_SCRIPT_MODULE "webpack-internal:///"

/* Returns the next map; *more: false if there is none. */
void fm_script_next(struct fm_archive *archive, struct fm_archive_member *out, bool *more);

#endif
