/* Restores any bytes as rows of a table, in pieces and with options that the input chooses. Properties: without
 * symbols the rows are written byte for byte as they are; with symbols the output has one row for each input row,
 * and rows in which nothing is restored are unchanged; the output does not depend on where the input is cut. */
#include "core/text/buffer.h"
#include "fuzz/support/harness_help.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static framemap_rows_options options_of(const uint8_t *data)
{
    static const char *const columns[] = {NULL, "2", "3", "1"};
    static const char *const members[] = {"a", "exception.stacktrace", "/a/0", NULL};
    framemap_rows_options options = {.size = sizeof options};
    options.format = data[0] & 1 ? "ndjson" : "tsv";
    options.field = (data[0] & 1 ? members : columns)[data[0] >> 1 & 3];
    options.status = data[0] & 8 ? "what" : NULL;
    options.only_field = data[0] & 16;
    options.chunk_header = data[0] & 32;
    options.answer_header = data[0] & 64;
    options.max_row_bytes = data[0] & 128 ? 100 : 0;
    options.build = data[0] & 1 ? "build" : "2";
    return options;
}

/* Returns the size of the next piece: a pseudo-random number from 1 to 64 bytes; every eighth piece is longer. If *seed
 * is 0, returns `most`, so that all bytes are in one piece. */
static size_t next_piece(uint32_t *seed, size_t most)
{
    if (*seed == 0) return most;
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    size_t size = 1 + (*seed >> 16) % 64;
    if (*seed >> 28 == 0) size *= 97;
    return size < most ? size : most;
}

static framemap_status run(framemap_session *session, const framemap_rows_options *options, framemap_str input,
                           uint32_t seed, struct fm_buf *out, framemap_rows_summary *summary)
{
    framemap_rows *rows;
    framemap_error error;
    framemap_status status = FRAMEMAP_OK;
    fm_buf_clear(out);
    *summary = (framemap_rows_summary){.rows = 0};
    must(framemap_rows_open(session, options, gather, out, &rows, &error) == FRAMEMAP_OK);
    for (size_t at = 0, size; at < input.size && status == FRAMEMAP_OK; at += size) {
        size = next_piece(&seed, input.size - at);
        status = framemap_rows_feed(rows, fm_str(input.data + at, size), &error);
    }
    const framemap_status end = framemap_rows_close(rows, summary, &error);
    must(status == FRAMEMAP_OK || end == status);
    must(end == FRAMEMAP_OK || (options->chunk_header && (end == FRAMEMAP_E_CORRUPT || end == FRAMEMAP_E_TRUNCATED)));
    return end;
}

static size_t line_ends(framemap_str text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) count += text.data[i] == '\n';
    return count;
}

static bool next_line(framemap_str *rest, framemap_str *line)
{
    if (rest->size == 0) return false;
    const size_t newline = fm_str_find_byte(*rest, '\n');
    *line = fm_str_slice(*rest, 0, newline == FM_NOT_FOUND ? rest->size : newline);
    *rest = fm_str_from(*rest, newline == FM_NOT_FOUND ? rest->size : newline + 1);
    return true;
}

/* Checks, for the format tsv, that rows whose stacks have no frame to restore are unchanged except for the added
 * status. A row in which all frames are unmapped may change, because the class in its title may be restored. */
static void check_statuses(framemap_str input, framemap_str output)
{
    framemap_str before, after;
    while (next_line(&input, &before)) {
        must(next_line(&output, &after));
        if (after.size && after.data[after.size - 1] == '\r') after.size--;
        const size_t tab = fm_str_find_last_byte(after, '\t');
        must(tab != FM_NOT_FOUND);
        const framemap_str status = fm_str_from(after, tab + 1);
        if (fm_str_equal(status, FM_STR("restored")) || fm_str_equal(status, FM_STR("partial")) ||
            fm_str_equal(status, FM_STR("unmapped")))
            continue;
        if (before.size && before.data[before.size - 1] == '\r') before.size--;
        must(fm_str_starts(after, before));
    }
    must(output.size == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_buf one, many;
    framemap_rows_summary summary, again;
    if (size < 3) return 0;
    framemap_rows_options options = options_of(data);
    const framemap_str input = {(const char *)data + 3, size - 3};
    const uint32_t seed = (uint32_t)data[1] << 8 | data[2] | 1u << 16;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&one, &heap);
    fm_buf_init(&many, &heap);

    framemap_status status = run(fuzz_demo_session(true), &options, input, 0, &one, &summary);
    must(run(fuzz_demo_session(true), &options, input, seed, &many, &again) == status);
    must(fm_str_equal(fm_buf_view(&one), fm_buf_view(&many)));
    must(summary.rows == again.rows && summary.unreadable == again.unreadable);
    const bool has_headers = options.chunk_header && !options.answer_header;
    if (status == FRAMEMAP_OK && !has_headers) must(line_ends(fm_buf_view(&one)) == line_ends(input));
    if (status == FRAMEMAP_OK && has_headers) must(line_ends(fm_buf_view(&one)) <= summary.rows);
    const bool is_whole_tsv = !(data[0] & 1) && !options.only_field && !options.chunk_header && !options.max_row_bytes;
    if (options.status && is_whole_tsv) check_statuses(input, fm_buf_view(&one));

    options.status = NULL;
    options.only_field = false;
    options.answer_header = true;
    status = run(fuzz_demo_session(false), &options, input, seed, &many, &summary);
    if (status != FRAMEMAP_E_CORRUPT) must(fm_str_equal(fm_buf_view(&many), input));
    fm_buf_free(&one);
    fm_buf_free(&many);
    return 0;
}
