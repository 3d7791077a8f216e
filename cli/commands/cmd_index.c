/* framemap index: compiles symbol files to index files. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/symbols.h"

#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HELP = 1,
    OUTPUT,
    ARCH,
    THREADS,
    MAX_MEMORY,
    MAPPER,
    READER,
    STRICT,
    LENIENT,
    RANGES,
    SOURCES,
    SCRIPT,
    SYMBOLS,
    QUIET
};

static const struct fm_option table[] = {
    {OUTPUT, 'o', "output", FM_TAKES_VALUE, "OUT",
     "write to OUT, a directory if there are several inputs (default: FILE.fmx next to FILE)"},
    {ARCH, 0, "arch", FM_TAKES_VALUE, "ARCH", "use this architecture of a fat file"},
    {THREADS, 'j', "threads", FM_TAKES_VALUE, "N", "compile with N threads (default: one per processor)"},
    {MAX_MEMORY, 0, "max-memory", FM_TAKES_VALUE, "SIZE",
     "fail rather than use more memory; K, M and G are powers of 1024"},
    {MAPPER, 0, "kind", FM_TAKES_KIND, "KIND",
     "read FILE as this kind ('framemap list'); default: detected from its content"},
    {READER, 0, "reader", FM_TAKES_WORD, "fast|libdwarf", "debug info reader (default: fast)"},
    {STRICT, 0, "strict", FM_TAKES_NOTHING, NULL,
     "reject a text file with any fault, and a source map also for nulls that tools write"},
    {LENIENT, 0, "lenient", FM_TAKES_NOTHING, NULL,
     "use the valid parts of a faulty source map, which is otherwise rejected"},
    {RANGES, 0, "range-mappings", FM_TAKES_WORD, FM_RANGE_BASES,
     "how rangeMappings counts a line's segments: from 1 (default) or 0; 'off' ignores it"},
    {SOURCES, 0, "keep-sources", FM_TAKES_NOTHING, NULL,
     "keep the source text that a source map contains, for --context"},
    {SCRIPT, 0, "script", FM_TAKES_VALUE, "FILE",
     "the source map's script, from which function names are read (default: main.js next to main.js.map)"},
    {SYMBOLS, 's', "symbols", FM_TAKES_VALUE, "PATH",
     "search PATH, a file or a directory, for debug info that FILE has in other files (.dwo, .dwp, dwz, object files)"},
    {QUIET, 'q', "quiet", FM_TAKES_NOTHING, NULL, "do not report faults that were skipped"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct index_job {
    framemap_build_options build;
    const char *output, *script;
    const char **files, **symbols;
    size_t file_count, symbol_count;
    framemap_session *session; /* finds companions */
    const char *compiled;      /* path of the file that is compiled: the current one, or its debug file */
    bool quiet, lenient;
    framemap_error lack;  /* why the current file has no debug info; code OK: it has some */
    bool has_objects;     /* some object files with its debug info were found */
    framemap_error fault; /* the first fault in the current file that was skipped */
    struct fm_progress progress;
    const char *file; /* the current file */
};

static int print_index_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: framemap index [OPTION]... FILE...\n\nCompiles each symbol file into an index.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static bool report_index_progress(void *context, uint64_t done, uint64_t total)
{
    return fm_progress_step(&((struct index_job *)context)->progress, done, total);
}

static void report_index_warning(void *context, const framemap_error *warning)
{
    struct index_job *job = context;
    if (warning->code != FRAMEMAP_OK && job->fault.code == FRAMEMAP_OK) job->fault = *warning;
    if (job->quiet) return;
    fm_progress_end(&job->progress);
    fm_message_error(job->file, warning);
}

static bool is_folder(const char *path)
{
    struct stat about;
    return path[0] && (path[strlen(path) - 1] == '/' || (stat(path, &about) == 0 && S_ISDIR(about.st_mode)));
}

/* "folder/x.so.fmx" for "folder/app.apk!lib/x.so". */
static char *output_beside(const char *file, size_t archive_size)
{
    const framemap_str archive = {file, archive_size}, name = fm_file_name_within(file);
    const size_t folder = archive_size - fm_base_name(archive).size, room = folder + name.size + sizeof ".fmx";
    char *path = fm_cli_resize(NULL, room);
    snprintf(path, room, "%.*s%.*s.fmx", (int)folder, file, (int)name.size, name.data);
    return path;
}

/* Path of the index of a file; owned by the caller. */
static char *output_path(const struct index_job *job, const char *file)
{
    if (job->output && !is_folder(job->output)) return fm_cli_copy(job->output, strlen(job->output));

    framemap_str name = job->output ? fm_file_name_within(file) : framemap_str_of(file);
    const size_t archive_size = job->output ? 0 : fm_archive_size(file);
    if (archive_size) return output_beside(file, archive_size);
    while (name.size > 1 && name.data[name.size - 1] == '/') name.size--; /* "App.dSYM/" */
    size_t room = name.size + (job->output ? strlen(job->output) : 0) + sizeof "/.fmx";
    char *path = fm_cli_resize(NULL, room);
    snprintf(path, room, "%s%s%.*s.fmx", job->output ? job->output : "", job->output ? "/" : "", (int)name.size,
             name.data);
    return path;
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

/* Rejects a source map with faults, since other tools may reject it too. --lenient accepts it. */
static bool refuse_faulty_map(const struct index_job *job, const framemap_bytes *bytes)
{
    if (job->lenient || job->fault.code == FRAMEMAP_OK || !is_source_map(framemap_bytes_str(bytes))) return false;
    char place[48] = "";
    if (job->fault.has_offset) snprintf(place, sizeof place, " (at byte 0x%" PRIx64 ")", job->fault.offset);
    fm_message("%s: the source map breaks ECMA-426: %s%s; --lenient uses its valid parts", job->file,
               job->fault.message, place);
    return true;
}

/* Opens the script of a source map: the one given, or the file next to the map with its name without ".map". Closed by
 * the caller. Returns false if there is none, or on failure with *status set. */
static bool open_map_script(struct index_job *job, const char *path, struct fm_file *out, framemap_status *status,
                            framemap_error *error)
{
    static const char tail[] = ".map";
    const size_t size = strlen(path), cut = sizeof tail - 1;
    if (job->script) return (*status = fm_file_open(job->script, out, error)) == FRAMEMAP_OK;
    if (size <= cut || strcmp(path + size - cut, tail) != 0) return false;
    char *beside = fm_cli_copy(path, size - cut);
    const bool there = fm_file_open_beside(beside, out, NULL) == FRAMEMAP_OK;
    free(beside);
    return there;
}

/* Makes glibc allocate large blocks with mmap. The records of a large image are in arrays that grow to some megabytes;
 * mapped blocks grow by mremap without copying and are returned to the system when freed, which saves a quarter of the
 * memory. glibc does so from 128 KB on by default, but raises that threshold whenever a larger mapped block is freed,
 * unless it is set explicitly. Returning a page and faulting it in again costs as much as filling it, so blocks below a
 * megabyte, and up to a megabyte of free memory, are kept for the next unit. For mappings and source maps, reusing all
 * memory is faster, so they keep the default. */
static void keep_big_blocks_apart(framemap_str bytes)
{
#ifdef M_MMAP_THRESHOLD
    if (bytes.size == 0 || (unsigned char)bytes.data[0] < 0x7f) return; /* neither ELF nor Mach-O */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#else
    (void)bytes;
#endif
}

static bool find_companion(void *context, const framemap_companion_request *wanted, framemap_str *bytes)
{
    struct index_job *job = context;
    const bool found = framemap_session_companion(job->session, job->compiled, wanted, bytes);
    job->has_objects = job->has_objects || (found && wanted->kind == FRAMEMAP_COMPANION_OBJECT);
    return found;
}

/* The session only finds files: it makes no indexes. */
static framemap_status open_companions(struct index_job *job, framemap_error *error)
{
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = job->symbols,
                                              .symbol_path_count = job->symbol_count,
                                              .cache_path = "",
                                              .warning = report_index_warning,
                                              .context = job};
    job->build.companion = find_companion;
    job->build.companion_context = job;
    return framemap_session_open(&options, &job->session, error);
}

static framemap_status compile_file(struct index_job *job, const char *path, framemap_bytes *out, framemap_error *error)
{
    struct fm_file file, script;
    framemap_status status = fm_symbol_file_open(path, job->build.max_memory, &file, error);
    if (status) return status;
    const bool has_script = open_map_script(job, path, &script, &status, error);
    job->build.script = has_script ? script.bytes : (framemap_str){NULL, 0};
    job->build.consumed = fm_file_consumed;
    job->build.release_range = fm_file_release_range;
    job->build.input_context = &file;
    job->compiled = path;
    keep_big_blocks_apart(file.bytes);
    fm_progress_begin(&job->progress, path);
    if (!status) status = framemap_index_build(file.bytes, fm_file_name_within(job->file), &job->build, out, error);
    fm_progress_end(&job->progress);
    if (!status && (status = fm_file_check(path, &file, error))) framemap_bytes_free(out);
    if (has_script) fm_file_close(&script);
    fm_file_close(&file);
    return status;
}

/* For an image without debug info, returns the path of its separate debug file, owned by the caller; NULL if there is
 * none, with the reason in job->lack. */
static char *find_index_debug_file(struct index_job *job)
{
    framemap_error why = {.code = FRAMEMAP_OK};
    char *found = job->build.mapper ? NULL : fm_debug_file_of(job->file, job->build.arch, &why);
    if (found && !job->quiet) fm_message("%s: its debug info is read from %s", job->file, found);
    job->lack = why;
    return found;
}

/* Reports that the index has function names only, and which file would provide files and lines. */
static void report_missing_debug_info(const struct index_job *job)
{
    if (job->lack.code == FRAMEMAP_E_EMPTY && !job->has_objects && !job->quiet)
        fm_message("%s: %s; the index has function names only", job->file, job->lack.message);
}

static int index_file(struct index_job *job, const char *given)
{
    char *bundled = fm_bundle_file(given);
    framemap_bytes bytes = {0};
    framemap_error error;
    char *output = output_path(job, given);

    job->file = bundled ? bundled : given;
    job->fault = (framemap_error){.code = FRAMEMAP_OK};
    job->has_objects = false;
    bool failed = true;
    char *debug_file = find_index_debug_file(job);
    framemap_status status = compile_file(job, debug_file ? debug_file : job->file, &bytes, &error);
    if (status) {
        fm_cli_symbols_complain(job->file, job->build.arch, status, &error);
    } else if (!refuse_faulty_map(job, &bytes)) {
        status = fm_file_write(output, framemap_bytes_str(&bytes), &error);
        if (status) fm_message_error(output, &error);
        failed = status != FRAMEMAP_OK;
        if (!failed) report_missing_debug_info(job);
    }
    free(debug_file);
    framemap_bytes_free(&bytes);
    free(output);
    free(bundled);
    return failed ? FM_EXIT_FAILED : FM_EXIT_DONE;
}

static int run_index(struct index_job *job)
{
    int code = FM_EXIT_DONE;

    if (job->file_count == 0) {
        fm_message("index needs a symbol file");
        return fm_message_usage("index");
    }
    if (job->file_count > 1 && job->script) {
        fm_message("--script belongs to one source map, but %zu files are given", job->file_count);
        return fm_message_usage("index");
    }
    if (job->file_count > 1 && job->output && !is_folder(job->output)) {
        fm_message("with several inputs, -o must name a directory; '%s' is not one", job->output);
        return fm_message_usage("index");
    }
    framemap_error error;
    const framemap_status status = open_companions(job, &error);
    if (status) fm_message_error(NULL, &error);
    if (status) return FM_EXIT_FAILED;
    for (size_t i = 0; i < job->file_count; i++)
        if (index_file(job, job->files[i])) code = FM_EXIT_FAILED; /* continue with the other files */
    return code;
}

static bool take_index_option(struct index_job *job, int id, const char *value)
{
    uint64_t number;
    switch (id) {
    case OUTPUT: job->output = value; return true;
    case ARCH: job->build.arch = value; return true;
    case MAPPER: job->build.mapper = value; return true;
    case READER: job->build.reader = value; return true;
    case STRICT: job->build.strict = true; return true;
    case LENIENT: job->lenient = true; return true;
    case SCRIPT: job->script = value; return true;
    case SYMBOLS: job->symbols[job->symbol_count++] = value; return true;
    case QUIET: job->quiet = true; return true;
    case RANGES: return fm_parse_ranges(value, &job->build.range_mappings);
    case SOURCES: job->build.keep_sources = true; return true;
    case THREADS:
        if (!fm_parse_size(value, &number) || number == 0 || number > 1024) {
            fm_message("'%s' is not a valid number of threads; use 1 to 1024", value);
            return false;
        }
        job->build.threads = (unsigned)number;
        return true;
    case MAX_MEMORY: return fm_parse_memory(value, &job->build.max_memory);
    default: job->files[job->file_count++] = value; return true;
    }
}

int fm_cmd_index(int argc, char **argv)
{
    struct fm_options options;
    struct index_job job = {.build = {.size = sizeof job.build,
                                      .threads = fm_processors(),
                                      .progress = report_index_progress,
                                      .warning = report_index_warning,
                                      .context = &job}};
    int id, code = -1;

    job.files = fm_cli_resize(NULL, (size_t)argc * sizeof *job.files);
    job.symbols = fm_cli_resize(NULL, (size_t)argc * sizeof *job.symbols);
    fm_options_init(&options, table, ROWS, argc, argv);
    while (code < 0 && (id = fm_options_next(&options)) != FM_OPTIONS_END) {
        if (id == FM_OPTIONS_BAD)
            code = fm_options_complain(&options, "index");
        else if (id == HELP)
            code = print_index_help();
        else if (!take_index_option(&job, id, options.value))
            code = fm_message_usage("index");
    }
    if (code < 0) code = run_index(&job);
    framemap_session_close(job.session);
    free(job.files);
    free(job.symbols);
    return code;
}
