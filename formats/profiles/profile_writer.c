/* Writes a sample set in a format of the table; parts that the format cannot contain are not written
 * (profile_format.h). */
#include "formats/profiles/profile_format.h"
#include "formats/profiles/sample_copy.h"

#include "core/error.h"

framemap_status fm_profile_too_deep(const framemap_sample_set *set, const char *name, unsigned parts,
                                    framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_LIMIT,
                        "the stacks of this profile are too deep for '%s', which repeats their frames: they would take "
                        "more than %llu MB; '%s' has each stack once",
                        name, (unsigned long long)(fm_profile_most(set, parts) >> 20), fm_profile_firefox.info.name);
}

/* Writes those parts of the set that are in `holds`, the parts that the format can contain. */
static void write_parts(struct fm_profile_out *out, framemap_sample_set *set, const struct fm_profile_format *format,
                        unsigned holds)
{
    framemap_sample_set less;
    const bool lessens = (fm_samples_parts(set) & ~holds) && !format->flattens;
    out->set = set;
    out->status = FRAMEMAP_OK;
    /* Writes a copy of the set in which frames that would be written in the same way are one frame. */
    if (lessens) {
        fm_samples_lessen(set, &less, holds);
        out->set = &less;
        out->status = less.fault;
    }
    if (out->status == FRAMEMAP_OK) format->write(out);
    if (lessens) fm_samples_free(&less);
}

framemap_status fm_profile_write(framemap_sample_set *set, const char *name, framemap_write write, void *context,
                                 uint32_t *lost, framemap_error *error)
{
    const struct fm_profile_format *format = fm_profile_named(name);
    struct fm_profile_out out = {.heap = &set->heap, .write = write, .context = context};
    if (format == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "'%s' is not a format of profiles", name);
    if (format->write == NULL)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "'%s' can be read, but not written", name);
    const unsigned parts = fm_samples_parts(set);
    unsigned holds = format->info.holds;
    fm_buf_init(&out.buf, &set->heap);
    write_parts(&out, set, format, holds);
    if (out.status == FRAMEMAP_E_LIMIT && (parts & holds & FRAMEMAP_PART_TIMES)) {
        /* Nothing was written yet, so the set can be written again without times. Samples that differ only in their
         * time then become one. */
        holds &= ~(unsigned)FRAMEMAP_PART_TIMES;
        write_parts(&out, set, format, holds);
    }
    if (lost) *lost = parts & ~holds;
    fm_profile_hand_on(&out);
    fm_buf_free(&out.buf);
    if (out.status == FRAMEMAP_E_MEMORY) return fm_heap_fault(&set->heap, fm_error_memory(error), error);
    if (out.status == FRAMEMAP_E_IO) return fm_error_set(error, FRAMEMAP_E_IO, "the output was refused");
    return out.status ? fm_profile_too_deep(set, name, 0, error) : FRAMEMAP_OK;
}
