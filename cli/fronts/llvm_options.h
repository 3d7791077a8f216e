/* The command line of llvm-symbolizer and llvm-addr2line. Called by front_llvm.c. */
#ifndef FM_CLI_FRONTS_LLVM_OPTIONS_H
#define FM_CLI_FRONTS_LLVM_OPTIONS_H

#include "cli/args.h"
#include "cli/fronts/llvm.h"

/* The options and operands of one run. The arrays belong to the caller, and have room for as many elements as there
 * are arguments. */
struct fm_llvm_front {
    struct fm_llvm llvm;
    /* "--functions" without a value was given; it overrides "--functions=short" before or after it */
    bool functions_alone;
    const char **debug_folders, **bundles;
    char **inputs;
    size_t input_count;
};

/* Reads the options into *front, which already has the defaults of the tool. Returns -1 if the tool is to run;
 * otherwise the exit code: help or version was printed, or a fault was reported. */
int fm_llvm_read_options(struct fm_llvm_front *front, struct fm_args *args);

#endif
