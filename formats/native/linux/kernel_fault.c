/* Parses the lines that the Linux kernel logs about a process that it ends because of a fault. On x86 there is one
 * line, with one frame:
 *
 *     app[1234]: segfault at 8 ip 00005581a2b3c1d4 sp 00007ffd1c40 error 4 in libfoo.so[5581a2b3b000+1000]
 *     app[1234]: segfault at 8 ip 00005581a2b3c1d4 sp 00007ffd1c40 error 4 in libfoo.so[21d4,5581a2b3b000+1000]
 *         likely on CPU 3 (core 3, socket 0)
 *     traps: app[1234] general protection fault ip:401136 sp:7ffd1c40 error:0 in app[401000+1000]
 *     traps: app[1234] trap invalid opcode ip:401136 sp:7ffd1c40 error:0 in app[401000+1000]
 *
 * The brackets contain the start and the size of the mapping that the address is in. Newer kernels print the address's
 * offset in the file before these two; that offset is then looked up. Without it, the part of the file that is mapped
 * is unknown, so the address is looked up only in a program that is loaded where it was linked.
 *
 * On other CPUs the registers follow a headline. The program counter is the only frame; the register with the return
 * address is not used, since its value may be left from an earlier call:
 *
 *     app[1234]: unhandled exception: DABT (lower EL), ESR 0x92000006, level 2 translation fault in a.so[1000+1000]
 *     CPU: 10 PID: 1234 Comm: app Tainted: G           OE   6.6.55 #18
 *     pc : 0000000000001040
 *     lr : 0000000000001020 */
#include "formats/native/linux/kernel_user_fault.h"
#include "formats/native/native_parts.h"
#include "formats/parsers.h"
#include "formats/signal_names.h"

static const char name[] = "kernel-fault";
#define COUNTER_AHEAD 24 /* maximum number of lines between a headline and the row of the program counter */

struct kernel_fault {
    /* values read from the line. site: the text after the row, which framemap printed when it restored the row */
    framemap_str comm, tid, exception, type, image, site;
    uint64_t address, stack_pointer, data_address, file_offset;
    /* head: size of the row up to its site; end: size up to the row's end, after which other text follows in a JSON
     * string */
    size_t head, end;
    uint8_t signal;
    bool has_data_address, has_file_offset, has_stack_pointer;
};

struct kernel_fault_state {
    struct kernel_fault fault; /* the last headline whose program counter is on a line below */
    uint64_t number1;          /* number of the headline's line; 0: no headline is open */
};

enum fault_form { SEGFAULT, TRAP, HEADLINE };

/* `likely` is at the end of a line of the newest kernels. `inlined_in` separates the functions of a restored frame. */
static const framemap_str likely = FM_STR_INIT(" likely on CPU "), inlined_in = FM_STR_INIT(" (inlined in ");

/* Splits the text before a fault into name and number of the process: "my app" and 1234 for "host kernel: [12.5] traps:
 * my app[1234]". */
static bool kernel_fault_read_process(framemap_str text, struct kernel_fault *fault)
{
    static const framemap_str ends[] = {FM_STR_INIT(": "), FM_STR_INIT("] "), FM_STR_INIT("\"")};
    const size_t open = fm_str_find_last_byte(text, '[');
    uint64_t number;
    if (open == FM_NOT_FOUND || open == 0 || text.data[text.size - 1] != ']') return false;
    fault->tid = fm_str_slice(text, open + 1, text.size - 1);
    struct fm_scan s = fm_scan_of(fault->tid);
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_done(&s)) return false;
    text.size = open;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t at = fm_str_find_last(text, ends[i]);
        if (at != FM_NOT_FOUND) text = fm_str_from(text, at + ends[i].size);
    }
    fault->comm = fm_str_trim(text);
    return fault->comm.size != 0;
}

/* Reads the process from the text before a fault, which 32-bit ARM prints as "host kernel: my app" or "my app (12)". */
static void read_plain_process(framemap_str text, struct kernel_fault *fault)
{
    const size_t at = fm_str_find_last(text, FM_STR(": "));
    framemap_str id;
    if (at != FM_NOT_FOUND) text = fm_str_from(text, at + 2);
    if (fm_row_group(&text, &id)) fault->tid = id;
    fault->comm = fm_str_trim(text);
}

/* Parses an address; before Linux 4.15 the kernel printed "(null)" for zero. */
static bool read_address(struct fm_scan *s, uint64_t *address)
{
    *address = 0;
    fm_scan_blanks(s);
    return fm_scan_text(s, FM_STR("(null)")) || fm_row_hex(s, address) == FM_DIGITS_FIT;
}

/* Parses "segfault at 8 ip 00005581a2b3c1d4 sp 00007ffd1c40 error 4"; the oldest kernels print "rip" and "rsp". */
static bool read_segfault(struct fm_scan *s, struct kernel_fault *fault)
{
    uint64_t error;
    fault->type = FM_STR("segfault");
    fault->signal = 11;
    fault->has_data_address = true;
    const char *start = s->at;
    if (!fm_scan_text(s, FM_STR("segfault at ")) || !read_address(s, &fault->data_address)) return false;
    fault->exception = fm_str(start, (size_t)(s->at - start));
    if (!fm_scan_byte(s, ' ')) return false;
    (void)(fm_scan_byte(s, 'r') || fm_scan_byte(s, 'e'));
    if (!fm_scan_text(s, FM_STR("ip ")) || !read_address(s, &fault->address) || !fm_scan_byte(s, ' ')) return false;
    (void)(fm_scan_byte(s, 'r') || fm_scan_byte(s, 'e'));
    return fm_scan_text(s, FM_STR("sp ")) && read_address(s, &fault->stack_pointer) &&
           fm_scan_text(s, FM_STR(" error ")) && fm_row_hex(s, &error) == FM_DIGITS_FIT;
}

/* Parses "general protection fault ip:401136 sp:7ffd1c40 error:0", "trap invalid opcode ip:…". */
static bool read_trap(struct fm_scan *s, struct kernel_fault *fault)
{
    static const struct {
        framemap_str type;
        uint8_t signal;
    } traps[] = {{FM_STR_INIT("general protection"), 11}, {FM_STR_INIT("invalid opcode"), 4},
                 {FM_STR_INIT("divide error"), 8},        {FM_STR_INIT("int3"), 5},
                 {FM_STR_INIT("stack segment"), 7},       {FM_STR_INIT("alignment check"), 7}};
    static const framemap_str ip = FM_STR_INIT(" ip:");
    const framemap_str text = fm_scan_rest(s);
    const size_t at = fm_str_find(text, ip);
    uint64_t error;
    if (at == FM_NOT_FOUND) return false;
    fault->exception = fault->type = fm_str(text.data, at);
    if (fm_str_starts(text, FM_STR("trap "))) fault->type = fm_str_slice(text, 5, at);
    for (size_t i = 0; i < sizeof traps / sizeof *traps; i++)
        if (fm_str_starts(fault->type, traps[i].type)) fault->signal = traps[i].signal;
    s->at += at + ip.size;
    return read_address(s, &fault->address) && fm_scan_text(s, FM_STR(" sp:")) &&
           read_address(s, &fault->stack_pointer) && fm_scan_text(s, FM_STR(" error:")) &&
           fm_row_hex(s, &error) == FM_DIGITS_FIT;
}

/* Parses " in libfoo.so[21d4,5581a2b3b000+1000]". */
static bool read_image(struct fm_scan *s, struct kernel_fault *fault)
{
    static const framemap_str deleted = FM_STR_INIT(" (deleted)");
    struct fm_scan t = *s;
    framemap_str image;
    uint64_t first, size;
    if (!fm_scan_text(&t, FM_STR(" in ")) || !fm_scan_until(&t, '[', &image) || image.size == 0) return false;
    t.at++;
    if (fm_row_hex(&t, &first) != FM_DIGITS_FIT) return false;
    fault->has_file_offset = fm_scan_byte(&t, ',');
    if (fault->has_file_offset) fault->file_offset = first;
    if (fault->has_file_offset && fm_row_hex(&t, &first) != FM_DIGITS_FIT) return false;
    if (!fm_scan_byte(&t, '+') || fm_row_hex(&t, &size) != FM_DIGITS_FIT || !fm_scan_byte(&t, ']')) return false;
    fault->image = fm_str_ends(image, deleted) ? fm_str(image.data, image.size - deleted.size) : image;
    *s = t;
    return true;
}

/* Moves over " likely on CPU 3 (core 3, socket 0)". */
static void skip_likely(struct fm_scan *s)
{
    framemap_str ignored;
    struct fm_scan t = *s;
    if (fm_scan_text(&t, likely) && fm_scan_until(&t, ')', &ignored) && fm_scan_byte(&t, ')')) *s = t;
}

/* Finds the word that names the fault; *start is its offset. The name of the process precedes that word, unless it was
 * cut off as the prefix of a logger. */
static bool find_fault(framemap_str text, struct kernel_fault *fault, size_t *start, enum fault_form *form)
{
    static const framemap_str words[] = {FM_STR_INIT("segfault at "), FM_STR_INIT("trap "),
                                         FM_STR_INIT("general protection")};
    size_t at, after = 0; /* `after` is the number of bytes of "]: " or "] ", which follow the number of the process */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if ((at = fm_str_find(text, words[i])) == FM_NOT_FOUND) continue;
        *start = at;
        *form = i == 0 ? SEGFAULT : TRAP;
        after = i == 0 ? 2 : 1;
        return at == 0 || (at > after && kernel_fault_read_process(fm_str(text.data, at - after), fault));
    }
    if ((at = fm_user_fault_find(text, &after)) == FM_NOT_FOUND) return false;
    *start = at;
    *form = HEADLINE;
    if (at > after && text.data[at - 1] == ' ' && !kernel_fault_read_process(fm_str(text.data, at - after), fault))
        read_plain_process(fm_str(text.data, at - after), fault);
    return true;
}

/* Parses a headline, from the word that names the fault on. The program counter is on a line below. */
static bool read_headline(framemap_str text, struct kernel_fault *fault)
{
    struct fm_user_fault user;
    if (!fm_user_fault_read(text, &user)) return false;
    struct fm_scan s = fm_scan_of(user.image);
    fault->exception = user.exception;
    fault->type = user.type;
    fault->data_address = user.data_address;
    fault->has_data_address = user.has_data_address;
    fault->signal = user.signal;
    if (user.comm.size) fault->comm = user.comm;
    (void)read_image(&s, fault);
    return true;
}

/* Parses a line about a fault. The start of the line may be missing, so that the line begins with the word that names
 * the fault. */
static bool read_fault(framemap_str text, struct kernel_fault *fault, enum fault_form *form)
{
    size_t at;
    *fault = (struct kernel_fault){.signal = 0};
    if (!find_fault(text, fault, &at, form)) return false;
    if (*form == HEADLINE) return read_headline(fm_str_from(text, at), fault);
    struct fm_scan s = fm_scan_of(fm_str_from(text, at));
    if (!(*form == SEGFAULT ? read_segfault(&s, fault) : read_trap(&s, fault))) return false;
    fault->has_stack_pointer = true;
    const bool has_image = read_image(&s, fault);
    skip_likely(&s);
    fault->head = (size_t)(s.at - text.data);
    const bool quoted = fm_str_find_byte(fm_str(text.data, at), '"') != FM_NOT_FOUND;
    if (fm_scan_text(&s, FM_STR(": "))) {
        const framemap_str rest = fm_scan_rest(&s);
        fault->site = fm_str_slice(rest, 0, quoted ? fm_str_find_byte(rest, '"') : rest.size);
        s.at += fault->site.size;
    }
    fault->end = (size_t)(s.at - text.data);
    return has_image || fm_scan_done(&s) || fault->site.size || quoted;
}

/* Returns the whole line, since its prefix may name the process. Returns only the body if the body is a cleaned
 * copy. */
static framemap_str whole_line(const struct fm_line *line)
{
    if (line->printed.data) return line->body;
    return fm_str(line->text.data, (size_t)(line->body.data - line->text.data) + line->body.size);
}

static framemap_frame frame_of(const struct kernel_fault *fault)
{
    framemap_frame frame = FM_FRAME_INIT;
    frame.has_address = true;
    frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame.address = fault->address;
    frame.module = fault->image;
    if (fault->has_file_offset && fm_row_maps_file(fault->address, fault->file_offset)) {
        frame.has_load_address = frame.maps_file = true;
        frame.load_address = fault->address - fault->file_offset;
    }
    if (fault->site.size)
        fm_row_function_at(fm_str_slice(fault->site, 0, fm_str_find(fault->site, inlined_in)), &frame);
    return frame;
}

static void fill_trace(framemap_trace *trace, const struct kernel_fault *fault)
{
    trace->exception = trace->exception_message = fault->exception;
    trace->exception_type = fault->type;
    trace->crashed = true;
    trace->thread = trace->thread_id = fault->tid;
    trace->thread_name = trace->process_name = fault->comm;
    if (fault->signal == 0) return;
    trace->signal.name = fm_signal_name(fault->signal, FM_SIGNALS_OF_LINUX);
    if (fm_str_starts(fault->type, FM_STR("signal ")) && trace->signal.name.size)
        trace->exception_type = trace->signal.name;
    trace->signal.has_number = true;
    trace->signal.number = fault->signal;
    trace->signal.has_address = fault->has_data_address;
    trace->signal.address = fault->data_address;
}

static bool kernel_fault_is_significant(const struct fm_line *line)
{
    struct kernel_fault fault;
    struct fm_user_pc pc;
    enum fault_form form;
    return read_fault(line->body, &fault, &form) || fm_user_pc_read(line->body, &pc);
}

static enum fm_line_role add_fault(struct fm_document *doc, const struct fm_line *line,
                                   const struct kernel_fault *fault)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return FM_ROLE_FRAME;
    fill_trace(trace, fault);
    const framemap_frame parts = frame_of(fault);
    framemap_frame *frame = fm_document_frame(doc, line, &parts);
    framemap_frame_extra *extra = frame && fault->has_stack_pointer ? fm_document_extra(doc, frame) : NULL;
    if (extra) extra->stack_pointer = fault->stack_pointer;
    return FM_ROLE_FRAME;
}

/* Adds a frame for the row of the program counter below a headline. */
static enum fm_line_role read_counter(struct kernel_fault_state *state, struct fm_document *doc,
                                      const struct fm_line *line)
{
    struct fm_user_pc pc;
    if (state->number1 == 0 || line->number1 - state->number1 > COUNTER_AHEAD) return FM_ROLE_NONE;
    if (!fm_user_pc_read(line->body, &pc)) return FM_ROLE_NONE;
    struct fm_scan s = fm_scan_of(pc.image);
    state->number1 = 0;
    state->fault.address = pc.address;
    state->fault.site = pc.site;
    (void)read_image(&s, &state->fault);
    return add_fault(doc, line, &state->fault);
}

static enum fm_line_role kernel_fault_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct kernel_fault_state *state = memory;
    struct kernel_fault fault, whole;
    enum fault_form form, ignored;
    if (!read_fault(line->body, &fault, &form)) return read_counter(state, doc, line);
    if (fault.comm.size == 0 && read_fault(whole_line(line), &whole, &ignored)) {
        fault.comm = whole.comm;
        fault.tid = whole.tid;
    }
    if (form != HEADLINE) return add_fault(doc, line, &fault);
    *state = (struct kernel_fault_state){.fault = fault, .number1 = line->number1};
    return FM_ROLE_CONTEXT;
}

/* Writes "app[1]: segfault at … in libfoo.so[…]: add(int) at src/a.cc:7:3 (inlined in main at src/a.cc:12:5)", or
 * the same text after a program counter. All functions are on one line, because a further line would be read as
 * another fault. */
static void kernel_fault_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix,
                                     framemap_str eol)
{
    struct kernel_fault fault;
    struct fm_user_pc pc;
    enum fault_form form;
    size_t head = frame->raw.size, end = head;
    (void)prefix;
    (void)eol;
    if (fm_user_pc_read(frame->raw, &pc)) {
        head = pc.head;
        end = pc.end;
    } else if (read_fault(frame->raw, &fault, &form) && form != HEADLINE) {
        head = fault.head;
        end = fault.end;
    }
    fm_buf_str(out, fm_str(frame->raw.data, head));
    for (size_t i = 0; i < frame->restored.count; i++) {
        fm_buf_str(out, i == 0 ? FM_STR(": ") : inlined_in);
        fm_row_put_at(out, &frame->restored.frames[i]);
        if (i) fm_buf_byte(out, ')');
    }
    fm_buf_str(out, fm_str_from(frame->raw, end));
}

/* The first needle is in lines of segmentation faults on x86, the second in those of other faults on x86. The others
 * are in headlines and in rows of program counters on other CPUs. */
static const struct fm_needle kernel_fault_needles[] = {FM_NEEDLE("]: segfault at ", 4, 14),
                                                        FM_NEEDLE(" sp:", 0, 9),
                                                        FM_NEEDLE("unhandled ", 5, 10),
                                                        FM_NEEDLE("undefined instruction: ", 15, 3),
                                                        FM_NEEDLE("do_page_fault", 4, 10),
                                                        FM_NEEDLE("pc : ", 0, 2),
                                                        FM_NEEDLE("epc: ", 0, 9),
                                                        FM_NEEDLE("epc = ", 1, 2)};

const struct fm_format fm_kernel_fault = {
    .info = {name, "faults of processes in Linux's log (app[1]: segfault at 8 ip … in a.so[1d4,…])", true, false},
    FM_NEEDLES(kernel_fault_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct kernel_fault_state),
    .keeps_state = true,
    .offer = kernel_fault_offer,
    .is_significant = kernel_fault_is_significant,
    .print_frame = kernel_fault_print_frame};
