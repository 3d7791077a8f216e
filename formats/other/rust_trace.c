/* Rust's backtraces, of panics and of errors (anyhow, eyre):
 *
 *     thread 'main' (77) panicked at src/main.rs:3:5:
 *     index out of bounds: the len is 3 but the index is 3
 *     stack backtrace:
 *        0: app::run
 *                  at ./src/main.rs:3:5
 *        1:     0x55a7fc02 - core[c1f1a4]::fmt::write
 *                                    at /rustc/…/fmt/mod.rs:7:2
 *
 *     1: error while executing at wasm backtrace:              Wasmtime, within the causes of an error
 *            0: 0x6b2e - app.wasm!run
 *     2: wasm trap: wasm `unreachable` instruction executed
 *
 * The first line of a row has the function, the second its position, if that is known. Below "stack backtrace:" each
 * such line is accepted; without that title, a position in a file ".rs" together with the line above it starts a
 * stack. Full backtraces have addresses; functions inlined into each other have the same one. The runtime has
 * already looked up the positions of the calls, except in a module of WebAssembly: there Wasmtime prints positions only
 * if the module has debug info and WASMTIME_BACKTRACE_DETAILS is set. So rows of a module without a position are frames
 * of WebAssembly, as JavaScript engines print them, whose addresses are offsets in the file of the module. */
#include "formats/other/other_row.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "rust";
#define RUST_GAP 8 /* maximum number of lines from a title or a row to the next row */

struct rust_state {
    uint64_t number1; /* number of the line of the title or the last row; 0: no stack is open */
    /* number of the last line with an escaped string; rows above that line belong to another stack */
    uint64_t string1;
    bool has_trace;
    bool has_place;  /* the position of the last row has been read */
    bool is_wasm;    /* the rows are functions of WebAssembly, and have addresses */
    uint64_t panic1; /* number of the line with the panic; 0: there is no panic */
    framemap_str panic, message;
};

struct rust_row {
    int64_t index;
    bool has_address;
    uint64_t address;
    framemap_str function;
};

/* Parses "  3: app::run" or "  3:   0x55a7 - app::run". A further function at the same address as the row above has no
 * number: "      - app::run". */
static bool rust_parse_row(framemap_str text, struct rust_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(text));
    *row = (struct rust_row){.index = -1};
    if (fm_scan_text(&s, FM_STR("- "))) {
        row->function = fm_scan_rest(&s);
        return row->function.size != 0;
    }
    if (!fm_row_index(&s, &row->index) || !fm_scan_byte(&s, ':') || !fm_scan_blanks1(&s)) return false;
    struct fm_scan address = s;
    if (fm_scan_0xhex(&address, &row->address, NULL)) {
        row->has_address = true;
        s = address;
        if (fm_scan_done(&s)) return true;
        if (!fm_scan_text(&s, FM_STR(" - "))) return false;
    }
    row->function = fm_str_trim(fm_scan_rest(&s));
    return row->function.size != 0;
}

/* Parses "at src/main.rs:3:5". */
static bool rust_parse_place(framemap_str text, framemap_str *file, uint32_t *line, uint32_t *column)
{
    text = fm_str_trim(text);
    if (!fm_str_starts(text, FM_STR("at "))) return false;
    return fm_row_location(fm_str_trim(fm_str_from(text, 3)), file, line, column);
}

static bool is_source(framemap_str file) { return fm_str_ends(file, FM_STR(".rs")); }

static const framemap_str wasm_title = FM_STR_INIT("wasm backtrace:"), wasm_trap = FM_STR_INIT("wasm trap: ");

static bool rust_is_title(framemap_str text)
{
    return fm_str_ends(text, FM_STR("tack backtrace:")) || fm_str_ends(text, wasm_title) ||
           fm_str_ends(text, FM_STR(" BACKTRACE ")) ||
           fm_str_find(text, FM_STR(" BACKTRACE \xE2\x94\x81")) != FM_NOT_FOUND;
}

static bool is_panic(framemap_str text)
{
    return fm_str_find(text, FM_STR("' panicked at ")) != FM_NOT_FOUND ||
           (fm_str_find(text, FM_STR(") panicked at ")) != FM_NOT_FOUND &&
            fm_str_find(text, FM_STR("thread '")) != FM_NOT_FOUND) ||
           fm_str_starts(text, FM_STR("The application panicked"));
}

static bool rust_is_significant(const struct fm_line *line)
{
    framemap_str file;
    uint32_t number, column;
    if (line->last == ':' && rust_is_title(line->body)) return true;
    if (is_panic(line->body)) return true;
    if (line->first == 'a') return rust_parse_place(line->body, &file, &number, &column) && is_source(file);
    return rust_is_title(line->body);
}

/* Returns the offset of the quotation mark that ends a message, "oops', src/main.rs:3:5"; FM_NOT_FOUND: there is no
 * such mark. */
static size_t quote_end(framemap_str text)
{
    const size_t end = fm_str_find_last(text, FM_STR("', "));
    framemap_str file;
    uint32_t line = 0, column;
    if (end != FM_NOT_FOUND) (void)fm_row_location(fm_str_from(text, end + 3), &file, &line, &column);
    return line ? end : FM_NOT_FOUND;
}

/* Whether the message of a panic begins on the panic's line and ends on a later one. Before Rust 1.73, the message of a
 * failed assertion did: "panicked at 'assertion failed: `(left == right)`". *message: the part on this line. */
static bool begins_message(framemap_str panic, framemap_str *message)
{
    static const framemap_str mark = FM_STR_INIT(" panicked at '");
    const size_t at = fm_str_find(panic, mark);
    if (at == FM_NOT_FOUND) return false;
    *message = fm_str_from(panic, at + mark.size);
    return message->size != 0 && quote_end(*message) == FM_NOT_FOUND;
}

/* Sets thread and exception of a trace from "thread 'main' (77) panicked at src/main.rs:3:5:", or, with the message on
 * the same line, "panicked at 'oops', src/main.rs:3:5". */
static void name_trace(struct rust_state *state, framemap_trace *trace)
{
    const framemap_str text = state->panic;
    framemap_str open;
    const size_t quote = fm_str_find(text, FM_STR("thread '")), at = fm_str_find(text, FM_STR(" panicked at "));
    if (state->panic1 == 0) return;
    state->panic1 = 0;
    trace->exception = text;
    trace->exception_type = FM_STR("panic");
    trace->crashed = true;
    if (quote != FM_NOT_FOUND && at != FM_NOT_FOUND && at > quote) {
        framemap_str thread = fm_str_slice(text, quote + 8, at), id;
        if (fm_row_group(&thread, &id)) trace->thread_id = id;
        if (fm_str_ends(thread, FM_STR("'"))) thread.size--;
        trace->thread = trace->thread_name = thread;
    }
    trace->exception_message = state->message;
    if (at == FM_NOT_FOUND) return;
    const framemap_str place = fm_str_from(text, at + 13);
    const size_t end = quote_end(place);
    if (place.size && place.data[0] == '\'' && end != FM_NOT_FOUND && end > 0)
        trace->exception_message = fm_str_slice(place, 1, end);
    else if (begins_message(text, &open))
        trace->exception_message = fm_str_slice(state->message, 0, quote_end(state->message));
}

static bool ensure_trace(struct rust_state *state, struct fm_document *doc, const struct fm_line *line)
{
    if (state->has_trace && fm_document_open(doc, name) != NULL) return true;
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return false;
    name_trace(state, trace);
    state->has_trace = true;
    return true;
}

/* Makes a row a frame that is looked up in its module. The module's name may be unknown. */
static void rust_begin_wasm(framemap_frame *frame, framemap_str module)
{
    if (frame->function.size == 0 || !frame->has_address) return;
    frame->kind = FRAMEMAP_KIND_JS;
    frame->status = FRAMEMAP_FRAME_RAW;
    frame->file = module;
    frame->line = 1; /* source maps treat a whole module of WebAssembly as one line */
    frame->address_kind = FRAMEMAP_ADDRESS_BYTECODE;
}

/* Undoes rust_begin_wasm for a row that has a position. */
static void rust_end_wasm(framemap_frame *frame)
{
    if (frame->kind != FRAMEMAP_KIND_JS) return;
    frame->kind = FRAMEMAP_KIND_OTHER;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
}

static void rust_add_row(struct rust_state *state, struct fm_document *doc, const struct fm_line *line,
                         const struct rust_row *row)
{
    framemap_frame *frame = ensure_trace(state, doc, line) ? fm_other_frame(doc, line) : NULL;
    state->number1 = line->number1;
    state->has_place = false;
    if (frame == NULL) return;
    frame->index = row->index;
    frame->function = row->function;
    if (!row->has_address) return;
    frame->has_address = true;
    frame->address = row->address;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
}

/* Adds an inlined function, "- main.f", that some versions of Wasmtime print after the position of the row above, on
 * the same line. */
static void rust_add_inlined(struct rust_state *state, struct fm_document *doc, const struct fm_line *line,
                             framemap_frame *above, framemap_str text)
{
    struct rust_row row;
    if (!rust_parse_row(text, &row)) return;
    const framemap_str raw = above->raw;
    if (text.data > raw.data && text.data < raw.data + raw.size)
        above->raw = fm_str_slice(raw, 0, (size_t)(text.data - raw.data));
    rust_add_row(state, doc, line, &row);
    framemap_trace *trace = fm_document_open(doc, name);
    framemap_frame *frame = trace ? fm_other_last(trace) : NULL;
    if (frame) fm_other_narrow(frame, text);
}

/* Sets the position of the last row's frame. */
static bool take_place(struct rust_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_str file;
    uint32_t number, column;
    framemap_trace *trace = fm_document_open(doc, name);
    framemap_frame *frame = trace && state->has_trace ? fm_other_last(trace) : NULL;
    const size_t end = state->is_wasm ? fm_str_find(line->body, FM_STR("    - ")) : FM_NOT_FOUND;
    if (frame == NULL || state->has_place ||
        !rust_parse_place(fm_str_slice(line->body, 0, end), &file, &number, &column))
        return false;
    rust_end_wasm(frame);
    frame->file = file;
    frame->line = number;
    frame->column = column;
    fm_other_continue(doc, frame, line);
    state->has_place = true;
    state->number1 = line->number1;
    if (end != FM_NOT_FOUND) rust_add_inlined(state, doc, line, frame, fm_str_trim(fm_str_from(line->body, end)));
    return true;
}

/* Starts a stack at a position without a title above it. The line above the position is a row, and so are lines
 * further up whose numbers descend to 0. */
static bool start_at_place(struct rust_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_line *above[FM_LOOK_BACK_MOST];
    framemap_str file;
    uint32_t number, column;
    struct rust_row row;
    size_t count = 0;
    int64_t index = -1;
    if (!rust_parse_place(line->body, &file, &number, &column) || !is_source(file)) return false;
    struct fm_look_back back = fm_look_back_from(doc, line, 0, FM_LOOK_BACK_MOST);
    for (struct fm_line *before;
         count < FM_LOOK_BACK_MOST && index != 0 && (before = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        if (!rust_parse_row(before->body, &row) || row.index < 0) break;
        if (count && row.index != index - 1) break;
        index = row.index;
        above[count++] = before;
    }
    if (count == 0) return false;
    *state = (struct rust_state){.string1 = state->string1};
    for (size_t i = count; i-- > 0;)
        if (rust_parse_row(above[i]->body, &row)) rust_add_row(state, doc, above[i], &row);
    return take_place(state, doc, line);
}

/* Whether the line is "[... omitted 3 frames ...]". */
static bool is_omitted(framemap_str text)
{
    return fm_str_starts(text, FM_STR("[... omitted ")) ||
           (fm_str_find(text, FM_STR(" frames hidden ")) != FM_NOT_FOUND);
}

/* Adds the lines between the panic and the title of its stack to the panic's message. */
static void extend_message(struct rust_state *state, const struct fm_line *line)
{
    if (state->panic1 == 0 || line->number1 - state->panic1 > RUST_GAP ||
        fm_str_starts(line->body, FM_STR("note: run with ")))
        return;
    if (state->message.size == 0)
        state->message = line->body;
    else
        (void)fm_line_extend(line, &state->message);
}

static enum fm_line_role take_titles(struct rust_state *state, const struct fm_line *line)
{
    if (is_panic(line->body)) {
        *state =
            (struct rust_state){.panic1 = line->number1, .panic = fm_str_trim(line->body), .string1 = state->string1};
        if (!begins_message(state->panic, &state->message)) state->message = fm_str(NULL, 0);
        return FM_ROLE_CONTEXT;
    }
    if (!rust_is_title(line->body)) return FM_ROLE_NONE;
    if (line->number1 - state->panic1 > 2 * RUST_GAP) state->panic1 = 0;
    state->number1 = line->number1;
    state->has_trace = false;
    state->is_wasm = fm_str_ends(line->body, wasm_title);
    return FM_ROLE_CONTEXT;
}

/* Makes a trap, "1: wasm trap: unreachable", the exception of a trace. */
static void set_trap(framemap_trace *trace, framemap_str text)
{
    const size_t at = fm_str_find(text, wasm_trap);
    if (trace == NULL || at == FM_NOT_FOUND) return;
    trace->exception = fm_str_from(text, at);
    trace->exception_type = fm_str(wasm_trap.data, wasm_trap.size - 2);
    trace->exception_message = fm_str_from(text, at + wasm_trap.size);
    trace->crashed = true;
}

/* Sets the module of a row such as "app.wasm!run". Sets the exception of the row's stack, if a line above the title has
 * it. */
static void finish_wasm_row(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    framemap_frame *frame = fm_other_last(trace);
    if (frame == NULL) return;
    const size_t bang = fm_str_find_byte(frame->function, '!');
    const framemap_str module = fm_str_slice(frame->function, 0, bang);
    if (bang != FM_NOT_FOUND && bang > 0 && fm_str_find_byte(module, ' ') == FM_NOT_FOUND) {
        frame->function = fm_str_from(frame->function, bang + 1);
        const bool is_unnamed = fm_str_equal(module, FM_STR("<unknown>"));
        if (!is_unnamed) frame->module = module;
        if (is_unnamed || fm_str_ends(module, FM_STR(".wasm"))) rust_begin_wasm(frame, module);
    }
    if (trace->frame_count != 1) return;
    struct fm_look_back back = fm_look_back_from(doc, line, 0, 3);
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;)
        if (fm_line_cut(before)) set_trap(trace, fm_str_trim(before->body));
}

/* Handles the next cause of an error, which is printed below a stack of WebAssembly: it ends the stack, and names the
 * trap. */
static enum fm_line_role end_wasm(struct rust_state *state, struct fm_document *doc, framemap_str text)
{
    if (state->has_trace) set_trap(fm_document_open(doc, name), text);
    state->number1 = 0;
    state->is_wasm = false;
    return FM_ROLE_CONTEXT;
}

static enum fm_line_role rust_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct rust_state *state = memory;
    struct rust_row row;
    if (line->begins) state->string1 = line->number1;
    if (take_titles(state, line) == FM_ROLE_CONTEXT) return FM_ROLE_CONTEXT;
    const bool leaves = line->number1 == state->string1 && state->number1 != line->number1;
    const bool inside = state->number1 && line->number1 - state->number1 <= RUST_GAP && !leaves;
    if (!inside) {
        if (start_at_place(state, doc, line)) return FM_ROLE_FRAME;
        extend_message(state, line);
        return FM_ROLE_NONE;
    }
    if (take_place(state, doc, line)) return FM_ROLE_FRAME;
    const framemap_str text = fm_str_trim(line->body);
    if (is_omitted(text) && state->has_trace && fm_document_open(doc, name)) {
        fm_other_marker(doc, line, FRAMEMAP_MARKER_ELIDED, fm_other_number(text));
        state->number1 = line->number1;
        state->has_place = true;
        return FM_ROLE_FRAME;
    }
    if (fm_str_starts(text, FM_STR("note: "))) {
        state->number1 = 0;
        return FM_ROLE_NONE;
    }
    if (!rust_parse_row(line->body, &row) || (row.index < 0 && !state->has_trace)) return FM_ROLE_NONE;
    if (row.index == 0 && state->has_trace) {
        const framemap_trace *trace = fm_document_open(doc, name);
        if (trace && trace->frame_count && trace->frames[trace->frame_count - 1].index > 0) state->has_trace = false;
    }
    if (state->is_wasm && !row.has_address && row.index >= 0) return end_wasm(state, doc, text);
    rust_add_row(state, doc, line, &row);
    framemap_trace *trace = state->is_wasm ? fm_document_open(doc, name) : NULL;
    if (trace) finish_wasm_row(doc, line, trace);
    return FM_ROLE_FRAME;
}

/* Returns the part of a row that remains before the restored name: Wasmtime leaves out the module before a function
 * whose position it knows. */
static framemap_str rust_row_start(framemap_str raw, bool has_file)
{
    const size_t dash = fm_str_find(raw, FM_STR(" - ")), bang = fm_str_find_byte(raw, '!');
    if (!has_file && bang != FM_NOT_FOUND) return fm_str_slice(raw, 0, bang + 1);
    return dash != FM_NOT_FOUND ? fm_str_slice(raw, 0, dash + 3) : (framemap_str){NULL, 0};
}

/* Prints a row as Wasmtime does if it knows the position. */
static void rust_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (i) {
            fm_row_begin_line(out, prefix, eol);
            fm_buf_str(out, FM_STR("              - "));
        } else {
            fm_buf_str(out, rust_row_start(frame->raw, source->file.size > 0));
        }
        fm_buf_str(out, fm_row_name(source));
        if (source->file.size == 0) continue;
        fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, FM_STR("                    at "));
        fm_row_put_location(out, source);
    }
}

static const struct fm_needle rust_needles[] = {
    FM_NEEDLE("backtrace:", 1, 8),
    FM_NEEDLE(" panicked", 2, 10),
    FM_NEEDLE(" BACKTRACE ", 0, 9),
};

const struct fm_format fm_rust = {.info = {name, "backtraces of Rust's panics and errors", true, false},
                                  FM_NEEDLES(rust_needles),
                                  .marks = FM_MARK_WORD | FM_MARK_AT,
                                  .state_size = sizeof(struct rust_state),
                                  .offer = rust_offer,
                                  .is_significant = rust_is_significant,
                                  .print_frame = rust_print_frame,
                                  .keeps_state = true};
