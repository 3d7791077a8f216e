/* Sorts functions by kind. First come those that are inlined somewhere: their numbers are then small and take fewer
 * bits in nodes, which are many. Last come those with only a name, because the others have details. Within a kind the
 * order of first use is kept, so that consecutive function ranges mostly have consecutive functions. */
#include "core/error.h"
#include "index/format/flags.h"
#include "index/write/model/builder_model.h"

enum { KIND_INLINED, KIND_DETAILED, KIND_BARE, KINDS };

static bool has_details(const struct fm_plan *plan, size_t i)
{
    const struct fm_function *function = &plan->builder->functions[plan->functions.to_old[i]];
    return function->class_name != FM_NONE || plan->homes[i] != FM_NONE || function->decl_line1 != 0 ||
           function->language != FM_LANGUAGE_UNKNOWN;
}

/* Finds the kind of each function. kinds: one for each function, initially zero, which is KIND_INLINED. */
static void find_kinds(const struct fm_plan *plan, uint8_t *kinds)
{
    for (size_t i = 0; i < plan->functions.count; i++) kinds[i] = has_details(plan, i) ? KIND_DETAILED : KIND_BARE;
    for (size_t i = 0; i < plan->nodes.count; i++) {
        const struct fm_chain_node *node = fm_plan_node(plan, i);
        if (node->parent != FM_NONE && node->function != FM_NONE)
            kinds[plan->functions.to_new[node->function]] = KIND_INLINED;
    }
}

/* Renumbers the functions. old, homes: scratch memory with room for all of them. */
static void reorder(struct fm_plan *plan, const uint8_t *kinds, uint32_t *old, uint32_t *homes)
{
    size_t next = 0, ends[KINDS];
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < plan->functions.count; i++) {
            if (kinds[i] != kind) continue;
            homes[next] = plan->homes[i];
            old[next++] = plan->functions.to_old[i];
        }
        ends[kind] = next;
    }
    plan->inlined_functions = ends[KIND_INLINED];
    plan->detailed_functions = ends[KIND_DETAILED];
    for (size_t i = 0; i < plan->functions.count; i++) {
        plan->functions.to_old[i] = old[i];
        plan->functions.to_new[old[i]] = (uint32_t)i;
        plan->homes[i] = homes[i];
    }
}

framemap_status fm_plan_functions(struct fm_plan *plan, framemap_error *error)
{
    const size_t count = plan->functions.count;
    uint8_t *kinds = fm_heap_zalloc(plan->heap, count, sizeof *kinds);
    uint32_t *old = fm_heap_zalloc(plan->heap, count, sizeof *old),
             *homes = fm_heap_zalloc(plan->heap, count, sizeof *homes);
    const bool ok = count == 0 || (kinds && old && homes);
    if (ok && count > 0) {
        find_kinds(plan, kinds);
        reorder(plan, kinds, old, homes);
    }
    fm_heap_free(plan->heap, kinds, count * sizeof *kinds);
    fm_heap_free(plan->heap, old, count * sizeof *old);
    fm_heap_free(plan->heap, homes, count * sizeof *homes);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}
