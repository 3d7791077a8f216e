/* Compares a second reader of indexes, which was written in Python from the format's document alone, with the oracle
 * of plain arrays. */
#include "tests/testing.h"

#include "tests/index/support/oracle.h"

static const struct oracle_shape shapes[] = {
    {.name = "native",
     .scopes = 3,
     .rows = 300,
     .step = 24,
     .ends = 4,
     .no_node = 5,
     .no_line = 10,
     .other_file = 15,
     .holes = 2,
     .functions = 60,
     .nodes = 200,
     .depth = 9,
     .files = 20,
     .lines = 3000,
     .cols = 90,
     .aliases = 40},
    {.name = "arm",
     .scopes = 1,
     .rows = 300,
     .step = 9,
     .unit = 2,
     .holes = 2,
     .ends = 3,
     .no_line = 5,
     .functions = 60,
     .nodes = 100,
     .depth = 5,
     .files = 9,
     .lines = 500,
     .cols = 40},
    {.name = "java",
     .scopes = 120,
     .rows = 400,
     .step = 30,
     .ends = 2,
     .groups = 15,
     .follows = 60,
     .functions = 90,
     .nodes = 200,
     .depth = 4,
     .lines = 900},
    {.name = "follows-far",
     .scopes = 2,
     .rows = 150,
     .step = 3000,
     .holes = 20,
     .groups = 30,
     .follows = 90,
     .functions = 5,
     .nodes = 8,
     .depth = 3,
     .files = 3,
     .lines = UINT32_MAX},
    {.name = "source-map",
     .numbered = true,
     .scopes = 90,
     .rows = 500,
     .step = 40,
     .names = 40,
     .no_node = 100,
     .other_file = 100,
     .files = 12,
     .lines = 800,
     .cols = 200},
    {.name = "huge",
     .scopes = 3,
     .rows = 200,
     .step = UINT64_C(1) << 55,
     .follows = 20,
     .groups = 5,
     .functions = 40,
     .nodes = 90,
     .depth = 3,
     .files = 3,
     .lines = 50,
     .cols = UINT32_MAX},
    {.name = "wide",
     .scopes = 2,
     .rows = 300,
     .step = 5,
     .other_file = 50,
     .no_line = 30,
     .functions = 100,
     .nodes = 200,
     .depth = 30,
     .files = 90,
     .lines = UINT32_MAX,
     .cols = UINT32_MAX},
    {.name = "clumped",
     .scopes = 1,
     .rows = 900,
     .step = 2,
     .holes = 1,
     .no_node = 20,
     .names = 30,
     .functions = 300,
     .nodes = 500,
     .depth = 3,
     .files = 30,
     .lines = 90,
     .cols = 9},
};

static void print_text(FILE *out, framemap_str text) { fwrite(text.size ? text.data : "", 1, text.size, out); }

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool same_root(const struct fm_node *a, const struct fm_node *b)
{
    return a->parent == FM_NONE && b->parent == FM_NONE && a->function == b->function && a->flags == b->flags &&
           a->start == b->start && a->size == b->size && a->symbol == b->symbol;
}

/* Prints the aliases of a node together with the aliases of all nodes that the builder merges with it because their
 * contents are equal. */
static void print_aliases(FILE *out, const struct oracle *o, uint32_t node)
{
    const char *texts[256];
    size_t count = 0;
    for (size_t i = 0; i < o->alias_count; i++)
        if (same_root(&o->nodes[o->aliases[i].node], &o->nodes[node])) texts[count++] = o->texts[o->aliases[i].text];
    qsort(texts, count, sizeof *texts, compare_texts);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(texts[i], texts[i - 1]) != 0) fprintf(out, "+%s", texts[i]);
}

static void print_frame(FILE *out, const struct oracle *o, uint32_t node)
{
    const struct fm_node *n = &o->nodes[node];
    const struct fm_function none = {FM_NONE, FM_NONE, FM_NONE, 0, 0},
                             *f = n->function == FM_NONE ? &none : &o->functions[n->function];
    char room[64];
    print_text(out, oracle_text(o, f->name));
    fputc('|', out);
    print_text(out, oracle_text(o, f->class_name));
    fputc('|', out);
    print_text(out, oracle_path(f->decl_file, room));
    fprintf(out, "|%u|%u|", f->decl_line1, f->language);
    print_text(out, oracle_path(n->call_file, room));
    fprintf(out, "|%u|%u|%u|%llu|%llu|", n->call_line1, n->call_col1, n->flags, (unsigned long long)n->start,
            (unsigned long long)n->size);
    print_text(out, oracle_text(o, n->symbol));
    if (n->parent == FM_NONE) print_aliases(out, o, node);
}

static void print_answer(FILE *out, const struct oracle *o, const struct oracle_row *row, uint64_t position)
{
    char room[64];
    for (size_t i = 0; row && i < row->place_count; i++) {
        const struct fm_place *place = &row->places[i];
        if (i > 0) fputc(';', out);
        if (place->node == FM_NONE) fputs("none", out);
        for (uint32_t node = place->node; node != FM_NONE; node = o->nodes[node].parent) {
            print_frame(out, o, node);
            if (o->nodes[node].parent != FM_NONE) fputc('<', out);
        }
        fputc('@', out);
        print_text(out, oracle_path(place->file, room));
        fprintf(out, ":%u:%u:", oracle_line(row, place, position), place->col1);
        print_text(out, oracle_text(o, place->name));
        fprintf(out, ":%u", place->flags);
    }
    fputc('\n', out);
}

static void ask(FILE *out, const struct oracle *o, uint32_t scope, uint64_t position)
{
    char room[64];
    fputs("ask ", out);
    if (o->shape->numbered) {
        fprintf(out, "%llu", (unsigned long long)o->scope_numbers[scope]);
    } else {
        const framemap_str key = oracle_scope_key(o, scope, room);
        if (key.size == 0) fputc('-', out);
        for (size_t i = 0; i < key.size; i++) fprintf(out, "%02x", (unsigned char)key.data[i]);
    }
    fprintf(out, " %llu ", (unsigned long long)position);
    print_answer(out, o, oracle_find(o, scope, position), position);
}

static void ask_around(FILE *out, struct oracle *o)
{
    for (size_t i = 0; i < o->sorted_count; i++) {
        const struct oracle_row *row = &o->sorted[i];
        ask(out, o, row->scope, row->position);
        if (row->position > 0) ask(out, o, row->scope, row->position - 1);
        ask(out, o, row->scope, row->position + (oracle_next(&o->random) >> oracle_below(&o->random, 64)));
    }
}

/* The indexes of format version 1; they are verified but not queried. */
static const char *const older[] = {"documented", "native", "java", "source-map"};

static void give_file(FILE *reader, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, FM_SOURCE_DIR "/corpus/index/good-v1-%s.fmx", name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s can't be opened", path);
    fprintf(reader, "index v1-%s ", name);
    for (int byte = fgetc(file); byte != EOF; byte = fgetc(file)) fprintf(reader, "%02x", (unsigned)byte);
    fputc('\n', reader);
    fclose(file);
}

static void reads_what_we_write(void **state)
{
    (void)state;
    if (system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null") != 0) {
        print_message("skipped: no python3 here\n");
        skip();
    }
    FILE *reader = popen("python3 \"" FM_SOURCE_DIR "/tests/index/support/fmx_reader.py\"", "w");
    assert_non_null(reader);
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct oracle *o = oracle_make(&shapes[i], i + 400);
        struct fm_heap heap;
        struct fm_built built;
        fm_heap_init(&heap, NULL, 0);
        assert_int_equal(oracle_build(o, &heap, &built, NULL), FRAMEMAP_OK);
        fprintf(reader, "index %s ", shapes[i].name);
        for (size_t b = 0; b < built.size; b++) fprintf(reader, "%02x", built.data[b]);
        fputc('\n', reader);
        ask_around(reader, o);
        fm_heap_free(&heap, built.data, built.size);
        oracle_free(o);
    }
    for (size_t i = 0; i < COUNT_OF(older); i++) give_file(reader, older[i]);
    assert_int_equal(pclose(reader), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_what_we_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
