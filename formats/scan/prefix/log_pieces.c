/* Implements those functions of log_pieces.h that are not needed for every line, and so are not inline. */
#include "formats/scan/prefix/log_pieces.h"

bool fm_log_is_severity(framemap_str text)
{
    static const framemap_str words[] = {FM_STR_INIT("error"),    FM_STR_INIT("warn"),   FM_STR_INIT("warning"),
                                         FM_STR_INIT("info"),     FM_STR_INIT("debug"),  FM_STR_INIT("fatal"),
                                         FM_STR_INIT("trace"),    FM_STR_INIT("log"),    FM_STR_INIT("err"),
                                         FM_STR_INIT("critical"), FM_STR_INIT("severe"), FM_STR_INIT("verbose")};
    if (text.size < 3 || text.size > 8) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text.size == words[i].size && fm_str_equal_nocase(text, words[i])) return true;
    return false;
}

bool fm_log_is_month(const char *p)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (size_t i = 0; i < sizeof months - 1; i += 3)
        if (memcmp(p, months + i, 3) == 0) return true;
    return false;
}

bool fm_log_date_time(struct fm_scan *s)
{
    struct fm_scan t = *s;
    if (!fm_log_matches(&t, "dddd-dd-dd") || !(fm_scan_byte(&t, 'T') || fm_scan_byte(&t, ' ')) ||
        !fm_log_matches(&t, "dd:dd:dd"))
        return false;
    if (fm_scan_byte(&t, '.') || fm_scan_byte(&t, ',')) fm_log_few_digits(&t, 0, 9);
    if (!fm_scan_byte(&t, 'Z') && (fm_scan_byte(&t, '+') || fm_scan_byte(&t, '-'))) {
        if (!fm_log_few_digits(&t, 2, 4)) return false;
        if (fm_scan_byte(&t, ':')) fm_log_few_digits(&t, 2, 2);
    }
    *s = t;
    return true;
}
