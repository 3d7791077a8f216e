/* Tests that JSON documents in a text are found and collected as a whole, with the prefilter and without it. */
#include "tests/formats/formats_help.h"

#include "core/limits.h"
#include "formats/json_document.h"
#include "formats/scan/dispatch.h"

static const char name[] = "toy";

/* Whether a line is significant to the format that this test defines, whose documents have a member "toy". */
static bool is_significant(const struct fm_line *line)
{
    return fm_str_find(line->text, FM_STR("\"toy\"")) != FM_NOT_FOUND;
}

static enum fm_line_role offer(void *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_json_document *document = state;
    enum fm_document_step step = FM_DOCUMENT_NONE;
    struct fm_line whole;
    if (!fm_json_document_line(document, doc, line, &whole)) return FM_ROLE_NONE;
    if (document->open)
        step = fm_json_document_add(document, doc, &whole);
    else if (is_significant(&whole))
        step = fm_json_document_begin(document, doc, &whole);
    if (step != FM_DOCUMENT_COMPLETE) return FM_ROLE_NONE;
    struct fm_json *json = fm_json_document_parse(document, doc);
    if (json == NULL) return FM_ROLE_NONE;
    struct fm_json_lines lines = fm_json_lines_of(document);
    struct fm_line at = fm_json_lines_at(&lines, fm_json_raw(json, 0));
    if (fm_document_trace(doc, name, &at)) fm_document_new_frame(doc, &at);
    for (int32_t key = fm_json_first(json, 0); key >= 0; key = fm_json_next(json, key)) {
        at = fm_json_lines_at(&lines, fm_json_raw(json, key));
        fm_document_new_frame(doc, &at);
    }
    fm_json_free(json);
    return FM_ROLE_FRAME;
}

static const struct fm_needle needles[] = {FM_NEEDLE("\"toy\"", 1, 0)};
static const struct fm_format toy = {.info = {name, "a toy", true, false},
                                     FM_NEEDLES(needles),
                                     .state_size = sizeof(struct fm_json_document),
                                     .offer = offer,
                                     .is_significant = is_significant,
                                     .keeps_state = true,
                                     .reads_documents = true};

/* Appends the line number and the raw text of each frame. */
static void describe_all(const struct fm_trace_sink *sink, framemap_str text, struct fm_buf *out)
{
    for (size_t t = 0; t < sink->count; t++)
        for (size_t f = 0; f < sink->traces[t].frame_count; f++) {
            const framemap_frame *frame = &sink->traces[t].frames[f];
            assert_ptr_equal(frame->raw.data, text.data + frame->raw_offset);
            fm_buf_printf(out, "%u:%.*s\n", (unsigned)frame->raw_line, (int)frame->raw.size, frame->raw.data);
        }
}

static void check(const char *why, framemap_str text, framemap_str want, enum fm_prefilter_use use)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_buf out;
    const struct fm_format *const formats[] = {&toy};
    static struct fm_dispatch dispatch;
    static struct fm_parser_table parsers;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    fm_buf_init(&out, &heap);
    fm_parser_table_init(&parsers, formats, 1);
    assert_true(fm_dispatch_open(&dispatch, &heap, &arena, &parsers, use, UINT64_MAX, UINT64_MAX));
    fm_dispatch_window(&dispatch, text, 0);
    fm_dispatch_parse(&dispatch, text.size);
    fm_dispatch_end_all(&dispatch, FRAMEMAP_CLOSED_BY_END, text.size);
    assert_false(dispatch.failed);
    describe_all(&dispatch.sink, text, &out);
    fm_dispatch_close(&dispatch);
    same_text(why, "what was found", fm_buf_view(&out), want);
    fm_buf_free(&out);
    fm_arena_free(&arena);
    assert_int_equal(heap.used, 0);
}

static const struct {
    const char *why, *text, *want;
} rows[] = {
    {"one line", "a\n{\"toy\":1}\nb\n", "2:{\"toy\":1}\n2:toy\n"},
    {"with text after it", "{\"toy\":1} and so on\n", "1:{\"toy\":1}\n1:toy\n"},
    {"the key is below the bracket", "x\n{\n \"a\": 2,\n \"toy\": 1\n}\n",
     "2:{\n \"a\": 2,\n \"toy\": 1\n}\n3:a\n4:toy\n"},
    {"the bracket ends its line", "data: {\n \"toy\": 1\n}\n", "1:{\n \"toy\": 1\n}\n2:toy\n"},
    {"the outermost value", "{\n\"a\": {\n\"toy\": 1\n}\n}\n", "1:{\n\"a\": {\n\"toy\": 1\n}\n}\n2:a\n"},
    {"not the value above it", "{\"b\":1}\n{\n\"toy\": 1\n}\n", "2:{\n\"toy\": 1\n}\n3:toy\n"},
    {"not a log's bracket above it", "[12:00] start\n{\n\"toy\": 1\n}\n", "2:{\n\"toy\": 1\n}\n3:toy\n"},
    {"blank lines", "{\n\n\"toy\": 1,\n\n\n\n\n\n\n\n\n\n\n\n\n\n\"b\": 2\n}\n",
     "1:{\n\n\"toy\": 1,\n\n\n\n\n\n\n\n\n\n\n\n\n\n\"b\": 2\n}\n3:toy\n17:b\n"},
    {"returns", "{\r\n\"toy\": 1\r\n}\r\n", "1:{\r\n\"toy\": 1\r\n}\n2:toy\n"},
    {"brackets and quotes in strings", "{\"toy\":\"}\\\"}\\\\\"}\n", "1:{\"toy\":\"}\\\"}\\\\\"}\n1:toy\n"},
    {"strings with escaped line ends", "{\"a\":\"b\\nc\",\n\"toy\":\"d\\n  e\"}\n",
     "1:{\"a\":\"b\\nc\",\n\"toy\":\"d\\n  e\"}\n1:a\n2:toy\n"},
    {"all in one line", "{\"a\":\"b\\nc\",\"toy\":\"d\\n  e\"}\n",
     "1:{\"a\":\"b\\nc\",\"toy\":\"d\\n  e\"}\n1:a\n1:toy\n"},
    {"two documents", "{\"toy\":1}\n{\"toy\":2}\n", "1:{\"toy\":1}\n1:toy\n2:{\"toy\":2}\n2:toy\n"},
    {"not JSON", "{\n\"toy\": x\n}\n{\"toy\":1}\n", "4:{\"toy\":1}\n4:toy\n"},
    {"a string with a line end", "{\n\"toy\": \"a\nb\"\n}\n", ""},
    {"brackets that do not match", "{\n\"toy\": [1}\n]\n", ""},
    {"never ended", "{\n\"toy\": [1,\n", ""},
    {"a bracket too many", "{\"toy\":1}}\n", "1:{\"toy\":1}\n1:toy\n"},
    {"no bracket above", "\"toy\": 1\n}\n", ""},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(rows[i].why, text_of(rows[i].text), text_of(rows[i].want), FM_PREFILTER_NEVER);
        check(rows[i].why, text_of(rows[i].text), text_of(rows[i].want), FM_PREFILTER_ALWAYS);
    }
}

/* A line that is too long to be a line of a stack is still offered to formats whose texts are documents. */
static void test_long_lines(void **state)
{
    static const char *const starts[] = {"{\"toy\":\"", "  {\"toy\":\"", "\xEF\xBB\xBF{\"toy\":\""};
    struct fm_heap heap;
    struct fm_buf text, want;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&want, &heap);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        fm_buf_clear(&text);
        fm_buf_clear(&want);
        fm_buf_printf(&text, "a\n%s%0*d\"}\nb\n", starts[i], 2 * (int)FM_LIMIT_LINE, 7);
        fm_buf_printf(&want, "2:{\"toy\":\"%0*d\"}\n2:toy\n", 2 * (int)FM_LIMIT_LINE, 7);
        check(starts[i], fm_buf_view(&text), fm_buf_view(&want), FM_PREFILTER_NEVER);
        check(starts[i], fm_buf_view(&text), fm_buf_view(&want), FM_PREFILTER_ALWAYS);
    }
    fm_buf_free(&want);
    fm_buf_free(&text);
}

static void test_numbers(void **state)
{
    struct fm_heap heap;
    struct fm_arena arena;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    struct fm_document doc = {.arena = &arena};
    assert_true(fm_str_equal(fm_document_decimal(&doc, 0), FM_STR("0")));
    assert_true(fm_str_equal(fm_document_decimal(&doc, UINT64_MAX), FM_STR("18446744073709551615")));
    fm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_long_lines),
                                       cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests_name("formats json_document", tests, NULL, NULL);
}
