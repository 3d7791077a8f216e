/* Adds frames, markers and rows of crash dumps to the traces of a document. See dart_frames.h. */
#include "formats/dart/dart_frames.h"

#include "formats/dart/dart_above.h"
#include "formats/dart/dart_named.h"
#include "formats/row_parts.h"

const char fm_dart_name[] = "dart", fm_dart_symbolic_name[] = "dart-symbolic", fm_dart_crash_name[] = "dart-crash";

static const char cut_header[] = "the header of the trace is lost: only it says where the program's code begins";
static const char not_dart[] = "the address is in none of the parts of code that the header of the trace lists";

/* Determines whether a sampling profiler wrote the trace. A profiler prints program counters, which are return
 * addresses; the VM prints the addresses of calls. A trace whose offsets all count from the isolate's instructions is a
 * profiler's if one of these is true: its frame numbers have a gap, unlike those of the VM; the code is for ARM, and no
 * address is odd, while the VM prints some odd addresses; the header has no vm_instructions (Dart 3.13 and later),
 * since the VM then counts offsets from another symbol. */
void fm_dart_settle(struct fm_dart_state *state, struct fm_document *doc)
{
    framemap_trace *trace = fm_document_open(doc, fm_dart_name);
    const bool may_be =
        trace && trace->frame_count && state->has_starts && state->isolate_symbol && !state->has_virtual;
    if (!may_be || !(state->has_no_vm || state->gap || (state->is_arm && !state->odd && trace->frame_count > 1)))
        return;
    for (size_t i = 0; i < trace->frame_count; i++) trace->frames[i].return_address = trace->frames[i].index > 0;
}

static framemap_str keep_text(struct fm_document *doc, const char *text)
{
    const size_t size = strlen(text);
    char *copy = size ? fm_document_alloc(doc, size) : NULL;
    if (copy == NULL) return (framemap_str){NULL, 0};
    memcpy(copy, text, size);
    return fm_str(copy, size);
}

static bool dart_begin(struct fm_dart_state *state, struct fm_document *doc, const char *format,
                       const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, format, line);
    if (trace == NULL) return false;
    trace->thread = trace->thread_name = state->thread;
    trace->thread_id = state->thread_id;
    trace->has_process_id = state->has_process_id;
    trace->process_id = state->process_id;
    trace->arch = fm_dart_arch(state->header.arch);
    trace->os = keep_text(doc, state->header.os);
    fm_dart_read_error(state, doc, trace, line);
    fm_dart_box_use(&state->box, doc, line, trace);
    state->floor = line->offset + 1;
    state->thread = state->thread_id = (framemap_str){NULL, 0};
    state->has_process_id = state->restarts = false;
    state->fresh = state->has_id = state->has_virtual = state->odd = state->gap = false;
    state->isolate_symbol = true;
    state->has_starts = state->header.has_starts;
    state->has_no_vm = state->header.vm_start == 0;
    state->is_arm = strncmp(state->header.arch, "arm", 3) == 0;
    return true;
}

/* Returns the id of a loading unit. It is copied once per trace, since all frames of a trace have the same header. */
static framemap_str id_of(struct fm_dart_state *state, struct fm_document *doc, uint64_t unit)
{
    if (!state->has_id || state->id_unit != unit) state->id = keep_text(doc, fm_dart_id(&state->header, unit));
    state->has_id = true;
    state->id_unit = unit;
    return state->id;
}

static framemap_str text_symbol(const struct fm_dart_location *spot)
{
    return spot->in_vm ? FM_STR("_kDartVmSnapshotInstructions") : FM_STR("_kDartSnapshotText");
}

static framemap_str unit_name(struct fm_document *doc, uint64_t unit)
{
    static const char words[] = "loading unit ";
    char *text = fm_document_alloc(doc, 40);
    size_t at = 40;
    if (text == NULL) return (framemap_str){NULL, 0};
    do text[--at] = (char)('0' + unit % 10);
    while ((unit /= 10) != 0);
    at -= sizeof words - 1;
    memcpy(text + at, words, sizeof words - 1);
    return fm_str(text + at, 40 - at);
}

static void place(const struct fm_dart_state *state, struct fm_document *doc, const struct fm_dart_row *row,
                  framemap_frame *frame, framemap_str id)
{
    struct fm_dart_location spot;
    frame->has_address = true;
    frame->address = row->has_virtual ? row->virtual_address : row->absolute;
    frame->address_kind = row->has_virtual ? FRAMEMAP_ADDRESS_LINKED : FRAMEMAP_ADDRESS_ABSOLUTE;
    /* Crashlytics prints 0 in place of the absolute address */
    frame->has_absolute_address = row->has_virtual && row->absolute;
    frame->absolute_address = frame->has_absolute_address ? row->absolute : 0;
    frame->function = row->has_symbol ? row->symbol : frame->function;
    frame->id = id;
    frame->has_load_address = state->header.has_base;
    frame->load_address = state->header.base;
    if (!fm_dart_locate(&state->header, row, &spot)) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = row->has_unit ? not_dart : cut_header;
        return;
    }
    if (spot.unit != 1) frame->module = unit_name(doc, spot.unit);
    if (spot.linked) {
        frame->address = spot.offset;
        frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
        return;
    }
    frame->symbol = row->has_symbol ? row->symbol : text_symbol(&spot);
    frame->has_function_offset = true;
    frame->function_offset = spot.offset;
}

/* Whether the open stack was begun by this parser, and is near enough to continue at this line. */
static bool is_open(const struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line)
{
    return (fm_document_open(doc, fm_dart_name) || fm_document_open(doc, fm_dart_symbolic_name)) && !state->fresh &&
           line->number1 - state->number1 <= FM_DART_GAP;
}

/* Whether a frame with this number continues the open stack. */
static bool is_next(const struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line,
                    uint64_t index)
{
    return is_open(state, doc, line) && (index > state->index || state->restarts);
}

/* Sets the raw text of a frame. This text begins at the blanks before '#', or at words before these blanks that no
 * logger wrote, such as "at ." in "at . #00 abs". */
static void set_raw(framemap_frame *frame, const struct fm_line *line, size_t from)
{
    if (line->printed.data) return;
    const size_t body = (size_t)(line->body.data - line->text.data);
    if (body < from) from = body;
    frame->raw = fm_str_from(line->text, from);
    frame->raw_offset = line->offset + from;
}

enum fm_line_role fm_dart_add_row(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line,
                                  const struct fm_dart_row *row)
{
    const bool goes_on = is_next(state, doc, line, row->index);
    if (!goes_on && !state->fresh) fm_dart_settle(state, doc);
    if (!goes_on && !dart_begin(state, doc, fm_dart_name, line)) return FM_ROLE_FRAME;
    struct fm_dart_location spot;
    const uint64_t unit = fm_dart_locate(&state->header, row, &spot) ? spot.unit : row->has_unit ? row->unit : 1;
    const framemap_str id = id_of(state, doc, unit);
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return FM_ROLE_FRAME;
    frame->kind = FRAMEMAP_KIND_DART;
    frame->index = row->index < INT64_MAX ? (int64_t)row->index : -1;
    set_raw(frame, line, row->from);
    place(state, doc, row, frame, id);
    state->has_virtual |= row->has_virtual;
    state->odd |= (row->absolute & 1) != 0;
    state->gap |= row->index != (goes_on ? state->index + 1 : 0);
    state->isolate_symbol &= row->has_symbol && fm_str_equal(row->symbol, FM_STR("_kDartIsolateSnapshotInstructions"));
    state->number1 = line->number1;
    state->index = row->index;
    state->restarts = false;
    return FM_ROLE_FRAME;
}

/* --- adding frames that have names, and markers --- */

enum fm_line_role fm_dart_add_named(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_dart_named row;
    if (!fm_dart_named_parse(line->body, &row)) return FM_ROLE_NONE;
    const uint64_t index = (uint64_t)row.index;
    if (!is_next(state, doc, line, index) && !dart_begin(state, doc, fm_dart_symbolic_name, line)) return FM_ROLE_FRAME;
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return FM_ROLE_FRAME;
    frame->kind = FRAMEMAP_KIND_DART;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    frame->index = row.index;
    frame->function = fm_row_decoded(doc, row.function);
    frame->file = row.file;
    frame->line = row.line;
    frame->column = row.column;
    state->number1 = line->number1;
    state->index = index;
    state->restarts = false;
    return FM_ROLE_FRAME;
}

enum fm_line_role fm_dart_add_marker(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_dart_marker marker;
    if (!fm_dart_marker_parse(line->body, &marker) || !is_open(state, doc, line)) return FM_ROLE_NONE;
    if (marker.has_index && (uint64_t)marker.index <= state->index) return FM_ROLE_NONE;
    fm_dart_marker_add(doc, line, &marker);
    if (marker.has_index) state->index = (uint64_t)marker.index;
    state->restarts = marker.restarts;
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

/* --- adding the rows of crash dumps --- */

/* Sets the position of a frame whose name is printed. The address of the frame's unit is known only if the header
 * states it. */
static void place_named(const struct fm_dart_state *state, struct fm_document *doc, const struct fm_dart_crash_row *row,
                        framemap_frame *frame, framemap_str id)
{
    const struct fm_dart_row as_row = {.absolute = row->pc};
    frame->kind = FRAMEMAP_KIND_DART;
    if (!row->is_stub && row->has_offset && state->header.has_starts && state->header.isolate_start) {
        place(state, doc, &as_row, frame, id);
        return;
    }
    frame->has_function_offset = false;
    frame->function_offset = 0;
    frame->function = row->symbol;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
}

static bool is_text(framemap_str symbol) { return fm_str_starts(symbol, FM_STR("_kDart")); }

/* Whether a symbol with an offset is the name of a library and not of a function: "/usr/lib/dart/bin/dart+0x4e4bb4"
 * is a library, "clone+0x6d" a function. A program may be printed without a path, "dart"; only its large offset
 * distinguishes it from a function. */
static bool is_library(const struct fm_dart_crash_row *row)
{
    enum { FUNCTION_MOST = 0x10000 };
    const framemap_str symbol = row->symbol;
    if (fm_str_find_byte(symbol, '(') != FM_NOT_FOUND || fm_str_find(symbol, FM_STR("::")) != FM_NOT_FOUND)
        return symbol.data[0] == '/';
    return fm_str_find_byte(symbol, '/') != FM_NOT_FOUND || fm_str_find_byte(symbol, '\\') != FM_NOT_FOUND ||
           fm_str_find_byte(symbol, '.') != FM_NOT_FOUND || row->offset >= FUNCTION_MOST;
}

static void read_crash(struct fm_document *doc, const struct fm_line *line, uint64_t floor)
{
    enum { CRASH_ABOVE = 8 };
    framemap_trace *trace = fm_document_open(doc, fm_dart_crash_name);
    struct fm_look_back walk = fm_look_back_from(doc, line, floor, CRASH_ABOVE);
    if (trace == NULL) return;
    for (struct fm_line *above; (above = fm_look_back_next(&walk)) != NULL;) {
        if (!fm_line_cut(above)) continue;
        fm_dart_crash_head(fm_str_trim(above->body), trace);
        if (trace->signal.has_number || fm_str_starts(above->body, FM_STR("====="))) return;
    }
}

enum fm_line_role fm_dart_add_crash_row(struct fm_dart_state *state, struct fm_document *doc,
                                        const struct fm_line *line, const struct fm_dart_crash_row *row)
{
    const bool goes_on =
        fm_document_open(doc, fm_dart_crash_name) && !state->fresh && line->number1 - state->number1 <= 1;
    if (!goes_on) {
        const uint64_t floor = state->floor;
        if (!dart_begin(state, doc, fm_dart_crash_name, line)) return FM_ROLE_FRAME;
        read_crash(doc, line, floor);
    }
    const framemap_str id = id_of(state, doc, 1);
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return FM_ROLE_FRAME;
    frame->has_address = true;
    frame->address = row->pc;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->return_address = goes_on;
    frame->has_function_offset = row->has_offset;
    frame->function_offset = row->offset;
    if (row->named) {
        place_named(state, doc, row, frame, id);
    } else if (is_text(row->symbol)) {
        frame->kind = FRAMEMAP_KIND_DART;
        frame->id = id;
        frame->symbol = row->symbol;
    } else if (fm_str_equal(row->symbol, FM_STR("Unknown symbol"))) {
        frame->kind = FRAMEMAP_KIND_NATIVE;
    } else if (!row->has_offset || !is_library(row)) {
        frame->kind = FRAMEMAP_KIND_NATIVE;
        frame->function = row->symbol;
    } else {
        frame->kind = FRAMEMAP_KIND_NATIVE;
        frame->module = fm_str_basename(row->symbol);
        frame->address = row->offset;
        frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
        frame->has_function_offset = false;
        frame->function_offset = 0;
    }
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}
