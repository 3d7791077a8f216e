/* Members of ar archives. System V and GNU write a short name as "name/" and a long name as "/123", an offset in a
 * table of names; BSD writes "#1/20", and the 20 bytes of the name precede the member's data. A thin archive (GNU) has
 * only names of files. The format: <ar.h>, and binutils' bfd/archive.c for the names. */
#include "core/archive/archive_ar.h"

#include "core/checked.h"
#include "core/error.h"
#include "core/text/text.h"

enum { HEADER = 60, NAME = 16, DATE_DIGITS = 12, SIZE_AT = 48, SIZE_DIGITS = 10, END_AT = 58 };

static framemap_status ar_damaged(framemap_error *error, uint64_t offset)
{
    return fm_error_at(error, FRAMEMAP_E_CORRUPT, offset, "a member's header in the archive is damaged");
}

/* Parses decimal digits, then blanks only. */
static bool read_decimal(framemap_str text, uint64_t *out)
{
    size_t at = 0;
    *out = 0;
    for (; at < text.size && text.data[at] >= '0' && text.data[at] <= '9'; at++)
        /* the number cannot overflow, because the field has at most 15 digits */
        *out = *out * 10 + (uint64_t)(text.data[at] - '0');
    const bool any = at > 0;
    while (at < text.size && text.data[at] == ' ') at++;
    return any && at == text.size;
}

static framemap_str without_blanks(framemap_str text)
{
    while (text.size > 0 && text.data[text.size - 1] == ' ') text.size--;
    return text;
}

/* Parses the offset of a long name in the table of names: "123". In a thin archive it may be "123:456" for a member of
 * an inner archive: the offset of the inner archive's name in the table, and the offset of the member in the inner
 * archive. */
static bool read_name_offset(const struct fm_archive *archive, framemap_str digits, uint64_t *out)
{
    const size_t colon = archive->kind == FM_ARCHIVE_THIN_AR ? fm_str_find_byte(digits, ':') : FM_NOT_FOUND;
    uint64_t file;
    if (colon == FM_NOT_FOUND) return read_decimal(digits, out);
    return read_decimal(fm_str_slice(digits, 0, colon), out) && read_decimal(fm_str_from(digits, colon + 1), &file);
}

/* Reads a long name from GNU's table, where it ends at "/\n". */
static bool long_name(const struct fm_archive *archive, framemap_str digits, framemap_str *out)
{
    uint64_t offset;
    if (!read_name_offset(archive, digits, &offset) || offset >= archive->long_names.size) return false;
    const framemap_str rest = fm_str_from(archive->long_names, (size_t)offset);
    const size_t end = fm_str_find_byte(rest, '\n');
    *out = fm_str_slice(rest, 0, end == FM_NOT_FOUND ? rest.size : end);
    if (fm_str_ends(*out, FM_STR("/"))) out->size--;
    return out->size > 0;
}

/* Reads a name in BSD's form: it is the first part of the member's bytes, padded with NULs. */
static bool inner_name(framemap_str digits, struct fm_archive_member *out)
{
    uint64_t size;
    if (!read_decimal(digits, &size) || size > out->stored.size) return false;
    out->name = fm_str_slice(out->stored, 0, (size_t)size);
    while (out->name.size > 0 && out->name.data[out->name.size - 1] == '\0') out->name.size--;
    out->stored = fm_str_from(out->stored, (size_t)size);
    return true;
}

static bool is_table(framemap_str name)
{
    return fm_str_equal(name, FM_STR("/")) || fm_str_equal(name, FM_STR("/SYM64/")) ||
           fm_str_starts(name, FM_STR("__.SYMDEF"));
}

static bool read_name(const struct fm_archive *archive, framemap_str name, struct fm_archive_member *out)
{
    if (fm_str_starts(name, FM_STR("#1/"))) return inner_name(fm_str_from(name, 3), out);
    if (fm_str_starts(name, FM_STR("/"))) return long_name(archive, fm_str_from(name, 1), &out->name);
    if (fm_str_ends(name, FM_STR("/"))) name.size--;
    out->name = name;
    return name.size > 0;
}

framemap_status fm_ar_next(struct fm_archive *archive, struct fm_archive_member *out, bool *more, framemap_error *error)
{
    for (;;) {
        const uint64_t at = archive->at;
        const framemap_str head = fm_str_slice(archive->bytes, (size_t)at, (size_t)at + HEADER);
        uint64_t size;
        *more = head.size > 1; /* a single byte after the last member is padding */
        if (!*more) return FRAMEMAP_OK;
        if (head.size < HEADER || head.data[END_AT] != '`' || head.data[END_AT + 1] != '\n' ||
            !read_decimal(fm_str_slice(head, SIZE_AT, SIZE_AT + SIZE_DIGITS), &size))
            return ar_damaged(error, at);
        const framemap_str name = without_blanks(fm_str_slice(head, 0, NAME));
        const bool is_names = fm_str_equal(name, FM_STR("//")), is_own = is_names || is_table(name);
        const bool is_elsewhere = archive->kind == FM_ARCHIVE_THIN_AR && !is_own;
        const uint64_t held = is_elsewhere ? 0 : size, begin = at + HEADER;
        if (!fm_range_fits(begin, held, archive->bytes.size)) return ar_damaged(error, at);
        *out = (struct fm_archive_member){.packing = FM_MEMBER_STORED};
        out->stored = fm_str_slice(archive->bytes, (size_t)begin, (size_t)(begin + held));
        if (!read_decimal(fm_str_slice(head, NAME, NAME + DATE_DIGITS), &out->modified)) out->modified = 0;
        archive->at = begin + held + (held & 1);
        if (is_names) archive->long_names = out->stored;
        if (is_own) continue;
        if (!read_name(archive, name, out)) return ar_damaged(error, at);
        if (fm_str_starts(out->name, FM_STR("__.SYMDEF"))) continue;
        out->size = is_elsewhere ? size : out->stored.size;
        if (is_elsewhere) out->refused = "the archive is thin: it names the file and does not contain it";
        return FRAMEMAP_OK;
    }
}
