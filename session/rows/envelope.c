/* Implements framemap_document_restore. If the document is an envelope of Sentry (develop.sentry.dev, "Envelopes"),
 * each item in it is restored on its own; any other document is restored as one text. */
#include "api/option_structs.h"
#include "core/error.h"
#include "core/json/json_walk.h"
#include "formats/object_edit.h"
#include "session/rows/row_text.h"
#include <framemap/envelope.h>

/* --- reading the form of an envelope --- */

struct item {
    framemap_str header, payload; /* the header is a line, without its line end */
    bool has_length;
};

static framemap_str next_line(framemap_str rest)
{
    const size_t newline = fm_str_find_byte(rest, '\n');
    return fm_str_slice(rest, 0, newline == FM_NOT_FOUND ? rest.size : newline);
}

/* Reads the header of an item. type: empty if the header has no type; *length: -1 if the header has no length. Returns
 * false if the header is not a valid JSON object. */
static bool read_header(framemap_str line, framemap_str *type, int64_t *length)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    *type = (framemap_str){NULL, 0};
    *length = -1;
    fm_json_walk_init(&walk, line);
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT)) return false;
    while (fm_json_walk_next(&walk, &key, &value)) {
        if (fm_json_piece_equals(&key, FM_STR("type")) && value.type == FM_JSON_STRING) *type = value.raw;
        if (fm_json_piece_equals(&key, FM_STR("length")) &&
            (!fm_json_piece_is(&value, FM_JSON_NUMBER) || !fm_json_piece_integer(&value, length) || *length < 0))
            return false;
    }
    return !walk.failed && fm_json_walk_done(&walk);
}

/* Reads the item at the start of `rest`. Returns false if there is no item, or if it is damaged. */
static bool read_item(framemap_str rest, struct item *out)
{
    framemap_str type;
    int64_t length;
    out->header = next_line(rest);
    if (!read_header(out->header, &type, &length) || type.size == 0) return false;
    rest = fm_str_from(rest, out->header.size + 1);
    out->has_length = length >= 0;
    if (!out->has_length) {
        out->payload = next_line(rest);
        return true;
    }
    if ((uint64_t)length > rest.size) return false;
    out->payload = fm_str_slice(rest, 0, (size_t)length);
    return out->payload.size == rest.size || rest.data[out->payload.size] == '\n';
}

/* Whether the first line is the header of an envelope, and an item follows. */
static bool is_envelope(framemap_str document)
{
    framemap_str type;
    int64_t length;
    struct item item;
    const framemap_str first = next_line(document);
    if (first.size == 0 || first.data[0] != '{' || first.size == document.size) return false;
    return read_header(first, &type, &length) && type.size == 0 &&
           read_item(fm_str_from(document, first.size + 1), &item);
}

/* --- restoring the items of an envelope --- */

struct envelope_job {
    struct fm_row_text text;
    framemap_restore_summary summary;
    struct fm_buf out;
    uint64_t line1;
};

static bool is_text(framemap_str payload) { return fm_str_find_byte(payload, '\0') == FM_NOT_FOUND; }

static framemap_status put_item(struct envelope_job *job, const struct item *item, framemap_error *error)
{
    framemap_str restored = item->payload;
    if (is_text(item->payload)) {
        const framemap_status status = fm_row_text_restore(&job->text, item->payload, job->line1 + 1, &restored, error);
        if (status != FRAMEMAP_OK) return status;
        fm_row_text_count(&job->text, job->text.job.summary.first_malformed_line, &job->summary);
    }
    const bool changed = !fm_str_equal(restored, item->payload);
    const bool has_length = item->has_length || fm_str_find_byte(restored, '\n') != FM_NOT_FOUND;
    const struct fm_edit edit = {.name = FM_STR("length"),
                                 .kind = changed && has_length ? FM_EDIT_NUMBER : FM_EDIT_NONE,
                                 .number = restored.size};
    fm_object_edit(&job->out, item->header, &edit, 1);
    fm_buf_byte(&job->out, '\n');
    fm_buf_str(&job->out, restored);
    return FRAMEMAP_OK;
}

static framemap_status restore_items(struct envelope_job *job, framemap_str document, framemap_error *error)
{
    const framemap_str first = next_line(document);
    framemap_status status = FRAMEMAP_OK;
    framemap_str rest = fm_str_from(document, first.size + 1);
    struct item item;
    fm_buf_str(&job->out, fm_str_slice(document, 0, first.size + 1));
    job->line1 = 2;
    while (status == FRAMEMAP_OK && read_item(rest, &item)) {
        const bool last = item.payload.data + item.payload.size == rest.data + rest.size;
        const bool header_only = item.header.size == rest.size;
        if (header_only) break;
        status = put_item(job, &item, error);
        if (!last) fm_buf_byte(&job->out, '\n');
        const size_t size = item.header.size + 1 + item.payload.size + !last;
        job->line1 += fm_str_count_byte(fm_str_slice(rest, 0, size), '\n');
        rest = fm_str_from(rest, size);
    }
    fm_buf_str(&job->out, rest);
    return status == FRAMEMAP_OK && job->out.failed ? fm_error_memory(error) : status;
}

static framemap_status restore_envelope(framemap_session *session, framemap_str document,
                                        const framemap_restore_options *options, framemap_write write, void *context,
                                        framemap_restore_summary *summary, framemap_error *error)
{
    struct envelope_job *job = fm_heap_zalloc(&session->heap, 1, sizeof *job);
    if (job == NULL) return fm_error_memory(error);
    fm_buf_init(&job->out, &session->heap);
    framemap_status status = fm_row_text_open(&job->text, session, options, error);
    if (status == FRAMEMAP_OK) status = restore_items(job, document, error);
    if (status == FRAMEMAP_OK && job->out.size && !write(context, job->out.data, job->out.size))
        status = fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
    if (status == FRAMEMAP_OK && summary) *summary = job->summary;
    fm_row_text_close(&job->text);
    fm_buf_free(&job->out);
    fm_heap_free(&session->heap, job, sizeof *job);
    return status;
}

framemap_status framemap_document_restore(framemap_session *session, framemap_str document,
                                          const framemap_restore_options *options, framemap_write write, void *context,
                                          framemap_restore_summary *summary, framemap_error *error)
{
    framemap_restore_options given;
    if (session == NULL || write == NULL || document.data == NULL || !is_envelope(document))
        return framemap_session_restore(session, document, options, write, context, summary, error);
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (!fm_session_writes_text(&given))
        return framemap_session_restore(session, document, options, write, context, summary, error);
    status = fm_session_check_restore(&given, error);
    if (status == FRAMEMAP_OK) status = restore_envelope(session, document, &given, write, context, summary, error);
    return fm_session_memory_fault(session, status, error);
}
