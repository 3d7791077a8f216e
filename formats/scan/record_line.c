/* Implements record_line.h: walks over the members of the outermost object up to the one with a known name. */
#include "formats/scan/record_line.h"
#include "core/text/scan.h"

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

/* Takes the string at a quote; *content: what is between its quotes. */
static bool take_string(struct fm_scan *s, framemap_str *content)
{
    const char *from = ++s->at;
    while (s->at < s->end && *s->at != '"') s->at += *s->at == '\\' ? 2 : 1;
    if (s->at >= s->end) return false;
    *content = fm_str(from, (size_t)(s->at++ - from));
    return true;
}

/* Whether the rest of a record is that of MongoDB, whose frames are in members below "msg". */
static bool is_mongodb(const struct fm_scan *rest) { return fm_str_starts(fm_scan_rest(rest), FM_STR(",\"attr\":")); }

framemap_str fm_record_line(framemap_str text)
{
    const framemap_str none = {NULL, 0}, record = fm_str_trim(text);
    struct fm_scan s = fm_scan_of(record);
    framemap_str name = none, content;
    unsigned depth = 0;
    if (record.size < 2 || record.data[0] != '{' || record.data[record.size - 1] != '}') return none;
    while (s.at < s.end) {
        const char c = *s.at;
        if (c == '"') {
            if (!take_string(&s, &content)) return none;
            fm_scan_blanks(&s);
            const bool is_name = depth == 1 && s.at < s.end && *s.at == ':';
            if (depth == 1 && !is_name && names_line(name)) return is_mongodb(&s) ? none : content;
            name = is_name ? content : depth == 1 ? none : name;
            continue;
        }
        if (c == '{' || c == '[') depth++;
        if (c == '}' || c == ']') depth--;
        if (c == ',' && depth == 1) name = none;
        s.at++;
        if (depth == 0) return none;
    }
    return none;
}
