/* Parses a whole Apple stack or crash report on one line, as chats, tables and log collectors that drop line ends keep
 * it:
 *
 *     Thread 0 Crashed: 0 libsystem_kernel.dylib 0x1b5e2d42c __kill + 8 1 App 0x102bca2a4 0x102bc4000 + 25252 …
 *
 * The line is divided where a row, the title of a section, or an image begins, and each part is parsed as a line. A row
 * ends before the next part, or after its distance, as other text may follow. Rows without a title belong to a thread;
 * from "__exceptionPreprocess" on, they belong to the call stack of an exception. In format_registry.c this format
 * precedes the formats that would parse such a line as one frame. */
#include "formats/native/apple/apple.h"
#include "formats/native/apple/apple_crash_state.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "apple-one-line";
#define ADDRESS_LEAST 6 /* minimum number of digits of an address; a shorter one is a plain number */
#define WORDS 5         /* maximum number of words in the name of an image */
#define NAME_MOST 128   /* maximum number of bytes of the name of an image */

enum part_kind { PART_NONE, PART_ROW, PART_TITLE, PART_IMAGE };

struct part {
    enum part_kind kind;
    size_t start;
    /* for a row: offset of the end of its address; for a title: offset of the end of its first word */
    size_t after;
    int64_t index; /* number of the row, if the part is a row */
};

/* Iterator over the parts of a line. */
struct parts {
    framemap_str text;
    struct part next;
    int64_t index; /* number of the last row that was returned; -1: none */
};

/* --- finding where a part of the line begins --- */

static bool begins_word(framemap_str text, size_t at)
{
    if (at == 0) return true;
    const char before = text.data[at - 1];
    return fm_is_blank(before) || before == '(' || before == '"' || before == '\'' || before == ',' || before == ';' ||
           before == '|' || before == '>';
}

static bool scan_address(struct fm_scan *s)
{
    struct fm_scan ahead = *s;
    uint64_t address;
    if (fm_row_0xhex(&ahead, &address) == FM_DIGITS_NONE || ahead.at - s->at < ADDRESS_LEAST + 2) return false;
    *s = ahead;
    return true;
}

/* Whether a word can be part of an image's name. It cannot if it is the '+' of a distance, the end of a title, or a
 * number. */
static bool is_name_word(framemap_str word, bool first)
{
    static const char others[] = "()[]<>\"=,;";
    bool digits = true;
    for (size_t i = 0; i < word.size; i++) {
        if (memchr(others, word.data[i], sizeof others - 1)) return false;
        digits = digits && fm_is_digit(word.data[i]);
    }
    if (word.data[word.size - 1] == ':' || fm_str_starts(word, FM_STR("0x"))) return false;
    return !digits && (!first || (word.data[0] != '+' && word.data[0] != '-'));
}

/* Parses the start of a row: "2   App   0x102bca2a4". */
static bool is_row(framemap_str text, size_t at, struct part *part)
{
    struct fm_scan s = fm_scan_of(fm_str_slice(text, at, at + NAME_MOST));
    framemap_str word;
    if (!fm_row_index(&s, &part->index) || part->index > 9999 || !fm_scan_blanks1(&s)) return false;
    for (int words = 0; words < WORDS; words++) {
        if (!fm_scan_word(&s, &word) || !is_name_word(word, words == 0) || !fm_scan_blanks1(&s)) return false;
        if (!scan_address(&s)) continue;
        *part = (struct part){PART_ROW, at, (size_t)(s.at - text.data), part->index};
        return fm_scan_done(&s) || !fm_is_hex(*s.at);
    }
    return false;
}

/* Whether an image begins at an offset, with its address range: "0x102bc4000 - 0x102c03fff". */
static bool is_image(framemap_str text, size_t at)
{
    struct fm_scan s = fm_scan_of(fm_str_from(text, at));
    if (!scan_address(&s) || !fm_scan_blanks1(&s) || !fm_scan_byte(&s, '-')) return false;
    fm_scan_blanks(&s);
    return scan_address(&s);
}

/* Returns the size of the first words of a title, such as "Thread 0 Crashed:", at the start of the text; 0: no title
 * begins here. */
static size_t title_size(framemap_str text)
{
    static const framemap_str titles[] = {FM_STR_INIT("Last Exception Backtrace"),
                                          FM_STR_INIT("Application Specific"),
                                          FM_STR_INIT("Binary Images"),
                                          FM_STR_INIT("Incident Identifier:"),
                                          FM_STR_INIT("CrashReporter Key:"),
                                          FM_STR_INIT("Hardware Model:"),
                                          FM_STR_INIT("Process:"),
                                          FM_STR_INIT("Path:"),
                                          FM_STR_INIT("Identifier:"),
                                          FM_STR_INIT("Version:"),
                                          FM_STR_INIT("Code Type:"),
                                          FM_STR_INIT("Role:"),
                                          FM_STR_INIT("Parent Process:"),
                                          FM_STR_INIT("Coalition:"),
                                          FM_STR_INIT("Date/Time:"),
                                          FM_STR_INIT("Launch Time:"),
                                          FM_STR_INIT("OS Version:"),
                                          FM_STR_INIT("Release Type:"),
                                          FM_STR_INIT("Report Version:"),
                                          FM_STR_INIT("Exception Type:"),
                                          FM_STR_INIT("Exception Subtype:"),
                                          FM_STR_INIT("Exception Codes:"),
                                          FM_STR_INIT("Exception Note:"),
                                          FM_STR_INIT("Exception Reason:"),
                                          FM_STR_INIT("Termination Reason:"),
                                          FM_STR_INIT("Terminating Process:"),
                                          FM_STR_INIT("Triggered by Thread:"),
                                          FM_STR_INIT("Crashed Thread:"),
                                          FM_STR_INIT("VM Region"),
                                          FM_STR_INIT("External Mod")};
    static const framemap_str thread = FM_STR_INIT("Thread ");
    if (fm_str_starts(text, thread))
        return text.size > thread.size && fm_is_digit(text.data[thread.size]) ? thread.size : 0;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (fm_str_begins(text, titles[i])) return titles[i].size;
    return 0;
}

/* Returns the next part that begins at or after an offset. last: number of the last row. A row is accepted if its
 * number is last + 1, or equal to `last` (an inlined function), or 0, which begins a stack. */
static struct part find_part(framemap_str text, size_t from, int64_t last)
{
    struct part part;
    for (size_t at = from; at < text.size; at++) {
        const char c = text.data[at];
        const bool digit = fm_is_digit(c);
        if ((!digit && (c < 'A' || c > 'Z')) || !begins_word(text, at)) continue;
        if (digit && is_row(text, at, &part) &&
            (last < 0 || part.index == 0 || part.index == last || part.index == last + 1))
            return part;
        if (c == '0' && is_image(text, at)) return (struct part){PART_IMAGE, at, at + 1, 0};
        const size_t size = digit ? 0 : title_size(fm_str_from(text, at));
        if (size) return (struct part){PART_TITLE, at, at + size, 0};
    }
    return (struct part){PART_NONE, text.size, text.size, 0};
}

/* --- finding where a row ends --- */

/* Returns the offset after "+ 12" or "+ 0x1c"; FM_NOT_FOUND: the text has no distance. */
static size_t distance_end(framemap_str text, size_t from)
{
    for (size_t at = from; at < text.size; at++) {
        const size_t plus = fm_str_find(fm_str_from(text, at), FM_STR(" + "));
        if (plus == FM_NOT_FOUND) break;
        at += plus;
        struct fm_scan s = fm_scan_of(fm_str_from(text, at + 3));
        uint64_t distance;
        if (fm_row_0xhex(&s, &distance) != FM_DIGITS_NONE || fm_scan_dec(&s, &distance, NULL))
            return (size_t)(s.at - text.data);
    }
    return FM_NOT_FOUND;
}

/* Returns the offset after the group " (…)" that begins at an offset; the offset itself if there is no group, or if
 * it is not closed. */
static size_t group_end(framemap_str text, size_t at)
{
    size_t end = at;
    long depth = 0;
    while (end < text.size && fm_is_blank(text.data[end])) end++;
    if (end == at || end == text.size || text.data[end] != '(') return at;
    for (; end < text.size; end++) {
        depth += text.data[end] == '(';
        depth -= text.data[end] == ')';
        if (depth == 0) return end + 1;
    }
    return at;
}

static size_t after_text(framemap_str text, size_t at, framemap_str word)
{
    return fm_str_starts(fm_str_from(text, at), word) ? at + word.size : at;
}

/* Cuts off separators and other text that follow a row. after: offset of the end of the row's address. */
static framemap_str cut_row(framemap_str row, size_t after)
{
    /* a quote shows that the row is in a string which ends at the quote */
    const size_t quote = fm_str_find_byte(row, '"');
    row = fm_str_slice(row, 0, quote);
    size_t end = distance_end(row, after);
    if (end != FM_NOT_FOUND) {
        /* up to two groups may follow: "(in App) (main.m:12)", "(main + 4)" */
        end = group_end(row, group_end(row, end));
        end = after_text(row, end, FM_STR(" [inlined]"));
        const framemap_str rest = fm_str_trim(fm_str_from(row, end));
        const size_t symbol = fm_str_starts(rest, FM_STR("//")) ? distance_end(row, end) : FM_NOT_FOUND;
        row.size = symbol == FM_NOT_FOUND ? end : symbol;
    }
    while (row.size > after && (fm_is_blank(row.data[row.size - 1]) || memchr(",;|\\'", row.data[row.size - 1], 5)))
        row.size--;
    return row;
}

/* --- iterating over the parts of a line --- */

static struct parts parts_of(framemap_str text)
{
    return (struct parts){.text = text, .next = find_part(text, 0, -1), .index = -1};
}

/* Returns the next part of the line; the kind is PART_NONE after the last part. All calls together take time linear in
 * the text. */
static enum part_kind next_part(struct parts *parts, framemap_str *text)
{
    const struct part part = parts->next;
    if (part.kind == PART_NONE) return PART_NONE;
    if (part.kind == PART_ROW) parts->index = part.index;
    parts->next = find_part(parts->text, part.after, parts->index);
    *text = fm_str_slice(parts->text, part.start, parts->next.start);
    *text = part.kind == PART_ROW ? cut_row(*text, part.after - part.start) : fm_str_trim(*text);
    return part.kind;
}

/* Whether a line has a third number, after its first address and the load address that may follow. Most lines do not
 * have one, and so cannot be a stack on one line. */
static bool has_more(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT("0x");
    const size_t first = fm_str_find(text, mark);
    if (first == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, first));
    if (scan_address(&s)) fm_scan_blanks(&s);
    fm_scan_text(&s, mark);
    return fm_str_find(fm_scan_rest(&s), mark) != FM_NOT_FOUND;
}

/* Each stack on one line contains a library of the system. Two rows without such a library are more often ordinary
 * text. */
static const struct fm_needle one_line_needles[] = {
    FM_NEEDLE(".dylib", 0, 15),
    FM_NEEDLE("CoreFoundation", 7, 14),
};

static bool has_needle(framemap_str text)
{
    for (size_t i = 0; i < sizeof one_line_needles / sizeof *one_line_needles; i++)
        if (fm_str_find(text, fm_str(one_line_needles[i].word, one_line_needles[i].size)) != FM_NOT_FOUND) return true;
    return false;
}

/* Whether a line has two rows. */
static bool is_one_line(framemap_str text)
{
    if (!has_more(text) || !has_needle(text)) return false;
    if (fm_str_find(text, FM_STR("\"frames\"")) != FM_NOT_FOUND)
        return false; /* the line is a JSON document with frames as members, and with a message that repeats the rows */
    struct parts parts = parts_of(text);
    framemap_str part;
    int rows = 0;
    for (enum part_kind kind; rows < 2 && (kind = next_part(&parts, &part)) != PART_NONE;) rows += kind == PART_ROW;
    return rows == 2;
}

/* Returns the exception in "… due to uncaught exception 'NAME', reason: 'REASON' *** First throw call stack: (". */
static framemap_str exception_before(framemap_str text)
{
    const framemap_str mark = FM_STR("due to uncaught exception ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return (framemap_str){NULL, 0};
    const framemap_str rest = fm_str_from(text, at + mark.size);
    const framemap_str string = fm_str_slice(rest, 0, fm_str_find_byte(rest, '"'));
    return fm_str_trim(fm_str_slice(string, 0, fm_str_find(string, FM_STR("*** First throw"))));
}

/* Begins a section for rows that have no title. */
static void enter_untitled(struct fm_apple_crash *state, const struct fm_line *line, framemap_str row)
{
    const bool thrown = fm_str_find(row, FM_STR("__exceptionPreprocess")) != FM_NOT_FOUND;
    fm_apple_crash_enter(state, thrown ? FM_APPLE_EXCEPTION : FM_APPLE_THREAD, line->number1);
    state->number = state->thread = (framemap_str){NULL, 0};
    state->crashed = thrown;
}

static void offer_part(struct fm_apple_crash *state, struct fm_document *doc, const struct fm_line *line,
                       enum part_kind kind, framemap_str text)
{
    struct fm_line part = *line;
    part.body = text;
    part.first = text.data[0];
    part.last = text.data[text.size - 1];
    if (kind == PART_ROW && state->section != FM_APPLE_THREAD && state->section != FM_APPLE_EXCEPTION)
        enter_untitled(state, line, text);
    (void)fm_apple_crash_offer(state, doc, &part);
}

/* Reads the title of the stack from the line above. In some texts, only the rows of the stack were joined to one
 * line. */
static void read_title_above(struct fm_apple_crash *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back walk = fm_look_back_from(doc, line, fm_document_last_end(doc), 2);
    struct fm_line *above = fm_look_back_next(&walk);
    if (above && line->number1 - above->number1 <= 2 && fm_line_cut(above) && title_size(fm_str_trim(above->body)) != 0)
        (void)fm_apple_crash_offer(state, doc, above);
}

static enum fm_line_role one_line_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_apple_crash *state = memory;
    if (!is_one_line(line->body)) return FM_ROLE_NONE;
    struct parts parts = parts_of(line->body);
    framemap_str thrown = exception_before(fm_str_slice(line->body, 0, parts.next.start)), part;
    *state = (struct fm_apple_crash){.format = name};
    if (parts.next.kind == PART_ROW) read_title_above(state, doc, line);
    for (enum part_kind kind; (kind = next_part(&parts, &part)) != PART_NONE;) {
        offer_part(state, doc, line, kind, part);
        framemap_trace *trace = thrown.size ? fm_document_open(doc, name) : NULL;
        if (trace == NULL) continue;
        trace->exception = thrown;
        fm_apple_exception(thrown, trace);
        trace->crashed = true;
        thrown.size = 0;
    }
    return FM_ROLE_FRAME;
}

static bool one_line_is_significant(const struct fm_line *line) { return is_one_line(line->body); }

const struct fm_format fm_apple_one_line = {
    .info = {name, "a whole Apple stack or crash report on one line (0 App 0x… f + 12 1 App 0x… g + 3)", true, false},
    .id_form = FM_ID_UUID,
    FM_NEEDLES(one_line_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct fm_apple_crash),
    .offer = one_line_offer,
    .is_significant = one_line_is_significant,
    .print_frame = fm_apple_print_frame};
