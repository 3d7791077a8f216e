/* Implements the calls on framemap_rows: splits the input into rows, restores one field of each row (row_text.h) and
 * writes the row. row_shape.h has the functions for each format of rows. */
#include "api/option_structs.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/scan.h"
#include "session/catalog/text_scope.h"
#include "session/rows/row_shape.h"
#include "session/rows/row_text.h"
#include <framemap/rows.h>

#define FLUSH ((size_t)64 << 10) /* size of the buffered output at which it is written */

enum { FIELD, APP, BUILD, PATHS };

struct framemap_rows {
    framemap_session *session;
    const struct fm_row_shape *shape;
    struct fm_arena arena; /* memory of the options' strings */
    struct fm_row_path paths[PATHS];
    framemap_str status_name;
    bool has_status, only_field, chunk_header, answer_header;
    size_t most; /* greatest size of a row in bytes */

    struct fm_row_text text;
    struct fm_arena scratch;    /* memory for one row */
    struct fm_arena scopes;     /* memory of `scope` */
    const framemap_scope *base; /* scope in the options; NULL: the options have no scope */
    framemap_scope scope;       /* scope of the previous row */
    struct fm_buf line;         /* start of a row whose end is not in the input so far */
    struct fm_buf row;          /* a restored row, before the status is added */
    struct fm_buf out;
    framemap_write write;
    void *context;
    bool within;    /* the current row is too large; the rest of it is passed on unchanged */
    uint64_t line1; /* number of the last line that was read */
    uint64_t left;  /* if blocks of rows have headers: number of rows of the current block that were not read yet */
    framemap_status failed;
    framemap_rows_summary summary;
};

static framemap_status write_out(struct framemap_rows *rows, framemap_error *error)
{
    const bool good = rows->out.size == 0 || rows->write(rows->context, rows->out.data, rows->out.size);
    const bool failed = rows->out.failed || rows->row.failed;
    fm_buf_clear(&rows->out);
    if (failed) return fm_error_memory(error);
    return good ? FRAMEMAP_OK : fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
}

/* --- counting the results of rows --- */

static enum fm_row_outcome outcome_of(const framemap_restore_summary *sum)
{
    if (sum->frames == 0) return FM_ROW_NONE;
    if (sum->restored == 0) return FM_ROW_UNMAPPED;
    return sum->unmapped == 0 ? FM_ROW_RESTORED : FM_ROW_PARTIAL;
}

static void note_unreadable(struct framemap_rows *rows, const char *why)
{
    if (rows->summary.unreadable++ > 0) return;
    rows->summary.first_unreadable_line = rows->line1;
    rows->summary.unreadable_reason = why;
}

/* --- one row --- */

/* A row, as it is read and as it will be written. */
struct answer {
    framemap_str row; /* the row as it was read, without its line end */
    struct fm_row_value field;
    framemap_str text; /* new text of the field; set only if `changed` is set */
    bool changed;
    enum fm_row_outcome outcome;
};

static void put_fields(const struct framemap_rows *rows, const struct answer *answer, struct fm_buf *out)
{
    const framemap_str row = answer->row, raw = answer->field.raw;
    const size_t from = raw.data ? (size_t)(raw.data - row.data) : 0;
    if (!rows->only_field) fm_buf_str(out, fm_str_slice(row, 0, answer->changed ? from : row.size));
    if (answer->changed)
        rows->shape->put(out, &answer->field, answer->text);
    else if (rows->only_field)
        fm_buf_str(out, raw);
    if (!rows->only_field && answer->changed) fm_buf_str(out, fm_str_from(row, from + raw.size));
}

static void put_row(struct framemap_rows *rows, const struct answer *answer, framemap_str eol)
{
    const bool adds = rows->has_status && (rows->shape->has_columns || answer->outcome != FM_ROW_UNREADABLE);
    if (!adds) {
        put_fields(rows, answer, &rows->out);
    } else {
        fm_buf_clear(&rows->row);
        put_fields(rows, answer, &rows->row);
        rows->shape->put_status(&rows->out, fm_buf_view(&rows->row), rows->status_name,
                                fm_row_outcome_name(answer->outcome));
    }
    fm_buf_str(&rows->out, eol);
}

/* Reads the field that contains the name of an app or of a build. If the row has no value for it, *out is not changed.
 * Returns false if out of memory. */
static bool scope_value(struct framemap_rows *rows, const struct fm_row_value *value, framemap_str *out)
{
    return value->raw.data == NULL || value->is_null || rows->shape->text(value, &rows->scratch, out);
}

/* Makes the scope that a row names the current scope, if it differs from the scope of the previous row. */
static framemap_status take_scope(struct framemap_rows *rows, const struct fm_row_value values[PATHS],
                                  framemap_error *error)
{
    framemap_scope scope = {.size = sizeof scope};
    if (rows->base) scope = *rows->base;
    if (!scope_value(rows, &values[APP], &scope.app) || !scope_value(rows, &values[BUILD], &scope.build))
        return fm_error_memory(error);
    if (fm_str_equal(scope.app, rows->scope.app) && fm_str_equal(scope.build, rows->scope.build)) return FRAMEMAP_OK;
    fm_arena_reset(&rows->scopes);
    rows->scope = scope;
    if (!fm_arena_str(&rows->scopes, scope.app, &rows->scope.app) ||
        !fm_arena_str(&rows->scopes, scope.build, &rows->scope.build))
        return fm_error_memory(error);
    return fm_batch_rescope(&rows->text.job, &rows->scope, error);
}

/* Restores the field of a row. */
static framemap_status restore_field(struct framemap_rows *rows, struct answer *answer, framemap_error *error)
{
    framemap_str text, restored;
    if (!rows->shape->text(&answer->field, &rows->scratch, &text)) return fm_error_memory(error);
    const framemap_status status = fm_row_text_restore(&rows->text, text, rows->line1, &restored, error);
    if (status != FRAMEMAP_OK) return status;
    fm_row_text_count(&rows->text, rows->line1, &rows->summary.restore);
    answer->outcome = outcome_of(&rows->text.job.summary);
    answer->text = restored;
    answer->changed =
        !fm_str_equal(text, restored) && (answer->field.is_text || fm_str_find_byte(restored, '\n') == FM_NOT_FOUND);
    return FRAMEMAP_OK;
}

static framemap_status restore_row(struct framemap_rows *rows, framemap_str line, framemap_str eol,
                                   framemap_error *error)
{
    struct fm_row_value values[PATHS];
    struct answer answer = {.row = line, .outcome = FM_ROW_UNREADABLE};
    framemap_status status = FRAMEMAP_OK;
    const char *why = rows->shape->find(line, rows->paths, PATHS, values);
    rows->summary.rows++;
    if (why == NULL) {
        answer.field = values[FIELD];
        answer.outcome = FM_ROW_NO_FIELD;
        if (answer.field.raw.data == NULL) why = "it has no such field";
        if (values[APP].raw.size > FM_LIMIT_LABEL || values[BUILD].raw.size > FM_LIMIT_LABEL)
            why = "its app or build is too long", answer.outcome = FM_ROW_UNREADABLE;
    }
    if (why)
        note_unreadable(rows, why);
    else if (!answer.field.is_null)
        status = take_scope(rows, values, error);
    if (status == FRAMEMAP_OK && why == NULL && !answer.field.is_null) status = restore_field(rows, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    put_row(rows, &answer, eol);
    fm_arena_reset(&rows->scratch);
    return rows->out.size < FLUSH && !rows->out.failed ? FRAMEMAP_OK : write_out(rows, error);
}

/* --- reading rows from the input --- */

static framemap_status no_header(const struct framemap_rows *rows, framemap_error *error)
{
    return fm_error_line(error, FRAMEMAP_E_CORRUPT, rows->line1, "a number of rows is expected here");
}

static framemap_status take_header(struct framemap_rows *rows, framemap_str line, framemap_str eol,
                                   framemap_error *error)
{
    struct fm_scan s = fm_scan_of(line);
    if (!fm_scan_dec(&s, &rows->left, NULL) || !fm_scan_done(&s)) return no_header(rows, error);
    if (!rows->answer_header) return FRAMEMAP_OK;
    fm_buf_str(&rows->out, line);
    fm_buf_str(&rows->out, eol);
    return FRAMEMAP_OK;
}

/* Processes a line of the input: a row, or the header of a block. The line includes its line end, if there is one. */
static framemap_status take_line(struct framemap_rows *rows, framemap_str line, framemap_error *error)
{
    size_t size = line.size;
    if (size > 0 && line.data[size - 1] == '\n') size -= size > 1 && line.data[size - 2] == '\r' ? 2 : 1;
    const framemap_str row = fm_str_slice(line, 0, size), eol = fm_str_from(line, size);
    rows->line1++;
    if (rows->chunk_header && rows->left == 0) return take_header(rows, row, eol, error);
    rows->left -= rows->chunk_header;
    return restore_row(rows, row, eol, error);
}

/* Called at the start of a row that is too large: counts it as unreadable. The row is then passed on unchanged. */
static framemap_status begin_large(struct framemap_rows *rows, framemap_error *error)
{
    rows->line1++;
    if (rows->chunk_header && rows->left == 0) return no_header(rows, error);
    rows->left -= rows->chunk_header;
    rows->summary.rows++;
    note_unreadable(rows, "it is too large");
    rows->within = true;
    return FRAMEMAP_OK;
}

static framemap_status pass_large(struct framemap_rows *rows, framemap_str part, bool ends, framemap_error *error)
{
    const framemap_status status = write_out(rows, error);
    const framemap_str body = fm_str_slice(part, 0, part.size - ends);
    if (status != FRAMEMAP_OK) return status;
    if (!rows->only_field && body.size && !rows->write(rows->context, body.data, body.size))
        return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
    return FRAMEMAP_OK;
}

static void end_large(struct framemap_rows *rows, bool has_eol)
{
    if (rows->has_status && rows->shape->has_columns)
        rows->shape->put_status(&rows->out, FM_STR(""), rows->status_name, fm_row_outcome_name(FM_ROW_TOO_LARGE));
    if (has_eol) fm_buf_byte(&rows->out, '\n');
    rows->within = false;
}

/* Processes a part of a row that is not passed as a whole. ends: the part contains the end of the row. */
static framemap_status add_part(struct framemap_rows *rows, framemap_str part, bool ends, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (!rows->within && part.size > rows->most - rows->line.size) {
        status = begin_large(rows, error);
        if (status == FRAMEMAP_OK) status = pass_large(rows, fm_buf_view(&rows->line), false, error);
        fm_buf_clear(&rows->line);
    }
    if (rows->within && status == FRAMEMAP_OK) {
        status = pass_large(rows, part, ends, error);
        if (ends) end_large(rows, true);
        return status;
    }
    if (status == FRAMEMAP_OK && !fm_buf_str(&rows->line, part)) return fm_error_memory(error);
    if (!ends || status != FRAMEMAP_OK) return status;
    status = take_line(rows, fm_buf_view(&rows->line), error);
    fm_buf_clear(&rows->line);
    return status;
}

static framemap_status take_input(struct framemap_rows *rows, framemap_str text, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    while (text.size > 0 && status == FRAMEMAP_OK) {
        const size_t newline = fm_str_find_byte(text, '\n');
        const bool ends = newline != FM_NOT_FOUND;
        const framemap_str part = fm_str_slice(text, 0, ends ? newline + 1 : text.size);
        const bool whole = ends && rows->line.size == 0 && !rows->within && part.size <= rows->most;
        status = whole ? take_line(rows, part, error) : add_part(rows, part, ends, error);
        text = fm_str_from(text, part.size);
    }
    return status;
}

static framemap_status take_end(struct framemap_rows *rows, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (rows->within)
        end_large(rows, false);
    else if (rows->line.size > 0)
        status = take_line(rows, fm_buf_view(&rows->line), error);
    if (status == FRAMEMAP_OK) status = write_out(rows, error);
    if (status != FRAMEMAP_OK || rows->left == 0) return status;
    return fm_error_line(error, FRAMEMAP_E_TRUNCATED, rows->line1, "%llu rows of the last block are missing",
                         (unsigned long long)rows->left);
}

/* --- opening and closing --- */

static framemap_status open_path(struct framemap_rows *rows, int number, const char *spelled, framemap_error *error)
{
    struct fm_row_path *path = &rows->paths[number];
    framemap_str kept;
    path->given = number == FIELD || spelled != NULL;
    path->column1 = 1;
    if (spelled == NULL) return FRAMEMAP_OK;
    if (!fm_arena_str(&rows->arena, framemap_str_of(spelled), &kept)) return fm_error_memory(error);
    const char *expected = rows->shape->path(kept, &rows->arena, path);
    if (expected == NULL) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "'%s' is not a field of %s rows: use %s", spelled,
                        rows->shape->name, expected);
}

static framemap_status open_rows(struct framemap_rows *rows, const framemap_rows_options *options,
                                 const framemap_restore_options *restore, framemap_error *error)
{
    const char *const spelled[PATHS] = {options->field, options->app, options->build};
    framemap_session *session = rows->session;
    const uint64_t usual = options->max_row_bytes ? options->max_row_bytes : FRAMEMAP_LONGEST_LINE;
    const uint64_t most = session->has_ceiling ? session->ceiling.most / 16 : FM_LIMIT_BUFFER;
    framemap_scope base;
    framemap_status status = fm_row_text_open(&rows->text, session, restore, error);
    if (status == FRAMEMAP_OK) status = fm_text_scope_read(restore->scope, false, &base, error);
    if (status == FRAMEMAP_OK && !fm_text_scope_copy(&rows->arena, &base, &rows->base)) status = fm_error_memory(error);
    if (rows->base) rows->scope = *rows->base;
    rows->most = (size_t)(usual < most ? usual : most);
    rows->has_status = options->status != NULL;
    rows->only_field = options->only_field && rows->shape->has_columns;
    rows->chunk_header = options->chunk_header;
    rows->answer_header = options->answer_header;
    for (int i = 0; i < PATHS && status == FRAMEMAP_OK; i++) status = open_path(rows, i, spelled[i], error);
    if (status == FRAMEMAP_OK && options->status &&
        !fm_arena_str(&rows->arena, framemap_str_of(options->status), &rows->status_name))
        status = fm_error_memory(error);
    return status;
}

static void free_rows(struct framemap_rows *rows)
{
    struct fm_heap *heap = &rows->session->heap;
    fm_row_text_close(&rows->text);
    fm_arena_free(&rows->arena);
    fm_arena_free(&rows->scratch);
    fm_arena_free(&rows->scopes);
    fm_buf_free(&rows->line);
    fm_buf_free(&rows->row);
    fm_buf_free(&rows->out);
    fm_heap_free(heap, rows, sizeof *rows);
}

static framemap_status check_options(const framemap_rows_options *options, const framemap_restore_options *restore,
                                     framemap_error *error)
{
    const framemap_status status = fm_session_check_restore(restore, error);
    if (status != FRAMEMAP_OK) return status;
    if (!fm_session_writes_text(restore))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "fields of rows are restored as text, not as %s",
                            restore->output);
    if (fm_row_shape_named(options->format)) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "rows of the format '%s' are not known; use tsv or ndjson",
                        options->format ? options->format : "");
}

framemap_status framemap_rows_open(framemap_session *session, const framemap_rows_options *options,
                                   framemap_write write, void *context, framemap_rows **out, framemap_error *error)
{
    framemap_rows_options given;
    framemap_restore_options restore;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status == FRAMEMAP_OK) status = fm_session_read_restore(options ? &options->restore : NULL, &restore, error);
    if (status != FRAMEMAP_OK) return status;
    if (session == NULL || write == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = check_options(&given, &restore, error);
    if (status != FRAMEMAP_OK) return status;
    struct framemap_rows *rows = fm_heap_zalloc(&session->heap, 1, sizeof *rows);
    if (rows == NULL) return fm_session_memory_fault(session, fm_error_memory(error), error);
    rows->session = session;
    rows->shape = fm_row_shape_named(given.format);
    rows->write = write;
    rows->context = context;
    fm_arena_init(&rows->arena, &session->heap);
    fm_arena_init(&rows->scratch, &session->heap);
    fm_arena_init(&rows->scopes, &session->heap);
    fm_buf_init(&rows->line, &session->heap);
    fm_buf_init(&rows->row, &session->heap);
    fm_buf_init(&rows->out, &session->heap);
    status = open_rows(rows, &given, &restore, error);
    if (status == FRAMEMAP_OK)
        *out = rows;
    else
        free_rows(rows);
    return fm_session_memory_fault(session, status, error);
}

framemap_status framemap_rows_feed(framemap_rows *rows, framemap_str text, framemap_error *error)
{
    if (rows == NULL || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (rows->failed) return fm_error_set(error, rows->failed, "an earlier call on these rows failed");
    framemap_status status = take_input(rows, text, error);
    if (status == FRAMEMAP_OK)
        status = write_out(rows, error);
    else
        (void)write_out(rows, NULL);
    rows->failed = status;
    return fm_session_memory_fault(rows->session, status, error);
}

framemap_status framemap_rows_close(framemap_rows *rows, framemap_rows_summary *summary, framemap_error *error)
{
    if (rows == NULL) return FRAMEMAP_OK;
    framemap_session *session = rows->session;
    framemap_status status = rows->failed;
    if (status != FRAMEMAP_OK && error) fm_error_set(error, status, "an earlier call on these rows failed");
    if (status == FRAMEMAP_OK && error) status = take_end(rows, error);
    if (status == FRAMEMAP_OK && summary) *summary = rows->summary;
    free_rows(rows);
    return fm_session_memory_fault(session, status, error);
}
