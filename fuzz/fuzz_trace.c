/* Traces to texts by the public calls. The first byte chooses a format to read as and the symbols' answers; then come
 * names, as a hostile symbol file may have them, and the text. What was not restored is printed as it came; what was,
 * in every format that writes, the same each time; and an output that is refused ends the call. */
#include "fuzz/support/harness_help.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 4, MOST_OUTPUT = 1 << 24, CEILING = 256 << 20 };

struct answers {
    framemap_frame frames[NAMES];
    framemap_frame_list alternatives[2];
    size_t count;
};

struct shown {
    char data[6 * 256]; /* a byte becomes four at most, a character of three bytes six */
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

/* What is shown of a text has no control characters, and a text without any is shown as it is. */
static void show(framemap_str text)
{
    struct shown shown = {.size = 0};
    must(framemap_write_escaped(text, keep, &shown));
    const framemap_str out = {shown.data, shown.size};
    must(framemap_plain_size(out) == out.size);
    must((framemap_plain_size(text) == text.size) == (out.size == text.size));
}

static void read_answers(struct answers *answers, struct fuzz_input *input)
{
    *answers = (struct answers){.count = (size_t)fuzz_number(input, 1) % (NAMES + 1)};
    for (size_t i = 0; i < answers->count; i++) {
        framemap_frame *frame = &answers->frames[i];
        const unsigned form = (unsigned)fuzz_number(input, 1);
        frame->function = fuzz_text(input);
        show(frame->function);
        frame->file = fuzz_text(input);
        frame->class_name = form & 1 ? fuzz_text(input) : frame->class_name;
        frame->symbol = form & 2 ? fuzz_text(input) : frame->symbol;
        frame->line = (uint32_t)fuzz_number(input, form & 4 ? 4 : 1);
        frame->column = (uint32_t)fuzz_number(input, 1);
        frame->inlined = (form & 8) != 0;
        frame->has_function_offset = (form & 16) != 0;
        frame->function_offset = frame->line;
        frame->context = form & 32 ? fuzz_text(input) : frame->context;
        frame->context_line = frame->line > 2 ? frame->line - 2 : 1;
        frame->aliases = form & 64 ? &frame->file : NULL;
        frame->alias_count = form & 64 ? 1 : 0;
    }
    answers->alternatives[0] = (framemap_frame_list){answers->frames, answers->count};
    answers->alternatives[1] = (framemap_frame_list){answers->frames, answers->count > 0};
}

/* Frames answered as symbols would, every other one as it was. */
static void restore(framemap_trace_list *list, const struct answers *answers, unsigned choice)
{
    for (size_t t = 0; t < list->count; t++) {
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
    const framemap_format_info *formats = framemap_format_list(&count);
    for (size_t i = 0; i < count; i++) {
        struct fuzz_output none = {.most = MOST_OUTPUT};
        if (!formats[i].writes) {
            must(framemap_trace_print(text, list->traces, list->count, formats[i].name, fuzz_write, &none, NULL) !=
                 FRAMEMAP_OK);
            continue;
        }
        const struct fuzz_output once = print(text, list, formats[i].name, MOST_OUTPUT),
                                 twice = print(text, list, formats[i].name, MOST_OUTPUT);
        must(once.size == twice.size && once.hash == twice.hash);
        print(text, list, formats[i].name, once.size / 2);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct answers answers;
    struct fuzz_memory memory;
    framemap_trace_list list;
    size_t format_count;
    const framemap_format_info *formats = framemap_format_list(&format_count);
    const unsigned choice = (unsigned)fuzz_number(&input, 1), format = choice >> 2;
    read_answers(&answers, &input);
    const framemap_str text = fuzz_rest(&input);
    fuzz_memory_begin(&memory, CEILING);
    framemap_parse_options options = {.size = sizeof options, .allocator = &memory.hook};
    if (format > 0 && format <= format_count && formats[format - 1].reads) options.format = formats[format - 1].name;
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
