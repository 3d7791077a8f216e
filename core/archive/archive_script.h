/* The source maps in a script whose modules are strings that it passes to eval. Called by archive.c. member_file.c and
 * the session's catalog recognize such modules by their URL; mapper_registry.c and session_index.c refuse such a script
 * if it is given for a map. */
#ifndef FM_CORE_ARCHIVE_ARCHIVE_SCRIPT_H
#define FM_CORE_ARCHIVE_ARCHIVE_SCRIPT_H

#include "core/archive/archive_types.h"

/* how the URL of a module begins that webpack or Rspack passes to eval */
#define FM_SCRIPT_MODULE "webpack-internal:///"

/* Returns the next map; *more: false if the script has no further map. */
void fm_script_next(struct fm_archive *archive, struct fm_archive_member *out, bool *more);

/* Sets the error for such a script without a map of its own, with an example of what can be named in it. module: the
 * URL of one of its modules. Returns `code`. */
framemap_status fm_script_refuse(framemap_status code, framemap_str module, framemap_error *error);

#endif
