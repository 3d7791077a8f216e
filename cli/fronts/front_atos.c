/* framemap atos: symbolizes addresses of a Mach-O image, with the output of Apple's tool. It reads files only, not
 * running processes. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/fronts/front_names.h"
#include "cli/options.h"
#include "cli/query_text.h"
#include "cli/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HELP = 1,
    FILE_NAME,
    ARCH,
    LOAD,
    SLIDE,
    OFFSET,
    ADDRESS_FILE,
    INLINES,
    FULL_PATH,
    DELIMITER,
    PROCESS,
    MAX_MEMORY,
    PASSED_OVER
};

static const struct fm_option table[] = {
    {FILE_NAME, 'o', NULL, FM_TAKES_VALUE, "FILE", "the image file or dSYM bundle"},
    {ARCH, 0, "arch", FM_TAKES_VALUE, "ARCH", "use this architecture of a fat file; -arch is the same"},
    {LOAD, 'l', NULL, FM_TAKES_VALUE, "ADDRESS", "where the image was loaded (hexadecimal)"},
    {SLIDE, 's', NULL, FM_TAKES_VALUE, "SLIDE", "the load address minus the linked address"},
    {OFFSET, 0, "offset", FM_TAKES_NOTHING, NULL, "addresses are offsets from the start of the image"},
    {ADDRESS_FILE, 'f', NULL, FM_TAKES_VALUE, "FILE", "read addresses from this file"},
    {INLINES, 'i', "inlineFrames", FM_TAKES_NOTHING, NULL, "print inlined frames too"},
    {FULL_PATH, 0, "fullPath", FM_TAKES_NOTHING, NULL, "print whole paths"},
    {DELIMITER, 'd', NULL, FM_TAKES_VALUE, "TEXT", "separator between the frames of one address (default: a line end)"},
    {PROCESS, 'p', NULL, FM_TAKES_VALUE, "PROCESS", "rejected: running processes are not supported"},
    {MAX_MEMORY, 0, "max-memory", FM_TAKES_VALUE, "SIZE", FM_MAX_MEMORY_HELP},
    {PASSED_OVER, 0, "printHeader", FM_TAKES_NOTHING, NULL, "accepted"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct atos_front {
    const char *file, *arch, *address_file;
    const char *delimiter;
    uint64_t load, slide;
    uint64_t max_memory; /* memory ceiling in bytes; 0: no limit */
    bool has_load, offsets, inlines, full_path;
    char **inputs;
    size_t input_count;

    struct fm_cli_symbols symbols;
    const framemap_index *index;
    struct fm_front_names names;
    framemap_str image; /* name of the image in the output */
    struct fm_out out;
};

static int print_atos_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: atos -o FILE [-arch ARCH] [-l ADDRESS | -s SLIDE | -offset] [-i] [-fullPath] [-d TEXT] "
                      "[-f FILE] [ADDRESS]...\n\n"
                      "Prints the symbols of addresses, which are read from standard input if none are given.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* Parses hexadecimal with "0x", decimal if there are digits only, otherwise hexadecimal. */
static bool parse_atos_address(framemap_str text, uint64_t *out)
{
    if (text.size > 2 && text.data[0] == '0' && (text.data[1] | 0x20) == 'x')
        return fm_parse_hex((framemap_str){text.data + 2, text.size - 2}, out);
    return fm_parse_dec(text, out) || fm_parse_hex(text, out);
}

/* Parses a load address, which is hexadecimal even without a prefix. */
static bool parse_load(const char *text, uint64_t *out)
{
    framemap_str digits = framemap_str_of(text);
    if (digits.size > 2 && digits.data[0] == '0' && (digits.data[1] | 0x20) == 'x')
        digits = (framemap_str){digits.data + 2, digits.size - 2};
    return fm_parse_hex(digits, out);
}

/* --- printing answers --- */

static void put_atos_frame(struct atos_front *front, const framemap_frame *answer, size_t i)
{
    struct fm_out *out = &front->out;
    const framemap_frame *frame = &answer->restored.frames[i];

    fm_put_str(out, fm_front_frame_name(&front->names, answer, i));
    fm_put_text(out, " (in ");
    fm_put_str(out, front->image);
    fm_put_char(out, ')');
    if (frame->file.size && frame->line) {
        fm_put_text(out, " (");
        fm_put_str(out, front->full_path ? frame->file : fm_base_name(frame->file));
        fm_put_char(out, ':');
        fm_put_dec(out, frame->line);
        fm_put_char(out, ')');
    } else if (answer->has_function_offset) {
        fm_put_text(out, " + ");
        fm_put_dec(out, answer->function_offset);
    }
}

static bool look_up_atos_address(struct atos_front *front, uint64_t address, framemap_frame *out)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    uint64_t moved = front->has_load ? front->load : front->slide;

    if (address < moved) return false;
    query.position = address - moved;
    query.address_kind = front->has_load || front->offsets ? FRAMEMAP_ADDRESS_IMAGE : FRAMEMAP_ADDRESS_LINKED;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    const framemap_status status = framemap_resolve(front->index, &query, front->symbols.scratch, out, NULL);
    if (fm_cli_symbols_changed(&front->symbols, front->index) || status || out->restored.count == 0) return false;
    fm_cli_symbols_incomplete(&front->symbols, front->index, &query, out, front->symbols.scratch);
    const framemap_frame *root = &out->restored.frames[out->restored.count - 1];
    return root->function.size > 0 || root->symbol.size > 0;
}

/* Prints an unknown address unchanged, but without the login if it is the URL of a store. */
static void put_unknown(struct atos_front *front, framemap_str text)
{
    char *hidden = fm_cli_hide_login(&text);
    fm_put_raw(&front->out, text);
    fm_put_char(&front->out, '\n');
    free(hidden);
}

static void answer_atos_address(struct atos_front *front, framemap_str text)
{
    framemap_frame frame;
    uint64_t address;

    if (!parse_atos_address(text, &address) || !look_up_atos_address(front, address, &frame)) {
        put_unknown(front, text);
        return;
    }
    size_t outermost = frame.restored.count - 1;
    fm_front_names_begin(&front->names);
    for (size_t i = front->inlines ? 0 : outermost; i <= outermost; i++) {
        put_atos_frame(front, &frame, i);
        if (i < outermost) fm_put_text(&front->out, front->delimiter);
    }
    fm_front_names_end(&front->names, frame.over_limit);
    fm_put_char(&front->out, '\n');
}

/* Answers the addresses in a part of a line. An address may go on in the next part; so the bytes at the end that may be
 * its start are not used, but read again with the next part. Returns the number of these bytes. */
static size_t answer_words(struct atos_front *front, framemap_str text, bool goes_on)
{
    for (size_t at = 0; at < text.size;) {
        const size_t begin = at;
        while (at < text.size && !strchr(" \t\r", text.data[at])) at++;
        if (at == text.size && goes_on && begin > 0) return at - begin;
        if (at > begin) answer_atos_address(front, (framemap_str){text.data + begin, at - begin});
        at++;
    }
    return 0;
}

static bool answer_input(struct atos_front *front, int fd)
{
    struct fm_in in;
    framemap_str line;

    fm_in_init(&in, fd);
    while (!front->out.failed && fm_in_line(&in, &front->out, FRAMEMAP_LONGEST_LINE, &line))
        in.begin -= answer_words(front, line, in.goes_on);
    bool good = !in.failed;
    fm_in_free(&in);
    return good;
}

static bool answer_atos_addresses(struct atos_front *front)
{
    for (size_t i = 0; i < front->input_count; i++) answer_atos_address(front, framemap_str_of(front->inputs[i]));
    if (front->address_file) {
        const char *why;
        int fd = fm_in_open(front->address_file, &why);
        if (fd < 0) {
            fm_stderr_print("atos: %s: %s\n", front->address_file, why);
            return false;
        }
        bool good = answer_input(front, fd);
        close(fd);
        return good;
    }
    /* Unlike other commands, this one prints no hint that it waits for input on a terminal: sanitizers run atos on a
     * pseudoterminal and read everything that comes from it. */
    return front->input_count > 0 || answer_input(front, STDIN_FILENO);
}

/* Returns the name of the image: "App" for both "App.app.dSYM/Contents/Resources/DWARF/App" and "App.dSYM". */
static framemap_str image_name(const char *path, const char *bundled)
{
    framemap_str name = framemap_str_of(bundled ? bundled : path);
    while (name.size > 1 && name.data[name.size - 1] == '/') name.size--;
    return fm_base_name(name);
}

/* Returns the linked addresses on the command line, so that the file need be compiled for these only; owned by the
 * caller. NULL: other input follows, or the addresses are offsets from the start of the image. */
static uint64_t *only_atos_addresses(const struct atos_front *front, size_t *count)
{
    *count = 0;
    if (front->input_count == 0 || front->address_file || front->has_load || front->offsets) return NULL;
    uint64_t *addresses = fm_cli_resize(NULL, front->input_count * sizeof *addresses);
    for (size_t i = 0; i < front->input_count; i++) {
        uint64_t address;
        if (!parse_atos_address(framemap_str_of(front->inputs[i]), &address) || address < front->slide) continue;
        addresses[(*count)++] = address - front->slide;
    }
    if (*count > 0) return addresses;
    free(addresses);
    return NULL;
}

static framemap_status open_atos_index(struct atos_front *front, framemap_error *error)
{
    size_t count;
    uint64_t *addresses = only_atos_addresses(front, &count);
    const framemap_status status =
        fm_cli_symbols_some(&front->symbols, front->file, front->arch, addresses, count, &front->index, error);
    free(addresses);
    return status ? status : fm_cli_symbols_of_program(front->index, error);
}

/* Sets the image's name to the name of the file that was found in a folder, which may be an archive of Xcode or an
 * app. */
static void name_found_image(struct atos_front *front)
{
    struct stat about;
    framemap_index_info info;
    if (stat(front->file, &about) != 0 || !S_ISDIR(about.st_mode)) return;
    framemap_index_describe(front->index, &info);
    if (info.name.size > 0) front->image = info.name;
}

static int run_atos(struct atos_front *front)
{
    framemap_error error;
    char *bundled = fm_bundle_file(front->file);
    bool good = false;

    front->image = image_name(front->file, bundled);
    framemap_status status = fm_cli_symbols_open_with(
        &front->symbols, (framemap_session_options){.warning = fm_cli_symbols_warn, .max_memory = front->max_memory},
        &error);
    if (!status) status = open_atos_index(front, &error);
    if (!status && bundled == NULL) name_found_image(front);
    if (!status) status = fm_front_names_open(&front->names, FRAMEMAP_DEMANGLE_DEFAULT, &error);
    if (status) {
        fm_cli_symbols_complain(front->file, front->arch, status, &error);
    } else {
        good = answer_atos_addresses(front);
        good = fm_out_flush(&front->out) && good && !front->symbols.changed;
    }
    fm_front_names_close(&front->names);
    if (front->index) framemap_session_release(front->symbols.session, front->index);
    fm_cli_symbols_close(&front->symbols);
    free(bundled);
    return good ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static bool take_atos_option(struct atos_front *front, int id, const struct fm_options *options)
{
    const char *value = options->value;
    switch (id) {
    case FILE_NAME: front->file = value; return true;
    case ARCH: front->arch = value; return true;
    case ADDRESS_FILE: front->address_file = value; return true;
    case DELIMITER: front->delimiter = value; return true;
    case OFFSET: front->offsets = true; return true;
    case INLINES: front->inlines = true; return true;
    case FULL_PATH: front->full_path = true; return true;
    case MAX_MEMORY: return fm_parse_memory(value, &front->max_memory);
    case PASSED_OVER: return true;
    case LOAD:
        front->has_load = true;
        if (parse_load(value, &front->load)) return true;
        fm_message("'%s' is not a valid load address; expected a hexadecimal number", value);
        return false;
    case SLIDE:
        if (parse_atos_address(framemap_str_of(value), &front->slide)) return true;
        fm_message("'%s' is not a valid slide; expected a number", value);
        return false;
    case PROCESS: fm_message("atos does not read running processes; give the image file with -o"); return false;
    default: front->inputs[front->input_count++] = options->argv[options->at - 1]; return true;
    }
}

static int read_atos_options(struct atos_front *front, int argc, char **argv)
{
    struct fm_options options;
    int id;

    fm_options_init(&options, table, ROWS, argc, argv);
    options.habits = FM_HABIT_SINGLE_DASH;
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        if (id == FM_OPTIONS_BAD) return fm_options_complain(&options, "atos");
        if (id == HELP) return print_atos_help();
        if (!take_atos_option(front, id, &options)) return fm_message_usage("atos");
    }
    if (front->file) return -1;
    fm_message("atos needs an image file: -o FILE");
    return fm_message_usage("atos");
}

int fm_cmd_atos(int argc, char **argv)
{
    struct atos_front *front = fm_cli_resize(NULL, sizeof *front); /* the struct is too large for the stack */
    memset(front, 0, sizeof *front);
    front->delimiter = "\n";
    front->inputs = fm_cli_resize(NULL, (size_t)argc * sizeof *front->inputs);
    fm_out_init(&front->out, STDOUT_FILENO);
    int code = read_atos_options(front, argc, argv);
    if (code < 0) code = run_atos(front);
    free(front->inputs);
    free(front);
    return code;
}
