/* framemap restore: lists what no symbols were found for. Called by cmd_restore.c. */
#ifndef FM_CLI_COMMANDS_RESTORE_MISSING_H
#define FM_CLI_COMMANDS_RESTORE_MISSING_H

#include <framemap/framemap.h>

/* has_paths: symbol paths were given, so the advice is to add to them. */
void fm_report_missing(framemap_session *session, bool has_paths);

#endif
