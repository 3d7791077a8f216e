/* A symbol file that is to be compiled, with everything that its compilation needs: the options of the user, the script
 * of a source map, the debug file, companions, progress and warnings. Shared by `index` and `verify`, so that both read
 * a file in the same way. */
#ifndef FM_CLI_COMPILE_INPUT_H
#define FM_CLI_COMPILE_INPUT_H

#include "cli/cli_io.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/symbols.h"

struct fm_compile_input {
    framemap_build_options build;
    const char *script;
    const char **symbols; /* symbol paths; there is room for all arguments */
    size_t symbol_count;
    framemap_session *session; /* finds files that belong to the input, such as separate debug files */
    bool quiet;
    const char *file;     /* the current file, for messages */
    const char *compiled; /* path of the file that is compiled: the current one, or its debug file */
    framemap_error lack;  /* why the current file has no debug info; code OK: it has some */
    bool has_objects;     /* at least some of the object files with the debug info of the current file were found */
    framemap_error fault; /* the first fault in the current file that was skipped */
    struct fm_progress progress;
};

/* Ids of the options that all commands which compile symbol files have. */
enum {
    FM_INPUT_ARCH = 100,
    FM_INPUT_THREADS,
    FM_INPUT_MAX_MEMORY,
    FM_INPUT_MAPPER,
    FM_INPUT_READER,
    FM_INPUT_STRICT,
    FM_INPUT_RANGES,
    FM_INPUT_SCRIPT,
    FM_INPUT_SYMBOLS,
    FM_INPUT_QUIET
};
/* The rows of the option table for FILEs that are compiled; each row takes two lines. threads, reader: descriptions
 * of the options with these names for --help. */
/* clang-format off */
#define FM_INPUT_OPTIONS(threads, reader)                                                                             \
    {FM_INPUT_ARCH, 0, "arch", FM_TAKES_VALUE, "ARCH", "use this architecture of a fat file"},                        \
    {FM_INPUT_THREADS, 'j', "threads", FM_TAKES_VALUE, "N", threads},                                                 \
    {FM_INPUT_MAX_MEMORY, 0, "max-memory", FM_TAKES_VALUE, "SIZE",                                                    \
     "fail rather than use more memory; K, M and G are powers of 1024"},                                              \
    {FM_INPUT_MAPPER, 0, "kind", FM_TAKES_KIND, "KIND",                                                               \
     "read FILE as this kind ('framemap list'); default: detected from its content"},                                 \
    {FM_INPUT_READER, 0, "reader", FM_TAKES_WORD, "fast|libdwarf", reader},                                           \
    {FM_INPUT_STRICT, 0, "strict", FM_TAKES_NOTHING, NULL,                                                            \
     "reject a text file with any fault, and a source map also for members that some tools write as null"},                          \
    {FM_INPUT_RANGES, 0, "range-mappings", FM_TAKES_WORD, FM_RANGE_BASES,                                             \
     "how rangeMappings counts a line's segments: from 1 (default) or 0; 'off' ignores it"},                          \
    {FM_INPUT_SCRIPT, 0, "script", FM_TAKES_VALUE, "FILE",                                                            \
     "the source map's script, from which function names are read (default: main.js next to main.js.map)"},           \
    {FM_INPUT_SYMBOLS, 's', "symbols", FM_TAKES_VALUE, "PATH",                                                        \
     "search PATH, a file or a directory, for debug info that FILE has in other files (.dwo, .dwp, dwz, object files)"}, \
    {FM_INPUT_QUIET, 'q', "quiet", FM_TAKES_NOTHING, NULL, "do not report faults that were skipped"}
/* clang-format on */

/* Prepares the input of a compilation. arguments: the number of command-line arguments. The struct must not be moved
 * afterwards; free it with fm_compile_input_free. */
void fm_compile_input_init(struct fm_compile_input *input, int arguments);
void fm_compile_input_free(struct fm_compile_input *input);
/* Takes one of the options in FM_INPUT_OPTIONS. false: its value is wrong, which was reported. */
bool fm_compile_input_option(struct fm_compile_input *input, int id, const char *value);
/* Prepares the search for companions: to be called once, before the first file. Errors: IO, MEMORY. */
framemap_status fm_compile_input_ready(struct fm_compile_input *input, framemap_error *error);

/* For an image without debug info, returns the path of its separate debug file, owned by the caller; NULL if there is
 * none, with the reason in input->lack. */
char *fm_compile_input_debug_file(struct fm_compile_input *input);

/* Opens the file at `path` with its script, calls `use` with its bytes and input->build, and closes it. If the file
 * was changed meanwhile, the status is IO although `use` succeeded. */
typedef framemap_status fm_compile_input_use(void *context, framemap_str bytes, framemap_str name,
                                             const framemap_build_options *build, framemap_error *error);
framemap_status fm_compile_input_with(struct fm_compile_input *input, const char *path, fm_compile_input_use *use,
                                      void *context, framemap_error *error);

#endif
