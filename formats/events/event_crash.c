/* Implements event_crash.h: copies signal, exception, thread and process from the JSON members of each kind of crash
 * report into the parsed stack. */
#include "formats/events/event_crash.h"
#include "formats/events/event_vendors.h"
#include "formats/row_parts.h"
#include "formats/signal_names.h"

const framemap_str fm_event_recrash = FM_STR_INIT("recrash_report");

int32_t fm_event_crashed_thread(const struct fm_event_reader *reader)
{
    const int32_t crash = fm_event_member(reader, reader->dump, FM_STR("crash_info")),
                  threads = fm_event_member(reader, reader->dump, FM_STR("threads"));
    uint64_t place;
    if (!fm_event_number(reader, crash, FM_STR("crashing_thread"), &place)) return -1;
    if (threads < 0 || fm_json_type(reader->json, threads) != FM_JSON_ARRAY) return -1;
    int32_t thread = fm_json_first(reader->json, threads);
    while (thread >= 0 && place-- > 0) thread = fm_json_next(reader->json, thread);
    return thread;
}

/* Parses rust-minidump's "SIGSEGV / SEGV_MAPERR" for the thread that crashed. */
static void read_crash(const struct fm_event_reader *reader, framemap_trace *trace)
{
    const int32_t crash = fm_event_member(reader, reader->dump, FM_STR("crash_info"));
    const framemap_str reason = fm_event_text(reader, crash, FM_STR("type"));
    const size_t slash = fm_str_find_byte(reason, '/');
    trace->exception = reason;
    trace->exception_type = fm_str_trim(fm_str_slice(reason, 0, slash));
    trace->abort_message = fm_event_text(reader, crash, FM_STR("assertion"));
    if (fm_str_starts(reason, FM_STR("SIG"))) trace->signal.name = trace->exception_type;
    trace->signal.has_address = fm_event_number(reader, crash, FM_STR("address"), &trace->signal.address);
}

/* Reads what rust-minidump reports about a thread besides its frames. thread: a member of the document, or an
 * element of "threads". */
static void read_dump(const struct fm_event_reader *reader, int32_t thread, framemap_trace *trace)
{
    const int32_t system = fm_event_member(reader, reader->dump, FM_STR("system_info"));
    trace->os = fm_event_text(reader, system, FM_STR("os"));
    trace->os_version = fm_event_text(reader, system, FM_STR("os_ver"));
    trace->arch = fm_event_text(reader, system, FM_STR("cpu_arch"));
    if (fm_str_equal(trace->arch, FM_STR("amd64"))) trace->arch = FM_STR("x86_64");
    if (fm_str_equal(trace->arch, FM_STR("x86"))) trace->arch = FM_STR("i386");
    trace->has_process_id = fm_event_number(reader, reader->dump, FM_STR("pid"), &trace->process_id);
    trace->crashed = thread == fm_event_member(reader, reader->dump, FM_STR("crashing_thread")) ||
                     (thread >= 0 && thread == reader->crashed);
    if (trace->crashed) read_crash(reader, trace);
}

/* Reads KSCrash's {"type":"mach","mach":{"exception_name":…},"signal":{"name":…},"address":…}. If "type" is an
 * exception of Objective-C or C++, or one that the application reports, the object has a member of that name with
 * details. */
static void read_error(const struct fm_event_reader *reader, int32_t error, framemap_trace *trace)
{
    const int32_t mach = fm_event_member(reader, error, FM_STR("mach")),
                  signal = fm_event_member(reader, error, FM_STR("signal"));
    const framemap_str type = fm_event_text(reader, error, FM_STR("type"));
    const bool is_user = fm_str_equal(type, FM_STR("user"));
    const int32_t thrown = fm_event_member(reader, error, is_user ? FM_STR("user_reported") : type);
    trace->signal.name = fm_event_text(reader, signal, FM_STR("name"));
    trace->signal.code_name = fm_event_text(reader, signal, FM_STR("code_name"));
    trace->mach_type = fm_event_text(reader, mach, FM_STR("exception_name"));
    trace->mach_codes = fm_event_text(reader, mach, FM_STR("code_name"));
    trace->exception_type = fm_event_text(reader, thrown, FM_STR("name"));
    if (thrown != signal && trace->exception_type.size) {
        trace->exception_message = fm_event_text(reader, thrown, FM_STR("reason"));
        if (trace->exception_message.size == 0)
            trace->exception_message = fm_event_text(reader, error, FM_STR("reason"));
    } else {
        trace->signal.has_address = fm_event_number(reader, error, FM_STR("address"), &trace->signal.address);
        trace->exception_type = trace->mach_type;
        if (trace->exception_type.size == 0) trace->exception_type = trace->signal.name;
        /* A report of KSCrash may have neither an exception nor a signal, such as one of type "deadlock". */
        if (trace->exception_type.size == 0 && thrown < 0) {
            trace->exception_type = type;
            trace->exception_message = fm_event_text(reader, error, FM_STR("reason"));
            trace->signal.has_address = false;
        }
    }
    trace->exception = trace->exception_type;
}

/* Returns the report of KSCrash that is being read: the document, or the report nested in it. KSCrash nests two reports
 * if it crashed while it wrote the first one: the inner report is the unfinished one, and the outer one is about
 * KSCrash's own crash. In old versions it is the other way round. */
static int32_t current_report(const struct fm_event_reader *reader)
{
    const int32_t inner = fm_event_member(reader, 0, fm_event_recrash);
    return inner >= 0 && reader->depth > 1 && reader->levels[1].value == inner ? inner : 0;
}

/* Reads what KSCrash reports besides the frames. thread: the object that has the stack. */
static void read_report(const struct fm_event_reader *reader, int32_t thread, framemap_trace *trace)
{
    const int32_t report = current_report(reader),
                  error = fm_event_member(reader, fm_event_member(reader, report, FM_STR("crash")), FM_STR("error"));
    int32_t system = fm_event_member(reader, 0, FM_STR("system"));
    if (error < 0) return;
    if (system < 0) system = fm_event_member(reader, fm_event_member(reader, 0, fm_event_recrash), FM_STR("system"));
    trace->os = fm_event_text(reader, system, FM_STR("system_name"));
    trace->os_version = fm_event_text(reader, system, FM_STR("system_version"));
    trace->process_name = fm_event_text(reader, system, FM_STR("process_name"));
    trace->has_process_id = fm_event_number(reader, system, FM_STR("process_id"), &trace->process_id);
    trace->thread_queue = fm_event_text(reader, thread, FM_STR("dispatch_queue"));
    if (trace->crashed && trace->exception.size == 0) read_error(reader, error, trace);
}

/* Reads what New Relic's agent for iOS reports besides the frames: the signal, which is a member of the exception's
 * object. */
static void read_new_relic(const struct fm_event_reader *reader, int32_t signal, framemap_trace *trace)
{
    const int32_t device = fm_event_member(reader, 0, FM_STR("deviceInfo")),
                  app = fm_event_member(reader, 0, FM_STR("appInfo"));
    trace->os_version = fm_event_text(reader, device, FM_STR("osVersion"));
    trace->arch = fm_event_text(reader, device, FM_STR("architecture"));
    trace->process_name = fm_event_text(reader, app, FM_STR("processName"));
    trace->has_process_id = fm_event_number(reader, app, FM_STR("processId"), &trace->process_id);
    if (!trace->crashed) return;
    trace->signal.name = fm_event_text(reader, signal, FM_STR("signalName"));
    trace->signal.code_name = fm_event_text(reader, signal, FM_STR("signalCode"));
    trace->signal.has_address = fm_event_number(reader, signal, FM_STR("faultAddress"), &trace->signal.address);
    if (trace->exception_type.size == 0) trace->exception = trace->exception_type = trace->signal.name;
}

/* Reads what Swift's runtime reports besides the frames: the signal, as in "description":"Illegal instruction". */
static void read_swift(const struct fm_event_reader *reader, framemap_trace *trace)
{
    framemap_str system = reader->platform; /* the event's "platform" is a text such as "Linux (Debian GNU/Linux 13)" */
    trace->arch = fm_event_text(reader, 0, FM_STR("architecture"));
    (void)fm_row_group(&system, &trace->os_version);
    trace->os = system;
    if (!trace->crashed) return;
    trace->exception = trace->exception_type = fm_event_text(reader, 0, FM_STR("description"));
    trace->signal.has_address = fm_event_number(reader, 0, FM_STR("faultAddress"), &trace->signal.address);
}

void fm_event_read_crash(const struct fm_event_reader *reader, int32_t thread, framemap_trace *trace)
{
    const int32_t thrown = fm_event_member(reader, 0, FM_STR("exception")),
                  signal = fm_event_member(reader, thrown, FM_STR("signalInfo"));
    if (signal >= 0 && fm_event_member(reader, thread, FM_STR("threadNumber")) >= 0)
        read_new_relic(reader, signal, trace);
    else if (reader->dump >= 0)
        read_dump(reader, thread, trace);
    else if (fm_str_equal(reader->kind, FM_STR(FM_EVENT_SWIFT)))
        read_swift(reader, trace);
    else
        read_report(reader, thread, trace);
}

void fm_event_read_core(const struct fm_event_reader *reader, int32_t core, framemap_trace *trace)
{
    uint64_t number;
    trace->os = FM_STR("linux");
    trace->process_name = fm_str_basename(fm_event_text(reader, core, FM_STR("executable")));
    if (!trace->crashed || !fm_event_number(reader, core, FM_STR("signal"), &number) || number > 64) return;
    trace->signal.has_number = true;
    trace->signal.number = (int32_t)number;
    trace->signal.name = fm_signal_name(number, FM_SIGNALS_OF_LINUX);
    trace->exception = trace->exception_type = trace->signal.name;
}
