/* Samples as `perf script` prints them: a line for the event, and the stack below it, innermost first.
 *
 *     my comm  12/13 [002] 6544038.708352:    1001001 cycles:u:
 *             7f5a1c0a1b2c main+0x1c (/usr/bin/app)
 *                     1149 inner (inlined)
 *         ffffffff81000000 [unknown] ([kernel.kallsyms])
 *       a.c:7
 *
 *     java 3244 cpu-clock:                                      printed with -F, without a time
 *
 * The first address is exact, the others are return addresses. A position on a line of its own (-F +srcline) belongs
 * to the frame above it. Lines about mapped files give the load addresses of images (perf_map.h). */
#include "core/hash/hash.h"
#include "formats/native/linux/perf_map.h"
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "perf-script";
#define PERF_GAP 2 /* one line with a position may be between two frames */

struct perf_state {
    framemap_str comm, tid;
    uint64_t pid, number1;
    bool has_pid, open, fresh;
    uint64_t owner; /* id of the event's process, or of its thread if perf prints no id of the process */
    bool has_maps;  /* mapped files of `owner` were printed */
    struct fm_perf_maps maps;
};

struct perf_header {
    framemap_str comm, tid, rest; /* `rest`: the text after the event */
    uint64_t pid;
    bool has_pid;
};

/* Whether a word is a time such as "6544038.708352:". */
static bool is_time(framemap_str word)
{
    struct fm_scan s = fm_scan_of(word);
    uint64_t number;
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_byte(&s, '.')) return false;
    const char *fraction = s.at;
    return fm_scan_dec(&s, &number, NULL) && s.at - fraction >= 6 && fm_scan_byte(&s, ':') && fm_scan_done(&s);
}

/* Cuts the last word off a text and returns it. */
static framemap_str cut_word(framemap_str *text)
{
    *text = fm_str_trim(*text);
    size_t at = text->size;
    while (at && !fm_is_blank(text->data[at - 1])) at--;
    const framemap_str word = fm_str_from(*text, at);
    text->size = at;
    return word;
}

/* Parses the ids of process and thread: "12", "12/13", "-1". */
static bool read_ids(framemap_str word, struct perf_header *header)
{
    struct fm_scan s = fm_scan_of(word);
    const char *start = s.at;
    uint64_t number;
    fm_scan_byte(&s, '-');
    if (!fm_scan_dec(&s, &number, NULL)) return false;
    header->tid = word;
    if (fm_scan_done(&s)) return true;
    if (*start == '-' || !fm_scan_byte(&s, '/')) return false;
    header->pid = number;
    header->has_pid = true;
    header->tid = fm_scan_rest(&s);
    return fm_scan_dec(&s, &number, NULL) && fm_scan_done(&s);
}

/* Whether a word is the name of an event. Lines of many logs have a time and numbers as perf's lines do, but no such
 * name. */
static bool is_event(framemap_str word)
{
    static const framemap_str parts[] = {
        FM_STR_INIT("cycles"),      FM_STR_INIT("clock"),      FM_STR_INIT("instructions"), FM_STR_INIT("faults"),
        FM_STR_INIT("misses"),      FM_STR_INIT("references"), FM_STR_INIT("branches"),     FM_STR_INIT("switches"),
        FM_STR_INIT("migrations"),  FM_STR_INIT("loads"),      FM_STR_INIT("stores"),       FM_STR_INIT("sched:"),
        FM_STR_INIT("syscalls:"),   FM_STR_INIT("probe"),      FM_STR_INIT("block:"),       FM_STR_INIT("kmem:"),
        FM_STR_INIT("exceptions:"), FM_STR_INIT("irq"),        FM_STR_INIT("net:"),         FM_STR_INIT("skb:"),
        FM_STR_INIT("tcp:"),        FM_STR_INIT("xdp:"),       FM_STR_INIT("ext4:"),        FM_STR_INIT("dummy:"),
        FM_STR_INIT("bpf"),         FM_STR_INIT("mem_")};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (fm_str_find(word, parts[i]) != FM_NOT_FOUND) return true;
    return false;
}

/* Parses the text after the time: an optional period and the event, "PERIOD EVENT:"; tracepoints have further text. */
static bool read_event(framemap_str text, struct perf_header *header)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str word;
    uint64_t period;
    fm_scan_blanks(&s);
    struct fm_scan t = s;
    if (fm_scan_dec(&t, &period, NULL) && fm_scan_blanks1(&t)) s = t;
    if (!fm_scan_word(&s, &word) || word.size < 2 || word.data[word.size - 1] != ':') return false;
    if (!is_event(word)) return false;
    header->rest = fm_str_trim(fm_scan_rest(&s));
    return true;
}

/* Parses a line without a time, "java  3244 cpu-clock:". The text before the ids and the event is the name of the
 * program. */
static bool read_untimed(framemap_str body, struct perf_header *header)
{
    framemap_str head = body;
    const framemap_str event = cut_word(&head);
    if (event.size < 2 || event.data[event.size - 1] != ':' || !is_event(event)) return false;
    framemap_str last = cut_word(&head);
    if (last.size && last.data[0] == '[') last = cut_word(&head);
    header->comm = fm_str_trim(head);
    header->rest = fm_str(NULL, 0);
    return last.size && header->comm.size && read_ids(last, header);
}

static bool perf_read_header(framemap_str body, struct perf_header *header)
{
    struct fm_scan s = fm_scan_of(body);
    framemap_str word;
    for (fm_scan_blanks(&s); fm_scan_word(&s, &word); fm_scan_blanks(&s)) {
        if (!is_time(word)) continue;
        framemap_str head = fm_str(body.data, (size_t)(word.data - body.data)), last = cut_word(&head);
        if (last.size && last.data[0] == '[') last = cut_word(&head);
        header->comm = fm_str_trim(head);
        return last.size && header->comm.size && read_ids(last, header) && read_event(fm_scan_rest(&s), header);
    }
    return body.size && body.data[body.size - 1] == ':' && read_untimed(body, header);
}

/* Reads the linked address from a symbol such as "libdemo.so[+44a4]", which scripts of simpleperf print in a row:
 * "7a1c3d44a4 libdemo.so[+44a4] (/data/lib/libdemo.so)". Like all addresses of simpleperf, it is the address of the
 * call. */
static bool perf_read_place(framemap_str symbol, framemap_frame *frame)
{
    framemap_str file;
    uint64_t address;
    if (!fm_row_place_in_file(symbol, &file, &address) || !fm_str_ends(frame->module, file)) return false;
    frame->has_absolute_address = true;
    frame->absolute_address = frame->address;
    frame->address = address;
    frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    return true;
}

/* Parses "HEX SYMBOL+0xOFF (MODULE)", "HEX SYMBOL (inlined)", "HEX (MODULE)", "HEX SYMBOL". With -F +dsoff, the module
 * is followed by an offset in its file, "(/lib/libc.so.6+0x29d90)". */
static bool perf_parse_row(framemap_str body, struct fm_document *doc, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    framemap_str group = {NULL, 0};
    uint64_t offset;
    const enum fm_digits digits = fm_row_hex(&s, &frame->address);
    if (digits == FM_DIGITS_NONE || (!fm_scan_done(&s) && !fm_scan_blanks1(&s))) return false;
    framemap_str text = fm_scan_rest(&s);
    if (text.size && text.data[0] == '(' && text.data[text.size - 1] == ')') {
        group = fm_str_slice(text, 1, text.size - 1);
        text.size = 0;
    } else if (!fm_row_group(&text, &group) || text.size == 0) {
        return false;
    }
    const bool has_offset =
        fm_str_find(group, FM_STR("+0x")) != FM_NOT_FOUND && fm_row_distance(group, true, &group, &offset);
    if (fm_str_ends(group, FM_STR(" (deleted)"))) group.size -= 10;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (fm_str_equal(group, FM_STR("inlined")))
        frame->inlined = true;
    else
        fm_native_set_module(frame, group);
    if (has_offset && !frame->inlined && fm_row_maps_file(frame->address, offset)) {
        frame->has_load_address = frame->maps_file = true;
        frame->load_address = frame->address - offset;
    }
    if (fm_str_equal(group, FM_STR("[unknown]"))) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the row names no file";
    }
    if (!perf_read_place(text, frame) && !fm_str_equal(text, FM_STR("[unknown]"))) fm_row_function_at(text, frame);
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    (void)doc;
    return true;
}

static bool perf_is_significant(const struct fm_line *line)
{
    struct perf_header header = {.pid = 0};
    struct fm_perf_map map;
    framemap_str path;
    return perf_read_header(line->body, &header) || fm_perf_map_read(line->body, &map, &path);
}

static framemap_trace *perf_trace(struct perf_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace && !state->fresh) return trace;
    trace = fm_document_trace(doc, name, line);
    if (!trace) return NULL;
    trace->thread_id = trace->thread = state->tid;
    trace->thread_name = trace->process_name = state->comm;
    trace->has_process_id = state->has_pid;
    trace->process_id = state->pid;
    state->fresh = false;
    return trace;
}

/* --- recording the files that a process mapped --- */

static uint64_t file_of(framemap_str path) { return fm_hash64(path.data, path.size, 0); }

static void add_map(struct perf_state *state, struct fm_document *doc, const struct fm_perf_map *map)
{
    const size_t size = fm_perf_maps_need(&state->maps);
    char *memory = size ? fm_document_alloc(doc, size) : NULL;
    if (size && memory == NULL) return;
    if (memory) fm_perf_maps_give(&state->maps, memory, size);
    fm_perf_maps_add(&state->maps, map);
}

/* --- rows --- */

/* Sets the load address of a frame from the mapping of its file that contains its address. */
static void perf_place(const struct perf_state *state, framemap_frame *frame)
{
    const uint64_t *owner = state->has_maps ? &state->owner : NULL;
    const framemap_str path = frame->module_path.size ? frame->module_path : frame->module;
    struct fm_perf_map map;
    bool is_offset;
    if (state->maps.count == 0 || frame->inlined || frame->has_load_address || path.size == 0) return;
    if (frame->address_kind != FRAMEMAP_ADDRESS_ABSOLUTE) return;
    if (!fm_perf_maps_find(&state->maps, owner, file_of(path), frame->address, &map, &is_offset)) return;
    if (is_offset) {
        frame->address_kind = FRAMEMAP_ADDRESS_FILE;
    } else {
        frame->has_load_address = frame->maps_file = true;
        frame->load_address = map.load;
    }
}

static enum fm_line_role perf_add(struct perf_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_frame frame = FM_FRAME_INIT;
    if (!perf_parse_row(line->body, doc, &frame)) return FM_ROLE_NONE;
    perf_place(state, &frame);
    framemap_trace *trace = perf_trace(state, doc, line);
    if (!trace) return FM_ROLE_FRAME;
    frame.return_address =
        fm_document_depth(doc, trace) > 0 && !frame.inlined && frame.address_kind != FRAMEMAP_ADDRESS_LINKED;
    fm_document_frame(doc, line, &frame);
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static enum fm_line_role perf_event(struct perf_state *state, const struct perf_header *header, struct fm_document *doc,
                                    const struct fm_line *line)
{
    struct fm_scan tid = fm_scan_of(header->tid);
    framemap_frame ignored = FM_FRAME_INIT;
    struct perf_state fresh = {.comm = header->comm,
                               .tid = header->tid,
                               .pid = header->pid,
                               .has_pid = header->has_pid,
                               .number1 = line->number1,
                               .open = true,
                               .fresh = true,
                               .owner = header->pid,
                               .maps = state->maps};
    if (!header->has_pid) fm_scan_dec(&tid, &fresh.owner, NULL);
    fresh.has_maps = fm_perf_maps_has(&fresh.maps, fresh.owner);
    *state = fresh;
    if (header->rest.size == 0 || !perf_parse_row(header->rest, doc, &ignored)) return FM_ROLE_CONTEXT;
    struct fm_line part = *line; /* a sample without a call chain has its only frame on the line of the event */
    part.body = header->rest;
    return perf_add(state, doc, &part);
}

static enum fm_line_role perf_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct perf_state *state = memory;
    struct perf_header header = {.pid = 0};
    struct fm_perf_map map;
    framemap_str path;
    if (line->number1 - state->number1 > PERF_GAP || line->begins) state->open = false;
    if (perf_read_header(line->body, &header)) return perf_event(state, &header, doc, line);
    if (fm_perf_map_read(line->body, &map, &path)) {
        state->open = false;
        map.file = file_of(path);
        add_map(state, doc, &map);
        return FM_ROLE_CONTEXT;
    }
    if (!state->open) return FM_ROLE_NONE;
    const enum fm_line_role role = perf_add(state, doc, line);
    if (role == FM_ROLE_NONE && !state->fresh &&
        fm_native_read_position(fm_document_open(doc, name), fm_str_trim(line->body))) {
        state->number1 = line->number1;
        return FM_ROLE_CONTEXT;
    }
    return role;
}

/* Writes "7f5a1c0a1b2c inner(int) at src/a.cc:7:3 (/usr/bin/app)". */
static void perf_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    fm_native_put_before_group(out, raw, restored, 1);
}

static void perf_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, perf_put);
}

/* Words in the names of events that is_event() accepts, and the word in lines about mapped files. */
static const struct fm_needle perf_needles[] = {
    FM_NEEDLE("cycles", 1, 11),   FM_NEEDLE("clock", 1, 7),       FM_NEEDLE("instructions", 5, 3),
    FM_NEEDLE("faults", 2, 3),    FM_NEEDLE("misses", 0, 14),     FM_NEEDLE("references", 3, 10),
    FM_NEEDLE("branches", 0, 5),  FM_NEEDLE("switches", 0, 15),   FM_NEEDLE("migrations", 6, 6),
    FM_NEEDLE("loads", 1, 12),    FM_NEEDLE("stores", 2, 12),     FM_NEEDLE("sched:", 2, 8),
    FM_NEEDLE("syscalls:", 5, 8), FM_NEEDLE("probe", 1, 6),       FM_NEEDLE("block:", 0, 4),
    FM_NEEDLE("kmem:", 1, 8),     FM_NEEDLE("exceptions:", 7, 9), FM_NEEDLE("irq", 0, 5),
    FM_NEEDLE("net:", 0, 11),     FM_NEEDLE("skb:", 0, 15),       FM_NEEDLE("tcp:", 0, 11),
    FM_NEEDLE("xdp:", 0, 9),      FM_NEEDLE("ext4:", 0, 9),       FM_NEEDLE("dummy:", 1, 15),
    FM_NEEDLE("bpf", 0, 4),       FM_NEEDLE("mem_", 0, 8),        FM_NEEDLE("PERF_RECORD_MMAP", 5, 0),
};

const struct fm_format fm_perf_script = {
    .info = {name, "samples of perf script (7f5a f+0x1c (/lib/a.so))", true, false},
    FM_NEEDLES(perf_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct perf_state),
    .keeps_state = true,
    .offer = perf_offer,
    .is_significant = perf_is_significant,
    .print_frame = perf_print_frame};
