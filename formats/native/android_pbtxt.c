/* Android's crash reports in protobuf's text format, as "protoc --decode Tombstone" prints a tombstone_NN.pb:
 *
 *     pid: 300
 *     tid: 301
 *     signal_info {
 *       number: 11
 *       name: "SIGSEGV"
 *     }
 *     threads {
 *       key: 301
 *       value {
 *         id: 301
 *         name: "worker"
 *         current_backtrace {
 *           rel_pc: 4932
 *           function_name: "inner(int)"
 *           file_name: "/data/app/libone.so"
 *           build_id: "73461bc9"
 *         }
 *       }
 *     }
 *
 * Fields that are zero are not printed. A frame begins at its block and gets the fields of the block line by line.
 * Between the blocks that are read may be any number of lines: registers, dumps of memory, mappings. Nothing is
 * printed anew: text output passes it through. Must not know the binary form (android_protobuf.c). */
#include "core/text/scan.h"
#include "formats/native/android.h"
#include "formats/parsers.h"

static const char name[] = "android-tombstone-pbtxt";
/* Up to this many lines may be between two blocks of one report: a dump of memory has some hundreds. */
#define PBTXT_GAP 255
#define PBTXT_FIELDS 16 /* the fields of a report, or of a block, are within this many lines below its first line */

/* The block that a line is in. */
enum pbtxt_block { BLOCK_OTHER, BLOCK_SIGNAL, BLOCK_THREAD, BLOCK_FRAME, BLOCK_ALLOCATED, BLOCK_FREED, BLOCK_HEAP };

struct pbtxt_state {
    enum pbtxt_block block;
    struct fm_android_head head;
    uint64_t tid;    /* id of the thread that crashed */
    uint64_t thread; /* the thread of the open block "threads" */
    framemap_str thread_name, allocated_by, freed_by;
    bool has_error;         /* stacks of a memory error wait for the trace of the thread that crashed */
    enum pbtxt_block stack; /* the kind of frames that the open trace has; BLOCK_OTHER: no trace is open */
};

struct pbtxt_field {
    framemap_str name, text; /* text: the value of a string without its quotes, or a word */
    uint64_t number;
};

/* --- lines --- */

static enum pbtxt_block block_of(framemap_str word)
{
    static const struct {
        framemap_str word;
        enum pbtxt_block block;
    } blocks[] = {
        {FM_STR_INIT("signal_info"), BLOCK_SIGNAL},           {FM_STR_INIT("threads"), BLOCK_THREAD},
        {FM_STR_INIT("current_backtrace"), BLOCK_FRAME},      {FM_STR_INIT("allocation_backtrace"), BLOCK_ALLOCATED},
        {FM_STR_INIT("deallocation_backtrace"), BLOCK_FREED}, {FM_STR_INIT("heap"), BLOCK_HEAP}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (fm_str_equal(word, blocks[i].word)) return blocks[i].block;
    return BLOCK_OTHER;
}

/* Parses "NAME {". */
static bool pbtxt_opens(framemap_str text, framemap_str *word)
{
    if (!fm_str_ends(text, FM_STR(" {"))) return false;
    *word = fm_str_slice(text, 0, text.size - 2);
    return fm_str_find_byte(*word, ' ') == FM_NOT_FOUND;
}

/* Parses "NAME: 12", "NAME: WORD" or "NAME: "TEXT"". */
static bool pbtxt_field(framemap_str text, struct pbtxt_field *field)
{
    enum { NAME_MOST = 64 }; /* longer lines are not searched as a whole, since they may have many strings */
    const size_t colon =
        fm_str_find(fm_str_slice(text, 0, text.size < NAME_MOST ? text.size : NAME_MOST), FM_STR(": "));
    if (colon == FM_NOT_FOUND || colon == 0) return false;
    *field = (struct pbtxt_field){.name = fm_str_slice(text, 0, colon), .text = fm_str_from(text, colon + 2)};
    struct fm_scan s = fm_scan_of(field->text);
    const bool is_negative = fm_scan_byte(&s, '-');
    if (!fm_scan_dec(&s, &field->number, NULL) || !fm_scan_done(&s)) field->number = 0;
    if (is_negative) field->number = 0 - field->number;
    const size_t size = field->text.size;
    if (size > 1 && field->text.data[0] == '"' && field->text.data[size - 1] == '"')
        field->text = fm_str_slice(field->text, 1, size - 1);
    return true;
}

static bool is_field(const struct pbtxt_field *field, framemap_str word) { return fm_str_equal(field->name, word); }

static bool is_octal(char c) { return c >= '0' && c <= '7'; }

/* Returns a string without the escapes of protobuf's text format; in memory of the document if the string has
 * escapes. */
static framemap_str pbtxt_plain(struct fm_document *doc, framemap_str text)
{
    if (fm_str_find_byte(text, '\\') == FM_NOT_FOUND) return text;
    char *out = fm_document_alloc(doc, text.size);
    size_t size = 0;
    if (out == NULL) return text;
    for (size_t at = 0; at < text.size; at++) {
        const char c = text.data[at], next = at + 1 < text.size ? text.data[at + 1] : '\0';
        if (c != '\\' || next == '\0') {
            out[size++] = c;
        } else if (is_octal(next)) {
            unsigned value = 0;
            size_t digits = 0;
            for (; digits < 3 && at + 1 < text.size && is_octal(text.data[at + 1]); digits++)
                value = value * 8 + (unsigned)(text.data[++at] - '0');
            out[size++] = (char)(unsigned char)value;
        } else {
            out[size++] = next == 'n' ? '\n' : next == 't' ? '\t' : next == 'r' ? '\r' : next;
            at++;
        }
    }
    return fm_str(out, size);
}

/* --- reading what the report states besides its stacks --- */

static framemap_str arch_of(framemap_str word)
{
    static const struct {
        framemap_str word, arch;
    } archs[] = {{FM_STR_INIT("ARM32"), FM_STR_INIT("arm")},
                 {FM_STR_INIT("ARM64"), FM_STR_INIT("arm64")},
                 {FM_STR_INIT("X86"), FM_STR_INIT("x86")},
                 {FM_STR_INIT("X86_64"), FM_STR_INIT("x86_64")},
                 {FM_STR_INIT("RISCV64"), FM_STR_INIT("riscv64")}};
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        if (fm_str_equal(word, archs[i].word)) return archs[i].arch;
    return fm_str(NULL, 0);
}

/* Returns "google/x/x:13" without what precedes the version: "13". */
static framemap_str version_in(framemap_str fingerprint)
{
    const framemap_str rest = fm_str_from(fingerprint, fm_str_find_byte(fingerprint, ':') + 1);
    const size_t slash = fm_str_find_byte(rest, '/');
    return slash == FM_NOT_FOUND ? fingerprint : fm_str_slice(rest, 0, slash);
}

/* Begins a report at its fingerprint. The line above has the architecture. It is missing for the first architecture of
 * protobuf's list, whose number is zero, because fields that are zero are not printed. */
static void pbtxt_begin_report(struct pbtxt_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back above = fm_look_back_from(doc, line, 0, 1);
    struct fm_line *before = fm_look_back_next(&above);
    struct pbtxt_field field;
    fm_document_report_end(doc);
    *state = (struct pbtxt_state){.head.arch = FM_STR("arm")};
    if (before && fm_line_cut(before) && pbtxt_field(before->body, &field) && is_field(&field, FM_STR("arch")))
        state->head.arch = arch_of(field.text);
    fm_document_offer_until(doc, line->number1 + PBTXT_FIELDS);
}

/* Reads a field of the report itself. */
static void read_report(struct pbtxt_state *state, struct fm_document *doc, const struct fm_line *line,
                        const struct pbtxt_field *field)
{
    struct fm_android_head *head = &state->head;
    if (is_field(field, FM_STR("build_fingerprint"))) {
        pbtxt_begin_report(state, doc, line);
        head->os_version = version_in(field->text);
    } else if (is_field(field, FM_STR("pid"))) {
        head->has_process_id = true;
        head->process_id = field->number;
    } else if (is_field(field, FM_STR("tid"))) {
        state->tid = field->number;
    } else if (is_field(field, FM_STR("command_line")) && head->process.size == 0) {
        head->process = pbtxt_plain(doc, field->text);
    } else if (is_field(field, FM_STR("abort_message"))) {
        head->abort_message = pbtxt_plain(doc, field->text);
    }
}

static void pbtxt_read_signal(struct fm_android_head *head, const struct pbtxt_field *field)
{
    if (is_field(field, FM_STR("number"))) {
        head->signal.has_number = head->signal.has_code = true;
        head->signal.number = (int32_t)(uint32_t)field->number;
    } else if (is_field(field, FM_STR("name"))) {
        head->signal_name = field->text;
    } else if (is_field(field, FM_STR("code"))) {
        head->signal.code = (int32_t)(uint32_t)field->number;
    } else if (is_field(field, FM_STR("code_name"))) {
        head->signal_code_name = field->text;
    } else if (is_field(field, FM_STR("has_fault_address"))) {
        head->signal.has_address = fm_str_equal(field->text, FM_STR("true"));
    } else if (is_field(field, FM_STR("fault_address"))) {
        head->signal.address = field->number;
    }
}

static void read_thread(struct pbtxt_state *state, struct fm_document *doc, const struct pbtxt_field *field)
{
    if (is_field(field, FM_STR("key")) || is_field(field, FM_STR("id"))) state->thread = field->number;
    if (is_field(field, FM_STR("name"))) state->thread_name = pbtxt_plain(doc, field->text);
}

static void read_heap(struct pbtxt_state *state, const struct pbtxt_field *field)
{
    if (is_field(field, FM_STR("allocation_tid"))) state->allocated_by = field->text;
    if (is_field(field, FM_STR("deallocation_tid"))) state->freed_by = field->text;
}

/* --- traces --- */

/* Links the stacks of a memory error to the trace of the thread that crashed, which is trace `number`: they are parts
 * of it. In the text, these stacks precede the threads. */
static void link_error(struct fm_document *doc, uint64_t number)
{
    size_t count;
    framemap_trace *traces = fm_document_report(doc, &count);
    for (size_t i = 0; i < count; i++)
        if (traces[i].role == FRAMEMAP_ROLE_ALLOCATED_BY || traces[i].role == FRAMEMAP_ROLE_FREED_BY)
            traces[i].part_of = number;
}

/* keep: begins a report for the stacks of a memory error, so that their traces can still be changed when the crashed
 * thread is read. Otherwise ends that report; called at the thread after the crashed one. */
static void keep_error(struct pbtxt_state *state, struct fm_document *doc, bool keep)
{
    if (state->has_error == keep) return;
    state->has_error = keep;
    if (keep)
        fm_document_report_begin(doc);
    else
        fm_document_report_end(doc);
}

static void pbtxt_begin_trace(struct pbtxt_state *state, struct fm_document *doc, const struct fm_line *line,
                              enum pbtxt_block kind)
{
    if (kind != BLOCK_FRAME) keep_error(state, doc, true);
    framemap_trace *trace = fm_document_trace(doc, name, line);
    state->stack = kind;
    if (trace == NULL) return;
    fm_android_head_give(&state->head, trace);
    if (kind != BLOCK_FRAME) {
        trace->role = kind == BLOCK_ALLOCATED ? FRAMEMAP_ROLE_ALLOCATED_BY : FRAMEMAP_ROLE_FREED_BY;
        trace->part_of = trace->number;
        trace->thread = trace->thread_id = kind == BLOCK_ALLOCATED ? state->allocated_by : state->freed_by;
        return;
    }
    trace->thread = trace->thread_name = state->thread_name;
    trace->thread_id = fm_document_decimal(doc, state->thread);
    if (state->tid == 0 || state->thread != state->tid) return;
    fm_android_head_give_crash(&state->head, doc, trace);
    link_error(doc, trace->number);
}

static void begin_frame(struct pbtxt_state *state, struct fm_document *doc, const struct fm_line *line,
                        enum pbtxt_block kind)
{
    if (state->stack != kind || fm_document_open(doc, name) == NULL) pbtxt_begin_trace(state, doc, line, kind);
    framemap_trace *const trace = fm_document_open(doc, name);
    framemap_frame *frame = trace ? fm_document_new_frame(doc, line) : NULL;
    if (frame == NULL) return;
    frame->kind = FRAMEMAP_KIND_NATIVE;
    frame->index = (int64_t)fm_document_depth(doc, trace) - 1;
    frame->arch = state->head.arch;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    fm_android_set_map(frame, fm_str(NULL, 0));
}

/* Adds a field to the frame whose block is open. */
static void read_frame(struct fm_document *doc, const struct fm_line *line, const struct pbtxt_field *field)
{
    framemap_trace *trace = fm_document_open(doc, name);
    framemap_frame *frame = trace && trace->frame_count ? &trace->frames[trace->frame_count - 1] : NULL;
    if (frame == NULL) return;
    fm_document_span(doc, line);
    if (is_field(field, FM_STR("rel_pc"))) {
        frame->address = field->number;
    } else if (is_field(field, FM_STR("pc"))) {
        frame->has_absolute_address = true;
        frame->absolute_address = field->number;
    } else if (is_field(field, FM_STR("function_name"))) {
        frame->function = pbtxt_plain(doc, field->text);
        frame->has_function_offset = frame->function.size != 0;
    } else if (is_field(field, FM_STR("function_offset"))) {
        frame->function_offset = field->number;
    } else if (is_field(field, FM_STR("file_name"))) {
        fm_android_set_map(frame, pbtxt_plain(doc, field->text));
    } else if (is_field(field, FM_STR("file_map_offset"))) {
        frame->file_offset = field->number;
    } else if (is_field(field, FM_STR("build_id"))) {
        fm_row_id(field->text, doc, &frame->id);
    }
}

static void open_block(struct pbtxt_state *state, struct fm_document *doc, const struct fm_line *line,
                       framemap_str word)
{
    const enum pbtxt_block block = block_of(word);
    /* the block "value" belongs to the block "threads", which has been opened already */
    if (fm_str_equal(word, FM_STR("value"))) return;
    state->block = block;
    if (block == BLOCK_THREAD || block == BLOCK_HEAP) state->stack = BLOCK_OTHER;
    if (block == BLOCK_THREAD) {
        if (state->thread == state->tid) keep_error(state, doc, false);
        state->thread = 0;
        state->thread_name = fm_str(NULL, 0);
    }
    if (block == BLOCK_FRAME || block == BLOCK_ALLOCATED || block == BLOCK_FREED) begin_frame(state, doc, line, block);
    if (block != BLOCK_OTHER) fm_document_offer_until(doc, line->number1 + PBTXT_FIELDS);
}

/* Ends a block. After a block with frames of a memory error, further fields of the block around it may follow. */
static void close_block(struct pbtxt_state *state)
{
    state->block = state->block == BLOCK_ALLOCATED || state->block == BLOCK_FREED ? BLOCK_HEAP : BLOCK_OTHER;
}

static void take_field(struct pbtxt_state *state, struct fm_document *doc, const struct fm_line *line,
                       const struct pbtxt_field *field)
{
    if (!fm_is_blank(line->body.data[0])) {
        read_report(state, doc, line, field);
        return;
    }
    switch (state->block) {
    case BLOCK_SIGNAL: pbtxt_read_signal(&state->head, field); break;
    case BLOCK_THREAD: read_thread(state, doc, field); break;
    case BLOCK_HEAP: read_heap(state, field); break;
    case BLOCK_FRAME:
    case BLOCK_ALLOCATED:
    case BLOCK_FREED: read_frame(doc, line, field); break;
    case BLOCK_OTHER: break;
    }
}

/* --- offering lines to the parser --- */

/* Whether the line begins a report or one of the blocks that are read. */
static bool pbtxt_is_significant(const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->body);
    framemap_str word;
    if (pbtxt_opens(text, &word)) return block_of(word) != BLOCK_OTHER && block_of(word) != BLOCK_HEAP;
    return fm_str_starts(text, FM_STR("build_fingerprint: \"")) || fm_str_starts(text, FM_STR("abort_message: \""));
}

/* Returns the line of the text in which an escaped string begins. piece: the first of the lines in that string. The
 * body is empty if the string begins too far within its line to be the value of a field. */
static struct fm_line line_with_string(struct fm_document *doc, const struct fm_line *piece)
{
    enum { MOST = 128 }; /* maximum number of bytes between the start of the line and the string */
    struct fm_line line = *piece;
    line.body = fm_str_trim(fm_document_physical_line(doc, piece, MOST));
    return line;
}

static enum fm_line_role pbtxt_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct pbtxt_state *state = memory;
    struct pbtxt_field field;
    framemap_str word;
    if (line->run && !line->begins) return FM_ROLE_NONE;
    const struct fm_line whole = line->run ? line_with_string(doc, line) : *line;
    const framemap_str text = fm_str_trim(whole.body);
    if (text.size == 0) return FM_ROLE_NONE;
    if (pbtxt_opens(text, &word)) {
        open_block(state, doc, line, word);
        return state->block == BLOCK_FRAME || state->block == BLOCK_ALLOCATED || state->block == BLOCK_FREED
                   ? FM_ROLE_FRAME
                   : FM_ROLE_NONE;
    }
    if (fm_str_equal(text, FM_STR("}"))) {
        close_block(state);
    } else if (pbtxt_field(text, &field)) {
        take_field(state, doc, &whole, &field);
    }
    return FM_ROLE_NONE;
}

static const struct fm_needle pbtxt_needles[] = {
    FM_NEEDLE("build_fingerprint: \"", 2, 8), FM_NEEDLE("abort_message: \"", 2, 8),
    FM_NEEDLE("signal_info {", 1, 14),        FM_NEEDLE("threads {", 5, 12),
    FM_NEEDLE("_backtrace {", 2, 8),
};

const struct fm_format fm_android_pbtxt = {
    .info = {name, "Android's crash reports in protobuf's text format; text output passes them through", true, false},
    FM_NEEDLES(pbtxt_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct pbtxt_state),
    .lasts = "{\"",
    .offer = pbtxt_offer,
    .is_significant = pbtxt_is_significant,
    .keeps_state = true,
    .keeps = FM_KEEPS_ALL,
    .gap = PBTXT_GAP};
