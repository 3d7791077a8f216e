/* Implements js_minified.h: scans a line once, byte by byte, for "minified:" and for quoted member names after known
 * words of error messages. */
#include "formats/javascript/js_minified.h"

static bool minified_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || fm_is_digit(c) || c == '_' || c == '$';
}

/* Whether the text ends with words after which engines, or Dart's own library, print a member in quotation marks. */
static bool is_announced(framemap_str before)
{
    static const framemap_str words[] = {FM_STR_INIT("Cannot read property "), FM_STR_INIT("Cannot set property "),
                                         FM_STR_INIT("(reading "), FM_STR_INIT("(setting "),
                                         FM_STR_INIT("method not found: ")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_ends(before, words[i])) return true;
    return false;
}

static size_t word_end(framemap_str line, size_t at)
{
    while (at < line.size && minified_is_word(line.data[at])) at++;
    return at;
}

static bool give(framemap_str line, size_t from, size_t to, size_t *at, framemap_str *out)
{
    *out = fm_str_slice(line, from, to);
    *at = to;
    return true;
}

#define MARK FM_STR("minified:")
#define UNCALLABLE FM_STR(" is not a function")

bool fm_js_may_be_minified(framemap_str line) { return fm_str_find(line, MARK) != FM_NOT_FOUND; }

/* Whether a line can contain a name that fm_js_minified finds. False for nearly all lines. */
static bool may_have(framemap_str line, bool members)
{
    if (fm_js_may_be_minified(line)) return true;
    return members && (fm_str_find_byte(line, '\'') != FM_NOT_FOUND || fm_str_find(line, UNCALLABLE) != FM_NOT_FOUND);
}

bool fm_js_minified(framemap_str line, bool members, size_t *at, framemap_str *out)
{
    const framemap_str mark = MARK;
    size_t word = *at; /* offset at which the current word of the line begins */
    if (!may_have(fm_str_from(line, *at), members)) {
        *at = line.size;
        return false;
    }
    for (size_t i = *at; i < line.size; i++) {
        const char c = line.data[i];
        const bool begins = i == 0 || !minified_is_word(line.data[i - 1]);
        if (minified_is_word(c) && begins) word = i;
        if (c == 'm' && begins && fm_str_starts(fm_str_from(line, i), mark)) {
            const size_t end = word_end(line, i + mark.size);
            if (end > i + mark.size) return give(line, i, end, at, out);
        } else if (members && c == '\'' && is_announced(fm_str(line.data, i))) {
            const size_t end = word_end(line, i + 1);
            if (end > i + 1 && end < line.size && line.data[end] == '\'') return give(line, i + 1, end, at, out);
        } else if (members && c == ' ' && word < i && !begins && fm_str_starts(fm_str_from(line, i), UNCALLABLE)) {
            return give(line, word, i, at, out);
        }
    }
    *at = line.size;
    return false;
}

bool fm_js_is_dart(framemap_str file) { return fm_str_find(file, FM_STR(".dart.js")) != FM_NOT_FOUND; }
