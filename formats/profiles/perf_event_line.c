/* Parses the event lines of `perf script`. Implements perf_event_line.h. */
#include "formats/profiles/perf_event_line.h"

#include "core/text/scan.h"
#include "formats/profiles/profile_format.h"

#define DIGITS_OF_TIME 9

bool fm_perf_time(framemap_str word, int64_t *time_ns)
{
    if (word.size < 4 || word.data[word.size - 1] != ':' || !fm_is_digit(word.data[0])) return false;
    word.size--;
    return fm_str_find_byte(word, '.') != FM_NOT_FOUND && fm_profile_decimal(word, DIGITS_OF_TIME, time_ns);
}

static framemap_str last_word(framemap_str *text)
{
    *text = fm_str_trim(*text);
    size_t at = text->size;
    while (at && !fm_is_blank(text->data[at - 1])) at--;
    const framemap_str word = fm_str_from(*text, at);
    *text = fm_str_trim(fm_str(text->data, at));
    return word;
}

/* Parses the ids of process and thread: "12", "12/13", "-1". */
static bool read_ids(framemap_str word, struct fm_sample_thread *ids)
{
    struct fm_scan s = fm_scan_of(word);
    uint64_t first, second;
    if (!fm_scan_dec(&s, &first, NULL)) return false;
    ids->thread_id = first;
    ids->has_thread = 1;
    if (fm_scan_done(&s)) return true;
    if (!fm_scan_byte(&s, '/') || !fm_scan_dec(&s, &second, NULL) || !fm_scan_done(&s)) return false;
    ids->process_id = first;
    ids->has_process = 1;
    ids->thread_id = second;
    return true;
}

/* Parses the text before the time, "COMM PID/TID [CPU]". COMM, the name of the process, may contain blanks and
 * digits. */
static void read_comm(framemap_str text, struct fm_perf_event_line *out)
{
    out->comm = fm_str_trim(text);
    framemap_str word = last_word(&out->comm);
    if (word.size && word.data[0] == '[') word = last_word(&out->comm);
    if (out->comm.size > 0 && read_ids(word, &out->ids)) return;
    out->ids = (struct fm_sample_thread){.process = 0};
    out->comm = fm_str_trim(text);
}

/* Parses "PERIOD EVENT:"; the period may be missing. */
static void read_event(framemap_str text, struct fm_perf_event_line *out)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(text));
    framemap_str word;
    uint64_t period;
    struct fm_scan t = s;
    if (fm_scan_dec(&t, &period, NULL) && (fm_scan_done(&t) || fm_scan_blanks1(&t)) && period <= INT64_MAX) {
        out->has_period = true;
        out->period = (int64_t)period;
        s = t;
    }
    if (!fm_scan_word(&s, &word) || word.size < 2 || word.data[word.size - 1] != ':') return;
    out->event = fm_str(word.data, word.size - 1);
}

/* Finds the end of the ids in a line without a time: the end of "PID/TID", or else of the last number that is not a
 * period. A "[CPU]" after the ids is included. */
static bool split_ids(framemap_str text, size_t *end)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str word;
    struct fm_sample_thread ignored = {.process = 0};
    size_t before = 0;
    bool first = true, found = false;
    *end = 0;
    for (fm_scan_blanks(&s); fm_scan_word(&s, &word); fm_scan_blanks(&s)) {
        const size_t at = (size_t)(s.at - text.data);
        const bool follows = found && before == *end;
        before = at;
        if (word.data[0] == '[' && follows) return *end = at, true;
        const bool pair = fm_str_find_byte(word, '/') != FM_NOT_FOUND;
        if (!first && !(follows && !pair && *end) && read_ids(word, &ignored)) {
            *end = at;
            found = true;
        }
        if (found && pair && *end == at) {
            struct fm_scan t = s;
            fm_scan_blanks(&t);
            if (fm_scan_word(&t, &word) && word.data[0] == '[') *end = (size_t)(t.at - text.data);
            return true;
        }
        first = false;
    }
    return found;
}

void fm_perf_event_line_read(framemap_str line, struct fm_perf_event_line *out)
{
    struct fm_scan s = fm_scan_of(line);
    framemap_str word, before = line, after = fm_str(NULL, 0);
    size_t end;
    *out = (struct fm_perf_event_line){.time_ns = FM_NO_TIME};
    for (fm_scan_blanks(&s); fm_scan_word(&s, &word); fm_scan_blanks(&s)) {
        if (!fm_perf_time(word, &out->time_ns)) continue;
        before = fm_str(line.data, (size_t)(word.data - line.data));
        after = fm_scan_rest(&s);
        break;
    }
    if (out->time_ns == FM_NO_TIME && split_ids(line, &end)) {
        before = fm_str(line.data, end);
        after = fm_str_from(line, end);
    }
    read_comm(before, out);
    read_event(after, out);
}

/* Whether the text after the ids is "[CPU] TIME: PERIOD EVENT:". CPU and period may be missing, and either the time or
 * the event: "1.5: cycles:", "[002] 100 cycles:". */
static bool is_after_ids(struct fm_scan s)
{
    framemap_str word;
    uint64_t period;
    fm_scan_blanks(&s);
    if (fm_scan_done(&s) || !fm_scan_word(&s, &word)) return false;
    if (word.data[0] == '[') {
        fm_scan_blanks(&s);
        if (!fm_scan_word(&s, &word)) return false;
    }
    if (word.data[word.size - 1] == ':') return true;
    struct fm_scan number = fm_scan_of(word);
    if (!fm_scan_dec(&number, &period, NULL) || !fm_scan_done(&number)) return false;
    fm_scan_blanks(&s);
    return fm_scan_word(&s, &word) && word.size > 1 && word.data[word.size - 1] == ':';
}

bool fm_perf_is_event_line(framemap_str line)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(line));
    struct fm_sample_thread ignored = {.process = 0};
    framemap_str word;
    uint64_t address;
    if (!fm_scan_word(&s, &word)) return false;
    const bool is_hex = fm_hex_run(word.data, word.data + word.size, &address) == word.size;
    for (fm_scan_blanks(&s); fm_scan_word(&s, &word); fm_scan_blanks(&s)) {
        if (fm_is_digit(word.data[0]) && read_ids(word, &ignored) && is_after_ids(s)) return true;
        /* This test rejects most rows of stacks, since they begin with an address and a symbol. */
        if (is_hex) return false;
    }
    return false;
}
