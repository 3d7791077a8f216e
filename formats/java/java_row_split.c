/* Splits a Java frame, CLASS.METHOD(SOURCE:LINE), into its parts; java_row.h has the forms. Called by java_row.c, which
 * finds frames in lines, and by java_print.c. */
#include "formats/java/java_row_split.h"
#include "core/text/trailing_number.h"

/* Maximum number of bytes between the parentheses of a row. Without this limit, a line that repeats "at a.b(" many
 * times would be searched to its end for each "(". The longest real sources are map ids of 80 bytes. */
#define SOURCE_LIMIT 512

/* Cuts the module off a source: "java.base@17.0.1/" of "java.base@17.0.1/Thread.java". A module has a dot or a
 * version in its name, which folders in sources do not have. */
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

/* Splits "app//java.base@17/a.b/0x0000000800c03000" into the class "a.b" and what surrounds it. */
static void split_prefix(framemap_str text, struct fm_java_row *row)
{
    size_t slash = fm_str_find_last_byte(text, '/');
    if (slash != FM_NOT_FOUND && slash + 1 < text.size && fm_is_digit(text.data[slash + 1])) {
        text.size = slash; /* this cuts off the '/' and the address that follow the name of a hidden class */
        slash = fm_str_find_last_byte(text, '/');
    }
    row->module = fm_str(NULL, 0);
    row->class_name = text;
    if (slash == FM_NOT_FOUND) return;
    if (fm_str_find_byte(text, '.') == FM_NOT_FOUND && fm_str_find_byte(text, '@') == FM_NOT_FOUND &&
        fm_str_find(text, FM_STR("//")) == FM_NOT_FOUND)
        return; /* "java/lang/Object" has no module: the class after a module always has a package */
    row->class_name = fm_str_from(text, slash + 1);
    framemap_str before = fm_str(text.data, slash);
    size_t other = fm_str_find_last_byte(before, '/');
    row->module = other == FM_NOT_FOUND ? before : fm_str_from(before, other + 1);
    if (fm_str_ends(row->module, FM_STR("\\"))) row->module.size--; /* JSON may escape '/' as "\/" */
}

/* A name that ends before the first byte which cannot be part of it. */
struct spelled {
    framemap_str name;
    size_t dot;   /* offset of the last dot that no digit follows; 0: none */
    bool odd;     /* the name contains bytes that may belong to an escape */
    bool slashed; /* the name has a '/' */
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
    /* a dot at the end of the name, as in "a.b.", does not separate a class from a method */
    if (out->dot + 1 == size) out->dot = 0;
    out->name = fm_str(rest.data, size);
}

/* Sets the method and its raw spelling in two separate assignments: compilers translate a = b = c into a load of
 * what was just stored, which is slow on CPUs. */
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

/* Splits a name at its last dot. The name consists of PLAIN and DOT bytes (enum fm_java_byte) and '/'. Returns false if
 * the name has no dot, or if a digit follows the last dot. */
static bool split_plain(framemap_str text, const struct fm_java_run *name, struct fm_java_row *row)
{
    const size_t dot = name->dot;
    if (dot == SIZE_MAX || dot == 0 || dot + 1 == name->end || fm_is_digit(text.data[dot + 1])) return false;
    return split_at(fm_str(text.data, name->end), dot, name->slashed, row);
}

/* Splits "libunity.0x51b50", or up to 2018 "libmono.0002116f": a library and an address that Unity prints in place
 * of a class and method. */
static bool split_native(framemap_str name, struct fm_java_row *row)
{
    enum { NARROW = 8, WIDE = 16 };
    const size_t dot = fm_str_find_last_byte(name, '.');
    if ((row->source_kind != FM_JAVA_SOURCE_MARK && row->source_kind != FM_JAVA_SOURCE_NONE) || row->line.size ||
        dot == FM_NOT_FOUND || dot == 0)
        return false;
    framemap_str digits = fm_str_from(name, dot + 1);
    const bool marked = fm_str_begins(digits, FM_STR("0x"));
    if (marked) digits = fm_str_from(digits, 2);
    if (digits.size == 0 || (!marked && digits.size != NARROW && digits.size != WIDE)) return false;
    return fm_is_all_hex(digits) && split_at(name, dot, false, row);
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

/* Splits "a.b.<init>": the constructor's name contains '<' and '>', which no other name may contain. */
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

/* Parses the name of a constructor in which '<' is escaped for JSON or HTML. The general parser would end the name at
 * the first byte of the escape. */
static bool escaped_method(struct fm_scan *s, framemap_str name, struct fm_java_row *row)
{
    size_t mark = fm_str_find(name, FM_STR(".\\u003"));
    if (mark == FM_NOT_FOUND) mark = fm_str_find(name, FM_STR(".&lt"));
    return mark != FM_NOT_FOUND && special_method(s, fm_str(name.data, mark + 1), row);
}

/* Whether a row is one of Python, which Chaquopy adds to the stack of an error on Android:
 * "<python>.shop.cart.add(cart.py:12)". Its source may be any. */
static bool is_python(framemap_str text) { return fm_str_begins(text, FM_STR("<python>.")); }

/* Splits a name that .NET's compiler generated and .NET's runtime for Android prints in a Java stack:
 * "A.B+<C>d.MoveNext", "A.B+<>c.<C>b__0", or a name of Python, "<python>.a.b.<module>". A dot within angle brackets
 * does not separate class and method. */
static bool split_made(framemap_str name, struct fm_java_row *row)
{
    size_t depth = 0, dot = 0;
    for (size_t i = 0; i < name.size; i++) {
        const char c = name.data[i];
        if (c == '.' && depth == 0) dot = i;
        if (c == '<') depth++;
        if (c == '>' && depth-- == 0) return false;
        if (c != '<' && c != '>' && fm_java_bytes[(unsigned char)c] > FM_JAVA_DOT) return false;
    }
    return depth == 0 && dot > 0 && dot + 1 < name.size && fm_java_row_has_source(row) &&
           split_at(name, dot, false, row);
}

/* Returns the parenthesis that closes the one at `open`. The text between may contain parentheses itself:
 * "(:com.google.android.gms@23.41.16 (190400-0):3)". */
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

/* Finds the parentheses of "(SOURCE:LINE)" or "(SOURCE:LINE(Compiled Code))". *inside: "SOURCE:LINE"; *tail: the
 * text from the closing parenthesis on. */
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

/* Whether a name cannot be that of a Java frame: it has no dot, or bytes other than blanks are between the name and the
 * parenthesis. True for nearly all names in JavaScript stacks. */
static bool is_other_name(framemap_str text, const struct fm_java_run *name, size_t open)
{
    size_t at = name->end;
    if (!fm_java_ends_name(text.data[at]) || text.data[at] == '<') return false;
    while (at < open && fm_is_blank(text.data[at])) at++;
    return at != open || name->dot == SIZE_MAX;
}

bool fm_java_row_split(framemap_str text, const struct fm_java_run *name, size_t open, struct fm_java_row *row)
{
    const char *from = text.data, *end = from + text.size;
    struct fm_scan t = {from, end};
    struct spelled spelled;
    if (open == 0 || fm_is_digit(*from) || *from == '.' || *from == '/' || is_other_name(text, name, open))
        return false;
    if (!scan_source(from + open, end, row)) return false;
    if (*from == '<' && is_python(text)) row->source_kind = FM_JAVA_SOURCE_FILE;
    if (fm_is_blank(from[open - 1]) && !fm_java_row_has_source(row)) return false;
    if (name->end == open && split_plain(text, name, row)) return true;
    spell(text, &spelled);
    t.at += spelled.name.size;
    if (*t.at == '<') {
        if (!special_method(&t, spelled.name, row)) return split_made(fm_str_trim(fm_str(from, open)), row);
    } else if (!(spelled.odd && escaped_method(&t, spelled.name, row)) && !split_name(&spelled, row) &&
               !split_native(spelled.name, row)) {
        return false;
    }
    fm_scan_blanks(&t);
    return t.at == from + open;
}

bool fm_java_row_split_bare(framemap_str rest, struct fm_java_row *row)
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

bool fm_java_row_split_spaced(framemap_str text, struct fm_java_row *row)
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

/* Cuts ":-2" off a source, the line number that ART has for native methods. */
static void cut_native_line(struct fm_java_row *row)
{
    static const framemap_str ends[] = {FM_STR_INIT(":-2"), FM_STR_INIT(":-1")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (row->has_line || !fm_str_ends(row->source, ends[i])) continue;
        row->source.size -= ends[i].size;
        row->line = fm_str(row->source.data + row->source.size + 1, ends[i].size - 1);
        row->source_kind = fm_java_source_kind_of(row->source);
    }
}

/* Returns the offset after a type such as "int[]" or "a.b" at the start of a text, and after the blank that follows it;
 * 0: there is no type. */
static size_t after_type(framemap_str text)
{
    size_t at = fm_java_name(text);
    if (at == 0) return 0;
    while (fm_str_starts(fm_str_from(text, at), FM_STR("[]"))) at += 2;
    return at < text.size && text.data[at] == ' ' ? at + 1 : 0;
}

bool fm_java_row_split_typed(framemap_str text, struct fm_java_row *row)
{
    const size_t from = after_type(text);
    struct spelled spelled;
    if (from == 0 || from == text.size || text.data[from] == '(' || text.data[text.size - 1] != ')') return false;
    const size_t place = fm_str_find_last(text, FM_STR(") ("));
    if (place == FM_NOT_FOUND || place <= from) return false;
    const framemap_str named = fm_str_slice(text, from, place);
    struct fm_scan t = fm_scan_of(named);
    spell(named, &spelled);
    t.at += spelled.name.size;
    if (t.at == t.end) return false;
    if (*t.at == '<' ? !special_method(&t, spelled.name, row) : !split_name(&spelled, row)) return false;
    if (!fm_scan_byte(&t, '(') || fm_str_find_byte(fm_scan_rest(&t), '(') != FM_NOT_FOUND) return false;
    if (!scan_source(text.data + place + 2, text.data + text.size, row)) return false;
    cut_native_line(row);
    row->typed = row->tail.size == 1 && fm_java_row_has_source(row);
    return row->typed;
}

/* --- splitting the rows of frames that were parsed before --- */

/* Splits "(FILE:LINE)" of a row for printing, if the row spells file and line exactly as the frame does. Returns false
 * otherwise. */
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
    const char *from = fm_java_row_after_at(raw), *end = raw.data + raw.size;
    if (from == NULL || class_name.data != from || class_name.size == 0 || method.size == 0) return false;
    if (class_name.size >= (size_t)(end - from)) return false;
    const char *const name = from + class_name.size + 1, *const open = name + method.size;
    if (method.size >= (size_t)(end - name) || *open != '(') return false;
    /* the name of a constructor is not a slice of the row */
    if (method.data != name && memcmp(method.data, name, method.size) != 0) return false;
    framemap_str inside;
    out->class_name = class_name;
    set_method(fm_str(name, method.size), out);
    out->bare = out->typed = false;
    if (known_place(frame, open, end, out)) return true;
    if (!find_place(open, end, &inside, &out->tail)) return false;
    split_place(inside, out);
    return true;
}
