/* Passes batches of unit records to the index builder. See batch_builder.h. */
#include "mappers/native/compile/batch_builder.h"

#include "core/error.h"
#include "core/text/buffer.h"

/* Gets the scope of a section. If an object file has several sections of one name (section groups), the key of the
 * scope also has the section number: ".text@7". */
static framemap_status section_scope(struct fm_compile_job *job, uint32_t number, uint32_t *out)
{
    const struct fm_section *section = &job->image->sections[number];
    struct fm_buf key;

    fm_buf_init(&key, job->heap);
    fm_buf_str(&key, section->name);
    if (job->namesakes[fm_image_section(job->image, section->name)] > 1)
        fm_buf_printf(&key, "@%u", (unsigned)section->number);
    const framemap_status status =
        key.failed ? fm_error_memory(&job->error) : fm_builder_scope(job->builder, fm_buf_view(&key), out, &job->error);
    fm_buf_free(&key);
    return status;
}

framemap_status fm_compile_scope(struct fm_compile_job *job, uint32_t target, uint32_t *out)
{
    uint32_t *known = target == FM_DW_SCOPE_IMAGE   ? &job->image_scope
                      : target == FM_DW_SCOPE_DATA  ? &job->data_scope
                      : target == FM_DW_SCOPE_SPLIT ? &job->split_scope
                                                    : &job->section_scopes[target];
    framemap_status status = FRAMEMAP_OK;

    if (*known == 0) {
        uint32_t scope = 0;
        if (target == FM_DW_SCOPE_IMAGE)
            status = fm_builder_scope(job->builder, (framemap_str)FM_STR_INIT(""), &scope, &job->error);
        else if (target == FM_DW_SCOPE_DATA)
            status = fm_builder_scope(job->builder, FM_STR("data"), &scope, &job->error);
        else if (target == FM_DW_SCOPE_SPLIT)
            status = fm_builder_scope(job->builder, FM_STR(FM_SCOPE_SPLIT), &scope, &job->error);
        else
            status = section_scope(job, target, &scope);
        if (status == FRAMEMAP_OK) *known = scope + 1;
    }
    *out = *known - 1;
    return status;
}

framemap_status fm_compile_build(struct fm_compile_job *job, const struct fm_unit_batch *batch)
{
    for (size_t i = 0; i < batch->run_count; i++) {
        const framemap_status status = fm_compile_scope(job, batch->runs[i].scope, &batch->runs[i].scope);
        if (status != FRAMEMAP_OK) return status;
    }
    return fm_unit_batch_add_to(batch, job->builder, &job->error);
}

bool fm_compile_count_namesakes(struct fm_compile_job *job)
{
    const struct fm_image *image = job->image;

    if (image->section_count == 0) return true;
    job->section_scopes = fm_heap_zalloc(job->heap, image->section_count, sizeof *job->section_scopes);
    job->namesakes = fm_heap_zalloc(job->heap, image->section_count, sizeof *job->namesakes);
    if (job->section_scopes == NULL || job->namesakes == NULL) return false;
    for (uint32_t i = 0; i < image->section_count && image->by_section; i++) {
        const struct fm_section *section = &image->sections[i];
        const bool counts = (section->flags & FM_SECTION_ALLOC) != 0 && section->size > 0;
        const uint32_t first = counts ? fm_image_section(image, section->name) : UINT32_MAX;
        if (first != UINT32_MAX) job->namesakes[first]++;
    }
    return true;
}
