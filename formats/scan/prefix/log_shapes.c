/* Recognizes the prefixes of log_shapes.h by their first bytes. Must not know the prefixes of log_prefix.c, which are
 * tried before and after these. */
#include "formats/scan/prefix/log_shapes.h"
#include "formats/line.h"
#include "formats/scan/prefix/log_android.h"
#include "formats/scan/prefix/log_libraries.h"
#include "formats/scan/prefix/log_pieces.h"
#include "formats/scan/prefix/log_system.h"
#include "formats/scan/prefix/log_times.h"
#include "formats/scan/prefix/log_tools.h"

/* --- times --- */

/* Parses "    INFO - " of mozharness, after a time. The output of the program follows; it begins with a blank of its
 * own, which is not consumed. */
static void mozharness(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str word;
    fm_scan_blanks(&t);
    if (t.at == t.end || !fm_log_is_upper(*t.at) || !fm_scan_word(&t, &word) || !fm_scan_text(&t, FM_STR(" - ")) ||
        !fm_log_is_severity(word))
        return;
    log->level = word;
    *s = t;
}

/* Parses a time of day: "10:00:00.123 " of Jenkins and Logback, or "10:00:00  ". */
static bool clock_time(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (!fm_log_matches(&t, "dd:dd:dd")) return false;
    if (fm_scan_byte(&t, '.') || fm_scan_byte(&t, ',')) fm_log_few_digits(&t, 0, 9);
    if (!fm_scan_byte(&t, ' ')) return false;
    if (t.end - t.at > 1 && t.at[0] == ' ' && t.at[1] != ' ') t.at++;
    mozharness(&t, log);
    *s = t;
    return true;
}

/* Parses "1767323045.123 " of logcat -v epoch, and "12.345 " of -v monotonic, which counts from the start of the
 * device. The second form is accepted only before other fields of logcat, since other programs print such numbers too.
 * The fields after either form are the same as after other forms of time. */
static bool epoch(struct fm_scan *s)
{
    struct fm_scan t = *s;
    struct fm_log_fields log;
    const bool is_epoch = fm_log_matches(&t, "dddddddddd.ddd");
    if (!is_epoch && !(fm_log_few_digits(&t, 1, 9) && fm_log_matches(&t, ".ddd"))) return false;
    if (!fm_log_few_digits(&t, 0, 9) || !fm_scan_blanks1(&t)) return false;
    struct fm_scan fields = t;
    if (!is_epoch && !fm_logcat_threadtime(&fields, &log)) return false;
    *s = t;
    return true;
}

/* Parses the severity in "E 2026-01-02T10:00:00Z "; the time after it is left to log_prefix.c. */
static bool letter_time(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_log_is_upper(*t.at)) return false;
    t.at++;
    if (!fm_scan_byte(&t, ' ')) return false;
    struct fm_scan time = t;
    if (!fm_log_date_time(&time)) return false;
    *s = t;
    return true;
}

/* Skips "+0100   " of logcat -v zone, after a time. */
static bool zone(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!(fm_scan_byte(&t, '+') || fm_scan_byte(&t, '-')) || !fm_log_matches(&t, "dddd ")) return false;
    fm_scan_blanks(&t);
    if (t.at == t.end || !fm_is_digit(*t.at)) return false;
    *s = t;
    return true;
}

/* --- choosing the kind of prefix by its first bytes --- */

/* Whether a time, or a severity, ends directly before `s`. DEBUG does not count where it is logcat's tag of that
 * name. */
static bool follows_severity(const struct fm_scan *s, framemap_str line, const struct fm_log_fields *log)
{
    const char *end = s->at;
    if (end == line.data || end[-1] != ' ') return false;
    const char *from = --end;
    while (from > line.data && fm_log_is_upper(from[-1]) && end - from < 9) from--;
    return from != log->tag.data && fm_log_is_severity(fm_str(from, (size_t)(end - from)));
}

/* Parses a prefix that only occurs after another one. is_labelled: has_label of the text at `s`. */
static bool after_prefix(struct fm_scan *s, framemap_str line, bool is_labelled, struct fm_log_fields *log)
{
    switch (*s->at) {
    case '[':
        return fm_log_thread_logger(s) || fm_log_cloud_foundry(s) ||
               (follows_severity(s, line, log) && fm_log_thread(s));
    case ' ': return follows_severity(s, line, log) && fm_log_thread(s);
    case '|': return fm_log_loguru(s);
    case '-': return fm_log_between_dashes(s) || zone(s);
    case '+': return zone(s);
    case '(': return fm_logcat_titanium(s);
    default: break;
    }
    if (fm_is_digit(*s->at)) return fm_log_spring(s) || fm_log_gitlab(s);
    if (follows_severity(s, line, log)) return fm_log_python_logger(s, ' ');
    return is_labelled && fm_log_host_process(s, log);
}

static bool at_letter(struct fm_scan *s, struct fm_log_fields *log)
{
    const char c = *s->at, next = s->at[1];
    /* This test of the second letter is quick. Tags such as "DEBUG   : ", "AndroidRuntime: ", "crash_dump64: ",
     * "ReactNativeJS: " and "System.err: " have one of these letters there. */
    if ((next == 'E' || next == 'n' || next == 'R' || next == 'r' || next == 'i' || next == 'e' || next == 'y') &&
        fm_logcat_bare_tag(s, log))
        return true;
    if (c == 'G' && next == 'E') return fm_log_gecko(s, log);
    if (fm_log_is_upper(c)) {
        /* Centipede puts "CRASH LOG: " before the lines of a crash */
        if (fm_scan_text(s, FM_STR("CRASH LOG: "))) return true;
        if (next == ' ') return letter_time(s);
        if (fm_is_digit(next)) return fm_log_glog_year(s);
        return s->at[3] == ' ' ? fm_log_precise_month(s, log) : fm_log_basic_config(s);
    }
    return (c == 'n' || c == 'f' || c == 'u') && fm_log_tool_word(s);
}

/* Whether the first or the second word of a text ends in a colon. */
static bool has_label(struct fm_scan t)
{
    framemap_str word;
    for (unsigned words = 0; words < 2; words++) {
        if (!fm_scan_word(&t, &word)) return false;
        if (word.data[word.size - 1] == ':') return true;
        fm_scan_blanks(&t);
    }
    return false;
}

static bool at_digit(struct fm_scan *s, struct fm_log_fields *log)
{
    const bool may_be_date = s->at[4] == '-';
    return clock_time(s, log) || (may_be_date && (fm_log_lambda(s) || fm_log_time_tab(s))) || epoch(s) ||
           fm_log_ctest(s) || fm_log_npm(s) || fm_log_mach(s);
}

bool fm_log_shape(struct fm_scan *s, framemap_str line, unsigned has, struct fm_log_fields *log)
{
    if (s->end - s->at < 8) return false;
    switch (*s->at) {
    case '[':
        if (fm_log_bracketed_name(s, log) || fm_log_kernel_date(s) || fm_log_elapsed(s) || fm_log_numbered_script(s))
            return true;
        break;
    case '<':
        if (fm_log_priority(s, log)) return true;
        break;
    case '#': return fm_log_hash_command(s);
    case ':': return fm_log_colon_command(s);
    case '*': return fm_log_dropped_messages(s);
    default:
        if (fm_is_digit(*s->at) ? at_digit(s, log) : at_letter(s, log)) return true;
        break;
    }
    const bool is_lower = fm_log_is_lower(*s->at), is_labelled = (is_lower || s->at != line.data) && has_label(*s);
    if ((has & FM_HAS_BRACKET) != 0 && is_lower && is_labelled && fm_log_login_prompt(s)) return true;
    if (s->at != line.data && after_prefix(s, line, is_labelled, log)) return true;
    if (is_lower ? (is_labelled && fm_log_script(s)) || fm_log_pod(s, log) : *s->at == '@' && fm_log_script(s))
        return true;
    return fm_log_job_step(s);
}

/* Whether the text begins like a line of a log with a time: "11-21 10:00:00.123 ", "2026-11-21 10:00:00 "; with
 * logcat's tag: "E/AndroidRuntime( 12): "; or with the time of the kernel or syslog: "[   12.345678] ", "Nov  1
 * 10:00:00 host proc: ". Used for logs that were indented as a whole. */
static bool begins_log(struct fm_scan t)
{
    struct fm_log_fields log;
    if (t.end - t.at > 1 && t.at[1] == '/') return fm_logcat_tagged(&t, &log) || fm_logcat_brief(&t, &log);
    if (*t.at == '[') return fm_log_kernel(&t, &log);
    if (fm_log_is_upper(*t.at)) return fm_log_syslog(&t, &log);
    if (fm_log_matches_ends(&t, &fm_log_month_day, &fm_log_minute_second, 15)) return true;
    return fm_log_date(&t) && (fm_scan_byte(&t, ' ') || fm_scan_byte(&t, 'T')) && fm_log_time_of_day(&t);
}

/* Parses "   2026-01-02T10:00:00.12+0000 [APP/PROC/WEB/0] ERR " of Cloud Foundry, and "   1767323045.123 " of logcat -v
 * epoch and -v monotonic. */
static bool indented_time(struct fm_scan *s, struct fm_scan t)
{
    if (t.end - t.at < 12 || !fm_is_digit(*t.at) || (t.at[4] != '-' && t.at[4] != '.' && !fm_is_digit(t.at[4])))
        return false;
    struct fm_scan time = t;
    if (epoch(&t)) {
        *s = t;
        return true;
    }
    if (!fm_log_date_time(&time) || !fm_scan_byte(&time, ' ') || !fm_log_cloud_foundry(&time)) return false;
    *s = time;
    return true;
}

bool fm_log_shape_indented(struct fm_scan *s)
{
    struct fm_scan t = *s;
    fm_scan_blanks(&t);
    if (fm_scan_done(&t)) return false;
    if (fm_log_metro(s) || fm_log_mach(s) || indented_time(s, t)) return true;
    if (!begins_log(t)) return false;
    *s = t; /* the rest of the prefix, from the time on, is read in log_prefix.c */
    return true;
}
