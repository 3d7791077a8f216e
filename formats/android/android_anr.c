/* Dumps of all threads of an Android process, which ART writes when an app does not respond; also those of debuggerd
 * -b and of the Play Console:
 *
 *     ----- pid 1705 at 2025-06-24 01:02:55 -----
 *     Cmd line: com.example
 *     "main" prio=5 tid=1 Native
 *       | sysTid=1705 nice=-10
 *       native: #00 pc 00085e64  /apex/lib/libc.so (__ioctl+12) (BuildId: b509a38a)
 *       at a.b.c(SourceFile:4)
 *       - locked <0x0cd03f02> (a bl.q)
 *
 * Crashlytics prints titles such as "main (timed waiting):tid=1 systid=1705". When ART aborts, it logs the same
 * lines, each after a location in ART's source: "runtime.cc:690] \"main\" prio=5 tid=1 Native".
 *
 * A thread is one trace, with native and Java frames in their order. Only lines after the title of a thread are
 * taken; without a title, the formats android-tombstone and java read such frames. Listed in format_registry.c. */
#include "formats/java/java_frame.h"
#include "formats/java/java_heading.h"
#include "formats/java/java_join.h"
#include "formats/java/java_print.h"
#include "formats/native/android.h"
#include "formats/parsers.h"

#define ANR_GAP FM_LINES_AFTER /* up to this many lines of other text may be within one thread */

struct anr_state {
    struct fm_android_head head; /* name and id of the process, from the first lines about it */
    framemap_str thread, thread_id, thread_state;
    bool titled;      /* a title was read, but no frame after it yet */
    bool open;        /* the current trace may continue */
    uint64_t number1; /* number of the thread's last line */
};

/* --- titles --- */

/* Returns the first word of the text. */
static framemap_str word_of(framemap_str text)
{
    size_t size = 0;
    while (size < text.size && !fm_is_blank(text.data[size])) size++;
    return fm_str(text.data, size);
}

struct title {
    framemap_str thread, id, state;
};

/* Parses the title of a thread: "\"Signal Catcher\" daemon prio=10 tid=6 Runnable", "\"main\" tid=1 Native",
 * "\"binder\" sysTid=12", or for a thread that ART does not know "\"hwuiTask0\" prio=10 (not attached)". A title
 * with "nid=", the number of a native thread, is HotSpot's and not accepted. */
static bool parse_title(framemap_str text, struct title *out)
{
    static const framemap_str marks[] = {FM_STR_INIT("\" prio="), FM_STR_INIT("\" daemon prio="),
                                         FM_STR_INIT("\" tid="), FM_STR_INIT("\" sysTid=")};
    size_t end = FM_NOT_FOUND, at;
    /* within a JSON string a quote is written as \" */
    const size_t escape = text.size && text.data[0] == '\\';
    if (text.size < 8 || text.data[escape] != '"') return false;
    text = fm_str_from(text, escape);
    for (size_t i = 0; i < sizeof marks / sizeof *marks && end == FM_NOT_FOUND; i++) end = fm_str_find(text, marks[i]);
    if (end == FM_NOT_FOUND || end <= escape) return false;
    const framemap_str rest = fm_str_from(text, end + 1);
    if (fm_str_find(rest, FM_STR(" nid=")) != FM_NOT_FOUND) return false;
    *out = (struct title){.thread = fm_str_slice(text, 1, end - escape)};
    if (fm_str_ends(rest, FM_STR(" (not attached)"))) return true;
    if ((at = fm_str_find(rest, FM_STR(" tid="))) != FM_NOT_FOUND)
        at += 5;
    else if ((at = fm_str_find(rest, FM_STR(" sysTid="))) != FM_NOT_FOUND)
        at += 8;
    else
        return false;
    out->id = word_of(fm_str_from(rest, at));
    if (fm_str_starts(out->id, FM_STR("0x")))
        return false; /* This is not ART's title: HotSpot's tools print the thread's id as an address, 0x…. */
    out->state = fm_str_trim(fm_str_from(rest, at + out->id.size));
    return out->id.size != 0;
}

/* Parses "Firebase Background Thread #0 (timed waiting):tid=22 systid=10612" of Crashlytics. */
static bool parse_crashlytics_title(framemap_str text, struct title *out)
{
    static const framemap_str mark = FM_STR_INIT(" systid=");
    const size_t system = fm_str_find_last(text, mark);
    uint64_t id;
    if (system == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, system + mark.size));
    if (!fm_scan_dec(&s, &id, NULL) || !fm_scan_done(&s)) return false;
    const framemap_str head = fm_str(text.data, system);
    const size_t open = fm_str_find_last(head, FM_STR(" (")), close = fm_str_find_last(head, FM_STR("):"));
    if (open == FM_NOT_FOUND || open == 0 || close == FM_NOT_FOUND || close < open + 2) return false;
    s = fm_scan_of(fm_str_from(head, close + 2));
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("tid="))) return false;
    out->id = fm_scan_rest(&s);
    if (!fm_scan_dec(&s, &id, NULL) || !fm_scan_done(&s)) return false;
    out->thread = fm_str(text.data, open);
    out->state = fm_str_slice(head, open + 2, close);
    return true;
}

static bool parse_any_title(const struct fm_line *line, framemap_str text, struct title *out)
{
    return line->first == '"' || line->first == '\\' ? parse_title(text, out)
           : fm_is_digit(line->last)                 ? parse_crashlytics_title(text, out)
                                                     : false;
}

/* --- parsing the lines of a thread --- */

static void keep_open(struct anr_state *state, const struct fm_line *line) { state->number1 = line->number1; }

/* Begins the trace of a thread, at its first frame. */
static bool anr_trace(struct anr_state *state, struct fm_document *doc, const struct fm_line *line)
{
    if (state->open) return true;
    framemap_trace *trace = fm_document_trace(doc, fm_android_anr_name, line);
    if (!trace) return false;
    fm_android_head_give(&state->head, trace);
    trace->thread = trace->thread_name = state->thread;
    trace->thread_id = state->thread_id;
    trace->thread_state = state->thread_state;
    state->titled = false;
    state->open = true;
    return true;
}

static bool add_native(struct anr_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_android_row row = {0};
    framemap_frame frame = FM_FRAME_INIT;
    const bool numbered = (line->has & FM_HAS_HASH) != 0 && fm_android_row_parse(line->body, false, &row);
    if (!numbered && (line->first != 'n' || !fm_android_row_parse_unnumbered(line->body, &row))) return false;
    fm_android_row_fill(&row, state->head.arch, doc, &frame);
    if (anr_trace(state, doc, line)) fm_document_frame(doc, line, &frame);
    return true;
}

static bool add_managed(struct anr_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_java_row row;
    if (line->first != 'a' || !fm_java_row_parse(line->body, FM_JAVA_IN_STACK, &row)) return false;
    if (!anr_trace(state, doc, line)) return true;
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame) fm_java_frame_fill(&row, (framemap_str){NULL, 0}, frame);
    return true;
}

/* Adds a lock to the trace from a line such as "- locked <0x0cd03f02> (a bl.q)". */
static void add_lock(const struct anr_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_java_head head;
    if (!state->open) return;
    fm_java_head_parse(line->body, &head);
    if (head.kind != FM_JAVA_HEAD_CLASS) return;
    framemap_mention mention = {.exception = false};
    mention.raw = fm_line_printed(line, head.name, &mention.raw_offset);
    fm_document_mention(doc, &mention);
}

/* Whether the line belongs to a thread but is not a frame: "| state=S", "(native backtrace unavailable)", "- locked
 * …". */
static bool is_detail(const struct fm_line *line, framemap_str text)
{
    switch (line->first) {
    case '|': return true;
    case '-': return text.size > 1 && text.data[1] == ' ';
    case '(': return fm_str_ends(text, FM_STR(")"));
    case 'n': return fm_str_begins(text, FM_STR("native: "));
    case 'k': return fm_str_begins(text, FM_STR("kernel: "));
    default: return false;
    }
}

static enum fm_line_role continue_thread(struct anr_state *state, struct fm_document *doc, const struct fm_line *line,
                                         framemap_str text)
{
    if (line->number1 - state->number1 > ANR_GAP || (state->open && !fm_document_open(doc, fm_android_anr_name))) {
        state->titled = state->open = false;
        return FM_ROLE_NONE;
    }
    if (add_native(state, doc, line) || add_managed(state, doc, line)) {
        keep_open(state, line);
        return FM_ROLE_FRAME;
    }
    if (!is_detail(line, text)) return FM_ROLE_NONE;
    if (line->first == '-') add_lock(state, doc, line);
    keep_open(state, line);
    return FM_ROLE_CONTEXT;
}

/* --- parsing the lines about the process --- */

/* Parses the first line of a process, "----- pid 1705 at 2025-06-24 01:02:55.783306276+0800 -----", and its last,
 * "----- end 1705 -----". */
static bool begin_process(struct anr_state *state, framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t pid;
    if (fm_str_begins(text, FM_STR("----- end "))) {
        *state = (struct anr_state){.titled = false};
        return true;
    }
    if (!fm_scan_text(&s, FM_STR("----- pid ")) || !fm_scan_dec(&s, &pid, NULL)) return false;
    *state = (struct anr_state){.head.has_process_id = true, .head.process_id = pid};
    return true;
}

/* Returns the line without the location that ART's own log prints before it: "runtime.cc:690] ",
 * "java_vm_ext.cc:542] ", "thread.cc:2155] ". */
static struct fm_line without_place(const struct fm_line *line)
{
    enum { MOST = 48 };
    struct fm_line inner = *line;
    const size_t at = fm_str_find(fm_str_slice(line->body, 0, MOST), FM_STR(".cc:"));
    uint64_t number;
    if (at == FM_NOT_FOUND || fm_str_find_byte(fm_str(line->body.data, at), ' ') != FM_NOT_FOUND) return inner;
    struct fm_scan s = fm_scan_of(fm_str_from(line->body, at + 4));
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_byte(&s, ']')) return inner;
    fm_scan_byte(&s, ' ');
    inner.body = fm_scan_rest(&s);
    fm_scan_blanks(&s);
    inner.first = fm_scan_done(&s) ? '\0' : *s.at;
    return inner;
}

static bool may_have_place(char first) { return first == 'r' || first == 'j' || first == 't'; }

static enum fm_line_role anr_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct anr_state *state = memory;
    const struct fm_line inner = may_have_place(line->first) ? without_place(line) : *line;
    line = &inner;
    const framemap_str text = fm_str_trim(line->body);
    struct title title;
    if (line->begins) state->titled = state->open = false;
    if (parse_any_title(line, text, &title)) {
        state->thread = title.thread;
        state->thread_id = title.id;
        state->thread_state = title.state;
        state->titled = true;
        state->open = false;
        keep_open(state, line);
        return FM_ROLE_CONTEXT;
    }
    if (line->first == '-' && begin_process(state, text)) return FM_ROLE_CONTEXT;
    if (line->first == '*' && fm_str_begins(text, FM_STR("*** *** ***"))) *state = (struct anr_state){.titled = false};
    if (state->titled || state->open) return continue_thread(state, doc, line, text);
    fm_android_head_read(text, &state->head);
    return FM_ROLE_NONE;
}

/* --- deciding which lines are significant, and printing frames --- */

#define ANR_FIRSTS "\"\\-*pABCOsrjt" /* the first bytes of all lines of this format except Crashlytics' titles */

/* Whether a line may belong to this format: it ends like a title of Crashlytics ("systid=12"), or has the beginning of
 * another line that the format looks for. */
static bool anr_probe(const struct fm_line *line)
{
    if (memchr(ANR_FIRSTS, line->first, sizeof ANR_FIRSTS - 1) != NULL) return true;
    const char *begin = line->body.data, *at = begin + line->body.size;
    while (at > begin && fm_is_digit(at[-1])) at--;
    return at > begin && at[-1] == '=';
}

static bool anr_is_significant(const struct fm_line *line)
{
    const struct fm_line inner = may_have_place(line->first) ? without_place(line) : *line;
    const framemap_str text = fm_str_trim(inner.body);
    struct title title;
    if (parse_any_title(&inner, text, &title)) return true;
    switch (inner.first) {
    case '-': return fm_str_begins(text, FM_STR("----- pid ")) || fm_str_begins(text, FM_STR("----- end "));
    case '*': return fm_str_begins(text, FM_STR("*** *** ***"));
    default: return fm_android_head_read(text, NULL) != FM_ANDROID_HEAD_NONE;
    }
}

static void anr_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    if (frame->kind == FRAMEMAP_KIND_JAVA)
        fm_java_print(out, frame, prefix, eol);
    else
        fm_android_print_frame(out, frame, prefix, eol);
}

static const struct fm_needle anr_needles[] = {
    FM_NEEDLE("tid=", 0, 2),
    FM_NEEDLE("Tid=", 0, 2),
    FM_NEEDLE("----- pid ", 3, 0),
    FM_NEEDLE("----- end ", 3, 0),
    FM_NEEDLE("*** ***", 1, 12),
    FM_NEEDLE("pid: ", 0, 2),
    FM_NEEDLE("ABI: ", 0, 9),
    FM_NEEDLE("signal ", 1, 14),
    FM_NEEDLE("Abort message: ", 10, 10),
    FM_NEEDLE("OS version: ", 0, 1),
    FM_NEEDLE("fingerprint: ", 8, 9),
    FM_NEEDLE("Cmdline: ", 0, 2),
    FM_NEEDLE("Cmd line: ", 0, 2),
    FM_NEEDLE("(not attached)", 0, 15),
};

const struct fm_format fm_android_anr = {
    .info = {fm_android_anr_name, "Android dumps of all threads: ANR traces (\"main\" prio=5 tid=1 Native)", true,
             false},
    FM_NEEDLES(anr_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct anr_state),
    .firsts = ANR_FIRSTS,
    .lasts = "0123456789",
    .probe = anr_probe,
    .offer = anr_offer,
    .is_significant = anr_is_significant,
    .keeps_state = true,
    .print_frame = anr_print_frame};
