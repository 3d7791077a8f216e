/* Parses the fields of Breakpad's records. Each function moves on success only, and never past the end of the line.
 * Inline, because a file has millions of line records. */
#ifndef FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_SCAN_H
#define FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_SCAN_H

#include "core/text/scan.h"

/* Parses 1 to 16 hexadecimal digits. */
static inline bool fm_breakpad_hex(struct fm_scan *s, uint64_t *out)
{
    enum { MOST = 16 };
    const char *at = s->at, *const last = s->end - at > MOST ? at + MOST : s->end;
    uint64_t value = 0;
    unsigned digit = 0;
    while (at < last && (digit = fm_hex_digit(*at)) != 0) {
        value = value << 4 | (digit ^ FM_HEX);
        at++;
    }
    if (at == s->at || (at < s->end && fm_is_hex(*at))) return false;
    s->at = at;
    *out = value;
    return true;
}

/* Parses a decimal number of 32 bits. */
static inline bool fm_breakpad_decimal(struct fm_scan *s, uint32_t *out)
{
    enum { MOST = 10 };
    const char *at = s->at, *const last = s->end - at > MOST ? at + MOST : s->end;
    uint64_t value = 0;
    while (at < last && fm_is_digit(*at)) value = value * 10 + (uint64_t)(*at++ - '0');
    if (at == s->at || value > UINT32_MAX || (at < s->end && fm_is_digit(*at))) return false;
    s->at = at;
    *out = (uint32_t)value;
    return true;
}

/* Skips the end of a line: blanks, CRs and the LF. Fails if the line has anything else. */
static inline bool fm_breakpad_line_end(struct fm_scan *s)
{
    const char *at = s->at;
    while (at < s->end && (fm_is_blank(*at) || *at == '\r')) at++;
    if (at < s->end && *at != '\n') return false;
    s->at = at < s->end ? at + 1 : at;
    return true;
}

/* Takes the rest of the line without CRs at its end, and skips the end of the line. */
static inline framemap_str fm_breakpad_rest(struct fm_scan *s)
{
    const char *const from = s->at, *const found = fm_find(from, (size_t)(s->end - from), '\n');
    const char *to = found != NULL ? found : s->end;
    s->at = found != NULL ? found + 1 : s->end;
    while (to > from && to[-1] == '\r') to--;
    return fm_str(from, (size_t)(to - from));
}

/* Skips a keyword at the start of a line, and the blanks after it. */
static inline bool fm_breakpad_word(struct fm_scan *s, framemap_str word)
{
    struct fm_scan t = *s;
    if (!fm_scan_text(&t, word) || !fm_scan_blanks1(&t)) return false;
    *s = t;
    return true;
}

#endif
