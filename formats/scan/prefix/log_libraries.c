/* Implements log_libraries.h: moves over thread, logger and severity in the layouts of Java's and Python's logging
 * libraries, with one function for each layout. */
#include "formats/scan/prefix/log_libraries.h"
#include "formats/scan/prefix/log_pieces.h"

bool fm_log_thread_logger(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str text;
    if (!fm_scan_byte(&t, '[') || !fm_log_field(&t, ']', &text) || !fm_scan_blanks1(&t) || !fm_log_word(&t, &text))
        return false;
    if (fm_log_is_severity(text) && !fm_log_word(&t, &text)) return false;
    if (!fm_scan_text(&t, FM_STR("- "))) return false;
    *s = t;
    return true;
}

bool fm_log_thread(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str name;
    fm_scan_byte(&t, ' '); /* the severity "INFO " is padded */
    if (!fm_scan_byte(&t, '[') || !fm_log_field(&t, ']', &name) || name.size < 3 || !fm_scan_byte(&t, ' '))
        return false;
    if (!fm_log_is_lower(*name.data) && !fm_log_is_upper(*name.data))
        return false; /* the brackets contain an address or the number of a row, not the name of a thread */
    *s = t;
    return true;
}

bool fm_log_spring(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str text;
    if (!fm_log_few_digits(&t, 1, 10) || !fm_scan_text(&t, FM_STR(" --- "))) return false;
    while (t.at < t.end && *t.at == '[') {
        t.at++;
        if (!fm_log_field(&t, ']', &text) || !fm_scan_blanks1(&t)) return false;
    }
    if (!fm_log_word(&t, &text) || !fm_scan_byte(&t, ':')) return false;
    fm_scan_byte(&t, ' ');
    *s = t;
    return true;
}

bool fm_log_loguru(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str text;
    if (!fm_scan_text(&t, FM_STR("| ")) || !fm_log_word(&t, &text) || !fm_log_is_severity(text) ||
        !fm_scan_text(&t, FM_STR("| ")) || !fm_log_word(&t, &text) || !fm_scan_text(&t, FM_STR("- ")))
        return false;
    *s = t;
    return true;
}

bool fm_log_between_dashes(struct fm_scan *s)
{
    struct fm_scan t = *s;
    framemap_str text;
    if (!fm_scan_text(&t, FM_STR("- ")) || !fm_log_word(&t, &text) || !fm_scan_text(&t, FM_STR("- ")) ||
        !fm_log_word(&t, &text) || !fm_log_is_severity(text) || !fm_scan_text(&t, FM_STR("- ")))
        return false;
    *s = t;
    return true;
}

/* Reads the name of a Python logger, up to the byte `after`. The name consists of lower-case letters, digits and
 * underscores. A name with dots is not accepted, since it could be the name of an exception. */
bool fm_log_python_logger(struct fm_scan *s, char after)
{
    struct fm_scan t = *s;
    const char *start = t.at;
    while (t.at < t.end && t.at - start < 64 && (fm_log_is_lower(*t.at) || *t.at == '_' || fm_is_digit(*t.at))) t.at++;
    if (t.at - start < 3 || !fm_log_is_lower(*start) || !fm_scan_byte(&t, ':')) return false;
    if (after == ' ' && !fm_scan_byte(&t, ' ')) return false;
    *s = t;
    return true;
}

bool fm_log_basic_config(struct fm_scan *s)
{
    struct fm_scan t = *s;
    while (t.at < t.end && t.at - s->at < 9 && fm_log_is_upper(*t.at)) t.at++;
    if (!fm_log_is_severity(fm_str(s->at, (size_t)(t.at - s->at))) || !fm_scan_byte(&t, ':') ||
        !fm_log_python_logger(&t, ':'))
        return false;
    *s = t;
    return true;
}
