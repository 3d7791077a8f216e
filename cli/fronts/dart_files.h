/* Shared by the fronts of Dart's tools: symbol files and the translation of a text. */
#ifndef FM_CLI_FRONTS_DART_FILES_H
#define FM_CLI_FRONTS_DART_FILES_H

#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/symbols.h"

/* Debug files of one program and of its loading units. */
struct fm_dart_files {
    struct fm_cli_symbols symbols;
    const char *program;
    struct fm_dart_unit_file {
        uint64_t unit;
        const char *path;
    } *units;
    size_t unit_count;
};

struct fm_dart_translation {
    const char *command;        /* command line to pipe a text to, for messages */
    const char *input, *output; /* paths; NULL: standard input and output */
    const char *names;          /* an obfuscation map; NULL: none */
    bool internal_frames, any_build;
    uint64_t max_memory; /* value of --max-memory; 0: no limit */
};
/* Translates the input to the output as it arrives; returns an exit code. */
int fm_dart_translate(struct fm_dart_files *files, const struct fm_dart_translation *translation);

#endif
