/* framemap dart-decode: the commands of package:native_stack_traces' `decode`. What is wrong with a command line is told on stdout, and the exit code is 1, as there. */
#include "cli/dart_files.h"
#include "cli/options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELP = 1, DEBUG, VERBOSE, INPUT, OUTPUT, LOCATION, HEX, ARCH, VM_START, ISOLATE_START, ANY_BUILD };

static const struct fm_option translate_table[] = {
    {DEBUG, 'd', "debug", FM_TAKES_VALUE, "FILE", "the file with debugging information (required)"},
    {VERBOSE, 'v', "verbose", FM_TAKES_NOTHING, NULL, "translate all frames, not just those of user and library code"},
    {INPUT, 'i', "input", FM_TAKES_VALUE, "FILE", "the text with stack traces (default: standard input)"},
    {OUTPUT, 'o', "output", FM_TAKES_VALUE, "FILE", "where the result goes (default: standard output)"},
    {ANY_BUILD, 0, "any-build", FM_TAKES_NOTHING, NULL, "translate traces of other builds too: the result is most likely wrong"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "tell this"},
};
static const struct fm_option find_table[] = {
    {DEBUG, 'd', "debug", FM_TAKES_VALUE, "FILE", "the file with debugging information (required)"},
    {VERBOSE, 'v', "verbose", FM_TAKES_NOTHING, NULL, "tell all frames, not just those of user and library code"},
    {LOCATION, 'l', "location", FM_TAKES_VALUE, "PC", "an address to find, or several with commas between them"},
    {HEX, 'x', "force_hexadecimal", FM_TAKES_NOTHING, NULL, "numbers without 0x are hexadecimal too"},
    {ARCH, 'a', "architecture", FM_TAKES_VALUE, "ARCH", "which part of a fat file: arm, arm64, ia32, x64"},
    {VM_START, 0, "vm_start", FM_TAKES_VALUE, "PC", "where the VM's instructions stood in memory"},
    {ISOLATE_START, 0, "isolate_start", FM_TAKES_VALUE, "PC", "where the isolate's instructions stood in memory"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "tell this"},
};
#define ROWS(table) (sizeof(table) / sizeof *(table))

static int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("Error: ", stdout);
    vprintf(format, list);
    fputs(".\n", stdout);
    va_end(list);
    return FM_EXIT_FAILED;
}

static int usage(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: framemap dart-decode translate -d FILE [-i FILE] [-o FILE] [-v]\n"
                      "       framemap dart-decode find -d FILE [OPTION]... PC...\n\n"
                      "Decodes stack traces of Dart programs compiled ahead of time, as 'decode' of package:native_stack_traces does.\n"
                      "A PC is an address as linked, 0x2a3f or 15049, or a text symbol and an offset, _kDartSnapshotText+0x403f.\n\n"
                      "translate:\n");
    fm_options_help(&out, translate_table, ROWS(translate_table));
    fm_put_text(&out, "\nfind:\n");
    fm_options_help(&out, find_table, ROWS(find_table));
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* --- translate --- */

static int translate(int argc, char **argv)
{
    struct fm_options options;
    struct fm_dart_files files = {.program = NULL};
    struct fm_dart_translation translation = {.input = NULL};
    framemap_error error;
    int id;
    fm_options_init(&options, translate_table, ROWS(translate_table), argc, argv);
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        switch (id) {
        case FM_OPTIONS_BAD: fm_options_complain(&options, "dart-decode"); return FM_EXIT_FAILED;
        case HELP: return usage();
        case DEBUG: files.program = options.value; break;
        case VERBOSE: translation.internal_frames = true; break;
        case INPUT: translation.input = options.value; break;
        case OUTPUT: translation.output = options.value; break;
        case ANY_BUILD: translation.any_build = true; break;
        default: break; /* words that are no options are not looked at */
        }
    }
    if (files.program == NULL) return fail("must provide -d/--debug");
    if (fm_symbols_open(&files.symbols, NULL, false, &error)) return fm_say_error(NULL, &error);
    int code = fm_dart_translate(&files, &translation);
    fm_symbols_close(&files.symbols);
    return code;
}

/* --- find --- */

struct finder {
    struct fm_dart_files files;
    const framemap_index *index;
    framemap_dart_texts texts;
    const char *arch, *vm_start, *isolate_start;
    const char **places;
    size_t place_count;
    bool verbose, hex;
    int64_t vm, isolate;
    struct fm_out *out;
};

/* As Dart parses numbers: 64 bits, an optional sign. */
static bool parse_number(const char *text, int base, int64_t *out)
{
    char *end;
    if (*text == '\0' || *text == ' ') return false;
    *out = (int64_t)strtoull(text, &end, base);
    return *end == '\0';
}

static bool parse_address(const struct finder *finder, const char *text, int64_t *out)
{
    const bool prefixed = strncmp(text, "0x", 2) == 0;
    if (!finder->hex && !prefixed && parse_number(text, 10, out)) return true;
    return parse_number(prefixed ? text + 2 : text, 16, out);
}

/* The address as linked of a distance from one of the texts. */
static int64_t from_text(const struct finder *finder, bool vm, int64_t offset)
{
    return (int64_t)(vm ? finder->texts.vm_text : finder->texts.text) + offset;
}

/* "SYMBOL+0x12" */
static bool parse_symbol(const struct finder *finder, const char *text, int64_t *out)
{
    static const char *const names[] = {"_kDartVmSnapshotInstructions+", "_kDartIsolateSnapshotInstructions+", "_kDartSnapshotText+"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *at = strstr(text, names[i]);
        int64_t offset;
        if (at == NULL || !parse_address(finder, at + strlen(names[i]), &offset)) continue;
        *out = from_text(finder, i == 0, offset);
        return true;
    }
    return false;
}

/* A plain number counts from the text that begins nearest below it. */
static bool parse_place(const struct finder *finder, const char *text, int64_t *out)
{
    int64_t address;
    if (parse_symbol(finder, text, out)) return true;
    if (!parse_address(finder, text, &address)) return false;
    const int64_t isolate = address - finder->isolate, vm = address - finder->vm;
    const bool in_vm = finder->texts.has_vm_text && vm > 0 && (isolate < 0 || vm < isolate);
    *out = in_vm ? from_text(finder, true, vm) : from_text(finder, false, isolate);
    return true;
}

static void put_frame(struct fm_out *out, const framemap_frame *frame)
{
    fm_put_text(out, "  ");
    fm_put_str(out, frame->function);
    if (frame->file.size == 0) {
        fm_put_text(out, "+0x");
        fm_put_hex(out, frame->function_offset, 1);
    } else {
        fm_put_text(out, " (");
        fm_put_str(out, frame->file);
        if (frame->line) fm_put_char(out, ':'), fm_put_dec(out, frame->line);
        if (frame->line && frame->column) fm_put_char(out, ':'), fm_put_dec(out, frame->column);
        fm_put_char(out, ')');
    }
    fm_put_char(out, '\n');
}

static framemap_status tell_place(const struct finder *finder, int64_t address, framemap_error *error)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame answer = {.restored = {NULL, 0}};
    struct fm_out *out = finder->out;
    bool any = false;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.position = (uint64_t)address;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    framemap_status status = framemap_resolve(finder->index, &query, finder->files.symbols.scratch, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    fm_put_text(out, "For virtual address ");
    if (address > 0)
        fm_put_text(out, "0x"), fm_put_hex(out, (uint64_t)address, 1);
    else if (address < 0)
        fm_put_char(out, '-'), fm_put_dec(out, (uint64_t)0 - (uint64_t)address);
    else
        fm_put_char(out, '0');
    fm_put_text(out, ":\n");
    for (size_t i = 0; i < answer.restored.count; i++) {
        const framemap_frame *frame = &answer.restored.frames[i];
        if (!finder->verbose && (frame->artificial || frame->file.size == 0)) continue;
        put_frame(out, frame);
        any = true;
    }
    if (answer.restored.count == 0)
        fm_put_text(out, "  Invalid virtual address.\n");
    else if (!any)
        fm_put_text(out, "  Not a call from user or library code.\n");
    return FRAMEMAP_OK;
}

static int find_places(struct finder *finder)
{
    framemap_error error;
    int64_t *addresses = fm_cli_resize(NULL, finder->place_count * sizeof *addresses);
    int code = FM_EXIT_DONE;
    for (size_t i = 0; i < finder->place_count && code == FM_EXIT_DONE; i++)
        if (!parse_place(finder, finder->places[i], &addresses[i])) code = fail("could not parse PC address %s", finder->places[i]);
    for (size_t i = 0; i < finder->place_count && code == FM_EXIT_DONE; i++)
        if (tell_place(finder, addresses[i], &error) != FRAMEMAP_OK) code = fm_say_error(finder->files.program, &error);
    free(addresses);
    return code;
}

static int find_with(struct finder *finder)
{
    finder->index = fm_dart_open(&finder->files, finder->files.program, finder->arch);
    if (finder->index == NULL) return FM_EXIT_FAILED;
    if (!framemap_dart_texts_of(finder->index, &finder->texts))
        return fail("file \"%s\" is of no Dart program compiled ahead of time", finder->files.program);
    finder->vm = (int64_t)finder->texts.vm_text;
    finder->isolate = (int64_t)finder->texts.text;
    if (finder->vm_start && !parse_address(finder, finder->vm_start, &finder->vm))
        return fail("could not parse VM start address %s", finder->vm_start);
    if (finder->isolate_start && !parse_address(finder, finder->isolate_start, &finder->isolate))
        return fail("could not parse isolate start address %s", finder->isolate_start);
    return find_places(finder);
}

/* "A,B,C" as three places; the text is taken apart. */
static void add_locations(char *text, const char **places, size_t *count)
{
    for (char *part = text; part;) {
        char *comma = strchr(part, ',');
        if (comma) *comma = '\0';
        places[(*count)++] = part;
        part = comma ? comma + 1 : NULL;
    }
}

static size_t count_commas(int argc, char **argv)
{
    size_t count = 0;
    for (int i = 0; i < argc; i++)
        for (const char *at = argv[i]; *at; at++) count += *at == ',';
    return count;
}

static int read_find(struct finder *finder, int argc, char **argv, const char **words, char **copies, size_t *copy_count)
{
    struct fm_options options;
    size_t word_count = 0;
    int id;
    fm_options_init(&options, find_table, ROWS(find_table), argc, argv);
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        switch (id) {
        case FM_OPTIONS_BAD: fm_options_complain(&options, "dart-decode"); return FM_EXIT_FAILED;
        case HELP: return usage();
        case DEBUG: finder->files.program = options.value; break;
        case VERBOSE: finder->verbose = true; break;
        case HEX: finder->hex = true; break;
        case ARCH: finder->arch = options.value; break;
        case VM_START: finder->vm_start = options.value; break;
        case ISOLATE_START: finder->isolate_start = options.value; break;
        case LOCATION:
            copies[*copy_count] = fm_cli_copy(options.value, strlen(options.value));
            add_locations(copies[(*copy_count)++], finder->places, &finder->place_count);
            break;
        default: words[word_count++] = options.value; break;
        }
    }
    /* Those of -l come first, wherever they stand. */
    for (size_t i = 0; i < word_count; i++) finder->places[finder->place_count++] = words[i];
    if (finder->files.program == NULL) return fail("must provide -d/--debug");
    if ((finder->vm_start == NULL) != (finder->isolate_start == NULL)) return fail("need both VM start and isolate start");
    if (finder->place_count == 0) return fail("no PC addresses to find");
    return -1;
}

static int find(int argc, char **argv)
{
    framemap_error error;
    const size_t most = (size_t)argc + count_commas(argc, argv) + 1;
    struct finder finder = {.places = fm_cli_resize(NULL, most * sizeof *finder.places)};
    const char **words = fm_cli_resize(NULL, most * sizeof *words);
    char **copies = fm_cli_resize(NULL, most * sizeof *copies);
    size_t copy_count = 0;
    finder.out = fm_cli_resize(NULL, sizeof *finder.out);
    fm_out_init(finder.out, STDOUT_FILENO);
    int code = read_find(&finder, argc, argv, words, copies, &copy_count);
    if (code < 0 && fm_symbols_open(&finder.files.symbols, NULL, false, &error)) code = fm_say_error(NULL, &error);
    if (code < 0) code = find_with(&finder);
    fflush(stdout);
    if (!fm_out_flush(finder.out)) code = FM_EXIT_FAILED;
    fm_symbols_close(&finder.files.symbols);
    for (size_t i = 0; i < copy_count; i++) free(copies[i]);
    free(copies);
    free(words);
    free(finder.places);
    free(finder.out);
    return code;
}

int fm_cmd_dart_decode(int argc, char **argv)
{
    if (argc < 2) return fail("no command provided"), usage(), FM_EXIT_FAILED;
    const char *command = argv[1];
    if (strcmp(command, "translate") == 0) return translate(argc - 1, argv + 1);
    if (strcmp(command, "find") == 0) return find(argc - 1, argv + 1);
    if (strcmp(command, "help") == 0 || strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0) return usage();
    fail("Could not find a command named \"%s\"", command);
    usage();
    return FM_EXIT_FAILED;
}
