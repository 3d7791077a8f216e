/* The call tree in the console of Chrome, in the form in which it is copied below an error or a warning:
 *
 *     total @ cart.js:12
 *     await in total
 *     (anonymous) @ (index):40
 *
 * Also the call tree of Safari's console, which has a dash in place of '@', and in which a function of the engine is a
 * name without a location. Most frames have no column, so a source map cannot be used for them. Listed in
 * format_registry.c as `fm_js_devtools`. */
#include "formats/javascript/js_frame.h"
#include "formats/javascript/js_print.h"
#include "formats/javascript/js_row_call_tree.h"
#include "formats/javascript/js_title.h"
#include "formats/parsers.h"

static const char devtools[] = "js-devtools";

#define DEVTOOLS_GAP 2 /* maximum number of lines from one frame to the next; one of them may be blank */

struct devtools_state {
    uint64_t number1; /* number of the last line that is a frame or a marker */
    bool is_dashed;   /* the open stack was copied from Safari's console */
};

static bool begin(struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back walk = fm_look_back_from(doc, line, 0, 1);
    struct fm_js_nesting nesting = {.count = 0};
    framemap_trace *trace = fm_document_trace(doc, devtools, line);
    if (trace) fm_js_title_find(&walk, doc, line, &nesting, trace);
    return trace != NULL;
}

static void add_engine_call(struct fm_document *doc, const struct fm_line *line)
{
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return;
    frame->kind = FRAMEMAP_KIND_JS;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    frame->function = fm_str_trim(line->body);
}

static enum fm_line_role devtools_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct devtools_state *state = memory;
    struct fm_js_row row;
    if (line->begins) state->number1 = 0;
    const bool open =
        fm_document_open(doc, devtools) && line->number1 - state->number1 <= DEVTOOLS_GAP && !line->begins;
    if (open && fm_js_is_async_call(line->body)) {
        fm_js_marker_add(doc, line, FRAMEMAP_MARKER_ASYNC_GAP, false, 0);
        state->number1 = line->number1;
        return FM_ROLE_FRAME;
    }
    if (open && state->is_dashed && line->number1 - state->number1 == 1 && fm_js_is_engine_call(line->body)) {
        add_engine_call(doc, line);
        state->number1 = line->number1;
        return FM_ROLE_FRAME;
    }
    if (!fm_js_row_call_tree(line->body, open, &row)) return FM_ROLE_NONE;
    if (!open && !begin(doc, line)) return FM_ROLE_FRAME;
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame) fm_js_fill(doc, frame, &row, false);
    state->is_dashed = row.is_dashed;
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static bool devtools_is_significant(const struct fm_line *line)
{
    struct fm_js_row row;
    return fm_js_row_call_tree(line->body, false, &row);
}

static const struct fm_needle devtools_needles[] = {FM_NEEDLE(" \xE2\x80\x94 ", 0, 9)};

const struct fm_format fm_js_devtools = {
    .info = {devtools, "the call tree of Chrome's console and of Safari's (f @ main.js:12)", true, false},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(devtools_needles),
    .marks = FM_MARK_SIGN | FM_MARK_WORD,
    .state_size = sizeof(struct devtools_state),
    .offer = devtools_offer,
    .is_significant = devtools_is_significant,
    .keeps_state = true,
    .print_frame = fm_js_print};
