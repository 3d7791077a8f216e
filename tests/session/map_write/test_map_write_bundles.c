/* Tests the writer of source maps with maps of real bundles. The written map must have the same contents as the
 * original, and maps must be composed as Metro composes them. Skipped if the bundles are not available. */
#include "core/text/buffer.h"
#include "tests/session/restore/sourcemap_help.h"

#include "api/index_handle.h"
#include "index/read/segments/segment_view.h"

#include <dirent.h>

static bool take(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

/* A conversion: the original map, the map of the earlier step (if there is one), and the map that was written and then
 * parsed in strict mode. */
struct conversion {
    struct fm_heap heap;
    struct opened_map map, earlier, again;
    struct fm_buf text;
};

static void open_with_texts(struct opened_map *map, framemap_str text, const char *name, bool strict)
{
    const framemap_build_options options = {.size = sizeof options, .strict = strict, .keep_sources = true};
    framemap_error error;
    *map = (struct opened_map){.index = NULL};
    if (framemap_index_build(text, framemap_str_of(name), &options, &map->bytes, &error) ||
        framemap_index_open(framemap_bytes_str(&map->bytes), NULL, &map->index, &error) ||
        framemap_scratch_create(NULL, &map->scratch, &error))
        fail_msg("%s: %s", name, error.message);
}

static void open_file(struct opened_map *map, const char *path)
{
    struct fm_mapfile file;
    framemap_error error;
    if (fm_mapfile_open(path, &file, &error) != FRAMEMAP_OK) fail_msg("%s: %s", path, error.message);
    open_with_texts(map, file.bytes, strrchr(path, '/') + 1, false);
    fm_mapfile_close(&file);
}

/* Writes a map. If `earlier` is not NULL, the map is composed with the map of an earlier step. */
static void convert(struct conversion *out, const char *path, const char *earlier)
{
    framemap_error error;
    *out = (struct conversion){.earlier = {.index = NULL}};
    fm_heap_init(&out->heap, NULL, 0);
    fm_buf_init(&out->text, &out->heap);
    open_file(&out->map, path);
    if (earlier) open_file(&out->earlier, earlier);
    const framemap_map_step step = {.map = out->earlier.index};
    const framemap_sourcemap_options options = {.size = sizeof options, .steps = &step, .step_count = earlier != NULL};
    if (framemap_sourcemap_write(out->map.index, &options, take, &out->text, &error))
        fail_msg("%s: %s", path, error.message);
    open_with_texts(&out->again, fm_buf_view(&out->text), "converted.map", true);
}

static void conversion_free(struct conversion *conversion)
{
    map_close(&conversion->map);
    map_close(&conversion->earlier);
    map_close(&conversion->again);
    fm_buf_free(&conversion->text);
}

/* --- comparing two indexes --- */

static framemap_str name_of(const framemap_index *index, uint32_t name)
{
    framemap_str text = {NULL, 0};
    fm_view_segment_name(index->view, name, &text);
    return text;
}

static bool same_source(const framemap_index *a, uint32_t source_a, const framemap_index *b, uint32_t source_b)
{
    struct fm_view_source x, y;
    if (!fm_view_source(a->view, source_a, &x) || !fm_view_source(b->view, source_b, &y)) return source_a == source_b;
    return fm_str_equal(x.address, y.address) && fm_str_equal(x.content, y.content) && x.flags == y.flags;
}

static bool same_function(const framemap_index *a, const struct fm_view_segment *x, const framemap_index *b,
                          const struct fm_view_segment *y)
{
    struct fm_view_stretch f = {.function = {NULL, 0}}, g = {.function = {NULL, 0}};
    const bool some = fm_view_source_stretch(a->view, x->source, x->original_line0, x->original_col0, &f);
    return some == fm_view_source_stretch(b->view, y->source, y->original_line0, y->original_col0, &g) &&
           (!some || fm_str_equal(f.function, g.function));
}

/* Compares two segments by the names of their sources and functions, since the numbers of these may differ. */
static bool same_segment(const framemap_index *a, const framemap_index *b, uint64_t number)
{
    struct fm_view_segment x, y;
    assert_true(fm_view_segment(a->view, number, &x) && fm_view_segment(b->view, number, &y));
    if (x.line0 != y.line0 || x.col0 != y.col0 || !same_source(a, x.source, b, y.source)) return false;
    if (x.source == FM_VIEW_NONE) return true;
    return x.original_line0 == y.original_line0 && x.original_col0 == y.original_col0 &&
           fm_str_equal(name_of(a, x.name), name_of(b, y.name)) && same_function(a, &x, b, &y);
}

static uint64_t check_segments(const char *name, const framemap_index *a, const framemap_index *b)
{
    struct fm_segments_about ours, theirs;
    assert_true(fm_view_segments(a->view, &ours) && fm_view_segments(b->view, &theirs));
    assert_int_equal(ours.segment_count, theirs.segment_count);
    assert_int_equal(ours.source_count, theirs.source_count);
    assert_int_equal(ours.name_count, theirs.name_count);
    for (uint64_t n = 0; n < ours.segment_count; n++)
        if (!same_segment(a, b, n)) fail_msg("%s: segment %llu", name, (unsigned long long)n);
    return ours.segment_count;
}

/* --- testing flat maps --- */

static void dump(const framemap_index *index, struct fm_buf *out)
{
    assert_int_equal(framemap_index_dump(index, "jsonl", take, out, NULL), FRAMEMAP_OK);
}

/* Whether the addresses of sources were made with a sourceRoot. The written map has them without sourceRoot, so it is
 * compared with a map that is written from itself. */
static bool has_root(const framemap_index *index)
{
    struct fm_view_source source;
    bool other = false;
    for (uint32_t i = 0; fm_view_source(index->view, i, &source); i++)
        other = other || !fm_str_equal(source.address, source.spelled);
    return other;
}

static void check_flat(const char *path, const char *name)
{
    struct conversion conversion;
    struct fm_buf before, after;
    framemap_error error;
    convert(&conversion, path, NULL);
    fm_buf_init(&before, &conversion.heap);
    fm_buf_init(&after, &conversion.heap);
    if (has_root(conversion.map.index) && !has_root(conversion.again.index)) {
        assert_int_equal(framemap_sourcemap_write(conversion.again.index, NULL, take, &after, &error), FRAMEMAP_OK);
        assert_true(fm_str_equal(fm_buf_view(&conversion.text), fm_buf_view(&after)));
        check_segments(name, conversion.map.index, conversion.again.index);
    } else {
        dump(conversion.map.index, &before);
        dump(conversion.again.index, &after);
        if (!fm_str_equal(fm_buf_view(&before), fm_buf_view(&after))) fail_msg("%s: not the same", name);
    }
    print_message("%s: %zu bytes\n", name, conversion.text.size);
    fm_buf_free(&before);
    fm_buf_free(&after);
    conversion_free(&conversion);
}

static size_t check_folder(const char *folder)
{
    char path[8192];
    size_t count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (!fm_str_ends(framemap_str_of(entry->d_name), FM_STR(".map"))) continue;
        assert_between(snprintf(path, sizeof path, "%s/%s", folder, entry->d_name), 1, sizeof path - 1);
        check_flat(path, strrchr(folder, '/') + 1);
        count++;
    }
    if (dir) closedir(dir);
    return count;
}

static void flat(void **state)
{
    (void)state;
    char folder[8192], below[8500];
    size_t count = 0;
    skip_without("bundles/INDEX.json");
    assert_between(snprintf(folder, sizeof folder, "%s", case_path("bundles")), 1, sizeof folder - 1);
    DIR *all = opendir(folder);
    for (struct dirent *entry; (entry = readdir(all));) {
        if (entry->d_name[0] == '.') continue;
        assert_between(snprintf(below, sizeof below, "%s/%s", folder, entry->d_name), 1, sizeof below - 1);
        count += check_folder(below);
    }
    closedir(all);
    assert_true(count > 0);
}

/* --- testing composed maps --- */

static void composed(void **state)
{
    (void)state;
    static const char *const kinds[] = {"hermes0.12", "hermes1.0-head"};
    skip_without("bundles/INDEX.json");
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        struct conversion conversion;
        struct opened_map wanted;
        char compiler[200], composed_map[200];
        snprintf(compiler, sizeof compiler, "bundles/rn-plain-hermes/index.android.bundle.%s.compiler.map", kinds[i]);
        snprintf(composed_map, sizeof composed_map, "bundles/rn-plain-hermes/index.android.bundle.%s.map", kinds[i]);
        convert(&conversion, case_path(compiler),
                case_path("bundles/rn-plain-hermes/index.android.bundle.packager.map"));
        open_file(&wanted, case_path(composed_map));
        const uint64_t count = check_segments(kinds[i], conversion.again.index, wanted.index);
        print_message("%s: %llu segments\n", kinds[i], (unsigned long long)count);
        map_close(&wanted);
        conversion_free(&conversion);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat), cmocka_unit_test(composed)};
    return cmocka_run_group_tests_name("convert bundles", tests, NULL, NULL);
}
