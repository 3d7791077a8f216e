/* Verifies attributes, nodes, and the records that they refer to. Called by verify.c. */
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "index/format/flags.h"
#include "index/read/positions/function_range_decoder.h"
#include "index/read/positions/lookup.h"
#include "index/read/positions/node_decoder.h"
#include "index/read/table/string_decoder.h"
#include "index/verify/verify_parts.h"

static uint64_t count_of(const struct fm_checker *checker, unsigned section)
{
    return checker->view->tables[section].count;
}

/* Checks a string of a record, and reads it into *text. Since format version 2 the strings of these tables are sorted.
 */
static bool check_record_text(const struct fm_checker *checker, unsigned section, uint64_t row, unsigned field,
                              bool may_lack, framemap_str *text)
{
    const struct fm_table_row at = fm_table_row_at(&checker->view->tables[section], row);
    if (checker->view->version == FMX_VERSION_PLAIN && !fm_check_text(checker, section, row, field, may_lack))
        return false;
    if (!fm_check_read(checker, fm_record_text(checker->view, at, field, text), section, row,
                       "a text that can't be read"))
        return false;
    return text->data != NULL || may_lack || fm_check_fails(checker, section, row, "a missing text");
}

static bool check_attributes(const struct fm_checker *checker)
{
    const struct fm_packed *rows = &checker->view->tables[FMX_ATTRIBUTES];
    for (uint64_t i = 0; i < rows->count; i++) {
        if (!fm_check_text(checker, FMX_ATTRIBUTES, i, ATTRIBUTE_KEY, false) ||
            !fm_check_text(checker, FMX_ATTRIBUTES, i, ATTRIBUTE_VALUE, false))
            return false;
        if (i > 0 && fm_str_compare(fm_text_field(checker->view, rows, i - 1, ATTRIBUTE_KEY),
                                    fm_text_field(checker->view, rows, i, ATTRIBUTE_KEY)) >= 0)
            return fm_check_fails(checker, FMX_ATTRIBUTES, i, "keys out of order");
    }
    return true;
}

static bool check_functions(const struct fm_checker *checker)
{
    framemap_str text;
    for (uint64_t i = 0; i < count_of(checker, FMX_FUNCTIONS); i++)
        if (!check_record_text(checker, FMX_FUNCTIONS, i, FUNCTION_NAME, true, &text)) return false;
    return true;
}

static bool check_details(const struct fm_checker *checker)
{
    if (count_of(checker, FMX_DETAILS) > count_of(checker, FMX_FUNCTIONS))
        return fm_check_fails(checker, FMX_DETAILS, 0, "details without a function");
    const unsigned section = checker->view->version == FMX_VERSION_PLAIN ? FMX_FUNCTIONS : FMX_DETAILS,
                   from = checker->view->details_from;
    for (uint64_t i = 0; i < count_of(checker, section); i++)
        if (!fm_check_most(checker, section, i, from + DETAIL_CLASS, count_of(checker, FMX_TEXTS)) ||
            !fm_check_most(checker, section, i, from + DETAIL_HOME, count_of(checker, FMX_FILES)) ||
            !fm_check_most(checker, section, i, from + DETAIL_LINE, UINT32_MAX) ||
            !fm_check_most(checker, section, i, from + DETAIL_FLAGS, FMX_FUNCTION_DECLARED) ||
            !fm_check_most(checker, section, i, from + DETAIL_LANGUAGE, UINT8_MAX))
            return false;
    return true;
}

/* Checks the rank bits of nodes: counts are right, no bit is set after the last node, and the sum is the number of
 * out-of-line functions. */
static bool check_ranks(const struct fm_checker *checker)
{
    const struct fm_packed *ranks = &checker->view->tables[FMX_NODE_RANKS];
    const uint64_t nodes = checker->view->node_count;
    uint64_t before = 0;
    for (uint64_t i = 0; i < ranks->count; i++) {
        const uint64_t bits = fm_field_wide(ranks, i, RANK_BITS);
        if (fm_field(ranks, i, RANK_BEFORE) != before)
            return fm_check_fails(checker, FMX_NODE_RANKS, i, "a wrong sum of bits");
        if (nodes - 64 * i < 64 && bits >> (nodes - 64 * i) != 0)
            return fm_check_fails(checker, FMX_NODE_RANKS, i, "bits past the last node");
        before += fm_count_bits(bits);
    }
    return ranks->count == 0 || before == checker->view->root_count ||
           fm_check_fails(checker, FMX_NODE_RANKS, ranks->count - 1, "a wrong number of bits");
}

static bool check_files_and_texts(const struct fm_checker *checker)
{
    framemap_str text;
    for (uint64_t i = 0; i < count_of(checker, FMX_FILES); i++)
        if (!check_record_text(checker, FMX_FILES, i, FILE_FOLDER, true, &text) ||
            !check_record_text(checker, FMX_FILES, i, FILE_NAME, false, &text))
            return false;
    for (uint64_t i = 0; i < count_of(checker, FMX_TEXTS); i++)
        if (!check_record_text(checker, FMX_TEXTS, i, TEXT_AT, false, &text)) return false;
    return true;
}

static bool check_groups(const struct fm_checker *checker)
{
    const struct fm_packed *groups = &checker->view->tables[FMX_GROUPS];
    uint64_t expected = 0;
    for (uint64_t i = 0; i + 1 < groups->count; i++) {
        uint64_t first, end;
        if (!fm_group_places(checker->view, i, &first, &end) || first != expected || end - first < 2)
            return fm_check_fails(checker, FMX_GROUPS, i, "a group's invalid locations");
        expected = end;
    }
    if (expected != count_of(checker, FMX_PLACES) || groups->count == 1)
        return fm_check_fails(checker, FMX_GROUPS, 0, "locations outside any group");
    return true;
}

static bool check_places(const struct fm_checker *checker)
{
    for (uint64_t i = 0; i < count_of(checker, FMX_PLACES); i++)
        if (!fm_check_most(checker, FMX_PLACES, i, PLACE_NODE, checker->view->node_count) ||
            !fm_check_most(checker, FMX_PLACES, i, PLACE_FILE, count_of(checker, FMX_FILES)) ||
            !fm_check_most(checker, FMX_PLACES, i, PLACE_LINE, UINT32_MAX) ||
            !fm_check_most(checker, FMX_PLACES, i, PLACE_COL, UINT32_MAX) ||
            !fm_check_most(checker, FMX_PLACES, i, PLACE_NAME, count_of(checker, FMX_TEXTS)) ||
            !fm_check_most(checker, FMX_PLACES, i, PLACE_FLAGS, FM_PLACE_LINE_FOLLOWS))
            return false;
    return true;
}

static bool check_wides(const struct fm_checker *checker)
{
    const struct fm_packed *wides = &checker->view->tables[FMX_WIDES], *nodes = &checker->view->tables[FMX_NODES];
    for (uint64_t i = 0; i < wides->count; i++) {
        const uint64_t node = fm_field(wides, i, WIDE_NODE);
        if (i > 0 && node <= fm_field(wides, i - 1, WIDE_NODE))
            return fm_check_fails(checker, FMX_WIDES, i, "nodes out of order");
        struct fm_table_row row;
        if (!fm_node_row(checker->view, node, &row) || nodes->width[NODE_UP] == 0 ||
            fm_table_row_field(row, NODE_UP) != nodes->mask[NODE_UP])
            return fm_check_fails(checker, FMX_WIDES, i, "a node that is not wide");
        if (!fm_check_most(checker, FMX_WIDES, i, WIDE_FILE, count_of(checker, FMX_FILES)) ||
            !fm_check_most(checker, FMX_WIDES, i, WIDE_LINE, UINT32_MAX) ||
            !fm_check_most(checker, FMX_WIDES, i, WIDE_COL, UINT32_MAX))
            return false;
    }
    return true;
}

static bool check_node_fields(const struct fm_checker *checker)
{
    for (uint64_t i = 0; i < count_of(checker, FMX_NODES); i++)
        if (!fm_check_most(checker, FMX_NODES, i, NODE_FUNCTION, count_of(checker, FMX_FUNCTIONS)) ||
            !fm_check_most(checker, FMX_NODES, i, NODE_FLAGS, FM_NODE_ARTIFICIAL))
            return false;
    return true;
}

/* Checks that out-of-line functions are numbered in the order of nodes, parents precede children, and chains are within
 * the limit. depths: room for one number for each node. */
static bool check_nodes(const struct fm_checker *checker, uint16_t *depths)
{
    uint64_t roots = 0;
    for (uint64_t i = 0; i < checker->view->node_count; i++) {
        struct fm_view_node node;
        struct fm_table_row row;
        uint64_t root;
        if (!fm_check_read(checker, fm_view_node(checker->view, (uint32_t)i, &node), FMX_NODES, i, "a node"))
            return false;
        depths[i] = node.parent == FM_VIEW_NONE ? 1 : (uint16_t)(depths[node.parent] + 1);
        if (depths[i] > FM_LIMIT_INLINE_DEPTH)
            return fm_check_fails(checker, FMX_NODES, i, "an inline chain with too many frames");
        if (node.parent == FM_VIEW_NONE && (!fm_node_root(checker->view, i, &root) || root != roots++))
            return fm_check_fails(checker, FMX_NODES, i, "a wrong root number");
        if (fm_node_row(checker->view, i, &row) && fm_table_row_field(row, NODE_COL) > UINT32_MAX)
            return fm_check_fails(checker, FMX_NODES, i, "a column");
    }
    return roots == checker->view->root_count || fm_check_fails(checker, FMX_ROOTS, roots, "a root without a node");
}

/* Returns the flags of a function range; 0: there is no such range. */
static unsigned flags_of(const struct fm_checker *checker, uint64_t root)
{
    const struct fm_view *view = checker->view;
    struct fm_function_range found;
    if (root >= view->root_count) return 0;
    if (view->version == FMX_VERSION_PLAIN) return (unsigned)fm_field(&view->tables[FMX_ROOTS], root, ROOT_FLAGS);
    return fm_function_range_read(view, root, &found) ? found.flags : 0;
}

/* Checks that groups of function ranges are adjacent, refer to existing functions, and have no negative sizes. */
static bool check_root_groups(const struct fm_checker *checker)
{
    const struct fm_view *view = checker->view;
    const uint64_t groups = count_of(checker, FMX_ROOT_GROUPS);
    uint64_t expected = 0;
    if (view->version == FMX_VERSION_PLAIN) return true;
    for (uint64_t i = 0; i < groups; i++) {
        uint64_t begin, end;
        uint32_t count;
        struct fm_function_range root;
        if (!fm_function_range_group_extent(view, i, &begin, &end, &count))
            return fm_check_fails(checker, FMX_ROOT_GROUPS, i, "an invalid group head");
        if (begin != expected) return fm_check_fails(checker, FMX_ROOT_GROUPS, i, "a group out of order");
        if (i + 1 < groups && count != FM_FUNCTION_RANGE_GROUP)
            return fm_check_fails(checker, FMX_ROOT_GROUPS, i, "a group with too few roots");
        for (uint32_t r = 0; r < count; r++)
            if (!fm_function_range_read(view, (i << FM_FUNCTION_RANGE_GROUP_BITS) + r, &root) ||
                root.function > count_of(checker, FMX_FUNCTIONS))
                return fm_check_fails(checker, FMX_ROOT_GROUPS, i, "an invalid root");
        expected = end;
    }
    return expected == view->tables[FMX_ROOTS].size ||
           fm_check_fails(checker, FMX_ROOTS, expected, "bytes outside any root");
}

/* Checks an extra string of a function range: its symbol comes first, if it has one, then its aliases in the order of
 * names. */
static bool check_extra(const struct fm_checker *checker, uint64_t i)
{
    const struct fm_packed *extras = &checker->view->tables[FMX_EXTRAS];
    const uint64_t root = fm_field(extras, i, EXTRA_ROOT), kind = fm_field(extras, i, EXTRA_KIND);
    if ((flags_of(checker, root) & FMX_ROOT_EXTRAS) == 0)
        return fm_check_fails(checker, FMX_EXTRAS, i, "an extra text of a root without any");
    framemap_str before, text;
    if (kind > FMX_EXTRA_ALIAS) return fm_check_fails(checker, FMX_EXTRAS, i, "an unknown kind of text");
    if (!check_record_text(checker, FMX_EXTRAS, i, EXTRA_TEXT, false, &text)) return false;
    if (i == 0 || fm_field(extras, i - 1, EXTRA_ROOT) < root) return true;
    const bool after_symbol = fm_field(extras, i - 1, EXTRA_KIND) == FMX_EXTRA_SYMBOL;
    if (!check_record_text(checker, FMX_EXTRAS, i - 1, EXTRA_TEXT, false, &before)) return false;
    const int order = fm_str_compare(before, text);
    if (fm_field(extras, i - 1, EXTRA_ROOT) > root || kind == FMX_EXTRA_SYMBOL || (!after_symbol && order >= 0))
        return fm_check_fails(checker, FMX_EXTRAS, i, "texts out of order");
    return true;
}

static bool check_roots(const struct fm_checker *checker)
{
    const unsigned most =
        checker->view->version == FMX_VERSION_PLAIN ? FMX_ROOT_HAS_START | FMX_ROOT_EXTRAS : FMX_ROOT_FLAGS;
    uint64_t with = 0, seen = 0;
    for (uint64_t i = 0; i < checker->view->root_count; i++) {
        if (flags_of(checker, i) > most) return fm_check_fails(checker, FMX_ROOTS, i, "an unknown flag");
        with += (flags_of(checker, i) & FMX_ROOT_EXTRAS) != 0;
    }
    const struct fm_packed *extras = &checker->view->tables[FMX_EXTRAS];
    for (uint64_t i = 0; i < extras->count; i++) {
        if (!check_extra(checker, i)) return false;
        seen += i == 0 || fm_field(extras, i, EXTRA_ROOT) != fm_field(extras, i - 1, EXTRA_ROOT);
    }
    return with == seen || fm_check_fails(checker, FMX_ROOTS, 0, "a root without its extra texts");
}

bool fm_check_records(const struct fm_checker *checker)
{
    struct fm_heap *heap = checker->view->heap;
    if ((checker->view->flags & FMX_FLAG_HEAD) != 0) return check_attributes(checker);
    if (!check_attributes(checker) || !fm_check_sorted_texts(checker) || !check_functions(checker) ||
        !check_details(checker) || !check_ranks(checker) || !check_root_groups(checker) ||
        !check_node_fields(checker) || !check_files_and_texts(checker) || !check_groups(checker) ||
        !check_places(checker) || !check_wides(checker))
        return false;
    const size_t nodes = (size_t)checker->view->node_count;
    uint16_t *depths = fm_heap_zalloc(heap, nodes, sizeof *depths);
    if (depths == NULL) {
        *checker->status = fm_error_memory(checker->error);
        return false;
    }
    const bool sound = check_nodes(checker, depths) && check_roots(checker);
    fm_heap_free(heap, depths, nodes * sizeof *depths);
    return sound;
}
