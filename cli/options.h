/* Parses command lines into options and operands: long options with "=" or a separate value, bundled short options,
 * and "--".
 *
 * Each command has one table of options, from which its --help is printed as well. Values that must be one of a
 * fixed set are checked here. The whole command line is parsed before any file is opened. */
#ifndef FM_CLI_OPTIONS_H
#define FM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum fm_option_takes {
    FM_TAKES_NOTHING = 0,
    FM_TAKES_VALUE = 1,    /* the option has a value: "--name VALUE", "--name=VALUE", "-nVALUE", "-n VALUE" */
    FM_TAKES_OPTIONAL = 2, /* the value may be left out: "--name" or "--name=VALUE" */
    /* The kinds below take a value from a fixed set. Fronts do not use them, since a front has to report a wrong
     * value in the words of its tool. */
    FM_TAKES_WORD = 3,        /* the option takes one of the words in `value`, separated by '|': "text|json" */
    FM_TAKES_READ_FORMAT = 4, /* the value is a stack format that can be read */
    FM_TAKES_WRITE_FORMAT = 5,
    /* the value is "sourcemap", "dart", or a format of stacks or profiles that can be written */
    FM_TAKES_MAP_OR_FORMAT = 6,
    FM_TAKES_KIND = 7,      /* the value is a kind of symbol file */
    FM_TAKES_ANY_FORMAT = 8 /* the value is a format of stacks or profiles that can be read */
};

struct fm_option {
    /* value of the command's own enum, at least 1; several rows of the table may have the same value */
    int id;
    char letter;      /* short name; 0: the option has none */
    const char *name; /* long name without dashes; NULL: the option has none */
    enum fm_option_takes takes;
    const char *value; /* placeholder of the value in --help, or the allowed words */
    /* text for --help; NULL: the row is another spelling of an earlier option, and --help does not show it */
    const char *help;
};

/* Differences between the option syntax of a front's tool and of framemap's own commands. */
enum fm_option_habits {
    /* "--func" is accepted for "--functions" if the prefix is unambiguous (getopt_long) */
    FM_HABIT_PREFIXES = 1u << 0,
    FM_HABIT_LETTER_EQUALS = 1u << 1, /* "-f=VALUE" is accepted (tools of LLVM) */
    FM_HABIT_SINGLE_DASH = 1u << 2    /* "-arch VALUE" is accepted: long names after a single dash (atos, ndk-stack) */
};

enum fm_option_fault {
    FM_FAULT_NONE = 0,
    FM_FAULT_UNKNOWN,
    FM_FAULT_NO_VALUE,
    FM_FAULT_WITH_VALUE,
    FM_FAULT_SEVERAL,
    FM_FAULT_WORD,    /* the value is not one that the option allows */
    FM_FAULT_ONE_DASH /* a long name follows a single dash, "-symbols", which would be parsed as letters */
};

struct fm_options {
    const struct fm_option *table;
    size_t count;
    unsigned habits;
    int argc;
    char **argv;
    int at;              /* index of the next argument, from 1 */
    const char *letters; /* unread rest of bundled short options */
    bool operands_only;  /* "--" was read, so all further arguments are operands */
    /* The members below are the result of the last call. */
    const char *value;    /* value of the option, NULL: none; or the operand */
    const char *spelling; /* the option as spelled in argv, with its dashes and value */
    char letter[3];       /* "-x" if a short option was read, otherwise "" */
    enum fm_option_fault fault;
    const struct fm_option *row; /* row of the option; NULL: none */
};

enum { FM_OPTIONS_END = 0, FM_OPTIONS_OPERAND = -1, FM_OPTIONS_BAD = -2 };

void fm_options_init(struct fm_options *options, const struct fm_option *table, size_t count, int argc, char **argv);

/* Returns the id of the next option, or FM_OPTIONS_OPERAND, _END or _BAD (options->fault says what is wrong).
 * Options and operands may come in any order. */
int fm_options_next(struct fm_options *options);

struct fm_out;
/* Prints the rows that have a help text, in two columns. */
void fm_options_help(struct fm_out *out, const struct fm_option *table, size_t count);

/* Reports the fault on stderr, with a hint to use --help; returns FM_EXIT_USAGE. command: name of the command in that
 * hint. */
int fm_options_complain(const struct fm_options *options, const char *command);

/* Describes how a command reads its command line. `job` is the command's own state. */
struct fm_command_line {
    const char *command;
    const struct fm_option *table; /* the row for --help must have the id FM_OPTION_HELP */
    size_t rows;
    int (*help)(void); /* prints the help, and returns the exit code */
    /* Applies an option, or an operand (id FM_OPTIONS_OPERAND). Returns false if its value is invalid, which is
     * reported. */
    bool (*take)(void *job, int id, const char *value);
};
enum { FM_OPTION_HELP = 1 };

/* Reads the options and operands in their order. Returns -1 if the command is to run; otherwise its exit code: help
 * was printed, or a fault was reported. */
int fm_command_line_take(const struct fm_command_line *line, int argc, char **argv, void *job);

#endif
