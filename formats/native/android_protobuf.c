/* Android's crash reports in binary form, /data/tombstones/tombstone_NN.pb: a protobuf message "Tombstone" (AOSP,
 * system/core/debuggerd/proto/tombstone.proto). The traces are the same as those of the report as text. The whole text
 * must be such a message. Text output copies the message unchanged. Listed in format_registry.c. */
#include "core/wire.h"
#include "formats/native/android.h"
#include "formats/parsers.h"
#include "formats/scan/document.h"
#include "formats/scan/look_back.h"

static const char name[] = "android-tombstone-pb";

struct protobuf_state {
    bool taken; /* the whole text is a report, which was read */
};

/* --- reading the binary report --- */

enum {
    ARCH = 1,
    FINGERPRINT = 2,
    PID = 5,
    TID = 6,
    COMMAND = 9,
    SIGNAL = 10,
    ABORT = 14,
    CAUSES = 15,
    THREADS = 16,
    GUEST_ARCH = 24,
    GUEST_THREADS = 25 /* of code for another CPU that is translated; their ids are those of threads */
};

struct report {
    struct fm_android_head head;
    uint64_t tid;
    uint64_t before_main; /* number of traces that precede the trace of the crashed thread */
    uint64_t added;       /* number of traces so far */
};

/* Whether a report begins here: its first field, or the one after the architecture, is a build fingerprint such as
 * "google/oriole/oriole:14/…:user/release-keys". A report that is text does not begin in this way. */
static bool begins_report(framemap_str text, framemap_str *fingerprint)
{
    enum { SHORTEST = 16 };
    struct fm_wire m = fm_wire_of(text);
    struct fm_wire_field field;
    if (text.size < SHORTEST || (text.data[0] != ARCH << 3 && text.data[0] != (FINGERPRINT << 3 | 2))) return false;
    while (fm_wire_next(&m, &field) && field.number == ARCH && !field.is_bytes) continue;
    if (m.bad || field.number != FINGERPRINT || !field.is_bytes) return false;
    *fingerprint = field.bytes;
    return fm_str_find_byte(field.bytes, '/') != FM_NOT_FOUND && fm_str_find_byte(field.bytes, ':') != FM_NOT_FOUND &&
           fm_str_ends(field.bytes, FM_STR("-keys"));
}

static framemap_str arch_name(uint64_t arch)
{
    static const framemap_str names[] = {FM_STR_INIT("arm"), FM_STR_INIT("arm64"), FM_STR_INIT("x86"),
                                         FM_STR_INIT("x86_64"), FM_STR_INIT("riscv64")};
    return arch < sizeof names / sizeof *names ? names[arch] : (framemap_str){NULL, 0};
}

static void read_signal(framemap_str bytes, struct fm_android_head *head)
{
    struct fm_wire m = fm_wire_of(bytes);
    struct fm_wire_field field;
    head->signal.has_number = head->signal.has_code = true;
    while (fm_wire_next(&m, &field)) switch (field.number) {
        case 1: head->signal.number = (int32_t)(uint32_t)field.value; break;
        case 2: head->signal_name = field.bytes; break;
        case 3: head->signal.code = (int32_t)(uint32_t)field.value; break;
        case 4: head->signal_code_name = field.bytes; break;
        case 8: head->signal.has_address = field.value != 0; break;
        case 9: head->signal.address = field.value; break;
        default: break;
        }
}

/* Reads the header fields of the message. Returns false if the text is not a report. */
static bool read_head(framemap_str text, struct report *report, framemap_str fingerprint)
{
    struct fm_android_head *head = &report->head;
    struct fm_wire m = fm_wire_of(text);
    struct fm_wire_field field;
    size_t threads = 0;
    head->arch = arch_name(0);
    while (fm_wire_next(&m, &field)) switch (field.number) {
        case ARCH: head->arch = arch_name(field.value); break;
        case GUEST_ARCH: head->guest_arch = arch_name(field.value); break;
        case PID:
            head->has_process_id = true;
            head->process_id = field.value;
            break;
        case TID: report->tid = field.value; break;
        case COMMAND:
            if (head->process.size == 0) head->process = field.bytes;
            break;
        case SIGNAL: read_signal(field.bytes, head); break;
        case ABORT: head->abort_message = field.bytes; break;
        case THREADS: threads += field.is_bytes; break;
        default: break;
        }
    const size_t colon = fm_str_find_byte(fingerprint, ':');
    const framemap_str rest = fm_str_from(fingerprint, colon + 1);
    const size_t slash = fm_str_find_byte(rest, '/');
    head->os_version = slash == FM_NOT_FOUND ? fingerprint : fm_str(rest.data, slash);
    return !m.bad && threads > 0 && report->tid > 0;
}

/* --- traces --- */

/* Makes a line of a part of the text; frames and traces get their offsets from this line. */
static struct fm_line line_of(framemap_str text, framemap_str part)
{
    return (struct fm_line){.text = part,
                            .body = part,
                            .offset = (uint64_t)(part.data - text.data),
                            .number1 = 1,
                            .text_number1 = 1,
                            .has = FM_HAS_ANY};
}

static void protobuf_add_frame(struct fm_document *doc, framemap_str text, framemap_str bytes, int64_t index,
                               framemap_str arch)
{
    struct fm_wire m = fm_wire_of(bytes);
    struct fm_wire_field field;
    framemap_frame frame = FM_FRAME_INIT;
    uint64_t stack_pointer = 0;
    frame.index = index;
    frame.arch = arch;
    frame.has_address = true;
    frame.address_kind = FRAMEMAP_ADDRESS_LINKED;
    while (fm_wire_next(&m, &field)) switch (field.number) {
        case 1: frame.address = field.value; break;
        case 2:
            frame.has_absolute_address = true;
            frame.absolute_address = field.value;
            break;
        case 3: stack_pointer = field.value; break;
        case 4: frame.function = field.bytes; break;
        case 5: frame.function_offset = field.value; break;
        case 6: frame.module_path = field.bytes; break;
        case 7: frame.file_offset = field.value; break;
        case 8: fm_row_id(field.bytes, doc, &frame.id); break;
        default: break;
        }
    frame.has_function_offset = frame.function.size != 0;
    fm_android_set_map(&frame, frame.module_path);
    const struct fm_line line = line_of(text, frame.module_path.size ? frame.module_path : bytes);
    framemap_frame *added = bytes.size ? fm_document_frame(doc, &line, &frame) : NULL;
    framemap_frame_extra *extra = added && stack_pointer ? fm_document_extra(doc, added) : NULL;
    if (extra) extra->stack_pointer = stack_pointer;
}

/* Adds a trace with the frames that the message `bytes` has in field `number`. Returns NULL if the message has no
 * frames there. */
static framemap_trace *add_frames(struct report *report, const struct fm_android_head *head, struct fm_document *doc,
                                  framemap_str text, framemap_str bytes, uint64_t number)
{
    struct fm_wire m = fm_wire_of(bytes);
    struct fm_wire_field field;
    framemap_trace *trace = NULL;
    for (int64_t index = 0; fm_wire_next(&m, &field);) {
        if (field.number != number || field.bytes.size == 0) continue;
        if (!trace) {
            const struct fm_line line = line_of(text, field.bytes);
            if (!(trace = fm_document_trace(doc, name, &line))) return NULL;
            report->added++;
            fm_android_head_give(head, trace);
        }
        protobuf_add_frame(doc, text, field.bytes, index++, head->arch);
    }
    return trace;
}

static void give_registers(struct fm_document *doc, framemap_str thread, size_t count, framemap_trace *trace)
{
    enum { REGISTERS = 3 };
    struct fm_wire m = fm_wire_of(thread);
    struct fm_wire_field field, part;
    framemap_register *registers = count ? fm_document_alloc(doc, count * sizeof *registers) : NULL;
    size_t used = 0;
    if (!registers) return;
    while (used < count && fm_wire_next(&m, &field)) {
        if (field.number != REGISTERS) continue;
        struct fm_wire one = fm_wire_of(field.bytes);
        registers[used] = (framemap_register){.value = 0};
        while (fm_wire_next(&one, &part)) {
            if (part.number == 1) registers[used].name = part.bytes;
            if (part.number == 2) registers[used].value = part.value;
        }
        used++;
    }
    trace->registers = registers;
    trace->register_count = used;
}

/* Whether a message has frames in the field with the number `number`, so that it becomes a trace. */
static bool has_frames(framemap_str bytes, uint64_t number)
{
    struct fm_wire m = fm_wire_of(bytes);
    struct fm_wire_field field;
    while (fm_wire_next(&m, &field))
        if (field.number == number && field.bytes.size) return true;
    return false;
}

static void add_thread(struct report *report, struct fm_document *doc, framemap_str text, framemap_str thread,
                       bool is_guest)
{
    enum { ID = 1, NAME = 2, REGISTERS = 3, BACKTRACE = 4 };
    struct fm_wire m = fm_wire_of(thread);
    struct fm_wire_field field;
    uint64_t id = 0;
    framemap_str thread_name = {NULL, 0};
    size_t registers = 0;
    while (fm_wire_next(&m, &field)) {
        if (field.number == ID) id = field.value;
        if (field.number == NAME) thread_name = field.bytes;
        registers += field.number == REGISTERS;
    }
    struct fm_android_head head = report->head;
    if (is_guest) head.arch = head.guest_arch;
    framemap_trace *trace = add_frames(report, &head, doc, text, thread, BACKTRACE);
    if (!trace) return;
    trace->thread = trace->thread_name = thread_name;
    trace->thread_id = fm_document_decimal(doc, id);
    give_registers(doc, thread, registers, trace);
    if (id == report->tid && !is_guest) fm_android_head_give_crash(&report->head, doc, trace);
}

/* Adds the stacks of a memory error: where the memory was allocated and freed. */
static void add_cause(struct report *report, struct fm_document *doc, framemap_str text, framemap_str cause)
{
    enum { ERROR = 2, HEAP = 3, ALLOCATED = 4, FREED = 6 };
    static const struct {
        uint64_t thread, frames;
        framemap_role role;
    } stacks[] = {{3, ALLOCATED, FRAMEMAP_ROLE_ALLOCATED_BY}, {5, FREED, FRAMEMAP_ROLE_FREED_BY}};
    struct fm_wire m = fm_wire_of(cause), inner, heap;
    struct fm_wire_field field, part, value;
    while (fm_wire_next(&m, &field))
        for (inner = fm_wire_of(field.bytes); field.number == ERROR && fm_wire_next(&inner, &part);)
            for (size_t i = 0; part.number == HEAP && i < sizeof stacks / sizeof *stacks; i++) {
                framemap_trace *trace = add_frames(report, &report->head, doc, text, part.bytes, stacks[i].frames);
                if (!trace) continue;
                trace->role = stacks[i].role;
                trace->part_of = trace->number + 1 - report->added + report->before_main;
                for (heap = fm_wire_of(part.bytes); fm_wire_next(&heap, &value);)
                    if (value.number == stacks[i].thread)
                        trace->thread = trace->thread_id = fm_document_decimal(doc, value.value);
            }
}

/* Counts the stacks of a memory error that have frames, and so become traces. */
static uint64_t stacks_in(framemap_str cause)
{
    struct fm_wire m = fm_wire_of(cause), inner;
    struct fm_wire_field field, part;
    uint64_t count = 0;
    while (fm_wire_next(&m, &field))
        for (inner = fm_wire_of(field.bytes); field.number == 2 && fm_wire_next(&inner, &part);)
            if (part.number == 3) count += has_frames(part.bytes, 4) + has_frames(part.bytes, 6);
    return count;
}

/* Returns the thread in an entry of the protobuf map of threads. *id: the key of the entry; *is_trace: the thread has
 * frames, and so becomes a trace. */
static framemap_str thread_in(framemap_str entry, uint64_t *id, bool *is_trace)
{
    struct fm_wire m = fm_wire_of(entry);
    struct fm_wire_field field;
    framemap_str thread = {NULL, 0};
    *id = 0;
    while (fm_wire_next(&m, &field)) {
        if (field.number == 1) *id = field.value;
        if (field.number == 2) thread = field.bytes;
    }
    *is_trace = has_frames(thread, 4);
    return thread;
}

/* Counts the traces before that of the crashed thread: traces of memory errors refer to that trace by its number. */
static uint64_t count_before_main(const struct report *report, framemap_str text)
{
    struct fm_wire m = fm_wire_of(text);
    struct fm_wire_field field;
    uint64_t before = 0, count = 0, id;
    while (fm_wire_next(&m, &field)) {
        bool is_trace = false;
        if (field.number == CAUSES) count += stacks_in(field.bytes);
        if (field.number != THREADS && field.number != GUEST_THREADS) continue;
        thread_in(field.bytes, &id, &is_trace);
        if (field.number == THREADS && id == report->tid && is_trace) before = count;
        count += is_trace;
    }
    return before;
}

/* Adds the traces in the order in which they are in the report. */
static void add_traces(struct report *report, struct fm_document *doc, framemap_str text)
{
    struct fm_wire m = fm_wire_of(text);
    struct fm_wire_field field;
    report->before_main = count_before_main(report, text);
    while (fm_wire_next(&m, &field)) {
        uint64_t id;
        bool is_trace;
        if (field.number == CAUSES) add_cause(report, doc, text, field.bytes);
        if (field.number == THREADS || field.number == GUEST_THREADS)
            add_thread(report, doc, text, thread_in(field.bytes, &id, &is_trace), field.number == GUEST_THREADS);
    }
}

/* --- offering lines to the parser --- */

/* Takes all lines after the first: they are parts of the binary report, and no other parser may read them. */
static enum fm_line_role protobuf_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct protobuf_state *state = memory;
    framemap_str fingerprint;
    if (state->taken) {
        fm_document_offer_until(doc, UINT64_MAX);
        return FM_ROLE_FRAME;
    }
    if (line->offset != 0 || line->number1 != 1 || !doc->ring) return FM_ROLE_NONE;
    const framemap_str text = doc->ring->text;
    struct report report = {.tid = 0};
    if (line->text.data != text.data || !begins_report(text, &fingerprint) || !read_head(text, &report, fingerprint))
        return FM_ROLE_NONE;
    state->taken = true;
    add_traces(&report, doc, text);
    fm_document_offer_until(doc, UINT64_MAX);
    return FM_ROLE_FRAME;
}

static bool protobuf_is_significant(const struct fm_line *line)
{
    framemap_str fingerprint;
    return line->offset == 0 && line->number1 == 1 && begins_report(line->text, &fingerprint);
}

static const struct fm_needle protobuf_needles[] = {FM_NEEDLE("-keys", 0, 12)};

const struct fm_format fm_android_protobuf = {
    .info = {name, "Android's binary crash reports (tombstone_NN.pb); text output passes them through", true, false},
    FM_NEEDLES(protobuf_needles),
    .state_size = sizeof(struct protobuf_state),
    .first_line_only = true, /* fm_document_offer_until, which is called on the first line, requests all other lines */
    .offer = protobuf_offer,
    .is_significant = protobuf_is_significant,
    .keeps_state = true,
    .reads_documents = true,
    .keeps = FM_KEEPS_ALL};
