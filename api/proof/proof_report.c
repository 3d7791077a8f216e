/* Reports differences and progress of a proof. */
#include "api/proof/proof.h"

#include "core/error.h"

framemap_status fm_proof_intern(struct fm_proof *proof, framemap_str text, uint32_t *out, framemap_error *error)
{
    return fm_text_set_add(&proof->texts, text, out) ? FRAMEMAP_OK : fm_error_memory(error);
}

static framemap_status stop(struct fm_proof *proof)
{
    proof->stopped = true;
    return fm_error_set(proof->error, FRAMEMAP_E_LIMIT, "stopped");
}

framemap_status fm_proof_differs(struct fm_proof *proof, const char *what, const char *field)
{
    const framemap_verify_difference difference = {.size = sizeof difference,
                                                   .what = what,
                                                   .field = field,
                                                   .place = fm_buf_view(&proof->place),
                                                   .source = fm_buf_view(&proof->said),
                                                   .index = fm_buf_view(&proof->found)};
    const bool failed = proof->place.failed || proof->said.failed || proof->found.failed;
    if (failed) return fm_error_memory(proof->error);
    proof->counts.differences++;
    const bool goes_on = proof->report == NULL || proof->report(proof->report_context, &difference);
    fm_buf_clear(&proof->place);
    fm_buf_clear(&proof->said);
    fm_buf_clear(&proof->found);
    return goes_on ? FRAMEMAP_OK : stop(proof);
}

framemap_status fm_proof_compare_text(struct fm_proof *proof, const char *what, const char *field, framemap_str place,
                                      framemap_str said, framemap_str found)
{
    proof->counts.questions++;
    if (fm_str_equal(said, found)) return FRAMEMAP_OK;
    fm_buf_str(&proof->place, place);
    fm_buf_str(&proof->said, said);
    fm_buf_str(&proof->found, found);
    return fm_proof_differs(proof, what, field);
}

framemap_status fm_proof_compare_number(struct fm_proof *proof, const char *what, const char *field, framemap_str place,
                                        uint64_t said, uint64_t found)
{
    proof->counts.questions++;
    if (said == found) return FRAMEMAP_OK;
    fm_buf_str(&proof->place, place);
    fm_buf_dec(&proof->said, said);
    fm_buf_dec(&proof->found, found);
    return fm_proof_differs(proof, what, field);
}

#define STEPS_BETWEEN 4096u /* records between two calls of the progress callback */

framemap_status fm_proof_step(struct fm_proof *proof, uint64_t records)
{
    const uint64_t before = proof->done / STEPS_BETWEEN;
    proof->done += records;
    if (proof->progress == NULL || proof->done / STEPS_BETWEEN == before) return FRAMEMAP_OK;
    return proof->progress(proof->progress_context, proof->done, proof->total) ? FRAMEMAP_OK : stop(proof);
}
