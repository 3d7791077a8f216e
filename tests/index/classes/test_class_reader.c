/* Compares a second reader of the class form, written in Python from the format's document alone, with the models that
 * indexes were built from. */
#include "tests/index/support/class_help.h"

static const struct model_shape shapes[] = {
    {.name = "small",
     .classes = 3,
     .methods = 3,
     .spans = 4,
     .fields = 3,
     .members = 5,
     .lists = 2,
     .sorted = true,
     .parts = 20},
    {.name = "many",
     .classes = 40,
     .methods = 5,
     .spans = 6,
     .fields = 4,
     .members = 90,
     .lists = 9,
     .sorted = true,
     .without = 3,
     .parts = 20},
    {.name = "again",
     .classes = 30,
     .methods = 4,
     .spans = 9,
     .fields = 4,
     .members = 30,
     .lists = 5,
     .lines = 40,
     .parts = 20,
     .again = true},
    {.name = "sorted", .classes = 2, .methods = 2, .spans = 400, .members = 90, .lists = 3, .sorted = true, .parts = 5},
    {.name = "tree",
     .classes = 2,
     .methods = 2,
     .spans = 300,
     .members = 40,
     .lists = 3,
     .lines = 200,
     .without = 10,
     .parts = 30},
    {.name = "any", .classes = 2, .methods = 2, .spans = 150, .members = 9, .lists = 3, .parts = 3},
    {.name = "bare", .classes = 2, .methods = 2, .spans = 150, .members = 90, .lists = 3, .without = 100, .parts = 90},
};

static void print_hex(FILE *out, const char *text)
{
    if (*text == 0) fputc('-', out);
    for (; *text; text++) fprintf(out, "%02x", (unsigned char)*text);
}

static const char *shown(const struct model *m, int text) { return text < 0 ? "~" : m->texts[text]; }

static void print_member(FILE *out, const struct model *m, uint32_t number)
{
    const struct model_member *member = &m->members[number];
    fprintf(out, "%s|%s|%s|%s|%s", m->texts[member->holder], shown(m, m->sources[member->holder]),
            m->texts[member->name], shown(m, member->type), shown(m, member->arguments));
}

static void print_span(FILE *out, const struct model *m, const struct fm_span *span, bool begins_part)
{
    if (begins_part) {
        fputs("part(", out);
        print_member(out, m, span->entry);
        fprintf(out, ",%u)", span->flags >> 4 & 3);
    }
    fputs("span(", out);
    if (span->flags & FM_SPAN_RESIDUAL) fprintf(out, "%d:%d", span->residual_from, span->residual_to);
    fputc('>', out);
    if (span->flags & FM_SPAN_ORIGINAL) fprintf(out, "%d", span->original_from);
    if (span->flags & FM_SPAN_PAIR) fprintf(out, ":%d", span->original_to);
    fputc(',', out);
    print_member(out, m, span->member);
    fputc(',', out);
    for (size_t i = 0; span->notes != FM_NONE && i < m->list_sizes[span->notes]; i++) {
        const struct model_note *note = &m->lists[span->notes][i];
        fprintf(out, "{%u,%s,%d,%d,%lld}", note->kind, shown(m, note->text), note->from, note->to,
                (long long)note->count);
    }
    fputc(')', out);
}

static int compare_methods(const void *a, const void *b)
{
    return strcmp(((const struct model_method *)a)->residual, ((const struct model_method *)b)->residual);
}

/* Compares fields by name. Fields with the same name keep the order of calls; their addresses in the array are in
 * that order. */
static int compare_fields(const void *a, const void *b)
{
    const struct model_field *const *x = a, *const *y = b;
    const int order = strcmp((*x)->residual, (*y)->residual);
    return order ? order : *x < *y ? -1 : *x > *y;
}

static void print_fields(FILE *out, const struct model *m, const struct model_class *class)
{
    const struct model_field *order[64];
    assert_true(class->field_count <= COUNT_OF(order));
    for (size_t i = 0; i < class->field_count; i++) order[i] = &class->fields[i];
    qsort(order, class->field_count, sizeof *order, compare_fields);
    for (size_t i = 0; i < class->field_count; i++) {
        fprintf(out, "field(%s,", order[i]->residual);
        print_member(out, m, order[i]->member);
        fputc(')', out);
    }
}

static void ask_lines(FILE *out, const struct model_class *class, const struct model_method *method, uint64_t *random)
{
    for (unsigned i = 0; i < 12; i++) {
        const struct fm_span *span = &method->spans[model_below(random, method->count)];
        const size_t from = i % 2 ? model_below(random, method->count) : 0,
                     end = from + model_below(random, method->count - from + 1);
        const int32_t line = i % 3 ? span->residual_from : (int32_t)((uint32_t)span->residual_to + 1);
        const bool with_line = i % 4 != 3;
        const size_t place = model_find(method, with_line, line, from, end);
        fputs("line ", out);
        print_hex(out, class->residual);
        fputc(' ', out);
        print_hex(out, method->residual);
        if (with_line)
            fprintf(out, " %d %zu %zu ", line, from, end);
        else
            fprintf(out, " - %zu %zu ", from, end);
        if (place < method->count)
            fprintf(out, "%zu\n", place);
        else
            fputs("-\n", out);
    }
}

static void ask_class(FILE *out, const struct model *m, struct model_class *class, uint64_t *random)
{
    qsort(class->methods, class->method_count, sizeof *class->methods, compare_methods);
    fputs("class ", out);
    print_hex(out, class->residual);
    fprintf(out, " class(%s,%u)", m->texts[class->original], class->flags);
    for (size_t i = 0; i < class->method_count; i++) {
        const struct model_method *method = &class->methods[i];
        fprintf(out, "method(%s)", method->residual);
        for (size_t k = 0; k < method->count; k++)
            print_span(out, m, &method->spans[k], k == 0 || (method->spans[k].flags & FM_SPAN_PART) != 0);
    }
    print_fields(out, m, class);
    fputc('\n', out);
    for (size_t i = 0; i < class->method_count; i++) ask_lines(out, class, &class->methods[i], random);
}

static void ask_all(FILE *out, const struct model *m, uint64_t *random)
{
    for (size_t c = 0; c < m->class_count; c++)
        if (!replaced(m, c)) ask_class(out, m, &m->classes[c], random);
    fputs("none 7a7a\n", out);
    for (int i = 0; i < MODEL_TEXTS; i++) {
        fputs("source ", out);
        print_hex(out, m->texts[i]);
        fprintf(out, " %s\n", shown(m, m->sources[i]));
    }
}

static void reads_what_we_write(void **state)
{
    (void)state;
    if (system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null") != 0) {
        print_message("skipped: no python3 here\n");
        skip();
    }
    FILE *reader = popen("python3 -B \"" FM_SOURCE_DIR "/tests/index/support/fmx_classes.py\"", "w");
    uint64_t random = 3;
    assert_non_null(reader);
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct model *m = model_make(&shapes[i], i + 40);
        struct fm_heap heap;
        struct fm_built built;
        fm_heap_init(&heap, NULL, 0);
        assert_int_equal(model_build(m, &heap, &built, NULL), FRAMEMAP_OK);
        fprintf(reader, "index %s ", shapes[i].name);
        for (size_t b = 0; b < built.size; b++) fprintf(reader, "%02x", built.data[b]);
        fputc('\n', reader);
        ask_all(reader, m, &random);
        fm_heap_free(&heap, built.data, built.size);
        model_free(m);
    }
    assert_int_equal(pclose(reader), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_what_we_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
