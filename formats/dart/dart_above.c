/* Parses the header of a Dart trace, and searches the lines above it for the error. See dart_above.h. */
#include "formats/dart/dart_above.h"

#include "formats/row_parts.h"

/* Maximum number of lines above a trace that are searched. Flutter prints that many between an error and its stack. */
#define DART_ABOVE 12

bool fm_dart_read_thread(struct fm_dart_state *state, framemap_str body)
{
    body = fm_str_trim(body); /* the blank after "flutter:" is not part of that prefix */
    if (!fm_str_starts(body, FM_STR("pid"))) return false;
    const framemap_str mark = FM_STR(", name "), tid = FM_STR("tid: ");
    const size_t at = fm_str_find(body, mark), id = fm_str_find(body, tid);
    if (at == FM_NOT_FOUND || id == FM_NOT_FOUND) return false;
    state->thread = fm_str_trim(fm_str_from(body, at + mark.size));
    state->thread_id = id < at ? fm_str_slice(body, id + tid.size, at) : (framemap_str){NULL, 0};
    struct fm_scan s = fm_scan_of(body);
    state->has_process_id = fm_scan_text(&s, FM_STR("pid: ")) && fm_scan_dec(&s, &state->process_id, NULL);
    return true;
}

/* Records the names in one line of an error as mentions, since they may be obfuscated. A mention is a name that is
 * printed outside of a frame, and is restored there. */
static void mention_names(struct fm_document *doc, const struct fm_line *line, framemap_str text, bool leads)
{
    struct fm_dart_names names = {.line = text, .leads = leads};
    framemap_str name;
    while (fm_dart_names_next(&names, &name)) {
        framemap_mention mention = {.exception = names.is_error};
        mention.raw = fm_line_printed(line, name, &mention.raw_offset);
        if (!fm_document_mention(doc, &mention)) return;
    }
}

/* Parses a line above the trace. *next, on entry: the line before announced that the error is on this line. On return:
 * this line announced that the error is on the next one. */
static void read_line_above(struct fm_document *doc, framemap_trace *trace, const struct fm_line *line, bool *next)
{
    framemap_str text = line->body, announced;
    bool leads = *next;
    if (*next && fm_str_trim(text).size == 0) return;
    if (*next) trace->exception = fm_str_trim(text);
    *next = false;
    if (fm_dart_announces(text, &announced)) {
        *next = announced.size == 0;
        if (announced.size) {
            trace->exception = text = announced;
            leads = true;
        }
    }
    mention_names(doc, line, text, leads);
}

/* Cuts the type off the message of a crash report of Flutter's tool, which prints the type twice. */
static void cut_repeated_type(framemap_str type, framemap_str *message)
{
    if (type.size && fm_str_starts(*message, type) && fm_str_starts(fm_str_from(*message, type.size), FM_STR(": ")))
        *message = fm_str_from(*message, type.size + 2);
}

/* Splits the error into type and message. lines: the lines between the error and the trace, which belong to the
 * message. report: the lines are from a crash report of Flutter's tool. */
static void split_error(struct fm_document *doc, framemap_trace *trace, const framemap_str *lines, size_t count,
                        bool report)
{
    framemap_str message[DART_ABOVE + 1];
    size_t parts = 0;
    fm_dart_error_parts(trace->exception, &trace->exception_type, &message[0]);
    if (report) cut_repeated_type(trace->exception_type, &message[0]);
    parts += message[0].size != 0;
    for (size_t i = 0; i < count; i++) {
        if (fm_str_starts(lines[i], FM_STR("Warning: This VM"))) break;
        if (report && (lines[i].size == 0 || fm_str_starts(lines[i], FM_STR("```")))) break;
        message[parts++] = lines[i];
    }
    trace->exception_message = fm_row_join(doc, message, parts);
}

void fm_dart_read_error(const struct fm_dart_state *state, struct fm_document *doc, framemap_trace *trace,
                        const struct fm_line *line)
{
    struct fm_look_back walk = fm_look_back_from(doc, line, state->floor, DART_ABOVE);
    struct fm_line *lines[DART_ABOVE];
    framemap_str after[DART_ABOVE];
    size_t count = 0, message = 0;
    bool next = false, report = false;
    while (count < DART_ABOVE && (lines[count] = fm_look_back_next(&walk)) != NULL) count++;
    while (count-- > 0) {
        if (!fm_line_cut(lines[count])) continue;
        const framemap_str before = trace->exception;
        report = report || fm_dart_announces_crash(lines[count]->body);
        read_line_above(doc, trace, lines[count], &next);
        if (next || trace->exception.data != before.data)
            message = 0;
        else if (trace->exception.size)
            after[message++] = fm_str_trim(lines[count]->body);
    }
    if (trace->exception.size) split_error(doc, trace, after, message, report);
}

/* Reads "BuildId: …", which Crashlytics prints on a line of its own. */
static bool read_build_id(struct fm_dart_state *state, const struct fm_line *line)
{
    if (line->first != 'B') return false;
    const framemap_str mark = FM_STR("BuildId: ");
    framemap_str id = fm_str_trim(line->body);
    if (!fm_str_starts(id, mark)) return false;
    id = fm_str_from(id, mark.size);
    if (id.size != 32) return false;
    for (size_t i = 0; i < id.size; i++)
        if (!fm_is_hex(id.data[i]) || (id.data[i] >= 'A' && id.data[i] <= 'F')) return false;
    state->header = (struct fm_dart_header){.unit_count = 0};
    memcpy(state->header.id, id.data, id.size);
    return true;
}

/* Whether the text ends with a hexadecimal number after ": " or "=". */
static bool ends_with_address(framemap_str body)
{
    size_t at = body.size;
    while (at > 0 && fm_is_hex(body.data[at - 1])) at--;
    if (at == body.size || at == 0) return false;
    return body.data[at - 1] == '=' || (at > 1 && body.data[at - 1] == ' ' && body.data[at - 2] == ':');
}

/* Whether a line may belong to the header of a trace, judged by its end: header lines have endings that few other lines
 * have. */
static bool may_be_header(framemap_str body)
{
    switch (body.size ? body.data[body.size - 1] : 0) {
    case '*': return fm_str_ends(body, FM_STR("***"));
    case '\'': return body.size > 1 && fm_is_hex(body.data[body.size - 2]);
    case 'o': return fm_str_ends(body, FM_STR("no"));
    case 's': return fm_str_ends(body, FM_STR("yes"));
    default: return ends_with_address(body);
    }
}

bool fm_dart_read_header(struct fm_dart_state *state, const struct fm_line *line)
{
    return (may_be_header(line->body) && fm_dart_header_line(&state->header, line->body)) || read_build_id(state, line);
}

bool fm_dart_is_header(const struct fm_line *line)
{
    struct fm_dart_header header;
    header.unit_count = 0;
    header.id[0] = '\0';
    if (may_be_header(line->body) && fm_dart_header_line(&header, line->body)) return true;
    return line->first == 'B' && fm_str_starts(fm_str_trim(line->body), FM_STR("BuildId: "));
}

unsigned fm_dart_leads(const struct fm_line *line, bool announced)
{
    framemap_str error, name;
    struct fm_dart_names names = {.line = line->body, .leads = announced};
    if (fm_dart_announces(line->body, &error)) return DART_ABOVE | (error.size == 0 ? FM_LEADS_NEXT : 0);
    return fm_dart_names_next(&names, &name) ? DART_ABOVE : 0;
}
