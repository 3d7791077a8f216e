/* Implements java_part.h: keeps the exceptions of a chain on a stack, by their indentation, to find the parent of each
 * "Caused by" or "Suppressed"; and joins the lines of a message up to the first frame. */
#include "formats/java/java_part.h"

/* --- finding the trace that a cause or suppressed exception belongs to --- */

void fm_java_parts_begin(struct fm_java_parts *parts, uint64_t number, uint32_t indent)
{
    parts->numbers[0] = number;
    parts->indents[0] = indent;
    parts->count = 1;
}

static void push(struct fm_java_parts *parts, uint64_t number, uint32_t indent)
{
    if (parts->count < FM_JAVA_PARTS) parts->count++;
    parts->numbers[parts->count - 1] = number;
    parts->indents[parts->count - 1] = indent;
}

uint64_t fm_java_parts_add(struct fm_java_parts *parts, framemap_role role, uint32_t indent, uint64_t number)
{
    const bool nested = role == FRAMEMAP_ROLE_SUPPRESSED;
    if (parts->count == 0) fm_java_parts_begin(parts, number, indent);
    while (parts->count > 1 && parts->indents[parts->count - 1] + (nested ? 1 : 0) > indent) parts->count--;
    const uint64_t owner = parts->numbers[parts->count - 1];
    const bool deeper = parts->indents[parts->count - 1] < indent;
    if (role == FRAMEMAP_ROLE_CIRCULAR) return owner;
    if (deeper && nested)
        push(parts, number, indent);
    else if (!nested)
        parts->numbers[parts->count - 1] = number; /* A cause that follows will be linked to the new trace. */
    return owner;
}

uint32_t fm_java_indent(framemap_str body)
{
    uint32_t indent = 0;
    while (indent < body.size && indent < UINT32_MAX - 1 && fm_is_blank(body.data[indent])) indent++;
    return indent;
}

/* --- joining the lines of an exception's message --- */

/* Returns the message in "a.b.c: message", where `name` is "a.b.c". */
static framemap_str message_of(framemap_str text, framemap_str name)
{
    struct fm_scan s = {name.data + name.size, text.data + text.size};
    if (!fm_scan_byte(&s, ':')) return (framemap_str){NULL, 0};
    fm_scan_blanks(&s);
    return fm_scan_rest(&s);
}

void fm_java_message_begin(struct fm_java_message *message, const struct fm_line *line, const struct fm_java_head *head,
                           framemap_trace *trace)
{
    *message =
        (struct fm_java_message){head->text, head->name, line->offset, line->number1, true, line->printed.data == NULL};
    trace->exception = head->text;
    trace->exception_type = head->name;
    trace->exception_message = message_of(head->text, head->name);
}

/* Whether the message ends before a line: the line begins another string, or is a frame of another parser. */
static bool ends_message(const struct fm_java_message *message, const struct fm_line *line)
{
    if (line->number1 == message->number1 && line->first == '"') return true;
    return line->first == 'a' && fm_str_starts(fm_str_trim(line->body), FM_STR("at "));
}

/* Lists the lines between an exception and the first frame, nearest first, and returns their number. *plain: the
 * exception's line and the listed lines are one slice of the text. */
static size_t lines_between(const struct fm_java_message *message, struct fm_document *doc, const struct fm_line *line,
                            framemap_str bodies[FM_LOOK_BACK_MOST], bool *plain)
{
    struct fm_look_back walk = fm_look_back_from(doc, line, message->offset + 1, FM_LOOK_BACK_MOST);
    size_t count = 0;
    *plain = true;
    for (struct fm_line *before; count < FM_LOOK_BACK_MOST && (before = fm_look_back_next(&walk)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        if (ends_message(message, before)) {
            count = 0;
            *plain = true;
            continue;
        }
        const bool is_inside = before->body.data != before->text.data && before->number1 != message->number1;
        /* this line has a log prefix or was cleaned, so the message is not one slice of the text */
        if (is_inside || before->printed.data) *plain = false;
        bodies[count++] = before->body;
    }
    return count;
}

/* Joins the lines of a message. The lines are passed without their log prefixes. */
static framemap_str joined(struct fm_document *doc, framemap_str first, const framemap_str *bodies, size_t count)
{
    size_t size = first.size, at = first.size;
    for (size_t i = 0; i < count; i++) size += 1 + bodies[i].size;
    char *text = fm_document_alloc(doc, size);
    if (!text) return first;
    if (first.size) memcpy(text, first.data, first.size);
    for (size_t i = count; i-- > 0; at += bodies[i].size) {
        text[at++] = '\n';
        memcpy(text + at, bodies[i].data, bodies[i].size);
    }
    return fm_str(text, size);
}

void fm_java_message_end(struct fm_java_message *message, struct fm_document *doc, const struct fm_line *line,
                         framemap_trace *trace)
{
    framemap_str bodies[FM_LOOK_BACK_MOST];
    bool plain;
    if (!message->open) return;
    message->open = false;
    if (line->offset <= message->offset) return;
    const size_t count = lines_between(message, doc, line, bodies, &plain);
    if (count == 0) return;
    const char *end = bodies[0].data + bodies[0].size;
    if (plain && message->plain && end > message->text.data) {
        trace->exception = fm_str(message->text.data, (size_t)(end - message->text.data));
        trace->exception_message = message_of(trace->exception, message->name);
    } else {
        trace->exception_message = joined(doc, trace->exception_message, bodies, count);
    }
}
