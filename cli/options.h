/* Command lines to options and operands: long ones with "=" or a separate value, bundled short ones, "--".
 *
 * A command has one table; --help is printed from it, so that what is read and what is told cannot differ. Values that
 * are one of a fixed set are checked by it, too: the whole command line is read before any file is opened. */
#ifndef FM_CLI_OPTIONS_H
#define FM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum fm_option_takes {
    FM_TAKES_NOTHING = 0,
    FM_TAKES_VALUE = 1,    /* "--name VALUE", "--name=VALUE", "-nVALUE", "-n VALUE" */
    FM_TAKES_OPTIONAL = 2, /* "--name" or "--name=VALUE" */
    /* As FM_TAKES_VALUE, but one of a fixed set. Not for fronts: they answer a wrong word as their tools do. */
    FM_TAKES_WORD = 3,        /* one of the words of `value`, which are separated by bars: "text|json" */
    FM_TAKES_READ_FORMAT = 4, /* a stack format that is read */
    FM_TAKES_WRITE_FORMAT = 5,
    FM_TAKES_MAP_OR_FORMAT = 6, /* "sourcemap", "dart", or a stack format that is written */
    FM_TAKES_KIND = 7           /* a kind of symbol file */
};

struct fm_option {
    int id;           /* of the command's own enum, from 1; several rows may share one */
    char letter;      /* 0: none */
    const char *name; /* without dashes; NULL: none */
    enum fm_option_takes takes;
    const char *value; /* how --help calls the value; the words that can be chosen from */
    const char *help;  /* NULL: another spelling of a row above it, left out of --help */
};

/* How a front's tool reads its options, where that differs from ours. */
enum fm_option_habits {
    FM_HABIT_PREFIXES = 1u << 0,      /* "--func" for "--functions" where no other begins so (getopt_long) */
    FM_HABIT_LETTER_EQUALS = 1u << 1, /* "-f=VALUE" (LLVM) */
    FM_HABIT_SINGLE_DASH = 1u << 2    /* "-arch VALUE": long names behind one dash (atos, ndk-stack) */
};

enum fm_option_fault {
    FM_FAULT_NONE = 0,
    FM_FAULT_UNKNOWN,
    FM_FAULT_NO_VALUE,
    FM_FAULT_WITH_VALUE,
    FM_FAULT_SEVERAL,
    FM_FAULT_WORD,    /* the value is not of the option's set */
    FM_FAULT_ONE_DASH /* "-symbols": a long name after one dash, which would read as letters */
};

struct fm_options {
    const struct fm_option *table;
    size_t count;
    unsigned habits;
    int argc;
    char **argv;
    int at;              /* next argument; begins at 1 */
    const char *letters; /* rest of a bundle */
    bool operands_only;  /* "--" was seen */
    /* What the last call read. */
    const char *value;    /* of the option, NULL: none; the operand itself */
    const char *spelling; /* the option as it stands in argv, with its dashes and value */
    char letter[3];       /* "-x" where a single letter was read, "" else */
    enum fm_option_fault fault;
    const struct fm_option *row; /* of the option that was read last; NULL: none */
};

enum { FM_OPTIONS_END = 0, FM_OPTIONS_OPERAND = -1, FM_OPTIONS_BAD = -2 };

void fm_options_init(struct fm_options *options, const struct fm_option *table, size_t count, int argc, char **argv);

/* The id of the next option, or FM_OPTIONS_OPERAND, _END, _BAD (see fault). Options and operands may come in any order.
 */
int fm_options_next(struct fm_options *options);

/* Prints the rows that have a help text, in columns. */
struct fm_out;
void fm_options_help(struct fm_out *out, const struct fm_option *table, size_t count);

/* Tells what was wrong on stderr, with what to do next; returns FM_EXIT_USAGE. command: "index", as --help wants it. */
int fm_options_complain(const struct fm_options *options, const char *command);

#endif
