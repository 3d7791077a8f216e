/* framemap_session_restore: parses, restores and writes a text. Under a memory ceiling a text that is too long is
 * processed in parts, which start and end between stacks. */
#include "api/option_structs.h"
#include "core/error.h"
#include "core/text/text.h"
#include "formats/format_registry.h"
#include "formats/stream_ready.h"
#include "session/restore/restore_job.h"

/* The minimum size of a part, in bytes: smaller ones would not need less memory. */
#define PART_LEAST ((size_t)4 << 10)
/* The maximum number of times that a text is cut because its symbols did not fit into memory together: each part may
 * have to compile them again. */
#define CROWDED_MOST 64u

struct part_job {
    framemap_session *session;
    const framemap_restore_options *options;
    framemap_write write;
    void *context;
    uint64_t line1;      /* first line of the current part */
    unsigned crowded;    /* number of cuts because symbols did not fit together */
    bool in_parts;       /* the text was cut */
    bool more;           /* there is text after the current part */
    size_t passed_count; /* parts that are not restored, or not completely, because of the ceiling */
    uint64_t passed_bytes, passed_line1;
    framemap_restore_summary summary;
    struct fm_printer printer;
    struct fm_missing_list missing; /* of all parts */
};

static uint64_t count_lines(framemap_str text)
{
    uint64_t count = 0;
    for (size_t at = 0, next; (next = fm_str_find_byte(fm_str_from(text, at), '\n')) != FM_NOT_FOUND; at += next + 1)
        count++;
    return count;
}

/* The byte offset of a line; lines count from 1. */
static size_t offset_of_line(framemap_str text, uint64_t line1)
{
    size_t at = 0;
    for (; line1 > 1 && at < text.size; line1--) {
        const size_t next = fm_str_find_byte(fm_str_from(text, at), '\n');
        if (next == FM_NOT_FOUND) return text.size;
        at += next + 1;
    }
    return at;
}

/* Removes the last stack from a part if it reaches the end of the part, because it may continue in the next one. */
static void leave_last(framemap_str *text, framemap_trace_list *list)
{
    const framemap_trace *last = list->count ? &list->traces[list->count - 1] : NULL;
    if (last == NULL || last->frame_count == 0) return;
    const framemap_frame *frame = &last->frames[last->frame_count - 1];
    if (count_lines(fm_str_from(*text, (size_t)frame->raw_offset)) > 2) return;
    const size_t begin = offset_of_line(*text, last->line);
    if (begin == 0 || begin > list->traces[list->count - 1].frames[0].raw_offset) return;
    text->size = begin;
    list->count--;
}

/* Parses a text and restores its stacks. If a symbol file was changed meanwhile, its results may be wrong, so all is
 * done again without it. */
static framemap_status restore_part(struct part_job *job, framemap_str *part, framemap_trace_list *list, bool can_cut,
                                    framemap_restore_summary *summary, bool *redo, framemap_error *error)
{
    const framemap_str text = *part;
    framemap_session *session = job->session;
    const framemap_parse_options parse = {.size = sizeof parse,
                                          .allocator = &session->allocator,
                                          .format = job->options->format,
                                          .threads = job->in_parts ? 1 : session->text_threads};
    for (;;) {
        framemap_status status = framemap_trace_parse(text, &parse, list, error);
        *part = text;
        if (status == FRAMEMAP_OK && job->more) leave_last(part, list);
        const bool may_redo = can_cut && list->count > 1 && job->crowded < CROWDED_MOST;
        struct fm_redo why = {.changed = false};
        if (status == FRAMEMAP_OK)
            status = fm_restore_list(session, list, job->options, may_redo, &job->missing, summary, &why, error);
        *redo = why.crowded && may_redo;
        if (status != FRAMEMAP_OK || !why.changed) return status;
        framemap_trace_list_free(list);
    }
}

static void add_summary(struct part_job *job, const framemap_restore_summary *part, size_t at)
{
    framemap_restore_summary *sum = &job->summary;
    if (sum->malformed == 0 && part->malformed > 0) {
        sum->first_malformed = at + part->first_malformed;
        sum->malformed_reason = part->malformed_reason;
    }
    sum->traces += part->traces;
    sum->frames += part->frames;
    sum->restored += part->restored;
    sum->unmapped += part->unmapped;
    sum->malformed += part->malformed;
}

/* Counts a part that is not restored because of the ceiling. */
static void note_passed(struct part_job *job, size_t size)
{
    if (job->passed_count++ == 0) job->passed_line1 = job->line1;
    job->passed_bytes += size;
}

/* Reports all such parts in one warning, because a long text may have thousands. */
static void warn_of_passed(const struct part_job *job)
{
    framemap_error warning = {0};
    if (job->passed_count == 0) return;
    fm_error_line(&warning, FRAMEMAP_E_MEMORY, job->passed_line1,
                  "over-memory: %llu bytes of text from this line on, in %zu parts, are not restored, or not all: "
                  "that needs more than --max-memory (max_memory)",
                  (unsigned long long)job->passed_bytes, job->passed_count);
    fm_session_warn(job->session, &warning);
}

static uint64_t refused_count(const framemap_session *session)
{
    return session->has_ceiling ? atomic_load(&session->ceiling.refused) : 0;
}

/* Whether an allocation failed because of the ceiling, not because of the allocator. refused: refused_count before the
 * work. */
static bool was_over(const framemap_session *session, framemap_status status, uint64_t refused)
{
    return status == FRAMEMAP_E_MEMORY && session->has_ceiling && refused_count(session) != refused &&
           atomic_load(&session->ceiling.over);
}

static framemap_status print_part(struct part_job *job, framemap_str text, framemap_trace_list *list,
                                  framemap_error *error)
{
    framemap_session *session = job->session;
    const uint64_t refused = refused_count(session);
    for (size_t i = 0; i < list->count && job->line1 > 1; i++) list->traces[i].line += job->line1 - 1;
    framemap_status status = fm_printer_batch(&job->printer, text, 0, list->traces, list->count, error);
    if (!was_over(session, status, refused)) return status;
    note_passed(job, text.size);
    return FRAMEMAP_OK;
}

/* Writes a part that cannot be restored: unchanged in text output, omitted in other outputs. */
static framemap_status pass_through(struct part_job *job, framemap_str text, framemap_error *error)
{
    note_passed(job, text.size);
    return fm_printer_batch(&job->printer, text, 0, NULL, 0, error);
}

/* The size of the next part, about `most` bytes at most: it ends where no stack is open. 0: the text cannot be cut
 * there. */
static size_t cut_part(framemap_str text, size_t most)
{
    return most < text.size ? fm_formats_ready(fm_str_slice(text, 0, most)) : text.size;
}

/* Restores and writes a part, or as much of it as does not cut a stack; *part: what was processed. *cut_it: nothing was
 * written, and the caller has to try a smaller part. */
static framemap_status do_part(struct part_job *job, framemap_str *part, size_t at, bool can_cut, bool *cut_it,
                               framemap_error *error)
{
    framemap_trace_list list = {NULL, 0, NULL};
    framemap_restore_summary summary = {0};
    bool redo = false;
    const uint64_t refused = refused_count(job->session);
    framemap_status status = restore_part(job, part, &list, can_cut, &summary, &redo, error);
    const bool over = was_over(job->session, status, refused);
    *cut_it = (can_cut && over) || (redo && status == FRAMEMAP_OK);
    if (redo) job->crowded++;
    if (!*cut_it && over) {
        framemap_trace_list_free(&list); /* its memory may be what the others need */
        return pass_through(job, *part, error);
    }
    if (!*cut_it && status == FRAMEMAP_OK) status = print_part(job, *part, &list, error);
    if (!*cut_it && status == FRAMEMAP_OK) add_summary(job, &summary, at);
    framemap_trace_list_free(&list);
    return *cut_it ? FRAMEMAP_OK : status;
}

/* Restores a whole text in as few parts as possible. */
static framemap_status restore_parts(struct part_job *job, framemap_str text, framemap_error *error)
{
    size_t most = text.size, at = 0;
    framemap_status status = FRAMEMAP_OK;
    do {
        const framemap_str rest = fm_str_from(text, at);
        size_t size = cut_part(rest, most);
        if (size == 0) /* a stack longer than `most` */
            size = rest.size < most * 2 ? rest.size : cut_part(rest, most * 2);
        if (size == 0) size = rest.size;
        framemap_str part = fm_str_slice(rest, 0, size);
        const bool can_cut = job->session->has_ceiling && size / 2 >= PART_LEAST && cut_part(part, size / 2) > 0;
        bool again;
        job->more = size < rest.size;
        status = do_part(job, &part, at, can_cut, &again, error);
        if (again) {
            fm_index_cache_drop_idle(&job->session->cache);
            most = size / 2;
            job->in_parts = true;
            continue;
        }
        at += part.size;
        if (at < text.size) job->line1 += count_lines(part);
    } while (status == FRAMEMAP_OK && at < text.size);
    return status;
}

static framemap_status close_printer(struct part_job *job, framemap_str text, framemap_error *error)
{
    const framemap_restore_summary *sum = &job->summary;
    struct fm_print_totals totals = {.bytes = text.size,
                                     .lines = count_lines(text) + (text.size && text.data[text.size - 1] != '\n'),
                                     .traces = sum->traces,
                                     .frames = sum->frames,
                                     .restored = sum->restored,
                                     .truncated = job->passed_count > 0};
    struct fm_arena arena;
    fm_arena_init(&arena, &job->session->heap);
    struct fm_print_missing *rows = FM_ARENA_ARRAY(&arena, struct fm_print_missing, job->missing.count + 1);
    for (size_t i = 0; rows && i < job->missing.count; i++) {
        const framemap_missing *row = &job->missing.rows[i];
        rows[i] = (struct fm_print_missing){.name = row->name,
                                            .id = row->id,
                                            .arch = row->arch,
                                            .kind = row->kind,
                                            .frames = row->frames,
                                            .why = row->why,
                                            .reason = row->reason};
    }
    totals.missing = rows;
    totals.missing_count = job->missing.count;
    const framemap_status status = rows ? fm_printer_close(&job->printer, &totals, error) : fm_error_memory(error);
    fm_arena_free(&arena);
    return status;
}

framemap_status framemap_session_restore(framemap_session *session, framemap_str text,
                                         const framemap_restore_options *options, framemap_write write, void *context,
                                         framemap_restore_summary *summary, framemap_error *error)
{
    framemap_restore_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (session == NULL || write == NULL || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = fm_demangle_check(given.demangle, error);
    if (status == FRAMEMAP_OK) status = fm_formats_check(given.format, given.output, error);
    if (status != FRAMEMAP_OK) return status;
    struct part_job job = {.session = session, .options = &given, .write = write, .context = context};
    job.line1 = given.first_line ? given.first_line : 1;
    fm_missing_init(&job.missing, &session->heap);
    status = fm_printer_open(&job.printer, given.output, &session->heap, write, context, error);
    if (status == FRAMEMAP_OK) status = restore_parts(&job, text, error);
    if (status == FRAMEMAP_OK) status = close_printer(&job, text, error);
    fm_printer_close(&job.printer, NULL, NULL);
    fm_missing_free(&job.missing);
    warn_of_passed(&job);
    if (status == FRAMEMAP_OK && summary) *summary = job.summary;
    return fm_session_memory_fault(session, status, error);
}
