/* framemap ndk-stack: symbolizes crashes in an Android log, with the output of the NDK's tool (r21 and later). Unlike
 * that tool, this command also searches the directories below the directory given with -sym, first by build id, and
 * does not unpack APKs. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/fronts/front_images.h"
#include "cli/fronts/front_names.h"
#include "cli/notice.h"
#include "cli/options.h"
#include "cli/query_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELP = 1, SYMBOLS, DUMP, MAX_MEMORY };

static const struct fm_option table[] = {
    {SYMBOLS, 0, "sym", FM_TAKES_VALUE, "DIR", "directory of unstripped libraries; -sym is the same"},
    {DUMP, 'i', "dump", FM_TAKES_VALUE, "FILE", "the log (default standard input); -dump is the same"},
    {DUMP, 'd', NULL, FM_TAKES_VALUE, "FILE", NULL},
    {MAX_MEMORY, 0, "max-memory", FM_TAKES_VALUE, "SIZE", FM_MAX_MEMORY_HELP},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct ndk_front {
    const char *folder, *input;
    uint64_t max_memory;       /* memory ceiling in bytes; 0: no limit */
    framemap_session *session; /* session with the symbols in the directory and below it */
    struct fm_front_images images;
    struct fm_front_names names;
    bool in_crash, saw_frame, saw_crash;
    char **reported; /* names of libraries with a fault that was reported */
    size_t reported_count;
    bool changed; /* a file in the directory was changed while it was read */
    struct fm_out out;
};

/* The parts of a frame line. */
struct ndk_line {
    framemap_str number; /* number of the frame, as in "#00" */
    framemap_str pc;     /* hexadecimal digits of the address */
    framemap_str tail;   /* rest of the line from the file name on */
    framemap_str file;
    framemap_str build_id;
    bool sanitizer;
};

static int print_ndk_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: ndk-stack -sym DIR [-dump FILE]\n\nSymbolizes Android crashes.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* --- parsing the lines of a crash dump --- */

static framemap_str from(framemap_str text, size_t at) { return (framemap_str){text.data + at, text.size - at}; }

static bool starts(framemap_str text, const char *word)
{
    size_t size = strlen(word);
    return text.size >= size && memcmp(text.data, word, size) == 0;
}

/* Returns the offset of a word; the size of the text if it is absent. */
static size_t find_word(framemap_str text, const char *word)
{
    for (size_t at = 0; at < text.size; at++)
        if (text.data[at] == word[0] && starts(from(text, at), word)) return at;
    return text.size;
}

/* Removes the longest prefix of bytes in `set` from the text, and returns it. */
static framemap_str run_of(framemap_str *text, const char *set)
{
    size_t size = 0;
    while (size < text->size && text->data[size] && strchr(set, text->data[size])) size++;
    framemap_str run = {text->data, size};
    *text = from(*text, size);
    return run;
}

static framemap_str run_until(framemap_str *text, char byte)
{
    size_t size = 0;
    while (size < text->size && text->data[size] != byte) size++;
    framemap_str run = {text->data, size};
    *text = from(*text, size);
    return run;
}

static framemap_str find_build_id(framemap_str text)
{
    size_t at = find_word(text, "(BuildId:");
    if (at == text.size) return (framemap_str){0};
    text = from(text, at + strlen("(BuildId:"));
    run_of(&text, " \t");
    framemap_str id = run_of(&text, "0123456789abcdef");
    return text.size && text.data[0] == ')' ? id : (framemap_str){0};
}

/* Parses a frame without its number: "pc 0007b350 /lib/libc.so (name+4)". */
static bool read_plain(framemap_str text, struct ndk_line *out)
{
    if (!starts(text, "pc ")) return false;
    text = from(text, 3);
    if (starts(text, "0x")) text = from(text, 2);
    out->pc = run_of(&text, "0123456789abcdef");
    framemap_str gap = run_of(&text, " ");
    out->tail = text;
    out->file = run_until(&text, ' ');
    out->build_id = find_build_id(out->tail);
    out->sanitizer = false;
    return out->pc.size && gap.size && out->file.size;
}

/* Parses a frame of a sanitizer without its number: "0x7b350 (/lib/libc.so+0x350)". */
static bool read_sanitizer(framemap_str text, struct ndk_line *out)
{
    if (!starts(text, "0x")) return false;
    text = from(text, 2);
    run_of(&text, "0123456789abcdef");
    if (run_of(&text, " ").size == 0 || !starts(text, "(")) return false;
    text = from(text, 1);
    framemap_str inside = run_until(&text, ')');
    for (size_t at = inside.size; at-- > 1 && text.size;) {
        if (!starts(from(inside, at), "+0x")) continue;
        framemap_str digits = from(inside, at + 3);
        out->pc = run_of(&digits, "0123456789abcdef");
        out->file = out->tail = (framemap_str){inside.data, at};
        out->build_id = (framemap_str){0};
        out->sanitizer = true;
        return out->pc.size && digits.size == 0 && !memchr(inside.data, ' ', inside.size);
    }
    return false;
}

/* Finds a frame in a line: the last "#N" that follows a blank and precedes the rest of a frame. */
static bool read_ndk_line(framemap_str text, struct ndk_line *out)
{
    for (size_t at = text.size; at-- > 1;) {
        if (text.data[at] != '#' || text.data[at - 1] != ' ') continue;
        framemap_str rest = from(text, at + 1);
        framemap_str digits = run_of(&rest, "0123456789");
        out->number = (framemap_str){text.data + at, digits.size + 1};
        if (digits.size && run_of(&rest, " ").size && (read_plain(rest, out) || read_sanitizer(rest, out))) return true;
    }
    return false;
}

/* --- finding the library of a frame, and looking up its address --- */

/* Returns the name of the library: libfoo.so for "base.apk!libfoo.so". */
static framemap_str library_of(framemap_str file)
{
    for (size_t at = 1; at + 1 < file.size; at++)
        if (file.data[at] == '!') return fm_base_name(from(file, at + 1));
    return fm_base_name(file);
}

static bool same(framemap_str left, framemap_str right)
{
    return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

static void put_warning(struct ndk_front *front, const char *what, framemap_str value)
{
    fm_put_text(&front->out, what);
    fm_put_str(&front->out, value);
    fm_put_char(&front->out, '\n');
}

/* Whether the file has the build id that the line prints. A mismatch is printed in the words of the NDK's tool. */
static bool check_build_id(struct ndk_front *front, const struct ndk_line *line, const struct fm_front_image *image)
{
    framemap_str path = framemap_str_of(image->name);
    if (!image->index || line->build_id.size == 0) return image->index != NULL;
    if (image->info.id.size == 0) {
        put_warning(front, "ERROR: Could not determine build ID for ", path);
        return false;
    }
    if (same(image->info.id, line->build_id)) return true;
    put_warning(front, "WARNING: Mismatched build id for ", path);
    put_warning(front, "WARNING:   Expected ", line->build_id);
    put_warning(front, "WARNING:   Found    ", image->info.id);
    return false;
}

/* Reports a fault of a library's file, once for each library. */
static void report_library_fault(struct ndk_front *front, framemap_str library, const char *words)
{
    for (size_t i = 0; i < front->reported_count; i++)
        if (same(framemap_str_of(front->reported[i]), library)) return;
    front->reported = fm_cli_resize(front->reported, (front->reported_count + 1) * sizeof *front->reported);
    front->reported[front->reported_count++] = fm_cli_copy(library.data, library.size);
    fm_message("%.*s: %s", (int)library.size, library.data, words);
}

/* Reports a fault that may not occur in another run, such as a lack of memory. Other faults are ignored, as the
 * NDK's tool does. */
static void report_ignored_library_fault(struct ndk_front *front, framemap_str library, const char *message)
{
    if (strncmp(message, "over-memory", 11) == 0 || strncmp(message, "changed-while-read", 18) == 0)
        report_library_fault(front, library, message);
}

/* Whether the file of an index was changed while it was in use; if it was, reports that. The index is from the session
 * of the symbol directory. */
static bool was_changed(struct ndk_front *front, const framemap_index *index, framemap_str library)
{
    if (!framemap_index_changed(index)) return false;
    front->changed = true;
    report_library_fault(front, library, fm_changed_while_read);
    return true;
}

static bool look_up_ndk_address(struct ndk_front *front, const framemap_index *index, uint64_t pc, framemap_frame *out)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.position = pc;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    framemap_scratch *scratch = front->images.symbols.scratch;
    if (framemap_resolve(index, &query, scratch, out, NULL) != FRAMEMAP_OK) return false;
    fm_cli_symbols_incomplete(&front->images.symbols, index, &query, out, scratch);
    return true;
}

/* Looks up an address in a library in the directory itself. path: the file there that has the name in the line. */
static bool look_up_ndk_image(struct ndk_front *front, const struct ndk_line *line, framemap_str path, uint64_t pc,
                              framemap_frame *out)
{
    struct fm_front_image *image = fm_front_images_find(&front->images, path);
    if (image->index == NULL) report_ignored_library_fault(front, path, image->message);
    if (image->index && fm_cli_symbols_changed(&front->images.symbols, image->index)) return false;
    const bool known = check_build_id(front, line, image) && look_up_ndk_address(front, image->index, pc, out);
    return !(image->index && fm_cli_symbols_changed(&front->images.symbols, image->index)) && known;
}

/* Looks up a frame. Returns false if there are no symbols for its file. *held, which may be NULL, must be released
 * after the answer was used. */
static bool look_up_ndk_line(struct ndk_front *front, const struct ndk_line *line, framemap_frame *out,
                             const framemap_index **held)
{
    framemap_str library = library_of(line->file);
    char path[4096];
    uint64_t pc;
    int size = snprintf(path, sizeof path, "%s/%.*s", front->folder, (int)library.size, library.data);

    *held = NULL;
    if (size < 0 || (size_t)size >= sizeof path || !fm_parse_hex(line->pc, &pc)) return false;
    if (access(path, R_OK) == 0) return look_up_ndk_image(front, line, framemap_str_of(path), pc, out);
    framemap_image_query want = {.name = library, .id = line->build_id};
    framemap_error error = {.code = FRAMEMAP_OK};
    const framemap_status status = framemap_session_index(front->session, &want, held, &error);
    if (status != FRAMEMAP_OK) report_ignored_library_fault(front, library, error.message);
    const bool known = status == FRAMEMAP_OK && look_up_ndk_address(front, *held, pc, out);
    return !was_changed(front, *held, library) && known;
}

/* --- printing answers --- */

static void put_location(struct fm_out *out, const framemap_frame *frame)
{
    if (frame->file.size)
        fm_put_str(out, frame->file);
    else
        fm_put_text(out, "??");
    fm_put_char(out, ':');
    fm_put_dec(out, frame->line);
    fm_put_char(out, ':');
    fm_put_dec(out, frame->column);
    fm_put_char(out, '\n');
}

static void put_chain(struct ndk_front *front, const framemap_frame *answer, size_t indent)
{
    /* Maximum number of blanks that are written to indent a line: an input line can be very long. */
    enum { MOST_INDENT = 4096 };
    static const framemap_frame nowhere;
    size_t count = answer->restored.count ? answer->restored.count : 1;

    if (indent > MOST_INDENT) indent = MOST_INDENT;
    fm_front_names_begin(&front->names);
    for (size_t i = 0; i < count; i++) {
        framemap_str name = answer->restored.count ? fm_front_frame_name(&front->names, answer, i) : (framemap_str){0};
        fm_put_fill(&front->out, ' ', indent);
        fm_put_str(&front->out, name.size ? name : framemap_str_of("??"));
        fm_put_char(&front->out, '\n');
        fm_put_fill(&front->out, ' ', indent);
        put_location(&front->out, answer->restored.count ? &answer->restored.frames[i] : &nowhere);
    }
    fm_front_names_end(&front->names, answer->over_limit);
}

/* Prints "#00 0x0007b350 /lib/libc.so (name+4)" and returns the column after its first bracket, where names are
 * aligned. */
static size_t put_ndk_frame(struct ndk_front *front, const struct ndk_line *line)
{
    size_t before = fm_put_count(&front->out);
    fm_put_raw(&front->out, line->number);
    fm_put_text(&front->out, " 0x");
    fm_put_raw(&front->out, line->pc);
    fm_put_char(&front->out, ' ');
    size_t column = fm_put_count(&front->out) - before, bracket = find_word(line->tail, "(");
    fm_put_raw(&front->out, line->tail);
    fm_put_char(&front->out, '\n');
    return bracket < line->tail.size ? column + bracket + 1 : 0;
}

static void answer_frame(struct ndk_front *front, const struct ndk_line *line)
{
    framemap_frame answer;
    const framemap_index *held;
    /* This call prints its warnings before the line is printed. */
    bool known = look_up_ndk_line(front, line, &answer, &held);
    size_t indent = put_ndk_frame(front, line);

    if (known) put_chain(front, &answer, indent);
    if (held) framemap_session_release(front->session, held);
}

static void put_tags(struct ndk_front *front, framemap_str text)
{
    static const char *const tags[] = {"Build fingerprint:", "Abort message:"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        size_t at = find_word(text, tags[i]);
        if (at == text.size) continue;
        fm_put_raw(&front->out, from(text, at));
        fm_put_char(&front->out, '\n');
    }
}

static void read_text(struct ndk_front *front, framemap_str text)
{
    static const char banner[] = "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***";
    struct ndk_line line;

    while (text.size && strchr(" \t\n\r\f\v", text.data[text.size - 1])) text.size--;
    if (!front->in_crash) {
        if (find_word(text, banner) == text.size) return;
        front->in_crash = front->saw_crash = true;
        front->saw_frame = false;
        fm_put_text(&front->out, "********** Crash dump: **********\n");
        return;
    }
    put_tags(front, text);
    if (read_ndk_line(text, &line)) {
        /* Frames of a sanitizer do not start the backtrace: they are in the abort message, and other lines follow
         * them before the backtrace. */
        if (!line.sanitizer) front->saw_frame = true;
        answer_frame(front, &line);
    } else if (front->saw_frame) {
        front->in_crash = false;
        fm_put_text(&front->out, "Crash dump is completed\n\n");
    }
}

/* Reports that there was no crash in the input: the NDK's tool prints nothing then. */
static void report_no_crash(const struct ndk_front *front, framemap_str head)
{
    static const struct fm_notice_words words = {.command = "framemap ndk-stack -sym DIR",
                                                 .symbols = "in the directory of -sym",
                                                 .stacks = "crash",
                                                 .prefix = "android"};
    if (front->saw_crash) return;
    if (front->input == NULL)
        fm_notice_unreadable(&words, NULL, head);
    else if (!fm_notice_file_without_stack(&words, front->input))
        fm_message("%s contains stacks, but no line of asterisks (*** *** ***) that starts a crash; 'framemap restore' "
                   "does not need that line",
                   front->input);
}

static int read_input(struct ndk_front *front)
{
    struct fm_in in;
    framemap_str line;
    const char *why;
    int fd = front->input ? fm_in_open(front->input, &why) : STDIN_FILENO;

    if (fd < 0) {
        fm_stderr_print("%s: %s\n", front->input, why);
        return FM_EXIT_USAGE;
    }
    if (front->input == NULL) fm_message_waiting("a log");
    fm_in_init(&in, fd);
    while (!front->out.failed && fm_in_line(&in, &front->out, FRAMEMAP_LONGEST_LINE, &line)) {
        read_text(front, line);
        fm_in_skip_line(&in, &front->out); /* the rest of a longer line is ignored */
    }
    bool good = fm_out_flush(&front->out) && !in.failed;
    if (good) report_no_crash(front, (framemap_str){in.head, in.head_size});
    fm_in_free(&in);
    if (front->input) close(fd);
    return good ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* Runs the command. One session has the libraries in the directory itself, another one the libraries in its
 * subdirectories; each gets half of the memory. */
static int run_ndk_stack(struct ndk_front *front)
{
    const uint64_t half = front->max_memory / 2;
    framemap_session_options options = {.size = sizeof options,
                                        .symbol_paths = &front->folder,
                                        .symbol_path_count = 1,
                                        .warning = fm_cli_symbols_warn,
                                        .max_memory = half};
    framemap_error error;

    if (access(front->folder, F_OK) != 0) {
        fm_stderr_print("%s does not exist!\n\n", front->folder);
        return FM_EXIT_FAILED;
    }
    framemap_status status = framemap_session_open(&options, &front->session, &error);
    front->images.max_memory = front->max_memory - half;
    if (!status) status = fm_front_images_open(&front->images, &error);
    if (!status) status = fm_front_names_open(&front->names, FRAMEMAP_DEMANGLE_LLVM, &error);
    int code = status ? fm_message_error(NULL, &error) : read_input(front);
    if (front->changed || front->images.symbols.changed) code = FM_EXIT_FAILED;
    for (size_t i = 0; i < front->reported_count; i++) free(front->reported[i]);
    free(front->reported);
    fm_front_names_close(&front->names);
    fm_front_images_close(&front->images);
    framemap_session_close(front->session);
    return code;
}

static int read_ndk_options(struct ndk_front *front, int argc, char **argv)
{
    struct fm_options options;
    int id;

    fm_options_init(&options, table, ROWS, argc, argv);
    options.habits = FM_HABIT_SINGLE_DASH;
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        switch (id) {
        case HELP: return print_ndk_help();
        case SYMBOLS: front->folder = options.value; break;
        case MAX_MEMORY:
            if (!fm_parse_memory(options.value, &front->max_memory)) return fm_message_usage("ndk-stack");
            break;
        case DUMP: front->input = options.value; break;
        case FM_OPTIONS_OPERAND:
            fm_message("ndk-stack takes no argument: '%s'; name the file with the crashes with -dump FILE",
                       options.value);
            return fm_message_usage("ndk-stack");
        default: return fm_options_complain(&options, "ndk-stack");
        }
    }
    if (front->folder) return -1;
    fm_message("ndk-stack needs the directory of unstripped libraries: -sym DIR");
    return fm_message_usage("ndk-stack");
}

int fm_cmd_ndk_stack(int argc, char **argv)
{
    struct ndk_front *front = fm_cli_resize(NULL, sizeof *front); /* the struct is too large for the stack */
    memset(front, 0, sizeof *front);
    fm_out_init(&front->out, STDOUT_FILENO);
    int code = read_ndk_options(front, argc, argv);
    if (code < 0) code = run_ndk_stack(front);
    free(front);
    return code;
}
