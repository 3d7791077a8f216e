/* The table of options of llvm-symbolizer and llvm-addr2line, their help, and the parser. See llvm_options.h. */
#include "cli/fronts/llvm_options.h"

#include "cli/cli.h"
#include "cli/options.h"

#include <string.h>

enum {
    HELP = 1,
    VERSION,
    ADDRESSES,
    ADJUST_VMA,
    BASENAMES,
    BUILD_ID,
    DEBUG_FOLDER,
    DEFAULT_ARCH,
    DEMANGLE,
    NO_DEMANGLE,
    DSYM_HINT,
    FILTER_MARKUP,
    FUNCTIONS,
    INLINES,
    MAX_MEMORY,
    NO_INLINES,
    OBJECT,
    PACKAGE,
    OUTPUT_STYLE,
    PRETTY,
    CONTEXT,
    VERBOSE,
    RELATIVE_NAMES,
    PASSED_OVER,
    PASSED_OVER_VALUE
};

static const struct fm_option table[] = {
    {ADDRESSES, 'a', "addresses", FM_TAKES_NOTHING, NULL, "show the address before each location"},
    {ADDRESSES, 0, "print-address", FM_TAKES_NOTHING, NULL, "the same"},
    {ADJUST_VMA, 0, "adjust-vma", FM_TAKES_VALUE, "OFFSET", "subtract this from every address first"},
    {BASENAMES, 's', "basenames", FM_TAKES_NOTHING, NULL, "print file names without directories"},
    {BUILD_ID, 0, "build-id", FM_TAKES_VALUE, "ID", "look up the object with this build id"},
    {DEBUG_FOLDER, 0, "debug-file-directory", FM_TAKES_VALUE, "DIR",
     "look for separate debug files here (default /usr/lib/debug)"},
    {DEFAULT_ARCH, 0, "default-arch", FM_TAKES_VALUE, "ARCH", "use this architecture of a fat file"},
    {DEMANGLE, 'C', "demangle", FM_TAKES_OPTIONAL, "BOOL", "demangle names (llvm-symbolizer's default)"},
    {NO_DEMANGLE, 0, "no-demangle", FM_TAKES_NOTHING, NULL, "do not demangle names"},
    {DSYM_HINT, 0, "dsym-hint", FM_TAKES_VALUE, "DIR", "look for debug info in this .dSYM bundle too"},
    {FUNCTIONS, 'f', "functions", FM_TAKES_OPTIONAL, "KIND", "print function names: linkage (default), short or none"},
    {INLINES, 'i', "inlines", FM_TAKES_NOTHING, NULL, "print inlined frames (llvm-symbolizer's default)"},
    {INLINES, 0, "inlining", FM_TAKES_OPTIONAL, "BOOL", "the same"},
    {MAX_MEMORY, 0, "max-memory", FM_TAKES_VALUE, "SIZE", FM_MAX_MEMORY_HELP},
    {NO_INLINES, 0, "no-inlines", FM_TAKES_NOTHING, NULL, "do not print inlined frames"},
    {OBJECT, 'e', "obj", FM_TAKES_VALUE, "FILE", "the object file; without it each input line names one"},
    {OBJECT, 0, "exe", FM_TAKES_VALUE, "FILE", "the same"},
    {PACKAGE, 0, "dwp", FM_TAKES_VALUE, "FILE", "the package (.dwp) with the split debug info of the object file"},
    {OUTPUT_STYLE, 0, "output-style", FM_TAKES_VALUE, "STYLE", "LLVM, GNU or JSON"},
    {PRETTY, 'p', "pretty-print", FM_TAKES_NOTHING, NULL, "print one line per frame"},
    {CONTEXT, 0, "print-source-context-lines", FM_TAKES_VALUE, "N", "print N lines of source around each location"},
    {RELATIVE_NAMES, 0, "relativenames", FM_TAKES_NOTHING, NULL,
     "accepted; names stay whole, as the compilation directory is not stored"},
    {VERBOSE, 0, "verbose", FM_TAKES_NOTHING, NULL, "print each location on several lines"},
    {FILTER_MARKUP, 0, "filter-markup", FM_TAKES_NOTHING, NULL, "rejected: use 'framemap restore'"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
    {VERSION, 'v', "version", FM_TAKES_NOTHING, NULL, "show the version and exit"},
    {PASSED_OVER, 0, "relative-address", FM_TAKES_NOTHING, NULL, "accepted; has no effect outside Windows"},
    {PASSED_OVER, 0, "no-untag-addresses", FM_TAKES_NOTHING, NULL, "accepted"},
    {PASSED_OVER, 0, "untag-addresses", FM_TAKES_NOTHING, NULL, "accepted"},
    {PASSED_OVER, 0, "debuginfod", FM_TAKES_NOTHING, NULL, "accepted; framemap queries no server"},
    {PASSED_OVER, 0, "no-debuginfod", FM_TAKES_NOTHING, NULL, "accepted"},
    {PASSED_OVER, 0, "dia", FM_TAKES_NOTHING, NULL, "accepted; Windows only"},
    {PASSED_OVER, 0, "color", FM_TAKES_OPTIONAL, "WHEN", "accepted; for --filter-markup only"},
    {PASSED_OVER_VALUE, 0, "cache-size", FM_TAKES_VALUE, "SIZE",
     "accepted; indexes are mapped, so there is no such cache"},
    {PASSED_OVER_VALUE, 0, "fallback-debug-path", FM_TAKES_VALUE, "DIR", "as --debug-file-directory"},
};
enum { ROWS = sizeof table / sizeof *table };

static int print_llvm_help(struct fm_llvm *llvm)
{
    struct fm_out *out = &llvm->out;
    const char *tool = llvm->addr2line ? "llvm-addr2line" : "llvm-symbolizer";
    fm_put_text(out, "OVERVIEW: ");
    fm_put_text(out, tool);
    fm_put_text(out, "\n\nUSAGE: ");
    fm_put_text(out, tool);
    fm_put_text(out, " [options] addresses...\n\nOPTIONS:\n");
    fm_options_help(out, table, ROWS);
    fm_put_text(out, "\nPass @FILE as argument to read options from FILE.\n");
    return fm_out_flush(out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static int print_llvm_version(struct fm_llvm *llvm)
{
    fm_put_text(&llvm->out, llvm->addr2line ? "llvm-addr2line\n" : "llvm-symbolizer\n");
    fm_put_text(&llvm->out, "framemap ");
    fm_put_text(&llvm->out, framemap_version());
    fm_put_text(&llvm->out, ", answers as LLVM version 19.1.7\n");
    return fm_out_flush(&llvm->out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* --- reading the options --- */

static int refuse_llvm_option(const struct fm_options *options)
{
    const char *what = options->letter[0] ? options->letter : options->spelling;
    if (options->fault == FM_FAULT_NO_VALUE)
        fm_stderr_print("error: %s: missing argument\n", what);
    else
        fm_stderr_print("error: unknown argument '%s'\n", what);
    return FM_EXIT_FAILED;
}

static bool take_number(const char *option, const char *value, uint64_t *out)
{
    if (fm_llvm_number(framemap_str_of(value), out)) return true;
    fm_stderr_print("--%s=: expected a non-negative integer, but got '%s'", option, value);
    return false;
}

static void take_functions(struct fm_llvm_front *front, const char *value)
{
    if (!value) front->functions_alone = true;
    front->llvm.functions = !value                        ? FM_LLVM_LINKAGE
                            : strcmp(value, "none") == 0  ? FM_LLVM_NO_FUNCTIONS
                            : strcmp(value, "short") == 0 ? FM_LLVM_SHORT
                                                          : FM_LLVM_LINKAGE;
}

static void take_bundle(struct fm_llvm_front *front, const char *value)
{
    const char *dot = strrchr(value, '.');
    if (dot && strcmp(dot, ".dSYM") == 0)
        front->bundles[front->llvm.images.bundle_count++] = value;
    else
        fm_stderr_print("Warning: invalid dSYM hint: \"%s\" (must have the '.dSYM' extension).\n", value);
}

static bool take_llvm_option(struct fm_llvm_front *front, int id, const struct fm_options *options)
{
    struct fm_llvm *llvm = &front->llvm;
    const char *value = options->value;

    switch (id) {
    case ADDRESSES: llvm->addresses = true; break;
    case ADJUST_VMA: return take_number("adjust-vma", value, &llvm->adjust_vma);
    case CONTEXT: return take_number("print-source-context-lines", value, &llvm->context_lines);
    case BASENAMES: llvm->basenames = true; break;
    case RELATIVE_NAMES: llvm->basenames = false; break;
    case BUILD_ID: llvm->build_id = value; break;
    case DEBUG_FOLDER: front->debug_folders[llvm->images.debug_folder_count++] = value; break;
    case DEFAULT_ARCH: llvm->images.default_arch = value; break;
    case DEMANGLE: llvm->demangle = !value || strcmp(value, "false") != 0; break;
    case NO_DEMANGLE: llvm->demangle = false; break;
    case DSYM_HINT: take_bundle(front, value); break;
    case FUNCTIONS: take_functions(front, value); break;
    case INLINES: llvm->inlines = !value || strcmp(value, "false") != 0; break;
    case MAX_MEMORY: return fm_parse_memory(value, &llvm->images.max_memory);
    case NO_INLINES: llvm->inlines = false; break;
    case OBJECT: llvm->object = value; break;
    case PACKAGE: llvm->images.package = value; break;
    case OUTPUT_STYLE:
        llvm->style = strcmp(value, "GNU") == 0    ? FM_LLVM_GNU
                      : strcmp(value, "JSON") == 0 ? FM_LLVM_JSON
                                                   : FM_LLVM_PLAIN;
        break;
    case PRETTY: llvm->pretty = true; break;
    case VERBOSE: llvm->verbose = true; break;
    case FM_OPTIONS_OPERAND: front->inputs[front->input_count++] = options->argv[options->at - 1]; break;
    default: break; /* other options are accepted for compatibility and ignored */
    }
    return true;
}

int fm_llvm_read_options(struct fm_llvm_front *front, struct fm_args *args)
{
    struct fm_options options;
    int id;

    fm_options_init(&options, table, ROWS, args->argc, args->argv);
    options.habits = FM_HABIT_LETTER_EQUALS | FM_HABIT_SINGLE_DASH;
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        if (id == FM_OPTIONS_BAD) return refuse_llvm_option(&options);
        if (id == HELP) return print_llvm_help(&front->llvm);
        if (id == VERSION) return print_llvm_version(&front->llvm);
        if (id == FILTER_MARKUP) {
            fm_stderr_print("error: framemap does not filter markup; give the text to 'framemap restore'\n");
            return FM_EXIT_FAILED;
        }
        if (!take_llvm_option(front, id, &options)) return FM_EXIT_FAILED;
    }
    if (front->functions_alone) front->llvm.functions = FM_LLVM_LINKAGE;
    if (front->llvm.object && front->llvm.build_id) {
        fm_stderr_print("error: cannot specify both --build-id and --obj\n");
        return FM_EXIT_FAILED;
    }
    return -1;
}
