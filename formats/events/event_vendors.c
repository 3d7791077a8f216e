/* The table of event_vendors.h. The sources of the member names are the vendors' documented payloads: Sentry's stack
 * trace interface, Bugsnag's error reporting API, Measure's SDK API, Crashlytics' BigQuery export, the Chrome DevTools
 * Protocol's Runtime.CallFrame, React Native's StackFrame, the JSON schema of rust-minidump, Rollbar's item, App
 * Center's managed error, Raygun's entry (in both spellings), Honeybadger's notice, Airbrake's notice, Elastic APM's
 * intake, KSCrash's report, the backtraces of Swift's runtime (SWIFT_BACKTRACE=format=json), Grafana Faro's
 * ExceptionEvent, stacktrace.js' StackFrame, New Relic's crash reports, Application Insights' StackFrame, ABRT's
 * micro-reports, MongoDB's log, Node's diagnostic report, the stack frames of Backtrace's clients. */
#include "formats/events/event_vendors.h"

const char fm_event_sentry[] = "sentry-event", fm_event_bugsnag[] = "bugsnag-event",
           fm_event_measure[] = "measure-event", fm_event_crashlytics[] = "crashlytics-export",
           fm_event_cdp[] = "cdp-call-frames", fm_event_react_native[] = "react-native-frames",
           fm_event_minidump[] = "minidump-json", fm_event_error[] = "error-event";

#define S(text) FM_STR_INIT(text)

/* Other vendors share some of Sentry's member names, so the members that only Sentry has are tested first. */
#define SENTRY_MEMBERS                                                                                               \
    .outermost_first = true, .holder = 2, .type = S("type"), .message = S("value"), .thread_id = S("thread_id"),     \
    .own_thread_id = S("id"), .thread_name = S("name"), .function = S("function"), .class_name = S("module"),        \
    .file = S("filename"), .path = S("abs_path"), .line = S("lineno"), .column = S("colno"),                         \
    .address = S("instruction_addr"), .load = S("image_addr"), .package = S("package"),                              \
    .address_mode = S("addr_mode"), .old_function = S("raw_function"), .old_values = S("data"), .has_context = true, \
    .causes_precede = true

/* Objects of error-stack-parser and stacktrace.js. A frame without a function has no `functionName` and is
 * recognized by its other members; that works because this vendor is compared first. */
#define STACK_FRAME(key)            \
    {.name = fm_event_error,        \
     .frames_key = S(key),          \
     .marks = {S("functionName")},  \
     .holder = 1,                   \
     .type = S("name"),             \
     .message = S("message"),       \
     .function = S("functionName"), \
     .file = S("fileName"),         \
     .line = S("lineNumber"),       \
     .column = S("columnNumber")}

/* The vendors in the order in which they are tried. Sentry comes late, because some of its member names are used by
 * many other vendors. */
static const struct fm_event_vendor vendors[] = {
    STACK_FRAME("stack"),
    STACK_FRAME("stackTrace"),
    STACK_FRAME("frames"),
    /* Rollbar */
    {.name = fm_event_error,
     .frames_key = S("frames"),
     .marks = {S("method")},
     .outermost_first = true,
     .causes_follow = true,
     .holder = 1,
     .thrown = S("exception"),
     .type = S("class"),
     .message = S("message"),
     .function = S("method"),
     .class_name = S("class_name"),
     .file = S("filename"),
     .line = S("lineno"),
     .column = S("colno")},
    /* members of App Center, and of others that use the names of Java's StackTraceElement */
    {.name = fm_event_error,
     .frames_key = S("frames"),
     .marks = {S("methodName")},
     .holder = 1,
     .type = S("type"),
     .message = S("message"),
     .function = S("methodName"),
     .class_name = S("className"),
     .file = S("fileName"),
     .line = S("lineNumber"),
     .column = S("columnNumber")},
    /* members of New Relic's agent for Android */
    {.name = fm_event_error,
     .frames_key = S("stack"),
     .marks = {S("className")},
     .holder = 1,
     .thrown = S("exception"),
     .thrown_in_document = true,
     .type = S("name"),
     .message = S("cause"),
     .thread_id = S("threadNumber"),
     .thread_name = S("threadId"),
     .function = S("methodName"),
     .class_name = S("className"),
     .file = S("fileName"),
     .line = S("lineNumber")},
    /* members of New Relic's agent for iOS; those for function, file and line are added by framemap */
    {.name = fm_event_error,
     .frames_key = S("stack"),
     .marks = {S("instructionPointer")},
     .holder = 1,
     .thrown = S("exception"),
     .thrown_in_document = true,
     .type = S("name"),
     .message = S("cause"),
     .thread_id = S("threadNumber"),
     .function = S("function"),
     .file = S("file"),
     .line = S("line"),
     .symbol = S("symbolInfo"),
     .symbol_name = S("symbolName"),
     .address = S("instructionPointer")},
    /* members of Backtrace's clients for scripts and Android; Android's frames have no file */
    {.name = fm_event_error,
     .frames_key = S("stack"),
     .marks = {S("funcName")},
     .holder = 1,
     .types = S("classifiers"),
     .thrown = S("attributes"),
     .thrown_in_document = true,
     .message = S("error.message"),
     .thread_name = S("name"),
     .method_is_whole = true,
     .function = S("funcName"),
     .file = S("library"),
     .line = S("line"),
     .column = S("column"),
     .script_id = S("debug_identifier")},
    /* members of Azure Application Insights, including events exported from it */
    {.name = fm_event_error,
     .frames_key = S("parsedStack"),
     .marks = {S("method"), S("assembly")},
     .causes_follow = true,
     .holder = 1,
     .type = S("typeName"),
     .other_type = S("type"),
     .message = S("message"),
     .method_is_whole = true,
     .function = S("method"),
     .file = S("fileName"),
     .line = S("line"),
     .row = S("assembly")},
    /* members of Log4j 2's JSON layout */
    {.name = fm_event_error,
     .frames_key = S("extendedStackTrace"),
     .marks = {S("class")},
     .holder = 1,
     .type = S("name"),
     .message = S("message"),
     .function = S("method"),
     .class_name = S("class"),
     .file = S("file"),
     .line = S("line")},
    /* members of Raygun, whose payload is spelled in two ways */
    {.name = fm_event_error,
     .frames_key = S("stackTrace"),
     .marks = {S("methodName")},
     .holder = 1,
     .type = S("className"),
     .message = S("message"),
     .function = S("methodName"),
     .class_name = S("className"),
     .file = S("fileName"),
     .line = S("lineNumber"),
     .column = S("columnNumber")},
    {.name = fm_event_error,
     .frames_key = S("StackTrace"),
     .marks = {S("MethodName")},
     .holder = 1,
     .type = S("ClassName"),
     .message = S("Message"),
     .function = S("MethodName"),
     .class_name = S("ClassName"),
     .file = S("FileName"),
     .line = S("LineNumber"),
     .column = S("ColumnNumber")},
    /* members of MongoDB; those for file, line and column are added by framemap */
    {.name = fm_event_error,
     .frames_key = S("backtrace"),
     .marks = {S("o")},
     .holder = 1,
     .function = S("C"),
     .file = S("file"),
     .line = S("line"),
     .column = S("column"),
     .bare_hex = true,
     .address = S("a"),
     .load = S("b"),
     .offset = S("o"),
     .symbol_name = S("s")},
    /* members of Honeybadger */
    {.name = fm_event_error,
     .frames_key = S("backtrace"),
     .marks = {S("number")},
     .causes_follow = true,
     .holder = 1,
     .type = S("class"),
     .message = S("message"),
     .method_is_whole = true,
     .function = S("method"),
     .file = S("file"),
     .line = S("number"),
     .column = S("column")},
    /* members of Airbrake */
    {.name = fm_event_error,
     .frames_key = S("backtrace"),
     .marks = {S("line")},
     .causes_follow = true,
     .holder = 1,
     .type = S("type"),
     .message = S("message"),
     .method_is_whole = true,
     .function = S("function"),
     .file = S("file"),
     .line = S("line"),
     .column = S("column")},
    /* members of Elastic APM */
    {.name = fm_event_error,
     .frames_key = S("stacktrace"),
     .marks = {S("lineno"), S("abs_path"), S("library_frame")},
     .holder = 1,
     .span = S("duration"),
     .type = S("type"),
     .message = S("message"),
     .function = S("function"),
     .class_name = S("classname"),
     .file = S("filename"),
     .path = S("abs_path"),
     .line = S("lineno"),
     .column = S("colno"),
     .has_context = true},
    /* members of KSCrash; those for file and line are added by framemap */
    {.name = fm_event_error,
     .frames_key = S("contents"),
     .marks = {S("instruction_addr")},
     .holder = 2,
     .thread_id = S("index"),
     .thread_name = S("name"),
     .function = S("symbol_name"),
     .file = S("file"),
     .line = S("line"),
     .address = S("instruction_addr"),
     .load = S("object_addr"),
     .package = S("object_name")},
    /* members of ABRT's core_backtrace, alone or in a report; those for file and line are added by framemap */
    {.name = fm_event_error,
     .frames_key = S("frames"),
     .marks = {S("build_id_offset")},
     .holder = 1,
     .thread_name = S("name"),
     .function = S("function_name"),
     .file = S("source_file"),
     .line = S("source_line"),
     .address = S("address"),
     .package = S("file_name"),
     .package_id = S("build_id"),
     .offset = S("build_id_offset")},
    /* members of Node's diagnostic report; those for function, file and line are added by framemap */
    {.name = fm_event_error,
     .frames_key = S("nativeStack"),
     .marks = {S("pc")},
     .holder = 1,
     .function = S("function"),
     .file = S("file"),
     .line = S("line"),
     .address = S("pc"),
     .described = S("symbol"),
     .all_return = true},
    /* members of ABRT's reports of scripts */
    {.name = fm_event_error,
     .frames_key = S("stacktrace"),
     .marks = {S("file_line")},
     .holder = 1,
     .type = S("exception_name"),
     .function = S("function_name"),
     .file = S("file_name"),
     .line = S("file_line"),
     .column = S("line_column")},
    /* members of Swift's runtime */
    {.name = fm_event_error,
     .document = S(FM_EVENT_SWIFT),
     .frames_key = S("frames"),
     .marks = {S("kind")},
     .holder = 1,
     .thread_name = S("name"),
     .function = S("symbol"),
     .file = S("file"),
     .line = S("line"),
     .column = S("column"),
     .address = S("address"),
     .package = S("image"),
     .address_kind = S("kind"),
     .place = S("sourceLocation"),
     .readable = S("description")},
    {.name = fm_event_measure,
     .frames_key = S("frames"),
     .marks = {S("method_name"), S("class_name"), S("binary_address"), S("line_num"), S("binary_name")},
     .causes_follow = true,
     .holder = 1,
     .type = S("type"),
     .message = S("message"),
     .thread_name = S("thread_name"),
     .function = S("method_name"),
     .class_name = S("class_name"),
     .file = S("file_name"),
     .line = S("line_num"),
     .column = S("col_num"),
     .bare_hex = true,
     .address = S("symbol_address"),
     .load = S("binary_address"),
     .package = S("binary_name")},
    /* members of Dart's frames without names */
    {.name = fm_event_measure,
     .frames_key = S("frames"),
     .marks = {S("instruction_address")},
     .causes_follow = true,
     .holder = 1,
     .type = S("type"),
     .message = S("message"),
     .thread_name = S("thread_name"),
     .function = S("method_name"),
     .class_name = S("class_name"),
     .file = S("file_name"),
     .line = S("line_num"),
     .column = S("col_num"),
     .address = S("instruction_address"),
     .is_call = true},
    /* members of Grafana Faro: Sentry's names, with frames in the order of the stack text, innermost first */
    {.name = fm_event_error,
     .document = S(FM_EVENT_FARO),
     .frames_key = S("frames"),
     .marks = {S("lineno"), S("filename")},
     .holder = 2,
     .type = S("type"),
     .message = S("value"),
     .function = S("function"),
     .file = S("filename"),
     .line = S("lineno"),
     .column = S("colno")},
    {.name = fm_event_sentry,
     .frames_key = S("frames"),
     .marks = {S("lineno"), S("instruction_addr"), S("abs_path"), S("filename"), S("package")},
     SENTRY_MEMBERS},
    {.name = fm_event_crashlytics,
     .frames_key = S("frames"),
     .marks = {S("symbol"), S("blamed"), S("owner"), S("library")},
     .holder = 1,
     .type = S("type"),
     .message = S("exception_message"),
     .thread_name = S("thread_name"),
     .method_is_whole = true,
     .function = S("symbol"),
     .file = S("file"),
     .line = S("line"),
     .address = S("address"),
     .package = S("library")},
    {.name = fm_event_minidump,
     .frames_key = S("frames"),
     .marks = {S("module_offset"), S("missing_symbols"), S("function_offset")},
     .holder = 1,
     .thread_id = S("thread_id"),
     .thread_name = S("thread_name"),
     .function = S("function"),
     .file = S("file"),
     .line = S("line"),
     .address = S("offset"),
     .package = S("module"),
     .distance = S("function_offset"),
     .trust = S("trust"),
     .inlines = S("inlines"),
     .is_call = true},
    {.name = fm_event_sentry, .frames_key = S("frames"), .marks = {S("module"), S("in_app")}, SENTRY_MEMBERS},
    {.name = fm_event_bugsnag,
     .frames_key = S("stacktrace"),
     .marks = {S("lineNumber"), S("frameAddress"), S("method"), S("columnNumber")},
     .causes_follow = true,
     .holder = 1,
     .type = S("errorClass"),
     .message = S("message"),
     .thread_id = S("id"),
     .thread_name = S("name"),
     .platform = S("type"),
     .method_is_whole = true,
     .function = S("method"),
     .file = S("file"),
     .line = S("lineNumber"),
     .column = S("columnNumber"),
     .address = S("frameAddress"),
     .load = S("loadAddress"),
     .package = S("machoFile"),
     .package_id = S("machoUUID"),
     .other_package = S("file"),
     .other_id = S("codeIdentifier")},
    {.name = fm_event_cdp,
     .frames_key = S("callFrames"),
     .marks = {S("functionName"), S("scriptId"), S("url")},
     .counts_from_0 = true,
     .holder = 2,
     .type = S("className"),
     .message = S("text"),
     .function = S("functionName"),
     .file = S("url"),
     .line = S("lineNumber"),
     .column = S("columnNumber")},
    /* a stack that React Native gave to KSCrash, in its "user_reported" */
    {.name = fm_event_react_native,
     .frames_key = S("backtrace"),
     .marks = {S("methodName")},
     .holder = 1,
     .type = S("name"),
     .function = S("methodName"),
     .file = S("file"),
     .line = S("lineNumber"),
     .column = S("column")},
    {.name = fm_event_react_native,
     .frames_key = S("stack"),
     .marks = {S("methodName")},
     .holder = 1,
     .type = S("name"),
     .message = S("message"),
     .function = S("methodName"),
     .file = S("file"),
     .line = S("lineNumber"),
     .column = S("column")}};
enum { VENDORS = sizeof vendors / sizeof *vendors };

static bool has_mark(const struct fm_event_vendor *vendor, bool (*has)(void *context, framemap_str mark), void *context)
{
    for (size_t i = 0; i < FM_EVENT_MARKS && vendor->marks[i].size; i++)
        if (has(context, vendor->marks[i])) return true;
    return false;
}

const struct fm_event_vendor *fm_event_vendor_of(framemap_str key, framemap_str document,
                                                 bool (*has)(void *context, framemap_str mark), void *context)
{
    for (size_t i = 0; i < VENDORS; i++)
        if (fm_str_equal(key, vendors[i].frames_key) &&
            (vendors[i].document.size == 0 || fm_str_equal(document, vendors[i].document)) &&
            has_mark(&vendors[i], has, context))
            return &vendors[i];
    return NULL;
}

/* Whether the text of an object contains `name` in quotes, as it does if the object, or an object inside of it, has a
 * member of that name. This is enough to determine the vendor of a frame. */
static bool has_word(framemap_str raw, framemap_str name)
{
    for (size_t at; (at = fm_str_find(raw, name)) != FM_NOT_FOUND; raw = fm_str_from(raw, at + name.size))
        if (at > 0 && raw.data[at - 1] == '"' && at + name.size < raw.size && raw.data[at + name.size] == '"')
            return true;
    return false;
}

const struct fm_event_vendor *fm_event_vendor_named(framemap_str format, framemap_str raw)
{
    const struct fm_event_vendor *first = NULL;
    for (size_t i = 0; i < VENDORS; i++) {
        if (format.data != vendors[i].name) continue;
        if (first == NULL) first = &vendors[i];
        if (vendors[i].row.size && !has_word(raw, vendors[i].row)) continue;
        if (vendors[i].offset.size && !has_word(raw, vendors[i].offset)) continue;
        /* A vendor such as MongoDB may write a frame that has an offset but no address. */
        if (vendors[i].offset.size && vendors[i].bare_hex) return &vendors[i];
        if (vendors[i].address.size ? has_word(raw, vendors[i].address)
                                    : has_word(raw, vendors[i].function) && has_word(raw, vendors[i].line))
            return &vendors[i];
    }
    /* No vendor was found by its member for the function. Now the vendors whose frames may have no function are
     * tried. */
    for (size_t i = 0; i < VENDORS; i++)
        if (vendors[i].row.size == 0 && format.data == vendors[i].name && has_word(raw, vendors[i].file) &&
            has_word(raw, vendors[i].line))
            return &vendors[i];
    return first;
}
