/* Lists the images and scripts for which no symbols were found. Called by the commands that restore stacks: restore,
 * convert and top. */
#ifndef FM_CLI_COMMANDS_RESTORE_MISSING_H
#define FM_CLI_COMMANDS_RESTORE_MISSING_H

#include <framemap/framemap.h>

/* Reports the images and scripts without symbols, and which files to give for them. Returns the number of their
 * frames. has_paths: symbol paths were given, so the advice is to add files to these. */
uint64_t fm_report_missing(framemap_session *session, bool has_paths);

/* Reports that symbols were given and found, but match no frame at all: the symbols are probably of another build, or
 * the text does not say which images the addresses belong to. listed: number of frames that fm_report_missing has
 * counted. */
void fm_report_strangers(const framemap_restore_summary *summary, uint64_t listed);

#endif
