/* Output "otlp": each event (event_group.h) as a log record of OpenTelemetry, in the form of the OTLP file exporter:
 * one LogsData object per line. Attributes are those of the semantic conventions: exception.type, exception.message,
 * exception.stacktrace. */
#include "formats/output/event_group.h"
#include "formats/output/json_members.h"
#include "formats/output/print_each.h"
#include "formats/output/trace_words.h"
#include "formats/parsers.h"

/* A list of OTLP attributes that is being written. */
struct attributes {
    struct fm_buf *out;
    bool any;
};

static struct fm_members begin_attribute(struct attributes *list, const char *key)
{
    if (list->any) fm_buf_byte(list->out, ',');
    list->any = true;
    struct fm_members m = fm_members_open(list->out);
    fm_member_string(&m, FM_MEMBER("key"), framemap_str_of(key));
    fm_member_name(&m, FM_MEMBER("value"));
    return m;
}

static void put_text(struct attributes *list, const char *key, framemap_str text)
{
    if (text.size == 0) return;
    struct fm_members m = begin_attribute(list, key);
    struct fm_members value = fm_members_open(list->out);
    fm_member_string(&value, FM_MEMBER("stringValue"), text);
    fm_members_close(&value);
    fm_members_close(&m);
}

/* Writes an integer attribute. In protobuf's JSON form, 64-bit integers are strings. */
static void put_int(struct attributes *list, const char *key, framemap_str digits)
{
    enum { MOST = 18 }; /* a number with at most 18 digits always fits 64 bits */
    if (!fm_is_number(digits) || digits.size > MOST) return;
    struct fm_members m = begin_attribute(list, key);
    struct fm_members value = fm_members_open(list->out);
    fm_member_string(&value, FM_MEMBER("intValue"), digits);
    fm_members_close(&value);
    fm_members_close(&m);
}

static void put_number(struct attributes *list, const char *key, uint64_t number)
{
    struct fm_buf digits;
    fm_buf_init(&digits, list->out->heap);
    fm_buf_dec(&digits, number);
    put_int(list, key, fm_buf_view(&digits));
    if (digits.failed) list->out->failed = true;
    fm_buf_free(&digits);
}

typedef void put_words(struct fm_buf *out, const framemap_trace *trace);

static void put_worded(struct attributes *list, const char *key, put_words *put, const framemap_trace *trace)
{
    struct fm_buf text;
    fm_buf_init(&text, list->out->heap);
    put(&text, trace);
    put_text(list, key, fm_buf_view(&text));
    if (text.failed) list->out->failed = true;
    fm_buf_free(&text);
}

static void put_stacktrace(struct attributes *list, const char *key, const framemap_trace *traces, size_t count)
{
    struct fm_buf rows;
    fm_buf_init(&rows, list->out->heap);
    fm_put_stack_rows(&rows, traces, count);
    put_text(list, key, fm_buf_view(&rows));
    if (rows.failed) list->out->failed = true;
    fm_buf_free(&rows);
}

static void put_thread_row(struct fm_buf *out, const framemap_trace *trace)
{
    if (fm_put_thread(out, trace)) fm_buf_byte(out, '\n');
}

/* Writes the other stacks of the event after the record's own stack. A row with the name of its thread precedes each
 * stack. */
static void put_others(struct attributes *list, const framemap_trace *traces, size_t count, size_t subject)
{
    struct fm_buf rows;
    fm_buf_init(&rows, list->out->heap);
    for (size_t at = 0, parts; fm_event_next_other(traces, count, subject, &at, &parts); at += parts) {
        put_thread_row(&rows, &traces[at]);
        fm_put_stack_rows(&rows, &traces[at], parts);
    }
    put_text(list, "framemap.threads", fm_buf_view(&rows));
    if (rows.failed) list->out->failed = true;
    fm_buf_free(&rows);
}

static struct attributes begin_list(struct fm_members *m)
{
    fm_member_name(m, FM_MEMBER("attributes"));
    fm_buf_byte(m->out, '[');
    return (struct attributes){.out = m->out};
}

static void put_resource(struct fm_buf *out, const framemap_trace *trace)
{
    struct fm_members m = fm_members_open(out);
    struct attributes list = begin_list(&m);
    put_text(&list, "process.executable.name", trace->process_name);
    if (trace->has_process_id) put_number(&list, "process.pid", trace->process_id);
    put_text(&list, "host.arch", trace->arch);
    put_text(&list, "os.name", trace->os);
    put_text(&list, "os.version", trace->os_version);
    fm_buf_byte(out, ']');
    fm_members_close(&m);
}

static void put_attributes(struct fm_members *m, const framemap_trace *traces, size_t count, size_t subject)
{
    const framemap_trace *trace = &traces[subject];
    const size_t parts = fm_stack_parts(trace, count - subject);
    const struct fm_thread_words thread = fm_thread_words(trace);
    struct attributes list = begin_list(m);
    if (fm_has_exception(trace)) {
        put_worded(&list, "exception.type", fm_put_exception_type, trace);
        put_worded(&list, "exception.message", fm_put_exception_message, trace);
        put_stacktrace(&list, "exception.stacktrace", trace, parts);
    } else {
        put_stacktrace(&list, "code.stacktrace", trace, parts);
    }
    put_int(&list, "thread.id", thread.id);
    put_text(&list, "thread.name", thread.name);
    put_others(&list, traces, count, subject);
    put_text(&list, "framemap.format", trace->format);
    put_number(&list, "framemap.trace", trace->number);
    put_number(&list, "framemap.report", trace->report);
    fm_buf_byte(m->out, ']');
}

/* Writes the severity as a number of OpenTelemetry's log data model: 17 is the lowest number of ERROR, 21 the lowest of
 * FATAL. */
static void put_severity(struct fm_members *m, const framemap_trace *trace)
{
    const bool fatal = trace->crashed || trace->signal.name.size;
    if (!fm_has_exception(trace)) return;
    fm_member_count(m, FM_MEMBER("severityNumber"), fatal ? 21 : 17);
    fm_member_text(m, FM_MEMBER("severityText"), fatal ? FM_STR("FATAL") : FM_STR("ERROR"));
}

static void put_body(struct fm_members *m, const framemap_trace *trace)
{
    struct fm_buf title;
    fm_buf_init(&title, m->out->heap);
    fm_put_exception_title(&title, trace);
    struct fm_members body = fm_members_open_in(m, FM_MEMBER("body"));
    fm_member_text(&body, FM_MEMBER("stringValue"), fm_buf_view(&title));
    fm_members_close(&body);
    if (title.failed) m->out->failed = true;
    fm_buf_free(&title);
}

static void put_record(struct fm_buf *out, const framemap_trace *traces, size_t count, size_t subject)
{
    struct fm_members m = fm_members_open(out);
    put_severity(&m, &traces[subject]);
    put_body(&m, &traces[subject]);
    put_attributes(&m, traces, count, subject);
    fm_members_close(&m);
}

static void otlp_event(struct fm_buf *out, const struct fm_print_job *job, const framemap_trace *traces, size_t count)
{
    (void)job;
    const size_t subject = fm_event_subject(traces, count);
    fm_buf_str(out, FM_STR("{\"resourceLogs\":[{\"resource\":"));
    put_resource(out, &traces[subject]);
    fm_buf_str(out, FM_STR(",\"scopeLogs\":[{\"scope\":{\"name\":\"framemap\",\"version\":\"" FRAMEMAP_VERSION_STRING
                           "\"},\"logRecords\":["));
    put_record(out, traces, count, subject);
    fm_buf_str(out, FM_STR("]}]}]}\n"));
}

static framemap_status print_otlp(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_groups(job, fm_event_size, otlp_event, error);
}

static const struct fm_output otlp_output = {
    .holds = FM_HOLDS_ROWS | FRAMEMAP_PART_THREADS | FRAMEMAP_PART_PROCESSES,
    .keeps_rows = true,
    .path_or_module = true,
    .joins_stacks = true,
    .print = print_otlp,
};

const struct fm_format fm_otlp_output = {
    .info = {"otlp", "log records of OpenTelemetry as JSON lines, one for each report, thread dump or stack", false,
             true},
    .output = &otlp_output};
