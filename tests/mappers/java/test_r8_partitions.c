/* Tests of R8's partitioned mapping, a zip archive as R8's partition tool writes it. */
#include "core/text/buffer.h"
#include "tests/testing.h"

#include <framemap/framemap.h>
#include <zlib.h>

#define CLASS_A                                                                                                  \
    "# {\"id\":\"partitionSourceFiles\",\"fileNameMappings\":{\"o.E\":\"E1.kt\"}}\no.p.Cls -> a:\n    1:5:void " \
    "m():10:14 -> a\n    "                                                                                       \
    "1:1:void o.E.in():3 -> b\n    1:1:void b():4 -> b"
#define CLASS_X "o.E -> x.y:\n# {\"id\":\"sourceFile\",\"fileName\":\"E1.kt\"}"

struct file {
    const char *name, *data;
    size_t size;
};

static void put(struct fm_buf *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) fm_buf_byte(out, (char)(i < 8 ? value >> 8 * i : 0));
}

static void put_stored(struct fm_buf *out, const struct file *file, bool deflated)
{
    unsigned char packed[2000];
    z_stream stream = {.zalloc = NULL};
    if (!deflated) {
        fm_buf_add(out, file->data, file->size);
        return;
    }
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)file->data;
    stream.avail_in = (uInt)file->size;
    stream.next_out = packed;
    stream.avail_out = sizeof packed;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    fm_buf_add(out, packed, sizeof packed - stream.avail_out);
    deflateEnd(&stream);
}

/* Writes a zip archive as Java does, with the sizes of files only in the directory. */
static void zip(struct fm_buf *out, const struct file *files, size_t count, bool deflated)
{
    size_t heads[8], ends[8];
    for (size_t i = 0; i < count; i++) {
        heads[i] = out->size;
        put(out, 0x04034b50, 4);
        put(out, 0, 22);
        put(out, strlen(files[i].name), 2);
        put(out, 0, 2);
        fm_buf_str(out, framemap_str_of(files[i].name));
        ends[i] = out->size;
        put_stored(out, &files[i], deflated);
        ends[i] = out->size - ends[i];
    }
    size_t directory = out->size;
    for (size_t i = 0; i < count; i++) {
        put(out, 0x02014b50, 4);
        put(out, 0, 6);
        put(out, deflated ? 8 : 0, 2);
        put(out, 0, 4);
        put(out, crc32(0, (const Bytef *)files[i].data, (uInt)files[i].size), 4);
        put(out, ends[i], 4);
        put(out, files[i].size, 4);
        put(out, strlen(files[i].name), 2);
        put(out, 0, 12);
        put(out, heads[i], 4);
        fm_buf_str(out, framemap_str_of(files[i].name));
    }
    const size_t size = out->size - directory;
    put(out, 0x06054b50, 4);
    put(out, 0, 4);
    put(out, count, 2);
    put(out, count, 2);
    put(out, size, 4);
    put(out, directory, 4);
    put(out, 0, 2);
}

#define FILE_OF(name, text) {name, text, sizeof text - 1}
static const struct file good[] = {FILE_OF("a", CLASS_A), FILE_OF("x.y", CLASS_X),
                                   FILE_OF("METADATA", "\xaa\xa8\0\1\0\3"
                                                       "2.2\0\0\0\5a;x.y")};
static const struct file older[] = {FILE_OF("a", CLASS_A), FILE_OF("METADATA", "\0\0"
                                                                               "2.2")};
static const struct file newer[] = {FILE_OF("a", CLASS_A), FILE_OF("x.y", CLASS_X),
                                    FILE_OF("METADATA", "\0\0"
                                                        "9.9")};
static const struct file without[] = {FILE_OF("a", CLASS_A)};

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }
static void count(void *context, const framemap_error *warning)
{
    (void)warning;
    ++*(size_t *)context;
}

static framemap_status build(framemap_str bytes, const char *mapper, size_t *warnings, framemap_bytes *out,
                             framemap_error *error)
{
    framemap_build_options options = {
        .size = sizeof options, .mapper = mapper, .strict = true, .warning = count, .context = warnings};
    return framemap_index_build(bytes, framemap_str_of("map.zip"), &options, out, error);
}

static void check(const struct file *files, size_t file_count, bool deflated, size_t want_warnings, const char *text,
                  const char *want)
{
    struct fm_heap heap;
    struct fm_buf bytes, out;
    framemap_bytes index_bytes = {0};
    framemap_index *index = NULL;
    framemap_retracer *retracer = NULL;
    framemap_error error = {0};
    size_t warnings = 0;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&bytes, &heap);
    fm_buf_init(&out, &heap);
    zip(&bytes, files, file_count, deflated);
    if (build(fm_buf_view(&bytes), NULL, &warnings, &index_bytes, &error) ||
        framemap_index_open(framemap_bytes_str(&index_bytes), NULL, &index, &error) ||
        framemap_retracer_create(index, NULL, &retracer, &error) ||
        framemap_retracer_text(retracer, framemap_str_of(text), gather, &out, &error))
        fail_msg("%s", error.message);
    assert_str(fm_buf_view(&out), want);
    assert_int_equal(warnings, want_warnings);
    framemap_retracer_free(retracer);
    framemap_index_close(index);
    framemap_bytes_free(&index_bytes);
    fm_buf_free(&bytes);
    fm_buf_free(&out);
}

static void test_good(void **state)
{
    static const char text[] = "x.y: z z\n at a.b(S:1)\n",
                      want[] = "o.E: z z\n at o.E.in(E1.kt:3)\n at o.p.Cls.b(Cls.java:4)\n";
    (void)state;
    check(good, COUNT_OF(good), false, 0, text, want);
    check(good, COUNT_OF(good), true, 0, text, want);
    check(older, COUNT_OF(older), true, 0, " at a.a(S:2)\n", " at o.p.Cls.m(Cls.java:11)\n");
    check(newer, COUNT_OF(newer), true, 1, " at a.a(S:2)\n",
          " at o.p.Cls.m(Cls.java:11)\n"); /* all partitions together cause one warning */
}

/* Checks that every prefix of an archive, and every archive with a changed byte, gives an index or an error. */
static void test_damage(void **state)
{
    struct fm_heap heap;
    struct fm_buf bytes;
    framemap_error error;
    size_t warnings = 0;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (int deflated = 0; deflated < 2; deflated++) {
        fm_buf_init(&bytes, &heap);
        zip(&bytes, good, COUNT_OF(good), deflated);
        for (size_t i = 0; i < bytes.size; i++) {
            framemap_bytes out = {0};
            char *copy = malloc(i ? i : 1);
            assert_non_null(copy);
            memcpy(copy, bytes.data, i);
            assert_int_not_equal(build(fm_str(copy, i), "r8-partitions", &warnings, &out, &error), FRAMEMAP_OK);
            free(copy);
            bytes.data[i] = (char)~bytes.data[i];
            if (build(fm_buf_view(&bytes), "r8-partitions", &warnings, &out, &error) == FRAMEMAP_OK)
                framemap_bytes_free(&out);
            bytes.data[i] = (char)~bytes.data[i];
        }
        fm_buf_free(&bytes);
    }
}

static void test_refused(void **state)
{
    struct fm_heap heap;
    struct fm_buf bytes;
    framemap_bytes out = {0};
    framemap_error error;
    size_t warnings = 0;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&bytes, &heap);
    zip(&bytes, without, COUNT_OF(without), true);
    assert_int_not_equal(build(fm_buf_view(&bytes), NULL, &warnings, &out, &error), FRAMEMAP_OK);
    fm_buf_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_damage),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
