/* Writes a sample set in a format of the table: without what the format cannot contain (profile_format.h). */
#include "formats/profiles/profile_format.h"
#include "formats/profiles/sample_copy.h"

#include "core/error.h"

framemap_status fm_profile_write(framemap_sample_set *set, const char *name, framemap_write write, void *context,
                                 uint32_t *lost, framemap_error *error)
{
    const struct fm_profile_format *format = fm_profile_named(name);
    struct fm_profile_out out = {.set = set, .heap = &set->heap, .write = write, .context = context};
    if (format == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "'%s' is not a format of profiles", name);
    if (format->write == NULL)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "'%s' can be read, but not written", name);
    const unsigned left_out = fm_samples_parts(set) & ~format->info.holds;
    framemap_sample_set less;
    if (lost) *lost = left_out;
    fm_buf_init(&out.buf, &set->heap);
    if (left_out && !format->flattens) { /* copies the set, so that frames that are written alike are one */
        fm_samples_lessen(set, &less, format->info.holds);
        out.set = &less;
        out.status = less.fault;
    }
    if (out.status == FRAMEMAP_OK) format->write(&out);
    fm_profile_hand_on(&out);
    fm_buf_free(&out.buf);
    if (out.set == &less) fm_samples_free(&less);
    if (out.status == FRAMEMAP_E_MEMORY) return fm_heap_fault(&set->heap, fm_error_memory(error), error);
    if (out.status == FRAMEMAP_E_IO) return fm_error_set(error, FRAMEMAP_E_IO, "the output was refused");
    return out.status ? fm_error_set(error, out.status, "the profile is too large for this format") : FRAMEMAP_OK;
}
