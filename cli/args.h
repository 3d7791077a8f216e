/* Expands a command line: "@file" arguments, and options from the environment. Called by the fronts whose original
 * tools do that. */
#ifndef FM_CLI_ARGS_H
#define FM_CLI_ARGS_H

#include <stddef.h>

struct fm_args {
    int argc;
    char **argv; /* NULL-terminated; each argument is owned */
    size_t room;
};

/* Collects the words: argv[0], the words of `environment` (NULL: none), argv[1 ..]. Words are separated by blanks,
 * unless these are quoted or escaped with a backslash. Each "@file" is replaced by the words of that file, recursively.
 * It stays as it is if the file cannot be read, or if 100 files were expanded before it. */
void fm_args_init(struct fm_args *args, int argc, char **argv, const char *environment);
void fm_args_free(struct fm_args *args);

#endif
