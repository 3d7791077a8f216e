/* Makes mappings with one class that has a method with many ranges, and frames that query them. */
#include "map_shapes.h"

static void begin(struct grown *text) { grown_say(text, "o.C -> a:\n"); }

static void sorted(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++)
        grown_say(text, "    %zu:%zu:void m():%zu:%zu -> a\n", 2 * i + 1, 2 * i + 2, i + 9, i + 10);
}

static void reversed(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = n; i-- > 0;)
        grown_say(text, "    %zu:%zu:void m():%zu:%zu -> a\n", 2 * i + 1, 2 * i + 2, i + 9, i + 10);
}

static void shuffled(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++) {
        const size_t at = (i * 7919) % n;
        grown_say(text, "    %zu:%zu:void m():%zu:%zu -> a\n", 2 * at + 1, 2 * at + 2, at + 9, at + 10);
    }
}

static void nested(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = n; i-- > 0;) grown_say(text, "    %zu:%zu:void m():%zu:%zu -> a\n", n - i, n + i, n - i, n + i);
}

/* Writes ranges for a few line numbers at both ends of a large interval. Any run of adjacent ranges spans the whole
 * interval, but no range contains a line in the middle. */
static void hollow(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++) {
        const size_t at = i % 2 ? 1000000 + i : i + 1;
        grown_say(text, "    %zu:%zu:void m():%zu:%zu -> a\n", at, at, at, at);
    }
}

static void hollow_trace(struct grown *text, size_t n)
{
    for (size_t i = 0; i < n; i++) grown_say(text, "\tat a.a(S:%zu)\n", 500000 + i);
}

/* Writes one frame for each range. */
static void each_line(struct grown *text, size_t n)
{
    for (size_t i = 0; i < n; i++) grown_say(text, "\tat a.a(S:%zu)\n", 2 * ((i * 31) % n) + 1);
}

static void parts(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++)
        grown_say(text, "    %zu:%zu:void m%zu():%zu:%zu -> a\n", 2 * i + 1, 2 * i + 2, i, i + 9, i + 10);
}

/* Writes parts of a method that all contain line 1, so that a frame has one answer from each part. */
static void overlapping_parts(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++)
        grown_say(text, "    1:9:void m%zu():%zu:%zu -> a\n    10:10:void x():1:1 -> a\n", i, i + 9, i + 17);
}

static void bare_parts(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++) grown_say(text, "    void m%zu(int) -> a\n", i);
}

static void same_names(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++) grown_say(text, "    void m(o.T%zu) -> a\n", i);
}

static void few_frames(struct grown *text, size_t n)
{
    (void)n;
    grown_repeat(text, "\tat a.a(S:1)\n\tat a.a(S)\n\tat a.a(S:0)\n", 2);
}

static void deep_inlines(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++) grown_say(text, "    1:5:void o.I%zu.m%zu():%zu:%zu -> a\n", i, i, i + 1, i + 5);
}

/* Writes one mapping line of 50 bytes that covers 65,535 lines. */
static void fan(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++) grown_say(text, "    1:%zu:void m%zu():1:65535 -> a\n", i + 1, i);
}

static void deep_fan(struct grown *text, size_t n)
{
    begin(text);
    grown_say(text, "    1:1:void f():1:1000 -> a\n");
    for (size_t i = 0; i < n; i++) grown_say(text, "    1:1:void g%zu():%zu -> a\n", i, i + 1);
}

/* Writes one mapping line that covers all lines that a 32-bit number can count. */
static void widest_fan(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++)
        grown_say(text, "    1:1:void m%zu():1:2147483647 -> a\n    3:3:void x():3:3 -> a\n", i);
}

static void bare_fan(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++) grown_say(text, "    void m%zu():1:4 -> a\n", i);
}

static void one_frame(struct grown *text, size_t n)
{
    (void)n;
    grown_say(text, "\tat a.a(S:1)\n");
}

static void huge_numbers(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++)
        grown_say(text,
                  "    %zu9999999999999999999999999999999999999999:2147483648:void m():4294967295:2147483647 -> a\n",
                  i);
}

static void spread_numbers(struct grown *text, size_t n)
{
    begin(text);
    for (size_t i = 0; i < n; i++) grown_say(text, "    %zu:2147483647:void m():0:%zu -> a\n", i + 1, 2147483646 - i);
}

static const struct shape shapes[] = {
    {"ranges in order", "the easy case", sorted, each_line, 2000, NULL, false},
    {"ranges in reverse order", "order is not taken for granted", reversed, each_line, 2000, NULL, false},
    {"ranges in no order", "order is not taken for granted", shuffled, each_line, 2000, NULL, false},
    {"ranges in each other", "the first one in the file counts, not the narrowest; ProGuard prints them all", nested,
     each_line, 250, NULL, false},
    {"ranges around a hollow", "a line that seems to be in every run of ranges but is in no range", hollow,
     hollow_trace, 2000, NULL, false},
    {"a part for each range", "the part of a range is found without counting", parts, each_line, 2000, NULL, false},
    {"overlapping parts", "an answer of each part: as many as the output has", overlapping_parts, few_frames, 500, NULL,
     false},
    {"parts without lines", "an answer of each part", bare_parts, few_frames, 2000, NULL, false},
    {"methods of one name", "answers that are equal when printed", same_names, few_frames, 2000, NULL, false},
    {"a long chain of inlined calls", "a chain is as long as the mapping says", deep_inlines, few_frames, 2000, NULL,
     false},
    {"a line that means 65,535", "as much as the output has, up to the limit", fan, one_frame, 2, NULL, true},
    {"a long chain, a thousand times", "as much as the limit allows", deep_fan, one_frame, 50, NULL, true},
    {"a line that means all", "cut at the limit", widest_fan, one_frame, 2, NULL, true},
    {"lines of methods without ranges", "as many answers as the limit allows", bare_fan, one_frame, 2000, NULL, false},
    {"numbers of forty digits", "wrap around", huge_numbers, few_frames, 2000, NULL, false},
    {"numbers far from each other", "rows of all widths; ProGuard prints them all", spread_numbers, each_line, 250,
     NULL, false},
};

const struct shape *shape_of_ranges(size_t *count)
{
    *count = sizeof shapes / sizeof *shapes;
    return shapes;
}
