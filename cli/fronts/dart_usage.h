/* Options and usage texts of `decode` from package:native_stack_traces, copied word for word. */
#ifndef FM_CLI_FRONTS_DART_USAGE_H
#define FM_CLI_FRONTS_DART_USAGE_H

#include "cli/fronts/dart_args.h"

enum {
    FM_DECODE_HELP,
    FM_DECODE_DEBUG,
    FM_DECODE_VERBOSE,
    FM_DECODE_INPUT,
    FM_DECODE_OUTPUT,
    FM_DECODE_LOCATION,
    FM_DECODE_HEX,
    FM_DECODE_ARCH,
    FM_DECODE_VM_START,
    FM_DECODE_ISOLATE_START,
    FM_DECODE_DUMP,
    FM_DECODE_ANY_BUILD,
    FM_DECODE_MAX_MEMORY
};

enum { FM_DECODE_GRAMMARS = 5 };
/* The options before the command, then those of the commands dump, help, find and translate. */
extern const struct fm_dart_grammar fm_decode_grammars[FM_DECODE_GRAMMARS];

/* Prints the usage of a command to standard output; if fault is not NULL, "Error: FAULT." precedes it. Returns false
 * for an unknown command, or if the output cannot be written. */
bool fm_decode_print_usage(const char *command, const char *fault);
/* Prints "Error: …." and the usage of the command to standard output; returns the exit code. command NULL: the usage of
 * the tool. */
int fm_decode_fail(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
