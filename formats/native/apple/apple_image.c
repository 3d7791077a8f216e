/* Rows of "Binary Images:". iOS prints "0xSTART - 0xEND NAME ARCH  <UUID> PATH", macOS "0xSTART - 0xEND +NAME (VERSION)
 * <UUID> PATH", and Instabug "0xSTART  NAME  ARCH  UUID". */
#include "formats/native/apple/apple.h"
#include "formats/row_parts.h"

static const char *const arch_names[] = {"arm64", "arm64e", "arm64_32", "armv7", "armv7s", "armv7k", "armv7f",
                                         "armv6", "x86_64", "x86_64h",  "i386",  "i486",   "ppc",    "ppc64"};

/* Finds the last "<UUID>" in the text. *text: the text before it; *path: the text after it; *id: the UUID. */
static bool cut_uuid(framemap_str *text, framemap_str *path, struct fm_document *doc, framemap_str *id)
{
    for (size_t at = 0; at < text->size; at++) {
        const char *open = memchr(text->data + at, '<', text->size - at);
        if (!open) return false;
        at = (size_t)(open - text->data);
        size_t close = fm_str_find_byte(fm_str_slice(*text, at, at + 82), '>');
        if (close == FM_NOT_FOUND || close < 33 || !fm_row_id(fm_str_slice(*text, at + 1, at + close), doc, id))
            continue;
        *path = fm_str_trim(fm_str_from(*text, at + close + 1));
        *text = fm_str_trim(fm_str(text->data, at));
        return true;
    }
    return false;
}

static void cut_arch(framemap_str *text, framemap_str *arch)
{
    size_t blank = fm_str_find_last_byte(*text, ' ');
    if (blank == FM_NOT_FOUND) return;
    framemap_str word = fm_str_from(*text, blank + 1);
    for (size_t i = 0; i < sizeof arch_names / sizeof arch_names[0]; i++) {
        if (!fm_str_equal(word, fm_str(arch_names[i], strlen(arch_names[i])))) continue;
        *arch = word;
        *text = fm_str_trim(fm_str(text->data, blank));
        return;
    }
}

static framemap_str image_name(framemap_str text)
{
    framemap_str version;
    fm_row_group(&text, &version);
    size_t flags = 0;
    while (flags < text.size && (text.data[flags] == '+' || text.data[flags] == '*' || text.data[flags] == '!'))
        flags++;
    return fm_str_trim(fm_str_from(text, flags));
}

/* Returns the size of an image from a range "START - END". END is the last byte in Apple's own reports. In reports of
 * some libraries it is the byte after the image, which is page-aligned. */
static uint64_t image_size(uint64_t start, uint64_t end)
{
    if (end <= start) return 0;
    return (end & 0xfff) == 0 || end - start == UINT64_MAX ? end - start : end - start + 1;
}

static bool read_range(struct fm_scan *s, framemap_image *image)
{
    uint64_t end = 0;
    fm_scan_blanks(s);
    if (fm_row_0xhex(s, &image->load_address) != FM_DIGITS_FIT) return false;
    fm_scan_blanks(s);
    if (!fm_scan_byte(s, '-')) return false;
    fm_scan_blanks(s);
    if (fm_row_0xhex(s, &end) != FM_DIGITS_FIT && !fm_scan_text(s, FM_STR("???"))) return false;
    if (!fm_scan_blanks1(s)) return false;
    image->size = image_size(image->load_address, end);
    return true;
}

bool fm_apple_is_range(framemap_str body)
{
    struct fm_scan s = fm_scan_of(body);
    framemap_image row = {0};
    return read_range(&s, &row);
}

/* Parses "0x100890000     Shop     arm64      CF19B18F-1C33-3A46-9337-F50D02C728A3". */
static bool read_columns(framemap_str body, struct fm_document *doc, framemap_image *image)
{
    struct fm_scan s = fm_scan_of(body);
    framemap_image row = {0};
    fm_scan_blanks(&s);
    if (fm_row_0xhex(&s, &row.load_address) != FM_DIGITS_FIT || !fm_scan_blanks1(&s)) return false;
    framemap_str text = fm_str_trim(fm_scan_rest(&s));
    const size_t blank = fm_str_find_last_byte(text, ' ');
    if (blank == FM_NOT_FOUND || text.size - blank < 33 || !fm_row_id(fm_str_from(text, blank + 1), doc, &row.id))
        return false;
    text = fm_str_trim(fm_str(text.data, blank));
    cut_arch(&text, &row.arch);
    row.name = text;
    if (row.arch.size == 0 || row.name.size == 0) return false;
    *image = row;
    return true;
}

bool fm_apple_image(framemap_str body, bool bare, struct fm_document *doc, framemap_image *image)
{
    struct fm_scan s = fm_scan_of(body);
    framemap_image row = {0};
    if (!read_range(&s, &row)) return bare && read_columns(body, doc, image);
    /* the text may contain entities, as in "&lt;UUID&gt;", which are decoded */
    framemap_str text = fm_row_decoded(doc, fm_scan_rest(&s));
    if (!cut_uuid(&text, &row.path, doc, &row.id)) {
        if (!bare) return false;
        size_t slash = fm_str_find(text, FM_STR(" /"));
        if (slash != FM_NOT_FOUND) row.path = fm_str_from(text, slash + 1);
        text = fm_str_trim(fm_str_slice(text, 0, slash));
    }
    cut_arch(&text, &row.arch);
    row.name = image_name(text);
    if (row.name.size == 0) row.name = fm_str_basename(row.path);
    if (row.name.size == 0) return false;
    *image = row;
    return true;
}

framemap_str fm_apple_arch(framemap_str code_type)
{
    static const struct {
        const char *start, *arch;
    } rows[] = {{"ARM-64", "arm64"},    {"ARM64", "arm64"},   {"X86-64", "x86_64"}, {"ARM", "arm"},
                {"X86", "i386"},        {"armv7s", "armv7s"}, {"armv7k", "armv7k"}, {"arm64_32", "arm64_32"},
                {"x86_64h", "x86_64h"}, {"i386", "i386"},     {"arm64e", "arm64e"}, {"arm64", "arm64"},
                {"x86_64", "x86_64"},   {"armv7", "armv7"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (fm_str_starts(code_type, fm_str(rows[i].start, strlen(rows[i].start))))
            return fm_str(rows[i].arch, strlen(rows[i].arch));
    return (framemap_str){NULL, 0};
}
