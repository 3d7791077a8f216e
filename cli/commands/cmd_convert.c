/* framemap convert: converts stacks and profiles to other formats, and source maps to one flat or composed map. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/commands/convert_lost.h"
#include "cli/commands/convert_samples.h"
#include "cli/commands/convert_stacks.h"
#include "cli/notice.h"
#include "cli/options.h"
#include "cli/stores.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HELP = FM_OPTION_HELP, TO, THROUGH, OUTPUT, NO_CONTENT, FORMAT, QUIET, LOSSY, STRICT };

static const struct fm_option table[] = {
    {TO, 't', "to", FM_TAKES_MAP_OR_FORMAT, "FORM",
     "sourcemap (default for a source map), dart, a format of stacks: json, sentry, gdb …, or a format of profiles: "
     "folded, speedscope, flamegraph … ('framemap list')"},
    {THROUGH, 0, "through", FM_TAKES_VALUE, "[SOURCE=]MAP",
     "the map of an earlier build step, which wrote SOURCE; repeat for the steps before it, latest first"},
    {OUTPUT, 'o', "output", FM_TAKES_VALUE, "FILE", "write to FILE (default: standard output)"},
    {NO_CONTENT, 0, "no-content", FM_TAKES_NOTHING, NULL, "omit the source text"},
    {FORMAT, 'f', "format", FM_TAKES_ANY_FORMAT, "FORMAT", "read stacks of this format only ('framemap list')"},
    FM_SYMBOLS_ROW,
    FM_SCOPE_ROWS,
    {LOSSY, 0, "lossy", FM_TAKES_NOTHING, NULL, "do not report what the format cannot hold"},
    {STRICT, 0, "strict", FM_TAKES_NOTHING, NULL, "exit with status 3 if the format cannot hold all of the input"},
    {QUIET, 'q', "quiet", FM_TAKES_NOTHING, NULL, "do not report faults that were skipped"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

static const char map_form[] = "sourcemap";

/* A source map, or an index of a source map, and the file that it is read from. */
struct map_input {
    struct fm_file file;
    framemap_bytes built;
    framemap_index *index;
};

struct convert_job {
    const char *to, *output, *format, *file;
    const char **files; /* the operands of the command line: input files */
    size_t file_count;
    bool lossy, strict;
    const char **through; /* values of the option --through, as given on the command line */
    size_t through_count;
    struct fm_scope_options scope;
    framemap_redis *store; /* the store if a symbol path is the URL of one; NULL: none */
    bool no_content, quiet;
    const char *reading; /* the file that is read at present, for warnings */

    /* Output: written to standard output as it is produced, or collected in memory for a file. */
    struct fm_out out;
    char *data;
    size_t size, room;
};

static int print_convert_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(
        &out,
        "usage: framemap convert [OPTION]... [FILE]...\n\n"
        "Converts a source map, or an index of one, to one regular map without sections; with --through, composes it "
        "with\n"
        "the maps of earlier build steps. Converts the stacks of texts to another format of stacks. Converts the "
        "samples\n"
        "of profiles (perf script, speedscope, pprof, Chrome, V8, Firefox, folded stacks), or stacks as samples, to "
        "another\n"
        "format of profiles or a flame graph. With -s the frames are restored. What the format cannot hold is "
        "reported once.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static bool collect_output(void *context, const char *data, size_t size)
{
    struct convert_job *job = context;
    if (!job->output) return fm_out_write(&job->out, data, size);
    if (job->room - job->size < size) {
        job->room = (job->size + size) * 2;
        job->data = fm_cli_resize(job->data, job->room);
    }
    if (size) memcpy(job->data + job->size, data, size);
    job->size += size;
    return true;
}

static void report_convert_warning(void *context, const framemap_error *warning)
{
    const struct convert_job *job = context;
    if (!job->quiet) fm_message_error(job->reading, warning);
}

/* --- converting source maps --- */

static void close_map_input(struct map_input *input)
{
    framemap_index_close(input->index);
    framemap_bytes_free(&input->built);
    fm_file_close(&input->file);
}

/* Opens or builds the index. The input file stays open, since the index borrows from it. */
static framemap_status index_map_input(struct convert_job *job, struct map_input *input, framemap_str name,
                                       framemap_error *error)
{
    const framemap_build_options build = {.size = sizeof build,
                                          .threads = fm_processors(),
                                          .mapper = map_form,
                                          .keep_sources = !job->no_content,
                                          .warning = report_convert_warning,
                                          .context = job};
    framemap_status status = framemap_index_open(input->file.bytes, NULL, &input->index, error);
    if (status != FRAMEMAP_E_FORMAT) return status;
    status = framemap_index_build(input->file.bytes, name, &build, &input->built, error);
    return status ? status : framemap_index_open(framemap_bytes_str(&input->built), NULL, &input->index, error);
}

static framemap_status open_map_input(struct convert_job *job, const char *path, struct map_input *input,
                                      framemap_error *error)
{
    job->reading = path;
    framemap_status status = fm_file_open(path, &input->file, error);
    if (!status) status = index_map_input(job, input, fm_base_name(framemap_str_of(path)), error);
    if (!status) status = fm_file_check(path, &input->file, error);
    if (status) fm_message_error(path, error);
    return status;
}

/* Splits the value of --through, "SOURCE=MAP". A value that is the name of a file is not split. */
static const char *split_step(const char *given, framemap_str *source)
{
    struct stat about;
    const char *equals = strrchr(given, '=');
    *source = (framemap_str){NULL, 0};
    if (!equals || equals == given || stat(given, &about) == 0) return given;
    *source = (framemap_str){given, (size_t)(equals - given)};
    return equals + 1;
}

static framemap_status write_composed_map(struct convert_job *job, const framemap_index *map,
                                          const framemap_map_step *steps, framemap_error *error)
{
    const framemap_sourcemap_options options = {.size = sizeof options,
                                                .steps = steps,
                                                .step_count = job->through_count,
                                                .warning = report_convert_warning,
                                                .context = job};
    job->reading = NULL;
    const framemap_status status = framemap_sourcemap_write(map, &options, collect_output, job, error);
    if (status && !job->out.failed) fm_message_error(error->where[0] ? NULL : job->file, error);
    if (status == FRAMEMAP_E_MISMATCH)
        fm_message("use --through SOURCE=MAP to choose the source that a map belongs to");
    return status;
}

static framemap_status convert_map(struct convert_job *job, struct map_input *input, framemap_error *error)
{
    const size_t count = job->through_count;
    struct map_input *inputs = fm_cli_resize(NULL, (count + 1) * sizeof *inputs);
    framemap_map_step *steps = fm_cli_resize(NULL, (count + 1) * sizeof *steps);
    memset(inputs, 0, (count + 1) * sizeof *inputs);

    job->reading = job->file;
    framemap_status status = index_map_input(job, input, fm_base_name(framemap_str_of(job->file)), error);
    if (status) fm_message_error(job->file, error);
    for (size_t i = 0; !status && i < count; i++) {
        const char *path = split_step(job->through[i], &steps[i].source);
        status = open_map_input(job, path, &inputs[i], error);
        steps[i].map = inputs[i].index;
    }
    if (!status) status = write_composed_map(job, input->index, steps, error);
    for (size_t i = 0; i < count; i++) close_map_input(&inputs[i]);
    free(inputs);
    free(steps);
    return status;
}

enum map_check { NO_MAP, BROKEN, MAP };

/* Determines from the content of a file whether it is a source map. BROKEN: it is a damaged map or index, and
 * reading it reports the damage. */
static enum map_check check_map(framemap_str bytes, const char *path)
{
    framemap_image_info image = {.kind = ""};
    framemap_index *index = NULL;
    size_t count;
    framemap_status status = framemap_index_open(bytes, NULL, &index, NULL);
    framemap_index_close(index);
    if (status != FRAMEMAP_E_FORMAT) return MAP;
    status = framemap_file_inspect(bytes, fm_base_name(framemap_str_of(path)), &image, 1, &count, NULL);
    if (status) return status == FRAMEMAP_E_FORMAT ? NO_MAP : BROKEN;
    return image.index_kind == FRAMEMAP_INDEX_SOURCEMAP ? MAP : NO_MAP;
}

/* --- converting stacks to Dart's format --- */

/* Writes the stacks as Dart's VM prints them. This needs the programs' symbols: printed addresses are relative to
 * sections, and only the symbols have the starts of the sections. */
static framemap_status write_dart(struct convert_job *job, const framemap_trace_list *list, framemap_error *error)
{
    framemap_session *session = NULL;
    uint64_t dropped = 0;
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = job->scope.paths,
                                              .symbol_labels = job->scope.labels,
                                              .symbol_path_count = job->scope.path_count,
                                              .warning = report_convert_warning,
                                              .context = job};
    framemap_status status = framemap_session_open(&options, &session, error);
    if (!status) status = framemap_session_write_dart(session, list, collect_output, job, &dropped, error);
    framemap_session_close(session);
    if (!status && dropped && !job->quiet)
        fm_message("%llu frames do not belong to a Dart program given with -s and were omitted",
                   (unsigned long long)dropped);
    return status;
}

static const struct fm_notice_words notice = {
    .command = "framemap convert --to FORM", .symbols = "to 'framemap restore' with -s", .stacks = "stack trace"};

static framemap_status convert_to_dart(struct convert_job *job, framemap_str text, framemap_error *error)
{
    const framemap_parse_options parse = {.size = sizeof parse, .format = job->format};
    framemap_trace_list list = {0};
    framemap_status status = framemap_trace_parse(text, &parse, &list, error);
    if (!status) status = write_dart(job, &list, error);
    if (status && !job->out.failed) fm_message_error(NULL, error);
    if (!status && list.count == 0)
        fm_notice_no_stack(&notice, job->file, strcmp(job->file, "-") != 0, text, job->format);
    framemap_trace_list_free(&list);
    return status;
}

/* --- choosing the conversion --- */

/* Selects the output form for the input; returns false if the options do not fit it, which is reported. */
static bool choose_output_form(struct convert_job *job, framemap_str bytes)
{
    const enum map_check look = check_map(bytes, job->file);
    if (!job->to && look == NO_MAP) {
        if (fm_notice_unreadable(&notice, job->file, bytes)) return false;
        fm_message("%s is not a source map; use --to to choose the output format for its stacks",
                   strcmp(job->file, "-") == 0 ? "standard input" : job->file);
        return false;
    }
    if (!job->to) job->to = map_form;
    if (look == MAP && strcmp(job->to, map_form) != 0) {
        fm_message("%s contains no stacks; a source map can be converted to '%s' only", job->file, map_form);
        return false;
    }
    if (job->through_count && strcmp(job->to, map_form) != 0) {
        fm_message("--through applies to source maps only");
        return false;
    }
    return true;
}

/* Reports which parts were lost, and writes the output file. Returns the exit code. lost: FRAMEMAP_PART_ bits of the
 * parts that the output format cannot contain; of: "stacks" or "samples". */
static int finish_convert(struct convert_job *job, framemap_status status, uint32_t lost, const char *of)
{
    framemap_error error;
    if (!status && !job->lossy && !job->quiet) fm_report_lost(job->to, of, lost);
    bool good = fm_out_flush(&job->out) && !status;
    if (good && job->output && fm_file_write(job->output, (framemap_str){job->data, job->size}, &error)) {
        fm_message_error(job->output, &error);
        good = false;
    }
    if (status == FRAMEMAP_E_ARGUMENT || status == FRAMEMAP_E_UNSUPPORTED) return FM_EXIT_USAGE;
    if (!good) return FM_EXIT_FAILED;
    return lost && job->strict ? FM_EXIT_UNMAPPED : FM_EXIT_DONE;
}

static struct fm_convert_task task_of(struct convert_job *job, const framemap_session_options *session)
{
    return (struct fm_convert_task){.to = job->to,
                                    .format = job->format,
                                    .files = job->files,
                                    .file_count = job->file_count,
                                    .session = *session,
                                    .has_symbols = job->scope.path_count || job->store,
                                    .scope = fm_scope_of(&job->scope),
                                    .quiet = job->quiet,
                                    .out = job->output ? NULL : &job->out,
                                    .write = collect_output,
                                    .context = job};
}

static int run_samples(struct convert_job *job, const framemap_session_options *session)
{
    struct fm_convert_task samples = task_of(job, session);
    const framemap_status status = fm_convert_samples(&samples);
    return finish_convert(job, status, samples.lost, "samples");
}

/* Whether the only input is a source map, which has no stacks to convert; if so, reports that. */
static bool is_map_alone(const struct convert_job *job)
{
    struct fm_file file;
    if (job->file_count != 1 || strcmp(job->file, "-") == 0 || fm_file_open(job->file, &file, NULL)) return false;
    const bool is_map = check_map(file.bytes, job->file) == MAP;
    fm_file_close(&file);
    if (is_map) fm_message("%s contains no stacks; a source map can be converted to '%s' only", job->file, map_form);
    return is_map;
}

static int run_stacks(struct convert_job *job, const framemap_session_options *session)
{
    struct fm_convert_task stacks = task_of(job, session);
    if (is_map_alone(job)) return FM_EXIT_USAGE;
    const framemap_status status = fm_convert_stacks(&stacks);
    return finish_convert(job, status, stacks.lost, "stacks");
}

/* Converts to a format of stacks or profiles. */
static int run_to_format(struct convert_job *job)
{
    framemap_session_options options = {.size = sizeof options, .threads = fm_processors()};
    if (job->through_count) {
        fm_message("--through applies to source maps only");
        return FM_EXIT_USAGE;
    }
    if (!fm_scope_set_paths(&job->scope, &options, &job->store)) return FM_EXIT_FAILED;
    return fm_is_sample_format(job->to) ? run_samples(job, &options) : run_stacks(job, &options);
}

static int run_convert(struct convert_job *job)
{
    struct map_input input = {.index = NULL};
    framemap_error error = {0};
    fm_out_init(&job->out, STDOUT_FILENO);
    if (job->to && framemap_convert_writes(job->to)) return run_to_format(job);
    if (fm_scope_of(&job->scope)) {
        fm_message("--app, --build, --tenant and --id apply to stacks and profiles, not to --to %s",
                   job->to ? job->to : map_form);
        return FM_EXIT_USAGE;
    }
    for (size_t i = 0; i < job->scope.path_count; i++)
        if (fm_is_store(job->scope.paths[i])) {
            fm_store_refuse("--symbols");
            return FM_EXIT_USAGE;
        }
    if (fm_file_open(job->file, &input.file, &error)) return fm_message_error(NULL, &error);
    int code = FM_EXIT_USAGE;
    if (choose_output_form(job, input.file.bytes)) {
        const bool map = strcmp(job->to, map_form) == 0;
        const framemap_status status =
            map ? convert_map(job, &input, &error) : convert_to_dart(job, input.file.bytes, &error);
        code = finish_convert(job, status, 0, "stacks");
    }
    close_map_input(&input);
    return code;
}

/* Applies an option of the command to the task. */
static bool take_convert_option(void *context, int id, const char *value)
{
    struct convert_job *job = context;
    bool good;
    if (fm_scope_take_option(&job->scope, id, value, &good)) return good;
    switch (id) {
    case TO: job->to = value; return true;
    case THROUGH: job->through[job->through_count++] = value; return true;
    case OUTPUT: job->output = value; return true;
    case NO_CONTENT: job->no_content = true; return true;
    case FORMAT: job->format = value; return true;
    case QUIET: job->quiet = true; return true;
    case LOSSY: job->lossy = true; return true;
    case STRICT: job->strict = true; return true;
    default: job->files[job->file_count++] = value; return true;
    }
}

/* Checks the number of files: a source map, or text for Dart's format, must be the only one. */
static bool check_files(struct convert_job *job)
{
    if (job->file_count == 0) job->files[job->file_count++] = "-";
    job->file = job->files[0];
    if (job->file_count == 1 || (job->to && framemap_convert_writes(job->to))) return true;
    fm_message("only one file can be given%s: '%s' and '%s' were given",
               job->to ? "" : " without --to, which says in what format stacks or samples are written", job->files[0],
               job->files[1]);
    return false;
}

static const struct fm_command_line command_line = {"convert", table, ROWS, print_convert_help, take_convert_option};

int fm_cmd_convert(int argc, char **argv)
{
    struct convert_job *job = fm_cli_resize(NULL, sizeof *job); /* the struct is too large for the stack */
    memset(job, 0, sizeof *job);
    job->through = fm_cli_resize(NULL, (size_t)argc * sizeof *job->through);
    job->files = fm_cli_resize(NULL, ((size_t)argc + 1) * sizeof *job->files);
    fm_scope_options_init(&job->scope, (size_t)argc);
    int code = fm_command_line_take(&command_line, argc, argv, job);
    if (code < 0 && !check_files(job)) code = fm_message_usage("convert");
    if (code < 0) code = run_convert(job);
    framemap_redis_close(job->store);
    free(job->data);
    free(job->through);
    free(job->files);
    fm_scope_options_free(&job->scope);
    free(job);
    return code;
}
