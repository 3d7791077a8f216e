/* Implements native_recall.h on the session's answer cache. */
#include "session/restore/native_recall.h"

#include "session/restore/answer_pack.h"

enum { TAG_KIND = 1 << 8, TAG_RETURN = 1 << 16, TAG_OF_IMAGE = 1 << 24 };

static struct fm_answer_key key_of(const struct fm_restore_job *job, const struct fm_native_image *image,
                                   const struct fm_native_answer *question)
{
    return (struct fm_answer_key){image->stamp, question->address,
                                  (uint32_t)job->demangle + (uint32_t)question->kind * TAG_KIND +
                                      (question->return_address ? (uint32_t)TAG_RETURN : 0)};
}

static struct fm_answer_cache *cache_of(const struct fm_restore_job *job) { return &job->session->cache.answers; }

/* --- what is known of an image --- */

enum { LISTS_ADDRESSES = 1, LOADED_AS_LINKED = 2 };

bool fm_native_recall_image(struct fm_restore_job *job, struct fm_native_image *image)
{
    const struct fm_entry *file = image->held.closed;
    struct fm_answer_reader *reader = &job->native->recalled;
    struct fm_answer_key key = {.tag = TAG_OF_IMAGE};
    const struct fm_answer_store *store;
    struct fm_wire bytes;
    uint64_t facts;
    if (!fm_stamp_of(file->path, &key.stamp) || !fm_stamp_same_content(&key.stamp, &file->stamp)) return false;
    if (reader->young == NULL && reader->old == NULL) fm_answer_reader_open(cache_of(job), reader);
    if (!fm_answer_reader_find(reader, &key, &bytes, &store) || !fm_wire_varint(&bytes, &facts)) return false;
    image->stamp = key.stamp;
    image->lists_addresses = (facts & LISTS_ADDRESSES) != 0;
    image->loaded_as_linked = (facts & LOADED_AS_LINKED) != 0;
    return true;
}

static void remember_image(struct fm_restore_job *job, const struct fm_native_image *image)
{
    const struct fm_answer_key key = {.stamp = image->stamp, .tag = TAG_OF_IMAGE};
    struct fm_answer_writer writer;
    if (!fm_answer_writer_open(cache_of(job), &key, job->heap, &writer)) return;
    fm_answer_writer_number(&writer, (image->lists_addresses ? LISTS_ADDRESSES : 0u) |
                                         (image->loaded_as_linked ? LOADED_AS_LINKED : 0u));
    fm_answer_writer_close(&writer);
}

/* Whether this call used answers of the file that was at the path of this index before. */
static bool is_mixed(const struct fm_native_job *native, const framemap_index *index)
{
    const struct fm_cache_slot *slot = index->owner;
    if (slot == NULL || !slot->entry->is_index || fm_stamp_same_content(&index->file.stamp, &slot->entry->stamp))
        return false;
    for (size_t i = 0; i < native->image_count; i++) {
        const struct fm_entry *recalled = native->images[i].held.closed;
        if (recalled && strcmp(recalled->path, slot->entry->path) == 0) return true;
    }
    return false;
}

void fm_native_note_image(struct fm_restore_job *job, struct fm_native_image *image)
{
    const framemap_index *index = image->held.index;
    const struct fm_view_identity *about = fm_view_identity(index->view);
    image->lists_addresses = about->kind_row->code == FRAMEMAP_INDEX_KALLSYMS;
    image->loaded_as_linked = about->kind_row->code == FRAMEMAP_INDEX_ELF && about->base != 0;
    image->remembers = image->held.remote == 0 && about->form == FM_FORM_POSITIONS &&
                       fm_index_cache_remembers(&job->session->cache, index, job->begin);
    if (is_mixed(job->native, index)) job->changed = true;
    if (!image->remembers) return;
    image->stamp = index->file.stamp;
    remember_image(job, image);
}

/* --- its answers --- */

/* Adds an answer to the cache. Of one that the young store has, nothing is added. */
static void remember(struct fm_restore_job *job, const struct fm_native_image *image,
                     const struct fm_native_answer *question)
{
    const struct fm_answer_key key = key_of(job, image, question);
    struct fm_answer_writer writer;
    if (!fm_answer_can_pack(&question->answer)) return;
    if (!fm_answer_writer_open(cache_of(job), &key, job->heap, &writer)) return;
    fm_answer_pack(&question->answer, &writer);
    fm_answer_writer_close(&writer);
}

bool fm_native_recall(struct fm_restore_job *job, const struct fm_native_image *image,
                      struct fm_native_answer *question)
{
    const struct fm_answer_reader *reader = &job->native->recalled;
    const struct fm_answer_key key = key_of(job, image, question);
    const struct fm_answer_store *store;
    struct fm_wire bytes;
    if (!fm_answer_reader_find(reader, &key, &bytes, &store)) return false;
    fm_arena_reset(&job->scratch);
    question->companion = UINT32_MAX;
    if (!fm_answer_unpack(&bytes, store, &job->scratch, &question->answer) || !fm_restore_keep(job, &question->answer))
        return false;
    if (store == reader->old) {
        remember_image(job, image);
        remember(job, image, question);
    }
    return true;
}

void fm_native_remember(struct fm_restore_job *job, const struct fm_native_image *image,
                        const struct fm_native_answer *question)
{
    if (image->remembers && question->companion == UINT32_MAX) remember(job, image, question);
}
