/* Implements the public calls of <framemap/retrace.h>: splits the text into lines and restores them one by one. */
#include "session/retrace/retracer.h"

#include "api/index_handle.h"
#include "api/option_structs.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "index/format/kinds.h"
#include "mappers/java/r8_head.h"
#include "session/restore/pass_line.h"

static framemap_status open_view(struct framemap_retracer *retracer, const framemap_index *index, framemap_error *error)
{
    struct fm_classes_about classes;
    if (index == NULL) return FRAMEMAP_OK;
    const struct fm_kind *kind = fm_view_identity(index->view)->kind_row;
    retracer->view = index->view;
    retracer->proguard = kind->code == FRAMEMAP_INDEX_PROGUARD;
    /* An empty mapping is accepted although its index has no classes. */
    if (kind->family == FRAMEMAP_KIND_JAVA || fm_view_classes(index->view, &classes)) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the index is not of a mapping of Java classes");
}

static framemap_status fill_retracer(struct framemap_retracer *retracer, const framemap_index *index,
                                     framemap_error *error)
{
    framemap_status status = open_view(retracer, index, error);
    const char *expression = retracer->options.expression;
    if (expression == NULL && retracer->proguard) expression = FM_RETRACE_OF_PROGUARD;
    if (status != FRAMEMAP_OK || expression == NULL) return status;
    return fm_retrace_expression_create(framemap_str_of(expression), retracer->proguard, &retracer->heap,
                                        &retracer->expression, error);
}

framemap_status framemap_retracer_create(const framemap_index *index, const framemap_retrace_options *options,
                                         framemap_retracer **out, framemap_error *error)
{
    framemap_retrace_options given;
    struct fm_heap heap;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (out == NULL || (index == NULL && given.find == NULL))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    fm_heap_init(&heap, given.allocator, 0);
    framemap_retracer *retracer = fm_heap_zalloc(&heap, 1, sizeof *retracer);
    if (retracer == NULL) return fm_error_memory(error);
    fm_heap_init(&retracer->heap, given.allocator, given.max_memory);
    fm_arena_init(&retracer->arena, &retracer->heap);
    fm_buf_init(&retracer->exception, &retracer->heap);
    fm_buf_init(&retracer->out, &retracer->heap);
    fm_buf_init(&retracer->texts, &retracer->heap);
    fm_buf_init(&retracer->before, &retracer->heap);
    retracer->options = given;
    status = fm_heap_reserve(&retracer->heap, sizeof *retracer) ? fill_retracer(retracer, index, error)
                                                                : fm_error_memory(error);
    if (status == FRAMEMAP_OK) {
        *out = retracer;
        return status;
    }
    fm_heap_fault(&retracer->heap, status, error);
    framemap_retracer_free(retracer);
    return status;
}

void framemap_retracer_free(framemap_retracer *retracer)
{
    if (retracer == NULL) return;
    fm_retrace_expression_free(retracer->expression);
    fm_buf_free(&retracer->exception);
    fm_buf_free(&retracer->out);
    fm_buf_free(&retracer->texts);
    fm_buf_free(&retracer->before);
    fm_arena_free(&retracer->arena);
    const framemap_allocator *allocator = retracer->options.allocator;
    struct fm_heap heap;
    fm_heap_init(&heap, allocator, 0);
    fm_heap_free(&heap, retracer, sizeof *retracer);
}

void framemap_retracer_reset(framemap_retracer *retracer)
{
    if (retracer == NULL) return;
    retracer->state = (struct fm_java_state){.has_outline = false};
    retracer->line1 = 0;
}

/* --- lines --- */

static framemap_status parse_line(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                  framemap_error *error)
{
    if (retracer->expression == NULL) {
        fm_retrace_line_parse(sight->text, &sight->line);
        return FRAMEMAP_OK;
    }
    framemap_status status = fm_retrace_expression_match(retracer->expression, sight->text, &sight->line, error);
    /* A line that is too long for the default expression is written unchanged. If the caller chose the expression, this
     * is an error. */
    if (status == FRAMEMAP_E_LIMIT && retracer->options.expression == NULL) {
        fm_retrace_clear(&sight->line);
        return FRAMEMAP_OK;
    }
    return status;
}

/* Stores the state for the next line. The exception in the state is a slice of this line, so it is copied. */
static framemap_status keep_state(struct framemap_retracer *retracer, const struct fm_java_state *state,
                                  framemap_error *error)
{
    framemap_str exception = state->exception;
    if (exception.size && exception.data != retracer->exception.data) {
        fm_buf_clear(&retracer->exception);
        if (!fm_buf_str(&retracer->exception, exception)) return fm_error_memory(error);
        exception = fm_buf_view(&retracer->exception);
    }
    retracer->state = *state;
    retracer->state.exception = exception;
    return FRAMEMAP_OK;
}

static void warn_of_removed(const struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                            size_t times)
{
    framemap_error warning;
    framemap_str method = fm_retrace_text(sight, FM_PART_METHOD);
    if (retracer->options.warning == NULL) return;
    for (size_t i = 0; i < times; i++) {
        fm_error_line(&warning, FRAMEMAP_E_MISMATCH, retracer->line1,
                      "the mapping wants more frames removed from those of %.*s than there are, so none is",
                      (int)(method.size < 100 ? method.size : 100), method.data);
        retracer->options.warning(retracer->options.context, &warning);
    }
}

static framemap_status retrace_line(struct framemap_retracer *retracer, framemap_str text, framemap_error *error)
{
    struct fm_retrace_sight sight;
    struct fm_java_answer answer;
    /* A longer line is written unchanged, since no name in a mapping is that long. */
    if (text.size > FM_LIMIT_UNENDED) return fm_retrace_put_line(retracer, text, error);
    sight.text = text;
    framemap_status status = parse_line(retracer, &sight, error);
    if (status != FRAMEMAP_OK) return status;
    if (sight.line.count == 0) return fm_retrace_put_line(retracer, text, error);
    fm_arena_reset(&retracer->arena);
    retracer->source_class = (framemap_str){NULL, 0};
    if (retracer->proguard) return fm_retrace_as_proguard(retracer, &sight, error);
    status = fm_retrace_answer(retracer, &sight, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    warn_of_removed(retracer, &sight, answer.removed_too_many);
    status = keep_state(retracer, &answer.state, error);
    if (status != FRAMEMAP_OK) return status;
    return fm_retrace_put_answer(retracer, &sight, &answer, error);
}

/* Restores a line. A line that exceeds the memory ceiling is written unchanged, and later lines are still restored. */
static framemap_status retrace_within(struct framemap_retracer *retracer, framemap_str text, framemap_error *error)
{
    retracer->line_at = retracer->out.size;
    framemap_status status = retrace_line(retracer, text, error);
    if (status == FRAMEMAP_OK && retracer->out.failed) status = fm_error_memory(error);
    if (!fm_line_over(status, &retracer->heap)) return status;
    status = fm_pass_line(&retracer->out, retracer->line_at, text, retracer->write, retracer->write_context, error);
    fm_arena_free(&retracer->arena);
    fm_buf_free(&retracer->out);
    fm_buf_free(&retracer->texts);
    fm_warn_of_passed_line(retracer->line1, retracer->options.warning, retracer->options.context);
    return status;
}

/* State while the text is split into lines, which end with LF, CR LF or CR. The positions of the next LF and the next
 * CR are stored, so that the text is searched only once for each. */
struct lines {
    const char *at, *end;
    /* positions of the next LF and the next CR, or `end`; a pointer before `at` is outdated */
    const char *feed, *carriage;
};

static const char *next_byte(const char *found, const char *at, const char *end, char byte)
{
    if (found >= at) return found;
    found = memchr(at, byte, (size_t)(end - at));
    return found ? found : end;
}

static bool next_retrace_line(struct lines *lines, framemap_str *line)
{
    if (lines->at == lines->end) return false;
    lines->feed = next_byte(lines->feed, lines->at, lines->end, '\n');
    lines->carriage = next_byte(lines->carriage, lines->at, lines->end, '\r');
    const char *stop = lines->feed < lines->carriage ? lines->feed : lines->carriage;
    *line = fm_str(lines->at, (size_t)(stop - lines->at));
    if (stop < lines->end && *stop == '\r' && stop + 1 < lines->end && stop[1] == '\n') stop++;
    lines->at = stop < lines->end ? stop + 1 : stop;
    return true;
}

framemap_status framemap_retracer_text(framemap_retracer *retracer, framemap_str text, framemap_write write,
                                       void *context, framemap_error *error)
{
    framemap_str line;
    framemap_status status = FRAMEMAP_OK;
    if (retracer == NULL || write == NULL || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (text.size == 0) return FRAMEMAP_OK;
    struct lines lines = {.at = text.data, .end = text.data + text.size};
    retracer->write = write;
    retracer->write_context = context;
    while (status == FRAMEMAP_OK && next_retrace_line(&lines, &line)) {
        retracer->line1++;
        status = retrace_within(retracer, line, error);
    }
    if (status == FRAMEMAP_OK) return fm_retrace_flush(retracer, true, error);
    fm_retrace_flush(retracer, true, NULL);
    fm_buf_clear(&retracer->out);
    return status;
}

framemap_status framemap_mapping_check_hash(framemap_str mapping, framemap_error *error)
{
    if (mapping.data == NULL && mapping.size)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    return fm_r8_check_hash(mapping, error);
}
