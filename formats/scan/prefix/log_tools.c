/* Implements log_tools.h: parses what Docker Compose, Kubernetes, build servers, test runners and package managers
 * print before each line, with one function for each tool. */
#include "formats/scan/prefix/log_tools.h"
#include "formats/error_heading.h"
#include "formats/scan/prefix/log_pieces.h"

/* --- parsing the prefixes of containers --- */

static bool is_service(char c)
{
    static const uint64_t bytes[] = {UINT64_C(0x3FF) << '0' | UINT64_C(3) << '-',
                                     UINT64_C(0x3FFFFFF) << ('A' - 64) | UINT64_C(1) << ('_' - 64) |
                                         UINT64_C(0x3FFFFFF) << ('a' - 64)};
    const unsigned char byte = (unsigned char)c;
    /* The bits of `bytes` are set for the digits, the letters, '-', '.' and '_'. */
    return byte < 128 && (bytes[byte / 64] >> byte % 64 & 1) != 0;
}

bool fm_log_mach(struct fm_scan *s)
{
    struct fm_scan t = *s;
    fm_scan_blanks(&t);
    if (!fm_log_few_digits(&t, 1, 4) || !fm_log_matches(&t, ":dd.dd ")) return false;
    if (!fm_str_starts(fm_scan_rest(&t), FM_STR("GECKO("))) return false;
    *s = t;
    return true;
}

bool fm_log_gecko(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    const bool named = fm_scan_text(&t, FM_STR("GECKO("));
    framemap_str pid;
    if (!named && !fm_scan_text(&t, FM_STR("PID "))) return false;
    if (!fm_log_number_of(&t, &pid) || (named && !fm_scan_byte(&t, ')'))) return false;
    if (!fm_scan_text(&t, FM_STR(" | ")) && !(named && fm_scan_byte(&t, ' '))) return false;
    log->pid = pid;
    *s = t;
    return true;
}

bool fm_log_service(struct fm_scan *s, struct fm_log_fields *log)
{
    if (fm_log_gecko(s, log)) return true;
    struct fm_scan t = *s, u;
    const char *start = t.at;
    bool numbered = fm_log_number(&t) && fm_scan_byte(&t, '|');
    if (!numbered) t.at = start;
    const char *end = t.end - t.at > FM_LOG_FIELD_MOST ? t.at + FM_LOG_FIELD_MOST : t.end, *name = t.at;
    while (t.at < end && is_service(*t.at)) t.at++;
    if (t.at == name || fm_is_digit(*name) || !fm_scan_blanks1(&t) || !fm_scan_byte(&t, '|')) return false;
    fm_scan_byte(&t, ' ');
    u = t;
    if (numbered && fm_log_matches(&u, "dddd-dd-ddTdd:dd:dd") &&
        (fm_scan_text(&u, FM_STR(": ")) || fm_scan_byte(&u, ':')))
        t = u;
    *s = t;
    log->process =
        fm_str_trim(fm_str_slice(fm_log_between(name, t.at), 0, fm_str_find_byte(fm_log_between(name, t.at), '|')));
    return true;
}

bool fm_log_stream(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_scan_text(&t, FM_STR(" std")) || !(fm_scan_text(&t, FM_STR("err ")) || fm_scan_text(&t, FM_STR("out "))))
        return false;
    if (!fm_scan_byte(&t, 'F') && !fm_scan_byte(&t, 'P')) return false;
    /* if the line is empty, its last blank may have been cut off */
    if (!fm_scan_done(&t) && !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

/* Returns the size of "-abcde" at the end of a name: a dash followed by lower-case letters and digits. 0: the name does
 * not end in such a part. */
static size_t part_before(framemap_str text)
{
    size_t size = text.size;
    while (size && (fm_log_is_lower(text.data[size - 1]) || fm_is_digit(text.data[size - 1]))) size--;
    return size && text.data[size - 1] == '-' ? text.size - size + 1 : 0;
}

bool fm_log_pod(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str name, container;
    if (!fm_log_word(&t, &name) || name.size < 12 || name.data[name.size - 6] != '-') return false;
    if (part_before(name) != 6 || !fm_log_is_lower(*name.data)) return false;
    const size_t hash = part_before(fm_str_slice(name, 0, name.size - 6));
    if (hash < 6 || hash > 11) return false;
    fm_scan_text(&t, FM_STR("\xE2\x80\xBA "));
    struct fm_scan u = t;
    if (!fm_log_word(&u, &container) || !fm_log_is_lower(*container.data)) return false;
    for (size_t i = 0; i < container.size; i++)
        if (!fm_log_is_lower(container.data[i]) && !fm_is_digit(container.data[i]) && container.data[i] != '-')
            return false;
    t.at = container.data + container.size + 1;
    *s = t;
    log->host = name;
    log->tag = container;
    return true;
}

bool fm_log_cloud_foundry(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str name;
    if (!fm_scan_byte(&t, '[') || !fm_log_field(&t, ']', &name) || fm_str_find_byte(name, '/') == FM_NOT_FOUND)
        return false;
    if (!fm_scan_text(&t, FM_STR(" ERR ")) && !fm_scan_text(&t, FM_STR(" OUT "))) return false;
    *s = t;
    return true;
}

bool fm_log_lambda(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str id, severity;
    if (!fm_log_date_time(&t) || !fm_scan_byte(&t, '\t') || !fm_log_field(&t, '\t', &id)) return false;
    struct fm_scan u = t;
    if (fm_log_field(&u, '\t', &severity) && fm_log_is_severity(severity)) t = u;
    *s = t;
    return true;
}

/* --- parsing the prefixes of build tools and other tools --- */

/* Whether the text in brackets before a line is a severity, a stream, or a pod: "ERROR", "stderr", "pod/web-0/web". */
static bool is_bracketed_name(framemap_str text)
{
    const bool mixed =
        /* a word such as "[Error]", which Safari prints, is not the severity of a logger */
        text.size > 1 && fm_log_is_upper(text.data[0]) != fm_log_is_upper(text.data[1]);
    return (fm_log_is_severity(text) && !mixed) || fm_str_equal(text, FM_STR("stderr")) ||
           fm_str_equal(text, FM_STR("stdout")) || fm_str_starts(text, FM_STR("pod/"));
}

/* Sets host and tag from "pod/web-0/web" of kubectl: the pod "web-0" counts as the host of its container "web". */
static void set_pod(framemap_str name, struct fm_log_fields *log)
{
    if (!fm_str_starts(name, FM_STR("pod/"))) return;
    const size_t slash = fm_str_find_last_byte(name, '/');
    if (slash < 4) return;
    log->host = fm_str_slice(name, 4, slash);
    log->tag = fm_str_from(name, slash + 1);
}

bool fm_log_bracketed_name(struct fm_scan *s, struct fm_log_fields *log)
{
    struct fm_scan t = *s;
    framemap_str name;
    if (!fm_scan_byte(&t, '[') || !fm_log_field(&t, ']', &name) || !is_bracketed_name(name)) return false;
    fm_scan_byte(&t, ':');
    if (!fm_scan_byte(&t, ' ')) return false;
    fm_scan_text(&t, FM_STR(": ")); /* Titanium for iOS prints no tag, but the colon after it */
    *s = t;
    set_pod(name, log);
    return true;
}

bool fm_log_hash_command(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str name;
    if (!fm_scan_text(&t, FM_STR("##[")) || !fm_log_field(&t, ']', &name) || name.size == 0 || name.size > 16)
        return false;
    for (size_t i = 0; i < name.size; i++)
        if (!fm_log_is_lower(name.data[i])) return false;
    *s = t;
    return true;
}

bool fm_log_colon_command(struct fm_scan *s)
{
    struct fm_scan t = *s;
    static const framemap_str names[] = {FM_STR_INIT("error"), FM_STR_INIT("warning"), FM_STR_INIT("notice"),
                                         FM_STR_INIT("debug")};
    if (!fm_scan_text(&t, FM_STR("::"))) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!fm_scan_text(&t, names[i])) continue;
        const framemap_str rest = fm_str_slice(fm_scan_rest(&t), 0, FM_LOG_FIELD_MOST);
        const size_t end = fm_str_find(rest, FM_STR("::"));
        if (end == FM_NOT_FOUND) return false;
        t.at += end + 2;
        *s = t;
        return true;
    }
    return false;
}

bool fm_log_job_step(struct fm_scan *s)
{
    struct fm_scan t = *s, time;
    framemap_str job, step;
    if (!fm_log_field(&t, '\t', &job) || job.size == 0 || !fm_log_field(&t, '\t', &step) || step.size == 0)
        return false;
    time = t;
    if (!fm_log_date_time(&time)) return false;
    *s = t;
    return true;
}

bool fm_log_elapsed(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_scan_byte(&t, '[')) return false;
    const char *from = t.at;
    fm_scan_blanks(&t);
    const bool timed = fm_scan_byte(&t, '+');
    if (timed && (!fm_log_few_digits(&t, 1, 9) || !fm_scan_text(&t, FM_STR(" ms")))) return false;
    if (t.at - from < 7 || !fm_scan_text(&t, FM_STR("] "))) return false;
    *s = t;
    return true;
}

bool fm_log_time_tab(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_log_date_time(&t) || !fm_scan_byte(&t, '\t')) return false;
    *s = t;
    return true;
}

bool fm_log_gitlab(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_log_matches(&t, "dd") || t.end - t.at < 2) return false;
    if ((t.at[0] != 'O' && t.at[0] != 'E') || (t.at[1] != ' ' && t.at[1] != '+')) return false;
    t.at += 2;
    *s = t;
    return true;
}

/* Whether a text after a number such as "12: " begins like a line of a crash report. A text that begins with an address
 * or a name does not: it is a row of Rust or V8, and the number is that of the row. */
static bool begins_report(framemap_str text)
{
    static const framemap_str starts[] = {FM_STR_INIT("\033["),
                                          FM_STR_INIT("=="),
                                          FM_STR_INIT("WARNING: "),
                                          FM_STR_INIT("ERROR: "),
                                          FM_STR_INIT("SUMMARY: "),
                                          FM_STR_INIT("READ of size "),
                                          FM_STR_INIT("WRITE of size "),
                                          FM_STR_INIT("freed by thread "),
                                          FM_STR_INIT("Direct leak of "),
                                          FM_STR_INIT("Indirect leak of "),
                                          FM_STR_INIT("previously allocated by thread "),
                                          FM_STR_INIT("Traceback (most recent call last):"),
                                          FM_STR_INIT("Received signal "),
                                          FM_STR_INIT("panic: "),
                                          FM_STR_INIT("goroutine "),
                                          FM_STR_INIT("thread '"),
                                          FM_STR_INIT("stack backtrace:"),
                                          FM_STR_INIT("*** "),
                                          FM_STR_INIT("Exception in thread "),
                                          FM_STR_INIT("Caused by: ")};
    struct fm_scan s = fm_scan_of(text);
    fm_scan_blanks(&s);
    if (text.size > 2 && (text.data[0] == '\t' || (text.data[0] == ' ' && text.data[1] == ' ')))
        return !fm_scan_done(&s) && !fm_scan_text(&s, FM_STR("0x"));
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fm_str_starts(text, starts[i])) return true;
    return false;
}

bool fm_log_ctest(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_log_few_digits(&t, 1, 5) || !fm_scan_text(&t, FM_STR(": ")) || !begins_report(fm_scan_rest(&t)))
        return false;
    *s = t;
    return true;
}

bool fm_log_tool_word(struct fm_scan *s)
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

/* Whether a row of V8 follows. Its four blanks belong to the row, not to the prefix. */
static bool row_follows(const struct fm_scan *s) { return fm_str_starts(fm_scan_rest(s), FM_STR("    at ")); }

bool fm_log_numbered_script(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str name;
    if (!fm_scan_byte(&t, '[') || !fm_log_field(&t, ']', &name) || name.size == 0 || !fm_scan_byte(&t, ' ') ||
        !row_follows(&t))
        return false;
    *s = t;
    return true;
}

/* Whether the title of an error follows, such as "TypeError: ". */
static bool error_follows(struct fm_scan s)
{
    framemap_str word;
    return fm_scan_word(&s, &word) && fm_str_ends(word, FM_STR("Error:"));
}

static bool begins_v8(const struct fm_scan *s) { return row_follows(s) || error_follows(*s); }

/* Whether a word is a level of npm's log files. */
static bool is_npm_level(framemap_str word)
{
    static const framemap_str levels[] = {FM_STR_INIT("verbose"), FM_STR_INIT("silly"), FM_STR_INIT("error"),
                                          FM_STR_INIT("warn"),    FM_STR_INIT("info"),  FM_STR_INIT("http")};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (fm_str_equal(word, levels[i])) return true;
    return false;
}

bool fm_log_npm(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str word;
    if (!fm_log_few_digits(&t, 1, 5) || !fm_scan_byte(&t, ' ') || !fm_scan_word(&t, &word) || !is_npm_level(word) ||
        !fm_scan_byte(&t, ' '))
        return false;
    if (!begins_v8(&t)) {
        if (!fm_scan_word(&t, &word) || !fm_scan_byte(&t, ' ')) return false;
        if (!fm_str_equal(word, FM_STR("stack")) && !begins_v8(&t)) return false;
    }
    *s = t;
    return true;
}

/* Whether a character occurs in names of scripts and packages, but not in the words before an error. */
static bool is_sign_of_script(char c) { return c == '@' || c == '/' || c == ':' || c == '#'; }

/* Whether a text of one or two words is the name of a script, of a package, or of both. *signs: number of characters in
 * it that only such names have. */
static bool names_script(framemap_str name, unsigned *signs)
{
    unsigned blanks = 0;
    *signs = 0;
    for (size_t i = 0; i < name.size; i++) {
        if (is_sign_of_script(name.data[i]))
            ++*signs;
        else if (name.data[i] == ' ')
            blanks++;
        else if (!is_service(name.data[i]))
            return false;
    }
    return blanks < 2;
}

bool fm_log_script(struct fm_scan *s)
{
    enum { MOST = 96 };
    const size_t size = fm_str_find(fm_str_slice(fm_scan_rest(s), 0, MOST + 2), FM_STR(": "));
    struct fm_scan t = *s;
    unsigned signs;
    if (size == FM_NOT_FOUND) return false;
    t.at += size + 2;
    const bool row = row_follows(&t);
    if ((!row && !error_follows(t)) || !names_script(fm_str(s->at, size), &signs) || (!row && signs == 0)) return false;
    *s = t;
    return true;
}

bool fm_log_plugin(struct fm_scan *s, struct fm_log_fields *log)
{
    static const framemap_str begins[] = {FM_STR_INIT("plugin"), FM_STR_INIT("provider."),
                                          FM_STR_INIT("terraform-provider-"), FM_STR_INIT("packer")};
    struct fm_scan t = *s;
    size_t kind = 0;
    fm_scan_blanks(&t); /* severities of four letters are followed by two blanks */
    if (t.at == t.end || (*t.at != 'p' && *t.at != 't')) return false;
    const char *name = t.at, *const end = t.end - t.at > FM_LOG_FIELD_MOST ? t.at + FM_LOG_FIELD_MOST : t.end;
    while (kind < sizeof begins / sizeof *begins && !fm_str_starts(fm_scan_rest(&t), begins[kind])) kind++;
    if (kind == sizeof begins / sizeof *begins) return false;
    if (fm_scan_text(&t, FM_STR("plugin: "))) name = t.at; /* after "plugin: ", the name of the plug-in follows */
    while (t.at < end && is_service(*t.at)) t.at++;
    const framemap_str word = fm_log_between(name, t.at);
    if (t.at == name || fm_error_is_name(word)) return false;
    (void)fm_scan_text(&t, FM_STR(" plugin"));
    if (!fm_scan_byte(&t, ':') || (!fm_scan_done(&t) && !fm_scan_byte(&t, ' '))) return false;
    log->tag = word;
    *s = t;
    return true;
}

bool fm_log_metro(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str name;
    if (!fm_scan_byte(&t, ' ') || t.at == t.end || !fm_log_is_upper(*t.at) || !fm_log_word(&t, &name) ||
        !fm_log_is_severity(name))
        return false;
    t.at = name.data + name.size;
    if (!fm_scan_text(&t, FM_STR("  "))) return false;
    *s = t;
    return true;
}
