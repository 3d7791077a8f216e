/* Recognizes the prefixes that loggers put before a line, by their first bytes, so that most lines without a prefix
 * cost one comparison. Called by lines.c. Sources: logcat's man page and logprint.c of Android, RFC 3164, printk's
 * timestamps, glog's header. */
#include "formats/scan/prefix/log_prefix.h"
#include "core/text/scan.h"
#include "formats/scan/prefix/log_shapes.h"

#define TAG_LIMIT                                                                                       \
    256 /* bytes of a log tag that are searched for its end: the longest on Android is 23, in syslog 48 \
         */

/* Matches the next bytes against a pattern: 'd' is a digit, other characters are literal. Moves on success. */
static bool shape(struct fm_scan *s, const char *pattern)
{
    const char *p = s->at;
    for (; *pattern; pattern++, p++) {
        if (p == s->end) return false;
        if (*pattern == 'd' ? !fm_is_digit(*p) : *p != *pattern) return false;
    }
    s->at = p;
    return true;
}

/* Eight bytes of a pattern, for SWAR comparison: bytes are XORed with `like`, and adding `above` sets the highest bit
 * of each wrong byte. */
struct eight {
    char like[9]; /* with the terminating NUL */
    unsigned char above[8];
};
#define DIGIT 0x76 /* a difference of 10 or more sets the highest bit */
#define EXACT 0x7F /* a difference of 1 or more sets it */

/* The first bytes of the two dates, which most lines of a log begin with, and a time. */
static const struct eight month_day = {"00-00 00", {DIGIT, DIGIT, EXACT, DIGIT, DIGIT, EXACT, DIGIT, DIGIT}};
static const struct eight minute_second = {"0:00:00.", {DIGIT, EXACT, DIGIT, DIGIT, EXACT, DIGIT, DIGIT, EXACT}};
static const struct eight year_month = {"0000-00-", {DIGIT, DIGIT, DIGIT, DIGIT, EXACT, DIGIT, DIGIT, EXACT}};
static const struct eight clock = {"00:00:00", {DIGIT, DIGIT, EXACT, DIGIT, DIGIT, EXACT, DIGIT, DIGIT}};
/* The bytes of glog and syslog that follow their first letter or month. */
static const struct eight number_hour = {"0000 00:", {DIGIT, DIGIT, DIGIT, DIGIT, EXACT, DIGIT, DIGIT, EXACT}};
static const struct eight day_hour = {" 00 00:0", {EXACT, DIGIT, DIGIT, EXACT, DIGIT, DIGIT, EXACT, DIGIT}};
static const struct eight first_days_hour = {"  0 00:0", {EXACT, EXACT, DIGIT, EXACT, DIGIT, DIGIT, EXACT, DIGIT}};
static const struct eight minute_second_blank = {"0:00:00 ", {DIGIT, EXACT, DIGIT, DIGIT, EXACT, DIGIT, DIGIT, EXACT}};

/* Compares all eight bytes at once. A carry can only come from a byte that already mismatches. */
static bool is_like(const char *p, const struct eight *shape)
{
    uint64_t bytes, like, above;
    memcpy(&bytes, p, sizeof bytes);
    memcpy(&like, shape->like, sizeof like);
    memcpy(&above, shape->above, sizeof above);
    bytes ^= like;
    return (((bytes + above) | bytes) & UINT64_C(0x8080808080808080)) == 0;
}

/* Moves over `count` bytes if the first eight and the last eight match their patterns. */
static bool shape_of(struct fm_scan *s, const struct eight *first, const struct eight *last, size_t count)
{
    if ((size_t)(s->end - s->at) < count || !is_like(s->at, first) || !is_like(s->at + count - 8, last)) return false;
    s->at += count;
    return true;
}

/* "2026-11-21" */
static bool date(struct fm_scan *s)
{
    if (s->end - s->at < 10 || !is_like(s->at, &year_month) || !fm_is_digit(s->at[8]) || !fm_is_digit(s->at[9]))
        return false;
    s->at += 10;
    return true;
}

static bool time_of_day(struct fm_scan *s) { return shape_of(s, &clock, &clock, 8); }

static void digits(struct fm_scan *s)
{
    while (s->at != s->end && fm_is_digit(*s->at)) s->at++;
}

static bool number(struct fm_scan *s)
{
    const char *start = s->at;
    digits(s);
    return s->at != start;
}

static bool level(struct fm_scan *s)
{
    static const uint32_t letters = 1u << ('V' - 'A') | 1u << ('D' - 'A') | 1u << ('I' - 'A') | 1u << ('W' - 'A') |
                                    1u << ('E' - 'A') | 1u << ('F' - 'A') | 1u << ('A' - 'A') | 1u << ('S' - 'A');
    if (s->at == s->end || *s->at < 'A' || *s->at > 'Z' || (letters >> (*s->at - 'A') & 1) == 0) return false;
    s->at++;
    return true;
}

/* Moves past the next `mark`, within the tag limit. */
static bool past(struct fm_scan *s, const char *mark)
{
    size_t left = (size_t)(s->end - s->at);
    framemap_str head = fm_str(s->at, left < TAG_LIMIT ? left : TAG_LIMIT);
    size_t found = fm_str_find(head, fm_str(mark, strlen(mark)));
    if (found == FM_NOT_FOUND) return false;
    s->at += found + strlen(mark);
    return true;
}

static framemap_str between(const char *from, const char *to) { return fm_str(from, (size_t)(to - from)); }

/* A tag and its end: ": ", or ":" as the line's last byte. */
static bool past_tag(struct fm_scan *s, framemap_str *tag)
{
    const char *start = s->at;
    if (past(s, ": ")) {
        *tag = fm_str_trim(between(start, s->at - 2));
        return true;
    }
    if (s->end - s->at > TAG_LIMIT || s->at == s->end || s->end[-1] != ':') return false;
    s->at = s->end;
    *tag = fm_str_trim(between(start, s->end - 1));
    return true;
}

/* A decimal number as printed. */
static bool digits_of(struct fm_scan *s, framemap_str *out)
{
    const char *start = s->at;
    const bool any = number(s);
    *out = between(start, s->at);
    return any;
}

/* One letter. */
static bool level_of(struct fm_scan *s, framemap_str *out)
{
    *out = fm_str(s->at, 1);
    return level(s);
}

/* "L/TAG( PID): " */
static bool brief(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter, pid;
    if (!level_of(&t, &letter) || !fm_scan_byte(&t, '/')) return false;
    const char *start = t.at;
    if (!past(&t, "(")) return false;
    const framemap_str tag = fm_str_trim(between(start, t.at - 1));
    fm_scan_blanks(&t);
    if (!digits_of(&t, &pid) || !fm_scan_byte(&t, ')') || !fm_scan_byte(&t, ':')) return false;
    fm_scan_byte(&t, ' ');
    *s = t;
    log->level = letter;
    log->tag = tag;
    log->pid = pid;
    return true;
}

static bool is_tag_byte(char c)
{
    return fm_is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-' || c == '.' ||
           c == '$' || c == '/' || c == ':';
}

/* "TAG   : ", a tag without blanks, which may have colons; or with the colon as the line's last byte. Moves on success.
 */
static bool bare_tag(struct fm_scan *s, framemap_str *tag)
{
    struct fm_scan t = *s;
    const char *end = t.end - t.at > TAG_LIMIT ? t.at + TAG_LIMIT : t.end;
    while (t.at < end && is_tag_byte(*t.at) && !(*t.at == ':' && (t.at + 1 == t.end || fm_is_blank(t.at[1])))) t.at++;
    *tag = fm_str(s->at, (size_t)(t.at - s->at));
    fm_scan_blanks(&t);
    if (tag->size < 2 || fm_is_digit(tag->data[0]) || !fm_scan_byte(&t, ':')) return false;
    if (t.at != t.end && !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

/* "L/TAG: " of logcat -v tag, or of a line from which a tool removed the process */
static bool tagged(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter, tag;
    if (!level_of(&t, &letter) || !fm_scan_byte(&t, '/') || !bare_tag(&t, &tag)) return false;
    *s = t;
    log->level = letter;
    log->tag = tag;
    return true;
}

/* "L TAG: ", a threadtime line without its start. A tag with dots is taken for an exception, except the names of Java's
 * own streams. */
static bool tagged_by_blank(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter, tag;
    if (!level_of(&t, &letter) || !fm_scan_byte(&t, ' ')) return false;
    fm_scan_byte(&t, ' ');
    if (!bare_tag(&t, &tag)) return false;
    if (fm_str_find_byte(tag, '.') != FM_NOT_FOUND && !fm_str_starts(tag, FM_STR("System."))) return false;
    *s = t;
    log->level = letter;
    log->tag = tag;
    return true;
}

/* "L( PID) " and "L( PID: TID) " of logcat -v process and -v thread */
static bool by_process(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter, pid, tid = {NULL, 0};
    if (!level_of(&t, &letter) || !fm_scan_byte(&t, '(')) return false;
    fm_scan_blanks(&t);
    if (!digits_of(&t, &pid)) return false;
    if (fm_scan_byte(&t, ':')) {
        fm_scan_blanks(&t);
        if (!digits_of(&t, &tid)) return false;
    }
    if (!fm_scan_byte(&t, ')') || !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    log->level = letter;
    log->pid = pid;
    log->tid = tid;
    return true;
}

/* "  PID  TID L TAG   : " after a time; a uid may precede the PID */
static bool threadtime(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str pid, tid, third, letter, tag;
    fm_scan_blanks(&t);
    if (!digits_of(&t, &pid) || !fm_scan_blanks1(&t) || !digits_of(&t, &tid) || !fm_scan_blanks1(&t)) return false;
    if (digits_of(&t, &third)) {
        if (!fm_scan_blanks1(&t)) return false;
        pid = tid;
        tid = third;
    }
    if (!level_of(&t, &letter) || !fm_scan_byte(&t, ' ') || !past_tag(&t, &tag)) return false;
    *s = t;
    log->pid = pid;
    log->tid = tid;
    log->level = letter;
    log->tag = tag;
    return true;
}

/* " shell  PID  TID L TAG   : " of logcat -v uid, which bug reports have: the name of a user that has one. */
static bool threadtime_user(struct fm_scan *s, struct fm_log_fields *log)
{
    enum { USER_MOST = 32 };
    struct fm_scan t = *s;
    fm_scan_blanks(&t);
    const char *const user = t.at;
    while (t.at != t.end && ((*t.at >= 'a' && *t.at <= 'z') || fm_is_digit(*t.at) || *t.at == '_')) t.at++;
    if (t.at == user || fm_is_digit(*user) || t.at - user > USER_MOST || !threadtime(&t, log)) return false;
    *s = t;
    return true;
}

/* " PID-TID/package L/TAG: " of Android Studio up to 2021 */
static bool studio_old(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str pid, tid, word, letter, tag;
    fm_scan_blanks(&t);
    if (!digits_of(&t, &pid) || !fm_scan_byte(&t, '-') || !digits_of(&t, &tid) || !fm_scan_byte(&t, '/')) return false;
    if (!fm_scan_word(&t, &word) || !fm_scan_blanks1(&t) || !level_of(&t, &letter) || !fm_scan_byte(&t, '/') ||
        !past_tag(&t, &tag))
        return false;
    *s = t;
    log->pid = pid;
    log->tid = tid;
    log->level = letter;
    log->tag = tag;
    log->process = word;
    return true;
}

/* " PID-TID  TAG   package   L  " of later versions of Android Studio */
static bool studio_new(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str pid, tid, tag, word, letter;
    fm_scan_blanks(&t);
    if (!digits_of(&t, &pid) || !fm_scan_byte(&t, '-') || !digits_of(&t, &tid) || !fm_scan_blanks1(&t)) return false;
    if (!fm_scan_word(&t, &tag) || !fm_scan_blanks1(&t) || !fm_scan_word(&t, &word) || !fm_scan_blanks1(&t))
        return false;
    if (!level_of(&t, &letter) || !fm_scan_byte(&t, ' ')) return false;
    fm_scan_byte(&t, ' ');
    *s = t;
    log->pid = pid;
    log->tid = tid;
    log->level = letter;
    log->tag = tag;
    log->process = word;
    log->leads = true;
    return true;
}

/* "10:00:00.000  L  ", the compact view of Android Studio */
static bool studio_compact(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter;
    if (!time_of_day(&t) || !shape(&t, ".ddd  ") || !level_of(&t, &letter) || !fm_scan_text(&t, FM_STR("  ")))
        return false;
    log->time = between(s->at, letter.data - 2);
    log->level = letter;
    log->leads = true;
    *s = t;
    return true;
}

/* " App[pid:tid] " of NSLog; not " app  12 [002] " of perf script */
static bool nslog(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str pid, thread = {NULL, 0};
    if (!fm_scan_byte(&t, ' ')) return false;
    const char *start = t.at;
    if (!past(&t, "[")) return false;
    const framemap_str process = between(start, t.at - 1);
    if (process.size && fm_is_blank(t.at[-2])) return false;
    if (!digits_of(&t, &pid)) return false;
    if (fm_scan_byte(&t, ':') && !fm_scan_until(&t, ']', &thread)) return false;
    if (!fm_scan_byte(&t, ']') || !fm_scan_byte(&t, ' ')) return false;
    fm_scan_text(&t, FM_STR("critical: ")); /* the level with which Mono logs a crash */
    *s = t;
    log->process = process;
    log->pid = pid;
    log->tid = thread;
    log->one_origin = true; /* a program's own console: its messages have lines without a prefix */
    return true;
}

static void fraction(struct fm_scan *s)
{
    if (fm_scan_byte(s, '.') || fm_scan_byte(s, ',')) digits(s);
}

static void zone(struct fm_scan *s)
{
    if (fm_scan_byte(s, 'Z')) return;
    if (s->at != s->end && (*s->at == '+' || *s->at == '-') && s->end - s->at >= 5 && fm_is_digit(s->at[1])) {
        s->at++;
        digits(s);
        if (fm_scan_byte(s, ':')) digits(s);
    }
}

/* Skips a severity: "ERROR ", "[error] ", "[ERROR] default - ". */
static void severity(struct fm_scan *s, struct fm_log_fields *log)
{
    static const framemap_str words[] = {FM_STR_INIT("error"),   FM_STR_INIT("warn"),  FM_STR_INIT("warning"),
                                         FM_STR_INIT("info"),    FM_STR_INIT("debug"), FM_STR_INIT("fatal"),
                                         FM_STR_INIT("trace"),   FM_STR_INIT("log"),   FM_STR_INIT("verbose"),
                                         FM_STR_INIT("critical")};
    struct fm_scan t = *s;
    framemap_str word, category;
    bool bracket = fm_scan_byte(&t, '[');
    if (!(bracket ? fm_scan_until(&t, ']', &word) && fm_scan_byte(&t, ']') : fm_scan_word(&t, &word)) ||
        !fm_scan_byte(&t, ' '))
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (word.size != words[i].size || !fm_str_equal_nocase(word, words[i])) continue;
        *s = t;
        log->level = word;
        if (bracket && fm_scan_word(&t, &category) && fm_scan_text(&t, FM_STR(" - "))) {
            *s = t;
            log->tag = category;
            log->one_origin = true;
        }
        return;
    }
}

/* "stderr F ", of the files in which Kubernetes stores the output of containers */
static bool stream(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_scan_text(&t, FM_STR(" std")) || !(fm_scan_text(&t, FM_STR("err ")) || fm_scan_text(&t, FM_STR("out "))))
        return false;
    if (!fm_scan_text(&t, FM_STR("F ")) && !fm_scan_text(&t, FM_STR("P "))) return false;
    *s = t;
    return true;
}

/* After a date and a time: skips the fields that the logger using this time format writes next, or one blank. */
static bool after_time(struct fm_scan *s, struct fm_log_fields *log)
{
    if (threadtime(s, log) || threadtime_user(s, log) || studio_old(s, log) || studio_new(s, log) || nslog(s, log) ||
        stream(s))
        return true;
    struct fm_scan t = *s;
    fm_scan_byte(&t, ':'); /* of DDMS and Eclipse */
    fm_scan_blanks(&t);
    if (brief(&t, log)) {
        *s = t;
        return true;
    }
    if (!fm_scan_byte(s, ' ')) return false;
    severity(s, log);
    return true;
}

static bool dated(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (shape_of(&t, &month_day, &minute_second, 15)) {
        digits(&t);
    } else if (date(&t)) {
        if (!fm_scan_byte(&t, 'T') && !fm_scan_byte(&t, ' ')) return false;
        if (!time_of_day(&t)) return false;
        fraction(&t);
        zone(&t);
    } else {
        return false;
    }
    log->time = between(s->at, t.at);
    if (!after_time(&t, log)) return false;
    *s = t;
    return true;
}

/* "[10:00:00.123] ", "[2026-11-21T10:00:00Z] [ERROR] " */
static bool bracketed(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (!fm_scan_byte(&t, '[')) return false;
    if (date(&t) && !fm_scan_byte(&t, 'T') && !fm_scan_byte(&t, ' ')) return false;
    if (!time_of_day(&t)) return false;
    fraction(&t);
    zone(&t);
    const framemap_str time = between(s->at + 1, t.at);
    if (!fm_scan_byte(&t, ']') || !fm_scan_byte(&t, ' ')) return false;
    log->time = time;
    severity(&t, log);
    *s = t;
    return true;
}

/* "[AndroidRuntime] ", the tags of those lines that Visual Studio shows of a device's log */
static bool device_tag(struct fm_scan *s, struct fm_log_fields *log)
{
    static const framemap_str tags[] = {FM_STR_INIT("[AndroidRuntime] "), FM_STR_INIT("[MonoDroid] "),
                                        FM_STR_INIT("[mono-rt] "),        FM_STR_INIT("[DOTNET] "),
                                        FM_STR_INIT("[DEBUG] "),          FM_STR_INIT("[libc] ")};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (!fm_scan_text(s, tags[i])) continue;
        log->tag = fm_str_slice(tags[i], 1, tags[i].size - 2);
        return true;
    }
    return false;
}

static bool is_service(char c)
{
    static const uint64_t bytes[] = {UINT64_C(0x3FF) << '0' | UINT64_C(3) << '-',
                                     UINT64_C(0x3FFFFFF) << ('A' - 64) | UINT64_C(1) << ('_' - 64) |
                                         UINT64_C(0x3FFFFFF) << ('a' - 64)};
    const unsigned char byte = (unsigned char)c;
    return byte < 128 && (bytes[byte / 64] >> byte % 64 & 1) != 0; /* digits, letters, '-', '.' and '_' */
}

/* "web-1  | " of docker compose; "0|app  | " of PM2, with or without a time after it */
static bool service(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s, u;
    const char *start = t.at;
    bool numbered = number(&t) && fm_scan_byte(&t, '|');
    if (!numbered) t.at = start;
    const char *end = t.end - t.at > TAG_LIMIT ? t.at + TAG_LIMIT : t.end, *name = t.at;
    while (t.at < end && is_service(*t.at)) t.at++;
    if (t.at == name || fm_is_digit(*name) || !fm_scan_blanks1(&t) || !fm_scan_byte(&t, '|')) return false;
    fm_scan_byte(&t, ' ');
    u = t;
    if (numbered && shape(&u, "dddd-dd-ddTdd:dd:dd") && (fm_scan_text(&u, FM_STR(": ")) || fm_scan_byte(&u, ':')))
        t = u;
    *s = t;
    log->process = fm_str_trim(fm_str_slice(between(name, t.at), 0, fm_str_find_byte(between(name, t.at), '|')));
    return true;
}

/* "<6>[   12.345678] [ T123] " */
static bool kernel(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    if (fm_scan_byte(&t, '<') && (!number(&t) || !fm_scan_byte(&t, '>'))) return false;
    if (!fm_scan_byte(&t, '[')) return false;
    fm_scan_blanks(&t);
    const char *start = t.at;
    if (!number(&t) || !fm_scan_byte(&t, '.') || !number(&t)) return false;
    const framemap_str time = between(start, t.at);
    if (!fm_scan_byte(&t, ']')) return false;
    log->time = time;
    fm_scan_byte(&t, ' ');
    struct fm_scan caller = t;
    if (fm_scan_byte(&caller, '[')) {
        fm_scan_blanks(&caller);
        framemap_str id;
        const bool is_thread = fm_scan_byte(&caller, 'T');
        if ((is_thread || fm_scan_byte(&caller, 'C')) && digits_of(&caller, &id) && fm_scan_byte(&caller, ']')) {
            fm_scan_byte(&caller, ' ');
            t = caller;
            *(is_thread ? &log->tid : &log->cpu) = id;
        }
    }
    *s = t;
    return true;
}

static bool is_month(const char *p)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (size_t i = 0; i < sizeof months - 1; i += 3)
        if (p[0] == months[i] && p[1] == months[i + 1] && p[2] == months[i + 2]) return true;
    return false;
}

/* "Nov 21 10:00:00 host process[12]: " */
static bool syslog_line(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str host;
    if (t.end - t.at < 16) return false;
    t.at += 3;
    if (!shape_of(&t, &day_hour, &minute_second_blank, 13) && !shape_of(&t, &first_days_hour, &minute_second_blank, 13))
        return false;
    const framemap_str time = between(s->at, t.at - 1);
    framemap_str tag;
    if (!is_month(s->at) || !fm_scan_word(&t, &host) || !fm_scan_byte(&t, ' ') || !past_tag(&t, &tag)) return false;
    *s = t;
    log->time = time;
    log->leads = true;
    log->tag = tag;
    log->host = host;
    const size_t open = fm_str_find_byte(tag, '[');
    struct fm_scan process = fm_scan_of(fm_str_from(tag, open == FM_NOT_FOUND ? tag.size : open + 1));
    framemap_str pid;
    if (!digits_of(&process, &pid) || !fm_scan_byte(&process, ']')) return true;
    log->pid = pid;
    log->tag = fm_str_slice(tag, 0, open);
    return true;
}

/* "F1121 10:00:00.123456  77 file.cc:12] " */
static bool glog(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter;
    if (!level_of(&t, &letter) || !shape_of(&t, &number_hour, &minute_second, 14)) return false;
    digits(&t);
    const framemap_str time = between(s->at + 1, t.at);
    if (!past(&t, "] ")) return false;
    *s = t;
    log->level = letter;
    log->time = time;
    return true;
}

/* One prefix of those above. */
static size_t one_prefix(framemap_str line, unsigned has, struct fm_log_fields *log)
{
    struct fm_scan s = fm_scan_of(line);
    if (line.size < 8) return 0;
    char c = line.data[0];
    const bool may_serve = (has & FM_HAS_BAR) != 0;
    if (fm_is_digit(c)) {
        if (!studio_compact(&s, log) && !dated(&s, log) && !threadtime(&s, log) && !studio_old(&s, log) && may_serve &&
            line.data[1] != ' ')
            service(&s, log);
    } else if (c == '[' || c == '<') {
        if (!kernel(&s, log) && !bracketed(&s, log)) device_tag(&s, log);
    } else if (line.data[1] == '/') {
        if (!tagged(&s, log)) brief(&s, log);
    } else if ((line.data[1] == ' ' && tagged_by_blank(&s, log)) || (line.data[1] == '(' && by_process(&s, log))) {
        ;
    } else if (fm_is_digit(line.data[1]) && glog(&s, log)) {
        ;
    } else if (!(c >= 'A' && c <= 'S' && line.data[3] == ' ' && syslog_line(&s, log)) && may_serve && is_service(c)) {
        service(&s, log);
    }
    return (size_t)(s.at - line.data);
}

/* Prefixes follow each other: of a container, then of the program in it. */
size_t fm_log_prefix_fields(framemap_str line, unsigned has, struct fm_log_fields *log)
{
    enum { MOST = 4 };
    struct fm_scan s = fm_scan_of(line);
    *log = (struct fm_log_fields){.leads = false};
    if (line.size == 0) return 0;
    for (unsigned i = 0; i < MOST; i++) {
        const char *before = s.at;
        s.at += one_prefix(fm_scan_rest(&s), has, log);
        (void)fm_log_shape(&s, line, has, log);
        if (s.at == before) break;
    }
    return (size_t)(s.at - line.data);
}

size_t fm_log_prefix(framemap_str line, unsigned has)
{
    struct fm_log_fields log;
    return fm_log_prefix_fields(line, has, &log);
}

/* --- where a line comes from --- */

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
