/* Checks that batches give the same index, byte for byte, as single calls with the same records, and that several
 * threads give the same index as one. */
#include "tests/index/support/oracle.h"
#include "tests/testing.h"

#include "core/hash/hash.h"
#include "core/limits.h"

enum {
    TEXTS = 40,
    PATHS = 12,
    ROOTS = 30,
    STRINGS_MOST = 24,
    NODES_MOST = 40,
    RUNS_MOST = 6,
    ROWS_MOST = 60,
    ALIASES_MOST = 5,
    SCOPES = 3
};

/* A batch, and the memory of its lists. */
struct made {
    struct fm_batch pack;
    framemap_str strings[STRINGS_MOST], files[PATHS];
    uint64_t hashes[STRINGS_MOST];
    struct fm_function functions[STRINGS_MOST];
    struct fm_batch_node nodes[NODES_MOST];
    struct fm_batch_root roots[NODES_MOST];
    struct fm_batch_alias aliases[ALIASES_MOST];
    struct fm_batch_row rows[ROWS_MOST];
    struct fm_batch_run runs[RUNS_MOST];
    char texts[STRINGS_MOST][24], paths[PATHS][32];
};

static uint32_t below_or_none(struct oracle_random *random, size_t count)
{
    const uint64_t number = oracle_below(random, count + 1);
    return number == count ? FM_NONE : (uint32_t)number;
}

static void make_names(struct made *m, struct oracle_random *random)
{
    m->pack.string_count = 1 + (size_t)oracle_below(random, STRINGS_MOST - 1);
    for (size_t i = 0; i < m->pack.string_count; i++) {
        snprintf(m->texts[i], sizeof m->texts[i], "name%u", (unsigned)oracle_below(random, TEXTS));
        m->strings[i] = framemap_str_of(m->texts[i]);
    }
    m->pack.file_count = 1 + (size_t)oracle_below(random, PATHS - 1);
    for (size_t i = 0; i < m->pack.file_count; i++) {
        snprintf(m->paths[i], sizeof m->paths[i], i % 3 ? "/src/%u/a.c" : "b%u.h",
                 (unsigned)oracle_below(random, PATHS));
        m->files[i] = framemap_str_of(m->paths[i]);
    }
    m->pack.function_count = 1 + (size_t)oracle_below(random, STRINGS_MOST - 1);
    for (size_t i = 0; i < m->pack.function_count; i++)
        m->functions[i] =
            (struct fm_function){below_or_none(random, m->pack.string_count), FM_NONE,
                                 below_or_none(random, m->pack.file_count), (uint32_t)oracle_below(random, 3), 0};
}

/* Makes nodes. The builder merges equal strings, files and functions, but the test needs separate nodes. So each node
 * differs from the others in its own fields: the line of its call, or its start. */
static void make_nodes(struct made *m, struct oracle_random *random)
{
    m->pack.node_count = (size_t)oracle_below(random, NODES_MOST);
    for (size_t i = 0; i < m->pack.node_count; i++) {
        struct fm_batch_node *node = &m->nodes[i];
        *node = (struct fm_batch_node){
            .parent = i == 0 || oracle_chance(random, 30) ? FM_NONE : (uint32_t)oracle_below(random, i),
            .function = below_or_none(random, m->pack.function_count),
            .call_file = below_or_none(random, m->pack.file_count),
            .call_line1 = (uint32_t)i,
            .flags = oracle_chance(random, 20) ? FM_NODE_ARTIFICIAL : 0};
        if (node->parent == FM_NONE) {
            struct fm_batch_root *root = &m->roots[m->pack.root_count];
            node->call_file = (uint32_t)m->pack.root_count++;
            node->flags |= FM_NODE_HAS_START;
            *root = (struct fm_batch_root){i * 100 + oracle_below(random, 2), 10, FM_NONE};
            if (oracle_chance(random, 20)) root->symbol = below_or_none(random, m->pack.string_count);
            if (oracle_chance(random, 50)) node->function = 0;
            if (m->pack.alias_count < ALIASES_MOST && oracle_chance(random, 20))
                m->aliases[m->pack.alias_count++] =
                    (struct fm_batch_alias){(uint32_t)i, (uint32_t)oracle_below(random, m->pack.string_count)};
        }
    }
}

/* Makes rows. wild: they do not ascend, and runs overlap; otherwise they are like real debug info. */
static void make_rows(struct made *m, struct oracle_random *random, uint64_t *begin, bool wild)
{
    m->pack.run_count = (size_t)oracle_below(random, RUNS_MOST);
    for (size_t i = 0; i < m->pack.run_count; i++) {
        struct fm_batch_run *run = &m->runs[i];
        uint64_t at =
            wild ? oracle_below(random, 500) : *begin + (oracle_chance(random, 50) ? 0 : oracle_below(random, 3000));
        *run = (struct fm_batch_run){(uint32_t)oracle_below(random, SCOPES), m->pack.row_count, 0};
        for (size_t left = (size_t)oracle_below(random, ROWS_MOST / RUNS_MOST); run->count < left;
             run->count++, m->pack.row_count++) {
            const bool gap = oracle_chance(random, 20);
            m->rows[m->pack.row_count] =
                (struct fm_batch_row){at, gap ? FM_NONE : below_or_none(random, m->pack.node_count),
                                      gap ? FM_NONE : below_or_none(random, m->pack.file_count),
                                      (uint32_t)oracle_below(random, 4), (uint32_t)oracle_below(random, 2)};
            at += wild ? oracle_below(random, 20) - 3 : 1 + oracle_below(random, 40);
        }
        *begin = at;
    }
}

static void make(struct made *m, struct oracle_random *random, uint64_t key, uint64_t *begin, bool wild)
{
    memset(m, 0, sizeof *m);
    make_names(m, random);
    make_nodes(m, random);
    make_rows(m, random, begin, wild);
    m->pack.strings = m->strings;
    m->pack.files = m->files;
    m->pack.functions = m->functions;
    m->pack.nodes = m->nodes;
    m->pack.roots = m->roots;
    m->pack.aliases = m->aliases;
    m->pack.rows = m->rows;
    m->pack.runs = m->runs;
    if (!oracle_chance(random, 50)) return;
    for (size_t i = 0; i < m->pack.string_count; i++) m->hashes[i] = fm_hash_text(m->strings[i], key);
    m->pack.hashes = m->hashes;
}

/* --- making the equivalent single calls --- */

struct numbers {
    uint32_t strings[STRINGS_MOST], files[PATHS], functions[STRINGS_MOST], nodes[NODES_MOST];
};

static uint32_t to_builder(const uint32_t *numbers, uint32_t number)
{
    return number == FM_NONE ? FM_NONE : numbers[number];
}

/* Returns a node of a batch with the numbers that the batch uses for its strings and functions. */
static struct fm_node node_of(const struct fm_batch *pack, size_t i)
{
    const struct fm_batch_node *node = &pack->nodes[i];
    struct fm_node out = {
        node->parent, node->function, node->call_file, node->call_line1, node->call_col1, node->flags, 0, 0, FM_NONE};
    if (node->parent != FM_NONE) return out;
    const struct fm_batch_root *root = &pack->roots[node->call_file];
    out.call_file = FM_NONE;
    out.start = root->start;
    out.size = root->size;
    out.symbol = root->symbol;
    return out;
}

static void call_records(struct fm_builder *b, const struct fm_batch *pack, struct numbers *to)
{
    for (size_t i = 0; i < pack->string_count; i++)
        assert_int_equal(fm_builder_string(b, pack->strings[i], &to->strings[i], NULL), 0);
    for (size_t i = 0; i < pack->file_count; i++)
        assert_int_equal(fm_builder_file(b, pack->files[i], &to->files[i], NULL), 0);
    for (size_t i = 0; i < pack->function_count; i++) {
        struct fm_function function = pack->functions[i];
        function.name = to_builder(to->strings, function.name);
        function.decl_file = to_builder(to->files, function.decl_file);
        assert_int_equal(fm_builder_function(b, &function, &to->functions[i], NULL), 0);
    }
    for (size_t i = 0; i < pack->node_count; i++) {
        struct fm_node node = node_of(pack, i);
        node.parent = to_builder(to->nodes, node.parent);
        node.function = to_builder(to->functions, node.function);
        node.call_file = to_builder(to->files, node.call_file);
        node.symbol = to_builder(to->strings, node.symbol);
        assert_int_equal(fm_builder_node(b, &node, &to->nodes[i], NULL), 0);
    }
    for (size_t i = 0; i < pack->alias_count; i++)
        assert_int_equal(
            fm_builder_alias(b, to->nodes[pack->aliases[i].root], to->strings[pack->aliases[i].name], NULL), 0);
}

static void call_rows(struct fm_builder *b, const struct fm_batch *pack, const struct numbers *to)
{
    for (size_t r = 0; r < pack->run_count; r++)
        for (size_t i = pack->runs[r].first; i < pack->runs[r].first + pack->runs[r].count; i++) {
            const struct fm_batch_row *row = &pack->rows[i];
            const struct fm_place place = {.node = to_builder(to->nodes, row->node),
                                           .file = to_builder(to->files, row->file),
                                           .line1 = row->line1,
                                           .col1 = row->col1,
                                           .name = FM_NONE};
            if (place.node == FM_NONE && place.file == FM_NONE)
                assert_int_equal(fm_builder_end(b, pack->runs[r].scope, row->position, NULL), 0);
            else
                assert_int_equal(fm_builder_position(b, pack->runs[r].scope, row->position, &place, 1, NULL), 0);
        }
}

static void call_pack(struct fm_builder *b, const struct fm_batch *pack)
{
    struct numbers to;
    call_records(b, pack, &to);
    call_rows(b, pack, &to);
}

/* --- comparing batches with single calls --- */

static struct fm_builder *start(struct fm_heap *heap)
{
    struct fm_builder *b;
    uint32_t scope;
    const struct fm_builder_about about = {
        .kind = FM_STR("elf"), .id = FM_STR("00"), .arch = FM_STR("x"), .name = FM_STR("n")};
    assert_int_equal(fm_builder_create(heap, &b, NULL), 0);
    assert_int_equal(fm_builder_about(b, &about, NULL), 0);
    for (char key[2] = "a"; key[0] < 'a' + SCOPES; key[0]++)
        assert_int_equal(fm_builder_scope(b, framemap_str_of(key), &scope, NULL), 0);
    return b;
}

/* Finishes the indexes of both builders, checks that their bytes are equal, and frees everything. */
static void assert_equal_bytes(struct fm_heap *heap, struct fm_builder *a, struct fm_builder *b, const char *why,
                               unsigned seed)
{
    struct fm_built x = {NULL, 0}, y = {NULL, 0};
    const framemap_status status = fm_builder_finish(a, &x, NULL);
    assert_int_equal(fm_builder_finish(b, &y, NULL), status);
    if (x.size != y.size || (x.size > 0 && memcmp(x.data, y.data, x.size) != 0))
        fail_msg("%s, seed %u: other bytes", why, seed);
    fm_builder_free(a);
    fm_builder_free(b);
    fm_heap_free(heap, x.data, x.size);
    fm_heap_free(heap, y.data, y.size);
    assert_int_equal(heap->used, 0);
}

static void packs_are_their_calls(void **state)
{
    (void)state;
    static struct made made;
    for (unsigned seed = 0; seed < 400; seed++) {
        struct fm_heap heap;
        struct oracle_random random = {seed};
        uint64_t begin = 0;
        fm_heap_init(&heap, NULL, 0);
        struct fm_builder *packed = start(&heap), *called = start(&heap);
        for (unsigned i = 0; i < 12; i++) {
            make(&made, &random, fm_builder_key(packed), &begin, seed % 2 == 0);
            /* Adds some records by single calls to both builders. So some nodes of a batch exist before the batch is
             * added, and some single calls find nodes of an earlier batch. */
            if (oracle_chance(&random, 25))
                call_pack(packed, &made.pack);
            else
                assert_int_equal(fm_builder_add_batch(packed, &made.pack, NULL), 0);
            call_pack(called, &made.pack);
        }
        assert_int_equal(fm_builder_count(packed), fm_builder_count(called));
        assert_equal_bytes(&heap, packed, called, seed % 2 ? "rising" : "wild", seed);
    }
}

/* Checks that records which a batch added are found by a single call, and by another batch. */
static void nodes_of_packs_are_found(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    struct fm_builder *b = start(&heap);
    const framemap_str name = FM_STR("f");
    const struct fm_function function = {0, FM_NONE, FM_NONE, 0, 0};
    const struct fm_batch_node nodes[] = {
        {.parent = FM_NONE, .function = 0, .call_file = 0, .flags = FM_NODE_HAS_START},
        {.parent = 0, .function = 0, .call_file = FM_NONE, .call_line1 = 3},
        {.parent = 1, .function = 0, .call_file = FM_NONE, .call_line1 = 4},
    };
    const struct fm_batch_root root = {16, 0, FM_NONE};
    const struct fm_batch records = {.nodes = nodes, .roots = &root};
    const struct fm_batch_run run = {0, 0, 1};
    for (uint64_t i = 0; i < 3; i++) {
        const struct fm_batch_row row = {i, 2, FM_NONE, 1, 1};
        const struct fm_batch pack = {.strings = &name,
                                      .functions = &function,
                                      .nodes = nodes,
                                      .roots = &root,
                                      .rows = &row,
                                      .runs = &run,
                                      .string_count = 1,
                                      .function_count = 1,
                                      .node_count = 3,
                                      .root_count = 1,
                                      .row_count = 1,
                                      .run_count = 1};
        assert_int_equal(fm_builder_add_batch(b, &pack, NULL), 0);
    }
    uint32_t string, number, numbers[3];
    assert_int_equal(fm_builder_string(b, name, &string, NULL), 0);
    assert_int_equal(fm_builder_function(b, &(struct fm_function){string, FM_NONE, FM_NONE, 0, 0}, &number, NULL), 0);
    for (unsigned i = 0; i < 3; i++) {
        struct fm_node node = node_of(&records, i);
        if (i > 0) node.parent = numbers[i - 1];
        node.function = number;
        assert_int_equal(fm_builder_node(b, &node, &numbers[i], NULL), 0);
        assert_int_equal(numbers[i], i); /* the builder has no other nodes than these three */
    }
    fm_builder_free(b);
    assert_int_equal(heap.used, 0);
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    const framemap_str names[] = {FM_STR("f"), FM_STR("g")}, path = FM_STR("/a/b.c");
    static const struct {
        const char *why;
        struct fm_function function;
        struct fm_batch_node node, child;
        struct fm_batch_root root;
        struct fm_batch_alias alias;
        struct fm_batch_row row;
        struct fm_batch_run run;
        framemap_status status;
    } rows[] = {
#define FUNCTION {0, FM_NONE, 0, 1, 0}
#define ROOT {.parent = FM_NONE, .function = 0, .call_file = 0}
#define CHILD {.parent = 0, .function = 0, .call_file = 0}
#define PART {0, 0, 1}
#define ROW {7, 1, 0, 1, 1}
        {"all is well", FUNCTION, ROOT, CHILD, PART, {0, 1}, ROW, {0, 0, 1}, FRAMEMAP_OK},
        {"a function's name", {2, FM_NONE, 0, 1, 0}, ROOT, CHILD, PART, {0, 1}, ROW, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"a function's class", {0, 2, 0, 1, 0}, ROOT, CHILD, PART, {0, 1}, ROW, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"a function's file", {0, FM_NONE, 1, 1, 0}, ROOT, CHILD, PART, {0, 1}, ROW, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"a node's function",
         FUNCTION,
         {.parent = FM_NONE, .function = 1, .call_file = 0},
         CHILD,
         PART,
         {0, 1},
         ROW,
         {0, 0, 1},
         FRAMEMAP_E_ARGUMENT},
        {"a node's symbol", FUNCTION, ROOT, CHILD, {0, 0, 2}, {0, 1}, ROW, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"what a root has of its own",
         FUNCTION,
         {.parent = FM_NONE, .function = 0, .call_file = 1},
         CHILD,
         PART,
         {0, 1},
         ROW,
         {0, 0, 1},
         FRAMEMAP_E_ARGUMENT},
        {"a node under itself",
         FUNCTION,
         ROOT,
         {.parent = 1, .function = 0, .call_file = 0},
         PART,
         {0, 1},
         ROW,
         {0, 0, 1},
         FRAMEMAP_E_ARGUMENT},
        {"a node under a later one",
         FUNCTION,
         ROOT,
         {.parent = 2, .function = 0, .call_file = 0},
         PART,
         {0, 1},
         ROW,
         {0, 0, 1},
         FRAMEMAP_E_ARGUMENT},
        {"a call's file",
         FUNCTION,
         ROOT,
         {.parent = 0, .function = 0, .call_file = 1},
         PART,
         {0, 1},
         ROW,
         {0, 0, 1},
         FRAMEMAP_E_ARGUMENT},
        {"an alias of no node", FUNCTION, ROOT, CHILD, PART, {2, 1}, ROW, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"an alias of none", FUNCTION, ROOT, CHILD, PART, {FM_NONE, 1}, ROW, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"an alias of no root", FUNCTION, ROOT, CHILD, PART, {1, 1}, ROW, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"an alias without a name", FUNCTION, ROOT, CHILD, PART, {0, FM_NONE}, ROW, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"an alias' name", FUNCTION, ROOT, CHILD, PART, {0, 2}, ROW, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"a row's node", FUNCTION, ROOT, CHILD, PART, {0, 1}, {7, 2, 0, 1, 1}, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"a row's file", FUNCTION, ROOT, CHILD, PART, {0, 1}, {7, 1, 1, 1, 1}, {0, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"a run's scope", FUNCTION, ROOT, CHILD, PART, {0, 1}, ROW, {SCOPES, 0, 1}, FRAMEMAP_E_ARGUMENT},
        {"a run after the rows", FUNCTION, ROOT, CHILD, PART, {0, 1}, ROW, {0, 2, 0}, FRAMEMAP_E_ARGUMENT},
        {"a run longer than the rows", FUNCTION, ROOT, CHILD, PART, {0, 1}, ROW, {0, 0, 2}, FRAMEMAP_E_ARGUMENT},
        {"a run whose end wraps", FUNCTION, ROOT, CHILD, PART, {0, 1}, ROW, {0, 1, SIZE_MAX}, FRAMEMAP_E_ARGUMENT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_heap heap;
        fm_heap_init(&heap, NULL, 0);
        struct fm_builder *b = start(&heap);
        const struct fm_batch_node nodes[] = {rows[i].node, rows[i].child};
        const struct fm_batch pack = {.strings = names,
                                      .files = &path,
                                      .functions = &rows[i].function,
                                      .nodes = nodes,
                                      .roots = &rows[i].root,
                                      .aliases = &rows[i].alias,
                                      .rows = &rows[i].row,
                                      .runs = &rows[i].run,
                                      .string_count = 2,
                                      .file_count = 1,
                                      .function_count = 1,
                                      .node_count = 2,
                                      .root_count = 1,
                                      .alias_count = 1,
                                      .row_count = 1,
                                      .run_count = 1};
        framemap_error error = {.code = FRAMEMAP_OK};
        const framemap_status status = fm_builder_add_batch(b, &pack, &error);
        if (status != rows[i].status || error.code != rows[i].status)
            fail_msg("%s: status %d, %s", rows[i].why, (int)status, error.message);
        fm_builder_free(b);
        assert_int_equal(heap.used, 0);
    }
}

static void a_chain_of_a_pack_has_its_limit(void **state)
{
    (void)state;
    static struct fm_batch_node nodes[FM_LIMIT_INLINE_DEPTH + 1];
    const struct fm_batch_root root = {0, 0, FM_NONE};
    for (uint32_t i = 0; i <= FM_LIMIT_INLINE_DEPTH; i++)
        nodes[i] =
            (struct fm_batch_node){.parent = i ? i - 1 : FM_NONE, .function = FM_NONE, .call_file = i ? FM_NONE : 0};
    for (uint32_t more = 0; more < 2; more++) {
        struct fm_heap heap;
        fm_heap_init(&heap, NULL, 0);
        struct fm_builder *b = start(&heap);
        const struct fm_batch pack = {
            .nodes = nodes, .roots = &root, .node_count = FM_LIMIT_INLINE_DEPTH + more, .root_count = 1};
        assert_int_equal(fm_builder_add_batch(b, &pack, NULL), more ? FRAMEMAP_E_LIMIT : FRAMEMAP_OK);
        fm_builder_free(b);
    }
}

/* --- building with several threads --- */

/* Adds rows in many buckets; some locations cover many buckets. */
static void add_many_rows(struct fm_builder *b, unsigned seed)
{
    struct oracle_random random = {seed};
    const framemap_str names[] = {FM_STR("f"), FM_STR("g"), FM_STR("h")},
                       paths[] = {FM_STR("/a/b.c"), FM_STR("/a/c.c")};
    const struct fm_function functions[] = {{0, FM_NONE, 0, 5, 0}, {1, FM_NONE, FM_NONE, 0, 0}, {2, FM_NONE, 1, 9, 0}};
    const struct fm_batch_node nodes[] = {{.parent = FM_NONE, .function = 0, .call_file = 0},
                                          {.parent = 0, .function = 1, .call_file = 0, .call_line1 = 7},
                                          {.parent = FM_NONE, .function = 2, .call_file = 0}};
    const struct fm_batch_root root = {0, 0, FM_NONE};
    uint64_t at = 0;
    for (unsigned i = 0; i < 300; i++) {
        struct fm_batch_row rows[200];
        const struct fm_batch_run run = {i % SCOPES, 0, COUNT_OF(rows)};
        const bool sparse = oracle_chance(&random, 30);
        for (size_t r = 0; r < COUNT_OF(rows); r++) {
            rows[r] = (struct fm_batch_row){at, (uint32_t)oracle_below(&random, 3), (uint32_t)oracle_below(&random, 2),
                                            (uint32_t)oracle_below(&random, 50), (uint32_t)oracle_below(&random, 4)};
            at += 1 + oracle_below(&random, sparse ? 5000 : 8);
            if (oracle_chance(&random, 1)) at += 300000;
        }
        const struct fm_batch pack = {.strings = names,
                                      .files = paths,
                                      .functions = functions,
                                      .nodes = nodes,
                                      .roots = &root,
                                      .rows = rows,
                                      .runs = &run,
                                      .string_count = 3,
                                      .file_count = 2,
                                      .function_count = 3,
                                      .node_count = 3,
                                      .root_count = 1,
                                      .row_count = COUNT_OF(rows),
                                      .run_count = 1};
        assert_int_equal(fm_builder_add_batch(b, &pack, NULL), 0);
    }
}

static void bytes_do_not_hang_on_the_threads(void **state)
{
    (void)state;
    static const unsigned threads[] = {2, 3, 8, 1000};
    for (unsigned seed = 0; seed < 4; seed++)
        for (size_t i = 0; i < COUNT_OF(threads); i++) {
            struct fm_heap heap;
            fm_heap_init(&heap, NULL, 0);
            struct fm_builder *one = start(&heap), *many = start(&heap);
            fm_builder_threads(many, threads[i]);
            add_many_rows(one, seed);
            add_many_rows(many, seed);
            assert_equal_bytes(&heap, one, many, "threads", seed);
        }
}

/* --- testing allocations that fail --- */

static bool build_packs(const framemap_allocator *allocator, void *context)
{
    static struct made made;
    const unsigned *seed = context;
    struct fm_heap heap;
    struct fm_builder *b;
    struct fm_built built = {NULL, 0};
    struct oracle_random random = {*seed};
    uint64_t begin = 0;
    uint32_t scope;
    fm_heap_init(&heap, allocator, 0);
    framemap_status status = fm_builder_create(&heap, &b, NULL);
    if (status != FRAMEMAP_OK) return false;
    for (char key[2] = "a"; key[0] < 'a' + SCOPES && status == FRAMEMAP_OK; key[0]++)
        status = fm_builder_scope(b, framemap_str_of(key), &scope, NULL);
    for (unsigned i = 0; i < 4 && status == FRAMEMAP_OK; i++) {
        make(&made, &random, fm_builder_key(b), &begin, *seed % 2 == 0);
        status = fm_builder_add_batch(b, &made.pack, NULL);
    }
    if (status == FRAMEMAP_OK) status = fm_builder_finish(b, &built, NULL);
    fm_builder_free(b);
    fm_heap_free(&heap, built.data, built.size);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed < 3; seed++) assert_true(sweep_allocations(build_packs, &seed) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_are_their_calls),
        cmocka_unit_test(nodes_of_packs_are_found),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(a_chain_of_a_pack_has_its_limit),
        cmocka_unit_test(bytes_do_not_hang_on_the_threads),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
