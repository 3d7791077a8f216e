/* Reads MOJO, the binary form of the samples of Austin, a profiler of Python (https://github.com/P403n1x87/austin).
 *
 *     "MOJ" VERSION { EVENT … }
 *
 * An event is a byte and its fields. A string ends with a NUL byte. An integer has six bits and a sign in its first
 * byte, and seven bits in each further byte; the lowest bits come first. The highest bit of each byte shows whether
 * another byte follows. A sample begins with the process and thread of a stack, and continues with references to
 * frames, outermost first, and metrics. Frames and strings have keys within their process. A recording that was
 * interrupted may end within its last event; a sample without a metric is ignored. */
#include "core/byte_reader.h"
#include "core/error.h"
#include "formats/profiles/profile_format.h"

enum event {
    RESERVED,
    METADATA,
    STACK,
    FRAME,
    FRAME_INVALID,
    FRAME_REFERENCE,
    FRAME_KERNEL,
    COLLECTION, /* event which states that the sample was taken during a garbage collection */
    IDLE,
    TIME,
    MEMORY,
    STRING,
    STRING_REFERENCE,
    STACK_REPEAT
};

enum { VERSION_MOST = 4, UNKNOWN_STRING = 1 };
/* Represents the process of the frames and strings that precede the first sample. Austin writes those of native code
 * there. */
#define NO_PROCESS UINT64_MAX

/* A frame or a string that was defined for a process. */
struct entry {
    uint64_t process, key, space; /* space: 0 for strings, 1 for frames */
    uint32_t value;
    bool is_native; /* the frame's file is not a Python file */
};

/* The last stack of a thread, outermost frame first. */
struct last_stack {
    uint32_t thread; /* number of the thread in the sample set */
    /* node: the whole stack; python_node: the stack without the native frames at its innermost end */
    uint32_t node, python_node;
};

struct mojo {
    framemap_sample_set *set;
    struct fm_byte_reader reader;
    framemap_error *error;
    framemap_status status;
    uint64_t version;
    struct entry *entries;
    size_t entry_count, entry_capacity;
    struct fm_table by_key;
    struct last_stack *stacks; /* for each thread, by its number: its last stack */
    size_t stack_count, stack_capacity;
    bool open, has_metric; /* open: a sample is being read; has_metric: it has a metric */
    uint64_t process;
    struct fm_sample_thread thread;
    uint32_t columns[3];
    int64_t values[3];
    size_t value_count;
    uint32_t frames[FM_PROFILE_FRAMES];
    bool native[FM_PROFILE_FRAMES];
    size_t frame_count;
    bool repeats;
};

static void wrong(struct mojo *job, size_t offset, const char *what)
{
    if (job->status == FRAMEMAP_OK) job->status = fm_error_at(job->error, FRAMEMAP_E_CORRUPT, offset, "%s", what);
}

/* --- fields --- */

static uint64_t read_integer(struct mojo *job, bool *negative)
{
    enum { FIRST_BITS = 6, BITS = 7, SIGN = 0x40, MORE = 0x80 };
    const size_t at = job->reader.at;
    unsigned byte = fm_read_u8(&job->reader), shift = FIRST_BITS;
    uint64_t value = byte & (SIGN - 1);
    *negative = (byte & SIGN) != 0;
    for (; byte & MORE && !job->reader.bad; shift += BITS) {
        byte = fm_read_u8(&job->reader);
        if (shift >= 64) {
            wrong(job, at, "an integer has too many bytes");
            return 0;
        }
        value |= (uint64_t)(byte & (MORE - 1)) << shift;
    }
    return value;
}

static uint64_t read_number(struct mojo *job)
{
    bool negative;
    return read_integer(job, &negative);
}

static int64_t read_value(struct mojo *job)
{
    bool negative;
    const uint64_t value = read_integer(job, &negative);
    const int64_t most = value <= INT64_MAX ? (int64_t)value : INT64_MAX;
    return negative ? -most : most;
}

static uint32_t position(uint64_t number) { return number < UINT32_MAX ? (uint32_t)number : 0; }

/* --- finding frames and strings by their keys --- */

static bool entry_equal(const void *context, uint32_t number, const void *key)
{
    const struct entry *a = &((const struct mojo *)context)->entries[number], *b = key;
    return a->process == b->process && a->key == b->key && a->space == b->space;
}

static uint64_t hash_of(const struct mojo *job, const struct entry *entry)
{
    const uint64_t words[] = {entry->process, entry->key, entry->space};
    return fm_hash_text(fm_str(words, sizeof words), job->set->key);
}

static struct entry *find_in(const struct mojo *job, uint64_t process, uint64_t key, uint64_t space)
{
    const struct entry wanted = {.process = process, .key = key, .space = space};
    const uint32_t found = fm_table_find(&job->by_key, hash_of(job, &wanted), entry_equal, job, &wanted);
    return found == FM_NO_ID ? NULL : &job->entries[found];
}

/* Finds a frame or string that was defined for the current process, or before the first sample. */
static const struct entry *find_entry(const struct mojo *job, uint64_t key, uint64_t space)
{
    const struct entry *own = find_in(job, job->process, key, space);
    return own ? own : find_in(job, NO_PROCESS, key, space);
}

/* Adds a frame or string. It replaces an earlier one with the same key. */
static void add_entry(struct mojo *job, struct entry entry)
{
    entry.process = job->process;
    struct entry *known = find_in(job, job->process, entry.key, entry.space);
    if (known) {
        *known = entry;
        return;
    }
    if (job->entry_count >= FM_NO_ID - 1 ||
        !FM_GROW(&job->set->heap, job->entries, job->entry_capacity, job->entry_count + 1) ||
        !fm_table_add(&job->by_key, hash_of(job, &entry), (uint32_t)job->entry_count)) {
        fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
        return;
    }
    job->entries[job->entry_count++] = entry;
}

static uint32_t string_of(struct mojo *job, uint64_t key, size_t offset)
{
    const struct entry *entry = find_entry(job, key, 0);
    if (entry) return entry->value;
    if (key == UNKNOWN_STRING) return fm_samples_string(job->set, FM_STR("<unknown>"));
    if (key != 0 && !job->reader.bad) wrong(job, offset, "a frame has a string that is not above it");
    return 0;
}

static bool is_native(framemap_str file)
{
    return !fm_str_ends(file, FM_STR(".py")) && !(fm_str_starts(file, FM_STR("<")) && fm_str_ends(file, FM_STR(">")));
}

static void read_frame(struct mojo *job, size_t offset)
{
    const uint64_t key = read_number(job), file = read_number(job), function = read_number(job),
                   line = read_number(job);
    struct fm_sample_frame frame = {.line1 = position(line)};
    if (job->version > 1) {
        (void)read_number(job); /* the line of the position's end is read but not used */
        frame.column1 = position(read_number(job));
        (void)read_number(job); /* the column of the position's end is read but not used */
    }
    if (job->reader.bad) return;
    frame.file = string_of(job, file, offset);
    frame.function = string_of(job, function, offset);
    if (frame.line1 == 0) frame.column1 = 0;
    add_entry(job, (struct entry){.key = key,
                                  .space = 1,
                                  .value = fm_samples_frame(job->set, &frame),
                                  .is_native = is_native(fm_samples_text(job->set, frame.file))});
}

/* --- samples --- */

static void push(struct mojo *job, uint32_t frame, bool native)
{
    /* the stack is too deep, so its innermost frames are dropped */
    if (job->frame_count == FM_PROFILE_FRAMES) return;
    job->native[job->frame_count] = native;
    job->frames[job->frame_count++] = frame;
}

static void push_named(struct mojo *job, framemap_str name)
{
    const struct fm_sample_frame frame = {.function = fm_samples_string(job->set, name)};
    push(job, fm_samples_frame(job->set, &frame), true);
}

/* Returns the last stack of a thread. NULL: out of memory, which the set records. */
static struct last_stack *last_stack_of(struct mojo *job, uint32_t thread)
{
    if (thread == FM_NO_ID || !FM_GROW(&job->set->heap, job->stacks, job->stack_capacity, (size_t)thread + 1)) {
        fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
        return NULL;
    }
    while (job->stack_count <= thread)
        job->stacks[job->stack_count++] = (struct last_stack){FM_NO_ID, FM_NO_ID, FM_NO_ID};
    return &job->stacks[thread];
}

/* Ends the current sample. A sample may refer to the last stack of its thread: that stack, without the native frames at
 * its innermost end, is then the outer part of this sample's stack. */
static void end_sample(struct mojo *job)
{
    if (!job->open) return;
    job->open = false;
    if (!job->has_metric) return;
    const uint32_t thread = fm_samples_thread(job->set, &job->thread);
    struct last_stack *last = last_stack_of(job, thread);
    if (last == NULL) return;
    uint32_t node = job->repeats ? last->python_node : FM_NO_ID, python_node = node;
    for (size_t i = 0; i < job->frame_count; i++) {
        node = fm_samples_node(job->set, node, job->frames[i]);
        if (!job->native[i]) python_node = node;
    }
    *last = (struct last_stack){thread, node, python_node};
    const struct fm_sample_entry row = {FM_NO_TIME, node, thread, FM_NO_ID};
    fm_samples_add(job->set, &row, job->columns, job->values, job->value_count);
}

static void begin_sample(struct mojo *job)
{
    job->process = read_number(job);
    const uint64_t interpreter = job->version >= 3 ? read_number(job) : 0;
    const framemap_str thread = fm_read_cstr(&job->reader);
    struct fm_scan s = fm_scan_of(thread);
    job->thread = (struct fm_sample_thread){.has_process = 1, .process_id = job->process};
    job->thread.has_thread = fm_scan_hex(&s, &job->thread.thread_id, NULL, NULL) && fm_scan_done(&s);
    if (!job->thread.has_thread) {
        job->thread.thread_id = 0;
        job->thread.name = fm_samples_string(job->set, thread);
    }
    (void)interpreter;
    job->open = !job->reader.bad;
    job->has_metric = job->repeats = false;
    job->frame_count = 0;
    job->value_count = 1;
    job->columns[0] = fm_samples_column(job->set, FM_STR("samples"), FM_STR("count"));
    job->values[0] = 1;
}

/* Adds a metric to the current sample: microseconds if `time` is set, or else bytes. */
static void add_metric(struct mojo *job, bool time)
{
    const int64_t thousand = 1000, value = read_value(job);
    if (job->reader.bad || job->value_count == sizeof job->values / sizeof *job->values) return;
    const bool too_large = value > INT64_MAX / thousand || value < -(INT64_MAX / thousand);
    job->columns[job->value_count] = time ? fm_samples_column(job->set, FM_STR("time"), FM_STR("nanoseconds"))
                                          : fm_samples_column(job->set, FM_STR("space"), FM_STR("bytes"));
    job->values[job->value_count++] = !time       ? value
                                      : too_large ? (value < 0 ? -INT64_MAX : INT64_MAX)
                                                  : value * thousand;
    job->has_metric = true;
}

static void push_reference(struct mojo *job, size_t offset)
{
    const uint64_t key = read_number(job);
    const struct entry *entry = find_entry(job, key, 1);
    if (job->reader.bad) return;
    if (entry)
        push(job, entry->value, entry->is_native);
    else
        wrong(job, offset, "a sample has a frame that is not above it");
}

static void read_string(struct mojo *job)
{
    const uint64_t key = read_number(job);
    const framemap_str text = fm_read_cstr(&job->reader);
    if (!job->reader.bad) add_entry(job, (struct entry){.key = key, .value = fm_samples_string(job->set, text)});
}

static void read_event(struct mojo *job)
{
    const size_t offset = job->reader.at;
    const unsigned event = fm_read_u8(&job->reader);
    switch (event) {
    case METADATA:
        (void)fm_read_cstr(&job->reader);
        (void)fm_read_cstr(&job->reader);
        break;
    case STACK:
        end_sample(job);
        begin_sample(job);
        break;
    case FRAME: read_frame(job, offset); break;
    case FRAME_REFERENCE: push_reference(job, offset); break;
    case FRAME_INVALID: push_named(job, FM_STR("INVALID")); break;
    case FRAME_KERNEL: {
        const framemap_str name = fm_read_cstr(&job->reader);
        if (!job->reader.bad) push_named(job, name);
        break;
    }
    case COLLECTION: push_named(job, FM_STR("GC")); break;
    case IDLE: break;
    case TIME:
    case MEMORY: add_metric(job, event == TIME); break;
    case STRING: read_string(job); break;
    case STRING_REFERENCE: (void)read_number(job); break;
    case STACK_REPEAT: job->repeats = true; break;
    default: wrong(job, offset, "an event is of an unknown kind"); break;
    }
}

static bool is_mojo(framemap_str head)
{
    return head.size > 3 && fm_str_starts(head, FM_STR("MOJ")) && head.data[3] >= 1 && head.data[3] <= VERSION_MOST;
}

static framemap_status read_mojo(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    if (!is_mojo(text)) return fm_error_set(error, FRAMEMAP_E_FORMAT, "the text is not a recording of Austin in MOJO");
    struct mojo *job = fm_heap_zalloc(&set->heap, 1, sizeof *job);
    if (job == NULL) return fm_error_memory(error);
    job->set = set;
    job->error = error;
    job->reader = fm_byte_reader_of(text, false);
    job->version = (uint64_t)(unsigned char)text.data[3];
    job->process = NO_PROCESS;
    fm_byte_reader_skip(&job->reader, 4);
    fm_table_init(&job->by_key, &set->heap);
    while (fm_byte_reader_left(&job->reader) > 0 && job->status == FRAMEMAP_OK && !set->fault) read_event(job);
    if (job->status == FRAMEMAP_OK && !set->fault) end_sample(job);
    const framemap_status status = job->status;
    fm_heap_free(&set->heap, job->entries, job->entry_capacity * sizeof *job->entries);
    fm_heap_free(&set->heap, job->stacks, job->stack_capacity * sizeof *job->stacks);
    fm_table_free(&job->by_key);
    fm_heap_free(&set->heap, job, sizeof *job);
    return status;
}

const struct fm_profile_format fm_profile_mojo = {
    .info = {"mojo", "recordings of Austin in its binary form", true, false,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_THREADS |
                 FRAMEMAP_PART_VALUES | FRAMEMAP_PART_NEGATIVE},
    .looks = is_mojo,
    .read = read_mojo};
