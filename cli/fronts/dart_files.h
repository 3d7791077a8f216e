/* What the fronts of Dart's tools share. */
#ifndef FM_CLI_FRONTS_DART_FILES_H
#define FM_CLI_FRONTS_DART_FILES_H

#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/symbols.h"

/* Debug files of one program: of itself, and of its loading units. */
struct fm_dart_files {
    struct fm_cli_symbols symbols;
    const char *program;
    struct fm_dart_unit_file {
        uint64_t unit;
        const char *path;
    } *units;
    size_t unit_count;
};

/* Opens a debug file: a split debug info file, a snapshot, a dSYM bundle, an index. arch: as symbol files name it,
 * NULL: the only one. Says why not. NULL: failed. */
const framemap_index *fm_dart_open(struct fm_dart_files *files, const char *path, const char *arch);

struct fm_dart_translation {
    const char *command;        /* that a text can be piped to, for notices */
    const char *input, *output; /* NULL: standard input and output */
    const char *names;          /* an obfuscation map; NULL: none */
    bool internal_frames, any_build;
    uint64_t max_memory; /* of --max-memory; 0: none */
};
/* Translates a whole text, as it comes; returns an exit code. */
int fm_dart_translate(struct fm_dart_files *files, const struct fm_dart_translation *translation);

#endif
