/* framemap restore: lists what no symbols were found for. Called by cmd_restore.c. */
#ifndef FM_CLI_COMMANDS_RESTORE_MISSING_H
#define FM_CLI_COMMANDS_RESTORE_MISSING_H

#include <framemap/framemap.h>

/* Reports the images and scripts without symbols, and what to give for them. Returns how many frames they have.
 * has_paths: symbol paths were given, so the advice is to add to them. */
uint64_t fm_report_missing(framemap_session *session, bool has_paths);

/* Reports that symbols were given and found, but know no frame at all: they are probably of another build, or the text
 * does not say what its addresses are in. listed: the frames that fm_report_missing accounted for. */
void fm_report_strangers(const framemap_restore_summary *summary, uint64_t listed);

#endif
