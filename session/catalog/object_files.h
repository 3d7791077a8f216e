/* Chooses among the candidates for an object file that a Mach-O image names in its debug map. Called by
 * companion_files.c. */
#ifndef FM_SESSION_CATALOG_OBJECT_FILES_H
#define FM_SESSION_CATALOG_OBJECT_FILES_H

#include "session/catalog/companion_files.h"

/* Splits "libx.a(x.o)" into the path of a static archive and the name of a file in it. Another name is left alone. */
void fm_object_path_split(framemap_str name, framemap_str *path, framemap_str *member);

/* Leaves of the listed candidates those that were modified when the request says; of a static archive these are the
 * files in it that have the name. Those whose path ends as the stated one does come first. */
void fm_object_files_choose(struct fm_companion_files *files, const framemap_companion_request *wanted);

#endif
