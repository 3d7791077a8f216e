/* framemap retrace: compatible with R8's retrace or, with --proguard, ProGuard's. As in R8, each argument is checked
 * before the next one is read. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/fronts/retrace_input.h"
#include "cli/fronts/retrace_stream.h"
#include "cli/notice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct retrace_front {
    struct fm_out out;
    const char *mapping, *partitions, *expression;
    const char *trace_path; /* path of the file with the stack; NULL: the stack is read from standard input */
    bool verbose, info, quiet, verify, proguard;
    uint64_t max_memory; /* memory ceiling in bytes; 0: no limit */
    bool has_trace;
    struct fm_file trace;
    framemap_str text; /* file of the trace; NULL: standard input */
};

enum { GO_ON = -1, BINARY_HEAD_BYTES = 1 << 10 };

static int fail_retrace(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int fail_retrace(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fm_stderr_print("Error: ");
    fm_stderr_vprint(format, list);
    fm_stderr_print("\n");
    va_end(list);
    return FM_EXIT_FAILED;
}

static int fail_with(const char *what, const framemap_error *error)
{
    const char *words = error->message[0] ? error->message : framemap_status_text(error->code);
    /* R8's messages that begin with "Parse error" name the line themselves. */
    if (error->has_line && strncmp(words, "Parse error", 11) != 0)
        return fail_retrace("%s: %s (line %" PRIu64 ")", what, words, error->line);
    return fail_retrace("%s: %s", what, words);
}

/* --- printing the help --- */

static const struct {
    const char *flag, *help;
} flags[] = {
    {"--regex <regexp>", "Regular expression for parsing stack-trace-file as lines"},
    {"--verbose", "Get verbose retraced output"},
    {"--info", "Write information messages to stdout"},
    {"--quiet", "Silence ordinary messages printed to stdout"},
    {"--verify-mapping-file-hash", "Verify the mapping file hash"},
    {"--partition-map <file>", "Read the mapping from R8's partitions, a zip file"},
    {"--max-memory <size>", "Use no more memory; if the mapping does not fit, the text is left unchanged"},
    {"--proguard", "Answer as ProGuard's retrace does"},
    {"--version", "Print the version."},
    {"--help", "Print this message."},
};

static void put_retrace_usage(struct fm_out *out)
{
    enum { COLUMN = 26 };
    fm_put_text(out, "Usage: retrace [options] <proguard-map> [stack-trace-file] where <proguard-map> is a generated "
                     "mapping file and options are:\n\n");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        size_t width = 2 + strlen(flags[i].flag);
        fm_put_text(out, "  ");
        fm_put_text(out, flags[i].flag);
        if (width >= COLUMN) {
            fm_put_char(out, '\n');
            width = 0;
        }
        fm_put_fill(out, ' ', COLUMN - width);
        fm_put_text(out, "# ");
        fm_put_text(out, flags[i].help);
        fm_put_char(out, '\n');
    }
}

static int put_help(struct retrace_front *front, bool usage)
{
    fm_put_text(&front->out, "Retrace framemap ");
    fm_put_text(&front->out, framemap_version());
    fm_put_char(&front->out, '\n');
    if (usage) {
        put_retrace_usage(&front->out);
        fm_put_text(
            &front->out,
            "\n<proguard-map> may be a mapping.txt, also compressed or in an archive (app.aab!PATH), or an index "
            "that 'framemap index' made of one.\n");
    }
    return fm_out_flush(&front->out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* --- reading the arguments --- */

struct arguments {
    int count, at;
    char **words;
};

static const char *head(const struct arguments *arguments)
{
    return arguments->at < arguments->count ? arguments->words[arguments->at] : NULL;
}

/* Takes "--name", or "--noname", which means the same. */
static bool take_flag(struct arguments *arguments, const char *name)
{
    const char *word = head(arguments);
    if (strncmp(word, "--", 2) != 0) return false;
    if (strcmp(word + 2, name) != 0 && (strncmp(word + 2, "no", 2) != 0 || strcmp(word + 4, name) != 0)) return false;
    arguments->at++;
    return true;
}

/* Takes "--name VALUE", "--name=VALUE" or "--n VALUE". *value NULL: the value is missing. */
static bool take_value(struct arguments *arguments, const char *name, const char **value)
{
    const char *word = head(arguments);
    const size_t size = strlen(name);
    if (strncmp(word, "--", 2) != 0) return false;
    word += 2;
    if (strcmp(word, name) == 0 || (word[0] == name[0] && word[1] == '\0')) {
        arguments->at++;
        *value = head(arguments);
        arguments->at += *value != NULL;
        return true;
    }
    if (strncmp(word, name, size) != 0 || word[size] != '=') return false;
    arguments->at++;
    *value = word + size + 1;
    return true;
}

/* Takes an option with a value; an empty value counts as missing. */
static int read_value(struct arguments *arguments, const char *name, const char **out, bool *taken)
{
    const char *value = NULL, *word = head(arguments);
    *taken = take_value(arguments, name, &value);
    if (!*taken) return GO_ON;
    if (value == NULL || (*value == '\0' && !head(arguments))) return fail_retrace("Missing argument for '%s'.", word);
    if (*value) *out = value;
    return GO_ON;
}

static int set_mapping(const char **where, const char *path)
{
    if (access(path, F_OK) != 0 && fm_archive_size(path) == 0)
        return fail_retrace("Could not find mapping file '%s'.", path);
    *where = path;
    return GO_ON;
}

static const struct fm_notice_words notice = {.command = "framemap retrace MAPPING",
                                              .symbols = "as the first argument",
                                              .stacks = "stack trace of Java or Kotlin",
                                              .prefix = "java"};

static int set_trace(struct retrace_front *front, const char *path)
{
    framemap_error error;
    /* To this command, "-" is the name of a file, not standard input. */
    const char *opened = strcmp(path, "-") == 0 ? "./-" : path;
    if (fm_file_open(opened, &front->trace, &error)) return fail_with(path, &error);
    front->has_trace = true;
    front->trace_path = opened;
    front->text = front->trace.bytes;
    size_t malformed = front->proguard ? SIZE_MAX : fm_find_malformed(front->text);
    if (malformed != SIZE_MAX && fm_notice_unreadable(&notice, path, front->text)) return FM_EXIT_FAILED;
    if (malformed != SIZE_MAX) return fail_retrace("%s: malformed UTF-8 at byte %zu", path, malformed);
    return GO_ON;
}

static int read_file_name(struct retrace_front *front, struct arguments *arguments)
{
    const char *word = head(arguments);
    if (!front->mapping && !front->partitions) {
        arguments->at++;
        return set_mapping(&front->mapping, word);
    }
    if (!front->has_trace) {
        arguments->at++;
        return set_trace(front, word);
    }
    fail_retrace("Too many arguments specified for builder at '%s'", word);
    struct fm_out *usage = fm_cli_resize(NULL, sizeof *usage);
    fm_out_init(usage, STDERR_FILENO);
    fm_put_text(usage, "Error: ");
    put_retrace_usage(usage);
    fm_out_flush(usage);
    free(usage);
    return FM_EXIT_FAILED;
}

static int read_argument(struct retrace_front *front, struct arguments *arguments)
{
    bool taken;
    const char *partitions = NULL;
    if (take_flag(arguments, "help")) return put_help(front, true);
    if (take_flag(arguments, "version")) return put_help(front, false);
    if (take_flag(arguments, "info")) return GO_ON; /* --info was searched for before all other options */
    if (take_flag(arguments, "verbose")) {
        front->verbose = true;
        return GO_ON;
    }
    if (take_flag(arguments, "quiet")) {
        front->quiet = true;
        return GO_ON;
    }
    if (take_flag(arguments, "proguard")) {
        front->proguard = true;
        return GO_ON;
    }
    if (take_flag(arguments, "verify-mapping-file-hash")) {
        front->verify = front->has_trace = true;
        return GO_ON;
    }
    int code = read_value(arguments, "regex", &front->expression, &taken);
    if (taken) return code;
    const char *memory = NULL, *word = head(arguments);
    /* only the whole word is accepted: its prefixes may be options of R8 */
    if (strncmp(word, "--max-memory", 12) == 0) {
        code = read_value(arguments, "max-memory", &memory, &taken);
        if (taken)
            return code == GO_ON && memory && !fm_parse_memory(memory, &front->max_memory) ? FM_EXIT_FAILED : code;
    }
    code = read_value(arguments, "partition-map", &partitions, &taken);
    if (taken) return code == GO_ON && partitions ? set_mapping(&front->partitions, partitions) : code;
    return read_file_name(front, arguments);
}

static void announce_input(struct retrace_front *front)
{
    if (!front->quiet && !front->proguard) fm_put_text(&front->out, "Waiting for stack-trace input...\n");
    fm_out_flush(&front->out);
    fm_message_waiting("text with stack traces");
}

static int read_arguments(struct retrace_front *front, int argc, char **argv)
{
    struct arguments arguments = {.count = argc, .at = 1, .words = argv};
    for (int i = 1; i < argc; i++) front->info |= strcmp(argv[i], "--info") == 0;
    while (head(&arguments)) {
        int code = read_argument(front, &arguments);
        if (code != GO_ON) return code;
    }
    if (!front->mapping && !front->partitions) return fail_retrace("Mapping file not specified");
    if (!front->has_trace) announce_input(front);
    return GO_ON;
}

/* --- restoring the traces --- */

static void report_retrace_warning(void *context, const framemap_error *warning)
{
    struct retrace_front *front = context;
    if (warning->code != FRAMEMAP_OK) {
        fm_stderr_print("Warning: %s", warning->message);
        if (warning->has_line) fm_stderr_print(" (line %" PRIu64 ")", warning->line);
        fm_stderr_print("\n");
    } else if (front->info) {
        fm_put_text(&front->out, "Info: ");
        fm_put_str(&front->out, framemap_str_of(warning->message));
        fm_put_char(&front->out, '\n');
    }
}

static const framemap_index *no_class_index(void *context, framemap_str class_name)
{
    (void)context, (void)class_name;
    return NULL;
}

/* Reports that an index was built with R8's rules although --proguard was given: the rules of an index are fixed
 * when it is built. */
static void note_rules(const struct retrace_front *front, const framemap_index *index)
{
    framemap_index_info info;
    framemap_index_describe(index, &info);
    if (front->proguard && info.kind_code != FRAMEMAP_INDEX_PROGUARD)
        fm_message("%s was built with R8's rules; use 'framemap index --kind=proguard' to build one for --proguard",
                   front->mapping);
}

/* Opens or builds the index of a mapping. *index NULL: the mapping has no classes. */
static framemap_status open_retrace_index(struct retrace_front *front, struct fm_file *file, const char *path,
                                          framemap_bytes *built, framemap_index **index, framemap_error *error)
{
    framemap_build_options options = {.size = sizeof options,
                                      .strict = true,
                                      .warning = report_retrace_warning,
                                      .context = front,
                                      .threads = fm_processors()};
    options.mapper = front->partitions ? "r8-partitions" : front->proguard ? "proguard" : "r8";
    options.max_memory = front->max_memory;
    options.consumed = fm_file_consumed;
    options.input_context = file;
    framemap_status status = framemap_index_open(file->bytes, NULL, index, error);
    if (status == FRAMEMAP_OK) note_rules(front, *index);
    if (status != FRAMEMAP_E_FORMAT) return status;
    status = framemap_index_build(file->bytes, fm_base_name(framemap_str_of(path)), &options, built, error);
    if (status == FRAMEMAP_E_EMPTY) return FRAMEMAP_OK;
    return status == FRAMEMAP_OK ? framemap_index_open(framemap_bytes_str(built), NULL, index, error) : status;
}

/* Reports that a text is unreadable, or that nothing in it was changed: the user may have given the wrong text. */
static void report_retrace_no_stack(const struct retrace_front *front, bool changed)
{
    if (!front->has_trace) return;
    if (!fm_notice_unreadable(&notice, front->trace_path, front->trace.bytes) && !changed && front->trace_path)
        fm_notice_file_without_stack(&notice, front->trace_path);
}

static bool is_changed(void *file) { return framemap_file_changed(file); }

/* Retraces the text with an index. mapping: the open file that contains the index; NULL: the index is in memory.
 * memory: limit for the retracer in bytes; 0: none. Returns an exit code. */
static int retrace_with(struct retrace_front *front, const framemap_index *index, framemap_file *mapping,
                        uint64_t memory)
{
    framemap_retracer *retracer = NULL;
    framemap_error error;
    framemap_retrace_options options = {.size = sizeof options,
                                        .expression = front->expression,
                                        .verbose = front->verbose,
                                        .warning = report_retrace_warning,
                                        .context = front,
                                        .max_memory = memory};
    struct fm_unchanged unchanged = {
        .out = &front->out, .rest = front->text, .is_lost = is_changed, .lost_context = mapping};
    if (index == NULL) options.find = no_class_index;
    framemap_status status = framemap_retracer_create(index, &options, &retracer, &error);
    if (status == FRAMEMAP_OK && front->has_trace)
        status = framemap_retracer_text(retracer, front->text, fm_unchanged_write, &unchanged, &error);
    else if (status == FRAMEMAP_OK)
        status = fm_retrace_stream(retracer, STDIN_FILENO, front->proguard, &notice, &unchanged, &error);
    framemap_retracer_free(retracer);
    if (unchanged.lost) return FM_EXIT_FAILED; /* the caller reports that the mapping was changed */
    if (status != FRAMEMAP_OK && !front->out.failed)
        return fail_with(front->expression ? front->expression : "Retrace failed", &error);
    if (!fm_out_flush(&front->out)) return FM_EXIT_FAILED;
    report_retrace_no_stack(front, unchanged.changed || front->expression);
    return FM_EXIT_DONE;
}

/* Reports swapped arguments: "retrace stack.txt mapping.txt". */
static void report_swapped_files(const struct retrace_front *front)
{
    framemap_image_info image = {.kind = ""};
    size_t count = 0;
    if (!front->trace_path) return;
    const framemap_str name = fm_base_name(framemap_str_of(front->trace_path));
    if (framemap_file_inspect(front->text, name, &image, 1, &count, NULL)) return;
    if (count == 1 && !image.is_index && image.index_kind == FRAMEMAP_INDEX_R8)
        fm_message("%s is a mapping; give it before the file with the stacks", front->trace_path);
}

/* Copies the whole text unchanged; this is done also if the mapping cannot be read. */
static void pass_text(struct retrace_front *front)
{
    struct fm_in in;
    fm_put_raw(&front->out, front->text);
    if (front->has_trace) return;
    fm_in_init(&in, STDIN_FILENO);
    while (!front->out.failed && fm_in_more(&in, &front->out)) {
        fm_put_raw(&front->out, (framemap_str){in.data + in.begin, in.end - in.begin});
        in.begin = in.end;
    }
    fm_in_free(&in);
}

/* Replaces the error of a mapping that is not a text, such as an archive, by one that says what the file is: in bytes
 * that are not a text, the position of the first fault is of no use. */
static void explain_binary(framemap_str bytes, framemap_error *error)
{
    framemap_image_info image;
    framemap_error why;
    size_t count = 0;
    const size_t head = bytes.size < BINARY_HEAD_BYTES ? bytes.size : BINARY_HEAD_BYTES;
    if (head == 0 || memchr(bytes.data, 0, head) == NULL) return;
    if (framemap_file_inspect(bytes, (framemap_str){NULL, 0}, &image, 1, &count, &why)) *error = why;
}

static int retrace_file(struct retrace_front *front, struct fm_file *file, const char *path)
{
    framemap_error error;
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    framemap_status status = open_retrace_index(front, file, path, &built, &index, &error);
    if (status != FRAMEMAP_OK && status != FRAMEMAP_E_MEMORY && !front->partitions) explain_binary(file->bytes, &error);
    const uint64_t left = front->max_memory > built.size ? front->max_memory - built.size : front->max_memory > 0;
    int code = status == FRAMEMAP_OK ? retrace_with(front, index, built.size ? NULL : file->opened, left)
                                     : fail_with("Unable to parse mapping file", &error);
    if (status == FRAMEMAP_E_MEMORY && front->max_memory > 0)
        pass_text(front);
    else if (status != FRAMEMAP_OK)
        report_swapped_files(front);
    framemap_index_close(index);
    framemap_bytes_free(&built);
    return code;
}

static int verify_map_hash(struct retrace_front *front, framemap_str bytes)
{
    framemap_error error;
    if (front->partitions) return fail_retrace("Cannot verify map file hash for partitions");
    framemap_status status = framemap_mapping_check_hash(bytes, &error);
    if (status == FRAMEMAP_OK) return FM_EXIT_DONE;
    if (status != FRAMEMAP_E_EMPTY) return fail_with(front->mapping, &error);
    report_retrace_warning(front, &error);
    return FM_EXIT_DONE;
}

static int run_retrace(struct retrace_front *front)
{
    framemap_error error;
    struct fm_file mapping;
    const char *path = front->partitions ? front->partitions : front->mapping;
    framemap_status status = front->partitions ? fm_file_open(path, &mapping, &error)
                                               : fm_symbol_file_open(path, front->max_memory, &mapping, &error);
    if (status == FRAMEMAP_E_MEMORY && front->max_memory > 0) pass_text(front);
    if (status) return fail_with(path, &error);
    int code = front->verify ? verify_map_hash(front, mapping.bytes) : retrace_file(front, &mapping, path);
    if (fm_file_check(path, &mapping, &error)) code = fail_with(path, &error);
    fm_file_close(&mapping);
    return code;
}

/* Adds a dash to each argument that starts with a single one, even if it is a file name. */
static char **with_two_dashes(int argc, char **argv)
{
    char **words = fm_cli_resize(NULL, ((size_t)argc + 1) * sizeof *words);
    words[argc] = NULL;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        const bool one = i > 0 && word[0] == '-' && word[1] != '-' && word[1] != '\0';
        const size_t size = strlen(word);
        words[i] = fm_cli_resize(NULL, size + 2);
        words[i][0] = '-';
        memcpy(words[i] + one, word, size + 1);
    }
    return words;
}

int fm_cmd_retrace(int argc, char **argv)
{
    struct retrace_front *front = fm_cli_resize(NULL, sizeof *front); /* the struct is too large for the stack */
    char **words = with_two_dashes(argc, argv);
    memset(front, 0, sizeof *front);
    fm_out_init(&front->out, STDOUT_FILENO);
    front->proguard = strncmp(fm_base_name(framemap_str_of(argv[0])).data, "proguard", 8) == 0;
    int code = read_arguments(front, argc, words);
    if (code == GO_ON) code = run_retrace(front);
    fm_out_flush(&front->out);
    fm_file_close(&front->trace);
    for (int i = 0; i < argc; i++) free(words[i]);
    free(words);
    free(front);
    return code;
}
