/* Recognizes the dates and times at the start of most log lines, eight bytes at a time. */
#ifndef FM_FORMATS_SCAN_PREFIX_LOG_TIMES_H
#define FM_FORMATS_SCAN_PREFIX_LOG_TIMES_H

#include "formats/scan/prefix/log_pieces.h"

/* A pattern of eight bytes, for SWAR comparison (all bytes in one register): the bytes of a text are XORed with
 * `like`; adding `above` then sets the highest bit of each byte that does not match. */
struct fm_log_eight {
    char like[9]; /* the pattern; the ninth byte is the string's NUL */
    unsigned char above[8];
};
/* value in `above` for a digit: a byte whose XOR with '0' is 10 or more gets its highest bit set */
#define FM_LOG_DIGIT 0x76
/* value in `above` for any other character: a byte that differs from the pattern gets its highest bit set */
#define FM_LOG_EXACT 0x7F

/* Patterns for the first eight bytes of the dates that most log lines begin with ("11-21 10:00:00.", "2026-11-21",
 * "2026/11/21"), and for the time after them. */
static const struct fm_log_eight fm_log_month_day = {
    "00-00 00",
    {FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT}};
static const struct fm_log_eight fm_log_minute_second = {
    "0:00:00.",
    {FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT}};
static const struct fm_log_eight fm_log_year_month = {
    "0000-00-",
    {FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT}};
static const struct fm_log_eight fm_log_year_slash = {
    "0000/00/",
    {FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT}};
static const struct fm_log_eight fm_log_clock = {
    "00:00:00",
    {FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT}};
/* Patterns for the bytes after the first letter of glog's prefix, and for the bytes after the month in syslog's. */
static const struct fm_log_eight fm_log_number_hour = {
    "0000 00:",
    {FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT}};
static const struct fm_log_eight fm_log_day_hour = {
    " 00 00:0",
    {FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT}};
static const struct fm_log_eight fm_log_first_days_hour = {
    "  0 00:0",
    {FM_LOG_EXACT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT}};
static const struct fm_log_eight fm_log_minute_second_blank = {
    "0:00:00 ",
    {FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT, FM_LOG_DIGIT, FM_LOG_DIGIT, FM_LOG_EXACT}};

/* Whether the eight bytes at p match a pattern. All are compared in one addition; a carry into the next byte can
 * only come from a byte that does not match. */
static inline bool fm_log_is_like(const char *p, const struct fm_log_eight *shape)
{
    uint64_t bytes, like, above;
    memcpy(&bytes, p, sizeof bytes);
    memcpy(&like, shape->like, sizeof like);
    memcpy(&above, shape->above, sizeof above);
    bytes ^= like;
    return (((bytes + above) | bytes) & UINT64_C(0x8080808080808080)) == 0;
}

/* Moves over `count` bytes if the first eight and the last eight match their patterns. */
static inline bool fm_log_matches_ends(struct fm_scan *s, const struct fm_log_eight *first,
                                       const struct fm_log_eight *last, size_t count)
{
    if ((size_t)(s->end - s->at) < count || !fm_log_is_like(s->at, first) || !fm_log_is_like(s->at + count - 8, last))
        return false;
    s->at += count;
    return true;
}

/* Moves over a date such as "2026-11-21". */
static inline bool fm_log_date(struct fm_scan *s)
{
    if (s->end - s->at < 10 || !fm_log_is_like(s->at, &fm_log_year_month) || !fm_is_digit(s->at[8]) ||
        !fm_is_digit(s->at[9]))
        return false;
    s->at += 10;
    return true;
}

/* Moves over a date and time such as "2026/11/21 10:00:00". */
static inline bool fm_log_slashed_time(struct fm_scan *s)
{
    return fm_log_matches_ends(s, &fm_log_year_slash, &fm_log_clock, 19) && fm_is_digit(s->at[-11]) &&
           fm_is_digit(s->at[-10]) && s->at[-9] == ' ';
}

static inline bool fm_log_time_of_day(struct fm_scan *s)
{
    return fm_log_matches_ends(s, &fm_log_clock, &fm_log_clock, 8);
}

#endif
