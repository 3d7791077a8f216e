/* Envelopes of Sentry on a pipe: they are read completely before they are written, since the length of an item precedes
 * its restored contents. Called by restore_input.c. */
#ifndef FM_CLI_ENVELOPE_PIPE_H
#define FM_CLI_ENVELOPE_PIPE_H

#include "cli/cli_io.h"

/* Reads the start of a pipe, or all of it, up to `most` bytes, if it begins as an envelope does. Returns whether `in`
 * holds a whole envelope; else what was read is the start of a text. Waits a second at most for the second line. */
bool fm_envelope_gather(struct fm_in *in, uint64_t most);

#endif
