/* Arguments that are not typed: "@file" on the command line, options in the environment. */
#ifndef FM_CLI_ARGS_H
#define FM_CLI_ARGS_H

#include <stddef.h>

struct fm_args {
    int argc;
    char **argv; /* NULL-terminated, each owned */
    size_t room;
};

/* argv[0], the words of `environment` (NULL: none), argv[1 ..]; "@file" stands for the words of that file, also within
 * one, where the file can be read and is not the hundredth. Words are split at blanks; quotes and backslashes keep them
 * together. */
void fm_args_init(struct fm_args *args, int argc, char **argv, const char *environment);
void fm_args_free(struct fm_args *args);

#endif
