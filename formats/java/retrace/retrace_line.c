/* Matches the default regular expression of R8's retrace, without a regular expression engine. SEG is a run of
 * characters that are neither white space nor one of []:;()<>, and that does not begin with a digit. There are two
 * forms:
 *
 *     A:  .*? \b "at" \s+  CLASS "." METHOD \s* "(" REST ")" \p{Z}* ( "~[" .* "]" )?
 *     B:  ( ( CLASS | .* )? [:"] \s+ )?  CLASS  ( (":" | "]") .* )?
 *
 * CLASS is (SEG ".")* SEG, which matches the same texts as SEG; METHOD is SEG, "<init>" or "<clinit>". The "." of a
 * regular expression does not match line separators (U+0085, U+2028, U+2029, called breaks below). The comment on each
 * function states which match backtracking would find first. Every byte is examined a fixed number of times, because
 * the runs that are tried do not overlap. */
#include "formats/java/retrace/retrace_line.h"

#include "formats/java/retrace/unicode_letters.h"

struct sight {
    const char *begin, *end;
    /* the first and the last break (U+0085, U+2028 or U+2029) in the line; NULL: not found */
    const char *first_break, *last_break;
    const char *close, *close_before; /* result of the last call of last_close, and its argument `before` */
};

/* --- classifying the characters of a line --- */

enum { IN_RUN = 1, BEGINS_RUN = 2, SPACE = 4 };
/* clang-format off */
static const unsigned char kinds[256] = { /* kinds of the bytes from NUL on, sixteen per line */
    3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    4, 3, 3, 3, 3, 3, 3, 3, 0, 0, 3, 3, 3, 3, 3, 3,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 3, 0, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 3, 0, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
};
/* clang-format on */

static bool is(const char *at, unsigned kind) { return (kinds[(unsigned char)*at] & kind) != 0; }

static const char *skip(const char *at, const char *end, unsigned kind)
{
    while (at < end && is(at, kind)) at++;
    return at;
}

/* Returns the position of the first byte that is not ASCII, or `end`. */
static const char *skip_ascii(const char *at, const char *end)
{
    uint64_t word;
    for (; (size_t)(end - at) >= sizeof word; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        if (word & 0x8080808080808080u) break;
    }
    while (at < end && (unsigned char)*at < 0x80) at++;
    return at;
}

static const char *find_break(const char *at, const char *end)
{
    size_t size;
    for (at = skip_ascii(at, end); at < end; at = skip_ascii(at + size, end)) {
        uint32_t point = fm_point_wide(at, end, &size);
        if (point == 0x85 || point == 0x2028 || point == 0x2029) return at;
    }
    return NULL;
}

static void find_breaks(struct sight *s)
{
    s->first_break = s->last_break = find_break(s->begin, s->end);
    for (const char *at = s->first_break; at; at = find_break(at + 1, s->end)) s->last_break = at;
}

static bool has_break_from(const struct sight *s, const char *at) { return s->last_break && s->last_break >= at; }

/* --- storing the pieces that are found --- */

void fm_retrace_clear(struct fm_retrace_line *out)
{
    out->count = 0;
    memset(out->last, -1, sizeof out->last);
    out->line_number = -1;
}

void fm_retrace_add(struct fm_retrace_line *out, struct fm_retrace_piece piece)
{
    out->last[piece.part] = (signed char)out->count;
    out->pieces[out->count++] = piece;
}

bool fm_retrace_add_class(struct fm_retrace_line *out, framemap_str line, size_t at, size_t end)
{
    framemap_str text = fm_str_slice(line, at, end);
    if (fm_str_equal(text, FM_STR("Suppressed"))) return false;
    size_t slash = fm_str_find_last_byte(text, '/');
    if (slash != FM_NOT_FOUND) at += slash + 1;
    fm_retrace_add(out, (struct fm_retrace_piece){.part = FM_PART_CLASS, .at = (uint32_t)at, .end = (uint32_t)end});
    return true;
}

int32_t fm_retrace_number(framemap_str digits)
{
    int64_t value = 0;
    size_t size;
    if (digits.size == 0) return -1;
    for (size_t at = 0; at < digits.size; at += size) {
        int digit = fm_digit(fm_point_at(digits.data + at, digits.data + digits.size, &size));
        if (digit < 0) return -1;
        value = value * 10 + digit;
        if (value > INT32_MAX) return -1;
    }
    return (int32_t)value;
}

/* Returns the position at which ":digits" begins at the end of [begin, end); `end` if not found. */
static const char *find_number(const char *begin, const char *end)
{
    size_t size;
    for (const char *at = end; at > begin; at -= size) {
        uint32_t point = fm_point_before(begin, at, &size);
        if (point == ':' && at < end) return at - 1;
        if (fm_digit(point) < 0) break;
    }
    return end;
}

void fm_retrace_add_place(struct fm_retrace_line *out, framemap_str line, size_t at, size_t end)
{
    size_t colon = (size_t)(find_number(line.data + at, line.data + end) - line.data);
    fm_retrace_add(out, (struct fm_retrace_piece){.part = FM_PART_SOURCE, .at = (uint32_t)at, .end = (uint32_t)colon});
    fm_retrace_add(out, (struct fm_retrace_piece){
                            .part = FM_PART_LINE, .at = (uint32_t)colon, .end = (uint32_t)end, .colon = true});
    out->line_number = fm_retrace_number(fm_str_slice(line, colon + 1, end));
}

/* --- matching form A of the expression: frames --- */

/* Whether Java 17's \b matches before a letter at this position. It does not after a letter, digit or '_' of any
 * script, nor after a combining mark on a letter. */
static bool is_boundary(const char *begin, const char *at)
{
    size_t size;
    if (at == begin) return true;
    uint32_t point = fm_point_before(begin, at, &size);
    if (point == '_' || fm_is_letter(point)) return false;
    while (fm_is_mark(point)) {
        at -= size;
        if (at == begin) return true;
        point = fm_point_before(begin, at, &size);
        if (point <= 0xFFFF && fm_is_letter(point)) return false;
    }
    return true;
}

/* Whether a frame such as "at a.b.c(F.java:1)" may end at `at`, the position after its closing parenthesis. */
static bool may_end(const struct sight *s, const char *at)
{
    size_t size = 0;
    while (at < s->end && fm_is_separator(fm_point_at(at, s->end, &size))) at += size;
    if (at == s->end) return true;
    return s->end - at >= 3 && at[0] == '~' && at[1] == '[' && s->end[-1] == ']' && !has_break_from(s, at + 2);
}

/* Returns the last ")" before `before` after which a frame may end, which is where a greedy .* stops; NULL: none. The
 * result is kept for the next call, since callers repeat a call with the same position. */
static const char *last_close(struct sight *s, const char *before)
{
    if (s->close_before == before) return s->close;
    const char *at = before;
    while (at > s->begin && !(at[-1] == ')' && may_end(s, at))) at--;
    s->close_before = before;
    s->close = at > s->begin ? at - 1 : NULL;
    return s->close;
}

/* Returns where the method begins in the run of name bytes [begin, end): after the last dot that can separate it from a
 * class. The run is followed by "(" or "<init>". NULL: there is no such dot. */
static const char *find_method(const char *begin, const char *end)
{
    for (const char *dot = end - 2; dot > begin; dot--)
        if (*dot == '.' && is(dot + 1, BEGINS_RUN)) return dot + 1;
    return NULL;
}

static size_t special_name(const char *at, const char *end)
{
    static const framemap_str names[] = {FM_STR_INIT("<init>"), FM_STR_INIT("<clinit>")};
    for (size_t i = 0; i < 2; i++)
        if (fm_str_starts(fm_str(at, (size_t)(end - at)), names[i])) return names[i].size;
    return 0;
}

static bool frame_from(struct sight *s, const char *class_at, struct fm_retrace_line *out)
{
    if (class_at == s->end || !is(class_at, BEGINS_RUN)) return false;
    const char *run_end = skip(class_at, s->end, IN_RUN), *method, *method_end = run_end;
    if (run_end < s->end && *run_end == '<') {
        method = run_end - class_at >= 2 && run_end[-1] == '.' ? run_end : NULL;
        method_end += special_name(run_end, s->end);
        if (method_end == method) return false;
    } else {
        method = find_method(class_at, run_end);
    }
    if (method == NULL) return false;
    const char *open = skip(method_end, s->end, SPACE);
    if (open == s->end || *open != '(') return false;
    const char *line_break = has_break_from(s, open) ? find_break(open, s->end) : NULL;
    const char *close = last_close(s, line_break ? line_break : s->end);
    if (close == NULL || close < open) return false;

    framemap_str line = fm_str(s->begin, (size_t)(s->end - s->begin));
    if (!fm_retrace_add_class(out, line, (size_t)(class_at - s->begin), (size_t)(method - 1 - s->begin))) return true;
    fm_retrace_add(out, (struct fm_retrace_piece){.part = FM_PART_METHOD,
                                                  .at = (uint32_t)(method - s->begin),
                                                  .end = (uint32_t)(method_end - s->begin)});
    fm_retrace_add_place(out, line, (size_t)(open + 1 - s->begin), (size_t)(close - s->begin));
    return true;
}

/* Finds the first "at" with which a frame, "at a.b.c(F.java:1)", begins: the expression takes the first one, because
 * its first ".*?" is reluctant. */
static bool find_frame(struct sight *s, struct fm_retrace_line *out)
{
    const char *limit = s->first_break ? s->first_break : s->end;
    for (const char *at = s->begin; limit - at >= 3; at++) {
        at = memchr(at, 'a', (size_t)(limit - at) - 2);
        if (at == NULL) return false;
        if (at[1] == 't' && is(at + 2, SPACE) && is_boundary(s->begin, at) &&
            frame_from(s, skip(at + 2, s->end, SPACE), out))
            return true;
    }
    return false;
}

/* --- matching form B of the expression: classes of exceptions, and texts that look like them --- */

/* Returns the end of the class that begins at `at`. The rest of the line must be empty, or begin with ":" or "]";
 * otherwise returns NULL. */
static const char *class_to_end(const struct sight *s, const char *at)
{
    if (at == s->end || !is(at, BEGINS_RUN)) return NULL;
    const char *end = skip(at, s->end, IN_RUN);
    if (end == s->end) return end;
    return (*end == ':' || *end == ']') && !has_break_from(s, end) ? end : NULL;
}

static bool add_class(const struct sight *s, const char *at, const char *end, struct fm_retrace_line *out)
{
    return fm_retrace_add_class(out, fm_str(s->begin, (size_t)(s->end - s->begin)), (size_t)(at - s->begin),
                                (size_t)(end - s->begin));
}

/* Returns the position after the colon or quote at `at` and the white space after that, where a class may begin. NULL
 * if `at` has no colon or quote with white space after it. */
static const char *after_mark(const struct sight *s, const char *at)
{
    if ((*at != ':' && *at != '"') || at + 1 == s->end || !is(at + 1, SPACE)) return NULL;
    return skip(at + 1, s->end, SPACE);
}

/* Tries to read the line as a class, a colon or quote, and a second class: "a.b: c". Only the first class becomes a
 * piece. But if the first class is the word "Suppressed", the second one becomes a piece instead. */
static bool class_in_front(const struct sight *s, struct fm_retrace_line *out)
{
    if (!is(s->begin, BEGINS_RUN)) return false;
    const char *mark = skip(s->begin, s->end, IN_RUN);
    if (mark == s->end) return false;
    if (*mark != ':' && mark - s->begin >= 2)
        mark--; /* The run of name bytes may end with a quote, so the search for a mark begins one byte earlier. */
    const char *at = after_mark(s, mark), *end = at ? class_to_end(s, at) : NULL;
    if (end == NULL) return false;
    if (!add_class(s, s->begin, mark, out)) add_class(s, at, end, out);
    return true;
}

/* Tries to read the line as any text followed by a class, "Caused by: a.b: message". The longest text before a class is
 * tried first. */
static bool class_after_text(const struct sight *s, struct fm_retrace_line *out)
{
    for (const char *mark = s->first_break ? s->first_break : s->end; mark > s->begin; mark--) {
        const char *at = after_mark(s, mark - 1), *end = at ? class_to_end(s, at) : NULL;
        if (end == NULL) continue;
        add_class(s, at, end, out);
        return true;
    }
    return false;
}

static void find_class(const struct sight *s, struct fm_retrace_line *out)
{
    if (class_in_front(s, out) || class_after_text(s, out)) return;
    const char *end = class_to_end(s, s->begin);
    if (end) add_class(s, s->begin, end, out);
}

bool fm_retrace_line_parse(framemap_str line, struct fm_retrace_line *out)
{
    struct sight s = {.begin = line.data, .end = line.data + line.size};
    fm_retrace_clear(out);
    if (line.size == 0 || line.size > UINT32_MAX) return false;
    find_breaks(&s);
    if (!find_frame(&s, out)) find_class(&s, out);
    return out->count != 0;
}
