/* Implements scoped_find.h: searches the catalogs (lists of symbol files) of the text's labels one after the other, and
 * reports by what the file was found: its id, its labels or its name. Without an id, the search ends at a catalog with
 * several builds. */
#include "session/catalog/scoped_find.h"

static const framemap_str no_id = {NULL, 0};
static const char not_labeled[] =
    "no source map was given for this script: those given have labels that the scope of the text does not match";

static size_t id_count(const framemap_scope *scope) { return scope ? scope->id_count : 0; }

/* --- images --- */

/* The way in which one catalog is searched. */
struct image_search {
    enum fm_found (*find)(struct fm_catalog *catalog, const framemap_image_query *want, const struct fm_entry **out);
    framemap_match by_text; /* how the file was found, if its labels were not the reason; for *matched_by */
};

static enum fm_found find_dart(struct fm_catalog *catalog, const framemap_image_query *want,
                               const struct fm_entry **out)
{
    return fm_catalog_find_dart(catalog, want->id, want->arch, out);
}

static enum fm_found find_names(struct fm_catalog *catalog, const framemap_image_query *want,
                                const struct fm_entry **out)
{
    (void)want;
    return fm_catalog_find_names(catalog, out);
}

/* Searches the catalogs in the order of their labels, until one has a file that fits. If no file fits, the first file
 * that was refused is reported. For a query without an id, the search ends at a catalog that has several builds of the
 * image. */
static enum fm_found walk_all(struct fm_label_sets *sets, const framemap_scope *scope,
                              const struct image_search *search, const framemap_image_query *want,
                              const struct fm_entry **out, framemap_match *matched_by)
{
    struct fm_scope_walk walk;
    enum fm_found refused = FM_FOUND_NOTHING;
    const struct fm_entry *other = NULL;
    fm_scope_walk_begin(&walk, sets, scope, want->id);
    for (struct fm_catalog *catalog; (catalog = fm_scope_walk_next(&walk)) != NULL;) {
        const struct fm_entry *entry = NULL;
        const enum fm_found found = search->find(catalog, want, &entry);
        if (found == FM_FOUND) {
            *matched_by = want->id.size ? FRAMEMAP_MATCH_ID : walk.is_labeled ? FRAMEMAP_MATCH_SCOPE : search->by_text;
            *out = entry;
            return found;
        }
        if (refused == FM_FOUND_NOTHING) {
            refused = found;
            other = entry;
        }
        if (found == FM_FOUND_NO_MEMORY || (found == FM_FOUND_SEVERAL && want->id.size == 0)) break;
    }
    *out = other;
    return refused;
}

/* Finds a file that has one of the ids in the scope, for a text without ids. module: name of the file; absent: any name
 * is accepted. */
static bool find_of_scope(struct fm_label_sets *sets, const framemap_scope *scope, framemap_str module,
                          framemap_str arch, bool dart, const struct fm_entry **out)
{
    static const struct image_search by_id = {fm_catalog_find, FRAMEMAP_MATCH_ID};
    framemap_match matched_by;
    for (size_t i = 0; i < id_count(scope); i++) {
        const framemap_image_query want = {.id = scope->ids[i]};
        const struct fm_entry *entry;
        if (walk_all(sets, scope, &by_id, &want, &entry, &matched_by) != FM_FOUND) continue;
        if (!fm_arch_matches(entry->arch, arch) || entry->is_dart != dart) continue;
        if (!dart && !fm_str_equal(entry->name, fm_module_name(module))) continue;
        *out = entry;
        return true;
    }
    return false;
}

enum fm_found fm_scoped_find(struct fm_label_sets *sets, const framemap_scope *scope, const framemap_image_query *want,
                             const struct fm_entry **out, framemap_match *matched_by)
{
    static const struct image_search search = {fm_catalog_find, FRAMEMAP_MATCH_NAME};
    *matched_by = FRAMEMAP_MATCH_SCOPE;
    if (want->id.size == 0 && find_of_scope(sets, scope, want->name, want->arch, false, out)) return FM_FOUND;
    return walk_all(sets, scope, &search, want, out, matched_by);
}

enum fm_found fm_scoped_find_dart(struct fm_label_sets *sets, const framemap_scope *scope, framemap_str id,
                                  framemap_str arch, const struct fm_entry **out, framemap_match *matched_by)
{
    static const struct image_search search = {find_dart, FRAMEMAP_MATCH_ONLY_MAP};
    const framemap_image_query want = {.id = id, .arch = arch};
    *matched_by = FRAMEMAP_MATCH_SCOPE;
    if (id.size == 0 && find_of_scope(sets, scope, no_id, arch, true, out)) return FM_FOUND;
    return walk_all(sets, scope, &search, &want, out, matched_by);
}

enum fm_found fm_scoped_find_names(struct fm_label_sets *sets, const framemap_scope *scope, const struct fm_entry **out)
{
    static const struct image_search search = {find_names, FRAMEMAP_MATCH_ONLY_MAP};
    const framemap_image_query any = {.id = no_id};
    framemap_match matched_by;
    return walk_all(sets, scope, &search, &any, out, &matched_by);
}

bool fm_scoped_is_other(struct fm_label_sets *sets, const framemap_scope *scope)
{
    struct fm_scope_walk walk;
    fm_scope_walk_begin(&walk, sets, scope, no_id);
    (void)fm_scope_walk_next(&walk);
    return !walk.is_labeled && sets->count > 0 && sets->unlabeled->count == 0;
}

/* --- finding source maps in a scope --- */

static bool is_by_id(const struct fm_js_map_choice *choice)
{
    return choice->count > 0 && choice->matched_by == FRAMEMAP_MATCH_DEBUG_ID;
}

/* Finds a map with the id of the query in any catalog that the scope's tenant may use. */
static bool map_by_id(struct fm_label_sets *sets, const framemap_scope *scope, const struct fm_js_map_query *want,
                      struct fm_js_map_choice *out)
{
    struct fm_scope_walk walk;
    out->count = 0;
    if (want->id.size == 0) return true;
    fm_scope_walk_begin(&walk, sets, scope, want->id);
    for (struct fm_catalog *catalog; (catalog = fm_scope_walk_next(&walk)) != NULL;) {
        if (!fm_js_map_choose(catalog, want, out)) return false;
        if (is_by_id(out)) return true;
    }
    out->count = 0;
    return true;
}

bool fm_scoped_map(struct fm_label_sets *sets, const framemap_scope *scope, const struct fm_js_map_query *want,
                   struct fm_js_map_choice *out)
{
    struct fm_scope_walk walk;
    struct fm_js_map_choice next;
    bool first = true;
    if (sets->count == 0) return fm_js_map_choose(sets->unlabeled, want, out);
    if (!map_by_id(sets, scope, want, out)) return false;
    if (out->count > 0) return true;
    fm_scope_walk_begin(&walk, sets, scope, no_id);
    for (struct fm_catalog *catalog; (catalog = fm_scope_walk_next(&walk)) != NULL; first = false) {
        if (!fm_js_map_choose(catalog, want, &next)) return false;
        if (next.count > 0 || first || fm_js_map_choice_is_empty(out)) *out = next;
        if (out->count == 0) continue;
        if (walk.is_labeled && !is_by_id(out)) out->matched_by = FRAMEMAP_MATCH_SCOPE;
        return true;
    }
    if (fm_js_map_choice_is_empty(out)) out->reason = not_labeled;
    return true;
}

bool fm_scoped_map_of_id(struct fm_label_sets *sets, const framemap_scope *scope, size_t number, bool bytecode,
                         struct fm_js_map_choice *out)
{
    const struct fm_js_map_query want = {.id = scope->ids[number], .bytecode = bytecode};
    if (!map_by_id(sets, scope, &want, out)) return false;
    out->matched_by = FRAMEMAP_MATCH_SCOPE;
    return true;
}

bool fm_scoped_any_map(struct fm_label_sets *sets, const framemap_scope *scope, bool bytecode,
                       struct fm_js_map_choice *out)
{
    struct fm_scope_walk walk;
    for (size_t i = 0; i < id_count(scope); i++) {
        if (!fm_scoped_map_of_id(sets, scope, i, bytecode, out)) return false;
        if (out->count > 0) return true;
    }
    fm_scope_walk_begin(&walk, sets, scope, no_id);
    for (struct fm_catalog *catalog; (catalog = fm_scope_walk_next(&walk)) != NULL;) {
        fm_js_map_choose_any(catalog, bytecode, out);
        out->matched_by = walk.is_labeled ? FRAMEMAP_MATCH_SCOPE : FRAMEMAP_MATCH_ONLY_MAP;
        if (!fm_js_map_choice_is_empty(out)) return true;
    }
    return true;
}
