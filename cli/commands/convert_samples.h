/* The part of 'framemap convert' that writes profiles. */
#ifndef FM_CLI_CONVERT_SAMPLES_H
#define FM_CLI_CONVERT_SAMPLES_H

#include "cli/commands/convert_task.h"

/* Whether a format is one in which profiles can be written. */
bool fm_is_sample_format(const char *name);
/* Reads all files as one profile, and writes it. Errors are reported. */
framemap_status fm_convert_samples(struct fm_convert_task *job);

#endif
