/* Reads a text into a sample set, as a whole or in pieces: determines the format, and passes the text to the format
 * line by line or as one document (profile_format.h). */
#include "formats/profiles/profile_format.h"

#include "core/archive/inflate_input.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text_form.h"
#include "formats/format_registry.h"

#define HEAD ((size_t)64 << 10) /* the format is determined from this many bytes, if they contain a line end */

struct fm_sample_reader {
    const struct fm_profile_format *format; /* format of the text; NULL: not determined yet */
    /* text that was not passed on yet: the first part of the text, the first part of a line, or the whole text */
    struct fm_buf kept;
    void *state;
    bool has_end;  /* `kept` contains a line end */
    bool too_long; /* the line in `kept` is too long, and will be dropped */
};

/* Returns the start of a text from which its format is determined. It contains at least one whole line, even if that
 * is long. */
static framemap_str head_of(framemap_str text)
{
    const framemap_str head = fm_str_slice(text, 0, HEAD);
    if (text.size <= HEAD || memchr(head.data, '\n', head.size)) return head;
    const framemap_str most = fm_str_slice(text, 0, FM_LIMIT_UNENDED);
    const char *end = memchr(most.data + HEAD, '\n', most.size - HEAD);
    return end ? fm_str(text.data, (size_t)(end - text.data) + 1) : most;
}

static framemap_str without_mark(framemap_str text)
{
    return fm_str_starts(text, FM_STR("\xEF\xBB\xBF")) ? fm_str_from(text, 3) : text;
}

/* Recordings that are recognized and rejected. If the caller names a format, only the first kind is rejected, because
 * folded stacks may begin like the recordings of the other kinds. */
static const struct refused_recording {
    framemap_str begin;
    const char *why;
} refused_recordings[] = {
    {FM_STR_INIT("FLR\0"), "this is a recording of Java's Flight Recorder, which is not read: convert it to collapsed "
                           "stacks first, with async-profiler's jfrconv"},
    {FM_STR_INIT("\4\b{"), "this is a dump of Ruby's stackprof, which is not read: write it as JSON first, with "
                           "'stackprof --json'"},
    {FM_STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"), NULL},
    {FM_STR_INIT("heap profile:"), NULL},
    {FM_STR_INIT("--- contention"), NULL},
    {FM_STR_INIT("--- heapz "), NULL},
    {FM_STR_INIT("--- threadz "), NULL}};
static const char old_pprof[] =
    "this is a profile in the older form of gperftools, which is not read: convert it first, with 'pprof -proto'";

/* Returns the reason for rejecting a text; NULL: it is not rejected. */
static const char *reason_to_refuse(const char *name, framemap_str head)
{
    for (size_t i = 0; i < sizeof refused_recordings / sizeof *refused_recordings; i++)
        if ((name == NULL || i == 0) && fm_str_starts(head, refused_recordings[i].begin))
            return refused_recordings[i].why ? refused_recordings[i].why : old_pprof;
    return NULL;
}

static framemap_status find_format(const char *name, framemap_str head, const struct fm_profile_format **out,
                                   framemap_error *error)
{
    const char *why = reason_to_refuse(name, head);
    if (why) return fm_error_set(error, FRAMEMAP_E_FORMAT, "%s", why);
    *out = name ? fm_profile_named(name) : fm_profile_guess(head);
    const struct fm_format *stacks = name && (*out == NULL || !(*out)->info.reads) ? fm_format_named(name) : NULL;
    if (stacks && stacks->info.reads) *out = &fm_profile_traces;
    if (*out == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "'%s' is not a format of profiles", name);
    if (!(*out)->info.reads)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "'%s' can be written, but not read", (*out)->info.name);
    return FRAMEMAP_OK;
}

static framemap_str without_return(framemap_str line)
{
    if (line.size && line.data[line.size - 1] == '\r') line.size--;
    return line;
}

/* Passes the whole lines of a text to the format. Returns the text after the last line end. */
static framemap_str read_lines(const struct fm_profile_format *format, void *state, framemap_sample_set *set,
                               framemap_str text)
{
    while (text.size && set->fault == FRAMEMAP_OK) {
        const char *end = memchr(text.data, '\n', text.size);
        if (end == NULL) break;
        const size_t size = (size_t)(end - text.data);
        format->line(state, set, without_return(fm_str(text.data, size)));
        text = fm_str_from(text, size + 1);
    }
    return text;
}

static framemap_status read_by_lines(const struct fm_profile_format *format, framemap_sample_set *set,
                                     framemap_str text, framemap_error *error)
{
    void *state = fm_heap_zalloc(&set->heap, 1, format->state_size);
    if (state == NULL) return fm_heap_fault(&set->heap, fm_error_memory(error), error);
    const framemap_str rest = read_lines(format, state, set, text);
    if (rest.size) format->line(state, set, without_return(rest));
    format->end(state, set);
    fm_heap_free(&set->heap, state, format->state_size);
    return fm_samples_status(set, error);
}

/* Returns the format of a document. There may be much text before the member that identifies the format. */
static const struct fm_profile_format *guess_document(framemap_str text)
{
    const bool document = fm_profile_json_begins(text, '{') || fm_profile_json_begins(text, '[');
    const struct fm_profile_format *format = document ? fm_profile_guess(text) : &fm_profile_traces;
    return format->line ? &fm_profile_traces : format;
}

const char *fm_profile_name_of(framemap_str text)
{
    text = without_mark(text);
    const framemap_str head = head_of(text);
    if (reason_to_refuse(NULL, head)) return "";
    const struct fm_profile_format *format = fm_profile_guess(head);
    if (format == &fm_profile_traces && text.size > HEAD)
        format = guess_document(fm_str_slice(text, 0, FM_LIMIT_DOCUMENT));
    return format->info.name;
}

static framemap_status read_plain(framemap_sample_set *set, framemap_str text, const char *name, framemap_error *error)
{
    const struct fm_profile_format *format = NULL;
    framemap_status status = find_format(name, head_of(text), &format, error);
    if (status != FRAMEMAP_OK) return status;
    if (format == &fm_profile_traces && name == NULL && text.size > HEAD) format = guess_document(text);
    if (format->line) return read_by_lines(format, set, text, error);
    status = format->read(set, text, error);
    if (status == FRAMEMAP_E_FORMAT && name == NULL) status = fm_profile_traces.read(set, text, error);
    if (status == FRAMEMAP_E_MEMORY) return fm_heap_fault(&set->heap, status, error);
    return status ? status : fm_samples_status(set, error);
}

/* Whether the text is UTF-16, which only a byte order mark shows. Text without the mark is not examined, because short
 * profiles of pprof look like UTF-16. */
static bool is_utf16(framemap_str text)
{
    return fm_str_starts(text, FM_STR("\xFF\xFE")) || fm_str_starts(text, FM_STR("\xFE\xFF"));
}

/* Reads a text that is not compressed, in UTF-8 or UTF-16. */
static framemap_status read_text(framemap_sample_set *set, framemap_str text, const char *name, framemap_error *error)
{
    struct fm_form_reader form = {.form = fm_str_starts(text, FM_STR("\xFF")) ? FM_FORM_UTF16LE : FM_FORM_UTF16BE};
    struct fm_buf plain;
    if (!is_utf16(text)) return read_plain(set, without_mark(text), name, error);
    fm_buf_init(&plain, &set->heap);
    fm_form_read(&form, text, &plain);
    fm_form_read_end(&form, &plain);
    const framemap_status status = plain.failed ? fm_heap_fault(&set->heap, fm_error_memory(error), error)
                                                : read_plain(set, without_mark(fm_buf_view(&plain)), name, error);
    fm_buf_free(&plain);
    return status;
}

framemap_status fm_profile_read(framemap_sample_set *set, framemap_str text, const char *name, framemap_error *error)
{
    struct fm_buf plain;
    if (!fm_is_compressed(text)) return read_text(set, text, name, error);
    fm_buf_init(&plain, &set->heap);
    framemap_status status = fm_inflate_whole(text, fm_limit_inflated(text.size), &plain, error);
    if (status == FRAMEMAP_E_MEMORY) status = fm_heap_fault(&set->heap, status, error);
    if (status == FRAMEMAP_OK) status = read_text(set, fm_buf_view(&plain), name, error);
    fm_buf_free(&plain);
    return status;
}

/* --- reading a text in pieces --- */

static framemap_status open_reader(framemap_sample_set *set, framemap_error *error)
{
    if (set->reader) return FRAMEMAP_OK;
    set->reader = fm_heap_zalloc(&set->heap, 1, sizeof *set->reader);
    if (set->reader == NULL) return fm_error_memory(error);
    fm_buf_init(&set->reader->kept, &set->heap);
    return FRAMEMAP_OK;
}

void fm_profile_reader_free(framemap_sample_set *set)
{
    struct fm_sample_reader *reader = set->reader;
    if (reader == NULL) return;
    if (reader->state) fm_heap_free(&set->heap, reader->state, reader->format->state_size);
    fm_buf_free(&reader->kept);
    fm_heap_free(&set->heap, reader, sizeof *reader);
    set->reader = NULL;
}

static bool keep(struct fm_sample_reader *reader, framemap_str text)
{
    if (reader->format && reader->format->line && reader->kept.size + text.size > FM_LIMIT_UNENDED) {
        reader->too_long = true;
        reader->kept.size = 0;
        return true;
    }
    return fm_buf_add(&reader->kept, text.data, text.size);
}

/* Passes the lines of a piece to the format; the text in `kept` is the start of the first of these lines. */
static bool feed_lines(framemap_sample_set *set, framemap_str piece)
{
    struct fm_sample_reader *reader = set->reader;
    if (reader->kept.size || reader->too_long) {
        const size_t end = fm_str_find_byte(piece, '\n');
        if (!keep(reader, fm_str_slice(piece, 0, end))) return false;
        if (end == FM_NOT_FOUND) return true;
        if (!reader->too_long) reader->format->line(reader->state, set, without_return(fm_buf_view(&reader->kept)));
        reader->too_long = false;
        fm_buf_clear(&reader->kept);
        piece = fm_str_from(piece, end + 1);
    }
    return keep(reader, read_lines(reader->format, reader->state, set, piece));
}

/* Determines the format, once the start of the text is known. */
static framemap_status decide(framemap_sample_set *set, const char *name, framemap_error *error)
{
    struct fm_sample_reader *reader = set->reader;
    const framemap_str text = fm_buf_view(&reader->kept);
    /* the format can only be determined once the text is decompressed and in UTF-8 */
    if (fm_is_compressed(text) || is_utf16(text)) return FRAMEMAP_OK;
    framemap_status status = find_format(name, head_of(without_mark(text)), &reader->format, error);
    if (status != FRAMEMAP_OK || reader->format->line == NULL) return status;
    reader->state = fm_heap_zalloc(&set->heap, 1, reader->format->state_size);
    if (reader->state == NULL) return fm_error_memory(error);
    struct fm_buf first = reader->kept;
    fm_buf_init(&reader->kept, &set->heap);
    const bool fed = feed_lines(set, without_mark(fm_buf_view(&first)));
    fm_buf_free(&first);
    return fed ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Whether `kept` has enough text for head_of, even if the text begins with a byte order mark. */
static bool has_head(const struct fm_sample_reader *reader)
{
    return reader->kept.size >= HEAD + 3 && (reader->has_end || reader->kept.size >= FM_LIMIT_UNENDED + 3);
}

framemap_status fm_profile_feed(framemap_sample_set *set, framemap_str piece, const char *name, framemap_error *error)
{
    framemap_status status = open_reader(set, error);
    if (status != FRAMEMAP_OK) return fm_heap_fault(&set->heap, status, error);
    struct fm_sample_reader *reader = set->reader;
    if (reader->format && reader->format->line) {
        if (!feed_lines(set, piece)) fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return fm_samples_status(set, error);
    }
    const bool undecided = reader->format == NULL && !has_head(reader);
    if (!keep(reader, piece)) return fm_heap_fault(&set->heap, fm_error_memory(error), error);
    if (piece.size && memchr(piece.data, '\n', piece.size)) reader->has_end = true;
    if (undecided && has_head(reader)) status = decide(set, name, error);
    return status ? fm_heap_fault(&set->heap, status, error) : fm_samples_status(set, error);
}

static framemap_status end_lines(framemap_sample_set *set, framemap_error *error)
{
    struct fm_sample_reader *reader = set->reader;
    const bool whole = reader->kept.size > 0 && !reader->too_long;
    if (whole) reader->format->line(reader->state, set, without_return(fm_buf_view(&reader->kept)));
    reader->format->end(reader->state, set);
    return fm_samples_status(set, error);
}

framemap_status fm_profile_finish(framemap_sample_set *set, const char *name, framemap_error *error)
{
    framemap_status status = open_reader(set, error);
    if (status != FRAMEMAP_OK) return fm_heap_fault(&set->heap, status, error);
    const struct fm_sample_reader *reader = set->reader;
    if (reader->format && reader->format->line)
        status = end_lines(set, error);
    else
        status = fm_profile_read(set, fm_buf_view(&reader->kept), name, error);
    fm_profile_reader_free(set);
    return status;
}
