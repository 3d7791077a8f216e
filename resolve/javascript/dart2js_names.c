/* Looks up names that dart2js minified, in attributes of the index. */
#include "resolve/javascript/dart2js_names.h"

#include "core/text/text.h"

static const char global[] = "dart2js_global", instance[] = "dart2js_instance";

bool fm_has_minified(const struct fm_view *view)
{
    framemap_str text;
    return fm_view_attribute(view, framemap_str_of(global), &text) ||
           fm_view_attribute(view, framemap_str_of(instance), &text);
}

static size_t line_begin(framemap_str text, size_t at)
{
    while (at > 0 && text.data[at - 1] != '\n') at--;
    return at;
}

/* Finds a name by binary search in lines "a=original" that are sorted by "a". */
static bool find(framemap_str text, framemap_str name, framemap_str *out)
{
    size_t from = 0, to = text.size;
    while (from < to) {
        const size_t begin = line_begin(text, from + (to - from) / 2);
        const size_t size = fm_str_find_byte(fm_str_from(text, begin), '\n');
        const framemap_str line =
            size == FM_NOT_FOUND ? fm_str_from(text, begin) : fm_str_slice(text, begin, begin + size);
        const size_t sign = fm_str_find_byte(line, '=');
        const int order = fm_str_compare(name, fm_str_slice(line, 0, sign == FM_NOT_FOUND ? line.size : sign));
        if (order == 0 && sign != FM_NOT_FOUND) {
            *out = fm_str_from(line, sign + 1);
            return out->size > 0;
        }
        if (order <= 0)
            to = begin;
        else
            from = begin + line.size + 1;
    }
    return false;
}

bool fm_minified_original(const struct fm_view *view, framemap_str printed, framemap_str *out)
{
    const framemap_str mark = FM_STR("minified:");
    const bool is_type = fm_str_starts(printed, mark);
    framemap_str text;
    if (!fm_view_attribute(view, framemap_str_of(is_type ? global : instance), &text)) return false;
    return find(text, is_type ? fm_str_from(printed, mark.size) : printed, out);
}
