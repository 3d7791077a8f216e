/* Decodes any text as Dart's decoder does, and converts it to Dart's format, with the program of corpus/dart
 * available. The first byte of the input selects which lines are printed, and whether traces of other builds are
 * decoded too. Properties:
 *  - a text that is passed line by line gives the same output as a text that is passed as a whole;
 *  - converting a trace that was converted does not change it;
 *  - all memory is freed. */
#include "core/text/buffer.h"
#include <framemap/framemap.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)            \
    do {                           \
        if (!(condition)) abort(); \
    } while (0)
#define SYMBOLS FM_SOURCE_DIR "/corpus/dart/app.x64-3.10.symbols"

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static framemap_session *session;
static const framemap_index *program;

static void open_program(void)
{
    static const char *const paths[] = {SYMBOLS};
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = paths,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .max_memory = (uint64_t)512 << 20};
    const framemap_image_query want = {.path = framemap_str_of(SYMBOLS)};
    if (session) return;
    MUST(framemap_session_open(&options, &session, NULL) == FRAMEMAP_OK);
    MUST(framemap_session_index(session, &want, &program, NULL) == FRAMEMAP_OK);
}

/* Passes the text line by line, or as a whole. */
static void decode(const framemap_dart_options *options, framemap_str text, bool by_line, struct fm_buf *out)
{
    framemap_dart_decoder *decoder = NULL;
    MUST(framemap_dart_decoder_create(program, options, &decoder, NULL) == FRAMEMAP_OK);
    while (text.size) {
        const size_t end = by_line ? fm_str_find_byte(text, '\n') : FM_NOT_FOUND;
        const framemap_str part = fm_str_slice(text, 0, end == FM_NOT_FOUND ? text.size : end + 1);
        MUST(framemap_dart_decoder_text(decoder, part, gather, out, NULL) == FRAMEMAP_OK);
        text = fm_str_from(text, part.size);
    }
    framemap_dart_decoder_free(decoder);
}

static void check_decoder(const framemap_dart_options *options, framemap_str text, struct fm_heap *heap)
{
    struct fm_buf whole, parts;
    fm_buf_init(&whole, heap);
    fm_buf_init(&parts, heap);
    decode(options, text, false, &whole);
    decode(options, text, true, &parts);
    MUST(fm_str_equal(fm_buf_view(&whole), fm_buf_view(&parts)));
    fm_buf_free(&whole);
    fm_buf_free(&parts);
}

static void convert(framemap_str text, struct fm_buf *out)
{
    framemap_trace_list list = {NULL, 0, NULL};
    MUST(framemap_trace_parse(text, NULL, &list, NULL) == FRAMEMAP_OK);
    MUST(framemap_session_write_dart(session, &list, gather, out, NULL, NULL) == FRAMEMAP_OK);
    framemap_trace_list_free(&list);
}

static void check_conversion(framemap_str text, struct fm_heap *heap)
{
    struct fm_buf once, twice;
    fm_buf_init(&once, heap);
    fm_buf_init(&twice, heap);
    convert(text, &once);
    convert(fm_buf_view(&once), &twice);
    MUST(fm_str_equal(fm_buf_view(&once), fm_buf_view(&twice)));
    fm_buf_free(&once);
    fm_buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    const unsigned how = size ? data[0] : 0;
    const framemap_str text = fm_str(size ? data + 1 : data, size ? size - 1 : 0);
    const framemap_dart_options options = {.size = sizeof options, .internal_frames = how & 1, .any_build = how & 2};
    open_program();
    fm_heap_init(&heap, NULL, 0);
    check_decoder(&options, text, &heap);
    check_conversion(text, &heap);
    MUST(atomic_load(&heap.used) == 0);
    return 0;
}
