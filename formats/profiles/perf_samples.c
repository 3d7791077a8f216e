/* Reads the output of `perf script` as samples, whatever fields the user selected (-F): an event line, the rows of its
 * stack, innermost first, and an empty line.
 *
 *     my comm  12/13 [002] 6544038.708352:    1001001 cycles:u:
 *             7f5a1c0a1b2c main+0x1c (/usr/bin/app)
 *                     1149 inner (inlined)
 *
 *     my comm  12/13 6544038.7: PERF_RECORD_MMAP2 12/13: [0x7f5a1c000000(0x5000) @ 0x1000 08:01 5 0]: r-xp /bin/app
 *
 * An event adds 1 to the column of its samples, and its period to another column. Without event lines (-F ip,sym), each
 * group of rows is a sample. Lines about mapped files (--show-mmap-events) give the load addresses of images. */
#include "formats/native/linux/perf_map.h"
#include "formats/profiles/perf_event_line.h"
#include "formats/profiles/profile_format.h"
#include "formats/row_parts.h"

#define LOOKED_AT 200 /* the format is recognized if the first stack row is within this many lines */

struct perf_samples {
    bool begun;
    bool inside, has_stack; /* inside: an event line was read; has_stack: rows of its stack followed it */
    bool waits;             /* an empty line followed the event line, but the rows of the event may still follow */
    bool has_period;
    int64_t time_ns, period;
    /* thread: number of the thread in the sample set; event: number of a string in the sample set */
    uint32_t thread, event;
    uint64_t pid;
    bool has_maps; /* mapped files were printed for the process of the event */
    size_t count;
    uint32_t frames[FM_PROFILE_FRAMES]; /* frames of the sample that is being read, innermost first */
    /* The event that was looked up last, its two columns, and its label. */
    uint32_t known_event, samples, periods, labels;
    struct fm_perf_maps maps;
    uint32_t unknown; /* number of the frame that is used for a sample without rows */
};

static void read_header(struct perf_samples *state, framemap_sample_set *set, framemap_str line)
{
    struct fm_perf_event_line header;
    fm_perf_event_line_read(line, &header);
    struct fm_sample_thread thread = header.ids;
    thread.process = fm_samples_string(set, header.comm);
    state->time_ns = header.time_ns;
    state->has_period = header.has_period;
    if (header.has_period) state->period = header.period;
    state->event = header.event.size > 0 ? fm_samples_string(set, header.event) : 0;
    state->thread = fm_samples_thread(set, &thread);
    state->pid = thread.has_process ? thread.process_id : thread.thread_id;
}

/* --- recording the files that a process mapped --- */

static void read_map(struct perf_samples *state, framemap_sample_set *set, framemap_str line)
{
    struct fm_perf_map map;
    framemap_str path;
    if (!fm_perf_map_read(line, &map, &path)) return;
    map.file = fm_samples_string(set, path);
    const size_t size = fm_perf_maps_need(&state->maps);
    char *memory = size ? fm_arena_alloc(&set->arena, size) : NULL;
    if (size && memory == NULL) {
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return;
    }
    if (memory) fm_perf_maps_give(&state->maps, memory, size);
    fm_perf_maps_add(&state->maps, &map);
}

/* Sets the load address of a frame from the mapping of its file that contains its address. An offset in the file, which
 * perf 6.1 prints in place of the address, is replaced by the address. Returns false if there is no such mapping. */
static bool place(const struct perf_samples *state, struct fm_sample_frame *frame)
{
    struct fm_perf_map map;
    bool is_offset;
    if (!(frame->flags & FM_FRAME_ADDRESS)) return false;
    if (!fm_perf_maps_find(&state->maps, state->has_maps ? &state->pid : NULL, frame->module, frame->address, &map,
                           &is_offset))
        return false;
    if (is_offset) frame->address += map.load;
    frame->load_address = map.load;
    return true;
}

/* --- rows --- */

/* Returns the offset of the last group in parentheses, if the text ends with that group; FM_NOT_FOUND otherwise. */
static size_t last_group(framemap_str text)
{
    size_t depth = 0;
    if (text.size < 2 || text.data[text.size - 1] != ')') return FM_NOT_FOUND;
    for (size_t at = text.size; at-- > 0;) {
        if (text.data[at] == ')') depth++;
        if (text.data[at] == '(' && --depth == 0) return at;
    }
    return FM_NOT_FOUND;
}

/* Cuts "+0x1c" off the end of the text. Returns whether the text ended in such a distance. *distance: its value,
 * unchanged if it has too many digits. */
static bool cut_distance(framemap_str *text, uint64_t *distance)
{
    size_t at = text->size;
    while (at && fm_is_hex(text->data[at - 1])) at--;
    if (at < 3 || at == text->size || !fm_str_equal(fm_str(text->data + at - 3, 3), FM_STR("+0x"))) return false;
    const bool whole = fm_hex_run(text->data + at, text->data + text->size, distance) == text->size - at;
    *text = fm_str(text->data, at - 3);
    return whole;
}

static uint32_t frame_of(const struct perf_samples *state, framemap_sample_set *set, framemap_str symbol,
                         framemap_str module, uint64_t address)
{
    struct fm_sample_frame frame = {.address = address, .flags = FM_FRAME_ADDRESS};
    uint64_t offset;
    /* with the option -F +dsoff, perf prints an offset in the file after the module */
    const bool has_offset = cut_distance(&module, &offset);
    if (fm_str_ends(module, FM_STR(" (deleted)"))) module.size -= 10;
    if (fm_str_equal(module, FM_STR("inlined")))
        frame.flags = FM_FRAME_INLINED;
    else if (!fm_str_equal(module, FM_STR("[unknown]")))
        frame.module = fm_samples_string(set, module);
    if (!fm_str_equal(symbol, FM_STR("[unknown]"))) frame.function = fm_samples_string(set, symbol);
    frame.address_kind = frame.flags & FM_FRAME_ADDRESS ? FRAMEMAP_ADDRESS_ABSOLUTE : FRAMEMAP_ADDRESS_NONE;
    if (frame.flags & FM_FRAME_INLINED) frame.address = 0;
    framemap_str file;
    uint64_t linked;
    if (fm_row_place_in_file(symbol, &file, &linked) && fm_str_ends(module, file)) {
        frame.address = linked; /* the linked address is that of the call, not a return address */
        frame.address_kind = FRAMEMAP_ADDRESS_LINKED;
        return fm_samples_frame(set, &frame);
    }
    if (state->count && frame.flags & FM_FRAME_ADDRESS) frame.flags |= FM_FRAME_RETURN;
    if (place(state, &frame)) {
        frame.flags |= FM_FRAME_LOAD | FM_FRAME_MAPS_FILE;
    } else if (has_offset && (frame.flags & FM_FRAME_ADDRESS) && fm_row_maps_file(address, offset)) {
        frame.load_address = address - offset;
        frame.flags |= FM_FRAME_LOAD | FM_FRAME_MAPS_FILE;
    }
    return fm_samples_frame(set, &frame);
}

/* Parses "HEX SYMBOL+0xOFF (MODULE)", "HEX SYMBOL (inlined)", "HEX (MODULE)", "HEX SYMBOL". */
static bool perf_read_row(struct perf_samples *state, framemap_sample_set *set, framemap_str line)
{
    const framemap_str text = fm_str_trim(line);
    uint64_t address = 0;
    const unsigned digits = text.size ? fm_hex_run(text.data, text.data + text.size, &address) : 0;
    if (digits == 0 || digits == text.size || !fm_is_blank(text.data[digits])) {
        if (digits == 0 || digits < text.size) return false;
    }
    framemap_str symbol = fm_str_trim(fm_str_from(text, digits)), module = fm_str(NULL, 0);
    const size_t group = last_group(symbol);
    if (group != FM_NOT_FOUND && (group == 0 || symbol.data[group - 1] == ' ')) {
        module = fm_str_slice(symbol, group + 1, symbol.size - 1);
        symbol = fm_str_trim(fm_str(symbol.data, group));
    }
    if (state->count < FM_PROFILE_FRAMES) {
        uint64_t ignored;
        (void)cut_distance(&symbol, &ignored);
        const uint32_t frame = frame_of(state, set, symbol, module, address);
        state->frames[state->count++] = frame;
    }
    state->has_stack = true;
    return true;
}

/* --- samples --- */

/* A set can hold only a limited number of kinds of weights. The events beyond that number share this kind, and a label
 * in each of their samples names the event. */
static const framemap_str other_event = FM_STR_INIT("other");

static uint32_t event_column(framemap_sample_set *set, framemap_str event, framemap_str suffix, framemap_str unit)
{
    enum { KEPT = 2 }; /* this many columns are reserved for the events that did not get a column of their own */
    struct fm_buf type;
    fm_buf_init(&type, &set->heap);
    fm_buf_str(&type, event);
    fm_buf_str(&type, suffix);
    uint32_t column = fm_samples_known_column(set, fm_buf_view(&type), unit);
    const bool room = set->column_count + KEPT < FM_SAMPLE_COLUMNS || fm_str_equal(event, other_event);
    if (column == FM_NO_ID && room) column = fm_samples_column(set, fm_buf_view(&type), unit);
    if (type.failed) fm_samples_fault(set, FRAMEMAP_E_MEMORY);
    fm_buf_free(&type);
    return column;
}

/* Returns the label for an event that shares the columns of the other events. */
static uint32_t event_label(struct perf_samples *state, framemap_sample_set *set)
{
    const struct fm_sample_label label = {.key = fm_samples_string(set, FM_STR("event")), .text = state->event};
    return fm_samples_labels(set, &label, 1);
}

/* Finds the two columns of an event. Their types have the names that perf_to_profile uses; pprof requires distinct
 * names. */
static void find_columns(struct perf_samples *state, framemap_sample_set *set)
{
    const framemap_str event = fm_samples_text(set, state->event), count = FM_STR("count");
    if (state->known_event == state->event + 1 && (!state->has_period || state->periods != FM_NO_ID)) return;
    const framemap_str unit = fm_str_find(event, FM_STR("clock")) != FM_NOT_FOUND ? FM_STR("nanoseconds") : count;
    const framemap_str samples = FM_STR("_sample"), periods = FM_STR("_event");
    state->known_event = state->event + 1;
    state->labels = state->periods = FM_NO_ID;
    state->samples =
        event.size ? event_column(set, event, samples, count) : fm_samples_column(set, FM_STR("samples"), count);
    if (state->has_period && state->samples != FM_NO_ID) state->periods = event_column(set, event, periods, unit);
    if (state->samples != FM_NO_ID && (state->periods != FM_NO_ID || !state->has_period)) return;
    state->labels = event_label(state, set);
    state->samples = event_column(set, other_event, samples, count);
    if (state->has_period) state->periods = event_column(set, other_event, periods, count);
}

static void end_sample(struct perf_samples *state, framemap_sample_set *set)
{
    uint32_t node = FM_NO_ID;
    const bool is_sample = state->has_stack || (state->inside && state->event);
    if (is_sample) {
        for (size_t i = state->count; i-- > 0;) node = fm_samples_node(set, node, state->frames[i]);
        find_columns(state, set);
        const struct fm_sample_entry row = {state->time_ns, node, state->thread, state->labels};
        const uint32_t columns[] = {state->samples, state->periods};
        const int64_t values[] = {1, state->period};
        fm_samples_add(set, &row, columns, values, state->has_period ? 2 : 1);
    }
    state->inside = state->has_stack = state->has_period = state->waits = false;
    state->count = 0;
}

static void forget_header(struct perf_samples *state)
{
    state->time_ns = FM_NO_TIME;
    state->thread = FM_NO_ID;
    state->event = 0;
}

/* Whether a row without a module follows the event on the event line (-F ip,sym). For a tracepoint, other text may
 * follow the event there. */
static bool starts_with_address(framemap_str text)
{
    enum { DIGITS = 8 };
    uint64_t address;
    const unsigned digits = fm_hex_run(text.data, text.data + text.size, &address);
    return digits >= DIGITS && (digits == text.size || fm_is_blank(text.data[digits]));
}

/* Begins a sample. If the event has no call chain, its row is on the event line: "cycles:  7f5a main+0x1c (/app)". */
static void begin_sample(struct perf_samples *state, framemap_sample_set *set, framemap_str line)
{
    const size_t map = fm_str_find(line, FM_STR("PERF_RECORD_"));
    end_sample(state, set);
    forget_header(state);
    if (map != FM_NOT_FOUND) {
        read_map(state, set, fm_str_from(line, map));
        return;
    }
    state->inside = true;
    read_header(state, set, line);
    state->has_maps = fm_perf_maps_has(&state->maps, state->pid);
    const framemap_str event = fm_samples_text(set, state->event);
    const size_t at = event.size ? fm_str_find(line, event) : FM_NOT_FOUND;
    if (at == FM_NOT_FOUND) return;
    const framemap_str rest = fm_str_trim(fm_str_from(line, at + event.size + 1));
    if (rest.size && (last_group(rest) != FM_NOT_FOUND || starts_with_address(rest)) && perf_read_row(state, set, rest))
        end_sample(state, set);
}

/* Whether the line is a row whose indent was lost: "7f5a1c0a1b2c main (/usr/bin/app)". */
static bool is_bare_row(framemap_str line)
{
    enum { DIGITS = 8 };
    uint64_t address;
    const unsigned digits = line.size ? fm_hex_run(line.data, line.data + line.size, &address) : 0;
    return digits >= DIGITS && digits < line.size && fm_is_blank(line.data[digits]) && line.data[line.size - 1] == ')';
}

static void perf_line(void *memory, framemap_sample_set *set, framemap_str line)
{
    struct perf_samples *state = memory;
    if (!state->begun) forget_header(state);
    state->begun = true;
    if (line.size == 0 || fm_str_trim(line).size == 0) {
        /* After one blank line, the rows of the event may still follow. */
        if (state->inside && !state->has_stack && !state->waits) {
            state->waits = true;
            return;
        }
        end_sample(state, set);
        forget_header(state);
        return;
    }
    if (line.data[0] == '#') return;
    const bool indented = fm_is_blank(line.data[0]), may_be_row = indented || state->has_stack;
    if (!may_be_row || !fm_perf_is_event_line(line)) {
        if ((may_be_row || (state->inside && is_bare_row(line))) && perf_read_row(state, set, line)) return;
        /* an indented line that is not a row has a position (-F +srcline), and is not a frame */
        if (state->inside && indented) return;
    }
    begin_sample(state, set, line);
}

static void perf_end(void *memory, framemap_sample_set *set) { end_sample(memory, set); }

/* Whether one of the first lines is a row of a stack: "  7f5a main (/app)". */
static bool perf_looks(framemap_str head)
{
    struct fm_scan s = fm_scan_of(head);
    framemap_str line;
    bool event = false;
    for (unsigned lines = 0; lines < LOOKED_AT && fm_scan_line(&s, &line); lines++) {
        const framemap_str text = fm_str_trim(line);
        uint64_t address, period;
        if (text.size == 0 || text.data[0] == '#') continue;
        /* this is a call graph of Apple's tool sample, in which counts look like addresses */
        if (fm_str_equal(text, FM_STR("Call graph:"))) return false;
        if (event && is_bare_row(line)) return true;
        event = text.data[text.size - 1] == ':';
        const unsigned digits = fm_hex_run(text.data, text.data + text.size, &address);
        if (fm_is_blank(line.data[0]) && digits >= 4 && digits < text.size && fm_is_blank(text.data[digits]))
            return text.data[text.size - 1] == ')';
        struct fm_scan words = fm_scan_of(text); /* the line may be an event line without a call chain */
        framemap_str word;
        int64_t time_ns;
        for (; fm_scan_word(&words, &word); fm_scan_blanks(&words)) {
            if (!fm_perf_time(word, &time_ns)) continue;
            fm_scan_blanks(&words);
            if (fm_scan_dec(&words, &period, NULL)) fm_scan_blanks(&words);
            if (fm_scan_word(&words, &word) && word.size > 1 && word.data[word.size - 1] == ':' &&
                text.data[text.size - 1] == ')')
                return true;
            break;
        }
    }
    return false;
}

const struct fm_profile_format fm_profile_perf = {
    .info = {"perf-script", "samples of perf script", true, false,
             FRAMEMAP_PART_MODULES | FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_INLINED | FRAMEMAP_PART_TIMES |
                 FRAMEMAP_PART_THREADS | FRAMEMAP_PART_LABELS | FRAMEMAP_PART_VALUES},
    .looks = perf_looks,
    .state_size = sizeof(struct perf_samples),
    .line = perf_line,
    .end = perf_end};
