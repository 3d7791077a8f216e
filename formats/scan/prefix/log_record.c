/* Implements log_record.h: moves over the start of a JSON record up to the text of the line in it, and gets time and
 * tag from the members after the text. */
#include "formats/scan/prefix/log_record.h"

/* Moves past "key":" or "key": " within a record. */
static bool past_key(struct fm_scan *s, framemap_str key)
{
    const size_t at = fm_str_find(fm_scan_rest(s), key);
    if (at == FM_NOT_FOUND) return false;
    s->at += at + key.size;
    fm_scan_byte(s, ' ');
    return fm_scan_byte(s, '"');
}

size_t fm_log_record_head(framemap_str line)
{
    struct fm_scan s = fm_scan_of(line);
    if (!fm_scan_text(&s, FM_STR("{\"log\":"))) return 0;
    fm_scan_byte(&s, ' ');
    return fm_scan_byte(&s, '"') ? (size_t)(s.at - line.data) : 0;
}

/* Returns the string after a key; absent if there is no such key, or the string has escapes. */
static framemap_str member(framemap_str rest, framemap_str key)
{
    struct fm_scan s = fm_scan_of(rest);
    framemap_str value;
    if (!past_key(&s, key) || !fm_scan_until(&s, '"', &value)) return fm_str(NULL, 0);
    return fm_str_find_byte(value, '\\') == FM_NOT_FOUND ? value : fm_str(NULL, 0);
}

void fm_log_record_fields(framemap_str record, framemap_log *out)
{
    const size_t end = fm_str_find_last(record, FM_STR("\"stream\":"));
    if (end == FM_NOT_FOUND) return;
    out->time = member(fm_str_from(record, end), FM_STR("\"time\":"));
    out->tag = member(fm_str_from(record, end), FM_STR("\"tag\":"));
}
