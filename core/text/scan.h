/* fm_scan: the cursor of every text parser. Each function moves on success only, and returns whether it did. */
#ifndef FM_CORE_TEXT_SCAN_H
#define FM_CORE_TEXT_SCAN_H

#include "core/text/text.h"

struct fm_scan {
    const char *at, *end;
};

static inline struct fm_scan fm_scan_of(framemap_str text)
{
    return (struct fm_scan){text.data, text.data ? text.data + text.size : text.data};
}
static inline framemap_str fm_scan_rest(const struct fm_scan *s) { return fm_str(s->at, (size_t)(s->end - s->at)); }
static inline bool fm_scan_done(const struct fm_scan *s) { return s->at == s->end; }
static inline bool fm_scan_byte(struct fm_scan *s, char byte)
{
    if (s->at == s->end || *s->at != byte) return false;
    s->at++;
    return true;
}
static inline bool fm_scan_text(struct fm_scan *s, framemap_str word)
{
    if (!fm_str_starts(fm_scan_rest(s), word)) return false;
    s->at += word.size;
    return true;
}
/* Skip blanks and tabs: any number, or at least one. */
static inline void fm_scan_blanks(struct fm_scan *s)
{
    while (s->at < s->end && fm_is_blank(*s->at)) s->at++;
}
static inline bool fm_scan_blanks1(struct fm_scan *s)
{
    const char *before = s->at;
    fm_scan_blanks(s);
    return s->at > before;
}
/* Parse decimal digits, at least one. A number that does not fit fails and sets *overflow unless that is NULL. */
bool fm_scan_dec(struct fm_scan *s, uint64_t *out, bool *overflow);
/* The same for a number below 2^32, as lines and columns are. */
bool fm_scan_dec32(struct fm_scan *s, uint32_t *out);
/* Returns the number of hexadecimal digits at `at`, at most 16, and their value. */
unsigned fm_hex_run(const char *at, const char *end, uint64_t *value);
/* parses hexadecimal digits without a prefix; digits (their number) may be NULL */
bool fm_scan_hex(struct fm_scan *s, uint64_t *out, unsigned *digits, bool *overflow);
bool fm_scan_0xhex(struct fm_scan *s, uint64_t *out, bool *overflow); /* parses "0x" or "0X" and hexadecimal digits */
/* Takes the bytes before `stop`, which is not consumed; fails if there is no `stop`. */
bool fm_scan_until(struct fm_scan *s, char stop, framemap_str *out);
/* Takes a run of bytes that are not blanks, at least one. */
bool fm_scan_word(struct fm_scan *s, framemap_str *out);
/* Takes the next line without its end. The end (\n, \r\n, or \r at the end of the text) is consumed. Fails only at the
 * end of the text. */
bool fm_scan_line(struct fm_scan *s, framemap_str *line);
/* Takes a line as fm_scan_line does, but a \r ends it anywhere, as in program text. */
bool fm_scan_code_line(struct fm_scan *s, framemap_str *line);

static inline bool fm_is_digit(char c) { return c >= '0' && c <= '9'; }
/* Table with an element for each byte: FM_HEX plus the value of the hexadecimal digit; 0: the byte is not a digit. */
#define FM_HEX 16u
extern const unsigned char fm_hex_digits[256];
static inline unsigned fm_hex_digit(char c) { return fm_hex_digits[(unsigned char)c]; }
static inline bool fm_is_hex(char c) { return fm_hex_digit(c) != 0; }
/* Whether a text has no other bytes than hexadecimal digits of either case. */
bool fm_is_all_hex(framemap_str text);
static inline unsigned fm_hex_value(char digit) { return fm_hex_digit(digit) ^ FM_HEX; }

#endif
