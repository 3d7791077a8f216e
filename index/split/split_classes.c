/* The values of the class form: one for each residual class (a name in stacks), with all records that its results need,
 * and one for the source file of each original class whose name is not also a residual name. */
#include "core/error.h"
#include "index/read/classes/class_view.h"
#include "index/read/table/tables.h"
#include "index/split/record_copy.h"
#include "index/split/split_forms.h"

static framemap_status put_class(struct fm_splitter *splitter, uint64_t number)
{
    struct fm_view_class class;
    struct fm_builder *builder;
    if (!fm_view_class_at(splitter->view, number, &class))
        return fm_error_set(splitter->error, FRAMEMAP_E_CORRUPT, "the index is damaged: a class can't be read");
    framemap_status status = fm_builder_create(splitter->heap, &builder, splitter->error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_copy_class(splitter->view, number, builder, splitter->heap, splitter->error);
    if (status == FRAMEMAP_OK) return fm_splitter_put_class(splitter, class.residual, builder);
    fm_builder_free(builder);
    return status;
}

/* Writes the source file of an original class, unless the value of a residual class of the same name has it. */
static framemap_status put_source(struct fm_splitter *splitter, uint32_t name)
{
    const struct fm_view *view = splitter->view;
    const framemap_str text = fm_text_field(view, &view->tables[FMX_NAMES], name, NAME_TEXT);
    struct fm_view_class class;
    struct fm_builder *builder;
    framemap_str source;
    if (!fm_view_name_source(view, name, &source) || fm_view_class(view, text, &class)) return FRAMEMAP_OK;
    framemap_status status = fm_builder_create(splitter->heap, &builder, splitter->error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_copy_source(view, name, builder, splitter->error);
    if (status == FRAMEMAP_OK) return fm_splitter_put_class(splitter, text, builder);
    fm_builder_free(builder);
    return status;
}

framemap_status fm_split_classes(struct fm_splitter *splitter)
{
    const uint64_t classes = splitter->view->tables[FMX_CLASSES].count, names = splitter->view->tables[FMX_NAMES].count;
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t i = 0; i < classes && status == FRAMEMAP_OK; i++) status = put_class(splitter, i);
    for (uint64_t i = 0; i < names && status == FRAMEMAP_OK; i++) status = put_source(splitter, (uint32_t)i);
    return status;
}
