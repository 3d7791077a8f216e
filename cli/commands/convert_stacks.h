/* The part of 'framemap convert' that writes stacks. */
#ifndef FM_CLI_CONVERT_STACKS_H
#define FM_CLI_CONVERT_STACKS_H

#include "cli/commands/convert_task.h"

/* Converts the stacks of all files, one file after the other. Errors are reported. */
framemap_status fm_convert_stacks(struct fm_convert_task *job);

#endif
