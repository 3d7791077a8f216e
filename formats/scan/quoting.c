/* Measures quoting (quoting.h). For nearly all lines, the first and the last byte already show that there is no
 * quoting. */
#include "formats/scan/quoting.h"
#include "core/text/scan.h"

/* Whether a byte is NUL or another ASCII control character that some logs contain, except tab, line ends and ESC. */
static bool is_control(char c) { return (unsigned char)c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\033'; }

static bool may_start(char c)
{
    return is_control(c) || c == '\r' || c == '>' || c == '|' || c == '+' || c == '-' || c == '#' || c == '/' ||
           c == '<' || c == '`' || c == '*' || c == '&' || c == '\033' || c == '\\' || c == '^' || c == '\xEF' ||
           c == '\xE2';
}

/* --- colours --- */

/* Returns the size of a terminal's control sequence, such as "ESC [ 31 m" or, for a link or a window title, "ESC ] text
 * BEL"; 0: there is no control sequence. */
static size_t control_sequence(framemap_str text)
{
    if (text.size < 2 || text.data[0] != '\033') return 0;
    size_t at = 2;
    if (text.data[1] == '[') {
        while (at < text.size && (fm_is_digit(text.data[at]) || text.data[at] == ';')) at++;
        return at < text.size ? at + 1 : at;
    }
    if (text.data[1] != ']') return 0;
    const size_t bell = fm_str_find_byte(text, '\a'), end = fm_str_find(text, FM_STR("\033\\"));
    if (end != FM_NOT_FOUND && (bell == FM_NOT_FOUND || end < bell)) return end + 2;
    return bell == FM_NOT_FOUND ? 0 : bell + 1;
}

/* The escape character, and what is written in its place: by JSON, rsyslog, JavaScript and Python, "cat -v". */
static const framemap_str escapes[] = {FM_STR_INIT("\033"), FM_STR_INIT("\\u001b"), FM_STR_INIT("\\u001B"),
                                       FM_STR_INIT("#033"), FM_STR_INIT("\\x1b"),   FM_STR_INIT("\\x1B"),
                                       FM_STR_INIT("^[")};

static bool is_of_colour(char c) { return fm_is_digit(c) || c == ';'; }

/* Returns the size of a colour code whose escape character was replaced, such as "\u001b[31m"; 0: not found. */
static size_t coded_colour(framemap_str text)
{
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        size_t at = escapes[i].size;
        if (!fm_str_starts(text, escapes[i]) || at == text.size || text.data[at] != '[') continue;
        at++;
        while (at < text.size && is_of_colour(text.data[at])) at++;
        return at < text.size && text.data[at] == 'm' ? at + 1 : 0;
    }
    return 0;
}

/* Returns the size of a text without the colour code at its end. A colour code ends in 'm', which is rare at the end
 * of a line, so most lines need no search. */
static size_t without_colour(framemap_str text)
{
    const size_t size = text.size;
    if (size < 3 || text.data[size - 1] != 'm') return size;
    size_t at = size - 1;
    while (at && is_of_colour(text.data[at - 1])) at--;
    if (at < 2 || text.data[at - 1] != '[') return size;
    const framemap_str head = fm_str_slice(text, 0, at - 1);
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (fm_str_ends(head, escapes[i])) return head.size - escapes[i].size;
    return size;
}

/* --- tags --- */

#define TAG_MOST 256 /* maximum number of bytes of a tag with its attributes */
/* maximum number of bytes of a tag of a test report, whose attributes may contain a message */
#define TAG_OF_REPORT_MOST 8192

/* Whether a name is that of an HTML element that pages put around lines of a text: "pre", "li", "br". */
static bool is_element(framemap_str name)
{
    static const framemap_str names[] = {FM_STR_INIT("b"),    FM_STR_INIT("br"),  FM_STR_INIT("p"),  FM_STR_INIT("pre"),
                                         FM_STR_INIT("code"), FM_STR_INIT("div"), FM_STR_INIT("li"), FM_STR_INIT("td"),
                                         FM_STR_INIT("tr"),   FM_STR_INIT("span")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.size == names[i].size && fm_str_equal_nocase(name, names[i])) return true;
    return false;
}

/* Whether a name is that of an XML element whose text can be a stack: in test reports of JUnit, Surefire, NUnit, xUnit
 * and Visual Studio, in logs of Log4j and others, and in the crash reports of Unreal (CrashContext.runtime-xml). */
static bool is_report_element(framemap_str name)
{
    static const framemap_str names[] = {
        FM_STR_INIT("failure"),    FM_STR_INIT("error"),        FM_STR_INIT("flakyFailure"),
        FM_STR_INIT("flakyError"), FM_STR_INIT("rerunFailure"), FM_STR_INIT("rerunError"),
        FM_STR_INIT("system-out"), FM_STR_INIT("system-err"),   FM_STR_INIT("stackTrace"),
        FM_STR_INIT("message"),    FM_STR_INIT("stack-trace"),  FM_STR_INIT("stack"),
        FM_STR_INIT("exception"),  FM_STR_INIT("throwable"),    FM_STR_INIT("output"),
        FM_STR_INIT("StdOut"),     FM_STR_INIT("StdErr"),       FM_STR_INIT("testcase"),
        FM_STR_INIT("CallStack"),  FM_STR_INIT("ErrorMessage")};
    const size_t space = fm_str_find_byte(name, ':');
    if (space != FM_NOT_FOUND) name = fm_str_from(name, space + 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.size == names[i].size && fm_str_equal_nocase(name, names[i])) return true;
    return false;
}

/* Returns the name in "<name attributes>" and "</name>", given what is between the angle brackets. */
static framemap_str tag_name(framemap_str inner)
{
    size_t from = inner.size && inner.data[0] == '/' ? 1 : 0, to = from;
    while (to < inner.size && inner.data[to] != ' ' && inner.data[to] != '/' && inner.data[to] != '>') to++;
    return fm_str_slice(inner, from, to);
}

/* Returns where the tag of a test report ends. Its attributes may contain angle brackets. */
static size_t report_tag_end(framemap_str head)
{
    char quote = '\0';
    for (size_t at = 0; at < head.size; at++) {
        const char c = head.data[at];
        if (quote ? c == quote : c == '"' || c == '\'') quote = quote ? '\0' : c;
        if (c == '>' && quote == '\0') return at;
    }
    return FM_NOT_FOUND;
}

static size_t tag(framemap_str text)
{
    const framemap_str data = FM_STR("<![CDATA[");
    if (text.size == 0 || text.data[0] != '<') return 0;
    if (fm_str_starts(text, data)) return data.size;
    framemap_str head = fm_str_slice(text, 1, TAG_MOST);
    const framemap_str name = tag_name(head);
    const bool is_report = is_report_element(name);
    if (is_report) head = fm_str_slice(text, 1, TAG_OF_REPORT_MOST);
    const size_t end = is_report ? report_tag_end(head) : fm_str_find_byte(head, '>');
    if (end == FM_NOT_FOUND || !(is_report || is_element(name))) return 0;
    return end + 2;
}

static size_t without_tag(framemap_str text)
{
    const size_t size = text.size;
    if (size < 4 || text.data[size - 1] != '>') return size;
    const framemap_str tail = fm_str_slice(text, size > TAG_MOST ? size - TAG_MOST : 0, size - 1);
    const size_t open = fm_str_find_last_byte(tail, '<');
    if (open == FM_NOT_FOUND) return size;
    const framemap_str inner = fm_str_from(tail, open + 1), name = tag_name(inner);
    const bool ends_report = fm_str_starts(inner, FM_STR("/")) && is_report_element(name);
    if (!ends_report && !is_element(name)) return size;
    const framemap_str left = fm_str_slice(text, 0, size - 1 - (tail.size - open));
    return left.size - (ends_report && fm_str_ends(left, FM_STR("]]>")) ? 3 : 0);
}

/* --- quoting and comments --- */

/* Whether a line begins like a frame: "#0", "at ", "12  libfoo". */
static bool begins_frame(framemap_str text)
{
    text = fm_str_trim(text);
    if (fm_str_starts(text, FM_STR("at ")) || fm_str_starts(text, FM_STR("in "))) return true;
    if (text.size < 2) return false;
    return fm_is_digit(text.data[0]) || (text.data[0] == '#' && fm_is_digit(text.data[1]));
}

/* Returns the size of the "-" before a removed line of a diff or an item of a list; 0 for command-line options and
 * dividers, which begin with '-' too. */
static size_t minus(framemap_str text)
{
    const char next = text.size > 1 ? text.data[1] : '\0';
    if (next == ' ') return text.size > 2 && (fm_is_blank(text.data[2]) || begins_frame(fm_str_from(text, 2))) ? 1 : 0;
    if (next == '\t' || next == '#' || fm_is_digit(next)) return 1;
    return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ? 1 : 0;
}

/* Returns the size of a comment mark such as "//"; 0: not found. A '#' is a comment mark only before a frame,
 * since many frames begin with '#' themselves. */
static size_t comment(framemap_str text)
{
    if (text.data[0] == '/')
        return fm_str_starts(text, FM_STR("//")) ? (text.size > 2 && text.data[2] == ' ' ? 3 : 2) : 0;
    const bool blank = text.size > 1 && fm_is_blank(text.data[1]);
    return blank && begins_frame(fm_str_from(text, 1)) ? 2 : 0;
}

/* Whether the text begins bold text of Markdown, such as "**Thread 0 Crashed:**". "*** ***" and "** 12 printk messages
 * …" do not. */
static bool is_bold(framemap_str text)
{
    const framemap_str marks = FM_STR("**");
    text = fm_str_trim(text);
    return text.size > 5 && fm_str_starts(text, marks) && fm_str_ends(text, marks) && text.data[2] != '*' &&
           text.data[text.size - 3] != '*' && !fm_is_blank(text.data[2]) && !fm_is_blank(text.data[text.size - 3]);
}

/* Returns the size of the "**" that begins bold text in Markdown; 0: the text does not begin with one. The "**" that
 * ends the bold text may be on a later line, or may have been removed already. */
static size_t bold(framemap_str text)
{
    const char next = text.size > 2 && fm_str_starts(text, FM_STR("**")) ? text.data[2] : '\0';
    const bool word = fm_is_digit(next) || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    return word || (next == '#' && begins_frame(fm_str_from(text, 2))) ? 2 : 0;
}

/* Whether a text is what follows "```" at the start of a block of code: nothing, or the name of a language. */
static bool is_language(framemap_str text)
{
    text = fm_str_trim(text);
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if (c == ' ' || c == ':' || c == '(' || c == '/') return false;
    }
    return true;
}

/* Whether the text begins like a name that MSVC writes in quotes: "`anonymous namespace'::f". */
static bool begins_name(framemap_str text)
{
    const size_t quote = fm_str_find_byte(text, '\'');
    return quote != FM_NOT_FOUND && fm_str_starts(fm_str_from(text, quote), FM_STR("'::"));
}

/* Returns the size of Markdown's code marks before the text of a line: "```panic: f", or "`panic: f" whose closing mark
 * is at the end of this line or of a later one. 0: there are no such marks. */
static size_t code(framemap_str line)
{
    size_t size = 0;
    while (size < line.size && line.data[size] == '`') size++;
    const framemap_str text = fm_str_from(line, size);
    if (size == 1 && begins_frame(text)) return 1;
    if (size == 2 || is_language(text)) return 0;
    if (size > 2) return size;
    const size_t next = fm_str_find_byte(text, '`');
    return (next == FM_NOT_FOUND || next + 1 == text.size) && !begins_name(text) ? 1 : 0;
}

/* Returns the size of a text without Markdown's code marks at its end. The opening marks are on this line or
 * above it. */
static size_t without_code(framemap_str text)
{
    size_t size = text.size;
    while (size && text.data[size - 1] == '`') size--;
    if (size == 0 || text.size - size == 2) return text.size;
    if (text.size - size > 2) return size;
    const size_t open = fm_str_find_byte(text, '`'), last = fm_str_find_byte(fm_str_from(text, 1), '`') + 1;
    return (open == 0 || open == size) && last == size ? size : text.size;
}

/* Returns the size of a text without the link that Android Studio shows at the end of an error's first line. */
static size_t without_link(framemap_str text)
{
    static const framemap_str links[] = {FM_STR_INIT(" (Ask Gemini)"), FM_STR_INIT(" (Explain with AI)")};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (fm_str_ends(text, links[i])) return text.size - links[i].size;
    return text.size;
}

/* Returns the size of "&gt; ", as pages and chats write the quotation mark ">" of a mail; 0: not found. */
static size_t entity(framemap_str text)
{
    const framemap_str mark = FM_STR("&gt;");
    if (!fm_str_starts(text, mark)) return 0;
    return mark.size + (text.size > mark.size && text.data[mark.size] == ' ' ? 1 : 0);
}

/* Whether a text consists of box-drawing characters only, U+2500 to U+257F. */
static bool is_border(framemap_str text)
{
    for (size_t i = 0; i < text.size; i += 3) {
        const framemap_str sign = fm_str_from(text, i);
        if (!fm_str_starts(sign, FM_STR("\xE2\x94")) && !fm_str_starts(sign, FM_STR("\xE2\x95"))) return false;
    }
    return text.size % 3 == 0;
}

/* Returns the size of the vertical line of a box (U+2502 or U+2503) and a blank after it, or of a whole border line:
 * loggers draw boxes around messages. 0: not found. */
static size_t box(framemap_str text)
{
    if (is_border(text)) return text.size;
    if (!fm_str_starts(text, FM_STR("\xE2\x94\x82")) && !fm_str_starts(text, FM_STR("\xE2\x94\x83"))) return 0;
    return text.size > 3 && text.data[3] == ' ' ? 4 : 3;
}

/* Returns the size of one quoting mark; 0: not found. first: the mark is at the start of the line, where '+', '-' and
 * comment marks are accepted too. */
static size_t mark(framemap_str text, bool first)
{
    switch (text.data[0]) {
    case '>':
    case '|': return text.size > 1 && text.data[1] == ' ' ? 2 : 1;
    case '&': return entity(text);
    case '\033': return control_sequence(text);
    case '\xE2': return box(text);
    case '<': return tag(text);
    case '+': return first ? 1 : 0;
    case '-': return first ? minus(text) : 0;
    case '\\':
    case '^': return coded_colour(text);
    case '#':
        if (fm_quoting_is_octal_escape(text)) return coded_colour(text);
        return first ? comment(text) : 0;
    case '/': return first ? comment(text) : 0;
    case '`': return first ? code(text) : 0;
    case '*': return first ? bold(text) : 0;
    case '\r': return 1; /* serial consoles end lines with "\n\r", so that a '\r' begins the next line */
    default: return is_control(text.data[0]) ? 1 : 0;
    }
}

static bool ends_blank(framemap_str line)
{
    const char c = line.data[line.size - 1];
    return fm_is_blank(c) || c == '\r' || is_control(c);
}

size_t fm_quoting_start(framemap_str line)
{
    size_t at = 0, size;
    if (line.size == 0 || !may_start(line.data[0])) return 0;
    if (fm_str_starts(line, FM_STR("\xEF\xBB\xBF"))) at = 3;
    const size_t first = at;
    while (at < line.size && (size = mark(fm_str_from(line, at), at == first)) > 0) at += size;
    return at;
}

size_t fm_quoting_end(framemap_str line)
{
    const bool table = line.size && line.data[0] == '|', strong = line.size > 5 && line.data[0] == '*' && is_bold(line);
    if (strong) line.size = fm_str_trim(line).size - 2;
    for (;;) {
        while (line.size && ends_blank(line)) line.size--;
        if (line.size == 0) return 0;
        const size_t size = line.size;
        switch (line.data[size - 1]) {
        case 'm': line.size = without_colour(line); break;
        case '>': line.size = without_tag(line); break;
        case '|': line.size -= table && size > 1 ? 1 : 0; break;
        case '`': line.size = without_code(line); break;
        case ')': line.size = without_link(line); break;
        default: break;
        }
        if (line.size == size) return size;
    }
}

size_t fm_quoting_column_end(framemap_str line)
{
    size_t at = 0;
    for (size_t found; (found = fm_str_find_byte(fm_str_from(line, at), '"')) != FM_NOT_FOUND;) {
        const size_t from = at + found;
        for (at = from; at < line.size && line.data[at] == '"';) at++;
        if ((at - from) % 2 == 0) continue;
        size_t size = at - 1;
        if (size == 0 || line.data[size - 1] == '\\' || (at < line.size && line.data[at] != ',')) return line.size;
        while (size && fm_is_blank(line.data[size - 1])) size--;
        return size ? size : line.size;
    }
    return line.size;
}
