/* Implements text_input.h. Bytes are stored only until the input is recognized. To detect compression, up to
 * FM_COMPRESSED_HEAD bytes are needed; to detect the form of the text, its first line, or at most FM_FORM_HEAD
 * bytes. */
#include "session/restore/text_input.h"

#include "core/error.h"

void fm_text_input_init(struct fm_text_input *input, struct fm_heap *heap, fm_inflated *taken, void *context)
{
    *input = (struct fm_text_input){.heap = heap, .taken = taken, .context = context};
    fm_buf_init(&input->head, heap);
    fm_buf_init(&input->piece, heap);
}

void fm_text_input_free(struct fm_text_input *input)
{
    fm_inflater_free(input->inflater);
    fm_buf_free(&input->head);
    fm_buf_free(&input->piece);
    input->inflater = NULL;
}

bool fm_text_is_plain(framemap_str text) { return !fm_is_compressed(text) && fm_text_form_of(text) == FM_FORM_PLAIN; }

/* --- converting the text between its form (encoding and line ends) and UTF-8 --- */

static framemap_status hand_on(struct fm_text_input *input, framemap_str text, framemap_error *error)
{
    if (input->reader.form == FM_FORM_PLAIN) return text.size ? input->taken(input->context, text, error) : FRAMEMAP_OK;
    fm_buf_clear(&input->piece);
    fm_form_read(&input->reader, text, &input->piece);
    if (input->piece.failed) return fm_error_memory(error);
    return input->piece.size ? input->taken(input->context, fm_buf_view(&input->piece), error) : FRAMEMAP_OK;
}

static framemap_status recognize(struct fm_text_input *input, framemap_str text, framemap_error *error)
{
    input->recognized = true;
    input->reader.form = input->writer.form = fm_text_form_of(text);
    return hand_on(input, text, error);
}

/* Passes on the stored bytes. The buffer is emptied first, since its bytes are not needed any more to recognize the
 * input. */
static framemap_status recognize_kept(struct fm_text_input *input, framemap_error *error)
{
    struct fm_buf kept = input->head;
    fm_buf_init(&input->head, input->heap);
    const framemap_status status = recognize(input, fm_buf_view(&kept), error);
    fm_buf_free(&kept);
    return status;
}

/* Receives decompressed bytes. */
static framemap_status take_text(void *context, framemap_str text, framemap_error *error)
{
    struct fm_text_input *input = context;
    input->bytes += text.size;
    if (input->recognized) return hand_on(input, text, error);
    if (input->head.size == 0 && fm_text_form_is_certain(text)) return recognize(input, text, error);
    if (!fm_buf_str(&input->head, text)) return fm_error_memory(error);
    return fm_text_form_is_certain(fm_buf_view(&input->head)) ? recognize_kept(input, error) : FRAMEMAP_OK;
}

/* --- decompressing the input --- */

/* Passes on the end of the text: what is stored to recognize the form, and a character that is not complete. */
static framemap_status hand_on_end(struct fm_text_input *input, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (!input->recognized && input->head.size) status = recognize_kept(input, error);
    if (status != FRAMEMAP_OK) return status;
    fm_buf_clear(&input->piece);
    fm_form_read_end(&input->reader, &input->piece);
    if (input->piece.failed) return fm_error_memory(error);
    return input->piece.size ? input->taken(input->context, fm_buf_view(&input->piece), error) : FRAMEMAP_OK;
}

static framemap_status give(struct fm_text_input *input, framemap_str bytes, framemap_error *error)
{
    if (input->inflater == NULL) return take_text(input, bytes, error);
    const framemap_status status = fm_inflater_feed(input->inflater, bytes, take_text, input, error);
    if (status != FRAMEMAP_E_CORRUPT) return status;
    const framemap_status end = hand_on_end(input, error);
    return end == FRAMEMAP_OK ? status : end;
}

static framemap_status open_input(struct fm_text_input *input, framemap_str bytes, framemap_error *error)
{
    input->opened = true;
    if (fm_is_compressed(bytes)) {
        const framemap_status status = fm_inflater_open(bytes, input->heap, &input->inflater, error);
        if (status != FRAMEMAP_OK) return status;
    }
    return give(input, bytes, error);
}

static framemap_status open_kept(struct fm_text_input *input, framemap_error *error)
{
    struct fm_buf kept = input->head;
    fm_buf_init(&input->head, input->heap);
    const framemap_status status = open_input(input, fm_buf_view(&kept), error);
    fm_buf_free(&kept);
    return status;
}

static bool may_be_compressed(framemap_str head)
{
    return head.size < FM_COMPRESSED_HEAD && fm_may_be_compressed(head) && !fm_is_compressed(head);
}

framemap_status fm_text_input_feed(struct fm_text_input *input, framemap_str piece, framemap_error *error)
{
    if (piece.size == 0) return FRAMEMAP_OK;
    if (input->opened) return give(input, piece, error);
    if (input->head.size == 0 && !may_be_compressed(piece)) return open_input(input, piece, error);
    if (!fm_buf_str(&input->head, piece)) return fm_error_memory(error);
    return may_be_compressed(fm_buf_view(&input->head)) ? FRAMEMAP_OK : open_kept(input, error);
}

framemap_status fm_text_input_flush(struct fm_text_input *input, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (!input->opened && input->head.size) status = open_kept(input, error);
    if (status == FRAMEMAP_OK && !input->recognized && input->head.size) status = recognize_kept(input, error);
    return status;
}

framemap_status fm_text_input_end(struct fm_text_input *input, framemap_error *error)
{
    framemap_status status = fm_text_input_flush(input, error);
    if (status == FRAMEMAP_OK) status = hand_on_end(input, error);
    if (status == FRAMEMAP_OK && input->inflater) status = fm_inflater_end(input->inflater, error);
    return status;
}

/* --- output --- */

bool fm_text_input_write(void *context, const char *data, size_t size)
{
    struct fm_text_input *input = context;
    enum { STEP = 64 << 10 };
    if (!input->writes_back || input->writer.form == FM_FORM_PLAIN)
        return input->write(input->write_context, data, size);
    for (size_t at = 0; at < size; at += STEP) {
        struct fm_buf out;
        fm_buf_init(&out, input->heap);
        fm_form_write(&input->writer, fm_str_slice(fm_str(data, size), at, at + STEP), &out);
        const bool written = !out.failed && (out.size == 0 || input->write(input->write_context, out.data, out.size));
        fm_buf_free(&out);
        if (!written) return false;
    }
    return true;
}

bool fm_text_input_write_end(struct fm_text_input *input)
{
    struct fm_buf out;
    if (!input->writes_back || input->writer.form == FM_FORM_PLAIN) return true;
    fm_buf_init(&out, input->heap);
    fm_form_write_end(&input->writer, &input->reader, &out);
    const bool written = !out.failed && (out.size == 0 || input->write(input->write_context, out.data, out.size));
    fm_buf_free(&out);
    return written;
}
