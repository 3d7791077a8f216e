/* Makes stack traces that are large or wrong in one way, and regular expressions that backtrack a lot. */
#include "map_shapes.h"

static void piece(struct grown *text, const char *before, const char *again, size_t times, const char *after)
{
    grown_say(text, "%s", before);
    grown_repeat(text, again, times);
    grown_say(text, "%s", after);
}

static void at_at(struct grown *text, size_t n) { piece(text, "", "at ", n / 3, "\n"); }
static void at_frames(struct grown *text, size_t n) { piece(text, "", "at a.a(", n / 7, "\n"); }
static void at_closed(struct grown *text, size_t n) { piece(text, "at a.a(S:1", ") at a.a(", n / 9, "\n"); }
static void at_tildes(struct grown *text, size_t n) { piece(text, "\tat a.a(S:5) ~[", ") ~[", n / 4, "x\n"); }
static void at_blanks(struct grown *text, size_t n) { piece(text, "\tat", " ", n, "a.a(S:5)\n"); }
static void at_dots(struct grown *text, size_t n) { piece(text, "\tat ", "a.", n / 2, "a(S:5)\n"); }
static void at_digits(struct grown *text, size_t n) { piece(text, "\tat a.a(S:", "9", n, ")\n"); }
static void at_slashes(struct grown *text, size_t n) { piece(text, "\tat ", "a/", n / 2, "a.a(S:5)\n"); }
static void at_ends(struct grown *text, size_t n) { piece(text, "\tat a.a(S:5)", "\xc2\xa0", n / 2, "x\n"); }
static void parentheses(struct grown *text, size_t n) { piece(text, "", "(", n, "\n"); }
static void colons(struct grown *text, size_t n) { piece(text, "", ":", n, "\n"); }
static void colon_blanks(struct grown *text, size_t n) { piece(text, "a", ": a", n / 3, "\n"); }
static void causes(struct grown *text, size_t n) { piece(text, "", "Caused by: ", n / 11, "b: x\n"); }
static void suppressed(struct grown *text, size_t n) { piece(text, "", "Suppressed: ", n / 12, "b: x\n"); }
static void quotes(struct grown *text, size_t n) { piece(text, "", "\" ", n / 2, "b\n"); }
static void dots(struct grown *text, size_t n) { piece(text, "", "a.", n / 2, "\n"); }
static void circles(struct grown *text, size_t n) { piece(text, "", "[CIRCULAR REFERENCE: b", n / 22, "]\n"); }
static void empty_lines(struct grown *text, size_t n) { piece(text, "", "\n", n, ""); }
static void line_returns(struct grown *text, size_t n) { piece(text, "", "\r", n, "\tat a.a(S:5)"); }
static void more_lines(struct grown *text, size_t n) { piece(text, "b: x\n", "\t... 7 more\n", n / 12, ""); }
static void exceptions(struct grown *text, size_t n) { piece(text, "", "b: two words\n", n / 13, "\tat a.a(S:5)\n"); }
static void cause_lines(struct grown *text, size_t n)
{
    piece(text, "", "Caused by: b: two words\n", n / 24, "\tat a.a(S:5)\n");
}
static void frame_lines(struct grown *text, size_t n) { piece(text, "b: x\n", "\tat a.a(SourceFile:5)\n", n / 22, ""); }
static void bare_frames(struct grown *text, size_t n) { piece(text, "b: x\n", "\tat a.b(SourceFile)\n", n / 20, ""); }
static void short_frames(struct grown *text, size_t n) { piece(text, "b: x\n", "a.a(SourceFile:5)\n", n / 18, ""); }
static void unknown_frames(struct grown *text, size_t n)
{
    grown_say(text, "b: x\n");
    for (size_t i = 0; i < n / 24; i++) grown_say(text, "\tat z%zu.a(SourceFile:%zu)\n", i, i);
}
static void changing_stacks(struct grown *text, size_t n)
{
    piece(text, "", "b: two words\n\tat a.a(S:5)\nprose between\nanother: line\n", n / 54, "");
}
static void broken_text(struct grown *text, size_t n)
{
    piece(text, "", "\tat \xff\xed\xa0\x80.\xf0\x9f(\xc3:5)\n", n / 16, "");
}
static void zeros(struct grown *text, size_t n)
{
    for (size_t i = 0; i < n / 16; i++) grown_bytes(text, "\tat \0a.a\0(S:\0)\n", 15);
}
static void json_lines(struct grown *text, size_t n)
{
    piece(text, "{\"stack\":\"b: x", "\\n\\tat a.a(SourceFile:5)", n / 24, "\"}\n");
}
static void json_open(struct grown *text, size_t n)
{
    piece(text, "{\"stack\":\"b: x", "\\\\n\\\\tat a.a(SourceFile:5)", n / 26, "\n");
}
static void json_escapes(struct grown *text, size_t n) { piece(text, "\"", "\\n", n / 2, "\tat a.a(S:5)\"\n"); }
static void backslashes(struct grown *text, size_t n) { piece(text, "\"", "\\", n, "n\tat a.a(S:5)\"\n"); }
static void letters(struct grown *text, size_t n) { piece(text, "", "a", n, "!\n"); }
static void small_letters(struct grown *text, size_t n)
{
    for (size_t i = 0; i < n / 64; i++) piece(text, "", "a", 63, "!\n");
}
static void commas(struct grown *text, size_t n) { piece(text, "a.a(int", ", int", n / 5, ")\n"); }

static const struct shape shapes[] = {
    {"at at at", "each may begin a frame", NULL, at_at, 1 << 19, NULL, false},
    {"frames that do not close", "each may begin a frame", NULL, at_frames, 1 << 19, NULL, false},
    {"frames that close and go on", "each ')' may be the last", NULL, at_closed, 1 << 19, NULL, false},
    {"opened packages", "each ')' may be the one before '~['", NULL, at_tildes, 1 << 19, NULL, false},
    {"blanks in a frame", "each may be the last", NULL, at_blanks, 1 << 19, NULL, false},
    {"dots in a frame", "each may be the last", NULL, at_dots, 1 << 19, NULL, false},
    {"digits of a line", "too many for a number", NULL, at_digits, 1 << 19, NULL, false},
    {"slashes in a class", "the last one counts", NULL, at_slashes, 1 << 19, NULL, false},
    {"separators at the end", "and then a letter", NULL, at_ends, 1 << 19, NULL, false},
    {"parentheses", "nothing of a frame", NULL, parentheses, 1 << 19, NULL, false},
    {"colons", "nothing of an exception", NULL, colons, 1 << 19, NULL, false},
    {"colons and blanks", "each may end a prefix", NULL, colon_blanks, 1 << 19, NULL, false},
    {"causes on one line", "each may be the prefix", NULL, causes, 1 << 19, NULL, false},
    {"suppressed on one line", "a class that is passed over", NULL, suppressed, 1 << 19, NULL, false},
    {"quotes", "each may end a prefix", NULL, quotes, 1 << 19, NULL, false},
    {"dots", "a class of many names", NULL, dots, 1 << 19, NULL, false},
    {"circular references on one line", "each may be the prefix", NULL, circles, 1 << 19, NULL, false},
    {"empty lines", "as many lines as bytes", NULL, empty_lines, 1 << 19, NULL, false},
    {"carriage returns", "as many lines as bytes", NULL, line_returns, 1 << 19, NULL, false},
    {"more lines", "of one stack", NULL, more_lines, 1 << 19, NULL, false},
    {"exceptions", "each a stack of its own", NULL, exceptions, 1 << 19, NULL, false},
    {"causes", "of one stack", NULL, cause_lines, 1 << 19, NULL, false},
    {"frames", "of one stack", NULL, frame_lines, 1 << 19, NULL, false},
    {"frames without lines", "several answers for each", NULL, bare_frames, 1 << 19, NULL, false},
    {"frames of the short form", "without 'at'", NULL, short_frames, 1 << 19, NULL, false},
    {"frames of unknown classes", "each another", NULL, unknown_frames, 1 << 19, NULL, false},
    {"stacks between prose", "many small ones", NULL, changing_stacks, 1 << 19, NULL, false},
    {"broken UTF-8", "passes through", NULL, broken_text, 1 << 19, NULL, false},
    {"NUL bytes", "pass through", NULL, zeros, 1 << 19, NULL, false},
    {"a stack in JSON", "one line of the text, many of the stack", NULL, json_lines, 1 << 19, NULL, false},
    {"a stack in JSON that does not end", "escaped twice", NULL, json_open, 1 << 19, NULL, false},
    {"escaped line ends", "as many lines as pairs of bytes", NULL, json_escapes, 1 << 19, NULL, false},
    {"backslashes", "escaped how often?", NULL, backslashes, 1 << 19, NULL, false},
    {"expression: nested repeats", "ends, and says so", NULL, small_letters, 1 << 10, "((a+)+)+%c", false},
    {"expression: alternatives of one letter", "ends, and says so", NULL, small_letters, 1 << 10, "(?:a|aa|aaa)+%c:%l",
     false},
    {"expression: any text ten times", "ends, and says so", NULL, small_letters, 1 << 10, ".*.*.*.*.*.*.*.*.*.*%c:%l",
     false},
    {"expression: class and type", "a long line", NULL, letters, 1 << 14, "%c%t%c%t%l", false},
    {"expression: arguments", "a long list", NULL, commas, 1 << 18, "%c\\.%m\\(%a\\)", false},
    {"expression: as the default one", "a long line of frames", NULL, at_frames, 1 << 12,
     "(?:.*?\\bat\\s+%c\\.%m\\s*\\(%s(?::%l)?\\)\\s*)|(?:(?:.*?[:\"]\\s+)?%c(?::.*)?)", false},
};

const struct shape *shape_of_traces(size_t *count)
{
    *count = sizeof shapes / sizeof *shapes;
    return shapes;
}
