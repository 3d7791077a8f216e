/* Text helpers shared by the parsers of JavaScript frame lines. */
#include "formats/javascript/js_row_parts.h"

framemap_str fm_js_without_tail(framemap_str text)
{
    while (text.size) {
        char c = text.data[text.size - 1];
        bool brace = c == '{' && text.size > 1 && text.data[text.size - 2] == ' ';
        if (!brace && c != ',' && c != '"' && c != '\'' && !fm_is_blank(c)) break;
        text.size--;
    }
    return text;
}

framemap_str fm_js_without_engine(framemap_str text)
{
    static const framemap_str ends[] = {FM_STR_INIT(", js engine: hermes"), FM_STR_INIT(", js engine: jsc")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fm_str_ends(text, ends[i])) return fm_str_slice(text, 0, text.size - ends[i].size);
    return text;
}
