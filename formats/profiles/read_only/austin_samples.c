/* Reads the text that Austin, a profiler of Python, prints (https://github.com/P403n1x87/austin); mojo_samples.c reads
 * its binary form.
 *
 *     # austin: 3.4.1
 *     # mode: wall
 *     P8374;T0:8374;/app/main.py:<module>:25;/app/main.py:run:7 12903
 *
 * Process, interpreter and thread come first, then the frames, outermost first, and a metric. The metric is in
 * microseconds; in the mode "memory" it is in bytes. In the mode "full" there are three numbers: microseconds, whether
 * the thread was idle, and bytes. */
#include "formats/profiles/profile_format.h"

#define THOUSAND 1000 /* nanoseconds in a microsecond */

struct austin {
    bool memory; /* the metric is in bytes */
};

static bool is_comment(framemap_str line) { return line.size > 0 && line.data[0] == '#'; }

/* Parses "P8374;T", the start of each sample. */
static bool take_process(struct fm_scan *s, uint64_t *process)
{
    return fm_scan_byte(s, 'P') && fm_scan_dec(s, process, NULL) && fm_scan_text(s, FM_STR(";T"));
}

/* Reads the text after ";T": "0:8374" or "8374". Any other text is the name of a thread. */
static struct fm_sample_thread austin_read_thread(framemap_sample_set *set, uint64_t process, framemap_str text)
{
    struct fm_sample_thread thread = {.has_process = 1, .process_id = process};
    const size_t colon = fm_str_find_last_byte(text, ':');
    struct fm_scan s = fm_scan_of(colon == FM_NOT_FOUND ? text : fm_str_from(text, colon + 1));
    uint64_t number = 0;
    if (fm_scan_dec(&s, &number, NULL) && fm_scan_done(&s)) {
        thread.has_thread = 1;
        thread.thread_id = number;
    } else {
        thread.name = fm_samples_string(set, text);
    }
    return thread;
}

/* Reads "FILE:FUNCTION:LINE". For a function of the kernel, FILE is "kernel". */
static uint32_t read_frame(framemap_sample_set *set, framemap_str text)
{
    struct fm_sample_frame frame = {.line1 = 0};
    const size_t last = fm_str_find_last_byte(text, ':'),
                 first = last == FM_NOT_FOUND ? last : fm_str_find_last_byte(fm_str_slice(text, 0, last), ':');
    struct fm_scan s = fm_scan_of(first == FM_NOT_FOUND ? FM_STR("") : fm_str_from(text, last + 1));
    uint64_t line = 0;
    if (first == FM_NOT_FOUND) {
        frame.function = fm_samples_string(set, text);
        return fm_samples_frame(set, &frame);
    }
    const framemap_str file = fm_str_slice(text, 0, first);
    frame.function = fm_samples_string(set, fm_str_slice(text, first + 1, last));
    if (!fm_str_equal(file, FM_STR("kernel"))) frame.file = fm_samples_string(set, file);
    if (fm_scan_dec(&s, &line, NULL) && fm_scan_done(&s) && line < UINT32_MAX) frame.line1 = (uint32_t)line;
    return fm_samples_frame(set, &frame);
}

static uint32_t read_frames(framemap_sample_set *set, framemap_str frames)
{
    uint32_t node = FM_NO_ID;
    for (size_t depth = 0; frames.size > 0 && depth < FM_PROFILE_FRAMES; depth++) {
        const size_t found = fm_str_find_byte(frames, ';'), end = found == FM_NOT_FOUND ? frames.size : found;
        if (end > 0) node = fm_samples_node(set, node, read_frame(set, fm_str_slice(frames, 0, end)));
        frames = fm_str_from(frames, end + (found != FM_NOT_FOUND));
    }
    return node;
}

static int64_t nanoseconds(int64_t value)
{
    if (value > INT64_MAX / THOUSAND) return INT64_MAX;
    return value < -(INT64_MAX / THOUSAND) ? -INT64_MAX : value * THOUSAND;
}

/* Adds a sample with its metrics. Returns false if the metrics are not numbers. */
static bool add_sample(const struct austin *state, framemap_sample_set *set, const struct fm_sample_entry *row,
                       framemap_str metric)
{
    const size_t first = fm_str_find_byte(metric, ','), last = fm_str_find_last_byte(metric, ',');
    const bool full = first != FM_NOT_FOUND, time = full || !state->memory, space = full || state->memory;
    uint32_t columns[3] = {fm_samples_column(set, FM_STR("samples"), FM_STR("count"))};
    int64_t values[3] = {1}, value = 0;
    size_t count = 1;
    if (time) {
        if (!fm_profile_decimal(full ? fm_str_slice(metric, 0, first) : metric, 0, &value)) return false;
        columns[count] = fm_samples_column(set, FM_STR("time"), FM_STR("nanoseconds"));
        values[count++] = nanoseconds(value);
    }
    if (space) {
        if (!fm_profile_decimal(full ? fm_str_from(metric, last + 1) : metric, 0, &value)) return false;
        columns[count] = fm_samples_column(set, FM_STR("space"), FM_STR("bytes"));
        values[count++] = value;
    }
    fm_samples_add(set, row, columns, values, count);
    return true;
}

static void austin_line(void *memory, framemap_sample_set *set, framemap_str line)
{
    struct austin *state = memory;
    struct fm_scan s = fm_scan_of(line);
    const size_t blank = fm_str_find_last_byte(line, ' ');
    uint64_t process = 0;
    if (is_comment(line)) {
        if (fm_str_starts(line, FM_STR("# mode: "))) state->memory = fm_str_ends(line, FM_STR(": memory"));
        return;
    }
    if (blank == FM_NOT_FOUND || !take_process(&s, &process)) return;
    const size_t thread_begin = (size_t)(s.at - line.data);
    if (thread_begin > blank) return;
    const framemap_str rest = fm_str_slice(line, thread_begin, blank);
    const size_t found = fm_str_find_byte(rest, ';'), end = found == FM_NOT_FOUND ? rest.size : found;
    const struct fm_sample_thread thread = austin_read_thread(set, process, fm_str_slice(rest, 0, end));
    const struct fm_sample_entry row = {
        FM_NO_TIME, read_frames(set, found == FM_NOT_FOUND ? fm_str(NULL, 0) : fm_str_from(rest, end + 1)),
        fm_samples_thread(set, &thread), FM_NO_ID};
    (void)add_sample(state, set, &row, fm_str_from(line, blank + 1));
}

static void austin_end(void *memory, framemap_sample_set *set) { (void)memory, (void)set; }

/* Whether the first line that is not a comment begins like a sample, "P8374;T". */
static bool austin_looks(framemap_str head)
{
    struct fm_scan rest = fm_scan_of(head);
    framemap_str line;
    uint64_t process;
    while (fm_scan_line(&rest, &line)) {
        if (line.size == 0 || is_comment(line)) continue;
        struct fm_scan s = fm_scan_of(line);
        return take_process(&s, &process);
    }
    return false;
}

const struct fm_profile_format fm_profile_austin = {.info = {"austin", "samples of Austin as text", true, false,
                                                             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES |
                                                                 FRAMEMAP_PART_THREADS | FRAMEMAP_PART_VALUES |
                                                                 FRAMEMAP_PART_NEGATIVE},
                                                    .looks = austin_looks,
                                                    .state_size = sizeof(struct austin),
                                                    .line = austin_line,
                                                    .end = austin_end};
