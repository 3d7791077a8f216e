/* Finds the parents of entries. DWARF has no links from an entry to its parent, so a pass over the unit looks for the
 * entries by offset, and records which entries are open when it meets one of them. A parent may itself be declared
 * elsewhere (DW_AT_specification, DWARF 5 sections 3.3.1 and 5.7.1, or an abstract origin). Its scopes are then those
 * of the declaration, which is searched in another round. */
#include "mappers/native/dwarf/dw_scopes.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/native/dwarf/dw_leb.h"
#include "mappers/native/image/sorted_keys.h"

/* Limit for declarations that refer to further declarations. Real files need two: a class inside a member function. */
enum { ROUNDS = 4, MOST_SCOPES = 64 };

/* Index that is stored instead of a parent's index if the entry was not found. */
#define UNKNOWN (FM_NONE - 1)

struct fm_dw_scope_node {
    uint64_t offset;
    uint16_t tag;
    bool read; /* `name` and `declared` are known */
    framemap_str name;
    /* offset of the entry that declares what this entry defines; the entry's own offset if there is no other entry */
    uint64_t declared;
    uint32_t parent; /* node of the parent, or FM_NONE */
};

/* A debugging entry with children, while the walk is inside of it. */
struct fm_dw_scope_level {
    uint64_t offset;
    uint32_t depth, node; /* node: FM_NONE until a target inside of the entry is found */
    uint16_t tag;
};

void fm_dw_scopes_init(struct fm_dw_scopes *scopes, struct fm_heap *heap, const struct fm_dw_units *units,
                       struct fm_dw_abbrevs *abbrevs, struct fm_dw_library *library)
{
    *scopes = (struct fm_dw_scopes){
        .heap = heap, .sections = units->sections, .units = units, .abbrevs = abbrevs, .library = library};
}

void fm_dw_scopes_free(struct fm_dw_scopes *scopes)
{
    fm_heap_free(scopes->heap, scopes->targets, scopes->target_capacity * sizeof *scopes->targets);
    fm_heap_free(scopes->heap, scopes->nodes, scopes->node_capacity * sizeof *scopes->nodes);
    fm_heap_free(scopes->heap, scopes->levels, scopes->level_capacity * sizeof *scopes->levels);
}

/* --- passing over one unit --- */

static bool is_function(uint16_t tag) { return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine; }

static bool is_scope(uint16_t tag)
{
    switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_interface_type:
    case DW_TAG_enumeration_type: return true;
    default: return is_function(tag);
    }
}

/* Whether units with this abbreviation table can have entries that are scopes of other entries. */
static bool has_scopes(const struct fm_dw_abbrev_table *table)
{
    bool any = false;

    for (uint64_t code = 1; code < table->limit && !any; code++) {
        const struct fm_dw_shape *shape = &table->shapes[code];
        any = (shape->flags & FM_DW_SHAPE_CHILDREN) != 0 && is_scope(shape->tag) && !is_function(shape->tag);
    }
    return any;
}

/* Creates nodes for the open entries with children. *out: the innermost node, or FM_NONE if no entry is open. */
static bool note_levels(struct fm_dw_scopes *scopes, uint32_t *out)
{
    *out = FM_NONE;
    for (size_t i = 0; i < scopes->level_count; i++) {
        struct fm_dw_scope_level *level = &scopes->levels[i];
        if (level->node == FM_NONE) {
            if (!FM_GROW(scopes->heap, scopes->nodes, scopes->node_capacity, scopes->node_count + 1)) return false;
            level->node = (uint32_t)scopes->node_count;
            scopes->nodes[scopes->node_count++] =
                (struct fm_dw_scope_node){.offset = level->offset, .tag = level->tag, .parent = *out};
        }
        *out = level->node;
    }
    return true;
}

static bool open_level(struct fm_dw_scopes *scopes, uint64_t offset, uint32_t depth, uint16_t tag)
{
    if (!is_scope(tag)) return true;
    if (!FM_GROW(scopes->heap, scopes->levels, scopes->level_capacity, scopes->level_count + 1)) return false;
    scopes->levels[scopes->level_count++] = (struct fm_dw_scope_level){offset, depth, FM_NONE, tag};
    return true;
}

static void close_levels(struct fm_dw_scopes *scopes, uint32_t depth)
{
    while (scopes->level_count > 0 && scopes->levels[scopes->level_count - 1].depth >= depth) scopes->level_count--;
}

/* State of a pass over a unit. */
struct unit_pass {
    struct fm_dw_scopes *scopes;
    struct fm_dw_entries entries;
    const unsigned char *at;
    uint32_t depth;            /* depth of the entry at `at` */
    struct fm_key *next, *end; /* targets of the unit that have not been found */
};

static uint64_t offset_of(const struct unit_pass *pass)
{
    return (uint64_t)(pass->at - (const unsigned char *)pass->scopes->sections->info.data);
}

/* Advances from an entry with children: to its first child, or, if none of the searched entries is before its sibling,
 * to the sibling. Returns false if the unit is damaged. */
static bool pass_children(struct unit_pass *pass, const struct fm_dw_shape *shape, uint64_t offset,
                          const unsigned char *past, uint64_t sibling, bool *memory)
{
    const struct fm_dw_unit_data *unit = pass->entries.unit;

    pass->at = past;
    if (sibling > 0) {
        if (sibling > unit->end - unit->offset || unit->offset + sibling < offset_of(pass)) return false;
        if (pass->next == pass->end || pass->next->key >= unit->offset + sibling) {
            pass->at += unit->offset + sibling - offset_of(pass);
            return true;
        }
    }
    if (!open_level(pass->scopes, offset, pass->depth, shape->tag)) {
        *memory = false;
        return false;
    }
    return ++pass->depth <= FM_LIMIT_DIE_DEPTH;
}

/* Handles one entry, or the end of a list of children. Returns false when no more of the searched entries can be found,
 * or when out of memory (*memory). */
static bool pass_entry(struct unit_pass *pass, bool *memory)
{
    const uint64_t offset = offset_of(pass);
    uint64_t code, sibling;

    while (pass->next < pass->end && pass->next->key < offset)
        pass->next++; /* the target is dropped, because no entry starts at its offset */
    const unsigned char *at = pass->next < pass->end ? fm_dw_uleb(pass->at, pass->entries.end, &code) : NULL;
    if (at == NULL) return false;
    if (code == 0) {
        if (pass->depth <= 1) return false;
        pass->at = at;
        close_levels(pass->scopes, --pass->depth);
        return true;
    }
    const struct fm_dw_shape *shape = fm_dw_shape_find(pass->entries.table, code);
    if (pass->next->key == offset) {
        *memory = note_levels(pass->scopes, &pass->next->number);
        if (!*memory) return false;
        pass->next++;
    }
    const unsigned char *past = shape != NULL ? fm_dw_entry_past(&pass->entries, shape, at, &sibling) : NULL;
    if (past == NULL) return false;
    if ((shape->flags & FM_DW_SHAPE_CHILDREN) != 0) return pass_children(pass, shape, offset, past, sibling, memory);
    pass->at = past;
    return true;
}

/* Passes over a unit, and finds the parents of those of its entries that are searched (targets). Returns false when out
 * of memory. */
static bool pass_unit(struct fm_dw_scopes *scopes, const struct fm_dw_unit_data *unit, struct fm_key *targets,
                      size_t count)
{
    const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(scopes->abbrevs, unit->abbrevs, &unit->encoding);
    struct unit_pass pass = {.scopes = scopes, .depth = 1, .next = targets, .end = targets + count};
    bool memory = true;

    if (table == NULL) return false;
    const uint64_t bytes = unit->end - unit->offset;
    if (table->broken != NULL || bytes > scopes->work_left) return true;
    if (!has_scopes(table)) {
        for (size_t i = 0; i < count; i++) targets[i].number = FM_NONE;
        return true;
    }
    scopes->work_left -= bytes;
    pass.entries = fm_dw_entries_of(scopes->sections, unit, table);
    pass.at = pass.entries.at;
    scopes->level_count = 0;
    while (memory && pass.at < pass.entries.end) {
        if (!pass_entry(&pass, &memory)) break;
    }
    return memory;
}

/* --- searching for parents in rounds --- */

/* Finds the parents of the targets from index `first` on. */
static bool find_parents(struct fm_dw_scopes *scopes, size_t first)
{
    size_t next = first;

    for (size_t from = first; from < scopes->target_count; from = next) {
        const struct fm_dw_unit_data *unit = fm_dw_units_find(scopes->units, scopes->targets[from].key);
        next = from + 1;
        while (unit != NULL && next < scopes->target_count && scopes->targets[next].key < unit->end) next++;
        if (unit != NULL && !pass_unit(scopes, unit, scopes->targets + from, next - from)) return false;
    }
    return true;
}

static framemap_status read_entry(struct fm_dw_scopes *scopes, uint64_t offset, struct fm_dw_attributes *out,
                                  framemap_str *name, bool *good, framemap_error *error)
{
    const struct fm_dw_unit_data *unit = fm_dw_units_find(scopes->units, offset);
    const struct fm_dw_abbrev_table *table =
        unit != NULL ? fm_dw_abbrevs_at(scopes->abbrevs, unit->abbrevs, &unit->encoding) : NULL;

    *good = false;
    if (unit == NULL) return FRAMEMAP_OK;
    if (table == NULL) return fm_error_memory(error);
    *good = table->broken == NULL && fm_dw_attributes_at(scopes->sections, unit, table, offset, out);
    if (!*good) return FRAMEMAP_OK;
    if (scopes->library != NULL &&
        fm_dw_library_read_attributes(scopes->library, unit, table, offset, out, error) != FRAMEMAP_OK)
        return FRAMEMAP_E_MEMORY;
    *name = fm_dw_value_string(scopes->sections, &unit->encoding, &out->name);
    return FRAMEMAP_OK;
}

/* Reads the name of a node, and where it is declared. Errors: MEMORY. */
static framemap_status read_node(struct fm_dw_scopes *scopes, struct fm_dw_scope_node *node, framemap_error *error)
{
    uint64_t offset = node->offset;

    if (node->read) return FRAMEMAP_OK;
    node->read = true;
    for (uint32_t hops = 0; hops < FM_LIMIT_ORIGIN_HOPS; hops++) {
        struct fm_dw_attributes attributes;
        framemap_str name;
        bool good;
        if (read_entry(scopes, offset, &attributes, &name, &good, error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        if (!good) break;
        node->declared = offset;
        if (node->name.size == 0) node->name = name;
        if (!attributes.has_origin || attributes.origin == offset) break;
        offset = attributes.origin;
    }
    return FRAMEMAP_OK;
}

static bool add_target(struct fm_dw_scopes *scopes, uint64_t offset)
{
    if (!FM_GROW(scopes->heap, scopes->targets, scopes->target_capacity, scopes->target_count + 1)) return false;
    scopes->targets[scopes->target_count++] = (struct fm_key){offset, UNKNOWN};
    return true;
}

/* Sorts the targets of a round and removes duplicates. Returns false when out of memory. */
static bool sort_targets(struct fm_dw_scopes *scopes, size_t first)
{
    struct fm_key *const keys = scopes->targets + first;
    const size_t count = scopes->target_count - first;
    size_t kept = 0;

    if (!fm_keys_sort(scopes->heap, keys, count, NULL, NULL)) return false;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || keys[kept - 1].key != keys[i].key) keys[kept++] = keys[i];
    }
    scopes->target_count = first + kept;
    return true;
}

/* Reads the nodes from index `first` on; those that are declared elsewhere become the targets of the next round. */
static framemap_status read_nodes(struct fm_dw_scopes *scopes, size_t first, framemap_error *error)
{
    for (size_t i = first; i < scopes->node_count; i++) {
        struct fm_dw_scope_node *node = &scopes->nodes[i];
        if (read_node(scopes, node, error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        if (node->declared != 0 && node->declared != node->offset && !add_target(scopes, node->declared))
            return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

/* Where each round starts and ends in the list of targets. */
struct rounds {
    size_t first[ROUNDS + 1];
    unsigned count;
};

/* Returns the node of the parent of the entry at an offset; FM_NONE if it has no parent; UNKNOWN if the entry was not
 * found. */
static uint32_t parent_of(const struct fm_dw_scopes *scopes, const struct rounds *rounds, uint64_t offset)
{
    for (unsigned i = 0; i < rounds->count; i++) {
        const struct fm_key *keys = scopes->targets + rounds->first[i];
        const size_t count = rounds->first[i + 1] - rounds->first[i], at = fm_keys_lower(keys, count, offset);
        if (at < count && keys[at].key == offset) return keys[at].number;
    }
    return UNKNOWN;
}

/* --- joining the names of scopes --- */

/* Returns the name of a node. Entities without a name are shown as LLVM's demangler shows them. */
static framemap_str name_of(const struct fm_dw_scope_node *node)
{
    if (node->name.size > 0) return node->name;
    switch (node->tag) {
    case DW_TAG_namespace: return FM_STR("(anonymous namespace)");
    case DW_TAG_class_type: return FM_STR("(anonymous class)");
    case DW_TAG_structure_type: return FM_STR("(anonymous struct)");
    case DW_TAG_union_type: return FM_STR("(anonymous union)");
    default: return (framemap_str){NULL, 0};
    }
}

/* Whether a class without a name is the type of a lambda, as GCC writes it: `entry` is its operator(). */
static bool is_closure(struct fm_dw_scopes *scopes, const struct fm_dw_scope_node *node, uint64_t entry)
{
    struct fm_dw_attributes attributes;
    framemap_str name;
    bool good;

    if (node->name.size > 0 || (node->tag != DW_TAG_structure_type && node->tag != DW_TAG_class_type)) return false;
    return read_entry(scopes, entry, &attributes, &name, &good, NULL) == FRAMEMAP_OK && good &&
           fm_str_starts(name, FM_STR("operator()"));
}

/* Lists the names of the nodes that enclose an entry, innermost first; nodes without a name are skipped. */
static size_t list_scopes(struct fm_dw_scopes *scopes, const struct rounds *rounds, uint64_t entry,
                          framemap_str names[MOST_SCOPES])
{
    uint32_t number = parent_of(scopes, rounds, entry);
    size_t count = 0, size = 0;

    for (unsigned hops = 0; number < UNKNOWN && hops < MOST_SCOPES; hops++) {
        const struct fm_dw_scope_node *node = &scopes->nodes[number];
        const framemap_str name = hops == 0 && is_closure(scopes, node, entry) ? FM_STR("{lambda}") : name_of(node);
        size += name.size + 2;
        if (size > FM_LIMIT_NAME / 2) return 0;
        if (name.size > 0) names[count++] = name;
        number = node->declared == 0 || node->declared == node->offset ? node->parent
                                                                       : parent_of(scopes, rounds, node->declared);
    }
    /* an incomplete list of scopes is not returned, because it would name a wrong scope */
    return number == FM_NONE ? count : 0;
}

static bool join_scopes(const framemap_str *names, size_t count, struct fm_arena *arena, framemap_str *out)
{
    size_t size = count > 0 ? 2 * (count - 1) : 0, at = 0;

    *out = (framemap_str){NULL, 0};
    if (count == 0) return true;
    for (size_t i = 0; i < count; i++) size += names[i].size;
    char *text = fm_arena_alloc(arena, size);
    if (text == NULL) return false;
    for (size_t i = count; i-- > 0;) {
        memcpy(text + at, names[i].data, names[i].size);
        at += names[i].size;
        if (i > 0) memcpy(text + at, "::", 2);
        at += 2;
    }
    *out = fm_str(text, size);
    return true;
}

framemap_status fm_dw_scopes_read(struct fm_dw_scopes *scopes, uint64_t work, const uint64_t *entries, size_t count,
                                  struct fm_arena *arena, framemap_str *out, framemap_error *error)
{
    framemap_str names[MOST_SCOPES];
    struct rounds rounds = {.count = 0};

    scopes->target_count = scopes->node_count = 0;
    scopes->work_left = work;
    for (size_t i = 0; i < count; i++) {
        if (!add_target(scopes, entries[i])) return fm_error_memory(error);
    }
    while (rounds.count < ROUNDS && rounds.first[rounds.count] < scopes->target_count) {
        const size_t first = rounds.first[rounds.count], nodes = scopes->node_count;
        if (!sort_targets(scopes, first)) return fm_error_memory(error);
        rounds.first[++rounds.count] = scopes->target_count;
        if (!find_parents(scopes, first)) return fm_error_memory(error);
        if (read_nodes(scopes, nodes, error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t named = list_scopes(scopes, &rounds, entries[i], names);
        if (!join_scopes(names, named, arena, &out[i])) return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}
