/* Splits lines of a mapping as ProGuard's reader does. Called by proguard_mapper.c; independent of the builder. */
#include "mappers/java/proguard_line.h"

#include "mappers/java/r8_json.h"

#define NONE (-1)

framemap_str fm_proguard_trim(framemap_str text)
{
    while (text.size > 0 && (unsigned char)text.data[0] <= ' ') text = fm_str_from(text, 1);
    while (text.size > 0 && (unsigned char)text.data[text.size - 1] <= ' ') text.size--;
    return text;
}

/* Returns the offset of the first `mark` at or after an offset, like Java's indexOf. NONE: there is no such mark, or
 * the search starts after the end. */
static int64_t proguard_find(framemap_str line, const char *mark, int64_t from)
{
    if (from < 0) from = 0;
    if ((uint64_t)from >= line.size) return NONE;
    const size_t at = fm_str_find(fm_str_from(line, (size_t)from), framemap_str_of(mark));
    return at == FM_NOT_FOUND ? NONE : from + (int64_t)at;
}

static int64_t find_after(framemap_str line, const char *mark, int64_t other)
{
    return other < 0 ? NONE : proguard_find(line, mark, other + 1);
}

static framemap_str proguard_between(framemap_str line, int64_t from, int64_t to)
{
    return fm_proguard_trim(fm_str_slice(line, (size_t)from, to < from ? (size_t)from : (size_t)to));
}

static framemap_str after(framemap_str line, int64_t from) { return fm_proguard_trim(fm_str_from(line, (size_t)from)); }

bool fm_proguard_class_line(framemap_str line, framemap_str *original, framemap_str *residual)
{
    const int64_t arrow = proguard_find(line, "->", 0);
    const int64_t colon = arrow < 0 ? NONE : proguard_find(line, ":", arrow + 2);
    if (colon < 0) return false;
    *original = proguard_between(line, 0, arrow);
    *residual = proguard_between(line, arrow + 2, colon);
    return true;
}

/* Offsets of the separators in a member line; NONE: the line does not have the separator. */
struct marks {
    int64_t colon1, colon2, blank, open, close, colon3, colon4, arrow;
};

static struct marks find_marks(framemap_str line)
{
    struct marks m;
    m.colon1 = proguard_find(line, ":", 0);
    m.colon2 = find_after(line, ":", m.colon1);
    m.blank = proguard_find(line, " ", m.colon2 + 2);
    m.open = proguard_find(line, "(", m.blank + 1);
    m.close = find_after(line, ")", m.open);
    m.colon3 = find_after(line, ":", m.close);
    m.colon4 = find_after(line, ":", m.colon3);
    m.arrow = proguard_find(line, "->",
                            (m.colon4 >= 0   ? m.colon4
                             : m.colon3 >= 0 ? m.colon3
                             : m.close >= 0  ? m.close
                                             : m.blank) +
                                1);
    return m;
}

static bool residual_lines(framemap_str line, const struct marks *m, struct fm_proguard_member *out)
{
    out->has_residual = m->colon2 >= 0;
    return !out->has_residual || (fm_r8_parse_int(proguard_between(line, 0, m->colon1), &out->residual_from) &&
                                  fm_r8_parse_int(proguard_between(line, m->colon1 + 1, m->colon2), &out->residual_to));
}

static bool original_lines(framemap_str line, const struct marks *m, struct fm_proguard_member *out)
{
    out->has_original = m->colon3 >= 0;
    out->has_pair = m->colon4 >= 0;
    if (!out->has_original) return true;
    if (!fm_r8_parse_int(proguard_between(line, m->colon3 + 1, m->colon4 > 0 ? m->colon4 : m->arrow),
                         &out->original_from))
        return false;
    out->original_to = out->original_from;
    return !out->has_pair || fm_r8_parse_int(proguard_between(line, m->colon4 + 1, m->arrow), &out->original_to);
}

enum fm_proguard_found fm_proguard_member_line(framemap_str line, struct fm_proguard_member *out)
{
    const struct marks m = find_marks(line);
    *out = (struct fm_proguard_member){.is_method = m.close >= 0};
    if (m.blank < 0 || m.arrow < 0) return FM_PROGUARD_NOTHING;
    out->type = proguard_between(line, m.colon2 + 1, m.blank);
    out->name = proguard_between(line, m.blank + 1, m.open >= 0 ? m.open : m.arrow);
    out->residual = after(line, m.arrow + 2);
    const size_t dot = fm_str_find_last_byte(out->name, '.');
    const bool has_name = dot == FM_NOT_FOUND ? out->name.size > 0 : dot + 1 < out->name.size;
    if (out->type.size == 0 || !has_name || out->residual.size == 0) return FM_PROGUARD_NOTHING;
    if (!out->is_method) return FM_PROGUARD_MEMBER;
    out->arguments = proguard_between(line, m.open + 1, m.close);
    return residual_lines(line, &m, out) && original_lines(line, &m, out) ? FM_PROGUARD_MEMBER : FM_PROGUARD_NO_NUMBER;
}
