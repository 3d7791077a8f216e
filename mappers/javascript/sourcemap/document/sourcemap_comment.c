/* Finds the source map comment of a script, and decodes data: URLs. See sourcemap_comment.h. */
#include "mappers/javascript/sourcemap/document/sourcemap_comment.h"

#include "core/error.h"
#include "core/text/scan.h"

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static framemap_str trim(framemap_str text)
{
    while (text.size > 0 && is_space(text.data[0])) text = fm_str_from(text, 1);
    while (text.size > 0 && is_space(text.data[text.size - 1])) text.size--;
    return text;
}

/* Returns the URL in the text of a comment: "# sourceMappingURL=x" gives x. */
static framemap_str url_of(framemap_str comment)
{
    const framemap_str none = {NULL, 0}, key = FM_STR("sourceMappingURL=");
    if (comment.size == 0 || (comment.data[0] != '#' && comment.data[0] != '@')) return none;
    const framemap_str text = trim(fm_str_from(comment, 1));
    if (!fm_str_starts(text, key)) return none;
    const framemap_str url = fm_str_from(text, key.size);
    for (size_t i = 0; i < url.size; i++)
        if (is_space(url.data[i])) return none;
    return url;
}

/* Whether a text has a quote or the end of a block comment. The text may then be in a string, or follow a comment. */
static bool is_doubtful(framemap_str comment)
{
    return fm_str_find_byte(comment, '"') != FM_NOT_FOUND || fm_str_find_byte(comment, '\'') != FM_NOT_FOUND ||
           fm_str_find_byte(comment, '`') != FM_NOT_FOUND || fm_str_find(comment, FM_STR("*/")) != FM_NOT_FOUND;
}

/* Whether a trimmed line is one block comment. */
static bool is_block_comment(framemap_str line)
{
    return line.size >= 4 && fm_str_starts(line, FM_STR("/*")) &&
           fm_str_find(fm_str_from(line, 2), FM_STR("*/")) == line.size - 4;
}

/* Returns the text after the last quote of a line, because "//" before that quote may be in a string. */
static framemap_str after_quotes(framemap_str line)
{
    size_t at = line.size;
    while (at > 0 && line.data[at - 1] != '"' && line.data[at - 1] != '\'' && line.data[at - 1] != '`') at--;
    return fm_str_from(line, at);
}

/* Returns the comment at the end of a line of code; absent: the line has no comment. */
static framemap_str comment_after_code(framemap_str line)
{
    const bool is_block = fm_str_ends(line, FM_STR("*/"));
    framemap_str rest = is_block ? line : after_quotes(line);
    if (is_block) {
        const size_t before = fm_str_find_last(fm_str_slice(line, 0, line.size - 2), FM_STR("*/"));
        if (before != FM_NOT_FOUND) rest = fm_str_from(line, before + 2);
    }
    const size_t at = fm_str_find(rest, is_block ? FM_STR("/*") : FM_STR("//"));
    return at == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(rest, at);
}

/* Whether a trimmed line is a comment. in_string: the line may start within a string. */
static bool is_comment_line(framemap_str line, bool in_string)
{
    if (is_block_comment(line)) return true;
    return fm_str_starts(line, FM_STR("//")) && !(in_string && is_doubtful(line));
}

/* Searches a trimmed line for the comment. Returns false to end the search. */
static bool comment_scan_line(framemap_str line, bool in_string, framemap_str *url)
{
    if (line.size == 0) return true;
    const bool is_comment = is_comment_line(line, in_string);
    const framemap_str comment = is_comment ? line : comment_after_code(line);
    if (is_block_comment(comment))
        *url = url_of(fm_str_slice(comment, 2, comment.size - 2));
    else if (fm_str_starts(comment, FM_STR("//")) && !is_doubtful(comment))
        *url = url_of(fm_str_from(comment, 2));
    else
        return false;
    return is_comment;
}

/* Whether a line ends at an offset. U+2028 and U+2029 also end lines, except in strings. */
static bool ends_line(framemap_str text, size_t at)
{
    if (text.data[at] == '\n' || text.data[at] == '\r') return true;
    return (unsigned char)text.data[at] >= 0xA8 && at >= 2 &&
           (memcmp(text.data + at - 2, "\xE2\x80\xA8", 3) == 0 || memcmp(text.data + at - 2, "\xE2\x80\xA9", 3) == 0);
}

/* Whether the line that starts at `at` may start within a string: if U+2028, U+2029 or a backslash ends the previous
 * line. */
static bool may_start_in_string(framemap_str text, size_t at)
{
    if (at == 0) return false;
    if ((unsigned char)text.data[at - 1] >= 0xA8) return true;
    size_t end = at - 1;
    if (end > 0 && text.data[end] == '\n' && text.data[end - 1] == '\r') end--;
    return end > 0 && text.data[end - 1] == '\\';
}

framemap_str fm_sourcemap_comment_url(framemap_str script)
{
    framemap_str url = {NULL, 0};
    size_t end = script.size;
    while (end > 0 && url.size == 0) {
        size_t from = end;
        while (from > 0 && !ends_line(script, from - 1)) from--;
        if (!comment_scan_line(trim(fm_str_slice(script, from, end)), may_start_in_string(script, from), &url)) break;
        if (from == 0) break;
        end = from - ((unsigned char)script.data[from - 1] >= 0xA8 ? 3 : 1);
    }
    return url;
}

bool fm_sourcemap_is_data_url(framemap_str url)
{
    return url.size > 5 && fm_str_equal_nocase(fm_str_slice(url, 0, 5), FM_STR("data:"));
}

/* Reads the next byte, with percent escapes decoded. */
static char data_url_next_byte(struct fm_scan *s)
{
    if (*s->at != '%' || s->end - s->at < 3 || !fm_is_hex(s->at[1]) || !fm_is_hex(s->at[2])) return *s->at++;
    s->at += 3;
    return (char)(fm_hex_value(s->at[-2]) << 4 | fm_hex_value(s->at[-1]));
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (fm_is_digit(c)) return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static bool from_base64(struct fm_scan *s, char *out, size_t *size)
{
    uint32_t bits = 0;
    unsigned count = 0;
    char *to = out;
    while (s->at < s->end) {
        const char c = data_url_next_byte(s);
        if (c == '=' || is_space(c)) continue;
        const int digit = base64_digit(c);
        if (digit < 0) return false;
        bits = bits << 6 | (uint32_t)digit;
        if (count++ % 4 != 0)
            *to++ = (char)(bits >>
                           /* of every four base64 digits, the second, third and fourth each complete a byte */
                           (6 - 2 * ((count - 1) % 4)));
    }
    *size = (size_t)(to - out);
    return count % 4 != 1;
}

/* Whether the part of a data: URL before the comma ends with ";base64", in any case (Fetch standard, "data: URL
 * processor"). */
static bool is_base64(framemap_str head)
{
    const framemap_str word = FM_STR(";base64");
    return head.size >= word.size && fm_str_equal_nocase(fm_str_from(head, head.size - word.size), word);
}

framemap_status fm_sourcemap_data_url(framemap_str url, struct fm_heap *heap, char **out, size_t *size,
                                      framemap_error *error)
{
    const size_t comma = fm_str_find_byte(url, ',');
    if (comma == FM_NOT_FOUND)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the data: URL of its source map has no comma");
    const framemap_str body = fm_str_from(url, comma + 1);
    const bool base64 = is_base64(fm_str_slice(url, 0, comma));
    struct fm_scan s = fm_scan_of(body);
    size_t used = 0;
    char *to = fm_heap_resize(heap, NULL, 0, body.size + 1);
    if (to == NULL) return fm_error_memory(error);
    if (base64 && !from_base64(&s, to, &used)) {
        fm_heap_free(heap, to, body.size + 1);
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the data: URL of its source map is not base64");
    }
    while (s.at < s.end) to[used++] = data_url_next_byte(&s);
    *out = to;
    *size = used;
    return FRAMEMAP_OK;
}
