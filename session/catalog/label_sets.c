/* Implements label_sets.h: finds the catalog (list of symbol files) for a set of labels in a hash table. A search
 * visits the catalogs with the most labels first, then the one without labels, then those that have the wanted id. */
#include "session/catalog/label_sets.h"

/* ID_DIGITS: R8 shortens its ids to 7 digits; a shorter text is not accepted as the start of an id. */
enum { ID_DIGITS = 7, ALL_LABELS = (1 << FM_LABELS) - 1 };

void fm_label_sets_init(struct fm_label_sets *sets, struct fm_heap *heap, struct fm_catalog *unlabeled)
{
    *sets = (struct fm_label_sets){.heap = heap, .unlabeled = unlabeled};
    fm_arena_init(&sets->arena, heap);
    fm_table_init(&sets->table, heap);
    fm_table_init(&sets->id_table, heap);
}

void fm_label_sets_free(struct fm_label_sets *sets)
{
    for (size_t i = 0; i < sets->count; i++) {
        fm_catalog_free(&sets->rows[i]->catalog);
        fm_heap_free(sets->heap, sets->rows[i], sizeof *sets->rows[i]);
    }
    fm_heap_free(sets->heap, sets->rows, sets->capacity * sizeof *sets->rows);
    fm_heap_free(sets->heap, sets->ids, sets->id_capacity * sizeof *sets->ids);
    fm_table_free(&sets->table);
    fm_table_free(&sets->id_table);
    fm_arena_free(&sets->arena);
}

/* --- ids --- */

static bool digits_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_label_sets *sets = context;
    return memcmp(sets->ids[number].digits, key, sizeof sets->ids[number].digits) == 0;
}

static uint32_t find_digits(const struct fm_label_sets *sets, framemap_str id, char digits[8])
{
    memset(digits, 0, 8);
    if (id.size > 0) memcpy(digits, id.data, id.size < ID_DIGITS ? id.size : ID_DIGITS);
    return fm_table_find(&sets->id_table, fm_hash64(digits, 8, fm_hash_key(sets)), digits_equal, sets, digits);
}

/* Records the id of an entry that was added to a set. Rows whose ids have the same first digits form a list; a new row
 * becomes the second one of its list. */
static bool note_id(void *context, const struct fm_entry *entry)
{
    struct fm_label_set *set = context;
    struct fm_label_sets *sets = set->owner;
    struct fm_label_id row = {.set = set->number, .next = UINT32_MAX};
    if (entry->id.size == 0) return true;
    const uint32_t first = find_digits(sets, entry->id, row.digits);
    if (first != UINT32_MAX) {
        const uint32_t newest = sets->ids[first].next;
        if (sets->ids[first].set == set->number) return true;
        if (newest != UINT32_MAX && sets->ids[newest].set == set->number) return true;
        row.next = newest;
    }
    if (!FM_GROW(sets->heap, sets->ids, sets->id_capacity, sets->id_count + 1)) return false;
    const uint32_t number = (uint32_t)sets->id_count;
    if (first == UINT32_MAX && !fm_table_add(&sets->id_table, fm_hash64(row.digits, 8, fm_hash_key(sets)), number))
        return false;
    sets->ids[sets->id_count++] = row;
    if (first != UINT32_MAX) sets->ids[first].next = number;
    return true;
}

/* --- sets --- */

struct wanted_labels {
    framemap_str labels[FM_LABELS];
};

static struct wanted_labels labels_of(const framemap_scope *scope, unsigned mask)
{
    struct wanted_labels wanted = {{{NULL, 0}}};
    if (scope == NULL) return wanted;
    const framemap_str given[FM_LABELS] = {scope->app, scope->build, scope->tenant};
    for (unsigned i = 0; i < FM_LABELS; i++)
        if (mask >> i & 1) wanted.labels[i] = given[i];
    return wanted;
}

static unsigned mask_of(const framemap_scope *scope)
{
    const struct wanted_labels all = labels_of(scope, ALL_LABELS);
    unsigned mask = 0;
    for (unsigned i = 0; i < FM_LABELS; i++) mask |= (all.labels[i].size > 0 ? 1u : 0u) << i;
    return mask;
}

static uint64_t hash_labels(const struct fm_label_sets *sets, const struct wanted_labels *wanted)
{
    uint64_t hash = fm_hash_key(sets);
    for (unsigned i = 0; i < FM_LABELS; i++) hash = fm_hash_text(wanted->labels[i], hash);
    return hash;
}

static bool labels_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_label_sets *sets = context;
    const struct wanted_labels *wanted = key;
    for (unsigned i = 0; i < FM_LABELS; i++)
        if (!fm_str_equal(sets->rows[number]->labels[i], wanted->labels[i])) return false;
    return true;
}

static struct fm_label_set *find_set(const struct fm_label_sets *sets, const struct wanted_labels *wanted)
{
    if (sets->count == 0) return NULL;
    const uint32_t number = fm_table_find(&sets->table, hash_labels(sets, wanted), labels_equal, sets, wanted);
    return number == UINT32_MAX ? NULL : sets->rows[number];
}

static bool set_up(struct fm_label_sets *sets, struct fm_label_set *set, const struct wanted_labels *wanted)
{
    set->owner = sets;
    set->number = (uint32_t)sets->count;
    fm_catalog_init(&set->catalog, sets->heap);
    set->catalog.same_build = sets->unlabeled->same_build;
    set->catalog.same_build_context = sets->unlabeled->same_build_context;
    set->catalog.added = note_id;
    set->catalog.added_context = set;
    for (unsigned i = 0; i < FM_LABELS; i++)
        if (!fm_arena_str(&sets->arena, wanted->labels[i], &set->labels[i])) return false;
    return fm_table_add(&sets->table, hash_labels(sets, wanted), set->number);
}

struct fm_catalog *fm_label_sets_open(struct fm_label_sets *sets, const framemap_scope *labels)
{
    const struct wanted_labels wanted = labels_of(labels, ALL_LABELS);
    if (mask_of(labels) == 0) return sets->unlabeled;
    struct fm_label_set *set = find_set(sets, &wanted);
    if (set != NULL) return &set->catalog;
    if (sets->count >= UINT32_MAX - 1 || !FM_GROW(sets->heap, sets->rows, sets->capacity, sets->count + 1)) return NULL;
    set = fm_heap_zalloc(sets->heap, 1, sizeof *set);
    if (set == NULL || !set_up(sets, set, &wanted)) {
        fm_heap_free(sets->heap, set, sizeof *set);
        return NULL;
    }
    sets->rows[sets->count++] = set;
    return &set->catalog;
}

/* --- visiting the catalogs of a scope --- */

void fm_scope_walk_begin(struct fm_scope_walk *walk, struct fm_label_sets *sets, const framemap_scope *scope,
                         framemap_str id)
{
    char digits[8];
    *walk = (struct fm_scope_walk){.sets = sets, .scope = scope, .id_row = UINT32_MAX};
    if (id.size > 0 && sets->count > 0) walk->id_row = find_digits(sets, id, digits);
}

static bool is_of_tenant(const struct fm_label_set *set, const framemap_scope *scope)
{
    const framemap_str tenant = set->labels[FM_LABEL_TENANT];
    return tenant.size == 0 || (scope != NULL && fm_str_equal(tenant, scope->tenant));
}

struct fm_catalog *fm_scope_walk_next(struct fm_scope_walk *walk)
{
    /* These are bit masks for sets of labels, in the order in which the sets are visited: sets with more labels come
     * first. */
    static const unsigned char order[] = {7, 3, 5, 6, 1, 2, 4};
    const unsigned said = mask_of(walk->scope);
    while (walk->step < sizeof order) {
        const unsigned mask = order[walk->step++];
        if ((mask & said) != mask) continue;
        const struct wanted_labels wanted = labels_of(walk->scope, mask);
        struct fm_label_set *set = find_set(walk->sets, &wanted);
        walk->is_labeled = true;
        if (set) return &set->catalog;
    }
    walk->is_labeled = false;
    if (walk->step++ == sizeof order) return walk->sets->unlabeled;
    while (walk->id_row != UINT32_MAX) {
        const struct fm_label_id *row = &walk->sets->ids[walk->id_row];
        walk->id_row = row->next;
        if (is_of_tenant(walk->sets->rows[row->set], walk->scope)) return &walk->sets->rows[row->set]->catalog;
    }
    return NULL;
}
