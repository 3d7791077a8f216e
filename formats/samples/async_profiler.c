/* Stacks that async-profiler prints as text, innermost frame first:
 *
 *     --- 1040401 ns (23.04%), 3 samples
 *       [ 0] jvmti_GetClassMethods
 *       [ 1] shop.Cart.add
 *       [ 2] java.lang.Thread.run
 *       [ 3] [worker tid=12]
 *
 * Up to version 1.3 the title is "Total: 1040401 (23.04%)  samples: 3". The last row may be the thread. */
#include "formats/other/other_row.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "async-profiler";
#define ASYNC_GAP 2 /* maximum number of lines from a title or a row to the next row */

struct async_state {
    uint64_t number1; /* number of the line of the title or the last row; 0: no stack is open */
    uint64_t samples;
    int64_t index; /* number of the last row; -1: no row was read since the title */
};

/* Parses "--- 1040401 ns (23.04%), 3 samples", "Total: 1040401 (23.04%)  samples: 3". */
static bool read_title(framemap_str text, uint64_t *samples)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t value;
    const bool old = fm_scan_text(&s, FM_STR("Total: "));
    if ((!old && !fm_scan_text(&s, FM_STR("--- "))) || !fm_scan_dec(&s, &value, NULL)) return false;
    const framemap_str rest = fm_scan_rest(&s), mark = old ? FM_STR("%)  samples: ") : FM_STR("%), ");
    const size_t at = fm_str_find(rest, mark);
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan count = fm_scan_of(fm_str_from(rest, at + mark.size));
    if (!fm_scan_dec(&count, samples, NULL)) return false;
    return old ? fm_scan_done(&count) : fm_str_starts(fm_scan_rest(&count), FM_STR(" sample"));
}

/* Parses "[ 0] shop.Cart.add", "[10] f". */
static bool async_read_row(framemap_str text, int64_t *index, framemap_str *function)
{
    struct fm_scan s = fm_scan_of(text);
    if (!fm_scan_byte(&s, '[')) return false;
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, index) || !fm_scan_text(&s, FM_STR("] "))) return false;
    *function = fm_str_trim(fm_scan_rest(&s));
    return function->size != 0;
}

/* Sets the thread of a trace from a row such as "[worker tid=12]". */
static bool async_read_thread(framemap_str function, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT("tid=");
    const size_t at = fm_str_find_last(function, mark);
    if (at == FM_NOT_FOUND || function.data[0] != '[' || function.data[function.size - 1] != ']') return false;
    struct fm_scan s = fm_scan_of(fm_str_from(function, at + mark.size));
    uint64_t number;
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_byte(&s, ']') || !fm_scan_done(&s)) return false;
    trace->thread_id = fm_str_slice(function, at + mark.size, function.size - 1);
    trace->thread_name = fm_str_trim(fm_str_slice(function, 1, at));
    trace->thread = trace->thread_name.size ? trace->thread_name : trace->thread_id;
    return true;
}

static void async_add_row(struct async_state *state, struct fm_document *doc, const struct fm_line *line,
                          framemap_trace *trace, framemap_str function)
{
    if (async_read_thread(function, trace)) {
        fm_document_span(doc, line);
        return;
    }
    framemap_frame *frame = fm_other_frame(doc, line);
    if (frame == NULL) return;
    frame->index = state->index;
    frame->function = function;
    framemap_frame_extra *extra = state->index == 0 ? fm_document_extra(doc, frame) : NULL;
    if (extra == NULL) return;
    extra->has_count = true;
    extra->count = state->samples;
}

static bool async_is_significant(const struct fm_line *line)
{
    uint64_t ignored;
    return read_title(fm_str_trim(line->body), &ignored);
}

static enum fm_line_role async_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct async_state *state = memory;
    const framemap_str text = fm_str_trim(line->body);
    framemap_str function;
    int64_t index;
    if ((line->first == '-' || line->first == 'T') && read_title(text, &state->samples)) {
        state->number1 = line->number1;
        state->index = -1;
        return FM_ROLE_CONTEXT;
    }
    if (state->number1 == 0 || line->number1 - state->number1 > ASYNC_GAP || line->begins) return FM_ROLE_NONE;
    if (line->first != '[' || !async_read_row(text, &index, &function) || index != state->index + 1)
        return FM_ROLE_NONE;
    framemap_trace *trace = index == 0 ? fm_document_trace(doc, name, line) : fm_document_open(doc, name);
    if (trace == NULL) return index == 0 ? FM_ROLE_FRAME : FM_ROLE_NONE;
    state->index = index;
    state->number1 = line->number1;
    async_add_row(state, doc, line, trace, function);
    return FM_ROLE_FRAME;
}

static const struct fm_needle async_needles[] = {FM_NEEDLE("%), ", 0, 3), FM_NEEDLE("%)  samples: ", 8, 8)};

const struct fm_format fm_async_profiler = {.info = {name, "stacks that async-profiler prints as text", true, false},
                                            FM_NEEDLES(async_needles),
                                            .marks = FM_MARK_WORD,
                                            .firsts = "-T",
                                            .state_size = sizeof(struct async_state),
                                            .offer = async_offer,
                                            .is_significant = async_is_significant,
                                            .keeps_state = true};
