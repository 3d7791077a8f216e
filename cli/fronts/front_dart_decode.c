/* framemap dart-decode: compatible with `decode` of package:native_stack_traces. As in that tool, errors in the
 * command line are printed to stdout with the usage, and the exit code is 1. */
#include "cli/fronts/dart_files.h"
#include "cli/fronts/dart_find.h"
#include "cli/fronts/dart_usage.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- opening the debug file --- */

static const char *arch_of(const char *arch)
{
    if (arch && strcmp(arch, "x64") == 0) return "x86_64";
    return arch && strcmp(arch, "ia32") == 0 ? "i386" : arch;
}

/* Whether the path is a file or a dSYM bundle. */
static bool is_there(const char *path)
{
    struct stat about;
    char *bundled = fm_bundle_file(path);
    const char *file = bundled ? bundled : path;
    const bool there = stat(file, &about) == 0 && !S_ISDIR(about.st_mode) && access(file, R_OK) == 0;
    free(bundled);
    return there;
}

static int no_debug_info(const char *command, const char *path)
{
    return fm_decode_fail(command, "file \"%s\" does not contain debugging information", path);
}

/* Opens the debug file. Returns -1 to continue, with *index NULL if the file has several architectures or exceeds
 * max_memory; otherwise an exit code. */
static int load_dart_files(struct fm_dart_files *files, const char *command, const char *arch, uint64_t max_memory,
                           const framemap_index **index)
{
    framemap_error error;
    framemap_index_info info;
    const char *path = files->program;
    *index = NULL;
    if (path == NULL) return fm_decode_fail(command, "must provide -d/--debug");
    if (!is_there(path)) return fm_decode_fail(command, "debug file \"%s\" does not exist", path);
    if (fm_cli_symbols_open_with(&files->symbols, (framemap_session_options){.max_memory = max_memory}, &error))
        return fm_message_error(NULL, &error);
    framemap_status status = fm_cli_symbols_exact(&files->symbols, path, NULL, index, &error);
    if (status == FRAMEMAP_E_MISMATCH && arch)
        status = fm_cli_symbols_exact(&files->symbols, path, arch_of(arch), index, &error);
    if (status == FRAMEMAP_E_MISMATCH || (status == FRAMEMAP_E_MEMORY && max_memory > 0)) return -1;
    if (status != FRAMEMAP_OK) {
        fm_message_error(path, &error);
        return no_debug_info(command, path);
    }
    framemap_index_describe(*index, &info);
    return info.has_lines ? -1 : no_debug_info(command, path);
}

/* --- running the command `dump` --- */

static int dump_bytes(framemap_str bytes, const char *path, const char *arch, int fd)
{
    framemap_error error;
    struct fm_out *out = fm_cli_resize(NULL, sizeof *out);
    fm_out_init(out, fd);
    fflush(stdout);
    const framemap_status status = framemap_dart_dump(bytes, arch, NULL, fm_out_write, out, &error);
    const bool written = fm_out_flush(out);
    free(out);
    if (status == FRAMEMAP_OK) return written ? FM_EXIT_DONE : FM_EXIT_FAILED;
    if (status != FRAMEMAP_E_IO || written) fm_message_error(path, &error);
    return status == FRAMEMAP_E_EMPTY || status == FRAMEMAP_E_FORMAT ? no_debug_info("dump", path) : FM_EXIT_FAILED;
}

static int dump_file(const char *command, const char *path, const char *arch, int fd)
{
    framemap_error error;
    struct fm_file file;
    if (!is_there(path)) return fm_decode_fail(command, "debug file \"%s\" does not exist", path);
    char *bundled = fm_bundle_file(path);
    int code = fm_file_open(bundled ? bundled : path, &file, &error) ? fm_message_error(path, &error) : -1;
    if (code < 0) {
        code = dump_bytes(file.bytes, path, arch, fd);
        if (fm_file_check(path, &file, &error)) code = fm_message_error(path, &error);
        fm_file_close(&file);
    }
    free(bundled);
    return code;
}

static int decode_dump(const struct fm_dart_args *args)
{
    const char *output = args->values[FM_DECODE_OUTPUT];
    if (args->rest_count == 0)
        return fm_decode_fail("dump",
                              "must provide a path to an ELF file or dSYM directory that contains DWARF information");
    if (output == NULL) return dump_file("dump", args->rest[0], arch_of(args->values[FM_DECODE_ARCH]), STDOUT_FILENO);
    if (!is_there(args->rest[0])) return fm_decode_fail("dump", "debug file \"%s\" does not exist", args->rest[0]);
    if (fm_output_is_input(output, args->rest[0])) return FM_EXIT_FAILED;
    const int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return fm_message("%s: cannot be written", output), FM_EXIT_FAILED;
    const int code = dump_file("dump", args->rest[0], arch_of(args->values[FM_DECODE_ARCH]), fd);
    close(fd);
    return code;
}

/* Handles --dump_debug_file_contents of versions before 0.5: prints the dump before the output of the command that
 * was given. */
static int dump_first(const struct fm_dart_args *args)
{
    if (!args->given[FM_DECODE_DUMP]) return -1;
    const int code = dump_file(args->command->command, args->values[FM_DECODE_DEBUG], NULL, STDOUT_FILENO);
    if (code == FM_EXIT_DONE) putchar('\n');
    fflush(stdout);
    return code == FM_EXIT_DONE ? -1 : code;
}

/* --- running the other commands: `translate`, `find`, `help` --- */

/* Parses the value of --max-memory. Returns false if it is not a size, which is reported. */
static bool take_decode_memory(const struct fm_dart_args *args, uint64_t *out)
{
    const char *value = args->values[FM_DECODE_MAX_MEMORY];
    return value == NULL || fm_parse_memory(value, out);
}

static int decode_translate(const struct fm_dart_args *args)
{
    struct fm_dart_files files = {.program = args->values[FM_DECODE_DEBUG]};
    struct fm_dart_translation translation = {.command = "framemap dart-decode translate -d SYMBOLS",
                                              .input = args->values[FM_DECODE_INPUT],
                                              .output = args->values[FM_DECODE_OUTPUT],
                                              .internal_frames = args->given[FM_DECODE_VERBOSE],
                                              .any_build = args->given[FM_DECODE_ANY_BUILD]};
    const framemap_index *index;
    if (!take_decode_memory(args, &translation.max_memory)) return FM_EXIT_FAILED;
    int code = load_dart_files(&files, "translate", NULL, translation.max_memory, &index);
    if (code < 0) code = dump_first(args);
    if (code < 0) code = fm_dart_translate(&files, &translation);
    fm_cli_symbols_close(&files.symbols);
    return code;
}

/* Reports that the index exceeds max_memory. Returns -1 if the index is missing for another reason: no architecture
 * was selected, which fm_decode_find reports. */
static int explain_missing(struct fm_dart_files *files, const struct fm_dart_args *args)
{
    framemap_error error;
    const framemap_index *index;
    const framemap_status status =
        fm_cli_symbols_exact(&files->symbols, files->program, arch_of(args->values[FM_DECODE_ARCH]), &index, &error);
    return status == FRAMEMAP_E_MEMORY ? fm_message_error(files->program, &error) : -1;
}

static int decode_find(const struct fm_dart_args *args)
{
    struct fm_dart_files files = {.program = args->values[FM_DECODE_DEBUG]};
    const framemap_index *index;
    uint64_t max_memory = 0;
    if (!take_decode_memory(args, &max_memory)) return FM_EXIT_FAILED;
    int code = load_dart_files(&files, "find", args->values[FM_DECODE_ARCH], max_memory, &index);
    if (code < 0 && index == NULL && max_memory > 0) code = explain_missing(&files, args);
    if (code < 0) code = dump_first(args);
    if (code < 0) code = fm_decode_find(&files, index, args);
    fm_cli_symbols_close(&files.symbols);
    return code;
}

static int decode_help(const struct fm_dart_args *args)
{
    if (args->rest_count > 1) return fm_decode_fail("help", "too many arguments");
    if (args->rest_count == 0) return fm_decode_print_usage("help", NULL) ? FM_EXIT_DONE : FM_EXIT_FAILED;
    if (*args->rest[0] == '\0') return fm_decode_print_usage(NULL, NULL) ? FM_EXIT_DONE : FM_EXIT_FAILED;
    for (size_t i = 1; i < FM_DECODE_GRAMMARS; i++)
        if (strcmp(fm_decode_grammars[i].command, args->rest[0]) == 0)
            return fm_decode_print_usage(args->rest[0], NULL) ? FM_EXIT_DONE : FM_EXIT_FAILED;
    return fm_decode_fail("help", "invalid command %s", args->rest[0]);
}

static int run_decode(const struct fm_dart_args *args)
{
    const char *command = args->command ? args->command->command : NULL;
    if (args->fault) return fm_decode_fail(NULL, "%s", args->fault);
    if (args->given[FM_DECODE_HELP]) return fm_decode_print_usage(command, NULL) ? FM_EXIT_DONE : FM_EXIT_FAILED;
    if (command == NULL) return fm_decode_fail(NULL, "no command provided");
    if (strcmp(command, "help") == 0) return decode_help(args);
    if (strcmp(command, "find") == 0) return decode_find(args);
    return strcmp(command, "dump") == 0 ? decode_dump(args) : decode_translate(args);
}

int fm_cmd_dart_decode(int argc, char **argv)
{
    struct fm_dart_args args;
    fm_dart_args_parse(&args, fm_decode_grammars, FM_DECODE_GRAMMARS, argc, argv);
    const int code = run_decode(&args);
    fm_dart_args_free(&args);
    return fflush(stdout) == 0 ? code : FM_EXIT_FAILED;
}
