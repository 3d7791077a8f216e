/* Implements cli.h: prints messages and errors on stderr, parses the values of options that several commands have
 * (sizes, memory limits, styles of demangling), and ends the program if memory runs out. */
#include "cli/cli.h"

#include "cli/store_url.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_error(void *context, const char *data, size_t size)
{
    (void)context;
    return fwrite(data, 1, size, stderr) == size;
}

void fm_stderr_begin(void)
{
    if (!isatty(STDERR_FILENO)) setvbuf(stderr, NULL, _IOLBF, 0);
}

void fm_stderr_vprint(const char *format, va_list list)
{
    /* A buffer that needs no allocation, for the message that memory is exhausted. */
    char room[512];
    char *text = room;
    size_t ends = 0, words = strlen(format);
    va_list again;
    va_copy(again, list);
    const int wanted = vsnprintf(room, sizeof room, format, list);
    if (wanted > 0) {
        size_t size = (size_t)wanted;
        if (size >= sizeof room) {
            text = fm_cli_resize(NULL, size + 1);
            vsnprintf(text, size + 1, format, again);
        }
        while (ends < words && format[words - 1 - ends] == '\n') ends++;
        /* The text may contain the URL of a store that was given in place of a file: its login is hidden. */
        size = fm_store_url_hide(text, size - ends);
        framemap_write_escaped((framemap_str){text, size}, write_error, NULL);
        fputs(format + words - ends, stderr);
        if (text != room) free(text);
    }
    va_end(again);
}

void fm_stderr_print(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fm_stderr_vprint(format, list);
    va_end(list);
}

void fm_message(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fm_stderr_print("framemap: ");
    fm_stderr_vprint(format, list);
    fm_stderr_print("\n");
    va_end(list);
}

/* Whether `where` is the given path or its last component, so that it need not be printed in addition to the path. */
static bool same_file(const char *path, const char *where)
{
    size_t path_size = strlen(path), size = strlen(where);
    if (size > path_size || strcmp(path + path_size - size, where) != 0) return false;
    return size == path_size || path[path_size - size - 1] == '/';
}

int fm_message_error(const char *what, const framemap_error *error)
{
    const char *message = error->message[0] ? error->message : framemap_status_text(error->code);
    const char *where = error->where;

    char place[48] = "";

    if (what && strcmp(what, "-") == 0) what = "standard input";
    if (what && same_file(what, where)) where = "";
    if (error->has_line)
        snprintf(place, sizeof place, " (line %" PRIu64 ")", error->line);
    else if (error->has_offset)
        snprintf(place, sizeof place, " (at byte 0x%" PRIx64 ")", error->offset);
    fm_message("%s%s%s%s%s%s", what ? what : "", what ? ": " : "", where, where[0] ? ": " : "", message, place);
    return FM_EXIT_FAILED;
}

void fm_message_waiting(const char *what)
{
    if (isatty(STDIN_FILENO)) fm_message("reading %s from the terminal; press Ctrl-D on an empty line to end it", what);
}

int fm_message_usage(const char *command)
{
    if (command)
        fm_message("see 'framemap %s --help'", command);
    else
        fm_message("see 'framemap --help'");
    return FM_EXIT_USAGE;
}

void *fm_cli_resize(void *ptr, size_t size)
{
    void *out = realloc(ptr, size ? size : 1);
    if (!out) {
        fm_message("out of memory");
        exit(FM_EXIT_FAILED);
    }
    return out;
}

char *fm_cli_copy(const char *text, size_t size)
{
    char *out = fm_cli_resize(NULL, size + 1);
    if (size) memcpy(out, text, size);
    out[size] = '\0';
    return out;
}

char *fm_cli_hide_login(framemap_str *text)
{
    if (text->size == 0 || !memchr(text->data, '@', text->size)) return NULL;
    char *copy = fm_cli_copy(text->data, text->size);
    *text = (framemap_str){copy, fm_store_url_hide(copy, text->size)};
    return copy;
}

static unsigned size_shift(char unit)
{
    switch (unit) {
    case 'K':
    case 'k': return 10;
    case 'M':
    case 'm': return 20;
    case 'G':
    case 'g': return 30;
    default: return 0;
    }
}

bool fm_parse_size(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10) return false;
        value = value * 10 + digit;
    }
    unsigned shift = size_shift(*at);
    if (at == text || at[shift ? 1 : 0] != '\0' || value > UINT64_MAX >> shift) return false;
    *out = value << shift;
    return true;
}

bool fm_parse_demangle(const char *text, framemap_demangle *out)
{
    static const struct {
        const char *name;
        framemap_demangle style;
    } rows[] = {{"llvm", FRAMEMAP_DEMANGLE_LLVM},
                {"gnu", FRAMEMAP_DEMANGLE_GNU},
                {"full", FRAMEMAP_DEMANGLE_FULL},
                {"none", FRAMEMAP_DEMANGLE_NONE}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(text, rows[i].name) != 0) continue;
        *out = rows[i].style;
        return true;
    }
    return false;
}

framemap_str fm_base_name(framemap_str path)
{
    size_t begin = path.size;
    while (begin > 0 && path.data[begin - 1] != '/') begin--;
    if (begin == path.size) return path;
    return (framemap_str){path.data + begin, path.size - begin};
}

bool fm_parse_context(const char *text, uint32_t *out)
{
    uint64_t number;
    if (fm_parse_size(text, &number) && number > 0 && number <= FM_MOST_CONTEXT) {
        *out = (uint32_t)number;
        return true;
    }
    fm_message("'%s' is not a valid number of lines; use 1 to %d", text, FM_MOST_CONTEXT);
    return false;
}

bool fm_parse_memory(const char *text, uint64_t *out)
{
    if (fm_parse_size(text, out)) return true;
    fm_message("'%s' is not a valid size; use a number of bytes, optionally with K, M or G", text);
    return false;
}

uint64_t fm_own_memory(uint64_t max_memory) { return max_memory / 4; }

void fm_state_max_memory(framemap_error *error, uint64_t max_memory)
{
    static const char begin[] = "over-memory: needs more than --max-memory ", units[] = " KMG";
    size_t unit = 0;
    if (max_memory == 0 || error == NULL || error->code != FRAMEMAP_E_MEMORY) return;
    if (strncmp(error->message, begin, sizeof begin - 1) != 0) return;
    for (; unit < 3 && max_memory % 1024 == 0; unit++) max_memory /= 1024;
    snprintf(error->message, sizeof error->message, "%s%" PRIu64 "%.*s (max_memory): raise it", begin, max_memory,
             unit > 0, units + unit);
}
