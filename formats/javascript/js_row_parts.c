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
