/* Finds Apple's crash reports as JSON (.ips from iOS 15 and macOS 12 on) in a text; apple_ips_read.c reads them. Such a
 * text is a header object on one line, then the object with the report:
 *
 *     {"app_name":"App","bug_type":"309","os_version":"iPhone OS 17.1 (21B74)",...}
 *     {
 *       "exception" : {"type":"EXC_BAD_ACCESS","signal":"SIGSEGV",...},
 *       "threads" : [{"triggered":true,"id":1,"frames":[{"imageOffset":15220,"imageIndex":0},...]},...],
 *       "usedImages" : [{"base":4364288000,"size":32768,"uuid":"…","arch":"arm64","path":"…","name":"App"},...],
 *       ...
 *     }
 *
 * Either object may be missing, one object may have the members of both, and the report may be pretty-printed or on one
 * line. macOS shows the JSON below the same report as text, "Translated Report (Full Report Below)"; the stacks of that
 * text are then removed. */
#include "formats/native/apple/apple_ips_print.h"
#include "formats/native/apple/apple_ips_read.h"
#include "formats/parsers.h"

static const char name[] = "apple-ips";
#define IPS_GAP 3 /* maximum number of lines from the header object to the report */

struct ips_state {
    struct fm_json_document document;
    framemap_str header;    /* text of the header object; empty: no header was read */
    uint64_t header1;       /* number of the header's line */
    bool translated;        /* the text above contains the same report in its text form */
    bool sure;              /* the open document is certainly a crash report */
    enum fm_line_role role; /* result for the last physical line, returned again for each piece of that line */
};

static bool has(framemap_str text, framemap_str word) { return fm_str_find(text, word) != FM_NOT_FOUND; }

/* Keys that only documents of this format have. A line of a pretty-printed report may begin with any of them; on a line
 * that begins with a bracket, only the last three are searched. */
static const framemap_str keys[] = {
    FM_STR_INIT("\"procRole\""),       FM_STR_INIT("\"procLaunch\""),   FM_STR_INIT("\"crashReporterKey\""),
    FM_STR_INIT("\"faultingThread\""), FM_STR_INIT("\"binaryImages\""), FM_STR_INIT("\"lastExceptionBacktrace\""),
    FM_STR_INIT("\"bug_type\""),       FM_STR_INIT("\"imageOffset\""),  FM_STR_INIT("\"usedImages\"")};
#define KEYS (sizeof keys / sizeof *keys)
#define KEYS_OF_ONE_LINE 3

static bool has_key(framemap_str text, size_t from)
{
    for (size_t i = from; i < KEYS; i++)
        if (has(text, keys[i])) return true;
    return false;
}

static bool is_ours(framemap_str text) { return has_key(text, 0); }

static bool begins_with_key(framemap_str text)
{
    text = fm_str_trim(text);
    for (size_t i = 0; i < KEYS; i++)
        if (fm_str_begins(text, keys[i])) return true;
    return fm_str_begins(text, FM_STR("\"threads\""));
}

static bool ips_is_title(framemap_str text) { return fm_str_begins(fm_str_trim(text), FM_STR("Translated Report")); }

static bool ips_is_significant(const struct fm_line *line)
{
    if (line->first == 'T') return ips_is_title(line->body);
    if (line->first == '"') return begins_with_key(line->body);
    if (!fm_json_document_has_first(line)) return false;
    if (line->first == '{' && has(line->text, FM_STR("\"threads\""))) return true;
    return has_key(line->text, KEYS - KEYS_OF_ONE_LINE);
}

/* Whether the text is a header: an object in one line that has no stacks. */
static bool is_header(framemap_str text)
{
    return has(text, FM_STR("\"bug_type\"")) && !has(text, FM_STR("\"threads\"")) &&
           (has(text, FM_STR("\"os_version\"")) || has(text, FM_STR("\"incident_id\"")));
}

static enum fm_line_role end_document(struct ips_state *state, struct fm_document *doc, const struct fm_line *whole)
{
    const framemap_str text = state->document.text;
    if (state->document.number1 == whole->number1 && is_header(text)) {
        state->header = text;
        state->header1 = whole->number1;
        fm_document_offer_until(doc, whole->number1 + IPS_GAP);
        return FM_ROLE_CONTEXT;
    }
    const bool read = fm_apple_ips_read(doc, name, &state->document, state->header, state->translated);
    state->header = (framemap_str){NULL, 0};
    state->header1 = 0;
    state->translated = state->translated && !read;
    return read ? FM_ROLE_FRAME : FM_ROLE_NONE;
}

/* Begins a document at a line that has one of the format's keys, or at the bracket below a header object. */
static enum fm_document_step begin_document(struct ips_state *state, struct fm_document *doc,
                                            const struct fm_line *whole)
{
    state->sure = state->header1 && whole->first == '{' && whole->number1 - state->header1 <= IPS_GAP;
    if (state->sure) return fm_json_document_begin_at(&state->document, doc, whole, whole->body.data);
    return ips_is_significant(whole) ? fm_json_document_begin(&state->document, doc, whole) : FM_DOCUMENT_NONE;
}

static enum fm_line_role ips_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct ips_state *state = memory;
    struct fm_line whole;
    enum fm_document_step step;
    if (!fm_json_document_line(&state->document, doc, line, &whole)) return state->role;
    state->role = FM_ROLE_NONE;
    if (whole.first == 'T' && ips_is_title(whole.body)) {
        state->translated = true;
        fm_document_expect_repeat(doc);
        return state->role;
    }
    step =
        state->document.open ? fm_json_document_add(&state->document, doc, &whole) : begin_document(state, doc, &whole);
    if (step == FM_DOCUMENT_OPEN) {
        state->sure = state->sure || is_ours(whole.text);
        state->role = state->sure ? FM_ROLE_FRAME : FM_ROLE_NONE;
    } else if (step == FM_DOCUMENT_COMPLETE) {
        state->role = end_document(state, doc, &whole);
    }
    return state->role;
}

static const struct fm_needle ips_needles[] = {
    FM_NEEDLE("Translated Report", 0, 5),
    FM_NEEDLE("\"usedImages\"", 0, 13),
    FM_NEEDLE("\"imageOffset\"", 3, 10),
    FM_NEEDLE("\"procRole\"", 0, 13),
    FM_NEEDLE("\"procLaunch\"", 0, 13),
    FM_NEEDLE("\"crashReporterKey\"", 14, 15),
    FM_NEEDLE("\"faultingThread\"", 3, 3),
    FM_NEEDLE("\"binaryImages\"", 4, 9),
    FM_NEEDLE("\"bug_type\"", 1, 8),
    FM_NEEDLE("\"threads\"", 5, 14),
    FM_NEEDLE("\"lastExceptionBacktrace\"", 2, 8),
};

const struct fm_format fm_apple_ips = {.info = {name, "Apple crash reports as JSON (.ips from iOS 15 on)", true, false},
                                       FM_NEEDLES(ips_needles),
                                       .marks = FM_MARK_WORD,
                                       .id_form = FM_ID_UUID,
                                       .state_size = sizeof(struct ips_state),
                                       .firsts = FM_JSON_FIRSTS "T",
                                       .offer = ips_offer,
                                       .is_significant = ips_is_significant,
                                       .keeps_state = true,
                                       .reads_documents = true,
                                       .keeps = FM_KEEPS_ALL,
                                       .leads = fm_json_document_leads,
                                       .print_frame = fm_apple_ips_print_frame};
