/* Tests the outputs for other systems: events for Sentry, log records for OpenTelemetry, Markdown. */
#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"
#include "tests/testing.h"

static const framemap_frame chain[] = {{.function = {"inner(int)", 10},
                                        .symbol = {"_Z5inneri", 9},
                                        .file = {"src/a.cc", 8},
                                        .line = 7,
                                        .column = 3,
                                        .inlined = true,
                                        .context = {"one\n\ttwo\nthree\n", 15},
                                        .context_line = 6},
                                       {.function = {"outer()", 7},
                                        .symbol = {"_Z5outerv", 9},
                                        .file = {"/src/a.cc", 9},
                                        .line = 21,
                                        .has_function_offset = true,
                                        .function_offset = 0x10}};

/* Compares an output with `want`, in which "@" represents a quotation mark. */
static void check(const char *why, const char *output, framemap_trace *traces, size_t count, const char *want)
{
    struct fm_heap heap;
    struct fm_buf out;
    char quoted[8192];
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(fm_formats_print((framemap_str){NULL, 0}, traces, count, output, &heap, gather, &out, NULL),
                     FRAMEMAP_OK);
    const size_t size = strlen(want);
    assert_true(size < sizeof quoted);
    for (size_t i = 0; i <= size; i++) quoted[i] = want[i] == '@' ? '"' : want[i];
    same_text(why, output, fm_buf_view(&out), text_of(quoted));
    fm_buf_free(&out);
}

/* A crash with two frames: a restored frame, which is a return address in an image of the list, and a frame that was
 * not restored. */
static framemap_frame crash_frames[] = {{.kind = FRAMEMAP_KIND_NATIVE,
                                         .status = FRAMEMAP_FRAME_OK,
                                         .index = 0,
                                         .raw = {"#00 pc 1344  /data/libone.so (BuildId: 0011)", 44},
                                         .module = {"libone.so", 9},
                                         .module_path = {"/data/libone.so", 15},
                                         .id = {"00112233445566778899aabbccddeeff", 32},
                                         .has_address = true,
                                         .return_address = true,
                                         .address_kind = FRAMEMAP_ADDRESS_LINKED,
                                         .address = 0x1344,
                                         .restored = {chain, 2}},
                                        {.kind = FRAMEMAP_KIND_MARKER,
                                         .marker = FRAMEMAP_MARKER_SKIPPED,
                                         .status = FRAMEMAP_FRAME_NOT_NEEDED,
                                         .index = -1,
                                         .raw = {"... 3 frames", 12}},
                                        {.kind = FRAMEMAP_KIND_NATIVE,
                                         .status = FRAMEMAP_FRAME_UNKNOWN_IMAGE,
                                         .index = 1,
                                         .raw = {"#01 pc 20  f\x1b[31m", 17},
                                         .function = {"f\x1b[31m", 6},
                                         .has_address = true,
                                         .has_load_address = true,
                                         .load_address = 0x7000,
                                         .address_kind = FRAMEMAP_ADDRESS_IMAGE,
                                         .address = 0x20,
                                         .has_function_offset = true,
                                         .function_offset = 4}};

static framemap_trace crash_trace(void)
{
    return (framemap_trace){.format = FM_STR("android-tombstone"),
                            .thread = FM_STR("22"),
                            .crashed = true,
                            .signal = {.name = {"SIGSEGV", 7},
                                       .code_name = {"SEGV_MAPERR", 11},
                                       .has_number = true,
                                       .number = 11,
                                       .has_address = true},
                            .arch = FM_STR("arm64"),
                            .os = FM_STR("android"),
                            .line = 3,
                            .frames = crash_frames,
                            .frame_count = 3};
}

#define CRASH_ROWS(eol, at)                                                                                      \
    "SIGSEGV: SEGV_MAPERR at 0x0" eol "    at inner(int) (src/a.cc:7:3)" eol "    at outer() (/src/a.cc:21)" eol \
    "    ... 3 frames" eol "    #01 pc 20  f" at "x1b[31m" eol

static void test_crash(void **state)
{
    framemap_trace trace = crash_trace();
    (void)state;
    check("a crash", "markdown", &trace, 1,
          "### `SIGSEGV: SEGV_MAPERR at 0x0`\n\nthread `22` (crashed), `android`, `arm64`\n\n```text\n" CRASH_ROWS(
              "\n", "\\") "```\n\n");
    check("a crash", "otlp", &trace, 1,
          "{@resourceLogs@:[{@resource@:{@attributes@:[{@key@:@host.arch@,@value@:{@stringValue@:@arm64@}},"
          "{@key@:@os.name@,@value@:{@stringValue@:@android@}}]},@scopeLogs@:[{@scope@:{@name@:@framemap@,"
          "@version@:@" FRAMEMAP_VERSION_STRING "@},@logRecords@:[{@severityNumber@:21,@severityText@:@FATAL@,"
          "@body@:{@stringValue@:@SIGSEGV: SEGV_MAPERR at 0x0@},@attributes@:["
          "{@key@:@exception.type@,@value@:{@stringValue@:@SIGSEGV@}},"
          "{@key@:@exception.message@,@value@:{@stringValue@:@SEGV_MAPERR at 0x0@}},"
          "{@key@:@exception.stacktrace@,@value@:{@stringValue@:@" CRASH_ROWS(
              "\\n", "\\\\") "@}},"
                             "{@key@:@thread.id@,@value@:{@intValue@:@22@}},"
                             "{@key@:@framemap.format@,@value@:{@stringValue@:@android-tombstone@}},"
                             "{@key@:@framemap.trace@,@value@:{@intValue@:@0@}},"
                             "{@key@:@framemap.report@,@value@:{@intValue@:@0@}}]}]}]}]}\n");
    check("a crash", "sentry", &trace, 1,
          "{@platform@:@native@,@level@:@fatal@,@exception@:{@values@:[{@type@:@SIGSEGV@,"
          "@value@:@SEGV_MAPERR at 0x0@,@thread_id@:@22@,@mechanism@:{@type@:@signalhandler@,@handled@:false,"
          "@meta@:{@signal@:{@number@:11,@name@:@SIGSEGV@,@code_name@:@SEGV_MAPERR@}}},@stacktrace@:{@frames@:["
          "{@function@:@f\\u001b[31m@,@instruction_addr@:@0x7020@,@symbol_addr@:@0x701c@,@image_addr@:@0x7000@},"
          "{@function@:@outer()@,@symbol@:@_Z5outerv@,@package@:@/data/libone.so@,@filename@:@/src/a.cc@,"
          "@abs_path@:@/src/a.cc@,@lineno@:21,@instruction_addr@:@0x1343@,@addr_mode@:@rel:0@},"
          "{@function@:@inner(int)@,@symbol@:@_Z5inneri@,@package@:@/data/libone.so@,@filename@:@src/a.cc@,"
          "@lineno@:7,@colno@:3,@pre_context@:[@one@],@context_line@:@\\ttwo@,@post_context@:[@three@],"
          "@instruction_addr@:@0x1343@,@addr_mode@:@rel:0@}],@instruction_addr_adjustment@:@none@}}]},"
          "@threads@:{@values@:[{@id@:@22@,@crashed@:true,@current@:true}]},"
          "@debug_meta@:{@images@:[{@type@:@elf@,@code_file@:@/data/libone.so@,"
          "@debug_id@:@33221100-5544-7766-8899-aabbccddeeff@,@code_id@:@00112233445566778899aabbccddeeff@}]},"
          "@contexts@:{@os@:{@name@:@android@},@device@:{@arch@:@arm64@}},"
          "@extra@:{@framemap@:{@format@:@android-tombstone@,@trace@:0,@report@:0,@line@:3}}}\n");
}

/* --- testing which traces form one event --- */

static framemap_frame java_frame = {.kind = FRAMEMAP_KIND_JAVA,
                                    .status = FRAMEMAP_FRAME_NOT_NEEDED,
                                    .index = -1,
                                    .raw = {"at a.B.c(B.java:1)", 18},
                                    .class_name = {"a.B", 3},
                                    .function = {"c", 1},
                                    .file = {"B.java", 6},
                                    .line = 1};

static framemap_trace java_trace(uint64_t number, const char *type, const char *thread)
{
    return (framemap_trace){.format = FM_STR("java"),
                            .number = number,
                            .exception = text_of(type),
                            .exception_type = text_of(type),
                            .thread = text_of(thread),
                            .frames = &java_frame,
                            .frame_count = 1};
}

#define STACK                                                                                  \
    "@stacktrace@:{@frames@:[{@module@:@a.B@,@function@:@c@,@filename@:@B.java@,@lineno@:1}]," \
    "@instruction_addr_adjustment@:@none@}"
#define EXTRA(n) "@extra@:{@framemap@:{@format@:@java@,@trace@:" #n ",@report@:0}}}\n"
#define JAVA "{@platform@:@java@,@level@:@error@,"

#define TEXT(key, text) "{@key@:@" key "@,@value@:{@stringValue@:@" text "@}},"
#define RECORD(type, rows, threads, n)                                                                                 \
    "{@resourceLogs@:[{@resource@:{@attributes@:[]},@scopeLogs@:[{@scope@:{@name@:@framemap@,"                         \
    "@version@:@" FRAMEMAP_VERSION_STRING "@},@logRecords@:[{@severityNumber@:17,@severityText@:@ERROR@,"              \
    "@body@:{@stringValue@:@" type "@},@attributes@:[" TEXT("exception.type", type) TEXT("exception.stacktrace", rows) \
        threads TEXT("framemap.format", "java") "{@key@:@framemap.trace@,@value@:{@intValue@:@" n "@}},"               \
                                                "{@key@:@framemap.report@,@value@:{@intValue@:@0@}}]}]}]}]}\n"

/* Tests four traces: an exception, its cause, another thread, and an exception that is an event of its own. */
static void test_groups(void **state)
{
    framemap_trace traces[] = {java_trace(0, "x.First", ""), java_trace(1, "x.Cause", ""), java_trace(2, "", "main"),
                               java_trace(3, "x.Other", "")};
    (void)state;
    traces[1].role = FRAMEMAP_ROLE_CAUSE;
    traces[1].elided = 4;
    check("two stacks", "sentry", traces, 4,
          JAVA "@exception@:{@values@:[{@type@:@x.Cause@," STACK "},{@type@:@x.First@," STACK "}]},"
               "@threads@:{@values@:[{@id@:@main@,@name@:@main@," STACK "}]}," EXTRA(0) //
          JAVA "@exception@:{@values@:[{@type@:@x.Other@," STACK "}]}," EXTRA(3));
    check("two stacks", "markdown", traces, 4,
          "### `x.First`\n\n```text\nx.First\n    at a.B.c(B.java:1)\nCaused by: x.Cause\n    at a.B.c(B.java:1)\n"
          "    ... 4 more\n```\n\nthread `main`\n\n```text\n    at a.B.c(B.java:1)\n```\n\n"
          "### `x.Other`\n\n```text\nx.Other\n    at a.B.c(B.java:1)\n```\n\n");
    check("two stacks", "otlp", traces, 4,
          RECORD("x.First",
                 "x.First\\n    at a.B.c(B.java:1)\\nCaused by: x.Cause\\n    at a.B.c(B.java:1)\\n"
                 "    ... 4 more\\n",
                 "{@key@:@framemap.threads@,@value@:{@stringValue@:@thread main\\n    at a.B.c(B.java:1)\\n@}},",
                 "0") //
          RECORD("x.Other", "x.Other\\n    at a.B.c(B.java:1)\\n", "", "3"));
}

/* Tests two causes that come before the exception that they caused together. All three are one event, in the order of
 * the text. */
static void test_causes_of_group(void **state)
{
    framemap_trace traces[] = {java_trace(0, "x.One", ""), java_trace(1, "x.Two", ""), java_trace(2, "x.Group", "")};
    (void)state;
    for (int i = 0; i < 2; i++) {
        traces[i].role = FRAMEMAP_ROLE_CAUSE;
        traces[i].part_of = 2;
    }
    check("a group", "sentry", traces, 3,
          JAVA "@exception@:{@values@:[{@type@:@x.One@," STACK "},{@type@:@x.Two@," STACK "},{@type@:@x.Group@," STACK
               "}]}," EXTRA(2));
}

/* A report that lists its images is one event, which contains the image of each address. */
static void test_report(void **state)
{
    framemap_image images[] = {{.name = FM_STR("App"),
                                .path = FM_STR("/A/App"),
                                .id = FM_STR("8c17697f2e8439e5b491fcf5169106ff"),
                                .load_address = 0x1000,
                                .size = 16},
                               {.name = FM_STR("unknown")}};
    framemap_trace traces[] = {java_trace(0, "x.First", ""), java_trace(1, "x.Other", "")};
    (void)state;
    for (int i = 0; i < 2; i++) {
        traces[i].format = FM_STR("apple-crash");
        traces[i].images = images;
        traces[i].image_count = 2;
        traces[i].lists_images = true;
    }
    check("images", "sentry", traces, 2,
          JAVA "@exception@:{@values@:[{@type@:@x.Other@," STACK "},{@type@:@x.First@," STACK "}]},"
               "@debug_meta@:{@images@:[{@type@:@macho@,@code_file@:@/A/App@,"
               "@debug_id@:@8c17697f-2e84-39e5-b491-fcf5169106ff@,@image_addr@:@0x1000@,@image_size@:16}]},"
               "@extra@:{@framemap@:{@format@:@apple-crash@,@trace@:0,@report@:0}}}\n");
}

/* A name cannot end the construct in which it is printed: a span of code, a block of code, a JSON string, or a line. */
static void test_hostile(void **state)
{
    framemap_frame frame = {.kind = FRAMEMAP_KIND_OTHER,
                            .status = FRAMEMAP_FRAME_NOT_NEEDED,
                            .index = -1,
                            .raw = FM_STR("f\n```\n# <b>@@user</b>\xE2\x80\xAE")};
    framemap_trace trace = {.format = FM_STR("x"),
                            .exception = FM_STR("`` | <img> \\`\x1b\rx\n````"),
                            .thread = FM_STR("a`b"),
                            .frames = &frame,
                            .frame_count = 1};
    struct parsed parsed = {.traces = &trace, .count = 1};
    struct fm_buf out;
    (void)state;
    fm_heap_init(&parsed.heap, NULL, 0);
    assert_int_equal(print_as(&parsed, (framemap_str){NULL, 0}, "markdown", &out), FRAMEMAP_OK);
    same_text("hostile", "markdown", fm_buf_view(&out),
              text_of("### ``` `` | <img> \\`\\x1b\\rx ```\n\nthread `` a`b ``\n\n`````text\n"
                      "`` | <img> \\`\\x1b\\rx\n````\n    f\n    ```\n    # <b>@@user</b>\\u202e\n`````\n\n"));
    fm_buf_free(&out);
    assert_int_equal(print_as(&parsed, (framemap_str){NULL, 0}, "sentry", &out), FRAMEMAP_OK);
    assert_int_equal(fm_str_find_byte(fm_buf_view(&out), '\n'), out.size - 1);
    assert_true(fm_str_find_byte(fm_buf_view(&out), '\x1b') == FM_NOT_FOUND);
    fm_buf_free(&out);
}

/* If memory runs out, no part of a stack is written, and nothing is leaked. */
static void test_memory(void **state)
{
    static const char *const outputs[] = {"markdown", "otlp", "sentry"};
    (void)state;
    for (size_t o = 0; o < sizeof outputs / sizeof *outputs; o++) {
        bool done = false;
        for (size_t number = 0; !done; number++) {
            framemap_trace trace = crash_trace();
            struct failing failing = {.fail_at = number};
            const framemap_allocator hook = {.resize = failing_resize, .context = &failing};
            struct fm_heap heap, plain;
            struct fm_buf out;
            fm_heap_init(&heap, &hook, 0);
            fm_heap_init(&plain, NULL, 0);
            fm_buf_init(&out, &plain);
            const framemap_status status =
                fm_formats_print((framemap_str){NULL, 0}, &trace, 1, outputs[o], &heap, gather, &out, NULL);
            done = failing.requests <= number;
            assert_int_equal(status, done ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY);
            assert_int_equal(out.size > 0, done);
            assert_int_equal(failing.blocks, 0);
            fm_buf_free(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_crash),           cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_causes_of_group), cmocka_unit_test(test_report),
                                       cmocka_unit_test(test_hostile),         cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("formats output events", tests, NULL, NULL);
}
