/* The part of 'framemap convert' that writes stacks. */
#ifndef FM_CLI_CONVERT_STACKS_H
#define FM_CLI_CONVERT_STACKS_H

#include "cli/cli_io.h"

struct fm_convert_stacks {
    const char *to, *format; /* format: of the input; NULL: decided by its text */
    const char **files;      /* "-": standard input */
    size_t file_count;
    const char **symbols;
    size_t symbol_count;
    bool quiet;
    struct fm_out *out; /* flushed before a read that can block; NULL: the output is not standard output */
    framemap_write write;
    void *context; /* of write */
    /* Written by the call: */
    uint64_t stacks;
    uint32_t lost;
};

/* Converts the stacks of each file by itself. Errors are reported. */
framemap_status fm_convert_stacks(struct fm_convert_stacks *job);

#endif
