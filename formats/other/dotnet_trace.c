/* Stacks of .NET and Mono:
 *
 *    Unhandled exception. System.ArgumentException: bad cart
 *     ---> System.IO.IOException: gone
 *       at Shop.Cart.Load(String path) in /app/Cart.cs:line 12
 *       --- End of inner exception stack trace ---
 *       at Shop.Main.Run[T](T x)
 *     ---> (Inner Exception #1) System.ArgumentException: bad cart                   a further exception of a group
 *    Rethrow as Shop.CartException: no cart                                         Unity: the stack above is the cause
 *    bad cart (System.ArgumentException)                                            iOS, directly above the rows
 *     --- inner exception ---                                                       iOS, above the cause
 *      at Shop.Cart.Load (System.String path) [0x0000a] in /app/Cart.cs:12           Mono
 *      at Shop.Cart.Load (System.String path) <0x40b7 + 0x00122> in <c794…>:0       Mono, compiled code
 *      at Shop.Cart.Load (System.String path) <IL 0x0000a, 0x00122>                Mono, the offset in each code
 *      at <unknown> <0xffffffff>                                                   Mono
 *       at Shop.Cart.Load(String path) in shop.dll:token 0x6000012+0x1c             .NET without symbols
 *       at Shop.Cart.Load(String path) + 0x1c                                       Native AOT
 *       at shop!<BaseAddress>+0x1f22cf                                              Native AOT without names
 *       at Shop.Cart.Load<T> (string)(0x4c:76)                                      Unity on Android, in Java's report
 *       at Shop.Cart.Load (Shop, Version=1.0.0.0, …, PublicKeyToken=null: Cart.cs:12)   Application Insights
 *
 * .NET translates "at", "in" and "line" to the language of the system. A row with a position, or of Mono, is
 * accepted alone, and so are rows next to it. Other rows, "at Type.Method(types)", are accepted if two are adjacent,
 * or below an exception. The innermost frame is first; the frames of an inner exception precede the line that ends
 * it. A program of Native AOT without names prints return addresses that count from the start of the module, and the
 * name of the module's file without its extension; only such rows are restored. */
#include "formats/error_members.h"
#include "formats/other/dotnet_row.h"
#include "formats/other/other_row.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "dotnet";
#define DOTNET_GAP 8 /* maximum number of lines from one row to the next */
#define MESSAGE 6    /* maximum number of lines above a stack that belong to the message, or are other text */
/* Maximum number of lines above the first certain row that may belong to its stack. */
#define DOTNET_ABOVE FM_LOOK_BACK_MOST

struct dotnet_state {
    uint64_t number1; /* number of the line of the last row; 0: no stack is open */
    /* number of the last line with an escaped string; rows above that line belong to another stack */
    uint64_t string1;
    /* the search for rows above a stack ends at this offset, because the text before it belongs to an earlier stack */
    uint64_t search_stop;
    bool has_prefix; /* the last row's line has the prefix of a logger */
    unsigned inner;  /* how many inner exceptions ("---> ") precede the first row and have not ended yet */
    /* number of the trace of which further exceptions of the same group ("(Inner Exception #1)") become causes */
    uint64_t main;
    struct fm_error_members members; /* state of reading the exception from members of JSON */
    /* number of the line "Rethrow as …" below the trace with the number `rethrown`; 0: there is none */
    uint64_t rethrow1;
    uint64_t rethrown;
    uint64_t further1; /* number of the last line with "---> (Inner Exception #1)"; 0: another title followed */
};

/* Returns the text after "---> (Inner Exception #1) ", which begins the line of a further exception of an
 * AggregateException; absent for other lines. */
static framemap_str after_further(framemap_str text)
{
    static const framemap_str start = FM_STR_INIT("---> (Inner Exception #");
    struct fm_scan s = fm_scan_of(fm_str_trim(text));
    uint64_t number;
    if (!fm_scan_text(&s, start) || !fm_scan_dec(&s, &number, NULL) || !fm_scan_text(&s, FM_STR(") ")))
        return (framemap_str){NULL, 0};
    return fm_scan_rest(&s);
}

/* Whether the line is "--- End of inner exception stack trace ---" in any language, or the sentence between the stacks
 * of two tasks. Such a line is any text between two groups of dashes. */
static bool is_end(framemap_str text)
{
    return fm_str_starts(text, FM_STR("--- ")) && fm_str_ends(text, FM_STR(" ---"));
}

static bool dotnet_is_significant(const struct fm_line *line)
{
    struct fm_dotnet_row row;
    const framemap_str text = fm_str_trim(line->body);
    if (line->first == '-') return fm_str_starts(text, FM_STR("---> "));
    return fm_dotnet_row_parse(text, &row) && (row.sure || row.is_english);
}

/* Finds an exception such as "System.IO.IOException: gone" in the text; words may precede it. The word "Exception"
 * after other words, as in Crashlytics' "Fatal Exception: a.b: System.IO.IOException: gone", is the type only if no
 * other type follows. */
static bool find_exception(framemap_str text, framemap_str *exception)
{
    framemap_str rest = fm_str_trim(text);
    const framemap_str further = after_further(rest);
    bool found = false;
    if (further.data != NULL)
        rest = further;
    else if (fm_str_starts(rest, FM_STR("---> ")))
        rest = fm_str_from(rest, 5);
    for (;;) {
        const size_t colon = fm_str_find(rest, FM_STR(": "));
        framemap_str type = colon == FM_NOT_FOUND ? rest : fm_str(rest.data, colon);
        /* Application Insights prints the colon even without a message. */
        if (fm_str_ends(type, FM_STR(":"))) type.size--;
        const size_t blank = fm_str_find_last_byte(type, ' ');
        const framemap_str word = blank == FM_NOT_FOUND ? type : fm_str_from(type, blank + 1);
        const framemap_str plain = fm_str_slice(word, 0, fm_str_find_byte(word, '`'));
        /* this text is a heading of the .NET Framework and Mono, not a type */
        const bool is_heading = fm_str_ends(type, FM_STR("Unhandled Exception"));
        const bool may_be_heading = blank != FM_NOT_FOUND && fm_str_equal(word, FM_STR("Exception"));
        if (!is_heading && !(found && may_be_heading) && fm_other_is_name(plain, ".+") &&
            (fm_str_ends(plain, FM_STR("Exception")) || fm_str_ends(plain, FM_STR("Error")) ||
             fm_str_ends(plain, FM_STR("Fault")))) {
            *exception = fm_str_from(rest, (size_t)(word.data - rest.data));
            if (!may_be_heading) return true;
            found = true;
        }
        if (colon == FM_NOT_FOUND) return found;
        rest = fm_str_from(rest, colon + 2);
    }
}

/* Parses "Object reference not set (System.NullReferenceException)", possibly after "Unhandled managed exception: ", as
 * .NET prints an exception on iOS. */
static bool ends_in_type(framemap_str text, framemap_str *message, framemap_str *type)
{
    static const framemap_str mark = FM_STR_INIT("Unhandled managed exception: ");
    framemap_str rest = fm_str_trim(text), group;
    const size_t at = fm_str_find(rest, mark);
    if (at != FM_NOT_FOUND) rest = fm_str_from(rest, at + mark.size);
    if (!fm_row_group(&rest, &group) || rest.size == 0 || !fm_other_is_name(group, ".+`") ||
        fm_str_find_byte(group, '.') == FM_NOT_FOUND ||
        !(fm_str_ends(group, FM_STR("Exception")) || fm_str_ends(group, FM_STR("Error"))))
        return false;
    *message = rest;
    *type = group;
    return true;
}

/* Whether a line below a stack begins another stack: "System.Exception: x", "Unhandled exception. System.Exception:
 * x", "[Cart] cannot load: System.Exception: x". After other words, the type must have a namespace. */
static bool dotnet_is_title(framemap_str text)
{
    framemap_str exception;
    if (!find_exception(text, &exception)) return false;
    if (exception.data == text.data || fm_str_starts(text, FM_STR("Unhandled exception. ")) ||
        fm_str_starts(text, FM_STR("Unhandled Exception: ")))
        return true;
    const size_t colon = fm_str_find_byte(exception, ':');
    return !fm_str_starts(text, FM_STR("---> ")) &&
           fm_str_find_byte(fm_str_slice(exception, 0, colon), '.') != FM_NOT_FOUND;
}

/* Whether a line begins another stack because it is a record of a log with an exception, while the rows above have
 * no log prefix. */
static bool is_record(const struct dotnet_state *state, const struct fm_line *line)
{
    framemap_str exception;
    return !state->has_prefix && line->body.data != line->text.data && find_exception(line->body, &exception);
}

static void dotnet_add_row(struct dotnet_state *state, struct fm_document *doc, const struct fm_line *line,
                           const struct fm_dotnet_row *row)
{
    framemap_frame *frame = fm_other_frame(doc, line);
    state->number1 = line->number1;
    state->has_prefix = line->body.data != line->text.data;
    state->search_stop = line->offset + 1;
    if (frame == NULL) return;
    frame->function = row->function;
    frame->file = row->file;
    frame->line = row->line;
    frame->id = row->id;
    frame->module = row->assembly;
    frame->has_function_offset = row->has_offset;
    frame->function_offset = row->offset;
    if (!row->has_address) return;
    frame->has_address = true;
    frame->address = row->address;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (row->module.size == 0) return;
    frame->kind = FRAMEMAP_KIND_NATIVE;
    frame->status = FRAMEMAP_FRAME_RAW;
    frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
    frame->return_address = true;
    frame->module = row->module;
}

/* The lines above the first certain row: further rows, nearest first, and the exception. */
struct dotnet_above {
    struct fm_line *rows[DOTNET_ABOVE];
    size_t count;
    bool has_exception;
    unsigned inner;
    uint64_t distance; /* number of lines from the nearest exception to the first row */
    framemap_str exception;
    framemap_str type; /* the exception's type, if it is not at the start of `exception` */
};

/* Returns the number of inner exceptions on a line of the .NET Framework; it is 1 for "A: x ---> B: y". */
static unsigned inner_in(framemap_str text)
{
    unsigned count = 0;
    for (size_t at; (at = fm_str_find(text, FM_STR(" ---> "))) != FM_NOT_FOUND; count++)
        text = fm_str_from(text, at + 6);
    return count;
}

static void look_above(const struct dotnet_state *state, struct fm_document *doc, const struct fm_line *line,
                       struct dotnet_above *above)
{
    struct fm_look_back back = fm_look_back_from(doc, line, state->search_stop, DOTNET_ABOVE);
    uint64_t next1 = line->number1;
    unsigned others = 0;
    struct fm_dotnet_row row;
    *above = (struct dotnet_above){.count = 0};
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        if (next1 - before->number1 <= 2 && fm_dotnet_row_parse(before->body, &row) && !above->has_exception) {
            above->rows[above->count++] = before;
            next1 = before->number1;
            continue;
        }
        const bool is_further = after_further(before->body).data != NULL;
        if (next1 - before->number1 == 1 && !above->has_exception &&
            ends_in_type(before->body, &above->exception, &above->type)) {
            above->has_exception = true;
            above->distance = 1;
            break;
        }
        if (!is_further && fm_str_starts(fm_str_trim(before->body), FM_STR("---> "))) above->inner++;
        if (!find_exception(before->body, &above->exception)) {
            if (++others > MESSAGE || (above->has_exception && above->inner == 0)) break;
            continue;
        }
        if (!above->has_exception) above->distance = next1 - before->number1;
        above->has_exception = true;
        above->inner += inner_in(above->exception);
        if (is_further || !fm_str_starts(fm_str_trim(before->body), FM_STR("---> "))) break;
    }
}

/* Sets the relation of a trace's exception to the exceptions above it. */
static void relate(struct dotnet_state *state, struct fm_document *doc, const struct fm_line *line,
                   framemap_trace *trace)
{
    if (state->rethrow1 && line->number1 - state->rethrow1 <= DOTNET_GAP)
        fm_other_link_cause(doc, name, state->rethrown, trace);
    state->rethrow1 = 0;
    if (state->further1 && line->number1 - state->further1 <= DOTNET_GAP) {
        trace->role = FRAMEMAP_ROLE_CAUSE;
        trace->part_of = state->main;
    } else {
        state->main = trace->number;
    }
    state->further1 = 0;
}

static bool dotnet_begin(struct dotnet_state *state, struct fm_document *doc, const struct fm_line *line,
                         const struct fm_dotnet_row *row)
{
    struct dotnet_above above;
    struct fm_dotnet_row before;
    look_above(state, doc, line, &above);
    if (!row->sure && (!row->is_english || (above.count == 0 && !(above.has_exception && above.distance <= 2))))
        return false;
    framemap_trace *trace = fm_document_trace(doc, name, above.count ? above.rows[above.count - 1] : line);
    if (trace == NULL) return true;
    relate(state, doc, line, trace);
    if (above.has_exception) {
        fm_other_exception(trace, above.exception);
        if (above.type.size) {
            trace->exception_type = above.type;
            trace->exception_message = above.exception;
        }
    } else if (line->run && above.count == 0) {
        fm_error_members_read(&state->members, doc, line, trace, &fm_error_rules_plain);
    }
    state->inner = above.inner;
    for (size_t i = above.count; i-- > 0;)
        if (fm_dotnet_row_parse(above.rows[i]->body, &before)) dotnet_add_row(state, doc, above.rows[i], &before);
    return true;
}

static enum fm_line_role dotnet_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct dotnet_state *state = memory;
    const framemap_str text = fm_str_trim(line->body);
    struct fm_dotnet_row row;
    fm_error_members_below(&state->members, doc, line, name);
    if (line->begins) state->string1 = line->number1;
    const bool leaves = line->number1 == state->string1 && state->number1 != line->number1;
    const bool inside = state->number1 && !leaves && line->number1 - state->number1 <= DOTNET_GAP &&
                        fm_document_open(doc, name) != NULL;
    if (inside && fm_str_equal(text, FM_STR("--- inner exception ---"))) {
        const framemap_trace *outer = fm_document_open(doc, name);
        state->main = outer->number;
        state->further1 = line->number1;
        state->number1 = 0;
        return FM_ROLE_CONTEXT;
    }
    if (inside && is_end(text)) {
        const bool ends_inner = state->inner && fm_str_find(text, FM_STR("from previous location")) == FM_NOT_FOUND;
        fm_other_marker(doc, line, ends_inner ? FRAMEMAP_MARKER_INNER_END : FRAMEMAP_MARKER_ASYNC_GAP, 0);
        if (ends_inner) state->inner--;
        state->number1 = line->number1;
        state->search_stop = line->offset + 1;
        return FM_ROLE_FRAME;
    }
    if (!fm_dotnet_row_parse(text, &row)) {
        const bool is_further = inside && after_further(text).data != NULL;
        const bool rethrows = inside && fm_str_starts(text, FM_STR("Rethrow as "));
        const bool begins = is_further || rethrows || ((inside || state->further1) && dotnet_is_title(text));
        if (rethrows) {
            state->rethrow1 = line->number1;
            state->rethrown = fm_document_open(doc, name)->number;
        }
        if (begins) state->further1 = is_further ? line->number1 : 0;
        if (begins || (inside && is_record(state, line))) state->number1 = 0;
        return FM_ROLE_NONE;
    }
    if (!inside && !dotnet_begin(state, doc, line, &row)) {
        fm_document_offer_until(doc, line->number1 + DOTNET_GAP);
        return FM_ROLE_NONE;
    }
    dotnet_add_row(state, doc, line, &row);
    return FM_ROLE_FRAME;
}

/* Writes "at FUNCTION in FILE:line 12", or "at FUNCTION + 0x1c". */
static void put_row(struct fm_buf *out, framemap_str head, const framemap_frame *restored)
{
    fm_buf_str(out, head);
    fm_buf_str(out, fm_row_name(restored));
    if (restored->file.size) {
        fm_buf_str(out, FM_STR(" in "));
        fm_buf_str(out, restored->file);
        if (restored->line == 0) return;
        fm_buf_str(out, FM_STR(":line "));
        fm_buf_dec(out, restored->line);
    } else if (restored->has_function_offset) {
        fm_buf_str(out, FM_STR(" + 0x"));
        fm_buf_hex(out, restored->function_offset, 1);
    }
}

static void dotnet_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    size_t head = 0;
    while (head < frame->raw.size && fm_is_blank(frame->raw.data[head])) head++;
    head += fm_dotnet_at_word(fm_str_from(frame->raw, head));
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        put_row(out, fm_str_slice(frame->raw, 0, head), &frame->restored.frames[i]);
    }
}

static const struct fm_needle dotnet_needles[] = {
    FM_NEEDLE("---> ", 1, 0),
    FM_NEEDLE("<unknown> <0x", 0, 5),
    FM_NEEDLE(":Zeile ", 1, 15),
    FM_NEEDLE(":ligne ", 0, 4),
    FM_NEEDLE(":\xD1\x81\xD1\x82\xD1\x80\xD0\xBE\xD0\xBA\xD0\xB0 ", 1, 0),
    FM_NEEDLE(":l\xC3\xADnea ", 2, 13),
    FM_NEEDLE(":linha ", 0, 4),
    FM_NEEDLE(":riga ", 0, 10),
    FM_NEEDLE(":wiersz ", 0, 4),
    FM_NEEDLE(":\xC5\x99\xC3\xA1", 0, 1),
    FM_NEEDLE(":linje ", 0, 4),
    FM_NEEDLE(":rad ", 0, 5),
    FM_NEEDLE(":regel ", 0, 10),
    FM_NEEDLE(":sat\xC4\xB1r ", 0, 1),
    FM_NEEDLE(":sor ", 0, 4),
    FM_NEEDLE(":line ", 0, 4),
    FM_NEEDLE(":\xE8\xA1\x8C", 0, 1),
    FM_NEEDLE(":\xEC\xA4\x84", 0, 4),
};

const struct fm_format fm_dotnet = {.info = {name, "stacks of .NET and Mono, in any of their languages", true, false},
                                    FM_NEEDLES(dotnet_needles),
                                    .marks = FM_MARK_WORD | FM_MARK_AT,
                                    .state_size = sizeof(struct dotnet_state),
                                    .offer = dotnet_offer,
                                    .is_significant = dotnet_is_significant,
                                    .print_frame = dotnet_print_frame,
                                    .keeps_state = true};
