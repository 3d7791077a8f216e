/* Tests the recorded stacks in corpus/javascript/stacks. The file NAME.expected next to each has the expected traces,
 * and each must be printed unchanged. If FRAMEMAP_WRITE_EXPECTED is set, the files NAME.expected are rewritten, and
 * have to be reviewed. */
#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

#include "core/mapfile.h"
#include <dirent.h>
#include <stdlib.h>

#define FOLDER FM_SOURCE_DIR "/corpus/javascript/stacks"

struct capture {
    char path[1024], expected[1024];
};

static bool next_capture(DIR *folder, struct capture *out)
{
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t size = strlen(entry->d_name);
        if (size < 5 || strcmp(entry->d_name + size - 4, ".txt") != 0) continue;
        snprintf(out->path, sizeof out->path, FOLDER "/%s", entry->d_name);
        snprintf(out->expected, sizeof out->expected, FOLDER "/%.*s.expected", (int)(size - 4), entry->d_name);
        return true;
    }
    return false;
}

static void write_expected(const char *path, framemap_str text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text.data, 1, text.size, file), text.size);
    assert_int_equal(fclose(file), 0);
}

static void check_capture(const struct capture *capture)
{
    struct fm_mapfile text, want;
    struct parsed parsed;
    struct fm_buf got, back;
    assert_int_equal(fm_mapfile_open(capture->path, &text, NULL), FRAMEMAP_OK);
    parse(&parsed, text.bytes);
    assert_int_equal(parsed.status, FRAMEMAP_OK);
    fm_buf_init(&got, &parsed.heap);
    describe(&got, parsed.traces, parsed.count);
    if (getenv("FRAMEMAP_WRITE_EXPECTED")) write_expected(capture->expected, fm_buf_view(&got));
    assert_int_equal(fm_mapfile_open(capture->expected, &want, NULL), FRAMEMAP_OK);
    same_text(capture->path, "what was read", fm_buf_view(&got), want.bytes);
    assert_int_equal(print_as(&parsed, text.bytes, "text", &back), FRAMEMAP_OK);
    same_text(capture->path, "the text that comes back", fm_buf_view(&back), text.bytes);
    fm_buf_free(&back);
    fm_buf_free(&got);
    parsed_free(&parsed);
    fm_mapfile_close(&want);
    fm_mapfile_close(&text);
}

static void test_captures(void **state)
{
    (void)state;
    size_t count = 0;
    struct capture capture;
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (; next_capture(folder, &capture); count++) check_capture(&capture);
    closedir(folder);
    assert_true(count >= 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_captures)};
    return cmocka_run_group_tests_name("formats js stacks", tests, NULL, NULL);
}
