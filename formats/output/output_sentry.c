/* Output "sentry": events in the form of Sentry's event payload, one per line. An event is a report that lists its
 * images, or a stack with its parts (its causes), together with the other threads of the process if a dump lists them.
 * Exceptions are listed oldest first, so the one that ended the program is last. sentry_frame.c writes the frames. */
#include "formats/output/event_group.h"
#include "formats/output/print_each.h"
#include "formats/output/sentry_frame.h"
#include "formats/output/trace_words.h"
#include "formats/parsers.h"

/* Whether a stack is written as an exception of the event; if not, it is written as a thread. */
static bool is_exception(const framemap_trace *trace)
{
    return fm_has_exception(trace) || trace->role != FRAMEMAP_ROLE_NONE;
}

struct event {
    const framemap_trace *traces;
    size_t count;
    /* the trace that the event is about: its first exception, or else its first stack */
    const framemap_trace *subject;
    struct fm_sentry_images images;
    framemap_str platform;
};

static void put_thread_id(struct fm_members *m, framemap_str name, const framemap_trace *trace)
{
    const struct fm_thread_words words = fm_thread_words(trace);
    fm_member_text(m, name, words.id.size ? words.id : words.name);
}

typedef void put_words(struct fm_buf *out, const framemap_trace *trace);

static bool put_worded(struct fm_members *m, framemap_str name, put_words *put, const framemap_trace *trace)
{
    struct fm_buf text;
    fm_buf_init(&text, m->out->heap);
    put(&text, trace);
    const bool any = text.size > 0;
    fm_member_text(m, name, fm_buf_view(&text));
    if (text.failed) m->out->failed = true;
    fm_buf_free(&text);
    return any;
}

/* --- writing the exceptions of an event --- */

static void put_signal(struct fm_members *mechanism, const framemap_signal *given)
{
    if (!given->has_number) return;
    struct fm_members meta = fm_members_open_in(mechanism, FM_MEMBER("meta"));
    struct fm_members signal = fm_members_open_in(&meta, FM_MEMBER("signal"));
    fm_member_signed(&signal, FM_MEMBER("number"), given->number);
    fm_member_text(&signal, FM_MEMBER("name"), given->name);
    if (given->has_code) fm_member_signed(&signal, FM_MEMBER("code"), given->code);
    fm_member_text(&signal, FM_MEMBER("code_name"), given->code_name);
    fm_members_close(&signal);
    fm_members_close(&meta);
}

static void put_mechanism(struct fm_members *m, const framemap_trace *trace)
{
    const bool signalled = trace->signal.name.size || trace->signal.has_number;
    if (!trace->crashed && !signalled) return;
    struct fm_members mechanism = fm_members_open_in(m, FM_MEMBER("mechanism"));
    fm_member_text(&mechanism, FM_MEMBER("type"), signalled ? FM_STR("signalhandler") : FM_STR("generic"));
    fm_member_name(&mechanism, FM_MEMBER("handled"));
    fm_buf_str(mechanism.out, FM_STR("false"));
    put_signal(&mechanism, &trace->signal);
    fm_members_close(&mechanism);
}

static void put_exception(struct fm_buf *out, const framemap_trace *trace, const struct event *event)
{
    struct fm_members m = fm_members_open(out);
    if (!put_worded(&m, FM_MEMBER("type"), fm_put_exception_type, trace))
        fm_member_text(&m, FM_MEMBER("type"), framemap_str_of(framemap_role_name(trace->role)));
    put_worded(&m, FM_MEMBER("value"), fm_put_exception_message, trace);
    put_thread_id(&m, FM_MEMBER("thread_id"), trace);
    put_mechanism(&m, trace);
    fm_sentry_put_stacktrace(&m, trace, &event->images, event->platform);
    fm_members_close(&m);
}

/* Writes exceptions, each after its causes. In the text, causes may follow or precede the stack that they caused:
 * causes that follow are written in reverse order, others in the order of the text. */
static void put_exceptions(struct fm_members *m, const struct event *event)
{
    bool any = false;
    for (size_t end = event->count, begin; end > 0; end = begin) {
        begin = end - 1;
        while (begin > 0 && fm_event_precedes(&event->traces[begin - 1], &event->traces[begin])) begin--;
        for (size_t i = begin; i < end; i++) {
            if (!is_exception(&event->traces[i])) continue;
            if (!any) fm_member_name(m, FM_MEMBER("exception"));
            fm_buf_str(m->out, any ? FM_STR(",") : FM_STR("{\"values\":["));
            any = true;
            put_exception(m->out, &event->traces[i], event);
        }
    }
    if (any) fm_buf_str(m->out, FM_STR("]}"));
}

/* --- threads --- */

static void put_thread(struct fm_buf *out, const framemap_trace *trace, const struct event *event)
{
    const struct fm_thread_words words = fm_thread_words(trace);
    struct fm_members m = fm_members_open(out);
    put_thread_id(&m, FM_MEMBER("id"), trace);
    fm_member_text(&m, FM_MEMBER("name"), words.name);
    fm_member_flag(&m, FM_MEMBER("crashed"), trace->crashed);
    fm_member_flag(&m, FM_MEMBER("current"), trace->crashed || trace == event->subject);
    fm_member_text(&m, FM_MEMBER("state"), trace->thread_state);
    if (!is_exception(trace)) fm_sentry_put_stacktrace(&m, trace, &event->images, event->platform);
    fm_members_close(&m);
}

static void put_threads(struct fm_members *m, const struct event *event)
{
    bool any = false;
    for (size_t i = 0; i < event->count; i++) {
        const framemap_trace *trace = &event->traces[i];
        if (is_exception(trace) && (!fm_event_has_thread(trace) || trace->role != FRAMEMAP_ROLE_NONE)) continue;
        if (!any) fm_member_name(m, FM_MEMBER("threads"));
        fm_buf_str(m->out, any ? FM_STR(",") : FM_STR("{\"values\":["));
        any = true;
        put_thread(m->out, trace, event);
    }
    if (any) fm_buf_str(m->out, FM_STR("]}"));
}

/* --- writing an event --- */

static void put_contexts(struct fm_members *m, const framemap_trace *trace)
{
    struct fm_members contexts = fm_members_open_in(m, FM_MEMBER("contexts"));
    struct fm_members os = fm_members_open_in(&contexts, FM_MEMBER("os"));
    fm_member_text(&os, FM_MEMBER("name"), trace->os);
    fm_member_text(&os, FM_MEMBER("version"), trace->os_version);
    fm_members_close(&os);
    struct fm_members device = fm_members_open_in(&contexts, FM_MEMBER("device"));
    fm_member_text(&device, FM_MEMBER("arch"), trace->arch);
    fm_members_close(&device);
    struct fm_members app = fm_members_open_in(&contexts, FM_MEMBER("app"));
    fm_member_text(&app, FM_MEMBER("app_name"), trace->process_name);
    fm_members_close(&app);
    fm_members_close(&contexts);
}

static void put_extra(struct fm_members *m, const framemap_trace *trace)
{
    struct fm_members extra = fm_members_open_in(m, FM_MEMBER("extra"));
    struct fm_members own = fm_members_open_in(&extra, FM_MEMBER("framemap"));
    fm_member_text(&own, FM_MEMBER("format"), trace->format);
    fm_member_count(&own, FM_MEMBER("trace"), trace->number);
    fm_member_count(&own, FM_MEMBER("report"), trace->report);
    fm_member_number(&own, FM_MEMBER("line"), trace->line);
    if (trace->has_process_id) fm_member_count(&own, FM_MEMBER("pid"), trace->process_id);
    fm_members_close(&own);
    fm_members_close(&extra);
}

static framemap_str platform_of(const framemap_trace *trace)
{
    for (size_t i = 0; i < trace->frame_count; i++)
        if (trace->frames[i].kind != FRAMEMAP_KIND_MARKER) return fm_sentry_platform(trace->frames[i].kind);
    return FM_STR("other");
}

static void put_event(struct fm_buf *out, const struct event *event)
{
    const framemap_trace *subject = event->subject;
    const bool fatal = subject->crashed || subject->signal.name.size;
    struct fm_members m = fm_members_open(out);
    fm_member_text(&m, FM_MEMBER("platform"), event->platform);
    fm_member_text(&m, FM_MEMBER("level"), fatal ? FM_STR("fatal") : FM_STR("error"));
    fm_member_text(&m, FM_MEMBER("logger"), subject->log.tag);
    put_exceptions(&m, event);
    put_threads(&m, event);
    fm_sentry_put_images(&m, &event->images);
    put_contexts(&m, subject);
    put_extra(&m, subject);
    fm_members_close(&m);
    fm_buf_byte(out, '\n');
}

static void sentry_event(struct fm_buf *out, const struct fm_print_job *job, const framemap_trace *traces, size_t count)
{
    struct event event = {.traces = traces, .count = count, .subject = &traces[fm_event_subject(traces, count)]};
    event.platform = platform_of(event.subject);
    if (fm_sentry_images_find(&event.images, traces, count, job))
        put_event(out, &event);
    else
        out->failed = true;
    fm_sentry_images_free(&event.images);
}

static framemap_status print_sentry(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_groups(job, fm_event_size, sentry_event, error);
}

static const struct fm_output sentry_output = {
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
             FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_THREADS | FRAMEMAP_PART_IDS | FRAMEMAP_PART_IMAGES |
             FRAMEMAP_PART_REGISTERS | FRAMEMAP_PART_EXCEPTIONS | FRAMEMAP_PART_CAUSES | FRAMEMAP_PART_PROCESSES,
    .places_by_id = true,
    .joins_stacks = true,
    .print = print_sentry,
};

const struct fm_format fm_sentry_output = {
    .info = {"sentry", "events for Sentry as JSON lines, one for each report, thread dump or stack", false, true},
    .output = &sentry_output};
