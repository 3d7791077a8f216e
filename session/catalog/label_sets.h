/* The labels of symbol paths: app, build, tenant. Each set of labels has a catalog of its own, and a search visits the
 * catalogs that a text may use. Called by session.c, scoped_find.c and the restorers. The caller holds the session's
 * lock. */
#ifndef FM_SESSION_CATALOG_LABEL_SETS_H
#define FM_SESSION_CATALOG_LABEL_SETS_H

#include "session/catalog/catalog.h"

enum { FM_LABEL_APP, FM_LABEL_BUILD, FM_LABEL_TENANT, FM_LABELS };

struct fm_label_sets;

/* Symbol paths with equal labels. */
struct fm_label_set {
    framemap_str labels[FM_LABELS]; /* app, build and tenant; absent: the paths have no such label */
    struct fm_catalog catalog;
    struct fm_label_sets *owner;
    uint32_t number;
};

/* The first digits of the id of a file in a labeled set. Tools may shorten ids, but not to fewer digits than these. */
struct fm_label_id {
    char digits[8];     /* the first digits of an id, followed by zeros if the id is shorter */
    uint32_t set, next; /* `next`: next row with the same digits; UINT32_MAX: there is no further row */
};

struct fm_label_sets {
    struct fm_heap *heap;
    struct fm_arena arena;
    struct fm_catalog *unlabeled; /* catalog of the paths without labels; borrowed */
    struct fm_label_set **rows;
    size_t count, capacity;
    struct fm_table table; /* sets by their labels */
    struct fm_label_id *ids;
    size_t id_count, id_capacity;
    struct fm_table id_table; /* the first row for each value of `digits` */
};

void fm_label_sets_init(struct fm_label_sets *sets, struct fm_heap *heap, struct fm_catalog *unlabeled);
void fm_label_sets_free(struct fm_label_sets *sets);
/* Returns the catalog of the paths with these labels; makes it if necessary. labels: NULL or all absent for paths
 * without labels. Returns NULL if out of memory. */
struct fm_catalog *fm_label_sets_open(struct fm_label_sets *sets, const framemap_scope *labels);

/* Visits the catalogs that a text may use. The scope has the labels of the text. The first catalogs are those whose
 * labels all equal the labels in the scope: a catalog with more labels precedes one with fewer, and the catalog of the
 * unlabeled paths is last. If the search is for an id, the catalogs that may have a file with that id follow, whatever
 * their app and build are. Catalogs of another tenant are never visited. */
struct fm_scope_walk {
    struct fm_label_sets *sets;
    const framemap_scope *scope;
    size_t step;
    uint32_t id_row;
    bool is_labeled; /* the last catalog was visited because of the scope, not of an id, and it has labels */
};
/* Begins a visit. scope: borrowed; NULL: the text has no scope. id: absent for a search without an id. */
void fm_scope_walk_begin(struct fm_scope_walk *walk, struct fm_label_sets *sets, const framemap_scope *scope,
                         framemap_str id);
/* Returns the next catalog; NULL: there is no further catalog. */
struct fm_catalog *fm_scope_walk_next(struct fm_scope_walk *walk);

#endif
