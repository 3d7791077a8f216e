/* Implements script_place.h, and framemap_script_inspect. Sources: ECMA-262, 12.5 Hashbang Comments and 11.2.1
 * Directive Prologues. */
#include "session/inject/script_place.h"

#include "core/text/scan.h"
#include "mappers/javascript/sourcemap/document/sourcemap_comment.h"

/* --- skipping blanks and comments --- */

/* Returns the size of the line end at `at`; 0: there is no line end. */
static size_t line_end(const char *at, const char *end)
{
    if (at == end) return 0;
    if (*at == '\n') return 1;
    if (*at == '\r') return end - at > 1 && at[1] == '\n' ? 2 : 1;
    return end - at > 2 && memcmp(at, "\xe2\x80", 2) == 0 && (at[2] == '\xa8' || at[2] == '\xa9') ? 3 : 0;
}

static void skip_line(struct fm_scan *s)
{
    while (s->at < s->end && line_end(s->at, s->end) == 0) s->at++;
}

static bool skip_block_comment(struct fm_scan *s)
{
    const size_t close = fm_str_find(fm_scan_rest(s), FM_STR("*/"));
    if (close == FM_NOT_FOUND) return false;
    s->at += close + 2;
    return true;
}

/* Skips blanks, line ends and comments. *broken: set to true if a line end was skipped. Returns false if a comment does
 * not end. */
static bool skip_blanks(struct fm_scan *s, bool *broken)
{
    for (size_t size; s->at < s->end;) {
        if ((size = line_end(s->at, s->end)) != 0) {
            s->at += size;
            *broken = true;
        } else if (fm_is_blank(*s->at) || *s->at == '\v' || *s->at == '\f') {
            s->at++;
        } else if (fm_str_starts(fm_scan_rest(s), FM_STR("//"))) {
            skip_line(s);
        } else if (fm_str_starts(fm_scan_rest(s), FM_STR("/*"))) {
            const char *from = s->at;
            if (!skip_block_comment(s)) return false;
            for (; from < s->at; from++) *broken = *broken || line_end(from, s->end) != 0;
        } else {
            break;
        }
    }
    return true;
}

/* --- skipping directives such as "use strict" --- */

static bool skip_string(struct fm_scan *s)
{
    const char quote = s->at < s->end ? *s->at : 0;
    if (quote != '"' && quote != '\'') return false;
    for (const char *at = s->at + 1; at < s->end && *at != '\n' && *at != '\r'; at++) {
        if (*at == '\\' && at + 1 < s->end) {
            at++;
        } else if (*at == quote) {
            s->at = at + 1;
            return true;
        }
    }
    return false;
}

static bool script_is_word(struct fm_scan s, framemap_str word)
{
    if (!fm_scan_text(&s, word)) return false;
    const char next = s.at < s.end ? *s.at : ' ';
    return !(fm_is_digit(next) || next == '_' || next == '$' || (unsigned)((next | 32) - 'a') < 26u);
}

/* Whether text on a later line than a string continues the expression that begins with the string. */
static bool continues(const struct fm_scan *s)
{
    static const char operators[] = ".,+-*/%([`?=<>&|^!:";
    if (s->at == s->end) return false;
    return strchr(operators, *s->at) != NULL || script_is_word(*s, FM_STR("in")) ||
           script_is_word(*s, FM_STR("instanceof"));
}

/* Moves past a directive and its semicolon. Returns false if there is no directive at this place. */
static bool skip_directive(struct fm_scan *s)
{
    struct fm_scan ahead = *s;
    bool broken = false;
    if (!skip_blanks(&ahead, &broken) || !skip_string(&ahead)) return false;
    const char *string_end = ahead.at;
    broken = false;
    if (!skip_blanks(&ahead, &broken)) return false;
    if (fm_scan_byte(&ahead, ';')) {
        s->at = ahead.at;
        return true;
    }
    const bool ends = ahead.at == ahead.end || *ahead.at == '}' || (broken && !continues(&ahead));
    if (!ends || (ahead.at < ahead.end && *ahead.at == 0)) return false;
    s->at = string_end;
    return true;
}

/* Moves past blanks and a line end. Does not move if other text is on the line. */
static void skip_rest_of_line(struct fm_scan *s)
{
    const char *at = s->at;
    while (at < s->end && fm_is_blank(*at)) at++;
    const size_t size = line_end(at, s->end);
    if (size) s->at = at + size;
}

/* Advances line and column of the place over the text from `at` to `to`. */
static void count_place(struct fm_script_place *place, const char *at, const char *to)
{
    while (at < to) {
        const size_t size = line_end(at, to);
        const unsigned char byte = (unsigned char)*at;
        if (size) {
            place->line0++;
            place->col0 = 0;
        } else {
            place->col0 += byte >= 0xf0 ? 2 : byte < 0x80 || byte >= 0xc0;
        }
        at += size ? size : 1;
    }
}

struct fm_script_place fm_script_place_of(framemap_str script)
{
    struct fm_script_place place = {.at = 0};
    struct fm_scan s = fm_scan_of(script);
    fm_scan_text(&s, FM_STR("\xef\xbb\xbf"));
    const char *begin = s.at;
    if (fm_str_starts(fm_scan_rest(&s), FM_STR("#!"))) {
        skip_line(&s);
        s.at += line_end(s.at, s.end);
    }
    bool any = false;
    while (skip_directive(&s)) any = true;
    if (any) skip_rest_of_line(&s);
    place.at = script.data ? (size_t)(s.at - script.data) : 0;
    count_place(&place, begin, s.at);
    return place;
}

/* --- recognizing files that are not scripts --- */

/* Whether a text begins like a JSON object. No script begins in this way: in a script, "{" is not followed by a string
 * and a colon. */
static bool is_json(struct fm_scan s)
{
    bool broken = false;
    /* The text may be JSON after ")]}". Servers may send these bytes before a map, so that a page cannot run the map as
     * a script. */
    if (fm_str_starts(fm_scan_rest(&s), FM_STR(")]}"))) return true;
    return fm_scan_byte(&s, '{') && skip_blanks(&s, &broken) && skip_string(&s) && skip_blanks(&s, &broken) &&
           fm_scan_byte(&s, ':');
}

const char *fm_script_refusal(framemap_str file)
{
    /* A NUL byte is searched in this many bytes only, since a string further on in a script may contain one. */
    enum { LOOKED_AT = 1024 };
    struct fm_scan s = fm_scan_of(file);
    bool broken = false;
    if (memchr(file.data ? file.data : "x", 0, file.size < LOOKED_AT ? file.size : LOOKED_AT)) return "a binary file";
    fm_scan_text(&s, FM_STR("\xef\xbb\xbf"));
    if (!skip_blanks(&s, &broken)) return NULL;
    if (is_json(s)) return "JSON";
    return fm_str_starts(fm_scan_rest(&s), FM_STR("<")) && !fm_str_starts(fm_scan_rest(&s), FM_STR("<!--"))
               ? "markup, such as HTML"
               : NULL;
}

/* --- finding the comments at the end of a script --- */

/* Returns the start of the line that ends at `end`. */
static size_t line_begin(framemap_str script, size_t end)
{
    while (end > 0 && script.data[end - 1] != '\n' && script.data[end - 1] != '\r') end--;
    return end;
}

size_t fm_script_end_place(framemap_str script)
{
    const framemap_str url = fm_sourcemap_comment_url(script);
    if (url.size == 0) return script.size;
    const size_t at = (size_t)(url.data - script.data), from = line_begin(script, at);
    struct fm_scan after = fm_scan_of(fm_str_from(script, at + url.size));
    struct fm_scan line = fm_scan_of(fm_str_slice(script, from, at));
    while (after.at < after.end && (fm_is_blank(*after.at) || *after.at == '\r' || *after.at == '\n')) after.at++;
    fm_scan_blanks(&line);
    const bool is_last = fm_scan_done(&after) && fm_str_starts(fm_scan_rest(&line), FM_STR("//"));
    return is_last ? from : script.size;
}

/* Returns the id in a debug id comment. The comment must be on a line of its own, among the last lines that are not
 * blank. */
static framemap_str find_debug_id(framemap_str script)
{
    enum { LAST_LINES = 5 };
    size_t end = script.size;
    for (unsigned lines = 0; lines < LAST_LINES; lines++) {
        while (end > 0 && (fm_is_blank(script.data[end - 1]) || line_end(script.data + end - 1, script.data + end)))
            end--;
        const size_t begin = line_begin(script, end);
        struct fm_scan line = fm_scan_of(fm_str_slice(script, begin, end));
        framemap_str id;
        fm_scan_blanks(&line);
        if (fm_scan_text(&line, FM_STR("//# debugId=")) && fm_scan_word(&line, &id)) return id;
        if (begin == 0) break;
        end = begin - 1;
    }
    return (framemap_str){NULL, 0};
}

void framemap_script_inspect(framemap_str script, framemap_script_info *out)
{
    if (out == NULL) return;
    if (script.data == NULL) script = (framemap_str){"", 0};
    *out = (framemap_script_info){.map_url = fm_sourcemap_comment_url(script), .debug_id = find_debug_id(script)};
    out->has_inline_map = fm_sourcemap_is_data_url(out->map_url);
}
