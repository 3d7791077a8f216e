/* Reads tables with backtraces that `xctrace export` writes for recordings of Apple's Instruments, such as those
 * with the schemas time-profile and cpu-profile.
 *
 *     <trace-query-result><node xpath="…"><schema name="time-profile">…</schema>
 *     <row><sample-time id="1">57246708</sample-time>
 *     <thread id="2" fmt="main  0x8480c1 (app, pid: 7)"><tid id="3">8683713</tid>
 *     <process id="4" fmt="app (7)"><pid id="5">7</pid></process></thread><weight id="6">1000000</weight>
 *     <backtrace id="7"><frame id="8" name="f" addr="0x1049d"><binary id="9" UUID="…" load-addr="0x10000"
 *     path="/a"/>
 *     <source line="7"><path id="10">a.c</path></source></frame></backtrace></row>
 *     <row><sample-time id="11">58246708</sample-time><thread ref="2"/><weight ref="6"/><backtrace ref="7"/></row>
 *
 * Later elements can refer to an element by its id. The innermost frame is first. All addresses are those after the
 * instruction: Instruments adds one to the innermost address. */
#include "core/error.h"
#include "formats/profiles/profile_format.h"
#include "formats/profiles/read_only/xml_cursor.h"

#define DEPTH 64 /* maximum number of elements that may be nested in each other; exports have about ten levels */

enum kind { OTHER, ROW, TIME, THREAD, PROCESS, PID, TID, WEIGHT, CYCLES, BACKTRACE, FRAME, BINARY, SOURCE, PATH };

static const struct {
    framemap_str name;
    enum kind kind;
} kinds[] = {{FM_STR_INIT("frame"), FRAME},
             {FM_STR_INIT("row"), ROW},
             {FM_STR_INIT("sample-time"), TIME},
             {FM_STR_INIT("start-time"), TIME},
             {FM_STR_INIT("thread"), THREAD},
             {FM_STR_INIT("process"), PROCESS},
             {FM_STR_INIT("pid"), PID},
             {FM_STR_INIT("tid"), TID},
             {FM_STR_INIT("weight"), WEIGHT},
             {FM_STR_INIT("cycle-weight"), CYCLES},
             {FM_STR_INIT("backtrace"), BACKTRACE},
             {FM_STR_INIT("tagged-backtrace"), BACKTRACE},
             {FM_STR_INIT("binary"), BINARY},
             {FM_STR_INIT("source"), SOURCE},
             {FM_STR_INIT("path"), PATH}};

/* The values read from an element. */
struct element {
    enum kind kind;
    bool has_number, has_stack, has_weight;
    int64_t number; /* value of an element that is a time, a weight or an id */
    enum kind weight_kind;
    int64_t weight, time_ns; /* for a row: its weight and its time */
    uint32_t text;           /* for a path: number of a string in the sample set */
    uint32_t node;           /* for a backtrace or a row: node of the stack in the sample set */
    uint32_t set_frame;      /* for a frame: its number in the sample set, once the element has ended */
    struct fm_sample_thread thread;
    struct fm_sample_frame frame;
    framemap_str name;
    uint64_t id;
    bool has_id;
};

/* An element with an id, recorded because other elements may refer to it. If its value is more than one number, the
 * value is in `details`. */
struct known_element {
    uint64_t id;
    int64_t number;
    /* the value to pass to the enclosing element: a string, node or frame of the sample set, or an index in
     * `details` */
    uint32_t value;
    uint8_t kind;
    bool has_number;
};

struct xctrace {
    framemap_sample_set *set;
    framemap_str text;
    framemap_error *error;
    framemap_status status;
    struct fm_buf decoded;
    struct known_element *known; /* all elements with ids so far */
    size_t known_count, known_capacity;
    struct element *details;
    size_t detail_count, detail_capacity;
    struct fm_table by_id;
    struct element open[DEPTH];
    size_t depth;
    /* The frames of the open backtrace, innermost first. If there are too many, each further frame replaces the
     * earliest one. */
    uint32_t frames[FM_PROFILE_FRAMES];
    size_t frame_count;
    bool found; /* the root element is one that xctrace writes */
};

static void wrong(struct xctrace *job, framemap_str where, const char *what)
{
    const uint64_t offset =
        fm_str_is_within(where, job->text) ? (uint64_t)(where.data - job->text.data) : job->text.size;
    if (job->status == FRAMEMAP_OK) job->status = fm_error_at(job->error, FRAMEMAP_E_CORRUPT, offset, "%s", what);
}

static uint32_t string_of(struct xctrace *job, framemap_str text)
{
    return fm_samples_string(job->set, fm_xml_decode(text, &job->decoded));
}

/* --- finding elements by their ids --- */

static bool id_equal(const void *context, uint32_t number, const void *key)
{
    return ((const struct xctrace *)context)->known[number].id == *(const uint64_t *)key;
}

static const struct known_element *find_known(const struct xctrace *job, uint64_t id)
{
    const uint32_t found = fm_table_find(&job->by_id, fm_hash_word(id, job->set->key), id_equal, job, &id);
    return found == FM_NO_ID ? NULL : &job->known[found];
}

static bool has_details(enum kind kind)
{
    return kind == THREAD || kind == PROCESS || kind == BINARY || kind == SOURCE;
}

static void remember(struct xctrace *job, const struct element *element)
{
    struct fm_heap *heap = &job->set->heap;
    struct known_element one = {element->id, element->number, element->set_frame, (uint8_t)element->kind,
                                element->has_number};
    if (element->kind == OTHER || element->kind == ROW || find_known(job, element->id)) return;
    if (element->kind == BACKTRACE) one.value = element->node;
    if (element->kind == PATH) one.value = element->text;
    if (has_details(element->kind)) {
        one.value = (uint32_t)job->detail_count;
        if (job->detail_count < FM_NO_ID - 1 &&
            FM_GROW(heap, job->details, job->detail_capacity, job->detail_count + 1))
            job->details[job->detail_count++] = *element;
        else
            fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
    }
    if (job->known_count < FM_NO_ID - 1 && FM_GROW(heap, job->known, job->known_capacity, job->known_count + 1) &&
        fm_table_reserve(&job->by_id, 1) &&
        fm_table_add(&job->by_id, fm_hash_word(element->id, job->set->key), (uint32_t)job->known_count))
        job->known[job->known_count++] = one;
    else
        fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
}

/* Returns the values of a recorded element, as they were at the end of the element. */
static struct element recall(const struct xctrace *job, const struct known_element *known)
{
    const enum kind kind = (enum kind)known->kind;
    if (has_details(kind)) return job->details[known->value];
    return (struct element){.kind = kind,
                            .has_number = known->has_number,
                            .number = known->number,
                            .node = kind == BACKTRACE ? known->value : FM_NO_ID,
                            .text = kind == PATH ? known->value : 0,
                            .set_frame = kind == FRAME ? known->value : FM_NO_ID};
}

/* --- reading the values of elements --- */

/* Returns the name of a thread: "main" for "main  0x8480c1 (app, pid: 7)", "Main Thread" for "Main Thread (0x1) (app,
 * pid: 7)". */
static framemap_str thread_name(framemap_str text)
{
    size_t end = fm_str_find_last(text, FM_STR(" (0x"));
    if (end == FM_NOT_FOUND) end = fm_str_find_last(text, FM_STR(" 0x"));
    if (end == FM_NOT_FOUND && fm_str_starts(text, FM_STR("0x"))) end = 0;
    if (end == FM_NOT_FOUND && fm_str_find(text, FM_STR(", pid: ")) != FM_NOT_FOUND)
        end = fm_str_find(text, FM_STR(" ("));
    return fm_str_trim(fm_str_slice(text, 0, end == FM_NOT_FOUND ? text.size : end));
}

/* Splits "app (7)" into the name and the id of a process. */
static void xctrace_read_process(struct xctrace *job, framemap_str text, struct fm_sample_thread *thread)
{
    const size_t number = fm_str_find_last(text, FM_STR(" ("));
    struct fm_scan s = fm_scan_of(number == FM_NOT_FOUND ? FM_STR("") : fm_str_from(text, number + 2));
    uint64_t pid = 0;
    if (fm_scan_dec(&s, &pid, NULL) && fm_scan_byte(&s, ')') && fm_scan_done(&s)) {
        thread->has_process = 1;
        thread->process_id = pid;
        text = fm_str_slice(text, 0, number);
    }
    thread->process = fm_samples_string(job->set, text);
}

static bool read_hex(framemap_str text, uint64_t *out)
{
    struct fm_scan s = fm_scan_of(text);
    return fm_scan_0xhex(&s, out, NULL) && fm_scan_done(&s);
}

/* Returns a UUID with its digits in lower case, as the number of a string in the set. */
static uint32_t read_uuid(struct xctrace *job, framemap_str text)
{
    char digits[64];
    size_t count = 0;
    for (size_t i = 0; i < text.size && count < sizeof digits; i++) {
        const char c = text.data[i];
        if (fm_is_hex(c)) digits[count++] = c >= 'A' && c <= 'F' ? (char)(c | 0x20) : c;
    }
    return count ? fm_samples_string(job->set, fm_str(digits, count)) : 0;
}

/* Reads the attributes of a frame element. If the name is an address, the frame in the sample set has no name. */
static void read_frame(struct xctrace *job, const struct fm_xml_token *token, struct fm_sample_frame *frame)
{
    const framemap_str name = fm_xml_attribute(token, FM_STR("name"));
    uint64_t number = 0;
    if (!read_hex(name, &number)) frame->function = string_of(job, name);
    if (read_hex(fm_xml_attribute(token, FM_STR("addr")), &frame->address) ||
        (!frame->function && read_hex(name, &frame->address))) {
        frame->flags = FM_FRAME_ADDRESS | FM_FRAME_RETURN;
        frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    }
}

static void read_binary(struct xctrace *job, const struct fm_xml_token *token, struct fm_sample_frame *frame)
{
    const framemap_str path = fm_xml_attribute(token, FM_STR("path"));
    frame->module = string_of(job, path.size ? path : fm_xml_attribute(token, FM_STR("name")));
    frame->build_id = read_uuid(job, fm_xml_attribute(token, FM_STR("UUID")));
    if (read_hex(fm_xml_attribute(token, FM_STR("load-addr")), &frame->load_address)) frame->flags = FM_FRAME_LOAD;
}

static uint32_t read_line(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t line = 0;
    return fm_scan_dec(&s, &line, NULL) && fm_scan_done(&s) && line < UINT32_MAX ? (uint32_t)line : 0;
}

static void begin(struct xctrace *job, const struct fm_xml_token *token, struct element *element)
{
    const framemap_str shown = fm_xml_attribute(token, FM_STR("fmt"));
    switch (element->kind) {
    case THREAD:
        element->thread.name = fm_samples_string(job->set, thread_name(fm_xml_decode(shown, &job->decoded)));
        break;
    case PROCESS: xctrace_read_process(job, fm_xml_decode(shown, &job->decoded), &element->thread); break;
    case FRAME: read_frame(job, token, &element->frame); break;
    case BINARY: read_binary(job, token, &element->frame); break;
    case SOURCE: element->frame.line1 = read_line(fm_xml_attribute(token, FM_STR("line"))); break;
    case BACKTRACE: job->frame_count = 0; break;
    default: break;
    }
}

/* Sets the process of a thread, unless it is known already. */
static void set_process(struct fm_sample_thread *thread, const struct fm_sample_thread *process)
{
    if (thread->has_process || thread->process) return;
    thread->has_process = process->has_process;
    thread->process_id = process->process_id;
    thread->process = process->process;
}

/* Sets the image of a frame. */
static void set_binary(struct fm_sample_frame *frame, const struct fm_sample_frame *binary)
{
    frame->module = binary->module;
    frame->build_id = binary->build_id;
    if (!(binary->flags & FM_FRAME_LOAD) || !(frame->flags & FM_FRAME_ADDRESS)) return;
    frame->flags |= FM_FRAME_LOAD;
    frame->load_address = binary->load_address;
}

static void give_to_row(struct element *row, const struct element *element)
{
    switch (element->kind) {
    case TIME:
        if (row->time_ns == FM_NO_TIME && element->has_number) row->time_ns = element->number;
        break;
    case THREAD: {
        const struct fm_sample_thread process = row->thread;
        row->thread = element->thread;
        set_process(&row->thread, &process);
        break;
    }
    case PROCESS: set_process(&row->thread, &element->thread); break;
    case WEIGHT:
    case CYCLES:
        if (row->has_weight || !element->has_number) break;
        row->has_weight = true;
        row->weight_kind = element->kind;
        row->weight = element->number;
        break;
    case BACKTRACE:
        if (row->has_stack) break;
        row->has_stack = true;
        row->node = element->node;
        break;
    default: break;
    }
}

/* Passes the values of an element that has ended, or that is referred to, to the element around it. */
static void give(struct xctrace *job, struct element *parent, const struct element *element)
{
    if (parent->kind == ROW) {
        give_to_row(parent, element);
    } else if (parent->kind == THREAD) {
        if (element->kind == PROCESS) set_process(&parent->thread, &element->thread);
        if (element->kind != TID || !element->has_number) return;
        parent->thread.has_thread = 1;
        parent->thread.thread_id = (uint64_t)element->number;
    } else if (parent->kind == PROCESS && element->kind == PID && element->has_number) {
        parent->thread.has_process = 1;
        parent->thread.process_id = (uint64_t)element->number;
    } else if (parent->kind == BACKTRACE && element->kind == FRAME) {
        job->frames[job->frame_count++ % FM_PROFILE_FRAMES] = element->set_frame;
    } else if (parent->kind == BACKTRACE && element->kind == BACKTRACE && !parent->has_stack) {
        parent->has_stack = true;
        parent->node = element->node;
    } else if (parent->kind == FRAME && element->kind == BINARY) {
        set_binary(&parent->frame, &element->frame);
    } else if (parent->kind == FRAME && element->kind == SOURCE) {
        parent->frame.line1 = element->frame.line1;
        parent->frame.file = element->frame.file;
    } else if (parent->kind == SOURCE && element->kind == PATH) {
        parent->frame.file = element->text;
    }
}

static void xctrace_add_row(struct xctrace *job, const struct element *row)
{
    framemap_sample_set *set = job->set;
    if (!row->has_stack && !row->has_weight) return;
    const uint32_t columns[] = {fm_samples_column(set, FM_STR("samples"), FM_STR("count")),
                                !row->has_weight ? 0
                                : row->weight_kind == CYCLES
                                    ? fm_samples_column(set, FM_STR("cycles"), FM_STR("count"))
                                    : fm_samples_column(set, FM_STR("time"), FM_STR("nanoseconds"))};
    const struct fm_sample_entry entry = {row->time_ns, row->node, fm_samples_thread(set, &row->thread), FM_NO_ID};
    const int64_t values[] = {1, row->weight};
    fm_samples_add(set, &entry, columns, values, row->has_weight ? 2 : 1);
}

/* Ends an element. text: the text that it contains. */
static void end(struct xctrace *job, struct element *element, framemap_str text)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(text));
    uint64_t number = 0;
    switch (element->kind) {
    case TIME:
    case PID:
    case TID:
    case WEIGHT:
    case CYCLES:
        element->has_number = fm_scan_dec(&s, &number, NULL) && number <= INT64_MAX;
        element->number = (int64_t)number;
        break;
    case PATH: element->text = string_of(job, fm_str_trim(text)); break;
    case FRAME: element->set_frame = fm_samples_frame(job->set, &element->frame); break;
    case BACKTRACE:
        if (element->has_stack) break;
        for (size_t i = job->frame_count, depth = 0; i-- > 0 && depth < FM_PROFILE_FRAMES; depth++)
            element->node = fm_samples_node(job->set, element->node, job->frames[i % FM_PROFILE_FRAMES]);
        job->frame_count = 0;
        break;
    case ROW: xctrace_add_row(job, element); break;
    default: break;
    }
    if (element->has_id) remember(job, element);
    if (job->depth > 0) give(job, &job->open[job->depth - 1], element);
}

/* --- markup --- */

static bool read_id(framemap_str text, uint64_t *out)
{
    struct fm_scan s = fm_scan_of(text);
    return fm_scan_dec(&s, out, NULL) && fm_scan_done(&s);
}

static struct element new_element(const struct fm_xml_token *token)
{
    struct element element = {
        .kind = OTHER, .node = FM_NO_ID, .set_frame = FM_NO_ID, .time_ns = FM_NO_TIME, .name = token->name};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fm_str_equal(token->name, kinds[i].name)) {
            element.kind = kinds[i].kind;
            break;
        }
    element.has_id = read_id(fm_xml_attribute(token, FM_STR("id")), &element.id);
    return element;
}

static void open_element(struct xctrace *job, const struct fm_xml_token *token)
{
    uint64_t id = 0;
    struct element element = new_element(token);
    if (element.kind != OTHER && read_id(fm_xml_attribute(token, FM_STR("ref")), &id)) {
        const struct known_element *known = find_known(job, id);
        if (known == NULL || known->kind != element.kind) {
            wrong(job, token->tag, "the element refers to one that is not above it");
        } else if (job->depth > 0) {
            element = recall(job, known);
            give(job, &job->open[job->depth - 1], &element);
        }
        if (!token->is_empty) wrong(job, token->tag, "the element refers to another, and has contents");
        return;
    }
    if (job->depth == 0 && fm_str_equal(token->name, FM_STR("trace-query-result"))) job->found = true;
    begin(job, token, &element);
    if (token->is_empty) {
        end(job, &element, fm_str(NULL, 0));
    } else if (job->depth == DEPTH) {
        wrong(job, token->tag, "the document has elements that are too deep");
    } else {
        job->open[job->depth++] = element;
    }
}

static void close_element(struct xctrace *job, const struct fm_xml_token *token)
{
    if (job->depth == 0 || !fm_str_equal(job->open[job->depth - 1].name, token->name)) {
        wrong(job, token->tag, "the end of an element does not match its begin");
        return;
    }
    struct element element = job->open[--job->depth];
    end(job, &element, token->before);
}

static void read_elements(struct xctrace *job)
{
    struct fm_scan s = fm_scan_of(job->text);
    while (job->status == FRAMEMAP_OK && !job->set->fault) {
        const struct fm_xml_token token = fm_xml_next(&s);
        switch (token.kind) {
        case FM_XML_OPEN: open_element(job, &token); break;
        case FM_XML_CLOSE: close_element(job, &token); break;
        case FM_XML_BROKEN: wrong(job, token.tag, "the document ends in a tag, or a tag has no name"); break;
        case FM_XML_END:
            if (job->depth > 0) wrong(job, fm_str(NULL, 0), "the document ends in an element");
            return;
        }
        /* the root element is not one of xctrace's, so the document is not an export of xctrace */
        if (job->depth > 0 && !job->found) return;
    }
}

static framemap_status read_xctrace(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    struct xctrace *job = fm_heap_zalloc(&set->heap, 1, sizeof *job);
    if (job == NULL) return fm_error_memory(error);
    job->set = set;
    job->text = text;
    job->error = error;
    fm_buf_init(&job->decoded, &set->heap);
    fm_table_init(&job->by_id, &set->heap);
    read_elements(job);
    framemap_status status = job->status;
    if (!status && job->decoded.failed) status = fm_error_memory(error);
    if (!status && !set->fault && !job->found)
        status = fm_error_set(error, FRAMEMAP_E_FORMAT, "the document is not an export of xctrace");
    fm_heap_free(&set->heap, job->known, job->known_capacity * sizeof *job->known);
    fm_heap_free(&set->heap, job->details, job->detail_capacity * sizeof *job->details);
    fm_table_free(&job->by_id);
    fm_buf_free(&job->decoded);
    fm_heap_free(&set->heap, job, sizeof *job);
    return status;
}

static bool is_xctrace(framemap_str head)
{
    return fm_profile_json_begins(head, '<') && fm_str_find(head, FM_STR("<trace-query-result")) != FM_NOT_FOUND;
}

const struct fm_profile_format fm_profile_xctrace = {
    .info = {"xctrace", "tables with backtraces that xctrace exports from recordings of Instruments", true, false,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_MODULES | FRAMEMAP_PART_ADDRESSES |
                 FRAMEMAP_PART_TIMES | FRAMEMAP_PART_THREADS | FRAMEMAP_PART_VALUES},
    .looks = is_xctrace,
    .read = read_xctrace};
