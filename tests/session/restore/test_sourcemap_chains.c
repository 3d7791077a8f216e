/* Tests that inlined functions are found by the scopes of a source map. The test writes scopes, and compares the frames
 * at positions in them. */
#include "tests/session/restore/sourcemap_help.h"

/* --- writing the member `scopes` of a map --- */

struct scopes_text {
    char text[1 << 15];
    size_t size;
    bool in_item;
    /* the positions that were written last; the next positions are written relative to these */
    uint32_t line, col, range_line, range_col;
    int64_t name, definition;
};

static void put_digits(struct scopes_text *t, uint64_t bits)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    do {
        assert_true(t->size < sizeof t->text - 1);
        t->text[t->size++] = digits[(bits & 31) | (bits >> 5 ? 32 : 0)];
        bits >>= 5;
    } while (bits > 0);
}
static void put_signed(struct scopes_text *t, int64_t number)
{
    put_digits(t, number < 0 ? (uint64_t)-number << 1 | 1 : (uint64_t)number << 1);
}
static void put_tag(struct scopes_text *t, char tag)
{
    if (t->size > 0) t->text[t->size++] = ',';
    t->text[t->size++] = tag;
}
static void put_place(struct scopes_text *t, uint32_t *line, uint32_t *col, uint32_t new_line, uint32_t new_col,
                      bool with_line)
{
    if (with_line) put_digits(t, new_line - *line);
    put_digits(t, new_line == *line ? new_col - *col : new_col);
    *line = new_line;
    *col = new_col;
}

/* Writes the start of a scope; name: number of its name, -1 if the scope has no name. */
static void scope_begin(struct scopes_text *t, uint32_t line, uint32_t col, int name, bool is_frame)
{
    put_tag(t, 'B');
    put_digits(t, (name >= 0 ? 1u : 0u) | (is_frame ? 4u : 0u));
    put_place(t, &t->line, &t->col, line, col, true);
    if (name >= 0) put_signed(t, name - t->name), t->name = name;
}
static void scope_end(struct scopes_text *t, uint32_t line, uint32_t col)
{
    put_tag(t, 'C');
    put_place(t, &t->line, &t->col, line, col, true);
}

enum { FUNCTION = 4, HIDDEN = 12 };

/* Writes the start of a range of generated text; definition: number of its scope, -1 if the range has no scope. */
static void range_begin(struct scopes_text *t, uint32_t line, uint32_t col, int definition, unsigned flags)
{
    const bool moves = line != t->range_line;
    put_tag(t, 'E');
    put_digits(t, flags | (moves ? 1u : 0u) | (definition >= 0 ? 2u : 0u));
    put_place(t, &t->range_line, &t->range_col, line, col, moves);
    if (definition >= 0) put_signed(t, definition - t->definition), t->definition = definition;
}
static void range_called(struct scopes_text *t, uint32_t source, uint32_t line, uint32_t col)
{
    put_tag(t, 'I');
    put_digits(t, source);
    put_digits(t, line);
    put_digits(t, col);
}
static void range_end(struct scopes_text *t, uint32_t line, uint32_t col)
{
    put_tag(t, 'F');
    put_place(t, &t->range_line, &t->range_col, line, col, line != t->range_line);
}

/* --- queries --- */

static framemap_status chain_map(struct opened_map *map, const struct scopes_text *t, const char *mappings, bool strict,
                                 framemap_error *error)
{
    static char text[1 << 17];
    const int size = snprintf(
        text, sizeof text,
        "{\"version\":3,\"sources\":[\"a.js\",\"b.js\"],\"names\":[\"f0\",\"f1\",\"f2\",\"f3\",\"f4\"],\"mappings\":"
        "\"%s\",\"scopes\":\"%.*s\"}",
        mappings, (int)t->size, t->text);
    return map_make(map, fm_str(text, (size_t)size), FM_STR("main.js.map"), strict, error);
}

/* Writes the frames for a position, such as "f0@a.js:1:2 < f1@…". Lines and columns count from 0. "?" is a frame
 * without a function; a "+" follows the position of an inlined function. If there are no frames, writes the reason. */
static void chain_text(const struct opened_map *map, uint32_t line0, uint32_t col0, char *out, size_t room)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error = {0};
    size_t at = 0;
    query.scope_number = line0;
    query.position = col0;
    if (framemap_resolve(map->index, &query, map->scratch, &frame, &error) != FRAMEMAP_OK)
        fail_msg("%s", error.message);
    snprintf(out, room, "%s", frame.reason ? frame.reason : "");
    for (size_t i = 0; i < frame.restored.count && at < room; i++) {
        const framemap_frame *f = &frame.restored.frames[i];
        assert_int_equal(f->kind, FRAMEMAP_KIND_JS);
        assert_int_equal(f->function_origin, f->function.size ? FRAMEMAP_FUNCTION_SCOPES : FRAMEMAP_FUNCTION_NONE);
        at += (size_t)snprintf(out + at, room - at, "%s%.*s@%.*s:%u:%u%s", i ? " < " : "",
                               f->function.size ? (int)f->function.size : 1, f->function.size ? f->function.data : "?",
                               (int)f->file.size, f->file.data, f->line - 1, f->column - 1, f->inlined ? "+" : "");
    }
}

static void check_chain(const struct opened_map *map, uint32_t line0, uint32_t col0, const char *wanted)
{
    char got[4096];
    chain_text(map, line0, col0, got, sizeof got);
    if (strcmp(got, wanted) != 0) fail_msg("%u:%u: got \"%s\", wanted \"%s\"", line0, col0, got, wanted);
}

static void open_chains(struct opened_map *map, const struct scopes_text *t, const char *mappings)
{
    framemap_error error;
    if (chain_map(map, t, mappings, true, &error) != FRAMEMAP_OK)
        fail_msg("%.*s: %s", (int)t->size, t->text, error.message);
    assert_int_equal(map->faults, 0);
}

/* Writes the scopes of two sources. a.js has f0 from 1:0 to 9:0 with a block from 3:0 to 5:0, f1 from 10:0 to 19:0, and
 * f2 from 20:0 to 29:0. In b.js, f3 is the whole source. The scopes have the numbers 0 to 5. */
static void write_sources(struct scopes_text *t)
{
    scope_begin(t, 0, 0, -1, false);
    scope_begin(t, 1, 0, 0, true);
    scope_begin(t, 3, 0, -1, false);
    scope_end(t, 5, 0);
    scope_end(t, 9, 0);
    scope_begin(t, 10, 0, 1, true);
    scope_end(t, 19, 0);
    scope_begin(t, 20, 0, 2, true);
    scope_end(t, 29, 0);
    scope_end(t, 90, 0);
    t->line = t->col = 0;
    scope_begin(t, 0, 0, 3, true);
    scope_end(t, 90, 0);
}
enum { DEF_GLOBAL, DEF_F0, DEF_BLOCK, DEF_F1, DEF_F2, DEF_F3 };

#define NOT_SHOWN "the source map marks this function as compiler-generated and hidden"

/* Tests each rule of scopes. Position 0:0 comes from a.js 50:0, which is in no function. */
static void rules(void **state)
{
    struct scopes_text t = {.size = 0};
    struct opened_map map;
    (void)state;
    write_sources(&t);
    range_begin(&t, 0, 0, DEF_GLOBAL, 0);
    range_begin(&t, 0, 10, DEF_F0, FUNCTION);
    range_begin(&t, 0, 20, DEF_F1, 0); /* the range is within f0 */
    range_called(&t, 0, 4, 7);
    range_begin(&t, 0, 30, DEF_F2, 0); /* the range is within f1, a function of the source */
    range_called(&t, 0, 12, 1);
    range_begin(&t, 0, 35, DEF_F3, FUNCTION); /* the range is a function of the generated text */
    range_end(&t, 0, 38);
    range_end(&t, 0, 40);
    range_end(&t, 0, 50);
    range_begin(&t, 0, 60, DEF_BLOCK, 0);
    range_begin(&t, 0, 62, DEF_F3, 0);
    range_called(&t, 1, 3, 3);
    range_end(&t, 0, 66);
    range_end(&t, 0, 70);
    range_end(&t, 1, 0);
    range_begin(&t, 1, 5, -1, FUNCTION); /* the range has no scope in a source */
    range_end(&t, 1, 9);
    range_begin(&t, 1, 10, DEF_BLOCK, HIDDEN);
    range_begin(&t, 1, 12, -1, 0); /* this range has no function, and is within the hidden function */
    range_end(&t, 1, 14);
    range_begin(&t, 1, 15, DEF_F1, 0);
    range_called(&t, 0, 3, 3);
    range_end(&t, 1, 18);
    range_end(&t, 1, 20);
    range_begin(&t, 1, 30, DEF_F1, 0); /* code outside of all functions calls this function */
    range_called(&t, 0, 80, 2);
    range_end(&t, 1, 34);
    range_end(&t, 2, 0);
    open_chains(&map, &t, "AAkDA;AAAA");
    check_chain(&map, 0, 0, "?@a.js:50:0");
    check_chain(&map, 0, 10, "f0@a.js:50:0");
    check_chain(&map, 0, 19, "f0@a.js:50:0");
    check_chain(&map, 0, 20, "f1@a.js:50:0+ < f0@a.js:4:7");
    check_chain(&map, 0, 30, "f2@a.js:50:0+ < f1@a.js:12:1+ < f0@a.js:4:7");
    check_chain(&map, 0, 35, "f3@a.js:50:0");
    check_chain(&map, 0, 38, "f2@a.js:50:0+ < f1@a.js:12:1+ < f0@a.js:4:7");
    check_chain(&map, 0, 40, "f1@a.js:50:0+ < f0@a.js:4:7");
    check_chain(&map, 0, 50, "f0@a.js:50:0");
    check_chain(&map, 0, 60, "f0@a.js:50:0");
    check_chain(&map, 0, 62, "f3@a.js:50:0+ < f0@b.js:3:3");
    check_chain(&map, 0, 66, "f0@a.js:50:0");
    check_chain(&map, 1, 0, "?@a.js:50:0");
    check_chain(&map, 1, 5, "?@a.js:50:0");
    check_chain(&map, 1, 10, NOT_SHOWN);
    check_chain(&map, 1, 12, NOT_SHOWN);
    check_chain(&map, 1, 15, "f1@a.js:50:0");
    check_chain(&map, 1, 18, NOT_SHOWN);
    check_chain(&map, 1, 20, "?@a.js:50:0");
    check_chain(&map, 1, 30, "f1@a.js:50:0+ < ?@a.js:80:2");
    check_chain(&map, 1, 34, "?@a.js:50:0");
    map_close(&map);
}

/* Tests a range without a scope: the functions at the positions in the range are those around the positions in the
 * source. */
static void without_definition(void **state)
{
    struct scopes_text t = {.size = 0};
    struct opened_map map;
    (void)state;
    write_sources(&t);
    range_begin(&t, 0, 2, -1, 0);
    range_called(&t, 0, 12, 4);
    range_end(&t, 0, 9);
    open_chains(&map, &t, "AAqBA"); /* position 0:0 comes from a.js 21:0, in f2 */
    check_chain(&map, 0, 1, "f2@a.js:21:0");
    check_chain(&map, 0, 2, "f2@a.js:21:0+ < f1@a.js:12:4");
    check_chain(&map, 0, 9, "f2@a.js:21:0");
    map_close(&map);
}

/* Checks a map with sections, in which the numbers of sources and of lines are separate for each section. */
static void in_sections(void **state)
{
    static char text[1 << 15];
    struct scopes_text t = {.size = 0};
    struct opened_map map;
    framemap_error error;
    (void)state;
    write_sources(&t);
    range_begin(&t, 0, 3, DEF_F0, FUNCTION);
    range_begin(&t, 0, 4, DEF_F1, 0);
    range_called(&t, 1, 7, 0);
    range_end(&t, 1, 2);
    range_end(&t, 1, 5);
    const int size = snprintf(text, sizeof text,
                              "{\"version\":3,\"sections\":[{\"offset\":{\"line\":0,\"column\":0},\"map\":{\"version\":"
                              "3,\"sources\":[\"z.js\"],"
                              "\"names\":[],\"mappings\":\"AAAA\"}},{\"offset\":{\"line\":2,\"column\":10},\"map\":{"
                              "\"version\":3,\"sources\":["
                              "\"a.js\",\"b.js\"],\"names\":[\"f0\",\"f1\",\"f2\",\"f3\"],\"mappings\":\"AAkDA;AAAA\","
                              "\"scopes\":\"%.*s\"}}]}",
                              (int)t.size, t.text);
    if (map_make(&map, fm_str(text, (size_t)size), FM_STR("main.js.map"), true, &error) != FRAMEMAP_OK)
        fail_msg("%s", error.message);
    check_chain(&map, 2, 13, "f0@a.js:50:0");
    check_chain(&map, 2, 14, "f1@a.js:50:0+ < f0@b.js:7:0");
    check_chain(&map, 3, 1, "f1@a.js:50:0+ < f0@b.js:7:0");
    check_chain(&map, 3, 2, "f0@a.js:50:0");
    check_chain(&map, 3, 5, "?@a.js:50:0");
    map_close(&map);
}

/* Faults in scopes. In strict mode, the map is refused; in lenient mode, the scopes before the fault are kept. */
static const struct {
    const char *name, *scopes;
} faults[] = {
    {"a call site of nothing", "IAAA"},
    {"a source that is not there", "A,A,EAA,ICAA,FE"},
    {"two call sites", "A,A,EAA,IAAA,IAAA,FE"},
    {"after a range inside", "A,A,EAA,EAB,FB,IAAA,FE"},
    {"of a function of the generated text", "A,A,EEA,IAAA,FE"},
    {"cut short", "A,A,EAA,IAA,FE"},
    {"a range that does not end", "A,A,EAA,IAAA"},
    {"hidden, of no function", "A,A,EIA,FE"},
};

static void breaks_grammar(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        struct scopes_text t = {.size = strlen(faults[i].scopes)};
        struct opened_map map;
        framemap_error error;
        memcpy(t.text, faults[i].scopes, t.size);
        if (chain_map(&map, &t, "AAAA", true, &error) != FRAMEMAP_E_CORRUPT) fail_msg("%s: taken", faults[i].name);
        assert_non_null(strstr(error.message, "\"scopes\" does not follow its grammar"));
        assert_int_equal(chain_map(&map, &t, "AAAA", false, &error), FRAMEMAP_OK);
        assert_int_equal(map.faults, 1);
        map_close(&map);
    }
}

/* --- testing random trees of ranges, compared with a walk from the innermost range outwards --- */

struct node {
    uint32_t begin, end; /* positions in the generated text, stored as line * LINE + column */
    int parent, definition;
    unsigned flags;
    bool called;
    uint32_t site_source, site_line, site_col;
};
enum { LINE = 40, NODES = 60 };
static const char *const function_of[] = {NULL, "f0", "f0", "f1", "f2", "f3"};

struct forest {
    struct node nodes[NODES];
    int count;
    uint64_t state;
    struct scopes_text text;
};

static uint32_t random_below(struct forest *f, uint32_t most)
{
    f->state = f->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(f->state >> 33) % most;
}

static void open_node(struct forest *f, uint32_t at, int parent)
{
    struct node *n = &f->nodes[f->count++];
    static const unsigned flags[] = {0, 0, 0, FUNCTION, FUNCTION, HIDDEN};
    *n = (struct node){.begin = at,
                       .parent = parent,
                       .definition = (int)random_below(f, 7) - 1,
                       .flags = flags[random_below(f, COUNT_OF(flags))]};
    if (n->flags == 0) n->called = random_below(f, 2);
    n->site_source = random_below(f, 2);
    n->site_line = 91 + random_below(f, 9); /* the call site is at a position that no scope covers */
    n->site_col = random_below(f, 9);
    range_begin(&f->text, at / LINE, at % LINE, n->definition, n->flags);
    if (n->called) range_called(&f->text, n->site_source, n->site_line, n->site_col);
}

static uint32_t grow(struct forest *f)
{
    uint32_t at = 0;
    int open = -1;
    f->text = (struct scopes_text){.size = 0};
    f->count = 0;
    write_sources(&f->text);
    while (f->count < NODES || open >= 0) {
        at += random_below(f, 3) ? random_below(f, 4) : 0;
        if (f->count < NODES && random_below(f, 5) > (open >= 0 ? 1u : 0u)) {
            open_node(f, at, open);
            open = f->count - 1;
        } else if (open >= 0) {
            f->nodes[open].end = at;
            range_end(&f->text, at / LINE, at % LINE);
            open = f->nodes[open].parent;
        }
    }
    return at;
}

/* Returns the innermost range that contains a position. Inner ranges follow outer ones, so this is the last range that
 * starts at or before the position and has not ended there. */
static int innermost(const struct forest *f, uint32_t at)
{
    for (int i = f->count - 1; i >= 0; i--)
        if (f->nodes[i].begin <= at && at < f->nodes[i].end) return i;
    return -1;
}

/* Returns the name of the function to which a range's code belongs: the name of the range's own scope, or of a range
 * around it that belongs to the same function. */
static const char *name_of(const struct forest *f, int node)
{
    while (node >= 0) {
        const struct node *n = &f->nodes[node];
        if (n->definition >= 0) return function_of[n->definition];
        if (n->flags & FUNCTION) return NULL;
        node = n->parent;
    }
    return NULL;
}

struct wanted {
    char text[4096];
    size_t size, frames, open; /* open: offset of the last "+" in the text */
};

static void add_wanted(struct wanted *w, const char *name, bool inlined, uint32_t source, uint32_t line, uint32_t col)
{
    static const char *const files[] = {"a.js", "b.js"};
    w->size +=
        (size_t)snprintf(w->text + w->size, sizeof w->text - w->size, "%s%s@%s:%u:%u%s", w->frames++ ? " < " : "",
                         name ? name : "?", files[source], line, col, inlined ? "+" : "");
}

/* Whether a range is in code that is shown as a frame. This depends on the innermost range around it that is a call or
 * a function. */
static bool is_shown(const struct forest *f, int node)
{
    for (; node >= 0; node = f->nodes[node].parent) {
        if (f->nodes[node].called) return true;
        if (f->nodes[node].flags & FUNCTION) return f->nodes[node].flags != HIDDEN;
    }
    return true;
}

static void want_chain(const struct forest *f, uint32_t at, struct wanted *w)
{
    uint32_t source = 0, line = 95, col = 0;
    int node = innermost(f, at), frame = node; /* frame: the range whose function name is printed */
    *w = (struct wanted){.size = 0};
    for (; node >= 0 && !(f->nodes[node].flags & FUNCTION); node = f->nodes[node].parent) {
        const struct node *n = &f->nodes[node];
        if (!n->called) continue;
        add_wanted(w, name_of(f, frame), is_shown(f, n->parent), source, line, col);
        source = n->site_source, line = n->site_line, col = n->site_col;
        frame = n->parent;
    }
    if (node < 0 || f->nodes[node].flags != HIDDEN) add_wanted(w, name_of(f, frame), false, source, line, col);
    if (w->frames == 0) snprintf(w->text, sizeof w->text, "%s", NOT_SHOWN);
}

static void random_chains(void **state)
{
    static struct forest f;
    static struct wanted wanted;
    char mappings[4 * NODES * 4] = "AA+FA";
    size_t deepest = 0, hidden = 0;
    (void)state;
    for (size_t i = 0; i < NODES; i++) strcat(mappings, ";AAAA");
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct opened_map map;
        f.state = seed;
        const uint32_t end = grow(&f);
        open_chains(&map, &f.text, mappings);
        for (uint32_t at = 0; at <= end + 2; at++) {
            want_chain(&f, at, &wanted);
            check_chain(&map, at / LINE, at % LINE, wanted.text);
            if (wanted.frames > deepest) deepest = wanted.frames;
            hidden += wanted.frames == 0;
        }
        map_close(&map);
    }
    print_message("chains of up to %zu functions; %zu places of hidden ones\n", deepest, hidden);
    assert_true(deepest > 5 && hidden > 100);
}

/* Tests more nested inlined functions than an answer may have frames; the excess frames are omitted. */
static void deep_chain(void **state)
{
    static struct scopes_text t;
    struct opened_map map;
    framemap_error error;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    (void)state;
    t = (struct scopes_text){.size = 0};
    write_sources(&t);
    for (int i = 0; i < 1500; i++) {
        range_begin(&t, 0, 0, DEF_F1, 0);
        range_called(&t, 0, 95, 0);
    }
    for (int i = 0; i < 1500; i++) range_end(&t, 0, i ? 5 : 5);
    open_chains(&map, &t, "AAAA");
    if (framemap_resolve(map.index, &query, map.scratch, &frame, &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
    assert_int_equal(frame.restored.count, 1024);
    map_close(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules),         cmocka_unit_test(without_definition),
                                       cmocka_unit_test(in_sections),   cmocka_unit_test(breaks_grammar),
                                       cmocka_unit_test(random_chains), cmocka_unit_test(deep_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
