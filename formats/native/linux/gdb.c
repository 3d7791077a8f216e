/* Backtraces of gdb:
 *
 *     Thread 2 (Thread 0x7f12 (LWP 123) "worker"):
 *     #0  0x00007ffff7e4ace1 in raise () from /lib64/libc.so.6
 *     #1  <signal handler called>
 *     #2  0x0000555555555131 in cart::add (this=0x0, n=3,
 *         name="x") at src/cart.cc:12
 *         count = 4
 *     #3  main () at main.c:5
 *     No locals.
 *     #4  0x00007ffff7e4ad00 in  () at /lib64/libx.so.6     DrKonqi: "at" before an image, and no name
 *     #5  0x00007ffff7e4ad10 in cart::run () from           reporters wrap rows before "()", after "from" and "at"
 *         /lib64/libx.so.6
 *     #6  0x00007ffff7e4ad20 in                             and before a long name
 *         cart::pay (this=0x0) at src/cart.cc:40
 *
 * and rows that Xcode copies, with a tab after the number, and with arguments only if there is no position:
 *
 *     #0 0x000000010400aabc in Cart.add(_:) at /src/My Cart/Cart.swift:23
 *     #1 0x00000001b2c3d4e5 in -[UIViewController loadViewIfRequired] ()
 *     #2 (null) in main ()                                  Xcode's organizer; also "Thread 0#0 (null) in f ()"
 *     Thread 2 Queue : com.shop.cart (serial)               the title that Xcode's debugger copies
 *
 * Addresses are return addresses, except in the first frame and in the frame after a signal handler. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"
#include "formats/signal_names.h"

static const char name[] = "gdb";

struct gdb_state {
    struct fm_stack_rows rows;
    bool open_arguments; /* the arguments of the last frame continue on the next line */
    bool without_place;  /* the last frame has no position yet, so the next line may be "at FILE:LINE" */
    bool wrapped_place;  /* the last row ends with "from" or "at", so the next line has the file */
    bool wrapped_call;   /* the last row ends with "in", so the next line has the rest of the row */
    bool after_signal;
    bool stopped;                      /* gdb showed the last frame when it reported that the program stopped */
    uint64_t stop1;                    /* number of the line with the frame that gdb showed when the program stopped */
    framemap_str stop_text, stop_type; /* message and name of the signal that stopped the program */
    framemap_str stop_function;
};
/* maximum number of lines from the frame that gdb shows when the program stops to the stack that the user then
 * prints */
#define STOP_MOST 40

static const framemap_str handler = FM_STR_INIT("<signal handler called>");

/* Parses "/lib64/libc.so.6". Does not accept a position, "/src/a.c:7". */
static bool read_image(framemap_str text, struct fm_stack_row *row)
{
    text = fm_str_trim(text);
    if (!fm_str_starts(text, FM_STR("/")) || fm_str_find_byte(text, ':') != FM_NOT_FOUND) return false;
    row->path = text;
    return true;
}

/* Parses the end of a row: ") at FILE:LINE", ") from /lib/x.so" or ") at /lib/x.so". */
static bool read_end(framemap_str text, struct fm_stack_row *row)
{
    static const framemap_str at_mark = FM_STR_INIT(") at "), from_mark = FM_STR_INIT(") from ");
    const size_t at = fm_str_find_last(text, at_mark), from = fm_str_find_last(text, from_mark);
    if (at != FM_NOT_FOUND) {
        const framemap_str place = fm_str_from(text, at + at_mark.size);
        return fm_row_location(place, &row->file, &row->line, &row->column) || read_image(place, row);
    }
    if (from == FM_NOT_FOUND) return false;
    row->path = fm_str_trim(fm_str_from(text, from + from_mark.size));
    return row->path.size != 0;
}

/* Parses "at FILE:LINE", "from /lib/x.so". */
static bool gdb_read_place(framemap_str text, struct fm_stack_row *row)
{
    if (fm_str_starts(text, FM_STR("at ")))
        return fm_row_location(fm_str_from(text, 3), &row->file, &row->line, &row->column);
    if (!fm_str_starts(text, FM_STR("from "))) return false;
    row->path = fm_str_trim(fm_str_from(text, 5));
    return row->path.size != 0;
}

/* Whether the text ends within the arguments of a template, as "f<void" does, which is the start of "f<void (int)>".
 * Names with "operator" are not examined, since '<' may be the operator. */
static bool is_in_template(framemap_str text)
{
    size_t depth = 0;
    if (fm_str_find(text, FM_STR("operator")) != FM_NOT_FOUND) return false;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '<') depth++;
        if (text.data[i] == '>' && depth) depth--;
    }
    return depth != 0;
}

/* Parses the first line of a wrapped row: "??", or "f(int)", whose "()" is on the next line. */
static bool read_wrapped(framemap_str text, struct fm_stack_row *row, bool *open)
{
    if (fm_str_equal(text, FM_STR("??"))) return true;
    if (!fm_str_ends(text, FM_STR(")"))) return false;
    row->function = text;
    return *open = true;
}

/* Parses "f (args) at a.c:3" or "f () from /lib/x.so". If the row has an address or follows another row, "?? ()", "f
 * (x=3)", "f (x=3," and "f (" are accepted as well. */
static bool read_call(framemap_str text, bool follows, struct fm_stack_row *row, bool *open)
{
    const bool believed = row->has_address || follows;
    size_t args = fm_str_find(text, FM_STR(" ("));
    *open = false;
    while (args != FM_NOT_FOUND && (fm_row_depth(fm_str(text.data, args)) != 0 ||
                                    /* a " (" within template arguments is part of the name: "f<(a)1 (b)2> (args)" */
                                    is_in_template(fm_str(text.data, args)))) {
        const size_t next = fm_str_find(fm_str_from(text, args + 1), FM_STR(" ("));
        args = next == FM_NOT_FOUND ? next : args + 1 + next;
    }
    if (args == FM_NOT_FOUND) return row->has_address && follows && read_wrapped(text, row, open);
    const framemap_str inside = fm_str_from(text, args + 2);
    row->function = fm_str(text.data, args);
    if (fm_str_equal(row->function, FM_STR("??"))) row->function.size = 0;
    if (read_end(text, row)) return true;
    if (believed && fm_str_ends(inside, FM_STR(" ()")) && fm_str_find(inside, FM_STR(") -> ")) != FM_NOT_FOUND) {
        /* the function of "thunk for @escaping () -> () ()", a row of Swift, ends with parentheses of its own */
        row->function = fm_str(text.data, text.size - 3);
        return true;
    }
    if (args == 0) return believed && fm_str_equal(inside, FM_STR(")"));
    if (!believed || fm_str_equal(inside, FM_STR(")"))) return believed;
    const bool has_value = inside.size == 0 || fm_str_find_byte(inside, '=') != FM_NOT_FOUND;
    *open = has_value && text.data[text.size - 1] != ')';
    return has_value && fm_str_find(inside, FM_STR("+0x")) == FM_NOT_FOUND;
}

/* Parses "Cart.add(_:) at /src/My Cart/Cart.swift:23". sure: the row is known to be Xcode's; otherwise it is accepted
 * only if the file is in one of Apple's languages. */
static bool read_xcode(framemap_str text, bool sure, struct fm_stack_row *row)
{
    static const framemap_str ends[] = {FM_STR_INIT(".swift"), FM_STR_INIT(".m"), FM_STR_INIT(".mm")};
    const size_t at = fm_str_find_last(text, FM_STR(" at "));
    struct fm_stack_row place = *row;
    framemap_str head = fm_str_slice(text, 0, at), arguments;
    if (at == FM_NOT_FOUND || at == 0 || fm_row_group(&head, &arguments)) return false;
    if (!fm_row_location(fm_str_from(text, at + 4), &place.file, &place.line, &place.column) || place.column != 0 ||
        !fm_str_starts(place.file, FM_STR("/")))
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) sure |= fm_str_ends(place.file, ends[i]);
    if (!sure) return false;
    if (place.line == 0) place.file.size = 0; /* "/<compiler-generated>:0" does not name a file */
    place.function = fm_str(text.data, at);
    *row = place;
    return true;
}

/* Moves over "Thread 0" directly before the "#0" of a row, as Xcode's organizer copies it. *id: the number, "0". */
static bool scan_thread(struct fm_scan *s, framemap_str *id)
{
    struct fm_scan t = *s;
    int64_t number;
    if (!fm_scan_text(&t, FM_STR("Thread "))) return false;
    const char *const digits = t.at;
    if (!fm_row_index(&t, &number) || t.at == t.end || *t.at != '#') return false;
    *id = fm_str(digits, (size_t)(t.at - digits));
    *s = t;
    return true;
}

/* Cuts "from" or "at" off the end of a row that a reporter wrapped after this word. */
static bool cut_place_word(framemap_str *text)
{
    static const framemap_str words[] = {FM_STR_INIT(") from"), FM_STR_INIT(") at")};
    for (size_t i = 0; i < 2; i++) {
        if (!fm_str_ends(*text, words[i])) continue;
        text->size -= words[i].size - 1;
        return true;
    }
    return false;
}

/* Whether a name is that of a method of Mono, "Cart:Add" or "(wrapper managed-to-native) Cart:Add", in a stack that
 * Unity prints (sanitizer.c). Such a name has a single colon, unlike "::", and is not a method of Objective-C. Colons
 * in parentheses belong to the labels of Swift's arguments: "Cart.add(item:)". */
static bool is_managed(framemap_str function)
{
    if (function.size == 0) return false;
    const size_t open = fm_str_find_byte(fm_str_from(function, 1), '(');
    if (open != FM_NOT_FOUND) function.size = open + 1;
    const size_t at = fm_str_find_byte(function, ':');
    if (at == FM_NOT_FOUND || at == 0 || at + 1 == function.size || fm_str_find_byte(function, '[') != FM_NOT_FOUND)
        return false;
    return function.data[at + 1] != ':' && fm_str_find(function, FM_STR("::")) == FM_NOT_FOUND;
}

/* Parses a row. expected: the number that the next row of an open stack has, or -1 if no stack is open. A row with this
 * number needs neither an address nor a position. */
static bool gdb_parse_row(framemap_str body, int64_t expected, struct fm_stack_row *row, bool *open)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    framemap_str ignored;
    *row = (struct fm_stack_row){.index = -1};
    *open = false;
    (void)scan_thread(&s, &ignored);
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, &row->index)) return false;
    const bool tab = s.at != s.end && *s.at == '\t';
    if (!fm_scan_blanks1(&s)) return false;
    if (fm_str_equal(fm_scan_rest(&s), handler)) {
        row->function = handler;
        return row->sure = true;
    }
    struct fm_scan t = s;
    const enum fm_digits digits = fm_row_0xhex(&t, &row->address);
    if (digits != FM_DIGITS_NONE) {
        row->has_address = true;
        row->too_long = digits == FM_DIGITS_LONG;
        if (fm_str_equal(fm_scan_rest(&t), FM_STR(" in"))) return row->index == expected;
        if (!fm_scan_text(&t, FM_STR(" in "))) return false;
        s = t;
        if (read_xcode(fm_scan_rest(&s), tab || row->index == expected, row)) return row->sure = true;
    } else if (tab && fm_scan_text(&s, FM_STR("(null) in ")) && read_call(fm_scan_rest(&s), true, row, open)) {
        return row->sure = true;
    }
    framemap_str call = fm_scan_rest(&s);
    cut_place_word(&call);
    if (!read_call(call, row->index == expected, row, open)) return false;
    if (row->has_address && row->line == 0 && row->path.size == 0 && is_managed(row->function)) return false;
    row->sure = row->has_address || row->line || row->path.size;
    return row->sure || row->index == expected;
}

/* Parses the rest of Xcode's title of a thread, " Queue : com.shop.cart (serial)". */
static bool read_queue(framemap_str text, framemap_str *queue)
{
    static const framemap_str mark = FM_STR_INIT(" Queue : ");
    framemap_str kind;
    if (!fm_str_starts(text, mark)) return false;
    *queue = fm_str_from(text, mark.size);
    return fm_row_group(queue, &kind) &&
           (fm_str_equal(kind, FM_STR("serial")) || fm_str_equal(kind, FM_STR("concurrent")));
}

/* Parses the title of a thread: "Thread 2 (Thread 0x7f12 (LWP 123) "worker"):", "Thread 1 (LWP 8):", "Thread 1 (Thread
 * 8):" of old gdb, or "Thread 2 Queue : com.shop.cart (serial)" of Xcode. */
static bool gdb_read_title(framemap_str text, struct fm_stack_rows *rows)
{
    struct fm_scan s = fm_scan_of(text);
    int64_t number;
    framemap_str inside;
    if (!fm_scan_text(&s, FM_STR("Thread "))) return false;
    const char *digits = s.at;
    if (!fm_row_index(&s, &number)) return false;
    const framemap_str id = fm_str(digits, (size_t)(s.at - digits));
    framemap_str queue;
    if (read_queue(fm_scan_rest(&s), &queue)) {
        rows->thread_id = id;
        rows->thread_queue = queue;
        return true;
    }
    if (!fm_scan_text(&s, FM_STR(" ("))) return false;
    inside = fm_scan_rest(&s);
    size_t lwp = fm_str_find(inside, FM_STR("LWP "));
    const bool old = lwp == FM_NOT_FOUND && fm_str_starts(inside, FM_STR("Thread "));
    if (old) lwp = 3;
    if (lwp == FM_NOT_FOUND || !fm_str_ends(text, FM_STR("):"))) return false;
    struct fm_scan t = fm_scan_of(fm_str_from(inside, lwp + 4));
    uint64_t tid;
    rows->thread_id = id;
    if (fm_scan_dec(&t, &tid, NULL) && (!old || *t.at == ')'))
        rows->thread_id = fm_str(inside.data + lwp + 4, (size_t)(t.at - inside.data) - lwp - 4);
    const size_t open = fm_str_find_byte(inside, '"'), close = fm_str_find_last_byte(inside, '"');
    if (open != FM_NOT_FOUND && close > open) rows->thread_name = fm_str_slice(inside, open + 1, close);
    return true;
}

/* Parses "Program received signal SIGSEGV, Segmentation fault.", "Thread 1 "a" received signal SIGSEGV, …", "Program
 * terminated with signal SIGABRT, Aborted.". */
static bool read_signal(framemap_str text, struct fm_stack_rows *rows)
{
    static const framemap_str marks[] = {FM_STR_INIT("received signal SIG"), FM_STR_INIT("terminated with signal SIG")};
    for (size_t i = 0; i < 2; i++) {
        const size_t at = fm_str_find(text, marks[i]);
        if (at == FM_NOT_FOUND) continue;
        const framemap_str from = fm_str_from(text, at + marks[i].size - 3);
        rows->exception = text;
        rows->type = rows->signal.name = fm_str_slice(from, 0, fm_str_find_byte(from, ','));
        return true;
    }
    return false;
}

static bool gdb_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    struct fm_stack_rows ignored = {.open = false};
    bool open;
    const framemap_str text = fm_str_trim(line->body);
    if (line->first == '#') return gdb_parse_row(text, -1, &row, &open) && row.sure;
    struct fm_scan s = fm_scan_of(text);
    framemap_str id;
    if (line->first == 'T' && scan_thread(&s, &id)) return gdb_parse_row(text, -1, &row, &open) && row.sure;
    return gdb_read_title(text, &ignored) || read_signal(text, &ignored);
}

/* Continues a row that ends with "in": the next line has the call, such as "cart::pay (this=0x0) at a.c:3". */
static bool continue_call(struct gdb_state *state, framemap_frame *frame, framemap_str text)
{
    struct fm_stack_row row = {.has_address = true};
    bool open;
    state->wrapped_place = cut_place_word(&text);
    if (!read_call(text, true, &row, &open)) return state->wrapped_place = false;
    state->open_arguments = open;
    state->without_place = row.file.size == 0 && row.path.size == 0;
    if (row.path.size) fm_native_set_module(frame, row.path);
    frame->function = row.function;
    frame->file = row.file;
    frame->line = row.line;
    fm_row_mark_complete(frame);
    return true;
}

/* Continues a wrapped row with the line below it. That line has further arguments, "n=3," or "name="x") at a.c:3", or
 * the position, "at a.c:3" or "from /lib/x.so". */
static bool continue_row(struct gdb_state *state, struct fm_document *doc, framemap_str text)
{
    framemap_frame *frame = fm_native_last(fm_document_open(doc, name));
    struct fm_stack_row row = {.index = 0};
    if (frame == NULL || text.size == 0) return false;
    const bool open = state->open_arguments, wrapped = state->wrapped_place, call = state->wrapped_call;
    state->open_arguments = state->wrapped_place = state->wrapped_call = false;
    if (call) return continue_call(state, frame, text);
    if (wrapped ? fm_row_location(text, &row.file, &row.line, &row.column) || read_image(text, &row)
        : open  ? read_end(text, &row)
                : state->without_place && gdb_read_place(text, &row)) {
        state->without_place = false;
        if (row.path.size) fm_native_set_module(frame, row.path);
        frame->file = row.file;
        frame->line = row.line;
        fm_row_mark_complete(frame);
        return true;
    }
    state->open_arguments = open && text.data[text.size - 1] != ')';
    state->without_place = open && !state->open_arguments;
    return open;
}

/* Whether a line below a frame is one that `bt full` prints for local variables: "        count = 4", "No locals.". */
static bool is_local(const struct fm_line *line)
{
    const framemap_str text = line->body;
    if (fm_str_starts(text, FM_STR("No "))) {
        const framemap_str what = fm_str_trim(fm_str_from(text, 3));
        return fm_str_equal(what, FM_STR("locals.")) || fm_str_equal(what, FM_STR("symbol table info available."));
    }
    return fm_str_starts(text, FM_STR("    ")) || fm_str_starts(text, FM_STR("\t"));
}

/* Whether a line is one that gdb prints between a signal and the stack: "(gdb) bt", "0x0000555555555131 in f () at
 * a.c:3", "3\t  return x;". */
static bool is_prompt(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    if (fm_str_starts(text, FM_STR("(gdb) "))) return true;
    if (fm_row_0xhex(&s, &number) != FM_DIGITS_NONE) return fm_scan_text(&s, FM_STR(" in "));
    return fm_scan_dec(&s, &number, NULL) && fm_scan_byte(&s, '\t');
}

/* Records the frame that gdb shows when a signal stops the program, before the user types a command: "#0  0x1 in f
 * () at a.c:3". */
static void note_stop(struct gdb_state *state, const struct fm_line *line, const struct fm_stack_row *row)
{
    const struct fm_stack_rows *rows = &state->rows;
    state->stopped = row->index == 0 && rows->fresh && rows->type.size != 0;
    if (!state->stopped) return;
    state->stop1 = line->number1;
    state->stop_text = rows->exception;
    state->stop_type = rows->type;
    state->stop_function = row->function;
}

/* Reads "Program terminated with signal 11, Segmentation fault." of gdb before 7.6 on the line above the first row. */
static void read_old_signal(struct gdb_state *state, struct fm_document *doc, const struct fm_line *line,
                            const struct fm_stack_row *row)
{
    static const framemap_str mark = FM_STR_INIT("Program terminated with signal ");
    if (row->index != 0 || state->rows.fresh) return;
    struct fm_look_back back = fm_look_back_from(doc, line, fm_document_last_end(doc), 1);
    struct fm_line *above = fm_look_back_next(&back);
    if (above == NULL || !fm_line_cut(above)) return;
    const framemap_str text = fm_str_trim(above->body);
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    if (!fm_scan_text(&s, mark) || !fm_scan_dec(&s, &number, NULL) || !fm_scan_text(&s, FM_STR(", ")) ||
        number > INT32_MAX)
        return;
    const framemap_str signal = fm_signal_name(number, FM_SIGNALS_OF_LINUX);
    fm_stack_rows_title(&state->rows, line);
    state->rows.exception = text;
    state->rows.signal = (framemap_signal){.name = signal, .has_number = true, .number = (int32_t)number};
    state->rows.type = signal.size ? signal : fm_scan_rest(&s);
}

/* If the first function of a stack is the one in which gdb reported a stop of the program, gives the stack the signal
 * of that stop. */
static void take_stop(struct gdb_state *state, const struct fm_line *line, const struct fm_stack_row *row)
{
    if (!state->stopped || row->index != 0 || state->rows.fresh || line->number1 - state->stop1 > STOP_MOST ||
        !fm_str_equal(row->function, state->stop_function))
        return;
    state->rows.exception = state->stop_text;
    state->rows.type = state->rows.signal.name = state->stop_type;
    fm_stack_rows_title(&state->rows, line);
}

static enum fm_line_role gdb_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct gdb_state *state = memory;
    struct fm_stack_row row;
    const framemap_str text = fm_str_trim(line->body);
    const bool near = fm_stack_rows_near(&state->rows, line);
    const int64_t expected = !near ? -1 : state->rows.fresh ? 0 : state->rows.index + 1;
    bool open;
    struct fm_scan s = fm_scan_of(text);
    framemap_str id = {NULL, 0};
    state->rows.name = name;
    const bool thread = line->first == 'T' && scan_thread(&s, &id);
    if ((line->first == '#' || thread) && gdb_parse_row(text, thread ? -1 : expected, &row, &open)) {
        if (thread) {
            state->rows.thread_id = id;
            fm_stack_rows_title(&state->rows, line);
        }
        row.exact = state->after_signal && row.index != 0;
        state->open_arguments = open;
        state->after_signal = fm_str_equal(row.function, handler);
        state->without_place = !state->after_signal && row.file.size == 0 && row.path.size == 0;
        framemap_str rest = text;
        state->wrapped_place = cut_place_word(&rest);
        state->wrapped_call = row.has_address && fm_str_ends(text, FM_STR(" in"));
        read_old_signal(state, doc, line, &row);
        take_stop(state, line, &row);
        note_stop(state, line, &row);
        return fm_stack_rows_add(&state->rows, doc, line, &row, false);
    }
    if (gdb_read_title(text, &state->rows) || read_signal(text, &state->rows)) {
        fm_stack_rows_title(&state->rows, line);
        return FM_ROLE_CONTEXT;
    }
    const bool continues = line->number1 == state->rows.number1 + 1 && continue_row(state, doc, text);
    if (!near || (!continues && !is_local(line) && !(state->rows.fresh && is_prompt(text)))) return FM_ROLE_NONE;
    state->rows.number1 = line->number1;
    return FM_ROLE_CONTEXT;
}

/* Writes "#1  0x0000555555555131 in inner(int) () at src/a.cc:7". */
static void gdb_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const framemap_str row = fm_str_trim(raw->raw);
    const size_t in = fm_str_find(raw->raw, FM_STR(" in "));
    if (fm_str_ends(row, FM_STR(" in"))) { /* a row that ends in " in" continues on the next line */
        fm_buf_str(out, row);
        fm_buf_byte(out, ' ');
    } else {
        fm_buf_str(out, fm_str_slice(raw->raw, 0, in == FM_NOT_FOUND ? 4 : in + 4));
    }
    fm_buf_str(out, fm_row_name(restored));
    fm_buf_str(out, FM_STR(" ()"));
    if (restored->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_row_put_location(out, restored);
    }
}

static void gdb_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, gdb_put);
}

static const struct fm_needle gdb_needles[] = {
    FM_NEEDLE("Thread ", 0, 4),
    FM_NEEDLE(" signal SIG", 5, 11),
};

/* Writes "#0  0x0000555555555131 in f () at a.c:7". */
static void gdb_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    const framemap_str module = fm_row_module(row->frame);
    fm_buf_byte(out, '#');
    fm_buf_dec(out, row->number);
    fm_buf_str(out, row->number < 10 ? FM_STR("  ") : FM_STR(" "));
    if (row->has_absolute || row->has_relative || row->frame->file.size == 0) {
        fm_row_put_pc(out, row);
        fm_buf_str(out, FM_STR(" in "));
    }
    fm_buf_str(out, row->name);
    fm_buf_str(out, FM_STR(" ()"));
    if (row->frame->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_row_put_location(out, row->frame);
    } else if (module.size) {
        fm_buf_str(out, FM_STR(" from "));
        fm_buf_str(out, module);
    }
}

/* Writes a signal as gdb prints it: "SIGSEGV, Segmentation fault.". */
static void put_signal(struct fm_buf *out, framemap_str signal)
{
    static const struct {
        framemap_str name, words;
    } signals[] = {{FM_STR_INIT("SIGABRT"), FM_STR_INIT("Aborted")},
                   {FM_STR_INIT("SIGBUS"), FM_STR_INIT("Bus error")},
                   {FM_STR_INIT("SIGFPE"), FM_STR_INIT("Arithmetic exception")},
                   {FM_STR_INIT("SIGILL"), FM_STR_INIT("Illegal instruction")},
                   {FM_STR_INIT("SIGSEGV"), FM_STR_INIT("Segmentation fault")},
                   {FM_STR_INIT("SIGTRAP"), FM_STR_INIT("Trace/breakpoint trap")}};
    framemap_str words = FM_STR("Unknown signal");
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (fm_str_equal(signals[i].name, signal)) words = signals[i].words;
    fm_buf_str(out, FM_STR("Program received signal "));
    fm_buf_str(out, signal);
    fm_buf_str(out, FM_STR(", "));
    fm_buf_str(out, words);
    fm_buf_byte(out, '.');
    fm_buf_byte(out, '\n');
}

/* Writes "Thread 1 (LWP 8 "worker"):". */
static void gdb_put_head(struct fm_buf *out, const framemap_trace *trace)
{
    const framemap_str id = fm_row_thread_number(trace), called = fm_row_thread_name(trace);
    if (fm_str_starts(trace->signal.name, FM_STR("SIG"))) put_signal(out, trace->signal.name);
    if (id.size == 0) return;
    fm_buf_str(out, FM_STR("Thread 1 (LWP "));
    fm_buf_str(out, id);
    if (called.size && fm_str_find_byte(called, '"') == FM_NOT_FOUND) {
        fm_buf_str(out, FM_STR(" \""));
        fm_buf_str(out, called);
        fm_buf_byte(out, '"');
    }
    fm_buf_str(out, FM_STR("):"));
    fm_buf_byte(out, '\n');
}

static const struct fm_output gdb_output = {
    .print = fm_print_rows,
    .put_row = gdb_put_row,
    .put_head = gdb_put_head,
    .path_or_module = true,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_ADDRESSES |
             FRAMEMAP_PART_THREADS,
};

const struct fm_format fm_gdb = {.info = {name, "backtraces of gdb (#0  0x… in f (x=1) at a.c:3)", true, true},
                                 FM_NEEDLES(gdb_needles),
                                 .marks = FM_MARK_WORD | FM_MARK_NUMBER,
                                 .state_size = sizeof(struct gdb_state),
                                 .firsts = "#TP",
                                 .keeps_state = true,
                                 .offer = gdb_offer,
                                 .is_significant = gdb_is_significant,
                                 .print_frame = gdb_print_frame,
                                 .output = &gdb_output};
