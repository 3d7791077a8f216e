/* The parts that the prefixes of several loggers consist of: letters, numbers, fields and severities. Each function
 * moves over one part on success, and does not move otherwise. Used by the files of this folder. */
#ifndef FM_FORMATS_SCAN_PREFIX_LOG_PIECES_H
#define FM_FORMATS_SCAN_PREFIX_LOG_PIECES_H

#include "core/text/scan.h"

/* Maximum number of bytes in which the end of a field is searched. Names of Kubernetes pods have up to 253 bytes. */
#define FM_LOG_FIELD_MOST 256

static inline bool fm_log_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline bool fm_log_is_lower(char c) { return c >= 'a' && c <= 'z'; }

/* Matches the next bytes against a pattern: 'd' is a digit, other characters are literal. Moves on success. */
static inline bool fm_log_matches(struct fm_scan *s, const char *pattern)
{
    const char *p = s->at;
    for (; *pattern; pattern++, p++) {
        if (p == s->end) return false;
        if (*pattern == 'd' ? !fm_is_digit(*p) : *p != *pattern) return false;
    }
    s->at = p;
    return true;
}

/* Moves over all digits that follow; there may be none. */
static inline void fm_log_digits(struct fm_scan *s)
{
    while (s->at != s->end && fm_is_digit(*s->at)) s->at++;
}

static inline framemap_str fm_log_between(const char *from, const char *to)
{
    return fm_str(from, (size_t)(to - from));
}

static inline bool fm_log_number(struct fm_scan *s)
{
    const char *start = s->at;
    fm_log_digits(s);
    return s->at != start;
}

/* Parses a decimal number. *out: its digits, as printed. */
static inline bool fm_log_number_of(struct fm_scan *s, framemap_str *out)
{
    const char *start = s->at;
    const bool any = fm_log_number(s);
    *out = fm_log_between(start, s->at);
    return any;
}

/* Moves over at least `least` and at most `most` digits. */
static inline bool fm_log_few_digits(struct fm_scan *s, size_t least, size_t most)
{
    size_t count = 0;
    while (count < most && (size_t)(s->end - s->at) > count && fm_is_digit(s->at[count])) count++;
    if (count < least) return false;
    s->at += count;
    return true;
}

/* Parses the letter of one of logcat's levels. */
static inline bool fm_log_level(struct fm_scan *s, framemap_str *out)
{
    static const uint32_t letters = 1u << ('V' - 'A') | 1u << ('D' - 'A') | 1u << ('I' - 'A') | 1u << ('W' - 'A') |
                                    1u << ('E' - 'A') | 1u << ('F' - 'A') | 1u << ('A' - 'A') | 1u << ('S' - 'A');
    *out = fm_str(s->at, 1);
    if (s->at == s->end || *s->at < 'A' || *s->at > 'Z' || (letters >> (*s->at - 'A') & 1) == 0) return false;
    s->at++;
    return true;
}

/* Moves past the next `mark`, which must be within FM_LOG_FIELD_MOST bytes. */
static inline bool fm_log_past(struct fm_scan *s, const char *mark)
{
    size_t left = (size_t)(s->end - s->at);
    framemap_str head = fm_str(s->at, left < FM_LOG_FIELD_MOST ? left : FM_LOG_FIELD_MOST);
    size_t found = fm_str_find(head, fm_str(mark, strlen(mark)));
    if (found == FM_NOT_FOUND) return false;
    s->at += found + strlen(mark);
    return true;
}

/* Skips a tag and its end: ": ", or ":" as the line's last byte. */
static inline bool fm_log_past_tag(struct fm_scan *s, framemap_str *tag)
{
    const char *start = s->at;
    if (fm_log_past(s, ": ")) {
        *tag = fm_str_trim(fm_log_between(start, s->at - 2));
        return true;
    }
    if (s->end - s->at > FM_LOG_FIELD_MOST || s->at == s->end || s->end[-1] != ':') return false;
    s->at = s->end;
    *tag = fm_str_trim(fm_log_between(start, s->end - 1));
    return true;
}

/* Parses bytes up to `stop`, which must be within FM_LOG_FIELD_MOST bytes. */
static inline bool fm_log_field(struct fm_scan *s, char stop, framemap_str *out)
{
    const size_t left = (size_t)(s->end - s->at), most = left < FM_LOG_FIELD_MOST ? left : FM_LOG_FIELD_MOST;
    const char *found = fm_find(s->at, most, stop);
    if (!found) return false;
    *out = fm_str(s->at, (size_t)(found - s->at));
    s->at = found + 1;
    return true;
}

/* Parses a word without blanks, of at most FM_LOG_FIELD_MOST bytes, and the blanks after it. */
static inline bool fm_log_word(struct fm_scan *s, framemap_str *out)
{
    struct fm_scan t = *s;
    if (!fm_scan_word(&t, out) || out->size > FM_LOG_FIELD_MOST || !fm_scan_blanks1(&t)) return false;
    *s = t;
    return true;
}

/* Whether a word is a severity: "error", "WARN". */
bool fm_log_is_severity(framemap_str text);
/* Whether three bytes are the name of a month: "Jan". */
bool fm_log_is_month(const char *p);
/* Parses "2026-01-02T10:00:00.123+01:00", with a blank or 'T', and any fraction and zone. */
bool fm_log_date_time(struct fm_scan *s);

#endif
