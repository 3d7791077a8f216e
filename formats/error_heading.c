/* Implements error_heading.h. */
#include "formats/error_heading.h"

/* this many titles may precede an error, as in "ERROR Caused by: TypeError: x" */
#define TITLES 6

bool fm_error_is_name(framemap_str word)
{
    return fm_str_ends(word, FM_STR("Error")) || fm_str_ends(word, FM_STR("Exception")) ||
           fm_str_ends(word, FM_STR("Rejection")) || fm_str_ends(word, FM_STR("Warning"));
}

size_t fm_error_word_size(framemap_str text)
{
    size_t size = 0;
    while (size < text.size && fm_error_is_byte(text.data[size])) size++;
    return size;
}

size_t fm_error_name_size(framemap_str text)
{
    const size_t size = fm_error_word_size(text);
    if (size == text.size || fm_str_starts(fm_str_from(text, size), FM_STR(" ["))) return size;
    if (text.data[size] != ':') return 0;
    return size + 1 < text.size && fm_is_digit(text.data[size + 1]) ? 0 : size;
}

framemap_str fm_error_without_title(framemap_str text)
{
    static const framemap_str titles[] = {
        FM_STR_INIT("[error]: "),        FM_STR_INIT("[Error] "),         FM_STR_INIT("Caused by: "),
        FM_STR_INIT("caused by: "),                                       /* title printed by pino and VError */
        FM_STR_INIT("Uncaught "),        FM_STR_INIT("Unhandled error "), /* title printed by Firebase */
        FM_STR_INIT("error: "),          FM_STR_INIT("ERROR "),           FM_STR_INIT("Exception has occurred: "),
        FM_STR_INIT("Fatal Exception: ")}; /* title printed by Crashlytics */
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (fm_str_begins(text, titles[i])) return fm_str_trim(fm_str_from(text, titles[i].size));
    return text;
}

void fm_error_split(framemap_str error, size_t name_size, framemap_str *type, framemap_str *message)
{
    framemap_str rest = fm_str_from(error, name_size);
    *type = (framemap_str){NULL, 0};
    *message = error;
    if (fm_str_starts(rest, FM_STR(" ["))) { /* Node prints an error's code in brackets: "TypeError [CODE]: x" */
        const size_t end = fm_str_find_byte(rest, ']');
        if (end != FM_NOT_FOUND) rest = fm_str_from(rest, end + 1);
    }
    if (name_size == 0 || !(rest.size == 0 || rest.data[0] == ':')) return;
    *type = fm_str_slice(error, 0, name_size);
    *message = rest.size ? fm_str_trim(fm_str_from(rest, 1)) : (framemap_str){NULL, 0};
}

/* --- the rules of platforms without their own --- */

static bool find_error(framemap_str message, framemap_str *error)
{
    framemap_str text = fm_str_trim(message);
    for (size_t turn = 0, before = 0; turn < TITLES && text.size != before; turn++) {
        before = text.size;
        text = fm_error_without_title(text);
    }
    const size_t size = fm_error_name_size(text);
    if (size == 0 || !fm_error_is_name(fm_str_slice(text, 0, size))) return false;
    *error = text;
    return true;
}

static void set_error(framemap_trace *trace, framemap_str error)
{
    trace->exception = error;
    fm_error_split(error, fm_error_word_size(error), &trace->exception_type, &trace->exception_message);
}

const struct fm_error_rules fm_error_rules_plain = {.find = find_error, .set = set_error};
