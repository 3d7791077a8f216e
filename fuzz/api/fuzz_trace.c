/* Parses and prints traces with the public functions. The first byte of the input selects the format and how frames
 * are restored; then follow names, which may have control characters, and the text. Properties: frames that are not
 * restored are printed unchanged; restored frames are printed in every format that can be written, the same each
 * time and without the control characters of names; a write callback that fails ends the call. */
#include "fuzz/support/harness_help.h"
#include "fuzz/support/hostile.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 4, TEXTS = 5, MOST_TEXT = 255, MOST_OUTPUT = 1 << 24, CEILING = 256 << 20 };

struct answers {
    framemap_frame frames[NAMES];
    char texts[NAMES * TEXTS][MOST_TEXT + sizeof HOSTILE];
    size_t text_count;
    framemap_frame_list alternatives[2];
    size_t count;
};

struct shown {
    /* escaping turns one byte into at most four, and a character of three bytes into at most six */
    char data[6 * 256];
    size_t size;
};

static bool keep(void *context, const char *data, size_t size)
{
    struct shown *shown = context;
    must(size <= sizeof shown->data - shown->size);
    if (size > 0) memcpy(shown->data + shown->size, data, size);
    shown->size += size;
    return true;
}

/* Checks that an escaped text has no control characters. A text that had none before must be unchanged. */
static void show(framemap_str text)
{
    struct shown shown = {.size = 0};
    must(framemap_write_escaped(text, keep, &shown));
    const framemap_str out = {shown.data, shown.size};
    must(framemap_plain_size(out) == out.size);
    must((framemap_plain_size(text) == text.size) == (out.size == text.size));
}

/* Reads a text from the input. Unless the form forbids it, appends control characters to which a terminal, or a
 * program that reads lines, would react. */
static framemap_str read_text(struct answers *answers, struct fuzz_input *input, unsigned form)
{
    const framemap_str given = fuzz_text(input);
    char *text = answers->texts[answers->text_count++];
    must(given.size <= MOST_TEXT && answers->text_count <= NAMES * TEXTS);
    show(given);
    if (form & 128) return given;
    if (given.size) memcpy(text, given.data, given.size);
    memcpy(text + given.size, HOSTILE, sizeof HOSTILE - 1);
    return (framemap_str){text, given.size + sizeof HOSTILE - 1};
}

static void read_answers(struct answers *answers, struct fuzz_input *input)
{
    answers->count = (size_t)fuzz_number(input, 1) % (NAMES + 1);
    answers->text_count = 0;
    memset(answers->frames, 0, sizeof answers->frames);
    for (size_t i = 0; i < answers->count; i++) {
        framemap_frame *frame = &answers->frames[i];
        const unsigned form = (unsigned)fuzz_number(input, 1);
        frame->function = read_text(answers, input, form);
        frame->file = read_text(answers, input, form);
        frame->class_name = form & 1 ? read_text(answers, input, form) : frame->class_name;
        frame->symbol = form & 2 ? read_text(answers, input, form) : frame->symbol;
        frame->line = (uint32_t)fuzz_number(input, form & 4 ? 4 : 1);
        frame->column = (uint32_t)fuzz_number(input, 1);
        frame->inlined = (form & 8) != 0;
        frame->has_function_offset = (form & 16) != 0;
        frame->function_offset = frame->line;
        frame->context = form & 32 ? read_text(answers, input, form) : frame->context;
        frame->context_line = frame->line > 2 ? frame->line - 2 : 1;
        frame->aliases = form & 64 ? &frame->file : NULL;
        frame->alias_count = form & 64 ? 1 : 0;
    }
    answers->alternatives[0] = (framemap_frame_list){answers->frames, answers->count};
    answers->alternatives[1] = (framemap_frame_list){answers->frames, answers->count > 0};
}

/* Checks that every enum value of a trace has a name. */
static void name_trace(const framemap_trace *trace)
{
    must(framemap_role_name(trace->role) != NULL && framemap_closed_by_name(trace->closed_by)[0] != 0);
    for (size_t i = 0; i < trace->image_count; i++) must(framemap_image_symbols_name(trace->images[i].symbols)[0] != 0);
    for (size_t f = 0; f < trace->frame_count; f++) must(framemap_marker_name(trace->frames[f].marker) != NULL);
}

/* Restores every other frame from the given answers, in place of a session with symbols. */
static void restore(framemap_trace_list *list, const struct answers *answers, unsigned choice)
{
    for (size_t t = 0; t < list->count; t++) {
        name_trace(&list->traces[t]);
        for (size_t f = choice & 1; f < list->traces[t].frame_count; f += 2) {
            framemap_frame *frame = &list->traces[t].frames[f];
            if (frame->status == FRAMEMAP_FRAME_MALFORMED) continue;
            const size_t count = answers->count ? 1 + f % answers->count : 0;
            const bool several = (choice & 2) != 0 && count > 0;
            for (size_t i = 0; i < count; i++) must(answers->frames[i].function.data != NULL);
            frame->status = count == 0 ? FRAMEMAP_FRAME_NO_MATCH
                            : several  ? FRAMEMAP_FRAME_AMBIGUOUS
                                       : FRAMEMAP_FRAME_OK;
            frame->reason = count == 0 ? "nothing is there" : NULL;
            frame->restored = (framemap_frame_list){answers->frames, count};
            frame->alternatives = several ? answers->alternatives : NULL;
            frame->alternative_count = several ? 2 : 0;
        }
    }
}

/* --- checking what is printed --- */

struct printed {
    struct fuzz_output counted;
    char *data;
    size_t room;
};

static bool keep_printed(void *context, const char *data, size_t size)
{
    struct printed *printed = context;
    const size_t at = printed->counted.size;
    if (!fuzz_write(&printed->counted, data, size)) return false;
    if (printed->counted.size > printed->room) {
        printed->room = 2 * printed->counted.size;
        must((printed->data = realloc(printed->data, printed->room)) != NULL);
    }
    if (size > 0) memcpy(printed->data + at, data, size);
    return true;
}

/* Whether a text has no control characters except line ends and tabs, which source lines may contain. */
static bool is_plain(framemap_str text)
{
    for (size_t at = 0; at < text.size; at++) {
        const framemap_str rest = {text.data + at, text.size - at};
        at += framemap_plain_size(rest);
        if (at == text.size) break;
        const bool ends = text.data[at] == '\r' && at + 1 < text.size && text.data[at + 1] == '\n';
        if (text.data[at] != '\n' && text.data[at] != '\t' && !ends) return false;
    }
    return true;
}

/* Checks that the output has no control characters, unless the text has the same ones. */
static void check_printed(framemap_str text, framemap_str output)
{
    check_hostile(text, output);
    if (is_plain(text)) must(is_plain(output));
}

static struct fuzz_output print(framemap_str text, const framemap_trace_list *list, const char *format, size_t most)
{
    struct fuzz_output output = {.most = most};
    framemap_error error = {0};
    const framemap_status status =
        framemap_trace_print(text, list->traces, list->count, format, fuzz_write, &output, &error);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_IO);
    must(status == FRAMEMAP_OK || error.message[0] != 0);
    return output;
}

static void print_all(framemap_str text, const framemap_trace_list *list)
{
    size_t count;
    const framemap_format_info *const *formats = framemap_format_list(&count);
    for (size_t i = 0; i < count; i++) {
        struct fuzz_output none = {.most = MOST_OUTPUT};
        if (!formats[i]->writes) {
            must(framemap_trace_print(text, list->traces, list->count, formats[i]->name, fuzz_write, &none, NULL) !=
                 FRAMEMAP_OK);
            continue;
        }
        struct printed kept = {.counted.most = MOST_OUTPUT};
        const framemap_status status =
            framemap_trace_print(text, list->traces, list->count, formats[i]->name, keep_printed, &kept, NULL);
        const struct fuzz_output once = kept.counted, twice = print(text, list, formats[i]->name, MOST_OUTPUT);
        must(status == FRAMEMAP_OK || status == FRAMEMAP_E_IO);
        must(once.size == twice.size && once.hash == twice.hash);
        if (status == FRAMEMAP_OK) check_printed(text, (framemap_str){kept.data, kept.data ? once.size : 0});
        free(kept.data);
        print(text, list, formats[i]->name, once.size / 2);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    static struct answers answers; /* the object is static, because it is too big for the stack */
    struct fuzz_memory memory;
    framemap_trace_list list;
    size_t format_count;
    const framemap_format_info *const *formats = framemap_format_list(&format_count);
    const unsigned choice = (unsigned)fuzz_number(&input, 1), format = choice >> 2;
    read_answers(&answers, &input);
    const framemap_str text = fuzz_rest(&input);
    fuzz_memory_begin(&memory, CEILING);
    framemap_parse_options options = {.size = sizeof options, .allocator = &memory.hook};
    if (format > 0 && format <= format_count && formats[format - 1]->reads) options.format = formats[format - 1]->name;
    if (framemap_trace_parse(text, &options, &list, NULL) == FRAMEMAP_OK) {
        struct fuzz_output whole = {.most = SIZE_MAX};
        const struct fuzz_output as_it_was = print(text, &list, "text", SIZE_MAX);
        fuzz_write(&whole, text.data, text.size);
        must(as_it_was.size == whole.size && as_it_was.hash == whole.hash);
        restore(&list, &answers, choice);
        print_all(text, &list);
        framemap_trace_list_free(&list);
    }
    fuzz_memory_end(&memory);
    return 0;
}
