/* Recognizes the prefixes that loggers put before a line, by their first bytes, so that most lines without a prefix
 * cost one comparison. Called by lines.c. */
#include "formats/scan/prefix/log_prefix.h"
#include "formats/scan/prefix/log_android.h"
#include "formats/scan/prefix/log_shapes.h"
#include "formats/scan/prefix/log_system.h"
#include "formats/scan/prefix/log_times.h"
#include "formats/scan/prefix/log_tools.h"

/* --- parsing lines that begin with a time --- */

static void fraction(struct fm_scan *s)
{
    if (fm_scan_byte(s, '.') || fm_scan_byte(s, ',')) fm_log_digits(s);
}

static void zone(struct fm_scan *s)
{
    if (fm_scan_byte(s, 'Z')) return;
    if (s->at != s->end && (*s->at == '+' || *s->at == '-') && s->end - s->at >= 5 && fm_is_digit(s->at[1])) {
        s->at++;
        fm_log_digits(s);
        if (fm_scan_byte(s, ':')) fm_log_digits(s);
    }
}

/* Whether a severity is not a field of the prefix but the start of an error's title: "fatal error: x" of Go, "Fatal
 * Python error: x", "Fatal Exception: x". */
static bool goes_on(framemap_str word, framemap_str rest)
{
    static const framemap_str titles[] = {FM_STR_INIT("error: "), FM_STR_INIT("Python error: "),
                                          FM_STR_INIT("Exception: "), FM_STR_INIT("Error: ")};
    if (!fm_str_equal(word, FM_STR("fatal")) && !fm_str_equal(word, FM_STR("Fatal"))) return false;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (fm_str_starts(rest, titles[i])) return true;
    return false;
}

/* Skips a severity: "ERROR ", "[error] ", "[ERROR] default - ". */
static void severity(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str word, category;
    bool bracket = fm_scan_byte(&t, '[');
    if (!(bracket ? fm_scan_until(&t, ']', &word) && fm_scan_byte(&t, ']') : fm_scan_word(&t, &word)) ||
        !fm_scan_byte(&t, ' '))
        return;
    if (!fm_log_is_severity(word) || (!bracket && goes_on(word, fm_scan_rest(&t)))) return;
    *s = t;
    log->level = word;
    if (bracket && fm_scan_word(&t, &category) && fm_scan_text(&t, FM_STR(" - "))) {
        *s = t;
        log->tag = category;
        log->one_origin = true;
    }
}

/* Reads what follows a date and a time: the fields of the logger that uses this form of time, or else one blank. */
static bool after_time(struct fm_scan *s, struct fm_log_fields *log)
{
    if (fm_logcat_after_date(s, log) || fm_log_nslog(s, log) || fm_log_stream(s)) return true;
    struct fm_scan t = *s;
    fm_scan_byte(&t, ':'); /* DDMS and Eclipse print a colon after the time */
    fm_scan_blanks(&t);
    if (fm_logcat_brief(&t, log)) {
        *s = t;
        return true;
    }
    /* In a CI log the last blank of an empty line may have been cut off, so that the line ends in the 'Z' of the
     * time. */
    if (fm_scan_done(s)) return s->at[-1] == 'Z';
    if (!fm_scan_text(s, FM_STR(": ")) && !fm_scan_byte(s, ' ')) return false;
    severity(s, log);
    (void)fm_log_plugin(s, log);
    return true;
}

/* Skips a time zone such as " +01:00", which PM2 prints after a time. */
static void zone_after_blank(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_scan_byte(&t, ' ') || !(fm_scan_byte(&t, '+') || fm_scan_byte(&t, '-')) || !fm_log_matches(&t, "dd:dd"))
        return;
    *s = t;
}

static bool dated(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (fm_log_matches_ends(&t, &fm_log_month_day, &fm_log_minute_second, 15)) {
        fm_log_digits(&t);
    } else if (fm_log_date(&t)) {
        if (!fm_scan_byte(&t, 'T') && !fm_scan_byte(&t, ' ')) return false;
        if (!fm_log_time_of_day(&t)) return false;
        fraction(&t);
        zone(&t);
        zone_after_blank(&t);
    } else if (fm_log_slashed_time(&t)) {
        fraction(&t); /* the form of time in the logs of Go and nginx */
    } else {
        return false;
    }
    log->time = fm_log_between(s->at, t.at);
    if (!after_time(&t, log)) return false;
    *s = t;
    return true;
}

/* Skips the word that Taskcluster puts before the time in its brackets: "[task 2026-11-21T10:00:00.123Z] ", "[vcs …]
 * ". */
static void step_of_task(struct fm_scan *s)
{
    enum { MOST = 16 };
    struct fm_scan t = *s;
    while (t.at != t.end && t.at - s->at < MOST && fm_log_is_lower(*t.at)) t.at++;
    if (t.at != s->at && fm_scan_byte(&t, ' ')) *s = t;
}

/* Parses " E 11 12] (raylet) cart.cc:12: " of Ray, after the time in its bracket. */
static bool after_ray_time(struct fm_scan *s, struct fm_log_fields *log)
{
    static const char levels[] = "DIWECF";
    struct fm_scan t = *s;
    framemap_str process, place;
    if (t.end - t.at < 3 || memchr(levels, t.at[1], sizeof levels - 1) == NULL || !fm_scan_byte(&t, ' ')) return false;
    const framemap_str level = fm_str(t.at++, 1);
    if (!fm_scan_byte(&t, ' ')) return false;
    const char *pid = t.at;
    if (!fm_log_few_digits(&t, 1, 10)) return false;
    const framemap_str pid_text = fm_log_between(pid, t.at);
    if (!fm_scan_byte(&t, ' ')) return false;
    const char *tid = t.at;
    if (!fm_log_few_digits(&t, 1, 10)) return false;
    const framemap_str tid_text = fm_log_between(tid, t.at);
    if (!fm_scan_text(&t, FM_STR("] "))) return false;
    if (fm_scan_byte(&t, '(') && (!fm_scan_until(&t, ')', &process) || !fm_scan_text(&t, FM_STR(") ")))) return false;
    if (!fm_scan_word(&t, &place) || place.size < 4 || place.data[place.size - 1] != ':' ||
        !fm_is_digit(place.data[place.size - 2]))
        return false;
    fm_scan_byte(&t, ' ');
    log->level = level;
    log->pid = pid_text;
    log->tid = tid_text;
    *s = t;
    return true;
}

/* Skips the source location that Envoy prints before a message, "[cart.h:12] " or "cart.h:12] ", and " thr<7> ". */
static void place_of_envoy(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str place, thread;
    fm_scan_byte(&t, '[');
    if (fm_scan_until(&t, ']', &place) && fm_scan_text(&t, FM_STR("] ")) && place.size > 4 &&
        fm_is_digit(place.data[place.size - 1]) && fm_str_find_byte(place, ' ') == FM_NOT_FOUND &&
        fm_str_find(place, FM_STR(".h:")) != FM_NOT_FOUND)
        *s = t;
    t = *s;
    if (fm_scan_text(&t, FM_STR("thr<")) && fm_scan_until(&t, '>', &thread) && fm_scan_text(&t, FM_STR("> "))) *s = t;
}

/* Skips "[12][critical][backtrace] " of Envoy, directly after the bracket with the time. */
static bool after_envoy_time(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str thread, level, tag;
    if (!fm_scan_text(&t, FM_STR("][")) || !fm_scan_until(&t, ']', &thread) || !fm_scan_text(&t, FM_STR("][")) ||
        !fm_scan_until(&t, ']', &level) || !fm_log_is_severity(level) || !fm_scan_text(&t, FM_STR("][")) ||
        !fm_scan_until(&t, ']', &tag) || !fm_scan_text(&t, FM_STR("] ")))
        return false;
    place_of_envoy(&t);
    log->tid = thread;
    log->level = level;
    log->tag = tag;
    *s = t;
    return true;
}

/* Parses "[10:00:00.123] ", "[2026-11-21T10:00:00Z] [ERROR] ", "[2026-11-21 10:00:00,123 E 11 12] cart.cc:12: ",
 * "[2026-11-21 10:00:00.123][12][critical][backtrace] ". */
static bool bracketed(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (!fm_scan_byte(&t, '[')) return false;
    step_of_task(&t);
    const char *start = t.at;
    if (fm_log_date(&t) && !fm_scan_byte(&t, 'T') && !fm_scan_byte(&t, ' ')) return false;
    if (!fm_log_time_of_day(&t)) return false;
    fraction(&t);
    zone(&t);
    const framemap_str time = fm_log_between(start, t.at);
    if (after_ray_time(&t, log) || after_envoy_time(&t, log)) {
        log->time = time;
        *s = t;
        return true;
    }
    if (!fm_scan_byte(&t, ']') || !fm_scan_byte(&t, ' ')) return false;
    log->time = time;
    severity(&t, log);
    *s = t;
    return true;
}

/* --- skipping one prefix after the other --- */

/* Parses one prefix, with the functions of this file or of the other files of this folder. No prefix begins with a
 * blank or a '#', while most rows of stacks do. */
static size_t one_prefix(framemap_str line, unsigned has, struct fm_log_fields *log)
{
    struct fm_scan s = fm_scan_of(line);
    enum { LEAST = 8, TAG_LEAST = 5 }; /* only "E/ab:", a tag without a message, is shorter than LEAST */
    if (line.size < TAG_LEAST || fm_is_blank(line.data[0]) || line.data[0] == '#') return 0;
    char c = line.data[0];
    if (line.size < LEAST && (line.data[1] != '/' || fm_is_digit(c))) return 0;
    const bool may_serve = (has & FM_HAS_BAR) != 0;
    if (fm_is_digit(c)) {
        if (!fm_logcat_studio_compact(&s, log) &&
            !(line.data[4] == '/' && line.size > 19 && line.data[19] == '.' && fm_logcat_unity(&s, log)) &&
            !dated(&s, log) && !fm_logcat_threadtime(&s, log) && !fm_logcat_studio_old(&s, log) &&
            !fm_log_syslog_abroad(&s, log) && may_serve && line.data[1] != ' ')
            fm_log_service(&s, log);
    } else if (c == '[' || c == '<') {
        if (!fm_log_kernel(&s, log) && !bracketed(&s, log)) fm_logcat_device_tag(&s, log);
    } else if (line.data[1] == '/') {
        if (!fm_logcat_tagged(&s, log)) fm_logcat_brief(&s, log);
    } else if ((line.data[1] == ' ' && fm_logcat_tagged_by_blank(&s, log)) ||
               (line.data[1] == '(' && fm_logcat_by_process(&s, log))) {
        ;
    } else if (fm_is_digit(line.data[1]) && fm_log_glog(&s, log)) {
        ;
    } else if ((line.data[4] == '/' || line.data[5] == '/') && fm_logcat_brief(&s, log)) {
        ; /* "INFO/Tag( 1234): " and "ERROR/Tag( 1234): " */
    } else if (!(c >= 'A' && c <= 'S' && line.data[3] == ' ' && fm_log_syslog(&s, log)) &&
               !fm_log_syslog_abroad(&s, log) && may_serve) {
        fm_log_service(&s, log);
    }
    return (size_t)(s.at - line.data);
}

/* Skips tabs and line ends at the start of a message, in the escapes of rsyslog ("#011", "#012") and syslogd ("^I"). */
static void tabs_of_syslog(struct fm_scan *s)
{
    while (fm_scan_text(s, FM_STR("#011")) || fm_scan_text(s, FM_STR("#012")) || fm_scan_text(s, FM_STR("^I"))) {
        ;
    }
}

/* Reads all prefixes at the start of a line, and returns their size. A line may have several: that of a container, for
 * example, and then that of the program in it. */
size_t fm_log_prefix_fields(framemap_str line, unsigned has, struct fm_log_fields *log)
{
    enum { MOST = 4 };
    struct fm_scan s = fm_scan_of(line);
    const char *tried = NULL; /* where fm_log_shape has found nothing */
    *log = (struct fm_log_fields){.leads = false};
    if (line.size == 0) return 0;
    for (unsigned i = 0; i < MOST; i++) {
        const char *before = s.at;
        s.at += one_prefix(fm_scan_rest(&s), has, log);
        if (s.at != tried && !fm_log_shape(&s, line, has, log)) tried = s.at;
        if (s.at == before) break;
    }
    if (s.at != line.data) tabs_of_syslog(&s);
    return (size_t)(s.at - line.data);
}

size_t fm_log_prefix(framemap_str line, unsigned has)
{
    struct fm_log_fields log;
    return fm_log_prefix_fields(line, has, &log);
}

/* --- computing a number for the process, thread and tag of a line --- */

/* Mixes the bytes of a field into a hash (FNV-1a, with a byte between fields). */
static uint64_t mixed(uint64_t hash, framemap_str field)
{
    for (size_t i = 0; i < field.size; i++) hash = (hash ^ (unsigned char)field.data[i]) * UINT64_C(0x100000001B3);
    return (hash ^ 0xFF) * UINT64_C(0x100000001B3);
}

uint64_t fm_log_origin(const struct fm_log_fields *log)
{
    struct fm_log_fields of = *log;
    if (of.one_origin) of.pid = of.tid = of.cpu = of.process = fm_str(NULL, 0);
    if (of.one_origin && of.host.size == 0) return 0;
    if (of.pid.size + of.tid.size + of.tag.size + of.cpu.size + of.process.size == 0) return 0;
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    hash = mixed(hash, of.pid);
    hash = mixed(hash, of.tid);
    hash = mixed(hash, of.tag);
    hash = mixed(hash, of.cpu);
    hash = mixed(hash, of.process);
    hash = mixed(hash, of.host);
    return hash | 1;
}
