/* Opens arbitrary bytes as an index, or builds an index from arbitrary records and reads it; the first byte selects
 * which. For bytes, checksums are corrected first. Properties: opening, lookups, iteration, splitting and verifying
 * do not crash; an index that verifies answers every query; short answers, single and in batches, agree with whole
 * answers. For records: the index verifies, and the lookup of every position returns the record that was added last
 * for it. */
#include "fuzz/support/seal.h"
#include "fuzz/support/use_view.h"
#include "index/write/builder.h"
#include <stdlib.h>
#include <string.h>

static void must(bool holds)
{
    if (!holds) abort();
}

static void try_bytes(const uint8_t *data, size_t size, bool sealed)
{
    struct fm_heap heap;
    struct fm_view *view = NULL;
    unsigned char *copy = malloc(size ? size : 1);
    if (copy == NULL) return;
    if (size) memcpy(copy, data, size);
    if (sealed) fm_fuzz_seal(copy, size, true);
    fm_heap_init(&heap, NULL, (uint64_t)256 << 20);
    if (fm_view_open((framemap_str){(const char *)copy, size}, &heap, &view, NULL) == FRAMEMAP_OK)
        use_view(view, &heap, fm_view_verify(view, NULL) == FRAMEMAP_OK);
    fm_view_close(view);
    must(heap.used == 0);
    free(copy);
}

/* --- giving records to a builder, and reading them back --- */

/* The input as a sequence of numbers; after its end they are zeros. */
struct source {
    const uint8_t *data;
    size_t size;
};
static uint64_t number(struct source *s, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes && s->size > 0; i++, s->size--) value = value << 8 | *s->data++;
    return value;
}
/* Returns a number below `count`, or sometimes FM_NONE. */
static uint32_t pick(struct source *s, uint32_t count)
{
    const uint32_t value = (uint32_t)number(s, 1);
    return count == 0 || value % 7 == 6 ? FM_NONE : value % count;
}

#define ROWS_MOST 200
#define THINGS_MOST 24
#define SCOPES_MOST 20

struct row {
    uint64_t position;
    uint32_t scope;
    size_t count; /* number of source positions; 0: the row only ends the previous row */
    struct fm_place places[3];
};
struct records {
    struct fm_builder *builder;
    uint32_t strings, files, functions, nodes, scopes;
    uint64_t scope_numbers[SCOPES_MOST];
    char scope_keys[SCOPES_MOST][2];
    uint8_t scope_key_sizes[SCOPES_MOST];
    struct row rows[ROWS_MOST];
    size_t row_count;
    bool numbered;
};

static void give_things(struct records *r, struct source *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz/abc/\\.:aaaaaaaaaaaaaaaaaaaaaaaa";
    uint32_t out;
    for (uint32_t i = 0; i < THINGS_MOST / 2; i++) {
        const size_t from = (size_t)(number(s, 1) % 30), size = (size_t)(number(s, 1) % (sizeof letters - 1 - from));
        must(fm_builder_string(r->builder, (framemap_str){letters + from, size}, &out, NULL) == FRAMEMAP_OK);
        if (out + 1 > r->strings) r->strings = out + 1;
        must(fm_builder_file(r->builder, (framemap_str){letters + from, size}, &out, NULL) == FRAMEMAP_OK);
        if (out + 1 > r->files) r->files = out + 1;
    }
    for (uint32_t i = 0; i < THINGS_MOST; i++) {
        const struct fm_function f = {pick(s, r->strings), pick(s, r->strings), pick(s, r->files),
                                      (uint32_t)number(s, 2), (uint8_t)number(s, 1)};
        must(fm_builder_function(r->builder, &f, &out, NULL) == FRAMEMAP_OK);
        if (out + 1 > r->functions) r->functions = out + 1;
    }
    for (uint32_t i = 0; i < THINGS_MOST; i++) {
        const struct fm_node n = {.parent = pick(s, r->nodes),
                                  .function = pick(s, r->functions),
                                  .call_file = pick(s, r->files),
                                  .call_line1 = (uint32_t)number(s, 1 + i % 4),
                                  .call_col1 = (uint32_t)number(s, 1),
                                  .flags = (uint32_t)number(s, 1) & 3,
                                  .start = number(s, 2),
                                  .size = number(s, 1),
                                  .symbol = pick(s, r->strings)};
        must(fm_builder_node(r->builder, &n, &out, NULL) == FRAMEMAP_OK);
        if (out + 1 > r->nodes) r->nodes = out + 1;
        const uint32_t alias = pick(s, r->strings);
        if (n.parent == FM_NONE && alias != FM_NONE)
            must(fm_builder_alias(r->builder, out, alias, NULL) == FRAMEMAP_OK);
    }
}

static void give_scopes(struct records *r, struct source *s)
{
    for (uint32_t i = 0; i < SCOPES_MOST; i++) {
        const char key[2] = {(char)number(s, 1), 'x'};
        const uint64_t line = number(s, 1 + i % 8);
        uint32_t out;
        if (r->numbered)
            must(fm_builder_scope_number(r->builder, line, &out, NULL) == FRAMEMAP_OK);
        else
            must(fm_builder_scope(r->builder, (framemap_str){key, i % 3}, &out, NULL) == FRAMEMAP_OK);
        r->scope_numbers[out] = line;
        memcpy(r->scope_keys[out], key, sizeof key);
        r->scope_key_sizes[out] = (uint8_t)(i % 3);
        if (out + 1 > r->scopes) r->scopes = out + 1;
    }
}

static void give_rows(struct records *r, struct source *s)
{
    uint64_t position = 0;
    while (s->size > 0 && r->row_count < ROWS_MOST) {
        struct row *row = &r->rows[r->row_count++];
        const uint8_t what = (uint8_t)number(s, 1);
        position += number(s, 1) << (what & 0x30 ? 0 : number(s, 1) % 64);
        row->position = position;
        row->scope = (uint32_t)number(s, 1) % r->scopes;
        row->count = what % 8 == 0 ? 0 : what % 8 < 6 ? 1 : what % 8 - 4;
        for (size_t i = 0; i < row->count; i++)
            row->places[i] = (struct fm_place){pick(s, r->nodes),
                                               pick(s, r->files),
                                               (uint32_t)number(s, what & 0x40 ? 4 : 1),
                                               (uint32_t)number(s, 1),
                                               what & 0x80 ? pick(s, r->strings) : FM_NONE,
                                               what >> 3 & 1};
        if (row->count == 0)
            must(fm_builder_end(r->builder, row->scope, row->position, NULL) == FRAMEMAP_OK);
        else
            must(fm_builder_position(r->builder, row->scope, row->position, row->places, row->count, NULL) ==
                 FRAMEMAP_OK);
    }
}

/* Returns the row that a lookup must find for a position, according to the rules of the builder. */
static const struct row *answer(const struct records *r, uint32_t scope, uint64_t position)
{
    const struct row *best = NULL;
    for (size_t i = 0; i < r->row_count; i++) {
        const struct row *row = &r->rows[i];
        if (row->scope != scope || row->position > position || (best && row->position < best->position)) continue;
        if (best && row->position == best->position && row->count == 0) continue;
        best = row;
    }
    return best;
}

static void check_row(const struct records *r, const struct fm_view *view, const struct row *row)
{
    const struct row *wanted = answer(r, row->scope, row->position);
    uint64_t scope;
    struct fm_hit hit;
    must(r->numbered
             ? fm_view_scope_number(view, r->scope_numbers[row->scope], &scope)
             : fm_view_scope(view, (framemap_str){r->scope_keys[row->scope], r->scope_key_sizes[row->scope]}, &scope));
    must(fm_view_lookup(view, scope, row->position, &hit) == FRAMEMAP_OK);
    must(hit.place_count == wanted->count);
    for (uint32_t i = 0; i < hit.place_count; i++) {
        const struct fm_place *place = &wanted->places[i];
        struct fm_view_place got;
        must(fm_view_place(view, &hit, i, &got) == FRAMEMAP_OK);
        must(got.col1 == place->col1 && got.flags == place->flags && got.line1 == place->line1);
        must((got.node == FM_VIEW_NONE) == (place->node == FM_NONE) &&
             (got.name.data == NULL) == (place->name == FM_NONE));
    }
}

static void try_records(const uint8_t *data, size_t size)
{
    static const struct fm_builder_about about = {.kind = {"fuzz", 4}};
    struct source s = {data, size};
    struct fm_heap heap;
    struct fm_built built = {NULL, 0};
    struct fm_view *view = NULL;
    struct records *r = calloc(1, sizeof *r);
    if (r == NULL) return;
    fm_heap_init(&heap, NULL, 0);
    must(fm_builder_create(&heap, &r->builder, NULL) == FRAMEMAP_OK);
    struct fm_builder_about said = about;
    r->numbered = number(&s, 1) & 1;
    said.keys = r->numbered ? FM_SCOPE_NUMBERED : FM_SCOPE_NAMED;
    must(fm_builder_about(r->builder, &said, NULL) == FRAMEMAP_OK);
    give_things(r, &s);
    give_scopes(r, &s);
    give_rows(r, &s);
    const framemap_status status = fm_builder_finish(r->builder, &built, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_EMPTY);
    if (status == FRAMEMAP_OK) {
        must(fm_view_open((framemap_str){(const char *)built.data, built.size}, &heap, &view, NULL) == FRAMEMAP_OK);
        must(fm_view_verify(view, NULL) == FRAMEMAP_OK);
        use_view(view, &heap, true);
        for (size_t i = 0; i < r->row_count; i++) check_row(r, view, &r->rows[i]);
    }
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    fm_builder_free(r->builder);
    must(heap.used == 0);
    free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    if (data[0] == 0)
        try_records(data + 1, size - 1);
    else
        try_bytes(data + 1, size - 1, data[0] != 1);
    return 0;
}
