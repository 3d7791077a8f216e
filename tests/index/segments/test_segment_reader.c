/* Compares a second reader of the segment form, which was written in Python from the format's document alone, with
 * the arrays that indexes were built from. */
#include "tests/index/support/segment_help.h"

static const struct segment_shape shapes[] = {
    {.name = "one", .lines = 1, .each = 1, .sources = 1, .original_lines = 1},
    {.name = "long",
     .lines = 1,
     .each = 900,
     .col_step = 12,
     .gaps = 3,
     .named = 30,
     .sources = 5,
     .names = 90,
     .original_lines = 300},
    {.name = "short",
     .lines = 90,
     .line_step = 2,
     .each = 6,
     .col_step = 9,
     .gaps = 5,
     .named = 40,
     .sources = 3,
     .names = 77,
     .original_lines = 90},
    {.name = "rare",
     .lines = 90,
     .line_step = 50,
     .each = 9,
     .col_step = 9,
     .gaps = 5,
     .named = 40,
     .sources = 3,
     .names = 7,
     .original_lines = 90},
    {.name = "ties",
     .lines = 9,
     .line_step = 3,
     .each = 90,
     .col_step = 1,
     .ties = 90,
     .gaps = 9,
     .named = 50,
     .sources = 9,
     .names = 9,
     .original_lines = 99},
    {.name = "far",
     .lines = 40,
     .line_step = 3,
     .each = 20,
     .col_step = 9,
     .named = 50,
     .sources = 90,
     .names = 900,
     .original_lines = UINT32_MAX,
     .far = 30},
    {.name = "functions",
     .lines = 9,
     .line_step = 2,
     .each = 20,
     .col_step = 9,
     .sources = 4,
     .original_lines = 60,
     .stretches = 90},
};

static void ask_place(FILE *out, const struct segment_model *m, uint32_t line0, uint32_t col0)
{
    const size_t at = model_at(m, line0, col0);
    const struct fm_segment *s = &m->segments[at];
    fprintf(out, "at %lu %lu ", (unsigned long)line0, (unsigned long)col0);
    if (at == m->count) {
        fputs("-\n", out);
        return;
    }
    fprintf(out, "%zu@%lu ", at, (unsigned long)s->col0);
    const unsigned long source = s->source;
    if (s->source == FM_NONE) {
        fputs("nowhere", out);
    } else {
        fprintf(out, source % 2 ? "/src/%lu|../%lu|" : "/src/%lu|/src/%lu|", source, source);
        fprintf(out, source % 3 == 0 ? "text of %lu" : "~", source);
        fprintf(out, "|%lu:%lu:%d", (unsigned long)s->original_line0, (unsigned long)s->original_col0, source % 5 == 0);
    }
    fprintf(out, s->name == FM_NONE ? " ~\n" : " name%lu\n", (unsigned long)s->name / 2);
}

static void put_site(FILE *out, const struct fm_call_site *site)
{
    const unsigned long source = site->source, line = site->line0, col = site->col0;
    fprintf(out, "<%lu:%lu:%lu:", source, line, col);
    if (site->function == FM_NONE)
        fputs("~", out);
    else
        fprintf(out, "f%lu", (unsigned long)site->function);
    if (site->hidden) fputs("!", out);
}

static void ask_stretch(FILE *out, const struct segment_model *m, const struct stretch *stretches, size_t count,
                        const struct stretch *at, bool generated)
{
    const struct stretch *wanted = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct stretch *s = &stretches[i];
        if (s->source == at->source && (s->line0 < at->line0 || (s->line0 == at->line0 && s->col0 <= at->col0)))
            wanted = s;
    }
    if (generated)
        fputs("around", out);
    else
        fprintf(out, "in %lu", (unsigned long)at->source);
    fprintf(out, " %lu %lu ", (unsigned long)at->line0, (unsigned long)at->col0);
    if (wanted && (wanted->function >= 0 || wanted->site != FM_NONE || wanted->hidden)) {
        if (wanted->function >= 0)
            fprintf(out, "f%d", wanted->function);
        else
            fputs("~", out);
        fprintf(out, "/%d%s", wanted->origin, wanted->hidden ? "!" : "");
        for (uint32_t i = wanted->site; i != FM_NONE; i = m->sites[i].caller) put_site(out, &m->sites[i]);
        fputs("\n", out);
    } else {
        fputs("-\n", out);
    }
}

static void ask_range(FILE *out, const struct segment_model *m, uint32_t line0, uint32_t col0)
{
    const size_t at = model_range_at(m, line0, col0);
    fprintf(out, "range %lu %lu ", (unsigned long)line0, (unsigned long)col0);
    if (at == m->count)
        fputs("-\n", out);
    else
        fprintf(out, "%zu\n", at);
}

static void ask_stretches(FILE *out, const struct segment_model *m, uint64_t *state)
{
    for (unsigned i = 0; m->shape->stretches && i < 300; i++) {
        struct stretch at = {random_up_to(state, 5),
                             random_up_to(state, 40),
                             random_up_to(state, 60),
                             0,
                             FM_FUNCTION_MAP,
                             FM_NONE,
                             false};
        ask_stretch(out, m, m->source_stretches, m->source_stretch_count, &at, false);
        at.source = 0;
        ask_stretch(out, m, m->generated_stretches, m->generated_stretch_count, &at, true);
    }
    if (m->shape->stretches)
        fputs("offset 1 1 0 0\noffset 1 1 2 -\noffset 1 1 3 30\noffset 1 0 0 -\noffset 2 3 1 4294967293\noffset 2 3 2 "
              "-\n",
              out);
}

static void ask_all(FILE *out, const struct segment_model *m, uint64_t *state)
{
    for (size_t i = 0; i < m->count; i += 1 + m->count / 60) {
        const struct fm_segment *s = &m->segments[i];
        ask_place(out, m, s->line0, s->col0);
        ask_place(out, m, s->line0, s->col0 + 1 + random_up_to(state, 3));
        ask_place(out, m, s->line0 + 1, s->col0);
        for (uint32_t k = 0; k < 3; k++) ask_range(out, m, s->line0 + k, k == 1 ? 0 : s->col0 + k);
    }
    ask_place(out, m, 0, 0);
    ask_place(out, m, 0, UINT32_MAX);
    ask_place(out, m, UINT32_MAX, 0);
    ask_stretches(out, m, state);
}

static void reads_what_we_write(void **state)
{
    (void)state;
    if (system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 7))' 2>/dev/null") != 0) {
        print_message("skipped: no python3 here\n");
        skip();
    }
    FILE *reader = popen("python3 -B \"" FM_SOURCE_DIR "/tests/index/support/fmx_segments.py\"", "w");
    uint64_t random = 3;
    assert_non_null(reader);
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct segment_model m;
        struct fm_heap heap;
        struct fm_built built;
        model_make(&m, &shapes[i], i + 40);
        fm_heap_init(&heap, NULL, 0);
        assert_int_equal(model_build(&m, &heap, 100, &built), FRAMEMAP_OK);
        fprintf(reader, "index %s ", shapes[i].name);
        for (size_t b = 0; b < built.size; b++) fprintf(reader, "%02x", built.data[b]);
        fputc('\n', reader);
        ask_all(reader, &m, &random);
        fm_heap_free(&heap, built.data, built.size);
        model_free(&m);
    }
    assert_int_equal(pclose(reader), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_what_we_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
