/* framemap_dart_decoder: restores the frames of Dart traces line by line, as `decode translate` and `flutter symbolize`
 * do. */
#include <framemap/dart.h>

#include "api/index_handle.h"
#include "api/option_structs.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/buffer.h"
#include "formats/dart/dart_error.h"
#include "formats/dart/dart_line.h"
#include "formats/scan/lines.h"
#include "resolve/answer_limits.h"
#include "resolve/dart/dart_address.h"
#include "resolve/dart/dart_deobfuscate.h"
#include "session/restore/pass_line.h"

enum { FLUSH_AT = 1 << 16 };

/* A program, or one of its loading units. */
struct part {
    uint64_t unit;
    char id[65];
    const struct fm_view *view; /* view of the index; NULL: there is no index, or it must not be used */
    struct fm_dart_texts texts;
};

struct framemap_dart_decoder {
    struct fm_heap heap;
    struct fm_arena arena; /* memory for one frame line */
    framemap_dart_options options;
    const framemap_index *index;
    struct fm_dart_header header;
    struct part parts[FM_DART_UNITS]; /* the programs that were looked up since the last header */
    unsigned part_count;
    char warned[65]; /* id of the last build about which a warning was given */
    uint64_t next;   /* number of the next frame that is printed */
    bool unhandled;  /* the previous line announces the text of an error */
    struct fm_buf out;
    size_t line_at; /* offset of the current line in `out` */
    uint64_t line1; /* number of lines so far */
    framemap_write write;
    void *context;
};

framemap_status framemap_dart_decoder_create(const framemap_index *index, const framemap_dart_options *options,
                                             framemap_dart_decoder **out, framemap_error *error)
{
    framemap_dart_options given;
    struct fm_dart_texts texts;
    struct fm_heap heap;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (out == NULL || (index == NULL && given.find_unit == NULL))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (index && !fm_dart_texts_of(index->view, &texts))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                            "this is not a Dart program: no symbol gives the start of its instructions");
    if (given.names && !fm_is_dart_names(given.names->view))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the index given for names is not of an obfuscation map");
    fm_heap_init(&heap, given.allocator, 0);
    framemap_dart_decoder *decoder = fm_heap_zalloc(&heap, 1, sizeof *decoder);
    if (decoder == NULL) return fm_error_memory(error);
    fm_heap_init(&decoder->heap, given.allocator, given.max_memory);
    fm_arena_init(&decoder->arena, &decoder->heap);
    fm_buf_init(&decoder->out, &decoder->heap);
    decoder->options = given;
    decoder->index = index;
    if (fm_heap_reserve(&decoder->heap, sizeof *decoder)) {
        *out = decoder;
        return FRAMEMAP_OK;
    }
    fm_heap_fault(&decoder->heap, fm_error_memory(error), error);
    framemap_dart_decoder_free(decoder);
    return FRAMEMAP_E_MEMORY;
}

void framemap_dart_decoder_free(framemap_dart_decoder *decoder)
{
    if (decoder == NULL) return;
    fm_buf_free(&decoder->out);
    fm_arena_free(&decoder->arena);
    struct fm_heap heap;
    fm_heap_init(&heap, decoder->options.allocator, 0);
    fm_heap_free(&heap, decoder, sizeof *decoder);
}

/* --- choosing the symbols of a program --- */

static void warn_of_build(struct framemap_dart_decoder *decoder, const char *id, framemap_str have)
{
    framemap_error warning = {0};
    if (decoder->options.warning == NULL || strcmp(decoder->warned, id) == 0) return;
    memcpy(decoder->warned, id, strlen(id) + 1);
    fm_error_set(&warning, FRAMEMAP_E_MISMATCH, "the trace is of build %s, but the symbols are of build %.*s%s", id,
                 (int)have.size, have.data, decoder->options.any_build ? "" : ": its frames are left as they are");
    decoder->options.warning(decoder->options.context, &warning);
}

/* Whether the index may belong to the program with the given id. If the index or the program has no id, it may: tools
 * that print traces sometimes omit the id, and old programs have no id. */
static bool name_fits(struct framemap_dart_decoder *decoder, const struct fm_view *view, const char *id)
{
    struct fm_view_about about;
    fm_view_about(view, &about);
    if (id[0] == '\0' || about.id.size == 0 || fm_str_equal(about.id, framemap_str_of(id))) return true;
    warn_of_build(decoder, id, about.id);
    return decoder->options.any_build;
}

static const framemap_index *index_of(const struct framemap_dart_decoder *decoder, uint64_t unit, const char *id)
{
    if (unit == 1 && decoder->index) return decoder->index;
    if (decoder->options.find_unit == NULL) return NULL;
    return decoder->options.find_unit(decoder->options.find_context, unit, framemap_str_of(id),
                                      fm_dart_arch(decoder->header.arch));
}

static const struct part *part_of(struct framemap_dart_decoder *decoder, uint64_t unit)
{
    for (unsigned i = 0; i < decoder->part_count; i++)
        if (decoder->parts[i].unit == unit) return &decoder->parts[i];
    if (decoder->part_count == FM_DART_UNITS) decoder->part_count = 0;
    struct part *part = &decoder->parts[decoder->part_count++];
    const char *id = fm_dart_id(&decoder->header, unit);
    *part = (struct part){.unit = unit};
    const framemap_index *index = index_of(decoder, unit, id);
    if (index && fm_dart_texts_of(index->view, &part->texts) && name_fits(decoder, index->view, id))
        part->view = index->view;
    return part;
}

/* --- output --- */

static framemap_status flush_decoder(struct framemap_dart_decoder *decoder, bool all, framemap_error *error)
{
    struct fm_buf *out = &decoder->out;
    if (out->failed) return fm_error_memory(error);
    if (out->size == 0 || (!all && out->size < FLUSH_AT)) return FRAMEMAP_OK;
    const bool good = decoder->write(decoder->context, out->data, out->size);
    fm_buf_clear(out);
    return good ? FRAMEMAP_OK : fm_error_set(error, FRAMEMAP_E_IO, "the output could not be written");
}

static void put_line(struct framemap_dart_decoder *decoder, framemap_str line)
{
    fm_buf_str(&decoder->out, line);
    fm_buf_byte(&decoder->out, '\n');
}

static bool is_hidden(const struct framemap_dart_decoder *decoder, const framemap_frame *frame)
{
    return !decoder->options.internal_frames && (frame->artificial || fm_dart_is_stub(frame));
}

static const struct fm_view *names_of(const struct framemap_dart_decoder *decoder)
{
    return decoder->options.names ? decoder->options.names->view : NULL;
}

/* Writes a frame. *text: total size of the names in the result so far. A name that would exceed the limit is written as
 * it is in the symbols. */
static void put_dart_frame(struct framemap_dart_decoder *decoder, const framemap_frame *frame, uint64_t *text)
{
    framemap_frame renamed = *frame;
    if (names_of(decoder) && !fm_dart_rename_symbol(names_of(decoder), fm_dart_identifier, frame->function,
                                                    &decoder->arena, &renamed.function))
        decoder->out.failed = true;
    if (!fm_dart_names_fit(text, renamed.function)) renamed.function = frame->function;
    const size_t begin = decoder->out.size;
    fm_dart_put_row(&decoder->out, decoder->next++, &renamed);
    fm_buf_escape_from(&decoder->out, begin);
}

static void put_answer(struct framemap_dart_decoder *decoder, framemap_str before, const framemap_frame *answer)
{
    uint64_t text = 0;
    for (size_t i = 0; i < answer->restored.count; i++) {
        const framemap_frame *frame = &answer->restored.frames[i];
        if (is_hidden(decoder, frame)) continue;
        if (before.size) {
            fm_buf_str(&decoder->out, before);
            fm_buf_byte(&decoder->out, ' ');
        }
        put_dart_frame(decoder, frame, &text);
        fm_buf_byte(&decoder->out, '\n');
    }
    if (answer->over_limit) put_line(decoder, framemap_str_of(fm_over_limit));
}

/* --- lines --- */

/* Handles an address in the padding between functions and stubs: names it after the symbol for the whole text section,
 * as Dart's decoder does. */
static bool name_whole_text(const struct fm_dart_texts *texts, const struct fm_dart_place *place, framemap_frame *out)
{
    uint64_t linked;
    if (!fm_dart_address(texts, place, &linked)) return false;
    const bool in_text = texts->has_text && linked >= texts->text && linked < texts->text_end;
    const bool in_vm = !in_text && texts->has_vm && linked >= texts->vm && linked < texts->text;
    if (!in_text && !in_vm) return false;
    *out = (framemap_frame){.kind = FRAMEMAP_KIND_DART,
                            .symbol = in_vm ? FM_STR("_kDartVmSnapshotInstructions") : texts->symbol,
                            .has_function_offset = true,
                            .function_offset = linked - (in_vm ? texts->vm : texts->text)};
    return true;
}

static framemap_status decode_row(struct framemap_dart_decoder *decoder, framemap_str line,
                                  const struct fm_dart_row *row, framemap_error *error)
{
    struct fm_dart_location spot;
    framemap_frame answer = {.restored = {NULL, 0}}, whole;
    framemap_status status = FRAMEMAP_OK;
    const struct part *part = fm_dart_locate(&decoder->header, row, &spot) ? part_of(decoder, spot.unit) : NULL;
    if (part && part->view) {
        const struct fm_dart_place place = {.linked = spot.linked, .in_vm = spot.in_vm, .offset = spot.offset};
        fm_arena_reset(&decoder->arena);
        status = fm_resolve_dart(part->view, &part->texts, &place, &decoder->arena, &answer, error);
        if (status == FRAMEMAP_OK && answer.restored.count == 0 && name_whole_text(&part->texts, &place, &whole))
            answer.restored = (framemap_frame_list){&whole, 1};
        /* if the symbols are damaged, the line is written unchanged */
        if (status == FRAMEMAP_E_CORRUPT) status = FRAMEMAP_OK;
    }
    if (status != FRAMEMAP_OK) return status;
    if (answer.restored.count)
        put_answer(decoder, fm_str(line.data, row->from), &answer);
    else
        put_line(decoder, line);
    return FRAMEMAP_OK;
}

/* Writes a line that is not part of a stack, with the obfuscated names in an exception restored. */
static void put_other(struct framemap_dart_decoder *decoder, framemap_str line)
{
    struct fm_dart_names names = {.line = fm_str_from(line, fm_line_prefix(line, 0)), .leads = decoder->unhandled};
    framemap_str name, original, message;
    size_t done = 0;
    decoder->unhandled = false;
    if (fm_dart_announces(names.line, &message)) {
        decoder->unhandled = message.size == 0;
        if (message.size) names = (struct fm_dart_names){.line = message, .leads = true};
    }
    while (fm_dart_names_next(&names, &name)) {
        if (!fm_dart_original(names_of(decoder), name, &original)) continue;
        const size_t from = (size_t)(name.data - line.data);
        fm_buf_str(&decoder->out, fm_str_slice(line, done, from));
        fm_buf_escaped(&decoder->out, original);
        done = from + name.size;
    }
    put_line(decoder, fm_str_from(line, done));
}

static framemap_status decode_line(struct framemap_dart_decoder *decoder, framemap_str line, framemap_error *error)
{
    struct fm_dart_row row;
    if (fm_dart_row_parse(line, &row)) return decode_row(decoder, line, &row, error);
    if (fm_dart_header_line(&decoder->header, line)) {
        decoder->next = 0;
        decoder->part_count = 0;
        put_line(decoder, line);
    } else if (names_of(decoder)) {
        put_other(decoder, line);
    } else {
        put_line(decoder, line);
    }
    return FRAMEMAP_OK;
}

/* Decodes a line. A line that exceeds the memory ceiling is written unchanged, and later lines are still decoded. */
static framemap_status decode_within(struct framemap_dart_decoder *decoder, framemap_str line, framemap_error *error)
{
    decoder->line_at = decoder->out.size;
    decoder->line1++;
    framemap_status status = decode_line(decoder, line, error);
    if (status == FRAMEMAP_OK) status = flush_decoder(decoder, false, error);
    if (!fm_line_over(status, &decoder->heap)) return status;
    status = fm_pass_line(&decoder->out, decoder->line_at, line, decoder->write, decoder->context, error);
    fm_arena_free(&decoder->arena);
    fm_buf_free(&decoder->out);
    fm_warn_of_passed_line(decoder->line1, decoder->options.warning, decoder->options.context);
    return status;
}

/* Returns the end of the first line: the first LF or CR. The text is searched in pieces: otherwise, in a text without
 * CR, the search for a CR would go to the end of the text for each line. */
static size_t line_end(framemap_str text)
{
    enum { PIECE = 256 };
    for (size_t at = 0; at < text.size; at += PIECE) {
        framemap_str piece = fm_str_slice(text, at, at + PIECE);
        const size_t lf = fm_str_find_byte(piece, '\n');
        if (lf != FM_NOT_FOUND) piece.size = lf;
        const size_t cr = fm_str_find_byte(piece, '\r');
        if (cr != FM_NOT_FOUND || lf != FM_NOT_FOUND) return at + (cr != FM_NOT_FOUND ? cr : lf);
    }
    return text.size;
}

/* Returns the next line. Lines are split as Dart's LineSplitter splits them: a CR alone also ends a line. */
static framemap_str next_dart_line(framemap_str *text)
{
    size_t end = line_end(*text);
    const framemap_str line = fm_str(text->data, end);
    if (end < text->size) end += end + 1 < text->size && text->data[end] == '\r' && text->data[end + 1] == '\n' ? 2 : 1;
    *text = fm_str_from(*text, end);
    return line;
}

framemap_status framemap_dart_decoder_text(framemap_dart_decoder *decoder, framemap_str text, framemap_write write,
                                           void *context, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (decoder == NULL || write == NULL || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    decoder->write = write;
    decoder->context = context;
    while (status == FRAMEMAP_OK && text.size) status = decode_within(decoder, next_dart_line(&text), error);
    if (status == FRAMEMAP_OK) status = flush_decoder(decoder, true, error);
    if (status != FRAMEMAP_OK) fm_buf_clear(&decoder->out);
    return status;
}

bool framemap_dart_texts_of(const framemap_index *index, framemap_dart_texts *out)
{
    struct fm_dart_texts texts;
    if (index == NULL || out == NULL || !fm_dart_texts_of(index->view, &texts) || !texts.has_text) return false;
    *out = (framemap_dart_texts){.symbol = texts.symbol,
                                 .text = texts.text,
                                 .text_end = texts.text_end,
                                 .vm_text = texts.vm,
                                 .has_vm_text = texts.has_vm};
    return true;
}
