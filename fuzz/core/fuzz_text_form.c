/* Reads any bytes, in pieces, as a text in each form (UTF-8, UTF-16 …). Properties: reading and writing back gives
 * the input, wherever it is cut; for each part of the text its size in the original form is known. */
#include "core/text/text_form.h"
#include <stdlib.h>

static void must(bool holds)
{
    if (!holds) abort();
}

static void read_all(struct fm_form_reader *reader, framemap_str bytes, size_t piece, struct fm_buf *out)
{
    for (size_t at = 0; at < bytes.size; at += piece) fm_form_read(reader, fm_str_slice(bytes, at, at + piece), out);
    fm_form_read_end(reader, out);
}

static void write_all(struct fm_form_writer *writer, const struct fm_form_reader *reader, framemap_str text,
                      size_t piece, struct fm_buf *out)
{
    for (size_t at = 0; at < text.size; at += piece) fm_form_write(writer, fm_str_slice(text, at, at + piece), out);
    fm_form_write_end(writer, reader, out);
}

static void round_trip(struct fm_heap *heap, enum fm_text_form form, framemap_str bytes, size_t piece)
{
    struct fm_form_reader reader = {.form = form}, whole = {.form = form};
    struct fm_form_writer writer = {.form = form};
    struct fm_buf text, same, back;
    fm_buf_init(&text, heap);
    fm_buf_init(&same, heap);
    fm_buf_init(&back, heap);
    read_all(&reader, bytes, piece, &text);
    read_all(&whole, bytes, bytes.size + 1, &same);
    must(fm_str_equal(fm_buf_view(&text), fm_buf_view(&same)));
    write_all(&writer, &reader, fm_buf_view(&text), piece, &back);
    must(fm_str_equal(fm_buf_view(&back), bytes));
    must(fm_form_size(form, fm_buf_view(&text)) + (reader.has_odd ? 1 : 0) == bytes.size);
    fm_buf_free(&text);
    fm_buf_free(&same);
    fm_buf_free(&back);
}

/* Writes bytes that are not valid UTF-8, as names in symbol files may be. The output must be the same wherever the
 * bytes are cut. */
static void write_any(struct fm_heap *heap, enum fm_text_form form, framemap_str bytes, size_t piece)
{
    const struct fm_form_reader none = {.form = form};
    struct fm_form_writer writer = {.form = form}, whole = {.form = form};
    struct fm_buf out, same;
    fm_buf_init(&out, heap);
    fm_buf_init(&same, heap);
    write_all(&writer, &none, bytes, piece, &out);
    write_all(&whole, &none, bytes, bytes.size + 1, &same);
    must(fm_str_equal(fm_buf_view(&out), fm_buf_view(&same)));
    fm_buf_free(&out);
    fm_buf_free(&same);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    if (size < 1) return 0;
    const framemap_str bytes = fm_str(data + 1, size - 1);
    const size_t piece = 1 + data[0] % 17;
    fm_heap_init(&heap, NULL, 0);
    (void)fm_text_form_of(bytes);
    for (int form = FM_FORM_PLAIN; form <= FM_FORM_CR; form++) {
        round_trip(&heap, (enum fm_text_form)form, bytes, piece);
        write_any(&heap, (enum fm_text_form)form, bytes, piece);
    }
    must(atomic_load(&heap.used) == 0);
    return 0;
}
