/* Bundles of the devtools "eval-source-map" of webpack and Rspack. Each module is a string literal that ends with
 * special comments, whose line ends are escape sequences:
 *
 *     eval("…\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,eyJ2…\n//#
 * sourceURL=webpack-internal:///./src/a.js\n")
 *
 * The member is the comment with the map, which is the same inside and outside of a literal; its name is the URL of the
 * second comment. Minifiers may turn the literal into a template, whose line ends are plain. Comments of another form
 * are skipped. Only webpack's scheme counts, because other scripts contain such comments as text. */
#include "core/archive/archive_script.h"

#include "core/error.h"
#include "core/text/scan.h"
#include "core/text/text.h"

/* Parses the end of a line in a literal or in a template. */
static bool scan_line_end(struct fm_scan *s) { return fm_scan_byte(s, '\n') || fm_scan_text(s, FM_STR("\\n")); }

static bool ends_url(char c) { return (unsigned char)c <= ' ' || c == '\\' || c == '"' || c == '\'' || c == '`'; }

/* Parses the part of a comment's line that is a URL: it ends before a blank, a quote or an escape sequence. */
static framemap_str scan_url(struct fm_scan *s)
{
    const char *const start = s->at;
    while (s->at < s->end && !ends_url(*s->at)) s->at++;
    return fm_str(start, (size_t)(s->at - start));
}

/* Parses the two comments at the start of a text. */
static bool read_map(framemap_str text, struct fm_archive_member *out)
{
    struct fm_scan s = fm_scan_of(text);
    if (!fm_scan_text(&s, FM_STR("//# sourceMappingURL="))) return false;
    scan_url(&s);
    const framemap_str stored = fm_str(text.data, (size_t)(s.at - text.data));
    if (!scan_line_end(&s) || !fm_scan_text(&s, FM_STR("//# sourceURL="))) return false;
    const framemap_str name = scan_url(&s);
    if (!fm_str_starts(name, FM_STR(FM_SCRIPT_MODULE)) || !scan_line_end(&s)) return false;
    *out = (struct fm_archive_member){.name = name, .stored = stored, .size = stored.size, .packing = FM_MEMBER_STORED};
    return true;
}

void fm_script_next(struct fm_archive *archive, struct fm_archive_member *out, bool *more)
{
    const framemap_str mark = FM_STR("//# sourceMappingURL=data:");
    *more = false;
    while (!*more) {
        const framemap_str rest = fm_str_from(archive->bytes, (size_t)archive->at);
        const size_t at = fm_str_find(rest, mark);
        if (at == FM_NOT_FOUND) return;
        *more = read_map(fm_str_from(rest, at), out);
        archive->at += at + (*more ? out->stored.size : mark.size);
    }
}

framemap_status fm_script_refuse(framemap_status code, framemap_str module, framemap_error *error)
{
    enum { SHOWN = 100 };
    return fm_error_set(error, code,
                        "this is a script with a source map for each module that it passes to eval: name a module, as "
                        "in 'FILE!%.*s'",
                        (int)(module.size < SHOWN ? module.size : SHOWN), module.data);
}
