/* Resolves source addresses against sourceRoot. Called by sourcemap_sources.c. */
#include "mappers/javascript/sourcemap/sourcemap_address.h"

#include "core/text/scan.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_scheme_byte(char c)
{
    return is_letter(c) || fm_is_digit(c) || c == '+' || c == '.' || c == '-' || c == '_';
}
static bool is_slash(char c) { return c == '/' || c == '\\'; }

/* Returns the size in bytes of the scheme with its colon; 0: the address has no scheme. */
static size_t scheme_size(framemap_str text)
{
    size_t size = 0;
    while (size < text.size && is_scheme_byte(text.data[size])) size++;
    return size > 0 && size < text.size && text.data[size] == ':' ? size + 1 : 0;
}

bool fm_sourcemap_address_is_absolute(framemap_str spelled)
{
    if (spelled.size == 0) return false;
    if (is_slash(spelled.data[0])) return true;
    const size_t scheme = scheme_size(spelled);
    if (scheme != 2) return scheme > 2;
    return is_letter(spelled.data[0]) && spelled.size > 2 && is_slash(spelled.data[2]);
}

static size_t find_any(framemap_str text, size_t from, const char *bytes)
{
    size_t at = from;
    while (at < text.size && memchr(bytes, text.data[at], strlen(bytes)) == NULL) at++;
    return at;
}

/* Returns the number of bytes before the path: scheme and host. */
static size_t prefix_size(framemap_str text)
{
    const size_t scheme = scheme_size(text);
    if (fm_str_starts(fm_str_from(text, scheme), FM_STR("//"))) return find_any(text, scheme + 2, "/?#");
    return fm_str_equal(fm_str_slice(text, 0, scheme), FM_STR("file:")) ? scheme : 0;
}

/* Removes the last path part written since `begin`, with the slash before it. */
static void drop_part(struct fm_buf *out, size_t begin)
{
    while (out->size > begin && out->data[out->size - 1] != '/') out->size--;
    if (out->size > begin) out->size--;
}

/* Appends the parts of a path, each after a slash. relative: a ".." for which no part is left to remove is kept. */
static void put_path(struct fm_buf *out, framemap_str path, bool relative)
{
    const size_t begin = out->size;
    size_t parts = 0, ups = 0;
    bool slash = true; /* whether the path so far ends with a slash */
    for (size_t at = 0, end; at <= path.size; at = end + 1) {
        const framemap_str part = fm_str_slice(path, at, end = find_any(path, at, "/"));
        if (part.size == 0) slash = slash || at > 0;
        if (part.size == 0) continue;
        slash = false;
        if (fm_str_equal(part, FM_STR("."))) continue;
        const bool up = fm_str_equal(part, FM_STR(".."));
        if (up && parts > 0) {
            drop_part(out, begin);
            parts--;
            slash = true;
        } else if (!up || relative) {
            fm_buf_byte(out, '/');
            fm_buf_str(out, part);
            *(up ? &ups : &parts) += 1;
        }
    }
    if (out->size == begin || (slash && parts > 0)) fm_buf_byte(out, '/');
}

static void put_relative(struct fm_buf *out, framemap_str path, framemap_str rest)
{
    const size_t begin = out->size;
    put_path(out, path, true);
    if (out->failed) return;
    memmove(out->data + begin, out->data + begin + 1,
            /* the rest of the address is moved, which removes the slash before the first part */
            out->size - begin - 1);
    out->size--;
    if (out->size == begin && rest.size == 0) fm_buf_byte(out, '.');
    const char first = out->size > begin ? out->data[begin] : 0;
    const bool dotted = path.size > 0 && path.data[0] == '.';
    if (dotted && first != '.' && out->size > begin) {
        fm_buf_add(out, "./", 2);
        if (out->failed) return;
        memmove(out->data + begin + 2, out->data + begin, out->size - begin - 2);
        memcpy(out->data + begin, "./", 2);
    }
    fm_buf_str(out, rest);
}

static void put_normal(struct fm_buf *out, framemap_str text)
{
    const size_t prefix = prefix_size(text), path_end = find_any(text, prefix, "?#");
    const framemap_str path = fm_str_slice(text, prefix, path_end), rest = fm_str_from(text, path_end);
    if (text.size == 0) return;
    if (prefix == 0 && text.data[0] != '/') {
        put_relative(out, path, rest);
        return;
    }
    fm_buf_str(out, fm_str_slice(text, 0, prefix));
    if (prefix > 0 && fm_str_equal(fm_str_slice(text, 0, prefix), FM_STR("file:"))) fm_buf_add(out, "//", 2);
    put_path(out, path, false);
    fm_buf_str(out, rest);
}

void fm_sourcemap_address(struct fm_buf *out, framemap_str root, framemap_str spelled)
{
    struct fm_buf joined;
    if (root.size == 0 || fm_sourcemap_address_is_absolute(spelled)) {
        put_normal(out, spelled);
        return;
    }
    fm_buf_init(&joined, out->heap);
    fm_buf_str(&joined, root);
    if (root.data[root.size - 1] != '/') fm_buf_byte(&joined, '/');
    fm_buf_str(&joined, spelled);
    if (joined.failed)
        out->failed = true;
    else
        put_normal(out, fm_buf_view(&joined));
    fm_buf_free(&joined);
}
