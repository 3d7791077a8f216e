/* Helpers for the tests of formats: parse a text, print its traces, compare them. */
#ifndef FM_TESTS_FORMATS_FORMATS_HELP_H
#define FM_TESTS_FORMATS_FORMATS_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "formats/format_registry.h"

struct parsed {
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_trace *traces;
    size_t count;
    framemap_status status;
    framemap_error error;
};

static inline void parse_as(struct parsed *parsed, framemap_str text, const char *format,
                            const framemap_allocator *hook)
{
    *parsed = (struct parsed){.traces = NULL};
    fm_heap_init(&parsed->heap, hook, 0);
    fm_arena_init(&parsed->arena, &parsed->heap);
    parsed->status = fm_formats_parse(text, format, &parsed->arena, &parsed->traces, &parsed->count, &parsed->error);
}
static inline void parse(struct parsed *parsed, framemap_str text) { parse_as(parsed, text, NULL, NULL); }
static inline void parsed_free(struct parsed *parsed) { fm_arena_free(&parsed->arena); }

static inline bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }
/* Prints the traces to *out, which the caller frees. */
static inline framemap_status print_as(struct parsed *parsed, framemap_str text, const char *format, struct fm_buf *out)
{
    fm_buf_init(out, &parsed->heap);
    return fm_formats_print(text, parsed->traces, parsed->count, format, &parsed->heap, gather, out, &parsed->error);
}

/* Sets the restored chain of a frame, as the restorers do. */
static inline void restore(framemap_frame *frame, const framemap_frame *chain, size_t count)
{
    frame->status = chain[0].file.size ? FRAMEMAP_FRAME_OK : FRAMEMAP_FRAME_SYMBOL;
    frame->restored = (framemap_frame_list){chain, count};
}

static inline framemap_str text_of(const char *text) { return fm_str(text, strlen(text)); }

/* Fails if the texts differ; the message has the name of the case. */
static inline void same_text(const char *row, const char *what, framemap_str got, framemap_str want)
{
    if (fm_str_equal(got, want)) return;
    fail_msg("%s: %s is\n[%.*s], not\n[%.*s]", row, what, (int)got.size, got.data ? got.data : "", (int)want.size,
             want.data ? want.data : "");
}
static inline void same_number(const char *row, const char *what, uint64_t got, uint64_t want)
{
    if (got != want)
        fail_msg("%s: %s is 0x%llx, not 0x%llx", row, what, (unsigned long long)got, (unsigned long long)want);
}

/* A case: its name, the reason for it, the input, and the expected result. */
struct text_case {
    const char *name, *why, *text, *want;
};

static inline void describe_part(struct fm_buf *out, const char *key, framemap_str value)
{
    if (value.size) fm_buf_printf(out, " %s:%.*s", key, (int)value.size, value.data);
}

/* Appends a description of a mention (a class name outside of frames), such as "! exception:a.b.c before:3". */
static inline void describe_mention(struct fm_buf *out, const framemap_mention *mention)
{
    fm_buf_str(out, FM_STR("!"));
    describe_part(out, mention->exception ? "exception" : "class", mention->raw);
    fm_buf_printf(out, " before:%u\n", (unsigned)mention->before_frame);
}

/* Appends a description of a parsed frame, such as "#0 libapp.so linked:0x4f0c4 id:77e6 f:outer()+24 at:src/a.cc:7:3
 * raw". */
static inline void describe_frame(struct fm_buf *out, const framemap_frame *frame)
{
    static const char *const kinds[] = {"none", "absolute", "linked", "image", "bytecode", "file-offset"};
    if (frame->index >= 0)
        fm_buf_printf(out, "#%d", (int)frame->index);
    else
        fm_buf_str(out, FM_STR("-"));
    describe_part(out, "m", frame->module);
    if (frame->has_address)
        fm_buf_printf(out, " %s:0x%llx", kinds[frame->address_kind], (unsigned long long)frame->address);
    if (frame->has_load_address)
        fm_buf_printf(out, " %s:0x%llx", frame->maps_file ? "file" : "load", (unsigned long long)frame->load_address);
    if (frame->file_offset) fm_buf_printf(out, " offset:0x%llx", (unsigned long long)frame->file_offset);
    if (frame->return_address) fm_buf_str(out, FM_STR(" return"));
    describe_part(out, "id", frame->id);
    describe_part(out, "arch", frame->arch);
    describe_part(out, "c", frame->class_name);
    describe_part(out, "f", frame->function);
    if (frame->has_function_offset) fm_buf_printf(out, "+%llu", (unsigned long long)frame->function_offset);
    describe_part(out, "at", frame->file);
    if (frame->line) fm_buf_printf(out, ":%u", frame->line);
    if (frame->column) fm_buf_printf(out, ":%u", frame->column);
    if (frame->marker) fm_buf_printf(out, " %s", framemap_marker_name(frame->marker));
    if (frame->marker && frame->extra) fm_buf_printf(out, " count:%u", (unsigned)frame->extra->count);
    if (frame->status != FRAMEMAP_FRAME_RAW) fm_buf_printf(out, " %s", framemap_frame_status_name(frame->status));
    fm_buf_byte(out, '\n');
}

static inline void describe(struct fm_buf *out, const framemap_trace *traces, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        fm_buf_printf(out, "%.*s %u", (int)traces[t].format.size, traces[t].format.data, (unsigned)traces[t].line);
        describe_part(out, "thread", traces[t].thread);
        describe_part(out, "exception", traces[t].exception);
        describe_part(out, "arch", traces[t].arch);
        fm_buf_str(out, traces[t].crashed ? FM_STR(" crashed\n") : FM_STR("\n"));
        for (size_t f = 0; f < traces[t].frame_count; f++) describe_frame(out, &traces[t].frames[f]);
        for (size_t m = 0; m < traces[t].mention_count; m++) describe_mention(out, &traces[t].mentions[m]);
    }
}

/* Appends a description of the members of a trace that describe() omits: process, thread, signal, exception, registers,
 * and the group of traces to which it belongs. */
static inline void describe_model(struct fm_buf *out, const framemap_trace *trace)
{
    if (trace->role != FRAMEMAP_ROLE_NONE)
        fm_buf_printf(out, " %s-of:%u", framemap_role_name(trace->role), (unsigned)trace->part_of);
    if (trace->has_process_id) fm_buf_printf(out, " pid:%u", (unsigned)trace->process_id);
    describe_part(out, "process", trace->process_name);
    describe_part(out, "os", trace->os_version);
    describe_part(out, "tid", trace->thread_id);
    describe_part(out, "name", trace->thread_name);
    describe_part(out, "state", trace->thread_state);
    describe_part(out, "type", trace->exception_type);
    describe_part(out, "message", trace->exception_message);
    describe_part(out, "abort", trace->abort_message);
    if (trace->signal.has_number) fm_buf_printf(out, " signal:%d", (int)trace->signal.number);
    if (trace->signal.has_code) fm_buf_printf(out, " code:%d", (int)trace->signal.code);
    describe_part(out, "code", trace->signal.code_name);
    if (trace->signal.has_address) fm_buf_printf(out, " fault:0x%llx", (unsigned long long)trace->signal.address);
    for (size_t i = 0; i < trace->register_count; i++)
        fm_buf_printf(out, " %.*s=0x%llx", (int)trace->registers[i].name.size, trace->registers[i].name.data,
                      (unsigned long long)trace->registers[i].value);
    if (trace->elided) fm_buf_printf(out, " elided:%u", (unsigned)trace->elided);
}

/* Parses the text of each case and compares its traces with the expected ones, which are described on one line each, by
 * describe_model and the number of frames. Printing the traces must give the unchanged text. */
static inline void check_models(const struct text_case *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct parsed parsed;
        struct fm_buf got, back;
        const framemap_str text = text_of(rows[i].text);
        parse(&parsed, text);
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        fm_buf_init(&got, &parsed.heap);
        for (size_t t = 0; t < parsed.count; t++) {
            fm_buf_str(&got, parsed.traces[t].format);
            describe_model(&got, &parsed.traces[t]);
            fm_buf_printf(&got, " frames:%u\n", (unsigned)parsed.traces[t].frame_count);
        }
        same_text(rows[i].name, "what its traces say", fm_buf_view(&got), text_of(rows[i].want));
        assert_int_equal(print_as(&parsed, text, "text", &back), FRAMEMAP_OK);
        same_text(rows[i].name, "the text that comes back", fm_buf_view(&back), text);
        fm_buf_free(&back);
        fm_buf_free(&got);
        parsed_free(&parsed);
    }
}

/* Checks that the text has each frame and each mention at the offset that is stored for it. */
static inline void same_places(const char *row, framemap_str text, const struct parsed *parsed)
{
    for (size_t t = 0; t < parsed->count; t++) {
        const framemap_trace *trace = &parsed->traces[t];
        for (size_t f = 0; f < trace->frame_count; f++)
            if (trace->frames[f].raw.data != text.data + trace->frames[f].raw_offset)
                fail_msg("%s: frame %zu of trace %zu is not at its offset", row, f, t);
        for (size_t m = 0; m < trace->mention_count; m++)
            if (trace->mentions[m].raw.data != text.data + trace->mentions[m].raw_offset)
                fail_msg("%s: mention %zu of trace %zu is not at its offset", row, m, t);
    }
}

/* Parses the text of each case and compares the result with the expected one. Printing the traces must give the
 * unchanged text. */
static inline void check_texts(const struct text_case *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct parsed parsed;
        struct fm_buf got, back;
        framemap_str text = text_of(rows[i].text);
        parse(&parsed, text);
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        same_places(rows[i].name, text, &parsed);
        fm_buf_init(&got, &parsed.heap);
        describe(&got, parsed.traces, parsed.count);
        same_text(rows[i].name, "what was read", fm_buf_view(&got), text_of(rows[i].want));
        assert_int_equal(print_as(&parsed, text, "text", &back), FRAMEMAP_OK);
        same_text(rows[i].name, "the text that comes back", fm_buf_view(&back), text);
        fm_buf_free(&back);
        fm_buf_free(&got);
        parsed_free(&parsed);
    }
}

/* Parses the text of each case, sets the same restored chain in every frame, and compares the printed text with the
 * expected one. When the output is parsed again, it must have the same function names, and be printed unchanged. */
static inline void check_looks(const struct text_case *rows, size_t count, const framemap_frame *chain,
                               size_t chain_count)
{
    for (size_t i = 0; i < count; i++) {
        struct parsed parsed, again;
        struct fm_buf out, back;
        framemap_str text = text_of(rows[i].text);
        parse(&parsed, text);
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        for (size_t t = 0; t < parsed.count; t++)
            for (size_t f = 0; f < parsed.traces[t].frame_count; f++)
                restore(&parsed.traces[t].frames[f], chain, chain_count);
        assert_int_equal(print_as(&parsed, text, "text", &out), FRAMEMAP_OK);
        same_text(rows[i].name, "the restored text", fm_buf_view(&out), text_of(rows[i].want));
        parse(&again, fm_buf_view(&out));
        if (again.count == 0) fail_msg("%s: what is printed is no stack any more", rows[i].name);
        same_text(rows[i].name, "the function read again", again.traces[0].frames[0].function, chain[0].function);
        if (chain[0].line && chain[0].kind != FRAMEMAP_KIND_JS)
            assert_int_equal(again.traces[0].frames[0].status, FRAMEMAP_FRAME_NOT_NEEDED);
        assert_int_equal(print_as(&again, fm_buf_view(&out), "text", &back), FRAMEMAP_OK);
        same_text(rows[i].name, "the restored text that comes back", fm_buf_view(&back), fm_buf_view(&out));
        fm_buf_free(&back);
        fm_buf_free(&out);
        parsed_free(&again);
        parsed_free(&parsed);
    }
}

static const framemap_frame fm_test_chain[] = {{.function = {"inner(int)", 10},
                                                .symbol = {"_Z5inneri", 9},
                                                .file = {"src/a.cc", 8},
                                                .line = 7,
                                                .column = 3,
                                                .inlined = true},
                                               {.function = {"outer()", 7}, .file = {"src/a.cc", 8}, .line = 21}};
static const framemap_frame fm_test_symbol[] = {
    {.function = {"outer()", 7}, .has_function_offset = true, .function_offset = 24}};

#endif
