/* Converts stacks between each two formats that are both read and written, there and back. Parts that both formats can
 * express must stay the same. */
#include "tests/testing.h"

#include "core/text/buffer.h"
#include <framemap/framemap.h>

#define STR framemap_str_of
enum { FILES = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES, FRAMES = 3, STACKS = 2 };

/* Formats that are both read and written. */
static const struct format {
    const char *name;
    uint32_t needs; /* parts that a stack must have to be written in this format */
    bool in_image;  /* whether addresses are relative to an image, rather than addresses in the process */
    /* the source files that the parser accepts: 'j' files of Java, 's' scripts, 'd' files of Dart, 0 any file */
    char source;
} formats[] = {
    {"android-tombstone", FRAMEMAP_PART_MODULES | FRAMEMAP_PART_ADDRESSES, true, 0},
    {"backward", 0, false, 0},
    {"boost", 0, false, 0},
    {"coredump", FRAMEMAP_PART_MODULES | FRAMEMAP_PART_ADDRESSES, true, 0},
    {"dart-symbolic", FILES, false, 'd'},
    {"gdb", 0, false, 0},
    {"glog", FRAMEMAP_PART_ADDRESSES, false, 0},
    {"java", 0, false, 'j'},
    {"js-jsc", FILES | FRAMEMAP_PART_COLUMNS, false, 's'},
    {"js-spidermonkey", FILES | FRAMEMAP_PART_COLUMNS, false, 's'},
    {"js-v8", FILES | FRAMEMAP_PART_COLUMNS, false, 's'},
    {"lldb", FRAMEMAP_PART_ADDRESSES, false, 0},
    {"minidump-machine", FRAMEMAP_PART_MODULES, false, 0},
    {"sanitizer", FRAMEMAP_PART_ADDRESSES, true, 0},
    {"sentry", 0, false, 0},
    {"json", 0, true, 0},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static struct fm_heap heap;

static void new_buf(struct fm_buf *buf)
{
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(buf, &heap);
}

/* --- making the stacks that are converted --- */

struct stacks {
    framemap_frame frames[STACKS][FRAMES];
    framemap_trace traces[STACKS];
};

/* Whether a format can express a part of a trace, according to framemap_trace_lost. */
static bool says(const char *format, uint32_t part)
{
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE,
                            .index = -1,
                            .function = STR("f"),
                            .file = STR("a.c"),
                            .line = 1,
                            .column = 2,
                            .module = STR("m"),
                            .id = STR("0011223344556677"),
                            .has_address = true,
                            .has_load_address = true,
                            .address_kind = FRAMEMAP_ADDRESS_LINKED};
    const framemap_trace trace = {.frames = &frame,
                                  .frame_count = 1,
                                  .thread = STR("1"),
                                  .thread_id = STR("1"),
                                  .exception = STR("E: x"),
                                  .exception_type = STR("E")};
    assert_true((framemap_trace_parts(&trace) & part) != 0);
    return !(framemap_trace_lost(&trace, format) & part);
}

static const char *const *files_of(char source)
{
    static const char *const java[FRAMES] = {"Cart.java", "Total.java", "Shop.java"},
                             *const dart[FRAMES] = {"package:app/cart.dart", "dart:core", "file:///shop.dart"},
                             *const script[FRAMES] = {"/src/cart.js", "src/total.ts", "http://h/shop.js"};
    return source == 'd' ? dart : source == 's' ? script : java;
}

static void make_frame(framemap_frame *frame, size_t number, const struct format *a, const struct format *b)
{
    const char *const to = a->name, *const over = b->name;
    static const char *const names[FRAMES] = {"Cart.add", "Cart.total", "Shop.main"};
    *frame = (framemap_frame){.kind = FRAMEMAP_KIND_OTHER, .index = -1, .function = STR(names[number])};
    frame->file = STR(files_of(a->source ? a->source : b->source)[number]);
    frame->line = (uint32_t)number * 10 + 7;
    if (says(to, FRAMEMAP_PART_COLUMNS) && says(over, FRAMEMAP_PART_COLUMNS)) frame->column = (uint32_t)number + 3;
    if (!says(to, FRAMEMAP_PART_ADDRESSES) || !says(over, FRAMEMAP_PART_ADDRESSES)) return;
    if (a->in_image != b->in_image) return;
    frame->has_address = true;
    frame->address = number * 0x100 + 0x1344;
    frame->address_kind = a->in_image ? FRAMEMAP_ADDRESS_LINKED : FRAMEMAP_ADDRESS_ABSOLUTE;
    if (says(to, FRAMEMAP_PART_MODULES) && says(over, FRAMEMAP_PART_MODULES)) frame->module = STR("libapp.so");
    /* a report of Sentry has an id only for an image whose load address is known */
    if (strcmp(to, "sentry") == 0 || strcmp(over, "sentry") == 0) return;
    if (says(to, FRAMEMAP_PART_IDS) && says(over, FRAMEMAP_PART_IDS)) frame->id = STR("00112233445566778899aabb");
}

static void make(struct stacks *stacks, const struct format *a, const struct format *b)
{
    const char *const to = a->name, *const over = b->name;
    memset(stacks, 0, sizeof *stacks);
    for (size_t t = 0; t < STACKS; t++) {
        framemap_trace *trace = &stacks->traces[t];
        trace->number = trace->report = t;
        trace->frames = stacks->frames[t];
        trace->frame_count = FRAMES;
        for (size_t f = 0; f < FRAMES; f++) make_frame(&stacks->frames[t][f], (f + t) % FRAMES, a, b);
        if (says(to, FRAMEMAP_PART_THREADS) && says(over, FRAMEMAP_PART_THREADS))
            trace->thread = trace->thread_id = t ? STR("12") : STR("11");
        if (!says(to, FRAMEMAP_PART_EXCEPTIONS) || !says(over, FRAMEMAP_PART_EXCEPTIONS)) continue;
        const bool script = a->source == 's' || b->source == 's';
        trace->exception_type = script ? t ? STR("RangeError") : STR("TypeError")
                                : t ? STR("shop.Two")
                                       : STR("shop.One");
        trace->exception = script ? t ? STR("RangeError: two") : STR("TypeError: one")
                           : t ? STR("shop.Two: two")
                                  : STR("shop.One: one");
        trace->exception_message = t ? STR("two") : STR("one");
    }
}

/* --- comparing converted texts and stacks --- */

static void same(const char *what, const char *pair, framemap_str got, framemap_str want)
{
    if (fm_str_equal(got, want)) return;
    fail_msg("%s: %s: '%.*s' instead of '%.*s'", pair, what, (int)got.size, got.size ? got.data : "", (int)want.size,
             want.size ? want.data : "");
}

/* Returns the name as frame lines print it: "Class.method". */
static framemap_str name_of(const framemap_frame *frame, char *room)
{
    if (frame->class_name.size == 0) return frame->function;
    const size_t size = frame->class_name.size + 1 + frame->function.size;
    assert_true(size < 64);
    memcpy(room, frame->class_name.data, frame->class_name.size);
    room[frame->class_name.size] = '.';
    memcpy(room + frame->class_name.size + 1, frame->function.data, frame->function.size);
    return fm_str(room, size);
}

static void same_frame(const char *pair, const framemap_frame *got, const framemap_frame *want)
{
    char room[64];
    same("name", pair, name_of(got, room), want->function);
    same("file", pair, got->file, want->file);
    if (got->line != want->line) fail_msg("%s: line %u", pair, (unsigned)got->line);
    if (want->column && got->column != want->column) fail_msg("%s: column %u", pair, (unsigned)got->column);
    /* an event of Sentry has the address of the call, while a frame line has the return address */
    const bool as_call = strstr(pair, "sentry") && got->address + 1 == want->address;
    if (want->has_address && (!got->has_address || (got->address != want->address && !as_call)))
        fail_msg("%s: address %llx", pair, (unsigned long long)got->address);
    if (want->module.size) same("module", pair, got->module, want->module);
    if (want->id.size) same("id", pair, got->id, want->id);
}

static void same_traces(const char *pair, const framemap_trace_list *got, const struct stacks *want)
{
    if (got->count != STACKS) fail_msg("%s: %zu stacks", pair, got->count);
    for (size_t t = 0; t < STACKS; t++) {
        const framemap_trace *trace = &got->traces[t], *wanted = &want->traces[t];
        if (trace->frame_count != FRAMES) fail_msg("%s: %zu frames", pair, trace->frame_count);
        for (size_t f = 0; f < FRAMES; f++) {
            const size_t at = trace->outermost_first ? FRAMES - 1 - f : f;
            same_frame(pair, &trace->frames[at], &wanted->frames[f]);
        }
        if (wanted->thread_id.size) same("thread", pair, trace->thread_id, wanted->thread_id);
        if (wanted->exception_type.size == 0) continue;
        same("exception", pair, trace->exception_type, wanted->exception_type);
        same("message", pair, trace->exception_message, wanted->exception_message);
    }
}

/* --- converting there and back --- */

static void print(const char *pair, const char *format, framemap_str text, const framemap_trace *traces, size_t count,
                  struct fm_buf *out)
{
    framemap_error error = {0};
    if (framemap_trace_print(text, traces, count, format, gather, out, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", pair, error.message);
}

static void parse(const char *pair, const char *format, const struct fm_buf *text, framemap_trace_list *list)
{
    const bool is_event = strcmp(format, "sentry") == 0; /* the parser of events has another name than the format */
    const framemap_parse_options options = {.size = sizeof options, .format = is_event ? "sentry-event" : format};
    framemap_error error = {0};
    if (framemap_trace_parse(fm_buf_view(text), &options, list, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", pair, error.message);
}

/* Writes the stacks in the first format and reads them; then writes the result in the second format and reads it. The
 * stacks must be unchanged each time. Then writes them in the first format once more; the text must be the same as at
 * first. The texts are not compared if one of the formats is that of Sentry's events, which contain the addresses of
 * calls. */
static void round_trip(const struct format *first_format, const struct format *second_format)
{
    const char *over = first_format->name, *to = second_format->name;
    struct stacks stacks;
    struct fm_buf first, second, third;
    framemap_trace_list one = {0}, two = {0};
    char pair[64];
    snprintf(pair, sizeof pair, "%s over %s", to, over);
    new_buf(&first);
    new_buf(&second);
    new_buf(&third);
    make(&stacks, second_format, first_format);
    print(pair, over, STR(""), stacks.traces, STACKS, &first);
    parse(pair, over, &first, &one);
    same_traces(pair, &one, &stacks);
    print(pair, to, fm_buf_view(&first), one.traces, one.count, &second);
    parse(pair, to, &second, &two);
    same_traces(pair, &two, &stacks);
    print(pair, over, fm_buf_view(&second), two.traces, two.count, &third);
    /* JSON also contains the offset of each frame line in the text that was read, which is different */
    const bool places = strcmp(over, "json") == 0;
    if (!strstr(pair, "sentry") && !places) same("the text", pair, fm_buf_view(&third), fm_buf_view(&first));
    framemap_trace_list_free(&one);
    framemap_trace_list_free(&two);
    fm_buf_free(&first);
    fm_buf_free(&second);
    fm_buf_free(&third);
}

/* Whether stacks can be converted from the first format to the second and back. Both formats must express the parts
 * that the first one needs, and must have the same kind of addresses and of source files. */
static bool fits(const struct format *format, const struct format *other)
{
    if ((format->needs & FRAMEMAP_PART_ADDRESSES) && format->in_image != other->in_image) return false;
    if (format->source && other->source && format->source != other->source) return false;
    for (uint32_t bit = 1; bit; bit <<= 1)
        if ((format->needs & bit) && (!says(format->name, bit) || !says(other->name, bit))) return false;
    return true;
}

static void every_pair(void **state)
{
    size_t pairs = 0;
    (void)state;
    for (size_t a = 0; a < FORMATS; a++)
        for (size_t b = 0; b < FORMATS; b++) {
            if (!fits(&formats[a], &formats[b]) || !fits(&formats[b], &formats[a])) continue;
            round_trip(&formats[a], &formats[b]);
            pairs++;
        }
    print_message("%zu pairs\n", pairs);
    assert_true(pairs > FORMATS);
}

/* --- converting profiles between formats --- */

static void change(const char *pair, const struct fm_buf *text, const char *from, const char *to, struct fm_buf *out)
{
    const framemap_convert_options options = {.size = sizeof options, .from = from};
    framemap_error error = {0};
    fm_buf_clear(out);
    if (framemap_convert(NULL, fm_buf_view(text), to, &options, gather, out, NULL, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", pair, error.message);
}

/* Tests names and weights, which all formats of profiles have. */
static void every_pair_of_profiles(void **state)
{
    static const char folded[] = "main;f;g 3\nmain;h 4\n";
    size_t count, pairs = 0;
    const framemap_sample_format *const *rows = framemap_sample_format_list(&count);
    struct fm_buf first, one, two, back;
    (void)state;
    new_buf(&first);
    new_buf(&one);
    new_buf(&two);
    new_buf(&back);
    fm_buf_str(&first, STR(folded));
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            char pair[64];
            if (!rows[a]->reads || !rows[a]->writes || !rows[b]->reads || !rows[b]->writes) continue;
            snprintf(pair, sizeof pair, "%s over %s", rows[b]->name, rows[a]->name);
            change(pair, &first, "folded", rows[a]->name, &one);
            change(pair, &one, rows[a]->name, rows[b]->name, &two);
            change(pair, &two, rows[b]->name, "folded", &back);
            same("the stacks", pair, fm_buf_view(&back), STR(folded));
            pairs++;
        }
    assert_true(pairs >= 9);
    fm_buf_free(&first);
    fm_buf_free(&one);
    fm_buf_free(&two);
    fm_buf_free(&back);
}

/* Checks that the table `formats` contains every format that is both read and written. */
static void every_format(void **state)
{
    size_t count;
    const framemap_format_info *const *rows = framemap_format_list(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        bool any = !rows[i]->reads || !rows[i]->writes;
        for (size_t f = 0; f < FORMATS; f++) any = any || strcmp(formats[f].name, rows[i]->name) == 0;
        if (!any) fail_msg("%s is not in the table", rows[i]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_format), cmocka_unit_test(every_pair),
                                       cmocka_unit_test(every_pair_of_profiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
