/* framemap lookup: looks up locations in one symbol file or index. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/commands/lookup_print.h"
#include "cli/options.h"
#include "cli/query_text.h"
#include "cli/stores.h"
#include "cli/symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HELP = FM_OPTION_HELP,
    OUTPUT,
    ARCH,
    DEMANGLE,
    RETURN,
    ZERO,
    CONTEXT,
    RANGES,
    NO_CACHE,
    OUTSIDE,
    MAX_MEMORY,
    SYMBOLS
};

static const struct fm_option table[] = {
    {OUTPUT, 'o', "output", FM_TAKES_WORD, "text|json", "text (default), or json: one object per query"},
    {ARCH, 0, "arch", FM_TAKES_VALUE, "ARCH", "use this architecture of a fat file"},
    {DEMANGLE, 0, "demangle", FM_TAKES_WORD, FM_DEMANGLE_STYLES,
     "how to demangle C++, Rust and Swift names (default: llvm)"},
    {RETURN, 'r', "return-address", FM_TAKES_NOTHING, NULL,
     "addresses are return addresses: look up the call before each"},
    {ZERO, '0', "zero-columns", FM_TAKES_NOTHING, NULL,
     "columns count from 0, as in the bytecode addresses that Hermes prints (LINE:ADDR)"},
    {RANGES, 0, "range-mappings", FM_TAKES_WORD, FM_RANGE_BASES,
     "how rangeMappings counts a line's segments: from 1 (default) or 0; 'off' ignores it"},
    {CONTEXT, 0, "context", FM_TAKES_VALUE, "N",
     "show N lines of source around each location, if the source map contains its sources"},
    {MAX_MEMORY, 0, "max-memory", FM_TAKES_VALUE, "SIZE",
     "fail rather than use more memory; K, M and G are powers of 1024"},
    {OUTSIDE, 0, "allow-outside", FM_TAKES_NOTHING, NULL,
     "open a source map that the script refers to outside its directory"},
    {SYMBOLS, 's', "symbols", FM_TAKES_VALUE, "PATH",
     "search PATH, a file or a directory, for debug info that FILE has in other files"},
    {NO_CACHE, 0, "no-cache", FM_TAKES_NOTHING, NULL, "do not use the cache of compiled symbol files"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct lookup_job {
    const char **locations; /* locations given on the command line */
    size_t location_count;
    const char *file, *arch, *cache;
    bool json, return_address, zero_columns, allow_outside;
    framemap_demangle demangle;
    uint32_t context;
    framemap_range_mappings ranges;
    uint64_t max_memory;
    const char **paths; /* paths given after -s */
    size_t path_count;

    struct fm_cli_symbols symbols;
    const framemap_index *index;
    struct fm_sections sections;
    bool sections_read;
    bool kind_reported; /* it was reported that this file is looked up by another kind of locations */
    bool found_nothing; /* nothing was found for at least one address */
    int code;
    struct fm_out out;
};

static int print_lookup_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(
        &out, "usage: framemap lookup [OPTION]... FILE [WHERE]...\n\n"
              "Looks up each WHERE, given as an argument or read from standard input, and prints its source frames, "
              "innermost "
              "first.\n"
              "FILE is a symbol file, a dSYM bundle, an index, or a script whose source map is to be used. WHERE is "
              "one of\n\n"
              "  0xADDR             a linked address\n"
              "  +0xOFF             an offset from the start of the image\n"
              "  SECTION:0xOFF      an offset in a section; SEGMENT,SECTION:0xOFF for Mach-O; SECTION@NUMBER:0xOFF if "
              "several "
              "share a name\n"
              "  LINE:COL           a position in a generated text, both from 1; for bytecode also 0xADDR, as stacks "
              "print it\n"
              "  FUNCTION+OFFSET    for bytecode, both decimal, as in crash dumps; SEGMENT:FUNCTION+OFFSET for further "
              "segments\n"
              "  Class.method:LINE  a position in an obfuscated member; without :LINE, all members of that name\n"
              "  Class              an obfuscated class\n"
              "  Class.method(FILE:LINE)\n"
              "                     a frame as a stack prints it\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* --- looking up locations --- */

/* Converts an offset in a section of a linked image to an address; in an object file, the query keeps the section as
 * its scope. Returns false if the offset is outside the section. */
static bool resolve_section(struct lookup_job *job, framemap_query *query)
{
    framemap_error error;
    if (!job->sections_read) {
        char *bundled = fm_bundle_file(job->file);
        if (fm_sections_read(bundled ? bundled : job->file, job->arch, &job->sections, &error))
            fm_message_error(job->file, &error);
        job->sections_read = true;
        free(bundled);
    }
    const framemap_section_info *section = fm_sections_named(&job->sections, query->scope);
    if (!section || job->sections.relocatable) return true;
    if (query->position >= section->size || section->address > UINT64_MAX - query->position) return false;
    query->position += section->address;
    query->address_kind = FRAMEMAP_ADDRESS_LINKED;
    query->scope = (framemap_str){0};
    return true;
}

/* Whether the index is looked up by names: mappings and Dart's obfuscation maps. */
static bool is_looked_up_by_name(const framemap_index *index)
{
    framemap_index_info info;
    framemap_index_describe(index, &info);
    return info.queried_by == FRAMEMAP_QUERIED_BY_MEMBER;
}

/* Whether the index can have answers to locations of this kind. */
static bool is_looked_up_by(const framemap_index *index, enum fm_query_text_kind kind)
{
    framemap_index_info info;
    framemap_index_describe(index, &info);
    if (info.queried_by == FRAMEMAP_QUERIED_BY_MEMBER) return kind == FM_QUERY_TEXT_MEMBER;
    if (info.queried_by == FRAMEMAP_QUERIED_BY_LINE)
        return kind == FM_QUERY_TEXT_LINE || kind == FM_QUERY_TEXT_ADDRESS || kind == FM_QUERY_TEXT_FUNCTION;
    return kind == FM_QUERY_TEXT_ADDRESS || kind == FM_QUERY_TEXT_OFFSET || kind == FM_QUERY_TEXT_SECTION;
}

/* Reports that locations of this kind do not apply to the file. Reported once, since the locations of a list are mostly
 * of one kind. */
static void report_wrong_kind(struct lookup_job *job, enum fm_query_text_kind kind)
{
    framemap_index_info info;
    framemap_index_describe(job->index, &info);
    if (job->kind_reported || is_looked_up_by(job->index, kind)) return;
    job->kind_reported = true;
    fm_message("%s is looked up by %s", job->file,
               is_looked_up_by_name(job->index) ? "Class.method:LINE or Class"
               : info.is_source_map             ? "LINE:COL, or 0xADDR for bytecode"
                                                : "0xADDR, +0xOFF or SECTION:0xOFF");
}

/* Prints the answer for a location. If the location is the URL of a store, which was given in the wrong place, the
 * URL's password is not printed. */
static void put_lookup_answer(struct lookup_job *job, framemap_str location, const framemap_frame *frame)
{
    char *hidden = fm_cli_hide_login(&location);
    if (job->json)
        fm_put_json_answer(&job->out, location, frame);
    else
        fm_put_text_answer(&job->out, location, frame);
    free(hidden);
}

/* Reports a text that is not a location. An address as stacks print it, which lacks only its prefix, gets a hint. */
static void report_bad_location(const struct lookup_job *job, framemap_str location)
{
    uint64_t address;
    if (is_looked_up_by(job->index, FM_QUERY_TEXT_OFFSET) && fm_parse_hex(location, &address))
        fm_message("'%.*s' is not a valid location; an address begins with 0x: 0x%" PRIx64, (int)location.size,
                   location.data, address);
    else
        fm_message(
            "'%.*s' is not a valid location; use 0xADDR, +0xOFF, SECTION:0xOFF, LINE:COL, Class.method:LINE or Class",
            (int)location.size, location.data);
}

/* Reports that a location was taken for a method although it is the name of a class: "a.c:12" names no method. query:
 * the query that found nothing; its answer must be printed before, because this function reuses the scratch memory. */
static void report_missing_method(struct lookup_job *job, const framemap_query *query)
{
    framemap_query name = *query;
    framemap_frame frame;
    name.no_position = true;
    if (framemap_resolve(job->index, &name, job->symbols.scratch, &frame, NULL) || frame.restored.count == 0 ||
        frame.restored.frames[0].function.size > 0)
        return;
    fm_message("%.*s is a class; a line of it needs the method, too: %.*s.METHOD:%" PRIu64, (int)query->scope.size,
               query->scope.data, (int)query->scope.size, query->scope.data, query->position);
}

static void answer_location(struct lookup_job *job, framemap_str location)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame = {.status = FRAMEMAP_FRAME_NO_MATCH, .reason = "the offset is outside the section"};
    framemap_error error;
    framemap_status status = FRAMEMAP_OK;

    enum fm_query_text_kind kind = fm_query_text_parse(location, job->zero_columns, &query);
    if (kind == FM_QUERY_TEXT_MEMBER && query.no_position && !is_looked_up_by_name(job->index))
        kind = FM_QUERY_TEXT_BAD;
    query.demangle = job->demangle;
    query.return_address = job->return_address;
    query.context = job->context;
    if (kind == FM_QUERY_TEXT_BAD) {
        report_bad_location(job, location);
        frame = (framemap_frame){.status = FRAMEMAP_FRAME_MALFORMED, .reason = "not a valid location"};
        job->code = FM_EXIT_FAILED;
    } else if (kind != FM_QUERY_TEXT_SECTION || resolve_section(job, &query)) {
        status = framemap_resolve(job->index, &query, job->symbols.scratch, &frame, &error);
        if (!status) fm_cli_symbols_incomplete(&job->symbols, job->index, &query, &frame, job->symbols.scratch);
    }
    if (fm_cli_symbols_changed(&job->symbols, job->index)) {
        status = FRAMEMAP_OK;
        frame = (framemap_frame){.status = FRAMEMAP_FRAME_NO_MATCH, .reason = fm_changed_while_read};
        job->code = FM_EXIT_FAILED;
    }
    if (status) {
        job->code = fm_message_error(job->file, &error);
        return;
    }
    if (kind != FM_QUERY_TEXT_BAD && frame.status == FRAMEMAP_FRAME_NO_MATCH) report_wrong_kind(job, kind);
    if (frame.kind == FRAMEMAP_KIND_NATIVE && frame.status == FRAMEMAP_FRAME_NO_MATCH) job->found_nothing = true;
    put_lookup_answer(job, location, &frame);
    if (kind == FM_QUERY_TEXT_MEMBER && !query.no_position && frame.status == FRAMEMAP_FRAME_NO_MATCH &&
        is_looked_up_by_name(job->index))
        report_missing_method(job, &query);
}

/* Handles a line that is longer than any location: prints an answer that says it is invalid, and shows its first
 * bytes. */
static void answer_long_line(struct lookup_job *job, struct fm_in *in, framemap_str line)
{
    enum { SHOWN = 60 };
    static const framemap_frame frame = {.status = FRAMEMAP_FRAME_MALFORMED, .reason = "not a valid location"};
    char begin[SHOWN];
    memcpy(begin, line.data, SHOWN);
    fm_in_skip_line(in, &job->out);
    fm_message("a line of more than %zu bytes is not a valid location; it begins with '%.*s'", FRAMEMAP_LONGEST_LINE,
               SHOWN, begin);
    put_lookup_answer(job, (framemap_str){begin, SHOWN}, &frame);
    job->code = FM_EXIT_FAILED;
}

static framemap_str trimmed(framemap_str text)
{
    while (text.size && strchr(" \t\r", text.data[text.size - 1])) text.size--;
    while (text.size && strchr(" \t", text.data[0])) text = (framemap_str){text.data + 1, text.size - 1};
    return text;
}

static void answer_input_lines(struct lookup_job *job)
{
    struct fm_in in;
    framemap_str line;

    fm_message_waiting("locations, one per line,");
    fm_in_init(&in, STDIN_FILENO);
    while (fm_in_line(&in, &job->out, FRAMEMAP_LONGEST_LINE, &line)) {
        if (in.goes_on) {
            answer_long_line(job, &in, line);
            continue;
        }
        line = trimmed(line);
        if (line.size) answer_location(job, line);
    }
    if (in.failed) job->code = FM_EXIT_FAILED;
    fm_in_free(&in);
}

/* Reports that --context was given but the index contains no source. */
static void report_no_sources(const struct lookup_job *job)
{
    framemap_index_info info;
    if (job->context == 0) return;
    framemap_index_describe(job->index, &info);
    if (!info.is_source_map || info.has_content) return;
    fm_message("%s contains no source text; build it with 'framemap index --keep-sources'", job->file);
}

/* Returns the addresses on the command line, if it has no other locations; owned by the caller. The file need then be
 * compiled for these addresses only. NULL: there are other locations. */
static uint64_t *only_lookup_addresses(const struct lookup_job *job, size_t *out_count)
{
    const size_t count = job->location_count;
    uint64_t *addresses = fm_cli_resize(NULL, (3 * count + 1) * sizeof *addresses);
    *out_count = 0;
    for (size_t i = 0; i < count; i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        if (fm_query_text_parse(framemap_str_of(job->locations[i]), job->zero_columns, &query) !=
            FM_QUERY_TEXT_ADDRESS) {
            free(addresses);
            return NULL;
        }
        addresses[(*out_count)++] = query.position;
        if (!job->return_address) continue;
        /* the byte before a return address, and that before one without the Thumb bit of 32-bit ARM */
        const uint64_t even = query.position & ~(uint64_t)1;
        if (query.position > 0) addresses[(*out_count)++] = query.position - 1;
        if (even > 0 && even != query.position) addresses[(*out_count)++] = even - 1;
    }
    if (count > 0) return addresses;
    free(addresses); /* no location was given on the command line, so locations are read from standard input */
    return NULL;
}

/* Reports swapped arguments, as in "lookup 0x1234 libapp.so": the missing file is a location, and the first location is
 * a file. */
static void report_swapped_arguments(const struct lookup_job *job)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    const enum fm_query_text_kind kind = fm_query_text_parse(framemap_str_of(job->file), job->zero_columns, &query);
    if (job->location_count == 0 || kind == FM_QUERY_TEXT_BAD || kind == FM_QUERY_TEXT_MEMBER ||
        access(job->locations[0], F_OK) != 0)
        return;
    fm_message("the file comes before the locations: framemap lookup %s %s", job->locations[0], job->file);
}

/* Opens an index file by itself, unless an option needs a session. Returns false if a session is needed. */
static bool open_index_alone(struct lookup_job *job)
{
    return !job->arch && !job->max_memory && job->path_count == 0 &&
           fm_cli_symbols_alone(&job->symbols, job->file, &job->index);
}

/* Opens the index of a file by a session, which compiles symbol files. Reports errors; returns the exit code. */
static int open_by_session(struct lookup_job *job)
{
    const framemap_session_options options = {.symbol_paths = job->paths,
                                              .symbol_path_count = job->path_count,
                                              .cache_path = job->cache,
                                              .warning = fm_cli_symbols_warn,
                                              .keep_sources = job->context > 0,
                                              .range_mappings = job->ranges,
                                              .allow_outside = job->allow_outside,
                                              .max_memory = job->max_memory};
    framemap_error error;
    size_t address_count;
    if (fm_cli_symbols_open_with(&job->symbols, options, &error)) return fm_message_error(NULL, &error);
    uint64_t *addresses = only_lookup_addresses(job, &address_count);
    const framemap_status status =
        fm_cli_symbols_some(&job->symbols, job->file, job->arch, addresses, address_count, &job->index, &error);
    free(addresses);
    if (status == FRAMEMAP_OK) return FM_EXIT_DONE;
    fm_cli_symbols_close(&job->symbols);
    fm_cli_symbols_complain(job->file, job->arch, status, &error);
    if (status == FRAMEMAP_E_IO) report_swapped_arguments(job);
    return FM_EXIT_FAILED;
}

/* Reports that a file is stripped, and which file to give instead: this may be why nothing was found at an address. Not
 * reported for a file with a debug map. Such a map names all functions with debug info, so at other addresses the
 * object files have nothing either. */
static void report_stripping(const struct lookup_job *job)
{
    const framemap_image_query want = {.path = framemap_str_of(job->file), .arch = framemap_str_of(job->arch)};
    framemap_str found;
    framemap_error error;
    if (!job->found_nothing || job->symbols.session == NULL || fm_cli_has_debug_map(job->file, job->arch)) return;
    if (framemap_session_debug_file(job->symbols.session, &want, &found, &error) == FRAMEMAP_E_EMPTY)
        fm_message_error(job->file, &error);
}

static int run_lookup(struct lookup_job *job)
{
    if (!open_index_alone(job)) {
        const int code = open_by_session(job);
        if (code != FM_EXIT_DONE) return code;
    }
    report_no_sources(job);
    for (size_t i = 0; i < job->location_count; i++) answer_location(job, framemap_str_of(job->locations[i]));
    if (job->location_count == 0) answer_input_lines(job);
    report_stripping(job);
    if (job->symbols.session && job->symbols.lacking_count > 0 && !job->allow_outside)
        fm_message("add the files with that debug info with -s PATH, or allow their own paths with --allow-outside");
    if (!fm_out_flush(&job->out)) job->code = FM_EXIT_FAILED;
    fm_sections_free(&job->sections);
    /* An index that was compiled for some addresses only is not freed when the session is closed, so it is released
     * here. */
    if (job->symbols.session) framemap_session_release(job->symbols.session, job->index);
    fm_cli_symbols_close(&job->symbols);
    return job->code;
}

static bool take_lookup_option(void *context, int id, const char *value)
{
    struct lookup_job *job = context;
    switch (id) {
    case ARCH: job->arch = value; return true;
    case RETURN: job->return_address = true; return true;
    case ZERO: job->zero_columns = true; return true;
    case MAX_MEMORY: return fm_parse_memory(value, &job->max_memory);
    case OUTSIDE: job->allow_outside = true; return true;
    case SYMBOLS:
        if (fm_is_store(value)) return fm_store_refuse("--symbols");
        job->paths[job->path_count++] = value;
        return true;
    case NO_CACHE: job->cache = ""; return true;
    case RANGES: return fm_parse_ranges(value, &job->ranges);
    case CONTEXT: return fm_parse_context(value, &job->context);
    case DEMANGLE: return fm_parse_demangle(value, &job->demangle);
    case OUTPUT: job->json = strcmp(value, "json") == 0; return true;
    default:
        if (job->file)
            job->locations[job->location_count++] = value;
        else
            job->file = value;
        return true;
    }
}

static const struct fm_command_line command_line = {"lookup", table, ROWS, print_lookup_help, take_lookup_option};

int fm_cmd_lookup(int argc, char **argv)
{
    struct lookup_job *job = fm_cli_resize(NULL, sizeof *job); /* the struct is too large for the stack */
    memset(job, 0, sizeof *job);
    job->locations = fm_cli_resize(NULL, (size_t)argc * sizeof *job->locations);
    job->paths = fm_cli_resize(NULL, (size_t)argc * sizeof *job->paths);
    fm_out_init(&job->out, STDOUT_FILENO);
    int code = fm_command_line_take(&command_line, argc, argv, job);
    if (code < 0 && !job->file) {
        fm_message("lookup needs a file");
        code = fm_message_usage("lookup");
    }
    if (code < 0) code = run_lookup(job);
    free(job->locations);
    free(job->paths);
    free(job);
    return code;
}
