/* Finds the diagnostics of MetricKit: JSON documents with trees of calls, which may be parts of a collector's JSON
 * document.
 *
 *     {"crashDiagnostics":[{"callStackTree":{"callStacks":[{"threadAttributed":true,"callStackRootFrames":[
 *     {"binaryUUID":"…","offsetIntoBinaryTextSegment":15220,"sampleCount":1,"binaryName":"App","address":4364303220,
 *     "subFrames":[{…}]}]}],"callStackPerThread":true},"diagnosticMetaData":{"signal":11,…}}],…} */
#include "formats/native/apple/metrickit_read.h"
#include "formats/parsers.h"

static const char name[] = "metrickit";

struct metrickit_state {
    struct fm_json_document document;
    bool sure;              /* the open document has a call stack tree */
    enum fm_line_role role; /* result for the last physical line, returned again for each piece of that line */
};

static bool has(framemap_str text, framemap_str word) { return fm_str_find(text, word) != FM_NOT_FOUND; }

static bool is_ours(framemap_str text) { return has(text, FM_STR("\"callStack")); }

static bool metrickit_is_significant(const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->body);
    if (line->first == '"' &&
        (fm_str_begins(text, FM_STR("\"timeStamp")) || fm_str_begins(text, FM_STR("\"diagnosticMetaData\""))))
        return true;
    if (!fm_json_document_has_first(line)) return false;
    return is_ours(line->text) || has(line->text, FM_STR("Diagnostics\""));
}

static enum fm_line_role metrickit_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct metrickit_state *state = memory;
    struct fm_line whole;
    enum fm_document_step step = FM_DOCUMENT_NONE;
    if (!fm_json_document_line(&state->document, doc, line, &whole)) return state->role;
    state->role = FM_ROLE_NONE;
    if (state->document.open) {
        step = fm_json_document_add(&state->document, doc, &whole);
    } else if (metrickit_is_significant(&whole)) {
        state->sure = false;
        step = fm_json_document_begin(&state->document, doc, &whole);
    }
    if (step == FM_DOCUMENT_OPEN) {
        state->sure = state->sure || is_ours(whole.text);
        if (state->sure) state->role = FM_ROLE_FRAME;
    } else if (step == FM_DOCUMENT_COMPLETE && fm_metrickit_read(doc, name, &state->document)) {
        state->role = FM_ROLE_FRAME;
    }
    return state->role;
}

static const struct fm_needle metrickit_needles[] = {
    FM_NEEDLE("\"callStack", 2, 11),
    FM_NEEDLE("Diagnostics\"", 4, 6),
    FM_NEEDLE("\"timeStamp", 5, 1),
    FM_NEEDLE("\"diagnosticMetaData\"", 5, 6),
};

const struct fm_format fm_metrickit = {.info = {name, "MetricKit diagnostics (callStackTree)", true, false},
                                       FM_NEEDLES(metrickit_needles),
                                       .marks = FM_MARK_WORD,
                                       .id_form = FM_ID_UUID,
                                       .state_size = sizeof(struct metrickit_state),
                                       .firsts = FM_JSON_FIRSTS,
                                       .offer = metrickit_offer,
                                       .is_significant = metrickit_is_significant,
                                       .keeps_state = true,
                                       .reads_documents = true,
                                       .keeps = FM_KEEPS_ALL,
                                       .leads = fm_json_document_leads};
