/* Caches the answers of index files that the session could not keep open. Crashes repeat, and cached answers take a
 * hundredth of the memory of their indexes. The key of an answer contains the stamp of its index file. Cached answers
 * are used only if the session has listed the file with that stamp; another file at that path has to be opened and
 * checked. All answers that one batch of traces gets for a path must come from the same file; otherwise job->changed is
 * set.
 *
 * In the names of functions and members, `remember` means to add an answer to the cache, `recall` to find it there.
 * Called by native_recall.c, java_recall.c and js_recall.c, which make the queries of their family of stacks. */
#ifndef FM_SESSION_RESTORE_RECALL_H
#define FM_SESSION_RESTORE_RECALL_H

#include "session/restore/restore_job.h"

/* An index file whose answers are read from the cache, or may be added to it. */
struct fm_recalled_file {
    struct fm_stamp stamp;
    unsigned facts; /* cached values besides the answers of the file: bits that each family defines */
    bool recalled;  /* the file is closed, and its answers are read from the cache */
    unsigned batch; /* if `recalled` is set: number of the batch in which the file was last checked */
    bool remembers; /* the file is open, and its answers are added to the cache */
};

enum { FM_RECALL_TEXTS = 3 };
/* A query to the index of a file. Two queries are equal if all their members are equal. */
struct fm_recall_question {
    uint32_t tag; /* the kind of query, which is one of the values below, and its options */
    uint64_t number;
    framemap_str texts[FM_RECALL_TEXTS];
    bool has_texts;
};
enum {
    FM_RECALL_NATIVE = 1u << 28,
    FM_RECALL_JAVA_FRAME = 2u << 28,
    FM_RECALL_JAVA_NAME = 3u << 28,
    FM_RECALL_JS_PLACE = 4u << 28,
    FM_RECALL_JS_SOURCE = 5u << 28
};

/* Sets the cached facts of a file that is closed; called once in each batch. Returns false if no facts are cached and
 * the file has to be opened. */
bool fm_recall_file(struct fm_restore_job *job, const struct fm_entry *closed, struct fm_recalled_file *out);
/* Called when the index of a file was opened or is open already, even if its cached answers were used before. Returns
 * whether its answers should be cached; the caller must then call fm_remember_facts before fm_remember. */
bool fm_recall_note_open(struct fm_restore_job *job, const framemap_index *index, struct fm_recalled_file *out);
void fm_remember_facts(struct fm_restore_job *job, unsigned facts, struct fm_recalled_file *file);

/* Finds the cached answer of a closed file to a query. The answer is in the arena of the results. *extra: the number
 * that was cached with the answer. Returns false if the cache does not have the answer, or if memory is short. */
bool fm_recall(struct fm_restore_job *job, const struct fm_recalled_file *file,
               const struct fm_recall_question *question, framemap_frame *answer, uint64_t *extra);
/* Caches an answer of a file that is open, if file->remembers is set. Callers check this member before they make the
 * query and the answer, to save time. fm_answer_pack documents which members of the answer are cached. Does nothing if
 * the cache has the answer already. */
void fm_remember(struct fm_restore_job *job, const struct fm_recalled_file *file,
                 const struct fm_recall_question *question, const framemap_frame *answer, uint64_t extra);

/* Called when a batch ends: forgets the list of files whose cached answers were used. */
void fm_recall_forget(struct fm_restore_job *job);
void fm_recall_end(struct fm_restore_job *job);

#endif
