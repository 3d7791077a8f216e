/* Names of commands, for messages. Separate from main.c, so that commands do not depend on the table of their
 * functions. */
#include "cli/cli.h"

#include <string.h>

#define COMMAND_NAME(name, run, summary, front) name,
static const char *const names[] = {FM_COMMAND_TABLE(COMMAND_NAME)};

bool fm_is_command(const char *word)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], word) == 0) return true;
    return false;
}
