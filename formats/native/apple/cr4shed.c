/* Implements cr4shed.h:
 *
 *     Process: Shop
 *     Bundle id: com.example.shop
 *     Device: iPhone 11, iOS 13.6
 *
 *     Exception type: EXC_BAD_ACCESS (SIGSEGV)
 *     Exception subtype: KERN_INVALID_ADDRESS: 0x10          or "Reason: …" of an NSException
 *     Culprit: Unknown
 *
 *     Triggered by thread: 0
 *     Thread name: Dispatch queue: com.apple.main-thread
 *     Call stack:
 *     0   libobjc.A.dylib   0x00000001996b2a70 0x1996b1000 + 6768   // objc_msgSend */
#include "formats/native/apple/cr4shed.h"
#include "formats/native/apple/apple.h"
#include "formats/native/apple/apple_header.h"

struct cr4shed_head {
    struct fm_apple_header header;
    framemap_str reason, thread, thread_title;
};

static void read_line(framemap_str text, struct cr4shed_head *head)
{
    static const framemap_str ios = FM_STR_INIT(", iOS ");
    const struct {
        framemap_str key;
        framemap_str *value;
    } keys[] = {{FM_STR("Process"), &head->header.process},
                {FM_STR("Device"), &head->header.os_version},
                {FM_STR("Exception type"), &head->header.exception},
                {FM_STR("Exception subtype"), &head->header.subtype},
                {FM_STR("Reason"), &head->reason},
                {FM_STR("Triggered by thread"), &head->thread},
                {FM_STR("Thread name"), &head->thread_title}};
    const size_t colon = fm_str_find(text, FM_STR(": "));
    if (colon == FM_NOT_FOUND) return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (fm_str_equal(fm_str(text.data, colon), keys[i].key))
            *keys[i].value = fm_str_trim(fm_str_from(text, colon + 2));
    const size_t at = fm_str_find(head->header.os_version, ios);
    if (at != FM_NOT_FOUND) head->header.os_version = fm_str_from(head->header.os_version, at + 2);
}

enum fm_crashlytics_head fm_cr4shed_above(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), FM_LOOK_BACK_MOST);
    struct cr4shed_head head = {.reason = {NULL, 0}};
    struct fm_line *before = fm_look_back_next(&above);
    if (before == NULL || !fm_line_cut(before) || !fm_str_equal(fm_str_trim(before->body), FM_STR("Call stack:")))
        return FM_CRASHLYTICS_NONE;
    while ((before = fm_look_back_next(&above)) != NULL)
        if (fm_line_cut(before)) read_line(fm_str_trim(before->body), &head);
    const framemap_str type = head.header.exception;
    const bool stopped = fm_str_starts(type, FM_STR("EXC_"));
    if (type.size == 0) return FM_CRASHLYTICS_NONE;
    fm_apple_header_fill(&head.header, stopped, trace);
    if (head.thread_title.size) fm_apple_thread_title(head.thread_title, trace);
    trace->thread_id = head.thread;
    trace->thread = trace->thread_name.size ? trace->thread_name : head.thread;
    trace->crashed = true;
    if (stopped) return FM_CRASHLYTICS_STOPPED;
    trace->exception = trace->exception_type = type;
    trace->exception_message = head.reason;
    return FM_CRASHLYTICS_THROWN;
}
