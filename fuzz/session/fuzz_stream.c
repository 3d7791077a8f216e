/* Passes any text to a stream in pieces; the input chooses the sizes of the pieces, the format, the output and the
 * flushes. Properties: without a flush, the output is the same as in one piece; with flushes and without symbols,
 * the output "text" is the text itself. */
#include "core/archive/inflate_input.h"
#include "core/text/buffer.h"
#include <framemap/framemap.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds) abort();
}

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

/* Returns the size of the next piece: a pseudo-random number from 1 to 64 bytes; every eighth piece is longer. */
static size_t next_piece(uint32_t *seed)
{
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    const size_t size = 1 + (*seed >> 16) % 64;
    return *seed >> 28 == 0 ? size * 97 : size;
}

static void feed(framemap_session *session, framemap_str text, const framemap_stream_options *options, uint32_t seed,
                 bool flushes, struct fm_buf *out)
{
    framemap_stream *stream;
    framemap_error error;
    must(framemap_stream_open(session, options, gather, out, &stream, &error) == FRAMEMAP_OK);
    for (size_t at = 0, size; at < text.size; at += size) {
        size = next_piece(&seed);
        if (size > text.size - at) size = text.size - at;
        must(framemap_stream_feed(stream, (framemap_str){text.data + at, size}, &error) == FRAMEMAP_OK);
        if (flushes && seed >> 29 == 0) {
            must(framemap_stream_flush(stream, &error) == FRAMEMAP_OK);
            must(!framemap_stream_waits(stream));
        }
        if (framemap_stream_in_document(stream)) must(framemap_stream_waits(stream));
        uint64_t last_line;
        if (framemap_stream_others_wait(stream, &last_line)) must(last_line > 0 && framemap_stream_waits(stream));
    }
    must(framemap_stream_close(stream, NULL, &error) == FRAMEMAP_OK);
}

static void whole(framemap_session *session, framemap_str text, const framemap_stream_options *options,
                  struct fm_buf *out)
{
    framemap_stream *stream;
    framemap_error error;
    must(framemap_stream_open(session, options, gather, out, &stream, &error) == FRAMEMAP_OK);
    must(framemap_stream_feed(stream, text, &error) == FRAMEMAP_OK);
    must(framemap_stream_close(stream, NULL, &error) == FRAMEMAP_OK);
}

static const char *format_of(unsigned choice)
{
    size_t count;
    const framemap_format_info *const *formats = framemap_format_list(&count);
    const framemap_format_info *format = choice % (2 * count) < count ? formats[choice % count] : NULL;
    return format && format->reads ? format->name : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const framemap_session_options about = {.size = sizeof about, .cache_path = ""};
    framemap_session *session;
    framemap_error error;
    struct fm_heap heap;
    struct fm_buf one, many;
    if (size < 4) return 0;
    const framemap_str text = {(const char *)data + 4, size - 4};
    /* a compressed text is not tested: it is written decompressed, and may be damaged */
    if (fm_is_compressed(text)) return 0;
    const uint32_t seed = (uint32_t)data[0] << 8 | data[1];
    framemap_stream_options options = {.size = sizeof options,
                                       .restore = {.size = sizeof options.restore, .format = format_of(data[2])},
                                       .hold_bytes = data[3] & 2 ? 1 << 12 : 0};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&one, &heap);
    fm_buf_init(&many, &heap);
    must(framemap_session_open(&about, &session, &error) == FRAMEMAP_OK);
    feed(session, text, &options, seed, true, &many);
    must(fm_str_equal(fm_buf_view(&many), text));
    fm_buf_clear(&many);
    static const char *const outputs[] = {"text", "json", "plain", "markdown"};
    options.restore.output = outputs[(data[3] & 1) | (data[3] & 4) >> 1];
    feed(session, text, &options, seed, false, &many);
    whole(session, text, &options, &one);
    must(fm_str_equal(fm_buf_view(&many), fm_buf_view(&one)));
    framemap_session_close(session);
    fm_buf_free(&one);
    fm_buf_free(&many);
    return 0;
}
