/* Implements record_line.h: walks over the members of an object, as far as their names are needed. */
#include "formats/scan/record_line.h"

/* --- walking over members --- */

/* Returns the object at the end of a line; absent if there is none. The text before it may be the prefix of a logger:
 * it has no quote, and a blank separates it from the object. */
static framemap_str object_of(framemap_str text)
{
    enum { PREFIX_MOST = 256 };
    const framemap_str line = fm_str_trim(text);
    if (line.size < 2 || line.data[line.size - 1] != '}') return fm_str(NULL, 0);
    if (line.data[0] == '{') return line;
    const framemap_str head = fm_str_slice(line, 0, PREFIX_MOST);
    const size_t open = fm_str_find_byte(head, '{');
    if (open == FM_NOT_FOUND || !fm_is_blank(head.data[open - 1])) return fm_str(NULL, 0);
    return fm_str_find_byte(fm_str(head.data, open), '"') == FM_NOT_FOUND ? fm_str_from(line, open) : fm_str(NULL, 0);
}

bool fm_record_may_be(framemap_str text) { return object_of(text).size > 0; }

struct fm_record_walk fm_record_walk_of(framemap_str text)
{
    const framemap_str object = object_of(text);
    return (struct fm_record_walk){.scan = fm_scan_of(object), .done = object.size == 0};
}

/* Takes the string at a quote. */
static bool take_string(struct fm_scan *s, framemap_str *content)
{
    const char *const from = ++s->at;
    while (s->at < s->end && *s->at != '"') s->at += *s->at == '\\' ? 2 : 1;
    if (s->at >= s->end) return false;
    *content = fm_str(from, (size_t)(s->at++ - from));
    return true;
}

static bool ends_scalar(char c) { return c == ',' || c == '}' || c == ']' || fm_is_blank(c); }

/* Takes a number, true, false or null. */
static framemap_str take_scalar(struct fm_scan *s)
{
    const char *const from = s->at;
    while (s->at < s->end && !ends_scalar(*s->at)) s->at++;
    return fm_str(from, (size_t)(s->at - from));
}

/* Takes a bracket or a comma. */
static void take_mark(struct fm_record_walk *walk)
{
    const char c = *walk->scan.at++;
    if (c == '{' || c == '[') walk->depth++;
    if (c == '}' || c == ']') walk->depth--;
    walk->name = fm_str(NULL, 0);
    if (walk->depth == 0) walk->done = true;
}

bool fm_record_next(struct fm_record_walk *walk)
{
    struct fm_scan *s = &walk->scan;
    walk->name = fm_str(NULL, 0);
    while (!walk->done) {
        fm_scan_blanks(s);
        if (fm_scan_done(s)) break;
        if (ends_scalar(*s->at) || *s->at == '{' || *s->at == '[') {
            take_mark(walk);
            continue;
        }
        walk->is_string = *s->at == '"';
        if (!walk->is_string) {
            walk->value = take_scalar(s);
        } else if (!take_string(s, &walk->value)) {
            break;
        }
        fm_scan_blanks(s);
        if (walk->is_string && walk->name.data == NULL && fm_scan_byte(s, ':'))
            walk->name = walk->value;
        else if (walk->name.data)
            return true;
    }
    walk->done = true;
    return false;
}

/* --- finding the line --- */

/* Whether a member with this name has a line of the program's output: Filebeat and Vector write "message", Fluent Bit
 * "log", Google's logs "textPayload", Loki "line", systemd's journal "MESSAGE", OpenTelemetry "body". */
static bool names_line(framemap_str name)
{
    static const framemap_str names[] = {FM_STR_INIT("message"),     FM_STR_INIT("msg"),  FM_STR_INIT("log"),
                                         FM_STR_INIT("textPayload"), FM_STR_INIT("line"), FM_STR_INIT("MESSAGE"),
                                         FM_STR_INIT("body"),        FM_STR_INIT("text")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal(name, names[i])) return true;
    return false;
}

/* Whether the rest of a record is that of MongoDB, whose frames are in members below "msg". */
static bool is_mongodb(const struct fm_scan *rest) { return fm_str_starts(fm_scan_rest(rest), FM_STR(",\"attr\":")); }

/* Whether a string is a row such as "at a.b.c(SourceFile:1)" or "#00 pc 00001234 libfoo.so", after escaped tabs. */
static bool is_row(framemap_str value)
{
    uint64_t number;
    bool overflow;
    value = fm_str_trim(value);
    while (fm_str_starts(value, FM_STR("\\t"))) value = fm_str_trim(fm_str_from(value, 2));
    struct fm_scan s = fm_scan_of(value);
    if (fm_scan_byte(&s, '#')) return fm_scan_dec(&s, &number, &overflow) && fm_scan_blanks1(&s);
    if (!fm_str_starts(value, FM_STR("at "))) return false;
    return fm_str_find_byte(value, '(') != FM_NOT_FOUND || fm_is_digit(value.data[value.size - 1]);
}

framemap_str fm_record_line(framemap_str text)
{
    struct fm_record_walk walk = fm_record_walk_of(text);
    framemap_str line = {NULL, 0};
    bool has_row = false; /* in another string */
    while (fm_record_next(&walk)) {
        if (!walk.is_string) continue;
        if (line.data == NULL && walk.depth == 1 && names_line(walk.name)) {
            line = walk.value;
            if (is_mongodb(&walk.scan)) return fm_str(NULL, 0);
            if (is_row(line)) return line;
        } else if (!has_row) {
            has_row = is_row(walk.value);
        }
    }
    return has_row ? fm_str(NULL, 0) : line;
}
