/* Recognizes the prefixes of log_shapes.h by their first bytes. Must not know the prefixes of log_prefix.c, which are
 * tried before and after these. Sources: RFC 3164 and 5424, journalctl's man page, the default layouts of Log4j,
 * Logback, Spring Boot, Python's logging, Loguru and winston, and what the services named here print. */
#include "formats/scan/prefix/log_shapes.h"
#include "core/cpu.h"
#include "formats/line.h"

#define FIELD_MOST 256 /* bytes of one field: the longest are names of pods, which have up to 253 */

static bool digits(struct fm_scan *s, size_t least, size_t most)
{
    size_t count = 0;
    while (count < most && (size_t)(s->end - s->at) > count && fm_is_digit(s->at[count])) count++;
    if (count < least) return false;
    s->at += count;
    return true;
}

/* 'd': a digit; other characters: themselves. */
static bool shape(struct fm_scan *s, const char *pattern)
{
    const char *p = s->at;
    for (; *pattern; pattern++, p++)
        if (p == s->end || (*pattern == 'd' ? !fm_is_digit(*p) : *p != *pattern)) return false;
    s->at = p;
    return true;
}

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/* Bytes up to `stop`, within the limit of a field. */
static bool field(struct fm_scan *s, char stop, framemap_str *out)
{
    const size_t left = (size_t)(s->end - s->at), most = left < FIELD_MOST ? left : FIELD_MOST;
    const char *found = fm_find(s->at, most, stop);
    if (!found) return false;
    *out = fm_str(s->at, (size_t)(found - s->at));
    s->at = found + 1;
    return true;
}

/* A word without blanks, within the limit of a field, and the blanks after it. */
static bool word(struct fm_scan *s, framemap_str *out)
{
    struct fm_scan t = *s;
    if (!fm_scan_word(&t, out) || out->size > FIELD_MOST || !fm_scan_blanks1(&t)) return false;
    *s = t;
    return true;
}

static bool is_severity(framemap_str text)
{
    static const framemap_str words[] = {FM_STR_INIT("error"),    FM_STR_INIT("warn"),   FM_STR_INIT("warning"),
                                         FM_STR_INIT("info"),     FM_STR_INIT("debug"),  FM_STR_INIT("fatal"),
                                         FM_STR_INIT("trace"),    FM_STR_INIT("log"),    FM_STR_INIT("err"),
                                         FM_STR_INIT("critical"), FM_STR_INIT("severe"), FM_STR_INIT("verbose")};
    if (text.size < 3 || text.size > 8) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text.size == words[i].size && fm_str_equal_nocase(text, words[i])) return true;
    return false;
}

/* What a bracket holds that stands before a whole line: a severity or a stream. */
static bool is_bracketed_name(framemap_str text)
{
    const bool mixed = text.size > 1 && is_upper(text.data[0]) != is_upper(text.data[1]); /* Safari's "[Error]" */
    return (is_severity(text) && !mixed) || fm_str_equal(text, FM_STR("stderr")) ||
           fm_str_equal(text, FM_STR("stdout")) || fm_str_starts(text, FM_STR("pod/"));
}

/* --- times --- */

/* "2026-01-02T10:00:00.123+01:00", with a blank or 'T', and any fraction and zone. */
static bool date_time(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!shape(&t, "dddd-dd-dd") || !(fm_scan_byte(&t, 'T') || fm_scan_byte(&t, ' ')) || !shape(&t, "dd:dd:dd"))
        return false;
    if (fm_scan_byte(&t, '.') || fm_scan_byte(&t, ',')) digits(&t, 0, 9);
    if (!fm_scan_byte(&t, 'Z') && (fm_scan_byte(&t, '+') || fm_scan_byte(&t, '-'))) {
        if (!digits(&t, 2, 4)) return false;
        if (fm_scan_byte(&t, ':')) digits(&t, 2, 2);
    }
    *s = t;
    return true;
}

/* "10:00:00.123 " of Jenkins and Logback; "10:00:00  " */
static bool clock_time(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!shape(&t, "dd:dd:dd")) return false;
    if (fm_scan_byte(&t, '.') || fm_scan_byte(&t, ',')) digits(&t, 0, 9);
    if (!fm_scan_byte(&t, ' ')) return false;
    if (t.end - t.at > 1 && t.at[0] == ' ' && t.at[1] != ' ') t.at++;
    *s = t;
    return true;
}

/* "1767323045.123 " of logcat -v epoch, before what follows other times */
static bool epoch(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!shape(&t, "dddddddddd.ddd") || !digits(&t, 0, 9) || !fm_scan_blanks1(&t)) return false;
    *s = t;
    return true;
}

/* "2026-01-02T10:00:00.123Z\tID\tERROR\t" of AWS Lambda */
static bool tabbed_time(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str id, severity;
    if (!date_time(&t) || !fm_scan_byte(&t, '\t') || !field(&t, '\t', &id)) return false;
    struct fm_scan u = t;
    if (field(&u, '\t', &severity) && is_severity(severity)) t = u;
    *s = t;
    return true;
}

/* "00O " of GitLab, after a time: the stream's number, and 'O' or 'E'; '+' continues a line. */
static bool gitlab(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!shape(&t, "dd") || t.end - t.at < 2) return false;
    if ((t.at[0] != 'O' && t.at[0] != 'E') || (t.at[1] != ' ' && t.at[1] != '+')) return false;
    t.at += 2;
    *s = t;
    return true;
}

/* "JOB\tSTEP\t2026-01-02T10:00:00.1234567Z " of gh run view --log. The time is left to log_prefix.c. */
static bool job_step(struct fm_scan *s)
{
    struct fm_scan t = *s, time;
    framemap_str job, step;
    if (!field(&t, '\t', &job) || job.size == 0 || !field(&t, '\t', &step) || step.size == 0) return false;
    time = t;
    if (!date_time(&time)) return false;
    *s = t;
    return true;
}

/* --- syslog --- */

/* "app", "app[123]", "app[web.1]" */
static void set_process(framemap_str text, struct fm_log_fields *log)
{
    const size_t open = fm_str_find_byte(text, '[');
    log->tag = fm_str_slice(text, 0, open);
    if (open == FM_NOT_FOUND || text.data[text.size - 1] != ']') return;
    struct fm_scan s = fm_scan_of(fm_str_slice(text, open + 1, text.size - 1));
    const framemap_str inside = fm_scan_rest(&s);
    if (digits(&s, 1, 10) && fm_scan_done(&s))
        log->pid = inside;
    else
        log->process = inside;
}

/* "host app[123]: ", "app[web.1]: ": ends at the first word that ends so */
static bool host_process(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str text, first = {NULL, 0};
    for (unsigned words = 0; words < 2; words++) {
        if (!word(&t, &text)) return false;
        if (words == 0) first = text;
        if (text.size < 4 || text.data[text.size - 1] != ':' || text.data[text.size - 2] != ']') continue;
        if (fm_str_find_byte(text, '[') == FM_NOT_FOUND || text.data[0] == '[') return false;
        if (words == 1) log->host = first;
        set_process(fm_str(text.data, text.size - 1), log);
        *s = (struct fm_scan){text.data + text.size, s->end};
        fm_scan_byte(s, ' ');
        return true;
    }
    return false;
}

static bool is_month(const char *p)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (size_t i = 0; i < sizeof months - 1; i += 3)
        if (memcmp(p, months + i, 3) == 0) return true;
    return false;
}

/* "Jan 02 10:00:00.123456 " before a host and a process, "Fri Jan  2 10:00:00 2026" without its day */
static bool month_time(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (t.end - t.at < 16 || !is_month(t.at)) return false;
    t.at += 3;
    if (!shape(&t, " dd ") && !shape(&t, "  d ")) return false;
    if (!shape(&t, "dd:dd:dd")) return false;
    if (fm_scan_byte(&t, '.')) digits(&t, 0, 9);
    if (!fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

/* "TAG: " or "TAG[PID]: " after a host */
static bool host_tag(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str host, tag;
    if (!word(&t, &host) || !word(&t, &tag) || tag.size < 2 || tag.data[tag.size - 1] != ':') return false;
    log->host = host;
    set_process(fm_str(tag.data, tag.size - 1), log);
    *s = (struct fm_scan){tag.data + tag.size, s->end};
    fm_scan_byte(s, ' ');
    return true;
}

static bool structured_data(struct fm_scan *s)
{
    if (fm_scan_byte(s, '-')) return true;
    framemap_str element;
    bool any = false;
    while (s->at < s->end && *s->at == '[' && field(s, ']', &element)) any = true;
    return any;
}

/* "-" stands for a field that is not known. */
static framemap_str unless_nil(framemap_str text) { return fm_str_equal(text, FM_STR("-")) ? fm_str(NULL, 0) : text; }

/* "<165>1 2026-01-02T10:00:00.003Z host app 123 ID47 - " of RFC 5424, "<13>Jan  2 10:00:00 host app: " of RFC 3164 */
static bool with_priority(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str words[4]; /* host, program, its id, the message's */
    if (!fm_scan_byte(&t, '<') || !digits(&t, 1, 3) || !fm_scan_byte(&t, '>')) return false;
    const char *time = t.at;
    if (month_time(&t)) {
        log->time = fm_str(time, (size_t)(t.at - 1 - time));
        if (!host_tag(&t, log)) return false;
    } else {
        if (!fm_scan_text(&t, FM_STR("1 "))) return false;
        time = t.at;
        if (!(date_time(&t) || fm_scan_byte(&t, '-'))) return false;
        if (t.at - time > 1) log->time = fm_str(time, (size_t)(t.at - time));
        fm_scan_blanks(&t);
        for (unsigned i = 0; i < 4; i++)
            if (!word(&t, &words[i])) return false;
        if (!structured_data(&t) || !fm_scan_byte(&t, ' ')) return false;
        fm_scan_text(&t, FM_STR("\xEF\xBB\xBF"));
        log->host = unless_nil(words[0]);
        log->tag = unless_nil(words[1]);
        log->pid = unless_nil(words[2]);
    }
    *s = t;
    return true;
}

/* "Jan 02 10:00:00.123456 host app[123]: " of journalctl -o short-precise */
static bool precise_month(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (!month_time(&t)) return false;
    const framemap_str time = fm_str(s->at, (size_t)(t.at - 1 - s->at));
    if (!host_tag(&t, log)) return false;
    log->time = time;
    *s = t;
    return true;
}

/* --- brackets and marks --- */

/* "[Fri Jan  2 10:00:00 2026] " of dmesg -T */
static bool kernel_date(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_scan_byte(&t, '[') || t.end - t.at < 4 || !is_upper(*t.at) || t.at[3] != ' ') return false;
    t.at += 4;
    if (!month_time(&t) || !shape(&t, "dddd]") || !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

/* "pod/web-0/web" of kubectl: the pod is the container's host. */
static void set_pod(framemap_str name, struct fm_log_fields *log)
{
    if (!fm_str_starts(name, FM_STR("pod/"))) return;
    const size_t slash = fm_str_find_last_byte(name, '/');
    if (slash < 4) return;
    log->host = fm_str_slice(name, 4, slash);
    log->tag = fm_str_from(name, slash + 1);
}

/* "[ERROR] ", "[stderr] ", "[pod/web-0/web] ", "[error]: " of winston */
static bool bracketed_name(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str name;
    if (!fm_scan_byte(&t, '[') || !field(&t, ']', &name) || !is_bracketed_name(name)) return false;
    fm_scan_byte(&t, ':');
    if (!fm_scan_byte(&t, ' ')) return false;
    *s = t;
    set_pod(name, log);
    return true;
}

/* "##[error]" of Azure and GitHub */
static bool hash_command(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str name;
    if (!fm_scan_text(&t, FM_STR("##[")) || !field(&t, ']', &name) || name.size == 0 || name.size > 16) return false;
    for (size_t i = 0; i < name.size; i++)
        if (!is_lower(name.data[i])) return false;
    *s = t;
    return true;
}

/* "::error::", "::error file=a.js,line=1::" of GitHub */
static bool colon_command(struct fm_scan *s)
{
    struct fm_scan t = *s;
    static const framemap_str names[] = {FM_STR_INIT("error"), FM_STR_INIT("warning"), FM_STR_INIT("notice"),
                                         FM_STR_INIT("debug")};
    if (!fm_scan_text(&t, FM_STR("::"))) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!fm_scan_text(&t, names[i])) continue;
        const framemap_str rest = fm_str_slice(fm_scan_rest(&t), 0, FIELD_MOST);
        const size_t end = fm_str_find(rest, FM_STR("::"));
        if (end == FM_NOT_FOUND) return false;
        t.at += end + 2;
        *s = t;
        return true;
    }
    return false;
}

/* Words that a tool puts before each line. What Dart's tools put there leaves its blank to Dart's frames. */
static bool tool_word(struct fm_scan *s)
{
    static const framemap_str words[] = {FM_STR_INIT("npm ERR! "), FM_STR_INIT("npm error ")};
    static const framemap_str tags[] = {FM_STR_INIT("flutter: "), FM_STR_INIT("unparsed ")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_scan_text(s, words[i])) return true;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (!fm_scan_text(s, tags[i])) continue;
        s->at--;
        return true;
    }
    return false;
}

/* --- logging libraries --- */

/* "[main] c.e.App - " after a severity, "[main] ERROR c.e.App - " after a time, of Log4j and Logback */
static bool thread_logger(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str text;
    if (!fm_scan_byte(&t, '[') || !field(&t, ']', &text) || !fm_scan_blanks1(&t) || !word(&t, &text)) return false;
    if (is_severity(text) && !word(&t, &text)) return false;
    if (!fm_scan_text(&t, FM_STR("- "))) return false;
    *s = t;
    return true;
}

/* "1234 --- [app] [           main] c.e.App                : " of Spring Boot, after a severity */
static bool spring(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str text;
    if (!digits(&t, 1, 10) || !fm_scan_text(&t, FM_STR(" --- "))) return false;
    while (t.at < t.end && *t.at == '[') {
        t.at++;
        if (!field(&t, ']', &text) || !fm_scan_blanks1(&t)) return false;
    }
    if (!word(&t, &text) || !fm_scan_byte(&t, ':')) return false;
    fm_scan_byte(&t, ' ');
    *s = t;
    return true;
}

/* "| ERROR    | app:main:12 - " of Loguru, after a time */
static bool loguru(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str text;
    if (!fm_scan_text(&t, FM_STR("| ")) || !word(&t, &text) || !is_severity(text) || !fm_scan_text(&t, FM_STR("| ")) ||
        !word(&t, &text) || !fm_scan_text(&t, FM_STR("- ")))
        return false;
    *s = t;
    return true;
}

/* "- app - ERROR - " of Python's logging, after a time */
static bool between_dashes(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str text;
    if (!fm_scan_text(&t, FM_STR("- ")) || !word(&t, &text) || !fm_scan_text(&t, FM_STR("- ")) || !word(&t, &text) ||
        !is_severity(text) || !fm_scan_text(&t, FM_STR("- ")))
        return false;
    *s = t;
    return true;
}

/* "root: " after "ERROR ", "root:" after "ERROR:": a logger of Python. A name with dots could be an exception's. */
static bool python_logger(struct fm_scan *s, char after)
{
    struct fm_scan t = *s;
    const char *start = t.at;
    while (t.at < t.end && t.at - start < 64 && (is_lower(*t.at) || *t.at == '_' || fm_is_digit(*t.at))) t.at++;
    if (t.at - start < 3 || !is_lower(*start) || !fm_scan_byte(&t, ':')) return false;
    if (after == ' ' && !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

/* "ERROR:root:" of Python's logging.basicConfig */
static bool basic_config(struct fm_scan *s)
{
    struct fm_scan t = *s;
    while (t.at < t.end && t.at - s->at < 9 && is_upper(*t.at)) t.at++;
    if (!is_severity(fm_str(s->at, (size_t)(t.at - s->at))) || !fm_scan_byte(&t, ':') || !python_logger(&t, ':'))
        return false;
    *s = t;
    return true;
}

/* "[APP/PROC/WEB/0] ERR " of Cloud Foundry, after a time */
static bool cloud_foundry(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str name;
    if (!fm_scan_byte(&t, '[') || !field(&t, ']', &name) || fm_str_find_byte(name, '/') == FM_NOT_FOUND) return false;
    if (!fm_scan_text(&t, FM_STR(" ERR ")) && !fm_scan_text(&t, FM_STR(" OUT "))) return false;
    *s = t;
    return true;
}

/* --- containers --- */

/* Lower-case letters and digits of a name's part, and the dash before it. */
static size_t part_before(framemap_str text)
{
    size_t size = text.size;
    while (size && (is_lower(text.data[size - 1]) || fm_is_digit(text.data[size - 1]))) size--;
    return size && text.data[size - 1] == '-' ? text.size - size + 1 : 0;
}

/* "web-7d4b9c8f5d-abcde web " of stern: a pod's name ends in two random parts. */
static bool pod(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str name, container;
    if (!word(&t, &name) || part_before(name) != 6 || !is_lower(*name.data)) return false;
    const size_t hash = part_before(fm_str_slice(name, 0, name.size - 6));
    if (hash < 6 || hash > 11) return false;
    fm_scan_text(&t, FM_STR("\xE2\x80\xBA "));
    struct fm_scan u = t;
    if (!word(&u, &container) || !is_lower(*container.data)) return false;
    for (size_t i = 0; i < container.size; i++)
        if (!is_lower(container.data[i]) && !fm_is_digit(container.data[i]) && container.data[i] != '-') return false;
    t.at = container.data + container.size + 1;
    *s = t;
    log->host = name;
    log->tag = container;
    return true;
}

/* "E20260102 10:00:00.123456  1234 file.cc:12] " of glog with a year */
static bool glog_year(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str rest;
    if (!is_upper(*t.at)) return false;
    t.at++;
    if (!shape(&t, "dddddddd dd:dd:dd.") || !field(&t, ']', &rest) || !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

/* "E 2026-01-02T10:00:00Z ": a severity's letter before a time, which is left to log_prefix.c */
static bool letter_time(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!is_upper(*t.at)) return false;
    t.at++;
    if (!fm_scan_byte(&t, ' ')) return false;
    struct fm_scan time = t;
    if (!date_time(&time)) return false;
    *s = t;
    return true;
}

/* "+0100   " of logcat -v zone, after a time */
static bool zone(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!(fm_scan_byte(&t, '+') || fm_scan_byte(&t, '-')) || !shape(&t, "dddd ")) return false;
    fm_scan_blanks(&t);
    if (t.at == t.end || !fm_is_digit(*t.at)) return false;
    *s = t;
    return true;
}

/* "** 12 printk messages dropped ** " of the kernel, before the prefix of the next message */
static bool dropped_messages(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_scan_text(&t, FM_STR("** ")) || !digits(&t, 1, 10)) return false;
    if (!fm_scan_text(&t, FM_STR(" printk messages dropped ** "))) return false;
    *s = t;
    return true;
}

/* --- the choice --- */

/* Whether a time, or a severity, ends just before `s`. */
static bool follows_severity(const struct fm_scan *s, framemap_str line)
{
    const char *end = s->at;
    if (end == line.data || end[-1] != ' ') return false;
    const char *from = --end;
    while (from > line.data && is_upper(from[-1]) && end - from < 9) from--;
    return is_severity(fm_str(from, (size_t)(end - from)));
}

static bool after_prefix(struct fm_scan *s, framemap_str line, unsigned has, struct fm_log_fields *log)
{
    switch (*s->at) {
    case '[': return thread_logger(s) || cloud_foundry(s);
    case '|': return loguru(s);
    case '-': return between_dashes(s) || zone(s);
    case '+': return zone(s);
    default: break;
    }
    if (fm_is_digit(*s->at)) return spring(s) || gitlab(s);
    if (follows_severity(s, line)) return python_logger(s, ' ');
    return (has & FM_HAS_BRACKET) != 0 && host_process(s, log);
}

static bool at_letter(struct fm_scan *s, struct fm_log_fields *log)
{
    const char c = *s->at, next = s->at[1];
    if (is_upper(c)) {
        if (fm_scan_text(s, FM_STR("CRASH LOG: "))) return true; /* Centipede's */
        if (next == ' ') return letter_time(s);
        if (fm_is_digit(next)) return glog_year(s);
        return s->at[3] == ' ' ? precise_month(s, log) : basic_config(s);
    }
    return (c == 'n' || c == 'f' || c == 'u') && tool_word(s);
}

bool fm_log_shape(struct fm_scan *s, framemap_str line, unsigned has, struct fm_log_fields *log)
{
    if (s->end - s->at < 8) return false;
    switch (*s->at) {
    case '[':
        if (bracketed_name(s, log) || kernel_date(s)) return true;
        break;
    case '<':
        if (with_priority(s, log)) return true;
        break;
    case '#': return hash_command(s);
    case ':': return colon_command(s);
    case '*': return dropped_messages(s);
    default:
        if (fm_is_digit(*s->at) ? clock_time(s) || tabbed_time(s) || epoch(s) : at_letter(s, log)) return true;
        break;
    }
    if (s->at != line.data && after_prefix(s, line, has, log)) return true;
    if (is_lower(*s->at) && pod(s, log)) return true;
    return job_step(s);
}

/* " ERROR  ", " WARN  ", " LOG  " of Metro */
static bool metro(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str name;
    if (!fm_scan_byte(&t, ' ') || t.at == t.end || !is_upper(*t.at) || !word(&t, &name) || !is_severity(name))
        return false;
    t.at = name.data + name.size;
    if (!fm_scan_text(&t, FM_STR("  "))) return false;
    *s = t;
    return true;
}

/* t: after the blanks. */
static FM_APART bool indented(struct fm_scan *s, struct fm_scan t)
{
    if (metro(s)) return true;
    if (t.end - t.at < 12 || !fm_is_digit(*t.at) || (t.at[4] != '-' && !fm_is_digit(t.at[4]))) return false;
    struct fm_scan time = t;
    if (epoch(&t)) {
        *s = t;
        return true;
    }
    if (!date_time(&time) || !fm_scan_byte(&time, ' ') || !cloud_foundry(&time)) return false;
    *s = time;
    return true;
}

bool fm_log_shape_indented(struct fm_scan *s)
{
    struct fm_scan t = *s;
    fm_scan_blanks(&t);
    if (t.at == t.end || !(fm_is_digit(*t.at) || is_upper(*t.at))) return false; /* most rows of stacks */
    return indented(s, t);
}
