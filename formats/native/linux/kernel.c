/* Stacks of the Linux kernel: oopses, warnings, reports of KASAN and similar tools, hung tasks, with and without the
 * positions that syzkaller and scripts/decode_stacktrace.sh add.
 *
 *     BUG: KASAN: slab-use-after-free in f+0x1c/0x90 fs/a.c:7
 *     CPU: 1 PID: 30432 Comm: worker Not tainted 6.1.0 #1
 *     RIP: 0010:f+0x1c/0x90                        the program counter becomes a trace of its own
 *     RAX: ffffffff81569974 RBX: ffff88800e0e5230
 *     Call Trace:
 *      <IRQ>
 *      [<ffffffff816f030c>] ? g+0x10/0x12 [mod]    "?": found on the stack, but perhaps not a caller
 *      h fs/a.c:7 [inline]
 *
 * The program counter gets its own trace because frames of handlers may be above it in the call trace. All other
 * addresses are return addresses. Nothing is looked up: a name and a distance are printed, and the kernel's load
 * address is not. */
#include "formats/native/linux/kernel_headline.h"
#include "formats/native/linux/kernel_row.h"
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "kernel";
#define KERNEL_GAP 3     /* up to this many lines of other text may be within one stack */
#define HEADLINE_MOST 80 /* maximum number of lines between a headline and its stack */

struct kernel_state {
    framemap_str headline, type, message;
    framemap_str comm, release;
    uint64_t pid, headline1, process1;
    framemap_role role;
    bool has_pid, fresh, has_main, titled;
    bool has_cpu;
    uint64_t cpu; /* number of the CPU that printed the headline */
    uint64_t tracked_pid;
    /* SLUB printed the last title. It prints the stacks of an object before the main stack of the report. */
    bool tracked;
    /* registers were read below a program counter that a stream had already written */
    bool has_late;
    uint64_t main;    /* number of the trace of the report's main stack; further stacks are parts of it */
    uint64_t number1; /* line number of the stack's last line */
};

/* --- reading the lines above a stack --- */

/* Reads a headline. Only the first headline of a report is kept; "Kernel panic" and "Oops" may follow it. */
static bool read_headline(struct kernel_state *state, framemap_str text, uint64_t number1)
{
    struct fm_kernel_headline found;
    if (!fm_kernel_headline(text, &found)) return false;
    state->fresh = true;
    if (found.follows && state->headline.size && number1 - state->headline1 <= HEADLINE_MOST &&
        (found.last || !state->has_main))
        return true;
    state->headline = found.text;
    state->headline1 = number1;
    state->type = found.type;
    state->message = found.message;
    state->has_main = state->has_cpu = false;
    state->role = FRAMEMAP_ROLE_NONE;
    return true;
}

/* Reads the CPU from "CPU: 3 PID: 2525 Comm: app". After a panic, the other CPUs print their stacks as they are
 * stopped; the headline does not apply to these stacks. */
static void note_cpu(struct kernel_state *state, framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t cpu;
    if (!fm_scan_text(&s, FM_STR("CPU: ")) || !fm_scan_dec(&s, &cpu, NULL)) return;
    const bool is_other = state->has_cpu && cpu != state->cpu;
    if (is_other && state->has_main && fm_str_equal(state->type, FM_STR("Kernel panic"))) {
        state->headline.size = 0;
        state->has_main = false;
    }
    if (!state->has_cpu) state->cpu = cpu;
    state->has_cpu = true;
}

/* Returns the word that follows `mark` in the text. */
static framemap_str word_after(framemap_str text, framemap_str mark)
{
    const size_t at = fm_str_find(text, mark);
    framemap_str word = {NULL, 0};
    if (at == FM_NOT_FOUND) return word;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    fm_scan_blanks(&s);
    fm_scan_word(&s, &word);
    return word;
}

static void put_pid(struct kernel_state *state, framemap_str digits, uint64_t number1)
{
    struct fm_scan s = fm_scan_of(digits);
    state->has_pid = fm_scan_dec(&s, &state->pid, NULL);
    state->process1 = number1;
}

/* Parses "comm "my app", pid 11746, jiffies 4298984475 (age 16.078s)" below a leaked object. */
static bool read_leak_process(struct kernel_state *state, framemap_str text, uint64_t number1)
{
    static const framemap_str comm = FM_STR_INIT("comm \""), pid = FM_STR_INIT("\", pid ");
    const size_t at = fm_str_find(text, pid);
    if (!fm_str_starts(text, comm) || at == FM_NOT_FOUND || at < comm.size) return false;
    state->comm = fm_str_slice(text, comm.size, at);
    state->release = (framemap_str){NULL, 0};
    put_pid(state, word_after(text, pid), number1);
    return true;
}

/* Reads the process, its id and the kernel's release from a line such as "CPU: 3 PID: 2525 Comm: my crash Tainted: G
 * B         3.18.0 #52", "task:udevd  state:D stack:0 pid:56", or before Linux 3.9 "Pid: 1603, comm: my app Not
 * tainted 3.3.4 #8". */
static bool kernel_read_process(struct kernel_state *state, framemap_str text, uint64_t number1)
{
    static const framemap_str clean = FM_STR_INIT(" Not tainted "), tainted = FM_STR_INIT(" Tainted: ");
    /* A line of the form "task: ADDRESS" does not name a task. */
    if (fm_str_starts(text, FM_STR("task:")) && text.size > 5 && !fm_is_blank(text.data[5])) {
        state->comm = word_after(text, FM_STR("task:"));
        put_pid(state, word_after(text, FM_STR(" pid:")), number1);
        return true;
    }
    const bool old = fm_str_starts(text, FM_STR("Pid: "));
    const framemap_str comm = old ? FM_STR(", comm: ") : FM_STR(" Comm: ");
    const size_t at = fm_str_find(text, comm);
    if ((!old && !fm_str_starts(text, FM_STR("CPU: "))) || at == FM_NOT_FOUND) return false;
    size_t end = fm_str_find(text, clean), after = end + clean.size;
    if (end == FM_NOT_FOUND) end = after = fm_str_find(text, tainted);
    state->comm = fm_str_trim(fm_str_slice(text, at + comm.size, end));
    note_cpu(state, text);
    put_pid(state, word_after(text, old ? FM_STR("Pid: ") : FM_STR(" PID: ")), number1);
    if (end == FM_NOT_FOUND) return true;
    framemap_str rest = fm_str_from(text, after);
    const size_t hash = fm_str_find(rest, FM_STR(" #"));
    rest = fm_str_trim(fm_str_slice(rest, 0, hash));
    const size_t blank = fm_str_find_last_byte(rest, ' ');
    state->release = blank == FM_NOT_FOUND ? rest : fm_str_from(rest, blank + 1);
    return true;
}

/* Parses "Process my app (pid: 116, stack limit = 0xe7c962f0)" of 32-bit ARM. */
static bool read_arm_process(struct kernel_state *state, framemap_str text, uint64_t number1)
{
    static const framemap_str start = FM_STR_INIT("Process "), pid = FM_STR_INIT(" (pid: ");
    const size_t at = fm_str_find(text, pid);
    if (!fm_str_starts(text, start) || at == FM_NOT_FOUND || at < start.size) return false;
    state->comm = fm_str_slice(text, start.size, at);
    put_pid(state, word_after(text, pid), number1);
    return true;
}

/* Whether the line belongs to SLUB's dump of a damaged object: "Object ffff880146498250: 6b 6b 6b 6b  kkkk". */
static bool is_object(framemap_str text)
{
    static const framemap_str labels[] = {FM_STR_INIT("Object "), FM_STR_INIT("Bytes b4 "), FM_STR_INIT("Redzone "),
                                          FM_STR_INIT("Padding ")};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        struct fm_scan s = fm_scan_of(text);
        uint64_t address;
        if (!fm_scan_text(&s, labels[i])) continue;
        fm_scan_blanks(&s);
        return fm_row_hex(&s, &address) == FM_DIGITS_FIT && fm_scan_text(&s, FM_STR(": "));
    }
    return false;
}

/* Recognizes lines of a memory dump, which are not counted in the distance from the headline. ARM dumps the memory
 * around each register in up to 150 lines between a headline and its stack: "0864  eafffb18 e5843000", "7f60: c4f10780
 * c101da79". SLUB dumps an object in up to 256 lines. */
static bool skip_memory(struct kernel_state *state, framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t value;
    size_t words = 0;
    if (is_object(text)) {
        state->headline1++;
        return true;
    }
    if (fm_row_hex(&s, &value) != FM_DIGITS_FIT || s.at - text.data < 4) return false;
    fm_scan_byte(&s, ':');
    for (; !fm_scan_done(&s); words++) {
        if (!fm_scan_blanks1(&s)) return false;
        const char *const word = s.at;
        if (fm_row_hex(&s, &value) != FM_DIGITS_FIT || (s.at - word != 8 && s.at - word != 16)) return false;
    }
    if (words == 0) return false;
    state->headline1++;
    state->process1++;
    return true;
}

/* Whether a line is the title of a memory access that KCSAN reports: "write to 0xffff88 of 4 bytes by task 7 on cpu
 * 1:", "read (marked) to …", "assert no writes to …". The stack of the first access gets the headline of the report. */
static bool is_access(framemap_str text)
{
    static const framemap_str starts[] = {FM_STR_INIT("read"), FM_STR_INIT("write"), FM_STR_INIT("assert no ")};
    bool starts_so = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) starts_so |= fm_str_begins(text, starts[i]);
    return starts_so && fm_str_ends(text, FM_STR(":")) && fm_str_find(text, FM_STR(" to 0x")) != FM_NOT_FOUND &&
           fm_str_find(text, FM_STR(" bytes by ")) != FM_NOT_FOUND &&
           fm_str_find(text, FM_STR(" on cpu ")) != FM_NOT_FOUND;
}

/* Parses a title of SLUB, "INFO: Allocated in f+0xa3/0x140 age=46310 cpu=6 pid=32154" or "Freed in f+0x27/0x30 age=7
 * cpu=0 pid=1". The stack below it is the one that allocated or freed an object. Such stacks precede the stack of the
 * code that found the damage. */
static bool read_track(struct kernel_state *state, framemap_str text)
{
    const size_t info = fm_str_starts(text, FM_STR("INFO: ")) ? 6 : 0;
    const framemap_str rest = fm_str_from(text, info);
    const bool allocated = fm_str_starts(rest, FM_STR("Allocated in "));
    if (!allocated && !fm_str_starts(rest, FM_STR("Freed in "))) return false;
    const size_t age = fm_str_find(rest, FM_STR(" age=")), pid = fm_str_find(rest, FM_STR(" pid="));
    if (age == FM_NOT_FOUND || pid == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(rest, pid + 5));
    if (!fm_scan_dec(&s, &state->tracked_pid, NULL)) return false;
    state->role = allocated ? FRAMEMAP_ROLE_ALLOCATED_BY : FRAMEMAP_ROLE_FREED_BY;
    return state->fresh = state->titled = state->tracked = true;
}

/* Reads the title of a stack, such as "Call Trace:" or "Freed by task 7:". */
static bool read_title(struct kernel_state *state, framemap_str text)
{
    static const struct {
        framemap_str start;
        framemap_role role;
    } rows[] = {{FM_STR_INIT("Allocated by task "), FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("allocated by task "), FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("Freed by task "), FRAMEMAP_ROLE_FREED_BY},
                {FM_STR_INIT("freed by task "), FRAMEMAP_ROLE_FREED_BY},
                {FM_STR_INIT("Uninit was created at:"), FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("Uninit was stored to memory at:"), FRAMEMAP_ROLE_PREVIOUS_ACCESS},
                {FM_STR_INIT("Last potentially related work creation:"), FRAMEMAP_ROLE_NONE},
                {FM_STR_INIT("Second to last potentially related work creation:"), FRAMEMAP_ROLE_NONE}};
    static const framemap_str object = FM_STR_INIT("kfence-#"), allocated = FM_STR_INIT("] allocated by task ");
    const size_t at = fm_str_starts(text, object) ? fm_str_find(text, allocated) : FM_NOT_FOUND;
    /* before Linux 5.13, KFENCE prints the title on the line of the object: "kfence-#7 […] allocated by task 7:" */
    if (at != FM_NOT_FOUND) text = fm_str_from(text, at + 2);
    if (read_track(state, text)) return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!fm_str_begins(text, rows[i].start)) continue;
        state->role = rows[i].role;
        return state->fresh = state->titled = true;
    }
    if (is_access(text)) {
        state->role = FRAMEMAP_ROLE_PREVIOUS_ACCESS;
        return state->fresh = state->titled = true;
    }
    if (!fm_str_ends(text, FM_STR("Call Trace:")) && !fm_str_ends(text, FM_STR("Call trace:")) &&
        !fm_str_equal(text, FM_STR("Linux Kernel Library Stack Trace:")))
        return false;
    state->role = FRAMEMAP_ROLE_NONE;
    return state->fresh = state->titled = true;
}

/* Parses "-> #1 (&lock){+.+.}:", the title of one of several stacks that lockdep prints one after another. */
static bool read_link(struct kernel_state *state, framemap_str text)
{
    if (!fm_str_starts(text, FM_STR("-> #")) && !fm_str_equal(text, FM_STR("stack backtrace:"))) return false;
    return state->fresh = true;
}

/* --- reading the program counter and the registers --- */

/* Whether the text begins with a label of the program counter, "RIP: 0010:f+0x1/0x2", "pc : f+0x1/0x2" or "PC is at
 * f+0x1/0x2". *rest: the text after the label. */
static bool pc_label(framemap_str text, framemap_str *rest)
{
    static const framemap_str labels[] = {FM_STR_INIT("RIP: "), FM_STR_INIT("EIP: "),    FM_STR_INIT("EIP is at "),
                                          FM_STR_INIT("pc : "), FM_STR_INIT("PC is at"), FM_STR_INIT("NIP "),
                                          FM_STR_INIT("IP: "),  FM_STR_INIT("epc : ")};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        if (!fm_str_begins(text, labels[i])) continue;
        struct fm_scan s = fm_scan_of(fm_str_from(text, labels[i].size)), t = s;
        uint64_t selector;
        if (fm_row_hex(&t, &selector) == FM_DIGITS_FIT && t.at - s.at == 4 && fm_scan_byte(&t, ':')) s = t;
        *rest = fm_scan_rest(&s);
        return true;
    }
    return false;
}

static bool pc_row(framemap_str text, struct fm_kernel_row *row)
{
    framemap_str rest;
    return pc_label(text, &rest) && fm_kernel_row(rest, row) && row->sure;
}

/* Parses "RSP: 0018:ffff888014cefd90 EFLAGS: 00010283", "RAX: ffffffff81569974 RBX: …", "x29: … x28: …", "Code: …". */
static bool read_registers(struct kernel_state *state, struct fm_document *doc, framemap_str text)
{
    framemap_trace *trace = fm_document_open(doc, name);
    const size_t before = trace ? trace->register_count : 0;
    framemap_str rest;
    struct fm_scan s = fm_scan_of(text);
    uint64_t selector;
    if (fm_str_starts(text, FM_STR("Code: ")) || pc_label(text, &rest)) return true;
    if (fm_str_starts(text, FM_STR("RSP: ")) || fm_str_starts(text, FM_STR("ESP: "))) {
        const framemap_str label = fm_str(text.data, 3);
        s.at += 5;
        if (fm_row_hex(&s, &selector) != FM_DIGITS_FIT || !fm_scan_byte(&s, ':')) return false;
        if (fm_row_hex(&s, &selector) != FM_DIGITS_FIT) return false;
        if (trace) fm_document_register(doc, trace, label, selector);
        text = fm_str_trim(fm_scan_rest(&s));
    }
    const bool found = trace && text.size && fm_register_line(doc, trace, text) > 0;
    if (trace && trace->frame_count == 0 && trace->register_count > before) state->has_late = true;
    return found;
}

/* --- adding frames and offering lines to the parser --- */

static void kernel_fill(const struct fm_kernel_row *row, bool exact, struct fm_document *doc, framemap_frame *frame)
{
    frame->function = row->function;
    frame->file = row->file;
    frame->line = (uint32_t)row->line;
    frame->column = (uint32_t)row->column;
    frame->module = row->module;
    fm_row_id(row->id, doc, &frame->id);
    frame->inlined = row->inlined;
    frame->is_unreliable = row->unreliable;
    frame->has_function_offset = row->has_offset;
    frame->function_offset = row->offset;
    frame->function_size = row->size;
    if (row->has_address) {
        frame->has_address = true;
        frame->address = row->address;
        frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        frame->return_address = !exact;
    }
    if (row->function.size) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
}

static framemap_trace *kernel_trace(struct kernel_state *state, struct fm_document *doc, const struct fm_line *line)
{
    /* the rest of the trace with the program counter, which gets no frame and so is not written */
    const framemap_trace *rest = state->has_late ? fm_document_open(doc, name) : NULL;
    const framemap_register *registers = rest && rest->frame_count == 0 ? rest->registers : NULL;
    const size_t count = registers ? rest->register_count : 0;
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (!trace) return NULL;
    trace->os = FM_STR("linux");
    trace->registers = registers;
    trace->register_count = count;
    state->has_late = false;
    if (state->process1 && line->number1 - state->process1 <= HEADLINE_MOST) {
        trace->process_name = state->comm;
        trace->os_version = state->release;
        trace->has_process_id = state->has_pid;
        trace->process_id = state->pid;
    }
    if (state->tracked) {
        trace->process_name = (framemap_str){NULL, 0};
        trace->has_process_id = true;
        trace->process_id = state->tracked_pid;
    }
    if (state->role != FRAMEMAP_ROLE_NONE && (state->has_main || state->tracked)) {
        trace->role = state->role;
        trace->part_of = state->has_main ? state->main : trace->number;
    } else if (state->headline.size && line->number1 - state->headline1 <= HEADLINE_MOST) {
        trace->exception = state->headline;
        trace->exception_type = state->type;
        trace->exception_message = state->message;
        trace->crashed = true;
        if (!state->has_main) state->main = trace->number;
        state->has_main = true;
    }
    state->role = FRAMEMAP_ROLE_NONE;
    state->fresh = state->tracked = false;
    return trace;
}

static bool is_near(const struct kernel_state *state, const struct fm_line *line)
{
    return state->number1 && line->number1 - state->number1 <= FM_LINES_AFTER && !line->begins;
}

static enum fm_line_role kernel_add(struct kernel_state *state, struct fm_document *doc, const struct fm_line *line,
                                    const struct fm_kernel_row *row, bool exact)
{
    framemap_frame frame = FM_FRAME_INIT;
    const bool ended = state->fresh || line->begins || line->number1 - state->number1 > KERNEL_GAP;
    if ((ended || !fm_document_open(doc, name)) && !kernel_trace(state, doc, line)) return FM_ROLE_FRAME;
    kernel_fill(row, exact, doc, &frame);
    fm_document_frame(doc, line, &frame);
    state->number1 = line->number1;
    /* The program counter has a trace of its own, so the next row begins another trace. */
    if (exact && ended) state->fresh = true;
    return FM_ROLE_FRAME;
}

static bool kernel_is_significant(const struct fm_line *line)
{
    struct kernel_state ignored = {.number1 = 0};
    struct fm_kernel_headline headline;
    struct fm_kernel_row row;
    const framemap_str text = fm_kernel_headline_start(fm_str_trim(line->body));
    if (fm_kernel_row(text, &row)) return row.sure;
    return pc_row(text, &row) || fm_kernel_headline(text, &headline) || read_title(&ignored, text) ||
           kernel_read_process(&ignored, text, 1);
}

static enum fm_line_role kernel_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct kernel_state *state = memory;
    struct fm_kernel_row row;
    const framemap_str text = fm_kernel_headline_start(fm_str_trim(line->body));
    const bool near = is_near(state, line);
    if (!near) state->titled = false;
    if (fm_kernel_row(text, &row) && (row.sure || (near && state->titled)))
        return kernel_add(state, doc, line, &row, false);
    if (pc_row(text, &row)) return kernel_add(state, doc, line, &row, true);
    const bool title = read_title(state, text) || (near && read_link(state, text));
    if (!title && !read_headline(state, text, line->number1) && !kernel_read_process(state, text, line->number1)) {
        framemap_str rest = text;
        if (!near) return FM_ROLE_NONE;
        fm_kernel_cut_marks(&rest);
        if (rest.size && !read_registers(state, doc, text) && !read_arm_process(state, text, line->number1) &&
            !read_leak_process(state, text, line->number1) && !skip_memory(state, text))
            return FM_ROLE_NONE;
    }
    state->number1 = line->number1;
    return FM_ROLE_CONTEXT;
}

static const struct fm_needle kernel_needles[] = {
    FM_NEEDLE("Call Trace:", 0, 15),
    FM_NEEDLE("Call trace:", 0, 15),
    FM_NEEDLE("[inline]", 0, 13),
    FM_NEEDLE("[<  ", 0, 2),
    FM_NEEDLE("BUG: ", 1, 3),
    FM_NEEDLE("kernel BUG", 5, 12),
    FM_NEEDLE("WARNING: ", 5, 3),
    FM_NEEDLE("[ INFO: ", 3, 15),
    FM_NEEDLE("general protection fault", 20, 8),
    FM_NEEDLE("Unable to handle kernel ", 14, 11),
    FM_NEEDLE("Kernel panic", 8, 10),
    FM_NEEDLE("Internal error: ", 6, 11),
    FM_NEEDLE("INFO: task ", 1, 15),
    FM_NEEDLE("INFO: rcu", 1, 15),
    FM_NEEDLE("rcu: INFO: ", 1, 0),
    FM_NEEDLE("UBSAN: ", 2, 0),
    FM_NEEDLE("Oops: ", 1, 9),
    FM_NEEDLE(" Comm: ", 2, 8),
    FM_NEEDLE("task:", 1, 8),
    FM_NEEDLE(" by task ", 4, 7),
    FM_NEEDLE("Uninit was ", 0, 10),
    FM_NEEDLE("related work creation:", 1, 14),
    FM_NEEDLE(" bytes by ", 5, 15),
    FM_NEEDLE("ainted", 0, 14),
    FM_NEEDLE(" age=", 1, 10),
    FM_NEEDLE(": 0000 [#", 4, 11),
    FM_NEEDLE("Unhandled fault: ", 5, 10),
    FM_NEEDLE("INFO: trying ", 1, 15),
    FM_NEEDLE("unreferenced object 0x", 17, 0),
    FM_NEEDLE("PANIC: double fault", 1, 9),
    FM_NEEDLE("hard LOCKUP", 5, 7),
    FM_NEEDLE("Kernel Library Stack", 15, 1),
};

const struct fm_format fm_kernel = {.info = {name, "stacks of the Linux kernel (f+0x1c/0x90 [mod])", true, false},
                                    FM_NEEDLES(kernel_needles),
                                    .marks = FM_MARK_WORD | FM_MARK_HEX,
                                    .state_size = sizeof(struct kernel_state),
                                    .keeps_state = true,
                                    .offer = kernel_offer,
                                    .is_significant = kernel_is_significant};
