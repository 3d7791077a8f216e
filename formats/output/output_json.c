/* Output "json": JSON lines, one object per line. They are a head, traces with the images of their reports, missing
 * symbols, and an end. docs/json.md documents the members. json_frame.c writes the frames. */
#include "formats/events/json_traces.h"
#include "formats/format_output.h"
#include "formats/output/debug_id.h"
#include "formats/output/json_frame.h"
#include "formats/output/print_each.h"
#include "formats/output/trace_words.h"
#include "formats/parsers.h"

/* What has been written so far. */
struct json_state {
    fm_format_finder *format_named;
    /* is_document: all records are elements of one JSON document; any: a record of that document has been written */
    bool is_document, any;
    uint64_t images_of; /* number of the report whose images were written last, plus one; 0: no images were written */
};

/* Writes a comma between two records of a JSON document, whose records are elements of a list. Records of JSON lines
 * have no comma between them. */
static void put_comma(struct fm_buf *out, struct json_state *state)
{
    if (state->is_document && state->any) fm_buf_byte(out, ',');
    state->any = true;
}

/* --- images --- */

static void put_image(struct fm_buf *out, const framemap_image *image, enum fm_id_form form)
{
    char debug_id[FM_DEBUG_ID_MOST];
    const size_t debug_id_size = fm_debug_id(image->id, form, image->arch, debug_id);
    struct fm_members m = fm_members_open(out);
    fm_member_text(&m, FM_MEMBER("name"), image->name);
    fm_member_text(&m, FM_MEMBER("path"), image->path);
    fm_member_text(&m, FM_MEMBER("id"), image->id);
    fm_member_text(&m, FM_MEMBER("debug_id"), fm_str(debug_id, debug_id_size));
    fm_member_text(&m, FM_MEMBER("arch"), image->arch);
    if (image->load_address || image->size) fm_member_hex(&m, FM_MEMBER("load"), image->load_address);
    fm_member_number(&m, FM_MEMBER("size"), image->size);
    fm_member_text(&m, FM_MEMBER("symbols"), framemap_str_of(framemap_image_symbols_name(image->symbols)));
    fm_members_close(&m);
}

/* Writes the images of a report once, before the first of its traces. */
static void put_images(struct fm_buf *out, struct json_state *state, const framemap_trace *trace)
{
    if (!trace->lists_images || state->images_of == trace->report + 1) return;
    put_comma(out, state);
    state->images_of = trace->report + 1;
    const enum fm_id_form form = fm_id_form_of(state->format_named(trace->format), trace);
    struct fm_members m = fm_members_open_line(out, FM_STR("images"));
    fm_member_count(&m, FM_MEMBER("report"), trace->report);
    fm_member_name(&m, FM_MEMBER("images"));
    fm_buf_byte(out, '[');
    for (size_t i = 0; i < trace->image_count; i++) {
        if (i) fm_buf_byte(out, ',');
        put_image(out, &trace->images[i], form);
    }
    fm_buf_byte(out, ']');
    fm_members_close_line(&m);
}

/* --- writing the parts of a trace --- */

static void put_span(struct fm_members *m, const framemap_trace *trace)
{
    struct fm_members span = fm_members_open_in(m, FM_MEMBER("span"));
    fm_member_number(&span, FM_MEMBER("line"), trace->line);
    fm_member_number(&span, FM_MEMBER("lines"), trace->line_count);
    fm_member_count(&span, FM_MEMBER("byte"), trace->offset);
    fm_member_count(&span, FM_MEMBER("bytes"), trace->size);
    fm_members_close(&span);
}

static void put_log(struct fm_members *m, const framemap_log *prefix)
{
    struct fm_members log = fm_members_open_in(m, FM_MEMBER("log"));
    fm_member_text(&log, FM_MEMBER("time"), prefix->time);
    if (prefix->has_pid) fm_member_count(&log, FM_MEMBER("pid"), prefix->pid);
    if (prefix->has_tid) fm_member_count(&log, FM_MEMBER("tid"), prefix->tid);
    fm_member_text(&log, FM_MEMBER("tag"), prefix->tag);
    fm_member_text(&log, FM_MEMBER("level"), prefix->level);
    fm_member_text(&log, FM_MEMBER("process"), prefix->process);
    fm_member_text(&log, FM_MEMBER("host"), prefix->host);
    fm_members_close(&log);
}

static void put_process(struct fm_members *m, const framemap_trace *trace)
{
    struct fm_members process = fm_members_open_in(m, FM_MEMBER("process"));
    fm_member_text(&process, FM_MEMBER("name"), trace->process_name);
    if (trace->has_process_id) fm_member_count(&process, FM_MEMBER("pid"), trace->process_id);
    fm_member_text(&process, FM_MEMBER("arch"), trace->arch);
    fm_member_text(&process, FM_MEMBER("os"), trace->os);
    fm_member_text(&process, FM_MEMBER("os_version"), trace->os_version);
    fm_members_close(&process);
}

static void put_thread(struct fm_members *m, const framemap_trace *trace)
{
    struct fm_members thread = fm_members_open_in(m, FM_MEMBER("thread"));
    const struct fm_thread_words words = fm_thread_words(trace);
    fm_member_text(&thread, FM_MEMBER("id"), words.id);
    fm_member_text(&thread, FM_MEMBER("name"), words.name);
    fm_member_text(&thread, FM_MEMBER("queue"), trace->thread_queue);
    fm_member_flag(&thread, FM_MEMBER("crashed"), trace->crashed);
    fm_member_text(&thread, FM_MEMBER("state"), trace->thread_state);
    fm_members_close(&thread);
}

static void put_renamed(struct fm_members *m, framemap_str name, framemap_str part, const framemap_trace *trace)
{
    struct fm_buf text;
    if (part.size == 0) return;
    fm_buf_init(&text, m->out->heap);
    fm_put_renamed(&text, part, trace);
    fm_member_text(m, name, fm_buf_view(&text));
    if (text.failed) m->out->failed = true;
    fm_buf_free(&text);
}

static void put_signal(struct fm_members *m, const framemap_signal *given)
{
    struct fm_members signal = fm_members_open_in(m, FM_MEMBER("signal"));
    if (given->has_number) fm_member_signed(&signal, FM_MEMBER("number"), given->number);
    fm_member_text(&signal, FM_MEMBER("name"), given->name);
    if (given->has_code) fm_member_signed(&signal, FM_MEMBER("code"), given->code);
    fm_member_text(&signal, FM_MEMBER("code_name"), given->code_name);
    if (given->has_address) fm_member_hex(&signal, FM_MEMBER("address"), given->address);
    fm_members_close(&signal);
}

static void put_exception(struct fm_members *m, const framemap_trace *trace)
{
    struct fm_members exception = fm_members_open_in(m, FM_MEMBER("exception"));
    put_renamed(&exception, FM_MEMBER("type"), trace->exception_type, trace);
    fm_member_text(&exception, FM_MEMBER("type_raw"), trace->exception_type);
    put_renamed(&exception, FM_MEMBER("message"), trace->exception_message, trace);
    fm_member_text(&exception, FM_MEMBER("raw"), trace->exception);
    put_signal(&exception, &trace->signal);
    struct fm_members mach = fm_members_open_in(&exception, FM_MEMBER("mach"));
    fm_member_text(&mach, FM_MEMBER("type"), trace->mach_type);
    fm_member_text(&mach, FM_MEMBER("codes"), trace->mach_codes);
    fm_members_close(&mach);
    fm_member_text(&exception, FM_MEMBER("abort_message"), trace->abort_message);
    fm_members_close(&exception);
}

static void put_mentions(struct fm_members *m, const framemap_trace *trace)
{
    if (trace->mention_count == 0) return;
    fm_member_name(m, FM_MEMBER("mentions"));
    fm_buf_byte(m->out, '[');
    for (size_t i = 0; i < trace->mention_count; i++) {
        const framemap_mention *mention = &trace->mentions[i];
        if (i) fm_buf_byte(m->out, ',');
        struct fm_members inner = fm_members_open(m->out);
        fm_member_count(&inner, FM_MEMBER("before"), mention->before_frame);
        fm_member_text(&inner, FM_MEMBER("printed"), mention->raw);
        fm_member_text(&inner, FM_MEMBER("class"), mention->restored);
        fm_member_flag(&inner, FM_MEMBER("exception"), mention->exception);
        fm_members_close(&inner);
    }
    fm_buf_byte(m->out, ']');
}

/* --- a trace --- */

static void put_counts(struct fm_members *m, const framemap_trace *trace)
{
    uint64_t restored = 0, unmapped = 0, not_needed = 0;
    for (size_t i = 0; i < trace->frame_count; i++) {
        const framemap_frame *frame = &trace->frames[i];
        if (frame->kind == FRAMEMAP_KIND_MARKER) continue;
        if (frame->status == FRAMEMAP_FRAME_OK || frame->status == FRAMEMAP_FRAME_SYMBOL)
            restored++;
        else if (frame->status == FRAMEMAP_FRAME_NOT_NEEDED)
            not_needed++;
        else
            unmapped++;
    }
    struct fm_members counts = fm_members_open_in(m, FM_MEMBER("counts"));
    fm_member_count(&counts, FM_MEMBER("restored"), restored);
    fm_member_count(&counts, FM_MEMBER("unmapped"), unmapped);
    fm_member_count(&counts, FM_MEMBER("not_needed"), not_needed);
    fm_members_close(&counts);
}

static void put_frames(struct fm_members *m, const framemap_trace *trace)
{
    fm_member_name(m, FM_MEMBER("frames"));
    fm_buf_byte(m->out, '[');
    for (size_t i = 0; i < trace->frame_count; i++) {
        if (i) fm_buf_byte(m->out, ',');
        fm_json_put_frame(m->out, &trace->frames[i], i, trace->lists_images);
    }
    fm_buf_byte(m->out, ']');
}

static void put_trace(struct fm_buf *out, const framemap_trace *trace)
{
    struct fm_members m = fm_members_open_line(out, FM_STR("trace"));
    fm_member_count(&m, FM_MEMBER("n"), trace->number);
    fm_member_count(&m, FM_MEMBER("report"), trace->report);
    fm_member_text(&m, FM_MEMBER("format"), trace->format);
    fm_member_text(&m, FM_MEMBER("family"), framemap_str_of(fm_family_name(trace)));
    if (trace->role != FRAMEMAP_ROLE_NONE) {
        fm_member_count(&m, FM_MEMBER("part_of"), trace->part_of);
        fm_member_text(&m, FM_MEMBER("role"), framemap_str_of(framemap_role_name(trace->role)));
    }
    fm_member_text(&m, FM_MEMBER("closed_by"), framemap_str_of(framemap_closed_by_name(trace->closed_by)));
    put_span(&m, trace);
    put_log(&m, &trace->log);
    put_process(&m, trace);
    put_thread(&m, trace);
    put_exception(&m, trace);
    fm_json_put_registers(&m, trace);
    put_mentions(&m, trace);
    fm_member_flag(&m, FM_MEMBER("outermost_first"), trace->outermost_first);
    put_frames(&m, trace);
    fm_member_number(&m, FM_MEMBER("elided"), trace->elided);
    put_counts(&m, trace);
    fm_member_text(&m, FM_MEMBER("fingerprint"), trace->fingerprint);
    fm_members_close_line(&m);
}

static void json_trace(struct fm_buf *out, const framemap_trace *trace, void *state)
{
    put_images(out, state, trace);
    put_comma(out, state);
    put_trace(out, trace);
}

static framemap_status print_json(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_each(job, json_trace, error);
}

/* --- writing the first and the last record --- */

static void put_version(struct fm_members *m)
{
    fm_member_text(m, FM_MEMBER("schema"), FM_STR("framemap/2"));
    fm_member_text(m, FM_MEMBER("framemap"), FM_STR(FRAMEMAP_VERSION_STRING));
}

static void put_head(struct fm_buf *out, const struct fm_print_job *job)
{
    ((struct json_state *)job->state)->format_named = job->format_named;
    struct fm_members m = fm_members_open_line(out, FM_STR("head"));
    put_version(&m);
    fm_members_close_line(&m);
}

static framemap_status print_json_head(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_once(job, put_head, error);
}

static void put_missing(struct fm_buf *out, const struct fm_print_missing *missing)
{
    struct fm_members m = fm_members_open_line(out, FM_STR("missing"));
    fm_member_text(&m, FM_MEMBER("name"), missing->name);
    fm_member_text(&m, FM_MEMBER("id"), missing->id);
    fm_member_text(&m, FM_MEMBER("arch"), missing->arch);
    fm_member_text(&m, FM_MEMBER("kind"), framemap_str_of(framemap_kind_name(missing->kind)));
    fm_member_count(&m, FM_MEMBER("frames"), missing->frames);
    fm_member_text(&m, FM_MEMBER("why"), framemap_str_of(framemap_why_name(missing->why)));
    fm_member_text(&m, FM_MEMBER("reason"), framemap_str_of(missing->reason));
    fm_members_close_line(&m);
}

static void put_totals(struct fm_buf *out, const struct fm_print_totals *totals)
{
    struct fm_members m = fm_members_open_line(out, FM_STR("end"));
    fm_member_count(&m, FM_MEMBER("bytes"), totals->bytes);
    fm_member_count(&m, FM_MEMBER("lines"), totals->lines);
    fm_member_count(&m, FM_MEMBER("traces"), totals->traces);
    fm_member_count(&m, FM_MEMBER("frames"), totals->frames);
    fm_member_count(&m, FM_MEMBER("restored"), totals->restored);
    fm_member_name(&m, FM_MEMBER("truncated"));
    fm_buf_str(out, totals->truncated ? FM_STR("true") : FM_STR("false"));
    fm_members_close_line(&m);
}

static void put_missing_row(struct fm_buf *out, const struct fm_print_job *job, size_t row)
{
    put_missing(out, &job->totals->missing[row]);
}

static void put_end(struct fm_buf *out, const struct fm_print_job *job) { put_totals(out, job->totals); }

static framemap_status print_json_end(const struct fm_print_job *job, framemap_error *error)
{
    const framemap_status status = fm_print_list(job, job->totals->missing_count, put_missing_row, error);
    return status == FRAMEMAP_OK ? fm_print_once(job, put_end, error) : status;
}

/* --- writing all records in one JSON document --- */

/* Writes the start of a document, {"schema":…,"records":[. The records follow; "]}" is the end of the document. */
static void put_document_head(struct fm_buf *out, const struct fm_print_job *job)
{
    struct json_state *state = job->state;
    state->format_named = job->format_named;
    state->is_document = true;
    struct fm_members m = fm_members_open(out);
    put_version(&m);
    fm_member_name(&m, FM_MEMBER("records"));
    fm_buf_str(out, FM_STR("[\n"));
}

static void put_document_missing(struct fm_buf *out, const struct fm_print_job *job, size_t row)
{
    put_comma(out, job->state);
    put_missing(out, &job->totals->missing[row]);
}

static void put_document_end(struct fm_buf *out, const struct fm_print_job *job)
{
    put_comma(out, job->state);
    put_totals(out, job->totals);
    fm_buf_str(out, FM_STR("]}\n"));
}

static framemap_status print_document_head(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_once(job, put_document_head, error);
}

static framemap_status print_document_end(const struct fm_print_job *job, framemap_error *error)
{
    const framemap_status status = fm_print_list(job, job->totals->missing_count, put_document_missing, error);
    return status == FRAMEMAP_OK ? fm_print_once(job, put_document_end, error) : status;
}

/* --- reading the output again --- */

static const char json_name[] = "json";

static enum fm_line_role json_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return fm_json_traces_offer(memory, json_name, doc, line);
}

static const struct fm_needle json_needles[] = {
    FM_NEEDLE("{\"t\":\"trace\"", 1, 9),
    FM_NEEDLE("{\"t\":\"images\"", 1, 9),
    FM_NEEDLE("{\"t\":\"end\"", 1, 9),
};

static const struct fm_output json_output = {
    .holds = FM_HOLDS_ALL,
    .state_size = sizeof(struct json_state),
    .print_begin = print_json_head,
    .print = print_json,
    .print_end = print_json_end,
};

const struct fm_format fm_json_output = {
    .info = {json_name, "JSON lines: one object for each trace, with all that the text says of it", true, true},
    FM_NEEDLES(json_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct fm_json_traces),
    .firsts = "{,",
    .offer = json_offer,
    .is_significant = fm_json_traces_is_significant,
    .keeps_state = true,
    .reads_documents = true,
    .keeps = FM_KEEPS_ALL,
    .output = &json_output};

static const struct fm_output json_document_output = {
    .holds = FM_HOLDS_ALL,
    .state_size = sizeof(struct json_state),
    .print_begin = print_document_head,
    .print = print_json,
    .print_end = print_document_end,
};

const struct fm_format fm_json_document_output = {
    .info = {"json-document", "the same objects in one JSON document", false, true}, .output = &json_document_output};
