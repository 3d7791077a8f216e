/* Tests the members of a trace that are read from a log: the members that each prefix sets, and the records in logs of
 * containers. */
#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

static const struct {
    const char *name, *prefix, *tail; /* prefix, tail: text before and after each line of the stack */
    const char *want;
} rows[] = {
    {"none", "", "", ""},
    {"threadtime", "11-21 10:00:00.123  8682  8683 F DEBUG   : ", "",
     " time:11-21 10:00:00.123 tag:DEBUG level:F pid:8682 tid:8683"},
    {"brief", "F/DEBUG ( 12): ", "", " tag:DEBUG level:F pid:12"},
    {"Studio", "2026-11-21 10:00:00.123  1234-5678  AndroidRuntime  com.example  E  ", "",
     " time:2026-11-21 10:00:00.123 process:com.example tag:AndroidRuntime level:E pid:1234 tid:5678"},
    {"syslog", "Nov  1 10:00:00 host1 app[123]: ", "", " time:Nov  1 10:00:00 host:host1 tag:app pid:123"},
    {"RFC 5424", "<165>1 2026-11-21T10:00:00.003Z host1 app 123 ID47 - ", "",
     " time:2026-11-21T10:00:00.003Z host:host1 tag:app pid:123"},
    {"journalctl", "2026-11-21T10:00:00+0100 host1 app[123]: ", "",
     " time:2026-11-21T10:00:00+0100 host:host1 tag:app pid:123"},
    {"kernel", "[   12.345678] [ T123] ", "", " time:12.345678 tid:123"},
    {"NSLog", "2026-11-21 10:00:00.123 App[77:1001] ", "", " time:2026-11-21 10:00:00.123 process:App pid:77 tid:1001"},
    {"CRI", "2026-11-21T10:00:00.123456789Z stderr F ", "", " time:2026-11-21T10:00:00.123456789Z"},
    {"kubectl", "[pod/web-7d4b9c8f5d-abcde/nginx] ", "", " host:web-7d4b9c8f5d-abcde tag:nginx"},
    {"kubectl with times", "[pod/web-0/nginx] 2026-11-21T10:00:00.123456789Z ", "",
     " time:2026-11-21T10:00:00.123456789Z host:web-0 tag:nginx"},
    {"stern", "web-7d4b9c8f5d-abcde nginx ", "", " host:web-7d4b9c8f5d-abcde tag:nginx"},
    {"compose", "web-1  | ", "", " process:web-1"},
    {"Docker", "{\"log\":\"", "\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-21T10:00:00.1Z\"}",
     " time:2026-11-21T10:00:00.1Z"},
    {"Docker with blanks", "{\"log\": \"", "\\n\", \"stream\": \"stderr\", \"time\": \"2026-11-21T10:00:00.1Z\"}",
     " time:2026-11-21T10:00:00.1Z"},
    {"Docker with a tag", "{\"log\":\"",
     "\\n\",\"stream\":\"stderr\",\"attrs\":{\"tag\":\"web\"},\"time\":\"2026-11-21T10:00:00.1Z\"}",
     " time:2026-11-21T10:00:00.1Z tag:web"},
    {"Docker around a logger", "{\"log\":\"2026-01-02T03:04:05Z ",
     "\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-21T10:00:00.1Z\"}", " time:2026-01-02T03:04:05Z"},
    {"Filebeat", "{\"@timestamp\":\"2026-11-21T10:00:00.1Z\",\"agent\":{\"name\":\"a\",\"message\":1},\"message\":\"",
     "\",\"tags\":[\"b\"]}", " time:2026-11-21T10:00:00.1Z"},
    {"Fluent Bit", "{\"date\":1732186800.5,\"stream\":\"stderr\",\"log\":\"",
     "\",\"kubernetes\":{\"pod_name\":\"web-1\",\"container_name\":\"app\"}}", " host:web-1 tag:app"},
    {"Google's logs, with blanks", "{ \"insertId\": \"a\\\"\", \"textPayload\": \"", "\", \"severity\": \"ERROR\" }",
     " level:ERROR"},
    {"a record below CRI's prefix", "2026-11-21T10:00:00.123456789Z stderr F {\"level\":\"error\",\"msg\":\"", "\"}",
     " time:2026-11-21T10:00:00.123456789Z level:error"},
    {"a record below Compose's", "web-1  | {\"level\":50,\"msg\":\"", "\",\"pid\":7}", " process:web-1 pid:7"},
    {"the journal", "{\"_PID\":\"12\",\"MESSAGE\":\"", "\"}", " pid:12"},
    {"Loki around a logger", "{\"labels\":{},\"line\":\"2026-01-02T03:04:05Z ", "\",\"timestamp\":\"1\"}",
     " time:2026-01-02T03:04:05Z"},
    {"other records", "{\"msg\":\"", "\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-21T10:00:00.1Z\"}", ""},
};

static void describe_log(struct fm_buf *out, const framemap_log *log)
{
    describe_part(out, "time", log->time);
    describe_part(out, "host", log->host);
    describe_part(out, "process", log->process);
    describe_part(out, "tag", log->tag);
    describe_part(out, "level", log->level);
    if (log->has_pid) fm_buf_printf(out, " pid:%llu", (unsigned long long)log->pid);
    if (log->has_tid) fm_buf_printf(out, " tid:%llu", (unsigned long long)log->tid);
}

static void test_logs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        struct parsed parsed;
        struct fm_buf got;
        snprintf(text, sizeof text, "%s    #0 0x55e0 in f /a.cc:3:4%s\n%s    #1 0x55e1 in g /a.cc:3:5%s\n",
                 rows[i].prefix, rows[i].tail, rows[i].prefix, rows[i].tail);
        parse(&parsed, text_of(text));
        same_number(rows[i].name, "traces", parsed.count, 1);
        same_number(rows[i].name, "frames", parsed.traces[0].frame_count, 2);
        fm_buf_init(&got, &parsed.heap);
        describe_log(&got, &parsed.traces[0].log);
        same_text(rows[i].name, "the log", fm_buf_view(&got), text_of(rows[i].want));
        fm_buf_free(&got);
        parsed_free(&parsed);
    }
}

/* Parses a text that has `count` traces of two frames each. */
static void parse_pairs(struct parsed *parsed, const char *text, size_t count)
{
    parse(parsed, text_of(text));
    assert_int_equal(parsed->count, count);
    for (size_t i = 0; i < count; i++) assert_int_equal(parsed->traces[i].frame_count, 2);
}

/* In a log of JSON records, the texts of two successive records are adjacent lines, although the rest of the first
 * record is between them. This is necessary for Go, where a frame consists of two adjacent lines. */
static void test_adjacent(void **state)
{
    (void)state;
    static const char text[] = "{\"log\":\"panic: no\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-21T10:00:00.1Z\"}\n"
                               "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}\n"
                               "{\"log\":\"main.f(0x1)\\n\",\"stream\":\"stderr\"}\n"
                               "{\"log\":\"\\u0009/app/main.go:12 +0x1d\\n\",\"stream\":\"stderr\"}\n"
                               "{\"log\":\"main.main()\\n\",\"stream\":\"stderr\"}\n"
                               "{\"log\":\"\\t/app/main.go:3 +0x1\\n\",\"stream\":\"stderr\"}\n";
    struct parsed parsed;
    parse_pairs(&parsed, text, 1);
    same_text("go", "function", parsed.traces[0].frames[0].function, FM_STR("main.f"));
    same_number("go", "line", parsed.traces[0].frames[1].line, 3);
    same_text("go", "message", parsed.traces[0].exception_message, FM_STR("no"));
    parsed_free(&parsed);
}

/* Rows of JavaScript whose record has no escaped line end, and whose path has a folder that begins with 'n'. */
static void test_paths(void **state)
{
    (void)state;
    static const char text[] =
        "{\"level\":50,\"msg\":\"TypeError: no\"}\n{\"level\":30,\"msg\":\"other work\",\"n\":\"x\"}\n"
        "{\"level\":50,\"msg\":\"Error: no\"}\n"
        "{\"level\":50,\"msg\":\"    at f (C:\\\\My app\\\\node_modules\\\\a.js:1:2)\"}\n"
        "{\"level\":50,\"msg\":\"    at g (/app/b.js:3:4)\"}\n{\"level\":30,\"msg\":\"on\"}\n";
    struct parsed parsed;
    parse_pairs(&parsed, text, 1);
    same_text("paths", "type", parsed.traces[0].exception_type, FM_STR("Error"));
    same_text("paths", "function", parsed.traces[0].frames[0].function, FM_STR("f"));
    same_number("paths", "line", parsed.traces[0].frames[0].line, 1);
    same_text("paths", "file", parsed.traces[0].frames[1].file, FM_STR("/app/b.js"));
    parsed_free(&parsed);
}

/* Records with their row in another string than the line of the program. */
static void test_other_members(void **state)
{
    static const struct {
        const char *text, *raw;
    } records[] = {
        {"{\"message\":\"failed\",\"stack_trace\":\"at a.b.c(SourceFile:1)\"}\n", "at a.b.c(SourceFile:1)"},
        {"{\"stack_trace\":\"\\tat a.b.c(SourceFile:1)\",\"message\":\"failed\"}\n", "at a.b.c(SourceFile:1)"},
        {"{\"frame\":\"#00 pc 00012345  /data/libfoo.so (f+1)\",\"log\":\"a: b\"}\n",
         "#00 pc 00012345  /data/libfoo.so (f+1)"},
        {"{\"ticket\":\"#12\",\"message\":\"\\tat a.b.c(SourceFile:1)\",\"note\":\"at last\"}\n",
         "at a.b.c(SourceFile:1)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        struct parsed parsed;
        parse(&parsed, text_of(records[i].text));
        same_number(records[i].text, "traces", parsed.count, 1);
        same_number(records[i].text, "frames", parsed.traces[0].frame_count, 1);
        same_text(records[i].text, "row", fm_str_trim(parsed.traces[0].frames[0].raw), text_of(records[i].raw));
        parsed_free(&parsed);
    }
}

/* Two processes that log to one file: their rows alternate, and each has a trace of its own. */
static void test_two_pods(void **state)
{
    (void)state;
    static const char text[] =
        "{\"msg\":\"Error: one\",\"pid\":7,\"hostname\":\"a\"}\n{\"msg\":\"Error: two\",\"pid\":7,\"hostname\":\"b\"}\n"
        "{\"msg\":\"    at f (/app/a.js:1:2)\",\"pid\":7,\"hostname\":\"a\"}\n"
        "{\"msg\":\"    at h (/app/b.js:1:2)\",\"pid\":7,\"hostname\":\"b\"}\n"
        "{\"msg\":\"    at g (/app/a.js:3:4)\",\"pid\":7,\"hostname\":\"a\"}\n"
        "{\"msg\":\"    at i (/app/b.js:3:4)\",\"pid\":7,\"hostname\":\"b\"}\n";
    struct parsed parsed;
    parse_pairs(&parsed, text, 2);
    for (size_t i = 0; i < 2; i++) {
        const framemap_trace *trace = &parsed.traces[i];
        same_text("pods", "message", trace->exception_message, i == 0 ? FM_STR("one") : FM_STR("two"));
        same_text("pods", "function", trace->frames[1].function, i == 0 ? FM_STR("g") : FM_STR("i"));
    }
    parsed_free(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_logs), cmocka_unit_test(test_adjacent),
                                       cmocka_unit_test(test_paths), cmocka_unit_test(test_other_members),
                                       cmocka_unit_test(test_two_pods)};
    return cmocka_run_group_tests_name("formats log record", tests, NULL, NULL);
}
