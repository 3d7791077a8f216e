/* Restores any bytes as a document. Properties: without symbols, a JSON document is written byte for byte as it is;
 * a restored document can be restored again. */
#include "core/text/buffer.h"
#include "fuzz/support/harness_help.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static framemap_status restore(bool symbols, framemap_str text, struct fm_buf *out)
{
    framemap_restore_summary summary;
    framemap_error error;
    fm_buf_clear(out);
    const framemap_status status =
        framemap_document_restore(fuzz_demo_session(symbols), text, NULL, gather, out, &summary, &error);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_TRUNCATED);
    must(status != FRAMEMAP_OK || summary.restored + summary.unmapped == summary.frames);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const framemap_str text = fm_str(data, size);
    struct fm_heap heap;
    struct fm_buf out, again;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    fm_buf_init(&again, &heap);
    const bool is_plain = size > 0 && data[0] == '{'; /* whether the input is neither compressed nor UTF-16 */
    if (restore(false, text, &out) == FRAMEMAP_OK && is_plain) must(fm_str_equal(fm_buf_view(&out), text));
    if (restore(true, text, &out) == FRAMEMAP_OK && is_plain)
        must(restore(true, fm_buf_view(&out), &again) == FRAMEMAP_OK);
    fm_buf_free(&out);
    fm_buf_free(&again);
    return 0;
}
