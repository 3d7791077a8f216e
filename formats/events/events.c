/* Finds events of error backends in a text: JSON documents whose stacks are arrays of objects. An event may have
 * several stacks, and may be on one line or pretty-printed. One parser reads the events of all vendors
 * (event_vendors.c); each vendor has a row of its own in format_registry.c, so that it can be selected by name. If a
 * stack is a text in a string of the event, another format finds it. */
#include "formats/events/event_print.h"
#include "formats/events/event_read.h"
#include "formats/events/event_vendors.h"
#include "formats/parsers.h"

struct event_state {
    struct fm_json_document document;
    enum fm_line_role role; /* result for the last physical line, returned again for each piece of that line */
};

/* Whether the text has a JSON key that events use for an array of frames, or for a member of a frame. */
static bool has_key(framemap_str text)
{
    static const framemap_str keys[] = {
        FM_STR_INIT("\"frames\""),        FM_STR_INIT("\"stacktrace\""),         FM_STR_INIT("\"callFrames\""),
        FM_STR_INIT("\"methodName\""),    FM_STR_INIT("\"lineNumber\""),         FM_STR_INIT("\"instruction_addr\""),
        FM_STR_INIT("\"crash_info\""),    FM_STR_INIT("\"backtrace\""),          FM_STR_INIT("\"StackTrace\""),
        FM_STR_INIT("\"binary_images\""), FM_STR_INIT("\"extendedStackTrace\""), FM_STR_INIT("\"parsedStack\""),
        FM_STR_INIT("\"nativeStack\""),   FM_STR_INIT("\"instructionPointer\""), FM_STR_INIT("\"funcName\"")};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (fm_str_find(text, keys[i]) != FM_NOT_FOUND) return true;
    return false;
}

/* Whether the line has a key from the start of a pretty-printed event, whose frames may be far below: "event_id":
 * "…" of Sentry, "process_name": "…" of KSCrash, "ureport_version": 2 of ABRT, "reportVersion": 3 of Node. */
static bool is_early_key(const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->body);
    return line->first == '"' &&
           (fm_str_starts(text, FM_STR("\"event_id\"")) || fm_str_starts(text, FM_STR("\"process_name\"")) ||
            fm_str_starts(text, FM_STR("\"ureport_version\"")) || fm_str_starts(text, FM_STR("\"reportVersion\""))) &&
           fm_str_ends(fm_str_trim(line->text), FM_STR(","));
}

static bool event_is_significant(const struct fm_line *line)
{
    return fm_json_document_has_first(line) && (has_key(line->text) || is_early_key(line));
}

static enum fm_line_role event_offer(void *memory, struct fm_document *doc, const struct fm_line *line,
                                     const char *only)
{
    struct event_state *state = memory;
    struct fm_line whole;
    enum fm_document_step step = FM_DOCUMENT_NONE;
    if (!fm_json_document_line(&state->document, doc, line, &whole)) return state->role;
    state->role = FM_ROLE_NONE;
    if (state->document.open)
        step = fm_json_document_add(&state->document, doc, &whole);
    else if (event_is_significant(&whole))
        step = fm_json_document_begin(&state->document, doc, &whole);
    if (step == FM_DOCUMENT_COMPLETE && fm_event_read(doc, &state->document, only)) state->role = FM_ROLE_FRAME;
    return state->role;
}

static enum fm_line_role offer_any(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return event_offer(memory, doc, line, NULL);
}

#define OFFER(vendor)                                                                                          \
    static enum fm_line_role offer_##vendor(void *memory, struct fm_document *doc, const struct fm_line *line) \
    {                                                                                                          \
        return event_offer(memory, doc, line, fm_event_##vendor);                                              \
    }
OFFER(bugsnag)
OFFER(measure)
OFFER(crashlytics)
OFFER(cdp)
OFFER(react_native)
OFFER(minidump)
OFFER(error)

static const struct fm_needle event_needles[] = {
    FM_NEEDLE("\"frames\"", 0, 13),         FM_NEEDLE("\"stacktrace\"", 3, 8),
    FM_NEEDLE("\"callFrames\"", 2, 8),      FM_NEEDLE("\"methodName\"", 6, 5),
    FM_NEEDLE("\"lineNumber\"", 5, 15),     FM_NEEDLE("\"instruction_addr\"", 0, 13),
    FM_NEEDLE("\"crash_info\"", 3, 8),      FM_NEEDLE("\"backtrace\"", 0, 13),
    FM_NEEDLE("\"StackTrace\"", 1, 1),      FM_NEEDLE("\"binary_images\"", 1, 14),
    FM_NEEDLE("\"event_id\"", 1, 10),       FM_NEEDLE("\"process_name\"", 0, 13),
    FM_NEEDLE("\"ureport_version\"", 0, 5), FM_NEEDLE("\"extendedStackTrace\"", 0, 8),
    FM_NEEDLE("\"parsedStack\"", 6, 4),     FM_NEEDLE("\"instructionPointer\"", 0, 13),
    FM_NEEDLE("\"nativeStack\"", 4, 9),     FM_NEEDLE("\"reportVersion\"", 4, 8),
    FM_NEEDLE("\"funcName\"", 0, 6),
};

#define EVENT_ROW(format, words, offers, prints, earlier, ids) \
    {.info = {(format), (words), true, false},                 \
     FM_NEEDLES(event_needles),                                \
     .marks = FM_MARK_WORD,                                    \
     .state_size = sizeof(struct event_state),                 \
     .firsts = FM_JSON_FIRSTS,                                 \
     .offer = (offers),                                        \
     .is_significant = event_is_significant,                   \
     .keeps_state = true,                                      \
     .reads_documents = true,                                  \
     .keeps = FM_KEEPS_ALL,                                    \
     .parsed_by_earlier = (earlier),                           \
     .id_form = (ids),                                         \
     .print_frame = (prints)}

const struct fm_format fm_sentry_event = EVENT_ROW(fm_event_sentry, "Sentry events, restored in place", offer_any,
                                                   fm_event_print_sentry, false, FM_ID_BUILD_ID);
const struct fm_format fm_bugsnag_event = EVENT_ROW(fm_event_bugsnag, "Bugsnag events, restored in place",
                                                    offer_bugsnag, fm_event_print_bugsnag, true, FM_ID_BUILD_ID);
const struct fm_format fm_measure_event = EVENT_ROW(fm_event_measure, "Measure events, restored in place",
                                                    offer_measure, fm_event_print_measure, true, FM_ID_BUILD_ID);
const struct fm_format fm_crashlytics_export =
    EVENT_ROW(fm_event_crashlytics, "Crashlytics exports, restored in place", offer_crashlytics,
              fm_event_print_crashlytics, true, FM_ID_BUILD_ID);
const struct fm_format fm_cdp_call_frames =
    EVENT_ROW(fm_event_cdp, "callFrames of the Chrome DevTools Protocol, restored in place", offer_cdp,
              fm_event_print_cdp, true, FM_ID_BUILD_ID);
const struct fm_format fm_react_native_frames =
    EVENT_ROW(fm_event_react_native, "React Native's lists of frames as JSON, restored in place", offer_react_native,
              fm_event_print_react_native, true, FM_ID_BUILD_ID);
const struct fm_format fm_minidump_json = EVENT_ROW(fm_event_minidump, "JSON of rust-minidump, restored in place",
                                                    offer_minidump, fm_event_print_minidump, true, FM_ID_BREAKPAD);
const struct fm_format fm_error_event = EVENT_ROW(fm_event_error,
                                                  "errors of Rollbar, Raygun, Honeybadger, Airbrake, Elastic APM, New "
                                                  "Relic, Application Insights, Faro, Log4j, KSCrash, "
                                                  "Swift, Node, Backtrace, in place",
                                                  offer_error, fm_event_print_error, true, FM_ID_BUILD_ID);
