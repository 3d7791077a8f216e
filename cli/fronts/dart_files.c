/* Implements dart_files.h: opens the debug files of a Dart program. Translates a text line by line, from a file or a
 * pipe to the output. The text is copied unchanged if its symbols need more memory than allowed. */
#include "cli/fronts/dart_files.h"

#include "cli/notice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a debug file: a split debug info file, a snapshot, a dSYM bundle or an index. arch: architecture, as symbol
 * files name it; NULL: the file has only one. Returns NULL after reporting an error. */
static const framemap_index *open_dart_file(struct fm_dart_files *files, const char *path, const char *arch)
{
    framemap_error error;
    const framemap_index *index = NULL;
    framemap_status status = fm_cli_symbols_exact(&files->symbols, path, arch, &index, &error);
    if (status == FRAMEMAP_OK) return index;
    /* the architecture is that of the trace: there is no option for it */
    fm_message_error(path, &error);
    if (status == FRAMEMAP_E_MISMATCH) fm_message("give one file, the symbols of the trace's build");
    return NULL;
}

static const framemap_index *find_unit(void *context, uint64_t unit, framemap_str build_id, framemap_str arch)
{
    struct fm_dart_files *files = context;
    (void)build_id;
    /* The program's symbols were not opened, since they did not fit in --max-memory. */
    if (unit == 1 && files->program == NULL) return NULL;
    /* if the file has several architectures, the architecture of the trace is used */
    if (unit == 1) {
        char *copy = fm_cli_copy(arch.data, arch.size);
        const framemap_index *index = open_dart_file(files, files->program, arch.size ? copy : NULL);
        free(copy);
        return index;
    }
    for (size_t i = 0; i < files->unit_count; i++)
        if (files->units[i].unit == unit) return open_dart_file(files, files->units[i].path, NULL);
    return NULL;
}

/* Maximum number of warnings about builds: a server's log may contain traces of thousands of builds. */
enum { MOST_REPORTED = 100 };

/* Prints a warning about a build; after MOST_REPORTED of them, further warnings are dropped. context: the number of
 * builds that were reported. */
static void report_dart_warning(void *context, const framemap_error *warning)
{
    unsigned *reported = context;
    if (*reported > MOST_REPORTED) return;
    if (++*reported > MOST_REPORTED) {
        fm_message("there are traces of further builds");
        return;
    }
    fm_message("%s", warning->message);
    if (strstr(warning->message, "left as they are"))
        fm_message("give the symbols of that build, or use --any-build to translate them anyway");
}

/* Copies a line of more than FRAMEMAP_LONGEST_LINE bytes unchanged; no Dart trace contains such lines. */
static void copy_dart_long_line(struct fm_in *in, framemap_str line, struct fm_out *out)
{
    bool more = true;
    fm_message("a line of more than %zu bytes was copied unchanged", FRAMEMAP_LONGEST_LINE);
    while (more) {
        more = in->goes_on;
        if (!more && line.size && line.data[line.size - 1] == '\r') line.size--;
        fm_put_raw(out, line);
        more = more && !out->failed && fm_in_line(in, out, FRAMEMAP_LONGEST_LINE, &line);
    }
    fm_put_char(out, '\n');
}

/* Appends a line without its LF. A CR before the LF is dropped, and a CR alone ends a line too. */
static framemap_status translate_line(framemap_dart_decoder *decoder, framemap_str line, struct fm_unchanged *unchanged,
                                      framemap_error *error)
{
    if (line.size && line.data[line.size - 1] == '\r') line.size--;
    unchanged->rest = line;
    framemap_status status = FRAMEMAP_OK;
    if (line.size && !unchanged->lost)
        status = framemap_dart_decoder_text(decoder, line, fm_unchanged_write, unchanged, error);
    if (unchanged->lost) { /* symbols were changed while they were read: this line is written unchanged */
        fm_put_raw(unchanged->out, line);
        fm_put_char(unchanged->out, '\n');
        return FRAMEMAP_OK;
    }
    if (line.size == 0 || line.data[line.size - 1] == '\r') fm_put_char(unchanged->out, '\n');
    return status;
}

/* Reports that a text is unreadable, or that nothing in it was changed: the user may have given the wrong text. */
static void report_no_dart_stack(const struct fm_dart_translation *translation, framemap_str head, bool changed)
{
    const struct fm_notice_words words = {
        .command = translation->command, .symbols = "with -d", .stacks = "stack trace of Dart", .prefix = "dart"};
    if (!fm_notice_unreadable(&words, translation->input, head) && !changed && translation->input)
        fm_notice_file_without_stack(&words, translation->input);
}

/* Translates complete lines before waiting for more input. A UTF-8 byte order mark at the start is dropped, as
 * Dart's decoder does. */
static framemap_status pump(framemap_dart_decoder *decoder, int in_fd, const struct fm_dart_translation *translation,
                            struct fm_unchanged *unchanged, framemap_error *error)
{
    struct fm_in in;
    struct fm_out *out = unchanged->out;
    framemap_str line;
    framemap_status status = FRAMEMAP_OK;
    bool first = true;
    fm_in_init(&in, in_fd);
    while (status == FRAMEMAP_OK && !out->failed && fm_in_line(&in, out, FRAMEMAP_LONGEST_LINE, &line)) {
        if (first && line.size >= 3 && memcmp(line.data, "\xef\xbb\xbf", 3) == 0) line.data += 3, line.size -= 3;
        first = false;
        if (in.goes_on)
            copy_dart_long_line(&in, line, out);
        else
            status = translate_line(decoder, line, unchanged, error);
    }
    if (status == FRAMEMAP_OK && in.failed) status = FRAMEMAP_E_IO;
    if (status == FRAMEMAP_OK && fm_out_flush(out) && !unchanged->lost)
        report_no_dart_stack(translation, (framemap_str){in.head, in.head_size}, unchanged->changed);
    fm_in_free(&in);
    return status;
}

static int open_input(const char *path)
{
    const char *why;
    const int fd = path ? fm_in_open(path, &why) : STDIN_FILENO;
    if (fd < 0) fm_message("%s: cannot be read: %s", path, why);
    return fd;
}

static int open_output(const char *path)
{
    const int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
    if (fd < 0) fm_message("%s: cannot be written: %s", path, strerror(errno));
    return fd;
}

/* Whether the output file is one of the files that are read; if so, reports that. The output file is emptied before the
 * input is read. */
static bool replaces_input(const struct fm_dart_files *files, const struct fm_dart_translation *translation)
{
    const char *output = translation->output;
    bool replaces = fm_output_is_input(output, translation->input) || fm_output_is_input(output, files->program) ||
                    fm_output_is_input(output, translation->names);
    for (size_t i = 0; i < files->unit_count && !replaces; i++)
        replaces = fm_output_is_input(output, files->units[i].path);
    return replaces;
}

static bool any_changed(void *symbols) { return fm_cli_symbols_any_changed(symbols); }

/* Translates the input to the output. decoder NULL: copies the text unchanged. Returns an exit code. */
static int translate_with(struct fm_dart_files *files, framemap_dart_decoder *decoder,
                          const struct fm_dart_translation *translation)
{
    framemap_error error = {0};
    struct fm_out *out = fm_cli_resize(NULL, sizeof *out);
    int code = FM_EXIT_FAILED;
    int in_fd = open_input(translation->input);
    int out_fd = in_fd < 0 ? -1 : open_output(translation->output);
    if (in_fd >= 0 && out_fd >= 0) {
        if (translation->input == NULL) fm_message_waiting("text with stack traces");
        fm_out_init(out, out_fd);
        struct fm_unchanged unchanged = {
            .out = out, .is_lost = any_changed, .lost_context = &files->symbols, .lost = decoder == NULL};
        framemap_status status = pump(decoder, in_fd, translation, &unchanged, &error);
        if (status != FRAMEMAP_OK && !out->failed && error.code) fm_message_error(translation->input, &error);
        code = fm_out_flush(out) && status == FRAMEMAP_OK && !unchanged.lost ? FM_EXIT_DONE : FM_EXIT_FAILED;
    }
    if (translation->input && in_fd >= 0) close(in_fd);
    if (translation->output && out_fd >= 0) close(out_fd);
    free(out);
    return code;
}

int fm_dart_translate(struct fm_dart_files *files, const struct fm_dart_translation *translation)
{
    framemap_error error;
    framemap_dart_decoder *decoder = NULL;
    const framemap_index *index = NULL;
    unsigned reported = 0;
    if (replaces_input(files, translation)) return FM_EXIT_FAILED;
    framemap_dart_options options = {.size = sizeof options,
                                     .internal_frames = translation->internal_frames,
                                     .any_build = translation->any_build,
                                     .find_unit = find_unit,
                                     .find_context = files,
                                     .warning = report_dart_warning,
                                     .max_memory = fm_own_memory(translation->max_memory),
                                     .context = &reported};
    framemap_status status = fm_cli_symbols_exact(&files->symbols, files->program, NULL, &index, &error);
    /* If the program's symbols do not fit in --max-memory, the text is copied unchanged. */
    bool over = status == FRAMEMAP_E_MEMORY && translation->max_memory > 0;
    if (status != FRAMEMAP_OK && status != FRAMEMAP_E_MISMATCH) {
        const int failed = fm_cli_symbols_complain(files->program, NULL, status, &error);
        if (!over) return failed;
        files->program = NULL;
    }
    if (translation->names && (options.names = open_dart_file(files, translation->names, NULL)) == NULL)
        return FM_EXIT_FAILED;
    status = framemap_dart_decoder_create(index, &options, &decoder, &error);
    if (status != FRAMEMAP_OK) {
        fm_state_max_memory(&error, translation->max_memory);
        const int failed = fm_message_error(status == FRAMEMAP_E_MEMORY ? NULL : files->program, &error);
        if (status != FRAMEMAP_E_MEMORY || translation->max_memory == 0) return failed;
        over = true;
    }
    int code = translate_with(files, decoder, translation);
    framemap_dart_decoder_free(decoder);
    return over && code == FM_EXIT_DONE ? FM_EXIT_FAILED : code;
}
