/* Tests names with special characters in each format that is written. The document must stay valid. When it is read
 * again, it must have the same names, except for names that the format cannot express. */
#include "tests/formats/profiles/sample_text.h"

#include "core/json/json.h"

static const framemap_str hostile[] = {
    FM_STR_INIT("a;b"),
    FM_STR_INIT("\"quoted\" 'twice' \\ back"),
    FM_STR_INIT("</script><script>alert(1)</script>"),
    FM_STR_INIT("]]><!-- & &amp; &#0; -->"),
    FM_STR_INIT("\x1B[31mred\x1B[0m\x07"),
    FM_STR_INIT("one\nline\r\nthree\ttab"),
    FM_STR_INIT("nul\0inside"),
    FM_STR_INIT("\xFF\xC0\x80\xED\xA0\x80 not UTF-8"),
    FM_STR_INIT("\xE2\x80\xA8\xE2\x80\xAE\xF0\x9F\x94\xA5"),
    FM_STR_INIT("__proto__"),
    FM_STR_INIT("%s%n ${x} `x` 12"),
    FM_STR_INIT(" 7"),
    FM_STR_INIT("#"),
    FM_STR_INIT("operator()(int, char) const::{lambda#1}<a::b>"),
};
enum { NAMES = sizeof hostile / sizeof *hostile };

static framemap_sample_set *hostile_set(void)
{
    framemap_sample_set *set = NULL;
    const framemap_sample_type type = {FM_STR("samples"), FM_STR("count")};
    const int64_t value = 3;
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < NAMES; i++) {
        const framemap_sample_frame frames[] = {
            {.function = hostile[i], .file = hostile[i], .module = hostile[i], .line = 1},
            {.function = FM_STR("main")}};
        const framemap_sample_label label = {.key = hostile[i], .text = hostile[i]};
        const framemap_sample sample = {.frames = frames,
                                        .frame_count = 2,
                                        .values = &value,
                                        .value_count = 1,
                                        .has_time = true,
                                        .time_ns = (int64_t)i,
                                        .has_thread = true,
                                        .thread = {.name = hostile[i], .process = hostile[i]},
                                        .labels = &label,
                                        .label_count = 1};
        assert_int_equal(framemap_sample_set_add(set, &type, &sample, NULL), FRAMEMAP_OK);
    }
    return set;
}

static int64_t total_of(const framemap_sample_set *set)
{
    framemap_sample sample;
    int64_t total = 0;
    for (uint32_t i = 0; framemap_sample_set_sample(set, i, &sample); i++) total += sample.values[0];
    return total;
}

/* Checks that a document is valid JSON, or an SVG document to which no name has added a tag or an invalid character. */
static void check_document(framemap_str text)
{
    struct fm_heap heap;
    struct fm_json *json = NULL;
    fm_heap_init(&heap, NULL, 0);
    if (text.size && text.data[0] == '{') {
        assert_int_equal(fm_json_parse(text, &heap, &json, NULL), FRAMEMAP_OK);
        fm_json_free(json);
    }
    if (!fm_str_starts(text, FM_STR("<"))) return;
    assert_int_equal(fm_str_find(text, FM_STR("<script>alert")), FM_NOT_FOUND);
    assert_int_equal(fm_str_find(text, FM_STR("]]><!--")), FM_NOT_FOUND);
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        assert_true(c >= ' ' || c == '\n' || c == '\t');
    }
}

static void test_each_writer(void **state)
{
    (void)state;
    size_t count;
    const framemap_sample_format *const *formats = framemap_sample_format_list(&count);
    for (size_t i = 0; i < count; i++) {
        struct fm_heap heap;
        struct fm_buf out;
        if (!formats[i]->writes) continue;
        print_message("%s\n", formats[i]->name);
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&out, &heap);
        framemap_sample_set *set = hostile_set();
        assert_int_equal(framemap_sample_set_write(set, formats[i]->name, gather_text, &out, NULL, NULL), FRAMEMAP_OK);
        check_document(fm_buf_view(&out));
        if (formats[i]->reads) {
            framemap_sample_set *again = read_samples(fm_buf_view(&out), formats[i]->name);
            assert_int_equal(total_of(again), total_of(set));
            framemap_sample_set_close(again);
        }
        framemap_sample_set_close(set);
        fm_buf_free(&out);
    }
}

/* A folded stack is one line, even if its names contain line ends. */
static void test_folded_lines(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf out;
    size_t lines = 0;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    framemap_sample_set *set = hostile_set();
    assert_int_equal(framemap_sample_set_write(set, "folded", gather_text, &out, NULL, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < out.size; i++) lines += out.data[i] == '\n';
    assert_int_equal(lines, NAMES);
    framemap_sample_set_close(set);
    fm_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_writer), cmocka_unit_test(test_folded_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
