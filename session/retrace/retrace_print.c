/* Prints the lines that R8's retrace would print: the line of the text, with new values for its parts. If a line has
 * alternatives, the innermost frames of all alternatives are printed first. Called by retrace.c and
 * retrace_proguard.c. */
#include "session/retrace/retracer.h"

#include "core/error.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "core/text/escape.h"
#include "formats/java/retrace/unicode_letters.h"

/* --- printing one frame --- */

static void put_class(const struct fm_retrace_sight *sight, const struct fm_retrace_piece *piece, framemap_str name,
                      struct fm_buf *out)
{
    size_t at = out->size;
    fm_buf_str(out, piece->slashes && !sight->known ? fm_retrace_text(sight, FM_PART_CLASS) : name);
    if (!piece->slashes || !sight->known || out->failed) return;
    for (; at < out->size; at++)
        if (out->data[at] == '.') out->data[at] = '/';
}

static void put_method(const struct framemap_retracer *retracer, const struct fm_java_frame *frame, struct fm_buf *out)
{
    const bool verbose = retracer->options.verbose && frame->found;
    if (verbose) {
        fm_buf_str(out, frame->type);
        fm_buf_byte(out, ' ');
    }
    fm_buf_str(out, frame->method);
    if (verbose) {
        fm_buf_byte(out, '(');
        fm_buf_str(out, frame->arguments);
        fm_buf_byte(out, ')');
    }
}

static void put_field(const struct framemap_retracer *retracer, const struct fm_java_frame *frame, struct fm_buf *out)
{
    if (retracer->options.verbose) {
        fm_buf_str(out, frame->type);
        fm_buf_byte(out, ' ');
    }
    fm_buf_str(out, frame->method);
}

static void put_line_number(const struct fm_java_frame *frame, bool colon, struct fm_buf *out)
{
    if (frame->line <= 0) return;
    if (colon) fm_buf_byte(out, ':');
    fm_buf_dec(out, (uint64_t)frame->line);
}

/* Whether R8's retrace derives the name of the source file from the class. It does not for a field that the mapping
 * lacks, even if the mapping has the class. */
static bool infers_file(const struct fm_retrace_sight *sight)
{
    const bool is_field = sight->line.last[FM_PART_FIELD] >= 0 && sight->line.last[FM_PART_METHOD] < 0;
    return sight->known && (!is_field || sight->has_field);
}

static framemap_status put_source(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                  const struct fm_java_frame *frame, struct fm_buf *out, framemap_error *error)
{
    framemap_str source = fm_retrace_text(sight, FM_PART_SOURCE);
    if (!sight->has_class || !sight->view) {
        fm_buf_str(out, source);
        return FRAMEMAP_OK;
    }
    /* frames of one chain often have the same class, so the source file of the previous frame is kept */
    if (retracer->source_class.data != frame->class_name.data ||
        retracer->source_class.size != frame->class_name.size) {
        framemap_status status =
            fm_java_source(sight->view, frame, infers_file(sight), source, &retracer->arena, &retracer->source, error);
        if (status != FRAMEMAP_OK) return status;
        retracer->source_class = frame->class_name;
    }
    fm_buf_str(out, retracer->source);
    return FRAMEMAP_OK;
}

static framemap_status put_piece(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                 const struct fm_java_frame *frame, const struct fm_retrace_piece *piece,
                                 struct fm_buf *out, framemap_error *error)
{
    const bool is_method = sight->has_class && sight->line.last[FM_PART_METHOD] >= 0;
    switch (piece->part) {
    case FM_PART_CLASS: put_class(sight, piece, frame->class_name, out); return FRAMEMAP_OK;
    case FM_PART_SOURCE: return put_source(retracer, sight, frame, out, error);
    case FM_PART_METHOD:
        if (!is_method) break;
        put_method(retracer, frame, out);
        return FRAMEMAP_OK;
    case FM_PART_LINE:
        if (!is_method || frame->line_kind != FM_JAVA_LINE_NUMBER) break;
        put_line_number(frame, piece->colon, out);
        return FRAMEMAP_OK;
    case FM_PART_FIELD:
        if (!sight->has_field) break;
        put_field(retracer, frame, out);
        return FRAMEMAP_OK;
    case FM_PART_TYPE: fm_buf_str(out, sight->type); return FRAMEMAP_OK;
    case FM_PART_ARGUMENTS: fm_buf_str(out, sight->arguments); return FRAMEMAP_OK;
    default: break;
    }
    fm_buf_str(out, fm_retrace_text(sight, piece->part));
    return FRAMEMAP_OK;
}

void fm_retrace_escape(const struct fm_retrace_sight *sight, const struct fm_retrace_piece *piece, struct fm_buf *out,
                       size_t at)
{
    const framemap_str put = fm_str_from(fm_buf_view(out), at);
    if (fm_is_plain(put) || fm_str_equal(put, fm_retrace_text(sight, piece->part))) return;
    fm_buf_escape_from(out, at);
}

/* Appends the line, with the values of a frame in place of its parts. shown: control characters from the mapping are
 * escaped. */
static framemap_status put_pieces(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                  const struct fm_java_frame *frame, bool shown, struct fm_buf *out,
                                  framemap_error *error)
{
    size_t at = 0;
    for (unsigned i = 0; i < sight->line.count; i++) {
        const struct fm_retrace_piece *piece = &sight->line.pieces[i];
        fm_buf_str(out, fm_str_slice(sight->text, at, piece->at));
        const size_t begin = out->size;
        framemap_status status = put_piece(retracer, sight, frame, piece, out, error);
        if (status != FRAMEMAP_OK) return status;
        if (shown) fm_retrace_escape(sight, piece, out, begin);
        at = piece->end;
    }
    fm_buf_str(out, fm_str_from(sight->text, at));
    return FRAMEMAP_OK;
}

/* Appends to `out` the line with the values of a frame, without a line end. Errors: MEMORY. */
static framemap_status put_frame(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                 const struct fm_java_frame *frame, struct fm_buf *out, framemap_error *error)
{
    const size_t begin = out->size;
    framemap_status status = put_pieces(retracer, sight, frame, false, out, error);
    if (status != FRAMEMAP_OK || out->failed) return status;
    size_t at = begin; /* most lines have no other control characters than tabs at the start */
    while (at < out->size && fm_is_blank(out->data[at])) at++;
    if (fm_is_plain(fm_str_from(fm_buf_view(out), at))) return status;
    out->size = begin;
    return put_pieces(retracer, sight, frame, true, out, error);
}

/* --- printing the alternatives of a line --- */

/* Set of the strings that were printed for one depth of the alternatives. The strings are stored in retracer->texts,
 * and found through a hash table. */
struct column {
    struct {
        uint64_t hash;
        size_t at, size;
    } *rows;
    size_t mask;
    struct fm_buf *texts;
};

static size_t room_for(size_t count)
{
    size_t room = 16;
    while (room < count * 2) room *= 2;
    return room;
}

static bool open_column(struct framemap_retracer *retracer, size_t count, struct column *column)
{
    column->rows = fm_arena_alloc(&retracer->arena, room_for(count) * sizeof *column->rows);
    column->texts = &retracer->texts;
    column->texts->limit = FM_LIMIT_RETRACED;
    return column->rows != NULL;
}

/* Empties the set before the next depth, and makes room for up to `count` strings. */
static void clear_column(struct column *column, size_t count)
{
    column->mask = room_for(count) - 1;
    memset(column->rows, 0, (column->mask + 1) * sizeof *column->rows);
    fm_buf_clear(column->texts);
}

/* Adds the last string of the buffer, which starts at `at`, to the set. If the set has the string already, removes it
 * from the buffer and returns false. */
static bool is_new_text(struct column *column, size_t at)
{
    struct fm_buf *texts = column->texts;
    framemap_str text = fm_str(texts->data + at, texts->size - at);
    /* hash 0 marks an empty slot, so the lowest bit is set in each string's hash */
    const uint64_t hash = fm_hash_text(text, fm_hash_key(texts)) | 1;
    size_t i = (size_t)hash & column->mask;
    for (; column->rows[i].hash; i = (i + 1) & column->mask) {
        if (column->rows[i].hash != hash ||
            !fm_str_equal(text, fm_str(texts->data + column->rows[i].at, column->rows[i].size)))
            continue;
        texts->size = at;
        return false;
    }
    column->rows[i].hash = hash;
    column->rows[i].at = at;
    column->rows[i].size = text.size;
    return true;
}

/* Returns the number of bytes at the start of a text that are white space by Java's definition, or byte order marks. */
static size_t leading_blanks(framemap_str text)
{
    size_t size = 0, at = 0;
    for (; at < text.size; at += size) {
        uint32_t point = fm_point_at(text.data + at, text.data + text.size, &size);
        const bool control = (point >= '\t' && point <= '\r') || (point >= 0x1C && point <= 0x1F) || point == 0xFEFF;
        const bool kept = point == 0xA0 || point == 0x2007 || point == 0x202F;
        if (!control && (kept || !fm_is_separator(point))) break;
    }
    return at;
}

static framemap_status put_alternative(struct framemap_retracer *retracer, framemap_str text, framemap_error *error)
{
    size_t at = fm_str_find(text, FM_STR("at "));
    if (at == FM_NOT_FOUND) at = leading_blanks(text);
    fm_buf_str(&retracer->out, fm_str_slice(text, 0, at));
    fm_buf_str(&retracer->out, FM_STR("<OR> "));
    return fm_retrace_put_line(retracer, fm_str_from(text, at), error);
}

static framemap_status texts_fault(const struct fm_buf *texts, framemap_error *error)
{
    if (texts->size < FM_LIMIT_RETRACED / 4) return fm_error_memory(error);
    return fm_error_set(error, FRAMEMAP_E_LIMIT, "the alternatives of one line take more than %zu MiB",
                        FM_LIMIT_RETRACED >> 20);
}

static framemap_status put_cell(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                const struct fm_java_frame *frame, bool first, struct column *column,
                                framemap_error *error)
{
    struct fm_buf *texts = column->texts;
    const size_t at = texts->size;
    framemap_status status = put_frame(retracer, sight, frame, texts, error);
    if (status != FRAMEMAP_OK) return status;
    if (texts->failed) return texts_fault(texts, error);
    if (!is_new_text(column, at)) return FRAMEMAP_OK;
    framemap_str text = fm_str(texts->data + at, texts->size - at);
    return first ? fm_retrace_put_line(retracer, text, error) : put_alternative(retracer, text, error);
}

/* Prints the innermost frames of all chains, then their callers, and so on. Chains without a frame at that depth are
 * skipped. */
static framemap_status put_columns(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                   const struct fm_java_answer *answer, framemap_error *error)
{
    struct column column;
    size_t left = answer->chain_count;
    size_t *open = fm_arena_alloc(&retracer->arena, left * sizeof *open);
    if (open == NULL || !open_column(retracer, left, &column)) return fm_error_memory(error);
    for (size_t i = 0; i < left; i++) open[i] = i;
    for (size_t depth = 0; left; depth++) {
        size_t kept = 0;
        clear_column(&column, left);
        for (size_t i = 0; i < left; i++) {
            const struct fm_java_chain *chain = &answer->chains[open[i]];
            if (depth >= chain->count) continue;
            framemap_status status = put_cell(retracer, sight, &chain->frames[depth], open[i] == 0, &column, error);
            if (status != FRAMEMAP_OK) return status;
            open[kept++] = open[i];
        }
        left = kept;
    }
    return FRAMEMAP_OK;
}

static framemap_status put_chain(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                 const struct fm_java_chain *chain, framemap_error *error)
{
    for (size_t i = 0; i < chain->count; i++) {
        framemap_status status = put_frame(retracer, sight, &chain->frames[i], &retracer->out, error);
        if (status != FRAMEMAP_OK) return status;
        fm_buf_byte(&retracer->out, '\n');
        status = fm_retrace_flush(retracer, false, error);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

framemap_status fm_retrace_put_answer(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                      const struct fm_java_answer *answer, framemap_error *error)
{
    if (answer->chain_count == 1) return put_chain(retracer, sight, &answer->chains[0], error);
    return answer->chain_count ? put_columns(retracer, sight, answer, error) : FRAMEMAP_OK;
}
