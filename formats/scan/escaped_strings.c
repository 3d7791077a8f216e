/* Finds and splits strings with escaped line ends. Called by lines.c. Example:
 *
 *     "stack":"a.b: c\n\tat a.b.d(SourceFile:1)\n…"
 *
 * An escaped line end is a run of backslashes and an 'n'. The run has one backslash in JSON and in the string literals
 * of most languages, two in JSON within a JSON string, and four one level deeper. A quote that belongs to the string's
 * text has more backslashes before it than that run; the quote that ends the string has fewer. The quotes around
 * arguments in a numbered frame of gdb, and in a row of Elixir, do not begin such a string.
 *
 * Node prints a string of several lines as one string per line, with quotes that need no escape: 'Error: x\n' +, and on
 * the next line '    at f (a.js:1:2)\n' +. rsyslog writes control characters in octal: "a.b: c#012#011at
 * a.b.d(SourceFile:1)". */
#include "formats/scan/escaped_strings.h"
#include "core/text/find_any.h"
#include "core/text/scan.h"
#include "core/text/trailing_number.h"
#include "formats/scan/record_line.h"
#include "formats/scan/string_list.h"

/* Returns the number of consecutive backslashes at p. */
static size_t run_of(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && *p == '\\') p++;
    return (size_t)(p - start);
}

/* Returns the position, at or after p, of the first backslash or quote; `end` if there is none. */
static const char *next_mark(const char *p, const char *end, char quote)
{
    return p + fm_str_find_any(fm_str(p, (size_t)(end - p)), 0, (const char[4]){'\\', quote, '\\', quote});
}

static bool is_run(size_t run) { return run == 1 || run == 2 || run == 4; }

/* Whether the text after an escaped line end, "\n", begins like a row of a stack: with an indent or like a numbered
 * frame. Used if no quote shows that the line contains a string. */
static bool indents(const char *p, const char *end, size_t run)
{
    if (p >= end) return false;
    if (fm_is_blank(*p) || *p == '#') return true;
    return run_of(p, end) == run && p + run < end && p[run] == 't';
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_name_byte(char c) { return is_letter(c) || fm_is_digit(c) || (c != '\0' && strchr("._-", c) != NULL); }

/* Whether the two backslashes before an 'n' separate the folders of a path with a drive, as in "C:\\app\\node_modules":
 * a drive with as many backslashes precedes them in the same string, and the name goes on. from: start of the text.
 * slashes: the first backslash. */
static bool is_in_drive_path(const char *from, const char *slashes, const char *end)
{
    enum { PATH_MOST = 260 };
    const char *p = slashes;
    if (end - slashes < 4 || !is_name_byte(slashes[3])) return false;
    for (; p > from && slashes - p < PATH_MOST && p[-1] != '"'; p--) {
        if (p[-1] != ':' || run_of(p, end) != 2) continue;
        const char *const drive = p - 2;
        return drive >= from && is_letter(*drive) && (drive == from || !is_name_byte(drive[-1]));
    }
    return false;
}

/* Whether the line begins like a numbered frame, possibly after a prefix without quotes: "#7  0x… in f (text=0x…
 * "stopped\n") at a.c:3". */
static bool is_numbered(framemap_str line)
{
    const framemap_str head = fm_str_slice(line, 0, fm_str_find_byte(line, '"'));
    const size_t at = fm_str_find_byte(head, '#');
    return at != FM_NOT_FOUND && at + 1 < head.size && fm_is_digit(head.data[at + 1]) &&
           (at == 0 || fm_is_blank(head.data[at - 1]) || head.data[at - 1] == '>' || head.data[at - 1] == '|');
}

/* Returns the quote that a line such as "stack: 'Error: x\n' +" ends its string with, right after an escaped line
 * end; '"' for any other line. */
static char quote_of(framemap_str line)
{
    line = fm_str_trim(line);
    if (fm_str_ends(line, FM_STR("+")) || fm_str_ends(line, FM_STR(",")))
        line = fm_str_trim(fm_str_slice(line, 0, line.size - 1));
    const size_t size = line.size;
    const char quote = size > 4 ? line.data[size - 1] : '"';
    if (quote != '\'' && quote != '`') return '"';
    if (line.data[size - 2] != 'n' || line.data[size - 3] != '\\' || line.data[size - 4] == '\\') return '"';
    return fm_find(line.data, size - 1, quote) ? quote : '"';
}

/* --- recognizing a string with a stack of a single row --- */

/* Returns the text before ":12" at its end; absent if the text does not end in a colon and a number. */
static framemap_str without_number(framemap_str text)
{
    uint64_t number;
    const size_t digits = fm_trailing_number(text, &number), size = text.size - digits;
    if (digits == 0 || size < 2 || text.data[size - 1] != ':') return fm_str(NULL, 0);
    return fm_str_slice(text, 0, size - 1);
}

/* Whether a value is "f@FILE:1:2" or "at f (FILE:1:2)", where FILE contains a directory. */
static bool is_row(framemap_str value)
{
    framemap_str text = fm_str_trim(value);
    const bool is_at = fm_str_starts(text, FM_STR("at "));
    if (is_at && !fm_str_ends(text, FM_STR(")"))) return false;
    text.size -= is_at;
    text = without_number(without_number(text));
    const size_t sign = is_at ? 0 : fm_str_find_byte(text, '@');
    return text.size && sign != FM_NOT_FOUND && fm_str_find_byte(fm_str_from(text, sign), '/') != FM_NOT_FOUND;
}

/* Whether the text ends with the name of a JSON member that may contain a stack, and its quote: stack", stackTrace",
 * or "stringValue" of OpenTelemetry. */
static bool names_stack(framemap_str text)
{
    static const framemap_str names[] = {FM_STR_INIT("stack\""), FM_STR_INIT("trace\""),
                                         FM_STR_INIT("\"stringValue\"")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text.size >= names[i].size && fm_str_equal_nocase(fm_str_from(text, text.size - names[i].size), names[i]))
            return true;
    return false;
}

/* Returns the quoted string at the start of the text after a colon, if it contains no escape except "\/". */
static framemap_str string_after(framemap_str text)
{
    size_t from = 0;
    while (from < text.size && fm_is_blank(text.data[from])) from++;
    if (from++ == text.size || text.data[from - 1] != '"') return fm_str(NULL, 0);
    for (size_t to = from; to < text.size; to++) {
        if (text.data[to] == '"') return fm_str_slice(text, from, to);
        if (text.data[to] == '\\' && (to + 1 == text.size || text.data[to + 1] != '/')) break;
    }
    return fm_str(NULL, 0);
}

/* Returns the value of the first member in a line of JSON that is a stack of a single row; absent if there is no such
 * member. */
static framemap_str single_row(framemap_str line)
{
    const framemap_str mark = FM_STR("\":");
    for (size_t at = 0, found; (found = fm_str_find(fm_str_from(line, at), mark)) != FM_NOT_FOUND;) {
        at += found + mark.size;
        const char last = found ? line.data[at - mark.size - 1] : '\0';
        if ((last != 'k' && last != 'e') || !names_stack(fm_str_slice(line, 0, at - 1))) continue;
        const framemap_str value = string_after(fm_str_from(line, at));
        if (value.size && is_row(value)) return value;
    }
    return fm_str(NULL, 0);
}

/* Whether the line is a row of Elixir with arguments, "lib/cart.ex:12: Cart.load("a\n", 1)". Their quotes do not begin
 * a string with a stack, and neither does an escape in them end a line. */
static bool is_call(framemap_str line)
{
    static const framemap_str ends[] = {FM_STR_INIT(".ex"), FM_STR_INIT(".exs"), FM_STR_INIT(".erl"),
                                        FM_STR_INIT(".eex"), FM_STR_INIT(".heex")};
    const framemap_str head = fm_str_slice(line, 0, fm_str_find_byte(line, '"'));
    const size_t open = fm_str_find_byte(head, '\\') == FM_NOT_FOUND ? fm_str_find_last_byte(head, '(') : FM_NOT_FOUND;
    const size_t colon = open == FM_NOT_FOUND ? open : fm_str_find(head, FM_STR(": "));
    const framemap_str file = colon == FM_NOT_FOUND ? fm_str(NULL, 0) : without_number(fm_str(head.data, colon));
    for (size_t i = 0; file.size && i < sizeof ends / sizeof *ends; i++)
        if (fm_str_ends(file, ends[i])) return open > colon;
    return false;
}

/* --- recognizing a row that is an element of a list --- */

/* Returns the string of a line that has only this string in quotes, blanks and a comma; absent for other lines. */
static framemap_str element_of(framemap_str line)
{
    framemap_str text = fm_str_trim(line);
    if (fm_str_ends(text, FM_STR(","))) text.size--;
    if (text.size < 6 || text.data[0] != '"' || text.data[text.size - 1] != '"') return fm_str(NULL, 0);
    text = fm_str_slice(text, 1, text.size - 1);
    for (size_t at = 0; at < text.size; at++) {
        if (text.data[at] == '"') return fm_str(NULL, 0);
        if (text.data[at] == '\\') at++;
    }
    return text;
}

/* Returns the string of a line that has only this string, if the string is a row of a stack. */
static framemap_str element_row(framemap_str line)
{
    const framemap_str text = element_of(line);
    return fm_string_list_is_row(text) ? text : fm_str(NULL, 0);
}

/* Whether the line consists of one string of a JSON list, and the string begins with a row of Python. */
static bool is_python_element(framemap_str line)
{
    return fm_pieces_may_be_element(line) && fm_string_list_is_python(element_of(line));
}

bool fm_pieces_may_be_element(framemap_str line)
{
    size_t at = 0;
    while (at < line.size && fm_is_blank(line.data[at])) at++;
    return at < line.size && line.data[at] == '"';
}

bool fm_pieces_begin_row(framemap_str line, struct fm_pieces *pieces)
{
    framemap_str row = fm_pieces_may_be_element(line) ? element_row(line) : fm_str(NULL, 0);
    const bool is_element = row.size != 0;
    if (!is_element) row = single_row(line);
    const struct fm_string_list list = row.size ? (struct fm_string_list){NULL, 0} : fm_string_list_find(line);
    const bool is_record = row.size == 0 && list.at == NULL;
    if (is_record) row = fm_record_line(line);
    if (row.size == 0 && list.at == NULL) return false;
    *pieces = (struct fm_pieces){.at = line.data,
                                 .end = line.data + line.size,
                                 .quote = '"',
                                 .row = row,
                                 .is_element = is_element,
                                 .is_record = is_record,
                                 .list = list,
                                 .has_rows = true};
    return true;
}

static bool next_row(struct fm_pieces *pieces, framemap_str *piece, bool *begins)
{
    *piece = pieces->row;
    /* all elements of such a list are lines of one stack, and so are the lines of records, so none of them begins a
     * string of its own */
    *begins = !pieces->is_element && !pieces->is_record;
    pieces->at = piece->data + piece->size;
    pieces->run = 1;
    pieces->eol = pieces->is_element ? FM_STR("\",\n\"") : FM_STR("\\n");
    const framemap_str rest = fm_str(pieces->at, (size_t)(pieces->end - pieces->at));
    pieces->row = pieces->is_record ? fm_str(NULL, 0) : single_row(rest);
    return true;
}

/* --- dividing messages that rsyslog wrote as one line --- */

static const framemap_str octal_line_end = FM_STR_INIT("#012"), octal_tab = FM_STR_INIT("#011");

bool fm_pieces_begin_syslog(framemap_str line, struct fm_pieces *pieces)
{
    const size_t first = fm_str_find(line, octal_line_end);
    if (first == FM_NOT_FOUND) return false;
    const framemap_str rest = fm_str_from(line, first + octal_line_end.size);
    if (fm_str_find(rest, octal_line_end) == FM_NOT_FOUND && !fm_str_starts(rest, octal_tab)) return false;
    *pieces = (struct fm_pieces){.at = line.data, .end = line.data + line.size, .quote = '"', .is_syslog = true};
    return true;
}

static bool next_of_syslog(struct fm_pieces *pieces, framemap_str *piece, bool *begins)
{
    const framemap_str rest = fm_str(pieces->at, (size_t)(pieces->end - pieces->at));
    const size_t end = fm_str_find(rest, octal_line_end);
    if (rest.size == 0) return false;
    *begins = pieces->eol.size == 0;
    *piece = fm_str_slice(rest, 0, end);
    pieces->eol = octal_line_end;
    pieces->at = end == FM_NOT_FOUND ? pieces->end : rest.data + end + octal_line_end.size;
    return true;
}

/* --- dividing strings of several lines --- */

/* Whether all strings of the line are divided at their line ends: the line is JSON or the element of a list, or its
 * string is continued on the next line, "stack: 'Error: x\n' +". first: the first quote of the line. */
static bool is_data(framemap_str line, const char *first, char quote)
{
    const framemap_str text = fm_str_trim(line);
    const char *before = first;
    while (before > line.data && fm_is_blank(before[-1])) before--;
    if (before == line.data || before[-1] == '{' || before[-1] == '[') return true;
    if (!fm_str_ends(text, FM_STR("+")) && !(quote != '"' && fm_str_ends(text, FM_STR(",")))) return false;
    const framemap_str string = fm_str_trim(fm_str_slice(text, 0, text.size - 1));
    return string.size > 3 && string.data[string.size - 1] == quote && string.data[string.size - 2] == 'n';
}

/* Whether a stack may follow an escaped line end with `run` backslashes in its string: the rest of the string has a
 * mark that nearly every row has, "at ", "line ", '@', "#1", "0x1" or ":1". A message such as 'For input string:
 * "12\n"', and source such as print("a\n"), have none. *next: if there is no mark, the closing quote, or `end`. */
static bool holds_row(const char *p, const char *end, char quote, size_t run, const char **next)
{
    static const framemap_str words[] = {FM_STR_INIT("at "), FM_STR_INIT("line "), FM_STR_INIT("0x")};
    for (size_t slashes = 0; p < end && (*p != quote || slashes >= run); p++) {
        const bool number = p + 1 < end && fm_is_digit(p[1]);
        slashes = *p == '\\' ? slashes + 1 : 0;
        if (*p == '@' || ((*p == '#' || *p == ':') && number)) return true;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (*p == *words[i].data && fm_str_starts(fm_str(p, (size_t)(end - p)), words[i])) return true;
    }
    *next = p;
    return false;
}

bool fm_pieces_begin(framemap_str line, struct fm_pieces *pieces)
{
    const char *end = line.data + line.size, *p = fm_find(line.data, line.size, '\\');
    if (p && is_call(line)) p = NULL;
    const char mark = p ? quote_of(line) : '"';
    const char *quote = p && !is_numbered(line) ? fm_find(line.data, line.size, mark) : NULL;
    const bool data = quote && is_data(line, quote, mark);
    for (; p; p = fm_find(p, (size_t)(end - p), '\\')) {
        size_t run = run_of(p, end);
        const char *after = p + run, *next = after;
        const bool ends_line =
            after < end && *after == 'n' && is_run(run) && (run != 2 || !is_in_drive_path(line.data, p, end));
        const bool quoted = ends_line && quote && quote < p;
        if ((quoted && (data || holds_row(after + 1, end, mark, run, &next))) ||
            (ends_line && !quoted && indents(after + 1, end, run))) {
            *pieces = (struct fm_pieces){.at = line.data,
                                         .end = end,
                                         .quote = mark,
                                         .is_element = is_python_element(line),
                                         .list = fm_string_list_find(line)};
            pieces->has_rows = pieces->is_element || pieces->list.at != NULL;
            return true;
        }
        p = next;
    }
    return fm_pieces_begin_row(line, pieces);
}

/* Extends an escaped line end backwards by an escaped "\r" directly before it. */
static const char *with_return(const char *from, const char *at, size_t run)
{
    size_t size = run + 1;
    if ((size_t)(at - from) < size || at[-1] != 'r' || run_of(at - size, at) != run) return at;
    return at - size;
}

static bool finish_piece(struct fm_pieces *pieces, const char *from, const char *to, const char *next,
                         framemap_str *piece)
{
    *piece = fm_str(from, (size_t)(to - from));
    pieces->at = next;
    return true;
}

/* Where the current string may have started: for line ends with 1, 2 and 4 backslashes, the position after the last
 * quote that can open a string with such line ends. */
struct openings {
    const char *one, *two, *four;
    const char *single; /* the next escaped line end with a single backslash, as is_path() found it */
};

static void note_quote(struct openings *openings, size_t run, const char *after)
{
    if (run < 1) openings->one = after;
    if (run < 2) openings->two = after;
    if (run < 4) openings->four = after;
}

static const char *opening_of(const struct openings *openings, size_t run)
{
    return run == 1 ? openings->one : run == 2 ? openings->two : openings->four;
}

/* Returns the first escaped line end with a single backslash before the string's closing quote; in "C:\\ntdll.dll
 * f\n" that is the last escape. NULL if not found. */
static const char *first_single(const char *p, const char *end, char quote)
{
    for (; (p = next_mark(p, end, quote)) < end && *p != quote; p++) {
        const size_t run = run_of(p, end);
        p += run;
        if (p == end || (*p == quote && run % 2 == 0)) return NULL;
        if (*p == 'n' && run == 1) return p;
    }
    return NULL;
}

/* Whether a "\\n" is not a line end but the start of a name in a Windows path, as in "C:\\ntdll.dll". It is the
 * start of a name after a drive, or if three conditions hold: since the quote that opened the string there was no quote
 * with one backslash; the string has line ends with a single backslash; and no stack follows. */
static bool is_path(struct openings *openings, const struct fm_pieces *pieces, const char *after, size_t run)
{
    const char *end = pieces->end;
    if (run == 2 && is_in_drive_path(pieces->at, after - run, end)) return true;
    if (run != 2 || openings->one != openings->two || indents(after + 1, end, run)) return false;
    if (openings->single == NULL || openings->single < after)
        openings->single = first_single(after, end, pieces->quote);
    return openings->single != NULL;
}

static bool ends_line(const struct fm_pieces *pieces, struct openings *openings, const char *after, size_t run)
{
    if (*after != 'n' || !is_run(run)) return false;
    return pieces->run ? run == pieces->run : !is_path(openings, pieces, after, run);
}

/* Whether the string's closing quote is at p. The quote may directly follow a line end: a logger that quotes each line
 * separately writes a line end there. */
static bool closes(const struct fm_pieces *pieces, const char *p, size_t line_end_run)
{
    size_t run = run_of(p, pieces->end);
    return p + run < pieces->end && p[run] == pieces->quote && run < line_end_run;
}

/* Ends a piece (a line within a string) at the closing quote of its string, which is an element of a list of
 * strings. */
static bool next_string(struct fm_pieces *pieces, const char *to, const char *after, framemap_str *piece)
{
    const char *from = pieces->at, *const next = fm_string_list_next(after, pieces->end, pieces->list.slashes);
    if (next) {
        pieces->eol = fm_str(to, (size_t)(next - to));
        return finish_piece(pieces, from, to, next, piece);
    }
    pieces->run = 0;
    pieces->list = fm_string_list_find(fm_str(after, (size_t)(pieces->end - after)));
    return finish_piece(pieces, from, to, after - 1, piece);
}

/* Returns the next line of a list of strings. A line ends at an escaped line end, and at the end of its string. */
static bool next_of_list(struct fm_pieces *pieces, framemap_str *piece, bool *begins)
{
    const char *const end = pieces->end, *after;
    *begins = pieces->at <= pieces->list.at;
    if (*begins) pieces->at = pieces->list.at;
    pieces->run = pieces->list.slashes + 1;
    const char *from = pieces->at;
    for (const char *p = from; (p = next_mark(p, end, '"')) < end; p++) {
        const size_t run = run_of(p, end);
        if (run == pieces->list.slashes && fm_string_list_quote(p, end, pieces->list.slashes, &after))
            return next_string(pieces, p, after, piece);
        p += run;
        if (p == end || *p != 'n' || run != pieces->run) continue;
        const char *const to = with_return(from, p - run, run);
        if (fm_string_list_quote(p + 1, end, pieces->list.slashes, &after))
            return next_string(pieces, to, after, piece);
        pieces->eol = fm_str(to, (size_t)(p + 1 - to));
        return finish_piece(pieces, from, to, p + 1, piece);
    }
    pieces->run = 0;
    pieces->list.at = NULL;
    return finish_piece(pieces, from, end, end, piece);
}

bool fm_pieces_next(struct fm_pieces *pieces, framemap_str *piece, bool *begins)
{
    const char *from = pieces->at, *p = from, *end = pieces->list.at ? pieces->list.at : pieces->end;
    const char quote = pieces->quote;
    struct openings openings = {from, from, from, NULL};
    if (pieces->row.data) return next_row(pieces, piece, begins);
    if (pieces->is_syslog) return next_of_syslog(pieces, piece, begins);
    if (from == pieces->end) return false;
    if (pieces->list.at && from >= pieces->list.at) return next_of_list(pieces, piece, begins);
    *begins = false;
    while ((p = next_mark(p, end, quote)) < end) {
        size_t run = run_of(p, end);
        const char *after = p + run;
        if (after == end) break;
        if (ends_line(pieces, &openings, after, run)) {
            if (pieces->run == 0) {
                from = opening_of(&openings, run);
                *begins = !pieces->is_element && !closes(pieces, after + 1, run);
            }
            const char *to = with_return(from, p, run);
            pieces->run = (unsigned)run;
            pieces->eol = fm_str(to, (size_t)(after + 1 - to));
            return finish_piece(pieces, from, to, after + 1, piece);
        }
        if (*after == quote && pieces->run && run < pieces->run) {
            pieces->run = 0;
            return finish_piece(pieces, from, p, p, piece);
        }
        if (*after == quote) note_quote(&openings, run, after + 1);
        p = after + 1;
    }
    if (pieces->list.at) return next_of_list(pieces, piece, begins);
    pieces->run = 0;
    return finish_piece(pieces, from, end, end, piece);
}

size_t fm_pieces_blanks(framemap_str piece)
{
    size_t at = 0, tabs = 0;
    for (;;) {
        while (at < piece.size && fm_is_blank(piece.data[at])) at++;
        if (fm_str_starts(fm_str_from(piece, at), octal_tab)) {
            tabs = at += octal_tab.size;
            continue;
        }
        size_t run = run_of(piece.data + at, piece.data + piece.size);
        if (!is_run(run) || at + run >= piece.size || piece.data[at + run] != 't') break;
        at += run + 1;
        tabs = at;
    }
    return tabs ? at : 0;
}

/* --- printing of pieces --- */

void fm_pieces_put(struct fm_buf *out, framemap_str text, unsigned run)
{
    if (run == 0) {
        fm_buf_str(out, text);
        return;
    }
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        /* Where an escape begins with `run` backslashes, a quote is escaped with 2 * run - 1 of them: each level of
         * escaping doubles their number and adds one. */
        unsigned slashes = c == '"' || c == '\\' ? 2 * run - 1 : 0;
        while (slashes--) fm_buf_byte(out, '\\');
        fm_buf_byte(out, (unsigned char)c < 0x20 ? ' ' : c);
    }
}

/* --- finding the line that contains a byte --- */

static void plain_extent(struct fm_extents *extents)
{
    framemap_str text = extents->text;
    size_t from = extents->physical_from, to = extents->physical_to;
    struct fm_extent *extent = &extents->extent;
    *extent = (struct fm_extent){.from = extents->base + from,
                                 .to = extents->base + to,
                                 .after = extents->base + (to < text.size ? to + 1 : to),
                                 .eol = FM_STR("\n")};
    if (to < text.size) {
        if (to > from && text.data[to - 1] == '\r') extent->to--;
    } else if (from >= 1) {
        to = from - 1; /* this line has no line end, so it gets the kind of line end that the line before it has */
    } else {
        return;
    }
    if (to && text.data[to - 1] == '\r') extent->eol = FM_STR("\r\n");
}

/* Returns the end of the line that starts at `from`. *plain: the line has no quote, backslash or '#', so it contains
 * no escaped string. */
static size_t line_end(framemap_str text, size_t from, bool *plain)
{
    static const char stops[4] = {'\n', '"', '\\', '#'};
    const size_t stop = fm_str_find_any(text, from, stops);
    *plain = stop == text.size || text.data[stop] == '\n';
    if (*plain) return stop;
    const size_t size = fm_str_find_byte(fm_str_from(text, stop), '\n');
    return size == FM_NOT_FOUND ? text.size : stop + size;
}

static void physical_line(struct fm_extents *extents, size_t offset)
{
    framemap_str text = extents->text;
    size_t from = offset, floor = extents->any ? extents->physical_to : 0;
    bool plain;
    while (from > floor && text.data[from - 1] != '\n') from--;
    const size_t to = line_end(text, from, &plain);
    extents->physical_from = from;
    extents->physical_to = to;
    extents->any = true;
    extents->pieces.at = NULL;
    const framemap_str line = fm_str_slice(text, from, to);
    if (plain || (!fm_pieces_begin_syslog(line, &extents->pieces) && !fm_pieces_begin(line, &extents->pieces))) {
        plain_extent(extents);
        return;
    }
    const uint64_t before = extents->base + from;
    extents->extent = (struct fm_extent){.from = before, .to = before, .after = before};
}

static void next_piece(struct fm_extents *extents)
{
    struct fm_pieces *pieces = &extents->pieces;
    framemap_str piece;
    bool begins;
    unsigned run = pieces->run;
    if (!fm_pieces_next(pieces, &piece, &begins)) return;
    if (pieces->run) run = pieces->run;
    const bool is_piece = run != 0 || pieces->is_syslog;
    const uint64_t from = extents->base + (size_t)(piece.data - extents->text.data);
    extents->extent = (struct fm_extent){.from = from,
                                         .to = from + piece.size,
                                         .after = extents->base + (size_t)(pieces->at - extents->text.data),
                                         .eol = is_piece ? pieces->eol : FM_STR("\n"),
                                         .run = run,
                                         .is_piece = is_piece};
}

const struct fm_extent *fm_extents_at(struct fm_extents *extents, uint64_t offset)
{
    if (extents->any && offset < extents->extent.from)
        *extents = (struct fm_extents){.text = extents->text,
                                       /* the offset is before that of the last call, so the text is walked from its
                                        * start again */
                                       .base = extents->base};
    const size_t at = (size_t)(offset - extents->base);
    if (!extents->any || at > extents->physical_to) physical_line(extents, at);
    while (extents->pieces.at && extents->pieces.at != extents->pieces.end && offset >= extents->extent.after)
        next_piece(extents);
    return &extents->extent;
}
