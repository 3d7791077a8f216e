/* Implements error_members.h. The JSON document with the stack may itself be a string of another document, so its
 * quotes have backslashes. A quote of the document has one backslash fewer than a line end ("\n") in the string with
 * the stack: none in plain JSON, and one in JSON within a string. */
#include "formats/error_members.h"
#include "core/text/unescape.h"
#include "formats/signal_names.h"

/* Members are read from at most this many lines below the string. The number is large because lists of attributes are
 * long. */
#define LINES_BELOW 32

/* A part of a document that is being read, and what was found in it. */
struct reading {
    framemap_str text;
    struct fm_error_members *members;
    framemap_str type, message;
    /* value of the current attribute; since attributes are read backwards, the value is read before its key */
    framemap_str value;
    bool is_attribute; /* the string with the stack is the value of an attribute */
};

/* Names of members, the best first: the first TYPES names are for an error's type, the others for its message. */
static const framemap_str names[] = {FM_STR_INIT("errorType"),
                                     FM_STR_INIT("type"),
                                     FM_STR_INIT("name"),
                                     FM_STR_INIT("errorName"),
                                     FM_STR_INIT("error.type"),
                                     FM_STR_INIT("error.name"),
                                     FM_STR_INIT("error.kind"),
                                     FM_STR_INIT("kind"),
                                     FM_STR_INIT("exceptionClass"),
                                     FM_STR_INIT("errorClass"),
                                     FM_STR_INIT("error.object"),
                                     FM_STR_INIT("exception.type"),
                                     FM_STR_INIT("error.message"),
                                     FM_STR_INIT("exception.message"),
                                     FM_STR_INIT("errorMessage"),
                                     FM_STR_INIT("message"),
                                     FM_STR_INIT("msg"),
                                     FM_STR_INIT("error"),
                                     FM_STR_INIT("reason")};
enum { ERROR_TYPE = 1, TYPES = 12, NAMES = sizeof names / sizeof *names };

/* Returns the position of a name in the list of member names, from 1; 0: the name is not in it. */
static unsigned number_of(framemap_str name)
{
    for (unsigned i = 0; i < NAMES; i++)
        if (fm_str_equal(name, names[i])) return i + 1;
    return 0;
}

/* Whether the value is a signal, as Datadog's "SIGABRT (#0)". */
static bool is_signal(framemap_str value)
{
    return fm_is_signal_name(fm_str_slice(value, 0, fm_str_find(value, FM_STR(" (#"))));
}

/* Whether the value of a member such as "type" or "name" is the type of an error: events of other kinds have such
 * members too. */
static bool is_type(framemap_str value)
{
    if (is_signal(value)) return true;
    /* names such as NS_ERROR_FAILURE are types of errors in the code of Firefox itself */
    if (fm_str_starts(value, FM_STR("NS_ERROR_"))) return true;
    return fm_error_is_name(value) && fm_str_find_byte(value, ' ') == FM_NOT_FOUND;
}

/* Stores the value of a member, if its name is in the list of member names. name: the position in that list, from
 * number_of(). */
static void take(struct reading *reading, unsigned name, framemap_str value)
{
    if (name == 0 || value.size == 0) return;
    if (name == ERROR_TYPE && fm_str_find_byte(value, ' ') == FM_NOT_FOUND) {
        reading->type = value; /* AWS Lambda's "errorType" may be a class of any name */
        reading->members->is_named = true;
    } else if (name <= TYPES) {
        if (is_type(value) && !reading->members->is_named) reading->type = value;
    } else if (name < reading->members->message_name) {
        reading->message = value;
        reading->members->message_name = name;
    }
}

/* --- reading attributes that name an error --- */

/* Whether a member belongs to the value of an attribute: "value" in {"key":"a","value":"b"}, or "stringValue" in
 * {"key":"a","value":{"stringValue":"b"}}. depth: brackets that are open around the member. */
static bool is_value(framemap_str name, unsigned depth)
{
    return (depth == 1 && fm_str_equal(name, FM_STR("value"))) ||
           (depth == 2 && fm_str_equal(name, FM_STR("stringValue")));
}

static void take_attribute(struct reading *reading, framemap_str name, framemap_str value, bool backwards)
{
    struct fm_error_members *members = reading->members;
    const bool is_key = members->depth == 1 && fm_str_equal(name, FM_STR("key"));
    if (is_key && backwards) {
        take(reading, number_of(value), reading->value);
        reading->is_attribute = true;
    }
    if (is_key) members->key = backwards ? 0 : number_of(value);
    if (!is_value(name, members->depth)) return;
    if (backwards)
        reading->value = value;
    else
        take(reading, members->key, value);
}

static void take_member(struct reading *reading, framemap_str name, framemap_str value, bool backwards)
{
    if (reading->members->levels)
        take_attribute(reading, name, value, backwards);
    else if (reading->members->depth == 0)
        take(reading, number_of(name), value);
}

/* --- reading the JSON members before and after the string with the stack --- */

static size_t backslashes_before(framemap_str text, size_t at)
{
    size_t count = 0;
    while (count < at && text.data[at - count - 1] == '\\') count++;
    return count;
}

/* Whether the quote at `at` begins or ends a string of the document. Other quotes are escaped, and are within a
 * string. */
static bool is_end(const struct reading *reading, size_t at)
{
    const size_t run = reading->members->run, own = run - 1, count = backslashes_before(reading->text, at);
    return count >= own && (count - own) % (2 * run) == 0;
}

/* Finds the string that ends at the quote at *at, and sets *at to the quote at the string's start. Returns false if the
 * start is too far away. */
static bool string_before(const struct reading *reading, size_t *at, framemap_str *out)
{
    size_t begin = *at;
    while (begin > 0 && !(reading->text.data[begin - 1] == '"' && is_end(reading, begin - 1))) begin--;
    if (begin == 0) return false;
    *out = fm_str_slice(reading->text, begin, *at - (reading->members->run - 1));
    *at = begin - 1;
    return true;
}

/* Finds the string that begins after the quote at *at, and sets *at to the quote at the string's end. */
static bool string_after(const struct reading *reading, size_t *at, framemap_str *out)
{
    const framemap_str text = reading->text;
    size_t end = *at + 1;
    while (end < text.size && text.data[end] != '\n' && !(text.data[end] == '"' && is_end(reading, end))) end++;
    if (end >= text.size || text.data[end] == '\n') return false;
    *out = fm_str_slice(text, *at + 1, end - (reading->members->run - 1));
    *at = end;
    return true;
}

/* State of the walk over the members of an object. */
struct walk {
    framemap_str first; /* the first string of a member; absent: no string was read yet */
    bool colon;         /* a colon followed the first string */
};

/* Handles a byte outside of strings. open, close: the brackets that open and close in the direction of the walk.
 * Returns false at the end of the object, or of the list of attributes. */
static bool pass(struct reading *reading, struct walk *walk, char c, const char *open, const char *close)
{
    struct fm_error_members *members = reading->members;
    const bool opens = c == open[0] || c == open[1], closes = c == close[0] || c == close[1];
    if (closes && members->depth-- == 0) return false;
    if (opens && members->depth++ == 0) {
        reading->value = fm_str(NULL, 0);
        members->key = 0;
    }
    if (opens || closes || c == ',') *walk = (struct walk){.colon = false};
    if (c == ':') walk->colon = walk->first.data != NULL;
    return true;
}

/* Reads the members before the value with the stack, from right to left. at: where the value begins. Returns the
 * position of the bracket before the first member; 0 if it was not reached. */
static size_t read_before(struct reading *reading, size_t at)
{
    struct walk walk = {.colon = false};
    framemap_str string;
    while (at-- > 0) {
        const char c = reading->text.data[at];
        if (c != '"') {
            if (!pass(reading, &walk, c, "}]", "{[")) return at;
            continue;
        }
        if (!string_before(reading, &at, &string)) return 0;
        if (walk.colon) take_member(reading, string, walk.first, true);
        walk.first = walk.colon ? fm_str(NULL, 0) : string;
        walk.colon = false;
    }
    return 0;
}

/* Reads the members from `at` to the end of the line. Returns false at the end of the object, or where the text is
 * not JSON. */
static bool read_after(struct reading *reading, size_t at)
{
    struct walk walk = {.colon = false};
    framemap_str string;
    for (; at < reading->text.size && reading->text.data[at] != '\n'; at++) {
        const char c = reading->text.data[at];
        if (c != '"') {
            if (!pass(reading, &walk, c, "{[", "}]")) return false;
            continue;
        }
        if (!string_after(reading, &at, &string)) return false;
        if (walk.colon) take_member(reading, walk.first, string, false);
        walk.first = walk.colon ? fm_str(NULL, 0) : string;
        walk.colon = false;
    }
    return true;
}

/* Returns the name of the member whose value begins with the quote at `at`; absent if no member's value begins
 * there. */
static framemap_str name_before(const struct reading *reading, size_t at)
{
    framemap_str name = {NULL, 0};
    size_t blank = 0;
    bool colon = false;
    for (; at > 0 && blank < 8; at--, blank++) {
        const char c = reading->text.data[at - 1];
        if (c == ':' && !colon)
            colon = true;
        else if (!fm_is_blank(c))
            break;
    }
    if (!colon || at == 0 || reading->text.data[at - 1] != '"') return name;
    at--;
    return string_before(reading, &at, &name) ? name : fm_str(NULL, 0);
}

/* Reads what precedes the value with the stack: the attributes before it, if it is the value of an attribute, otherwise
 * the members before it. at: where the value begins; name: the member that has the value. */
static void read_all_before(struct reading *reading, size_t at, framemap_str name)
{
    const struct fm_error_members start = *reading->members;
    const unsigned levels = is_value(name, 2) ? 2 : is_value(name, 1) ? 1 : 0;
    if (levels) {
        reading->members->levels = reading->members->depth = levels;
        (void)read_before(reading, at);
        if (reading->is_attribute) {
            reading->members->depth = levels;
            return;
        }
        *reading->members = start;
        reading->type = reading->message = fm_str(NULL, 0);
    }
    const size_t bracket = read_before(reading, at);
    reading->members->depth = 0;
    reading->members->is_cause = bracket && fm_str_equal(name_before(reading, bracket), FM_STR("cause"));
}

/* If the string that begins at *at is the first element of a list, sets *at to the list's opening bracket. */
static bool leave_list(const struct reading *reading, size_t *at)
{
    size_t before = *at;
    while (before > 0 && (fm_is_blank(reading->text.data[before - 1]) || reading->text.data[before - 1] == '\n' ||
                          reading->text.data[before - 1] == '\r'))
        before--;
    if (before == 0 || reading->text.data[before - 1] != '[') return false;
    *at = before - 1;
    return true;
}

/* --- setting the error that the members name --- */

/* Returns the value with its escapes decoded. */
static framemap_str plain(struct fm_document *doc, framemap_str value, unsigned run)
{
    if (fm_str_find_byte(value, '\\') == FM_NOT_FOUND) return value;
    char *out = fm_document_alloc(doc, value.size);
    return out ? fm_str(out, fm_unescape(value, run, out)) : value;
}

static framemap_str joined(struct fm_document *doc, framemap_str type, framemap_str message)
{
    if (type.size == 0 || message.size == 0) return type.size ? type : message;
    char *out = fm_document_alloc(doc, type.size + 2 + message.size);
    if (out == NULL) return type;
    memcpy(out, type.data, type.size);
    memcpy(out + type.size, ": ", 2);
    memcpy(out + type.size + 2, message.data, message.size);
    return fm_str(out, type.size + 2 + message.size);
}

/* Copies the type and message found on one line to the trace, unless better ones were found before. */
static void set_error(struct fm_document *doc, const struct reading *reading, framemap_trace *trace)
{
    const framemap_str message = plain(doc, reading->message, reading->members->run);
    framemap_str error;
    if (reading->members->is_whole || (reading->type.size == 0 && message.size == 0)) return;
    const struct fm_error_rules *const rules = reading->members->rules;
    if ((!reading->members->is_named || fm_str_starts(message, reading->type)) && rules->find(message, &error)) {
        rules->set(trace, error);
        fm_document_title_is_decoded(doc);
        reading->members->is_whole = true;
        return;
    }
    if (reading->type.size) trace->exception_type = reading->type;
    if (message.size) trace->exception_message = message;
    fm_document_title_is_decoded(doc);
    trace->exception = joined(doc, trace->exception_type, trace->exception_message);
}

/* Requests the next line if it may have further members. A document within a string has no further lines. */
static void await(struct fm_error_members *members, struct fm_document *doc, const struct fm_line *line, bool goes_on)
{
    if (members->lines_left) members->lines_left--;
    if (!goes_on || members->run != 1 || members->is_whole) members->lines_left = 0;
    members->number1 = line->number1;
    members->text_number1 = line->text_number1;
    if (members->lines_left) fm_document_offer_until(doc, line->number1 + 1);
}

/* Returns the offset in a line at which its JSON string begins; 0 if the whole line is a piece of a string. */
static size_t start_of(const struct fm_line *line)
{
    if (line->run || line->printed.data || line->first != '"') return 0;
    return (size_t)(line->body.data - line->text.data) + fm_str_find_byte(line->body, '"') + 1;
}

void fm_error_members_read(struct fm_error_members *members, struct fm_document *doc, const struct fm_line *line,
                           framemap_trace *trace, const struct fm_error_rules *rules)
{
    size_t at;
    *members = (struct fm_error_members){
        .rules = rules, .run = line->run ? line->run : 1, .message_name = NAMES + 1, .trace = trace->number};
    struct reading reading = {.members = members};
    reading.text = fm_document_around(doc, line, FM_ERROR_MEMBERS_MOST, &at);
    at += start_of(line);
    if (at == 0 || reading.text.data[at - 1] != '"' || !is_end(&reading, at - 1)) return;
    framemap_str stack;
    if (at > FM_ERROR_MEMBERS_MOST) {
        reading.text = fm_str_from(reading.text, at - FM_ERROR_MEMBERS_MOST);
        at = FM_ERROR_MEMBERS_MOST;
    }
    size_t quote = at - 1;
    size_t value = quote - (members->run - 1);
    const bool is_list = leave_list(&reading, &value);
    if (line->run == 0 && !is_list) return;
    const framemap_str name = name_before(&reading, value);
    read_all_before(&reading, value, name);
    members->depth += is_list;
    bool goes_on = string_after(&reading, &quote, &stack);
    if (goes_on) {
        const size_t left = reading.text.size - quote;
        reading.text.size = quote + (left < FM_ERROR_MEMBERS_MOST ? left : FM_ERROR_MEMBERS_MOST);
        goes_on = read_after(&reading, quote + 1) && left <= FM_ERROR_MEMBERS_MOST;
    }
    set_error(doc, &reading, trace);
    members->lines_left = LINES_BELOW;
    await(members, doc, line, goes_on && name.size > 0);
}

void fm_error_members_below(struct fm_error_members *members, struct fm_document *doc, const struct fm_line *line,
                            const char *format)
{
    if (members->lines_left == 0 || line->text_number1 == members->text_number1) return;
    framemap_trace *trace = line->number1 - members->number1 <= 1 ? fm_document_open(doc, format) : NULL;
    if (trace == NULL || trace->number != members->trace) {
        members->lines_left = 0;
        return;
    }
    struct reading reading = {.members = members, .text = line->body};
    if (line->run) reading.text = fm_document_physical_line(doc, line, FM_ERROR_MEMBERS_MOST);
    if (reading.text.data == NULL || reading.text.size > FM_ERROR_MEMBERS_MOST) {
        members->lines_left = 0;
        return;
    }
    const bool goes_on = read_after(&reading, 0);
    set_error(doc, &reading, trace);
    await(members, doc, line, goes_on);
}
