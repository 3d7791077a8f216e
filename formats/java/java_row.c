/* Parses Java frame lines. Called by java_trace.c and java_print.c. The forms:
 *
 *     at com.example.Main.run(Main.java:5)                     Throwable.printStackTrace, ART
 *     at app//java.base@17.0.1/a.b.c(SourceFile:12)            loader and module, JDK 9 and later
 *     at a.b.<init>(Unknown Source:8) ~[app.jar:1.2]           packaging of logback and log4j
 *     at a.b$$Lambda$14/0x0000000800c03000.run(Unknown Source) hidden classes
 *     a.b.c(SourceFile:12)                                     as SDKs upload them
 *     a.b.c (SourceFile:12);                                   App Center's issues, Clojure
 *     at a.b.c(java.base@17.0.1/SourceFile:12)                 HotSpot's thread dumps, JDK 9 and later
 *     at a/b.c(SourceFile:12(Compiled Code))                   OpenJ9's
 *     at void a.b.c(int, a.b[]) (SourceFile:12)                the log of ART 7 to 10
 *     at <python>.a.b.c(d.py:12)                               Chaquopy, above rows of Java
 *     "main" tid=1 Native at a.b.c (SourceFile:12) at …        Play Console's ANRs whose line ends were dropped
 *
 * Any text may precede "at". After ")" may follow packaging, quotes and commas, the next frame, or, if the line
 * begins with "at", any text. */
#include "formats/java/java_row.h"
#include "core/cpu.h"
#include "core/text/find_any.h"
#include "formats/java/java_name.h"
#include "formats/row_gap.h"

/* Whether the source of a row is most likely a Java source: other languages hardly ever print such a name. */
static bool is_likely_source(const struct fm_java_row *row)
{
    framemap_str source = row->source;
    if (row->line.size == 0 || row->source_kind == FM_JAVA_SOURCE_FOREIGN) return false;
    for (size_t i = 0; i < source.size; i++) {
        char c = source.data[i];
        if (c == '/' || c == '\\' || c == ' ' || c == ':' || c == '(' || c == ',') return false;
    }
    return true;
}

static bool is_number(framemap_str text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!fm_is_digit(text.data[i]) && text.data[i] != '.') return false;
    return text.size != 0;
}

/* --- judging the text around a frame --- */

/* Whether the text begins like a frame: "at a.b.c(", "at a.b.<init>(". named: the text may also begin with the name,
 * without "at". */
static bool begins_as_row(framemap_str text, bool named)
{
    const bool at = text.size > 3 && text.data[0] == 'a' && text.data[1] == 't' && fm_is_blank(text.data[2]);
    if (!at && !named) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at ? 3 : 0));
    fm_scan_blanks(&s);
    const framemap_str name = fm_scan_rest(&s);
    const struct fm_java_run run = fm_java_run_of(name);
    if (run.dot == SIZE_MAX || run.end >= name.size) return false;
    const char next = name.data[run.end];
    return next == '(' || next == '<' || next == '&' ||
           (at && next == ' ' && run.end + 1 < name.size && name.data[run.end + 1] == '(');
}

/* Whether the stack continues on the same line after ")": separators, then a frame, a cause, or a number of omitted
 * frames. */
static bool goes_on_in_line(framemap_str rest)
{
    const size_t gap = fm_row_gap(rest);
    const framemap_str next = fm_str_from(rest, gap);
    if (gap == 0 || next.size == 0) return gap != 0;
    switch (next.data[0]) {
    case 'C': return fm_str_begins(next, FM_STR("Caused by: "));
    case 'S': return fm_str_begins(next, FM_STR("Suppressed: "));
    case '.': return fm_str_begins(next, FM_STR("... "));
    default: return begins_as_row(next, fm_str_trim(fm_str(rest.data, gap)).size != 0);
    }
}

/* Whether the text after ")" may follow a frame: nothing, packaging such as "~[app.jar:1.2]", closing quotes and
 * commas, or more of the stack. */
static bool is_plain_tail(framemap_str tail)
{
    size_t at = tail.size ? 1 : 0; /* `tail` begins with the closing parenthesis, which is skipped */
    while (at < tail.size && (fm_is_blank(tail.data[at]) || tail.data[at] == '\r' ||
                              (unsigned char)tail.data[at] == 0xC2 || (unsigned char)tail.data[at] == 0xA0))
        at++;
    return at == tail.size || strchr("~[\"',;}]<\\`", tail.data[at]) != NULL || goes_on_in_line(fm_str_from(tail, 1));
}

/* Cuts ":12" off the end of a text. Returns false if the text does not end so. */
static bool cut_number(framemap_str *text)
{
    size_t at = text->size;
    while (at && fm_is_digit(text->data[at - 1])) at--;
    if (at == text->size || at == 0 || text->data[at - 1] != ':') return false;
    text->size = at - 1;
    return true;
}

/* Whether the source ends in line and column, "12:34", which no Java frame has. source: the text before ":34". */
static bool has_column(framemap_str source) { return cut_number(&source); }

/* Whether a line is a row of JavaScript or Dart: its only parentheses are "(SOURCE:12:34)" at its end. This test is
 * cheap. The few sources of Java that may themselves end in a number are not judged here: "r8-map-id-…", and versions,
 * which have a '@' or begin with ':'. */
static bool is_row_of_others(framemap_str body)
{
    if (body.size == 0 || body.data[body.size - 1] != ')') return false;
    framemap_str before = fm_str(body.data, body.size - 1);
    if (!cut_number(&before) || !cut_number(&before)) return false;
    const size_t source = fm_str_find_byte(body, '(') + 1; /* 0 if there is no '(' */
    return source > 0 && body.data[source] != ':' && body.data[source] != 'r' &&
           fm_str_find_any(body, source, "()@@") == body.size - 1;
}

/* Whether a row is accepted as a Java frame. leads: the line begins with "at". */
static bool trusted(const struct fm_java_row *row, enum fm_java_trust trust, bool leads)
{
    if (fm_java_row_has_source(row)) return true;
    if (row->source_kind == FM_JAVA_SOURCE_FOREIGN) return false;
    if ((is_likely_source(row) && (leads || !is_number(row->source))) ||
        (leads && row->source_kind == FM_JAVA_SOURCE_VAGUE && row->source.size))
        return true;
    return trust == FM_JAVA_IN_STACK && (leads ? !has_column(row->source) : row->source.size == 0);
}

static bool java_row_is_word(char c)
{
    return fm_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Returns the start of the name before a parenthesis: the position after the last byte that ends names, or, for
 * "<init>" and its escaped forms, after the last blank. */
static const char *name_before(const char *start, const char *open)
{
    const char *p = open;
    while (p > start && fm_is_blank(p[-1])) p--;
    if (p > start && (p[-1] == '>' || p[-1] == ';')) {
        while (p > start && !fm_is_blank(p[-1]) && p[-1] != '"' && p[-1] != '(') p--;
        return p;
    }
    while (p > start && !fm_java_ends_name(p[-1])) p--;
    return p;
}

enum lead { LEAD_NONE, LEAD_ALONE, LEAD_AT };

/* Classifies the text before a name: only blanks and a quote; or any text that ends in the word "at"; or something
 * else. *from: where the frame begins. */
static enum lead lead_of(const char *start, const char *name, const char **from)
{
    const char *p = name, *first = start;
    *from = name;
    if (name != start && !fm_is_blank(name[-1]) && name[-1] != '"' && name[-1] != '\'') return LEAD_NONE;
    while (first < name && fm_is_blank(*first)) first++;
    if (first == name || (first + 1 == name && (*first == '"' || *first == '\''))) return LEAD_ALONE;
    while (p > first && fm_is_blank(p[-1])) p--;
    if (p == name || p - first < 2 || p[-1] != 't' || p[-2] != 'a') return LEAD_NONE;
    *from = p - 2;
    return p - first > 2 && java_row_is_word(p[-3]) && !fm_row_gap_escape_before(first, p - 2) ? LEAD_NONE : LEAD_AT;
}

/* Parses the frame whose parenthesis is at `open`. gap: the position after the separators that follow the previous
 * frame; body.data if this is the first frame. */
static FM_INLINED bool row_at(framemap_str body, const char *open, const char *gap, enum fm_java_trust trust,
                              struct fm_java_row *out)
{
    const char *start = gap, *end = body.data + body.size;
    if (open == start || fm_is_blank(open[-1]))
        /* This test rejects most frames of other formats. Rows with a blank before the parenthesis are parsed by
         * leading_row and alone_row. */
        return false;
    const char *name = name_before(start, open);
    if (name < open && (*name == '"' || *name == '\'')) name++;
    enum lead lead = lead_of(start, name, &out->from);
    if (lead == LEAD_NONE) return false;
    const framemap_str text = fm_str(name, (size_t)(end - name));
    const struct fm_java_run run = fm_java_run_of(text);
    if (!fm_java_row_split(text, &run, (size_t)(open - name), out) || !is_plain_tail(out->tail)) return false;
    if (lead == LEAD_AT) return trusted(out, trust, false);
    return fm_java_row_has_source(out) || (trust == FM_JAVA_IN_STACK && is_likely_source(out));
}

/* Parses a row that begins with "at", as nearly all do. *open: its first parenthesis, or NULL. */
static FM_INLINED bool leading_row(framemap_str text, enum fm_java_trust trust, struct fm_java_row *out,
                                   const char **open)
{
    const struct fm_java_run name = fm_java_run_of(text);
    const framemap_str rest = fm_str_from(text, name.end);
    *open = rest.size && *rest.data == '(' ? rest.data : fm_find(rest.data, rest.size, '(');
    if (*open == NULL) return trust == FM_JAVA_IN_STACK && fm_java_row_split_bare(text, out);
    if (fm_java_row_split(text, &name, (size_t)(*open - text.data), out)) return trusted(out, trust, true);
    if (rest.data != *open && fm_java_row_split_typed(text, out)) return true;
    return trust == FM_JAVA_IN_STACK && fm_java_row_split_spaced(text, out);
}

/* Parses a line that consists of "a.b.c (SourceFile:12)" or "a.b.c (SourceFile:12);". open: its first parenthesis.
 * Without a line number and a semicolon it is accepted only within a stack. */
static bool alone_row(framemap_str body, const char *open, enum fm_java_trust trust, struct fm_java_row *out)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    const framemap_str text = fm_scan_rest(&s);
    const struct fm_java_run run = fm_java_run_of(text);
    if (s.at + run.end + 1 != open || text.data[run.end] != ' ') return false;
    if (!fm_java_row_split(text, &run, run.end + 1, out) || !fm_java_row_has_source(out)) return false;
    const framemap_str rest = fm_str_trim(fm_str_from(out->tail, 1));
    out->from = s.at;
    if (fm_str_equal(rest, FM_STR(";"))) return true;
    return rest.size == 0 && (out->source_kind != FM_JAVA_SOURCE_FILE || out->has_line || trust == FM_JAVA_IN_STACK);
}

/* Returns the position of the word "at" that precedes a name, with blanks between "at" and the name. */
static const char *at_before(const char *name)
{
    while (fm_is_blank(name[-1])) name--;
    return name - 2;
}

/* Parses the first of several rows on a line that have a blank before the parenthesis, as the Play Console prints them,
 * if text precedes it: "\"main\" tid=1 Native at a.b.c (SourceFile:12) at a.b.d (SourceFile:3)". open: its parenthesis.
 */
static bool spaced_row_at(framemap_str body, const char *open, struct fm_java_row *out)
{
    const char *end = body.data + body.size, *name = name_before(body.data, open - 1), *at = name;
    while (at > body.data && fm_is_blank(at[-1])) at--;
    if (at == name || at - body.data < 3 || at[-1] != 't' || at[-2] != 'a' || java_row_is_word(at[-3])) return false;
    out->from = at - 2;
    const framemap_str text = fm_str(name, (size_t)(end - name));
    const struct fm_java_run run = fm_java_run_of(text);
    return name + run.end + 1 == open && fm_java_row_split(text, &run, run.end + 1, out) &&
           fm_java_row_has_source(out) && goes_on_in_line(fm_str_from(out->tail, 1));
}

bool fm_java_row_parse(framemap_str body, enum fm_java_trust trust, struct fm_java_row *out)
{
    if (trust == FM_JAVA_ALONE && is_row_of_others(body)) return false;
    const char *end = body.data + body.size, *open, *from = fm_java_row_after_at(body);
    out->bare = out->typed = false;
    if (from == NULL)
        open = body.size ? fm_find(body.data, body.size, '(') : NULL;
    else if (leading_row(fm_str(from, (size_t)(end - from)), trust, out, &open)) {
        out->from = at_before(from);
        return true;
    }
    if (from == NULL && open && open > body.data && open[-1] == ' ' && alone_row(body, open, trust, out)) return true;
    for (; open; open = fm_find(open + 1, (size_t)(end - open) - 1, '('))
        if (row_at(body, open, body.data, trust, out) ||
            (from == NULL && open - body.data > 3 && open[-1] == ' ' && spaced_row_at(body, open, out)))
            return true;
    return false;
}

/* Finds the next frame on a line. If only separators are between the previous frame and this one, the frame needs only
 * the general form. If other text such as a cause precedes it, it must look like a Java frame by itself. */
bool fm_java_row_next(framemap_str rest, struct fm_java_row *out)
{
    const char *end = rest.data + rest.size, *gap = rest.data + fm_row_gap(rest),
               *open = fm_find(rest.data, rest.size, '(');
    const char *from = gap > rest.data ? fm_java_row_after_at(fm_str(gap, (size_t)(end - gap))) : NULL;
    out->bare = out->typed = false;
    if (from && open && leading_row(fm_str(from, (size_t)(end - from)), FM_JAVA_IN_STACK, out, &open)) {
        out->from = gap;
        return true;
    }
    bool first = gap > rest.data;
    for (; open; open = fm_find(open + 1, (size_t)(end - open) - 1, '(')) {
        if (open <= gap) continue;
        if (row_at(rest, open, gap, first ? FM_JAVA_IN_STACK : FM_JAVA_ALONE, out) &&
            (out->from == gap || trusted(out, FM_JAVA_ALONE, false)))
            return true;
        first = false;
    }
    return false;
}

const char *fm_java_row_end(const struct fm_java_row *row)
{
    enum { LIMIT = 256 }; /* limit on the bytes of packaging data after a frame, such as " ~[app.jar:1.2]" */
    struct fm_scan s = fm_scan_of(row->tail);
    framemap_str inside;
    if (!fm_scan_byte(&s, ')')) return row->tail.data; /* the end of a row without parentheses, where `tail` begins */
    const char *end = s.at;
    fm_scan_blanks(&s);
    if (s.end - s.at > LIMIT) s.end = s.at + LIMIT;
    fm_scan_byte(&s, '~');
    return fm_scan_byte(&s, '[') && fm_scan_until(&s, ']', &inside) ? s.at + 1 : end;
}
