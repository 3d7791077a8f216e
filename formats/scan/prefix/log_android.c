/* Implements log_android.h: parses time, process, thread, severity and tag in each layout of Android's log, with one
 * function for each layout. */
#include "formats/scan/prefix/log_android.h"
#include "formats/scan/prefix/log_times.h"

/* Returns the one of the listed texts that the scan is at, and moves past it; absent if the scan is at none of them. */
static framemap_str take_one_of(struct fm_scan *s, const framemap_str *texts, size_t count)
{
    for (size_t i = 0; i < count && !fm_scan_done(s); i++)
        if (*s->at == *texts[i].data && fm_scan_text(s, texts[i])) return texts[i];
    return (framemap_str){NULL, 0};
}

/* Parses the level before a tag, "E/", or "ERROR/" as DDMS and Eclipse print it. */
static bool level_before_tag(struct fm_scan *s, framemap_str *level)
{
    static const framemap_str words[] = {FM_STR_INIT("VERBOSE/"), FM_STR_INIT("DEBUG/"), FM_STR_INIT("INFO/"),
                                         FM_STR_INIT("WARN/"),    FM_STR_INIT("ERROR/"), FM_STR_INIT("ASSERT/")};
    struct fm_scan t = *s;
    if (fm_log_level(&t, level) && fm_scan_byte(&t, '/')) {
        *s = t;
        return true;
    }
    const framemap_str word = take_one_of(s, words, sizeof words / sizeof *words);
    *level = fm_str_slice(word, 0, word.size ? word.size - 1 : 0);
    return word.size != 0;
}

bool fm_logcat_brief(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter, pid;
    if (!level_before_tag(&t, &letter)) return false;
    const char *start = t.at;
    if (!fm_log_past(&t, "(")) return false;
    const framemap_str tag = fm_str_trim(fm_log_between(start, t.at - 1));
    fm_scan_blanks(&t);
    if (!fm_log_number_of(&t, &pid) || !fm_scan_byte(&t, ')') || !fm_scan_byte(&t, ':')) return false;
    fm_scan_byte(&t, ' ');
    *s = t;
    log->level = letter;
    log->tag = tag;
    log->pid = pid;
    return true;
}

/* Android Studio 1 prints this character, the small colon, in place of the colon after a tag. */
static const framemap_str small_colon = FM_STR_INIT("\xEF\xB9\x95");

/* Skips a tag, and the colon and blank after it, as Android Studio prints them. */
static bool past_studio_tag(struct fm_scan *s, framemap_str *tag)
{
    const framemap_str rest = fm_scan_rest(s), head = fm_str_slice(rest, 0, FM_LOG_FIELD_MOST);
    const size_t small = fm_str_find(head, small_colon);
    if (small == FM_NOT_FOUND || small > fm_str_find(head, FM_STR(": "))) return fm_log_past_tag(s, tag);
    *tag = fm_str_trim(fm_str_slice(rest, 0, small));
    s->at += small + small_colon.size;
    fm_scan_byte(s, ' ');
    return true;
}

static bool is_tag_byte(char c)
{
    return fm_is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-' || c == '.' ||
           c == '$' || c == '/' || c == ':';
}

/* Parses "TAG   : ". A tag has no blanks, but may have colons; the final colon may be the line's last byte. Moves on
 * success. */
static bool bare_tag(struct fm_scan *s, framemap_str *tag)
{
    struct fm_scan t = *s;
    const char *end = t.end - t.at > FM_LOG_FIELD_MOST ? t.at + FM_LOG_FIELD_MOST : t.end;
    while (t.at < end && is_tag_byte(*t.at) && !(*t.at == ':' && (t.at + 1 == t.end || fm_is_blank(t.at[1])))) t.at++;
    *tag = fm_str(s->at, (size_t)(t.at - s->at));
    fm_scan_blanks(&t);
    if (tag->size < 2 || fm_is_digit(tag->data[0]) || !(fm_scan_byte(&t, ':') || fm_scan_text(&t, small_colon)))
        return false;
    if (t.at != t.end && !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

bool fm_logcat_tagged(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter, tag;
    if (!fm_log_level(&t, &letter) || !fm_scan_byte(&t, '/') || !bare_tag(&t, &tag)) return false;
    *s = t;
    log->level = letter;
    log->tag = tag;
    /* Android Studio may print only the first line of a message in this form, without time and process */
    log->leads = true;
    return true;
}

/* Parses "L TAG: ". A tag with dots is not accepted, because such a text is taken for an exception; only the names of
 * Java's own streams are. */
bool fm_logcat_tagged_by_blank(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter, tag;
    if (!fm_log_level(&t, &letter) || !fm_scan_byte(&t, ' ')) return false;
    fm_scan_byte(&t, ' ');
    if (!bare_tag(&t, &tag)) return false;
    if (fm_str_find_byte(tag, '.') != FM_NOT_FOUND && !fm_str_starts(tag, FM_STR("System."))) return false;
    *s = t;
    log->level = letter;
    log->tag = tag;
    return true;
}

bool fm_logcat_by_process(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter, pid, tid = {NULL, 0};
    if (!fm_log_level(&t, &letter) || !fm_scan_byte(&t, '(')) return false;
    fm_scan_blanks(&t);
    if (!fm_log_number_of(&t, &pid)) return false;
    if (fm_scan_byte(&t, ':')) {
        fm_scan_blanks(&t);
        if (!fm_log_number_of(&t, &tid)) return false;
    }
    if (!fm_scan_byte(&t, ')') || !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    log->level = letter;
    log->pid = pid;
    log->tid = tid;
    return true;
}

bool fm_logcat_threadtime(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str pid, tid, third, letter, tag;
    fm_scan_blanks(&t);
    if (!fm_log_number_of(&t, &pid) || !fm_scan_blanks1(&t) || !fm_log_number_of(&t, &tid) || !fm_scan_blanks1(&t))
        return false;
    if (fm_log_number_of(&t, &third)) {
        if (!fm_scan_blanks1(&t)) return false;
        pid = tid;
        tid = third;
    }
    if (!fm_log_level(&t, &letter) || !fm_scan_byte(&t, ' ') || !fm_log_past_tag(&t, &tag)) return false;
    *s = t;
    log->pid = pid;
    log->tid = tid;
    log->level = letter;
    log->tag = tag;
    return true;
}

/* Parses " shell  PID  TID L TAG   : " of logcat -v uid in bug reports: a user that has a name is printed by name,
 * here "shell", instead of by number. */
static bool threadtime_user(struct fm_scan *s, struct fm_log_fields *log)
{
    enum { USER_MOST = 32 };
    struct fm_scan t = *s;
    fm_scan_blanks(&t);
    const char *const user = t.at;
    while (t.at != t.end && ((*t.at >= 'a' && *t.at <= 'z') || fm_is_digit(*t.at) || *t.at == '_')) t.at++;
    if (t.at == user || fm_is_digit(*user) || t.at - user > USER_MOST || !fm_logcat_threadtime(&t, log)) return false;
    *s = t;
    return true;
}

bool fm_logcat_studio_old(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str pid, tid, word, letter, tag;
    fm_scan_blanks(&t);
    if (!fm_log_number_of(&t, &pid) || !fm_scan_byte(&t, '-') || !fm_log_number_of(&t, &tid) || !fm_scan_byte(&t, '/'))
        return false;
    if (!fm_scan_word(&t, &word) || !fm_scan_blanks1(&t) || !fm_log_level(&t, &letter) || !fm_scan_byte(&t, '/') ||
        !past_studio_tag(&t, &tag))
        return false;
    *s = t;
    log->pid = pid;
    log->tid = tid;
    log->level = letter;
    log->tag = tag;
    log->process = word;
    log->leads = true;
    return true;
}

/* Parses " PID-TID  TAG   package   L  " of later versions of Android Studio. Without a message, the level may be the
 * line's last byte. */
static bool studio_new(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str pid, tid, tag, word, letter;
    fm_scan_blanks(&t);
    if (!fm_log_number_of(&t, &pid) || !fm_scan_byte(&t, '-') || !fm_log_number_of(&t, &tid) || !fm_scan_blanks1(&t))
        return false;
    if (!fm_scan_word(&t, &tag) || !fm_scan_blanks1(&t) || !fm_scan_word(&t, &word) || !fm_scan_blanks1(&t))
        return false;
    if (!fm_log_level(&t, &letter) || (!fm_scan_done(&t) && !fm_scan_byte(&t, ' '))) return false;
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

/* Moves past the text before the next tab, at most FM_LOG_FIELD_MOST bytes, and past the tab. */
static bool field_before_tab(struct fm_scan *s, framemap_str *field)
{
    struct fm_scan t = *s;
    if (!fm_log_past(&t, "\t")) return false;
    *field = fm_log_between(s->at, t.at - 1);
    *s = t;
    return field->size > 0;
}

/* Parses " DEVICE LEVEL PID TAG ", with tabs between the fields, of the device log that Visual Studio copies. The
 * device has a name such as "pixel_7_-_api_35". */
static bool visual_studio(struct fm_scan *s, struct fm_log_fields *log)
{
    static const framemap_str levels[] = {FM_STR_INIT("Verbose\t"), FM_STR_INIT("Debug\t"), FM_STR_INIT("Info\t"),
                                          FM_STR_INIT("Warning\t"), FM_STR_INIT("Error\t"), FM_STR_INIT("Assert\t")};
    struct fm_scan t = *s;
    framemap_str device, pid, tag;
    if (!fm_scan_byte(&t, '\t') || !field_before_tab(&t, &device)) return false;
    const framemap_str level = take_one_of(&t, levels, sizeof levels / sizeof *levels);
    if (level.size == 0 || !fm_log_number_of(&t, &pid) || !fm_scan_byte(&t, '\t') || !field_before_tab(&t, &tag))
        return false;
    *s = t;
    log->level = fm_str(level.data, level.size - 1);
    log->pid = pid;
    log->tag = tag;
    log->leads = true;
    return true;
}

bool fm_logcat_after_date(struct fm_scan *s, struct fm_log_fields *log)
{
    return fm_logcat_threadtime(s, log) || threadtime_user(s, log) || fm_logcat_studio_old(s, log) ||
           studio_new(s, log) || visual_studio(s, log);
}

bool fm_logcat_studio_compact(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str letter;
    if (!fm_log_time_of_day(&t) || !fm_log_matches(&t, ".ddd  ") || !fm_log_level(&t, &letter) ||
        (!fm_scan_done(&t) && !fm_scan_text(&t, FM_STR("  "))))
        return false;
    log->time = fm_log_between(s->at, letter.data - 2);
    log->level = letter;
    log->leads = true;
    *s = t;
    return true;
}

/* Parses the tag of a line that Visual Studio shows from a device's log. */
bool fm_logcat_device_tag(struct fm_scan *s, struct fm_log_fields *log)
{
    static const framemap_str tags[] = {FM_STR_INIT("[AndroidRuntime] "), FM_STR_INIT("[MonoDroid] "),
                                        FM_STR_INIT("[mono-rt] "),        FM_STR_INIT("[DOTNET] "),
                                        FM_STR_INIT("[DEBUG] "),          FM_STR_INIT("[libc] ")};
    const framemap_str found = take_one_of(s, tags, sizeof tags / sizeof *tags);
    if (found.size == 0) return false;
    log->tag = fm_str_slice(found, 1, found.size - 2);
    return true;
}

/* Parses "2024/03/13 12:00:41.221 PID TID Fatal TAG " of the log that Unity's editor saves. Blanks after the tag may
 * belong to a row of a stack, so only one is consumed. */
bool fm_logcat_unity(struct fm_scan *s, struct fm_log_fields *log)
{
    static const framemap_str levels[] = {FM_STR_INIT("Verbose"), FM_STR_INIT("Debug"), FM_STR_INIT("Info"),
                                          FM_STR_INIT("Warn"),    FM_STR_INIT("Error"), FM_STR_INIT("Fatal")};
    struct fm_scan t = *s;
    framemap_str pid, tid, level, tag;
    if (!fm_log_matches(&t, "dddd/dd/dd dd:dd:dd.ddd")) return false;
    const framemap_str time = fm_log_between(s->at, t.at);
    if (!fm_scan_blanks1(&t) || !fm_log_number_of(&t, &pid) || !fm_scan_blanks1(&t) || !fm_log_number_of(&t, &tid) ||
        !fm_scan_blanks1(&t) || !fm_scan_word(&t, &level) || !fm_scan_byte(&t, ' ') || !fm_scan_word(&t, &tag))
        return false;
    size_t i = 0;
    while (i < sizeof levels / sizeof *levels && !fm_str_equal(level, levels[i])) i++;
    if (i == sizeof levels / sizeof *levels || (!fm_scan_done(&t) && !fm_scan_byte(&t, ' '))) return false;
    *s = t;
    log->time = time;
    log->pid = pid;
    log->tid = tid;
    log->level = level;
    log->tag = tag;
    return true;
}

bool fm_logcat_titanium(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str thread;
    if (!fm_scan_byte(&t, '(') || !fm_log_field(&t, ')', &thread) || thread.size == 0 ||
        !fm_scan_text(&t, FM_STR(" [")) || !fm_log_few_digits(&t, 1, 10) || !fm_scan_byte(&t, ',') ||
        !fm_log_few_digits(&t, 1, 10) || !fm_scan_text(&t, FM_STR("] ")))
        return false;
    *s = t;
    return true;
}

/* Parses the tag of a crash, padded as logcat pads it, on a line that lost everything before the tag: "DEBUG   : ". */
bool fm_logcat_bare_tag(struct fm_scan *s, struct fm_log_fields *log)
{
    static const framemap_str tags[] = {
        FM_STR_INIT("AndroidRuntime: "), FM_STR_INIT("DEBUG   : "),     FM_STR_INIT("CRASH   : "),
        FM_STR_INIT("crash_dump64: "),   FM_STR_INIT("crash_dump32: "), FM_STR_INIT("libc    : "),
        FM_STR_INIT("ReactNativeJS: "),  FM_STR_INIT("System.err: "),   FM_STR_INIT("TiExceptionHandler: ")};
    const framemap_str found = take_one_of(s, tags, sizeof tags / sizeof *tags);
    if (found.size == 0) return false;
    log->tag = fm_str_trim(fm_str_slice(found, 0, found.size - 2));
    log->leads = fm_str_equal(log->tag, FM_STR("ReactNativeJS"));
    return true;
}
