/* Encodes attributes, functions, files, strings of names and classes, and alternatives. */
#include "core/error.h"
#include "index/write/model/builder_model.h"

static uint64_t code_of(const struct fm_numbering *n, uint32_t old)
{
    return old == FM_NONE ? 0 : (uint64_t)n->to_new[old] + 1;
}

static void function_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct fm_plan *plan = context;
    fields[FUNCTION_NAME] = fm_sorted_code(plan, plan->builder->functions[plan->functions.to_old[i]].name);
}
FM_OUTPUT_ROWS(function)

static void detail_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct fm_plan *plan = context;
    const struct fm_function *function = &plan->builder->functions[plan->functions.to_old[i]];
    fields[DETAIL_CLASS] = code_of(&plan->texts, function->class_name);
    fields[DETAIL_HOME] = plan->homes[i] == FM_NONE ? 0 : (uint64_t)plan->homes[i] + 1;
    fields[DETAIL_LINE] = function->decl_line1;
    fields[DETAIL_FLAGS] = function->decl_file == FM_NONE ? 0 : FMX_FUNCTION_DECLARED;
    fields[DETAIL_LANGUAGE] = (function->language + 1) & UINT8_MAX;
}
FM_OUTPUT_ROWS(detail)

static void file_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct fm_plan *plan = context;
    const struct fm_file_parts *file = &plan->builder->files[plan->files.to_old[i]];
    fields[FILE_FOLDER] = fm_sorted_code(plan, file->folder);
    fields[FILE_NAME] = fm_sorted_code(plan, file->name);
}
FM_OUTPUT_ROWS(file)

static void text_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct fm_plan *plan = context;
    fields[TEXT_AT] = fm_sorted_code(plan, plan->texts.to_old[i]);
}
FM_OUTPUT_ROWS(text)

/* Fills a row with the number of a group's first location, or, after the last group, with the number of all
 * locations. */
static void place_group_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct fm_plan *plan = context;
    fields[GROUP_PLACE] = plan->group_places[i];
}
FM_OUTPUT_ROWS(place_group)

/* A walk over the places (alternative locations) of all groups, whose rows are requested in order; it remembers the
 * current group. */
struct place_walk {
    struct fm_plan *plan;
    uint32_t group;
};

static void place_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct place_walk *walk = context;
    const struct fm_plan *plan = walk->plan;
    const struct fm_builder *b = plan->builder;
    if (i == 0) walk->group = 0;
    while (i >= plan->group_places[walk->group + 1]) walk->group++;
    const struct fm_group *group = &b->groups[plan->groups.to_old[walk->group]];
    const struct fm_place *place = &b->places[group->first + (i - plan->group_places[walk->group])];
    fields[PLACE_NODE] = code_of(&plan->nodes, place->node);
    fields[PLACE_FILE] = code_of(&plan->files, place->file);
    fields[PLACE_LINE] = place->line1;
    fields[PLACE_COL] = place->col1;
    fields[PLACE_NAME] = code_of(&plan->texts, place->name);
    fields[PLACE_FLAGS] = place->flags;
}
FM_OUTPUT_ROWS(place)

static bool write_place_groups(struct fm_plan *plan)
{
    const size_t count = plan->groups.count;
    if (count == 0) return true;
    plan->group_places = fm_heap_zalloc(plan->heap, count + 1, sizeof *plan->group_places);
    if (plan->group_places == NULL) return false;
    for (size_t i = 0; i < count; i++)
        plan->group_places[i + 1] = plan->group_places[i] + plan->builder->groups[plan->groups.to_old[i]].count;
    struct place_walk walk = {plan, 0};
    const bool ok = fm_output_section_write(&plan->outputs[FMX_GROUPS], count + 1, place_group_rows, plan) &&
                    fm_output_section_write(&plan->outputs[FMX_PLACES], plan->group_places[count], place_rows, &walk);
    fm_heap_free(plan->heap, plan->group_places, (count + 1) * sizeof *plan->group_places);
    plan->group_places = NULL;
    return ok;
}

static void pooled_attribute_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    const struct fm_builder *b = context;
    fm_pooled_text(b, b->attributes[row].key, &fields[ATTRIBUTE_KEY]);
    fm_pooled_text(b, b->attributes[row].value, &fields[ATTRIBUTE_VALUE]);
}

void fm_pooled_attribute_rows(void *context, uint64_t first, unsigned count, struct fm_columns *out)
{
    fm_each_row(pooled_attribute_row, context, first, count, out);
}

static void attribute_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct fm_plan *plan = context;
    const struct fm_attribute *attribute = &plan->builder->attributes[i];
    fields[ATTRIBUTE_KEY] = fm_put_string(plan, attribute->key, &fields[ATTRIBUTE_KEY_SIZE]);
    fields[ATTRIBUTE_VALUE] = fm_put_string(plan, attribute->value, &fields[ATTRIBUTE_VALUE_SIZE]);
}
FM_OUTPUT_ROWS(attribute)

/* Sorts the attributes by insertion, since an index has only a few. */
void fm_sort_attributes(struct fm_builder *b)
{
    for (size_t i = 1; i < b->attribute_count; i++) {
        const struct fm_attribute moved = b->attributes[i];
        size_t at = i;
        for (; at > 0 && fm_str_compare(fm_string_pool_text(&b->strings, moved.key),
                                        fm_string_pool_text(&b->strings, b->attributes[at - 1].key)) < 0;
             at--)
            b->attributes[at] = b->attributes[at - 1];
        b->attributes[at] = moved;
    }
}

framemap_status fm_encode_attributes(struct fm_plan *plan, framemap_error *error)
{
    fm_sort_attributes(plan->builder);
    return fm_output_section_write(&plan->outputs[FMX_ATTRIBUTES], plan->builder->attribute_count, attribute_rows, plan)
               ? FRAMEMAP_OK
               : fm_error_memory(error);
}

framemap_status fm_encode_records(struct fm_plan *plan, framemap_error *error)
{
    struct fm_output_section *outputs = plan->outputs;
    if (fm_output_section_write(&outputs[FMX_FUNCTIONS], plan->functions.count, function_rows, plan) &&
        (plan->detailed_functions == 0 ||
         fm_output_section_write(&outputs[FMX_DETAILS], plan->detailed_functions, detail_rows, plan)) &&
        fm_output_section_write(&outputs[FMX_FILES], plan->files.count, file_rows, plan) &&
        fm_output_section_write(&outputs[FMX_TEXTS], plan->texts.count, text_rows, plan) && write_place_groups(plan))
        return FRAMEMAP_OK;
    return fm_error_memory(error);
}
