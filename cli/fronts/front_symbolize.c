/* framemap symbolize: compatible with `flutter symbolize`. */
#include "cli/fronts/dart_files.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELP = 1, DEBUG_INFO, UNIT, INPUT, OUTPUT, ANY_BUILD, NAMES, MAX_MEMORY };

static const struct fm_option table[] = {
    {DEBUG_INFO, 'd', "debug-info", FM_TAKES_VALUE, "FILE",
     "the file that --split-debug-info wrote (app.android-arm64.symbols), a dSYM or a snapshot"},
    {UNIT, 'u', "unit-id-debug-info", FM_TAKES_VALUE, "UNIT:FILE",
     "the symbols of a loading unit (a deferred component); may be repeated"},
    {INPUT, 'i', "input", FM_TAKES_VALUE, "FILE", "the text with stack traces (default: standard input)"},
    {OUTPUT, 'o', "output", FM_TAKES_VALUE, "FILE", "write the result to FILE (default: standard output)"},
    {NAMES, 0, "obfuscation-map", FM_TAKES_VALUE, "FILE",
     "the map that --save-obfuscation-map wrote, to restore the names in errors and frames"},
    {ANY_BUILD, 0, "any-build", FM_TAKES_NOTHING, NULL,
     "also translate traces of other builds; the result is probably wrong"},
    {MAX_MEMORY, 0, "max-memory", FM_TAKES_VALUE, "SIZE",
     "use no more memory; if the symbols do not fit, the text is copied unchanged; K, M and G are powers of 1024"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

static int print_symbolize_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: framemap symbolize -d FILE [-u UNIT:FILE]... [-i FILE] [-o FILE]\n\n"
                      "Restores the stack traces of a Flutter or Dart program that was compiled ahead of time, as "
                      "'flutter symbolize' does.\n"
                      "Traces of a build other than FILE's are left unchanged.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* Parses the value "UNIT:FILE" of an option, such as "2:app.symbols-2.part.so". */
static bool take_unit(struct fm_dart_files *files, const char *value)
{
    char *end;
    const unsigned long long unit = strtoull(value, &end, 10);
    if (end == value || *end != ':' || end[1] == '\0') {
        fm_message("'%s' is not UNIT:FILE: use the number of a loading unit, a colon and its file", value);
        return false;
    }
    if (unit == 1)
        files->program = end + 1;
    else
        files->units[files->unit_count++] = (struct fm_dart_unit_file){unit, end + 1};
    return true;
}

static bool take_symbolize_option(struct fm_dart_files *files, struct fm_dart_translation *translation, int id,
                                  const char *value)
{
    switch (id) {
    case DEBUG_INFO: files->program = value; return true;
    case UNIT: return take_unit(files, value);
    case INPUT: translation->input = value; return true;
    case OUTPUT: translation->output = value; return true;
    case NAMES: translation->names = value; return true;
    case MAX_MEMORY: return fm_parse_memory(value, &translation->max_memory);
    case ANY_BUILD: translation->any_build = true; return true;
    default: fm_message("'%s' is unexpected; the text is read from -i FILE or standard input", value); return false;
    }
}

int fm_cmd_symbolize(int argc, char **argv)
{
    struct fm_options options;
    struct fm_dart_files files = {.program = NULL};
    struct fm_dart_translation translation = {.command = "framemap symbolize -d SYMBOLS", .internal_frames = true};
    framemap_error error;
    int id, code = -1;

    files.units = fm_cli_resize(NULL, ((size_t)argc + 1) * sizeof *files.units);
    fm_options_init(&options, table, ROWS, argc, argv);
    while (code < 0 && (id = fm_options_next(&options)) != FM_OPTIONS_END) {
        if (id == FM_OPTIONS_BAD)
            code = fm_options_complain(&options, "symbolize");
        else if (id == HELP)
            code = print_symbolize_help();
        else if (!take_symbolize_option(&files, &translation, id, options.value))
            code = fm_message_usage("symbolize");
    }
    if (code < 0 && files.program == NULL) {
        fm_message("\"--debug-info\" is required to symbolize stack traces");
        code = FM_EXIT_FAILED;
    }
    const framemap_session_options session = {.max_memory = translation.max_memory};
    if (code < 0 && fm_cli_symbols_open_with(&files.symbols, session, &error)) code = fm_message_error(NULL, &error);
    if (code < 0) code = fm_dart_translate(&files, &translation);
    fm_cli_symbols_close(&files.symbols);
    free(files.units);
    return code;
}
