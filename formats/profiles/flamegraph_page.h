/* The constant parts of a flame graph's document: style, controls and script. */
#ifndef FM_FORMATS_PROFILES_FLAMEGRAPH_PAGE_H
#define FM_FORMATS_PROFILES_FLAMEGRAPH_PAGE_H

/* Sizes of the page in pixels. */
enum { FM_FLAME_WIDTH = 1200, FM_FLAME_ROW = 17, FM_FLAME_HEAD = 36, FM_FLAME_FOOT = 28 };

#define fm_flame_begin                                                                                    \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" " \
    "height=\"%u\" viewBox=\"0 0 %d %u\" tabindex=\"0\" role=\"application\" aria-label=\"Flame graph\">\n"
#define fm_flame_controls                                                                                      \
    "<text id=\"reset\" class=\"b\" x=\"10\" y=\"20\" role=\"button\" visibility=\"hidden\">Reset zoom</text>" \
    "<text id=\"find\" class=\"b\" x=\"1130\" y=\"20\" role=\"button\">Search</text>"                          \
    "<text id=\"about\" x=\"10\" y=\"%u\" aria-live=\"polite\"> </text>"                                       \
    "<text id=\"matched\" x=\"900\" y=\"20\" aria-live=\"polite\"> </text>\n"

extern const char fm_flame_style[];
/* the parts of the script, to be written one after the other; ends with NULL */
extern const char *const fm_flame_script[];

#endif
