/* Command lines as package:args reads them, which Dart's own tools are made with: what is an option, what is wrong with
 * one, how the options are told of. */
#ifndef FM_CLI_FRONTS_DART_ARGS_H
#define FM_CLI_FRONTS_DART_ARGS_H

#include <stdbool.h>
#include <stddef.h>

struct fm_dart_option {
    int id;      /* below FM_DART_OPTIONS */
    char letter; /* 0: none */
    const char *name;
    const char *value;   /* how usage calls its value; NULL: a flag */
    const char *help;    /* NULL: usage does not tell of it */
    const char *allowed; /* "a, b": all that its value may be; NULL: anything */
    bool several;        /* each use adds values, with commas between them */
};
enum { FM_DART_OPTIONS = 16 };

struct fm_dart_grammar {
    const char *command; /* NULL: what stands before the command */
    const struct fm_dart_option *options;
    size_t count;
};

struct fm_dart_args {
    const struct fm_dart_grammar *command; /* NULL: none was given */
    bool given[FM_DART_OPTIONS];
    const char *values[FM_DART_OPTIONS]; /* the last of each */
    const char **several;                /* all values of the option that may have several */
    size_t several_count;
    const char **rest; /* what is neither option nor command */
    size_t rest_count;
    char *fault;  /* what is wrong; NULL: nothing */
    char *pieces; /* what values of several options were cut from */
};

/* grammars[0] is for the options before a command, which commands have as well. false: see fault. */
bool fm_dart_args_parse(struct fm_dart_args *args, const struct fm_dart_grammar *grammars, size_t count, int argc,
                        char **argv);
void fm_dart_args_free(struct fm_dart_args *args);

/* Prints the options, one or two lines each, without the end of the last line. */
struct fm_out;
void fm_dart_args_usage(struct fm_out *out, const struct fm_dart_grammar *grammar);

#endif
