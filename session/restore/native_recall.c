/* Implements native_recall.h: makes the key of an address for the cache of answers (recall.h), from the address, its
 * kind and the style of demangling. Also caches three facts about each image, which are needed before its addresses can
 * be looked up. */
#include "session/restore/native_recall.h"

#include "resolve/native/address.h"

/* --- caching facts about an image --- */

enum { LISTS_ADDRESSES = 1, LOADED_AS_LINKED = 2, HAS_THUMB_BITS = 4 };

bool fm_native_recall_image(struct fm_restore_job *job, struct fm_native_image *image)
{
    if (!fm_recall_file(job, image->held.closed, &image->file)) return false;
    image->lists_addresses = (image->file.facts & LISTS_ADDRESSES) != 0;
    image->loaded_as_linked = (image->file.facts & LOADED_AS_LINKED) != 0;
    image->has_thumb_bits = (image->file.facts & HAS_THUMB_BITS) != 0;
    return true;
}

void fm_native_note_image(struct fm_restore_job *job, struct fm_native_image *image)
{
    const struct fm_view_identity *about = fm_view_identity(image->held.index->view);
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.address_kind = FRAMEMAP_ADDRESS_IMAGE;
    image->lists_addresses = about->kind_row->code == FRAMEMAP_INDEX_KALLSYMS;
    image->loaded_as_linked = about->kind_row->code == FRAMEMAP_INDEX_ELF && about->base != 0;
    image->has_thumb_bits = (fm_address_mask(about, &query) & 1) == 0;
    if (!fm_recall_note_open(job, image->held.index, &image->file)) return;
    if (about->form == FM_FORM_POSITIONS)
        fm_remember_facts(job,
                          (image->lists_addresses ? LISTS_ADDRESSES : 0u) |
                              (image->loaded_as_linked ? LOADED_AS_LINKED : 0u) |
                              (image->has_thumb_bits ? HAS_THUMB_BITS : 0u),
                          &image->file);
    else
        image->file.remembers = false;
}

/* --- caching answers of an image --- */

static struct fm_recall_question question_of(const struct fm_restore_job *job, const struct fm_native_answer *question)
{
    enum { KIND = 1 << 8, RETURN = 1 << 16 };
    return (struct fm_recall_question){.tag = FM_RECALL_NATIVE + (uint32_t)job->demangle +
                                              (uint32_t)question->kind * KIND +
                                              (question->return_address ? (uint32_t)RETURN : 0),
                                       .number = question->address};
}

bool fm_native_recall(struct fm_restore_job *job, const struct fm_native_image *image,
                      struct fm_native_answer *question)
{
    const struct fm_recall_question asked = question_of(job, question);
    uint64_t none;
    question->companion = UINT32_MAX;
    return fm_recall(job, &image->file, &asked, &question->answer, &none);
}

void fm_native_remember(struct fm_restore_job *job, const struct fm_native_image *image,
                        const struct fm_native_answer *question)
{
    if (!image->file.remembers || question->companion != UINT32_MAX) return;
    const struct fm_recall_question asked = question_of(job, question);
    fm_remember(job, &image->file, &asked, &question->answer, 0);
}
