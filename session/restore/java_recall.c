/* Implements java_recall.h: makes the key of a Java frame for the cache of answers (recall.h), and converts the answer
 * to and from its stored form. The key has the names, file and line of the frame, and the exception or outlined code
 * before it. */
#include "session/restore/java_recall.h"

/* --- frames --- */

/* Bits of the tag that identifies the kind of a query. */
enum { NO_SYMBOLS = 1, NO_POSITION = 2, AFTER_OUTLINE = 4 };

static uint64_t number_of(const struct fm_java_question *question)
{
    return question->position << 32 | (uint32_t)question->before.outline_line;
}

static struct fm_recall_question question_of(const struct fm_restore_job *job, const struct fm_java_question *question)
{
    return (struct fm_recall_question){.tag = (uint32_t)FM_RECALL_JAVA_FRAME + (job->no_symbols ? NO_SYMBOLS : 0) +
                                              (question->no_position ? NO_POSITION : 0) +
                                              (question->before.has_outline ? AFTER_OUTLINE : 0),
                                       .number = number_of(question),
                                       .texts = {question->scope, question->file, question->before.exception},
                                       .has_texts = true};
}

/* Whether a query can be stored without loss: its line fits into 32 bits. */
static bool is_plain(const struct fm_java_question *question) { return question->position <= UINT32_MAX; }

/* Bits of a number that stores R8's state after a frame. The outline's line is stored above these bits, shifted by
 * OUTLINE_LINE. */
enum { KEEPS_EXCEPTION = 1, HAS_OUTLINE = 2, OUTLINE_LINE = 2 /* number of bits below those of the line */ };

static framemap_java_state state_of(const struct fm_java_question *question, uint64_t packed)
{
    const framemap_str none = {NULL, 0};
    return (framemap_java_state){.exception = packed & KEEPS_EXCEPTION ? question->before.exception : none,
                                 .has_outline = (packed & HAS_OUTLINE) != 0,
                                 .outline_line = (int32_t)(uint32_t)(packed >> OUTLINE_LINE)};
}

static uint64_t pack_state(const framemap_java_state *after)
{
    return (after->exception.size ? KEEPS_EXCEPTION : 0u) | (after->has_outline ? HAS_OUTLINE : 0u) |
           (uint64_t)(uint32_t)after->outline_line << OUTLINE_LINE;
}

bool fm_java_recall(struct fm_restore_job *job, struct fm_java_lookup *result)
{
    const struct fm_java_question *question = &result->question;
    const struct fm_recall_question asked = question_of(job, question);
    framemap_frame answer;
    uint64_t after;
    if (!is_plain(question) || !fm_recall(job, &question->mapping->file, &asked, &answer, &after)) return false;
    result->after = state_of(question, after);
    result->answer = (struct fm_java_restored){.status = answer.status,
                                               .reason = answer.reason,
                                               .restored = answer.restored,
                                               .alternatives = answer.alternatives,
                                               .alternative_count = answer.alternative_count,
                                               .over_limit = answer.over_limit};
    return true;
}

void fm_java_remember(struct fm_restore_job *job, const struct fm_java_lookup *result)
{
    const struct fm_java_question *question = &result->question;
    if (!question->mapping->file.remembers) return;
    const struct fm_recall_question asked = question_of(job, question);
    const framemap_str exception = result->after.exception;
    const framemap_frame answer = {.status = result->answer.status,
                                   .reason = result->answer.reason,
                                   .restored = result->answer.restored,
                                   .alternatives = result->answer.alternatives,
                                   .alternative_count = result->answer.alternative_count,
                                   .over_limit = result->answer.over_limit};
    const bool is_kept = exception.size == 0 || fm_str_equal(exception, question->before.exception);
    if (is_plain(question) && is_kept)
        fm_remember(job, &question->mapping->file, &asked, &answer, pack_state(&result->after));
}

/* --- caching classes and members outside of frames, which are queried like frames of the same class --- */

static struct fm_recall_question question_of_name(framemap_str printed)
{
    return (struct fm_recall_question){.tag = FM_RECALL_JAVA_NAME, .texts = {printed}, .has_texts = true};
}

bool fm_java_recall_name(struct fm_restore_job *job, const struct fm_java_mapping *mapping, framemap_str printed,
                         framemap_str *original)
{
    const struct fm_recall_question asked = question_of_name(printed);
    framemap_frame answer;
    uint64_t none;
    if (!fm_recall(job, &mapping->file, &asked, &answer, &none)) return false;
    *original = answer.restored.count ? answer.restored.frames[0].class_name : (framemap_str){NULL, 0};
    return true;
}

void fm_java_remember_name(struct fm_restore_job *job, const struct fm_java_mapping *mapping, framemap_str printed,
                           framemap_str original)
{
    if (!mapping->file.remembers) return;
    const struct fm_recall_question asked = question_of_name(printed);
    const framemap_frame named = {.kind = FRAMEMAP_KIND_JAVA, .class_name = original};
    const framemap_frame answer = {.restored = {&named, original.size > 0}};
    fm_remember(job, &mapping->file, &asked, &answer, 0);
}
