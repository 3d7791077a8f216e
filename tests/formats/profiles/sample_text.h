/* Prints a set of samples as text, for tests of the readers of profiles. */
#ifndef FM_TESTS_SAMPLE_TEXT_H
#define FM_TESTS_SAMPLE_TEXT_H

#include "tests/testing.h"

#include "core/text/buffer.h"
#include <framemap/samples.h>

#include <inttypes.h>

static inline void text_of_str(struct fm_buf *out, framemap_str text) { fm_buf_str(out, text); }

/* Appends a stack, such as "a;b@f.c:3:7;c+10ff!/m", outermost frame first. An address is printed as it is looked up:
 * for a return address it is one byte less. */
static inline void text_of_stack(const framemap_sample_set *set, uint32_t node, struct fm_buf *out)
{
    uint32_t nodes[64], count = 0, number;
    framemap_sample_frame frame;
    for (uint32_t at = node; at != FRAMEMAP_NO_NODE && count < 64;) {
        nodes[count++] = at;
        assert_true(framemap_sample_set_node(set, at, &at, NULL));
    }
    while (count-- > 0) {
        assert_true(framemap_sample_set_node(set, nodes[count], NULL, &number));
        assert_true(framemap_sample_set_frame(set, number, &frame));
        text_of_str(out, frame.function);
        if (frame.has_address) fm_buf_printf(out, "+%" PRIx64, frame.address - frame.return_address);
        if (frame.module.size) {
            fm_buf_byte(out, '!');
            text_of_str(out, frame.module);
        }
        if (frame.file.size) {
            fm_buf_byte(out, '@');
            text_of_str(out, frame.file);
        }
        if (frame.line) fm_buf_printf(out, ":%u", frame.line);
        if (frame.column) fm_buf_printf(out, ":%u", frame.column);
        if (frame.inlined) fm_buf_str(out, FM_STR(" inlined"));
        if (count) fm_buf_byte(out, ';');
    }
}

/* Appends a thread, such as "process 1/name 2 ". */
static inline void text_of_thread(const framemap_sample_thread *thread, struct fm_buf *out)
{
    text_of_str(out, thread->process);
    if (thread->has_process_id) fm_buf_printf(out, " %" PRIu64, thread->process_id);
    fm_buf_byte(out, '/');
    text_of_str(out, thread->name);
    if (thread->has_thread_id) fm_buf_printf(out, " %" PRIu64, thread->thread_id);
    fm_buf_byte(out, ' ');
}

/* Appends a line for each sample: "time process 1/thread 2 stack weight unit, weight unit". */
static inline void text_of_set(const framemap_sample_set *set, struct fm_buf *out)
{
    framemap_sample sample;
    framemap_sample_type type;
    for (uint32_t i = 0; framemap_sample_set_sample(set, i, &sample); i++) {
        if (sample.has_time) fm_buf_printf(out, "%" PRId64 " ", sample.time_ns);
        if (sample.has_thread) text_of_thread(&sample.thread, out);
        text_of_stack(set, sample.node, out);
        for (uint32_t t = 0; framemap_sample_set_type(set, t, &type); t++) {
            fm_buf_printf(out, "%s %" PRId64 " ", t ? "," : "", sample.values[t]);
            text_of_str(out, type.unit);
        }
        fm_buf_byte(out, '\n');
    }
}

static inline bool gather_text(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static inline framemap_sample_set *read_samples(framemap_str text, const char *format)
{
    framemap_sample_set *set = NULL;
    framemap_error error = {0};
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    const framemap_status status = framemap_sample_set_read(set, text, format, &error);
    if (status) print_message("%s\n", error.message);
    assert_int_equal(status, FRAMEMAP_OK);
    return set;
}

static inline void assert_samples(const framemap_sample_set *set, const char *expected)
{
    struct fm_heap heap;
    struct fm_buf text;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    text_of_set(set, &text);
    const bool equal = fm_str_equal(fm_buf_view(&text), framemap_str_of(expected));
    if (!equal) print_message("expected:\n%sfound:\n%.*s", expected, (int)text.size, text.size ? text.data : "");
    assert_true(equal);
    fm_buf_free(&text);
}

/* Reads a profile twice, with its format detected and with its format given, and compares the samples with `want`. Then
 * writes the samples in the format `through`, reads them, and compares them again. */
static inline void assert_reads(const char *text, const char *format, const char *through, const char *expected)
{
    struct fm_heap heap;
    struct fm_buf written;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&written, &heap);
    framemap_sample_set *set = read_samples(framemap_str_of(text), NULL), *again;
    assert_samples(set, expected);
    framemap_sample_set_close(set);
    set = read_samples(framemap_str_of(text), format);
    assert_samples(set, expected);
    assert_int_equal(framemap_sample_set_write(set, through, gather_text, &written, NULL, NULL), FRAMEMAP_OK);
    again = read_samples(fm_buf_view(&written), through);
    assert_samples(again, expected);
    framemap_sample_set_close(again);
    framemap_sample_set_close(set);
    fm_buf_free(&written);
}

struct profile_case {
    const char *name, *text, *samples;
};

/* Checks all cases of a format with assert_reads. */
static inline void assert_cases(const struct profile_case *cases, size_t count, const char *format, const char *through)
{
    for (size_t i = 0; i < count; i++) {
        print_message("%s\n", cases[i].name);
        assert_reads(cases[i].text, format, through, cases[i].samples);
    }
}

#endif
