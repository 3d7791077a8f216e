/* Reads envelopes of Sentry from a pipe. Restoring changes the length of an item, and this length is written before the
 * item's contents. So an envelope is read completely before it is written. Called by restore_input.c. */
#ifndef FM_CLI_ENVELOPE_PIPE_H
#define FM_CLI_ENVELOPE_PIPE_H

#include "cli/cli_io.h"

/* If a pipe begins as an envelope does, reads it to its end, or up to `most` bytes; otherwise reads only its start.
 * Returns whether `in` holds a whole envelope; false: the bytes read are the start of a text. Waits at most a second
 * for the second line. */
bool fm_envelope_gather(struct fm_in *in, uint64_t most);

#endif
