/* Makes mappings that are large or wrong in one way. */
#include "map_shapes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 512 };

static void need(struct grown *text, size_t more)
{
    if (text->room - text->size > more) return;
    text->room = 2 * (text->size + more) + 256;
    text->data = realloc(text->data, text->room);
    if (text->data == NULL) abort();
}

void grown_say(struct grown *text, const char *format, ...)
{
    va_list list;
    need(text, LINE_MOST);
    va_start(list, format);
    const int size = vsnprintf(text->data + text->size, text->room - text->size, format, list);
    va_end(list);
    if (size < 0 || size >= LINE_MOST) abort();
    text->size += (size_t)size;
}

void grown_bytes(struct grown *text, const void *bytes, size_t size)
{
    need(text, size);
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
}

void grown_repeat(struct grown *text, const char *piece, size_t times)
{
    const size_t size = strlen(piece);
    for (size_t i = 0; i < times; i++) grown_bytes(text, piece, size);
}

void grown_free(struct grown *text)
{
    free(text->data);
    *text = (struct grown){NULL, 0, 0};
}

static const char newest[] = "# {'id':'com.android.tools.r8.mapping','version':'2.2'}\n";

void shape_small_mapping(struct grown *text, size_t n)
{
    (void)n;
    grown_say(text, "%so.p.Cls -> a:\n# {'id':'sourceFile','fileName':'X.kt'}\n    int field -> a\n", newest);
    grown_say(text, "    4:6:void q.In.inner():20:22 -> a\n    4:6:void outer(int):60 -> a\n    1:9:void f(int):10:18 "
                    "-> b\n    void f() -> b\n");
    grown_say(text, "o.Err -> b:\n");
}

void shape_small_trace(struct grown *text, size_t n)
{
    (void)n;
    grown_say(text, "b: message\n\tat a.a(SourceFile:5)\n\tat a.b(SourceFile:3)\n\tat a.b(SourceFile)\nCaused by: b: "
                    "two words\n\tat "
                    "a.a(S)\n\t... 7 more\n");
}

/* --- writing one long line --- */

static void long_class(struct grown *text, size_t n)
{
    grown_say(text, "o.");
    grown_repeat(text, "x", n);
    grown_say(text, " -> a:\n    void m() -> a\n");
}

static void long_residual(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> ");
    grown_repeat(text, "a.", n / 2);
    grown_say(text, "a:\n    void m() -> a\n");
}

static void long_arguments(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n    1:5:void m(int");
    grown_repeat(text, ",int", n / 4);
    grown_say(text, "):1:5 -> a\n    6:9:void m(long");
    grown_repeat(text, ",int", n / 4);
    grown_say(text, "):1:5 -> a\n");
}

static void long_digits(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n    ");
    grown_repeat(text, "7", n);
    grown_say(text, ":5:void m():1:5 -> a\n");
}

static void long_comment(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n# ");
    grown_repeat(text, "{", n);
    grown_say(text, "\n    void m() -> a\n");
}

static void long_blank(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n");
    grown_repeat(text, " ", n);
    grown_say(text, "void m()");
    grown_repeat(text, "\t", n);
    grown_say(text, "-> a\n");
}

static void long_arrow(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n    int ");
    grown_repeat(text, "->", n / 2);
    grown_say(text, "a\n");
    grown_repeat(text, "a-", n / 2);
    grown_say(text, ">b:\n");
}

static void long_brackets(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n    int");
    grown_repeat(text, "[]", n / 2);
    grown_say(text, " f -> a\n    void m(int");
    grown_repeat(text, "[", n);
    grown_say(text, ") -> a\n");
}

/* --- writing bytes that no text has --- */

static void zero_bytes(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n");
    for (size_t i = 0; i < n / 16; i++) grown_bytes(text, "\0    void \0() -> a\n", 19);
}

static void broken_utf8(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n");
    for (size_t i = 0; i < n / 16; i++) grown_say(text, "    void \xff\xc3%zu\xf0\x9f\xed\xa0\x80() -> \xfe\n", i);
}

static void byte_order_marks(struct grown *text, size_t n)
{
    grown_repeat(text, "\xef\xbb\xbf", n / 3);
    grown_say(text, "o.C -> a:\n    void m() -> a\n");
}

static void returns(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\r\n");
    grown_repeat(text, "\r", n);
    grown_say(text, "\n    void m() -> a\r\n");
}

/* --- writing metadata comments --- */

static void begin_method(struct grown *text) { grown_say(text, "%so.C -> a:\n    1:5:void m():1:5 -> a\n", newest); }

static void nested_json(struct grown *text, size_t n)
{
    begin_method(text);
    grown_say(text, "# {'id':'x','y':");
    grown_repeat(text, "[{'a':", n / 12);
    grown_say(text, "1");
    grown_repeat(text, "}]", n / 12);
    grown_say(text, "}\n# {'id':'x','y':");
    grown_repeat(text, "[", n / 2);
    grown_say(text, "\n");
}

static void repeated_keys(struct grown *text, size_t n)
{
    begin_method(text);
    grown_say(text, "# {'id':'x'");
    for (size_t i = 0; i < n / 12; i++) grown_say(text, ",'id':'y%zu'", i);
    grown_say(text, "}\n");
}

static void escaped_json(struct grown *text, size_t n)
{
    begin_method(text);
    grown_say(text, "# {'id':'sourceFile','fileName':'");
    grown_repeat(text, "\\u0041\\n", n / 8);
    grown_say(text, "'}\n# {'id':/*");
    grown_repeat(text, "/*", n / 4);
    grown_say(text, "*/x,'y':'");
    grown_repeat(text, "\\", n / 4);
    grown_say(text, "\n");
}

static void many_comments(struct grown *text, size_t n)
{
    begin_method(text);
    for (size_t i = 0; i < n / 40; i++) grown_say(text, "      # {'id':'com.android.tools.r8.synthesized'}\n");
}

static void many_sources(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n");
    for (size_t i = 0; i < n / 40; i++) grown_say(text, "# {'id':'sourceFile','fileName':'F%zu.kt'}\n", i);
}

static void many_versions(struct grown *text, size_t n)
{
    for (size_t i = 0; i < n / 60; i++)
        grown_say(text, "# {'id':'com.android.tools.r8.mapping','version':'9.%zu'}\n", i);
    grown_say(text, "o.C -> a:\n    void m() -> a\n");
}

static void many_ids(struct grown *text, size_t n)
{
    for (size_t i = 0; i < n / 40; i++) grown_say(text, "# pg_map_id: %zu\n# compiler_version: 8.%zu\n", i, i);
    grown_say(text, "o.C -> a:\n    void m() -> a\n");
}

static void many_conditions(struct grown *text, size_t n)
{
    begin_method(text);
    grown_say(text, "# {'id':'com.android.tools.r8.rewriteFrame','conditions':['throws(Lb;)'");
    grown_repeat(text, ",'throws(Lb;)'", n / 40);
    grown_say(text, "],'actions':['removeInnerFrames(0)'");
    grown_repeat(text, ",'removeInnerFrames(2147483647)'", n / 40);
    grown_say(text, "]}\n");
}

static void many_positions(struct grown *text, size_t n)
{
    grown_say(text, "%so.O -> o:\n    1:%zu:void out():1:%zu -> a\n# {'id':'com.android.tools.r8.outline'}\n", newest,
              n, n);
    grown_say(text,
              "o.C -> a:\n    1:%zu:void m():1:%zu -> a\n# "
              "{'id':'com.android.tools.r8.outlineCallsite','outline':'Lo;a()V','positions':{'0':1",
              n, n);
    for (size_t i = 1; i < n / 16; i++) grown_say(text, ",'%zu':%zu", i, n - i);
    grown_say(text, "}}\n");
}

/* Writes frames of an outline, each followed by a frame that calls the outline. For each of these pairs, all positions
 * of the outline's call site have to be examined, and there are more positions than pairs. */
static void outline_calls(struct grown *text, size_t n)
{
    for (size_t i = 0; i < 256; i++) grown_say(text, "\tat o.a(S:%zu)\n\tat a.a(S:%zu)\n", i * (n / 8192) + 1, i + 1);
}

static void outline_circle(struct grown *text, size_t n)
{
    const size_t count = n / 200 + 2;
    grown_say(text, "%s", newest);
    for (size_t i = 0; i < count; i++) {
        grown_say(text, "o.C%zu -> c%zu:\n    1:5:void m():1:5 -> a\n# {'id':'com.android.tools.r8.outline'}\n", i, i);
        grown_say(text,
                  "# {'id':'com.android.tools.r8.outlineCallsite','positions':{'1':2,'2':1},'outline':'Lc%zu;a()V'}\n",
                  (i + 1) % count);
    }
}

static void outline_circle_trace(struct grown *text, size_t n)
{
    for (size_t i = 0; i < n / 200 + 2; i++) grown_say(text, "\tat c%zu.a(S:%d)\n\tat c%zu.a(S)\n", i, (int)(i % 7), i);
}

/* --- writing a great number of one element --- */

static void one_class_again(struct grown *text, size_t n)
{
    for (size_t i = 0; i < n / 40; i++) grown_say(text, "o.C%zu -> a:\n    void m%zu() -> a\n", i, i);
}

static void long_prefixes(struct grown *text, size_t n)
{
    for (size_t i = 0; i < n / 2048; i++) {
        for (int side = 0; side < 2; side++) {
            grown_repeat(text, "abcdefg.", 128);
            grown_say(text, "C%zu%s", i, side ? ":\n" : " -> ");
        }
    }
}

static void many_faults(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n    void m() -> a\n");
    grown_repeat(text, "    1:void m( -> a\nx y z\n", n / 25);
}

static void one_field_again(struct grown *text, size_t n)
{
    grown_say(text, "o.C -> a:\n");
    for (size_t i = 0; i < n / 24; i++) grown_say(text, "    o.T%zu f%zu -> a\n", i, i);
}

static void field_questions(struct grown *text, size_t n)
{
    (void)n;
    grown_repeat(text, "a.a\n", 16);
}

static void many_signatures(struct grown *text, size_t n)
{
    begin_method(text);
    for (size_t i = 0; i < n / 120; i++)
        grown_say(text,
                  "    %zu:%zu:void m(int):1:1 -> a\n# "
                  "{'id':'com.android.tools.r8.residualsignature','signature':'(La%zu;)V'}\n",
                  i + 9, i + 9, i);
}

static const struct shape shapes[] = {
    {"long original name", "a name is a slice: it is not copied again and again", long_class, NULL, 1 << 19, NULL,
     false},
    {"long residual name", "dots tempt to look for the last one from each", long_residual, NULL, 1 << 19, NULL, false},
    {"long list of arguments", "two signatures that differ in their first argument only", long_arguments, NULL, 1 << 19,
     NULL, false},
    {"number of many digits", "wraps around, however long", long_digits, NULL, 1 << 19, NULL, false},
    {"comment of opening braces", "not JSON, which one pass must find", long_comment, NULL, 1 << 19, NULL, false},
    {"member between blanks", "blanks are skipped once", long_blank, NULL, 1 << 19, NULL, false},
    {"arrows without end", "an arrow ends a name, and '-' is of a name", long_arrow, NULL, 1 << 19, NULL, false},
    {"brackets without end", "arrays of a million dimensions", long_brackets, NULL, 1 << 19, NULL, false},
    {"NUL bytes", "no text ends at one", zero_bytes, NULL, 1 << 19, NULL, false},
    {"broken UTF-8", "read as U+FFFD, which is of an identifier", broken_utf8, NULL, 1 << 19, NULL, false},
    {"byte order marks", "each is white space", byte_order_marks, NULL, 1 << 19, NULL, false},
    {"carriage returns", "a lone one ends no line", returns, NULL, 1 << 19, NULL, false},
    {"nested JSON", "nothing recurses", nested_json, NULL, 1 << 19, NULL, false},
    {"one key again and again", "the last one counts", repeated_keys, NULL, 1 << 19, NULL, false},
    {"escapes in JSON", "unescaped in one pass; ends within an escape", escaped_json, NULL, 1 << 19, NULL, false},
    {"comments of one member", "each is compared with earlier kinds, not with all comments", many_comments, NULL,
     1 << 19, NULL, false},
    {"source files of one class", "the last one counts", many_sources, NULL, 1 << 19, NULL, false},
    {"unknown versions", "a warning each", many_versions, NULL, 1 << 19, NULL, false},
    {"identities", "the first or the last: not all are kept", many_ids, NULL, 1 << 19, NULL, false},
    {"conditions and actions", "a sum that wraps around", many_conditions, NULL, 1 << 19, NULL, false},
    {"positions of an outline", "a frame looks at each once", many_positions, outline_calls, 1 << 17, NULL, false},
    {"outlines in a circle", "a call site begins the choice anew once", outline_circle, outline_circle_trace, 1 << 19,
     NULL, false},
    {"one class again and again", "the last block counts, and the others leave nothing", one_class_again, NULL, 1 << 19,
     NULL, false},
    {"long names that differ at their ends", "compared as few times as can be", long_prefixes, NULL, 1 << 19, NULL,
     false},
    {"a fault on each line", "warnings are counted, not all reported", many_faults, NULL, 1 << 19, NULL, false},
    {"one field again and again", "all are kept", one_field_again, field_questions, 1 << 19, NULL, false},
    {"residual signatures", "a method registered under each", many_signatures, NULL, 1 << 19, NULL, false},
    {"classes of one hash", "names made to collide", shape_colliding_classes, shape_colliding_trace, 1 << 12, NULL,
     false},
    {"methods of one hash", "names made to collide", shape_colliding_methods, NULL, 1 << 12, NULL, false},
};

const struct shape *shape_of_mappings(size_t *count)
{
    *count = sizeof shapes / sizeof *shapes;
    return shapes;
}
