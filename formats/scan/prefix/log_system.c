/* Implements log_system.h: parses time, host, process and tag before a line of syslog, journald, the Linux kernel,
 * Apple's NSLog or glog, with one function for each layout. */
#include "formats/scan/prefix/log_system.h"
#include "formats/scan/prefix/log_times.h"

/* --- syslog --- */

/* Parses "host TAG[PID]: " after the time. from: start of the line. */
static bool after_syslog_time(struct fm_scan *s, const char *from, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str host, tag;
    const framemap_str time = fm_log_between(from, t.at - 1);
    if (!fm_scan_word(&t, &host) || !fm_scan_byte(&t, ' ') || !fm_log_past_tag(&t, &tag)) return false;
    *s = t;
    log->time = time;
    log->leads = true;
    log->tag = tag;
    log->host = host;
    const size_t open = fm_str_find_byte(tag, '[');
    struct fm_scan process = fm_scan_of(fm_str_from(tag, open == FM_NOT_FOUND ? tag.size : open + 1));
    framemap_str pid;
    if (!fm_log_number_of(&process, &pid) || !fm_scan_byte(&process, ']')) return true;
    log->pid = pid;
    log->tag = fm_str_slice(tag, 0, open);
    return true;
}

bool fm_log_syslog(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (t.end - t.at < 16) return false;
    t.at += 3;
    if (!fm_log_matches_ends(&t, &fm_log_day_hour, &fm_log_minute_second_blank, 13) &&
        !fm_log_matches_ends(&t, &fm_log_first_days_hour, &fm_log_minute_second_blank, 13))
        return false;
    if (!fm_log_is_month(s->at) || !after_syslog_time(&t, s->at, log)) return false;
    *s = t;
    return true;
}

/* Reads a prefix in the form of syslog whose month may be any short word, in any language: the form is recognized by
 * what follows the month. */
bool fm_log_syslog_abroad(struct fm_scan *s, struct fm_log_fields *log)
{
    /* the name of the month has at most this many bytes: "\xD1\x8F\xD0\xBD\xD0\xB2." is Russian for January */
    enum { MONTH_MOST = 12 };
    struct fm_scan t = *s;
    if (t.end - t.at < MONTH_MOST + 16) return false;
    while (t.at - s->at < MONTH_MOST && *t.at != ' ') t.at++;
    if (t.at - s->at < 3 || !fm_log_matches_ends(&t, &fm_log_day_hour, &fm_log_minute_second_blank, 13)) return false;
    struct fm_log_fields fields = *log;
    if (!after_syslog_time(&t, s->at, &fields) || (fields.pid.size == 0 && !fm_str_equal(fields.tag, FM_STR("kernel"))))
        return false;
    *log = fields;
    *s = t;
    return true;
}

/* Sets the tag and the process id from "app", "app[123]", "app[web.1]". */
static void set_process(framemap_str text, struct fm_log_fields *log)
{
    const size_t open = fm_str_find_byte(text, '[');
    log->tag = fm_str_slice(text, 0, open);
    if (open == FM_NOT_FOUND || text.data[text.size - 1] != ']') return;
    struct fm_scan s = fm_scan_of(fm_str_slice(text, open + 1, text.size - 1));
    const framemap_str inside = fm_scan_rest(&s);
    if (fm_log_few_digits(&s, 1, 10) && fm_scan_done(&s))
        log->pid = inside;
    else
        log->process = inside;
}

/* Parses "TAG: " or "TAG[PID]: " after a host. */
static bool host_tag(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str host, tag;
    if (!fm_log_word(&t, &host) || !fm_log_word(&t, &tag) || tag.size < 2 || tag.data[tag.size - 1] != ':')
        return false;
    log->host = host;
    set_process(fm_str(tag.data, tag.size - 1), log);
    *s = (struct fm_scan){tag.data + tag.size, s->end};
    fm_scan_byte(s, ' ');
    return true;
}

/* Whether "app[12]: " before this text is part of a kernel message instead of a prefix: the kernel reports a fault of
 * that process, "unhandled level 1 translation fault (11) at …" or "unhandled signal 11 code 0x1 at …". The kernel
 * prints the registers below this line. */
static bool is_kernels(framemap_str rest, const struct fm_log_fields *log)
{
    return fm_str_starts(rest, FM_STR("unhandled ")) && log->pid.size == 0 &&
           (log->tag.size == 0 || fm_str_equal(log->tag, FM_STR("kernel")));
}

/* Reads a prefix that ends at the first word that ends in a colon: "host process[PID]: ", "host kernel: ". */
bool fm_log_host_process(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str text, first = {NULL, 0};
    for (unsigned words = 0; words < 2; words++) {
        if (!fm_log_word(&t, &text)) return false;
        if (words == 0) first = text;
        if (words == 1 && fm_str_equal(text, FM_STR("kernel:"))) return host_tag(s, log);
        if (text.size < 4 || text.data[text.size - 1] != ':' || text.data[text.size - 2] != ']') {
            /* in "local.ERROR: SQLSTATE[42S02]: x", the word "local.ERROR:" is not a host */
            if (fm_str_ends(text, FM_STR(":"))) return false;
            continue;
        }
        if (fm_str_find_byte(text, '[') == FM_NOT_FOUND || text.data[0] == '[') return false;
        struct fm_scan rest = {text.data + text.size, s->end};
        fm_scan_byte(&rest, ' ');
        if (is_kernels(fm_scan_rest(&rest), log)) return false;
        if (words == 1) log->host = first;
        set_process(fm_str(text.data, text.size - 1), log);
        *s = rest;
        return true;
    }
    return false;
}

/* Parses "Jan 02 10:00:00.123456 ", which a host and a process follow, or "Jan  2 10:00:00 2026" of "Fri Jan  2
 * 10:00:00 2026". */
static bool month_time(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (t.end - t.at < 16 || !fm_log_is_month(t.at)) return false;
    t.at += 3;
    if (!fm_log_matches(&t, " dd ") && !fm_log_matches(&t, "  d ")) return false;
    if (!fm_log_matches(&t, "dd:dd:dd")) return false;
    if (fm_scan_byte(&t, '.')) fm_log_few_digits(&t, 0, 9);
    if (!fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

static bool structured_data(struct fm_scan *s)
{
    if (fm_scan_byte(s, '-')) return true;
    framemap_str element;
    bool any = false;
    while (s->at < s->end && *s->at == '[' && fm_log_field(s, ']', &element)) any = true;
    return any;
}

/* Returns an absent string for "-", which is printed for an unknown field. */
static framemap_str unless_nil(framemap_str text) { return fm_str_equal(text, FM_STR("-")) ? fm_str(NULL, 0) : text; }

bool fm_log_priority(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str words[4]; /* the words are the host, the program, the process id and the message id */
    if (!fm_scan_byte(&t, '<') || !fm_log_few_digits(&t, 1, 3) || !fm_scan_byte(&t, '>')) return false;
    const char *time = t.at;
    if (month_time(&t)) {
        log->time = fm_str(time, (size_t)(t.at - 1 - time));
        if (!host_tag(&t, log)) return false;
    } else {
        if (!fm_scan_text(&t, FM_STR("1 "))) return false;
        time = t.at;
        if (!(fm_log_date_time(&t) || fm_scan_byte(&t, '-'))) return false;
        if (t.at - time > 1) log->time = fm_str(time, (size_t)(t.at - time));
        fm_scan_blanks(&t);
        for (unsigned i = 0; i < 4; i++)
            if (!fm_log_word(&t, &words[i])) return false;
        if (!structured_data(&t) || !fm_scan_byte(&t, ' ')) return false;
        fm_scan_text(&t, FM_STR("\xEF\xBB\xBF"));
        log->host = unless_nil(words[0]);
        log->tag = unless_nil(words[1]);
        log->pid = unless_nil(words[2]);
    }
    *s = t;
    return true;
}

bool fm_log_precise_month(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (!month_time(&t)) return false;
    const framemap_str time = fm_str(s->at, (size_t)(t.at - 1 - s->at));
    if (!host_tag(&t, log)) return false;
    log->time = time;
    *s = t;
    return true;
}

/* --- parsing the prefixes of NSLog, glog and the kernel --- */

bool fm_log_nslog(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str pid, thread = {NULL, 0};
    if (!fm_scan_byte(&t, ' ')) return false;
    const char *start = t.at;
    if (!fm_log_past(&t, "[")) return false;
    const framemap_str process = fm_log_between(start, t.at - 1);
    if (process.size && (fm_is_blank(t.at[-2]) || fm_str_find(process, FM_STR("  ")) != FM_NOT_FOUND)) return false;
    if (fm_str_find(process, FM_STR(": ")) != FM_NOT_FOUND) return false; /* "TypeError: a[0] is undefined" */
    if (!fm_log_number_of(&t, &pid)) return false;
    if (fm_scan_byte(&t, ':') && !fm_scan_until(&t, ']', &thread)) return false;
    if (!fm_scan_byte(&t, ']') || !fm_scan_byte(&t, ' ')) return false;
    fm_scan_text(&t, FM_STR("critical: ")); /* Mono logs a crash with the level "critical" */
    *s = t;
    log->process = process;
    log->pid = pid;
    log->tid = thread;
    /* a log with this prefix is the console of one program, so lines without a prefix belong to its messages */
    log->one_origin = true;
    return true;
}

bool fm_log_kernel(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (fm_scan_byte(&t, '<') && (!fm_log_number(&t) || !fm_scan_byte(&t, '>'))) return false;
    if (!fm_scan_byte(&t, '[')) return false;
    fm_scan_blanks(&t);
    const char *start = t.at;
    if (!fm_log_number(&t) || !fm_scan_byte(&t, '.') || !fm_log_number(&t)) return false;
    const framemap_str time = fm_log_between(start, t.at);
    if (!fm_scan_byte(&t, ']')) return false;
    log->time = time;
    fm_scan_byte(&t, ' ');
    struct fm_scan caller = t;
    if (fm_scan_byte(&caller, '[')) {
        fm_scan_blanks(&caller);
        framemap_str id;
        const bool is_thread = fm_scan_byte(&caller, 'T');
        if ((is_thread || fm_scan_byte(&caller, 'C')) && fm_log_number_of(&caller, &id) && fm_scan_byte(&caller, ']')) {
            fm_scan_byte(&caller, ' ');
            t = caller;
            *(is_thread ? &log->tid : &log->cpu) = id;
        }
    }
    *s = t;
    return true;
}

bool fm_log_kernel_date(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_scan_byte(&t, '[') || t.end - t.at < 4 || !fm_log_is_upper(*t.at) || t.at[3] != ' ') return false;
    t.at += 4;
    if (!month_time(&t) || !fm_log_matches(&t, "dddd]") || !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

bool fm_log_dropped_messages(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_scan_text(&t, FM_STR("** ")) || !fm_log_few_digits(&t, 1, 10)) return false;
    if (!fm_scan_text(&t, FM_STR(" printk messages dropped ** "))) return false;
    *s = t;
    return true;
}

bool fm_log_login_prompt(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str host;
    struct fm_log_fields ignored = {.leads = false};
    if (!fm_scan_word(&t, &host) || !fm_scan_text(&t, FM_STR(" login: "))) return false;
    struct fm_scan kernel = t;
    if (!fm_log_kernel(&kernel, &ignored)) return false;
    *s = t;
    return true;
}

bool fm_log_glog(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter;
    if (!fm_log_level(&t, &letter) || !fm_log_matches_ends(&t, &fm_log_number_hour, &fm_log_minute_second, 14))
        return false;
    fm_log_digits(&t);
    const framemap_str time = fm_log_between(s->at + 1, t.at);
    if (!fm_log_past(&t, "] ")) return false;
    *s = t;
    log->level = letter;
    log->time = time;
    return true;
}

bool fm_log_glog_year(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str rest;
    if (!fm_log_is_upper(*t.at)) return false;
    t.at++;
    if (!fm_log_matches(&t, "dddddddd dd:dd:dd.") || !fm_log_field(&t, ']', &rest) || !fm_scan_byte(&t, ' '))
        return false;
    *s = t;
    return true;
}
