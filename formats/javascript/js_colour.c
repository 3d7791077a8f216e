/* Deno and Bun colour names, files and numbers, Node the folders of packages. Frame lines are parsed without colours,
 * and printed with those outside of restored parts. */
#include "formats/javascript/js_colour.h"

/* Size of the escape sequence at p, "ESC [ 1 ; 31 m"; 0: none. */
static size_t sequence(const char *at, const char *end)
{
    const char *p = at;
    if (end - p < 3 || p[0] != '\033' || p[1] != '[') return 0;
    for (p += 2; p < end && (fm_is_digit(*p) || *p == ';'); p++);
    return p < end && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')) ? (size_t)(p + 1 - at) : 0;
}

size_t fm_js_uncolour(framemap_str text, char *out)
{
    const char *at = text.data, *end = at + text.size;
    size_t size = 0;
    while (at < end) {
        const size_t skip = sequence(at, end);
        const char *next = fm_find(at + 1, (size_t)(end - at) - 1,
                                   '\033'); /* an escape character without a sequence is an ordinary byte */
        if (next == NULL) next = end;
        at += skip;
        fm_str_copy(out + size, fm_str(at, (size_t)(next - at)));
        size += (size_t)(next - at);
        at = next;
    }
    return size;
}

size_t fm_js_coloured_at(framemap_str text, size_t at)
{
    const char *p = text.data, *end = p + text.size;
    for (;;) {
        size_t skip = p < end ? sequence(p, end) : 0;
        if (skip) {
            p += skip;
            continue;
        }
        if (at == 0 || p == end) return (size_t)(p - text.data);
        p++;
        at--;
    }
}
