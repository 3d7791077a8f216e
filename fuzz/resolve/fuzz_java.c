/* Resolves frames by Java's rules, with arbitrary indexes of the class form, or with arbitrary mappings; the first
 * byte of the input selects which. Bytes are an index, whose checksums are corrected first: no query may crash. A
 * text is a mapping, a line "--", and then one frame "a.b.c:12" or exception "!a.b" per line. Properties of a text:
 * the index verifies; every frame is answered, with the same result with and without the fast path; neighbouring
 * alternatives differ; the public query succeeds as well. */
#include "core/limits.h"
#include "core/text/text.h"
#include "fuzz/support/seal.h"
#include "resolve/java/java.h"
#include "resolve/resolve.h"
#include <framemap/framemap.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MOST = 12,
    LINES_MOST = 64,
    TEXT_MOST = 1 << 16,
    HEAP_MOST = 1 << 22 /* maximum number of bytes of an answer; only a frame with very many alternatives needs more */
};

static void must(bool holds)
{
    if (!holds) abort();
}

/* --- querying frames --- */

/* Whether a status is allowed: success, or lack of memory; for a damaged index also other errors. */
static bool went_well(framemap_status status, bool sound)
{
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY || (!sound && status == FRAMEMAP_E_CORRUPT));
    return status == FRAMEMAP_OK;
}

static bool same_frame(const struct fm_java_frame *a, const struct fm_java_frame *b)
{
    return fm_str_equal(a->class_name, b->class_name) && fm_str_equal(a->method, b->method) &&
           fm_str_equal(a->type, b->type) && fm_str_equal(a->arguments, b->arguments) && a->line == b->line;
}

static bool same_answer(const struct fm_java_answer *a, const struct fm_java_answer *b)
{
    bool same = a->result == b->result && a->chain_count == b->chain_count && a->too_many == b->too_many &&
                a->removed_too_many == b->removed_too_many && a->state.has_outline == b->state.has_outline &&
                a->state.outline_line == b->state.outline_line && fm_str_equal(a->state.exception, b->state.exception);
    for (size_t i = 0; same && i < a->chain_count; i++) {
        const struct fm_java_chain *of_a = &a->chains[i], *of_b = &b->chains[i];
        same = of_a->count == of_b->count && of_a->outline == of_b->outline;
        for (size_t k = 0; same && k < of_a->count; k++) {
            const struct fm_java_frame *x = &of_a->frames[k], *y = &of_b->frames[k];
            same = same_frame(x, y) && x->line_kind == y->line_kind && x->found == y->found &&
                   x->has_source == y->has_source && fm_str_equal(x->source, y->source);
        }
    }
    return same;
}

/* Resolves a frame without the fast path, and with it where it applies; compares the answers. */
static framemap_status resolve(const struct fm_view *view, const struct fm_java_query *query, struct fm_arena *arena,
                               struct fm_java_answer *out)
{
    struct fm_java_answer plain;
    const framemap_status status = fm_java_resolve(view, query, arena, out, NULL),
                          of_plain = fm_java_resolve_plain(view, query, arena, &plain, NULL);
    if (status == FRAMEMAP_E_MEMORY || of_plain == FRAMEMAP_E_MEMORY) return FRAMEMAP_E_MEMORY;
    must(status == of_plain && (status != FRAMEMAP_OK || same_answer(out, &plain)));
    return status;
}

static void check_answer(const struct fm_view *view, const struct fm_java_answer *answer, struct fm_arena *arena,
                         bool distinct)
{
    size_t frames = 0;
    must(answer->chain_count || answer->result == FM_JAVA_METHOD);
    must(answer->chain_count == 1 || answer->result == FM_JAVA_METHOD);
    for (size_t i = 0; i < answer->chain_count; i++) {
        must(answer->chains[i].count);
        frames += answer->chains[i].count;
        must(!distinct || i == 0 || !same_frame(answer->chains[i - 1].frames, answer->chains[i].frames));
        if (i < ROWS_MOST) {
            framemap_str file;
            went_well(fm_java_source(view, answer->chains[i].frames, true, FM_STR("F.kt"), arena, &file, NULL), true);
        }
    }
    must(answer->chain_count < 2 || frames <= FM_LIMIT_JAVA_CHAINS || answer->chains == NULL);
}

static void ask_public(const struct fm_view *view, const struct fm_java_query *query, struct fm_arena *arena,
                       bool sound)
{
    char scope[512];
    framemap_frame frame;
    framemap_query asked = FRAMEMAP_QUERY_INIT;
    framemap_java_state known = {.has_outline = false};
    if (query->class_name.size + query->method.size + 1 > sizeof scope || query->method.size == 0) return;
    if (query->class_name.size) memcpy(scope, query->class_name.data, query->class_name.size);
    scope[query->class_name.size] = '.';
    memcpy(scope + query->class_name.size + 1, query->method.data, query->method.size);
    asked.scope = fm_str(scope, query->class_name.size + 1 + query->method.size);
    asked.no_position = !query->has_line;
    asked.position = query->has_line ? (uint64_t)query->line : 0;
    went_well(fm_resolve(view, &asked, arena, &frame, NULL), sound);
    asked.java = &known;
    if (went_well(fm_resolve(view, &asked, arena, &frame, NULL), sound))
        must(frame.kind == FRAMEMAP_KIND_JAVA && frame.status != FRAMEMAP_FRAME_RAW);
}

static void ask(const struct fm_view *view, struct fm_java_query query, struct fm_heap *heap,
                struct fm_java_state *state, bool sound, bool distinct)
{
    struct fm_arena arena;
    struct fm_java_answer plain, verbose;
    const struct fm_java_member *members;
    size_t count;
    const struct fm_java_state before = *state;
    query.state = &before;
    fm_arena_init(&arena, heap);
    query.verbose = true;
    if (went_well(resolve(view, &query, &arena, &verbose), sound)) {
        check_answer(view, &verbose, &arena, distinct);
        query.verbose = false;
        if (went_well(resolve(view, &query, &arena, &plain), sound)) {
            check_answer(view, &plain, &arena, distinct);
            must(plain.chain_count <= verbose.chain_count && plain.result == verbose.result);
            *state = plain.state;
        }
    }
    went_well(fm_java_fields(view, query.class_name, query.method, &arena, &members, &count, NULL), sound);
    went_well(fm_java_methods(view, query.class_name, query.method, &arena, &members, &count, NULL), sound);
    ask_public(view, &query, &arena, sound);
    fm_arena_free(&arena);
}

/* --- reading the input as the bytes of an index --- */

static void ask_method(const struct fm_view *view, const struct fm_view_class *owner, uint64_t number,
                       struct fm_heap *heap)
{
    static const int32_t lines[] = {0, 1, 5, 27, 65535};
    struct fm_view_method method;
    struct fm_java_state state = {.exception = FM_STR("java.lang.NullPointerException")};
    if (!fm_view_method_at(view, number, &method)) return;
    struct fm_java_query query = {.class_name = owner->residual, .method = method.residual};
    ask(view, query, heap, &state, false, false);
    query.has_line = true;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        query.line = lines[i];
        ask(view, query, heap, &state, false, false);
        if (i == 2) state = (struct fm_java_state){.has_outline = true, .outline_line = 1};
    }
}

static void try_bytes(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_view *view = NULL;
    struct fm_classes_about about;
    struct fm_view_class owner;
    unsigned char *bytes = malloc(size ? size : 1);
    must(bytes != NULL);
    if (size) memcpy(bytes, data, size);
    fm_fuzz_seal(bytes, size, true);
    fm_heap_init(&heap, NULL, HEAP_MOST);
    if (fm_view_open(fm_str(bytes, size), &heap, &view, NULL) == FRAMEMAP_OK && fm_view_classes(view, &about)) {
        for (uint64_t i = 0; i < about.class_count && i < ROWS_MOST; i++) {
            if (!fm_view_class_at(view, i, &owner)) continue;
            for (uint64_t k = 0; k < owner.method_count && k < ROWS_MOST; k++)
                ask_method(view, &owner, owner.first_method + k, &heap);
        }
    }
    fm_view_close(view);
    must(heap.used == 0);
    free(bytes);
}

/* --- reading the input as the text of a mapping --- */

/* Removes the first line from the text and returns it. */
static framemap_str take_line(framemap_str *text)
{
    size_t end = fm_str_find_byte(*text, '\n');
    framemap_str line = fm_str_slice(*text, 0, end);
    *text = fm_str_from(*text, end == FM_NOT_FOUND ? text->size : end + 1);
    return line;
}

static void ask_line(const struct fm_view *view, framemap_str line, struct fm_heap *heap, struct fm_java_state *state,
                     bool proguard)
{
    struct fm_java_query query = {.has_line = false};
    if (line.size && line.data[0] == '!') {
        *state = fm_java_exception(fm_str_from(line, 1));
        return;
    }
    size_t colon = fm_str_find_last_byte(line, ':');
    for (size_t i = colon == FM_NOT_FOUND ? line.size : colon + 1; i < line.size && query.line < INT32_MAX / 10 - 1;
         i++) {
        if (line.data[i] < '0' || line.data[i] > '9') break;
        query.has_line = true;
        query.line = query.line * 10 + (line.data[i] - '0');
    }
    framemap_str scope = fm_str_slice(line, 0, colon);
    size_t dot = fm_str_find_last_byte(scope, '.');
    if (dot == FM_NOT_FOUND) return;
    query.class_name = fm_str_slice(scope, 0, dot);
    query.method = fm_str_from(scope, dot + 1);
    query.no_slot = !query.has_line && scope.size % 2;
    ask(view, query, heap, state, true, !proguard);
}

static void ask_lines(const framemap_bytes *built, framemap_str lines, bool proguard)
{
    struct fm_heap heap;
    struct fm_view *view = NULL;
    struct fm_java_state state = {.has_outline = false};
    framemap_error error;
    fm_heap_init(&heap, NULL, HEAP_MOST);
    must(fm_view_open(framemap_bytes_str(built), &heap, &view, &error) == FRAMEMAP_OK);
    must(fm_view_verify(view, &error) == FRAMEMAP_OK);
    for (unsigned i = 0; i < LINES_MOST && lines.size; i++) ask_line(view, take_line(&lines), &heap, &state, proguard);
    fm_view_close(view);
    must(heap.used == 0);
}

static void try_text(framemap_str text, bool proguard)
{
    static const framemap_str bar = {"\n--\n", 4};
    framemap_bytes built = {.data = NULL};
    framemap_error error;
    size_t end = fm_str_find(text, bar);
    framemap_str lines =
        end == FM_NOT_FOUND ? FM_STR("a.a\na.a:1\na.a:5\n!a\na.b:3\n") : fm_str_from(text, end + bar.size);
    const framemap_build_options options = {
        .size = sizeof options, .mapper = proguard ? "proguard" : "r8", .max_memory = 8 * (uint64_t)HEAP_MOST};
    framemap_str mapping = fm_str_slice(text, 0, end == FM_NOT_FOUND ? text.size : end + 1);
    if (framemap_index_build(mapping, FM_STR("mapping.txt"), &options, &built, &error) == FRAMEMAP_OK)
        ask_lines(&built, lines, proguard);
    framemap_bytes_free(&built);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > TEXT_MOST) return 0;
    switch (data[0]) {
    case 'F': try_bytes(data, size); break; /* 'F' is the first byte of an index's magic */
    case 'P': try_text(fm_str(data + 1, size - 1), true); break;
    default: try_text(fm_str(data, size), false); break;
    }
    return 0;
}
