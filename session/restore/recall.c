/* Implements recall.h with the session's answer cache. A stored answer consists of: the query's texts (as numbers) and
 * the query's own number, if the query has texts; the extra number that was cached with the answer; and the answer
 * itself. */
#include "session/restore/recall.h"

#include "core/hash/hash.h"
#include "session/cache/answer_pack.h"

static struct fm_answer_cache *cache_of(const struct fm_restore_job *job) { return &job->session->cache.answers; }

static struct fm_answer_key key_of(const struct fm_restore_job *job, const struct fm_recalled_file *file,
                                   const struct fm_recall_question *question)
{
    struct fm_answer_key key = {file->stamp, question->number, question->tag};
    if (!question->has_texts) return key;
    key.address = fm_hash_word(question->number, fm_hash_key(cache_of(job)));
    for (size_t i = 0; i < FM_RECALL_TEXTS; i++) key.address = fm_hash_text(question->texts[i], key.address);
    return key;
}

/* --- files --- */

static struct fm_answer_key key_of_file(const struct fm_recalled_file *file)
{
    return (struct fm_answer_key){.stamp = file->stamp};
}

/* Records that cached answers of a closed file are used in this batch. Returns false if out of memory. */
static bool note_recalled(struct fm_restore_job *job, const struct fm_entry *entry)
{
    struct fm_recall_state *recall = &job->recall;
    if (!FM_GROW(job->heap, recall->files, recall->capacity, recall->count + 1)) return false;
    recall->files[recall->count++] = entry;
    return true;
}

bool fm_recall_file(struct fm_restore_job *job, const struct fm_entry *closed, struct fm_recalled_file *out)
{
    struct fm_answer_reader *reader = &job->recall.reader;
    struct fm_recalled_file file = {.recalled = true, .batch = job->recall.batch};
    const struct fm_answer_store *store;
    struct fm_wire bytes;
    uint64_t facts;
    if (out->recalled && out->batch == job->recall.batch) return true;
    if (!fm_stamp_of(closed->path, &file.stamp) || !fm_stamp_same_content(&file.stamp, &closed->stamp)) return false;
    const struct fm_answer_key key = key_of_file(&file);
    if (reader->young == NULL && reader->old == NULL) fm_answer_reader_open(cache_of(job), reader);
    if (!fm_answer_reader_find(reader, &key, &bytes, &store) || !fm_wire_varint(&bytes, &facts)) return false;
    if (!note_recalled(job, closed)) return false;
    file.facts = (unsigned)facts;
    reader->saved++;
    *out = file;
    return true;
}

static void remember_file(struct fm_restore_job *job, const struct fm_recalled_file *file)
{
    const struct fm_answer_key key = key_of_file(file);
    struct fm_answer_writer writer;
    if (!fm_answer_writer_open(cache_of(job), &key, job->heap, &writer)) return;
    fm_answer_writer_number(&writer, file->facts);
    fm_answer_writer_close(&writer);
}

static bool is_other_file(const struct fm_stamp *stamp, const framemap_index *index)
{
    return !fm_stamp_same_content(&index->file.stamp, stamp);
}

/* Whether this batch used cached answers of another file, which was at the path of this index before. The catalog can
 * list a path twice, with the file before and the file after a replacement; both entries then lead to the new file. */
static bool is_mixed(const struct fm_recall_state *recall, const framemap_index *index)
{
    const struct fm_cache_slot *slot = index->owner;
    if (recall->count == 0 || slot == NULL || !slot->entry->is_index || !is_other_file(&slot->entry->stamp, index))
        return false;
    for (size_t i = 0; i < recall->count; i++) {
        const struct fm_entry *recalled = recall->files[i];
        if (is_other_file(&recalled->stamp, index) && strcmp(recalled->path, slot->entry->path) == 0) return true;
    }
    return false;
}

bool fm_recall_note_open(struct fm_restore_job *job, const framemap_index *index, struct fm_recalled_file *out)
{
    const bool is_other = out->recalled && is_other_file(&out->stamp, index);
    if (out->recalled && out->batch == job->recall.batch) job->recall.reader.saved--;
    *out = (struct fm_recalled_file){.recalled = false};
    if (is_other || is_mixed(&job->recall, index)) job->changed = true;
    out->remembers = fm_index_cache_remembers(&job->session->cache, index, job->begin);
    if (out->remembers) out->stamp = index->file.stamp;
    return out->remembers;
}

void fm_remember_facts(struct fm_restore_job *job, unsigned facts, struct fm_recalled_file *file)
{
    file->facts = facts;
    remember_file(job, file);
}

/* --- answers --- */

static bool is_text(const struct fm_answer_store *store, struct fm_wire *bytes, framemap_str text)
{
    uint64_t number;
    return fm_wire_varint(bytes, &number) && fm_str_equal(fm_answer_store_text_at(store, number), text);
}

/* Whether a cached answer is the answer to this query. The key of a query with texts contains only a hash of them, so
 * the texts are compared as well. */
static bool is_for(const struct fm_answer_store *store, struct fm_wire *bytes,
                   const struct fm_recall_question *question)
{
    uint64_t number;
    if (!question->has_texts) return true;
    for (size_t i = 0; i < FM_RECALL_TEXTS; i++)
        if (!is_text(store, bytes, question->texts[i])) return false;
    return fm_wire_varint(bytes, &number) && number == question->number;
}

static void remember(struct fm_restore_job *job, const struct fm_recalled_file *file,
                     const struct fm_recall_question *question, const framemap_frame *answer, uint64_t extra)
{
    const struct fm_answer_key key = key_of(job, file, question);
    struct fm_answer_writer writer;
    if (!fm_answer_writer_open(cache_of(job), &key, job->heap, &writer)) return;
    for (size_t i = 0; question->has_texts && i < FM_RECALL_TEXTS; i++)
        fm_answer_writer_text(&writer, question->texts[i]);
    if (question->has_texts) fm_answer_writer_number(&writer, question->number);
    fm_answer_writer_number(&writer, extra);
    fm_answer_pack(answer, &writer);
    fm_answer_writer_close(&writer);
}

bool fm_recall(struct fm_restore_job *job, const struct fm_recalled_file *file,
               const struct fm_recall_question *question, framemap_frame *answer, uint64_t *extra)
{
    const struct fm_answer_key key = key_of(job, file, question);
    const struct fm_answer_store *store;
    struct fm_wire bytes;
    if (!fm_answer_reader_find(&job->recall.reader, &key, &bytes, &store)) return false;
    if (!is_for(store, &bytes, question) || !fm_wire_varint(&bytes, extra)) return false;
    fm_arena_reset(&job->scratch);
    if (!fm_answer_unpack(&bytes, store, &job->scratch, answer) || !fm_restore_keep(job, answer)) return false;
    if (store == job->recall.reader.old) {
        remember_file(job, file);
        remember(job, file, question, answer, *extra);
    }
    return true;
}

void fm_remember(struct fm_restore_job *job, const struct fm_recalled_file *file,
                 const struct fm_recall_question *question, const framemap_frame *answer, uint64_t extra)
{
    if (file->remembers && fm_answer_can_pack(answer)) remember(job, file, question, answer, extra);
}

/* --- ending a batch of traces --- */

void fm_recall_forget(struct fm_restore_job *job)
{
    fm_answer_reader_close(cache_of(job), &job->recall.reader);
    job->recall.count = 0;
    job->recall.batch++;
}

void fm_recall_end(struct fm_restore_job *job)
{
    fm_recall_forget(job);
    fm_heap_free(job->heap, job->recall.files, job->recall.capacity * sizeof *job->recall.files);
    job->recall = (struct fm_recall_state){.count = 0};
}
