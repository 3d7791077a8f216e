/* Compares the retrace call with the output of R8's retrace for a collection of mappings and traces. Skipped if the
 * collection is not available. */
#include "core/text/buffer.h"
#include "tests/testing.h"

#include "core/json/json.h"
#include "core/mapfile.h"
#include <dirent.h>
#include <framemap/framemap.h>
#include <unistd.h>

static void folder_of(char *out, size_t room, const char *name)
{
    static const char beside[] = FM_SOURCE_DIR "/../shared/cases";
    const char *named = getenv("FRAMEMAP_CASES");
    snprintf(out, room, "%s/r8/%s", named ? named : beside, name);
}

struct fixture {
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_json *json;
    size_t warnings;
    framemap_error error;
};

static void count_warning(void *context, const framemap_error *warning)
{
    struct fixture *fixture = context;
    if (warning->code != FRAMEMAP_OK) fixture->warnings++;
}

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static const framemap_index *no_index(void *context, framemap_str class_name)
{
    (void)context, (void)class_name;
    return NULL;
}

/* Returns the strings of an array, with a line end after each. */
static framemap_str joined(struct fixture *fixture, const char *name)
{
    struct fm_buf buf;
    framemap_str text = {NULL, 0};
    fm_buf_init(&buf, &fixture->heap);
    int32_t array = fm_json_get(fixture->json, 0, name);
    for (int32_t i = fm_json_first(fixture->json, array); i >= 0; i = fm_json_next(fixture->json, i)) {
        fm_json_string(fixture->json, i, &fixture->arena, &text);
        fm_buf_str(&buf, text);
        fm_buf_byte(&buf, '\n');
    }
    assert_true(fm_arena_str(&fixture->arena, fm_buf_view(&buf), &text));
    fm_buf_free(&buf);
    return text;
}

/* Builds the index of a test case. R8 accepts a mapping without classes; for such a mapping, *index is NULL and the
 * status is EMPTY. */
static framemap_status build(struct fixture *fixture, framemap_bytes *bytes, framemap_index **index)
{
    framemap_str mapping = {NULL, 0};
    framemap_build_options options = {
        .size = sizeof options, .mapper = "r8", .strict = true, .warning = count_warning, .context = fixture};
    fm_json_string(fixture->json, fm_json_get(fixture->json, 0, "mapping"), &fixture->arena, &mapping);
    *index = NULL;
    framemap_status status =
        framemap_index_build(mapping, framemap_str_of("mapping.txt"), &options, bytes, &fixture->error);
    if (status == FRAMEMAP_OK) status = framemap_index_open(framemap_bytes_str(bytes), NULL, index, &fixture->error);
    return status;
}

static const char *expression_of(struct fixture *fixture)
{
    framemap_str text = {NULL, 0};
    if (!fm_json_string(fixture->json, fm_json_get(fixture->json, 0, "regex"), &fixture->arena, &text)) return NULL;
    assert_true(fm_arena_str(&fixture->arena, text, &text)); /* the copy is NUL-terminated */
    return text.data;
}

static framemap_status retrace(struct fixture *fixture, const framemap_index *index, bool verbose, struct fm_buf *out)
{
    framemap_retracer *retracer = NULL;
    framemap_retrace_options options = {
        .size = sizeof options, .verbose = verbose, .warning = count_warning, .context = fixture};
    options.expression = expression_of(fixture);
    if (index == NULL) options.find = no_index;
    framemap_status status = framemap_retracer_create(index, &options, &retracer, &fixture->error);
    if (status == FRAMEMAP_OK)
        status = framemap_retracer_text(retracer, joined(fixture, "obfuscated"), gather, out, &fixture->error);
    framemap_retracer_free(retracer);
    return status;
}

/* Cases with control characters in names, which R8 prints unchanged and framemap escapes. Each row has the name in both
 * forms. */
static const struct {
    const char *name, *raw, *shown;
} escaped[] = {{"x_parse_src_esc.json", "X\n.kt", "X\\n.kt"}};

static framemap_str as_shown(struct fixture *fixture, const char *name, framemap_str text)
{
    for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++) {
        struct fm_buf shown;
        const framemap_str raw = framemap_str_of(escaped[i].raw);
        if (strcmp(name, escaped[i].name) != 0) continue;
        fm_buf_init(&shown, &fixture->heap);
        for (size_t at; (at = fm_str_find(text, raw)) != FM_NOT_FOUND; text = fm_str_from(text, at + raw.size)) {
            fm_buf_str(&shown, fm_str_slice(text, 0, at));
            fm_buf_str(&shown, framemap_str_of(escaped[i].shown));
        }
        fm_buf_str(&shown, text);
        assert_true(fm_arena_str(&fixture->arena, fm_buf_view(&shown), &text));
        fm_buf_free(&shown);
    }
    return text;
}

static bool prints(struct fixture *fixture, const framemap_index *index, bool verbose, const char *name)
{
    struct fm_buf out;
    framemap_str want = as_shown(fixture, name, joined(fixture, verbose ? "retraced_verbose" : "retraced"));
    fm_buf_init(&out, &fixture->heap);
    framemap_status status = retrace(fixture, index, verbose, &out);
    const bool good = status == FRAMEMAP_OK && fm_str_equal(fm_buf_view(&out), want);
    if (!good)
        print_message("%s%s: %s\n--- got\n%.*s--- wanted\n%.*s", name, verbose ? " (verbose)" : "",
                      status ? fixture->error.message : "another text", (int)out.size, out.data ? out.data : "",
                      (int)want.size, want.data);
    fm_buf_free(&out);
    return good;
}

static bool holds(struct fixture *fixture, const char *name)
{
    framemap_bytes bytes = {0};
    framemap_index *index;
    uint64_t warnings = 0;
    const bool refused = fm_json_get(fixture->json, 0, "error") >= 0;
    framemap_status status = build(fixture, &bytes, &index);
    bool good = status == FRAMEMAP_OK || status == FRAMEMAP_E_EMPTY;
    if (refused) {
        if (good) print_message("%s: is taken, R8 refuses it\n", name);
        good = !good;
    } else if (!good) {
        print_message("%s: line %llu: %s\n", name, (unsigned long long)fixture->error.line, fixture->error.message);
    } else {
        good = prints(fixture, index, false, name);
        size_t once = fixture->warnings;
        if (fm_json_u64(fixture->json, fm_json_get(fixture->json, 0, "warnings"), &warnings) && warnings != once) {
            print_message("%s: %zu warnings, R8 has %llu\n", name, once, (unsigned long long)warnings);
            good = false;
        }
        good = prints(fixture, index, true, name) && good;
    }
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
    return good;
}

static bool check_file(const char *path)
{
    struct fixture fixture = {.warnings = 0};
    struct fm_mapfile file;
    fm_heap_init(&fixture.heap, NULL, 0);
    fm_arena_init(&fixture.arena, &fixture.heap);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_json_parse(file.bytes, &fixture.heap, &fixture.json, NULL), FRAMEMAP_OK);
    bool good = holds(&fixture, strrchr(path, '/') + 1);
    fm_json_free(fixture.json);
    fm_mapfile_close(&file);
    fm_arena_free(&fixture.arena);
    return good;
}

static void check_folder(const char *name)
{
    char folder[4096], path[8192];
    size_t count = 0, wrong = 0;
    const char *only = getenv("FRAMEMAP_CASE");
    folder_of(folder, sizeof folder, name);
    DIR *listing = opendir(folder);
    if (!listing) {
        print_message("skipped: there are no cases in %s\n", folder);
        skip();
    }
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        size_t size = strlen(entry->d_name);
        if (size < 5 || strcmp(entry->d_name + size - 5, ".json") != 0 || (only && !strstr(entry->d_name, only)))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count++;
        if (!check_file(path)) wrong++;
    }
    closedir(listing);
    print_message("%s: %zu cases, %zu wrong\n", name, count, wrong);
    assert_int_equal(wrong, 0);
}

static void test_retrace(void **state)
{
    (void)state;
    check_folder("retrace");
}

static void test_extra(void **state)
{
    (void)state;
    check_folder("extra");
}

static void test_regex(void **state)
{
    (void)state;
    check_folder("regex");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_retrace), cmocka_unit_test(test_extra),
                                       cmocka_unit_test(test_regex)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
