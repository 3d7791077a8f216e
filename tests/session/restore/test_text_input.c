#include "core/text/buffer.h"
#include "session/restore/text_input.h"
#include "tests/testing.h"
#include <zlib.h>
#include <zstd.h>

static const char text[] = "hello\n#00 pc 0000000000001344  /data/libdemo.so\nend\n";
#define TEXT fm_str(text, sizeof text - 1)

/* --- testing compressed inputs --- */

static void gzip_add(struct fm_buf *out, framemap_str plain)
{
    char room[1 << 12];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)plain.data, .avail_in = (uInt)plain.size};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    int result;
    do {
        z.next_out = (Bytef *)room;
        z.avail_out = sizeof room;
        result = deflate(&z, Z_FINISH);
        fm_buf_add(out, room, sizeof room - z.avail_out);
    } while (result == Z_OK || result == Z_BUF_ERROR);
    assert_int_equal(result, Z_STREAM_END);
    deflateEnd(&z);
}

static void zstd_add(struct fm_buf *out, framemap_str plain)
{
    char room[1 << 12];
    const size_t size = ZSTD_compress(room, sizeof room, plain.data, plain.size, 3);
    assert_false(ZSTD_isError(size));
    fm_buf_add(out, room, size);
}

/* --- running the conversion --- */

struct run {
    struct fm_buf text, output;
    framemap_status status;
    framemap_error error;
    uint64_t bytes;
};

static framemap_status take(void *context, framemap_str piece, framemap_error *error)
{
    (void)error;
    fm_buf_str(context, piece);
    return FRAMEMAP_OK;
}

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

/* Passes the bytes in pieces, and converts the resulting text back to the form of the input. */
static void run_pieces(struct fm_heap *heap, framemap_str bytes, size_t piece, struct run *run)
{
    struct fm_text_input input;
    *run = (struct run){.status = FRAMEMAP_OK};
    fm_buf_init(&run->text, heap);
    fm_buf_init(&run->output, heap);
    fm_text_input_init(&input, heap, take, &run->text);
    input.write = gather;
    input.write_context = &run->output;
    input.writes_back = true;
    for (size_t at = 0; at < bytes.size && run->status == FRAMEMAP_OK; at += piece)
        run->status = fm_text_input_feed(&input, fm_str_slice(bytes, at, at + piece), &run->error);
    if (run->status == FRAMEMAP_OK) run->status = fm_text_input_end(&input, &run->error);
    assert_true(fm_text_input_write(&input, run->text.data, run->text.size));
    assert_true(fm_text_input_write_end(&input));
    run->bytes = input.bytes;
    fm_text_input_free(&input);
}

static void free_run(struct run *run)
{
    fm_buf_free(&run->text);
    fm_buf_free(&run->output);
}

enum make { PLAIN, GZIP, GZIP_TWICE, GZIP_PADDED, ZSTD, ZSTD_TWICE, ZSTD_SKIPPED };

static const struct {
    const char *why;
    framemap_str bytes, text; /* text: the expected text; {NULL, 0}: the input is not converted */
    enum make make;
    unsigned times; /* number of times that the text is expected in succession */
} rows[] = {
    {"nothing", FM_STR_INIT(""), {NULL, 0}, PLAIN, 1},
    {"one byte", FM_STR_INIT("a"), {NULL, 0}, PLAIN, 1},
    {"a line", FM_STR_INIT("at f\n"), {NULL, 0}, PLAIN, 1},
    {"no line end", FM_STR_INIT("at f (a.js:1:2)"), {NULL, 0}, PLAIN, 1},
    {"begins like gzip", FM_STR_INIT("\x1f\x8b"), {NULL, 0}, PLAIN, 1},
    {"begins like zstd", FM_STR_INIT("\x28\xb5\x2f"), {NULL, 0}, PLAIN, 1},
    {"begins like xz", FM_STR_INIT("\xfd\x37\x7a\x58\x5a"), {NULL, 0}, PLAIN, 1},
    {"CR", FM_STR_INIT("a\rb\r"), FM_STR_INIT("a\nb\n"), PLAIN, 1},
    {"UTF-16",
     FM_STR_INIT("\xFF\xFE"
                 "a\0\n\0b"),
     FM_STR_INIT("\xEF\xBB\xBF"
                 "a\n"),
     PLAIN, 1},
    {"UTF-16 without a mark", FM_STR_INIT("\0a\0t\0 \0f\0\n"), FM_STR_INIT("at f\n"), PLAIN, 1},
    {"gzip", FM_STR_INIT("at f\n"), {NULL, 0}, GZIP, 1},
    {"gzip of nothing", FM_STR_INIT(""), {NULL, 0}, GZIP, 1},
    {"two members", FM_STR_INIT("at f\n"), {NULL, 0}, GZIP_TWICE, 2},
    {"padding", FM_STR_INIT("at f\n"), {NULL, 0}, GZIP_PADDED, 1},
    {"zstd", FM_STR_INIT("at f\n"), {NULL, 0}, ZSTD, 1},
    {"two frames", FM_STR_INIT("at f\n"), {NULL, 0}, ZSTD_TWICE, 2},
    {"a frame without data before each", FM_STR_INIT("at f\n"), {NULL, 0}, ZSTD_SKIPPED, 2},
    {"begins like a frame without data", FM_STR_INIT("_*M"), {NULL, 0}, PLAIN, 1},
    {"UTF-16 in gzip", FM_STR_INIT("\0a\0t\0 \0f\0\n"), FM_STR_INIT("at f\n"), GZIP, 1},
};

static void make_bytes(struct fm_buf *out, framemap_str plain, enum make make)
{
    if (make == PLAIN) fm_buf_str(out, plain);
    if (make == GZIP || make == GZIP_TWICE || make == GZIP_PADDED) gzip_add(out, plain);
    if (make == GZIP_TWICE) gzip_add(out, plain);
    if (make == GZIP_PADDED) fm_buf_add(out, "\0\0\0\0", 4);
    for (int i = 0; i < 2 && make == ZSTD_SKIPPED; i++) {
        fm_buf_add(out, i == 0 ? "\x50\x2a\x4d\x18\4\0\0\0size" : "\x5f\x2a\x4d\x18\4\0\0\0size", 12);
        zstd_add(out, plain);
    }
    if (make == ZSTD || make == ZSTD_TWICE) zstd_add(out, plain);
    if (make == ZSTD_TWICE) zstd_add(out, plain);
}

static void repeat(struct fm_buf *out, framemap_str part, unsigned times)
{
    while (times--) fm_buf_str(out, part);
}

static void inputs(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_buf bytes, wanted, back;
        fm_buf_init(&bytes, &heap);
        fm_buf_init(&wanted, &heap);
        fm_buf_init(&back, &heap);
        make_bytes(&bytes, rows[i].bytes, rows[i].make);
        repeat(&wanted, rows[i].text.data ? rows[i].text : rows[i].bytes, rows[i].times);
        repeat(&back, rows[i].bytes, rows[i].times);
        for (size_t piece = 1; piece < 20; piece++) {
            struct run run;
            run_pieces(&heap, fm_buf_view(&bytes), piece, &run);
            if (run.status != FRAMEMAP_OK || !fm_str_equal(fm_buf_view(&run.text), fm_buf_view(&wanted)))
                fail_msg("%s, pieces of %zu: %s", rows[i].why, piece, run.error.message);
            if (!fm_str_equal(fm_buf_view(&run.output), fm_buf_view(&back))) fail_msg("%s: output", rows[i].why);
            assert_int_equal(run.bytes, back.size);
            free_run(&run);
        }
        fm_buf_free(&bytes);
        fm_buf_free(&wanted);
        fm_buf_free(&back);
    }
    assert_int_equal(atomic_load(&heap.used), 0);
}

/* Compressed data are truncated at each byte, and must be decompressed up to there. */
static void every_cut(void **state)
{
    (void)state;
    static const enum make makes[] = {GZIP, ZSTD};
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(makes); i++) {
        struct fm_buf bytes;
        fm_buf_init(&bytes, &heap);
        make_bytes(&bytes, TEXT, makes[i]);
        for (size_t size = FM_COMPRESSED_HEAD; size < bytes.size; size++) {
            struct run run;
            run_pieces(&heap, fm_str_slice(fm_buf_view(&bytes), 0, size), 7, &run);
            if (run.status != FRAMEMAP_E_TRUNCATED) fail_msg("%zu bytes: %d", size, run.status);
            assert_true(fm_str_starts(TEXT, fm_buf_view(&run.text)));
            assert_non_null(strstr(run.error.message, "at byte"));
            free_run(&run);
        }
        fm_buf_free(&bytes);
    }
}

static void damaged(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf bytes;
    struct run run;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&bytes, &heap);
    gzip_add(&bytes, TEXT);
    fm_buf_str(&bytes, FM_STR("more"));
    run_pieces(&heap, fm_buf_view(&bytes), 16, &run);
    assert_int_equal(run.status, FRAMEMAP_E_CORRUPT);
    assert_true(fm_str_equal(fm_buf_view(&run.text), TEXT));
    assert_int_equal(run.error.offset, bytes.size - 4);
    free_run(&run);
    bytes.data[bytes.size - 10] ^= 1; /* this changes a byte of the checksum */
    run_pieces(&heap, fm_buf_view(&bytes), 16, &run);
    assert_int_equal(run.status, FRAMEMAP_E_CORRUPT);
    free_run(&run);
    fm_buf_free(&bytes);
}

/* Compares what is passed on before an error, and the error, when damaged data come whole and in pieces. Returns
 * whether there was text before the damage. */
static bool damaged_pieces(struct fm_heap *heap, framemap_str bytes, const char *what, size_t at)
{
    static const size_t pieces[] = {1, 7, 100};
    struct run want, got;
    run_pieces(heap, bytes, bytes.size, &want);
    const bool read = want.text.size > 0 && want.status == FRAMEMAP_E_CORRUPT;
    for (size_t p = 0; p < COUNT_OF(pieces); p++) {
        run_pieces(heap, bytes, pieces[p], &got);
        if (got.status != want.status || (got.status != FRAMEMAP_OK && got.error.offset != want.error.offset) ||
            !fm_str_equal(fm_buf_view(&got.text), fm_buf_view(&want.text)))
            fail_msg("%s, byte %zu, pieces of %zu: %d and %d, %zu and %zu bytes, offset %llu and %llu", what, at,
                     pieces[p], want.status, got.status, want.text.size, got.text.size,
                     (unsigned long long)want.error.offset, (unsigned long long)got.error.offset);
        free_run(&got);
    }
    free_run(&want);
    return read;
}

/* Compressed data are damaged at each byte: the text before the damage does not depend on the pieces, and nor does the
 * offset that the error states. */
static void damaged_at_each_byte(void **state)
{
    (void)state;
    /* changes of a byte; in the first byte of zstd's header of a block, the type of the block is in bits 1 and 2 */
    static const char changes[] = {0x15, 0x04, 0x02, (char)0xff};
    static const struct {
        const char *what;
        framemap_str line;
        size_t times;
        enum make make;
    } cases[] = {
        {"a short text", FM_STR_INIT("short, without a line end"), 1, GZIP},
        {"lines", FM_STR_INIT("    at f (https://a.example/b.js:1:2)\n"), 8, GZIP},
        {"two blocks of zstd", FM_STR_INIT("    at f (https://a.example/b.js:1:2)\n"), (size_t)140 << 10 >> 5, ZSTD},
        {"a block of zstd that is not compressed", FM_STR_INIT("short"), 1, ZSTD}};
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fm_buf plain, bytes;
        size_t read = 0;
        fm_buf_init(&plain, &heap);
        fm_buf_init(&bytes, &heap);
        for (size_t t = 0; t < cases[i].times; t++) fm_buf_str(&plain, cases[i].line);
        make_bytes(&bytes, fm_buf_view(&plain), cases[i].make);
        for (size_t at = FM_COMPRESSED_HEAD; at < bytes.size; at++)
            for (size_t c = 0; c < COUNT_OF(changes); c++) {
                bytes.data[at] = (char)(bytes.data[at] ^ changes[c]);
                if (damaged_pieces(&heap, fm_buf_view(&bytes), cases[i].what, at)) read++;
                bytes.data[at] = (char)(bytes.data[at] ^ changes[c]);
            }
        if (read == 0) fail_msg("%s: no text before any damage", cases[i].what);
        fm_buf_free(&bytes);
        fm_buf_free(&plain);
    }
}

/* Tests data that are a hundred megabytes when they are decompressed, with a memory ceiling of one megabyte. They are
 * passed on in pieces. */
static framemap_status count(void *context, framemap_str piece, framemap_error *error)
{
    (void)error;
    *(uint64_t *)context += piece.size;
    return FRAMEMAP_OK;
}

static void bomb(void **state)
{
    (void)state;
    enum { MOST = 1 << 20, TIMES = 100 };
    struct fm_heap heap, small;
    struct fm_buf bytes, zeros;
    struct fm_text_input input;
    framemap_error error;
    uint64_t total = 0;
    fm_heap_init(&heap, NULL, 0);
    fm_heap_init(&small, NULL, MOST);
    fm_buf_init(&bytes, &heap);
    fm_buf_init(&zeros, &heap);
    for (size_t i = 0; i < MOST; i++) fm_buf_byte(&zeros, 'a');
    for (int i = 0; i < TIMES; i++) gzip_add(&bytes, fm_buf_view(&zeros));
    fm_text_input_init(&input, &small, count, &total);
    assert_int_equal(fm_text_input_feed(&input, fm_buf_view(&bytes), &error), FRAMEMAP_OK);
    assert_int_equal(fm_text_input_end(&input, &error), FRAMEMAP_OK);
    assert_int_equal(total, (uint64_t)MOST * TIMES);
    fm_text_input_free(&input);
    fm_buf_free(&bytes);
    fm_buf_free(&zeros);
}

static void short_of_memory(void **state)
{
    (void)state;
    struct fm_heap heap, counted;
    struct fm_buf bytes;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&bytes, &heap);
    gzip_add(&bytes, FM_STR("\0a\0t\0 \0f\0\n"));
    for (size_t fail_at = 0;; fail_at++) {
        struct failing failing = {.fail_at = fail_at};
        const framemap_allocator hook = {failing_resize, &failing};
        struct fm_text_input input;
        struct fm_buf out;
        framemap_error error;
        fm_heap_init(&counted, &hook, 0);
        fm_buf_init(&out, &heap);
        fm_text_input_init(&input, &counted, take, &out);
        framemap_status status = fm_text_input_feed(&input, fm_buf_view(&bytes), &error);
        if (status == FRAMEMAP_OK) status = fm_text_input_end(&input, &error);
        fm_text_input_free(&input);
        fm_buf_free(&out);
        assert_int_equal(failing.blocks, 0);
        if (status == FRAMEMAP_OK) break;
        assert_int_equal(status, FRAMEMAP_E_MEMORY);
    }
    fm_buf_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inputs),  cmocka_unit_test(every_cut),
                                       cmocka_unit_test(damaged), cmocka_unit_test(damaged_at_each_byte),
                                       cmocka_unit_test(bomb),    cmocka_unit_test(short_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
