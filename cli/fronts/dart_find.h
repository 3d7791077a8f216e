/* `decode find`: looks up single addresses of a Dart program. */
#ifndef FM_CLI_FRONTS_DART_FIND_H
#define FM_CLI_FRONTS_DART_FIND_H

#include "cli/fronts/dart_args.h"
#include "cli/fronts/dart_files.h"

/* Looks up the addresses of a `decode find` command line. index NULL: the file has several architectures and none was
 * selected. Returns an exit code. */
int fm_decode_find(struct fm_dart_files *files, const framemap_index *index, const struct fm_dart_args *args);

#endif
