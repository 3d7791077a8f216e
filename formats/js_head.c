#include "formats/js_head.h"

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || fm_is_digit(c) || c == '_' || c == '$' || c == '.' ||
           (unsigned char)c >= 0x80;
}

/* What reporters put before an error. */
static framemap_str without_titles(framemap_str text)
{
    static const char *const titles[] = {
        "[cause]: ", "Caused by: ", "Uncaught ", "Unhandled Promise Rejection: ", "(in promise) ", "error: ", "["};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        framemap_str title = fm_str(titles[i], strlen(titles[i]));
        if (fm_str_starts(text, title)) text = fm_str_from(text, title.size);
    }
    return text;
}

static bool names_error(framemap_str word)
{
    return fm_str_ends(word, FM_STR("Error")) || fm_str_ends(word, FM_STR("Exception")) || fm_str_ends(word, FM_STR("Rejection")) ||
           fm_str_ends(word, FM_STR("Warning"));
}

bool fm_js_head(framemap_str body, bool near, framemap_str *error)
{
    framemap_str text = without_titles(fm_str_trim(body));
    size_t size = 0;
    while (size < text.size && is_word(text.data[size])) size++;
    bool ends = size == text.size, colon = !ends && text.data[size] == ':';
    bool code = !ends && fm_str_starts(fm_str_from(text, size), FM_STR(" ["));
    if (size == 0 || !(ends || colon || code)) return false;
    if (!names_error(fm_str_slice(text, 0, size)) && !(near && colon && text.data[0] >= 'A' && text.data[0] <= 'Z')) return false;
    if (fm_js_announces(text)) text.size = fm_str_find_last(text, FM_STR("stack:"));
    while (text.size && (fm_is_blank(text.data[text.size - 1]) || text.data[text.size - 1] == ',')) text.size--;
    *error = text;
    return true;
}

bool fm_js_is_gap(framemap_str body) { return fm_str_starts(fm_str_trim(body), FM_STR("... ")); }

bool fm_js_announces(framemap_str body) { return fm_str_ends(body, FM_STR("stack:")); }
