/* The table of event_vendors.h. Members are named as in the vendors' documented payloads: Sentry's stack trace
 * interface, Bugsnag's error reporting API, Measure's SDK API, Crashlytics' BigQuery export, the Chrome DevTools
 * Protocol's Runtime.CallFrame, React Native's StackFrame, the JSON schema of rust-minidump. */
#include "formats/events/event_vendors.h"

const char fm_event_sentry[] = "sentry-event", fm_event_bugsnag[] = "bugsnag-event",
           fm_event_measure[] = "measure-event", fm_event_crashlytics[] = "crashlytics-export",
           fm_event_cdp[] = "cdp-call-frames", fm_event_react_native[] = "react-native-frames",
           fm_event_minidump[] = "minidump-json";

#define S(text) FM_STR_INIT(text)

/* In the order in which they are tried: the names of Sentry's members are the least specific. */
static const struct fm_event_vendor vendors[] = {
    {.name = fm_event_measure,
     .frames_key = S("frames"),
     .marks = {S("method_name"), S("class_name"), S("binary_address"), S("line_num"), S("binary_name")},
     .holder = 1,
     .type = S("type"),
     .message = S("message"),
     .thread_name = S("thread_name"),
     .function = S("method_name"),
     .class_name = S("class_name"),
     .file = S("file_name"),
     .line = S("line_num"),
     .column = S("col_num"),
     .address = S("symbol_address"),
     .load = S("binary_address"),
     .package = S("binary_name")},
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
    {.name = fm_event_sentry,
     .frames_key = S("frames"),
     .marks = {S("lineno"), S("instruction_addr"), S("abs_path"), S("filename"), S("module"), S("in_app")},
     .outermost_first = true,
     .holder = 2,
     .type = S("type"),
     .message = S("value"),
     .thread_id = S("thread_id"),
     .thread_name = S("name"),
     .function = S("function"),
     .class_name = S("module"),
     .file = S("filename"),
     .path = S("abs_path"),
     .line = S("lineno"),
     .column = S("colno"),
     .address = S("instruction_addr"),
     .load = S("image_addr"),
     .package = S("package"),
     .old_function = S("raw_function"),
     .old_values = S("data"),
     .has_context = true},
    {.name = fm_event_bugsnag,
     .frames_key = S("stacktrace"),
     .marks = {S("lineNumber"), S("frameAddress"), S("method"), S("columnNumber")},
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
     .package_id = S("machoUUID")},
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

const struct fm_event_vendor *fm_event_vendor_of(framemap_str key, bool (*has)(void *context, framemap_str mark),
                                                 void *context)
{
    for (size_t i = 0; i < VENDORS; i++)
        if (fm_str_equal(key, vendors[i].frames_key) && has_mark(&vendors[i], has, context)) return &vendors[i];
    return NULL;
}

const struct fm_event_vendor *fm_event_vendor_named(framemap_str format)
{
    for (size_t i = 0; i < VENDORS; i++)
        if (format.data == vendors[i].name) return &vendors[i];
    return NULL;
}
