/* An index as plain arrays: generated from a seed, added to the builder, and queried like the view. It shares no code
 * with index/. */
#ifndef FM_TESTS_INDEX_SUPPORT_ORACLE_H
#define FM_TESTS_INDEX_SUPPORT_ORACLE_H

#include "index/read/view.h"
#include "index/write/builder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORACLE_TEXTS 64
#define ORACLE_PLACES 5

struct oracle_random {
    uint64_t state;
};
/* the generator is splitmix64 */
static inline uint64_t oracle_next(struct oracle_random *r)
{
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
static inline uint64_t oracle_below(struct oracle_random *r, uint64_t limit)
{
    return limit == 0 ? 0 : oracle_next(r) % limit;
}
static inline bool oracle_chance(struct oracle_random *r, unsigned percent) { return oracle_below(r, 100) < percent; }

/* The parameters of a generated index. */
struct oracle_shape {
    const char *name, *why;
    bool numbered;
    unsigned scopes, rows; /* numbers of scopes, and of rows in all scopes together */
    uint64_t step;         /* greatest distance between positions of a scope */
    unsigned unit;         /* all positions are multiples of 2^unit */
    unsigned holes;        /* percentage of steps that are longer by a factor of 2^8 or 2^20 */
    uint64_t first;        /* the lowest position */
    /* each: the percentage of rows that have this property */
    unsigned ends, groups, follows, names, no_node, no_line, other_file;
    unsigned functions, nodes, depth, files;
    uint32_t lines, cols; /* greatest line and column */
    unsigned aliases;
    bool uneven;   /* whether every other scope has steps of at most one */
    bool shuffled; /* whether rows are added in random order */
};

struct oracle_row {
    uint32_t scope;
    uint64_t position;
    size_t place_count; /* number of alternative locations; 0: the row is an end mark */
    struct fm_place places[ORACLE_PLACES];
    size_t serial;
};
struct oracle {
    struct oracle_random random;
    const struct oracle_shape *shape;
    char texts[ORACLE_TEXTS][16];
    struct fm_function *functions;
    struct fm_node *nodes;
    unsigned *depths;
    uint64_t *scope_numbers;
    struct oracle_row *rows;   /* rows in the order in which they were added */
    struct oracle_row *sorted; /* the rows that count, one for each position, sorted */
    size_t sorted_count;
    struct {
        uint32_t node, text;
    } aliases[256];
    size_t alias_count;
    bool reversed; /* whether strings, files and functions are added in reverse order */
};

static inline framemap_str oracle_text(const struct oracle *o, uint32_t text)
{
    return text == FM_NONE ? (framemap_str){NULL, 0} : (framemap_str){o->texts[text], strlen(o->texts[text])};
}
/* Returns the path of a file: its string, in a folder that depends on its number. */
static inline framemap_str oracle_path(uint32_t file, char room[64])
{
    if (file == FM_NONE) return (framemap_str){NULL, 0};
    int size = file % 7 == 0 ? snprintf(room, 64, "plain%u.c", file)
                             : snprintf(room, 64, "/src/dir%u/file%u.cc", file / 5, file);
    return (framemap_str){room, (size_t)size};
}
static inline framemap_str oracle_scope_key(const struct oracle *o, uint32_t scope, char room[64])
{
    if (o->shape->numbered) return (framemap_str){NULL, 0};
    if (scope == 0) return (framemap_str){room, 0};
    int size = snprintf(room, 64, "com.%c%u.Class%u#m%u", (char)('a' + scope * 7 % 26), scope % 13, scope / 3, scope);
    return (framemap_str){room, (size_t)size};
}

static inline uint32_t oracle_or_none(struct oracle *o, unsigned percent, uint32_t count)
{
    return count == 0 || oracle_chance(&o->random, percent) ? FM_NONE : (uint32_t)oracle_below(&o->random, count);
}

static inline void oracle_make_functions(struct oracle *o)
{
    const struct oracle_shape *s = o->shape;
    o->functions = calloc(s->functions + 1, sizeof *o->functions);
    for (unsigned i = 0; i < s->functions; i++)
        o->functions[i] = (struct fm_function){.name = oracle_or_none(o, 5, ORACLE_TEXTS),
                                               .class_name = oracle_or_none(o, 70, ORACLE_TEXTS),
                                               .decl_file = oracle_or_none(o, 30, s->files),
                                               .decl_line1 = (uint32_t)oracle_below(&o->random, (uint64_t)s->lines + 1),
                                               .language = (uint8_t)oracle_below(&o->random, 4)};
}

static inline void oracle_make_nodes(struct oracle *o)
{
    const struct oracle_shape *s = o->shape;
    o->nodes = calloc(s->nodes + 1, sizeof *o->nodes);
    o->depths = calloc(s->nodes + 1, sizeof *o->depths);
    for (unsigned i = 0; i < s->nodes; i++) {
        struct fm_node *node = &o->nodes[i];
        uint32_t parent = i == 0                          ? FM_NONE
                          : oracle_chance(&o->random, 70) ? i - 1
                                                          : (uint32_t)oracle_below(&o->random, i);
        if (parent != FM_NONE && (oracle_chance(&o->random, 25) || o->depths[parent] + 1 >= s->depth)) parent = FM_NONE;
        *node = (struct fm_node){.parent = parent,
                                 .function = oracle_or_none(o, 10, s->functions),
                                 .call_file = FM_NONE,
                                 .flags = oracle_chance(&o->random, 10) ? FM_NODE_ARTIFICIAL : 0,
                                 .symbol = FM_NONE};
        if (parent == FM_NONE) {
            if (oracle_chance(&o->random, 80)) node->flags |= FM_NODE_HAS_START;
            node->start = node->flags & FM_NODE_HAS_START ? oracle_below(&o->random, UINT64_C(1) << 33) : 0;
            node->size = oracle_below(&o->random, 5000);
            node->symbol = oracle_or_none(o, 80, ORACLE_TEXTS);
        } else {
            o->depths[i] = o->depths[parent] + 1;
            node->call_file = oracle_or_none(o, 20, s->files);
            const uint32_t function = o->nodes[parent].function;
            if (function != FM_NONE && oracle_chance(&o->random, 60))
                node->call_file = o->functions[function].decl_file;
            node->call_line1 =
                oracle_chance(&o->random, 10) ? 0 : (uint32_t)oracle_below(&o->random, (uint64_t)s->lines + 1);
            node->call_col1 = (uint32_t)oracle_below(&o->random, (uint64_t)s->cols + 1);
        }
    }
    for (unsigned i = 0; i < s->aliases && o->alias_count < 256; i++) {
        const uint32_t node = (uint32_t)oracle_below(&o->random, s->nodes);
        if (s->nodes == 0 || o->nodes[node].parent != FM_NONE) continue;
        o->aliases[o->alias_count].node = node;
        o->aliases[o->alias_count++].text = (uint32_t)oracle_below(&o->random, ORACLE_TEXTS);
    }
}

static inline struct fm_place oracle_make_place(struct oracle *o)
{
    const struct oracle_shape *s = o->shape;
    struct fm_place place = {.node = oracle_or_none(o, s->no_node, s->nodes),
                             .name = oracle_or_none(o, 100 - s->names, ORACLE_TEXTS)};
    place.file = oracle_or_none(o, 10, s->files);
    if (place.node != FM_NONE && o->nodes[place.node].function != FM_NONE && !oracle_chance(&o->random, s->other_file))
        place.file = o->functions[o->nodes[place.node].function].decl_file;
    place.line1 =
        oracle_chance(&o->random, s->no_line) ? 0 : (uint32_t)oracle_below(&o->random, (uint64_t)s->lines + 1);
    place.col1 = (uint32_t)oracle_below(&o->random, (uint64_t)s->cols + 1);
    if (oracle_chance(&o->random, s->follows)) place.flags = FM_PLACE_LINE_FOLLOWS;
    return place;
}

static inline int oracle_compare(const void *a, const void *b)
{
    const struct oracle_row *x = a, *y = b;
    if (x->scope != y->scope) return x->scope < y->scope ? -1 : 1;
    if (x->position != y->position) return x->position < y->position ? -1 : 1;
    return x->serial < y->serial ? -1 : x->serial > y->serial;
}

/* Selects the row that counts at each position: the last row that is not an end mark; if all rows there are end marks,
 * one of these. */
static inline void oracle_settle(struct oracle *o)
{
    const size_t count = o->shape->rows;
    for (size_t i = 0; i < count; i++) o->rows[i].serial = i;
    o->sorted = calloc(count + 1, sizeof *o->sorted);
    memcpy(o->sorted, o->rows, count * sizeof *o->rows);
    qsort(o->sorted, count, sizeof *o->sorted, oracle_compare);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct oracle_row *last = kept ? &o->sorted[kept - 1] : NULL;
        if (last && last->scope == o->sorted[i].scope && last->position == o->sorted[i].position) {
            if (o->sorted[i].place_count > 0) *last = o->sorted[i];
        } else {
            o->sorted[kept++] = o->sorted[i];
        }
    }
    o->sorted_count = kept;
}

static inline void oracle_make_rows(struct oracle *o)
{
    const struct oracle_shape *s = o->shape;
    o->rows = calloc(s->rows + 1, sizeof *o->rows);
    uint64_t *at = calloc(s->scopes, sizeof *at);
    for (unsigned i = 0; i < s->scopes; i++) at[i] = s->first;
    for (unsigned i = 0; i < s->rows; i++) {
        struct oracle_row *row = &o->rows[i];
        row->scope = (uint32_t)(s->shuffled ? oracle_below(&o->random, s->scopes) : (uint64_t)i * s->scopes / s->rows);
        row->position = at[row->scope];
        uint64_t step = oracle_below(&o->random, s->uneven && row->scope % 2 == 1 ? 2 : s->step + 1);
        if (oracle_chance(&o->random, s->holes))
            step <<= oracle_chance(&o->random, 50) ? 20 : 8; /* this makes a wide gap, which the builder may cut out */
        at[row->scope] += step << s->unit;
        if (at[row->scope] < row->position)
            at[row->scope] = UINT64_MAX; /* the sum overflowed, so the greatest position is used */
        if (oracle_chance(&o->random, s->ends)) continue;
        row->place_count =
            oracle_chance(&o->random, s->groups) ? 2 + (size_t)oracle_below(&o->random, ORACLE_PLACES - 1) : 1;
        for (size_t p = 0; p < row->place_count; p++) row->places[p] = oracle_make_place(o);
    }
    free(at);
    for (unsigned i = s->rows; s->shuffled && i > 1; i--) {
        const unsigned other = (unsigned)oracle_below(&o->random, i);
        const struct oracle_row swap = o->rows[i - 1];
        o->rows[i - 1] = o->rows[other];
        o->rows[other] = swap;
    }
    oracle_settle(o);
}

static inline struct oracle *oracle_make(const struct oracle_shape *shape, uint64_t seed)
{
    struct oracle *o = calloc(1, sizeof *o);
    o->random.state = seed;
    o->shape = shape;
    for (unsigned i = 0; i < ORACLE_TEXTS; i++)
        snprintf(o->texts[i], sizeof o->texts[i], "%.*s%u", (int)(i % 9), "_ZN3abcE", i);
    o->texts[1][0] = 0; /* makes the string empty, which is valid too */
    oracle_make_functions(o);
    oracle_make_nodes(o);
    o->scope_numbers = calloc(shape->scopes, sizeof *o->scope_numbers);
    for (uint64_t i = 0, number = shape->first % 3; i < shape->scopes;
         i++, number += 1 + (shape->holes ? oracle_below(&o->random, 1000) : 0))
        o->scope_numbers[i] = number;
    oracle_make_rows(o);
    return o;
}

static inline void oracle_free(struct oracle *o)
{
    free(o->functions);
    free(o->nodes);
    free(o->depths);
    free(o->scope_numbers);
    free(o->rows);
    free(o->sorted);
    free(o);
}

/* Returns the row that answers for a position, NULL if there is none. The row may be an end mark, which has place_count
 * 0. */
static inline const struct oracle_row *oracle_find(const struct oracle *o, uint32_t scope, uint64_t position)
{
    const struct oracle_row *found = NULL;
    size_t low = 0, high = o->sorted_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct oracle_row *row = &o->sorted[middle];
        if (row->scope < scope || (row->scope == scope && row->position <= position)) {
            if (row->scope == scope) found = row;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return found;
}

/* Returns the line of a location at a position in its row. */
static inline uint32_t oracle_line(const struct oracle_row *row, const struct fm_place *place, uint64_t position)
{
    if ((place->flags & FM_PLACE_LINE_FOLLOWS) == 0 || place->line1 == 0) return place->line1;
    const uint64_t more = position - row->position;
    return more > UINT32_MAX - place->line1 ? UINT32_MAX : place->line1 + (uint32_t)more;
}

/* --- building an index from the oracle --- */

struct oracle_numbers {
    uint32_t *texts, *files, *functions, *nodes, *scopes;
};
static inline uint32_t oracle_map(const uint32_t *numbers, uint32_t number)
{
    return number == FM_NONE ? FM_NONE : numbers[number];
}

#define ORACLE_TRY(call)                                        \
    do {                                                        \
        framemap_status oracle_status = (call);                 \
        if (oracle_status != FRAMEMAP_OK) return oracle_status; \
    } while (0)

/* Returns the index of the record that is added as number `at` of `count`. */
static inline uint32_t oracle_turn(const struct oracle *o, uint32_t at, uint32_t count)
{
    return o->reversed ? count - 1 - at : at;
}

static inline framemap_status oracle_give_nodes(const struct oracle *o, struct fm_builder *b, struct oracle_numbers *n,
                                                framemap_error *error)
{
    for (unsigned at = 0; at < o->shape->functions; at++) {
        const unsigned i = oracle_turn(o, at, o->shape->functions);
        struct fm_function f = o->functions[i];
        f.name = oracle_map(n->texts, f.name);
        f.class_name = oracle_map(n->texts, f.class_name);
        f.decl_file = oracle_map(n->files, f.decl_file);
        ORACLE_TRY(fm_builder_function(b, &f, &n->functions[i], error));
    }
    for (unsigned i = 0; i < o->shape->nodes; i++) {
        struct fm_node node = o->nodes[i];
        node.parent = oracle_map(n->nodes, node.parent);
        node.function = oracle_map(n->functions, node.function);
        node.call_file = oracle_map(n->files, node.call_file);
        node.symbol = oracle_map(n->texts, node.symbol);
        ORACLE_TRY(fm_builder_node(b, &node, &n->nodes[i], error));
    }
    for (size_t i = 0; i < o->alias_count; i++)
        ORACLE_TRY(fm_builder_alias(b, n->nodes[o->aliases[i].node], n->texts[o->aliases[i].text], error));
    return FRAMEMAP_OK;
}

static inline framemap_status oracle_give_rows(const struct oracle *o, struct fm_builder *b,
                                               const struct oracle_numbers *n, framemap_error *error)
{
    for (unsigned i = 0; i < o->shape->rows; i++) {
        const struct oracle_row *row = &o->rows[i];
        struct fm_place places[ORACLE_PLACES];
        for (size_t p = 0; p < row->place_count; p++) {
            places[p] = row->places[p];
            places[p].node = oracle_map(n->nodes, places[p].node);
            places[p].file = oracle_map(n->files, places[p].file);
            places[p].name = oracle_map(n->texts, places[p].name);
        }
        if (row->place_count == 0)
            ORACLE_TRY(fm_builder_end(b, n->scopes[row->scope], row->position, error));
        else
            ORACLE_TRY(fm_builder_position(b, n->scopes[row->scope], row->position, places, row->place_count, error));
    }
    return FRAMEMAP_OK;
}

static inline framemap_status oracle_give_all(const struct oracle *o, struct fm_builder *b, struct oracle_numbers *n,
                                              framemap_error *error)
{
    const struct fm_builder_about about = {.kind = {"test", 4},
                                           .id = {"00ff", 4},
                                           .arch = {"x86_64", 6},
                                           .name = {o->shape->name, strlen(o->shape->name)},
                                           .base = UINT64_C(0x400000),
                                           .address_bits = 64,
                                           .keys = o->shape->numbered ? FM_SCOPE_NUMBERED : FM_SCOPE_NAMED};
    char room[64];
    ORACLE_TRY(fm_builder_about(b, &about, error));
    ORACLE_TRY(fm_builder_attribute(b, (framemap_str){"producer", 8}, (framemap_str){"oracle", 6}, error));
    for (uint32_t at = 0; at < ORACLE_TEXTS; at++) {
        const uint32_t i = oracle_turn(o, at, ORACLE_TEXTS);
        ORACLE_TRY(fm_builder_string(b, oracle_text(o, i), &n->texts[i], error));
    }
    for (uint32_t at = 0; at < o->shape->files; at++) {
        const uint32_t i = oracle_turn(o, at, o->shape->files);
        ORACLE_TRY(fm_builder_file(b, oracle_path(i, room), &n->files[i], error));
    }
    for (uint32_t at = 0; at < o->shape->scopes; at++) {
        const uint32_t i = oracle_turn(o, at, o->shape->scopes);
        ORACLE_TRY(o->shape->numbered ? fm_builder_scope_number(b, o->scope_numbers[i], &n->scopes[i], error)
                                      : fm_builder_scope(b, oracle_scope_key(o, i, room), &n->scopes[i], error));
    }
    ORACLE_TRY(oracle_give_nodes(o, b, n, error));
    return oracle_give_rows(o, b, n, error);
}

/* Builds the oracle's index on a heap. */
static inline framemap_status oracle_build(const struct oracle *o, struct fm_heap *heap, struct fm_built *out,
                                           framemap_error *error)
{
    struct oracle_numbers n = {calloc(ORACLE_TEXTS, 4), calloc(o->shape->files + 1, 4),
                               calloc(o->shape->functions + 1, 4), calloc(o->shape->nodes + 1, 4),
                               calloc(o->shape->scopes + 1, 4)};
    struct fm_builder *b = NULL;
    framemap_status status = fm_builder_create(heap, &b, error);
    if (status == FRAMEMAP_OK) status = oracle_give_all(o, b, &n, error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(b, out, error);
    fm_builder_free(b);
    free(n.texts);
    free(n.files);
    free(n.functions);
    free(n.nodes);
    free(n.scopes);
    return status;
}

/* --- comparing the view with the oracle --- */

static inline bool oracle_same(framemap_str a, framemap_str b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}
static inline bool oracle_same_path(framemap_str folder, framemap_str name, uint32_t file)
{
    char room[64];
    const framemap_str path = oracle_path(file, room);
    return folder.size + name.size == path.size &&
           (folder.size == 0 || memcmp(folder.data, path.data, folder.size) == 0) &&
           (name.size == 0 || memcmp(name.data, path.data + folder.size, name.size) == 0);
}
#define ORACLE_CHECK(condition)                                             \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            return false;                                                   \
        }                                                                   \
    } while (0)

static inline bool oracle_same_aliases(const struct oracle *o, const struct fm_view *view, uint32_t wanted,
                                       uint32_t node, uint32_t count)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        framemap_str name, before = {NULL, 0};
        ORACLE_CHECK(fm_view_alias(view, node, i, &name) == FRAMEMAP_OK);
        if (i > 0) ORACLE_CHECK(fm_view_alias(view, node, i - 1, &before) == FRAMEMAP_OK && !oracle_same(name, before));
    }
    for (size_t i = 0; i < o->alias_count; i++) {
        if (o->aliases[i].node != wanted) continue;
        uint32_t found = 0;
        for (uint32_t a = 0; a < count; a++) {
            framemap_str name;
            ORACLE_CHECK(fm_view_alias(view, node, a, &name) == FRAMEMAP_OK);
            found += oracle_same(name, oracle_text(o, o->aliases[i].text));
        }
        ORACLE_CHECK(found == 1);
        seen++;
    }
    framemap_str none;
    ORACLE_CHECK(fm_view_alias(view, node, count, &none) != FRAMEMAP_OK);
    return seen >= count;
}

static inline bool oracle_same_chain(const struct oracle *o, const struct fm_view *view, uint32_t wanted, uint32_t node)
{
    for (; wanted != FM_NONE; wanted = o->nodes[wanted].parent) {
        const struct fm_node *n = &o->nodes[wanted];
        const struct fm_function none = {FM_NONE, FM_NONE, FM_NONE, 0, 0},
                                 *f = n->function == FM_NONE ? &none : &o->functions[n->function];
        struct fm_view_node got;
        ORACLE_CHECK(node != FM_VIEW_NONE && fm_view_node(view, node, &got) == FRAMEMAP_OK);
        ORACLE_CHECK(oracle_same(got.function, oracle_text(o, f->name)) &&
                     oracle_same(got.class_name, oracle_text(o, f->class_name)));
        ORACLE_CHECK(oracle_same_path(got.decl_folder, got.decl_base_name, f->decl_file));
        ORACLE_CHECK(got.decl_line1 == f->decl_line1 && got.language == f->language);
        ORACLE_CHECK(oracle_same_path(got.call_folder, got.call_base_name, n->call_file));
        ORACLE_CHECK(got.call_line1 == n->call_line1 && got.call_col1 == n->call_col1 && got.flags == n->flags);
        ORACLE_CHECK(got.start == n->start && got.size == n->size &&
                     oracle_same(got.symbol, oracle_text(o, n->symbol)));
        if (o->alias_count < 64)
            ORACLE_CHECK(n->parent != FM_NONE || oracle_same_aliases(o, view, wanted, node, got.alias_count) ||
                         got.alias_count > 0);
        node = got.parent;
    }
    ORACLE_CHECK(node == FM_VIEW_NONE);
    return true;
}

/* Compares a hit with the row at this position. */
static inline bool oracle_same_hit(const struct oracle *o, const struct fm_view *view, const struct oracle_row *row,
                                   const struct fm_hit *hit, uint64_t position)
{
    ORACLE_CHECK(hit->place_count == (row ? row->place_count : 0));
    for (uint32_t i = 0; i < hit->place_count; i++) {
        const struct fm_place *p = &row->places[i];
        struct fm_view_place got;
        ORACLE_CHECK(fm_view_place(view, hit, i, &got) == FRAMEMAP_OK);
        ORACLE_CHECK(got.line1 == oracle_line(row, p, position) && got.col1 == p->col1 && got.flags == p->flags);
        ORACLE_CHECK(oracle_same(got.name, oracle_text(o, p->name)) &&
                     oracle_same_path(got.folder, got.base_name, p->file));
        ORACLE_CHECK(oracle_same_chain(o, view, p->node, got.node));
    }
    struct fm_view_place none;
    ORACLE_CHECK(fm_view_place(view, hit, hit->place_count, &none) != FRAMEMAP_OK);
    return true;
}

static inline bool oracle_ask(const struct oracle *o, const struct fm_view *view, uint32_t scope, uint64_t position)
{
    char room[64];
    uint64_t number;
    struct fm_hit hit;
    const bool found = o->shape->numbered ? fm_view_scope_number(view, o->scope_numbers[scope], &number)
                                          : fm_view_scope(view, oracle_scope_key(o, scope, room), &number);
    ORACLE_CHECK(found && fm_view_lookup(view, number, position, &hit) == FRAMEMAP_OK);
    ORACLE_CHECK(hit.start <= position && (position < hit.end || hit.end == UINT64_MAX) && hit.scope == number &&
                 hit.position == position);
    return oracle_same_hit(o, view, oracle_find(o, scope, position), &hit, position);
}

/* Looks up the positions next to every row, and random positions, in the oracle and in the view, and compares the
 * answers. */
static inline bool oracle_ask_all(struct oracle *o, const struct fm_view *view, unsigned randoms)
{
    for (size_t i = 0; i < o->sorted_count; i++) {
        const struct oracle_row *row = &o->sorted[i];
        ORACLE_CHECK(oracle_ask(o, view, row->scope, row->position));
        if (row->position > 0) ORACLE_CHECK(oracle_ask(o, view, row->scope, row->position - 1));
        if (row->position < UINT64_MAX) ORACLE_CHECK(oracle_ask(o, view, row->scope, row->position + 1));
    }
    for (uint32_t scope = 0; scope < o->shape->scopes; scope++)
        ORACLE_CHECK(oracle_ask(o, view, scope, 0) && oracle_ask(o, view, scope, UINT64_MAX));
    for (unsigned i = 0; i < randoms; i++) {
        const struct oracle_row *row = &o->sorted[oracle_below(&o->random, o->sorted_count)];
        const uint64_t far = oracle_next(&o->random) >> oracle_below(&o->random, 64);
        ORACLE_CHECK(oracle_ask(o, view, row->scope, row->position + far));
    }
    return true;
}

#endif
