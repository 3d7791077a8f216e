/* Tests framemap_convert and the printer: every output format, the parts that a format cannot express, profiles that
 * are not text, and input that is refused. */
#include "tests/testing.h"

#include "core/text/buffer.h"
#include <framemap/framemap.h>

#define STR framemap_str_of

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }
static bool refuse(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return false;
}

static struct fm_heap heap;

static void new_buf(struct fm_buf *buf)
{
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(buf, &heap);
}

static const char tombstone[] =
    "pid: 1, tid: 2, name: worker  >>> com.x <<<\nsignal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n"
    "    x0  0000000000000000  x1  000000775ba00cb0\nbacktrace:\n"
    "    #00 pc 0000000000001344  /data/libdemo.so (f(int)+12) (BuildId: 73461bc941eaa3203f2e8a1e602a5747)\n";
static const char java[] =
    "x.Outer: one\n\tat x.Y.z(Y.java:3)\nCaused by: x.Inner: two\n\tat x.Y.w(Y.java:4)\n\t... 1 more\n";
static const char script[] = "TypeError: x\n    at f (http://h/a.js:1:2)\n    at http://h/a.js:3:4\n";

static framemap_convert_summary convert(const char *text, const char *to, struct fm_buf *out)
{
    framemap_convert_summary summary = {.lost = 0};
    framemap_error error = {0};
    fm_buf_clear(out);
    const framemap_status status = framemap_convert(NULL, STR(text), to, NULL, gather, out, &summary, &error);
    if (status) print_message("%s: %s\n", to, error.message);
    assert_int_equal(status, FRAMEMAP_OK);
    return summary;
}

/* Every format that a list of formats marks as written can be the target of a conversion; other names cannot. */
static void every_target(void **state)
{
    size_t stacks, samples, targets = 0;
    const framemap_format_info *const *rows = framemap_format_list(&stacks);
    const framemap_sample_format *const *sets = framemap_sample_format_list(&samples);
    struct fm_buf out;
    (void)state;
    new_buf(&out);
    for (size_t i = 0; i < stacks; i++) {
        if (!rows[i]->writes) continue;
        targets++;
        assert_true(framemap_convert_writes(rows[i]->name));
        const framemap_convert_summary summary = convert(tombstone, rows[i]->name, &out);
        assert_int_equal(summary.restore.traces, 1);
        assert_true(out.size > 0);
    }
    for (size_t i = 0; i < samples; i++) {
        if (!sets[i]->writes) continue;
        targets++;
        const framemap_convert_summary summary = convert(java, sets[i]->name, &out);
        assert_int_equal(summary.restore.traces, 2);
        assert_true(out.size > 0);
    }
    assert_true(targets >= 12);
    assert_false(framemap_convert_writes("traces"));
    assert_false(framemap_convert_writes("no-such"));
    assert_false(framemap_convert_writes(NULL));
    fm_buf_free(&out);
}

static void what_is_lost(void **state)
{
    static const struct {
        const char *name, *text, *to;
        uint32_t lost;
    } rows[] = {
        {"the text itself", tombstone, "text", 0},
        {"JSON says all", tombstone, "json", 0},
        {"and so does the document", java, "json-document", 0},
        {"rows that are not restored are kept", tombstone, "plain", FRAMEMAP_PART_REGISTERS | FRAMEMAP_PART_PROCESSES},
        {"an issue names the process", tombstone, "markdown", FRAMEMAP_PART_REGISTERS},
        {"an event has registers", tombstone, "sentry", FRAMEMAP_PART_OFFSETS},
        {"exceptions of an event have causes", java, "sentry", FRAMEMAP_PART_MARKERS},
        {"plain stacks too", java, "plain", 0},
        {"addresses alone", script, "native",
         FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_EXCEPTIONS},
    };
    struct fm_buf out;
    (void)state;
    new_buf(&out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const framemap_convert_summary summary = convert(rows[i].text, rows[i].to, &out);
        if (summary.lost != rows[i].lost) fail_msg("%s: %x", rows[i].name, (unsigned)summary.lost);
    }
    fm_buf_free(&out);
}

static void names_of_parts(void **state)
{
    (void)state;
    assert_string_equal(framemap_part_name(FRAMEMAP_PART_FILES), "source files");
    assert_string_equal(framemap_part_name(FRAMEMAP_PART_REGISTERS), "registers");
    assert_string_equal(framemap_part_name(FRAMEMAP_PART_ALTERNATIVES), "alternative results");
    assert_string_equal(framemap_part_name(1u << 30), "");
    assert_int_equal(framemap_trace_parts(NULL), 0);
    assert_int_equal(framemap_trace_lost(NULL, "json"), 0);
}

static void one_document(void **state)
{
    struct fm_buf out;
    (void)state;
    new_buf(&out);
    convert("no stack", "json-document", &out);
    assert_true(fm_str_starts(fm_buf_view(&out), FM_STR("{\"schema\":\"framemap/2\",\"framemap\":")));
    assert_true(fm_str_ends(fm_buf_view(&out),
                            FM_STR("\"records\":[\n{\"t\":\"end\",\"bytes\":8,\"lines\":1,\"traces\":0,\"frames\":0,"
                                   "\"restored\":0,\"truncated\":false}\n]}\n")));
    convert(java, "json-document", &out);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("}\n,{\"t\":\"trace\",\"n\":1")) != FM_NOT_FOUND);
    fm_buf_free(&out);
}

static void plain_rows(void **state)
{
    struct fm_buf out;
    (void)state;
    new_buf(&out);
    convert(java, "plain", &out);
    assert_true(fm_str_equal(fm_buf_view(&out), FM_STR("x.Outer: one\n    at x.Y.z(Y.java:3)\nCaused by: x.Inner: two\n"
                                                       "    at x.Y.w(Y.java:4)\n    ... 1 more\n\n")));
    fm_buf_free(&out);
}

/* A profile in a binary format is converted to stacks: each sample becomes a stack. */
static void binary_profiles(void **state)
{
    struct fm_buf profile, out;
    (void)state;
    new_buf(&profile);
    new_buf(&out);
    convert("main;f;g 3\nmain;h 4\n", "pprof", &profile);
    framemap_convert_summary summary;
    framemap_error error = {0};
    assert_int_equal(framemap_convert(NULL, fm_buf_view(&profile), "plain", NULL, gather, &out, &summary, &error),
                     FRAMEMAP_OK);
    assert_true(fm_str_equal(fm_buf_view(&out), FM_STR("    g\n    f\n    main\n\n    h\n    main\n\n")));
    assert_int_equal(summary.restore.traces, 2);
    const framemap_convert_options options = {.size = sizeof options, .from = "pprof"};
    assert_int_equal(framemap_convert(NULL, STR("text"), "json", &options, gather, &out, NULL, &error),
                     FRAMEMAP_E_FORMAT);
    fm_buf_free(&profile);
    fm_buf_free(&out);
}

/* The first byte of a pprof profile is a line end. A text that starts with an empty line must nevertheless be read as
 * stacks. */
static void text_like_a_profile(void **state)
{
    struct fm_buf out;
    (void)state;
    new_buf(&out);
    convert("\n\x1f"
            "Error: x\n    at f (a.js:1:2)\n\n\n12345678901234567890\n",
            "plain", &out);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("at f (a.js:1:2)")) != FM_NOT_FOUND);
    fm_buf_free(&out);
}

/* --- testing the printer of traces --- */

static void print_list(const char *format, const char *text, struct fm_buf *out, uint32_t *lost)
{
    framemap_trace_list list = {0};
    framemap_printer *printer = NULL;
    framemap_error error = {0};
    assert_int_equal(framemap_trace_parse(STR(text), NULL, &list, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_printer_open(format, NULL, gather, out, &printer, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_printer_trace(printer, STR(text), list.traces, list.count, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_printer_close(printer, lost, &error), FRAMEMAP_OK);
    framemap_trace_list_free(&list);
}

/* The printer writes the same text as framemap_convert. */
static void printer_is_convert(void **state)
{
    static const char *const formats[] = {"json", "json-document", "plain", "sentry", "otlp", "markdown", "folded"};
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct fm_buf printed, converted;
        uint32_t lost = 0;
        new_buf(&printed);
        new_buf(&converted);
        print_list(formats[i], java, &printed, &lost);
        const framemap_convert_summary summary = convert(java, formats[i], &converted);
        if (!fm_str_equal(fm_buf_view(&printed), fm_buf_view(&converted))) fail_msg("%s differs", formats[i]);
        if (strcmp(formats[i], "folded") != 0) assert_int_equal(lost, summary.lost);
        fm_buf_free(&printed);
        fm_buf_free(&converted);
    }
}

static void refused_output(void **state)
{
    framemap_error error = {0}, closing = {0};
    framemap_printer *printer = NULL;
    framemap_trace_list list = {0};
    (void)state;
    assert_int_equal(framemap_convert(NULL, STR(java), "json", NULL, refuse, NULL, NULL, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_convert(NULL, STR(java), "folded", NULL, refuse, NULL, NULL, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_printer_open("json", NULL, refuse, NULL, &printer, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_printer_open("plain", NULL, refuse, NULL, &printer, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_trace_parse(STR(java), NULL, &list, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_printer_trace(printer, STR(java), list.traces, 1, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_printer_trace(printer, STR(java), list.traces, 1, &error), FRAMEMAP_E_IO);
    assert_string_equal(error.message, "an earlier call on this printer failed");
    assert_int_equal(framemap_printer_close(printer, NULL, &closing), FRAMEMAP_E_IO);
    framemap_trace_list_free(&list);
}

static void bad_arguments(void **state)
{
    framemap_error error = {0};
    framemap_printer *printer = NULL;
    struct fm_buf out;
    (void)state;
    new_buf(&out);
    assert_int_equal(framemap_convert(NULL, STR("x"), "yaml", NULL, gather, &out, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_string_equal(error.message, "there is no format \"yaml\" that is written");
    assert_int_equal(framemap_convert(NULL, STR("x"), NULL, NULL, gather, &out, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_convert(NULL, STR("x"), "json", NULL, NULL, NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    const framemap_convert_options no_format = {.size = sizeof no_format, .from = "yaml"};
    assert_int_equal(framemap_convert(NULL, STR("x"), "json", &no_format, gather, &out, NULL, &error),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_printer_open("yaml", NULL, gather, &out, &printer, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_printer_open("go", NULL, gather, &out, &printer, &error), FRAMEMAP_E_UNSUPPORTED);
    assert_int_equal(framemap_printer_open("json", NULL, NULL, NULL, &printer, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_printer_trace(NULL, STR("x"), NULL, 0, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_printer_close(NULL, NULL, &error), FRAMEMAP_OK);
    fm_buf_free(&out);
}

/* --- memory --- */

static bool swallow(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return true;
}

static bool print_once(const framemap_allocator *allocator, void *format)
{
    const framemap_printer_options options = {.size = sizeof options, .allocator = allocator};
    framemap_trace_list list = {0};
    framemap_printer *printer = NULL;
    framemap_error error = {0};
    assert_int_equal(framemap_trace_parse(STR(java), NULL, &list, NULL), FRAMEMAP_OK);
    framemap_status status = framemap_printer_open(format, &options, swallow, NULL, &printer, &error);
    if (!status) status = framemap_printer_trace(printer, STR(java), list.traces, list.count, &error);
    const framemap_status closed = framemap_printer_close(printer, NULL, status ? NULL : &error);
    framemap_trace_list_free(&list);
    return !status && !closed;
}

static void lack_of_memory(void **state)
{
    static char json[] = "json-document", plain[] = "plain";
    (void)state;
    sweep_allocations(print_once, json);
    sweep_allocations(print_once, plain);
}

/* Converts a profile to stacks. Each distinct stack is written once, even if its samples have different times. */
static void stacks_once(void **state)
{
    static const char profile[] = "{\"version\":\"1\",\"profile\":{\"frames\":[{\"function\":\"once\"},{\"function\":"
                                  "\"main\"}],\"stacks\":[[0,1]],"
                                  "\"samples\":[{\"stack_id\":0,\"thread_id\":\"1\",\"elapsed_since_start_ns\":\"5\"},"
                                  "{\"stack_id\":0,\"thread_id\":\"1\",\"elapsed_since_start_ns\":\"9\"}]}}";
    struct fm_buf out;
    (void)state;
    fm_buf_init(&out, &heap);
    const framemap_convert_summary summary = convert(profile, "plain", &out);
    assert_int_equal(summary.restore.traces, 1);
    assert_true(summary.lost & FRAMEMAP_PART_TIMES);
    const size_t first = fm_str_find(fm_buf_view(&out), FM_STR("once"));
    assert_int_not_equal(first, FM_NOT_FOUND);
    assert_int_equal(fm_str_find(fm_str_from(fm_buf_view(&out), first + 1), FM_STR("once")), FM_NOT_FOUND);
    fm_buf_free(&out);
}

/* At each event, the stack contains all methods that were entered and not left, so the output would grow with the
 * square of the input's size. The conversion is refused before anything is written. */
static void deep_stacks(void **state)
{
    struct fm_buf text, out;
    framemap_error error = {0};
    (void)state;
    fm_buf_init(&text, &heap);
    fm_buf_init(&out, &heap);
    fm_buf_str(
        &text,
        FM_STR("{\"profile\":{\"clock\":\"Global\",\"methods\":[{\"id\":1,\"class_name\":\"a.B\",\"name\":\"c\"}],"
               "\"events\":["));
    for (int i = 1; i <= 16000; i++)
        fm_buf_printf(&text,
                      "%s{\"action\":\"Enter\",\"thread_id\":1,\"method_id\":1,\"time\":{\"global\":{\"secs\":%d}}}",
                      i > 1 ? "," : "", i);
    fm_buf_str(&text, FM_STR("]}}"));
    assert_int_equal(framemap_convert(NULL, fm_buf_view(&text), "json", NULL, gather, &out, NULL, &error),
                     FRAMEMAP_E_LIMIT);
    assert_non_null(strstr(error.message, "too deep"));
    assert_true(out.size < 1000);
    fm_buf_free(&text);
    fm_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_target),        cmocka_unit_test(what_is_lost),       cmocka_unit_test(names_of_parts),
        cmocka_unit_test(one_document),        cmocka_unit_test(plain_rows),         cmocka_unit_test(binary_profiles),
        cmocka_unit_test(text_like_a_profile), cmocka_unit_test(printer_is_convert), cmocka_unit_test(refused_output),
        cmocka_unit_test(bad_arguments),       cmocka_unit_test(lack_of_memory),     cmocka_unit_test(stacks_once),
        cmocka_unit_test(deep_stacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
