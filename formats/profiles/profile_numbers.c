/* Parses numbers and strings of profiles. Decimal fractions are converted to whole numbers without floating point
 * (profile_format.h). */
#include "core/json/json.h"
#include "formats/profiles/profile_format.h"

/* maximum number of places by which a decimal point is moved; if it is moved further, any number is too large, or
 * zero */
#define MOST_SHIFT 40

/* Returns value * 10^shift, rounded; INT64_MAX if the result is too large. first_dropped: the digit that follows the
 * digits of `value`, for rounding. */
static int64_t shift_decimal(uint64_t value, int shift, unsigned first_dropped)
{
    for (; shift > 0 && value; shift--) {
        if (value > (uint64_t)INT64_MAX / 10) return INT64_MAX;
        value *= 10;
    }
    for (; shift < 0; shift++) {
        first_dropped = (unsigned)(value % 10);
        value /= 10;
    }
    if (first_dropped >= 5) value++;
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* Parses a decimal number such as "12.345". exponents: an exponent may follow. A number that is too large becomes
 * the largest number. */
static bool parse_decimal(framemap_str text, unsigned digits, bool exponents, int64_t *out)
{
    struct fm_scan s = fm_scan_of(text);
    const bool negative = fm_scan_byte(&s, '-');
    uint64_t value = 0, exponent = 0;
    int shift = (int)digits;
    bool point = false, any = false, full = false;
    unsigned dropped = 0;
    for (; s.at < s.end && (fm_is_digit(*s.at) || (*s.at == '.' && !point)); s.at++) {
        if (*s.at == '.') {
            point = true;
            continue;
        }
        const unsigned digit = (unsigned)(*s.at - '0');
        any = true;
        if (!full && value <= (UINT64_MAX - 9) / 10) {
            value = value * 10 + digit;
            shift -= point;
        } else { /* this digit is dropped, since the number has no room for more digits */
            if (!full) dropped = digit;
            full = true;
            shift += !point;
        }
    }
    if (!any) return false;
    if (exponents && (fm_scan_byte(&s, 'e') || fm_scan_byte(&s, 'E'))) {
        const bool less = fm_scan_byte(&s, '-');
        if (!less) fm_scan_byte(&s, '+');
        if (!fm_scan_dec(&s, &exponent, NULL) || exponent > 400) return false;
        shift += less ? -(int)exponent : (int)exponent;
    }
    if (!fm_scan_done(&s)) return false;
    if (shift < -MOST_SHIFT) value = dropped = 0, shift = 0;
    *out = shift_decimal(value, shift, dropped);
    if (negative) *out = -*out;
    return true;
}

bool fm_profile_decimal(framemap_str text, unsigned digits, int64_t *out)
{
    return parse_decimal(text, digits, false, out);
}

bool fm_profile_json_decimal(const struct fm_json *json, int32_t value, unsigned digits, int64_t *out)
{
    const enum fm_json_type type = fm_json_type(json, value);
    return (type == FM_JSON_NUMBER || type == FM_JSON_STRING) &&
           parse_decimal(fm_json_raw(json, value), digits, true, out);
}

uint32_t fm_profile_json_string(framemap_sample_set *set, const struct fm_json *json, int32_t value)
{
    struct fm_arena arena;
    framemap_str text;
    uint32_t string = 0;
    fm_arena_init(&arena, &set->heap);
    if (fm_json_type(json, value) == FM_JSON_STRING) {
        if (fm_json_string(json, value, &arena, &text))
            string = fm_samples_string(set, text);
        else
            fm_samples_fault(set, FRAMEMAP_E_MEMORY);
    }
    fm_arena_free(&arena);
    return string;
}

uint32_t fm_profile_json_position(const struct fm_json *json, int32_t value, int64_t base)
{
    int64_t number = 0;
    if (!fm_profile_json_decimal(json, value, 0, &number) || number < base || number - base >= UINT32_MAX) return 0;
    return (uint32_t)(number - base + 1);
}

struct fm_sample_thread fm_profile_json_thread(framemap_sample_set *set, const struct fm_json *json, int32_t object)
{
    struct fm_sample_thread thread = {.name = fm_profile_json_string(set, json, fm_json_get(json, object, "thread")),
                                      .process =
                                          fm_profile_json_string(set, json, fm_json_get(json, object, "process"))};
    thread.has_process = fm_json_u64(json, fm_json_get(json, object, "pid"), &thread.process_id);
    thread.has_thread = fm_json_u64(json, fm_json_get(json, object, "tid"), &thread.thread_id);
    return thread;
}

bool fm_profile_json_begins(framemap_str head, char bracket)
{
    size_t at = fm_str_starts(head, FM_STR("\xEF\xBB\xBF")) ? 3 : 0;
    while (at < head.size && (fm_is_blank(head.data[at]) || head.data[at] == '\n' || head.data[at] == '\r')) at++;
    return at < head.size && head.data[at] == bracket;
}
