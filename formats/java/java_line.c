/* Handles lines that have several Java frames, or other text around a frame. Called by java_trace.c. */
#include "formats/java/java_line.h"
#include "formats/row_gap.h"

static framemap_str without_blanks_at_end(framemap_str text)
{
    while (text.size && fm_is_blank(text.data[text.size - 1])) text.size--;
    return text;
}

/* Returns the text without blanks and escaped tabs at its end. In strings, such tabs belong to the row that follows. */
static framemap_str without_tabs_at_end(framemap_str text)
{
    text = without_blanks_at_end(text);
    while (fm_str_ends(text, FM_STR("\\t"))) text = without_blanks_at_end(fm_str_slice(text, 0, text.size - 2));
    return text;
}

static char last_of(framemap_str text) { return text.size ? text.data[text.size - 1] : '\0'; }

static bool is_quote(char c) { return c == '"' || c == '\''; }

bool fm_java_line_repeats(framemap_str before, framemap_str rest)
{
    rest = fm_str_trim(rest);
    if (rest.size && is_quote(*rest.data) && fm_str_trim(before).size == 1 && last_of(before) == *rest.data)
        rest = fm_str_from(rest, 1);
    if (rest.size && *rest.data == ',') rest = fm_str_from(rest, 1);
    if (fm_str_starts(rest, FM_STR("<br"))) {
        const size_t end = fm_str_find_byte(rest, '>');
        if (end != FM_NOT_FOUND) rest = fm_str_from(rest, end + 1);
    }
    return rest.size == 0;
}

static bool names_exception(const struct fm_java_head *head)
{
    return head->kind == FM_JAVA_HEAD_TITLE || head->kind == FM_JAVA_HEAD_CAUSE || head->kind == FM_JAVA_HEAD_WORD;
}

/* Returns the string that ends at the end of `inside`, if it is the first string of a JSON array; absent otherwise. An
 * example is "a.b: c" in the text before the frame of  ["a.b: c","\tat a.b.c(F.java:1)" . inside: the part of `text` up
 * to the end of that string. */
static framemap_str first_element(framemap_str text, framemap_str inside)
{
    size_t at = inside.size;
    if (inside.size == text.size || text.data[at] != '"') return fm_str(NULL, 0);
    while (at > 0 && !(text.data[at - 1] == '"' && (at == 1 || text.data[at - 2] != '\\'))) at--;
    const framemap_str string = fm_str_from(inside, at);
    const framemap_str left = without_blanks_at_end(fm_str_slice(text, 0, at ? at - 1 : 0));
    return last_of(left) == '[' ? string : fm_str(NULL, 0);
}

/* Returns the text from an offset: to the end of the string of JSON that begins there, if one does and something else
 * of JSON follows it; otherwise to the end of the text. */
static framemap_str string_from(framemap_str text, size_t from)
{
    const framemap_str rest = fm_str_from(text, from);
    if (from == 0 || text.data[from - 1] != '"') return rest;
    for (size_t at = 0; at + 1 < rest.size; at++) {
        if (rest.data[at] == '\\')
            at++;
        else if (rest.data[at] == '"')
            return memchr(",]}", rest.data[at + 1], 3) ? fm_str_slice(rest, 0, at) : rest;
    }
    return rest;
}

/* Whether the string that begins at an offset is the value of a JSON member that names an error, such as "exception".
 */
static bool is_of_error(framemap_str text, size_t at)
{
    const framemap_str left = without_blanks_at_end(fm_str_slice(text, 0, at ? at - 1 : 0));
    if (last_of(left) != ':') return false;
    const size_t quote = fm_str_find_last_byte(fm_str_slice(left, 0, left.size >= 2 ? left.size - 2 : 0), '"');
    const framemap_str name = quote == FM_NOT_FOUND ? left : fm_str_from(left, quote);
    return fm_str_find(name, FM_STR("xception")) != FM_NOT_FOUND || fm_str_find(name, FM_STR("rror")) != FM_NOT_FOUND ||
           fm_str_find(name, FM_STR("hrowable")) != FM_NOT_FOUND;
}

/* Parses the text from an offset as the exception of a frame. A single word, which may be a renamed exception, is none
 * if it is a whole string of JSON, such as an id, unless its member names an error. */
static bool parse_from(framemap_str text, size_t at, struct fm_java_head *head)
{
    const framemap_str string = string_from(text, at);
    fm_java_head_parse(string, head);
    if (head->kind == FM_JAVA_HEAD_WORD && at + string.size < text.size) return is_of_error(text, at);
    return names_exception(head);
}

void fm_java_line_head(framemap_str before, struct fm_java_head *head)
{
    size_t at = 0;
    const framemap_str inside = fm_row_gap_trim_end(before), element = first_element(before, inside);
    before = inside;
    if (element.size) {
        fm_java_head_parse(element, head);
        if (names_exception(head)) return;
    }
    for (int tries = 0; tries < FM_JAVA_LINE_STARTS; tries++) {
        if (parse_from(before, at, head)) return;
        while (at < before.size && strchr("\">=,;|", before.data[at]) == NULL) at++;
        if (at == before.size) break;
        at++;
    }
    *head = (struct fm_java_head){.kind = FM_JAVA_HEAD_NONE};
}

bool fm_java_line_is_own(framemap_str before, const struct fm_java_head *head)
{
    const framemap_str text = without_tabs_at_end(before);
    if (head->kind == FM_JAVA_HEAD_CAUSE || (head->kind == FM_JAVA_HEAD_TITLE && head->is_named_fault)) return true;
    return fm_str_trim(text).size > 1 && strchr(">\"'=,;[{(", last_of(text)) != NULL;
}

bool fm_java_line_cause(framemap_str between, size_t *at, struct fm_java_head *head)
{
    static const framemap_str words[] = {FM_STR_INIT("Caused by: "), FM_STR_INIT("Suppressed: ")};
    while (*at < between.size) {
        framemap_str rest = fm_str_from(between, *at);
        size_t begin = rest.size, end = rest.size;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const size_t found = fm_str_find(rest, words[i]);
            if (found < begin) begin = found;
        }
        if (begin == rest.size) break;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const size_t found = fm_str_find(fm_str_from(rest, begin + 1), words[i]);
            if (found < end - begin - 1) end = begin + 1 + found;
        }
        const framemap_str cause = string_from(fm_str_slice(between, 0, *at + end), *at + begin);
        *at += end;
        fm_java_head_parse(fm_row_gap_trim_end(cause), head);
        if (head->kind == FM_JAVA_HEAD_CAUSE) return true;
    }
    return false;
}
