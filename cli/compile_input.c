/* Opens a symbol file for the compiler, together with its debug file, script and companions. See compile_input.h. */
#include "cli/compile_input.h"

#include "cli/cli.h"
#include "cli/stores.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>

static bool report_progress(void *context, uint64_t done, uint64_t total)
{
    return fm_progress_step(&((struct fm_compile_input *)context)->progress, done, total);
}

static void report_warning(void *context, const framemap_error *warning)
{
    struct fm_compile_input *input = context;
    if (warning->code != FRAMEMAP_OK && input->fault.code == FRAMEMAP_OK) input->fault = *warning;
    if (input->quiet) return;
    fm_progress_end(&input->progress);
    fm_message_error(input->file, warning);
}

void fm_compile_input_init(struct fm_compile_input *input, int arguments)
{
    *input = (struct fm_compile_input){.build = {.size = sizeof input->build,
                                                 .threads = fm_processors(),
                                                 .progress = report_progress,
                                                 .warning = report_warning,
                                                 .context = input}};
    input->symbols = fm_cli_resize(NULL, (size_t)arguments * sizeof *input->symbols);
}

void fm_compile_input_free(struct fm_compile_input *input)
{
    framemap_session_close(input->session);
    free(input->symbols);
}

static bool take_threads(struct fm_compile_input *input, const char *value)
{
    uint64_t number;
    if (!fm_parse_size(value, &number) || number == 0 || number > 1024) {
        fm_message("'%s' is not a valid number of threads; use 1 to 1024", value);
        return false;
    }
    input->build.threads = (unsigned)number;
    return true;
}

bool fm_compile_input_option(struct fm_compile_input *input, int id, const char *value)
{
    switch (id) {
    case FM_INPUT_ARCH: input->build.arch = value; return true;
    case FM_INPUT_THREADS: return take_threads(input, value);
    case FM_INPUT_MAX_MEMORY: return fm_parse_memory(value, &input->build.max_memory);
    case FM_INPUT_MAPPER: input->build.mapper = value; return true;
    case FM_INPUT_READER: input->build.reader = value; return true;
    case FM_INPUT_STRICT: input->build.strict = true; return true;
    case FM_INPUT_RANGES: return fm_parse_ranges(value, &input->build.range_mappings);
    case FM_INPUT_SCRIPT: input->script = value; return true;
    case FM_INPUT_SYMBOLS:
        if (fm_is_store(value)) return fm_store_refuse("--symbols");
        input->symbols[input->symbol_count++] = value;
        return true;
    default: input->quiet = true; return true;
    }
}

/* --- finding the files that belong to a symbol file --- */

static bool find_companion(void *context, const framemap_companion_request *wanted, framemap_str *bytes)
{
    struct fm_compile_input *input = context;
    const bool found = framemap_session_companion(input->session, input->compiled, wanted, bytes);
    input->has_objects = input->has_objects || (found && wanted->kind == FRAMEMAP_COMPANION_OBJECT);
    return found;
}

/* Opens the session, which only finds files: it makes no indexes. */
framemap_status fm_compile_input_ready(struct fm_compile_input *input, framemap_error *error)
{
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = input->symbols,
                                              .symbol_path_count = input->symbol_count,
                                              .cache_path = "",
                                              .warning = report_warning,
                                              .context = input};
    input->build.companion = find_companion;
    input->build.companion_context = input;
    return framemap_session_open(&options, &input->session, error);
}

char *fm_compile_input_debug_file(struct fm_compile_input *input)
{
    framemap_error why = {.code = FRAMEMAP_OK};
    char *found = input->build.mapper ? NULL : fm_debug_file_of(input->file, input->build.arch, &why);
    if (found && !input->quiet) fm_message("%s: its debug info is read from %s", input->file, found);
    /* Adds the file itself to the session, since it may have symbols that its debug file lacks. */
    if (found) framemap_session_add(input->session, input->file, NULL);
    input->lack = why;
    return found;
}

/* --- compiling one file --- */

/* Opens the script of a source map: the script that was given, or the file next to the map that has the map's name
 * without ".map". Closed by the caller. Returns false if there is no script, or on failure with *status set. */
static bool open_map_script(struct fm_compile_input *input, const char *path, struct fm_file *out,
                            framemap_status *status, framemap_error *error)
{
    static const char tail[] = ".map";
    const size_t size = strlen(path), cut = sizeof tail - 1;
    if (input->script) return (*status = fm_file_open(input->script, out, error)) == FRAMEMAP_OK;
    if (size <= cut || strcmp(path + size - cut, tail) != 0) return false;
    char *beside = fm_cli_copy(path, size - cut);
    const bool there = fm_file_open_beside(beside, out, NULL) == FRAMEMAP_OK;
    free(beside);
    return there;
}

/* Makes glibc allocate large blocks with mmap. The records of a large image are in arrays that grow to some megabytes.
 * Mapped blocks grow by mremap without copying and are returned to the system when freed, which saves a quarter of the
 * memory. By default glibc maps blocks of 128 KB or more, and raises this threshold whenever a larger mapped block is
 * freed; setting the threshold keeps it fixed. Returning a page and faulting it in again costs as much as filling it.
 * So blocks below a megabyte, and up to a megabyte of free memory, are kept for the next unit. For mappings and source
 * maps, reusing all memory is faster, so they keep the default. */
static void keep_big_blocks_apart(framemap_str bytes)
{
#ifdef M_MMAP_THRESHOLD
    if (bytes.size == 0 || (unsigned char)bytes.data[0] < 0x7f) return; /* the file is neither ELF nor Mach-O */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#else
    (void)bytes;
#endif
}

framemap_status fm_compile_input_with(struct fm_compile_input *input, const char *path, fm_compile_input_use *use,
                                      void *context, framemap_error *error)
{
    struct fm_file file, script;
    framemap_status status = fm_symbol_file_open(path, input->build.max_memory, &file, error);
    if (status) return status;
    const bool has_script = open_map_script(input, path, &script, &status, error);
    input->build.script = has_script ? script.bytes : (framemap_str){NULL, 0};
    input->build.consumed = fm_file_consumed;
    input->build.release_range = fm_file_release_range;
    input->build.input_context = &file;
    input->compiled = path;
    keep_big_blocks_apart(file.bytes);
    fm_progress_begin(&input->progress, path);
    if (!status) status = use(context, file.bytes, fm_file_name_within(input->file), &input->build, error);
    fm_progress_end(&input->progress);
    if (!status) status = fm_file_check(path, &file, error);
    if (has_script) fm_file_close(&script);
    fm_file_close(&file);
    return status;
}
