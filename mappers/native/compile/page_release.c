/* Releases pages of debug sections that were read. See page_release.h. */
#include "mappers/native/compile/page_release.h"

#include "core/text/text.h"

/* String sections of up to this many bytes are not released before all units have been read: any unit may use strings
 * from the whole section, so released pages would be read from the file again. */
#define KEPT_STRING_BYTES ((uint64_t)16 << 20)

static bool is_string_section(const struct fm_section *section)
{
    return fm_str_equal(section->name, FM_STR(".debug_str")) || fm_str_equal(section->name, FM_STR(".debug_line_str"));
}

static void release_pages(struct fm_compile_job *job, bool all)
{
    const struct fm_mapper_host *host = job->host;
    const struct fm_image *image = job->image;

    if (host->release_range == NULL || !fm_mutex_try(&job->release_lock)) return;
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        const uint64_t at = fm_image_stored_at(image, i);
        if ((section->flags & FM_SECTION_ALLOC) != 0 || at == 0 || !fm_str_starts(section->name, FM_STR(".debug_")))
            continue;
        if (!all && section->stored.size <= KEPT_STRING_BYTES && is_string_section(section)) continue;
        host->release_range(host->input_context, (size_t)at, section->stored.size);
    }
    fm_mutex_unlock(&job->release_lock);
}

void fm_compile_release_pages(void *context) { release_pages(context, false); }

void fm_compile_release_all_pages(struct fm_compile_job *job) { release_pages(job, true); }
