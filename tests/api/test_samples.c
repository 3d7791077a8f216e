/* Tests the public calls on sets of samples: reading each format, querying a set, round trips through each format that
 * can be written and read, texts in pieces, and failures. */
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

static framemap_sample_set *open_set(void)
{
    framemap_sample_set *set = NULL;
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    return set;
}

static framemap_sample_set *read_set(framemap_str text, const char *format)
{
    framemap_sample_set *set = open_set();
    framemap_error error = {0};
    const framemap_status status = framemap_sample_set_read(set, text, format, &error);
    if (status) print_message("%s\n", error.message);
    assert_int_equal(status, FRAMEMAP_OK);
    return set;
}

static void write_set(framemap_sample_set *set, const char *format, struct fm_buf *out)
{
    framemap_error error = {0};
    const framemap_status status = framemap_sample_set_write(set, format, gather, out, NULL, &error);
    if (status) print_message("%s\n", error.message);
    assert_int_equal(status, FRAMEMAP_OK);
}

static struct fm_heap heap;

static void new_buf(struct fm_buf *buf)
{
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(buf, &heap);
}

static void assert_text(const struct fm_buf *buf, const char *expected)
{
    assert_int_equal(buf->failed, false);
    const bool equal = fm_str_equal(fm_buf_view(buf), STR(expected));
    if (!equal) print_message("%.*s\n", (int)buf->size, buf->size ? buf->data : "");
    assert_true(equal);
}

/* --- reading each format --- */

#define PERF                                                                 \
    "# a comment\n"                                                          \
    "my comm  12/13 [002] 6544038.708352:    1001001 cycles:u:\n"            \
    "\t    7f5a1c0a1b2c main+0x1c (/usr/bin/app)\n"                          \
    "\t    7f5a1c0a0000 __libc_start_main+0xf3 (/usr/lib/libc.so.6)\n"       \
    "\n"                                                                     \
    "my comm  12/14 [002] 6544038.709352:    1001001 cycles:u:\n"            \
    "\t            1149 inner (inlined)\n"                                   \
    "\t    7f5a1c0a1b30 f(int, char) (.cold)+0x3 (/usr/bin/app (deleted))\n" \
    "  a.c:7\n"                                                              \
    "\tffffffff81000000 [unknown] ([kernel.kallsyms])\n"                     \
    "\t    7f5a1c0a1b2f [unknown] ([unknown])\n"                             \
    "\n"

static const struct {
    const char *name, *text, *folded;
} texts[] = {
    {"perf script", PERF,
     "my comm;0x7f5a1c0a1b2f;[kernel.kallsyms];f(int, char) (.cold);inner 1\nmy comm;__libc_start_main;main 1\n"},
    {"perf script without a time (-F comm,pid,tid,event,ip,sym,dso)",
     "a 1  5/6 cycles:\n\t  1234 f (/a)\n\t  1238 main (/a)\n\na 1  5/6 cycles:\n\t  1235 f (/a)\n\t  1238 main (/a)\n",
     "a 1;main;f 2\n"},
    {"the name of the program alone (-F comm,ip,sym)", "java\n\t  1234 f (/a)\n\n", "java;f 1\n"},
    {"no event lines (-F ip,sym,dso)", "\t  1234 f (/a)\n\t  1238 main (/a)\n\n\t  1234 f (/a)\n\n", "f 1\nmain;f 1\n"},
    {"offsets in files (-F +dsoff)",
     "a  5 [000]  1.000000: cycles: \n\t 7f5a [unknown] (/lib/a.so+0x5a)\n\t 7f5b f (/a+0x5b)\n\n", "a;f;[a.so] 1\n"},
    {"an event without a call chain",
     "a  5 [000]  1.000000: cycles:  7f5a f+0x1 (/a)\na  5 [000]  1.000001: cycles:  7f5b g (/a)\n", "a;f 1\na;g 1\n"},
    {"without call chains, names are padded; one may be a hexadecimal number",
     "              dd  9481 27202.743784:    2000000 cpu-clock:  ffffffff81d33db7 read_zero+0x37 ([kernel.kallsyms])\n"
     "              dd  9481/9482 [003] 27202.745795:    2000000 cpu-clock:      556c86c77301 f (/usr/bin/dd)\n"
     "            beef  9481 27202.745796: PERF_RECORD_MMAP2 9481/9481: [0x1000(0x1000) @ 0 08:01 5 0]: r-xp /a\n"
     "              ed  9481 27202.745797: cpu-clock:      556c86c77301 f (/usr/bin/dd)\n"
     "         my comm  9481 27202.745798: cpu-clock:      556c86c77301 g (/usr/bin/dd)\n",
     "dd;f 1\ndd;read_zero 1\ned;f 1\nmy comm;g 1\n"},
    {"the same without modules, then without times",
     "              dd  9481 1.000001: cpu-clock:  ffffffff81d33db7 g (/a)\n"
     "              dd  9481 1.000002: cpu-clock:  ffffffff81d33db7 g\n"
     "              dd  9481 [001] 2000 cpu-clock:  7f5a1c0a f (/a)\n              dd  9481 cpu-clock:  7f5a1c0a h\n",
     "dd;f 1\ndd;g 2\ndd;h 1\n"},
    {"mapped files are no samples",
     "a  5/5  0.000000: PERF_RECORD_MMAP2 5/5: [0x1000(0x1000) @ 0 08:01 5 0]: r-xp /a\n" PERF,
     "my comm;0x7f5a1c0a1b2f;[kernel.kallsyms];f(int, char) (.cold);inner 1\nmy comm;__libc_start_main;main 1\n"},
    {"rows whose indent was lost",
     "java 19983 cycles:\nffffffff8103d0ca f ([kernel.kallsyms])\nffffffff810275f1 main (/a)\n\n", "java;main;f 1\n"},
    {"an empty line between an event and its rows", "a 5 1.000000: cycles:\n\n\t  1234 f (/a)\n\n", "a;f 1\n"},
    {"events without rows", "a 5 1.000000: cycles:\n\nb 5 1.000000: cycles:\n\n\n\t 1234 f (/a)\n", "a 1\nb 1\n"},
    {"a byte order mark",
     "\xEF\xBB\xBF"
     "a;b;c 3\na;b 2\n",
     "a;b 2\na;b;c 3\n"},
    {"the order of lines is that of their bytes", "a;b 1\na!;c 2\na 3\na!b 4\na;b;c 5\na;b!;c 6\n",
     "a 3\na!;c 2\na!b 4\na;b 1\na;b!;c 6\na;b;c 5\n"},
    {"folded", "a;b;c 3\na;b 2\na;b;c 1\n", "a;b 2\na;b;c 4\n"},
    {"marks of async-profiler", "java;a/b.c_[j];sys_read_[k] 7\n", "java;a/b.c_[j];sys_read_[k] 7\n"},
    {"blanks and digits in names", "a;operator new (int);b 12 x 5\n", "a;operator new (int);b 12 x 5\n"},
    {"fractions are rounded", "a;b 1.5\na;c 0.25\na;c 7\n", "a;b 2\na;c 7\n"},
    {"what rounding takes from a stack is given to the next", "a;b 0.4\na;b 0.4\na;c 0.4\na;c 0.4\n", "a;b 1\na;c 1\n"},
    {"counts that are too large", "a;b 99999999999999999999\na;c 1\n", "a;b 9223372036854775807\na;c 1\n"},
    {"a second count is another recording", "a;b 1 9\na;c 2 8\n", "a;b 1\na;c 2\n"},
    {"a comment, an empty line, a line without a count", "# x\na;b 1\n\nnothing\n", "a;b 1\n"},
    {"speedscope, sampled",
     "{\"$schema\":\"https://www.speedscope.app/"
     "file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"}]},"
     "\"profiles\":[{\"type\":\"sampled\",\"name\":\"t\",\"unit\":\"milliseconds\",\"startValue\":0,\"endValue\":3,"
     "\"samples\":[[0,1],[0]],\"weights\":[2.5,1e-3]}]}",
     "a 1000\na;b 2500000\n"},
    {"speedscope, evented",
     "{\"$schema\":\"https://www.speedscope.app/"
     "file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"}]},"
     "\"profiles\":[{\"type\":\"evented\",\"name\":\"t\",\"unit\":\"none\",\"startValue\":0,\"endValue\":9,\"events\":["
     "{\"type\":\"O\",\"frame\":0,\"at\":1},{\"type\":\"O\",\"frame\":1,\"at\":3},{\"type\":\"C\",\"frame\":1,\"at\":7}"
     ","
     "{\"type\":\"C\",\"frame\":0,\"at\":9}]}]}",
     "a 4\na;b 4\n"},
    {"other stacks are one sample each", "Error: x\n    at f (/a/b.js:1:2)\n    at main (/a/b.js:3:4)\n", "main;f 1\n"},
    {"no stacks", "nothing at all\n", ""},
    {"an empty text", "", ""},
};

static void test_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fm_buf out;
        framemap_sample_set *set = read_set(STR(texts[i].text), NULL);
        new_buf(&out);
        print_message("%s\n", texts[i].name);
        write_set(set, "folded", &out);
        assert_text(&out, texts[i].folded);
        fm_buf_free(&out);
        framemap_sample_set_close(set);
    }
}

/* A text that is fed in pieces of any size gives the same set as the whole text. */
static void test_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const framemap_str text = STR(texts[i].text);
        for (size_t piece = 1; piece < 40; piece += 6) {
            struct fm_buf out;
            framemap_sample_set *set = open_set();
            for (size_t at = 0; at < text.size; at += piece) {
                const framemap_str part = {text.data + at, text.size - at < piece ? text.size - at : piece};
                assert_int_equal(framemap_sample_set_feed(set, part, NULL, NULL), FRAMEMAP_OK);
            }
            assert_int_equal(framemap_sample_set_finish(set, NULL, NULL), FRAMEMAP_OK);
            new_buf(&out);
            write_set(set, "folded", &out);
            assert_text(&out, texts[i].folded);
            fm_buf_free(&out);
            framemap_sample_set_close(set);
        }
    }
}

/* Tests a long text that arrives by lines, so that its format is decided before its end. */
static void test_long_pieces(void **state)
{
    (void)state;
    framemap_sample_set *set = open_set();
    struct fm_buf out;
    for (unsigned i = 0; i < 20000; i++)
        assert_int_equal(framemap_sample_set_feed(set, STR("main;f;g 1\nmain;h"), NULL, NULL) ||
                             framemap_sample_set_feed(set, STR(" 2\n"), NULL, NULL),
                         FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_finish(set, NULL, NULL), FRAMEMAP_OK);
    framemap_sample_counts counts;
    framemap_sample_set_counts(set, &counts);
    assert_int_equal(counts.samples, 2);
    assert_int_equal(counts.nodes, 4);
    new_buf(&out);
    write_set(set, "folded", &out);
    assert_text(&out, "main;f;g 20000\nmain;h 40000\n");
    fm_buf_free(&out);
    framemap_sample_set_close(set);
}

/* Feeds a text in pieces. */
static framemap_sample_set *fed_set(framemap_str text, size_t piece)
{
    framemap_sample_set *set = open_set();
    for (size_t at = 0; at < text.size; at += piece) {
        const framemap_str part = {text.data + at, text.size - at < piece ? text.size - at : piece};
        assert_int_equal(framemap_sample_set_feed(set, part, NULL, NULL), FRAMEMAP_OK);
    }
    assert_int_equal(framemap_sample_set_finish(set, NULL, NULL), FRAMEMAP_OK);
    return set;
}

/* Tests flame graphs of weights that are negative, or too large for their sum. */
static void test_flame_weights(void **state)
{
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"a\"},"
         "{\"name\":\"b\"},{\"name\":\"c\"}]},\"profiles\":[{\"type\":\"sampled\",\"unit\":\"none\",\"startValue\":0,"
         "\"endValue\":3,\"samples\":[[0,1],[0,2]],\"weights\":[-5,90]}]}",
         "c (90 samples, 100%)</title><rect x=\"0\""},
        {"a;b 9223372036854775807\na;c 9223372036854775807\na;d 9\n",
         "c (9223372036854775807 samples, 100%)</title><rect x=\"1200\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fm_buf out;
        framemap_sample_set *set = read_set(STR(rows[i].text), NULL);
        new_buf(&out);
        write_set(set, "flamegraph", &out);
        assert_int_not_equal(fm_str_find(fm_buf_view(&out), STR(rows[i].part)), FM_NOT_FOUND);
        fm_buf_free(&out);
        framemap_sample_set_close(set);
    }
}

/* Tests folded stacks whose first line is longer than the start of a text that is used to detect the format. */
static void test_long_first_line(void **state)
{
    (void)state;
    struct fm_buf text, out;
    new_buf(&text);
    new_buf(&out);
    for (unsigned i = 0; i < 20000; i++) fm_buf_printf(&text, "%sfunction_%u", i ? ";" : "", i);
    fm_buf_str(&text, STR(" 7\na;b 1\n"));
    assert_true(text.size > 200000);
    for (size_t piece = 1000; piece <= text.size; piece *= 300) {
        framemap_sample_set *set = fed_set(fm_buf_view(&text), piece);
        fm_buf_clear(&out);
        write_set(set, "folded", &out);
        assert_true(fm_str_ends(fm_buf_view(&out), STR(" 7\n")));
        assert_true(fm_str_starts(fm_buf_view(&out), STR("a;b 1\nfunction_0;function_1;")));
        framemap_sample_set_close(set);
    }
    fm_buf_free(&text);
    fm_buf_free(&out);
}

static void test_utf16(void **state)
{
    (void)state;
    static const char plain[] = "a;b;c 3\na;b 2\n", bytes[] = "\xFF\xFE\xFE\xFF";
    for (unsigned big = 0; big < 2; big++) {
        struct fm_buf text, out;
        new_buf(&text);
        new_buf(&out);
        fm_buf_add(&text, bytes + (size_t)2 * big, 2);
        for (const char *at = plain; *at; at++) {
            if (big) fm_buf_byte(&text, '\0');
            fm_buf_byte(&text, *at);
            if (!big) fm_buf_byte(&text, '\0');
        }
        framemap_sample_set *set = fed_set(fm_buf_view(&text), 5);
        write_set(set, "folded", &out);
        assert_text(&out, "a;b 2\na;b;c 3\n");
        framemap_sample_set_close(set);
        fm_buf_free(&text);
        fm_buf_free(&out);
    }
}

/* --- testing queries of what a set contains --- */

static void test_questions(void **state)
{
    (void)state;
    framemap_sample_set *set = read_set(STR(PERF), "perf-script");
    framemap_sample_counts counts;
    framemap_sample sample;
    framemap_sample_type type;
    framemap_sample_frame frame;
    uint32_t parent, number;
    framemap_sample_set_counts(set, &counts);
    assert_int_equal(counts.types, 2);
    assert_int_equal(counts.samples, 2);
    assert_int_equal(counts.parts, FRAMEMAP_PART_MODULES | FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_INLINED |
                                       FRAMEMAP_PART_TIMES | FRAMEMAP_PART_THREADS | FRAMEMAP_PART_VALUES);
    assert_true(framemap_sample_set_type(set, 1, &type));
    assert_memory_equal(type.type.data, "cycles:u_event", 14);
    assert_memory_equal(type.unit.data, "count", 5);
    assert_false(framemap_sample_set_type(set, 2, &type));
    assert_true(framemap_sample_set_sample(set, 0, &sample));
    assert_int_equal(sample.value_count, 2);
    assert_int_equal(sample.values[1], 1001001);
    assert_true(sample.has_time);
    assert_int_equal(sample.time_ns, INT64_C(6544038708352000));
    assert_int_equal(sample.thread.process_id, 12);
    assert_int_equal(sample.thread.thread_id, 13);
    assert_true(framemap_sample_set_node(set, sample.node, &parent, &number));
    assert_true(framemap_sample_set_frame(set, number, &frame));
    assert_memory_equal(frame.function.data, "main", 4);
    assert_memory_equal(frame.module.data, "/usr/bin/app", 12);
    assert_int_equal(frame.address, UINT64_C(0x7f5a1c0a1b2c));
    assert_false(frame.return_address);
    assert_true(framemap_sample_set_node(set, parent, &parent, &number));
    assert_int_equal(parent, FRAMEMAP_NO_NODE);
    assert_true(framemap_sample_set_frame(set, number, &frame));
    assert_true(frame.return_address);
    assert_false(framemap_sample_set_sample(set, 2, &sample));
    assert_false(framemap_sample_set_label(set, 0, 0, &(framemap_sample_label){.number = 0}));
    framemap_sample_set_close(set);
}

static void test_added(void **state)
{
    (void)state;
    framemap_sample_set *set = open_set();
    const framemap_sample_frame frames[] = {{.function = STR("leaf"), .file = STR("a.c"), .line = 3},
                                            {.function = STR("main")}};
    const framemap_sample_type types[] = {{STR("cpu"), STR("nanoseconds")}, {STR("samples"), STR("count")}};
    const framemap_sample_label labels[] = {{.key = STR("route"), .text = STR("/x")},
                                            {.key = STR("size"), .number = 5, .unit = STR("bytes")}};
    const int64_t values[] = {10, 1};
    framemap_sample sample = {
        .frames = frames, .frame_count = 2, .values = values, .value_count = 2, .labels = labels, .label_count = 2};
    framemap_sample_label label;
    framemap_sample_counts counts;
    for (int i = 0; i < 3; i++) assert_int_equal(framemap_sample_set_add(set, types, &sample, NULL), FRAMEMAP_OK);
    framemap_sample_set_counts(set, &counts);
    assert_int_equal(counts.samples, 1); /* equal samples are merged into one */
    assert_true(framemap_sample_set_sample(set, 0, &sample));
    assert_int_equal(sample.values[0], 30);
    assert_int_equal(sample.label_count, 2);
    assert_true(framemap_sample_set_label(set, 0, 1, &label));
    assert_int_equal(label.number, 5);
    sample.value_count = 0;
    assert_int_equal(framemap_sample_set_add(set, types, &sample, NULL), FRAMEMAP_E_ARGUMENT);
    framemap_sample_set_close(set);
}

/* --- testing calls that fail --- */

static void test_refused(void **state)
{
    (void)state;
    framemap_sample_set *set = open_set();
    framemap_error error = {0};
    const framemap_sample_options bad = {.size = sizeof bad, .without = FRAMEMAP_PART_FILES};
    assert_int_equal(framemap_sample_set_open(&bad, &set, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sample_set_read(set, STR("a;b 1\n"), "yaml", &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sample_set_read(set, STR("a;b 1\n"), "flamegraph", &error), FRAMEMAP_E_UNSUPPORTED);
    assert_int_equal(framemap_sample_set_read(set, (framemap_str){"FLR\0\0\2", 6}, NULL, &error), FRAMEMAP_E_FORMAT);
    assert_non_null(strstr(error.message, "jfrconv"));
    assert_int_equal(framemap_sample_set_read(set, STR("{}"), "speedscope", &error), FRAMEMAP_E_FORMAT);
    assert_int_equal(framemap_sample_set_read(set, STR("{"), "speedscope", &error), FRAMEMAP_E_CORRUPT);
    assert_int_equal(framemap_sample_set_write(set, "perf-script", gather, NULL, NULL, &error), FRAMEMAP_E_UNSUPPORTED);
    assert_int_equal(framemap_sample_set_write(set, "yaml", gather, NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sample_set_read(set, STR("a;b 1\n"), NULL, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_write(set, "folded", refuse, NULL, NULL, &error), FRAMEMAP_E_IO);
    framemap_sample_set_close(set);
    framemap_sample_set_close(NULL);
}

struct budget {
    size_t left;
};

static void *limited(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct budget *budget = context;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    if (budget->left == 0) return NULL;
    budget->left--;
    return realloc(ptr, new_size);
}

/* Each allocation fails once: the result is MEMORY or the complete output. */
static void test_allocations(void **state)
{
    (void)state;
    static const char *const outputs[] = {"folded",          "speedscope",   "pprof",
                                          "firefox-profile", "chrome-trace", "flamegraph"};
    bool done = false;
    for (size_t fail = 0; !done && fail < 2000; fail++) {
        struct budget budget = {fail};
        const framemap_allocator allocator = {limited, &budget};
        const framemap_sample_options options = {.size = sizeof options, .allocator = &allocator};
        framemap_sample_set *set = NULL;
        framemap_status status = framemap_sample_set_open(&options, &set, NULL);
        struct fm_buf out;
        new_buf(&out);
        if (!status) status = framemap_sample_set_read(set, STR(PERF), NULL, NULL);
        for (size_t i = 0; i < sizeof outputs / sizeof *outputs && !status; i++)
            status = framemap_sample_set_write(set, outputs[i], gather, &out, NULL, NULL);
        assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
        done = status == FRAMEMAP_OK;
        fm_buf_free(&out);
        framemap_sample_set_close(set);
    }
    assert_true(done);
}

static void test_ceiling(void **state)
{
    (void)state;
    const framemap_sample_options options = {.size = sizeof options, .max_memory = 300 << 10};
    framemap_sample_set *set = NULL;
    framemap_error error = {0};
    framemap_status status = framemap_sample_set_open(&options, &set, &error);
    char line[32];
    for (unsigned i = 0; i < 100000 && !status; i++) {
        snprintf(line, sizeof line, "main;f%u;g 1\n", i);
        status = framemap_sample_set_feed(set, STR(line), NULL, &error);
    }
    assert_int_equal(status, FRAMEMAP_E_MEMORY);
    assert_non_null(strstr(error.message, "over-memory"));
    framemap_sample_set_close(set);
}

/* --- writing and reading again --- */

/* Writes one line for each sample of a set. The order of the lines depends only on the contents of the set. */
static void describe(const framemap_sample_set *set, struct fm_buf *out)
{
    framemap_sample_counts counts;
    framemap_sample sample;
    framemap_sample_frame frame;
    framemap_sample_type type;
    framemap_sample_set_counts(set, &counts);
    for (uint32_t i = 0; framemap_sample_set_sample(set, i, &sample); i++) {
        for (uint32_t t = 0; framemap_sample_set_type(set, t, &type); t++)
            fm_buf_printf(out, "%.*s/%.*s=%lld ", (int)type.type.size, type.type.data, (int)type.unit.size,
                          type.unit.data, (long long)sample.values[t]);
        uint32_t node = sample.node, number = 0;
        while (framemap_sample_set_node(set, node, &node, &number)) {
            assert_true(framemap_sample_set_frame(set, number, &frame));
            fm_buf_printf(out, "<- %.*s %.*s:%u:%u ", (int)frame.function.size, frame.function.data,
                          (int)frame.file.size, frame.file.data, frame.line, frame.column);
        }
        if (sample.has_thread)
            fm_buf_printf(out, "%.*s %llu %.*s %llu", (int)sample.thread.process.size, sample.thread.process.data,
                          (unsigned long long)sample.thread.process_id, (int)sample.thread.name.size,
                          sample.thread.name.data, (unsigned long long)sample.thread.thread_id);
        fm_buf_byte(out, '\n');
    }
}

/* Checks a round trip: a set that is written and read equals the original set, and gives the same bytes when it is
 * written again. */
static void round_trip(const char *text, const char *format)
{
    struct fm_buf first, second, one, two;
    framemap_sample_set *set = read_set(STR(text), NULL);
    new_buf(&first);
    new_buf(&second);
    new_buf(&one);
    new_buf(&two);
    write_set(set, format, &first);
    framemap_sample_set *again = read_set(fm_buf_view(&first), format);
    write_set(again, format, &second);
    /* pprof loses nothing, but after reading, its tables may be in another order */
    const bool whole = strcmp(format, "pprof") == 0;
    if (!whole) {
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
    }
    framemap_sample_counts counts;
    framemap_sample_set_counts(set, &counts);
    const bool held = whole || (strcmp(format, "speedscope") == 0 &&
                                (counts.parts & (FRAMEMAP_PART_TIMES | FRAMEMAP_PART_MODULES)) == 0);
    if (held) {
        describe(set, &one);
        describe(again, &two);
        assert_int_equal(one.size, two.size);
        assert_memory_equal(one.data, two.data, one.size);
    }
    framemap_sample_set_close(set);
    framemap_sample_set_close(again);
    fm_buf_free(&first);
    fm_buf_free(&second);
    fm_buf_free(&one);
    fm_buf_free(&two);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const char *const formats[] = {"folded", "speedscope", "pprof"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
            if (texts[i].folded[0]) round_trip(texts[i].text, formats[f]);
}

/* Tests weights below zero: a format that cannot express them leaves the samples out, and this is reported. */
static void test_negative(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        bool holds;
    } cases[] = {{"folded", false}, {"speedscope", false},     {"flamegraph", false},
                 {"pprof", true},   {"firefox-profile", true}, {"chrome-trace", true}};
    const framemap_sample_type type = {{"space", 5}, {"bytes", 5}};
    const framemap_sample_frame frames[] = {{.function = {"f", 1}}, {.function = {"g", 1}}};
    const int64_t values[] = {5, -3};
    framemap_sample_set *set = NULL;
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < 2; i++) {
        const framemap_sample sample = {.frames = &frames[i], .frame_count = 1, .values = &values[i], .value_count = 1};
        assert_int_equal(framemap_sample_set_add(set, &type, &sample, NULL), FRAMEMAP_OK);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fm_buf out;
        uint32_t lost = 0;
        new_buf(&out);
        assert_int_equal(framemap_sample_set_write(set, cases[i].format, gather, &out, &lost, NULL), FRAMEMAP_OK);
        assert_int_equal((lost & FRAMEMAP_PART_NEGATIVE) == 0, cases[i].holds);
        if (i < 3) assert_true(fm_str_find(fm_buf_view(&out), FM_STR("-3")) == FM_NOT_FOUND);
        if (cases[i].holds) {
            framemap_sample_set *again = NULL;
            framemap_sample sample;
            int64_t sum = 0;
            assert_int_equal(framemap_sample_set_open(NULL, &again, NULL), FRAMEMAP_OK);
            assert_int_equal(framemap_sample_set_read(again, fm_buf_view(&out), NULL, NULL), FRAMEMAP_OK);
            for (uint32_t n = 0; framemap_sample_set_sample(again, n, &sample); n++) sum += sample.values[0];
            assert_int_equal(sum, 2);
            framemap_sample_set_close(again);
        }
        fm_buf_free(&out);
    }
    assert_string_equal(framemap_sample_part_name(FRAMEMAP_PART_NEGATIVE), "negative weights");
    framemap_sample_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),       cmocka_unit_test(test_flame_weights),   cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_long_pieces), cmocka_unit_test(test_long_first_line), cmocka_unit_test(test_utf16),
        cmocka_unit_test(test_questions),   cmocka_unit_test(test_added),           cmocka_unit_test(test_refused),
        cmocka_unit_test(test_allocations), cmocka_unit_test(test_ceiling),         cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
