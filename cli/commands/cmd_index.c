/* framemap index: compiles symbol files to index files. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/compile_input.h"
#include "cli/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HELP = FM_OPTION_HELP, OUTPUT, LENIENT, SOURCES };

static const struct fm_option table[] = {
    {OUTPUT, 'o', "output", FM_TAKES_VALUE, "OUT",
     "write to OUT, a directory if there are several inputs (default: FILE.fmx next to FILE)"},
    FM_INPUT_OPTIONS("compile with N threads (default: one per processor)", "debug info reader (default: fast)"),
    {LENIENT, 0, "lenient", FM_TAKES_NOTHING, NULL,
     "use the valid parts of a faulty source map, which is otherwise rejected"},
    {SOURCES, 0, "keep-sources", FM_TAKES_NOTHING, NULL,
     "keep the source text that a source map contains, for --context"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct index_job {
    struct fm_compile_input input;
    const char *output;
    const char **files;
    size_t file_count;
    bool lenient;
};

static int print_index_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: framemap index [OPTION]... FILE...\n\nCompiles each symbol file into an index.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return path[0] && (path[strlen(path) - 1] == '/' || (stat(path, &about) == 0 && S_ISDIR(about.st_mode)));
}

/* Returns the path of the index to write: "folder/x.so.fmx" for "folder/app.apk!lib/x.so". */
static char *output_beside(const char *file, size_t archive_size)
{
    const framemap_str archive = {file, archive_size}, name = fm_file_name_within(file);
    const size_t folder = archive_size - fm_base_name(archive).size, room = folder + name.size + sizeof ".fmx";
    char *path = fm_cli_resize(NULL, room);
    snprintf(path, room, "%.*s%.*s.fmx", (int)folder, file, (int)name.size, name.data);
    return path;
}

/* Returns the path of the index of a file; owned by the caller. */
static char *output_path(const struct index_job *job, const char *file)
{
    if (job->output && !is_folder(job->output)) return fm_cli_copy(job->output, strlen(job->output));

    framemap_str name = job->output ? fm_file_name_within(file) : framemap_str_of(file);
    const size_t archive_size = job->output ? 0 : fm_archive_size(file);
    if (archive_size) return output_beside(file, archive_size);
    /* removes the slash at the end of a path such as "App.dSYM/" */
    while (name.size > 1 && name.data[name.size - 1] == '/') name.size--;
    size_t room = name.size + (job->output ? strlen(job->output) : 0) + sizeof "/.fmx";
    char *path = fm_cli_resize(NULL, room);
    snprintf(path, room, "%s%s%.*s.fmx", job->output ? job->output : "", job->output ? "/" : "", (int)name.size,
             name.data);
    return path;
}

struct planned_index {
    char *output;
    const char *file;
};

static int compare_planned(const void *left, const void *right)
{
    const struct planned_index *a = left, *b = right;
    const int order = strcmp(a->output, b->output);
    return order ? order : strcmp(a->file, b->file);
}

/* Whether two inputs would have indexes with the same path, such as arm64/libapp.so and x86/libapp.so. Reports them. */
static bool outputs_collide(const struct index_job *job)
{
    struct planned_index *planned = fm_cli_resize(NULL, job->file_count * sizeof *planned);
    const struct planned_index *same = NULL;
    for (size_t i = 0; i < job->file_count; i++)
        planned[i] = (struct planned_index){output_path(job, job->files[i]), job->files[i]};
    qsort(planned, job->file_count, sizeof *planned, compare_planned);
    for (size_t i = 1; i < job->file_count && !same; i++)
        if (strcmp(planned[i - 1].output, planned[i].output) == 0 && strcmp(planned[i - 1].file, planned[i].file) != 0)
            same = &planned[i];
    if (same)
        fm_message("%s and %s would both be written to %s; compile them one by one, each with its own -o",
                   same[-1].file, same->file, same->output);
    for (size_t i = 0; i < job->file_count; i++) free(planned[i].output);
    free(planned);
    return same != NULL;
}

static bool is_source_map(framemap_str bytes)
{
    framemap_index *index;
    framemap_index_info info = {.is_source_map = false};
    if (framemap_index_open(bytes, NULL, &index, NULL) != FRAMEMAP_OK) return false;
    framemap_index_describe(index, &info);
    framemap_index_close(index);
    return info.is_source_map;
}

/* Whether the input is a source map that is refused because of a fault, since other tools may refuse it too. Reports
 * the fault. --lenient accepts such a map. */
static bool refuse_faulty_map(const struct index_job *job, const framemap_bytes *bytes)
{
    const framemap_error *fault = &job->input.fault;
    if (job->lenient || fault->code == FRAMEMAP_OK || !is_source_map(framemap_bytes_str(bytes))) return false;
    char place[48] = "";
    if (fault->has_offset) snprintf(place, sizeof place, " (at byte 0x%" PRIx64 ")", fault->offset);
    fm_message("%s: the source map breaks ECMA-426: %s%s; --lenient uses its valid parts", job->input.file,
               fault->message, place);
    return true;
}

static framemap_status build_index(void *context, framemap_str bytes, framemap_str name,
                                   const framemap_build_options *build, framemap_error *error)
{
    return framemap_index_build(bytes, name, build, context, error);
}

static framemap_status compile_file(struct index_job *job, const char *path, framemap_bytes *out, framemap_error *error)
{
    const framemap_status status = fm_compile_input_with(&job->input, path, build_index, out, error);
    if (status) framemap_bytes_free(out);
    return status;
}

/* Reports that the index has function names only, and which file would provide source files and lines. */
static void report_missing_debug_info(const struct index_job *job)
{
    const struct fm_compile_input *input = &job->input;
    if (input->lack.code == FRAMEMAP_E_EMPTY && !input->has_objects && !input->quiet)
        fm_message("%s: %s; the index has function names only", input->file, input->lack.message);
}

/* Whether the input is an index already, which need not be compiled; if so, reports that. */
static bool is_index_already(const struct fm_compile_input *input)
{
    framemap_index *index = NULL;
    if (framemap_index_open_file(input->file, NULL, &index, NULL)) return false;
    framemap_index_close(index);
    fm_message("%s: this is an index already: give it to the other commands as it is", input->file);
    return true;
}

/* Compiles the current input and writes its index. debug_file: the file with its debug info; NULL: the input. */
static bool write_index(struct index_job *job, const char *debug_file, const char *output)
{
    const struct fm_compile_input *input = &job->input;
    framemap_bytes bytes = {0};
    framemap_error error;
    bool written = false;
    framemap_status status = compile_file(job, debug_file ? debug_file : input->file, &bytes, &error);
    if (status) {
        if (status != FRAMEMAP_E_FORMAT || !is_index_already(input))
            fm_cli_symbols_complain(input->file, input->build.arch, status, &error);
    } else if (!refuse_faulty_map(job, &bytes)) {
        status = fm_file_write(output, framemap_bytes_str(&bytes), &error);
        if (status) fm_message_error(output, &error);
        written = status == FRAMEMAP_OK;
        if (written) report_missing_debug_info(job);
    }
    framemap_bytes_free(&bytes);
    return written;
}

static int index_file(struct index_job *job, const char *given)
{
    struct fm_compile_input *input = &job->input;
    char *bundled = fm_bundle_file(given);
    char *output = output_path(job, given);

    input->file = bundled ? bundled : given;
    input->fault = (framemap_error){.code = FRAMEMAP_OK};
    input->has_objects = false;
    char *debug_file = fm_compile_input_debug_file(input);
    const bool replaces = fm_output_is_input(output, given) || fm_output_is_input(output, debug_file);
    const bool written = !replaces && write_index(job, debug_file, output);
    free(debug_file);
    free(output);
    free(bundled);
    return written ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static int run_index(struct index_job *job)
{
    int code = FM_EXIT_DONE;

    if (job->file_count == 0) {
        fm_message("index needs a symbol file");
        return fm_message_usage("index");
    }
    if (job->file_count > 1 && job->input.script) {
        fm_message("--script belongs to one source map, but %zu files are given", job->file_count);
        return fm_message_usage("index");
    }
    if (job->file_count > 1 && job->output && !is_folder(job->output)) {
        fm_message("with several inputs, -o must name a directory; '%s' is not one", job->output);
        return fm_message_usage("index");
    }
    if (outputs_collide(job)) return fm_message_usage("index");
    framemap_error error;
    const framemap_status status = fm_compile_input_ready(&job->input, &error);
    if (status) fm_message_error(NULL, &error);
    if (status) return FM_EXIT_FAILED;
    for (size_t i = 0; i < job->file_count; i++)
        if (index_file(job, job->files[i])) code = FM_EXIT_FAILED; /* after an error, continues with the other files */
    return code;
}

static bool take_index_option(void *context, int id, const char *value)
{
    struct index_job *job = context;
    switch (id) {
    case OUTPUT: job->output = value; return true;
    case LENIENT: job->lenient = true; return true;
    case SOURCES: job->input.build.keep_sources = true; return true;
    case FM_OPTIONS_OPERAND: job->files[job->file_count++] = value; return true;
    default: return fm_compile_input_option(&job->input, id, value);
    }
}

static const struct fm_command_line command_line = {"index", table, ROWS, print_index_help, take_index_option};

int fm_cmd_index(int argc, char **argv)
{
    struct index_job job = {.output = NULL};
    fm_compile_input_init(&job.input, argc);
    job.files = fm_cli_resize(NULL, (size_t)argc * sizeof *job.files);
    int code = fm_command_line_take(&command_line, argc, argv, &job);
    if (code < 0) code = run_index(&job);
    fm_compile_input_free(&job.input);
    free(job.files);
    return code;
}
