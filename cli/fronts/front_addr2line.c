/* framemap addr2line: compatible with binutils 2.40. Tests compare the two for DWARF up to version 4, since binutils
 * misreads version 5. Discriminators are not printed, nor file names of functions that only the symbol table has:
 * framemap stores neither. */
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/fronts/front_images.h"
#include "cli/fronts/front_names.h"
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HELP = 1,
    VERSION,
    ADDRESSES,
    TARGET,
    EXECUTABLE,
    INLINES,
    SECTION,
    PRETTY,
    BASENAMES,
    FUNCTIONS,
    DEMANGLE,
    MAX_MEMORY,
    PASSED_OVER
};

static const struct fm_option table[] = {
    {ADDRESSES, 'a', "addresses", FM_TAKES_NOTHING, NULL, "show addresses"},
    {TARGET, 'b', "target", FM_TAKES_VALUE, "BFDNAME", "accepted; the format is detected from the file"},
    {EXECUTABLE, 'e', "exe", FM_TAKES_VALUE, "FILE", "the file to look up in (default a.out)"},
    {INLINES, 'i', "inlines", FM_TAKES_NOTHING, NULL, "print inlined frames"},
    {SECTION, 'j', "section", FM_TAKES_VALUE, "NAME", "addresses are offsets in this section"},
    {PRETTY, 'p', "pretty-print", FM_TAKES_NOTHING, NULL, "print one line per frame"},
    {BASENAMES, 's', "basenames", FM_TAKES_NOTHING, NULL, "print file names without directories"},
    {FUNCTIONS, 'f', "functions", FM_TAKES_NOTHING, NULL, "print function names"},
    {DEMANGLE, 'C', NULL, FM_TAKES_NOTHING, NULL, "demangle names"},
    {DEMANGLE, 0, "demangle", FM_TAKES_OPTIONAL, "STYLE", "the same"},
    {MAX_MEMORY, 0, "max-memory", FM_TAKES_VALUE, "SIZE", FM_MAX_MEMORY_HELP},
    {PASSED_OVER, 'R', "recurse-limit", FM_TAKES_NOTHING, NULL, "accepted; there is always a limit"},
    {PASSED_OVER, 'r', "no-recurse-limit", FM_TAKES_NOTHING, NULL, "accepted; there is always a limit"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
    {HELP, 'H', NULL, FM_TAKES_NOTHING, NULL, NULL},
    {VERSION, 'v', "version", FM_TAKES_NOTHING, NULL, "show the version and exit"},
    {VERSION, 'V', NULL, FM_TAKES_NOTHING, NULL, NULL},
};
enum { ROWS = sizeof table / sizeof *table };

struct addr2line_front {
    const char *tool, *file, *section;
    bool addresses, inlines, pretty, basenames, functions, demangle;
    char **inputs;
    size_t input_count;

    struct fm_front_images images;
    struct fm_front_image *image;
    struct fm_front_names names;
    struct fm_out out;
};

static void put_addr2line_usage(struct fm_out *out)
{
    fm_put_text(out,
                "Usage: addr2line [option(s)] [addr(s)]\n Convert addresses into line number/file name pairs.\n"
                " If no addresses are specified on the command line, they will be read from stdin\n The options are:\n"
                "  @<file>                   read options from this file\n");
    fm_options_help(out, table, ROWS);
}

static int print_addr2line_usage(int fd, int code)
{
    struct fm_out out;
    fm_out_init(&out, fd);
    put_addr2line_usage(&out);
    return fm_out_flush(&out) ? code : FM_EXIT_FAILED;
}

static int print_addr2line_version(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "framemap addr2line ");
    fm_put_text(&out, framemap_version());
    fm_put_text(&out, ", answers as GNU addr2line (GNU Binutils) 2.40\n");
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static bool is_demangling_style(const char *name)
{
    static const char *const styles[] = {"none", "auto", "gnu-v3", "java", "gnat", "dlang", "rust"};
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        if (strcmp(name, styles[i]) == 0) return true;
    return false;
}

static int refuse_addr2line_option(const struct addr2line_front *front, const struct fm_options *options)
{
    const char *name = options->spelling;
    switch (options->fault) {
    case FM_FAULT_NO_VALUE:
        if (options->letter[0])
            fm_stderr_print("%s: option requires an argument -- '%s'\n", front->tool, options->letter + 1);
        else
            fm_stderr_print("%s: option '%s' requires an argument\n", front->tool, name);
        break;
    case FM_FAULT_WITH_VALUE:
        fm_stderr_print("%s: option '%.*s' doesn't allow an argument\n", front->tool, (int)strcspn(name, "="), name);
        break;
    case FM_FAULT_SEVERAL: fm_stderr_print("%s: option '%s' is ambiguous\n", front->tool, name); break;
    default:
        if (options->letter[0])
            fm_stderr_print("%s: invalid option -- '%s'\n", front->tool, options->letter + 1);
        else
            fm_stderr_print("%s: unrecognized option '%s'\n", front->tool, name);
        break;
    }
    return print_addr2line_usage(STDERR_FILENO, FM_EXIT_FAILED);
}

/* Reads the options of addr2line. Returns -1 to continue, or the exit code. */
static int read_addr2line_options(struct addr2line_front *front, struct fm_args *args)
{
    struct fm_options options;
    int id;

    fm_options_init(&options, table, ROWS, args->argc, args->argv);
    options.habits = FM_HABIT_PREFIXES;
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        switch (id) {
        case ADDRESSES: front->addresses = true; break;
        case EXECUTABLE: front->file = options.value; break;
        case INLINES: front->inlines = true; break;
        case SECTION: front->section = options.value; break;
        case PRETTY: front->pretty = true; break;
        case BASENAMES: front->basenames = true; break;
        case FUNCTIONS: front->functions = true; break;
        case DEMANGLE:
            front->demangle = !options.value || strcmp(options.value, "none") != 0;
            if (options.value && !is_demangling_style(options.value)) {
                fm_stderr_print("%s: unknown demangling style `%s'\n", front->tool, options.value);
                return FM_EXIT_FAILED;
            }
            break;
        case MAX_MEMORY:
            if (!fm_parse_memory(options.value, &front->images.max_memory)) return FM_EXIT_FAILED;
            break;
        case TARGET:
        case PASSED_OVER: break;
        case HELP: return print_addr2line_usage(STDOUT_FILENO, FM_EXIT_DONE);
        case VERSION: return print_addr2line_version();
        case FM_OPTIONS_OPERAND: front->inputs[front->input_count++] = args->argv[options.at - 1]; break;
        default: return refuse_addr2line_option(front, &options);
        }
    }
    return -1;
}

/* --- printing answers --- */

/* Parses an address as bfd_scan_vma does for base 16: up to the first character that is not a digit; on overflow,
 * the result is the largest number. */
static uint64_t scan_address(framemap_str text)
{
    uint64_t value = 0;
    size_t at = 0;

    while (at < text.size && strchr(" \t\n\v\f\r", text.data[at])) at++;
    if (text.size - at > 2 && text.data[at] == '0' && (text.data[at + 1] | 0x20) == 'x') at += 2;
    for (; at < text.size; at++) {
        char byte = text.data[at];
        unsigned digit = byte >= '0' && byte <= '9'                     ? (unsigned)(byte - '0')
                         : (byte | 0x20) >= 'a' && (byte | 0x20) <= 'f' ? (unsigned)((byte | 0x20) - 'a') + 10
                                                                        : 16;
        if (digit == 16) break;
        if (value > UINT64_MAX >> 4) return UINT64_MAX;
        value = value << 4 | digit;
    }
    return value;
}

static bool is_mangled(framemap_str name)
{
    return name.size > 2 && name.data[0] == '_' && (name.data[1] == 'Z' || name.data[1] == 'R');
}

/* Prints a function's name. As in binutils, this is the name in the debug info; but if only the name in the symbol
 * table is mangled, that name is used. */
static void put_name(struct addr2line_front *front, framemap_str function, framemap_str symbol)
{
    bool by_symbol = symbol.size && is_mangled(symbol) && !is_mangled(function);
    framemap_str name = fm_front_name_shown(&front->names, by_symbol ? symbol : function);
    if (name.size)
        fm_put_str(&front->out, name);
    else
        fm_put_text(&front->out, "??");
    fm_put_text(&front->out, front->pretty ? " at " : "\n");
}

static void put_place(struct addr2line_front *front, framemap_str file, uint32_t line)
{
    struct fm_out *out = &front->out;
    if (front->basenames) file = fm_base_name(file);
    if (file.size)
        fm_put_str(out, file);
    else
        fm_put_text(out, "??");
    fm_put_char(out, ':');
    if (line)
        fm_put_dec(out, line);
    else
        fm_put_char(out, '?');
    fm_put_char(out, '\n');
}

static void put_unknown(struct addr2line_front *front)
{
    if (front->functions) fm_put_text(&front->out, front->pretty ? "?? " : "??\n");
    fm_put_text(&front->out, "??:0\n");
}

static bool look_up_in_section(struct addr2line_front *front, uint64_t address, framemap_frame *out)
{
    if (front->section)
        return fm_front_image_lookup_section(&front->images, front->image, framemap_str_of(front->section), address,
                                             out);
    return fm_front_image_lookup(&front->images, front->image, address, out);
}

static void put_address(struct addr2line_front *front, uint64_t address)
{
    if (!front->addresses) return;
    fm_put_text(&front->out, "0x");
    fm_put_hex(&front->out, address, fm_front_image_address_bits(front->image) == 32 ? 8 : 16);
    fm_put_text(&front->out, front->pretty ? ": " : "\n");
}

static void answer_address(struct addr2line_front *front, uint64_t address)
{
    framemap_frame frame;

    put_address(front, address);
    if (!look_up_in_section(front, address, &frame)) {
        put_unknown(front);
        return;
    }
    size_t count = front->inlines ? frame.restored.count : 1;
    fm_front_names_begin(&front->names);
    for (size_t i = 0; i < count; i++) {
        const framemap_frame *row = &frame.restored.frames[i];
        if (front->pretty && i) fm_put_text(&front->out, " (inlined by) ");
        if (front->functions) put_name(front, row->function, row->symbol);
        put_place(front, row->file, row->line);
    }
    fm_front_names_end(&front->names, frame.over_limit);
}

static void answer_brief(struct addr2line_front *front, uint64_t address, const framemap_location *frames, size_t count)
{
    put_address(front, address);
    fm_front_names_begin(&front->names);
    for (size_t i = 0; i < (front->inlines ? count : 1); i++) {
        if (front->pretty && i) fm_put_text(&front->out, " (inlined by) ");
        if (front->functions) put_name(front, frames[i].function, frames[i].symbol);
        put_place(front, frames[i].file, frames[i].line);
    }
    fm_front_names_end(&front->names, (frames[count - 1].flags & FRAMEMAP_LOCATION_OVER_LIMIT) != 0);
}

/* Looks up, in one batch, all addresses that have arrived. */
static void answer_addresses(struct addr2line_front *front, const uint64_t *addresses, size_t count)
{
    framemap_location_list list = {.chain_count = 0};
    const bool together =
        count > 1 && !front->section &&
        fm_front_image_lookup_many(&front->images, front->image, FRAMEMAP_DEMANGLE_NONE, addresses, count, &list);
    for (size_t i = 0; i < count; i++) {
        if (together && list.chains[i].count)
            answer_brief(front, addresses[i], list.locations + list.chains[i].first, list.chains[i].count);
        else
            answer_address(front, addresses[i]);
    }
}

static void answer_addr2line_input(struct addr2line_front *front)
{
    /* binutils reads lines in parts of LONGEST bytes. */
    enum { LONGEST = 99, TOGETHER = 256 };
    struct fm_in in;
    framemap_str line;
    uint64_t addresses[TOGETHER];
    size_t count = 0;

    fm_message_waiting("addresses, one per line,");
    fm_in_init(&in, STDIN_FILENO);
    while (!front->out.failed) {
        /* all addresses that have arrived are answered before the next wait for input */
        if (count == TOGETHER || !fm_in_has_line(&in, LONGEST)) {
            answer_addresses(front, addresses, count);
            count = 0;
        }
        if (!fm_in_line(&in, &front->out, LONGEST, &line)) break;
        addresses[count++] = scan_address(line);
    }
    answer_addresses(front, addresses, count);
    fm_in_free(&in);
}

static bool refuse_file(const struct addr2line_front *front)
{
    struct stat about;
    if (stat(front->file, &about) != 0) {
        if (errno == ENOENT)
            fm_stderr_print("%s: '%s': No such file\n", front->tool, front->file);
        else
            fm_stderr_print("%s: Warning: could not locate '%s'.  reason: %s\n", front->tool, front->file,
                            strerror(errno));
    } else if (S_ISDIR(about.st_mode)) {
        fm_stderr_print("%s: Warning: '%s' is a directory\n", front->tool, front->file);
    } else if (front->image->status == FRAMEMAP_E_FORMAT) {
        fm_stderr_print("%s: %s: file format not recognized\n", front->tool, front->file);
    } else {
        fm_stderr_print("%s: %s: %s\n", front->tool, front->file, front->image->message);
    }
    return false;
}

/* Returns the addresses on the command line, so that the file need be compiled for these only; owned by the caller. */
static uint64_t *only_addr2line_addresses(struct addr2line_front *front)
{
    if (front->section || front->input_count == 0) return NULL;
    uint64_t *addresses = fm_cli_resize(NULL, 2 * front->input_count * sizeof *addresses);
    for (size_t i = 0; i < front->input_count; i++) {
        addresses[2 * i] = scan_address(framemap_str_of(front->inputs[i]));
        addresses[2 * i + 1] = addresses[2 * i] & ~(uint64_t)1; /* the address without the Thumb bit */
    }
    front->images.positions = addresses;
    front->images.position_count = 2 * front->input_count;
    return addresses;
}

static bool open_module(struct addr2line_front *front)
{
    front->image = fm_front_images_find(&front->images, framemap_str_of(front->file));
    if (front->image->status != FRAMEMAP_OK && front->image->status != FRAMEMAP_E_EMPTY) return refuse_file(front);
    if (front->section && !fm_front_image_has_section(front->image, framemap_str_of(front->section))) {
        fm_stderr_print("%s: %s: cannot find section %s\n", front->tool, front->file, front->section);
        return false;
    }
    return true;
}

static int run_addr2line(struct addr2line_front *front)
{
    framemap_error error;

    if (fm_front_images_open(&front->images, &error)) return fm_message_error(NULL, &error);
    if (fm_front_names_open(&front->names, front->demangle ? FRAMEMAP_DEMANGLE_GNU : FRAMEMAP_DEMANGLE_NONE, &error)) {
        fm_front_images_close(&front->images);
        return fm_message_error(NULL, &error);
    }
    uint64_t *addresses = only_addr2line_addresses(front);
    bool good = open_module(front);
    for (size_t i = 0; good && i < front->input_count; i++)
        answer_address(front, scan_address(framemap_str_of(front->inputs[i])));
    if (good && front->input_count == 0) answer_addr2line_input(front);
    good = fm_out_flush(&front->out) && good && !front->images.symbols.changed;
    fm_front_names_close(&front->names);
    fm_front_images_close(&front->images);
    free(addresses);
    return good ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

int fm_cmd_addr2line(int argc, char **argv)
{
    struct addr2line_front *front = fm_cli_resize(NULL, sizeof *front); /* the struct is too large for the stack */
    struct fm_args args;

    memset(front, 0, sizeof *front);
    fm_args_init(&args, argc, argv, NULL);
    front->tool = argv[0];
    front->file = "a.out";
    front->inputs = fm_cli_resize(NULL, (size_t)args.argc * sizeof *front->inputs);
    fm_out_init(&front->out, STDOUT_FILENO);
    int code = read_addr2line_options(front, &args);
    if (code < 0) code = run_addr2line(front);
    free(front->inputs);
    fm_args_free(&args);
    free(front);
    return code;
}
