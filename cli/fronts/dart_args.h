/* Parses command lines as package:args does, which Dart's tools use: the same options, error messages and usage text.
 */
#ifndef FM_CLI_FRONTS_DART_ARGS_H
#define FM_CLI_FRONTS_DART_ARGS_H

#include <stdbool.h>
#include <stddef.h>

struct fm_dart_option {
    int id;      /* number of the option, below FM_DART_OPTIONS */
    char letter; /* short name; 0: the option has none */
    const char *name;
    const char *value;   /* placeholder of the option's value in the usage text; NULL: it is a flag */
    const char *help;    /* text in the usage; NULL: the usage omits the option */
    const char *allowed; /* the allowed values, "a, b"; NULL: any value is allowed */
    bool several;        /* every use of the option adds values, separated by commas */
};
enum { FM_DART_OPTIONS = 16 };

struct fm_dart_grammar {
    const char *command; /* name of the command; NULL: the options before the command */
    const struct fm_dart_option *options;
    size_t count;
};

struct fm_dart_args {
    const struct fm_dart_grammar *command; /* grammar of the command that was given; NULL: none was given */
    bool given[FM_DART_OPTIONS];
    const char *values[FM_DART_OPTIONS]; /* the last value of each option */
    const char **several;                /* all values of the option with `several` */
    size_t several_count;
    const char **rest; /* the operands: arguments that belong to no option */
    size_t rest_count;
    char *fault;  /* error message; NULL: none */
    char *pieces; /* storage of the values in `several` */
};

/* Parses a command line. grammars[0] has the options that precede a command, and that every command accepts too. On
 * error, returns false and sets args->fault. */
bool fm_dart_args_parse(struct fm_dart_args *args, const struct fm_dart_grammar *grammars, size_t count, int argc,
                        char **argv);
void fm_dart_args_free(struct fm_dart_args *args);

struct fm_out;
/* Prints one or two lines of usage for each option, without a line end after the last line. */
void fm_dart_args_usage(struct fm_out *out, const struct fm_dart_grammar *grammar);

#endif
