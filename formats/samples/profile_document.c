/* Finds profiles that are JSON documents in a text: those of speedscope, V8 (.cpuprofile), Chrome (traces) and the
 * Firefox profiler. The files profile_NAME.c add their stacks as traces. One parser finds the profiles of all these
 * formats; each format has a row in the table of formats, so that it can be selected by name. To read samples with
 * weights, formats/profiles/ is used instead. */
#include "formats/parsers.h"
#include "formats/samples/profile_readers.h"

static const char speedscope[] = "speedscope", cpuprofile[] = "v8-cpuprofile", chrome_trace[] = "chrome-trace",
                  firefox[] = "firefox-profile";

struct profile_state {
    struct fm_json_document document;
    bool sure;              /* the open document is certainly a profile */
    enum fm_line_role role; /* result for the last physical line, returned again for each piece of that line */
};

static bool has(framemap_str text, framemap_str word) { return fm_str_find(text, word) != FM_NOT_FOUND; }

/* Whether the text has a key that only profiles have. */
static bool is_ours(framemap_str text)
{
    static const framemap_str keys[] = {FM_STR_INIT("speedscope.app/file-format-schema"),
                                        FM_STR_INIT("\"callFrame\""),
                                        FM_STR_INIT("\"bailoutReason\""),
                                        FM_STR_INIT("\"traceEvents\""),
                                        FM_STR_INIT("\"stackFrames\""),
                                        FM_STR_INIT("\"stackTable\""),
                                        FM_STR_INIT("\"preprocessedProfileVersion\"")};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (has(text, keys[i])) return true;
    return has(text, FM_STR("\"ph\":")) && has(text, FM_STR("\"pid\":")) && has(text, FM_STR("\"ts\":"));
}

static bool profile_is_significant(const struct fm_line *line) { return is_ours(line->text); }

static bool read_document(struct fm_document *doc, const struct fm_json_document *document)
{
    struct fm_json *json = fm_json_document_parse(document, doc);
    if (json == NULL) return false;
    const bool read =
        fm_speedscope_read(doc, speedscope, document, json) || fm_cpuprofile_read(doc, cpuprofile, document, json) ||
        fm_firefox_read(doc, firefox, document, json) || fm_chrome_trace_read(doc, chrome_trace, document, json);
    fm_json_free(json);
    if (read) fm_document_report_end(doc);
    return read;
}

/* Returns the start of the array of events in a trace. Used for documents in which too much text precedes the
 * events. */
static const char *events_bracket(const struct fm_line *whole)
{
    const size_t key = fm_str_find(whole->text, FM_STR("\"traceEvents\""));
    if (key == FM_NOT_FOUND) return NULL;
    const framemap_str rest = fm_str_from(whole->text, key);
    const size_t bracket = fm_str_find_byte(rest, '[');
    return bracket == FM_NOT_FOUND ? NULL : rest.data + bracket;
}

static enum fm_document_step begin_document(struct profile_state *state, struct fm_document *doc,
                                            const struct fm_line *whole)
{
    if (!is_ours(whole->text)) return FM_DOCUMENT_NONE;
    /* if the line is a complete node or event, it is first treated as part of a larger document */
    struct fm_line part = *whole;
    part.first = 0;
    enum fm_document_step step = fm_json_document_begin(&state->document, doc, &part);
    const framemap_str text = state->document.text;
    const bool has_line = step != FM_DOCUMENT_NONE && text.data + text.size > whole->text.data;
    if (!has_line) step = fm_json_document_begin(&state->document, doc, whole);
    const char *bracket = events_bracket(whole);
    if (step != FM_DOCUMENT_NONE || bracket == NULL) return step;
    return fm_json_document_begin_at(&state->document, doc, whole, bracket);
}

static enum fm_line_role profile_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct profile_state *state = memory;
    struct fm_line whole;
    if (!fm_json_document_line(&state->document, doc, line, &whole)) return state->role;
    const enum fm_document_step step =
        state->document.open ? fm_json_document_add(&state->document, doc, &whole) : begin_document(state, doc, &whole);
    state->role = FM_ROLE_NONE;
    if (step == FM_DOCUMENT_OPEN)
        state->role = FM_ROLE_FRAME;
    else if (step == FM_DOCUMENT_COMPLETE && read_document(doc, &state->document))
        state->role = FM_ROLE_FRAME;
    return state->role;
}

static const struct fm_needle profile_needles[] = {
    FM_NEEDLE("speedscope.app/", 3, 14),    FM_NEEDLE("\"callFrame\"", 2, 8),   FM_NEEDLE("\"bailoutReason\"", 3, 8),
    FM_NEEDLE("\"traceEvents\"", 6, 10),    FM_NEEDLE("\"stackFrames\"", 3, 8), FM_NEEDLE("\"stackTable\"", 3, 8),
    FM_NEEDLE("\"preprocessedProf", 0, 13), FM_NEEDLE("\"ph\":", 1, 9)};

#define PROFILE_ROW(row_name, summary_text, is_first) \
    {.info = {row_name, summary_text, true, false},   \
     FM_NEEDLES(profile_needles),                     \
     .marks = FM_MARK_WORD,                           \
     .state_size = sizeof(struct profile_state),      \
     .all_of = FM_HAS_QUOTE,                          \
     .offer = profile_offer,                          \
     .is_significant = profile_is_significant,        \
     .parsed_by_earlier = !(is_first),                \
     .keeps_state = true,                             \
     .reads_documents = true,                         \
     .keeps = FM_KEEPS_ALL}

const struct fm_format fm_speedscope = PROFILE_ROW(speedscope, "profiles of speedscope", true);
const struct fm_format fm_cpuprofile = PROFILE_ROW(cpuprofile, "CPU profiles of V8 (.cpuprofile)", false);
const struct fm_format fm_chrome_trace = PROFILE_ROW(chrome_trace, "stacks in traces of Chrome and Hermes", false);
const struct fm_format fm_firefox = PROFILE_ROW(firefox, "profiles of the Firefox profiler", false);
