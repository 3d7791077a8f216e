/* Implements retrace_stream.h: reads standard input in blocks, and passes all complete lines to the library's retracer.
 * Writes the retracer's output before it waits for more input. Blank lines are held back until another line follows. */
#include "cli/fronts/retrace_stream.h"

#include "cli/cli.h"
#include "cli/fronts/retrace_input.h"

#include <stdio.h>
#include <string.h>

struct retrace_stream {
    framemap_retracer *retracer;
    bool plain;
    struct fm_in in;
    size_t searched; /* bytes of the unread input already searched for a line end */
    struct fm_scanner scanner;
    struct fm_unchanged *unchanged;
    struct fm_out *out; /* where the filter `unchanged` writes its output */
};

static framemap_str at_hand(const struct fm_in *in)
{
    return (framemap_str){in->data + in->begin, in->end - in->begin};
}

static framemap_status retrace_piece(struct retrace_stream *stream, framemap_str text, framemap_error *error)
{
    return framemap_retracer_text(stream->retracer, text, fm_unchanged_write, stream->unchanged, error);
}

static framemap_status retrace_scanned(struct retrace_stream *stream, framemap_str text, framemap_error *error)
{
    const framemap_status status = retrace_piece(stream, text, error);
    fm_scanner_forget(&stream->scanner, text.size);
    return status;
}

/* Writes the blank lines that were held back, if they are many, or if a line that is not blank follows. */
static framemap_status retrace_blank(struct retrace_stream *stream, framemap_error *error)
{
    return retrace_scanned(stream, (framemap_str){stream->scanner.data, stream->scanner.size}, error);
}

static framemap_status retrace_lines(struct retrace_stream *stream, framemap_str lines, framemap_error *error)
{
    if (stream->plain) return retrace_piece(stream, lines, error);
    fm_scanner_add(&stream->scanner, lines);
    const framemap_status status = retrace_scanned(stream, fm_scanner_text(&stream->scanner), error);
    return status == FRAMEMAP_OK && stream->scanner.size > FRAMEMAP_LONGEST_LINE ? retrace_blank(stream, error)
                                                                                 : status;
}

/* Returns the number of bytes in complete lines, which end at LF, or at a CR followed by another byte. Searches each
 * byte once. */
static size_t whole_lines(struct retrace_stream *stream)
{
    const framemap_str text = at_hand(&stream->in);
    size_t at = text.size;
    while (at > stream->searched) {
        at--;
        if (text.data[at] == '\n' || (text.data[at] == '\r' && at + 1 < text.size)) return at + 1;
    }
    /* the last byte may be a CR whose LF has not arrived, so it is searched again */
    stream->searched = text.size ? text.size - 1 : 0;
    return 0;
}

/* Copies the current line without its line end. */
static void pass_line(struct retrace_stream *stream)
{
    struct fm_in *in = &stream->in;
    do {
        const framemap_str text = at_hand(in);
        size_t size = 0;
        while (size < text.size && text.data[size] != '\n' && text.data[size] != '\r') size++;
        fm_put_raw(stream->out, (framemap_str){text.data, size});
        in->begin += size;
        if (size < text.size) return;
    } while (!stream->out->failed && fm_in_more(in, stream->out));
}

static framemap_status copy_retrace_long_line(struct retrace_stream *stream, framemap_error *error)
{
    struct fm_in *in = &stream->in;
    framemap_status status = retrace_blank(stream, error);
    if (status != FRAMEMAP_OK) return status;
    fm_stderr_print("Warning: a line of more than %zu bytes was copied unchanged\n", FRAMEMAP_LONGEST_LINE);
    pass_line(stream);
    /* The line may end in CR LF: the LF after this CR may not have been read yet. */
    if (in->end - in->begin == 1) fm_in_more(in, stream->out);
    const framemap_str end = at_hand(in);
    in->begin += end.size > 1 && memcmp(end.data, "\r\n", 2) == 0 ? 2 : end.size > 0;
    stream->searched = 0;
    return retrace_piece(stream, framemap_str_of("\n"), error);
}

static framemap_status retrace_ready_lines(struct retrace_stream *stream, framemap_error *error)
{
    struct fm_in *in = &stream->in;
    const framemap_str lines = {in->data + in->begin, whole_lines(stream)};
    if (lines.size > 0) {
        in->begin += lines.size;
        stream->searched = 0;
        return retrace_lines(stream, lines, error);
    }
    return in->end - in->begin > FRAMEMAP_LONGEST_LINE ? copy_retrace_long_line(stream, error) : FRAMEMAP_OK;
}

framemap_status fm_retrace_stream(framemap_retracer *retracer, int fd, bool plain, const struct fm_notice_words *words,
                                  struct fm_unchanged *unchanged, framemap_error *error)
{
    struct fm_out *out = unchanged->out;
    struct retrace_stream stream = {.retracer = retracer, .plain = plain, .unchanged = unchanged, .out = out};
    framemap_status status = FRAMEMAP_OK;
    fm_in_init(&stream.in, fd);
    while (status == FRAMEMAP_OK && !out->failed && fm_in_more(&stream.in, out))
        status = retrace_ready_lines(&stream, error);
    if (status == FRAMEMAP_OK && stream.in.end > stream.in.begin)
        status = retrace_lines(&stream, at_hand(&stream.in), error);
    if (status == FRAMEMAP_OK && stream.in.failed) {
        status = FRAMEMAP_E_IO;
        *error = (framemap_error){.code = status, .message = "standard input cannot be read"};
    }
    if (status == FRAMEMAP_OK && fm_out_flush(out))
        fm_notice_unreadable(words, NULL, (framemap_str){stream.in.head, stream.in.head_size});
    fm_scanner_free(&stream.scanner);
    fm_in_free(&stream.in);
    return status;
}
