/* Completes restored traces: sets the machine-readable reason of each frame, whether the text contradicts the symbols,
 * and which images have symbols. Called by restore.c when the answers are final. */
#include "core/text/text.h"
#include "session/restore/restore_job.h"

/* --- reasons --- */

/* Reason sentences of the library that are more precise than a frame's status, and their codes. */
static const struct {
    framemap_str words;
    framemap_why why;
} sentences[] = {{FM_STR_INIT("over-limit"), FRAMEMAP_WHY_OVER_LIMIT},
                 {FM_STR_INIT("over-memory"), FRAMEMAP_WHY_OVER_MEMORY},
                 {FM_STR_INIT("changed-while-read"), FRAMEMAP_WHY_CHANGED_WHILE_READ},
                 {FM_STR_INIT("anonymous memory"), FRAMEMAP_WHY_ANONYMOUS_MEMORY},
                 {FM_STR_INIT("have labels that the scope"), FRAMEMAP_WHY_OTHER_LABELS},
                 {FM_STR_INIT("another build"), FRAMEMAP_WHY_OTHER_ID},
                 {FM_STR_INIT("other builds"), FRAMEMAP_WHY_OTHER_ID},
                 {FM_STR_INIT("another debug id"), FRAMEMAP_WHY_OTHER_ID},
                 {FM_STR_INIT("another architecture"), FRAMEMAP_WHY_OTHER_ID},
                 {FM_STR_INIT("several "), FRAMEMAP_WHY_SEVERAL_FIT},
                 {FM_STR_INIT("which build it is of"), FRAMEMAP_WHY_SEVERAL_FIT}};

static framemap_why why_of_status(framemap_frame_status status)
{
    switch (status) {
    case FRAMEMAP_FRAME_RAW:
    case FRAMEMAP_FRAME_OK:
    case FRAMEMAP_FRAME_NOT_NEEDED: return FRAMEMAP_WHY_NONE;
    case FRAMEMAP_FRAME_SYMBOL: return FRAMEMAP_WHY_NO_LINES;
    case FRAMEMAP_FRAME_MISSING_SYMBOLS: return FRAMEMAP_WHY_NO_SYMBOLS;
    case FRAMEMAP_FRAME_UNKNOWN_IMAGE: return FRAMEMAP_WHY_NO_IMAGE;
    case FRAMEMAP_FRAME_NO_MATCH: return FRAMEMAP_WHY_NO_ENTRY;
    case FRAMEMAP_FRAME_AMBIGUOUS: return FRAMEMAP_WHY_SEVERAL_FIT;
    case FRAMEMAP_FRAME_MALFORMED: return FRAMEMAP_WHY_MALFORMED;
    }
    return FRAMEMAP_WHY_NONE;
}

/* Returns the reason code of a frame, from its status and the sentence that explains the status. */
static framemap_why why_of_answer(framemap_frame_status status, const char *reason)
{
    const framemap_why why = why_of_status(status);
    const bool may_say_more = status == FRAMEMAP_FRAME_MISSING_SYMBOLS || status == FRAMEMAP_FRAME_UNKNOWN_IMAGE ||
                              status == FRAMEMAP_FRAME_SYMBOL || status == FRAMEMAP_FRAME_AMBIGUOUS ||
                              status == FRAMEMAP_FRAME_NO_MATCH;
    if (!may_say_more || !reason) return why;
    const framemap_str words = framemap_str_of(reason);
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (fm_str_find(words, sentences[i].words) != FM_NOT_FOUND) return sentences[i].why;
    return why;
}

bool fm_restore_miss(struct fm_restore_job *job, const framemap_missing *row)
{
    framemap_missing full = *row;
    full.why = why_of_answer(FRAMEMAP_FRAME_MISSING_SYMBOLS, row->reason);
    return fm_missing_add(&job->session->missing, &full) && (!job->missing || fm_missing_add(job->missing, &full));
}

/* --- comparing the printed text with the symbols --- */

/* Returns a name without its parameters, template arguments, return type and namespaces, because printers do not all
 * write these: "f" for "ns::f<int>(char const*) const" and for "(anonymous namespace)::f()". */
static framemap_str last_name(framemap_str name)
{
    static const framemap_str unnamed = FM_STR_INIT("(anonymous namespace)::");
    size_t end = 0, begin;
    while (end < name.size && name.data[end] != '<' && name.data[end] != '@') {
        const bool is_unnamed = fm_str_starts(fm_str_from(name, end), unnamed);
        if (name.data[end] == '(' && !is_unnamed) break;
        end += is_unnamed ? unnamed.size : 1;
    }
    for (begin = end; begin > 0 && name.data[begin - 1] != ':' && name.data[begin - 1] != ' ' &&
                      name.data[begin - 1] != '*' && name.data[begin - 1] != '.';)
        begin--;
    return fm_str_slice(name, begin, end);
}

/* Whether a name can be compared by its last part. It cannot if it is mangled or has the word "operator". It must begin
 * with a letter or with an unnamed namespace; "-[App run]" and "<redacted>" do not. */
static bool is_comparable(framemap_str name)
{
    const framemap_str last = last_name(name);
    const char first = name.size ? name.data[0] : '\0';
    const bool is_letter = (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z') || first == '_' ||
                           fm_str_starts(name, FM_STR("(anonymous namespace)::"));
    return is_letter && last.size > 0 && !fm_str_starts(name, FM_STR("_Z")) && !fm_str_starts(name, FM_STR("_R")) &&
           !fm_str_starts(name, FM_STR("_$s")) && !fm_str_starts(name, FM_STR("$s")) &&
           fm_str_find(name, FM_STR("operator")) == FM_NOT_FOUND;
}

static bool is_name_of(framemap_str printed, const framemap_frame *source)
{
    return fm_str_equal(last_name(printed), last_name(source->function)) || fm_str_equal(printed, source->symbol) ||
           fm_str_find(source->function, printed) != FM_NOT_FOUND;
}

/* Whether the printed name differs from the names of all functions in the chain, and of all functions that share their
 * code. */
static bool is_contradicted(const framemap_frame *frame)
{
    if (frame->kind != FRAMEMAP_KIND_NATIVE || frame->restored.count == 0 || !is_comparable(frame->function))
        return false;
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (!is_comparable(source->function) || is_name_of(frame->function, source)) return false;
        for (size_t a = 0; a < source->alias_count; a++)
            if (fm_str_equal(last_name(frame->function), last_name(source->aliases[a]))) return false;
    }
    return true;
}

/* --- images --- */

static framemap_image_symbols symbols_of(const framemap_frame *frame)
{
    if (frame->status == FRAMEMAP_FRAME_MISSING_SYMBOLS)
        return frame->why == FRAMEMAP_WHY_OTHER_ID ? FRAMEMAP_SYMBOLS_MISMATCH : FRAMEMAP_SYMBOLS_MISSING;
    return frame->matched_by != FRAMEMAP_MATCH_NONE ? FRAMEMAP_SYMBOLS_FOUND : FRAMEMAP_SYMBOLS_NOT_NEEDED;
}

static void note_image(framemap_trace *trace, const framemap_frame *frame)
{
    if (!frame->has_image || frame->image >= trace->image_count) return;
    framemap_image *image = &trace->images[frame->image];
    if (image->symbols == FRAMEMAP_SYMBOLS_NOT_NEEDED) image->symbols = symbols_of(frame);
}

/* Caches the reason of the last frame of each kind and status. Most later frames have the same reason, so its sentence
 * is interpreted only once. */
struct settled_reason {
    bool is_set;
    const char *reason;
    framemap_why why;
};
enum { KINDS = FRAMEMAP_KIND_MARKER + 1, STATUSES = FRAMEMAP_FRAME_NOT_NEEDED + 1 };

static framemap_why why_of(struct settled_reason last[KINDS][STATUSES], const framemap_frame *frame)
{
    struct settled_reason *one = &last[frame->kind][frame->status];
    if (!one->is_set || frame->reason != one->reason)
        *one = (struct settled_reason){true, frame->reason, why_of_answer(frame->status, frame->reason)};
    return one->why;
}

static void settle_trace(framemap_trace *trace, struct settled_reason last[KINDS][STATUSES])
{
    for (size_t i = 0; i < trace->frame_count; i++) {
        framemap_frame *frame = &trace->frames[i];
        frame->why = frame->over_limit ? FRAMEMAP_WHY_OVER_LIMIT : why_of(last, frame);
        frame->conflict = is_contradicted(frame);
        note_image(trace, frame);
    }
}

void fm_restore_settle(framemap_trace *traces, size_t count)
{
    struct settled_reason last[KINDS][STATUSES] = {{{.is_set = false}}};
    for (size_t i = 0; i < count; i++) settle_trace(&traces[i], last);
}
