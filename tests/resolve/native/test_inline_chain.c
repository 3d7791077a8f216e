/* Checks that inline chains read through the view's cache equal chains decoded record by record: with an empty cache,
 * with a full cache, without memory for a cache, and with several threads. */
#include "index/read/table/tables.h"
#include "resolve/demangle/demangle.h"
#include "resolve/native/inline_chain.h"
#include "resolve/resolve.h"
#include "tests/corpus.h"
#include <framemap/index.h>

#include <pthread.h>

enum { THREADS = 4, DEPTH_MOST = 1000 };

/* The state of one thread that compares: the index, and memory of its own. */
struct reader {
    const struct fm_view *view;
    struct fm_heap heap;
    struct fm_arena arena;
    size_t frames, kept_chains;
};

static framemap_str joined(struct reader *reader, framemap_str folder, framemap_str name)
{
    char *bytes = fm_arena_alloc(&reader->arena, folder.size + name.size);
    assert_non_null(bytes);
    if (folder.size) memcpy(bytes, folder.data, folder.size);
    if (name.size) memcpy(bytes + folder.size, name.data, name.size);
    return (framemap_str){bytes, folder.size + name.size};
}

static void assert_same(framemap_str got, framemap_str wanted, const char *what)
{
    if (!fm_str_equal(got, wanted))
        fail_msg("%s is \"%.*s\", the rows say \"%.*s\"", what, (int)got.size, got.data ? got.data : "",
                 (int)wanted.size, wanted.data ? wanted.data : "");
}

static void compare_root(const struct reader *reader, const framemap_frame *frame, const struct fm_view_node *node,
                         uint32_t number, uint64_t position)
{
    const bool has_offset = (node->flags & FM_NODE_HAS_START) && position >= node->start;
    assert_int_equal(frame->has_function_offset, has_offset);
    assert_int_equal(frame->function_offset, has_offset ? position - node->start : 0);
    assert_int_equal(frame->function_size, node->size);
    assert_int_equal(frame->alias_count, node->alias_count);
    for (uint32_t i = 0; i < node->alias_count; i++) {
        framemap_str alias;
        assert_int_equal(fm_view_alias(reader->view, number, i, &alias), FRAMEMAP_OK);
        assert_same(frame->aliases[i], alias, "an alias");
    }
}

static void compare_function(struct reader *reader, const framemap_frame *frame, const struct fm_view_node *node,
                             uint32_t number, uint64_t position)
{
    const framemap_str spelled = node->symbol.size ? node->symbol : node->function,
                       shown = node->function.size ? node->function : spelled;
    assert_same(frame->function, shown, "the function");
    assert_same(frame->symbol, fm_str_equal(spelled, shown) ? (framemap_str){NULL, 0} : spelled, "the symbol");
    const framemap_str kind = fm_view_identity(reader->view)->kind;
    const bool native = fm_str_equal(kind, FM_STR("elf")) || fm_str_equal(kind, FM_STR("macho"));
    /* In native code, the class is a part of the full name, and the frame has no class of its own. */
    assert_same(frame->class_name, native ? (framemap_str){NULL, 0} : node->class_name, "the class");
    assert_int_equal(frame->inlined, node->parent != FM_VIEW_NONE);
    assert_int_equal(frame->artificial, (node->flags & FM_NODE_ARTIFICIAL) != 0);
    assert_int_equal(frame->declared_line, node->decl_line1);
    assert_same(frame->declared_file, joined(reader, node->decl_folder, node->decl_base_name), "where it is declared");
    if (node->parent == FM_VIEW_NONE) compare_root(reader, frame, node, number, position);
}

static void compare_chain(struct reader *reader, const struct fm_hit *hit, uint32_t which, framemap_frame_list chain)
{
    struct fm_view_place place;
    struct fm_view_node node;
    assert_int_equal(fm_view_place(reader->view, hit, which, &place), FRAMEMAP_OK);
    assert_true(chain.count > 0 && chain.count < DEPTH_MOST);
    assert_same(chain.frames[0].name, place.name, "the place's name");
    for (size_t i = 0; i < chain.count; i++) {
        const framemap_frame *frame = &chain.frames[i];
        assert_same(frame->file, joined(reader, place.folder, place.base_name), "the file");
        assert_int_equal(frame->line, place.line1);
        assert_int_equal(frame->column, place.col1);
        reader->frames++;
        if (place.node == FM_VIEW_NONE) {
            assert_int_equal(i + 1, chain.count);
            assert_int_equal(frame->function.size, 0);
            return;
        }
        assert_int_equal(fm_view_node(reader->view, place.node, &node), FRAMEMAP_OK);
        compare_function(reader, frame, &node, place.node, hit->start);
        place = (struct fm_view_place){.node = node.parent,
                                       .folder = node.call_folder,
                                       .base_name = node.call_base_name,
                                       .line1 = node.call_line1,
                                       .col1 = node.call_col1};
    }
    assert_int_equal(node.parent, FM_VIEW_NONE);
}

/* Compares the demangled aliases of a lookup result, whether the view caches them or not. */
static void compare_readable(struct reader *reader, const struct fm_hit *hit)
{
    const struct fm_chain_context context = {
        .view = reader->view, .arena = &reader->arena, .demangle = FRAMEMAP_DEMANGLE_DEFAULT, .position = hit->start};
    struct fm_view_place place;
    struct fm_view_node node = {.parent = FM_VIEW_NONE};
    framemap_frame_list chain;
    framemap_error error = {0};
    assert_int_equal(fm_view_place(reader->view, hit, 0, &place), FRAMEMAP_OK);
    if (fm_chain_of(&context, hit, 0, &chain, &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
    uint32_t root = place.node;
    for (uint32_t at = root; at != FM_VIEW_NONE; at = node.parent) {
        root = at;
        assert_int_equal(fm_view_node(reader->view, at, &node), FRAMEMAP_OK);
    }
    const framemap_frame *outermost = &chain.frames[chain.count - 1];
    for (uint32_t i = 0; i < outermost->alias_count; i++) {
        framemap_str alias;
        assert_int_equal(fm_view_alias(reader->view, root, i, &alias), FRAMEMAP_OK);
        assert_same(outermost->aliases[i], fm_demangle(alias, FRAMEMAP_DEMANGLE_DEFAULT, &reader->arena),
                    "a readable alias");
    }
    fm_arena_reset(&reader->arena);
}

/* Compares the fast path for cached chains with the usual one. The chain was looked up before, so it is cached if
 * that is possible. */
static void compare_kept(struct reader *reader, const struct fm_chain_context *context, const struct fm_hit *hit)
{
    struct fm_short_hit found;
    framemap_frame_list chain;
    fm_view_find(reader->view, hit->scope, hit->start, &found);
    assert_int_equal(fm_chain_of_kept(context, &found, &chain, NULL), FRAMEMAP_OK);
    if (chain.count == 0) return;
    assert_int_equal(hit->place_count, 1);
    const size_t frames = reader->frames;
    compare_chain(reader, hit, 0, chain);
    reader->frames = frames; /* the frames of this chain were counted already, so they are not counted a second time */
    reader->kept_chains++;
}

static void compare_hit(struct reader *reader, const struct fm_hit *hit)
{
    const struct fm_chain_context context = {
        .view = reader->view, .arena = &reader->arena, .demangle = FRAMEMAP_DEMANGLE_NONE, .position = hit->start};
    for (uint32_t which = 0; which < hit->place_count; which++) {
        framemap_frame_list chain;
        framemap_error error = {0};
        if (fm_chain_of(&context, hit, which, &chain, &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
        compare_chain(reader, hit, which, chain);
        if (which == 0) compare_kept(reader, &context, hit);
        fm_arena_reset(&reader->arena);
    }
    if (hit->place_count > 0) compare_readable(reader, hit);
}

/* Compares the results of all lookups in an index. Returns the number of frames; *kept: the number of chains that the
 * view caches. */
static size_t compare_all(const struct fm_view *view, size_t *kept)
{
    struct reader reader = {.view = view};
    struct fm_view_about about;
    struct fm_hit hit;
    fm_heap_init(&reader.heap, NULL, 0);
    fm_arena_init(&reader.arena, &reader.heap);
    fm_view_about(view, &about);
    for (uint64_t scope = 0; scope < about.scope_count; scope++)
        for (bool more = fm_view_next(view, scope, 0, &hit); more;
             more = hit.start != UINT64_MAX && fm_view_next(view, scope, hit.start + 1, &hit))
            compare_hit(&reader, &hit);
    fm_arena_free(&reader.arena);
    *kept = reader.kept_chains;
    return reader.frames;
}

static void *compare_in_thread(void *context)
{
    size_t kept;
    assert_true(compare_all(context, &kept) > 0);
    return NULL;
}

static void compare_in_threads(struct fm_view *view)
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, compare_in_thread, view), 0);
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

/* Limits the memory of the view so that nothing can be cached except unpacked names. */
static void allow_nothing_more(struct fm_view *view)
{
    struct fm_view_node node;
    for (uint32_t i = 0; i < view->node_count; i++) assert_int_equal(fm_view_node(view, i, &node), FRAMEMAP_OK);
    for (uint64_t file = 0; file < view->tables[FMX_FILES].count; file++) {
        framemap_str path;
        assert_int_equal(fm_view_path(view, file, NULL, &path), FRAMEMAP_OK);
    }
    view->heap->ceiling = atomic_load(&view->heap->used);
}

/* In all indexes together: the number of nodes with cached demangled aliases, and the number of cached chains. */
static size_t kept_aliases, all_kept_chains;

static size_t count_kept_aliases(const struct fm_view *view)
{
    size_t count = 0;
    for (uint32_t i = 0; i < view->node_count; i++) count += fm_view_kept_aliases(view, i) != NULL;
    return count;
}

/* Compares the results of all lookups in the index in `bytes`. Returns the number of frames. */
static size_t compare_index(framemap_str bytes)
{
    struct fm_heap heap;
    struct fm_view *view = NULL;
    framemap_error error = {0};
    size_t frames[3], kept_chains;
    for (unsigned way = 0; way < 3; way++) {
        fm_heap_init(&heap, NULL, 0);
        if (fm_view_open(bytes, &heap, &view, &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
        if (way == 1) compare_in_threads(view);
        if (way == 2) allow_nothing_more(view);
        frames[way] = compare_all(view, &kept_chains);
        const bool keeps = view->node_count > 0 && fm_frames_place(fm_view_frames(view), 0) != NULL;
        if (view->node_count > 0) assert_int_equal(keeps, way != 2);
        assert_true(way != 2 || kept_chains == 0);
        all_kept_chains += kept_chains;
        if (way == 2)
            assert_int_equal(count_kept_aliases(view), 0);
        else
            kept_aliases += count_kept_aliases(view);
        fm_view_close(view);
    }
    assert_int_equal(frames[0], frames[1]);
    assert_int_equal(frames[0], frames[2]);
    return frames[0];
}

static size_t compare_symbols(const char *path, const char *name)
{
    const framemap_str file = corpus_read(path);
    framemap_bytes built = {0};
    size_t frames = 0;
    if (framemap_index_build(file, framemap_str_of(name), NULL, &built, NULL) == FRAMEMAP_OK)
        frames = compare_index(framemap_bytes_str(&built));
    framemap_bytes_free(&built);
    corpus_free(file);
    return frames;
}

static void of_symbol_files(void **state)
{
    (void)state;
    assert_true(corpus_count_native(compare_symbols) > 30);
    assert_true(kept_aliases > 0 && all_kept_chains > 0);
    assert_true(compare_symbols(CORPUS "dart/app.x64-3.10.symbols", "app.symbols") > 0);
}

/* Compares an index of format version 1, with alternatives and with names of locations. */
static void of_an_earlier_version(void **state)
{
    (void)state;
    const framemap_str bytes = corpus_read(CORPUS "index/good-v1-native.fmx");
    assert_true(compare_index(bytes) > 0);
    corpus_free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_symbol_files), cmocka_unit_test(of_an_earlier_version)};
    return cmocka_run_group_tests_name("chains", tests, NULL, NULL);
}
