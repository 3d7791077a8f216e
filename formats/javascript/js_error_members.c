/* Implements js_error_members.h. The quotes of a string's document have one backslash fewer than its line ends: none in
 * JSON, one in JSON within a string. */
#include "formats/javascript/js_error_members.h"
#include "formats/javascript/js_heading.h"
#include "formats/javascript/js_title.h"

/* A document of which a part is read, and the members that were found. */
struct members {
    framemap_str text;
    unsigned run; /* backslashes of a line end */
    framemap_str type, message;
    size_t message_rank; /* place of its name in the list below; the first is the best */
};

static const framemap_str type_names[] = {
    FM_STR_INIT("type"),           FM_STR_INIT("name"),          FM_STR_INIT("errorType"),  FM_STR_INIT("errorName"),
    FM_STR_INIT("error.type"),     FM_STR_INIT("error.name"),    FM_STR_INIT("error.kind"), FM_STR_INIT("kind"),
    FM_STR_INIT("exceptionClass"), FM_STR_INIT("exception.type")};
static const framemap_str message_names[] = {FM_STR_INIT("error.message"), FM_STR_INIT("exception.message"),
                                             FM_STR_INIT("errorMessage"),  FM_STR_INIT("message"),
                                             FM_STR_INIT("msg"),           FM_STR_INIT("error"),
                                             FM_STR_INIT("reason")};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The place of a name in a list; `count` if it is not in it. */
static size_t rank_of(framemap_str name, const framemap_str *names, size_t count)
{
    size_t i = 0;
    while (i < count && !fm_str_equal(name, names[i])) i++;
    return i;
}

/* Whether a value of "type" or "name" is an error's: other events have these members, too. */
static bool is_type(framemap_str value)
{
    return fm_js_names_error(value) && fm_str_find_byte(value, ' ') == FM_NOT_FOUND;
}

static void take(struct members *members, framemap_str name, framemap_str value)
{
    if (rank_of(name, type_names, COUNT(type_names)) < COUNT(type_names) && is_type(value)) members->type = value;
    const size_t rank = rank_of(name, message_names, COUNT(message_names));
    if (rank >= members->message_rank || value.size == 0) return;
    members->message = value;
    members->message_rank = rank;
}

/* --- the members before and after the string --- */

static size_t backslashes_before(framemap_str text, size_t at)
{
    size_t count = 0;
    while (count < at && text.data[at - count - 1] == '\\') count++;
    return count;
}

/* Whether the quote at `at` begins or ends a string of the document, rather than being within one. */
static bool is_end(const struct members *members, size_t at)
{
    const size_t own = members->run - 1, count = backslashes_before(members->text, at);
    return count >= own && (count - own) % (2 * members->run) == 0;
}

/* The string that ends at the quote at *at, which becomes that of its begin. Returns false if its begin is too far. */
static bool string_before(const struct members *members, size_t *at, framemap_str *out)
{
    size_t begin = *at;
    while (begin > 0 && !(members->text.data[begin - 1] == '"' && is_end(members, begin - 1))) begin--;
    if (begin == 0) return false;
    *out = fm_str_slice(members->text, begin, *at - (members->run - 1));
    *at = begin - 1;
    return true;
}

/* The string that begins after the quote at *at, which becomes that of its end. */
static bool string_after(const struct members *members, size_t *at, framemap_str *out)
{
    const framemap_str text = members->text;
    size_t end = *at + 1;
    while (end < text.size && text.data[end] != '\n' && !(text.data[end] == '"' && is_end(members, end))) end++;
    if (end >= text.size || text.data[end] == '\n') return false;
    *out = fm_str_slice(text, *at + 1, end - (members->run - 1));
    *at = end;
    return true;
}

/* How a walk over the members of an object goes on. */
struct walk {
    size_t depth;       /* of what is within the object */
    framemap_str first; /* the last string of a member that is not yet complete; absent: none */
    bool colon;         /* it was followed by a colon */
};

/* Handles a byte outside of strings. open, close: brackets, in the direction of the walk. Returns false at the end of
 * the object. */
static bool pass(struct walk *walk, char c, const char *open, const char *close)
{
    if (c == close[0] || c == close[1]) {
        if (walk->depth == 0) return false;
        walk->depth--;
    }
    walk->depth += c == open[0] || c == open[1];
    if (c == ',') *walk = (struct walk){.depth = walk->depth};
    if (c == ':') walk->colon = walk->first.data != NULL;
    return true;
}

/* at: the quote that the string with the stack begins with. */
static void read_before(struct members *members, size_t at)
{
    struct walk walk = {.depth = 0};
    framemap_str string;
    while (at-- > 0) {
        const char c = members->text.data[at];
        if (c != '"') {
            if (!pass(&walk, c, "}]", "{[")) return;
            continue;
        }
        if (!string_before(members, &at, &string)) return;
        if (walk.depth == 0 && walk.colon) take(members, string, walk.first);
        walk.first = walk.colon || walk.depth ? (framemap_str){NULL, 0} : string;
        walk.colon = false;
    }
}

/* at: the quote that the string with the stack ends with. */
static void read_after(struct members *members, size_t at)
{
    struct walk walk = {.depth = 0};
    framemap_str string;
    const size_t left = members->text.size - at;
    members->text.size = at + (left < FM_JS_MEMBERS_MOST ? left : FM_JS_MEMBERS_MOST);
    while (++at < members->text.size && members->text.data[at] != '\n') {
        const char c = members->text.data[at];
        if (c != '"') {
            if (!pass(&walk, c, "{[", "}]")) return;
            continue;
        }
        if (!string_after(members, &at, &string)) return;
        if (walk.depth == 0 && walk.colon) take(members, walk.first, string);
        walk.first = walk.colon || walk.depth ? (framemap_str){NULL, 0} : string;
        walk.colon = false;
    }
}

/* --- what they say --- */

/* The character that an escape such as "\n" stands for; the one after the backslash if it is no such escape. */
static char escaped(char c)
{
    if (c == 'n') return '\n';
    return c == 't' ? '\t' : c;
}

/* The value without escaped quotes, line ends and tabs; other escapes stay. */
static framemap_str plain(struct fm_document *doc, framemap_str value, unsigned run)
{
    if (fm_str_find_byte(value, '\\') == FM_NOT_FOUND) return value;
    char *out = fm_document_alloc(doc, value.size);
    size_t size = 0;
    if (out == NULL) return value;
    for (size_t at = 0; at < value.size; at++) {
        size_t count = 0;
        while (at + count < value.size && value.data[at + count] == '\\') count++;
        const char next = at + count < value.size ? value.data[at + count] : '\0';
        const bool is_known = next == '"' || (count == run && (next == 'n' || next == 't' || next == '/'));
        if (count == 0 || !is_known) {
            out[size++] = value.data[at];
            continue;
        }
        out[size++] = next == '"' ? next : escaped(next);
        at += count;
    }
    return fm_str(out, size);
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

static void set_error(struct fm_document *doc, framemap_str type, framemap_str message, framemap_trace *trace)
{
    framemap_str error;
    if (fm_js_head(message, false, &error)) {
        fm_js_error_set(trace, error);
        return;
    }
    trace->exception = joined(doc, type, message);
    trace->exception_type = type;
    trace->exception_message = message;
}

void fm_js_error_members(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    size_t at;
    struct members members = {.run = line->run, .message_rank = COUNT(message_names)};
    members.text = fm_document_around(doc, line, FM_JS_MEMBERS_MOST, &at);
    if (line->run == 0 || at == 0 || members.text.data[at - 1] != '"' || !is_end(&members, at - 1)) return;
    framemap_str stack;
    if (at > FM_JS_MEMBERS_MOST) {
        members.text = fm_str_from(members.text, at - FM_JS_MEMBERS_MOST);
        at = FM_JS_MEMBERS_MOST;
    }
    size_t quote = at - 1;
    read_before(&members, quote);
    if (string_after(&members, &quote, &stack)) read_after(&members, quote);
    set_error(doc, members.type, plain(doc, members.message, members.run), trace);
}
