/* Traces of Dart programs that were compiled ahead of time (dart_line.h has their lines), and the list of program
 * counters in the crash dump of its VM:
 *
 *       pc 0x00007fcf2482a8ce fp 0x00007fcf1fffd4d0 _kDartSnapshotText+0x168ce
 *
 * A trace prints addresses of calls: they are looked up as they are. A crash dump prints what the machine had: all but
 * the first are return addresses. */
#include "formats/dart/dart_error.h"
#include "formats/dart/dart_line.h"
#include "formats/dart/dart_named.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"
#include "formats/row_writer.h"

static const char trace_name[] = "dart", named_name[] = "dart-symbolic", crash_name[] = "dart-crash";

static const char cut_header[] = "the header of the trace is lost: nothing tells where the program's code begins";
static const char not_dart[] = "the address is in none of the texts that the trace tells of";

#define ABOVE 12 /* lines above a trace that are searched: as many as Flutter prints between an error and its stack */

struct dart_state {
    struct fm_dart_header header;
    framemap_str thread, thread_id; /* for the trace that comes next */
    uint64_t process_id;
    bool has_process_id;
    struct fm_dart_box box; /* the error of the trace that comes next */
    uint64_t behind;        /* offset of the first frame of the last trace; the search above the next one stops there */
    bool fresh;             /* there was a header since the last frame */
    bool has_virtual, odd,
        gap; /* of the frames of the trace: one has a virtual address; one has an odd address; numbers are missing */
    bool tells_starts, tells_no_vm, arm; /* the header of the trace */
    bool isolate_symbol;                 /* all frames count from the text of Dart up to 3.12 */
    bool restarts;                       /* the next frame is numbered from 0 again */
    uint64_t number1;                    /* of the last frame or marker */
    uint64_t index;                      /* of the last row */
    framemap_str id;                     /* of the unit of the last frame with an address; memory of the document */
    uint64_t id_unit;
    bool has_id; /* the trace has such a frame */
};

/* Whether a trace was written by a sampler, which prints program counters. The VM prints addresses of calls, which are
 * odd on ARM; it numbers frames without gaps; and from Dart 3.13 on, whose header has vm_instructions: 0, it has no
 * isolate text. */
static void dart_settle(struct dart_state *state, struct fm_document *doc)
{
    framemap_trace *trace = fm_document_open(doc, trace_name);
    const bool may_be =
        trace && trace->frame_count && state->tells_starts && state->isolate_symbol && !state->has_virtual;
    if (!may_be || !(state->tells_no_vm || state->gap || (state->arm && !state->odd && trace->frame_count > 1))) return;
    for (size_t i = 0; i < trace->frame_count; i++) trace->frames[i].return_address = trace->frames[i].index > 0;
}

/* --- the lines above the frames --- */

/* "pid: 1, tid: 2, name 1.ui". */
static bool read_thread(struct dart_state *state, framemap_str body)
{
    if (!fm_str_starts(body, FM_STR("pid"))) return false;
    const framemap_str mark = FM_STR(", name "), tid = FM_STR("tid: ");
    const size_t at = fm_str_find(body, mark), id = fm_str_find(body, tid);
    if (at == FM_NOT_FOUND || id == FM_NOT_FOUND) return false;
    state->thread = fm_str_trim(fm_str_from(body, at + mark.size));
    state->thread_id = id < at ? fm_str_slice(body, id + tid.size, at) : (framemap_str){NULL, 0};
    struct fm_scan s = fm_scan_of(body);
    state->has_process_id = fm_scan_text(&s, FM_STR("pid: ")) && fm_scan_dec(&s, &state->process_id, NULL);
    return true;
}

/* Mentions the names in one line of an error, which may be obfuscated. */
static void tell_names(struct fm_document *doc, const struct fm_line *line, framemap_str text, bool leads)
{
    struct fm_dart_names names = {.line = text, .leads = leads};
    framemap_str name;
    while (fm_dart_names_next(&names, &name)) {
        framemap_mention mention = {.exception = names.is_error};
        mention.raw = fm_line_printed(line, name, &mention.raw_offset);
        if (!fm_document_mention(doc, &mention)) return;
    }
}

/* Parses a line above the trace. next: the line above announces that the error follows; *next is set if this line does.
 */
static void tell_line(struct fm_document *doc, framemap_trace *trace, const struct fm_line *line, bool *next)
{
    framemap_str text = line->body, told;
    bool leads = *next;
    if (*next) trace->exception = fm_str_trim(text);
    *next = false;
    if (fm_dart_announces(text, &told)) {
        *next = told.size == 0;
        if (told.size) {
            trace->exception = text = told;
            leads = true;
        }
    }
    tell_names(doc, line, text, leads);
}

/* Type and message of the error, with the lines that follow it up to the trace. */
static void tell_parts(struct fm_document *doc, framemap_trace *trace, const framemap_str *lines, size_t count)
{
    framemap_str message[ABOVE + 1];
    size_t parts = 0;
    fm_dart_error_parts(trace->exception, &trace->exception_type, &message[0]);
    parts += message[0].size != 0;
    for (size_t i = 0; i < count; i++) {
        if (fm_str_starts(lines[i], FM_STR("Warning: This VM"))) break;
        message[parts++] = lines[i];
    }
    trace->exception_message = fm_row_join(doc, message, parts);
}

/* "[ERROR:flutter/…] Unhandled Exception: ex: it went wrong": the error follows on the line, or on the next one. */
static void tell_error(const struct dart_state *state, struct fm_document *doc, framemap_trace *trace,
                       const struct fm_line *line)
{
    struct fm_look_back walk = fm_look_back_from(doc, line, state->behind, ABOVE);
    struct fm_line *lines[ABOVE];
    framemap_str after[ABOVE];
    size_t count = 0, message = 0;
    bool next = false;
    while (count < ABOVE && (lines[count] = fm_look_back_next(&walk)) != NULL) count++;
    while (count-- > 0) {
        if (!fm_line_cut(lines[count])) continue;
        const framemap_str before = trace->exception;
        tell_line(doc, trace, lines[count], &next);
        if (next || trace->exception.data != before.data)
            message = 0;
        else if (trace->exception.size)
            after[message++] = fm_str_trim(lines[count]->body);
    }
    if (trace->exception.size) tell_parts(doc, trace, after, message);
}

/* Crashlytics puts the id on a line of its own. */
static bool read_build_id(struct dart_state *state, const struct fm_line *line)
{
    if (line->first != 'B') return false;
    const framemap_str mark = FM_STR("BuildId: ");
    framemap_str id = fm_str_trim(line->body);
    if (!fm_str_starts(id, mark)) return false;
    id = fm_str_from(id, mark.size);
    if (id.size != 32) return false;
    for (size_t i = 0; i < id.size; i++)
        if (!fm_is_hex(id.data[i]) || (id.data[i] >= 'A' && id.data[i] <= 'F')) return false;
    state->header = (struct fm_dart_header){.unit_count = 0};
    memcpy(state->header.id, id.data, id.size);
    return true;
}

/* A hex number at the end, after ": " or "=". */
static bool ends_with_address(framemap_str body)
{
    size_t at = body.size;
    while (at > 0 && fm_is_hex(body.data[at - 1])) at--;
    if (at == body.size || at == 0) return false;
    return body.data[at - 1] == '=' || (at > 1 && body.data[at - 1] == ' ' && body.data[at - 2] == ':');
}

/* Whether a line may be one of the header: each kind ends in its own way. */
static bool may_tell(framemap_str body)
{
    switch (body.size ? body.data[body.size - 1] : 0) {
    case '*': return fm_str_ends(body, FM_STR("***"));
    case '\'': return body.size > 1 && fm_is_hex(body.data[body.size - 2]);
    case 'o': return fm_str_ends(body, FM_STR("no"));
    case 's': return fm_str_ends(body, FM_STR("yes"));
    default: return ends_with_address(body);
    }
}

static enum fm_line_role read_context(struct dart_state *state, struct fm_document *doc, const struct fm_line *line)
{
    const framemap_str body = line->body;
    fm_dart_box_line(&state->box, doc, line);
    if ((may_tell(body) && fm_dart_header_line(&state->header, body)) || read_build_id(state, line)) {
        if (!state->fresh) dart_settle(state, doc);
        state->fresh = true;
        return FM_ROLE_CONTEXT;
    }
    return read_thread(state, body) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
}

/* --- traces --- */

static framemap_str keep_text(struct fm_document *doc, const char *text)
{
    const size_t size = strlen(text);
    char *copy = size ? fm_document_alloc(doc, size) : NULL;
    if (copy == NULL) return (framemap_str){NULL, 0};
    memcpy(copy, text, size);
    return fm_str(copy, size);
}

static bool dart_begin(struct dart_state *state, struct fm_document *doc, const char *format,
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
    tell_error(state, doc, trace, line);
    fm_dart_box_use(&state->box, doc, line, trace);
    state->behind = line->offset + 1;
    state->thread = state->thread_id = (framemap_str){NULL, 0};
    state->has_process_id = state->restarts = false;
    state->fresh = state->has_id = state->has_virtual = state->odd = state->gap = false;
    state->isolate_symbol = true;
    state->tells_starts = state->header.has_starts;
    state->tells_no_vm = state->header.vm_start == 0;
    state->arm = strncmp(state->header.arch, "arm", 3) == 0;
    return true;
}

/* Frames of one unit share one copy of its id: all frames of a trace have the same header. */
static framemap_str id_of(struct dart_state *state, struct fm_document *doc, uint64_t unit)
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

static void place(const struct dart_state *state, struct fm_document *doc, const struct fm_dart_row *row,
                  framemap_frame *frame, framemap_str id)
{
    struct fm_dart_location spot;
    frame->has_address = true;
    frame->address = row->has_virtual ? row->virtual_address : row->absolute;
    frame->address_kind = row->has_virtual ? FRAMEMAP_ADDRESS_LINKED : FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->has_absolute_address = row->has_virtual && row->absolute; /* Crashlytics clears it */
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

/* Whether the open stack is one of this parser and continues here. */
static bool is_open(const struct dart_state *state, struct fm_document *doc, const struct fm_line *line)
{
    return (fm_document_open(doc, trace_name) || fm_document_open(doc, named_name)) && !state->fresh &&
           line->number1 - state->number1 <= FM_DART_GAP;
}

/* Whether a frame with this number continues the open stack. */
static bool is_next(const struct dart_state *state, struct fm_document *doc, const struct fm_line *line, uint64_t index)
{
    return is_open(state, doc, line) && (index > state->index || state->restarts);
}

/* The frame's text begins at the blanks before '#', or where the words begin that are not a logger's ("at . #00 abs").
 */
static void set_raw(framemap_frame *frame, const struct fm_line *line, size_t from)
{
    if (line->printed.data) return;
    const size_t body = (size_t)(line->body.data - line->text.data);
    if (body < from) from = body;
    frame->raw = fm_str_from(line->text, from);
    frame->raw_offset = line->offset + from;
}

static enum fm_line_role dart_read_row(struct dart_state *state, struct fm_document *doc, const struct fm_line *line,
                                       const struct fm_dart_row *row)
{
    const bool goes_on = is_next(state, doc, line, row->index);
    if (!goes_on && !state->fresh) dart_settle(state, doc);
    if (!goes_on && !dart_begin(state, doc, trace_name, line)) return FM_ROLE_FRAME;
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

/* --- frames with names, and markers --- */

static enum fm_line_role read_named(struct dart_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_dart_named row;
    if (!fm_dart_named_parse(line->body, &row)) return FM_ROLE_NONE;
    const uint64_t index = (uint64_t)row.index;
    if (!is_next(state, doc, line, index) && !dart_begin(state, doc, named_name, line)) return FM_ROLE_FRAME;
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

static enum fm_line_role read_marker(struct dart_state *state, struct fm_document *doc, const struct fm_line *line)
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

/* --- crash dumps --- */

struct crash_row {
    uint64_t pc, offset;
    framemap_str head; /* up to the symbol */
    framemap_str symbol;
    bool named; /* of the second list, in which the VM prints names itself: "[Optimized] _Set@3099033.add+0x1b", "[Stub]
                   Entry frame" */
    bool is_stub;
};

/* "sp 0x7f… [Optimized] ". */
static bool skip_kind(struct fm_scan *s, bool *is_stub)
{
    struct fm_scan at = *s;
    framemap_str kind;
    uint64_t sp;
    if (!fm_scan_text(&at, FM_STR("sp ")) || !fm_scan_0xhex(&at, &sp, NULL) || !fm_scan_text(&at, FM_STR(" [")))
        return false;
    if (!fm_scan_until(&at, ']', &kind)) return false;
    at.at++;
    if (!fm_scan_byte(&at, ' ')) return false;
    *is_stub = fm_str_equal(kind, FM_STR("Stub"));
    *s = at;
    return true;
}

static bool parse_crash_row(framemap_str body, struct crash_row *row)
{
    struct fm_scan s = fm_scan_of(body);
    uint64_t fp;
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("pc ")) || !fm_scan_0xhex(&s, &row->pc, NULL)) return false;
    if (!fm_scan_text(&s, FM_STR(" fp ")) || !fm_scan_0xhex(&s, &fp, NULL) || !fm_scan_byte(&s, ' ')) return false;
    row->named = skip_kind(&s, &row->is_stub);
    row->head = fm_str(body.data, (size_t)(s.at - body.data));
    if (fm_row_distance(fm_scan_rest(&s), true, &row->symbol, &row->offset)) return true;
    row->symbol = fm_scan_rest(&s);
    row->offset = 0;
    return row->named && row->is_stub;
}

/* Locates a frame that has its name; only the header gives the address of its unit. */
static void place_named(const struct dart_state *state, struct fm_document *doc, const struct crash_row *row,
                        framemap_frame *frame, framemap_str id)
{
    const struct fm_dart_row as_row = {.absolute = row->pc};
    frame->kind = FRAMEMAP_KIND_DART;
    if (!row->is_stub && state->header.has_starts && state->header.isolate_start) {
        place(state, doc, &as_row, frame, id);
        return;
    }
    frame->has_function_offset = false;
    frame->function_offset = 0;
    frame->function = row->symbol;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
}

static bool is_text(framemap_str symbol) { return fm_str_starts(symbol, FM_STR("_kDart")); }

static enum fm_line_role read_crash_row(struct dart_state *state, struct fm_document *doc, const struct fm_line *line,
                                        const struct crash_row *row)
{
    const bool goes_on = fm_document_open(doc, crash_name) && !state->fresh && line->number1 - state->number1 <= 1;
    if (!goes_on && !dart_begin(state, doc, crash_name, line)) return FM_ROLE_FRAME;
    const framemap_str id = id_of(state, doc, 1);
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return FM_ROLE_FRAME;
    frame->has_address = true;
    frame->address = row->pc;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->return_address = goes_on;
    frame->has_function_offset = true;
    frame->function_offset = row->offset;
    if (row->named) {
        place_named(state, doc, row, frame, id);
    } else if (is_text(row->symbol)) {
        frame->kind = FRAMEMAP_KIND_DART;
        frame->id = id;
        frame->symbol = row->symbol;
    } else { /* "/usr/lib/dart/bin/dart+0x4e4bb4": a library and an offset in it */
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

/* --- the formats --- */

static bool has_number(const struct fm_line *line)
{
    return (line->has & FM_HAS_HASH) != 0 && line->body.size && fm_find(line->body.data, line->body.size, '#');
}

static enum fm_line_role dart_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct dart_state *state = memory;
    struct fm_dart_row row;
    struct crash_row crash;
    if (line->begins) *state = (struct dart_state){.behind = line->offset};
    if (read_marker(state, doc, line) == FM_ROLE_FRAME) return FM_ROLE_FRAME;
    if (has_number(line) && fm_dart_row_parse(line->printed.data ? line->body : line->text, &row))
        return dart_read_row(state, doc, line, &row);
    if (has_number(line) && line->last == ')' && read_named(state, doc, line) == FM_ROLE_FRAME) return FM_ROLE_FRAME;
    if (line->first == 'p' && parse_crash_row(line->body, &crash)) return read_crash_row(state, doc, line, &crash);
    return read_context(state, doc, line);
}

static enum fm_line_role dart_offer_named(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct dart_state *state = memory;
    if (line->begins) *state = (struct dart_state){.behind = line->offset};
    if (read_marker(state, doc, line) == FM_ROLE_FRAME) return FM_ROLE_FRAME;
    if (has_number(line) && line->last == ')' && read_named(state, doc, line) == FM_ROLE_FRAME) return FM_ROLE_FRAME;
    return read_context(state, doc, line);
}

static enum fm_line_role dart_offer_crash(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct dart_state *state = memory;
    struct crash_row row = {.named = false};
    if (line->first == 'p' && parse_crash_row(line->body, &row)) return read_crash_row(state, doc, line, &row);
    return read_context(state, doc, line) == FM_ROLE_NONE ? FM_ROLE_NONE : FM_ROLE_CONTEXT;
}

/* Prints the words before the frame that are in its own text: "at . #00 abs …", "flutter: #0      f (…)". */
static void put_head(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix)
{
    struct fm_dart_row row;
    struct fm_dart_named named;
    framemap_str head = {NULL, 0};
    if (fm_dart_row_parse(frame->raw, &row))
        head = fm_str_slice(frame->raw, 0, row.from);
    else if (fm_dart_named_parse(frame->raw, &named))
        head = fm_str_trim(fm_str_slice(frame->raw, 0, named.from));
    fm_buf_str(out, head);
    if (head.size || prefix.size) fm_buf_byte(out, ' ');
}

/* As Dart's decoder prints it: the text before the frame, one blank, the frame. */
static void dart_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    bool any = false;
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (source->artificial) continue;
        if (any) {
            fm_buf_str(out, eol);
            fm_buf_str(out, prefix);
        }
        any = true;
        put_head(out, frame, prefix);
        fm_dart_put_row(out, source->index >= 0 ? (uint64_t)source->index : 0, source);
    }
}

static void dart_print_crash(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct crash_row row = {.named = false};
    if (!parse_crash_row(frame->raw, &row)) return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) {
            fm_buf_str(out, eol);
            fm_buf_str(out, prefix);
        }
        fm_buf_str(out, row.head);
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
}

static void dart_finish(void *memory, struct fm_document *doc)
{
    struct dart_state *state = memory;
    if (!state->fresh) dart_settle(state, doc);
}

static bool tells_header(framemap_str body)
{
    struct fm_dart_header header;
    if (!may_tell(body)) return false;
    header.unit_count = 0;
    header.id[0] = '\0';
    return fm_dart_header_line(&header, body);
}

static bool dart_is_significant(const struct fm_line *line)
{
    struct fm_dart_row row;
    struct crash_row crash;
    struct fm_dart_named named;
    if (has_number(line) && fm_dart_row_parse(line->printed.data ? line->body : line->text, &row)) return true;
    if (has_number(line) && line->last == ')' && fm_dart_named_parse(line->body, &named)) return true;
    if (fm_dart_box_begins(line->body)) return true;
    if (line->first == 'p' &&
        (fm_str_find(line->body, FM_STR("tid: ")) != FM_NOT_FOUND || parse_crash_row(line->body, &crash)))
        return true;
    return tells_header(line->body) ||
           (line->first == 'B' && fm_str_starts(fm_str_trim(line->body), FM_STR("BuildId: ")));
}

/* Names in the error above a trace are restored with it. */
static unsigned dart_leads(const struct fm_line *line, bool announced)
{
    framemap_str told, name;
    struct fm_dart_names names = {.line = line->body, .leads = announced};
    if (fm_dart_announces(line->body, &told)) return ABOVE | (told.size == 0 ? FM_LEADS_NEXT : 0);
    return fm_dart_names_next(&names, &name) ? ABOVE : 0;
}

static const struct fm_needle dart_needles[] = {
    FM_NEEDLE(" comp: ", 3, 2),     FM_NEEDLE(" comp=", 3, 2),           FM_NEEDLE("loading_unit", 7, 4),
    FM_NEEDLE("build_id", 5, 15),   FM_NEEDLE("isolate_dso_base", 5, 6), FM_NEEDLE("isolate_instructions", 5, 6),
    FM_NEEDLE("BuildId: ", 4, 10),  FM_NEEDLE("tid: ", 0, 13),           FM_NEEDLE("*** ***", 2, 5),
    FM_NEEDLE(" was thrown", 7, 9),
};

const struct fm_format fm_dart = {
    .info = {trace_name, "Dart and Flutter traces without symbols (#00 abs … virt … _kDartSnapshotText+0x…)", true,
             false},
    .keeps = FM_KEEPS_ESCAPES,
    FM_NEEDLES(dart_needles),
    .marks = FM_MARK_WORD | FM_MARK_NUMBER | FM_MARK_HEX,
    .state_size = sizeof(struct dart_state),
    .firsts = "pBTf",
    .lasts = "*'os0123456789abcdefABCDEF",
    .any_of = FM_HAS_HASH,
    .offer = dart_offer,
    .is_significant = dart_is_significant,
    .keeps_state = true,
    .finish = dart_finish,
    .leads = dart_leads,
    .print_frame = dart_print_frame};
/* "#1      f (package:app/main.dart:1:2)" */
static void named_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    framemap_frame named = *row->frame;
    named.function = row->has_name ? row->name : FM_STR("<anonymous closure>");
    if (named.file.size == 0) named.file = FM_STR("dart:core");
    fm_dart_put_row(out, row->number, &named);
}

const struct fm_format fm_dart_symbolic = {
    .info = {named_name, "Dart and Flutter traces with names (#0      f (package:app/main.dart:12:3))", true, true},
    .keeps = FM_KEEPS_ESCAPES,
    FM_NEEDLES(dart_needles),
    .marks = FM_MARK_WORD | FM_MARK_NUMBER | FM_MARK_HEX,
    .state_size = sizeof(struct dart_state),
    .firsts = "pBTf",
    .lasts = "*'os0123456789abcdefABCDEF",
    .any_of = FM_HAS_HASH,
    .offer = dart_offer_named,
    .is_significant = dart_is_significant,
    .keeps_state = true,
    .parsed_by_earlier = true,
    .print_frame = dart_print_frame,
    FM_WRITES_ROWS(named_put_row, FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS)};
const struct fm_format fm_dart_crash = {
    .info = {crash_name, "crash dumps of Dart's VM (pc 0x… fp 0x… _kDartSnapshotText+0x…)", true, false},
    .keeps = FM_KEEPS_ESCAPES,
    FM_NEEDLES(dart_needles),
    .marks = FM_MARK_WORD | FM_MARK_NUMBER | FM_MARK_HEX,
    .state_size = sizeof(struct dart_state),
    .firsts = "pBTf",
    .lasts = "*'os0123456789abcdefABCDEF",
    .any_of = FM_HAS_HASH,
    .offer = dart_offer_crash,
    .is_significant = dart_is_significant,
    .keeps_state = true,
    .parsed_by_earlier = true,
    .print_frame = dart_print_crash};
