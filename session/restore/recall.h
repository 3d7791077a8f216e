/* Answers of index files that the session could not keep open: crashes repeat, and remembered answers take a
 * hundredth of the memory of their indexes. The key of an answer contains the stamp of its index file, and answers
 * are recalled only while the session's list has the file with that stamp: another file at that path has to be
 * opened and checked. All answers that one batch of traces gets for a path must be from one file; otherwise
 * job->changed is set.
 *
 * Called by native_recall.c, java_recall.c and js_recall.c, which know the queries of their family of stacks. */
#ifndef FM_SESSION_RESTORE_RECALL_H
#define FM_SESSION_RESTORE_RECALL_H

#include "session/restore/restore_job.h"

/* An index file whose answers are recalled, or may be recalled later. */
struct fm_recalled_file {
    struct fm_stamp stamp;
    unsigned facts; /* what is remembered of the file besides its answers: bits that each family defines */
    bool recalled;  /* the file is closed, and its answers are recalled */
    unsigned batch; /* if `recalled`: number of the batch in which the file was checked last */
    bool remembers; /* the file is open, and the session remembers its answers */
};

/* A question to the index of a file. Two questions are equal if all members are. */
enum { FM_RECALL_TEXTS = 3 };
struct fm_recall_question {
    uint32_t tag; /* the kind of question, one of the values below, and its options */
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

/* Sets what is remembered of a file that is closed; called once in each batch. false: nothing is remembered, and the
 * file has to be opened. */
bool fm_recall_file(struct fm_restore_job *job, const struct fm_entry *closed, struct fm_recalled_file *out);
/* Called when the index of a file was opened or found open, also if its answers were recalled before. Returns whether
 * its answers are to be remembered; the caller must then call fm_remember_facts before fm_remember. */
bool fm_recall_note_open(struct fm_restore_job *job, const framemap_index *index, struct fm_recalled_file *out);
void fm_remember_facts(struct fm_restore_job *job, unsigned facts, struct fm_recalled_file *file);

/* Finds the remembered answer of a closed file to a question. The answer is in the arena of the results. *extra: the
 * number that was remembered with the answer. false: the answer is not known, or memory is short. */
bool fm_recall(struct fm_restore_job *job, const struct fm_recalled_file *file,
               const struct fm_recall_question *question, framemap_frame *answer, uint64_t *extra);
/* Remembers an answer of a file that is open, if file->remembers is set; to save time, callers check it before they
 * make the question and the answer. fm_answer_pack says which members of the answer are remembered. Adds nothing if
 * the session has the answer already. */
void fm_remember(struct fm_restore_job *job, const struct fm_recalled_file *file,
                 const struct fm_recall_question *question, const framemap_frame *answer, uint64_t extra);

/* Forgets which files were recalled, when a batch ends. */
void fm_recall_forget(struct fm_restore_job *job);
void fm_recall_end(struct fm_restore_job *job);

#endif
