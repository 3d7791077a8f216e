/* Temporary files that are removed if a signal ends the process. Used by write_file.c only. */
#ifndef FM_CLI_TEMPORARY_H
#define FM_CLI_TEMPORARY_H

/* Makes and opens a file named from `pattern`, which ends in "XXXXXX" and is filled in, as by mkstemp. Until
 * fm_temporary_end, a signal that ends the process (HUP, INT, TERM, XCPU, XFSZ; not one that is ignored or handled by
 * others) removes the file first. pattern must live until then. One file at a time. Returns the descriptor, or -1 with
 * errno. */
int fm_temporary_begin(char *pattern);
/* To be called after the file was renamed or removed: restores the previous signal actions. */
void fm_temporary_end(void);

#endif
