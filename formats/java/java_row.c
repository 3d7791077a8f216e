/* Parses Java frame lines. Called by java_trace.c, java_line.c and java_print.c. The forms:
 *
 *     at com.example.Main.run(Main.java:5)                     Throwable.printStackTrace, ART
 *     at app//java.base@17.0.1/a.b.c(SourceFile:12)            loader and module, JDK 9 and later
 *     at a.b.<init>(Unknown Source:8) ~[app.jar:1.2]           packaging of logback and log4j
 *     at a.b$$Lambda$14/0x0000000800c03000.run(Unknown Source) hidden classes
 *     a.b.c(SourceFile:12)                                     as SDKs upload them
 *     a.b.c (SourceFile:12);                                   App Center's issues, Clojure
 *     at a.b.c(java.base@17.0.1/SourceFile:12)                 HotSpot's thread dumps, JDK 9 and later
 *     at a/b.c(SourceFile:12(Compiled Code))                   OpenJ9's
 *
 * Any text may precede "at". After ")" may follow packaging, quotes and commas, the next frame, or, if the line
 * begins with "at", any text. */
#include "formats/java/java_row.h"
#include "core/cpu.h"
#include "core/text/trailing_number.h"
#include "formats/java/java_name.h"
#include "formats/row_gap.h"

/* Most bytes between parentheses, so that a line full of "at a.b(" is not searched repeatedly. The longest real sources
 * are map ids of 80 bytes. */
#define SOURCE_LIMIT 512

/* Whether only Java stacks have such a source. */
static bool is_java_source(const struct fm_java_row *row)
{
    return row->source_kind >= FM_JAVA_SOURCE_FILE && row->source_kind <= FM_JAVA_SOURCE_MARK &&
           row->source_kind != FM_JAVA_SOURCE_VAGUE;
}

/* Whether another language could have such a source, but hardly anything else does. */
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

/* --- the parts --- */

/* "java.base@17.0.1/" off a source: a name with a dot or a version, which no folder of a source is. */
static void cut_module(framemap_str *inside, struct fm_java_row *row)
{
    row->place_module = fm_str(NULL, 0);
    if (inside->size == 0 || inside->data[0] < 'a' || inside->data[0] > 'z') return;
    const size_t slash = fm_str_find_byte(*inside, '/');
    if (slash == FM_NOT_FOUND || slash + 1 == inside->size) return;
    const framemap_str module = fm_str(inside->data, slash), rest = fm_str_from(*inside, slash + 1);
    if (fm_str_find_byte(rest, '/') != FM_NOT_FOUND || fm_str_find_byte(module, ' ') != FM_NOT_FOUND ||
        fm_str_find_byte(module, ':') != FM_NOT_FOUND)
        return;
    if (fm_str_find_byte(module, '@') == FM_NOT_FOUND && fm_str_find_byte(module, '.') == FM_NOT_FOUND) return;
    row->place_module = module;
    *inside = rest;
}

/* Splits "SOURCE:LINE", the text between the parentheses. */
static void split_place(framemap_str inside, struct fm_java_row *row)
{
    cut_module(&inside, row);
    uint64_t number;
    const size_t digits = fm_trailing_number(inside, &number), at = inside.size - digits;
    const bool has = digits && at && inside.data[at - 1] == ':';
    row->source = has ? fm_str(inside.data, at - 1) : inside;
    row->line = has ? fm_str(inside.data + at, digits) : fm_str(NULL, 0);
    row->has_line = has && number <= INT32_MAX;
    row->line_number = row->has_line ? (int32_t)number : 0;
}

static void split_source(framemap_str inside, struct fm_java_row *row)
{
    split_place(inside, row);
    row->source_kind = fm_java_source_kind_of(row->source);
}

/* Finds the class in "app//java.base@17/a.b/0x0000000800c03000". */
static void split_prefix(framemap_str text, struct fm_java_row *row)
{
    size_t slash = fm_str_find_last_byte(text, '/');
    if (slash != FM_NOT_FOUND && slash + 1 < text.size && fm_is_digit(text.data[slash + 1])) {
        text.size = slash; /* the address of a hidden class */
        slash = fm_str_find_last_byte(text, '/');
    }
    row->module = fm_str(NULL, 0);
    row->class_name = text;
    if (slash == FM_NOT_FOUND) return;
    if (fm_str_find_byte(text, '.') == FM_NOT_FOUND && fm_str_find_byte(text, '@') == FM_NOT_FOUND &&
        fm_str_find(text, FM_STR("//")) == FM_NOT_FOUND)
        return; /* "java/lang/Object": no class of a module is without a package */
    row->class_name = fm_str_from(text, slash + 1);
    framemap_str before = fm_str(text.data, slash);
    size_t other = fm_str_find_last_byte(before, '/');
    row->module = other == FM_NOT_FOUND ? before : fm_str_from(before, other + 1);
    if (fm_str_ends(row->module, FM_STR("\\"))) row->module.size--; /* "\/" of JSON */
}

/* A name up to the byte that ends it. */
struct spelled {
    framemap_str name;
    size_t dot;   /* the last dot not followed by a digit; 0: none */
    bool odd;     /* it may be escaped */
    bool slashed; /* it has a '/' */
};

static void spell(framemap_str rest, struct spelled *out)
{
    size_t size = 0;
    out->dot = 0;
    out->odd = out->slashed = false;
    for (; size < rest.size; size++) {
        unsigned char kind = fm_java_bytes[(unsigned char)rest.data[size]];
        if (kind == FM_JAVA_PLAIN) continue;
        if (kind == FM_JAVA_ENDS) break;
        if (kind == FM_JAVA_ODD) out->odd = true;
        if (kind == FM_JAVA_SLASH) out->slashed = true;
        if (kind == FM_JAVA_DOT && size + 1 < rest.size && !fm_is_digit(rest.data[size + 1])) out->dot = size;
    }
    if (out->dot + 1 == size) out->dot = 0; /* it ends with the dot: "a.b." */
    out->name = fm_str(rest.data, size);
}

/* Two assignments: a chain of them is compiled to a load of what was just stored, which CPUs wait for. */
static void set_method(framemap_str method, struct fm_java_row *row)
{
    row->method = method;
    row->method_raw = method;
}

static bool split_at(framemap_str name, size_t dot, bool slashed, struct fm_java_row *row)
{
    set_method(fm_str(name.data + dot + 1, name.size - dot - 1), row);
    row->class_name = fm_str(name.data, dot);
    row->module = fm_str(NULL, 0);
    if (slashed) split_prefix(row->class_name, row);
    return row->class_name.size != 0;
}

static bool split_name(const struct spelled *spelled, struct fm_java_row *row)
{
    return spelled->dot != 0 && split_at(spelled->name, spelled->dot, spelled->slashed, row);
}

/* Splits a name of usual bytes at its last dot, if the method after it does not begin with a digit. */
static bool split_plain(framemap_str text, const struct fm_java_run *name, struct fm_java_row *row)
{
    const size_t dot = name->dot;
    if (dot == SIZE_MAX || dot == 0 || dot + 1 == name->end || fm_is_digit(text.data[dot + 1])) return false;
    return split_at(fm_str(text.data, name->end), dot, name->slashed, row);
}

/* Splits "libunity.0x51b50", which Unity writes for an address in a native library. */
static bool split_native(framemap_str name, struct fm_java_row *row)
{
    const size_t dot = fm_str_find_last(name, FM_STR(".0x"));
    return row->source_kind == FM_JAVA_SOURCE_MARK && dot != FM_NOT_FOUND && dot != 0 && dot + 3 < name.size &&
           fm_is_all_hex(fm_str_from(name, dot + 3)) && split_at(name, dot, false, row);
}

static const struct {
    framemap_str raw, method;
} specials[] = {{FM_STR_INIT("<init>"), FM_STR_INIT("<init>")},
                {FM_STR_INIT("<clinit>"), FM_STR_INIT("<clinit>")},
                {FM_STR_INIT("\\u003cinit\\u003e"), FM_STR_INIT("<init>")},
                {FM_STR_INIT("\\u003cclinit\\u003e"), FM_STR_INIT("<clinit>")},
                {FM_STR_INIT("\\u003Cinit\\u003E"), FM_STR_INIT("<init>")},
                {FM_STR_INIT("&lt;init&gt;"), FM_STR_INIT("<init>")},
                {FM_STR_INIT("&lt;clinit&gt;"), FM_STR_INIT("<clinit>")}};

/* Splits "a.b.<init>". The constructor's name after the last dot has bytes that no other name may have. */
static bool special_method(struct fm_scan *s, framemap_str name, struct fm_java_row *row)
{
    if (name.size < 2 || name.data[name.size - 1] != '.') return false;
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        const framemap_str raw = specials[i].raw;
        struct fm_scan t = {name.data + name.size, s->end};
        if (!fm_str_begins(fm_scan_rest(&t), raw)) continue;
        t.at += raw.size;
        row->method_raw = fm_str(name.data + name.size, raw.size);
        row->method = specials[i].method;
        split_prefix(fm_str(name.data, name.size - 1), row);
        s->at = t.at;
        return row->class_name.size != 0;
    }
    return false;
}

/* In JSON and HTML, the name of a constructor has bytes that end other names. */
static bool escaped_method(struct fm_scan *s, framemap_str name, struct fm_java_row *row)
{
    size_t mark = fm_str_find(name, FM_STR(".\\u003"));
    if (mark == FM_NOT_FOUND) mark = fm_str_find(name, FM_STR(".&lt"));
    return mark != FM_NOT_FOUND && special_method(s, fm_str(name.data, mark + 1), row);
}

/* Where the parenthesis after `open` is closed: ":com.google.android.gms@23.41.16 (190400-0):3)" has others within. */
static const char *closing(const char *open, const char *end)
{
    const char *last = (size_t)(end - open - 1) > SOURCE_LIMIT ? open + 1 + SOURCE_LIMIT : end;
    const char *close = fm_find(open + 1, (size_t)(last - open - 1), ')');
    if (close == NULL || open[1] != ':') return close;
    long depth = 1;
    for (const char *at = open + 1; at < last; at++) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth == 0) return at;
    }
    return close;
}

/* "(SOURCE:LINE)", "(SOURCE:LINE(Compiled Code))": what is inside, and the tail. */
static bool find_place(const char *open, const char *end, framemap_str *inside, framemap_str *tail)
{
    static const framemap_str compiled = FM_STR_INIT("(Compiled Code");
    const char *close = closing(open, end);
    if (close == NULL) return false;
    *inside = fm_str(open + 1, (size_t)(close - open - 1));
    if (close + 1 < end && close[1] == ')' && fm_str_ends(*inside, compiled)) {
        inside->size -= compiled.size;
        close++;
    }
    *tail = fm_str(close, (size_t)(end - close));
    return true;
}

static bool scan_source(const char *open, const char *end, struct fm_java_row *row)
{
    framemap_str inside;
    if (!find_place(open, end, &inside, &row->tail)) return false;
    split_source(inside, row);
    return true;
}

/* Whether the name cannot be Java's: it has no dot, or there is more than blanks between it and the parenthesis. True
 * for nearly all names of JavaScript. */
static bool is_other_name(framemap_str text, const struct fm_java_run *name, size_t open)
{
    size_t at = name->end;
    if (!fm_java_ends_name(text.data[at]) || text.data[at] == '<') return false;
    while (at < open && fm_is_blank(text.data[at])) at++;
    return at != open || name->dot == SIZE_MAX;
}

/* Parses "CLASS.METHOD(SOURCE:LINE)". name: the run that `text` begins with; open: offset of the first parenthesis. If
 * blanks precede the parenthesis, as in most JavaScript frames, the source must be Java's, and is checked before the
 * name. */
static bool scan_row(framemap_str text, const struct fm_java_run *name, size_t open, struct fm_java_row *row)
{
    const char *from = text.data, *end = from + text.size;
    struct fm_scan t = {from, end};
    struct spelled spelled;
    if (open == 0 || fm_is_digit(*from) || *from == '.' || *from == '/' || is_other_name(text, name, open))
        return false;
    if (!scan_source(from + open, end, row) || (fm_is_blank(from[open - 1]) && !is_java_source(row))) return false;
    if (name->end == open && split_plain(text, name, row)) return true;
    spell(text, &spelled);
    t.at += spelled.name.size;
    if (*t.at == '<') {
        if (!special_method(&t, spelled.name, row)) return false;
    } else if (!(spelled.odd && escaped_method(&t, spelled.name, row)) && !split_name(&spelled, row) &&
               !split_native(spelled.name, row)) {
        return false;
    }
    fm_scan_blanks(&t);
    return t.at == from + open;
}

/* --- the text around a frame --- */

/* Whether a frame begins here, judged by its name: "at a.b.c(", "at a.b.<init>(". named: the "at" may be missing. */
static bool begins_as_row(framemap_str text, bool named)
{
    const bool at = text.size > 3 && text.data[0] == 'a' && text.data[1] == 't' && fm_is_blank(text.data[2]);
    if (!at && !named) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at ? 3 : 0));
    fm_scan_blanks(&s);
    const framemap_str name = fm_scan_rest(&s);
    const struct fm_java_run run = fm_java_run_of(name);
    return run.dot != SIZE_MAX && run.end < name.size &&
           (name.data[run.end] == '(' || name.data[run.end] == '<' || name.data[run.end] == '&');
}

/* Whether the text after ")" continues the stack on the same line: separators, then a frame, a cause, or the number of
 * omitted frames. */
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

/* Whether the text after ")" may follow a frame: empty, packaging, wrapping of other texts, or more of the stack. */
static bool is_plain_tail(framemap_str tail)
{
    size_t at = tail.size ? 1 : 0; /* the parenthesis */
    while (at < tail.size && (fm_is_blank(tail.data[at]) || tail.data[at] == '\r' ||
                              (unsigned char)tail.data[at] == 0xC2 || (unsigned char)tail.data[at] == 0xA0))
        at++;
    return at == tail.size || strchr("~[\"',;}]<\\`", tail.data[at]) != NULL || goes_on_in_line(fm_str_from(tail, 1));
}

/* Whether the source ends in line and column, "12:34", which no Java frame has. */
static bool has_column(framemap_str source)
{
    size_t at = source.size;
    while (at && fm_is_digit(source.data[at - 1])) at--;
    return at < source.size && at && source.data[at - 1] == ':';
}

/* leads: the frame line begins with "at". */
static bool trusted(const struct fm_java_row *row, enum fm_java_trust trust, bool leads)
{
    if (is_java_source(row)) return true;
    if (row->source_kind == FM_JAVA_SOURCE_FOREIGN) return false;
    if ((is_likely_source(row) && (leads || !is_number(row->source))) ||
        (leads && row->source_kind == FM_JAVA_SOURCE_VAGUE && row->source.size))
        return true;
    return trust == FM_JAVA_IN_STACK && (leads ? !has_column(row->source) : row->source.size == 0);
}

static bool is_word(char c) { return fm_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Returns the start of the name before a parenthesis: after a byte that ends names, or, for "<init>" and its escaped
 * forms, after a blank. */
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

/* Classifies the text before a name: only blanks and a quote; "at" as a word, after any text; or something else. *from:
 * where the frame begins. */
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
    return p - first > 2 && is_word(p[-3]) && !fm_row_gap_escape_before(first, p - 2) ? LEAD_NONE : LEAD_AT;
}

/* The position after a leading "at"; NULL if the line does not begin with it. */
static FM_INLINED const char *behind_at(framemap_str body)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    if (s.end - s.at < 3 || s.at[0] != 'a' || s.at[1] != 't' || !fm_is_blank(s.at[2])) return NULL;
    s.at += 3;
    fm_scan_blanks(&s);
    return s.at;
}

/* Parses "at a.b.c" alone: some printers omit an empty source. */
static bool bare_row(framemap_str rest, struct fm_java_row *row)
{
    struct spelled spelled;
    if (fm_java_name(rest) != rest.size || rest.size == 0) return false;
    spell(rest, &spelled);
    if (!split_name(&spelled, row)) return false;
    row->bare = true;
    row->has_line = false;
    row->line_number = 0;
    row->source = row->line = row->tail = fm_str_from(rest, rest.size);
    row->source_kind = FM_JAVA_SOURCE_VAGUE;
    return true;
}

/* Parses the frame whose parenthesis is at `open`. gap: the end of the separators after the previous frame; body.data
 * if there is none. */
static FM_INLINED bool row_at(framemap_str body, const char *open, const char *gap, enum fm_java_trust trust,
                              struct fm_java_row *out)
{
    const char *start = gap, *end = body.data + body.size;
    if (open == start || fm_is_blank(open[-1]))
        return false; /* true for most frames of other formats; blanks are allowed only after a leading "at" */
    const char *name = name_before(start, open);
    if (name < open && (*name == '"' || *name == '\'')) name++;
    enum lead lead = lead_of(start, name, &out->from);
    if (lead == LEAD_NONE) return false;
    const framemap_str text = fm_str(name, (size_t)(end - name));
    const struct fm_java_run run = fm_java_run_of(text);
    if (!scan_row(text, &run, (size_t)(open - name), out) || !is_plain_tail(out->tail)) return false;
    if (lead == LEAD_AT) return trusted(out, trust, false);
    return is_java_source(out) || (trust == FM_JAVA_IN_STACK && is_likely_source(out));
}

/* Parses "a.b.c (SourceFile:12)" or "a.b.c (SourceFile:12);", all of a line, whose first parenthesis is at `open`. A
 * file without a line is one only within a stack. */
static bool alone_row(framemap_str body, const char *open, enum fm_java_trust trust, struct fm_java_row *out)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    const framemap_str text = fm_scan_rest(&s);
    const struct fm_java_run run = fm_java_run_of(text);
    if (s.at + run.end + 1 != open || text.data[run.end] != ' ') return false;
    if (!scan_row(text, &run, run.end + 1, out) || !is_java_source(out)) return false;
    if (out->source_kind == FM_JAVA_SOURCE_FILE && !out->has_line && trust != FM_JAVA_IN_STACK) return false;
    const framemap_str rest = fm_str_trim(fm_str_from(out->tail, 1));
    out->from = s.at;
    return rest.size == 0 || fm_str_equal(rest, FM_STR(";"));
}

/* Parses "a.b.FooTest.name with blanks(FooTest.kt:12)": names that Kotlin's tests have. */
static bool spaced_row(framemap_str text, struct fm_java_row *row)
{
    const size_t open = fm_str_find_last_byte(text, '(');
    if (open == FM_NOT_FOUND || text.data[text.size - 1] != ')') return false;
    const framemap_str whole = fm_str(text.data, open);
    const size_t dot = fm_str_find_last_byte(whole, '.'), blank = fm_str_find_byte(whole, ' ');
    if (dot == FM_NOT_FOUND || blank == FM_NOT_FOUND || fm_str_find_byte(fm_str(text.data, blank), '.') > dot ||
        fm_is_blank(whole.data[0]) || dot + 1 == open || fm_is_blank(whole.data[dot + 1]))
        return false;
    for (size_t i = 0; i < open; i++)
        if (whole.data[i] != ' ' && fm_java_bytes[(unsigned char)whole.data[i]] > FM_JAVA_DOT) return false;
    if (!scan_source(text.data + open, text.data + text.size, row) || row->source_kind != FM_JAVA_SOURCE_FILE)
        return false;
    set_method(fm_str_from(whole, dot + 1), row);
    row->class_name = fm_str(whole.data, dot);
    row->module = fm_str(NULL, 0);
    return true;
}

/* Parses a frame that begins with "at", as nearly all do. *open: the first parenthesis, or NULL. */
static FM_INLINED bool leading_row(framemap_str text, enum fm_java_trust trust, struct fm_java_row *out,
                                   const char **open)
{
    const struct fm_java_run name = fm_java_run_of(text);
    const framemap_str rest = fm_str_from(text, name.end);
    *open = rest.size && *rest.data == '(' ? rest.data : fm_find(rest.data, rest.size, '(');
    if (*open == NULL) return trust == FM_JAVA_IN_STACK && bare_row(text, out);
    if (scan_row(text, &name, (size_t)(*open - text.data), out)) return trusted(out, trust, true);
    return trust == FM_JAVA_IN_STACK && spaced_row(text, out);
}

/* The position of the "at" before a name, with blanks between. */
static const char *at_before(const char *name)
{
    while (fm_is_blank(name[-1])) name--;
    return name - 2;
}

bool fm_java_row_parse(framemap_str body, enum fm_java_trust trust, struct fm_java_row *out)
{
    const char *end = body.data + body.size, *open, *from = behind_at(body);
    out->bare = false;
    if (from == NULL)
        open = body.size ? fm_find(body.data, body.size, '(') : NULL;
    else if (leading_row(fm_str(from, (size_t)(end - from)), trust, out, &open)) {
        out->from = at_before(from);
        return true;
    }
    if (from == NULL && open && open > body.data && open[-1] == ' ' && alone_row(body, open, trust, out)) return true;
    for (; open; open = fm_find(open + 1, (size_t)(end - open) - 1, '('))
        if (row_at(body, open, body.data, trust, out)) return true;
    return false;
}

/* The place of a frame that prints its file and line as it has them, "(FILE:LINE)". Returns false if it does not. */
static bool known_place(const framemap_frame *frame, const char *open, const char *end, struct fm_java_row *out)
{
    const framemap_str file = frame->file;
    if (frame->line == 0 || file.data != open + 1 || file.size + 2 > (size_t)(end - file.data)) return false;
    const char *const from = file.data + file.size + 1, *at = from;
    while (at < end && fm_is_digit(*at)) at++;
    if (from[-1] != ':' || at == from || at == end || *at != ')') return false;
    out->place_module = fm_str(NULL, 0);
    out->source = file;
    out->line = fm_str(from, (size_t)(at - from));
    out->has_line = true;
    out->line_number = (int32_t)frame->line;
    out->tail = fm_str(at, (size_t)(end - at));
    return true;
}

bool fm_java_row_known(const framemap_frame *frame, struct fm_java_row *out)
{
    const framemap_str raw = frame->raw, class_name = frame->class_name, method = frame->function;
    const char *from = behind_at(raw), *end = raw.data + raw.size;
    if (from == NULL || class_name.data != from || class_name.size == 0 || method.size == 0) return false;
    if (class_name.size >= (size_t)(end - from) || method.data != from + class_name.size + 1) return false;
    if (method.size >= (size_t)(end - method.data) || method.data[method.size] != '(') return false;
    const char *open = method.data + method.size;
    framemap_str inside;
    out->class_name = class_name;
    set_method(method, out);
    out->bare = false;
    if (known_place(frame, open, end, out)) return true;
    if (!find_place(open, end, &inside, &out->tail)) return false;
    split_place(inside, out);
    return true;
}

/* A frame directly after the separators is accepted like the next line of a stack; one after other text, such as a
 * cause, must be a frame by itself. */
bool fm_java_row_next(framemap_str rest, struct fm_java_row *out)
{
    const char *end = rest.data + rest.size, *gap = rest.data + fm_row_gap(rest),
               *open = fm_find(rest.data, rest.size, '(');
    const char *from = gap > rest.data ? behind_at(fm_str(gap, (size_t)(end - gap))) : NULL;
    out->bare = false;
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
    enum { LIMIT = 256 }; /* most bytes of packaging */
    struct fm_scan s = fm_scan_of(row->tail);
    framemap_str inside;
    if (!fm_scan_byte(&s, ')')) return row->tail.data; /* a frame without parentheses */
    const char *end = s.at;
    fm_scan_blanks(&s);
    if (s.end - s.at > LIMIT) s.end = s.at + LIMIT;
    fm_scan_byte(&s, '~');
    return fm_scan_byte(&s, '[') && fm_scan_until(&s, ']', &inside) ? s.at + 1 : end;
}

/* --- whether it looks renamed --- */

static bool is_platform(framemap_str name)
{
    switch (name.data[0]) {
    case 'a': return fm_str_starts(name, FM_STR("android."));
    case 'c': return fm_str_starts(name, FM_STR("com.android.")) || fm_str_starts(name, FM_STR("com.sun."));
    case 'd': return fm_str_starts(name, FM_STR("dalvik."));
    case 'j':
        return fm_str_starts(name, FM_STR("java.")) || fm_str_starts(name, FM_STR("javax.")) ||
               fm_str_starts(name, FM_STR("jdk."));
    case 'l': return fm_str_starts(name, FM_STR("libcore."));
    case 's': return fm_str_starts(name, FM_STR("sun."));
    default: return false;
    }
}

/* Classes generated at run time: "Main$$Lambda$14", "$Proxy7". No mapping has them. */
static bool is_generated(framemap_str name)
{
    static const framemap_str marks[] = {FM_STR_INIT("$$Lambda$"), FM_STR_INIT("$Proxy"),
                                         FM_STR_INIT("GeneratedMethodAccessor"),
                                         FM_STR_INIT("GeneratedConstructorAccessor")};
    if (!fm_is_digit(name.data[name.size - 1])) return false;
    while (name.size && fm_is_digit(name.data[name.size - 1])) name.size--;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fm_str_ends(name, marks[i])) return true;
    return false;
}

enum { FEW_LETTERS = 3 };

/* The name of the outermost class, "b" of "a.b$c", if it has few letters; otherwise the result may be longer than that
 * name. */
static framemap_str short_name(framemap_str class_name)
{
    const size_t dot = fm_str_find_last_byte(class_name, '.');
    framemap_str name = dot == FM_NOT_FOUND ? class_name : fm_str_from(class_name, dot + 1);
    for (size_t i = 1; i <= FEW_LETTERS && i < name.size; i++)
        if (name.data[i] == '$') name.size = i;
    return name;
}

bool fm_java_looks_renamed(const struct fm_java_row *row)
{
    if (row->source_kind == FM_JAVA_SOURCE_MARK || is_platform(row->class_name) || is_generated(row->class_name))
        return false;
    if (row->source_kind == FM_JAVA_SOURCE_NONE || row->source_kind == FM_JAVA_SOURCE_VAGUE) return true;
    framemap_str name = short_name(row->class_name);
    if (name.size > FEW_LETTERS) return false;
    size_t dot = fm_str_find_last_byte(row->source, '.');
    return !fm_str_equal(name, dot == FM_NOT_FOUND ? row->source : fm_str(row->source.data, dot));
}
