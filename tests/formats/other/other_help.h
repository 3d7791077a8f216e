/* Helpers for the tests of formats whose stacks need no symbols: describe traces with the members that only these
 * formats set. */
#ifndef FM_TESTS_FORMATS_OTHER_OTHER_HELP_H
#define FM_TESTS_FORMATS_OTHER_OTHER_HELP_H

#include "tests/formats/formats_help.h"

static inline void put_number(struct fm_buf *out, const char *key, bool has, uint64_t value)
{
    if (has) fm_buf_printf(out, " %s:%llu", key, (unsigned long long)value);
}

static inline void describe_other_frame(struct fm_buf *out, const framemap_frame *frame)
{
    if (frame->kind == FRAMEMAP_KIND_MARKER) {
        fm_buf_printf(out, "  %s", framemap_marker_name(frame->marker));
    } else {
        fm_buf_str(out, frame->kind == FRAMEMAP_KIND_OTHER ? FM_STR(" ") : FM_STR(" of another kind"));
        put_number(out, "i", frame->index >= 0, (uint64_t)frame->index);
        describe_part(out, "m", frame->module);
        describe_part(out, "c", frame->class_name);
        describe_part(out, "f", frame->function);
        put_number(out, "+", frame->has_function_offset, frame->function_offset);
        describe_part(out, "at", frame->file);
        put_number(out, "l", frame->line != 0, frame->line);
        put_number(out, "col", frame->column != 0, frame->column);
        put_number(out, "a", frame->has_address, frame->address);
        if (frame->kind == FRAMEMAP_KIND_NATIVE) describe_part(out, "id", frame->id);
        put_number(out, "load", frame->has_load_address, frame->load_address);
        if (frame->return_address) fm_buf_str(out, FM_STR(" returns"));
        if (frame->inlined) fm_buf_str(out, FM_STR(" inlined"));
    }
    put_number(out, "n", frame->extra && frame->extra->has_count, frame->extra ? frame->extra->count : 0);
    if (frame->status != FRAMEMAP_FRAME_NOT_NEEDED) fm_buf_str(out, FM_STR(" needs symbols"));
    fm_buf_byte(out, '\n');
}

static inline void describe_other(struct fm_buf *out, const framemap_trace *trace)
{
    fm_buf_printf(out, "%.*s", (int)trace->format.size, trace->format.data);
    put_number(out, "line", true, trace->line);
    put_number(out, "lines", trace->line_count != 1, trace->line_count);
    describe_part(out, "thread", trace->thread);
    describe_part(out, "state", trace->thread_state);
    describe_part(out, "type", trace->exception_type);
    describe_part(out, "message", trace->exception_message);
    describe_part(out, "signal", trace->signal.name);
    if (trace->role != FRAMEMAP_ROLE_NONE)
        fm_buf_printf(out, " %s of %u", framemap_role_name(trace->role), (unsigned)trace->part_of);
    if (trace->outermost_first) fm_buf_str(out, FM_STR(" outermost first"));
    fm_buf_str(out, trace->crashed ? FM_STR(" crashed\n") : FM_STR("\n"));
    for (size_t f = 0; f < trace->frame_count; f++) describe_other_frame(out, &trace->frames[f]);
}

/* Parses the text of each case, with the prefilter and without it, and compares the traces with the expected ones.
 * Printing them must give the unchanged text. */
static inline void check_other(const struct text_case *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (int use = 0; use < 2; use++) {
            struct parsed parsed = {.traces = NULL};
            struct fm_buf got, back;
            const framemap_str text = text_of(rows[i].text);
            fm_heap_init(&parsed.heap, NULL, 0);
            fm_arena_init(&parsed.arena, &parsed.heap);
            assert_int_equal(fm_formats_parse_prefiltered(text, NULL, use ? FM_PREFILTER_ALWAYS : FM_PREFILTER_NEVER,
                                                          &parsed.arena, &parsed.traces, &parsed.count, &parsed.error),
                             FRAMEMAP_OK);
            fm_buf_init(&got, &parsed.heap);
            for (size_t t = 0; t < parsed.count; t++) describe_other(&got, &parsed.traces[t]);
            same_text(rows[i].name, use ? "what was read with the prefilter" : "what was read", fm_buf_view(&got),
                      text_of(rows[i].want));
            assert_int_equal(print_as(&parsed, text, "text", &back), FRAMEMAP_OK);
            same_text(rows[i].name, "the text that comes back", fm_buf_view(&back), text);
            fm_buf_free(&back);
            fm_buf_free(&got);
            parsed_free(&parsed);
        }
    }
}

#define OTHER_TESTS(title, texts)                                         \
    static void test_texts(void **state)                                  \
    {                                                                     \
        (void)state;                                                      \
        check_other(texts, sizeof(texts) / sizeof *(texts));              \
    }                                                                     \
    int main(void)                                                        \
    {                                                                     \
        const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)}; \
        return cmocka_run_group_tests_name(title, tests, NULL, NULL);     \
    }

#endif
