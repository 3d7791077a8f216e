/* Implements framemap_session_restore and the functions of framemap_stream. A text, passed as a whole or in pieces, is
 * parsed by text_stream.h; as soon as its traces are complete, restore_batch.h restores and prints them. A long text is
 * parsed on a thread of its own (formats/parse_ahead.h). */
#include "api/option_structs.h"
#include "core/error.h"
#include "core/text/text.h"
#include "formats/parse_ahead.h"
#include "formats/text_stream.h"
#include "session/restore/restore_batch.h"
#include "session/restore/text_input.h"
#include <framemap/stream.h>

struct framemap_stream {
    struct fm_block_pool *memory; /* memory pool of the stream and of everything that it allocates */
    /* memory pool of the parsers, if they run on a thread of their own; NULL: they use `memory` */
    struct fm_block_pool *parser_memory;
    struct fm_batch_job job;
    struct fm_text_input input;
    struct fm_text_stream text;
    framemap_status failed;  /* status of an earlier call that failed */
    framemap_status damaged; /* status of damaged input; the text before the damage is still restored */
    uint64_t bytes, line0;   /* number of bytes of the text so far; number of lines before the text */
    uint64_t refused;        /* value of fm_batch_refused before the current call */
};

/* --- memory --- */

/* Returns whether to continue when the parsers are out of memory; a callback of type fm_stream_survives. */
static bool survives(void *context, uint64_t bytes, uint64_t line1)
{
    struct framemap_stream *stream = context;
    return fm_batch_survives(&stream->job, stream->refused, bytes, line1);
}

/* --- passing the input to the parser --- */

/* Receives text that is decompressed and in UTF-8. */
static framemap_status take_text(void *context, framemap_str text, framemap_error *error)
{
    struct framemap_stream *stream = context;
    stream->job.offsets.form = stream->input.reader.form;
    return fm_text_stream_feed(&stream->text, text, error);
}

/* Whether an error means only that the input is damaged, so that the part read before the damage can be restored. */
static bool is_damage(framemap_status status) { return status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_TRUNCATED; }

/* Feeds a whole text in pieces, for texts that have to be converted or decompressed before they are parsed. */
static framemap_status feed_whole(struct framemap_stream *stream, framemap_str text, framemap_error *error)
{
    enum { PIECE = 64 << 10 };
    framemap_status status = FRAMEMAP_OK;
    for (size_t at = 0; at < text.size && status == FRAMEMAP_OK; at += PIECE)
        status = fm_text_input_feed(&stream->input, fm_str_slice(text, at, at + PIECE), error);
    if (status == FRAMEMAP_OK) status = fm_text_input_end(&stream->input, error);
    if (!is_damage(status)) return status == FRAMEMAP_OK ? fm_text_stream_end(&stream->text, error) : status;
    stream->damaged = status;
    return fm_text_stream_end(&stream->text, NULL);
}

/* --- opening and closing --- */

framemap_status fm_session_check_restore(const framemap_restore_options *options, framemap_error *error)
{
    const framemap_status status = fm_demangle_check(options->demangle, error);
    return status == FRAMEMAP_OK ? fm_formats_check(options->format, options->output, error) : status;
}

static bool sets_something(const framemap_restore_options *options)
{
    return options->format || options->output || options->demangle || options->context || options->first_line ||
           options->scope || options->visit || options->visit_context || options->as_printed || options->rules;
}

framemap_status fm_session_read_restore(const framemap_restore_options *given, framemap_restore_options *out,
                                        framemap_error *error)
{
    if (given != NULL && given->size == 0 && sets_something(given))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                            "restore has options, but its size field is not set: set it to the sizeof of the struct");
    return fm_options_read(given && given->size ? given : NULL, out, sizeof *out, error);
}

bool fm_session_writes_text(const framemap_restore_options *options)
{
    return options->output == NULL || strcmp(options->output, "text") == 0;
}

/* Allocates a stream; NULL: out of memory. */
static struct framemap_stream *new_stream(framemap_session *session)
{
    struct fm_block_pool *memory = fm_call_memory_take(&session->call_memory);
    if (memory == NULL) return NULL;
    struct framemap_stream *stream = fm_heap_zalloc(&memory->heap, 1, sizeof *stream);
    if (stream)
        stream->memory = memory;
    else
        fm_call_memory_give(&session->call_memory, memory);
    return stream;
}

static framemap_status open_stream(struct framemap_stream *stream, framemap_session *session,
                                   const framemap_restore_options *options, size_t hold, framemap_write write,
                                   void *context, framemap_error *error)
{
    const struct fm_parser_table *parsers = NULL;
    struct fm_heap *heap = &stream->memory->heap;
    struct fm_heap *parser_heap = stream->parser_memory ? &stream->parser_memory->heap : heap;
    fm_text_input_init(&stream->input, heap, take_text, stream);
    stream->input.write = write;
    stream->input.write_context = context;
    stream->input.writes_back = fm_session_writes_text(options);
    framemap_status status =
        fm_batch_open(&stream->job, session, heap, options, fm_text_input_write, &stream->input, error);
    stream->job.offsets.used = !stream->input.writes_back;
    if (status == FRAMEMAP_OK) status = fm_parser_tables_get(&session->parser_tables, options->format, &parsers, error);
    if (status == FRAMEMAP_OK)
        status = fm_text_stream_open(&stream->text, parser_heap, parsers, hold, fm_batch_take, &stream->job, error);
    if (status == FRAMEMAP_OK) status = fm_batch_begin(&stream->job, error);
    if (status != FRAMEMAP_OK) return status;
    stream->text.joins_stacks = stream->job.printer.format->output->joins_stacks || options->visit;
    stream->text.survives = survives;
    stream->text.survivor = stream;
    stream->line0 = options->first_line ? options->first_line - 1 : 0;
    stream->text.dispatch->at.number1 = stream->line0;
    return FRAMEMAP_OK;
}

/* Reports all lines that were too long in a single warning. */
static void warn_of_long_lines(const struct framemap_stream *stream)
{
    framemap_error warning = {0};
    if (stream->text.long_count == 0) return;
    fm_error_line(&warning, FRAMEMAP_E_LIMIT, stream->text.long_number1,
                  "this line was not searched for stacks: it has more than %llu bytes (%llu such line%s in all)",
                  (unsigned long long)stream->text.long_most, (unsigned long long)stream->text.long_count,
                  stream->text.long_count == 1 ? "" : "s");
    fm_session_warn(stream->job.session, &warning);
}

/* Frees the parser's memory, so that the end of the output can be written even under a low ceiling. */
static void close_text(struct framemap_stream *stream)
{
    warn_of_long_lines(stream);
    fm_text_stream_close(&stream->text);
}

/* Writes the output after the text. */
static framemap_status end_stream(struct framemap_stream *stream, framemap_error *error)
{
    const struct fm_dispatch *dispatch = stream->text.dispatch;
    const uint64_t lines = dispatch->at.number1 - stream->line0 + stream->text.within;
    close_text(stream);
    const framemap_status status = fm_batch_end(&stream->job, stream->bytes, lines, error);
    if (status != FRAMEMAP_OK || fm_text_input_write_end(&stream->input)) return status;
    return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
}

static void free_stream(struct framemap_stream *stream)
{
    framemap_session *session = stream->job.session;
    close_text(stream);
    fm_batch_close(&stream->job);
    fm_text_input_free(&stream->input);
    struct fm_block_pool *memory = stream->memory;
    fm_call_memory_give(&session->call_memory, stream->parser_memory);
    fm_heap_free(&memory->heap, stream, sizeof *stream);
    fm_call_memory_give(&session->call_memory, memory);
}

/* --- restoring whole texts --- */

/* Writes the text unchanged, and reports a warning: the ceiling is too low for the parsers. */
static framemap_status pass_all(framemap_session *session, framemap_str text, const framemap_restore_options *options,
                                framemap_write write, void *context, framemap_error *error)
{
    framemap_error warning = {0};
    fm_error_set(&warning, FRAMEMAP_E_MEMORY,
                 "over-memory: nothing is restored: that needs more than --max-memory (max_memory)");
    fm_session_warn(session, &warning);
    if (!fm_session_writes_text(options) || text.size == 0 || write(context, text.data, text.size)) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
}

/* Whether a plain text is parsed on a thread of its own. Under a memory ceiling it is not: parsers that are out of
 * memory then call `survives`, which frees memory of the restoring side and must be called between two batches. */
static bool parses_ahead(const framemap_session *session, framemap_str text)
{
    return session->cache.build.threads > 1 && !session->has_ceiling && text.size >= FM_PARSE_AHEAD_LEAST;
}

/* Parses and restores a plain text. */
static framemap_status take_whole(struct framemap_stream *stream, framemap_str text, framemap_error *error)
{
    return stream->parser_memory ? fm_parse_ahead(&stream->text, text, error)
                                 : fm_text_stream_whole(&stream->text, text, error);
}

/* Returns the number of bytes of a text that may be held back, for a text that has to be converted. Such a text is
 * copied into a window. Two bytes of UTF-16 become up to three bytes of UTF-8, and the size of a compressed text is not
 * known. */
static size_t hold_of_form(framemap_str text)
{
    const bool compressed = fm_str_starts(text, FM_STR("\x1f\x8b")) || fm_str_starts(text, FM_STR("\x28\xb5\x2f\xfd"));
    const size_t most = text.size < FM_TEXT_HOLD / 2 ? 2 * text.size : FM_TEXT_HOLD;
    return compressed ? FM_TEXT_HOLD : most;
}

framemap_status fm_session_restore(framemap_session *session, framemap_str text, bool may_start,
                                   const framemap_restore_options *options, framemap_write write, void *context,
                                   framemap_restore_summary *summary, framemap_error *error)
{
    framemap_restore_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (session == NULL || write == NULL || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = fm_session_check_restore(&given, error);
    if (status != FRAMEMAP_OK) return status;
    const uint64_t refused = fm_batch_refused(session);
    struct framemap_stream *stream = new_stream(session);
    if (stream == NULL && fm_batch_was_over(session, FRAMEMAP_E_MEMORY, refused))
        return pass_all(session, text, &given, write, context, error);
    if (stream == NULL) return fm_session_memory_fault(session, fm_error_memory(error), error);
    stream->bytes = text.size;
    stream->refused = fm_batch_refused(session);
    const bool plain = fm_text_is_plain(text);
    const size_t hold = plain ? FM_TEXT_HOLD : hold_of_form(text);
    if (may_start && plain && parses_ahead(session, text))
        stream->parser_memory = fm_call_memory_take(&session->call_memory);
    status = open_stream(stream, session, &given, fm_batch_hold(session, 0, hold), write, context, error);
    if (status == FRAMEMAP_E_MEMORY && fm_batch_was_over(session, status, stream->refused)) {
        free_stream(stream);
        return pass_all(session, text, &given, write, context, error);
    }
    if (status == FRAMEMAP_OK) status = plain ? take_whole(stream, text, error) : feed_whole(stream, text, error);
    if (!plain) stream->bytes = stream->input.bytes;
    if (status == FRAMEMAP_OK) status = end_stream(stream, stream->damaged ? NULL : error);
    if (status == FRAMEMAP_OK && summary) *summary = stream->job.summary;
    if (status == FRAMEMAP_OK) status = stream->damaged;
    free_stream(stream);
    return fm_session_memory_fault(session, status, error);
}

framemap_status framemap_session_restore(framemap_session *session, framemap_str text,
                                         const framemap_restore_options *options, framemap_write write, void *context,
                                         framemap_restore_summary *summary, framemap_error *error)
{
    return fm_session_restore(session, text, true, options, write, context, summary, error);
}

/* --- streams --- */

framemap_status framemap_stream_open(framemap_session *session, const framemap_stream_options *options,
                                     framemap_write write, void *context, framemap_stream **out, framemap_error *error)
{
    framemap_stream_options given;
    framemap_restore_options restore;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status == FRAMEMAP_OK) status = fm_session_read_restore(options ? &options->restore : NULL, &restore, error);
    if (status != FRAMEMAP_OK) return status;
    if (session == NULL || write == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = fm_session_check_restore(&restore, error);
    if (status != FRAMEMAP_OK) return status;
    struct framemap_stream *stream = new_stream(session);
    if (stream == NULL) return fm_session_memory_fault(session, fm_error_memory(error), error);
    const size_t hold = fm_batch_hold(session, given.hold_bytes, FM_STREAM_HOLD);
    status = open_stream(stream, session, &restore, hold, write, context, error);
    if (status == FRAMEMAP_OK)
        *out = stream;
    else
        free_stream(stream);
    return fm_session_memory_fault(session, status, error);
}

static framemap_status ended(struct framemap_stream *stream, framemap_status status, framemap_error *error)
{
    stream->failed = status;
    return fm_session_memory_fault(stream->job.session, status, error);
}

static framemap_status earlier_fault(const struct framemap_stream *stream, framemap_error *error)
{
    return fm_error_set(error, stream->failed, "an earlier call on this stream failed");
}

framemap_status framemap_stream_feed(framemap_stream *stream, framemap_str text, framemap_error *error)
{
    if (stream == NULL || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (stream->failed) return earlier_fault(stream, error);
    if (stream->damaged) return fm_error_set(error, stream->damaged, "the input is damaged");
    stream->refused = fm_batch_refused(stream->job.session);
    const framemap_status status = fm_text_input_feed(&stream->input, text, error);
    stream->bytes = stream->input.bytes;
    if (!is_damage(status)) return ended(stream, status, error);
    return stream->damaged = status;
}

framemap_status framemap_stream_flush(framemap_stream *stream, framemap_error *error)
{
    if (stream == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (stream->failed) return earlier_fault(stream, error);
    stream->refused = fm_batch_refused(stream->job.session);
    framemap_status status = stream->damaged ? FRAMEMAP_OK : fm_text_input_flush(&stream->input, error);
    if (is_damage(status)) return stream->damaged = status;
    if (status == FRAMEMAP_OK) status = fm_text_stream_flush(&stream->text, error);
    return ended(stream, status, error);
}

bool framemap_stream_waits(const framemap_stream *stream)
{
    return stream && !stream->failed && (fm_text_input_waits(&stream->input) || fm_text_stream_waits(&stream->text));
}

bool framemap_stream_others_wait(const framemap_stream *stream, uint64_t *last_line)
{
    if (last_line) *last_line = 0;
    return stream && last_line && !stream->failed && fm_dispatch_waits(stream->text.dispatch, last_line);
}

bool framemap_stream_in_document(const framemap_stream *stream)
{
    return stream && !stream->failed && fm_text_stream_in_document(&stream->text);
}

/* Ends the input. If the input is damaged, the text before the damage is still written, and the error of the damage is
 * returned at the end. */
static framemap_status end_input(struct framemap_stream *stream, framemap_error *error)
{
    if (stream->damaged) {
        (void)fm_error_set(error, stream->damaged, "the input is damaged");
        return FRAMEMAP_OK;
    }
    const framemap_status status = fm_text_input_end(&stream->input, error);
    stream->bytes = stream->input.bytes;
    if (!is_damage(status)) return status;
    stream->damaged = status;
    return FRAMEMAP_OK;
}

framemap_status framemap_stream_close(framemap_stream *stream, framemap_restore_summary *summary, framemap_error *error)
{
    if (stream == NULL) return FRAMEMAP_OK;
    framemap_session *session = stream->job.session;
    framemap_status status = stream->failed;
    stream->refused = fm_batch_refused(session);
    if (status != FRAMEMAP_OK && error) status = earlier_fault(stream, error);
    if (status == FRAMEMAP_OK && error) status = end_input(stream, error);
    if (status == FRAMEMAP_OK && error) status = fm_text_stream_end(&stream->text, stream->damaged ? NULL : error);
    if (status == FRAMEMAP_OK && error) status = end_stream(stream, stream->damaged ? NULL : error);
    if (status == FRAMEMAP_OK && summary) *summary = stream->job.summary;
    if (status == FRAMEMAP_OK && error) status = stream->damaged;
    free_stream(stream);
    return fm_session_memory_fault(session, status, error);
}
